"""What a function tells others: who asks for no more is judged again only if that changes, and says the same."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import pytest

from flake8_jax.analysis import budget
from flake8_jax.analysis.modules import callers
from flake8_jax.cache.reports import Reports
from flake8_jax.driver.checking import check_data
from flake8_jax.driver.linter import lint
from flake8_jax.model.config import Config
from flake8_jax.model.report import Dependencies, KeptSearch
from flake8_jax.syntax.project import Project
from flake8_jax.syntax.source import SourceFile
from tests.support.layouts import tree
from tests.support.reruns import JAX, places, said

HELPERS = """
FOUND = []
FIRST, SECOND = jax.random.key(0), jax.random.key(0)

def scale(x, key):
    factor = 2.0
    return x * factor

def pick(key):
    return FIRST

def twice(f, x):
    return f(f(x))

SIZE = 3

def mapped(x):
    return jax.tree.map(lambda y, size=2: y * size * SIZE, x)

def shown(x):
    if x.sum() > 0: print(x)

double = jax.jit(lambda x: x * 2)

def measured(x):
    return x - 2

class Net:
    def __init__(self):
        self.first = jax.random.key(0)
        self.second = jax.random.key(0)

    def key(self):
        return self.first

    def other(self):
        return self.second

class Scaler:
    def wide(self, x):
        return x * 2

    def deep(self, x):
        return x + 1

    def flat(self, x): return x

class Held:
    def __init__(self, x):
        self.x = x
        self.y = x

class Named:
    def __init__(self, **given):
        size = 1
        for name in given:
            setattr(self, name, given[name])

def summed(state):
    first = state.first.total()
    second = state.second.total()
    return first + second

def made(n):
    def inner(x):
        size = n
        return x * size
    return inner

def long(x):
""" + "    x = x * x\n" * 32 + "    return x\n# long\n"
USER = """
import time
import numpy as np
from helpers import FIRST, Held, Named, Net, Scaler, long, made, mapped, measured, pick, scale, shown, summed, twice

NET = Net()

@jax.jit
def step(x, key):
    y = jax.random.normal(key, x.shape)
    return scale(x, key) + y

def draw(key):
    return jax.random.normal(pick(key)) + jax.random.normal(FIRST)

def of_net():
    return jax.random.normal(NET.key()) + jax.random.normal(NET.first)

def apply(x):
    return twice(lambda y: y + 1, x)

@jax.jit
def both(x):
    return mapped(x) + Scaler().deep(x) + Scaler().flat(x)

def hold(x):
    return Held(x).x

def named(x):
    return Named(x=x).x

def of_state(state):
    return summed(state)

made_here = jax.jit(made(2))

@jax.jit
def inlined(x):
    return long(x)

@jax.jit
def checked(x):
    if x > 0: return x
    return x, shown(np.ones(3))

def outside(x):
    return shown(x)

def timed(x):
    start = time.time()
    y = measured(x)
    return y, time.time() - start

class Layer:
    def forward(self, x):
        return shown(x) * 2

    def backward(self, x):
        return x

    def flagged(self, x, wide: bool):
        return x - 1
"""
SEARCHED = """
def scale(x, key):
    if key: print(key)
    return x * 2.0
