"""The folders of a project: its root, their contents, and which of them belong to it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

from flake8_jax.lazy_dataclasses import dataclass
from flake8_jax.lazy_patterns import compiled

MARKERS = (".git", "pyproject.toml", "setup.py", "setup.cfg")
MAXIMUM_FILES = 20_000
MAXIMUM_FOLDERS = 20_000
MOST_PORTIONS = 3
"""How many folders without `__init__.py` may stand between two that have one."""

MOST_ABOVE = 4
"""How far above the folder of a file without a project the modules that it imports may start."""

MOST_IMPORTING = 40
"""How many files of a folder are read for what they import."""

_IMPORTED = compiled(r"^[ \t]*(?:from[ \t]+([^\W\d][\w.]*)[ \t]+import\b|import[ \t]+([^\W\d][\w.]*))", re.MULTILINE)

COPY_OF = os.path.join(".git", "flake8-jax-copy-of")
"""A file in a copy of a repository, as it was at some time, that names the folder of the repository."""

BUILT = frozenset(("build", "dist"))
"""Folders that tools write at the root of a project: what is in them is imported, but not looked through."""

_ENVIRONMENTS = frozenset((".venv", "venv", "site-packages", "node_modules"))
"""Folders of other people's code by their names; any other name is one's own, unless `pyvenv.cfg` is in it."""

_ENVIRONMENT_MARK = "pyvenv.cfg"
_NEVER = _ENVIRONMENTS | {"__pycache__"}


def root_of(path: str) -> str:
    """The root of the project of a file; the file need not exist.

    It is the nearest folder above it with one of `MARKERS`. Where there is none, it is the folder above the outermost
    package that holds the file, or the file's own folder; folders without `__init__.py` inside a package belong to it.
    If modules that the folder's files import are not there, but start in a folder above, or in the `src` of one,
    that is it.  Symbolic links are not resolved.
    """
    own = os.path.dirname(os.path.abspath(path))
    folder, above = own, os.path.dirname(own)
    while not is_root(folder):
        if folder == above:
            break
        folder, above = above, os.path.dirname(above)
    else:
        return folder
    return _importing(own, _above_packages(own))


def _above_packages(own: str) -> str:
    """The folder above the outermost package around a folder."""
    while True:
        while os.path.isfile(os.path.join(own, "__init__.py")) and os.path.dirname(own) != own:
            own = os.path.dirname(own)
        around = own
        for _ in range(MOST_PORTIONS):
            around = os.path.dirname(around)
            if os.path.isfile(os.path.join(around, "__init__.py")):
                own = around
                break
        else:
            return own


def _importing(own: str, root: str) -> str:
    """The folder from which the files of `own` find the modules that they import: `root`, or the nearest above it."""
    missing = [name for name in _imported(own) if not (_has_module(own, name) or _has_module(root, name))]
    above = root
    for _ in range(MOST_ABOVE if missing else 0):
        above = os.path.dirname(above)
        if above in (os.path.dirname(above), os.path.expanduser("~")):
            break
        starts = (above, os.path.join(above, "src"))
        if any(_has_module(start, name) for start in starts for name in missing):
            return _above_packages(above)
    return root


def _imported(folder: str) -> set[str]:
    """The dotted names of the modules that files of a folder import by their whole names."""
    found: set[str] = set()
    for name in _modules(folder)[:MOST_IMPORTING]:
        try:
            with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as file:
                found.update(one or other for one, other in _IMPORTED.findall(file.read()))
        except OSError:
            continue
    return found


def _modules(folder: str) -> list[str]:
    """The names of the files of a folder that are modules, in order; none if it cannot be listed."""
    try:
        with os.scandir(folder) as entries:
            return sorted(entry.name for entry in entries if entry.name.endswith(".py") and entry.is_file())
    except OSError:
        return []


def _has_module(folder: str, name: str) -> bool:
    """Does a module of this name start in a folder, and not in a project of its own?"""
    first, *rest = name.split(".")
    place = os.path.join(folder, first, *rest)
    if os.path.isfile(f"{place}.py"):
        return True
    if not os.path.isdir(place) or is_root(os.path.join(folder, first)):
        return False
    return bool(rest) or bool(_modules(place))


def is_root(folder: str) -> bool:
    """Has a folder one of `MARKERS`?"""
    return any(os.path.exists(os.path.join(folder, marker)) for marker in MARKERS)


def is_environment(folder: str) -> bool:
    """Is a folder a virtual environment, or called as what holds other people's code?"""
    return os.path.basename(folder) in _ENVIRONMENTS or os.path.exists(os.path.join(folder, _ENVIRONMENT_MARK))


def in_environment(path: str, root: str | None = None) -> bool:
    """Does a file stand in an environment inside of its project?  Without a root that is stated, the nearest folder
    with one of `MARKERS` is the project: a checkout in an environment is somebody's own.
    """
    folder = os.path.dirname(os.path.abspath(path))
    while folder != root and (root is not None or not is_root(folder)):
        if is_environment(folder):
            return True
        if folder == os.path.dirname(folder):
            break
        folder = os.path.dirname(folder)
    return False


