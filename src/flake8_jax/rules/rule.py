"""The form of a rule: its card, its check of one kind of event, and its page.

A rule is a module of this package.  Its docstring is the page, under the headings below, with examples in fenced
blocks marked `python bad` and `python good`; `RULE` is the card; `check` judges, and the annotation of its first
parameter says what:

    RULE = Rule("JAX101", "key-reused", since="0.1", group="keys", hazard="key_reuse", fix="...", status="on")

    def check(event: KeyConsumed, report: Reporter) -> None:
        report(event.op, f"`{event.key}` is used again ...")

`fix`, if there is one, says which changes repair what `check` reports of an event:

    def fix(event: ItemStored) -> Rewrite | None:
        return event.rewrite

Of a comment it is an `Edit`, which is safe.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, Protocol, TypeAlias

from flake8_jax.domain.effects import Event
from flake8_jax.ir.ops import Op
from flake8_jax.ir.rewrite import Rewrite as Rewrite
from flake8_jax.lazy_dataclasses import dataclass
from flake8_jax.model.diagnostic import Edit as Edit
from flake8_jax.model.diagnostic import Note, Remedy, Span
from flake8_jax.syntax.directives import CommentEvent
from flake8_jax.syntax.namesakes import NamesakeImported

Status: TypeAlias = Literal["on", "strict", "off"]
RuleEvent: TypeAlias = Event | CommentEvent | NamesakeImported
"""What rules judge: it has an `op`, or as the fault of a comment or name a `span`."""

HEADINGS = ("What it does", "Why it is bad", "Instead", "When it stays silent", "Fix safety", "References")


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule's card.

    `name` reads after "allow" and names the hazard; `hazard` is the phenomenon that running the code shows, or
    `by inspection: REASON` where nothing can be run, and `also` are others that an expectation may name instead; `fix`
    is the advice in a few words; `status` says whether the rule is on by default, on with `--strict`, or off
    unless it is enabled, and `precision.py` what `on` needs; `in_tests` whether it also speaks in test files, where
    some hazards do no harm, `only_certain` whether it says nothing of events that may be meant.
    """

    code: str
    name: str
    since: str
    group: str
    hazard: str
    fix: str
    status: Status
    in_tests: bool = True
    also: tuple[str, ...] = ()
    only_certain: bool = False

    @property
    def phenomena(self) -> tuple[str, ...]:
        """What expectations may claim, the default first."""
        return (self.hazard, *self.also)


class Remedied(Protocol):
    """What has a remedy, made when it is asked."""

    @property
    def remedy(self) -> Remedy:
        """What to write instead."""


class Reporter(Protocol):
    """Receives a finding: the op or span it is reported at, its message, explanatory notes."""

    def __call__(
        self, at: Op | Span, message: str, notes: tuple[Note, ...] = (), *, remedy: Remedied | None = None
    ) -> None:
        """Report a finding at an op, or at a span of text.

        `message` says why it is a hazard, with at most one call; `notes` have the whole chain of calls.  The `remedy`,
        what to write instead, is tried in a copy of the file, and ends the message, in code if it holds, else in words.
        """


@dataclass(frozen=True, slots=True)
class Discovered:
    """A discovered rule: its card, its kind of event, its check, its page and its file, and what fixes it."""

    rule: Rule
    event: type[RuleEvent]
    check: Callable[[Any, Reporter], None]
    page: str
    path: str
    fix: Callable[[Any], Rewrite | Edit | None] | None = None
