"""What traced code does to the world outside and reads of it: prints, globals, fields, clocks, iterators, caches."""

from __future__ import annotations

from tests.growth.family import each, family, text

IMPORTS = """
    import functools
    import logging
    import os
    import random
    import time

    import jax
    import jax.numpy as jnp
    import numpy as np
"""


def _function(size: int, line: str, first: str = "pass", last: str = "return x", above: str = "") -> str:
    """A jitted function; in `line`, `{I}` stands for the number of a part and `{P}` for that of the part before."""
    def numbered(i: int) -> str:
        return line.replace("{I}", str(i + 1)).replace("{P}", str(i))

    return text(
        IMPORTS, above, f"@jax.jit\ndef step(x):\n    {first}", each(size, numbered, 1), "    " + last.replace("{I}", str(size)),
    )  # fmt: skip


@family(30, 200)
def prints(size: int) -> str:
    return _function(size, "print('x', x, {I})")


@family(30, 200)
def prints_of_texts(size: int) -> str:
    return _function(size, "print('step {I}')")


@family(30, 200)
def prints_of_f_strings(size: int) -> str:
    return _function(size, "y{I} = x + {I}\nprint(f'x {y{I}:.3f}')")


@family(30, 200)
def prints_in_functions(size: int) -> str:
    return text(IMPORTS, each(size, lambda i: f"@jax.jit\ndef f{i}(x):\n    print(x)\n    return x\n"))


@family(20, 100)
def prints_down_a_chain(size: int) -> str:
    return text(
        IMPORTS, "def f0(x):\n    print(x)\n    return x",
        each(size, lambda i: f"def f{i + 1}(x):\n    print(x, {i})\n    return f{i}(x)\n"), f"step = jax.jit(f{size})\nstep(jnp.ones(3))",
    )  # fmt: skip


@family(30, 200)
def logs(size: int) -> str:
    return _function(size, "logger.info('x %s', x)", above="logger = logging.getLogger(__name__)")


@family(30, 200)
def debug_prints(size: int) -> str:
    return _function(size, "jax.debug.print(f'x {x}')")


@family(30, 200)
def appends(size: int) -> str:
    return _function(size, "SEEN.append(x)", above="SEEN = []")


@family(30, 200)
def appends_to_lists(size: int) -> str:
    return text(
        IMPORTS, each(size, lambda i: f"seen_{i} = []"), "@jax.jit\ndef step(x):\n    pass",
        each(size, lambda i: f"seen_{i}.append(x)", 1), "    return x",
    )  # fmt: skip


@family(20, 100)
def appends_down_a_chain(size: int) -> str:
    return text(
        IMPORTS, "SEEN = []\ndef f0(x):\n    return x",
        each(size, lambda i: f"def f{i + 1}(x):\n    SEEN.append(x)\n    return f{i}(x)\n"), f"step = jax.jit(f{size})\nstep(jnp.ones(3))",
    )  # fmt: skip


@family(30, 200)
def stores_of_globals(size: int) -> str:
    names = ", ".join(f"n{i}" for i in range(size + 1))
    return text(
        IMPORTS, f"n{size} = 0", each(size, lambda i: f"n{i} = 0"), f"@jax.jit\ndef step(x):\n    global {names}",
        each(size, lambda i: f"n{i} = x", 1), "    return x",
    )  # fmt: skip


@family(30, 200)
def stores_into_self(size: int) -> str:
    return text(
        IMPORTS, "class Model:\n    @jax.jit\n    def step(self, x):\n        pass", each(size, lambda i: f"self.f{i} = x + {i}", 2), "        return x",
    )  # fmt: skip


@family(30, 200)
def stores_that_are_undone(size: int) -> str:
    return text(
        IMPORTS, "class Model:\n    @jax.jit\n    def step(self, x):\n        pass",
        each(size, lambda i: f"old_{i} = self.f{i}\nself.f{i} = x + {i}\nx = x + self.f{i}\nself.f{i} = old_{i}", 2), "        return x",
    )  # fmt: skip


@family(30, 200)
def stores_of_one_field_that_are_undone(size: int) -> str:
    return text(
        IMPORTS, "class Model:\n    @jax.jit\n    def step(self, x):\n        pass",
        each(size, lambda i: f"old = self.f\nself.f = x + {i}\nx = x + self.f\nself.f = old", 2), "        return x",
    )  # fmt: skip


@family(30, 200)
def stores_undone_finally(size: int) -> str:
    return text(
        IMPORTS, "class Model:\n    @jax.jit\n    def step(self, x):\n        pass",
        each(size, lambda i: f"old = self.f{i}\ntry:\n    self.f{i} = x + {i}\n    x = x * 2\nfinally:\n    self.f{i} = old", 2), "        return x",
    )  # fmt: skip


@family(30, 200)
def pushes_and_pops(size: int) -> str:
    return _function(size, "STACK.append(x)\nx = x + 1\nSTACK.pop()", above="STACK = []")


@family(20, 150)
def globals_that_change(size: int) -> str:
    return text(
        IMPORTS, each(size, lambda i: f"n{i} = {i}"), "@jax.jit\ndef step(x):\n    pass", each(size, lambda i: f"x = x + n{i}", 1), "    return x",
        "step(1.0)", each(size, lambda i: f"n{i} = {i + 1}\nstep(1.0)"),
    )  # fmt: skip


