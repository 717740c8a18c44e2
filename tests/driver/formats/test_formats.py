"""Every format says every finding, in a form that its readers parse."""

from __future__ import annotations

import json
import re
from importlib import import_module
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest

from flake8_jax.driver.reporters.outcome import Outcome
from flake8_jax.model.config import FORMATS
from tests.driver.formats.findings import FINDINGS, outcome, project, with_fix

REPORTERS = Path(__file__).parents[3] / "src" / "flake8_jax" / "driver" / "reporters"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return project(tmp_path)


def rendered(name: str, what: Outcome) -> str:
    text: str = import_module(f"flake8_jax.driver.reporters.{name}").render(what)
    return text


def test_each_format_is_a_module() -> None:
    assert all((REPORTERS / f"{name}.py").is_file() for name in FORMATS)


@pytest.mark.parametrize("name", FORMATS)
def test_nothing_found_is_said_in_every_format(folder: Path, name: str) -> None:
    text = rendered(name, outcome(folder))
    assert (text == "") == (name in ("concise", "full", "jsonl", "github"))


def test_concise(folder: Path) -> None:
    lines = rendered("concise", outcome(folder, *FINDINGS)).splitlines()
    assert lines[1] == 'pkg/train.py:9:16: JAX101 `key` is used again: 100 % ü, "quoted" <&>'
    assert len(lines) == 4


def test_full_shows_the_source_the_chain_and_the_fix(folder: Path) -> None:
    assert rendered("full", outcome(folder, *FINDINGS[1:3])) == (
        'pkg/train.py:9:16: JAX101 `key` is used again: 100 % ü, "quoted" <&>\n'
        "   9 |         more = jax.random.normal(\n"
        "     |                ^^^^^^^^^^^^^^^^^^\n"
        "  10 |             key,\n"
        "     |             ^^^^\n"
        "  11 |             x.shape,\n"
        "     |             ^^^^^^^^\n"
        "  12 |         )\n"
        "     |         ^\n"
        "    pkg/train.py:8: `step` calls `draw`\n"
        "      8 |         noise = draw(key)\n"
        "    pkg/ops.py:5: used by `jax.random.normal`\n"
        "      5 |     return jax.random.normal(key)\n"
        "\n"
        "pkg/train.py:13:9: JAX201 `x[0]` is assigned\n"
        "  13 |         x[0] = 1.0  # é 3\n"
        "     |         ^^^^^^^^^^\n"
        "    fix: use `x = x.at[0].set(1.0)`\n"
        "      @@ -12,3 +12,3 @@\n"
        "               )\n"
        "      -        x[0] = 1.0  # é 3\n"
        "      +        x = x.at[0].set(1.0)  # é 3\n"
        "               return x + noise + more\n"
    )


def test_full_names_fixes_that_are_not_safe(folder: Path) -> None:
    text = rendered("full", outcome(folder, with_fix(applicability="unsafe"), with_fix(applicability="display")))
    assert text.count("    unsafe fix: use") == text.count("    display fix: use") == 1


def test_full_shortens_what_is_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from flake8_jax.model.diagnostic import Diagnostic, Span

    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.py").write_text("f(\n" + "\n".join(f"    {n}," for n in range(2, 20)) + "\n)\n")
    found = Diagnostic("JAX101", "key-reused", "a.py", Span(1, 0, 20, 1), "it is long")
    lines = rendered("full", outcome(tmp_path, found)).splitlines()
    assert [line for line in lines if "^" not in line][1:] == [
        "   1 | f(", "   2 |     2,", "   3 |     3,", "   4 |     4,", "  .. | ...", "  20 | )",
    ]  # fmt: skip


def test_colours_change_nothing_but_colours(folder: Path) -> None:
    for name in ("concise", "full"):
        plain = rendered(name, outcome(folder, *FINDINGS[:3]))
        coloured = rendered(name, outcome(folder, *FINDINGS[:3], is_coloured=True))
        assert coloured != plain
        assert re.sub(r"\033\[[\d;]*m", "", coloured) == plain


