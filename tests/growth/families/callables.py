"""Functions that call each other, that make functions, and that are handed functions and constants."""

from __future__ import annotations

from tests.growth.family import each, family, text

IMPORTS = """
    import functools

    import jax
    import jax.numpy as jnp
"""


@family(30, 250)
def chain_of_helpers(size: int) -> str:
    return text(
        IMPORTS, "def f0(x):\n    return x", each(size, lambda i: f"def f{i + 1}(x):\n    return f{i}(x) + 1\n"),
        f"step = jax.jit(f{size})\nstep(jnp.ones(3))",
    )  # fmt: skip


@family(30, 250)
def chain_of_helpers_from_the_top(size: int) -> str:
    return text(
        IMPORTS, each(size, lambda i: f"def f{i}(x):\n    return f{i + 1}(x) + 1\n"), f"def f{size}(x):\n    return x",
        "step = jax.jit(f0)\nstep(jnp.ones(3))",
    )  # fmt: skip


@family(30, 250)
def chain_with_a_precondition(size: int) -> str:
    return text(
        IMPORTS, "def f0(x):\n    if x > 0:\n        return x\n    return 1",
        each(size, lambda i: f"def f{i + 1}(x):\n    return f{i}(x) + 1\n"), f"step = jax.jit(f{size})\nstep(jnp.ones(3))",
    )  # fmt: skip


@family(20, 100)
def chain_of_preconditions(size: int) -> str:
    return text(
        IMPORTS, "def f0(x):\n    return x",
        each(size, lambda i: f"def f{i + 1}(x):\n    if x > {i}:\n        return f{i}(x)\n    return f{i}(x) + 1\n"),
        f"step = jax.jit(f{size})\nstep(jnp.ones(3))",
    )  # fmt: skip


@family(30, 250)
def fan_of_callers(size: int) -> str:
    return text(
        IMPORTS, "def helper(x):\n    if x > 0:\n        print(x)\n    return x",
        each(size, lambda i: f"@jax.jit\ndef f{i}(x):\n    return helper(x) + {i}\n"),
    )  # fmt: skip


@family(30, 250)
def fan_of_callees(size: int) -> str:
    return text(
        IMPORTS, each(size, lambda i: f"def f{i}(x):\n    return x + {i}\n"),
        "@jax.jit\ndef step(x):", each(size, lambda i: f"x = f{i}(x)", 1), "    return x",
    )  # fmt: skip


@family(30, 250)
def one_helper_called_often(size: int) -> str:
    return text(
        IMPORTS, "def helper(x, n):\n    if x > n:\n        print(x)\n    return x",
        "@jax.jit\ndef step(x):", each(size, lambda i: f"x = helper(x, {i})", 1), "    return x",
    )  # fmt: skip


@family(20, 100)
def many_preconditions_called_a_few_times(size: int) -> str:
    return text(
        IMPORTS, "def helper(x):\n    pass", each(size, lambda i: f"if x > {i}:\n    x = x + 1", 1), "    return x",
        "@jax.jit\ndef step(x):", each(3, lambda i: "x = helper(x)", 1), "    return x",
    )  # fmt: skip


@family(20, 100)
def many_preconditions_called_often(size: int) -> str:
    return text(
        IMPORTS, "def helper(x):\n    pass", each(size, lambda i: f"if x > {i}:\n    x = x + 1", 1), "    return x",
        "@jax.jit\ndef step(x):", each(size, lambda i: "x = helper(x)", 1), "    return x",
    )  # fmt: skip


@family(20, 100)
def many_preconditions_of_inputs(size: int) -> str:
    names = "".join(f", p{i}" for i in range(size))
    return text(
        IMPORTS, f"def helper(x{names}):\n    pass", each(size, lambda i: f"if p{i} > {i}:\n    x = x + 1", 1),
        "    return x", f"@jax.jit\ndef step(x):\n    return helper(x{', x' * size})",
    )  # fmt: skip


@family(20, 100)
def cycle_of_functions(size: int) -> str:
    return text(
        IMPORTS, each(size, lambda i: f"def f{i}(x, n):\n    if n == 0:\n        return x\n    return f{(i + 1) % size}(x + 1, n - 1)\n"),
        "step = jax.jit(f0, static_argnums=1)\nstep(jnp.ones(3), 9)" if size else "",
    )  # fmt: skip


