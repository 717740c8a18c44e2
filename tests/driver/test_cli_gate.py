"""A gate that cannot be green by mistake: what the command says and how it ends when it is used wrongly, when files
could not be judged, when there was nothing to check, and when nobody can read what it says.
"""

from __future__ import annotations

import io
import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Protocol

import pytest

from flake8_jax.driver.cli.main import VERBS as MAIN_VERBS
from flake8_jax.driver.cli.main import main
from flake8_jax.driver.cli.rules import cards
from tests.support.commands import REUSE, STORE, Run, command, command_anew, fixable, flake8, run, write

BROKEN = "import jax\nx = (\n"
NOTEBOOK = '{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}'
FILES = {
    "store.py": STORE, "pkg/reuse.py": REUSE, "clean.py": "import jax\n", "model.ipynb": NOTEBOOK,
    "docs/index.md": "import jax\n", "script": "#!/usr/bin/env python\n" + STORE, "old/a.py": STORE,
}  # fmt: skip
CODE_OR = "is not a code, its beginning or a name, such as JAX101, JAX1 or key-reused;"


class Check(Protocol):
    """Runs `flake8-jax check` in this process."""

    def __call__(self, *words: str, stdin: bytes = b"") -> Run: ...


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return write(tmp_path, {"pyproject.toml": "", **FILES})


