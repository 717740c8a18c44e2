"""The closed list of what the interpreter tells the rules.

An event is sent only on positive evidence (this *is* an array, this *is* traced, this key *was* used before), once
per op, when the last converged pass runs.  Whether it is a hazard, and in which words, is the rule's business. All
texts are the user's own spelling, shortened; they carry no backquotes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from flake8_jax.domain.provenance import Hop, Trace, Use
from flake8_jax.ir.ops import Op

__all__ = [
    "Consumed", "Context", "Demanded", "Effected", "Event", "Hop", "Stored", "Trace", "Use",
    "explain", "place", "standing",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Context:
    """Where an event stands: the trace that makes it certain (if any) and the calls between, outermost first.

    `home` is the file that is judged, as hops and traces name it.
    """

    trace: Trace | None = None
    chain: tuple[Hop, ...] = ()
    home: str = ""


@dataclass(frozen=True, slots=True)
class Consumed:
    """A key is used up although it was used up before.

    `key` is its text, `use` this consumption, `earlier` those before it on a compatible path; `across_iterations`:
    every earlier one belongs to an earlier iteration of a loop; `manner` says how the two meet: one after the other
    ("again"), in one display such as an rngs dict ("display"), by one call ("call"), by calls of a function that draws
    from a captured or bound key ("captured").
    """

    op: Op
    key: str
    use: Use
    earlier: tuple[Use, ...]
    manner: Literal["again", "display", "call", "captured"]
    across_iterations: bool
    context: Context


@dataclass(frozen=True, slots=True)
class Stored:
    """An item of an immutable array is assigned, updated or deleted.

    `base` is the text of the array, `index` of the index; `origin` says why it is an array ("made by jnp.zeros on
    line 3").
    """

    op: Op
    base: str
    index: str
    manner: Literal["assign", "augment", "delete"]
    operator: str
    origin: str
    context: Context


@dataclass(frozen=True, slots=True)
class Demanded:
    """A value does not meet what is demanded of it.

    `what` is the demand: "bool" (Python asks for the truth of a tracer), "array" (a sequence stands where an array
    must).  `form` is who asks: for bool the construct (if, elif, while, assert, ternary, case, comprehension); for
    array the callee or operator ("jnp.mean", "@").  `subject` is the text of the value; `given` its kind ("list",
    "tuple", "comprehension", "generator", "shape"...); `parameter` the callee's parameter; `origin` where it comes
    from, if it is not there to see.
    """

    op: Op
    what: Literal["bool", "array"]
    form: str
    subject: str
    given: str
    parameter: str
    origin: str
    context: Context


@dataclass(frozen=True, slots=True)
class Effected:
    """A side effect in traced code.

    `effect`: "print", "log" or "warn"; `callee` its text; `carries`: "tracer" (an argument holds a traced value),
    "index" (the index of a traced loop), "text" (nothing traced, yet the function is traced and called `calls`
    times). `subject` is the text of the argument that is traced, or "".
    """

    op: Op
    effect: Literal["print", "log", "warn"]
    callee: str
    carries: Literal["tracer", "index", "text"]
    subject: str
    calls: int
    context: Context


Event: TypeAlias = Consumed | Stored | Demanded | Effected

ROLES = {"jitted": "jitted"}


def with_home(event: Event, home: str) -> Event:
    """An event that knows in which file it is read."""
    context = event.context
    if context.trace is None and not context.chain:
        return event
    return replace(event, context=replace(context, home=home))


def explain(context: Context) -> str:
    """Why a value is traced, hop by hop, outermost first; files are named where one of them is another than `home`.

    >>> step = Trace("t", "step", "lax.scan", "the body of", "a.py", 88)
    >>> explain(Context(step, (Hop("a.py", 12, "`step` calls `relu`"),), "a.py"))
    '`t` is traced: `step` is the body of `lax.scan` on line 88, `step` calls `relu` on line 12'
    """
    value = context.trace.value if context.trace is not None else ""
    subject = f"`{value}` is traced" if value else "arrays made here are traced"
    return f"{subject}: {standing(context)}"


def standing(context: Context) -> str:
    """How the traced function stands to its transform, and the calls from there on.

    >>> step = Trace("x", "step", "jax.jit", "jitted", "a.py", 3)
    >>> standing(Context(step, (Hop("a.py", 9, "`step` calls `relu`"),), "b.py"))
    '`step` is jitted on line 3 of `a.py`, `step` calls `relu` on line 9 of `a.py`'
    """
    trace = context.trace
    assert trace is not None
    several = any(path != context.home for path in (trace.path, *(hop.path for hop in context.chain)))
    function = "the lambda" if "<lambda>" in trace.function else f"`{trace.function}`"
    role = ROLES.get(trace.role, f"{trace.role} `{trace.transform}`")
    calls = "".join(f", {hop.text} {place(hop.path, hop.line, several)}" for hop in context.chain)
    return f"{function} is {role} {place(trace.path, trace.line, several)}{calls}"


def place(path: str, line: int, named: bool) -> str:
    """A line, with its file where that is not evident.

    >>> place("src/a.py", 3, True)
    'on line 3 of `src/a.py`'
    """
    return f"on line {line} of `{path}`" if named else f"on line {line}"
