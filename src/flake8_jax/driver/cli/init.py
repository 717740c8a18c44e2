"""`flake8-jax init`: writes what a project needs to begin with, from what it sees there: nothing is asked.

    flake8-jax-baseline.json    what is found now, so that only what is new is reported
    pyproject.toml              [tool.flake8-jax], with the baseline if there is one
    .pre-commit-config.yaml     a hook of the installed command, where there is a git repository

What is there already is left as it is.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from pathlib import Path

from flake8_jax.driver.cli import adopting, files
from flake8_jax.driver.cli.output import CLEAN, FileNotWritten, note, write, write_file
from flake8_jax.driver.sources import Sources
from flake8_jax.driver.statistics import counted, judged
from flake8_jax.lazy_dataclasses import dataclass
from flake8_jax.lazy_patterns import compiled
from flake8_jax.model.config import PYPROJECT, SECTION, has_section, tables_in
from flake8_jax.model.configurations import Configurations

BASELINE = "flake8-jax-baseline.json"
HOOKS = ".pre-commit-config.yaml"
HOOK = """\
- repo: local  # the flake8-jax that is installed where pre-commit runs
  hooks:
    - id: flake8-jax
      name: flake8-jax
      entry: flake8-jax check
      language: system
      types_or: [python, pyi, jupyter]
      require_serial: true
"""
_REPOS = compiled(r"^repos:[ \t]*(?:#.*)?$", re.MULTILINE)
_ITEM = compiled(r"^( *)- +repo:", re.MULTILINE)
_KEY = compiled(r"^[^\s#-]", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class NewFile:
    """A file that is to be written, unless its text is None, and what is said of it."""

    path: str
    said: str
    text: str | None = None


def init(options: argparse.Namespace) -> int:
    """Write a configuration, a hook and a baseline for the project here; what is there is left as it is."""
    pieces = list(_pieces(options))
    for piece in pieces if not options.dry_run else ():
        if piece.text is not None:
            write_file(piece.path, piece.text.encode())
    write("".join(f"{piece.path}: {piece.said}\n" for piece in pieces))
    if options.dry_run:
        note("nothing was written")
    return CLEAN


def add_options(verb: argparse.ArgumentParser) -> None:
    """Add the options of `flake8-jax init` to a parser."""
    verb.add_argument("--dry-run", action="store_true", help="say what would be written, and write nothing")
    verb.add_argument("--no-baseline", action="store_true", help="report also what is found now")
    verb.add_argument("--no-hook", action="store_true", help="leave pre-commit alone")
    verb.set_defaults(jobs=None, quiet=False, diff_base=None, stdin_display_name="stdin")


def _pieces(options: argparse.Namespace) -> Iterator[NewFile]:
    is_configured = has_section(Path(PYPROJECT))
    baseline = _baseline(options) if not options.no_baseline and not is_configured else None
    if baseline is not None:
        yield baseline
    is_known = baseline is not None or Path(BASELINE).exists()
    yield _left_configuration() if is_configured else _configuration(is_known and not options.no_baseline)
    if not options.no_hook:
        yield _hook()


def _baseline(options: argparse.Namespace) -> NewFile | None:
    """What is found now, unless that is nothing, or there is a baseline."""
    if Path(BASELINE).exists():
        return None
    options.paths = []
    configurations = Configurations()
    found = files.checked(options, configurations).found
    count = judged(found)
    text = adopting.baseline_text(BASELINE, found, Sources((), configurations.of))
    said = f"has {counted(count, 'finding')} of now, so that only new ones are reported"
    return NewFile(BASELINE, said, text) if count else None


def _left_configuration() -> NewFile:
    return NewFile(PYPROJECT, f"has [tool.{SECTION}], and is left as it is")


def _configuration(is_known: bool) -> NewFile:
    """The configuration with a section of ours behind the others; raises `ConfigError` if the file is no TOML."""
    before = _text_of(PYPROJECT)
    tables_in(before.encode(), Path(PYPROJECT))
    newline = "\r\n" if "\r\n" in before else "\n"
    lines = [f"[tool.{SECTION}]", *([f'baseline = "{BASELINE}"'] if is_known else []), ""]
    gap = "" if not before else newline if before.endswith("\n") else newline * 2
    return NewFile(PYPROJECT, f"has [tool.{SECTION}] now", before + gap + newline.join(lines))


def _hook() -> NewFile:
    """The hook, where git is and no hook of ours."""
    if not any((folder / ".git").exists() for folder in (Path.cwd(), *Path.cwd().parents)):
        return NewFile(HOOKS, "is not written, as there is no git repository")
    before = _text_of(HOOKS) or "repos:\n"
    if SECTION in before:
        return NewFile(HOOKS, f"names {SECTION}, and is left as it is")
    after = with_hook(before)
    if after is None:
        return NewFile(HOOKS, f"no list under `repos:` is seen; add this to it\n\n{HOOK}")
    return NewFile(HOOKS, f"has the hook {SECTION} now; `pre-commit install` makes git run it", after)


def with_hook(text: str) -> str | None:
    """The configuration of pre-commit with our hook behind the others; None where it cannot be seen where."""
    repos = _REPOS.search(text)
    if repos is None:
        return None
    item = _ITEM.search(text, repos.end())
    indent = item[1] if item is not None else "  "
    following = next((key.start() for key in _KEY.finditer(text, repos.end())), len(text))
    before, after = text[:following].rstrip(), text[following:]
    hook = "".join(f"{indent}{line}\n" for line in HOOK.splitlines())
    newline = "\r\n" if "\r\n" in text else "\n"
    return f"{before}{newline}" + hook.replace("\n", newline) + (f"{newline}{after}" if after else "")


def _text_of(path: str) -> str:
    """The text of a file, its line ends as they are; empty if there is none."""
    try:
        return Path(path).read_bytes().decode()
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise FileNotWritten(f"{path} cannot be read: {error}") from error
