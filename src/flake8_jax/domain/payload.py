"""Payloads of values: constants, names, parts or reasons, one frozen class for each.

    n = 3                   NUMBER      Constant(3)
    jnp.sum                 API         Named("jax.numpy.sum")
    x.shape                 TUPLE       Elements((...), "shape")
    f(x)                    UNKNOWN     Reason("call of an unknown function")

A kind without a payload (an array, a key) has None, and so has a container of which nothing more is known.  Payloads
that are equal are interchangeable; callables and classes, defined in `analysis/callables.py`, are compared by identity.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping
from functools import cache
from pathlib import PurePath
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias, runtime_checkable

from flake8_jax.domain.constants import OPEN, Constant, Facts, NotConstant, spelled
from flake8_jax.ir.parts import Host
from flake8_jax.lazy_dataclasses import dataclass

if TYPE_CHECKING:
    from flake8_jax.domain.value import Value

SequenceForm: TypeAlias = Literal["", "shape", "varargs", "generator", "range", "arrays", "numpy arrays", "varkw"]
"""What a container is known to be beside its parts: sizes of axes, `*args` or `**options`, an iterator, what a library
gave back.
"""


@runtime_checkable
class Payload(Protocol):
    """What is known of a value beside its kind."""

    def text(self) -> str:
        """A short spelling, for people; the kind stands before it (`Value.text`)."""
        ...


class AnySlice:
    """The type of `SLICE`, which represents any slice in an access path."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "SLICE"


