"""Runs flake8 and our command line as users do, in processes of their own, and keeps what they say of JAX.

Most are forked from a server that has read their modules; `flake8_anew` and `command_anew` start an interpreter.
"""

from __future__ import annotations

import atexit
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import pytest

HAS_FORK = hasattr(os, "fork")
SERVER = Path(__file__).with_name("run_apart.py")
STORE = "import jax.numpy as jnp\n\nx = jnp.zeros(3)\nx[0] = 1.0\n"
CLOSING = re.compile(
    r"checked \d+ files?: \d+ findings?(?:; \d+ known)?(?:; \d+ files? could (?:not )?be judged(?: in part only)?)*"
    r"(?:; \d+ can be fixed with `flake8-jax fix`)?\n\Z"
)


def fixable(count: int) -> str:
    """How the closing line ends where so many findings can be fixed."""
    return f"; {count} can be fixed with `flake8-jax fix`\n"


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
        return [row[: row.index(" JAX") + len(" JAX101")] for row in self.rows]

    @property
    def notes(self) -> str:
        """What stands on standard error before the closing line of a check."""
        return CLOSING.sub("", self.errors)


Check: TypeAlias = Callable[..., Run]
"""Runs `check` with these words."""


def flake8(folder: Path, *arguments: str, stdin: bytes | None = None) -> Run:
    """Run the real flake8 in a folder."""
    return _forked("flake8", folder, arguments, stdin) if HAS_FORK else flake8_anew(folder, *arguments, stdin=stdin)


def command(folder: Path, *arguments: str, stdin: bytes | None = None) -> Run:
    """Run `python -m flake8_jax` in a folder."""
    if HAS_FORK and arguments[:1] in (("check",), ("fix",)):
        return _forked("flake8_jax", folder, arguments, stdin)
    return command_anew(folder, *arguments, stdin=stdin)


def flake8_anew(folder: Path, *arguments: str, stdin: bytes | None = None) -> Run:
    """Run the real flake8 in a new interpreter."""
    return run([sys.executable, "-m", "flake8", *arguments], folder, stdin)


def command_anew(folder: Path, *arguments: str, stdin: bytes | None = None) -> Run:
    """Run `python -m flake8_jax` in a new interpreter."""
    return run([sys.executable, "-m", "flake8_jax", *arguments], folder, stdin)


IN_ONE = """
import contextlib, io, json, sys
answers = sys.stdout
for line in sys.stdin:
    asked = json.loads(line)
    output, errors = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
        if isinstance(asked, str):
            status = exec(asked, {}) or 0
        else:
            from flake8_jax.driver.cli.main import main
            status = main(asked)
    said = [each.buffer.getvalue().decode() for each in (output, errors)]
    print(json.dumps([status, *said]), file=answers, flush=True)
"""
Interpreter: TypeAlias = "Callable[[str | Sequence[str]], Run]"
"""Runs what it is handed: code, or a command line of `python -m flake8_jax`."""


@contextmanager
def interpreter(folder: Path) -> Iterator[Interpreter]:
    """One new interpreter in a folder, which runs one thing after another: what they read in common is read once."""
    with subprocess.Popen(
        [sys.executable, "-c", IN_ONE], cwd=folder, env=_environment(),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8",
    ) as process:  # fmt: skip

        def ask(asked: str | Sequence[str]) -> Run:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(json.dumps(asked) + "\n")
            process.stdin.flush()
            return Run(*json.loads(process.stdout.readline()))

        yield ask


@cache
def _server() -> subprocess.Popen[str]:
    """The process that forks command lines, started when the first is run."""
    process = subprocess.Popen(
        [sys.executable, str(SERVER)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    )
    atexit.register(process.communicate)
    return process


def _forked(front: str, folder: Path, arguments: Sequence[str], stdin: bytes | None) -> Run:
    """Have the server run a command line; it reads Latin-1 as the bytes that it stands for."""
    job = {"front": front, "arguments": arguments, "folder": str(folder), "environment": _environment()}
    server = _server()
    assert server.stdin is not None
    assert server.stdout is not None
    server.stdin.write(json.dumps(job | {"stdin": (stdin or b"").decode("latin-1")}) + "\n")
    server.stdin.flush()
    return Run(**json.loads(server.stdout.readline()))


def _environment() -> dict[str, str]:
    """The environment, without what would tell of the git repository around it."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "PRE_COMMIT"))}


def run(words: Sequence[str], folder: Path, stdin: bytes | None = None, **environment: str) -> Run:
    """Run any command in a folder, cut off from the git repository around it."""
    variables = {**_environment(), **environment}
    done = subprocess.run(words, cwd=folder, input=stdin or b"", capture_output=True, env=variables, check=False)
    return Run(done.returncode, done.stdout.decode(), done.stderr.decode())


def write(folder: Path, files: dict[str, str | bytes]) -> Path:
    """Write files below a folder, text as UTF-8 with its newlines as they are."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def checking(capsys: pytest.CaptureFixture[str]) -> Check:
    """Our `check` in this process, from the working directory as it is."""

    def run_check(*words: str) -> Run:
        from flake8_jax.driver.cli.main import main

        status = main(["check", *words])
        said = capsys.readouterr()
        return Run(status, said.out, said.err)

    return run_check
