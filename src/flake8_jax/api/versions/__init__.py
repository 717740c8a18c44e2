"""What the names of JAX and of its libraries were over their releases. `flake8-jax measure --versions` writes it.

    history("jax.tree_map")         there until 0.6.0, warned of since 0.4.26, in its place jax.tree.map
    missing("jax.experimental.maps.xmap", parsed("0.10.2"))     the row of jax.experimental.maps

`changes.tsv` has a row for each name that some release lacks, warns of, or gives other parameters; a name without a row
was always the same, as far as is known.  It is read when the first name of a library is looked up, and a row is parsed
when its own name is; attributes of arrays stand there as `Array.NAME`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import Any, TypeAlias

from flake8_jax.lazy_dataclasses import dataclass

ReleaseNumber: TypeAlias = "tuple[int, ...]"
"""A release as numbers, by which releases are ordered."""

FILE, ADVICE = (Path(__file__).parent / name for name in ("changes.tsv", "advice.toml"))
OTHERWISE = "otherwise"
"""The table of `advice.toml` of what the functions that came take otherwise."""

FIRST: ReleaseNumber = ()
JAX, ARRAY = "jax", "Array"
LIBRARIES = frozenset(("chex", "equinox", "flax", "haiku", "jax", "numpyro", "optax", "orbax"))
"""The packages whose releases are known."""

DISTRIBUTIONS = {"haiku": "dm-haiku", "orbax": "orbax-checkpoint"}
"""What packages are called where they are required, if not by their names."""


@dataclass(frozen=True, slots=True)
class SinceRelease:
    """What holds from a release on, until the next such one; None where nothing is known."""

    version: ReleaseNumber
    text: str | None


@dataclass(frozen=True, slots=True)
class History:
    """What became of one name over the releases of its library.

    `ranges`: from which release on it is there, and the first without it, `()` for neither; `gone`: what the library
    says of it where it is missing; `read` and `called`: what it warns of where it is read or called; `parameters`: what
    it takes, as `a, b=, *, c=`; `given`: what is said of a parameter that is given; `now`: what to use in its place, in
    order; `is_same`: that takes the same arguments.  `modules` are the releases in which it is a module, None for all
    that have it; `kind` is what an attribute of arrays is, "def" for a method.
    """

    name: str
    ranges: tuple[tuple[ReleaseNumber, ReleaseNumber], ...] = ((FIRST, ()),)
    gone: tuple[SinceRelease, ...] = ()
    read: tuple[SinceRelease, ...] = ()
    called: tuple[SinceRelease, ...] = ()
    parameters: tuple[SinceRelease, ...] = ()
    given: tuple[tuple[str, tuple[SinceRelease, ...]], ...] = ()
    now: tuple[str, ...] = ()
    is_same: bool = False
    modules: tuple[tuple[ReleaseNumber, ReleaseNumber], ...] | None = None
    kind: tuple[SinceRelease, ...] = ()

    def is_there(self, version: ReleaseNumber) -> bool:
        """Has a release this name?"""
        return _is_in(self.ranges, version)

    def is_module(self, version: ReleaseNumber) -> bool:
        """Can a release import it, if it has it?"""
        return self.modules is None or _is_in(self.modules, version)

    def since(self, version: ReleaseNumber) -> ReleaseNumber:
        """The release since which it has been there in this one; () if that is not known."""
        return next((since for since, until in self.ranges if since <= version and (not until or version < until)), ())

    def until(self, version: ReleaseNumber) -> ReleaseNumber:
        """The first release without it of those before this one, which lacks it; () if it came later."""
        return max((until for _, until in self.ranges if until and until <= version), default=())

    def says(self, version: ReleaseNumber) -> str:
        """What the library says of it in a release: where it is missing, where it is read or where it is called."""
        return at(self.gone, version) or at(self.read, version) or at(self.called, version) or ""

    def words(self) -> str:
        """What the library said of it last, in any release."""
        texts = [since.text for each in (self.called, self.read, self.gone) for since in each if since.text]
        return texts[-1] if texts else ""


def _is_in(ranges: tuple[tuple[ReleaseNumber, ReleaseNumber], ...], version: ReleaseNumber) -> bool:
    return any(since <= version and (not until or version < until) for since, until in ranges)


def parsed(version: str) -> ReleaseNumber:
    """A version as numbers."""
    return tuple(int(part) for part in re.findall(r"\d+", version.partition("+")[0]))


def spelled(version: ReleaseNumber) -> str:
    """A version as it is written."""
    return ".".join(map(str, version))


def at(changes: tuple[SinceRelease, ...], version: ReleaseNumber) -> str | None:
    """What holds in a release."""
    found: str | None = None
    for change in changes:
        if change.version <= version:
            found = change.text
    return found


def is_announced(text: str) -> bool:
    """Does a library say of a name that it is going to be deprecated some day?  Nothing is to be done about it yet."""
    return re.search(r"\bwill (soon )?be deprecated\b", text) is not None


def renamed_to(text: str) -> str:
    """The new name in what a library says of an old one: "... has been renamed to jax.process_count"; "" for none."""
    found = re.search(r"\brenamed to `?(\w+(?:\.\w+)+)", text)
    return found[1] if found is not None else ""


@cache
def releases(library: str) -> tuple[ReleaseNumber, ...]:
    """The known releases of a package, oldest first; nothing for one that is not known."""
    text = _texts(library).get(library)
    return tuple(map(parsed, _row(text).get("releases", "").split())) if text is not None else ()


@cache
def of_arrays() -> frozenset[str]:
    """The attributes of arrays that some release lacks, warns of, or takes other parameters for."""
    text = _block(JAX)
    rows = text[text.find("\n") + 1 :].split("\n")
    return frozenset(takewhile(bool, (row.partition("\t")[0].partition(f"{ARRAY}.")[2] for row in rows)))


@cache
def of_modules() -> frozenset[str]:
    """The names of JAX's own modules that some release lacks which had them before: `tree_map` of `jax`."""
    return frozenset(re.findall(r'^jax\.(?:\w+\.)?(\w+)\t\{"there":"[^"]*-\d', _block(JAX), re.MULTILINE))


