"""Every option under the name that its user wrote: in the help, in errors and in files, of both front ends."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from flake8_jax.driver.cli.main import main
from flake8_jax.driver.cli.rules import cards
from flake8_jax.model.config import OPTIONS, ConfigError, Option, OptionKind
from flake8_jax.model.configurations import Configurations
from tests.support.commands import REUSE, command, flake8, write

SHARED = [option for option in OPTIONS if option.shared]
WRONG: dict[OptionKind, tuple[str, str]] = {
    "flag": ("maybe", "must be true or false, not 'maybe'"),
    "codes": ("XX9", "there is no code XX9"),
    "names": ("a!(", "'a!(' is not a qualified name"),
    "wrappers": ("jit", "'jit' is not NAME:like=NAME"),
    "version": ("new", "'new' is not a version"),
    "releases": ("new", "'new' is not a version such as"),
    "folder": ("nowhere", "is not a folder"),
    "new-folder": ("", "names no"),
    "file": ("", "names no file"),
    "url": ("pages", "'pages' is not an address such as https://"),
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
    write(tree, {"a.py": "import jax.numpy as np\n", "setup.cfg": f"[flake8]\njax-strict = {word}\n"})
    write(tree, {"b.py": "import jax.numpy as jnp\n\nx = jnp.ones(3)\nif x:\n    print(x)\n"})
    assert len(flake8(tree).rows) == rows


@pytest.mark.parametrize("code", [card.code for card in cards()])
def test_a_page_names_options_of_the_command_and_says_how_flake8_calls_them(
    code: str, capsys: pytest.CaptureFixture[str]
) -> None:
    page = {card.code: card.page for card in cards()}[code]
    named = set(re.findall(r"`--([a-z0-9-]+)", page))
    assert named <= {option.key for option in OPTIONS}
    assert main(["explain", code]) == 0
    said = capsys.readouterr().out
    for option in SHARED:
        assert (f"`--{option.key}` is `--{option.flake8_key}`" in said) == (option.key in named)


def test_pages_name_some_options() -> None:
    pages = {card.code: card.page for card in cards()}
    assert {code for code, page in pages.items() if "`--tests`" in page} == {"JAX101", "JAX102", "JAX103"}


# Options that flake8 passes over, or that do nothing under flake8.


@pytest.mark.parametrize("name", ["setup.cfg", "tox.ini", ".flake8", "ci/flake8.ini"])
@pytest.mark.parametrize(
    ("key", "meant"),
    [
        ("jax_strct", "did you mean jax-strict?"),
        ("jax-zzz", "there are jax-analysis-statistics, "),
        ("jax-ignore", "that of flake8 itself is ignore\n"),
        ("jax_per_file_ignores", "that of flake8 itself is per-file-ignores\n"),
    ],
)
def test_flake8_tells_of_an_option_of_ours_that_is_none(name: str, key: str, meant: str, tree: Path) -> None:
    write(tree, {name: f"[flake8]\nmax-line-length = 100\n{key} = true\n"})
    words = [f"--config={name}"] if "/" in name else []
    done = flake8(tree, *words)
    assert (done.output, done.status) == ("", 2)
    assert done.errors.startswith(f"flake8: error: [flake8] {key}: there is no such option; {meant}")
    assert done.errors.count("\n") == 1
    assert flake8(tree, "--isolated", "--select=JAX").status == 0
    write(tree, {"more.ini": "[flake8]\njax_strict = true\njaxtyping = 1\n"})
    assert flake8(tree, "--select=JAX", "--append-config=more.ini", "--config=more.ini").status == 0
    assert flake8(tree, "--config=more.ini").errors == ""


SECTION = """[tool.flake8-jax]
strict = true
baseline = "known.json"
output-format = "json"
ignore = ["JAX1"]
per-file-ignores = { "b.py" = ["JAX2"] }
"""


@pytest.mark.parametrize("jobs", ["-j1", "-j2"])
def test_flake8_says_once_which_options_of_our_section_it_does_not_use(jobs: str, tree: Path) -> None:
    faults = "import jax.numpy as jnp\n\nx = jnp.ones(3)\nx[0] = 1.0\n"
    write(tree, {"pyproject.toml": SECTION, "a.py": faults, "b.py": faults, "c.py": REUSE, "sub/d.py": ""})
    done = flake8(tree, "--select=JAX", jobs)
    assert done.places == ["a.py:4:1: JAX201"]
    text = f"output-format, baseline of [tool.flake8-jax] in {tree / 'pyproject.toml'}"
    assert done.errors == f"flake8: warning: flake8 does not use {text}; `flake8-jax check` does\n"
    write(tree, {"sub/pyproject.toml": "[tool.flake8-jax]\ndebug = true\n"})
    done = flake8(tree, "--select=JAX", jobs)
    assert f"{text}; debug of [tool.flake8-jax] in {tree / 'sub/pyproject.toml'}" in done.errors
    assert done.errors.count("\n") == 1
    write(tree, {"pyproject.toml": "[tool.flake8-jax]\nstrict = true\n", "sub/pyproject.toml": ""})
    assert flake8(tree, "--select=JAX", jobs).errors == ""


@pytest.mark.parametrize("words", [["-j1"], ["-j2"], ["-j2", "a.py"], ["-"]], ids=" ".join)
def test_flake8_counts_what_was_analysed(words: list[str], tree: Path) -> None:
    write(tree, {"a.py": REUSE, "b.py": REUSE, "c.py": "x = 1\n"})
    done = flake8(tree, "--select=JAX", "--jax-analysis-statistics", "--jax-no-store", *words, stdin=REUSE.encode())
    paths = [word for word in words if not word.startswith("-j")]
    ours = command(tree, "check", "--analysis-statistics", "--no-store", *paths, stdin=REUSE.encode())
    assert done.errors == ours.notes
    assert re.match(r"\d files, [12] analysed\n(?s:.*)cost: [12] judged again", done.errors)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("f:like=jax.jitt", "f:like=jax.jitt has no effect: nothing is known of jax.jitt; did you mean jax.jit?"),
        ("f:like=jax.qqqqqqqqqq", "f:like=jax.qqqqqqqqqq has no effect: nothing is known of jax.qqqqqqqqqq"),
        ("a.fast:like=jax.jit", ""),
        ("a.fast:like=jax.remat", ""),  # another name of jax.checkpoint
        ("a.fast:like=functools.partial", ""),  # of other libraries not all is known
    ],
)
def test_what_stands_for_no_function_of_jax_is_said(row: str, said: str, tree: Path) -> None:
    for name in ("transforms", "key-consumers"):
        write(tree, {"pyproject.toml": f'[tool.flake8-jax]\n{name} = ["{row}"]\n'})
        assert command(tree, "check", "-q").errors == (f"flake8-jax: warning: {said}\n" if said else "")
        assert flake8(tree, "a.py").errors == (f"flake8: warning: {said}\n" if said else "")
