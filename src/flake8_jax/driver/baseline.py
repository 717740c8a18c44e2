"""Findings that are known: a file of fingerprints, and what is new and gone in comparison with it.

A file is JSON with one finding on each line, in the order of paths, so that versions of it can be compared and merged:

    {
      "schema": 1,
      "tool": "flake8-jax",
      "findings": [
        {"fingerprint": "...", "code": "JAX101", "path": "pkg/a.py", "function": "Model.step", "statement": "..."}
      ]
    }

Only the fingerprints are compared, as a multiset; the rest is for people, and tells which of several alike are meant.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from flake8_jax.driver.fingerprints import Fingerprint
from flake8_jax.lazy_dataclasses import dataclass

SCHEMA = 1


class BaselineError(Exception):
    """A baseline that cannot be used; the message names the file and the reason."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Of some findings those that are new, by their numbers, and what was known of others and is gone."""

    new: list[int]
    gone: list[Fingerprint]


def compared(found: Sequence[Fingerprint], known: Iterable[Fingerprint]) -> Comparison:
    """Compare findings with what is known.

    Of several with one fingerprint, those in the file where they are known to be are known first.
    """
    waiting: defaultdict[str, list[Fingerprint]] = defaultdict(list)
    for one in known:
        waiting[one.digest].append(one)
    elsewhere: list[int] = []
    for number, one in enumerate(found):
        same = next((each for each in waiting[one.digest] if each.path == one.path), None)
        if same is None:
            elsewhere.append(number)
        else:
            waiting[one.digest].remove(same)
    new: list[int] = []
    for number in elsewhere:
        alike = waiting[found[number].digest]
        if alike:
            alike.pop(0)
        else:
            new.append(number)
    return Comparison(new, [one for left in waiting.values() for one in left])


def text_of(found: Iterable[Fingerprint]) -> str:
    """The contents of a file of findings."""
    rows = [
        json.dumps(
            {
                "fingerprint": one.digest,
                "code": one.code,
                "path": one.path,
                "function": one.function,
                "statement": one.statement,
            }
        )
        for one in found
    ]
    findings = "[\n    " + ",\n    ".join(rows) + "\n  ]" if rows else "[]"
    return f'{{\n  "schema": {SCHEMA},\n  "tool": "flake8-jax",\n  "findings": {findings}\n}}\n'


def read(path: str) -> list[Fingerprint]:
    """The findings in a file; raises `BaselineError`."""
    try:
        document = json.loads(Path(path).read_bytes())
    except FileNotFoundError:
        raise BaselineError(f"there is no baseline {path}; `--write-baseline {path}` writes one") from None
    except OSError as error:
        raise BaselineError(f"{path}: {error.strerror or error}") from None
    except ValueError as error:
        raise BaselineError(f"{path} is not a baseline: {error}") from None
    rows = document.get("findings") if isinstance(document, dict) else None
    if not isinstance(rows, list):
        raise BaselineError(f"{path} is not a baseline: it has no findings")
    if document.get("schema") != SCHEMA:
        raise BaselineError(f"{path} is of another version of flake8-jax; `--write-baseline {path}` writes it anew")
    return [_read_row(row, path) for row in rows]


def _read_row(row: object, path: str) -> Fingerprint:
    if isinstance(row, dict):
        texts = [row.get(name, "") for name in ("fingerprint", "code", "path", "function", "statement")]
        if texts[0] and all(isinstance(text, str) for text in texts):
            return Fingerprint(*texts)
    raise BaselineError(f"{path} is not a baseline: {row!r} is not a finding")
