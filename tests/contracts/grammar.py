"""What random programs are made of: types of values, values of them, and expressions that keep a type or change it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Leaf:
    """An array, or with `is_number` a number of Python."""

    dtype: str
    shape: tuple[int, ...] = ()
    is_number: bool = False

    @property
    def is_float(self) -> bool:
        """May it be differentiated?"""
        return "float" in self.dtype


@dataclass(frozen=True, slots=True)
class Tree:
    """A container; `none` has no parts."""

    form: str
    parts: tuple[Type, ...] = ()


Type: TypeAlias = "Leaf | Tree"
Path: TypeAlias = "tuple[int, ...]"
"""The numbers of the parts that lead to a leaf."""

NONE = Tree("none")
KEYS = ("a", "b", "c", "d")
DTYPES = ("float32", "float32", "float32", "int32", "int32", "float16", "int8", "uint8", "bool", "bfloat16")
SHAPES = ((), (), (3,), (3,), (4,), (2, 3), (1,))

NUMBERS = {"float32": ("0.0", "1.0", "2.5"), "int32": ("0", "1", "3"), "bool": ("True", "False")}
ARRAYS = (
    "jnp.zeros({s}, jnp.{d})", "jnp.ones({s}, jnp.{d})", "jnp.ones({s}, dtype=jnp.{d})", "jnp.full({s}, 1, jnp.{d})",
    "jnp.zeros({s}).astype(jnp.{d})", "jnp.asarray(np.ones({s}), jnp.{d})", "jnp.zeros_like(jnp.ones({s}, jnp.{d}))",
    "jnp.ones({s}, jnp.{d}) * 1", "jnp.broadcast_to(jnp.zeros((), jnp.{d}), {s})", 'jnp.zeros({s}, "{d}")',
)  # fmt: skip
SCALARS = ("jnp.{d}(1)", "jnp.array(1, jnp.{d})", "jnp.asarray(0, dtype=jnp.{d})", "jnp.zeros((), jnp.{d})")
DEFAULTS = {
    "float32": ("jnp.zeros({s})", "jnp.ones({s})", "jnp.full({s}, 0.5)", "jnp.zeros({s}) + 1"),
    "int32": ("jnp.full({s}, 2)", "jnp.zeros({s}, int)"),
    "bool": ("jnp.zeros({s}, bool)", "jnp.ones({s}) > 0"),
}

KEEPING = (
    "-{v}", "{v} + {v}", "{v} * 2", "{v} + 1", "1 - {v}", "jnp.where({v} > 0, {v}, 0)", "jnp.maximum({v}, 0)",
    "jnp.abs({v})", "{v} ** 2", "jnp.square({v})", "jnp.clip({v}, 0, 5)", "_shifted({v})", "_doubled(v={v})",
    "lax.stop_gradient({v})", "jnp.where({v} > 0, {v}, jnp.zeros_like({v}))", "{v} * {v} + 1", "jax.nn.relu({v})",
    "jnp.add({v}, 1)", "jnp.multiply(2, {v})", "lax.add({v}, {v})", "jnp.minimum({v}, {v} * 2)",
    "lax.select({v} > 0, {v}, {v})", "_Tools.halved({v})", "jnp.sign({v})", "jnp.real({v})",
)  # fmt: skip
"""Expressions that keep the type of what is no bool."""

OF_BOOLS = ("~{v}", "{v} & {v}", "jnp.logical_not({v})", "{v} | True", "jnp.logical_or({v}, {v})", "{v} ^ {v}")
OF_FLOATS = (
    "{v} * 0.5", "{v} / 2", "jnp.sin({v})", "jnp.exp({v} * 0.1)", "jnp.tanh({v})", "jnp.sqrt(jnp.abs({v}) + 1.0)",
    "{v} + 1.5", "jax.nn.sigmoid({v})", "jnp.where({v} > 0.5, {v}, 0.0)", "{v} ** 0.5", "jnp.log1p({v})",
    "jnp.power({v}, 2.0)", "{v} - jnp.mean({v})", "{v} * jnp.pi", "{v} + np.pi", "2.0 / (1.0 + {v})",
)  # fmt: skip
OF_VECTORS = (
    "jnp.flip({v})", "{v}[::-1]", "jnp.roll({v}, 1)", "{v}.at[0].set(1)", "{v}.at[0].add({v}[0])",
    "jnp.concatenate([{v}[1:], {v}[:1]])", "jnp.stack([{v}, {v}])[0]", "{v} - {v}.min()", "{v}.at[-1].multiply(2)",
    "jnp.sort({v}, axis=0)", "{v}.copy()", "jnp.concatenate([{v}, {v}])[: {v}.shape[0]]",
    "jnp.vstack([{v}, {v}]).reshape(-1)[: {v}.size].reshape({v}.shape)",
)  # fmt: skip
"""Expressions that keep the type of what has axes."""

DRIFTING = (
    "{v} * 0.5", "jnp.sin({v})", "{v} / 2", "{v} + jnp.float32(1)", "{v} + jnp.int32(1)", "jnp.mean({v}) + {v}",
    "{v} > 0", "jnp.cumsum({v}, axis=-1)", "{v} + jnp.sum({v})", "jnp.prod({v}) * {v}", "{v} // 2", "{v} % 3",
    "jnp.where({v} > 0, {v}, 0.0)", "jnp.where({v} > 0, 1.0, {v})", "{v} + np.float32(1)", "jnp.floor({v})",
    "jnp.round({v})", "jnp.logical_not({v})", "{v} + True", "jnp.float32(0.1) * {v}", "jnp.asarray({v}, float)",
    "jnp.clip({v}, 0.0, 1.0)", "jnp.maximum({v}, 0.5)", "{v} + jnp.ones({s})",
    "jnp.abs({v}) + jnp.zeros({s}, jnp.int8)",
    "sum([{v}, {v}])", "jnp.where({v} == 0, {v}, jnp.nan)", "jnp.negative({v})", "{v} + jnp.arange(1)",
    "jnp.hypot({v}, 1.0)",
)  # fmt: skip
"""Expressions of which the dtype of the operand decides whether they keep the type."""

OF_DTYPE = (
    "{v}.astype(jnp.{o})", "({v} > 0).astype(jnp.{o})", "jnp.zeros_like({v}, dtype=jnp.{o})",
    "jnp.asarray({v}, jnp.{o})",
    "lax.convert_element_type({v}, jnp.{o})", "jnp.full_like({v}, 1, dtype=jnp.{o})", "_cast({v}, jnp.{o})",
    "({v} * 0.5).astype(jnp.{o})", '{v}.astype("{o}")', "jnp.where({v} > 0, 1, 0).astype(jnp.{o})",
    "lax.convert_element_type({v} + 1, jnp.{o})", "jnp.array({v}, dtype=jnp.{o})", "jnp.ones({s}, jnp.{o})",
)  # fmt: skip
"""Expressions of a dtype and of the shape of their operand."""

CHANGING = (
    "{v}[None]", "jnp.stack([{v}, {v}])", "jnp.expand_dims({v}, 0)", "jnp.zeros((7,), {v}.dtype)",
    "{v} + jnp.zeros((5, 1) + {s}, {v}.dtype)", "jnp.tile({v}, (2, 3, 1))", "_rows({v})",
)  # fmt: skip
"""Expressions that change the shape."""

CHANGING_VECTORS = (
    "{v}[0]", "{v}[1:]", "jnp.concatenate([{v}, {v}])", "jnp.sum({v}).astype({v}.dtype)", "jnp.append({v}, {v}[:1])",
    "{v}.reshape(-1, 1, 1)", "jnp.max({v})", "{v}[..., None]", "{v}[:, None]", "jnp.pad({v}, 1)", "jnp.repeat({v}, 2)",
    "{v}[:-1]", "jnp.diff({v}, axis=0)", "jnp.mean({v}, axis=0)", "{v}.sum()",
    "jnp.concatenate(({v}, {v}[:1]), axis=0)",
)  # fmt: skip
"""Expressions that change the shape of what has axes."""

HEAD = """\
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


