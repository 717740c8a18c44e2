"""Modules that compute when they are imported."""

import dataclasses
import functools

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
