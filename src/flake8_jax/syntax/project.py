"""The import graph of a project on disk: import resolution, module indices, and importers of each file.

Code outside the project's root is never read, and nothing here depends on the working folder or on what was asked
before. All is read once and kept, so that a project says the same as long as it lives.
"""

from __future__ import annotations

import ast
import itertools
import marshal
import os
import sys
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Literal, Protocol, TypeAlias

from flake8_jax.lazy_dataclasses import dataclass
from flake8_jax.syntax.folders import BUILT, Folders, original_of, root_of
from flake8_jax.syntax.index import Import, Index, Statement, index_of, packed, read_imports, unpacked
from flake8_jax.syntax.leading import handed_on, leading_to_jax
from flake8_jax.syntax.source import FRAMEWORKS, SourceFile, Unreadable, forget, names_jax

__all__ = ["Import", "Index", "Place", "Project", "Statement", "root_of"]

_INIT = "__init__.py"
FEW = 8
"""Of so many files the importers are sought for each apart; where more are asked, for all at once."""
Ambiguous: TypeAlias = Literal["ambiguous"]


@dataclass(frozen=True, slots=True)
class Place:
    """The target of a dotted import.

    `path` is a module's file, or a folder that is a package without `__init__.py`; `rest` are the attributes or
    submodules below it that are still to be looked up.
    """

    path: str
    rest: tuple[str, ...]


class ByteCache(Protocol):
    """A persistent cache of bytes, addressed by kind and key."""

    def get(self, kind: str, key: bytes) -> bytes | None:
        """The cached bytes; None on a miss."""

    def put(self, kind: str, key: bytes, value: bytes) -> None:
        """Cache some bytes."""


