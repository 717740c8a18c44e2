"""Calls that are refused: of a transform, and of a function that a transform is given.

lax.fori_loop(start=0, stop=3, ...)         it has no such parameters
lax.map(f, xs, ys)                          it takes two arguments
lax.scan(lambda c: (c, None), 0.0, xs)      the body is called with two
lax.while_loop(cond, lambda i, x: ..., (0, x))      the body is called with one, the tuple
lax.fori_loop(0, 3, lambda x, i: ..., x)    the index comes first

With what a function is called its row says (`runs`), and what it takes its signature (`objects/signatures.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from functools import lru_cache, partial
from typing import Literal, TypeAlias

from flake8_jax.analysis.callables import Arguments, FunctionValue, Partial, layers, underlying
from flake8_jax.analysis.checks.naming import imported_name
from flake8_jax.analysis.checks.wording import callee_text
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.isolation import ADVICE, advising
from flake8_jax.analysis.objects.signatures import Refusal, Signature, signature_of
from flake8_jax.analysis.summaries.deferral import emit
from flake8_jax.api import versions
from flake8_jax.api.transforms import DECORATED, Argument, CallShape, Transform
from flake8_jax.api.versions.target import JAX
from flake8_jax.domain.provenance import Context
from flake8_jax.domain.value import Value, unknown
from flake8_jax.ir import ops
from flake8_jax.ir.chains import chains_of, is_left_alone
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.rewrite import ChangedOp, Piece, Quoted, Rewrite, unsafe
from flake8_jax.ir.walking import number_written, only_target, within
from flake8_jax.lazy_dataclasses import dataclass

SignatureFault: TypeAlias = Literal[
    "keyword", "positions", "body", "order", "single", "length", "nothing", "ends", "swapped", "truth", "call"
]
"""A transform lacks a keyword, or takes fewer by position; a body takes other arguments, or the index later; it returns
one value in place of a tuple, a tuple of another length, nothing, nothing where it ends on one path, a pair that is
swapped, no truth; what a transform returns is called with other arguments than its function takes."""

INDICES = frozenset(("i", "j", "idx", "index", "iteration", "it"))
"""The names that parameters have for the number of a turn."""

WORDS = {"index": "the index", "each": "an element of `{}`", "leaf": "a leaf of `{}`"}
"""What a function gets that is no operand as it stands, in words."""

OF_PLACES = frozenset(("in_axes", "out_axes", "argnums"))
"""Options that numbers stand for, alone or in a tuple."""

AXES = frozenset(("axis", "axes", "dim", "dims"))
"""What NumPy and PyTorch call the axes that an operation runs along."""

LISTED = 6
BARE = "_"


@dataclass(frozen=True, slots=True)
class SignatureMisfit:
    """A function does not take what its transform passes, or does not return what must come back.

    `transform` and `function` are their names as they are written; `gets` is what is passed, or returned, and `takes`
    what is taken, or must come back, in words; `instead` is what to write.
    """

    op: Op
    fault: SignatureFault
    transform: str
    function: str
    gets: str
    takes: str
    instead: str
    context: Context
    rewrite: Rewrite | None = None


@dataclass(frozen=True, slots=True)
class BodyCall:
    """A call that a transform makes of a function: what it passes, in words, what this takes, and why it refuses it."""

    shape: CallShape
    function: Value
    passed: list[str]
    signature: Signature | None
    refusal: Refusal | None


def refuses(frame: Frame, op: Op, transform: Transform, arguments: Arguments) -> bool:
    """Report keywords that a transform of JAX does not have, or more arguments than it takes by position."""
    if not transform.name.startswith("jax.") or not transform.parameters or frame.context.is_prepared:
        return False
    lacking = [name for name in arguments.keyword_ops if _is_lacking(transform, name)]
    given = len(arguments.positional)
    if lacking:
        place = arguments.keyword_ops[lacking[0]]
        make = partial(_misspelt, frame, op, place, transform, arguments, lacking)
        emit(frame, (SignatureMisfit, place, "keyword"), make)
        return True
    is_crowded = bool(given) and transform.parameter_at(given - 1) is None
    spelled = (transform.name, imported_name(op.func) if type(op) is ops.Call else "")  # `pjit` is used as `jit` is
    if is_crowded and not any(versions.once_took_places(name, given, _newest(frame, op)) for name in spelled):
        positional = [each.name for each in transform.parameters if each.kind in ("positional", "normal")]
        most = len(positional)
        place = arguments.written(most) or op
        taken = ", ".join(f"`{name}`" for name in positional)
        make = partial(_crowded, frame, op, place, transform, given, most, taken)
        emit(frame, (SignatureMisfit, place, "positions"), make)
        return True
    return False


def _newest(frame: Frame, op: Op) -> versions.ReleaseNumber:
    """The newest release of JAX that the file allows."""
    return frame.program.linked.target.for_file(op.anchor.origin.file.text).allowed(JAX).highest


def _is_lacking(transform: Transform, name: str) -> bool:
    if transform.parameter_named(name) is not None or name.startswith("_") or name in transform.former:
        return False
    return not versions.once_took(transform.name, name)  # else JAX801 judges it


def _misspelt(
    frame: Frame, op: Op, place: Op, transform: Transform, arguments: Arguments, lacking: list[str]
) -> SignatureMisfit:
    meant = _meant(transform, arguments, lacking)
    said = ", ".join(f"`{meant[name]}={phrase(arguments.keyword_ops[name])}`" for name in lacking if name in meant)
    taken = [parameter.name for parameter in transform.parameters if parameter.kind != "varargs"]
    words = f"leave it out, or write what is meant: it takes {_listed(taken)}"
    if any(parameter.kind == "varargs" for parameter in transform.parameters) and not meant:
        words = "pass it by position, behind the functions"
    if transform.wraps and type(chains_of(frame.function).parents.get(op)) is ops.With:
        meant, said = {}, ""
        words = "it returns a function, and is no context: take the `with` away"
    text = callee_text(op, transform.name)
    if has_operands(op, transform):
        meant, said = {}, ""
        words = f"leave it out: `{text}` takes a function, and what it returns takes the arguments"
    rewrite = _renamed(op, meant) if len(meant) == len(lacking) else None
    instead = f"use {said}" if said and len(meant) == len(lacking) else words
    return SignatureMisfit(place, "keyword", text, "", _listed(lacking), "", instead, Context(), rewrite)


def has_operands(op: Op, transform: Transform) -> bool:
    """Is a transform that returns a function given what this is due: `grad(loss, params)` for `grad(loss)(params)`?"""
    options = op.args[1:] if type(op) is ops.Call and transform.wraps else ()
    return any(type(one) in (ops.Name, ops.Attr) and not _is_option(one) and _is_no_choice(one) for one in options)


def _is_no_choice(op: Op) -> bool:
    """Is it called neither as axes nor as places are?"""
    name = op.name if isinstance(op, (ops.Name, ops.Attr)) else ""
    return not any(part in name.lower() for part in ("arg", "ax", "num", "static", "spec"))


def _meant(transform: Transform, arguments: Arguments, lacking: list[str]) -> dict[str, str]:
    """The parameters that keywords probably stand for: of almost the same names, or the next that every call passes."""
    given = {*arguments.keywords}
    for place in range(len(arguments.positional)):
        parameter = transform.parameter_at(place)
        given |= {parameter.name} if parameter is not None else set()
    free = [one.name for one in transform.parameters if one.kind in ("normal", "keyword") and one.name not in given]
    needed = [name for name in transform.needs if name in free]
    found: dict[str, str] = {}
    for name in lacking:
        near = _alike(name, [one for one in free if one not in found.values()])
        given_op = arguments.keyword_ops[name]
        if any(type(one) is ops.Const and isinstance(one.value, str) for one in within(given_op)):
            near.sort(key=lambda one: not one.endswith(("name", "names")))
        elif name in AXES and transform.axes in free:
            near = [transform.axes]
        waiting = [one for one in needed if one not in found.values()]
        if near or waiting:
            found[name] = near[0] if near else waiting[0]
    return found


def _alike(name: str, free: list[str]) -> list[str]:
    """The names that one may stand for, word by word: those with all its words, else some of almost the same letters.

    `static_argnums` is no `donate_argnums`, nor `argnums`, but may be `static_broadcasted_argnums`.
    """
    words = name.split("_")
    with_all = [one for one in free if {*words} < {*one.split("_")}]
    return with_all or [one for one in get_close_matches(name, free, 3) if _are_words_alike(words, one.split("_"))]


def _are_words_alike(words: list[str], others: list[str]) -> bool:
    """Does each word have one like it, where there are as many, and is what is called static so in both?"""
    if ("static" in words) != ("static" in others):
        return False
    return len(words) != len(others) or all(
        one.startswith(other) or other.startswith(one) or get_close_matches(one, [other])
        for one, other in zip(words, others)
    )


@advising(ADVICE, None)
def _renamed(op: Op, meant: dict[str, str]) -> Rewrite | None:
    """The call with other names for its keywords; None where they are bound elsewhere."""
    if type(op) is not ops.Call or not {name for name, _ in op.keywords} >= {*meant}:
        return None
    pieces: list[Piece] = [Quoted(op.func), "("]
    for place, argument in enumerate(op.args):
        pieces += [", " if place else "", Quoted(argument)]
    for place, (name, value) in enumerate(op.keywords, len(op.args)):
        word = f"{meant.get(name, name)}=" if name is not None else "**"
        pieces += [f"{', ' if place else ''}{word}", Quoted(value)]
    return unsafe(Rewrite((ChangedOp(op, (*pieces, ")")),)))


def _crowded(
    frame: Frame, op: Op, place: Op, transform: Transform, count: int, most: int, taken: str
) -> SignatureMisfit:
    instead = "pass several arrays as one tuple" if transform.runs and not transform.wraps else "pass options by name"
    text, takes = callee_text(op, transform.name), f"{most}: {taken}"
    rewrite = _moved_inside(frame, op, most)
    if has_operands(op, transform):
        instead = f"pass the arguments to what `{text}` returns"
    instead = f"use `{rewrite.changes[0].text}`" if rewrite is not None else instead
    return SignatureMisfit(place, "positions", text, "", _counted(count), takes, instead, Context(), rewrite)


@advising(ADVICE, None)
def _moved_inside(frame: Frame, op: Op, most: int) -> Rewrite | None:
    """The call with the options behind its function passed to the transform that makes this, which has room for them.

    jit(vmap(f), (0, None))     jit(vmap(f, (0, None)))
    """
    inner = op.args[0] if type(op) is ops.Call and most == 1 and op.args else None
    if type(op) is not ops.Call or type(inner) is not ops.Call or inner.keywords:
        return None
    table = frame.program.table
    transform = table.known(table.canonical(imported_name(inner.func))).transform
    more = op.args[1:]
    if transform is None or not transform.wraps or not all(map(_is_option, more)):
        return None
    places = [transform.parameter_at(len(inner.args) + number) for number in range(len(more))]
    if any(one is None or one.name not in OF_PLACES for one in places):
        return None
    pieces: list[Piece] = [Quoted(op.func), "(", Quoted(inner.func), "("]
    for number, argument in enumerate((*inner.args, *more)):
        pieces += [", " if number else "", Quoted(argument, 60)]
    pieces.append(")")
    for key, argument in op.keywords:
        pieces += [f", {key}=" if key is not None else ", **", Quoted(argument, 60)]
    return unsafe(Rewrite((ChangedOp(op, (*pieces, ")")),)))


def _is_option(op: Op) -> bool:
    """Is it written out as axes or places are: a number, None, or a tuple of such?"""
    if type(op) is ops.Build and op.kind in ("tuple", "list"):
        return all(map(_is_option, op.parts))
    return number_written(op) is not None or (type(op) is ops.Const and op.value is None)


def check_bodies(frame: Frame, op: Op, transform: Transform, given: dict[str, Value], arguments: Arguments) -> bool:
    """Report the functions that refuse the arguments with which a transform calls them; was one reported?

    Where one of several is run and all refuse them, the call lacks or has operands: that is told once.
    """
    if frame.context.is_prepared or not transform.runs:
        return False
    calls = [*_calls(frame, op, transform, given, arguments)]
    if transform.exclusive and any(call.signature is None for call in calls if not call.shape.each):
        return False  # an old form passes operands there
    refused = [call for call in calls if call.refusal is not None]
    if transform.exclusive and len(refused) == len(calls):
        refused = refused[:1]
    for one in refused:
        place = written_for(op, transform, one.shape, one.function, arguments)
        lacking = [name for name in transform.needs if name not in given] if not arguments.is_open else []
        emit(frame, (SignatureMisfit, place, "body"), partial(_refused, frame, op, place, transform, one, lacking))
    turned = [call for call in calls if call.refusal is None and _is_turned_round(call)]
    for one in turned:
        place = written_for(op, transform, one.shape, one.function, arguments)
        emit(frame, (SignatureMisfit, place, "order"), partial(_in_order, op, place, transform, one))
    return bool(refused or turned)


def _calls(
    frame: Frame, op: Op, transform: Transform, given: dict[str, Value], arguments: Arguments
) -> Iterator[BodyCall]:
    """The calls that a transform makes of known functions, or makes of one that is not known."""
    for shape in transform.runs:
        if not _names_parameters(shape):
            continue
        value = given.get(shape.function)
        for function in value.parts if shape.each and value is not None else (value,):
            signature = signature_of(frame.program.table, function) if function is not None else None
            if signature is not None and signature.is_bound and frame.program.table.unbinds(transform.name):
                signature = None  # `nn.cond(p, self.f, self.g, self, x)` takes the functions of the class
            if signature is None and not transform.exclusive:
                continue
            passed = passed_by(op, transform, shape, given, arguments)
            if passed is not None:
                refusal = signature.refusal(len(passed)) if signature is not None else None
                yield BodyCall(shape, function or unknown("no function"), passed, signature, refusal)


def _names_parameters(shape: CallShape) -> bool:
    return shape.function != DECORATED and (not shape.arguments or any(one.parameter for one in shape.arguments))


def passed_by(
    op: Op, transform: Transform, shape: CallShape, given: dict[str, Value], arguments: Arguments
) -> list[str] | None:
    """What a function gets by position, in words; None if it is not known how much that is.

    A row whose call names no parameter is an example: how many arguments there are depends on more.
    """
    if not _names_parameters(shape):
        return None
    found: list[str] = []
    is_spread = type(op) is ops.Call and None in [name for name, _ in op.keywords]
    for argument in shape.arguments:
        texts = _texts(transform, argument, given, arguments, is_spread)
        if texts is None:
            return None
        found += texts
    return found


def _texts(
    transform: Transform, argument: Argument, given: dict[str, Value], arguments: Arguments, is_spread: bool
) -> list[str] | None:
    """The words for one argument of a row, or for those that it stands for."""
    name, word = argument.parameter, argument.word
    if any(one.name == name and one.kind == "varargs" for one in transform.parameters):
        known = {one.name: one.kind for one in transform.parameters}
        is_free = "varkw" in known.values()
        if arguments.is_open or (is_free and (is_spread or not known.keys() >= {*arguments.keywords})):
            return None
        if len(arguments.positional) <= [*known].index(name) and transform.single in given:
            return [f"`{transform.single}`"]
        count = len(given[name].elements or ()) if name in given else 0
        return [f"`{name}[{place}]`" for place in range(count)] if count < LISTED else [f"`{name}`"] * count
    if word in ("rest", "closed"):
        value = given.get(name)
        elements = () if value is None else value.elements
        return None if elements is None else [f"`{name}[{place}]`" for place in range(len(elements))]
    return [WORDS[word].format(name) if word in WORDS else f"`{name}`" if name else "a value of its own"]


def written_for(op: Op, transform: Transform, shape: CallShape, function: Value, arguments: Arguments) -> Op:
    """Where a function is written for a transform; where it is handed to the code around, its definition."""
    place = next((at for at, one in enumerate(transform.parameters) if one.name == shape.function), len(arguments.ops))
    found = arguments.written(place, shape.function)
    if shape.each and type(found) is ops.Build:
        found = _written_in(arguments, place, shape.function, found).get(function, found)
    if found is None or (type(found) is ops.Name and found.scope.lookup(found.name).is_parameter):
        return defined_at(function) or found or op
    return found


@lru_cache(maxsize=16)
def _written_in(arguments: Arguments, place: int, name: str, display: ops.Build) -> dict[Value, Op]:
    """Where the functions of a display that is an argument are written."""
    value = arguments.get(place, name)
    return dict(zip((value.elements or ()) if value is not None else (), display.parts))


def written_option(op: Op | None, name: str) -> Op | None:
    """Where an option of a transform is written: in the call, or in that of a partial which is called."""
    while type(op) is ops.Call:
        found = next((value for word, value in op.keywords if word == name), None)
        if found is not None:
            return found
        op = op.func
    return None


def defined_at(function: Value) -> Op | None:
    """The definition of the innermost function."""
    for layer in layers(function):
        function = layer.callee
    return function.made_by if type(function.made_by) is ops.Closure else None


def named(function: Value, place: Op) -> str:
    """How a message calls a function."""
    found = underlying(function)
    if found is None:
        return f"`{phrase(place)}`"
    return "the lambda" if found.function.kind == "lambda" else f"`{found.function.name}`"


def _refused(
    frame: Frame, op: Op, place: Op, transform: Transform, call: BodyCall, lacking: list[str]
) -> SignatureMisfit:
    signature, refusal, passed = call.signature, call.refusal, call.passed
    assert signature is not None
    assert refusal is not None
    gets = _counted(len(passed)) + (f", {_joined(passed)}" if passed else "")
    rewrite = _as_one_tree(frame, op, call, signature) or _with_one_more(call, signature)
    words = _words(call, signature, transform.exclusive)
    if refusal.kind == "missing" and passed and _passes_the_rest(transform, call):
        words = f"pass one for each of its parameters, {signature.text()}, or bind the others by a lambda"
    if refusal.kind == "missing" and not {*refusal.names} <= {*signature.positional}:
        rewrite, words = None, f"bind {_listed(list(refusal.names))}, too, with `functools.partial`"
    is_whole = len(passed) == 1 and not _passes_the_rest(transform, call)  # it may be a tuple, whose parts these are
    unread = _unread(call.function, refusal) if refusal.kind == "missing" and not is_whole else []
    if unread:
        words = f"drop the parameter{'s' * (len(unread) > 1)} {_listed(unread)}, which the lambda does not read"
    if lacking:
        rewrite, words = None, f"{words}, and pass {_listed(lacking)}, too"
    instead = f"use `{rewrite.changes[0].text}`" if rewrite is not None else words
    return SignatureMisfit(
        place, "body", callee_text(op, transform.name), named(call.function, place), gets,
        taken_text(signature, refusal), instead, Context(), rewrite,
    )  # fmt: skip


def _unread(function: Value, refusal: Refusal) -> list[str]:
    """The parameters that a call lacks, if the function is a lambda, which nothing else calls, that reads none."""
    found = underlying(function)
    if found is None or found.function.kind != "lambda":
        return []
    return list(refusal.names) if all(is_left_alone(found.function, name) for name in refusal.names) else []


def taken_text(signature: Signature, refusal: Refusal) -> str:
    """The number of positional arguments that a function takes, in words."""
    least, most = signature.least, signature.most
    if refusal.kind == "missing" and not {*refusal.names} <= {*signature.positional}:
        return f"takes {_listed(list(refusal.names))} by name"
    if most is None or (most > least and refusal.kind == "missing"):
        text = f"at least {_counted(least)}"
    else:
        text = _counted(most) if most == least else f"{least} to {_counted(most)}"
    return f"takes {text}{' without `self`' if signature.is_bound else ''}"


def _words(call: BodyCall, signature: Signature, is_exclusive: bool) -> str:
    """What to do about a function that is called with other arguments."""
    found, count, passed = underlying(call.function), len(call.passed), call.passed
    is_method = found is not None and found.owner is not None
    if is_method and not signature.is_bound and signature.positional[:1] == ("self",):
        return f"pass the method of an object, `self.{found.function.name}`" if found is not None else ""
    has_receiver = found is not None and found.function.parameters[:1] and found.function.parameters[0].name == "self"
    if is_method and not has_receiver and signature.is_bound and (signature.most or count) < count:
        return "give the method the parameter `self` before the others, or make it a `staticmethod`"
    if count == 1 and signature.least > 1 and not any(argument.word == "rest" for argument in call.shape.arguments):
        if isinstance(call.function.payload, Partial):
            return f"bind {_listed(list(signature.positional[1 : signature.least]))}, too, where the others are bound"
        names = ", ".join(signature.positional[: signature.least])
        return f"give it one parameter, and unpack that: `{names} = ...`"
    is_carried = bool(call.shape.arguments) and call.shape.arguments[-1].word not in ("rest", "each")
    if signature.most is not None and signature.least > count > 1 and is_carried:
        names = ", ".join(signature.positional[count - 1 : signature.least])
        return f"give it {_parameters(count)}, for {_joined(passed)}, and unpack the last: `{names} = ...`"
    if signature.most == 1 and _takes_trees(call):
        return f"pass one tree, such as a tuple of the {count}, or give it {count} parameters"
    if not passed and not is_exclusive:
        return "pass its arguments, too"
    if not passed:
        return "pass the operands behind the functions, or a function without parameters"
    return f"give it {_parameters(count)}, for {_joined(passed)}"


def _passes_the_rest(transform: Transform, call: BodyCall) -> bool:
    """Does a transform pass on as many arguments as it is given?"""
    rest = {one.name for one in transform.parameters if one.kind == "varargs"}
    return any(argument.parameter in rest for argument in call.shape.arguments)


def _takes_trees(call: BodyCall) -> bool:
    """Is it called with the leaves of as many trees as one passes?"""
    return any(argument.word == "leaf" for argument in call.shape.arguments)


@advising(ADVICE, None)
def _as_one_tree(frame: Frame, op: Op, call: BodyCall, signature: Signature) -> Rewrite | None:
    """The call with its trees as one tuple, where as many names are bound to what comes back.

    x, y = jax.tree.map(convert, x, y)      jax.tree.map(convert, (x, y))
    """
    if type(op) is not ops.Call or signature.most != 1 or not _takes_trees(call):
        return None
    store, trees = chains_of(frame.function).parents.get(op), op.args[1:]
    target = only_target(store)
    is_starred = any(type(one) is ops.Star for one in op.args)
    if type(target) is not ops.Unpack or len(target.parts) != len(trees) or is_starred or op.keywords:
        return None
    pieces: list[Piece] = [Quoted(op.func), "(", Quoted(op.args[0], 60), ", ("]
    for number, tree in enumerate(trees):
        pieces += [", " if number else "", Quoted(tree, 60)]
    return unsafe(Rewrite((ChangedOp(op, (*pieces, "))")),)))


def _parameters(count: int) -> str:
    return "one parameter" if count == 1 else f"{count} parameters"


def _with_one_more(call: BodyCall, signature: Signature) -> Rewrite | None:
    """A lambda with one parameter more: the index before the others, or what comes behind them."""
    payload, place = call.function.payload, call.function.made_by
    if not isinstance(payload, FunctionValue) or type(place) is not ops.Closure or not payload.function.body:
        return None
    body, names = payload.function.body[0], list(signature.positional)
    is_plain = payload.function.kind == "lambda" and len(names) == len(payload.function.parameters) > 0
    if not is_plain or payload.defaults or len(names) + 1 != len(call.passed) or BARE in names:
        return None
    if type(body) is not ops.Leave or body.value is None:
        return None
    is_first = names[0].strip("_").lower() in INDICES
    is_indexed = bool(call.shape.arguments) and call.shape.arguments[0].word == "index" and not is_first
    head = ", ".join([BARE, *names] if is_indexed else [*names, BARE])
    return unsafe(Rewrite((ChangedOp(place, (f"lambda {head}: ", Quoted(body.value, 60))),)))


def _is_turned_round(call: BodyCall) -> bool:
    """Does a function that gets the index first call its second parameter so?"""
    words = [argument.word for argument in call.shape.arguments]
    names = call.signature.positional if call.signature is not None else ()
    if words[:1] != ["index"] or len(words) != 2 or len(names) < 2:
        return False
    first, second = (name.strip("_").lower() for name in names[:2])
    return second in INDICES and first not in INDICES and bool(first)


def _in_order(op: Op, place: Op, transform: Transform, call: BodyCall) -> SignatureMisfit:
    signature, function = call.signature, call.function
    assert signature is not None
    first, second = signature.positional[:2]
    text = callee_text(op, transform.name)
    instead = f"give it the parameters `{second}, {first}`, in this order"
    rewrite = _exchanged(function, signature)
    if rewrite is not None:
        instead = f"use `{rewrite.changes[0].text}`"
    return SignatureMisfit(
        place, "order", text, named(function, place), "the index", f"`{first}, {second}`", instead, Context(), rewrite
    )


def _exchanged(function: Value, signature: Signature) -> Rewrite | None:
    """A lambda of two parameters with these in the other order."""
    payload, place = function.payload, function.made_by
    if not isinstance(payload, FunctionValue) or type(place) is not ops.Closure or payload.defaults:
        return None
    body = payload.function.body[0] if payload.function.kind == "lambda" and payload.function.body else None
    if type(body) is not ops.Leave or body.value is None or len(payload.function.parameters) != 2:
        return None
    first, second = signature.positional[:2]
    return unsafe(Rewrite((ChangedOp(place, (f"lambda {second}, {first}: ", Quoted(body.value, 60))),)))


def _counted(count: int) -> str:
    return f"{count or 'no'} argument{'s' * (count != 1)}"


def _listed(names: list[str]) -> str:
    return ", ".join([f"`{name}`" for name in names[:LISTED]] + ["..."] * (len(names) > LISTED))


def _joined(texts: list[str]) -> str:
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} and {texts[-1]}"
