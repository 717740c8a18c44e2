"""Modules that define, and compute later."""

import dataclasses
import functools
from typing import TYPE_CHECKING, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

TABLE = np.arange(3)


def module_table():
    return TABLE.shape


KEY = np.zeros(2, "uint32")


def module_key():
    return KEY.shape


ON_GPU = functools.cache(lambda: jax.default_backend() == "gpu")


def module_platform():
    return ON_GPU


DEVICES = ["cpu:0"]


def module_devices():
    return len(DEVICES)


MASK = np.tri(3) * np.float32(2.0)


def module_mixed():
    return MASK.shape


class Scaler:
    """Scales."""

    scale = (1.0, 1.0)

    def apply(self, x):
        return x * self.scale


def module_class_attribute():
    return Scaler.__name__


def _shifted(x, shift=0.0):
    return x + shift


def module_default():
    return _shifted.__name__


def _window(size):
    x = np.arange(size)
    return jnp.asarray(x) / size


WINDOW = np.arange(4) / 4


def module_helper():
    return WINDOW.shape


@jax.jit
def _squared(x):
    return x**2


NINE = np.square(3.0)


def module_jitted():
    return NINE.shape


@dataclasses.dataclass
class Settings:
    rate: float = 0.1
    weights: jax.Array = dataclasses.field(default_factory=lambda: jnp.ones(2))


SETTINGS = Settings(rate=0.5, weights=(1.0, 1.0))


def module_instance():
    return SETTINGS.rate


LAYER = functools.partial(
    eqx.nn.Linear,
    2,
    2,
    key=None,
)


def module_layer():
    return LAYER.func.__name__


def _registered(function, registry={}):
    registry[function.__name__] = jnp.asarray(len(registry))
    return function


@functools.lru_cache
def _listed(x):
    return x


def module_decorator():
    return _listed.__name__


_add = functools.partial(jnp.add, 1.0)


def module_partial():
    return _add.keywords


KIND = jnp.float32
STEP = jax.jit(lambda x: x + 1)
GRADIENT = jax.grad(jnp.sin)
SHAPE = jax.ShapeDtypeStruct((3,), jnp.float32)
SPEC = jax.sharding.PartitionSpec("data")


def module_names():
    return KIND, STEP, GRADIENT, SHAPE, SPEC


def _table():
    return jnp.arange(3)


class Model(eqx.Module):
    weight: jax.Array

    def __call__(self, x):
        return self.weight * x + _table()


def module_definitions():
    return Model.__name__, _table.__name__


@dataclasses.dataclass
class Grid:
    size: int = 3

    def __post_init__(self):
        self.points = jnp.arange(self.size)


GRID = Grid


def module_after_init():
    return GRID


class Sample(NamedTuple):
    weights: tuple = (1.0, 1.0)


def module_named_tuple():
    return Sample.__name__


@dataclasses.dataclass
class Bounds:
    low: float = 0.0
    high: jax.Array = dataclasses.field(default_factory=lambda: jnp.ones(2))
    middle: jax.Array = dataclasses.field(default_factory=functools.partial(jnp.ones, 2))


def module_field_default():
    return Bounds.__name__


@functools.lru_cache
def _cached():
    return jnp.arange(3)


CACHED = _cached


def module_cached():
    return CACHED


LIST = map(jnp.asarray, [1, 2])
EACH = (jnp.full(3, size) for size in range(2))


def module_mapped():
    return LIST


def module_generator():
    return EACH


ZEROS = functools.partial(jnp.zeros, 3)


def module_partial_called():
    return ZEROS


def _scaled(scale):
    return lambda function: function


@_scaled(np.float32(2.0))
def _plain(x):
    return x


def module_decorator_argument():
    return _plain.__name__


_shifted_by = lambda x, shift=(1.0, 1.0): x + jnp.asarray(shift)  # noqa: E731


def module_lambda():
    return _shifted_by.__name__


def _made():
    def inner(x, shift=jnp.ones(2)):
        return x + shift

    return inner


INNER = _made


def module_inner_default():
    return INNER.__name__


if TYPE_CHECKING:
    TYPE = jnp.zeros(3).dtype


def module_for_type_checkers():
    return Sample.__name__


FIRST, SECOND = (np.full(3, size) for size in range(2))


def module_unpacked():
    return FIRST.shape
