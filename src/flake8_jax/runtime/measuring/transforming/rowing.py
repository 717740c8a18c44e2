"""Composes the row of one transform from all measurements of it, without defaults.

stage       staged           arrays made inside its functions are tracers
            mapped           they are not, but arguments are, and `bool` of them fails
            differentiated   they are not, but arguments are, and `bool` of them works
            transparent      nothing is, in an eager call
            host             nothing is, even if the call stands under a trace
loops       a compiled function is run for more than one turn
exclusive   of several functions only one is run
abstract    functions are traced and never run
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from flake8_jax.model.documents import Json
from flake8_jax.runtime.foreign import Foreign
from flake8_jax.runtime.measuring.transforming.calling import NotThere, evaluated, named, quiet
from flake8_jax.runtime.measuring.transforming.decoding import UNKNOWN, arguments_of, function_word, returns_of
from flake8_jax.runtime.measuring.transforming.expecting import expected
from flake8_jax.runtime.measuring.transforming.options import (
    Usual,
    always_an_array,
    axes_of,
    keeps_of,
    signature_row,
    statics_of,
)
from flake8_jax.runtime.measuring.transforming.recording import DECORATED, CallRecording, Changes, Probed, ResultRewrite
from flake8_jax.runtime.measuring.transforming.seen import DescribedValue

TransformRow: TypeAlias = "dict[str, Json]"

MORE = 5
ILLEGAL = frozenset(("staged", "mapped"))


def row_of(name: str, text: str) -> TransformRow | None:
    """The row of the named transform, measured by this call; None if the call does not work."""
    with quiet():
        try:
            transform = named(name)
        except NotThere:
            return None
    return measured(transform, text)


def measured(transform: Foreign, text: str) -> TransformRow | None:
    """The row of a transform, measured by this call; None if it does not work or runs no function."""
    eager = evaluated(text, transform)
    ran = [probed for probed in eager.functions if probed.runs and probed.place]
    if eager.error is not None or not ran:
        return None
    usual = Usual(text, transform, eager, evaluated(text, transform, traced=None))
    stage = stage_of(usual)
    row: TransformRow = {"parameters": signature_row(usual), "stage": stage}
    row |= _shape_of(usual, stage, ran)
    row |= _manner_of(usual, stage)
    expects = _expects(usual, ran, stage)
    row |= {"times": _times(usual, ran), "expects": expects}
    row["returns"] = _given_back(usual, ran, expects, str(row.get("returns", "")))
    said = {key: value for key, value in row.items() if value not in ("", False, [], "transparent")}
    return said | ({"bools": row["bools"]} if "bools" in row else {})


def _given_back(usual: Usual, ran: list[Probed], expects: list[str], returns: str) -> str:
    """What comes back: where a function must return something like a parameter, that parameter says what, and the
    function's result only looks like it (`odeint` takes a list from its function, and gives an array like `y0`)."""
    names = {parameter.name for parameter in usual.parameters()}
    wanted = dict(zip((f"result {probed.place}" for probed in ran), expects))
    return wanted[returns] if wanted.get(returns) in names else returns


def stage_of(usual: Usual) -> str:
    """The stage in which functions are run."""
    eager, under = usual.eager, usual.traced
    if True in eager.made:
        return "staged"
    if True in eager.traced:
        return "differentiated" if False not in eager.truthy else "mapped"
    ran = any(probed.runs for probed in under.functions)
    seen = under.made | under.traced
    return "host" if True not in seen and (under.error is None or not ran) else "transparent"


def is_wrapping(ran: list[Probed]) -> bool:
    """Are functions run when the returned function is called?"""
    return all(probed.phases == {"wrapped"} for probed in ran)


