"""Plans the observations: each claim becomes part of a job for one case.  Claims that no job can prove are listed with
the reason.

A job is one case of one file.  In a bad file it holds the claims that the case is the first choice for: the case in
which the line stands, else the first that reaches it; the others are asked if that one does not show it.  In a good
file it holds the phenomena that the twin claims; an innocent is judged by the hazards of its pair's rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypedDict

from flake8_jax.runtime.claims import Case, Expectation, Pair
from flake8_jax.runtime.outcome.unreached import without_case
from flake8_jax.runtime.phenomena import discover
from flake8_jax.runtime.repairs import is_twin, other_differences

INSPECTION = "by inspection"
REMEDY = "remedy"
"""What a question asks that is about the remedy of a claim, in place of a phenomenon."""


@dataclass(frozen=True, slots=True)
class Question:
    """One observation to make: a phenomenon on a claim's line of a bad file. It names the other cases that may show it,
    too.  Of a remedy, `text` is the file with it."""

    code: str
    phenomenon: str
    line: int | None = None
    others: tuple[str, ...] = ()
    text: str = ""


class QuestionRow(TypedDict):
    """A question as a row of JSON."""

    code: str
    phenomenon: str
    line: int | None
    others: list[str]
    text: str


class JobRow(TypedDict):
    """A job as a row of JSON."""

    folder: str
    pair: str
    role: str
    digest: str
    case: str
    questions: list[QuestionRow]
    isolated: bool


@dataclass(frozen=True, slots=True)
class Job:
    """The questions about one case, run together."""

    folder: str
    pair: str
    role: str
    digest: str
    case: str
    questions: tuple[Question, ...]
    isolated: bool = False

    @property
    def fixture(self) -> str:
        """The name of the file in records."""
        return f"{self.pair}/{self.role}.py"

    @staticmethod
    def from_row(row: JobRow) -> Job:
        """The job decoded from a row of JSON."""
        questions = tuple(
            Question(each["code"], each["phenomenon"], each["line"], tuple(each["others"]), each["text"])
            for each in row["questions"]
        )
        return Job(row["folder"], row["pair"], row["role"], row["digest"], row["case"], questions, row["isolated"])


@dataclass(frozen=True, slots=True)
class Flaw:
    """A claim that cannot be tested, and why. It is `inspected` if the rule's card says so and gives the reason."""

    pair: Pair
    role: str
    case: str
    line: int | None
    code: str
    phenomenon: str
    reason: str
    inspected: bool = False


@dataclass(slots=True)
class Plan:
    """The jobs of a run, those in a process of their own first, and the flaws."""

    jobs: list[Job] = field(default_factory=list)
    flaws: list[Flaw] = field(default_factory=list)


def plan(pairs: Iterable[Pair], hazards: Mapping[str, Sequence[str]], *, drafts: bool = False) -> Plan:
    """Plan the observation of pairs; `hazards` maps each rule to the phenomena it may claim, its default first.

    With `drafts`, claims of codes that have no rule yet are taken if they name their phenomenon, and cards do not bind.
    """
    found = Plan()
    for pair in pairs:
        specs = _Specs(pair, hazards, drafts, found)
        _plan_bad(pair, specs, found)
        _plan_good(pair, specs, found)
    found.jobs.sort(key=lambda job: not job.isolated)
    return found


@dataclass(frozen=True, slots=True)
class _Specs:
    """Which phenomenon a claim speaks of; what is wrong with a claim goes to the plan's flaws."""

    pair: Pair
    hazards: Mapping[str, Sequence[str]]
    drafts: bool
    plan: Plan

    def of(self, claim: Expectation, case: str) -> str | None:
        allowed = self.hazards.get(claim.code, ("",))
        spec = claim.phenomenon or allowed[0]
        if claim.code not in self.hazards and not self.drafts:
            self._flaw(claim, case, spec, f"there is no rule {claim.code}")
        elif not spec:
            self._flaw(claim, case, spec, f"there is no rule {claim.code}, and the claim names no phenomenon")
        elif spec.startswith(INSPECTION):
            self._flaw(claim, case, INSPECTION, spec.partition(": ")[2], inspected=True)
        elif wrong := misspelt(spec):
            self._flaw(claim, case, spec, wrong)
        elif allowed[0] and not self.drafts and spec not in allowed:
            self._flaw(claim, case, spec, f"{claim.code} claims {' or '.join(allowed)}, by its card")
        else:
            return spec
        return None

    def _flaw(self, claim: Expectation, case: str, spec: str, reason: str, inspected: bool = False) -> None:
        flaw = Flaw(self.pair, "bad", case, claim.line, claim.code, spec, reason, inspected)
        self.plan.flaws.append(flaw)


