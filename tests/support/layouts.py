"""Layouts of projects, as the names of their files, and what writes them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

FLAT = ("pyproject.toml", "train.py", "pkg/__init__.py", "pkg/helpers.py", "pkg/sub/__init__.py", "pkg/sub/deep.py")
SRC = ("setup.py", "src/pkg/__init__.py", "src/pkg/helpers.py", "tests/test_pkg.py", "tests/conftest.py")
BARE = ("setup.cfg", "ns/mod.py", "ns/a/b/c.py", "data/images/cats/cat.py", "data.py", "run.py", "ns/empty/readme.md")
SCRIPTS = ("pyproject.toml", "exp/a.py", "exp/models/net.py", "models.py", "exp/wandb.py")
INSIDE = (".git/HEAD", "pkg/__init__.py", "pkg/ops.py", "pkg/train.py", "pkg/sub/__init__.py", "pkg/sub/run.py")
DOUBLE = (
    "pyproject.toml",
    "pkg/__init__.py",
    "src/pkg/__init__.py",
    "b.py",
    "b/__init__.py",
    "c.py",
    "c/x.py",
    "run.py",
)
SHADOW = ("pyproject.toml", "pkg/data.txt", "pkg/one.py", "src/pkg/__init__.py", "src/pkg/two.py", "run.py")
NESTED = ("pyproject.toml", "lib/pyproject.toml", "lib/lib/__init__.py", "own/setup.py", "own/__init__.py", "run.py")
BUILT = (
    "pyproject.toml",
    "build/x.py",
    "pkg/__init__.py",
    "pkg/dist/__init__.py",
    "mine/pyvenv.cfg",
    "mine/x.py",
    "venv/x.py",
    "env/x.py",
    "holder/inner/pyvenv.cfg",
    "holder/inner/x.py",
    "run.py",
)


def tree(folder: Path, files: tuple[str, ...] | Mapping[str, str | bytes]) -> str:
    """Write files and give back the folder."""
    for name, text in files.items() if isinstance(files, Mapping) else dict.fromkeys(files, "").items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(folder)
