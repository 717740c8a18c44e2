"""What is said at once after an edit: without a look at the callers of a file, by what they showed before."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.commands import write

pytest.importorskip("pygls")

from flake8_jax.driver.live import Live
from flake8_jax.model.report import Report
from flake8_jax.server.judged import JudgedText
from flake8_jax.server.judging import LiveJudge
from flake8_jax.server.settings import ServerSettings, Workspace

RELU = "import jax\nimport jax.numpy as jnp\n\n\ndef relu(x):\n    if x > 0:\n        return x\n    return 0 * x\n"
OPS = f"{RELU}\n\n@jax.jit\ndef drawn(x):\n    print(x)\n    return x\n\n\nx = jnp.ones(3)\nx[0] = 1\n"
TRAIN = "import jax\nfrom ops import relu\n\nstep = jax.jit(relu)\n"


@pytest.fixture
def judge(tmp_path: Path) -> LiveJudge:
    write(tmp_path, {"pyproject.toml": "", "ops.py": OPS, "train.py": TRAIN})
    judge = LiveJudge()
    judge.enter(Workspace([str(tmp_path)], ServerSettings()))
    return judge


def said(found: JudgedText) -> list[tuple[str, int]]:
    return [(one.code, one.span.line) for one in found.found]


@pytest.mark.parametrize(("edit", "expected"), [
    (lambda text: f"# a line more\n{text}", [("JAX401", 7), ("JAX301", 14), ("JAX201", 19)]),
    (lambda text: f"{text}x[1] = 1\n", [("JAX401", 6), ("JAX301", 13), ("JAX201", 18), ("JAX201", 19)]),
    (lambda text: text.replace("x[0] = 1\n", ""), [("JAX401", 6), ("JAX301", 13)]),
    (lambda text: text.replace("@jax.jit\n", "\n"), [("JAX401", 6), ("JAX201", 18)]),
    (lambda text: text.replace("    if x > 0:\n        return x\n", ""), [("JAX301", 11), ("JAX201", 16)]),
])  # fmt: skip
def test_callers_are_remembered_until_they_are_asked_again(
    edit: Callable[[str], str], expected: list[tuple[str, int]], judge: LiveJudge, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    path, text = str(tmp_path / "ops.py"), edit(OPS)
    assert said(judge.edited(path, OPS)) == [("JAX401", 6), ("JAX301", 13), ("JAX201", 18)]
    asked, report = list[bool](), Live.report

    def noted(self: Live, path: str, is_alone: bool = False) -> Report:
        asked.append(is_alone)
        return report(self, path, is_alone)

    with monkeypatch.context() as patched:
        patched.setattr(Live, "report", noted)
        at_once = judge.glanced(path, text)
    assert asked == [True]
    assert (said(at_once), at_once.is_complete) == (expected, False)
    full = judge.edited(path, text)
    assert (said(full), full.is_complete) == (expected, True)
    assert judge.glanced(path, text).is_complete


def test_what_callers_refuted_or_told_otherwise_stays_so(judge: LiveJudge, tmp_path: Path) -> None:
    path, train = str(tmp_path / "ops.py"), str(tmp_path / "train.py")
    judge.edited(path, OPS)
    told = judge.glanced(path, f"# a line more\n{OPS}").found[0]
    assert "train.py" in told.message
    judge.edited(train, TRAIN.replace("jax.jit(relu)", "relu"))
    assert said(judge.edited(path, OPS)) == [("JAX301", 13), ("JAX201", 18)]
    assert said(judge.glanced(path, f"{OPS}# end\n")) == [("JAX301", 13), ("JAX201", 18)]


def test_a_file_that_nobody_imports_is_judged_as_a_whole(judge: LiveJudge, tmp_path: Path) -> None:
    path = str(tmp_path / "train.py")
    judge.edited(path, TRAIN)
    assert judge.glanced(path, f"{TRAIN}\n").is_complete
