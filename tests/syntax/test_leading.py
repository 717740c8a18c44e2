"""Which files lead to JAX: what a package hands on is asked by name, all else as a whole file."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from flake8_jax.syntax.project import Project
from tests.support.layouts import tree

MODULES = {
    "pyproject.toml": "",
    "pkg/grid.py": "import numpy\ndef cells(n): return n\n",
    "pkg/train.py": "import jax\ndef fit(x): return x\n",
}

BOTH = "from .grid import cells\nfrom .train import fit\n"
SWAPPED = "from .grid import cells as fit\nfrom .train import fit as cells\n"
CELLS = "from pkg import cells\n"
FIT = "from pkg import fit\n"

# The package, what a file takes from it, and whether that leads to JAX.
TAKEN: dict[str, tuple[str, str, bool]] = {
    "a name of the host": ("from pkg.grid import cells\nfrom pkg.train import fit\n", CELLS, False),
    "a name of JAX": ("from pkg.grid import cells\nfrom pkg.train import fit\n", FIT, True),
    "both": (BOTH, "from pkg import cells, fit\n", True),
    "relative": (BOTH, CELLS, False),
    "by another name": (SWAPPED, FIT, False),
    "of JAX by another name": (SWAPPED, CELLS, True),
    "a module of the host": ("from .train import fit\n", "from pkg import grid\n", False),
    "a module of JAX": ("from .grid import cells\n", "from pkg import train\n", True),
    "a module by its name": ("from .train import fit\n", "import pkg.grid\n", True),
    "a name of a module": ("from .train import fit\n", "from pkg.grid import cells\n", False),
    "the package": ("from .train import fit\n", "import pkg\n", True),
    "the package of the host": ("from .grid import cells\n", "import pkg\n", False),
    "all of it": ("from .train import fit\n", "from pkg import *\n", True),
    "in a function": (BOTH, "def f():\n    from pkg import fit\n", True),
    "of the host in a function": (BOTH, "def f():\n    from pkg import cells\n", False),
    "by a star": ("from .train import fit\nfrom .grid import *\n", CELLS, False),
    "by a star that hides it": ("from .grid import cells as fit\nfrom .train import *\n", FIT, True),
    "beside the star of an unknown module": (BOTH + "from .nowhere import *\n", CELLS, False),
    "by the star of JAX": ("from .train import *\nfrom .grid import cells\n", FIT, True),
    "beside the star of JAX": ("from .train import *\nfrom .grid import cells\n", CELLS, False),
    "what nobody binds": ("from .train import fit\n", "from pkg import other\n", True),
    "bound twice": ("from .grid import cells\nfrom .train import fit as cells\n", CELLS, True),
    "tried": (
        "try:\n    from .train import fit as cells\nexcept ImportError:\n    from .grid import cells\n", CELLS, True,
    ),
    "defined in it": ("from .train import fit\ndef cells(n): return fit(n)\n", CELLS, True),
    "computed in it": ("from .train import fit\ncells = fit(1)\n", CELLS, True),
    "found by a function": (
        "from .train import fit\ndef __getattr__(name): return fit\n", "from pkg import other\n", True,
    ),
    "a module that is replaced": ("from .train import fit as grid\n", "from pkg import grid\n", True),
    "a module that is patched": (
        "from . import grid\nfrom .train import fit\ngrid.cells = fit\n", "from pkg import grid\n", True,
    ),
    "beside words": ('"""A package for jax."""\n' + BOTH + '__all__ = ["cells", "fit"]\n', CELLS, False),
    "of JAX itself": ("from jax.numpy import sin\nfrom .grid import cells\n", "from pkg import sin\n", True),
    "beside what is of JAX itself": ("from jax.numpy import sin\nfrom .grid import cells\n", CELLS, False),
    "a library by another name": ("import jax as cells\n", CELLS, True),
    "of another library": ("import jax\nimport numpy as cells\n", CELLS, False),
    "what cannot be parsed": (BOTH + ")\n", CELLS, True),
}  # fmt: skip


def leads(project: Project, path: str) -> bool:
    """Does a file of a project lead to JAX?"""
    return project.leads_to_jax(os.path.join(project.root, path))


@pytest.mark.parametrize("name", TAKEN)
def test_what_a_package_hands_on(name: str, tmp_path: Path) -> None:
    package, taking, is_led = TAKEN[name]
    files = {"pkg/__init__.py": package, "use.py": taking, "far.py": "import use\n"}
    project = Project(tree(tmp_path, {**MODULES, **files}))
    assert leads(project, "use.py") is is_led
    assert leads(project, "far.py") is is_led


def test_through_packages_that_ask_each_other(tmp_path: Path) -> None:
    files = {
        **MODULES,
        "pkg/__init__.py": "from .sub import cells, fit\nfrom .sub import back\n",
        "pkg/sub/__init__.py": "from ..grid import cells\nfrom ..train import fit\nfrom .. import back\n",
        "one.py": "from pkg import cells\n",
        "two.py": "from pkg.sub import fit\n",
        "three.py": "from pkg import back\n",
    }
    project = Project(tree(tmp_path, files))
    assert [leads(project, f"{name}.py") for name in ("one", "two", "three")] == [False, True, False]


def test_what_a_package_hands_on_after_an_edit(tmp_path: Path) -> None:
    project = Project(tree(tmp_path, {**MODULES, "pkg/__init__.py": BOTH, "use.py": CELLS}))
    path = os.path.join(project.root, "pkg", "__init__.py")
    assert not leads(project, "use.py")
    assert not project.replace(path, BOTH + "# the end\n")
    for package, is_led in [(SWAPPED, True), (BOTH, False), (BOTH + "def cells(): pass\n", True)]:
        assert project.replace(path, package)
        assert leads(project, "use.py") is is_led


def test_a_star_hides_a_name_after_an_edit(tmp_path: Path) -> None:
    package = "from .grid import cells\nfrom .train import *\n"
    project = Project(tree(tmp_path, {**MODULES, "pkg/__init__.py": package, "use.py": CELLS}))
    assert not leads(project, "use.py")
    assert project.replace(os.path.join(project.root, "pkg", "train.py"), "import jax\ndef cells(x): return x\n")
    assert leads(project, "use.py")
