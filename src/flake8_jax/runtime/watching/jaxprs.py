"""The jaxprs of recorded calls, with the fixture's source lines of each equation.

    def f(x):                       jit                     chain ()
        y = g(x)                       jit name=g           chain (2,)
        return y + 1                      sin               chain (2, 5)
                                       add                  chain (3,)

An equation's traceback reaches to the function that its own jaxpr was made of (newer JAX) or to the bottom of the stack
(older JAX), so chains are put together from the outside in.  A jaxpr of a library's function may come from a cache: a
whole stack in it is that of its *first* caller, and then only what the present caller began is believed.  Arrays among
a call's arguments become the program's inputs; every other argument keeps its value, so static arguments need no care.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from flake8_jax.runtime import compat
from flake8_jax.runtime.foreign import Foreign
from flake8_jax.runtime.recorders import Mode, RecordedCall
from flake8_jax.runtime.sightings import Unsupported, first_line
from flake8_jax.runtime.trial import Run
from flake8_jax.runtime.watching.leaves import parted

JITTED = frozenset({"jax.jit", "jax.pmap", "equinox.filter_jit", "flax.nnx.jit"})
# Transforms that run operation by operation what they are given, if nothing compiles them.
PLAIN = frozenset(
    f"{home}{name}"
    for home, names in {
        "jax.": "vmap checkpoint remat ad_checkpoint.checkpoint grad value_and_grad jacfwd jacrev jacobian hessian vjp"
        " linearize jvp shard_map",
        "jax.experimental.shard_map.": "shard_map",
        "equinox.filter_": "vmap checkpoint grad value_and_grad",
        "flax.nnx.": "remat vmap grad value_and_grad",
    }.items()
    for name in names.split()
)
_SHAPES_ONLY = "jax.eval_shape"
_PROGRAM_ONLY = "jax.make_jaxpr"
COMPILED_PRIMITIVES = frozenset({"jit", "pjit", "scan", "while", "cond", "xla_pmap", "pallas_call", "core_call"})


@dataclass(frozen=True, slots=True)
class Equation:
    """An equation, its source lines in the fixture, outermost first, and the enclosing primitives."""

    equation: Foreign
    chain: tuple[int, ...]
    inside: tuple[str, ...] = ()

    @property
    def line(self) -> int | None:
        """The innermost line."""
        return self.chain[-1] if self.chain else None

    @property
    def name(self) -> str:
        """The primitive's name."""
        return str(self.equation.primitive.name)


def program(run: Run, call: RecordedCall) -> Foreign | None:
    """The closed jaxpr of an outermost call; None if it has none of its own.

    Raises `Unsupported` if the call went well but cannot be traced as a whole.
    """
    import jax

    if call.error is not None or call.recorded.transform == _SHAPES_ONLY:
        return None
    if call.recorded.transform == _PROGRAM_ONLY:
        return call.value if hasattr(call.value, "jaxpr") else None
    arrays, put = parted((call.arguments, call.keywords), _is_array)

    def flat(*others: Foreign) -> list[Foreign]:
        arguments, keywords = put(others)
        value = call.recorded.real(*arguments, **keywords)
        return [leaf for leaf in jax.tree_util.tree_leaves(value) if _is_array(leaf)]

    try:
        with run.turned(Mode.TRACED):
            return jax.make_jaxpr(flat)(*arrays)
    except Exception as error:
        if call.recorded.transform in PLAIN and not any(made.transform in JITTED for made in run.session.made):
            return None
        reason = first_line(error) or type(error).__name__
        raise Unsupported(f"the call on line {call.line} cannot be traced as a whole: {reason}") from error


def programs(run: Run) -> Iterator[tuple[RecordedCall, Foreign]]:
    """The outermost calls that have a jaxpr, with it."""
    for call in list(run.calls):
        made = program(run, call)
        if made is not None:
            yield call, made


def equations(path: str, closed: Foreign) -> Iterator[Equation]:
    """Every equation of a jaxpr and of the jaxprs in it."""
    yield from _walked(path, open_jaxpr(closed), (), ())


