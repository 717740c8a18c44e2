"""Decorators of classes, and functions that register them as pytrees, with the fields that are no parts of the tree.

@partial(register_dataclass, data_fields=["x"], meta_fields=["n"])      n
register_pytree_node(Model, lambda m: ((m.x,), m.n), unflatten)         n
"""

from __future__ import annotations

from flake8_jax.analysis.callables import Arguments, ClassDecorator, FunctionValue, underlying
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.classes import auxiliary_fields, flattened_by
from flake8_jax.analysis.objects.literals import literals
from flake8_jax.api.class_decorators import FREEZING, HASHING_FIELDS, PLAIN_DECORATORS, REGISTERING, TREES, Hashing
from flake8_jax.domain.kinds import CLASS, OBJECT
from flake8_jax.domain.value import Value
from flake8_jax.ir.ops import Op

META, FLATTENING = "meta_fields", "flatten_func"
HASHED = ("eq", "frozen", "unsafe_hash")
NAMELESS: frozenset[str] = frozenset()


def class_decorator(frame: Frame, name: str, op: Op, arguments: Arguments) -> Value | None:
    """A decorator that returns its class; dataclasses may be frozen by it."""
    frozen = arguments.keywords.get("frozen")
    freezes = name in FREEZING if frozen is None else frozen.constant is True
    decorator = ClassDecorator(
        freezes, name in TREES, _metadata(name, arguments), _hashing(name, arguments), name, _children(name, arguments)
    )
    is_alone = len(arguments.positional) == 1 or name in REGISTERING
    if arguments.positional and arguments.positional[0].kind is CLASS and is_alone:
        frame.program.record.marks = True
        return decorator.decorate(arguments.positional[0])
    if name in FREEZING or name.rpartition(".")[2] == "dataclass":
        return Value(OBJECT, payload=decorator, made_by=op)
    return None


def _hashing(name: str, arguments: Arguments) -> Hashing | None:
    """How objects of a class are hashed by its decorator; None for one that says nothing of it."""
    if name in HASHING_FIELDS:
        return "fields"
    if name.startswith("jax.tree_util.") or name in PLAIN_DECORATORS - {"dataclasses.dataclass"}:
        return None
    said = {option: arguments.keywords[option].constant for option in HASHED if option in arguments.keywords}
    if name != "dataclasses.dataclass" or arguments.is_open or any(type(value) is not bool for value in said.values()):
        return "unknown"
    if said.get("unsafe_hash") or (said.get("frozen") and said.get("eq", True)):
        return "fields"
    return "mutable" if said.get("eq", True) else "identity"


def _metadata(name: str, arguments: Arguments) -> frozenset[str]:
    """The fields that a registration says are no parts of the tree."""
    if name == "jax.tree_util.register_dataclass":
        named = [*arguments.positional[2:3], *([arguments.keywords[META]] if META in arguments.keywords else [])]
        return frozenset(literal for each in named for literal in literals(each) or () if isinstance(literal, str))
    function = _flattening(name, arguments)
    return frozenset(auxiliary_fields(function.function)) if function is not None else NAMELESS


def _flattening(name: str, arguments: Arguments) -> FunctionValue | None:
    """The function that flattens the objects of a class that is registered with it."""
    flatten = arguments.get(1, FLATTENING) if name in REGISTERING else None
    return underlying(flatten) if flatten is not None else None


def _children(name: str, arguments: Arguments) -> frozenset[str] | None:
    """The fields that a registration says are children; None if it says nothing that is understood."""
    function = _flattening(name, arguments) if name == "jax.tree_util.register_pytree_node" else None
    return frozenset(flattened_by(function.function)) or None if function is not None else None
