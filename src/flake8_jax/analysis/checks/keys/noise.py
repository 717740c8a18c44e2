"""Whether a network has noise in a call of it: by an option there, by its default, or since it has no such option.

net.apply(params, x, train=True, rngs={"dropout": key})        it says so
def __call__(self, x, train=True): ...                         net.apply(params, x, rngs=...) leaves that out
nn.Dropout(0.5, deterministic=False)                           it always has
"""

from __future__ import annotations

from flake8_jax.analysis.callables import Arguments, ClassValue, InstanceOf, underlying
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.labels.tables import WITHOUT_NOISE
from flake8_jax.analysis.objects.classes import ancestry, lookup
from flake8_jax.analysis.objects.narrowing import peek
from flake8_jax.domain.constants import OPEN
from flake8_jax.domain.kinds import OBJECT
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op

CALLED = "__call__"
SAYING = frozenset((*WITHOUT_NOISE, "method", None))
"""Keywords by which noise is switched, or another method is called; None: what is spread may have them."""


def is_noise(frame: Frame, op: Op, arguments: Arguments, place: Op | None) -> bool:
    """Is a key given for the dropout of a network that has some in this call?"""
    display = arguments.keyword_ops.get("rngs")
    items = display.items if type(display) is ops.BuildDict else ()
    is_dropout = any(one is place and type(key) is ops.Const and "drop" in str(key.value) for key, one in items)
    if not is_dropout:
        return False
    given = {option: arguments.keywords[option].constant for option in WITHOUT_NOISE if option in arguments.keywords}
    if given:
        return any(known in (OPEN, not WITHOUT_NOISE[option]) for option, known in given.items())
    if type(op) is not ops.Call or type(op.func) is not ops.Attr or op.func.name != "apply":
        return False
    if any(type(argument) is ops.Star for argument in op.args) or any(name in SAYING for name, _ in op.keywords):
        return False
    made_by, owner = _made(frame, op.func.base)
    return _has_noise(made_by) if owner is None else _is_noisy(owner, len(op.args))


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
    if not options:
        return not any(name in WITHOUT_NOISE for ancestor in ancestry(owner) for name in ancestor.annotations)
    return all(place >= passed and default is not None and _is_on(name, default) for name, default, place in options)


def _is_on(option: str | None, value: Op) -> bool:
    """Does an option say that there is noise?"""
    return option in WITHOUT_NOISE and type(value) is ops.Const and value.value is not WITHOUT_NOISE[option]
