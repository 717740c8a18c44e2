"""Settings in one file, read by compiled code of a second one, which a third file changes between two calls."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.bindings import ROOT, agreed
from tests.support.layouts import tree

SETTINGS = """from types import SimpleNamespace
import numpy as np
RATES = {"lr": 0.1, "clip": 1.0}
RATE = 0.1
NAMES = ["a"]
WEIGHTS = np.ones(3)
class Flags:
    rate = 0.1
class Config:
    def __init__(self):
        self.rate = 0.1
config = Config()
def kept():
    RATES["clip"] = 2.0
"""
STEP = "import jax\n{imported}\n@jax.jit\ndef step(w, g):\n    return w - {read} * g\n"
LOOP = """from step import step
{names}
def train(w, n):
    for _ in range(n):
        w = step(w, w)
        {change}
"""

# How the step imports and reads a setting, how the third file imports and changes it; is it an old value?
CHANGED: dict[str, tuple[str, str, str, str, bool]] = {
    "an item": ("from settings import RATES", 'RATES["lr"]', "from settings import RATES", 'RATES["lr"] *= 0.5', True),
    "an item by the module": (
        "import settings", 'settings.RATES["lr"]', "import settings", 'settings.RATES["lr"] *= 0.5', True,
    ),
    "an item, by the module there alone": (
        "from settings import RATES", 'RATES["lr"]', "import settings", 'settings.RATES["lr"] *= 0.5', True,
    ),
    "an item, by the module here alone": (
        "import settings", 'settings.RATES["lr"]', "from settings import RATES", 'RATES["lr"] *= 0.5', True,
    ),
    "an item, by another name": (
        "from settings import RATES as r", 'r["lr"]', "from settings import RATES as R", "R.update(lr=0.5)", True,
    ),
    "an item, handed on by another file": (
        "from handing import RATES", 'RATES["lr"]', "from settings import RATES", 'RATES["lr"] *= 0.5', True,
    ),
    "another item": (
        "from settings import RATES", 'RATES["lr"]', "from settings import RATES", 'RATES["clip"] *= 0.5', False,
    ),
    "another dict of the name": ("from settings import RATES", 'RATES["lr"]', "RATES = {}", 'RATES["lr"] = 0.5', False),
    "a name of an import that is bound anew": (
        "from settings import RATES", 'RATES["lr"]', "from settings import RATES", "global RATES; RATES = {}", False,
    ),
    "a number of the module": ("import settings", "settings.RATE", "import settings", "settings.RATE *= 0.5", True),
    "a number that was imported": (
        "from settings import RATE", "RATE", "import settings", "settings.RATE *= 0.5", False,
    ),
    "a field of a class": (
        "from settings import Flags", "Flags.rate", "from settings import Flags", "Flags.rate *= 0.5", True,
    ),
    "another field": (
        "from settings import Flags", "Flags.rate", "from settings import Flags", "Flags.other = 0.5", False,
    ),
    "a field of an object": (
        "from settings import config", "config.rate", "from settings import config", "config.rate *= 0.5", True,
    ),
    "a field of an object, by the module": (
        "import settings", "settings.config.rate", "import settings", "settings.config.rate *= 0.5", True,
    ),
    "a field of another object": (
        "from settings import config", "config.rate", "from settings import Config\nmine = Config()", "mine.rate = 0.5",
        False,
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CHANGED)
def test_what_a_third_file_changes(name: str, tmp_path: Path) -> None:
    imported, read, there, change, is_old = CHANGED[name]
    tree(tmp_path, {
        **ROOT, "settings.py": SETTINGS, "handing.py": "from settings import RATES\n",
        "step.py": STEP.format(imported=imported, read=read),
        "main.py": LOOP.format(names=there, change=change),
    })  # fmt: skip
    rows = agreed(tmp_path, "step.py", "main.py", "settings.py")
    assert any(row.startswith("step.py:") and "JAX302" in row for row in rows) == is_old
