"""Reads the contents of Python objects cheaply, without running their code, to compare and restore them.

A content is shallow: the labels and the very objects inside, and, for what is no container, a token that changes
with the object's state: the bytes of a NumPy buffer, the position of an iterator or a file, the state of a random
generator.

    LOG = [x]              labels (0,), values (x,)
    BUF = np.zeros(2)      token ((2,), "float64", b"...")

An object whose type is not in the table is a leaf: it counts as what it is, not for what it holds.
"""

from __future__ import annotations

import array
import contextvars
import functools
import gc
import io
import operator
import random
import types
import warnings
import zlib
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from flake8_jax.runtime.foreign import Foreign
from flake8_jax.runtime.frames import LIBRARIES
from flake8_jax.runtime.recorders import Recorded

LARGE = 1 << 16
RULED = ("custom_jvp", "custom_vjp")
PLAIN_MODULES = ("argparse", "collections", "queue", "_queue", "types")


@dataclass(frozen=True, slots=True)
class Content:
    """A snapshot of an object's content."""

    labels: tuple[Foreign, ...] = ()
    values: tuple[Foreign, ...] = ()
    token: Foreign = None

    def is_same(self, other: Content) -> bool:
        """Are the contents the identical objects, in the same places?"""
        return (
            len(self.values) == len(other.values)
            and all(map(operator.is_, self.values, other.values))
            and all(map(operator.is_, self.labels, other.labels))
            and self.token == other.token
        )


@dataclass(frozen=True, slots=True)
class ContentKind:
    """How to read, label and restore the content of objects of some type.

    A generator that is running has no content to be read.  `name` says what changes when it changes.  `is_foreign`
    tells objects that a library changes on its own account.
    """

    name: str
    read: Callable[[Foreign], Content | None]
    label: str = "[{!r}]"
    restore: Callable[[Foreign, Content], None] | None = None
    is_foreign: bool = False


def kind_of(thing: Foreign, home: str, path: str) -> ContentKind | None:
    """How to read an object reachable from a module; `home` is the module's name, `path` its file.  None: a leaf."""
    if isinstance(thing, types.FunctionType):
        return FUNCTION if thing.__code__.co_filename == path else WRAPPER if "__wrapped__" in vars(thing) else None
    if isinstance(thing, types.ModuleType):
        return MODULE if thing.__name__ == home else None
    if isinstance(thing, type):
        return CLASS if thing.__module__ == home else None
    return _kind_of_type(type(thing), home)  # type: ignore[arg-type]


@lru_cache(maxsize=4096)
def _kind_of_type(found: type, home: str) -> ContentKind | None:
    for parent, kind in _kinds():
        if issubclass(found, parent):
            return kind
    if found.__module__ == home:
        is_foreign = any(parent.__module__.split(".")[0] in LIBRARIES for parent in found.__mro__)
        return FOREIGN if is_foreign else INSTANCE
    if found.__module__ in PLAIN_MODULES:
        return INSTANCE
    if str(found.__module__).startswith("flax.nnx."):
        return FOREIGN
    if found.__name__ in RULED and found.__module__.split(".")[0] == "jax":
        return RULES
    return ITERATOR if hasattr(found, "__next__") and found.__module__ in ("builtins", "itertools") else None


@cache
def _kinds() -> list[tuple[type, ContentKind]]:
    import numpy as np

    numpy_random = ContentKind("random", _of_numpy_random)
    return [
        *_KINDS,
        (np.ndarray, ContentKind("buffer", _of_buffer, restore=_put_buffer)),
        (np.random.RandomState, numpy_random),
        (np.random.Generator, numpy_random),
    ]


def _of_mapping(thing: Mapping[Foreign, Foreign]) -> Content:
    return Content(tuple(thing), tuple(thing.values()))


def _of_sequence(thing: Foreign) -> Content:
    values = tuple(thing)
    return Content(_numbers(len(values)), values)


def _of_set(thing: Foreign) -> Content:
    return _of_sequence(sorted(thing, key=id))


@lru_cache(maxsize=256)
def _numbers(length: int) -> tuple[int, ...]:
    return tuple(range(length))


