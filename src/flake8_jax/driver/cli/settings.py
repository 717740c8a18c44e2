"""The configuration of a run: from a file, and from the options of the command line, which prevail."""

from __future__ import annotations

import argparse
from pathlib import Path

from flake8_jax.model.config import OPTIONS, Config, load

ALSO = {"output-format": ("--format",)}
"""Other names of options on the command line."""


def configured(options: argparse.Namespace) -> Config:
    """The configuration of a run; raises `ConfigError`."""
    given = {option.key: getattr(options, option.name) for option in OPTIONS}
    return load(Path.cwd()).given(given, Path.cwd())


def add_shared_options(verb: argparse.ArgumentParser) -> None:
    """Add the options that stand in `[tool.flake8-jax]`, too."""
    group = verb.add_argument_group("options of [tool.flake8-jax], too")
    for option in OPTIONS:
        names = (f"--{option.key}", *ALSO.get(option.key, ()))
        if option.kind == "flag":
            group.add_argument(*names, action="store_true", default=None, help=option.help)
        else:
            group.add_argument(*names, default=None, metavar=option.kind.upper(), help=option.help)
