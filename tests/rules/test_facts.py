"""Facts on the pages of rules, run: which exception an example raises, how a tracer prints, what is refused how."""

from __future__ import annotations

import contextlib
import importlib
import inspect
import io
import re
from collections.abc import Callable
from typing import Any

import jax
import pytest

from flake8_jax.domain.conditions import SCALAR_TYPES
from flake8_jax.rules import Discovered, discover
from tests.rules.test_rules import examples, section
from tests.support.expectations import lint_text
from tests.support.sources import ROOT

RULES = {found.rule.code: found for found in discover()}
NOT_RUN = {"JAX000", "JAX001", "JAX002"}
LOUD = [one for one in examples("bad") if one[0].rule.hazard.startswith("raises:") and one[0].rule.code not in NOT_RUN]
SILENT_HERE = {"JAX212", "JAX409", "JAX803"}
"""Rules with an example that runs on, with wrong numbers or until somebody traces it."""

QUOTED = re.compile(r"`((?:\w+Error)): ([^`]*)`")


def why(code: str) -> str:
    """What a page says of why something is bad, on one line."""
    return " ".join(section(RULES[code], "Why it is bad").split())


def of_call(function: Callable[..., Any], *given: Any) -> Exception | None:
    """What a call raises."""
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            function(*given)
    except Exception as error:
        return error
    return None


def raised_by(text: str) -> Exception | None:
    """What an example raises, or else one of its compiled functions when it is called."""
    import jax.numpy as jnp

    names: dict[str, Any] = {}
    error = of_call(exec, compile(text, "<example>", "exec"), names)
    compiled = [one for one in names.values() if hasattr(one, "lower") and callable(one)]
    found: list[Exception | None] = [error] if error is not None else []
    for function in compiled if error is None else ():
        count = len(inspect.signature(function).parameters)
        found += [of_call(function, *[value] * count) for value in (2, 1.0, jnp.ones(4))]
    known = [one for one in found if one is not None]
    return next((one for one in known if type(one).__module__.startswith("jax")), known[0] if known else None)


@pytest.mark.parametrize(("found", "text"), LOUD, ids=[found.rule.code for found, _ in LOUD])
def test_what_an_example_raises_stands_on_its_page(found: Discovered, text: str) -> None:
    raised = raised_by(text)
    if raised is None:
        assert found.rule.code in SILENT_HERE
        return
    page = why(found.rule.code)
    kinds = [kind.__name__ for kind in type(raised).__mro__]
    assert any(f"`{kind}" in page for kind in kinds if kind.endswith("Error") and kind != "JAXTypeError"), kinds
    said = [text for kind, text in QUOTED.findall(page) if kind == kinds[0]]
    shown = " ".join(str(raised).split())
    assert not said or any(each.removesuffix("...").strip() in shown for each in said), shown


def dumped(x: Any) -> Any:
    """A text of JSON."""
    import json

    return json.dumps(x)


def close(x: Any) -> Any:
    """A comparison of the host."""
    import math

    return math.isclose(x, 1.0)


ASKED: dict[str, tuple[Callable[[Any], Any], str]] = {
    "a float": (lambda x: float(x), "ConcretizationTypeError"),
    "an item": (lambda x: x.item(), "ConcretizationTypeError"),
    "math.isclose": (close, "ConcretizationTypeError"),
    "a hash": (lambda x: hash(x), "TypeError"),
    "the key of a dict": (lambda x: {x: 1}, "TypeError"),
    "json": (dumped, "TypeError"),
    "a format": (lambda x: f"{x:.2f}", "TypeError"),
}


@pytest.mark.parametrize("name", ASKED)
def test_what_the_host_asks_for_is_refused_as_the_page_of_404_says(name: str) -> None:
    import jax

    asking, kind = ASKED[name]
    raised = of_call(jax.jit(asking), 1.0)
    assert type(raised).__name__ == kind
    assert f"`{kind}`" in why("JAX404")


@pytest.mark.parametrize("code", ["JAX301", "JAX307"])
def test_a_tracer_is_printed_as_the_page_says(code: str) -> None:
    import jax

    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        jax.jit(print)(1.0)
    if jax.__version__.startswith("0.10."):
        assert shown.getvalue().strip() in why(code)


def saved(x: Any) -> Any:
    """A file of an array, written by the function that `jax.numpy` takes from NumPy."""
    import jax.numpy as jnp

    jnp.save(io.BytesIO(), x)
    return x


def counted(**options: Any) -> Callable[[Any], Any]:
    """A histogram, of a length that is known or not."""
    import jax.numpy as jnp

    return lambda x: jnp.bincount(x.astype(int), **options)


MEANT: dict[str, tuple[Callable[[Any], Any], str]] = {
    "jnp.save is that of NumPy, and no remedy": (saved, "TracerArrayConversionError"),
    "jnp.bincount takes a length": (counted(length=3), "NoneType"),
    "jnp.bincount takes no size": (counted(size=3), "TypeError"),
}


@pytest.mark.parametrize("name", MEANT)
def test_what_words_of_remedies_say_is_so(name: str) -> None:
    import jax
    import jax.numpy as jnp

    asking, kind = MEANT[name]
    assert type(of_call(jax.jit(asking), jnp.ones(2))).__name__ == kind


def test_a_type_test_of_a_traced_value_has_one_answer() -> None:
    import jax

    answers: list[bool] = []

    def asking(x: Any) -> Any:
        answers.append(isinstance(x, float))
        return x

    asking(1.0)
    jax.jit(asking)(1.0)
    jax.jit(asking)(1)
    assert answers == [True, False, False]


