"""Why nothing is reported on a line: what would be reported, and what callers pass instead.

    `t > 0` must be concrete for `if`: it waits for a tracer in `t`
      `step` calls `helper` on line 27: `t` is computed from inputs; traced if `x` is
        nobody is seen to call or transform `step`
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from flake8_jax.analysis.checks.concrete import NeedsConcrete
from flake8_jax.analysis.checks.mutation import NeedsMutable
from flake8_jax.analysis.checks.output import Output
from flake8_jax.analysis.checks.sequences import NeedsArray, NeedsNoArray
from flake8_jax.analysis.windows.callers import callers, owners_of
from flake8_jax.analysis.windows.fields import use_text
from flake8_jax.analysis.windows.lines import Observation, held_by
from flake8_jax.analysis.windows.rows import ValueRow, unknown_in
from flake8_jax.analysis.windows.values import path_of, payload, sources
from flake8_jax.api.table import Table
from flake8_jax.domain.provenance import Use
from flake8_jax.domain.staging import Input, in_order
from flake8_jax.domain.summary import Latent, Sink, Summary
from flake8_jax.domain.value import API, KEY, KEYS, NUMBER, NUMPY, STATIC
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase

READS = frozenset((ops.Name, ops.Attr, ops.Item))
HOST = frozenset((NUMBER, STATIC, NUMPY))

NEEDS: dict[type, Callable[[Any], tuple[str, str]]] = {
    NeedsConcrete: lambda one: (f"`{phrase(one.op)}` must be concrete for `{one.form}`", "a tracer"),
    NeedsMutable: lambda one: (f"`{phrase(one.op.base)}` must be mutable", "an array"),
    NeedsArray: lambda one: (f"`{phrase(one.op)}` must be no sequence for `{one.callee}`", "a list or tuple"),
    NeedsNoArray: lambda one: (f"no array may stand beside the {one.given} `{phrase(one.op)}`", "an array"),
    Output: lambda one: (f"`{one.callee}` must show no tracer", "a tracer"),
}
"""What a precondition or an effect asks, and what in its inputs would be reported."""


def reasons(observation: Observation, rows: list[ValueRow], reported: Iterable[Op], table: Table) -> list[str]:
    """What is known of why no rule speaks on the line, beside the ops of events."""
    lines = list(dict.fromkeys(_waiting(observation, rows, set(map(id, reported)))))
    lines = [part for text in lines for part in text.split("\n")]
    lines += _keys(rows)
    lines += _outputs(observation, table)
    if any(seen.context.is_prepared for row in rows for seen in row.sightings):
        lines.append("errors are expected here: a `try` around it catches what JAX raises")
    unknown = unknown_in(rows)
    if unknown:
        lines.append(f"what is not known is silent: {', '.join(f'`{text}`' for text in unknown)}")
    return lines


def _keys(rows: list[ValueRow]) -> Iterator[str]:
    """Of the keys that are read on the line: that nothing used them up before."""
    for row in rows:
        earlier = [is_apart for seen in row.sightings for _, is_apart in seen.earlier]
        if type(row.op) in READS and any(seen.value.kind in (KEY, KEYS) for seen in row.sightings) and all(earlier):
            what = "only paths that exclude this one" if earlier else "nothing"
            yield f"{what} used up the key `{row.text}` before"


def _outputs(observation: Observation, table: Table) -> Iterator[str]:
    """Of the calls on the line that write something out: why that is taken as meant."""
    for call, sightings in observation.callees.items():
        for seen in sightings[-1:]:
            is_output = seen.value.kind is API and table.known(payload(seen.value)[0]).effect
            if not is_output or not isinstance(call, ops.Call):
                continue
            if seen.context.is_handling:
                yield f"`{phrase(call.func)}` runs while an error is handled, which is taken as meant"
            elif any(fact.test == "truth" and fact.holds for fact in seen.path):
                yield f"`{phrase(call.func)}` runs only if a flag is set, which is taken as meant"


def nothing_asked(rows: list[ValueRow]) -> str:
    """Why nothing is reported where no rule asks anything: the whole expression is of the host, or any may be."""
    kinds = {seen.value.kind for row in rows[:1] for seen in row.sightings}
    is_host = bool(kinds) and kinds <= HOST
    what = f"`{rows[0].text}` is a value of the host" if is_host else "no rule asks anything of this line"
    return f"nothing is reported: {what}"


def calls_text(observation: Observation, rows: list[ValueRow]) -> list[str]:
    """Of the functions that are defined on the line: who calls them, and whether their code is traced there."""
    lines: list[str] = []
    for row in rows:
        if isinstance(row.op, ops.Closure) and row.sightings:
            lines += callers(observation, row.op.function, "", 0)
    return lines


def _waiting(observation: Observation, rows: list[ValueRow], reported: set[int]) -> Iterator[str]:
    functions = dict.fromkeys(row.function for row in rows if row.function is not None)
    for function in functions:
        for summary in observation.runs.get(function, {}).values():
            latents: list[Latent] = [*summary.requires.preconditions, *summary.requires.effects]
            for latent in latents:
                if not latent.chain and observation.place.holds(latent.op) and id(latent.op) not in reported:
                    yield "\n".join(_latent_lines(observation, summary, latent))
            if not reported:
                sinks = summary.requires.sinks
                yield from (_sink_line(sink) for sink in sinks if _stands(sink.use, observation, rows))


def _stands(use: Use, observation: Observation, rows: list[ValueRow]) -> bool:
    """Is a key used up on the line?"""
    shown = {row.op.anchor.origin.shown for row in rows if row.op is not None}
    return use.line == observation.place.line and use.path in shown


def _sink_line(sink: Sink) -> str:
    key = f"`{path_of(sink.target)}`" if isinstance(sink.target, Input) else "a captured key"
    return f"{key} is used up by {use_text(sink.use)}: another use on one path, here or in a caller, would be reported"


def _latent_lines(observation: Observation, summary: Summary, latent: Latent) -> Iterator[str]:
    """What a precondition or an effect waits for, and what the callers pass."""
    make = NEEDS.get(type(latent))
    asks, wanted = make(latent) if make is not None else (f"{type(latent).__name__} of `{phrase(latent.op)}`", "more")
    held = held_by(latent)
    yield f"{asks}: it waits for {wanted} in {' or '.join(sources(held))}"
    if getattr(latent, "is_bare", False):
        vague = [f"`{path_of(source)}`" for source in in_order(held) if source not in summary.uses.arrays]
        if vague:
            yield f"  nothing shows that {' or '.join(vague)} is an array: a container that is passed there is legal"
    for owner in owners_of(observation, held):
        yield from (f"  {line}" for line in callers(observation, *owner, 0))
