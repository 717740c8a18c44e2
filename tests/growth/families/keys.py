"""Random keys: split, used again, kept in containers and fields, handed to functions, threaded through loops."""

from __future__ import annotations

from tests.growth.family import each, family, text

IMPORTS = """
    import jax
    import jax.numpy as jnp
    from jax import random
"""


def _function(size: int, line: str, first: str = "", last: str = "return x", above: str = "") -> str:
    """A function with a key; in `line`, `{I}` stands for the number of a part and `{P}` for that of the part before."""
    def numbered(i: int) -> str:
        return line.replace("{I}", str(i + 1)).replace("{P}", str(i))

    start = "def sample(key, x, flag):" + ("\n    " + first if first else "")
    return text(IMPORTS, above, start, each(size, numbered, 1), "    " + last.replace("{I}", str(size)))


@family(30, 250)
def split_chain(size: int) -> str:
    return _function(size, "key, sub = random.split(key)\nx = x + random.normal(sub)")


@family(30, 250)
def split_chain_of_names(size: int) -> str:
    return _function(size, "key{I}, sub{I} = random.split(key{P})\nx = x + random.normal(sub{I})", "key0 = key")


@family(30, 250)
def key_used_often(size: int) -> str:
    return _function(size, "x = x + random.normal(key)")


@family(30, 250)
def key_used_often_in_expression_statements(size: int) -> str:
    return _function(size, "random.normal(key)")


@family(30, 250)
def key_split_often(size: int) -> str:
    return _function(size, "a{I}, b{I} = random.split(key)\nx = x + random.normal(a{I})")


@family(30, 250)
def draws_read_later(size: int) -> str:
    return text(
        IMPORTS, "def sample(key, x):", each(size, lambda i: f"d{i} = random.normal(key)", 1),
        each(size, lambda i: f"x = x + d{i}", 1), "    return x",
    )  # fmt: skip


@family(30, 250)
def draws_read_later_in_reverse(size: int) -> str:
    return text(
        IMPORTS, "def sample(key, x):", each(size, lambda i: f"d{i} = random.normal(key)", 1),
        each(size, lambda i: f"x = x + d{size - 1 - i}", 1), "    return x",
    )  # fmt: skip


@family(30, 250)
def one_draw_read_often(size: int) -> str:
    return _function(size, "y{I} = d * {I}", "d = random.normal(key)\n    e = random.normal(key)", "return d + e")


@family(30, 250)
def draws_that_nobody_reads(size: int) -> str:
    return _function(size, "d{I} = random.normal(key)")


@family(30, 250)
def draws_in_a_chain(size: int) -> str:
    return _function(size, "d{I} = d{P} + random.normal(key)", "d0 = x", "return d{I}")


@family(30, 250)
def items_of_split(size: int) -> str:
    return _function(size, "x = x + random.normal(keys[{P}])", f"keys = random.split(key, {size + 1})")


@family(30, 250)
def names_of_split(size: int) -> str:
    names = "".join(f"k{i}, " for i in range(size)) + "rest"
    return _function(size, "x = x + random.normal(k{P})", f"{names} = random.split(key, {size + 1})")


@family(30, 250)
def keys_in_a_dict(size: int) -> str:
    return _function(size, "key, d['k{I}'] = random.split(key)\nx = x + random.normal(d['k{I}'])", "d = {}")


@family(30, 250)
def keys_in_a_list(size: int) -> str:
    return _function(size, "key, sub = random.split(key)\nkeys.append(sub)", "keys = []", "return keys")


@family(30, 250)
def fold_in_chain(size: int) -> str:
    return _function(size, "x = x + random.normal(random.fold_in(key, {I}))")


@family(30, 250)
def fold_in_alike(size: int) -> str:
    return _function(size, "x = x + random.normal(random.fold_in(key, 7))")


@family(30, 250)
def seeds_alike(size: int) -> str:
    return _function(size, "x = x + random.normal(random.PRNGKey(0))")


@family(30, 250)
def seeds_of_functions(size: int) -> str:
    return text(
        IMPORTS, each(size, lambda i: f"def sample_{i}(x):\n    return x + random.normal(random.PRNGKey(0))\n"),
        "def main(x):", each(size, lambda i: f"x = sample_{i}(x)", 1), "    return x",
    )  # fmt: skip


@family(30, 250)
def keys_handed_to_callees(size: int) -> str:
    return text(
        IMPORTS, each(size, lambda i: f"def helper_{i}(key, x):\n    return x * {i} + random.normal(key)\n"),
        "def main(key, x):", each(size, lambda i: f"x = helper_{i}(key, x)", 1), "    return x",
    )  # fmt: skip


@family(30, 250)
def keys_handed_to_one_callee(size: int) -> str:
    return _function(size, "x = helper(key, x)", above="def helper(key, x):\n    return x + random.normal(key)")


