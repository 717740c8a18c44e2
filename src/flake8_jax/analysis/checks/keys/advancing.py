"""Keys that go on after they were used up: returned, stored or carried where a new key should be.

    key, sub = split(key)
    x = normal(key)                 the wrong half is used up
    return x, key                   and goes on: whoever uses the new key draws the same numbers again

What a function returns is judged here if the key evidently goes on as the new one; else its callers decide.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import partial

from flake8_jax.analysis.callables import InstanceOf
from flake8_jax.analysis.checks.instead import (
    Advice,
    is_single,
    may_be_several,
    pass_in,
    split_and_pass_on,
    split_first,
)
from flake8_jax.analysis.checks.keys.derivations import SPLIT, root_of
from flake8_jax.analysis.checks.keys.fresh_keys import fresh_instead
from flake8_jax.analysis.checks.keys.independence import leaves
from flake8_jax.analysis.checks.keys.remedies import remedy, site_of
from flake8_jax.analysis.checks.keys.sinks import KeyHandedBack, Sink
from flake8_jax.analysis.checks.naming import imported_name, mentions, name_of
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.isolation import ADVICE, advising
from flake8_jax.analysis.labels.questions import is_read
from flake8_jax.analysis.labels.tables import SEEDED
from flake8_jax.analysis.objects.stated_rules import is_derivative
from flake8_jax.analysis.record import Record
from flake8_jax.analysis.summaries.deferral import emit
from flake8_jax.domain.conditions import ALWAYS, Path
from flake8_jax.domain.effects import Effect
from flake8_jax.domain.key_parts import KeyMix, KeyPart
from flake8_jax.domain.kinds import CONTAINERS, DICT, INPUT, INSTANCE, KEY
from flake8_jax.domain.payload import Derived, Extended, Key, Step, step_text
from flake8_jax.domain.provenance import CERTAIN, Certainty, Context, Use, certain_if
from flake8_jax.domain.resources import ByElement, ByFunction, DrawSite, KeyDestination, KeySite, Used, is_compatible
from flake8_jax.domain.staging import Input
from flake8_jax.domain.value import Value, input_of
from flake8_jax.ir import ops
from flake8_jax.ir.chains import chains_of
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.rewrite import ChangedOp, Rewrite
from flake8_jax.lazy_dataclasses import dataclass, replace
from flake8_jax.model.diagnostic import Remedy
from flake8_jax.syntax.policies import STARTING_KEY
from flake8_jax.syntax.positions import unpacked

MAXIMUM_DEPTH = 3
MAXIMUM_NAMES = 64
"""How many names are looked at, of those that were bound last, for another part of a split."""


@dataclass(frozen=True, slots=True)
class KeyNotAdvanced:
    """A key that is used up goes on as if it were new.

    It is reported at the argument that is the key, where it is used up.  `key` is its text, `use` what uses it up;
    `goes_on` says where it goes on, `by` what: "returned", "kept in `self.rng`", "carried to the next iteration";
    `instead` is what to write; `attribute` names the attribute that holds it, if one does.  It is likely
    where the new key may be used by nobody.  `rewrite` are the changes that write it.
    """

    op: Op
    key: str
    use: Use
    goes_on: Use
    instead: str
    context: Context
    attribute: str = ""
    rewrite: Rewrite | None = None
    site: KeySite | None = None

    @property
    def is_split(self) -> bool:
        """Is it split where it is used up, so that new keys are there?"""
        return self.use.within is None and self.use.by.endswith(".split")

    @property
    def remedy(self) -> Remedy:
        """What to write instead, to be tried."""
        kept = self.goes_on.by.partition("kept in ")[2] or f"`{self.key}`"
        passed_on = f"store a new key in {kept}" if self.attribute else "pass on one of the new keys there"
        words = passed_on if self.is_split and self.rewrite is None else self.instead
        fresh = fresh_instead(self.op, self.use.by, words, bool(self.attribute)) if self.rewrite is None else None
        return fresh or remedy(self.site, self.rewrite, words)


def check_returned(frame: Frame, op: ops.Leave, value: Value) -> None:
    """Report the used keys that a function returns, or leave it to the callers what becomes of them."""
    state = frame.live()
    if not state.used or frame.function.kind != "def" or is_derivative(op, frame.function.name):
        return
    for part, step, is_named in _keys(frame, value, None, 0):
        if step is not None and (_is_of_start(step) or _is_record_of_seed(part, step)):
            continue
        for used in state.used.get(part):
            if is_compatible(used, state.path) and used.draw is not None:
                _hand_back(frame, op, part, step, used, used.draw, is_named)
                break  # further uses are another mistake


def _hand_back(
    frame: Frame, op: ops.Leave, value: Value, step: Step | None, used: Used, draw: DrawSite, is_named: bool
) -> None:
    """Record in the summary that the function returns a key that it has used up.

    In a copy that does not name its field, callers may put another one there before they use it again.
    """
    kept = used.kept
    if kept is None and is_read(draw):
        goes_on = "returned" if step is None else f"returned as `{_field(step)}`"
        kept = _kept(frame, value, used, Use(frame.namespace.path, op.anchor.line, goes_on))
        is_wrong_half = _is_wrong_half(frame, value)
        is_evident = step is not None and used.place is not None and _is_used_up(frame, step)
        is_told = used.place is not None or (is_wrong_half and _is_captured(frame, draw))
        is_told = is_told and not _is_folded_each_time(frame, value, used)
        if is_told and (is_named or step is None or not is_set_in_copies(op, step)):
            report(frame, kept, certain_if(is_evident or is_wrong_half))
    if kept is not None:
        handed = KeyHandedBack(kept.op, value, step, kept, draw, is_named)
        frame.summary.requires.effects.add(Effect(handed, frame.live().path))


def _is_folded_each_time(frame: Frame, value: Value, used: Used) -> bool:
    """Is it folded of a key that the function gets, so that whoever hands it back has another one derived of it?

    Of a key that depends on the path, that counts which was used up.
    """
    payload = value.payload
    sources = [one.original for one in payload.sources] if type(payload) is KeyMix else [value]
    uses = frame.live().used
    spent = [one for one in sources if used in uses.get(one)] or sources
    return all((root := root_of(one)) is not None and input_of(root) is not None for one in spent)


def _is_captured(frame: Frame, draw: DrawSite) -> bool:
    """Do functions inside of this one draw from a key by the name that it has here?"""
    return all(
        type(leaf.place) is ops.Name and leaf.place.scope.lookup(leaf.place.name).owner is frame.function.scope
        for leaf in leaves(draw)
    )


def check_kept(frame: Frame) -> None:
    """Report the used keys that a function has stored into inputs, at its end."""
    state, writes = frame.live(), frame.summary.writes
    if not state.used or frame.function.kind != "def":
        return
    for (source, step), value in writes.parts.items():
        if _is_of_start(step) or _is_put_back(frame, source, step, value):
            continue
        for used in _ended(frame, value):
            place = f"{source.path}{step_text(step)}"
            kept = used.kept or _kept(frame, value, used, _stored_at(frame, place))
            kept = replace(kept, attribute=str(step[1]) if step[0] == "." else "")
            if used.draw is not None:
                handed = KeyHandedBack(kept.op, value, step, kept, used.draw, into=source)
                frame.summary.requires.effects.add(Effect(handed, state.path))
            if _is_wrong_half(frame, value) or (step[0] == "." and _is_used_up(frame, step)):
                report(frame, kept)


def _is_put_back(frame: Frame, source: Input, step: Step, value: Value) -> bool:
    """Does a place get back what it held at first, after it held something else: as if nothing had been drawn?"""
    first = input_of(value.original)
    if first is None or first.parent is not source or first.step != step:
        return False
    place = f"{source.path}{step_text(step)}"
    return sum(phrase(target).replace('"', "'") == place for target, _ in chains_of(frame.function).stores) > 1


def _ended(frame: Frame, value: Value) -> Iterator[Used]:
    """The uses of the key itself whose results are read, so that the key is spent."""
    for used in frame.live().used.get(value.original):
        if used.draw is not None and (used.place is not None or used.kept is not None) and is_read(used.draw):
            yield used


@advising(ADVICE, 0)
def _made_in_loop(frame: Frame, value: Value) -> int:
    """The line in a loop where a key is made of a constant, whatever the loop began with; 0 if there is none."""
    made_by = value.original.made_by
    if type(made_by) is not ops.Call or imported_name(made_by.func) not in SEEDED:
        return 0
    is_constant = bool(made_by.args) and all(type(one) is ops.Const for one in made_by.args)
    is_in_loop = any(type(one) is ops.Loop for one in chains_of(frame.function).way_to(made_by))
    return made_by.anchor.line if is_constant and is_in_loop else 0


def _stored_at(frame: Frame, place: str) -> Use:
    """Where the function stores something at last, in the user's spelling."""
    line, spelled = frame.function.anchor.line, place
    for target, op in chains_of(frame.function).stores:
        text = phrase(target)
        if text.replace('"', "'") == place:
            line, spelled = op.anchor.line, text
    return Use(frame.namespace.path, line, f"kept in `{spelled}`")


