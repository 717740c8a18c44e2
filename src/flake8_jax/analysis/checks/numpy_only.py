"""What NumPy offers and JAX does not: attributes of arrays, names of modules, options, and writing into an array.

x.fill(0)                       arrays of JAX never change, and have no such method
x.shape = (2, 3)                nor can their properties be set
jnp.random.normal(size=3)       a module that `jax.numpy` lacks
jnp.add(x, y, out=x)            an option that is refused, or not there at all
np.copyto(x, y)                 NumPy writes into arrays of its own alone
isinstance(x, jnp.array)        what makes an array is taken for its class, as `np.array` is

What is lacking or refused was measured (api/measured).  What may be an array of NumPy, and what is asked for first
(`hasattr`, `try`), is left alone.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import partial
from typing import Literal, TypeAlias

from flake8_jax.analysis.callables import Arguments
from flake8_jax.analysis.checks.advice.draws import drawn_with_a_key
from flake8_jax.analysis.checks.advice.methods import instead_of_method, listed
from flake8_jax.analysis.checks.naming import imported_as, imported_name, scope_of
from flake8_jax.analysis.checks.releases.members import (
    check_chosen,
    check_member,
    check_name,
    check_of_input,
)
from flake8_jax.analysis.checks.wording import callee_text, handed, origin
from flake8_jax.analysis.evidence import CallSite, OutcomeAtCall
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.isolation import ADVICE, advising
from flake8_jax.analysis.objects.array_evidence import NeedOfValue, array_argument, refuting, undecided
from flake8_jax.analysis.objects.narrowing import peek
from flake8_jax.analysis.summaries.deferral import emit, leave
from flake8_jax.api.conditions import Condition, all_hold
from flake8_jax.api.rows import ApiFunction
from flake8_jax.api.versions import of_arrays, of_modules, was_there
from flake8_jax.domain.constants import NotConstant
from flake8_jax.domain.effects import ByAnnotation, EventKey, Finding, Ground
from flake8_jax.domain.kinds import (
    API,
    ARRAY,
    COMPUTED,
    INPUT,
    MAY_BE_ARRAY,
    MAY_BE_HOST_CONSTANT,
    NOT_AN_ARRAY_OR_OBJECT,
    SYMBOLIC,
    TUPLE,
)
from flake8_jax.domain.payload import AT, ONLY_ANNOTATED, Alternatives, ArrayDoubt
from flake8_jax.domain.provenance import Context, Hop
from flake8_jax.domain.staging import NONE, Input, certain
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import chains_of
from flake8_jax.ir.ops import Op
from flake8_jax.ir.parts import Host
from flake8_jax.ir.phrase import phrase
from flake8_jax.lazy_dataclasses import dataclass, replace
from flake8_jax.syntax.positions import unpacked

NumpyForm: TypeAlias = Literal["attribute", "assigned", "name", "option", "written", "class"]
RANDOM = "random"
MOST_GIVEN = 60
"""How long the arguments may be that a message repeats."""

ARRAYS, PROPERTIES, METHODS = "Array", "Array.properties", "Array."
OUT, JAX = "out", "jax."
GENERAL_WORDS = frozenset(("base", "data", "dump", "dumps", "flags", "put"))
"""Attributes of NumPy's arrays that objects of other kinds have as well."""


IN_PLACE = {"flat": "jax.numpy.ravel", "shape": "jax.numpy.reshape"}
FLAT = "flat"
OF_UFUNCS = {
    "add": "add", "subtract": "subtract", "multiply": "multiply", "divide": "divide", "true_divide": "divide",
    "power": "power", "maximum": "max", "minimum": "min",
}  # fmt: skip
"""The methods of `x.at[i]` for `numpy.add.at` and its like."""

RENAMED = {
    "jax.numpy.random": "jax.random", "numpy.random.shuffle": "jax.random.permutation",
    "random.shuffle": "jax.random.permutation", "jax.numpy.fix": "jax.numpy.trunc",
}  # fmt: skip


