"""Specialization: running a function again for the classes, callables or number of arguments of one call.

The general summary uses what the function's own file says of its inputs.  Where a call passes more, the body is run
again for it, and the result is kept for all calls that pass the same:

    class Policy:                                   the summary of `__call__` looks up `act` on the class of `self`
        def act(self, x): raise NotImplementedError
        def __call__(self, x): return self.act(x)
    class Greedy(Policy):                           Greedy()(x): `act` is another one there, so `__call__` is run
        def act(self, x): return x if x > 0 else 0  again, for `self` a Greedy
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import TypeAlias

from flake8_jax.analysis.budget import FOR_CLASSES, charge, is_beyond, is_too_many
from flake8_jax.analysis.callables import (
    AccessPath,
    ClassValue,
    FunctionValue,
    InstanceOf,
    KnownArgument,
    KnownArguments,
    MethodRun,
    RecordOf,
    Tracer,
    underlying,
)
from flake8_jax.analysis.certainty import stronger
from flake8_jax.analysis.dependencies import GENERAL
from flake8_jax.analysis.evaluator import summary_of
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.annotations import HOST_TYPES
from flake8_jax.analysis.objects.classes import field, holds_callables, is_default_of_field, lookup
from flake8_jax.analysis.objects.instances import run_by
from flake8_jax.analysis.objects.library_trees import declare_record, is_record_class
from flake8_jax.analysis.objects.stated_rules import DEFINERS, note_stated
from flake8_jax.analysis.record import Record, record_of, tells_all
from flake8_jax.analysis.summaries.substitution import Substitution
from flake8_jax.domain.constants import spelled
from flake8_jax.domain.kinds import (
    ANY_FUNCTION,
    API,
    DICT,
    FUNCTION,
    FUNCTIONS,
    FUNCTIONS_OR_OBJECTS,
    INPUT,
    INSTANCE,
    MAY_BE_ARRAY,
    OBJECT,
    TUPLE,
)
from flake8_jax.domain.payload import Alternatives, Elements, Entries, Named, Step
from flake8_jax.domain.staging import Dependences, Input
from flake8_jax.domain.summary import MAXIMUM_OPERATED, UsesOfInputs
from flake8_jax.domain.value import Value
from flake8_jax.lazy_dataclasses import dataclass, replace

MAXIMUM_GIVEN = 6
MAXIMUM_SPECIALIZATIONS = 6
MAXIMUM_GENERATIONS = 4
MAXIMUM_SPREAD = 12
"""How many star-arguments are counted: a function that calls itself with one more each time has no last number."""

MAXIMUM_LOOKED_UP = 64
"""How many lookups a function has from what it calls: a class of many methods would have all those of each below."""

MadeKnown: TypeAlias = tuple[AccessPath, KnownArgument]
"""What a call makes known of a parameter, or of what is behind it."""


def specialize(frame: Frame, function: FunctionValue, site: Substitution) -> FunctionValue:
    """The function specialized for this call; itself, if the call adds nothing to its summary."""
    given = {**dict(function.given), **dict(_traced(function, site))}
    used = [(kind, kind.of(site.summary.uses)) for kind in KINDS]
    if frame.program.nesting > 12 or not (len(given) > len(function.given) or any(uses for _, uses in used)):
        return function
    for kind, uses in used:
        for (source, name), assumed in uses.items():
            given.update(kind.made_known(site, source, name, assumed))
    if len(given) == len(function.given) or len(given) > MAXIMUM_GIVEN:
        return function
    return specialized(frame, function, given, MAXIMUM_SPECIALIZATIONS)


def _by_lookup(site: Substitution, source: Input, name: str, assumed: Value | None) -> Iterator[MadeKnown]:
    """What a name makes known that a body looks up on the class of an input, if it is not the same on the class of
    what is passed.
    """
    owner = _class_of(site.resolve(source))
    if owner is None or assumed is None or lookup(owner, name) is not assumed:
        end = _end_of(site, source, name, assumed)
        yield from _along(site, end) if end is not None else ()


def _by_call(site: Substitution, source: Input, name: str, assumed: Value | None) -> Iterator[MadeKnown]:
    """What the call of an input makes known, and of the object that it is an attribute of."""
    step = source.step
    yield from _by_lookup(site, source, name, assumed)
    if source.parent is not None and step is not None and step[0] == ".":
        yield from _by_lookup(site, source.parent, step[1], assumed)


def _by_operator(site: Substitution, source: Input, name: str, assumed: Value | None) -> Iterator[MadeKnown]:
    """What an operator makes known, if the class of what is passed has a method for it."""
    del assumed
    instance = _object_at(site, source)
    found = lookup(instance.owner, name) if instance is not None else None
    yield from _along(site, source) if found is not None and found.kind is FUNCTION else ()


def _behind_transform(site: Substitution, source: Input, name: str, assumed: Value | None) -> Iterator[MadeKnown]:
    """The class of an object of which attributes are read behind a transform."""
    del name, assumed
    actual = site.resolve(source)
    yield from _along(site, source) if actual is not None and _is_object(site.frame, actual) else ()


def _by_spread(site: Substitution, source: Input, name: str, assumed: Value | None) -> Iterator[MadeKnown]:
    """How many values `*args` stands for, or which names `**kwargs`."""
    del name, assumed
    actual = site.resolve(source)
    if actual is None or source.root not in site.owned:
        return
    path = site.owned[source.root], source.steps
    if actual.kind is TUPLE and actual.elements is not None and len(actual.elements) <= MAXIMUM_SPREAD:
        yield path, len(actual.elements)
    elif actual.entries is not None and len(actual.entries) <= MAXIMUM_SPREAD:
        yield path, tuple(actual.entries)


def _end_of(site: Substitution, source: Input, name: str, assumed: Value | None) -> Input | None:
    """The end of the access path along which a looked up name makes the classes and callables of a call known."""
    actual = site.resolve(source)
    if actual is None:
        return None
    frame, instance = site.frame, actual.payload
    if type(instance) is InstanceOf:
        found = lookup(instance.owner, name)
        is_own = found is not None and found is not assumed and found.kind in FUNCTIONS_OR_OBJECTS
        if found is None and _holds_another(frame, instance, name):
            return source.part((".", name))
        return source if is_own or (found is None and run_by(frame, instance.owner, name) is not None) else None
    if name != "__call__":
        return source if _is_record(frame, actual) or _is_module_held(frame, actual, source) else None
    if actual.kind in ANY_FUNCTION and source.parent is not None:
        return source.parent if _is_method(site, source) else source
    return source if type(instance) is Alternatives else None


def _is_module_held(frame: Frame, value: Value, source: Input) -> bool:
    """Does an object hold a module of a library there, and is what it lacks not expected to be lacking?"""
    is_expected = frame.is_expected
    return source.parent is not None and not is_expected and frame.program.is_module(value)


def _holds_another(frame: Frame, instance: InstanceOf, name: str) -> bool:
    """Does this object hold another closure than objects whose constructor arguments are not known?"""
    held = (instance.parts or {}).get(name)
    if held is None or held.kind not in FUNCTIONS:
        return False
    made, general = underlying(held), field(frame, instance.owner, name)
    return general is not None and made is not None and made is not underlying(general)


def _object_at(site: Substitution, source: Input) -> InstanceOf | None:
    """The object of the project's classes that is passed at an input."""
    root = site.argument_of(source)
    if root is None or root.kind is not INSTANCE:
        return None
    actual = site.resolve(source)
    return actual.payload if actual is not None and isinstance(actual.payload, InstanceOf) else None


