"""What breaks a contract of a library: the event, which the files of the contracts make."""

from __future__ import annotations

from collections.abc import Callable

from flake8_jax.analysis.checks.instead import Advice
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.summaries.deferral import emit
from flake8_jax.domain.effects import Finding
from flake8_jax.domain.provenance import Context, Hop
from flake8_jax.ir.ops import Op
from flake8_jax.ir.rewrite import Rewrite
from flake8_jax.lazy_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ContractBroken:
    """Code does what a library refuses, or loses.

    `said` is what it does, and why that is refused; `instead` is what to write, `words` the same without code, and
    `rewrite` the changes that write it.
    """

    op: Op
    said: str
    instead: str
    words: str
    context: Context
    rewrite: Rewrite | None = None


def breaking(
    op: Op, said: str, words: str, advice: Callable[[], Advice] | None = None, chain: tuple[Hop, ...] = ()
) -> Finding:
    """The event at an op; `advice` is made if it is reported."""

    def make() -> ContractBroken:
        found = advice() if advice is not None else Advice(words)
        return ContractBroken(op, said, found.text, words, Context(None, chain), found.rewrite)

    return Finding((ContractBroken, op, ()), make)


def report(frame: Frame, event: Finding) -> None:
    """Report it, where no error is expected."""
    if not frame.context.is_prepared:
        emit(frame, event.key, event.make)
