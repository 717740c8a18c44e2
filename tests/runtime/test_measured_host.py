"""What Python, NumPy and SciPy do to arrays: some rows by hand, and the linter's own view of every operation."""

from __future__ import annotations

import importlib.util
import textwrap
from functools import cache

import pytest

from flake8_jax.analysis.checks.concrete import TracerConcretized
from flake8_jax.api import stated
from flake8_jax.api.rows import parse_function
from flake8_jax.api.table import load
from flake8_jax.syntax.source import SourceFile
from tests.support.probes import interpreted

pytestmark = pytest.mark.skipif(importlib.util.find_spec("jax") is None, reason="needs JAX")
if importlib.util.find_spec("jax") is not None:
    from flake8_jax.runtime.measuring.families import host, operations

# By hand, from what each function's documentation and a try in a shell say.
ROWS = {
    "abs": "abs(x, /) -> own(x)",
    "bool": "bool(object!, /) -> static",
    "isinstance": "isinstance(obj, class_or_tuple, /) -> static",
    "len": "len(obj, /) -> static",
    "math.sqrt": "sqrt(x!, /) -> static",
    "numpy.add": "add(x1!, x2!, /) -> numpy",
    "numpy.array_equal": "array_equal(a1, a2, equal_nan) -> static",
    "numpy.frexp": "frexp(x!, /) -> tuple",
    "numpy.linalg.qr": "qr(a!, mode!) -> tuple | numpy if mode='r'",
    "numpy.ndim": "ndim(a) -> static",
    "numpy.nonzero": "nonzero(a!) -> tuple",
    "numpy.random.rand": "rand(*args!) -> numpy | static if args absent",
    "numpy.random.shuffle": "",  # changes its argument
    "numpy.repeat": "repeat(a, repeats!, axis!) -> own(a)",
    "numpy.shape": "shape(a) -> static",
    "numpy.sin": "sin(x!, /) -> numpy",
    "numpy.squeeze": "squeeze(a, axis!) -> own(a)",
    "numpy.where": "where(condition!, x!, y!, /) -> numpy | tuple if x absent",
    "operator.add": "",  # an array of whichever argument is one
    "operator.neg": "neg(a, /) -> own(a)",
    "random.shuffle": "",
    "scipy.special.expit": "expit(x!, /) -> numpy",
    "scipy.stats.norm.pdf": "pdf(x!, *args!, **options!) -> numpy",
}
MODULES = (
    "bisect", "collections.abc as abc", "copy", "functools", "heapq", "jax", "jax.numpy as jnp", "json", "math",
    "numbers as numbers_abc", "numpy as np", "operator", "pickle", "random", "statistics", "time",
)  # fmt: skip
ASKING = frozenset(
    ("TracerBoolConversionError", "TracerIntegerConversionError", "TracerArrayConversionError",
     "ConcretizationTypeError", "NonConcreteBooleanIndexError")
)  # fmt: skip
"""What JAX raises where a value is asked for."""

REFUSING = ASKING | {"TypeError", "IndexError"}
"""What is raised where that is asked for in other words, as by a format or the bound of a slice."""

# An array of NumPy asks for a number in words of its own.
OF_NUMPY = {"host[0] = x": frozenset(("ValueError",))}

# Operations that ask for a value where the linter does not look (yet).
NOT_MODELLED = frozenset(
    ("'a' * x", "list(filter(None, x))", "numbers[x] = 0", "time.sleep(x)", "x[x]")
)  # fmt: skip
# Operations that work, and of which the linter says that they ask: an array is compared with names only.
FALSE_ALARMS: frozenset[str] = frozenset()


@pytest.mark.parametrize("name", sorted(ROWS))
def test_rows_are_what_a_hand_test_says(name: str) -> None:
    if name.startswith("scipy"):
        pytest.importorskip("scipy")
    assert host.fact(name) == ROWS[name]


@pytest.mark.parametrize("name", [*sorted(ROWS)[::3], "numpy.random.normal", "scipy.stats.norm.rvs"])
def test_facts_follow_the_grammar_and_do_not_depend_on_chance(name: str) -> None:
    if name.startswith("scipy"):
        pytest.importorskip("scipy")
    row = host.fact(name)
    assert row == host.fact(name)
    assert isinstance(row, str)
    if row:
        parse_function(row)


def test_what_disturbs_the_process_is_not_called() -> None:
    assert {"input", "exec", "open", "numpy.save", "numpy.seterr"} <= set(stated.unmeasured())
    assert [name for name in stated.unmeasured() if name in host.subjects()] == []


@cache
def concretizations(text: str) -> int:
    """How often the linter finds that the value of a tracer is asked for."""
    is_expression = "\n" not in text and compiles_as_expression(text)
    body = textwrap.indent(f"r = {text}" if is_expression else text, "    ")
    imports = "".join(f"import {name}\n" for name in MODULES)
    head = "    numbers, host, table = [0, 1, 2], np.ones(3), {}\n"
    source = f"{imports}@jax.jit\ndef f(x: jax.Array, y: jax.Array):\n{head}{body}\n"
    events = interpreted(SourceFile("probe.py", source), load()).events
    return sum(isinstance(event, TracerConcretized) for event in events)


def compiles_as_expression(text: str) -> bool:
    """Is it an expression rather than statements?"""
    try:
        compile(text, "operation", "eval")
    except SyntaxError:
        return False
    return True


@cache
def under_jit(text: str) -> set[str]:
    """What the operation does under jit, for arrays of every kind."""
    return set(operations.in_stage(text, "jit").values())


def operations_here() -> list[str]:
    """The operations, if JAX is installed."""
    return list(operations.texts()) if importlib.util.find_spec("jax") is not None else []


@pytest.mark.parametrize("text", operations_here())
def test_the_linter_demands_a_value_where_jax_does(text: str) -> None:
    words = under_jit(text)
    if concretizations(text):
        assert bool(words & OF_NUMPY.get(text, REFUSING)) != (text in FALSE_ALARMS), f"works under jit: {sorted(words)}"
    else:
        assert not words & ASKING or text in NOT_MODELLED, "a value is asked for, and the linter does not say so"
    assert not (text in NOT_MODELLED and concretizations(text)), "modelled by now"
    assert not (text in FALSE_ALARMS and not concretizations(text)), "silent by now"


def test_stages_differ_where_values_are_concrete() -> None:
    fact = operations.fact("if x: r = y")
    assert isinstance(fact, dict)
    assert fact["jit"] == {"scalar": "TracerBoolConversionError", "vector": "ValueError"}
    assert fact["grad"] == fact["eager"] == {"scalar": "array", "vector": "ValueError"}
    assert "vmap" not in fact


def test_a_stage_that_is_like_jit_is_left_out() -> None:
    assert operations.fact("x + y") == {"jit": "array"}
    assert operations.fact("x is None") == {"jit": "False"}
    assert operations.fact("hash(x)") == {"jit": "TypeError"}