"""
# What becomes of a helper, and whether others are judged again.
EDITS: dict[str, tuple[str, str, bool]] = {
    "a line that nobody reads": ("    return x * factor", "    other = 1\n    return x * factor", False),
    "another number": ("2.0", "3.0", False),
    "another way to write it": ("    return x * factor", "    product = x * factor\n    return product", False),
    "a comment": ("    return x * factor", "    # so much\n    return x * factor", False),
    "it prints": ("    return x * factor", "    print(x)\n    return x * factor", True),
    "it prints what it is not handed": ("    return x * factor", "    print(1)\n    return x * factor", True),
    "it needs the truth of an argument": ("    return x * factor", "    if x: pass\n    return x * factor", True),
    "it uses up a key": ("    return x * factor", "    return x * jax.random.normal(key)", True),
    "it returns a pair": ("    return x * factor", "    return x, factor", True),
    "it returns the other argument": ("    return x * factor", "    return key", True),
    "it returns nothing": ("    return x * factor", "    x * factor", True),
    "it returns another key of the module": ("return FIRST", "return SECOND", True),
    "it returns another field": ("return self.first", "return self.second", True),
    "it calls another function": ("    return x * factor", "    pick(key)\n    return x * factor", True),
    "it makes a function": ("    return x * factor", "    return (lambda y: y)(x) * factor", True),
    "a line beside a function inside": ("    return jax.tree", "    other = 1\n    return jax.tree", False),
    "what a function inside computes": ("y * size", "y + size", False),
    "the default of a function inside": ("size=2", "size=4", True),
    "a function inside prints": ("y * size * SIZE", "print(y)", True),
    "a function inside needs a truth": ("y * size * SIZE", "y if y else SIZE", True),
    "a function inside keeps something": ("y * size * SIZE", "FOUND.append(y)", True),
    "what a function inside gets is kept around it": (
        "    return jax.tree",
        "    SIZE = x\n    if SIZE: pass\n    return jax.tree",
        True,
    ),
    "another function inside": ("    return jax.tree", "    (lambda z: z)(x)\n    return jax.tree", True),
    "a line in a method above another": ("        return x * 2", "        n = 1\n        return x * 2", False),
    "a method that stands on the line of its `def`": ("x): return x", "x): print(x)", True),
    "a line in a constructor": ("        self.y =", "        n = 1\n        self.y =", False),
    "a constructor hands its object on": ("        self.y =", "        self.x.keep(self)\n        self.y =", True),
    "a line beside a loop that sets by name": ("        size = 1\n", "        size = 2\n", False),
    "a loop sets other fields by name": ("setattr(self, name,", "setattr(self, name + 's',", True),
    "another field is read": ("state.second", "state.third", True),
    "a function that is handed out needs a truth": ("        return x * size", "        return x if x else size", True),
    "one operation more of many": ("    return x\n# long", "    y = x + x\n    return x\n# long", False),
    "many operations more": ("    return x\n# long", 12 * "    y = x + x\n" + "    return x\n# long", True),
    "a line in what a clock measures": ("    return x - 2", "    other = 1\n    return x - 2", False),
    "it begins what is compiled while a clock runs": ("    return x - 2", "    double(x)\n    return x - 2", True),
    "what is run again for a callable": ("    return f(f(x))", "    z = f(x)\n    return f(z)", True),
}


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_judges_others_again_if_they_are_told_something_else(
    name: str, project: Path, interpreted: list[str]
) -> None:
    before, after, is_told = EDITS[name]
    tree(project, {"helpers.py": JAX + HELPERS, "user.py": JAX + USER})
    first = said(project, names=("helpers.py", "user.py"))
    assert [place for place in places(first[0]) if "JAX101" in place]
    interpreted.clear()
    assert HELPERS.count(before) == 1
    tree(project, {"helpers.py": JAX + HELPERS.replace(before, after)})
    seen = said(project, names=("helpers.py", "user.py"))[0]
    assert ("user.py" in interpreted) == is_told
    assert seen == said(project, Config(no_store=True), ("helpers.py", "user.py"))[0]


RUN_AGAIN = """
KEY = jax.random.key(0)

class Policy:
    def act(self, x):
        raise NotImplementedError

    def run(self, x):
        y = x + 1
        return self.act(y)

class Greedy(Policy):
    def act(self, x):
        return x if x > 0 else -x

class Drawn(Policy):
    def act(self, x):
        return KEY

class Doubled(Drawn):
    def run(self, x):
        key = self.act(x)
        return jax.random.normal(key, x.shape) + jax.random.normal(key, x.shape)

def applied(policy, x):
    z = x * 2
    return policy.run(z)

def made(x):
    class Local(Policy):
        def act(self, x): return x
    return applied(Local(), x)

def total(*parts):
    first = parts[0]
    return first + parts[1]

def reduced(x, how):
    size = 1
    return jnp.mean(x) if how == "mean" else x

def mapped(f, x):
    z = x + 2
    return f(z)
"""
RUNNING = """
from running import Doubled, Greedy, applied, made, mapped, reduced, total

@jax.jit
def greedy(x):
    return applied(Greedy(), x)

@jax.jit
def called(x):
    return total(x, x) + reduced(x, "mean") + mapped(jnp.sin, x)

def drawn(x):
    return Doubled().run(x)
