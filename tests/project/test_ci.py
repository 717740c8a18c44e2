"""The action and what docs/ci.md proposes to services: their shell steps are run, on a scratch repository."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from flake8_jax.driver.cli import check
from flake8_jax.driver.cli.main import main
from flake8_jax.model.config import OPTIONS
from tests.driver.formats.test_sarif import faults
from tests.support.commands import REUSE, STORE, Run, command, fixable, flake8, run, write
from tests.support.workflows import ROOT, Runner, action, steps_of, table

PAGE = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
BLOCKS = dict(re.findall(r"^## ([^\n]*)$(?:(?!^## ).)*?^```(?:yaml|bash)\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE))
GIT = ("git", "-c", "user.name=test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false")
FINE = "import jax.numpy as jnp\n\nx = jnp.zeros(3)\n"
BAD = {"src/store.py": STORE, "src/deep/reuse.py": REUSE, "src/fine.py": FINE}
ROWS = {"src/store.py:4": "JAX201", "src/deep/reuse.py:5": "JAX101"}


def git(folder: Path, *words: str) -> None:
    done = run([*GIT, *words], folder)
    assert done.status == 0, done.errors


def committed(folder: Path, files: dict[str, str | bytes]) -> Path:
    """A repository with these files on `main`."""
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    write(folder, {"pyproject.toml": "", **files})
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "first")
    return folder


@pytest.fixture(scope="module")
def bad(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return committed(tmp_path_factory.mktemp("bad") / "work", dict(BAD))


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return committed(tmp_path_factory.mktemp("good") / "work", {"src/fine.py": FINE})


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder for temporary files of a runner, where our action is installed by its own step."""
    folder = tmp_path_factory.mktemp("temporary")
    done = Runner(folder, folder, variables=bare()).install(python=sys.executable)
    assert done.status == 0, done.output + done.errors
    return folder


@pytest.fixture
def machine(installed: Path) -> Callable[[Path], Runner]:
    return lambda checkout: Runner(checkout, installed, variables=bare())


def bare() -> dict[str, str]:
    """What makes a process find nothing of this environment's packages."""
    return {"PYTHONPATH": ""}


def annotated(output: str) -> dict[str, str]:
    """The places and codes of GitHub's annotations."""
    found = re.findall(r"^::error title=(JAX\d{3}) \([\w-]+\),file=(.*?),line=(\d+),", output, re.MULTILINE)
    return {f"{file}:{line}": code for code, file, line in found}


# The file action.yml


def test_the_metadata_is_that_of_a_composite_action() -> None:
    found = action()
    assert {"name", "description", "runs"} <= set(found)
    assert set(found) <= {"name", "author", "description", "inputs", "outputs", "runs", "branding"}
    runs = found["runs"]
    assert isinstance(runs, dict)
    assert (runs["using"], set(runs)) == ("composite", {"using", "steps"})
    for step in steps_of(runs):
        assert {"run", "shell"} <= set(step) <= {"run", "shell", "name", "id", "if", "env", "working-directory"}
        assert "${{" not in str(step["run"]), "what a shell runs must not be made of inputs"
        assert {"GITHUB_ACTIONS", "PATH"}.isdisjoint(table(step.get("env")))
    inputs = found["inputs"]
    assert isinstance(inputs, dict)
    for row in inputs.values():
        assert set(row) <= {"description", "required", "default", "deprecationMessage"}
        assert row["description"]


def test_every_input_and_output_is_used_and_described() -> None:
    found = action()
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    inputs, outputs = found["inputs"], found["outputs"]
    assert isinstance(inputs, dict)
    assert isinstance(outputs, dict)
    used = set(re.findall(r"\$\{\{ inputs\.([\w-]+) \}\}", text))
    rows = dict(re.findall(r"^\| `([\w-]+)` \| .*? \| (.*?) ?\|$", PAGE, re.MULTILINE))
    assert set(inputs) == used
    assert {name: row["default"] for name, row in inputs.items()} == {
        name: default.strip("`") if default.startswith("`") else "" for name, default in rows.items()
    }
    ids = {step.get("id") for step in steps_of(found["runs"])}
    for name, row in outputs.items():
        (where,) = re.findall(r"^\$\{\{ steps\.(\w+)\.outputs\.([\w-]+) \}\}$", row["value"])
        assert where[0] in ids
        assert f'"{where[1]}=' in text
        assert f"`{name}`" in PAGE


