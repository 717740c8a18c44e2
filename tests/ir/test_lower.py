"""What a file is lowered to: fixtures beside their printed ops, and what must hold of any file."""

from __future__ import annotations

import ast
import re
import sys
import sysconfig
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flake8_jax.ir.lower.files import lower
from flake8_jax.ir.ops import (
    Branch,
    Call,
    Compare,
    Const,
    Imported,
    Leave,
    Loop,
    Matches,
    Module,
    Name,
    Op,
    Operate,
    Pattern,
    Store,
    Try,
    With,
)
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.show import show, show_op
from flake8_jax.syntax.source import NotPython, SourceFile, collector_paused, parsed
from tests.ir.invariants import check, walk
from tests.support import slices

FIXTURES = Path(__file__).parents[2] / "fixtures" / "ir"
NAMES = sorted(path.stem for path in FIXTURES.glob("*.py"))
READABLE = [name for name in NAMES if parsed((FIXTURES / f"{name}.py").read_text(encoding="utf-8")) is not None]
"""Those whose grammar the running Python has."""
PACKAGES = Path(sysconfig.get_path("purelib"))
CORPUS = [path for name in ("libcst/_nodes", "hypothesis", "_pytest") for path in sorted(PACKAGES.glob(f"{name}/*.py"))]


def lowered(text: str) -> Module:
    module = lower(SourceFile("example.py", text))
    assert check(module) == []
    return module


def first(text: str) -> Any:
    return lowered(text).top.body[0]


@pytest.mark.parametrize("name", READABLE)
def test_fixture_is_lowered_as_printed(name: str) -> None:
    module = lower(SourceFile.read(str(FIXTURES / f"{name}.py")))
    assert check(module) == []
    assert show(module) == (FIXTURES / f"{name}.txt").read_text(encoding="utf-8")


@pytest.mark.slow
@slices.each("path", CORPUS, slices.grammar, least=12, ids=lambda path: path.name)
def test_invariants_hold_of_installed_packages(path: Path) -> None:
    source = SourceFile.read(str(path))
    with collector_paused():
        module = lower(source)
        assert check(module) == []
        ops = sum(1 for _ in walk(module))
    assert sum(module.others.values()) <= ops / 100
    makers = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
    assert len(module.functions) == sum(isinstance(node, makers) for node in ast.walk(source.tree))


def test_decorators_are_calls_at_their_own_lines() -> None:
    store = first("@outer\n@inner(1)\ndef f(): pass\n")
    outer = store.value
    inner = outer.args[0]
    assert (store.anchor.line, outer.anchor.line, inner.anchor.line) == (3, 1, 2)
    assert (type(outer), type(inner)) == (Call, Call)
    assert outer.place == outer.func.place
    assert (inner.func.anchor.line, type(inner.func)) == (2, Call)


def test_an_augmented_target_is_evaluated_once() -> None:
    store = first("x[draw(key)] += 1\n")
    assert store.value.operands[0] is store.targets[0]
    assert store.value.in_place
    assert store.kind == "augment"


def test_what_is_deferred_runs_in_the_order_of_the_file() -> None:
    module = lowered("def a():\n def b():\n  lambda: 0\nclass C:\n def d(self): pass\ndef e(): pass\n")
    names = [function.qualname for function in module.functions]
    assert names == ["a", "a.<locals>.b", "a.<locals>.b.<locals>.<lambda>", "C", "C.d", "e"]
    assert [function.name for function in module.top.functions] == ["a", "C", "e"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import a.b", [("a", "a", 0)]),
        ("import a.b as c", [("c", "a.b", 0)]),
        ("from a import b as c, d", [("c", "a.b", 0), ("d", "a.d", 0)]),
        ("from . import b", [("b", "b", 1)]),
        ("from ..a.b import c", [("c", "a.b.c", 2)]),
    ],
)
def test_imports(text: str, expected: list[tuple[str, str, int]]) -> None:
    found = []
    for store in lowered(text).top.body:
        assert isinstance(store, Store)
        assert isinstance(store.targets[0], Name)
        assert isinstance(store.value, Imported)
        found.append((store.targets[0].name, store.value.qualified, store.value.level))
    assert found == expected


def test_star_imports_stand_unbound_and_are_noted() -> None:
    module = lowered("from a.b import *\nfrom . import *\n")
    stars = [op for op in module.top.body if isinstance(op, Imported)]
    assert [(star.qualified, star.level) for star in stars] == [("a.b.*", 0), ("*", 1)]
    assert module.top.scope.stars == ["a.b", "."]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0xFF", 255), ("1_000", 1000), ("0", 0), ("00", 0), ("1e3", 1000.0), ("1_0.5", 10.5), ("2j", 2j), ("...", ...),
        ("'a'", "a"), ('"""a"""', "a"), ("''", ""), ('""""""', ""), ("r'\\d'", "\\d"), ("'\\d'", "\\d"), ("b'a'", b"a"),
        ("'a' \"b\" '''c'''", "abc"), ("b'a' rb'\\b'", b"a\\b"), ("'\\x41\\n'", "A\n"), ("'''a\r\nb'''", "a\nb"),
        ("None", None), ("True", True), ("False", False),
    ],
)  # fmt: skip
def test_constants(text: str, value: object) -> None:
    op = first(f"{text}\n")
    assert isinstance(op, Const)
    assert op.value == value
    assert type(op.value) is type(value)


