"""Classes of named tuples that a call of a factory makes.

State = namedtuple("State", ["z", "key"])           State(z, key).key is `key`
State = NamedTuple("State", [("z", jax.Array)])     its fields have types
optax.GradientTransformation(init, update)          a record of a library is an object of such a class, too
"""

from __future__ import annotations

from flake8_jax.analysis.callables import Arguments, ClassValue
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.classes import scalar_fields
from flake8_jax.analysis.objects.instances import constructed
from flake8_jax.domain.kinds import CLASS
from flake8_jax.domain.value import Value, unknown
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op

UNTYPED, TYPED = "collections.namedtuple", "typing.NamedTuple"
FACTORIES = frozenset((UNTYPED, TYPED))


def named_tuple(frame: Frame, op: Op, name: str, arguments: Arguments) -> Value | None:
    """The class that a call makes, if its fields are known."""
    positional = arguments.positional
    if len(positional) != 2 or arguments.is_open or not isinstance(title := positional[0].constant, str):
        return None
    fields = _typed(positional[1]) if name == TYPED else _untyped(positional[1])
    return None if fields is None else Value(CLASS, payload=_class(frame, op, title, fields), made_by=op)


def library_record(frame: Frame, op: Op, name: str, fields: list[str], arguments: Arguments) -> Value:
    """A record of a library, made of its fields."""
    known = frame.program.records.get(name)
    if known is None:
        types = dict.fromkeys(fields, unknown("field without a type"))
        known = frame.program.records[name] = _class(frame, op, name.rpartition(".")[2], types)
    return constructed(frame, op, known, arguments, frame.ambient)


def _class(frame: Frame, op: Op, title: str, fields: dict[str, Value]) -> ClassValue:
    function = ops.Function(title, title, "class", op.anchor, (), None, ops.FunctionBody(), frame.function.scope)
    made = ClassValue(title, (frame.program.api(TYPED),), {}, fields, function)
    made.is_tuple = made.is_frozen = made.is_tree = True
    made.children = frozenset(fields)
    made.leaves = frozenset(scalar_fields(frame, made))
    return made


def _untyped(names: Value) -> dict[str, Value] | None:
    """The fields that are given as a list of names, or as names in one text."""
    text = names.constant
    if isinstance(text, str):
        return dict.fromkeys(text.replace(",", " ").split(), unknown("field without a type"))
    found = [part.constant for part in names.elements or ()]
    known = [name for name in found if isinstance(name, str)]
    return dict.fromkeys(known, unknown("field without a type")) if known and len(known) == len(found) else None


def _typed(pairs: Value) -> dict[str, Value] | None:
    """The fields that are given as pairs of a name and a type."""
    found: dict[str, Value] = {}
    for pair in pairs.elements or ():
        parts = pair.elements
        if parts is None or len(parts) != 2 or not isinstance(name := parts[0].constant, str):
            return None
        found[name] = parts[1]
    return found or None
