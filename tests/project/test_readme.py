"""What the README shows is what happens."""

from __future__ import annotations

import re
from pathlib import Path, PurePath

import pytest

from flake8_jax import __version__
from flake8_jax.model.configurations import Configurations
from flake8_jax.rules import discover
from tests.support.commands import command, run, write
from tests.support.sources import ROOT, files

README = (ROOT / "README.md").read_text(encoding="utf-8")


SILENCE = (ROOT / "docs" / "silence.md").read_text(encoding="utf-8")


def blocks(language: str, page: str = README) -> list[str]:
    """The fenced blocks of one language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)


def test_it_is_short() -> None:
    assert README.count("\n") <= 140


def test_it_says_how_to_switch_it_on_everywhere() -> None:
    section = README.partition("## Switch it on")[2].partition("\n## ")[0]
    for what in ("**flake8**", "**pre-commit**", "**CI**", "**An editor**", "**A notebook**"):
        assert what in section


def test_a_version_has_its_section_in_the_changelog() -> None:
    log = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    sections = re.findall(r"^## (\d+\.\d+\.\d+)(?: \(unreleased\))?$", log, re.MULTILINE)
    tags = run(["git", "tag"], ROOT).output.split()
    assert {__version__, *(tag.removeprefix("v") for tag in tags if tag.startswith("v"))} <= set(sections)
    assert sections == sorted(sections, key=lambda each: tuple(map(int, each.split("."))), reverse=True)


def test_the_bad_program_gets_the_output_shown(tmp_path: Path) -> None:
    program, output = blocks("python")[0], blocks("text")[0]
    write(tmp_path, {"step.py": program})
    assert command(tmp_path, "check", "step.py").output == output


@pytest.mark.slow
def test_the_explanations_are_those_shown(tmp_path: Path) -> None:
    write(tmp_path, {"loss.py": blocks("python", SILENCE)[0], "pyproject.toml": ""})
    shown = [part.partition("\n") for part in blocks("console", SILENCE)[0].split("$ flake8-jax ")[1:]]
    assert [words.split()[0] for words, _, _ in shown] == ["explain", "show"]
    for words, _, output in shown:
        assert command(tmp_path, *words.split()).output == output


def test_two_commands() -> None:
    lint, test = (block.strip() for block in blocks("bash"))
    assert "\n" not in lint + test
    assert lint.endswith(".venv/bin/flake8-jax check examples/")
    assert test.endswith(".venv/bin/python -m pytest")


@pytest.mark.slow
def test_the_example_has_faults_to_show() -> None:
    done = command(ROOT, "check", "examples/")
    assert done.status == 1
    assert {row.split()[1] for row in done.rows} >= {"JAX101", "JAX102", "JAX201", "JAX203", "JAX301", "JAX401"}


def test_one_row_for_each_family() -> None:
    shown = re.findall(r"^\| (JAX\d) \|", README, re.MULTILINE)
    assert shown == sorted({"JAX0", *(found.rule.code[:4] for found in discover())})


def test_the_ci_script_finds_the_test_command(tmp_path: Path) -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    extraction = re.search(r"command=\$\((awk .*)\)$", script, re.MULTILINE)
    assert extraction is not None
    assert run(["bash", "-c", extraction[1]], ROOT).output == blocks("bash")[1]


def test_the_configuration_shown_is_accepted(tmp_path: Path) -> None:
    write(tmp_path, {"pyproject.toml": blocks("toml")[0]})
    assert Configurations().of(str(tmp_path / "a.py")).strict is True


PLACEHOLDER = re.compile("NNN|NAME|VERSION")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
DOCS = sorted((ROOT / "docs").glob("*.md"))


def links_of(page: Path) -> list[str]:
    return re.findall(r"\]\((?!http)([^)#]+)[^)]*\)", page.read_text(encoding="utf-8"))


def test_links_lead_somewhere() -> None:
    offenders = [
        f"{page.name}: {link}"
        for page in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *DOCS)
        for link in links_of(page)
        if not (page.parent / link).exists()
    ]
    assert not offenders, "\n".join(offenders)


def test_some_page_leads_to_each() -> None:
    offenders = [page.name for page in DOCS if page.name not in README + CONTRIBUTING]
    assert not offenders, "\n".join(offenders)


def test_contributing_names_what_there_is() -> None:
    text = CONTRIBUTING
    named = re.findall(r"`((?:[\w.]+/)+[\w.]*|[\w./]+\.(?:py|toml))`", text)
    assert len(named) > 20
    there = {part for path in map(PurePath, files()) for part in (path, *path.parents)}
    tails = {PurePath(*path.parts[start:]) for path in there for start in range(len(path.parts))}
    assert [name for name in named if PurePath(name) not in tails and not PLACEHOLDER.search(name)] == []
