"""Where a file uses names of libraries, and under which arguments: all its code, whether it is known to run or not.

Lowering notes what an imported name stands before; what comes by values alone, `members.py` sees.

import jax.numpy as jnp         an import of `jax.numpy`
jnp.clip(x, a_min=0)            `jax.numpy.clip`, called with one positional argument and `a_min`
getattr(jax, "tree_map")        `jax.tree_map`
jax.config.update("jax_x", 1)   `jax.config.jax_x`
import_module("jax.tree_util")  an import of `jax.tree_util`
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from flake8_jax.analysis.checks.naming import imported_name
from flake8_jax.api.versions import LIBRARIES
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Module, Op
from flake8_jax.lazy_dataclasses import dataclass

UPDATE, READ, IMPORTED = "jax.config.update", "jax.config.read", "importlib.import_module"
ROOTS = LIBRARIES | {"importlib"}
BY_TEXT = frozenset(("getattr", "__import__"))
"""Functions of Python that are given a name as a text."""


@dataclass(frozen=True, slots=True)
class NameUse:
    """A use of a name: its op, and the call of it where it is called.

    `imported` is the part of the name that an import has said before; `module` is what an import imports, in which it
    looks for the rest of the name.  What `is_held` by a value may be another one elsewhere: it is not written anew.
    """

    op: Op
    name: str
    call: ops.Call | None = None
    imported: str = ""
    module: str = ""
    is_held: bool = False


def noted_names(imports: Iterable[tuple[int, str, str, str | None]]) -> set[str]:
    """The names to which import statements bind what is in a library with other releases, or imports modules."""
    found = [one for one in imports if not one[0] and (one[1] or one[2]).partition(".")[0] in ROOTS]
    return {new or (name if module else name.partition(".")[0]) for _, module, name, new in found}


def uses_of(modules: Iterable[Module], roots: Collection[str] = LIBRARIES) -> Iterator[NameUse]:
    """The uses of names below some packages that lowering has noted."""
    for module in modules:
        for op in module.noted:
            kind = type(op)
            if kind is ops.Imported:
                yield from _imported(op, roots)  # type: ignore[arg-type]  # its class was asked for
            elif kind is ops.Call:
                yield from _called(op, roots)  # type: ignore[arg-type]  # as above
            else:
                yield from _named(op, None, roots)


def _named(op: Op, call: ops.Call | None, roots: Collection[str]) -> Iterator[NameUse]:
    base, names = op, list[str]()
    while type(base) is ops.Attr:
        names.append(base.name)
        base = base.base
    first = imported_name(base)
    if first.partition(".")[0] in roots and (names or "." in first):
        yield NameUse(op, ".".join((first, *reversed(names))), call, first)


def _called(call: ops.Call, roots: Collection[str]) -> Iterator[NameUse]:
    func = call.func
    if type(func) is ops.Name and func.name in BY_TEXT:
        yield from _by_text(call, func.name, roots)
        return
    yield from _named(func, call, roots)
    text = _text(call.args, 0)
    if text and type(func) is ops.Attr and func.name in ("update", "read") and imported_name(func) in (UPDATE, READ):
        yield NameUse(call.args[0], f"jax.config.{text}", None, "jax.config")
    elif text and imported_name(func) == IMPORTED:
        yield from _module(call, text, roots)


def _by_text(call: ops.Call, name: str, roots: Collection[str]) -> Iterator[NameUse]:
    """A name that is given as a text."""
    if name == "getattr" and len(call.args) == 2 and (text := _text(call.args, 1)):
        base = imported_name(call.args[0])
        if base.partition(".")[0] in roots:
            yield NameUse(call, f"{base}.{text}", None, base)
    elif name != "getattr" and (text := _text(call.args, 0)):
        yield from _module(call, text, roots)


def _module(call: ops.Call, text: str, roots: Collection[str]) -> Iterator[NameUse]:
    if text.partition(".")[0] in roots and "." in text:
        yield NameUse(call, text, None, "", text)


def _text(arguments: tuple[Op, ...], place: int) -> str:
    op = arguments[place] if place < len(arguments) else None
    return op.value if type(op) is ops.Const and isinstance(op.value, str) else ""


def _imported(op: ops.Imported, roots: Collection[str]) -> Iterator[NameUse]:
    if op.module.partition(".")[0] in roots and "." in (op.module + op.qualified):
        is_whole = op.module.startswith(op.qualified)
        yield NameUse(op, op.module if is_whole else op.qualified, None, "", op.module)
