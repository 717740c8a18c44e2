"""Both ways to lower a text, from Python's own tree and from libcst's, make the same ops."""

from __future__ import annotations

import sys
import sysconfig
from collections.abc import Container
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from flake8_jax.ir.lower import lower
from flake8_jax.ir.ops import Module, Origin
from flake8_jax.ir.quick.cursor import FORMATTED_ARE_PLACED
from flake8_jax.ir.quick.lowering import lower_statements
from flake8_jax.ir.scope import Scope
from flake8_jax.ir.show import show
from flake8_jax.syntax.source import SourceFile, collector_paused

ROOT = Path(__file__).parent.parent
PACKAGES = Path(sysconfig.get_path("purelib"))
OURS = sorted((ROOT / "src").rglob("*.py")) + sorted((ROOT / "tests").glob("*.py"))
OTHERS = [path for name in ("hypothesis", "_pytest", "jax/_src") for path in sorted(PACKAGES.glob(f"{name}/*.py"))]
FILES = sorted((ROOT / "fixtures").rglob("*.py")) + OURS[::2] + OTHERS[::3]
SHARES = 16

CASES = r"""
(a, b)
(a), b
(a), (b)
((a), b)
((a, b), c)
(a, b), c
(a),
((a),)
(f(a, b), c)
f(a), (c)
f((a)), (c)
*(a), b
(*a, b)
()
x[a, b]
x[(a, b)]
x[(a), b]
x[a,]
x[(a,)]
x[(a):b, c]
x[a:b]
x[::]
x[:, None]
x[...]
x[ä, "ü", (ö), 1]
"ä" + ("b", c)[0]
'a' 'b'
'a' "b"
'a' + "b"
"a'b"
'a"b' 'c'
'''a'b''' "c"
'''a'''
''''a'''
r'\\'
b'a' b"b"
rb'a'
''
""
'' ''
u'a'
'a#b'
1_000 + 0xFF - 1e3 * 2j
-1
- -1
not a
a < b <= c != d
a is not b
a not in b
a and b and c
a and (b and c)
(a and b) and c
a or b and c or d
a + b + c
a + (b + c)
f(*a, k=1, *b)
f(k=lambda: 1, *[lambda: 2])
f(**a, k=1, **b)
f(x for x in y)
f((x for x in y), 1)
[x for x in y if x if z for w in x]
[(x, y) for x, y in z]
{x: y for x, y in z}
{**a, b: c}
{a, *b}
[a, *b]
lambda a, /, b=1, *c, d, e=2, **f: (a, b)
lambda *, a: a
(yield)
await a
(x := 1)
a if b else c
a.b[c].d(e)(f)
f"{a}"
f"a" "b"
"a" f"{b!r:>{c}}" 'd'
f"{a['b']}" f"{c[0]:x}"
f'{a[1, 2]} {b=}'
f"{(a, b)}"
(a, b) = c
(a), b = c
[a, *b] = c
a = b = c
a.b, c[d] = e
for (a, b) in c: d
for a, b in c: d
del (a, b), [c], d[e], f.g
del (a)
"""
TEXTS = {
    "brackets in comments": "x = (  # (\n    a  # ),\n    , b)\ny = (  # (\n    a  # ),\n    ), b\n",
    "strings on lines": 'x = (\'a\'\n  "b")\ny = \'a\' \\\n    \'b\'\nz = """a\n b"""\n',
    "elif": "if a:\n    b\nelif c:\n    d\nelse:\n    if e:\n        f\n    elif g: h\n",
    "else and one if": "if a: b\nelse:\n    if c: d\n",
    "elif after a letter of two bytes": 'if "ä": ("ä")\nelif "ö": 1\n',
    "nested elif": "def f():\n    if a:\n        pass\n    elif b:\n        if c: pass\n        else: pass\n",
    "loops": "async def f():\n    async for a, b in c:\n        continue\n    else: d\nwhile x: break\nelse: y\n",
    "with": "with a as b, c as (d, e): f\nwith (g as h, i): j\nwith (k): l\nwith (m, n): o\nwith (p) as q: pass\n",
    "async with": "async def f():\n    async with a as b: pass\n",
    "try": "try: a\nexcept (b, c) as d: e\nexcept f: g\nexcept: h\nelse: i\nfinally: j\n",
    "functions": (
        "@a\n@b.c(d)\ndef f(a: int, /, b=1, *c: str, d=2, e, **f: x) -> y:\n    '''doc'''\n    return a\n"
        "def g(*, k): yield k\nasync def h(): return await g()\ndef i(): yield from g()\n"
    ),
    "classes": "@a\nclass A(B, *d, metaclass=C, **e):\n    x: int\n    y: str = ''\n    def f(self): return 1\n",
    "scopes": (
        "x = 1\ndef f():\n    global x, y\n    x = 2\n    z = 3\n    def g():\n        nonlocal z\n        z += 1\n"
        "    return [w for w in (v := z,)]\nglobal x\n"
    ),
    "imports": "import b.c, d.e as f\nfrom . import g\nfrom ..h import i as j, k\nfrom m import *\nfrom . import *\n",
    "exports": "__all__ = ['a']\n__all__ += ['b']\n__all__ += c\n",
    "exports with a type": "__all__: list = ['a', 'b']\n",
    "one line": "a = 1; b = 2; del a; assert b, c; raise d from e\nif x: y; z\n",
    "annotations": "a: int\nb: int = 1\nc.d: int\n",
    "augmented": "a += 1\nb.c @= d\ne[f] //= g\n",
    "match": (
        "match a:\n    case 0 | -1 | 1+2j: b\n    case None | True: c\n    case [d, *e, _]: f\n    case (g, *_): h\n"
        "    case {'i': j, **k}: l\n    case M(n, o=p) as q if r: s\n    case t: u\n    case x.y: z\n"
    ),
    "match, captures of captures": "match a, b:\n    case ((c as d) as e, f): g\n    case 'h' 'i': j\n    case _: k\n",
    "tabs and form feeds": "if a:\n\tb = (c,\n\t\td)\n\f\nelse:\n\tif e: f\n",
    "lines that go on": "a = b + \\\n    c\nx = (1,\n     2)\n",
}
NEWER = {
    "exceptions in groups": ((3, 11), "try: a\nexcept* b as c: d\n"),
    "stars in an index": ((3, 11), "a[*b]\nc[*d, e]\ndef f(*g: *h): pass\n"),
    "types": ((3, 12), "type A[T, *U, **V] = list[T]\ndef f[T: int](x: T) -> T: return x\nclass C[T](B[T]): y: T\n"),
    "quotes in quotes": ((3, 12), 'f"{a["b", 1_0]} {(c), d}"\n'),
}


