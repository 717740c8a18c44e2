"""How far JAX has come on a path: imported, its backend started, arrays and keys made; and what was set.

    import jax                              imported: what it reads of the environment is read
    jax.devices()                           started: platform and devices are chosen
    x = jnp.ones(3)                         made: an array of the width that is set now
    jax.config.update("jax_platforms", ..)  too late

A function leaves to its callers what it reached and what it set, on which path.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

from flake8_jax.domain.conditions import Path
from flake8_jax.domain.provenance import Use
from flake8_jax.domain.resources import Iterations
from flake8_jax.domain.value import Value
from flake8_jax.ir.ops import Op
from flake8_jax.lazy_dataclasses import dataclass

StartPhase: TypeAlias = Literal["imported", "started", "made", "keyed"]
"""JAX is imported, its backend is started, an array of default width or a key of the default kind is made."""

LateEffect: TypeAlias = Literal["ignored", "raises", "half"]
"""What becomes of a setting that is made in a later phase: nothing, an error, or it counts for what is made from now
on, not for what is there."""

MAXIMUM_STEPS = 12
"""How many steps are known on a path."""


@dataclass(frozen=True, slots=True)
class PhaseReached:
    """A step of JAX's start: the phase, where, and by what.

    `value` is the array or key that was made; `file` is a file of the project whose import may take the step: it is
    looked into when somebody asks.
    """

    phase: StartPhase
    op: Op
    use: Use
    path: Path
    iterations: Iterations
    value: Value | None = None
    file: str = ""


@dataclass(frozen=True, slots=True)
class JaxSetting:
    """Something that is set: its name, how it is written, from which phase on it comes too late, and what then.

    `by` is the text that sets it: `jax.config.update`, `os.environ`.  `is_default`: JAX does the same by itself, or
    what needs it says it again.  `value` is the text that it is set to, as far as it is known.
    """

    name: str
    by: str
    phase: StartPhase
    effect: LateEffect
    is_environment: bool = False
    is_default: bool = False
    value: str | None = None


@dataclass(frozen=True, slots=True)
class SettingMade:
    """A setting that is made at an op, on a path; its place, and that within callees."""

    setting: JaxSetting
    op: Op
    use: Use
    path: Path
    iterations: Iterations


StartStep: TypeAlias = "PhaseReached | SettingMade"
StartSteps: TypeAlias = "tuple[StartStep, ...]"


def is_known(steps: StartSteps, step: StartStep) -> bool:
    """Was the same phase reached, or the same setting made, on every path that leads here?"""
    same = [one.path for one in steps if _is_same(one, step)]
    if not all(same):
        return True  # on every path
    here = frozenset(step.path) if same else frozenset()
    return any(here.issuperset(path) for path in same)


def _is_same(one: StartStep, other: StartStep) -> bool:
    if isinstance(one, SettingMade):
        return isinstance(other, SettingMade) and one.setting.name == other.setting.name
    if isinstance(other, SettingMade):
        return False
    return one.phase == other.phase and one.file == other.file and one.value is other.value


def added(steps: StartSteps, more: Iterable[StartStep]) -> StartSteps:
    """The steps with some more, without duplicates and up to a bound."""
    for step in more:
        if len(steps) < MAXIMUM_STEPS and not is_known(steps, step):
            steps = (*steps, step)
    return steps
