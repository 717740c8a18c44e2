"""Preconditions that a value is concrete: Python or a library needs its value, and a tracer has none.

def helper(t):
    if t > 0: ...           precondition of `helper`: t > 0 is concrete, under the path to the `if`
def step(x):
    return helper(x * 2)    x * 2 depends on x: `step` inherits it, with one hop more
jax.jit(step)               x is a tracer: the event is reported at the `if`, with the chain
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import partial
from itertools import pairwise
from typing import ClassVar, Literal, TypeAlias, get_args

from flake8_jax.analysis.callables import is_optional
from flake8_jax.analysis.certainty import as_assumed
from flake8_jax.analysis.checks.advice.branches import EARLIER
from flake8_jax.analysis.checks.advice.host_functions import on_the_host
from flake8_jax.analysis.checks.advice.static_arguments import declaration, declared_static, declaring, static_names
from flake8_jax.analysis.checks.advice.unselectable import OF_TEXTS
from flake8_jax.analysis.checks.advice.values import remedy_of, words_of
from flake8_jax.analysis.checks.at_views import need_no_view
from flake8_jax.analysis.checks.compilation.donated_reads import check_read
from flake8_jax.analysis.checks.context import place
from flake8_jax.analysis.checks.guards import is_in_arm_for_host, is_unguarded
from flake8_jax.analysis.checks.host.waits import wait_for
from flake8_jax.analysis.checks.selections import instead_of_truth
from flake8_jax.analysis.checks.static_values import (
    AXES,
    function_of_jax,
    function_of_two,
    instead_of_computing,
    instead_of_value,
    is_made_in_trace,
)
from flake8_jax.analysis.checks.truths import OF_ONE, ArrayTruth, array_truth, elements_asked
from flake8_jax.analysis.evidence import CallSite, Need, OutcomeAtCall
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.host_operands import is_certain, is_of_host
from flake8_jax.analysis.objects.narrowing import facts_of
from flake8_jax.analysis.objects.operators import special
from flake8_jax.analysis.objects.static_attributes import STATIC_ATTRIBUTES
from flake8_jax.analysis.summaries.deferral import emit, leave
from flake8_jax.api.dtypes import DTYPES
from flake8_jax.domain.conditions import ALWAYS, Path, is_about_inputs, is_left_out, on_path, path_of
from flake8_jax.domain.effects import Event, Finding
from flake8_jax.domain.kinds import (
    ARRAY,
    ARRAYS_OR_COMPUTED,
    COMPUTED,
    CONTAINERS,
    INPUT,
    MAY_BE_ARRAY,
    MAY_BE_INSTANCE,
    NUMPY,
)
from flake8_jax.domain.payload import ArrayDoubt
from flake8_jax.domain.provenance import BY_CONVENTION, USUALLY, Context
from flake8_jax.domain.staging import NONE, Dependences, FlagType, Input, Token, certain, context_of, flag_of, unite
from flake8_jax.domain.value import Value, dependences_of
from flake8_jax.ir.chains import chains_of
from flake8_jax.ir.ops import Branch, Build, Call, Logic, Loop, Matches, Name, Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.rewrite import Rewrite
from flake8_jax.ir.walking import within
from flake8_jax.lazy_dataclasses import dataclass, replace
from flake8_jax.model.diagnostic import Remedy
from flake8_jax.syntax.positions import spelling

DECLARED = "declare it static where it is jitted"
OF_PLACES = "name its place in `static_broadcasted_argnums`"
"""What declares an argument static where `pmap` maps a function, which knows no names."""

JOINING = frozenset(("concat", "concatenate", "stack"))
"""The last names of functions that take a sequence of arrays, and an axis behind it."""

NO_ARRAYS = frozenset(("axis_name", "treedef"))
"""The parameters for what JAX refuses in a tree where it traces, before this is asked: what a part of a tree is given
for is no array.
"""

COMPUTED_WITH = frozenset(("numpy", "math", "isclose"))
"""What has a function of JAX that takes arrays."""

TruthForm: TypeAlias = Literal[
    "if", "elif", "while", "assert", "ternary", "case", "pattern", "comprehension",
    "not", "and", "or", "chain", "in", "bool", "any", "all", "min", "max", "sorted", "filter",
]  # fmt: skip
"""The construct that asks for the truth of a value."""

ValueForm: TypeAlias = Literal[
    "int", "range", "index", "slice", "repeat", "float", "complex", "item", "tolist", "math", "isclose", "format",
    "hash", "json", "host", "numpy", "numpy index", "numpy item", "shape", "bound", "mask", "size", "text",
]  # fmt: skip
"""What asks for the value itself.