class Differs(Exception):
    """Two things that are not the same, and how one gets to them."""


@cache
def names_of(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind) if field.name not in ("node", "twin"))


def compare(
    one: Any, two: Any, met: dict[object, int], ignored: Container[str] = (), way: tuple[object, ...] = ()
) -> None:
    """Go through both, syntax nodes left out; what is one and the same here must be so there."""
    if type(one) in (list, tuple, dict) and type(one) is type(two) and len(one) == len(two):
        pairs: Any = zip(one.items(), two.items()) if isinstance(one, dict) else zip(one, two)
        for number, (left, right) in enumerate(pairs):
            compare(left, right, met, ignored, (*way, number))
    elif is_dataclass(one) and type(one) is type(two):
        if met.setdefault(id(one), id(two)) != id(two):
            raise Differs(*way, "another one")
        kind: Any = type(one)
        if one not in met:
            met[one] = 0
            for name in names_of(kind):
                if name not in ignored:
                    compare(getattr(one, name), getattr(two, name), met, ignored, (*way, name))
    elif type(one) is not type(two) or repr(one) != repr(two):
        raise Differs(*way, one, two)


def difference(old: Module, new: Module, ignored: Container[str] = ()) -> tuple[object, ...]:
    """The way to the first thing that is not the same, and what stands there; empty if there is none."""
    try:
        compare(old, new, {}, ignored)
    except Differs as found:
        return found.args
    return ()


def both(source: SourceFile) -> tuple[Module, Module]:
    assert source.tree is not None
    origin = Origin(source.path, source.path, 1)
    return lower(source), lower_statements(source.tree.body, source.lines, Scope("module", None), origin)


@pytest.mark.parametrize("text", CASES.strip("\n").split("\n"))
def test_expressions_and_targets(text: str) -> None:
    is_inner = "await" in text or "yield" in text
    old, new = both(SourceFile("example.py", f"async def function():\n    {text}\n" if is_inner else f"{text}\n"))
    assert difference(old, new) == ()
    assert show(old) == show(new)


@pytest.mark.parametrize("name", TEXTS)
def test_statements(name: str) -> None:
    old, new = both(SourceFile("example.py", TEXTS[name]))
    assert difference(old, new) == ()


@pytest.mark.parametrize("name", NEWER)
def test_newer_grammar(name: str) -> None:
    version, text = NEWER[name]
    if sys.version_info < version:
        pytest.skip(f"grammar of Python {version[0]}.{version[1]}")
    old, new = both(SourceFile("example.py", text))
    assert difference(old, new) == ()


@pytest.mark.parametrize(
    ("one", "other"),
    [("x = a\n", "x = b\n"), ("x[a, b]\n", "x[(a, b)]\n"), ("f(a)\n", "f(a, b)\n"), ("x = 1\n", "\nx = 1\n")],
)
def test_what_differs_is_told(one: str, other: str) -> None:
    (old, _), (_, new) = both(SourceFile("example.py", one)), both(SourceFile("example.py", other))
    assert difference(old, new) != ()


@pytest.mark.parametrize("share", range(SHARES))
def test_files(share: int) -> None:
    ignored = () if FORMATTED_ARE_PLACED else ("text", "is_enclosed")  # spellings inside f-strings
    compared = 0
    for path in FILES[share::SHARES]:
        source = SourceFile.read(str(path))
        if source.tree is None or not source.text.isascii() or "\r" in source.text:
            continue
        with collector_paused():
            old, new = both(source)
            assert difference(old, new, ignored) == (), path
        compared += 1
    assert compared > 10
