"""Which files are checked under which options, and what is said of both."""

from __future__ import annotations

import io
import subprocess
from pathlib import Path
from typing import Any

import pytest

from flake8_jax.model.config import Config, load_file
from tests.support.commands import REUSE, STORE, Check, Run, checking, command, flake8, write


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
        (["--config=a.toml"], "{tree}/a.toml: strickt: there is no such option; did you mean strict?"),
        (["--config=b.toml"], "{tree}/b.toml: there is no section [tool.flake8-jax]"),
        (["--config=c.toml"], "{tree}/c.toml: there is no section [tool.flake8_jax]; did you mean [tool.flake8-jax]?"),
        (["--config=a.toml", "--isolated"], "--isolated reads no configuration file, not that of --config"),
    ],
)
def test_a_file_that_cannot_be_meant_is_a_wrong_use(tree: Path, check: Check, words: list[str], message: str) -> None:
    write(tree, {"ci/pyproject.toml": "[project]\n", "a.toml": "strickt = true\n", "b.toml": "[tool.ruff]\n"})
    write(tree, {"c.toml": "[tool.flake8_jax]\n"})
    done = check(*words)
    assert (done.output, done.status) == ("", 2)
    assert done.errors == f"flake8-jax: error: {message.format(tree=tree)}\n"


