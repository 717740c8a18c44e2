"""Settings that come too late: more than the pair of JAX902 has, with the names of what is ignored."""

import os

import jax
import jax.numpy as jnp
from jax import config

THREE = "--xla_force_host_platform_device_count=3"


def module_devices_by_default():
    key = jax.random.PRNGKey(0)
    os.environ.pop("XLA_FLAGS", None)
    os.environ.setdefault("XLA_FLAGS", THREE)  # JAX902 setting_ignored:xla_flags: the devices are there already
    return key


def module_platform_of_config():
    devices = jax.devices()
    config.update("jax_platforms", "no_such")  # JAX902 setting_ignored:jax_platforms: the backend has started
    return devices


def module_platform_in_environment():
    os.environ["JAX_PLATFORMS"] = "no_such"  # JAX902 setting_ignored:JAX_PLATFORMS: read when JAX is imported
    return jax.devices()


def module_keys_in_environment():
    os.environ["JAX_DEFAULT_PRNG_IMPL"] = "rbg"  # JAX902 setting_ignored: read when JAX is imported
    return jax.random.key(0)


def module_nans_in_environment():
    os.environ["JAX_DEBUG_NANS"] = "True"  # JAX902 setting_ignored: read when JAX is imported
    return jnp.zeros(3) * 2


def _configure(**options):
    for name, value in options.items():
        os.environ[name] = value  # JAX902 setting_ignored: set after the first use


def module_helper():
    x = jax.jit(lambda x: x + 1)(1.0)
    _configure(XLA_FLAGS=THREE)
    return x