@family(20, 100)
def cycle_with_preconditions(size: int) -> str:
    return text(
        IMPORTS, each(size, lambda i: f"def f{i}(x, n):\n    if x > {i}:\n        return x\n    return f{(i + 1) % size}(x + 1, n - 1)\n"),
        "step = jax.jit(f0, static_argnums=1)\nstep(jnp.ones(3), 9)" if size else "",
    )  # fmt: skip


@family(10, 50)
def cycle_of_callables(size: int) -> str:
    return text(
        IMPORTS, each(size, lambda i: f"def f{i}(g, x, n):\n    if n == {i}:\n        return g(x)\n    return f{(i + 1) % size}(g, g(x), n - 1)\n"),
        "@jax.jit\ndef step(x):\n    return f0(jnp.sin, x, 9) + f0(jnp.cos, x, 5)" if size else "",
    )  # fmt: skip


@family(10, 50)
def cycle_of_callables_and_constants(size: int) -> str:
    return text(
        IMPORTS, each(size, lambda i: f"def f{i}(g, x, mode='a'):\n    if mode == 'b':\n        return g(x)\n    return f{(i + 1) % size}(lambda y: g(y) + {i}, x, mode='m{i}')\n"),
        "@jax.jit\ndef step(x):\n    return f0(jnp.sin, x) + f0(jnp.cos, x, 'b')" if size else "",
    )  # fmt: skip


@family(8, 30)
def ladder_of_callables(size: int) -> str:
    """Each function hands two callables to the next one: 2 ** size ways from the top to the bottom."""
    return text(
        IMPORTS, "def f0(g, x):\n    return g(x)",
        each(size, lambda i: f"def f{i + 1}(g, x):\n    return f{i}(g, x) + f{i}(lambda y: g(y) + 1, x)\n"),
        f"@jax.jit\ndef step(x):\n    return f{size}(jnp.sin, x)",
    )  # fmt: skip


@family(8, 30)
def ladder_of_constants(size: int) -> str:
    return text(
        IMPORTS, "def f0(x, mode):\n    return x if mode == 'a' else x + 1",
        each(size, lambda i: f"def f{i + 1}(x, mode):\n    return f{i}(x, 'a') + f{i}(x, 'b') + f{i}(x, mode)\n"),
        f"@jax.jit\ndef step(x):\n    return f{size}(x, 'c')",
    )  # fmt: skip


@family(8, 30)
def ladder_of_steps(size: int) -> str:
    """As Fibonacci's numbers: each function calls the next one and the one after it."""
    return text(
        IMPORTS, "def f0(g, x):\n    return g(x)\ndef f1(g, x):\n    return g(x + 1)",
        each(size, lambda i: f"def f{i + 2}(g, x):\n    return f{i + 1}(g, x) + f{i}(g, x)\n"),
        f"@jax.jit\ndef step(x):\n    return f{size + 1}(jnp.sin, x) + f{size + 1}(lambda y: y, x)",
    )  # fmt: skip


@family(10, 40)
def ladder_of_keys(size: int) -> str:
    return text(
        IMPORTS, "def f0(key):\n    return jax.random.normal(key)",
        each(size, lambda i: f"def f{i + 1}(key):\n    return f{i}(key) + f{i}(key)\n"), f"f{size}(jax.random.key(0))",
    )  # fmt: skip


@family(10, 40)
def functions_of_callables(size: int) -> str:
    """As in a library of function objects: all take a callable and a constant, and most call others with theirs."""
    return text(
        IMPORTS, "def f0(op, x, n=3, kind='a'):\n    return op(x) * n",
        each(size, lambda i: f"""
            def f{i + 1}(op, x, n={i}, kind='k{i % 5}'):
                if kind == 'k{(i + 1) % 5}':
                    return f{i // 2}(op, x, n=n + 1, kind=kind)
                y = f{i // 3}(lambda v: op(v) + n, x, kind='k{i % 5}')
                return f{max(i - 1, 0)}(op, y, {i})
        """),
        "@jax.jit\ndef step(x):\n    pass", each(size, lambda i: f"x = f{i}(jnp.sin, x, {i})", 1), "    return x",
    )  # fmt: skip


@family(20, 100)
def decorators_of_one_maker(size: int) -> str:
    return text(
        IMPORTS, "def logged(f):\n    @functools.wraps(f)\n    def inner(*args):\n        print(args)\n        return f(*args)\n    return inner",
        each(size, lambda i: f"@jax.jit\n@logged\ndef f{i}(x):\n    return x + {i}\n"),
    )  # fmt: skip


