"""How many devices there are, and how many are wanted."""

import os

import jax


def prepare(count):
    os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={count}"


def limit(count):
    jax.config.update("jax_num_cpu_devices", count)


def available():
    return jax.local_device_count()
