"""Codes and options that pages, messages and comments in the sources name are such as exist."""

from __future__ import annotations

import re

import pytest

from flake8_jax.driver.cli.main import main
from flake8_jax.model.config import OPTIONS
from flake8_jax.rules import discover
from tests.support.sources import ROOT, named

CODE = re.compile(r"\bJAX\d{3}\b")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z0-9-]+")
OF_XLA = {"--xla"}
"""What flags of XLA begin with, in the text of a variable."""

PAGES = sorted(
    path
    for pattern in ("*.md", "*.yml", "*.yaml", "docs/*.md", "src/**/*.py", "src/**/*.toml", "examples/*.py")
    for path in ROOT.glob(pattern)
)


def test_every_code_that_is_named_can_be_explained(capsys: pytest.CaptureFixture[str]) -> None:
    places = {code: named(path) for path in PAGES for code in CODE.findall(path.read_text(encoding="utf-8"))}
    assert len(places) > 35
    offenders = [f"{place} names {code}" for code, place in places.items() if main(["explain", code]) != 0]
    capsys.readouterr()
    assert not offenders, "\n".join(offenders)


def test_what_a_page_points_to_exists(capsys: pytest.CaptureFixture[str]) -> None:
    codes = [found.rule.code for found in discover()]
    assert [code for code in codes if main(["explain", code]) != 0] == []
    pages = f"\n{capsys.readouterr().out}".split("\n# JAX")[1:]
    assert len(pages) == len(codes)
    known = {f"--{option.key}" for option in OPTIONS}
    known |= {f"--{option.flake8_key}" for option in OPTIONS if option.shared} | OF_XLA
    offenders = [
        f"{code} points to {pointed}"
        for code, page in zip(codes, pages)
        for pointed in {*CODE.findall(page), *OPTION.findall(page)} - known
        if pointed.startswith("--") or main(["explain", pointed]) != 0
    ]
    assert not offenders, "\n".join(offenders)
