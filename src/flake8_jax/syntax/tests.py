"""Which files are tests or benchmarks: what runs there runs a few times, on purpose."""

from __future__ import annotations

import re
from pathlib import Path

TEST_FOLDERS = frozenset(("tests", "test", "benchmarks", "benchmark", "bench", "perf", "profiling"))
TEST_PREFIXES = ("test_", "bench_", "benchmark_", "benchmarks_")
TIMED = re.compile(r"(^|_)(timing|performance|profile|profiling|benchmark|benchmarks|speed)(_|\.py$)|^testing\.py$")
"""Names of files that time code, or stand in for tests."""
TEST_SUFFIXES = ("_test.py", "_tests.py", "_test_utils.py", "_testing.py", "_bench.py")


def is_test_file(path: str) -> bool:
    """Is a file a test or a benchmark, by the conventions for names of files and folders?"""
    *folders, name = Path(path).parts
    if not TEST_FOLDERS.isdisjoint(folders) or name in ("conftest.py", "tests.py"):
        return True
    return name.startswith(TEST_PREFIXES) or name.endswith(TEST_SUFFIXES) or TIMED.search(name) is not None
