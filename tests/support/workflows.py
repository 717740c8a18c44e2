"""Runs the shell steps of GitHub's actions and workflows, and of GitLab's jobs, as their runners do.

Expressions are replaced by what is known of them; one that is not known is an error.  Of steps that use the actions of
others, only the inputs are noted.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

import yaml

from tests.support.commands import Run, run

ROOT = Path(__file__).parents[2]
OURS = re.compile(r"OWNER/flake8-jax@A-TAG-OR-COMMIT")
EXPRESSION = re.compile(r"\$\{\{ *(.*?) *\}\}")
FILE = re.compile(r"hashFiles\('([^']+)'\) != ''")

Step: TypeAlias = "dict[str, object]"


def action() -> dict[str, object]:
    """The action of this repository."""
    found = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    assert isinstance(found, dict)
    return found


def steps_of(holder: object) -> list[Step]:
    """The steps of a job, or of what an action runs."""
    assert isinstance(holder, dict)
    return list(holder["steps"])


def table(value: object) -> dict[str, str]:
    """A table of texts; empty if there is none."""
    assert value is None or isinstance(value, dict)
    return {str(name): str(text) for name, text in (value or {}).items()}


@dataclass(slots=True)
class Runner:
    """A machine that runs jobs in a checkout.

    `known` are expressions and what they stand for, `variables` the environment.  `used` notes the actions of others
    and their inputs, `outputs` what steps of our action set.
    """

    checkout: Path
    temporary: Path
    known: dict[str, str] = field(default_factory=dict)
    variables: dict[str, str] = field(default_factory=dict)
    used: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    outputs: dict[str, str] = field(default_factory=dict)

    def job(self, steps: list[Step]) -> Run:
        """Run the steps of a job, after a failure those only that ask for it; the status is that of the first failure.

        Of our action, `install` has to have been run before.
        """
        status, output, errors = 0, "", ""
        for step in steps:
            if not self._is_due(str(step.get("if", "success()")), status):
                continue
            if "run" in step:
                done = self._shell(step, {})
            elif OURS.fullmatch(uses := str(step["uses"])):
                done = self.check(**table(step.get("with")))
            else:
                self.used.append((uses, {name: self._known(text) for name, text in table(step.get("with")).items()}))
                continue
            status, output, errors = status or done.status, output + done.output, errors + done.errors
        return Run(status, output, errors)

    def install(self, **inputs: str) -> Run:
        """Run the first step of our action."""
        return self._shell(steps_of(action()["runs"])[0], inputs)

    def check(self, **inputs: str) -> Run:
        """Run the last step of our action; inputs may be written with `_` for `-`."""
        file = self.temporary / "output"
        file.write_text("")
        done = self._shell(steps_of(action()["runs"])[-1], inputs)
        self.outputs = dict(line.split("=", 1) for line in file.read_text().splitlines())
        return done

    def _shell(self, step: Step, inputs: Mapping[str, str]) -> Run:
        values = {f"inputs.{name}": row.get("default", "") for name, row in _inputs().items()}
        values |= {f"inputs.{name.replace('_', '-')}": self._known(text) for name, text in inputs.items()}
        assert set(values) == {f"inputs.{name}" for name in _inputs()}, "an input that the action does not have"
        variables = {
            "GITHUB_ACTIONS": "true", "GITHUB_ACTION_PATH": str(ROOT), "GITHUB_WORKSPACE": str(self.checkout),
            "GITHUB_OUTPUT": str(self.temporary / "output"), "RUNNER_TEMP": str(self.temporary), "GITHUB_BASE_REF": "",
            **self.variables,
        }  # fmt: skip
        variables |= {name: self._known(text, values) for name, text in table(step.get("env")).items()}
        script = self.temporary / "step.sh"
        script.write_text(self._known(str(step["run"]), values), encoding="utf-8")
        folder = self.checkout / self._known(str(step.get("working-directory", ".")), values)
        shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)]  # as `shell: bash` is run
        return run(shell, folder, None, **variables)

    def _known(self, text: str, values: Mapping[str, str] | None = None) -> str:
        return EXPRESSION.sub(lambda found: {**self.known, **(values or {})}[found[1]], text)

    def _is_due(self, condition: str, status: int) -> bool:
        """Is a step with this condition run?"""
        parts = (EXPRESSION.sub(r"\1", condition)).split(" && ")
        for part in parts:
            if found := FILE.fullmatch(part):
                if not (self.checkout / found[1]).exists():
                    return False
            elif part == "success()":
                if status:
                    return False
            else:
                assert part == "always()", part
        return True


def _inputs() -> dict[str, dict[str, str]]:
    found = action()["inputs"]
    assert isinstance(found, dict)
    return found
