"""Draws from keys that a function makes of seeds: the same numbers in each call with the same seed.

def noise(x): return x + normal(key(0), x.shape)
a, b = noise(x), noise(y)               the second call draws what the first one drew
def drawn(n): return normal(key(n))
[drawn(3) for x in xs]                  the seed is an input, of which the caller makes a constant

The key of such a call is a use of what stands for the seed and the op that makes the key of it, in the state of the
caller: paths, iterations and liveness decide as they do for keys whether two calls meet.
"""

from __future__ import annotations

from functools import partial

from flake8_jax.analysis.checks.keys.constant_keys import ConstantKeyDrawn, is_run_again
from flake8_jax.analysis.checks.keys.counters import counts
from flake8_jax.analysis.checks.keys.derivations import ancestors
from flake8_jax.analysis.checks.keys.independence import belong_together, is_aligned, may_be_common
from flake8_jax.analysis.checks.keys.sinks import SeededDraw
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.labels.questions import is_read, readings, readings_of_iterations
from flake8_jax.analysis.objects.narrowing import peek
from flake8_jax.analysis.objects.stated import whole_number
from flake8_jax.analysis.summaries.deferral import emit
from flake8_jax.domain.conditions import is_impossible
from flake8_jax.domain.constants import OPEN
from flake8_jax.domain.effects import Effect, LatentEffects
from flake8_jax.domain.key_parts import KeyPart, SeededBy
from flake8_jax.domain.kinds import NUMBER, STATIC
from flake8_jax.domain.payload import Derived
from flake8_jax.domain.provenance import LIKELY, Context, Use
from flake8_jax.domain.resources import Means, SeedDraw, Used, is_compatible, loops_between
from flake8_jax.domain.seeded import CountedSeed
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.lazy_dataclasses import replace
from flake8_jax.syntax.policies import DATA_MAKER

MAXIMUM_DEPTH, MAXIMUM_DRAWS = 4, 16
AT_ONCE = frozenset(("lane", "leaf"))
"""The forms of repetition in which one call of a transform draws many times, and no loop runs."""


def is_varied(frame: Frame, key: Value) -> bool:
    """Is a key derived with data, or selected by an index, that may be different in another call?"""
    for ancestor in ancestors(key):
        payload = ancestor.payload
        places: tuple[object, ...] = ()
        if type(payload) is Derived and payload.how == "fold_in":
            places = (payload.data,)
        elif type(payload) is KeyPart:
            places = payload.positions
        if any(isinstance(place, Value) and not _is_counted(frame, place, 0) for place in places):
            return True
    return False


def note_seeded(frame: Frame, key: Value, used: Used) -> None:
    """Leave a draw from a key that is made of a seed to the callers."""
    if key.made_by is None or used.draw is None:
        return
    seed = _seed(frame, key)
    if seed is not None:
        draw = SeedDraw(used.use.by, used.draw, used.draw)
        here = SeededDraw(key.made_by, seed, (draw,))
        leave_to_callers(frame, here, Effect(here, used.path))


def first_read(draws: tuple[SeedDraw, ...]) -> SeedDraw | None:
    """The first of the draws from a key whose result is read in the function that makes the key."""
    return next((one for one in draws if is_read(one.source)), None)


def leave_to_callers(frame: Frame, here: SeededDraw, told: Effect) -> bool:
    """Add a draw to those of the running function, unless its name says that it makes data once."""
    is_left = frame.function.kind in ("def", "lambda") and is_run_again(frame.function)
    is_left = is_left and DATA_MAKER.match(frame.function.name) is None
    if is_left:
        _join(frame.summary.requires.effects, here, told)
    return is_left


def _join(effects: LatentEffects, here: SeededDraw, told: Effect) -> None:
    """Add draws to those of the same seed on the same path, up to the bounds."""
    for one, effect in effects.of(SeededDraw):
        if one.identity == here.identity and effect.when == told.when:
            known = [each.source for each in one.draws]
            draws = (*one.draws, *(each for each in here.draws if each.source not in known))[:MAXIMUM_DRAWS]
            effects.exchange(effect, replace(effect, evidence=replace(one, draws=draws)))
            return
    effects.add(told)


