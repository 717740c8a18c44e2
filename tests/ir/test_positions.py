"""The place of every op is the place that Python's own parser gives the same piece of text."""

from __future__ import annotations

import ast
import os
import re
import sys
import sysconfig
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import libcst as cst
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flake8_jax.ir import ops
from flake8_jax.ir.lower.files import lower
from flake8_jax.ir.ops import Call, Name, Op
from flake8_jax.ir.phrase import is_enclosed
from flake8_jax.model.diagnostic import Span
from flake8_jax.syntax.positions import KINDS as KINDS_OF_NODES
from flake8_jax.syntax.positions import Located, Locator, packed, spelling, unpacked
from flake8_jax.syntax.source import SourceFile, parsed
from tests.ir.invariants import walk
from tests.support import slices

FIXTURES = sorted((Path(__file__).parents[2] / "fixtures" / "ir").glob("*.py"))
PACKAGES = Path(sysconfig.get_path("purelib"))
PATHS = sorted(path for name in ("libcst", "hypothesis", "_pytest") for path in PACKAGES.glob(f"{name}/**/*.py"))
SAMPLE = [path for path in PATHS if "tests" not in path.parts and path.stat().st_size < 100_000]
ELSEWHERE = os.environ.get("FLAKE8_JAX_CORPUS")
CORPUS = sorted(Path(ELSEWHERE).rglob("*.py")) if ELSEWHERE else SAMPLE

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

HINTS = ("annotation", "returns")
"""Where annotations stand."""

SEQUENCES = {ast.Load: "Build", ast.Store: "Unpack"}

Places = dict[str, Counter[Span]]


def places_of_tree(source: SourceFile) -> Places:
    """Where `ast` says that each kind stands; names and constants have places that no op has and stay apart, and
    annotations in quotes are lowered as what stands between these.
    """
    found: Places = defaultdict(Counter)
    skipped: set[ast.AST] = set()
    for node in ast.walk(source.tree):
        skipped.update(hint for hint in (getattr(node, name, None) for name in HINTS) if isinstance(hint, ast.Constant))
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


def comparable(source: SourceFile) -> Iterator[tuple[Op, str]]:
    """The ops that have a counterpart in Python's tree, with its kind; what stands in f-strings is tested apart."""
    skipped: set[int] = set()
    for op in walk(lower(source)):
        if id(op) in skipped or (isinstance(op, ops.Build) and op.kind == "text"):
            skipped.update(id(part) for part in inside(op))
        if id(op) in skipped or not op.place:
            continue
        kind = type(op).__name__
        made_up = isinstance(op, Call) and op.func.place == op.place  # a decorator
        made_up |= isinstance(op, ops.Operate) and op.in_place
        made_up |= isinstance(op, ops.Closure) and op.function.kind != "lambda"
        made_up |= isinstance(op, ops.Branch) and op.kind not in ("if", "elif")
        made_up |= isinstance(op, ops.Leave) and is_no_statement(op)
        made_up |= isinstance(op, ops.With | ops.Matches | ops.MakeClass | ops.Other)
        made_up |= isinstance(op, ops.Store) and op.kind == "import"
        made_up |= not isinstance(op, ops.Const) and is_quoted(op)
        if not made_up:
            yield op, op.kind if isinstance(op, ops.Store) else "Constant" if kind == "Const" else kind


def is_no_statement(op: ops.Leave) -> bool:
    """Is it what a lambda gives back, or what an assert raises?"""
    text = spelling(op) or ""
    return not text.startswith(("return", "raise", "break", "continue"))


def is_quoted(op: Op) -> bool:
    """Is it in an annotation in quotes?  Each part of one stands where the quotes do."""
    text = spelling(op) or ""
    tree = parsed(text) if text[:1] in "'\"" else None
    return tree is not None and len(tree.body) == 1 and isinstance(tree.body[0], ast.Expr) and isinstance(
        tree.body[0].value, ast.Constant
    )


def inside(op: Op) -> Iterator[Op]:
    stack: list[Any] = [op]
    while stack:
        thing = stack.pop()
        if isinstance(thing, tuple):
            stack.extend(thing)
        elif hasattr(type(thing), "__slots__") and not isinstance(thing, ops.Anchor | ops.Function):
            if hasattr(thing, "anchor") and thing is not op:
                yield thing
            stack += [getattr(thing, name) for name in type(thing).__slots__ if name not in ("anchor", "scope")]
        elif isinstance(thing, ops.Function):
            stack += [thing.body, thing.parameters]


