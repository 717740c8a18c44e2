"""Branches, loops, handlers, comprehensions: in a row, nested to a fixed depth, and around many statements."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import indent

from tests.growth.family import each, family, text

IMPORTS = """
    import jax
    import jax.numpy as jnp
"""


def _function(size: int, line: str, first: str = "pass", last: str = "return x", head: str = "x, flag, n") -> str:
    """A jitted function; in `line`, `{I}` stands for the number of a part and `{P}` for that of the part before."""
    def numbered(i: int) -> str:
        return line.replace("{I}", str(i + 1)).replace("{P}", str(i))

    return text(
        IMPORTS, "from functools import partial\n@partial(jax.jit, static_argnames=('flag', 'n'))",
        f"def step({head}):\n    {first}", each(size, numbered, 1), "    " + last.replace("{I}", str(size)),
    )  # fmt: skip


def _flags(size: int) -> str:
    return "x" + "".join(f", f{i + 1}" for i in range(size))


@family(30, 200)
def ifs_in_a_row(size: int) -> str:
    return _function(size, "if flag:\n    x = x + {I}")


@family(30, 200)
def ifs_with_else(size: int) -> str:
    return _function(size, "if flag == {I}:\n    x = x + {I}\nelse:\n    x = x - {I}")


@family(30, 200)
def ifs_on_flags(size: int) -> str:
    return _function(size, "if f{I}:\n    x = x + {I}", head=_flags(size))


@family(30, 200)
def ifs_on_flags_that_bind(size: int) -> str:
    return _function(size, "if f{I}:\n    y{I} = x\nelse:\n    y{I} = None\nif y{I} is not None:\n    x = x + y{I}", head=_flags(size))


@family(30, 200)
def ifs_on_traced(size: int) -> str:
    return _function(size, "if x > {I}:\n    x = x + {I}")


@family(30, 200)
def elif_ladder(size: int) -> str:
    return _function(size, "elif n == {I}:\n    x = x + {I}", "if n == 0:\n        pass")


@family(30, 200)
def elif_ladder_of_returns(size: int) -> str:
    return _function(size, "elif n == {I}:\n    return x + {I}", "if n == 0:\n        pass")


@family(30, 200)
def elif_ladder_on_texts(size: int) -> str:
    return _function(size, "elif n == 'mode{I}':\n    y = jnp.sin(x) * {I}", "if n == 'mode':\n        y = x", "return y")


@family(30, 200)
def early_returns(size: int) -> str:
    return _function(size, "if n == {I}:\n    return x + {I}")


@family(30, 200)
def early_returns_on_flags(size: int) -> str:
    return _function(size, "if f{I}:\n    return x + {I}", head=_flags(size))


@family(30, 200)
def guards_that_raise(size: int) -> str:
    return _function(size, "if x.ndim != {I}:\n    raise ValueError('{I}')")


@family(30, 200)
def asserts(size: int) -> str:
    return _function(size, "assert x.shape[0] > {I}, x")


@family(30, 200)
def defaults_of_none(size: int) -> str:
    head = "x" + "".join(f", p{i + 1}=None" for i in range(size))
    return _function(size, "if p{I} is None:\n    p{I} = x + {I}\nx = x + p{I}", head=head)


@family(30, 200)
def type_tests(size: int) -> str:
    return _function(size, "if isinstance(x, (int, float)):\n    x = jnp.asarray(x)")


@family(15, 75)
def ifs_nested(size: int) -> str:
    return _function(size, """
if f{I}:
    if n > {I}:
        if n < 3:
            x = x + 1
        else:
            x = x + 2
    else:
        x = x + 3
