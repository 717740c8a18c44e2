"""A file is ruled by the configuration that is nearest to it, whatever the working directory and whatever verb."""

from __future__ import annotations

import io
import json
import os
from pathlib import Path

import pytest

from flake8_jax.driver.cli.main import main
from flake8_jax.model.config import Config, ConfigError
from flake8_jax.model.configurations import Configurations
from tests.support.commands import REUSE, Check, checking, command, flake8, write
from tests.support.reruns import spied, stored

BOTH = "import jax\nimport jax.numpy as jnp\n\nx = jnp.zeros(3)\nx[0] = 1.0\n" + REUSE.partition("\n\n")[2]
STORED, REUSED = "JAX201", "JAX101"


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with two below it: `one` reports no reuse, `two` no stores, the outer one neither in `old`."""
    monkeypatch.chdir(tmp_path)
    outer = '[tool.flake8-jax]\nextend-exclude = ["old"]\n'
    one = '[tool.flake8-jax]\nignore = ["JAX1"]\nper-file-ignores = { "quiet/*" = ["JAX2"] }\n'
    two = '[tool.flake8-jax]\nselect = ["JAX1"]\nexclude = ["made"]\n'
    write(tmp_path, {"pyproject.toml": outer, "one/pyproject.toml": one, "two/pyproject.toml": two})
    write(tmp_path, {"three/pyproject.toml": "[project]\n"})
    folders = ("", "old/", "one/", "one/quiet/", "one/old/", "two/", "two/made/", "two/deep/er/", "three/")
    return write(tmp_path, dict.fromkeys((f"{folder}a.py" for folder in folders), BOTH))


@pytest.fixture
def check(tree: Path, capsys: pytest.CaptureFixture[str]) -> Check:
    return checking(capsys)


EXPECTED = {
    ("a.py", STORED), ("a.py", REUSED), ("one/a.py", STORED), ("one/old/a.py", STORED), ("two/a.py", REUSED),
    ("two/deep/er/a.py", REUSED), ("three/a.py", STORED), ("three/a.py", REUSED),
}  # fmt: skip


def found(places: list[str]) -> set[tuple[str, str]]:
    return {(place.partition(":")[0], place.rpartition(" ")[2]) for place in places}


@pytest.mark.slow
def test_the_nearest_configuration_rules_in_both_front_ends(tree: Path) -> None:
    for jobs in ("-j1", "-j2"):
        assert found(command(tree, "check", jobs).places) == EXPECTED
        assert found(flake8(tree, "--select=JAX", jobs).places) == EXPECTED


def test_the_working_directory_does_not_count(tree: Path, check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    assert found(check("two", "one").places) == {each for each in EXPECTED if each[0].startswith(("one", "two"))}
    (tree / "elsewhere").mkdir()
    monkeypatch.chdir(tree / "elsewhere")
    assert found(check("..").places) == {(os.path.relpath(tree / name), code) for name, code in EXPECTED}
    monkeypatch.chdir(tree / "one")
    assert found(check("../two", "../a.py").places) == {
        (f"../{name}", code) for name, code in EXPECTED if name.startswith(("two", "a.py"))
    }


def test_the_command_line_prevails_everywhere(tree: Path, check: Check) -> None:
    assert {code for _, code in found(check("--select=JAX2", "--ignore=").places)} == {STORED}
    assert check("--exclude=one,two,three,old,a.py").rows == []
    assert found(check("two", "--extend-select=JAX2").places) >= {("two/a.py", STORED), ("two/a.py", REUSED)}


def test_one_file_or_none_rules_all(tree: Path, check: Check) -> None:
    names = [f"{folder}/a.py" for folder in ("old", "one", "one/quiet", "two", "two/made")]
    assert found(check("--isolated", *names).places) == {(name, code) for name in names for code in (STORED, REUSED)}
    (only,) = {code for _, code in found(check("--config=two/pyproject.toml", "one", "old/a.py").places)}
    assert only == REUSED


def test_files_and_settings_obey_the_same(tree: Path, check: Check) -> None:
    quiet = {"one/quiet/a.py"}
    shown = {line.removeprefix("./") for line in check("--show-files").output.split()}
    assert shown == {name for name, _ in EXPECTED} | quiet
    for path, source, text in (
        ("two", "two/pyproject.toml", 'select = ["JAX1"]'),
        ("two/deep/er/a.py", "two/pyproject.toml", 'select = ["JAX1"]'),
        (".", "pyproject.toml", "# select is not set"),
        ("three", "pyproject.toml", "# select is not set"),
    ):
        done = check("--show-settings", path)
        assert done.output.startswith(f"# from {tree / source} and the command line\n")
        assert text in done.output


@pytest.mark.slow
def test_standard_input_is_ruled_by_its_place(tree: Path, check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, codes in (("two/new.py", {REUSED}), ("one/new.py", {STORED}), ("two/made/new.py", set())):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(BOTH.encode())))
        assert {code for _, code in found(check("-", f"--stdin-filename={name}").places)} == codes
        done = flake8(tree, "--select=JAX", "-", f"--stdin-display-name={name}", stdin=BOTH.encode())
        assert {code for _, code in found(done.places)} == codes


def test_fixes_and_explanations_obey_the_same(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fix", "--unsafe-fixes", "one", "two"]) == 1
    assert "x.at[0]" in (tree / "one/a.py").read_text()
    assert (tree / "two/a.py").read_text() == (tree / "one/quiet/a.py").read_text() == BOTH
    capsys.readouterr()
    assert main(["explain", "two/a.py:5"]) == 0
    assert "JAX201" in (said := capsys.readouterr().out)
    assert "- the selection of codes leaves it out" in said
    assert main(["explain", "two/made/a.py:5"]) == 0
    assert "- the configuration excludes the file" not in said
    assert "the selection of codes leaves it out" in capsys.readouterr().out
    assert main(["explain", "old/a.py:5"]) == 0
    assert "- the configuration excludes the file" in capsys.readouterr().out


@pytest.mark.slow
def test_a_diff_shows_what_the_configuration_of_each_file_reports(tree: Path, check: Check) -> None:
    names = {line.split()[1] for line in check("--diff", "--unsafe-fixes").output.splitlines() if line[:3] == "+++"}
    assert {name.removeprefix("b/") for name in names} >= {"one/a.py", "three/a.py"}
    assert not {name for name in names if "quiet" in name or "made" in name}


def test_what_concerns_the_run_is_the_matter_of_the_working_directory(
    tree: Path, check: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tree, {"three/pyproject.toml": '[tool.flake8-jax]\noutput-format = "json"\nstatistics = true\n'})
    assert found(check("three").places) == {("three/a.py", STORED), ("three/a.py", REUSED)}
    monkeypatch.chdir(tree / "three")
    assert {one["code"] for one in json.loads(check(".").output)["diagnostics"]} == {STORED, REUSED}


def test_a_finding_is_known_by_the_baseline_of_its_configuration(tree: Path, check: Check) -> None:
    assert check("one", "--write-baseline=one/known.json").status == 0
    write(tree, {"one/pyproject.toml": (tree / "one/pyproject.toml").read_text() + 'baseline = "known.json"\n'})
    done = check()
    assert found(done.places) == {each for each in EXPECTED if not each[0].startswith("one")}
    assert "; 2 known" in done.errors
    write(tree, {"one/a.py": "import jax\n", "two/a.py": "import jax\n"})
    assert "no longer found: JAX201 in a.py" in check().errors
    assert "no longer found" not in check("two").errors


def test_several_configurations_do_not_mix_in_what_is_remembered(
    tree: Path, check: Check, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`strict` is part of what a report depends on; one store holds those of all."""
    likely = "import jax.numpy as jnp\n\nx = jnp.ones(3)\nif not x:\n    print(1)\n"
    write(tree, {"one/likely.py": likely, "two/likely.py": likely, "two/pyproject.toml": "[tool.flake8-jax]\n"})
    write(tree, {"one/pyproject.toml": "[tool.flake8-jax]\nstrict = true\n"})
    with stored(tmp_path / "store", monkeypatch):
        interpreted = spied(monkeypatch)
        first = check("one/likely.py", "two/likely.py")
        assert found(first.places) == {("one/likely.py", "JAX209")}
        assert interpreted == ["likely.py"] * 2
        assert check("two/likely.py", "one/likely.py").places == first.places
        assert interpreted == ["likely.py"] * 2
        (tree / "one/pyproject.toml").write_text("[tool.flake8-jax]\n")
        assert check("one/likely.py", "two/likely.py").rows == []


