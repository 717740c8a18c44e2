"""The summaries of a file's functions as text, one fact a line.

def helper(t), line 3
  input: `t` is input `t`; traced if `t` is
  requires: NeedsConcrete of `t` at `t > 0`, 4:8; form: 'if', is_bare: False
  returns: host value None
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from flake8_jax.analysis.evaluator import summary_of
from flake8_jax.analysis.interpretation import deep_recursion
from flake8_jax.analysis.modules.files import File
from flake8_jax.analysis.summaries.fixpoint import in_own_record
from flake8_jax.analysis.summaries.records import Records
from flake8_jax.analysis.windows.fields import (
    chain_text,
    condition_text,
    dependences_text,
    field_text,
    own_fields,
    place_of,
)
from flake8_jax.analysis.windows.values import described, path_of
from flake8_jax.domain.conditions import Path
from flake8_jax.domain.provenance import Hop
from flake8_jax.domain.staging import Input
from flake8_jax.domain.summary import Latent, Sink, Summary
from flake8_jax.ir.ops import Function
from flake8_jax.ir.phrase import phrase


def functions_of(file: File) -> list[tuple[Function, Summary]]:
    """The functions of an interpreted file in source order, each with the summary of its general run."""
    program, found = file.linked.program, dict[Function, Summary]()
    records = Records(program)
    with deep_recursion():
        for unit in file.units:
            file.run(unit)
            file.finish(unit)
            records.take_record(unit.record)
        for record in records.found:
            for each in record.functions:
                if each.frame.namespace.file is file and not each.given:
                    summary = in_own_record(program, partial(summary_of, program, each), record)
                    found.setdefault(each.function, summary)
    return sorted(found.items(), key=_order)


def _order(entry: tuple[Function, Summary]) -> tuple[int, int, str]:
    function, _ = entry
    places = [parameter.place for parameter in function.parameters]
    return function.anchor.line, min(places, default=0), function.qualname


def summaries_text(file: File) -> str:
    """The summaries of all functions of an interpreted file."""
    return "\n".join(summary_text(function, summary) for function, summary in functions_of(file))


def summary_text(function: Function, summary: Summary) -> str:
    """The summary of one function."""
    parameters = ", ".join(parameter.name for parameter in function.parameters)
    head = f"{function.kind} {function.qualname}({parameters}), line {function.anchor.line}"
    return "\n  ".join([head, *facts_of_summary(summary)]) + "\n"


def facts_of_summary(summary: Summary) -> Iterator[str]:
    """What a summary says, in the order of its fields."""
    yield from (f"input: `{name}` is {described(value)}" for name, value in summary.inputs.items())
    for title, latents in (("requires", summary.requires.preconditions), ("effect", summary.requires.effects)):
        yield from (f"{title}: {latent_text(latent)}" for latent in latents)
    yield from (f"uses up: {_sink_text(sink)}" for sink in summary.requires.sinks)
    for key, deferred in summary.requires.deferred.items():
        kind, op, _ = key
        yield from (f"holds: {kind.__name__} at {place_of(op)}{_when(each.when)}" for each in deferred)
    uses, writes, outside = summary.uses, summary.writes, summary.outside
    yield from (f"used as an array: {field_text(source)}" for source in uses.arrays)
    yield from (f"called: {field_text(source)}" for source in uses.called)
    yield from (f"looked up on its class: `{path_of(source)}.{name}`" for source, name in uses.lookups)
    yield from (f"passed on as it is: {field_text(source)}" for source in uses.spreads)
    for (source, (sign, name)), value in writes.parts.items():
        yield f"stores: `{path_of(Input('', source, (sign, name)))}` is {described(value)}"
    yield from (f"invalidates: {field_text(source)}" for source in writes.invalidated)
    yield from (f"may change: {described(value)}" for value in writes.touched)
    yield from (f"rebinds: `{name}`" for name in writes.rebound)
    yield from (f"captures: `{name}` is {described(value)}" for name, value in outside.captured.items())
    yield f"returns: {described(summary.returns) if summary.returns is not None else 'never'}"


def latent_text(latent: Latent) -> str:
    """A precondition or an effect: its class, what it depends on, its op, its own fields, its path and its chain."""
    held = getattr(latent, "dependences", None)
    depends = "" if held is None else f" of {dependences_text(held)}"
    own = "; ".join(own_fields(latent))
    place = f"{type(latent).__name__}{depends} at `{phrase(latent.op)}`, {place_of(latent.op)}"
    return f"{place}; {own}{_when(latent.when)}{_via(latent.chain)}"


def _sink_text(sink: Sink) -> str:
    target = field_text(sink.target) if isinstance(sink.target, Input) else f"captured {described(sink.target)}"
    return f"{target} by {field_text(sink.use)}{_when(sink.when)}"


def _when(when: Path) -> str:
    text = condition_text(when)
    return f"; when {text}" if text else ""


def _via(chain: tuple[Hop, ...]) -> str:
    return f"; via {', '.join(chain_text(chain))}" if chain else ""
