"""Texts that show a tracer in place of a value; the twin of each function stands in `good.py`."""

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
    jax.debug.print(f"x = {x}")  # JAX307 text_frozen: the f-string is made while tracing
    return x


def f_string():
    return _f_string(1.0)


def percent_in_scan():
    def body(carry, x):
        debug.print("carry %s" % carry)  # JAX307 text_frozen: `%` formats while tracing
        return carry + x, None

    return lax.scan(body, 0.0, jnp.ones(3))


@partial(jax.jit, static_argnames="name")
def _formatted(x, name):
    y = jnp.sum(x)
    show("{}: {}".format(name, y))  # JAX307 text_frozen: `format` runs while tracing
    return y


def formatted():
    return _formatted(jnp.ones(2), name="sum")


def made_before():
    @jax.jit
    def step(x):
        text = "loss: " + str(x)
        jax.debug.print(text)  # JAX307 text_frozen: the text holds a tracer
        return x

    return step(1.0)


class Layer(eqx.Module):
    weight: jax.Array

    def __call__(self, x):
        jax.debug.print(f"{self.weight!r} {{}}", x)  # JAX307 text_frozen: the weight is a tracer
        return self.weight * x


def equinox_layer():
    return eqx.filter_jit(lambda layer, x: layer(x))(Layer(jnp.ones(2)), jnp.ones(2))


def in_a_helper():
    def tell(values):
        jax.debug.print(f"values {values}")  # JAX307 text_frozen: the f-string is made while tracing

    return jax.jit(lambda x: tell({"x": x}) or x)(1.0)


@jax.jit
def _printed(x):
    print("x", x)  # JAX307 text_frozen: `print` shows a tracer
    return x


def printed():
    return _printed(1.0)


def logged_in_cond():
    def positive(x):
        logger.info("x %s", x)  # JAX307 text_frozen: the log shows a tracer
        return x

    return lax.cond(jnp.array(True), positive, lambda x: -x, 1.0)


def warned_in_grad():
    def loss(w):
        warnings.warn(f"large {w}")  # JAX307 text_frozen: the warning shows a tracer
        return w**2

    return jax.grad(loss)(2.0)


def to_a_stream():
    def one(x):
        print("lane", x, file=sys.stderr)  # JAX307 text_frozen: `print` shows a tracer
        return x

    return jax.vmap(one)(jnp.ones(3))


@jax.jit
def _called_back(x):
    jax.debug.callback(functools.partial(print, f"x = {x}"))  # JAX307 text_frozen: the text is made while tracing
    return x


def called_back():
    return _called_back(1.0)
