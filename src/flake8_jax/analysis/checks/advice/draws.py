"""What stands for a function of `numpy.random` in JAX: another function, with a key, or a key itself.

np.random.seed(42)              key = jax.random.key(42)
np.random.randn(3, 4)           jax.random.normal(key, (3, 4))
np.random.randint(0, 10)        jax.random.randint(key, (), 0, 10)
"""

from __future__ import annotations

from collections.abc import Callable

from flake8_jax.analysis.checks.naming import names_key
from flake8_jax.api.table import load
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase

SEEDING = frozenset(("seed", "default_rng", "RandomState", "Generator", "set_state", "get_state", "SeedSequence"))
"""What sets or makes the state of a generator."""

OF_SIZES = {"rand": "uniform", "randn": "normal"}
"""The functions that take sizes one by one."""

TAKING = {
    "random": ("size",), "random_sample": ("size",), "ranf": ("size",), "standard_normal": ("size",), "shuffle": ("x",),
    "randint": ("low", "high", "size"), "uniform": ("low", "high", "size"), "normal": ("loc", "scale", "size"),
    "laplace": ("loc", "scale", "size"), "gumbel": ("loc", "scale", "size"), "logistic": ("loc", "scale", "size"),
    "choice": ("a", "size", "replace", "p"), "permutation": ("x",), "exponential": ("scale", "size"),
    "poisson": ("lam", "size"), "beta": ("a", "b", "size"), "binomial": ("n", "p", "size"),
}  # fmt: skip
"""What functions take, in order."""

SHIFTED = frozenset(("normal", "laplace", "gumbel", "logistic", "exponential"))
"""The functions whose location and scale JAX's do not take."""

WITH_SHAPE = "and `shape`, a tuple, in the place of `size`"

RENAMED = {
    "random": "uniform", "random_sample": "uniform", "ranf": "uniform", "standard_normal": "normal",
    "shuffle": "permutation", "standard_t": "t", "standard_cauchy": "cauchy",
}  # fmt: skip

UNIT, ZERO = ("1", "1.0"), ("0", "0.0")

SHARED = frozenset((
    "beta", "binomial", "choice", "dirichlet", "exponential", "f", "gamma", "geometric", "gumbel", "laplace",
    "logistic", "multinomial", "multivariate_normal", "normal", "pareto", "permutation", "poisson", "rayleigh",
    "triangular", "uniform", "wald",
))  # fmt: skip
"""The functions that both libraries have under one name."""

OF_NUMPY = SHARED.union(OF_SIZES, TAKING, RENAMED, SEEDING)
WHOLE = 40
"""How long the arguments of a call may be that are written out."""


def drawn_with_a_key(use: Op | None, named: Callable[[str], str]) -> str:
    """What to write in the place of a function of `numpy.random`, or of its call."""
    call = use if type(use) is ops.Call else None
    function = call.func if call is not None else use
    name = function.name if type(function) is ops.Attr else ""
    row = load().function(f"jax.random.{name}")
    if row is not None and (name not in OF_NUMPY or _has_key(call)):
        is_due = any(parameter.key for parameter in row.parameters[:1]) and not _has_key(call)
        return f"use `{named(f'jax.random.{name}')}`{', which takes a key first' * is_due}"
    if name in SEEDING:
        seed = phrase(call.args[0]) if call is not None and len(call.args) == 1 and not call.keywords else "seed"
        seed = seed if name in ("seed", "default_rng", "RandomState") else "seed"
        return f"make a key, `{named('jax.random.key')}({seed})`, and pass one split off it to each draw"
    module = named("jax.random.key").rpartition(".")[0] or "jax.random"
    drawn = _draw(name, call, named)
    words = f"use `{module}`, whose functions take a key first"
    if "..." in drawn and call is not None and any(keyword == "size" for keyword, _ in call.keywords):
        words = f"{words}, {WITH_SHAPE}"
    return f"{words}: `{drawn}`, or NumPy itself outside of traced code" if drawn else words


def _has_key(call: ops.Call | None) -> bool:
    """Is a call written as JAX's is, with what is called a key first?"""
    first = call.args[0] if call is not None and call.args else None
    name = first.name if type(first) is ops.Name or type(first) is ops.Attr else ""
    return names_key(name)


def _draw(name: str, call: ops.Call | None, named: Callable[[str], str]) -> str:
    """The call of JAX's function, as far as its arguments are short."""
    if name not in OF_SIZES and name not in TAKING and name not in SHARED and name not in RENAMED:
        return ""
    given = _given(name, call)
    function = named(f"jax.random.{OF_SIZES.get(name) or RENAMED.get(name, name)}")
    if given is None or (name not in OF_SIZES and name not in TAKING):
        return f"{function}(key, ...)"
    shape = given.get("size", "()")
    match name:
        case "randint":
            low, high = (given.get("low", ""), given["high"]) if "high" in given else ("0", given.get("low", "..."))
            return f"{function}(key, {shape}, {low}, {high})"
        case "uniform":
            ends = (("low", "minval"), ("high", "maxval"))
            bounds = [f", {parameter}={given[one]}" for one, parameter in ends if one in given]
            return f"{function}(key, {shape}{''.join(bounds)})"
        case "choice" if not shape.startswith("("):
            return f"{function}(key, ...)"  # it alone refuses a number for a shape
        case "choice":
            named_shape = f", {shape}" if "size" in given else ""
            more = [f", {parameter}={given[parameter]}" for parameter in ("replace", "p") if parameter in given]
            return f"{function}(key, {given.get('a', '...')}{named_shape}{''.join(more)})"
        case "permutation":
            return f"{function}(key, {given.get('x', '...')})"
        case "poisson" | "beta" | "binomial":
            taken = [given.get(parameter, "...") for parameter in TAKING[name][:-1]]
            named_shape = f", shape={shape}" if "size" in given else ""
            return f"{function}(key, {', '.join(taken)}{named_shape})"
        case _ if name in SHIFTED:
            scaled = f"{given['scale']} * " if given.get("scale", "1") not in UNIT else ""
            moved = f"{given['loc']} + " if given.get("loc", "0") not in ZERO else ""
            return f"{moved}{scaled}{function}(key, {shape})"
        case "shuffle":
            return f"{given['x']} = {function}(key, {given['x']})" if "x" in given else f"{function}(key, ...)"
    return f"{function}(key, {shape})"


def _given(name: str, call: ops.Call | None) -> dict[str, str] | None:
    """The arguments of a call by what NumPy calls them, as they are written; None if they are not known, or long."""
    if call is None or any(type(argument) is ops.Star for argument in call.args):
        return None
    if name in OF_SIZES:
        sizes = [phrase(argument, WHOLE) for argument in call.args]
        found = {"size": f"({', '.join(sizes)}{',' * (len(sizes) == 1)})"}
    else:
        written = [*zip(TAKING.get(name, ()), call.args), *((one or "", value) for one, value in call.keywords)]
        found = {one: _shape(value) if one == "size" else phrase(value, WHOLE) for one, value in written}
        if len(call.args) > len(TAKING.get(name, ())) or not found.keys() <= set(TAKING.get(name, ())):
            return None
    return found if sum(map(len, found.values())) <= WHOLE and "..." not in "".join(found.values()) else None


def _shape(size: Op) -> str:
    """A size as a shape: of a number one of one axis."""
    return f"({phrase(size)},)" if type(size) is ops.Const and type(size.value) is int else phrase(size, WHOLE)
