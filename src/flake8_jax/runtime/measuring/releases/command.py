"""`flake8-jax measure --versions`: which releases are fetched, what is written, the exit status."""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from flake8_jax.api import versions
from flake8_jax.api.versions import implied
from flake8_jax.runtime.measuring.releases.libraries import LIBRARIES, Library
from flake8_jax.runtime.measuring.releases.package import packages
from flake8_jax.runtime.measuring.releases.writing import required_text_of, text_of

DONE, DIFFERS, UNUSABLE = 0, 1, 2
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check")
AVAILABLE = "Available versions: "


class NotFetched(Exception):
    """A release that pip does not give."""


def run(options: argparse.Namespace) -> int:
    """Read the releases of JAX and its libraries, and write or compare what changed in them and what they require."""
    place = options.folder or versions.FILE.parent
    with TemporaryDirectory() as temporary:
        folder = options.wheels or Path(temporary)
        try:
            if options.wheels is None:
                for library in LIBRARIES:
                    fetch(library, folder)
        except NotFetched as error:
            print(f"flake8-jax: error: {error}", file=sys.stderr)
            return UNUSABLE
        texts = {versions.FILE.name: text_of(folder, options.jobs), implied.FILE.name: required_text_of(folder)}
    return max(_write(place / name, text, options.check) for name, text in texts.items())


def _write(path: Path, text: str, is_compared: bool) -> int:
    if is_compared:
        is_same = path.is_file() and path.read_text(encoding="utf-8") == text
        print(f"{path}: {'as it was' if is_same else 'something else is written'}")
        return DONE if is_same else DIFFERS
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    print(f"{path}: {text.count(chr(10))} rows, {len(text.encode())} bytes")
    return DONE


def fetch(library: Library, folder: Path) -> None:
    """Bring the releases of a library into a folder, as pip finds them, unless they are there; raises `NotFetched`."""
    known = {(package.project, package.version) for package in packages(folder)}
    for version in available(library):
        if (library.project, version) not in known:
            print(f"{library.project} {version}", file=sys.stderr)
            _pip(
                "download", "--no-deps", "--ignore-requires-python", "--dest", str(folder),
                f"{library.project}=={version}",
            )  # fmt: skip


def available(library: Library) -> list[str]:
    """The releases of a library, oldest first: of all of them it is read what they require."""
    lines = _pip("index", "versions", "--ignore-requires-python", library.project).splitlines()
    line = next((line for line in lines if line.startswith(AVAILABLE)), AVAILABLE)
    found = line.removeprefix(AVAILABLE).replace(" ", "").split(",")
    return [one for one in reversed(found) if one]


def _pip(*arguments: str) -> str:
    done = subprocess.run([*PIP, *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        raise NotFetched(f"pip {' '.join(arguments)}: {(done.stderr.strip().splitlines() or ['failed'])[-1]}")
    return done.stdout
