"""Projects that are kept in memory between edits say what a new run says."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from flake8_jax.driver import linter
from flake8_jax.driver.linter import lint
from flake8_jax.driver.live import Live
from flake8_jax.driver.projects import Projects
from flake8_jax.model.config import Config
from flake8_jax.model.report import Report

from ..corpus.changes import try_live
from ..corpus.edits import edit

CONFIG = Config(strict=True, enable=("JAX",))

FILES = {
    "pkg/__init__.py": "from .layers import *\n",
    "pkg/layers.py": """
import jax
import jax.numpy as jnp
from . import keys

REGISTRY = {}

def register(name):
    def decorator(f):
        REGISTRY[name] = f
        return f
    return decorator

@register("relu")
def relu(x):
    if x > 0:
        return x
    return 0 * x

class Layer:
    def __init__(self, key, n):
        self.w = jax.random.normal(key, (n, n))
        self.n = n

    def __call__(self, x):
        return relu(jnp.dot(self.w, x)) if self.n else x
""",
    "pkg/keys.py": """
import jax

def draw(key):
    return jax.random.normal(key, (3,)) + noise(key)

def noise(key):
    return jax.random.uniform(key, (3,))
""",
    "pkg/train.py": """
import jax
import pkg
from pkg.keys import draw
from pkg.layers import REGISTRY, Layer

step = jax.jit(REGISTRY["relu"])

@jax.jit
def loss(layer, x, key):
    return (layer(x) + draw(key)).sum()

def main(seed):
    key = jax.random.key(seed)
    layer = Layer(key, 3)
    return loss(layer, draw(key), key), pkg.relu
""",
    "run.py": """
import jax
from pkg import train

