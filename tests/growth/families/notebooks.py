"""Notebooks of as many cells as the size says, in which names are bound and read across cells."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial

from tests.growth.family import Family, Files

HEAD = "import jax\nimport jax.numpy as jnp\nfrom jax import random\nkey = random.key(0)\nx = jnp.ones(3)\n"
CELLS: dict[str, Callable[[int], str]] = {
    "cells_that_draw": "key, sub = random.split(key)\nx = x + random.normal(sub)\nprint(x.mean(), {})".format,
    "cells_that_use_one_key": "y{0} = random.normal(key)\ny{0}.sum()".format,
    "cells_of_functions": "@jax.jit\ndef f{0}(x):\n    return x + {0}\nx = f{0}(x)".format,
    "cells_that_bind_again": "def f(x):\n    return x * {}\nx = jax.jit(f)(x)".format,
    "cells_of_magics": "%timeit jnp.sin(x)\n!ls {}\nx = x + 1".format,
}


def program(cell: Callable[[int], str], size: int) -> Files:
    """A notebook with a text above each cell."""
    cells = [_cell("code", HEAD)]
    for number in range(size):
        cells += [_cell("markdown", f"# {number}"), _cell("code", cell(number))]
    return {"book.ipynb": json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})}


def _cell(kind: str, text: str) -> dict[str, object]:
    code: dict[str, object] = {"outputs": [], "execution_count": None} if kind == "code" else {}
    return {"cell_type": kind, "metadata": {}, "source": text.splitlines(keepends=True), **code}


FAMILIES = [Family(name, partial(program, cell), 15, 100) for name, cell in CELLS.items()]