@pytest.mark.parametrize("python", ["no-such-python", "sh"])
def test_without_a_python_the_action_says_so(python: str, bad: Path, tmp_path: Path) -> None:
    done = Runner(bad, tmp_path).install(python=python)
    assert (done.status, done.errors) == (2, "")
    assert done.output.startswith("::error title=flake8-jax::there is no Python 3.10 or newer")
    assert not (tmp_path / "flake8-jax").exists()


def test_the_action_finds_a_python(bad: Path, tmp_path: Path) -> None:
    """The first on PATH that is new enough; what it is asked to do is noted, and not done."""
    for name, status in (("python", 1), ("python3", 0)):
        write(tmp_path, {name: f'#!/bin/sh\necho {name} "$1 $2" >> "{tmp_path}/asked"\nexit {status}\n'})
        (tmp_path / name).chmod(0o755)
    Runner(bad, tmp_path, variables={"PATH": f"{tmp_path}:{os.environ['PATH']}"}).install()
    asked = [line.split(" ")[:2] for line in (tmp_path / "asked").read_text().splitlines()]
    assert asked == [["python", "-c"], ["python3", "-c"], ["python3", "-m"]]


# What the action does


def test_the_action_of_a_repository_with_findings(machine: Callable[[Path], Runner], bad: Path) -> None:
    runner = machine(bad)
    done = runner.check(paths="src", sarif_file="flake8-jax.sarif")
    assert (done.status, runner.outputs) == (1, {"exit-code": "1"})
    assert annotated(done.output) == ROWS
    assert done.errors == f"checked 3 files: 2 findings{fixable(1)}"
    log = json.loads((bad / "flake8-jax.sarif").read_bytes())
    assert faults(log) == []
    assert in_sarif(log) == ROWS
    (bad / "flake8-jax.sarif").unlink()
    assert runner.check(paths="src", args="--exit-zero").status == 0
    done = runner.check(paths=". 'deep'", working_directory="src", output_format="concise", args="--select 'JAX2'")
    assert (done.places, done.status) == (["store.py:4:1: JAX201"], 1)


def in_sarif(log: dict[str, Any]) -> dict[str, str]:
    places = [(found["ruleId"], found["locations"][0]["physicalLocation"]) for found in log["runs"][0]["results"]]
    return {f"{at['artifactLocation']['uri']}:{at['region']['startLine']}": code for code, at in places}


def test_the_action_of_a_repository_without(machine: Callable[[Path], Runner], good: Path) -> None:
    runner = machine(good)
    done = runner.check(sarif_file="flake8-jax.sarif")
    assert (done.status, done.output, runner.outputs) == (0, "", {"exit-code": "0"})
    log = json.loads((good / "flake8-jax.sarif").read_bytes())
    assert (faults(log), log["runs"][0]["results"]) == ([], [])
    (good / "flake8-jax.sarif").unlink()


@pytest.mark.parametrize(
    "inputs",
    [
        {"paths": "source", "sarif_file": "no.sarif"},
        {"args": "--selct JAX1", "sarif_file": "no.sarif"},
        {"args": "--select 'JAX1"},
        {"output_format": "githib"},
        {"paths": "$(touch pwned)`touch pwned`;touch pwned"},
    ],
)  # fmt: skip
def test_a_wrong_use_of_the_action(inputs: dict[str, str], machine: Callable[[Path], Runner], good: Path) -> None:
    done = machine(good).check(**inputs)
    assert annotated(done.output) == {}
    assert (done.status, bool(done.errors)) == (2, True)
    assert {path.name for path in good.iterdir()} == {".git", "src", "pyproject.toml"}


