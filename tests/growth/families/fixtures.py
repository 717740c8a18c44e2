"""Programs made of the fixtures: their functions in many copies, and each function's own statements many times over.

So what every rule looks at is there in numbers, too: where a file grows, and where one function does.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import deepcopy
from functools import cache, partial
from pathlib import Path

from tests.growth.family import FILE, Family, Files

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures"
FOLDERS = ("jax*", "conditions", "invalidation", "key_signatures", "liveness", "values")

SMALLEST = 12
BOUNDED = {
    "conditions_early_returns": 24, "jax103_good": 48, "jax202_bad": 24, "jax208_bad": 48, "jax212_good": 48,
    "jax302_bad": 24, "jax302_good": 24, "jax401_good": 20, "jax404_bad": 48, "jax404_good": 120, "jax408_bad": 48,
    "jax507_bad": 240, "jax609_bad": 48, "jax614_good": 48,
} | dict.fromkeys((
    "conditions_loops", "conditions_lost_updates", "conditions_set_flags", "invalidation_awaits",
    "invalidation_context_exit", "invalidation_set_attribute", "invalidation_unknown_call_argument",
    "invalidation_unknown_call_global", "invalidation_unknown_call_receiver", "invalidation_yields", "jax106_bad",
    "jax210_bad", "jax210_good", "jax211_good", "jax212_bad", "jax303_bad", "jax402_good", "jax405_bad", "jax405_good",
    "jax407_bad", "jax609_good", "jax612_bad", "jax803_bad", "jax901_bad", "values_transforms",
), 60)  # fmt: skip
"""Files in which a caller and what it calls grow both, keys that are derived alike, or facts on a path: a call applies
up to 48 effects of its callee, a key is compared with 24 others, and a path has 16 facts.  They are measured above
these bounds, at these sizes; and one has a fix that is made no more where it grows, which costs more than all else."""


def fixtures() -> Iterator[Path]:
    """The files of which programs are made."""
    for folder in FOLDERS:
        yield from sorted(FIXTURES.glob(f"{folder}/*.py"))


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def copies(path: Path, size: int) -> Files:
    """All statements of a file in so many copies, each with names of its own."""
    tree = _tree(path)
    head = [one for one in tree.body if isinstance(one, (ast.Import, ast.ImportFrom))]
    rest = [one for one in tree.body if not isinstance(one, (ast.Import, ast.ImportFrom))]
    names = frozenset(_bound(rest))
    body = [_Renamed(names, number).visit(deepcopy(one)) for number in range(size) for one in rest]
    return _file([*head, *body])


def _bound(body: list[ast.stmt]) -> Iterator[str]:
    """The names that statements of a module bind."""
    for one in body:
        if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield one.name
        elif isinstance(one, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
            names = (node for node in ast.walk(one) if isinstance(node, ast.Name))
            yield from (node.id for node in names if isinstance(node.ctx, ast.Store))


class _Renamed(ast.NodeTransformer):
    """Gives names of a module a number; all that are spelled alike, so that what belongs together stays so."""

    def __init__(self, names: frozenset[str], number: int) -> None:
        self.names, self.number = names, number

    def _new(self, name: str) -> str:
        return f"{name}_{self.number}" if name in self.names else name

    def visit_Name(self, node: ast.Name) -> ast.Name:
        node.id = self._new(node.id)
        return node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.arg = self._new(node.arg)
        return node

    def visit_keyword(self, node: ast.keyword) -> ast.AST:
        node.arg = self._new(node.arg) if node.arg is not None else None
        return self.generic_visit(node)

    def visit_Global(self, node: ast.Global) -> ast.Global:
        node.names = [self._new(name) for name in node.names]
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.name = self._new(node.name)
        return self.generic_visit(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        node.name = self._new(node.name)
        return self.generic_visit(node)


def bodies(path: Path, size: int) -> Files:
    """A file in which each function says its statements so many times more, and returns once."""
    body = deepcopy(_tree(path).body)
    for one in body:
        for inner in one.body if isinstance(one, ast.ClassDef) else [one]:
            if isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef)):
                _repeat(inner, size + 1)
    return _file(body)


def _repeat(function: ast.FunctionDef | ast.AsyncFunctionDef, size: int) -> None:
    *_, last = function.body
    ends: list[ast.stmt] = [last] if isinstance(last, (ast.Return, ast.Raise)) else []
    once = function.body[: len(function.body) - len(ends)]
    declared = [one for one in once if isinstance(one, (ast.Global, ast.Nonlocal))]
    again = [one for one in once if one not in declared]
    function.body = [
        *declared, *(deepcopy(one) for _ in range(size) for one in again), *(ends or [ast.Pass()]),
    ]  # fmt: skip


def _file(body: list[ast.stmt]) -> Files:
    return {FILE: ast.unparse(ast.fix_missing_locations(ast.Module(body, [])))}


def _families() -> Iterator[Family]:
    for path in fixtures():
        folder = path.parent.name.partition("_")[0] if path.parent.name.startswith("jax") else path.parent.name
        name = f"{folder}_{path.stem}"
        yield Family(f"copies_of_{name}", partial(copies, path), None, 2)
        yield Family(f"bodies_of_{name}", partial(bodies, path), None, BOUNDED.get(name, SMALLEST))


FAMILIES = list(_families())