""".strip(), head=_flags(size) + ", n")


@family(30, 200)
def ternaries(size: int) -> str:
    return _function(size, "x = x + 1 if flag else x - {I}")


@family(30, 200)
def ternaries_on_flags(size: int) -> str:
    return _function(size, "y{I} = x + 1 if f{I} else None", head=_flags(size))


@family(30, 200)
def match_of_cases(size: int) -> str:
    return text(
        IMPORTS, "@jax.jit\ndef step(x, n):\n    match n:\n        case -1:\n            pass",
        each(size, lambda i: f"case {i}:\n    x = x + {i}", 2), "    return x",
    )  # fmt: skip


@family(30, 200)
def clauses_of_and(size: int) -> str:
    clauses = " and ".join(["flag", *(f"n > {i}" for i in range(size))])
    return _function(1, f"if {clauses}:\n    x = x + 1")


@family(30, 200)
def clauses_of_or_on_flags(size: int) -> str:
    clauses = " or ".join(["x is None", *(f"f{i + 1}" for i in range(size))])
    return _function(1, f"if {clauses}:\n    x = x + 1", head=_flags(size))


@family(30, 200)
def loops_in_a_row(size: int) -> str:
    return _function(size, "for i in range(n):\n    x = x + i * {I}")


@family(30, 200)
def loops_over_traced(size: int) -> str:
    return _function(size, "for row in x:\n    y = row + {I}")


@family(30, 200)
def loops_with_breaks(size: int) -> str:
    return _function(size, "for i in range(n):\n    if i == {I}:\n        break\n    if i > 3:\n        continue\n    x = x + i")


@family(30, 200)
def whiles_in_a_row(size: int) -> str:
    return _function(size, "while n > {I}:\n    n = n - 1\n    x = x + n\nelse:\n    x = x + 2")


@family(30, 200)
def whiles_on_traced(size: int) -> str:
    return _function(size, "while x > {I}:\n    x = x - 1")


@family(30, 200)
def one_long_loop(size: int) -> str:
    return text(
        IMPORTS, "@jax.jit\ndef step(x):\n    y = x\n    for i in range(3):\n        pass",
        each(size, lambda i: f"y = y + i * {i}\nz{i} = y * 2", 2), "    return y",
    )  # fmt: skip


@family(30, 200)
def one_long_loop_of_carries(size: int) -> str:
    return text(
        IMPORTS, "@jax.jit\ndef step(x):\n    x0 = x", each(size, lambda i: f"x{i + 1} = x", 1), "    for i in range(3):",
        f"        x0 = x{size}", each(size, lambda i: f"x{i + 1} = x{i} + i", 2), "    return x0",
    )  # fmt: skip


@family(10, 50)
def one_long_loop_in_loops(size: int) -> str:
    return text(
        IMPORTS, "@jax.jit\ndef step(x):\n    for i in range(3):\n        for j in range(3):\n            for k in range(3):",
        "                pass", each(size, lambda i: f"x = x + i * {i}", 4), "    return x",
    )  # fmt: skip


@family(10, 30)
def loops_of_three_in_a_row(size: int) -> str:
    return _function(size, "for i in range(n):\n    for j in range(n):\n        for k in range(n):\n            x = x + i * j")


def _nests(size: int, opened: Callable[[int], str], inside: str, closed: Callable[[int], str] = lambda level: "") -> str:
    """As many headers as the size says, nested as deep as the number of its binary digits; `closed` follows each."""
    depth = size.bit_length()
    lines: list[str] = []
    for first in range(0, size, max(depth, 1)):
        many = min(depth, size - first)
        lines += ["    " * level + opened(first + level) for level in range(many)]
        lines += ["    " * many + inside]
        lines += ["    " * level + closed(level) for level in range(many - 1, -1, -1)]
    return indent("\n".join(lines), "    ")


@family(24, 100)
def loops_nested(size: int) -> str:
    return text(IMPORTS, "@jax.jit\ndef step(x):", _nests(size, lambda i: f"for i{i} in range(3):", "x = x + 1"), "    return x")


@family(24, 100)
def loops_nested_over_traced(size: int) -> str:
    return text(IMPORTS, "@jax.jit\ndef step(x):", _nests(size, lambda i: f"for i{i} in x:", "x = x + 1"), "    return x")


@family(24, 100)
def whiles_nested(size: int) -> str:
    return text(IMPORTS, "@jax.jit\ndef step(x, n):", _nests(size, lambda i: f"while n > {i}:", "x = x + 1"), "    return x")


@family(24, 100)
def ifs_nested_deeper(size: int) -> str:
    return text(IMPORTS, f"@jax.jit\ndef step({_flags(size)}):", _nests(size, lambda i: f"if f{i + 1}:", "x = x + 1"), "    return x")


@family(24, 100)
def withs_nested(size: int) -> str:
    return text(IMPORTS, "@jax.jit\ndef step(x):", _nests(size, lambda i: f"with jax.named_scope('{i}'):", "x = x + 1"), "    return x")


@family(24, 100)
def functions_nested(size: int) -> str:
    return text(
        IMPORTS, "@jax.jit\ndef step(y):",
        _nests(size, lambda i: f"def inner(y, x{i}=y):", "return y",
               lambda level: "return inner(y)" if level else "y = inner(y)"),
        "    return y",
    )  # fmt: skip


@family(24, 100)
def scans_nested(size: int) -> str:
    return text(
        IMPORTS, "@jax.jit\ndef step(c):",
        _nests(size, lambda i: "def body(c, y):", "return c + 1, y",
               lambda level: "return jax.lax.scan(body, c, None, length=3)" if level else "c, y = jax.lax.scan(body, c, None, length=3)"),
        "    return c",
    )  # fmt: skip


@family(30, 200)
def tries_in_a_row(size: int) -> str:
    return _function(size, "try:\n    x = x + n\nexcept ValueError:\n    x = x - {I}\nfinally:\n    y = x")


@family(30, 200)
def tries_that_return(size: int) -> str:
    return _function(size, "try:\n    return jnp.sin(x)\nexcept ValueError:\n    pass")


@family(30, 200)
def one_long_try(size: int) -> str:
    return text(
        IMPORTS, "@jax.jit\ndef step(x):\n    try:\n        y = x",
        each(size, lambda i: f"y = y + {i}", 2), "    except ValueError:\n        y = 0\n    finally:\n        z = y\n    return y",
    )  # fmt: skip


@family(30, 200)
def one_try_of_handlers(size: int) -> str:
    return text(
        IMPORTS, "@jax.jit\ndef step(x):\n    try:\n        y = x + 1",
        each(size, lambda i: f"except Error{i}:\n    y = x * {i}", 1), "    finally:\n        z = 3\n    return y",
    )  # fmt: skip


@family(30, 200)
def withs_in_a_row(size: int) -> str:
    return _function(size, "with jax.named_scope('s{I}'):\n    x = x + 1")


@family(30, 200)
def withs_of_items(size: int) -> str:
    return _function(size, "with open('a{I}') as a, open('b{I}') as b{I}, jax.disable_jit():\n    x = x + 1")


@family(30, 200)
def comprehensions_in_a_row(size: int) -> str:
    return _function(size, "y{I} = [x * i + {I} for i in range(n) if i > 2]")


@family(20, 100)
def comprehensions_nested(size: int) -> str:
    return _function(size, "y{I} = [[x * i + j for j in range(n)] for i in range(n) for k in range(i)]")


@family(20, 100)
def generators_in_a_row(size: int) -> str:
    return _function(size, "y{I} = sum(x * i for i in range(n)) + max(x for _ in range(3))")


@family(30, 200)
def yields(size: int) -> str:
    return _function(size, "yield x * {I}")


@family(30, 200)
def lambdas(size: int) -> str:
    return _function(size, "x = (lambda y: y + {I})(x)")


@family(20, 100)
def conds_in_a_row(size: int) -> str:
    return _function(size, "x = jax.lax.cond(x[0] > {I}, lambda y: y + 1, lambda y: y - 1, x)")


@family(20, 100)
def switch_of_branches(size: int) -> str:
    branches = ", ".join(["lambda y: y", *(f"lambda y: y + {i}" for i in range(size))])
    return _function(1, f"x = jax.lax.switch(n, [{branches}], x)")


@family(20, 100)
def scans_in_a_row(size: int) -> str:
    return _function(size, "def body_{I}(c, y):\n    return c + y, c\nx, ys = jax.lax.scan(body_{I}, x, jnp.ones(3))")


@family(20, 100)
def fori_loops_in_a_row(size: int) -> str:
    return _function(size, "x = jax.lax.fori_loop(0, {I}, lambda i, y: y + i, x)")


@family(20, 100)
def while_loops_in_a_row(size: int) -> str:
    return _function(size, "x = jax.lax.while_loop(lambda y: y < {I}, lambda y: y + 1, x)")


@family(20, 100)
def vmaps_in_a_row(size: int) -> str:
    return _function(size, "x = jax.vmap(lambda y: y + {I})(x)")
