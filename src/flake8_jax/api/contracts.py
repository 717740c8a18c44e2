"""Rows of what libraries demand of the objects and calls of their users.

"equinox.Module" = "at:equinox.tree_at declared __init__ __post_init__"
    its objects are frozen: `tree_at(lambda m: m.field, module, value)` makes a changed copy, these methods store fields
"""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

from flake8_jax.api.rows import RowError
from flake8_jax.domain.value import Value
from flake8_jax.ir.ops import Function, Op
from flake8_jax.lazy_dataclasses import dataclass

HowFrozen: TypeAlias = Literal["at", "call", "method", "bound"]

APPLYING = frozenset(("equinox.apply_updates", "optax.apply_updates"))
"""What moves parameters by the updates that an optimizer gives."""

STREAMS = "rngs"
"""The keyword by which a network gets its keys, in a dict that it reads and leaves as it is."""

UPDATED = {"params": 2, "value": 9, "grad": 9, "value_fn": 9}
"""What the update of an optimizer may need beside gradients and state, with the place where it can be passed."""

ResultPart: TypeAlias = Literal[
    "value", "gradient", "tangent", "pullback", "function", "carry", "outputs", "updates", "state", "auxiliary",
    "value with auxiliary data", "variables",
]  # fmt: skip
"""What a part of a result is."""

PAIR: ResultPart = "value with auxiliary data"
PARTS: frozenset[ResultPart] = frozenset(get_args(ResultPart))

VariablesForm: TypeAlias = Literal["variables", "collection", "pair"]
"""What a value is of the variables of a network: all of them, one collection, or a result with them."""

INNER = "inner"
"""Stands for what those need of which an optimizer is made."""

LAYERED = frozenset(("equinox.nn.MLP", "equinox.nn.Sequential", "flax.linen.Sequential", "flax.nnx.Sequential"))
"""Networks that call the functions that they are made of with arrays."""

ALIKE = "alike"
"""Stands for the need of updates whose trees are like those that the state was made of."""


@dataclass(frozen=True, slots=True)
class Freezing:
    """Objects of classes of the library's name `by` are frozen.

    `how` a changed copy is made: `at`, by a function that is told where; `call`, by one that takes fields as keywords;
    `method`, by one of the object.  `copying` is its name.  "bound": they are frozen only where the library runs their
    methods, which it does with `__call__` and those under the decorator of this name.  The methods that are `storing`
    store fields, with what they call; if it `declares`, those alone that the class declares.
    """

    by: str
    how: HowFrozen
    copying: str
    storing: tuple[str, ...]
    declares: bool


@dataclass(frozen=True, slots=True)
class ResultParts:
    """What the parts of the result of a call are, as far as the call tells.

    `by` is what was called; `carried` is the argument that the first part, or for `state` the second, comes from;
    `transform` is where the transform is written, `both` the one that gives the value with the gradient.  `is_guessed`:
    a method's name alone says it, of an object that is not known.
    """

    by: str
    parts: tuple[ResultPart, ...]
    carried: Op | None = None
    transform: Op | None = None
    both: str = ""
    is_guessed: bool = False


@dataclass(frozen=True, slots=True)
class StateMade:
    """A state of an optimizer: the op that makes it, in which function, of which parameters, with their text."""

    function: Function
    params: Value
    text: str
    op: Op


def parse_freezing(by: str, row: str) -> Freezing:
    """Parse a row of the block `frozen`."""
    first, *words = row.split()
    how, _, copying = first.partition(":")
    if how not in get_args(HowFrozen):
        raise RowError(f"unknown word {how!r} for {by!r} in [frozen]")
    storing = tuple(word for word in words if word != "declared")
    return Freezing(by, how, copying, storing, "declared" in words)  # type: ignore[arg-type]


def parse_needs(row: str) -> frozenset[str]:
    """Parse a word of the block `optimizers`: what is needed, joined by `+`."""
    needs = frozenset(row.split("+"))
    if unknown := needs - UPDATED.keys() - {INNER}:
        raise RowError(f"unknown word {sorted(unknown)[0]!r} in [optimizers]")
    return needs


def parse_parts(row: str) -> tuple[ResultPart, ...]:
    """Parse a row of the block `results`."""
    if unknown := set(row.split()) - PARTS:
        raise RowError(f"unknown word {sorted(unknown)[0]!r} in [results]")
    return tuple(row.split())  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class RequiredArguments:
    """What a call must be given `since` a version of a library, the `keywords` by name.

    `hint` is how that looks, `other` what takes the call as it was, in words, if there is such a thing.
    """

    library: str
    since: str
    positional: tuple[str, ...]
    keywords: tuple[str, ...]
    hint: str
    other: str = ""


def parse_required(name: str, row: str) -> RequiredArguments:
    """Parse a row of the block `required`: a version, the parameters, those by keyword after `*`, a hint, and what else
    there is.
    """
    told, hint, *other = row.split("; ")
    since, *words = told.split()
    place = words.index("*") if "*" in words else len(words)
    library, by_place, by_name = name.partition(".")[0], tuple(words[:place]), tuple(words[place + 1 :])
    return RequiredArguments(library, since, by_place, by_name, hint, *other)
