"""What is remembered of a project outside of records, and how it is forgotten.

A result that is computed once and kept (the names that a statement binds, the target of an import, the fields of a
class) depends on what its record used.  Where it is kept, it is noted here with that record and with what forgets it:

    memory.keep(forget, unit.record)            the names of `unit` are set back to None by `forget`
    memory.forget_since(mark)                   a text was tried for a while: all that was found meanwhile goes
    memory.forget_if(is_stale)                  a file has another text: all goes that depends on it
"""

from __future__ import annotations

from collections.abc import Callable

from flake8_jax.analysis.dependencies import Dependent
from flake8_jax.lazy_dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, eq=False)
class Forgettable:
    """One result that is kept: the records that it depends on, and what forgets it."""

    forget: Callable[[], object]
    records: tuple[Dependent, ...]


@dataclass(slots=True, eq=False)
class Memory:
    """The results that are kept, in the order in which they were found."""

    _kept: list[Forgettable] = field(default_factory=list)

    def keep(self, forget: Callable[[], object], *records: Dependent) -> None:
        """Note a result that is kept until one of these records is stale."""
        self._kept.append(Forgettable(forget, records))

    def mark(self) -> int:
        """The present, for `forget_since`."""
        return len(self._kept)

    def forget_since(self, mark: int) -> None:
        """Forget what was found since then."""
        for one in self._kept[mark:]:
            one.forget()
        del self._kept[mark:]

    def forget_if(self, is_stale: Callable[[Dependent], bool]) -> None:
        """Forget what depends on a stale record."""
        held: list[Forgettable] = []
        for one in self._kept:
            if any(map(is_stale, one.records)):
                one.forget()
            else:
                held.append(one)
        self._kept = held
