"""SARIF 2.1.0: valid by the schema of OASIS, and what GitHub asks for beyond it."""

from __future__ import annotations

import json
from copy import deepcopy
from dataclasses import replace
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

import jsonschema
import pytest

from flake8_jax.driver.reporters.places import Places
from flake8_jax.driver.reporters.sarif import FINGERPRINT, render
from flake8_jax.model.diagnostic import Diagnostic
from flake8_jax.rules import discover
from tests.driver.formats.findings import FINDINGS, outcome, project
from tests.support.commands import REUSE, STORE, command, write

SCHEMA = json.loads((Path(__file__).parent / "data" / "sarif-schema-2.1.0.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft4Validator(SCHEMA, format_checker=jsonschema.FormatChecker())


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return project(tmp_path)


def run_of(folder: Path, *found: Diagnostic) -> dict[str, Any]:
    """The run in the log of some findings, which is valid."""
    log = json.loads(render(outcome(folder, *found)))
    assert faults(log) == []
    (run,) = log["runs"]
    assert isinstance(run, dict)
    return run


def faults(log: Any) -> list[str]:
    """What the schema says against a log."""
    return [error.message for error in VALIDATOR.iter_errors(log)]


def test_the_schema_says_something(folder: Path) -> None:
    log = json.loads(render(outcome(folder, *FINDINGS)))
    for path, wrong in ((("version",), "2.0.0"), (("runs", 0, "results", 0, "level"), "bad"), (("runs", 0, "x"), 1)):
        broken = deepcopy(log)
        holder = broken
        for step in path[:-1]:
            holder = holder[step]
        holder[path[-1]] = wrong
        assert faults(broken)


def test_no_findings_are_valid(folder: Path) -> None:
    assert run_of(folder)["results"] == []


def test_results(folder: Path) -> None:
    run = run_of(folder, *FINDINGS)
    gave_up, reuse, store, odd = run["results"]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["JAX000", "JAX101", "JAX201", "JAX301"]
    assert [result["ruleIndex"] for result in run["results"]] == [0, 1, 2, 3]
    (place,) = reuse["locations"]
    assert place["physicalLocation"] == {
        "artifactLocation": {"uri": "pkg/train.py", "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 9, "startColumn": 16, "endLine": 12, "endColumn": 10},
    }
    assert place["logicalLocations"][0]["fullyQualifiedName"] == "Model.step"
    assert (gave_up["level"], reuse["level"]) == ("error", "warning")
    uri = odd["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri == "p%C3%A4th%2C%20100%25%3Aa.py"
    notification = run["invocations"][0]["toolExecutionNotifications"][0]
    assert notification["message"]["text"] == FINDINGS[0].message
    assert store["fixes"][0]["artifactChanges"][0]["replacements"] == [
        {
            "deletedRegion": {"startLine": 13, "startColumn": 9, "endLine": 13, "endColumn": 19},
            "insertedContent": {"text": "x = x.at[0].set(1.0)"},
        }
    ]


def test_a_chain_is_a_code_flow_that_ends_at_the_finding(folder: Path) -> None:
    _, reuse, store, _ = run_of(folder, *FINDINGS)["results"]
    (flow,) = reuse["codeFlows"]
    steps = [step["location"] for step in flow["threadFlows"][0]["locations"]]
    uris = [step["physicalLocation"]["artifactLocation"]["uri"] for step in steps]
    assert uris == ["pkg/train.py", "pkg/ops.py", "pkg/train.py"]
    assert [step["physicalLocation"]["region"]["startLine"] for step in steps] == [8, 5, 9]
    assert [step["message"]["text"] for step in steps][1] == "used by `jax.random.normal`"
    assert [related["id"] for related in reuse["relatedLocations"]] == [1, 2]
    assert "codeFlows" not in store


def test_fingerprints_do_not_change_with_lines_and_names_of_files(folder: Path) -> None:
    before = [result["partialFingerprints"] for result in run_of(folder, *FINDINGS[1:3])["results"]]
    text = (folder / "pkg" / "train.py").read_text(encoding="utf-8")
    (folder / "pkg" / "renamed.py").write_text(f"\n\n{text}", encoding="utf-8")
    moved = []
    for found in FINDINGS[1:3]:
        span = replace(found.span, line=found.span.line + 2, end_line=found.span.end_line + 2)
        moved.append(replace(found, path="pkg/renamed.py", span=span, fix=None))
    after = [result["partialFingerprints"] for result in run_of(folder, *moved)["results"]]
    assert before == after
    assert set(before[0]) == {FINGERPRINT}


def test_every_rule_has_help(folder: Path) -> None:
    found = [replace(FINDINGS[2], code=each.rule.code, fix=None) for each in discover()]
    rules = run_of(folder, *found)["tool"]["driver"]["rules"]
    assert len(rules) == len(found)
    for rule in rules:
        assert rule["help"]["markdown"].count("```") == rule["help"]["text"].count("```") > 0
        assert "```python bad" not in rule["help"]["markdown"]
        assert rule["shortDescription"]["text"].endswith(".")
        assert len(rule["fullDescription"]["text"]) > 20
        assert rule["properties"]["precision"] in ("very-high", "high", "medium", "low")


def test_the_command_writes_it(tmp_path: Path) -> None:
    write(tmp_path, {"store.py": STORE, "pkg/reuse.py": REUSE, "broken.py": "import jax\nx = (\n"})
    log = json.loads(command(tmp_path, "check", "--output-format=sarif").output)
    assert faults(log) == []
    assert [result["ruleId"] for result in log["runs"][0]["results"]] == ["JAX000", "JAX101", "JAX201"]


@pytest.mark.parametrize(
    ("places", "path", "uri", "relative"),
    [
        (Places(PureWindowsPath("C:\\repo"), PureWindowsPath("C:\\repo")), "src\\a b.py", "src/a%20b.py", "src/a b.py"),
        (Places(PureWindowsPath("C:\\repo"), PureWindowsPath("C:\\repo\\sub")), ".\\a.py", "sub/a.py", "sub/a.py"),
        (Places(PureWindowsPath("C:\\repo"), PureWindowsPath("C:\\repo")), "C:\\repo\\x\\a.py", "x/a.py", "x/a.py"),
        (Places(PureWindowsPath("C:\\repo"), PureWindowsPath("C:\\repo\\sub")), "..\\a.py", "a.py", "a.py"),
        (Places(PureWindowsPath("C:\\repo"), PureWindowsPath("C:\\repo")), "D:\\a.py", "file:///D:/a.py", "D:/a.py"),
        (Places(PureWindowsPath("c:\\Repo"), PureWindowsPath("C:\\repo")), "a.py", "a.py", "a.py"),
        (Places(PurePosixPath("/repo"), PurePosixPath("/repo/sub")), "./a\\b.py", "sub/a%5Cb.py", "sub/a\\b.py"),
        (Places(PurePosixPath("/repo"), PurePosixPath("/repo")), "/else/ä.py", "file:///else/%C3%A4.py", "/else/ä.py"),
    ],
)  # fmt: skip
def test_paths_start_from_the_root_of_the_repository(places: Places, path: str, uri: str, relative: str) -> None:
    assert (places.uri(path), places.relative(path)) == (uri, relative)
    assert places.is_inside(path) == (not uri.startswith("file:"))


def test_the_repository_is_the_folder_with_git(tmp_path: Path) -> None:
    write(tmp_path, {".git/HEAD": "", "sub/store.py": STORE})
    log = json.loads(command(tmp_path / "sub", "check", "--format=sarif").output)
    place = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "sub/store.py"
