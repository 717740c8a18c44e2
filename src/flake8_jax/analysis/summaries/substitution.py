"""Substitution: rewriting a summary from its inputs to a call's arguments."""

from __future__ import annotations

from collections.abc import Iterator

from flake8_jax.analysis.callables import Arguments, ClassValue, Copied, FunctionValue, InstanceOf, Wrapped
from flake8_jax.analysis.checks.effects.escapes import written
from flake8_jax.analysis.checks.effects.written import OuterWrite
from flake8_jax.analysis.checks.host.clocks import read_clock
from flake8_jax.analysis.evaluator import call
from flake8_jax.analysis.evidence import OutcomeAtCall
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects import access
from flake8_jax.analysis.objects.array_evidence import is_no_array, whole_of
from flake8_jax.analysis.objects.copies import copied as copy_of
from flake8_jax.analysis.objects.dtypes import dtype_of_operand, stated_dtype
from flake8_jax.analysis.objects.instances import property_of, replaced, untraced_field
from flake8_jax.analysis.objects.iteration import any_element, element, renewed, shape_of_item
from flake8_jax.analysis.objects.key_items import dependences_of_key, key_slice, renamed_unknown
from flake8_jax.analysis.objects.names import current_value, rebound_now
from flake8_jax.analysis.objects.narrowing import peek
from flake8_jax.analysis.objects.static_arguments import options_given
from flake8_jax.analysis.summaries.captured import all_given_to_maker, captured_input, captured_now, given_to_maker
from flake8_jax.analysis.summaries.computed_values import (
    array_alike,
    array_of_leaves,
    array_outside,
    computed,
    is_number,
    other_view,
    presumed_here,
    shape_and_likeness,
    sized,
)
from flake8_jax.analysis.summaries.derived_keys import is_derived, key_held, key_payload_outside, key_taken
from flake8_jax.analysis.summaries.translation import choice_here, translated
from flake8_jax.api.schedules import WITHOUT_ARRAYS
from flake8_jax.domain.clocks import ClockRead
from flake8_jax.domain.conditions import Fact, FactSource, Path, assume
from flake8_jax.domain.constants import NOTHING, OPEN
from flake8_jax.domain.dtypes import Dtype, DtypeSource, NamedDtype, Promotion, of_input, resolved
from flake8_jax.domain.effects import Effect
from flake8_jax.domain.flags import Flag
from flake8_jax.domain.folding import with_parts
from flake8_jax.domain.key_parts import KeyMix, KeyPart
from flake8_jax.domain.kinds import (
    ARRAY,
    ARRAYS_AND_KEYS,
    ARRAYS_AND_NUMBERS,
    COMPUTED,
    CONTAINERS,
    HOST_CONSTANTS,
    INPUT,
    INSTANCE,
    KEYS,
    MAY_BE_ARRAY,
    NUMBER,
    NUMPY,
    OBJECT,
    RANDOM_KEYS,
    REF,
    SHOWN_TO_CALLERS,
    STATIC,
    UNKNOWN,
)
from flake8_jax.domain.payload import EVERY, ORDINARY, SLICE, VARARGS, VARKW, Alternatives, ArrayDoubt, Elements, Step
from flake8_jax.domain.provenance import Hop
from flake8_jax.domain.staging import NONE, Ambient, Dependence, Dependences, Input, Presumed, unite
from flake8_jax.domain.summary import Summary
from flake8_jax.domain.value import Value, dependences_of, input_of, unknown  # fmt: skip
from flake8_jax.ir import ops
from flake8_jax.ir.chains import chains_of
from flake8_jax.ir.ops import Op

MAXIMUM_DEPTH = 4
MAXIMUM_CHAIN = 6
MAXIMUM_POSSIBLE = 64
"""Of how many values that a closure may hold a test is tried."""

MADE = (ops.Build, ops.Operate, ops.Call)
"""What makes a text of values."""