@family(20, 100)
def decorators_with_arguments(size: int) -> str:
    return text(
        IMPORTS, "def scaled(by):\n    def outer(f):\n        def inner(x):\n            return f(x) * by\n        return inner\n    return outer",
        each(size, lambda i: f"@jax.jit\n@scaled({i})\ndef f{i}(x):\n    return x + {i}\n"),
    )  # fmt: skip


@family(20, 100)
def closures_of_one_maker(size: int) -> str:
    return text(
        IMPORTS, "def make(n):\n    def inner(x):\n        return x * n\n    return inner",
        each(size, lambda i: f"f{i} = jax.jit(make({i}))"), each(size, lambda i: f"f{i}(jnp.ones(3))"),
    )  # fmt: skip


@family(20, 100)
def closures_of_one_maker_in_a_function(size: int) -> str:
    return text(
        IMPORTS, "def make(n):\n    def inner(x):\n        return x * n\n    return inner", "@jax.jit\ndef step(x):\n    pass",
        each(size, lambda i: f"x = make({i})(x)", 1), "    return x",
    )  # fmt: skip


@family(20, 100)
def partials_of_constants(size: int) -> str:
    return text(
        IMPORTS, "def scaled(x, n, mode):\n    if mode == 'a':\n        return x\n    return x * n",
        each(size, lambda i: f"f{i} = jax.jit(functools.partial(scaled, n={i}, mode='m{i}'))"),
    )  # fmt: skip


@family(20, 100)
def called_with_constants(size: int) -> str:
    return text(
        IMPORTS, "def scaled(x, n, mode):\n    if mode == 'a':\n        return x\n    if n > 3:\n        print(x)\n    return x * n",
        "@jax.jit\ndef step(x):\n    pass", each(size, lambda i: f"x = scaled(x, {i}, 'm{i}')", 1), "    return x",
    )  # fmt: skip


@family(20, 100)
def called_with_callables(size: int) -> str:
    return text(
        IMPORTS, "def applied(f, x):\n    return f(x) + 1", each(size, lambda i: f"def g{i}(x):\n    return x * {i}\n"),
        "@jax.jit\ndef step(x):\n    pass", each(size, lambda i: f"x = applied(g{i}, x)", 1), "    return x",
    )  # fmt: skip


@family(20, 100)
def called_with_lambdas(size: int) -> str:
    return text(
        IMPORTS, "def applied(f, x):\n    return f(x) + 1", "@jax.jit\ndef step(x):\n    pass",
        each(size, lambda i: f"x = applied(lambda y: y * {i}, x)", 1), "    return x",
    )  # fmt: skip


@family(10, 50)
def called_with_callables_down_a_chain(size: int) -> str:
    return text(
        IMPORTS, "def a0(f, x):\n    return f(x)", each(size, lambda i: f"def a{i + 1}(f, x):\n    return a{i}(f, x) + 1\n"),
        f"@jax.jit\ndef step(x):\n    return a{size}(jnp.sin, x) + a{size}(lambda y: y, x)",
    )  # fmt: skip


@family(10, 50)
def composition_of_lambdas(size: int) -> str:
    return text(
        IMPORTS, "def after(f, g):\n    return lambda x: f(g(x))", "f0 = jnp.sin",
        each(size, lambda i: f"f{i + 1} = after(f{i}, lambda x: x + {i})"), f"step = jax.jit(f{size})\nstep(jnp.ones(3))",
    )  # fmt: skip


@family(20, 100)
def transforms_of_transforms(size: int) -> str:
    return text(
        IMPORTS, "def f0(x):\n    return x.sum()", each(size, lambda i: f"f{i + 1} = jax.jit(f{i})"), f"f{size}(jnp.ones(3))",
    )  # fmt: skip


@family(20, 100)
def gradients_in_a_row(size: int) -> str:
    return text(
        IMPORTS, each(size, lambda i: f"def loss_{i}(w):\n    return (w * {i}).sum()\n"), "@jax.jit\ndef step(w):\n    pass",
        each(size, lambda i: f"w = w - jax.grad(loss_{i})(w)", 1), "    return w",
    )  # fmt: skip


@family(20, 100)
def one_function_transformed_often(size: int) -> str:
    return text(
        IMPORTS, "def f(x, n):\n    if x > n:\n        return x\n    return x + n",
        each(size, lambda i: f"g{i} = jax.jit(f)\ng{i}(jnp.ones(3), {i})"),
    )  # fmt: skip


@family(20, 100)
def registry_of_callables(size: int) -> str:
    return text(
        IMPORTS, each(size, lambda i: f"def f{i}(x):\n    return x + {i}\n"),
        "TABLE = {", each(size, lambda i: f"'f{i}': f{i},", 1), "}", "@jax.jit\ndef step(x):\n    pass",
        each(size, lambda i: f"x = TABLE['f{i}'](x)", 1), "    return x",
    )  # fmt: skip


