"""Answers the questions of one job by observing its case.

A claim is confirmed if its phenomenon was seen on exactly its line.  If it was not, other cases that reach the line are
asked, and then the case again with its other marked lines repaired, since the first error of a run hides the rest.  A
good case is clean if the phenomenon was seen on no line at all and the case ran to its end.
"""

from __future__ import annotations

import ast
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from flake8_jax.runtime import loading, recorders, remedying
from flake8_jax.runtime.claims import Case, Fixture, NotAFixture, Pair, read
from flake8_jax.runtime.outcome import unreached
from flake8_jax.runtime.phenomena import discover
from flake8_jax.runtime.phenomenon import self_test
from flake8_jax.runtime.plan import REMEDY, Job, Question
from flake8_jax.runtime.records import PROVED, Device, ObservationRecord, ObservationStatus
from flake8_jax.runtime.repairs import repaired
from flake8_jax.runtime.sightings import Evidence, Sightings, Unsupported, first_line
from flake8_jax.runtime.trial import Trial

TO_THE_HOST = frozenset(("JAX403", "JAX404", "JAX405"))
"""Hazards of code that takes a number to the host, where it has no gradient."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer to one question: the case, whether the phenomenon was observed, and the evidence."""

    status: ObservationStatus
    observed: bool | None
    evidence: Evidence
    case: str


@dataclass(slots=True)
class _Asked:
    """What one recipe brought back from one trial."""

    sightings: Sightings = field(default_factory=Sightings)
    trial: Trial | None = None
    status: ObservationStatus | None = None
    reason: str = ""


def judge(job: Job, device: Callable[[], Device]) -> Iterator[ObservationRecord]:
    """Answer a job's questions; `device` says where, once the observation is over."""
    pair = read_pair(job.folder, job.pair)
    fixture = pair.bad if job.role == "bad" else pair.good
    if fixture.digest != job.digest:
        raise NotAFixture(f"{job.fixture} has changed since this run began")
    case = fixture.case(job.case)
    assert case is not None, f"{job.fixture} has no case {job.case}"
    asked: dict[tuple[str, str, str], _Asked] = {}
    for question in job.questions:
        start = time.perf_counter()
        if question.phenomenon == REMEDY:
            verdict = _judge_remedy(pair, case, question)
        elif job.role == "bad":
            verdict = _judge_claim(pair, case, question, asked)
        else:
            verdict = _judge_good(fixture, case, question, asked)
        verdict = verdict if question.phenomenon == REMEDY else _by_version(verdict, case)
        answer = record_of(job, question, verdict, device(), milliseconds=1000 * (time.perf_counter() - start))
        yield replace(answer, expected=answer.expected or case.harmless is not None)


def record_of(
    job: Job, question: Question, verdict: Verdict, device: Device, *, milliseconds: float = 0.0
) -> ObservationRecord:
    """The record of a question and its verdict."""
    return ObservationRecord(
        fixture=job.fixture,
        digest=job.digest,
        case=verdict.case,
        line=question.line,
        code=question.code,
        phenomenon=question.phenomenon,
        expected=job.role == "bad",
        observed=verdict.observed,
        status=verdict.status,
        evidence=verdict.evidence,
        device=device,
        milliseconds=milliseconds,
    )


@cache
def read_pair(folder: str, name: str) -> Pair:
    """The pair in a folder."""
    return Pair(name, read(Path(folder) / "bad.py"), read(Path(folder) / "good.py"))


@cache
def blindness(name: str) -> str | None:
    """The reason why a phenomenon cannot be observed in this process, from its self-test, run once."""
    import jax  # noqa: F401  the transforms to be replaced are its own

    recorders.install()
    return self_test(discover()[name])


def _judge_claim(pair: Pair, case: Case, question: Question, asked: dict[tuple[str, str, str], _Asked]) -> Verdict:
    answers: list[_Asked] = []
    for name in (case.name, *question.others):
        this = pair.bad.case(name)
        assert this is not None
        for trial in _versions(pair, this, question):
            answer = _ask(trial, question.phenomenon, asked)
            if question.line in answer.sightings.by_line:
                return Verdict("confirmed", True, answer.sightings.by_line[question.line], name)
            answers.append(answer)
            if answer.status is not None:
                break
    return _unmet(pair, case, question, answers)


def _judge_remedy(pair: Pair, case: Case, question: Question) -> Verdict:
    """Does the file with the remedy give what it gave?  Asked of the first case whose original runs."""
    import jax

    recorders.install()
    if (reason := remedying.blindness()) is not None:
        return Verdict("unsupported", None, {"reason": reason}, case.name)
    reason = ""
    for name in (case.name, *question.others):
        this = pair.bad.case(name)
        assert this is not None
        if this.since is not None and this.since.excludes(jax.__version__):
            reason = reason or this.since.text()
            continue
        is_alone = all(claim.line == question.line for claim in this.claims)
        if any(isinstance(node, ast.Attribute) and node.attr == "Tracer" for node in loading.walked(pair.bad, this)):
            reason = reason or "the original asks whether a value is a tracer"
            continue
        remedied = replace(pair.bad, text=question.text)
        try:
            loading.import_libraries(remedied, this)
            recorders.install()
            found = remedying.compared(
                Trial(pair.bad, this), Trial(remedied, this), is_alone=is_alone, is_cut=question.code in TO_THE_HOST
            )
        except loading.Missing as missing:
            return Verdict("skipped", None, {"reason": f"{missing} is not installed"}, name)
        except remedying.Incomparable as error:
            reason = reason or str(error)
        except remedying.Unlike as error:
            return Verdict("refuted", False, {"reason": str(error)}, name)
        else:
            return Verdict("same", None, found, name)
    return Verdict("incomparable", None, {"reason": reason}, case.name)


