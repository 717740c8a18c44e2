"""The place of every op is the place that Python's own parser gives the same piece of text."""

from __future__ import annotations

import ast
import os
import re
import sys
import sysconfig
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flake8_jax.diagnostic import Span
from flake8_jax.ir import ops
from flake8_jax.ir.invariants import walk
from flake8_jax.ir.lower import lower
from flake8_jax.ir.ops import Call, Name, Op
from flake8_jax.syntax.positions import span, text
from flake8_jax.syntax.source import SourceFile
from flake8_jax.syntax.twins import stand_in

FIXTURES = sorted((Path(__file__).parent.parent / "fixtures" / "ir").glob("*.py"))
PACKAGES = Path(sysconfig.get_path("purelib"))
PATHS = sorted(path for name in ("libcst", "hypothesis", "_pytest") for path in PACKAGES.glob(f"{name}/**/*.py"))
SAMPLE = [path for path in PATHS if "tests" not in path.parts and path.stat().st_size < 100_000]
ELSEWHERE = os.environ.get("FLAKE8_JAX_CORPUS")
CORPUS = sorted(Path(ELSEWHERE).rglob("*.py")) if ELSEWHERE else SAMPLE[::20]

KINDS: dict[type[ast.AST], str] = {
    ast.Call: "Call",
    ast.Attribute: "Attr",
    ast.Subscript: "Item",
    ast.Compare: "Compare",
    ast.BinOp: "Operate",
    ast.UnaryOp: "Operate",
    ast.BoolOp: "Logic",
    ast.IfExp: "Choose",
    ast.Lambda: "Closure",
    ast.ListComp: "Gather",
    ast.SetComp: "Gather",
    ast.DictComp: "Gather",
    ast.GeneratorExp: "Gather",
    ast.Await: "Suspend",
    ast.Yield: "Suspend",
    ast.YieldFrom: "Suspend",
    ast.Dict: "BuildDict",
    ast.Set: "Build",
    ast.Slice: "Build",
    ast.JoinedStr: "Build",
    ast.NamedExpr: "walrus",
    ast.Starred: "Star",
    ast.Assign: "assign",
    ast.AugAssign: "augment",
    ast.AnnAssign: "annotate",
    ast.FunctionDef: "def",
    ast.AsyncFunctionDef: "def",
    ast.ClassDef: "class",
    ast.alias: "Imported",
    ast.Return: "Leave",
    ast.Raise: "Leave",
    ast.Break: "Leave",
    ast.Continue: "Leave",
    ast.Delete: "Delete",
    ast.For: "Loop",
    ast.AsyncFor: "Loop",
    ast.While: "Loop",
    ast.Try: "Try",
    ast.If: "Branch",
    ast.Match: "match",
}
if sys.version_info >= (3, 11):
    KINDS[ast.TryStar] = "Try"
if sys.version_info >= (3, 12):
    KINDS[ast.TypeAlias] = "assign"
LAZY: type[ast.AST] = getattr(ast, "type_param", ast.JoinedStr)
"""Bounds of type parameters, which have no ops."""

SEQUENCES = {ast.Load: "Build", ast.Store: "Unpack"}

Places = dict[str, Counter[Span]]


def places_of_tree(source: SourceFile) -> Places:
    """Where `ast` says that each kind stands; names and constants have places that no op has and stay apart."""
    found: Places = defaultdict(Counter)
    skipped: set[ast.AST] = set()
    assert source.tree is not None
    for node in ast.walk(source.tree):
        if isinstance(node, ast.JoinedStr | LAZY):
            skipped.update(child for child in ast.walk(node) if child is not node)
        kind = KINDS.get(type(node))
        if isinstance(node, ast.List | ast.Tuple):
            kind = SEQUENCES.get(type(node.ctx))
        if isinstance(node, ast.Name | ast.Constant):
            kind = type(node).__name__
        if kind is not None and node not in skipped:
            found[kind][place_of(node, source)] += 1
    return found


