"""Whether a network has noise in a call of it: by an option there, by its default, or since it has no such option.

net.apply(params, x, train=True, rngs={"dropout": key})        it says so
def __call__(self, x, train=True): ...                         net.apply(params, x, rngs=...) leaves that out
nn.Dropout(0.5, deterministic=False)                           it always has
nn.Dropout(0.5, deterministic=True)                             it never has
self.make_rng("latent")                                        it draws from the key for this stream itself
"""

from __future__ import annotations

from flake8_jax.analysis.callables import Arguments, ClassValue, InstanceOf, underlying
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.labels.tables import WITHOUT_NOISE
from flake8_jax.analysis.objects.classes import ancestry, lookup
from flake8_jax.analysis.objects.narrowing import peek
from flake8_jax.api.contracts import STREAMS
from flake8_jax.domain.constants import OPEN
from flake8_jax.domain.kinds import OBJECT
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import chains_of, searched_once
from flake8_jax.ir.ops import Function, Op
from flake8_jax.ir.walking import inside, within

CALLED = "__call__"
DRAWING, SWITCH = "Dropout", "deterministic"
CONDITIONAL = frozenset((ops.Branch, ops.Choose, ops.Try, ops.Logic, ops.Gather, ops.Loop))
SAYING = frozenset((*WITHOUT_NOISE, "method", None))
"""Keywords by which noise is switched, or another method is called; None: what is spread may have them."""


def is_noise(frame: Frame, op: Op, arguments: Arguments, key: Value, place: Op | None) -> bool:
    """Is a key given for noise that a network has in this call: for its dropout, or for what it draws itself?"""
    streams = _streams(frame, arguments, key, place)
    if not any("drop" in stream for stream in streams):
        return any(_is_drawn_by(frame, op, stream) for stream in streams)
    given = {option: arguments.keywords[option].constant for option in WITHOUT_NOISE if option in arguments.keywords}
    if given:
        return any(known in (OPEN, not WITHOUT_NOISE[option]) for option, known in given.items())
    if type(op) is not ops.Call or type(op.func) is not ops.Attr or op.func.name != "apply":
        return False
    if any(type(argument) is ops.Star for argument in op.args) or any(name in SAYING for name, _ in op.keywords):
        return False
    made_by, owner = _made(frame, op.func.base)
    return _has_noise(made_by) if owner is None else _is_noisy(owner, len(op.args))


def _streams(frame: Frame, arguments: Arguments, key: Value, place: Op | None) -> list[str]:
    """The streams for which a key is given: written in the call, or known of a dict."""
    display, given = arguments.keyword_ops.get(STREAMS), arguments.keywords.get(STREAMS)
    if type(display) is ops.BuildDict:
        return [str(name.value) for name, one in display.items if one is place and type(name) is ops.Const]
    entries = frame.live().contents(given).entries if given is not None else None
    return [str(name) for name, one in (entries or {}).items() if one is key]


def _is_drawn_by(frame: Frame, op: Op, stream: str) -> bool:
    """Does the network of the project that is applied always draw from a stream of this name?"""
    if type(op) is not ops.Call or type(op.func) is not ops.Attr or op.func.name != "apply":
        return False
    if any(name in ("method", None) for name, _ in op.keywords):
        return False
    _, owner = _made(frame, op.func.base)
    called = lookup(owner, CALLED) if owner is not None else None
    function = underlying(called) if called is not None else None
    return function is not None and stream in _drawn(function.function)


@searched_once
def _drawn(method: Function) -> frozenset[str]:
    """The streams from which a method draws whatever it computes, as `self.make_rng("latent")`."""
    chains = chains_of(method)
    calls = [one for statement in method.body for one in within(statement) if type(one) is ops.Call]
    return frozenset(
        str(call.args[0].value)
        for call in calls
        if type(call.func) is ops.Attr
        and call.func.name == "make_rng"
        and call.args
        and type(call.args[0]) is ops.Const
        and not any(type(one) in CONDITIONAL for one in chains.way_to(call))
    )


def _made(frame: Frame, network: Op) -> tuple[Op | None, ClassValue | None]:
    """What makes a network, and its class, if that is one of the project."""
    if type(network) is ops.Call:
        made = peek(frame, network.func)
        return network, made.payload if made is not None and isinstance(made.payload, ClassValue) else None
    value = peek(frame, network)
    owner = value.payload.owner if value is not None and type(value.payload) is InstanceOf else None
    return value.made_by if value is not None and value.kind is OBJECT else None, owner


def _has_noise(made_by: Op | None) -> bool:
    """Does what makes a network of a library say that it always has noise?"""
    return type(made_by) is ops.Call and any(_is_on(name, value) for name, value in made_by.keywords)


def _is_noisy(owner: ClassValue, passed: int) -> bool:
    """Has a network of a class of the project noise if no option says so, and so many arguments are passed?"""
    called = lookup(owner, CALLED)
    function = underlying(called) if called is not None else None
    if function is None:
        return False
    options = [
        (parameter.name, parameter.default, place)
        for place, parameter in enumerate(function.function.parameters)
        if parameter.name in WITHOUT_NOISE
    ]
    if not options and _never_draws(owner):
        return False
    if not options:
        return not any(name in WITHOUT_NOISE for ancestor in ancestry(owner) for name in ancestor.annotations)
    return all(place >= passed and default is not None and _is_on(name, default) for name, default, place in options)


def _never_draws(owner: ClassValue) -> bool:
    """Has a network, or what it inherits, layers that would draw, and is each of them written so that it does not?"""
    are_off = [is_off for ancestor in ancestry(owner) for is_off in _switched_off(ancestor.function)]
    return bool(are_off) and all(are_off)


@searched_once
def _switched_off(module: Function) -> tuple[bool, ...]:
    """Of each layer in the body of a class that would draw: is it written so that it does not?"""
    calls = [one for method in module.functions for one in inside(method) if type(one) is ops.Call]
    found = []
    for call in calls:
        switch = dict(call.keywords).get(SWITCH)
        if switch is not None or _is_named(call, DRAWING):
            found.append(type(switch) is ops.Const and switch.value is True)
        elif _is_named(call, "make_rng"):
            found.append(False)
    return tuple(found)


def _is_named(call: ops.Call, name: str) -> bool:
    return (type(call.func) is ops.Name or type(call.func) is ops.Attr) and call.func.name == name


def _is_on(option: str | None, value: Op) -> bool:
    """Does an option say that there is noise?"""
    return option in WITHOUT_NOISE and type(value) is ops.Const and value.value is not WITHOUT_NOISE[option]