def misspelt(spec: str) -> str | None:
    """The spelling error in a phenomenon's name or parameter, None if there is none."""
    name, _, parameter = spec.partition(":")
    known = discover()
    if name not in known:
        return f"there is no phenomenon {name}; there are {', '.join(known)}"
    if parameter and known[name].parameter is None:
        return f"{name} takes no parameter"
    return f"{name} must say {known[name].parameter}" if known[name].is_required and not parameter else None


def _plan_bad(pair: Pair, specs: _Specs, found: Plan) -> None:
    questions: dict[str, list[Question]] = {}
    for claim in pair.bad.expectations:
        cases = candidates(claim, pair.bad.cases)
        spec = specs.of(claim, cases[0].name if cases else "")
        if spec and not cases:
            reason = without_case(pair.bad, claim.line)
            found.flaws.append(Flaw(pair, "bad", "", claim.line, claim.code, spec, reason))
        elif spec:
            others = tuple(case.name for case in cases[1:])
            questions.setdefault(cases[0].name, []).append(Question(claim.code, spec, claim.line, others))
    found.jobs += [_job(pair, "bad", case, questions[case.name]) for case in pair.bad.cases if case.name in questions]
    found.flaws += _without_twin(pair)


def _without_twin(pair: Pair) -> Iterator[Flaw]:
    """Definitions and cases with expectations that `good.py` does not hold, or holds with other differences."""
    marked = {claim.line for claim in pair.bad.expectations}
    twins = {found.name: found for found in pair.good.definitions}
    named = {case.name: case.claims[0] for case in pair.bad.cases if case.claims}
    named |= {d.name: c for d in pair.bad.definitions for c in pair.bad.expectations if c.line in d}
    for definition in pair.bad.definitions:
        twin = twins.get(definition.name)
        if definition.name in named and not is_twin(definition, twin, marked):
            reason = f"{definition.name} has no twin in good.py"
            if twin is not None:
                where = other_differences(definition, twin, marked)
                reason = f"{definition.name} differs from its twin on other lines: {where}"
            claim = named[definition.name]
            yield Flaw(pair, "bad", definition.name, definition.first, claim.code, claim.phenomenon or "", reason)


def candidates(claim: Expectation, cases: Sequence[Case]) -> list[Case]:
    """The cases that can show a claim, the likeliest first. That is where its line stands, then where little else is
    reached."""
    reaching = [case for case in cases if claim in case.claims]
    return sorted(reaching, key=lambda case: (len(case.claims), not case.line <= claim.line, len(case.reaches)))


def _plan_good(pair: Pair, specs: _Specs, found: Plan) -> None:
    quiet = _Specs(pair, specs.hazards, specs.drafts, Plan())
    whole = list(dict.fromkeys(_questions(pair.bad.expectations, quiet)))
    for case in pair.good.cases:
        twin = pair.bad.case(case.name)
        own = list(dict.fromkeys(_questions(twin.claims, quiet))) if twin else []
        if questions := own or _by_default(whole, specs.hazards):
            found.jobs.append(_job(pair, "good", case, questions))


def _by_default(questions: Sequence[Question], hazards: Mapping[str, Sequence[str]]) -> list[Question]:
    """The questions for an innocent: the rule's own hazard, or all that the pair claims where there is no rule."""
    return [q for q in questions if q.phenomenon == hazards.get(q.code, ("",))[0]] or list(questions)


def _questions(expected: Iterable[Expectation], specs: _Specs) -> Iterator[Question]:
    for claim in expected:
        if spec := specs.of(claim, ""):
            yield Question(claim.code, spec)


def _job(pair: Pair, role: str, case: Case, questions: Sequence[Question]) -> Job:
    folder = str(Path(pair.bad.path).parent)
    in_child = any(discover()[q.phenomenon.partition(":")[0]].in_child for q in questions)
    fixture = pair.bad if role == "bad" else pair.good
    asked = {case.name, *(name for question in questions for name in question.others)}
    isolated = in_child or any(each.isolated for each in fixture.cases if each.name in asked)
    return Job(folder, pair.name, role, fixture.digest, case.name, tuple(questions), isolated)
