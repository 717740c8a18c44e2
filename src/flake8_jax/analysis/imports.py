"""Imports between files of a project, each followed when the name that it binds is first read."""

from __future__ import annotations

from flake8_jax.analysis.program import ModuleGraph
from flake8_jax.analysis.record import Record
from flake8_jax.domain.payload import ModuleAt
from flake8_jax.domain.value import Value, unknown
from flake8_jax.lazy_dataclasses import dataclass, field


@dataclass(slots=True, eq=False)
class ImportTarget:
    """The target of an import, and its value once it was followed."""

    linked: ModuleGraph
    path: str
    rest: tuple[str, ...]
    found: Value | None = None
    record: Record = field(default_factory=Record)

    def value(self) -> Value:
        """The value of the import; unknown if nothing is bound there."""
        return self.follow() or unknown("import of a name that is not bound there")

    def follow(self) -> Value | None:
        """The value of the import; None if nothing is bound there, or if imports form a cycle."""
        program = self.linked.program
        program.record.uses.add(self.record)
        if self.found is not None or program.is_running((self,)):
            return self.found
        activation = program.enter((self,))
        found: Value | None = self.linked.module_value(self.path)
        with program.tracking(self.record):
            for name in self.rest:
                module = found.payload if found is not None else None
                found = self.linked.member(module.path, name) if isinstance(module, ModuleAt) else None
        if program.leave(activation) and found is not None:
            self.found = found
            program.memory.keep(self._forget, self.record)
        return found

    def _forget(self) -> None:
        self.found, self.record = None, Record()

    def text(self) -> str:
        """A short spelling, for people."""
        return f"`{'.'.join((ModuleAt(self.path).name, *self.rest))}`"
