"""Functions and classes as values: their defaults and annotations are evaluated where they are defined.

A class body is run at once.  What users of a library's base class call under a transform is run so, too.
"""

from __future__ import annotations

from typing import Literal

from flake8_jax.analysis.callables import (
    Arguments,
    ClassValue,
    FunctionValue,
    InstanceOf,
    Partial,
    Wrapped,
)
from flake8_jax.analysis.calls.transforms import apply_convention
from flake8_jax.analysis.checks.compilation.static_fields import check_declarations
from flake8_jax.analysis.checks.contracts.submodules import check_constructor
from flake8_jax.analysis.evaluator import OpEvaluator, evaluate, run
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.classes import (
    ancestry,
    flattened_fields,
    library_bases,
    lookup,
    metadata_fields,
    plain_fields,
    scalar_fields,
)
from flake8_jax.domain.conditions import ALWAYS
from flake8_jax.domain.kinds import CLASS, FUNCTION, INSTANCE, PARTIAL
from flake8_jax.domain.state import State
from flake8_jax.domain.summary import Summary
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import chains_of
from flake8_jax.ir.ops import Op

PLAIN_METACLASSES = frozenset(("type", "abc.ABCMeta"))
"""Those that do nothing to a class of which JAX would know."""

MAXIMUM_RUNS = 2
"""How often a function inside another is run, as it is made by different runs of that one."""

OF_CLASSES = frozenset(("__new__", "__init_subclass__", "__class_getitem__"))
"""The methods of a class whose first argument is the class, without a decorator."""


def make_function(frame: Frame, op: ops.Closure) -> Value:
    """The value of a `def` or `lambda`: defaults and annotations are evaluated here, the body is not."""
    defaults, annotations = {}, {}
    for parameter in op.function.parameters:
        if parameter.default is not None:
            defaults[parameter.name] = evaluate(frame, parameter.default)
        if parameter.annotation is not None:
            annotations[parameter.name] = evaluate(frame, parameter.annotation)
    if op.function.returns is not None:
        annotations["return"] = evaluate(frame, op.function.returns)
    owner = frame.owner if frame.function.kind == "class" and _is_method(frame, op) else None
    is_top_level = frame.is_outermost
    record = frame.program.record
    record.runs[op.function] += 1
    receiver: Literal["instance", "class"] = "class" if op.function.name in OF_CLASSES else "instance"
    made = FunctionValue(
        op.function, frame, defaults, annotations, owner, record, frame.path, receiver, is_top_level,
        is_top_level or record.runs[op.function] <= MAXIMUM_RUNS,
    )  # fmt: skip
    if made.is_listed:
        record.functions.append(made)
    return Value(FUNCTION, payload=made, made_by=op)


def _is_method(frame: Frame, op: ops.Closure) -> bool:
    """Is a function in the body of a class one of its methods?  A lambda among others, or in a decorator, is none."""
    if op.function.kind != "lambda":
        return True
    parameters = op.function.parameters
    is_bound = type(chains_of(frame.function).parents.get(op)) is ops.Store
    return is_bound or (bool(parameters) and parameters[0].name == "self")


def make_class(frame: Frame, op: ops.MakeClass) -> Value:
    """Run a class body at once; its names become the attributes of the class."""
    bases = tuple([evaluate(frame, base) for base in op.bases])
    metaclasses = [evaluate(frame, value) for name, value in op.keywords if name == "metaclass"]
    for name, value in op.keywords:
        if name != "metaclass":
            evaluate(frame, value)
    owner = ClassValue(op.body.name, bases, {}, {}, op.body)
    owner.is_handed = any(one.name not in PLAIN_METACLASSES for one in metaclasses)
    owner.is_tuple = "typing.NamedTuple" in library_bases(owner)
    freezing = [frame.program.table.freezing(base) for base in library_bases(owner)]
    owner.is_frozen = owner.is_tree = any(one is not None and one.how != "bound" for one in freezing)
    start = State(path=frame.path, started=frame.state.started if frame.state is not None else ())
    inner = Frame(frame.program, op.body, frame, start, Summary(ambient=frame.ambient), owner)
    run(inner, op.body.body)
    if inner.state is not None:
        owner.attributes.update(inner.state.names.items())
        if frame.state is not None:
            frame.state.started = inner.state.started
    owner.children = frozenset(plain_fields(owner))
    owner.leaves = frozenset(scalar_fields(frame, owner))
    owner.flattened = frozenset(flattened_fields(owner)) if "tree_flatten" in owner.attributes else None
    owner.declare_metadata(frozenset(metadata_fields(owner)))
    check_declarations(frame, owner)
    check_constructor(frame, owner)
    register_conventions(frame, owner)
    register_inherited(frame, owner, op)
    return Value(CLASS, payload=owner, made_by=op)


def register_inherited(frame: Frame, owner: ClassValue, op: ops.MakeClass) -> None:
    """Add roots for inherited constructors and staged methods of a class with methods of its own."""
    if all(bound.kind is not FUNCTION for bound in owner.attributes.values()):
        return
    receiver = Value(INSTANCE, payload=InstanceOf(owner))
    for name in dict.fromkeys(name for base in ancestry(owner)[1:] for name in base.attributes):
        bound = lookup(owner, name)
        if bound is None or name in owner.attributes or bound.kind is not FUNCTION:
            continue
        wrapped = bound.payload
        if name == "__init__" or (isinstance(wrapped, Wrapped) and wrapped.applied.transform.stage == "staged"):
            method = Partial(bound, Arguments((receiver,)))
            frame.program.record.roots.append((Value(PARTIAL, payload=method, made_by=op), frame, ALWAYS))


def register_conventions(frame: Frame, owner: ClassValue) -> None:
    """Add roots for methods that users of a library's base class call under a transform."""
    for base in library_bases(owner):
        for name, bound in owner.attributes.items():
            if bound.kind is FUNCTION and frame.program.table.traced_method(base, name):
                apply_convention(frame, bound, f"{base}.{name}")


EVALUATES: dict[type[Op], OpEvaluator] = {ops.Closure: make_function, ops.MakeClass: make_class}
