"""Phenomenon: repeated draws use equal keys, per call, per iteration or per lane.

    @jax.jit
    def noisy(x):
        key = jr.key(0)             seen here, if the key was made anew each time, but always the same key
        return x + jr.normal(key)   seen here, if one key was there from the start

    [noisy(x) for x in xs]          and here, where the draws part: the calls, or the loop

Draws are compared by the key ledger, which knows too how keys were made: the first of the equal derivations that lead
to a draw is where it is seen, or the default of a parameter.  Lanes of a `vmap` are compared by running them one by
one.  Two draws in different places with one key are no equal draws, but a reuse, unless that key was made twice alike.

A transformed function that the case calls once is called again, with other keys in all that it is given (`others`).
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from flake8_jax.runtime import loading
from flake8_jax.runtime.phenomenon import Phenomenon
from flake8_jax.runtime.recorders import Mode, RecordedCall
from flake8_jax.runtime.sightings import Sightings, Unsupported
from flake8_jax.runtime.trial import Run, Trial
from flake8_jax.runtime.watching.ledger import CLONE, FOLD, Draw, KeyLedger
from flake8_jax.runtime.watching.others import takes_something, with_others
from flake8_jax.runtime.watching.reuse import Derivations, parting, reuses

LANES = {"jax.vmap", "jax.pmap", "equinox.filter_vmap", "flax.nnx.vmap"}


def observe(trial: Trial, parameter: str) -> Sightings:
    """Run the case and compare the keys of each site. It is run lane by lane if it has lanes, and its single calls are
    made again."""
    found = Sightings()
    ledger = KeyLedger(trial.path, tells_makings=True)
    with trial.run(ledger) as run:
        has_lanes = any(recorded.transform in LANES for recorded in run.session.made)
        first = ledger.draws()
        if not has_lanes:
            _see(found, trial, ledger, "calls")
        elif run.error is None:
            _see_lanes(found, trial)
        for call in _single(run, first):
            _again(run, call)
        _see_again(found, trial, ledger, first)
        found.refuting = {} if found else {"draws": len(first)}
    return found


def _see(found: Sightings, trial: Trial, ledger: KeyLedger, how: str) -> None:
    """See the pairs of equal draws that a ledger holds."""
    draws = ledger.draws()
    pairs = reuses(draws)
    derivations = Derivations(draws, ledger.makings()) if pairs else None
    defaults = _defaults(trial) if pairs else {}
    for reuse in pairs:
        assert derivations is not None
        lines = _origin(derivations, defaults, reuse.second)
        if not lines and is_same_site(reuse.first, reuse.second):
            lines = reuse.lines
        for line in lines:
            _note(found, line, reuse.first, reuse.second, how)


def _see_lanes(found: Sightings, trial: Trial) -> None:
    ledger = KeyLedger(trial.path, tells_makings=True)
    with trial.run(ledger, mode=Mode.EAGER) as run:
        if run.error is not None:
            raise Unsupported(f"the case does not run lane by lane: {run.error!r}"[:200])
        _see(found, trial, ledger, "lanes")


def _see_again(found: Sightings, trial: Trial, ledger: KeyLedger, first: list[Draw]) -> None:
    """See what repeated calls drew just as the first ones had."""
    again = [draw for draw in ledger.draws() if not any(draw is other for other in first)]
    equal = [(one, two) for one, two in _paired(first, again) if one.key == two.key]
    derivations = Derivations(ledger.draws(), ledger.makings()) if equal else None
    defaults = _defaults(trial) if equal else {}
    for one, two in equal:
        assert derivations is not None
        for line in _origin(derivations, defaults, two) or (two.line,):
            _note(found, line, one, two, "other keys given")


def _paired(first: list[Draw], again: list[Draw]) -> Iterator[tuple[Draw, Draw]]:
    """Each later draw with the one made in the same turn of the same place; other turns may well draw alike."""
    before: dict[tuple[str, tuple[int, ...]], list[Draw]] = {}
    for draw in first:
        if draw.call >= 0:
            before.setdefault((draw.operation, draw.lines[draw.outside :]), []).append(draw)
    turns: Counter[tuple[str, tuple[int, ...]]] = Counter()
    for draw in again:
        place = draw.operation, draw.lines
        turn = turns[place]
        turns[place] += 1
        if turn < len(before.get(place, ())):
            yield before[place][turn], draw


def _origin(derivations: Derivations, defaults: dict[int, int], draw: Draw) -> tuple[int | None, ...]:
    """The lines of the equal derivations that a draw's key comes from; or of the default that it is."""
    made = derivations.repeated(draw.key)
    if not made:
        line = next((each.line for each in derivations.history(draw.key) if each.line in defaults), None)
        return () if line is None else (line,)
    first, *others = made
    lines = [other.line for other in others]
    if any(other.operation == FOLD for other in others):
        lines += [line for other in others for line in parting(first, other)[0]]
    return tuple(dict.fromkeys(lines))


def is_same_site(one: Draw, two: Draw) -> bool:
    """Do both draws come from the same piece of code?"""
    if one.operation != two.operation or not one.places or not two.places:
        return False
    (frame, _, instruction), (other, _, its) = one.places[-1], two.places[-1]
    return frame.f_code is other.f_code and instruction == its


def _single(run: Run, draws: list[Draw]) -> Iterator[RecordedCall]:
    """The calls that drew, of functions that were called once."""
    count = Counter(_name(call) for call in run.calls)
    drew = {draw.lines[: draw.outside] for draw in draws if draw.call >= 0}
    for call in run.calls:
        if call.chain in drew and count[_name(call)] == 1 and call.error is None and takes_something(call):
            yield call


def _name(call: RecordedCall) -> tuple[str, int | None]:
    return call.recorded.transform, call.recorded.made


def _again(run: Run, call: RecordedCall) -> None:
    """Call it with other keys and numbers; with other keys alone, if it does not bear that."""
    for and_numbers in (True, False):
        with with_others(call, and_numbers=and_numbers) as other, run.turned(Mode.EAGER):
            try:
                other()
                return
            except Exception as error:
                if not and_numbers:
                    reason = f"a call cannot be repeated with other keys: {error!r}"
                    raise Unsupported(reason[:200]) from error


def _defaults(trial: Trial) -> dict[int, int]:
    """The lines of parameters' defaults."""
    tree = loading.slice_of(trial.fixture, trial.case)
    found: dict[int, int] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.arguments):
            for default in [*node.defaults, *filter(None, node.kw_defaults)]:
                found.update((line, line) for line in range(default.lineno, (default.end_lineno or 0) + 1))
    return found


def _note(found: Sightings, line: int | None, one: Draw, two: Draw, how: str) -> None:
    found.see(line, pairs=[], operations=sorted({one.operation, two.operation} - {CLONE}), draws=0, how=how)
    evidence = found.by_line[line]
    pairs = evidence["pairs"]
    assert isinstance(pairs, list)
    pair = list(parting(one, two)[1])
    if pair not in pairs:
        pairs.append(pair)
    count = evidence["draws"]
    assert isinstance(count, int)
    evidence["draws"] = max(2, count + 1)


PHENOMENON = Phenomenon(
    name="equal_draws",
    summary="draws are equal on each call, turn or lane",
    observe=observe,
    bad="""\
import jax
import jax.random as jr

@jax.jit
def noisy(x):
    key = jr.key(0)  # here
    return x + jr.normal(key)

def case():
    return noisy(1.0)
""",
    good="""\
import jax
import jax.random as jr

@jax.jit
def noisy(x, key):
    return x + jr.normal(key)

def case():
    return noisy(1.0, jr.key(0))
""",
)
