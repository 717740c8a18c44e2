"""The oracle: runs a program on every path with keys that are terms, and says where one is used twice.

A hazard is two uses of equal keys of which the results are read on one path.  Where equal keys were derived apart, it
is the derivations that are alike: two splits of one key are two uses of that key, and what follows is no more news.
"""

from __future__ import annotations

import ast
import builtins
import dataclasses
import functools
import inspect
import sys
import types
import typing
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from tests.fuzzing.library import BUILTINS, modules
from tests.fuzzing.surface import NOTHING, Invalid, Surface, Trees, parsed, surface
from tests.fuzzing.terms import (
    MARK,
    Birth,
    Chain,
    Flag,
    Key,
    Misuse,
    Place,
    Run,
    TooManyPaths,
    Use,
    Value,
    begin,
    parts,
    taint_of,
)
from tests.fuzzing.writing import AID, MAIN, PARAMETERS

Kind: TypeAlias = Literal["again", "turn", "alike", "constant", "discarded", "hash", "loud"]
ALIGNED = frozenset(("permutation", "choice"))
PATHS = 64
KEYS = {*PARAMETERS, "key", "rng", "seed_key", "q"}
REAL = {
    "functools": functools, "dataclasses": dataclasses, "typing": typing, "types": types, "zlib": zlib,
}  # fmt: skip


@dataclass(slots=True)
class Hazard:
    """One mistake: the kind, the lines where it may be reported, and those where it is a second use."""

    kind: Kind
    lines: set[Place] = field(default_factory=set)
    again: set[Place] = field(default_factory=set)
    is_certain: bool = False


@dataclass(slots=True)
class Verdict:
    """What the shadow says of a program: its hazards by identity, and lines where it has no objection to a report."""

    hazards: dict[object, Hazard] = field(default_factory=dict)
    allowed: set[Place] = field(default_factory=set)
    paths: int = 0


def judge(texts: Mapping[str, str]) -> Verdict:
    """The verdict on a program; raises `Invalid`."""
    trees = parsed(texts)
    verdict = Verdict()
    runs = list(_runs(trees, _program))
    verdict.paths = len(runs)
    seen = surface(trees)
    read = {runs_use.chain for one in runs for runs_use in one.uses if runs_use.number in one.read}
    for one in runs:
        _judge_run(verdict, one, read, seen)
    verdict.allowed |= seen.allowed
    return verdict


@dataclass(slots=True)
class SecondLook:
    """Further lines where a report is no false alarm, and all lines that were reached."""

    allowed: set[Place] = field(default_factory=set)
    reached: set[Place] = field(default_factory=set)
    goes_on: set[object] = field(default_factory=set)

    def watch(self, frame: types.FrameType, event: str, argument: Any) -> Callable[..., Any] | None:
        """Note each line that is run, and the keys that functions return."""
        name = frame.f_code.co_filename
        if not name.startswith(MARK):
            return None
        self.reached.add((name[len(MARK) :], frame.f_lineno))
        if event == "return":
            self.goes_on.update(one.term for one in parts(argument) if isinstance(one, Key))
        return self.watch


def second_look(texts: Mapping[str, str]) -> SecondLook:
    """Where a report is no false alarm, though the program shows no hazard.

    There a key is used up that goes on, though nothing uses it afterwards; or a function alone has the hazard, on paths
    that the program never takes.
    """
    trees = parsed(texts)
    look = SecondLook()
    for entry in (_program, *_alone(trees)):
        sys.settrace(look.watch)
        try:
            runs = list(_runs(trees, entry))
        except Invalid:
            continue
        finally:
            sys.settrace(None)
        alone = Verdict()
        for one in runs:
            look.allowed.update(place for use in one.uses if use.key.term in look.goes_on for place in use.chain)
            _judge_run(alone, one, {use.chain for use in one.uses}, NOTHING)
        look.allowed |= alone.allowed
        if entry is not _program:
            look.allowed.update(place for hazard in alone.hazards.values() for place in hazard.lines)
    return look


# Running


Entry: TypeAlias = "Callable[[Mapping[str, dict[str, Any]]], Any]"


def _program(spaces: Mapping[str, dict[str, Any]]) -> Any:
    """Call the program; a script has run already."""
    function = spaces[MAIN].get("program")
    return function(*_arguments(function)) if function is not None else None


def _arguments(function: Any) -> list[Any]:
    return [_argument(name) for name in inspect.signature(function).parameters]


def _argument(name: str) -> Any:
    if name in KEYS:
        return Key(("argument", name), Birth("argument", None, (), name))
    return Flag(name) if name in ("a", "b", "c") else 7 if name == "n" else Value()


def _alone(trees: Trees) -> Iterator[Entry]:
    """Each function at the top of a file, called by itself."""
    for file, tree in trees.items():
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and node.name != "program" and "state" not in ast.dump(node.args):
                yield functools.partial(_call_alone, file, node.name)


def _call_alone(file: str, name: str, spaces: Mapping[str, dict[str, Any]]) -> Any:
    function = spaces[file][name]
    required = [each for each, one in inspect.signature(function).parameters.items() if one.default is one.empty]
    return function(*map(_argument, required))


