"""The measured tables: their files, which version is taken, how versions differ, and that JAX still says the same."""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from time import process_time
from timeit import repeat

import pytest

from flake8_jax.api import measured, stated
from flake8_jax.api.measured import FOLDER, Measured, choose, versions
from flake8_jax.api.rows import parse_function
from flake8_jax.api.table import Table, load
from flake8_jax.api.transforms import parse_transform
from flake8_jax.runtime.measuring import files, measure
from flake8_jax.runtime.measuring.measure import Subject
from tests.support import slices
from tests.support.commands import Interpreter, Run, interpreter, run, write

FILES = sorted(FOLDER.glob("*/*.json"))
HERE = version("jax")


def test_every_committed_version_is_found_the_oldest_first() -> None:
    committed = {path.parent.name for path in FILES}
    assert len(committed) >= 3
    assert versions() == sorted(committed, key=lambda number: [int(part) for part in number.split(".")])
    assert all((FOLDER / number / f"{package}.json").exists() for number in committed for package in ("jax", "names"))


def faults(path: Path) -> Iterator[str]:
    """What is wrong with a file: its head, its rows, their order."""
    text = path.read_text(encoding="utf-8")
    data, facts = json.loads(text), files.facts_in(text)
    head = (path.parent.name, "flake8-jax measure", path.stem, sum(map(len, facts.values())))
    if (data["jax"], data["command"], data["package"].partition(" ")[0], data["facts"]) != head:
        yield "it says not what it is of"
    if not text.startswith('{"jax": ') or text.splitlines()[1:] != files.text_of(path.stem, facts).splitlines()[1:]:
        yield "it is not sorted with a fact on each line"
    for block, rows in data.get("functions", {}).items():
        others = [row for row in rows if not parse_function(row, block).name.startswith(f"{block}.")]
        if others or not rows:
            yield f"{block}: {others}"
    for name, row in data.get("transforms", {}).items():
        if parse_transform(name, row).name != name:
            yield name


def test_a_file_says_what_it_is_of_is_sorted_and_every_row_of_it_parses() -> None:
    offenders = [f"{path.parent.name}/{path.stem}: {fault}" for path in FILES for fault in faults(path)]
    assert not offenders, "\n".join(offenders)


def test_the_largest_file_is_read_in_less_than_ten_milliseconds() -> None:
    """Of this process, whatever else the machine does."""
    largest = max(FILES, key=lambda path: path.stat().st_size)
    read = repeat(lambda: json.loads(largest.read_text(encoding="utf-8")), timer=process_time, number=1, repeat=10)
    assert min(read) < 0.01


def test_files_are_read_when_they_are_asked_for(tmp_path: Path) -> None:
    shutil.copytree(FOLDER / HERE, tmp_path / HERE)
    (tmp_path / HERE / "flax.json").write_text("no JSON", encoding="utf-8")
    table = Table(stated.read(), Measured(HERE, tmp_path))
    assert table.function("jax.numpy.sin") is not None
    with pytest.raises(json.JSONDecodeError):
        table.transform("flax.linen.scan")


def test_the_folder_is_listed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listed = []

    def glob(folder: Path, pattern: str) -> list[Path]:
        listed.append((folder, pattern))
        return []

    monkeypatch.setattr(Path, "glob", glob)
    assert [Measured(HERE, tmp_path).of(name) for name in ("os.path", "re.sub")] == [{}, {}]
    assert listed == [(tmp_path, "*/*.json")]


@pytest.mark.parametrize(
    ("wanted", "chosen"),
    [
        (None, "0.12.0.1"), ("0.10.2", "0.10.2"), ("0.10", "0.10.2"), ("0.11.3", "0.10.2"), ("0.9", "0.6.2"),
        ("0.6.2", "0.6.2"), ("0.4.30", "0.6.2"), ("1.0", "0.12.0.1"), ("0.12.0", "0.12.0.1"),
        ("0.10.2.dev1+g1", "0.10.2"),
    ],
)  # fmt: skip
def test_the_newest_version_that_is_not_newer_is_taken(wanted: str | None, chosen: str) -> None:
    assert choose(wanted, ["0.12.0.1", "0.6.2", "0.10.2"]) == chosen


