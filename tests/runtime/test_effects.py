"""Every kind of effect is noted with its line, in order, in plain Python and under a trace; and what is none is not."""

from __future__ import annotations

import logging
import os
import sys
import textwrap
import threading
import time
import warnings
from pathlib import Path

import pytest

pytest.importorskip("jax")

import jax

from flake8_jax.runtime import claims, recorders
from flake8_jax.runtime.phenomena.stale import observe
from flake8_jax.runtime.recorders import Mode
from flake8_jax.runtime.trial import Trial
from flake8_jax.runtime.watching import host
from flake8_jax.runtime.watching.effects import Effects, ObservedEffect

HEAD = """\
import collections, contextlib, datetime, functools, io, itertools, logging, os, random, secrets, subprocess, sys, time
import types, uuid, warnings
import jax, jax.numpy as jnp, numpy as np
from datetime import date
from time import time as now
from jax import lax
LOG = logging.getLogger("effects")
LOG.setLevel(logging.INFO)
"""

# What stands before the function, and the line that has the effect; its kinds, in order.
EFFECTS: dict[str, tuple[str, str, list[str]]] = {
    "print": ("", "print(x.ndim, 'a')", ["stdout"]),
    "write": ("", "sys.stdout.write('a')", ["stdout"]),
    "stderr": ("", "print('a', file=sys.stderr)", ["stderr"]),
    "two texts": ("", "print('a'); print('b')", ["stdout", "stdout"]),
    "log": ("", "LOG.info('a %s', 1)", ["log"]),
    "log below the level": ("", "LOG.debug('a')", []),
    "log of the root": ("", "logging.warning('a')", ["log"]),
    "log of jax": ("", "logging.getLogger('jax.own').warning('a')", []),
    "warning": ("", "warnings.warn('a')", ["warning"]),
    "file": ("", "open(os.devnull).close()", ["file"]),
    "folder": ("", "os.listdir('.')", ["file"]),
    "process": ("", "os.system('true')", ["process"]),
    "import": ("", "import colorsys", []),
    "input": ("", "input()", ["stdin", "stdin"]),
    "read": ("", "sys.stdin.readline()", ["stdin"]),
    "environment": ("", "os.environ.get('HOME')", ["environment"]),
    "getenv": ("", "os.getenv('HOME')", ["environment"]),
    "environment written": ("", "os.environ['FLAKE8_JAX_TEST'] = 'a'", ["environment", "environment"]),
    "putenv": ("", "os.putenv('FLAKE8_JAX_TEST', 'a')", ["environment"]),
    "clock": ("", "time.perf_counter()", ["clock"]),
    "clock by name": ("", "now()", ["clock"]),
    "sleep": ("", "time.sleep(0)", ["clock"]),
    "date": ("", "datetime.datetime.now()", ["clock"]),
    "today": ("", "date.today()", ["clock", "clock"]),
    "entropy": ("", "os.urandom(1)", ["entropy"]),
    "uuid": ("", "uuid.uuid4()", ["entropy", "entropy"]),
    "secrets": ("", "secrets.token_bytes(1)", ["entropy", "entropy"]),
    "fresh generator": ("", "np.random.default_rng().normal()", ["entropy"]),
    "random": ("", "random.random()", ["random"]),
    "numpy random": ("", "np.random.normal()", ["random"]),
    "own random": ("R = random.Random(0)", "R.gauss(0, 1)", ["random"]),
    "generator": ("R = np.random.default_rng(0)", "R.normal()", ["random"]),
    "old generator": ("R = np.random.RandomState(0)", "R.rand()", ["random"]),
    "list": ("A = []", "A.append(1)", ["state"]),
    "two lists": ("A, B = [], []", "A.append(1); B.append(2)", ["state", "state"]),
    "dictionary": ("A = {}", "A['a'] = 1", ["state"]),
    "entry rebound": ("A = {'a': [1]}", "A['a'] = [1]", ["state"]),
    "entry set to the same": ("A = {'a': 1}", "A['a'] = 1", []),
    "set": ("A = set()", "A.add(1)", ["state"]),
    "deque": ("A = collections.deque()", "A.append(1)", ["state"]),
    "inner list": ("A = {'a': [[]]}", "A['a'][0].append(1)", ["state"]),
    "namespace": ("A = types.SimpleNamespace(n=0)", "A.n += 1", ["state"]),
    "class": ("class A: n = 0", "A.n += 1", ["state"]),
    "object": ("class A: n = 0\nB = A()", "B.n = 1", ["state"]),
    "slots": ("class A: __slots__ = ('n',)\nB = A()", "B.n = 1", ["state"]),
    "bound method": ("class A: pass\nB = functools.partial(setattr, A(), 'n')", "B(1)", ["state"]),
    "function attribute": ("def g(): pass", "g.calls = 1", ["state"]),
    "buffer": ("A = np.zeros(2)", "A[0] += 1", ["buffer"]),
    "bytearray": ("A = bytearray(2)", "A[0] = 1", ["buffer"]),
    "handle": ("A = io.StringIO()", "A.write('a')", ["file"]),
    "count": ("A = itertools.count()", "next(A)", ["iterator"]),
    "list iterator": ("A = iter([1, 2, 3])", "next(A)", ["iterator"]),
    "zip": ("A = zip([1, 2], itertools.count())", "next(A)", ["iterator"]),
    "cycle": ("A = itertools.cycle([1, 2])", "next(A)", ["iterator"]),
    "generator expression": ("A = (i for i in range(9))", "next(A)", ["iterator"]),
    "generator function": (
        "def g():\n    n = 0\n    while True:\n        n += 1\n        yield n\nA = g()",
        "next(A)",
        ["iterator"],
    ),
    "cache": ("@functools.lru_cache\ndef g(n): return n", "g(1)", ["state"]),
    "local list": ("", "a = []; a.append(1)", []),
    "local buffer": ("", "a = np.zeros(2); a[0] = 1", []),
    "local iterator": ("", "next(itertools.count())", []),
    "captured output": ("", "contextlib.redirect_stdout(io.StringIO()).__enter__().write('a')", []),
    "reading": ("A = [1]", "a = A[0] + len(A)", []),
}

