"""Phenomenon: a side effect happens while JAX traces, not when the code runs.  On some line it happens fewer times than
the same program has it in plain Python; or it shows a tracer where plain Python shows a value.

The case is run twice, once with its transforms taken for what a reader takes them for, once with the real ones; then
each of its outermost calls that had an effect is made twice more.  Per line and kind of effect, the calls that came to
their end both times are compared:

    @jax.jit
    def f(x):
        print(x)             eager 3, traced 1: seen
        jax.debug.print(x)   eager 3, traced 3; written by JAX, on no line: not compared

That the line ran once shows nothing: under jit every line runs once.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from flake8_jax.runtime.phenomenon import Phenomenon
from flake8_jax.runtime.recorders import Mode
from flake8_jax.runtime.sightings import Sightings, Unsupported
from flake8_jax.runtime.trial import Trial
from flake8_jax.runtime.watching.effects import Effects, ObservedEffect, Play

REPEATS = 2
MOST_REPEATED = 8

EffectPlace = tuple[int, str]


@dataclass(slots=True)
class Performance:
    """One run of the case: its outermost calls with their repeats, and the effects outside of them."""

    calls: list[list[Play]]
    outside: list[ObservedEffect]
    error: BaseException | None


def observe(trial: Trial, parameter: str) -> Sightings:
    """Report the lines whose effects happen less often, or show a tracer, when they are traced."""
    plain = _perform(Trial(trial.fixture, trial.case, trial.edit), Mode.EAGER, set())
    wanted = {number for number, plays in enumerate(plain.calls) if _owned(plays[0].effects)}
    traced = _perform(trial, Mode.TRACED, wanted)
    found = Sightings()
    _compare_texts(plain, traced, found)
    _compare_counts(plain, traced, found)
    if not found and (reason := _incomparable(plain, traced)):
        raise Unsupported(reason)
    return found


def _perform(trial: Trial, mode: Mode, also: set[int]) -> Performance:
    """Run the case, and repeat the calls that had an effect, and some others."""
    effects = Effects(trial.path)
    with trial.run(effects, mode=mode) as run:
        live = list(effects.plays)
        calls: list[list[Play]] = []
        for number, play in enumerate(live):
            repeats: list[Play] = []
            if (number in also or _owned(play.effects)) and len(calls) < MOST_REPEATED:
                for _ in range(REPEATS):
                    before = len(effects.plays)
                    with run.turned(mode):
                        play.again()
                    repeats += effects.plays[before : before + 1]
            calls.append([play, *repeats])
        outside = [effect for effect in effects.effects if effect.played is None]
        return Performance(calls, outside, run.error)


def _compare_counts(plain: Performance, traced: Performance, found: Sightings) -> None:
    expected: Counter[EffectPlace] = Counter()
    seen: Counter[EffectPlace] = Counter()
    texts: dict[EffectPlace, str] = {}
    compared = 0
    for mine, theirs in zip(plain.calls, traced.calls):
        for eager, real in zip(mine, theirs):
            if eager.error is None and real.error is None and eager.recorded.reference is not None:
                compared += 1
                expected.update(_places(eager))
                seen.update(_places(real))
                texts.update(((effect.line or 0, effect.kind), effect.detail) for effect in _owned(eager.effects))
    for place in sorted(expected):
        if seen[place] < expected[place]:
            line, kind = place
            counts = {"eager": expected[place], "traced": seen[place], "calls": compared}
            found.see(line, kind=kind, detail=texts[place].strip()[:100], **counts)


def _compare_texts(plain: Performance, traced: Performance, found: Sightings) -> None:
    """A text with a tracer in it, on a line that shows values in plain Python, or that is not known to do so."""
    shown = {
        effect.line
        for plays in plain.calls
        for effect in plays[0].effects
        if effect.shows_tracer and plays[0].recorded.reference is not None
    }
    for effect in [effect for plays in traced.calls for effect in plays[0].effects] + traced.outside:
        if effect.shows_tracer and effect.line is not None and effect.line not in shown:
            found.see(effect.line, kind=effect.kind, shows=effect.detail.strip()[:100])


def _incomparable(plain: Performance, traced: Performance) -> str | None:
    """Why effects may have been missed; None if they were not."""
    if plain.error is not None and traced.error is None:
        return f"the case does not run as plain Python: {plain.error!r}"[:200]
    for effect in traced.outside:
        if effect.traced and effect.line is not None:
            return f"line {effect.line} has an effect in a transform that is not among the recorded ones"
    for plays in traced.calls:
        for effect in _owned(plays[0].effects):
            if effect.traced and plays[0].recorded.reference is None:
                return f"line {effect.line} has an effect under {plays[0].recorded.transform}, which has no plain form"
    return None


def _owned(effects: list[ObservedEffect]) -> list[ObservedEffect]:
    return [effect for effect in effects if effect.line is not None]


def _places(play: Play) -> list[EffectPlace]:
    return [(effect.line, effect.kind) for effect in play.effects if effect.line is not None]


PHENOMENON = Phenomenon(
    name="trace_once",
    summary="an effect happens while JAX traces, not when the code runs",
    observe=observe,
    bad="""\
import jax

SEEN = []

@jax.jit
def f(x):
    SEEN.append(x.shape)  # here
    return x

def case():
    return f(1.0)
""",
    good="""\
import jax

SEEN = []

@jax.jit
def f(x):
    jax.debug.callback(lambda v: SEEN.append(v), x)
    return x

def case():
    return f(1.0)
""",
)