class Substitution:
    """One call: the caller's frame, the call op, the summary, the arguments by parameter.

    `conditions` are those that were translated, `facts` what they consist of, `subjects` what they are about, `chains`
    the calls to effects, `assumed` those that were added to the caller's path; `hop` is the call itself, in a chain.
    The `effect` of the callee is applied now, on the path `when` of the caller, by the calls of the `chain`.
    """

    __slots__ = (
        "ambient", "assumed", "bound", "chain", "chains", "conditions", "effect", "facts", "frame", "fresh", "function",
        "hop", "op", "owned", "resolved", "subjects", "summary", "when",
    )  # fmt: skip

    effect: Effect
    when: Path
    chain: tuple[Hop, ...]
    hop: Hop | None

    def __init__(
        self, frame: Frame, op: Op, summary: Summary, bound: dict[str, Value], ambient: Dependences,
        function: FunctionValue,
    ) -> None:  # fmt: skip
        self.function, self.hop = function, None
        self.frame, self.op, self.summary, self.bound, self.ambient = frame, op, summary, bound, ambient
        self.owned: dict[Input, str] = {}
        for name, value in summary.inputs.items():
            for dependence in value.dependences:
                if isinstance(dependence, Input):
                    self.owned[dependence] = name
        self.resolved: dict[Input, Value | None] = {}
        self.fresh: dict[Value, Value] = {}
        self.conditions: dict[int, tuple[Path, Path | None]] = {}
        self.facts: dict[int, tuple[Fact, list[tuple[FactSource, Fact]] | None]] = {}
        self.subjects: dict[Value, Value | None] = {}
        self.assumed: dict[int, tuple[Path, Path, Path]] = {}
        self.chains: dict[tuple[int, int], tuple[tuple[Hop, ...], tuple[Hop, ...]]] = {}

    def written(self, write: OuterWrite) -> Iterator[OutcomeAtCall]:
        """What comes of a write of the callee into what outlives it."""
        return written(self, write)

    def translated(self, when: Path) -> Path | None:
        """A condition of the callee in terms of the caller; None if it cannot hold here."""
        return translated(self, when)

    def assume(self, when: Path) -> Path:
        """The path of the caller, with a condition in its terms added."""
        here = self.frame.path
        known = self.assumed.get(id(when))
        if known is None or known[1] is not here:
            known = self.assumed[id(when)] = when, here, assume(here, when)
        return known[2]

    def chain_through(self, hop: Hop, chain: tuple[Hop, ...]) -> tuple[Hop, ...]:
        """The calls of a chain, after that of the site: one tuple for all effects with the same chain."""
        known = self.chains.get((id(hop), id(chain)))
        if known is None:
            known = self.chains[id(hop), id(chain)] = chain, (hop, *chain)
        return known[1]

    def resolve(self, source: Input) -> Value | None:
        """The argument at an input; None if it is an input of an enclosing function."""
        if source in self.resolved:
            return self.resolved[source]
        if source.parent is None:
            name = self.owned.get(source)
            found = self.bound.get(name) if name is not None else None
        else:
            base = self.resolve(source.parent)
            found = None if base is None or source.step is None else self._part(base, source.step)
            if found is not None and source.is_metadata:
                found = untraced_field(found)
            is_told = source.is_declared or source.is_child or source.is_metadata
            if is_told and found is not None and (mine := found.input) is not None:
                mine.declare_like(source)
        self.resolved[source] = found
        return found

    def _part(self, base: Value, step: Step) -> Value:
        if base.kind is ARRAY and step[0] == "[]" and base.payload in ORDINARY:
            held, shape = unite(base.dependences, self.ambient), shape_of_item(base, step[1])
            return access.read_before(self.frame, base, step[1], Value(ARRAY, held, None, self.op, shape, base.dtype))
        if step[1] is SLICE and base.kind is REF:
            return Value(ARRAY, base.dependences, None, self.op)
        if base.kind is KEYS and step[1] is SLICE:
            return key_slice(base, None, self.op)
        if step[1] is OPEN or step[1] is SLICE:
            return any_element(self.frame, base, self.op)
        if step[1] is EVERY:
            return element(self.frame, base, self.op)
        found = property_of(base, step)
        if found is not None:  # it runs where the function reads it
            return call(self.frame, self.op, found, Arguments((base,)), self.ambient)
        return access.read(self.frame, base, step, self.op)

    def dependences(
        self, dependences: Dependences, is_plain_input: bool, is_shown: bool = False
    ) -> tuple[Dependences, Dependences]:
        """The dependences in terms of the caller: those of arrays, and those of possible containers."""
        of_arrays: Dependences = NONE
        of_inputs: Dependences = NONE
        kept: list[Dependence] = []
        held: Dependences = NONE
        for dependence in dependences:
            if type(dependence) is Ambient and dependence in self.summary.ambient:  # a tree of arrays may be empty
                held = self.ambient
            elif isinstance(dependence, Input):
                actual = self.resolve(dependence)
                if actual is None:
                    if not self.is_owned(dependence):
                        kept.append(dependence)
                elif actual.kind is UNKNOWN and (
                    dependence.is_declared or (dependence.is_child and not is_plain_input)
                ):
                    of_arrays = unite(of_arrays, whole_of(self, dependence))
                elif actual.kind is INPUT and is_plain_input and not self.summary.uses.show_array(dependence):
                    of_inputs = unite(of_inputs, actual.dependences)
                elif actual.kind in RANDOM_KEYS:
                    of_arrays = unite(of_arrays, dependences_of_key(actual))
                elif actual.kind in (SHOWN_TO_CALLERS if is_shown else MAY_BE_ARRAY):
                    of_arrays = unite(of_arrays, actual.dependences)
                elif actual.kind in CONTAINERS and is_plain_input:
                    of_inputs = unite(of_inputs, dependences_of(actual))
            elif type(dependence) is Presumed:
                of_arrays = unite(of_arrays, presumed_here(self, dependence))
            else:
                kept.append(dependence)
        if kept:
            held = unite(held, dependences if len(kept) == len(dependences) else frozenset(kept))
        return (of_arrays, unite(of_inputs, held)) if is_plain_input else (unite(of_arrays, held), of_inputs)

    def held(self, dependences: Dependences, is_plain_input: bool, is_shown: bool = False) -> Dependences:
        """The dependences in terms of the caller, of arrays and of possible containers together."""
        return unite(*self.dependences(dependences, is_plain_input, is_shown))

    def is_owned(self, source: Input) -> bool:
        """Is it an input of this function, or a part of one?"""
        return source.root in self.owned

    def argument_of(self, source: Input) -> Value | None:
        """The argument that an input is, or is a part of."""
        name = self.owned.get(source.root)
        return self.bound.get(name) if name is not None else None

    def dtype(self, value: Value) -> Dtype | None:
        """The dtype of a value in terms of the caller."""
        held = value.dtype
        return resolved(self.frame.program.table, held, self._dtype_of) if type(held) is Promotion else held

    def _dtype_of(self, source: DtypeSource) -> Dtype | None:
        given = source.source if isinstance(source, NamedDtype) else source
        assert isinstance(given, Input)
        actual = self.resolve(given)
        if actual is None:
            return None if self.is_owned(given) else of_input(source)
        return stated_dtype(self.frame.program.table, actual) if given is not source else dtype_of_operand(actual)

    def input_value(self, subject: Value) -> Value | None:
        """The argument for a symbolic value of the function, if that was an input."""
        source = self.source(subject)
        if source is not None:
            return self.resolve(source)
        for name, value in self.summary.inputs.items():
            if value is subject:
                return self.bound.get(name)
        return None

    def tested(self, subject: Value) -> Value | None:
        """The value that a fact is about: the argument, or what was passed to the function that made the called
        closure.
        """
        known = self.subjects
        if subject not in known:
            given = self.input_value(subject) or given_to_maker(self, subject) or self._preset(subject)
            known[subject] = given or self._global(subject)
        return known[subject]

    def any_of(self, subject: Value) -> list[Value]:
        """What was passed by all calls of the function that made the closure: a fact is about one of them."""
        found = all_given_to_maker(self, subject)
        return found if len(found) <= MAXIMUM_POSSIBLE else []

    def _preset(self, subject: Value) -> Value | None:
        """What this call, or one of a function around the callee, has preset, so that it stands there for itself."""
        if subject in self.bound.values():
            return subject
        presets = [given for around in self.function.frame.outwards() for _, given in around.presets]
        return subject if subject in presets else None

    def _global(self, subject: Value) -> Value | None:
        """What a global holds at a call in its own module, of which functions read the final value."""
        found = current_value(self.frame, subject)
        return found if found is not subject else None

    def source(self, subject: Value) -> Input | None:
        """The input of a symbolic value; also for a field of which only the type is known."""
        if subject.input is not None:
            return subject.input
        made_by = subject.made_by
        if subject.kind not in HOST_CONSTANTS or type(made_by) is not ops.Attr:
            return None
        found = input_of(subject)
        return found if found is not None and found.step == (".", made_by.name) else None

    def key_outside(self, key: Input | Value) -> Value | None:
        """The caller's value for a key of the function; for a captured one, the current value of its name."""
        if isinstance(key, Input):
            return self.outside(key)
        if key in self.summary.outside.rebound:
            return rebound_now(self.frame, self.summary.outside.rebound[key], self.op)
        is_global = key in self.frame.program.linked.globals
        held = key_held(self, key) or (None if is_global else key_taken(self, key))
        if held is not None:
            return held
        return self.value(key) if is_derived(key) and not is_global else current_value(self.frame, key)

    def outside(self, source: Input) -> Value | None:
        """The argument at an input, or the current value of a captured one, as it was before any transform."""
        if source.parent is None:
            found = self.resolve(source) or captured_input(self, source)
            return None if found is None else found.original
        base = self.outside(source.parent)
        return None if base is None or source.step is None else self._part(base, source.step)

    def source_of(self, target: Input) -> Op | None:
        """The op of the argument for an input, if it is written in the call."""
        name = self.owned.get(target.root)
        call = self.op
        if name is None or type(call) is not ops.Call:
            return None
        for keyword, value in call.keywords:
            if keyword == name:
                return value
        for argument in call.args:
            given, bound = peek(self.frame, argument), self.bound.get(name)
            if given is not None and bound is not None and given is bound.original:
                return argument
        return None

    def value(self, value: Value, depth: int = 0) -> Value:
        """A value of the function, in terms of the caller."""
        found = self.fresh.get(value)
        if found is None:
            found = self.fresh[value] = self._value(value, depth)
        return found

    def renewed_value(self, value: Value) -> Value:
        """A value in terms of the caller with a new identity, so that uses of it are no uses of the argument."""
        found = renewed(self.value(value))
        if isinstance(found.payload, (KeyPart, KeyMix)):
            found.payload = None
        self.fresh[value] = found
        return found

    def _value(self, value: Value, depth: int) -> Value:
        kind = value.kind
        if kind is INPUT:
            return self._input(value)
        if kind is COMPUTED or kind is NUMPY:
            return computed(self, value)
        if kind in ARRAYS_AND_KEYS:
            source = input_of(value)
            if source is not None:
                actual = self.resolve(source)
                if actual is not None and (actual.kind in (kind, INPUT) or is_no_array(value, actual)):
                    return actual
            if type(value.payload) is ArrayDoubt and (other := other_view(self, value)) is not None:
                return other
            if kind is ARRAY and is_number(self, value):
                return computed(self, value)
            if kind is not ARRAY and (names := [n for n, v in self.summary.outside.captured.items() if v is value]):
                return captured_now(self, names[0], value)
            held = self.held(value.dependences, False)
            payload = None if value.payload is None else key_payload_outside(self, value.payload, depth)
            return array_outside(self, value, held, payload)
        if kind in CONTAINERS:
            return self._container(value, depth)
        if kind is INSTANCE and isinstance(value.payload, InstanceOf) and value.payload.copied is not None:
            return self._copy(value.payload.owner, value.payload.copied, depth)
        if kind is INSTANCE:
            source = input_of(value)
            actual = self.resolve(source) if source is not None else None
            if actual is not None and actual.payload != NOTHING:  # where None is passed, another object is meant
                return actual
            return self._instance(value, depth)
        if kind is UNKNOWN and type(value.payload) is Copied:
            return self._copy(None, value.payload, depth)
        if kind is STATIC and type(value.dtype) is Promotion:  # the dtype of an array
            return Value(STATIC, NONE, OPEN, self.op, dtype=self.dtype(value))
        if kind is STATIC and value.dependences and value.payload is OPEN and isinstance(value.made_by, MADE):
            return Value(STATIC, self.held(value.dependences, True, True), OPEN, self.op)
        if isinstance(value.payload, (Alternatives, Flag)):
            return choice_here(self, value, value.payload)
        if type(value.payload) is ClockRead:
            return read_clock(self.frame, self.op)
        if type(value.payload) is Wrapped:
            return self._wrapped(value, value.payload, depth)
        if kind is UNKNOWN:
            renamed = renamed_unknown(value, self.value, self.op)
            is_noted = renamed.kind is UNKNOWN and value.made_by in self.frame.program.variables
            return Value(UNKNOWN, NONE, renamed.payload, value.made_by) if is_noted else renamed
        if kind is OBJECT and value.name not in WITHOUT_ARRAYS and value.made_by is not None:
            return renewed(value) if self._is_made_inside(value, value.made_by) else value
        if (kind is STATIC or kind is NUMBER) and value.payload is OPEN and value.made_by is None:
            actual = self.input_value(value)  # a parameter of which only the type is known
            return actual if actual is not None and actual.kind in HOST_CONSTANTS else value
        return value

    def _is_made_inside(self, value: Value, made_by: Op) -> bool:
        """Does each call make another one: is it no global, and nothing of the functions around the callee?"""
        if value in self.frame.program.linked.globals:
            return False
        return not any(chains_of(around.function).holds(made_by) for around in self.function.frame.outwards())

    def _input(self, value: Value) -> Value:
        given = value.input
        if given is not None:
            actual = self.resolve(given)
            if actual is not None:
                return sized(self, actual, value) if value.like is not None else actual
            return value if not self.is_owned(given) else unknown("argument missing", self.op)
        made = array_alike(self, value) if value.dtype is not None else array_of_leaves(self, value)
        if made is not None:
            return made
        is_sum = value.dtype is not None or type(value.made_by) is ops.Operate
        if is_sum and (made := computed(self, value)).kind in ARRAYS_AND_NUMBERS:
            return made  # a sum is one of lists otherwise
        held = self.held(value.dependences, True)
        if not held:
            return unknown("not an input", self.op)
        _, like = shape_and_likeness(self, value)
        return Value(INPUT, held, None, self.op, dtype=self.dtype(value), like=like)

    def _wrapped(self, value: Value, wrapped: Wrapped, depth: int) -> Value:
        """A transformed function, with the options that are arguments of the call."""
        options, function = wrapped.applied.options, wrapped.applied.transform.wraps
        given = {
            name: self.value(one, depth + 1)
            for name, one in options.items()
            if name != function and depth < MAXIMUM_DEPTH
            and any(type(source) is Input and self.is_owned(source) for source in dependences_of(one))
        }  # fmt: skip
        return options_given(self.frame, value, wrapped, {**options, **given}) if given else value

    def _copy(self, owner: ClassValue | None, copied: Copied, depth: int) -> Value:
        """A copy of one of the caller's objects, with the changed fields in its terms."""
        original = self.value(copied.original, depth + 1) if copied.original is not None else None
        if original is None or original.kind not in (INSTANCE, INPUT, UNKNOWN) or depth >= MAXIMUM_DEPTH:
            return unknown("copy of an unknown object", self.op)
        changed = {name: self.value(part, depth + 1) for name, part in copied.changed.items()}
        if original.kind is INSTANCE:
            return replaced(self.frame, original, changed, self.op)
        if owner is None or original.kind is UNKNOWN:
            return copy_of(self.frame, original, changed, self.op)
        held = InstanceOf(owner, None, Copied(original, changed))
        return Value(INSTANCE, original.dependences, held, self.op)

    def _instance(self, value: Value, depth: int) -> Value:
        instance = value.payload
        assert isinstance(instance, InstanceOf)
        parts = instance.parts if depth < MAXIMUM_DEPTH else None
        kept = {name: self.value(part, depth + 1) for name, part in parts.items() if part is not value} if parts else {}
        return Value(INSTANCE, NONE, InstanceOf(instance.owner, kept), self.op)

    def _container(self, value: Value, depth: int) -> Value:
        source = input_of(value) if value.payload is VARARGS or value.payload is VARKW else None
        actual = self.resolve(source) if source is not None else None
        if actual is not None:
            return actual
        held = self.held(value.dependences, False) if value.dependences else NONE
        payload = value.payload.without_parts() if type(value.payload) is Elements else None
        if depth < MAXIMUM_DEPTH:
            payload = with_parts(value.payload, lambda part: self.value(part, depth + 1))
        return Value(value.kind, held, payload, self.op)
