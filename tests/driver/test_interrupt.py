"""A run that SIGINT (Ctrl-C) or SIGTERM ends: its processes end at once, without a word; nothing is half-written."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.bindings import ROOT
from tests.support.commands import STORE, Run, command_anew, run
from tests.support.layouts import tree

pytestmark = pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="processes are read from /proc")

PROMPT = 1.0
"""So many seconds of CPU may be spent until all is over, of the many that are left: these no other process adds to."""

PATIENCE, PAUSE = 120.0, 0.01
STATUS = {signal.SIGINT: 130, signal.SIGTERM: 143}
FUNCTION = """\
def f{0}(x, key):
    y = jnp.sin(x) + {0}
    if y.sum() > {0}:
        y = y * 2
    return y + jax.random.normal(key, (3,))
"""


@pytest.fixture(scope="module")
def slow(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two components, each worth a process and more than any test waits for."""
    body = "".join(map(FUNCTION.format, range(1000)))
    names = [(part, number) for part in "ab" for number in range(3)]
    files = {
        f"{part}{number}.py": f"import jax\nimport jax.numpy as jnp\nimport {part}{(number + 1) % 3}\n{body}"
        for part, number in names
    }
    return Path(tree(tmp_path_factory.mktemp("slow"), {**ROOT, **files}))


# The processes of a run, which are a group of their own.


