"""Budgets of records: what is beyond them falls back, is counted, and is the same in every order of files."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from flake8_jax.analysis import budget
from flake8_jax.analysis.budget import Allowance, without_budgets
from flake8_jax.analysis.summaries.deferral import LOST
from flake8_jax.domain.effects import ROOM
from flake8_jax.driver.checking import check_file
from flake8_jax.driver.projects import Projects
from flake8_jax.model.config import Config
from flake8_jax.model.report import Report
from tests.support.layouts import tree

CONFIG = Config(strict=True, no_store=True)

CALLABLES = """
import jax
import jax.numpy as jnp
from shapes import Square, Round
from tools import applied, area, both

def made(g, h, x):
    return both(lambda t: g(t) + 1, lambda t: h(t) - 1, x)
"""
FILES = {
    "pyproject.toml": "",
    "tools.py": """
import jax
import jax.numpy as jnp

def applied(f, x):
    if f(x) > 0:
        return x
    return -x

def both(f, g, x):
    return applied(f, x) + applied(g, applied(f, x))

def area(shape, x):
    return shape.area(x)
""",
    "shapes.py": """
class Square:
    def area(self, x):
        if x > 0:
            return x * x
        return x

class Round:
    def area(self, x):
        return 3 * x * x if x < 1 else x
""",
    **{
        f"use{number}.py": CALLABLES + "".join(
            f"\n@jax.jit\ndef step{each}(x):\n"
            f"    y = both(jnp.sin, lambda t: applied(jnp.cos, t * {each}), x)\n"
            f"    return area(Square(), y) + area(Round(), y) + made(jnp.sin, lambda t: t + {each}, x)\n"
            for each in range(3)
        )
        for number in range(3)
    },
}  # fmt: skip


def judged(folder: Path, names: list[str]) -> dict[str, Report]:
    paths = [str(folder / name) for name in names]
    projects = Projects(CONFIG, paths)
    reports = {name: check_file(path, CONFIG, projects) for name, path in zip(names, paths)}
    projects.close()
    return reports


def found(reports: dict[str, Report]) -> dict[str, list[tuple[str, int, str]]]:
    return {
        name: [(one.code, one.span.line, one.message) for one in report.diagnostics] for name, report in reports.items()
    }


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    tree(tmp_path, FILES)
    return tmp_path


NAMES = [name for name in FILES if name.endswith(".py")]


@pytest.mark.parametrize("free", [0, 30, 75, 200])  # of the last all is within
def test_findings_are_the_same_in_every_order(free: int, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("presets", "specialization"):
        for name in ("FOR_CALLABLES", "FOR_CLASSES"):
            monkeypatch.setattr(f"flake8_jax.analysis.summaries.{module}.{name}", Allowance(free, 0), raising=False)
    monkeypatch.setattr(budget, "INSIDE", Allowance(free // 2, 0))
    forwards, backwards = judged(folder, NAMES), judged(folder, NAMES[::-1])
    alone = {name: judged(folder, [name])[name] for name in NAMES}
    assert found(forwards) == found(backwards) == found(alone)


def test_what_is_beyond_is_counted(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("flake8_jax.analysis.summaries.presets.FOR_CALLABLES", Allowance(0, 0))
    beyond = judged(folder, NAMES)
    assert sum(report.statistics.unknowns[budget.SPENT] for report in beyond.values()) > 0
    with without_budgets():
        free = judged(folder, NAMES)
    assert sum(report.statistics.unknowns[budget.SPENT] for report in free.values()) == 0
    ops = [sum(report.statistics.costs.ops for report in reports.values()) for reports in (beyond, free)]
    assert ops[0] < ops[1]


@pytest.mark.parametrize(("callables", "is_counted"), [(3, False), (40, True)])
def test_what_is_not_run_for_its_number_is_counted(callables: int, is_counted: bool, tmp_path: Path) -> None:
    calls = "".join(f"    x = applied(lambda v: v + {number}, x)\n" for number in range(callables))
    head = "import jax\n\ndef applied(f, x):\n    return f(x)\n\n@jax.jit\ndef g(x):\n"
    tree(tmp_path, {"called.py": f"{head}{calls}    return x\n"})
    report = judged(tmp_path, ["called.py"])["called.py"]
    assert (report.statistics.unknowns[budget.MANY] > 0) is is_counted


KEYS = "import jax\n\ndef f(key):\n" + "".join(f"    x{n} = jax.random.normal(key)\n" for n in range(12))
KEYS += "    return " + " + ".join(f"x{n}" for n in range(12)) + "\n"


def test_labels_of_a_body_are_passed_once(tmp_path: Path) -> None:
    tree(tmp_path, {"keys.py": KEYS})
    report = judged(tmp_path, ["keys.py"])["keys.py"]
    assert len(report.diagnostics) == 11
    assert report.statistics.costs.walked < report.statistics.costs.ops


@pytest.mark.parametrize("callers", [1, 7])
def test_what_calls_preset_by_a_name_of_a_library_is_run_once_for_all(callers: int, tmp_path: Path) -> None:
    steps = "".join(f"\ndef step{each}(x):\n    return applied(jnp.sin, x)\n" for each in range(callers))
    files = {name: FILES[name] for name in ("pyproject.toml", "tools.py", "shapes.py")}
    found: list[int] = []
    for text in (f"{CALLABLES}{steps}", CALLABLES):
        tree(tmp_path, {**files, "use.py": text})
        found.append(judged(tmp_path, ["use.py"])["use.py"].statistics.costs.bodies)
    assert found[0] - found[1] == callers + 1  # the steps, and `applied` for `jnp.sin`


MAKER = """
import jax

