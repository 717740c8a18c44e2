"""Keys that are handed to code nobody knows: each is possibly used up there.

params = model.init(key, x)         possibly used up, so that a draw from `key` after it is a second use
carry.append(key)                   kept
State(params, key)                  kept: a record
log(step=1, key=key)                shown
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator

from flake8_jax.analysis.callables import Arguments
from flake8_jax.analysis.checks.keys import consume, input_behind
from flake8_jax.analysis.frame import LIBRARY_METHOD, Frame
from flake8_jax.domain.payload import reason
from flake8_jax.domain.value import ARRAY, COMPUTED, DICT, INPUT, KEY, KEYS, SEQUENCES, UNKNOWN, Value
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase

NAMED_KEY = re.compile(r"(^|_)(sub_?)?(p?rng|key|prng_?key|rng_?key|seed)s?(_?\w)?$", re.IGNORECASE)
"""Names of parameters and attributes that a certain use then proves to be keys."""

MAY_BE_KEY = frozenset((ARRAY, COMPUTED, INPUT, UNKNOWN))

KEEPING = frozenset((
    "add", "add_argument", "append", "appendleft", "enqueue", "extend", "insert", "push", "put", "put_nowait",
    "register", "send", "setattr", "setdefault", "store", "stack", "concat", "concatenate", "copy", "deepcopy", "clone",
    "replace", "_replace", "evolve", "tree_at", "set_attributes", "variable",
))  # fmt: skip
"""Names of what takes its arguments in, or gives a copy back."""

MOVING = frozenset((
    "asarray", "array", "astype", "block_until_ready", "broadcast", "device_get", "device_put", "expand_dims",
    "flatten", "item", "numpy", "pmean", "ravel", "replicate", "reshape", "shard", "squeeze", "tile", "to_device",
    "tolist", "tobytes", "unreplicate", "key_data", "wrap_key_data", "fold_in",
))  # fmt: skip
"""Names of what moves or reshapes its argument."""

SHOWING = frozenset((
    "compile", "cost_analysis", "critical", "debug", "display", "dump", "dumps", "error", "eval_shape", "exception",
    "export", "format", "get", "hash", "id", "index", "info", "isinstance", "len", "load", "loads", "log",
    "lower", "make_jaxpr", "print", "pprint", "repr", "restore", "shape", "show", "str", "summarize", "summary",
    "tabulate", "trace", "type", "warn", "warning", "write",
))  # fmt: skip
"""Names of what only looks at its arguments, writes them down, or runs for shapes."""

BEGINNINGS = (
    "assert", "as_", "check", "cast_", "dump_", "equal", "has_", "is_", "load_", "log_", "print_", "register_",
    "replicate_", "restore_", "save", "serialize", "set_", "show_", "shard_put", "to_", "validate", "verify", "write_",
)  # fmt: skip
"""How the names of such functions begin."""

ENDINGS = ("_like", "_shape", "_shapes", "_spec", "_specs", "_structure", "_summary", "equal")
FOR_SHAPES = frozenset(("abstract", "abstract_init", "eval_only", "eval_shape", "shape_only", "shapes_only"))
"""Options by which nothing is drawn."""

FOR_SHAPES = frozenset(("abstract", "abstract_init", "eval_only", "eval_shape", "shape_only", "shapes_only"))
"""Options by which nothing is drawn."""

OF_ANYTHING = frozenset(("argparse.Namespace", "types.SimpleNamespace"))
HOST = frozenset(sys.stdlib_module_names)


def hand_over(frame: Frame, op: Op, callee: Value, arguments: Arguments) -> None:
    """Let a callee of unknown body possibly use up the keys that it receives."""
    if frame.context.is_abstract or frame.state is None or callee.payload is reason(LIBRARY_METHOD):
        return
    found = list(_keys(frame, arguments))
    if found and not keeps(op, callee, arguments):
        by = _callee_text(op, callee)
        for value, place in found:
            consume(frame, value, op, place, by, is_possible=True)


def _callee_text(op: Op, callee: Value) -> str:
    func = _spelled(op)
    if func is None:
        return callee.name or "a function"
    text = phrase(func)
    return func.name if "(" in text else text


def _keys(frame: Frame, arguments: Arguments) -> Iterator[tuple[Value, Op | None]]:
    for place, value in enumerate(arguments.positional):
        yield from _keys_in(frame, value, arguments.ops[place] if place < len(arguments.ops) else None, "")
    for name, value in arguments.keywords.items():
        yield from _keys_in(frame, value, arguments.keyword_ops.get(name), name)


def _keys_in(frame: Frame, value: Value, place: Op | None, name: str) -> Iterator[tuple[Value, Op | None]]:
    """The keys that an argument is, or holds: those written in a display, or a container of keys alone."""
    kind = value.kind
    if kind is KEY or kind is KEYS:
        yield value, place
    elif kind in MAY_BE_KEY:
        if value.original in frame.live().used or _is_named_key(value, place, name):
            yield value, place
    elif kind is DICT or kind in SEQUENCES:
        parts = list(frame.live().contents(value).parts)
        written = list(_written(place))
        if len(written) == len(parts):
            for part, one in zip(parts, written, strict=True):
                if (
                    part.kind is KEY
                    or part.kind is KEYS
                    or (part.kind in MAY_BE_KEY and part.original in frame.live().used)
                ):
                    yield part, one
        elif _holds_keys(place, name) and all(part.kind is KEY for part in parts):
            yield from ((part, None) for part in parts)


def _written(place: Op | None) -> Iterator[Op]:
    """The ops of the parts of a display, each once."""
    if type(place) is ops.Build:
        yield from place.parts
    elif type(place) is ops.BuildDict:
        yield from (value for _, value in place.items)


def _holds_keys(place: Op | None, name: str) -> bool:
    """Does the name of a container say that it holds keys?"""
    name = name or (place.name if type(place) is ops.Name or type(place) is ops.Attr else "")
    return NAMED_KEY.search(name) is not None


def _is_named_key(value: Value, place: Op | None, name: str) -> bool:
    source = input_behind(value)
    if source is not None:
        name = str(source.step[1]) if source.step is not None and source.step[0] == "." else source.name
    elif type(place) is ops.Name or type(place) is ops.Attr:
        name = place.name
    return NAMED_KEY.search(name) is not None


def keeps(op: Op, callee: Value, arguments: Arguments) -> bool:
    """Does a callee, by its name, only keep, move or show what it is given?"""
    func = _spelled(op)
    name = func.name if func is not None else callee.name.rpartition(".")[2]
    if name[:1].isupper() or _is_of_python(callee.name):
        return True
    if any(value.constant is True and option in FOR_SHAPES for option, value in arguments.keywords.items()):
        return True
    if name == "create":
        return not arguments.positional
    if name == "update":
        return not arguments.positional or (len(arguments.positional) == 1 and arguments.positional[0].kind is DICT)
    if name == "set":
        return type(func) is ops.Attr and type(func.base) is ops.Item
    name = name.lstrip("_")
    return name in KEEPING or name in MOVING or name in SHOWING or name.startswith(BEGINNINGS) or name.endswith(ENDINGS)


def _is_of_python(name: str) -> bool:
    """Is it a name of Python or its library, but for objects that hold whatever they are given?"""
    root, dot, _ = name.partition(".")
    return bool(root) and (not dot or root in HOST) and name not in OF_ANYTHING


def _spelled(op: Op) -> ops.Attr | ops.Name | None:
    """The callee as it is written, or the function that it was made of (`jax.grad(loss)(x)`)."""
    func = op.func if type(op) is ops.Call else None
    while type(func) is ops.Call and func.args:
        func = func.args[0]
    return func if type(func) is ops.Attr or type(func) is ops.Name else None