@family(20, 100)
def registry_asked_by_an_unknown_name(size: int) -> str:
    return text(
        IMPORTS, each(size, lambda i: f"def f{i}(x):\n    return x + {i}\n"),
        "TABLE = {", each(size, lambda i: f"'f{i}': f{i},", 1), "}", "@jax.jit\ndef step(x, name):\n    return TABLE[name](x)",
    )  # fmt: skip


@family(20, 100)
def registry_filled_by_a_decorator(size: int) -> str:
    return text(
        IMPORTS, "TABLE = {}\ndef register(f):\n    TABLE[f.__name__] = f\n    return f",
        each(size, lambda i: f"@register\ndef f{i}(x):\n    return x + {i}\n"), "@jax.jit\ndef step(x, name):\n    return TABLE[name](x)",
    )  # fmt: skip


@family(20, 100)
def list_of_callables(size: int) -> str:
    return text(
        IMPORTS, each(size, lambda i: f"def f{i}(x):\n    return x + {i}\n"), "ALL = [", each(size, lambda i: f"f{i},", 1), "]",
        "@jax.jit\ndef step(x):\n    for f in ALL:\n        x = f(x)\n    return x",
    )  # fmt: skip


@family(20, 100)
def inner_functions(size: int) -> str:
    return text(
        IMPORTS, "@jax.jit\ndef step(x):\n    pass",
        each(size, lambda i: f"def inner_{i}(y):\n    return y + x * {i}\nz{i} = inner_{i}(x)", 1), "    return x",
    )  # fmt: skip


@family(20, 100)
def inner_functions_that_call_each_other(size: int) -> str:
    return text(
        IMPORTS, "@jax.jit\ndef step(x):\n    def inner_0(y):\n        return y",
        each(size, lambda i: f"def inner_{i + 1}(y):\n    return inner_{i}(y) + x", 1), f"    return inner_{size}(x)",
    )  # fmt: skip


@family(20, 100)
def defaults_that_are_functions(size: int) -> str:
    return text(
        IMPORTS, "def f0(x):\n    return x", each(size, lambda i: f"def f{i + 1}(x, g=f{i}):\n    return g(x) + 1\n"),
        f"step = jax.jit(f{size})\nstep(jnp.ones(3))",
    )  # fmt: skip


@family(20, 100)
def many_parameters(size: int) -> str:
    names = ", ".join(f"p{i}" for i in range(size + 1))
    given = ", ".join(f"p{i}=x" for i in range(size + 1))
    return text(
        IMPORTS, f"def helper({names}):\n    x = p0", each(size, lambda i: f"x = x + p{i}", 1), "    return x",
        f"@jax.jit\ndef step(x):\n    return helper({given})",
    )  # fmt: skip


@family(20, 100)
def many_keywords(size: int) -> str:
    given = ", ".join(f"p{i}=x" for i in range(size + 1))
    return text(
        IMPORTS, "def helper(**options):\n    x = 0", each(size, lambda i: f"x = x + options['p{i}']", 1), "    return x",
        f"@jax.jit\ndef step(x):\n    return helper({given})",
    )  # fmt: skip


@family(20, 100)
def recursions(size: int) -> str:
    return text(
        IMPORTS, each(size, lambda i: f"def f{i}(x, n):\n    return x if n == 0 else f{i}(x + 1, n - 1)\n"),
        "@jax.jit\ndef step(x):\n    pass", each(size, lambda i: f"x = f{i}(x, {i})", 1), "    return x",
    )  # fmt: skip


@family(20, 100)
def custom_derivatives(size: int) -> str:
    return text(
        IMPORTS, each(size, lambda i: f"""
            @jax.custom_vjp
            def f{i}(x):
                return x
            def f{i}_forward(x):
                return f{i}(x), x
            def f{i}_backward(kept, g):
                return (g * kept,)
            f{i}.defvjp(f{i}_forward, f{i}_backward)
        """),
    )  # fmt: skip


@family(20, 100)
def static_arguments(size: int) -> str:
    return text(
        IMPORTS, each(size, lambda i: f"""
            @functools.partial(jax.jit, static_argnames=("n",))
            def f{i}(x, n, m):
                if n > m:
                    return x
                return x + {i}
            f{i}(jnp.ones(3), {i}, {i})
        """),
    )  # fmt: skip