@pytest.fixture
def check(tree: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Check:
    def run_check(*words: str, stdin: bytes = b"") -> Run:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        status = main(["check", *words])
        said = capsys.readouterr()
        return Run(status, said.out, said.err)

    return run_check


def is_wrong_use(done: Run, message: str) -> bool:
    """Was nothing said but one line with a message, and is the status that of a wrong use?"""
    assert (done.output, done.errors, done.status) == ("", f"flake8-jax: error: {message}\n", 2)
    return True


# Wrong uses: one line, which names the mistake and the nearest right spelling, and 2.

SHOWS = ", or `flake8-jax check --diff`, which only shows the changes"
WRONG = [
    ("stor.py", "there is no file or folder stor.py; did you mean store.py?"),
    ("stor.py --select=JAX101", "there is no file or folder stor.py; did you mean store.py?"),
    ("stor.py --select=JAX101 --exit-zero", "there is no file or folder stor.py; did you mean store.py?"),
    ("stor.py --exclude=stor.py", "there is no file or folder stor.py; did you mean store.py?"),
    ("clean.py pgk/reuse.py", "there is no file or folder pgk/reuse.py; did you mean pkg?"),
    ("pkg/resue.py --format=json", "there is no file or folder pkg/resue.py; did you mean pkg/reuse.py?"),
    ("two\nlines.py", "there is no file or folder two\\nlines.py"),
    ("quite/another", "there is no file or folder quite/another"),
    ("store.py/", "there is no file or folder store.py/; did you mean store.py?"),
    ("''", "there is no file or folder ''"),
    ("--select=JAX191", "--select: there is no code JAX191; did you mean JAX101?"),
    ("--select=JAX201,JAX191", "--select: there is no code JAX191; did you mean JAX101?"),
    ("--select=JAX59", "--select: there is no code JAX59; did you mean JAX503?"),
    ("--select=E501", "--select: there is no code E501; `flake8-jax rules` lists them"),
    ("--select=JAX2O1", f"--select: 'JAX2O1' {CODE_OR} did you mean JAX201?"),
    ("--select=key-resued", f"--select: 'key-resued' {CODE_OR} did you mean JAX101?"),
    ("--fix store.py", f"check has no option --fix; did you mean `flake8-jax fix store.py`{SHOWS}?"),
    ("--explain=JAX101", "check has no option --explain; did you mean `flake8-jax explain JAX101`?"),
    ("-V", "check has no option -V; did you mean `flake8-jax --version`?"),
    ("--select=''", "--select: names no code, so that nothing could be reported"),
    ("--select=,", "--select: names no code, so that nothing could be reported"),
    ("--extend-select=JAX221", "--extend-select: there is no code JAX221; did you mean JAX201?"),
    ("--enable=JAX982", "--enable: there is no code JAX982; did you mean JAX902?"),
    ("--enable=result-discardet", f"--enable: 'result-discardet' {CODE_OR} did you mean JAX202?"),
    ("--ignore=JAX1O1", f"--ignore: 'JAX1O1' {CODE_OR} did you mean JAX101?"),
    ("--extend-ignore=JAX19", "--extend-ignore: there is no code JAX19; did you mean JAX609?"),
    ("--per-file-ignores=a.py:JAX999", "--per-file-ignores: there is no code JAX999; did you mean JAX901?"),
    ("--selct=JAX1", "check has no option --selct; did you mean --select?"),
    ("--no-stric", "check has no option --no-stric; did you mean --no-strict?"),
    ("--format jsn", "--output-format: there is no format jsn; did you mean json?"),
    ("--jobs=many", "argument --jobs/-j: 'many' is not a number from 1, or auto; see `flake8-jax check --help`"),
    ("-j0", "argument --jobs/-j: '0' is not a number from 1, or auto; see `flake8-jax check --help`"),
    ("--jax-version=new", "--jax-version: 'new' is not a version such as 0.6 or 0.10.2"),
    ("--root=nowhere", "--root: 'nowhere' is not a folder"),
]  # fmt: skip


GROUPS = ", ".join(sorted({card.group for card in cards()}))
VERBS = ", ".join(MAIN_VERBS)


@pytest.mark.parametrize(("words", "message"), WRONG)
def test_a_wrong_use_is_one_line_and_2(words: str, message: str, tree: Path, check: Check) -> None:
    assert is_wrong_use(check(*words.replace("''", "").split(" ")), message)


def test_json_on_standard_input_is_a_wrong_use(tree: Path, check: Check) -> None:
    python = "standard input is JSON; `--stdin-display-name NAME.py` says that it is Python all the same"
    assert is_wrong_use(check("-", stdin=b'{"jax": [1, 2.5]}\n'), python)
    for words, text in (
        (["-", "--stdin-display-name=a.py"], b'{"jax": [1, 2.5]}\n'), (["-"], b"{'jax': 1}\n"), (["-"], b'"jax"\n'),
        (["-"], b'{"nbformat": jax}\n'), (["-"], b""), (["-"], NOTEBOOK.encode()),
    ):  # fmt: skip
        assert check(*words, stdin=text).status == 0


def test_a_notebook_that_is_called_a_module_could_not_be_judged(tree: Path, check: Check) -> None:
    write(tree, {"nb.py": NOTEBOOK.replace("[]", '["import jax"]'), "plain.py": NOTEBOOK})
    done = check("nb.py", "plain.py")
    assert (done.status, done.places) == (1, ["nb.py:1:1: JAX000"])
    assert "a notebook; `flake8-jax check` reads it as one if its name ends in `.ipynb`" in done.output
    done = flake8(tree, "--select=JAX", "-", stdin=NOTEBOOK.replace("[]", '["import jax"]').encode())
    assert (done.status, done.places) == (1, ["stdin:1:1: JAX000"])


def test_a_folder_may_be_called_like_a_notebook(tree: Path, check: Check) -> None:
    write(tree, {"nb.ipynb/store.py": STORE})
    assert check("nb.ipynb").places == ["nb.ipynb/store.py:4:1: JAX201"]


@pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="there are no sockets in folders")
def test_what_is_neither_file_nor_folder_is_a_wrong_use(
    tree: Path, check: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tree)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("pipe.py")
        message = "pipe.py is neither a file nor a folder; `-` is standard input"
        assert is_wrong_use(check("pipe.py"), message)


