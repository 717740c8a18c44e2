"""What an upgrade of JAX means for some files: uses of names, changes of behaviour that concern them, and the releases
on which all that they use is there.

    concerned(paths, "0.4.30", "0.10")      for each change of behaviour between, the lines that use what it is about
    fitting(paths)                          the releases that have every name and argument, and what excludes the others
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from flake8_jax.analysis.checks.releases.guards import guards_of
from flake8_jax.analysis.checks.releases.judging import judged
from flake8_jax.analysis.checks.releases.uses import BY_TEXT, NameUse, uses_of
from flake8_jax.api import versions
from flake8_jax.api.behaviours import Behaviour, between
from flake8_jax.api.versions import ReleaseNumber, spelled
from flake8_jax.api.versions.target import JAX, TargetReleases
from flake8_jax.ir.lower.files import lower
from flake8_jax.ir.ops import Module
from flake8_jax.lazy_dataclasses import dataclass, field
from flake8_jax.syntax.positions import line_of, unpacked
from flake8_jax.syntax.source import NotPython, SourceFile, TooDeep, Unreadable

EVERYWHERE = "*"


@dataclass(frozen=True, slots=True)
class UsePlace:
    """A line of a file."""

    path: str
    line: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}"


@dataclass(slots=True)
class FittingReleases:
    """The releases on which all names and arguments are there, oldest first, and what excludes the nearest others.

    `too_old` is what came with the oldest of them, `too_new` what the first release behind the newest lacks; if there
    are none, what the `nearest` lacks.
    """

    releases: list[ReleaseNumber]
    too_old: list[tuple[str, UsePlace]] = field(default_factory=list)
    too_new: list[tuple[str, UsePlace]] = field(default_factory=list)
    nearest: ReleaseNumber = ()


@dataclass(frozen=True, slots=True)
class ReadFile:
    """A file with its ops."""

    path: str
    source: SourceFile
    module: Module


def read(paths: Iterable[str]) -> list[ReadFile]:
    """The files that name JAX and can be read."""
    found = []
    for path in paths:
        try:
            source = SourceFile.read(path)
            if source.concerns_jax():
                found.append(ReadFile(path, source, lower(source, noted=BY_TEXT)))
        except (NotPython, TooDeep, Unreadable, RecursionError):
            continue
    return found


def concerned(files: Iterable[ReadFile], first: str, last: str) -> dict[Behaviour, list[UsePlace]]:
    """The changes of behaviour from one release to another that concern some files, with the lines, in order."""
    rows = between(first, last)
    roots = {name.partition(".")[0] for row in rows for name in row.names}
    found: dict[Behaviour, list[UsePlace]] = {}
    for file in files:
        uses = list(uses_of([file.module], roots))
        for row in rows:
            lines = dict.fromkeys(_lines(row, uses, file.source.lines))
            if lines:
                found.setdefault(row, []).extend(UsePlace(file.path, line) for line in sorted(lines))
    return {row: found[row] for row in rows if row in found}


def _lines(row: Behaviour, uses: list[NameUse], text: list[str]) -> Iterator[int]:
    lines = [_line(use) for use in uses if any(_is_meant(name, use) for name in row.names)]
    if not row.words:
        yield from lines
    elif lines or EVERYWHERE in row.names:
        yield from (number for number, line in enumerate(text, 1) if any(word in line for word in row.words))


def _line(use: NameUse) -> int:
    return line_of(use.op)


def _is_meant(name: str, use: NameUse) -> bool:
    """Is a use one of what a row names: `name`, `module.` for all below, `name(keyword)` for a call with that?"""
    wanted, _, keyword = name.rstrip(")").partition("(")
    if keyword:
        return use.name == wanted and use.call is not None and any(one == keyword for one, _ in use.call.keywords)
    return use.name.startswith(wanted) if wanted.endswith(".") else use.name == wanted and use.imported != use.name


def fitting(files: Iterable[ReadFile]) -> FittingReleases:
    """The releases of JAX that have every name and argument that some files use without asking for the release."""
    known = list(versions.releases(JAX))
    lacking: dict[ReleaseNumber, list[tuple[str, UsePlace]]] = {release: [] for release in known}
    told: set[tuple[str, str, tuple[str | None, ...]]] = set()
    for file in files:
        guards = guards_of(file.source)
        for use in uses_of([file.module], (JAX,)):
            keywords = tuple(name for name, _ in use.call.keywords) if use.call is not None else ()
            key = (use.name, use.module, keywords)
            line, column, _, _ = unpacked(use.op.place)
            if key in told or not versions.is_known(use.name) or guards.hold((line, column), use.name):
                continue
            told.add(key)
            for release in known:
                if missed := _missed(use, release):
                    lacking[release].append((missed, UsePlace(file.path, _line(use))))
    return _range(known, lacking)


def _missed(use: NameUse, release: ReleaseNumber) -> str:
    """What of a use a release lacks; "" for nothing."""
    row = versions.missing(use.name, release)
    row = row or (versions.not_imported(use.module, release) if use.module else None)
    if row is not None:
        return row.name
    for found in judged(use, TargetReleases(spelled(release))) if use.call is not None else ():
        if found.form in ("keyword", "places") and found.verdict == "removed":
            return f"{found.name}({found.what})"
    return ""


def _range(known: list[ReleaseNumber], lacking: dict[ReleaseNumber, list[tuple[str, UsePlace]]]) -> FittingReleases:
    fit = [release for release in known if not lacking[release]]
    if not fit:
        best = min(reversed(known), key=lambda release: len(lacking[release]), default=())
        return FittingReleases([], [], lacking.get(best, []), best)
    newest = fit[-1]
    oldest = newest
    for release in reversed(known):
        if release <= newest and not lacking[release]:
            oldest = release
        elif release < newest:
            break
    before = [release for release in known if release < oldest]
    behind = [release for release in known if release > newest]
    return FittingReleases(
        [release for release in fit if release >= oldest],
        lacking[before[-1]] if before else [], lacking[behind[0]] if behind else [],
    )  # fmt: skip
