"""What the README shows is what happens."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from flake8_jax.model.configurations import Configurations
from flake8_jax.rules import discover
from tests.support.commands import command, run, write

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    """The fenced blocks of one language, without their indentation."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)


def test_the_bad_program_gets_the_output_shown(tmp_path: Path) -> None:
    program, output = blocks("python")[0], blocks("text")[0]
    write(tmp_path, {"step.py": program})
    assert command(tmp_path, "check", "step.py").output == output


def test_the_explanations_are_those_shown(tmp_path: Path) -> None:
    write(tmp_path, {"loss.py": blocks("python")[1], "pyproject.toml": ""})
    shown = [part.partition("\n") for part in blocks("console")[0].split("$ flake8-jax ")[1:]]
    assert [words.split()[0] for words, _, _ in shown] == ["explain", "show"]
    for words, _, output in shown:
        assert command(tmp_path, *words.split()).output == output


def test_two_commands() -> None:
    lint, test = (block.strip() for block in blocks("bash"))
    assert "\n" not in lint + test
    assert lint.endswith(".venv/bin/flake8-jax check examples/")
    assert test.endswith(".venv/bin/python -m pytest")


def test_the_example_has_faults_to_show() -> None:
    done = command(ROOT, "check", "examples/")
    assert done.status == 1
    on = {found.rule.code for found in discover() if found.rule.status == "on"}
    assert {row.split()[1] for row in done.rows} >= on


def test_one_row_for_each_family() -> None:
    shown = re.findall(r"^\| (JAX\d) \|", README, re.MULTILINE)
    assert shown == sorted({"JAX0", *(found.rule.code[:4] for found in discover())})


def test_the_tree_names_what_there_is() -> None:
    tree = blocks("text")[1]
    names = {path.name for path in (ROOT / "src" / "flake8_jax").rglob("*")}
    named = re.findall(r"[\w.]+(?:\.py|/)", tree.partition("\n")[2])
    assert {name.rstrip("/") for name in named} <= names


def test_the_ci_script_finds_the_test_command(tmp_path: Path) -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    extraction = re.search(r"command=\$\((awk .*)\)$", script, re.MULTILINE)
    assert extraction is not None
    assert run(["bash", "-c", extraction[1]], ROOT).output == blocks("bash")[1]


def test_the_configuration_shown_is_accepted(tmp_path: Path) -> None:
    write(tmp_path, {"pyproject.toml": blocks("toml")[0]})
    assert Configurations().of(str(tmp_path / "a.py")).preview is True


@pytest.mark.parametrize("link", re.findall(r"\]\((?!http)([^)]+)\)", README))
def test_links_lead_somewhere(link: str) -> None:
    assert (ROOT / link).exists()


PLACEHOLDER = re.compile("NNN|NAME|VERSION")
PAGES = [ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_of_the_other_pages_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\((?!http)([^)#]+)[^)]*\)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []
    assert page.parent == ROOT or page.name in README + PAGES[0].read_text(encoding="utf-8"), "no page leads there"


def test_contributing_names_what_there_is() -> None:
    text = PAGES[0].read_text(encoding="utf-8")
    named = re.findall(r"`((?:[\w.]+/)+[\w.]*|[\w./]+\.(?:py|toml))`", text)
    assert len(named) > 20
    assert [name for name in named if not list(ROOT.rglob(name.rstrip("/"))) and not PLACEHOLDER.search(name)] == []
