"""Phenomenon: a compiled program contains a large array as a constant.  Traced code took it from a global or a closure.

    W = jnp.ones((512, 512))
    @jax.jit
    def f(x):
        return x @ W             W is no argument: its megabyte is part of the program

The constants are those of the jaxprs under `jit`, of at least `BYTES` bytes (`consts:N` asks for another size).  The
line is the one that loads the array under the trace: the rewritten fixture tells each load of a large array, and the
constant is matched with the loads of the same object, or of an equal one where JAX keeps a copy.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from flake8_jax.runtime import compat
from flake8_jax.runtime.foreign import Foreign
from flake8_jax.runtime.phenomenon import Phenomenon
from flake8_jax.runtime.sightings import Sightings
from flake8_jax.runtime.trial import Trial
from flake8_jax.runtime.watching import jaxprs
from flake8_jax.runtime.watching.rewriting import Rewriter, calling, literal, local_names, on

BYTES = 1_000_000
LOAD = "__load__"
_COMPILES = {"jit", "pjit", "xla_pmap", "core_call", "closed_call"}
_STATIC = {"shape", "ndim", "dtype", "size", "nbytes", "itemsize", "sharding"}


def observe(trial: Trial, parameter: str) -> Sightings:
    """Run the case; report the lines that load an array which became a large constant."""
    found = Sightings()
    loads = _Loads(int(parameter or BYTES))
    with trial.run(edit=_LoadEdit().edit, given={LOAD: loads.load}) as run:
        for call, program in jaxprs.programs(run):
            everywhere = call.recorded.transform == "jax.make_jaxpr"
            lines = _lines_of_uses(trial.path, program)
            for array, variable, _, inside in jaxprs.constants(program):
                size = _bytes(array)
                if size >= loads.least and (everywhere or _COMPILES & set(inside)):
                    for line in loads.lines(array, lines.get(variable, [])):
                        found.see(line, bytes=size, dtype=str(array.dtype), shape=list(array.shape))
    return found


def _lines_of_uses(path: str, program: Foreign) -> dict[Foreign, list[int]]:
    """For each variable the lines of the equations that read it."""
    lines: dict[Foreign, list[int]] = {}
    for each in jaxprs.equations(path, program):
        for variable in each.equation.invars:
            if each.line is not None and not hasattr(variable, "val"):
                lines.setdefault(variable, []).append(each.line)
    return lines


@dataclass(slots=True)
class _Loads:
    """Loads of large arrays under a trace, in order: line and array."""

    least: int
    seen: list[tuple[int, Foreign]] = field(default_factory=list)

    def load(self, line: int, value: Foreign) -> Foreign:
        """An expression has this value."""
        if _bytes(value) >= self.least and compat.is_tracing():
            self.seen.append((line, value))
        return value

    def lines(self, array: Foreign, uses: list[int]) -> list[int | None]:
        """Where a constant was loaded: a line that uses it too, if there is one."""
        loads = [line for line, value in self.seen if value is array]
        loads = loads or [line for line, value in self.seen if _is_equal(value, array)]
        both = [line for line in loads if line in uses]
        return [next(iter([*both, *loads, *uses]), None)]


def _bytes(value: Foreign) -> int:
    """The size of a concrete array; 0 of anything else."""
    import jax
    import numpy as np

    if isinstance(value, (jax.core.Tracer, type)):
        return 0
    if isinstance(value, (jax.Array, np.ndarray)) or type(value).__name__ == "TypedNdArray":
        size = getattr(value, "nbytes", 0)
        return int(size) if isinstance(size, int) else 0
    return 0


def _is_equal(value: Foreign, array: Foreign) -> bool:
    import numpy as np

    return bool(value.shape == array.shape and np.array_equal(np.asarray(value), np.asarray(array)))


class _LoadEdit:
    """Wrap what may load an array, but for local names and what asks for its shape or type alone."""

    def __init__(self) -> None:
        self._locals: list[set[str]] = [set()]
        self._rewriter = Rewriter(
            on(ast.FunctionDef, self._function),
            on(ast.Lambda, self._function),
            on(ast.Name, self._name),
            on(ast.Attribute, self._attribute),
            on(ast.Subscript, self._load),
            on(ast.Call, self._call),
            on(ast.MatchValue, lambda node: node),
            on(ast.MatchClass, lambda node: node),
        )

    def edit(self, tree: ast.Module) -> ast.Module:
        """The module, rewritten."""
        return self._rewriter.inside(tree)

    def _function(self, node: ast.FunctionDef | ast.Lambda) -> ast.AST:
        self._locals.append(local_names(node))
        self._rewriter.inside(node)
        self._locals.pop()
        return node

    def _name(self, node: ast.Name) -> ast.AST:
        is_load = isinstance(node.ctx, ast.Load) and node.id not in self._locals[-1]
        return _wrapped(node) if is_load else node

    def _attribute(self, node: ast.Attribute) -> ast.AST:
        is_static = node.attr in _STATIC and isinstance(node.value, (ast.Name, ast.Attribute))
        return node if is_static else self._load(node)

    def _load(self, node: ast.Attribute | ast.Subscript) -> ast.AST:
        self._rewriter.inside(node)
        return _wrapped(node) if isinstance(node.ctx, ast.Load) else node

    def _call(self, node: ast.Call) -> ast.AST:
        is_kept = isinstance(node.func, ast.Name) and node.func.id in {"super", "len"}
        return node if is_kept else _wrapped(self._rewriter.inside(node))


def _wrapped(node: ast.expr) -> ast.Call:
    return calling(LOAD, [literal(node.lineno, node), node], node)


PHENOMENON = Phenomenon(
    name="consts",
    summary="a large array is a constant of a compiled program",
    observe=observe,
    parameter=f"least number of bytes, {BYTES:_} if not said",
    example="1000",
    bad="""\
import jax
import jax.numpy as jnp

W = jnp.ones((16, 16))

@jax.jit
def f(x):
    n = W.shape[0]
    return x @ W * n  # here

def case():
    return f(jnp.ones(16))
""",
    good="""\
import jax
import jax.numpy as jnp

W = jnp.ones((16, 16))

@jax.jit
def f(w, x):
    return x @ w * W.shape[0]

def case():
    return f(W, jnp.ones(16))
""",
)
