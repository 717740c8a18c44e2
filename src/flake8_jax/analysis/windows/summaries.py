"""The summaries of a file's functions as text, one fact a line.

def helper(t), line 3
  input: `t` is input `t`; traced if `t` is
  requires: NeedsConcrete of `t` at `t > 0`, 4:8; form: 'if', is_plain_input: False
  returns: host value None
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from flake8_jax.analysis.checks.concrete import NeedsConcrete
from flake8_jax.analysis.checks.keys.sinks import Sink
from flake8_jax.analysis.evaluator import summary_of
from flake8_jax.analysis.interpretation import deep_recursion
from flake8_jax.analysis.modules.files import File
from flake8_jax.analysis.summaries.fixpoint import in_own_record
from flake8_jax.analysis.summaries.records import Records
from flake8_jax.analysis.windows.fields import (
    chain_text,
    condition_text,
    dependences_text,
    own_fields,
    place_of,
    use_text,
)
from flake8_jax.analysis.windows.lines import held_by
from flake8_jax.analysis.windows.values import described
from flake8_jax.domain.conditions import Path
from flake8_jax.domain.effects import Effect
from flake8_jax.domain.staging import Input
from flake8_jax.domain.summary import Summary
from flake8_jax.ir.ops import Function
from flake8_jax.ir.phrase import phrase

TITLES = {"need": "requires", "act": "effect", "event": "effect", "read": "reads", "write": "writes", "cost": "effect"}


def summaries_text(file: File) -> str:
    """The summaries of all functions of an interpreted file, in source order."""
    found = _summaries(file)
    return "\n".join(_block(function, found[function]) for function in sorted(found, key=_order))


def _summaries(file: File) -> dict[Function, Summary]:
    """The functions of an interpreted file, each with the summary of its general run."""
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
    return found


def _order(function: Function) -> tuple[int, int, str]:
    places = [parameter.place for parameter in function.parameters]
    return function.anchor.line, min(places, default=0), function.qualname


def _block(function: Function, summary: Summary) -> str:
    parameters = ", ".join(parameter.name for parameter in function.parameters)
    head = f"{function.kind} {function.qualname}({parameters}), line {function.anchor.line}"
    return "\n  ".join([head, *_facts(summary)]) + "\n"


def _facts(summary: Summary) -> Iterator[str]:
    """What a summary says, in the order of its fields."""
    yield from (f"input: `{name}` is {described(value)}" for name, value in summary.inputs.items())
    yield from (f"{TITLES[effect.evidence.room]}: {_effect_text(effect)}" for effect in summary.requires.effects)
    yield from (f"uses up: {_sink_text(*each)}" for each in summary.requires.effects.of(Sink))
    uses, writes, outside = summary.uses, summary.writes, summary.outside
    yield from (f"used as an array: {source.text()}" for source in uses.arrays)
    yield from (f"called: {source.text()}" for source, _ in uses.called)
    yield from (f"looked up on its class: `{source.path}.{name}`" for source, name in uses.lookups)
    yield from (f"passed on as it is: {source.text()}" for source, _ in uses.spreads)
    for (source, step), value in writes.parts.items():
        yield f"stores: {source.part(step).text()} is {described(value)}"
    yield from (f"invalidates: {source.text()}" for source in writes.invalidated)
    yield from (f"may change: {described(value)}" for value in writes.touched)
    yield from (f"rebinds: `{name}`" for name in writes.rebound)
    yield from (f"captures: `{name}` is {described(value)}" for name, value in outside.captured.items())
    yield f"returns: {described(summary.returns) if summary.returns is not None else 'never'}"


def _effect_text(effect: Effect) -> str:
    """A precondition or an effect: its class, what it depends on, its op, its own fields, its path and its chain."""
    evidence, op = effect.evidence, effect.evidence.op
    what = f"{type(evidence).__name__} of {dependences_text(held_by(evidence))}"
    way = evidence.way if isinstance(evidence, NeedsConcrete) else ()
    facts = [f"{what} at `{phrase(op)}`, {place_of(op)}", *own_fields(evidence), *_when((*way, *effect.when))]
    facts += [f"via {', '.join(chain_text(effect.chain))}"] if effect.chain else []
    return "; ".join(facts)


def _sink_text(sink: Sink, effect: Effect) -> str:
    target = sink.target.text() if isinstance(sink.target, Input) else f"captured {described(sink.target)}"
    return "; ".join([f"{target} by {use_text(sink.use)}", *_when(effect.when)])


def _when(when: Path) -> list[str]:
    return [f"when {condition_text(when)}"] if when else []
