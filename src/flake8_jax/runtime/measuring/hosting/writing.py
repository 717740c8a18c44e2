"""Writes the row of a host function, from the results of its calls and the parameters that refuse tracers."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping

from flake8_jax.runtime.measuring.hosting.probing import HostProbe, VariedCall
from flake8_jax.runtime.measuring.hosting.signatures import required
from flake8_jax.runtime.measuring.notation import P, shown


def row(name: str, probe: HostProbe, marks: Mapping[str, str], *, is_short: bool) -> str:
    """The row of a function; "" if it has no mark and nothing is known of the result."""
    returns = returned(probe)
    if probe.changes_argument or (returns == "unknown" and not any(marks.values())):
        return ""
    signature = probe.signature
    if is_short:
        signature, marks = shortened(probe, marks, returns)
    return f"{name}({shown(list(signature.parameters.values()), marks)}) -> {returns}"


def returned(probe: HostProbe) -> str:
    """The row's text after the arrow: what the function returns."""
    host = on_the_host(probe)
    kinds = {seen.kind for seen in probe.traced}
    if kinds <= {host.partition(" ")[0]}:
        return host
    deciding = {seen.varied[0] for seen in probe.traced if seen.kind == "array"}
    if (host == "numpy" or _plain_of_plain(probe, deciding)) and kinds <= {"numpy", "array"} and len(deciding) == 1:
        (parameter,) = deciding
        is_sole = {seen.kind for seen in probe.traced if seen.varied == (parameter,)} == {"array"}
        return f"own({parameter})" if is_sole else "unknown"
    return "unknown"


def on_the_host(probe: HostProbe) -> str:
    """The kind of the result for host values, with the flags and absent arguments that change it."""
    usual = {seen.kind for seen in probe.host if not seen.varied}
    kind = usual.pop() if len(usual) == 1 else "unknown"
    differing = [seen for seen in probe.host if seen.varied and seen.kind != kind]
    flags = [seen for seen in differing if _is_flag(probe, seen.varied[0])] if not usual else []
    if any(len(_kinds(seen.varied[0], probe.host, same=seen.value)) > 1 for seen in flags):
        return "unknown"
    variants = dict.fromkeys(f"{seen.kind} if {seen.varied[0]}={seen.value!r}" for seen in flags)
    variants |= {
        f"{probe.without} if {n} absent": None for n in _starred(probe) if probe.without not in ("", kind, "unknown")
    }
    given = {seen.varied[0]: seen.kind for seen in differing if seen not in flags}
    if not given:
        return " | ".join((kind, *variants))
    sure = [name for name in given if len(_kinds(name, probe.host)) == 1]
    if len(sure) != 1 or variants or given[sure[0]] == "unknown":
        return "unknown"
    absent = kind if len(given) == 1 else "unknown"
    return f"{given[sure[0]]} | {absent} if {sure[0]} absent"


def _is_flag(probe: HostProbe, name: str) -> bool:
    return isinstance(probe.signature.parameters[name].default, (bool, str))


def _plain_of_plain(probe: HostProbe, deciding: set[str]) -> bool:
    """Do arrays of NumPy make arrays, and only plain numbers plain numbers?"""
    plain = [seen for seen in probe.host if seen.kind == "static"]
    is_number = all(isinstance(seen.values.get(n), (bool, int, float)) for seen in plain for n in deciding)
    return is_number and {seen.kind for seen in probe.host} <= {"numpy", "static"}


def _starred(probe: HostProbe) -> list[str]:
    return [name for name, parameter in probe.signature.parameters.items() if parameter.kind == P.VAR_POSITIONAL]


def _kinds(name: str, seen: Iterable[VariedCall], **only: object) -> set[str]:
    """What came back where a parameter was given, or was given one value."""
    found = [one for one in seen if one.varied[:1] == (name,)]
    return {one.kind for one in found if not only or repr(one.value) == repr(only["same"])}


def shortened(probe: HostProbe, marks: Mapping[str, str], returns: str) -> tuple[inspect.Signature, Mapping[str, str]]:
    """The signature without the names of optional parameters, if no tracer works for any of them."""
    signature = probe.signature
    kept = list(required(signature))
    optional = [name for name in signature.parameters if name not in kept]
    names = returns.replace("|", " ").replace("=", " ").replace("(", " ").replace(")", " ").split()
    if not optional or any(name in names for name in optional) or not _refused(probe, optional):
        return signature, marks
    parameters = [p for name, p in signature.parameters.items() if name in kept and p.kind != P.KEYWORD_ONLY]
    parameters += [P("args", P.VAR_POSITIONAL), P("options", P.VAR_KEYWORD)]
    return inspect.Signature(parameters), {**{n: marks.get(n, "") for n in kept}, "args": "!", "options": "!"}


def _refused(probe: HostProbe, names: list[str]) -> bool:
    parameters = probe.signature.parameters
    return all(name in probe.refusing for name in names if parameters[name].kind != P.VAR_KEYWORD)
