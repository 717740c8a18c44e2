"""What a name of one file holds that another file binds: every form of import, odd files, names that are not there."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from held import APART, ROOT, found, held, linked
from layouts import tree

from flake8_jax.projects import Projects

Files = Mapping[str, "str | bytes"]

OPS = "import jax\ndef f(x):\n    return x\ng = jax.jit(f)\n_h = g\nN = 3\n"
F, G = "pkg/ops.py: f", "jax.jit(pkg/ops.py: f)"
NOT_BOUND = "unknown: import of a name that is not bound there"

PACKAGE = {
    "pkg/__init__.py": "",
    "pkg/ops.py": OPS,
    "pkg/sub/__init__.py": "from .. import ops\nfrom ..ops import f as renamed\n",
    "pkg/sub/deep.py": "def f(x): pass\n",
}

# What stands in pkg/sub/use.py, a name, what it holds.
FORMS: dict[str, tuple[str, str, str]] = {
    "absolute": ("from pkg.ops import f", "f", F),
    "as": ("from pkg.ops import f as h", "h", F),
    "several": ("from pkg.ops import (f as h,\n  g,)", "g", G),
    "module": ("import pkg.ops\nx = pkg.ops.f", "x", F),
    "module, the first part": ("import pkg.ops", "pkg", "module pkg/__init__.py"),
    "module as": ("import pkg.ops as o", "o", "module pkg/ops.py"),
    "attribute of module as": ("import pkg.ops as o\nx = o.g", "x", G),
    "submodule from package": ("from pkg import ops as o\nx = o.f", "x", F),
    "package alone": ("import pkg\nx = pkg.ops.f", "x", F),
    "one level": ("from .deep import f", "f", "pkg/sub/deep.py: f"),
    "one level, module": ("from . import deep", "deep", "module pkg/sub/deep.py"),
    "two levels": ("from ..ops import f", "f", F),
    "two levels, module": ("from .. import ops as o\nx = o.f", "x", F),
    "three levels": ("from ...pkg.ops import f", "f", F),
    "too many levels": ("from ....pkg.ops import f", "f", "unknown: relative import"),
    "bound in the package": ("from . import renamed", "renamed", F),
    "module bound in the package": ("from pkg.sub import ops as o\nx = o.g", "x", G),
    "module bound in the package, whole path": ("import pkg.sub.deep\nx = pkg.sub.renamed", "x", F),
    "private": ("from pkg.ops import _h as x", "x", G),
    "a number": ("from pkg.ops import N", "N", "3"),
    "of an imported module's import": ("from pkg.ops import jax as j\nx = j.numpy.ones", "x", "jax.numpy.ones"),
    "not there": ("from pkg.ops import nothing", "nothing", NOT_BOUND),
    "no such module": ("from pkg.nothing import f", "f", NOT_BOUND),
    "no such relative module": ("from .nothing import f", "f", NOT_BOUND),
    "not there in a module": ("import pkg.ops\nx = pkg.ops.nothing", "x", "unknown: name that its module does not bind"),
    "a library": ("from jax.numpy import ones", "ones", "jax.numpy.ones"),
    "not of the project": ("from elsewhere import f", "f", "elsewhere.f"),
    "itself": ("from pkg.sub.use import x\ny = 1", "x", NOT_BOUND),
    "itself, another name": ("from pkg.sub.use import y as x\ny = 1", "x", "1"),
    "in try": ("try:\n    from pkg.ops import f\nexcept ImportError:\n    pass", "f", F),
    "in if": ("import typing\nif typing.TYPE_CHECKING:\n    from pkg.ops import f", "f", F),
    "TYPE_CHECKING": ("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from ..ops import f", "f", F),
    "on one line": ("from pkg.ops import f; x = f", "x", F),
    "on lines joined": ("from pkg.ops \\\n  import f", "f", F),
    "two on one line": ("import pkg.ops as o; from pkg.ops import f", "f", F),
    "in a class": ("class C:\n    from pkg.ops import f\nx = C.f", "x", F),
    "under main": ("if __name__ == '__main__':\n    from pkg.ops import f", "f", F),
    "bound again": ("from pkg.ops import f\nf = 1", "f", "1"),
    "shadowed by a def": ("from pkg.ops import f\ndef f(x): pass", "f", "pkg/sub/use.py: f"),
    "decorated by itself": ("import jax\nfrom pkg.ops import f\nf = jax.vmap(f)", "f", f"jax.vmap({F})"),
}


@pytest.mark.parametrize("name", FORMS)
def test_forms_of_import(name: str, tmp_path: Path) -> None:
    text, asked, expected = FORMS[name]
    files = linked(tmp_path, {**PACKAGE, "pkg/sub/use.py": text + "\n"})
    assert held(files, asked, "pkg/sub/use.py") == expected


# Files, what `x` of use.py holds.
LAYOUTS: dict[str, tuple[Files, str]] = {
    "src": ({"src/pkg/ops.py": OPS, "use.py": "from pkg.ops import f as x"}, "src/pkg/ops.py: f"),
    "namespace": ({"ns/a/b.py": OPS, "use.py": "import ns.a.b\nx = ns.a.b.f"}, "ns/a/b.py: f"),
    "namespace, module": ({"ns/a/b.py": OPS, "use.py": "from ns.a import b\nx = b.f"}, "ns/a/b.py: f"),
    "namespace binds nothing": ({"ns/a/b.py": OPS, "use.py": "from ns import f as x"}, "ns.f"),
    "beside": ({"ops.py": OPS, "use.py": "from ops import f as x"}, "ops.py: f"),
    "package before namespace": (
        {"lib/a.py": OPS, "src/lib/__init__.py": "f = 1\n", "use.py": "from lib import f as x"},
        "1",
    ),
    "module and package": ({"b.py": OPS, "b/__init__.py": OPS, "use.py": "from b import f as x"}, "unknown: ambiguous import"),
    "two packages": (
        {"b/__init__.py": OPS, "src/b/__init__.py": OPS, "use.py": "from b import f as x"},
        "unknown: ambiguous import",
    ),
    "ambiguous below": (
        {"p/__init__.py": "", "p/b.py": OPS, "p/b/__init__.py": OPS, "use.py": "import p\nx = p.b"},
        "unknown: ambiguous import",
    ),
    "name before submodule": (
        {"p/__init__.py": "ops = 1\n", "p/ops.py": OPS, "use.py": "from p import ops as x"},
        "1",
    ),
    "a library's name goes to the library": ({"jax.py": "jit = 1\n", "use.py": "import jax\nx = jax.jit"}, "jax.jit"),
    "Python's own goes to Python": ({"math.py": "pi = 1\n", "use.py": "from math import pi as x"}, "math.pi"),
}  # fmt: skip

HOPS: dict[str, tuple[Files, str]] = {
    "one hop": ({"p/__init__.py": "from .a import f\n", "p/a.py": OPS, "use.py": "from p import f as x"}, "p/a.py: f"),
    "three hops": (
        {"a.py": OPS, "b.py": "from a import g\n", "c.py": "import b\nh = b.g\n", "d.py": "from c import h as i\n", "use.py": "from d import i as x"},
        "jax.jit(a.py: f)",
    ),
    "through attributes of modules": (
        {"a.py": OPS, "b.py": "import a as inner\n", "use.py": "import b\nx = b.inner.f"},
        "a.py: f",
    ),
    "star": ({"a.py": OPS, "use.py": "from a import *\nx = f"}, "a.py: f"),
    "name of a star": ({"a.py": OPS, "b.py": "from a import *\n", "use.py": "from b import f as x"}, "a.py: f"),
    "star without private": ({"a.py": OPS, "b.py": "from a import *\n", "use.py": "from b import _h as x"}, NOT_BOUND),
    "star with __all__": (
        {"a.py": "__all__ = ['_h']\n" + OPS, "b.py": "from a import *\n", "use.py": "from b import _h as x"},
        "jax.jit(a.py: f)",
    ),
    "star leaves out": ({"a.py": "__all__ = ['g']\n" + OPS, "b.py": "from a import *\n", "use.py": "from b import f as x"}, NOT_BOUND),
    "star of a star": (
        {"a.py": OPS, "b.py": "from a import *\n", "c.py": "from b import *\n", "use.py": "from c import *\nx = g"},
        "jax.jit(a.py: f)",
    ),
    "the last star wins": (
        {"a.py": OPS, "b.py": "def f(y): pass\n", "c.py": "from a import *\nfrom b import *\n", "use.py": "from c import f as x"},
        "b.py: f",
    ),
    "own names before stars": ({"a.py": OPS, "b.py": "from a import *\nf = 1\n", "use.py": "from b import f as x"}, "1"),
    "stars in a circle": (
        {"a.py": "from b import *\n" + OPS, "b.py": "from a import *\nk = 2\n", "use.py": "from b import g as x"},
        "jax.jit(a.py: f)",
    ),
    "stars in a circle, not there": (
        {"a.py": "from b import *\n", "b.py": "from a import *\n", "use.py": "from b import g as x"},
        NOT_BOUND,
    ),
    "relative star": (
        {"p/__init__.py": "from .a import *\n", "p/a.py": OPS, "use.py": "import p\nx = p.f"},
        "p/a.py: f",
    ),
    "star of a package brings no submodules": (
        {"p/__init__.py": "", "p/a.py": OPS, "use.py": "from p import *\nx = a"},
        "a",
    ),
    "star of a library is not passed on": ({"a.py": "from jax.numpy import *\n", "use.py": "from a import ones as x"}, NOT_BOUND),
    "circle": (
        {"a.py": "import b\n" + OPS, "b.py": "import a\nh = a.f\n", "use.py": "from b import h as x"},
        "a.py: f",
    ),
    "circle of one name": ({"a.py": "from b import f\n", "b.py": "from a import f\n", "use.py": "from a import f as x"}, NOT_BOUND),
    "circle through packages": (
        {"p/__init__.py": "from .a import f\n", "p/a.py": "from . import b\ndef f(y): pass\n", "p/b.py": "from p import f\n", "use.py": "from p.b import f as x"},
        "p/a.py: f",
    ),
    "submodule in __init__": (
        {"p/__init__.py": "from . import a\n", "p/a.py": OPS, "use.py": "import p\nx = p.a.g"},
        "jax.jit(p/a.py: f)",
    ),
    "submodule and function of one name": (
        {"p/__init__.py": "from .f import f\n", "p/f.py": OPS, "use.py": "from p import f as x"},
        "p/f.py: f",
    ),
    "submodule and function of one name, module": (
        {"p/__init__.py": "from .f import f\n", "p/f.py": OPS, "use.py": "import p.f\nx = p.f"},
        "p/f.py: f",
    ),
    "one of two, by ImportError": (
        {"a.py": OPS, "b.py": "try:\n    from a import f\nexcept ImportError:\n    from nowhere import f\n", "use.py": "from b import f as x"},
        "a.py: f",
    ),
    "one or None, by ImportError": (
        {"a.py": OPS, "b.py": "try:\n    from a import f\nexcept ImportError:\n    f = None\n", "use.py": "from b import f as x"},
        "a.py: f",
    ),
}  # fmt: skip

VALUES: dict[str, tuple[str, str]] = {
    "an array": ("import jax.numpy as jnp\nx = jnp.ones(3)", "array"),
    "a key": ("import jax\nx = jax.random.key(0)", "key"),
    "keys": ("import jax\nx = jax.random.split(jax.random.key(0))", "keys"),
    "a number": ("x = 3", "3"),
    "a text": ("x = 'a'", "'a'"),
    "None": ("x = None", "None"),
    "a NumPy array": ("import numpy as np\nx = np.ones(3)", "numpy"),
    "a tuple": ("x = 1, 2", "tuple of 1, 2"),
    "one of two targets": ("x, y = 1, 2", "1"),
    "a dict of functions": ("def f(a): pass\nx = {'f': f}", "dict of ops.py: f"),
    "a lambda": ("x = lambda a: a", "ops.py: <lambda>"),
    "a class": ("class x: pass", "class x of ops.py"),
    "an instance": ("class C: pass\nx = C()", "instance C of ops.py"),
    "a method": ("class C:\n    def f(self): pass\nx = C.f", "ops.py: C.f"),
    "a library's function": ("import jax.numpy as jnp\nx = jnp.sin", "jax.numpy.sin"),
    "a partial": ("from functools import partial\ndef f(a, b): pass\nx = partial(f, 1)", "partial(ops.py: f, 1)"),
    "jitted by decorator": ("import jax\n@jax.jit\ndef x(a): pass", "jax.jit(ops.py: x)"),
    "jitted by partial": (
        "import jax\nfrom functools import partial\n@partial(jax.jit, static_argnums=0)\ndef x(a): pass",
        "jax.jit(ops.py: x)",
    ),
    "wrapped by a function": ("import jax\ndef w(f):\n    return jax.jit(f)\ndef f(a): pass\nx = w(f)", "jax.jit(ops.py: f)"),
    "wrapped twice": ("import jax\ndef w(f): return jax.jit(jax.vmap(f))\n@w\ndef x(a): pass", "jax.jit(jax.vmap(ops.py: x))"),
    "made by a function": ("def make():\n    def inner(a): return a\n    return inner\nx = make()", "ops.py: make.<locals>.inner"),
    "the last of two": ("x = 1\nx = 'a'", "'a'"),
    "changed in place": ("x = 1\nx += 1", "2"),
    "bound in branches": ("import sys\nif sys.argv:\n    x = 1\nelse:\n    x = 2", "OPEN"),
    "bound in one branch": ("import sys\nif sys.argv:\n    x = 1", "1"),
    "bound in a loop": ("for x in [1, 2]:\n    pass", "OPEN"),
    "bound in with": ("with open('a') as x:\n    pass", "unknown: entered context"),
    "bound by walrus": ("print(x := 4)", "4"),
    "declared": ("x: int", NOT_BOUND),
    "declared and bound": ("x: int = 5", "5"),
    "of itself": ("x = x", "unknown: global that is not bound yet"),
    "of each other": ("x = y\ny = x", "unknown: global that is not bound yet"),
    "under main": ("if __name__ == '__main__':\n    x = 1", "1"),
    "after an exit": ("raise SystemExit\nx = 1", "1"),
}  # fmt: skip


@pytest.mark.parametrize("name", LAYOUTS)
def test_layouts(name: str, tmp_path: Path) -> None:
    files, expected = LAYOUTS[name]
    assert held(linked(tmp_path, files), "x") == expected


@pytest.mark.parametrize("name", HOPS)
def test_names_that_are_passed_on(name: str, tmp_path: Path) -> None:
    files, expected = HOPS[name]
    assert held(linked(tmp_path, files), "x") == expected


@pytest.mark.parametrize("name", VALUES)
def test_values_of_other_files(name: str, tmp_path: Path) -> None:
    text, expected = VALUES[name]
    assert held(linked(tmp_path, {"ops.py": text + "\n", "use.py": "from ops import x\n"}), "x") == expected


# What is bound in several places.  Lines of ops.py; what `x` holds there once all has run.
IN_ORDER: dict[str, tuple[str, str]] = {
    "an alias, then bound again": ("y = 1\nx = y\ny = 2", "1"),
    "an import, then bound again": ("from math import pi\nx = pi\npi = 2", "math.pi"),
    "keys in turn": (
        "import jax\nk = jax.random.key(0)\nk, x = jax.random.split(k)\ny = x\nk, x = jax.random.split(k)\nx = x is y",
        "False",
    ),
}  # fmt: skip


@pytest.mark.xfail(strict=True, reason="a statement of another file reads what a name holds in the end")
@pytest.mark.parametrize("name", IN_ORDER)
def test_statements_read_what_is_bound_before_them(name: str, tmp_path: Path) -> None:
    text, expected = IN_ORDER[name]
    assert held(linked(tmp_path, {"ops.py": text + "\n", "use.py": "from ops import x\n"}), "x") == expected


# What a function of ops.py that gives back `y` finds there, as use.py calls it.
READ: dict[str, tuple[str, str]] = {
    "bound once": ("y = 1", "1"),
    "bound twice": ("y = 1\ny = 2", "unknown: global bound in several places"),
    "bound nowhere": ("", "y"),
    "declared global": ("y = 1\ndef change():\n    global y\n    y = 2", "unknown: global bound in several places"),
    "declared global only": ("def change():\n    global y\n    y = 2", "unknown: global that is not bound yet"),
    "bound twice to one function": ("def f(a): pass\ny = f\ny = f", "ops.py: f"),
    "bound to two functions": ("def y(a): pass\ndef y(b): pass", "unknown: global bound in several places"),
    "imported twice": ("from math import pi as y\nfrom math import pi as y", "math.pi"),
    "imported, or something else": (
        "try:\n    from math import pi as y\nexcept ImportError:\n    y = 3", "math.pi",
    ),
    "bound in branches": ("import sys\nif sys.argv:\n    y = 1\nelse:\n    y = 2", "unknown: global bound in several places"),
    "under main": ("y = 1\nif __name__ == '__main__':\n    y = 2", "1"),
}  # fmt: skip


@pytest.mark.parametrize("name", READ)
def test_globals_that_a_function_reads(name: str, tmp_path: Path) -> None:
    text, expected = READ[name]
    files = linked(tmp_path, {"ops.py": f"{text}\ndef read():\n    return y\n", "use.py": "from ops import read\nx = read()\n"})
    assert held(files, "x") == expected


# The body of a function, as use.py calls it.
INNER: dict[str, tuple[str, str]] = {
    "import": ("from ops import f\n    return f", "ops.py: f"),
    "import of a module": ("import ops\n    return ops.g", "jax.jit(ops.py: f)"),
    "import as": ("import ops as o\n    return o.N", "3"),
    "import in a branch": ("if __debug__:\n        from ops import f\n    return f", "ops.py: f"),
    "import in try": ("try:\n        from ops import f\n    except ImportError:\n        f = None\n    return f", "ops.py: f"),
    "not there": ("from ops import nothing\n    return nothing", NOT_BOUND),
    "a closure": ("from ops import f\n    def inner():\n        return f\n    return inner()", "ops.py: f"),
    "of a class in it": ("class C:\n        from ops import f\n    return C.f", "ops.py: f"),
}  # fmt: skip


@pytest.mark.parametrize("name", INNER)
def test_imports_in_functions(name: str, tmp_path: Path) -> None:
    body, expected = INNER[name]
    files = linked(tmp_path, {"ops.py": OPS, "mid.py": f"def get():\n    {body}\n", "use.py": "from mid import get\nx = get()\n"})
    assert held(files, "x") == expected


# base.py, sub.py, an expression of use.py.
CLASSES: dict[str, tuple[str, str, str, str]] = {
    "method": ("class A:\n    def f(self): pass", "from base import A\nclass B(A): pass", "B.f", "base.py: A.f"),
    "bound method": ("class A:\n    def f(self): return 4", "from base import A\nclass B(A): pass", "B().f()", "4"),
    "by module": ("class A:\n    def f(self): return 4", "import base\nclass B(base.A): pass", "B().f()", "4"),
    "overridden": ("class A:\n    def f(self): return 4", "from base import A\nclass B(A):\n    def f(self): return 5", "B().f()", "5"),
    "super": (
        "class A:\n    def f(self): return 4", "from base import A\nclass B(A):\n    def f(self): return super().f()", "B().f()", "4",
    ),
    "attribute": ("class A:\n    n = 6", "from base import A\nclass B(A): pass", "B.n", "6"),
    "hook": (
        "class A:\n    def f(self): return self.g()", "from base import A\nclass B(A):\n    def g(self): return 7", "B().f()", "7",
    ),
    "static": ("class A:\n    @staticmethod\n    def f(): return 4", "from base import A\nclass B(A): pass", "B.f()", "4"),
    "base that is not there": ("", "from base import A\nclass B(A): pass", "B().f()", "unknown: call of an unknown function"),
    "base of each other": ("from sub import B\nclass A(B): pass", "from base import A\nclass B(A): pass", "B", "class B of sub.py"),
}  # fmt: skip


@pytest.mark.parametrize("name", CLASSES)
def test_classes_of_several_files(name: str, tmp_path: Path) -> None:
    base, sub, expression, expected = CLASSES[name]
    files = linked(tmp_path, {"base.py": base + "\n", "sub.py": sub + "\n", "use.py": f"from sub import B\nx = {expression}\n"})
    assert held(files, "x") == expected


# How ops.py is written; use.py imports `x` of it.
DEEP = "(" * 1500 + "1" + ")" * 1500
ODD: dict[str, tuple[str | bytes, str]] = {
    "empty": ("", NOT_BOUND),
    "only comments": ("# x = 1\n\n   # nothing\n", NOT_BOUND),
    "only a docstring": ("'''x = 1'''\n", NOT_BOUND),
    "no newline at the end": ("x = 1", "1"),
    "decorators over lines": ("import jax\n@(\n  jax\n  .jit\n)\n\n# why\n@jax.vmap\ndef x(a):\n    pass\n", "jax.jit(jax.vmap(ops.py: x))"),
    "joined": ("y = 1; x = y; z = 2\n", "1"),
    "joined, bound twice": ("x = 1; y = x; x = 2\n", "2"),
    "joined behind a block": ("y = '''\n'''; x = 3\n", "3"),
    "joined with an import": ("import math; x = math.pi\n", "math.pi"),
    "a def on one line": ("def x(a): b = a; return b\n", "ops.py: x"),
    "form feeds": ("\f\ny = 1\n\f\n\fx = 2\n", "2"),
    "CRLF": ("def x(a):\r\n    return a\r\n\r\ny = 1\r\n", "ops.py: x"),
    "CR": ("y = 1\rx = y\r", "1"),
    "mixed newlines": ("y = 1\r\nz = y\rx = z\n", "1"),
    "byte order mark": (b"\xef\xbb\xbfx = 1\n", "1"),
    "cookie": ("# coding: latin-1\nx = '\xe9'\n".encode("latin-1"), "'\xe9'"),
    "wrong cookie": (b"# coding: nonsense\nx = 1\n", NOT_BOUND),
    "not UTF-8": (b"x = '\xff'\n", NOT_BOUND),
    "NUL": (b"x = 1\n\0\n", NOT_BOUND),
    "syntax error": ("x = 1\ndef f(:\n", NOT_BOUND),
    "tabs": ("if True:\n\tx = 1\n", "1"),
    "lines joined": ("x = \\\n  1\n", "1"),
    "long text": ("x = '''\na\n'''\n", "'\\na\\n'"),
    "nested too deep for Python": (f"y = {DEEP}\nx = 1\n", NOT_BOUND),
    "names beyond ASCII": ("x = \u00e9\u00e9 = 1\n", "1"),
    "semicolon at the end": ("x = 1;\n", "1"),
    "separators that are no newlines": ("y = '\u2028\x0b\x1c'\nx = 1\n", "1"),
}  # fmt: skip


@pytest.mark.parametrize("name", ODD)
def test_odd_files(name: str, tmp_path: Path) -> None:
    text, expected = ODD[name]
    assert held(linked(tmp_path, {"ops.py": text, "use.py": "from ops import x\n"}), "x") == expected


LIMITED = " + ".join("1" * 300)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"y = {LIMITED}\nx = 1\n", "1"),
        (f"x = {LIMITED}\n", "unknown: statement that cannot be parsed"),
        (f"y = {LIMITED}\nx = y\n", "unknown: statement that cannot be parsed"),
    ],
)
def test_a_statement_that_is_nested_too_deep_costs_itself_alone(text: str, expected: str, tmp_path: Path) -> None:
    assert held(linked(tmp_path, {"ops.py": text, "use.py": "from ops import x\n"}), "x") == expected


def test_files_that_disappear(tmp_path: Path) -> None:
    texts = {"ops.py": OPS, "use.py": "from ops import f as x\n"}
    files = linked(tmp_path, texts)
    assert files.project is not None
    assert files.project.importers(str(tmp_path / "ops.py"))
    (tmp_path / "ops.py").unlink()
    assert held(files, "x") == "ops.py: f", "what was read is kept"
    files = linked(tmp_path, texts)
    assert files.project is not None
    assert len(files.project.files()) == 2
    (tmp_path / "ops.py").unlink()
    assert held(files, "x") == NOT_BOUND
    assert held(linked(tmp_path, {}), "x") == "ops.f", "now it is somebody else's"


# How ops.py is written, where the branch in it is found; use.py jits `f`.
BRANCH = "if x > 0: pass"
PLACES: dict[str, tuple[str | bytes, str]] = {
    "plain": (f"def f(x):\n    {BRANCH}\n", "2:7"),
    "second of a line": ("a = 1; b = 2; f = lambda x: 1 if x > 0 else 2\n", "1:33"),
    "decorated": (f"import functools\n@functools.cache\n@(\n  functools.cache)\ndef f(x):\n    {BRANCH}\n", "6:7"),
    "under comments": (f"# a\n\n\n# b\ndef f(x):\n    # c\n\n    {BRANCH}\n", "8:7"),
    "form feed": (f"y = 1\n\f\ndef f(x):\n    {BRANCH}\n", "4:7"),
    "CRLF": (f"y = 1\n\ndef f(x):\n    {BRANCH}\n".replace("\n", "\r\n"), "4:7"),
    "CR": (f"y = 1\r\rdef f(x):\r    {BRANCH}\r", "4:7"),
    "byte order mark": (f"\ufeffdef f(x):\n    {BRANCH}\n", "2:7"),
    "cookie": (f"# coding: latin-1\ndef f(x):\n    y = '\xe9\xe9'\n    {BRANCH}\n".encode("latin-1"), "4:7"),
    "beyond ASCII": ("def f(x):\n    \xe9 = '\U0001f600'; y = 1 if x > 0 else 2\n", "2:22"),
    "tabs": (f"def f(x):\n\t{BRANCH}\n", "2:4"),
    "in a block": (f"if True:\n    def f(x):\n        {BRANCH}\n", "3:11"),
    "in try": (f"try:\n    def f(x):\n        {BRANCH}\nexcept ImportError:\n    pass\n", "3:11"),
    "a lambda": ("f = lambda x: 1 if x > 0 else 2\n", "1:19"),
    "behind a long text": ("'''a\nb\nc'''\ny = '''\n\n'''; f = (lambda x:\n  1 if x > 0 else 2)\n", "7:7"),
    "no newline at the end": (f"def f(x):\n    {BRANCH}", "2:7"),
    "joined lines": ("def f(x):\n    return \\\n        1 if x > 0 \\\n        else 2\n", "3:13"),
    "under main": (f"if __name__ == '__main__':\n    pass\ndef f(x):\n    {BRANCH}\n", "4:7"),
    "in a class": (f"class C:\n    @staticmethod\n    def f(x):\n        {BRANCH}\nf = C.f\n", "4:11"),
}  # fmt: skip


@pytest.mark.parametrize("order", [("ops.py",), ("ops.py", "use.py"), ("use.py", "ops.py"), ("use.py", "ops.py", "use.py")])
@pytest.mark.parametrize("name", PLACES)
def test_places_in_odd_files(name: str, order: tuple[str, ...], tmp_path: Path) -> None:
    text, expected = PLACES[name]
    tree(tmp_path, {**ROOT, "ops.py": text, "use.py": "import jax\nfrom ops import f\ng = jax.jit(f)\n"})
    rows = found(tmp_path, *order, projects=Projects(APART))
    assert [row.partition(" JAX401")[0] for row in rows] == [f"ops.py:{expected}:"]