def test_a_pull_request(machine: Callable[[Path], Runner], bad: Path, tmp_path: Path) -> None:
    """What is new since the common ancestor is annotated, though `main` went on; the file for GitHub holds all."""
    origin, checkout = tmp_path / "origin", tmp_path / "checkout"
    git(tmp_path, "clone", "-q", str(bad), str(origin))
    git(origin, "checkout", "-qb", "feature")
    write(origin, {"src/new.py": STORE.replace("x[0]", "x[2]")})
    git(origin, "add", "-A")
    git(origin, "commit", "-qm", "feature")
    git(origin, "checkout", "-q", "main")
    git(origin, "rm", "-q", "src/store.py")
    git(origin, "commit", "-qm", "main goes on")
    git(tmp_path, "clone", "-q", "-b", "feature", str(origin), str(checkout))
    runner = machine(checkout)
    steps = steps_of(jobs("GitHub, with the action"))
    done = runner.job(steps)
    assert set(annotated(done.output)) == {*ROWS, "src/new.py:4"}, "it is no pull request"
    runner.variables["GITHUB_BASE_REF"] = "main"
    done = runner.job(steps)
    assert (annotated(done.output), done.status) == ({"src/new.py:4": "JAX201"}, 1)
    assert set(in_sarif(json.loads((checkout / "flake8-jax.sarif").read_bytes()))) == {*ROWS, "src/new.py:4"}
    shallow = tmp_path / "shallow"
    git(tmp_path, "clone", "-q", "-b", "feature", "--depth=1", f"file://{origin}", str(shallow))
    runner.checkout = shallow
    done = runner.job(steps)
    assert (done.output, done.status) == ("", 2)
    assert "a shallow clone lacks most" in done.errors


# The page


def jobs(title: str) -> dict[str, Any]:
    """The one job of a workflow on the page."""
    flow = yaml.safe_load(BLOCKS[title])
    assert set(flow) <= {"name", True, "permissions", "jobs"}  # YAML reads `on` as true
    (job,) = flow["jobs"].values()
    assert isinstance(job, dict)
    return job


def test_every_block_of_the_page_is_run() -> None:
    assert len(re.findall(r"^```(?:yaml|bash)$", PAGE, re.MULTILINE)) == len(BLOCKS) == 5
    tested = Path(__file__).read_text(encoding="utf-8")
    assert all(f'"{title}"' in tested for title in BLOCKS)


def test_the_workflow_with_the_action(machine: Callable[[Path], Runner], bad: Path, good: Path) -> None:
    job = jobs("GitHub, with the action")
    flow = yaml.safe_load(BLOCKS["GitHub, with the action"])
    assert flow["permissions"]["security-events"] == "write"
    for checkout, status in ((bad, 1), (good, 0)):
        runner = machine(checkout)
        done = runner.job(steps_of(job))
        assert (annotated(done.output), done.status) == (ROWS if status else {}, status)
        used = [name.partition("@")[0] for name, _ in runner.used]
        assert used == ["actions/checkout", "github/codeql-action/upload-sarif"], "it is uploaded in either case"
        assert runner.used[0][1] == {"fetch-depth": "0"}
        log = checkout / runner.used[1][1]["sarif_file"]
        assert faults(json.loads(log.read_bytes())) == []
        log.unlink()
    runner = machine(tmp := good / "src")
    assert runner.job(steps_of(job)).status == 2, f"there is no folder src in {tmp}"
    assert [name.partition("@")[0] for name, _ in runner.used] == ["actions/checkout"], "there is nothing to upload"


def on_path(installed: Path) -> dict[str, str]:
    """The environment of a service's image, in which pip has this checkout's package at hand."""
    return {**bare(), "PATH": f"{installed / 'flake8-jax' / 'bin'}:{os.environ['PATH']}"}


def test_the_workflow_without_the_action(installed: Path, bad: Path, good: Path) -> None:
    steps = steps_of(jobs("GitHub, without the action"))
    for checkout, status in ((bad, 1), (good, 0)):
        done = Runner(checkout, installed, variables=on_path(installed)).job(steps)
        assert (annotated(done.output), done.status) == (ROWS if status else {}, status)