@pytest.mark.parametrize("text", ["9" * 4500, "x = '\\N{no such name}'", "x = 'a' '\\N{no such name}'"])
def test_literals_that_python_refuses_are_no_python(text: str) -> None:
    with pytest.raises(NotPython):
        lowered(text)


def test_a_long_hexadecimal_number_is_a_constant() -> None:
    assert lowered("0x" + "f" * 5000).others == {}


def test_with_nests_and_keeps_the_order() -> None:
    outer = first("async with a as x, b: c\n")
    inner = outer.body[0]
    assert isinstance(outer, With)
    assert isinstance(inner, With)
    assert (show_op(outer.manager), show_op(inner.manager)) == ("a", "b")
    assert (outer.is_async, inner.is_async, inner.target) == (True, True, None)


def test_elif_stands_in_the_orelse_with_its_own_line() -> None:
    branch = first("if a: b\nelif c: d\nelse: e\n")
    assert [type(op) for op in branch.orelse] == [Branch]
    assert (branch.kind, branch.orelse[0].kind, branch.orelse[0].anchor.line) == ("if", "elif", 2)
    assert show_op(branch.orelse[0].orelse[0]) == "e"


def test_assert_is_a_branch_that_raises() -> None:
    branch = first("assert a, b\n")
    assert (branch.kind, branch.body) == ("assert", ())
    assert isinstance(branch.orelse[0], Leave)
    assert show_op(branch.orelse[0]) == "raise b"


def test_cases_are_branches_on_the_stored_subject() -> None:
    module = lowered("match f(x):\n case [a, *b] if a: pass\n case {'k': v, **rest} as all: pass\n")
    store, branch = module.top.body
    assert isinstance(store, Store)
    assert isinstance(branch, Branch)
    assert show_op(store) == "$subject1 = f(x)"
    assert show_op(branch.test) == "($subject1 matches [a, *b] and a)"
    assert branch.anchor.line == 2
    matches = branch.orelse[0]
    assert isinstance(matches, Branch)
    assert isinstance(matches.test, Matches)
    pattern: Pattern = matches.test.pattern
    assert pattern.capture is not None
    assert pattern.capture.name == "all"
    assert {"a", "b", "v", "rest", "all", "$subject1"} <= set(module.top.scope.names)


def test_generators_and_coroutines_are_marked() -> None:
    module = lowered("def a(): lambda: (yield)\nasync def b(): await x\ndef c(): x = yield\n")
    marks = {function.qualname: (function.is_async, function.is_generator) for function in module.functions}
    lambda_name = "a.<locals>.<lambda>"
    assert marks == {"a": (False, False), lambda_name: (False, True), "b": (True, False), "c": (False, True)}


def test_finally_else_and_handlers() -> None:
    op = first("try: a\nexcept B as c: d\nexcept: e\nelse: f\nfinally: g\n")
    assert isinstance(op, Try)
    assert [handler.anchor.line for handler in op.handlers] == [2, 3]
    assert op.handlers[0].name is not None
    assert (op.handlers[1].catches, op.handlers[1].name) == (None, None)
    assert (show_op(op.orelse[0]), show_op(op.final[0])) == ("f", "g")


def test_loops_keep_their_else_and_are_async() -> None:
    op = first("for x, y in z: break\nelse: a\n")
    assert isinstance(op, Loop)
    assert (op.is_async, len(op.body), len(op.orelse)) == (False, 1, 1)
    coroutine = lowered("async def f():\n async for x in y: pass\n").functions[0]
    assert isinstance(coroutine.body[0], Loop)
    assert coroutine.body[0].is_async


def test_long_sums_and_chains_do_not_recurse() -> None:
    total = first(" + ".join(["a"] * 190))
    depth = 0
    while isinstance(total, Operate):
        total = total.operands[0]
        depth += 1
    assert depth == 189
    logic = first(" and ".join(["a"] * 900))
    assert len(logic.operands) == 900
    comparison = first(" < ".join(["a"] * 900))
    assert isinstance(comparison, Compare)
    assert len(comparison.operators) == 899


@pytest.mark.skipif(sys.version_info < (3, 12), reason="grammar of Python 3.12")
def test_type_aliases_are_counted_as_other() -> None:
    module = lowered("type A[T] = list[T]\n")
    assert module.others == {"type alias": 1}
    assert show(module) == "module:\n   1   A = other(type alias: list[T])\n"


NAMED = st.sampled_from(["a", "b", "jnp", "x1"]).map(str)
SIGNS = st.sampled_from(["+", "-", "*", "/", "//", "%", "@", "**", "<<", ">>", "&", "|", "^"])
RELATIONS = st.sampled_from(["<", "<=", "==", "!=", ">", ">=", "is", "is not", "in", "not in"])


