"""A server that runs command lines of flake8 and of `flake8-jax check`, each in a process of its own, which it forks.

Reads a job on each line of standard input, as JSON, and writes what came of it on a line of standard output.
Beforehand, modules and tables are read, but none of the files: a fork starts in a tenth of the time of an interpreter.
"""

from __future__ import annotations

import atexit
import gc
import io
import json
import os
import sys
import tempfile
from typing import Any, BinaryIO

import flake8.main.cli
import flake8.style_guide
import libcst  # noqa: F401

import flake8_jax.driver.cli.main
import flake8_jax.driver.plugin
from flake8_jax.driver.linter import lint
from flake8_jax.model.config import Config
from flake8_jax.syntax.source import SourceFile

WARM = "import jax\n\nx = jax.numpy.zeros(3)\nx[0] = jax.random.normal(jax.random.key(0)) + jax.lax.scan(print, x, x)\n"
FRONTS = {"flake8": flake8.main.cli.main, "flake8_jax": flake8_jax.driver.cli.main.main}


def serve() -> dict[str, Any] | None:
    """Answer jobs until standard input ends; in a forked child, the job that it is to run."""
    for line in sys.stdin.buffer:
        job = json.loads(line)
        with tempfile.TemporaryFile() as stdin, tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
            stdin.write(job["stdin"].encode("latin-1"))
            stdin.seek(0)
            child = os.fork()
            if child == 0:
                _become(job, stdin, output, errors)
                return job  # type: ignore[no-any-return]
            status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            answer = {"status": status, "output": _text(output), "errors": _text(errors)}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()
    return None


def _become(job: dict[str, Any], *streams: BinaryIO) -> None:
    """Take on the folder, the environment, the words and the standard streams of `python -m`."""
    for number, stream in enumerate(streams):
        os.dup2(stream.fileno(), number)
    sys.stdin = io.TextIOWrapper(io.FileIO(0, closefd=False), encoding="utf-8")
    sys.stdout = io.TextIOWrapper(io.BufferedWriter(io.FileIO(1, "w", closefd=False)), encoding="utf-8")
    sys.stderr = io.TextIOWrapper(
        io.BufferedWriter(io.FileIO(2, "w", closefd=False)), encoding="utf-8", line_buffering=True
    )
    os.chdir(job["folder"])
    os.environ.clear()
    os.environ.update(job["environment"])
    sys.path[0] = job["folder"]
    sys.argv = [job["front"], *job["arguments"]]


def _text(stream: BinaryIO) -> str:
    stream.seek(0)
    return stream.read().decode()


if __name__ == "__main__":
    lint(SourceFile("stdin", WARM), Config(no_store=True))
    gc.collect()
    gc.freeze()  # what children do not look at stays in common
    todo = serve()
    if todo is not None:
        status = FRONTS[todo["front"]](todo["arguments"])
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)  # at once: to take apart what was read takes as long as to judge a file
