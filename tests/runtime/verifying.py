"""Pairs to verify, and the verb `flake8-jax verify` run on them."""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from flake8_jax.driver.cli.main import main
from flake8_jax.runtime.claims import Pair, read_pairs
from flake8_jax.runtime.plan import Job
from tests.support import slices
from tests.support.commands import Run, command_anew
from tests.support.expectations import FIXTURES

BAD = """\
import jax.numpy as jnp


def stored():
    x = jnp.zeros(3)
    x[0] = 1.0  # JAX201: `x[0]` is assigned
    return x
"""
JOBS = 1 if "PYTEST_XDIST_WORKER" in os.environ else 2
"""How many processes observe many cases: one where other tests keep the other cores busy, for each starts JAX anew."""

GOOD = BAD.replace("x[0] = 1.0  # JAX201: `x[0]` is assigned", "x = x.at[0].set(1.0)")


@cache
def pairs_of_fixtures() -> tuple[Pair, ...]:
    """The pairs of the fixtures, read once in a process."""
    return tuple(read_pairs(FIXTURES))


def taken(
    jobs: Iterable[Job], aspects: Callable[[Job], Iterable[object]], least: int = 0, daily: int = 20,
    most: int = sys.maxsize,
) -> list[Job]:  # fmt: skip
    """The jobs that this run takes, as `slices.taken`, in the order in which a worker runs them.

    Of those that show the same the first gates: what needs no process of its own, which would start JAX anew and test
    its recipe there.
    """
    first = sorted(jobs, key=lambda job: job.isolated)
    return sorted(slices.taken(first, aspects, least, daily, most), key=lambda job: not job.isolated)


def write_pair(home: Path, bad: str = BAD, good: str = GOOD) -> Path:
    home.mkdir(parents=True)
    (home / "bad.py").write_text(bad, encoding="utf-8")
    (home / "good.py").write_text(good, encoding="utf-8")
    return home


def verify(
    folder: Path, *options: str, code: int = 0, in_new_process: bool = False
) -> tuple[str, list[dict[str, Any]]]:
    """Run the verb; its output and its records.  A few cases are not worth a second process that starts JAX.

    The verb itself needs no process of its own: it never imports JAX, its workers do.
    """
    pytest.importorskip("jax")
    file = folder.parent / f"{folder.name}.jsonl"
    jobs = JOBS if sum(1 for _ in folder.glob("**/bad.py")) > 10 else 1
    words = ["verify", str(folder), "--json", str(file), "--jobs", str(jobs), *options]
    done = command_anew(folder.parent, *words) if in_new_process else _run(words)
    assert done.status == code, done.output + done.errors
    return done.output, [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def _run(words: list[str]) -> Run:
    """Run a command line in this process."""
    output, errors = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
        status = main(words)
    return Run(status, *(said.buffer.getvalue().decode() for said in (output, errors)))
