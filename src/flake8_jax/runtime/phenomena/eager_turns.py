"""Phenomenon: a Python loop computes arrays turn after turn, outside of any trace.

    for i in range(100):                 100 turns, and none of them is traced
        x = x.at[i].set(jnp.sin(i))      100 times an array from this place: each is a call of JAX
    for _ in range(100):
        x = jitted(x)                    one call a turn, of compiled code: no hazard

A loop is seen, on its header's line, if it turned at least `TURNS` times in one go outside of all traces, and an
operator or call in its body gave as many arrays that were not there before (`eager_turns:N` asks for another number).
Calls of what the fixture has jitted do not count.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from flake8_jax.runtime import compat
from flake8_jax.runtime.foreign import Foreign
from flake8_jax.runtime.phenomenon import Phenomenon
from flake8_jax.runtime.sightings import Sightings
from flake8_jax.runtime.trial import Trial
from flake8_jax.runtime.watching.rewriting import COMPREHENSIONS, Comprehension, Rewriter, calling, literal, on

TURNS = 50
EACH, MADE, CALLED = "__each_turn__", "__made__", "__called__"


def observe(trial: Trial, parameter: str) -> Sightings:
    """Run the case; report loops with many turns that make an array in each."""
    enough = int(parameter or TURNS)
    found = Sightings()
    watch = _EagerTurns()
    given: dict[str, object] = {EACH: watch.each, MADE: watch.made, CALLED: watch.called}
    with trial.run(edit=_EagerEdit().edit, given=given):
        pass
    for line, turns in watch.most.items():
        arrays = max((number for (loop, _), number in watch.arrays.items() if loop == line), default=0)
        if turns >= enough and arrays >= enough:
            found.see(line, turns=turns, arrays=arrays)
    found.refuting = {"turns": {str(line): turns for line, turns in watch.most.items()}}
    return found


@dataclass(slots=True)
class _EagerTurns:
    """The turns of loops outside of traces, the loops that run now, and the arrays made in them, by place."""

    most: dict[int, int] = field(default_factory=dict)
    running: list[int] = field(default_factory=list)
    arrays: Counter[tuple[int, int]] = field(default_factory=Counter)
    known: dict[int, Foreign] = field(default_factory=dict)

    def each(self, line: int, things: Iterable[Foreign]) -> Iterator[Foreign]:
        """The things that a `for` goes through."""
        self.running.append(line)
        try:
            for number, thing in enumerate(things, 1):
                if not compat.is_tracing():
                    self.most[line] = max(number, self.most.get(line, 0))
                yield thing
        finally:
            self.running.remove(line)

    def made(self, place: int, value: Foreign) -> Foreign:
        """An operator or call gives this."""
        import jax

        is_array = isinstance(value, jax.Array) and not isinstance(value, jax.core.Tracer)
        if is_array and self.running and not compat.is_tracing() and id(value) not in self.known:
            self.known[id(value)] = value  # kept, so that no other array gets its identity
            for line in set(self.running):
                self.arrays[line, place] += 1
        return value

    def called(self, place: int, callee: Foreign, *arguments: Foreign, **keywords: Foreign) -> Foreign:
        """A call: what it gives is new, unless compiled code of the fixture gives it."""
        running, is_jitted = self.running, _is_jitted(callee)
        if is_jitted:
            self.running = []
        value = callee(*arguments, **keywords)
        self.running = running
        return value if is_jitted else self.made(place, value)


def _is_jitted(callee: Foreign) -> bool:
    """Is it something jitted that is none of JAX's own functions?"""
    module = getattr(callee, "__module__", None) or ""
    return hasattr(callee, "lower") and not isinstance(callee, str) and not str(module).startswith("jax.")


class _EagerEdit:
    """Let every loop tell of its turns, and operators and calls of what they give."""

    def __init__(self) -> None:
        self.places = 0
        comprehensions = (on(kind, self._comprehension) for kind in COMPREHENSIONS)
        self._rewriter = Rewriter(
            on(ast.For, self._for), on(ast.BinOp, self._operator), on(ast.Call, self._call), *comprehensions
        )

    def edit(self, tree: ast.Module) -> ast.Module:
        """The module, rewritten."""
        return self._rewriter.inside(tree)

    def _for(self, node: ast.For) -> ast.AST:
        self._rewriter.inside(node)
        node.iter = calling(EACH, [literal(node.lineno, node.iter), node.iter], node.iter)
        return node

    def _comprehension(self, node: Comprehension) -> ast.AST:
        self._rewriter.inside(node)
        for generator in node.generators:
            line = literal(generator.target.lineno, generator.iter)
            generator.iter = calling(EACH, [line, generator.iter], generator.iter)
        return node

    def _operator(self, node: ast.BinOp) -> ast.AST:
        self.places += 1
        place = literal(self.places, node)
        return calling(MADE, [place, self._rewriter.inside(node)], node)

    def _call(self, node: ast.Call) -> ast.AST:
        self.places += 1
        place = literal(self.places, node)
        is_kept = isinstance(node.func, ast.Name) and node.func.id in {"super", "locals", "vars"}
        self._rewriter.inside(node)
        if is_kept:
            return node
        node.args = [place, node.func, *node.args]
        node.func = ast.copy_location(ast.Name(CALLED, ast.Load()), node)
        return node


PHENOMENON = Phenomenon(
    name="eager_turns",
    summary="a loop computes arrays turn after turn, and no trace runs it",
    observe=observe,
    parameter=f"turns, {TURNS} if not said",
    bad="""\
import jax
import jax.numpy as jnp

def f(x):
    for i in range(60):  # here
        x = x.at[i].set(2.0)
    return x

def case():
    return f(jnp.zeros(60))
""",
    good="""\
import jax
import jax.numpy as jnp

@jax.jit
def f(x):
    return x * 2.0

def case():
    x = jnp.ones(2)
    for _ in range(60):
        x = f(x)
    for _ in range(3):
        x = x + 1.0
    return x
""",
)
