"""What is kept for a whole run, and how often it is found out anew."""

from __future__ import annotations

import gc
import os
from pathlib import Path

import pytest

from flake8_jax.analysis.modules import linking
from flake8_jax.driver import projects as kept
from flake8_jax.driver.linter import lint
from flake8_jax.driver.projects import Projects
from tests.support.bindings import APART, ROOT
from tests.support.layouts import tree

USER = "import jax\nfrom hub import f\n\n\ndef use{number}(x):\n    return jax.jit(f)(x)\n"
HUB = "import jax\n\n\ndef f(x):\n    return x if x > 0 else -x\n" + "a = 1\n" * 55
USERS = 30

# The most lines that are kept of one project; how often it is found out: n users of 6 lines and the hub of 60 are
# more than that, and one line in four was judged, as soon as n is 4, or 7.
BOUNDS = [(1_000_000, 1), (240, 1), (100, 5), (1, 8)]


@pytest.mark.slow
@pytest.mark.parametrize(("most", "times"), BOUNDS)
def test_one_project_is_found_out_anew_in_proportion(
    most: int, times: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "MOST_OF_ONE", most)
    tree(tmp_path, {**ROOT, "hub.py": HUB} | {f"u{n:02}.py": USER.format(number=n) for n in range(USERS)})
    projects, seen = Projects(APART), []
    for n in range(USERS):
        source = projects.read(os.fspath(tmp_path / f"u{n:02}.py"))
        assert lint(source, APART, projects).given_up is None
        [linked] = projects._linked.values()
        seen.append(linked)
    assert len(set(map(id, seen))) == times


def test_what_was_let_go_of_is_collected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "MOST_OF_ONE", 1)
    monkeypatch.setattr(kept, "MOST_LINES", 1)
    collected: list[int] = []
    monkeypatch.setattr(gc, "collect", lambda: collected.append(1))
    tree(tmp_path, {**ROOT, "hub.py": HUB} | {f"u{n:02}.py": USER.format(number=n) for n in range(USERS)})
    projects = Projects(APART)
    for n in range(USERS):
        lint(projects.read(os.fspath(tmp_path / f"u{n:02}.py")), APART, projects)
    assert len(collected) == BOUNDS[-1][1] - 1


def test_what_is_made_of_texts_is_let_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linking, "MOST_UNFOLDED", 100)
    tree(tmp_path, {**ROOT, "hub.py": HUB} | {f"u{n:02}.py": USER.format(number=n) for n in range(USERS)})
    projects, most = Projects(APART), 0
    for path in sorted(tmp_path.glob("*.py")):
        assert lint(projects.read(os.fspath(path)), APART, projects).given_up is None
        [linked] = projects._linked.values()
        files = [file for file in linked._files.values() if file is not None]
        texts = [text for file in files for text in (file._source, file._plain) if text is not None]
        assert sum(file.lines for file in linked.unfolded) <= 100
        kept = {text.path for text in texts if not vars(text).keys().isdisjoint(("lines", "tree"))}
        assert kept <= {file.path for file in linked.unfolded}
        most = max(most, len(kept))
    assert 1 < most < USERS
