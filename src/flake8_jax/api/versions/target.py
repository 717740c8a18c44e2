"""The releases of libraries that a project is judged by: from the oldest that it allows to the newest.

--jax-target 0.10                  0.10.2 alone, the newest known of these
pyproject.toml: jax>=0.4.30,<0.7   0.4.30 to 0.6.2
nothing                            the newest known; the installed one, where the project's own environment runs us
"""

from __future__ import annotations

import os
import re
import sys
from contextlib import suppress
from functools import cache

from flake8_jax.api.versions import DISTRIBUTIONS, ReleaseNumber, newest, parsed, releases, spelled
from flake8_jax.api.versions.implied import allow, bounds_of_jax
from flake8_jax.api.versions.requirements import (
    Required,
    asserted_block,
    bounds_of,
    digests_of,
    project_name,
    required,
    required_by,
    script_block,
)
from flake8_jax.lazy_dataclasses import dataclass, field, replace

OPTION = "--jax-target"
NEWEST = "the newest known"
JAX = "jax"
TITLES = {
    "jax": "JAX", "flax": "Flax", "optax": "Optax", "equinox": "Equinox", "haiku": "Haiku", "numpyro": "NumPyro",
    "orbax": "Orbax", "chex": "Chex",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Allowed:
    """The releases of one library: the oldest, () where nothing bounds it, the newest, and what says so."""

    library: str
    lowest: ReleaseNumber
    highest: ReleaseNumber
    whence: str

    def title(self, version: ReleaseNumber) -> str:
        """A release as messages call it: `JAX 0.10.2`."""
        return f"{TITLES.get(self.library, self.library)} {spelled(version)}"

    def spans(self, since: ReleaseNumber, until: ReleaseNumber) -> bool:
        """Is a name that is there from one release up to another there in all of these?"""
        lowest = self.lowest or (releases(self.library) or ((),))[0]
        return since <= lowest and (not until or self.highest < until)


@dataclass(frozen=True, slots=True)
class TargetReleases:
    """What a project is judged by: an option, its folder, a script's own block; equal ones give equal findings.

    `reading` counts how often requirements were forgotten before: a later one may find others in the same folder.
    """

    told: str | None = None
    root: str | None = None
    script: str | None = None
    reading: int = field(default_factory=lambda: len(_forgotten))

    def allowed(self, library: str) -> Allowed:
        """The releases of a library."""
        return _allowed(library, self.told, self.root, self.script)

    def for_file(self, text: str) -> TargetReleases:
        """What a file is judged by, which may be a script that says so itself, or assert it."""
        block = script_block(text) or asserted_block(text)
        return self if block is None else replace(self, script=block)


@cache
def _allowed(library: str, told: str | None, root: str | None, script: str | None) -> Allowed:
    if told is not None and library == JAX:
        return _within(library, told_as(told), OPTION)
    name = DISTRIBUTIONS.get(library, library)
    wanted = required_by(script).get(name) if script is not None else None
    wanted = wanted or (_required(root).get(name) if root is not None else None)
    if wanted is not None and (found := _within(library, wanted, wanted.source)).highest:
        return found if library == JAX else _beside(found, _allowed(JAX, told, root, script))
    own = installed_for(root).get(library) if root is not None else None
    if own is not None:
        return Allowed(library, own, own, "installed in the project's environment")
    return _implied(library, told, root, script)


def _beside(found: Allowed, jax: Allowed) -> Allowed:
    """The releases of a library that are allowed and go with the JAX that is said, too: `flax>=0.10`, `jax==0.4.38`."""
    if jax.whence == NEWEST:
        return found
    fitting = allow(found.library, releases(found.library), jax.highest)
    both = [one for one in fitting if found.lowest <= one <= found.highest]
    return replace(found, highest=both[-1]) if both and both[-1] < found.highest else found


def _implied(library: str, told: str | None, root: str | None, script: str | None) -> Allowed:
    """The releases of a library of which nobody says anything: those that go with what is said of others."""
    known = releases(library)
    if library == JAX:
        own = required_by(script) if script is not None else {}
        wanted = bounds_of_jax({**(_required(root) if root is not None else {}), **own})
        return _within(library, wanted, wanted.source) if wanted is not None else _unbounded(library, known)
    jax = _allowed(JAX, told, root, script)
    beside = (allow(library, known, jax.highest) or known[:1]) if jax.whence != NEWEST else known
    if len(beside) == len(known):
        return _unbounded(library, known)
    return replace(_unbounded(library, beside), whence=f"the newest beside {jax.title(jax.highest)}")


def _unbounded(library: str, known: tuple[ReleaseNumber, ...]) -> Allowed:
    return Allowed(library, (), known[-1] if known else (), NEWEST)


def told_as(text: str) -> Required:
    """What an option states: a release, or bounds; raises `ValueError` for what is neither."""
    bounds = bounds_of(text)
    if re.fullmatch(r"\d+(\.\d+)*", text.strip()):
        bounds = (("==", text.strip()),)
    if not bounds:
        raise ValueError(text)
    return Required((bounds,), OPTION)


def _within(library: str, wanted: Required, whence: str) -> Allowed:
    """The known releases that are allowed; what is beyond them counts as the nearest."""
    known = releases(library)
    (bounds, *_) = wanted.alternatives
    if len(wanted.alternatives) == 1 and len(bounds) == 1 and bounds[0][0] in ("==", "===", "=") and whence == OPTION:
        one = newest(library, parsed(bounds[0][1]))
        return Allowed(library, one, one, whence)
    fitting = [release for release in known if wanted.allows(release)]
    if not fitting:
        both = (bound for bounds in wanted.alternatives for bound in bounds)
        pinned = max((parsed(version) for sign, version in both if "=" in sign), default=())
        one = newest(library, pinned) if pinned and known else ()
        return Allowed(library, one, one, whence)
    return Allowed(library, fitting[0] if wanted.has_lower else (), fitting[-1], whence)


def state_of(root: str) -> tuple[object, ...]:
    """What findings about releases depend on beside the code and the options: plain data, equal if they are."""
    files = [(os.path.relpath(path, root), digest) for path, digest in digests_of(root)]
    return files, sorted(installed_for(root).items())


_forgotten: list[None] = []
"""One for each time."""


def forget() -> None:
    """Read anew what projects require and what is installed: for a process that outlives a change of these."""
    _forgotten.append(None)
    for known in (_allowed, _required, installed_for):
        known.cache_clear()


@cache
def _required(root: str) -> dict[str, Required]:
    return required(root)


@cache
def installed_for(root: str) -> dict[str, ReleaseNumber]:
    """The installed libraries, if this runs in the project's own environment: where it is installed, or below it."""
    records = dict(_records())
    name = project_name(root)
    is_own = bool(name) and name in records
    if not is_own and not os.path.abspath(sys.prefix).startswith(os.path.join(os.path.abspath(root), "")):
        return {}
    names = {DISTRIBUTIONS.get(library, library): library for library in TITLES}
    return {names[each]: parsed(version) for each, version in records.items() if each in names}


def _records() -> list[tuple[str, str]]:
    """The installed packages, as their metadata calls them."""
    found = []
    for folder in sys.path:
        with suppress(OSError), os.scandir(folder or ".") as entries:
            for entry in entries:
                if not entry.name.endswith("-info"):
                    continue
                record = re.fullmatch(r"(.+?)-(\d[^-]*)\.(?:dist|egg)-info", entry.name)
                if record is not None:
                    found.append((re.sub(r"[-_.]+", "-", record[1]).lower(), record[2]))
    return found
