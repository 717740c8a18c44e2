"""Parses fixtures without running them: expected findings, the cases that exercise them, and the good twin.

A *case* is a top-level function without parameters and decorators whose name does not begin with an underscore.  An
expectation stands on the offending line, in the case or in a definition that the case reaches by name:

    @jax.jit
    def _scaled(x):
        print(x)  # JAX301 trace_once: `print` shows a tracer      line 3, proved by running `scaled`
        return x * 2

    def scaled():
        return _scaled(1.0)

A comment that begins with a code is an expectation, and an error if it is not written as one; a code further inside a
comment is prose.  An expectation may also stand at module level, in a statement that runs for the case
(`slicing`): an assignment belongs to every case that leads to one of its names.  The phenomenon may be left out: it
then is the hazard on the rule's card.  A case named `module_...` is about import time and runs in a child process of
its own.  The `def` line of a case may say more:

    # verify: isolate                         it disturbs its process, and runs in a child process too
    # verify: shows trace_once, REASON        in `good.py`: the phenomenon is there and does no harm
    # verify: since 0.8, REASON               before this version of JAX, something else happens
    # verify: since 0.8 until 0.9, REASON     and again from a later version on
"""

from __future__ import annotations

import ast
import hashlib
import io
import re
import tokenize
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from flake8_jax.runtime.slicing import DEFINES, bound_by, kept, only_binds, reached

EXPECTATION = re.compile(r"# (?P<code>JAX\d{3})(?: (?P<phenomenon>\S+?))?: (?P<text>.+?)(?= # JAX|$)")
CODED = re.compile(r"#+\s*(?P<code>JAX\d{3})")
DIRECTIVE = re.compile(
    r"# verify: (?:isolate|(?P<verb>shows|since) (?P<what>\S+)(?: until (?P<until>[\d.]+))?, (?P<reason>.+))$"
)
FALSE_ALARM, MISSED_ALARM = "FA_", "MA_"


class NotAFixture(Exception):
    """A folder or a file that cannot be read as fixtures; the message says why."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """An expected finding: its line, rule and message words, and the phenomenon that running the line shows."""

    line: int
    code: str
    text: str
    phenomenon: str | None = None


@dataclass(frozen=True, slots=True)
class Harmless:
    """A phenomenon that a good case shows on purpose, and why it does no harm there."""

    phenomenon: str
    reason: str


@dataclass(frozen=True, slots=True)
class Since:
    """From which version of JAX a case is valid, until which other one, if that is said, and why."""

    version: str
    reason: str
    until: str | None = None

    def is_after(self, version: str) -> bool:
        """Does the case need a later version of JAX than this?"""
        return _numbers(version) < _numbers(self.version)

    def excludes(self, version: str) -> bool:
        """Does something else happen in this version of JAX?"""
        return self.is_after(version) or (self.until is not None and _numbers(version) >= _numbers(self.until))

    def text(self) -> str:
        """Where something else happens, and why."""
        later = f" and since JAX {self.until}" if self.until is not None else ""
        return f"before JAX {self.version}{later}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Definition:
    """A top-level function or class with its decorators, or an assignment: its name, lines and text."""

    name: str
    first: int
    last: int
    lines: tuple[str, ...]

    def __contains__(self, line: int) -> bool:
        return self.first <= line <= self.last


@dataclass(frozen=True, slots=True)
class Case:
    """A function for `verify` to run: the definitions it reaches by name, and the expectations in them."""

    name: str
    line: int
    reaches: frozenset[str]
    claims: tuple[Expectation, ...]
    isolated: bool = False
    at_import: bool = False
    harmless: Harmless | None = None
    since: Since | None = None


@dataclass(frozen=True, slots=True)
class Fixture:
    """One file of a pair.

    `numbers`, if any, says for each line of the text, beginning with line 1, which line of the file it stands for.
    """

    path: Path
    text: str
    digest: str
    definitions: tuple[Definition, ...]
    assignments: tuple[Definition, ...]
    expectations: tuple[Expectation, ...]
    cases: tuple[Case, ...]
    numbers: tuple[int, ...] | None = None

    def case(self, name: str) -> Case | None:
        """The case of this name."""
        return next((case for case in self.cases if case.name == name), None)

    def tree(self) -> ast.Module:
        """A fresh syntax tree of the file, with the file's line numbers, free to be edited."""
        tree = ast.parse(self.text, str(self.path))
        for node in ast.walk(tree) if self.numbers else ():
            _renumber(node, self.numbers or ())
        return tree


@dataclass(frozen=True, slots=True)
class Pair:
    """A folder with `bad.py` and `good.py`; its name is relative to the folder that was asked for."""

    name: str
    bad: Fixture
    good: Fixture


def homes_of_pairs(folder: Path) -> dict[str, Path]:
    """Where each pair in a folder or below it stands, by its name.  Raises `NotAFixture` if there is none."""
    if not folder.is_dir():
        raise NotAFixture(f"{folder} is no folder")
    found = sorted({path.parent for name in ("bad.py", "good.py") for path in folder.rglob(name)})
    homes = {
        home.relative_to(folder).as_posix() if home != folder else home.resolve().name: home
        for home in found
        if not any((home / name).is_dir() for name in ("bad.py", "good.py"))
    }
    if not homes:
        raise NotAFixture(f"{folder} holds no pair of bad.py and good.py")
    return homes


def read_pairs(folder: Path) -> list[Pair]:
    """Every pair in a folder or below it.

    Raises `NotAFixture` if the folder holds none, or half of one, or one that claims nothing.
    """
    return [read_pair(name, home) for name, home in homes_of_pairs(folder).items()]


