"""Phenomenon: the text of a tracer appears in place of a value.  It is printed, logged, warned of, or frozen into the
format string of `jax.debug.print`.

    jax.debug.print(f"x = {x}")      prints "x = JitTracer(float32[])" on every call: seen on this line
    jax.debug.print("x = {}", x)     not seen

Every text that a tracer makes of itself is known while the case runs; a text with one of them in it is frozen.  The
line is the one that shows the text; of a text that JAX shows later, on nobody's line, it is the one that made it of the
tracer.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from flake8_jax.runtime import frames
from flake8_jax.runtime.foreign import Foreign
from flake8_jax.runtime.phenomenon import Phenomenon
from flake8_jax.runtime.sightings import Sightings
from flake8_jax.runtime.trial import Trial
from flake8_jax.runtime.watching.effects import Effects


def observe(trial: Trial, parameter: str) -> Sightings:
    """Run the case; report the lines that show the text of a tracer."""
    effects = Effects(trial.path, state=False)
    formats: list[tuple[int | None, str]] = []
    found = Sightings()
    with trial.run(effects, _watching_formats(trial.path, formats)):
        for line, text in formats:
            if made := effects.tracers_in(text):
                found.see(line or made[0], shows=text[:200], by="jax.debug.print")
        for effect in effects.effects:
            if effect.shows_tracer and effect.line is not None:
                found.see(effect.line, shows=effect.detail.strip()[:200], by=effect.kind)
            elif effect.shows_tracer and not any(effects.tracers_in(text) for _, text in formats):
                found.see(effects.tracers_in(effect.detail)[0], shows=effect.detail.strip()[:200], by=effect.kind)
    return found


@contextmanager
def _watching_formats(path: str, formats: list[tuple[int | None, str]]) -> Iterator[None]:
    """Note the format strings that the fixture gives to `jax.debug.print`."""
    import jax

    real = jax.debug.print

    def show(fmt: str, *arguments: Foreign, **keywords: Foreign) -> None:
        formats.append((frames.own_line(path), fmt))
        real(fmt, *arguments, **keywords)

    jax.debug.print = show  # type: ignore[assignment]
    try:
        yield
    finally:
        jax.debug.print = real


PHENOMENON = Phenomenon(
    name="text_frozen",
    summary="the text of a tracer is shown",
    observe=observe,
    bad="""\
import jax

@jax.jit
def f(x):
    jax.debug.print(f"x = {x}")  # here
    return x

def case():
    return f(1.0)
""",
    good="""\
import jax

@jax.jit
def f(x):
    jax.debug.print("x = {}", x)
    return x

def case():
    return f(1.0)
""",
)
