"""The history of each public name over the releases of a library, and what of it a table says: only what changed.

    row("jax.tree_map")   {"there": "-0.6.0", "called": [["0.4.26", "jax.tree_map is deprecated: use ..."]], ...}

Of names that a library had before the release from which on it is of interest (`since`), nothing is said but until when
it had them; parameters are those since then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import TypeAlias

from flake8_jax.model.documents import Json
from flake8_jax.runtime.measuring.releases.arrays import ARRAY, array_names, setting_names
from flake8_jax.runtime.measuring.releases.facts import FileFacts
from flake8_jax.runtime.measuring.releases.messages import replacements
from flake8_jax.runtime.measuring.releases.package import Package, numbers
from flake8_jax.runtime.measuring.releases.release import FileKey, KeptFacts, NamedObject, Release

Names: TypeAlias = Mapping[str, NamedObject]
HistoryRow: TypeAlias = dict[str, Json]
ALIKE = 0.8
"""The share of names that a module and the one that came in its place have in common."""


class Histories:
    """The names of every release of a library, oldest first, and what became of each."""

    def __init__(
        self, root: str, packages: Sequence[Package], since: str = "0", show: Callable[[str], object] = str
    ) -> None:
        self.root = root
        self.versions = [package.version for package in packages]
        self._floor = next((place for place, one in enumerate(self.versions) if numbers(one) >= numbers(since)), 0)
        self._names: list[Names] = []
        self._open: list[frozenset[str]] = []
        kept: KeptFacts = {}
        for package in packages:
            facts: KeptFacts = {}
            release = Release(root, package.files(root), _Earlier(kept, facts))
            self._names.append({**setting_names(release), **release.names(), **array_names(release)})
            self._open.append(frozenset(module for module in release.modules() if release.is_open(module)))
            kept = facts
            show(f"{root} {package.version}: {len(self._names[-1])} names")
        self._owners = [frozenset(_owners(names)) for names in self._names]
        self._moved: dict[str, tuple[list[str], bool]] = {}
        self._origins = _by_origin(self._names[-1])
        self._modules = _by_last(self._names[-1])

    def rows(self) -> dict[str, HistoryRow]:
        """What changed, by name."""
        found: dict[str, HistoryRow] = {self.root: {"releases": " ".join(self.versions)}}
        told = {name for names in self._names for name, one in names.items() if one.is_told}
        for name in sorted(told):
            if name not in (self.root, ARRAY) and (row := self.row(name)):
                found[name] = row
        return found

    def row(self, name: str) -> HistoryRow:
        """What changed of one name; nothing if it was always the same."""
        module = name.rpartition(".")[0]
        there = [self._is_there(place, module, name) for place in range(len(self.versions))]
        known = [names.get(name) for names in self._names]
        row: HistoryRow = {}
        if False in there and (ranges := self._ranges(there)) != "-":
            row["there"] = ranges
        for key, texts in (
            ("gone", [one.deprecated if one is not None and one.kind == "gone" else "" for one in known]),
            ("read", [one.deprecated if one is not None and one.kind != "gone" else "" for one in known]),
            ("called", [_said(one, "") for one in known]),
        ):
            if any(texts):
                row[key] = self._sayings(texts)
        row |= self._parameters(known)
        kinds = {one.kind for one in known if one is not None} - {"gone"}
        if "module" in kinds and len(kinds) > 1 and module != ARRAY:
            row["module"] = self._ranges([one is not None and one.kind == "module" for one in known])
        if module == ARRAY and len(kinds) > 1:
            row["kind"] = self._changes([one.kind if one is not None else None for one in known])
        now, is_same = self._now(name, known)
        if now and ("read" in row or "called" in row or not self._is_at_last(name)):
            row["now"] = now
            if is_same:
                row["same"] = True
        return row

    def _is_at_last(self, name: str) -> bool:
        found = self._names[-1].get(name)
        return found is not None and found.kind != "gone"

    def _is_there(self, place: int, module: str, name: str) -> bool | None:
        """Is a name in a release?  None where its module is not, which says it of the name, too, or is no module."""
        names = self._names[place]
        if module not in self._owners[place]:
            return None
        found = names.get(name)
        return (found is not None and found.kind != "gone") or (found is None and module in self._open[place])

    def _ranges(self, there: Sequence[bool | None]) -> str:
        """The releases that have a name, as ranges from the first to the first without: `-0.6.0 0.8.0-`."""
        ranges: list[str] = []
        held = list(_filled(there))
        place = 0
        for is_there, group in groupby(held):
            size = len(list(group))
            if is_there:
                since = self.versions[place] if place > self._floor else ""
                until = self.versions[place + size] if place + size < len(held) else ""
                ranges.append(f"{since}-{until}")
            place += size
        return " ".join(ranges)

    def _changes(self, texts: Sequence[str | None]) -> list[Json]:
        """Each text, with the first release in which it holds; the first is "" where it held from the beginning."""
        found: list[Json] = []
        place = 0
        for text, group in groupby(texts):
            if found or text:
                found.append([self.versions[place] if place else "", text])
            place += len(list(group))
        return found

    def _sayings(self, texts: Sequence[str]) -> list[Json]:
        """What is said, in the last words of each time, and nothing of the end."""
        last = list(texts)
        for place in reversed(range(len(last) - 1)):
            if last[place] and last[place + 1]:
                last[place] = last[place + 1]
        return self._changes(last)

    def _parameters(self, known: Sequence[NamedObject | None]) -> HistoryRow:
        """The parameters of a function, where their names or kinds changed, and what is said of one that is given."""
        texts: list[str | None] = []
        for one in known:
            texts.append(one.parameters if one is not None else (texts[-1] if texts else None))
        row: HistoryRow = {}
        texts[: self._floor] = [texts[self._floor]] * self._floor
        if len({_names_in(text) for text in texts if text is not None}) > 1:
            row["parameters"] = self._changes(_steady(texts))
        given = {said.parameter for one in known if one is not None for said in one.warned if said.parameter}
        if given:
            row["given"] = {each: self._sayings([_said(one, each) for one in known]) for each in sorted(given)}
        return row

    def _now(self, name: str, known: Sequence[NamedObject | None]) -> tuple[list[str], bool]:
        """What to use in its place, and whether that takes the same arguments."""
        last = next((one for one in reversed(known) if one is not None and one.kind != "gone"), None)
        texts = [text for one in known if one is not None for text in (one.deprecated, _said(one, "")) if text]
        said = [each for text in reversed(texts) for each in replacements(text)]
        newest = self._names[-1]
        usable = [each for each in dict.fromkeys(said) if each != name and self._is_usable(each)]
        found = [each for each in usable if not name.startswith(f"{each}.")]
        if found:
            is_same = last is not None and all(self._is_like(name, last, newest[each], each) for each in found)
            is_same = is_same or (len(found) == 1 and self._were_one(name, found[0]))
            return found, is_same
        if last is None or self._is_at_last(name):
            return [], False
        if last.kind == "module":
            return self._module_now(name)
        if self._module_now(name.rpartition(".")[0])[0]:
            return [], False  # it went there with its module
        moved = [each for each in self._origins.get(last.origin, []) if each != name and self._is_usable(each)]
        for called in (name, last.origin):
            alike = [each for each in moved if each.rpartition(".")[2] == called.rpartition(".")[2]]
            if alike:
                return alike[:1], True
        return [], False

    def _is_like(self, name: str, last: NamedObject, other: NamedObject, now: str) -> bool:
        """Can another name stand wherever this one did?"""
        if last.kind == other.kind == "module":
            return self._members_at_last(name) <= _members(self._names[-1], now)
        return _is_like(last, other)

    def _were_one(self, name: str, now: str) -> bool:
        """Did a release have the same object, or all of a module, under both names?"""
        for names in reversed(self._names):
            one, other = names.get(name), names.get(now)
            if one is None or other is None or "gone" in (one.kind, other.kind):
                continue
            if one.kind == other.kind == "module":
                return _members(names, name) <= _members(names, now)
            return bool(one.origin) and one.origin == other.origin
        return False

    def _members_at_last(self, name: str) -> set[str]:
        """The names of a module in the last release that has it."""
        last = next(names for names in reversed(self._names) if name in names and names[name].kind != "gone")
        return _members(last, name)

    def _is_usable(self, name: str) -> bool:
        found = self._names[-1].get(name)
        return found is not None and found.kind != "gone" and found.is_told and not found.deprecated

    def _module_now(self, name: str) -> tuple[list[str], bool]:
        if name not in self._moved:
            self._moved[name] = self._find_module(name)
        return self._moved[name]

    def _find_module(self, name: str) -> tuple[list[str], bool]:
        if name == ARRAY or self._is_at_last(name):
            return [], False
        if not any(name in names and names[name].kind != "gone" for names in self._names):
            return [], False
        own = self._members_at_last(name)
        for other in self._modules.get(name.rpartition(".")[2], []):
            there = _members(self._names[-1], other)
            if own and other != name and len(own & there) >= ALIKE * len(own):
                return [other], own <= there
        return [], False


class _Earlier(dict[FileKey, FileFacts]):
    """What files said, of this release and of the one before, so that what did not change is read once."""

    def __init__(self, before: KeptFacts, now: KeptFacts) -> None:
        self._before, self._now = before, now

    def __missing__(self, key: FileKey) -> FileFacts:
        found = self._now[key] if key in self._now else self._before[key]
        self._now[key] = found
        return found

    def __setitem__(self, key: FileKey, value: FileFacts) -> None:
        self._now[key] = value


def _owners(names: Names) -> Iterator[str]:
    """What has names: modules by their own names, and objects whose attributes are told."""
    for name, one in names.items():
        yield name.rpartition(".")[0]
        if one.kind == "module" and one.origin == name:
            yield name


def _filled(there: Sequence[bool | None]) -> Iterator[bool]:
    """Where a module is not there, its names are as in the release before, or as in the first that is known."""
    before = next((one for one in there if one is not None), False)
    for one in there:
        before = before if one is None else one
        yield before


def _by_origin(names: Names) -> dict[str, list[str]]:
    """The public names of each definition, the shortest first."""
    found: dict[str, list[str]] = {}
    for name, one in names.items():
        if one.origin and one.is_meant and one.kind in ("def", "class", "value") and not one.deprecated:
            found.setdefault(one.origin, []).append(name)
    return {origin: sorted(each, key=_plainness) for origin, each in found.items()}


def _by_last(names: Names) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, one in names.items():
        if one.kind == "module":
            found.setdefault(name.rpartition(".")[2], []).append(name)
    return {last: sorted(each, key=_plainness) for last, each in found.items()}


def _members(names: Names, module: str) -> set[str]:
    told = (each for each, one in names.items() if one.is_told and each.startswith(f"{module}."))
    return {each[len(module) + 1 :] for each in told}


def _plainness(name: str) -> tuple[bool, bool, int, str]:
    return ".interpreters." in name or ".extend." in name, ".experimental." in name, name.count("."), name


def _said(one: NamedObject | None, parameter: str) -> str:
    return next((said.says for said in one.warned if said.parameter == parameter), "") if one is not None else ""


def _is_like(one: NamedObject, other: NamedObject) -> bool:
    """Does another name take what this one took?"""
    if one.origin and one.origin == other.origin:
        return True
    if one.parameters is None or other.parameters is None or one.kind != other.kind:
        return False
    mine, others = _names_in(one.parameters).split(", "), _names_in(other.parameters).split(", ")
    return others[: len(mine)] == mine


def _names_in(parameters: str) -> str:
    return parameters.replace("=", "")


def _steady(texts: Sequence[str | None]) -> list[str | None]:
    """Texts that differ in defaults alone count as the first of them."""
    found: list[str | None] = []
    for text in texts:
        before = found[-1] if found else None
        is_same = before is not None and text is not None and _names_in(before) == _names_in(text)
        found.append(before if is_same else text)
    return found