def gitlab(installed: Path, checkout: Path, **variables: str) -> tuple[Run, dict[str, str]]:
    """What the job of GitLab leaves in the log and in the report."""
    (job,) = yaml.safe_load(BLOCKS["GitLab"]).values()
    lines = [line.replace("\n", " ") for line in job["script"]]
    environment = {**on_path(installed), "CI_PROJECT_DIR": str(checkout), **variables}
    done = run(["bash", "-eo", "pipefail", "-c", "\n".join(lines)], checkout, None, **environment)
    assert job["artifacts"]["when"] == job["cache"]["when"] == "always"
    (cached,) = job["cache"]["paths"]
    assert (checkout / cached).is_dir()
    assert (checkout / cached / ".gitignore").read_text() == "*\n"
    report = json.loads((checkout / job["artifacts"]["reports"]["codequality"]).read_bytes())
    places = {f"{row['location']['path']}:{row['location']['lines']['begin']}": row["check_name"] for row in report}
    shutil.rmtree(checkout / cached)
    (checkout / job["artifacts"]["reports"]["codequality"]).unlink()
    return done, places


def test_the_job_of_gitlab(installed: Path, bad: Path, good: Path, tmp_path: Path) -> None:
    done, places = gitlab(installed, bad)
    assert (done.status, places, {row.split(" ")[1] for row in done.rows}) == (1, ROWS, set(ROWS.values()))
    done, places = gitlab(installed, good)
    assert (done.status, places, done.rows) == (0, {}, [])
    checkout = tmp_path / "work"
    git(tmp_path, "clone", "-q", str(bad), str(checkout))
    write(checkout, {"src/new.py": STORE.replace("x[0]", "x[2]")})
    base = run([*GIT, "rev-parse", "HEAD"], checkout).output.strip()
    done, places = gitlab(installed, checkout, CI_MERGE_REQUEST_DIFF_BASE_SHA=base)
    assert (done.status, done.places) == (1, ["src/new.py:4:1: JAX201"])
    assert set(places) == {*ROWS, "src/new.py:4"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """This project as pip has it of an index."""
    folder = tmp_path_factory.mktemp("wheel")
    words = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(folder), str(ROOT)]
    done = run(words, folder, None, **bare())
    assert done.status == 0, done.errors
    (found,) = folder.glob("*.whl")
    return found


def test_the_commands_for_any_other_service(wheel: Path, bad: Path, good: Path) -> None:
    (wheel.parent / "constraint").write_text(f"flake8-jax @ {wheel.as_uri()}\n")
    constraints = f"{os.environ.get('PIP_CONSTRAINT', '')} {wheel.parent / 'constraint'}".strip()
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    lines = BLOCKS["Any other service"].splitlines()
    assert len(lines) == 4
    write(bad.parent, {"all.sh": "\n".join(lines), "check.sh": "\n".join(lines[2:])})
    done = run(["bash", "-e", "../all.sh"], bad, None, **bare(), PIP_CONSTRAINT=constraints, PATH=path)
    assert done.status == 1, done.errors
    assert {row.split(" ")[1] for row in done.rows} == set(ROWS.values())
    assert (bad / "flake8-jax.xml").read_text().count("<failure ") == len(ROWS)
    (bad / ".flake8-jax-env").rename(good / ".flake8-jax-env")
    script = good / ".flake8-jax-env" / "bin" / "flake8-jax"  # it names the interpreter of the folder that it was in
    script.write_text(script.read_text().replace(str(bad), str(good)))
    done = run(["bash", "-e", str(bad.parent / "check.sh")], good, None, **bare())
    assert (done.status, done.rows) == (0, [])
    shutil.rmtree(good / ".flake8-jax-env")
    for checkout in (bad, good):
        (checkout / "flake8-jax.xml").unlink()


def test_every_option_that_is_named_exists() -> None:
    known = {f"--{option.key}" for option in OPTIONS}
    known |= {f"--{name}" for name in ("output-file", "exit-zero", "diff-base", "write-baseline", "show-files", "jobs")}
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z0-9-]+", PAGE))
    assert len(named) > 5
    assert named <= known


# Exit status

ENDS = {
    "0": [
        "check src/fine.py", "check src --baseline known.json", "check src --diff-base main", "check quiet.py",
        "check empty",
    ],
    "1": ["check src", "check broken.py --select JAX2", "check src/fine.py --format json >/dev/full"],
    "2": [
        "", "check --selct JAX1", "check --select JAX999", "check source", "check src --diff-base nowhere",
        "check src --config wrong.toml", "check src --baseline none.json",
    ],
    "130": [],
}  # fmt: skip


