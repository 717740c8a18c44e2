"""Loops that wait for the device at every turn."""

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
        losses.append(float(loss))  # JAX703 host_read: `loss` is read at every turn
    return losses


def item_per_turn():
    w, total = jnp.float32(1.0), 0.0
    for _ in range(3):
        w, loss = _step(w)
        total += loss.item()  # JAX703 host_read: `loss` is read at every turn
    return total


def printed_per_turn():
    w = jnp.float32(1.0)
    for step in range(3):
        w, loss = _step(w)
        print(step, loss)  # JAX703 host_read: `loss` is printed at every turn
    return w


def formatted_per_turn():
    w = jnp.float32(1.0)
    for _ in range(3):
        w, loss = _step(w)
        line = f"loss {loss:.3f}"  # JAX703 host_read: `loss` is formatted at every turn
    return w, line


def logged_per_turn():
    LOG.setLevel(logging.INFO)
    w = jnp.float32(1.0)
    for _ in range(3):
        w, loss = _step(w)
        LOG.info("loss %s", str(loss))  # JAX703 host_read: `loss` is read at every turn
    return w


def until_converged():
    w, loss = jnp.float32(1.0), jnp.float32(1.0)
    while loss > 0.01:  # JAX703 host_read: the condition is read at every turn
        w, loss = _step(w)
    return w


def early_exit():
    w = jnp.float32(1.0)
    for _ in range(4):
        w, loss = _step(w)
        if jnp.isnan(loss):  # JAX703 host_read: the condition is read at every turn
            break
    return w


def numpy_per_turn():
    w, history = jnp.ones(3), []
    for _ in range(3):
        w, _ = _step(w)
        history.append(np.asarray(w))  # JAX703 host_read: `w` is copied at every turn
    return history


def ufunc_per_turn():
    w, norms = jnp.ones(3), []
    for _ in range(3):
        w, _ = _step(w)
        norms.append(np.linalg.norm(w))  # JAX703 host_read: NumPy reads `w` at every turn
    return norms


def elements():
    x = jnp.arange(3.0)
    total = 0.0
    for i in range(3):
        total += math.sqrt(x[i])  # JAX703 host_read: an element is read at every turn
    return total


def comprehension():
    x = jnp.arange(3.0)
    return [float(v) for v in x]  # JAX703 host_read: an element is read at every turn


def _log(history, loss):
    history.append(loss.tolist())  # JAX703 host_read: `loss` is read at every call, in a loop


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
        self.total += np.float32(loss)  # JAX703 host_read: NumPy reads `loss` at every call, in a loop


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
        metrics.append(jax.tree.map(np.asarray, {"w": w, "loss": loss}))  # JAX703 host_read: read at every turn
    return metrics


def gradient_descent():
    optimizer = optax.sgd(0.1)
    w = jnp.ones(2)
    state = optimizer.init(w)
    for _ in range(2):
        loss, grads = jax.value_and_grad(lambda w: (w**2).sum())(w)
        updates, state = optimizer.update(grads, state)
        w = optax.apply_updates(w, updates)
        best = min(1e9, loss)  # JAX703 host_read: the comparison is read at every turn
    return w, best


class Network(eqx.Module):
    weight: jax.Array

    def __call__(self, x):
        return self.weight * x


def predictions():
    network, out = Network(jnp.float32(2.0)), 0
    for x in (1.0, 2.0):
        out += int(network(x))  # JAX703 host_read: the prediction is read at every turn
    return out
