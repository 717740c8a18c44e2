"""The configuration of a run: options from `[tool.flake8-jax]`, the command line and flake8, validated in one place.

`OPTIONS` is the one list of them; the command line and the plugin make their flags from it.  Whatever the source, a
value is converted by its option's kind, and what is wrong with it is one `ConfigError` that names the option.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Literal, TypeAlias

from flake8_jax.lazy_dataclasses import dataclass, replace
from flake8_jax.lazy_patterns import compiled
from flake8_jax.model.codes import code_of, names, nearest_code
from flake8_jax.model.former import FORMER
from flake8_jax.model.spelling import suggestion

OptionKind: TypeAlias = Literal[
    "flag", "codes", "names", "wrappers", "version", "releases", "folder", "new-folder", "file", "format", "patterns",
    "per-file", "url",
]  # fmt: skip
PerFile: TypeAlias = tuple[tuple[str, tuple[str, ...]], ...]
Say: TypeAlias = Callable[[str], None]

UNDONE: tuple[OptionKind, ...] = ("file", "url")
"""The kinds of values that the command line takes back: `--no-baseline`."""

SECTION = "flake8-jax"
PYPROJECT = "pyproject.toml"
UNREAD = ("setup.cfg", "tox.ini", ".flake8")
"""Files of other tools, in which options of this one may be written in vain."""

PREFIX = "jax-"
"""With what the names of our options begin under flake8."""

FORMATS = ("concise", "full", "json", "jsonl", "github", "gitlab", "junit", "sarif")
FORMATS_FOR_PEOPLE = FORMATS[:2]
OTHER_FORMATS = {"text": "concise", "json-lines": "jsonl"}
"""Other names that formats have, or had."""

EXCLUDED = (
    ".svn", "CVS", ".bzr", ".hg", ".git", "__pycache__", ".tox", ".nox", ".eggs", "*.egg", ".ipynb_checkpoints",
)  # fmt: skip
"""What is left out where `exclude` says nothing else: what flake8 leaves out, and copies that Jupyter keeps.

