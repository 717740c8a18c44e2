"""Calls of a library's classes and methods without arguments that its version demands.

nnx.Optimizer(model, tx)            since 0.11 it must be told what it optimizes, by `wrt`
optimizer.update(grads)             since then the model comes first
def step(model, optimizer, x):      precondition: `optimizer` is none of which `update` needs both
    optimizer.update(grads)

Which version that is, the measured table of the library says; a project that allows older ones alone, as a lock does,
may leave them out, and so may code that asks which release it runs with.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from flake8_jax.analysis.callables import Arguments
from flake8_jax.analysis.checks.contracts.broken import breaking, report
from flake8_jax.analysis.checks.releases.guards import guards_of
from flake8_jax.analysis.checks.wording import callee_text
from flake8_jax.analysis.evidence import CallSite, Need, OutcomeAtCall, arguments_at
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.summaries.deferral import leave
from flake8_jax.api.versions import parsed
from flake8_jax.domain.effects import Finding
from flake8_jax.domain.kinds import HARMLESS_AS_ARGUMENT, INPUT, OBJECT, Kind
from flake8_jax.domain.provenance import Hop
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.lazy_dataclasses import dataclass, replace
from flake8_jax.syntax.positions import unpacked


@dataclass(frozen=True, slots=True)
class NeedsNoneRequired(Need):
    """The object that is passed must not be one whose method demands more than this call gives."""

    asks: ClassVar = "`{0.op.func}` gets {0.given} arguments", "an object that demands more"
    op: ops.Call
    method: str
    given: int
    names: frozenset[str]
    harmless: ClassVar[frozenset[Kind]] = HARMLESS_AS_ARGUMENT - {OBJECT}

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """Violated by an object of a class of which the library demands it."""
        for _, actual in arguments_at(site, self.dependences):
            if actual.kind is OBJECT and actual.name:
                name = f"{actual.name}.{self.method}"
                lacking = _lacking(site.frame, self.op, name, self.given, self.names, site.chain)
                if lacking is not None:
                    yield lacking
                    return
            if actual.input is not None:
                yield replace(self, dependences=frozenset((actual.input,)))


def check_required(frame: Frame, op: Op, name: str, arguments: Arguments) -> None:
    """Report a call that leaves out what it must be given."""
    if not arguments.is_open:
        lacking = _lacking(frame, op, name, len(arguments.positional), frozenset(arguments.keywords))
        if lacking is not None:
            report(frame, lacking)


def need_none_required(frame: Frame, op: ops.Call, base: Value, method: str, arguments: Arguments) -> None:
    """Leave it to the callers what object it is of which a method is called."""
    if base.kind is INPUT and base.input is not None and not (arguments.is_open or frame.context.is_prepared):
        given = len(arguments.positional), frozenset(arguments.keywords)
        leave(frame, NeedsNoneRequired(op, base.dependences, method, *given))


def _lacking(
    frame: Frame, op: Op, name: str, given: int, named: frozenset[str], chain: tuple[Hop, ...] = ()
) -> Finding | None:
    """What a call of this name leaves out that it must be given."""
    required = frame.program.table.required(name)
    if required is None or not allows(frame, op, required.library, required.since):
        return None
    places = [one for place, one in enumerate(required.positional) if place >= given and one not in named]
    keywords = [keyword for keyword in required.keywords if keyword not in named]
    if not (places or keywords) or is_for_one_release(op, name):
        return None
    other = f", or {required.other}" if required.other else ""
    text, why = callee_text(op, name), f"which `{required.library}` demands since {required.since}"
    if places:
        both = " and ".join(f"`{argument}`" for argument in required.positional)
        said = f"`{text}` is not given {both}, {why}"
        return breaking(op, said, f"call it as `{required.hint}`{other}", chain=chain)
    said = f"`{text}` is called without `{keywords[0]}`, {why}"
    return breaking(op, said, f"pass `{required.hint}`{other}", chain=chain)


def is_for_one_release(op: Op, name: str) -> bool:
    """Does the code ask which release this is, before it comes here?"""
    line, column, _, _ = unpacked(op.place)
    return guards_of(op.anchor.origin.source).hold((line, column), name, op.anchor.origin.home)


def allows(frame: Frame, op: Op, library: str, since: str) -> bool:
    """Does the project allow a release of a library that is as new as this one?"""
    newest = frame.program.linked.target.for_file(op.anchor.origin.file.text).allowed(library).highest
    return not newest or newest >= parsed(since)
