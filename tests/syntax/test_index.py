"""What is read of a single file: the statements of its top level, the names that they bind, its imports."""

from __future__ import annotations

import sys
import time

import pytest

from flake8_jax.syntax.index import Import, Index, Statement, index_of, read_imports

IMPORTED = {
    "import b": "0 b",
    "import a.b as c, d": "0 a.b, 0 d",
    "import a . b": "0 a.b",
    "import a, \\\n  b": "0 a, 0 b",
    "from a import b": "0 a b",
    "from a.b import c as d, e": "0 a.b c, 0 a.b e",
    "from . import b": "1  b",
    "from .import b": "1  b",
    "from ...a.b import c": "3 a.b c",
    "from . . a import b": "2 a b",
    "from .. \\\n a \\\n import b": "2 a b",
    "from a import *": "0 a *",
    "from.a import*": "1 a *",
    "from a import (b)": "0 a b",
    "from a import(b, c,)": "0 a b, 0 a c",
    "from a import (\n  b,  # a note (with brackets)\n  # c,\n  d as e,\n)": "0 a b, 0 a d",
    "from a import (\r\n  b,\r\n  c)\r\n": "0 a b, 0 a c",
    "from a import b  # and, c": "0 a b",
    "from a import b; import c": "0 a b, 0 c",
    "x = 1; from a import b": "0 a b",
    "def f():\n\tfrom a import b\n\t\timport c": "0 a b, 0 c",
    "try: import a\nexcept ImportError: import b": "0 a, 0 b",
    "\fimport a": "0 a",
    "import a\rimport b": "0 a, 0 b",
    "import a\nimport a": "0 a",
    "import é.ü": "0 é.ü",
    "x = 1": "",
    "important = 1\nfromage = 2": "",
    "# import a": "",
    "x = 'import a'": "",
    "from x reimport y": "",
    "import the thing, then\nfrom there import it all": "",
    "yield from a\nraise E from error": "",
    "from a import (": "",
}


@pytest.mark.parametrize(("text", "expected"), IMPORTED.items())
def test_imports(text: str, expected: str) -> None:
    def written(one: Import) -> str:
        return f"{one.level} {one.module}" + ("" if one.name is None else f" {one.name}")

    assert ", ".join(map(written, read_imports(text))) == expected


@pytest.mark.parametrize(
    "text", ["from a import (" * 3000, "import a," * 9000, "from " + ". " * 20000, "import\\\n" * 9000]
)
def test_imports_of_odd_texts_take_no_time(text: str) -> None:
    started = time.process_time()
    read_imports(text)
    assert time.process_time() - started < 2


def index(text: str) -> Index:
    """The index of a text that can be parsed."""
    found = index_of("example.py", text)
    assert found is not None
    return found


def line_by_line(statements: tuple[Statement, ...]) -> str:
    """Statements as "kind first-last names", with ";" between them."""
    return "; ".join(f"{one.kind} {one.line}-{one.end_line} {' '.join(one.binds)}".rstrip() for one in statements)


STATEMENTS = {
    "": "",
    "import a.b, c as d\n": "import 1-1 a d",
    "from a import b as c, d\nfrom e import *\n": "import 1-1 c d; import 2-2",
    "def f():\n    x = 1\n\nasync def g(): pass\n": "def 1-2 f; def 4-4 g",
    "@a\n@b(\n  1)\nclass C:\n    x = 1\n": "class 1-5 C",
    "y = 1\n@(\n    a\n)\ndef f(): pass\n": "other 1-1 y; def 2-5 f",
    "x = 1; y = 2; import z\n": "other 1-1 x y z",
    "import x; import y\n": "import 1-1 x y",
    "x = 1; \\\ny = 2\nz = 3\n": "other 1-2 x y; other 3-3 z",
    "import x; \\\nimport y\n": "import 1-2 x y",
    "x = '''\n'''; y = 2\nz = 3\n": "other 1-2 x y; other 3-3 z",
    "if __name__ == '__main__':\n    x = 1\n": "main 1-2 x",
    "if ('__main__' == __name__):\n    x = 1\n": "main 1-2 x",
    "if __name__ == '__main__':\n    x = 1\nelse:\n    y = 1\n": "other 1-4 x y",
    "if __name__ != '__main__': x = 1\n": "other 1-1 x",
    "try:\n    import a\nexcept ImportError as e:\n    a = None\nelse: b = 1\nfinally: c = 1\n": "other 1-6 a e b c",
    "if x:\n    def f(): pass\nelif y:\n    class f: pass\nelse:\n    g = 1\n": "other 1-6 f g",
    "with a as b, c as (d, *e):\n    f = 1\n": "other 1-2 b d e f",
    "for i, x[0], y.z in a:\n    j = 1\nelse:\n    k = 1\n": "other 1-4 i j k",
    "while (n := f()):\n    m = 1\n": "other 1-2 n m",
    "match a:\n    case {'k': v, **rest}: x = 1\n    case [C(p=q), *s] as t: pass\n": "other 1-3 rest v x t q s",
    "a = b = c, (d, [e]) = f()\n": "other 1-1 a b c d e",
    "x: int\ny: int = 1\nz += 1\ndel w\n": "other 1-1; other 2-2 y; other 3-3 z; other 4-4 w",
    "x = [y := 1 for z in w if (v := z)]\n": "other 1-1 x y v",
    "x = lambda a=(b := 1): (c := a)\n": "other 1-1 x b",
    "@d(a := 1)\ndef f(x=(b := 2)) -> (c := 3):\n    (e := 1)\n": "def 1-3 f a b c",
    "@d(a := 1)\nclass C(B, k=(b := 2)):\n    (c := 1)\n    x = [1 for y in z]\n": "class 1-4 C a b",
    "x = [y for y in z]\nf(w)\n": "other 1-1 x; other 2-2",
    "\fx = 1\r\ny = 2\r\n\f\r\ndef f():\r\n    pass\r\n": "other 1-1 x; other 2-2 y; def 4-5 f",
    "x = 1\ry = 2\r": "other 1-1 x; other 2-2 y",
    "\ufeffx = '\u2028\x0b\x1c'\ny = 2\n": "other 1-1 x; other 2-2 y",
    "global x\nx = 1\n": "other 1-1; other 2-2 x",
}


