"""Which files are checked under which options, and what is said of both."""

from __future__ import annotations

import io
import subprocess
from pathlib import Path

import pytest

from flake8_jax.model.config import Config, load_file
from tests.support.commands import REUSE, STORE, Check, checking, write


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"):
        monkeypatch.delenv(name, raising=False)
    section = '[tool.flake8-jax]\nignore = ["JAX2"]\n'
    return write(tmp_path, {"pyproject.toml": section, "store.py": STORE, "pkg/reuse.py": REUSE})


@pytest.fixture
def check(tree: Path, capsys: pytest.CaptureFixture[str]) -> Check:
    return checking(capsys)


# Which configuration.


def test_isolated_reads_no_file(tree: Path, check: Check) -> None:
    assert len(check().rows) == 1
    assert len(check("--isolated").rows) == 2
    assert len(check("--isolated", "--ignore=JAX1").rows) == 1


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("ci/pyproject.toml", '[tool.flake8-jax]\nignore = ["JAX1"]\nexclude = ["old/*"]\n'),
        ("ci/strict.toml", '[tool.flake8-jax]\nignore = ["JAX1"]\nexclude = ["old/*"]\n'),
        ("ci/strict.toml", 'ignore = ["JAX1"]\nexclude = ["old/*"]\n'),
    ],
)
def test_another_file(tree: Path, check: Check, name: str, text: str) -> None:
    write(tree, {name: text, "ci/old/a.py": STORE})
    assert check(f"--config={name}").places == ["store.py:4:1: JAX201"]
    assert len(check(f"--config={name}", "--ignore=JAX3").rows) == 2  # the command line prevails


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--config=no.toml"], "{tree}/no.toml: No such file or directory"),
        (["--config=ci/pyproject.toml"], "{tree}/ci/pyproject.toml: there is no section [tool.flake8-jax]"),
        (["--config=a.toml"], "{tree}/a.toml: previeuw: there is no such option; did you mean preview?"),
        (["--config=b.toml"], "{tree}/b.toml: there is no section [tool.flake8-jax]"),
        (["--config=c.toml"], "{tree}/c.toml: there is no section [tool.flake8_jax]; did you mean [tool.flake8-jax]?"),
        (["--config=a.toml", "--isolated"], "--isolated reads no configuration file, not that of --config"),
    ],
)
def test_a_file_that_cannot_be_meant_is_a_wrong_use(tree: Path, check: Check, words: list[str], message: str) -> None:
    write(tree, {"ci/pyproject.toml": "[project]\n", "a.toml": "previeuw = true\n", "b.toml": "[tool.ruff]\n"})
    write(tree, {"c.toml": "[tool.flake8_jax]\n"})
    done = check(*words)
    assert (done.output, done.status) == ("", 2)
    assert done.errors == f"flake8-jax: error: {message.format(tree=tree)}\n"


def test_settings_are_shown_as_a_file_has_them(tree: Path, check: Check) -> None:
    text = '[tool.flake8-jax]\nroot = "."\nexclude = ["old/*", "ä"]\nper-file-ignores = { "a b.py" = ["JAX1"] }\n'
    write(tree, {"pyproject.toml": text})
    done = check("--show-settings", "--preview", "--transforms=mylib.jit:like=jax.jit", "--baseline=known.json")
    assert (done.status, done.errors) == (0, "")
    assert done.output.startswith(f"# from {tree / 'pyproject.toml'} and the command line\n[tool.flake8-jax]\n")
    assert "# jax-version is not set\n" in done.output
    write(tree, {"shown.toml": done.output})
    assert load_file(tree / "shown.toml") == Config(
        preview=True,
        root=str(tree),
        exclude=(f"{tree}/old/*", "ä"),
        per_file_ignores=(("a b.py", ("JAX1",)),),
        transforms=("mylib.jit:like=jax.jit",),
        baseline=str(tree / "known.json"),
    )
    assert check("--isolated", "--show-settings").output.startswith("# from the command line\n")


def test_default_settings_are_shown(tree: Path, check: Check) -> None:
    write(tree, {"shown.toml": check("--isolated", "--show-settings").output})
    assert load_file(tree / "shown.toml") == Config()


# Which files.


def test_files_are_shown(tree: Path, check: Check) -> None:
    write(tree, {"old/a.py": STORE, "notes.txt": "", "stub.pyi": ""})
    done = check("--show-files", "--exclude=old/*", "--format=json")
    assert (done.output, done.errors, done.status) == ("./pkg/reuse.py\n./store.py\n./stub.pyi\n", "", 0)
    assert check("--show-files", "nowhere.py").status == 2


def git(tree: Path, *words: str) -> None:
    subprocess.run(["git", *words], cwd=tree, check=True, capture_output=True)


@pytest.fixture
def repository(tree: Path) -> Path:
    git(tree, "init", "-q")
    ignored = {"build/a.py": STORE, "pkg/made_a.py": STORE, "made_b.py": STORE, "kept/made_c.py": STORE}
    write(tree, {".gitignore": "build/\nmade_*.py\n", "kept/.gitignore": "!made_c.py\n", **ignored})
    return write(tree, {"force/made_d.py": STORE})


def test_what_git_ignores_is_passed_over(repository: Path, check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    git(repository, "add", "-f", "force/made_d.py")
    shown = check("--show-files", "--respect-gitignore").output.split()
    assert shown == ["./force/made_d.py", "./kept/made_c.py", "./pkg/reuse.py", "./store.py"]
    assert len(check("--show-files").output.split()) == 7
    write(repository, {"pyproject.toml": "[tool.flake8-jax]\nrespect-gitignore = true\n"})
    assert check("--show-files").output.split() == shown
    assert check("--show-files", "made_b.py", "store.py").output.split() == ["store.py"]  # explicit paths, too
    monkeypatch.chdir(repository / "pkg")
    assert check("--show-files", ".", "../build").output.split() == ["./reuse.py"]


def test_standard_input_that_git_ignores(repository: Path, check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, count in (("made_b.py", 0), ("other.py", 1)):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(REUSE.encode())))
        done = check("-", f"--stdin-filename={name}", "--respect-gitignore")
        assert len(done.rows) == count


def test_all_ignored_is_a_warning(repository: Path, check: Check) -> None:
    done = check("--respect-gitignore", "build")
    assert done.notes == "flake8-jax: warning: everything that was given is excluded\n"
    assert done.status == 0


def test_a_repository_in_an_ignored_folder(repository: Path, check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    git(repository / "build", "init", "-q")
    assert "./build/a.py" not in check("--show-files", "--respect-gitignore").output.split()
    monkeypatch.chdir(repository / "build")
    assert check("--show-files", "--respect-gitignore").output.split() == ["./a.py"]


def test_without_git_it_has_no_effect_and_says_so(
    repository: Path, check: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    done = check("--respect-gitignore", "store.py")
    assert done.errors.startswith("flake8-jax: warning: --respect-gitignore has no effect: git cannot be run: ")


def test_outside_of_a_repository_nothing_is_ignored(tree: Path, check: Check) -> None:
    assert check("--show-files", "--respect-gitignore").output.split() == ["./pkg/reuse.py", "./store.py"]
