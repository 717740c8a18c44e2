"""Names of settings and of variables of the environment that JAX does not know, but for a slip, and settings that are
set as attributes.

jax.config.update("jax_enable_x46", True)       raises AttributeError
jax.config.jax_enable_x64 = True                raises AttributeError; of some settings, nobody reads it
os.environ["JAX_ENABEL_X64"] = "1"              nobody reads it
"""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache

from flake8_jax.analysis.checks.startup.missed import SettingMissed
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.summaries.deferral import emit
from flake8_jax.api import startup
from flake8_jax.domain.provenance import Context
from flake8_jax.ir.ops import Op

NEAR = 0.87
"""How alike two names are, of which one is a slip of the other."""

SETTINGS = "jax.config"
SETTING_STARTS, VARIABLE_STARTS = ("jax_",), ("JAX_", "XLA_", "CUDA_VIS", "LIBTPU_")


def check_spelled(frame: Frame, op: Op, name: str, is_environment: bool) -> None:
    """Report a name that is a slip of a known one."""
    meant = _meant(name, is_environment)
    if meant and not (is_environment and _is_read(op, name)):
        by = "os.environ" if is_environment else "jax.config.update"
        event = SettingMissed(op, name, "unknown", by, f"use `{meant}`", Context())
        emit(frame, (SettingMissed, op, name), lambda: event)


def check_assigned(frame: Frame, op: Op, name: str) -> None:
    """Report an attribute of JAX's settings that is set, under a known name or a slip of one."""
    if meant := name if name in startup.known_settings() else _meant(name, is_environment=False):
        instead = f'use `jax.config.update("{meant}", ...)`'
        event = SettingMissed(op, name, "unknown", "attribute", instead, Context())
        emit(frame, (SettingMissed, op, name), lambda: event)


@cache
def _meant(name: str, is_environment: bool) -> str:
    if not name.startswith(VARIABLE_STARTS if is_environment else SETTING_STARTS):
        return ""
    known = _variables() if is_environment else startup.known_settings()
    if name in known:
        return ""
    return next(iter(get_close_matches(name, known, 1, NEAR)), "")


@cache
def _variables() -> frozenset[str]:
    settings = {name.upper() for name in startup.known_settings() if name.startswith(startup.PREFIX)}
    return frozenset((*settings, *startup.read().environment))


def _is_read(op: Op, name: str) -> bool:
    """Does the file name a variable more than once, since it reads it itself?"""
    return op.anchor.origin.source.text.count(name) > 1
