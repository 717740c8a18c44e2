"""Host buffers that are written to after JAX was given them; the twin of each function stands in `good.py`."""

import jax
import jax.numpy as jnp
import numpy as np

BUFFER = np.zeros(4, np.float32)


def element_written():
    a = np.zeros(3, np.float32)
    x = jax.device_put(a)
    a[0] = 7.0  # JAX212 buffer_shared: `x` shares the memory of `a`
    return x


def refilled_in_a_loop():
    a = np.empty(3, np.float32)
    batches = []
    for i in range(3):
        a[:] = i  # JAX212 buffer_shared: the batches share the memory of `a`
        batches.append(jax.device_put(a))
    return batches


def augmented():
    a = np.ones(3, np.int32)
    x = jax.device_put(a, jax.devices()[0])
    a += 1  # JAX212 buffer_shared: `x` shares the memory of `a`
    return x


def written_through_a_view():
    a = np.arange(6, dtype=np.float32).reshape(2, 3)
    x = jax.device_put({"a": a})
    row = a[1]
    row.fill(9.0)  # JAX212 buffer_shared: `x` shares the memory of `a`
    return x


def by_dlpack():
    a = np.full(4, 2.0, np.float32)
    x = jnp.from_dlpack(a)
    np.multiply(a, 3.0, out=a)  # JAX212 buffer_shared: `x` shares the memory of `a`
    return x


def module_buffer():
    x = jax.device_put(BUFFER)
    np.copyto(BUFFER, 5.0)  # JAX212 buffer_shared: `x` shares the memory of `BUFFER`
    return x


def may_alias():
    a = np.linspace(3.0, 1.0, 3, dtype=np.float32)
    x = jax.device_put(a, may_alias=True)
    a.sort()  # JAX212 buffer_shared: `x` shares the memory of `a`
    return x


class Ring:
    def __init__(self):
        self.rows = np.zeros((2, 3), np.float32)
        self.sent = []

    def push(self, value):
        self.rows[:-1] = self.rows[1:]  # JAX212 buffer_shared: what was sent shares the memory
        self.rows[-1] = value  # JAX212 buffer_shared: what was sent shares the memory
        self.sent.append(jax.device_put(self.rows))


def ring_buffer():
    ring = Ring()
    for value in (1.0, 2.0, 3.0):
        ring.push(value)
    return ring.sent


def _fill(buffer, value):
    buffer[...] = value  # JAX212 buffer_shared: the caller has given it to JAX


def through_a_helper():
    a = np.zeros_like(BUFFER)
    x = jax.device_put(a)
    _fill(a, 4.0)
    return x


def between_steps():
    step = jax.jit(lambda x: x * 2)
    a = np.ones(3, np.float32)
    x = jax.device_put(a)
    y = step(x)
    a[1] = 0.0  # JAX212 buffer_shared: `x` shares the memory of `a`
    return y + step(x)


def from_a_callback():
    a = np.eye(2, dtype=np.float32)
    place = jax.sharding.SingleDeviceSharding(jax.devices()[0])
    x = jax.make_array_from_callback((2, 2), place, lambda index: a[index])
    a[0, 0] = -1.0  # JAX212 buffer_shared: `x` shares the memory of `a`
    return x
