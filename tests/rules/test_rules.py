"""The form of a rule: its page, its card, its pair, its messages; and what `discover` refuses."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

import pytest

from flake8_jax.rules import Discovered, RuleError, discover, read_rule
from flake8_jax.rules.rule import HEADINGS, Rule
from flake8_jax.runtime import phenomena
from tests.support.expectations import PAIRS, differences, expectations, lint_fixture, lint_text

RULES = discover()
CODES = [found.rule.code for found in RULES]
HEADING = re.compile(r"^## (.+)$", re.MULTILINE)
EXAMPLE = re.compile(r"^```python (?P<role>bad|good)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
FENCE = re.compile(r"^```(.+)$", re.MULTILINE)
INSPECTION = "by inspection: "
ADVICE = re.compile(r"\b(?:use|try|should|must|instead|consider|avoid|please|prefer)\b", re.IGNORECASE)
INSTEAD = re.compile(r"(?:use|split it first|split off|pass|bind|delete)\b")
REMEDY = re.compile(r"^(?:no|use|avoid|prefer|missing-use)-")

each_rule = pytest.mark.parametrize("found", RULES, ids=CODES)


def section(found: Discovered, heading: str) -> str:
    """The text below a heading of a rule's page."""
    return found.page.partition(f"## {heading}\n")[2].partition("\n## ")[0].strip()


def examples(role: str) -> list[tuple[Discovered, str]]:
    """Every example of this role on a rule's page."""
    return [(rule, found["text"]) for rule in RULES for found in EXAMPLE.finditer(rule.page) if found["role"] == role]


def test_rules_are_found_in_order_and_once() -> None:
    assert sorted(set(CODES)) == CODES
    assert discover() is RULES


@each_rule
def test_page(found: Discovered) -> None:
    assert tuple(HEADING.findall(found.page)) == HEADINGS
    assert all(section(found, heading) for heading in HEADINGS)
    assert section(found, "References").count("](https://") >= 1
    summary, _, rest = found.page.partition("\n\n")
    assert summary.endswith(".")
    assert "\n" not in summary
    assert rest.startswith(f"## {HEADINGS[0]}\n")
    assert all(fence in ("python bad", "python good") for fence in FENCE.findall(found.page))
    assert {example["role"] for example in EXAMPLE.finditer(found.page)} == {"bad", "good"}


@each_rule
def test_page_says_whether_the_hazard_is_loud(found: Discovered) -> None:
    loud = found.rule.hazard.startswith("raises:")
    assert section(found, "Why it is bad").startswith("Loud." if loud else "Silent.")


@each_rule
def test_card(found: Discovered) -> None:
    rule = found.rule
    assert re.fullmatch(r"JAX\d{3}", rule.code)
    assert re.fullmatch(r"[a-z]+[0-9]*(?:-[a-z]+)*", rule.name)
    assert not REMEDY.match(rule.name), "the name reads after `allow`: it names the hazard, not the remedy"
    assert re.fullmatch(r"\d+\.\d+", rule.since)
    for hazard in (rule.hazard, *rule.also):
        is_named = hazard.startswith(INSPECTION) and len(hazard) > len(INSPECTION)
        assert is_named or hazard.partition(":")[0] in phenomena.discover()
    assert rule.fix[:1].islower()
    assert not rule.fix.endswith(".")


@each_rule
def test_code_file_and_folder_agree(found: Discovered) -> None:
    stem = f"{found.rule.code.lower()}_{found.rule.name.replace('-', '_')}"
    assert Path(found.path).stem == stem
    assert stem in [pair.name for pair in PAIRS]


@each_rule
def test_file_is_a_page_long(found: Discovered) -> None:
    assert 60 <= Path(found.path).read_text(encoding="utf-8").count("\n") <= 120


@pytest.mark.parametrize("pair", PAIRS, ids=[pair.name for pair in PAIRS])
def test_each_pair_has_a_rule_and_states_its_hazard(pair: Path) -> None:
    code = pair.name.partition("_")[0].upper()
    assert code in CODES
    assert {path.name for path in pair.iterdir() if path.suffix == ".py"} == {"bad.py", "good.py"}
    assert {e.code for e in expectations((pair / "bad.py").read_text(encoding="utf-8"))} == {code}


@pytest.mark.parametrize(("found", "text"), examples("bad"))
def test_bad_example_is_reported_as_marked(found: Discovered, text: str) -> None:
    assert [e.code for e in expectations(text)] == [found.rule.code]
    assert list(differences(text, lint_text(text))) == []


@pytest.mark.parametrize(("found", "text"), examples("good"))
def test_good_example_is_silent(found: Discovered, text: str) -> None:
    assert [(d.code, d.message) for d in lint_text(text)] == []


TOOL = {found.rule.code for found in RULES if found.rule.group == "tool"}


@pytest.mark.parametrize("pair", PAIRS, ids=[pair.name for pair in PAIRS])
def test_messages_follow_the_convention(pair: Path) -> None:
    is_tool = pair.name.partition("_")[0].upper() in TOOL
    said = {diagnostic.message for diagnostic in lint_fixture(pair / "bad.py")}
    assert said
    for message in said:
        prose = re.sub(r"`[^`]*`", "`", message)
        reason, _, instead = prose.partition("; ")
        assert message == message.strip()
        assert "\n" not in message
        assert prose[0].islower() or prose[0] == "`", message
        assert not message.endswith("."), message
        assert not ADVICE.search(reason), message
        assert is_tool or INSTEAD.match(instead), message
        assert message.count("`") % 2 == 0, message


def module(**attributes: object) -> ModuleType:
    made = ModuleType("jax999_something")
    made.__file__ = "rules/jax999_something.py"
    vars(made).update(attributes)
    return made


RULE = Rule("JAX999", "something", "0.1", "group", "leak", "do something else", "on")


def check_without_annotation(event, report) -> None: ...  # type: ignore[no-untyped-def]


def check_with_other_annotation(event: int, report: object) -> None: ...


def check_with_other_parameters(event: int) -> None: ...


def check_with_unknown_annotation(event: Missing, report: object) -> None: ...  # type: ignore[name-defined]  # noqa: F821


@pytest.mark.parametrize(
    ("attributes", "message"),
    [
        ({}, "RULE must be a Rule, not None"),
        ({"RULE": "JAX999"}, "RULE must be a Rule, not 'JAX999'"),
        ({"RULE": RULE}, "a rule defines the function `check`"),
        ({"RULE": RULE, "check": check_without_annotation}, "`event` must be annotated with an event of "),
        ({"RULE": RULE, "check": check_with_other_annotation}, "`event` must be annotated with an event of "),
        ({"RULE": RULE, "check": check_with_other_parameters}, "check takes (event, report), not (event)"),
        ({"RULE": RULE, "check": check_with_unknown_annotation}, "the annotation of `event` must exist"),
    ],
)
def test_other_forms_are_refused_by_file_and_line(attributes: dict[str, object], message: str) -> None:
    with pytest.raises(RuleError) as refusal:
        read_rule(module(**attributes))
    line = getattr(attributes.get("check"), "__code__", None)
    where = f"rules/jax999_something.py:{line.co_firstlineno if line else 1}: "
    assert str(refusal.value).startswith(where + message)