def _traced(function: FunctionValue, site: Substitution) -> Iterator[MadeKnown]:
    """The parameters that are annotated as values of the host, but get tracers."""
    return (
        ((name, ()), Tracer())
        for name, annotation in function.annotations.items()
        if annotation.kind is API and annotation.name in HOST_TYPES
        if (actual := site.bound.get(name)) is not None and actual.dependences
        if actual.kind in MAY_BE_ARRAY
    )


def _rank(entry: MadeKnown) -> str:
    (name, steps), _ = entry
    return spelled((name, *steps))


def _class_of(value: Value | None) -> ClassValue | None:
    """The class of the project of which a value is an object."""
    instance = value.payload if value is not None else None
    return instance.owner if isinstance(instance, InstanceOf) else None


def _is_method(site: Substitution, source: Input) -> bool:
    """Is a callable the one that the class of its object binds to its name?

    Then it is known with the class, and calls that pass other objects of it get the same function.
    """
    owner = site.resolve(source.parent) if source.parent is not None else None
    instance, step = owner.payload if owner is not None else None, source.step
    if not isinstance(instance, InstanceOf) or step is None or step[0] != ".":
        return False
    found = lookup(instance.owner, step[1])
    if found is None:
        actual = site.resolve(source)
        run = actual.payload if actual is not None else None
        return isinstance(run, MethodRun) and run.module is not None and run.module.payload is instance
    return found.kind in FUNCTIONS_OR_OBJECTS and not is_default_of_field(instance.owner, step[1])


