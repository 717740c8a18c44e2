"""Long files: many small functions, long functions, long tables, comments, and findings of every rule."""

from __future__ import annotations

from tests.growth.family import each, family, text

IMPORTS = """
    import time

    import jax
    import jax.numpy as jnp
"""


@family(100, 750)
def long_module(size: int) -> str:
    """At the size of the command, 12,000 lines at 2n."""
    return text(
        IMPORTS, each(size, lambda i: f'''
            def f{i}(x, n={i}):
                """Add up."""
                y = x + n
                return y * 2

        '''),
    )  # fmt: skip


@family(100, 750)
def long_module_of_jitted(size: int) -> str:
    return text(
        IMPORTS, each(size, lambda i: f"""
            @jax.jit
            def f{i}(x):
                y = jnp.sin(x)
                return y * {i}

        """),
    )  # fmt: skip


@family(100, 750)
def long_module_that_is_called(size: int) -> str:
    return text(
        IMPORTS, each(size, lambda i: f"""
            def f{i}(x):
                if x > {i}:
                    return x
                return y * {i}

            jax.jit(f{i})(jnp.ones(3))
        """),
    )  # fmt: skip


@family(100, 500)
def long_function(size: int) -> str:
    return text(IMPORTS, "@jax.jit\ndef step(x):\n    y = x", each(size, lambda i: f"y = jnp.sin(y) + x * {i}", 1), "    return y")


@family(100, 500)
def long_function_on_the_host(size: int) -> str:
    return text(IMPORTS, "def main(x):\n    y = x", each(size, lambda i: f"y{i} = jnp.sin(y) + x * {i}\nprint(y{i})", 1), "    return y")


@family(100, 500)
def long_script(size: int) -> str:
    return text(IMPORTS, "x = jnp.ones(3)", each(size, lambda i: f"y{i} = jnp.sin(x) + {i}\nprint(y{i})"))


@family(100, 500)
def long_script_with_functions(size: int) -> str:
    return text(IMPORTS, "x = jnp.ones(3)", each(size, lambda i: f"def f{i}(a):\n    return a + x\nx = f{i}(x)\n"))


@family(100, 1500)
def long_table(size: int) -> str:
    return text(IMPORTS, "TABLE = [", each(size, lambda i: f"({i}, 'name {i}', {i}.5),", 1), "]\n@jax.jit\ndef step(x):\n    return x + TABLE[3][0]")


@family(100, 1500)
def long_comments(size: int) -> str:
    return text(IMPORTS, each(size, lambda i: f"# line {i} says nothing"), "@jax.jit\ndef step(x):\n    print(x)\n    return x")


@family(50, 500)
def suppressions(size: int) -> str:
    return text(IMPORTS, "@jax.jit\ndef step(x):\n    pass", each(size, lambda i: "print(x)  # jax: ignore[JAX301]", 1), "    return x")


@family(50, 500)
def suppressions_by_noqa(size: int) -> str:
    return text(IMPORTS, "@jax.jit\ndef step(x):\n    pass", each(size, lambda i: "print(x)  # noqa: JAX301", 1), "    return x")


@family(50, 500)
def suppressions_in_vain(size: int) -> str:
    return text(IMPORTS, "@jax.jit\ndef step(x):\n    pass", each(size, lambda i: f"y{i} = x  # jax: ignore[JAX301]", 1), "    return x")


@family(50, 500)
def suppressions_on_lines_of_their_own(size: int) -> str:
    return text(IMPORTS, "@jax.jit\ndef step(x):\n    pass", each(size, lambda i: "# jax: ignore[JAX301]\nprint(x)", 1), "    return x")


@family(50, 500)
def suppressions_that_are_wrong(size: int) -> str:
    return text(IMPORTS, "@jax.jit\ndef step(x):\n    pass", each(size, lambda i: "y = x  # jax: ignore[JAX999, whatever]", 1), "    return x")


@family(50, 500)
def imports_in_a_row(size: int) -> str:
    return text(IMPORTS, each(size, lambda i: f"import jax.numpy as jnp{i}\nfrom jax import random as random{i}"), "@jax.jit\ndef step(x):\n    return jnp.sin(x)")


@family(5, 50)
def findings_of_many_rules(size: int) -> str:
    return text(
        IMPORTS, "import numpy as np", each(size, lambda i: f"""
            @jax.jit
            def f{i}(x, key, n):
                start = time.time()
                print(x)
                x[0] = jax.random.normal(key)
                y = jax.random.normal(key)
                if x > 0:
                    y = float(x)
                jnp.sin(x)
                z = np.sin(x)
                x.at[0].set(1)
                w = jnp.zeros(n)
                for k in range(n):
                    y = y + jax.random.uniform(key)
                assert x[0]
                return jnp.sum([x, y]), time.time() - start

        """),
    )  # fmt: skip


@family(5, 30)
def findings_of_many_rules_in_one_function(size: int) -> str:
    return text(
        IMPORTS, "import numpy as np\n@jax.jit\ndef step(x, key, n):\n    pass", each(size, lambda i: f"""
            start = time.time()
            print(x)
            x[{i}] = jax.random.normal(key)
            y = jax.random.normal(key)
            if x > {i}:
                y = float(x)
            jnp.sin(x)
            z = np.sin(x)
            x.at[{i}].set(1)
            w = jnp.zeros(n)
            for k in range(n):
                y = y + jax.random.uniform(key)
            assert x[{i}]
            t = jnp.sum([x, y]), time.time() - start
        """, 1),
    )  # fmt: skip
