"""`--add-noqa` and `--add-ignores`: a project is clean afterwards, under both front ends."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.commands import REUSE, STORE, Check, checking, command, flake8, write

LATIN = f"# coding: latin-1\n{STORE}y = 'ü'\n".encode("latin-1")


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, {"pyproject.toml": "", "store.py": STORE, "pkg/reuse.py": REUSE, "latin.py": LATIN})
    return write(tmp_path, {"bom.py": b"\xef\xbb\xbf" + STORE.replace("\n", "\r\n").encode(), "clean.py": "x = 1\n"})


@pytest.fixture
def check(tree: Path, capsys: pytest.CaptureFixture[str]) -> Check:
    return checking(capsys)


@pytest.mark.parametrize("words", [["--add-noqa"], ["--add-ignores", "known, #12"]])
def test_what_is_found_is_silenced(tree: Path, check: Check, words: list[str]) -> None:
    done = check(*words)
    assert (done.output, done.status) == ("", 0)
    assert done.errors == ("flake8-jax: note: added comments for 4 findings in 4 files\nchecked 5 files: 0 findings\n")
    comment = "# noqa: JAX201" if words == ["--add-noqa"] else "# jax: ignore[JAX201] known, #12"
    assert (tree / "store.py").read_text() == STORE.replace("= 1.0", f"= 1.0  {comment}")
    assert (tree / "clean.py").read_text() == "x = 1\n"
    assert (tree / "latin.py").read_bytes() == LATIN.replace(b"= 1.0", f"= 1.0  {comment}".encode())
    data = (tree / "bom.py").read_bytes()
    assert data.startswith(b"\xef\xbb\xbfimport")
    assert data.count(b"\r\n") == data.count(b"\n") == STORE.count("\n")
    assert check().output == ""
    assert flake8(tree, "--select=JAX").output == ""
    before = {path: path.read_bytes() for path in tree.rglob("*.py")}
    assert check(*words).notes == "flake8-jax: note: added comments for 0 findings in 0 files\n"
    assert {path: path.read_bytes() for path in tree.rglob("*.py")} == before


def test_only_what_would_be_reported_is_silenced(tree: Path, check: Check) -> None:
    check("--add-noqa", "--select=JAX1")
    assert "noqa" not in (tree / "store.py").read_text()
    assert "noqa: JAX101" in (tree / "pkg" / "reuse.py").read_text()
    check("--write-baseline=known.json")
    write(tree, {"new.py": STORE})
    done = check("--add-noqa", "--baseline=known.json")
    assert done.errors == (
        "flake8-jax: note: added comments for 1 finding in 1 file\nchecked 6 files: 0 findings; 3 known\n"
    )
    assert "noqa" not in (tree / "store.py").read_text()


def test_a_file_that_is_given_twice_is_changed_once(tree: Path, check: Check) -> None:
    check("--add-noqa", "store.py", "./store.py")
    assert (tree / "store.py").read_text().count("JAX201") == 1


def test_what_comments_do_not_suppress_is_left(tree: Path, check: Check) -> None:
    write(tree, {"broken.py": "import jax\nx = (\n", "idle.py": "import jax  # jax: ignore[JAX201] why\n"})
    done = check("--add-noqa", "--enable=JAX002")
    assert done.places == ["broken.py:2:1: JAX000", "idle.py:1:27: JAX002"]
    assert done.status == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--add-noqa", "-"], "--add-noqa: comments are added to files, not to standard input"),
        (["--add-ignores=why", "--disable-noqa"], "--add-ignores: with --disable-noqa no comment has an effect"),
        (["--add-ignores="], "--add-ignores: a reason is missing"),
        (["--add-ignores=old # noqa"], "--add-ignores: a reason does not suppress anything itself"),
        (["--add-noqa", "--add-ignores=why"], "argument --add-ignores: not allowed with argument --add-noqa; see"),
        (["--add-noqa", "--write-baseline=b"], "argument --write-baseline: not allowed with argument --add-noqa; see"),
    ],
)
def test_wrong_uses(tree: Path, check: Check, words: list[str], message: str) -> None:
    done = check(*words)
    assert (done.output, done.status, done.errors.count("\n")) == ("", 2, 1)
    assert done.errors.startswith(f"flake8-jax: error: {message}")


def test_a_file_that_cannot_be_written_is_one_line(tree: Path, check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    def write_bytes(path: Path, data: bytes) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "write_bytes", write_bytes)
    done = check("--add-noqa", "store.py")
    assert (done.errors, done.status) == ("flake8-jax: error: store.py cannot be written: Permission denied\n", 1)
    monkeypatch.undo()
    monkeypatch.chdir(tree)
    done = check("--add-ignores=Δ", "latin.py")
    assert done.status == 1
    assert "latin.py cannot be written: " in done.errors
    assert (tree / "latin.py").read_bytes() == LATIN


def test_as_a_user_would(tree: Path) -> None:
    assert command(tree, "check", "--add-ignores", "accepted when we began", ".").status == 0
    assert command(tree, "check").status == 0
