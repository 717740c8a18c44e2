"""The pinned packages: which they are, where they come from, where they lie.

Only wheels are fetched, and of a wheel only the Python files are unpacked: nothing of a package is ever run.  Each is
the wheel for one Python on one platform, whatever runs this command, so that paths and lines are the same everywhere.
"""

from __future__ import annotations

import csv
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath
from zipfile import ZipFile

LIST = Path(__file__).with_name("packages.csv")
CACHE = "FLAKE8_JAX_CORPUS"
WHEELS = (
    *("--no-deps", "--only-binary", ":all:"),
    *("--implementation", "cp", "--python-version", "3.11", "--platform", "manylinux_2_28_x86_64"),
)


class CorpusError(Exception):
    """The corpus cannot be had, or not as it is pinned; the message says why."""


@dataclass(frozen=True, slots=True)
class Package:
    """A pinned package, and how many Python files and lines it must hold."""

    name: str
    version: str
    py_files: int
    lines: int

    @property
    def folder(self) -> str:
        """What the folder of its files is called."""
        return f"{self.name}-{self.version}"


def read_packages(path: Path = LIST) -> list[Package]:
    """The list of packages, in its order."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return [Package(row["pypi_name"], row["version"], int(row["py_files"]), int(row["lines"])) for row in rows]


def choose(names: Iterable[str], pinned: Sequence[Package] | None = None) -> list[Package]:
    """The pinned packages of these names, all of them if none is given; `CorpusError` for one that is not pinned."""
    packages = {package.name: package for package in (read_packages() if pinned is None else pinned)}
    chosen = list(dict.fromkeys(names)) or list(packages)
    strange = [name for name in chosen if name not in packages]
    if strange:
        raise CorpusError(f"not pinned: {', '.join(strange)}")
    return [packages[name] for name in chosen]


def default_cache() -> Path:
    """Where packages are kept: the folder that $FLAKE8_JAX_CORPUS names, or one of the system's for temporary files."""
    named = os.environ.get(CACHE)
    return Path(named) if named else Path(tempfile.gettempdir()) / "flake8-jax-corpus"


def fetch(packages: Sequence[Package], cache: Path) -> dict[str, Path]:
    """The folder of each package's Python files; those that the cache lacks are downloaded through pip."""
    folders = {package.name: cache / package.folder for package in packages}
    missing = [package for package in packages if not folders[package.name].is_dir()]
    if missing:
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cache, prefix="download-") as scratch:
            wheels = _download(missing, Path(scratch))
            for package in missing:
                unpacked = Path(scratch) / package.folder
                unpack(wheels[package.name], unpacked)
                check_counts(package, unpacked)
                move(unpacked, folders[package.name])
    return folders


def python_files(folder: Path) -> list[str]:
    """The Python files below a folder, as paths from it, in order."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.py"))


def unpack(wheel: Path, folder: Path) -> None:
    """Write the Python files of a wheel below a folder; `CorpusError` if one of them would stand outside of it."""
    folder.mkdir(parents=True)
    with ZipFile(wheel) as archive:
        for member in archive.infolist():
            name = PurePosixPath(member.filename)
            if name.suffix == ".py" and not member.is_dir():
                if ".." in name.parts or name.is_absolute() or PureWindowsPath(member.filename).drive:
                    raise CorpusError(f"{wheel.name}: {member.filename} would stand outside of the folder")
                path = folder / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(archive.read(member))


def _download(packages: Sequence[Package], scratch: Path) -> dict[str, Path]:
    """The wheel of each package."""
    wanted = [f"{package.name}=={package.version}" for package in packages]
    words = [sys.executable, "-m", "pip", "download", "-qq", "--disable-pip-version-check", *WHEELS]
    done = subprocess.run([*words, "--dest", str(scratch), *wanted], capture_output=True, text=True, check=False)
    wheels = {_normal(path.name.partition("-")[0]): path for path in scratch.glob("*.whl")}
    lacking = [package.name for package in packages if _normal(package.name) not in wheels]
    if done.returncode or lacking:
        said = done.stderr.strip() or f"no wheel of {', '.join(lacking)}"
        raise CorpusError(f"pip could not download the pinned packages\n{said}")
    return {package.name: wheels[_normal(package.name)] for package in packages}


def check_counts(package: Package, folder: Path) -> None:
    """`CorpusError` if a folder holds other numbers of files and lines than are pinned."""
    files = python_files(folder)
    lines = sum((folder / name).read_bytes().count(b"\n") for name in files)
    if (len(files), lines) != (package.py_files, package.lines):
        pinned = f"{package.py_files} Python files of {package.lines} lines are pinned"
        raise CorpusError(f"{package.name} {package.version} holds {len(files)} of {lines} lines, {pinned}")


def move(unpacked: Path, folder: Path) -> None:
    """Move an unpacked folder to its place, unless another run was faster."""
    try:
        unpacked.replace(folder)
    except OSError:
        if not folder.is_dir():
            raise


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