def _shape_of(usual: Usual, stage: str, ran: list[Probed]) -> TransformRow:
    record = usual.eager
    if is_wrapping(ran) and ran[0].place == DECORATED:
        return {"runs": [f"{DECORATED}({UNKNOWN})"], "returns": UNKNOWN}
    if is_wrapping(ran) and (record.is_called or hands_on(record)):
        returns = returns_of(record, record.wrapped_result, True)
        if returns == UNKNOWN and _is_array(record.wrapped_result) and always_an_array(usual):
            returns = "array"
        row: TransformRow = {"wraps": ran[0].place, "returns": returns}
        if stage not in ("transparent", "host"):
            statics = statics_of(usual)
            row |= {"statics": statics, "axes": axes_of(usual, statics)}
        return row
    words: dict[str, None] = {}
    for probed in ran:
        arguments = arguments_of(record, probed)
        if probed.phases == {"wrapped"}:
            arguments = [UNKNOWN for _ in arguments]
        if stage == "host":
            arguments = [host_word(usual, word) for word in arguments]
        words.setdefault(f"{function_word(probed)}({', '.join(arguments)})", None)
    returns = returns_of(record, record.result, False)
    if stage == "host":
        returns = UNKNOWN  # what host code returns is handed back as arrays of the trace
    if returns == UNKNOWN and _is_array(record.result) and always_an_array(usual):
        returns = "array"
    return {"runs": list(words), "returns": returns}


def host_word(usual: Usual, word: str) -> str:
    """The word for an argument of host code: its concrete value."""
    name = word.removeprefix("*")
    return f"host {word}" if name in usual.eager.given else word


def hands_on(record: CallRecording) -> bool:
    """Does the result contain a function that passes its own arguments on (`haiku.transform(f).apply`)?"""
    given = record.wrapped_given or ()
    runs = record.functions[0].arguments
    return all(run and any(seen.is_like(value) for value in given) for run in runs for seen in run)


def _is_array(seen: DescribedValue | None) -> bool:
    return seen is not None and seen.is_leaf() and seen.leaves[0].is_array()


def _manner_of(usual: Usual, stage: str) -> TransformRow:
    record = evaluated(usual.text, usual.transform, Changes(counting=True))
    if not any(probed.turns for probed in record.functions):
        compiled = evaluated(usual.text, usual.transform, Changes(counting=True), traced=None, compiled=True)
        record = compiled if compiled.error is None else record
    row: TransformRow = {}
    if any(leaf.ref for probed in record.functions for run in probed.arguments for seen in run for leaf in seen.leaves):
        row["passes"] = "ref"
    if stage not in ("transparent", "host"):
        row["keeps"] = keeps_of(usual)
    turns, runs = [p.turns for p in record.functions], [p.runs for p in record.functions]
    if record.error is None and stage != "mapped":
        grows = any(one.runs < more.runs for one, more in zip(usual.eager.functions, _with_more(usual).functions))
        row["loops"] = any(t > r for t, r in zip(turns, runs)) or (stage == "transparent" and grows)
        traced = [probed.runs > 0 for probed in usual.traced.functions]
        row["exclusive"] = len(turns) > 1 and all(traced) and sum(turn > 0 for turn in turns) == 1
        row["abstract"] = sum(runs) > 0 == sum(turns)
    legal = usual.eager.truthy
    if legal and (True in legal) == (stage in ILLEGAL) and len(legal) == 1:
        row["bools"] = True in legal
    return row


def _with_more(usual: Usual) -> CallRecording:
    return evaluated(usual.text, usual.transform, size=MORE)


def _times(usual: Usual, ran: list[Probed]) -> list[str]:
    under = usual.traced if usual.traced.error is None else usual.eager
    names = None if usual.traced.error is None else frozenset[str]()
    more = evaluated(usual.text, usual.transform, size=MORE, traced=names)
    places = [place for place, probed in enumerate(usual.eager.functions) if any(probed is one for one in ran)]
    found: dict[str, str] = {}
    for place in places:
        probed = usual.eager.functions[place]
        runs = under.functions[place].runs if place < len(under.functions) else 0
        later = more.functions[place].runs if place < len(more.functions) else runs
        key = _key(usual, probed)
        found.setdefault(key, "each" if later > runs else str(runs))
    return list(found.values())


def _expects(usual: Usual, ran: list[Probed], stage: str) -> list[str]:
    def works(changed: Mapping[int, ResultRewrite]) -> bool:
        changes = Changes(results=changed)
        record = evaluated(usual.text, usual.transform, changes) if stage == "host" else usual.again(changes)
        return record.error is None and not record.faults

    found: dict[str, str] = {}
    for place, probed in enumerate(usual.eager.functions):
        if any(probed is one for one in ran):
            found.setdefault(_key(usual, probed), expected(usual.eager, place, works))
    return list(found.values())


def _key(usual: Usual, probed: Probed) -> str:
    """Functions of one run count once: all branches of a list are one."""
    return function_word(probed)