def place_of(node: Any, source: SourceFile) -> Span:
    def characters(line: int, offset: int) -> int:
        return len(source.lines[line - 1].encode()[:offset].decode())

    end = (node.end_lineno, characters(node.end_lineno, node.end_col_offset))
    return Span(node.lineno, characters(node.lineno, node.col_offset), *end)


def places_of_ops(source: SourceFile) -> Places:
    found: Places = defaultdict(Counter)
    for op, kind in comparable(source):
        found[kind][span(op, source)] += 1
    return found


def comparable(source: SourceFile) -> Iterator[tuple[Op, str]]:
    """The ops that have a counterpart in Python's tree, with its kind; what stands in f-strings has an unsure one."""
    module = lower(source)
    skipped: set[int] = set()
    for op in walk(module):
        if id(op) in skipped or (isinstance(op, ops.Build) and op.kind == "text"):
            skipped.update(id(part) for part in inside(op))
        if id(op) in skipped or op.node is None:
            continue
        kind = type(op).__name__
        made_up = isinstance(op, Call) and op.func.node is op.node  # a decorator
        made_up |= isinstance(op, ops.Operate) and op.in_place
        made_up |= isinstance(op, ops.Closure) and op.function.kind != "lambda"
        made_up |= isinstance(op, ops.Branch) and op.kind not in ("if", "elif")
        made_up |= isinstance(op, ops.Leave) and op.node is not op.anchor.node
        made_up |= isinstance(op, ops.With | ops.Matches | ops.MakeClass | ops.Other)
        made_up |= isinstance(op, ops.Store) and op.kind == "import"
        if type(op.node).__name__ != "Assert" and not made_up:
            yield op, op.kind if isinstance(op, ops.Store) else "Constant" if kind == "Const" else kind


def inside(op: Op) -> Iterator[Op]:
    stack: list[Any] = [op]
    while stack:
        thing = stack.pop()
        if isinstance(thing, tuple):
            stack.extend(thing)
        elif hasattr(type(thing), "__slots__") and not isinstance(thing, ops.Anchor | ops.Function):
            if hasattr(thing, "anchor") and thing is not op:
                yield thing
            stack += [getattr(thing, name) for name in type(thing).__slots__ if name not in ("anchor", "node", "scope")]
        elif isinstance(thing, ops.Function):
            stack += [thing.body, thing.parameters]


def differences(source: SourceFile) -> list[str]:
    expected, found = places_of_tree(source), places_of_ops(source)
    wrong = []
    for kind in sorted(expected.keys() | found.keys()):
        missing = expected[kind] - found[kind]
        extra = found[kind] - expected[kind]
        if kind in ("Name", "Constant"):  # names of definitions and of match singletons are no `Name` or `Constant`
            extra = Counter()
        wrong += [f"{kind}: not found {place}" for place in missing] + [f"{kind}: wrong {place}" for place in extra]
    return wrong


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_fixtures(path: Path) -> None:
    source = SourceFile.read(str(path))
    if source.tree is None:
        pytest.skip("newer grammar than the running Python's")
    assert differences(source) == []


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: "/".join(path.parts[-2:]))
def test_real_files(path: Path) -> None:
    assert differences(SourceFile.read(str(path))) == []


