"""Every phenomenon is seen where it is, on its line, and nowhere else."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from flake8_jax.rules import discover as discover_rules
from flake8_jax.runtime import verify
from flake8_jax.runtime.claims import Pair, read_pairs
from flake8_jax.runtime.phenomena import discover
from flake8_jax.runtime.plan import INSPECTION, REMEDY, Job, Question, misspelt, plan
from flake8_jax.runtime.records import FAILED, ObservationRecord
from tests.runtime.verifying import JOBS, taken
from tests.support import slices
from tests.support.slices import Slice

PAIRS = read_pairs(Path(__file__).parent / "phenomena")
INSPECTED = 3
RAISING = "raises"
"""The pair of which every claim is observed, for what is asked of the lines beside them."""

NO_RULE = "JAX000"
"""What a recipe is asked under that a pair does not claim."""


def test_the_list_is_closed_and_each_has_its_pair() -> None:
    page = (Path(__file__).parents[2] / "docs" / "verify.md").read_text(encoding="utf-8")
    described = set(re.findall(r"^\| `(\w+)[`:]", page, flags=re.MULTILINE))
    assert described == discover().keys()
    assert {pair.name for pair in PAIRS} == discover().keys()


def test_rules_claim_what_can_be_observed_but_for_a_few_by_inspection() -> None:
    rules = [found.rule for found in discover_rules()]
    inspected = [rule for rule in rules if rule.hazard.startswith(INSPECTION)]
    assert len(inspected) <= INSPECTED
    assert [rule.code for rule in inspected if not rule.hazard.removeprefix(INSPECTION).startswith(": ")] == []
    specs = [spec for rule in rules if rule not in inspected for spec in rule.phenomena]
    assert [wrong for spec in specs if (wrong := misspelt(spec))] == []


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_pairs_have_cases_enough(pair: Pair) -> None:
    claims = {case.name for case in pair.bad.cases if case.claims}
    innocent = {case.name for case in pair.good.cases} - {case.name for case in pair.bad.cases}
    names = {(claim.phenomenon or "").partition(":")[0] for claim in pair.bad.expectations}
    assert names == {pair.name}
    assert len(claims) >= 5
    assert innocent


def aspects(job: Job) -> list[str]:
    """What a job shows: its file, and each phenomenon, with a parameter or without, in a good or a bad case."""
    asked = [question.phenomenon.partition(":") for question in job.questions]
    return [job.fixture, *(f"{job.role} {name}{colon}" for name, colon, _ in asked)]


@dataclass(frozen=True)
class Observed:
    """The claims and good cases that a run takes, what recipes must not see, and the records of all."""

    jobs: list[Job]
    cells: list[Job]
    records: list[ObservationRecord]

    def of(self, *, cells: bool) -> list[ObservationRecord]:
        """The records of the ones or the others."""
        known = [record for record in self.records if record.phenomenon != REMEDY]
        return [record for record in known if (record.code == NO_RULE) is cells]


SELECTED = "x[x > 0].mean()"
MASKED = f"""\
import jax
import jax.numpy as jnp

@jax.jit
def f(x, size):
    return {SELECTED} / size  # JAX411: is indexed by a mask

def case():
    return f(jnp.array([1.0, -2.0, 3.0]), 2.0)

def raising():
    return f(3.0, 2.0)