WRITTEN_INTO = frozenset(("jax.numpy.copyto", "jax.numpy.putmask"))
"""What `numpy` has alone, and cannot use on arrays of JAX: it writes into its argument."""

MAKING = frozenset(("jax.numpy.array", "jax.numpy.asarray", "jax.random.PRNGKey", "jax.random.key"))
"""The functions that are taken for the class of what they make."""


@dataclass(frozen=True, slots=True)
class NumpyOnly:
    """Something of NumPy is asked of JAX.

    `what` is the attribute, name or option, or the function of NumPy or Python as it is written; `subject` is the text
    of the array or function; `origin` says why it is an array, `instead` what to write.
    """

    op: Op
    form: NumpyForm
    what: str
    subject: str
    origin: Hop | None
    instead: str
    context: Context


@dataclass(frozen=True, slots=True)
class NumpyUse:
    """A use that only NumPy allows.

    `what` is used of NumPy, `base` the op of the array or module, `construct` the call or statement.
    """

    op: Op
    form: NumpyForm
    what: str
    base: Op
    construct: Op | None = None

    @property
    def key(self) -> EventKey:
        """The identity of its event."""
        return (NumpyOnly, self.op, ())

    def event(self, whence: Hop | None, chain: tuple[Hop, ...] = ()) -> Callable[[], NumpyOnly]:
        """The event of a use on an array of JAX."""
        what = callee_text(self.construct, self.what) if self.form == "written" else self.what
        context = Context(None, chain)
        return lambda: NumpyOnly(self.op, self.form, what, phrase(self.base), whence, _instead(self), context)


@dataclass(frozen=True, slots=True)
class NeedsNumpy(NeedOfValue):
    """An input must be no array of JAX where something is used that only NumPy has.

    `is_plain_input`: it is an unmodified input, which may be any object; `is_promised`: an annotation alone says that
    it is an array, and the event is presumed.
    """

    use: NumpyUse
    is_promised: bool = False

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """Violated by an array, also by a tracer that the function uses as one."""
        actual = array_argument(site, self.dependences, self.is_plain_input and not self.is_promised)
        if actual is not None and actual.payload is AT:
            return
        if actual is not None:
            yield Finding(self.use.key, self.use.event(handed(actual, site.op), site.chain))
        else:
            yield from undecided(site, self)

    @property
    def presumed(self) -> tuple[EventKey, ...]:
        """Presumed where annotations alone promise an array."""
        return (self.use.key,) if self.is_promised else ()

    def refuted(self, site: CallSite) -> Iterator[EventKey | ByAnnotation]:
        """Refuted by something else than an array where one is promised, its ground by what nobody knows."""
        promised = self.dependences if self.is_promised else NONE
        return refuting(site, self.use.key, promised, _is_no_sure_array)


def need_member(frame: Frame, base: Value, op: ops.Attr) -> None:
    """Report an attribute that arrays of JAX lack, or a name that its modules lack; inputs become preconditions."""
    kind, name, table = base.kind, op.name, frame.program.table
    if kind is API:
        is_lacking = name in table.lacking(base.name) and not was_there(f"{base.name}.{name}")
        if is_lacking and not _is_guarded(frame, base):
            use = NumpyUse(op, "name", f"{base.name}.{name}", op.base, _chosen(frame, op) if name == RANDOM else None)
            emit(frame, use.key, use.event(None))
        check_name(frame, base, name, op)
        return
    if kind is INPUT and name in of_modules():
        check_of_input(frame, base, name, op)
    elif type(base.payload) is Alternatives:
        check_chosen(frame, base.payload, name, op)
    is_changed = kind in MAY_BE_ARRAY and name in of_arrays()
    if is_changed:
        check_member(frame, base, op)
    if kind not in MAY_BE_ARRAY or (is_changed and was_there(f"{ARRAYS}.{name}")):
        return
    is_general = name not in table.lacking(ARRAYS) or name in GENERAL_WORDS
    if is_general and (kind is not ARRAY or name.startswith("_") or table.is_member(name) or not _is_born(frame, base)):
        return
    if (base, (".", name)) not in frame.live().heap:
        _need(frame, base, NumpyUse(op, "attribute", name, op.base, chains_of(frame.function).parents.get(op)))


