"""Rules for derivatives that are not whole: missing, of another signature, or without what JAX wants back.

@jax.custom_vjp
def scaled(x, k): return x * k
scaled(1.0, 2.0)                            without `defvjp`, each call raises

scaled.defvjp(forward, backward)
def forward(x, k): return x * k             a pair is wanted: the result, and what the backward pass needs
def backward(kept, g): return g * kept      a tuple of two is wanted, one for each argument of `scaled`

A rule may be stated in another file: that it is missing holds where no file that imports the function states one.
"""

from __future__ import annotations

from functools import partial
from typing import Literal, TypeAlias

from flake8_jax.analysis.callables import EVERYTHING, Arguments, FunctionValue, Wrapped, underlying
from flake8_jax.analysis.checks.contracts.returned import is_none
from flake8_jax.analysis.evaluator import summary_of
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.signatures import signature_of
from flake8_jax.analysis.objects.stated_rules import DEFINERS, STATING, rule_of
from flake8_jax.analysis.summaries.deferral import emit
from flake8_jax.domain.conditions import is_left_out
from flake8_jax.domain.dtypes import has_number
from flake8_jax.domain.kinds import ARRAY, COMPUTED, DICT, FUNCTION, NUMBER, SEQUENCES
from flake8_jax.domain.payload import ArrayDoubt
from flake8_jax.domain.provenance import Context
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import chains_of
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.rewrite import ChangedOp, Quoted, Rewrite
from flake8_jax.ir.walking import returns_in
from flake8_jax.lazy_dataclasses import dataclass

RuleFault: TypeAlias = Literal["missing", "arguments", "forward", "backward", "tangents", "numbers"]
RulePart: TypeAlias = Literal["forward", "backward", "derivative"]

OF_NUMBERS = frozenset(("*", "/", "-", "**", "@"))
"""Operators whose result is no tuple in a rule."""

WHOLE = 400


@dataclass(frozen=True, slots=True)
class RuleIncomplete:
    """A rule for the derivative of `function` is missing, or is not what JAX wants.

    `by` is the method that states it, `rule` the function that is it, with `wanted` arguments, or results, where it has
    `given`.  `rewrite` makes it right.  `bound` is the name of what `jax.custom_vjp` or its like made of the function,
    if that is known.
    """

    op: Op
    fault: RuleFault
    function: str
    by: str
    rule: str
    wanted: str
    given: str
    context: Context
    rewrite: Rewrite | None = None
    bound: str = ""


def check_called(frame: Frame, op: Op, wrapped: Wrapped) -> None:
    """Look at a call of a function that states its derivative by a rule."""
    by, found = STATING.get(wrapped.applied.transform.name), underlying(wrapped.callee)
    if by is None or wrapped.rules or found is None or frame.is_expected:
        return
    if _is_stated_at_home(found, frame.namespace.path):
        return
    name, bound, nowhere = found.function.name, _bound(frame, wrapped), Context(None, ())
    make = partial(RuleIncomplete, op, "missing", name, by, "", "", "", nowhere, bound=bound)
    emit(frame, (RuleIncomplete, op, ()), make, ground=rule_of(found))


def _bound(frame: Frame, wrapped: Wrapped) -> str:
    """The name of what a transform made of a function, in the code around; "" if it has none there."""
    call = wrapped.applied.op
    for around in frame.outwards():
        store = chains_of(around.function).parents.get(call) if call is not None else None
        target = store.targets[0] if type(store) is ops.Store and len(store.targets) == 1 else None
        if type(target) is ops.Name:
            return target.name
    return ""


def _is_stated_at_home(found: FunctionValue, asking: str) -> bool:
    """Does the text of the file of a function state a rule for it?  One that is imported alone is not run for it."""
    origin = found.function.anchor.origin
    is_foreign = origin.shown != asking and origin.finds(DEFINERS, "")
    return is_foreign or origin.finds(DEFINERS, rf"\b{found.function.name}\s*\.\s*def[vj][vj]ps?\b")


