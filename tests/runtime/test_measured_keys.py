"""What operations on keys were measured to do, and what the linter makes of programs with them.

Three programs for each operation, with typed keys and with raw ones: it and a draw from its operand; it, a draw from
its result and one from its operand; it and two draws from its operand.  Where the linter and JAX differ stands below,
and nothing else may.
"""

from __future__ import annotations

import re
from functools import cache

from flake8_jax.api import measured
from flake8_jax.api.table import load
from tests.support import probes

HEAD = """\
import copy
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
k, k2 = jax.random.{make}(7), jax.random.{make}(5)
ks, ks2 = jax.random.split(jax.random.{make}(1), 3), jax.random.split(jax.random.{make}(2), 3)
i, c = jnp.asarray(1), jnp.asarray(True)
"""
MAKERS = {"typed": "key", "raw": "PRNGKey"}
DRAWS = {"key": "jax.random.bits({})", "keys": "jax.vmap(jax.random.bits)({})"}
RELATIONS = {"same", "part", "whole", "some"}

# The linter says that the operand is used up, and it is not: false alarms.
ALARMED: set[str] = set()
# The checker counts as use what only looks at keys, copies them or puts them elsewhere; the linter does not.
ONLY_MOVED = {
    "[each for each in ks]", "jax.debug.print('{}', k)", "jnp.array([k, k2])", "jnp.concatenate([ks, ks2])",
    "jnp.flip(ks, 0)", "jnp.roll(ks, 1, axis=0)", "jnp.split(ks, 3)", "jnp.squeeze(ks[:1], 0)", "jnp.stack([k, k2])",
    "jnp.where(c, k, k2)", "ks[-1]", "ks[0, ...]", "ks[0]", "ks[:1]", "lax.optimization_barrier(k)",
    "lax.select(c, k, k2)", "list(ks)[0]", "next(iter(ks))", "tuple(ks)",
}  # fmt: skip
# Keys are drawn from, and the linter does not see it: missed alarms.
MISSED: set[str] = set()
# The result holds keys of the operand, and the linter takes it for something of its own: missed alarms, but for
# `clone`, which is there to draw twice.
LOST = {
    "copy.copy(k)", "copy.deepcopy(k)", "jax.random.clone(k)",
    "jax.tree.map(lambda each: each, {'a': k})['a']", "lax.cond(c, lambda: k, lambda: k2)",
}  # fmt: skip


def facts() -> list[tuple[str, dict[str, str]]]:
    """Every operation that was measured, in every version of JAX."""
    found = [measured.Measured(version).of("jax").get("keys", {}) for version in measured.versions()]
    return [item for keys in found for item in keys.items()]


@cache
def reuses(program: str) -> bool:
    return probes.reuses(program, load()) > 0


def draw(name: str, kind: str) -> str:
    return f"{name}_drawn = {DRAWS[kind].format(name)}\n"


def programs(operation: str, way: str) -> tuple[str, str, str]:
    """The operation, and what draws from its operand once and twice."""
    found = re.search(r"\bks?\b", operation)
    assert found is not None
    kind = "keys" if found[0] == "ks" else "key"
    once = draw(found[0], kind)
    return HEAD.format(make=MAKERS[way]) + f"r = {operation}\n", once, once + once.replace("_drawn =", "_again =")


def disagreements() -> dict[str, set[str]]:
    """The operations of which the linter says something else than was measured, by how."""
    found: dict[str, set[str]] = {"alarmed": set(), "silent": set(), "alarmed by both": set(), "lost": set()}
    for operation, words in facts():
        for way in MAKERS:
            kind, *relations = words[way].split()
            kind, used = kind.rstrip("@"), "@" in words["typed"]
            if kind[0].isupper():
                continue
            head, once, _ = programs(operation, way)
            said = reuses(head + once)
            if said != used:
                found["alarmed" if said else "silent"].add(operation)
            if kind in DRAWS:
                said, truth = reuses(head + draw("r", kind) + once), bool(RELATIONS & set(relations)) or used
                if said != truth:
                    found["alarmed by both" if said else "lost"].add(operation)
    return found


def test_the_linter_follows_keys_as_measured_but_for_what_is_listed() -> None:
    assert facts()
    expected = {"alarmed": ALARMED, "silent": ONLY_MOVED | MISSED, "alarmed by both": set(), "lost": LOST}
    assert disagreements() == expected


def test_an_operation_does_not_hide_two_draws_from_its_operand() -> None:
    known = {operation for operation, _ in facts()}
    assert known
    hidden = set()
    for operation in known:
        for way in MAKERS:
            head, _, twice = programs(operation, way)
            hidden |= set() if reuses(head + twice) else {operation}
    assert hidden == set()