@family(20, 150)
def one_global_that_changes(size: int) -> str:
    return text(IMPORTS, "n = 0\n@jax.jit\ndef step(x):\n    return x + n", each(size, lambda i: f"n = {i}\nstep(1.0)"))


@family(20, 150)
def one_global_read_by_many(size: int) -> str:
    return text(
        IMPORTS, "n = 0", each(size, lambda i: f"@jax.jit\ndef f{i}(x):\n    return x + n\n"), each(size, lambda i: f"f{i}(1.0)"),
        "n = 1", each(size, lambda i: f"f{i}(1.0)"),
    )  # fmt: skip


@family(20, 150)
def one_global_changed_by_many(size: int) -> str:
    return text(
        IMPORTS, "n = 0", each(size, lambda i: f"def change_{i}():\n    global n\n    n = {i}\n"), "@jax.jit\ndef step(x):\n    return x + n",
        each(size, lambda i: f"change_{i}()\nstep(1.0)"),
    )  # fmt: skip


@family(20, 150)
def one_list_changed_often(size: int) -> str:
    return text(IMPORTS, "rows = []\n@jax.jit\ndef step(x):\n    return x + len(rows)", each(size, lambda i: f"rows.append({i})\nstep(1.0)"))


@family(20, 150)
def stale_closures(size: int) -> str:
    return text(
        IMPORTS, "def main(x):\n    n = 0\n    step = jax.jit(lambda y: y + n)", each(size, lambda i: f"n = {i}\nx = step(x)", 1), "    return x",
    )  # fmt: skip


@family(20, 150)
def stale_closures_in_loops(size: int) -> str:
    return text(
        IMPORTS, "def main(x):\n    pass",
        each(size, lambda i: f"n{i} = 0\nstep_{i} = jax.jit(lambda y: y + n{i})\nfor k in range(3):\n    n{i} = n{i} + 1\n    x = step_{i}(x)", 1),
        "    return x",
    )  # fmt: skip


@family(20, 150)
def stale_fields(size: int) -> str:
    return text(
        IMPORTS, "class Model:\n    def __init__(self):\n        self.n = 0\n    @functools.partial(jax.jit, static_argnums=0)\n    def step(self, x):\n        return x + self.n",
        each(size, lambda i: f"def set_{i}(self):\n    self.n = {i}\n    return self.step(1.0)\n", 1),
        "model = Model()", each(size, lambda i: f"model.set_{i}()\nmodel.n = {i}\nmodel.step(2.0)"),
    )  # fmt: skip


@family(20, 150)
def nonlocals(size: int) -> str:
    return text(
        IMPORTS, "def main(x):\n    n = 0", each(size, lambda i: f"@jax.jit\ndef f{i}(y):\n    nonlocal n\n    n = y\n    return y\nx = f{i}(x)", 1), "    return x",
    )  # fmt: skip


@family(30, 200)
def host_calls(size: int) -> str:
    return _function(size, "x = x * float(os.environ['SCALE_{I}'])")


@family(30, 200)
def host_calls_to_names(size: int) -> str:
    return _function(size, "scale = float(os.environ.get('SCALE'))\nif scale > {I}:\n    x = x * scale")


@family(30, 200)
def host_files(size: int) -> str:
    return _function(size, "with open('file_{I}') as file:\n    x = x + float(file.read())")


@family(20, 100)
def host_calls_down_a_chain(size: int) -> str:
    return text(
        IMPORTS, "def f0(x):\n    return x * time.time()", each(size, lambda i: f"def f{i + 1}(x):\n    return f{i}(x) + time.time()\n"),
        f"step = jax.jit(f{size})\nstep(jnp.ones(3))",
    )  # fmt: skip


@family(30, 200)
def host_randoms(size: int) -> str:
    return _function(size, "x = x + np.random.rand() * random.random()")


@family(30, 200)
def iterators(size: int) -> str:
    return _function(size, "x = x + next(ROWS)", above="ROWS = iter([1, 2, 3])")


@family(20, 100)
def caches(size: int) -> str:
    return text(
        IMPORTS, each(size, lambda i: f"@functools.lru_cache\ndef cached_{i}(n):\n    return jnp.arange(n)\n"),
        "@jax.jit\ndef step(x):\n    pass", each(size, lambda i: f"x = x + cached_{i}({i})", 1), "    return x",
    )  # fmt: skip


@family(20, 100)
def caches_in_dicts(size: int) -> str:
    return _function(size, "if {I} not in CACHE:\n    CACHE[{I}] = jnp.sin(x)\nx = x + CACHE[{I}]", above="CACHE = {}")


@family(20, 100)
def fields_read_when_frozen(size: int) -> str:
    return text(
        IMPORTS, "class Config:\n    pass\nconfig = Config()", each(size, lambda i: f"config.f{i} = {i}"),
        "@jax.jit\ndef step(x):\n    pass", each(size, lambda i: f"x = x * config.f{i}", 1), "    return x", "step(1.0)",
        each(size, lambda i: f"config.f{i} = {i + 1}\nstep(1.0)"),
    )  # fmt: skip
