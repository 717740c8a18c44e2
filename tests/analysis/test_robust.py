"""The linter finishes, in time that grows with the code, whatever Python it is given."""

from __future__ import annotations

import ast
import sysconfig
from pathlib import Path

import pytest

from flake8_jax.analysis.checks.keys.relations import MAXIMUM_RELATED, UNCOMPARED
from flake8_jax.analysis.modules import staleness
from flake8_jax.analysis.modules.staleness import MAXIMUM_CHANGES
from flake8_jax.driver.linter import lint
from flake8_jax.model.config import Config
from flake8_jax.model.report import Report
from flake8_jax.syntax.depth import LONGEST, depth_of_tree
from flake8_jax.syntax.source import SourceFile
from tests.support import slices

HEAD = "import jax\nimport jax.numpy as jnp\n"
STDLIB = sorted(Path(sysconfig.get_path("stdlib")).glob("*.py"))
DEFECT = "a defect of flake8-jax"


def judged(text: str) -> tuple[str | None, list[str]]:
    report = lint(SourceFile("/nowhere/any.py", text), Config())
    return report.given_up, [diagnostic.code for diagnostic in report.diagnostics]


@pytest.mark.slow
@slices.each("path", STDLIB, slices.grammar, least=16, ids=lambda path: path.stem)
def test_the_standard_library_is_judged(path: Path) -> None:
    given_up, _ = judged(
        HEAD + path.read_text(encoding="utf-8", errors="replace").replace("from __future__", "from future")
    )
    assert given_up is None or DEFECT not in given_up


def chain(count: int) -> str:
    calls = "".join(f"def f{i}(x):\n    return f{i + 1}(x) if x is None else x\n" for i in range(count))
    return HEAD + calls + f"def f{count}(x):\n    return x\njax.jit(f0)(1.0)\n"


STRANGE = {
    "mutual recursion": "def f(x, n):\n    return g(x, n)\ndef g(x, n):\n    return f(x, n) if n else x\nf(1, 2)\n",
    "class of itself": "class A:\n    def __init__(self):\n        self.a = A()\n        self.b = self.a\nA().a\n",
    "property that calls itself": "class A:\n    @property\n    def p(self):\n        return self.p.p\nA().p\n",
    "class that is its own base": "class A:\n    pass\nclass A(A):\n    pass\nA().x\n",
    "decorators of all kinds": "d = [jax.jit]\n@d[0]\n@(lambda f: f)\n@d.pop\ndef f(x):\n    return x\nf(1)\n",
    "shadowed names": "jnp = 1\njax = jax\ndef jit(jit):\n    return jit\nlen = jit\nprint = len\nprint(len)\n",
    "star import": "from jax.numpy import *\nfrom nowhere import *\nzeros(3)\n",
    "many parameters": "def f(" + ", ".join(f"p{i}" for i in range(300)) + "):\n    return p0\nf(*range(300))\n",
    "closures in closures": "".join(f"{' ' * i}def f{i}(x):\n" for i in range(40)) + " " * 40 + "return x\n",
    "lambdas in lambdas": "f = " + "".join(f"lambda x{i}: " for i in range(60)) + "x0\nf(1)\n",
    "large display": "d = {" + ", ".join(f"'k{i}': [{i}, jnp.ones({i})]" for i in range(3000)) + "}\n",
    "function that calls its argument": "def f(g):\n    return g(g)\nf(f)\njax.jit(f)(f)\n",
    "partial of itself": "from functools import partial\ng = lambda f, x: f(f, x)\npartial(g, g)(1)\n",
    "unbound and deleted": "def f():\n    del x\n    x = 1\n    return x\nf()\ndel f\nf()\n",
    "nothing but a comment": "# jax\n",
}


@pytest.mark.parametrize("name", STRANGE)
def test_strange_code_is_judged(name: str) -> None:
    given_up, _ = judged(HEAD + STRANGE[name])
    assert given_up is None


def ladder(count: int) -> str:
    """A function whose last `elif` uses a key twice."""
    arms = "".join(f"    elif n == {i}:\n        y = x * {i}\n" for i in range(count - 1))
    last = "    elif n == -2:\n        y = jax.random.normal(key) + jax.random.normal(key)\n"
    return HEAD + f"def f(key, x, n):\n    if n == -1:\n        y = x\n{arms}{last}    return y\n"


def test_a_long_ladder_is_judged_to_its_last_rung() -> None:
    assert judged(ladder(LONGEST)) == (None, ["JAX101"])
    assert judged(ladder(LONGEST + 1))[0] == "more than 1000 `elif` of one `if`"


def test_branches_inside_branches_are_no_ladder() -> None:
    def depths(text: str) -> tuple[int, int]:
        tree, lines = ast.parse(text), text.splitlines(keepends=True)
        both = (depth_of_tree(tree, text, lines, is_for_libcst) for is_for_libcst in (True, False))
        return next(both), next(both)

    inside = "".join(" " * depth + line for depth in range(20) for line in ("if n:\n", " pass\n", "else:\n"))
    assert depths(f"{inside}{' ' * 20}pass\n") == (21, 21)
    assert depths("if n:\n pass\n" + "elif n:\n pass\n" * 19) == (21, 2)


def seeds(count: int) -> Report:
    """What is said of a function that makes one key so often."""
    drawn = "".join("    x = x + jax.random.normal(jax.random.key(0))\n" for _ in range(count))
    return lint(SourceFile("/nowhere/any.py", f"{HEAD}def f(x):\n{drawn}    return x\n"), Config(enable=("JAX",)))