def _by_version(verdict: Verdict, case: Case) -> Verdict:
    """On a JAX that the case is not about, what else happens is a difference, and must be one."""
    import jax

    if case.since is None or not case.since.excludes(jax.__version__) or verdict.status in ("skipped", "unsupported"):
        return verdict
    reason = case.since.text()
    if verdict.status in PROVED:
        return Verdict("refuted", verdict.observed, {"reason": f"said to differ, and does not: {reason}"}, verdict.case)
    return Verdict("differs", verdict.observed, {"reason": reason}, verdict.case)


def _versions(pair: Pair, case: Case, question: Question) -> Iterator[Trial]:
    """The file as it is, then with the case's other marked lines repaired."""
    yield Trial(pair.bad, case, repair=lambda line: repaired(pair, {line}))
    others = _other_lines(pair, case, question)
    if others and (fixture := repaired(pair, others)) is not None:
        yield Trial(fixture, case, repair=lambda line: repaired(pair, {line, *others}))


def _other_lines(pair: Pair, case: Case, question: Question) -> frozenset[int]:
    """The case's other marked lines, but for statements at module level that have no name by which to find a twin."""
    named = (*pair.bad.definitions, *pair.bad.assignments)
    lines = {claim.line for claim in case.claims} - {question.line}
    return frozenset(line for line in lines if any(line in each for each in named))


def _unmet(pair: Pair, case: Case, question: Question, answers: list[_Asked]) -> Verdict:
    """The verdict on a claim that nothing confirmed: what could not be looked at, or ended early, is not refuted."""
    for answer in answers:
        if answer.status is not None:
            return Verdict(answer.status, None, {"reason": answer.reason}, case.name)
    first = answers[0]
    seen = {str(line): evidence for line, evidence in first.sightings.by_line.items()}
    evidence: Evidence = {"seen": seen, **first.sightings.refuting}
    others = _other_lines(pair, case, question)
    if others and len(answers) == 1 and repaired(pair, others) is None:
        evidence["hidden"] = "other marked lines cannot be repaired apart: put an unmarked line between them"
    if question.line is not None and (reason := _not_run(answers, question.line)) is not None:
        evidence["reason"] = reason
    if _raised(first) and not question.phenomenon.startswith("raises"):
        return Verdict("error", None, evidence | _raised(first), case.name)
    return Verdict("refuted", False, evidence | _raised(first), case.name)


def _not_run(answers: list[_Asked], line: int) -> str | None:
    """Why no run executes a line; None if one does, or if nobody can tell."""
    reasons = [unreached.not_run(answer.trial, line) for answer in answers if answer.trial is not None]
    return reasons[0] if all(reasons) and reasons else None


def _judge_good(fixture: Fixture, case: Case, question: Question, asked: dict[tuple[str, str, str], _Asked]) -> Verdict:
    answer = _ask(Trial(fixture, case), question.phenomenon, asked)
    if answer.status is not None:
        return Verdict(answer.status, None, {"reason": answer.reason}, case.name)
    raised = _raised(answer)
    if raised:
        return Verdict("error", None, raised, case.name)
    seen = {str(line): evidence for line, evidence in answer.sightings.by_line.items()}
    harmless = case.harmless
    if harmless is not None and harmless.phenomenon == question.phenomenon.partition(":")[0]:
        if seen:
            return Verdict("harmless", True, {"reason": harmless.reason, "seen": seen}, case.name)
        reason = f"the case is said to show {harmless.phenomenon}, and does not"
        return Verdict("refuted", False, {"reason": reason}, case.name)
    if seen:
        return Verdict("refuted", True, {"seen": seen}, case.name)
    return Verdict("clean", False, answer.sightings.refuting, case.name)


def _ask(trial: Trial, spec: str, asked: dict[tuple[str, str, str], _Asked]) -> _Asked:
    key = (trial.case.name, trial.fixture.text, spec)
    if key not in asked:
        asked[key] = _observe(trial, spec)
    return asked[key]


def _observe(trial: Trial, spec: str) -> _Asked:
    name, _, parameter = spec.partition(":")
    if (reason := blindness(name)) is not None:
        return _Asked(status="unsupported", reason=f"{name}: {reason}")
    try:
        loading.import_libraries(trial.fixture, trial.case)
        recorders.install()
        return _Asked(discover()[name].observe(trial, parameter), trial)
    except loading.Missing as missing:
        return _Asked(status="skipped", reason=f"{missing} is not installed")
    except Unsupported as unsupported:
        return _Asked(status="unsupported", reason=f"{name}: {unsupported}{_also(trial)}")
    except Exception as error:
        return _Asked(status="error", reason=f"the recipe for {name} failed: {error!r}{_also(trial)}")


def _raised(answer: _Asked) -> Evidence:
    """What the case itself ended with, if it ended badly."""
    if answer.trial is None or not answer.trial.errors:
        return {}
    error, chain = answer.trial.errors[0]
    return {"raised": f"{type(error).__name__}: {first_line(error)}", "lines": list(chain)}


def _also(trial: Trial) -> str:
    raised = _raised(_Asked(trial=trial))
    return f"; the case raised {raised['raised']} on lines {raised['lines']}" if raised else ""
