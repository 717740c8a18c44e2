"""Fresh keys that a body asks of a stream, and the key from which a library draws them.

def net(x): return dropout(hk.next_rng_key(), x)    an effect: a stream is asked
hk.transform(net).apply(params, key, x)             so `key` is used up here
hk.transform(linear).apply(params, key, x)          `linear` asks for none, and `key` is as fresh as before
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from flake8_jax.analysis.callables import Arguments
from flake8_jax.analysis.checks.keys.uses import consume
from flake8_jax.analysis.evaluator import call
from flake8_jax.analysis.frame import Frame
from flake8_jax.domain.conditions import ALWAYS, Path
from flake8_jax.domain.payload import Elements
from flake8_jax.domain.provenance import Hop
from flake8_jax.domain.staging import NONE
from flake8_jax.domain.summary import CallSite
from flake8_jax.domain.value import KEY, TUPLE, Value, unknown
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase


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
    effects = frame.summary.requires.effects
    known = len(effects)
    result = call(frame, op, function, rest)
    if any(type(effect) is StreamAsked for effect in effects[known:]):
        effects[known:] = [effect for effect in effects[known:] if type(effect) is not StreamAsked]
        for place, name in enumerate(names):
            if before[place] != name:
                _draw(frame, op, place, name, arguments)
    has_state = "state" in names
    return Value(TUPLE, NONE, Elements((result, unknown("state of a network"))), op) if has_state else result


def _draw(frame: Frame, op: Op, place: int, name: str, arguments: Arguments) -> None:
    key = arguments.get(place, name)
    source = arguments.ops[place] if place < len(arguments.ops) else arguments.keyword_ops.get(name)
    if key is not None:
        consume(frame, key, op, source, phrase(op.func) if type(op) is ops.Call else "apply", is_possible=True)
