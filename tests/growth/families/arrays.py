"""Arrays: stores, views, updates, shapes, bounds, buffers of NumPy, and uses that must be concrete."""

from __future__ import annotations

from tests.growth.family import each, family, text

IMPORTS = """
    import jax
    import jax.numpy as jnp
    import numpy as np
"""


def _function(size: int, line: str, first: str = "pass", last: str = "return x", decorator: str = "@jax.jit") -> str:
    """A function; in `line`, `{I}` stands for the number of a part and `{P}` for that of the part before."""
    def numbered(i: int) -> str:
        return line.replace("{I}", str(i + 1)).replace("{P}", str(i))

    return text(
        IMPORTS, f"{decorator}\ndef step(x):\n    {first}", each(size, numbered, 1), "    " + last.replace("{I}", str(size)), "step(jnp.ones(3))",
    )  # fmt: skip


@family(30, 200)
def stores_into_items(size: int) -> str:
    return _function(size, "x[{I}] = x[0] * {I}")


@family(30, 200)
def stores_into_items_of_names(size: int) -> str:
    return _function(size, "y{I} = jnp.zeros(3)\ny{I}[0] = x[0]\nx = x + y{I}")


@family(30, 200)
def stores_augmented(size: int) -> str:
    return _function(size, "x[{I}] += 1")


@family(30, 200)
def stores_into_views(size: int) -> str:
    return _function(size, "view = x[{I}:]\nview[0] = 1")


@family(30, 200)
def updates(size: int) -> str:
    return _function(size, "x = x.at[{I}].set({I})")


@family(30, 200)
def updates_dropped(size: int) -> str:
    return _function(size, "x.at[{I}].set({I})")


@family(30, 200)
def updates_never_read(size: int) -> str:
    return _function(size, "y{I} = x.at[{I}].set({I})")


@family(30, 200)
def updates_never_applied(size: int) -> str:
    return _function(size, "y{I} = x.at[{I}]")


@family(20, 200)
def updates_in_one_expression(size: int) -> str:
    return _function(size, "x = x.at[{I}].set(1).at[2].add({I}).at[3].mul(x[0]).at[4].max(x[1])")


@family(30, 200)
def results_dropped(size: int) -> str:
    return _function(size, "jnp.sin(x)\nx.sort()\nx.reshape(-1)", decorator="")


@family(30, 200)
def results_dropped_of_helpers(size: int) -> str:
    return text(IMPORTS, "def helper(x):\n    return jnp.sin(x)\ndef step(x):\n    pass", each(size, lambda i: "helper(x)", 1), "    return x")


@family(30, 200)
def names_rebound_in_loops(size: int) -> str:
    return _function(size, "for row in rows:\n    row = row + {I}", "rows = [x, x]")


@family(30, 200)
def parameters_rebound_in_helpers(size: int) -> str:
    return text(
        IMPORTS, each(size, lambda i: f"def helper_{i}(x):\n    x += {i}\n"), "def step():\n    x = jnp.ones(3)",
        each(size, lambda i: f"helper_{i}(x)", 1), "    return x",
    )  # fmt: skip


@family(30, 200)
def sequences_as_arrays(size: int) -> str:
    return _function(size, "x = x + jnp.sum([x, {I}])")


@family(30, 200)
def numpy_names(size: int) -> str:
    return _function(size, "x = x.astype(float).clip(0).copy_{I}()")


@family(30, 200)
def numpy_of_traced(size: int) -> str:
    return _function(size, "x = np.sin(x) + np.cos(x)")


@family(30, 200)
def wide_types(size: int) -> str:
    return _function(size, "y{I} = jnp.zeros(3, dtype=jnp.float64)\nz{I} = x.astype('float64')")


@family(30, 200)
def truths_of_arrays(size: int) -> str:
    return _function(size, "if jnp.ones(3) > {I}:\n    pass", decorator="")


@family(30, 200)
def shapes_known(size: int) -> str:
    return _function(size, "y{I} = jnp.zeros(({I}, 3))\nz{I} = y{I}[{I}]\nx = x + y{I}.sum()")


@family(30, 200)
def shapes_in_a_chain(size: int) -> str:
    return _function(size, "y{I} = jnp.concatenate([y{P}, y{P}[:1]]).reshape(-1)", "y0 = jnp.zeros(3)", "return y{I}")


@family(30, 200)
def bounds_of_one_array(size: int) -> str:
    return _function(size, "x = x + rows[{I}]", "rows = jnp.zeros(7)")


@family(30, 200)
def bounds_in_loops(size: int) -> str:
    return _function(size, "for i in range({I}):\n    x = x + rows[i]", "rows = jnp.zeros(7)")


@family(30, 200)
def bounds_with_guards(size: int) -> str:
    return _function(size, "if len(rows) > {I}:\n    x = x + rows[{I}]", "rows = jnp.zeros(7)")


@family(30, 200)
def concrete_numbers(size: int) -> str:
    return _function(size, "y{I} = int(x[0]) + {I}\nz{I} = x.item()")


@family(30, 200)
def concrete_ranges(size: int) -> str:
    return _function(size, "y{I} = jnp.arange(x[0])\nz{I} = jnp.zeros(x.astype(int))")


@family(30, 200)
def data_dependent_shapes(size: int) -> str:
    return _function(size, "y{I} = jnp.nonzero(x)\nz{I} = x[x > {I}]")


@family(30, 200)
def statics_by_jnp(size: int) -> str:
    return _function(size, "n{I} = jnp.prod(jnp.array(x.shape))\nx = x.reshape(n{I})")


@family(30, 200)
def host_buffers(size: int) -> str:
    return _function(size, "buffer[0] = {I}\ny{I} = jnp.asarray(buffer)\nx = x + y{I}", "buffer = np.zeros(3)", decorator="")


@family(30, 200)
def host_buffers_of_their_own(size: int) -> str:
    return _function(size, "b{I} = np.zeros(3)\ny{I} = jnp.asarray(b{I})\nb{I}[0] = {I}\nx = x + y{I}", decorator="")


@family(30, 200)
def host_buffers_in_loops(size: int) -> str:
    return _function(size, "for i in range(3):\n    buffer[0] = i\n    rows.append(jnp.asarray(buffer))", "rows, buffer = [], np.zeros(3)", decorator="")


@family(30, 200)
def host_views(size: int) -> str:
    return _function(size, "v{I} = v{P}[:]", "v0 = np.zeros(3)\n    y = jnp.asarray(v0)", "v{I}[0] = 1\n    return y", decorator="")


@family(20, 100)
def references(size: int) -> str:
    return text(
        IMPORTS, "from jax.experimental import pallas as pl\ndef kernel(x_ref, o_ref):\n    pass",
        each(size, lambda i: f"o_ref[{i}] = x_ref[{i}] + 1\ny{i} = x_ref + {i}", 1),
        "def step(x):\n    return pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype))(x)",
    )  # fmt: skip


@family(30, 200)
def where_in_a_row(size: int) -> str:
    return _function(size, "x = jnp.where(x > {I}, x, 0)")


@family(30, 200)
def tree_maps(size: int) -> str:
    return _function(size, "tree = jax.tree.map(lambda a: a + {I}, tree)", "tree = {'a': x, 'b': (x, x)}", "return tree")
