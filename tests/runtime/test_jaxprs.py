"""Programs of recorded calls: lines of equations, dead code, constants, and where a number stops being finite."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

pytest.importorskip("jax")

from flake8_jax.runtime import claims, compat_checks, recorders
from flake8_jax.runtime.sightings import Unsupported
from flake8_jax.runtime.trial import Run, Trial
from flake8_jax.runtime.watching import jaxprs
from flake8_jax.runtime.watching.births import run_program
from flake8_jax.runtime.watching.liveness import targets, unread
from flake8_jax.runtime.watching.rewriting import local_names

HEAD = "import functools, jax\nimport jax.numpy as jnp\nfrom jax import lax\n"


@contextmanager
def ran(text: str) -> Iterator[tuple[str, Run]]:
    """A case named `case`, run; its first line is line 4."""
    import jax

    assert jax.devices()
    recorders.install()
    fixture = claims.parse(Path("/fixtures/program.py"), HEAD + text)
    case = fixture.case("case")
    assert case is not None
    trial = Trial(fixture, case)
    with trial.run() as run:
        yield trial.path, run


INNER = """\
@jax.jit
def g(x):
    return jnp.sin(x)
@jax.jit
def f(x):
    y = g(x)
    return lax.cond(y > 0, lambda y: y + 1.0, lambda y: jnp.cos(y), y)
def case():
    f(1.0)
    return f(2.0)
"""
STATIC = """\
@functools.partial(jax.jit, static_argnames="n")
def f(x, n):
    for _ in range(n):
        x = jnp.sin(x)
    return x
def case():
    return f(jnp.ones(2), n=2)
"""
VMAPPED = """\
def f(x):
    return jnp.tanh(x)
def case():
    return jax.vmap(f)(jnp.ones(2))
"""
SCANNED = """\
def body(c, x):
    return c + jnp.exp(x), x
def case():
    return lax.scan(body, 0.0, jnp.ones(2), length=2)
