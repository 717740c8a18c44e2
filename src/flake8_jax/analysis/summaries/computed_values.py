"""What a function computes of its inputs, in terms of a caller."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flake8_jax.analysis.objects.array_evidence import array_argument, open_inputs
from flake8_jax.analysis.objects.host_views import is_on_host
from flake8_jax.domain.constants import OPEN
from flake8_jax.domain.host_views import Buffer, BufferPart, ReadOnly, holder_of
from flake8_jax.domain.kinds import (
    ARRAY,
    ARRAY_OR_INPUT,
    ARRAYS_AND_NUMBERS,
    COMPUTED,
    INPUT,
    MAY_BE_ARRAY,
    NUMBER,
    NUMPY,
    NUMPY_OR_NUMBER,
    REF,
    SYMBOLIC,
    Kind,
)
from flake8_jax.domain.payload import AT, OR_ANNOTATED, ArrayDoubt, Payload
from flake8_jax.domain.shape import Shape
from flake8_jax.domain.staging import NONE, Dependences, Input, Presumed, Token, in_order, presumed
from flake8_jax.domain.value import ShapeOf, Value, shape_of_leaves, shape_of_operands, unknown
from flake8_jax.lazy_dataclasses import replace

if TYPE_CHECKING:
    from flake8_jax.analysis.summaries.substitution import Substitution


def sized(site: Substitution, actual: Value, value: Value) -> Value:
    """The argument that a part of an input is, with the shape that its index says."""
    if actual.kind not in ARRAY_OR_INPUT or actual.shape is not None:
        return actual
    shape, like = shape_and_likeness(site, value)
    shape = shape if actual.kind is ARRAY else None
    if shape is None and like is None:
        return actual
    return Value(actual.kind, actual.dependences, actual.payload, actual.made_by, shape, actual.dtype, like=like)


def array_alike(site: Substitution, value: Value) -> Value | None:
    """What came out of a trace as it went in, if that is an array here."""
    actual = site.resolve(value.like) if isinstance(value.like, Input) else None
    if actual is None or actual.kind not in ARRAYS_AND_NUMBERS:
        return None
    return _made(site, value, ARRAY, site.held(value.dependences, False), None)


def array_of_leaves(site: Substitution, value: Value) -> Value | None:
    """What a map over the leaves of an argument gives, if that is an array, and so the only leaf."""
    like = value.like
    if not isinstance(like, ShapeOf) or like.rule is not shape_of_leaves:
        return None
    tree = site.value(like.operands[0], like.depth)
    return _made(site, value, ARRAY, site.held(value.dependences, False), None) if tree.kind is ARRAY else None


def is_number(site: Substitution, value: Value) -> bool:
    """Is an argument that only annotations call an array in fact a number of the host, or an array of NumPy, at this
    call?
    """
    actuals = [site.resolve(source) for source in presumed(value.dependences)]
    return bool(actuals) and all(actual is not None and actual.kind in NUMPY_OR_NUMBER for actual in actuals)


def array_outside(site: Substitution, value: Value, dependences: Dependences, payload: Payload | None) -> Value:
    """The array that a value of the callee is for the caller; it has the shape of an argument if that is its own shape.

    What an annotation says of one of several is not said of the one that is left.
    """
    if type(payload) is ArrayDoubt and len(dependences) == 1 < len(value.dependences):
        payload = OR_ANNOTATED
    return _made(site, value, value.kind, dependences, payload)


def _made(site: Substitution, value: Value, kind: Kind, dependences: Dependences, payload: Payload | None) -> Value:
    """What a value of the callee is for the caller, with the shape and dtype that it has there."""
    shape, like = shape_and_likeness(site, value)
    return Value(kind, dependences, payload, site.op, shape, site.dtype(value), like=like)


def shape_and_likeness(site: Substitution, value: Value) -> tuple[Shape, Input | ShapeOf | None]:
    """The shape of a value for the caller, and what says it there; operands that say both are looked at once."""
    like = value.like
    if like is None:
        return value.shape, None
    if isinstance(like, ShapeOf):
        operands = tuple(site.value(operand, like.depth) for operand in like.operands)
        given = {name: site.value(one, like.depth) for name, one in like.given.items()}
        shape = like.rule(operands, given) if value.shape is None else value.shape
        return shape, shape_of_operands(like.rule, operands, given)
    actual = site.resolve(like)
    if actual is None:
        return value.shape, None
    return value.shape if value.shape is not None else () if actual.kind is NUMBER else actual.shape, actual.alike


def computed(site: Substitution, value: Value) -> Value:
    """What is computed of inputs: an array, or a number or array of the host."""
    if value.kind is NUMPY:
        return _view(site, value)
    kinds, kept = set(), value.payload
    for dependence in value.dependences:
        actual = site.resolve(dependence) if isinstance(dependence, Input) else None
        kinds.add(COMPUTED if actual is None else actual.kind)
        if actual is not None and actual.kind is ARRAY and type(kept) is ArrayDoubt:
            kept = actual.payload if type(actual.payload) is ArrayDoubt else None
    if ARRAY in kinds:
        shown = kept if type(kept) is ArrayDoubt or kept is AT else None
        return _made(site, value, ARRAY, site.held(value.dependences, False), shown)
    if NUMBER in kinds and kinds <= {NUMBER, COMPUTED} and _is_traced(value):
        shape, _ = shape_and_likeness(site, value)
        return Value(ARRAY, site.held(value.dependences, False), None, site.op, shape, site.dtype(value))
    if kinds <= SYMBOLIC:
        return _made(site, value, COMPUTED, site.held(value.dependences, False), kept)
    if kinds == {NUMBER}:
        return Value(NUMBER, NONE, OPEN, site.op, dtype=site.dtype(value))
    if kinds <= NUMPY_OR_NUMBER:
        return Value(NUMPY, made_by=site.op)
    if kinds & SYMBOLIC and not kinds - {COMPUTED, INPUT, NUMBER, NUMPY}:
        return Value(COMPUTED, site.held(value.dependences, False), None, site.op, dtype=site.dtype(value))
    return unknown("operator on an argument of another kind", site.op)


def _is_traced(value: Value) -> bool:
    """Is it computed of inputs on their way through a trace, which makes arrays of numbers?"""
    traces = [dependence for dependence in value.dependences if type(dependence) is Token]
    rest = [dependence for dependence in value.dependences if type(dependence) is not Token]
    return any(not trace.for_arrays for trace in traces) and all(isinstance(dependence, Input) for dependence in rest)


def _view(site: Substitution, value: Value) -> Value:
    """An array of NumPy that shows the memory of inputs, if these are arrays of JAX, or of a buffer that one has."""
    payload, held = value.payload, holder_of(value)
    if held is not None:
        actual = site.resolve(held)
        is_buffer = actual is not None and type(actual.payload) is Buffer
        if actual is None or type(payload) is Buffer:
            return actual or value
        return Value(NUMPY, NONE, BufferPart(actual) if is_buffer else None, value.made_by)
    if type(payload) is Buffer and value not in site.summary.outside.found:  # each call makes another one
        return Value(NUMPY, NONE, payload, value.made_by, value.shape, value.dtype)
    if type(payload) is not ReadOnly or not payload.sources:
        return value
    actual = array_argument(site, payload.sources, True)
    if actual is not None:
        return Value(NUMPY, NONE, replace(payload, sources=NONE), value.made_by) if is_on_host(actual) else value
    rest, _ = open_inputs(site, payload.sources, True)
    return Value(NUMPY, NONE, replace(payload, sources=rest) if rest else None, value.made_by)


def presumed_here(site: Substitution, dependence: Presumed) -> Dependences:
    """The dependence on the stage under which an array was made, if nothing shows that the argument is no array."""
    under, actual = dependence.under, site.resolve(dependence.source)
    stages = site.ambient if under in site.summary.ambient else frozenset((under,))
    if actual is None:
        if site.is_owned(dependence.source):
            return stages
        return frozenset(Presumed(dependence.source, stage) for stage in stages)
    if actual.kind is ARRAY and not presumed(actual.dependences):
        return stages
    sources = in_order(actual.dependences) if actual.kind in MAY_BE_ARRAY else ()
    return frozenset(Presumed(source, stage) for stage in stages for source in sources)


def other_view(site: Substitution, value: Value) -> Value | None:
    """A view of what is passed for an array by annotation, if that is a reference or NumPy's."""
    for dependence in value.dependences:
        actual = site.resolve(dependence) if isinstance(dependence, Input) else None
        if actual is not None and actual.kind in (REF, NUMPY):
            return Value(actual.kind, actual.dependences, None, site.op)
    return None
