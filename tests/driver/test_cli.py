"""The command line: the same rows as flake8, its exit status, its verbs."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from flake8_jax.analysis import interpretation
from flake8_jax.analysis.modules.files import File
from flake8_jax.driver.cli.main import main
from flake8_jax.driver.scheduling import HAS_FORK
from flake8_jax.model.configurations import Configurations
from tests.support.commands import REUSE, STORE, command, fixable, flake8, run, write

STORED = "store.py:4:1: JAX201"
REUSED = "reuse.py:5:23: JAX101"


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return write(tmp_path, {"store.py": STORE, "reuse.py": REUSE})


@pytest.fixture
def wide_tree(tmp_path: Path) -> Path:
    """Files that flake8 walks, passes over and stumbles on."""
    names = ["a.py", "b/a.py", "b/c/d.py", "b.d.py", "B.py", "notes.txt", ".git/x.py", "__pycache__/x.py", "e.egg/x.py"]
    write(tmp_path, dict.fromkeys(names, STORE))
    write(tmp_path, {"keys.py": REUSE, "plain.py": "x = 1\n", "empty.py": ""})
    write(tmp_path, {"bom.py": b"\xef\xbb\xbf" + STORE.encode()})
    return write(tmp_path, {"crlf.py": STORE.replace("\n", "\r\n"), "ä.py": STORE.replace("x[0]", 'é = "ü"; x[0]')})


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["b/", "./a.py"],
        ["--select=JAX1"],
        ["--extend-select=JAX2", "--ignore=JAX"],
        ["--select=JAX2,JAX101", "--ignore=JAX20,JAX101"],
        ["--per-file-ignores=a.py,keys.py:JAX201,JAX101 b/a.py:JAX1"],
        ["--extend-exclude=*/c,keys.py"],
        ["--exclude=./b/c/d.py", "b/c/d.py", "a.py"],
    ],
)
def test_says_what_flake8_says(wide_tree: Path, arguments: list[str]) -> None:
    ours = command(wide_tree, "check", *arguments)
    selected = any("select" in argument for argument in arguments)
    theirs = flake8(wide_tree, *([] if selected else ["--extend-select=JAX"]), *arguments)
    assert ours.rows == theirs.rows
    assert ours.notes == ""
    assert ours.status == bool(ours.rows)


def test_order_of_paths_and_jobs_do_not_matter(wide_tree: Path) -> None:
    once = command(wide_tree, "check").output
    assert command(wide_tree, "check", "./keys.py", ".", "./a.py").output == once
    assert command(wide_tree, "check", "--jobs=1").output == command(wide_tree, "check", "-j3").output == once


def test_stubs_are_walked(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tree, {"stub.pyi": STORE})
    assert main(["check"]) == 1
    assert "./stub.pyi:4:1: JAX201" in capsys.readouterr().out


def test_exit_status(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check"]) == 1
    assert main(["check", "--exit-zero"]) == 0
    assert main(["check", "--ignore=JAX"]) == 0
    assert main(["check", "--ignore=nonsense"]) == 2
    assert "--ignore: 'nonsense' is not a code" in capsys.readouterr().err
    assert main(["check", "--no-such-option"]) == 2


def test_a_wrong_configuration_is_one_line(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tree, {"pyproject.toml": "[tool.flake8-jax]\nstrict = 1\n"})
    assert main(["check"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_configuration_is_read(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tree, {"pyproject.toml": '[tool.flake8-jax]\nignore = ["JAX2"]\n'})
    main(["check"])
    assert [line.split()[1] for line in capsys.readouterr().out.splitlines()] == ["JAX101"]
    main(["check", "--ignore=JAX1"])
    assert [line.split()[1] for line in capsys.readouterr().out.splitlines()] == ["JAX201"]


@pytest.mark.slow
def test_stdin(tree: Path) -> None:
    assert command(tree, "check", "-", stdin=STORE.encode()).places == ["stdin:4:1: JAX201"]
    named = ["check", "--stdin-display-name=pkg/model.py", "-"]
    assert command(tree, *named, stdin=STORE.encode()).places == ["pkg/model.py:4:1: JAX201"]
    assert command(tree, *named, "--exclude=pkg", stdin=STORE.encode()).places == []
    assert command(tree, *named, "--exclude=model.py", stdin=STORE.encode()).places == []
    assert "x[0] = 1.0\n" in command(tree, *named, "--format=full", stdin=STORE.encode()).output


@pytest.mark.parametrize(
    ("content", "place"),
    [
        (b"import jax\nx = (\n", "file.py:2:1: JAX000"),
        (b"# jax \xff\n", "file.py:1:1: JAX000"),
        (b"# coding: no-such-coding jax\n", "file.py:1:1: JAX000"),
    ],
    ids=["syntax error", "not utf-8", "unknown coding"],
)
def test_what_cannot_be_analysed_is_one_line(tmp_path: Path, content: bytes, place: str) -> None:
    write(tmp_path, {"file.py": content, "good.py": STORE})
    done = command(tmp_path, "check")
    assert len(done.rows) == 2
    assert done.rows[0].startswith(place)
    assert "JAX000 could not be analysed: " in done.rows[0]
    assert done.places[1] == "good.py:4:1: JAX201"
    assert done.errors == f"checked 2 files: 1 finding; 1 file could not be judged{fixable(1)}"
    assert done.status == 1


@pytest.mark.slow
def test_the_death_of_a_process_costs_one_file(tmp_path: Path) -> None:
    write(tmp_path, {f"{name}.py": STORE for name in "abcdefgh"})
    script = """