SNIPPETS = [
    "f(a)\n",
    "  \nif True:\n    f(x for x in y)\n",
    "f ( # (\n  x for x in (y) # )\n )\n",
    "f((x for x in y), (z for z in y))\n",
    "((a, b))\n((a)), (b,)\na,\n",
    "x = (\n    a\n      + (b\n * c)\n)\n",
    "ä = 'ö'; é(ü[ß], 'λ', x.ñ)\n",
    "if é: ü('ä', b); c(d)\n",
    "if a:\n\tb(c,\n\t\td)\n\te = (\n f(g))\n",
    "a = (1,\n  2); b = f(\n c); d = (\n    e.f\n)\n",
    "x = a + \\\n    b * \\\n  c(d)\n",
    "\x0cx = f(1)\n\x0cif x:\n    y(x)\n",
    "@a.b\n@(c)(d)\n@ e [f]\ndef g(h: i = j(k), *l: m, n=o.p) -> q[r]: s(t)\n",
    "class A ( B.c, *d, e = f(g) ) : h(i)\n",
    "@dec(x)\nclass A: pass\n",
    "for a, (b, *c) in d(e), f: g\n",
    "async def f():\n  async for x in await y(z): await x\n  async with a(b) as c, d: pass\n",
    "while (a :=\n  b(c)) and d: e\n",
    "with (\n  a(b) as c,\n  d.e,\n): f(g)\n",
    "with a(b) as c[d], (e): f\n",
    "try: a\nexcept (B, c.D) as e: f(g)\nexcept h(i): j\n",
    "if a(b): c\nelif d(e) or (f): g(h)\nelif (i): j\nelse: k(l)\n",
    "if a:\n  if b: c\n  elif d(e): f\n  else:\n    if g(h): i\n",
    "match a(b), c:\n  case (d.e, f): g(h)\n  case [1, -2] if i(j): k\n  case A.B(l=m) | None: n\n  case (((o))): p\n",
    "match (a):\n  case {'b': c.d, **e} as f if (g): h\n",
    "lambda a=b, *c, d=e(f): (g, h)\n",
    "x[a, *b]\n",
    "x[a:b, ::c, d]\nx[a:b]\nx[ a : b ]\nx[:]\nx[a, ]\nx[(a, b)]\nx[ (a), b ]\n",
    "[*a, b for_ in c]\n".replace("b for_ in c", "b"),
    "{**a, 'b': (c), d: e}\n{a, *b}\n{}\n",
    "[a for b in c if d if (e) for f in (g)]\n{a: b for c in d}\n{a for b in c}\n",
    "not a, -b, ~(c), +d, not(e)\n",
    "a if (b) else c\n(a) if b else (c)\n",
    "a < b <= (c) is not d not in e\n",
    "def f():\n  x = yield\n  yield (a)\n  yield from b(c)\n  (yield d)\n  return (e), f\n",
    "raise A(b) from (c)\ndel a, (b), c[d]\nassert a(b), (c)\nglobal x\n",
    "f'{a}' 'b' f\"{c!r:>{d}}\"\n('a'\n 'b').c\n",
    "a: b.c = d(e)\na.b: c\na[b] += c(d)\na = b = c, d\n",
    "import a.b as c, d\nfrom a import (b as c, d,)\nfrom . import *\n",
    "print(*a, **b)\nf(*a , b = c(d), ** e)\n",
    "(a)(b)[c].d\n((a).b)\n(a.b)[c]\n( f ) ( x )\n",
    "x = a.b(c)  # comment (\n\n\n# another\ny = d(\n  # inside\n  e\n  # after\n)\n",
    "f(\n  '''a\nb''', c, \"d\"\n)\n",
    "x = [\n  1,\n\n  a(b),\n]\r\n",
    "f(a,\r\n  b(c))\r\nd = '''x\r\ny''' + e\r\n",
    "f(a,\r  b(c))\rd(e)\r",
    "def f(a, b=(\n  c\n)): pass\n",
    "if a: pass;  b(c);\n",
    "class A:\n  def b(self): return [\n  c for c in d\n  ]\n",
    "x = a if b else (lambda: c)(d)\n",
    "(a, b) = c, (d)\n[e, f] = (g)\n(h.i), *j = k\n",
    "a = b, c, \n",
    "for x in a, b, : c\n",
]


@pytest.mark.parametrize("snippet", SNIPPETS)
def test_snippets(snippet: str) -> None:
    source = SourceFile("example.py", snippet)
    if source.tree is None:
        pytest.skip("newer grammar than the running Python's")
    assert differences(source) == []


