"""What is remembered of a project holds for a copy of it where nothing differs that it depends on, and only there."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from flake8_jax.model.config import Config
from flake8_jax.syntax.folders import COPY_OF, original_of
from tests.cache.test_reports import CHANGES, LEADS
from tests.support.layouts import tree
from tests.support.reruns import JAX, NAMES, SAID, append, places, said


def copied(project: Path, name: str = "first", change: Callable[[Path], None] = lambda folder: None) -> Path:
    copy = project.parent / name / project.name
    shutil.copytree(project, copy)
    (copy / ".git").mkdir()
    (copy / COPY_OF).write_text(str(project))
    change(copy)
    return copy


def test_a_copy_that_is_alike_costs_nothing(project: Path, interpreted: list[str]) -> None:
    seen = said(project)
    interpreted.clear()
    copy = copied(project)
    shown = [row.replace(str(copy), str(project)) for row in said(copy)[0]]
    assert (shown, interpreted) == (seen[0], [])


@pytest.mark.parametrize("name", CHANGES)
def test_what_differs_in_a_copy_is_judged_there(name: str, project: Path, interpreted: list[str]) -> None:
    seen = said(project)
    change, judged = CHANGES[name]
    copy = copied(project, change=change)
    names = [name for name in NAMES if (copy / name).exists()]
    interpreted.clear()
    found = said(copy, names=names)
    assert sorted(interpreted) == sorted(judged & set(names))
    assert found[0] == said(copy, Config(no_store=True), names)[0]
    interpreted.clear()
    assert said(copied(project, "second", change), names=names) == found
    assert said(project) == seen
    assert interpreted == []


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_after_a_copy_leaves_the_copys_reports(name: str, project: Path, interpreted: list[str]) -> None:
    """A hook checks what is staged first, and then the commit before it."""
    said(project)
    copy = copied(project)
    found = said(copy)
    CHANGES[name][0](project)
    names = [name for name in NAMES if (project / name).exists()]
    seen = said(project, names=names)
    interpreted.clear()
    assert said(copy) == found
    assert said(project, names=names) == seen
    assert interpreted == []
    assert places(found[0]) == SAID
    assert seen[0] == said(project, Config(no_store=True), names)[0]


@pytest.mark.parametrize("name", LEADS)
def test_imports_that_lead_elsewhere_in_a_copy(name: str, project: Path) -> None:
    before, later, text, expected = LEADS[name]
    user = "exp/use.py" if later.startswith("exp/") else "use.py"
    tree(project, {**before, user: JAX + text})
    first = said(project, names=(user,))
    copy = copied(project, change=append(later, JAX + "x = jnp.ones(3)\n"))
    assert places(said(copy, names=(user,))[0]) == expected
    assert said(project, names=(user,)) == first


def test_what_is_a_copy(project: Path, interpreted: list[str]) -> None:
    """Without what it is a copy of, it is a project of its own; a folder inside is a copy of the folder there."""
    copy = copied(project)
    tree(copy, {"sub/pyproject.toml": ""})
    assert original_of(str(copy / "sub")) == str(project / "sub")
    assert original_of(str(copy)) == str(project)
    assert original_of(str(project)) == str(project)
    (copy / COPY_OF).unlink()
    assert original_of(str(copy)) == str(copy)
    said(project)
    interpreted.clear()
    said(copy)
    assert interpreted == []  # its files and what they depend on are the same