def test_the_installed_version_is_taken_without_importing_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert measured.installed() == HERE
    assert load().version == choose(HERE, versions())
    monkeypatch.setattr(measured, "installed", lambda: None)
    load.cache_clear()
    try:
        assert load().version == versions()[-1]
    finally:
        load.cache_clear()


def test_a_package_that_was_not_measured_with_this_version_is_taken_from_another(tmp_path: Path) -> None:
    for number in versions():
        (tmp_path / number).mkdir()
    shutil.copy(FOLDER / HERE / "flax.json", tmp_path / HERE)
    for number in versions():
        assert Table(stated.read(), Measured(number, tmp_path)).transform("flax.linen.scan") is not None


def test_linting_does_not_import_jax(tmp_path: Path) -> None:
    look_up = "from flake8_jax.api.table import load; load().function('jax.numpy.sin')"
    code = f"import sys; {look_up}; print('jax' in sys.modules)"
    assert run([sys.executable, "-c", code], tmp_path).output == "False\n"


# Of what these measure every subject has a fact; elsewhere "nothing to write" is one too.
WHOLE = ("functions", "properties", "transforms", "keys", "operations")


LIST = """
import json
from flake8_jax.api import stated
from flake8_jax.runtime.measuring import measure
measure.prepare()
from flake8_jax.runtime.measuring.naming.resolving import exists
subjects = [(s.package, s.section, s.name, s.family) for s in measure.subjects()]
print(json.dumps([subjects, list(filter(exists, stated.unmeasured()))]))
"""


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Interpreter]:
    """One process for all, since each reads every library that is measured."""
    with interpreter(tmp_path_factory.mktemp("asked")) as found:
        yield found


@pytest.fixture(scope="module")
def listed(ask: Interpreter) -> tuple[list[Subject], list[str]]:
    """The subjects of packages that are installed as they were measured, and names left out for a reason."""
    written = files.packages(FOLDER / HERE)
    installed = [package for package in written if files.package_version(package) == written[package]]
    subjects, reasons = json.loads(ask(LIST).output)
    return [Subject(*subject) for subject in subjects if subject[0] in installed], reasons


def test_every_public_callable_is_measured_or_has_a_reason(listed: tuple[list[Subject], list[str]]) -> None:
    found, reasons = listed
    written = files.read(FOLDER / HERE)
    facts = {(section, name) for sections in written.values() for section in sections for name in sections[section]}
    without = [s.name for s in found if s.family in WHOLE and (s.section, s.name) not in facts]
    assert sorted(without) == sorted(set(without) & set(stated.broken(HERE)))
    callables = {s.name for s in found if s.package == "jax" and s.section in ("functions", "transforms")}
    left_out = {name for name in reasons if name.startswith(("jax.", "Array."))} | set(without)
    assert len(callables) > 1000
    assert len(left_out) < 0.03 * len(callables | left_out)


def test_every_written_fact_has_a_subject(listed: tuple[list[Subject], list[str]]) -> None:
    found, _ = listed
    packages = {subject.package for subject in found}
    written = {package: facts for package, facts in files.read(FOLDER / HERE).items() if package in packages}
    assert list(measure.vanished(found, written)) == []


def aspects(subject: Subject) -> list[str]:
    """What measuring a subject shows: how it is measured, for each package and section of the tables."""
    return [f"{subject.family} {subject.package} {subject.section}"]


CHANGED = ("jax.numpy.sum", "jax.lax.scan", "ks[0]", "flax.linen.relu", "jax.debug.print")


@slices.sliced
def test_what_is_measured_again_says_the_same_and_a_changed_fact_is_noticed(
    tmp_path: Path, ask: Interpreter, listed: tuple[list[Subject], list[str]]
) -> None:
    subjects, _ = listed
    folder = shutil.copytree(FOLDER / HERE, tmp_path / HERE)
    for name in CHANGED:
        assert [path for path in folder.iterdir() if changes(path, name)], name
    names = {subject.name for subject in slices.taken(subjects, aspects, least=40, daily=15)} | {*CHANGED}
    assert len(names) >= 20, "little is installed as it was measured"
    facts = sum(subject.name in names for subject in subjects)
    done = ask(["measure", "--check", "--folder", str(tmp_path), "--jobs", "1", *sorted(names)])
    assert done.status == 1, done.output + done.errors
    differing = re.findall(r"^\w+/(.+): written None, measured ", done.output, re.MULTILINE)
    assert {*differing} == {*CHANGED}, done.output
    assert f"{facts} of {facts} facts measured again: {len(differing)} differ" in done.output


