"""What comes of an effect of a function at a call: an event, an effect of the caller, or nothing.

    def helper(t):                      `t > 0` must be concrete, dependences {t}
        if t > 0: ...
    def step(x): return helper(x * 2)   x * 2 depends on {x}: an effect of `step`, chain (step calls helper)
    jax.jit(step)                       x is a tracer: an event at the `if`, with the chain

This is the same for all kinds of evidence; what differs is what they say of the arguments (`LatentEvidence.at`).
"""

from __future__ import annotations

from functools import partial

from flake8_jax.analysis.callables import is_optional
from flake8_jax.analysis.certainty import as_assumed
from flake8_jax.analysis.evidence import LatentEvidence, Need
from flake8_jax.analysis.objects.narrowing import says_no_tracer
from flake8_jax.analysis.summaries.deferral import keep, send
from flake8_jax.analysis.summaries.substitution import MAXIMUM_CHAIN, Substitution
from flake8_jax.analysis.summaries.translation import translated
from flake8_jax.domain.conditions import Fact, Path, decide, parts_of
from flake8_jax.domain.effects import AnyFinding, Effect, Finding
from flake8_jax.domain.kinds import API, UNKNOWN
from flake8_jax.domain.provenance import Hop
from flake8_jax.domain.staging import Input
from flake8_jax.domain.value import Value


def substitute(site: Substitution, effect: Effect, hop: Hop | None) -> None:
    """Apply an effect of the callee at a call: report its event, or make it one of the caller, one hop longer."""
    evidence = effect.evidence
    assert isinstance(evidence, LatentEvidence)
    needed = evidence if isinstance(evidence, Need) else None
    is_harmless = needed is not None and _is_harmless(site, needed)
    refuted = (*evidence.refuted(site),)
    if is_harmless and not refuted:
        return
    when = translated(site, effect.when)
    if when is None:
        return
    if refuted:
        site.frame.program.record.refuted.update(refuted)
    chain = effect.chain if hop is None else site.chain_through(hop, effect.chain)
    is_asked = needed is not None and _is_asked_about(site, needed, effect.when)
    if is_harmless or is_asked or (effect.when and _is_for_no_tracers(site, effect.when)) or len(chain) > MAXIMUM_CHAIN:
        return
    site.effect, site.when, site.chain = effect, when, chain
    for outcome in evidence.at(site):
        if isinstance(outcome, LatentEvidence):
            inherited = Effect(outcome, site.assume(when), chain if outcome.is_told else ())
            keep(site.frame, inherited)
        else:
            report(site, outcome, when)


def report(site: Substitution, finding: AnyFinding, when: Path) -> None:
    """Report a finding; one on a path that an argument decides which a call may leave out is assumed.

    Several calls away, what stands on a path that is chosen by something unknown, as by an option of a library, is no
    evidence: of eleven such findings in public code that were judged none was worth a change.
    """
    if len(site.chain) > 1 and any(_is_of_unknown(part) for fact in when for part in parts_of(fact)):
        return
    if type(finding) is Finding and finding.ground is None and any(is_optional(fact.subject.original) for fact in when):
        finding = Finding(finding.key, partial(as_assumed, finding.make))
    send(site.frame, finding, when)


def _is_of_unknown(fact: Fact) -> bool:
    """Does a fact compare something that nobody knows with an option, or say that it is true, or there?"""
    is_chosen = fact.test in ("==", "in") or (fact.test == "truth" and fact.holds)
    is_there = fact.test == "is" and fact.other is None and not fact.holds
    return fact.subject.kind in (UNKNOWN, API) and (is_chosen or is_there)


def _is_harmless(site: Substitution, needed: Need) -> bool:
    """Are all arguments of kinds that cannot violate the precondition, whatever the path?"""
    sources = [one for one in needed.dependences if isinstance(one, Input)]
    if len(sources) < len(needed.dependences):
        return False
    actuals = [(source, site.resolve(source)) for source in sources]  # all: what is asked depends on no order of a set
    return all(
        site.is_owned(source) if actual is None else _cannot_violate(needed, source, actual)
        for source, actual in actuals
    )


def _cannot_violate(needed: Need, source: Input, actual: Value) -> bool:
    is_untold = actual.kind is UNKNOWN and not (source.is_declared or source.is_child)
    return actual.kind in needed.harmless or is_untold


def _is_asked_about(site: Substitution, needed: Need, when: Path) -> bool:
    """Does the path contain a test of the input that this call does not decide?

    For example by `hasattr(x, "at")`.
    """
    for fact in when:
        if fact.test in ("asked", "isinstance") and fact.subject.dependences & needed.dependences:
            actual = site.tested(fact.subject)
            if actual is None or decide(fact, actual) is None:
                return True
    return False


def _is_for_no_tracers(site: Substitution, when: Path) -> bool:
    """Is the path taken only if something of unknown kind is no tracer?  Such code is meant for eager execution."""
    for fact in when:
        if says_no_tracer(fact):
            actual = site.tested(fact.subject)
            if actual is None or decide(fact, actual) is None:
                return True
    return False
