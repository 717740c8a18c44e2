"""Classes: many of one shape, wide ones, long chains of inheritance, and objects that are handed around."""

from __future__ import annotations

from tests.growth.family import each, family, text

IMPORTS = """
    import abc
    import dataclasses

    import equinox as eqx
    import flax.linen as nn
    import jax
    import jax.numpy as jnp
    from flax import nnx
"""


@family(20, 100)
def classes_with_one_method(size: int) -> str:
    return text(
        IMPORTS, each(size, lambda i: f"""
            class C{i}:
                @jax.jit
                def apply(self, x):
                    return x + {i}
        """),
    )  # fmt: skip


@family(20, 100)
def objects_given_to_one_function(size: int) -> str:
    return text(
        IMPORTS, "def run(model, x):\n    return model.apply(x)",
        each(size, lambda i: f"class C{i}:\n    def apply(self, x):\n        return x + {i}\n"),
        "@jax.jit\ndef step(x):\n    pass", each(size, lambda i: f"x = run(C{i}(), x)", 1), "    return x",
    )  # fmt: skip


@family(20, 100)
def objects_of_one_class_with_constants(size: int) -> str:
    return text(
        IMPORTS, "class C:\n    def __init__(self, n):\n        self.n = n\n    def apply(self, x):\n        return x if self.n > 3 else x * self.n",
        "def run(model, x):\n    return model.apply(x)",
        "@jax.jit\ndef step(x):\n    pass", each(size, lambda i: f"x = run(C({i}), x)", 1), "    return x",
    )  # fmt: skip


@family(20, 100)
def objects_with_callables(size: int) -> str:
    return text(
        IMPORTS, "class C:\n    def __init__(self, f):\n        self.f = f\n    def apply(self, x):\n        return self.f(x)",
        "@jax.jit\ndef step(x):\n    pass", each(size, lambda i: f"x = C(lambda y: y + {i}).apply(x)", 1), "    return x",
    )  # fmt: skip


@family(20, 100)
def objects_that_hold_objects(size: int) -> str:
    return text(
        IMPORTS, "class C:\n    def __init__(self, inner):\n        self.inner = inner\n    def apply(self, x):\n        return self.inner.apply(x) + 1",
        "class Last:\n    def apply(self, x):\n        return x",
        "@jax.jit\ndef step(x):\n    c0 = Last()", each(size, lambda i: f"c{i + 1} = C(c{i})", 1), f"    return c{size}.apply(x)",
    )  # fmt: skip


@family(20, 100)
def classes_that_hold_classes(size: int) -> str:
    return text(
        IMPORTS, "class C0:\n    def apply(self, x):\n        return x",
        each(size, lambda i: f"class C{i + 1}:\n    def __init__(self):\n        self.inner = C{i}()\n    def apply(self, x):\n        return self.inner.apply(x) + 1\n"),
        f"@jax.jit\ndef step(x):\n    return C{size}().apply(x)",
    )  # fmt: skip


@family(20, 100)
def wide_class_in_a_chain(size: int) -> str:
    return text(
        IMPORTS, "class Wide:\n    def m0(self, x):\n        return x",
        each(size, lambda i: f"def m{i + 1}(self, x):\n    return self.m{i}(x) + 1\n", 1),
        f"    @jax.jit\n    def step(self, x):\n        return self.m{size}(x)",
    )  # fmt: skip


@family(20, 100)
def wide_class_in_a_chain_from_the_top(size: int) -> str:
    return text(
        IMPORTS, f"class Wide:\n    @jax.jit\n    def step(self, x):\n        return self.m0(x)",
        each(size, lambda i: f"def m{i}(self, x):\n    return self.m{i + 1}(x) + 1\n", 1), f"    def m{size}(self, x):\n        return x",
    )  # fmt: skip


@family(20, 100)
def wide_class_of_two_calls(size: int) -> str:
    return text(
        IMPORTS, "class Wide:\n    def m0(self, x):\n        return x\n    def m1(self, x):\n        return x",
        each(size, lambda i: f"def m{i + 2}(self, x):\n    return self.m{i}(x) + self.m{i + 1}(x)\n", 1),
        f"    @jax.jit\n    def step(self, x):\n        return self.m{size}(x)",
    )  # fmt: skip


