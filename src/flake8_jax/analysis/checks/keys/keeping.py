"""Functions that draw from no key, as their names say: they store, move or show what they are given.

history.append(key)         stored
save_state(path, key)       written down, to go on with it later
"""

from __future__ import annotations

from flake8_jax.analysis.labels.tables import STARTING

KEEPING = frozenset((
    "add", "add_argument", "append", "appendleft", "enqueue", "extend", "insert", "push", "put", "put_nowait",
    "register", "send", "setattr", "setdefault", "store", "stack", "concat", "concatenate", "copy", "deepcopy", "clone",
    "replace", "_replace", "evolve", "tree_at", "set_attributes", "variable", "expand", "merge", "combine", "assign",
    "override",
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
    "lower", "make_jaxpr", "manual_seed", "manual_seed_all", "print", "pprint", "repr", "restore", "shape", "show",
    "str", "summarize", "summary", "seed", "seed_everything", "tabulate", "trace", "type", "warn", "warning", "write",
))  # fmt: skip
"""Names of what only looks at its arguments, writes them down, or runs for shapes."""

WRITING = ("dump_", "save", "write_")
"""How the names of functions begin that write down what they are given, to go on with it later."""

BEGINNINGS = (
    "assert", "as_", "check", "cast_", "convert_", "equal", "has_", "is_", "load_", "log_", "print_", "register_",
    "replicate_", "restore_", "serialize", "set_", "show_", "to_", "validate", "verify", "with_",
)  # fmt: skip
"""How the names of other such functions begin, if their bodies are not known: `with_noise` may draw."""

ENDINGS = ("_like", "flops", "_shape", "_shapes", "_spec", "_specs", "_structure", "_summary", "equal")
"""How they end."""


def keeps_by_name(name: str) -> bool:
    """Does the name of a function of another file say that it only stores, moves or shows its arguments?"""
    name = name.lstrip("_")
    is_named = name in KEEPING or name in MOVING or name in SHOWING or name in STARTING
    return is_named or name.startswith(WRITING)


def may_keep_by_name(name: str) -> bool:
    """Does the name of a function of which nothing else is known say so?"""
    return keeps_by_name(name) or name.lstrip("_").startswith(BEGINNINGS) or name.endswith(ENDINGS)
