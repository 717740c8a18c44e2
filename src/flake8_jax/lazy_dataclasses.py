"""Dataclasses whose methods are written when they are first called.

The decorator of the standard library compiles five or six methods for each class, which takes half a millisecond: for
the classes of this package a quarter of a run on one small file, although few of these methods are ever called.  This
one is used in the same way and means the same.  A class gets *stubs*; each puts the real method in its own place once
it is called:

    @dataclass(frozen=True, slots=True)
    class Span:                     Span.__init__ is a stub
        line: int
        column: int
    Span(1, 2)                      Span.__init__ is `def __init__(self, line, column)`, compiled now

That nothing is assigned to a frozen object is held by mypy; it also raises in the tests, and where Python runs in its
development mode (`python -X dev`).  To hold it always, each field of each object that is made would have to be put past
the guard, which takes three times as long as to assign it.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

IS_GUARDED = sys.flags.dev_mode
"""Does it raise to assign to a frozen object?  Asked when a class is made."""

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
    from dataclasses import field as field
    from dataclasses import replace as replace
else:
    import dataclasses
    import re
    from dataclasses import MISSING, Field, FrozenInstanceError, fields
    from dataclasses import field as field
    from functools import partial
    from reprlib import recursive_repr
    from types import MemberDescriptorType

    def dataclass(cls=None, /, *, frozen=False, slots=False, eq=True, order=False, kw_only=False):
        """`dataclasses.dataclass`, with methods that are written when they are first called."""
        made = partial(_made, frozen=frozen, slots=slots, eq=eq, order=order, kw_only=kw_only)
        return made if cls is None else made(cls)

    def _made(cls, *, frozen, slots, eq, order, kw_only):
        own = cls.__dict__
        says_hash = own.get("__hash__") is not None or ("__hash__" in own and "__eq__" not in own)
        cls = _shaped(cls, slots, kw_only)
        _put(cls, "__init__", partial(_write_init, cls, frozen and IS_GUARDED))
        _put(cls, "__repr__", lambda: recursive_repr()(_write(cls, "__repr__", *_repr_of(cls))))
        if eq:
            _put(cls, "__eq__", lambda: _write(cls, "__eq__", *_comparison_of(cls, "==")))
            if not says_hash and not frozen:
                cls.__hash__ = None
            elif not says_hash:
                _put(
                    cls, "__hash__", lambda: _write(cls, "__hash__", "self", [f"return hash({_tuple_of(cls, 'self')})"])
                )
        for name, operator in ORDERS if order else ():
            _put(cls, name, partial(_write_order, cls, name, operator))
        if frozen:
            _freeze(cls, slots)
        return cls

    @dataclasses.dataclass(init=False, repr=False, eq=False)
    class Sample:
        """A class of the standard library's decorator: what it notes of any class, and of any field."""

        one: int

    REGULAR = Sample.__dataclass_fields__["one"]._field_type
    NOTED = {name: Sample.__dict__[name] for name in ("__dataclass_params__", "__replace__") if name in Sample.__dict__}
    ODD = re.compile(r"ClassVar|InitVar|KW_ONLY")
    """What an annotation names that says something else than a field."""

    def _shaped(cls, slots, kw_only):
        """A class with its fields and slots, as the standard library makes it, which takes three times as long: it
        compiles a text for each class even if that is to have no method.
        """
        annotations = cls.__annotations__
        if any(ODD.search(str(annotation)) for annotation in annotations.values()):
            return dataclasses.dataclass(cls, init=False, repr=False, eq=False, slots=slots, kw_only=kw_only)
        known = {}
        for base in cls.__mro__[:0:-1]:
            known |= base.__dict__.get("__dataclass_fields__", {})
        for name, annotation in annotations.items():
            known[name] = _field_of(cls, name, annotation, kw_only)
        cls.__dataclass_fields__ = known
        for name, noted in NOTED.items():
            setattr(cls, name, noted)
        has = fields(cls)  # a base may have noted what is no field
        if "__match_args__" not in cls.__dict__:
            cls.__match_args__ = tuple([one.name for one in has if one.init and not one.kw_only])
        return _with_slots(cls, [one.name for one in has]) if slots else cls

    def _field_of(cls, name, annotation, kw_only):
        """A field; its default is left in the class."""
        default = getattr(cls, name, MISSING)
        if type(default) is MemberDescriptorType:
            default = MISSING
        one = default if type(default) is Field else field(default=default)
        if type(one.default).__hash__ is None:
            raise ValueError(f"mutable default for field {name!r}: make it by a factory")
        one.name, one.type, one._field_type = name, annotation, REGULAR
        if one.kw_only is MISSING:
            one.kw_only = kw_only
        if one is default and one.default is MISSING:
            delattr(cls, name)
        elif one is default:
            setattr(cls, name, one.default)
        return one

    def _with_slots(cls, names):
        """The class anew, with a slot for each field that no base has one for."""
        inherited = {name for base in cls.__mro__[1:-1] for name in base.__dict__.get("__slots__", ())}
        body = {
            name: value for name, value in cls.__dict__.items()
            if name not in names and name not in ("__dict__", "__weakref__")
        }  # fmt: skip
        body["__slots__"] = tuple([name for name in names if name not in inherited])
        made = type(cls)(cls.__name__, cls.__bases__, body)
        made.__qualname__ = cls.__qualname__
        return made

    ORDERS = (("__lt__", "<"), ("__le__", "<="), ("__gt__", ">"), ("__ge__", ">="))
    ABSENT = object()
    """What stands for an argument that is made by a factory."""

    def _put(cls, name, write):
        """Put a stub in a class, unless that has a method of this name."""
        if name in cls.__dict__ and not (name == "__hash__" and cls.__dict__[name] is None):
            return

        def stub(self, *args, **kwargs):
            method = write()
            setattr(cls, name, method)
            return method(self, *args, **kwargs)

        stub.__name__, stub.__qualname__ = name, f"{cls.__qualname__}.{name}"
        setattr(cls, name, stub)

    def _write(cls, name, parameters, body, known=None):
        """Compile one method."""
        known = {"__name__": cls.__module__, **(known or {})}
        exec(f"def {name}({parameters}):\n " + "\n ".join(body), known)
        method = known[name]
        method.__qualname__ = f"{cls.__qualname__}.{name}"
        return method

    def _write_init(cls, is_guarded):
        known = {"_set": object.__setattr__, "_absent": ABSENT}
        given, named, body = ["self"], [], []
        for one in fields(cls):
            value = one.name
            if one.default is not MISSING:
                known[f"_default_{one.name}"] = one.default
            elif one.default_factory is not MISSING:
                known[f"_make_{one.name}"] = one.default_factory
            if not one.init:
                if one.default is MISSING and one.default_factory is MISSING:
                    continue
                value = f"_default_{one.name}" if one.default_factory is MISSING else f"_make_{one.name}()"
            elif one.default_factory is not MISSING:
                value = f"_make_{one.name}() if {one.name} is _absent else {one.name}"
            if one.init:
                has_factory = one.default_factory is not MISSING
                default = "=_absent" if has_factory else f"=_default_{one.name}" if one.default is not MISSING else ""
                (named if one.kw_only else given).append(one.name + default)
            body.append(f"_set(self, {one.name!r}, {value})" if is_guarded else f"self.{one.name} = {value}")
        if hasattr(cls, "__post_init__"):
            body.append("self.__post_init__()")
        return _write(cls, "__init__", ", ".join([*given, *(["*", *named] if named else [])]), body or ["pass"], known)

    def _repr_of(cls):
        shown = ", ".join(f"{one.name}={{self.{one.name}!r}}" for one in fields(cls) if one.repr)
        return "self", [f'return f"{{self.__class__.__qualname__}}({shown})"']

    def _tuple_of(cls, owner):
        return "(" + "".join(f"{owner}.{one.name}, " for one in fields(cls) if one.compare) + ")"

    def _comparison_of(cls, operator):
        ways = f"{_tuple_of(cls, 'self')} {operator} {_tuple_of(cls, 'other')}"
        return "self, other", [f"if other.__class__ is self.__class__: return {ways}", "return NotImplemented"]

    def _write_order(cls, name, operator):
        return _write(cls, name, *_comparison_of(cls, operator))

    def _freeze(cls, slots):
        """Let nothing be assigned to an object once it is made, where that is guarded; pickle one by its fields."""

        def put(self, name, value):
            if type(self) is cls or name in cls.__dataclass_fields__:
                raise FrozenInstanceError(f"cannot assign to field {name!r}")
            super(cls, self).__setattr__(name, value)

        def remove(self, name):
            if type(self) is cls or name in cls.__dataclass_fields__:
                raise FrozenInstanceError(f"cannot delete field {name!r}")
            super(cls, self).__delattr__(name)

        methods = {"__setattr__": put, "__delattr__": remove} if IS_GUARDED else {}
        if slots:
            methods |= {"__getstate__": _state, "__setstate__": _take_state}
        for name, method in methods.items():
            if name not in cls.__dict__:
                setattr(cls, name, method)

    def _state(self):
        return [getattr(self, one.name) for one in fields(self)]

    def _take_state(self, state):
        for one, value in zip(fields(self), state, strict=True):
            object.__setattr__(self, one.name, value)

    def replace(instance, /, **changes):
        """`dataclasses.replace`."""
        cls = instance.__class__
        names = NAMES.get(cls)
        if names is None:
            names = NAMES[cls] = tuple(one.name for one in fields(cls) if one.init)
        for name in names:
            if name not in changes:
                changes[name] = getattr(instance, name)
        return cls(**changes)

    NAMES = {}
    """The parameters of each class that something was replaced in."""
