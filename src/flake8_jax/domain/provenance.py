"""Where evidence comes from: a trace, the calls from there to an op, and uses of keys."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Hop:
    """One step of a call chain: a place in a file and what happens there ("`train` calls `step`")."""

    path: str
    line: int
    text: str


USUALLY = "traced like most"
"""The role of a method that a framework's users trace, and call outside of traces, too."""


@dataclass(frozen=True, slots=True)
class Trace:
    """Why a value is a tracer.

    `value`: what became a tracer, the user's name ("t"), or "" where every array made there is one; `function`: the
    traced function ("step"); `transform`: the canonical name ("jax.lax.scan"); `role`: the function's relation to it
    ("jitted", "the body of", "mapped by", "a branch of" ...).  `is_assumed`: the value is an argument with the default
    None, which a call may leave out.
    """

    value: str
    function: str
    transform: str
    role: str
    path: str
    line: int
    is_assumed: bool = field(default=False, repr=False)

    @property
    def place(self) -> tuple[str, str, int]:
        """What tells the traced function from others."""
        return self.path, self.function, self.line


@dataclass(frozen=True, slots=True)
class Context:
    """What makes an event certain: the trace, if any, and the call chain from there, outermost first."""

    trace: Trace | None = None
    chain: tuple[Hop, ...] = ()


@dataclass(frozen=True, slots=True)
class Use:
    """One use of a key: where, and by what ("jax.random.normal", "init").

    `within`: where the function that is called uses it.  It `is_possible` only, where nobody knows the body of what is
    called.
    """

    path: str
    line: int
    by: str
    within: Use | None = field(default=None, compare=False)
    is_possible: bool = False
