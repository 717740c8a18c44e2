"""Options of a transform: which arguments are static, mapped or differentiated.

`static_argnums` counts the parameters that a caller sees: not self of a bound method, not those bound by a partial.
Numbers and names imply each other, as in JAX.  Options that are not literals leave every argument undecided: nothing is
traced.
"""

from __future__ import annotations

from flake8_jax.analysis.callables import EVERYTHING, Applied, Wrapped, visible_names
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.literals import literals
from flake8_jax.api.transforms import Transform
from flake8_jax.domain.constants import OPEN
from flake8_jax.domain.kinds import API, MAY_BE_ANYTHING, NUMBER, STATIC
from flake8_jax.domain.value import Value
from flake8_jax.ir.ops import Call, Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.lazy_dataclasses import replace

ARGNUMS = "argnums"
NONDIFF = ("nondiff_argnums", "nondiff_argnames")
DONATING = ("donate_argnums", "donate_argnames")
DONATING_ALL = {"all": 0, "warn": 0, "all-except-first": 1, "warn-except-first": 1}
"""What `donate` of Equinox says, with the place of the first argument that is donated."""

LENIENT = ("allow_int", "holomorphic")
IN_AXES, OUT_AXES = "in_axes", "out_axes"

HAS_AUX = "has_aux"


def options_of(frame: Frame, op: Op, function: Value, transform: Transform, given: dict[str, Value]) -> Applied:
    """The transform with its options at one place."""
    names = visible_names(function) or _names_of_row(frame, function)
    numbers: set[int] = set()
    named: set[str] = set()
    for option in (*transform.statics, *NONDIFF):
        value = given.get(option)
        if value is None:
            continue
        items = literals(value)
        if items is None:
            numbers |= EVERYTHING
            named |= set(names)
            continue
        numbers |= {item for item in items if type(item) is int}
        named |= {name for item in items if type(item) is str for name in (item,)}
    numbers = {number % len(names) if number < 0 and names else number for number in numbers}
    named |= {names[number] for number in numbers if 0 <= number < len(names)}
    numbers |= {place for place, name in enumerate(names) if name in named}
    text = phrase(op.func) if type(op) is Call else transform.name
    if text.startswith("partial("):
        text = transform.name
    return Applied(
        transform, frame.namespace.path, op.anchor.line, _spelled(text, transform),
        frozenset(named), frozenset(numbers), _left_alone(transform, given),
        _differentiated(given), has_auxiliary(given), is_flag_set(given), given.get(transform.axes or transform.whole),
        transform.axes == IN_AXES and all(name not in given for name in (IN_AXES, OUT_AXES)),
        *_donated(names, given), op, any(given[name].constant is not False for name in LENIENT if name in given),
        ARGNUMS in given and given[ARGNUMS].kind is not NUMBER,
    )  # fmt: skip


def options_given(frame: Frame, value: Value, wrapped: Wrapped, options: dict[str, Value]) -> Value:
    """A transformed function whose options a caller gave: `def batch(f, axes): return jax.vmap(f, in_axes=axes)`."""
    known, op = wrapped.applied, wrapped.applied.op
    if op is None:
        return value
    applied = options_of(frame, op, wrapped.callee, known.transform, options)
    applied.path, applied.text, applied.options, applied.is_chosen = known.path, known.text, options, known.is_chosen
    applied.on_path = known.on_path
    return Value(value.kind, value.dependences, replace(wrapped, applied=applied), value.made_by)


def _donated(names: list[str], given: dict[str, Value]) -> tuple[frozenset[str], frozenset[int]]:
    """The names and numbers of the arguments that are donated."""
    whole = given["donate"].constant if "donate" in given else None
    if isinstance(whole, str) and whole in DONATING_ALL:
        first = DONATING_ALL[whole]
        return frozenset(names[first:]), EVERYTHING - frozenset(range(first))
    found = [items for option in DONATING if option in given and (items := literals(given[option])) is not None]
    numbers = {item for items in found for item in items if type(item) is int}
    numbers = {number % len(names) if number < 0 and names else number for number in numbers}
    named = {item for items in found for item in items if isinstance(item, str)}
    named |= {names[number] for number in numbers if 0 <= number < len(names)}
    return frozenset(named), frozenset(numbers | {place for place, name in enumerate(names) if name in named})


def _names_of_row(frame: Frame, function: Value) -> list[str]:
    """The names of the parameters that a library's function takes by position, where its row tells all of them."""
    row = frame.program.table.function(function.name) if function.kind is API else None
    return (
        [parameter.name for parameter in row.parameters if parameter.kind in ("positional", "normal")]
        if row is not None
        else []
    )


def has_auxiliary(given: dict[str, Value]) -> bool:
    """May the function return auxiliary data beside its result?"""
    flag = given.get(HAS_AUX)
    return flag is not None and flag.constant is not False


def is_flag_set(given: dict[str, Value]) -> bool:
    """Does the function certainly return auxiliary data beside its result?"""
    flag = given.get(HAS_AUX)
    return flag is not None and flag.constant is True


def _spelled(text: str, transform: Transform) -> str:
    """The user's spelling of the transform, or its own name where that is not visible."""
    last = transform.name.rpartition(".")[2]
    return text if text.rpartition(".")[2] == last else transform.name


def _left_alone(transform: Transform, given: dict[str, Value]) -> frozenset[int]:
    """The positions of the arguments that a transform passes to the function as they are."""
    specs = given.get(transform.whole) if transform.whole else None
    parts = (specs.elements or ()) if specs is not None else ()
    whole = frozenset(place for place, spec in enumerate(parts) if spec.constant is None)
    return whole | unmapped(given.get(transform.axes)) if transform.axes else whole


def unmapped(axes: Value | None) -> frozenset[int]:
    """The positions that `in_axes` does not map: those that are None or not known."""
    if axes is None or axes.kind is NUMBER:
        return frozenset()
    if axes.elements is None:
        return EVERYTHING
    return frozenset(
        place
        for place, part in enumerate(axes.elements)
        if (part.kind is STATIC and part.constant in (None, OPEN)) or part.kind in MAY_BE_ANYTHING
    )


def _differentiated(given: dict[str, Value]) -> frozenset[int]:
    value = given.get(ARGNUMS)
    if value is None:
        return frozenset((0,))
    numbers = literals(value)
    if numbers is None:
        return frozenset()
    return frozenset(number for number in numbers if type(number) is int)
