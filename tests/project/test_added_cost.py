"""What the rules about contracts of transforms and about derivatives add to the cost of a check is bounded."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.corpus.added_cost import MOST, added
from tests.support.sources import ROOT

PROGRAM = """\
import jax


def body(carry, x):
    if carry > 0:
        return carry + x, x
    return carry, x


def pair(x):
    return x, x


def total(xs):
    return jax.lax.scan(body, 0.0, xs), jax.grad(pair)(1.0)
"""

CHECK = """\
import sys
from flake8_jax.driver.cli.main import main
from tests.corpus.added_cost import import_all, switch_off
import_all()
print(switch_off() if sys.argv[2] == "off" else 0)
main(["check", "--no-store", "-j1", sys.argv[1]])
"""


def test_without_the_entry_points_all_else_is_found(tmp_path: Path) -> None:
    (tmp_path / "scanned.py").write_text(PROGRAM, encoding="utf-8")
    ways = {}
    for way in ("on", "off"):
        words = [sys.executable, "-c", CHECK, str(tmp_path), way]
        ways[way] = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    codes = {way: re.findall(r"JAX\d+", text) for way, text in ways.items()}
    assert codes == {"on": ["JAX401", "JAX601"], "off": ["JAX401"]}
    assert int(ways["off"].split()[0]) > 50


@pytest.mark.slow
def test_all_of_them_add_little(tmp_path: Path) -> None:
    for folder in sorted((ROOT / "fixtures" / "programs").iterdir())[::3]:
        shutil.copytree(folder, tmp_path / folder.name)
    found = added(tmp_path)
    assert found.share <= MOST, found.row()