def _runs(trees: Trees, entry: Entry) -> Iterator[Run]:
    codes = {name: compile(tree, f"{MARK}{name}", "exec") for name, tree in trees.items()}
    waiting: list[tuple[bool, ...]] = [()]
    for _ in range(PATHS):
        if not waiting:
            return
        forced = waiting.pop()
        now = begin(Run(forced))
        _execute(codes, entry, now)
        yield now
        waiting += [(*now.taken[:position], True) for position in range(len(forced), len(now.taken))]
    raise Invalid("too many paths")


def _execute(codes: Mapping[str, Any], entry: Entry, now: Run) -> None:
    known = modules()
    spaces: dict[str, dict[str, Any]] = {}

    def load(name: str, space: Any = None, local: Any = None, names: Any = (), level: int = 0) -> Any:
        if name == "aid" and AID in codes and name not in known:
            known[name] = types.ModuleType(name)
            vars(known[name]).update(_space(load))
            spaces[AID] = vars(known[name])
            exec(codes[AID], spaces[AID])
        if name in known:
            return known[name] if names else known[name.partition(".")[0]]
        if name in REAL:
            return REAL[name]
        raise ImportError(name)

    spaces[MAIN] = _space(load)
    try:
        exec(codes[MAIN], spaces[MAIN])
        now.read |= taint_of([entry(spaces)])
    except (TooManyPaths, SyntaxError) as error:
        raise Invalid(type(error).__name__) from error
    except Exception as error:
        now.loud = _where(error)
        if not (isinstance(error, Misuse) or str(error) == "unwanted" or "values to unpack" in str(error)):
            raise Invalid(f"{type(error).__name__}: {error}") from error
        if str(error) == "unwanted":
            now.loud = None
        now.is_refused = True


def _space(load: Any) -> dict[str, Any]:
    return {"__name__": "program", "__builtins__": {**vars(builtins), **BUILTINS, "__import__": load}}


def _where(error: BaseException) -> Chain:
    places, trace = [], error.__traceback__
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename
        if name.startswith(MARK):
            places.append((name[len(MARK) :], trace.tb_lineno))
        trace = trace.tb_next
    return tuple(places)


# Judging


def _judge_run(verdict: Verdict, now: Run, read: set[Chain], seen: Surface) -> None:
    by_term: dict[object, list[Use]] = {}
    for use in now.uses:
        for earlier in by_term.get(use.key.term, ()):
            _judge_pair(verdict, now, earlier, use, read, seen)
        by_term.setdefault(use.key.term, []).append(use)
        if use.key.birth.kind == "hash":
            _add(
                verdict, "hash", use.key.birth.chain, {*use.key.birth.chain, *use.chain}, set(), use.number in now.read
            )
    for birth in now.births:
        if birth.parent is not None and birth.chain[-1] in seen.thrown_away and birth.parent.term in by_term:
            _add(verdict, "discarded", birth.chain[-1:], set(birth.chain), set(), is_certain=True)
    if now.loud is not None:
        _add(verdict, "loud", now.loud[-1:], set(now.loud), set(), is_certain=True)
    verdict.allowed |= now.traced_seeds


def _judge_pair(verdict: Verdict, now: Run, first: Use, second: Use, read: set[Chain], seen: Surface) -> None:
    lines = {*first.chain, *second.chain}
    apart = _parting(first.chain, second.chain)
    cause = _cause(first.key, second.key)
    if cause is None:
        kind: Kind = "turn" if first.chain == second.chain else "again"
        identity: object = (second.key.birth.chain, second.key.birth.kind, _last(second.key))
    else:
        one, two = cause
        lines |= {*one.chain, *two.chain}
        apart |= set(two.chain)
        if one.kind == two.kind == "split":
            verdict.allowed |= lines
            return
        kind = "constant" if one.chain == two.chain and one.kind == "seed" else "alike"
        identity = (one.chain, two.chain)
    if any(use.by == "split" and use.chain[-1] in seen.thrown_away for use in (first, second)):
        verdict.allowed |= lines
        return
    if {first.by, second.by} <= ALIGNED and first.by == second.by:
        verdict.allowed |= lines
        return
    is_read = {first.number, second.number} <= now.read
    unread = [use for use in (first, second) if use.number not in now.read]
    is_open = now.is_refused or all(use.by == "split" or not seen.idle.isdisjoint(use.chain) for use in unread)
    if unread and is_open:
        verdict.allowed |= lines
        return
    if is_read or {first.chain, second.chain} <= read:
        _add(verdict, kind, (kind, identity), lines | set(second.key.birth.chain), apart, is_read)


def _add(
    verdict: Verdict, kind: Kind, identity: object, lines: set[Place], again: set[Place], is_certain: bool
) -> None:
    hazard = verdict.hazards.setdefault((kind, identity), Hazard(kind))
    hazard.lines |= lines
    hazard.again |= again
    hazard.is_certain |= is_certain


def _last(key: Key) -> object:
    return key.term[-1] if isinstance(key.term, tuple) else None


def _parting(first: Chain, second: Chain) -> set[Place]:
    """The lines of a second use from where it leaves the way of the first."""
    for position, (one, two) in enumerate(zip(first, second)):
        if one != two:
            return set(second[position:])
    return set(second)


def _cause(first: Key, second: Key) -> tuple[Birth, Birth] | None:
    """The two derivations of equal keys where their ways part; None if they are one key."""
    one, two = first.birth, second.birth
    if one is two:
        return None
    if one.parent is None or two.parent is None:
        return one, two
    return _cause(one.parent, two.parent) or (one, two)
