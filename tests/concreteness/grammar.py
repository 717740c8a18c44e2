"""The grammar of programs that use a value where Python or a library may need it concrete.

A program has sites.  A site is one form of use, of a value of one origin, in a function that an entry runs; the
function may be the traced one, or a helper some calls below.  The grammar grows only: what it leaves out stands in
`LEFT_OUT`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["real", "integer", "vector", "flags"]
"""What a value is: a number, an integer, three numbers, or three truths; of JAX or of the host."""

Run: TypeAlias = Literal["abstract", "concrete"]
"""How the referee runs an entry: by its shapes alone, or with numbers, on which bare gradients depend."""


@dataclass(frozen=True, slots=True)
class UseForm:
    """A form of use: a statement with `@` where the expression stands, which asks for the value `{v}`.

    `probe` is what Python asks there, if that is more than the expression; `otherwise` stands in for what raises.
    """

    code: str
    kind: Kind
    statement: str
    expression: str
    otherwise: str
    probe: str = ""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a value comes from, in terms of the parameters `x` (three numbers), `n` (an integer) and `s` (a record)."""

    kind: Kind
    expression: str
    before: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """How the function `{f}` of `x`, `n` and `s` is run; the arguments are `X`, `N` and `S`."""

    decorator: str
    call: str
    run: Run = "abstract"


ADD = "acc = acc + (@) * 1.0"

FORMS: dict[str, UseForm] = {
    "if": UseForm("JAX401", "real", "if @:\n    acc = acc + 1.0", "{v} > 0.5", "True", "bool({v} > 0.5)"),
    "elif": UseForm(
        "JAX401", "real", "if acc is None:\n    acc = 0.0\nelif @:\n    acc = acc + 1.0", "{v} > 0.5", "True",
        "bool({v} > 0.5)",
    ),
    "while": UseForm("JAX401", "real", "while @:\n    break", "{v} > 0.5", "True", "bool({v} > 0.5)"),
    "assert": UseForm("JAX401", "real", "assert @", "{v} > -9.0", "True", "bool({v} > -9.0)"),
    "ternary": UseForm("JAX401", "real", "acc = acc + (1.0 if @ else 2.0)", "{v} > 0.5", "True", "bool({v} > 0.5)"),
    "comprehension": UseForm(
        "JAX401", "real", "acc = acc + len([1 for _ in (1, 2) if @])", "{v} > 0.5", "True", "bool({v} > 0.5)"
    ),
    "guard": UseForm(
        "JAX401", "real", "match 1:\n    case 1 if @:\n        acc = acc + 1.0", "{v} > 0.5", "True", "bool({v} > 0.5)"
    ),
    "not": UseForm("JAX402", "real", ADD, "not {v} > 0.5", "True"),
    "and": UseForm("JAX402", "real", ADD, "{v} > 0.5 and 2.0", "1.0"),
    "or": UseForm("JAX402", "real", ADD, "{v} < 0.5 or 2.0", "1.0"),
    "chain": UseForm("JAX402", "real", ADD, "0.0 < {v} < 2.0", "1.0"),
    "in": UseForm("JAX402", "real", ADD, "{v} in (1.0, 2.0)", "1.0"),
    "bool": UseForm("JAX402", "real", ADD, "bool({v} > 0.5)", "True"),
    "min": UseForm("JAX402", "real", ADD, "min({v}, 1.5)", "1.0"),
    "max": UseForm("JAX402", "real", ADD, "max(1.5, {v})", "1.0"),
    "any": UseForm("JAX402", "vector", ADD, "any({v})", "True"),
    "all": UseForm("JAX402", "vector", ADD, "all({v})", "True"),
    "sorted": UseForm("JAX402", "vector", ADD, "sorted({v})[0]", "1.0"),
    "int": UseForm("JAX403", "real", ADD, "int({v})", "1"),
    "range": UseForm("JAX403", "integer", "for _ in @:\n    acc = acc + 1.0", "range({v})", "(1,)"),
    "index": UseForm("JAX403", "integer", ADD, "(0.5, 1.0, 2.0, 4.0)[{v}]", "1.0"),
    "slice": UseForm("JAX403", "integer", ADD, "len([0.5, 1.0, 2.0][:{v}])", "1"),
    "float": UseForm("JAX404", "real", ADD, "float({v})", "1.0"),
    "math": UseForm("JAX404", "real", ADD, "math.sqrt({v})", "1.0"),
    "format": UseForm("JAX404", "real", ADD, 'len(f"{{{v}:.2f}}")', "1"),
    "numpy": UseForm("JAX405", "vector", ADD, "np.sin({v}).sum()", "1.0"),
    "numpy array": UseForm("JAX405", "vector", ADD, "np.asarray({v}).size", "1"),
    "numpy index": UseForm("JAX405", "integer", ADD, "TABLE[{v}]", "1.0"),
    "zeros": UseForm("JAX410", "integer", ADD, "jnp.zeros({v}).sum()", "1.0"),
    "zeros of a pair": UseForm("JAX410", "integer", ADD, "jnp.ones(({v}, 2)).sum()", "1.0"),
    "arange": UseForm("JAX410", "integer", ADD, "jnp.arange({v}).sum()", "1.0"),
    "bound": UseForm("JAX410", "integer", ADD, "jnp.ones(4)[:{v}].sum()", "1.0"),
    "axis": UseForm("JAX410", "integer", ADD, "jnp.ones((2, 2, 2, 2)).sum(axis={v}).sum()", "1.0"),
    "mask": UseForm("JAX411", "flags", ADD, "jnp.ones(3)[{v}].sum()", "1.0"),
    "nonzero": UseForm("JAX411", "vector", ADD, "jnp.nonzero({v})[0].sum()", "1.0"),
    "unique": UseForm("JAX411", "vector", ADD, "jnp.unique({v}).sum()", "1.0"),
    "where": UseForm("JAX411", "vector", ADD, "jnp.where({v})[0].sum()", "1.0"),
}  # fmt: skip

