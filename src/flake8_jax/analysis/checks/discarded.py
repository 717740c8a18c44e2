"""Results and keys that nobody takes: the statement does nothing.

x.at[0].set(1.0)        an update makes a new array; `x` is as before
state.replace(step=1)   a copy of a record; `state` is as before
jnp.sort(x)             so does a function without side effects
jax.debug.print("x")    measured as impure: this is what the call is for
split(key)              the key is as before, and used on
a, b = split(key)       nor are `a` and `b` ever read
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from operator import attrgetter
from typing import ClassVar

from flake8_jax.analysis.callables import Arguments, FunctionValue, InstanceOf, Partial, Wrapped
from flake8_jax.analysis.checks.instead import AS_A_TEST, WHOLE, Advice, PartOf, bind_result, holder_in
from flake8_jax.analysis.checks.mutation import INTO_WHOLE, viewed_by
from flake8_jax.analysis.checks.naming import FREE, imported_as, imported_name, is_local, unused
from flake8_jax.analysis.checks.numpy_only import refused_option
from flake8_jax.analysis.checks.purity import computes, is_pure
from flake8_jax.analysis.checks.references import may_be_reference
from flake8_jax.analysis.evidence import CallSite, LatentEvidence, OutcomeAtCall
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.isolation import ADVICE, advising
from flake8_jax.analysis.labels.questions import is_read, is_unread
from flake8_jax.analysis.objects.array_evidence import NeedOfValue, array_argument, undecided
from flake8_jax.analysis.objects.copies import GRADIENTS, STEPPING
from flake8_jax.analysis.objects.narrowing import peek
from flake8_jax.analysis.summaries.deferral import emit, leave
from flake8_jax.domain.effects import Finding
from flake8_jax.domain.kinds import (
    API,
    ARRAY,
    ARRAYS_OR_COMPUTED,
    COMPUTED,
    CONTAINERS,
    DICT,
    FUNCTION,
    FUNCTIONS,
    INPUT,
    INSTANCE,
    MAY_BE_ANYTHING,
    METHOD,
    NUMPY,
    OBJECT,
    PARTIAL,
    SYMBOLIC,
    UNKNOWN,
)
from flake8_jax.domain.payload import ArrayDoubt, MethodOf, Named
from flake8_jax.domain.provenance import Context, Use
from flake8_jax.domain.resources import ByElement, ByFunction, Discarded, Used, is_compatible
from flake8_jax.domain.staging import Input, certain
from flake8_jax.domain.value import Value, common_likeness
from flake8_jax.ir import ops
from flake8_jax.ir.chains import chains_of, searched_once
from flake8_jax.ir.ops import Call, Function, Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.rewrite import ChangedOp, Piece, Quoted, Rewrite, spelt, unsafe
from flake8_jax.ir.walking import returns_in, statements_in, within
from flake8_jax.lazy_dataclasses import dataclass, replace
from flake8_jax.syntax.positions import line_of, unpacked

LOOKS = frozenset((ops.Attr, ops.Item, ops.Name))
"""What has no effect where it stands alone: who runs line by line is shown it."""

FILLING = frozenset(f"jax.numpy.{name}" for name in ("array", "asarray", "arange", "empty", "full", "ones", "zeros"))
"""What makes an array of no other one."""

NO_ARRAYS = frozenset(("static", "key", "keys"))
"""What functions give that is looked at elsewhere, or by nobody."""

SPLIT, FOLD_IN = "jax.random.split", "jax.random.fold_in"
COPYING = frozenset(("replace", "_replace", STEPPING))
"""The methods of records that return a changed copy; the keyword of one tells it from methods of mutable objects."""

OF_TUPLES = "_replace"
"""The method that named tuples alone have."""

REPLACING = frozenset(("dataclasses.replace", "copy.replace"))

UPDATES = frozenset(("set", "add", "subtract", "multiply", "mul", "divide", "power", "min", "max", "apply", "get"))
"""What `x.at[i]` offers."""


@dataclass(frozen=True, slots=True)
class ResultDiscarded:
    """A call without side effects stands alone as a statement.

    `call` is its text; `updated` is the text of the array of `x.at[i].set(v)`, else ""; `instead` is what to write.
    """

    op: Call
    call: str
    updated: str
    instead: str
    context: Context
    rewrite: Rewrite | None = None


@dataclass(frozen=True, slots=True)
class NeedsOtherThanArray(NeedOfValue):
    """The object of a method whose result is dropped must be no array; a list may be changed by it.

    `is_plain_input`: it is an unmodified input.  `left` is the op of the object.
    """

    op: Call
    left: Op

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """Violated by an array, also by a tracer."""
        if array_argument(site, self.dependences, self.is_plain_input) is not None:
            made = partial(_event, self.op, self.left, True, Context(None, site.chain))
            yield Finding((ResultDiscarded, self.op, ()), made)
        else:
            yield from undecided(site, self)


@dataclass(frozen=True, slots=True)
class NeedsOtherThanRecord(LatentEvidence):
    """The object of `replace`, whose result is dropped, must be no record that does not change.

    It is the input `source`; `left` is its op.
    """

    identified_by: ClassVar = attrgetter("op")
    asks: ClassVar = "`{0.op}` is dropped", "a record"
    op: Call
    source: Input
    left: Op

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """Violated by an instance of such a class."""
        actual = site.resolve(self.source)
        if actual is None:
            if not site.is_owned(self.source):
                yield self
        elif isinstance(actual.payload, InstanceOf):
            if _does_not_change(actual.payload):
                made = partial(_event, self.op, self.left, True, Context(None, site.chain))
                yield Finding((ResultDiscarded, self.op, ()), made)
        elif actual.input is not None:
            yield replace(self, source=actual.input)


def check_discarded(frame: Frame, op: Call, callee: Value, arguments: Arguments, result: Value) -> None:
    """Report a discarded call that does nothing but return an array, a changed copy or a transformed function.

    In a `try` it may be there for its error.
    """
    if frame.is_expected:
        return
    left = _updated(op)
    is_alone = left is None and frame.function.kind == "module"
    array = peek(frame, left) if left is not None else None
    if array is not None and (array.kind is NUMPY or may_be_reference(frame, array)):
        return
    if type(op.func) is ops.Attr and op.func.name.startswith("__") and op.func.name.endswith("__"):
        return  # what Python calls by itself, such as `__enter__`, is called for more than its result
    if is_alone and callee.kind in FUNCTIONS:  # a script may call a function to see that it runs
        return
    if left is None:
        if chains_of(frame.function).parents.get(op) in _with_looks(frame.function):
            return
        left = _left_as_it_is(frame, op, callee, arguments, result)
        if left is None and (_is_first_use(callee, op) or not _only_computes(frame, callee, arguments, result)):
            return
    if not (is_alone and _is_shown(frame, op)) and not _ends_cell(frame, op):
        runs = bool(arguments.positional) and arguments.positional[0].kind in FUNCTIONS
        is_other = runs or callee.kind in (METHOD, INPUT) or _draws(frame, callee)
        is_other = is_other or (_makes_another(callee) and not _is_alike(arguments, result))
        holder = holder_in(frame, left) if left is not None else ""
        viewed = viewed_by(frame, left, op) if left is not None else ""
        at_end = _returns_at_end(frame.function, op)
        emit(frame, (ResultDiscarded, op, ()), partial(_event, op, left, is_other, Context(), holder, viewed, at_end))


def _is_first_use(callee: Value, op: Call) -> bool:
    """Is an array of constants made for nobody: `jnp.zeros(1)`, with which a program starts JAX?"""
    if callee.name not in FILLING:
        return False
    given = (*op.args, *(value for _, value in op.keywords))
    parts = [inner for one in given for inner in within(one)]
    return bool(given) and all(type(one) in (ops.Const, ops.Build) for one in parts)


@searched_once
def _with_looks(function: Function) -> frozenset[Op | None]:
    """The statements, None for the function, in whose blocks somebody looks at values: `x.shape` stands there alone."""
    parents = chains_of(function).parents
    return frozenset(parents.get(op) for op in statements_in(function.body) if type(op) in LOOKS)


def _draws(frame: Frame, callee: Value) -> bool:
    """Is it a function of keys, whose result is like none of its arguments?"""
    row = frame.program.table.function(callee.name) if callee.kind is API else None
    return row is not None and any(parameter.key for parameter in row.parameters)


def _makes_another(callee: Value) -> bool:
    """May a function of the project make something else than its first argument?

    Not if it returns what it calls by that name, or an update of it: `def step(params, x): ...; return params`.
    """
    payload = callee.payload
    while isinstance(payload, Partial):
        payload = payload.callee.payload
    if not isinstance(payload, FunctionValue):
        return callee.kind is PARTIAL
    function = payload.function
    first = function.parameters[0].name if function.parameters else ""
    returned = [one.value for one in returns_in(function.body)]
    return not all(_is_of(value, first) for value in returned)


def _is_alike(arguments: Arguments, result: Value) -> bool:
    """Is a result of the sort of the first argument: an array of its shape, a dict, an object of its class?"""
    given = arguments.positional[0] if arguments.positional else None
    if given is None:
        return False
    if isinstance(given.payload, InstanceOf) and isinstance(result.payload, InstanceOf):
        return given.payload.owner is result.payload.owner
    if given.shape is not None and result.shape is not None:
        return given.shape == result.shape
    return given.kind is result.kind is DICT or common_likeness((given, result)) is not None


def _is_of(value: Op | None, name: str) -> bool:
    """Is it what a name holds, or an update of that: `x`, `x.at[0].set(y)`, `state.replace(x=y)`?"""
    while type(value) is Call and type(value.func) is ops.Attr:
        value = value.func.base if value.func.name in COPYING else _updated(value)
    return type(value) is ops.Name and value.name == name


def _is_shown(frame: Frame, op: Op) -> bool:
    """Is the value of a statement shown where the module is run by hand: in any cell, or at its end?"""
    file = frame.namespace.file
    is_last = frame.function.body[-1] is op and (frame.unit is None or not file.words_after(frame.unit))
    return is_last or (file.is_notebook and not file.is_divided)


def _ends_cell(frame: Frame, op: Op) -> bool:
    """Is it the last expression of a cell of a notebook, whose value is shown?"""
    if frame.function.kind != "module":
        return False
    bodies = [
        frame.function.body,
        *(statement.body for statement in frame.function.body if type(statement) is ops.With),
    ]
    is_top = any(one is op for body in bodies for one in body)
    return is_top and frame.namespace.file.ends_cell(unpacked(op.place)[2] if op.place else op.anchor.line)


TO_A_NAME = "bind what it returns to a name"
"""How the advice begins where nothing says what is to become of a result."""

IF_LOOKED_FOR = "`return` it, if a value is looked for where the function is called, or delete the line"
AS_ELSEWHERE = "`return` it, as the function returns something elsewhere"


def _returns_at_end(function: Function, op: Op) -> str:
    """What is said where a call is the last that a function does, on the way that leads there; "" if it is not."""
    if function.kind != "def" or function.name == "__init__" or not any(one is op for one in _last_of(function.body)):
        return ""
    is_returning = any(one.value is not None for one in returns_in(function.body))
    return AS_ELSEWHERE if is_returning else IF_LOOKED_FOR


def _last_of(body: Sequence[Op]) -> Iterator[Op]:
    """The statements after which nothing else of some statements runs."""
    match body:
        case [*_, ops.Branch(body=then, orelse=otherwise)]:
            yield from _last_of(then)
            yield from _last_of(otherwise)
        case [*_, ops.With(body=inner)]:
            yield from _last_of(inner)
        case [*_, last]:
            yield last


def _event(
    op: Call, left: Op | None, is_method: bool, context: Context, holder: PartOf = "", viewed: str = "",
    at_end: str = "",
) -> ResultDiscarded:  # fmt: skip
    text = phrase(left) if left is not None else ""
    advice = Advice(INTO_WHOLE.format(viewed, text)) if viewed else bind_result(op, left, is_method, holder)
    if at_end and advice.text.startswith((TO_A_NAME, AS_A_TEST)):
        is_test = advice.text == AS_A_TEST and at_end == IF_LOOKED_FOR
        advice = Advice(at_end.replace("delete the line", "`assert` it") if is_test else at_end)
    return ResultDiscarded(op, phrase(op), text, advice.text, context, advice.rewrite)


def _updated(op: Call) -> ops.Op | None:
    """The array of `x.at[i].set(v)`, also of a chain of updates.

    A label in the index is one of a table of another library.
    """
    method = op.func
    if type(method) is not ops.Attr or method.name not in UPDATES or type(method.base) is not ops.Item:
        return None
    at, index = method.base.base, method.base.index
    indices = index.parts if type(index) is ops.Build else (index,)
    if any(type(one) is ops.Const and isinstance(one.value, str) for one in indices):
        return None
    if type(at) is not ops.Attr or at.name != "at":
        return None
    return (_updated(at.base) if type(at.base) is Call else None) or at.base


def _left_as_it_is(frame: Frame, op: Call, callee: Value, arguments: Arguments, result: Value) -> ops.Op | None:
    """What a call leaves as it is: the function under a transform, the array or record whose method is called."""
    if callee.kind is API and isinstance(result.payload, Wrapped) and op.args:
        transform = frame.program.table.transform(callee.name)
        return op.args[0] if transform is not None and transform.wraps and not transform.runs else None
    if callee.kind is API and callee.name in REPLACING and result.kind is INSTANCE and op.args:
        return op.args[0]
    method = callee.payload
    if type(op.func) is not ops.Attr:
        return None
    if op.func.name in COPYING and op.keywords and not op.args:
        if _is_record(frame, op, callee):
            return op.func.base
        if callee.input is not None and callee.input.parent is not None and callee.input.step == (".", op.func.name):
            leave(frame, NeedsOtherThanRecord(op, callee.input.parent, op.func.base))
    if type(method) is not MethodOf or type(method.base.payload) is InstanceOf:
        return None
    base = method.base
    row = frame.program.table.method(method.name)
    if row is not None and refused_option(frame, row.name, row, arguments) is not None:
        return None
    if row is None or not frame.program.table.is_pure(row.name) or result.kind not in ARRAYS_OR_COMPUTED:
        return None
    return op.func.base if _is_array(frame, op, op.func.base, base) else None


def _is_record(frame: Frame, op: Call, copying: Value) -> bool:
    """Is the object of this method one that does not change, by its class, its annotation, the step that it makes, or
    the name of the method and the fields that it is handed?
    """
    method = copying.payload
    if type(method) is MethodOf and type(method.base.payload) is InstanceOf:
        return _does_not_change(method.base.payload)
    if type(method) is MethodOf and method.base.kind is OBJECT:
        return frame.program.table.freezing_of_member(method.base.name) is not None
    if copying.input is not None and copying.input.parent is not None and copying.input.parent.is_frozen:
        return True
    if type(op.func) is not ops.Attr or copying.kind not in MAY_BE_ANYTHING:
        return False
    is_step = op.func.name == STEPPING and GRADIENTS in dict(op.keywords)
    return is_step or op.func.name == OF_TUPLES or _renews_field(op, op.func.base)


def _renews_field(op: Call, record: Op) -> bool:
    """Is a field of the same object among what a new one is computed of: `state.replace(step=state.step + 1)`?"""
    owner = phrase(record)
    return any(
        type(part) is ops.Attr and part.name == name and phrase(part.base) == owner
        for name, value in op.keywords
        for part in within(value)
    )


def _does_not_change(instance: InstanceOf) -> bool:
    owner = instance.owner
    return owner.is_frozen or owner.is_tuple or owner.is_tree


def _is_computed(result: Value) -> bool:
    if result.kind is UNKNOWN:
        return type(result.made_by) is Call
    is_tree = result.kind is INPUT and result.input is None
    return is_tree or result.kind in ARRAYS_OR_COMPUTED or result.kind in CONTAINERS or result.kind is INSTANCE


def _is_plain(callee: Value) -> bool:
    """Is it a function or method that no transform wraps?  One that is compiled may be called to have it compiled."""
    payload = callee.payload
    while isinstance(payload, Partial):
        payload = payload.callee.payload
    return isinstance(payload, FunctionValue)


def _is_array(frame: Frame, op: Call, left: Op, base: Value) -> bool:
    """Is the object of a method an array?  One that is made of inputs must be none where the caller passes arrays."""
    if type(base.payload) is ArrayDoubt:
        return False
    if base.kind is ARRAY or (base.kind is COMPUTED and certain(base.dependences) is not None):
        return True
    inputs = frozenset(dependence for dependence in base.dependences if type(dependence) is Input)
    if base.kind in SYMBOLIC and inputs:
        leave(frame, NeedsOtherThanArray(op, inputs, base.kind is INPUT, left))
    return False


def _only_computes(frame: Frame, callee: Value, arguments: Arguments, result: Value) -> bool:
    """Is it a function that only computes?  One that runs functions passed to it may do what these do."""
    table, name, method = frame.program.table, callee.name, callee.payload
    if callee.kind is FUNCTION or callee.kind is PARTIAL:
        return _is_computed(result) and is_pure(frame, callee) and _is_plain(callee)
    if type(method) is MethodOf and type(method.base.payload) is Named:
        fields = table.fields(method.base.payload.name)  # what has other methods is another object than it seems
        is_known = not fields or method.name in fields
        return is_known and table.is_computation(f"{method.base.payload.name}.{method.name}")
    if callee.input is not None:
        return _is_declared_to_compute(frame, callee.input, arguments)
    if callee.kind is not API or not table.is_computation(name) or not computes(frame, name, arguments):
        return False
    row, transform = table.function(name), table.transform(name)
    if row is None:
        return not transform.wraps if transform is not None else table.names_computation(name)
    return row.returns not in NO_ARRAYS and refused_option(frame, row.name, row, arguments) is None


def _is_declared_to_compute(frame: Frame, method: Input, arguments: Arguments) -> bool:
    """Is it a function in a record of a library that only computes, as a parameter or field is declared to be one?

    A call that gives less than it makes new shows that the object is another one: each part takes the place of an
    argument, as updates and state of an optimizer do.
    """
    table, owner, step = frame.program.table, method.parent, method.step
    if owner is None or step is None or step[0] != "." or step[1] not in table.fields(owner.annotation):
        return False
    name = f"{owner.annotation}.{step[1]}"
    given = len(arguments.positional) + len(arguments.keywords)
    return table.is_computation(name) and (arguments.is_open or given >= len(table.result_parts(name)))


@dataclass(frozen=True, slots=True)
class KeyDerivationDiscarded:
    """Keys are derived and never read, and their parent is used on.

    `call` is the text of the derivation, `key` that of the parent, "" where it has none; `use` is the use after it;
    `instead` is what to write, `rewrite` the changes that write it.
    """

    op: Op
    call: str
    key: str
    use: Use
    instead: str
    context: Context
    rewrite: Rewrite | None = None


def note_discarded(frame: Frame, op: Op, value: Value, by: str) -> None:
    """Remember a derivation whose result is dropped, unless it may be there for its error."""
    if frame.is_expected or _ends_cell(frame, op):
        return
    state, value = frame.live(), value.original
    used = Used(op, Use(frame.namespace.path, line_of(op), by), state.path, frame.iterations, Discarded())
    state.used.add(value, (used,))


def check_derivations(frame: Frame, related: list[Used], used: Used, place: Op | None) -> list[Used]:
    """The derivations of a key before this use of it that gave nothing; each of them is reported."""
    found = [use for use in related if type(use.means) is Discarded and is_compatible(use, used.path)]
    if not found:
        found = [use for use in related if _is_in_vain(use, used)] if used.means != ByFunction(SPLIT) else []
        if not found or used.draw is None or not is_read(used.draw, is_finished=True):
            return []
    elif used.draw is not None and not is_read(used.draw):
        return found
    is_reused = any(use not in found and use.draw is not None and is_compatible(use, used.path) for use in related)
    for one in found:
        key = phrase(place) if place is not None else ""
        advice = _instead(frame, key, one.op, type(one.means) is Discarded, is_reused)
        make = partial(_key_event, one.op, key, used.use, advice)
        emit(frame, (KeyDerivationDiscarded, one.op, ()), make)
    return found


def _key_event(op: Op, key: str, use: Use, advice: Advice) -> KeyDerivationDiscarded:
    return KeyDerivationDiscarded(op, phrase(op), key, use, advice.text, Context(), advice.rewrite)


def _is_in_vain(one: Used, used: Used) -> bool:
    """Is it a split whose new keys nobody reads?"""
    is_split = one.means == ByFunction(SPLIT) or type(one.means) is ByElement
    if not is_split or one.op is used.op or one.draw is None or one.draw.inner:
        return False
    return is_compatible(one, used.path) and is_unread(one.draw)


@advising(ADVICE, Advice(""))
def _instead(frame: Frame, key: str, op: Op, is_alone: bool, is_reused: bool) -> Advice:
    """How to keep what a derivation gives.

    Of a key that was drawn from before it, only `fold_in` gives a new one; what was drawn then was wrong.
    """
    scope = frame.function.scope
    if not key.isidentifier():
        return Advice("bind its keys, and use those")
    is_its_own = type(op) is ops.Call and len(op.args) > 0 and type(op.args[0]) is ops.Name and op.args[0].name == key
    name = imported_name(op.func) if type(op) is ops.Call and is_alone and is_its_own and is_local(scope, key) else ""
    if type(op) is ops.Call and name == FOLD_IN:
        pieces: tuple[Piece, ...] = (f"{key} = ", Quoted(op, WHOLE))
        bound = Rewrite((ChangedOp(op, pieces, is_statement=True),))
        return Advice(f"bind it: `{spelt(*pieces)}`", bound if is_reused else unsafe(bound))
    sub = unused(scope, FREE, key)
    text = f"bind its keys: `{key}, {sub} = {imported_as(scope, SPLIT)}({key})`"
    is_plain = type(op) is ops.Call and name == SPLIT and len(op.args) == 1 and not op.keywords and not is_reused
    change = ChangedOp(op, (f"{key}, {sub} = ", Quoted(op, WHOLE)), is_statement=True)
    return Advice(text, unsafe(Rewrite((change,))) if is_plain else None)
