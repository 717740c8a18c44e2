"""Keys that were used up and go on: carried, returned or stored in place of a fresh one."""

from __future__ import annotations

from dataclasses import dataclass

from flake8_jax.domain.provenance import Context, Use
from flake8_jax.ir.ops import Op


@dataclass(frozen=True, slots=True)
class KeyNotAdvanced:
    """A key that was used up goes on as if it were fresh.

    It is reported where it is used up: `use`; `goes_on` is where the old key goes on, `instead` what to write.
    """

    op: Op
    key: str
    use: Use
    goes_on: Use
    instead: str
    context: Context
    is_certain: bool = True
