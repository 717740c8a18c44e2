"""What a callee does to the state of its caller, repeated at the call: a row for each kind of effect.

def sample(key):                the sink `key`: the argument is used up here, by the draw inside
    return normal(key), key     the key that is handed back is used already
def fill(buf): buf[:] = 0       JAX may still read the buffer that is passed
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import NoReturn, TypeAlias

from flake8_jax.analysis.checks.compilation.donations import Donates, donate_in
from flake8_jax.analysis.checks.host.buffers import HandsOver, check_refilled, note_passed_buffers
from flake8_jax.analysis.checks.host.clocks import Elapsed, check_elapsed_in
from flake8_jax.analysis.checks.host.waits import wait, wait_for
from flake8_jax.analysis.checks.host.writes import NeedsWritable
from flake8_jax.analysis.checks.keys.constant_keys import draw_constant
from flake8_jax.analysis.checks.keys.derivations import ancestors, root_of
from flake8_jax.analysis.checks.keys.origins import input_behind
from flake8_jax.analysis.checks.keys.sinks import KeyHandedBack, SeededDraw, Sink
from flake8_jax.analysis.checks.keys.uses import HiddenDraws, Inside, ReuseForm, UseForm, consume
from flake8_jax.analysis.checks.naming import name_of
from flake8_jax.analysis.checks.startup.reaching import Starts, repeat_steps
from flake8_jax.analysis.evidence import LatentEvidence
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.labels.callees import code_of
from flake8_jax.analysis.objects.pending import PENDING, TICKING
from flake8_jax.analysis.summaries.captured import is_rebound_unseen
from flake8_jax.analysis.summaries.seeded_draws import check_repeated_seed, leave_to_callers, seed_of_value
from flake8_jax.analysis.summaries.substitution import MAXIMUM_CHAIN, Substitution
from flake8_jax.analysis.summaries.translation import carried, translated
from flake8_jax.domain.affine import Affine
from flake8_jax.domain.conditions import ALWAYS, Path, facts_shared_by_all
from flake8_jax.domain.constants import NotConstant
from flake8_jax.domain.effects import Effect, KindOfEvidence
from flake8_jax.domain.key_parts import KeyPart
from flake8_jax.domain.kinds import NUMPY
from flake8_jax.domain.payload import EVERY, AnySlice, Derived
from flake8_jax.domain.provenance import Use
from flake8_jax.domain.resources import MAXIMUM_DEPTH, ByArgument, DrawSite, SeedDraw, Used
from flake8_jax.domain.seeded import CountedSeed
from flake8_jax.domain.staging import Input, certain, in_order
from flake8_jax.domain.value import Value
from flake8_jax.ir.ops import Attr, Call, Const, Item, Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.lazy_dataclasses import replace

MAXIMUM_PATHS = 4

Ways: TypeAlias = "list[list[tuple[KindOfEvidence, Effect, Path]]]"
"""The effects of one kind that a call has, those of one identity together, each with its path in the caller's terms."""

Rows: TypeAlias = "Mapping[type[LatentEvidence], Callable[[Substitution, NoReturn], None]]"
"""What repeats the effects of a kind, which its key says."""


def repeat_uses(site: Substitution) -> None:
    """Repeat what the callee does with keys."""
    _repeat(site, OF_KEYS)


def repeat_on_host(site: Substitution) -> None:
    """Repeat what the callee does where no trace runs it: with buffers, to wait for JAX, and to start it."""
    frame, requires = site.frame, site.summary.requires
    if certain(site.ambient) is not None or frame.state is None:
        return
    _repeat(site, BEFORE_WAITING)
    if requires.waits:
        wait(frame)
    if requires.waits_for_inputs:
        for value in site.bound.values():
            wait_for(frame, value)
    _repeat(site, AFTER_WAITING)


def _repeat(site: Substitution, rows: Rows) -> None:
    known = site.summary.requires.effects.known
    for kind in rows:
        if kind in known:
            told = [
                [(one.evidence, one, when) for one in ways if (when := translated(site, one.when)) is not None]
                for ways in known[kind].values()
            ]
            if here := [ways for ways in told if ways]:
                rows[kind](site, here)  # type: ignore[arg-type]  # they are of the key's class


def _use_up(site: Substitution, ways: Ways[Sink]) -> None:
    """Use up the caller's values for the keys that the callee uses up."""
    told = [
        [(sink, when) for sink, effect, _ in group if (when := carried(site, effect.when)) is not None]
        for group in ways
    ]
    found = [(sinks, site.key_outside(sinks[0][0].target)) for sinks in told if sinks]
    for sinks, actual in found:
        if actual is not None:
            _consume(site, sinks, actual)