@pytest.mark.parametrize("front", ["command", "flake8"])
def test_a_mistake_in_any_configuration_ends_the_run(front: str, tree: Path) -> None:
    write(tree, {"two/pyproject.toml": "[tool.flake8-jax]\nstrickt = true\n"})
    done = command(tree, "check") if front == "command" else flake8(tree, "--select=JAX")
    text = f"{tree}/two/pyproject.toml: [tool.flake8-jax] strickt: there is no such option; did you mean strict?"
    assert (done.output, done.status) == ("", 2)
    assert done.errors == f"{'flake8-jax' if front == 'command' else 'flake8'}: error: {text}\n"
    assert command(tree, "check", "one").status == 1


def test_rules_that_are_off_are_told_for_each_configuration(tree: Path, check: Check) -> None:
    write(tree, {"two/pyproject.toml": '[tool.flake8-jax]\nselect = ["JAX209"]\n'})
    assert "warning: JAX209 is selected, but its status is strict" in check().errors
    assert "warning" not in check("one").errors


def test_a_revision_is_compared_under_the_same_configurations(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.driver.test_hooks import git

    for name in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"):
        monkeypatch.delenv(name, raising=False)
    git(tree, "init", "-q")
    git(tree, "add", "-A")
    git(tree, "commit", "-qm", "all")
    assert command(tree, "check", "--diff-base=HEAD").rows == []
    write(tree, {"two/a.py": BOTH + "c = jax.random.normal(key)\n", "one/a.py": BOTH + "x[1] = 2.0\n"})
    assert found(command(tree, "check", "--diff-base=HEAD").places) == {("two/a.py", REUSED), ("one/a.py", STORED)}


def test_each_file_of_options_is_read_once(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    configurations = Configurations()
    paths = [str(tree / "two" / f"{number}.py") for number in range(3)]
    (tree / "two/deep/pyproject.toml").write_text("[tool.flake8_jax]\n")
    one, *others = map(configurations.of, paths)
    assert all(other is one for other in others)
    assert configurations.groups([*paths, str(tree / "a.py")]) == {one: paths, configurations.run: [str(tree / "a.py")]}
    with pytest.raises(ConfigError, match="did you mean"):
        configurations.of(str(tree / "two/deep/a.py"))


def test_without_a_file_above_the_working_directory_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {"here/pyproject.toml": "[tool.flake8-jax]\nstrict = true\n", "there/a.py": ""})
    monkeypatch.chdir(tmp_path / "here")
    configurations = Configurations()
    assert configurations.of(str(tmp_path / "there/a.py")) is configurations.run == Config(strict=True)
    assert configurations.source_of("../there/a.py") == tmp_path / "here/pyproject.toml"


@pytest.mark.parametrize("name", ["setup.cfg", "tox.ini", ".flake8"])
def test_a_section_that_is_not_read_is_told(tree: Path, check: Check, name: str) -> None:
    write(tree, {name: "[flake8]\njax-strict = true\n\n[flake8-jax]\nstrict = true\n"})
    said = f"flake8-jax: warning: {name}: [flake8-jax] is not read; write the options under [tool.flake8-jax] of "
    assert said in check("a.py").errors
    assert said not in check("--isolated", "a.py").errors
    write(tree, {name: "[flake8]\njax-strict = true\n[testenv:flake8-jax]\ncommands = flake8-jax check\n"})
    assert "is not read" not in check("a.py").errors
