"""What the pages on output, adoption, ruff and slow code show is what happens."""

from __future__ import annotations

import re
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from flake8_jax.model.config import FORMATS, OPTIONS, OTHER_FORMATS
from tests.support.commands import REUSE, STORE, command, command_anew, flake8, run, write
from tests.support.expectations import differences, lint_text

DOCS = Path(__file__).parents[2] / "docs"
NAMES = ("output.md", "adoption.md", "ruff.md", "precommit.md")
OUTPUT, ADOPTION, RUFF, PRECOMMIT = ((DOCS / name).read_text(encoding="utf-8") for name in NAMES)
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z0-9-]+")
OF_RUFF = {"--force-exclude", "--no-cache", "--fix"}
OF_PRECOMMIT = {"--from-ref", "--to-ref", "--all-files"}
OF_OTHERS = {"--python", "--to"}


def test_every_format_is_described() -> None:
    assert tuple(re.findall(r"^\| `(\w+)` \| [^|]*\|", OUTPUT, re.MULTILINE)[: len(FORMATS)]) == FORMATS
    assert all(f"`{alias}`" in OUTPUT for alias in OTHER_FORMATS)


def test_the_output_is_the_one_shown(tmp_path: Path) -> None:
    write(tmp_path, {"reuse.py": REUSE, "pyproject.toml": ""})
    (block,) = re.findall(r"^```console\n\$ flake8-jax (.*?)\n(.*?)^```$", OUTPUT, re.DOTALL | re.MULTILINE)
    assert command(tmp_path, *block[0].split()).output == block[1]


EXAMPLE = re.compile(r"^```python (bad|good)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
WITH_EXAMPLES = {"slow.md": 3, "rules-of-jax.md": 20, "gallery.md": 24}


def examples(name: str) -> list[tuple[str, str]]:
    return EXAMPLE.findall((DOCS / name).read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_a_page_finds_what_it_shows(name: str) -> None:
    found = [(text, list(differences(text, lint_text(text)))) for _, text in examples(name)]
    assert len(found) == WITH_EXAMPLES[name]
    assert [one for one in found if one[1]] == []
    assert all(("  # JAX" in text) == (kind == "bad") for kind, text in examples(name))


def test_every_option_that_is_named_exists(tmp_path: Path) -> None:
    known = set(OPTION.findall(command_anew(tmp_path, "check", "--help").output))
    assert {f"--{option.key}" for option in OPTIONS} <= known
    for verb in ("fix", "init", "rules", "daemon"):
        known |= set(OPTION.findall(command_anew(tmp_path, verb, "--help").output))
    known |= {f"--{option.flake8_key}" for option in OPTIONS if option.shared}
    named = {option for page in (OUTPUT, ADOPTION, RUFF, PRECOMMIT) for option in OPTION.findall(page)}
    assert len(named) > 20
    assert named - known - OF_RUFF - OF_PRECOMMIT - OF_OTHERS == set()


@pytest.mark.slow
def test_what_is_written_for_the_shell_runs(tmp_path: Path) -> None:
    write(tmp_path, {"src/store.py": STORE, "src/reuse.py": REUSE, "pyproject.toml": ""})
    for words in (["init", "-q", "-b", "main"], ["add", "-A"]):
        run(["git", *words], tmp_path)
    run(["git", "-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "first"], tmp_path)
    lines = [
        line
        for block in re.findall(r"^```bash\n(.*?)^```$", ADOPTION, re.DOTALL | re.MULTILINE)
        for line in block.splitlines()
    ]
    assert len(lines) == 5
    assert command(tmp_path, "check", "src").status == 1
    for line in lines:
        words = re.findall(r'"[^"]*"|\S+', line.replace("origin/main", "main"))
        done = command(tmp_path, *(word.strip('"') for word in words[1:]))
        assert (done.output, done.status) == ("", 0), line


COMMENTS = {
    "# noqa": (True, True),
    "# noqa: JAX201": (True, True),
    "# jax: ignore[JAX201] why": (True, True),
    "# jax: ignore-file[JAX201]": (True, True),
    "# flake8: noqa": (True, True),
    "# ruff: noqa": (False, False),
}


@pytest.mark.slow
@pytest.mark.parametrize("comment", COMMENTS)
def test_which_comment_is_for_which_tool(tmp_path: Path, comment: str) -> None:
    own_line = comment.startswith(("# flake8", "# ruff"))
    text = f"{comment}\n{STORE}" if own_line else STORE.replace("= 1.0", f"= 1.0  {comment}")
    write(tmp_path, {"a.py": text})
    is_silent = command(tmp_path, "check").output == "", flake8(tmp_path, "--select=JAX").output == ""
    assert is_silent == COMMENTS[comment]
    row = comment.replace("201]", "101]").replace("JAX201", "JAX101")
    assert f"| `{row}` |" in RUFF


@pytest.mark.skipif(find_spec("ruff") is None, reason="ruff is not installed")
@pytest.mark.parametrize("is_told", [False, True])
def test_what_ruff_makes_of_our_comments(tmp_path: Path, is_told: bool) -> None:
    rows = re.findall(r"^\| `(x\[0\] = 1.*?)` \| (.*?) \| (.*?) \|$", RUFF, re.MULTILINE)
    assert len(rows) == 3
    section = re.findall(r"^```toml\n(.*?)^```$", RUFF, re.DOTALL | re.MULTILINE)[0]
    for number, (line, without, told) in enumerate(rows):
        expected = told if is_told else without
        found = re.match("`(.*?)`", expected)
        write(tmp_path, {f"{number}.py": f"{line}\n", "pyproject.toml": section if is_told else ""})
        run([sys.executable, "-m", "ruff", "check", "--fix", "--select=RUF", "--no-cache", f"{number}.py"], tmp_path)
        after = (tmp_path / f"{number}.py").read_text().rstrip("\n")
        assert after == (line if found is None else found[1])


@pytest.mark.slow
@pytest.mark.skipif(find_spec("ruff") is None, reason="ruff is not installed")
@pytest.mark.parametrize("words", [["--add-noqa"], ["--add-ignores", "accepted when the audit began, see #12"]])
def test_what_is_silenced_stays_so_when_it_is_formatted(tmp_path: Path, words: list[str]) -> None:
    long = STORE.replace("= 1.0", "= jnp.where(x.sum() > 0, x.sum(), 0.0) + x.mean()")
    text = f"{long}\nif x[\n    0\n] > 1:\n    x[1] = jnp.where(x.sum() > 0, x.sum(), 0.0) + x.mean()\n"
    write(tmp_path, {"a.py": text, "pyproject.toml": ""})
    assert command(tmp_path, "check", *words).status == 0
    before = (tmp_path / "a.py").read_text()
    run([sys.executable, "-m", "ruff", "format", "--isolated", "--no-cache", "a.py"], tmp_path)
    assert (words == ["--add-noqa"]) or (tmp_path / "a.py").read_text().count("\n") > before.count("\n")
    assert command(tmp_path, "check").output == flake8(tmp_path, "--select=JAX").output == ""
