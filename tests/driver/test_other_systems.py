"""What differs on Windows and macOS, simulated: docs/stability.md says what happens there."""

from __future__ import annotations

import ntpath
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path, PureWindowsPath
from types import SimpleNamespace

import pytest

from flake8_jax.driver.cli import adopting
from flake8_jax.driver.cli.main import main
from flake8_jax.driver.reporters import github, gitlab
from flake8_jax.driver.reporters.places import Places
from flake8_jax.model.config import FORMATS
from flake8_jax.runtime import worker
from flake8_jax.syntax.folders import path_from
from tests.driver.formats.findings import FINDINGS, outcome
from tests.support.bindings import ROOT, found
from tests.support.commands import REUSE, STORE, Run, command, fixable, flake8, run, write

HELPER = "import jax\n\n\ndef clipped(x):\n    return x if x.sum() > 0 else -x\n"
USER = "import jax\nimport helper\n\nstep = jax.jit(helper.clipped)\n"
TREE = {
    **ROOT, "helper.py": HELPER, "user.py": USER, "pkg/store.py": STORE, "pkg/reuse.py": REUSE, "broken.py": USER + "(",
}  # fmt: skip
BARE = """\
import multiprocessing
import os
import signal
import sys

for name in ("fork", "forkpty", "register_at_fork", "setsid", "killpg", "geteuid", "getuid"):
    delattr(os, name)
for name in ("SIGALRM", "SIGKILL", "SIGHUP", "alarm", "pthread_sigmask", "setitimer"):
    delattr(signal, name)
for name in ("resource", "fcntl", "pwd", "grp"):
    sys.modules[name] = None

if __name__ == "__main__":
    multiprocessing.set_start_method("spawn")
    if sys.argv.pop(1) == "flake8":
        from flake8.main.cli import main
    else:
        from flake8_jax.driver import processes, scheduling
        from flake8_jax.driver.cli.main import main
        processes.HAS_FORK, scheduling.WORTH_A_PROCESS = False, 1
    raise SystemExit(main())
"""
"""A front end on a system that spawns its processes, and has neither signals nor limits of resources."""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return write(tmp_path, dict(TREE))


def bare(folder: Path, *words: str) -> Run:
    write(folder, {"bare": BARE})
    return run([sys.executable, "bare", *words], folder)


def test_processes_that_are_spawned_say_the_same_in_the_same_order(tree: Path) -> None:
    alone = command(tree, "check", "--jobs=1", "--no-cache")
    assert len(alone.rows) == 4
    for words in (["--jobs=3", "--no-cache"], ["--jobs=2"], ["--jobs=2"]):
        done = bare(tree, "flake8-jax", "check", *words, ".")
        assert (done.rows, done.errors, done.status) == (alone.rows, alone.errors, 1)


def test_flake8_that_spawns_says_the_same(tree: Path) -> None:
    alone = flake8(tree, "--select=JAX", "-j1")
    done = bare(tree, "flake8", "--select=JAX", "-j2")
    assert (sorted(done.rows), done.errors, done.status) == (sorted(alone.rows), "", 1)
    assert len(done.rows) == 3


def test_a_fix_on_such_a_system(tree: Path) -> None:
    done = bare(tree, "flake8-jax", "fix", "--jobs=2", "pkg")
    assert done.status == 1
    assert "x = x.at[0].set(1.0)" in (tree / "pkg" / "store.py").read_text()


