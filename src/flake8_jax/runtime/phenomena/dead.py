"""Phenomenon: a pure result is never used.  A statement's value is dropped, or a local name is bound to an array and
never read.

    x.at[0].set(1.0)        the value is an array, and evaluating it did nothing else
    x += 1                  in a function that does not read `x` again
    step(x)                 compiled code called in eager code: a warm-up, no hazard

The fixture is rewritten so that each such expression tells its value and what happened meanwhile (`purity`); a line
counts if every evaluation on it was in vain.  For values that were traced the program is the second witness: a line
that an effect in the jaxpr comes from does not count, and the evidence names the equations that are dead.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from flake8_jax.runtime import recorders
from flake8_jax.runtime.foreign import Foreign
from flake8_jax.runtime.phenomenon import Phenomenon
from flake8_jax.runtime.recorders import Recorded
from flake8_jax.runtime.sightings import Evidence, Sightings, Unsupported
from flake8_jax.runtime.trial import Run, Trial
from flake8_jax.runtime.watching import jaxprs
from flake8_jax.runtime.watching.liveness import targets, unread
from flake8_jax.runtime.watching.purity import Evaluation, EvaluationStack
from flake8_jax.runtime.watching.rewriting import Rewriter, calling, literal, on, placed, stating

BEGIN, END, BOUND, EFFECT, CALLEE = "__begin__", "__end__", "__bound__", "__effect__", "__callee__"
DROPPED, UNREAD = "dropped", "never read"
_NO_COMPUTATION = (ast.Constant, ast.Name, ast.Attribute)
_MORE_THAN_A_VALUE = (ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr)


def observe(trial: Trial, parameter: str) -> Sightings:
    """Run the rewritten case; report the lines on which every value was pure and unused."""
    found = Sightings()
    watch = _EvaluationWatch(EvaluationStack(trial.path))
    with trial.run(edit=_EvaluationEdit().edit, given=watch.names()) as run:
        lines = {line: evidence for line, evidence in watch.vain.items() if line not in watch.used}
        if any(evidence["traced"] for evidence in lines.values()):
            _ask_programs(trial.path, run, lines)
    for line, evidence in lines.items():
        found.see(line, **evidence)
    return found


def _ask_programs(path: str, run: Run, lines: dict[int, Evidence]) -> None:
    """Drop the lines with an effect in a program, and note the dead equations of the others."""
    for call in list(run.calls):
        try:
            program = jaxprs.program(run, call)
        except Unsupported:
            continue
        if program is None:
            continue
        for line in jaxprs.effect_lines(path, program) & lines.keys():
            if lines[line]["traced"]:
                del lines[line]
        for line, names in jaxprs.dead_lines(path, program).items():
            if line in lines:
                lines[line]["dead_equations"] = sorted(set(names))


@dataclass(slots=True)
class _EvaluationWatch:
    """What the rewritten fixture tells: per line the evidence of a vain value, and lines whose value was of use."""

    ledger: EvaluationStack
    vain: dict[int, Evidence] = field(default_factory=dict)
    used: set[int] = field(default_factory=set)

    def names(self) -> dict[str, object]:
        """The functions that the rewritten module calls."""
        ledger = self.ledger
        return {
            BEGIN: ledger.begin,
            END: self.end,
            BOUND: self.bound,
            EFFECT: ledger.effect,
            CALLEE: ledger.callee,
        }

    def end(self, evaluation: Evaluation, value: Foreign) -> Foreign:
        """A value is there that nobody will have."""
        self.ledger.end(evaluation)
        self._judge(evaluation, value)
        return value

    def bound(self, line: int, is_unread: bool, value: Foreign) -> None:
        """A name was updated by an augmented assignment; what is updated in place is an effect."""
        if not _is_result(value):
            self.used.add(line)
            if not isinstance(value, (int, float, complex, str, tuple)):
                self.ledger.effect()
        elif is_unread:
            self._judge(Evaluation(line, UNREAD), value)

    def _judge(self, evaluation: Evaluation, value: Foreign) -> None:
        now = recorders.current
        if now is not None and now.muted:
            return
        is_new = now is not None and any(value is made for made in now.made[evaluation.made :])
        traced = recorders.has_tracer(value)
        is_vain = _is_result(value) or (evaluation.kind == DROPPED and (_is_rule(value) or is_new))
        is_vain |= evaluation.computes and isinstance(value, (float, complex))
        if evaluation.pure and is_vain and (traced or not evaluation.warms):
            self.vain.setdefault(evaluation.line, {"how": evaluation.kind, "value": _shown(value), "traced": traced})
        else:
            self.used.add(evaluation.line)


class _EvaluationEdit:
    """Wrap what is dropped or never read; tell of calls and of stores."""

    def __init__(self) -> None:
        self._unread: set[int] = set()
        self._rewriter = Rewriter(
            on(ast.FunctionDef, self._function),
            on(ast.Expr, self._expression),
            on(ast.Assign, lambda node: self._assigned(node, node.targets)),
            on(ast.AnnAssign, lambda node: self._assigned(node, [node.target])),
            on(ast.AugAssign, self._updated),
            on(ast.Delete, lambda node: self._told(node) if _stores(node.targets) else node),
            on(ast.Assert, self._told),
            on(ast.Global, lambda node: [node, stating(EFFECT, [], node)]),
            on(ast.Nonlocal, lambda node: [node, stating(EFFECT, [], node)]),
            on(ast.Call, self._call),
        )

    def edit(self, tree: ast.Module) -> ast.Module:
        """The module, rewritten."""
        return self._rewriter.inside(tree)

    def _function(self, node: ast.FunctionDef) -> ast.AST:
        found = [each for each in unread(node) if not all(name.startswith("_") for name in targets(each) or ())]
        self._unread |= {id(each) for each in found}
        return self._rewriter.inside(node)

    def _expression(self, node: ast.Expr) -> ast.AST:
        kept = isinstance(node.value, _NO_COMPUTATION)
        kept = kept or any(isinstance(each, _MORE_THAN_A_VALUE) for each in ast.walk(node.value))
        self._rewriter.inside(node)
        if not kept:
            node.value = _wrapped(node.value, node.lineno, DROPPED)
        return node

    def _updated(self, node: ast.AugAssign) -> list[ast.stmt]:
        self._rewriter.inside(node)
        if not isinstance(node.target, ast.Name):
            return [stating(EFFECT, [], node), node]
        name = placed(ast.Name(node.target.id, ast.Load()), node)
        is_unread = literal(id(node) in self._unread, node)
        return [node, stating(BOUND, [literal(node.lineno, node), is_unread, name], node)]

    def _call(self, node: ast.Call) -> ast.AST:
        self._rewriter.inside(node)
        node.func = calling(CALLEE, [node.func], node.func)
        return node

    def _assigned(self, node: ast.Assign | ast.AnnAssign, places: list[ast.expr]) -> ast.AST | list[ast.stmt]:
        is_unread = id(node) in self._unread
        self._rewriter.inside(node)
        if is_unread and node.value is not None and not isinstance(node.value, _NO_COMPUTATION):
            node.value = _wrapped(node.value, node.lineno, UNREAD)
        return [stating(EFFECT, [], node), node] if node.value is not None and _stores(places) else node

    def _told(self, node: ast.stmt) -> list[ast.stmt]:
        return [stating(EFFECT, [], node), self._rewriter.inside(node)]


def _wrapped(value: ast.expr, line: int, kind: str) -> ast.Call:
    begin = calling(BEGIN, [literal(line, value), literal(kind, value)], value)
    return calling(END, [begin, value], value)


def _stores(places: list[ast.expr]) -> bool:
    return any(isinstance(node, (ast.Attribute, ast.Subscript)) for place in places for node in ast.walk(place))


def _is_result(value: Foreign) -> bool:
    """An array, or a container of arrays and numbers."""
    import jax
    import numpy as np

    leaves = jax.tree_util.tree_leaves(value)
    if not all(isinstance(leaf, (jax.Array, np.ndarray, np.generic, int, float, complex)) for leaf in leaves):
        return False
    return any(isinstance(leaf, jax.Array) for leaf in leaves)


def _is_rule(value: Foreign) -> bool:
    import jax

    return isinstance(value, (jax.custom_jvp, jax.custom_vjp))


def _shown(value: Foreign) -> str:
    import jax

    if isinstance(value, Recorded):
        return value.transform
    leaves = [leaf for leaf in jax.tree_util.tree_leaves(value) if isinstance(leaf, jax.Array)]
    return ", ".join(f"{leaf.dtype}{list(leaf.shape)}" for leaf in leaves[:3]) or type(value).__name__


PHENOMENON = Phenomenon(
    name="dead",
    summary="a result that nobody uses",
    observe=observe,
    bad="""\
import jax
import jax.numpy as jnp

@jax.jit
def f(x):
    x.at[0].set(1.0)  # here
    return x

def bias(x):
    x += 1.0  # here

def case():
    x = f(jnp.zeros(3))
    bias(x)
    return x
""",
    good="""\
import jax
import jax.numpy as jnp

@jax.jit
def f(x):
    x = x.at[0].set(1.0)
    jax.debug.callback(lambda x: None, x)
    return x

def case():
    seen = []
    seen.append(f(jnp.zeros(3)))
    f(seen[0])
    f(seen[0]).block_until_ready()
    return seen
""",
)
