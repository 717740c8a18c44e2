"""The glossary: a term a line, sorted, each with the modules where it lives."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tests.support.sources import PACKAGE, ROOT

GLOSSARY = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
ENTRY = re.compile(r"- \*\*(?P<term>[^*]+)\*\*: (?P<meaning>[^A-Z].*[^.]) \((?P<modules>`[^()]+`)\)")
LINES = GLOSSARY.split("\n\n", 2)[2].splitlines()


def entry(line: str) -> re.Match[str]:
    found = ENTRY.fullmatch(line)
    assert found is not None, line
    return found


def faults(line: str) -> Iterator[str]:
    """What is wrong with an entry."""
    found = ENTRY.fullmatch(line)
    if found is None:
        yield "it is no entry"
        return
    modules = re.findall(r"`([^`]+)`", found["modules"])
    yield from (f"there is no {module}" for module in modules if not (PACKAGE / module).is_file())
    if not modules or len(line) > 160:
        yield "it names no module, or is longer than a line"


def test_an_entry_is_one_line_that_names_existing_modules() -> None:
    offenders = [f"{line}: {fault}" for line in LINES for fault in faults(line)]
    assert not offenders, "\n".join(offenders)


def test_terms_are_sorted_and_stand_once() -> None:
    terms = [entry(line)["term"].lower() for line in LINES]
    assert len(terms) > 80
    assert terms == sorted(set(terms))
