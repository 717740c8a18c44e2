"""Classes of our own decorator are like those of the standard library's, but for when their methods are written."""

from __future__ import annotations

import dataclasses
import pickle
from collections.abc import Callable
from functools import partial
from inspect import signature
from typing import Any, ClassVar

import pytest

from flake8_jax import lazy_dataclasses
from flake8_jax.model.diagnostic import Span


def pair(**options: bool) -> tuple[Any, Any]:
    """A class made by each of the two decorators."""
    both = []
    modules: tuple[Any, ...] = dataclasses, lazy_dataclasses
    for module in modules:
        decorated: Callable[..., Any] = module.dataclass(**options)

        @decorated
        class Base:
            """A base."""

            first: int
            second: Any = 2

        @decorated
        class Sample(Base):
            """A sample."""

            third: list[int] = module.field(default_factory=lambda: [3], compare=False)
            fourth: int = module.field(default=4, repr=False, kw_only=True)
            fifth: list[int] = module.field(init=False, default_factory=list)

        Sample.__qualname__ = "Sample"
        both.append(Sample)
    return both[0], both[1]


OPTIONS = [
    {},
    {"frozen": True, "slots": True},
    {"slots": True, "eq": False},
    {"frozen": True, "slots": True, "order": True},
    {"slots": True, "kw_only": True},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_they_are_like_those_of_the_standard_library(options: dict[str, bool]) -> None:
    theirs, ours = pair(**options)

    def told(kind: Any) -> list[object]:
        one, same = (kind(first=1, second="b") for _ in range(2))
        other = dataclasses.replace(one, first=2, third=[5], fourth=6)
        found: list[object] = [repr(one), repr(other), one == same, one == other, one != same, one == 1]
        found.append([list(one.third), one.fourth, one.fifth, one.third is not same.third])
        for question in (
            lambda: {one, same} and hash(one) == hash(same),
            lambda: one < other,
            partial(kind),
            partial(kind, 1, 2, 3, 4),
        ):
            try:
                found.append(question())
            except TypeError as error:
                found.append(str(error).partition(":")[0].rpartition(".")[2])
        for change in (partial(setattr, one, "first", 3), partial(delattr, one, "second")):
            try:
                change()
                found.append("changed")
            except dataclasses.FrozenInstanceError as error:
                found.append(str(error))
        kind(1) if not options.get("kw_only") else kind(first=1)
        parameters = [(each.name, each.kind, repr(each.default)) for each in signature(kind).parameters.values()]
        return [
            *found,
            *(part[:2] for part in parameters),
            kind.__match_args__,
            [one.name for one in dataclasses.fields(kind)],
        ]

    assert told(ours) == told(theirs)


def test_frozen_objects_of_the_analysis_are_guarded_in_the_tests() -> None:
    span = Span(1, 2, 1, 3)
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(span, "line", 3)  # noqa: B010


def test_without_the_guard_all_but_assignment_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lazy_dataclasses, "IS_GUARDED", False)
    theirs, ours = pair(frozen=True, slots=True)
    assert repr(ours(1)) == repr(theirs(1))
    assert (ours(1) == ours(1), ours(1) == ours(2)) == (True, False)
    assert [part.name for part in dataclasses.fields(ours)] == [part.name for part in dataclasses.fields(theirs)]
    one = ours(1)
    one.first = 2
    assert one == ours(2)


def test_what_is_no_field_is_none() -> None:
    modules: tuple[Any, ...] = dataclasses, lazy_dataclasses
    for module in modules:

        class Counted:
            """It counts."""

            size: int
            total: ClassVar[int] = 0

        counted = module.dataclass(slots=True)(Counted)

        class Named(counted):  # type: ignore[valid-type, misc]  # a class that is made by the decorator at hand
            """It is counted and named."""

            name: str = "none"

        named = module.dataclass(slots=True)(Named)
        assert [[one.name for one in dataclasses.fields(kind)] for kind in (counted, named)] == [
            ["size"],
            ["size", "name"],
        ]
        assert (counted(3).total, named(3).total, named(3).size, "total" in named.__slots__) == (0, 0, 3, False)


def test_a_default_that_all_objects_would_share_is_refused() -> None:
    for module in (dataclasses, lazy_dataclasses):
        with pytest.raises(ValueError, match="mutable default"):
            module.dataclass(type("Shared", (), {"__annotations__": {"sizes": "list[int]"}, "sizes": []}))


def test_replace() -> None:
    theirs, ours = pair(frozen=True, slots=True)
    assert repr(lazy_dataclasses.replace(ours(1), second=5)) == repr(dataclasses.replace(theirs(1), second=5))


@lazy_dataclasses.dataclass(frozen=True, slots=True)
class Kept:
    """It can be pickled, and is completed once it is made."""

    name: str
    size: int = lazy_dataclasses.field(init=False, default=0)

    def __post_init__(self) -> None:
        object.__setattr__(self, "size", len(self.name))


def test_pickling() -> None:
    kept = Kept("abc")
    assert pickle.loads(pickle.dumps(kept)) == kept
    assert kept.size == 3


def test_methods_are_written_when_they_are_called() -> None:
    _, ours = pair(frozen=True, slots=True)
    stub = ours.__init__
    ours(1)
    assert ours.__init__ is not stub
