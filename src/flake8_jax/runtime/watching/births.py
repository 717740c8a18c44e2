"""Interprets a jaxpr equation by equation, to find where a number stops being finite.

    a = sqrt x          0.0           finite
    b = div 0.5 a       inf           born here, on the line of `jnp.sqrt(x)`
    c = mul 0.0 b       nan           inherited: the line is that of `b`
    d = select m 1.0 a  1.0           finite again

Each value carries the lines where it, or what spoiled it, was born.  Programs inside (jit, cond, scan, while) are run
in the same way, with the branch and the turns that are taken.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from flake8_jax.runtime import compat
from flake8_jax.runtime.foreign import Foreign
from flake8_jax.runtime.watching.jaxprs import chain_of, inner_jaxprs, open_jaxpr, rows_among


@dataclass(frozen=True, slots=True)
class Birth:
    """Where a value stopped being finite: the line, and the primitive that computed it."""

    line: int | None
    primitive: str


@dataclass(frozen=True, slots=True)
class TrackedValue:
    """A number or array, with where it stopped being finite: nowhere if it is finite."""

    array: Foreign
    births: frozenset[Birth] = field(default=frozenset())


Chain: TypeAlias = "tuple[int, ...]"
Inner: TypeAlias = "Callable[[ProgramInterpreter, Foreign, Sequence[TrackedValue], Chain], list[TrackedValue]]"


def run_program(path: str, closed: Foreign, arrays: Sequence[Foreign]) -> list[TrackedValue]:
    """Run a closed jaxpr of a fixture on these arrays."""
    return ProgramInterpreter(path).run(closed, [TrackedValue(array) for array in arrays], ())


@dataclass(frozen=True, slots=True)
class ProgramInterpreter:
    """Interprets the jaxprs of one fixture."""

    path: str

    def run(self, program: Foreign, inputs: Sequence[TrackedValue], outer: Chain) -> list[TrackedValue]:
        """The outputs of a jaxpr that belongs to an equation with these lines."""
        jaxpr = open_jaxpr(program)
        known: dict[Foreign, TrackedValue] = dict(zip(jaxpr.invars, inputs))
        known.update(zip(jaxpr.constvars, map(TrackedValue, getattr(program, "consts", ()))))

        def value(variable: Foreign) -> TrackedValue:
            return TrackedValue(variable.val) if hasattr(variable, "val") else known[variable]

        for equation in jaxpr.eqns:
            chain = chain_of(self.path, jaxpr, equation, outer)
            outputs = self._equation(equation, [value(variable) for variable in equation.invars], chain)
            known.update(zip(equation.outvars, outputs))
        return [value(variable) for variable in jaxpr.outvars]

    def _equation(self, equation: Foreign, inputs: list[TrackedValue], chain: Chain) -> list[TrackedValue]:
        name = str(equation.primitive.name)
        if name in INNER:
            return INNER[name](self, equation, inputs, chain)
        inner = list(inner_jaxprs(equation))
        if len(inner) == 1 and len(open_jaxpr(inner[0]).invars) == len(inputs):
            return self.run(inner[0], inputs, chain)
        inherited = frozenset[Birth]().union(*(each.births for each in inputs))
        births = inherited or frozenset({Birth(chain[-1] if chain else None, name)})
        arrays = compat.run_equation(equation, [each.array for each in inputs])
        return [TrackedValue(array, frozenset() if is_finite(array) else births) for array in arrays]


def is_finite(array: Foreign) -> bool:
    """Is it free of infinities and NaNs?"""
    import jax.numpy as jnp

    dtype = getattr(array, "dtype", None)
    if dtype is None:
        return not isinstance(array, (float, complex)) or abs(array) < float("inf")
    return not jnp.issubdtype(dtype, jnp.inexact) or bool(jnp.isfinite(array).all())


def _cond(
    interpreter: ProgramInterpreter, equation: Foreign, inputs: Sequence[TrackedValue], chain: Chain
) -> list[TrackedValue]:
    branches = equation.params["branches"]
    index = min(max(int(inputs[0].array), 0), len(branches) - 1)
    return interpreter.run(branches[index], inputs[1:], chain)


def _while(
    interpreter: ProgramInterpreter, equation: Foreign, inputs: Sequence[TrackedValue], chain: Chain
) -> list[TrackedValue]:
    options = equation.params
    asked, fixed = options["cond_nconsts"], options["cond_nconsts"] + options["body_nconsts"]
    carry = list(inputs[fixed:])
    while bool(interpreter.run(options["cond_jaxpr"], [*inputs[:asked], *carry], chain)[0].array):
        carry = interpreter.run(options["body_jaxpr"], [*inputs[asked:fixed], *carry], chain)
    return carry


def _scan(
    interpreter: ProgramInterpreter, equation: Foreign, inputs: Sequence[TrackedValue], chain: Chain
) -> list[TrackedValue]:
    import jax.numpy as jnp

    options, inner = equation.params, open_jaxpr(equation.params["jaxpr"])
    carried = len(inner.outvars) - rows_among(equation.outvars, inner.outvars)
    last = len(inputs) - rows_among(equation.invars, inner.invars)
    fixed, carry, rows = list(inputs[: last - carried]), list(inputs[last - carried : last]), inputs[last:]
    results: list[list[TrackedValue]] = []
    for turn in reversed(range(options["length"])) if options["reverse"] else range(options["length"]):
        row = [TrackedValue(each.array[turn], each.births) for each in rows]
        outputs = interpreter.run(options["jaxpr"], [*fixed, *carry, *row], chain)
        carry = outputs[: len(carry)]
        results.append(outputs[len(carry) :])
    if not results:
        empty = (each.aval for each in equation.outvars[len(carry) :])
        return [*carry, *(TrackedValue(jnp.zeros(each.shape, each.dtype)) for each in empty)]
    columns = zip(*(results[::-1] if options["reverse"] else results))
    return [*carry, *map(_stacked, columns)]


def _stacked(column: Sequence[TrackedValue]) -> TrackedValue:
    import jax.numpy as jnp

    births = frozenset[Birth]().union(*(each.births for each in column))
    return TrackedValue(jnp.stack([each.array for each in column]), births)


INNER: Mapping[str, Inner] = {"cond": _cond, "while": _while, "scan": _scan}
