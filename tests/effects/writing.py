"""Programs of the grammar as text, with the lines on which a finding of a site may stand."""

from __future__ import annotations

import random
from dataclasses import dataclass

from tests.effects.forms import FORMS
from tests.effects.grammar import BLOCKS, ENTRIES, PLACES, EffectForm, Entry

HEAD = """\
import collections
import functools
import itertools
import logging
import os
import pprint
import random
import sys
import time
import warnings
from functools import partial
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

logger = logging.getLogger("program")


class Box:
    def __init__(self, value):
        self.value = value


class Teller:
    def __init__(self):
        self.logger = logging.getLogger("program")

    def print(self, value):
        return value * 2.0


class Pure:
    def update(self, value, total):
        return value * 2.0, total + 1.0


@jax.jit
def _doubled(x):
    return x * 2.0


X, Y = jnp.array([0.6, 1.2, 0.9]), jnp.array([0.5, 2.0, 1.1])
"""
MARK = "!"


@dataclass(frozen=True, slots=True)
class EffectSite:
    """A site: its number, the lines where a finding is right; form, entry, block and place by name."""

    number: int
    lines: frozenset[int]
    form: str
    entry: str
    block: str
    place: str


@dataclass(frozen=True, slots=True)
class EffectProgram:
    """A program: its text, and its sites; the function `run_N` runs site N."""

    text: str
    sites: tuple[EffectSite, ...]


class EffectWriter:
    """Lines of a program, and which of them are marked."""

    def __init__(self) -> None:
        self.lines = HEAD.splitlines()
        self.marked: set[int] = set()

    def add(self, text: str, indent: int = 0) -> None:
        """Add lines; the marks are taken off."""
        for line in text.splitlines():
            words = line.lstrip()
            if words.startswith(MARK):
                line = line.replace(MARK, "", 1)
                self.marked.add(len(self.lines) + 1)
            self.lines.append(" " * 4 * indent + line if line else "")

    def gap(self, indent: int = 0) -> None:
        """Add the empty lines before a definition."""
        self.lines += [""] if indent else ["", ""]

    def text(self) -> str:
        """The whole text."""
        return "\n".join(self.lines) + "\n"


def program(seed: int) -> EffectProgram:
    """The program of a seed."""
    choice, writer = random.Random(seed), EffectWriter()
    made = []
    for number in range(choice.choice((1, 1, 2))):
        form, entry = choice.choice(list(FORMS)), choice.choice(list(ENTRIES))
        block, place = choice.choice(list(BLOCKS)), choice.choice(PLACES)
        made.append(write(writer, number, form, entry, block, "of a maker" if FORMS[form].around else place))
    return EffectProgram(writer.text(), tuple(made))


def write(writer: EffectWriter, number: int, form_name: str, entry_name: str, block: str, place: str) -> EffectSite:
    """Write one site: its definitions, and the function that runs it."""
    form, entry = FORMS[form_name], ENTRIES[entry_name]
    writer.marked.clear()
    if form.head:
        writer.gap()
        writer.add(form.head.format(n=number))
    _write_functions(writer, number, form, entry, BLOCKS[block], place)
    if entry.head:
        writer.gap()
        writer.add(entry.head.format(n=number, f=f"entered_{number}"))
    _write_run(writer, number, form, entry, place)
    return EffectSite(number, frozenset(writer.marked), form_name, entry_name, block, place)


def _write_functions(writer: EffectWriter, number: int, form: EffectForm, entry: Entry, block: str, place: str) -> None:
    called, indent = f"site_{number}(x)", 0
    writer.gap()
    if place == "method":
        writer.add(f"class Holder_{number}:")
        _write_body(writer, number, form, block, "def site(self, value):", "value", 1)
        writer.gap()
        writer.add(f"HOLDER_{number} = Holder_{number}()")
        called = f"HOLDER_{number}.site(x)"
    elif place == "of a maker":
        writer.add(f"def make_{number}():")
        writer.add(form.around.format(n=number), 1)
        _write_body(writer, number, form, block, f"def site_{number}(value):", "value", 1)
        writer.gap(1)
        writer.add(f"return site_{number}, lambda: {form.peek}", 1)
        writer.gap()
        writer.add(f"site_{number}, peek_{number} = make_{number}()")
    elif place in ("helper", "helper of a helper"):
        _write_body(writer, number, form, block, f"def site_{number}(value):", "value", indent)
    if place == "helper of a helper":
        writer.gap()
        writer.add(f"def middle_{number}(value):\n    return site_{number}(value * 1.0)")
        called = f"middle_{number}(x)"
    if place != "entry" and place != "closure":
        writer.gap()
    if entry.decorator:
        writer.add(entry.decorator)
    header = f"def entered_{number}(x):"
    if place == "entry":
        _write_body(writer, number, form, block, header, "x", 0)
        return
    writer.add(header)
    if place == "closure":
        _write_body(writer, number, form, block, f"def site_{number}(value):", "value", 1)
        writer.gap(1)
    writer.add(f"return {called}", 1)


def _write_body(
    writer: EffectWriter, number: int, form: EffectForm, block: str, header: str, value: str, indent: int
) -> None:
    writer.add(header, indent)
    lines = form.inside.format(n=number, x=value).splitlines()
    scopes = [line for line in lines if line.startswith(("global ", "nonlocal "))]
    writer.add("\n".join(scopes), indent + 1)
    writer.add(f"acc = jnp.sum({value})", indent + 1)
    writer.add(block.format(x=value), indent + 1)
    writer.add("\n".join(line for line in lines if line not in scopes), indent + 1 + bool(block))
    if block == BLOCKS["try"]:
        writer.add("finally:\n    acc = acc + 0.0", indent + 1)
    writer.add("return acc * 1.0", indent + 1)


def _write_run(writer: EffectWriter, number: int, form: EffectForm, entry: Entry, place: str) -> None:
    writer.gap()
    writer.add(f"def run_{number}():")
    lines = form.between.format(n=number).splitlines()
    scopes = [line for line in lines if line.startswith("global ")]
    writer.add("\n".join(scopes), 1)
    call = {name: entry.call.format(n=number, f=f"entered_{number}", x=name) for name in ("X", "Y")}
    writer.add(f"first = {call['X']}", 1)
    writer.add("\n".join(line for line in lines if line not in scopes), 1)
    writer.add(f"second = {call['Y']}", 1)
    writer.add("jax.effects_barrier()", 1)
    seen = form.after.format(n=number) if form.after else "None"
    peeked = f"peek_{number}()" if place == "of a maker" else "None"
    writer.add(f"return first, second, {seen}, {peeked}", 1)