def newest(library: str, wanted: ReleaseNumber = ()) -> ReleaseNumber:
    """The newest known release of a package, or of those that a shorter version such as 0.10 stands for."""
    known = releases(library)
    fitting = [release for release in known if release[: len(wanted)] <= wanted] if wanted else known
    return fitting[-1] if fitting else wanted


@cache
def history(name: str) -> History | None:
    """What became of a name; None if nothing did."""
    text = _texts(_library(name)).get(name)
    return _parse(name, _row(text)) if text is not None and "." in name else None


def missing(name: str, version: ReleaseNumber) -> History | None:
    """The row of a name, or of the module that it is in, that says that a release lacks it."""
    for part in _parts(name):
        found = history(part)
        if found is not None and not found.is_there(version):
            return found
    return None


def not_imported(module: str, version: ReleaseNumber) -> History | None:
    """The row of a module, or of one above, that says that a release cannot import it."""
    for part in _parts(module):
        found = history(part)
        if found is not None and not (found.is_there(version) and found.is_module(version)):
            return found
    return None


def was_there(name: str) -> bool:
    """Had an earlier release this name, which later ones lack?"""
    found = history(name)
    return found is not None and any(until for _, until in found.ranges)


def once_took(name: str, keyword: str) -> bool:
    """Did a function take a keyword in some release?"""
    found = history(name)
    texts = [since.text or "" for since in found.parameters] if found is not None else []
    return any(keyword in re.findall(r"\w+", text) for text in texts)


MANY = 1_000
"""How many arguments a function takes by their place that takes others by a star."""


def places(parameters: str) -> int:
    """How many arguments a function takes by their place, of parameters as a row of its history has them."""
    count = 0
    for word in parameters.split(", ") if parameters else []:
        if word.startswith("*") and not word.startswith("**"):
            return count if word == "*" else MANY
        if not word.startswith("**") and word != "/":
            count += 1
    return count


def named(parameters: str) -> list[str]:
    """What a function takes by keyword, of parameters as a row of its history has them."""
    words = parameters.split(", ") if parameters else []
    behind = words[words.index("/") + 1 :] if "/" in words else words
    return [word.rstrip("=") for word in behind if not word.startswith("*")]


def once_took_places(name: str, count: int, newest: ReleaseNumber) -> bool:
    """Did a function take so many arguments by their place in some release, and is known what the newest takes?"""
    found = history(name)
    if found is None or at(found.parameters, newest) is None:
        return False
    return any(count <= places(each.text) for each in found.parameters if each.text is not None)