`shape` is a parameter of a function of JAX, `bound` the bound of a slice of an array, `mask` a boolean index,
`size` a function whose result has a shape that depends on values, and `text` a comparison with a string.
"""

ConcreteForm: TypeAlias = TruthForm | ValueForm

TRUTHS: frozenset[ConcreteForm] = frozenset(get_args(TruthForm))
OF_ARRAYS: frozenset[ConcreteForm] = TRUTHS | {"host", "mask"}
"""What is asked of arrays only: an input may be a container, or another object."""

COMPARING: frozenset[ConcreteForm] = frozenset(("min", "max", "sorted", "in"))
"""What asks for the truth of comparisons, which are made in the code around."""

ASKING_OBJECTS: frozenset[ConcreteForm] = frozenset(
    ("if", "elif", "while", "assert", "ternary", "comprehension", "not", "and", "or")
)
"""What calls `__bool__` of an object, or else `__len__`, beside the function `bool`."""

NUMBERS: frozenset[ConcreteForm] = frozenset(("int", "range", "index", "float", "complex", "math"))
"""What only a number can be asked for."""

WITHOUT_GRADIENT: frozenset[ConcreteForm] = frozenset((
    "float", "complex", "tolist", "math", "isclose", "format", "hash", "json", "host", "numpy", "numpy index",
    "numpy item",
))  # fmt: skip
"""What differentiation without `jit` leaves impossible: measured."""

INDEXING: frozenset[ConcreteForm] = frozenset(("index", "numpy index"))
HOLDING = CONTAINERS | {NUMPY}
"""What takes no tracer for an index."""

SIZED: frozenset[ConcreteForm] = frozenset(("range", "shape", "repeat"))
"""What needs a number of Python."""

NAIVE: frozenset[ConcreteForm] = (TRUTHS - {"assert"}) | {"mask", "size"}
"""What is asked for without a word that says so: code that converts, or asserts, knows that it gets values."""

OF_WHOLE: frozenset[ConcreteForm] = frozenset(("item", "tolist"))
"""What an array alone is asked for."""
CONVERTING: frozenset[ConcreteForm] = OF_WHOLE | {"int", "float", "complex", "host"}
"""What makes a value of the host of an array, by a word that does nothing else."""

DISCRETE = frozenset(name for name in DTYPES if name == "bool" or "int" in name)


CHOOSING = frozenset(("all", "any"))
"""Functions of Python that ask for truths one by one: what is chosen by them seldom is an array."""


KEPT = "keep all elements, and choose"
"""How the words begin that say what to do about a comprehension that leaves out elements."""


@dataclass(frozen=True, slots=True)
class TracerConcretized:
    """Python or a library needs the value of a tracer.

    `form` is what needs it, `by` the function that is called, `parameter` the one of it; `subject` is the text of the
    value; `instead` is what to write.  `flag`: the value is an argument of this type of the host, and of nothing else.
    `is_of_host`: library functions made it of values of the host alone.  `rewrite` are the changes that make it right,
    `static` the option that declares the argument static.
    """

    op: Op
    form: ConcreteForm
    by: str
    parameter: str
    subject: str
    instead: str
    flag: FlagType
    is_of_host: bool
    context: Context
    rewrite: Rewrite | None = None
    construct: Op | None = None
    static: str = ""

    @property
    def remedy(self) -> Remedy:
        """What to write instead, to be tried."""
        if self.construct is None or self.flag:
            return Remedy("", self.instead)
        if self.static:
            trace = self.context.trace
            declared = OF_PLACES if trace is not None and trace.transform == "jax.pmap" else DECLARED
            words = declared if self.parameter in AXES else f"{declared}, or take the number from a shape"
            call = self.construct
            if self.by.rpartition(".")[2] in JOINING and type(call) is Call and self.op in call.args:
                words = f"pass the arrays in one tuple, or, if it is an axis, {declared}"
            return Remedy(self.instead if self.rewrite is not None else "", words)
        if self.rewrite is not None:
            return Remedy(self.instead, "use functions of NumPy, which compute on the host")
        paired = function_of_two(self.op, self.construct)
        if self.is_of_host and self.form not in COMPUTED_WITH and not paired:
            return Remedy("", self.instead)
        words = words_of(self.op, self.construct, self.form, self.instead)
        words = words.replace(EARLIER, ", or leave it out") if is_made_in_trace(self.context) else words
        trace, is_made = self.context.trace, is_made_in_trace(self.context)
        is_of_cond = trace is not None and trace.role == "a branch of" and trace.transform.endswith("cond")
        if trace is not None and is_of_cond and is_made and words.startswith(OF_TEXTS):
            where = place(trace.path, trace.line, trace.path != self.op.anchor.origin.shown)
            branches = "its branches may give arrays alone"
            return Remedy("", f"write the `{trace.shown}` {where} as an `if` of Python: {branches}")
        if self.form in ("slice", "bound") and is_made_in_trace(self.context):
            return Remedy("", words)
        found = remedy_of(self.op, self.construct, self.form, paired or function_of_jax(self.construct))
        is_choice = self.form in CHOOSING or words.startswith(KEPT)
        if found is None and is_choice and is_made_in_trace(self.context):
            words = f"choose on the host before the call what is no array; for arrays {words}"
        return Remedy(found.code, words, found.edits) if found is not None else Remedy("", words)

    @property
    def is_of_argument(self) -> bool:
        """Is the value at issue an array that was handed in, or made of one?"""
        return not self.flag and not self.is_of_host


@dataclass(frozen=True, slots=True)
class NeedsConcrete(Need):
    """A value must be concrete where a construct needs it.

    `is_plain_input`: it is an unmodified input that may be a container, of which something else is asked then.
    `question`: the whole test that it is asked for in, which is reported once.  `parameter`: that of the function that
    is called, if it is one of a library; `receiver`: the input whose method it is, if that proves to be an array, or
    which is indexed, if that is a container or an array of NumPy.
    `is_made`: the value is made of inputs, an array of the code around if one of them is an array; `is_discrete`: it is
    an integer or a truth; `is_of_host`: a library makes it of values of the host, where all inputs are such.  `like`:
    the input that has its shape.  `way`: the facts under which it is this value, and not another one; a call has to
    refute them, and what is traced itself is as sure as that calls do not.
    """

    asks: ClassVar = "`{0.op}` must be concrete for `{0.form}`", "a tracer"
    form: ConcreteForm
    construct: Op
    question: Op
    is_plain_input: bool
    parameter: str = ""
    receiver: Input | None = None
    is_made: bool = False
    is_discrete: bool = False
    is_of_host: bool = False
    like: Input | None = None
    indices: Dependences = NONE
    way: Path = ALWAYS

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """Violated by a tracer of staged or mapped code; for unknown staging the caller inherits it.

        The truth of several elements is refused of any array.
        """
        if is_left_out(site.frame.path) or site.frame.context.is_prepared or is_in_arm_for_host(site.frame, site.op):
            return
        way = site.translated(self.way)
        if way is None and site.hop is not None:
            return
        alike = site.resolve(self.like) if self.like is not None else None
        count = elements_asked(alike, self.form) if alike is not None else ""
        if count and is_unguarded(site):
            asked = array_truth(self.op, self.form, self.construct, count, Context(None, site.chain))
            yield Finding((ArrayTruth, self.question, ()), asked)
        receiver = site.resolve(self.receiver) if self.receiver is not None else None
        asked_by = HOLDING if self.form in INDEXING else ARRAYS_OR_COMPUTED
        if receiver is not None and receiver.kind is not INPUT and receiver.kind not in asked_by:
            return
        if receiver is not None and receiver.kind is NUMPY and self.form == "index":
            yield from replace(self, form="numpy index").at(site)
            return
        around = receiver.input if receiver is not None else self.receiver
        of_arrays, of_inputs = self._in_terms_of(site)
        of_indices, _ = site.dependences(self.indices, False)
        of_arrays = unite(of_arrays, of_indices)
        is_discrete = self.is_discrete or self._is_discrete(site)
        token, flag = stage_of(of_arrays, self.form, is_discrete), flag_of(of_arrays)
        if token is not None and self._is_asked_by(site, receiver):
            if _has_host_turns(site) or _is_of_eager_code(token, site.assume(site.when)):
                return
            if self.form != "text" or flag == "str":
                is_untraced = self.is_of_host and self._is_of_host(site, is_asked_now=True)
                make: Callable[[], Event] = self.event(context_of(token, site.chain), flag, is_untraced)
                make = make if way is not None else partial(as_assumed, make)
                yield Finding((TracerConcretized, self.question, ()), make)
            return
        rest = unite(of_arrays, of_inputs)
        is_settled = receiver.kind in asked_by if receiver is not None else self.form not in INDEXING or around is None
        if any(type(d) is not Token for d in rest) and (is_settled or around is not None):
            is_plain_input, is_made = self.is_plain_input and not of_arrays, self.is_made or self._is_made_by(site)
            is_untraced = self.is_of_host and self._is_of_host(site, is_asked_now=False)
            yield NeedsConcrete(
                self.op, rest, self.form, self.construct, self.question, is_plain_input, self.parameter, around,
                is_made, is_discrete, is_untraced, alike.alike if alike else self.like, of_indices, way or ALWAYS,
            )  # fmt: skip

    def _is_asked_by(self, site: CallSite, receiver: Value | None) -> bool:
        """Is the object whose method is called an array, or a tracer that is used as one, or does it need an index?

        What is indexed must be known: an array takes an array for an index.
        """
        if self.is_plain_input and any(type(source) is Input and _has_fields(source) for source in self.dependences):
            return False
        if self.parameter in NO_ARRAYS and any(type(one) is Input and one.parent for one in self.dependences):
            return False
        if receiver is None:
            return self.receiver is None or self.form not in INDEXING
        if self.form in INDEXING:
            return receiver.kind in HOLDING
        if receiver.kind in ARRAYS_OR_COMPUTED:
            return True
        is_used = self.form == "mask" or (self.receiver is not None and self.receiver in site.summary.uses.arrays)
        return is_used and receiver.kind is INPUT and certain(receiver.dependences) is not None

    def _is_discrete(self, site: CallSite) -> bool:
        """Are all arguments that it depends on integers or truths?"""
        found = [site.resolve(source) for source in self.dependences if type(source) is Input]
        return bool(found) and all(actual is not None and actual.dtype in DISCRETE for actual in found)

    def _is_of_host(self, site: CallSite, is_asked_now: bool) -> bool:
        """Are all arguments that it depends on values of the host, or, if this may stay open, inputs?"""
        found = [site.resolve(source) for source in self.dependences if type(source) is Input]
        known = all(actual is not None and is_of_host(actual) for actual in found)
        return known and not (is_asked_now and any(actual and not is_certain(actual) for actual in found))

    def _is_made_by(self, site: CallSite) -> bool:
        """Does the caller compute an argument that it depends on?"""
        found = [site.resolve(source) for source in self.dependences if type(source) is Input]
        return any(actual is not None and actual.kind is COMPUTED for actual in found)

    def _in_terms_of(self, site: CallSite) -> tuple[Dependences, Dependences]:
        """The dependences in terms of the caller: those of arrays, and those of possible containers.

        A container whose truth is asked is no array; of one that is asked for values each part is.
        """
        of_arrays, of_inputs = site.dependences(self._of_arrays(site), self.is_plain_input)
        actuals = [site.resolve(d) for d in self.dependences if type(d) is Input]
        if self.form == "mask" and self.is_plain_input and all(one is None or one.dtype != "bool" for one in actuals):
            return NONE, unite(of_arrays, of_inputs)
        for actual in actuals:
            if actual is not None and actual.kind in CONTAINERS and self.form not in TRUTHS:
                of_arrays = unite(of_arrays, dependences_of(actual))
            elif (
                actual is not None and actual.kind is ARRAY and type(actual.payload) is not ArrayDoubt and self.is_made
            ):
                of_arrays = unite(of_arrays, site.ambient)
        if self.is_plain_input and actuals and all(one is not None and one.kind is ARRAY for one in actuals):
            of_arrays = unite(of_arrays, frozenset(d for d in self.dependences if type(d) is Token))
        return of_arrays, of_inputs

    def _of_arrays(self, site: CallSite) -> Dependences:
        """The dependences, without an input in whose place a container is passed: its truth is no array's."""
        if not self.is_plain_input:
            return self.dependences
        return frozenset(d for d in self.dependences if type(d) is not Input or self._is_asked(site.resolve(d)))

    def _is_asked(self, actual: Value | None) -> bool:
        if actual is None or actual.kind is INPUT:
            return True
        return actual.kind not in CONTAINERS and (self.form != "mask" or actual.dtype == "bool")

    def event(self, context: Context, flag: FlagType, is_untraced: bool) -> Callable[[], TracerConcretized]:
        """The event of its violation."""
        op, form, construct, parameter = self.op, self.form, self.construct, self.parameter

        def make() -> TracerConcretized:
            subject = spelling(op.subject) or "..." if type(op) is Matches else phrase(op)
            by = phrase(construct.func) if type(construct) is Call else ""
            instead = instead_of_truth if form in TRUTHS else instead_of_value
            is_known = is_untraced and (context.trace is None or not context.trace.value)
            is_computed = is_known and not function_of_two(op, construct)
            advice = instead_of_computing(op) if is_computed else instead(op, construct, form, context)
            is_static = bool(flag) or advice.startswith("use `static_argnames")
            rewrite = on_the_host(op) if is_computed else declared_static(op, context) if is_static else None
            static = declaration(op, context, (context.trace.value,)) if is_static and context.trace else ""
            advice = f"use `{static}`" if static and advice.startswith("use `static_argnames") else advice
            return TracerConcretized(
                op, form, by, parameter, subject, advice, flag, is_known, context, rewrite, construct, static
            )

        return make


