"""What is stated to be refused by transforms is refused, and what they take is taken."""

from __future__ import annotations

from typing import Any

import jax
import jax.experimental
import jax.numpy as jnp
import numpy as np
import pytest

from flake8_jax.api import stated
from flake8_jax.api.table import load

LIBRARY: Any = jax
REFUSED = (TypeError, ValueError, IndexError, AttributeError, jax.errors.JaxRuntimeError)
OPERANDS: dict[str, Any] = {
    "elems": np.ones(3), "fn": jnp.add, "tree": [1.0], "xs": np.ones(3), "init": 0.0, "length": None, "pred": True,
    "true_fun": jnp.sin, "false_fun": jnp.cos, "index": 0, "branches": [jnp.sin, jnp.cos], "init_val": 0, "lower": 0,
    "upper": 3, "primals": (1.0,), "tangents": (1.0,), "result_shape_dtypes": LIBRARY.ShapeDtypeStruct((), jnp.float32),
}  # fmt: skip
FUNCTIONS: dict[str, dict[str, Any]] = {
    "jax.lax.fori_loop": {"body_fun": lambda i, x: x},
    "jax.lax.scan": {"f": lambda carry, x: (carry, x)},
    "jax.lax.while_loop": {"cond_fun": lambda x: x < 3, "body_fun": lambda x: x + 1},
    "jax.tree.map_with_path": {"f": lambda path, x: x},
    "jax.debug.callback": {"callback": lambda x: None},
    "jax.pure_callback": {"callback": lambda x: np.float32(x)},
    "jax.experimental.io_callback": {"callback": lambda x: np.float32(x)},
}
EXTRA: dict[str, tuple[Any, ...]] = {
    "cond": (1.0,), "switch": (1.0,), "callback": (np.float32(1.0),), "pure_callback": (np.float32(1.0),),
    "io_callback": (np.float32(1.0),), "eval_shape": (1.0,), "linear_transpose": (1.0,), "vjp": (1.0,),
    "linearize": (1.0,),
}  # fmt: skip
IN_CALLS = frozenset(("jax.checkpoint", "jax.custom_jvp", "jax.custom_vjp"))
"""They ask for the function when what they return is called."""

WRONG: dict[str, list[dict[str, Any]]] = {
    "functions": [{"branches": jnp.sin}, {"branches": []}, {"branches": [1.0, jnp.sin]}],
    "scalar": [{"pred": np.ones(2)}, {"pred": [True]}, {"pred": "yes"}, {"pred": jnp.sin}],
    "integer": [{"index": 1.0}, {"index": True}, {"index": np.zeros(2, int)}, {"index": "one"}],
    "alike": [{"upper": 3.0}, {"lower": 0.0}, {"upper": True}, {"upper": np.ones(1, int)}, {"upper": range(3)}],
    "rows": [{"xs": None}, {"xs": ()}, {"xs": 3}, {"xs": np.ones(())}, {"xs": (np.ones(3), np.ones(4))}],
}
OTHERS: dict[str, Any] = {
    "f": lambda carry, x: ((carry, carry), x), "body_fun": lambda *xs: (xs, xs), "true_fun": lambda x: (x, x),
    "false_fun": lambda x: x > 0, "cond_fun": lambda x: 1.0 * x, "branches": [jnp.sin, lambda x: (x, x)],
}  # fmt: skip
"""Functions that return something else than they should."""


def _called(name: str, changed: dict[str, Any]) -> Any:
    transform = load().transform(name)
    assert transform is not None
    function: Any = LIBRARY
    for part in name.split(".")[1:]:
        function = getattr(function, part)
    given = {**OPERANDS, **FUNCTIONS.get(name, {}), **changed}
    names = [one.name for one in transform.parameters if one.kind in ("positional", "normal")]
    wanted = [one for one in names if one in given or one in ("f", "fun")]
    values = [given.get(one, jnp.sin) for one in wanted if one != "length"]
    if "mesh" in [one.name for one in transform.parameters]:
        spec = LIBRARY.sharding.PartitionSpec()
        return function(*values, mesh=jax.make_mesh((1,), ("i",)), in_specs=spec, out_specs=spec)
    return function(*values, *EXTRA.get(name.rpartition(".")[2], ()))


OF_JAX = sorted(name for name in stated.read().plain["demands"] if name.startswith("jax."))


@pytest.mark.parametrize("name", OF_JAX)
def test_what_a_transform_demands(name: str) -> None:
    transform = load().transform(name)
    assert transform is not None
    linear = {"fun": lambda x: 2 * x} if name == "jax.linear_transpose" else {}
    _called(name, linear)
    for demand in transform.demands:
        wrong = WRONG.get(demand.word, []) if demand.word != "function" else [{one: 1.0} for one in demand.parameters]
        wrong = [{one: OTHERS[one]} for one in demand.parameters] if demand.word == "results" else wrong
        for changed in wrong:
            with pytest.raises(REFUSED):
                _ended(name, changed)


def _ended(name: str, changed: dict[str, Any]) -> None:
    result = _called(name, changed)
    LIBRARY.block_until_ready(result(1.0) if name in IN_CALLS else result)
    LIBRARY.effects_barrier()
