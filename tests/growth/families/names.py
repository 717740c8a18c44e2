"""Values that pass through names, containers and fields, and results of a clock that are followed through them."""

from __future__ import annotations

from tests.growth.family import each, family, text

IMPORTS = """
    import time

    import jax
    import jax.numpy as jnp
"""


@family(10, 80)
def timers(size: int) -> str:
    return text(
        IMPORTS, "TOTALS = {}\n@jax.jit\ndef step(x):",
        each(size, lambda i: f"""
            start = time.perf_counter()
            x = jnp.sin(x) * {i}
            elapsed = time.perf_counter() - start
            total = elapsed + 1.0
            TOTALS[{i}] = total - start
        """, 1),
        "    return x",
    )  # fmt: skip


@family(10, 80)
def timers_with_names_of_their_own(size: int) -> str:
    return text(
        IMPORTS, "TOTALS = {}\n@jax.jit\ndef step(x):",
        each(size, lambda i: f"""
            start_{i} = time.perf_counter()
            x = jnp.sin(x) * {i}
            elapsed_{i} = time.perf_counter() - start_{i}
            total_{i} = elapsed_{i} + 1.0
            TOTALS[{i}] = total_{i} - start_{i}
        """, 1),
        "    return x",
    )  # fmt: skip


@family(10, 80)
def one_clock_read_often(size: int) -> str:
    return text(
        IMPORTS, "TOTALS = {}\n@jax.jit\ndef step(x):\n    start = time.perf_counter()",
        each(size, lambda i: f"part_{i} = time.perf_counter() - start\nx = x * part_{i}", 1), "    return x",
    )  # fmt: skip


@family(10, 80)
def timers_added_up(size: int) -> str:
    return text(
        IMPORTS, "@jax.jit\ndef step(x):\n    total = time.perf_counter()",
        each(size, lambda i: "total = total + time.perf_counter()", 1), "    return x * total",
    )  # fmt: skip


@family(10, 80)
def timers_in_loops(size: int) -> str:
    return text(
        IMPORTS, "@jax.jit\ndef step(x):",
        each(size, lambda i: f"""
            for turn in range(3):
                start = time.time()
                x = x + turn
                print("took", time.time() - start)
        """, 1),
        "    return x",
    )  # fmt: skip


def _function(first: str, size: int, line: str, last: str) -> str:
    """A jitted function; in `line`, `I` stands for the number of a part and `P` for that of the part before it."""
    def numbered(i: int) -> str:
        return line.replace("{I}", str(i + 1)).replace("{P}", str(i))

    return text(
        IMPORTS, f"@jax.jit\ndef step(x, flag):\n    {first}", each(size, numbered, 1),
        "    return " + last.replace("{I}", str(size)), "step(jnp.ones(3), 1.0)",
    )  # fmt: skip


@family(40, 500)
def chain_of_names(size: int) -> str:
    return _function("x0 = x", size, "x{I} = x{P} + 1", "x{I}")


@family(40, 500)
def chain_of_aliases(size: int) -> str:
    return _function("x0 = x", size, "x{I} = x{P}", "x{I}")


@family(40, 500)
def one_name_again_and_again(size: int) -> str:
    return _function("y = x", size, "y = y * {I} + 1", "y")


@family(40, 500)
def one_name_read_often(size: int) -> str:
    return _function("y = x * 2", size, "z{I} = y + {I}", "y")


@family(40, 500)
def augmented(size: int) -> str:
    return _function("y = x", size, "y += {I}", "y")


@family(40, 500)
def chain_of_tuples(size: int) -> str:
    return _function("a0, b0 = x, x", size, "a{I}, b{I} = b{P}, a{P}", "a{I}")


@family(40, 500)
def swaps(size: int) -> str:
    return _function("a, b = x, x + 1", size, "a, b = b, a", "a")


@family(40, 500)
def chain_of_entries(size: int) -> str:
    return _function("d = {'k0': x}", size, "d['k{I}'] = d['k{P}'] + 1", "d['k{I}']")