def _extended(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    pair = st.tuples(inner, inner)
    return st.one_of(
        st.tuples(inner, SIGNS, inner).map(lambda part: f"({part[0]} {part[1]} {part[2]})"),
        st.tuples(inner, RELATIONS, inner, RELATIONS, inner).map(lambda part: f"({' '.join(part)})"),
        st.tuples(st.sampled_from(["not ", "-", "~"]), inner).map(lambda part: f"({part[0]}{part[1]})"),
        st.tuples(inner, st.sampled_from(["and", "or"]), inner, inner).map(
            lambda part: f"({part[0]} {part[1]} {part[2]} {part[1]} {part[3]})"
        ),
        st.tuples(inner, inner, inner).map(lambda part: f"({part[0]} if {part[1]} else {part[2]})"),
        pair.map(lambda part: f"{part[0]}({part[1]}, *{part[0]}, k={part[1]}, **{part[0]})"),
        pair.map(lambda part: f"{part[0]}[{part[1]}]"),
        inner.map(lambda part: f"({part}).name"),
        pair.map(lambda part: f"[{part[0]}, *{part[1]}]"),
        pair.map(lambda part: f"({part[0]}, {part[1]})"),
        pair.map(lambda part: f"{{{part[0]}: {part[1]}, **{part[0]}}}"),
        pair.map(lambda part: f"[{part[0]} for a, b in {part[1]} if {part[0]}]"),
        pair.map(lambda part: f"(a := {part[0]})"),
    )


@given(st.recursive(st.one_of(NAMED, st.sampled_from(["1", "2.5", "'s'", "None"])), _extended, max_leaves=12))
@settings(max_examples=150)
def test_printed_expressions_mean_what_was_written(text: str) -> None:
    op: Op = first(f"({text})\n")
    assert ast.dump(ast.parse(show_op(op))) == ast.dump(ast.parse(f"({text})"))
    assert "\n" not in phrase(op)
    assert len(phrase(op)) <= 40


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(a + b)*jnp.sum(x, axis=0)[..., 1:]", "(a + b) * jnp.sum(...)[..., 1:]"),
        ("not (a and b or c)", "not (a and b or c)"),
        ("(-x)**2 - -x**2", "(-x) ** 2 - -x ** 2"),
        ("a - (b - c) - d", "a - (b - c) - d"),
        ("x[ 1:2,None ]", "x[1:2, None]"),
        ("x[(1, 2)]", "x[(1, 2)]"),
        ("x[::2]", "x[::2]"),
        ("1_000 + 0xFF", "1_000 + 0xFF"),
        ("{k: v for k, v in d.items() if k}", "{k: v for k, v in d.items() ...}"),
        ("a if b else (lambda x: x)", "a if b else lambda ..."),
        ("f()(1)", "f()(1)"),
        ("f(a.b, 'c')", "f(a.b, 'c')"),
        ("f(g(x))", "f(...)"),
        ("f(x=1)", "f(...)"),
        ("f(aaaaaaaaaaaa, bbbbbbbbbbbbb)", "f(...)"),
        ("self.d['rng']", "self.d['rng']"),
        ("f'{a}' + \"b\"", 'f"..." + "b"'),
        ("x.aaaaaaaaaaaaaaaaaaaaaaaaaaaa.bbbbbbbbbbbbbbbbbb", "x.aaaaaaaaaaaaaaaaaaaaaaaaaaaa.bbbbbb..."),
        ("(yield_, *rest)", "(yield_, *rest)"),
        ("(1).real", "(1).real"),
    ],
)
def test_phrases(text: str, expected: str) -> None:
    assert phrase(first(text)) == expected


def test_every_kind_of_op_is_in_the_fixtures() -> None:
    from flake8_jax.ir.ops import OPS

    kinds: Counter[str] = Counter()
    for name in READABLE:
        kinds.update(type(op).__name__ for op in walk(lower(SourceFile.read(str(FIXTURES / f"{name}.py")))))
    absent = [] if sys.version_info >= (3, 12) else ["Other"]
    assert sorted(kind.__name__ for kind in OPS if kind.__name__ not in kinds) == absent


@pytest.mark.parametrize("name", sorted(set(NAMES) - set(READABLE)))
def test_a_fixture_of_newer_grammar_is_refused_in_one_line(name: str) -> None:
    with pytest.raises(NotPython) as error:
        lower(SourceFile.read(str(FIXTURES / f"{name}.py")))
    assert re.fullmatch(r"[^\n]+ \(read as Python 3\.\d+, which runs flake8-jax\)", error.value.reason)


if __name__ == "__main__":  # prints the fixtures anew
    for name in NAMES:
        printed = show(lower(SourceFile.read(str(FIXTURES / f"{name}.py"))))
        (FIXTURES / f"{name}.txt").write_text(printed, encoding="utf-8")
