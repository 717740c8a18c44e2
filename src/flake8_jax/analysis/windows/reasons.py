"""Why nothing is reported on a line: what would be reported, and what callers pass instead.

`t > 0` must be concrete for `if`: it waits for a tracer in `t`
  `step` calls `helper` on line 27: `t` is computed from inputs; traced if `x` is
    nobody is seen to call or transform `step`
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from string import Formatter

from flake8_jax.analysis.checks.keys.sinks import Sink
from flake8_jax.analysis.windows.callers import callers, owners_of
from flake8_jax.analysis.windows.fields import use_text
from flake8_jax.analysis.windows.lines import Observation, held_by
from flake8_jax.analysis.windows.rows import ValueRow
from flake8_jax.analysis.windows.values import sources
from flake8_jax.api.table import Table
from flake8_jax.domain.effects import KeptEvidence
from flake8_jax.domain.kinds import API, HOST_VALUES, RANDOM_KEYS, UNKNOWN
from flake8_jax.domain.staging import Input, in_order
from flake8_jax.domain.summary import Summary
from flake8_jax.ir import ops
from flake8_jax.ir.ops import OPS, Op
from flake8_jax.ir.phrase import phrase

READS = frozenset((ops.Name, ops.Attr, ops.Item))


class Spelling(Formatter):
    """Fills a text with what evidence holds: ops by their phrases, names in order."""

    def format_field(self, value: object, format_spec: str) -> str:
        """The text of one field."""
        if isinstance(value, frozenset):
            return ", ".join(sorted(value))
        return phrase(value) if type(value) in OPS else format(value, format_spec)  # type: ignore[arg-type]  # it is an op


def reasons(observation: Observation, rows: list[ValueRow], reported: Iterable[Op], table: Table) -> list[str]:
    """What is known of why no rule speaks on the line, beside the ops of events."""
    blocks = dict.fromkeys(_waiting(observation, rows, list(reported)))
    lines = [line for block in blocks for line in block]
    lines += [*_keys(rows), *_outputs(observation, rows, table)]
    if any(seen.context.is_prepared for row in rows for seen in row.sightings):
        lines.append("errors are expected here: a `try` around it catches what JAX raises")
    unknown = [row for row in rows if row.sightings and all(seen.value.kind is UNKNOWN for seen in row.sightings)]
    if unknown:
        lines.append(f"what is not known is silent: {', '.join(f'`{row.text}`' for row in unknown)}")
    return lines


def _keys(rows: list[ValueRow]) -> Iterator[str]:
    """Of the keys that are read on the line: that nothing used them up before."""
    for row in rows:
        earlier = [is_apart for seen in row.sightings for _, is_apart in seen.earlier]
        if type(row.op) in READS and any(seen.value.kind in RANDOM_KEYS for seen in row.sightings) and all(earlier):
            what = "only paths that exclude this one" if earlier else "nothing"
            yield f"{what} used up the key `{row.text}` before"


def _outputs(observation: Observation, rows: list[ValueRow], table: Table) -> Iterator[str]:
    """Of the calls on the line that write something out: why that is taken as meant."""
    for call in (row.op for row in rows if isinstance(row.op, ops.Call)):
        for seen in observation.values.get(call.func, ())[-1:]:
            if seen.value.kind is not API or not table.known(seen.value.name).effect:
                continue
            if seen.context.is_handling:
                yield f"`{phrase(call.func)}` runs while an error is handled, which is taken as meant"
            elif any(fact.test == "truth" and fact.holds for fact in seen.path):
                yield f"`{phrase(call.func)}` runs only if a flag is set, which is taken as meant"


def nothing_asked(rows: list[ValueRow]) -> str:
    """Why nothing is reported where no rule asks anything: the whole expression is of the host, or any may be."""
    kinds = {seen.value.kind for row in rows[:1] for seen in row.sightings}
    is_host = bool(kinds) and kinds <= HOST_VALUES
    what = f"`{rows[0].text}` is a value of the host" if is_host else "no rule asks anything of this line"
    return f"nothing is reported: {what}"


def calls_text(observation: Observation, rows: list[ValueRow]) -> list[str]:
    """Of the functions that are defined on the line: who calls them, and whether their code is traced there."""
    made = [row.op.function for row in rows if isinstance(row.op, ops.Closure) and row.sightings]
    return [line for function in made for line in callers(observation, function, "", 0)]


def _waiting(observation: Observation, rows: list[ValueRow], reported: list[Op]) -> Iterator[tuple[str, ...]]:
    place = observation.place
    for function in dict.fromkeys(row.function for row in rows if row.function is not None):
        for summary in observation.runs.get(function, {}).values():
            for effect in summary.requires.effects:
                evidence = effect.evidence
                if not effect.chain and place.holds(evidence.op) and evidence.op not in reported:
                    yield tuple(_latent_lines(observation, summary, evidence))
            for sink, _ in summary.requires.effects.of(Sink) if not reported else ():
                if (sink.use.path, sink.use.line) == (observation.home, place.line):
                    key = sink.target.text() if isinstance(sink.target, Input) else "a captured key"
                    again = "another use on one path, here or in a caller, would be reported"
                    yield (f"{key} is used up by {use_text(sink.use)}: {again}",)


def _latent_lines(observation: Observation, summary: Summary, evidence: KeptEvidence) -> Iterator[str]:
    """What a precondition or an effect waits for, and what the callers pass."""
    question, wanted = evidence.asks
    held = held_by(evidence)
    waits = f"it waits for {wanted} in {' or '.join(sources(held)) or 'the code around'}"
    yield f"{Spelling().format(question, evidence)}: {waits}"
    if getattr(evidence, "is_plain_input", False):
        vague = [source.text() for source in in_order(held) if source not in summary.uses.arrays]
        if vague:
            yield f"  nothing shows that {' or '.join(vague)} is an array: a container that is passed there is legal"
    for owner in owners_of(observation, held):
        yield from (f"  {line}" for line in callers(observation, *owner, 0))