def check_stated(frame: Frame, op: Op, wrapped: Wrapped, name: str, arguments: Arguments) -> None:
    """Look at the functions that a method states as rules."""
    found = underlying(wrapped.callee)
    if found is None or wrapped.callee.payload is not found or frame.context.is_prepared or arguments.is_open:
        return
    if is_left_out(frame.live().path):
        return
    parameters, static = found.function.parameters, wrapped.applied.static_numbers
    is_open = any(one.kind in ("varargs", "varkw") for one in parameters)
    if is_open or static >= EVERYTHING or found.imitates is not None:
        return
    count = len(parameters)
    if static and max(static) >= count:
        _emit(frame, wrapped.applied.op or op, "numbers", found, name, "", str(count), str(max(static)))
        return
    fixed = len(static)
    parts: dict[str, tuple[tuple[str, str, int, int | None], ...]] = {
        "defvjp": (("fwd", "forward", count, 2), ("bwd", "backward", fixed + 2, count - fixed)),
        "defjvp": (("jvp", "tangents", fixed + 2, 2),),
    }
    for place, (parameter, part, takes, gives) in enumerate(parts.get(name, ())):
        rule = arguments.get(place, parameter)
        written = arguments.written(place, parameter)
        if rule is not None:
            _check_rule(frame, written or op, found, name, rule, (part, takes, gives))


def _check_rule(
    frame: Frame, at: Op, found: FunctionValue, name: str, rule: Value, wanted: tuple[str, int, int | None]
) -> None:
    part, takes, gives = wanted
    signature = signature_of(frame.program.table, rule)
    shown = underlying(rule)
    text = shown.function.name if shown is not None else phrase(at)
    if signature is not None and signature.refusal(takes) is not None:
        given = str(len(signature.positional))
        _emit(frame, at, "arguments", found, name, text, str(takes), given)
        return
    if rule.kind is not FUNCTION or not isinstance(rule.payload, FunctionValue):
        return
    summary = summary_of(frame.program, rule.payload)
    result = summary.returns
    given_back = _wrong(result, gives) if result is not None else None
    if given_back is None and part == "backward" and result is not None and _is_cotangent(rule.payload, result):
        primal = summary_of(frame.program, found).returns
        given_back = "an array" if primal is not None and _wrong(primal, None) == "an array" else None
    if given_back is None:
        return
    returned = _returned_by(rule.payload)
    rewrite = _as_tuple(returned) if part == "backward" and gives == 1 and given_back == "an array" else None
    _emit(frame, returned or at, part, found, name, text, str(gives), given_back, rewrite)  # type: ignore[arg-type]


def _is_cotangent(rule: FunctionValue, result: Value) -> bool:
    """Does a backward pass give back the gradient as it comes?  That is made as what the function gives is."""
    parameters = rule.function.parameters
    source = result.input
    return bool(parameters) and source is not None and source.parent is None and source.name == parameters[-1].name


def _wrong(result: Value, count: int | None) -> str | None:
    """What a function certainly returns instead of a tuple of this length, in words; None if it may be right."""
    if result.kind in SEQUENCES and result.elements is not None and result.form == "":
        return _parts(len(result.elements)) if len(result.elements) != count else None
    if is_none(result):
        return "nothing"
    if result.kind is DICT:
        return "a dict"
    is_array = result.kind is NUMBER or (result.kind is ARRAY and type(result.payload) is not ArrayDoubt)
    made = result.made_by
    is_arithmetic = has_number(result.dtype) if type(made) is not ops.Operate else made.operator in OF_NUMBERS
    is_number = result.kind is COMPUTED and is_arithmetic
    return "an array" if is_array or is_number else None


def _parts(count: int) -> str:
    return "one part" if count == 1 else f"{count} parts"


def _returned_by(rule: FunctionValue) -> Op | None:
    """What a function returns, where it does so once."""
    body = rule.function.body
    if rule.function.kind == "lambda" and len(body) == 1:
        last = body[0]
        return last.value if type(last) is ops.Leave else last
    returns = [one.value for one in returns_in(body) if one.value is not None]
    return returns[0] if len(returns) == 1 else None


def _as_tuple(returned: Op | None) -> Rewrite | None:
    return Rewrite((ChangedOp(returned, ("(", Quoted(returned, WHOLE), ",)")),)) if returned is not None else None


def _emit(
    frame: Frame, at: Op, fault: RuleFault, found: FunctionValue, by: str, rule: str, wanted: str, given: str,
    rewrite: Rewrite | None = None,
) -> None:  # fmt: skip
    function, context = found.function.name, Context(None, ())
    make = partial(RuleIncomplete, at, fault, function, by, rule, wanted, given, context, rewrite)
    emit(frame, (RuleIncomplete, at, fault), make)
