"""What libraries do with keys by convention: a key that their methods use up is used up for JAX101.

Each text has a function `f(key, ...)`; a mark `# again` stands on the line where the key is used a second time.
"""

from __future__ import annotations

from textwrap import dedent

import pytest

from tests.support.expectations import lint_text

AGAIN: dict[str, str] = {
    "distrax": """
        import distrax
        def f(key):
            d = distrax.Normal(0.0, 1.0)
            a = d.sample(seed=key)
            return a, d.sample(seed=key)  # again
    """,
    "distrax, the density beside it": """
        import distrax
        def f(key, logits):
            a = distrax.Categorical(logits=logits).sample_and_log_prob(seed=key)
            return a, distrax.Categorical(logits=logits + 1).sample(seed=key)  # again
    """,
    "distrax, made by a helper": """
        import distrax, jax
        def policy(x):
            return distrax.Categorical(logits=x)
        def f(key, x):
            a = policy(x).sample(seed=key)
            return a, jax.random.normal(key)  # again
    """,
    "tensorflow probability, by position and keyword": """
        import tensorflow_probability.substrates.jax as tfp
        tfd = tfp.distributions
        def f(key):
            d = tfd.Normal(0.0, 1.0)
            a = d.sample(3, key)
            return a, d.sample(seed=key)  # again
    """,
    "numpyro": """
        import numpyro.distributions as dist
        def f(key):
            d = dist.Normal(0.0, 1.0)
            a = d.sample(key)
            return a, d.sample(key, (3,))  # again
    """,
    "numpyro, a chain": """
        import jax
        from numpyro.infer import MCMC, NUTS
        def f(key, model, other):
            first = MCMC(NUTS(model), num_warmup=1, num_samples=1)
            first.run(key)
            second = MCMC(NUTS(other), num_warmup=1, num_samples=1)
            second.run(key)
            return first.get_samples(), second.get_samples(), jax.random.normal(key)  # again
    """,
    "numpyro, predictions": """
        import jax
        from numpyro.infer import Predictive
        def f(key, model):
            prior = Predictive(model, num_samples=3)(key)
            return prior, jax.random.normal(key)  # again
    """,
    "numpyro, inference": """
        import jax
        from numpyro.infer import SVI
        def f(key, model, guide, optimizer, loss):
            svi = SVI(model, guide, optimizer, loss)
            state = svi.init(key)
            return state, svi.run(key, 3), jax.random.normal(key)  # again
    """,
    "numpyro, handlers": """
        from numpyro import handlers
        def f(key, model):
            a = handlers.seed(model, key)()
            return a, handlers.seed(model, rng_seed=key)()  # again
    """,
    "haiku": """
        import haiku as hk, jax
        def f(key, net, x):
            network = hk.transform(net)
            params = network.init(key, x)
            return params, jax.random.normal(key)  # again
    """,
    "flax, two networks": """
        import flax.linen as nn
        class Actor(nn.Module):
            @nn.compact
            def __call__(self, x):
                return nn.Dense(3)(x)
        class Critic(nn.Module):
            @nn.compact
            def __call__(self, x):
                return nn.Dense(1)(nn.Dense(3)(x))
        def f(key, x):
            actor = Actor().init(key, x)
            return actor, Critic().init({"params": key}, x)  # it may be meant
    """,
    "flax, streams by keyword": """
        import flax.linen as nn
        def f(key, x):
            layer = nn.Dropout(0.5, deterministic=False)
            a = layer.apply({}, x, rngs={"dropout": key})
            return a, layer.apply({}, x + 1, rngs={"dropout": key})  # again
    """,
    "streams of an unknown model": """
        import jax
        def f(model, params, x, rng):
            for _ in range(3):
                x = model.apply(params, x, rngs={"dropout": rng})  # it may be meant
            return x
    """,
    "flax, streams": """
        from flax import nnx
        def f(key):
            first = nnx.Linear(2, 3, rngs=nnx.Rngs(key))
            return first, nnx.Linear(2, 3, rngs=nnx.Rngs(params=key))  # it may be meant
    """,
    "equinox": """
        import equinox as eqx
        def f(key, x):
            dropout = eqx.nn.Dropout(0.5)
            a = dropout(x, key=key)
            return a, dropout(x + 1, key=key)  # again
    """,
    "gymnax": """
        import gymnax, jax
        def f(key):
            env, params = gymnax.make("CartPole-v1")
            observation, state = env.reset(key, params)
            return env.step(key, state, 0, params)  # again
    """,
    "jumanji": """
        import jumanji, jax
        from jumanji.wrappers import AutoResetWrapper
        def f(key):
            env = AutoResetWrapper(jumanji.make("Snake-v1"))
            state, step = env.reset(key)
            return state, jax.random.normal(key)  # again
    """,
    "pgx": """
        import pgx, jax
        def f(key):
            env = pgx.make("2048")
            state = env.init(key)
            return env.step(state, 0, key)  # again
    """,
    "brax": """
        import jax
        from brax import envs
        def f(key):
            env = envs.get_environment("ant")
            state = env.reset(rng=key)
            return state, jax.random.normal(key)  # again
    """,
    "blackjax": """
        import blackjax, jax
        def f(key, density, x):
            sampler = blackjax.nuts(density, 0.1, x)
            state = sampler.init(x)
            state, info = sampler.step(key, state)
            return sampler.step(key, state)  # again
    """,
    "haiku, a network that draws": """
        import haiku as hk, jax
        class Net(hk.Module):
            def __call__(self, x, is_training):
                x = hk.Linear(3)(x)
                return hk.dropout(hk.next_rng_key(), 0.5, x) if is_training else x
        net = hk.transform(lambda x, is_training: Net()(x, is_training))
        def f(key, params, x):
            y = net.apply(params, key, x, True)
            return y, jax.random.normal(key)  # again
        def g(key, params, x):
            y = net.apply(params, rng=key, x=x, is_training=True)
            return y, jax.random.normal(key)  # again
    """,
    "haiku, a network with a state": """
        import haiku as hk, jax
        def forward(x):
            return hk.dropout(hk.next_rng_key(), 0.5, hk.BatchNorm(True, True, 0.9)(x, True))
        net = hk.transform_with_state(forward)
        def f(params, state, x):
            key = jax.random.key(0)
            y, state = net.apply(params, state, key, x)
            z, state = net.apply(params, state, key, x)  # again
            return y, z, jax.random.normal(key)  # again
    """,
    "optax": """
        import jax, optax
        def f(key, gradients):
            noise = optax.tree_utils.tree_random_like(key, gradients)
            return noise, optax.tree.random_like(key, gradients)  # again
        def g(key):
            return optax.add_noise(0.1, 0.5, key), jax.random.normal(key)  # again
    """,
    "blackjax, adaptation": """
        import blackjax, jax
        def f(key, density, x):
            warmup = blackjax.window_adaptation(blackjax.nuts, density)
            found, info = warmup.run(key, x, num_steps=3)
            return found, jax.random.normal(key)  # again
    """,
    "a network without dropout, and another stream": """
        import jax
        def f(key, state, x):
            z = state.apply_fn(state.params, x, train=False, rngs={"latent": key})
            return z + jax.random.normal(key)  # again
    """,
    "parameters are drawn without dropout, too": """
        import jax
        def f(key, model, x):
            params = model.init(key, x, train=False)
            return params, jax.random.normal(key)  # again
    """,
}

