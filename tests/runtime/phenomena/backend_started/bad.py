"""Modules that compute when they are imported."""

import dataclasses
import functools
from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

TABLE = jnp.arange(3)  # JAX901 backend_started: computed at import


def module_table():
    return TABLE.shape


KEY = jax.random.PRNGKey(0)  # JAX901 backend_started: computed at import


def module_key():
    return KEY.shape


ON_GPU = jax.default_backend() == "gpu"  # JAX901 backend_started: asks for the backend at import


def module_platform():
    return ON_GPU


DEVICES = [str(device) for device in jax.devices()]  # JAX901 backend_started: asks for devices at import


def module_devices():
    return len(DEVICES)


MASK = np.tri(3) * jnp.float32(2.0)  # JAX901 backend_started: computed at import


def module_mixed():
    return MASK.shape


class Scaler:
    """Scales."""

    scale = jnp.ones(2)  # JAX901 backend_started: a class attribute is computed at import

    def apply(self, x):
        return x * self.scale


def module_class_attribute():
    return Scaler.__name__


def _shifted(x, shift=jnp.zeros(2)):  # JAX901 backend_started: a default is computed at import
    return x + shift


def module_default():
    return _shifted.__name__


def _window(size):
    x = np.arange(size)
    return jnp.asarray(x) / size


WINDOW = _window(4)  # JAX901 backend_started: computed at import by `_window`


def module_helper():
    return WINDOW.shape


@jax.jit
def _squared(x):
    return x**2


NINE = _squared(3.0)  # JAX901 backend_started: compiled at import


def module_jitted():
    return NINE.shape


@dataclasses.dataclass
class Settings:
    rate: float = 0.1
    weights: jax.Array = dataclasses.field(default_factory=lambda: jnp.ones(2))


SETTINGS = Settings(rate=0.5)  # JAX901 backend_started: an instance is made at import


def module_instance():
    return SETTINGS.rate


LAYER = functools.partial(
    eqx.nn.Linear,
    2,
    2,
    key=jax.random.key(0),  # JAX901 backend_started: a key is made at import
)


def module_layer():
    return LAYER.func.__name__


def _registered(function, registry={}):
    registry[function.__name__] = jnp.asarray(len(registry))
    return function


@_registered  # JAX901 backend_started: the decorator computes at import
def _listed(x):
    return x


def module_decorator():
    return _listed.__name__


_add = functools.partial(jnp.add, jnp.asarray(1.0))  # JAX901 backend_started: computed at import


def module_partial():
    return _add.keywords


@dataclasses.dataclass
class Grid:
    size: int = 3

    def __post_init__(self):
        self.points = jnp.arange(self.size)


GRID = Grid()  # JAX901 backend_started: an object is made at import, by its `__post_init__`


def module_after_init():
    return GRID


class Sample(NamedTuple):
    weights: jax.Array = jnp.ones(2)  # JAX901 backend_started: the default of a named tuple


def module_named_tuple():
    return Sample.__name__


@dataclasses.dataclass
class Bounds:
    low: float = 0.0
    high: tuple = dataclasses.field(default=(jnp.ones(2),))  # JAX901 backend_started: a default that all objects share


def module_field_default():
    return Bounds.__name__


@functools.lru_cache
def _cached():
    return jnp.arange(3)


CACHED = _cached()  # JAX901 backend_started: a function under a cache is called


def module_cached():
    return CACHED


LIST = list(map(jnp.asarray, [1, 2]))  # JAX901 backend_started: called by another function


def module_mapped():
    return LIST


ZEROS = functools.partial(jnp.zeros, 3)()  # JAX901 backend_started: a partial is called


def module_partial_called():
    return ZEROS


def _scaled(scale):
    return lambda function: function


@_scaled(jnp.float32(2.0))  # JAX901 backend_started: the argument of a decorator
def _plain(x):
    return x


def module_decorator_argument():
    return _plain.__name__


_shifted_by = lambda x, shift=jnp.ones(2): x + shift  # noqa: E731  # JAX901 backend_started: the default of a lambda


def module_lambda():
    return _shifted_by.__name__


def _made():
    def inner(x, shift=jnp.ones(2)):
        return x + shift

    return inner


INNER = _made()  # JAX901 backend_started: the default of a function that is made there


def module_inner_default():
    return INNER.__name__


FIRST, SECOND = (jnp.full(3, size) for size in range(2))  # JAX901 backend_started: a generator is unpacked


def module_unpacked():
    return FIRST.shape