def read_pair(name: str, home: Path) -> Pair:
    """The pair that stands in a folder of its own; raises `NotAFixture` if that is half of one or claims nothing."""
    return Pair(name, *_halves(home))


def _halves(home: Path) -> tuple[Fixture, Fixture]:
    for name in ("bad.py", "good.py"):
        if not (home / name).is_file():
            raise NotAFixture(f"{home} has no {name}")
    bad, good = read(home / "bad.py"), read(home / "good.py")
    if not bad.expectations:
        raise NotAFixture(f"{home / 'bad.py'}:1: no line is marked with what is expected there")
    return bad, good


def read(path: Path) -> Fixture:
    """Parse one file. Raises `NotAFixture` if it is no Python, or if a mark in it is malformed."""
    try:
        text = path.read_text(encoding="utf-8")
        found = parse(path.resolve(), text)
    except (SyntaxError, UnicodeDecodeError) as error:
        raise NotAFixture(f"{path}: {error}") from error
    wrong = [f"{path}:{line}: {reason}" for line, reason in misspelt_marks(text)]
    if wrong:
        raise NotAFixture("\n".join(wrong))
    return found


def parse(path: Path, text: str) -> Fixture:
    """Parse the text of a fixture; its path need not exist."""
    tree = ast.parse(text, str(path))
    expected = tuple(expectations(text))
    digest = hashlib.sha256(text.encode()).hexdigest()[:16]
    defined = tuple(_definitions(tree, text))
    cases = tuple(_cases(tree, defined, text, expected))
    return Fixture(path, text, digest, defined, tuple(_assignments(tree, text)), expected, cases)


def expectations(text: str) -> list[Expectation]:
    """Every expectation of a file, in order."""
    return [
        Expectation(line, found["code"], found["text"].strip(), found["phenomenon"])
        for line, comment in _comments(text)
        for found in EXPECTATION.finditer(comment)
    ]


def misspelt_marks(text: str) -> Iterator[tuple[int, str]]:
    """Malformed marks: lines with a comment that begins with a code but does not parse, with the reason."""
    for line, comment in _comments(text):
        coded, at = CODED.match(comment), 0
        while coded is not None and (mark := EXPECTATION.match(comment, at)) is not None:
            at = mark.end() + 1
        if coded is not None and at <= len(comment):
            code = (CODED.match(comment, at) or coded)["code"]
            yield line, f"`{comment[at:].strip()}` is not written as `# {code}: words` or `# {code} phenomenon: words`"


def definitions(text: str) -> list[Definition]:
    """The top-level definitions of a file, in order."""
    return _definitions(ast.parse(text), text)


def _definitions(tree: ast.Module, text: str) -> list[Definition]:
    lines = text.splitlines()
    return [_definition(node, node.name, lines) for node in tree.body if isinstance(node, DEFINES)]


def _assignments(tree: ast.Module, text: str) -> Iterator[Definition]:
    """The assignments to top-level names that are assigned once, under all their names."""
    lines = text.splitlines()
    found = [(", ".join(bound_by(node)), node) for node in tree.body if only_binds(node)]
    times = Counter(names for names, _ in found)
    return (_definition(node, names, lines) for names, node in found if times[names] == 1)


def _renumber(node: ast.AST, numbers: Sequence[int]) -> None:
    for name in ("lineno", "end_lineno"):
        if (number := getattr(node, name, None)) is not None:
            setattr(node, name, numbers[number - 1])


@lru_cache(maxsize=2)
def _comments(text: str) -> tuple[tuple[int, str], ...]:
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return tuple((token.start[0], token.string) for token in tokens if token.type == tokenize.COMMENT)


def _definition(node: ast.stmt, name: str, lines: Sequence[str]) -> Definition:
    first = min([node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", ()))])
    last = node.end_lineno or first
    return Definition(name, first, last, tuple(lines[first - 1 : last]))


def _cases(
    tree: ast.Module, defined: Iterable[Definition], text: str, expected: tuple[Expectation, ...]
) -> Iterator[Case]:
    directives = {line: found for line, comment in _comments(text) if (found := DIRECTIVE.search(comment))}
    spans = {found.name: range(found.first, found.last + 1) for found in defined}
    inside = {line for span in spans.values() for line in span}
    loose = tuple(claim for claim in expected if claim.line not in inside)
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and _is_case(node):
            names = reached(tree, [node.name])
            lines = {line for name in names & spans.keys() for line in spans[name]}
            at_import = node.name.startswith("module_")
            claims = tuple(claim for claim in expected if claim.line in lines)
            claims += _of_module(tree, loose, node.name)
            said = directives.get(node.lineno)
            harmless = Harmless(said["what"], said["reason"]) if said and said["verb"] == "shows" else None
            since = since_of(said) if said and said["verb"] == "since" else None
            isolated = at_import or (said is not None and said["verb"] is None)
            yield Case(node.name, node.lineno, names, claims, isolated, at_import, harmless, since)


def since_of(said: re.Match[str]) -> Since:
    """What a `since` directive says."""
    return Since(said["what"], said["reason"], said["until"])


def _of_module(tree: ast.Module, loose: tuple[Expectation, ...], name: str) -> tuple[Expectation, ...]:
    """The claims between the definitions whose statements run for a case."""
    running = kept(tree, name) if loose else []
    spans = [range(each.lineno, (each.end_lineno or each.lineno) + 1) for each in running]
    return tuple(claim for claim in loose if any(claim.line in span for span in spans))


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version)[:3])


def _is_case(node: ast.FunctionDef) -> bool:
    parameters = node.args
    some = [*parameters.posonlyargs, *parameters.args, *parameters.kwonlyargs, parameters.vararg, parameters.kwarg]
    return not node.name.startswith("_") and not node.decorator_list and not any(some)
