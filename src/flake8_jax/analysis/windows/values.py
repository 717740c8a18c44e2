"""One abstract value as text: what it is, its shape and dtype, on what it depends whether it is traced.

array (3, None) float32; traced if `x` or the code around is
input `state.key`; traced: `step` is jitted on line 4
unknown: result of a transform
"""

from __future__ import annotations

from flake8_jax.analysis.checks.context import ROLES, place
from flake8_jax.domain.kinds import NUMPY_OR_NUMBER, STAGED
from flake8_jax.domain.provenance import Trace
from flake8_jax.domain.staging import Ambient, Dependences, Presumed, certain, in_order
from flake8_jax.domain.value import Value
from flake8_jax.ir.phrase import phrase

LONGEST = 100


def described(value: Value, home: str = "") -> str:
    """A value in one line: what it is, then its staging.  Files other than `home` are named."""
    stands = staging(value, home)
    return f"{noun(value)}; {stands}" if stands else noun(value)


def noun(value: Value) -> str:
    """What a value is, shortened."""
    text = value.text()
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


def staging(value: Value, home: str = "") -> str:
    """Whether a value is traced, why, or on what that depends; "" where the question has no meaning."""
    if value.dependences:
        return "" if value.dependences == {value.input} else traced_text(value.dependences, home)
    if value.kind in STAGED:
        return "not traced"
    return "on the host" if value.kind in NUMPY_OR_NUMBER else ""


def traced_text(dependences: Dependences, home: str = "") -> str:
    """What dependences say: the trace that is certain, or those that would make it so."""
    token = certain(dependences)
    if token is None:
        return f"traced if {' or '.join(sources(dependences))} is"
    if token.stage == "differentiated":
        return f"differentiated, which leaves it concrete: {trace_text(token.trace, home)}"
    return f"{'counter of a traced loop' if token.is_index else 'traced'}: {trace_text(token.trace, home)}"


def sources(dependences: Dependences) -> list[str]:
    """The names of what dependences depend on: inputs by path, then the code around."""
    names = list(dict.fromkeys(source.text() for source in in_order(dependences)))
    return names + ["the code around"] * any(type(dependence) in (Ambient, Presumed) for dependence in dependences)


def trace_text(trace: Trace, home: str = "") -> str:
    """Why a value is a tracer; the file is named where it is another than `home`."""
    function = "the lambda" if "<lambda>" in trace.function else f"`{trace.function}`"
    stands = ROLES.get(trace.role, f"{trace.role} `{trace.shown}`")
    return f"{function} is {stands} {place(trace.path, trace.line, bool(home) and trace.path != home)}"


def subject_of(value: Value) -> str:
    """The text of what a fact is about: the expression that made it, the input, or what it is."""
    if value.made_by is not None:
        return phrase(value.made_by)
    source = value.input or next(iter(in_order(value.dependences)), None)
    return source.path if source is not None else value.name or noun(value)
