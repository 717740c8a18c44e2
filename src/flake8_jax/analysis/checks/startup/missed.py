"""The event of a setting of JAX that is not obeyed, and how it is put right."""

from __future__ import annotations

from typing import Literal

from flake8_jax.domain.provenance import Context, Use
from flake8_jax.domain.startup import LateEffect, StartPhase
from flake8_jax.ir.ops import Function, Op
from flake8_jax.lazy_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SettingMissed:
    """A setting of JAX, by its `name`, has no effect or not the whole one, or raises.

    `form`: it comes too late and is "ignored", "raises", or is obeyed by "half"; or its name is "unknown", and
    `instead` is what is meant.  `by` is what sets it, `made` where, within callees; `earlier` is what took JAX to the
    `phase` in which it is too late, `subject` the name of what was made there.  `setter`: the function that does
    nothing wrong but to be called after what starts JAX outside of it.
    """

    op: Op
    name: str
    form: LateEffect | Literal["unknown"]
    by: str
    instead: str
    context: Context
    phase: StartPhase = "started"
    made: Use | None = None
    earlier: Use | None = None
    subject: str = ""
    setter: Function | None = None