def test_settings_are_shown_as_a_file_has_them(tree: Path, check: Check) -> None:
    text = '[tool.flake8-jax]\nroot = "."\nexclude = ["old/*", "ä"]\nper-file-ignores = { "a b.py" = ["JAX1"] }\n'
    write(tree, {"pyproject.toml": text})
    done = check("--show-settings", "--strict", "--transforms=mylib.jit:like=jax.jit", "--baseline=known.json")
    assert (done.status, done.errors) == (0, "")
    assert done.output.startswith(f"# from {tree / 'pyproject.toml'} and the command line\n[tool.flake8-jax]\n")
    assert "# jax-version is not set\n" in done.output
    write(tree, {"shown.toml": done.output})
    assert load_file(tree / "shown.toml") == Config(
        strict=True,
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


WITHOUT = ["./force/made_d.py", "./kept/made_c.py", "./pkg/reuse.py", "./store.py"]


def test_what_git_ignores_is_passed_over(repository: Path, check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    git(repository, "add", "-f", "force/made_d.py")
    assert check("--show-files").output.split() == WITHOUT
    assert len(check("--show-files", "--no-respect-gitignore").output.split()) == 6  # `build` is left out anyway
    write(repository, {"pyproject.toml": "[tool.flake8-jax]\nrespect-gitignore = false\n"})
    assert len(check("--show-files").output.split()) == 6
    assert check("--show-files", "--respect-gitignore").output.split() == WITHOUT
    monkeypatch.chdir(repository / "pkg")
    assert check("--show-files", "--respect-gitignore", ".").output.split() == ["./reuse.py"]
    assert check("--show-files", "--respect-gitignore", "..").output.count("\n") == 4


def test_what_is_named_is_judged_although_git_ignores_it(repository: Path, check: Check) -> None:
    assert check("--show-files", "made_b.py", "store.py").output.split() == ["made_b.py", "store.py"]
    assert check("--show-files", "build").output.split() == ["build/a.py"]
    assert check("--show-files", "build", ".").output.split() == [*WITHOUT[1:], "build/a.py"]


def test_standard_input_is_named(repository: Path, check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("made_b.py", ".venv/lib/a.py", "other.py"):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(REUSE.encode())))
        assert len(check("-", f"--stdin-filename={name}").rows) == 1


def test_all_ignored_is_a_warning(repository: Path, check: Check) -> None:
    write(repository, {"out/.gitignore": "*\n", "out/in/a.py": STORE})
    done = check("out")
    assert done.notes == "flake8-jax: warning: out: all Python files in it are excluded\n"
    assert done.status == 0


def test_a_repository_in_an_ignored_folder(repository: Path, check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    write(repository, {".gitignore": "inner/\n", "inner/a.py": STORE, "inner/b.py": STORE})
    write(repository, {"inner/.gitignore": "b.py\n"})
    git(repository / "inner", "init", "-q")
    assert not [name for name in check("--show-files").output.split() if "inner" in name]
    monkeypatch.chdir(repository / "inner")
    assert check("--show-files").output.split() == ["./a.py"]


def test_a_repository_in_another_has_rules_of_its_own(repository: Path, check: Check) -> None:
    write(repository, {"sub/made_e.py": STORE, "sub/gen.py": STORE, "sub/.gitignore": "gen.py\n"})
    git(repository / "sub", "init", "-q")
    assert [name for name in check("--show-files").output.split() if "sub" in name] == ["./sub/made_e.py"]


PATTERNS = {
    "a name": ("made_*.py\n", {"made_a.py", "pkg/made_b.py"}),
    "a folder": ("pkg/\n", {"pkg/made_b.py", "pkg/deep/c.py"}),
    "a file is no folder": ("store.py/\n", set()),
    "from here only": ("/made_*.py\n", {"made_a.py"}),
    "a path": ("pkg/*.py\n", {"pkg/made_b.py"}),
    "any folders between": ("pkg/**/c.py\n**/made_b.py\n", {"pkg/made_b.py", "pkg/deep/c.py"}),
    "the last one counts": ("*.py\n!store.py\n", {"made_a.py", "pkg/made_b.py", "pkg/deep/c.py"}),
    "not in an ignored folder": ("pkg/\n!pkg/made_b.py\n", {"pkg/made_b.py", "pkg/deep/c.py"}),
    "in an open folder": ("pkg/*\n!pkg/deep\n", {"pkg/made_b.py"}),
    "no comment, no blanks": ("# store.py\n\n  \nstore.py  \n", {"store.py"}),
    "no pattern": ("[z-a].py\nmade_a.py\n", {"made_a.py"}),
}
"""Patterns of the root, and what is passed over by them."""


@pytest.mark.parametrize("has_git", [True, False], ids=["git", "no git"])
@pytest.mark.parametrize("name", PATTERNS)
def test_patterns_mean_the_same_where_git_cannot_be_asked(
    name: str, has_git: bool, tmp_path: Path, check: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, ignored = PATTERNS[name]
    files = {"made_a.py", "store.py", "pkg/made_b.py", "pkg/deep/c.py"}
    write(tmp_path / "p", {".gitignore": text, **dict.fromkeys(files, "")})
    git(tmp_path / "p", "init", "-q")
    monkeypatch.chdir(tmp_path / "p")
    if not has_git:
        monkeypatch.setenv("PATH", "")
    done = check("--show-files")
    assert {line.removeprefix("./") for line in done.output.split()} == files - ignored
    told = "flake8-jax: warning: git cannot be run: No such file or directory: what .gitignore names is passed over"
    assert done.errors.count(told) == (not has_git and bool(ignored))


@pytest.mark.parametrize("has_git", [True, False], ids=["git", "no git"])
def test_nested_patterns_and_those_of_one_clone(
    has_git: bool, repository: Path, check: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(repository, {".git/info/exclude": "store.py\n", "pkg/.gitignore": "/reuse.py\n"})
    write(repository, {"pkg/deep/reuse.py": "", "kept/store.py": "", "kept/.gitignore": "!made_c.py\n!store.py\n"})
    if not has_git:
        monkeypatch.setenv("PATH", "")
    assert check("--show-files").output.split() == ["./kept/made_c.py", "./kept/store.py", "./pkg/deep/reuse.py"]


def test_git_is_asked_once_for_a_repository(repository: Path, check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []
    real = subprocess.run

    def noted(words: list[str], **settings: Any) -> Any:
        asked.append(words)
        return real(words, **settings)

    monkeypatch.setattr(subprocess, "run", noted)
    write(repository, {f"many/{number}/a.py": "" for number in range(30)})
    assert check("--show-files").status == check("--show-files", "pkg", "many").status == 0
    assert check("store.py", "--show-files").status == check("--show-files", "--no-respect-gitignore").status == 0
    assert [words[-2:] for words in asked] == [["--", "."], ["pkg", "many"]]


def test_outside_of_a_repository_nothing_is_ignored(tree: Path, check: Check) -> None:
    write(tree, {".gitignore": "*\n"})
    assert check("--show-files").output.split() == ["./pkg/reuse.py", "./store.py"]


# What is not the user's.


OTHERS = {
    ".venv/lib/python3.11/site-packages/jax/a.py", "venv/a.py", "tools/node_modules/gyp/a.py", "lib/site-packages/a.py",
    "pkg/__pycache__/a.py", ".git/hooks/a.py", ".tox/a.py", ".nox/a.py", ".eggs/a.py", "mine/lib/a.py", "env2/a.py",
    "build/lib/a.py", "dist/a.py", "sub/build/a.py", "sub/dist/deep/a.py",
}  # fmt: skip
OWN = {"env/a.py", "pkg/build/a.py", "pkg/dist/a.py", "lib/build.py", "pkg/venvs/a.py", "sub/src/build/a.py"}
MARKS = ("mine/pyvenv.cfg", "env2/pyvenv.cfg", "sub/setup.py", "pyproject.toml")


@pytest.fixture
def others(tree: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write(tree, {"pyproject.toml": ""})
    folder = write(tree / "others", dict.fromkeys((*MARKS, *OTHERS, *OWN), ""))
    monkeypatch.chdir(folder)
    return folder


def listed(done: Run) -> set[str]:
    return {line.removeprefix("./") for line in done.output.split()} - {"sub/setup.py"}


def test_what_is_not_the_users_is_left_out(others: Path, check: Check) -> None:
    assert listed(check("--show-files")) == OWN
    assert listed(check("--show-files", str(others))) == {f"{others}/{name}" for name in OWN | {"sub/setup.py"}}
    assert listed(check("--show-files", "sub")) == {"sub/src/build/a.py"}


@pytest.mark.parametrize("name", sorted(OTHERS))
def test_what_is_named_is_judged(name: str, others: Path, check: Check) -> None:
    assert listed(check("--show-files", name)) == {name}
    folder = name.rpartition("/")[0]
    assert listed(check("--show-files", folder)) == {name}
    assert listed(check("--show-files", name, ".")) == OWN | {name}
    assert check("--show-files", name, "--extend-exclude=a.py").output == ""


def test_exclusions_in_place_of_the_defaults(others: Path, check: Check) -> None:
    """They say what is whose, but never that an environment is."""
    tools = {"pkg/__pycache__/a.py", ".git/hooks/a.py", ".tox/a.py", ".nox/a.py", ".eggs/a.py"}
    built = {name for name in OTHERS if "build" in name or "dist" in name}
    assert listed(check("--show-files", "--exclude=env")) == OWN - {"env/a.py"} | tools | built
    assert listed(check("--show-files", "--extend-exclude=env")) == OWN - {"env/a.py"}


@pytest.mark.slow
def test_both_front_ends_judge_the_same(others: Path) -> None:
    write(others, dict.fromkeys((*OTHERS, *OWN), STORE))
    expected = {f"{name}:4:1:" for name in OWN}
    for done in (flake8(others, "--select=JAX"), flake8(others, "--select=JAX", "-j2"), command(others, "check")):
        assert {place.split(" ")[0] for place in done.places} == expected
    words = ["--select=JAX", "venv/a.py", "lib/site-packages/a.py", "mine", "sub"]
    named = {"venv/a.py:4:1:", "lib/site-packages/a.py:4:1:", "mine/lib/a.py:4:1:", "sub/src/build/a.py:4:1:"}
    for done in (flake8(others, *words), command(others, "check", *words)):
        assert {place.split(" ")[0] for place in done.places} == named


@pytest.mark.slow
def test_both_front_ends_pass_over_what_git_ignores(repository: Path) -> None:
    rows = [sorted(done.places) for done in (flake8(repository, "--select=JAX"), command(repository, "check"))]
    assert rows[0] == rows[1] != []
    assert not [place for place in rows[0] if "made_a" in place or "made_b" in place]