@pytest.fixture
def checkout(bad: Path, tmp_path: Path) -> Path:
    git(tmp_path, "clone", "-q", str(bad), str(tmp_path / "work"))
    quiet = STORE.replace("= 1.0", "= 1.0  # noqa: JAX201")
    write(tmp_path / "work", {"quiet.py": quiet, "empty/notes.txt": "", "wrong.toml": "selct = 1\n"})
    assert command(tmp_path / "work", "check", "--write-baseline", "known.json").status == 0
    return write(tmp_path / "work", {"broken.py": "import jax\nx = (\n"})


@pytest.mark.parametrize("status", ["0", "1", "2"])
def test_how_it_ends(status: str, checkout: Path) -> None:
    assert re.findall(r"^\| (\d+) \| .* \|$", PAGE, re.MULTILINE) == list(ENDS)
    for line in ENDS[status]:
        done = run(["bash", "-c", f"'{sys.executable}' -m flake8_jax {line}"], checkout)
        assert done.status == int(status), line + done.output + done.errors


def test_how_it_ends_if_only_reports_are_wanted(checkout: Path) -> None:
    ends = {path: command(checkout, "check", "--exit-zero", path).status for path in ("src", "broken.py", "source")}
    assert ends == {"src": 0, "broken.py": 0, "source": 2}
    assert flake8(checkout, "--select=JAX", "src").status == 1


def test_how_it_ends_if_it_is_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(check, "prepared", interrupted)
    assert str(main(["check"])) == list(ENDS)[-1]


# Shards

HELPER = "import jax\n\n\ndef clipped(x, limit):\n    if x.sum() > limit:\n        return limit\n    return x\n"
JITTED = "import jax\nfrom core.ops import clipped\n\nstep = jax.jit(clipped)\n"
DRAWS = "import jax\n\n\ndef noise(key):\n    return jax.random.normal(key, (3,))\n"
TWICE = "import jax\nfrom core.draws import noise\n\nkey = jax.random.key(0)\na = noise(key)\nb = noise(key)\n"
SHARDS = {
    "src/core/__init__.py": "", "src/core/ops.py": HELPER, "src/core/draws.py": DRAWS,
    "src/train/__init__.py": "", "src/train/step.py": JITTED, "src/train/twice.py": TWICE,
}  # fmt: skip
ACROSS = {"src/core/ops.py:5": "JAX401", "src/train/twice.py:6": "JAX101"}


def test_the_shards_of_a_project(machine: Callable[[Path], Runner], tmp_path: Path) -> None:
    """Each job has a checkout of its own, in another place, and a copy of what an earlier one remembered."""
    job, found = jobs("Shards, and a cache that they share"), dict[str, str]()
    shards: Sequence[str] = job["strategy"]["matrix"]["shard"]
    assert len(shards) > 1
    cached = None
    for number, shard in enumerate(shards):
        checkout = committed(tmp_path / f"job{number}", dict(SHARDS))
        if cached is not None:
            shutil.copytree(cached, checkout / cached.name)
        runner = machine(checkout)
        runner.known |= {"matrix.shard": shard, "github.sha": "0" * 40}
        done = runner.job(steps_of(job))
        restore, save = (inputs for name, inputs in runner.used if name.startswith("actions/cache/"))
        assert (restore["path"], restore["key"]) == (save["path"], save["key"])
        assert all(restore["key"].startswith(prefix) for prefix in restore["restore-keys"].split())
        assert done.status == 1
        mine = annotated(done.output)
        assert all(place.startswith(f"{shard}/") for place in mine)
        found |= mine
        cached = checkout / restore["path"]
        assert cached.is_dir()
    assert found == ACROSS
    whole = committed(tmp_path / "whole", dict(SHARDS))
    assert cached is not None
    shutil.copytree(cached, whole / cached.name)
    runner = machine(whole)
    for args, judged in ((f"--cache-dir {cached.name}", 0), ("--no-cache", 4)):
        done = runner.check(paths="src", args=f"{args} --analysis-statistics")
        assert annotated(done.output) == ACROSS
        assert f"cost: {judged} judged again" in done.errors, "what the jobs remembered is worth something here"