def _chosen(frame: Frame, module: Op) -> Op | None:
    """The function that is taken of a module, or its call."""
    parents = chains_of(frame.function).parents
    function = parents.get(module)
    call = parents.get(function) if function is not None else None
    return call if type(call) is ops.Call and call.func is function else function


def _is_born(frame: Frame, array: Value) -> bool:
    """Was an array made by a call of JAX that stands there by its name, and that nothing but an array can come from?"""
    call = array.made_by
    name = imported_name(call.func) if type(call) is ops.Call else ""
    row = frame.program.table.function(name) if name.startswith(JAX) else None
    return row is not None and row.returns == "array" and not row.variants


def need_settable(frame: Frame, base: Value, op: ops.Attr, statement: Op) -> None:
    """Report a store into a property of an array; inputs become preconditions."""
    if base.kind in MAY_BE_ARRAY and op.name in frame.program.table.lacking(PROPERTIES):
        _need(frame, base, NumpyUse(op, "assigned", op.name, op.base, statement))


def need_options(
    frame: Frame, op: Op, name: str, function: ApiFunction | None, arguments: Arguments, base: Value | None = None
) -> None:  # fmt: skip
    """Report an option that JAX's function refuses; where its object is an input, this becomes a precondition."""
    refused = frame.program.table.refused(name)
    if not refused or _is_expected(frame):
        return
    condition = refused_option(frame, name, function, arguments)
    if condition is not None:
        use = _use_of_option(op, condition, arguments)
        if base is None:
            emit(frame, use.key, use.event(None))
        else:
            _need(frame, base, use)
        return
    for one in refused:
        value = arguments.keywords.get(one.parameter) if one.test == "given" else None
        if value is not None and value.kind in SYMBOLIC:  # given if an array is handed in
            _need(frame, value, _use_of_option(op, one, arguments))


def need_class(frame: Frame, op: ops.Call, name: str) -> None:
    """Report a function of JAX where `isinstance` or `issubclass` is told a class."""
    types = op.args[1]
    for one in types.parts if type(types) is ops.Build else (types,):
        value = peek(frame, one)
        if value is not None and value.kind is API and value.name in MAKING and not _is_expected(frame):
            use = NumpyUse(one, "class", name, one, op)
            emit(frame, use.key, use.event(None))


def _use_of_option(op: Op, condition: Condition, arguments: Arguments) -> NumpyUse:
    place = arguments.keyword_ops.get(condition.parameter, op)
    return NumpyUse(place, "option", _option(condition), op.func if type(op) is ops.Call else op, op)


def refused_option(
    frame: Frame, name: str, function: ApiFunction | None, arguments: Arguments
) -> Condition | None:  # fmt: skip
    """The condition under which JAX's function refuses these arguments, if it does."""
    refused = frame.program.table.refused(name)
    given = dict(_given(function, arguments)) if refused else {}
    certain_ones = (one for one in refused if one.test != "absent" or not arguments.is_open)
    return next((one for one in certain_ones if all_hold((one,), given)), None)


