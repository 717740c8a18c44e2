"""The order of the tests, which of them one process runs, and which are slow.

Those that start JAX in this process come last, since a process that has may not fork.  What the linter remembers is
kept in a folder of this run's own.
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from pathlib import Path, PurePath
from typing import Any

import pytest

STORE = tempfile.mkdtemp(prefix="flake8-jax-tests-")
os.environ["FLAKE8_JAX_STORE"] = STORE
atexit.register(shutil.rmtree, STORE, ignore_errors=True)

# The tests of each of these have something in common that is dear: they come first, and one process runs them all.
PREPARED = ("test_phenomena", "test_verify", "test_mutants", "test_measured", "test_programs", "test_corpus")
STARTS_JAX = (
    "test_ledger", "test_measured_keys", "test_measured_names", "test_measured_host", "test_measured_transforms",
    "test_effects", "test_jaxprs", "test_compat",
)  # fmt: skip
# What starts JAX or analyses much code; some tests of other files are marked where they stand.
SLOW = {*PREPARED, *STARTS_JAX, "test_measured_versions", "test_precommit"}
WHOLE = {*PREPARED, "test_measured_keys", "test_measured_names", "test_measured_host"}
ORDER = {name: number for number, name in enumerate((*PREPARED, "", *STARTS_JAX), -len(PREPARED))}


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not even import what the quick loop leaves out: much of it imports JAX."""
    return True if config.option.markexpr == "not slow" and collection_path.stem in SLOW else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the files in order, leave the order within each as it is, and mark those that are slow."""
    items.sort(key=lambda item: ORDER.get(item.path.stem, 0))
    for item in items:
        if item.path.stem in SLOW:
            item.add_marker(pytest.mark.slow)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Deal out tests in order: a function's together, what runs JAX one by one, and some files as a whole."""
    from xdist.scheduler import LoadScopeScheduling

    class Scheduling(LoadScopeScheduling):  # type: ignore[misc]
        """What goes to one process together."""

        def _split_scope(self, nodeid: str) -> str:
            file = nodeid.partition("::")[0]
            name = PurePath(file).stem
            return file if name in WHOLE else nodeid if name in STARTS_JAX else nodeid.partition("[")[0]

    config.option.loadscopereorder = False
    return Scheduling(config, log)
