"""Safe fixes give the values of the twins: the cases of fixed fixtures are run with JAX."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from flake8_jax.fixes.applying import fix_text
from flake8_jax.runtime.claims import definitions
from tests.fixes.test_pairs import judge
from tests.support.commands import run
from tests.support.expectations import PAIRS

SAFE = ("jax107_not_a_key", "jax201_item_assignment", "jax203_sequence_as_array", "jax208_at_misused")
LEAST = dict(zip(SAFE, (15, 20, 40, 10)))


def names_any(lines: Sequence[str], names: set[str]) -> bool:
    """Do some lines name what was not fixed?"""
    return any(not names.isdisjoint(re.findall(r"\w+", line)) for line in lines)


def compared(pair: Path, fixed: Path) -> tuple[str, str, list[str]]:
    """The fixed text of a pair as a file, its good half, and the cases of both in which nothing wrong is left."""
    found = fix_text((pair / "bad.py").read_text(encoding="utf-8"), judge, ["safe"])
    assert found is not None
    fixed.write_text(found.text, encoding="utf-8")
    left = {one.span.line for one in found.remaining}
    twins = {each.name for each in definitions((pair / "good.py").read_text(encoding="utf-8"))}
    made = definitions(found.text)
    broken = {each.name for each in made if any(line in each for line in left)}
    for _ in range(4):  # and what calls it, at some distance
        broken |= {each.name for each in made if names_any(each.lines, broken)}
    names = [each.name for each in made if each.name in twins and not each.name.startswith("_")]
    return str(fixed), str(pair / "good.py"), [name for name in names if name not in broken]


@pytest.mark.slow
def test_fixed_cases_give_the_values_of_their_twins(tmp_path: Path) -> None:
    pairs = [pair for pair in PAIRS if pair.name in SAFE]
    jobs = [json.dumps(compared(pair, tmp_path / f"{pair.name}.py")) for pair in pairs]
    values = Path(__file__).with_name("values.py")
    done = run([sys.executable, str(values)], tmp_path, "\n".join(jobs).encode(), JAX_PLATFORMS="cpu")
    counts = [int(count) for count in re.findall(r"^compared (\d+)$", done.output, re.MULTILINE)]
    assert [line for line in done.output.splitlines() if not line.startswith("compared ")] == []
    assert len(counts) == len(pairs), done.errors
    assert [pair.name for pair, count in zip(pairs, counts) if count < LEAST[pair.name]] == []