def need_host_arrays(frame: Frame, op: Op, name: str, arguments: Arguments) -> None:
    """Report an array of JAX where NumPy's function takes its own alone; inputs become preconditions."""
    for parameter, place in frame.program.table.host_only(name).items():
        value, source = arguments.keywords.get(parameter), arguments.keyword_ops.get(parameter)
        if value is None and 0 <= place < len(arguments.positional):
            value = arguments.positional[place]
            source = arguments.ops[place] if place < len(arguments.ops) else None
        if value is not None and value.kind is TUPLE and parameter == OUT and value.elements:
            value = value.elements[0]
            source = source.parts[0] if type(source) is ops.Build and source.parts else source
        if value is None or source is None or value.kind not in MAY_BE_ARRAY:
            continue
        if parameter != OUT and certain(value.dependences) is not None:
            continue  # NumPy asks a tracer for its values, which is a hazard of its own
        _need(frame, value, NumpyUse(source, "written", name, source, op))


def _need(frame: Frame, base: Value, use: NumpyUse) -> None:
    """Report a use of an array, or wait for callers."""
    payload, dependences = base.payload, base.dependences
    doubt = payload if type(payload) is ArrayDoubt else None
    if payload is AT or (doubt is not None and doubt.field is None and doubt is not ONLY_ANNOTATED):
        return
    if _is_guarded(frame, base) or (base.kind is not ARRAY and dependences is NONE) or _may_be_earlier(use.base):
        return
    is_array = base.kind is ARRAY or (base.kind is COMPUTED and certain(dependences) is not None)
    whence = origin(base, use.base) if is_array else None
    if is_array and doubt is None:
        emit(frame, use.key, use.event(whence))
        return
    inputs = frozenset(dependence for dependence in dependences if isinstance(dependence, Input))
    is_plain_input = base.kind is INPUT or doubt is not None
    if doubt is not None:
        ground: Ground = doubt.field or ByAnnotation(use.key)
        emit(frame, use.key, use.event(whence), ground=ground)
    if inputs:
        leave(frame, NeedsNumpy(use.op, inputs, is_plain_input, use, doubt is not None))


def _is_expected(frame: Frame) -> bool:
    """May an error be what the code is prepared for?"""
    return frame.is_expected


def _is_guarded(frame: Frame, base: Value) -> bool:
    """Is an error expected, or was it asked what the object is or has, or which version is installed?"""
    return _is_expected(frame) or any(
        (fact.subject is base and fact.test in ("asked", "isinstance"))
        or (fact.subject.kind is API and fact.subject.name.endswith("version__"))
        for fact in frame.path
    )


def _may_be_earlier(base: Op) -> bool:
    """Is it a name of a function around, bound several times, which may be read before the last time?"""
    if type(base) is not ops.Name:
        return False
    binding = base.scope.lookup(base.name)
    around = binding.owner
    return binding.stores > 1 and around is not None and around.frame is not base.scope.frame


def _given(function: ApiFunction | None, arguments: Arguments) -> Iterator[tuple[str, Host]]:
    """The arguments by parameter or keyword: constants, 0 for what is not None, `...` for what may be."""
    for place, value in enumerate(arguments.positional if function is not None else ()):
        parameter = function.parameter_at(place) if function is not None else None
        if parameter is not None and parameter.kind != "varargs":
            yield parameter.name, _known(value)
    yield from ((name, _known(value)) for name, value in arguments.keywords.items())


def _known(value: Value) -> Host:
    known = value.constant
    if isinstance(known, NotConstant):
        return ... if value.kind in MAY_BE_HOST_CONSTANT else 0
    return known


def _option(condition: Condition) -> str:
    """A condition on an option, as it is said."""
    if condition.test == "is":
        return f"{condition.parameter}={condition.value!r}"
    return condition.parameter if condition.test == "given" else f"no {condition.parameter}"