FUNCTION = """\
@jax.jit
def f(x):
    {}  # here
    return x

def case():
    return f(jnp.ones(()))
"""


def trial(text: str) -> Trial:
    fixture = claims.parse(Path("effects.py").resolve(), text)
    case = fixture.case("case")
    assert case is not None
    return Trial(fixture, case)


def effects_of(text: str, mode: Mode = Mode.TRACED, *, at_calls: bool = True) -> list[ObservedEffect]:
    recorders.install()
    effects = Effects(trial(text).path)
    with trial(text).run(effects, mode=mode) as run:
        assert run.error is None
        return [effect for effect in effects.effects if effect.played is not None or not at_calls]


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize("name", EFFECTS)
def test_kinds(name: str, mode: Mode, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FLAKE8_JAX_TEST", "before")
    before, line, kinds = EFFECTS[name]
    text = f"{HEAD}{before}\n{FUNCTION.format(line)}"
    found = effects_of(text, mode)
    here = next(number for number, each in enumerate(text.splitlines(), 1) if "# here" in each)
    assert [(effect.kind, effect.line) for effect in found] == [(kind, here) for kind in kinds]
    assert {effect.traced for effect in found} <= {mode is Mode.TRACED}


# A program; the kinds and lines (counted from the first of the program) of its effects.
PROGRAMS: dict[str, tuple[str, list[tuple[str, int | None]]]] = {
    "helper": (
        """
        A = []
        def g(x):
            A.append(1)
        @jax.jit
        def f(x):
            g(x)
            print("a")
            return x
        def case():
            return f(1.0)
        """,
        [("state", 3), ("stdout", 7)],
    ),
    "rest of a line after a call": (
        """
        A = []
        def g():
            return 1
        @jax.jit
        def f(x):
            A.append(g())
            return x
        def case():
            return f(1.0)
        """,
        [("state", 6)],
    ),
    "closure": (
        """
        def case():
            total, rows = 0, []
            def f(x):
                nonlocal total
                total += 1
                rows.append(1)
                return x
            return jax.jit(f)(1.0)
        """,
        [("state", 5), ("state", 6)],
    ),
    "inside of a body": (
        """
        @jax.jit
        def f(x):
            rows = []
            def body(carry, x):
                rows.append(1)
                return carry, x
            rows.append(2)
            y = lax.scan(body, x, jnp.ones(3))
            rows.append(3)
            return y
        def case():
            return f(1.0)
        """,
        [("state", 5)],
    ),
    "outside of the call": (
        """
        A = []
        f = jax.jit(lambda x: x)
        def case():
            A.append(1)
            y = f(1.0)
            A.append(2)
            print(y)
        """,
        [("stdout", 7)],
    ),
    "callbacks": (
        """
        A = []
        def tell(x):
            A.append(x)
            print("a")
        @jax.jit
        def f(x):
            jax.debug.callback(tell, x)
            jax.effects_barrier
            return jax.pure_callback(lambda x: A.append(x) or x, x, x)
        def case():
            return f(jnp.ones(()))
        """,
        [("state", 3), ("state", 9), ("stdout", 4)],
    ),
    "text of jax": (
        """
        @jax.jit
        def f(x):
            jax.debug.print("a")
            return x
        def case():
            return f(1.0)
        """,
        [("stdout", None)],
    ),
    "multi-line call": (
        """
        A = []
        @jax.jit
        def f(x):
            return jnp.add(
                x,
                A.append(1) or x,
            )
        def case():
            return f(1.0)
        """,
        [("state", 6)],
    ),
    "argument": (
        """
        @jax.jit
        def f(xs):
            xs["b"] = 1
            return xs["a"]
        def case():
            return f({"a": jnp.ones(2)})
        """,
        [],
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_lines(name: str) -> None:
    text, expected = PROGRAMS[name]
    offset = HEAD.count("\n")
    found = effects_of(HEAD + textwrap.dedent(text).lstrip("\n"), at_calls=False)
    lines = [(effect.kind, effect.line and effect.line - offset) for effect in found]
    assert sorted(lines, key=str) == sorted(expected, key=str)


def test_arguments_are_outside_in_plain_python() -> None:
    text, _ = PROGRAMS["argument"]
    found = effects_of(HEAD + textwrap.dedent(text).lstrip("\n"), Mode.EAGER)
    assert [(effect.kind, effect.detail) for effect in found] == [("state", "argument 0['b']")]


def test_tracers_are_known_by_their_texts() -> None:
    found = effects_of(HEAD + FUNCTION.format("print({'x': [x]}); print('JitTracer(int8[])')"))
    assert [effect.shows_tracer for effect in found] == [True, False]


def test_what_is_muted_is_not_noted() -> None:
    text = "A = []\n" + FUNCTION.format("A.append(1); print(1)").replace("jax.jit", "jax.grad")
    found = effects_of(HEAD + text, Mode.EAGER)
    assert sorted(effect.kind for effect in found) == ["state", "stdout"]


def test_everything_is_put_back() -> None:
    def state() -> list[object]:
        return [
            time.time,
            os.urandom,
            warnings.warn,
            logging.Logger.handle,
            type(os.environ).__getitem__,
            sys.stdout,
            sys.stdin,
            sys.gettrace(),
            jax.debug.callback,
            jax.core.Tracer.__repr__,
            list(logging.root.handlers),
        ]

    def trace(*_: object) -> None:
        return None

    sys.settrace(trace)
    try:
        before = state()
        effects_of(HEAD + FUNCTION.format("print(x); logging.warning('a')"))
        assert state() == before
    finally:
        sys.settrace(None)


def test_threads_that_are_nobody_s_are_left_alone() -> None:
    seen: list[str] = []
    with host.noting(lambda kind, detail: seen.append(kind)):
        thread = threading.Thread(target=time.time)
        thread.start()
        thread.join()
    assert seen == ["clock"]


def test_stale_looks_at_the_name_that_is_claimed() -> None:
    text = """\
import jax
A, B = 1.0, 2.0
@jax.jit
def f(x):
    y = x * A
    return y + B
def case():
    global A, B
    f(1.0)
    A, B = 3.0, 4.0
    return f(1.0)
"""
    seen = {}
    for name in ("A", "B", "C", ""):
        found = trial(text)
        recorders.install()
        seen[name] = list(observe(found, name).by_line)
    assert seen == {"A": [5], "B": [6], "C": [], "": [5, 6]}
