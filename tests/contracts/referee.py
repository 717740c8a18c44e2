"""JAX as the referee: which sites of a program raise when they are traced, and what."""

from __future__ import annotations

import warnings
from typing import Any

from tests.contracts.writing import ContractProgram


def raised(program: ContractProgram) -> dict[int, str]:
    """The error of each site, "" if there is none."""
    import jax

    names: dict[str, Any] = {"__name__": "program"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(program.text, "program.py", "exec"), names)
        return {site.number: _error_of(jax, names[f"run_{site.number}"]) for site in program.sites}


def _error_of(jax: Any, run: Any) -> str:
    try:
        jax.eval_shape(lambda: (run(), None)[1])
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""