"""
REMEDIES = {
    "jnp.mean(x, where=x > 0)": ("same", ""),
    "jnp.where(x > 0, x, 0).mean()": ("refuted", "another value: 1. against 0.666"),
    "jax.lax.stop_gradient(jnp.mean(x, where=x > 0))": ("refuted", "a gradient near its arguments is another"),
    "x.item()": ("refuted", "with the remedy it raises, as plain Python: ValueError"),
    "jnp.mean(x, where=x > 0 * float(size))": ("refuted", "raises ConcretizationTypeError"),
}
"""What is written in the place of a selection, and what is to come of it."""


def remedied(home: Path) -> list[Job]:
    """Each remedy of the selection, and one where the original raises."""
    (home / "bad.py").write_text(MASKED)
    (home / "good.py").write_text(MASKED.partition("  #")[0] + "\n\ndef case(): ...\n\ndef raising(): ...\n")
    (pair,) = read_pairs(home)
    texts = [MASKED.replace(SELECTED, text) for text in REMEDIES]
    asked = [*(("case", text) for text in texts), ("raising", texts[0])]
    return [
        Job(str(home), pair.name, "bad", pair.bad.digest, case, (Question(f"JAX70{number}", REMEDY, 6, (), text),))
        for number, (case, text) in enumerate(asked)
    ]


def test_a_remedy_gives_the_same_values_and_gradients_or_is_refuted(observed: Observed) -> None:
    records = sorted((one for one in observed.records if one.phenomenon == REMEDY), key=lambda one: one.code)
    seen = [(record.status, str(record.evidence.get("reason", ""))) for record in records]
    wanted = [*REMEDIES.values(), ("incomparable", "the original does not run as plain Python: TypeError")]
    assert [status for status, _ in seen] == [status for status, _ in wanted]
    assert [reason for (_, reason), (_, part) in zip(seen, wanted) if part not in reason] == []


@pytest.fixture(scope="module")
def observed(tmp_path_factory: pytest.TempPathFactory) -> Observed:
    """One process observes all: each starts JAX and tests its recipes."""
    pytest.importorskip("jax")
    planned = plan(PAIRS, {}, drafts=True)
    assert planned.flaws == []
    jobs = taken(planned.jobs, aspects, least=40, daily=20)
    jobs += [job for job in planned.jobs if job.pair == RAISING and job not in jobs]
    cells = slices.taken(every_cell(), lambda cell: [cell.pair, cell.questions[0].phenomenon], least=20, daily=20)
    remedies = remedied(tmp_path_factory.mktemp("remedies"))
    records = verify.observe([*jobs, *cells, *remedies], verify.Settings(("cpu",), jobs=JOBS), lambda *_: None)
    return Observed(jobs, cells, records)


@slices.sliced
def test_every_claim_is_confirmed_and_every_good_case_is_clean(observed: Observed) -> None:
    jobs, records = observed.jobs, observed.of(cells=False)
    assert {record.fixture for record in records} == {job.fixture for job in jobs}
    assert len(records) >= sum(len(job.questions) for job in jobs)
    assert [_told(record) for record in records if record.status in FAILED] == []
    if slices.asked() is not Slice.ROTATING:
        seen = {(record.fixture.partition("/")[0], record.status) for record in records}
        offenders = [pair.name for pair in PAIRS if not {(pair.name, "confirmed"), (pair.name, "clean")} <= seen]
        assert not offenders, "\n".join(offenders)


@slices.sliced
def test_an_innocent_line_is_no_cause_of_an_exception(tmp_path: Path, observed: Observed) -> None:
    """The other lines of the programs that raise are marked too, one at a time: each stays refuted."""
    (pair,) = [pair for pair in PAIRS if pair.name == RAISING]
    raised = [record for record in observed.of(cells=False) if record.fixture.partition("/")[0] == RAISING]
    assert {row.status for row in raised} & FAILED == set()
    caused = {(row.case, row.line): str(row.evidence["cause"]) for row in raised if "cause" in row.evidence}
    raising = {(name, re.findall(r"\d+", why)[0]) for (name, _), why in caused.items()}
    lines = pair.bad.text.splitlines(keepends=True)
    homes = {each.name: each for each in pair.bad.definitions}
    innocent = [
        (name, cause, line)
        for name, cause in caused
        for line in range(homes[name].first, homes[name].last + 1)
        if lines[line - 1].strip() and "# JAX" not in lines[line - 1] and (name, str(line)) not in raising
    ]
    assert len(caused) >= 8
    assert len(innocent) > 2 * len(caused)
    added: dict[str, int] = {}
    for name, cause, line in slices.taken(innocent, lambda one: [one[:2], lines[one[2] - 1].split()[0]], daily=20):
        claim = next(claim for claim in pair.bad.expectations if claim.line == cause)
        marked = f"{lines[line - 1].rstrip()}  # {claim.code} {claim.phenomenon}: innocent\n"
        added[f"{name}-{cause}-{line}"] = line
        folder = tmp_path / f"{name}-{cause}-{line}"
        folder.mkdir()
        (folder / "bad.py").write_text("".join([*lines[: line - 1], marked, *lines[line:]]), encoding="utf-8")
        (folder / "good.py").write_text(pair.good.text, encoding="utf-8")
    jobs = plan(read_pairs(tmp_path), {}, drafts=True).jobs
    chosen = [job for job in jobs if job.role == "bad" and job.case == job.pair.partition("-")[0]]
    records = verify.observe(chosen, verify.Settings(("cpu",), jobs=JOBS), lambda *_: None)
    seen = {(record.fixture.partition("/")[0], record.line): record.status for record in records}
    assert {name: seen[name, line] for name, line in added.items()} == dict.fromkeys(added, "refuted")


@slices.sliced
def test_no_recipe_sees_anything_in_what_is_good_for_the_others(observed: Observed) -> None:
    records = observed.of(cells=True)
    false = [record for record in records if record.status not in ("clean", "skipped", "unsupported")]
    assert [_told(record) for record in false if not _is_true(record)] == []
    assert len([record for record in records if record.status == "clean"]) > len(observed.cells) / 2


def every_cell() -> list[Job]:
    """Each recipe, asked of what is good for each other one."""
    own = {(pair.name, case.name) for pair in PAIRS for case in pair.good.cases if case.harmless}
    return [
        _cell(pair, case, name)
        for name, phenomenon in discover().items()
        if not phenomenon.in_child
        for pair in PAIRS
        if pair.name != name and not discover()[pair.name].in_child
        for case in (each.name for each in pair.good.cases)
        if (pair.name, case) not in own
    ]


def _cell(pair: Pair, case: str, name: str) -> Job:
    phenomenon = discover()[name]
    spec = f"{name}:{phenomenon.example}" if phenomenon.is_required else name
    folder = str(pair.good.path.parent)
    return Job(folder, pair.name, "good", pair.good.digest, case, (Question(NO_RULE, spec),))


# What is good for one phenomenon may well show another: which does, and why.
TRUE_ELSEWHERE = {
    (
        "key_reuse",
        "equal_draws/good.py:two_uses_of_one_key",
    ): "one key for two draws in a turn is no draw alike in two turns",
    ("key_goes_on", "equal_draws/good.py:two_uses_of_one_key"): "the first of the two uses",
    ("retraced", "equal_draws/good.py:closed_over_by_jit_in_a_loop"): "a lambda is jitted for each key",
    ("retraced", "equal_draws/good.py:passed_on_each_turn"): "the first turn's weak type is another than the second's",
    ("host_read", "retraced/good.py:static_lambda"): "the loop reads a float on each turn",
    ("eager_differs", "raises/good.py:caught"): "a Python loop minds no carry that changes",
}


def _is_true(record: ObservationRecord) -> bool:
    return (record.phenomenon.partition(":")[0], f"{record.fixture}:{record.case}") in TRUE_ELSEWHERE


def _told(record: ObservationRecord) -> str:
    return f"{record.phenomenon} in {record.fixture}:{record.case}: {record.status} {record.evidence}"