What else is, says `driver/selection.py`.
"""

_ELSEWHERE = compiled(rb"(?mi)^\[(?:tool[.:])?flake8[-_]jax\]")
_NAMED = compiled(rb"flake8[-_. ]?jax", re.IGNORECASE)
_LIST = compiled(r"[,\s]+")
_ITEMS: dict[OptionKind, tuple[re.Pattern[str], str]] = {
    "codes": (
        compiled(r"[A-Z]{1,3}[0-9]{0,3}", re.ASCII),
        "a code, its beginning or a name, such as JAX101, JAX1 or key-reused",
    ),
    "names": (compiled(r"[\w.*?\[\]!-]+"), "a qualified name or a pattern for some, such as mylib.*"),
    "wrappers": (
        compiled(r"[\w.]+:like=[\w.]+"),
        "NAME:like=NAME, such as mylib.fast_jit:like=jax.jit or mylib.draw:like=jax.random.normal",
    ),
    "patterns": (compiled(r".+"), "a path or a pattern"),
}
_ADDRESS = compiled(r"(https?://[^/\s]|file:///)[!-~]*", re.ASCII)
_SMALL = compiled(r"jax[0-9]{1,3}", re.ASCII)
_VERSION = compiled(r"\d+\.\d+(\.\d+)*", re.ASCII)
_BOUND = r"\s*(?:==|!=|~=|>=|<=|>|<)\s*\d+(?:\.\d+)*(?:\.\*)?\s*"
_RELEASES = compiled(rf"\d+\.\d+(?:\.\d+)*|{_BOUND}(?:,{_BOUND})*", re.ASCII)


class ConfigError(Exception):
    """A configuration that cannot be used; the message names the option and the reason."""


@dataclass(frozen=True, slots=True)
class Option:
    """One option: its name as a field of `Config`, its type of value, and its help text.

    `shared`: flake8 offers it too, as `--jax-NAME`.  `is_of_run`: it concerns a run as a whole, not single files.
    `is_used_by_flake8`: what our section says of it has its effect under flake8, too.
    """

    name: str
    kind: OptionKind
    help: str
    shared: bool = True
    is_of_run: bool = False
    is_used_by_flake8: bool = True

    @property
    def key(self) -> str:
        """The user-facing name, in `[tool.flake8-jax]` and (after `--`) on the command line."""
        return self.name.replace("_", "-")

    @property
    def flake8_key(self) -> str:
        """The user-facing name under flake8."""
        return flake8_key(self.key)


def flake8_key(key: str) -> str:
    """The name of an option under flake8, where all begin with `jax-`."""
    return PREFIX + key.removeprefix(PREFIX)


OPTIONS = (
    Option("strict", "flag", "also run the rules that often find what its author would not change"),
    Option("enable", "codes", "also run these rules, of whatever status"),
    Option("tests", "flag", "also run, in test files, the rules that are off there"),
    Option("assume_traced", "names", "functions that are traced although nothing here shows it: mylib.layers.*"),
    Option("root", "folder", "the project's root; default: by .git, pyproject.toml, setup.py or setup.cfg"),
    Option("jax_version", "version", "the JAX version to judge by; default: the installed one, or the newest known"),
    Option("jax_target", "releases", "the releases of JAX to run on: 0.10, or >=0.4.30,<0.7; default: those required"),
    Option("x64", "flag", "64-bit types are enabled in this project, although nothing in it shows it"),
    Option("transforms", "wrappers", "the project's own transforms: mylib.fast_jit:like=jax.jit"),
    Option(
        "key_consumers",
        "wrappers",
        "the project's own functions that use up a key: mylib.draw:like=jax.random.normal",
    ),
    Option(
        "analysis_statistics",
        "flag",
        "count what was analysed, given up and not known, and what it cost, on standard error",
        is_of_run=True,
    ),
    Option("no_store", "flag", "remember nothing on disk between runs", is_of_run=True),
    Option(
        "cache_dir",
        "new-folder",
        "where to remember it; default: $FLAKE8_JAX_STORE, or the user's cache",
        is_of_run=True,
    ),
    Option("daemon", "flag", "ask a background process that keeps the project in memory, and start it", is_of_run=True),
    Option("select", "codes", "report these codes only", shared=False),
    Option("extend_select", "codes", "report these codes too", shared=False),
    Option("ignore", "codes", "do not report these codes", shared=False),
    Option("extend_ignore", "codes", "nor these", shared=False),
    Option("per_file_ignores", "per-file", "codes not to report in some files, PATTERN:CODES ...", shared=False),
    Option("exclude", "patterns", "files and folders to pass over, in place of the defaults", shared=False),
    Option("extend_exclude", "patterns", "files and folders to pass over too", shared=False),
    Option("respect_gitignore", "flag", "pass over what git ignores; the default", shared=False),
    Option(
        "disable_noqa",
        "flag",
        "report also what comments in the files suppress",
        shared=False,
        is_used_by_flake8=False,
    ),
    Option(
        "statistics",
        "flag",
        "count the findings of each code and of each file, behind them (concise and full)",
        shared=False,
        is_of_run=True,
        is_used_by_flake8=False,
    ),
    Option(
        "output_format",
        "format",
        f"how to print findings: {', '.join(FORMATS)}; default: concise",
        shared=False,
        is_of_run=True,
        is_used_by_flake8=False,
    ),
    Option(
        "docs_url",
        "url",
        "the address of the built pages: codes link to them on a terminal, in json and sarif; default: no links",
        shared=False,
        is_of_run=True,
        is_used_by_flake8=False,
    ),
    Option(
        "baseline",
        "file",
        "report only what this file does not know, which --write-baseline wrote",
        shared=False,
        is_used_by_flake8=False,
    ),
    Option(
        "debug",
        "flag",
        "show on standard error where a defect of flake8-jax behind a JAX000 is",
        shared=False,
        is_of_run=True,
        is_used_by_flake8=False,
    ),
)
_BY_KEY = {option.key: option for option in OPTIONS}


@dataclass(frozen=True, slots=True)
class Config:
    """All options of a run; `OPTIONS` describes each field."""

    strict: bool = False
    enable: tuple[str, ...] = ()
    tests: bool = False
    assume_traced: tuple[str, ...] = ()
    root: str | None = None
    jax_version: str | None = None
    jax_target: str | None = None
    x64: bool = False
    transforms: tuple[str, ...] = ()
    key_consumers: tuple[str, ...] = ()
    analysis_statistics: bool = False
    no_store: bool = False
    cache_dir: str | None = None
    daemon: bool = False
    select: tuple[str, ...] | None = None
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    extend_ignore: tuple[str, ...] = ()
    per_file_ignores: PerFile = ()
    exclude: tuple[str, ...] = EXCLUDED
    extend_exclude: tuple[str, ...] = ()
    respect_gitignore: bool = True
    disable_noqa: bool = False
    statistics: bool = False
    output_format: str = FORMATS[0]
    docs_url: str | None = None
    baseline: str | None = None
    debug: bool = False

    def given(
        self, values: Mapping[str, object], folder: Path, spelt: Callable[[str], str] = "--{}".format,
        say: Say | None = None,
    ) -> Config:  # fmt: skip
        """A copy of this configuration with other values for some options.

        Parameters: `values` by key; None means not given.  `folder` is what relative paths start from, `spelt` how a
        key is called in errors, `say` is told which are deprecated.  Raises `ConfigError` for an unknown key or a value
        that the option does not take.
        """
        changes: dict[str, Any] = {}
        for key, value in _by_present_names(values, spelt, say):
            if key not in _BY_KEY:
                ours = key.removeprefix(PREFIX)  # as flake8 calls it
                raise ConfigError(f"{spelt(key)}: there is no such option; {suggestion(ours, _BY_KEY)}")
            option = _BY_KEY[key]
            if value is False and option.kind in UNDONE:
                changes[option.name] = None
            elif value is not None:
                changes[option.name] = _converted(option.kind, value, folder, spelt(key))
                if option.name == "select" and not changes[option.name]:
                    raise ConfigError(f"{spelt(key)}: names no code, so that nothing could be reported")
        return replace(self, **changes)

    def equivalents(self) -> dict[str, str]:
        """The names of libraries for which the project's own transforms and functions stand, by their names."""
        return dict(text.split(":like=") for text in (*self.transforms, *self.key_consumers))


