"""Signatures are the same in whatever order functions are asked for, in circles and in depth."""

from __future__ import annotations

import random
from collections.abc import Iterable
from itertools import permutations
from pathlib import Path

import pytest

from flake8_jax.analysis import stacks
from flake8_jax.driver.projects import Projects
from tests.support.bindings import APART, ROOT, found, held, linked, signature
from tests.support.layouts import tree

Asked = tuple[str, str]
HEAD = "import jax\nimport jax.numpy as jnp\n"

# Files whose functions call each other, and the functions.
SETS: dict[str, dict[str, str]] = {
    "two of one file": {
        "a.py": "def f(x):\n    return g(x) if x > 0 else 1\ndef g(x):\n    print(x)\n    return f(x)\n",
    },
    "three in a ring": {
        "a.py": "import b\ndef f(x):\n    if x > 0:\n        return 0\n    return b.g(x)\n",
        "b.py": "import c\ndef g(x):\n    print(x)\n    return c.h(x)\n",
        "c.py": "import a, jax\ndef h(x):\n    return jax.random.normal(x) + a.f(x)\n",
    },
    "two rings that share a function": {
        "a.py": "from b import g\nfrom c import h\ndef f(x):\n    return g(x) + h(x)\n",
        "b.py": "from a import f\ndef g(x):\n    return f(x) if x > 1 else x\n",
        "c.py": "from a import f\ndef h(x):\n    return f(x) if x > 2 else x\n",
    },
    "a ring in a ring": {
        "a.py": "import b\ndef f(x):\n    return b.g(x)\n",
        "b.py": "import a, c\ndef g(x):\n    return c.h(x) if x > 0 else a.f(x)\n",
        "c.py": "import b\ndef h(x):\n    print(x)\n    return h(x) or b.g(x)\n",
    },
    "each calls all": {
        f"{one}.py": "import a, b, c\n" + f"def {name}(x, y):\n    if {test}:\n        return a.f(y, x)\n"
        "    b.g(x, x)\n    return c.h(y, y)\n"
        for one, name, test in (("a", "f", "x > 0"), ("b", "g", "y > 1"), ("c", "h", "x + y > 2"))
    },
    "a ring through partial": {
        "a.py": "from functools import partial\nimport b\ndef f(x, n):\n    return partial(b.g, n)(x)\n",
        "b.py": "from functools import partial\nimport a\ndef g(n, x):\n    if x > n:\n        return x\n"
        "    return partial(a.f, n=n)(x)\n",
    },
    "a ring through a decorator": {
        "a.py": "import jax, b\n@jax.jit\ndef f(x):\n    return b.g(x)\n",
        "b.py": "import jax, a\n@jax.checkpoint\ndef g(x):\n    print(x)\n    return a.f(x)\n",
    },
    "a ring of methods": {
        "a.py": "import b\nclass A:\n    def f(self, x):\n        return b.B().g(x)\ndef start(x):\n"
        "    return A().f(x)\n",
        "b.py": "import a\nclass B:\n    def g(self, x):\n        if x > 0:\n            return a.A().f(x)\n"
        "        return x\ndef begin(x):\n    return B().g(x)\n",
    },
    "a ring through a global": {
        "a.py": "import b\nM = b.N\ndef f(x):\n    return b.g(x) + M\n",
        "b.py": "import a\nN = 3\ndef g(x):\n    if x > a.M:\n        return a.f(x)\n    return x\n",
    },
    "a ring through a base class": {
        "a.py": "class A:\n    def f(self, x):\n        return self.g(x)\ndef start(x):\n    from b import B\n"
        "    return B().f(x)\n",
        "b.py": "import a\nclass B(a.A):\n    def g(self, x):\n        if x > 0:\n            return a.start(x)\n"
        "        return x\ndef begin(x):\n    return B().f(x)\n",
    },
    "functions that are given": {
        "a.py": "import b\ndef f(call, x):\n    return call(x)\ndef start(x):\n    return f(b.g, x)\n",
        "b.py": "import a\ndef g(x):\n    if x > 0:\n        return x\n    return a.f(g, x)\n",
    },
    "what is given back": {
        "a.py": "import b\ndef f(x):\n    return b.g\ndef start(x):\n    return f(x)(x)\n",
        "b.py": "import a\ndef g(x):\n    print(x)\n    return a.f\n",
    },
    "what a factory makes": {
        "a.py": "import jax\ndef make(key):\n    def draw(n):\n"
        "        return draw(n - 1) if n > 0 else jax.random.normal(key)\n    return draw\n"
        "def plain(x):\n    def inner(y):\n        return inner(x + y) if y > x else x\n    return inner\n",
        "b.py": "import a\ndef f(key, x):\n    return a.make(key)(x) + a.plain(x)(x)\n",
        "c.py": "import a, b\ndef g(key, x):\n    return a.make(key)(x) + b.f(key, x) + a.plain(key)(x)\n",
    },
    "keys in a ring": {
        "a.py": "import jax, b\ndef f(key, n):\n    x = jax.random.normal(key)\n"
        "    return b.g(key, n - 1) if n else x\n",
        "b.py": "import jax, a\ndef g(key, n):\n    one, two = jax.random.split(key)\n"
        "    return a.f(one, n) + a.f(two, n)\n",
    },
    "tail beside a ring": {
        "a.py": "import b, c\ndef f(x):\n    return c.h(b.g(x))\n",
        "b.py": "import c\ndef g(x):\n    return c.h(x) if x > 0 else g(x)\n",
        "c.py": "def h(x):\n    if x > 3:\n        return 1\n    return x\n",
    },
}  # fmt: skip


