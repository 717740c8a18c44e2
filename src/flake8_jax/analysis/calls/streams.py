"""Fresh keys that a body asks of a stream, and the key from which a library draws them.

def net(x): return dropout(hk.next_rng_key(), x)    an effect: a stream is asked
hk.transform(net).apply(params, key, x)             so `key` is used up here
hk.transform(linear).apply(params, key, x)          `linear` asks for none, and `key` is as fresh as before
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from flake8_jax.analysis.callables import Arguments, Partial, class_behind
from flake8_jax.analysis.checks.keys.uses import consume
from flake8_jax.analysis.evaluator import call
from flake8_jax.analysis.frame import Frame, lost
from flake8_jax.analysis.objects.classes import lookup
from flake8_jax.analysis.objects.instances import bind, note_lookup
from flake8_jax.analysis.objects.invalidation import call_unknown
from flake8_jax.domain.conditions import ALWAYS, Path
from flake8_jax.domain.constants import OPEN
from flake8_jax.domain.payload import Elements
from flake8_jax.domain.provenance import Hop
from flake8_jax.domain.staging import NONE
from flake8_jax.domain.summary import CallSite
from flake8_jax.domain.value import CONTAINERS, FUNCTION, INSTANCE, KEY, PARTIAL, TUPLE, Value, unknown
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase

OPTIONS = frozenset(("rngs", "method", "mutable", "capture_intermediates"))
"""What a module is told of a run, beside the arguments of its method."""


@dataclass(frozen=True, slots=True)
class StreamAsked:
    """A fresh key asked of a stream, an effect that callers inherit."""

    op: Op
    when: Path = ALWAYS
    chain: tuple[Hop, ...] = ()

    def apply(self, site: CallSite, when: Path, chain: tuple[Hop, ...]) -> None:
        """Let the caller inherit it: its own stream is asked."""
        site.inherit(replace(self, when=site.assume(when)))


def ask_stream(frame: Frame, op: Op) -> Value:
    """A fresh key; the body asks for it."""
    if not any(type(effect) is StreamAsked and effect.when == frame.path for effect in frame.summary.requires.effects):
        frame.summary.requires.inherit(StreamAsked(op, frame.path))
    return Value(KEY, made_by=op)


def apply_inside(frame: Frame, op: Op, function: Value, before: tuple[str, ...], arguments: Arguments) -> Value:
    """The result of running a function whose streams draw from a key; other arguments stand before its own."""
    names = tuple(name.rstrip("@") for name in before)
    own = {name: value for name, value in arguments.keywords.items() if name not in names}
    places = {name: one for name, one in arguments.keyword_ops.items() if name in own}
    rest = Arguments(arguments.positional[len(before) :], own, arguments.is_open, arguments.ops[len(before) :], places)
    result, is_asked = _run_inside(frame, op, function, rest)
    if is_asked:
        for place, name in enumerate(names):
            if before[place] != name:
                _draw(frame, op, place, name, arguments)
    has_state = "state" in names
    return Value(TUPLE, NONE, Elements((result, unknown("state of a network"))), op) if has_state else result


def _run_inside(frame: Frame, op: Op, function: Value, arguments: Arguments) -> tuple[Value, bool]:
    """The result of a function with streams of its own, and whether it asks them for a key."""
    effects = frame.summary.requires.effects
    known = len(effects)
    result = call(frame, op, function, arguments)
    is_asked = any(type(effect) is StreamAsked for effect in effects[known:])
    if is_asked:
        effects[known:] = [effect for effect in effects[known:] if type(effect) is not StreamAsked]
    return result, is_asked


def apply_module(frame: Frame, op: Op, module: Value, before: tuple[str, ...], arguments: Arguments) -> Value:
    """The result of running a method of a module with parameters from outside; `__call__` unless one is named.

    net.apply(params, x, train=True, rngs=..., method=net.encode)
    """
    own = {name: value for name, value in arguments.keywords.items() if name not in OPTIONS and name not in before}
    places = {name: one for name, one in arguments.keyword_ops.items() if name in own}
    skipped = len(before) - sum(name in arguments.keywords for name in before)
    rest = Arguments(arguments.positional[skipped:], own, arguments.is_open, arguments.ops[skipped:], places)
    method = _method_of(frame, op, module, arguments.keywords.get("method"))
    if method is None:
        return call_unknown(frame, op, unknown("method of a module that is not known"), arguments)
    options = {name: value for name, value in arguments.keywords.items() if name not in own}
    call_unknown(frame, op, unknown("options of a run"), Arguments(arguments.positional[:skipped], options))
    result, _ = _run_inside(frame, op, method, rest)
    mutable = arguments.keywords.get("mutable")
    if "capture_intermediates" in arguments.keywords or (mutable is not None and mutable.constant is OPEN):
        is_pair = mutable is not None and mutable.kind in CONTAINERS
    else:
        is_pair = mutable is not None and bool(mutable.constant)
    if not is_pair:
        return result if mutable is None or mutable.constant is False else lost(frame, "result of a module", op)
    return Value(TUPLE, NONE, Elements((result, unknown("variables of a network"))), op)


def _method_of(frame: Frame, op: Op, module: Value, given: Value | None) -> Value | None:
    """The method that is run, bound to the module."""
    owner = class_behind(module.payload)
    name = "__call__" if given is None or given.constant is None else given.constant
    if owner is not None and isinstance(name, str):
        found = lookup(owner, name)
        note_lookup(frame, module, name, found)
        return bind(frame, module, found, op) if found is not None else None
    payload = given.payload if given is not None else None
    if isinstance(payload, Partial) and [one.kind for one in payload.arguments.positional[:1]] == [INSTANCE]:
        rest = payload.arguments.positional[1:]
        return Value(PARTIAL, payload=Partial(payload.callee, Arguments((module, *rest))), made_by=op)
    if given is not None and given.kind is FUNCTION:
        return Value(PARTIAL, payload=Partial(given, Arguments((module,))), made_by=op)
    return None


def _draw(frame: Frame, op: Op, place: int, name: str, arguments: Arguments) -> None:
    key = arguments.get(place, name)
    source = arguments.ops[place] if place < len(arguments.ops) else arguments.keyword_ops.get(name)
    if key is not None:
        consume(frame, key, op, source, phrase(op.func) if type(op) is ops.Call else "apply", is_possible=True)
