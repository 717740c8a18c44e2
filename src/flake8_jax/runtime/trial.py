"""Runs a case as often as a recipe needs, each time in a fresh module, under the recorders.

with trial.run(watcher) as run:       import, then the case, both watched
    run.calls                         the outermost calls of transformed functions
    run.error, run.chain              what it raised, and on which lines of the fixture
    with run.turned(Mode.EAGER):      the same call once more, with fresh arguments
        run.calls[0].again()
"""

from __future__ import annotations

import contextlib
import io
import os
import random
import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import FunctionType, ModuleType

from flake8_jax.runtime import frames, loading, recorders
from flake8_jax.runtime.claims import Case, Fixture
from flake8_jax.runtime.foreign import Foreign
from flake8_jax.runtime.recorders import Mode, RecordedCall, Session

SEED = 20


@dataclass(slots=True)
class Run:
    """One run of a case, valid while its session is open.  `module` is None if the fixture's import raised."""

    session: Session
    module: ModuleType | None = None
    value: Foreign = None
    error: BaseException | None = None
    chain: tuple[int, ...] = ()

    @property
    def calls(self) -> list[RecordedCall]:
        """The outermost calls of transformed functions, in order."""
        return self.session.calls

    def turned(self, mode: Mode) -> AbstractContextManager[None]:
        """Switch to another mode for a while; calls are not kept."""
        return self.session.turned(mode)


@dataclass(slots=True)
class Trial:
    """A case, an edit of its module for every run, and the errors of its runs.

    `repair` gives the fixture with one more of its marked lines repaired, None where the twins do not tell how.
    """

    fixture: Fixture
    case: Case
    edit: loading.TreeEdit | None = None
    errors: list[tuple[BaseException, tuple[int, ...]]] = field(default_factory=list)
    repair: Callable[[int], Fixture | None] | None = None

    @property
    def path(self) -> str:
        """The file name of the fixture's frames."""
        return str(self.fixture.path)

    def repaired(self, line: int) -> Trial | None:
        """The same trial with this marked line repaired, if possible."""
        fixture = self.repair(line) if self.repair else None
        return replace(self, fixture=fixture, errors=[]) if fixture else None

    @contextmanager
    def run(
        self,
        *watchers: AbstractContextManager[object],
        mode: Mode = Mode.TRACED,
        edit: loading.TreeEdit | None = None,
        given: dict[str, object] | None = None,
    ) -> Iterator[Run]:
        """Import the case's module and run the case under watchers. `edit` comes after the trial's own, `given` are
        names that the module finds."""
        code = loading.compiled(self.fixture, self.case, self._edits(edit))
        seed()
        with ExitStack() as stack:
            run = Run(stack.enter_context(recorders.session(self.path, mode)))
            stack.enter_context(_undisturbed())
            stack.enter_context(_quiet())
            for watcher in watchers:
                stack.enter_context(watcher)
            try:
                run.module = loading.load(code, given)
                run.value = self.function(run.module)()
            except (Exception, SystemExit) as error:
                run.error, run.chain = error, frames.error_chain(self.path, error)
                self.errors.append((error, run.chain))
            try:
                yield run
            finally:
                if run.module is not None:
                    loading.unload(run.module)

    def function(self, module: ModuleType) -> FunctionType:
        """The case's function in one of its modules."""
        return loading.function(module, self.case)

    def _edits(self, second: loading.TreeEdit | None) -> loading.TreeEdit | None:
        first = self.edit
        if first is None or second is None:
            return first or second
        after = second
        return lambda tree: after(first(tree))


@contextmanager
def _quiet() -> Iterator[None]:
    """Nothing that a case prints or warns of gets out."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            yield


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Whatever a case sets for its whole process is put back: JAX's settings, environment, folder, NumPy's errors."""
    import jax
    import numpy as np

    settings, environment, folder = dict(jax.config.values), dict(os.environ), Path.cwd()
    try:
        with np.errstate():
            yield
    finally:
        for name, value in jax.config.values.items():
            if name in settings and value != settings[name]:
                jax.config.update(name, settings[name])  # type: ignore[no-untyped-call]
        if dict(os.environ) != environment:
            os.environ.clear()
            os.environ.update(environment)
        os.chdir(folder)


def seed() -> None:
    """Every run finds the host's random generators in the same state."""
    import numpy as np

    random.seed(SEED)
    np.random.seed(SEED)