def members(group: int) -> dict[int, float]:
    """The processes of a group that have not ended, and the seconds of CPU that each has spent."""
    found = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                fields = Path("/proc", name, "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[2]) == group and fields[0] not in "ZX":
                found[int(name)] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return found


def until(condition: Callable[[], object]) -> None:
    """Wait for a condition.  What counts is how often it was asked: a machine may stand still for longer than that."""
    for _ in range(int(PATIENCE / PAUSE)):
        if condition():
            return
        time.sleep(PAUSE)
    assert condition()


@pytest.fixture
def started() -> Iterator[Callable[..., subprocess.Popen[bytes]]]:
    """Starts runs; what is left of them in the end is killed."""
    runs: list[subprocess.Popen[bytes]] = []

    def start(folder: Path, *words: str, **environment: str) -> subprocess.Popen[bytes]:
        line, variables, pipe = [sys.executable, *words], {**os.environ, **environment}, subprocess.PIPE
        one = subprocess.Popen(line, cwd=folder, env=variables, stdout=pipe, stderr=pipe, start_new_session=True)
        runs.append(one)
        return one

    yield start
    for one in runs:
        if members(one.pid):
            os.killpg(one.pid, signal.SIGKILL)
        one.communicate()


Start = Callable[..., "subprocess.Popen[bytes]"]


def at_work(started: Start, folder: Path, *words: str, processes: int) -> subprocess.Popen[bytes]:
    """A run whose last processes have begun to judge."""
    one = started(folder, "-m", "flake8_jax", "check", "--no-store", *words)

    def are_busy() -> bool:
        spent = members(one.pid)
        return len(spent) == processes and all(spent[pid] > 0.15 for pid in spent if pid != one.pid or processes == 1)

    until(are_busy)
    if processes == 1:
        until(lambda: members(one.pid)[one.pid] > 0.6)
    return one


def ended(one: subprocess.Popen[bytes]) -> None:
    """All processes of a run end at once, and say nothing."""
    before = members(one.pid)
    spent = dict(before)

    def is_over() -> bool:
        left = members(one.pid)
        spent.update(left)
        return one.poll() is not None and not left

    until(is_over)
    assert sum(spent.values()) - sum(before.values()) < PROMPT
    assert one.stderr is not None
    assert one.stderr.read() == b""
    if one.stdout is not None and not one.stdout.closed:
        assert one.stdout.read() == b""


@pytest.mark.parametrize(
    ("send", "number", "times"),
    [(os.kill, signal.SIGINT, 1), (os.killpg, signal.SIGINT, 3), (os.kill, signal.SIGTERM, 1)],
)
@pytest.mark.parametrize(("words", "processes"), [("-j1", 1), ("-j2", 3)])
def test_all_processes_end_at_once(
    words: str, processes: int, send: Callable[[int, int], None], number: int, times: int, slow: Path, started: Start
) -> None:
    one = at_work(started, slow, words, processes=processes)
    for _ in range(times):
        send(one.pid, number)
        time.sleep(0.002)
    ended(one)
    assert one.returncode == STATUS[signal.Signals(number)]


def test_where_nobody_reads(slow: Path, started: Start) -> None:
    one = at_work(started, slow, "-j2", processes=3)
    assert one.stdout is not None
    one.stdout.close()
    os.killpg(one.pid, signal.SIGINT)
    ended(one)
    assert one.returncode == STATUS[signal.SIGINT]


def test_workers_do_not_outlive_the_run(slow: Path, started: Start) -> None:
    one = at_work(started, slow, "-j2", processes=3)
    one.kill()
    ended(one)
    assert one.returncode == -signal.SIGKILL


# While modules are imported: a signal that comes when a certain one is looked for.

AT_IMPORT = """
import os, sys

words = sys.argv[:]

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == words[1]:
            {}

def hit():
    os.kill(os.getpid(), int(words[2]))

class Dying:
    def __del__(self):
        hit()

sys.modules.pop(words[1], None)
sys.meta_path.insert(0, Finder())
from flake8_jax.__main__ import run
sys.argv[1:] = ["check", "--no-store", "-j1", "a.py"]
run()
"""
MODULES = (
    "driver",
    "driver.interrupts",
    "driver.cli.main",
    "driver.cli.check",
    "model.config",
    "driver.processes",
    "syntax.suppressions",
    "analysis",
)


@pytest.mark.parametrize(("number", "hit"), list(zip(STATUS, ("hit()", "Dying()"))))
@pytest.mark.parametrize("module", MODULES)
def test_while_modules_are_imported(module: str, hit: str, number: int, tmp_path: Path) -> None:
    tree(tmp_path, {**ROOT, "a.py": STORE})
    done = run([sys.executable, "-c", AT_IMPORT.format(hit), f"flake8_jax.{module}", str(int(number))], tmp_path)
    assert (done.output, done.errors, done.status) == ("", "", STATUS[signal.Signals(number)])


@pytest.mark.parametrize("module", ["signal", "enum"])
def test_before_signals_are_caught(module: str, tmp_path: Path) -> None:
    """Nothing is imported where Python itself would answer, neither by the command line nor for it."""
    tree(tmp_path, {**ROOT, "a.py": STORE})
    done = run([sys.executable, "-c", AT_IMPORT.format("hit()"), module, str(int(signal.SIGINT))], tmp_path)
    assert (done.output, done.errors, done.status) == ("", "", STATUS[signal.SIGINT])


LOADED = """
import sys
before = {*sys.modules, "__future__"}  # which has nothing but names
import flake8_jax.__main__
print(*sorted({*sys.modules} - before))
"""


def test_the_entry_point_imports_nothing_where_nothing_is_caught(tmp_path: Path) -> None:
    done = run([sys.executable, "-c", LOADED], tmp_path)
    assert done.output.split() == ["flake8_jax", "flake8_jax.__main__"]


# What is written.

HALVES = """
import os, pathlib, signal, sys
real = pathlib.Path.write_bytes

def write_bytes(path, data):
    with open(path, "wb") as file:
        file.write(data[:len(data) // 2])
        file.flush()
        os.kill(os.getpid(), signal.SIGINT)
        file.write(data[len(data) // 2:])
    return len(data)

from flake8_jax.__main__ import run
pathlib.Path.write_bytes = write_bytes
run()
"""


@pytest.mark.parametrize("words", ["--output-file=out", "--write-baseline=out", "--add-noqa"])
def test_a_file_is_written_whole(words: str, tmp_path: Path) -> None:
    for name in ("whole", "interrupted"):
        tree(tmp_path / name, {**ROOT, "a.py": STORE})
    arguments = ["check", "--no-store", "-q", words, "a.py"]
    command_anew(tmp_path / "whole", *arguments)
    done = run([sys.executable, "-c", HALVES, *arguments], tmp_path / "interrupted")
    assert (done.errors, done.status) == ("", STATUS[signal.SIGINT])
    written, expected = (
        {path.name: path.read_bytes() for path in (tmp_path / name).iterdir()} for name in ("interrupted", "whole")
    )
    assert written == expected


REMEMBERING = """
import sqlite3, sys, time
from pathlib import Path
from flake8_jax.cache import store
from flake8_jax.driver import scheduling
from flake8_jax.__main__ import run

class Slow(sqlite3.Connection):
    def executemany(self, *arguments):
        self.execute("PRAGMA cache_size = 1")  # pages are written before all are there
        super().executemany(*arguments)
        Path("writing").touch()
        time.sleep(600)

real = sqlite3.connect
sqlite3.connect = lambda *arguments, **options: real(*arguments, **options, factory=Slow)
scheduling.WORTH_A_PROCESS = 1
run()
"""


@pytest.mark.parametrize(("jobs", "send"), [("-j1", os.kill), ("-j2", os.killpg)])
def test_the_store_holds_what_it_held(
    jobs: str, send: Callable[[int, int], None], tmp_path: Path, started: Start
) -> None:
    files = {f"f{number}.py": STORE + f"y = {number}\n" for number in range(8)}
    tree(tmp_path, {**ROOT, **files})
    place = {"FLAKE8_JAX_STORE": str(tmp_path / "store")}

    def checked(*words: str) -> Run:
        line = [sys.executable, "-m", "flake8_jax", "check", "--analysis-statistics", "-j1", *words]
        return run(line, tmp_path, None, **place)

    first = checked("f1.py")
    one = started(tmp_path, "-c", REMEMBERING, "check", jobs, **place)
    until((tmp_path / "writing").exists)
    send(one.pid, signal.SIGINT)
    ended(one)
    assert one.returncode == STATUS[signal.SIGINT]
    again, last = checked(), checked()
    assert [row.partition(":")[0] for row in again.rows] == sorted(files)
    assert again.rows == last.rows
    assert "store" not in first.errors + again.errors + last.errors
    assert "\ncost: 7 judged again" in again.errors, "the report of the first run is still there"
    assert "\ncost: 0 judged again" in last.errors