def _by_present_names(
    values: Mapping[str, object], spelt: Callable[[str], str], say: Say | None
) -> Iterator[tuple[str, object]]:
    """Values by the names that options have today; of two names for one option the present one counts."""
    for key, value in values.items():
        former = FORMER.get(key)
        if former is None:
            yield key, value
        elif value is not None:
            if former.is_refused:
                raise ConfigError(former.text(key, spelt))
            if say is not None:
                say(former.text(key, spelt))
            if former.now is not None and values.get(former.now) is None:
                yield former.now, value


def has_section(path: Path) -> bool:
    """Is there a pyproject.toml with the section?  Raises `ConfigError` for one that may have it and is no TOML."""
    try:
        text = path.read_bytes()
    except OSError:
        return False
    return _NAMED.search(text) is not None and _section_in(tables_in(text, path), path) is not None


def unread_sections(folder: Path) -> Iterator[str]:
    """What to say of the files of a folder that have a section for this tool, although it reads none there."""
    for name in UNREAD:
        try:
            found = _ELSEWHERE.search(Path(folder, name).read_bytes())
        except OSError:
            continue
        if found is not None:
            yield (
                f"{name}: {found.group().decode()} is not read; write the options under [tool.{SECTION}] of "
                f"{PYPROJECT}, or those that flake8 has, as jax-NAME, under [flake8]"
            )


def load_file(path: Path, say: Say | None = None) -> Config:
    """The configuration of one file: its section, or for a file with another name than pyproject.toml all of it.

    Raises `ConfigError` if it cannot be read, says what no option takes, or says nothing of this tool; `say` is told
    what is deprecated.
    """
    try:
        tables = tables_in(path.read_bytes(), path)
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror or error}") from None
    section = _section_in(tables, path)
    if section is None:
        if path.name == PYPROJECT or "tool" in tables:
            raise ConfigError(f"{path}: there is no section [tool.{SECTION}]")
        return Config().given(tables, path.parent, lambda key: f"{path}: {key}", say)
    return Config().given(section, path.parent, partial(_in_file, path), say)


def _in_file(path: Path, key: str) -> str:
    return f"{path}: [tool.{SECTION}] {key}"