@pytest.mark.parametrize(
    ("section", "message"),
    [
        ('select = ["JAX191"]', "select: there is no code JAX191; did you mean JAX101?"),
        ('enable = ["JAX2O2"]', f"enable: 'JAX2O2' {CODE_OR} did you mean JAX202?"),
        ('ignore = ["JAX111"]', "ignore: there is no code JAX111; did you mean JAX101?"),
        ('per-file-ignores = { "a.py" = "JAX311" }', "per-file-ignores: there is no code JAX311; did you mean JAX301?"),
        ("selct = []", "selct: there is no such option; did you mean select?"),
        ("select = 101", "select: must be a list of strings, not 101"),
    ],
)  # fmt: skip
def test_a_mistake_in_the_configuration_is_one_line_and_2(section: str, message: str, tree: Path, check: Check) -> None:
    write(tree, {"pyproject.toml": f"[tool.flake8-jax]\n{section}\n"})
    where = f"{tree / 'pyproject.toml'}: [tool.flake8-jax]"
    assert is_wrong_use(check(), f"{where} {message}")
    theirs = flake8(tree)
    assert (theirs.output, theirs.errors, theirs.status) == ("", f"flake8: error: {where} {message}\n", 2)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("store.py", "the verb is missing; did you mean `flake8-jax check store.py`?"),
        ("a.py", "the verb is missing; did you mean `flake8-jax check a.py`?"),
        ("pkg", "the verb is missing; did you mean `flake8-jax check pkg`?"),
        (".", "the verb is missing; did you mean `flake8-jax check .`?"),
        ("-", "the verb is missing; did you mean `flake8-jax check -`?"),
        ("--select=JAX1 store.py", "the verb is missing; did you mean `flake8-jax check --select=JAX1 store.py`?"),
        ("chekc store.py", "there is no verb chekc; did you mean check?"),
        ("frobnicate", f"there is no verb frobnicate; there are {', '.join(sorted(VERBS.split(', ')))}"),
        ("", f"a verb is missing; there are {VERBS}"),
        ("--explain JAX101", "there is no option --explain; did you mean `flake8-jax explain JAX101`?"),
        ("--fix a.py", f"there is no option --fix; did you mean `flake8-jax fix a.py`{SHOWS}?"),
        ("rules JAXX", "there is no rule JAXX; did you mean JAX?"),
        ("rules --group=key", f"--group: there is no group key; there are {GROUPS}"),
        ("show JAX1 x", "show does not take 'x'; see `flake8-jax show --help`"),
        ("show", "the following arguments are required: FILE; see `flake8-jax show --help`"),
        ("show --event store.py", "show has no option --event; did you mean --events?"),
        ("verify --jobs=x", "argument --jobs/-j: 'x' is not a number from 1; see `flake8-jax verify --help`"),
        ("verify --part=7/6", "argument --part: '7/6' is not K/N, such as 1/6; see `flake8-jax verify --help`"),
        ("measure --sample=0", "argument --sample: '0' is not a number from 1; see `flake8-jax measure --help`"),
    ],
)
def test_a_wrong_verb_is_one_line_and_2(
    words: str, message: str, tree: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tree)
    status = main(words.split())
    said = capfd.readouterr()
    assert is_wrong_use(Run(status, said.out, said.err), message)


# Files that could not be judged: shown whatever is selected.


def unjudged(done: Run) -> list[str]:
    """The files that are said not to have been judged."""
    return [place.partition(":")[0] for place in done.places if place.endswith("JAX000")]


@pytest.mark.parametrize(
    "words", [[], ["--select=JAX201"], ["--select=JAX1", "--extend-select=JAX2"], ["--select=JAX2", "--ignore=JAX1"]]
)
@pytest.mark.parametrize(
    "content",
    [BROKEN, "import jax\nx = (  # noqa\n", f"# jax: ignore-file[JAX000]\n{BROKEN}", b"# jax \xff\n", "import jax\0\n"],
    ids=["syntax error", "noqa", "own comment", "not utf-8", "null byte"],
)
def test_what_could_not_be_judged_is_shown_whatever_is_selected(
    content: str | bytes, words: list[str], tree: Path, check: Check
) -> None:
    write(tree, {"broken.py": content})
    done = check(*words, "broken.py", "clean.py")
    assert unjudged(done) == ["broken.py"]
    assert done.errors == "checked 2 files: 0 findings; 1 file could not be judged\n"
    assert done.status == 1
    assert check(*words, "-", stdin=content if isinstance(content, bytes) else content.encode()).status
    assert check(*words, "--exit-zero", "broken.py").status == 0


@pytest.mark.parametrize(
    "words", ["--ignore=JAX000", "--ignore=JAX", "--extend-ignore=JAX0", "--per-file-ignores=broken.py:JAX000"]
)
def test_it_yields_to_ignore_and_is_counted_all_the_same(words: str, tree: Path, check: Check) -> None:
    write(tree, {"broken.py": BROKEN})
    done = check(words, "--extend-select=JAX1", "broken.py")
    assert (done.output, done.status) == ("", 0)
    assert done.errors == "checked 1 file: 0 findings; 1 file could not be judged\n"
    assert unjudged(check(words, "--extend-select=JAX000", "broken.py")) == ["broken.py"] * ("JAX000" not in words)


