"""Objects that JAX makes anew of their children, by the class's own code, where they enter a trace.

@register_pytree_node_class
class Interval:
    def __init__(self, low, high):
        if low > high: raise ValueError     runs again, on tracers
    def tree_unflatten(cls, aux, children):
        return cls(*children)
jax.jit(width)(Interval(0.0, 1.0))

So do constructors of dataclasses that are pytrees (`__post_init__`).  Once for a class and a kind of transform.
"""

from __future__ import annotations

from collections.abc import Iterable

from flake8_jax.analysis.callables import Applied, Arguments, ClassValue, FunctionValue, InstanceOf, underlying
from flake8_jax.analysis.calls.traced_arguments import pass_argument
from flake8_jax.analysis.checks.contracts.conversions import AFTER, UNFLATTEN
from flake8_jax.analysis.evaluator import call, summary_of
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.classes import ancestry, flattened_fields, is_metadata, lookup
from flake8_jax.analysis.objects.instances import bind
from flake8_jax.api.transforms import Transform
from flake8_jax.domain.constants import OPEN
from flake8_jax.domain.kinds import ARRAY, INSTANCE, NUMERIC_LEAVES, STATIC, TUPLE
from flake8_jax.domain.payload import Elements
from flake8_jax.domain.provenance import Trace
from flake8_jax.domain.staging import NONE, Token
from flake8_jax.domain.value import Value, unknown
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op


def rebuild(frame: Frame, op: Op, applied: Applied, values: Iterable[tuple[str, Value]]) -> None:
    """Run the class's own code by which JAX rebuilds objects from tracers, and report what breaks there."""
    transform = applied.transform
    if transform.stage not in ("staged", "mapped") or transform.keeps or frame.context.is_prepared:
        return
    for name, value in values:
        instance = value.payload
        if value.kind is not INSTANCE or not isinstance(instance, InstanceOf) or not instance.parts:
            continue
        owner = instance.owner
        maker = _maker(owner)
        if maker is None or transform.stage in owner.rebuilt:
            continue
        owner.rebuilt.add(transform.stage)
        trace = Trace(
            name, maker, transform.name, "called by", applied.path, applied.line, transform.is_compiled, applied.text
        )
        token = Token(trace, transform.stage, mode=transform.mode)
        if maker == AFTER:
            _run_after(frame, op, value, owner, transform, token)
        else:
            _run_maker(frame, op, value, owner, token)


def _maker(owner: ClassValue) -> str | None:
    """The method that JAX runs to make an object of a class anew, if the project has it."""
    if not any(ancestor.is_tree for ancestor in ancestry(owner)):
        return None
    if lookup(owner, UNFLATTEN) is not None:
        return UNFLATTEN
    is_dataclass = owner.hashing is not None and lookup(owner, "__init__") is None
    return AFTER if is_dataclass and lookup(owner, AFTER) is not None else None


def _run_maker(frame: Frame, op: Op, value: Value, owner: ClassValue, token: Token) -> None:
    instance, bound = value.payload, lookup(owner, UNFLATTEN)
    names = next((found for ancestor in ancestry(owner) if (found := [*flattened_fields(ancestor)])), [])
    if not names or bound is None or not isinstance(instance, InstanceOf):
        return
    parts = [(instance.parts or {}).get(name) for name in names]
    children = tuple(
        Value(ARRAY, frozenset((token,)), None, op)
        if part is not None and part.kind in NUMERIC_LEAVES
        else unknown("child")
        for part in parts
    )
    constructor, given = lookup(owner, "__init__"), _passed_on(underlying(bound), children)
    if constructor is None or given is None:
        given = Arguments((Value(STATIC, NONE, OPEN), Value(TUPLE, NONE, Elements(children), op)))
        run = bind(frame, value, bound, op)
    else:
        run = bind(frame, Value(INSTANCE, NONE, InstanceOf(owner), op), constructor, op)
    call(frame, op, run, given, frozenset((token,)), "root")


def _passed_on(maker: FunctionValue | None, children: tuple[Value, ...]) -> Arguments | None:
    """What the constructor gets of a method that only passes on the children, and what else there is."""
    body = maker.function.body if maker is not None else ()
    made = body[0].value if maker is not None and len(body) == 1 and type(body[0]) is ops.Leave else None
    if maker is None or type(made) is not ops.Call or type(made.func) is not ops.Name or not made.args:
        return None
    first, *rest = made.args
    names = [parameter.name for parameter in maker.function.parameters]
    is_children = type(first) is ops.Star and type(first.value) is ops.Name and first.value.name == names[-1]
    if not is_children or made.func.name != names[0]:
        return None
    other = Value(STATIC, NONE, OPEN)
    keywords = {name: other for name, _ in made.keywords if name is not None}
    is_open = any(type(one) is ops.Star for one in rest) or any(name is None for name, _ in made.keywords)
    return Arguments((*children, *(other for one in rest if type(one) is not ops.Star)), keywords, is_open)


def _run_after(frame: Frame, op: Op, value: Value, owner: ClassValue, transform: Transform, token: Token) -> None:
    """Run `__post_init__` on what it made of the object before: a field that it stores is a tracer, and not None."""
    bound = lookup(owner, AFTER)
    method = underlying(bound) if bound is not None else None
    if bound is None or method is None:
        return
    traced = frozenset((token,))
    made = pass_argument(value, token, transform)
    for source, step in summary_of(frame.program, method).writes.parts:
        if source.parent is None and step[0] == "." and not is_metadata(owner, str(step[1])):
            frame.live().set_part(made, step, Value(ARRAY, traced, None, op))
    call(frame, op, bind(frame, made, bound, op), Arguments(), traced, "root")
