"""Calls of what a transform returns, with arguments that its function refuses.

jax.grad(loss)(params)                      `loss` takes two
jax.vmap(step)(x, y, 3)                     one too many
jax.jit(step)(x, scael=2.0)                 a name that it does not have
jax.value_and_grad(loss)(params, x, params=p)       passed twice
hk.transform(net).apply(params, x)          the key is left out, so that `x` stands at its place

What a transform returns takes what its function takes, but no type says so.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from difflib import get_close_matches
from functools import partial

from flake8_jax.analysis.callables import Arguments, FunctionValue, InstanceOf, MethodRun, Wrapped, underlying
from flake8_jax.analysis.checks.context import place
from flake8_jax.analysis.checks.contracts.bodies import SignatureMisfit, named, taken_text, written_option
from flake8_jax.analysis.checks.contracts.returned import returns_of
from flake8_jax.analysis.checks.naming import imported_name
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.classes import ancestry
from flake8_jax.analysis.objects.signatures import (
    LISTED,
    Refusal,
    Signature,
    of_function,
    signature_of,
    without_receiver,
)
from flake8_jax.analysis.summaries.deferral import emit
from flake8_jax.api.static_options import SIGNATURE_KEPT
from flake8_jax.domain.effects import ClassField
from flake8_jax.domain.provenance import Context
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import Chains, chains_of, exclusive, searched_for
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.rewrite import ChangedOp, Quoted, Rewrite, unsafe
from flake8_jax.ir.walking import only_target
from flake8_jax.syntax.policies import KEY_NAME

RECEIVERS = frozenset(("self", "cls", "this", "me", ""))
"""What the object of a method is called, without underscores."""

VARIABLES = frozenset(("params", "variables"))
"""What the variables of a network are called, which `apply` takes first."""

MOST_COMPARED = 8
"""With how many calls that have another number of arguments one is compared."""


def refuses_call(frame: Frame, op: Op, wrapped: Wrapped, arguments: Arguments) -> bool:
    """Report a call of a transformed function with other arguments than the function takes; was it reported?

    Where a transform calls it, that one's own row says so.
    """
    transform = wrapped.applied.transform
    if type(op) is not ops.Call or arguments.is_open or frame.context.is_prepared:
        return False
    if transform.name not in SIGNATURE_KEPT or transform.stage == "transparent" or not is_written(op, arguments):
        return False
    if _may_be_never_called(frame, wrapped) or _is_only_declared(frame, op, arguments):
        return False
    signature = signature_of(frame.program.table, wrapped.callee)
    refusal = signature.refusal(len(arguments.positional), arguments.keywords) if signature is not None else None
    if signature is None or refusal is None or _is_one_way(frame, op):
        return False
    make = partial(_event, frame, op, wrapped, arguments, signature, refusal)
    emit(frame, (SignatureMisfit, op, "call"), make, ground=_field_called(frame, op))
    return True


def check_run(frame: Frame, op: Op, run: MethodRun, callee: Value, arguments: Arguments) -> None:
    """Report a network that is run with other arguments than its function takes: `arguments` are those for it."""
    if type(op) is not ops.Call or arguments.is_open or frame.context.is_prepared or not _is_spelled(op):
        return
    found, module = underlying(callee), run.module.payload if run.module is not None else None
    if found is None or found.function.is_empty or (type(module) is InstanceOf and module.parts is None):
        return
    signature = signature_of(frame.program.table, callee)
    refusal = signature.refusal(len(arguments.positional), arguments.keywords) if signature is not None else None
    if signature is not None and refusal is not None:
        make = partial(_run_refused, op, run, callee, arguments, signature, refusal)
        emit(frame, (SignatureMisfit, op, "call"), make)


def _run_refused(
    op: ops.Call, run: MethodRun, callee: Value, arguments: Arguments, signature: Signature, refusal: Refusal
) -> SignatureMisfit:
    count, listed = len(arguments.positional), _listed(refusal.names) if refusal.names else ""
    gets = f"{count or 'no'} argument{'s' * (count != 1)}{' by position' if arguments.keywords else ''}"
    takes, instead = taken_text(signature, refusal), f"write the call for what it takes: {signature.text()}"
    if refusal.kind in ("unknown", "twice"):
        gets, takes = listed, f"takes {signature.text()}" if refusal.kind == "unknown" else "takes it once"
        instead = (_as_variables(op, arguments, refusal) if refusal.kind == "unknown" else "") or instead
    elif refusal.kind == "missing":
        is_alone = not count and _last(op.func) == "apply" and not any(name.endswith("@") for name in run.before)
        behind = " behind the variables" if is_alone else ", too"
        instead = _one_by_one(signature, arguments.ops, arguments.keywords) or f"pass {listed}{behind}"
        if len(refusal.names) == 1 and any(name.endswith("@") for name in run.before):
            instead += f", or the key that `{phrase(op.func)}` takes before it, which may be None"
    return SignatureMisfit(op, "call", phrase(op.func), named(callee, op), gets, takes, instead, Context())


def _last(func: Op) -> str:
    return func.name if type(func) is ops.Attr or type(func) is ops.Name else ""


def _as_variables(op: ops.Call, arguments: Arguments, refusal: Refusal) -> str:
    """What to do with variables that `apply` of a network is given under a name; "" of other keywords."""
    (name, *more) = refusal.names
    given = arguments.keyword_ops.get(name)
    if more or given is None or _last(op.func) != "apply" or name not in VARIABLES:
        return ""
    text, made_by = phrase(given), arguments.keywords[name].made_by
    is_whole = name == "variables" or (type(made_by) is ops.Call and _last(made_by.func) == "init")
    layered = text if is_whole else f'{{"params": {text}}}'
    return f"pass the variables first, as `{layered}`, and the arguments of the network behind them"


def _one_by_one(signature: Signature, sources: Sequence[Op | None], keywords: Collection[str]) -> str:
    """How to pass a tuple whose parts are the arguments; "" if it is none."""
    whole = sources[0] if len(sources) == 1 else None
    if type(whole) is not ops.Build or whole.kind != "tuple" or signature.refusal(len(whole.parts), keywords):
        return ""
    return f"pass the parts of the tuple one by one: `{', '.join(map(phrase, whole.parts))}`"


def _is_spelled(op: ops.Call) -> bool:
    """Does a call write each of its arguments?"""
    return not any(type(one) is ops.Star for one in op.args) and all(name is not None for name, _ in op.keywords)


def _field_called(frame: Frame, op: ops.Call) -> ClassField | None:
    """The field of the receiver that is called, into which the constructor of a class below may store another."""
    receiver = frame.function.parameters[0].name if frame.owner is not None and frame.function.parameters else None
    base = op.func.base if type(op.func) is ops.Attr else None
    if frame.owner is None or type(op.func) is not ops.Attr or type(base) is not ops.Name or base.name != receiver:
        return None
    return frame.owner.function, op.func.name


def _may_be_never_called(frame: Frame, wrapped: Wrapped) -> bool:
    """Is it a sketch, or a method that a class below replaces with another, for methods of its own?"""
    found, above = underlying(wrapped.callee), frame.owner
    if found is None or found.function.is_empty:
        return found is not None
    return above is not None and found.owner is not None and above in ancestry(found.owner)[1:]


def _is_only_declared(frame: Frame, op: ops.Call, arguments: Arguments) -> bool:
    """Is it a method of an object that annotations alone give a class, of which one below may take other arguments?"""
    if not arguments.positional or arguments.written(0) is not None or type(op.func) is not ops.Attr:
        return False
    base, receiver = op.func.base, arguments.positional[0].payload
    own = frame.function.parameters[0].name if frame.owner is not None and frame.function.parameters else None
    is_own = type(base) is ops.Name and base.name == own
    return not is_own and type(receiver) is InstanceOf and receiver.is_declared


def _is_one_way(frame: Frame, op: ops.Call) -> bool:
    """Is a function that callers hand in called with another number of arguments where a test fails or holds?

    The test then says which function it is: `loss(x, key) if key is not None`, and `loss(x)` else.
    """
    if not frame.is_specialized or type(op.func) is not ops.Name:
        return False
    chains = chains_of(frame.function)
    others = {**_calls_by_count(chains, op.func.name)}
    others.pop(_count(op), None)
    way = chains.way_to(op)
    return any(exclusive(way, chains.way_to(other)) for calls in others.values() for other in calls[:MOST_COMPARED])


@searched_for
def _calls_by_count(chains: Chains, name: str) -> dict[int, list[ops.Call]]:
    """The calls of what a name holds, by how many arguments they have."""
    found: dict[int, list[ops.Call]] = {}
    for read in chains.names.get(name, ()):
        call = chains.parents.get(read)
        if type(call) is ops.Call and call.func is read:
            found.setdefault(_count(call), []).append(call)
    return found


def _count(call: ops.Call) -> int:
    return len(call.args) + len(call.keywords)


def is_written(op: ops.Call, arguments: Arguments) -> bool:
    """Are the arguments those of the call itself, rather than what a transform passes there, or still to be written?"""
    for argument in op.args:
        if type(argument) is ops.Const and argument.value is ...:
            return False
        if type(argument) is ops.Star and type(argument.value) is ops.Name:
            return False  # what is in it, a caller that is not seen may say
    sources = arguments.ops
    return sources.count(None) < len(sources) or bool(arguments.keyword_ops) or not (op.args or op.keywords)


def _event(
    frame: Frame, op: ops.Call, wrapped: Wrapped, arguments: Arguments, signature: Signature, refusal: Refusal
) -> SignatureMisfit:
    names, function = refusal.names, named(wrapped.callee, wrapped.applied.op or op)
    listed = ", ".join(f"`{name}`" for name in names)
    count, found = len(arguments.positional), underlying(wrapped.callee)
    is_method = found is not None and found.owner is not None and found.receiver == "instance"
    is_handed = type(op.func) is ops.Name and op.func.scope.lookup(op.func.name).is_parameter
    sources = arguments.ops if not is_handed else (None,) * count  # what a name says, it says of the function around
    if is_method and not signature.is_bound and sources[:1] == (None,):
        if found is not None and _lacks_receiver(found.function, signature, count - 1, arguments):
            first = signature.positional[0]
            gets, takes = "its object", f"takes `{first}` first, and no `self`"
            instead = f"put `@staticmethod` above `{wrapped.applied.text}`, or give it `self` before `{first}`"
            return SignatureMisfit(op, "call", wrapped.applied.text, function, gets, takes, instead, Context())
        signature, count, sources = without_receiver(signature), count - 1, sources[1:]
    gets = f"{count or 'no'} argument{'s' * (count != 1)}{' by position' if arguments.keywords else ''}"
    takes, rewrite, rest, other, parts = taken_text(signature, refusal), None, "", "", ""
    needed = _listed(signature.required) if refusal.kind == "missing" else signature.text()
    instead = f"write the call for what it takes: {needed}"
    if refusal.kind == "many":
        known = _surplus_words(signature, sources, arguments.keywords)
        instead, other = known or instead, "" if known else ", or let it take the others, too"
    if refusal.kind == "unknown":
        gets, takes = listed, f"takes {signature.text()}"
        instead = _renamed(op, arguments, signature, names)
    elif refusal.kind == "twice":
        gets, takes = f"{listed} by position and by name", "takes it once"
        instead = "pass it once"
    elif refusal.kind == "missing" and _is_called_later(frame, op):
        rewrite = unsafe(Rewrite((ChangedOp(op, (Quoted(op.func),)),)))
        instead = f"use `{phrase(op.func)}` alone, and pass its arguments where that is called"
    elif refusal.kind == "missing":
        parts = _one_by_one(signature, sources, arguments.keywords)
        instead = parts or lacking_words(signature, sources, arguments.keywords) or instead
        rest = _rest_left(frame.function)
        instead = f"pass `*{rest}`, too" if rest else instead + _bound_below(frame, op, names)
    axes = _with_axes(op, wrapped, refusal) if rewrite is None and not parts else ""
    if instead.startswith("leave") and wrapped.applied.options.get("in_axes") is not None:
        axes = ", and its entry of `in_axes`"
    instead += other + axes if axes else ""
    if refusal.kind in ("many", "missing") and found is not None and rewrite is None:
        instead += _and_unpack(frame, op, found) if wrapped.applied.transform.returns is None else ""
    instead += other if not axes else ""
    if refusal.kind in ("many", "missing") and is_method and found is not None and rewrite is None and not rest:
        instead += _or_another(found, sources, arguments)
    return SignatureMisfit(op, "call", wrapped.applied.text, function, gets, takes, instead, Context(), rewrite)


def _bound_below(frame: Frame, op: ops.Call, names: Sequence[str]) -> str:
    """What to say of arguments that a call lacks, where their names are bound, and only behind the call."""
    stored = chains_of(frame.function).stored_to(names[0]) if len(names) == 1 and not frame.iterations else ()
    lines = [store.anchor.line for _, store in stored]
    is_below = bool(lines) and min(lines) > op.anchor.line
    return f", which is made on line {min(lines)}, below: move the call behind it" if is_below else ""


def _with_axes(op: ops.Call, wrapped: Wrapped, refusal: Refusal) -> str:
    """What to say of the axes along which more arguments, or less, are mapped."""
    axes = written_option(op.func, "in_axes")
    if refusal.kind in ("many", "missing") and type(axes) is ops.Build:
        return ", with an entry of `in_axes` for each"
    is_mapped = wrapped.applied.transform.axes == "in_axes" and "in_axes" not in wrapped.applied.options
    return ", with `in_axes` where that is not mapped" if refusal.kind == "missing" and is_mapped else ""


def _and_unpack(frame: Frame, op: ops.Call, found: FunctionValue) -> str:
    """What to do with the result of a function that always returns several values, where one name is bound to it."""
    store = chains_of(frame.function).parents.get(op)
    if type(store) is not ops.Store or any(type(target) is ops.Unpack for target in store.targets):
        return ""
    returned = [one.value for one in returns_of(found.function)]
    sizes = {len(one.parts) if type(one) is ops.Build and one.kind == "tuple" else 0 for one in returned}
    (size,) = sizes if len(sizes) == 1 else (0,)
    return f", and unpack the {size} values that it returns" if size > 1 else ""


def _surplus_words(signature: Signature, sources: Sequence[Op | None], keywords: Collection[str]) -> str:
    """What to do about arguments that are too many by position; "" if that is not known."""
    count, first = len(sources), sources[0] if sources else None
    is_receiver = type(first) is ops.Name and first.name in RECEIVERS
    if is_receiver and signature.is_bound and signature.refusal(count - 1, keywords) is None:
        return f"leave `{phrase(first)}` out, which is bound already" if first is not None else ""
    by_name = [name for name in signature.required if name not in {*signature.positional, *keywords}]
    if len(by_name) == count - len(signature.positional) > 0:
        return f"pass {_listed(by_name)} by name"
    return "pass no arguments" if signature.text() == "none" else ""


def _lacks_receiver(function: ops.Function, signature: Signature, count: int, arguments: Arguments) -> bool:
    """Is it a method without `self`, which fits the call where it is given no object?"""
    first = function.parameters[0].name.strip("_").lower() if function.parameters else "self"
    return first not in RECEIVERS and signature.refusal(count, arguments.keywords) is None


def lacking_words(signature: Signature, sources: Sequence[Op | None], keywords: Collection[str]) -> str:
    """Which arguments a call lacks, as far as the names of the others show; "" if it is of another signature.

    `f(pos, grid)` lacks `theta` of `f(pos, theta, grid)`; `f(surface)` is no call of `f(normal, dash1, dash2)`, and
    `f(pos, index, theta)` none of `f(pos, theta, grid, mask)`.
    """
    words = [_word(source) for source in sources]
    if all(words):
        places = _in_order(words, signature.positional)
        if places is not None:
            taken = {signature.positional[place] for place in places} | {*keywords}
            lacking = [name for name in signature.required if name not in taken]
            behind = next((number for number, place in enumerate(places) if place != number), None)
            before = f", before `{phrase(source)}`" if behind is not None and (source := sources[behind]) else ""
            if 0 < len(lacking) <= len(words):
                return f"pass {_listed(lacking)}, too{before}"
    order = {name: place for place, name in enumerate(signature.positional)}
    if any(order.get(word, place) != place for place, word in enumerate(words)):
        return ""  # one that is called as a parameter stands where another one is meant
    compared = [(word, name) for word, name in zip(words, signature.positional) if word]
    if 2 * sum(_is_meant(*each, signature.positional) for each in compared) < len(compared):
        return ""
    refusal = signature.refusal(len(sources), keywords)
    return f"pass {_listed(refusal.names)}, too" if refusal is not None and refusal.names else ""


def _is_meant(word: str, name: str, names: Sequence[str]) -> bool:
    """Is what is passed called as its parameter, and as no other one more?"""
    shared = len(_parts(word) & _parts(name))
    return are_alike(word, name) and all(len(_parts(word) & _parts(one)) <= shared for one in names)


def _listed(names: Sequence[str]) -> str:
    shown = [f"`{name}`" for name in names[:LISTED]]
    if len(names) > LISTED:
        return f"{', '.join(shown)}, ..."
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def _in_order(words: Sequence[str], names: Sequence[str]) -> list[int] | None:
    """The places of parameters that are called as arguments are, in their order; None if one has none."""
    places: list[int] = []
    start = 0
    for word in words:
        place = next((at for at in range(start, len(names)) if are_alike(word, names[at])), None)
        if place is None:
            return None
        places.append(place)
        start = place + 1
    return places


def _word(source: Op | None) -> str:
    """The name of what is passed; "" if it has none."""
    return source.name if type(source) in (ops.Name, ops.Attr) and isinstance(source, (ops.Name, ops.Attr)) else ""


def are_alike(one: str, other: str) -> bool:
    """Are two names one, have they a word in common, or are both of random keys?"""
    are_keys = KEY_NAME.search(one) is not None and KEY_NAME.search(other) is not None
    pairs = ((part, word) for part in _parts(one) for word in _parts(other) if min(len(part), len(word)) > 2)
    is_shortened = any(part.startswith(word) or word.startswith(part) for part, word in pairs)
    return one == other or are_keys or is_shortened or not _parts(one).isdisjoint(_parts(other))


def _parts(name: str) -> set[str]:
    return {part.removesuffix("s") if len(part) > 3 else part for part in name.lower().split("_") if len(part) > 1}


def _or_another(found: FunctionValue, sources: Sequence[Op | None], arguments: Arguments) -> str:
    """The methods of the class that are called almost so, and that take what is passed, by its names."""
    words = [_word(source) for source in sources]
    if found.owner is None or not words or not all(words):
        return ""
    known = {each.name: each for owner in reversed(ancestry(found.owner)) for each in owner.function.functions}
    own = found.function.name
    near = get_close_matches(own, [name for name in known if name != own and _share_half(own, name)], 6, 0.7)
    fitting: list[str] = []
    for name in near:
        signature = without_receiver(of_function(known[name])) if known[name].parameters else None
        if signature is None or signature.refusal(len(words), arguments.keywords) is not None:
            continue
        if all(are_alike(*each) for each in zip(words, signature.positional)):
            fitting.append(f"`{name}`")
    if not fitting or len(fitting) > 2:
        return ""
    return f", or call {' or '.join(fitting)}, which take{'s' * (len(fitting) == 1)} what is passed"


def _share_half(one: str, other: str) -> bool:
    """Is half of the words of two names the same at least?"""
    words, others = ({*name.split("_")} for name in (one, other))
    return 2 * len(words & others) >= max(len(words), len(others))


def _rest_left(function: ops.Function) -> str:
    """The name of `*args` of a function that never reads it; "" if it has none."""
    names = chains_of(function).names
    return next((one.name for one in function.parameters if one.kind == "varargs" and one.name not in names), "")


def _is_called_later(frame: Frame, op: ops.Call) -> bool:
    """Is the result of a call of a transformed function bound to a name, and called, or handed to a transform to call?

    gradient = jax.grad(loss)(params)       `jax.grad(loss)` is meant
    each = jax.vmap(gradient)
    """
    chains, table = chains_of(frame.function), frame.program.table
    store = chains.parents.get(op)
    target = only_target(store)
    for use in chains.uses_of(target) if type(target) is ops.Name else ():
        call = chains.parents.get(use)
        if type(call) is not ops.Call:
            continue
        transform = table.known(table.canonical(imported_name(call.func))).transform
        if call.func is use or (transform is not None and transform.wraps and call.args[:1] == (use,)):
            return True
    return False


def _meant(name: str, free: Sequence[str]) -> str:
    """The parameter that is almost called as a keyword, or the only one that is alike; "" if there is none."""
    near = get_close_matches(name, free, 1) or [one for one in free if are_alike(name, one)]
    return near[0] if len(near) == 1 else ""


def _renamed(op: ops.Call, arguments: Arguments, signature: Signature, names: tuple[str, ...]) -> str:
    """What to do about keywords that a function does not have: the parameters that are almost called so.

    One that the call passes as well is meant by whoever hands in the keyword, as part of `**options`.
    """
    places = [arguments.keyword_ops.get(name) for name in names]
    is_here = any(keyword in names for keyword, _ in op.keywords)
    passed = {*arguments.keywords, *signature.positional[: len(arguments.positional)]} if is_here else set()
    free = sorted(signature.named - passed)
    found = [near for name in names if (near := _meant(name, free))]
    is_short = not arguments.is_open and not passed.union(found).issuperset(signature.required)
    if len({*found}) < len(names) or (is_here and is_short):
        return f"write the call for what it takes: {signature.text()}"
    other = next((one for one in places if one is not None and one.anchor.origin is not op.anchor.origin), None)
    where = f" {place(other.anchor.origin.shown, other.anchor.line, True)}" if other is not None else ""
    spread = next((value for keyword, value in op.keywords if keyword is None), None)
    if not where and not is_here:
        where = f" in the call that fills `**{phrase(spread)}`" if spread is not None else " where it is passed"
    return f"write {' and '.join(f'`{near}`' for near in found)}{where}"
