"""The form of a rule: its page, its card, its pair, its messages; and what `discover` refuses."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from flake8_jax import __version__
from flake8_jax.rules import Discovered, RuleError, discover, read_rule
from flake8_jax.rules.rule import HEADINGS, Rule
from flake8_jax.runtime import phenomena
from tests.support.expectations import PAIRS, differences, expectations, is_large, lint_fixture, lint_text

RULES = discover()
CODES = [found.rule.code for found in RULES]
HEADING = re.compile(r"^## (.+)$", re.MULTILINE)
EXAMPLE = re.compile(r"^```python (?P<role>bad|good)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
FENCE = re.compile(r"^```(.+)$", re.MULTILINE)
INSPECTION = "by inspection: "
ADVICE = re.compile(r"\b(?:use|try|should|must|instead|consider|avoid|please|prefer)\b", re.IGNORECASE)
INSTEAD = re.compile(
    r"(?:use|(?:before|on) line \d+ (?:write|use)|split|write|keep|give|make|collect|index|join|pass|bind|delete|"
    r"declare|carry|return|take|read|show|compute|fold|jit|define|move|set|start|hand|leave|map|count|name|unpack|"
    r"decorate|call|put|donate|draw|choose|register|drop|add|wrap|let)\b"
)
REMEDY = re.compile(r"^(?:no|use|avoid|prefer|missing-use)-")


def section(found: Discovered, heading: str) -> str:
    """The text below a heading of a rule's page."""
    return found.page.partition(f"## {heading}\n")[2].partition("\n## ")[0].strip()


def examples(role: str) -> list[tuple[Discovered, str]]:
    """Every example of this role on a rule's page."""
    return [(rule, found["text"]) for rule in RULES for found in EXAMPLE.finditer(rule.page) if found["role"] == role]


def test_rules_are_found_in_order_and_once() -> None:
    assert sorted(set(CODES)) == CODES
    assert discover() is RULES


def faults_of_page(found: Discovered) -> dict[str, bool]:
    """What may be wrong with the page of a rule, and whether it is."""
    summary, _, rest = found.page.partition("\n\n")
    loud = found.rule.hazard.startswith("raises:")
    return {
        "other headings": tuple(HEADING.findall(found.page)) != HEADINGS,
        "an empty section": not all(section(found, heading) for heading in HEADINGS),
        "no reference": "](https://" not in section(found, "References"),
        "no summary of one line": not summary.endswith(".") or "\n" in summary,
        "something between the summary and the first heading": not rest.startswith(f"## {HEADINGS[0]}\n"),
        "another fence": not {"python bad", "python good"}.issuperset(FENCE.findall(found.page)),
        "not both examples": {example["role"] for example in EXAMPLE.finditer(found.page)} != {"bad", "good"},
        "loud or silent?": not section(found, "Why it is bad").startswith("Loud." if loud else "Silent."),
    }


def minor(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")[:2]))


def faults_of_card(found: Discovered) -> dict[str, bool]:
    """What may be wrong with the card of a rule, its file and its pair, and whether it is."""
    rule = found.rule
    hazards = [hazard for hazard in (rule.hazard, *rule.also) if not re.match(f"{INSPECTION}.", hazard)]
    stem = f"{rule.code.lower()}_{rule.name.replace('-', '_')}"
    return {
        "code": not re.fullmatch(r"JAX\d{3}", rule.code),
        "name": not re.fullmatch(r"[a-z]+[0-9]*(?:-[a-z]+)*", rule.name),
        "the name reads after `allow`: it names the hazard, not the remedy": bool(REMEDY.match(rule.name)),
        "since": not re.fullmatch(r"\d+\.\d+", rule.since) or minor(rule.since) > minor(__version__),
        "hazard": any(hazard.partition(":")[0] not in phenomena.discover() for hazard in hazards),
        "fix": not rule.fix[:1].islower() or rule.fix.endswith("."),
        f"the file is not {stem}.py": Path(found.path).stem != stem,
        "the file is no page": not 60 <= Path(found.path).read_text(encoding="utf-8").count("\n") <= 140,
        f"there is no pair {stem}": stem not in [pair.name for pair in PAIRS],
    }


@pytest.mark.parametrize("faults", [faults_of_page, faults_of_card], ids=["page", "card"])
def test_the_form_of_each_rule(faults: Callable[[Discovered], dict[str, bool]]) -> None:
    offenders = [f"{found.rule.code}: {what}" for found in RULES for what, is_so in faults(found).items() if is_so]
    assert not offenders, "\n".join(offenders)


def faults_of_pair(pair: Path) -> dict[str, bool]:
    """What may be wrong with a pair of fixtures, and whether it is."""
    code = pair.name.partition("_")[0].upper()
    stated = {e.code for e in expectations((pair / "bad.py").read_text(encoding="utf-8"))}
    return {
        "no rule": code not in CODES,
        "other files": {path.name for path in pair.iterdir() if path.suffix == ".py"} != {"bad.py", "good.py"},
        "another hazard": stated != {code},
    }


def test_each_pair_has_a_rule_and_states_its_hazard() -> None:
    offenders = [f"{pair.name}: {what}" for pair in PAIRS for what, is_so in faults_of_pair(pair).items() if is_so]
    assert not offenders, "\n".join(offenders)


@pytest.mark.parametrize(("found", "text"), examples("bad"))
def test_bad_example_is_reported_as_marked(found: Discovered, text: str) -> None:
    assert [e.code for e in expectations(text)] == [found.rule.code]
    assert list(differences(text, lint_text(text))) == []


@pytest.mark.parametrize(("found", "text"), examples("good"))
def test_good_example_is_silent(found: Discovered, text: str) -> None:
    assert [(d.code, d.message) for d in lint_text(text)] == []


TOOL = {found.rule.code for found in RULES if found.rule.group == "tool"}


def is_conventional(message: str, is_tool: bool) -> bool:
    """Is a message one line, a reason without advice, and then what to write instead?"""
    prose = re.sub(r"`[^`]*`", "`", message)
    reason, _, instead = prose.partition("; ")
    is_line = message == message.strip() and "\n" not in message and not message.endswith(".")
    is_whole = (prose[0].islower() or prose[0] == "`") and message.count("`") % 2 == 0
    return is_line and is_whole and not ADVICE.search(reason) and (is_tool or bool(INSTEAD.match(instead)))


@pytest.mark.parametrize("large", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["small", "large"])
def test_messages_follow_the_convention(large: bool) -> None:
    pairs = [pair for pair in PAIRS if is_large(pair / "bad.py") is large]
    messages = [(pair.name, found.message) for pair in pairs for found in lint_fixture(pair / "bad.py")]
    assert {name for name, _ in messages} == {pair.name for pair in pairs} != set()
    offenders = [
        f"{name}: {message}"
        for name, message in messages
        if not is_conventional(message, name.partition("_")[0].upper() in TOOL)
    ]
    assert not offenders, "\n".join(offenders)


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
