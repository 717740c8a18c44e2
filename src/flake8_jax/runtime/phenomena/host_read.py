"""Phenomenon: a loop reads array values on the host in each iteration.  Each time it waits for the device.

One read is innocent: a program has to look at its result.  So a sighting is a read that a Python loop repeats: the same
instruction, reached through the same instructions all the way up, asks in two turns of a loop for arrays it has not yet
seen (JAX keeps the value of an array that was read: `if flag:` on one array waits once).  One call that reads several
arrays, `jax.device_get(losses)` or `print(loss, error)`, is one read.  Reads in the midst of a trace are of constants.

    for batch in batches:
        loss = step(batch)
        print(float(loss))            seen: the third line
    print(float(loss))                not seen

Two witnesses: arrays themselves (`float(x)`, `x.item()`, `if x:`, `print(x)`, `device_get`), and each call of a NumPy
function in the fixture's text, since NumPy takes arrays on a CPU by the buffer protocol, which tells nobody.  Loops are
counted by an instrumented copy of the fixture: a tick at the head of every loop's and comprehension's turn.
"""

from __future__ import annotations

import ast
import sys
from dataclasses import dataclass, field
from functools import wraps
from types import CodeType, FrameType

from flake8_jax.runtime import compat, frames, recorders
from flake8_jax.runtime.foreign import Foreign
from flake8_jax.runtime.phenomenon import Phenomenon
from flake8_jax.runtime.sightings import Sightings
from flake8_jax.runtime.trial import Trial

TURN, WATCHED = "__turn__", "__watched__"
SHAPES_ONLY = {"shape", "ndim", "size", "result_type", "iscomplexobj", "isrealobj", "isscalar", "iterable"}
UNTOUCHED = {"super", "locals", "globals", "vars", "dir", "eval", "exec"}


@dataclass(slots=True)
class _Reads:
    """What has been read so far: in which turns, by the path of instructions that leads there."""

    path: str
    turn: int = 0
    arrays: dict[int, Foreign] = field(default_factory=dict)
    turns: dict[tuple[tuple[CodeType, int], ...], set[int]] = field(default_factory=dict)
    lines: dict[tuple[tuple[CodeType, int], ...], int] = field(default_factory=dict)

    def tick(self) -> bool:
        """Another turn of some loop."""
        self.turn += 1
        return True

    def read(self, array: Foreign) -> None:
        """An array's value is asked for."""
        stack = frames.stack(self.path, sys._getframe(1))
        if not stack or id(array) in self.arrays or compat.is_tracing() or _is_compiling(stack):
            return
        self.arrays[id(array)] = array  # kept, so that no other array gets its identity
        taken = tuple((frame.f_code, frame.f_lasti) for frame in stack)
        self.turns.setdefault(taken, set()).add(self.turn)
        self.lines[taken] = stack[-1].f_lineno

    def watched(self, value: Foreign) -> Foreign:
        """A function of NumPy that tells which arrays it is given; anything else as it is."""
        if not _is_numpys(value):
            return value

        @wraps(value, updated=())
        def watched(*arguments: Foreign, **keywords: Foreign) -> Foreign:
            for array in _arrays((arguments, keywords)):
                self.read(array)
            return value(*arguments, **keywords)

        return watched

    def argument(self, value: Foreign) -> Foreign:
        """As `watched`, for a function that is passed on; classes are left alone, they may be types."""
        return value if isinstance(value, type) else self.watched(value)


def observe(trial: Trial, parameter: str) -> Sightings:
    """Run the case; report reads that a loop repeats."""
    reads = _Reads(trial.path)
    given: dict[str, object] = {TURN: reads.tick, WATCHED: reads.watched, WATCHED + "as_argument__": reads.argument}
    found = Sightings()
    with trial.run(compat.watching_values(reads.read), edit=_instrumented, given=given):
        for taken, turns in sorted(reads.turns.items(), key=lambda item: -len(item[1])):
            if len(turns) > 1:
                found.see(reads.lines[taken], reads=len(turns))
        found.refuting = {"read once": sorted(set(reads.lines.values()))}
    return found


def _is_compiling(stack: tuple[FrameType, ...]) -> bool:
    """Is it JAX that reads, a constant of what it compiles, in a call of a transformed function?"""
    now = recorders.current
    return now is not None and now.outer is not None and len(stack) <= len(now.stack)


def _is_numpys(value: Foreign) -> bool:
    import numpy as np

    if not callable(value):
        return False
    if isinstance(getattr(value, "__self__", None), np.ndarray):
        return True
    module = getattr(value, "__module__", None) or type(value).__module__
    name = getattr(value, "__name__", "")
    return isinstance(module, str) and module.split(".")[0] == "numpy" and name not in SHAPES_ONLY


def _arrays(tree: Foreign) -> list[Foreign]:
    import jax

    leaves = jax.tree_util.tree_leaves(tree)
    return [leaf for leaf in leaves if isinstance(leaf, jax.Array) and not isinstance(leaf, jax.core.Tracer)]


def _instrumented(tree: ast.Module) -> ast.Module:
    edited = _Instruments().visit(tree)
    assert isinstance(edited, ast.Module)
    return edited


def _call(name: str, *arguments: ast.expr, at: ast.AST) -> ast.Call:
    called = ast.Call(ast.Name(name, ast.Load()), list(arguments), [])
    return ast.fix_missing_locations(ast.copy_location(called, at))


class _Instruments(ast.NodeTransformer):
    """Ticks in loops, and watched calls."""

    def visit_For(self, node: ast.For) -> ast.AST:
        return self._loop(node)

    def visit_While(self, node: ast.While) -> ast.AST:
        return self._loop(node)

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        self.generic_visit(node)
        node.ifs.insert(0, _call(TURN, at=node.target))
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in UNTOUCHED:
            return node
        node.func = _call(WATCHED, node.func, at=node.func)
        node.args = [self._argument(each) for each in node.args]
        for keyword in node.keywords:
            keyword.value = self._argument(keyword.value)
        return node

    def _loop(self, node: ast.For | ast.While) -> ast.AST:
        self.generic_visit(node)
        node.body.insert(0, ast.copy_location(ast.Expr(_call(TURN, at=node.body[0])), node.body[0]))
        return node

    def _argument(self, node: ast.expr) -> ast.expr:
        if isinstance(node, (ast.Name, ast.Attribute)):
            return _call(WATCHED + "as_argument__", node, at=node)
        return node


PHENOMENON = Phenomenon(
    name="host_read",
    summary="a loop reads values of arrays on the host, turn after turn",
    observe=observe,
    bad="""\
import jax
import jax.numpy as jnp
import numpy as np

def case():
    xs = [jnp.zeros(()), jnp.ones(())]
    total = 0.0
    for x in xs:
        total += float(x)  # here
    for x in [jnp.zeros(3), jnp.ones(3)]:
        np.asarray(x)  # here
    return total
""",
    good="""\
import jax
import jax.numpy as jnp
import numpy as np

def case():
    xs = [jnp.zeros(()), jnp.ones(())]
    total = jnp.zeros(())
    for x in xs:
        total += x
    np.asarray(total)
    print(total, float(xs[0]))
    return jax.device_get(xs)
""",
)
