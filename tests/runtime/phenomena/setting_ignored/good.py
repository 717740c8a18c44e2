"""Settings that are heard."""

import os

import jax
import jax.numpy as jnp
from jax import config

THREE = "--xla_force_host_platform_device_count=3"


def module_devices():
    x = jnp.zeros(3)
    os.environ["MY_FLAGS"] = THREE
    return x


def module_devices_by_default():
    key = jax.random.PRNGKey(0)
    os.environ.pop("XLA_FLAGS", None)
    os.environ.setdefault("MY_FLAGS", THREE)
    return key


def module_devices_among_others():
    count = jax.device_count()
    os.environ.update({"HOME_OF_DATA": "data"})
    return count


def module_platform():
    x = jnp.zeros(3)
    jax.config.update("jax_log_compiles", False)
    return x


def module_platform_of_config():
    devices = jax.devices()
    config.update("jax_debug_nans", True)
    return devices


def module_platform_in_environment():
    jax.config.update("jax_platforms", "cpu")
    return jax.devices()


def module_x64_in_environment():
    jax.config.update("jax_enable_x64", True)
    return jnp.ones(3)


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


class Run:
    def __init__(self):
        self.key = jax.random.key(0)

    def start(self):
        jax.config.update("jax_enable_x64", True)
        return self.key


def module_width():
    x = jnp.ones(3)
    jax.config.update("jax_debug_infs", True)
    return x


def module_kind_of_keys():
    key = jax.random.key(0)
    jax.config.update("jax_debug_infs", True)
    return key


def module_method():
    return Run().start()


def module_first():
    os.environ["XLA_FLAGS"] = THREE
    return jnp.zeros(3)


def module_first_of_two():
    os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=2"
    os.environ["XLA_FLAGS"] = THREE
    return jax.device_count()


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
