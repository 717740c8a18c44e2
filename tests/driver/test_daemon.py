"""The background process of a project answers runs, and says what they would find out for themselves."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from flake8_jax.driver import asking, serving
from flake8_jax.driver.asking import Daemon, connected, stop_all
from flake8_jax.driver.messages import IS_POSSIBLE, Reply, address_of
from flake8_jax.driver.processes import check_files
from flake8_jax.driver.serving import Serving, serve
from flake8_jax.model.config import Config
from flake8_jax.syntax.source import SourceFile

pytestmark = pytest.mark.skipif(not IS_POSSIBLE, reason="there are no sockets of a user's own here")

KEYS = "import jax\n\ndef draw(key):\n    return jax.random.normal(key) + jax.random.uniform(key)\n"
USES = "from keys import draw\n\ndef twice(key):\n    return draw(key) * draw(key)\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    project = tmp_path / "project"
    project.mkdir()
    monkeypatch.setenv("FLAKE8_JAX_STORE", str(tmp_path / "store"))
    monkeypatch.setattr(asking, "PATIENCE", 600.0)
    (project / "pyproject.toml").touch()
    (project / "keys.py").write_text(KEYS)
    (project / "uses.py").write_text(USES)
    with tempfile.TemporaryDirectory() as runtime:  # whose path is short
        monkeypatch.setenv("XDG_RUNTIME_DIR", runtime)
        yield project


def _is_running(address: str) -> bool:
    connection = connected(address)
    if connection is None:
        return False
    connection.close()
    return True


def _wait_for(address: str) -> None:
    for _ in range(1200):
        if _is_running(address):
            return
        time.sleep(0.05)
    pytest.fail("nothing listens")


@pytest.fixture
def config(folder: Path) -> Iterator[Config]:
    """The configuration of runs that ask a process, which is a thread here."""
    config = Config(daemon=True, strict=True)
    address = address_of(config, str(folder))
    thread = threading.Thread(target=serve, args=(address, Serving(config, str(folder))))
    thread.start()
    _wait_for(address)
    yield config
    stop_all()
    thread.join(600)
    assert not thread.is_alive()


def _answered(config: Config, path: Path) -> list[str] | None:
    """The codes that the process tells of a file."""
    answer = Daemon(config, str(path.parent)).report(str(path), path.read_text(), path.name)
    return None if answer is None else [one.code for one in answer[0].diagnostics]


def test_the_process_says_what_a_run_says(folder: Path, config: Config) -> None:
    for path in (folder / "keys.py", folder / "uses.py"):
        (alone,) = check_files([str(path)], Config(strict=True, no_store=True))
        answer = Daemon(config, str(folder)).report(str(path), path.read_text(), str(path))
        assert answer is not None
        assert answer[0].diagnostics == alone.diagnostics
        assert str(folder / "keys.py") in answer[1].files
    assert "JAX101" in [one.code for one in alone.diagnostics]


def test_what_changed_on_the_disk_is_seen_by_the_next_run(folder: Path, config: Config) -> None:
    keys, uses = folder / "keys.py", folder / "uses.py"
    assert _answered(config, keys) == ["JAX101"]
    keys.write_text(KEYS.replace(" + jax.random.uniform(key)", ""))
    assert _answered(config, keys) == []
    keys.write_text("import jax\n\ndef draw(key):\n    return 1\n")
    assert _answered(config, uses) == []
    (folder / "more.py").write_text(KEYS)
    assert _answered(config, folder / "more.py") == ["JAX101"]


def test_what_is_required_is_read_for_each_run(folder: Path, config: Config) -> None:
    old = folder / "old.py"
    old.write_text("import jax\n\ndef f(x):\n    return jax.tree_map(abs, x)\n")
    for bounds, codes in (("==0.4.20", []), (">=0.7", ["JAX801"])):
        (folder / "pyproject.toml").write_text(f'[project]\nname = "p"\ndependencies = ["jax{bounds}"]\n')
        assert _answered(config, old) == codes


def test_an_unsaved_text_counts_for_its_run_only(folder: Path, config: Config) -> None:
    keys = folder / "keys.py"
    answer = Daemon(config, str(folder)).report(str(keys), "import jax\n", "keys.py")
    assert answer is not None
    assert not answer[0].diagnostics
    assert _answered(config, keys) == ["JAX101"]


def test_what_python_cannot_read_is_left_to_the_run(folder: Path, config: Config) -> None:
    assert Daemon(config, str(folder)).report(str(folder / "keys.py"), "import jax\ndef f(:\n", "keys.py") is None


def test_a_run_asks_and_remembers(folder: Path, config: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    path, asked = str(folder / "keys.py"), list[str]()
    before = Daemon.report

    def counted(self: Daemon, path: str, text: str, shown: str) -> Reply:
        asked.append(path)
        return before(self, path, text, shown)

    monkeypatch.setattr(Daemon, "report", counted)
    for _ in range(2):
        (report,) = check_files([path], config)
        assert [one.code for one in report.diagnostics] == ["JAX101"]
    assert asked == [path]


def test_a_process_that_does_not_answer_is_done_without(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config, started = Config(daemon=True, strict=True), list[str]()
    monkeypatch.setattr(asking, "start", lambda address, config, root: started.append(root))
    reports = list(check_files([str(folder / "keys.py"), str(folder / "uses.py")], config, jobs=1))
    assert [one.code for one in reports[0].diagnostics] == ["JAX101"]
    assert started == [str(folder)]


@pytest.mark.slow
def test_a_process_is_started_and_stopped(folder: Path) -> None:
    command = [sys.executable, "-m", "flake8_jax"]
    subprocess.run([*command, "check", "--daemon", "keys.py"], cwd=folder, check=False, capture_output=True)
    address = address_of(Config(daemon=True), str(folder))
    _wait_for(address)
    said = subprocess.run([*command, "daemon", "--stop"], cwd=folder, check=True, capture_output=True, text=True)
    assert said.stdout == "1 background process ended\n", said
    assert not _is_running(address)


def test_an_address_that_is_too_long_is_done_without(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deep = folder / ("a" * 100)
    deep.mkdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(deep))
    monkeypatch.setattr(asking, "start", lambda *given: pytest.fail("it was started"))
    assert _answered(Config(daemon=True), folder / "keys.py") is None


def test_it_ends_where_nobody_asks(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = Config(daemon=True)
    monkeypatch.setattr(serving, "IDLE", 0.0)
    address = address_of(config, str(folder))
    serve(address, Serving(config, str(folder)))
    assert not Path(address).exists()


def test_a_text_of_a_file_is_the_one_of_the_disk_again(folder: Path) -> None:
    held = Serving(Config(strict=True), str(folder))
    keys = str(folder / "keys.py")
    held.answer(("report", "first", keys, "import jax\n"))
    assert held.live.text(keys) == "import jax\n"
    held.answer(("report", "second", str(folder / "uses.py"), USES))
    assert held.live.text(keys) == SourceFile.read(keys).text