def test_jobs_of_verify_are_not_interrupted_without_alarms(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(signal, "SIGALRM")
    reached = []
    with worker._limited(1):
        reached.append(1)
    assert reached


# Encodings

ODD = "import jax\n\nclé = jax.random.key(0)  # 語 €\na = jax.random.normal(clé)\nb = jax.random.normal(clé)\n"
LOCALES = {"cp1252": {"PYTHONIOENCODING": "cp1252"}, "ascii": {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"}}


def said(folder: Path, *words: str, **environment: str) -> tuple[bytes, bytes, int]:
    """What a run says, as bytes."""
    variables = {**os.environ, **environment}
    line = [sys.executable, "-m", "flake8_jax", *words]
    done = subprocess.run(line, cwd=folder, env=variables, capture_output=True, check=False)
    return done.stdout, done.stderr, done.returncode


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["check", "--format=full", "clé.py"], 1),
        (["check", "--statistics", "--format=sarif", "."], 1),
        (["show", "clé.py"], 0),
        (["check", "clè.py"], 2),
    ],
)
def test_output_is_utf_8_whatever_the_locale(words: list[str], status: int, locale: str, tmp_path: Path) -> None:
    write(tmp_path, {**ROOT, "clé.py": ODD})
    usual = said(tmp_path, *words, PYTHONUTF8="1")
    assert usual[2] == status
    output, errors, ended = said(tmp_path, *words, PYTHONUTF8="0", **LOCALES[locale])
    assert (output, ended) == (usual[0], status)
    assert errors.count(b"\n") == usual[1].count(b"\n")
    assert b"Traceback" not in errors
    if status == 2:
        assert {"cp1252": b"did you mean cl\xe9.py?", "ascii": b"did you mean cl\\udcc3\\udca9.py?"}[locale] in errors


def test_packages_of_the_checked_project_are_not_imported(tmp_path: Path) -> None:
    """`python -m` puts the working directory first on the path: a project's own `math` is not the one that is meant."""
    names = ("math", "json", "heapq", "difflib", "fractions", "libcst", "pathspec", "signal")
    fault = "raise RuntimeError('a module of the checked project was imported')\n"
    write(tmp_path, {**ROOT, "reuse.py": ODD, **{f"{name}/__init__.py": fault for name in names}})
    output, errors, status = said(tmp_path, "check", "--no-store", "reuse.py")
    assert (b"JAX101" in output, b"JAX000" in output, errors.count(b"Traceback"), status) == (True, False, 0, 1)


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="all names are text there")
@pytest.mark.parametrize("kind", FORMATS)
def test_a_name_that_is_no_text(kind: str, tmp_path: Path) -> None:
    write(tmp_path, dict(ROOT))
    Path(os.fsdecode(bytes(tmp_path) + b"/caf\xe9.py")).write_text(STORE)
    done = command(tmp_path, "check", f"--format={kind}")
    assert (done.status, done.errors) == (1, f"checked 1 file: 1 finding{fixable(1)}")
    shown = {"sarif": "caf%E9.py", "junit": "caf\\xdce9.py"}.get(kind, "caf\\udce9.py")
    assert shown in done.output


