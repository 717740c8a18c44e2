"""The catalogue of verified pitfalls, rewritten by script: flagged where it was, silent where it was.

A helper in a second file is no variant yet: the analysis judges one file at a time.
"""

from __future__ import annotations

import itertools
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from tests.rules import marked
from tests.rules.catalogue import (
    BAD,
    CODE_OF,
    ENTRIES,
    MISSED_BY_OTHER_NAMES,
    MISSED_IN_HELPERS,
    MISSED_IN_OTHER_FORMS,
    NAMES,
    check_bad,
    left_out,
    rewritten,
    said_of,
)
from tests.rules.variants import NotApplicable
from tests.support import slices
from tests.support.expectations import PAIRS, lint_text


def applicable(role: str) -> list[tuple[str, str]]:
    """The variants of all entries that exist."""
    entries = BAD if role == "bad" else ENTRIES
    pairs = [(name, entry["id"]) for entry in entries for name in NAMES]
    return [pair for pair in pairs if left_out(pair[0], role, pair[1]) is None]


VARIANTS = {role: applicable(role) for role in ("bad", "good")}


def aspects(variant: tuple[str, str]) -> list[str]:
    """What a variant shows: its way, its rule, its entry."""
    name, identifier = variant
    return [f"way {name}", f"rule {CODE_OF[identifier]}", f"entry {identifier}"]


@slices.each("name, identifier", VARIANTS["bad"], aspects, daily=20, ids="-".join)
def test_bad_variant_is_flagged(name: str, identifier: str) -> None:
    if identifier in MISSED_IN_HELPERS and name.startswith("into_helper"):
        pytest.xfail(MISSED_IN_HELPERS[identifier])
    if identifier in MISSED_IN_OTHER_FORMS and name == "other_form":
        pytest.xfail(MISSED_IN_OTHER_FORMS[identifier])
    if identifier in MISSED_BY_OTHER_NAMES and name == "renamed":
        pytest.xfail(MISSED_BY_OTHER_NAMES[identifier])
    check_bad(*rewritten(name, "bad", identifier))


@slices.each("name, identifier", VARIANTS["good"], aspects, daily=20, ids="-".join)
def test_good_variant_is_silent(name: str, identifier: str) -> None:
    text, marks = rewritten(name, "good", identifier)
    assert marks == {}
    assert said_of(text) == [], text


def said_of_marks(text: str, marks: dict[int, str]) -> tuple[list[bool], int]:
    """Whether each marked line is reported, in order, and how many findings stand elsewhere; but for what names say of
    whether a file is a script."""
    said = [(d.span.line, d.code) for d in lint_text(text) if d.code != "JAX901" or d.code in marks.values()]
    return [(line, marks[line]) in said for line in sorted(marks)], sum(marks.get(line) != code for line, code in said)


@cache
def said_of_fixture(text: str) -> tuple[list[bool], int]:
    """What is said of a fixture as it is, but for its layout."""
    return said_of_marks(*marked.show(marked.parse(text)))


NAMED = {
    "jax101_key_reused", "jax103_key_not_advanced", "jax401_branch_on_traced", "jax609_result_misunpacked",
    "jax702_timing_without_block", "jax901_computation_at_import",
}  # fmt: skip
"""Pairs in which names are evidence: a parameter called `key`, a method called `init`, a name that begins with `_`, one
that is written as a constant's, one that says that it times compilation, a parameter that `partialmethod` names."""

IMPORTS = {"jax207_jax_numpy_as_np", "jax802_deprecated_api"}
"""Pairs that are about how something is imported."""


@slices.each(
    "path, name",
    itertools.product(
        [pair / f"{role}.py" for pair in PAIRS for role in ("bad", "good")],
        ["renamed", "aliased_modules", "full_names", "imported_members"],
    ),
    lambda case: [case[0].parent.name, f"{case[0].stem} {case[1]} {case[0].parent.name[:4]}"],
    ids=lambda case: f"{case[0].parent.name}-{case[0].stem}-{case[1]}",
)
def test_the_same_is_said_of_a_fixture_in_other_words(path: Path, name: str) -> None:
    pair = path.parent.name
    if (name == "renamed" and pair in NAMED) or (name != "renamed" and pair in IMPORTS):
        pytest.xfail("names are evidence in this pair")
    text = path.read_text(encoding="utf-8")
    try:
        variant = marked.show(NAMES[name](marked.parse(text)))
    except NotApplicable as reason:
        pytest.skip(str(reason))
    assert said_of_marks(*variant) == said_of_fixture(text)


LEAST = {"other_form": 0.2, "into_helper": 0.85, "into_helper_two_levels_down": 0.85, "renamed": 0.85}
"""How many of the entries have a variant at least, if not nine of ten: a script with eager code alone has nothing to
move to a helper, one that only imports binds no names."""


def test_variants_left_out_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    missing: Counter[tuple[str, str]] = Counter()
    for role, entries in (("bad", BAD), ("good", ENTRIES)):
        for name in NAMES:
            reasons = [left_out(name, role, entry["id"]) for entry in entries]
            missing.update((name, reason) for reason in reasons if reason is not None)
            made = sum(reason is None for reason in reasons)
            assert made >= len(entries) * LEAST.get(name, 0.9), name
    with capsys.disabled():
        print(f"\nvariants of the catalogue: {len(VARIANTS['bad'])} bad, {len(VARIANTS['good'])} good; left out:")
        print("".join(f"  {count:3} {name}: {reason}\n" for (name, reason), count in sorted(missing.items())), end="")
