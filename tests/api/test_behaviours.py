"""The rows of behaviours.toml, shown on the JAX at hand: what it gives before a release, and from then on."""

from __future__ import annotations

import inspect
import warnings

import pytest

from flake8_jax.api.behaviours import Behaviour, between, numbers, read

pytest.importorskip("jax")


class Holder:
    """Has an array, and says so."""

    def __jax_array__(self) -> object:
        import jax.numpy as jnp

        return jnp.ones(2)


def retraced() -> int:
    """How often a function is traced for one array, and for the same put on a mesh of one device."""
    import jax
    import jax.numpy as jnp

    traces: list[int] = []
    spec = jax.sharding.PartitionSpec("x")  # type: ignore[no-untyped-call]
    sharding = jax.sharding.NamedSharding(jax.make_mesh((1,), ("x",)), spec)

    @jax.jit
    def step(x: jax.Array) -> jax.Array:
        traces.append(1)
        return x

    step(jnp.arange(8))
    step(jax.device_put(jnp.arange(8), sharding))
    return len(traces)


@pytest.mark.parametrize("row", [one for one in read() if one.shown], ids=lambda row: f"{row.release}: {row.title}")
def test_what_is_said_to_change_is_shown_on_this_jax(row: Behaviour) -> None:
    import jax
    import jax.numpy as jnp
    import numpy as np

    scope = {"jax": jax, "jnp": jnp, "np": np, "inspect": inspect, "Holder": Holder, "retraced": retraced}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            seen = repr(eval(row.shown, scope))
        except Exception as error:
            seen = type(error).__name__
    is_after = numbers(jax.__version__) >= numbers(row.since or row.release)
    assert seen == (row.after if is_after else row.before)


def test_what_is_not_shown_says_why() -> None:
    assert all(row.shown or row.unseen for row in read())


def test_a_short_release_stands_for_all_of_it() -> None:
    assert [row.title for row in between("0.10.0", "0.10")] == []
    assert {row.release for row in between("0.9.2", "0.10")} == {"0.10.0"}
    assert {row.release for row in between("0.4.35", "0.5.0")} == {"0.5.0"}
