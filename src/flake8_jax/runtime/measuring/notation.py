"""Parameters in the notation of the rows, `a*, /, b, *args, c!, **options`, and values for `*args`."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Sequence

from flake8_jax.runtime.foreign import Foreign

P = inspect.Parameter


class Varargs(tuple[Foreign, ...]):
    """The arguments of a `*parameter`; any other tuple is one argument."""

    __slots__ = ()


def shown(parameters: Sequence[inspect.Parameter], marks: Mapping[str, str]) -> str:
    """The parameters, each with its marks."""
    return ", ".join(_parts(parameters, marks))


def _parts(parameters: Sequence[inspect.Parameter], marks: Mapping[str, str]) -> Iterator[str]:
    for place, parameter in enumerate(parameters):
        kind = parameter.kind
        before = parameters[place - 1].kind if place else None
        after = parameters[place + 1].kind if place + 1 < len(parameters) else None
        if kind is P.KEYWORD_ONLY and before not in (P.KEYWORD_ONLY, P.VAR_POSITIONAL):
            yield "*"
        stars = "*" if kind is P.VAR_POSITIONAL else "**" if kind is P.VAR_KEYWORD else ""
        yield f"{stars}{parameter.name}{marks.get(parameter.name, '')}"
        if kind is P.POSITIONAL_ONLY and after is not P.POSITIONAL_ONLY:
            yield "/"
