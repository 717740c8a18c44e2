"""Hazards across files: what is said of each file, that all ways to ask say the same, and that running shows them."""

from __future__ import annotations

import itertools
import json
import os
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from flake8_jax.driver.checking import check_data, check_file
from flake8_jax.model.config import Config
from flake8_jax.model.diagnostic import Diagnostic
from flake8_jax.runtime.linted import OF_MODULES
from tests.rules.programs import (
    BAD,
    FILES,
    GOOD,
    HALVES,
    PROGRAMS,
    Half,
    Row,
    difference,
    place,
    rows_of,
    stray_changes,
)
from tests.support import slices
from tests.support.commands import command, command_anew, flake8, flake8_anew, run
from tests.support.expectations import differences
from tests.support.slices import Slice

HERE = Path(__file__).parent
EVERY = Config(disable_noqa=True, strict=True)
CODES_OF_ERRORS = {
    "AttributeError": {"JAX801"}, "TracerBoolConversionError": {"JAX401", "JAX408"},
    "TypeError": {"JAX201", "JAX203", "JAX208", "JAX801"},
}  # fmt: skip
CODES = {"JAX101", "JAX201", "JAX203", "JAX208", "JAX301", "JAX401", "JAX408", "JAX801"}
ISOLATED = ["--isolated", "--select=JAX", "--jax-strict"]


@cache
def said_of(path: Path, text: str | None = None) -> list[Diagnostic]:
    """What is said of a file, or of a text in its place, but for what a module does when it is imported.

    It is found out once: several tests ask for it.
    """
    report = check_file(str(path), EVERY) if text is None else check_data(str(path), text.encode(), EVERY)
    assert report.given_up is None, f"{path}: given up: {report.given_up}"
    return [one for one in report.diagnostics if one.code not in OF_MODULES]


@cache
def rows() -> frozenset[Row]:
    """What is said of all programs, one file after another."""
    return frozenset(
        Row(place(path), found.span.line, found.span.column + 1, found.code, found.message)
        for path in FILES
        for found in said_of(path)
    )


# What is said.


@pytest.mark.parametrize("half", HALVES, ids=str)
def test_every_expectation_is_met_and_nothing_else_is_said(half: Half) -> None:
    wrong = [
        f"{path.relative_to(half.root)}: {line}"
        for path in half.files
        for line in differences(path.read_text(encoding="utf-8"), said_of(path))
    ]
    assert not wrong, "\n" + "\n".join(wrong)


@pytest.mark.parametrize("half", BAD, ids=str)
def test_a_text_stands_in_place_of_the_disk(half: Half) -> None:
    """The bad file is repaired, or the good one spoiled, in an editor that has not saved it yet."""
    wrong = []
    for name in sorted({name for name, _ in half.claims}):
        for project, text_of in ((half, half.twin), (half.twin, half)):
            text = (text_of.root / name).read_text(encoding="utf-8")
            wrong += [f"{project}/{name}: {line}" for line in differences(text, said_of(project.root / name, text))]
    assert not wrong, "\n" + "\n".join(wrong)


# How the programs are made.


def faults_of_twins(half: Half) -> list[str]:
    """Where a program and its twin differ, beside the marked lines."""
    ours, theirs = ([path.relative_to(one.root) for path in one.files] for one in (half, half.twin))
    if ours != theirs or not half.claims or half.twin.claims:
        return ["other files, or a hazard in the wrong half"]
    return list(stray_changes(half))


def test_twins_differ_near_the_marked_lines_only() -> None:
    offenders = [f"{half}: {fault}" for half in BAD for fault in faults_of_twins(half)]
    assert not offenders, "\n".join(offenders)


def test_every_rule_has_programs() -> None:
    programs = Counter(code for half in BAD for code in {claim.code for claim in half.claims.values()})
    assert programs.keys() == CODES
    few = {"JAX208", "JAX408", "JAX801"}  # what an annotation alone shows, a constant or a name of another file
    assert min(programs[code] for code in CODES - few) >= 5
    assert all(len(half.files) >= 2 for half in BAD)


# Running shows it.


@pytest.fixture(scope="session")
def ran() -> dict[tuple[str, str], dict[str, Any]]:
    """What each case of each program did under JAX, in one process."""
    pytest.importorskip("jax")
    pytest.importorskip("flax")
    pytest.importorskip("equinox")
    words = [sys.executable, str(HERE / "run_programs.py"), *(str(half.root) for half in HALVES)]
    done = run(words, HERE, None, JAX_PLATFORMS="cpu", JAX_TRACEBACK_FILTERING="off")
    assert done.status == 0, done.errors
    return {(place(Path(each["root"])), each["case"]): each for each in json.loads(done.output)}


def shown(half: Half, case: dict[str, Any]) -> set[tuple[str, int]]:
    """The places of a half's claims that the run of a case shows."""
    if case["error"] is not None:
        raised = tuple(case["raised"])
        claim = half.claims.get(raised)
        return {raised} if claim and claim.code in CODES_OF_ERRORS.get(case["error"], ()) else set()
    printed = case["shows_tracer"] or (case["wanted"] is not None and case["printed"] < case["wanted"])
    codes = ["JAX101"] * bool(case["alike"]) + ["JAX301"] * bool(printed)
    lines = {(name, line) for name, line in case["lines"]}
    return {found for found, claim in half.claims.items() if found in lines and claim.code in codes}