def differences(source: SourceFile) -> list[str]:
    """Where the two trees disagree: on what stands where, and on how the node of an op reads."""
    expected = places_of_tree(source)
    found: Places = defaultdict(Counter)
    wrong: list[str] = []
    locator = Locator()
    for op, kind in comparable(source):
        located = locator.locate(op)
        found[kind][located.span] += 1
        wrong += [f"{kind} {located.span}: {fault}" for fault in faults(op, located)]
    for kind in sorted(expected.keys() | found.keys()):
        missing = expected[kind] - found[kind]
        extra = found[kind] - expected[kind]
        if kind in ("Name", "Constant"):  # names of definitions and of match singletons are no `Name` or `Constant`
            extra = Counter()
        wrong += [f"{kind}: not found {place}" for place in missing] + [f"{kind}: wrong {place}" for place in extra]
    return wrong


def faults(op: Op, located: Located) -> Iterator[str]:
    """Is there a node, of the op's kind, that reads as the text that was cut?"""
    node, kinds = located.node, KINDS_OF_NODES.get(type(op).__name__)
    if isinstance(op, ops.Build) and op.kind == "tuple" and not is_enclosed(op):
        return  # the indices of `x[a, b]` are no node
    if node is None:
        yield "no node"
    elif isinstance(op, Name) and located.text != op.name:
        return  # bound by a definition, an import, a handler or a pattern: it stands for the whole of that
    elif kinds is not None and type(node).__name__ not in kinds:
        yield f"is a {type(node).__name__}"
    elif isinstance(node, cst.BaseExpression):
        text = cst.Module([]).code_for_node(node).rstrip(" \n\t,")
        if tree_of(text) != tree_of(located.text.rstrip(",")):
            yield f"reads {text!r}, not {located.text!r}"


def tree_of(text: str) -> str:
    """The tree of an expression, whatever its layout and the parentheses around it."""
    for form in ("({}\n)", "x[{}\n]", "f({}\n)", "async def f():\n  ({}\n)"):
        tree = parsed(form.format(text))
        if tree is not None:
            return ast.dump(tree)
    return text


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_fixtures(path: Path) -> None:
    source = SourceFile.read(str(path))
    if parsed(source.text) is None:
        pytest.skip("newer grammar than the running Python's")
    assert differences(source) == []


@pytest.mark.slow
@slices.each("path", CORPUS, slices.grammar, least=12, ids=lambda path: "/".join(path.parts[-2:]))
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
    if parsed(snippet) is None:
        pytest.skip("newer grammar than the running Python's")
    assert differences(SourceFile("example.py", snippet)) == []


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
@settings(max_examples=150)
def test_any_layout_inside_brackets(expression: str, frame: str, data: st.DataObject) -> None:
    laid_out = "".join(part if part != " " else data.draw(GAPS) for part in re.split("( )", expression))
    assert differences(SourceFile("example.py", frame.format(laid_out))) == []


IN_STRINGS = [
    "x = f'''ä {a(b)} {\n c.d!r:>{e(f)}} {g = }'''\n",
    "f'{a}' 'b' f\"{c!r:>{d}} {f(g)[h]}\"\n",
    "def f():\n  return f'{ a [ b , c ] }' + (f'{(d, e)}' f'{d, e}')\n",
    "x = f'{[y for y in z if (y)]} {f(u for u in w)} {a if b else -c}'\n",
    "x = f'''\n{a}\n   {b + c(\n d)}{e:{f}{g}}'''; h = f'{i}'\n",
    "x = f'ü{ü(ä)}{é . ö}' 'ß' f'{ß}'\n",
    "f(f'{a}', b, f'{c(f\"{d} {e}\")}')\n",
    "x = rf'{a}\\{b}' if f'{c:{d}.{e}f}' else F\"{f}\"\n",
]


@pytest.mark.parametrize("text", IN_STRINGS)
def test_what_stands_in_f_strings(text: str) -> None:
    """Every name there is found where it is written, whatever the running Python says of its place."""
    locator = Locator()
    names = [op for op in walk(lower(SourceFile("example.py", text))) if isinstance(op, Name)]
    names = [op for op in names if op.name != "f" or op.anchor.field is not None]
    located = [locator.locate(op) for op in names]
    assert [found.text for found in located] == [op.name for op in names]
    assert {type(found.node) for found in located} == {cst.Name}
    assert len({found.span for found in located}) == len(names)


