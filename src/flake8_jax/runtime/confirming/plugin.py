"""The hooks of `pytest -p flake8_jax.confirm`.

The project is judged when the session starts, in a process of its own; the tests run under watchers; when they are
over, it is said of each finding what they showed.  With pytest-xdist each worker watches, and the first process joins
what they saw.  No hook changes how a test ends, nor the exit status.
"""

from __future__ import annotations

import platform
import sys
import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from flake8_jax.model.documents import Json
from flake8_jax.runtime.confirming import verdicts
from flake8_jax.runtime.confirming.observations import BEFORE, Observations
from flake8_jax.runtime.confirming.targets import CheckDocument, NotJudged, SoughtFinding, judged, targets
from flake8_jax.runtime.confirming.watching import Watchers
from flake8_jax.runtime.foreign import Foreign

NAME = "flake8-jax-confirmation"
TARGETS, OBSERVED = "flake8_jax_targets", "flake8_jax_observed"
MOST_SHOWN = 20


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of the plugin."""
    group = parser.getgroup("flake8-jax", "confirmation of what flake8-jax finds")
    group.addoption(
        "--jax-confirm-report", metavar="FILE", default=None,
        help="write each finding and what the tests showed: as SARIF if FILE ends in .sarif, else as JSON",
    )  # fmt: skip
    group.addoption(
        "--jax-confirm-paths", metavar="PATH", action="append", default=None,
        help="judge this file or folder, may be repeated; default: all below rootdir",
    )  # fmt: skip
    group.addoption(
        "--jax-confirm-staged", action="store_true",
        help="also see the keys of compiled code, by callbacks in the programs of the tests",
    )  # fmt: skip
    group.addoption(
        "--jax-confirm-check", metavar="OPTIONS", default="",
        help="further options of `flake8-jax check`, in one text: --jax-confirm-check='--strict --tests'",
    )  # fmt: skip


def pytest_configure(config: pytest.Config) -> None:
    """Begin: what follows is done by an object that knows this session."""
    if not config.option.collectonly and not config.pluginmanager.hasplugin(NAME):
        config.pluginmanager.register(Confirming(config), NAME)


@dataclass(slots=True, eq=False)
class Confirming:
    """The confirmation of one session."""

    config: pytest.Config
    observations: Observations = field(default_factory=Observations)
    targets: list[SoughtFinding] = field(default_factory=list)
    failed: str | None = None
    written: str | None = None
    _document: CheckDocument = field(default_factory=dict)
    _sarif: CheckDocument | None = None
    _watchers: Watchers | None = None
    _seconds: float = 0.0

    @property
    def _is_worker(self) -> bool:
        return hasattr(self.config, "workerinput")

    @property
    def _report(self) -> Path | None:
        given: str | None = self.config.option.jax_confirm_report
        return None if given is None else Path(self.config.invocation_params.dir) / given

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionstart(self, session: pytest.Session) -> None:
        """Judge the project, and begin to watch."""
        if self._is_worker:
            rows = getattr(self.config, "workerinput").get(TARGETS, ())  # noqa: B009
            self.targets = [SoughtFinding.from_row(row) for row in rows]
        else:
            self._judge()
        if not self.config.pluginmanager.hasplugin("dsession"):  # the first process of several runs no tests
            self._watchers = Watchers(
                self.targets, self.observations, str(self.config.rootpath), self.config.option.jax_confirm_staged
            )
            self._watchers.start()

    def _judge(self) -> None:
        options = self.config.option
        root, start = self.config.rootpath, time.monotonic()
        here = Path(self.config.invocation_params.dir)
        paths = [str(here / path) for path in options.jax_confirm_paths or ()]
        try:
            self._document = judged(root, paths, options.jax_confirm_check, "json")
            self.targets = targets(self._document, root)
            if self._report is not None and self._report.suffix == ".sarif":
                self._sarif = judged(root, paths, options.jax_confirm_check, "sarif")
        except NotJudged as error:
            self.failed = f"the project could not be judged: {error}"
        except Exception as error:
            self.failed = f"the project could not be judged: {error!r}"
        self._seconds = time.monotonic() - start

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Watch a test."""
        if self._watchers is not None:
            self._watchers.begin(item.nodeid)
        yield
        if self._watchers is not None:
            self._watchers.end()

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_call(self) -> Iterator[None]:
        """Watch again, if setting up has taken away or loaded what is watched."""
        if self._watchers is not None:
            self._watchers.renew()
        yield

    def pytest_warning_recorded(self, warning_message: warnings.WarningMessage, nodeid: str) -> None:
        """A warning came during a test, or outside of all."""
        if self._watchers is not None:
            self._watchers.warned(nodeid or BEFORE, warning_message)

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Foreign) -> None:
        """Tell a worker of pytest-xdist what is looked for."""
        node.workerinput[TARGETS] = [target.row() for target in self.targets]

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Foreign) -> None:
        """A worker has ended: join what it saw."""
        row = getattr(node, "workeroutput", {}).get(OBSERVED)
        if row is None:
            self.observations.errors["a worker of pytest-xdist ended without telling what it saw"] += 1
        else:
            self.observations.add(row)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self) -> None:
        """Watch no longer, and tell the first process if this is a worker."""
        if self._watchers is not None:
            self._watchers.stop()
        if self._is_worker:
            getattr(self.config, "workeroutput")[OBSERVED] = self.observations.row()  # noqa: B009

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Write the report, and say in short what came out."""
        if self._is_worker:
            return
        terminalreporter.section("flake8-jax: what the tests showed of its findings")
        if self.failed is not None:
            terminalreporter.line(self.failed)
            return
        found = verdicts.confirmations(self.targets, self.observations)
        for line in self._lines(found):
            terminalreporter.line(line)
        if self._report is not None:
            terminalreporter.line(self._written(self._report, found))

    def _lines(self, found: list[verdicts.Confirmation]) -> Iterator[str]:
        number = verdicts.counts(found)
        yield f"{len(found)} findings: " + ", ".join(f"{count} {state}" for state, count in number.items())
        confirmed = [one for one in found if one.seen is not None]
        for one in confirmed[:MOST_SHOWN]:
            row = self._document["diagnostics"][one.target.number]
            place = f"{row['path']}:{row['line']}:{row['column']}: {row['code']}"
            yield f"{place} {one.state}: {one.seen['phenomenon']}, in {one.seen['test']}" if one.seen else place
        if len(confirmed) > MOST_SHOWN:
            yield f"... and {len(confirmed) - MOST_SHOWN} more"
        if found and not self.observations.reached:
            yield "no line with a finding ran: do the tests import this code, or an installed copy of it?"
        for manner, reason in self.observations.blind.items():
            yield f"not watched: {manner}: {reason}"
        for error, count in self.observations.errors.items():
            yield f"watching failed, and the tests went on: {error} ({count} x)"

    def _written(self, report: Path, found: list[verdicts.Confirmation]) -> str:
        head = self._head()
        if self._sarif is not None:
            text = verdicts.as_sarif(self._sarif, found, head)
        else:
            text = verdicts.as_json(self._document, found, head)
        try:
            report.parent.mkdir(parents=True, exist_ok=True)
            report.write_text(text, encoding="utf-8")
        except OSError as error:
            return f"the report cannot be written: {error}"
        return f"report: {report}"

    def _head(self) -> dict[str, Json]:
        jax = sys.modules.get("jax")
        return {
            "tests": self.observations.tests,
            "staged": self.config.option.jax_confirm_staged,
            "judged_seconds": round(self._seconds, 2),
            "blind": self.observations.blind,
            "errors": dict(self.observations.errors),
            "python": platform.python_version(),
            "jax": str(getattr(jax, "__version__", "")),
        }
