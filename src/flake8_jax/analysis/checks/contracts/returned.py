"""What a function returns to the transform that calls it, where that is something else than must come back.

def body(c, x): return c + x            `lax.scan` wants a pair, of the carry and an output
def body(c, x): return x, (c, c)        of a carry that is a tuple: the two are swapped
def body(i, x): x + 1                   nothing comes back
def body(i, x):
    if skip: return x
    x = x + 1                           here the function ends, and nothing comes back
lambda x: x - 1                         `while_loop` wants a truth from its condition

What must come back its row says (`expects`).  Of a result some parts are known, and one that contradicts is enough;
other structures, dtypes and shapes are a matter of other checks.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from flake8_jax.analysis.callables import Arguments, FunctionValue, InstanceOf, underlying
from flake8_jax.analysis.checks.contracts.bodies import SignatureFault, SignatureMisfit, defined_at, named, written_for
from flake8_jax.analysis.checks.contracts.contract import MakesEvent, comparison_in, require
from flake8_jax.analysis.checks.contracts.structure import TypeComparison, node_of
from flake8_jax.analysis.checks.wording import callee_text
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.classes import ancestry
from flake8_jax.analysis.summaries.deferral import emit
from flake8_jax.api.transforms import Transform
from flake8_jax.domain.kinds import ARRAY, DICT, INPUT, INSTANCE, LEAVES, MAY_BE_ANYTHING, NUMBER, SEQUENCES, STATIC
from flake8_jax.domain.payload import ArrayDoubt
from flake8_jax.domain.provenance import Context
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import chains_of, searched_once
from flake8_jax.ir.ops import Body, Function, Op
from flake8_jax.ir.rewrite import ChangedOp, Quoted, Rewrite, unsafe
from flake8_jax.ir.walking import returns_in
from flake8_jax.lazy_dataclasses import dataclass, field, replace

DEMANDING_NOTHING = frozenset(("any", "unknown", "none", "static"))


def check_returned(
    frame: Frame, op: Op, transform: Transform, arms: list[tuple[int, Value, Value]], given: dict[str, Value],
    arguments: Arguments,
) -> None:  # fmt: skip
    """Report functions of a transform whose results are certainly not what must come back, by their kinds alone.

    Each of the `arms` is the number of a run, a function, and its result.
    """
    if frame.context.is_prepared:
        return
    if transform.stage != "host":
        for place, function, result in arms:
            _check(frame, op, transform, place, function, given, result, arguments)
    others = [result for _, _, result in arms if not is_none(result)] if transform.exclusive else []
    for place, function, result in arms if others else ():
        if is_none(result) and lacks_return(function):
            _require_something(frame, op, transform, place, function, result, arguments, *others)


def _check(
    frame: Frame, op: Op, transform: Transform, place: int, function: Value, given: dict[str, Value], result: Value,
    arguments: Arguments,
) -> None:  # fmt: skip
    expected = transform.expects[place] if place < len(transform.expects) else "any"
    if expected in DEMANDING_NOTHING:
        return
    found = underlying(function)
    if found is not None and (found.function.is_generator or found.function.is_async):
        return
    fault = _fault(expected, given, result, found, comparison_in(frame))
    ending = _open_end(found.function.body) if fault is None and found is not None else None
    if ending is not None and _returns_something(found):
        fault = "ends"
    if fault is not None:
        _report(frame, op, transform, place, function, result, arguments, fault, ending)
    else:
        _leave(frame, op, transform, place, function, given, result, arguments)


@dataclass(frozen=True, slots=True)
class SomethingContract:
    """The contract that a function returns a value where the transform needs one."""

    make: Callable[[], SignatureMisfit] = field(compare=False)

    def broken(self, values: tuple[Value, ...], comparison: TypeComparison) -> MakesEvent | None:
        """Is something due?"""
        if all(node_of(value) in (None, "none") for value in map(comparison.contents, values)):
            return None
        return lambda context: replace(self.make(), context=context)


@dataclass(frozen=True, slots=True)
class TruthContract:
    """A condition returns one bool."""

    make: Callable[[Value], SignatureMisfit] = field(compare=False)

    def broken(self, values: tuple[Value, ...], comparison: TypeComparison) -> MakesEvent | None:
        """Is the result certainly no single bool?"""
        (result,) = map(comparison.contents, values)
        return (lambda context: replace(self.make(result), context=context)) if _is_no_truth(result) else None


def _leave(
    frame: Frame, op: Op, transform: Transform, place: int, function: Value, given: dict[str, Value], result: Value,
    arguments: Arguments,
) -> None:  # fmt: skip
    """Leave the check of a result to the callers, where their arguments decide it."""
    expected = transform.expects[place]
    written = written_for(op, transform, transform.runs[place], function, arguments)
    initial = given.get(expected)
    if expected == "bool":
        at = _place(frame, "truth", function, written)
        tell = partial(_event, op, at, transform, expected, "truth", function, written)
        require(frame, at, TruthContract(tell), result)
    elif initial is not None and initial.kind is INPUT and is_none(result) and lacks_return(function):
        _require_something(frame, op, transform, place, function, result, arguments, initial)


def _require_something(
    frame: Frame, op: Op, transform: Transform, place: int, function: Value, result: Value, arguments: Arguments,
    *due: Value,
) -> None:  # fmt: skip
    """Report a function that returns nothing where something is due, as far as it is known here."""
    written = written_for(op, transform, transform.runs[place], function, arguments)
    at = _place(frame, "nothing", function, written)
    make = partial(_event, op, at, transform, transform.expects[place], "nothing", function, written, result)
    require(frame, at, SomethingContract(make), *due)


def _report(
    frame: Frame, op: Op, transform: Transform, place: int, function: Value, result: Value, arguments: Arguments,
    fault: SignatureFault, ending: Op | None,
) -> None:  # fmt: skip
    written = written_for(op, transform, transform.runs[place], function, arguments)
    at = ending or _place(frame, fault, function, written)
    expected = transform.expects[place]
    make = partial(_event, op, at, transform, expected, fault, function, written, result)
    emit(frame, (SignatureMisfit, at, fault), make)


def _fault(
    expected: str, given: dict[str, Value], result: Value, function: FunctionValue | None, comparison: TypeComparison
) -> SignatureFault | None:
    """What is certainly wrong with a result."""
    parts = _parts(expected)
    if is_none(result):
        is_refused = parts or (function is not None and _is_bare(function) and not _may_be_none(expected, given))
        return "nothing" if is_refused else None
    if parts:
        size = _size(result)
        if size is None or size == len(parts):
            carry = given.get(parts[0]) if parts[1:] == ["any"] else None
            return "swapped" if carry is not None and is_swapped(comparison, carry, result) else None
        return "single" if size < 0 else "length"
    return "truth" if expected == "bool" and _is_no_truth(result) else None


def _parts(expected: str) -> list[str]:
    """The parts of a tuple that must come back."""
    return [part.strip() for part in expected.strip("()").split(",")] if expected.startswith("(") else []


def lacks_return(function: Value) -> bool:
    """Does a function return nothing, whatever it computes?  That is reported here, and nowhere else."""
    found = underlying(function)
    return found is not None and _is_bare(found)


def _is_bare(function: FunctionValue) -> bool:
    return function.function.kind == "def" and all(one.value is None for one in returns_of(function.function))


def is_none(value: Value) -> bool:
    """Is it certainly None?"""
    return value.kind is STATIC and value.constant is None


def _may_be_none(expected: str, given: dict[str, Value]) -> bool:
    """May None come back?  Where it becomes what the parameter was, that may be None itself."""
    if expected in ("bool", "scalar", "number", "array"):
        return False
    held = given.get(expected)
    return held is None or held.kind in MAY_BE_ANYTHING or is_none(held)


def _size(value: Value) -> int | None:
    """Into how many parts a result falls that must be a tuple: -1 for none, None where that is not known."""
    if value.kind in LEAVES or (value.kind is STATIC and isinstance(value.constant, (bool, str))):
        return -1
    if value.kind in SEQUENCES and value.elements is not None and value.form == "":
        return len(value.elements)
    if value.kind is DICT:
        return -1
    payload = value.payload
    if value.kind is INSTANCE and isinstance(payload, InstanceOf) and payload.owner.is_tuple:
        return len({name for ancestor in ancestry(payload.owner) for name in ancestor.annotations})
    return None


def is_swapped(comparison: TypeComparison, carry: Value, result: Value) -> bool:
    """Does a body return the carry second?  That is reported here, and nowhere else."""
    elements = result.elements
    if elements is None or len(elements) != 2:
        return False
    found = comparison.difference(carry, elements[0], promotes=True)
    return found is not None and found.aspect != "dtype" and comparison.are_alike(carry, elements[1])


def _is_no_truth(value: Value) -> bool:
    """Is it certainly no single bool?"""
    if value.kind in SEQUENCES or value.kind is DICT:
        return True
    if value.kind is NUMBER or (value.kind is STATIC and isinstance(value.constant, str)):
        return True
    is_array = value.kind is ARRAY and type(value.payload) is not ArrayDoubt
    is_other = is_array and isinstance(value.dtype, str) and value.dtype != "bool"
    return is_other or (is_array and value.shape is not None and value.shape != ())


@searched_once
def returns_of(function: Function) -> tuple[ops.Leave, ...]:
    """The returns of a function, in order."""
    return tuple(returns_in(function.body))


def _open_end(body: Body) -> Op | None:
    """The assignment with which a body ends, so that what it computed is lost; None where it does not end so."""
    last = body[-1] if body and ops.Leave not in map(type, body) else None
    if type(last) is ops.Store and last.kind in ("assign", "augment") and type(last.targets[0]) is ops.Name:
        return last
    if type(last) is ops.Branch and not last.orelse and last.kind == "if" and _is_only_return(body, last):
        return last
    if type(last) is ops.Branch:
        return _open_end(last.orelse) or _open_end(last.body)
    return _open_end(last.body) if type(last) is ops.With else None


def _is_only_return(body: Body, last: ops.Branch) -> bool:
    """Is the only return of a body in the branch with which it ends?"""
    return sum(1 for _ in returns_in(body)) == 1 and any(True for _ in returns_in(last.body))


def _returns_something(function: FunctionValue | None) -> bool:
    """Does a function return a value on some path?"""
    return function is not None and any(
        one.value is not None and not (type(one.value) is ops.Const and one.value.value is None)
        for one in returns_of(function.function)
    )


def _place(frame: Frame, fault: SignatureFault, function: Value, written: Op) -> Op:
    """The return that is wrong, or the definition of a function without one; what is written for other functions."""
    found = function.payload
    if not isinstance(found, FunctionValue):
        return written
    returned = [one for one in returns_of(found.function) if one.value is not None]
    if not returned:
        return defined_at(function) or written
    if found.function.kind == "lambda" or found.function.anchor.origin.path != frame.namespace.file.path:
        return written if found.function.kind != "lambda" else defined_at(function) or written
    pairs = [one for one in returned if type(one.value) is ops.Build and one.value.kind == "tuple"]
    others = [one for one in returned if one not in pairs]
    return others[0] if fault == "single" and others else returned[0]


def _event(
    op: Op, at: Op, transform: Transform, expected: str, fault: SignatureFault, function: Value, written: Op,
    result: Value,
) -> SignatureMisfit:  # fmt: skip
    shared = _shared_name(function) if fault == "single" else ""
    rewrite = _repaired(fault, function) if not shared else None
    instead = f"use `{rewrite.changes[0].text}`" if rewrite is not None else _words(fault, expected)
    if shared and _parts(expected)[1:] == ["any"]:
        instead = f"as `{shared}` is used elsewhere, too, pass `lambda carry, x: ({shared}(carry, x), None)`"
    return SignatureMisfit(
        at, fault, callee_text(op, transform.name), named(function, written), _returned(fault, result),
        _wanted(expected), instead, Context(), rewrite,
    )  # fmt: skip


def _shared_name(function: Value) -> str:
    """The name of a function that is read in several places, which all get what it returns."""
    found = underlying(function)
    if found is None or found.function.kind != "def" or found.owner is not None:
        return ""
    name, chains = found.function.name, chains_of(found.frame.function)
    stores = {target for target, _ in chains.stored_to(name)}
    reads = [one for one in chains.names.get(name, ()) if one not in stores]
    return name if len(reads) + any(map(chains.is_captured, reads)) > 1 else ""


def _words(fault: SignatureFault, expected: str) -> str:
    """What to write, in words."""
    if fault in ("nothing", "ends"):
        return "return the new value" if not _parts(expected) else "return the pair"
    if fault == "truth":
        return "return one comparison, or `jnp.any(...)` or `jnp.all(...)` of several"
    if fault == "length":
        return "return two values, or put what belongs together into one tuple"
    return "return the carry and an output, as in `return carry, None`"


def _wanted(expected: str) -> str:
    """What must come back, in words."""
    parts = _parts(expected)
    if len(parts) == 2 and parts[1] == "any":
        return "a pair of the new carry and an output"
    if parts:
        return f"a tuple of {len(parts)}"
    return {"bool": "one bool", "same": "what the other function returns"}.get(expected, "the next carry")


def _returned(fault: SignatureFault, result: Value) -> str:
    """What comes back, in words."""
    if fault == "length":
        return f"{_size(result)} values"
    if fault != "truth":
        return "one value"
    if result.kind in SEQUENCES or result.kind is DICT:
        return f"a {result.kind.value}"
    if result.shape:
        return f"an array of shape {result.shape}"
    return f"a {result.dtype}" if result.dtype is not None else "a number"


def _repaired(fault: SignatureFault, function: Value) -> Rewrite | None:
    """The return with the parts in the other order, or with no output beside the carry."""
    found = function.payload
    if not isinstance(found, FunctionValue):
        return None
    returned = [one.value for one in returns_of(found.function) if one.value is not None]
    if len(returned) != 1 or fault not in ("single", "swapped"):
        return None
    (value,), is_lambda = returned, found.function.kind == "lambda"
    begin, end = ("(", ")") if is_lambda else ("", "")
    if fault == "single":
        return unsafe(Rewrite((ChangedOp(value, (begin, Quoted(value, 60), f", None{end}")),)))
    if type(value) is not ops.Build or value.kind != "tuple" or len(value.parts) != 2:
        return None
    first, second = value.parts
    return Rewrite((ChangedOp(value, (begin, Quoted(second, 60), ", ", Quoted(first, 60), end)),))
