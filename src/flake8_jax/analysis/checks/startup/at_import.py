"""Computations when a module is imported: the first one starts JAX's backend for whoever imports the module.

TABLE = jnp.arange(3)                   at the top of a module
class Layer: scale = jnp.ones(2)        in a class of it
def f(x, shift=jnp.zeros(2)): ...       in a default
WINDOW = _window(4)                     in a function that is called there

Of a statement the first call that starts something is noted, and a file is told once, at the first such statement: who
imports it meets that one, and the others with it.  What runs at the top of a script is meant to.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from itertools import pairwise

from flake8_jax.analysis.callables import underlying
from flake8_jax.analysis.checks.naming import imported_as, imported_name, scope_of
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.narrowing import peek
from flake8_jax.analysis.summaries.deferral import emit
from flake8_jax.domain.effects import Event
from flake8_jax.domain.provenance import Context, Use
from flake8_jax.ir import ops
from flake8_jax.ir.chains import chains_of
from flake8_jax.ir.ops import Call, Op
from flake8_jax.ir.walking import dotted_root
from flake8_jax.lazy_dataclasses import dataclass, replace
from flake8_jax.syntax.layout import Layout
from flake8_jax.syntax.positions import unpacked

OF_NUMPY = frozenset((
    "diag",
    "arange", "array", "asarray", "bool_", "empty", "eye", "float16", "float32", "full", "identity", "int16", "int32",
    "int8", "linspace", "log", "ones", "sqrt", "uint16", "uint32", "uint8", "zeros",
))  # fmt: skip
"""What NumPy makes alike."""

OF_HOST = frozenset(("numpy", "math"))
MAKING_KEYS = frozenset(f"jax.random.{name}" for name in ("key", "PRNGKey", "split", "fold_in"))
TYPES = "TYPE_CHECKING"
LAZY = frozenset(("map", "filter"))
"""What calls nothing until it is asked for its elements."""


@dataclass(frozen=True, slots=True)
class ComputedAtImport:
    """A call at the top of a library's module starts the backend.

    `use` says by what, within callees, `instead` what to do; `others` are the uses of the statements below that do it,
    too.
    """

    op: Op
    use: Use
    instead: str
    context: Context
    others: tuple[Use, ...] = ()


def check_import_time(frame: Frame, op: Op, use: Use) -> None:
    """Report a call that starts the backend when its module is imported; of a script that is nothing to be said."""
    if frame.began is op.anchor or not _is_run(frame, op):
        return
    if not frame.is_outermost:
        return
    frame.began = op.anchor
    use = replace(use, line=unpacked(op.place)[0])
    event = ComputedAtImport(op, use, _instead(frame, op), Context())
    emit(frame, (ComputedAtImport, op, ()), lambda: event)


def _is_run(frame: Frame, op: Op) -> bool:
    """Is an op run with its statement: neither for a type checker alone, nor by who asks a generator?"""
    around: Op | None = None
    try:
        way = chains_of(frame.function).way_to(op)
    except RecursionError:  # of a function that is nested too deeply, which costs itself alone
        return True
    for outer, inner in pairwise(way):
        if type(outer) is ops.Branch and getattr(outer.test, "name", "") == TYPES:
            return False
        if _binds_whole(around) and _is_lazy(frame, outer, inner):
            return False
        around = outer
    return not (_binds_whole(around) and _is_lazy(frame, op, op))


def _binds_whole(op: Op | None) -> bool:
    """Is it a store under names, that asks for no part of what it stores?"""
    return type(op) is ops.Store and all(type(target) is ops.Name for target in op.targets)


def _is_lazy(frame: Frame, op: Op, inner: Op) -> bool:
    """Is a part of an op run by who asks for the next element alone?"""
    if type(op) is ops.Gather:
        return op.kind == "generator" and inner is not op.clauses[0].source
    if type(op) is not Call or op is not inner:
        return False
    callee = peek(frame, op.func)
    function = underlying(callee) if callee is not None else None
    return imported_name(op.func) in LAZY or (function is not None and function.function.is_generator)


def told_at_first(events: Iterable[Event]) -> list[Event]:
    """The events of a file, with one computation at import, which has the others."""
    found = list(events)
    computed = sorted((one for one in found if type(one) is ComputedAtImport), key=lambda one: unpacked(one.op.place))
    if len(computed) < 2:
        return found
    first = replace(computed[0], others=tuple(one.use for one in computed[1:]))
    return [*(one for one in found if type(one) is not ComputedAtImport), first]


def _instead(frame: Frame, op: Op) -> str:
    """What to do instead: NumPy has most of what makes constants, and keys are handed in."""
    name = imported_name(op.func) if type(op) is Call else ""
    module, _, last = name.rpartition(".")
    outer = _outermost(frame, op)
    if outer is not op and module == "jax.random":
        return "draw it with `numpy.random.default_rng`, or in a function that is called later"
    if outer is not op and module == "jax.numpy":
        home, _, called = imported_name(outer.func).rpartition(".") if type(outer) is Call else ("", "", "")
        if home == module and called in OF_NUMPY and last in OF_NUMPY:
            return f"compute all of it with `{imported_as(scope_of(op), 'numpy')}`, or in a function"
        return "move it into a function that is called later"
    if module == "jax.numpy" and last in OF_NUMPY and not _is_computed_with(frame, op):
        indexed, array = _indexed(frame, op), imported_as(scope_of(op), "jax.numpy.asarray")
        there = f", and `{array}({indexed})` where a traced index reads it" if indexed else ""
        return f"use `{imported_as(scope_of(op), f'numpy.{last}')}`{there}, or make it in a function"
    if not chains_of(frame.function).holds(op):  # a default
        return "let the default be None, and make it in the function"
    return "take the key as an argument" if name in MAKING_KEYS else "move it into a function that is called later"


def _is_computed_with(frame: Frame, op: Op) -> bool:
    """Is it handed to a function of the project, which may compute with JAX: `schedule(jnp.array(0.0))`?"""
    chains = chains_of(frame.function)
    way = chains.way_to(op) if chains.holds(op) else []
    roots = [(dotted_root(one.func), one.func) for one in way if type(one) is Call and one is not op]
    called = [(root, func) for root, func in roots if type(root) is ops.Name and root.scope.lookup(root.name).owner]
    return any(imported_name(func).partition(".")[0] not in OF_HOST for _, func in called)


def _indexed(frame: Frame, op: Op) -> str:
    """The name of a constant of a module, if a function there indexes it by a name, which may be traced; else ""."""
    chains = chains_of(frame.function)
    store = chains.parents.get(op) if chains.holds(op) else None
    target = store.targets[0] if type(store) is ops.Store else None
    if type(target) is not ops.Name:
        return ""
    layout = op.anchor.origin.source.layout
    known = layout.memo.get("indexed by names")
    if not isinstance(known, frozenset):
        known = layout.memo["indexed by names"] = frozenset(_indexed_in_functions(layout))
    return target.name if target.name in known else ""


def _indexed_in_functions(layout: Layout) -> Iterator[str]:
    """The names that functions of a file index by a name."""
    for (function, text), reads in layout.reads.items():
        around = map(layout.parents.get, reads) if not isinstance(function, ast.Module) else ()
        items = (one for one in around if isinstance(one, ast.Subscript) and layout.text(one.value) == text)
        if any(isinstance(part, ast.Name) for item in items for part in ast.walk(item.slice)):
            yield text


def _outermost(frame: Frame, op: Op) -> Op:
    """The outermost call of JAX in the same statement that gets what an op computes."""
    found = op
    for outer in chains_of(frame.function).way_to(op) if chains_of(frame.function).holds(op) else ():
        if type(outer) is Call and imported_name(outer.func).startswith("jax."):
            return outer
    return found
