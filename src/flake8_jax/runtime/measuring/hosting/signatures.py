"""Signatures of callables: stated, introspected, parsed from the docstring, or derived from a ufunc's inputs."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from typing import TypeAlias

from flake8_jax.runtime.foreign import Foreign
from flake8_jax.runtime.measuring.notation import P, Varargs

ArgumentValues: TypeAlias = "Mapping[str, Foreign]"


def signature_of(function: Callable[..., Foreign], name: str, stated: str | None) -> inspect.Signature | None:
    """The signature of a callable; `stated`, in Python's syntax, takes precedence."""
    if stated is not None:
        return _parsed(stated)
    inputs = getattr(function, "nin", None)
    if isinstance(inputs, int):
        names = ["x"] if inputs == 1 else [f"x{place + 1}" for place in range(inputs)]
        return inspect.Signature([P(parameter, P.POSITIONAL_ONLY) for parameter in names])
    try:
        return inspect.signature(function)
    except (ValueError, TypeError):
        return _documented(function, name)


def _documented(function: Callable[..., Foreign], name: str) -> inspect.Signature | None:
    """What the first line of a docstring says: `normal(loc=0.0, scale=1.0, size=None)`."""
    text = inspect.getdoc(function) or ""
    found = re.match(rf"\s*(?:[\w.]+\.)?{re.escape(name)}\(", text)
    if found is None:
        return None
    depth = 1
    for place in range(found.end(), len(text)):
        depth += (text[place] in "([{") - (text[place] in ")]}")
        if depth == 0:
            return _parsed(text[found.end() : place])
    return None


def _parsed(parameters: str) -> inspect.Signature | None:
    try:
        return inspect.signature(eval(f"lambda {' '.join(parameters.split())}: None", {"__builtins__": {}}))
    except (SyntaxError, NameError, ValueError):
        return None


def arranged(signature: inspect.Signature, values: ArgumentValues) -> tuple[list[Foreign], dict[str, Foreign]]:
    """The positional and keyword arguments for these values of parameters; TypeError if no call can pass them."""
    positional: list[Foreign] = []
    keywords: dict[str, Foreign] = {}
    skipped = False
    for name, parameter in signature.parameters.items():
        if name not in values:
            skipped = skipped or parameter.kind in (P.POSITIONAL_ONLY, P.POSITIONAL_OR_KEYWORD)
        elif parameter.kind == P.VAR_KEYWORD:
            keywords.update(values[name])
        elif parameter.kind == P.KEYWORD_ONLY or (skipped and parameter.kind == P.POSITIONAL_OR_KEYWORD):
            keywords[name] = values[name]
        elif isinstance(values[name], Varargs) and not values[name]:
            continue
        elif skipped:
            raise TypeError(f"{name} cannot be given without those before it")
        elif parameter.kind == P.VAR_POSITIONAL:
            positional.extend(values[name])
        else:
            positional.append(values[name])
    return positional, keywords


def bound(signature: inspect.Signature, *arguments: Foreign, **keywords: Foreign) -> dict[str, Foreign]:
    """The parameters' values in a call with these arguments."""
    found = signature.bind(*arguments, **keywords).arguments
    kinds = {name: parameter.kind for name, parameter in signature.parameters.items()}
    return {name: Varargs(value) if kinds[name] == P.VAR_POSITIONAL else value for name, value in found.items()}


def required(signature: inspect.Signature) -> tuple[str, ...]:
    """The parameters without a default, `*` and `**` left out."""
    starred = (P.VAR_POSITIONAL, P.VAR_KEYWORD)
    return tuple(n for n, p in signature.parameters.items() if p.default is P.empty and p.kind not in starred)