class Project:
    """A project, read lazily; all paths given and returned are absolute.

    `original` is the folder that the root is a copy of, if it is one, else the root.  `overrides` are texts that stand
    in place of the disk's (an editor's buffer), by path; such a file need not be on the disk, and is the project's.
    """

    def __init__(
        self, root: str, overrides: Mapping[str, str] | None = None, cache: Callable[[], ByteCache] | None = None
    ) -> None:
        self.root = os.path.abspath(root)
        self.original = original_of(self.root)
        self._cache = cache
        self.overrides = {os.path.abspath(path): text for path, text in (overrides or {}).items()}
        self._folders = Folders(self.root, self.overrides)
        self._shown: dict[str, str] = {}
        self._located: dict[str, tuple[str, str, str]] = {}
        self._starts: dict[str, tuple[str, ...]] = {}
        self._found: dict[tuple[str, str, tuple[str, ...], int, str], Place | Ambiguous | None] = {}
        self._texts: dict[str, str | None] = {}
        self._digests: dict[str, bytes] = {}
        self._indices: dict[str, Index | None] = {}
        self._named: dict[str, bool] = {}
        self._imports: dict[str, tuple[Import, ...]] = {}
        self._apart: dict[str, tuple[str, ...]] = {}

    def find(self, importer: str, level: int, dotted: str) -> Place | Ambiguous | None:
        """Resolve an import in the file `importer`.  All parts of `dotted` but the last are resolved as modules.

        `level` counts the dots of a relative import. `from .a import b` is asked as (1, "a.b"), `from . import b` as
        (1, "b"), `from . import *` as (1, ""), `import a.b` as (0, "a.b"): `submodule` then tells whether `b` is a
        module. None: nothing of the project's.
        """
        path, folder, file = self._located.get(importer) or self._locate(importer)
        parts = tuple(dotted.split(".")) if dotted else ()
        own = path if parts and not level and file == f"{parts[0]}.py" else ""
        starts = () if level else self._starts_of(path)
        key = (folder, own, starts, level, dotted)
        if key not in self._found:
            found = self._find_relative(folder, level, parts) if level else self._find_absolute(starts, own, parts)
            self._found[key] = found
        return self._found[key]

    def _locate(self, path: str) -> tuple[str, str, str]:
        """The absolute path of a file, its folder and its name there."""
        location = os.path.abspath(path)
        found = location, *os.path.split(location)
        self._located[location] = found
        return found

    def submodule(self, path: str, name: str) -> str | Ambiguous | None:
        """The module `name` of a package, given by the path of its `__init__.py` or of its folder."""
        folder = _package_folder(path)
        found = self._member(folder, name) if folder is not None and self._folders.covers(folder) else None
        if found is None or found == "ambiguous" or _is_file(found) or self._folders.holds_python(found):
            return found
        return None

    def text(self, path: str) -> str | None:
        """The text of a file without byte order mark; None if unreadable or outside the root."""
        path = os.path.abspath(path)
        if path not in self._texts:
            self._texts[path] = self._read(path)
        return self._texts[path]

    def replace(self, path: str, text: str) -> bool:
        """Give a file that the project has another text; does that change its imports, that it names JAX, or what
        packages hand on of it?
        """
        path = os.path.abspath(path)
        before = self._links(path)
        self._texts[path] = text.removeprefix("\ufeff")
        for known in (self._digests, self._indices, self._named, self._imports):
            known.pop(path, None)
        if path in self.overrides:
            self.overrides[path] = text
        if self._links(path) == before:
            return False
        forget(self, "_importers", "_leading")
        self._apart = {}
        self._starts.pop(path, None)
        self._found.clear()
        return True

    def _links(self, path: str) -> tuple[Hashable, ...]:
        """What in a file decides which other files are tied to each other, or lead to JAX."""
        is_handed_on = any(os.path.basename(one) == _INIT for one in (path, *self.importers(path)))
        return self.imports(path), self.names_jax(path), handed_on(self, path) if is_handed_on else None

    def digest(self, path: str) -> bytes:
        """A digest of a file's text, equal to `SourceFile.digest`; empty if there is no text."""
        found = self._digests.get(path)
        if found is None:
            text = self.text(path)
            found = self._digests[path] = b"" if text is None else SourceFile(path, text).digest
        return found

    def names_jax(self, path: str) -> bool:
        """Does a file contain the name of JAX or of a library built on it?"""
        found = self._named.get(path)
        if found is None:
            found = self._named[path] = names_jax(self.text(path) or "")
        return found

    def has_read(self, path: str) -> bool:
        """Was the text of a file already read?"""
        return os.path.abspath(path) in self._texts

    def index(self, path: str, tree: ast.Module | None = None) -> Index | None:
        """The index of a file's top level; None if it cannot be read or parsed by the running Python.

        `tree` is what Python's parser makes of the file, where that is there already.
        """
        path = os.path.abspath(path)
        if path not in self._indices:
            text = self.text(path)
            self._indices[path] = None if text is None else self._index(path, text, tree)
        return self._indices[path]

    def _index(self, path: str, text: str, tree: ast.Module | None) -> Index | None:
        if self._cache is None:
            return index_of(path, text, tree)
        cache, digest = self._cache(), self.digest(path)
        kept = cache.get("index", digest) if tree is None else None
        if kept is not None:
            return unpacked(path, marshal.loads(kept))
        index = index_of(path, text, tree)
        if index is not None:
            cache.put("index", digest, marshal.dumps(packed(index)))
        return index

    def module_name(self, path: str) -> str:
        """The dotted name of a module, "pkg.helpers"; an `__init__.py` has the name of its package.

        It counts from the nearest `src` above the file that is no package, else from the folder above its outermost
        package, else from the root.
        """
        path = os.path.abspath(path)
        if not self._folders.covers(path):
            return os.path.basename(path).removesuffix(".py")
        folder, file = os.path.split(path)
        inside = os.path.relpath(folder if file == _INIT else path.removesuffix(".py"), self._base(folder))
        return os.path.basename(self.root) if inside == os.curdir else inside.replace(os.sep, ".")

    def shown(self, path: str) -> str:
        """A path as displayed: relative to the root, with forward slashes.  A path outside the root is unchanged."""
        found = self._shown.get(path)
        if found is None:
            whole = os.path.abspath(path)
            inside = os.path.relpath(whole, self.root) if self._folders.covers(whole) else whole
            found = self._shown[path] = inside.replace(os.sep, "/")
        return found

    def files(self) -> tuple[str, ...]:
        """All Python files of the project, sorted.  Hidden and generated folders, environments and nested projects are
        left out: who imports a file is not looked for there.

        Symbolic links to folders are not followed.
        """
        return self._files[0]

    @cached_property
    def _files(self) -> tuple[tuple[str, ...], bool]:
        return self._folders.python_files()

    @cached_property
    def _listed(self) -> frozenset[str]:
        return frozenset(self.files())

    @property
    def is_truncated(self) -> bool:
        """Was the list of `files` truncated because there are too many?"""
        return self._files[1]

    def leaves_files(self, paths: Iterable[str]) -> bool:
        """May the imports of some files lead to files that are not among `files`, or stand these there themselves?"""
        return any(path not in self._listed or any(map(_may_be_built, self.imports(path))) for path in paths)

    def imports(self, path: str) -> tuple[Import, ...]:
        """All imports of a file.  They are matched by a pattern, which is fast enough for all files."""
        path = os.path.abspath(path)
        if path not in self._imports:
            self._imports[path] = read_imports(self.text(path) or "")
        return self._imports[path]

    def _recall_imports(self) -> None:
        """Read the imports of all files from the cache, and cache those that it lacks."""
        if self._cache is None:
            return
        cache, key = self._cache(), os.fsencode(self.original)
        kept = cache.get("imports", key)
        known: dict[bytes, list[tuple[int, str, str | None]]] = marshal.loads(kept) if kept is not None else {}
        rows = {}
        for path in self.files():
            text = self.text(path) or ""
            if "import" not in text:
                continue
            digest = self.digest(path)
            row = known.get(digest)
            if row is None:
                row = [(one.level, one.module, one.name) for one in self.imports(path)]
            elif path not in self._imports:
                self._imports[path] = tuple(itertools.starmap(Import, row))
            rows[digest] = row
        if rows.keys() != known.keys() and self.original == self.root:
            cache.put("imports", key, marshal.dumps(rows))

    def importers(self, path: str) -> tuple[str, ...]:
        """The other files of the project that import this file, sorted.

        `from pkg import b` leads to the package and to `b`, if that is a module; `import pkg.b` to all on the way.
        """
        path = os.path.abspath(path)
        if "_importers" not in vars(self) and path not in self._apart and len(self._apart) < FEW:
            self._apart[path] = self._importers_apart(path)
        return self._apart[path] if path in self._apart else self._importers.get(path, ())

    def _importers_apart(self, path: str) -> tuple[str, ...]:
        """The importers of one file, sought among those that spell its name, or may stand in its package."""
        folder = _package_folder(path)
        name = os.path.basename(path.removesuffix(".py") if folder is None else folder)
        inside = None if folder is None else os.path.join(folder, "")
        return tuple(
            importer for importer in self.files()
            if name in (text := self.text(importer) or "") or (inside and importer.startswith(inside))
            if "import" in text and importer != path
            if any(path in self.reached(importer, one) for one in self.imports(importer))
        )  # fmt: skip

    @cached_property
    def _importers(self) -> dict[str, tuple[str, ...]]:
        """The importers of all files."""
        self._recall_imports()
        found: dict[str, list[str]] = {}
        for importer in self.files():
            reached = {target for one in self.imports(importer) for target in self.reached(importer, one)}
            for target in reached - {importer}:
                found.setdefault(target, []).append(importer)
        return {target: tuple(importers) for target, importers in found.items()}

    def leads_to_jax(self, path: str) -> bool:
        """Does a file name JAX, or do its imports lead to one that does, through however many files (`leading.py`)?

        So does each whose imports are not all known, as those of a notebook, which is no module of the project.
        """
        is_unknown = self._is_unlisted(path) or not path.endswith(".py")
        return is_unknown or self.names_jax(path) or path in self._leading

    def names_asked(self, importer: str, path: str) -> frozenset[str] | None:
        """The names that the imports of a file take from another, "*" for all; None if one takes the module."""
        found: set[str] = set()
        for one in self.imports(importer):
            if path in self.reached(importer, one):
                place = self.find(importer, one.level, one.dotted)
                if one.name is None or (one.name != "*" and place != Place(path, (one.name,))):
                    return None
                found.add(one.name)
        return frozenset(found)

    def _is_unlisted(self, path: str) -> bool:
        return path.endswith(".py") and (self.is_truncated or path not in self._listed)

    @cached_property
    def _leading(self) -> set[str]:
        seeds = [*filter(self.names_jax, self.files()), *filter(self._is_unlisted, self._importers)]
        return leading_to_jax(self, seeds, self._importers)

    def _read(self, path: str) -> str | None:
        if path in self.overrides:
            return self.overrides[path].removeprefix("\ufeff")
        if not self._folders.covers(path):
            return None
        try:
            return SourceFile.read(path).text
        except (Unreadable, ValueError):
            return None

    def reached(self, importer: str, one: Import) -> Iterator[str]:
        """The modules that an import leads to."""
        deepest = one.module if one.name is None else f"{one.module}.{one.name}".lstrip(".")
        if one.name is None:
            deepest += ".*"  # the last part is not looked up
        place = self.find(importer, one.level, deepest)
        if not isinstance(place, Place):
            return
        yield place.path
        if one.name is not None:
            inner = self.submodule(place.path, one.name) if place.rest == (one.name,) else None
            if inner is not None and inner != "ambiguous":
                yield inner
            return
        path = place.path
        for _ in range(deepest.count(".") - len(place.rest)):
            path = self._module_of(os.path.dirname(_package_folder(path) or path))
            yield path

    def _find_relative(self, folder: str, level: int, parts: tuple[str, ...]) -> Place | Ambiguous | None:
        for _ in range(level - 1):
            if folder == self.root:
                return None
            folder = os.path.dirname(folder)
        if not self._folders.covers(folder):
            return None
        found = self._walk(self._module_of(folder), parts)
        return found if found == "ambiguous" or len(found.rest) <= 1 or _is_file(found.path) else None

    def _find_absolute(self, starts: tuple[str, ...], own: str, parts: tuple[str, ...]) -> Place | Ambiguous | None:
        """The nearest folder with all the modules; else a package that may bind the name of a missing one itself.

        A bare folder can be imported too, but any module of that name goes before it. No file (`own`) means itself.
        """
        if not parts or parts[0] in sys.stdlib_module_names:
            return None
        if parts[0] in FRAMEWORKS:
            starts = tuple(start for start in starts if not self._folders[start].is_package)
        spare: Place | None = None
        for start in starts:
            found = self._find_below(start, own, parts)
            if found == "ambiguous":
                return found
            if found is not None and _is_reached(found):
                return found
            spare = spare or found
        return spare

    def _find_below(self, start: str, own: str, parts: tuple[str, ...]) -> Place | Ambiguous | None:
        """What an import leads to if `start`, or the `src` in it, stands on the path for imports.

        A `src` that is a package does not hide a library: with `src/jax/` in it `import jax` is JAX.
        """
        source = self._folders.child(start, "src")
        if source is not None and parts[0] in FRAMEWORKS and self._folders[source].is_package:
            source = None
        bases = (start, source)
        members = [self._member(base, parts[0]) for base in bases if base is not None]
        firsts = [member for member in members if member is not None and member != own]
        if "ambiguous" in firsts:
            return "ambiguous"
        places = [self._walk(first, parts[1:]) for first in list(filter(_is_file, firsts)) or firsts]
        if "ambiguous" in places:
            return "ambiguous"
        found = [place for place in places if isinstance(place, Place) and self._is_there(place)]
        return "ambiguous" if len(found) > 1 else found[0] if found else None

    def _walk(self, path: str, rest: tuple[str, ...]) -> Place | Ambiguous:
        """Go from a module down all parts but the last, as far as there are modules."""
        while len(rest) > 1:
            folder = _package_folder(path)
            inner = None if folder is None else self._member(folder, rest[0])
            if inner == "ambiguous":
                return "ambiguous"
            if inner is None:
                break
            path, rest = inner, rest[1:]
        return Place(path, rest)

    def _is_there(self, place: Place) -> bool:
        """Is there what an import leads to?  A bare folder holds modules, and binds nothing else."""
        if _is_file(place.path):
            return True
        if not place.rest:
            return self._folders.holds_python(place.path)
        return len(place.rest) == 1 and self.submodule(place.path, place.rest[0]) is not None

    def _member(self, folder: str, name: str) -> str | Ambiguous | None:
        """The module of a name in a folder; a folder without `__init__.py` beside a file does not count."""
        has_file = f"{name}.py" in self._folders[folder].files
        inner = self._folders.child(folder, name)
        is_package = inner is not None and self._folders[inner].is_package
        if has_file:
            return "ambiguous" if is_package else os.path.join(folder, f"{name}.py")
        return None if inner is None else self._module_of(inner)

    def _module_of(self, folder: str) -> str:
        return os.path.join(folder, _INIT) if self._folders[folder].is_package else folder

    def _starts_of(self, path: str) -> tuple[str, ...]:
        """The folders that a file's absolute imports may start from, in order.

        A package's folder is none for a member of the package: `pkg/flax.py` is not what `import flax` beside it means.
        But a file may be a script that is run where it stands.
        """
        found = self._starts.get(path)
        if found is None:
            above, folder = [], os.path.dirname(path)
            while self._folders.covers(folder):
                above.append(folder)
                folder = os.path.dirname(folder) if folder != self.root else ""
            outside = [folder for folder in above if folder == self.root or not self._folders[folder].is_package]
            packages = [folder for folder in above if folder not in outside]
            if packages and not self._may_be_script(path):
                packages = []
            found = self._starts[path] = (*outside, *packages)
        return found

    def _may_be_script(self, path: str) -> bool:
        """Does a file import nothing as a member of its package: neither relatively nor by the package's name?

        Any bare folder above the package may be the beginning of that name.
        """
        above = os.path.relpath(self._base(os.path.dirname(path)), self.root).split(os.sep)
        names = {*above, self.module_name(path).split(".")[0]}
        return not any(one.level or one.module.split(".")[0] in names for one in self.imports(path))

    def _base(self, folder: str) -> str:
        """The folder from which the names of the modules in a folder count."""
        base = self.root
        while folder != self.root:
            above, name = os.path.split(folder)
            if self._folders[folder].is_package:
                base = above
            elif name == "src":
                return folder
            folder = above
        return base


def _package_folder(path: str) -> str | None:
    """The folder of a package, given by its `__init__.py` or by itself; None for any other module."""
    if os.path.basename(path) == _INIT:
        return os.path.dirname(path)
    return None if _is_file(path) else path


def _may_be_built(one: Import) -> bool:
    return not BUILT.isdisjoint((*one.module.split("."), one.name))


def _is_file(path: str) -> bool:
    return path.endswith(".py")


def _is_reached(place: Place) -> bool:
    """Were all modules found that had to be there?  Below a file all else are attributes."""
    return _package_folder(place.path) is None or len(place.rest) == 1 or (_is_file(place.path) and not place.rest)
