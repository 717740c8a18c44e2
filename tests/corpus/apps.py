"""The pinned applications: public repositories, each a folder `owner+name` of one folder or of an archive of it."""

from __future__ import annotations

import csv
import tarfile
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from .packages import CorpusError, Package, check_counts, move

LIST = Path(__file__).with_name("apps.csv")


@dataclass(frozen=True, slots=True)
class App(Package):
    """A pinned repository: its name is `owner/name`, its version a commit."""

    @property
    def folder(self) -> str:
        """What the folder of its files is called."""
        return self.name.replace("/", "+")


def read_apps(path: Path = LIST) -> list[Package]:
    """The list of applications, in its order."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return [App(row["repo"], row["commit"], int(row["python_files"]), int(row["lines"])) for row in rows]


def find(apps: Sequence[Package], places: Sequence[Path], cache: Path) -> dict[str, Path]:
    """The folder of each application; `CorpusError` for one that is missing or not as it is pinned.

    They lie in the folders `places`, or in the archives that these are, which are unpacked into the cache.
    """
    homes = [_unpacked(place, cache) if place.is_file() else place for place in places]
    lying = {app.name: [home / app.folder for home in homes if (home / app.folder).is_dir()] for app in apps}
    missing = [name for name, folders in lying.items() if not folders]
    if missing:
        raise CorpusError(f"not in {', '.join(map(str, homes))}: {', '.join(missing)}")
    for app in apps:
        check_counts(app, lying[app.name][0])
    return {name: folders[0] for name, folders in lying.items()}


def _unpacked(archive: Path, cache: Path) -> Path:
    """The one folder that an archive holds, below the cache; what was unpacked before is not looked at again."""
    with tarfile.open(archive) as opened:
        tops = {part for member in opened for part in PurePosixPath(member.name).parts[:1]}
        if len(tops) != 1:
            raise CorpusError(f"{archive} must hold one folder, not {len(tops)}")
        (name,) = tops
        if not (cache / name).is_dir():
            cache.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=cache, prefix="unpack-") as scratch:
                opened.extraction_filter = getattr(tarfile, "data_filter", None)  # from Python 3.11.4 and 3.10.12 on
                opened.extractall(scratch)
                move(Path(scratch) / name, cache / name)
    return cache / name