def compiled_equations(path: str, call: RecordedCall, closed: Foreign) -> Iterator[Equation]:
    """The equations that are compiled together, without those that a bare `grad` runs one by one."""
    is_plain = call.recorded.transform in PLAIN
    for found in equations(path, closed):
        if not is_plain or COMPILED_PRIMITIVES & set(found.inside):
            yield found


def inner_jaxprs(equation: Foreign) -> Iterator[Foreign]:
    """The jaxprs among an equation's parameters, closed or open."""
    for value in equation.params.values():
        for found in value if isinstance(value, (tuple, list)) else (value,):
            if hasattr(found, "eqns") or hasattr(getattr(found, "jaxpr", None), "eqns"):
                yield found


def open_jaxpr(program: Foreign) -> Foreign:
    """The jaxpr without its constants."""
    return program.jaxpr if hasattr(getattr(program, "jaxpr", None), "eqns") else program


def rows_among(outside: Sequence[Foreign], inside: Sequence[Foreign]) -> int:
    """How many of a scan's variables hold a row for each turn."""
    return sum(len(out.aval.shape) != len(own.aval.shape) for out, own in zip(outside, inside))


def chain_of(path: str, jaxpr: Foreign, equation: Foreign, outer: tuple[int, ...]) -> tuple[int, ...]:
    """The fixture's source lines of an equation; `outer` are those of the equation around its jaxpr."""
    own = tuple(line for name, line in reversed(compat.frames_of(equation)) if name == path)
    if not compat.tracebacks_are_whole():
        return outer + own
    if own[: len(outer)] == outer:
        return own
    return outer + own[-1:] if compat.source_file(jaxpr) == path else outer


def dead_lines(path: str, closed: Foreign) -> dict[int, list[str]]:
    """The lines whose equations are all dead, with the names of their primitives.

    An effect keeps its equation alive, and so does each output of the program.
    """
    jaxpr = open_jaxpr(closed)
    every = list(_walked(path, jaxpr, (), ()))
    alive = {found.line for found in _walked(path, compat.without_dead(jaxpr), (), ())}
    dead: dict[int, list[str]] = {}
    for found in every:
        if found.line is not None and found.line not in alive:
            dead.setdefault(found.line, []).append(found.name)
    return dead


def effect_lines(path: str, closed: Foreign) -> set[int]:
    """The source lines of equations with an effect, all callers included; reading a reference is no effect."""
    return {line for found in equations(path, closed) if _has_effect(found.equation) for line in found.chain}


def constants(closed: Foreign) -> Iterator[tuple[Foreign, Foreign, Foreign, tuple[str, ...]]]:
    """Each constant of a jaxpr and its inner ones: array, variable, jaxpr, enclosing primitives."""
    yield from _constants(closed, ())


def _constants(
    program: Foreign, inside: tuple[str, ...]
) -> Iterator[tuple[Foreign, Foreign, Foreign, tuple[str, ...]]]:
    jaxpr = open_jaxpr(program)
    for variable, value in zip(jaxpr.constvars, getattr(program, "consts", ())):
        yield value, variable, jaxpr, inside
    for equation in jaxpr.eqns:
        for inner in inner_jaxprs(equation):
            yield from _constants(inner, (*inside, str(equation.primitive.name)))


def _walked(path: str, jaxpr: Foreign, outer: tuple[int, ...], inside: tuple[str, ...]) -> Iterator[Equation]:
    for equation in jaxpr.eqns:
        chain = chain_of(path, jaxpr, equation, outer)
        found = Equation(equation, chain, inside)
        yield found
        for inner in inner_jaxprs(equation):
            yield from _walked(path, open_jaxpr(inner), chain, (*inside, found.name))


def _has_effect(equation: Foreign) -> bool:
    is_inside = next(inner_jaxprs(equation), None) is not None
    return not is_inside and any(type(effect).__name__ != "ReadEffect" for effect in equation.effects)


def _is_array(leaf: Foreign) -> bool:
    import jax
    import numpy as np

    return isinstance(leaf, (jax.Array, np.ndarray, np.number))