def tables_in(text: bytes, path: Path) -> dict[str, object]:
    """What stands in the text of a file of TOML; raises `ConfigError` if it is none."""
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        return tomllib.loads(text.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: {error}") from None


def _section_in(tables: Mapping[str, object], path: Path) -> Mapping[str, object] | None:
    tools = tables.get("tool", {})
    if not isinstance(tools, dict):
        raise ConfigError(f"{path}: [tool] must be a table")
    wrong = next((name for name in tools if name != SECTION and _NAMED.fullmatch(name.encode())), None)
    if wrong is not None:
        raise ConfigError(f"{path}: there is no section [tool.{wrong}]; did you mean [tool.{SECTION}]?")
    section = tools.get(SECTION)
    if section is not None and not isinstance(section, dict):
        raise ConfigError(f"{path}: [tool.{SECTION}] must be a table")
    return section


def _converted(kind: OptionKind, value: object, folder: Path, name: str) -> object:
    if kind == "flag":
        if not isinstance(value, bool):
            raise ConfigError(f"{name}: must be true or false, not {value!r}")
        return value
    if kind == "per-file":
        return _per_file(value, folder, name)
    if kind in ("version", "releases", "folder", "new-folder", "file", "format", "url"):
        if not isinstance(value, str):
            raise ConfigError(f"{name}: must be a string in quotes, not {value!r}")
        return _one(kind, value, folder, name)
    items = _items(kind, value, name)
    return tuple(_placed(item, folder) for item in items) if kind == "patterns" else items


def _items(kind: OptionKind, value: object, name: str) -> tuple[str, ...]:
    items: Iterable[object]
    if isinstance(value, str):
        items = [item for item in _LIST.split(value) if item]
    elif isinstance(value, list):
        items = value
    else:
        raise ConfigError(f"{name}: must be a list of strings, not {value!r}")
    pattern, meaning = _ITEMS[kind]
    found = list[str]()
    for item in items:
        if not isinstance(item, str):
            raise ConfigError(f"{name}: {item!r} is not {meaning}")
        code = code_of(item) if kind == "codes" else item
        if code is None or not pattern.fullmatch(code):
            is_code = kind == "codes" and pattern.fullmatch(item)
            wrong = f"there is no code {item}" if is_code else f"{item!r} is not {meaning}"
            instead = "give each as a string of its own" if _LIST.search(item.strip()) is not None else ""
            instead = instead or (_meant(item) if kind == "codes" else "")
            raise ConfigError(f"{name}: {wrong}" + f"; {instead}" * bool(instead))
        found.append(code)
    return tuple(found)


OF_OTHERS = compiled(r"[A-IK-Za-ik-z]+[0-9]+")
"""A code of another plugin, as E501, which is no misspelled one of ours."""


def _meant(word: str) -> str:
    near = nearest_code(word) if not OF_OTHERS.fullmatch(word) else None
    return f"did you mean {near}?" if near is not None else "`flake8-jax rules` lists them"


def _one(kind: OptionKind, value: str, folder: Path, name: str) -> str:
    if kind == "version":
        return _version(value, name)
    if kind == "releases":
        return _releases(value, name)
    if kind == "format":
        return _format(value, name)
    if kind == "url":
        return _url(value, name)
    if kind == "folder":
        return _folder(value, folder, name)
    if not value:
        raise ConfigError(f"{name}: names no {'file' if kind == 'file' else 'folder'}")
    return str(folder / value)


def _format(value: str, name: str) -> str:
    found = OTHER_FORMATS.get(value, value)
    if found not in FORMATS:
        raise ConfigError(f"{name}: there is no format {value}; {suggestion(value, (*FORMATS, *OTHER_FORMATS))}")
    return found


def _version(value: str, name: str) -> str:
    if not _VERSION.fullmatch(value):
        raise ConfigError(f"{name}: {value!r} is not a version such as 0.6 or 0.10.2")
    return value


def _url(value: str, name: str) -> str:
    if not _ADDRESS.fullmatch(value):
        raise ConfigError(f"{name}: {value!r} is not an address such as https://example.org/flake8-jax/")
    return value


def _releases(value: str, name: str) -> str:
    if not _RELEASES.fullmatch(value):
        raise ConfigError(f"{name}: {value!r} is not a version such as 0.10, nor bounds such as >=0.4.30,<0.7")
    return value


def _folder(value: str, folder: Path, name: str) -> str:
    place = folder / value
    if not place.is_dir():
        raise ConfigError(f"{name}: {value!r} is not a folder")
    return str(place)


def _placed(pattern: str, folder: Path) -> str:
    """A pattern with a slash is a path from `folder`, as flake8 has it; one without is a name anywhere."""
    if pattern == "." or "/" in pattern or os.sep in pattern:
        pattern = os.path.abspath(os.path.join(folder, pattern))
    return pattern.rstrip("/" + os.sep)


def _per_file(value: object, folder: Path, name: str) -> PerFile:
    pairs: list[tuple[str, object]]
    if isinstance(value, str):
        pairs = _flake8_pairs(value, name)
    elif isinstance(value, dict):
        pairs = list(value.items())
    else:
        raise ConfigError(f"{name}: must be a table of patterns and their codes, not {value!r}")
    return tuple((_placed(pattern, folder), _items("codes", codes, name)) for pattern, codes in pairs)


def _flake8_pairs(text: str, name: str) -> list[tuple[str, object]]:
    """`a.py,b.py:JAX1,JAX2 c.py:JAX3` as pairs of a pattern and its codes."""
    pairs: list[tuple[str, object]] = []
    patterns: list[str] = []
    codes: list[object] = []
    after_colon = False
    for word in _LIST.split(text.replace(":", " : ").strip()):
        if word == ":":
            after_colon = True
        elif after_colon and _is_no_file(word):
            codes.append(word)
        else:
            if codes:
                pairs += [(pattern, codes) for pattern in patterns]
                patterns, codes, after_colon = [], [], False
            patterns.append(word)
    if not codes or not patterns:
        raise ConfigError(f"{name}: {text!r} is not PATTERN:CODES, such as tests/*:JAX1,JAX203")
    return pairs + [(pattern, codes) for pattern in patterns]


def _is_no_file(word: str) -> bool:
    """Is a word between patterns of files a code?  In small letters it needs a number: `jax` may be a folder."""
    return bool(_ITEMS["codes"][0].fullmatch(word) or _SMALL.fullmatch(word)) or word in names().values()