ORIGINS: dict[str, Origin] = {
    "element": Origin("real", "x[0]"),
    "method": Origin("real", "x.sum()"),
    "function": Origin("real", "jnp.max(x)"),
    "arithmetic": Origin("real", "(x * 2 + 1).mean()"),
    "field": Origin("real", "s.mass"),
    "entry of a dict": Origin("real", "d['w']", 'd = {"w": x[1], "size": 3}'),
    "part of a tuple": Origin("real", "first", "first, rest = _parts(x)"),
    "element of a loop": Origin("real", "row", "for row in x:\n    pass"),
    "closure": Origin("real", "inner()", "def inner():\n    return x[0] * 2"),
    "selected": Origin("real", "jnp.where(x > 0, x, 0.0)[0]"),
    "converted": Origin("real", "jnp.asarray(x[0], float)"),
    "parameter": Origin("integer", "n"),
    "argmax": Origin("integer", "x.argmax()"),
    "count": Origin("integer", "s.count"),
    "sum of integers": Origin("integer", "n + 1"),
    "vector": Origin("vector", "x"),
    "vector of a field": Origin("vector", "s.position"),
    "computed vector": Origin("vector", "jnp.abs(x)"),
    "comparison": Origin("flags", "x > 0.5"),
    "combined comparison": Origin("flags", "(x > 0.5) & (x < 2.0)"),
    "predicate": Origin("flags", "jnp.isfinite(x)"),
    "size": Origin("integer", "x.shape[0]"),
    "length": Origin("integer", "len(x)"),
    "rank": Origin("integer", "x.ndim"),
    "half a size": Origin("integer", "x.shape[0] // 2"),
    "constant": Origin("integer", "COUNT"),
    "counter of Python": Origin("integer", "turn", "for turn in range(2):\n    pass"),
    "size in a dict": Origin("integer", "d['size']", 'd = {"w": x[1], "size": 3}'),
    "rest of a tuple": Origin("integer", "rest", "first, rest = _parts(x)"),
    "number": Origin("real", "RATE"),
    "ratio of sizes": Origin("real", "x.size / 2"),
    "constant vector": Origin("vector", "TABLE[:3]"),
    "constant flags": Origin("flags", "TABLE[:3] > 0.7"),
}

ENTRIES: dict[str, Entry] = {
    "eager": Entry("", "{f}(X, N, S)", "concrete"),
    "jit": Entry("@jax.jit", "{f}(X, N, S)"),
    "jit by a call": Entry("", "jax.jit({f})(X, N, S)"),
    "jit of a partial": Entry("", "jax.jit(partial({f}, n=N))(X, s=S)"),
    "static": Entry('@partial(jax.jit, static_argnames=("n",))', "{f}(X, 2, S)"),
    "static by number": Entry("", "jax.jit({f}, static_argnums=1)(X, 2, S)"),
    "vmap": Entry("", "jax.vmap({f}, in_axes=(0, None, None))(jnp.stack([X, X]), 2, HOST)", "concrete"),
    "vmap of all": Entry(
        "", "jax.vmap({f})(jnp.stack([X, X]), jnp.array([1, 2]), jax.tree.map(_twice, S))", "concrete"
    ),
    "scan": Entry("", "jax.lax.scan(lambda c, y: (c, {f}(c, N, S)), X, jnp.ones(2))"),
    "fori": Entry("", "jax.lax.fori_loop(0, 3, lambda i, c: c + {f}(X, i, S), 0.0)"),
    "cond": Entry("", "jax.lax.cond(X[0] > 0, lambda y: {f}(y, N, S), lambda y: 0.0, X)"),
    "map": Entry("", "jax.lax.map(lambda y: {f}(y, N, S), jnp.stack([X, X]))"),
    "grad": Entry("", "jax.grad({f})(X, 2, HOST)", "concrete"),
    "jitted grad": Entry("", "jax.jit(jax.value_and_grad({f}))(X, 2, S)"),
    "checkpoint": Entry("", "jax.grad(jax.checkpoint({f}))(X, 2, S)", "concrete"),
}

DEPTHS = (0, 0, 1, 2)
"""How many calls below the traced function a site may stand."""

LEFT_OUT = {
    "project classes with dunders": "objects are fuzzed by the grammar of keys",
    "pallas kernels": "run on a device, or by an interpreter that takes seconds",
    "pickle and json": "one form each, in the pairs",
    "other files": "moved there by the variants of the pairs",
}
"""What the grammar does not derive, and why."""
