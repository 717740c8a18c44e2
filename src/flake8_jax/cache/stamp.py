"""What every report depends on: the code and tables of this tool, Python, and the options of a run.

Nothing in it is a time or a place: a store that a CI service restores on another machine is worth something there.
"""

from __future__ import annotations

import os
import sys
from functools import cache
from pathlib import Path

import flake8_jax
from flake8_jax import __version__
from flake8_jax.api import measured
from flake8_jax.digests import blake2b
from flake8_jax.model.config import Config

UNNAMED = (
    *("select", "extend_select", "ignore", "extend_ignore", "per_file_ignores", "exclude", "extend_exclude"),
    *("respect_gitignore", "analysis_statistics", "statistics", "output_format", "docs_url", "baseline", "debug"),
    *("root", "cache_dir", "daemon"),
)
"""The options that reports do not depend on: they filter findings or the output, or say where something lies."""

SUFFIXES = (".py", ".json", ".toml", ".tsv")


def stamp(config: Config) -> bytes:
    """A digest of all that reports of this configuration depend on, their project apart."""
    version = measured.choose(config.jax_version or measured.installed(), measured.versions())
    options = [("table", version)] + [
        (name, repr(getattr(config, name))) for name in config.__slots__ if name not in UNNAMED
    ]
    code = code_of(Path(flake8_jax.__file__).parent)
    return blake2b(repr((__version__, sys.version, code, options)).encode(), digest_size=16).digest()


@cache
def code_of(folder: Path) -> str:
    """A digest of the sources and tables in the package's folder, found out once in a process and its forks."""
    rows = _installed(folder) or _read(folder)
    return blake2b("\n".join(rows).encode(), digest_size=16).hexdigest()


def _installed(folder: Path) -> list[str]:
    """The files of an installed package with their digests, as its installer recorded them; none if it did not."""
    record = folder.parent / f"{folder.name}-{__version__}.dist-info" / "RECORD"
    try:
        lines = record.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return []
    return sorted(line for line in lines if line.startswith(f"{folder.name}/") and _is_hashed_source(line))


def _is_hashed_source(line: str) -> bool:
    name, _, rest = line.partition(",")
    return name.endswith(SUFFIXES) and rest.startswith("sha")


def _read(folder: Path) -> list[str]:
    """The files of a package with their digests, as they are in a checkout."""
    rows, inside = [], len(os.path.join(folder, ""))
    for place, _, names in os.walk(folder):
        for name in names:
            if name.endswith(SUFFIXES):
                path = os.path.join(place, name)
                with open(path, "rb", buffering=0) as file:
                    digest = blake2b(file.read(), digest_size=16).hexdigest()
                rows.append(f"{path[inside:].replace(os.sep, '/')},{digest}")
    return sorted(rows)