"""


@pytest.mark.parametrize(
    ("text", "primitive", "chain"),
    [
        (INNER, "sin", (9, 6)),
        (INNER, "add", (10, 10)),
        (INNER, "cos", (10, 10)),
        (STATIC, "sin", (7,)),
        (VMAPPED, "tanh", (5,)),
        (SCANNED, "exp", (5,)),
    ],
)
def test_equations_have_the_lines_they_come_from(text: str, primitive: str, chain: tuple[int, ...]) -> None:
    with ran(text) as (path, run):
        program = jaxprs.program(run, run.calls[-1])
        found = [each.chain for each in jaxprs.equations(path, program) if each.name == primitive]
    assert found
    assert {each[-len(chain) :] for each in found} == {chain}


def test_a_cached_program_of_a_library_has_its_present_line() -> None:
    text = "@jax.jit\ndef f(x):\n    y = jnp.linalg.norm(x)\n    return y + jnp.linalg.norm(x)\n"
    text += "def case():\n    return f(jnp.ones(3))\n"
    with ran(text) as (path, run):
        program = jaxprs.program(run, run.calls[0])
        lines = [each.line for each in jaxprs.equations(path, program) if each.name == "reduce_sum"]
    assert lines == [6, 7]


def test_dead_lines() -> None:
    text = (
        "@jax.jit\ndef f(x):\n    y = jnp.sin(x)\n    jnp.cos(y)\n    jax.debug.print('{}', jnp.tan(x))\n    return x\n"
    )
    with ran(text + "def case():\n    return f(1.0)\n") as (path, run):
        program = jaxprs.program(run, run.calls[0])
        assert jaxprs.dead_lines(path, program) == {6: ["sin"], 7: ["cos"]}
        assert 8 in jaxprs.effect_lines(path, program)


def test_constants_and_what_is_around_them() -> None:
    text = (
        "W = jnp.ones(9)\n@jax.jit\ndef f(x):\n    return lax.scan(lambda c, _: (c + W, None), x, None, length=2)[0]\n"
    )
    with ran(text + "def case():\n    return f(jnp.ones(9))\n") as (_, run):
        (found,) = jaxprs.constants(jaxprs.program(run, run.calls[0]))
    assert found[0].shape == (9,)
    assert set(found[3]) <= jaxprs.COMPILED_PRIMITIVES


def test_bare_gradients_are_not_compiled() -> None:
    text = "def f(x):\n    return jnp.sin(x)\ndef case():\n    return jax.grad(f)(1.0), jax.jit(jax.grad(f))(1.0)\n"
    with ran(text) as (path, run):
        plain, compiled = (
            [each.name for each in jaxprs.compiled_equations(path, call, program)]
            for call, program in jaxprs.programs(run)
        )
    assert plain == []
    assert "cos" in compiled


@pytest.mark.parametrize("outermost", ["jax.grad(f)", "jax.jit(f)"])
def test_what_cannot_be_traced_as_a_whole(outermost: str) -> None:
    """A bare gradient may look at its arguments, and then has no program; a jitted function raises by itself."""
    text = f"def f(x):\n    return x if x > 0 else -x\ndef case():\n    return {outermost}(jnp.float32(1.0))\n"
    with ran(text) as (_, run):
        assert jaxprs.program(run, run.calls[0]) is None


def test_a_program_that_is_hidden_is_unsupported() -> None:
    text = "def f(x):\n    return g(x) if x > 0 else -x\n@jax.jit\ndef g(x):\n    return x\n"
    text += "def case():\n    return jax.grad(f)(jnp.float32(1.0))\n"
    with ran(text) as (_, run), pytest.raises(Unsupported):
        jaxprs.program(run, run.calls[0])


def test_births() -> None:
    text = "def f(x):\n    y = jnp.log(x)\n    z = lax.scan(lambda c, v: (c * v, c), 0.0, jnp.stack([y, y]))[0]\n"
    text += "    return z, jnp.where(x > 0, y, 0.0)\ndef case():\n    return jax.make_jaxpr(f)(0.0)\n"
    with ran(text) as (path, run):
        spoiled, finite = run_program(path, run.value, [0.0])
    assert {birth.line for birth in spoiled.births} == {5}
    assert finite.births == frozenset()


@pytest.mark.parametrize(
    ("body", "dead"),
    [
        ("x += 1", ["x"]),
        ("x += 1; return x", []),
        ("y = 1; y = 2; return y", ["y"]),
        ("for v in x:\n  v = v * 2", ["v"]),
        ("for v in x:\n  w = v\n  v = 1\n  print(w, v)", []),
        ("t = 0\nfor v in x:\n  print(t)\n  t = v", []),
        ("while x:\n  y = 1\n  if y: break\n  y = 2", ["y"]),
        ("while x:\n  y = 1\n  continue\nreturn y", []),
        ("if x: y = 1\nelse: y = 2\nreturn y", []),
        ("y = 1\nif x: return y\ny = 2", ["y"]),
        ("y = 1\nreturn lambda: y", []),
        ("try:\n  y = 1\n  x()\n  y = 2\nexcept E:\n  return y", []),
        ("global y\ny = 1", []),
        ("y = 1\nreturn locals()", []),
        ("a, b = x\nreturn b", []),
        ("a, *b = x", ["a", "b"]),
        ("x.a = 1; x[0] = 2", []),
        ("with x as z:\n  y = z\nreturn y", []),
        ("y: int = 1", ["y"]),
        ("match x:\n  case 1: y = 1\n  case _: y = 2\nreturn y", []),
        ("def inner():\n  y = 1\nreturn inner", []),
        ("y = [v for v in x]\nz = [y for _ in x]\nreturn z", []),
    ],
)
def test_bindings_that_nobody_reads(body: str, dead: list[str]) -> None:
    text = "def f(x):\n" + "".join(f"    {line}\n" for line in body.splitlines())
    function = ast.parse(text).body[0]
    assert isinstance(function, ast.FunctionDef)
    assert sorted(name for each in unread(function) for name in targets(each) or ()) == dead


def test_local_names() -> None:
    function = ast.parse("def f(a, *b, c=W, **d):\n  global g\n  e = g = h\n  def i(): j = 1\n  [k for k in a]").body[0]
    assert isinstance(function, ast.FunctionDef)
    assert local_names(function) == {"a", "b", "c", "d", "e", "k"}


def test_private_names_work_here() -> None:
    mine = {"frames_of", "tracebacks_are_whole", "source_file", "without_dead", "run_equation"}
    assert {name: reason for name, reason in compat_checks.check().items() if name in mine} == {}
