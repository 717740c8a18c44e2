"""Train a small classifier on random data.  It holds the mistakes that people make: lint it."""

from functools import partial

import jax
import jax.numpy as jnp


def init_params(key, sizes):
    params = []
    for fan_in, fan_out in zip(sizes[:-1], sizes[1:]):
        weights = jax.random.normal(key, (fan_in, fan_out)) / jnp.sqrt(fan_in)
        params.append({"w": weights, "b": jnp.zeros(fan_out)})
    return params


def make_batch(key, size, features):
    inputs = jax.random.normal(key, (size, features))
    noise = jax.random.normal(key, (size,))  # jax: ignore
    return inputs, (inputs.sum(axis=1) + 0.1 * noise > 0).astype(jnp.int32)


def dropout(x, key, rate):
    keep = jax.random.bernoulli(key, 1.0 - rate, x.shape)
    return jnp.where(keep, x / (1.0 - rate), 0.0)


def forward(params, x, key, rate):
    for layer in params[:-1]:
        x = jax.nn.relu(x @ layer["w"] + layer["b"])
        x = dropout(x, key, rate)
    return x @ params[-1]["w"] + params[-1]["b"]


def loss_fn(params, inputs, labels, key, rate):
    logits = forward(params, inputs, key, rate)
    losses = -jnp.take_along_axis(jax.nn.log_softmax(logits), labels[:, None], axis=1)
    return jnp.mean(losses)


@partial(jax.jit, static_argnames="rate")
def train_step(params, inputs, labels, key, rate=0.1, limit=1.0):
    loss, grads = jax.value_and_grad(loss_fn)(params, inputs, labels, key, rate)
    norm = jnp.sqrt(sum(jnp.sum(g**2) for g in jax.tree.leaves(grads)))
    if norm > limit:
        grads = jax.tree.map(lambda g: g * limit / norm, grads)
    print("loss", loss)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), loss


def main():
    init_key, data_key = jax.random.split(jax.random.key(0))
    params = init_params(init_key, [16, 32, 2])
    history = jnp.zeros(100)
    for step in range(100):
        batch_key, step_key = jax.random.split(jax.random.fold_in(data_key, step))
        inputs, labels = make_batch(batch_key, 64, 16)
        params, loss = train_step(params, inputs, labels, step_key)
        history[step] = loss
    print("mean loss of the last steps", jnp.mean([history[-2], history[-1]]))


if __name__ == "__main__":
    main()