@pytest.mark.parametrize("snippet", SNIPPETS)
def test_snippets_without_a_tree(snippet: str) -> None:
    if snippet.startswith("\x0c") or snippet.endswith(";\n"):
        pytest.skip("libcst drops a leading form feed and leaves a last semicolon out of a block")
    source = SourceFile("example.py", snippet)
    if source.tree is None:
        pytest.skip("nothing to compare with")
    source._twin = stand_in(source.module, source.lines)
    assert differences(source) == []


FORMS = [
    "{0} + {1}", "( {0} )", "{0} ( {1} , k = {2} )", "{0} ( x for x in {1} )", "{0} [ {1} : {2} , {0} ]", "{0} . é",
    "( {0} , {1} )", "( {0} , )", "[ {0} , * ( {1} ) ]", "{{ ( {0} ) : ( {1} ) , ** ( {2} ) }}", "( x := {0} )",
    "( lambda x = {0} : {1} )", "( {0} if {1} else {2} )", "[ ( {0} ) for é , y in ( {1} ) if ( {2} ) ]",
    "( not {0} )", "( {0} and {1} )", "( {0} < {1} not in {2} )", "( ( {0} ) ( * ( {1} ) , ** ( {2} ) ) )",
    "'ö' 'ü' . join ( {0} )",
]  # fmt: skip
GAPS = st.sampled_from([" ", " ", "  ", "\t", "\n", "\n      ", " # ( comment\n\t", "\n\n  # é\n ", " \\\n  "])


def _grown(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.tuples(st.sampled_from(FORMS), inner, inner, inner).map(lambda part: part[0].format(*part[1:]))


@given(
    st.recursive(st.sampled_from(["a", "ä", "'é'", "b . c"]), _grown, max_leaves=8),
    st.sampled_from(
        ["x = ( {} )\n", "if y :\n\té = ö ( {} )\n", "while ( {} ) : pass\n", "def f ( a = ( {} ) ) : pass\n"]
    ),
    st.data(),
)
@settings(max_examples=150, deadline=None)
def test_any_layout_inside_brackets(expression: str, frame: str, data: st.DataObject) -> None:
    laid_out = "".join(part if part != " " else data.draw(GAPS) for part in re.split("( )", expression))
    assert differences(SourceFile("example.py", frame.format(laid_out))) == []


@pytest.mark.skipif(sys.version_info < (3, 12), reason="earlier trees place what stands in f-strings wrongly")
def test_what_stands_in_f_strings() -> None:
    source = SourceFile("example.py", "x = f'''ä {a(b)} {\n c.d!r:>{e(f)}} {g = }'''\n")
    module = lower(source)
    assert source.tree is not None
    calls = Counter(place_of(node, source) for node in ast.walk(source.tree) if isinstance(node, ast.Call | ast.Name))
    found = Counter(span(op, source) for op in walk(module) if isinstance(op, Call | Name))
    assert found == calls


def test_text_is_cut_from_the_source() -> None:
    source = SourceFile("example.py", "é = f(a,  # why\r\n  'ö')[0]\r\n")
    item, call = [op for op in walk(lower(source)) if isinstance(op, ops.Item | Call)]
    assert text(call, source) == "f(a,  # why\r\n  'ö')"
    assert text(item, source) == "f(a,  # why\r\n  'ö')[0]"


def test_an_op_without_text_of_its_own_stands_where_its_operands_do() -> None:
    source = SourceFile("example.py", "match a:\n  case b if c > 0: pass\n")
    logic = next(op for op in walk(lower(source)) if isinstance(op, ops.Logic))
    assert logic.node is None
    assert text(logic, source) == "b if c > 0"


def test_a_position_costs_less_than_a_tenth_of_a_millisecond() -> None:
    source = SourceFile.read(str(PACKAGES / "libcst" / "_nodes" / "expression.py"))
    calls = [op for op in walk(lower(source)) if isinstance(op, Call)]
    began = time.process_time()
    places = [span(op, source) for op in calls]
    spent = time.process_time() - began
    assert len(set(places)) > 500
    assert spent / len(places) < 0.0004  # 0.00004 on an idle machine
