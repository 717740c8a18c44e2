"""What fixes make of the bad half of each pair is the good half; a second run changes nothing."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from flake8_jax.driver.linter import lint
from flake8_jax.fixes.applying import FixedText, Judge, fix_text
from flake8_jax.model.diagnostic import Diagnostic
from flake8_jax.rules import discover
from flake8_jax.runtime.claims import definitions
from flake8_jax.syntax.source import SourceFile
from tests.support.expectations import ALL, FIXTURES, NOWHERE, PAIRS, lint_fixture, said_of

FIXING = [found.rule.code.lower() for found in discover() if found.fix is not None]
FIXED = [pair for pair in PAIRS if pair.name.partition("_")[0] in FIXING]

OTHERWISE = {
    "jax406_flag_not_static": "the decorator is changed, which no twin may do: only marked lines differ",
    "jax602_body_signature": "a function takes what it is called with, where the twin's call leaves it out",
    "jax606_branch_called": "the object is passed itself, where the twin passes one of its methods",
    "jax610_not_jittable": "decorators change places, which no twin may do: only marked lines differ",
    "jax702_timing_without_block": "a helper returns what is waited for, where its twin waits itself",
}
"""The pairs whose twins are right in another way than the fixes, and why."""

LEAST = {
    "jax002_unused_suppression": 8, "jax101_key_reused": 55, "jax103_key_not_advanced": 7,
    "jax106_key_derivation_discarded": 5, "jax107_not_a_key": 20, "jax201_item_assignment": 45,
    "jax202_result_discarded": 25, "jax203_sequence_as_array": 55, "jax208_at_misused": 15,
    "jax301_print_in_traced": 26, "jax406_flag_not_static": 5, "jax408_jnp_on_static": 4,
    "jax503_static_name_unknown": 4, "jax506_used_after_donation": 2, "jax702_timing_without_block": 18,
    "jax502_unhashable_static": 10, "jax507_self_traced": 4, "jax602_body_signature": 12, "jax606_branch_called": 14,
    "jax608_custom_rule_incomplete": 2, "jax609_result_misunpacked": 9, "jax610_not_jittable": 3,
    "jax613_operands_of_control_flow": 6, "jax614_library_contract": 8, "jax701_nan_gradient": 7,
    "jax801_removed_api": 10, "jax802_deprecated_api": 1, "jax803_newer_than_required": 1,
}  # fmt: skip
"""How many functions of each pair are fixed at least."""


@cache
def judge(text: str, path: str = "bad.py") -> Sequence[Diagnostic] | None:
    report = lint(SourceFile(f"{NOWHERE}/{path}", text), ALL)
    return None if report.given_up is not None else report.diagnostics


def judge_for(path: Path) -> Judge:
    """What judges texts in the place of a fixture; of the fixture itself other tests ask too."""
    fixture, name = path.read_text(encoding="utf-8"), path.relative_to(FIXTURES).as_posix()
    return lambda text: said_of(path) if text == fixture else judge(text, name)


@cache
def fixed(pair: Path) -> FixedText:
    bad = pair / "bad.py"
    found = fix_text(bad.read_text(encoding="utf-8"), judge_for(bad), ("safe", "unsafe"))
    assert found is not None
    return found


@dataclass(frozen=True)
class Repaired:
    """A definition of which every finding was fixed: what became of it, and its twin."""

    name: str
    made: str
    twin: str


def repaired(pair: Path) -> list[Repaired]:
    found = fixed(pair)
    text = (pair / "bad.py").read_text(encoding="utf-8")
    lines = {one.span.line for one in said_of(pair / "bad.py")}
    left = {one.span.line for one in found.remaining}
    new, twins = trees(found.text), trees((pair / "good.py").read_text(encoding="utf-8"))
    places = {each.name: each for each in definitions(found.text)}
    return [
        Repaired(each.name, new[each.name], twins[each.name])
        for each in definitions(text)
        if any(line in each for line in lines) and not any(line in places[each.name] for line in left)
    ]


def trees(text: str) -> dict[str, str]:
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return {node.name: ast.dump(node) for node in ast.parse(text).body if isinstance(node, kinds)}


def test_each_pair_with_fixes_has_a_floor() -> None:
    assert {pair.name for pair in FIXED} == LEAST.keys()


@pytest.mark.parametrize("pair", FIXED, ids=lambda pair: pair.name)
def test_the_fixed_function_is_its_twin(pair: Path) -> None:
    found = repaired(pair)
    assert len(found) >= LEAST[pair.name]
    if pair.name not in OTHERWISE:
        assert [one.name for one in found if one.made != one.twin] == []


@pytest.mark.parametrize("pair", FIXED, ids=lambda pair: pair.name)
def test_a_second_run_changes_nothing(pair: Path) -> None:
    text = fixed(pair).text
    again = fix_text(text, judge_for(pair / "bad.py"), ("safe", "unsafe"))
    assert again is not None
    assert (again.text, again.fixed) == (text, ())


@pytest.mark.parametrize("pair", [pair for pair in PAIRS if pair not in FIXED], ids=lambda pair: pair.name)
def test_other_pairs_have_no_fixes(pair: Path) -> None:
    code = pair.name.partition("_")[0].upper()
    assert not [one for one in lint_fixture(pair / "bad.py") if one.code == code and one.fix is not None]
