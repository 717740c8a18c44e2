"""Codes and options that pages, messages and comments in the sources name are such as exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from flake8_jax.driver.cli.main import main
from flake8_jax.model.config import OPTIONS
from flake8_jax.rules import discover
from flake8_jax.rules.rule import Rule

ROOT = Path(__file__).parents[2]
CODE = re.compile(r"\bJAX\d{3}\b")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z0-9-]+")
PAGES = sorted(
    path
    for pattern in ("*.md", "*.yml", "*.yaml", "docs/*.md", "src/**/*.py", "src/**/*.toml", "examples/*.py")
    for path in ROOT.glob(pattern)
)


def test_every_code_that_is_named_can_be_explained(capsys: pytest.CaptureFixture[str]) -> None:
    named = {code: path for path in PAGES for code in CODE.findall(path.read_text(encoding="utf-8"))}
    assert len(named) > 35
    refused = {code: str(path.relative_to(ROOT)) for code, path in named.items() if main(["explain", code]) != 0}
    capsys.readouterr()
    assert refused == {}


@pytest.mark.parametrize("rule", [found.rule for found in discover()], ids=lambda rule: rule.code)
def test_what_a_page_points_to_exists(rule: Rule, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", rule.code]) == 0
    page = capsys.readouterr().out
    pointed = set(CODE.findall(page)) - {rule.code}
    assert [other for other in sorted(pointed) if main(["explain", other]) != 0] == []
    known = {f"--{option.key}" for option in OPTIONS}
    known |= {f"--{option.flake8_key}" for option in OPTIONS if option.shared}
    assert set(OPTION.findall(page)) <= known