def is_known(name: str) -> bool:
    """Is there a row for a name, or for what it is in?"""
    rows = _texts(_library(name))
    return any(part in rows for part in _parts(name))


@cache
def replaced_by(name: str) -> tuple[History, ...]:
    """The rows of what a name came in place of."""
    text, wanted, found = _block(_library(name)), f'"{name}"', list[History]()
    place = text.find(wanted)
    while place >= 0:
        row = history(text[text.rfind("\n", 0, place) + 1 : place].partition("\t")[0])
        found += [row] if row is not None and name in row.now else []
        place = text.find(wanted, place + 1)
    return tuple(found)


def names() -> Iterator[str]:
    """All names with a row."""
    return (name for library in sorted(LIBRARIES) for name in _texts(library) if "." in name)


def has_names(name: str) -> bool:
    """Are there rows of names below it, as of a module?"""
    return f"\n{name}." in _block(_library(name))


@cache
def advice(name: str) -> str:
    """What to write in place of a name, or of an argument as `NAME(KEYWORD)`, where words are kept by hand; "" where
    there are none, or where a keyword has but another name."""
    words = _kept().get(name, "")
    return "" if words.isidentifier() else words


def renamed_keyword(name: str, keyword: str) -> str:
    """The keyword that takes what another one took, kept by hand; "" for none."""
    words = _kept().get(f"{name}({keyword})", "")
    return words if words.isidentifier() else ""


@cache
def _kept() -> Mapping[str, str]:
    """The words that are kept by hand, of names and of arguments."""
    return {name: words for kind, table in _tables().items() if kind != OTHERWISE for name, words in table.items()}


@cache
def _tables() -> Mapping[str, Mapping[str, str]]:
    from flake8_jax.api.stated import toml

    tables: Mapping[str, Mapping[str, str]] = toml(ADVICE.read_text(encoding="utf-8"))
    return tables


def taken_otherwise(name: str) -> str:
    """What the function takes otherwise that came in place of one, kept by hand; "" where nothing is known."""
    return _tables()[OTHERWISE].get(name, "")


def spoken_of(words: str) -> list[str]:
    """The names of known packages in words that are kept by hand."""
    return re.findall(rf"`((?:{'|'.join(sorted(LIBRARIES))})(?:\.\w+)*)\b", words)


def _parts(name: str) -> Iterator[str]:
    place = name.find(".")
    while place >= 0:
        place = name.find(".", place + 1)
        yield name[:place] if place >= 0 else name


def _library(name: str) -> str:
    root = name.partition(".")[0]
    return JAX if root == ARRAY else root


@cache
def _texts(library: str) -> Mapping[str, str]:
    """The rows of a library as texts, by name."""
    found: dict[str, str] = {}
    for line in _block(library).splitlines():
        name, _, text = line.partition("\t")
        found[name] = text
    return found


def _block(library: str) -> str:
    """The lines of one library: they stand together, behind the one with its releases."""
    if library not in LIBRARIES:
        return ""
    text = _whole()
    starts = sorted(text.find(f"\n{one}\t") for one in LIBRARIES)
    start = text.find(f"\n{library}\t")
    end = next((one for one in starts if one > start), len(text))
    return text[start + 1 : end] if start >= 0 else ""


@cache
def _whole() -> str:
    return "\n" + FILE.read_text(encoding="utf-8")


def _row(text: str) -> dict[str, Any]:
    import json

    found: dict[str, Any] = json.loads(text)
    return found


def _parse(name: str, row: Mapping[str, Any]) -> History:
    ranges = _ranges(row.get("there", "-"))
    modules = _ranges(row["module"]) if "module" in row else None
    given = tuple((parameter, _changes(changes)) for parameter, changes in row.get("given", {}).items())
    return History(
        name, ranges, _changes(row.get("gone", ())), _changes(row.get("read", ())), _changes(row.get("called", ())),
        _changes(row.get("parameters", ())), given, tuple(row.get("now", ())), bool(row.get("same")),
        modules, _changes(row.get("kind", ())),
    )  # fmt: skip


def _ranges(text: str) -> tuple[tuple[ReleaseNumber, ReleaseNumber], ...]:
    both = (one.partition("-") for one in text.split())
    return tuple((parsed(since), parsed(until)) for since, _, until in both)


def _changes(rows: Any) -> tuple[SinceRelease, ...]:
    return tuple(SinceRelease(parsed(version), text) for version, text in rows)
