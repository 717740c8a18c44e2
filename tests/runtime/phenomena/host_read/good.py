"""The same with the host out of the loop."""

import logging
import math

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax

LOG = logging.getLogger(__name__)


@jax.jit
def _step(w):
    return w - 0.5 * w, w**2


def float_per_turn():
    w, losses = jnp.float32(1.0), []
    for _ in range(3):
        w, loss = _step(w)
        losses.append(loss)
    return losses


def item_per_turn():
    w, total = jnp.float32(1.0), 0.0
    for _ in range(3):
        w, loss = _step(w)
        total += loss
    return total


def printed_per_turn():
    w = jnp.float32(1.0)
    for step in range(3):
        w, loss = _step(w)
        print(step, loss.shape)
    return w


def formatted_per_turn():
    w = jnp.float32(1.0)
    for _ in range(3):
        w, loss = _step(w)
        line = "loss"
    return w, line


def logged_per_turn():
    LOG.setLevel(logging.INFO)
    w = jnp.float32(1.0)
    for _ in range(3):
        w, loss = _step(w)
        LOG.info("loss of shape %s", loss.shape)
    return w


def until_converged():
    w, loss = jnp.float32(1.0), jnp.float32(1.0)
    for _ in range(4):
        w, loss = _step(w)
    return w


def early_exit():
    w = jnp.float32(1.0)
    for _ in range(4):
        w, loss = _step(w)
        if loss is None:
            break
    return w


def numpy_per_turn():
    w, history = jnp.ones(3), []
    for _ in range(3):
        w, _ = _step(w)
        history.append(w)
    return history


def ufunc_per_turn():
    w, norms = jnp.ones(3), []
    for _ in range(3):
        w, _ = _step(w)
        norms.append(jnp.linalg.norm(w))
    return norms


def elements():
    x = jnp.arange(3.0)
    total = 0.0
    for i in range(3):
        total += jnp.sqrt(x[i])
    return total


def comprehension():
    x = jnp.arange(3.0)
    return list(x)


def _log(history, loss):
    history.append(loss)


def logged_by_a_helper():
    w, history = jnp.float32(1.0), []
    for _ in range(3):
        w, loss = _step(w)
        _log(history, loss)
    return history


class Meter:
    def __init__(self):
        self.total = 0.0

    def update(self, loss):
        self.total += jnp.float32(loss)


def meter():
    w, meter = jnp.float32(1.0), Meter()
    for _ in range(3):
        w, loss = _step(w)
        meter.update(loss)
    return meter.total


def fetched_tree():
    metrics, w = [], jnp.float32(1.0)
    for _ in range(3):
        w, loss = _step(w)
        metrics.append({"w": w, "loss": loss})
    return metrics


def gradient_descent():
    optimizer = optax.sgd(0.1)
    w = jnp.ones(2)
    state = optimizer.init(w)
    for _ in range(2):
        loss, grads = jax.value_and_grad(lambda w: (w**2).sum())(w)
        updates, state = optimizer.update(grads, state)
        w = optax.apply_updates(w, updates)
        best = jnp.minimum(1e9, loss)
    return w, best


class Network(eqx.Module):
    weight: jax.Array

    def __call__(self, x):
        return self.weight * x


def predictions():
    network, out = Network(jnp.float32(2.0)), 0
    for x in (1.0, 2.0):
        out += network(x)
    return out


def read_once_at_the_end():
    w = jnp.float32(1.0)
    for _ in range(3):
        w, loss = _step(w)
    print(float(loss), loss, np.asarray(w))
    return float(loss)


def several_in_one_call():
    w, losses = jnp.float32(1.0), []
    for _ in range(3):
        w, loss = _step(w)
        losses.append(loss)
    print(*losses)
    return np.stack(losses), jax.device_get(losses), max(losses)


def two_reads_on_one_line():
    w, loss = _step(jnp.float32(1.0))
    return float(w) + float(loss)


def one_flag_for_all_turns():
    flag, w = jnp.bool_(True), jnp.float32(1.0)
    for _ in range(3):
        if flag:
            w, _ = _step(w)
    return w


def host_data():
    data, total = np.arange(3.0), 0.0
    for x in data:
        total += float(x) + np.sqrt(x).item()
    return total


def shapes_in_a_loop():
    w, sizes = jnp.ones(3), []
    for _ in range(3):
        w, _ = _step(w)
        sizes.append((np.shape(w), w.ndim, len(w), str(w.dtype)))
    return sizes


def indexed_in_a_loop():
    x = jnp.arange(4.0)
    index = jnp.arange(4)
    for i in range(3):
        x = x.at[i].set(x[i + 1] * x[index[i]]) + jnp.zeros(4)[::-1]
    return x


@jax.jit
def _polynomial(x):
    for weight in (1.0, 2.0):
        x = x * float(np.float32(weight)) + 1
    return x


WEIGHTS = jnp.arange(3.0)


@jax.jit
def _with_constants(x):
    for i in range(3):
        x = x * jnp.cos(x) + WEIGHTS[i]
    return x


def traced_loops():
    return _polynomial(1.0), _with_constants(2.0)


def blocked_per_turn():
    w = jnp.float32(1.0)
    for _ in range(3):
        w = jax.block_until_ready(_step(w)[0])
    return w


def keys_in_a_loop():
    key, draws = jax.random.key(0), []
    for i in range(3):
        key, sub = jax.random.split(key)
        draws.append(jax.random.normal(jax.random.fold_in(sub, i), (2,)))
    return draws


def eager_transforms():
    total = 0.0
    for i in range(2):
        total += jax.grad(lambda x: x**2)(1.0) + jax.vmap(jnp.sin)(jnp.ones(2)).sum()
        total = jax.lax.fori_loop(0, i, lambda _, v: v + 1.0, total)
        total = jax.lax.scan(lambda v, x: (v + x, None), total, jnp.ones(2))[0]
    return total
