"""What to write instead of operands that a loop or branch of JAX refuses."""

from __future__ import annotations

from flake8_jax.analysis.callables import Arguments
from flake8_jax.analysis.checks.contracts.judging import OperandFault
from flake8_jax.analysis.checks.contracts.nouns import is_function
from flake8_jax.analysis.checks.naming import imported_as, scope_of
from flake8_jax.analysis.isolation import ADVICE, advising
from flake8_jax.api.transforms import Transform
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.rewrite import ChangedOp, Piece, Quoted, Rewrite, unsafe

WORDS = {
    "nothing": "pass `xs`, or `length` as the number of turns",
    "unequal": "pass leaves of one length",
    "length": "pass `length` only where it agrees with `xs`",
    "no rows": "pass an array with a leading axis, or `length` as the number of turns",
    "not whole": "pass an integer",
    "no list": "pass the branches as one list",
    "empty": "pass at least one branch",
    "types": "pass integers for both bounds",
}


@advising(ADVICE, ("", "", None))
def repaired(
    place: Op, call: Op, transform: Transform, fault: OperandFault, arguments: Arguments | None
) -> tuple[str, str, Rewrite | None]:
    """What to write, the same in words, and the changes that write it, if these are certain."""
    words = WORDS.get(fault.form, "")
    if fault.form == "no rows" and transform.parameter_named("length") is None:
        words = "pass an array with a leading axis"
    if fault.form == "axes":
        words = _one_truth(place) if fault.parameter == "pred" else f"pass a scalar for `{fault.parameter}`"
    elif fault.form == "none":
        words = f"pass a scalar for `{fault.parameter}`"
    elif fault.form == "noun":
        is_called = fault.explanation == "a function" and fault.parameter == "pred"
        words = f"pass what `{phrase(place)}` returns" if is_called else f"pass a scalar for `{fault.parameter}`"
        words = "pass an array with a leading axis" if fault.parameter == "xs" else words
    rewrite = _rewritten(place, call, fault, arguments)
    if rewrite is None:
        return words, words, None
    return f"use `{rewrite.changes[0].text}`", words, rewrite


def _one_truth(place: Op) -> str:
    scope = scope_of(place)
    every, some = (f"`{imported_as(scope, f'jax.numpy.{name}')}({phrase(place)})`" for name in ("all", "any"))
    return f"use {every} or {some}, or `{imported_as(scope, 'jax.numpy.where')}` to choose for each element"


def _rewritten(place: Op, call: Op, fault: OperandFault, arguments: Arguments | None) -> Rewrite | None:
    if fault.form == "no list" and arguments is not None and type(call) is ops.Call:
        return _listed(call, arguments)
    if fault.form == "types" and fault.other == "an integer":
        if type(place) is ops.Const and type(place.value) is float and place.value.is_integer():
            return Rewrite((ChangedOp(place, (str(int(place.value)),)),))
        if type(place) is ops.Operate and place.operator == "/" and len(place.operands) == 2:
            left, right = place.operands
            if all(type(one) in (ops.Name, ops.Attr, ops.Item, ops.Const, ops.Call) for one in (left, right)):
                return unsafe(Rewrite((ChangedOp(place, (Quoted(left), " // ", Quoted(right))),)))
    return None


def _listed(call: ops.Call, arguments: Arguments) -> Rewrite | None:
    """The call with the functions behind its index in one list."""
    values = arguments.positional
    if len(call.args) != len(values) or len(values) < 2 or not is_function(values[1]):
        return None
    end = 1
    while end < len(values) and is_function(values[end]):
        end += 1
    pieces: list[Piece] = [Quoted(call.func), "(", Quoted(call.args[0]), ", ["]
    for number, one in enumerate(call.args[1:end]):
        pieces += [", " if number else "", Quoted(one, 60)]
    pieces.append("]")
    for one in call.args[end:]:
        pieces += [", ", Quoted(one, 60)]
    for key, argument in call.keywords:
        pieces += [f", {key}=" if key is not None else ", **", Quoted(argument, 60)]
    return Rewrite((ChangedOp(call, (*pieces, ")")),))