def _field(step: Step) -> str:
    name = step[1]
    return name if isinstance(name, str) else step_text(step)


def _is_of_start(step: Step) -> bool:
    """Does a field hold the key that something began with, by its name?"""
    return STARTING_KEY.search(_field(step)) is not None


def _is_record_of_seed(value: Value, step: Step) -> bool:
    """Does a result say which seed of another library it came of?"""
    return value.kind is not KEY and _field(step).endswith("seed")


def _is_used_up(frame: Frame, step: Step) -> bool:
    """Does the function use up what an object holds under this name, so that it is there to be used?"""
    sinks = frame.summary.requires.effects.of(Sink)
    return any(type(sink.target) is Input and sink.target.step == step for sink, _ in sinks)


def _kept(frame: Frame, value: Value, used: Used, goes_on: Use) -> KeyDestination:
    key = phrase(used.place) if used.place is not None else name_of(frame, value)
    op, advice = used.place or used.op, _instead(frame, value, used.place)
    site = site_of(frame, op, key, goes_on=True) if is_single(value) else None
    is_captured = used.place is None and used.draw is not None and _is_captured(frame, used.draw)
    if is_captured and key.isidentifier() and not mentions(used.op, key):
        advice = Advice(pass_in(used.use.by))
    if line := _made_in_loop(frame, value):
        advice, site = Advice(f"give the key of line {line} a name of its own: it takes the place of `{key}`"), None
    return KeyDestination(op, key, used.use, goes_on, advice.text, rewrite=advice.rewrite, site=site)


