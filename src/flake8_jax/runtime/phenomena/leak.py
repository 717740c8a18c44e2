"""Phenomenon: a tracer outlives its trace, because something outside of the transformed function still holds it.

    KEPT = []
    @jax.jit
    def f(x):
        KEPT.append(x * 2)      module.KEPT[0] is a tracer when f has returned: seen here

Whatever the function could reach is walked when it returns, and every tracer that is found there is put to use; it has
leaked if that raises UnexpectedTracerError.  Functions inside have an outside too: the list that belongs to the
function around a scan's body is outside of the body.  There, a tracer that was not there before is the body's own; it
is put to use when all traces are over, since a use would spoil the trace around.

The line is the one after which the object held it.  Where a library does the keeping, that is the line that made it do
so: the call of a function under lru_cache, the first reading of a cached_property.  If no line is known for that, it is
the line that made the tracer, which JAX names in its error.  When the case is over, the module is walked once more, for
what transforms that are not recorded have left there.

Where the walk finds nothing, the garbage collector is asked for the tracers of finished traces that are still alive: a
generator or a thread's storage may hold them.  Nothing is said then, neither that a tracer leaks nor that none does.
"""

from __future__ import annotations

import gc
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from flake8_jax.runtime import recorders
from flake8_jax.runtime.foreign import Foreign
from flake8_jax.runtime.phenomenon import Phenomenon
from flake8_jax.runtime.sightings import Sightings, Unsupported
from flake8_jax.runtime.trial import Trial
from flake8_jax.runtime.watching.effects import Effects, Roots
from flake8_jax.runtime.watching.state import Home, find


def observe(trial: Trial, parameter: str) -> Sightings:
    """Run the case; report the lines that stored a tracer which outlived its trace."""
    found = Sightings()
    kept: dict[int, tuple[Foreign, str]] = {}
    known = {id(tracer) for tracer in _alive()}
    unheld: list[str] = []

    @contextmanager
    def inside(roots: Roots, is_outermost: bool) -> Iterator[None]:
        before = {} if is_outermost else _tracers(effects.home, roots)
        try:
            yield
        finally:
            after = _tracers(effects.home, roots)
            kept.update((key, after[key]) for key in after.keys() - before.keys() - kept.keys())
            if is_outermost:
                see(list(kept.values()))
                if not found and not kept and sys.exc_info()[0] is None:
                    _forget(effects)
                    unheld.extend(_survivors(known))

    def see(tracers: list[tuple[Foreign, str]]) -> None:
        for tracer, way in tracers:
            if (message := _death(tracer)) is not None:
                line = _stored(effects, tracer) or _created(trial.path, message)
                found.see(line, held_by=way, tracer=str(tracer)[:100])

    effects = Effects(trial.path, inside=inside)
    with trial.run(effects) as run:
        if run.module is not None:  # what unrecorded transforms have left behind
            home = Home(run.module.__name__, trial.path)
            see([each for key, each in _tracers(home, [(run.module, "module")]).items() if key not in kept])
        if not found and unheld:
            raise Unsupported(f"a tracer survives where no holder was found: {unheld[0]}"[:200])
        return found


def _alive() -> list[Foreign]:
    """Every tracer that there is."""
    import jax

    classes = set(_classes(jax.core.Tracer))
    return [thing for thing in gc.get_objects() if type(thing) in classes]


def _classes(base: type[object]) -> Iterator[type[object]]:
    yield base
    for each in base.__subclasses__():
        yield from _classes(each)


def _forget(effects: Effects) -> None:
    """Let go of what is alive only because it was noted: what came into objects, and what transforms were given."""
    for effect in effects.effects:
        effect.values = ()
    if recorders.current is not None:
        recorders.current.made.clear()


def _survivors(known: set[int]) -> list[str]:
    """The tracers of finished traces that are not known, as texts."""
    if all(id(tracer) in known for tracer in _alive()):
        return []
    gc.collect()
    return [str(tracer) for tracer in _alive() if id(tracer) not in known and _death(tracer) is not None]


def _tracers(home: Home, roots: Roots) -> dict[int, tuple[Foreign, str]]:
    """The tracers below the roots, and the ways to them."""
    import jax

    ways = find(home, roots, lambda thing: isinstance(thing, jax.core.Tracer))
    return {id(tracer): (tracer, way) for tracer, way, _ in ways}


def _death(tracer: Foreign) -> str | None:
    """What JAX says when a dead tracer is used; None for one that is alive."""
    import jax
    import jax.numpy as jnp

    try:
        jnp.expand_dims(tracer, 0)
    except jax.errors.UnexpectedTracerError as error:
        return str(error)
    return None


def _stored(effects: Effects, tracer: Foreign) -> int | None:
    """The last line after which an object held this tracer, or something that holds it."""
    is_it: Callable[[Foreign], bool] = lambda thing: thing is tracer  # noqa: E731
    for effect in reversed(effects.effects):
        if any(find(effects.home, [(value, "") for value in effect.values], is_it)):
            return effect.line
    return None


def _created(path: str, message: str) -> int | None:
    found = re.search(re.escape(path) + r":(\d+)", message)
    return int(found[1]) if found else None


PHENOMENON = Phenomenon(
    name="leak",
    summary="a tracer outlives its trace",
    observe=observe,
    bad="""\
import jax

KEPT = []

@jax.jit
def f(x):
    KEPT.append(x * 2)  # here
    return x

def case():
    return f(1.0)
""",
    good="""\
import jax

KEPT = []

@jax.jit
def f(x):
    kept = [x * 2]
    KEPT.append(x.shape)
    return kept

def case():
    KEPT.append(f(1.0))
""",
)