def _shifted(v):
    return v - 1


def _doubled(v):
    twice = v + v
    return twice


def _cast(v, dtype):
    return v.astype(dtype)


def _rows(v):
    return jnp.stack((v, v), axis=0)


class _Tools:
    @staticmethod
    def halved(v):
        return v - v // 2
"""


def random_type(choice: Random, depth: int = 0) -> Type:
    """A type of what a loop carries or a branch gets."""
    pick = choice.random()
    if depth > 1 or pick < 0.5:
        dtype = choice.choice(DTYPES)
        if dtype in NUMBERS and choice.random() < 0.25:
            return Leaf(dtype, (), True)
        return Leaf(dtype, choice.choice(SHAPES))
    if pick < 0.53 and depth:
        return NONE
    form = choice.choice(("tuple", "tuple", "list", "dict"))
    return Tree(form, tuple(random_type(choice, depth + 1) for _ in range(choice.randint(1, 3))))


def floating(choice: Random, shape: tuple[int, ...] | None = None) -> Leaf:
    """A type that may be differentiated."""
    return Leaf("float32", choice.choice(SHAPES) if shape is None else shape)


def value(choice: Random, of: Type) -> str:
    """An expression that makes a value of a type."""
    if isinstance(of, Tree):
        return built(choice, of, tuple(value(choice, part) for part in of.parts))
    if of.is_number:
        return choice.choice(NUMBERS[of.dtype])
    forms = [*ARRAYS, *DEFAULTS.get(of.dtype, ()), *(SCALARS * 3 if not of.shape else ())]
    made: str = choice.choice(forms).format(s=of.shape, d=of.dtype + "_" * (of.dtype == "bool"))
    return made


def built(choice: Random, of: Tree, parts: tuple[str, ...]) -> str:
    """The display of a container."""
    if of.form == "none":
        return "None"
    if of.form == "dict":
        pairs = list(zip(KEYS, parts))
        if choice.random() < 0.2:
            return f"dict({', '.join(f'{key}={part}' for key, part in pairs)})"
        return "{" + ", ".join(f'"{key}": {part}' for key, part in pairs) + "}"
    inner = ", ".join(parts)
    return f"[{inner}]" if of.form == "list" else f"({inner}{',' * (len(parts) == 1)})"


def kept(choice: Random, of: Leaf, text: str) -> str:
    """An expression of the type of its operand; where it drifts, JAX says so."""
    if choice.random() < 0.15:
        return cast(choice, of, text, of.dtype)
    if choice.random() < 0.04:
        found = choice.choice(DRIFTING)
    else:
        forms = list(OF_BOOLS if of.dtype == "bool" else KEEPING)
        forms += OF_FLOATS if of.is_float else ()
        forms += OF_VECTORS if of.shape and of.dtype != "bool" else ()
        found = choice.choice(forms)
    return found.format(v=text, s=of.shape, r=of.shape[0] if of.shape else 1)


def changed(choice: Random, of: Leaf, text: str, aspect: str) -> str:
    """An expression that changes the shape or dtype of its operand."""
    if aspect == "dtype":
        other = choice.choice([dtype for dtype in DTYPES if dtype != of.dtype])
        return cast(choice, of, text, other)
    forms = (*CHANGING, *(CHANGING_VECTORS if of.shape else ()))
    found: str = choice.choice(forms)
    made: str = found.format(v=text, s=of.shape)
    return made


def cast(choice: Random, of: Leaf, text: str, dtype: str) -> str:
    """An expression of a dtype."""
    form: str = choice.choice(OF_DTYPE)
    name = dtype + "_" * (dtype == "bool" and "jnp.{o}" in form)
    made: str = form.format(v=text, s=of.shape, o=name)
    return made


def leaves(of: Type, path: Path = ()) -> Iterator[tuple[Path, Leaf]]:
    """The leaves of a type with their paths."""
    if isinstance(of, Leaf):
        yield path, of
    else:
        for number, part in enumerate(of.parts):
            yield from leaves(part, (*path, number))


def opened(
    choice: Random, of: Type, text: str, names: Iterator[str], path: Path = ()
) -> tuple[list[str], dict[Path, str]]:
    """Statements that take a value apart, and how each leaf is called then."""
    if isinstance(of, Leaf):
        return [], {path: text}
    statements: list[str] = []
    found: dict[Path, str] = {}
    unpacks = of.form in ("tuple", "list") and choice.random() < 0.6 and of.parts
    parts = [next(names) for _ in of.parts] if unpacks else []
    if unpacks:
        statements.append(f"{', '.join(parts)}{',' * (len(parts) == 1)} = {text}")
    for number, part in enumerate(of.parts):
        index = f'"{KEYS[number]}"' if of.form == "dict" else str(number)
        inner = parts[number] if unpacks else f"{text}[{index}]"
        more, held = opened(choice, part, inner, names, (*path, number))
        statements += more
        found.update(held)
    return statements, found


def rebuilt(choice: Random, of: Type, held: dict[Path, str], path: Path = ()) -> str:
    """The display of a value whose leaves are given; another leaf is what stood around it, or new."""
    if isinstance(of, Leaf):
        around = [path[:length] for length in range(len(path), -1, -1) if path[:length] in held]
        return held[around[0]] if around else "jnp.zeros(())"
    return built(choice, of, tuple(rebuilt(choice, part, held, (*path, n)) for n, part in enumerate(of.parts)))


def restructured(choice: Random, of: Type, path: Path = ()) -> Type:
    """A type of another structure: its leaves keep their paths where they stay."""
    if isinstance(of, Leaf):
        return choice.choice((NONE, Tree("tuple", (of,)), Tree("list", (of,)), Tree("dict", (of,))))
    if of.form == "none" or not of.parts:
        return Leaf("float32")
    way = choice.randint(0, 3)
    if way == 0:
        return Tree(choice.choice([form for form in ("tuple", "list", "dict") if form != of.form]), of.parts)
    if way == 1 and len(of.parts) > 1:
        return Tree(of.form, of.parts[:-1])
    if way == 2:
        return Tree(of.form, (*of.parts, choice.choice((NONE, Leaf("float32")))))
    number = choice.randrange(len(of.parts))
    inner = restructured(choice, of.parts[number])
    return Tree(of.form, (*of.parts[:number], inner, *of.parts[number + 1 :]))
