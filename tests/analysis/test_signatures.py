"""What a callable may be called with, compared with what Python does."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from flake8_jax.analysis.interpretation import interpret
from flake8_jax.analysis.modules.linking import LinkedProject
from flake8_jax.analysis.objects.signatures import signature_of
from flake8_jax.api.measured import FOLDER, versions
from flake8_jax.api.table import load
from flake8_jax.api.versions import once_took
from flake8_jax.syntax.source import SourceFile

PROGRAM = """
import functools
from collections import namedtuple
from functools import partial
from typing import NamedTuple
import jax

def two(a, b): return 0
def default(a, b=1): return 0
def starred(a, *rest): return 0
def keyword(a, *, c): return 0
def free(a, *, c=1): return 0
def open_(a, **options): return 0
def alone(a, /, b): return 0
def none(): return 0

class Model:
    def __init__(self, a, b=1): pass
    def __call__(self, x): return 0
    def step(self, c, x): return 0
    def any(self, *rest): return 0
    @staticmethod
    def static(a, b): return 0
    @classmethod
    def made(cls, a): return 0
    bound = functools.partialmethod(step, 1)

class Sub(Model):
    def step(self, c): return 0

class Plain:
    def __call__(self, a, b=0): return 0

class Point(NamedTuple):
    x: int
    y: int = 0

Pair = namedtuple("Pair", ["a", "b"])
made = Model(1)
"""
CALLABLES = (
    "two", "default", "starred", "keyword", "free", "open_", "alone", "none", "lambda x: 0", "lambda x, y=1: 0",
    "lambda *xs: 0", "partial(two, 1)", "partial(two, b=1)", "partial(two, a=1)", "partial(default, b=1)",
    "partial(partial(two, 1), 2)", "partial(starred, a=1)", "partial(open_, c=1)", "partial(keyword, c=2)", "made",
    "made.step", "made.any", "made.static", "made.made", "Model", "Model.step", "Model.static", "Model.made",
    "Sub(1).step", "Sub(1).any", "Sub", "Plain()", "Point", "Pair", "partial(made.step, 1)", "partial(made.step, x=1)",
    "jax.named_call(two)", "partial(jax.named_call(default), 1)", "made.bound",
)  # fmt: skip
CALLS = tuple(
    (count, names) for count in range(4) for names in ((), ("a",), ("b",), ("c",), ("x",), ("a", "b"), ("other",))
)


@pytest.mark.parametrize("text", CALLABLES)
def test_calls_are_refused_as_by_python(text: str) -> None:
    program = f"{PROGRAM}\ncalled = {text}\n"
    linked = LinkedProject(None, load())
    file = linked.judged(SourceFile("program.py", program), "program.py")
    interpret(file)
    value = file.value("called")
    known = signature_of(linked.program.table, value) if value is not None else None
    assert known is not None
    names: dict[str, Callable[..., int]] = {}
    exec(program, names)
    for count, passed in CALLS:
        try:
            names["called"](*range(count), **dict.fromkeys(passed, 0))
        except TypeError:
            assert known.refusal(count, passed) is not None, (count, passed)
        else:
            assert known.refusal(count, passed) is None, (count, passed)


def test_keywords_of_other_versions_are_known() -> None:
    newest, offenders = load(), []
    for version in versions():
        names = json.loads(FOLDER.joinpath(version, "jax.json").read_text(encoding="utf-8"))["transforms"]
        for name in names:
            known, measured = newest.transform(name), load(version).transform(name)
            assert measured is not None
            for one in measured.parameters if known is not None else ():
                is_known = known is None or known.parameter_named(one.name) is not None or one.name in known.former
                is_known |= once_took(name, one.name)
                if one.kind in ("normal", "keyword") and not is_known:
                    offenders.append(f"{name}: {one.name} of {version}")
    assert not offenders, "\n".join(offenders)


UNKNOWN = {
    "partial(two, *given)": "arguments of unknown length",
    "wrapping(two)": "a decorator that is not known",
    "Strange": "a class that makes other objects",
}


@pytest.mark.parametrize("text", UNKNOWN)
def test_what_is_not_known(text: str) -> None:
    head = "from library import given, wrapping\nclass Strange:\n    def __new__(cls, a): return 0\n"
    linked = LinkedProject(None, load())
    file = linked.judged(SourceFile("program.py", f"{PROGRAM}{head}called = {text}\n"), "program.py")
    interpret(file)
    value = file.value("called")
    assert value is None or signature_of(linked.program.table, value) is None
