"""Translation: a path condition of a function in terms of a caller, or that it cannot hold there.

def helper(x, jit, level):
    if jit:
        if level > 0: ...                   path: jit is true, level > 0
helper(x, not verbose, verbose)             verbose is false, verbose > 0: never both
"""

from __future__ import annotations

from flake8_jax.analysis.evaluate.names import is_present
from flake8_jax.analysis.evaluate.narrowing import told
from flake8_jax.analysis.summaries.substitution import Substitution
from flake8_jax.domain.conditions import ALWAYS, Fact, FactSource, Path, clash, decide, exclude


def translated(site: Substitution, when: Path) -> Path | None:
    """The condition in terms of the caller; None if it cannot hold here."""
    if not when:
        return ALWAYS
    kept = _facts(site, when)
    if kept is None:
        return None
    path = tuple(fact for _, fact in kept)
    if not exclude(path, site.frame.path) and not clash(kept):
        return path
    present = _present(site, when)
    return None if len(present) == len(when) else translated(site, present)


def _present(site: Substitution, when: Path) -> Path:
    """The facts about arguments, and about captured values that are still bound."""
    return tuple(
        fact for fact in when
        if site.input_value(fact.subject) is not None or is_present(site.frame, fact.subject)
    )  # fmt: skip


def _facts(site: Substitution, when: Path) -> list[tuple[FactSource, Fact]] | None:
    """The facts in terms of the caller, each with its former subject; None if one does not hold."""
    kept: list[tuple[FactSource, Fact]] = []
    for fact in when:
        source = site.source(fact.subject)
        actual = site.input_value(fact.subject)
        if actual is None:
            kept.append((fact.subject, fact))
            continue
        holds = decide(fact, actual)
        if holds is False:
            return None
        if holds is None:
            here = told(site.frame, Fact(fact.test, actual, fact.other, fact.holds))
            kept.extend((source if one.subject is actual else one, one) for one in here)
    return kept
