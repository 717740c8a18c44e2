"""Why a line was not reached.  The text tells that no case leads to it, or a run of the case did not execute it.

def scaled(x):      no case leads to `scaled`, which is none itself, for it has a parameter (`x`)
def stored():
    if SIZE > 3:
        x[0] = 1    line 4 did not run: the condition on line 3 was not true
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from types import FrameType

from flake8_jax.runtime.claims import Fixture
from flake8_jax.runtime.sightings import first_line
from flake8_jax.runtime.slicing import reached
from flake8_jax.runtime.trial import Trial
from flake8_jax.runtime.watching import stepping

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
LEAVING: dict[type[ast.stmt], str] = {
    ast.Return: "returned",
    ast.Raise: "raised",
    ast.Break: "left the loop",
    ast.Continue: "went on with the loop",
}


def without_case(fixture: Fixture, line: int) -> str:
    """Why no case leads to a line, by the text alone."""
    tree = fixture.tree()
    node = next((node for node in tree.body if line in _span(node)), None)
    if not isinstance(node, (*FUNCTIONS, ast.ClassDef)):
        return f"no case reaches line {line}: none leads to a name that is bound there"
    others = [each for each in tree.body if isinstance(each, FUNCTIONS) and each is not node and each.name[0] != "_"]
    leading = next((each for each in others if node.name in reached(tree, [each.name])), None)
    if leading is not None:
        why = f"`{leading.name}` does, and is none, for {_no_case(leading)}"
    else:
        why = f"which is none itself, for {_no_case(node)}"
    return f"no case reaches line {line}: none leads to `{node.name}`{';' if leading else ','} {why}"


def _no_case(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> str:
    if isinstance(node, ast.ClassDef):
        return "it is a class"
    given = node.args
    parameters = [*given.posonlyargs, *given.args, given.vararg, *given.kwonlyargs, given.kwarg]
    names = ", ".join(f"`{each.arg}`" for each in parameters if each is not None)
    if names:
        return f"it has parameters ({names})" if "," in names else f"it has a parameter ({names})"
    if isinstance(node, ast.AsyncFunctionDef):
        return "it is asynchronous"
    return "it has a decorator" if node.decorator_list else "its name begins with `_`"


def not_run(trial: Trial, line: int) -> str | None:
    """Why a run of the case does not execute a line; None if it does, or if nobody can tell."""
    ran: set[int] = set()

    def note(frame: FrameType) -> None:
        ran.add(frame.f_lineno)

    stepper = stepping.Stepper(trial.path, next=note)
    with stepping.following_callbacks(), trial.run(stepper.following()) as run:
        error = f"{type(run.error).__name__}: {first_line(run.error)}" if run.error is not None else ""
        found = _Searched(ran, run.chain, error).reason(trial.fixture.tree(), line)
    return f"line {line} did not run: {found}" if found else None


@dataclass(frozen=True, slots=True)
class _Searched:
    """What a run executed, and how it ended."""

    ran: Collection[int]
    chain: Sequence[int]
    error: str

    def reason(self, tree: ast.Module, line: int) -> str | None:
        """Why the statement of a line did not run: the outermost reason counts."""
        for owner, suite, at in _suites(tree, line):
            if not self._has_run(suite[at]):
                before = [each for each in suite[:at] if self._has_run(each)]
                return self._ended(before[-1]) if before else self._not_begun(owner, suite)
        return None

    def _has_run(self, statement: ast.stmt) -> bool:
        return any(line in self.ran for line in _own_lines(statement))

    def _ended(self, last: ast.stmt) -> str | None:
        """What a suite ended with."""
        raising = next((line for line in self.chain if line in _span(last)), None)
        if raising is not None:
            return f"line {raising} raised {self.error}"
        left = next((node for node in _leaving(last) if self._has_run(node)), None)
        return f"line {left.lineno} {LEAVING[type(left)]} before" if left is not None else None

    def _not_begun(self, owner: ast.AST, suite: Sequence[ast.stmt]) -> str | None:
        """Why none of a suite has run."""
        match owner:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                return self._raised() or f"`{owner.name}` was never called"
            case ast.If():
                return f"the condition on line {owner.lineno} was {'not true' if suite is owner.body else 'true'}"
            case ast.While() if suite is owner.body:
                return f"the condition on line {owner.lineno} was not true"
            case ast.For() | ast.AsyncFor() if suite is owner.body:
                return f"the loop on line {owner.lineno} had no turn"
            case ast.ExceptHandler():
                return f"nothing came to the handler on line {owner.lineno}"
            case ast.match_case():
                return f"the pattern on line {owner.pattern.lineno} did not match"
        return self._raised()

    def _raised(self) -> str | None:
        return f"line {self.chain[-1]} raised {self.error}" if self.error and self.chain else None


def _leaving(statement: ast.stmt, is_in_loop: bool = False) -> Iterator[ast.stmt]:
    """The statements that leave the suite in which this one stands."""
    if isinstance(statement, (*FUNCTIONS, ast.ClassDef)):
        return
    if type(statement) in LEAVING and not (is_in_loop and isinstance(statement, (ast.Break, ast.Continue))):
        yield statement
    is_in_loop = is_in_loop or isinstance(statement, (ast.For, ast.AsyncFor, ast.While))
    for _, suite in _suites_of(statement):
        for each in suite:
            yield from _leaving(each, is_in_loop)


def _suites(tree: ast.AST, line: int) -> Iterator[tuple[ast.AST, list[ast.stmt], int]]:
    """The suites that a line stands in, the outermost first, each with its owner and the place of the statement."""
    owner: ast.AST | None = tree
    while owner is not None:
        within: ast.AST | None = None
        for inner, suite in _suites_of(owner):
            at = next((n for n, each in enumerate(suite) if line in _span(each)), None)
            if at is not None:
                yield inner, suite, at
                within = suite[at]
        owner = within


def _suites_of(node: ast.AST) -> Iterator[tuple[ast.AST, list[ast.stmt]]]:
    """The suites of a statement and of its handlers and cases, each with its owner."""
    for owner in (node, *getattr(node, "handlers", ()), *getattr(node, "cases", ())):
        for name in ("body", "orelse", "finalbody"):
            suite = getattr(owner, name, None)
            if isinstance(suite, list) and suite:
                yield owner, suite


def _own_lines(statement: ast.stmt) -> range:
    """The lines of a statement without those of its suites."""
    span, suites = _span(statement), list(_suites_of(statement))
    if not suites:
        return span
    return range(span.start, max(_span(suites[0][1][0]).start, span.start + 1))


def _span(statement: ast.stmt) -> range:
    first = min([statement.lineno, *(each.lineno for each in getattr(statement, "decorator_list", ()))])
    return range(first, (statement.end_lineno or first) + 1)
