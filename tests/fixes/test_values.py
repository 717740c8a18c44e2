"""Safe fixes give the values of the twins: the cases of fixed fixtures are run with JAX."""

from __future__ import annotations

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


@pytest.mark.slow
@pytest.mark.parametrize("pair", [pair for pair in PAIRS if pair.name in SAFE], ids=lambda pair: pair.name)
def test_a_fixed_case_gives_the_values_of_its_twin(pair: Path, tmp_path: Path) -> None:
    text = (pair / "bad.py").read_text(encoding="utf-8")
    found = fix_text(text, judge, ["safe"])
    assert found is not None
    (tmp_path / "fixed.py").write_text(found.text, encoding="utf-8")
    left = {one.span.line for one in found.remaining}
    twins = {each.name for each in definitions((pair / "good.py").read_text(encoding="utf-8"))}
    made = definitions(found.text)
    broken = {each.name for each in made if any(line in each for line in left)}
    for _ in range(4):  # and what calls it, at some distance
        broken |= {each.name for each in made if names_any(each.lines, broken)}
    cases = [
        each.name for each in made if each.name in twins and not each.name.startswith("_") and each.name not in broken
    ]
    values = Path(__file__).with_name("values.py")
    done = run([sys.executable, str(values), "fixed.py", str(pair / "good.py"), *cases], tmp_path, JAX_PLATFORMS="cpu")
    *differences, last = done.output.splitlines() or [done.errors]
    assert differences == []
    compared = re.fullmatch(r"compared (\d+)", last)
    assert compared is not None, done.errors
    assert int(compared[1]) >= LEAST[pair.name]
