"""What a module does with keys where it is run itself is a trial of it, if others of the project import it."""

from __future__ import annotations

from pathlib import Path

import pytest

from flake8_jax.model.config import Config
from tests.support.bindings import ROOT, found
from tests.support.layouts import tree

SOLVER = """import jax
def solve(key, x):
    return x + jax.random.normal(key, x.shape)
if __name__ == "__main__":
    key = jax.random.key(0)
    x = jax.random.normal(key, (3,))
    result = solve(key, x)
    for _ in range(3):
        key, sub = jax.random.split(key)
        result = solve(key, result)
    print(result.mean())
"""
REUSING = "def both(key):\n    return jax.random.normal(key), jax.random.normal(key)\n"
USING = "from solver import solve\n"
SAID = "7 JAX101 9 JAX101 10 JAX103"
TRIED, ASKED = 'if __name__ == "__main__"', "if jax.device_count() > 1"
CASES: dict[str, tuple[dict[str, str], str]] = {
    "a module that another imports": ({"solver.py": SOLVER, "use.py": USING}, ""),
    "a script": ({"solver.py": SOLVER, "use.py": "import jax\n"}, SAID),
    "a script that its test imports": ({"solver.py": SOLVER, "tests/test_solver.py": USING}, SAID),
    "a function of the module": (
        {"solver.py": SOLVER.replace("if __n", f"{REUSING}if __n"), "use.py": USING}, "5 JAX101",
    ),
    "what the module does when it is imported": (
        {"solver.py": SOLVER.replace(TRIED, ASKED), "use.py": USING}, SAID,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_what_is_said_of_a_trial(name: str, tmp_path: Path) -> None:
    files, expected = CASES[name]
    tree(tmp_path, {**ROOT, **files})
    rows = [row.split(":", 2) for row in found(tmp_path, "solver.py", config=Config(no_store=True, strict=True))]
    assert " ".join(f"{line} {rest.split()[1]}" for _, line, rest in rows) == expected
