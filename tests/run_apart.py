"""Runs command lines of flake8 and of our own, each in a process of its own: a script that forks, to start them fast.

Usage: run_apart.py JOBS.  JOBS is a file of JSON: a list of [front, arguments, folder, path of standard input or null].
Prints a list of what each wrote to standard output.  Beforehand, modules and tables are read, but none of the files.
"""

from __future__ import annotations

import io
import json
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import flake8.main.cli
import flake8.style_guide
import libcst  # noqa: F401

import flake8_jax.cli
import flake8_jax.plugin
from flake8_jax.config import Config
from flake8_jax.linter import lint
from flake8_jax.syntax.source import SourceFile

WARM = "import jax\n\nx = jax.numpy.zeros(3)\nx[0] = jax.random.normal(jax.random.key(0)) + jax.lax.scan(print, x, x)\n"
FRONTS = {"flake8": flake8.main.cli.main, "check": flake8_jax.cli.main}


def run(front: str, arguments: Sequence[str], folder: str, stdin: str | None) -> str:
    """What a command line prints in a folder."""
    with tempfile.TemporaryFile() as output:
        child = os.fork()
        if child == 0:
            os.chdir(folder)
            _redirect(os.open(stdin or os.devnull, os.O_RDONLY), output.fileno())
            _end(front, arguments)
        _, status = os.waitpid(child, 0)
        output.seek(0)
        text = output.read().decode()
    if os.waitstatus_to_exitcode(status) not in (0, 1):
        raise RuntimeError(f"{front} {arguments} in {folder}: {text}")
    return text


def _redirect(stdin: int, stdout: int) -> None:
    os.dup2(stdin, 0)
    os.dup2(stdout, 1)
    sys.stdin = io.TextIOWrapper(io.FileIO(0), encoding="utf-8")
    sys.stdout = io.TextIOWrapper(io.BufferedWriter(io.FileIO(1, "w")), encoding="utf-8")


def _end(front: str, arguments: Sequence[str]) -> None:
    """Run the front end and leave the child by its status, whatever happens."""
    status: object = 70
    try:
        status = FRONTS[front](list(arguments))
    except SystemExit as end:
        status = end.code
    finally:
        sys.stdout.flush()
        os._exit(int(status) if isinstance(status, int) else 70)


if __name__ == "__main__":
    lint(SourceFile("stdin", WARM), Config())
    jobs = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    print(json.dumps([run(*job) for job in jobs]))