def test_under_flake8_its_own_selection_holds(tree: Path) -> None:
    write(tree, {"broken.py": BROKEN})
    assert " E999 " in flake8(tree, "broken.py").output
    assert "JAX000" not in flake8(tree, "broken.py").output
    done = flake8(tree, "--select=JAX201", "broken.py")
    assert (done.output, done.status) == ("", 0)


def test_a_file_that_is_not_to_be_checked_is_not(tree: Path, check: Check) -> None:
    write(tree, {"broken.py": f"# flake8: noqa\n{BROKEN}"})
    assert check("broken.py").status == 0
    assert unjudged(check("--disable-noqa", "broken.py")) == ["broken.py"]


def test_a_link_that_leads_nowhere_could_not_be_judged_if_it_is_named(tree: Path, check: Check) -> None:
    (tree / "link.py").symlink_to("nowhere.py")
    done = check("--select=JAX3", "link.py")
    assert (unjudged(done), done.status) == (["link.py"], 1)
    done = check("--select=JAX3", ".")
    assert (unjudged(done), done.status) == ([], 0)


def test_a_folder_that_cannot_be_listed_could_not_be_judged(
    tree: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    real = os.scandir

    def scandir(path: str) -> object:
        if os.path.basename(path) == "pkg":
            raise PermissionError(13, "Permission denied", path)
        return real(path)

    monkeypatch.chdir(tree)
    monkeypatch.setattr(os, "scandir", scandir)
    for words in (["pkg"], ["."], ["--select=JAX3", "."]):
        assert main(["check", *words]) == 1
        said = capsys.readouterr()
        assert "pkg:1:1: JAX000 could not be analysed: " in said.out
        assert "; 1 file could not be judged" in said.err.splitlines()[-1]


# Nothing to check: a warning.


@pytest.mark.parametrize(
    ("words", "warnings"),
    [
        (["docs"], ["docs: no Python file was found"]),
        (["docs", "store.py"], ["docs: no Python file was found"]),
        (["docs", "--format=json"], ["docs: no Python file was found"]),
        ([".", "--exclude=*.py,*.ipynb"], [".: all Python files in it are excluded"]),
        (["pkg", "docs", "--extend-exclude=pkg"], [
            "pkg: all Python files in it are excluded", "docs: no Python file was found",
        ]),
        (["store.py", "clean.py", "--exclude=store.py,clean.py"], ["everything that was given is excluded"]),
        (["-", "--stdin-display-name=old/a.py", "--exclude=old/*"], ["everything that was given is excluded"]),
        (["store.py", "clean.py", "--exclude=store.py"], []),
        (["old", "pkg", "--exclude=a.py"], ["old: all Python files in it are excluded"]),
        (["clean.py", "--select=JAX209"], ["JAX209 is selected, but its status is strict: `--strict` runs it"]),
        (["clean.py", "--extend-select=JAX002"], [
            "JAX002 is selected, but its status is off: `--enable JAX002` runs it",
        ]),
        (["clean.py", "--select=JAX209", "--strict"], []),
        (["clean.py", "--select=JAX002", "--enable=JAX002"], []),
        (["clean.py", "--select=JAX2,JAX0,JAX"], []),
    ],
)  # fmt: skip
def test_what_checks_nothing_is_a_warning(words: list[str], warnings: list[str], tree: Path, check: Check) -> None:
    done = check(*words)
    assert done.notes.splitlines() == [f"flake8-jax: warning: {text}" for text in warnings]
    assert done.status == bool(done.rows)


def test_an_empty_folder_is_a_warning(tmp_path: Path) -> None:
    done = command(tmp_path, "check")
    assert (done.output, done.status) == ("", 0)
    assert done.errors == "flake8-jax: warning: .: no Python file was found\nchecked 0 files: 0 findings\n"


def test_a_file_without_a_suffix_is_checked_if_it_is_named(tree: Path, check: Check) -> None:
    assert check("script").places == ["script:5:1: JAX201"]
    assert "script" not in check().output


# The closing line.


@pytest.mark.parametrize(
    ("words", "closing"),
    [
        (["clean.py"], "checked 1 file: 0 findings\n"),
        (["store.py"], f"checked 1 file: 1 finding{fixable(1)}"),
        (["store.py", "pkg", "clean.py"], f"checked 3 files: 2 findings{fixable(1)}"),
        (["store.py", "store.py", "./pkg"], f"checked 2 files: 2 findings{fixable(1)}"),
        (["store.py", "pkg", "--select=JAX1"], "checked 2 files: 1 finding\n"),
        (["store.py", "broken.py"], f"checked 2 files: 1 finding; 1 file could not be judged{fixable(1)}"),
        (["broken.py", "broken2.py", "-"], f"checked 3 files: 1 finding; 2 files could not be judged{fixable(1)}"),
        (["store.py", "--exit-zero"], f"checked 1 file: 1 finding{fixable(1)}"),
        (["store.py", "--jobs=2", "pkg"], f"checked 2 files: 2 findings{fixable(1)}"),
        (["store.py", "--statistics"], f"checked 1 file: 1 finding{fixable(1)}"),
    ],
)
@pytest.mark.parametrize("form", ["text", "full", "json"])
def test_a_closing_line_sums_up(words: list[str], closing: str, form: str, tree: Path, check: Check) -> None:
    write(tree, {"broken.py": BROKEN, "broken2.py": BROKEN})
    done = check(f"--format={form}", *words, stdin=STORE.encode())
    assert done.errors == closing
    assert "checked" not in done.output
    if form == "json":
        assert isinstance(json.loads(done.output)["diagnostics"], list)


def test_it_comes_last(tree: Path, check: Check) -> None:
    done = check("--extend-select=JAX211", "--analysis-statistics", "docs", "store.py")
    lines = done.errors.splitlines()
    assert lines[0] == "flake8-jax: warning: JAX211 is selected, but its status is strict: `--strict` runs it"
    assert f"{lines[-1]}\n" == f"checked 1 file: 1 finding{fixable(1)}"
    assert any(line.startswith("cost: ") for line in lines)


def test_the_help_says_how_it_ends(tree: Path) -> None:
    done = command_anew(tree, "check", "--help")
    text = " ".join(done.output.split())
    assert "0 if nothing is, 1 for findings and files that could not be judged" in text
    assert "or not all of them, 2 for a wrong use" in text


# Output that nobody takes.

COMMAND = f"'{sys.executable}' -m flake8_jax"
LIMITS = {"full disk": "No space left on device", "closed pipe": None, "closed": "it is closed"}
"""What is said of output that nobody takes; nothing to who reads no more, as `head`."""


def shell(tree: Path, line: str) -> Run:
    """Run a line of a shell."""
    return run(["bash", "-c", line], tree)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "limit"),
    [
        *[("check store.py", limit) for limit in LIMITS],
        ("check --format=json clean.py", "full disk"),
        ("rules", "closed pipe"),
        ("explain JAX101", "full disk"),
        ("--help", "closed pipe"),
        ("--version", "full disk"),
    ],
)
def test_output_that_cannot_be_written_is_one_line(words: str, limit: str, tree: Path) -> None:
    if limit == "closed pipe":
        reader, writer = os.pipe()
        os.close(reader)
        with open(writer, "wb") as pipe:
            made = subprocess.run(
                [sys.executable, "-m", "flake8_jax", *words.split()],
                cwd=tree, stdout=pipe, stderr=subprocess.PIPE, text=True, check=False,
            )  # fmt: skip
        done = Run(made.returncode, "", made.stderr)
    elif limit == "full disk" and not os.path.exists("/dev/full"):
        pytest.skip("there is no full disk")
    else:
        done = shell(tree, f"{COMMAND} {words} >{'/dev/full' if limit == 'full disk' else '&-'}")
    why = LIMITS[limit]
    assert done.errors == (f"flake8-jax: error: standard output cannot be written: {why}\n" if why is not None else "")
    assert done.status == 1


@pytest.mark.slow
def test_standard_error_may_be_closed_or_full(tree: Path) -> None:
    for where in ("2>&-", "2>/dev/full"):
        for unbuffered in ("", "1"):
            done = shell(tree, f"PYTHONUNBUFFERED={unbuffered} {COMMAND} check --format=json store.py {where}")
            assert json.loads(done.output)["diagnostics"][0]["code"] == "JAX201"
            assert (done.errors, done.status) == ("", 1)


def test_standard_input_may_be_closed(tree: Path) -> None:
    assert is_wrong_use(shell(tree, f"{COMMAND} check - <&-"), "standard input is closed")
