"""Comprehensions: clauses are loops, names are local, filters need concrete values."""

from __future__ import annotations

from flake8_jax.analysis.checks.compilation.donated_reads import check_read, of_kept
from flake8_jax.analysis.checks.compilation.turns import Iterated
from flake8_jax.analysis.checks.concrete import need_concrete
from flake8_jax.analysis.checks.effects.iterators import note_iterated
from flake8_jax.analysis.checks.keys.displays import one_under_each
from flake8_jax.analysis.evaluate.control import assign
from flake8_jax.analysis.evaluate.displays import is_plain_input
from flake8_jax.analysis.evaluate.loops import repeat, turns_once
from flake8_jax.analysis.evaluator import OpEvaluator, evaluate
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.growing import followed, grow
from flake8_jax.analysis.objects.iteration import element
from flake8_jax.analysis.objects.narrowing import facts_of, narrow
from flake8_jax.domain.conditions import assume
from flake8_jax.domain.kinds import ARRAY, DICT, KEY, LIST, SET, Kind
from flake8_jax.domain.payload import GENERATOR, Each, Same
from flake8_jax.domain.state import State, join_states, state_after_loop
from flake8_jax.domain.value import Value, unknown
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.walking import dotted_root, targets_in

KINDS: dict[str, Kind] = {"list": LIST, "set": SET, "dict": DICT}
ONE_EACH = frozenset(("dict", "list"))
"""The kinds of comprehensions of which it is followed that each element is one value."""


def gather(frame: Frame, op: ops.Gather) -> Value:
    """The value of a comprehension: a container of unknown length, marked if it is a generator."""
    bound = [one.name for each in op.clauses for one in targets_in(each.target) if type(one) is ops.Name]
    outer = {name: frame.live().names.get(name) for name in bound}
    source = _clause(frame, op, 0)
    names = frame.live().names
    for name, before in outer.items():
        if before is not None:
            names[name] = before
        else:
            names.unbind(name)
    if (held := _one_for_all(frame, op, source, bound)) is not None:
        return held
    part = frame.gathered.get(op)
    like = followed(part) if part is not None else None
    if op.kind == "generator":
        return Value(LIST, payload=Each(like, "generator") if like is not None else GENERATOR, made_by=op)
    made = Value(KINDS[op.kind], payload=Each(like) if like is not None and op.kind == "list" else None, made_by=op)
    if made.kind is DICT:
        grow(frame, made, like)
    return made


def _one_for_all(frame: Frame, op: ops.Gather, source: Value | None, bound: list[str]) -> Value | None:
    """The dict or list of a comprehension that puts one key, or an input, everywhere; None for another one."""
    part = frame.gathered.get(op) if op.kind in ONE_EACH and len(op.clauses) == 1 else None
    if source is None or part is None or not (part.kind is KEY or is_plain_input(frame, part)):
        return None
    held = op.element[-1]
    root = dotted_root(held)
    if type(root) is not ops.Name or root.name in bound:
        return None
    if op.kind == "list":
        return Value(LIST, payload=Same(part), made_by=op)
    is_whole = phrase(op.element[0]) == phrase(op.clauses[0].target) and not op.clauses[0].tests
    return one_under_each(frame, op, source if is_whole else unknown("names that are not known"), part, held)


def _clause(frame: Frame, op: ops.Gather, depth: int) -> Value | None:
    """Run a clause and those behind it; what it goes through, None behind the last one."""
    if depth == len(op.clauses):
        is_lost = frame.discarded is op and op.kind != "generator"  # a comprehension that is a statement of its own
        for part in op.element:
            frame.discarded = part if is_lost else frame.discarded
            frame.gathered[op] = evaluate(frame, part)
        frame.discarded = op if is_lost else frame.discarded
        return None
    clause = op.clauses[depth]
    source = evaluate(frame, clause.source)
    note_iterated(frame, source, clause.source, "for")
    if source.kind is ARRAY:
        check_read(frame, clause.source, source)

    def iteration() -> None:
        assign(frame, clause.target, of_kept(frame, clause.source, source, element(frame, source, op)), op)
        for test in clause.tests:
            need_concrete(frame, evaluate(frame, test), test, "comprehension", op)
            state = frame.live()
            facts = facts_of(frame, test, True)
            state.path = assume(state.path, facts)
            narrow(frame, test, True, facts)
        _clause(frame, op, depth + 1)

    is_single = turns_once(clause.source, source)
    iterated = Iterated(clause.target, clause.source, source)
    before, after = repeat(frame, op, iteration, is_single, iterated)
    path = before.path
    met: State | None = None
    for state in after:
        met = join_states(met, state)
    frame.state = state_after_loop(before, met)
    frame.state.path = path
    return source


EVALUATES: dict[type[Op], OpEvaluator] = {ops.Gather: gather}