def _seed(frame: Frame, key: Value) -> int | CountedSeed | Value | None:
    """What a key is made of: a constant, numbers of a loop, or an input."""
    payload = key.payload
    if type(payload) is Derived and isinstance(payload.data, tuple):
        number = payload.data[0]
        return number if type(number) is int else None
    return seed_of_value(frame, payload.seed) if type(payload) is SeededBy else None


def seed_of_value(frame: Frame, value: Value) -> int | CountedSeed | Value | None:
    """What a seed is in a frame; None if nothing tells that another call has the same one."""
    known = value.constant
    if type(known) is int:
        return known
    if type(value.made_by) is ops.Const and type(value.made_by.value) is int:
        return value.made_by.value  # a constant that is passed to traced code
    if _is_counted(frame, value, 0):
        return CountedSeed()
    is_input = value.input is not None or any(one is value for one in frame.summary.inputs.values())
    return value if is_input else None


def _is_counted(frame: Frame, value: Value | None, depth: int) -> bool:
    """Is a value the number of a loop, or computed from such and constants?"""
    if value is None or depth > MAXIMUM_DEPTH:
        return False
    made_by = value.made_by
    if type(made_by) is not ops.Operate or value.kind is not NUMBER:
        return counts(value)
    names = [operand for operand in made_by.operands if type(operand) is ops.Name]
    if any(name.scope.frame is not frame.function.scope for name in names):
        return False
    held = [peek(frame, operand) for operand in made_by.operands]
    return all(whole_number(one) is not None or _is_counted(frame, one, depth + 1) for one in held)


def check_repeated_seed(frame: Frame, here: SeededDraw, told: Effect, op: Op, means: Means = None) -> None:
    """Report a call that draws what an earlier one drew, on a compatible path.

    Calls that name the seed as an argument (`means`) say themselves that they are alike, unless it is one in a loop.
    """
    seed, state = here.seed, frame.live()
    if isinstance(seed, Value) or is_impossible(state.path):
        return
    made, use = frame.program.record.constants, Use(frame.namespace.path, op.anchor.line, here.draws[0].by)
    stands_for = made.setdefault((here.op, seed), Value(STATIC, payload=OPEN))
    used = Used(op, use, told.when, frame.iterations, means, here.draws[0].draw, draws=here.draws)
    earlier = [one for one in state.used.get(stands_for) if is_compatible(one, used.path)]
    state.used.add(stands_for, (used,))
    is_at_once = bool(frame.repetitions) and frame.repetitions[-1].form in AT_ONCE
    found = first_read(here.draws) if is_at_once or earlier else None
    names = (one.code.function.name for one in found.draw.within()) if found is not None else ()
    if found is None or may_be_common(found.draw, " ".join(names), frame.name):
        return
    used = replace(used, draw=found.draw)
    if is_at_once and is_read(found.draw):
        if frame.repetitions[-1].form == "lane" or not is_aligned(found.draw):
            _report(frame, told, found.by, used, used)
        return
    for one in earlier:
        before = first_read(one.draws)
        if before is not None and _are_read(frame, replace(one, draw=before.draw), used):
            _report(frame, told, found.by, one, used)
            return


def _are_read(frame: Frame, one: Used, used: Used) -> bool:
    """Are the results of two different calls both read?"""
    if one.draw is None or used.draw is None:
        return False
    if one.op is used.op:
        return any(readings_of_iterations(used.draw, loop).are_both for loop in loops_between(one, frame.iterations))
    is_chosen = one.means is not None or used.means is not None
    return not is_chosen and not belong_together(one, used) and readings(one.draw, used.draw).are_both


def _report(frame: Frame, told: Effect, by: str, one: Used, used: Used) -> None:
    calls = 1 if one.op is used.op else 2
    lines = tuple(sorted({one.use.line, used.use.line}))
    make = partial(
        ConstantKeyDrawn, told.evidence.op, phrase(told.evidence.op), by, "called", calls, "",
        Context(None, told.chain, LIKELY), frame.namespace.path, lines,
    )  # fmt: skip
    emit(frame, (ConstantKeyDrawn, told.evidence.op, ()), make)
