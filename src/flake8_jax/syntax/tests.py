"""Which files are tests, benchmarks or demonstrations: what runs there runs a few times, on purpose."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from flake8_jax.syntax.policies import TIMING_FILE

TEST_FOLDERS = frozenset((
    "tests", "test", "unittests", "unit_tests", "benchmarks", "benchmark", "bench", "perf", "profiling",
))  # fmt: skip
SHOWING_FOLDERS = frozenset(("demo", "demos", "demonstration", "demonstrations", "example", "examples"))
TEST_PREFIXES = ("test_", "bench_", "benchmark_", "benchmarks_")
TEST_SUFFIXES = ("_test.py", "_tests.py", "_test_utils.py", "_testing.py", "_bench.py")


@lru_cache(maxsize=1024)  # each rule asks it of each file
def is_test_file(path: str) -> bool:
    """Is a file a test or a benchmark, by the conventions for names of files and folders?"""
    *folders, name = Path(path).parts
    if not TEST_FOLDERS.isdisjoint(folders) or name in ("conftest.py", "tests.py"):
        return True
    return name.startswith(TEST_PREFIXES) or name.endswith(TEST_SUFFIXES) or TIMING_FILE.search(name) is not None


def shows_something(path: str) -> bool:
    """Is a file a demonstration or an example, by the name of its folder?"""
    return not SHOWING_FOLDERS.isdisjoint(Path(path).parts[:-1])
