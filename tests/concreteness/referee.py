"""JAX as the referee: which uses of a program raise, all of them in one run.

Each use is a probe: what raises is noted, and another value stands in for it, so that the run goes on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.concreteness.writing import Program


def raising(program: Program) -> dict[int, str]:
    """The lines whose use raised in the run of a program, with the class of the exception."""
    import jax

    found: dict[int, str] = {}

    def at(line: int, use: Callable[[], Any], otherwise: Any) -> Any:
        try:
            return use()
        except Exception as error:
            found[line] = type(error).__name__
            return otherwise

    names: dict[str, Any] = {"_at": at, "__name__": "program"}
    exec(compile(program.probed, "program.py", "exec"), names)
    for name in program.abstract:
        jax.eval_shape(names[name])
    for name in program.concrete:
        names[name]()
    return found
