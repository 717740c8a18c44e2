"""Files that neither name JAX nor lead to it: what they contribute to findings is there, what they cannot is not run.

The package `pkg` names JAX and hands on what its modules define.  `pkg/host.py` leads to no JAX, and who takes it from
the package gets nothing of JAX.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from flake8_jax.driver.linter import lint
from flake8_jax.driver.projects import Projects
from flake8_jax.model.config import Config
from flake8_jax.syntax.source import SourceFile
from tests.support.bindings import ROOT, agreed
from tests.support.layouts import tree

AROUND = {
    **ROOT,
    "pkg/__init__.py": '"""For jax."""\nfrom pkg.host import *\nfrom pkg.host import part\nfrom pkg import fit\n',
    "pkg/fit.py": "import jax\ndef fit(x):\n    return jax.jit(abs)(x)\n",
}
JAX = "import jax\nimport jax.numpy as jnp\nimport os\nimport time\n"
ABSOLUTE = "def absolute(x):\n    return x if x > 0 else -x\n@jax.jit\ndef main(x):\n"

TIMED = """from pkg import part
f = jax.jit(lambda x: x @ x)
def timed(x):
    start = part()
    y = f(x)
    print(part() - start)
    return y
"""
CHANGED = """from pkg import host
@jax.jit
def f(x):
    return host.part(x)
def main(x):
    y = f(x)
    host.slower()
    return y, f(x)
"""
HOLDER = """class part:
    def __init__(self, f):
        self.f = f
    def run(self, x):
        return self.f(x)
"""
BRANCH = "def part(x):\n    return x if x > 0 else -x\n"

# The file of the host, the one that uses it, and where something is found.
MATTERS: dict[str, tuple[str, str, str]] = {
    "a clock is read in it": ("import time\ndef part():\n    return time.perf_counter()\n", TIMED, "use.py JAX702"),
    "it sets what JAX reads when it starts": (
        "import os\ndef part():\n    os.environ['JAX_ENABLE_X64'] = '1'\n",
        "from pkg import part\ndef main():\n    x = jnp.zeros(2)\n    part()\n    return x\nmain()\n",
        "use.py JAX902",
    ),
    "a global of it is read by jitted code": (
        "RATE = 0.1\ndef part(x):\n    return x * RATE\ndef slower():\n    global RATE\n    RATE = 0.01\n", CHANGED,
        "pkg/host.py JAX302",
    ),
    "a callable that it returns is jitted": (
        "def part(limit):\n    def clipped(x):\n        return x if x > limit else limit\n    return clipped\n",
        "from pkg import part\nf = jax.jit(part(2.0))\n", "pkg/host.py JAX401",
    ),
    "a callable is handed in": (
        "def part(f, x):\n    return f(x)\n", "from pkg import part\n" + ABSOLUTE + "    return part(absolute, x)\n",
        "use.py JAX401",
    ),
    "jitted code calls it": (BRANCH, "from pkg import part\nf = jax.jit(part)\n", "pkg/host.py JAX401"),
    "jitted code calls it by its module": (
        BRANCH, "from pkg import host\nf = jax.jit(host.part)\n", "pkg/host.py JAX401",
    ),
    "jitted code calls a method of it": (
        "class part:\n    def f(self, x):\n        return x if x > 0 else -x\n",
        "import pkg\nf = jax.jit(pkg.part().f)\n", "pkg/host.py JAX401",
    ),
    "an object of it holds a callable": (
        HOLDER, "from pkg import part\n" + ABSOLUTE + "    return part(absolute).run(x)\n", "use.py JAX401",
    ),
    "what it returns decides": (
        "def part():\n    return 3\n",
        "from pkg import part\n@jax.jit\ndef g(x):\n    return jnp.zeros(3)[part()]\n", "use.py JAX204",
    ),
}  # fmt: skip


def rows(folder: Path, *paths: str) -> list[str]:
    """What all rules say of files, with their path and code."""
    found = [row.split() for row in agreed(folder, *paths)]
    return sorted({f"{words[0].partition(':')[0]} {words[1]}" for words in found})


@pytest.mark.parametrize("name", MATTERS)
def test_a_file_of_the_host_matters(name: str, tmp_path: Path) -> None:
    host, use, found = MATTERS[name]
    tree(tmp_path, {**AROUND, "pkg/host.py": host, "use.py": JAX + use})
    assert found in rows(tmp_path, "pkg/host.py", "use.py", "pkg/__init__.py")


def ops(folder: Path, path: str) -> int:
    """What judging a file of a project costs, in ops."""
    source, config = SourceFile.read(str(folder / path)), Config(no_store=True, strict=True, root=str(folder))
    report = lint(source, config, Projects(config))
    assert report.statistics.costs is not None
    return report.statistics.costs.ops


TOOL = "def tool(n):\n    return [part(i) for i in range(n)]\n"


@pytest.mark.parametrize(
    ("taking", "is_run"),
    [
        ("from pkg import part\n", False),
        ("from pkg import host\npart = host.part\n", False),
        ("from pkg import part as other\nfrom pkg.host import part\n", False),
        ("from pkg import fit\nfrom pkg.host import part\n", True),
        ("import pkg\npart = pkg.part\n", True),
        ("from pkg import *\n", True),
    ],
)
def test_who_takes_nothing_of_jax_is_not_run(taking: str, is_run: bool, tmp_path: Path) -> None:
    files: Mapping[str, str] = {**AROUND, "pkg/host.py": BRANCH, "tool.py": taking + TOOL}
    tree(tmp_path, files)
    assert (ops(tmp_path, "tool.py") > 0) is is_run


def test_a_package_that_hands_on_names_is_not_searched_for(tmp_path: Path) -> None:
    package = {"pure/__init__.py": "from pure.host import part\n", "pure/host.py": BRANCH}
    tree(tmp_path, {**ROOT, **package, "use.py": JAX + "import pure.host\nx = jax.jit(pure.host.part)\n"})
    assert ops(tmp_path, "pure/__init__.py") == 0
    assert ops(tmp_path, "pure/host.py") > 0