@pytest.mark.parametrize(("text", "expected"), STATEMENTS.items())
def test_statements(text: str, expected: str) -> None:
    assert line_by_line(index(text).statements) == expected


@pytest.mark.skipif(sys.version_info < (3, 12), reason="type aliases are new in Python 3.12")
def test_type_alias() -> None:
    assert line_by_line(index("type X[T] = list[T]\ny = (z := 1)\n").statements) == "other 1-1 X; other 2-2 y z"


def test_names() -> None:
    text = (
        "try:\n    import a\nexcept ImportError:\n    a = None\nb = 1\nif b:\n    from c import b\n"
        "if __name__ == '__main__':\n    b = a = 2\ndel b\n"
    )
    assert index(text).names == {"a": (0,), "b": (1, 2, 4)}


def test_a_long_chain_of_branches() -> None:
    text = "if a == 0: x0 = 1\n" + "".join(f"elif a == {number}: x{number} = 1\n" for number in range(1, 90))
    assert list(index(text).names) == [f"x{number}" for number in range(90)]
    assert index("x = " + " + ".join("a" * 900) + "\n(y := 1)\n").names == {"x": (0,), "y": (1,)}


@pytest.mark.parametrize(
    ("text", "stars"),
    [
        ("from a import *\nfrom ..b.c import *\nfrom . import *\n", ((0, "a"), (2, "b.c"), (1, ""))),
        ("try:\n    from a import *\nexcept ImportError:\n    from b import *\n", ((0, "a"), (0, "b"))),
        ("if __name__ == '__main__':\n    from a import *\n", ()),
        ("x = 2 * 3\nfrom a import b\n", ()),
    ],
)
def test_stars(text: str, stars: tuple[tuple[int, str], ...]) -> None:
    assert index(text).stars == stars


EXPORTS: dict[str, tuple[str, ...] | None] = {
    "": None,
    "__all__ = []": (),
    "__all__ = ['a', 'b']": ("a", "b"),
    "__all__ = ('a',)": ("a",),
    "__all__: list[str] = ['a']": ("a",),
    "__all__: list[str]\n__all__ = ['a']": ("a",),
    "__all__ = ['a'] + ['b'] + ['c']": ("a", "b", "c"),
    "__all__ = ['a']\n__all__ += ['b']\n__all__.append('c')\n__all__.extend(('d', 'e'))": ("a", "b", "c", "d", "e"),
    "__all__ = ['a']\n__all__ = ['b']": ("b",),
    "__all__ = ['a']\nif __name__ == '__main__':\n    __all__ += b": ("a",),
    "__all__ = ['a']\nprint(__all__)\nfor name in __all__: pass": ("a",),
    "__all__ = ['a']\n__all__ += b.__all__": None,
    "__all__ = ['a']\nif x:\n    __all__ += ['b']": None,
    "__all__ = ['a']\n__all__.remove('a')": None,
    "__all__ = ['a']\nif x: __all__.append('b')": None,
    "__all__ = ['a']\n__all__[0] = 'b'": None,
    "__all__ = ['a']\ndel __all__": None,
    "__all__ = [f.__name__]": None,
    "__all__ = ['a', *b]": None,
    "__all__ = ['a', 1]": None,
    "__all__ = 'a b'.split()": None,
    "__all__ = x = ['a']": None,
    "__all__ += ['a']": None,
    "x = '__all__'": None,
}


@pytest.mark.parametrize(("text", "exports"), EXPORTS.items())
def test_exports(text: str, exports: tuple[str, ...] | None) -> None:
    found = index(text)
    assert found.exports == exports
    assert ("__all__" in found.names) == (exports is not None or "__all__ =" in text or "+=" in text)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("def f():\n    global a, b\n    a = 1\n", {"a", "b"}),
        ("class C:\n    def f(self):\n        if self:\n            def g():\n                global a\n", {"a"}),
        ("def f():\n    match x:\n        case 1:\n            global a\n", {"a"}),
        ("def f():\n    try: pass\n    except E:\n        global a\n    finally:\n        global b\n", {"a", "b"}),
        ("x = 'global a'\nglobal_step = 1\n", set()),
    ],
)
def test_globals(text: str, names: set[str]) -> None:
    assert index(text).globals == names
