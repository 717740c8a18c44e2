"""What is looked up in the text or the tree of a whole file or function: once for each finding, field, class or name.

Each family here has many of what such a search is made for, in a place where the search is long.
"""

from __future__ import annotations

from tests.growth.family import Files, each, family, folder, text

IMPORTS = """
    import functools

    import jax
    import jax.numpy as jnp
    import numpy as np
"""


@family(30, 300)
def findings_in_a_script(size: int) -> str:
    return text(IMPORTS, "x = jnp.ones(3)\nkey = jax.random.key(0)", each(size, lambda i: f"x[{i}] = jax.random.normal(key)"))


@family(30, 300)
def results_dropped_in_a_script(size: int) -> str:
    return text(IMPORTS, "x = jnp.ones(3)", each(size, lambda i: f"x.at[{i}].set(1)\njnp.sin(x)"))


@family(30, 300)
def loops_in_a_script(size: int) -> str:
    return text(
        IMPORTS, "x = jnp.ones(3)\nkey = jax.random.key(0)",
        each(size, lambda i: f"for i{i} in range(3):\n    y{i} = jax.random.normal(key)\n    print(y{i})"),
    )  # fmt: skip


@family(30, 300)
def functions_of_a_script_with_a_main(size: int) -> str:
    return text(
        IMPORTS, each(size, lambda i: f"@jax.jit\ndef f{i}(x):\n    print(x)\n    return x\n"), "if __name__ == '__main__':\n    x = jnp.ones(3)",
        each(size, lambda i: f"x = f{i}(x)", 1),
    )  # fmt: skip


@family(30, 300)
def tests_with_findings(size: int) -> str:
    return text(IMPORTS, each(size, lambda i: f"def test_{i}():\n    x = jnp.ones(3)\n    x[0] = {i}\n    assert x[0]\n"))


@family(30, 300)
def findings_over_some_lines(size: int) -> str:
    return text(
        IMPORTS, "def step(x):\n    pass",
        each(size, lambda i: f"x.at[\n    {i}\n].set(\n    1\n)\njnp.sin(\n    x,\n)", 1), "    return x",
    )  # fmt: skip


@family(30, 300)
def fixes_that_need_an_import(size: int) -> str:
    return text(
        "from jax import jit, random", each(size, lambda i: f"@jit\ndef f{i}(x):\n    print(x)\n    x[0] = {i}\n    if x[0]:\n        x[1] = 2\n    return x\n"),
    )  # fmt: skip


@family(30, 300)
def flags_that_are_not_static(size: int) -> str:
    return text(IMPORTS, each(size, lambda i: f"@jax.jit\ndef f{i}(x, flag):\n    if flag:\n        return x\n    return x + {i}\nf{i}(1.0, True)\n"))


@family(30, 300)
def flags_of_one_function_that_are_not_static(size: int) -> str:
    names = "".join(f", f{i}" for i in range(size))
    return text(
        IMPORTS, f"@jax.jit\ndef step(x{names}):\n    pass", each(size, lambda i: f"if f{i}:\n    x = x + {i}", 1), "    return x",
        f"step(1.0{', True' * size})",
    )  # fmt: skip


@family(20, 200)
def keys_that_are_not_advanced(size: int) -> str:
    return text(
        IMPORTS, each(size, lambda i: f"def draw_{i}(key):\n    key, sub = jax.random.split(key)\n    return jax.random.normal(sub)\n"),
        "def main(key, x):\n    for turn in range(3):\n        pass", each(size, lambda i: f"x = x + draw_{i}(key)", 2), "    return x",
    )  # fmt: skip


@family(20, 200)
def keys_of_one_loop_on_branches(size: int) -> str:
    return text(
        IMPORTS, "def main(key, x, mode):\n    for turn in range(3):\n        pass",
        each(size, lambda i: f"if mode == {i}:\n    x = x + jax.random.normal(key)", 2), "    return x",
    )  # fmt: skip


@family(20, 200)
def keys_split_by_halves(size: int) -> str:
    return text(
        IMPORTS, "def main(key, x):\n    pass",
        each(size, lambda i: f"sub_{i} = jax.random.split(key)[1]\nx = x + jax.random.normal(sub_{i})", 1), "    return x",
    )  # fmt: skip