@family(40, 500)
def chain_of_copied_dicts(size: int) -> str:
    return _function("d0 = {'k0': x}", size, "d{I} = {**d{P}, 'k': d{P}['k0'] + 1}", "d{I}['k']")


@family(40, 500)
def chain_of_tuples_that_nest(size: int) -> str:
    return _function("t0 = (x, x)", size, "t{I} = (t{P}, x)", "t{I}[1]")


@family(40, 500)
def chain_of_tuples_that_grow(size: int) -> str:
    return _function("t = (x,)", size, "t = t + (x,)", "t[0]")


@family(40, 500)
def items_of_a_list(size: int) -> str:
    return _function("rows = []", size, "rows.append(x + {I})", "jnp.stack(rows)")


@family(40, 500)
def chain_of_attributes(size: int) -> str:
    return text(
        IMPORTS, "class Model:\n    @jax.jit\n    def step(self, x):\n        self.x0 = x",
        each(size, lambda i: f"self.x{i + 1} = self.x{i} + 1", 2), f"        return self.x{size}",
    )  # fmt: skip


@family(40, 500)
def chain_of_objects(size: int) -> str:
    return text(
        IMPORTS, "class Node:\n    def __init__(self, value):\n        self.value = value",
        "@jax.jit\ndef step(x):\n    n0 = Node(x)",
        each(size, lambda i: f"n{i + 1} = Node(n{i}.value + 1)", 1), f"    return n{size}.value",
    )  # fmt: skip


@family(40, 500)
def chain_of_walruses(size: int) -> str:
    return _function("x0 = x", size, "print(x{I} := x{P} + 1)", "x{I}")


@family(40, 500)
def deleted_names(size: int) -> str:
    return _function("pass", size, "y{I} = x + {I}\ndel y{I}", "x")


@family(40, 500)
def conversions(size: int) -> str:
    return _function("pass", size, "y{I} = float(x)", "x")


@family(30, 300)
def wide_sum(size: int) -> str:
    return _function("y = (x", size, "    + (x * {I})", "0").replace("    return 0", "    )\n    return y")


@family(30, 300)
def wide_call(size: int) -> str:
    return _function("y = max(", size, "    x * {I},", "0").replace("    return 0", "    1)\n    return y")


@family(30, 300)
def wide_display(size: int) -> str:
    return _function("y = [", size, "    x * {I},", "0").replace("    return 0", "    ]\n    return jnp.stack(y)")


@family(30, 300)
def wide_dict(size: int) -> str:
    return _function("y = {", size, "    'k{I}': x * {I},", "0").replace("    return 0", "    }\n    return y")


@family(30, 300)
def wide_unpacking(size: int) -> str:
    names = "".join(f"n{i}, " for i in range(size)) + "rest"
    return text(IMPORTS, f"@jax.jit\ndef step(x):\n    {names} = x", each(size, lambda i: f"x = x + n{i}", 1), "    return x")


@family(30, 300)
def wide_f_string(size: int) -> str:
    pieces = "".join(f" {{x + {i}}}" for i in range(size))
    return text(IMPORTS, f"@jax.jit\ndef step(x):\n    print(f'{pieces}')\n    return x")


@family(30, 300)
def module_constants(size: int) -> str:
    return text(
        IMPORTS, "N0 = 3", each(size, lambda i: f"N{i + 1} = N{i} + 1"),
        "@jax.jit\ndef step(x):", each(size, lambda i: f"x = x * N{i}", 1), "    return x",
    )  # fmt: skip


@family(30, 300)
def captured_names(size: int) -> str:
    return text(
        IMPORTS, "def make(x):", each(size, lambda i: f"v{i} = x * {i}", 1), "    @jax.jit\n    def inner(y):",
        each(size, lambda i: f"y = y + v{i}", 2), "        return y\n    return inner", "make(jnp.ones(3))(1.0)",
    )  # fmt: skip
