"""What `transforms` and `key-consumers` let stand for a function of JAX that there is not: such a row has no effect."""

from __future__ import annotations

from collections.abc import Iterator

from flake8_jax.model.config import Config
from flake8_jax.model.spelling import nearest

JAX = "jax."


def in_vain(config: Config) -> Iterator[str]:
    """For each name that stands for an unknown function of JAX, what is wrong with its row."""
    stated = config.equivalents()
    if not any(name.startswith(JAX) for name in stated.values()):
        return
    from flake8_jax.api import table

    known = table.load(config.jax_version)
    for own, name in stated.items():
        if name.startswith(JAX) and not any(known.known(known.canonical(name))):
            beside = {row.partition("/")[2] for row in known.row_ids()}
            near = nearest(name, (each for each in beside if each.rpartition(".")[0] == name.rpartition(".")[0]))
            meant = f"; did you mean {near}?" if near is not None else ""
            yield f"{own}:like={name} has no effect: nothing is known of {name}{meant}"