@family(20, 200)
def seeds_of_numpy(size: int) -> str:
    return text(IMPORTS, "@jax.jit\ndef step(x):\n    pass", each(size, lambda i: f"rng_{i} = np.random.default_rng({i})\nx = x + rng_{i}.normal()", 1), "    return x")


@family(20, 200)
def keys_drawn_in_inner_functions(size: int) -> str:
    return text(
        IMPORTS, "def main(key, x):\n    pass",
        each(size, lambda i: f"def draw_{i}(y):\n    return y + jax.random.normal(key)\nx = draw_{i}(x)", 1), "    return x",
    )  # fmt: skip


@family(20, 200)
def lists_filled_by_inner_functions(size: int) -> str:
    return text(
        IMPORTS, "@jax.jit\ndef step(x):\n    pass",
        each(size, lambda i: f"rows_{i} = []\ndef add_{i}(y):\n    rows_{i}.append(y)\n    return y\nx = jax.vmap(add_{i})(x)", 1), "    return x",
    )  # fmt: skip


@family(20, 200)
def classes_that_are_registered(size: int) -> str:
    return text(
        IMPORTS, "import dataclasses",
        each(size, lambda i: f"""
            @dataclasses.dataclass
            class C{i}:
                x: jax.Array
                n: int

                @functools.partial(jax.jit, static_argnums=0)
                def apply(self, y):
                    return y + self.x * self.n

            jax.tree_util.register_dataclass(C{i}, data_fields=["x"], meta_fields=["n"])
        """),
    )  # fmt: skip


@family(20, 200)
def fields_set_outside(size: int) -> str:
    return text(
        IMPORTS, "class Model:\n    def __init__(self):\n        self.n = 0", each(size, lambda i: f"self.f{i} = {i}", 2),
        each(size, lambda i: f"@functools.partial(jax.jit, static_argnums=0)\ndef m{i}(self, x):\n    return x + self.f{i}\n", 1),
        "def main(model: Model):\n    pass", each(size, lambda i: f"model.m{i}(1.0)\nmodel.f{i} = {i}\nmodel.m{i}(2.0)", 1),
    )  # fmt: skip


@folder(10, 500)
def fields_set_in_files(size: int) -> Files:
    fields = "\n".join(f"        self.f{i} = {i}" for i in range(size))
    methods = "\n".join(f"    @functools.partial(jax.jit, static_argnums=0)\n    def m{i}(self, x):\n        return x + self.f{i}" for i in range(size))
    model = text(IMPORTS, f"class Model:\n    def __init__(self):\n        self.n = 0\n{fields}\n{methods}")
    users = {
        f"pack/user_{i}.py": text(IMPORTS, f"from pack.model import Model\nmodel = Model()\nmodel.m{i}(1.0)\nmodel.f{i} = {i}\nmodel.m{i}(2.0)")
        for i in range(size)
    }
    return {"pack/__init__.py": "", "pack/model.py": model, **users}


@family(20, 200)
def pushes_and_pops_of_classes(size: int) -> str:
    return text(
        IMPORTS, "STACK = []",
        each(size, lambda i: f"""
            class Scope{i}:
                def __enter__(self):
                    STACK.append({i})
                def __exit__(self, *error):
                    STACK.pop()
            @jax.jit
            def f{i}(x):
                with Scope{i}():
                    return x + {i}
        """),
    )  # fmt: skip


@family(20, 200)
def stores_put_back_by_the_caller(size: int) -> str:
    return text(
        IMPORTS, "class Model:\n    def put(self, x):\n        self.value = x\n    @jax.jit\n    def step(self, x):\n        pass",
        each(size, lambda i: f"old = self.value\nself.put(x + {i})\nx = x * 2\nself.value = old", 2), "        return x",
    )  # fmt: skip


@family(20, 200)
def stores_under_tests(size: int) -> str:
    return text(
        IMPORTS, "class Model:\n    @jax.jit\n    def step(self, x):\n        pass",
        each(size, lambda i: f"if self.f{i} is None:\n    self.f{i} = jnp.zeros({i})\nx = x + self.f{i}", 2), "        return x",
    )  # fmt: skip