"""
# What becomes of a function that is run again for the arguments of a call, and whether the caller is judged again.
FOR_ARGUMENTS: dict[str, tuple[str, str, bool]] = {
    "a line, run for a class": ("        return self.act(y)", "        n = 1\n        return self.act(y)", False),
    "a line, run for a class that is passed": ("    z = x * 2\n", "    n = 1\n    z = x * 2\n", False),
    "a line, run for two arguments": ("    first = parts[0]\n", "    n = 1\n    first = parts[0]\n", False),
    "a line, run for a text": ("    size = 1\n", "    n = 1\n    size = 1\n", False),
    "a line, run for a function of a library": ("    z = x + 2\n", "    n = 1\n    z = x + 2\n", False),
    "another way to write it": ("        return self.act(y)", "        z = self.act(y)\n        return z", False),
    "it prints": ("        return self.act(y)", "        print(y)\n        return self.act(y)", True),
    "it returns a pair": ("        return self.act(y)", "        return self.act(y), y", True),
    "it calls no method of the class any more": ("        return self.act(y)", "        return y", True),
    "it needs the truth of one of so many": ("    return first +", "    if first: pass\n    return first +", True),
    "it returns something else for the text": ("jnp.mean(x) if how", "KEY if how", True),
    "it returns something else for the function": ("    return f(z)", "    return f(z), f", True),
    "the method of the class tells something else": ("        return x if x > 0 else -x", "        return x, x", True),
    "it costs far more": ("    z = x * 2\n", "    z = x * 2\n" + 40 * "    z = z + 1 * 2\n", True),
    "what is found in the run is another": ("KEY\n\nclass Doubled", "jax.random.key(1)\n\nclass Doubled", True),
}


@pytest.mark.parametrize("name", FOR_ARGUMENTS)
def test_a_run_for_the_arguments_of_a_call_is_told_apart(name: str, project: Path, interpreted: list[str]) -> None:
    before, after, is_told = FOR_ARGUMENTS[name]
    names = ("running.py", "user.py")
    tree(project, {"running.py": JAX + RUN_AGAIN, "user.py": JAX + RUNNING})
    said(project, names=names)
    interpreted.clear()
    assert RUN_AGAIN.count(before) == 1
    tree(project, {"running.py": JAX + RUN_AGAIN.replace(before, after)})
    seen = said(project, names=("user.py", "running.py"))[0]
    assert ("user.py" in interpreted) == is_told
    assert seen == said(project, Config(no_store=True), ("user.py", "running.py"))[0]


# What becomes of a caller, and whether the file whose functions it calls is judged again.
OF_CALLERS: dict[str, tuple[str, str, bool]] = {
    "a line": ("    return shown(x)\n", "    n = 1\n    return shown(x)\n", False),
    "another call": ("    return shown(x)\n", "    pick(x)\n    return shown(x)\n", True),
    "a function inside that calls": ("    return shown(x)\n", "    return (lambda: shown(x))()\n", True),
    "a trace": ("    return shown(x)\n", "    return jax.jit(shown)(x)\n", True),
    "a line beside what it finds itself": ("    return x, shown", "    n = 1\n    return x, shown", False),
    "what it finds itself is gone": ("    if x > 0: return x\n", "", True),
    "it is traced": ("def outside", "@jax.jit\ndef outside", True),
    "a line in a method that calls": ("        return shown(x) *", "        n = 1\n        return shown(x) *", False),
    "another call in a method": ("        return shown(x) * 2", "        pick(x)\n        return shown(x) * 2", True),
    "a line in another method": ("        return x\n", "        n = 1\n        return x\n", False),
    "a line in a method with a flag": ("        return x - 1", "        n = 1\n        return x - 1", False),
    "a method tests its flag": ("        return x - 1", "        if wide: pass\n        return x - 1", True),
    "another method calls": ("        return x\n", "        return shown(x)\n", True),
    "another method names a caller": ("        return x\n", "        return jax.jit(outside)(x)\n", True),
    "another method calls a method": ("        return x\n", "        return self.forward(x)\n", True),
}


@pytest.mark.parametrize("name", OF_CALLERS)
def test_a_caller_that_finds_nothing_is_told_as_a_function_is(name: str, project: Path, interpreted: list[str]) -> None:
    before, after, is_told = OF_CALLERS[name]
    tree(project, {"helpers.py": JAX + HELPERS, "user.py": JAX + USER})
    said(project, names=("helpers.py", "user.py"))
    interpreted.clear()
    assert USER.count(before) == 1
    tree(project, {"user.py": JAX + USER.replace(before, after)})
    seen = said(project, names=("helpers.py", "user.py"))[0]
    assert ("helpers.py" in interpreted) == is_told
    assert seen == said(project, Config(no_store=True), ("helpers.py", "user.py"))[0]


def test_callers_may_grow_as_long_as_the_search_for_them_has_room(
    project: Path, interpreted: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(budget, "FOR_CALLERS", budget.Allowance(20, 0))
    tree(project, {"shown.py": JAX + "def shown(x):\n    if x.sum() > 0: print(x)\n"})
    judged = list[tuple[int, bool]]()
    for lines in (9, 10, 11, 18, 10):  # steps of the weight: 8 up to 9 of these lines, 16, 24 with 18 of them
        body = "    n = 1\n" * lines + "    return shown(x)\n"
        tree(project, {"calling.py": JAX + f"from shown import shown\n\ndef outside(x):\n{body}"})
        interpreted.clear()
        seen = said(project, names=("shown.py",))
        judged.append((lines, "shown.py" in interpreted))
        assert seen == said(project, Config(no_store=True), ("shown.py",))
    assert judged == [(9, True), (10, False), (11, False), (18, True), (10, True)]  # beyond the bound each step counts


def test_what_is_told_is_the_same_in_another_place_and_order(project: Path, interpreted: list[str]) -> None:
    tree(project, {"helpers.py": JAX + HELPERS, "user.py": JAX + USER})
    said(project, names=("user.py",))
    tree(project, {"helpers.py": JAX + HELPERS.replace("2.0", "4.0")})
    said(project, names=("helpers.py",))
    interpreted.clear()
    said(project, names=("user.py",))
    assert interpreted == []


def test_a_text_that_was_not_saved_needs_no_other_search_for_its_callers(
    project: Path, interpreted: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    quiet = "from helpers import scale\n\ndef calling(x):\n    return scale(x, 1)\n"
    tree(project, {"helpers.py": JAX + SEARCHED, "user.py": JAX + quiet})
    kept = list[str]()
    real = Reports.keep_search

    def keeping(
        reports: Reports, home: Project, path: str, carried: Collection[str], search: KeptSearch, found: Dependencies
    ) -> None:
        kept.append(path)
        real(reports, home, path, carried, search, found)

    monkeypatch.setattr(Reports, "keep_search", keeping)
    said(project, names=("helpers.py", "user.py"))
    path = str(project / "helpers.py")
    assert kept == [path]
    unsaved = (JAX + SEARCHED).replace("    return", "    other = 1\n    return")
    for judged in (["helpers.py"], []):
        interpreted.clear()
        found = check_data(path, unsaved.encode(), Config())
        assert (interpreted, kept) == (judged, [path])
        assert found.diagnostics == lint(SourceFile(path, unsaved), Config(no_store=True)).diagnostics


LIMITS = """
WIDTHS = {"free": 7}

