"""What a name of one file holds that another file binds: every form of import, names that are not there."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.support.bindings import found, held, linked

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
    "not there in a module": (
        "import pkg.ops\nx = pkg.ops.nothing",
        "x",
        "unknown: name that its module does not bind",
    ),
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
    "module and package": (
        {"b.py": OPS, "b/__init__.py": OPS, "use.py": "from b import f as x"}, "unknown: ambiguous import",
    ),
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
    "Python's own goes to Python": ({"math.py": "sin = 1\n", "use.py": "from math import sin as x"}, "math.sin"),
}  # fmt: skip

HOPS: dict[str, tuple[Files, str]] = {
    "one hop": ({"p/__init__.py": "from .a import f\n", "p/a.py": OPS, "use.py": "from p import f as x"}, "p/a.py: f"),
    "three hops": (
        {
            "a.py": OPS, "b.py": "from a import g\n", "c.py": "import b\nh = b.g\n", "d.py": "from c import h as i\n",
            "use.py": "from d import i as x",
        },
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
    "star leaves out": (
        {"a.py": "__all__ = ['g']\n" + OPS, "b.py": "from a import *\n", "use.py": "from b import f as x"}, NOT_BOUND,
    ),
    "star of a star": (
        {"a.py": OPS, "b.py": "from a import *\n", "c.py": "from b import *\n", "use.py": "from c import *\nx = g"},
        "jax.jit(a.py: f)",
    ),
    "the last star wins": (
        {
            "a.py": OPS, "b.py": "def f(y): pass\n", "c.py": "from a import *\nfrom b import *\n",
            "use.py": "from c import f as x",
        },
        "b.py: f",
    ),
    "own names before stars": (
        {"a.py": OPS, "b.py": "from a import *\nf = 1\n", "use.py": "from b import f as x"}, "1",
    ),
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
    "star of a library is not passed on": (
        {"a.py": "from jax.numpy import *\n", "use.py": "from a import ones as x"}, NOT_BOUND,
    ),
    "circle": (
        {"a.py": "import b\n" + OPS, "b.py": "import a\nh = a.f\n", "use.py": "from b import h as x"},
        "a.py: f",
    ),
    "circle of one name": (
        {"a.py": "from b import f\n", "b.py": "from a import f\n", "use.py": "from a import f as x"}, NOT_BOUND,
    ),
    "circle through packages": (
        {
            "p/__init__.py": "from .a import f\n", "p/a.py": "from . import b\ndef f(y): pass\n",
            "p/b.py": "from p import f\n", "use.py": "from p.b import f as x",
        },
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
        {
            "a.py": OPS, "b.py": "try:\n    from a import f\nexcept ImportError:\n    from nowhere import f\n",
            "use.py": "from b import f as x",
        },
        "a.py: f",
    ),
    "one or None, by ImportError": (
        {
            "a.py": OPS, "b.py": "try:\n    from a import f\nexcept ImportError:\n    f = None\n",
            "use.py": "from b import f as x",
        },
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
    "wrapped by a function": (
        "import jax\ndef w(f):\n    return jax.jit(f)\ndef f(a): pass\nx = w(f)", "jax.jit(ops.py: f)",
    ),
    "wrapped twice": (
        "import jax\ndef w(f): return jax.jit(jax.vmap(f))\n@w\ndef x(a): pass", "jax.jit(jax.vmap(ops.py: x))",
    ),
    "made by a function": (
        "def make():\n    def inner(a): return a\n    return inner\nx = make()", "ops.py: make.<locals>.inner",
    ),
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
    "an import, then bound again": ("from math import sin\nx = sin\nsin = 2", "math.sin"),
}  # fmt: skip


@pytest.mark.parametrize("name", IN_ORDER)
def test_statements_read_what_is_bound_before_them(name: str, tmp_path: Path) -> None:
    text, expected = IN_ORDER[name]
    assert held(linked(tmp_path, {"ops.py": text + "\n", "use.py": "from ops import x\n"}), "x") == expected


@pytest.mark.parametrize(("again", "is_one"), [("key = jax.random.key(1)\n", False), ("", True)])
def test_a_key_is_the_one_that_was_bound_then(again: str, is_one: bool, tmp_path: Path) -> None:
    texts = {
        "ops.py": f"import jax\nkey = jax.random.key(0)\nfirst = key\n{again}",
        "use.py": "import jax\nfrom ops import first, key\nx = jax.random.normal(first)\ny = jax.random.normal(key)\n",
    }
    linked(tmp_path, texts)
    assert ["JAX101" in row for row in found(tmp_path, "use.py")] == [True] * is_one


# What a function of ops.py that gives back `y` finds there, as use.py calls it.
READ: dict[str, tuple[str, str]] = {
    "bound once": ("y = 1", "1"),
    "bound twice": ("y = 1\ny = 2", "unknown: global bound in several places"),
    "bound nowhere": ("", "y"),
    "declared global": ("y = 1\ndef change():\n    global y\n    y = 2", "unknown: global bound in several places"),
    "declared global only": ("def change():\n    global y\n    y = 2", "unknown: global that is not bound yet"),
    "bound twice to one function": ("def f(a): pass\ny = f\ny = f", "ops.py: f"),
    "bound to two functions": ("def y(a): pass\ndef y(b): pass", "unknown: global bound in several places"),
    "imported twice": ("from math import sin as y\nfrom math import sin as y", "math.sin"),
    "imported, or something else": (
        "try:\n    from math import sin as y\nexcept ImportError:\n    y = 3", "math.sin",
    ),
    "bound in branches": (
        "import sys\nif sys.argv:\n    y = 1\nelse:\n    y = 2", "unknown: global bound in several places",
    ),
    "under main": ("y = 1\nif __name__ == '__main__':\n    y = 2", "1"),
}  # fmt: skip


@pytest.mark.parametrize("name", READ)
def test_globals_that_a_function_reads(name: str, tmp_path: Path) -> None:
    text, expected = READ[name]
    files = linked(
        tmp_path, {"ops.py": f"{text}\ndef read():\n    return y\n", "use.py": "from ops import read\nx = read()\n"}
    )
    assert held(files, "x") == expected


# The body of a function, as use.py calls it.
INNER: dict[str, tuple[str, str]] = {
    "import": ("from ops import f\n    return f", "ops.py: f"),
    "import of a module": ("import ops\n    return ops.g", "jax.jit(ops.py: f)"),
    "import as": ("import ops as o\n    return o.N", "3"),
    "import in a branch": ("if __debug__:\n        from ops import f\n    return f", "ops.py: f"),
    "import in try": (
        "try:\n        from ops import f\n    except ImportError:\n        f = None\n    return f", "ops.py: f",
    ),
    "not there": ("from ops import nothing\n    return nothing", NOT_BOUND),
    "a closure": ("from ops import f\n    def inner():\n        return f\n    return inner()", "ops.py: f"),
    "of a class in it": ("class C:\n        from ops import f\n    return C.f", "ops.py: f"),
}  # fmt: skip


@pytest.mark.parametrize("name", INNER)
def test_imports_in_functions(name: str, tmp_path: Path) -> None:
    body, expected = INNER[name]
    files = linked(
        tmp_path, {"ops.py": OPS, "mid.py": f"def get():\n    {body}\n", "use.py": "from mid import get\nx = get()\n"}
    )
    assert held(files, "x") == expected


# base.py, sub.py, an expression of use.py.
CLASSES: dict[str, tuple[str, str, str, str]] = {
    "method": ("class A:\n    def f(self): pass", "from base import A\nclass B(A): pass", "B.f", "base.py: A.f"),
    "bound method": ("class A:\n    def f(self): return 4", "from base import A\nclass B(A): pass", "B().f()", "4"),
    "by module": ("class A:\n    def f(self): return 4", "import base\nclass B(base.A): pass", "B().f()", "4"),
    "overridden": (
        "class A:\n    def f(self): return 4", "from base import A\nclass B(A):\n    def f(self): return 5", "B().f()",
        "5",
    ),
    "super": (
        "class A:\n    def f(self): return 4", "from base import A\nclass B(A):\n    def f(self): return super().f()",
        "B().f()", "4",
    ),
    "attribute": ("class A:\n    n = 6", "from base import A\nclass B(A): pass", "B.n", "6"),
    "hook": (
        "class A:\n    def f(self): return self.g()", "from base import A\nclass B(A):\n    def g(self): return 7",
        "B().f()", "7",
    ),
    "static": (
        "class A:\n    @staticmethod\n    def f(): return 4", "from base import A\nclass B(A): pass", "B.f()", "4",
    ),
    "base that is not there": (
        "", "from base import A\nclass B(A): pass", "B().f()", "unknown: call of an unknown function",
    ),
    "base of each other": (
        "from sub import B\nclass A(B): pass", "from base import A\nclass B(A): pass", "B", "class B of sub.py",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CLASSES)
def test_classes_of_several_files(name: str, tmp_path: Path) -> None:
    base, sub, expression, expected = CLASSES[name]
    files = linked(
        tmp_path, {"base.py": base + "\n", "sub.py": sub + "\n", "use.py": f"from sub import B\nx = {expression}\n"}
    )
    assert held(files, "x") == expected
