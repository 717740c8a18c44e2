"""Programs of the grammar as text: for the linter as users write them, for the referee with a probe at each site."""

from __future__ import annotations

import random
from dataclasses import dataclass

from tests.stores.grammar import BLOCKS, DEPTHS, ENTRIES, FORMS, ORIGINS, Entry, Origin, StoreForm

HEAD = """\
import operator
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

COUNT, LOUD = 3, bool(operator.index(1))


class State(NamedTuple):
    position: jax.Array
    count: int


class Box:
    def __init__(self, value):
        self.value = value

    def doubled(self):
        return self.value * 2.0


class Runner:
    def __init__(self, function):
        self.function = function

    def run(self, x):
        return self.function(x)


def _shifted(x):
    return x + 0.5


def _numbers():
    return [0.5, 1.0, 2.0]


@jax.jit
def _jitted(x):
    return x * 0.5


def _body(carry, x):
    return carry + x, x * 2.0


def _loss(x):
    return (x**2).sum()


X, H = jnp.array([0.6, 1.2, 0.9]), np.array([0.5, 1.0, 2.0], np.float32)
"""


@dataclass(frozen=True, slots=True)
class Site:
    """A use in a program: its line; form, origin, entry and block by name; and how many calls below it stands."""

    line: int
    form: str
    origin: str
    entry: str
    block: str
    depth: int


@dataclass(frozen=True, slots=True)
class Program:
    """A program: its text, the text with probes, the functions to run in each way, and its sites."""

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

    def use(self, form: StoreForm, value: str, indent: int) -> int:
        """Add the statements of a form; returns the line of the use."""
        expression, probe = form.expression.format(v=value), (form.probe or form.expression).format(v=value)
        found = 0
        for template in form.statement.format(v=value).splitlines():
            line = " " * 4 * indent + template
            if "@" in template:
                found = len(self.plain) + 1
            self.plain.append(line.replace("@", expression))
            asked = f"_at({found}, {form.question!r}, lambda: ({probe}), {form.otherwise})"
            self.probed.append(line.replace("@", asked))
        return found

    def both(self) -> tuple[str, str]:
        """The two texts."""
        return "\n".join(self.plain) + "\n", "\n".join(self.probed) + "\n"


def program(seed: int, sites: int = 3) -> Program:
    """The program of a seed."""
    choice, writer = random.Random(seed), Writer()
    made: list[Site] = []
    for number in range(sites):
        form_name, entry_name = choice.choice(list(FORMS)), choice.choice(list(ENTRIES))
        form = FORMS[form_name]
        origin_name = choice.choice([name for name, origin in ORIGINS.items() if origin.kind == form.kind])
        block = choice.choice([name for name in BLOCKS if not (form.is_parameter and name == "loop")])
        depth = choice.choice([depth for depth in DEPTHS if depth or not form.is_parameter])
        is_bound = form.is_bound or choice.random() < 0.5
        line = _write(writer, number, form, ORIGINS[origin_name], ENTRIES[entry_name], BLOCKS[block], depth, is_bound)
        made.append(Site(line, form_name, origin_name, entry_name, block, depth))
    runs = {
        way: tuple(f"run_{n}" for n, site in enumerate(made) if ENTRIES[site.entry].is_abstract is way)
        for way in (True, False)
    }
    plain, probed = writer.both()
    return Program(plain, probed, runs[True], runs[False], tuple(made))


def _write(
    writer: Writer, number: int, form: StoreForm, origin: Origin, entry: Entry, block: str, depth: int, is_bound: bool
) -> int:
    """Write the functions of one site and the one that runs them; returns the line of the use."""

    def site(value: str) -> int:
        writer.add("acc = 0.0", 1)
        if block:
            writer.add(block, 1)
        return writer.use(form, value, 2 if block else 1)

    line = 0
    for below in range(depth, 0, -1):
        writer.add(f"\n\ndef help_{number}_{below}(value):")
        if below == depth:
            line = site("value")
            writer.add("return acc", 1)
        else:
            writer.add(f"return help_{number}_{below + 1}(value)", 1)
    writer.add("\n")
    if entry.decorator:
        writer.add(entry.decorator)
    writer.add(f"def entered_{number}(x):")
    if origin.before:
        writer.add(origin.before, 1)
    value = origin.expression
    if is_bound and not depth:
        writer.add(f"value = {value}", 1)
        value = "value"
    if depth:
        writer.add(f"acc = help_{number}_1({value})", 1)
    else:
        line = site(value)
    writer.add("return acc * 1.0 + jnp.sum(x)", 1)
    writer.add(f"\n\ndef run_{number}():\n    return {entry.call.format(f=f'entered_{number}')}")
    return line
