"""Settings that come too late."""

import os

import jax
import jax.numpy as jnp
from jax import config

THREE = "--xla_force_host_platform_device_count=3"


def module_devices():
    x = jnp.zeros(3)
    os.environ["XLA_FLAGS"] = THREE  # JAX902 setting_ignored:XLA_FLAGS: the devices are there already
    return x


def module_devices_by_default():
    key = jax.random.PRNGKey(0)
    os.environ.pop("XLA_FLAGS", None)
    os.environ.setdefault("XLA_FLAGS", THREE)  # JAX902 setting_ignored: the devices are there already
    return key


def module_devices_among_others():
    count = jax.device_count()
    os.environ.update({"HOME_OF_DATA": "data", "XLA_FLAGS": THREE})  # JAX902 setting_ignored:xla_flags: too late
    return count


def module_platform():
    x = jnp.zeros(3)
    jax.config.update("jax_platforms", "no_such")  # JAX902 setting_ignored:jax_platforms: the backend has started
    return x


def module_platform_of_config():
    devices = jax.devices()
    config.update("jax_platforms", "no_such")  # JAX902 setting_ignored: the backend has started
    return devices


def module_platform_in_environment():
    os.environ["JAX_PLATFORMS"] = "no_such"  # JAX902 setting_ignored:JAX_PLATFORMS: read when JAX is imported
    return jax.devices()


def module_x64_in_environment():
    os.environ["JAX_ENABLE_X64"] = "1"  # JAX902 setting_ignored:JAX_ENABLE_X64: read when JAX is imported
    return jnp.ones(3)


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


class Run:
    def __init__(self):
        self.key = jax.random.key(0)

    def start(self):
        jax.config.update("jax_platforms", "no_such")  # JAX902 setting_ignored: the backend has started
        return self.key


def module_width():
    x = jnp.ones(3)
    jax.config.update("jax_enable_x64", True)  # JAX902 setting_ignored:jax_enable_x64: `x` has 32 bits
    return x


def module_kind_of_keys():
    key = jax.random.key(0)
    jax.config.update("jax_default_prng_impl", "rbg")  # JAX902 setting_ignored: `key` is of another kind
    return key


def module_method():
    return Run().start()