def _along(site: Substitution, source: Input) -> Iterator[MadeKnown]:
    """The classes of the objects on an access path, and the callable at its end."""
    steps: list[Step] = []
    found: list[tuple[Input, KnownArgument]] = []
    at = source
    while True:
        actual = site.resolve(at)
        if actual is not None and isinstance(actual.payload, InstanceOf):
            found.append((at, actual.payload.owner))
        elif actual is not None and _is_record(site.frame, actual):
            found.append((at, RecordOf(actual.name)))
        elif actual is not None and (_is_called(actual, at, source) or (at is source and actual.kind is API)):
            found.append((at, actual))
        if at.parent is None or at.step is None:
            break
        if not isinstance(at.step[1], (str, int)) and at is not source:
            return
        steps.insert(0, at.step)
        at = at.parent
    for place, what in found:
        yield (site.owned[at], tuple(steps[: place.depth])), what


def _is_object(frame: Frame, value: Value) -> bool:
    """Is it an object of a class of the project that is a pytree, or such a record?"""
    return (isinstance(value.payload, InstanceOf) and value.payload.owner.is_tree) or _is_record(frame, value)


def _is_record(frame: Frame, value: Value) -> bool:
    """Is it a record of a library, such as the state of an optimizer and what it trains?"""
    return value.kind is OBJECT and type(value.payload) is Named and is_record_class(frame, value.name)


def _is_called(actual: Value, at: Input, source: Input) -> bool:
    """Is it the callable at the end of an access path, or the field that holds it among others?"""
    if at is source:
        return actual.kind in FUNCTIONS
    return at is source.parent and at.step is not None and at.step[0] == "." and holds_callables(actual)


def specialized(
    frame: Frame, function: FunctionValue, known: dict[AccessPath, KnownArgument], most: int
) -> FunctionValue:  # fmt: skip
    """The specialization of a function for what a call passes; beyond a bound, the function itself."""
    given: KnownArguments = tuple(sorted(known.items(), key=_rank))
    made = function.specializations.get(given)
    if made is None:
        made = replace(function, given=given, specializations={}, summary=None)
    record = frame.program.record
    if (made,) not in record.summaries:
        is_many = record.specialized[function.function] >= most
        is_many = is_many or generation_of(function, given) > MAXIMUM_GENERATIONS
        if is_too_many(record, is_many) or is_beyond(frame.program, function.function, FOR_CLASSES):
            return function
        record.specialized[function.function] += 1
        function.specializations[given] = made
        summary = record.summaries[(made,)] = summary_of(frame.program, made)
        found = record_of(summary)
        if found is not None and found is not record:
            _note_taken(function, found)
            charge(frame.program, found)
            for key, event in found.events.items():
                record.events[key] = stronger(record.events.get(key), event)
            for key, ways in found.presumed.items():
                record.presumed.setdefault(key, []).extend(ways)
            record.refuted |= found.refuted
            record.guarded += found.guarded
            record.callers |= found.callers
            record.unstaged |= found.unstaged
    return made


def _note_taken(function: FunctionValue, found: Record) -> None:
    """Note what a caller depends on that takes a run for its arguments: what that tells, else the body."""
    if found.given > GENERAL and tells_all(found):
        function.function.note_told(found.given)
    else:
        function.function.read  # noqa: B018


def generation_of(function: FunctionValue, given: KnownArguments) -> int:
    """How many specializations led to one for these arguments, each for a callable that the one before made.

    A function that calls itself with a new closure would be specialized for ever: each run makes another one.
    """
    held = [underlying(what) for _, what in given if isinstance(what, Value)]
    made_in = [_generation_in(one.frame) for one in held if one is not None]
    return max(_generation_in(function.frame), 1 + max(made_in, default=0) if given else 0)