def functions(files: dict[str, str]) -> list[Asked]:
    return [
        (path, line[4 : line.index("(")])
        for path, text in files.items() for line in text.splitlines() if line.startswith("def ")
    ]  # fmt: skip


def orders(asked: list[Asked]) -> Iterable[tuple[Asked, ...]]:
    """All orders of a few, some orders of many."""
    if len(asked) <= 4:
        return permutations(asked)
    chance = random.Random(0)
    return [tuple(chance.sample(asked, len(asked))) for _ in range(24)]


@pytest.mark.slow
@pytest.mark.parametrize("name", SETS)
def test_signatures_do_not_depend_on_the_order(name: str, tmp_path: Path) -> None:
    files, asked = SETS[name], functions(SETS[name])
    first: dict[Asked, str] = {}
    for order in orders(asked):
        new = linked(tmp_path, files)
        for path, function in order:
            found = signature(new, path, function)
            assert first.setdefault((path, function), found) == found, f"{function} in the order {order}"
    assert len(first) == len(asked)


# A set, a function of it, what is found out of it; what is there on every path is told once, by the shortest chain.
FOUND: dict[str, tuple[str, str, list[str]]] = {
    "what a ring demands and does": (
        "three in a ring", "f",
        [
            "NeedsConcrete of x at a.py:3 via -", "NeedsKey of x at c.py:3 via a.py:5 > b.py:4", "key x used by b.g",
            "print at b.py:3 via a.py:5",
        ],
    ),
    "keys": (
        "keys in a ring", "f",
        [
            "NeedsKey of key at a.py:3 via -", "NeedsConcrete of n at a.py:4 via -",
            "NeedsConcrete of n at a.py:4 via a.py:4 > b.py:4",
            "key key used by jax.random.normal", "key key used by b.g",
        ],
    ),
    "a ring, and what it calls outside": (
        "tail beside a ring", "g",
        [
            "NeedsConcrete of x at b.py:3 via -", "NeedsConcrete of x at c.py:2 via b.py:3",
        ],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FOUND)
def test_what_is_found(name: str, tmp_path: Path) -> None:
    chosen, function, expected = FOUND[name]
    path = next(path for path, asked in functions(SETS[chosen]) if asked == function)
    lines = signature(linked(tmp_path, SETS[chosen]), path, function).splitlines()[:-1]
    assert list(dict.fromkeys(lines)) == expected


# Chains over files, deeper than calls are followed.

LENGTH = 60


def chain(step: str, last: str, count: int = LENGTH) -> dict[str, str]:
    """Functions `f0` to `f59`, dealt out to three files: each calls the next."""
    parts = {name: [HEAD + "import a, b, c\n"] for name in "abc"}
    for number in range(count):
        follower = f"{'abc'[(number + 1) % 3]}.f{number + 1}"
        body = last if number == count - 1 else step.format(next=follower)
        parts["abc"[number % 3]].append(f"def f{number}(x):\n    {body}\n")
    return {f"{name}.py": "".join(texts) for name, texts in parts.items()}


CHAINS = {
    "calls": ("return {next}(x)", "return 1 if x > 0 else 2"),
    "calls with effects": ("print(x)\n    return {next}(x)", "print(x)\n    return x"),
    "calls in turn": ("return {next}(x + 1) if x > 0 else {next}(x)", "return x"),
    "arrays given back": ("return {next}(x) * 2", "return jnp.ones(3)"),
    "globals": ("return {next}", "return 4"),
    "a chain that ends where it began": ("return {next}(x)", "if x > 0:\n        return a.f0(x)\n    return x"),
}


def place(number: int) -> Asked:
    return f"{'abc'[number % 3]}.py", f"f{number}"


def differing(name: str, count: int, folder: Path) -> list[str]:
    """The functions of a chain that are not the same in all orders."""
    files, chance = chain(*CHAINS[name], count), random.Random(1)
    numbers = list(range(count))
    orders = [numbers, numbers[::-1], chance.sample(numbers, count), [count * 2 // 3, *numbers]]
    expected: dict[int, str] = {}
    wrong = []
    for order in orders:
        new = linked(folder, files)
        for number in order:
            found = signature(new, *place(number))
            if expected.setdefault(number, found) != found:
                wrong.append(f"f{number} after {order[:3]}")
    return wrong


@pytest.mark.slow
@pytest.mark.parametrize("name", CHAINS)
def test_chains_do_not_depend_on_the_order(name: str, tmp_path: Path) -> None:
    assert differing(name, 18, tmp_path) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", CHAINS)
def test_chains_beyond_the_cap_do_not_depend_on_the_order(name: str, tmp_path: Path) -> None:
    assert differing(name, LENGTH, tmp_path) == []


@pytest.mark.parametrize("name", CHAINS)
def test_chains_on_several_stacks_are_found_out_once(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files, last = chain(*CHAINS[name]), place(LENGTH - 1)
    one = linked(tmp_path, files)
    expected = signature(one, *place(0)), signature(one, *last), one.program.costs.summaries
    assert expected[-1] == (LENGTH if name != "globals" else 2)
    monkeypatch.setattr(stacks, "ON_ONE_STACK", 7)
    several = linked(tmp_path, files)
    assert (signature(several, *place(0)), signature(several, *last), several.program.costs.summaries) == expected


def test_findings_beyond_the_cap_do_not_depend_on_the_order(tmp_path: Path) -> None:
    files = chain("return {next}(x)", "return jnp.ones(3)", 45)
    files |= {f"{name}.py": f"import jax, {call[0]}\nz = {call}(1)\nz[0] = 1\n" for name, call in USERS.items()}
    tree(tmp_path, {**ROOT, **files})
    alone = found(tmp_path, "near.py", "far.py")
    for names in (("near.py", "far.py"), ("far.py", "near.py")):
        assert sorted(found(tmp_path, *names, projects=Projects(APART))) == sorted(alone)


USERS = {"near": "c.f11", "far": "a.f0"}


def test_a_function_of_a_factory_is_run_once_for_all_files(tmp_path: Path) -> None:
    body = "".join(f"        x{number + 1} = x{number} + 1\n" for number in range(50))
    files = {"a.py": f"def make():\n    def long(x0):\n{body}        return x50\n    return long\n"}
    asked = [(f"b{number}.py", f"f{number}") for number in range(5)]
    files |= {path: f"import a\ndef {name}(x):\n    return a.make()(x)\n" for path, name in asked}
    new = linked(tmp_path, files)
    costs = []
    for one in asked:
        before = new.program.costs.ops
        signature(new, *one)
        costs.append(new.program.costs.ops - before)
    assert costs[0] > 150
    assert max(costs[1:]) < 25


def test_a_chain_of_names(tmp_path: Path) -> None:
    """Each name holds what the next file binds to it."""
    files = {f"n{number}.py": f"from n{number + 1} import x\ny = x\n" for number in range(LENGTH)}
    files |= {f"n{LENGTH}.py": "x = 5\n"}
    names = [f"n{number}.py" for number in range(LENGTH)]
    forward, backward = linked(tmp_path, files), linked(tmp_path, files)
    seen = {path: held(forward, "y", path) for path in names}
    assert seen[names[-5]] == "5"
    assert {path: held(backward, "y", path) for path in reversed(names)} == seen


# A name that is asked for while it is found out.  Files, what names hold.
UNBOUND, NOT_THERE = "unknown: global that is not bound yet", "unknown: name that its module does not bind"
CIRCLES: dict[str, tuple[dict[str, str], dict[str, str]]] = {
    "itself": ({"a.py": "x = [x]\n"}, {"a.x": f"list of {UNBOUND}"}),
    "each other": (
        {"a.py": "import b\nx = b.y\n", "b.py": "import a\ny = a.x\n"}, {"a.x": NOT_THERE, "b.y": NOT_THERE},
    ),
    "by a call": (
        {"a.py": "import b\ndef f():\n    return x\nx = b.g()\n", "b.py": "import a\ndef g():\n    return a.f()\n"},
        {"a.x": UNBOUND},
    ),
    "by a decorator": (
        {
            "a.py": "import b\n@b.wrap\ndef f(x):\n    return x\n",
            "b.py": "import a\ndef wrap(f):\n    a.f(1)\n    return f\n",
        },
        {"a.f": "a.py: f", "b.wrap": "b.py: wrap"},
    ),
    "by a base class": (
        {"a.py": "import b\nclass A(b.B): pass\n", "b.py": "import a\nclass B(a.A): pass\n"},
        {"a.A": "class A of a.py", "b.B": "class B of b.py"},
    ),
    "by a function's body, which is not run": (
        {"a.py": "import b\ndef f():\n    return b.x\ny = 3\n", "b.py": "import a\nx = [a.f, a.y]\n"},
        {"a.f": "a.py: f", "b.x": "list of a.py: f, 3", "a.y": "3"},
    ),
    "by a function that reads it": (
        {"a.py": "import b\ndef make():\n    return b.table\n", "b.py": "import a\ntable: a.make() = [1]\n"},
        {"b.table": "list of 1"},
    ),
    "each other, in displays": (
        {"a.py": "import b\nx = [b.y, 1]\n", "b.py": "import a\ny = (a.x, 2)\n"},
        {"a.x": f"list of {NOT_THERE}, 1", "b.y": f"tuple of {NOT_THERE}, 2"},
    ),
    "three, one entered by two": (
        {"a.py": "import b\nx = b.y\n", "b.py": "import c\ny = c.z\n", "c.py": "import b\nz = (b.y, 3)\nw = b.y\n"},
        dict.fromkeys(("a.x", "b.y", "c.z", "c.w"), f"tuple of {NOT_THERE}, 3"),
    ),
}  # fmt: skip
ENTERED = pytest.mark.xfail(strict=True, reason="what names in a circle hold depends on where it was entered")
ENTERED_AT = ("each other, in displays", "three, one entered by two")


@pytest.mark.parametrize("name", [pytest.param(c, marks=[ENTERED] * (c in ENTERED_AT)) for c in CIRCLES])
def test_a_name_that_is_being_found_out(name: str, tmp_path: Path) -> None:
    files, expected = CIRCLES[name]
    for order in permutations(expected):
        new = linked(tmp_path, files)
        seen = {asked: held(new, asked[2:], f"{asked[0]}.py") for asked in order}
        assert {asked: seen[asked] for asked in expected} == expected, f"in the order {order}"
