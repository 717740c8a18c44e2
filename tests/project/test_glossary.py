"""The glossary: a term a line, sorted, each with the modules where it lives."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "flake8_jax"
GLOSSARY = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
ENTRY = re.compile(r"- \*\*(?P<term>[^*]+)\*\*: (?P<meaning>[^A-Z].*[^.]) \((?P<modules>`[^()]+`)\)")
LINES = GLOSSARY.split("\n\n", 2)[2].splitlines()


def entry(line: str) -> re.Match[str]:
    found = ENTRY.fullmatch(line)
    assert found is not None, line
    return found


@pytest.mark.parametrize("line", LINES)
def test_an_entry_is_one_line_that_names_existing_modules(line: str) -> None:
    modules = re.findall(r"`([^`]+)`", entry(line)["modules"])
    assert modules
    assert [module for module in modules if not (SOURCE / module).is_file()] == []
    assert len(line) <= 160


def test_terms_are_sorted_and_stand_once() -> None:
    terms = [entry(line)["term"].lower() for line in LINES]
    assert len(terms) > 80
    assert terms == sorted(set(terms))
