"""The same programs showing values, and texts that hold no tracer."""

import functools
import logging
import sys
import warnings
from functools import partial

import equinox as eqx
import jax
import jax.numpy as jnp
from jax import debug, lax
from jax.debug import print as show

logger = logging.getLogger("frozen")
logger.setLevel(logging.DEBUG)


@jax.jit
def _f_string(x):
    jax.debug.print("x = {x}", x=x)
    return x


def f_string():
    return _f_string(1.0)


def percent_in_scan():
    def body(carry, x):
        debug.print("carry {}", carry)
        return carry + x, None

    return lax.scan(body, 0.0, jnp.ones(3))


@partial(jax.jit, static_argnames="name")
def _formatted(x, name):
    y = jnp.sum(x)
    show(f"{name}: {{}}", y)
    return y


def formatted():
    return _formatted(jnp.ones(2), name="sum")


def made_before():
    @jax.jit
    def step(x):
        text = "loss: " + str(x)
        jax.debug.print("loss: {}", x)
        return x

    return step(1.0)


class Layer(eqx.Module):
    weight: jax.Array

    def __call__(self, x):
        jax.debug.print("{} {}", self.weight, x)
        return self.weight * x


def equinox_layer():
    return eqx.filter_jit(lambda layer, x: layer(x))(Layer(jnp.ones(2)), jnp.ones(2))


def in_a_helper():
    def tell(values):
        jax.debug.print("values {}", values)

    return jax.jit(lambda x: tell({"x": x}) or x)(1.0)


@jax.jit
def _printed(x):
    jax.debug.print("x {}", x)
    return x


def printed():
    return _printed(1.0)


def logged_in_cond():
    def positive(x):
        jax.debug.callback(partial(logger.info, "x %s"), x)
        return x

    return lax.cond(jnp.array(True), positive, lambda x: -x, 1.0)


def warned_in_grad():
    def loss(w):
        jax.debug.callback(lambda v: warnings.warn(f"large {v}"), w)
        return w**2

    return jax.grad(loss)(2.0)


def to_a_stream():
    def one(x):
        jax.debug.callback(lambda v: print("lane", v, file=sys.stderr), x)
        return x

    return jax.vmap(one)(jnp.ones(3))


@jax.jit
def _called_back(x):
    jax.debug.callback(functools.partial(print, "x ="), x)
    return x


def called_back():
    return _called_back(1.0)


# Innocents.


@partial(jax.jit, static_argnames=("mode", "n"))
def _static(x, mode, n):
    jax.debug.print(f"{mode} {n} {x.shape} {{}}", x)
    print(f"tracing {mode}")
    return x


def static_text():  # verify: shows trace_once, static text is shown once per trace, as meant
    return _static(1.0, mode="fast", n=3)


def host_text():
    x = jax.jit(lambda x: x + 1)(1.0)
    print(f"x = {x}")
    logger.info("x = %s", x)
    return x


@jax.jit
def _unshown(x):
    name = f"value {x}"
    return x + len(name[:0])


def text_that_nobody_sees():
    return _unshown(1.0)


def nested_braces():
    @jax.jit
    def step(x):
        jax.debug.print("{{}} {}", x)
        return x

    return step(1.0)
