"""What a run costs, counted: the same in every run over the same files, and nothing for what is said again."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from flake8_jax.driver.processes import check_files
from flake8_jax.model.config import Config
from flake8_jax.model.report import Costs, Statistics
from tests.support.commands import run, write

BARE = Config(no_store=True)
LINE = re.compile(
    r"cost(?: of (\w+))?: (\d+) judged again, (\d+) ops, (\d+) bodies, (\d+) summaries, (\d+) bytes, \d+ walked"
)
HELPER = "def scaled(x, by):\n    if x > by:\n        return x * by\n    return x\n"
FILES: dict[str, str | bytes] = {
    "pyproject.toml": "",
    "pkg/__init__.py": "from .ops import *\nfrom . import nets\n",
    "pkg/ops.py": "import jax\n" + HELPER + "def drawn(key):\n    return jax.random.normal(key)\n",
    "pkg/nets.py": (
        "import jax\nfrom .ops import scaled, drawn\n"
        "class Net:\n    def __init__(self, key):\n        self.a, self.b = drawn(key), drawn(key)\n"
        "    def __call__(self, x):\n        return scaled(x, self.a)\n"
        "    def again(self, x):\n        return self(x) if x is None else self.again(self(x))\n"
    ),
    "train.py": "import jax\nimport pkg\nnet = pkg.nets.Net(jax.random.key(0))\nstep = jax.jit(net)\nstep(1.0)\n",
    "tests/test_nets.py": "import pkg\nimport jax\nfor name in {'a', 'b', 'c'}:\n    jax.jit(pkg.scaled)(1.0, 2.0)\n",
}
NAMES = [name for name in FILES if name.endswith(".py")]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return write(tmp_path / "one", FILES)


def spent(paths: list[Path], jobs: int = 1, config: Config = BARE) -> Costs:
    total = Statistics()
    for report in check_files([str(path) for path in paths], config, jobs):
        total.add(report.statistics)
    return total.costs


def said(folder: Path, *arguments: str, **environment: str) -> list[tuple[str, ...]]:
    """The lines of costs: project, judged again, ops, bodies, summaries, bytes."""
    words = [sys.executable, "-m", "flake8_jax", "check", "--jobs=1", "--analysis-statistics", *arguments]
    return [found.groups("") for line in run(words, folder, None, **environment).errors.splitlines()
            if (found := LINE.fullmatch(line))]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"),
    {
        "x = 1\n": Costs(),
        "import jax\n": Costs(1, 0, 0, 0, 10),
        "import jax\nx = 1\n": Costs(1, 4, 0, 0, 15),
        "import jax\nx = 1\nif x:\n    y = 2\n": Costs(1, 12, 0, 0, 30),
        "import jax\nx = 'é'\n": Costs(1, 4, 0, 0, 18),
        "import jax\ndef f(x):\n    return x\n": Costs(1, 4, 1, 1, 32),
        "import jax\ndef f(x):\n    return x\nf(1)\nf(2)\n": Costs(1, 16, 1, 1, 40),
    }.items(),
)
def test_what_is_counted(text: str, expected: Costs, tmp_path: Path) -> None:
    """A statement of the top level that defines nothing is run in its order, and once alone, for what leads where.

    Imports are lowered, but not run: what they import is asked of the releases of libraries.
    """
    write(tmp_path, {"pyproject.toml": "", "a.py": text})
    assert spent([tmp_path / "a.py"]) == expected


def test_what_other_files_ask_again_is_found_out_once(project: Path) -> None:
    alone = [spent([project / name]) for name in NAMES]
    total = spent([project / name for name in NAMES])
    assert total.judged == len(NAMES)
    assert 0 < total.bodies < sum(costs.bodies for costs in alone)
    assert 0 < total.summaries < sum(costs.summaries for costs in alone)


def test_costs_of_processes_are_added_up(project: Path) -> None:
    paths = [project / name for name in NAMES]
    one, several = spent(paths), spent(paths, 3)
    assert several.judged == one.judged
    assert several.bodies >= one.bodies


@pytest.mark.slow
def test_counts_are_the_same_whatever_the_hash_seed(project: Path) -> None:
    seen = {tuple(said(project, "--no-store", PYTHONHASHSEED=seed)) for seed in ("0", "1", "2")}
    ((costs,),) = seen
    assert costs[:2] == ("", str(len(NAMES)))
    assert "0" not in costs[2:]


@pytest.mark.slow
def test_what_is_cached_costs_nothing(project: Path) -> None:
    (first,), (again,) = said(project), said(project)
    assert first[1] == str(len(NAMES))
    assert again == ("", *["0"] * 5)
    write(project, {"train.py": f"{FILES['train.py']!s}x = 1\n"})
    ((_, judged, *_),) = said(project)
    assert 0 < int(judged) < len(NAMES)


@pytest.mark.slow
def test_projects_are_counted_apart(project: Path, tmp_path: Path) -> None:
    write(tmp_path / "two", {"pyproject.toml": "", "a.py": "import jax\nx = 1\n"})
    one, two, total = said(tmp_path, "--no-store", "one", "two")
    assert (one[0], one[1], two, total[0]) == ("one", str(len(NAMES)), ("two", "1", "4", "0", "0", "15"), "")
    assert [int(a) + int(b) for a, b in zip(one[1:], two[1:])] == [int(count) for count in total[1:]]


def test_costs_are_no_part_of_what_is_found_out() -> None:
    assert Statistics(1, costs=Costs(1, 2, 3, 4, 5)) == Statistics(1)
    assert Costs(5, 5, 5, 5, 5).since(Costs(1, 2, 3, 4, 5)) == Costs(4, 3, 2, 1, 0)
