"""Where a fact comes from: a place, the trace that holds there, the calls in between, a use."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Hop:
    """One step of a chain: a place in a file and what happens there ("`train` calls `step`")."""

    path: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Trace:
    """Why a value is a tracer.

    `value`: what became a tracer, the user's name ("t"), or "" where every array made there is one; `function`: the
    function that is traced ("step"); `transform`: the canonical name ("jax.lax.scan"); `role`: how the function
    stands to it ("jitted", "the body of", "mapped by", "a branch of" ...).
    """

    value: str
    function: str
    transform: str
    role: str
    path: str
    line: int


@dataclass(frozen=True, slots=True)
class Context:
    """What makes an event certain: the trace (if any) and the calls from there to the op, outermost first."""

    trace: Trace | None = None
    chain: tuple[Hop, ...] = ()


@dataclass(frozen=True, slots=True)
class Use:
    """One consumption of a key: where, and by what ("jax.random.normal", "init")."""

    path: str
    line: int
    by: str