@advising(ADVICE, "")
def _instead(use: NumpyUse) -> str:
    scope = scope_of(use.base) or scope_of(use.op)
    named = partial(imported_as, scope)
    text = phrase(use.base)
    match use.form:
        case "attribute":
            if use.what == FLAT and _is_stored_into(use.op):
                return f"use `{text} = {named(IN_PLACE[FLAT])}({text}).at[...].set(...).reshape({text}.shape)`"
            return instead_of_method(use.what, text, use.construct, use.op, named)
        case "assigned":
            if use.what in IN_PLACE and type(use.construct) is ops.Store and use.construct.value is not None:
                return f"use `{text} = {named(IN_PLACE[use.what])}({text}, {phrase(use.construct.value)})`"
            return f"bind a new array to `{text}`"
        case "name":
            if use.what == f"jax.numpy.{RANDOM}":
                return drawn_with_a_key(use.construct, named)
            if use.what in WRITTEN_INTO:
                where = named("jax.numpy.where")
                return f"bind a new array in the place of the old one, by `{where}` if it is to change in part"
            return f"use `{named(RENAMED.get(use.what) or use.what.removeprefix(JAX))}`"
        case "option":
            return _instead_of_option(use, named)
        case "written":
            return _instead_of_writing(use, text, named)
        case "class":
            return f"use `{named('jax.Array')}`"


def _instead_of_option(use: NumpyUse, named: Callable[[str], str]) -> str:
    option = use.what.removeprefix("no ").partition("=")[0]
    if option == "inplace":
        return "pass `inplace=False`, and bind the result"
    if option == OUT:
        return _bound(use.op, phrase(use.base), use.construct)
    if option == "where":
        return f"use `{named('jax.numpy.where')}({phrase(use.op)}, ..., ...)`"
    return f"delete `{option}`"


def _bound(target: Op, callee: str, call: Op | None) -> str:
    """How to bind what a call returns in the place of an array that it would write into."""
    given = "..."
    if type(call) is ops.Call:
        others = [(name, value) for name, value in call.keywords if name != OUT]
        given = listed(replace(call, keywords=tuple(others)))
    given = given if given and len(given) <= MOST_GIVEN else "..."
    is_target = type(target) in (ops.Name, ops.Attr)
    return f"bind the result: `{phrase(target)} = {callee}({given})`" if is_target else "bind the result"


def _instead_of_writing(use: NumpyUse, text: str, named: Callable[[str], str]) -> str:
    if use.what in RENAMED:
        return f"use `{text} = {named(RENAMED[use.what])}(key, {text})`"
    call = use.construct
    callee = callee_text(call, use.what)
    if type(call) is ops.Call and use.base is not next(iter(call.args), None):
        return _bound(use.base, callee, call)
    _, *given = map(phrase, call.args) if type(call) is ops.Call else ("",)
    by_ufunc = OF_UFUNCS.get(use.what.removesuffix(".at").rpartition(".")[2], "")
    function = use.what.rpartition(".")[2]
    more = listed(replace(call, args=call.args[1:]), named) if type(call) is ops.Call else ""
    match given:
        case [_, value] if by_ufunc and type(call) is ops.Call:
            index = listed(replace(call, args=call.args[1:2], keywords=()), named)
            new = f"{text}.at[{index}].{by_ufunc}({value})"
        case [value] if function == "copyto":
            new = f"{text}.at[...].set({value})"
        case [mask, value] if function == "putmask":
            new = f"{named('jax.numpy.where')}({mask}, {value}, {text})"
        case [_, *_] if function in ("fill_diagonal", "place", "put", "put_along_axis"):
            new = f"{named(f'jax.numpy.{function}')}({text}, {more}, inplace=False)"
        case _:
            new = f"{text}.at[...].{by_ufunc or 'set'}(...)"
    return f"use `{text} = {new}`, or `{callee}` on an array of NumPy"


def _is_stored_into(op: Op) -> bool:
    """Is an item of an expression stored?"""
    layout = op.anchor.origin.source.layout
    node = layout.at.get(unpacked(op.place)) if op.place else None
    around = layout.parents.get(node) if node is not None else None
    return isinstance(around, ast.Subscript) and isinstance(around.ctx, ast.Store)


def _is_no_sure_array(actual: Value) -> bool:
    return actual.kind in NOT_AN_ARRAY_OR_OBJECT or type(actual.payload) is ArrayDoubt
