"""The grammar of programs with effects in traced code, and of the places where they stand.

A program has sites.  A site is one form (`forms.py`) in a block, in a function that an entry runs; the function may be
the entry's, a helper some calls below, a method or a closure.  Each site has names of its own, by its number `{n}`.
The grammar grows only: what it leaves out stands in `LEFT_OUT`.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class EffectForm:
    """A form of an effect or of a read: lines in the function, about the traced value `{x}` and its sum `acc`.

    `head` stands before the function, `around` in a function that makes it, `between` before the second call; `after`
    is what the outside sees at the end, `peek` what the function around does.  In all of them a line that begins with
    `!` is one where a finding is right.  `is_meant`: it happens once per trace, and nobody minds.
    """

    code: str
    inside: str
    head: str = ""
    between: str = ""
    after: str = ""
    around: str = ""
    peek: str = "None"
    is_meant: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """How the function `{f}` of `x` is run: definitions, and the call of an array `{x}`.

    `is_host`: the function runs on the host, or is at least run anew by every call.
    """

    call: str
    head: str = ""
    decorator: str = ""
    is_host: bool = False


ENTRIES: dict[str, Entry] = {
    "jit": Entry("{f}({x})", decorator="@jax.jit"),
    "jit by a call": Entry("fast_{n}({x})", "fast_{n} = jax.jit({f})"),
    "jit with a static flag": Entry(
        "staged_{n}({x}, flag=True)",
        '@partial(jax.jit, static_argnames=("flag",))\ndef staged_{n}(x, flag=False):\n'
        "    return {f}(x) if flag else x",
    ),
    "jitted caller": Entry("outer_{n}({x})", "@jax.jit\ndef outer_{n}(x):\n    return {f}(x * 2.0) + 1.0"),
    "jitted method": Entry(
        "TRAINER_{n}.step({x})",
        "class Trainer_{n}:\n    @partial(jax.jit, static_argnums=0)\n    def step(self, x):\n"
        "        return {f}(x)\n\n\n"
        "TRAINER_{n} = Trainer_{n}()",
    ),
    "jit of a bound method": Entry(
        "update_{n}({x})",
        "class Model_{n}:\n    def update(self, x):\n        return {f}(x) * 0.5\n\n\n"
        "update_{n} = jax.jit(Model_{n}().update)",
    ),
    "jit of vmap": Entry("mapped_{n}(jnp.stack([{x}, {x}]))", "mapped_{n} = jax.jit(jax.vmap({f}))"),
    "jit of a gradient": Entry("slope_{n}({x})", "slope_{n} = jax.jit(jax.value_and_grad({f}))"),
    "jitted loss with auxiliary data": Entry(
        "train_{n}({x})",
        "def loss_{n}(x):\n    return {f}(x), x\n\n\n@jax.jit\ndef train_{n}(x):\n"
        "    (value, extra), slope = jax.value_and_grad(loss_{n}, has_aux=True)(x)\n    return value, slope",
    ),
    "scan": Entry(
        "scanned_{n}({x})",
        "def turn_{n}(carry, row):\n    return carry + {f}(row), carry\n\n\n"
        "def scanned_{n}(x):\n    return jax.lax.scan(turn_{n}, jnp.float32(0.0), jnp.stack([x, x]))[0]",
    ),
    "while": Entry(
        "repeated_{n}({x})",
        "def again_{n}(state):\n    return state[0] < 2\n\n\n"
        "def turned_{n}(state):\n    return state[0] + 1, state[1] + 0.1 * {f}(state[1])\n\n\n"
        "def repeated_{n}(x):\n    return jax.lax.while_loop(again_{n}, turned_{n}, (0, x))",
    ),
    "fori": Entry(
        "counted_{n}({x})",
        "@jax.jit\ndef counted_{n}(x):\n    return jax.lax.fori_loop(0, 2, lambda i, y: y + 0.1 * {f}(y), x)",
    ),
    "cond": Entry(
        "chosen_{n}({x})",
        "@jax.jit\ndef chosen_{n}(x):\n    return jax.lax.cond(x[0] > 0.0, {f}, lambda y: jnp.sum(y), x)",
    ),
    "eager": Entry("{f}({x})", is_host=True),
    "vmap": Entry("jax.vmap({f})(jnp.stack([{x}, {x}]))", is_host=True),
    "gradient": Entry("jax.grad({f})({x})", is_host=True),
    "beside a jitted function": Entry("{f}(_doubled({x}))", is_host=True),
    "callback": Entry(
        "called_{n}({x})",
        "@jax.jit\ndef called_{n}(x):\n    jax.debug.callback({f}, x)\n    return x * 2.0",
        is_host=True,
    ),
}  # fmt: skip

BLOCKS = {
    "body": "",
    "with": 'with jax.named_scope("site"):',
    "if": "if {x}.ndim > 0:",
    "else": "if {x}.ndim > 1:\n    acc = acc + 1.0\nelse:",
    "loop": "for again in range(1):",
    "try": "try:",
}
"""What a site may stand in; `try` has a `finally` that does nothing."""

PLACES = ("entry", "helper", "helper of a helper", "method", "closure", "of a maker")
"""Where the function of the site stands, as seen from what the entry runs."""

LEFT_OUT = {
    "clocks of datetime, uuid and secrets": "they cannot be put back for a second run",
    "devices and shardings": "the pairs run on eight devices",
    "flax, nnx and equinox": "the pairs have them: the referee would need them in every environment",
    "threads and signals": "no order of their effects is certain",
    "effects on paths that shapes close": "whether a test of a shape holds is not known of a parameter",
    "other files": "moved there by the variants of the pairs",
}
"""What the grammar does not derive, and why."""
