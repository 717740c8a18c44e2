"""Probes one function: how working calls behave when arguments are varied and traced.

A call that works is searched for; then one argument at a time is exchanged, or traced, and the call tried again. Calls
are traced under an axis `i` of size 2 and not compiled.  There are three ways to make one call:

    traced   inside a trace, arrays made there: all of them are tracers
    host     inside a trace, arrays are NumPy's constants, so that one alone can be a tracer
    eager    outside of traces
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np

from flake8_jax.runtime.foreign import Foreign
from flake8_jax.runtime.measuring.kinds import kind_of
from flake8_jax.runtime.measuring.notation import P, Varargs
from flake8_jax.runtime.measuring.samples import ARRAYS, NAMED, make_ref, stated_calls

Way: TypeAlias = Literal["traced", "host", "eager"]
WAYS: tuple[Way, ...] = ("traced", "host", "eager")


@dataclass(frozen=True, slots=True)
class FunctionProbe:
    """A function under test, with its qualified name."""

    qualified: str
    function: Callable[..., Foreign]
    signature: inspect.Signature = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "signature", signature_of(self.function))

    @property
    def parameters(self) -> Mapping[str, inspect.Parameter]:
        """The parameters by name."""
        return self.signature.parameters

    def call(self, arguments: Mapping[str, Foreign]) -> Foreign:
        """Call the function with arguments given by parameter, in any order."""
        ordered = {name: arguments[name] for name in self.parameters if name in arguments}
        bound = inspect.BoundArguments(self.signature, ordered)
        return self.function(*bound.args, **bound.kwargs)

    def outcome(self, arguments: Mapping[str, Foreign], way: Way) -> str:
        """The kind of a call's result; "" if it fails."""
        seen: list[str] = []

        def body() -> None:
            made = {name: fresh(value) if way == "host" else as_array(value) for name, value in arguments.items()}
            seen.append(kind_of(self.call(made)))

        try:
            if way == "eager":
                body()
            else:
                in_trace(body)
        except Exception:
            return ""
        return seen[0]

    def takes_tracer(self, arguments: Mapping[str, Foreign], way: Way, name: str, value: Foreign) -> bool:
        """Does the call work if this value of one parameter is traced?  Of a container, its arrays are traced."""
        make = as_array if way == "traced" else fresh
        leaves, tree = jax.tree_util.tree_flatten(as_array(value))
        chosen = [place for place, leaf in enumerate(leaves) if isinstance(leaf, jax.Array)] or range(len(leaves))

        def body(*traced: Foreign) -> None:
            mixed = [*leaves]
            for place, tracer in zip(chosen, traced):
                mixed[place] = tracer
            made = {key: make(constant) for key, constant in arguments.items()}
            made[name] = self.argument(made, name, jax.tree_util.tree_unflatten(tree, mixed))
            self.call(made)

        try:
            in_trace(body, *(leaves[place] for place in chosen))
        except Exception:
            return False
        return True

    def argument(self, arguments: Mapping[str, Foreign], name: str, value: Foreign) -> Foreign:
        """The argument as passed in a call: for varargs, with the first one replaced."""
        if self.parameters[name].kind == P.VAR_POSITIONAL:
            return Varargs([value, *map(fresh, arguments.get(name, ())[1:])])
        return value

    def base_forms(self) -> list[dict[str, Foreign]]:
        """Working calls, the usual one first: the stated ones, or else one guess."""
        stated = [form for form in stated_calls(self.qualified) if self.works(form)]
        guessed = (form for form in self._guesses() if self.works(form))
        return stated or [form for form, _ in zip(guessed, range(1))]

    def works(self, arguments: Mapping[str, Foreign]) -> bool:
        """Does a call work in any way?"""
        return self.tried(arguments)[0] is not None

    def tried(self, arguments: Mapping[str, Foreign]) -> tuple[Way | None, str]:
        """The first way in which a call works, and the kind of its result."""
        outcomes = ((way, self.outcome(arguments, way)) for way in WAYS)
        return next(((way, kind) for way, kind in outcomes if kind), (None, ""))

    def _guesses(self) -> Iterator[dict[str, Foreign]]:
        """Required parameters by their names, or else the same sample for all."""
        required = [p for p in self.parameters.values() if p.default is P.empty and p.kind != P.VAR_KEYWORD]
        for sample in ARRAYS:
            for count in (1, 2) if any(p.kind == P.VAR_POSITIONAL for p in required) else (1,):
                chosen = {p.name: NAMED.get(p.name, sample) for p in required}
                chosen |= {p.name: Varargs([sample] * count) for p in required if p.kind == P.VAR_POSITIONAL}
                yield chosen


def signature_of(function: Callable[..., Foreign]) -> inspect.Signature:
    """The function's signature; one parameter for an array if it has none."""
    try:
        return inspect.signature(function)
    except ValueError:
        return inspect.Signature([P("x", P.POSITIONAL_OR_KEYWORD)])


def fresh(value: Foreign) -> Foreign:
    """The value, copied where a call could modify it."""
    return make_ref() if value is make_ref else np.copy(value) if isinstance(value, np.ndarray) else value


def as_array(value: Foreign) -> Foreign:
    """NumPy samples as fresh JAX arrays, so that one call cannot spoil the next."""
    if isinstance(value, Varargs):
        return Varargs(map(as_array, value))
    if type(value) in (list, tuple) and value and isinstance(value[0], np.ndarray):
        return type(value)(as_array(element) for element in value)
    return jnp.asarray(value) if isinstance(value, np.ndarray) else fresh(value)


def in_trace(function: Callable[..., Foreign], *arguments: Foreign) -> None:
    """Trace a function of these arguments without compiling it, under an axis `i` of size 2."""
    jax.make_jaxpr(lambda *traced: (function(*traced), 0)[1], axis_env=[("i", 2)])(*arguments)
