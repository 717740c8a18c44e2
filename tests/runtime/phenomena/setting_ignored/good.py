"""Settings that are heard."""

import os

import jax
import jax.numpy as jnp
from jax import config

THREE = "--xla_force_host_platform_device_count=3"


def module_devices_by_default():
    key = jax.random.PRNGKey(0)
    os.environ.pop("XLA_FLAGS", None)
    os.environ.setdefault("MY_FLAGS", THREE)
    return key


def module_platform_of_config():
    devices = jax.devices()
    config.update("jax_debug_nans", True)
    return devices


def module_platform_in_environment():
    jax.config.update("jax_platforms", "cpu")
    return jax.devices()


def module_keys_in_environment():
    jax.config.update("jax_default_prng_impl", "rbg")
    return jax.random.key(0)


def module_nans_in_environment():
    jax.config.update("jax_debug_nans", True)
    return jnp.zeros(3) * 2


def _configure(**options):
    for name, value in options.items():
        os.environ["MY_" + name] = value


def module_helper():
    x = jax.jit(lambda x: x + 1)(1.0)
    _configure(XLA_FLAGS=THREE)
    return x


def module_first_by_helper():
    _configure(JAX_SOMETHING="1")
    jax.config.update("jax_platforms", "cpu")
    return jnp.zeros(3)


def module_switched_and_back():
    jax.config.update("jax_enable_x64", True)
    x = jnp.ones(3)
    jax.config.update("jax_enable_x64", False)
    return x


def module_late_and_heard():
    x = jnp.ones(3, "float32")
    jax.config.update("jax_enable_x64", True)
    jax.config.update("jax_default_matmul_precision", "highest")
    jax.config.update("jax_default_prng_impl", "rbg")
    return x, jnp.ones(3)


def module_not_said():
    return jnp.ones(3), os.environ.get("XLA_FLAGS")