def _generation_in(frame: Frame) -> int:
    """The generation of the closures that a run makes."""
    return next((around.generation for around in frame.outwards() if around.generation), 0)


def symbolic_value(frame: Frame, function: FunctionValue, name: str, value: Value) -> Value:
    """The symbolic value of a parameter, with the classes, callables and parts of the specialization."""
    entries = {steps: what for (parameter, steps), what in function.given if parameter == name}
    return _symbolic_value(frame, value, entries) if entries else value


def _symbolic_value(frame: Frame, value: Value, entries: dict[tuple[Step, ...], KnownArgument]) -> Value:
    what = entries.get(())
    if isinstance(what, Value):
        return what
    if isinstance(what, Tracer):
        return value
    source = next(d for d in value.dependences if isinstance(d, Input))
    dependences: Dependences = source.alone
    if isinstance(what, RecordOf):
        declare_record(frame, source, what.name)
        return value
    if isinstance(what, int):
        parts = tuple(_part(frame, source, ("[]", place), entries) for place in range(what))
        return Value(TUPLE, dependences, Elements(parts, "varargs"))
    if isinstance(what, tuple):
        return Value(DICT, dependences, Entries({name: _part(frame, source, ("[]", name), entries) for name in what}))
    steps = dict.fromkeys(path[0] for path in entries if path)
    fields = {step: _part(frame, source, step, entries) for step in steps}
    if what is not None:
        return Value(INSTANCE, dependences, InstanceOf(what, {str(step[1]): part for step, part in fields.items()}))
    for step, part in fields.items():
        frame.live().set_part(value, step, part)
    return value


def _part(frame: Frame, source: Input, step: Step, entries: dict[tuple[Step, ...], KnownArgument]) -> Value:
    part = source.part(step)
    below = {path[1:]: what for path, what in entries.items() if path and path[0] == step}
    value = Value(INPUT, part.alone, part)
    return _symbolic_value(frame, value, below) if below else value


def inherit_uses(frame: Frame, site: Substitution) -> None:
    """Record the uses of arguments that are inputs of the caller, as far as the classes of these do not decide them."""
    mine, used = frame.summary.uses, site.summary.uses
    for source, _ in used.called:
        if source.parent is not None and source.step is not None and source.step[1] in DEFINERS:
            note_stated(frame, site.resolve(source.parent))
    for kind in KINDS:
        for (source, name), assumed in kind.of(used).items():
            actual, behind = site.resolve(source), _own_input(site, source)
            owner = _class_of(actual) if name else None
            found = lookup(owner, name) if owner is not None else None
            if behind is None and found is None and kind.is_transformed and actual is not None:
                behind = actual.original.input  # it was passed through another transform
            uses = kind.of(mine) if found is None else mine.lookups
            if behind is not None and len(uses) < kind.most:
                uses.setdefault((behind, name), found or assumed)


def _own_input(site: Substitution, source: Input) -> Input | None:
    """The caller's own input that an argument is."""
    actual = site.resolve(source)
    if actual is None:
        return None if site.is_owned(source) else source
    if actual.kind is INPUT:
        return actual.input
    is_open = actual.elements is None if actual.kind is TUPLE else actual.kind is DICT and actual.entries is None
    if is_open or isinstance(actual.payload, InstanceOf):
        inputs = [d for d in actual.dependences if type(d) is Input]
        return inputs[0] if len(inputs) == 1 else None
    return None


@dataclass(frozen=True, slots=True)
class UseKind:
    """A way to use an input for which a call may have the body run again.

    `of` are the uses of this kind, `most` of which a body knows; `made_known` says what a call makes known by one of
    them.  `is_transformed`: also what was passed through a transform is the input that it was.
    """

    of: attrgetter[UsesOfInputs]
    made_known: Callable[[Substitution, Input, str, Value | None], Iterator[MadeKnown]]
    most: int = 10_000
    is_transformed: bool = False


KINDS = (
    UseKind(attrgetter("lookups"), _by_lookup, most=MAXIMUM_LOOKED_UP),
    UseKind(attrgetter("called"), _by_call, is_transformed=True),
    UseKind(attrgetter("operated"), _by_operator, most=MAXIMUM_OPERATED),
    UseKind(attrgetter("traced"), _behind_transform, is_transformed=True),
    UseKind(attrgetter("spreads"), _by_spread),
)