import os, sys
from flake8_jax.driver import checking, scheduling
from flake8_jax.driver.cli import main as cli
scheduling.WORTH_A_PROCESS = 1
real = checking.lint
def lint(source, config, projects):
    if source.path == "./e.py":
        os.abort()
    return real(source, config, projects)
checking.lint = lint
sys.exit(cli.main(["check", "--jobs=2"]))
"""
    done = run([sys.executable, "-c", script], tmp_path)
    assert [row.partition(":")[0] for row in done.rows] == [f"{name}.py" for name in "abcdefgh"]
    assert done.rows[4] == "e.py:1:1: JAX000 could not be analysed: the process that checked it died"


def test_json(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--format=json", "store.py", "reuse.py"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert document["schema"] == 1
    reuse, store = document["diagnostics"]
    assert (reuse["path"], reuse["line"], reuse["column"]) == ("reuse.py", 5, 23)
    assert (reuse["code"], reuse["name"]) == ("JAX101", "key-reused")
    assert reuse["notes"][0]["path"] == "reuse.py"
    assert reuse["notes"][0]["line"] == 4
    assert (store["line"], store["column"], store["end_line"]) == (4, 1, 4)


def test_json_of_nothing(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--format=json", "--ignore=JAX"]) == 0
    assert json.loads(capsys.readouterr().out)["diagnostics"] == []


def test_full_shows_source_and_chain(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "--format=full", "reuse.py"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(REUSED)
    assert lines[1] == "  5 | b = jax.random.normal(key, (3,))"
    assert lines[2] == "    | " + " " * 22 + "^^^"
    assert lines[3].startswith("    reuse.py:4: ")


def test_statistics_go_to_standard_error(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tree, {"plain.py": "x = 1\n"})
    main(["check", "--analysis-statistics"])
    captured = capsys.readouterr()
    assert captured.err.startswith("3 files, 2 analysed\n")
    assert len(captured.out.splitlines()) == 2


@pytest.mark.parametrize("format_", ["text", "full", "json"])
def test_findings_are_counted_behind_them(tree: Path, capsys: pytest.CaptureFixture[str], format_: str) -> None:
    write(tree, {"more.py": STORE + "x[1] = 2.0\n"})
    assert main(["check", f"--format={format_}"]) == 1
    findings = capsys.readouterr().out
    assert main(["check", f"--format={format_}", "--statistics"]) == 1
    captured = capsys.readouterr()
    rows = ["1     JAX101 key-reused", "3     JAX201 item-assignment", ""]
    rows += ["2     ./more.py", "1     ./reuse.py", "1     ./store.py", ""]
    counts = "" if format_ == "json" else "\n".join(rows)
    assert captured.out == findings + counts
    assert captured.err == f"checked 3 files: 4 findings{fixable(3)}"
    assert main(["check", "--statistics", "--select=JAX3"]) == 0
    assert capsys.readouterr().out == ""


def test_counts_stand_in_flake8s_columns(tree: Path) -> None:
    ours, theirs = command(tree, "check", "--statistics"), flake8(tree, "--statistics", "--extend-select=JAX")
    rows = (run.output.splitlines()[2:4] for run in (ours, theirs))
    counts = [[line[:12] for line in lines] for lines in rows]
    assert counts[0] == counts[1] == ["1     JAX101", "1     JAX201"]


@pytest.mark.parametrize("jobs", [1, 3])
def test_debug_shows_where_a_defect_is(
    tree: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], jobs: int
) -> None:
    def interpret(file: File) -> None:
        raise KeyError(f"no luck with {Path(file.path).name}")

    if jobs > 1 and not HAS_FORK:
        pytest.skip("processes that are not forked have no defect")
    monkeypatch.setattr(interpretation, "interpret", interpret)
    for options, shown in ([], 0), (["--debug"], 2), (["--debug", "--select=JAX1"], 2):
        main(["check", f"--jobs={jobs}", *options])
        errors = capfd.readouterr().err
        assert errors.count("Traceback (most recent call last):") == shown
        for name in ("store.py", "reuse.py"):
            assert (f"{name}:\n" in errors) == bool(shown)
            assert (f"KeyError: 'no luck with {name}'\n" in errors) == bool(shown)


def test_explain(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "JAX201", "key-reused", "jax000"]) == 0
    pages = capsys.readouterr().out
    assert pages.startswith("# JAX201 item-assignment (on)\n")
    assert "# JAX101 key-reused (on)\n" in pages
    assert "# JAX000 analysis-gave-up (on)\n" in pages
    assert pages.count("## What it does") == 3


def test_explain_what_does_not_exist(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "JAX99999"]) == 2
    assert "there is no rule JAX99999; there are JAX000, JAX001, " in capsys.readouterr().err
    assert main(["explain", "key-resued"]) == 2
    assert "there is no rule key-resued; did you mean JAX101?" in capsys.readouterr().err
    assert main(["explain", "jax00"]) == 2
    assert capsys.readouterr().err.endswith("there is no rule jax00; so begin JAX000, JAX001, JAX002\n")


def test_rules(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules"]) == 0
    rows = capsys.readouterr().out.splitlines()
    assert rows[0].startswith("JAX000  analysis-gave-up ")
    assert rows == sorted(rows)
    assert any(row.startswith("JAX101  key-reused ") for row in rows)


def test_rules_are_chosen_and_printed_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    def codes(*words: str) -> list[str]:
        assert main(["rules", *words]) == 0
        return [row[:6] for row in capsys.readouterr().out.splitlines()]

    assert codes("jax20", "key-reused", "--fixable") == ["JAX101", "JAX201", "JAX202", "JAX203", "JAX208"]
    assert codes("--status=off") == ["JAX002", "JAX207"]
    assert codes("JAX1", "--group=values") == []
    assert main(["rules", "key-reused", "--format=json"]) == 0
    (card,) = json.loads(capsys.readouterr().out)
    assert [card[name] for name in ("code", "name", "status", "group", "fixable")] == [
        "JAX101", "key-reused", "on", "keys", True,
    ]  # fmt: skip
    assert card["page"].startswith(card["summary"])


def test_codes_are_meant_by_their_names_and_in_small_letters(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def found(*words: str) -> list[str]:
        main(["check", *words])
        return [line.split()[1] for line in capsys.readouterr().out.splitlines()]

    assert found("--select=item-assignment") == ["JAX201"]
    assert found("--select=jax1,Item-Assignment") == ["JAX101", "JAX201"]
    assert found("--ignore=key-reused") == ["JAX201"]
    assert found("--per-file-ignores=store.py:item-assignment,jax3 reuse.py:jax1") == []
    write(tree, {"pyproject.toml": '[tool.flake8-jax]\nignore = ["key-reused"]\nstrict = true\nno-store = true\n'})
    assert found() == ["JAX201"]
    assert Configurations({"enable": "jax-numpy-as-np"}).run.enable == ("JAX207",)


def test_the_command_line_undoes_what_a_file_says(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = '[tool.flake8-jax]\nbaseline = "known.json"\nstrict = true\nno-store = true\nstatistics = true\n'
    write(tree, {"pyproject.toml": text})
    undone = ["--no-baseline", "--no-strict", "--store", "--no-statistics"]
    assert main(["check", "--show-settings", *undone]) == 0
    shown = capsys.readouterr().out
    for line in ("# baseline is not set", "strict = false", "no-store = false", "statistics = false"):
        assert f"\n{line}\n" in shown


def test_show(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "store.py"]) == 0
    assert "x[0] = 1.0" in capsys.readouterr().out
    assert main(["show", "missing.py"]) == 2
    assert "missing.py: No such file or directory" in capsys.readouterr().err
