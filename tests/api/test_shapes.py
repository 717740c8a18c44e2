"""The shapes, numbers and dtypes of NumPy that are stated are what JAX makes, call by call."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from flake8_jax.analysis.calls.shapes import shape_of_operand
from flake8_jax.analysis.interpretation import interpret
from flake8_jax.analysis.modules.linking import LinkedProject
from flake8_jax.analysis.objects.dtypes import dtype_of_operand
from flake8_jax.api import stated
from flake8_jax.api.dtypes import NARROW, WEAK
from flake8_jax.api.table import load
from flake8_jax.domain.dtypes import Dtype
from flake8_jax.domain.shape import Shape
from flake8_jax.domain.value import Value
from flake8_jax.syntax.source import SourceFile

LIBRARY: Any = jax
HEAD = """
import math
import jax, jax.numpy, jax.random, jax.nn, jax.lax
import numpy
import jax.numpy as jnp
V = jnp.ones(6)
M = jnp.ones((3, 4))
B = jnp.ones((2, 3, 4))
S = jnp.ones((1, 3, 1))
N = jnp.arange(12).reshape(3, 4)
T = jnp.ones((3, 4), bool)
O = jnp.ones(())
K = jax.random.key(0)
"""
ALL_REDUCED = "{f}(M)", "{f}(M, axis=0)", "{f}(M, axis=-1)", "{f}(B, axis=1, keepdims=True)", "{f}(M, keepdims=True)"
SAID = "{f}((2, 3))", "{f}(4)", "{f}((2, 1), dtype=int)", "{f}(())"
CALLS: dict[str, tuple[str, ...]] = {
    "along": ("{f}(M, axis=0)", "{f}(M)", "{f}(V)", "{f}(O)", "{f}(M, axis=-1)"),
    "both": ("{f}(M, M)",),
    "counted": (
        "{f}(5)", "{f}(2, 7)", "{f}(0, 10, 3)", "{f}(0.0, 1.0, 0.25)", "{f}(5, 2)", "{f}(9, 0, -2)",
        "{f}(0, 9, step=2)",
    ),
    "drawn": ("{f}(K)", "{f}(K, (2, 3))", "{f}(K, shape=(4,))"),
    "encoded": ("{f}(jnp.arange(3), 5)", "{f}(N, num_classes=2)", "{f}(N, 2, axis=0)"),
    "first": ("{f}(M)", "{f}(V)"),
    "flat": ("{f}(M)", "{f}(O)"),
    "tiled": ("{f}(M, 2)", "{f}(M, (2, 3))", "{f}(V, (2, 1))", "{f}(B, (2,))"),
    "padded": ("{f}(M, 1)", "{f}(M, (1, 2))", "{f}(M, ((1, 2), (0, 3)))", "{f}(M, ((1, 2),))"),
    "repeated": ("{f}(M, 2)", "{f}(M, 2, axis=0)", "{f}(M, 3, axis=-1)", "{f}(V, 2)"),
    "differed": ("{f}(M)", "{f}(M, axis=0)", "{f}(V, n=2)", "{f}(V, n=9)", "{f}(V, prepend=0.0)"),
    "appended": ("{f}(M, M)", "{f}(M, M, axis=1)", "{f}(V, 1.0)"),
    "piled": ("{f}([V, V])", "{f}((M, M))", "{f}([1.0, 2.0])", "{f}([M, jnp.ones(4)])"),
    "lined": ("{f}([V, V])", "{f}((M, M))", "{f}([1.0, 2.0])"),
    "einsum": ("{f}('ij,j->i', M, jnp.ones(4))", "{f}('ij,jk', M, jnp.ones((4, 5)))", "{f}('i,i->', V, V)"),
    "exchanged": ("{f}(B, 0, 1)", "{f}(B, -1, 0)"),
    "listed": ("{f}(3)", "{f}(2, 3)"),
    "moved": ("{f}(B, 0, 2)", "{f}(B, -1, 0)", "{f}(B, source=1, destination=0)", "{f}(B, 0, -2)"),
    "multiplied": ("{f}(M, jnp.ones((4, 5)))", "{f}(M, jnp.ones(4))", "{f}(V, V)", "{f}(B, jnp.ones((4, 5)))"),
    "dotted": ("{f}(V, V)", "{f}(M, jnp.ones(4))", "{f}(M, jnp.ones((4, 5)))", "{f}(B, jnp.ones((4, 5)))"),
    "number": ("{f}(V, V)", "{f}(M, M)"),
    "outer": ("{f}(V, M)", "{f}(M, O)"),
    "joined": ("{f}([M, M], 0)", "{f}((M, jnp.ones((3, 1))), 1)"),
    "like": ("{f}(M)",),
    "reduced": ALL_REDUCED,
    "reshaped": ("{f}(M, 12)", "{f}(M, (2, 6))", "{f}(M, (-1, 2))", "{f}(M, -1)", "{f}(M, (2, 3, 2))"),
    "sized": ("{f}(size=4)", "{f}(size=(2, 3))"),
    "second": ("{f}(T, M, M)", "{f}(True, V, V)"),
    "said": SAID,
    "spaced": ("{f}(0.0, 1.0, 5)", "{f}(0, 1)", "{f}(0, 1, num=7)", "{f}(V, V, 3)"),
    "square": ("{f}(3)",),
    "squeezed": ("{f}(S)", "{f}(S, 0)", "{f}(S, axis=(0, 2))", "{f}(S, axis=-1)"),
    "stacked": ("{f}([M, M])", "{f}((V, V, V), axis=1)", "{f}([M], -1)", "{f}([1.0, 2.0])"),
    "turned": ("{f}(B)", "{f}(B, (1, 0, 2))", "{f}(M)"),
    "widened": ("{f}(M, 0)", "{f}(M, axis=-1)", "{f}(M, 1)"),
}  # fmt: skip
"""Calls of what one word is stated of: `{f}(x, ...)` is `x.f(...)` for methods."""

MORE: dict[str, tuple[str, ...]] = {
    "jax.numpy.concatenate": ("{f}([V, V])", "{f}([B, B], axis=-1)"),
    "jax.numpy.eye": ("{f}(3, 4)", "{f}(3, M=2)"),
    "jax.numpy.zeros_like": ("{f}(M, shape=(2, 3))", "{f}(M, dtype=int)"),
    "jax.numpy.prod": ("{f}(B, axis=(0, 2))", "{f}(T)", "{f}(N)"),
    "jax.numpy.sort": ("{f}(M, axis=0)", "{f}(M, axis=None)"),
    "jax.numpy.argsort": ("{f}(M, axis=None)",),
    "jax.numpy.array": (
        "{f}([1, 2])", "{f}([[1.0], [2.0]])", "{f}(M, ndmin=3)", "{f}([V, V])", "{f}(2.5)", "{f}((True, False))",
    ),
    "jax.numpy.where": ("{f}(T, M, 0)", "{f}(T, M, jnp.ones(4))"),
    "jax.numpy.add": ("{f}(M, jnp.ones(4))", "{f}(M, 1)", "{f}(S, B)", "{f}(2, 3)", "{f}(N, 1.5)"),
    "jax.numpy.cumsum": ("{f}(T)", "{f}(B, axis=1)"),
    "jax.numpy.sum": ("{f}(B, axis=(0, -1))", "{f}(T)", "{f}(M, axis=())"),
    "jax.numpy.linspace": ("{f}(0, 1, endpoint=False)",),
    "Array.reshape": ("{f}(M, 3, 2, 2)", "{f}(M, -1, 2)"),
    "Array.sum": ("{f}(B, (0, 1))", "{f}(M, 0, keepdims=True)"),
}  # fmt: skip
"""Further calls of one function."""

OF_NUMPY = {
    "beta": "1, 2", "binomial": "3, 0.5", "chisquare": "2", "choice": "5", "gamma": "2", "geometric": "0.5",
    "pareto": "2", "randint": "5", "standard_gamma": "2", "standard_t": "3", "triangular": "0, 1, 2",
}  # fmt: skip
"""What those draws of NumPy take that need arguments."""

INSTEAD: dict[str, tuple[str, ...]] = {
    **{f"numpy.random.{name}": (f"{{f}}({given}, size=(2, 3))",) for name, given in OF_NUMPY.items()},
    "Array.astype": ("{f}(M, int)", "{f}(N, jnp.float16)", "{f}(V, bool)"),
    "Array.clip": ("{f}(M, 0, 1)", "{f}(V, min=0)", "{f}(N, None, 3)"),
    "jax.numpy.clip": ("{f}(M, 0, 1)", "{f}(N, 0)"),
    "jax.numpy.where": ("{f}(T, M, M)",),
    "jax.numpy.round": ("{f}(M)", "{f}(M, 2)"),
    "jax.numpy.roll": ("{f}(M, 1)", "{f}(V, 2)", "{f}(M, 1, axis=0)", "{f}(M, (1, 1), axis=(0, 1))"),
    "jax.numpy.full": ("{f}((2, 3), 1.0)", "{f}(4, 1)", "{f}(shape=(2,), fill_value=True)"),
    "numpy.full": ("{f}((2, 3), 1.0)", "{f}(4, 1)", "{f}((), 2.0, dtype='float32')"),
    "jax.lax.full": ("{f}((2, 3), 1.0)", "{f}((4,), 1)", "{f}((), 2, jnp.float32)"),
    "jax.lax.full_like": ("{f}(M, 1.0)", "{f}(M, 1, shape=(2,))", "{f}(N, 1, dtype=jnp.float32)"),
    "jax.numpy.full_like": ("{f}(M, 2.0)", "{f}(M, 1, shape=(2,))", "{f}(M, 1, dtype=int)"),
    "jax.lax.dynamic_slice": ("{f}(M, (0, 1), (2, 2))", "{f}(M, start_indices=(0, 0), slice_sizes=(1, 4))"),
    "jax.lax.dynamic_update_slice": ("{f}(M, jnp.ones((1, 2)), (0, 1))",),
    "jax.lax.convert_element_type": ("{f}(M, jnp.int32)", "{f}(N, new_dtype=jnp.float32)"),
    "jax.lax.integer_pow": ("{f}(M, 2)",),
    "jax.lax.rev": ("{f}(M, (0,))",),
    "jax.numpy.broadcast_to": ("{f}(V, (2, 6))", "{f}(1.0, (3,))", "{f}(O, shape=(2, 2))"),
    "jax.random.randint": ("{f}(K, (2, 3), 0, 5)", "{f}(K, shape=(), minval=0, maxval=2)"),
    "jax.random.laplace": ("{f}(K)", "{f}(K, (2, 3))"),
    "jax.random.truncated_normal": ("{f}(K, -1.0, 1.0)", "{f}(K, -1.0, 1.0, (2, 3))", "{f}(K, 0, 1, shape=(2,))"),
    **{f"jax.numpy.{name}": ("{f}(M)", "{f}(B)") for name in ("fliplr", "flipud", "tril", "triu")},
    "jax.nn.standardize": ("{f}(M)", "{f}(V, axis=0)"),
    "numpy.eye": ("{f}(3)", "{f}(2, 3)"),
    "numpy.identity": ("{f}(3)",),
    "numpy.linspace": ("{f}(0, 1, 5)",),
    "numpy.array": ("{f}([1, 2])", "{f}([[1.0, 2.0]])", "{f}([1, 2], dtype='float32')", "{f}(3)"),
    "numpy.asarray": ("{f}([1, 2])", "{f}([True])"),
    "numpy.ascontiguousarray": ("{f}([1.0, 2.0])",),
}  # fmt: skip
"""The calls of functions that need other arguments."""

WHOLE = frozenset(("invert", "bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_not"))
"""What takes whole numbers only."""


def calls() -> Iterator[tuple[str, str]]:
    """Each name, and an expression for each way to call it."""
    rows = stated.read()
    for name, word in rows.shapes.items():
        templates = INSTEAD.get(name, CALLS[word] if name not in rows.dtypes or word != "first" else ("{f}(2)",))
        for template in (*templates, *MORE.get(name, ())):
            call = template.replace("M", "N").replace("V", "jnp.arange(6)") if is_whole(name) else template
            yield name, method(call.format(f="f"), name) if name.startswith("Array.") else call.format(f=name)
    yield from ((name, name) for name in rows.numbers)
    for name in rows.dtypes.keys() - rows.shapes.keys():
        yield from ((name, template.format(f=name)) for template in INSTEAD[name])


def is_whole(name: str) -> bool:
    """Does a function take whole numbers only?"""
    return name.rpartition(".")[2] in WHOLE


def method(call: str, name: str) -> str:
    """A call as one of a method of its first argument."""
    tree: Any = ast.parse(call, mode="eval").body
    first, *rest = tree.args
    tree.func, tree.args = ast.Attribute(first, name.rpartition(".")[2], ast.Load()), rest
    return ast.unparse(tree)


def judged(expressions: list[str]) -> dict[str, Value]:
    """What the linter says of each expression."""
    program = HEAD + "".join(f"r{place} = {text}\n" for place, text in enumerate(expressions))
    file = LinkedProject(None, load()).judged(SourceFile("program.py", program), "program.py")
    interpret(file)
    values = {text: file.value(f"r{place}") for place, text in enumerate(expressions)}
    return {text: value for text, value in values.items() if value is not None}


def shapes_differ(said: Shape, made: tuple[int, ...]) -> bool:
    """Does a shape certainly differ from that which JAX makes?"""
    if said is None or len(said) != len(made):
        return said is not None
    return any(one not in (None, other) for one, other in zip(said, made, strict=True))


def dtypes_differ(said: Dtype | None, made: Any) -> bool:
    """Does a dtype differ from that which JAX makes, without 64 bits?"""
    if not isinstance(said, str):
        return False
    name = said.removeprefix(WEAK)
    return (NARROW.get(name, name), name != said) != (str(made.dtype), made.weak_type)


@pytest.mark.filterwarnings("ignore")
def test_shapes_and_dtypes_are_those_of_jax() -> None:
    names: dict[str, Any] = {}
    exec(HEAD, names)
    rows, wrong = stated.read(), list[str]()
    shaped, typed = Counter[str](), Counter[str]()
    expressions = list(calls())
    said = judged([text for _, text in expressions])
    for name, text in expressions:
        value = said[text]
        shape, dtype = shape_of_operand(value), dtype_of_operand(value)
        try:
            made = LIBRARY.eval_shape(lambda code=text: jnp.asarray(eval(code, names)))
        except AttributeError:  # not in this version
            shaped[name] = typed[name] = 1
            continue
        shaped[name] += shape is not None
        typed[name] += isinstance(dtype, str)
        if shapes_differ(shape, made.shape):
            wrong.append(f"{text}: {shape}, not {made.shape}")
        if dtypes_differ(dtype, made):
            wrong.append(f"{text}: {dtype}, not {made.dtype}, {made.weak_type=}")
    wrong += [f"{name}: no shape is known" for name in rows.shapes if not shaped[name]]
    wrong += [f"{name}: no dtype is known" for name in (*rows.numbers, *rows.dtypes) if not typed[name]]
    assert not wrong, "\n".join(wrong)