@family(30, 250)
def keys_handed_down_a_chain(size: int) -> str:
    return text(
        IMPORTS, "def helper_0(key, x):\n    return x + random.normal(key)",
        each(size, lambda i: f"def helper_{i + 1}(key, x):\n    key, sub = random.split(key)\n"
             f"    return helper_{i}(sub, x) + random.normal(key)\n"),
        f"helper_{size}(random.key(0), 1.0)",
    )  # fmt: skip


@family(20, 150)
def key_in_methods(size: int) -> str:
    return text(
        IMPORTS, "class Model:\n    def __init__(self, key):\n        self.key = key",
        each(size, lambda i: f"""
            def draw_{i}(self, x):
                self.key, sub = random.split(self.key)
                return x + random.normal(sub)
        """, 1),
        "    def all(self, x):\n        pass", each(size, lambda i: f"x = self.draw_{i}(x)", 2), "        return x",
    )  # fmt: skip


@family(20, 150)
def key_reused_in_methods(size: int) -> str:
    return text(
        IMPORTS, "class Model:\n    def __init__(self, key):\n        self.key = key",
        each(size, lambda i: f"def draw_{i}(self, x):\n    return x + random.normal(self.key)\n", 1),
        "    def all(self, x):\n        pass", each(size, lambda i: f"x = self.draw_{i}(x)", 2), "        return x",
    )  # fmt: skip


@family(20, 150)
def key_through_loops(size: int) -> str:
    return _function(size, "for i in range(3):\n    key, sub = random.split(key)\n    x = x + random.normal(sub)")


@family(20, 150)
def key_constant_in_loops(size: int) -> str:
    return _function(size, "for i in range(3):\n    x = x + random.normal(key)")


@family(20, 150)
def key_in_one_long_loop(size: int) -> str:
    return text(
        IMPORTS, "def sample(key, x):\n    for i in range(3):\n        pass",
        each(size, lambda i: "key, sub = random.split(key)\nx = x + random.normal(sub)", 2), "    return x",
    )  # fmt: skip


@family(20, 150)
def key_used_in_one_long_loop(size: int) -> str:
    return text(
        IMPORTS, "def sample(key, x):\n    for i in range(3):\n        pass",
        each(size, lambda i: f"x = x + random.normal(key) * {i}", 2), "    return x",
    )  # fmt: skip


@family(20, 150)
def key_in_scans(size: int) -> str:
    return _function(size, """
def body_{I}(carry, _):
    key, x = carry
    key, sub = random.split(key)
    return (key, x + random.normal(sub)), None
(key, x), _ = jax.lax.scan(body_{I}, (key, x), None, length=3)
""".strip())


@family(20, 150)
def key_on_flags(size: int) -> str:
    names = "".join(f", f{i}" for i in range(size))
    return text(
        IMPORTS, f"def sample(key, x{names}):\n    pass",
        each(size, lambda i: f"if f{i}:\n    x = x + random.normal(key)", 1), "    return x",
    )  # fmt: skip


@family(20, 150)
def key_on_arms(size: int) -> str:
    return text(
        IMPORTS, "def sample(key, x, mode):\n    if mode == -1:\n        pass",
        each(size, lambda i: f"elif mode == {i}:\n    x = x + random.normal(key) * {i}", 1), "    return x",
    )  # fmt: skip


@family(20, 150)
def key_on_early_returns(size: int) -> str:
    return _function(size, "if flag == {I}:\n    return random.normal(key)", last="return random.normal(key)")


@family(20, 150)
def key_on_one_flag(size: int) -> str:
    return _function(size, "if flag:\n    x = x + random.normal(key)\nelse:\n    x = x - random.normal(key)")


@family(20, 150)
def key_aliases(size: int) -> str:
    return _function(size, "k{I} = k{P}\nx = x + random.normal(k{I})", "k0 = key")


@family(20, 150)
def key_in_comprehensions(size: int) -> str:
    return _function(size, "x = x + sum([random.normal(k) for k in random.split(key, 3)])")


@family(20, 150)
def key_in_states(size: int) -> str:
    return _function(
        size, "state = state._replace(key=random.split(state.key)[0], x=random.normal(state.key))",
        "state = State(key, x)", "return state",
        "from typing import NamedTuple\nclass State(NamedTuple):\n    key: jax.Array\n    x: jax.Array",
    )  # fmt: skip


@family(20, 150)
def key_in_tuples(size: int) -> str:
    return _function(size, "state = (random.split(state[0])[0], random.normal(state[0]))", "state = (key, x)")


@family(20, 150)
def key_under_vmap(size: int) -> str:
    return _function(size, "x = x + jax.vmap(lambda k: random.normal(k))(random.split(key, 3))")


@family(20, 150)
def keys_of_streams(size: int) -> str:
    return text(
        IMPORTS, "from flax import nnx", "class Model(nnx.Module):\n    def __init__(self, rngs: nnx.Rngs):\n        pass",
        each(size, lambda i: f"self.layer_{i} = nnx.Linear(3, 3, rngs=rngs)\nself.w{i} = random.normal(rngs.params())", 2),
    )  # fmt: skip
