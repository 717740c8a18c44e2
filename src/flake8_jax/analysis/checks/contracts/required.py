"""Calls of a library's classes and methods without arguments that its version demands.

nnx.Optimizer(model, tx)            since 0.11 it must be told what it optimizes, by `wrt`
optimizer.update(grads)             since then the model comes first

Which version that is, the measured table of the library says; a project that allows older ones alone, as a lock does,
may leave them out, and so may code that asks which release it runs with.
"""

from __future__ import annotations

from flake8_jax.analysis.callables import Arguments
from flake8_jax.analysis.checks.contracts.broken import breaking, report
from flake8_jax.analysis.checks.releases.guards import guards_of
from flake8_jax.analysis.checks.wording import callee_text
from flake8_jax.analysis.frame import Frame
from flake8_jax.api.contracts import RequiredArguments
from flake8_jax.api.versions import parsed
from flake8_jax.ir.ops import Op
from flake8_jax.syntax.positions import unpacked


def check_required(frame: Frame, op: Op, name: str, arguments: Arguments) -> None:
    """Report a call that leaves out what it must be given."""
    required = frame.program.table.required(name)
    if required is None or arguments.is_open or not _is_demanded(frame, op, required):
        return
    given, named = len(arguments.positional), arguments.keywords
    places = [one for place, one in enumerate(required.positional) if place >= given and one not in named]
    keywords = [keyword for keyword in required.keywords if keyword not in named]
    if not (places or keywords) or _is_for_one_release(op, name):
        return
    other = f", or {required.other}" if required.other else ""
    text, why = callee_text(op, name), f"which `{required.library}` demands since {required.since}"
    if places:
        both = " and ".join(f"`{argument}`" for argument in required.positional)
        report(frame, breaking(op, f"`{text}` is not given {both}, {why}", f"call it as `{required.hint}`{other}"))
    elif keywords:
        said = f"`{text}` is called without `{keywords[0]}`, {why}"
        report(frame, breaking(op, said, f"pass `{required.hint}`{other}"))


def _is_for_one_release(op: Op, name: str) -> bool:
    """Does the code ask which release this is, before it comes here?"""
    line, column, _, _ = unpacked(op.place)
    return guards_of(op.anchor.origin.source).hold((line, column), name)


def _is_demanded(frame: Frame, op: Op, required: RequiredArguments) -> bool:
    """Does the newest release that the project allows demand it?"""
    newest = frame.program.linked.target.for_file(op.anchor.origin.file.text).allowed(required.library).highest
    return not newest or newest >= parsed(required.since)
