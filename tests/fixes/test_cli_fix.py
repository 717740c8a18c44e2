"""`flake8-jax fix`, and `check --diff`: what is written, what is left alone, how it ends."""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path

import pytest

from flake8_jax.fixes.files import NotFixed, encoded, replace_file
from tests.support.commands import REUSE, STORE, command, fixable, run, write

FIXED = "import jax.numpy as jnp\n\nx = jnp.zeros(3)\nx = x.at[0].set(1.0)\n"
DROPPED = "import jax.numpy as jnp\n\n\ndef f():\n    x = jnp.ones(3)\n    jnp.sort(x)\n    return x\n"
SIZE = "import jax.numpy as jnp\n\n\ndef size(n: int):\n    x = jnp.ones(n)\n    return jnp.prod(x.shape)\n"


def test_fixes_and_says_what(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": STORE, "b.py": STORE})
    done = command(tmp_path, "fix")
    assert (tmp_path / "a.py").read_text() == (tmp_path / "b.py").read_text() == FIXED
    assert done.rows == [f"{name}.py:4:1: JAX201 fixed: `x[0] = 1.0` becomes `x = x.at[0].set(1.0)`" for name in "ab"]
    assert done.errors == "fixed 2 findings in 2 files: 0 findings left\n"
    assert done.status == 0
    again = command(tmp_path, "fix")
    assert (again.output, again.errors, again.status) == ("", "fixed 0 findings in 0 files: 0 findings left\n", 0)


def test_ends_with_1_if_anything_remains(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": STORE, "reuse.py": REUSE, "broken.py": "import jax\ndef ("})
    done = command(tmp_path, "fix")
    assert [row.split(" fixed")[0].split(" `")[0] for row in done.rows if "JAX000" not in row] == [
        "a.py:4:1: JAX201",
        "reuse.py:5:23: JAX101",
    ]
    assert done.errors == "fixed 1 finding in 1 file: 1 finding left; 1 file could not be judged, or in part only\n"
    assert done.status == 1
    assert command(tmp_path, "fix", "--exit-zero").status == 0


def test_diff_shows_and_does_not_write(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": STORE})
    for _ in range(2):  # the second time the report is remembered
        done = command(tmp_path, "check", "--diff")
        assert done.output == (
            "--- a/a.py\n+++ b/a.py\n@@ -1,4 +1,4 @@\n import jax.numpy as jnp\n \n x = jnp.zeros(3)\n"
            "-x[0] = 1.0\n+x = x.at[0].set(1.0)\n"
        )
        assert done.errors == f"checked 1 file: 1 finding{fixable(1)}"
        assert done.status == 1
    assert (tmp_path / "a.py").read_text() == STORE
    write(tmp_path, {"a.py": FIXED})
    assert command(tmp_path, "check", "--diff").status == 0


def test_unsafe_fixes_are_asked_for(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": DROPPED})
    done = command(tmp_path, "fix", "--strict")
    assert (tmp_path / "a.py").read_text() == DROPPED
    assert done.errors.endswith("1 finding left, of which `--unsafe-fixes` fixes 1\n")
    assert command(tmp_path, "check", "--strict", "--diff").output == ""
    assert "+    x = jnp.sort(x)" in command(tmp_path, "check", "--strict", "--diff", "--unsafe-fixes").output
    assert command(tmp_path, "fix", "--strict", "--unsafe-fixes").status == 0
    assert (tmp_path / "a.py").read_text() == DROPPED.replace("    jnp.sort", "    x = jnp.sort")


@pytest.mark.parametrize(
    ("comment", "option"),
    [
        ("  # noqa", ""),
        ("  # noqa: JAX201", ""),
        ("  # jax: ignore[JAX201] why", ""),
        ("", "--select=JAX1"),
        ("", "--per-file-ignores=a.py:JAX2"),
        ("", "--exclude=a.py"),
    ],
)
def test_what_is_not_reported_is_not_fixed(tmp_path: Path, comment: str, option: str) -> None:
    text = STORE.replace("1.0\n", f"1.0{comment}\n")
    write(tmp_path, {"a.py": text})
    assert command(tmp_path, "fix", *option.split(), ".", "a.py").status == 0
    assert (tmp_path / "a.py").read_text() == text


def test_suppressed_findings_are_fixed_where_they_are_reported(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": STORE.replace("1.0\n", "1.0  # noqa\n")})
    assert command(tmp_path, "fix", "--disable-noqa").status == 0
    assert (tmp_path / "a.py").read_text() == FIXED.replace("(1.0)\n", "(1.0)  # noqa\n")


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1"])
def test_encoding_and_line_ends_are_kept(tmp_path: Path, encoding: str, newline: str) -> None:
    if (encoding, newline) == ("latin-1", "\r"):
        return  # Python looks for its comment in lines that end in another way
    cookie = "# coding: latin-1\n" if encoding == "latin-1" else ""

    def data(text: str) -> bytes:
        return (cookie + text).replace("\n", newline).encode(encoding)

    write(tmp_path, {"a.py": data(SIZE.replace("n: int", "n: int, ä='é'"))})
    assert command(tmp_path, "fix").status == 0
    after = SIZE.replace("n: int", "n: int, ä='é'").replace("jnp.prod", "math.prod")
    assert (tmp_path / "a.py").read_bytes() == data(f"import math\n\n{after}")


def test_comments_and_layout_are_kept(tmp_path: Path) -> None:
    text = (
        "import jax.numpy as jnp\n\nx = jnp.zeros((3, 2)); x[0] = 1.0; y = 2  # one line\n"
        "x[  # the row\n    1, :  # and all of it\n] += (  # why\n    y\n)\n\f\nx[\n  2\n] = [1.0,\n      2.0]\n"
        "if y:\n\tx[0,] = 1.0 ;\n"
    )
    write(tmp_path, {"a.py": text})
    assert command(tmp_path, "fix").status == 0
    assert (tmp_path / "a.py").read_text() == (
        "import jax.numpy as jnp\n\nx = jnp.zeros((3, 2)); x = x.at[0].set(1.0); y = 2  # one line\n"
        "x = x.at[  # the row\n    1, :  # and all of it\n].add((  # why\n    y\n))\n\f\nx = x.at[\n  2\n].set([1.0,\n"
        "      2.0])\nif y:\n\tx = x.at[0,].set(1.0) ;\n"
    )


def test_overlapping_fixes_are_made_one_after_the_other(tmp_path: Path) -> None:
    text = "import jax.numpy as jnp\n\nx = jnp.zeros(3)\nx[0] = jnp.sum([jnp.mean([1.0, 2.0]), jnp.max(x.shape)])\n"
    write(tmp_path, {"a.py": text})
    done = command(tmp_path, "fix")
    assert (
        (tmp_path / "a.py")
        .read_text()
        .endswith("x = x.at[0].set(jnp.sum(jnp.stack([jnp.mean(jnp.array([1.0, 2.0])), max(x.shape)])))\n")
    )
    assert (len(done.rows), done.status) == (4, 0)


def test_standard_input_is_printed_fixed(tmp_path: Path) -> None:
    done = command(tmp_path, "fix", "-", stdin=STORE.encode())
    assert (done.output, done.status) == (FIXED, 0)
    assert done.errors.splitlines()[-1] == "fixed 1 finding in 1 file: 0 findings left"
    kept = command(tmp_path, "fix", "-", stdin=b"import jax\ndef (")
    assert (kept.output, kept.status) == ("import jax\ndef (", 1)
    named = command(tmp_path, "fix", "-", "--stdin-display-name=a.py", "--exclude=a.py", stdin=STORE.encode())
    assert (named.output, named.status) == (STORE, 0)
    assert "+x = x.at[0].set(1.0)" in command(tmp_path, "check", "--diff", "-", stdin=STORE.encode()).output
    assert command(tmp_path, "fix", "-", "a.py", stdin=b"").status == 2


def test_many_files_in_processes(tmp_path: Path) -> None:
    write(tmp_path, {f"m{number}.py": STORE for number in range(8)})
    assert command(tmp_path, "fix", "-j2").status == 0
    assert {path.read_text() for path in tmp_path.glob("*.py")} == {FIXED}


def test_what_one_file_fixes_another_sees(tmp_path: Path) -> None:
    helper = "import jax.numpy as jnp\n\n\ndef fill(x):\n    x[0] = 1.0\n    return x\n"
    main = "import jax.numpy as jnp\n\nfrom a import fill\n\ny = fill(jnp.ones(3))\ny[1] = 2.0\n"
    write(tmp_path, {"a.py": helper, "b.py": main, "pyproject.toml": ""})
    done = command(tmp_path, "fix", "--unsafe-fixes")
    assert "x = x.at[0].set(1.0)" in (tmp_path / "a.py").read_text()
    assert "y = y.at[1].set(2.0)" in (tmp_path / "b.py").read_text()
    assert done.status == 0


def test_a_file_that_changed_meanwhile_is_left(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": STORE})
    path = tmp_path / "a.py"
    with pytest.raises(NotFixed, match="changed meanwhile"):
        replace_file(str(path), b"other", b"new")
    assert path.read_text() == STORE
    assert [each.name for each in tmp_path.iterdir()] == ["a.py"]


def test_links_and_modes_are_kept(tmp_path: Path) -> None:
    write(tmp_path, {"real/a.py": STORE})
    path = tmp_path / "real" / "a.py"
    path.chmod(0o754)
    (tmp_path / "link.py").symlink_to(path)
    assert command(tmp_path, "fix", "link.py").status == 0
    assert path.read_text() == FIXED
    assert (tmp_path / "link.py").is_symlink()
    assert stat.S_IMODE(path.stat().st_mode) == 0o754


def test_a_file_that_cannot_be_written_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {"a.py": STORE})
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with pytest.raises(NotFixed, match="cannot be written"):
        replace_file(str(tmp_path / "a.py"), STORE.encode(), b"")


def test_bytes_that_would_not_come_back_are_left() -> None:
    assert encoded("é", "ö".encode()) == "é".encode()
    with pytest.raises(NotFixed):
        encoded("\u20ac", b"# coding: latin-1\n")


@pytest.mark.slow
@pytest.mark.parametrize("words", [["."], ["pkg/a b.py", "store.py"], ["./pkg/../store.py"], ["{here}/store.py"]])
@pytest.mark.parametrize("folder", ["", "sub"])
def test_git_applies_what_a_diff_shows(tmp_path: Path, folder: str, words: list[str]) -> None:
    here = tmp_path / folder
    write(here, {"pyproject.toml": "", "store.py": STORE, "pkg/a b.py": STORE.rstrip("\n"), "ü.py": STORE})
    run(["git", "init", "-q"], tmp_path)
    words = [word.format(here=here) for word in words]
    shown = command(here, "check", "--diff", *words).output
    for tool in (["git", "apply", "-"], ["patch", "-p1", "-R"], ["git", "apply", "--check", "-"]):
        if shutil.which(tool[0]) is not None:
            done = run(tool, here, stdin=shown.encode())
            assert (done.status, done.errors) == (0, "")
    assert command(here, "fix", *words).status == 0
    assert run(["git", "apply", "-R", "--check", "-"], here, stdin=shown.encode()).status == 0


def test_a_fix_writes_what_the_message_says(tmp_path: Path) -> None:
    text = "import jax\n\n\n@jax.jit\ndef f(x):\n    print('x', x)\n    return x\n"
    write(tmp_path, {"a.py": text, "b.py": STORE})
    said = command(tmp_path, "check").rows
    shown = command(tmp_path, "check", "--diff", "--unsafe-fixes").output
    codes = [row.partition("; use `")[2].partition("`")[0] for row in said]
    assert codes == ['jax.debug.print("x {}", x)', "x = x.at[0].set(1.0)"]
    assert [line[1:].strip() for line in shown.splitlines() if line[:1] == "+" and line[:3] != "+++"] == codes