@family(20, 100)
def wide_class_of_fields(size: int) -> str:
    return text(
        IMPORTS, "class Wide:\n    def __init__(self, n):\n        self.n = n", each(size, lambda i: f"self.f{i} = n + {i}", 2),
        "    @jax.jit\n    def step(self, x):\n        pass", each(size, lambda i: f"x = x + self.f{i}", 2), "        return x",
        "Wide(3).step(jnp.ones(3))",
    )  # fmt: skip


@family(20, 100)
def wide_class_of_methods_with_stores(size: int) -> str:
    return text(
        IMPORTS, "class Wide:\n    def __init__(self):\n        self.n = 0",
        each(size, lambda i: f"def m{i}(self, x):\n    self.f{i} = x\n    self.n = self.n + 1\n    return x\n", 1),
        "    @jax.jit\n    def step(self, x):\n        pass", each(size, lambda i: f"x = self.m{i}(x)", 2), "        return x",
    )  # fmt: skip


@family(20, 100)
def wide_class_of_jitted_methods(size: int) -> str:
    return text(
        IMPORTS, "import functools\nclass Wide:\n    def __init__(self, n):\n        self.n = n",
        each(size, lambda i: f"""
            @functools.partial(jax.jit, static_argnums=0)
            def m{i}(self, x):
                if x > self.n:
                    return x
                return x + {i}
        """, 1),
        "model = Wide(3)", each(size, lambda i: f"model.m{i}(jnp.ones(3))"),
    )  # fmt: skip


@family(20, 100)
def properties(size: int) -> str:
    return text(
        IMPORTS, "class Wide:\n    def __init__(self, x):\n        self.p0 = x",
        each(size, lambda i: f"@property\ndef p{i + 1}(self):\n    return self.p{i} + 1\n", 1),
        f"@jax.jit\ndef step(x):\n    return Wide(x).p{size}",
    )  # fmt: skip


@family(20, 100)
def chain_of_inheritance(size: int) -> str:
    return text(
        IMPORTS, "class C0:\n    def __init__(self):\n        self.n = 1\n    def apply(self, x):\n        return x",
        each(size, lambda i: f"class C{i + 1}(C{i}):\n    def apply(self, x):\n        return super().apply(x) + self.n\n"),
        f"@jax.jit\ndef step(x):\n    return C{size}().apply(x)",
    )  # fmt: skip


@family(20, 100)
def chain_of_inheritance_without_overriding(size: int) -> str:
    return text(
        IMPORTS, "class C0:\n    def apply(self, x):\n        return x", each(size, lambda i: f"class C{i + 1}(C{i}):\n    field_{i} = {i}\n"),
        "@jax.jit\ndef step(x):\n    pass", each(size, lambda i: f"x = C{i}().apply(x)", 1), "    return x",
    )  # fmt: skip


@family(20, 100)
def implementers_of_one_interface(size: int) -> str:
    return text(
        IMPORTS, "class Base(abc.ABC):\n    @abc.abstractmethod\n    def apply(self, x): ...\n    def run(self, x):\n        return self.apply(x) + 1",
        each(size, lambda i: f"class C{i}(Base):\n    def apply(self, x):\n        return x + {i}\n"),
        "@jax.jit\ndef step(model: Base, x):\n    return model.run(x)", each(size, lambda i: f"C{i}().run(jnp.ones(3))"),
    )  # fmt: skip


@family(20, 100)
def dataclass_of_fields(size: int) -> str:
    return text(
        IMPORTS, "@dataclasses.dataclass\nclass Wide:\n    first: int", each(size, lambda i: f"f{i}: float = {i}.0", 1),
        "@jax.jit\ndef step(x):\n    state = Wide(3)", each(size, lambda i: f"state = dataclasses.replace(state, f{i}=x)", 1), "    return state.first",
    )  # fmt: skip


@family(20, 100)
def record_of_fields(size: int) -> str:
    return text(
        IMPORTS, "from typing import NamedTuple\nclass Wide(NamedTuple):\n    first: int", each(size, lambda i: f"f{i}: float = {i}.0", 1),
        "@jax.jit\ndef step(x):\n    state = Wide(3)", each(size, lambda i: f"state = state._replace(f{i}=x)", 1), "    return state.first",
    )  # fmt: skip


