"""The key ledger sees every draw once, under every transform, and each reuse on the line where the uses part."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("jax")

import jax

from flake8_jax.runtime import claims, compat, compat_checks, loading, recorders
from flake8_jax.runtime.recorders import Mode
from flake8_jax.runtime.sightings import Unsupported
from flake8_jax.runtime.trial import Run, Trial
from flake8_jax.runtime.watching.ledger import CLONE, KeyLedger
from flake8_jax.runtime.watching.reuse import reuses
from tests.support import slices

HEAD = """\
from functools import partial
import jax, jax.numpy as jnp, jax.random as jr, numpy as np
from jax import lax
"""

KEYS = ("jr.key(0)", "jr.PRNGKey(0)", 'jr.key(0, impl="rbg")')

EACH = -1
"""A count: once on each device."""

# A program; how often it draws.  `# again` stands on the lines where a second use is told from the first.
TRANSFORMS: dict[str, tuple[str, dict[str, int]]] = {
    "eager": (
        """
        def case():
            key = KEY
            a = jr.normal(key)
            return a + jr.uniform(key)  # again
        """,
        {"normal": 1, "uniform": 1},
    ),
    "jit, cached": (
        """
        @jax.jit
        def f(key):
            return jr.normal(key)

        def case():
            key = KEY
            a = f(key)
            return a + f(key)  # again
        """,
        {"normal": 2},
    ),
    "jit, cached, other keys": (
        """
        f = jax.jit(lambda key: jr.normal(key))

        def case():
            k1, k2 = jr.split(KEY)
            return f(k1) + f(k2)
        """,
        {"split": 1, "normal": 2},
    ),
    "jit in jit": (
        """
        f = jax.jit(lambda key: jr.normal(key))

        @jax.jit
        def g(key):
            a = f(key)
            return a + f(key)  # again

        def case():
            return g(KEY)
        """,
        {"normal": 2},
    ),
    "vmap over keys": (
        """
        def case():
            keys = jr.split(KEY, 3)
            a = jax.vmap(jr.normal)(keys)
            return a + jax.vmap(lambda k: jr.uniform(jr.fold_in(k, 1)))(keys)
        """,
        {"split": 1, "normal": 3, "uniform": 3},
    ),
    "vmap with one key": (
        """
        def case():
            key = KEY
            return jax.vmap(lambda x: x + jr.normal(key))(jnp.ones(3))
        """,
        {"normal": 1},
    ),
    "scan": (
        """
        def case():
            def body(key, x):
                key, sub = jr.split(key)
                a = jr.normal(sub)
                return key, x + a + jr.uniform(sub)  # again

            return lax.scan(body, KEY, jnp.zeros(2))
        """,
        {"split": 2, "normal": 2, "uniform": 2},
    ),
    "a constant of a scan": (
        """
        def case():
            key = KEY

            def body(total, x):
                return total + jr.normal(key), x  # again

            return lax.scan(body, 0.0, jnp.zeros(3))
        """,
        {"normal": 3},
    ),
    "while": (
        """
        def case():
            def body(state):
                key, n = state
                sub, key = jr.split(key)
                return sub, n + 1 + 0 * jr.normal(key).astype(int)

            return jax.jit(lambda key: lax.while_loop(lambda s: s[1] < 3, body, (key, 0)))(KEY)
        """,
        {"split": 3, "normal": 3},
    ),
    "fori": (
        """
        def case():
            key = KEY
            return lax.fori_loop(0, 3, lambda i, x: x + jr.normal(jr.fold_in(key, i)), 0.0)
        """,
        {"normal": 3},
    ),
    "map": (
        """
        def case():
            return lax.map(lambda k: jr.normal(k), jr.split(KEY, 2))
        """,
        {"split": 1, "normal": 2},
    ),
    "cond": (
        """
        def case():
            return jax.jit(lambda p, k: lax.cond(p, jr.normal, jr.uniform, k))(False, KEY)
        """,
        {"uniform": 1},
    ),
    "switch": (
        """
        def case():
            key = KEY
            a = lax.switch(1, [jr.normal, jr.uniform], key)
            return a + lax.switch(0, [jr.normal, jr.uniform], key)  # again
        """,
        {"normal": 1, "uniform": 1},
    ),
    "grad": (
        """
        def case():
            loss = lambda w, key: (w * jr.normal(key)) ** 2
            return jax.grad(loss)(1.0, KEY)
        """,
        {"normal": 1},
    ),
    "grad of scan": (
        """
        def case():
            def loss(w, keys):
                return lax.scan(lambda c, k: (jnp.sin(c * jr.normal(k)), None), w, keys)[0]

            return jax.jit(jax.value_and_grad(loss))(1.0, jr.split(KEY))
        """,
        {"split": 1, "normal": 2},
    ),
    "second derivatives": (
        """
        def case():
            key = KEY
            return jax.hessian(lambda w: jnp.sin(w * jr.normal(key)))(1.0), jax.jacfwd(jnp.sin)(1.0)
        """,
        {"normal": 1},
    ),
    "checkpoint": (
        """
        def case():
            layer = jax.checkpoint(lambda w, k: jnp.sin(w * jr.normal(k)))
            k1, k2 = jr.split(KEY)
            return jax.grad(layer)(1.0, k1) + jax.jit(jax.grad(layer))(1.0, k2)
        """,
        {"split": 1, "normal": 2},
    ),
    "custom_vjp": (
        """
        @jax.custom_vjp
        def drop(x, key):
            return x * jr.bernoulli(key)

        drop.defvjp(lambda x, k: (drop(x, k), k), lambda k, g: (g * jr.bernoulli(k), None))

        def case():
            k1, k2 = jr.split(KEY)
            return jax.grad(drop)(1.0, k1) + jax.jit(jax.grad(drop))(1.0, k2)
        """,
        {"split": 1, "bernoulli": 2},
    ),
    "vjp and jvp": (
        """
        def case():
            k1, k2 = jr.split(KEY)
            y, back = jax.vjp(lambda x: x * jr.normal(k1), 1.0)
            return back(y), jax.jvp(lambda x: x * jr.normal(k2), (1.0,), (1.0,))
        """,
        {"split": 1, "normal": 2},
    ),
    "pmap": (
        """
        def case():
            n = jax.local_device_count()
            k1, k2 = jr.split(KEY)
            return jax.pmap(lambda x: x + jr.normal(k1))(jnp.ones(n)), jax.pmap(jr.uniform)(jr.split(k2, n))
        """,
        {"split": 2, "normal": 1, "uniform": EACH},
    ),
    "shard_map": (
        """
        from jax.sharding import Mesh, PartitionSpec as P
        try:
            from jax import shard_map
        except ImportError:
            from jax.experimental.shard_map import shard_map

        def case():
            mesh = Mesh(np.array(jax.devices()), ("x",))

            def local(key, x):
                a = x + jr.normal(key)
                return a * jr.uniform(key)  # again

            f = jax.jit(shard_map(local, mesh=mesh, in_specs=(P(), P("x")), out_specs=P("x")))
            return f(KEY, jnp.ones(8))
        """,
        {"normal": 1, "uniform": 1},
    ),
    "a sharded array": (
        """
        from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

        def case():
            mesh = Mesh(np.array(jax.devices()), ("x",))
            keys = jax.device_put(jr.split(KEY, 8), NamedSharding(mesh, P("x")))
            return jax.jit(jax.vmap(jr.normal))(keys)
        """,
        {"split": 1, "normal": 8},
    ),
    "shapes alone": (
        """
        def case():
            key = KEY
            f = jax.jit(lambda: jr.normal(key))
            jax.eval_shape(f), jax.make_jaxpr(f)(), jax.eval_shape(jr.normal, key)
            return f()
        """,
        {"normal": 1},
    ),
}

# What JAX's own checker does not see, and what it objects to without reason; and what only looks at a key.
PROBES: dict[str, tuple[str, dict[str, int]]] = {
    "looks": (
        """
        def case():
            key = jr.key(0)
            jr.key_data(key), jr.key_impl(key), jr.fold_in(key, 1), jr.wrap_key_data(jr.key_data(key)), key == key
            return jr.normal(key)
        """,
        {"normal": 1},
    ),
    "clones": (
        """
        def case():
            key = jr.key(0)
            a = jr.normal(jr.clone(key)) + jr.normal(key)
            return a + jr.normal(key)  # again
        """,
        {"normal": 3, CLONE: 1},
    ),
    "equal fold_in": (
        """
        def case():
            key = jr.key(0)
            a = jr.normal(jr.fold_in(key, 1))
            return a + jr.normal(jr.fold_in(key, 1))  # again
        """,
        {"normal": 2},
    ),
    "equal seeds": (
        """
        def case():
            a = jr.normal(jr.key(3))
            return a + jr.normal(jr.PRNGKey(3))  # again
        """,
        {"normal": 2},
    ),
    "iterated and indexed": (
        """
        def case():
            keys = jr.split(jr.key(0))
            a = [jr.normal(key) for key in keys]
            return a, jr.normal(keys[0])  # again
        """,
        {"split": 1, "normal": 3},
    ),
    "raw data": (
        """
        def case():
            data = jnp.array([[0, 1], [0, 2], [0, 1]], jnp.uint32)
            return jr.normal(data[0]) + jr.normal(data[1]), jr.normal(data[2])  # again
        """,
        {"normal": 3},
    ),
    "ndim of an element": (
        """
        def case():
            keys = jr.split(jr.key(0))
            return keys[0].ndim, jr.normal(keys[0]), keys[0].shape
        """,
        {"split": 1, "normal": 1},
    ),
    "stacked and not drawn": (
        """
        def case():
            a, b = jr.split(jr.key(0))
            return jnp.stack([a, b]), jr.normal(a)
        """,
        {"split": 1, "normal": 1},
    ),
    "disjoint halves": (
        """
        def case():
            key = jr.key(0)
            return jr.normal(jr.split(key)[0]), jr.normal(jr.split(key)[1])
        """,
        {"split": 2, "normal": 2},
    ),
    "halves that overlap": (
        """
        def case():
            key = jr.key(0)
            a = jr.normal(jr.split(key)[0])
            b = jr.split(key)[0]  # again
            return a, jr.normal(b)
        """,
        {"split": 2, "normal": 2},
    ),
    "samplers that call samplers": (
        """
        def case():
            k1, k2, k3 = jr.split(jr.key(0), 3)
            return jr.choice(k1, 5, (2,), replace=False), jr.dirichlet(k2, jnp.ones(2)), jr.t(k3, 2.0)
        """,
        {"split": 1, "choice": 1, "dirichlet": 1, "t": 1},
    ),
    "a helper with two draws, called twice": (
        """
        def two(key):
            a = jr.normal(key)
            return a + jr.uniform(key)  # again

        def case():
            key = jr.key(0)
            x = two(key)
            return x + two(key)  # again
        """,
        {"normal": 2, "uniform": 2},
    ),
    "a loop around a helper": (
        """
        def draw(key):
            return jr.normal(key)

        def case():
            key = jr.key(0)
            for _ in range(2):
                draw(key)  # again
        """,
        {"normal": 2},
    ),
}

LIBRARIES: dict[str, tuple[str, str, dict[str, int]]] = {
    "linen": (
        "flax",
        """
        import flax.linen as nn

        def case():
            k1, k2 = jr.split(jr.key(0))
            x = jnp.ones((1, 2))
            a = nn.Dense(2).init(k1, x)
            return a, jax.jit(nn.Dense(3).init)(k1, x)  # again
        """,
        {"split": 1, "truncated_normal": 2},
    ),
    "linen, remat": (
        "flax",
        """
        import flax.linen as nn

        class Net(nn.Module):
            @nn.compact
            def __call__(self, x):
                return nn.remat(nn.Dropout)(0.5, deterministic=False)(x)

        def case():
            loss = lambda x, key: Net().apply({}, x, rngs={"dropout": key}).sum()
            return jax.grad(loss)(jnp.ones(3), jr.key(0))
        """,
        {"bernoulli": 1},
    ),
    "nnx": (
        "flax",
        """
        from flax import nnx

        def case():
            rngs = nnx.Rngs(0)
            first, second = nnx.Linear(2, 2, rngs=rngs), nnx.Linear(2, 2, rngs=rngs)
            return nnx.jit(lambda model, x: model(x))(first, jnp.ones((1, 2)))
        """,
        {"truncated_normal": 2},
    ),
    "equinox": (
        "equinox",
        """
        import equinox as eqx

        def case():
            k1, k2 = jr.split(jr.key(0))
            a = eqx.nn.Linear(2, 2, use_bias=False, key=k1)
            drop = eqx.nn.Dropout(0.5)
            a = eqx.filter_jit(lambda x, k: drop(a(x), key=k))(jnp.ones(2), k2)
            return jr.normal(k2) + a  # again
        """,
        {"split": 2, "uniform": 1, "bernoulli": 1, "normal": 1},
    ),
    "haiku": (
        "haiku",
        """
        import haiku as hk

        def case():
            net = hk.transform(lambda x: hk.Linear(2)(x))
            return net.init(jr.PRNGKey(0), jnp.ones((1, 2)))
        """,
        {"split": 1, "truncated_normal": 1},
    ),
}


@contextmanager
def run(program: str, **options: Any) -> Iterator[tuple[KeyLedger, Run]]:
    """A program under a ledger."""
    text = HEAD + textwrap.dedent(program)
    fixture = claims.parse(Path("/ledger/program.py"), text)
    case = fixture.case("case")
    assert case is not None
    trial = Trial(fixture, replace(case, claims=()))
    loading.import_libraries(fixture, case)
    recorders.install()
    ledger = KeyLedger(trial.path)
    with trial.run(ledger, **options) as ran:
        assert ran.error is None, ran.error
        yield ledger, ran


def marked(program: str) -> set[int]:
    """The lines that say `# again`."""
    return {n for n, line in enumerate((HEAD + textwrap.dedent(program)).splitlines(), 1) if "# again" in line}


def observed(program: str, **options: Any) -> tuple[Counter[str], set[int | None]]:
    """How often a program draws, and the lines of its reuses."""
    with run(program, **options) as (ledger, _):
        draws = ledger.draws()
        return Counter(draw.operation for draw in draws), {found.pair[1] for found in reuses(draws)}


@slices.each("name, key", [(name, key) for name in TRANSFORMS for key in KEYS], lambda case: case, daily=10)
def test_transforms(name: str, key: str) -> None:
    program, draws = TRANSFORMS[name]
    program = program.replace("KEY", key)
    counts = {name: jax.local_device_count() if count == EACH else count for name, count in draws.items()}
    assert observed(program) == (Counter(counts), marked(program))


@pytest.mark.parametrize("name", PROBES)
def test_probes(name: str) -> None:
    program, draws = PROBES[name]
    assert observed(program) == (Counter(draws), marked(program))


@pytest.mark.parametrize("name", LIBRARIES)
def test_libraries(name: str) -> None:
    library, program, draws = LIBRARIES[name]
    pytest.importorskip(library)
    assert observed(program) == (Counter(draws), marked(program))


LANES = """
def case():
    key = jr.key(0)
    return jax.vmap(lambda x: x + jr.normal(key))(jnp.ones(3))
