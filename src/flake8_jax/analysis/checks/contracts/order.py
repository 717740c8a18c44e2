"""DemandedOperands in the wrong order, which their values show.

lax.scan(step, xs, 0.0)                     the start has rows, and what it goes over has none
lax.while_loop(body, cond, x)               the first function returns no truth, and the second one does
"""

from __future__ import annotations

from flake8_jax.analysis.callables import Arguments, underlying
from flake8_jax.analysis.checks.contracts.callees import FunctionDue, order_text
from flake8_jax.analysis.checks.contracts.places import written
from flake8_jax.analysis.checks.contracts.seen import SeenLeaf, leaves_of
from flake8_jax.analysis.checks.wording import callee_text
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.summaries.deferral import emit
from flake8_jax.api.transforms import Transform
from flake8_jax.domain.provenance import Context
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.rewrite import ChangedOp, Piece, Quoted, Rewrite, unsafe

ARITHMETIC = frozenset(("+", "-", "*", "/", "//", "%", "**"))


def check_rows(frame: Frame, op: Op, transform: Transform, arguments: Arguments, given: dict[str, Value]) -> bool:
    """Report a scalar to go over beside another operand that has rows; was it reported?"""
    walked = next((one.parameters[0] for one in transform.demands if one.word == "rows"), "")
    functions = {name for one in transform.demands if one.word == "function" for name in one.parameters}
    others = [name for name in given if name != walked and name not in functions]
    if walked not in given or not _is_scalar(frame, given[walked]):
        return False
    held = frame.live().contents
    other = next((name for name in others if any(one.shape for one in leaves_of(given[name], held))), None)
    if other is None:
        return False
    _report(frame, op, transform, arguments, (walked, other), "a scalar", f"goes over the rows of `{walked}`")
    return True


def check_truth(
    frame: Frame, op: Op, transform: Transform, arguments: Arguments, given: dict[str, Value], results: dict[str, Value]
) -> bool:
    """Report a loop whose condition and body are exchanged, by what they return; was it reported?"""
    for place, expected in enumerate(transform.expects):
        condition = transform.runs[place]
        if expected != "bool" or frame.context.is_prepared or condition.function not in results:
            continue
        for other in transform.runs:
            alike = other.arguments == condition.arguments and other.function != condition.function
            asked, made = results[condition.function], results.get(other.function)
            if not alike or made is None or not _is_bool(frame, made):
                continue
            if _is_no_bool(frame, asked) or _gives_number(given[condition.function]):
                names = (condition.function, other.function)
                due = f"wants a truth from `{condition.function}`"
                _report(frame, op, transform, arguments, names, "a function that gives no bool", due)
                return True
    return False


def _report(
    frame: Frame, op: Op, transform: Transform, arguments: Arguments, names: tuple[str, str], given: str, due: str
) -> None:
    first, second = (written(transform, arguments, name) for name in names)
    place = first or op

    def make() -> FunctionDue:
        rewrite = _exchanged(op, first, second)
        instead = f"use `{rewrite.changes[0].text}`" if rewrite is not None else ""
        instead = instead or f"keep the order `{order_text(transform, arguments)}`"
        return FunctionDue(
            place, "order", phrase(place), given, "", callee_text(op, transform.name), due, None, instead, Context(),
            unsafe(rewrite), order_text(transform, arguments),
        )  # fmt: skip

    emit(frame, (FunctionDue, place, names[0]), make)


def _exchanged(op: Op, first: Op | None, second: Op | None) -> Rewrite | None:
    if type(op) is not ops.Call or first is None or second is None or first not in op.args or second not in op.args:
        return None
    exchanged = {id(first): second, id(second): first}
    pieces: list[Piece] = [Quoted(op.func), "("]
    for number, one in enumerate(op.args):
        pieces += [", " if number else "", Quoted(exchanged.get(id(one), one), 60)]
    for key, argument in op.keywords:
        pieces += [f", {key}=" if key is not None else ", **", Quoted(argument, 60)]
    return Rewrite((ChangedOp(op, (*pieces, ")")),))


def _only(frame: Frame, value: Value) -> SeenLeaf | None:
    leaves = list(leaves_of(value, frame.live().contents if frame.state is not None else None))
    return leaves[0] if len(leaves) == 1 else None


def _is_scalar(frame: Frame, value: Value) -> bool:
    one = _only(frame, value)
    return one is not None and one.shape == () and one.depth == 0


def _is_bool(frame: Frame, value: Value) -> bool:
    one = _only(frame, value)
    return one is not None and one.sort == "bool" and one.depth == 0


def _is_no_bool(frame: Frame, value: Value) -> bool:
    one = _only(frame, value)
    return one is None or one.depth > 0 or one.sort in ("int", "float", "complex")


def _gives_number(function: Value) -> bool:
    """Does a function return the result of arithmetic with a number?"""
    found = underlying(function)
    last = found.function.body[-1] if found is not None and found.function.body else None
    returned = last.value if type(last) is ops.Leave and last.kind == "return" else None
    if type(returned) is not ops.Operate or returned.operator not in ARITHMETIC:
        return False
    return any(type(part) is ops.Const and type(part.value) in (int, float) for part in returned.operands)
