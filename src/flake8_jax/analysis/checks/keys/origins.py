"""Where a key comes from: an input of the function, a variable around it, or the function itself.

def f(key, seed: int):      `key` is an input, `seed` is declared to be no key
    sub = fold_in(key, 1)   made here of an input
    return normal(outer)    captured
"""

from __future__ import annotations

from flake8_jax.analysis.callables import FunctionValue, underlying
from flake8_jax.analysis.checks.keys.derivations import root_of
from flake8_jax.analysis.evaluator import summary_of
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.annotations import HOST_TYPES, OF_HOST
from flake8_jax.analysis.objects.instances import getter_of
from flake8_jax.domain.key_parts import KeyPart
from flake8_jax.domain.kinds import ARRAY, ARRAYS_AND_KEYS, KEYS, RANDOM_KEYS, UNKNOWN
from flake8_jax.domain.staging import Input
from flake8_jax.domain.value import Value, steps_to
from flake8_jax.ir.chains import chains_of
from flake8_jax.ir.ops import Item

NO_KEYS = HOST_TYPES | {OF_HOST, "float"}
"""Types of which no key is."""


def is_from_outside(frame: Frame, value: Value) -> bool:
    """Is a key captured, or folded here of one that is, or of an input?"""
    if value in frame.summary.outside.rebound:
        return True
    if frame.parent is None:
        return False
    if value.kind is UNKNOWN:
        return any(one is value for one in frame.summary.outside.captured.values())
    if value.kind not in RANDOM_KEYS:
        return False
    if not made_here(frame, value):
        return True
    root = root_of(value)
    if root is None:
        return False
    return root in frame.summary.outside.rebound or input_behind(root) is not None or not made_here(frame, root)


def input_behind(value: Value) -> Input | None:
    """The input that a value is, if it is one."""
    if value.input is not None:
        return value.input
    if len(value.dependences) == 1 and value.kind in ARRAYS_AND_KEYS:
        (only,) = value.dependences
        if isinstance(only, Input) and (value.kind is not ARRAY or _is_as_declared(value, only)):
            return only
    return None


def item_behind(frame: Frame, value: Value) -> Input | None:
    """The part of an input that an item of an array is, if the array is declared as one."""
    if value.kind is not ARRAY:
        return None
    for owner, step in frame.program.record.projections.holding(value):
        source = input_behind(owner)
        if source is not None and owner.kind is ARRAY:
            return source.part(step)
    return None


def is_no_key(frame: Frame, value: Value) -> bool:
    """Is a value declared as a number, a text, or a stream of keys, or an object whose attributes are stored to?

    What a property makes when it is read is another key each time.
    """
    source = value.original.input
    if source is None:
        return False
    declared = source.annotation
    if declared in NO_KEYS or (declared != "" and frame.program.table.stream(declared) is not None):
        return True
    if source.parent is None:
        return chains_of(frame.function).has_stored_fields(source.name)
    return source.step is not None and source.step[0] == "." and _is_made_when_read(frame, source.step[1])


def _is_made_when_read(frame: Frame, name: str) -> bool:
    """Does a class of the file make what is read from its objects by a name, `rng.key`, anew each time?

    So does a property of this name that stores into its object, or gives what is not known: the next of an iterator.
    """
    getters = (getter_of(owner, name) for owner in frame.namespace.file.classes_with_property(name))
    functions = (underlying(getter) for getter in getters if getter is not None)
    return any(function is not None and _gives_another(frame, function) for function in functions)


def _gives_another(frame: Frame, getter: FunctionValue) -> bool:
    summary, parameters = summary_of(frame.program, getter), getter.function.parameters
    stored = any(source.root.name == parameters[0].name for source, _ in summary.writes.parts) if parameters else False
    return stored or (summary.returns is not None and summary.returns.kind is UNKNOWN)


def _is_as_declared(value: Value, source: Input) -> bool:
    """Is an array an unmodified parameter, or a field of one, that is declared as an array, and no item of that?"""
    return value.made_by is None or (source.parent is not None and source.is_declared and not _is_item(value, source))


def _is_item(value: Value, source: Input) -> bool:
    """Is an array taken by an index out of a field, which holds several then?"""
    return type(value.made_by) is Item and source.step is not None and source.step[0] == "."


def _whole(keys: Value) -> Value:
    """The array that keys are a span of."""
    return keys.payload.whole if isinstance(keys.payload, KeyPart) and keys.kind is KEYS else keys


def made_here(frame: Frame, value: Value) -> bool:
    """Is a key made in the running function, other than captured or a global?"""
    known = (value, value.payload.whole) if isinstance(value.payload, KeyPart) else (value,)
    held = frame.summary.outside
    outside = [_whole(captured) for captured in (*held.captured.values(), *held.fields)]
    is_held = any(steps_to(captured, one) is not None for captured in outside for one in known)
    return not is_held and not any(one in frame.program.linked.globals for one in known)