def test_each_element_of_a_map_gets_a_key_of_its_own_only_where_it_is_mapped_over() -> None:
    import jax
    import jax.numpy as jnp

    key, xs = jax.random.key(0), jnp.zeros(3)
    captured = jax.lax.map(lambda x: x + jax.random.normal(key), xs)
    mapped = jax.lax.map(lambda pair: pair[0] + jax.random.normal(pair[1]), (xs, jax.random.split(key, 3)))
    assert len(set(captured.tolist())) == 1
    assert len(set(mapped.tolist())) == 3


COMPILED = "/jax/core/compile/backend_compile_duration"


def compiled_by(names: dict[str, Any], text: str) -> int:
    """How many programs are compiled while an example runs; those that it has are compiled before."""
    from jax import monitoring

    seen: list[str] = []

    def note(event: str, duration_secs: float, **kwargs: str | int) -> None:
        seen.append(event)

    monitoring.register_event_duration_secs_listener(note)
    assert of_call(exec, compile(text, "<example>", "exec"), names) is None
    return seen.count(COMPILED)


def equations(names: dict[str, Any]) -> int:
    """How long the program of a function is."""
    import jax

    return len(str(jax.make_jaxpr(names["relaxed"])(1.0)))


def constants(names: dict[str, Any]) -> int:
    """How many numbers the program of a function holds."""
    import jax
    import jax.numpy as jnp

    given = [jnp.ones(2048), names["table"]][: len(inspect.signature(names["looked_up"]).parameters)]
    program = jax.make_jaxpr(names["looked_up"])(*given)
    inner = [each.consts for equation in program.eqns if (each := equation.params.get("jaxpr")) is not None]
    return sum(getattr(one, "size", 0) for part in (program.consts, *inner) for one in part)


def missing(names: dict[str, Any]) -> int:
    """How many numbers of a gradient are NaN."""
    import jax.numpy as jnp

    return int(jnp.isnan(names["g"]).sum())


MEASURED: dict[str, Callable[[dict[str, Any]], int] | None] = {
    "JAX501": None, "JAX504": None, "JAX505": equations, "JAX508": constants, "JAX701": missing,
}  # fmt: skip
"""What is larger in the bad example of a page whose hazard raises nothing: what is compiled, or this."""


@pytest.mark.parametrize("code", MEASURED)
def test_what_an_example_costs_is_as_its_page_says(code: str) -> None:
    measure, found = MEASURED[code], []
    for kind in ("good", "good", "bad"):  # what both make of arrays is compiled in the first run
        text = next(text for rule, text in examples(kind) if rule.rule.code == code)
        names: dict[str, Any] = {}
        count = compiled_by(names, text)
        found.append(measure(names) if measure is not None else count)
    _, good, bad = found
    assert bad > 2 * good


@pytest.mark.slow
@pytest.mark.parametrize("page", ["slow.md", "rules-of-jax.md", "gallery.md"])
def test_what_a_page_of_docs_shows_as_good_runs(page: str) -> None:
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    for example in re.findall(r"^```python good\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        assert of_call(exec, compile(example, page, "exec"), {}) is None, example


PRODUCTS = {
    "jnp.where(x > 0, -jnp.inf, x) * (1 - (x > 0))": True,
    "(1.0 - (x > 0)) * float('inf')": True,
    "(1 - jnp.tril(jnp.ones((2, 2)))) * -jnp.inf": True,
    "jnp.triu(jnp.ones((2, 2))) * jnp.inf": True,
    "jnp.array([0.0, 1.0]) * jnp.array([jnp.inf, 2.0])": True,
    "jnp.array([1.0, 0.0]) * jnp.array([jnp.inf, 2.0])": False,
    "jnp.where(x > 0, x, -jnp.inf) * (x > 0)": False,
    "jnp.where(x > 0, x, -jnp.inf) * (1 - (x > 0))": False,
    "jnp.where(x > 0, 0.0, x) * (1 - (x > 0))": False,
    "jnp.ones(2) * jnp.inf": False,
}
"""Products of `x`, which holds 1 and -1, and whether they are NaN somewhere, compiled or not."""


@pytest.mark.parametrize(("text", "is_nan"), PRODUCTS.items(), ids=PRODUCTS)
def test_products_that_are_told_of_are_not_numbers(text: str, is_nan: bool) -> None:
    import jax
    import jax.numpy as jnp

    value = eval(text, {"jnp": jnp, "x": jnp.array([1.0, -1.0])})
    compiled = jax.jit(eval(f"lambda x: {text}", {"jnp": jnp}))(jnp.array([1.0, -1.0]))
    program = f"import jax.numpy as jnp\n\n\ndef f(x):\n    return {text}\n"
    assert bool(jnp.isnan(value).any()) == bool(jnp.isnan(compiled).any()) == is_nan
    assert [found.code for found in lint_text(program)] == ["JAX701"] * is_nan


def test_no_tracer_is_of_a_type_of_single_values() -> None:
    named = [(name, *name.rpartition(".")[::2]) for name in sorted(SCALAR_TYPES)]
    types = {name: getattr(importlib.import_module(module or "builtins"), last) for name, module, last in named}
    found: list[str] = []

    def run(x: jax.Array) -> jax.Array:
        found.extend(name for name, one in types.items() if isinstance(x, one))
        return x

    jax.jit(run)(1.0)
    jax.vmap(run)(jax.numpy.arange(3))
    assert len(types) > 40
    assert not found
