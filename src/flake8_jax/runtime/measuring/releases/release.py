"""The public names of one release of a library: those of its modules, followed through imports to their definitions.

release.names()["jax.tree_map"]   a function of three parameters
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from flake8_jax.runtime.measuring.releases.facts import MAKES_SETTINGS, BoundName, FileFacts, facts_of
from flake8_jax.runtime.measuring.releases.messages import Warned
from flake8_jax.runtime.measuring.releases.package import LEFT_OUT

NameKind: TypeAlias = Literal["module", "def", "class", "value", "gone"]
FileKey: TypeAlias = tuple[bytes, str, bool]
KeptFacts: TypeAlias = MutableMapping[FileKey, FileFacts]
DEPTH = 40


@dataclass(frozen=True, slots=True)
class NamedObject:
    """A public name of a release.

    `origin` is where it is defined, "" where that is not known; `parameters` are its own if it is a function;
    `deprecated` is what reading it says, `warned` what calling it says.  Of the kind "gone" is a name that is missing
    with an explanation.  What is not `is_told` is there for the module itself: a name that it has imported; what
    is not `is_meant` is at least not defined there, nor exported.
    """

    kind: NameKind
    origin: str = ""
    parameters: str | None = None
    deprecated: str = ""
    warned: tuple[Warned, ...] = ()
    is_told: bool = True
    is_meant: bool = True


class Release:
    """One release: its modules, as texts.  `facts` keeps what files of other releases said that are the same."""

    def __init__(self, root: str, files: Mapping[str, bytes], facts: KeptFacts) -> None:
        self.root = root
        self._facts = facts
        self._texts: dict[str, tuple[bytes, bool]] = {}
        for name, text in files.items():
            is_package = name.endswith(".__init__")
            self._texts[name.removesuffix(".__init__")] = text, is_package
        self._read: dict[str, FileFacts] = {}
        self._found: dict[tuple[str, str], NamedObject | None] = {}

    def modules(self) -> list[str]:
        """The public modules, and the folders above them that are no packages."""
        named = {
            name for name in self._texts
            if not any(part.startswith("_") or part in LEFT_OUT or part.endswith("_test") for part in name.split("."))
        }  # fmt: skip
        return sorted({above for name in named for above in _above(name)})

    def facts(self, module: str) -> FileFacts:
        """What a module binds; nothing for a folder without a file."""
        found = self._read.get(module)
        if found is None:
            text, is_package = self._texts.get(module, (b"", True))
            key = (text, module, is_package)
            try:
                found = self._facts[key]
            except KeyError:
                found = self._facts[key] = facts_of(text, module, is_package)
            self._read[module] = found
        return found

    def names(self) -> dict[str, NamedObject]:
        """Every public name, by its dotted name, and the members of public classes."""
        found: dict[str, NamedObject] = {}
        for module in self.modules():
            facts = self.facts(module)
            found[module] = NamedObject("module", module, deprecated=facts.warned)
            for name in sorted(self._names_of(module, set())):
                dotted = f"{module}.{name}"
                if name.startswith("_") or dotted in found:
                    continue
                if (one := self.lookup(module, name)) is not None:
                    is_meant = self._is_meant(module, name)
                    found[dotted] = replace(one, is_told=is_meant or self._is_told(module, name), is_meant=is_meant)
        return found

    def settings(self) -> set[str]:
        """The options that the library's files make."""
        making = (module for module, (text, _) in self._texts.items() if MAKES_SETTINGS.search(text))
        return {name for module in making if "test" not in module for name in self.facts(module).settings}

    def is_open(self, module: str) -> bool:
        """May a module have names that its text does not show?"""
        return self._is_open(module, 0)

    def _is_open(self, module: str, depth: int) -> bool:
        facts = self.facts(module)
        return facts.is_open or (depth < DEPTH and any(
            star not in self._texts or self._is_open(star, depth + 1) for star in facts.stars if star != module
        ))  # fmt: skip

    def _is_meant(self, module: str, name: str) -> bool:
        """Is a name exported, or defined there?"""
        facts = self.facts(module)
        bound = facts.names.get(name)
        return bound is None or bound.is_public or name in (facts.exports or ()) or bound.kind in ("def", "class")

    def _is_told(self, module: str, name: str) -> bool:
        """Is a name meant for others, or at least a function, class or value of this library?"""
        bound = self.facts(module).names[name]
        if bound.kind == "module":
            return False
        if bound.kind == "import":
            source, original = bound.target
            is_own = source.partition(".")[0] == self.root
            is_part = source == module and f"{source}.{original}" in self._texts
            return is_part or (is_own and f"{source}.{original}" not in self._texts)
        return True

    def _names_of(self, module: str, seen: set[str]) -> set[str]:
        """The names at the top of a module, with those of its stars."""
        if module in seen:
            return set()
        seen.add(module)
        facts = self.facts(module)
        found = {*facts.names, *facts.explained, *facts.answers}
        for star in (star for star in facts.stars if star in self._texts):
            found |= self._given_by(star, seen)
        return found

    def _given_by(self, star: str, seen: set[str]) -> set[str]:
        """The names that a star import takes of a module: not those that only its `__getattr__` knows."""
        facts = self.facts(star)
        if facts.exports is not None:
            return set(facts.exports)
        kept_back = {*facts.explained, *facts.answers} - {*facts.names}
        sources = (*(bound.target[0] for bound in facts.names.values() if bound.kind == "import"), *facts.stars)
        parts = {source[len(star) + 1 :].partition(".")[0] for source in sources if source.startswith(f"{star}.")}
        return {name for name in (*self._names_of(star, seen), *parts) if not name.startswith("_")} - kept_back

    def lookup(self, module: str, name: str, depth: int = 0) -> NamedObject | None:
        """What a module has under a name; None if it has nothing."""
        key = (module, name)
        if key not in self._found:
            self._found[key] = None if depth < DEPTH else NamedObject("value")
            self._found[key] = self._lookup(module, name, depth)
        return self._found[key]

    def _lookup(self, module: str, name: str, depth: int) -> NamedObject | None:
        if depth >= DEPTH:
            return NamedObject("value")
        facts = self.facts(module)
        bound = facts.names.get(name)
        if bound is not None:
            return self._bound(module, name, bound, depth)
        for star in reversed(facts.stars):
            if star in self._texts and (found := self.lookup(star, name, depth + 1)) is not None:
                theirs = self.facts(star)
                is_kept_back = name in theirs.explained and name not in theirs.names
                if name in theirs.exports if theirs.exports is not None else not is_kept_back:
                    return found
        if name in facts.explained:
            says, is_gone, target = facts.explained[name]
            given = self._alias(module, target, "", depth) if target and not is_gone else NamedObject("value")
            return NamedObject("gone", deprecated=says) if is_gone else replace(given, deprecated=says)
        if name in facts.answers:
            return NamedObject("value")
        if f"{module}.{name}" in self._texts:
            return NamedObject("module", f"{module}.{name}", deprecated=self.facts(f"{module}.{name}").warned)
        return None

    def _bound(self, module: str, name: str, bound: BoundName, depth: int) -> NamedObject | None:
        origin = f"{module}.{name}"
        if bound.kind in ("def", "class"):
            return NamedObject("def" if bound.kind == "def" else "class", origin, bound.parameters, "", bound.warned)
        if bound.kind == "import":
            return self._imported(*bound.target, depth)
        if bound.kind == "module":
            dotted = bound.target[0]
            return NamedObject("module", dotted) if dotted in self._texts else NamedObject("value")
        if bound.kind == "alias":
            return self._alias(module, bound.target[0], origin, depth)
        return NamedObject("value", origin)

    def _imported(self, source: str, original: str, depth: int) -> NamedObject | None:
        if source.partition(".")[0] != self.root:
            return NamedObject("value", f"{source}.{original}")
        return self.lookup(source, original, depth + 1) or NamedObject("value")

    def _alias(self, module: str, dotted: str, origin: str, depth: int) -> NamedObject:
        first, *rest = dotted.split(".")
        if origin == f"{module}.{first}":
            return NamedObject("value", origin)
        deleted = self.facts(module).deleted.get(first)
        found = self._bound(module, first, deleted, depth + 1) if deleted else self.lookup(module, first, depth + 1)
        for name in rest:
            if found is None or found.kind != "module" or found.origin not in self._texts:
                return NamedObject("value", origin)
            found = self.lookup(found.origin, name, depth + 1)
        is_there = found is not None and found.kind != "gone"
        return replace(found, deprecated="") if found is not None and is_there else NamedObject("value", origin)

    def members(self, module: str, name: str) -> dict[str, NamedObject]:
        """The public members of a class, own and inherited within the library."""
        return {
            member: _member(bound, f"{module}.{name}.{member}")
            for member, bound in self._members(module, name, 0)
            if not member.startswith("_")
        }

    def entries(self, module: str, name: str) -> dict[str, NamedObject]:
        """What a dict of a module has under names, as methods take it: without the first parameter."""
        bound = self.facts(module).names.get(name)
        found: dict[str, NamedObject] = {}
        for key, entry in bound.members if bound is not None else ():
            one = self._alias(module, entry.target[0], "", 0) if entry.target[0] else NamedObject("value")
            parameters = one.parameters.partition(", ")[2] if one.parameters else one.parameters
            found[key] = replace(one, parameters=parameters.removeprefix("/, ") if parameters else parameters)
        return found

    def _members(self, module: str, name: str, depth: int) -> Iterator[tuple[str, BoundName]]:
        bound = self.facts(module).names.get(name)
        if bound is None or bound.kind != "class" or depth > DEPTH:
            return
        for base in bound.bases:
            found = self._alias(module, base, "", depth) if base != "?" else None
            if found is not None and found.kind == "class":
                owner, _, last = found.origin.rpartition(".")
                yield from self._members(owner, last, depth + 1)
        yield from bound.members


def _member(bound: BoundName, origin: str) -> NamedObject:
    if bound.kind == "gone":
        return NamedObject("gone", deprecated=bound.warned[0].says)
    if bound.kind != "def":
        return NamedObject("value", origin, deprecated=next((each.says for each in bound.warned), ""))
    return NamedObject("def", origin, bound.parameters, "", bound.warned)


def _above(name: str) -> Iterator[str]:
    while name:
        yield name
        name = name.rpartition(".")[0]
