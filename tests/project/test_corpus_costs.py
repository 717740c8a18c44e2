"""What a run of the corpus costs: counts that are committed, and times beside libcst's."""

from __future__ import annotations

from pathlib import Path

import pytest

from flake8_jax.model.report import Costs
from tests.corpus import speed
from tests.corpus.apps import read_apps
from tests.corpus.costs import COSTS_OF_APPS, COSTS_OF_PACKAGES, cost_lines, read_costs, write_costs
from tests.corpus.ledger import LedgerError
from tests.corpus.packages import Package, read_packages
from tests.support.layouts import tree

ONE, TWO = Costs(3, 400, 50, 6, 7000), Costs(1, 2, 3, 4, 5)


def test_costs_are_read_as_they_were_written(tmp_path: Path) -> None:
    path = tmp_path / "costs.csv"
    write_costs({"b": ONE, "a": TWO}, ("a", "b"), path)
    assert read_costs(path) == {"a": TWO, "b": ONE}
    write_costs({"b": TWO}, ("a", "b"), path)
    assert read_costs(path) == {"a": TWO, "b": TWO}, "what was not run stays"
    write_costs({"b": ONE}, ("b",), path)
    assert read_costs(path) == {"b": ONE}, "what is not pinned any more goes"


@pytest.mark.parametrize("text", ["project,judged\na,1\n", "project,judged,ops,bodies,summaries,bytes\na,1,x,3,4,5\n"])
def test_costs_that_cannot_be_read(tmp_path: Path, text: str) -> None:
    (tmp_path / "costs.csv").write_text(text)
    with pytest.raises(LedgerError):
        read_costs(tmp_path / "costs.csv")


def test_costs_that_differ_are_told() -> None:
    assert cost_lines({"a": ONE}, {"a": ONE, "b": TWO}) == ["costs of 1 projects, none of the counts differ"]
    assert cost_lines({"a": Costs(3, 401, 50, 6, 7000)}, {"a": ONE})[1:] == ["  a: ops 400, now 401"]


@pytest.mark.parametrize(("path", "pinned"), [(COSTS_OF_PACKAGES, read_packages()), (COSTS_OF_APPS, read_apps())])
def test_costs_of_all_projects_are_committed(path: Path, pinned: list[Package]) -> None:
    costs = read_costs(path)
    assert sorted(costs) == sorted(package.name for package in pinned)
    assert all(one.judged and one.ops and one.bytes for one in costs.values())


@pytest.mark.slow
def test_the_speed_of_a_project_is_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree(tmp_path, {"a.py": "import jax\nx = 1\n", "b.py": "import a\n", "c.py": "x = (\n"})
    found = speed.measure("example", tmp_path)
    assert (found.all_lines, found.lines, found.cold.judged, found.warm.judged) == (4, 2, 2, 0)
    assert 0 < found.parse < found.cold.seconds
    assert found.row(0.0).startswith("example ")
    total = speed.in_all([found, found])
    assert (total.lines, total.cold.judged, total.parse) == (4, 4, 2 * found.parse)
