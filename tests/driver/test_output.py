"""Where findings are printed, with colours or without, and what else is said."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from flake8_jax.driver.cli import progress
from flake8_jax.driver.cli.main import main
from tests.support.commands import REUSE, STORE, fixable, write

COLOUR = "\033["
VARIABLES = ("NO_COLOR", "FORCE_COLOR", "TERM", "GITHUB_WORKSPACE", "CI_PROJECT_DIR")


class Terminal(io.TextIOWrapper):
    """A stream that says that it is a terminal."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8", write_through=True)

    def isatty(self) -> bool:
        return True

    @property
    def text(self) -> str:
        """What was written."""
        assert isinstance(self.buffer, io.BytesIO)
        return self.buffer.getvalue().decode()


@pytest.fixture(autouse=True)
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    return write(tmp_path, {"pyproject.toml": "", "store.py": STORE, "pkg/reuse.py": REUSE})


@pytest.mark.parametrize(
    ("names", "same"), [("text", "concise"), ("json-lines", "jsonl"), ("concise", "concise"), ("full", "full")]
)
def test_formats_have_their_old_names(capsys: pytest.CaptureFixture[str], names: str, same: str) -> None:
    main(["check", f"--format={names}"])
    first = capsys.readouterr().out
    main(["check", f"--output-format={same}"])
    assert capsys.readouterr().out == first


def test_the_format_may_be_configured(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tree, {"pyproject.toml": '[tool.flake8-jax]\noutput-format = "json"\n'})
    main(["check"])
    assert len(json.loads(capsys.readouterr().out)["diagnostics"]) == 2
    main(["check", "--format=text"])
    assert capsys.readouterr().out.count("\n") == 2


def test_an_output_file_takes_the_findings_only(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["check"])
    said = capsys.readouterr()
    assert main(["check", "--output-file=found.txt", "--statistics"]) == 1
    captured = capsys.readouterr()
    assert (tree / "found.txt").read_text(encoding="utf-8") == said.out
    assert captured.out.startswith("1     JAX101 key-reused\n1     JAX201 item-assignment\n\n1     ./")
    assert captured.err == said.err
    assert main(["check", "-o", "found.txt", "--select=JAX3"]) == 0
    assert (tree / "found.txt").read_text(encoding="utf-8") == ""


