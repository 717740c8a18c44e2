"""Reads and writes the files of api/measured: sorted, one fact per line. Versions, command and number of facts stand at
the head.

    {"jax": "0.10.2", "package": "flax 0.12.8", "command": "flake8-jax measure", "facts": 293,
    "functions": {"flax.linen": ["avg_pool(inputs*, ...)"]}, "transforms": {"flax.linen.scan": {...}}}

Rows of functions stand in a list for each module, everything else under its whole name. Equal facts make equal texts.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TypeAlias

from flake8_jax.model.documents import Json
from flake8_jax.runtime.measuring.family import MeasuredFact

COMMAND = "flake8-jax measure"
BY_MODULE = "functions"
BUILTINS = "builtins"
# Distributions that are not called like the package.
DISTRIBUTIONS = {"haiku": "dm-haiku"}
# Section -> name -> fact.
MeasuredFacts: TypeAlias = "dict[str, dict[str, MeasuredFact]]"


def text_of(package: str, facts: MeasuredFacts) -> str:
    """The text of one package's file."""
    number = sum(map(len, facts.values()))
    head = {"jax": version("jax"), "package": package_version(package), "command": COMMAND, "facts": number}
    parts = [", ".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in head.items())]
    for section, found in sorted(facts.items()):
        lines = _by_module(found) if section == BY_MODULE else _by_name(found)
        parts.append(f"{json.dumps(section)}: {{\n" + ",\n".join(lines) + "\n}")
    return "{" + ",\n".join(parts) + "}\n"


def _by_module(found: Mapping[str, MeasuredFact]) -> Iterator[str]:
    for module in sorted({_module(name) for name in found}):
        rows = [json.dumps(row) for name, row in sorted(found.items()) if _module(name) == module]
        yield f"{json.dumps(module)}: [\n" + ",\n".join(rows) + "]"


def _module(name: str) -> str:
    return name.rpartition(".")[0] or BUILTINS


def _by_name(found: Mapping[str, MeasuredFact]) -> Iterator[str]:
    yield from (f"{json.dumps(name)}: {json.dumps(fact, sort_keys=True)}" for name, fact in sorted(found.items()))


def facts_in(text: str) -> MeasuredFacts:
    """Parse the facts of a file, each under its qualified name."""
    data: dict[str, Json] = json.loads(text)
    facts: MeasuredFacts = {}
    for section, found in data.items():
        if isinstance(found, dict):
            facts[section] = dict(_named(found)) if section == BY_MODULE else found
    return facts


def _named(blocks: Mapping[str, list[str]]) -> Iterator[tuple[str, str]]:
    for module, rows in blocks.items():
        for row in rows:
            name = row.partition("(")[0].partition("->")[0].partition(";")[0].strip()
            yield (name if module == BUILTINS else f"{module}.{name}"), row


def read(folder: Path) -> dict[str, MeasuredFacts]:
    """The facts of every package measured with one version of JAX."""
    return {path.stem: facts_in(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))}


def packages(folder: Path) -> dict[str, str]:
    """The version of every package measured with one version of JAX."""
    files = sorted(folder.glob("*.json"))
    return {path.stem: json.loads(path.read_text(encoding="utf-8"))["package"] for path in files}


def package_version(package: str) -> str:
    """The installed version of a package, with its name; for Python's own modules, that of Python."""
    try:
        return f"{package} {version(DISTRIBUTIONS.get(package, package))}"
    except PackageNotFoundError:
        return f"python {sys.version_info.major}.{sys.version_info.minor}" if package == "python" else package