ONCE: dict[str, str] = {
    "keys of its own": """
        import distrax, jax
        def f(key):
            k1, k2 = jax.random.split(key)
            d = distrax.Normal(0.0, 1.0)
            return d.sample(seed=k1), d.sample(seed=k2)
    """,
    "a layer that ignores its key": """
        import equinox as eqx, jax
        def f(key, x):
            k1, k2 = jax.random.split(key)
            layer = eqx.nn.Linear(2, 3, key=k1)
            return layer(x, key=k2), jax.random.normal(k2)
    """,
    "names are folded into the key": """
        import flax.linen as nn, jax
        class Net(nn.Module):
            @nn.compact
            def __call__(self, x):
                return nn.Dense(3)(x)
        def f(key, x):
            return Net().init(key, x), jax.random.normal(key)
    """,
    "names are folded into the key, in a helper": """
        import flax.linen as nn, jax
        class Net(nn.Module):
            @nn.compact
            def __call__(self, x):
                return nn.Dense(3)(x)
        def made(key, x):
            return Net().init(key, x)
        def f(key, x):
            return made(key, x), jax.random.normal(key)
    """,
    "counts are folded into the key": """
        import jax
        from flax import nnx
        def f(key):
            return nnx.Linear(2, 3, rngs=nnx.Rngs(key)), jax.random.normal(key)
    """,
    "other methods": """
        import distrax
        def f(key, x):
            d = distrax.Normal(0.0, 1.0)
            return d.sample(seed=key), d.log_prob(x), d.entropy()
    """,
    "seeds of the host": """
        import distrax
        def f(x):
            d = distrax.Normal(0.0, 1.0)
            return d.sample(seed=3), d.sample(seed=3)
    """,
    "a step without a key": """
        import jumanji, jax
        def f(key, action):
            env = jumanji.make("Snake-v1")
            state, step = env.reset(key)
            return env.step(state, action)
    """,
    "a sampler that starts where it is told": """
        import blackjax, jax
        def f(key, density, x):
            sampler = blackjax.nuts(density, 0.1, x)
            return sampler.step(key, sampler.init(x, key))
    """,
    "haiku, a network that never draws": """
        import haiku as hk, jax
        net = hk.transform(lambda x: hk.Linear(3)(x))
        def f(key, params, x):
            return net.apply(params, key, x), jax.random.normal(key)
    """,
    "haiku, a network that is told not to draw": """
        import haiku as hk, jax
        def forward(x, is_training):
            return hk.dropout(hk.next_rng_key(), 0.5, x) if is_training else x
        net = hk.transform(forward)
        def f(key, params, x):
            return net.apply(params, key, x, False), jax.random.normal(key)
    """,
    "samples for a figure": """
        import jax
        def plot_fit(key, w, ax):
            ax.plot(w * jax.random.normal(key, (3,)))
        def f(key, ax):
            k1, k2 = jax.random.split(key)
            w = jax.random.normal(k1) + jax.random.normal(k2)
            plot_fit(key, w, ax)
            return w
    """,
    "a network without dropout": """
        import jax
        def f(key, state, x):
            logits = state.apply_fn(state.params, x, train=False, rngs={"dropout": key})
            return logits + jax.random.normal(key)
    """,
    "a function that measures": """
        import jax
        def f(key, strategy, x):
            seen = strategy.metrics_fn(key, x)
            return seen, jax.random.normal(key)
    """,
    "one arm of a test": """
        import gymnax, jax
        def f(key, state, is_new):
            env, params = gymnax.make("CartPole-v1")
            if is_new:
                return env.reset(key, params)
            return env.step(key, state, 0, params)
    """,
}


def said(text: str) -> list[int]:
    return sorted({finding.span.line for finding in lint_text(text) if finding.code == "JAX101"})


@pytest.mark.parametrize("text", AGAIN.values(), ids=AGAIN)
def test_the_second_use_is_reported(text: str) -> None:
    text = dedent(text)
    lines = list(enumerate(text.splitlines(), 1))
    assert said(text) == [line for line, words in lines if words.endswith("# again")]


@pytest.mark.parametrize("text", ONCE.values(), ids=ONCE)
def test_one_use_is_silent(text: str) -> None:
    assert said(dedent(text)) == []