@pytest.mark.parametrize(
    ("name", "message"),
    [("no/found.txt", "--output-file: there is no folder no"), ("pkg", "--output-file: pkg is not a file")],
)
def test_an_output_file_that_cannot_be_is_a_wrong_use(
    name: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", "-o", name]) == 2
    assert capsys.readouterr() == ("", f"flake8-jax: error: {message}\n")


def test_an_output_file_that_takes_nothing_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("there is no full disk")
    assert main(["check", "-o", "/dev/full"]) == 1
    assert capsys.readouterr().err == "flake8-jax: error: /dev/full cannot be written: No space left on device\n"


@pytest.mark.parametrize(
    ("words", "environment", "is_terminal", "expected"),
    [
        ([], {}, True, True),
        ([], {}, False, False),
        ([], {"NO_COLOR": "1"}, True, False),
        ([], {"NO_COLOR": ""}, True, True),
        ([], {"TERM": "dumb"}, True, False),
        ([], {"FORCE_COLOR": "1"}, False, True),
        ([], {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False, False),
        (["--color=always"], {"NO_COLOR": "1"}, False, True),
        (["--color=never"], {"FORCE_COLOR": "1"}, True, False),
        (["--color", "auto"], {}, True, True),
        (["--format=json"], {}, True, False),
        (["--format=full"], {}, True, True),
    ],
)
def test_colours(
    words: list[str], environment: dict[str, str], is_terminal: bool, expected: bool,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    terminal = Terminal()
    if is_terminal:
        monkeypatch.setattr(sys, "stdout", terminal)
    assert main(["check", *words]) == 1
    text = terminal.text if is_terminal else capsys.readouterr().out
    assert (COLOUR in text) == expected
    assert "JAX201" in text


def test_files_have_no_colours(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", Terminal())
    monkeypatch.setenv("FORCE_COLOR", "1")
    main(["check", "-o", "found.txt"])
    assert COLOUR not in (tree / "found.txt").read_text(encoding="utf-8")


def test_a_wrong_colour_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--color=sometimes"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_quiet_leaves_findings_and_warnings(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tree / "docs").mkdir()
    for word in ("-q", "--quiet"):
        assert main(["check", word, ".", "docs"]) == 1
        captured = capsys.readouterr()
        assert captured.out.count("\n") == 2
        assert captured.err == "flake8-jax: warning: docs: no Python file was found\n"


@pytest.mark.parametrize(("words", "expected"), [([], True), (["-q"], False)])
def test_progress_is_for_terminals(words: list[str], expected: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "PATIENCE", -1.0)
    monkeypatch.setattr(progress, "REFRESH", -1.0)
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    main(["check", "--no-store", *words])
    assert ("\r1 of 2 files" in terminal.text) == expected
    assert ("2 of 2 files\r\033[K" in terminal.text) == expected


def test_no_progress_elsewhere(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(progress, "PATIENCE", -1.0)
    main(["check", "--no-store"])
    assert capsys.readouterr().err == f"checked 2 files: 2 findings{fixable(1)}"


@pytest.mark.parametrize(("form", "variable"), [("github", "GITHUB_WORKSPACE"), ("gitlab", "CI_PROJECT_DIR")])
def test_paths_start_where_the_service_says(
    tree: Path, form: str, variable: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(variable, str(tree.parent))
    main(["check", f"--format={form}", "store.py"])
    assert f"{tree.name}/store.py" in capsys.readouterr().out
    monkeypatch.setenv(variable, str(tree / "elsewhere"))
    main(["check", f"--format={form}", "store.py"])
    assert f"{tree.name}/store.py" not in capsys.readouterr().out


def test_pages_have_colours_and_links_on_a_terminal(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def said(*words: str) -> str:
        assert main(["explain", *words]) == 0
        return capsys.readouterr().out

    assert COLOUR not in said("JAX201", "store.py:4")
    page = said("JAX201", "--color=always", f"{tree}/store.py:4")
    assert "\033[1;32mJAX201 item-assignment (on)\033[0m\n" in page
    assert "\033[31mbad:\033[0m\n    import" in page
    assert "```" not in page
    assert "\033]8;;https://docs.jax.dev/" in page
    assert "rules/JAX201.html" not in page
    assert "\033[1mreported:\033[0m\n  JAX201 \033[36m`x[0]`\033[0m" in page
    write(tree, {"pyproject.toml": f'[tool.flake8-jax]\ndocs-url = "{ADDRESS}"\n'})
    page = said("JAX201", "--color=always", "store.py:4")
    assert page.count(f"\033]8;;{ADDRESS}/rules/JAX201.html\033") == 2


ADDRESS = "https://example.org/flake8-jax"


def test_codes_lead_to_their_pages_if_it_is_said_where_these_are(
    tree: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def said(*words: str) -> str:
        main(["check", "store.py", *words])
        return capsys.readouterr().out

    link = f"\033]8;;{ADDRESS}/rules/JAX201.html\033\\\033[1;31mJAX201\033[0m\033]8;;\033\\ "
    assert "8;;" not in said("--color=always")
    assert "8;;" not in said(f"--docs-url={ADDRESS}")
    assert link in said(f"--docs-url={ADDRESS}/", "--color=always")
    assert link in said(f"--docs-url={ADDRESS}", "--color=always", "--format=full")
    for form, path in ("json", ("diagnostics", 0, "url")), ("sarif", ("runs", 0, "tool", "driver", "rules", 0)):
        for words, expected in ((), None), ((f"--docs-url={ADDRESS}",), f"{ADDRESS}/rules/JAX201.html"):
            found = json.loads(said(f"--format={form}", *words))
            for step in path:
                found = found[step]
            assert (found.get("helpUri") if isinstance(found, dict) else found) == expected
    write(tree, {"pyproject.toml": f'[tool.flake8-jax]\ndocs-url = "{ADDRESS}"\n'})
    assert link in said("--color=always")
    assert "8;;" not in said("--color=always", "--no-docs-url")