print(train.main(0))
x = jax.numpy.zeros(3, "float64")
""",
    "settings.py": "DEPTH = 3\n",
    "plot.py": "import jax\nfrom settings import DEPTH\n\n@jax.jit\ndef f(x):\n    print(x)\n    return x * DEPTH\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").touch()
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return tmp_path


def _files(folder: Path) -> Iterator[str]:
    return map(str, sorted(folder.rglob("*.py")))


def _anew(folder: Path) -> dict[str, Report]:
    projects = Projects(Config(strict=True, enable=("JAX",), no_store=True))
    return {path: lint(projects.read(path), projects.config, projects) for path in _files(folder)}


def _agrees(live: Live, folder: Path) -> int:
    """Compare the reports of all files with those of a new run; the number of findings."""
    anew = _anew(folder)
    for path, report in anew.items():
        told = live.report(path).diagnostics
        assert told == report.diagnostics
        assert [each.fix for each in told] == [each.fix for each in report.diagnostics]
    return sum(len(report.diagnostics) for report in anew.values())


def _save(live: Live, path: Path, text: str) -> tuple[str, ...]:
    path.write_text(text)
    return live.saved(str(path), text)


def test_an_edit_is_seen_where_it_matters(folder: Path) -> None:
    live = Live(CONFIG)
    assert _agrees(live, folder) > 3
    keys, train = folder / "pkg/keys.py", folder / "pkg/train.py"
    assert any(one.code == "JAX101" for one in live.report(str(keys)).diagnostics)
    fixed = FILES["pkg/keys.py"].replace("+ noise(key)", "")
    touched = _save(live, keys, fixed)
    assert touched[0] == str(keys)
    assert str(train) in touched
    assert str(folder / "settings.py") not in touched
    assert not live.report(str(keys)).diagnostics
    _agrees(live, folder)


def test_what_no_edit_concerns_is_not_judged_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    live, judged = Live(CONFIG), list[str]()
    _agrees(live, folder)
    before = linter._judged

    def counted(source, *words):  # type: ignore[no-untyped-def]
        judged.append(Path(source.path).name)
        return before(source, *words)

    monkeypatch.setattr(linter, "_judged", counted)
    _save(live, folder / "plot.py", FILES["plot.py"] + "y = 1\n")
    for path in _files(folder):
        live.report(path)
    assert judged == ["plot.py", "settings.py"]  # which it imports: it may be called there
    assert live.saved(str(folder / "plot.py"), FILES["plot.py"] + "y = 1\n") == ()


def test_files_come_and_go(folder: Path) -> None:
    live = Live(CONFIG)
    _agrees(live, folder)
    more = folder / "more.py"
    touched = _save(live, more, "import jax\nfrom pkg.keys import noise\njax.jit(noise)\n")
    assert touched[0] == str(more)
    assert str(folder / "pkg/keys.py") in touched
    _agrees(live, folder)
    (folder / "pkg/keys.py").unlink()
    live.saved(str(folder / "pkg/keys.py"), None)
    _agrees(live, folder)


def test_an_unsaved_text_stands_for_the_file(folder: Path) -> None:
    live, path = Live(CONFIG), str(folder / "pkg/layers.py")
    _agrees(live, folder)
    text = FILES["pkg/layers.py"].replace("    if x > 0:\n        return x\n", "")
    assert not any(one.code == "JAX401" for one in live.tried(path, text).diagnostics)
    broken = live.tried(path, text + "def f(:\n")
    assert broken.given_up is not None
    assert live.report(path).given_up is None  # the last text that could be read
    (folder / "new.py").write_text("import jax\n")
    live.saved(str(folder / "new.py"), "import jax\n")
    assert not any(one.code == "JAX401" for one in live.report(path).diagnostics)
    live.saved(path, FILES["pkg/layers.py"])
    _agrees(live, folder)


def test_what_a_setting_changes_is_judged_again(folder: Path) -> None:
    live, run = Live(CONFIG), folder / "run.py"
    assert any(one.code == "JAX206" for one in live.report(str(run)).diagnostics)
    _save(live, folder / "settings.py", 'import jax\njax.config.update("jax_enable_x64", True)\n')
    assert not any(one.code == "JAX206" for one in live.report(str(run)).diagnostics)
    _agrees(live, folder)


def test_a_crash_is_a_report(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    live, path = Live(CONFIG), str(folder / "pkg/keys.py")
    with monkeypatch.context() as patched:
        patched.setattr(linter, "interpreted", lambda *_: 1 / 0)
        assert live.tried(path, FILES["pkg/keys.py"] + "\n").given_up is not None
    live.saved(path, FILES["pkg/keys.py"])
    assert _agrees(live, folder) > 3


def _bodies(live: Live, folder: Path) -> int:
    """How many bodies are run to judge all files."""
    [linked] = live._projects._linked.values()
    before = linked.program.costs.bodies
    for path in _files(folder):
        live.report(path)
    return linked.program.costs.bodies - before


def test_a_line_in_a_body_leaves_what_asked_for_other_bodies(folder: Path) -> None:
    live, keys = Live(CONFIG), folder / "pkg/keys.py"
    text = FILES["pkg/keys.py"] + "\ndef alone(key):\n    return jax.random.split(key)\n"
    _save(live, keys, text)
    _agrees(live, folder)
    run = list[int]()
    for word in ("    return jax.random.uniform", "    return jax.random.split"):  # of which the first is called
        for edited in (text.replace(word, f"    added = 1\n{word}"), text):
            _save(live, keys, edited)
            run.append(_bodies(live, folder))
            _agrees(live, folder)
    assert 0 < max(run[2:]) <= min(run[:2]) // 2


def test_comments_between_functions_leave_all_that_is_known(folder: Path) -> None:
    live, keys = Live(CONFIG), folder / "pkg/keys.py"
    _agrees(live, folder)
    text = FILES["pkg/keys.py"]
    _save(live, keys, text + "# a first edit makes room\n")
    all_of_it = _bodies(live, folder)
    _save(live, keys, text)
    tried = _bodies(live, folder)  # for remedies
    assert tried < all_of_it
    _save(live, keys, text.replace("def noise", "# a note\n# of two lines\n\n\ndef noise"))
    assert _bodies(live, folder) == tried
    assert _agrees(live, folder) > 3
    _save(live, keys, text.replace("def noise", "\n" * 40 + "def noise"))  # more than there is room for
    assert _agrees(live, folder) > 3


@pytest.mark.slow
def test_random_edits_of_all_kinds_say_what_a_new_run_says(folder: Path) -> None:
    (folder / "pyproject.toml").touch()
    tried = try_live(folder, CONFIG, 40, random.Random(3))
    assert not tried.differences
    assert tried.findings > 80
    assert len(tried.edits) > 12


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_edits_at_random(folder: Path, seed: int) -> None:
    live, dice, texts, compared = Live(CONFIG), random.Random(seed), dict(FILES), list[int]()
    _agrees(live, folder)
    for _ in range(12):
        name = dice.choice(list(texts))
        found = edit(texts[name], ["pkg.keys", "pkg.layers", "settings"], dice)
        if found is not None:
            texts[name] = found[1]
            _save(live, folder / name, found[1])
            live.report(str(folder / name), is_alone=True)
            compared.append(_agrees(live, folder))
    assert len(compared) >= 6  # edits, after each of which there was something to compare
    assert min(compared) > 0


def test_what_is_required_is_read_by_each(folder: Path) -> None:
    path = folder / "old.py"
    path.write_text("import jax\n\ndef f(x):\n    return jax.tree_map(abs, x)\n")
    for bounds, codes in (("==0.4.20", []), (">=0.7", ["JAX801"])):
        (folder / "pyproject.toml").write_text(f'[project]\nname = "p"\ndependencies = ["jax{bounds}"]\n')
        assert [one.code for one in Live(CONFIG).report(str(path)).diagnostics] == codes
