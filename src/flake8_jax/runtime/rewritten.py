"""The files of pairs as remedies make them: a claim whose finding ends in code, or has a fix, is asked for once more,
with this code written into the file.

    if x > 0:            JAX401, "use `return jax.lax.cond(x > 0, lambda: x, lambda: -x)`"
        return x
    return -x

The question goes to the case of the claim; `remedying` answers it.  Only what tracing breaks (JAX401 to 411) is asked:
there the original runs as plain Python and says what the remedy must give; other hazards raise everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from flake8_jax.driver.remedies import written
from flake8_jax.runtime.claims import Fixture, Pair
from flake8_jax.runtime.linted import report_of
from flake8_jax.runtime.plan import REMEDY, Job, Question
from flake8_jax.syntax.source import SourceFile

BROKEN_BY_TRACING = "JAX4"


def with_remedies(jobs: Iterable[Job], pairs: Iterable[Pair]) -> list[Job]:
    """The jobs, with a question for the remedy of each claim that has one."""
    fixtures = {pair.name: pair.bad for pair in pairs}
    return [_asking(job, fixtures[job.pair]) if job.role == "bad" else job for job in jobs]


def _asking(job: Job, fixture: Fixture) -> Job:
    claims = [each for each in job.questions if each.code.startswith(BROKEN_BY_TRACING)]
    if not claims or job.isolated:  # a process forked for one case would start JAX for each comparison
        return job
    texts = dict(_texts(fixture))
    return replace(job, questions=(*job.questions, *_questions(claims, texts)))


def _questions(claims: Sequence[Question], texts: Mapping[tuple[int, str], str]) -> Iterator[Question]:
    """One for each text, however many claims it repairs at once."""
    asked: set[str] = set()
    for claim in claims:
        text = texts.get((claim.line or 0, claim.code))
        if text is not None and text not in asked:
            asked.add(text)
            yield replace(claim, phenomenon=REMEDY, text=text)


def _texts(fixture: Fixture) -> Iterator[tuple[tuple[int, str], str]]:
    """For each finding, by line and code, the text of the file with its remedy."""
    source = SourceFile(str(fixture.path), fixture.text)
    for found in report_of(Path(fixture.path), fixture.text).diagnostics:
        if found.code.startswith(BROKEN_BY_TRACING) and (text := written(source, found)) is not None:
            yield (found.span.line, found.code), text