def original_of(root: str) -> str:
    """The folder that a root is a copy of; the root itself, if it is none."""
    folder = root
    while not os.path.exists(os.path.join(folder, ".git")):
        if folder == os.path.dirname(folder):
            return root
        folder = os.path.dirname(folder)
    try:
        with open(os.path.join(folder, COPY_OF), "rb") as file:
            original = os.fsdecode(file.read())
    except OSError:
        return root
    return os.path.normpath(os.path.join(original, os.path.relpath(root, folder)))


def path_from(path: str, folder: str | os.PathLike[str] = os.curdir) -> str:
    """A path as seen from a folder; absolute if no way leads there, as between the drives of Windows."""
    try:
        return os.path.relpath(path, folder)
    except ValueError:
        return os.path.abspath(path)


@dataclass(frozen=True, slots=True)
class Folder:
    """The contents of a folder: Python files, and subfolders that may belong to the project.  Links are left out.

    `is_project`: it has a marker of its own. `is_environment`: it is a virtual environment.
    """

    files: frozenset[str] = frozenset()
    folders: frozenset[str] = frozenset()
    is_project: bool = False
    is_environment: bool = False

    @property
    def is_package(self) -> bool:
        """Does it contain an `__init__.py`?"""
        return "__init__.py" in self.files


class Folders:
    """The folders below a root, each listed at most once, on demand.

    `texts` are the paths of files that hold something else than the disk says, or that the disk does not have.
    """

    __slots__ = ("_added", "_listed", "_prefix", "root")

    def __init__(self, root: str, texts: Iterable[str] = ()) -> None:
        self.root = root
        self._prefix = root if root.endswith(os.sep) else root + os.sep
        self._listed: dict[str, Folder] = {}
        self._added: dict[str, tuple[set[str], set[str]]] = {}
        for path in texts:
            if path.endswith(".py") and self.covers(path):
                self._add(path)

    def covers(self, path: str) -> bool:
        """Is a path the root or below it?"""
        return path == self.root or path.startswith(self._prefix)

    def __getitem__(self, path: str) -> Folder:
        found = self._listed.get(path)
        if found is None:
            found = self._listed[path] = self._list(path)
        return found

    def child(self, path: str, name: str) -> str | None:
        """A subfolder, if it may contain modules of the project."""
        if name not in self[path].folders:
            return None
        inner = os.path.join(path, name)
        listed = self[inner]
        return None if listed.is_environment or (listed.is_project and not listed.is_package) else inner

    def holds_python(self, path: str) -> bool:
        """Does the folder, or a folder below it, contain a Python file?"""
        listed = self[path]
        inner = (self[os.path.join(path, name)] for name in listed.folders)
        return bool(listed.files) or any(one.files and not one.is_environment for one in inner)

    def python_files(self) -> tuple[tuple[str, ...], bool]:
        """All Python files of the project, sorted, and whether the list was truncated.

        Nested projects are left out, and what tools built at the root, unless it is a package. The files near the root
        come first, so that those are kept where there are many.
        """
        found: list[str] = []
        level, seen = [self.root], 0
        while level:
            below: list[str] = []
            for path in level:
                listed = self[path]
                found += [os.path.join(path, name) for name in sorted(listed.files)]
                seen += 1
                if len(found) > MAXIMUM_FILES or seen > MAXIMUM_FOLDERS:
                    return tuple(sorted(found[:MAXIMUM_FILES])), True
                inner = (self.child(path, name) for name in sorted(listed.folders))
                below += [folder for folder in inner if folder is not None and self._is_searched(folder)]
            level = below
        return tuple(sorted(found)), False

    def _is_searched(self, folder: str) -> bool:
        above, name = os.path.split(folder)
        listed = self[folder]
        return not listed.is_project and (above != self.root or name not in BUILT or listed.is_package)

    def _add(self, path: str) -> None:
        folder, name = os.path.split(path)
        self._added.setdefault(folder, (set(), set()))[0].add(name)
        while folder != self.root:
            folder, name = os.path.split(folder)
            self._added.setdefault(folder, (set(), set()))[1].add(name)

    def _list(self, path: str) -> Folder:
        files, folders, others = set(), set(), set()
        try:
            with os.scandir(path) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        folders.add(entry.name)
                    elif entry.name.endswith(".py") and entry.is_file():
                        files.add(entry.name)
                    else:
                        others.add(entry.name)
        except OSError:
            pass
        names = files | folders | others
        more_files, more_folders = self._added.get(path, ((), ()))
        return Folder(
            frozenset(files.union(more_files)),
            frozenset(name for name in folders.union(set(more_folders) - others) if _may_belong(name)),
            not names.isdisjoint(MARKERS),
            _ENVIRONMENT_MARK in names,
        )


def _may_belong(name: str) -> bool:
    return not name.startswith(".") and name not in _NEVER and not name.endswith(".egg-info")
