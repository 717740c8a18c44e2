"""When JAX reads its settings: what startup.toml states, and the names of settings that were measured."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from flake8_jax.api import measured
from flake8_jax.api.stated import toml
from flake8_jax.lazy_dataclasses import dataclass

STARTUP = Path(__file__).with_name("startup.toml")
UPDATES = frozenset(("jax.config.update", "jax.config.config.update"))
PREFIX = "jax_"


@dataclass(frozen=True, slots=True)
class Startup:
    """The content of startup.toml: for settings, variables and functions the phase and the effect; and names."""

    settings: Mapping[str, str]
    environment: Mapping[str, str]
    calls: Mapping[str, str]
    starting: frozenset[str]
    widths: frozenset[str]
    keys: frozenset[str]
    platforms: frozenset[str]
    accelerators: frozenset[str]


@cache
def read(path: Path = STARTUP) -> Startup:
    """The stated facts of this package."""
    data = toml(path.read_text(encoding="utf-8"))
    default = data["default"]
    return Startup(
        data["settings"], data["environment"], data["calls"], frozenset(data["starting"]["names"].split()),
        frozenset(default["widths"].split()), frozenset(default["keys"].split()),
        frozenset(default["platforms"].split()), frozenset(default["accelerators"].split()),
    )  # fmt: skip


@cache
def known_settings() -> frozenset[str]:
    """The names of JAX's settings in any version that was measured."""
    names: set[str] = set()
    for version in measured.versions():
        names.update(measured.Measured(version).of("startup").get("settings", {}))
    return frozenset(names)