def report(frame: Frame, kept: KeyDestination, certainty: Certainty = CERTAIN, when: Path = ALWAYS) -> None:
    """Report a used key that goes on; a certain event takes the place of one that is only likely."""
    emit(frame, (KeyNotAdvanced, kept.op, ()), partial(_event, kept, certainty), when)


def report_used(frame: Frame, value: Value, used: Used, goes_on: Use, certainty: Certainty = CERTAIN) -> None:
    """Report a key that goes on after this use."""
    report(frame, _kept(frame, value, used, goes_on), certainty, used.path)


def report_into(record: Record, kept: KeyDestination, certainty: Certainty = CERTAIN) -> None:
    """Report a used key that goes on, found outside of all functions."""
    record.emit((KeyNotAdvanced, kept.op, ()), partial(_event, kept, certainty))


def _event(kept: KeyDestination, certainty: Certainty) -> KeyNotAdvanced:
    context = Context(certainty=certainty)
    return KeyNotAdvanced(
        kept.op, kept.key, kept.use, kept.goes_on, kept.instead, context, kept.attribute, kept.rewrite, kept.site
    )


def report_handed_back(frame: Frame, earlier: Used, now: Used, certainty: Certainty) -> None:
    """Report a key that a callee used up and handed back, and that is used here."""
    kept = earlier.kept
    assert kept is not None
    report(frame, replace(kept, goes_on=replace(kept.goes_on, within=now.use)), certainty)


def pass_on(frame: Frame, value: Value, made: Value) -> None:
    """Transfer to the result of a transform what is known of the returned key that it stands for: that the callee used
    it up.
    """
    state = frame.live()
    kept = tuple(one for one in state.used.get(value) if one.kept is not None)
    if kept:
        state.used.set(made, kept)


def is_handed_back(frame: Frame, value: Value) -> bool:
    """Is it a key that a callee has used up and returned?"""
    return any(one.kept is not None for one in frame.live().used.get(value))


def _keys(
    frame: Frame, value: Value, step: Step | None, depth: int, is_named: bool = True
) -> Iterator[tuple[Value, Step | None, bool]]:
    """The used keys in a value, each with its field or entry there, and whether the text puts it there."""
    state = frame.live()
    if value.original in state.used:
        yield value.original, step, is_named
    elif depth < MAXIMUM_DEPTH:
        for below, part in _parts(frame, value):
            is_put = is_named and (below is None or not _is_left(value, below))
            yield from _keys(frame, part, below, depth + 1, is_put)


def is_set_in_copies(op: Op, step: Step) -> bool:
    """Does the file put something into this field of a copy, so that whoever has the used key may do that?"""
    stored = rf"\breplace\((?:[^()]|\([^()]*\))*\b{re.escape(_field(step))}\s*="
    return re.search(stored, op.anchor.origin.code.text) is not None


