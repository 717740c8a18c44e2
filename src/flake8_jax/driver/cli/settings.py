"""The configurations of a run: from files, and from the options of the command line, which prevail."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from pathlib import Path

from flake8_jax.driver.cli import files, rendering
from flake8_jax.driver.cli.output import WrongUse, warn, write
from flake8_jax.model.config import OPTIONS, SECTION, UNDONE, Config
from flake8_jax.model.configurations import Configurations
from flake8_jax.model.former import FORMER

DEFAULT = Config()
ALSO = {"output-format": ("--format",), "no-store": ("--no-cache",)}
"""Other names of options on the command line."""


def configured(options: argparse.Namespace) -> Configurations:
    """The configurations of a run; raises `ConfigError` and `WrongUse`.  What is deprecated is said."""
    keys = (*(option.key for option in OPTIONS), *FORMER)
    given = {key: getattr(options, key.replace("-", "_")) for key in keys}
    if options.config is not None and options.isolated:
        raise WrongUse("--isolated reads no configuration file, not that of --config")
    file = Path(options.config).absolute() if options.config is not None else None
    return Configurations(given, file=file, is_isolated=options.isolated, say=warn)


def prepared(options: argparse.Namespace) -> Configurations | None:
    """The configurations of a run; None if only those or the files were asked for, which are printed then."""
    configurations = configured(options)
    if options.show_settings or options.show_files:
        paths = () if options.show_settings else files.chosen(options, configurations)
        text = shown(configurations, options) if options.show_settings else "".join(f"{path}\n" for path in paths)
        write(text)
        return None
    rendering.check_destination(options)
    return configurations


def shown(configurations: Configurations, options: argparse.Namespace) -> str:
    """The configuration of the first path as a file would have it, and which file it is from."""
    path = next(iter(options.paths), os.curdir)
    path = options.stdin_display_name if path == "-" else path
    inside = os.path.join(path, "it") if os.path.isdir(path) else path
    return "".join(f"{line}\n" for line in _lines(configurations.of(inside), configurations.source_of(inside)))


def add_run_options(verb: argparse.ArgumentParser) -> None:
    """Add the options that say which files are checked, what is printed where, and how the run ends."""
    files.add_options(verb)
    verb.add_argument("--exit-zero", action="store_true", help="exit with 0 although there are findings")
    rendering.add_options(verb.add_argument_group("output"))


def add_shared_options(verb: argparse.ArgumentParser) -> None:
    """Add the options that stand in `[tool.flake8-jax]`, too, and those that say which file is read."""
    where = verb.add_argument_group("configuration")
    where.add_argument("--config", metavar="FILE", help="read this file in place of the pyproject.toml above each file")
    where.add_argument("--isolated", action="store_true", help="read no configuration file")
    where.add_argument("--show-settings", action="store_true", help="print the options of the first path, and stop")
    where.add_argument("--show-files", action="store_true", help="print the files of this run, and stop")
    undone = "`--no-strict`, `--no-baseline` and their like undo what stands there."
    group = verb.add_argument_group(f"options of [tool.{SECTION}], too", undone)
    for option in OPTIONS:
        names = (f"--{option.key}", *ALSO.get(option.key, ()))
        if option.kind == "flag":
            group.add_argument(*names, action="store_true", default=None, help=option.help)
            is_default = getattr(DEFAULT, option.name)
            help_of_no = "or do not" if is_default else argparse.SUPPRESS
            group.add_argument(*map(_no, names), dest=option.name, action="store_false", help=help_of_no)
        else:
            if option.kind in UNDONE:
                group.add_argument(
                    _no(names[0]), dest=option.name, action="store_false", default=None, help=argparse.SUPPRESS
                )
            group.add_argument(*names, default=None, metavar=option.kind.removeprefix("new-").upper(), help=option.help)
    for key, former in FORMER.items():
        action = "store_true" if former.is_flag else "store"
        group.add_argument(f"--{key}", action=action, default=None, help=argparse.SUPPRESS)


def _no(name: str) -> str:
    """The option that undoes another: `--no-strict`; that of `--no-store` is `--store`."""
    key = name.removeprefix("--")
    return f"--{key.removeprefix('no-')}" if key.startswith("no-") else f"--no-{key}"


def _lines(config: Config, file: Path | None) -> Iterator[str]:
    yield f"# from {file} and the command line" if file is not None else "# from the command line"
    yield f"[tool.{SECTION}]"
    for option in OPTIONS:
        value = getattr(config, option.name)
        if value is None:
            yield f"# {option.key} is not set"
        elif option.kind == "per-file":
            table = ", ".join(f"{_toml(pattern)} = {_toml(list(codes))}" for pattern, codes in value)
            yield f"{option.key} = {{ {table} }}" if table else f"{option.key} = {{}}"
        else:
            yield f"{option.key} = {_toml(list(value) if isinstance(value, tuple) else value)}"


def _toml(value: object) -> str:
    """A flag, a text or a list of texts as TOML, which spells them as JSON does."""
    import json

    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
