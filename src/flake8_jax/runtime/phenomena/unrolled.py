"""Phenomenon: a trace unrolls a Python loop, so that each iteration adds equations of its own to one compiled program.

    for _ in range(100):         100 turns under a trace
        x = jnp.sin(x) * 2.0     100 times `sin` from this line in the jaxpr
    for layer in layers[:3]:     3 turns: a short loop over layers is no hazard

A loop is seen, on its header's line, if it turned at least `TURNS` times in one go and one primitive came as often from
one place in its body (`unrolled:N` asks for another number).  Loops that a transform runs operation by operation, bare
`grad` say, and loops in eager code leave no such program.
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
from flake8_jax.runtime.watching import jaxprs
from flake8_jax.runtime.watching.rewriting import COMPREHENSIONS, Comprehension, Rewriter, calling, literal, on, stating

TURNS = 8
EACH, START, TURN = "__each_turn__", "__loop_start__", "__loop_turn__"


def observe(trial: Trial, parameter: str) -> Sightings:
    """Run the case; report loops with many traced iterations that appear as often in the program."""
    enough = int(parameter or TURNS)
    found = Sightings()
    edit, watch = _LoopEdit(), _Turns()
    with trial.run(edit=edit.edit, given={EACH: watch.each, START: watch.start, TURN: watch.turn}) as run:
        often = {line: turns for line, turns in watch.most.items() if turns >= enough}
        for call, program in jaxprs.programs(run) if often else ():
            copies = Counter(
                (each.chain, each.name)
                for each in jaxprs.compiled_equations(trial.path, call, program)
                if each.equation.outvars
            )
            for line, turns in often.items():
                inside = [
                    (number, name)
                    for (chain, name), number in copies.items()
                    if any(each in edit.spans[line] for each in chain)
                ]
                number, name = max(inside, default=(0, ""))
                if number >= enough:
                    found.see(line, turns=turns, copies=number, primitive=name)
    found.refuting = {"turns": {str(line): turns for line, turns in watch.most.items()}}
    return found


@dataclass(slots=True)
class _Turns:
    """The turns that loops make under a trace: now, and the most of one go."""

    now: dict[int, int] = field(default_factory=dict)
    most: dict[int, int] = field(default_factory=dict)

    def start(self, line: int) -> None:
        """A `while` begins."""
        self.now[line] = 0

    def turn(self, line: int) -> None:
        """A `while` turns."""
        self.now[line] += 1
        self._note(line, self.now[line])

    def each(self, line: int, things: Iterable[Foreign]) -> Iterator[Foreign]:
        """The things that a `for` goes through."""
        for number, thing in enumerate(things, 1):
            self._note(line, number)
            yield thing

    def _note(self, line: int, number: int) -> None:
        if compat.is_tracing():
            self.most[line] = max(number, self.most.get(line, 0))


class _LoopEdit:
    """Let every loop tell of its turns; `spans` are the lines of the loops by their header's line."""

    def __init__(self) -> None:
        self.spans: dict[int, range] = {}
        comprehensions = (on(kind, self._comprehension) for kind in COMPREHENSIONS)
        self._rewriter = Rewriter(on(ast.For, self._for), on(ast.While, self._while), *comprehensions)

    def edit(self, tree: ast.Module) -> ast.Module:
        """The module, rewritten."""
        return self._rewriter.inside(tree)

    def _for(self, node: ast.For) -> ast.AST:
        self._spans(node.lineno, node)
        self._rewriter.inside(node)
        node.iter = calling(EACH, [literal(node.lineno, node.iter), node.iter], node.iter)
        return node

    def _while(self, node: ast.While) -> list[ast.stmt]:
        self._spans(node.lineno, node)
        self._rewriter.inside(node)
        node.body.insert(0, stating(TURN, [literal(node.lineno, node)], node.body[0]))
        return [stating(START, [literal(node.lineno, node)], node), node]

    def _comprehension(self, node: Comprehension) -> ast.AST:
        for generator in node.generators:
            line = generator.target.lineno
            self._spans(line, node)
            generator.iter = calling(EACH, [literal(line, generator.iter), generator.iter], generator.iter)
        return self._rewriter.inside(node)

    def _spans(self, line: int, node: ast.stmt | ast.expr) -> None:
        """Keep the lines of a loop by the one that it is reported on."""
        before = self.spans.get(line, range(line, line + 1))
        self.spans[line] = range(min(node.lineno, before.start), max((node.end_lineno or line) + 1, before.stop))


PHENOMENON = Phenomenon(
    name="unrolled",
    summary="a Python loop is unrolled into a compiled program",
    observe=observe,
    parameter=f"turns, {TURNS} if not said",
    bad="""\
import jax

@jax.jit
def f(x):
    for _ in range(10):  # here
        x = x * 2.0
    return x

def case():
    return f(1.0)
""",
    good="""\
import jax

@jax.jit
def f(x):
    for _ in range(3):
        x = x * 2.0
    return jax.lax.fori_loop(0, 10, lambda i, x: x * 2.0, x)

def case():
    x = 1.0
    for _ in range(10):
        x = f(x)
    return x
""",
)