def _consume(site: Substitution, sinks: list[tuple[Sink, Path]], actual: Value) -> None:
    frame, op, target, owner = site.frame, site.op, sinks[0][0].target, site.function.owner
    kept = [one for one in sinks if not one[0].use.is_possible] or sinks
    use, by, renewed = kept[0][0].use, _callee_text(site), site.summary.writes.rebound
    hidden = HiddenDraws(_ways(kept), tuple(site.bound.items()), owner is not None)
    if isinstance(target, Input):
        place, path, root = site.source_of(target), target.path, site.argument_of(target)
        reuse: ReuseForm = "again" if site.is_owned(target) else "captured"
        if reuse == "captured" and is_rebound_unseen(site, target.name):
            return
        varies = _varies(target) or (reuse == "captured" and target.name in renewed)
        inside = Inside(path.removeprefix(target.name), path, use, root, varies)
        for means in _means(site, target):
            consume(frame, actual, op, place, by, reuse, means, inside, hidden, use.is_possible)
        return
    held = site.summary.outside
    captured = next((name for name, value in held.captured.items() if value is target), "")
    name = held.rebound[target][1] if target in held.rebound else captured or name_of(frame, target)
    if is_rebound_unseen(site, captured):
        return
    root = _argument_behind(site, target)
    varies = name in renewed or (not captured and _is_another(target))
    _, step = held.fields.get(target, (None, None))
    inside = Inside("", name, use, root, varies, str(step[1]) if step is not None else "")
    reuse = "captured" if root is None else "again"
    consume(frame, actual, op, None, by, reuse, None, inside, hidden, use.is_possible)


def _ways(sinks: list[tuple[Sink, Path]]) -> tuple[UseForm, ...]:
    """The draws of the callee on each path of the caller; if the paths are too many, on the facts that they share."""
    ways: dict[Path, list[DrawSite]] = {}
    for sink, when in sinks:
        ways.setdefault(when, []).extend([sink.draw] if sink.draw is not None else [])
    if len(ways) > MAXIMUM_PATHS or ALWAYS in ways:
        return (UseForm(facts_shared_by_all(ways), tuple(draw for draws in ways.values() for draw in draws)),)
    return tuple(UseForm(when, tuple(draws)) for when, draws in ways.items())


def _means(site: Substitution, target: Input) -> Iterator[ByArgument]:
    """How the callee uses an argument up: twice, if it is a container of one key whose items the callee takes one by
    one.
    """
    run_by = site.function.function if _is_turn(site.frame, site.op) else None
    yield ByArgument(target.name, run_by)
    if target.parent is not None and target.step == ("[]", EVERY) and site.is_owned(target):
        container = site.resolve(target.parent)
        parts = (container.elements if container is not None else None) or ()
        if len(parts) > 1 and all(part is parts[0] for part in parts):
            yield ByArgument(f"{target.name}, again", run_by)


def _is_turn(frame: Frame, op: Op) -> bool:
    """Does a loop transform run the function here, next to other functions with the same carry?"""
    return bool(frame.repetitions) and frame.repetitions[-1].op is op and frame.repetitions[-1].form == "turn"


def _argument_behind(site: Substitution, key: Value) -> Value | None:
    """The argument that a key was derived from in the function, if it is one."""
    root = root_of(key)
    source = input_behind(root) if root is not None else None
    return site.argument_of(source) if source is not None and site.is_owned(source) else None


def _is_another(key: Value) -> bool:
    """Is it a key that may be different in each call, since data that may differ was folded into it or selected it?"""
    return any(
        (type(ancestor.payload) is Derived and isinstance(ancestor.payload.data, (Affine, Value)))
        or (
            type(ancestor.payload) is KeyPart
            and any(isinstance(at, (Value, NotConstant)) for at in ancestor.payload.positions)
        )
        for ancestor in ancestors(key)
    )


def _varies(source: Input) -> bool:
    """Is it an item at an index that is not a constant?"""
    return any(kind == "[]" and isinstance(index, (Value, NotConstant, AnySlice)) for kind, index in source.steps)


def _callee_text(site: Substitution) -> str:
    return phrase(site.op.func) if type(site.op) is Call else site.function.function.name


def _hand_back(site: Substitution, ways: Ways[KeyHandedBack]) -> None:
    """Mark the keys in the result of a call that the callee used up: what shows it is reported in the callee."""
    groups = ([way for way in each if way[0].into is None and way[0].draw.depth < MAXIMUM_DEPTH] for each in ways)
    for given in filter(None, groups):
        value = site.renewed_value(given[0][0].value)
        for one, _, when in given:
            use = Use(site.frame.namespace.path, site.op.anchor.line, _callee_text(site))
            draw = _draw_at(site, (one.draw,), one.draw.depth + 1)
            used = Used(site.op, use, site.assume(when), site.frame.iterations, None, draw, None, one.kept)
            site.frame.live().used.add(value, (used,))