"""


def test_lanes_one_by_one() -> None:
    assert observed(LANES, mode=Mode.EAGER)[0] == {"normal": 3}


def test_order_is_that_of_the_program() -> None:
    program = """
    def case():
        def f(x, key):
            a = jr.uniform(key)
            b = lax.cond(x > 0, jr.normal, jr.gumbel, key)
            return a + b + jr.exponential(key)
        return jax.jit(f)(1.0, jr.key(0)), jr.laplace(jr.key(0))
    """
    with run(program) as (ledger, _):
        assert [draw.operation for draw in ledger.draws()] == ["uniform", "normal", "exponential", "laplace"]


def test_makings() -> None:
    program = """
    def case():
        key = jr.key(0)
        return jax.jit(lambda key: jr.normal(jr.fold_in(key, 1)))(key)
    """
    text = HEAD + textwrap.dedent(program)
    fixture = claims.parse(Path("/ledger/makings.py"), text)
    case = fixture.case("case")
    assert case is not None
    trial = Trial(fixture, case)
    ledger = KeyLedger(trial.path, tells_makings=True)
    with trial.run(ledger):
        seed, folded = ledger.makings()
        (draw,) = ledger.draws()
        assert (seed.operation, folded.operation) == ("jax.random.key", "jax.random.fold_in")
        assert (folded.base, folded.key) == (seed.key, draw.key)


def test_muted_sessions_are_not_recorded() -> None:
    with run("def case():\n    return jr.normal(jr.key(0))\n") as (ledger, ran):
        with recorders.muted():
            jax.random.normal(jax.random.key(1))
            jax.jit(lambda key: jax.random.normal(key))(jax.random.key(1))
        assert len(ledger.draws()) == 1
        assert ran.module is not None


def test_nothing_is_left_behind() -> None:
    names = ("normal", "split", "key", "PRNGKey", "fold_in", "clone", "wrap_key_data")
    before = [getattr(jax.random, name) for name in names]
    observed(LANES)
    assert [getattr(jax.random, name) for name in names] == before
    assert compat_checks.check() == {}


def test_a_trace_that_outlives_its_ledger_tells_the_next_one() -> None:
    cached = jax.jit(lambda key: jax.random.normal(key))
    program = "def case():\n    return CACHED(jr.key(0))\n"
    for _ in range(2):
        with run(program, given={"CACHED": cached}) as (ledger, _run):
            (draw,) = ledger.draws()
            assert draw.operation == "normal"
    cached(jax.random.key(0))


def test_without_the_one_function_the_public_ones_are_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(seen: object) -> None:
        raise Unsupported("gone")

    monkeypatch.setattr(compat, "watching_keys", gone)
    for name in ("eager", "jit, cached", "scan"):
        program, draws = TRANSFORMS[name]
        program = program.replace("KEY", "jr.key(0)")
        assert observed(program) == (Counter(draws), marked(program))
