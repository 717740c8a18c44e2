"""Who calls a function, what is passed for its parameters, and which trace reaches them.

`step` calls `helper` on line 27: `t` is computed from inputs; traced if `x` is
  `train` calls `step` on line 36: `x` is input; traced: `train` is jitted on line 30
"""

from __future__ import annotations

from flake8_jax.analysis.windows.lines import CallSeen, Observation, Owner
from flake8_jax.analysis.windows.rows import ValueRow
from flake8_jax.analysis.windows.values import (
    described,
    name_of_function,
    path_of,
    staging,
    trace_text,
    traced_text,
)
from flake8_jax.domain.staging import NONE, Ambient, Dependences, Input, certain, in_order
from flake8_jax.domain.value import INPUT, Value
from flake8_jax.ir.ops import Function

MOST_CALLS, DEEPEST = 5, 3


def traces_text(observation: Observation, rows: list[ValueRow]) -> list[str]:
    """Of all inputs that the values on a line depend on: by which trace and calls they are traced, if any is seen."""
    found: dict[Owner, None] = {}
    for row in rows:
        for seen in row.sightings:
            found |= dict.fromkeys(owners_of(observation, seen.value.dependences))
    return [_trace_line(observation, *owner) for owner in found]


def _trace_line(observation: Observation, function: Function, name: str) -> str:
    title = name_of_function(function)
    subject = f"`{name}` of {title}" if name else f"the code of {title}"
    found = _traced_by(observation, function, name)
    if found is not None:
        return f"{subject} is traced: {', '.join(found)}"
    if not observation.calls.get(function):
        return f"{subject} is not seen to be traced: {_nobody(observation, function)}"
    return f"{subject} is not seen to be traced by any caller"


def _nobody(observation: Observation, function: Function) -> str:
    """That no call is seen; callers in other files are searched for only where something waits for them."""
    text = f"nobody is seen to call or transform {name_of_function(function)}"
    requires = [summary.requires for summary in observation.runs.get(function, {}).values()]
    is_awaited = any(one.preconditions or one.effects for one in requires)
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
            is_direct = call.manner == "root" or call.applied
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
        owner, path = observation.owners.get(_root(source)), path_of(source)
        if owner is not None:
            is_asked = any(path in call.parts for call in observation.calls.get(owner[0], ()))
            found[(owner[0], path) if is_asked else owner] = None
    around = {observation.owners.get(one) for one in dependences if type(one) is Ambient}
    inner = sorted((owner for owner in around if owner is not None), key=lambda owner: owner[0].anchor.line)
    return [*found, *inner]


def _root(source: Input) -> Input:
    while source.parent is not None:
        source = source.parent
    return source


def callers(observation: Observation, function: Function, name: str, depth: int) -> list[str]:
    """The calls of a function, with what they pass for a parameter; "" stands for the code around."""
    calls = observation.calls.get(function, [])
    title = name_of_function(function)
    if not calls:
        return [_nobody(observation, function)]
    blocks: dict[str, list[str]] = {}
    home = observation.home
    for call in calls:
        held, text = _passed(observation, call, name)
        blocks.setdefault(f"{_call_text(call, home)}: {text}", _further(observation, held, depth))
    lines = [line for head, below in list(blocks.items())[:MOST_CALLS] for line in (head, *below)]
    more = len(blocks) - MOST_CALLS
    return lines if more <= 0 else [*lines, f"and {more} more calls of {title}"]


def _further(observation: Observation, held: Dependences, depth: int) -> list[str]:
    """The calls of the caller, on which what it passes depends."""
    if certain(held) is not None or depth >= DEEPEST:
        return []
    owners = owners_of(observation, held)
    return [f"  {line}" for owner in owners for line in callers(observation, *owner, depth + 1)]


def _passed(observation: Observation, call: CallSeen, name: str) -> tuple[Dependences, str]:
    if call.manner == "host":
        return NONE, "run on the host"
    if not name:
        traced = traced_text(call.ambient, observation.home) if call.ambient else "not traced"
        return call.ambient, f"its code is {traced}"
    value = call.parts.get(name) or call.bound.get(name)
    if value is None:
        return NONE, f"`{name}` is not passed"
    for applied in call.applied:
        if name in applied.static_names:
            return NONE, f"`{name}` is static for `{applied.transform.name}`"
        if call.manner == "root" and value.kind is INPUT and not value.dependences:
            return NONE, f"`{name}` is left untraced by `{applied.transform.name}`"
    return value.dependences, f"`{name}` is {_passed_text(value, observation.home)}"


def _passed_text(value: Value, home: str) -> str:
    """A value as it is passed; of an anonymous argument only the trace is known."""
    is_anonymous = value.kind is INPUT and certain(value.dependences) is not None
    return staging(value, home) if is_anonymous else described(value, home)


def _call_text(call: CallSeen, home: str) -> str:
    place = f"on line {call.op.anchor.line}"
    origin = call.op.anchor.origin
    if origin.shown != home:
        place += f" of `{origin.shown}`"
    callee = name_of_function(call.callee)
    if call.manner == "root":
        return f"{callee} is wrapped {place}"
    return f"{name_of_function(call.caller)} calls {callee} {place}"
