"""Runs a program on each of its paths with the shadow of JAX in place of JAX."""

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
from typing import Any, TypeAlias

from tests.fuzzing.library import BUILTINS, modules
from tests.fuzzing.surface import Invalid, Trees
from tests.fuzzing.terms import MARK, Birth, Chain, Flag, Key, Misuse, Run, TooManyPaths, Value, begin, parts, taint_of
from tests.fuzzing.writing import AID, MAIN, PARAMETERS

PATHS = 64
KEYS = {*PARAMETERS, "key", "rng", "seed_key", "q"}
REAL = {"functools": functools, "dataclasses": dataclasses, "typing": typing, "types": types, "zlib": zlib}


Codes: TypeAlias = Mapping[str, types.CodeType]
Entry: TypeAlias = "Callable[[Mapping[str, dict[str, Any]]], Any]"


def program(spaces: Mapping[str, dict[str, Any]]) -> Any:
    """Call the program; a script has run already."""
    function = spaces[MAIN].get("program")
    return function(*_arguments(function)) if function is not None else None


def _arguments(function: Any) -> list[Any]:
    return [_argument(name) for name in inspect.signature(function).parameters]


def _argument(name: str) -> Any:
    if name in KEYS:
        return Key(("argument", name), Birth("argument", None, (), name))
    return Flag(name) if name in ("a", "b", "c") else 7 if name == "n" else Value()


def alone(trees: Trees) -> Iterator[Entry]:
    """Each function at the top of a file, called by itself."""
    for file, tree in trees.items():
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and node.name != "program" and "state" not in ast.dump(node.args):
                yield functools.partial(_call_alone, file, node.name)


def _call_alone(file: str, name: str, spaces: Mapping[str, dict[str, Any]]) -> Any:
    function = spaces[file][name]
    required = [each for each, one in inspect.signature(function).parameters.items() if one.default is one.empty]
    return function(*map(_argument, required))


def runs(codes: Codes, entry: Entry, *, closely: bool = False) -> Iterator[Run]:
    """Each path of a program, until all are run; `closely`: note what is tested and returned.  Raises `Invalid`."""
    waiting: list[tuple[bool, ...]] = [()]
    for _ in range(PATHS):
        if not waiting:
            return
        forced = waiting.pop()
        now = begin(Run(forced, notes_tests=closely))
        _execute(codes, entry, now, closely)
        yield now
        waiting += [(*now.taken[:position], True) for position in range(len(forced), len(now.taken))]
    raise Invalid("too many paths")


def _execute(codes: Codes, entry: Entry, now: Run, closely: bool) -> None:
    known = dict(modules())
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
    if closely:
        sys.setprofile(functools.partial(_note_returned, now))
    try:
        exec(codes[MAIN], spaces[MAIN])
        returned = entry(spaces)
        now.read |= taint_of([returned])
        now.returned += [one for one in parts(returned) if isinstance(one, Key)]
    except (TooManyPaths, SyntaxError) as error:
        raise Invalid(type(error).__name__) from error
    except Exception as error:
        now.loud = _where(error)
        if not (isinstance(error, Misuse) or str(error) == "unwanted" or "values to unpack" in str(error)):
            raise Invalid(f"{type(error).__name__}: {error}") from error
        if str(error) == "unwanted":
            now.loud = None
        now.is_refused = True
    finally:
        sys.setprofile(None)


def _note_returned(now: Run, frame: types.FrameType, event: str, returned: Any) -> None:
    """Note the used keys that a function returns, or leaves in its object."""
    if event != "return" or not frame.f_code.co_filename.startswith(MARK):
        return
    held = (returned, frame.f_locals["self"]) if "self" in frame.f_code.co_varnames else (returned,)
    for one in parts(held):
        if isinstance(one, Key) and id(one) in now.spent:
            now.carried.setdefault(id(one), []).append(len(now.uses))


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
