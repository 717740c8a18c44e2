"""The order of the tests: those that start JAX in this process come last, since a process that has may not fork.

What the linter remembers is kept in a folder of this run's own.
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile

import pytest

STORE = tempfile.mkdtemp(prefix="flake8-jax-tests-")
os.environ["FLAKE8_JAX_STORE"] = STORE
atexit.register(shutil.rmtree, STORE, ignore_errors=True)

STARTS_JAX = (
    "test_compat", "test_effects", "test_jaxprs", "test_ledger", "test_measured_host", "test_measured_keys",
    "test_measured_names", "test_measured_transforms",
)  # fmt: skip


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Move what starts JAX to the end, and leave the order as it is otherwise."""
    items.sort(key=lambda item: item.path.stem in STARTS_JAX)