def test_keys_beyond_the_bound_of_comparisons_are_counted() -> None:
    few, many = seeds(MAXIMUM_RELATED + 1), seeds(MAXIMUM_RELATED + 3)
    assert UNCOMPARED not in few.statistics.given_up
    assert many.statistics.given_up[UNCOMPARED] == 2
    for report, count in ((few, MAXIMUM_RELATED + 1), (many, MAXIMUM_RELATED + 3)):  # with the first each is compared
        assert [one.span.line for one in report.diagnostics if one.code == "JAX105"] == list(range(5, 4 + count))


def settings(above: int, below: int) -> Report:
    """What is said of a traced read whose variable changes between two calls, and in functions that nobody calls."""

    def unused(first: int, count: int) -> str:
        return "".join(f"def set{i}():\n    global n\n    n = {i}\n" for i in range(first, first + count))

    traced = "n = 0\n@jax.jit\ndef f(x):\n    return x + n\nf(1.0)\n"
    return lint(
        SourceFile("/nowhere/any.py", f"{HEAD}{unused(0, above)}{traced}{unused(above, below)}n = 1\nf(1.0)\n"),
        Config(enable=("JAX",)),
    )


def test_changes_beyond_the_bound_of_comparisons_are_counted() -> None:
    few, many = MAXIMUM_CHANGES - 2, MAXIMUM_CHANGES  # there are two at the top level beside them
    for above, below, is_told in ((0, few, True), (200, few, True), (0, many, False)):
        report = settings(above, below)
        assert ("JAX302" in [one.code for one in report.diagnostics]) == is_told
        assert (staleness.UNCOMPARED in report.statistics.given_up) == (above + below > few)


@pytest.mark.slow
def test_a_long_chain_of_calls_is_judged() -> None:
    assert judged(chain(200))[0] is None


CYCLE = """
from functools import partial
class Child:
    def __init__(self, parent):
        self.parent = parent
        self.x = jnp.ones(3)
class Parent:
    def __init__(self):
        self.children = [Child(self), {"first": Child(self)}]
        self.me = self
        self.w = jnp.ones(3)
jax.tree_util.register_pytree_node(Parent, lambda a: ((a.w,), None), lambda aux, children: Parent())
@partial(jax.jit, donate_argnums=0)
def step(a):
    return a
def run():
    a = Parent()
    b = jax.tree.map(lambda x: x + 1, a), jax.vmap(lambda s: s.w)(a), jax.grad(lambda s: s.w.sum())(a)
    c = jax.lax.scan(lambda c, x: (c, x), a, a.w), jax.lax.cond(True, lambda s: s, lambda s: s, a)
    print(f"{a}", a.w, step(a))
    return b, c, a.w  # its buffer was donated
"""


def test_objects_that_hold_themselves_are_judged() -> None:
    given_up, codes = judged(HEAD + CYCLE)
    assert given_up is None
    assert "JAX506" in codes


RENEWING = """
import jax


class Adjoint:
    def __init__(self, target, lazy):
        self.target = target
        self.lazy = lazy

    def __call__(self, *args, **options):
        if not self.lazy:
            return self.expand(args, options)
        return self.target(*args, **options)

    def expand(self, args, options):
        tape = self.target(*args, **options)
        for op in reversed(tape.operations):
            if op.is_hybrid:
                Adjoint(lambda bound=op: bound.apply(), lazy=True)()
            else:
                Adjoint(lambda bound=op: bound.adjoint(), lazy=False)()


def run(f, x):
    return Adjoint(f, False)(x)


key = jax.random.key(0)
a = jax.random.normal(key)
b = jax.random.normal(key)
"""


def test_objects_that_call_new_ones_of_their_class_are_specialized_a_few_times() -> None:
    report = lint(SourceFile("/nowhere/adjoint.py", RENEWING), Config())
    assert [finding.code for finding in report.diagnostics] == ["JAX101"]
    assert report.statistics.costs.bodies < 1_000


LENGTHENING = {
    "star-arguments": "def f(*values, flag=False):\n    return f(*values, flag) if flag else values[0]\nf(1)\n",
    "two that call each other": """
def f(*a, k=None):
    return g(*a, 1, k=k) if k else a[0]
def g(*a, k=None):
    return f(*a, 2, k=k) if k else a[1]
f(1, k=2)
""",
    "arguments that an object keeps": """
class Parts:
    def __init__(self, *parts):
        self.parts = parts
    def more(self, x):
        return Parts(*self.parts, x).more(x)
Parts(print).more(3)
""",
    "names": """
def f(x, **names):
    return f(x, **names, **{"a" + name: x for name in names}) if x else g(**names, more=x)
def g(**names):
    return f(3, **names)
f(1, a=2)
""",
}


@pytest.mark.parametrize("name", LENGTHENING)
def test_functions_that_pass_on_more_than_they_got_are_specialized_a_few_times(name: str) -> None:
    twice = "key = jax.random.key(0)\na = jax.random.normal(key)\nb = jax.random.normal(key)\nprint(a, b)\n"
    report = lint(SourceFile("/nowhere/lengthening.py", HEAD + LENGTHENING[name] + twice), Config())
    assert [finding.code for finding in report.diagnostics] == ["JAX101"]
    assert report.statistics.costs.bodies < 100