def _has_fields(source: Input) -> bool:
    """Is an attribute of an input read that no array has?  Then it is an object, though it may have a shape as well."""
    return any(step[0] == "." and step[1] not in STATIC_ATTRIBUTES for step in source.parts or ())


def need_concrete(
    frame: Frame, value: Value, op: Op, form: ConcreteForm, construct: Op, question: Op | None = None,
    parameter: str = "", receiver: Value | None = None, way: Path = ALWAYS,
) -> None:  # fmt: skip
    """Report a tracer where Python or a library needs the value; inputs become preconditions.

    The first event of a `question`, the whole test, is its only one.  What of a container is asked for is each of its
    known parts; what is another value on each of some paths is asked for as each of them, on the `way` there.
    """
    value = on_path(frame.path, value)
    for one, facts in value.ways:
        need_concrete(frame, one, op, form, construct, question, parameter, receiver, way + path_of(facts))
    if value.ways:
        return
    wait_for(frame, value)
    if value.kind is ARRAY:
        check_read(frame, op, value)
    if form in NUMBERS:
        need_no_view(frame, value, op, "value", construct)
    if value.kind in CONTAINERS and form not in TRUTHS:
        held = frame.live().contents(value)
        stored = (part for step, part in frame.live().stored_parts(value) if step[0] == "[]" and not held.parts)
        for place, part in enumerate((*held.parts, *stored)):
            display = op if type(op) is Build and held.elements is not None else None
            is_there = display is not None and place < len(display.parts)
            shown = display.parts[place] if display is not None and is_there else _written_as(op, part)
            need_concrete(frame, part, shown, form, construct, question, parameter, receiver, way)
        return
    if (count := elements_asked(value, form)) and not frame.context.is_prepared:
        emit(frame, (ArrayTruth, question or op, ()), array_truth(op, form, construct, count))
    if value.kind in MAY_BE_INSTANCE and form in ASKING_OBJECTS and special(frame, op, value, "__bool__") is None:
        special(frame, op, value, "__len__")
    if value.kind not in MAY_BE_ARRAY or value.dependences is NONE or frame.context.is_prepared:
        return
    if is_left_out(frame.path) or is_in_arm_for_host(frame, op):
        return
    is_plain_input = value.kind is INPUT and form in OF_ARRAYS
    around = receiver.input if receiver is not None else None
    is_open = is_plain_input or around is not None
    token = None if is_open else stage_of(value.dependences, form, value.dtype in DISCRETE)
    when = _reached_under(frame, op)
    asked = NeedsConcrete(
        op, value.dependences, form, construct, question or op, is_plain_input, parameter, around,
        is_made=value.kind is COMPUTED or form in COMPARING, is_discrete=value.dtype in DISCRETE,
        is_of_host=value.kind is ARRAY and is_of_host(value),
        like=value.alike if form in OF_ONE and not is_about_inputs(frame.path) else None,
        indices=_indices(value) if is_plain_input and form in TRUTHS else NONE,
        way=way,
    )  # fmt: skip
    if token is not None and _is_of_eager_code(token, frame.path):
        return
    if token is not None:
        flag = flag_of(value.dependences)
        if form != "text" or flag == "str":
            event = asked.event(context_of(token), flag, asked.is_of_host and is_certain(value))
            emit(frame, (TracerConcretized, asked.question, ()), event, way + when)
    else:
        leave(frame, asked, when)