def _of_names(thing: Foreign) -> Content:
    """A module or a class, without what Python and imports put there."""
    held = {
        name: value
        for name, value in vars(thing).items()
        if not name.startswith("__") and not isinstance(value, types.ModuleType)
    }
    return _of_mapping(held)


def _of_members(thing: Foreign) -> Content:
    """An instance: what is in its __dict__ and in its slots."""
    held = dict(getattr(thing, "__dict__", {}))
    for parent in type(thing).__mro__:
        for name, found in vars(parent).items() if "__slots__" in vars(parent) else ():
            if isinstance(found, types.MemberDescriptorType) and hasattr(thing, name):
                held[name] = getattr(thing, name)
    return _of_mapping(held)


def _of_function(thing: types.FunctionType) -> Content:
    held: dict[str, Foreign] = dict(zip(thing.__code__.co_freevars, thing.__closure__ or ()))
    held |= {"defaults": thing.__defaults__} if thing.__defaults__ else {}
    held |= {"keyword defaults": thing.__kwdefaults__} if thing.__kwdefaults__ else {}
    return _of_mapping(held | thing.__dict__)


def _of_cell(thing: types.CellType) -> Content:
    try:
        return Content(("",), (thing.cell_contents,))
    except ValueError:
        return Content()


def _of_attributes(*names: str) -> Callable[[Foreign], Content]:
    def read(thing: Foreign) -> Content:
        return _of_mapping({name: getattr(thing, name) for name in names if hasattr(thing, name)})

    return read


def _of_buffer(thing: Foreign) -> Content:
    if thing.dtype.hasobject:
        return _of_sequence(thing.reshape(-1).tolist())
    data = thing.tobytes()
    return Content(token=(thing.shape, thing.dtype.str, data if len(data) <= LARGE else zlib.crc32(data)))


def _of_bytes(thing: Foreign) -> Content:
    return Content(token=bytes(thing))


def _of_random(thing: random.Random) -> Content:
    try:
        return Content(token=thing.getstate())
    except NotImplementedError:
        return Content()


def _of_numpy_random(thing: Foreign) -> Content:
    source = getattr(thing, "bit_generator", None)
    return Content(token=_flat(thing.get_state(legacy=False) if source is None else source.state))


def _flat(state: Foreign) -> Foreign:
    if isinstance(state, dict):
        return tuple(map(_flat, state.values()))
    return state.tobytes() if hasattr(state, "tobytes") else state


def _of_file(thing: Foreign) -> Content:
    try:
        return Content(token=None if thing.closed else thing.tell())
    except (OSError, ValueError):
        return Content()


def _of_generator(thing: Foreign) -> Content | None:
    return None if thing.gi_running else _of_iterator(thing)


def _of_iterator(thing: Foreign) -> Content:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return Content(token=_position(thing))


def _position(thing: Foreign) -> Foreign:
    """Where an iterator stands, and where the iterators inside it stand."""
    if isinstance(thing, (int, type(None))):
        return thing
    if isinstance(thing, (tuple, list)):
        return tuple(map(_position, thing)) if isinstance(thing, tuple) else len(thing)
    if isinstance(thing, types.GeneratorType):
        frame = thing.gi_frame
        return None if frame is None else (frame.f_lasti, tuple(map(_position, frame.f_locals.values())))
    if hasattr(thing, "__length_hint__"):
        return thing.__length_hint__()
    if hasattr(thing, "__next__"):
        try:
            return _position(thing.__reduce__()[1:])
        except (TypeError, AttributeError):
            return repr(thing)
    return id(thing)


def _of_cache(thing: Foreign) -> Content:
    """A function under lru_cache: its results are among what the garbage collector sees in it."""
    info = thing.cache_info()
    held = [each for each in gc.get_referents(thing) if each is not thing.__dict__ and not isinstance(each, type)]
    is_plain = info.maxsize is None or not info.currsize
    table = next((each for each in held if isinstance(each, dict) and (is_plain or _holds_links(each))), {})
    held = [each for each in held if each is not table]
    return Content(values=tuple(sorted([*held, *table.values()], key=id)), token=info.currsize)


