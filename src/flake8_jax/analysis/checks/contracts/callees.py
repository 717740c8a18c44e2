"""What comes in the place of a function that a transform is due, and cannot be called.

jax.grad(loss(params))                  the result of a call: `jax.grad(loss)(params)`
lax.cond(p, f(x), g(x))                 both are computed before: `lambda: f(x)`
lax.cond(p, x + 1, x - 1)               whatever `x` is, it is no function
jax.tree.map(tree, f)                   the function stands elsewhere among the arguments
def run(step, x): return lax.scan(step, x, xs)          precondition: `step` can be called
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import ClassVar, Literal, TypeAlias

from flake8_jax.analysis.callables import Arguments
from flake8_jax.analysis.checks.contracts.bodies import has_operands
from flake8_jax.analysis.checks.contracts.nouns import is_function, noun_of_data
from flake8_jax.analysis.checks.contracts.places import input_outside, is_of_a_test, written
from flake8_jax.analysis.checks.naming import imported_name
from flake8_jax.analysis.checks.wording import callee_text, handed, origin
from flake8_jax.analysis.evidence import CallSite, Need, OutcomeAtCall
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.isolation import ADVICE, advising
from flake8_jax.analysis.summaries.deferral import emit, leave
from flake8_jax.api.static_options import MAPPING
from flake8_jax.api.transforms import Transform
from flake8_jax.domain.dtypes import has_number
from flake8_jax.domain.effects import Finding
from flake8_jax.domain.kinds import API, CLASS, COMPUTED, FUNCTIONS_OR_METHODS, INSTANCE, MODULE, OBJECT, UNKNOWN, Kind
from flake8_jax.domain.provenance import Context, Hop
from flake8_jax.domain.staging import Input
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import chains_of
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.rewrite import ChangedOp, Piece, Quoted, Rewrite, unsafe
from flake8_jax.lazy_dataclasses import dataclass, replace

WhyNoFunction: TypeAlias = Literal["called", "order", "value"]


@dataclass(frozen=True, slots=True)
class FunctionDue:
    """A transform gets something that cannot be called where it calls a function, or operands in another order.

    `why`: it is the result of a call of `function`, it stands at the place of another argument, or it is simply
    something else; `given` says what, in words, and `origin` where it was made.  `transform` is the user's spelling of
    it, `due` what it does with what stands there, `order` the call with the names of its parameters; `instead` is what
    to write in words, `rewrite` the changes that write it.
    """

    op: Op
    why: WhyNoFunction
    subject: str
    given: str
    function: str
    transform: str
    due: str
    origin: Hop | None
    instead: str
    context: Context
    rewrite: Rewrite | None = None
    order: str = ""


DERIVATIVES = frozenset(("jax.grad", "jax.value_and_grad"))
MAY_BE_CALLED = FUNCTIONS_OR_METHODS | {UNKNOWN}
"""What the item of a pair is that is a function, as that of `jax.vjp`."""


@dataclass(frozen=True, slots=True)
class NeedsFunction(Need):
    """An argument must be something that can be called, because a transform calls it as its `parameter`.

    `order`: the text of the call with a function there, where one stands elsewhere among its arguments.
    """

    asks: ClassVar = "`{0.op}` must be a function for `{0.transform}`", "an array or other data"
    harmless: ClassVar[frozenset[Kind]] = FUNCTIONS_OR_METHODS | {API, CLASS, MODULE, OBJECT}
    source: Input
    transform: str
    parameter: str
    order: str = ""

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """Violated by what certainly cannot be called; None may be a default that is replaced."""
        actual = site.resolve(self.source)
        if actual is None:
            if not site.is_owned(self.source):
                yield self
            return
        given = noun_of_data(actual)
        if site.frame.is_expected:
            return
        if given and given != "None" and not is_of_a_test(site, self.op):
            whence, context = handed(actual, site.op), Context(None, site.chain)
            instead = f"use `{self.order}`" if self.order else f"pass a function for `{phrase(self.op)}`"
            make = partial(
                FunctionDue, self.op, "value", phrase(self.op), given, "", self.transform, _due(self.parameter), whence,
                instead, context,
            )  # fmt: skip
            yield Finding((FunctionDue, self.op, self.parameter), make)
        elif (source := input_outside(actual)) is not None:
            yield replace(self, source=source, dependences=frozenset((source,)))


def check_functions(frame: Frame, op: Op, transform: Transform, arguments: Arguments, given: dict[str, Value]) -> bool:
    """Report what cannot be called where a transform is due a function; of inputs, callers are told.

    True, if nothing more is to be said of its operands.
    """
    is_former = transform.exclusive and is_former_cond(transform, arguments)
    if is_former or frame.context.is_prepared or arguments.is_open:
        return True
    for demand in transform.demands:
        if demand.word == "function":
            for name in demand.parameters:
                if name in given and _check(frame, op, transform, arguments, name, given[name]):
                    return True
        elif demand.word == "functions":
            branches = given.get(demand.parameters[0])
            place = written(transform, arguments, demand.parameters[0])
            parts = frame.live().contents(branches).elements if branches is not None else None
            sources = place.parts if type(place) is ops.Build and len(place.parts) == len(parts or ()) else ()
            for number, part in enumerate(parts or ()):
                source = sources[number] if sources else place
                if not sources and noun_of_data(part) == "None":
                    continue  # a place that is filled later: `branches = [None] * n`
                if _check(frame, op, transform, arguments, demand.parameters[0], part, source):
                    return True
    return False


def _check(
    frame: Frame, op: Op, transform: Transform, arguments: Arguments, name: str, value: Value, place: Op | None = None
) -> bool:
    """Report one value that cannot be called; was it reported?"""
    if is_function(value) or any(fact.test == "asked" and fact.subject is value for fact in frame.path):
        return False
    source = place or written(transform, arguments, name)
    if value.input is not None:
        if source is not None and frame.parent is not None:
            text, ordered = callee_text(op, transform.name), _in_order(op, transform, arguments)
            order = ordered.changes[0].text if ordered is not None else ""
            leave(frame, NeedsFunction(source, frozenset((value.input,)), value.input, text, name, order))
        return False
    given = noun_of_data(value) or _noun_of_arithmetic(transform, arguments, value)
    if not given or (given == "None" and frame.path):
        return False  # where a test has decided, it may be that None never comes here
    make = partial(_event, frame, op, source, transform, arguments, name, value, given)
    emit(frame, (FunctionDue, source or op, name), make)
    return True


def _noun_of_arithmetic(transform: Transform, arguments: Arguments, value: Value) -> str:
    """What arithmetic with a number makes of inputs, where a branch is due or one of the inputs is an operand, too.

    Elsewhere an object may well define what `f + 1` is, and that it can be called.
    """
    if value.kind is not COMPUTED or not has_number(value.dtype):
        return ""
    operands = frozenset(one.input for one in arguments.values() if one.input is not None)
    return "a number or an array" if transform.exclusive or operands & value.dependences else ""


def _due(parameter: str) -> str:
    return f"needs a function for `{parameter}`"


def is_former_cond(transform: Transform, arguments: Arguments) -> bool:
    """Is it `cond(pred, x, f, y, g)`, with an operand before each function, which JAX still takes?"""
    values = arguments.positional
    if not transform.exclusive or len(values) != 5 or is_function(values[1]) or is_function(values[3]):
        return False
    is_shown = all(is_function(one) or one.kind is API for one in (values[2], values[4]))
    return is_shown or bool(noun_of_data(values[1]) and not noun_of_data(values[2]))


def _event(
    frame: Frame, op: Op, source: Op | None, transform: Transform, arguments: Arguments, name: str, value: Value,
    given: str,
) -> FunctionDue:  # fmt: skip
    text, place, name = callee_text(op, transform.name), source or op, _due(name)
    whence = origin(value, place)
    ordered = _in_order(op, transform, arguments)
    if ordered is not None:
        instead = f"use `{ordered.changes[0].text}`"
        return FunctionDue(
            place, "order", phrase(place), given, "", text, name, whence, instead, Context(), unsafe(ordered),
            order_text(transform, arguments),
        )  # fmt: skip
    functions = [number for number, part in enumerate(value.elements or ()) if part.kind in MAY_BE_CALLED]
    if len(functions) == 1 and type(place) in (ops.Name, ops.Attr, ops.Call):
        item = Rewrite((ChangedOp(place, (Quoted(place), f"[{functions[0]}]")),))
        instead = f"use `{item.changes[0].text}`, the item that is a function"
        return FunctionDue(
            place, "value", phrase(place), given, "", text, name, whence, instead, Context(), unsafe(item)
        )
    if type(source) is ops.Operate and transform.exclusive:
        instead, rewrite = _uncalled(frame, op, source, transform)
        return FunctionDue(
            place, "value", phrase(place), given, "", text, name, whence, instead, Context(), unsafe(rewrite)
        )
    if type(source) is ops.Call and value.kind is not INSTANCE:
        instead, rewrite = _uncalled(frame, op, source, transform)
        function = phrase(source.func)
        return FunctionDue(
            place, "called", phrase(place), given, function, text, name, None, instead, Context(), unsafe(rewrite)
        )
    instead = "pass a function there"
    if transform.exclusive and given != "None":
        instead = "pass the functions of both ways first, and what they take behind them"
    if transform.wraps and type(place) in (ops.Name, ops.Attr) and given != "None":
        instead = f"pass a function that computes `{phrase(place)}`{_rest(op, transform, text)}"
    return FunctionDue(place, "value", phrase(place), given, "", text, name, whence, instead, Context())


def _rest(op: Op, transform: Transform, text: str) -> str:
    """Where the operands go that stand behind a function, in words."""
    return f", and its arguments to what `{text}` returns" if has_operands(op, transform) else ""


@advising(ADVICE, None)
def _in_order(op: Op, transform: Transform, arguments: Arguments) -> Rewrite | None:
    """The call with its functions where these are due, if as many were given elsewhere."""
    values, sources = arguments.positional, arguments.ops
    names = {name for demand in transform.demands if demand.word == "function" for name in demand.parameters}
    due = [place for place in range(len(values)) if _name_at(transform, place) in names]
    found = [place for place, value in enumerate(values) if is_function(value) or value.kind is API]
    if type(op) is not ops.Call or not len(sources) == len(values) == len(op.args) or None in sources:
        return None
    if len(found) != len(due) or found == due or names & {*arguments.keywords}:
        return None
    others = iter([place for place in range(len(values)) if place not in found])
    functions = iter(found)
    order = [next(functions) if place in due else next(others) for place in range(len(values))]
    pieces: list[Piece] = [Quoted(op.func), "("]
    for number, place in enumerate(order):
        pieces += [", " if number else "", Quoted(op.args[place], 60)]
    for key, argument in op.keywords:
        pieces += [f", {key}=" if key is not None else ", **", Quoted(argument, 60)]
    return Rewrite((ChangedOp(op, (*pieces, ")")),))


def order_text(transform: Transform, arguments: Arguments) -> str:
    """The call with the names of the parameters that are passed by position."""
    names = [_name_at(transform, place) for place in range(len(arguments.positional))]
    return f"{transform.name.rpartition('.')[2]}({', '.join(dict.fromkeys(names))})"


def _name_at(transform: Transform, place: int) -> str:
    parameter = transform.parameter_at(place)
    return parameter.name if parameter is not None else ""


@advising(ADVICE, ("pass a function there", None))
def _uncalled(frame: Frame, op: Op, source: ops.Call | ops.Operate, transform: Transform) -> tuple[str, Rewrite | None]:
    """What passes the functions that are called: themselves, or lambdas where they are run without arguments."""
    called = _computed_among(op, transform) if type(op) is ops.Call else []
    if type(op) is ops.Call and transform.exclusive and (operands := _operands(op, transform)):
        return _of_operands(called, operands)
    if type(op) is not ops.Call or source not in called:
        return "pass a function there", None
    if transform.exclusive:
        changes = [ChangedOp(call, ("lambda: ", Quoted(call, 60))) for call in called]
        return "use " + " and ".join(f"`{change.text}`" for change in changes), Rewrite((*changes,))
    if type(source) is not ops.Call:
        return "pass a function there", None
    around = chains_of(frame.function).parents.get(op)
    is_called = type(around) is ops.Call and around.func is op
    if transform.wraps and len(op.args) == 1 and not op.keywords and not is_called:
        pieces: list[Piece] = [Quoted(op.func), "(", Quoted(source.func), f"{_axes(source, transform)})("]
        for number, argument in enumerate(source.args):
            pieces += [", " if number else "", Quoted(argument, 60)]
        for number, (key, argument) in enumerate(source.keywords, len(source.args)):
            pieces += [", " if number else "", f"{key}=" if key is not None else "**", Quoted(argument, 60)]
        changed = ChangedOp(op, (*pieces, ")"))
        return f"use `{changed.text}`", Rewrite((changed,))
    rest = _rest(op, transform, callee_text(op, transform.name))
    return f"pass `{phrase(source.func)}` itself{rest}", None


def _axes(source: ops.Call, transform: Transform) -> str:
    """The axes for a derivative in each lane: of one loss for each of many examples, by the same parameters.

    vmap(grad(loss)(params, x, y))      vmap(grad(loss), in_axes=(None, 0, 0))(params, x, y)
    """
    maker = source.func
    if type(maker) is not ops.Call or imported_name(maker.func) not in DERIVATIVES:
        return ""
    by = [*maker.args[1:2], *(value for name, value in maker.keywords if name == "argnums")]
    is_first = all(type(one) is ops.Const and one.value == 0 for one in by)
    if transform.name not in MAPPING or not is_first or len(source.args) < 2 or source.keywords:
        return ""
    return f", in_axes=(None{', 0' * (len(source.args) - 1)})"


def _operands(op: ops.Call, transform: Transform) -> list[Op]:
    """What a branch is given, behind its functions."""
    names = [*(_name_at(transform, place) for place in range(len(op.args))), *(key for key, _ in op.keywords)]
    given = [*op.args, *(argument for _, argument in op.keywords)]
    return [argument for name, argument in zip(names, given) if name in ("operands", "operand")]


def _of_operands(called: list[Op], operands: list[Op]) -> tuple[str, Rewrite | None]:
    """What passes branches that are computed before, though they are given operands."""
    given = [phrase(operand, 60) for operand in operands]
    calls = [one for one in called if type(one) is ops.Call and not one.keywords]
    if len(calls) == len(called) and all([phrase(one, 60) for one in call.args] == given for call in calls):
        changes = [ChangedOp(call, (Quoted(call.func),)) for call in calls]
        return "use " + " and ".join(f"`{change.text}`" for change in changes), Rewrite((*changes,))
    names = " and ".join(dict.fromkeys(f"`{phrase(one)}`" for one in called))
    return f"pass functions that take `{', '.join(given)}` and compute {names}", None


def _computed_among(op: ops.Call, transform: Transform) -> list[Op]:
    """What is computed in the places of functions; of branches, only where these are run without arguments."""
    due = {name for demand in transform.demands if demand.word.startswith("function") for name in demand.parameters}
    given: list[Op] = []
    for place, argument in enumerate(op.args):
        name = _name_at(transform, place)
        if name in due:
            given += argument.parts if type(argument) is ops.Build else (argument,)
    given += [argument for key, argument in op.keywords if key in due]
    return [
        one for one in given
        if (type(one) is ops.Operate and transform.exclusive)
        or (type(one) is ops.Call and all(type(part) is not ops.Star for part in one.args))
    ]  # fmt: skip