def _written_as(op: Op, part: Value) -> Op:
    """Where a part of a sequence is written in the op that makes it: `n` of `(n,) + x.shape[1:]`; else that op."""
    displays = (one for one in within(op) if type(one) is Build and one.kind in ("tuple", "list"))
    name = part.input.name if part.input is not None and part.input.parent is None else ""
    written = (source for display in displays for source in display.parts)
    is_part = (
        source for source in written if source is part.made_by or (type(source) is Name and source.name == name)
    )
    return next(is_part, op)


def _is_of_eager_code(token: Token, path: Path) -> bool:
    """Is it only by convention that a layer is called in traces, where a path says that it got what it may do without?

    Who hands that in may call the layer in eager code.
    """
    return token.trace.role == BY_CONVENTION and any(
        (fact.holds if fact.test == "truth" else fact.test == "is" and fact.other is None and not fact.holds)
        and is_optional(fact.subject.original)
        for fact in path
    )


def _indices(value: Value) -> Dependences:
    """The dependences of a part of an input beside the part itself: those of the index that took it."""
    part = value.input
    return frozenset(d for d in value.dependences if d is not part) if part is not None else NONE


def need_index_of(frame: Frame, base: Value, index: Value, op: Op, construct: Op) -> None:
    """Leave it to callers whether what is indexed, an input, takes no tracer for an index that an array is."""
    if not frame.context.is_prepared and index.dependences is not NONE:
        leave(frame, NeedsConcrete(
            op, index.dependences, "index", construct, op, False, "", base.input,
            is_made=index.kind is COMPUTED, is_discrete=True,
        ))  # fmt: skip


