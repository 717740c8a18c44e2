"""Every option under the name that its user wrote: in the help, in errors and in files, of both front ends."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from flake8_jax.driver.cli.main import main
from flake8_jax.model.config import OPTIONS, ConfigError, Option, OptionKind
from flake8_jax.model.configurations import Configurations
from tests.support.commands import flake8, write

SHARED = [option for option in OPTIONS if option.shared]
WRONG: dict[OptionKind, tuple[str, str]] = {
    "flag": ("maybe", "must be true or false, not 'maybe'"),
    "codes": ("XX9", "there is no code XX9"),
    "names": ("a!(", "'a!(' is not a qualified name"),
    "wrappers": ("jit", "'jit' is not NAME:like=NAME"),
    "version": ("new", "'new' is not a version"),
    "folder": ("nowhere", "is not a folder"),
    "new-folder": ("", "names no"),
    "file": ("", "names no file"),
    "format": ("jsn", "there is no format jsn"),
    "per-file": ("a.py", "'a.py' is not PATTERN:CODES"),
}
"""A value that options of a kind refuse, and what is said of it; any text is a pattern."""


def key_of(option: Option) -> str:
    return option.key


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return write(tmp_path, {"a.py": "import jax\n", "pyproject.toml": ""})


@cache
def help_of_flake8() -> list[str]:
    return re.findall(r"^  (--jax-\S+)", flake8(Path(__file__).parent, "--help").output, re.MULTILINE)


def test_nothing_stutters() -> None:
    assert help_of_flake8() == [f"--{option.flake8_key}" for option in SHARED]
    assert [option.flake8_key.count("jax") for option in SHARED] == [1] * len(SHARED)
    assert "--jax-version" in help_of_flake8()


@pytest.mark.parametrize("option", OPTIONS, ids=key_of)
def test_the_command_line_offers_it(option: Option, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["check", "--help"])
    assert re.search(rf"--{option.key}\b(?!-)", capsys.readouterr().out)


@pytest.mark.parametrize("option", [each for each in OPTIONS if each.kind not in ("flag", "patterns")], ids=key_of)
def test_an_error_names_what_stands_on_the_command_line(
    option: Option, tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    value, message = WRONG[option.kind]
    assert main(["check", f"--{option.key}={value}"]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"flake8-jax: error: --{option.key}: ")
    assert message in said


@pytest.mark.parametrize("option", [option for option in OPTIONS if option.kind != "patterns"], ids=key_of)
def test_an_error_names_what_stands_in_our_section(option: Option, tree: Path) -> None:
    value, message = WRONG[option.kind]
    write(tree, {"pyproject.toml": f'[tool.flake8-jax]\n{option.key} = "{value}"\n'})
    with pytest.raises(ConfigError) as raised:
        Configurations().of(str(tree / "x.py"))
    assert str(raised.value).startswith(f"{tree / 'pyproject.toml'}: [tool.flake8-jax] {option.key}: ")
    assert message in str(raised.value)


@pytest.mark.parametrize("option", [option for option in SHARED if option.kind != "flag"], ids=key_of)
def test_an_error_names_what_flake8_was_told_on_the_command_line(option: Option, tree: Path) -> None:
    value, message = WRONG[option.kind]
    done = flake8(tree, f"--{option.flake8_key}={value}")
    assert (done.status, done.output) == (2, "")
    assert done.errors.startswith(f"flake8: error: --{option.flake8_key}: ")
    assert message in done.errors


@pytest.mark.parametrize("option", SHARED, ids=key_of)
def test_an_error_names_what_stands_in_a_file_of_flake8(option: Option, tree: Path) -> None:
    value, message = WRONG[option.kind]
    write(tree, {"setup.cfg": f"[flake8]\n{option.flake8_key} = {value}\n"})
    done = flake8(tree)
    assert (done.status, done.output) == (2, "")
    assert done.errors.startswith(f"flake8: error: [flake8] {option.flake8_key}: ")
    assert message in done.errors
    assert done.errors.count("\n") == 1


@pytest.mark.parametrize(("word", "rows"), [("yes", 1), ("on", 1), ("True", 1), ("0", 0), ("off", 0), ("no", 0)])
def test_a_flag_in_a_file_of_flake8_is_true_or_false_in_its_words(word: str, rows: int, tree: Path) -> None:
    write(tree, {"a.py": "import jax.numpy as np\n", "setup.cfg": f"[flake8]\njax-preview = {word}\n"})
    write(tree, {"b.py": "import jax.numpy as jnp\n\nx = jnp.ones(3)\nx.at[0].set(1.0)\n"})
    assert len(flake8(tree).rows) == rows