def _holds_links(table: dict[Foreign, Foreign]) -> bool:
    """Is it the table of a bounded cache, whose results are found beside it?"""
    return any(type(value).__name__ == "_lru_list_elem" for value in table.values())


def _put_mapping(thing: Foreign, content: Content) -> None:
    thing.clear()
    thing.update(zip(content.labels, content.values))


def _put_sequence(thing: Foreign, content: Content) -> None:
    thing.clear()
    thing.extend(content.values)


def _put_set(thing: Foreign, content: Content) -> None:
    thing.clear()
    thing.update(content.values)


def _put_names(thing: Foreign, content: Content) -> None:
    """Put back what a content says of a module, a class or an instance; what came later stays."""
    put = type.__setattr__ if isinstance(thing, type) else object.__setattr__
    for name, value in zip(content.labels, content.values):
        if vars(thing).get(name) is not value if hasattr(thing, "__dict__") else True:
            put(thing, name, value)


def _put_cell(thing: types.CellType, content: Content) -> None:
    if content.values:
        thing.cell_contents = content.values[0]


def _put_buffer(thing: Foreign, content: Content) -> None:
    import numpy as np

    if thing.dtype.hasobject:
        thing.reshape(-1)[:] = content.values
    elif isinstance(content.token[2], bytes) and thing.flags.writeable:
        thing[...] = np.frombuffer(content.token[2], content.token[1]).reshape(content.token[0])


def _put_bytes(thing: Foreign, content: Content) -> None:
    thing[:] = (
        type(thing)(content.token) if isinstance(thing, bytearray) else array.array(thing.typecode, content.token)
    )


MODULE = ContentKind("state", _of_names, ".{}", _put_names)
CLASS = ContentKind("state", _of_names, ".{}", _put_names)
INSTANCE = ContentKind("state", _of_members, ".{}", _put_names)
FOREIGN = ContentKind("state", _of_members, ".{}", _put_names, is_foreign=True)
FUNCTION = ContentKind("state", _of_function, ".{}")
WRAPPER = ContentKind("state", _of_attributes("__wrapped__"), "{0:.0}")
RULES = ContentKind("state", _of_attributes("fun", "jvp", "fwd", "bwd"), ".{}")
ITERATOR = ContentKind("iterator", _of_iterator)

_KINDS: tuple[tuple[type, ContentKind], ...] = (
    (dict, ContentKind("state", _of_mapping, restore=_put_mapping)),
    (list, ContentKind("state", _of_sequence, restore=_put_sequence)),
    (deque, ContentKind("state", _of_sequence, restore=_put_sequence)),
    (tuple, ContentKind("state", _of_sequence)),
    (set, ContentKind("state", _of_set, "{{...}}", _put_set)),
    (frozenset, ContentKind("state", _of_set, "{{...}}")),
    (types.CellType, ContentKind("state", _of_cell, "{}", _put_cell)),
    (types.MethodType, ContentKind("state", _of_attributes("__self__", "__func__"), ".{}")),
    (functools.partial, ContentKind("state", _of_attributes("func", "args", "keywords"), ".{}")),
    (Recorded, ContentKind("state", _of_attributes("function"), "{0:.0}")),
    (property, ContentKind("state", _of_attributes("fget", "fset"), ".{}")),
    (staticmethod, ContentKind("state", _of_attributes("__func__"), "{0:.0}")),
    (classmethod, ContentKind("state", _of_attributes("__func__"), "{0:.0}")),
    (functools.cached_property, ContentKind("state", _of_attributes("func"), "{0:.0}")),
    (type(lru_cache(len)), ContentKind("state", _of_cache, "'s cache")),
    (contextvars.ContextVar, ContentKind("state", lambda thing: Content(("",), (thing.get(None),)), "{}")),
    (bytearray, ContentKind("buffer", _of_bytes, restore=_put_bytes)),
    (array.array, ContentKind("buffer", _of_bytes, restore=_put_bytes)),
    (random.Random, ContentKind("random", _of_random, restore=lambda thing, content: thing.setstate(content.token))),
    (io.IOBase, ContentKind("file", _of_file)),
    (types.GeneratorType, ContentKind("iterator", _of_generator)),
)
