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
PREFIX, PLATFORM = "jax_", "platform"
OFF = frozenset(("", "0", "f", "false", "n", "no", "off"))
"""What JAX takes for a switch that is off."""


@dataclass(frozen=True, slots=True)
class Startup:
    """The content of startup.toml: for settings, variables and functions the phase and the effect; and names.

    `off` are switches that are off by default, `values` what other settings are; `says` has one word for those that say
    the same, `obeyed` the platforms of which alone a device obeys one.
    """

    settings: Mapping[str, str]
    environment: Mapping[str, str]
    calls: Mapping[str, str]
    starting: frozenset[str]
    widths: frozenset[str]
    keys: frozenset[str]
    accelerators: frozenset[str]
    off: frozenset[str]
    values: Mapping[str, frozenset[str]]
    says: Mapping[str, str]
    obeyed: Mapping[str, frozenset[str]]

    def said(self, name: str) -> str:
        """What a setting or variable says, for all that say the same."""
        return self.says.get(name) or self.says.get(name.lower(), name.lower())

    def is_default(self, name: str, text: str) -> bool:
        """Does JAX do by itself what is set: an accelerator where there is one, a switch that is off, a value?"""
        lowered = text.strip().lower()
        if self.said(name) == PLATFORM:
            return not lowered or self.platform(text) in self.accelerators
        is_off = name.lower() in self.off and lowered in OFF
        return is_off or lowered in self.values.get(name, self.values.get(name.lower(), frozenset()))

    def platform(self, text: str) -> str:
        """The platform that is asked for, or the first of several."""
        return text.partition(",")[0].strip().lower()

    def is_obeyed(self, name: str, platform: str) -> bool:
        """May a device of a platform obey a setting?"""
        obeying = self.obeyed.get(name)
        return obeying is None or platform in obeying


@cache
def read(path: Path = STARTUP) -> Startup:
    """The stated facts of this package."""
    data = toml(path.read_text(encoding="utf-8"))
    default = data["default"]
    return Startup(
        data["settings"], data["environment"], data["calls"], frozenset(data["starting"]["names"].split()),
        frozenset(default["widths"].split()), frozenset(default["keys"].split()),
        frozenset(default["accelerators"].split()), frozenset(default["off"].split()),
        {name: frozenset(text.split()) for name, text in data["values"].items()},
        {name: said for said, names in data["alike"].items() for name in names.split()},
        {name: frozenset(platforms.split()) for platforms, names in data["obeyed"].items() for name in names.split()},
    )  # fmt: skip


@cache
def known_settings() -> frozenset[str]:
    """The names of JAX's settings in any version that was measured."""
    names: set[str] = set()
    for version in measured.versions():
        names.update(measured.Measured(version).of("startup").get("settings", {}))
    return frozenset(names)
