"""The configuration of a run: from a file, and from the options of the command line, which prevail."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from flake8_jax.driver.cli import files, rendering
from flake8_jax.driver.cli.given import off
from flake8_jax.driver.cli.output import WrongUse, warn, write
from flake8_jax.model.config import OPTIONS, SECTION, Config, configured_by, load_file
from flake8_jax.model.former import FORMER

ALSO = {"output-format": ("--format",), "no-store": ("--no-cache",)}
"""Other names of options on the command line."""


def configured(options: argparse.Namespace) -> Config:
    """The configuration of a run; raises `ConfigError` and `WrongUse`.  What is deprecated is said."""
    keys = (*(option.key for option in OPTIONS), *FORMER)
    given = {key: getattr(options, key.replace("-", "_")) for key in keys}
    file = _file(options)
    found = load_file(file, warn) if file is not None else Config()
    return found.given(given, Path.cwd(), say=warn)


def prepared(options: argparse.Namespace) -> Config | None:
    """The configuration of a run; None if only that or the files were asked for, which are printed then.

    What is selected in vain is said.
    """
    config = configured(options)
    if options.show_settings or options.show_files:
        paths = () if options.show_settings else files.chosen(options, config)
        write(shown(config, options) if options.show_settings else "".join(f"{path}\n" for path in paths))
        return None
    rendering.check_destination(options)
    for code, why in off(config):
        warn(f"{code} is selected, but {why}")
    return config


def shown(config: Config, options: argparse.Namespace) -> str:
    """The configuration of a run as a file would have it, and which file it is from."""
    return "".join(f"{line}\n" for line in _lines(config, _file(options)))


def add_run_options(verb: argparse.ArgumentParser) -> None:
    """Add the options that say which files are checked, what is printed where, and how the run ends."""
    files.add_options(verb)
    verb.add_argument("--exit-zero", action="store_true", help="exit with 0 although there are findings")
    rendering.add_options(verb.add_argument_group("output"))


def add_shared_options(verb: argparse.ArgumentParser) -> None:
    """Add the options that stand in `[tool.flake8-jax]`, too, and those that say which file is read."""
    where = verb.add_argument_group("configuration")
    where.add_argument("--config", metavar="FILE", help="read this file in place of the nearest pyproject.toml")
    where.add_argument("--isolated", action="store_true", help="read no configuration file")
    where.add_argument("--show-settings", action="store_true", help="print the options of this run, and check nothing")
    where.add_argument("--show-files", action="store_true", help="print the files of this run, and check nothing")
    group = verb.add_argument_group(f"options of [tool.{SECTION}], too")
    for option in OPTIONS:
        names = (f"--{option.key}", *ALSO.get(option.key, ()))
        if option.kind == "flag":
            group.add_argument(*names, action="store_true", default=None, help=option.help)
        else:
            group.add_argument(*names, default=None, metavar=option.kind.removeprefix("new-").upper(), help=option.help)
    for key, former in FORMER.items():
        action = "store_true" if former.is_flag else "store"
        group.add_argument(f"--{key}", action=action, default=None, help=argparse.SUPPRESS)


def _file(options: argparse.Namespace) -> Path | None:
    """The configuration file of a run."""
    if options.config is None:
        return None if options.isolated else configured_by(Path.cwd())
    if options.isolated:
        raise WrongUse("--isolated reads no configuration file, not that of --config")
    return Path(options.config).absolute()


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
