"""A record of arrays is judged alike, however its class is spelled: what JAX traces in it is the same.

Each spelling declares a class `State` of the fields `x`, `key` and `step`; the program below it is the same for all.
"""

from __future__ import annotations

import re
from textwrap import dedent

import pytest

from flake8_jax.driver.linter import lint
from flake8_jax.model.config import Config
from flake8_jax.syntax.source import SourceFile

FIELDS = "    x: jax.Array\n    key: jax.Array\n    step: int\n"

SPELLINGS = {
    "class of named tuples": f"from typing import NamedTuple\nclass State(NamedTuple):\n{FIELDS}",
    "class of named tuples, of any type": """
        from typing import Any, NamedTuple
        class State(NamedTuple):
            x: Any
            key: Any
            step: Any
    """,
    "named tuple": 'from collections import namedtuple\nState = namedtuple("State", ["x", "key", "step"])',
    "named tuple, of one text": 'import collections\nState = collections.namedtuple("State", "x key step")',
    "named tuple with types": """
        from typing import NamedTuple
        State = NamedTuple("State", [("x", jax.Array), ("key", jax.Array), ("step", int)])
    """,
    "class above a named tuple": """
        from collections import namedtuple
        class State(namedtuple("State", "x key step")):
            __slots__ = ()
    """,
    "dataclass of Flax": f"from flax import struct\n@struct.dataclass\nclass State:\n{FIELDS}",
    "node of Flax": f"from flax import struct\nclass State(struct.PyTreeNode):\n{FIELDS}",
    "dataclass of Chex": f"import chex\n@chex.dataclass(frozen=True)\nclass State:\n{FIELDS}",
    "module of Equinox": f"import equinox as eqx\nclass State(eqx.Module):\n{FIELDS}",
    "registered dataclass": f"""
import dataclasses
@jax.tree_util.register_dataclass
@dataclasses.dataclass
class State:
{FIELDS}""",
    "class that flattens itself": """
        @jax.tree_util.register_pytree_node_class
        class State:
            def __init__(self, x, key, step):
                self.x = x
                self.key = key
                self.step = step
            def tree_flatten(self):
                return (self.x, self.key, self.step), None
            @classmethod
            def tree_unflatten(cls, aux, children):
                return cls(*children)
    """,
}

PROGRAM = """
def below(s):
    return s.step < 3

def doubled(s):
    return State(s.x * 2, s.key, s.step + 1)

def stepped(s):
    key, sub = jax.random.split(s.key)
    return State(s.x + jax.random.normal(sub, (3,)), key, s.step + 1)

def wrong(s, _):
    noise = jax.random.normal(s.key, (3,))  # JAX103
    if s.step > 3:  # JAX401
        noise = noise * int(s.step)  # JAX403
    return State(s.x + noise, s.key, s.step + 1), None

first = lax.while_loop(below, doubled, State(jnp.ones(3), jax.random.key(0), 0))

def run(key):
    start = State(jnp.zeros(3), key, 0)
    start = lax.while_loop(below, stepped, start)
    return lax.scan(wrong, start, None, length=5)

@jax.jit
def sized(s):
    y = s.x
    y[0] = 1.0  # JAX201
    return y, jnp.zeros(s.step)  # JAX410

sized(State(jnp.zeros(3), jax.random.key(1), 2))
"""


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_record_is_judged_alike_however_its_class_is_spelled(spelling: str) -> None:
    text = f"import jax\nimport jax.numpy as jnp\nfrom jax import lax\n{dedent(SPELLINGS[spelling])}\n{PROGRAM}"
    lines = enumerate(text.splitlines(), 1)
    marks = {(number, code) for number, line in lines for code in re.findall(r"# (JAX\d+)", line)}
    found = lint(SourceFile("stdin", text), Config(strict=True, no_store=True))
    assert {(one.span.line, one.code) for one in found.diagnostics} == marks