def without_truths_told(events: Iterable[Event]) -> list[Event]:
    """The events without those that report the truth of one array a second time for its size."""
    events = list(events)
    told = {event.op for event in events if type(event) is TracerConcretized}
    return [event for event in events if type(event) is not ArrayTruth or event.op not in told]


def declared_together(events: Iterable[Event]) -> list[Event]:
    """The events, in which all arguments of one jitted function that must be static are declared static by one fix."""
    events = list(events)
    sized: dict[int, TracerConcretized] = {}
    needed: dict[Hashable, dict[str, None]] = {}
    for number, event in enumerate(events):
        is_sized = type(event) is TracerConcretized and event.form in SIZED and not event.flag and not event.is_of_host
        if type(event) is TracerConcretized and is_sized and not function_of_two(event.op, event.construct):
            sized[number] = event
            needed.setdefault(_root(event), {}).update(dict.fromkeys(static_names(event.op, event.context)))
    for number, event in sized.items():
        names = tuple(needed[_root(event)])
        trace, rewrite = event.context.trace, declaring(event.op, event.context, names) if names else None
        if rewrite is not None and trace is not None and trace.value in names:
            said = declaration(event.op, event.context, names)
            events[number] = replace(event, instead=f"use `{said}`", rewrite=rewrite, static=said)
        elif event.rewrite is not None:
            events[number] = replace(event, rewrite=None)
    return events


