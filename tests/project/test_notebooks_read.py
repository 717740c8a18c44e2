"""What was said of public notebooks was read by people, and the page says what they found."""

from __future__ import annotations

import csv
import re
from collections import Counter

from flake8_jax.model.codes import names
from tests.support.sources import ROOT

COLUMNS = ("repo", "commit", "path", "cell", "line", "code", "verdict", "pattern", "reason", "now")
MOST = 3
"""How many findings of a pattern and code are judged in one repository."""

with (ROOT / "tests" / "corpus" / "notebooks_read.csv").open(encoding="utf-8", newline="") as file:
    ROWS = list(csv.DictReader(file))


def test_each_row_names_a_finding_and_a_verdict() -> None:
    assert all(tuple(row) == COLUMNS and all(row.values()) for row in ROWS)
    assert {row["verdict"] for row in ROWS} == {"true", "harmless", "false"}
    assert {row["now"] for row in ROWS} == {"said", "silent"}
    assert {row["code"] for row in ROWS} <= {*names(), "JAX000"}
    assert all(re.fullmatch(r"[0-9a-f]{40}", row["commit"]) and row["path"].endswith(".ipynb") for row in ROWS)
    places = [(row["repo"], row["path"], int(row["cell"]), int(row["line"]), row["code"]) for row in ROWS]
    assert len(set(places)) == len(places)
    assert all(row["now"] == "said" for row in ROWS if row["verdict"] == "true")
    counts = Counter((row["repo"], row["code"], row["pattern"]) for row in ROWS)
    assert max(counts.values()) <= MOST


def test_the_page_has_the_numbers() -> None:
    page = (ROOT / "docs" / "notebooks.md").read_text(encoding="utf-8")
    verdicts = Counter(row["verdict"] for row in ROWS)
    left = Counter(row["verdict"] for row in ROWS if row["now"] == "said")
    notebooks = len({(row["repo"], row["path"]) for row in ROWS})
    found = re.search(r"(\d+) findings in (\d+) notebooks of (\d+) repositories", page)
    assert found is not None
    assert tuple(map(int, found.groups())) == (len(ROWS), notebooks, len({row["repo"] for row in ROWS}))
    for verdict, count in verdicts.items():
        assert f"| {verdict} | {count} | {left[verdict]} |" in page
