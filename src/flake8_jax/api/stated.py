"""Loads stated.toml: facts that cannot be measured, and conventions of frameworks.

The file is read for every run of the linter, so it is laid out to be cheap: function rows stand in literal strings, one
for each module, that the TOML parser only copies; each transform's table is cut out of the text by its header and
parsed when it is asked for.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from flake8_jax.api.host import classes_by_method
from flake8_jax.api.rows import RowError
from flake8_jax.lazy_dataclasses import dataclass

STATED = Path(__file__).with_name("stated.toml")
UNMEASURED = STATED.with_name("unmeasured.toml")
PLAIN = (
    "aliases", "annotations", "applying", "bases", "batches", "bounds", "compiling", "computing", "counting",
    "demands", "dropout", "effects", "enabling", "endings", "fields", "filtering", "forwards", "frozen", "handlers",
    "advancing", "holders", "impure", "keeping", "key_arguments", "leaves", "modes", "own_keywords", "parts", "pieces",
    "placeholders", "receivers", "refusing", "required", "results", "returns", "roles", "statistics", "streams",
    "trees", "unbinding", "updated", "updating", "waiting", "weights", "widths", "writing",
)  # fmt: skip
_CUT = '\n[transforms."'


@dataclass(frozen=True, slots=True)
class Stated:
    """The content of stated.toml: function rows, transforms' tables, and blocks of single words."""

    functions: Mapping[str, str]
    transforms: Mapping[str, str]
    plain: Mapping[str, Mapping[str, str]]
    traced_methods: Mapping[str, tuple[str, ...]]
    layers: Mapping[str, tuple[str, ...]]
    instances: Mapping[str, str]
    shapes: Mapping[str, str]
    host: Mapping[str, str]
    moving: Mapping[str, frozenset[str]]
    opaque: Mapping[str, str]
    optimizers: Mapping[str, str]
    remembering: Mapping[str, str]
    singular: Mapping[str, str]
    numbers: Mapping[str, str]
    dtypes: Mapping[str, str]

    def transform(self, name: str) -> dict[str, Any]:
        """What is stated of a transform."""
        row: dict[str, Any] = toml(self.transforms[name])["transforms"][name] if name in self.transforms else {}
        return row


def parse(text: str) -> Stated:
    """Parse the text of a stated.toml."""
    head, *cuts = text.split(_CUT)
    transforms = {cut.partition('"')[0]: f"{_CUT}{cut}" for cut in cuts}
    if len(transforms) != len(cuts):
        raise RowError("a transform is stated twice")
    data = toml(head)
    plain = {block: MappingProxyType(data.get(block, {})) for block in PLAIN}
    methods, layers = (
        {base: tuple(names) for base, names in data.get(block, {}).items()} for block in ("traced_methods", "layers")
    )
    instances = {
        f"{module}.{name}": made
        for made, modules in data.get("instances", {}).items()
        for module, names in modules.items()
        for name in names
    }
    return Stated(
        data.get("functions", {}), transforms, plain, methods, layers, instances, _spread(data.get("shapes", {})),
        _spread(data.get("host", {})), classes_by_method(data.get("host", {})), _spread(data.get("opaque", {})),
        _spread(data.get("optimizers", {})), _spread(data.get("remembering", {})), _spread(data.get("singular", {})),
        _spread_last(data.get("numbers", {})), _spread_last(data.get("dtypes", {})),
    )  # fmt: skip


def _spread(blocks: Mapping[str, str]) -> Mapping[str, str]:
    """The word of each name; a block is a word and a module, with the names in it."""
    pairs = ((key.partition(" "), names.split()) for key, names in blocks.items())
    return MappingProxyType({f"{at}.{name}".lstrip("."): word for (word, _, at), names in pairs for name in names})


def _spread_last(blocks: Mapping[str, str]) -> Mapping[str, str]:
    """The expression of each name; a block is an expression of several words, then a module, with the names in it."""
    pairs = ((key.rpartition(" "), names.split()) for key, names in blocks.items())
    return MappingProxyType({f"{at}.{name}": words for (words, _, at), names in pairs for name in names})


@cache
def read(path: Path = STATED) -> Stated:
    """The stated facts of this package."""
    return parse(path.read_text(encoding="utf-8"))


@cache
def enabling() -> tuple[str, ...]:
    """The libraries that enable types of 64 bits where they are imported, of which a run asks that judges nothing: this
    block is parsed alone.
    """
    block = STATED.read_text(encoding="utf-8").partition("\n[enabling]\n")[2].partition("\n[")[0]
    return tuple(toml(block))


@cache
def unmeasured() -> Mapping[str, str]:
    """The names excluded from measuring, with reasons."""
    rows: dict[str, str] = toml(UNMEASURED.read_text(encoding="utf-8"))["unmeasured"]
    return MappingProxyType(rows)


@cache
def broken(version: str) -> Mapping[str, str]:
    """The names that always fail in one version of JAX, with reasons."""
    rows: dict[str, dict[str, str]] = toml(UNMEASURED.read_text(encoding="utf-8"))["broken"]
    return MappingProxyType(rows.get(version, {}))


def toml(text: str) -> dict[str, Any]:
    """The data of a TOML text."""
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    return tomllib.loads(text)
