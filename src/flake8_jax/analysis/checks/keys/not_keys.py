"""Preconditions that a value is one random key, or an integer to make one from, where JAX needs that.

def noise(key, x):
    return x + normal(key, x.shape)     precondition of `noise`: `key` is one key
noise(42, x)                            violated by a number: the event is reported at `42`
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from operator import attrgetter
from typing import ClassVar, Literal, NamedTuple, TypeAlias

from flake8_jax.analysis.callables import Arguments, InstanceOf
from flake8_jax.analysis.checks.instead import INDEX, Advice, derived, from_a_key, one_of_them, with_the_names
from flake8_jax.analysis.checks.keys.origins import input_behind
from flake8_jax.analysis.checks.naming import imported_as, imported_name, scope_of
from flake8_jax.analysis.checks.wording import callee_text, origin
from flake8_jax.analysis.evidence import CallSite, Need, OutcomeAtCall, arguments_at
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.isolation import ADVICE, advising
from flake8_jax.analysis.labels.tables import SEEDED
from flake8_jax.analysis.objects.instances import passed_input
from flake8_jax.analysis.summaries.deferral import emit, leave
from flake8_jax.api.rows import ApiFunction
from flake8_jax.domain.constants import Constant
from flake8_jax.domain.effects import Finding
from flake8_jax.domain.key_parts import KeyPart, counts_of
from flake8_jax.domain.kinds import (
    COMPUTED,
    DICT,
    HARMLESS_AS_ARGUMENT,
    KEY,
    KEYS,
    LIST,
    NUMBER,
    NUMERIC_OR_KEYS,
    RANDOM_KEYS,
    STATIC,
    TUPLE,
    UNKNOWN,
    Kind,
)
from flake8_jax.domain.payload import Step, step_text
from flake8_jax.domain.provenance import Context, Hop
from flake8_jax.domain.staging import NONE, Input
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import Chains, chains_of, searched_for
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.rewrite import ChangedOp, Piece, Quoted, Rewrite, spelt
from flake8_jax.lazy_dataclasses import dataclass, replace

Wanted: TypeAlias = Literal["key", "seed"]
NotKeyForm: TypeAlias = Literal[
    "number", "none", "text", "list", "tuple", "dict", "several", "arithmetic", "float", "key", "names", "missing"
]
"""What stands where a key or a seed is due, or what is wrong with the call."""

WHOLE = frozenset(("jax.random.clone", "jax.random.key_data", "jax.random.wrap_key_data"))
"""What takes arrays of keys, or the data of keys, as well."""

INITIALIZER = "jax.nn.initializers.Initializer.__call__"
FLOATS = frozenset(
    ("float", "time.time", "time.perf_counter", "time.monotonic", "time.process_time", "random.random",
     "random.uniform", "random.gauss", "numpy.random.rand", "numpy.random.random", "numpy.random.uniform")
)  # fmt: skip
"""Functions of the host that give a float."""

MEASURES = ("shape", "ndim", "size")
SUMMING = frozenset(("+", "-"))
ARITHMETIC = frozenset(("+", "-", "*", "/", "//", "%", "**"))
FORMS: dict[object, NotKeyForm] = {NUMBER: "number", LIST: "list", TUPLE: "tuple", DICT: "dict", KEYS: "several"}
INTEGER = "use an integer"
BY_INDEX = "use one of them, by its index"
UNCONDITIONAL = frozenset(("none", "several"))
"""What code may hand on where tests that are not known here keep it from being used."""


@dataclass(frozen=True, slots=True)
class NotAKey:
    """Something else than one key, or than an integer seed, is handed to JAX in its place.

    `subject` is its text, `callee` what needs it; `given` is how many keys there are, if that is known; `wanted` is
    "key", "seed", or how many names are unpacked to; `origin` is where it was made, if that is not visible there, `use`
    where JAX gets it, if that is elsewhere; `instead` is what to write, `rewrite` the changes that write it.
    """

    op: Op
    form: NotKeyForm
    subject: str
    callee: str
    given: str
    wanted: str
    origin: Hop | None
    use: Hop | None
    instead: str
    context: Context
    rewrite: Rewrite | None = None


@dataclass(frozen=True, slots=True)
class NeedsKey(Need):
    """An argument must be one key, because a function of JAX takes one, or the integer that makes one.

    `call` is the call that needs it, `callee` its function.  `receiver` is the object whose method needs it: one that
    an annotation alone gives a class is often another one, which maps over the keys.  `is_measured`: a test of the
    shape of the argument decides whether the call is made, so that it is not, of several keys.
    """

    identified_by: ClassVar = attrgetter("dependences", "wanted", "is_measured")
    harmless: ClassVar[frozenset[Kind]] = HARMLESS_AS_ARGUMENT - {NUMBER, STATIC, KEY, KEYS}
    wanted: Wanted
    callee: str
    call: Op
    receiver: Input | None = None
    is_measured: bool = False

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """Violated by what is certainly no key, at the argument; for unmodified inputs the caller inherits it."""
        for source, actual in arguments_at(site, self.dependences):
            wrong = _wrong(actual, self.wanted)
            if wrong is not None and wrong.form == "several" and self.receiver is not None and not self._is_made(site):
                return
            if wrong is not None and wrong.form == "several" and self.is_measured:
                return
            if wrong is not None:
                if wrong.form not in UNCONDITIONAL or not site.when:
                    at = wrong.made_by or _argument(site, source, actual) or site.op
                    steps = source.steps if wrong.made_by is None and type(at) in (ops.Name, ops.Attr) else ()
                    make = partial(self._event, at, site.op, wrong, actual, site.chain, steps)
                    yield Finding((NotAKey, at, ()), make)
                return
            behind = input_behind(actual)
            if behind is not None:
                above = site.resolve(self.receiver) if self.receiver is not None else None
                receiver = passed_input(above) if above is not None else None
                yield replace(self, dependences=frozenset((behind,)), receiver=receiver)

    def _is_made(self, site: CallSite) -> bool:
        """Was the object of the method seen to be made?"""
        found = site.resolve(self.receiver) if self.receiver is not None else None
        while found is not None and found.caller_value is not None:
            found = found.caller_value
        return found is not None and type(found.payload) is InstanceOf and found.payload.parts is not None

    def _event(
        self, at: Op, around: Op, wrong: Wrong, actual: Value, chain: tuple[Hop, ...], steps: tuple[Step, ...]
    ) -> NotAKey:
        anchor, callee = self.op.anchor, callee_text(self.call, self.callee)
        use = Hop(anchor.origin.shown, anchor.line, f"used by `{callee}`")
        event = _event(at, around, wrong.form, actual, callee, self.wanted, use, Context(None, chain))
        if not steps or wrong.form != "several":
            return event
        return replace(event, subject=event.subject + "".join(map(step_text, steps)), instead=BY_INDEX, rewrite=None)


def _argument(site: CallSite, source: Input, actual: Value) -> Op | None:
    """The op of an argument, where it is made there or read by its name."""
    given = site.op.args if type(site.op) is ops.Call else ()
    return next((argument for argument in given if argument is actual.made_by), None) or site.source_of(source)


class Wrong(NamedTuple):
    """What is wrong with a value, and the op to report if that is where it was made."""

    form: NotKeyForm
    made_by: Op | None = None


def need_keys(frame: Frame, op: Op, function: ApiFunction, arguments: Arguments) -> bool:
    """Check what a function of JAX gets for its key or its seed; does it refuse an array of keys?"""
    name = function.name
    is_seed = name in SEEDED
    if not is_seed and (name in WHOLE or not (name.startswith("jax.random.") or name == INITIALIZER)):
        return False
    first = function.parameters[0] if function.parameters else None
    if first is None or frame.context.is_prepared or not (is_seed or first.key):
        return False
    value = arguments.get(0, first.name)
    if value is not None:
        place = arguments.ops[0] if arguments.positional and arguments.ops else arguments.keyword_ops.get(first.name)
        return _need(frame, place or op, value, "seed" if is_seed else "key", name, op) and value.kind is KEYS
    if not arguments.is_open and not is_seed and type(op) is ops.Call and not op.args and op.keywords:
        _tell(
            frame, NotAKey(op, "missing", phrase(op), callee_text(op, name), "", "", None, None, "pass one", Context())
        )
    return False


def _receiver(frame: Frame) -> Input | None:
    """The object whose method runs."""
    parameters = frame.function.parameters if frame.owner is not None else ()
    found = frame.summary.inputs.get(parameters[0].name) if parameters else None
    return passed_input(found) if found is not None else None


def _need(frame: Frame, place: Op, value: Value, wanted: Wanted, callee: str, call: Op) -> bool:
    wrong = _wrong(value, wanted)
    if wrong is None:
        source = input_behind(value)
        if source is not None and not _is_one_of_two(frame, place):
            is_measured, of = _is_measured(frame, place, call), frozenset((source,))
            leave(frame, NeedsKey(place, of, wanted, callee, call, _receiver(frame), is_measured))
        return False
    if wrong.form != "none" or type(place) is ops.Const:
        at = wrong.made_by or place
        _tell(frame, _event(at, call, wrong.form, value, callee_text(call, callee), wanted, None, Context()))
    return True


def _is_measured(frame: Frame, place: Op, call: Op) -> bool:
    """Does a test of the shape of what is given decide whether a call is made, also of a name for that shape?

    dims = key.shape[:-1]
    if dims == (): return split(key)
    """
    if type(place) is not ops.Name:
        return False
    chains = chains_of(frame.function)
    measures = {text for measure in MEASURES if (text := f"{place.name}.{measure}") in _measured(chains)}
    if not measures:
        return False
    names = set[str]().union(*map(chains.bound_from, measures))
    return any(not chains.asked(test).isdisjoint(measures | names) for test in chains.tests_on(chains.way_to(call)))


@searched_for
def _measured(chains: Chains) -> frozenset[str]:
    """The shapes, sizes and numbers of axes that a body asks for: `key.ndim`."""
    return frozenset(phrase(op) for op in chains.parents if type(op) is ops.Attr and op.name in MEASURES)


def _is_one_of_two(frame: Frame, place: Op) -> bool:
    """Does a test decide what is given: `key if key.ndim == 0 else key.ravel()[0]`?"""
    if type(place) is ops.Name:
        chains = chains_of(frame.function)
        statement = chains.statement_binding(place)
        return type(statement) is ops.Store and type(statement.value) is ops.Choose
    return type(place) is ops.Choose


def _event(
    at: Op, around: Op, form: NotKeyForm, value: Value, callee: str, wanted: Wanted, use: Hop | None, context: Context
) -> NotAKey:  # fmt: skip
    known = value.payload.text() if type(value.payload) is Constant else ""
    subject = known if known and use is not None and type(at) is ops.Call and value.made_by is not at else phrase(at)
    whence = origin(value, at) if form not in ("arithmetic", "none") else None
    count = _count(value)
    given = str(count) if count is not None else ""
    advice = _instead(at, around, form, value)
    is_default = at is around and type(at) is ops.Call and value.kind is NUMBER
    text = f"pass a key, made by `{imported_as(scope_of(at), 'jax.random.key')}`" if is_default else advice.text
    rewrite = advice.rewrite if at is not around else None  # the argument is not written there
    return NotAKey(at, form, subject, callee, given, wanted, whence, use, text, context, rewrite)


def _count(value: Value) -> int | None:
    """How many keys an array of keys has, if that is known."""
    counts = counts_of(value.payload)
    return counts[0] if len(counts) == 1 else None


def _wrong(value: Value, wanted: Wanted) -> Wrong | None:
    """What is certainly wrong with a value in the place of a key or seed, if anything."""
    if wanted == "seed":
        return _wrong_seed(value)
    if value.kind is NUMBER and value.made_by is None:
        return None  # annotated as one, or a default, which no call need follow
    form = FORMS.get(value.kind)
    if form == "several" and isinstance(value.payload, KeyPart) and value.payload.is_moved:
        return None  # of a shape that is not known: it may be one key
    if form is not None:
        return Wrong(form)
    if value.kind is STATIC:
        known = value.constant
        return Wrong("none") if known is None else Wrong("text") if isinstance(known, str) else None
    if value.kind is COMPUTED and type(value.made_by) is ops.Operate and _is_shift(value.made_by):
        return Wrong("arithmetic", value.made_by)
    return None


def _wrong_seed(value: Value) -> Wrong | None:
    if value.kind in RANDOM_KEYS and value.dependences is NONE and type(value.made_by) is ops.Call:
        return Wrong("key")
    if type(value.constant) is float or (value.kind in (NUMBER, UNKNOWN, COMPUTED) and _is_float(value.made_by)):
        return Wrong("float")
    return None


def _is_float(op: Op | None, depth: int = 0) -> bool:
    """Is the value of an expression certainly a float, whatever its names are bound to?"""
    if type(op) is ops.Const:
        return type(op.value) is float
    if type(op) is ops.Call:
        return imported_name(op.func) in FLOATS
    if type(op) is not ops.Operate or op.operator not in ARITHMETIC or depth > 2:
        return False
    return any(_is_float(part, depth + 1) for part in op.operands) or (op.operator == "/" and len(op.operands) == 2)


def _is_shift(op: ops.Operate) -> bool:
    """Is it a number added to a key or multiplied with it, and not an operation on bits?"""
    return op.operator in ARITHMETIC and any(type(part) is ops.Const for part in op.operands)


def refuse_arithmetic(frame: Frame, op: Op, sign: str, left: Value, right: Value) -> None:
    """Report arithmetic on what is certainly a key: new-style keys refuse it, old-style ones give a related key."""
    key, other = (left, right) if left.kind in RANDOM_KEYS else (right, left)
    if sign in ARITHMETIC and other.kind in NUMERIC_OR_KEYS and type(op) is ops.Operate:
        is_by_numbers = bool(other.shape) or other.kind is KEYS
        whole, at = _sum_around(frame, op), op.operands[key is right]
        while type(at) is ops.Operate and at.operator in SUMMING:
            at = at.operands[0]
        advice = derived(whole, key.kind is KEY, is_by_numbers, at)
        text, context = phrase(whole), Context()
        told = NotAKey(whole, "arithmetic", text, sign, "", "key", None, None, advice.text, context, advice.rewrite)
        _tell(frame, told)


def _sum_around(frame: Frame, op: ops.Operate) -> Op:
    """The whole sum of which a sum is a part: of `key + 1` in `key + 1 + i`."""
    chains, whole = chains_of(frame.function), op
    while whole.operator in SUMMING and type(around := chains.parents.get(whole)) is ops.Operate:
        if around.operator not in SUMMING:
            break
        whole = around
    return whole


def check_names(frame: Frame, target: ops.Unpack, value: Value, op: Op) -> None:
    """Report keys of a known number that are unpacked to another number of names."""
    count = _count(value)
    names = len(target.parts)
    starred = any(type(part) is ops.Star for part in target.parts)
    if count is None or type(op) is not ops.Store or op.value is None or type(value.made_by) is not ops.Call:
        return
    if count < names - 1 if starred else count != names:
        least = names - starred
        made_by, at = value.made_by, op.value
        advice = with_the_names(made_by, least, at is made_by and not starred)
        whence = origin(value, at)
        given, needed = str(count), f"{least} or more" if starred else str(least)
        text = phrase(at)
        names_of, context = phrase(target), Context()
        wrong = NotAKey(at, "names", text, names_of, given, needed, whence, None, advice.text, context, advice.rewrite)
        _tell(frame, wrong)


@advising(ADVICE, Advice(""))
def _instead(op: Op, around: Op, form: NotKeyForm, value: Value) -> Advice:
    match form:
        case "number":
            return from_a_key(scope_of(op) or scope_of(around), op)
        case "arithmetic":
            return derived(op, True)
        case "several":
            return Advice(one_of_them(op, value))
        case "float":
            pieces: tuple[Piece, ...] = ("int(", Quoted(op, INDEX), ")")
            is_made = type(op) is not ops.Const
            return Advice(f"use `{spelt(*pieces)}`", Rewrite((ChangedOp(op, pieces),))) if is_made else Advice(INTEGER)
        case "key":
            return Advice("use the key as it is")
    is_shape = value.kind is TUPLE and type(around) is ops.Call and around.args[:1] == (op,)
    if is_shape and type(around) is ops.Call and imported_name(around.func).startswith("jax.random."):
        return Advice(f"pass a key before it: `{phrase(around.func)}(key, {phrase(op)})`")
    return Advice("pass a key")


def _tell(frame: Frame, event: NotAKey) -> None:
    emit(frame, (NotAKey, event.op, ()), lambda: event)