def _draw_at(site: Substitution, inner: tuple[DrawSite, ...], depth: int) -> DrawSite:
    """A draw in the callee as one of the caller."""
    arguments, is_method = tuple(site.bound.items()), site.function.owner is not None
    return DrawSite(site.op, code_of(site.frame), "", inner, arguments, is_method, depth)


def _draw_seeded(site: Substitution, ways: Ways[SeededDraw]) -> None:
    """Draw what the callee draws from a key that it makes of a seed: of an input here of what is passed.

    def drawn(n): return normal(key(n))     of the input `n`
    def twice(x): return x + drawn(3)       of 3, from here on; the callers of `twice` are told
    """
    frame = site.frame
    for one, effect, when in chain.from_iterable(ways):
        calls = effect.chain if site.hop is None else (site.hop, *effect.chain)
        seed = _seed_outside(site, one.seed)
        if seed is None or len(calls) > MAXIMUM_CHAIN:
            continue
        draws = tuple(_seed_draw_at(site, draw) for draw in one.draws)
        here = SeededDraw(one.op, seed, draws)
        told = Effect(here, site.assume(when), calls)
        is_chosen = isinstance(one.seed, Value)
        if not is_chosen or not isinstance(seed, CountedSeed):
            check_repeated_seed(frame, here, told, site.op, ByArgument("") if is_chosen else None)
        if leave_to_callers(frame, here, told) and is_chosen and not isinstance(seed, Value):
            for draw in one.draws:
                draw_constant(frame, one.op, draw.by, draw.source, told.when, calls)


def _seed_draw_at(site: Substitution, one: SeedDraw) -> SeedDraw:
    depth = one.draw.depth + 1
    return replace(one, draw=_draw_at(site, (one.draw,) if depth <= MAXIMUM_DEPTH else (), depth))


def _seed_outside(site: Substitution, seed: int | CountedSeed | Value) -> int | CountedSeed | Value | None:
    """The seed in terms of the caller; None if unknown, or a default value, which is meant to be repeated."""
    if not isinstance(seed, Value):
        return seed
    actual = site.input_value(seed)
    if actual is None:
        return seed if seed.input is not None and not site.is_owned(seed.input) else None
    if any(actual is default for default in site.function.defaults.values()):
        return None
    return seed_of_value(site.frame, actual.original)


def _refill(site: Substitution, ways: Ways[NeedsWritable]) -> None:
    """A write into a buffer: at the call that passes it, or for one that an object holds where it is written."""
    frame, op = site.frame, site.op
    if PENDING not in frame.live().used:
        return
    for needed, _, _ in chain.from_iterable(ways):
        for source in in_order(needed.dependences) if needed.view is None else ():
            actual, target = site.resolve(source), site.source_of(source)
            if actual is None or actual.kind is not NUMPY:
                continue
            if target is not None:
                check_refilled(frame, op, target, actual)
            elif site.is_owned(source) and source.parent is not None and not _is_chosen(op):
                check_refilled(frame, op, needed.target, actual, needed.op)


def _is_chosen(op: Op) -> bool:
    """Is the object whose method is called one of several, by an index that may be another the next time?"""
    base = op.func if type(op) is Call else op
    while type(base) is Attr or type(base) is Item:
        if type(base) is Item and type(base.index) is not Const:
            return True
        base = base.base
    return False


def _elapse(site: Substitution, ways: Ways[Elapsed]) -> None:
    if TICKING in site.frame.live().used and not site.summary.requires.waits:
        for elapsed, _, _ in chain.from_iterable(ways):
            check_elapsed_in(site.frame, site.op, elapsed, site)


def _donate(site: Substitution, ways: Ways[Donates]) -> None:
    for donates, _, _ in chain.from_iterable(ways):
        donate_in(site.frame, site.op, donates, site)


def _hand_over(site: Substitution, ways: Ways[HandsOver]) -> None:
    """Hand the buffers that the callee hands to JAX, unless it has waited for it."""
    for (handed, _, _), *_ in ways if not site.summary.requires.waits else ():
        actual = site.resolve(handed.source)
        if actual is not None:
            note_passed_buffers(site.frame, site.op, (actual,), handed.how)


def _start(site: Substitution, ways: Ways[Starts]) -> None:
    steps = [(one.step, when) for one, _, when in chain.from_iterable(ways)]
    repeat_steps(site.frame, site.op, steps, _callee_text(site))


OF_KEYS: Rows = {Sink: _use_up, KeyHandedBack: _hand_back, SeededDraw: _draw_seeded}
BEFORE_WAITING: Rows = {NeedsWritable: _refill, Elapsed: _elapse}
AFTER_WAITING: Rows = {Donates: _donate, HandsOver: _hand_over, Starts: _start}
