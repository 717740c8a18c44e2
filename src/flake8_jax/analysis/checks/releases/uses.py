"""Where a file uses names of libraries, and under which arguments: all its code, whether it is known to run or not.

import jax.numpy as jnp         an import of `jax.numpy`
jnp.clip(x, a_min=0)            `jax.numpy.clip`, called with one positional argument and `a_min`
getattr(jax, "tree_map")        `jax.tree_map`
jax.config.update("jax_x", 1)   `jax.config.jax_x`
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from flake8_jax.analysis.checks.naming import imported_name
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Function, Module, Op
from flake8_jax.ir.walking import parts
from flake8_jax.lazy_dataclasses import dataclass

UPDATE, READ = "jax.config.update", "jax.config.read"


@dataclass(frozen=True, slots=True)
class NameUse:
    """A use of a name: its op, and the call of it where it is called.

    `imported` is the part of the name that an import has said before; `module` is what an import imports, in which it
    looks for the rest of the name.
    """

    op: Op
    name: str
    call: ops.Call | None = None
    imported: str = ""
    module: str = ""


def uses_of(modules: Iterable[Module], roots: Collection[str]) -> Iterator[NameUse]:
    """The uses of names below some packages, in the order of the code."""
    for module in modules:
        for function in (module.top, *module.functions):
            for op in _starts(function):
                yield from _uses(op, roots)


def _starts(function: Function) -> Iterator[Op]:
    for parameter in function.parameters:
        if parameter.default is not None:
            yield parameter.default
        if parameter.annotation is not None:
            yield parameter.annotation
    if function.returns is not None:
        yield function.returns
    yield from function.body


def _uses(start: Op, roots: Collection[str]) -> Iterator[NameUse]:
    waiting = [start]
    while waiting:
        op = waiting.pop()
        kind = type(op)
        if kind is ops.Attr or kind is ops.Name:
            yield from _named(op, None, roots, waiting)
        elif kind is ops.Call:
            yield from _called(op, roots, waiting)  # type: ignore[arg-type]  # its class was asked for
        elif kind is ops.Imported:
            yield from _imported(op, roots)  # type: ignore[arg-type]  # as above
        elif kind is not ops.Const:
            waiting += reversed(parts(op))


def _named(op: Op, call: ops.Call | None, roots: Collection[str], waiting: list[Op]) -> Iterator[NameUse]:
    base, depth = op, 0
    while type(base) is ops.Attr:
        base, depth = base.base, depth + 1
    if type(base) is not ops.Name:
        waiting.append(base)
        return
    if not depth and call is None:
        return
    first = imported_name(base)
    if first.partition(".")[0] in roots and "." in (name := imported_name(op)):
        yield NameUse(op, name, call, first)


def _called(call: ops.Call, roots: Collection[str], waiting: list[Op]) -> Iterator[NameUse]:
    func, arguments = call.func, [*call.args, *(value for _, value in call.keywords)]
    waiting += reversed(arguments)
    if type(func) is ops.Attr or type(func) is ops.Name:
        yield from _named(func, call, roots, waiting)
    else:
        waiting.append(func)
    if not call.args or call.keywords:
        return
    text = call.args[-1] if type(func) is ops.Name else call.args[0]
    if type(text) is ops.Const and isinstance(text.value, str):
        if type(func) is ops.Name and func.name == "getattr" and len(call.args) == 2:
            base = imported_name(call.args[0])
            if base.partition(".")[0] in roots:
                yield NameUse(call, f"{base}.{text.value}", None, base)
        elif type(func) is ops.Attr and func.name in ("update", "read") and imported_name(func) in (UPDATE, READ):
            yield NameUse(text, f"jax.config.{text.value}", None, "jax.config")


def _imported(op: ops.Imported, roots: Collection[str]) -> Iterator[NameUse]:
    if not op.level and op.module.partition(".")[0] in roots and "." in (op.module + op.qualified):
        is_whole = op.module.startswith(op.qualified)
        yield NameUse(op, op.module if is_whole else op.qualified, None, "", op.module)
