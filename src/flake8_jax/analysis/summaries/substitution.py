"""Substitution: rewriting a summary from its inputs to a call's arguments."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from flake8_jax.analysis.callables import Arguments, ClassValue, Copied, FunctionValue, InstanceOf
from flake8_jax.analysis.checks.compilation.eager import is_of_host, long_loops, loops_around
from flake8_jax.analysis.checks.contracts.frozen import frozen_now
from flake8_jax.analysis.checks.contracts.lost_updates import gives_back, updated_by
from flake8_jax.analysis.checks.contracts.optimizer_states import state_made
from flake8_jax.analysis.checks.contracts.optimizers import update_needs
from flake8_jax.analysis.checks.contracts.variables import APPLY, form_of_variables, runs_network
from flake8_jax.analysis.checks.derivatives.reaching import places_returned
from flake8_jax.analysis.checks.derivatives.terms import is_stopped
from flake8_jax.analysis.checks.derivatives.zeros import are_zeros
from flake8_jax.analysis.checks.effects.escapes import written
from flake8_jax.analysis.checks.effects.host_calls import is_seeded, note_seeded
from flake8_jax.analysis.checks.effects.outer import is_made_by
from flake8_jax.analysis.checks.effects.outer_writes import home_of
from flake8_jax.analysis.checks.effects.reading import ways_of_use
from flake8_jax.analysis.checks.guards import is_guarded, names_in
from flake8_jax.analysis.checks.host.clocks import read_clock
from flake8_jax.analysis.checks.keys.counters import affine_of
from flake8_jax.analysis.evaluator import call
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.labels.callees import code_of
from flake8_jax.analysis.labels.questions import is_read
from flake8_jax.analysis.objects import access
from flake8_jax.analysis.objects.array_evidence import is_no_array, whole_of
from flake8_jax.analysis.objects.classes import may_be_replaced
from flake8_jax.analysis.objects.copies import copied as copy_of
from flake8_jax.analysis.objects.dtypes import dtype_of_operand, stated_dtype
from flake8_jax.analysis.objects.instances import property_of, replaced, untraced_field
from flake8_jax.analysis.objects.iteration import any_element, element, renewed, shape_of_item
from flake8_jax.analysis.objects.key_items import dependences_of_key, key_slice, renamed_unknown
from flake8_jax.analysis.objects.names import current_value, rebound_now
from flake8_jax.analysis.objects.narrowing import peek
from flake8_jax.analysis.summaries.captured import all_given_to_maker, captured_input, captured_now, given_to_maker
from flake8_jax.analysis.summaries.computed_values import (
    array_alike,
    array_outside,
    computed,
    is_number,
    likeness,
    other_view,
    presumed_here,
    sized,
)
from flake8_jax.analysis.summaries.derived_keys import is_derived, key_held, key_payload_outside, key_taken
from flake8_jax.analysis.summaries.translation import choice_here
from flake8_jax.api.contracts import Freezing, StateMade, VariablesForm
from flake8_jax.domain.clocks import ClockRead
from flake8_jax.domain.conditions import Path, assume, is_about_inputs, is_left_out
from flake8_jax.domain.constants import OPEN
from flake8_jax.domain.dtypes import Dtype, DtypeSource, NamedDtype, Promotion, Promotions, of_input, resolved
from flake8_jax.domain.effects import Effect, OutcomeAtCall
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
    RANDOM_KEYS,
    REF,
    SHOWN_TO_CALLERS,
    STATIC,
    UNKNOWN,
)
from flake8_jax.domain.outer_writes import OuterWrite
from flake8_jax.domain.payload import EVERY, ORDINARY, SLICE, VARARGS, VARKW, Alternatives, ArrayDoubt, Elements, Step
from flake8_jax.domain.provenance import Hop
from flake8_jax.domain.resources import DrawSite
from flake8_jax.domain.staging import NONE, Ambient, Dependence, Dependences, Input, Presumed, certain, unite
from flake8_jax.domain.summary import Sink, Summary
from flake8_jax.domain.value import Value, dependences_of, input_of, unknown  # fmt: skip
from flake8_jax.ir import ops
from flake8_jax.ir.chains import chains_of
from flake8_jax.ir.ops import Op
from flake8_jax.ir.scope import Scope
from flake8_jax.ir.walking import within

MAXIMUM_DEPTH = 4
MAXIMUM_CHAIN = 6
MAXIMUM_POSSIBLE = 64
"""Of how many values that a closure may hold a test is tried."""

MADE = (ops.Build, ops.Operate, ops.Call)
"""What makes a text of values."""


def _calls(loop: ops.Loop, name: str) -> bool:
    """Does a loop call a function by this name on each turn?"""
    return any(
        type(part) is ops.Call and type(part.func) is ops.Name and part.func.name == name
        for one in loop.body
        for part in within(one)
    )



class Substitution:
    """One call: the caller's frame, the call op, the summary, the arguments by parameter.

    `conditions` are those that were translated, `subjects` what they are about, `chains` the calls to effects,
    `assumed` those that were added to the caller's path.  The `effect` of the callee is applied now, on the path `when`
    of the caller, by the calls of the `chain`.
    """

    __slots__ = (
        "ambient", "assumed", "bound", "chain", "chains", "conditions", "effect", "frame", "fresh", "function", "op",
        "owned", "resolved", "subjects", "summary", "when",
    )  # fmt: skip

    effect: Effect
    when: Path
    chain: tuple[Hop, ...]

    def __init__(
        self, frame: Frame, op: Op, summary: Summary, bound: dict[str, Value], ambient: Dependences,
        function: FunctionValue,
    ) -> None:  # fmt: skip
        self.function = function
        self.frame, self.op, self.summary, self.bound, self.ambient = frame, op, summary, bound, ambient
        self.owned: dict[Input, str] = {}
        for name, value in summary.inputs.items():
            for dependence in value.dependences:
                if isinstance(dependence, Input):
                    self.owned[dependence] = name
        self.resolved: dict[Input, Value | None] = {}
        self.fresh: dict[Value, Value] = {}
        self.conditions: dict[int, tuple[Path, Path | None]] = {}
        self.subjects: dict[Value, Value | None] = {}
        self.assumed: dict[int, tuple[Path, Path, Path]] = {}
        self.chains: dict[tuple[int, int], tuple[tuple[Hop, ...], tuple[Hop, ...]]] = {}

    def is_used_as_array(self, source: Input) -> bool:
        """Does the callee use an input as only an array can be used?"""
        return source in self.summary.uses.arrays

    def is_result_read(self) -> bool:
        """Is what the call gives read, other than for its shape?"""
        return is_read(DrawSite(self.op, code_of(self.frame)))

    @property
    def has_own_rule(self) -> bool:
        """Is the callee never differentiated, since there is a rule for its derivative?"""
        return self.frame.context.has_own_rule

    @property
    def is_left_out(self) -> bool:
        """Is the call left out, or for NumPy alone, as a test of its path says?"""
        return is_left_out(self.frame.path)

    @property
    def may_be_compiled(self) -> bool:
        """Does the callee have a decorator that may compile it?"""
        return self.frame.context.may_be_compiled

    @property
    def may_be_reversed(self) -> bool:
        """May the callee be differentiated in reverse mode, by arguments that are not known?"""
        return self.frame.context.may_be_reversed

    @property
    def has_auxiliary(self) -> bool:
        """Is the callee differentiated by what is first in its result alone?"""
        return self.frame.context.has_auxiliary

    @property
    def is_expected(self) -> bool:
        """Is an error expected of the call, or handled?"""
        return self.frame.context.is_prepared or bool(self.frame.exits.caught)

    @property
    def is_unstaged(self) -> bool:
        """Does what is called run as it is, without compilation?"""
        return self.frame.context.is_unstaged

    @property
    def has_host_turns(self) -> bool:
        """Does the caller, where a test says so, run the callee in a loop of its own instead: by numbers of Python?"""
        name, way = self.function.function.name, chains_of(self.frame.function).way_to(self.op)
        for outer, inner in pairwise(way):
            if type(outer) is ops.Branch:
                other = outer.orelse if inner in outer.body else outer.body
                if any(type(one) is ops.Loop and _calls(one, name) for one in other):
                    return True
        return False

    @property
    def is_awaited(self) -> bool:
        """Does nobody make the call yet, so that its arguments are unknown?"""
        return self.frame.context.is_awaited

    def moved(self, of: Dependences) -> Dependences:
        """The dependences in terms of the caller through which derivatives flow in this call."""
        call, kept = self.op, of
        if type(call) is ops.Call and self.frame.state is not None and self._is_called_by(call):
            kept = frozenset([one for one in of if type(one) is not Input or not self._is_stopped(call, one)])
        of_arrays, of_inputs = self.dependences(kept, True)
        return unite(of_arrays, of_inputs)

    def _is_called_by(self, call: ops.Call) -> bool:
        """Is it a call of the function itself, with arguments that are written one by one?"""
        callee = peek(self.frame, call.func) if ops.Star not in map(type, call.args) else None
        return callee is not None and callee.payload is self.function

    def _is_stopped(self, call: ops.Call, source: Input) -> bool:
        """Is the argument written as something through which no derivative flows, such as `stop_gradient(x)`?"""
        name = self.owned.get(source)
        if name is None:
            return False
        parameters = self.function.function.parameters
        places = [one.name for one in parameters if one.kind in ("positional", "normal")]
        place = places.index(name) if name in places else len(call.args)
        written = call.args[place] if place < len(call.args) else dict(call.keywords).get(name)
        return written is not None and is_stopped(self.frame, written)

    def places_returned(self, part: int | None) -> frozenset[int | None]:
        """Where in what the caller returns a part of the result of the call lies."""
        return places_returned(self.frame, self.op, part)

    def is_seeded(self, stream: str) -> bool:
        """Was the generator of a module given a seed before the call, in the same trace?  One that was seeded before
        JAX traces draws once for all calls as any other.
        """
        is_in_trace = certain(self.ambient) is None or certain(self.frame.ambient) is not None
        return is_in_trace and is_seeded(self.frame, stream)

    @property
    def is_run(self) -> bool:
        """Does a library run the callee, which keeps its state apart?"""
        return self.frame.context.is_run

    def is_zeros(self, value: Value) -> bool:
        """Is a value of the caller's an array that was made of zeros?"""
        return are_zeros(self.frame, value)

    def names_anything(self, name: str) -> bool:
        """Does the caller name something like this, anywhere?"""
        return any(
            (type(op) is ops.Attr or type(op) is ops.Name) and op.name == name
            for statement in self.frame.function.body for op in within(statement)
        )  # fmt: skip

    def is_called_before(self, name: str) -> bool:
        """Does the caller call what it calls by this name, before the call?"""
        chains = chains_of(self.frame.function)
        reads = (read for read in chains.names.get(name, ()) if read.place < self.op.place)
        return any(type(call := chains.parents.get(read)) is ops.Call and call.func is read for read in reads)

    def seed(self, stream: str) -> None:
        """Note that the call gives a seed to the generator of a module."""
        if self.frame.parent is not None and self.frame.state is not None:
            note_seeded(self.frame, stream)

    @property
    def is_for_shapes(self) -> bool:
        """Is the call run for the shape of its result alone?"""
        return self.frame.context.is_for_shapes

    @property
    def loops(self) -> tuple[Op, ...]:
        """The loops of the caller in which it is made on each turn, outermost first."""
        return loops_around(self.frame, self.op)

    @property
    def long_loops(self) -> tuple[Op, ...]:
        """Those of them that do not go through a few things that are written out."""
        return long_loops(self.frame, self.op)

    @property
    def bound_axes(self) -> tuple[frozenset[str] | None, ...]:
        """The names of axes that the transforms bind under which the call is made; None for what is not known.

        A method that objects may have in another form may bind any: `self.update = pmap(self.update, "i")`.
        """
        func = self.op.func if type(self.op) is ops.Call else None
        owner, bound = self.function.owner, self.frame.bound_axes
        if owner is not None and type(func) is ops.Attr and may_be_replaced(owner, func.name):
            return (*bound, None)
        return bound

    @property
    def splits(self) -> frozenset[str] | None:
        """The parameters that are split among devices, where the call is made under `shard_map`; else None."""
        return self.frame.splits

    @property
    def is_of_host(self) -> bool:
        """Is the caller evidently run by the host?"""
        return is_of_host(self.frame)

    def holds(self, value: Value, source: Op | None) -> bool:
        """Did the caller itself make an object, which it reads at `source`?"""
        return is_made_by(self.frame, value, source)

    def ways_of_use(self) -> frozenset[str]:
        """What becomes of the result of the call in the caller."""
        return ways_of_use(self.frame, self.op)

    def written(self, write: OuterWrite) -> Iterator[OutcomeAtCall]:
        """What comes of a write of the callee into what outlives it."""
        return written(self, write)

    def freezing(self, value: Value) -> Freezing | None:
        """What freezes the fields of an object of the caller's."""
        return frozen_now(self.frame, value)

    def update_needs(self, value: Value) -> frozenset[str]:
        """What the update of an optimizer of the caller's needs."""
        return update_needs(self.frame, value)

    def state_made(self, value: Value) -> StateMade | None:
        """What a state of an optimizer was made of in the caller."""
        return state_made(self.frame, value)

    def turns_with(self, kept: Input, renewed: Input) -> tuple[Op, Op, Op] | None:
        """The innermost loop of the caller whose turns bind the argument for one input and never that for another."""
        held, new = self.source_of(kept), self.source_of(renewed)
        if held is None or new is None or kept.parent is not None or renewed.parent is not None:
            return None
        loop = chains_of(self.frame.function).loop_renewing(self.loops, held, new)
        return None if loop is None else (loop, held, new)

    def updated_by(self, value: Value) -> str:
        """The transform that puts back what is updated in an object."""
        return updated_by(self.frame, value)

    def gives_back(self, name: str) -> bool:
        """Does the caller return anything of what it calls by this name, other than what the call gives?"""
        return gives_back(self.frame.function, name, self.op)

    def home_of(self, source: Input, value: Value) -> Scope | None:
        """The function around the caller that holds an object, which it passes for an input."""
        found = home_of(self.frame, self.source_of(source), value)
        return found if isinstance(found, Scope) else None

    def is_home(self, scope: Scope) -> bool:
        """Is it the scope of the caller?"""
        return self.frame.function.scope is scope

    def form_of_variables(self, value: Value) -> VariablesForm | None:
        """What a value of the caller's is of the variables of a network."""
        return form_of_variables(self.frame, value)

    def is_network(self, value: Value) -> bool:
        """Is it an object of a library that runs as a network?"""
        return runs_network(self.frame, value, APPLY)

    def is_unguarded(self) -> bool:
        """Is the op reached whatever tests around it or around the call say of inputs?"""
        is_prepared, op = self.frame.context.is_prepared, self.op
        return not is_about_inputs(self.when) and not is_prepared and not is_guarded(self.frame, op, names_in(op))

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
            return Value(ARRAY, held, None, self.op, shape, base.dtype)
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
                elif actual.kind is INPUT and is_plain_input and dependence not in self.summary.uses.arrays:
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

    def number_behind(self, source: Input) -> Value | None:
        """The number that the argument at an input is a known distance from, or that argument."""
        actual = self.resolve(source)
        return affine_of(self.frame, actual).number if actual is not None else None

    def is_owned(self, source: Input) -> bool:
        """Is it an input of this function, or a part of one?"""
        while source.parent is not None:
            source = source.parent
        return source in self.owned

    def argument_of(self, source: Input) -> Value | None:
        """The argument that an input is, or is a part of."""
        while source.parent is not None:
            source = source.parent
        name = self.owned.get(source)
        return self.bound.get(name) if name is not None else None

    def contents(self, base: Value) -> Value:
        """A container as it is at the call."""
        return self.frame.live().contents(base)

    @property
    def promotions(self) -> Promotions:
        """JAX's rules for dtypes."""
        return self.frame.program.table

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
        return stated_dtype(self.promotions, actual) if given is not source else dtype_of_operand(actual)

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
        if any(given is subject for given in self.bound.values()):
            return subject
        around: Frame | None = self.function.frame
        while around is not None:
            if any(given is subject for _, given in around.presets):
                return subject
            around = around.parent
        return None

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

    def target(self, sink: Sink) -> Value | None:
        """The caller's value that a sink uses up; for a captured one, the current value of its name."""
        if isinstance(sink.target, Input):
            return self.outside(sink.target)
        if sink.target in self.summary.outside.rebound:
            return rebound_now(self.frame, self.summary.outside.rebound[sink.target], self.op)
        is_global = sink.target in self.frame.program.linked.globals
        held = key_held(self, sink.target) or (None if is_global else key_taken(self, sink.target))
        if held is not None:
            return held
        if is_derived(sink.target) and not is_global:
            return self.value(sink.target)
        return current_value(self.frame, sink.target)

    def outside(self, source: Input) -> Value | None:
        """The argument at an input, or the current value of a captured one, as it was before any transform."""
        if source.parent is None:
            found = self.resolve(source) or captured_input(self, source)
            return None if found is None else found.original
        base = self.outside(source.parent)
        return None if base is None or source.step is None else self._part(base, source.step)

    def source_of(self, target: Input) -> Op | None:
        """The op of the argument for an input, if it is written in the call."""
        while target.parent is not None:
            target = target.parent
        name = self.owned.get(target)
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
            of_arrays, of_inputs = self.dependences(value.dependences, False)
            payload = None if value.payload is None else key_payload_outside(self, value.payload, depth)
            return array_outside(self, value, unite(of_arrays, of_inputs), payload)
        if kind in CONTAINERS:
            return self._container(value, depth)
        if kind is INSTANCE and isinstance(value.payload, InstanceOf) and value.payload.copied is not None:
            return self._copy(value, value.payload.owner, value.payload.copied, depth)
        if kind is INSTANCE:
            source = input_of(value)
            actual = self.resolve(source) if source is not None else None
            return actual if actual is not None else self._instance(value, depth)
        if kind is UNKNOWN and type(value.payload) is Copied:
            return self._copy(value, None, value.payload, depth)
        if kind is STATIC and type(value.dtype) is Promotion:  # the dtype of an array
            return Value(STATIC, NONE, OPEN, self.op, dtype=self.dtype(value))
        if kind is STATIC and value.dependences and value.payload is OPEN and isinstance(value.made_by, MADE):
            of_arrays, of_inputs = self.dependences(value.dependences, True, True)
            return Value(STATIC, unite(of_arrays, of_inputs), OPEN, self.op)
        if isinstance(value.payload, (Alternatives, Flag)):
            return choice_here(self, value, value.payload)
        if type(value.payload) is ClockRead:
            return read_clock(self.frame, self.op)
        if kind is UNKNOWN:
            renamed = renamed_unknown(value, self.value, self.op)
            is_noted = renamed.kind is UNKNOWN and value.made_by in self.frame.program.variables
            return Value(UNKNOWN, NONE, renamed.payload, value.made_by) if is_noted else renamed
        if (kind is STATIC or kind is NUMBER) and value.payload is OPEN and value.made_by is None:
            actual = self.input_value(value)  # a parameter of which only the type is known
            return actual if actual is not None and actual.kind in HOST_CONSTANTS else value
        return value

    def _input(self, value: Value) -> Value:
        given = value.input
        if given is not None:
            actual = self.resolve(given)
            if actual is not None:
                return sized(self, actual, value) if value.like is not None else actual
            return value if not self.is_owned(given) else unknown("argument missing", self.op)
        if value.dtype is not None and (made := array_alike(self, value)) is not None:
            return made
        is_sum = value.dtype is not None or type(value.made_by) is ops.Operate
        if is_sum and (made := computed(self, value)).kind in ARRAYS_AND_NUMBERS:
            return made  # a sum is one of lists otherwise
        of_arrays, of_inputs = self.dependences(value.dependences, True)
        if not of_arrays and not of_inputs:
            return unknown("not an input", self.op)
        held, like = unite(of_arrays, of_inputs), likeness(self, value)
        return Value(INPUT, held, None, self.op, dtype=self.dtype(value), like=like)

    def _copy(self, value: Value, owner: ClassValue | None, copied: Copied, depth: int) -> Value:
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
        of_arrays, of_inputs = self.dependences(value.dependences, False) if value.dependences else (NONE, NONE)
        payload = value.payload.without_parts() if type(value.payload) is Elements else None
        if depth < MAXIMUM_DEPTH:
            payload = with_parts(value.payload, lambda part: self.value(part, depth + 1))
        return Value(value.kind, unite(of_arrays, of_inputs), payload, self.op)
