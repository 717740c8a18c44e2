"""Measures which methods of environments, samplers, networks and optimizers draw from the key that they are given.

`python make_library_draws.py` writes library_draws.json.  Each is called with equal keys and with others, typed and raw:
what draws gives equal results for equal keys, and another for at least one other.  It needs blackjax, brax, dm-haiku,
flax, gymnax, jumanji, numpyro, optax and pgx.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import blackjax
import flax.linen as nn
import gymnax
import haiku as hk
import jax
import jax.numpy as jnp
import jumanji
import numpy as np
import numpyro
import optax
import pgx
from brax import envs
from numpyro.infer import SVI, Trace_ELBO
from numpyro.infer.autoguide import AutoNormal

HERE = Path(__file__).parent
X = jnp.ones((4, 3))


def density(x: Any) -> Any:
    """The logarithm of a normal density, without its constant."""
    return -jnp.sum(x**2) / 2


def model() -> Any:
    """A model of one variable."""
    return numpyro.sample("x", numpyro.distributions.Normal(0.0, 1.0))


class Network(nn.Module):
    """A layer, and a dropout that can be switched off."""

    @nn.compact
    def __call__(self, x: Any, train: bool = True) -> Any:
        """Apply both."""
        return nn.Dropout(0.5, deterministic=not train)(nn.Dense(8)(x))


@cache
def network() -> Any:
    """The parameters of a linen network."""
    return Network().init({"params": jax.random.key(0), "dropout": jax.random.key(1)}, X)


@cache
def environment() -> Any:
    """An environment of gymnax with its parameters, and a state before the last step of an episode."""
    made, parameters = gymnax.make("CartPole-v1")
    return made, parameters, made.reset(jax.random.key(0), parameters)[1].replace(time=499)


@cache
def board() -> Any:
    """A game of pgx, and its first state."""
    made = pgx.make("2048")
    return made, made.init(jax.random.key(3))


SAMPLERS = {
    "hmc": lambda: blackjax.hmc(density, 0.1, jnp.ones(3), 3),
    "mala": lambda: blackjax.mala(density, 0.1),
    "nuts": lambda: blackjax.nuts(density, 0.1, jnp.ones(3)),
    "rmh": lambda: blackjax.rmh(density, blackjax.mcmc.random_walk.normal(jnp.ones(3) * 0.1)),
}


def stepped(name: str, key: Any) -> Any:
    """A step of a sampler."""
    sampler = SAMPLERS[name]()
    return sampler.step(key, sampler.init(jnp.ones(3)))[0].position


def update(transformation: Any, gradients: Any) -> Any:
    """The gradients after a transformation."""
    return transformation.update(gradients, transformation.init(jnp.ones(3)))[0]


def with_dropout(x: Any) -> Any:
    """A haiku network that draws."""
    return hk.dropout(hk.next_rng_key(), 0.5, hk.Linear(8)(x))


def without_dropout(x: Any) -> Any:
    """A haiku network that does not."""
    return hk.Linear(8)(x)


def applied(body: Callable[[Any], Any], key: Any) -> Any:
    """A haiku network, run with a key."""
    transformed = hk.transform(body)
    return transformed.apply(transformed.init(jax.random.key(0), X), key, X)


def fitted(key: Any) -> Any:
    """The parameters of a variational fit."""
    return SVI(model, AutoNormal(model), optax.sgd(0.1), Trace_ELBO()).run(key, 3, progress_bar=False).params


def adapted(key: Any) -> Any:
    """Where the warm-up of a sampler ends."""
    return blackjax.window_adaptation(blackjax.nuts, density).run(key, jnp.ones(3), 5)[0].state.position


DRAWS: dict[str, dict[str, Callable[[Any], Any]]] = {
    "blackjax.base.AdaptationAlgorithm.run": {"nuts": adapted},
    "blackjax.base.SamplingAlgorithm.init": {
        "hmc": lambda key: SAMPLERS["hmc"]().init(jnp.ones(3), key),
        "nuts": lambda key: SAMPLERS["nuts"]().init(jnp.ones(3), key),
    },
    "blackjax.base.SamplingAlgorithm.step": {
        "hmc": lambda key: stepped("hmc", key), "mala": lambda key: stepped("mala", key),
        "nuts": lambda key: stepped("nuts", key), "rmh": lambda key: stepped("rmh", key),
    },
    "brax.envs.base.Env.reset": {"pendulum": lambda key: envs.get_environment("inverted_pendulum").reset(key).obs},
    "flax.linen.Module.apply": {
        "with dropout": lambda key: Network().apply(network(), X, rngs={"dropout": key}),
        "with dropout, one key": lambda key: Network().apply(network(), X, rngs=key),
        "switched off": lambda key: Network().apply(network(), X, False, rngs={"dropout": key}),
    },
    "gymnax.environments.environment.Environment.reset": {
        "cart": lambda key: environment()[0].reset(key, environment()[1])[0],
    },
    "gymnax.environments.environment.Environment.step": {
        "cart": lambda key: environment()[0].step(key, environment()[2], 0, environment()[1])[0],
    },
    "haiku.transform.apply": {
        "with dropout": lambda key: applied(with_dropout, key), "without": lambda key: applied(without_dropout, key),
    },
    "jumanji.env.Environment.reset": {"snake": lambda key: jumanji.make("Snake-v1").reset(key)[1].observation},
    "numpyro.infer.SVI.run": {"normal": fitted},
    "optax.add_noise": {"normal": lambda key: update(optax.add_noise(0.1, 0.5, key), jnp.ones(3))},
    "optax.contrib.differentially_private_aggregate": {
        "normal": lambda key: update(optax.contrib.differentially_private_aggregate(1.0, 1.0, key), jnp.ones((2, 3))),
    },
    "optax.tree.random_like": {"normal": lambda key: optax.tree.random_like(key, {"a": jnp.ones(3)})},
    "pgx.core.Env.init": {"2048": lambda key: board()[0].init(key).observation},
    "pgx.core.Env.step": {
        "2048": lambda key: board()[0].step(board()[1], jnp.argmax(board()[1].legal_action_mask), key).observation,
    },
}  # fmt: skip


def leaves(tree: Any) -> list[Any]:
    """The numbers of a tree, those of its keys too."""
    flat = jax.tree.leaves(tree)
    return [
        np.asarray(jax.random.key_data(x) if jax.dtypes.issubdtype(x.dtype, jax.dtypes.prng_key) else x) for x in flat
    ]


def draws(call: Callable[[Any], Any]) -> dict[str, bool | str]:
    """By the kind of key: does it draw, or which error did it raise?"""
    seen: dict[str, bool | str] = {}
    for kind, make in (("typed", jax.random.key), ("raw", jax.random.PRNGKey)):
        try:
            first, second, *others = (leaves(call(make(seed))) for seed in (1, 1, 2, 3, 4, 5))
        except (TypeError, ValueError) as error:
            seen[kind] = type(error).__name__
            continue
        assert all(map(np.array_equal, first, second))
        seen[kind] = any(not all(map(np.array_equal, first, other)) for other in others)
    return seen


def main() -> None:
    """Try everything."""
    rows = [
        f"{json.dumps(name)}: {json.dumps({kind: draws(call) for kind, call in calls.items()})}"
        for name, calls in DRAWS.items()
    ]
    (HERE / "library_draws.json").write_text("{\n" + ",\n".join(rows) + "\n}\n")


if __name__ == "__main__":
    main()
