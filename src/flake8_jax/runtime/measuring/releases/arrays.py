"""What JAX has beside the names of modules: methods and attributes of arrays, options of `jax.config`."""

from __future__ import annotations

from dataclasses import replace

from flake8_jax.runtime.measuring.releases.release import NamedObject, Release

ARRAY = "Array"
CLASS = ("jax._src.array", "ArrayImpl")
HOMES = ("jax._src.numpy.array_methods", "jax._src.numpy.lax_numpy")
METHODS, PROPERTIES = ("_array_methods", "_impl_only_array_methods"), "_array_properties"


CONFIG = "jax.config"


def setting_names(release: Release) -> dict[str, NamedObject]:
    """The options of JAX as attributes of `jax.config`."""
    return {f"{CONFIG}.{name}": NamedObject("value") for name in release.settings()} if release.root == "jax" else {}


def array_names(release: Release) -> dict[str, NamedObject]:
    """The public attributes of arrays as `Array.NAME`; nothing for a release that has no class of them yet."""
    own = release.members(*CLASS)
    home = next((home for home in HOMES if release.entries(home, PROPERTIES)), None)
    if not own or home is None:
        return {}
    found = {name: replace(one, kind="value") for name, one in release.entries(home, PROPERTIES).items()}
    for table in METHODS:
        found |= {name: replace(one, kind="def") for name, one in release.entries(home, table).items()}
    return {ARRAY: NamedObject("module", ARRAY), **{f"{ARRAY}.{name}": one for name, one in {**found, **own}.items()}}
