"""What to write instead of asking a tracer for its truth, in the user's own names where these are evident.

if x > 0: x = x - 1     use `x = jnp.where(x > 0, x - 1, x)`
while err > tol:        use `jax.lax.while_loop`
x > 0 and y > 0         use `(x > 0) & (y > 0)`
"""

from __future__ import annotations

from flake8_jax.analysis.checks.naming import imported_as, imported_name, scope_of
from flake8_jax.analysis.isolation import ADVICE, advising
from flake8_jax.domain.provenance import Context
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Body, Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.scope import Scope

LONGEST = 80
MAXIMUM_GIVEN = 4
"""How many arguments of a call are shown."""

ARITHMETIC = frozenset(("+", "-", "*", "/", "//", "%", "**", "@"))
EQUAL = frozenset((("==",), ("!=",), ("in",), ("not in",)))
NUMERIC = ("jax.numpy.", "jax.lax.", "jax.nn.")
LIBRARY = {
    "min": "jax.numpy.min", "max": "jax.numpy.max", "any": "jax.numpy.any", "all": "jax.numpy.all",
    "sorted": "jax.numpy.sort",
}  # fmt: skip
"""What JAX has for functions of Python."""

OF_ORDER = {
    "bisect": "jax.numpy.searchsorted", "bisect_left": "jax.numpy.searchsorted",
    "bisect_right": "jax.numpy.searchsorted", "nlargest": "jax.lax.top_k", "nsmallest": "jax.numpy.sort",
}  # fmt: skip
"""What does in JAX what functions of `bisect` and `heapq` do."""


def _checked(scope: Scope | None) -> str:
    """What an `assert` becomes: a check of JAX, which wants the traced function to be transformed for it."""
    check = imported_as(scope, "jax.experimental.checkify.check")
    return f"use `{check}` below a `checkify.checkify`, or ask before tracing"


@advising(ADVICE, "")
def instead_of_truth(op: Op, construct: Op, form: str, context: Context) -> str:
    """What to write in place of a construct that asks for the truth of `op`."""
    scope = scope_of(op) or scope_of(construct)
    test = phrase(op)
    match construct:
        case ops.Branch(kind="assert"):
            return _checked(scope)
        case ops.Loop():
            return f"use `{imported_as(scope, 'jax.lax.while_loop')}`"
        case ops.Logic(operator=sign, operands=operands):
            return _combined(sign, operands, imported_as(scope, f"jax.numpy.logical_{sign}"))
        case ops.Operate(operator="not"):
            return f"use `{imported_as(scope, 'jax.numpy.logical_not')}({test})`"
        case ops.Compare(operators=operators, operands=operands) if form == "chain":
            pairs = [f"({phrase(a)} {sign} {phrase(b)})" for a, sign, b in zip(operands, operators, operands[1:])]
            return f"use `{' & '.join(pairs)}`"
        case ops.Compare(operands=(element, sequence)):
            return f"use `{imported_as(scope, 'jax.numpy.isin')}({phrase(element)}, {phrase(sequence)})`"
        case ops.Call() if form in LIBRARY:
            given = _given(_sources(construct))
            return f"use `{imported_as(scope, LIBRARY[form] + _pairwise(form, construct))}({given})`"
        case ops.Call(func=func) if form == "in":
            name = imported_name(func).rpartition(".")[2]
            if name in OF_ORDER:
                return f"use `{imported_as(scope, OF_ORDER[name])}`"
            return f"use `{imported_as(scope, 'jax.numpy.isin')}` or `{imported_as(scope, 'jax.numpy.argmax')}`"
        case ops.Call():
            return f"use `{imported_as(scope, 'jax.numpy.asarray')}({test}, bool)`"
        case ops.Gather():
            return f"use `{imported_as(scope, 'jax.numpy.where')}`, and keep all elements"
        case ops.Matches():
            cond, switch = (imported_as(scope, f"jax.lax.{name}") for name in ("cond", "switch"))
            return f"use `{cond}` for each `case`, or `{switch}` if they count from 0"
    return _branched(op, construct, context)


def _sources(call: ops.Call) -> tuple[Op, ...]:
    """What a function compares the elements of; a method, those of its object."""
    return call.args or ((call.func.base,) if type(call.func) is ops.Attr else ())


def _given(sources: tuple[Op, ...]) -> str:
    if len(sources) > MAXIMUM_GIVEN:
        return "..."
    return ", ".join(phrase(source.value if type(source) is ops.Star else source) for source in sources)


def _pairwise(form: str, call: ops.Call) -> str:
    return "imum" if form in ("min", "max") and len(call.args) > 1 else ""


