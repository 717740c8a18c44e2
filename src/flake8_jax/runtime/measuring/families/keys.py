"""The use of keys by operations, for typed keys (`jax.random.key`) and raw ones (`jax.random.PRNGKey`).

    fact("ks[0]") -> {"typed": "key@ part", "raw": "key part"}

The first word is the kind of what comes back, or the exception; if a trace says something else, that follows a `|`.
`@`: JAX's checker of key reuse finds the operand used up by the operation alone.  `same`, `part`, `whole`, `some`: the
keys that come back are those of the operand, some of those, those and others, or some of both; without such a word
they are new ones.  `alike`: the checker refuses a draw from the operand after a draw from the result.  The operand is
the first of `k` and `ks` in the text.  The checker is blind to raw keys, which are told by their type and shape.
"""

from __future__ import annotations

import contextlib
import copy
import io
import re
import warnings
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import TypeAlias

import jax
import jax.numpy as jnp
import numpy as np

from flake8_jax.api.stated import toml
from flake8_jax.runtime.foreign import Foreign
from flake8_jax.runtime.measuring import naming
from flake8_jax.runtime.measuring.kinds import kind_of

KeyBody: TypeAlias = "Callable[[dict[str, Foreign]], int]"

SECTION = "keys"
OPERATIONS = Path(naming.__file__).with_name("keys.toml")


def subjects() -> dict[str, str]:
    """Every operation, as an expression of `k`, `k2`, `ks`, `ks2`, `i` and `c`."""
    return dict.fromkeys(_operations(), "jax")


def fact(name: str) -> dict[str, str] | None:
    """What an operation does with each kind of key."""
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        words = {"typed": " ".join(_typed(name)), "raw": " ".join(_words(name, jax.random.PRNGKey))}
        jax.effects_barrier()  # type: ignore[no-untyped-call]
    return words


def operand(operation: str) -> str:
    """The name of an operation's key, or array of keys."""
    found = re.search(r"\bks?\b", operation)
    return found[0] if found else "k"


@cache
def _operations() -> tuple[str, ...]:
    return tuple(toml(OPERATIONS.read_text(encoding="utf-8"))["operations"])


def _typed(operation: str) -> Iterator[str]:
    kind, *others = _words(operation, jax.random.key)
    used = _is_refused(operation, drawing=False)
    yield f"{kind}@" if used else kind
    yield from others
    if others and not used and _is_refused(operation, drawing=True):
        yield "alike"


def _words(operation: str, make: Callable[[int], Foreign]) -> Iterator[str]:
    """The kind of what comes back, and how its keys are related to the operand's."""
    values = _values(make)
    kinds = [_outcome(operation, values, run) for run in (_plain, _traced)]
    yield " | ".join(dict.fromkeys(kinds))
    with contextlib.suppress(Exception):
        yield from _relation(_rows(_evaluated(operation, values)), _rows(values[operand(operation)]))


def _values(make: Callable[[int], Foreign]) -> dict[str, Foreign]:
    """What the names in operations stand for."""
    one, two = (jax.random.split(make(seed), 3) for seed in (1, 2))
    return {"k": make(7), "k2": make(5), "ks": one, "ks2": two, "i": jnp.asarray(1), "c": jnp.asarray(True)}


def _evaluated(operation: str, values: dict[str, Foreign]) -> Foreign:
    return eval(operation, {"copy": copy, "jax": jax, "jnp": jnp, "lax": jax.lax, "np": np, **values})


def _plain(body: KeyBody, values: dict[str, Foreign]) -> None:
    body(values)


def _traced(body: KeyBody, values: dict[str, Foreign]) -> None:
    jax.jit(body)(values)


def _outcome(operation: str, values: dict[str, Foreign], run: Callable[[KeyBody, dict[str, Foreign]], None]) -> str:
    """The kind of what an operation gives, or the name of what it raises."""
    seen: list[str] = []

    def body(given: dict[str, Foreign]) -> int:
        seen.append(_kind(_evaluated(operation, given)))
        return 0

    try:
        run(body, values)
    except Exception as error:
        return type(error).__name__
    return seen[0]


def _kind(value: Foreign) -> str:
    if isinstance(value, jax.Array) and _is_key(value):
        return "keys" if value.ndim > (not _is_typed(value)) else "key"
    return kind_of(value)


def _is_typed(array: jax.Array) -> bool:
    return jnp.issubdtype(array.dtype, jax.dtypes.prng_key)


def _is_key(array: jax.Array) -> bool:
    return _is_typed(array) or (array.dtype == jnp.uint32 and array.shape[-1:] == (2,))


def _rows(value: Foreign) -> frozenset[bytes]:
    """The data of each key in a value."""
    leaves = [leaf for leaf in jax.tree_util.tree_leaves(value) if isinstance(leaf, jax.Array) and _is_key(leaf)]
    data = [np.asarray(jax.random.key_data(leaf) if _is_typed(leaf) else leaf).reshape(-1, 2) for leaf in leaves]
    return frozenset(row.tobytes() for rows in data for row in rows)


def _relation(found: frozenset[bytes], given: frozenset[bytes]) -> Iterator[str]:
    if found & given:
        yield "same" if found == given else "part" if found < given else "whole" if found > given else "some"


def _is_refused(operation: str, drawing: bool) -> bool:
    """Does the checker refuse a draw from the operand after the operation, and after a draw from its result?"""

    def body(given: dict[str, Foreign]) -> int:
        result = _evaluated(operation, given)
        for leaf in jax.tree_util.tree_leaves(result) if drawing else ():
            _draw(leaf)
        _draw(given[operand(operation)])
        return 0

    for run in (_traced, _plain):  # what does not trace is tried outside of traces
        try:
            with jax.debug_key_reuse(True):
                run(body, _values(jax.random.key))
        except jax.errors.KeyReuseError:
            return True
        except Exception:
            continue
        return False
    return False


def _draw(keys: jax.Array) -> None:
    draw: Callable[[Foreign], Foreign] = jax.random.bits
    for _ in range(keys.ndim):
        draw = jax.vmap(draw)
    draw(keys)