class Model:
    def __init__(self):
        self.scale = 2.0

    def half(self, x):
        return x / 2

    def widest(self):
        return max(WIDTHS)

def narrow(x):
    return x

def spare():
    pass
"""
READING = """
import limits
from limits import WIDTHS, Model

MODEL = Model()

@jax.jit
def step(x):
    return x * WIDTHS["free"] * MODEL.scale

def train(x):
    for _ in range(3):
        x = step(x)
    return x
"""
# What becomes of a file with a variable and a field that traced code reads, and whether the reader is judged again.
OF_VARIABLES: dict[str, tuple[str, str, bool]] = {
    "a line": ("    return x\n\ndef spare", "    other = 1\n    return x\n\ndef spare", False),
    "a line in a method": ("        return x / 2", "        other = 1\n        return x / 2", False),
    "a line that calls something": ("    pass", "    print(narrow(1))", False),
    "a line where the variable is read": ("        return max", "        other = 1\n        return max", True),
    "a line that changes the variable": ("    pass", "    WIDTHS['free'] = 8", True),
    "a call that changes the variable": ("        return x / 2", "        WIDTHS.clear()\n        return x", True),
    "a line that binds it anew": ("    pass", "    global WIDTHS\n    WIDTHS = {}", True),
    "a line that changes the field": ("        return x / 2", "        self.scale = 3.0\n        return x", True),
    "a function that changes the field of another": ("    pass", "    narrow.scale = 3.0", True),
}


@pytest.mark.parametrize("name", OF_VARIABLES)
def test_who_asks_what_changes_a_variable_asks_who_names_it(name: str, project: Path, interpreted: list[str]) -> None:
    before, after, is_told = OF_VARIABLES[name]
    names = ("limits.py", "reading.py")
    tree(project, {"limits.py": JAX + LIMITS, "reading.py": JAX + READING})
    said(project, names=names)
    interpreted.clear()
    assert LIMITS.count(before) == 1
    tree(project, {"limits.py": JAX + LIMITS.replace(before, after)})
    seen = said(project, names=names)[0]
    assert ("reading.py" in interpreted) == is_told
    assert seen == said(project, Config(no_store=True), names)[0]


def test_a_longer_file_gives_no_more_room_to_its_callers_but_in_steps(
    project: Path, interpreted: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(budget, "FOR_CALLERS", budget.Allowance(30, 2))
    callers = "".join(f"def calling{n}(x):\n    return shown(x)\n\n" for n in range(12))
    shown = JAX + "def shown(x):\n    if x.sum() > 0: print(x)\n\ndef beside(x):\n    return x\n"
    tree(project, {"shown.py": shown, "calling.py": f"from shown import shown\n\n{callers}"})
    said(project, names=("shown.py",))
    searched = list[str]()
    real = Reports.keep_search

    def keeping(reports: Reports, home: Project, path: str, *rest: object) -> None:
        searched.append(path)
        real(reports, home, path, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(Reports, "keep_search", keeping)
    for lines in (1, 2, 3, 4):
        tree(project, {"shown.py": shown.replace("    return x\n", "    n = 1\n" * lines + "    return x\n")})
        interpreted.clear()
        seen = said(project, names=("shown.py",))
        assert interpreted == ["shown.py"]
        assert seen == said(project, Config(no_store=True), ("shown.py",))
    assert searched == []


KINDS = """
WIDTHS = {"free": 6}