def _combined(sign: str, operands: tuple[Op, ...], function: str) -> str:
    """`and` and `or` of arrays; `&` binds comparisons and booleans only."""
    if all(type(operand) is ops.Compare for operand in operands):
        joined = (" & " if sign == "and" else " | ").join(f"({phrase(operand)})" for operand in operands)
        return f"use `{joined}`"
    if len(operands) == 2:
        return f"use `{function}({phrase(operands[0])}, {phrase(operands[1])})`"
    return f"use `{function}`"


def _branched(op: Op, construct: Op, context: Context) -> str:
    scope = scope_of(op) or scope_of(construct)
    where, cond = imported_as(scope, "jax.numpy.where"), imported_as(scope, "jax.lax.cond")
    if isinstance(construct, ops.Branch) and _raises(construct.body):
        return _checked(scope)
    found = _selected(op, construct, where)
    if found and len(found) <= LONGEST:
        return f"use `{found}`"
    static = _static_name(op, context)
    if static:
        return f'use `{cond}`, or name it static: `static_argnames=("{static}",)`'
    return f"use `{cond}` or `{where}`"


def _raises(body: Body) -> bool:
    return any(isinstance(op, ops.Leave) and op.kind == "raise" for op in body)


def _selected(op: Op, construct: Op, where: str) -> str:
    """The expression or statement that selects between two arrays, where both ways only compute a number."""
    if isinstance(construct, ops.Choose) and construct.test is op:
        return _where(where, op, phrase(construct.body), phrase(construct.orelse), construct.body, construct.orelse)
    if not isinstance(construct, ops.Branch) or construct.test is not op or len(construct.body) != 1:
        return ""
    then, otherwise = construct.body[0], construct.orelse[0] if len(construct.orelse) == 1 else None
    if isinstance(then, ops.Leave) and isinstance(otherwise, ops.Leave):
        if then.kind != "return" or otherwise.kind != "return" or then.value is None or otherwise.value is None:
            return ""
        one, other = then.value, otherwise.value
        found = _where(where, op, phrase(one), phrase(other), one, other)
        return f"return {found}" if found else ""
    target, value, text = _stored(then)
    if target is None or value is None or (construct.orelse and otherwise is None):
        return ""
    if otherwise is None:
        found = _where(where, op, text, target, value, None)
    else:
        same, other_value, other_text = _stored(otherwise)
        if same != target or other_value is None:
            return ""
        found = _where(where, op, text, other_text, value, other_value)
    return f"{target} = {found}" if found else ""


def _stored(op: Op) -> tuple[str | None, Op | None, str]:
    """The name that a statement binds, the value, and its text."""
    if not isinstance(op, ops.Store) or len(op.targets) != 1 or op.value is None or op.annotation is not None:
        return None, None, ""
    target = op.targets[0]
    if not isinstance(target, ops.Name) or op.kind not in ("assign", "augment"):
        return None, None, ""
    if isinstance(op.value, ops.Operate) and op.value.in_place:
        left, right = op.value.operands
        return target.name, op.value, f"{phrase(left)} {op.value.operator} {phrase(right)}"
    return target.name, op.value, phrase(op.value)


def _where(where: str, test: Op, one_text: str, other_text: str, one: Op, other: Op | None) -> str:
    """`jnp.where` of two values, of which at least one is evidently a number and the other may be."""
    if not any(_is_number(value) for value in (one, other)) or not all(_may_be(value) for value in (one, other)):
        return ""
    return f"{where}({phrase(test)}, {one_text}, {other_text})"


def _is_number(op: Op | None) -> bool:
    match op:
        case ops.Const(value=value):
            return type(value) in (int, float)
        case ops.Operate(operator=sign):
            return sign in ARITHMETIC or (sign == "-" and _is_number(op.operands[0]))
        case ops.Call(func=func):
            return imported_name(func).startswith(NUMERIC)
    return False


def _may_be(op: Op | None) -> bool:
    return op is None or type(op) in (ops.Name, ops.Attr, ops.Item) or _is_number(op)


def _static_name(op: Op, context: Context) -> str:
    """The parameter of the jitted function itself that is a flag, if that is what is asked."""
    trace = context.trace
    if trace is None or context.chain or trace.role != "jitted" or "filter" in trace.transform:
        return ""
    while isinstance(op, ops.Operate) and op.operator == "not":
        op = op.operands[0]
    if isinstance(op, ops.Compare) and op.operators in EQUAL and isinstance(op.operands[1], (ops.Const, ops.Build)):
        op = op.operands[0]
    is_argument = type(op) is ops.Name and op.name == trace.value and not op.scope.lookup(op.name).is_rebound
    return trace.value if is_argument else ""