@family(15, 60)
def equinox_layers(size: int) -> str:
    return text(
        IMPORTS, "class Net(eqx.Module):\n    first: jax.Array", each(size, lambda i: f"l{i}: eqx.nn.Linear", 1),
        "    def __init__(self, key):\n        self.first = key",
        each(size, lambda i: f"key, sub = jax.random.split(key)\nself.l{i} = eqx.nn.Linear(3, 3, key=sub)", 2),
        "    def __call__(self, x):\n        pass", each(size, lambda i: f"x = self.l{i}(x)", 2), "        return x",
        "@eqx.filter_jit\ndef step(net, x):\n    return net(x)\nstep(Net(jax.random.key(0)), jnp.ones(3))",
    )  # fmt: skip


@family(15, 60)
def linen_layers(size: int) -> str:
    return text(
        IMPORTS, "class Net(nn.Module):\n    @nn.compact\n    def __call__(self, x):\n        pass",
        each(size, lambda i: f"x = nn.Dense({i}, name='d{i}')(x)\nx = nn.relu(x)", 2), "        return x",
        "net = Net()\nparams = net.init(jax.random.key(0), jnp.ones(3))\nnet.apply(params, jnp.ones(3))",
    )  # fmt: skip


@family(15, 60)
def linen_setup(size: int) -> str:
    return text(
        IMPORTS, "class Net(nn.Module):\n    width: int = 3\n    def setup(self):\n        pass",
        each(size, lambda i: f"self.d{i} = nn.Dense(self.width)", 2),
        "    def __call__(self, x):\n        pass", each(size, lambda i: f"x = self.d{i}(x)", 2), "        return x",
        "net = Net()\nparams = net.init(jax.random.key(0), jnp.ones(3))\nnet.apply(params, jnp.ones(3))",
    )  # fmt: skip


@family(15, 60)
def nnx_layers(size: int) -> str:
    return text(
        IMPORTS, "class Net(nnx.Module):\n    def __init__(self, rngs: nnx.Rngs):\n        self.rngs = rngs",
        each(size, lambda i: f"self.d{i} = nnx.Linear(3, 3, rngs=rngs)", 2),
        "    def __call__(self, x):\n        pass", each(size, lambda i: f"x = self.d{i}(x)", 2), "        return x",
        "@nnx.jit\ndef step(net, x):\n    return net(x)\nstep(Net(nnx.Rngs(0)), jnp.ones(3))",
    )  # fmt: skip


@family(15, 60)
def modules_of_modules(size: int) -> str:
    return text(
        IMPORTS, "class N0(nn.Module):\n    @nn.compact\n    def __call__(self, x):\n        return nn.Dense(3)(x)",
        each(size, lambda i: f"class N{i + 1}(nn.Module):\n    @nn.compact\n    def __call__(self, x):\n        return N{i}()(x) + nn.Dense({i})(x)\n"),
        f"net = N{size}()\nparams = net.init(jax.random.key(0), jnp.ones(3))",
    )  # fmt: skip


@family(20, 100)
def methods_in_one_expression(size: int) -> str:
    return text(
        IMPORTS, "class C:\n    def m(self):\n        return self", "@jax.jit\ndef step(x):\n    pass",
        each(size, lambda i: f"c{i} = C().m().m().m().m().m().m()", 1), "    return x",
    )  # fmt: skip


@family(20, 100)
def list_of_objects(size: int) -> str:
    return text(
        IMPORTS, each(size, lambda i: f"class C{i}:\n    def apply(self, x):\n        return x + {i}\n"),
        "ALL = [", each(size, lambda i: f"C{i}(),", 1), "]", "@jax.jit\ndef step(x):\n    for one in ALL:\n        x = one.apply(x)\n    return x",
    )  # fmt: skip


@family(20, 100)
def pytrees(size: int) -> str:
    return text(
        IMPORTS, each(size, lambda i: f"""
            @jax.tree_util.register_pytree_node_class
            class C{i}:
                def __init__(self, x):
                    self.x = x
                def tree_flatten(self):
                    return (self.x,), None
                @classmethod
                def tree_unflatten(cls, aux, children):
                    return cls(*children)
        """),
    )  # fmt: skip


@family(20, 100)
def class_attributes(size: int) -> str:
    return text(
        IMPORTS, "class C:\n    n0 = 1", each(size, lambda i: f"n{i + 1} = n{i} + 1", 1),
        "    @jax.jit\n    def step(self, x):\n        pass", each(size, lambda i: f"x = x + self.n{i}", 2), "        return x",
    )  # fmt: skip
