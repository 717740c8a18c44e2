"""Blocks in blocks: as many headers as the size says, nested as deep as that number has binary digits.

So the depth grows by one where the size doubles, and what costs twice as much for each level doubles once more.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from tests.growth.family import FILE, Family, Files

HEAD = "import jax\nimport jax.numpy as jnp\n\n\n"


@dataclass(frozen=True, slots=True)
class Nest:
    """The header of a block by its number, what stands in the innermost one, and what follows a block by its level."""

    header: Callable[[int], str]
    inside: str
    after: Callable[[int], str] = lambda level: ""


SCAN = "jax.lax.scan(body, c, None, length=3)"
NESTS = {
    "loops_nested": Nest("for i{} in range(3):".format, "c = c + 1"),
    "loops_nested_over_traced": Nest("for i{} in c:".format, "c = c + 1"),
    "whiles_nested": Nest("while n > {}:".format, "c = c + 1"),
    "whiles_nested_over_traced": Nest("while c > {}:".format, "c = c + 1"),
    "ifs_nested_deeper": Nest("if f{}:".format, "c = c + 1"),
    "ifs_nested_deeper_over_traced": Nest("if c > {}:".format, "c = c + 1"),
    "withs_nested": Nest("with jax.named_scope('{}'):".format, "c = c + 1"),
    "tries_nested": Nest("try:".format, "c = c + 1", lambda level: "except ValueError:\n    c = c - 1"),
    "functions_nested": Nest(
        "def inner(c, x{}=c):".format, "return c", lambda level: "return inner(c)" if level else "c = inner(c)"
    ),
    "scans_nested": Nest(
        "def body(c, y):".format, "return c + 1, y", lambda level: f"return {SCAN}" if level else f"c, y = {SCAN}"
    ),
}


def program(nest: Nest, size: int) -> Files:
    """A jitted function with the blocks of a nest."""
    depth = size.bit_length()
    lines: list[str] = []
    for first in range(0, size, max(depth, 1)):
        many = min(depth, size - first)
        lines += [_indented(nest.header(first + level), level) for level in range(many)]
        lines += [_indented(nest.inside, many)]
        lines += [_indented(nest.after(level), level) for level in range(many - 1, -1, -1)]
    flags = "".join(f", f{number}" for number in range(size))
    return {FILE: f"{HEAD}@jax.jit\ndef step(c, n{flags}):\n" + "\n".join(lines) + "\n    return c\n"}


def _indented(text: str, level: int) -> str:
    return "\n".join("    " * (level + 1) + line for line in text.splitlines())


FAMILIES = [Family(name, partial(program, nest), 36, 400) for name, nest in NESTS.items()]