def _is_left(value: Value, step: Step) -> bool:
    """Is it a field of a copy that the copying did not name?"""
    held = value.payload
    return type(held) is InstanceOf and held.copied is not None and step[1] not in held.copied.changed


def _parts(frame: Frame, value: Value) -> Iterator[tuple[Step | None, Value]]:
    value = frame.live().contents(value)
    if type(value.payload) is Extended:
        yield from ((("[]", name), part) for name, part in value.payload.above.items())
        yield from _entries_read(frame, value.payload.below, value.payload.above)
    elif value.kind is INPUT:
        if value.input is not None and value.input.parent is not None:
            yield from _entries_read(frame, value)
    elif value.kind is DICT and value.entries is not None:
        yield from ((("[]", name), part) for name, part in value.entries.items())
    elif value.kind in CONTAINERS:
        yield from ((None, part) for part in value.parts)
    elif value.kind is INSTANCE and type(value.payload) is InstanceOf:
        state = frame.live()
        for step in state.steps_of(value):
            if isinstance(step, tuple) and step[0] == ".":
                yield step, state.heap[(value, step)]
    else:
        yield from (((".", name), part) for name, part in frame.summary.writes.copies.get(value, {}).items())


def _entries_read(frame: Frame, held: Value, above: Collection[Key] = ()) -> Iterator[tuple[Step, Value]]:
    """The keys that were split, by name, of a dict that an input is, and are still in it: no others lie above.

    Whoever splits a key means to go on with a new one; of what is drawn from as it is callers decide.
    """
    state = frame.live()
    if state.version(held) is not held:
        return
    for step, part in frame.program.record.projections.of(held).items():
        is_kept = isinstance(step[1], str) and step[1] not in above and (held, step) not in state.heap
        if is_kept and any(_is_split(used) for used in state.used.get(part.original)):
            yield step, part


def _is_split(used: Used) -> bool:
    return isinstance(used.means, ByElement) or used.means == ByFunction(SPLIT)


def _is_wrong_half(frame: Frame, value: Value) -> bool:
    """Is it a part of a split of which another part is not used?"""
    return bool(unused_half(frame, value))


def unused_half(frame: Frame, value: Value, before: int = 0) -> str:
    """The name of another part of the split that a key is a part of, if that is unused, and if several are, of the one
    behind those for the uses `before`.
    """
    payload = value.payload
    if type(payload) is not KeyPart:
        return ""
    state = frame.live()
    for name, held in state.names.latest(MAXIMUM_NAMES):
        other = held.payload
        if type(other) is KeyPart and other.whole is payload.whole and held is not value and held not in state.used:
            if not before:
                return name
            before -= 1
    return ""


def unused_child(frame: Frame, value: Value, place: Op | None) -> str:
    """The name of a key that was split off a key, if nothing reads it: what was meant where the old one is used."""
    for name, held in frame.live().names.latest(MAXIMUM_NAMES):
        made = held.payload.whole.payload if type(held.payload) is KeyPart else None
        if type(made) is not Derived or made.how != "split" or made.parent is None:
            continue
        if made.parent.original is value.original and other_half(place, name) is not None:
            return name
    return ""


@advising(ADVICE, Advice(""))
def _instead(frame: Frame, value: Value, place: Op | None) -> Advice:
    """How a key goes on that nobody has drawn from: another part of the split is for one use, not for several."""
    uses = {used.op for used in frame.live().used.get(value.original)}
    other = unused_half(frame, value) if len(uses) < 2 else ""
    if not other:
        several = place is not None and may_be_several(frame, value, phrase(place))
        is_one = is_single(value) and not several
        return Advice(split_and_pass_on(frame) if is_one else split_first(frame, True, may_be_many=several))
    if not other.strip("_"):
        return Advice("bind the other part of the split to a name, and use it here")
    rewrite = other_half(place, other)
    if rewrite is None:
        return Advice(f"draw from `{other}`, the other part of the split, in its place")
    return Advice(f"use `{other}`, the other part of the split, here: no other line reads it", rewrite)


def other_half(place: Op | None, name: str) -> Rewrite | None:
    """The use of another part of the split, where nothing reads that yet."""
    if type(place) is not ops.Name or not name.isidentifier() or not name.strip("_"):
        return None
    is_free = not place.anchor.origin.source.holders.is_name_read(unpacked(place.place)[:2], name)
    return Rewrite((ChangedOp(place, (name,)),), "unsafe") if is_free else None
