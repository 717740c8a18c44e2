"""Gradients that are no numbers although the value is: a choice, or a bound, that keeps the value finite alone.

def safe_log(x):
    return jnp.where(x > 0, jnp.log(x), 0.0)    backwards, 0 goes into `log` where x is 0, and 0 / 0 comes out
def loss(w): return safe_log(w).sum()           needs that nobody differentiates: inherited
jax.grad(loss)(w)                               w is differentiated: the event is reported at the `log`

What is seen of the operand stands in `singular.py`.  Whether a derivative is taken, and whether by the result, the
calls decide: an auxiliary output has none, nor what `stop_gradient` stops, nor a function with a rule of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from operator import attrgetter
from typing import ClassVar

from flake8_jax.analysis.callables import Arguments
from flake8_jax.analysis.checks.derivatives.differentiated import differentiating
from flake8_jax.analysis.checks.derivatives.reaching import places_returned
from flake8_jax.analysis.checks.derivatives.singular import (
    SingularForm,
    SingularPoint,
    are_widened,
    equal_point,
    evident_point,
    excluded,
    input_behind,
    is_along_axis,
    of_power,
    singular_points,
    zero_point,
)
from flake8_jax.analysis.checks.derivatives.terms import Reader, Term
from flake8_jax.analysis.checks.derivatives.tests import possibilities_of
from flake8_jax.analysis.checks.derivatives.zeros import are_zeros
from flake8_jax.analysis.checks.instead import library_name
from flake8_jax.analysis.checks.naming import scope_of
from flake8_jax.analysis.evidence import CallSite, Need, OutcomeAtCall
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.isolation import ADVICE, advising
from flake8_jax.analysis.summaries.deferral import leave
from flake8_jax.api.singular import Singular
from flake8_jax.domain.effects import Finding
from flake8_jax.domain.kinds import CONTAINERS, MAY_BE_ANYTHING, Kind
from flake8_jax.domain.payload import EVERY
from flake8_jax.domain.provenance import Context
from flake8_jax.domain.staging import DerivativeMode, Input
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.rewrite import ChangedOp, Quoted, Rewrite
from flake8_jax.lazy_dataclasses import dataclass, replace

WHOLE = 400
SHOWING = frozenset(("-", "*", "/", "**", "@"))
"""Operators whose result is 0 where an operand is, or where both are equal."""

TAKING_TANGENTS: frozenset[DerivativeMode] = frozenset(("forward", "linear"))
"""Modes in which a choice takes the tangent of what it takes: nothing is multiplied by 0."""


@dataclass(frozen=True, slots=True)
class NanGradient:
    """A function is differentiated where its derivative is not finite, though the value there is left out.

    `form` says by what that is seen; `subject` is the text of the call, `operand` of what it is taken of, `test` of
    what chooses, or the numbers at which bounds hold it.  `rewrite` puts a safe number in place of the operand.
    """

    op: Op
    form: SingularForm
    subject: str
    operand: str
    test: str
    is_whole: bool
    context: Context
    rewrite: Rewrite | None = None


@dataclass(frozen=True, slots=True)
class NeedsNoGradient(Need):
    """A derivative by one of these must not be taken through an op.

    `part`: where in what the function returns the result lies; None for no known place.
    """

    identified_by: ClassVar = attrgetter("op", "dependences", "part")
    asks: ClassVar = "no derivative may go through `{0.op}`", "differentiated"
    harmless: ClassVar[frozenset[Kind]] = frozenset()
    form: SingularForm
    make: Callable[[Context], NanGradient]
    part: int | None = None

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """Violated where a derivative is taken; the caller inherits it where that is not known."""
        passing = TAKING_TANGENTS if self.form == "selected" else frozenset[DerivativeMode]()
        found = differentiating(site, self.dependences, self.part, is_declared_enough=True, passing=passing)
        if found is None:
            return
        if found.token is not None:
            context = Context(found.token.trace, site.chain, found.token.certainty)
            yield Finding((NanGradient, self.op, ()), partial(self.make, context))
            return
        for place in found.places:
            yield replace(self, dependences=found.under, part=place)


@dataclass(frozen=True, slots=True)
class NeedsNoZero(Need):
    """The input at `source` must not be an array of zeros where a derivative is taken through an op by these."""

    identified_by: ClassVar = attrgetter("op", "source", "part")
    asks: ClassVar = "`{0.op}` must not be differentiated at 0", "differentiated at 0"
    harmless: ClassVar[frozenset[Kind]] = frozenset()
    make: Callable[[Context], NanGradient]
    source: Input
    part: int | None = None

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """Violated where the call that takes the derivative hands in zeros."""
        actual = site.resolve(self.source)
        found = differentiating(site, self.dependences, self.part) if actual is not None else None
        if found is None or actual is None:
            return
        if found.token is None:
            source = input_behind(actual)
            for place in found.places if source is not None else ():
                assert source is not None
                yield replace(self, dependences=found.under, source=source, part=place)
        elif any(are_zeros(site.frame, one.original) for one in self._handed_in(site, actual)):
            context = Context(found.token.trace, site.chain, found.token.certainty)
            yield Finding((NanGradient, self.op, ()), partial(self.make, context))

    def _handed_in(self, site: CallSite, actual: Value) -> Iterable[Value]:
        """What the call hands in there: each item, if a loop goes through them."""
        outer, step = self.source.parent, self.source.step
        if outer is None or step is None or step[1] is not EVERY:
            return (actual,)
        around = site.resolve(outer)
        return site.frame.live().contents(around.original).parts if around is not None else ()


@dataclass(frozen=True, slots=True)
class NeedsUnequal(Need):
    """The inputs at `first` and `second` must not be one array where a derivative is taken through an op by these.

    Where `vmap` runs over both, each item meets itself; so it does where the call widens one array at two places, and
    the op `is_along` an axis.
    """

    identified_by: ClassVar = attrgetter("op", "first", "second", "part")
    asks: ClassVar = "`{0.op}` must not be differentiated at 0", "one array for both"
    harmless: ClassVar[frozenset[Kind]] = frozenset()
    make: Callable[[Context], NanGradient]
    first: Input
    second: Input
    part: int | None = None
    is_along: bool = False

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """Violated where the call hands in one array twice, and somebody takes the derivative."""
        if self.is_along and _are_widened(site, self.first, self.second):
            yield from NeedsNoGradient(self.op, self.dependences, "pairwise", self.make, self.part).at(site)
            return
        first, second = (_resolved(site, source) for source in (self.first, self.second))
        if first is None or second is None:
            return
        if first is second:
            if _is_one_array(first):
                yield from NeedsNoGradient(self.op, self.dependences, "pairwise", self.make, self.part).at(site)
            return
        found = differentiating(site, self.dependences, self.part)
        for place in found.places if found is not None and found.token is None else ():
            assert found is not None
            yield replace(self, dependences=found.under, first=first, second=second, part=place)


def _is_one_array(source: Input) -> bool:
    """Is an input the same whenever it is read, and no item at an index that may be another one?"""
    step = source.step
    is_whole = step is None or step[0] == "." or type(step[1]) in (int, str)
    return is_whole and (source.parent is None or _is_one_array(source.parent))


def _are_widened(site: CallSite, *sources: Input) -> bool:
    """Does a call hand in one array for both, to which it gives an axis more at two places?"""
    given = [op for source in sources if (op := site.source_of(source) or _by_place(site, source)) is not None]
    return len(given) == len(sources) and are_widened(*map(Reader(site.frame).read, given))


def _by_place(site: CallSite, source: Input) -> Op | None:
    """The argument that a call of a function passes for an input by its place, if that is written there."""
    args = site.op.args if type(site.op) is ops.Call else ()
    name, function = site.owned.get(source.root), site.function
    names = [one.name for one in function.function.parameters if one.kind in ("positional", "normal")]
    names = names[1:] if function.owner is not None and function.receiver != "none" else names
    is_plain = name in names and not any(type(argument) is ops.Star for argument in args)
    return args[names.index(name)] if is_plain and name is not None and names.index(name) < len(args) else None


def _resolved(site: CallSite, source: Input) -> Input | None:
    """The input of the caller that is handed in, as a whole or in lanes; one of another function is itself."""
    actual = site.resolve(source)
    if actual is None:
        return None if site.is_owned(source) else source
    return input_behind(actual.original)


def check_choice(frame: Frame, op: Op, name: str, arguments: Arguments) -> None:
    """Check the arms of a choice (`jnp.where`) for values without a finite derivative where they are not chosen."""
    if type(op) is not ops.Call or arguments.is_open or frame.state is None:
        return
    reader, plain = Reader(frame), _plain(arguments)
    for test, outcome, arm in _by_name(name, op) or ():
        if arm in plain:
            continue
        clauses = possibilities_of(reader.read(test), not outcome)
        if any(clauses):
            points = [*singular_points(frame.program.table, reader.read(arm), "selected")]
            _report(frame, op, excluded(points, clauses), test, outcome)


def _plain(arguments: Arguments) -> set[Op | None]:
    """The arguments, as they are written, through which no derivative goes that may be infinite."""
    named = [(arguments.keyword_ops.get(name), value) for name, value in arguments.keywords.items()]
    given = [*zip(arguments.ops, arguments.positional, strict=False), *named]
    return {source for source, value in given if not _may_be_singular(value)}


def _may_be_singular(value: Value) -> bool:
    """May a value be what a function gives of something by which a derivative is taken?"""
    if value.kind in MAY_BE_ANYTHING or value.kind in CONTAINERS:
        return value.input is None
    return bool(value.dependences)


def may_be_mask(op: Op, value: Value) -> bool:
    """May an operand be the outcome of a test, as such or as a number?"""
    made = value.made_by or op
    is_converted = type(made) is ops.Call and type(made.func) is ops.Attr and made.func.name == "astype"
    return value.dtype == "bool" or type(made) is ops.Compare or is_converted


def check_masked(frame: Frame, op: ops.Operate) -> None:
    """Check a product with the outcome of a test, which is a choice too."""
    if len(op.operands) != 2 or frame.state is None:
        return
    reader = Reader(frame)
    for mask, arm in (op.operands, op.operands[::-1]):
        test = reader.read(mask)
        if test.head == "compare" or (test.head == "operate" and test.key in ("&", "|", "~")):
            clauses = possibilities_of(test, False)
            if any(clauses):
                points = [*singular_points(frame.program.table, reader.read(arm), "masked")]
                _report(frame, op, excluded(points, clauses), mask, True)


def check_picked(frame: Frame, op: ops.Item) -> None:
    """Check the items that a test picks: the derivative of those that are left out is 0 times theirs."""
    reader = Reader(frame)
    test = reader.read(op.index)
    if frame.state is None or test.head != "compare":
        return
    clauses = possibilities_of(test, False)
    if any(clauses):
        points = [*singular_points(frame.program.table, reader.read(op.base), "selected")]
        _report(frame, op, excluded(points, clauses), op.index, True)


def check_evident(frame: Frame, op: Op, row: Singular, arguments: Arguments) -> None:
    """Look at the operand of a function that is not differentiable everywhere."""
    if type(op) is ops.Call and op.args and arguments.positional:
        _check_evident(frame, op, row, arguments.positional[0])


def check_root(frame: Frame, op: Op, operand: Value, exponent: Value) -> None:
    """Look at what a root is taken of that is written as a power, or as a call of one."""
    number = exponent.constant
    row = of_power(number) if isinstance(number, float) and 0 < number < 1 else None
    if row is not None and isinstance(op, (ops.Call, ops.Operate)):
        _check_evident(frame, op, row, operand)


def _check_evident(frame: Frame, op: ops.Call | ops.Operate, row: Singular, operand: Value) -> None:
    if frame.state is None:
        return
    if not _may_be_singular(operand):
        if row.is_whole and operand.input is not None:
            _leave_at_zero(frame, op, Reader(frame).read(op))
        return
    made = operand.made_by
    if type(made) is ops.Operate and not (row.is_zero and made.operator in SHOWING):
        return
    term = Reader(frame).read(op)
    point = evident_point(frame.program.table, term)
    if point is not None:
        _report(frame, op, [point], None, True)
    else:
        _leave_at_zero(frame, op, term)


def _leave_at_zero(frame: Frame, op: ops.Call | ops.Operate, term: Term) -> None:
    """Leave it to the callers whether a norm is differentiated at 0: of zeros, or of two arrays that are one."""
    apart = equal_point(frame.program.table, term)
    if apart is not None:
        met, first, second = apart
        make, is_along = partial(_event, op, met, op, None, True), is_along_axis(term)
        for place in places_returned(frame, op):
            leave(frame, NeedsUnequal(op, met.under, make, first, second, place, is_along))
    at_zero = zero_point(frame.program.table, term)
    if at_zero is not None:
        met, source = at_zero
        for place in places_returned(frame, op):
            leave(frame, NeedsNoZero(op, met.under, partial(_event, op, met, op, None, True), source, place))


def _by_name(name: str, call: ops.Call) -> list[tuple[Op, bool, Op]] | None:
    """The arms that a function chooses between: each with its test, and the outcome by which it is chosen."""
    last, args = name.rpartition(".")[2], call.args
    named = dict(call.keywords)
    if last == "where":
        test, taken, left = _three(args, named, ("condition", "x", "y"))
    elif last == "select" and name.startswith("jax.lax"):
        test, taken, left = _three(args, named, ("pred", "on_true", "on_false"))
    elif last == "select_n" and len(args) == 3:
        test, left, taken = args
    elif last == "select":
        return [*_of_lists(args, named)]
    else:
        return None
    if test is None:
        return None
    return [(test, outcome, arm) for outcome, arm in ((True, taken), (False, left)) if arm is not None]


def _three(
    args: tuple[Op, ...], named: Mapping[str | None, Op], names: tuple[str, str, str]
) -> tuple[Op | None, Op | None, Op | None]:
    first, second, third = (args[place] if place < len(args) else named.get(names[place]) for place in range(3))
    return first, second, third


def _of_lists(args: tuple[Op, ...], named: Mapping[str | None, Op]) -> Iterator[tuple[Op, bool, Op]]:
    """The arms of `jnp.select([c, d], [a, b], rest)`: of the last one all tests fail."""
    tests, arms, rest = _three(args, named, ("condlist", "choicelist", "default"))
    if type(tests) is ops.Build and type(arms) is ops.Build:
        yield from ((test, True, arm) for test, arm in zip(tests.parts, arms.parts, strict=False))
        if rest is not None:
            yield from ((test, False, rest) for test in tests.parts)


def _report(
    frame: Frame, op: ops.Call | ops.Operate | ops.Item, found: Iterable[SingularPoint], test: Op | None, outcome: bool
) -> None:
    for point in found:
        for place in places_returned(frame, op):
            at = point.by.op if point.by.is_here and point.by.op is not None else op
            make = partial(_event, at, point, op, test, outcome)
            leave(frame, NeedsNoGradient(at, point.under, point.form, make, place))


def _event(at: Op, point: SingularPoint, choice: Op, test: Op | None, outcome: bool, context: Context) -> NanGradient:
    operand = phrase(_written(at) or at)
    rewrite = _guarded(at, point, choice, test, outcome) if test is not None else None
    text = phrase(test) if test is not None else " or ".join(f"{number:g}" for number in point.at)
    return NanGradient(at, point.form, phrase(at), operand, text, point.row.is_whole, context, rewrite)


def _written(at: Op) -> Op | None:
    """The operand as it is written."""
    if type(at) is ops.Operate and len(at.operands) == 2:
        return at.operands[1 if at.operator == "/" else 0]
    if type(at) is ops.Call:
        is_method = type(at.func) is ops.Attr and not at.args
        return at.func.base if is_method and type(at.func) is ops.Attr else at.args[0] if at.args else None
    return None


@advising(ADVICE, None)
def _guarded(at: Op, point: SingularPoint, choice: Op, test: Op, outcome: bool) -> Rewrite | None:
    """The operand, replaced by a safe number where it is not chosen."""
    operand = _written(at)
    if operand is None or point.row.is_whole or not point.by.is_here or at.anchor is not choice.anchor:
        return None
    where, safe = library_name(scope_of(at) or scope_of(choice), "jax.numpy.where"), point.row.safe
    arms = (Quoted(operand, WHOLE), ", ", safe) if outcome else (safe, ", ", Quoted(operand, WHOLE))
    return Rewrite((ChangedOp(operand, (where, "(", Quoted(test, WHOLE), ", ", *arms, ")")),))
