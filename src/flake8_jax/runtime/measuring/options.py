"""The options of `flake8-jax measure`, apart from its implementation, so that the command line starts fast."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from flake8_jax.model.arguments import count


def add_options(verb: argparse.ArgumentParser) -> None:
    """Add the options of `flake8-jax measure` to a parser."""
    processes = min(os.cpu_count() or 1, 4)
    names = "measure only these, and print them; `jax.lax.` is all that is in it"
    verb.add_argument("names", nargs="*", metavar="NAME", help=names)
    verb.add_argument("--folder", type=Path, help="where the folders of the versions are; default: in this package")
    verb.add_argument("--check", action="store_true", help="write nothing, fail where something else is written")
    verb.add_argument("--sample", type=count, metavar="N", help="with --check: only so many, taken at random")
    verb.add_argument("--seed", type=int, help="with --sample: which ones; default: others each time")
    default = "processes; default: %(default)s"
    verb.add_argument("--jobs", "-j", type=count, metavar="N", default=processes, help=default)
    releases = "read the releases of JAX and its libraries instead, as pip finds them, and write what changed in them"
    verb.add_argument("--versions", action="store_true", help=releases)
    wheels = "with --versions: read the packages in this folder, and fetch nothing"
    verb.add_argument("--wheels", type=Path, metavar="FOLDER", help=wheels)