class EachItem:
    """The type of `EVERY`: the step of an access path to the item that the current iteration takes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "EVERY"

    def text(self) -> str:
        """A short spelling, for people."""
        return "each"


SLICE = AnySlice()
EVERY = EachItem()

Key: TypeAlias = "Host | tuple[Host, ...]"
"""A key of a dict, or a constant index."""

ItemIndex: TypeAlias = "Key | Value | NotConstant | AnySlice | EachItem"
"""What stands between brackets: a constant, a value that is not known, any value, any slice, each in turn."""

Step: TypeAlias = "tuple[Literal['.'], str] | tuple[Literal['[]'], ItemIndex]"
"""One step of an access path: `.name` or `[index]`."""


def step_text(step: Step) -> str:
    """The text of one step of an access path."""
    sign, index = step
    if sign == "." and isinstance(index, str):
        return f".{index}"
    return f"[{':' if type(index) is AnySlice else '...' if isinstance(index, Payload) else spelled(index)}]"


@dataclass(frozen=True, slots=True)
class Reason:
    """The reason why nothing is known of a value; one object for each reason."""

    reason: str

    def text(self) -> str:
        """A short spelling, for people."""
        return f"unknown: {self.reason}"


reason = cache(Reason)

LEAF = reason("leaf of a tree")
"""Why a leaf is unknown: it is an array, or whatever else a tree holds."""


@dataclass(frozen=True, slots=True)
class Alternatives:
    """An unknown value that is one of several callables; `when` has the path on which each is chosen, None if not
    known.
    """

    values: tuple[Value, ...]
    when: tuple[Facts | None, ...]

    def ways(self) -> Iterator[tuple[Value, Facts | None]]:
        """Each with its condition."""
        return zip(self.values, self.when, strict=True)

    def text(self) -> str:
        """A short spelling, for people."""
        return "unknown: one of several callables"


@dataclass(frozen=True, slots=True)
class Named:
    """A name of a library, or an object that it makes: the canonical name.

    `around`: the class of this project of the one object that it was made of, which it may wrap.
    """

    name: str
    around: object = None

    def text(self) -> str:
        """A short spelling, for people."""
        return f"`{self.name}`"


@dataclass(frozen=True, slots=True)
class ModuleAt:
    """A module of the project, or a folder of modules: its path."""

    path: str

    def text(self) -> str:
        """A short spelling, for people."""
        return f"`{self.name}`"

    @property
    def name(self) -> str:
        """The last name of the module; a package is called like its folder."""
        path = PurePath(self.path)
        return path.parent.name if path.stem == "__init__" else path.stem


@dataclass(frozen=True, slots=True)
class MethodOf:
    """A method that was read off a value and is not called yet."""

    base: Value
    name: str

    def text(self) -> str:
        """A short spelling, for people."""
        return f"`.{self.name}` of {self.base.text()}"


@dataclass(frozen=True, slots=True)
class Copies:
    """One key many times."""

    of: Value

    def text(self) -> str:
        """A short spelling, for people."""
        return "of one key many times"


Derivation: TypeAlias = Literal["seed", "fold_in", "split"]


@dataclass(frozen=True, slots=True)
class Derived:
    """How a key was derived: the parent key (None for a seed), the function, and the data.

    The data is a constant, or the very value.  Two keys with equal payloads are equal, and so are those with equal
    payloads of parents, grandparents and so on.
    """

    how: Derivation
    parent: Value | None
    data: Hashable

    def text(self) -> str:
        """A short spelling, for people."""
        return f"by {self.how}"


class UpdateHelper:
    """The type of `AT`, the payload of `x.at`, through which updates are legal."""

    __slots__ = ()

    def text(self) -> str:
        """A short spelling, for people."""
        return "with `.at`"


AT = UpdateHelper()


class Storage:
    """The type of `STORAGE`, the payload of a reference that is no array: what it holds is read by `ref[...]`."""

    __slots__ = ()

    def text(self) -> str:
        """A short spelling, for people."""
        return "to an array"


STORAGE = Storage()


class OfArray:
    """The type of `OF_ARRAY`, the payload of a variable of a library that was made of an array: `value` reads that."""

    __slots__ = ()

    def text(self) -> str:
        """A short spelling, for people."""
        return "that holds an array"


OF_ARRAY = OfArray()


@dataclass(frozen=True, slots=True)
class ArrayDoubt:
    """Why a value that is taken for a JAX array may be something else that items can be stored into.

    `field` is the field of a class that is declared as an array, with the class's body.
    """

    reason: str
    field: tuple[Hashable, str] | None = None

    def text(self) -> str:
        """A short spelling, for people."""
        return self.reason


ONLY_ANNOTATED, OR_REFERENCE, OR_NUMPY = (
    ArrayDoubt("by annotation"),
    ArrayDoubt("or reference"),
    ArrayDoubt("or of NumPy"),
)
"""Only an annotation says that it is an array, and references are annotated alike; it may be a reference, as a part of
what holds references or as what was read from one; it may be an array of NumPy.
"""

OR_ANNOTATED = ArrayDoubt("or one by annotation")
"""It may be an array that an annotation promises, of which nothing more is known, or another one."""


class Untraced:
    """The type of `OF_HOST`, the payload of an array that a library function makes of host values alone."""

    __slots__ = ()

    def text(self) -> str:
        """A short spelling, for people."""
        return "of host values"


OF_HOST = Untraced()
"""Dependences on inputs are conditions: it is such an array where they are values of the host, too."""

ORDINARY = (None, OF_HOST)
"""The payloads of an array of which nothing is known but what it is made of."""


class Compound:
    """A payload that contains values, as that of a list contains its elements."""

    __slots__ = ()

    def held(self) -> Collection[Value]:
        """The known parts, in order; none where they are not known."""
        raise NotImplementedError

    def without_parts(self) -> Payload | None:
        """The payload without the parts, for a value whose parts may be others."""
        raise NotImplementedError

    def met(self, other: Payload, join: Callable[[Value, Value], Value]) -> Payload | None:
        """What two payloads of one kind have in common."""
        mine, others = self.without_parts(), other.without_parts() if isinstance(other, Compound) else other
        return mine if mine == others else None


@dataclass(frozen=True, slots=True)
class SliceOf(Compound):
    """A slice, with its three bounds."""

    bounds: tuple[Value, ...]

    def held(self) -> Collection[Value]:
        """The bounds."""
        return self.bounds

    def without_parts(self) -> Payload | None:
        """A slice that may be any."""
        return OPEN

    def text(self) -> str:
        """A short spelling, for people."""
        return "slice"


@dataclass(frozen=True, slots=True)
class Elements(Compound):
    """The parts of a list or tuple, None where they are not known, and its form.

    `among`: where not all parts are known, those that stand somewhere among them: `n` of `(n, *x.shape[1:])`.
    """

    parts: tuple[Value, ...] | None = None
    form: SequenceForm = ""
    among: tuple[Value, ...] = ()

    def held(self) -> Collection[Value]:
        """The elements, those that are known."""
        return self.parts or self.among

    def without_parts(self) -> Payload | None:
        """The form alone."""
        return elements(None, self.form)

    def text(self) -> str:
        """A short spelling, for people."""
        inside = "..." if self.parts is None else ", ".join(part.text() for part in self.parts)
        return f"({self.form}: {inside})" if self.form else f"({inside})"


@dataclass(frozen=True, slots=True)
class Entries(Compound):
    """The parts of a dict, by key."""

    parts: dict[Key, Value]

    def held(self) -> Collection[Value]:
        """The values, in the order of their keys."""
        return self.parts.values()

    def without_parts(self) -> Payload | None:
        """Nothing."""
        return None

    def text(self) -> str:
        """A short spelling, for people."""
        inside = ", ".join(f"{spelled(key)}: {part.text()}" for key, part in self.parts.items())
        return f"{{{inside}}}"


@dataclass(frozen=True, slots=True)
class Extended(Compound):
    """A dict of what an input holds, with entries above: `{**c, "n": 1}`; what it is, a call says that hands in `c`."""

    below: Value
    above: dict[Key, Value]

    def held(self) -> Collection[Value]:
        """The input, and the values above it, in the order of their keys."""
        return (self.below, *self.above.values())

    def without_parts(self) -> Payload | None:
        """Nothing."""
        return None

    def text(self) -> str:
        """A short spelling, for people."""
        inside = ", ".join(f"{spelled(key)}: {part.text()}" for key, part in self.above.items())
        return f"{{**{self.below.text()}{inside and ', '}{inside}}}"


@dataclass(frozen=True, slots=True)
class Each:
    """An iterator whose element in each iteration is a fresh copy of one abstract value, and its form."""

    like: Value
    form: SequenceForm = ""

    def text(self) -> str:
        """A short spelling, for people."""
        return f"of {self.like.text()}"


@dataclass(frozen=True, slots=True)
class Same:
    """An iterator, or a dict, that gives one value each time: `itertools.repeat(key)`, `dict.fromkeys(names, key)`."""

    like: Value

    def text(self) -> str:
        """A short spelling, for people."""
        return f"of the same {self.like.text()}"


@dataclass(frozen=True, slots=True)
class Series:
    """An iterator of tuples whose elements in each iteration are fresh copies of some abstract values.

    Those at `kept` are the same in each; `rows` are the tuples of a few that are written out.
    """

    like: tuple[Value, ...]
    kept: frozenset[int] = frozenset()
    rows: tuple[tuple[Value, ...], ...] = ()

    def text(self) -> str:
        """A short spelling, for people."""
        return f"of ({', '.join(value.text() for value in self.like)})"


SHAPE, VARARGS, GENERATOR = Elements(None, "shape"), Elements(None, "varargs"), Elements(None, "generator")
VARKW = Elements(None, "varkw")
EMPTY = Elements(())


def elements(
    parts: tuple[Value, ...] | None, form: SequenceForm = "", among: tuple[Value, ...] = ()
) -> Elements | None:
    """The payload of a list or tuple; None if nothing is known."""
    return None if parts is None and not form and not among else Elements(parts, form, among if parts is None else ())


def entries(parts: dict[Key, Value] | None) -> Entries | None:
    """The payload of a dict; None if its parts are not known."""
    return None if parts is None else Entries(parts)


def keyed(parts: Mapping[str, Value]) -> dict[Key, Value]:
    """The parts of a dict of which all keys are texts."""
    return dict(parts.items())


def sized(size: int | None) -> Constant | NotConstant:
    """The payload of a length or of the size of an axis."""
    return OPEN if size is None else Constant(size)


def without_parts(payload: Payload | None) -> Payload | None:
    """The payload of a value whose parts may be others."""
    return payload.without_parts() if isinstance(payload, Compound) else payload


def word(payload: Payload | None) -> str | None:
    """The name, string or form of a payload; None if it has none."""
    match payload:
        case Constant(value=str(text)) | Named(text) | ModuleAt(text) | Reason(text):
            return text
        case Elements(form=form) | Each(form=form):
            return form or None
        case UpdateHelper():
            return "at"
    return None