def test_json_and_jsonl_hold_the_same_records(folder: Path) -> None:
    document = json.loads(rendered("json", outcome(folder, *FINDINGS)))
    lines = rendered("jsonl", outcome(folder, *FINDINGS)).splitlines()
    assert [json.loads(line) for line in lines] == document["diagnostics"]
    first, reuse, store, _ = document["diagnostics"]
    assert document["schema"] == 1
    assert (first["code"], first["fix"], first["notes"]) == ("JAX000", None, [])
    assert (reuse["line"], reuse["column"], reuse["end_line"], reuse["end_column"]) == (9, 16, 12, 10)
    assert reuse["notes"][1] == {"path": "pkg/ops.py", "line": 5, "text": "used by `jax.random.normal`"}
    assert reuse["function"] == "Model.step"
    assert store["fix"]["applicability"] == "safe"
    assert store["fix"]["edits"][0]["text"] == "x = x.at[0].set(1.0)"
    assert len({record["fingerprint"] for record in document["diagnostics"]}) == 4


def commands(text: str) -> list[tuple[dict[str, str], str]]:
    """What GitHub reads: the properties and the message of each command."""
    found = [re.fullmatch(r"::error (.*?)::(.*)", line) for line in text.splitlines()]
    pairs = [(dict(part.split("=", 1) for part in one[1].split(",")), one[2]) for one in found if one is not None]
    return [({name: unquote(value) for name, value in given.items()}, unquote(text)) for given, text in pairs]


def test_github(folder: Path) -> None:
    text = rendered("github", outcome(folder, *FINDINGS))
    assert text.count("\n") == 4
    _, (reuse, message), (store, _), (odd, _) = commands(text)
    assert reuse == {"title": "JAX101 (key-reused)", "file": "pkg/train.py", "line": "9", "endLine": "12"}
    assert message.splitlines()[0].endswith('JAX101 `key` is used again: 100 % ü, "quoted" <&>')
    assert message.splitlines()[2] == "pkg/ops.py:5: used by `jax.random.normal`"
    assert (store["line"], store["col"], store["endColumn"]) == ("13", "9", "18")
    assert odd["file"] == "päth, 100%:a.py"


def test_gitlab(folder: Path) -> None:
    entries = json.loads(rendered("gitlab", outcome(folder, *FINDINGS)))
    for entry in entries:
        assert {"description", "check_name", "fingerprint", "severity", "location"} <= entry.keys()
        assert entry["severity"] in ("info", "minor", "major", "critical", "blocker")
    assert entries[1]["location"] == {"path": "pkg/train.py", "lines": {"begin": 9, "end": 12}}
    assert len({entry["fingerprint"] for entry in entries}) == 4
    assert rendered("gitlab", outcome(folder)) == "[]\n"


def test_gitlab_tells_equal_statements_of_two_files_apart(folder: Path) -> None:
    from dataclasses import replace

    (folder / "other.py").write_bytes((folder / "pkg" / "train.py").read_bytes())
    pair = FINDINGS[1], replace(FINDINGS[1], path="other.py")
    first, second = json.loads(rendered("gitlab", outcome(folder, *pair)))
    assert first["fingerprint"] != second["fingerprint"]


def test_junit(folder: Path) -> None:
    root = ElementTree.fromstring(rendered("junit", outcome(folder, *FINDINGS)))
    assert (root.tag, root.attrib["tests"], root.attrib["failures"], root.attrib["errors"]) == (
        "testsuites", "4", "3", "1",
    )  # fmt: skip
    assert [suite.attrib["name"] for suite in root] == ["broken.py", "pkg/train.py", "päth, 100%:a.py"]
    (broken,) = root[0]
    assert broken[0].tag == "error"
    reuse = root[1][0]
    assert reuse.attrib["name"] == "JAX101 key-reused in Model.step"
    assert reuse[0].attrib["message"] == FINDINGS[1].message
    assert (reuse[0].text or "").endswith("pkg/ops.py:5: used by `jax.random.normal`")
    assert root[2][0][0].attrib["message"] == "control \\x1b sign"


def test_junit_of_nothing_is_one_test_that_passes(folder: Path) -> None:
    root = ElementTree.fromstring(rendered("junit", outcome(folder)))
    assert (root.attrib["tests"], root.attrib["failures"]) == ("1", "0")
    assert [list(case) for case in root.iter("testcase")] == [[]]
