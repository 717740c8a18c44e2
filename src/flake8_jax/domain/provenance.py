"""Where evidence comes from: a trace, the calls from there to an op, and uses of keys."""

from __future__ import annotations

from enum import IntEnum

from flake8_jax.lazy_dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Hop:
    """One step of a call chain: a place in a file and what happens there ("`train` calls `step`")."""

    path: str
    line: int
    text: str


class Certainty(IntEnum):
    """How sure an event is; it gives way to a surer one of the same at its op.

    It is likely where it may be meant, or where nobody is seen to do what makes it one; it is assumed that a call
    passes an argument that it may leave out.
    """

    CERTAIN = 0
    LIKELY = 1
    ASSUMED = 2


CERTAIN, LIKELY, ASSUMED = Certainty


def certain_if(holds: bool) -> Certainty:
    """Certain if a condition holds, and only likely otherwise."""
    return CERTAIN if holds else LIKELY


SHOWING = "make_jaxpr"
"""How the names of transforms end that show the program of a function: nothing is compiled and run."""

BY_CONVENTION = "traced like every"
"""The role of a method that a framework's users call in traced functions: that of a layer."""

USUALLY = "traced like most"
"""The role of a method that a framework's users trace, and call outside of traces, too."""


@dataclass(frozen=True, slots=True)
class Trace:
    """Why a value is a tracer.

    `value`: what became a tracer, the user's name ("t"), or "" where every array made there is one; `function`: the
    traced function ("step"); `transform`: the canonical name ("jax.lax.scan"); `role`: the function's relation to it
    ("jitted", "the body of", "mapped by", "a branch of" ...).  Calls run one program if it `is_compiled`.  `text`: how
    the code calls the transform ("scan").
    """

    value: str
    function: str
    transform: str
    role: str
    path: str
    line: int
    is_compiled: bool = False
    text: str = field(default="", repr=False)

    @property
    def place(self) -> tuple[str, str, int]:
        """What tells the traced function from others."""
        return self.path, self.function, self.line

    @property
    def shown(self) -> str:
        """The transform as messages call it."""
        return self.text or self.transform

    @property
    def runs_nothing(self) -> bool:
        """Is the function traced anew for whoever looks at its program, in each call, and never run?"""
        return self.transform.endswith(SHOWING)


@dataclass(frozen=True, slots=True)
class Context:
    """What makes an event one, the trace, if any, and the call chain from there, outermost first; how sure it is."""

    trace: Trace | None = None
    chain: tuple[Hop, ...] = ()
    certainty: Certainty = field(default=CERTAIN, repr=False)

    @property
    def place(self) -> tuple[str, str, int] | None:
        """What tells the traced function from others."""
        return self.trace.place if self.trace is not None else None


@dataclass(frozen=True, slots=True)
class Use:
    """One use of a key: the path and line, and the function that uses it ("jax.random.normal", "init").

    `within`: where the function that is called uses it.  It `is_possible` only, where nobody knows the body of what is
    called.
    """

    path: str
    line: int
    by: str
    within: Use | None = field(default=None, compare=False)
    is_possible: bool = False

    @property
    def inner(self) -> tuple[Use, ...]:
        """Where the functions that are called there use it, the innermost last."""
        return (self.within, *self.within.inner) if self.within is not None else ()

    @property
    def innermost(self) -> Use:
        """The use itself, by the innermost of the functions that are called there."""
        return (self, *self.inner)[-1]
