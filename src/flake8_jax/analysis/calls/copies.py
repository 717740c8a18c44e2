"""Arrays of one key many times, of which every lane gets the same: `stack([key] * n)`, `repeat(key, n)`, `tile`."""

from __future__ import annotations

from flake8_jax.analysis.callables import Arguments
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.narrowing import peek
from flake8_jax.domain.kinds import ARRAY, INPUT, KEY
from flake8_jax.domain.payload import ORDINARY, Copies
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op

STACKING = frozenset(("jax.numpy.stack", "jax.numpy.array", "jax.numpy.asarray", "jax.numpy.vstack"))
"""Functions that make an array of the elements of a sequence."""

REPEATING = frozenset(("jax.numpy.repeat", "jax.numpy.tile", "jax.numpy.broadcast_to"))
"""Functions that repeat one value along an axis."""

COPYING = STACKING | REPEATING


def copied_value(frame: Frame, name: str, arguments: Arguments) -> Value | None:
    """The key, or input that may be one, of which a function makes copies, if it does."""
    source = arguments.ops[0] if arguments.ops else None
    if source is None or (name in REPEATING and _is_once(arguments)):
        return None
    if name in REPEATING:
        key = _key(frame, source)
    else:
        parts = arguments.positional[0].elements or ()
        is_same = len(parts) > 1 and _is_key(parts[0]) and all(part is parts[0] for part in parts)
        key = parts[0] if is_same else _repeated(frame, source)
    return key


def note_copies(made: Value, copied: Value) -> Value:
    """An array as that of copies of an input; only a draw shows that this is a key."""
    if made.kind is ARRAY and made.payload in ORDINARY:
        made.payload = Copies(copied)
    return made


def _is_once(arguments: Arguments) -> bool:
    """Is the number of copies, or the shape, that of one?"""
    count = arguments.positional[1] if len(arguments.positional) > 1 else next(iter(arguments.keywords.values()), None)
    counts = () if count is None else count.elements or (count,)
    return bool(counts) and all(one.constant == 1 for one in counts)


def _repeated(frame: Frame, source: Op) -> Value | None:
    """The key in `[key] * n`, or in `[key for _ in range(n)]`."""
    match source:
        case ops.Operate(operator="*", operands=(ops.Build(parts=(element,)), _)):
            return _key(frame, element)
        case ops.Operate(operator="*", operands=(_, ops.Build(parts=(element,)))):
            return _key(frame, element)
        case ops.Gather(element=(ops.Name() as element,)):
            return _key(frame, element)
    return None


def _key(frame: Frame, source: Op) -> Value | None:
    """The key that a name, a field or `key[None]` stands for."""
    if type(source) is ops.Item and type(source.index) is ops.Const and source.index.value is None:
        source = source.base
    found = peek(frame, source)
    return found if found is not None and _is_key(found) else None


def _is_key(value: Value) -> bool:
    """May a value be a key?"""
    return value.kind is KEY or value.kind is INPUT
