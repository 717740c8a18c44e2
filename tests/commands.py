"""Runs flake8 and our command line as users do, in processes of their own, and keeps what they say of JAX."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

STORE = "import jax.numpy as jnp\n\nx = jnp.zeros(3)\nx[0] = 1.0\n"
REUSE = """\
import jax

key = jax.random.key(0)
a = jax.random.normal(key, (3,))
b = jax.random.normal(key, (3,))
"""


@dataclass(frozen=True, slots=True)
class Run:
    """What a process left behind."""

    status: int
    output: str
    errors: str

    @property
    def rows(self) -> list[str]:
        """The lines about JAX."""
        return [line.removeprefix("./") for line in self.output.splitlines() if " JAX" in line]

    @property
    def places(self) -> list[str]:
        """The rows without their messages: `path:line:column: CODE`."""
        return [" ".join(row.split(" ")[:2]) for row in self.rows]


def flake8(folder: Path, *arguments: str, stdin: bytes | None = None) -> Run:
    """Run the real flake8 in a folder."""
    return run([sys.executable, "-m", "flake8", *arguments], folder, stdin)


def command(folder: Path, *arguments: str, stdin: bytes | None = None) -> Run:
    """Run `python -m flake8_jax` in a folder."""
    return run([sys.executable, "-m", "flake8_jax", *arguments], folder, stdin)


def run(words: Sequence[str], folder: Path, stdin: bytes | None = None, **environment: str) -> Run:
    """Run any command in a folder, cut off from the git repository around it."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "PRE_COMMIT"))}
    done = subprocess.run(
        words, cwd=folder, input=stdin or b"", capture_output=True, env={**clean, **environment}, check=False
    )
    return Run(done.returncode, done.stdout.decode(), done.stderr.decode())


def write(folder: Path, files: dict[str, str | bytes]) -> Path:
    """Write files below a folder, text as UTF-8 with its newlines as they are."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder
