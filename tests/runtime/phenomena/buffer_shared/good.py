"""The same programs with buffers of their own, and writes that no JAX array sees."""

import jax
import jax.numpy as jnp
import numpy as np

BUFFER = np.zeros(4, np.float32)


def element_written():
    a = np.zeros(3, np.float32)
    x = jax.device_put(a)
    a = a + 7.0
    return x


def refilled_in_a_loop():
    a = np.empty(3, np.float32)
    batches = []
    for i in range(3):
        a = np.full(3, i, np.float32)
        batches.append(jax.device_put(a))
    return batches


def augmented():
    a = np.ones(3, np.int32)
    x = jax.device_put(a, jax.devices()[0])
    a = a + 1
    return x


def written_through_a_view():
    a = np.arange(6, dtype=np.float32).reshape(2, 3)
    x = jax.device_put({"a": a})
    row = a[1]
    row = row + 9.0
    return x


def by_dlpack():
    a = np.full(4, 2.0, np.float32)
    x = jnp.from_dlpack(a)
    a = np.multiply(a, 3.0)
    return x


def module_buffer():
    x = jax.device_put(BUFFER)
    np.copyto(BUFFER.copy(), 5.0)
    return x


def may_alias():
    a = np.linspace(3.0, 1.0, 3, dtype=np.float32)
    x = jax.device_put(a, may_alias=True)
    a = np.sort(a)
    return x


class Ring:
    def __init__(self):
        self.rows = np.zeros((2, 3), np.float32)
        self.sent = []

    def push(self, value):
        self.rows = np.roll(self.rows, -1, 0)
        self.rows[-1] = value
        self.sent.append(jax.device_put(self.rows))


def ring_buffer():
    ring = Ring()
    for value in (1.0, 2.0, 3.0):
        ring.push(value)
    return ring.sent


def _fill(buffer, value):
    buffer = buffer * value


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
    a = np.zeros(3, np.float32)
    return y + step(x)


def from_a_callback():
    a = np.eye(2, dtype=np.float32)
    place = jax.sharding.SingleDeviceSharding(jax.devices()[0])
    x = jax.make_array_from_callback((2, 2), place, lambda index: a[index])
    a = -a
    return x


# Innocents.


def copied_first():
    a = np.zeros(3, np.float32)
    x = jax.device_put(a.copy())
    a[0] = 7.0
    return x


def made_by_jnp_array():
    a = np.zeros(3, np.float32)
    x = jnp.array(a).block_until_ready()
    a[0] = 7.0
    return x


def written_before():
    a = np.zeros(3, np.float32)
    a[0] = 7.0
    a += 1
    return jax.device_put(a)


def copy_of_a_result():
    x = jnp.zeros(3)
    host = np.array(x)
    host[0] = 1.0
    return x, host


def donated():
    step = jax.jit(lambda x: x + 1, donate_argnums=0)
    x = jnp.zeros(3)
    for _ in range(3):
        x = step(x)
    return x


def rebound_arrays():
    x = jnp.zeros(3)
    for i in range(3):
        x = x.at[i].set(1.0)
    key = jax.random.key(0)
    key, other = jax.random.split(key)
    return x, jax.random.normal(other)


def other_buffer():
    a, b = np.zeros(3, np.float32), np.zeros(3, np.float32)
    x = jax.device_put(a)
    b[:] = 1.0
    return x, b


def numbers_of_another_type():
    a = np.zeros(3, np.float64)
    x = jax.device_put(a.astype(np.float32))
    a[0] = 7.0
    return x


def traced_buffer():
    @jax.jit
    def step(x):
        a = np.zeros(3, np.float32)
        a[1] = 2.0
        return x + a

    return step(jnp.ones(3))
