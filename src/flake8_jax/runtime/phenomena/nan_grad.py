"""Phenomenon: a gradient is not finite although the function's value is.

    s = jnp.sqrt(x)                     at 0 the derivative is infinite
    return jnp.where(x > 0, s, 0.0)     finite; backwards 0 * inf = nan

The case runs with transforms taken for what a reader takes them for, so that every gradient, also one under `jit` or
in a `scan`, is computed from concrete arguments.  Where one is not finite, its program is run equation by equation
(`births`): the line is that of the operation whose derivative the first such number belongs to.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeAlias

from flake8_jax.runtime import recorders
from flake8_jax.runtime.foreign import Foreign
from flake8_jax.runtime.phenomenon import Phenomenon
from flake8_jax.runtime.recorders import Mode, Recorded
from flake8_jax.runtime.sightings import Sightings, Unsupported, first_line
from flake8_jax.runtime.trial import Trial
from flake8_jax.runtime.watching.births import is_finite, run_program
from flake8_jax.runtime.watching.jaxprs import JITTED
from flake8_jax.runtime.watching.leaves import parted

GRADIENTS = {
    *("jax.grad", "jax.value_and_grad", "jax.jacfwd", "jax.jacrev", "jax.jacobian", "jax.hessian"),
    *("equinox.filter_grad", "equinox.filter_value_and_grad", "flax.nnx.grad", "flax.nnx.value_and_grad"),
}

Derivative: TypeAlias = "Callable[..., Foreign]"


def observe(trial: Trial, parameter: str) -> Sightings:
    """Run the case and inspect every gradient; report the lines where one stops being finite."""
    watch = _Gradients(trial.path)
    with trial.run(watch.looking(), mode=Mode.EAGER) as run:
        pass
    if watch.blind and not watch.found:
        raise Unsupported(watch.blind[0])
    if run.error is not None and watch.any and not watch.found:
        first = trial.errors.pop()
        with trial.run() as again:
            pass
        if again.error is None:
            raise Unsupported(f"the case does not run with its transforms taken away: {first[0]!r}"[:200])
    if set(watch.found.by_line) == {None}:
        raise Unsupported("a gradient is not finite, and JAX keeps no line of the operation: in a backward rule, say")
    return watch.found


@dataclass(slots=True)
class _Gradients:
    """Looks at each gradient right after it was computed."""

    path: str
    found: Sightings = field(default_factory=Sightings)
    blind: list[str] = field(default_factory=list)
    any: bool = False

    @contextmanager
    def looking(self) -> Iterator[None]:
        """Let every transform that gives gradients be looked at."""
        session = recorders.current
        assert session is not None
        session.after_making.append(self._made)
        yield

    def _made(self, made: Recorded) -> None:
        plain, derivative = made.reference, _derivative(made)
        if made.transform in JITTED and plain is not None:
            made.reference = lambda *arguments, **keywords: plain(*_arrays(arguments), **_arrays(keywords))
        elif derivative is not None and plain is not None:
            self.any = True
            made.reference = functools.partial(self._reference, made, derivative)

    def _reference(self, made: Recorded, derivative: Derivative, *arguments: Foreign, **keywords: Foreign) -> Foreign:
        """The real transform, and a look at what it gives; the function runs plainly too, for gradients inside it."""
        with recorders.muted():
            value = made.real(*arguments, **keywords)
        if not recorders.has_tracer((arguments, keywords)):
            inner = _numbers(_plain(made)(*_arrays(arguments), **_arrays(keywords)))
            if all(map(is_finite, inner)) and not (derivative is made.real and all(map(is_finite, _numbers(value)))):
                with recorders.muted():
                    self._look(made, derivative, arguments, keywords)
        return value

    def _look(
        self, made: Recorded, derivative: Derivative, arguments: tuple[Foreign, ...], keywords: dict[str, Foreign]
    ) -> None:
        import jax

        numbers, put = parted((arguments, keywords), _is_number)

        def flat(*others: Foreign) -> list[Foreign]:
            positional, named = put(others)
            return _numbers(derivative(*positional, **named))

        if derivative is not made.real and all(map(is_finite, flat(*numbers))):
            return
        try:
            spoiled = run_program(self.path, jax.make_jaxpr(flat)(*numbers), numbers)
        except Exception as error:
            reason = first_line(error) or type(error).__name__
            self.blind.append(f"a gradient is not finite, but cannot be followed: {reason}")
            return
        births = {birth for value in spoiled for birth in value.births}
        for birth in sorted(births, key=lambda each: (each.line or 0, each.primitive)):
            self.found.see(birth.line, transform=made.transform, primitive=birth.primitive)


def _derivative(made: Recorded) -> Derivative | None:
    """What gives the derivatives alone, of the arguments of a recorded transform; None if it gives none."""
    import jax
    import jax.numpy as jnp

    def vjp(function: Foreign, *primals: Foreign, **options: Foreign) -> Foreign:
        value, backward, *_ = made.real(function, *primals, **options)
        return backward(jax.tree_util.tree_map(jnp.ones_like, value))

    def linearize(function: Foreign, *primals: Foreign, **options: Foreign) -> Foreign:
        _, forward, *_ = made.real(function, *primals, **options)
        return forward(*jax.tree_util.tree_map(jnp.ones_like, primals))

    rules = {"jax.vjp": vjp, "jax.linearize": linearize, "jax.jvp": made.real}
    return made.real if made.transform in GRADIENTS else rules.get(made.transform)


def _plain(made: Recorded) -> Derivative:
    """The function that is differentiated, of the same arguments."""
    if made.transform in GRADIENTS:
        return made.function  # type: ignore[no-any-return]
    if made.transform == "jax.jvp":
        return lambda function, primals, *_, **__: function(*primals)
    return lambda function, *primals, **_: function(*primals)


def _is_number(leaf: Foreign) -> bool:
    import jax
    import numpy as np

    return isinstance(leaf, (jax.Array, np.ndarray, np.generic, float, complex))


def _arrays(tree: Foreign) -> Foreign:
    """The same tree as a transform sees it: Python's floats as arrays."""
    import jax
    import jax.numpy as jnp

    return jax.tree_util.tree_map(lambda leaf: jnp.asarray(leaf) if isinstance(leaf, float) else leaf, tree)


def _numbers(tree: Foreign) -> list[Foreign]:
    import jax

    return [leaf for leaf in jax.tree_util.tree_leaves(tree) if _is_number(leaf)]


PHENOMENON = Phenomenon(
    name="nan_grad",
    summary="a gradient is not finite where the value is",
    observe=observe,
    bad="""\
import jax
import jax.numpy as jnp

def loss(x):
    s = jnp.sqrt(x)  # here
    return jnp.where(x > 0, s, 0.0)

@jax.jit
def step(x):
    return x - jax.grad(loss)(x)

def case():
    return step(0.0)
""",
    good="""\
import jax
import jax.numpy as jnp

def loss(x):
    s = jnp.sqrt(jnp.where(x > 0, x, 1.0))
    return jnp.where(x > 0, s, 0.0)

@jax.jit
def step(x):
    return x - jax.grad(loss)(x)

def case():
    return step(0.0), jnp.log(0.0)
""",
)