def make(rng, by):
    rng, other = jax.random.split(rng)
    order = jax.random.permutation(other, 8)
    held = [by, {held}]
    def train(rng):
        def draw(n):
            return {drawn_from}, jax.random.normal(rng, (n,)) + held[0] + order[0]
        return draw(3)
    return train

first, second = jax.random.split(jax.random.key(0))
"""
CALLED = """
one, two = make(first, {by}), make(second, {by})
print(one(jax.random.key(1)), one(jax.random.key(2)), two(jax.random.key(3)))
"""


@pytest.mark.parametrize(
    ("held", "drawn_from", "by", "codes"),
    [
        ("0", "held", "first_of_all()", []),
        ("0", "jax.random.normal(other, (n,))", "first_of_all()", ["JAX104"]),
        ("other", "jax.random.normal(held[1], (n,))", "first_of_all()", ["JAX104"]),
        ("0", "held", "jax.nn.relu", []),
    ],
)
def test_a_maker_is_run_again_for_keys_only_if_its_closure_may_keep_them(
    held: str, drawn_from: str, by: str, codes: list[str], tmp_path: Path
) -> None:
    text, found = MAKER.format(held=held, drawn_from=drawn_from), list[Report]()
    for whole in (text + CALLED.format(by=by), text):
        tree(tmp_path, {"pyproject.toml": "", "use.py": whole})
        found.append(judged(tmp_path, ["use.py"])["use.py"])
    is_run_again = found[0].statistics.costs.bodies > found[1].statistics.costs.bodies
    assert is_run_again is (bool(codes) or by == "jax.nn.relu")
    assert [each.code for each in found[0].diagnostics] == codes


def test_an_allowance_grows_with_the_code() -> None:
    assert Allowance(10, 2).covers(30, 10)
    assert not Allowance(10, 2).covers(31, 10)


MANY = 80
FILLED = "import jax, numpy as np\n\ndef fill(x: jax.Array):\n" + "".join(f"    x[{n}] = {n}.0\n" for n in range(MANY))
TIMED = (
    "import time, jax\nimport jax.numpy as jnp\n\n@jax.jit\ndef step(x):\n"
    + "".join(
        "    start = time.perf_counter()\n    x = jnp.sin(x)\n    print(time.perf_counter() - start)\n"
        for n in range(MANY)
    )
    + "    return x\n"
)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (FILLED + "\nfill(np.zeros(100))\n", {}),
        (FILLED + "\nfill(jax.numpy.zeros(100))\n", {"JAX201": ROOM["need"]}),
        (TIMED, {"JAX304": ROOM["act"]}),
        (TIMED.replace("@jax.jit\n", ""), {"JAX702": ROOM["cost"]}),
        (TIMED.replace("@jax.jit\n", "") + "\njax.jit(step)\n", {"JAX304": ROOM["act"]}),
    ],
)
def test_what_calls_would_refute_is_not_said_where_there_is_no_room_to_ask_them(
    text: str, said: dict[str, int], tmp_path: Path
) -> None:
    tree(tmp_path, {"pyproject.toml": "", "many.py": text})
    report = judged(tmp_path, ["many.py"])["many.py"]
    assert Counter(one.code for one in report.diagnostics) == said
    assert report.statistics.given_up[LOST] > 0