def _root(event: Event) -> Hashable:
    trace = event.context.trace
    return trace and (trace.path, trace.line, trace.function)


def first_of_each_flag(events: Iterable[Event]) -> list[Event]:
    """The events with only the first for each flag argument: declaring it static settles the others."""
    kept: dict[Hashable, Event] = {}
    for event in events:
        trace = event.context.trace
        is_flag = type(event) is TracerConcretized and event.flag
        key = (trace.place, trace.value) if is_flag and trace is not None else id(event)
        if event.op.anchor.line < kept.setdefault(key, event).op.anchor.line:
            kept[key] = event
    return list(kept.values())


def _reached_under(frame: Frame, op: Op) -> Path:
    """For `a and b`, whose value is that of `b` where `a` is true: the fact that `a` is true."""
    if type(op) is not Logic:
        return ALWAYS
    return tuple(fact for operand in op.operands[:-1] for fact in facts_of(frame, operand, op.operator == "and"))


def stage_of(dependences: Dependences, form: ConcreteForm = "if", is_discrete: bool = False) -> Token | None:
    """The trace under which a value is not available for a use.

    Bare differentiation leaves truths and integers available, and does not trace what `is_discrete`.  That a module is
    called in a trace is a convention, and no evidence against code that converts or asserts what it gets.
    """
    is_differentiable = form in WITHOUT_GRADIENT and not is_discrete
    stages = ("staged", "mapped", "differentiated") if is_differentiable else ("staged", "mapped")
    found = certain(frozenset(d for d in dependences if type(d) is not Token or d.stage in stages))
    if found is not None and found.trace.role == USUALLY and form not in NAIVE:
        return None
    return found


def _has_host_turns(site: CallSite) -> bool:
    """Does the caller, where a test says so, run the callee in a loop of its own instead: by numbers of Python?"""
    name, way = site.function.function.name, chains_of(site.frame.function).way_to(site.op)
    for outer, inner in pairwise(way):
        if type(outer) is Branch:
            other = outer.orelse if inner in outer.body else outer.body
            if any(type(one) is Loop and _calls(one, name) for one in other):
                return True
    return False


def _calls(loop: Loop, name: str) -> bool:
    """Does a loop call a function by this name on each turn?"""
    return any(
        type(part) is Call and type(part.func) is Name and part.func.name == name
        for one in loop.body
        for part in within(one)
    )
