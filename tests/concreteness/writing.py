"""Programs of the grammar as text: for the linter as users write them, for the referee with a probe at each site."""

from __future__ import annotations

import random
from dataclasses import dataclass

from tests.concreteness.grammar import DEPTHS, ENTRIES, FORMS, ORIGINS, Entry, Origin, UseForm

HEAD = """\
import math
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

COUNT, RATE, TABLE = 3, 0.75, np.array([0.5, 1.0, 2.0, 4.0])


class State(NamedTuple):
    mass: jax.Array
    count: jax.Array
    position: jax.Array


def _parts(x):
    return x.sum(), x.shape[0]


def _twice(leaf):
    return jnp.stack([leaf, leaf])


X, N = jnp.array([0.6, 1.2, 0.9]), jnp.array(2)
S = State(jnp.array(0.8), jnp.array(1), jnp.array([0.7, 1.1, 0.4]))
HOST = State(0.8, 1, TABLE[:3])
"""


@dataclass(frozen=True, slots=True)
class Site:
    """A use in a program: its line, form, origin and entry by name, and how many calls below it stands."""

    line: int
    form: str
    origin: str
    entry: str
    depth: int


@dataclass(frozen=True, slots=True)
class Program:
    """A program: its text, the text with probes, the calls to run in each way, and its sites."""

    text: str
    probed: str
    abstract: tuple[str, ...]
    concrete: tuple[str, ...]
    sites: tuple[Site, ...]


class Writer:
    """Lines of both texts, numbered alike."""

    def __init__(self) -> None:
        self.plain, self.probed = HEAD.splitlines(), HEAD.splitlines()

    def add(self, text: str, indent: int = 0) -> None:
        """Add lines that are the same in both texts."""
        lines = [" " * 4 * indent + line if line else "" for line in text.splitlines()]
        self.plain += lines
        self.probed += lines

    def use(self, form: UseForm, value: str, indent: int) -> int:
        """Add a statement that uses a value; returns the line of the use."""
        expression, probe = form.expression.format(v=value), (form.probe or form.expression).format(v=value)
        found = 0
        for template in form.statement.splitlines():
            line = " " * 4 * indent + template
            if "@" in template:
                found = len(self.plain) + 1
            self.plain.append(line.replace("@", expression))
            self.probed.append(line.replace("@", f"_at({found}, lambda: {probe}, {form.otherwise})"))
        return found


def program(seed: int, sites: int = 3) -> Program:
    """The program of a seed."""
    choice, writer = random.Random(seed), Writer()
    made, calls = [], {"abstract": [], "concrete": []}  # type: ignore[var-annotated]
    for number in range(sites):
        form_name, entry_name = choice.choice(list(FORMS)), choice.choice(list(ENTRIES))
        form, entry = FORMS[form_name], ENTRIES[entry_name]
        kinds = {form.kind, "integer"} if form.kind == "real" else {form.kind}
        origin_name = choice.choice([name for name, origin in ORIGINS.items() if origin.kind in kinds])
        depth = choice.choice(DEPTHS)
        line = _write(writer, number, form, ORIGINS[origin_name], entry, depth)
        made.append(Site(line, form_name, origin_name, entry_name, depth))
        calls[entry.run].append(f"run_{number}")
    plain, probed = "\n".join(writer.plain) + "\n", "\n".join(writer.probed) + "\n"
    return Program(plain, probed, tuple(calls["abstract"]), tuple(calls["concrete"]), tuple(made))


def _write(writer: Writer, number: int, form: UseForm, origin: Origin, entry: Entry, depth: int) -> int:
    """Write the functions of one site and the one that runs them; returns the line of the use."""
    line, passed = 0, origin.expression
    for below in range(depth, 0, -1):
        writer.add(f"\n\ndef help_{number}_{below}(value):")
        if below == depth:
            writer.add("acc = 0.0", 1)
            line = writer.use(form, "value", 1)
            writer.add("return acc", 1)
        else:
            writer.add(f"return help_{number}_{below + 1}(value)", 1)
    writer.add("\n")
    if entry.decorator:
        writer.add(entry.decorator)
    writer.add(f"def traced_{number}(x, n, s):\n    acc = 0.0")
    if origin.before:
        writer.add(origin.before, 1)
    if depth:
        writer.add(f"acc = acc + help_{number}_1({passed})", 1)
    else:
        line = writer.use(form, passed, 1)
    writer.add("return acc * 1.0 + x.sum()", 1)
    writer.add(f"\n\ndef run_{number}():\n    return {entry.call.format(f=f'traced_{number}')}")
    return line