@family(20, 200)
def functions_of_annotated_classes(size: int) -> str:
    return text(
        IMPORTS, each(size, lambda i: f"class C{i}:\n    n: int\n    def apply(self, x: jax.Array) -> jax.Array:\n        return x * self.n\n"),
        each(size, lambda i: f"@jax.jit\ndef f{i}(model: C{i}, x: jax.Array) -> jax.Array:\n    return model.apply(x)\n"),
    )  # fmt: skip


@family(20, 200)
def entries_of_a_configuration(size: int) -> str:
    return text(
        IMPORTS, "CONFIG = {", each(size, lambda i: f"'k{i}': {i},", 1), "}", "@jax.jit\ndef step(x):\n    pass",
        each(size, lambda i: f"x = x * CONFIG['k{i}']", 1), "    return x", "step(1.0)", each(size, lambda i: f"CONFIG['k{i}'] = {i + 1}\nstep(1.0)"),
    )  # fmt: skip


@family(20, 200)
def attributes_by_name(size: int) -> str:
    return text(
        IMPORTS, "class Model:\n    @jax.jit\n    def step(self, x):\n        pass",
        each(size, lambda i: f"setattr(self, 'f{i}', x)\nx = x + getattr(self, 'f{i}')", 2), "        return x",
    )  # fmt: skip


@family(20, 200)
def calls_with_stars(size: int) -> str:
    return text(
        IMPORTS, "def helper(*args, **options):\n    return args[0] + options.get('n', 0)", "@jax.jit\ndef step(x):\n    rest, named = (x, x), {'n': x}",
        each(size, lambda i: f"x = helper(*rest, **named, m{i}={i})", 1), "    return x",
    )  # fmt: skip


@family(20, 200)
def errors_that_are_caught(size: int) -> str:
    return text(
        IMPORTS, "@jax.jit\ndef step(x):\n    pass",
        each(size, lambda i: f"try:\n    n = int(x[{i}])\nexcept jax.errors.ConcretizationTypeError:\n    n = {i}", 1), "    return x",
    )  # fmt: skip


@family(20, 200)
def guards_for_tracers(size: int) -> str:
    return text(
        IMPORTS, "@jax.jit\ndef step(x):\n    pass",
        each(size, lambda i: f"if not isinstance(x, jax.core.Tracer):\n    if x > {i}:\n        print(x)", 1), "    return x",
    )  # fmt: skip


@family(20, 200)
def references_of_one_kernel(size: int) -> str:
    names = ", ".join(["o_ref", *(f"r{i}_ref" for i in range(size))])
    return text(
        IMPORTS, f"from jax.experimental import pallas as pl\ndef kernel({names}):\n    o_ref[0] = 1", each(size, lambda i: f"o_ref[{i}] = r{i}_ref[0] + r{i}_ref", 1),
        "def step(*xs):\n    return pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((3,), jnp.float32))(*xs)",
    )  # fmt: skip


@family(20, 200)
def buffers_waited_for(size: int) -> str:
    return text(
        IMPORTS, "def main(n):\n    buffer = np.zeros(3)",
        each(size, lambda i: f"buffer[0] = {i}\ny{i} = jnp.asarray(buffer)\ny{i}.block_until_ready()", 1), "    return y0" if size else "    return n",
    )  # fmt: skip


@family(20, 200)
def namesakes(size: int) -> str:
    return text("import jax\nimport jax.numpy as np", each(size, lambda i: f"def f{i}(x):\n    import jax.numpy as np\n    return np.sin(x) + {i}\n"))


@family(20, 200)
def host_calls_to_one_name_through_others(size: int) -> str:
    return text(
        "import os", IMPORTS, "@jax.jit\ndef step(x):\n    n0 = float(os.environ['N'])", each(size, lambda i: f"n{i + 1} = n{i} + 1", 1),
        f"    return x * n{size}",
    )  # fmt: skip


@family(20, 200)
def host_calls_read_in_inner_functions(size: int) -> str:
    return text(
        "import time", IMPORTS, "@jax.jit\ndef step(x):\n    start = time.time()",
        each(size, lambda i: f"def f{i}(y):\n    return y + {i}\nstop_{i} = time.time() - start", 1), "    return x",
    )  # fmt: skip