def test_nothing_is_read_or_written_in_the_encoding_of_the_locale(tmp_path: Path) -> None:
    write(tmp_path, {**ROOT, "clé.py": ODD, "store.py": STORE})
    for words in (["init", "-q", "-b", "main"], ["add", "store.py"]):
        run(["git", *words], tmp_path)
    run(["git", "-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "first"], tmp_path)
    lines = [
        "check --write-baseline known.json",
        "check --baseline known.json --format full",
        "check --diff-base main --respect-gitignore --output-file out.json --format json",
        "check --add-ignores why",
        "fix --diff-base main",
        "explain store.py:4",
        "rules",
    ]
    for line in lines:
        done = run([sys.executable, "-X", "warn_default_encoding", "-m", "flake8_jax", *line.split()], tmp_path)
        assert "EncodingWarning" not in done.errors, line
        assert done.status in (0, 1), done.errors


@pytest.mark.parametrize("change", ["crlf", "bom", "both"])
def test_line_ends_and_marks_change_neither_place_nor_fingerprint(change: str, tree: Path) -> None:
    before = command(tree, "check", "--write-baseline=known.json", "pkg")
    assert before.notes.endswith("wrote 2 findings to known.json\n")
    rows = command(tree, "check", "pkg").rows
    for path in (tree / "pkg").iterdir():
        data = path.read_bytes()
        data = data if change == "bom" else data.replace(b"\n", b"\r\n")
        path.write_bytes(data if change == "crlf" else b"\xef\xbb\xbf" + data)
    assert command(tree, "check", "pkg").rows == rows
    done = command(tree, "check", "--baseline=known.json", "pkg")
    assert (done.output, done.notes, done.status) == ("", "", 0)


# Paths

WINDOWS = Places(PureWindowsPath("C:\\repo"), PureWindowsPath("C:\\repo\\sub"))


def test_services_are_told_paths_with_slashes(tmp_path: Path) -> None:
    found = replace(FINDINGS[2], path=".\\deep\\a.py", notes=())
    shown = replace(outcome(tmp_path, found), places=WINDOWS)
    assert ",file=sub/deep/a.py," in github.render(shown)
    assert '"path": "sub/deep/a.py"' in gitlab.render(shown)


def test_a_baseline_has_slashes_and_is_valid_on_another_system(monkeypatch: pytest.MonkeyPatch) -> None:
    there = SimpleNamespace(path=ntpath, sep="\\", fspath=os.fspath, PathLike=os.PathLike, curdir=".")
    with monkeypatch.context() as patch:
        patch.setattr(adopting, "os", there)
        patch.setattr(sys.modules[path_from.__module__], "os", there)
        folder = PureWindowsPath("C:\\repo")
        paths = [adopting._path_from(folder, path) for path in ("C:\\repo\\src\\a.py", "D:\\b.py")]  # type: ignore[arg-type]
    assert paths == ["src/a.py", "D:/b.py"]
    assert path_from("/repo/src/a.py", "/repo") == "src/a.py"


def test_another_drive(tree: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """No relative path leads to one; the project has the working directory elsewhere."""
    write(tree, {"elsewhere/notes.txt": ""})
    monkeypatch.chdir(tree / "elsewhere")
    for words in (["init", "-q", "-b", "main"], ["add", "notes.txt"]):
        run(["git", *words], tree / "elsewhere")
    run(["git", "-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "first"], tree / "elsewhere")
    real = os.path.relpath

    def relpath(path: str, start: str | os.PathLike[str] = os.curdir) -> str:
        if ("elsewhere" in os.path.abspath(path)) != ("elsewhere" in os.path.abspath(start)):
            raise ValueError(f"path is on mount {path!r}, start on mount {start!r}")
        return real(path, start)

    monkeypatch.setattr(os.path, "relpath", relpath)
    with pytest.raises(ValueError, match="mount"):
        os.path.relpath(str(tree))
    for option, status in (("--format=full", 1), ("--write-baseline={}", 0), ("--baseline={}", 0)):
        word = option.format(tree / "known.json")
        assert main(["check", word, str(tree / "helper.py"), str(tree / "user.py")]) == status
        assert ("JAX401" in capsys.readouterr().out) == bool(status)
    assert main(["check", "--diff-base=main", "--respect-gitignore", str(tree / "pkg")]) == 1
    assert "JAX201" in capsys.readouterr().out


def test_a_file_system_that_does_not_tell_cases_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`import helper` finds no `Helper.py` in Python, which compares names; nor does it here."""
    write(tmp_path, {**ROOT, "Helper.py": HELPER, "user.py": USER, "right.py": USER.replace("helper", "Helper")})
    names = ("Helper.py", "user.py")
    assert [row.split()[1] for name in names for row in found(tmp_path, name)] == ["JAX401"]
    (tmp_path / "right.py").unlink()
    real = os.stat

    def stat(path: str | int, *arguments: object, **options: object) -> os.stat_result:
        try:
            return real(path, *arguments, **options)  # type: ignore[arg-type]
        except FileNotFoundError:
            folder, name = os.path.split(str(path))
            near = next((each for each in os.listdir(folder) if each.lower() == name.lower()), None)
            if near is None:
                raise
            return real(os.path.join(folder, near))

    monkeypatch.setattr(os, "stat", stat)
    assert (tmp_path / "helper.py").exists()
    assert [row for name in names for row in found(tmp_path, name)] == []