def changes(path: Path, name: str) -> bool:
    """Take a fact out of a file; is it there?"""
    facts = files.facts_in(path.read_text(encoding="utf-8"))
    lost = [section.pop(name) for section in facts.values() if name in section]
    if lost:
        head = path.read_text(encoding="utf-8").partition("\n")[0]
        body = files.text_of(path.stem, facts).partition("\n")[2]
        path.write_text(f"{head}\n{body}", encoding="utf-8")
    return bool(lost)


def test_what_is_asked_for_is_printed_or_is_an_error(tmp_path: Path, ask: Interpreter) -> None:
    folder = shutil.copytree(FOLDER / HERE, tmp_path / HERE)
    text = (folder / "jax.json").read_text(encoding="utf-8")
    (folder / "jax.json").write_text(text.replace(f'"package": "jax {HERE}"', '"package": "jax 0.1"'), encoding="utf-8")
    dtypes = (folder / "dtypes.json").read_text(encoding="utf-8")
    dtypes = dtypes.replace('"package": "dtypes"', '"package": "dtypes 0.1"')
    (folder / "dtypes.json").write_text(dtypes, encoding="utf-8")
    names = "jax.numpy.sin", "jax.numpy.sine", "jax.nothing."
    lines = (
        ("measure", "--jobs", "1", "jax.numpy.nonzero", "jax.numpy.shape"),
        ("measure", *names),
        ("measure", "--check", *names),
        ("measure", "--check", "--folder", str(tmp_path / "nowhere")),
        ("measure", "--check", "--folder", str(tmp_path), "jax.numpy.sin"),
    )
    printed, unknown, also, nowhere, compared = map(ask, lines)
    assert printed.output.splitlines()[:5] == [
        "dtypes/jax.numpy.nonzero: nothing",
        "dtypes/jax.numpy.shape: nothing",
        'functions/jax.numpy.nonzero: "nonzero(a*, *, size!, fill_value) -> tuple; eager if size absent"',
        'functions/jax.numpy.shape: "shape(a) -> static"',
        "impure/jax.numpy.nonzero: nothing",
    ]
    said = "flake8-jax: error: nothing that is measured is called jax.numpy.sine or jax.nothing.\n"
    assert unknown == also == Run(2, "", said)
    said = f"flake8-jax: error: JAX {HERE} has not been measured: run `flake8-jax measure`\n"
    assert nowhere == Run(2, "", said)
    reason = "dtypes: measured was dtypes 0.1, installed is nothing; "
    reason += f"jax: measured was jax 0.1, installed is jax {HERE}"
    assert compared == Run(2, "", f"flake8-jax: error: there is nothing to compare with ({reason})\n")


# Run as a file, since worker processes read that again: what is replaced here is replaced there.
DYING = """
import os, sys
from types import SimpleNamespace
from flake8_jax.driver.cli.main import main
from flake8_jax.runtime.measuring import measure
names = dict.fromkeys((f"jax.numpy.f{number:02}" for number in range(20)), "jax")
def fact(name):
    if name == "jax.numpy.f09":
        os._exit(1)
    return ""
dying = SimpleNamespace(SECTION="functions", subjects=lambda: names, fact=fact)
measure.discover = lambda: {"dying": dying}
if __name__ == "__main__":
    sys.exit(main(["measure", "--jobs", "1", "jax.numpy."]))
"""


def test_the_death_of_a_worker_is_an_error_that_says_where(tmp_path: Path) -> None:
    write(tmp_path, {"dying.py": DYING})
    done = run([sys.executable, "dying.py"], tmp_path)
    said = "flake8-jax: error: a worker process died after 8 of 20 facts, at jax.numpy.f08 or later\n"
    assert (done.status, done.output, done.errors) == (2, "", said)