def test_calls_in_f_strings_are_cut_whole() -> None:
    source = SourceFile("example.py", "x = f'{a( b )} {c.d(e)[f](\"g\")}'\n")
    locator = Locator()
    calls = [locator.locate(op).text for op in walk(lower(source)) if isinstance(op, Call)]
    assert sorted(calls) == ["a( b )", "c.d(e)", 'c.d(e)[f]("g")']


def test_text_is_cut_from_the_source() -> None:
    source = SourceFile("example.py", "é = f(a,  # why\r\n  'ö')[0]\r\n")
    item, call = [op for op in walk(lower(source)) if isinstance(op, ops.Item | Call)]
    assert Locator().locate(call).text == "f(a,  # why\r\n  'ö')"
    assert Locator().locate(item).text == "f(a,  # why\r\n  'ö')[0]"


def test_an_op_without_text_of_its_own_stands_where_its_operands_do() -> None:
    source = SourceFile("example.py", "match a:\n  case b if c > 0: pass\n")
    logic = next(op for op in walk(lower(source)) if isinstance(op, ops.Logic))
    assert logic.place == 0
    assert Locator().locate(logic).text == "b if c > 0"


def test_what_libcst_cannot_parse_has_a_span_and_no_node() -> None:
    source = SourceFile("example.py", "async def f():\n  return [await a(b)async for b in c], g(x)\n  h(y)\n")
    first, second, third = (op for op in walk(lower(source)) if isinstance(op, Call))
    assert Locator().locate(first) == Located(None, Span(2, 16, 2, 20), "a(b)")
    assert Locator().locate(second) == Located(None, Span(2, 39, 2, 43), "g(x)")
    assert type(Locator().locate(third).node) is cst.Call, "a statement beside it is parsed alone"


@given(st.tuples(*[st.integers(0, limit) for limit in (10**6, 10**5, 10**4, 10**5)]))
def test_places_are_packed_without_loss(place: tuple[int, int, int, int]) -> None:
    line, column, more, end = place
    assert unpacked(packed(line, column, line + more, end)) == (line, column, line + more, end)


# An op whose node is easily mistaken, what is written there, and the kind of node that it is.
MISTAKEN = {
    "a decorator": ("@ a.b ( c )\ndef f(): pass\n", Call, ["a.b ( c )", "a.b ( c )"], cst.Call),
    "a decorator that is a name": ("@a\ndef f(): pass\n", Call, ["a"], cst.Name),
    "a decorator of a method": ("class A:\n    @a.b\n    def f(self): pass\n", Call, ["a.b"], cst.Attribute),
    "a case": ("match a:\n  case (b, c) if d: pass\n", ops.Branch, ["(b, c)"], cst.MatchTuple),
    "a case without brackets": ("match a:\n  case b, c: pass\n", ops.Branch, ["b, c"], cst.MatchList),
    "a class in a case": ("match a:\n  case A(b=1): pass\n", ops.Branch, ["A(b=1)"], cst.MatchClass),
    "an elif": ("if a: pass\nelif b . c: pass\n", ops.Attr, ["b . c"], cst.Attribute),
    "an elif in a block": ("def f():\n  if a:\n    pass\n  elif b(c):\n    pass\n", Call, ["b(c)"], cst.Call),
    "a generator alone": ("f(x for x in y)\n", ops.Gather, ["(x for x in y)"], cst.GeneratorExp),
    "a slice": ("a[b : c]\n", ops.Build, ["b : c"], cst.Slice),
    "a slice up to a line break": ("a[\n  b:\n]\n", ops.Build, ["b:"], cst.Slice),
    "a slice without a step": ("a[b:  # from\n  c:\n  ]\n", ops.Build, ["b:  # from\n  c:"], cst.Slice),
    "in a handler": ("try: pass\nexcept A:\n    f(b)\n", Call, ["f(b)"], cst.Call),
    "a handler's class": ("try: pass\nexcept a . B: pass\n", ops.Attr, ["a . B"], cst.Attribute),
    "several managers": ("with a(b) as c, \\\n    d[e]: pass\n", ops.Item, ["d[e]"], cst.Subscript),
    "beside another on a line": ("if a: b; c[d] = 1; e\n", ops.Item, ["c[d]"], cst.Subscript),
}  # fmt: skip


@pytest.mark.parametrize("name", MISTAKEN)
def test_what_is_easily_mistaken(name: str) -> None:
    text, kind, texts, node = MISTAKEN[name]
    locator = Locator()
    located = [locator.locate(op) for op in walk(lower(SourceFile("example.py", text))) if isinstance(op, kind)]
    assert [found.text for found in located] == texts
    assert {type(found.node) for found in located} <= {node}