def is_clean(case: dict[str, Any]) -> bool:
    """Has a case shown no hazard at all?"""
    printed = case["wanted"] is None or case["printed"] == case["wanted"]
    return case["error"] is None and not case["alike"] and not case["shows_tracer"] and printed


@pytest.mark.parametrize("half", BAD, ids=str)
def test_running_shows_every_expectation(half: Half, ran: dict[tuple[str, str], dict[str, Any]]) -> None:
    cases = {name: case for (of, name), case in ran.items() if of == str(half)}
    found = {name: shown(half, case) for name, case in cases.items() if name.startswith("case_")}
    assert {name: cases[name] for name, places in found.items() if not places} == {}
    assert set(half.claims) - set().union(*found.values()) == set()
    assert {name: case for name, case in cases.items() if name.startswith("innocent_") and not is_clean(case)} == {}


@pytest.mark.parametrize("half", GOOD, ids=str)
def test_running_shows_nothing_in_good(half: Half, ran: dict[tuple[str, str], dict[str, Any]]) -> None:
    cases = {name: case for (of, name), case in ran.items() if of == str(half)}
    assert cases
    assert cases.keys() == {name for of, name in ran if of == str(half.twin)}
    assert {name: case for name, case in cases.items() if not is_clean(case)} == {}


# All ways to ask say the same.


@pytest.mark.parametrize(
    "arguments",
    [
        ["flake8", "-j4", "."],
        ["check", "--jobs=4", str(PROGRAMS)],
        ["check", "--jobs=1", "--no-store", *map(str, reversed(FILES))],
    ],
    ids=lambda words: " ".join(word if len(word) < 20 else "..." for word in words[:4]),
)
def test_all_files_at_once(arguments: list[str], tmp_path: Path) -> None:
    front, *words = arguments
    folder = PROGRAMS if "." in words else tmp_path
    done = flake8(folder, *ISOLATED, *words) if front == "flake8" else command(folder, *arguments, "--strict")
    assert "Traceback" not in done.errors
    assert not difference(rows(), rows_of(done.output, folder))


FORMS = ["flake8 FILE", "flake8 -", "check FILE", "check -", "check --no-store FILE"]


def spoken_of() -> list[Path]:
    """The files that somebody claims something of or that something is said of, and some that should be silent."""
    claimed = {half.root / name for half in BAD for name, _ in half.claims}
    return sorted(claimed | {PROGRAMS / row.path for row in rows()} | set(FILES[::10]))


def folder_of(path: Path, number: int, elsewhere: Path) -> Path:
    """The working folder must not matter, so it is another one for each file."""
    root = PROGRAMS.joinpath(*path.relative_to(PROGRAMS).parts[:2])
    return (root, path.parent, PROGRAMS, elsewhere)[number % 4]


def aspects(case: tuple[Path, str]) -> tuple[str, ...]:
    """The program that a file is of, and the form in which it is asked for."""
    path, form = case
    return path.relative_to(PROGRAMS).parts[0], form


@slices.sliced
@pytest.mark.parametrize("form", FORMS)
def test_each_file_alone(form: str, tmp_path: Path) -> None:
    front, *words = form.split()
    found: set[Row] = set()
    every = slices.taken(itertools.product(spoken_of(), FORMS), aspects, daily=40)
    files = [path for path, chosen in every if chosen == form]
    assert files or slices.asked() is Slice.ROTATING
    for number, path in enumerate(files):
        folder = folder_of(path, number, tmp_path)
        name = os.path.relpath(path, folder) if path.is_relative_to(folder) else str(path)
        named = [f"--stdin-display-name={name}"] if "-" in words else []
        arguments = [*named, *(name if word == "FILE" else word for word in words)]
        text = path.read_bytes() if named else None
        done = (
            flake8(folder, *ISOLATED, *arguments, stdin=text)
            if front == "flake8"
            else command(folder, "check", "--strict", *arguments, stdin=text)
        )
        assert done.status in (0, 1), done.errors
        found |= rows_of(done.output, folder)
    asked = {place(path) for path in files}
    assert not difference((row for row in rows() if row.path in asked), found)


def test_true_processes(tmp_path: Path) -> None:
    """Nothing is forked here: the command lines that people type."""
    name = "src_layout/bad/src/diffusion/schedule.py"
    path = PROGRAMS / name
    expected = {row for row in rows() if row.path == name}
    text = path.read_bytes()
    outputs = {
        "flake8 FILE": flake8_anew(tmp_path, *ISOLATED, os.path.relpath(path, tmp_path)),
        "flake8 -": flake8_anew(tmp_path, *ISOLATED, f"--stdin-display-name={path}", "-", stdin=text),
        "check FILE": command_anew(tmp_path, "check", str(path)),
        "check -": command_anew(tmp_path, "check", f"--stdin-display-name={path}", "-", stdin=text),
    }
    wrong = {form: difference(expected, rows_of(done.output, tmp_path)) for form, done in outputs.items()}
    assert not any(wrong.values()), wrong
