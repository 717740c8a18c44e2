"""The parameters of a library function in a call: each argument with its parameter, and the constants among them."""

from __future__ import annotations

from collections.abc import Iterator

from flake8_jax.analysis.callables import Arguments
from flake8_jax.api.rows import ApiFunction, ApiParameter
from flake8_jax.domain.constants import NotConstant
from flake8_jax.domain.value import Value
from flake8_jax.ir.ops import Op
from flake8_jax.ir.parts import Host


def pairs(function: ApiFunction, arguments: Arguments) -> Iterator[tuple[ApiParameter, Value, Op | None]]:
    """Each argument with its parameter and its op."""
    for place, value in enumerate(arguments.positional):
        parameter = function.parameter_at(place)
        if parameter is not None:
            yield parameter, value, arguments.ops[place] if place < len(arguments.ops) else None
    for name, value in arguments.keywords.items():
        parameter = function.parameter_named(name)
        if parameter is not None:
            yield parameter, value, arguments.keyword_ops.get(name)


def argument_for(function: ApiFunction, arguments: Arguments, name: str) -> Value | None:
    """The argument for a parameter, if it is given."""
    return next((value for parameter, value, _ in pairs(function, arguments) if parameter.name == name), None)


def constants_of(function: ApiFunction, arguments: Arguments) -> dict[str, Host]:
    """The constants among the arguments, by parameter; `...` for one that is not known.

    An older JAX takes by name what is positional now, as in `jnp.where(c, x=x, y=y)`: it is given.  So is what stands
    before such a one, as `x` in `jnp.where(c, x, y)`, of which both or neither may be None.
    """
    found: dict[str, Host] = dict.fromkeys(arguments.keywords, ...)
    unnamed: list[str] = []
    for parameter, value, _ in pairs(function, arguments):
        known = value.constant
        found[parameter.name] = ... if isinstance(known, NotConstant) else known
        if parameter.kind == "positional":
            unnamed.append(parameter.name)
    while unnamed and found[unnamed[-1]] is None:
        unnamed.pop()
    return found | {name: ... for name in unnamed if found[name] is None}