def spare():
    pass
"""
KEEPING = """
from kinds import WIDTHS

def wide(x):
    return x * WIDTHS["free"]

def narrow(x):
    return x

def spare():
    pass
"""
KEEPERS = """
from helpers import WIDTHS, wide

@jax.jit
def step(x):
    return wide(x)

def train(x):
    for _ in range(3):
        x = step(x)
    return x
"""
# What becomes of a file of which traced code reads a variable, and whether its callers are searched for again.
OF_READS: dict[str, tuple[str, str, str, bool]] = {
    "a line": ("helpers.py", "    pass", "    other = 1", False),
    "a line in what is traced": ("helpers.py", "    return x *", "    other = 1\n    return x *", True),
    "a line that changes the variable": ("helpers.py", "    pass", "    WIDTHS['free'] = 8", True),
    "its own file changes the variable": ("kinds.py", "    pass", "    WIDTHS['free'] = 8", True),
    "the caller changes the variable": ("user.py", "    return x\n", "    WIDTHS['free'] = 8\n    return x\n", True),
}


@pytest.mark.parametrize("name", OF_READS)
def test_a_search_is_kept_though_a_trace_keeps_what_never_changes(
    name: str, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    edited, before, after, is_again = OF_READS[name]
    texts = {"kinds.py": KINDS, "helpers.py": KEEPING, "user.py": KEEPERS}
    tree(project, {path: JAX + text for path, text in texts.items()})
    said(project, names=tuple(texts))
    searched = list[str]()
    real = callers._follow

    def follow(search: callers.Search, waiting: list[str]) -> None:
        searched.append(search.home.path)
        real(search, waiting)

    monkeypatch.setattr(callers, "_follow", follow)
    assert texts[edited].count(before) == 1
    tree(project, {edited: JAX + texts[edited].replace(before, after)})
    seen = said(project, names=tuple(texts))[0]
    assert (str(project / "helpers.py") in searched) == is_again
    assert seen == said(project, Config(no_store=True), tuple(texts))[0]
