"""Who calls a function, what is passed for its parameters, and which trace reaches them.

`step` calls `helper` on line 27: `t` is computed from inputs; traced if `x` is
  `train` calls `step` on line 36: `x` is input; traced: `train` is jitted on line 30
"""

from __future__ import annotations

from flake8_jax.analysis.checks.context import place
from flake8_jax.analysis.windows.lines import CallSeen, Observation, Owner
from flake8_jax.analysis.windows.rows import ValueRow
from flake8_jax.analysis.windows.values import described, staging, trace_text, traced_text
from flake8_jax.domain.kinds import INPUT
from flake8_jax.domain.staging import NONE, Ambient, Dependences, certain, in_order
from flake8_jax.ir.ops import Function

MOST_CALLS, DEEPEST = 5, 3


def traces_text(observation: Observation, rows: list[ValueRow]) -> list[str]:
    """Of the inputs that the values on a line depend on: by which trace and calls they are traced."""
    held = [seen.value.dependences for row in rows for seen in row.sightings]
    owners = dict.fromkeys(owner for one in held for owner in owners_of(observation, one))
    return [_trace_line(observation, *owner) for owner in owners]


def _trace_line(observation: Observation, function: Function, name: str) -> str:
    subject = f"`{name}` of {function.title}" if name else f"the code of {function.title}"
    found = _traced_by(observation, function, name)
    if found:
        return f"{subject} is traced: {', '.join(found)}"
    why = " by any caller" if function in observation.calls else f": {_nobody(observation, function)}"
    return f"{subject} is not seen to be traced{why}"


def _nobody(observation: Observation, function: Function) -> str:
    """That no call is seen; callers in other files are searched for only where something waits for them."""
    text = f"nobody is seen to call or transform {function.title}"
    summaries = observation.runs.get(function, {}).values()
    rooms = {effect.evidence.room for summary in summaries for effect in summary.requires.effects}
    is_awaited = not rooms <= {"read", "write"}
    return text if is_awaited else f"{text} in this file, and nothing in it waits for callers in others"


def _traced_by(observation: Observation, function: Function, name: str) -> list[str] | None:
    """The trace that reaches an input, or the code around where there is no name, and the calls from there on."""
    home = observation.home
    waiting: list[tuple[Function, str, list[str]]] = [(function, name, [])]
    done = {(function, name)}
    while waiting:
        at, wanted, chain = waiting.pop(0)
        for call in observation.calls.get(at, ()):
            held, _ = _passed(observation, call, wanted)
            token = certain(held)
            is_direct = call.mode == "root" or call.applied
            here = chain if is_direct else [_call_text(call, home), *chain]
            if token is not None and token.stage != "differentiated":
                return [trace_text(token.trace, home), *here]
            for owner in owners_of(observation, held):
                if owner not in done:
                    done.add(owner)
                    waiting.append((*owner, here))
    return None


def owners_of(observation: Observation, dependences: Dependences) -> list[Owner]:
    """What dependences belong to: parameters, by path, then the functions whose code they are made in.

    A part of a parameter stands for itself where calls were asked what they pass for it, else for the parameter.
    """
    found: dict[Owner, None] = {}
    for source in in_order(dependences):
        owner, path = observation.owners.get(source.root), source.path
        if owner is not None:
            is_asked = any(path in call.parts for call in observation.calls.get(owner[0], ()))
            found[(owner[0], path) if is_asked else owner] = None
    around = {observation.owners.get(dependence) for dependence in dependences if type(dependence) is Ambient}
    inner = sorted((owner for owner in around if owner is not None), key=lambda owner: owner[0].anchor.line)
    return [*found, *inner]


def callers(observation: Observation, function: Function, name: str, depth: int) -> list[str]:
    """The calls of a function, with what they pass for a parameter; "" stands for the code around."""
    blocks: dict[str, list[str]] = {}
    for call in observation.calls.get(function, ()):
        held, text = _passed(observation, call, name)
        head = f"{_call_text(call, observation.home)}: {text}"
        if head not in blocks:
            is_end = certain(held) is not None or depth >= DEEPEST or len(blocks) >= MOST_CALLS
            owners = [] if is_end else owners_of(observation, held)
            further = [callers(observation, *owner, depth + 1) for owner in owners]
            blocks[head] = [f"  {line}" for lines in further for line in lines]
    if not blocks:
        return [_nobody(observation, function)]
    lines = [line for head, below in list(blocks.items())[:MOST_CALLS] for line in (head, *below)]
    more = len(blocks) - MOST_CALLS
    return lines if more <= 0 else [*lines, f"and {more} more calls of {function.title}"]


def _passed(observation: Observation, call: CallSeen, name: str) -> tuple[Dependences, str]:
    """What a call passes for a parameter; of an anonymous argument only the trace is known."""
    if call.mode == "host":
        return NONE, "run on the host"
    if not name:
        traced = traced_text(call.ambient, observation.home) if call.ambient else "not traced"
        return call.ambient, f"its code is {traced}"
    value = call.parts.get(name) or call.bound.get(name)
    if value is None:
        return NONE, f"`{name}` is not passed"
    for applied in call.applied:
        if applied.may_be_static(name):
            return NONE, f"`{name}` is static for `{applied.transform.name}`"
        if call.mode == "root" and value.kind is INPUT and not value.dependences:
            return NONE, f"`{name}` is left untraced by `{applied.transform.name}`"
    is_anonymous = value.kind is INPUT and certain(value.dependences) is not None
    text = staging(value, observation.home) if is_anonymous else described(value, observation.home)
    return value.dependences, f"`{name}` is {text}"


def _call_text(call: CallSeen, home: str) -> str:
    anchor, callee = call.op.anchor, call.callee.title
    what = f"{callee} is wrapped" if call.mode == "root" else f"{call.caller.title} calls {callee}"
    return f"{what} {place(anchor.origin.shown, anchor.line, anchor.origin.shown != home)}"
