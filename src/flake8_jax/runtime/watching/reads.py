"""Observes the outside values that a line reads, and restores them later. They are found where the line runs.

    SCALE = 2.0
    class M:
        def f(self, x):
            return x * self.scale * SCALE      Read("self.scale", the instance), Read("SCALE", the module)

The names and paths on a line are those of its syntax tree; they are followed by hand through the frame's variables,
without calling anything: a property is no path, its own lines are read when they run.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from types import CellType, FrameType, ModuleType

from flake8_jax.runtime.foreign import Foreign
from flake8_jax.runtime.watching.contents import Content, ContentKind
from flake8_jax.runtime.watching.state import Home, Watch

Paths = Mapping[int, "list[ast.expr]"]
BUFFERS = ("list", "dict", "set", "deque", "ndarray", "bytearray", "array", "defaultdict", "OrderedDict", "Counter")


@dataclass(frozen=True, slots=True)
class Read:
    """A path on a line, with the object of its last step, its content and a label. The label is None if the object as a
    whole was read."""

    line: int
    text: str
    holder: Foreign
    kind: ContentKind
    content: Content
    label: Foreign = None

    @property
    def is_changed(self) -> bool:
        """Has the content that was read changed by now?"""
        now = self.kind.read(self.holder)
        if now is None:
            return False
        if self.label is None:
            return not now.is_same(self.content)
        return _entry(now, self.label) is not _entry(self.content, self.label)

    @property
    def can_go_back(self) -> bool:
        """Can the content that was read be restored?"""
        token = self.content.token
        return self.kind.restore is not None and not (isinstance(token, tuple) and isinstance(token[-1], int))

    @contextmanager
    def gone_back(self) -> Iterator[None]:
        """Restore the content that was read for a while."""
        now = self.kind.read(self.holder)
        assert now is not None
        assert self.kind.restore is not None
        before = self.content if self.label is None else _with_entry(now, self.label, _entry(self.content, self.label))
        self.kind.restore(self.holder, before)
        try:
            yield
        finally:
            self.kind.restore(self.holder, now)

    def is_called(self, name: str) -> bool:
        """Does a claim mean this read by a name: the path, or the beginning of it?"""
        return self.text == name or self.text.startswith((name + ".", name + "["))


def paths(tree: ast.Module) -> Paths:
    """The names, attributes and constant subscripts read on each line of a module."""
    found: dict[int, list[ast.expr]] = defaultdict(list)
    for node in ast.walk(tree):
        if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)) and _is_path(node):
            found[node.lineno].append(node)
    return found


def _is_path(node: ast.expr) -> bool:
    match node:
        case ast.Name():
            return True
        case ast.Attribute(value=value):
            return _is_path(value)
        case ast.Subscript(value=value, slice=ast.Constant()):
            return _is_path(value)
    return False


def reads(frame: FrameType, home: Home, module: ModuleType, known: Paths, watch: Watch) -> Iterator[Read]:
    """The reads of a frame's next line from the watched objects and from the module."""
    scope = _Scope(frame, home, module, watch)
    for node in known.get(frame.f_lineno, ()):
        try:
            value, step = scope.follow(node)
        except _Lost:
            continue
        text = ast.unparse(node)
        if step is not None:
            yield from scope.read(text, *step)
        if type(value).__name__ in BUFFERS or str(type(value).__module__).startswith("flax.nnx."):
            yield from scope.read(text, value, None)


class _Lost(Exception):
    """A path that leads nowhere."""


@dataclass(frozen=True, slots=True)
class _Scope:
    frame: FrameType
    home: Home
    module: ModuleType
    watch: Watch

    def read(self, text: str, holder: Foreign, label: Foreign) -> Iterator[Read]:
        if id(holder) not in self.watch.seen:
            return
        kind = self.home.kind_of(holder)
        content = kind.read(holder) if kind else None
        if kind and content and (label is None or any(each is label or each == label for each in content.labels)):
            yield Read(self.frame.f_lineno, text, holder, kind, content, label)
        elif kind and content and kind.is_foreign:
            yield Read(self.frame.f_lineno, text, holder, kind, content)

    def follow(self, node: ast.expr) -> tuple[Foreign, tuple[Foreign, Foreign] | None]:
        """The value of a path, and the object and label of its last step, if that is outside of the frame."""
        match node:
            case ast.Name(id=name):
                return self._name(name)
            case ast.Attribute(value=inner, attr=name):
                return self._attribute(self.follow(inner)[0], name)
            case ast.Subscript(value=inner, slice=ast.Constant(value=key)):
                return self._item(self.follow(inner)[0], key)
        raise _Lost

    def _name(self, name: str) -> tuple[Foreign, tuple[Foreign, Foreign] | None]:
        held = self.frame.f_locals
        if name in held:
            value = held[name]
            cell = self._cell(name, value) if name in self.frame.f_code.co_freevars else None
            return value, (cell, None) if cell is not None else None
        if name in self.frame.f_globals and self.frame.f_globals is vars(self.module):
            return self.frame.f_globals[name], (self.module, name)
        raise _Lost

    def _cell(self, name: str, value: Foreign) -> Foreign:
        """The cell of a variable of a function around."""
        for each in self.watch.seen.values():
            if isinstance(each.thing, CellType) and each.text.endswith("." + name):
                held = each.kind.read(each.thing)
                if held and held.values and held.values[0] is value:
                    return each.thing
        return None

    def _attribute(self, value: Foreign, name: str) -> tuple[Foreign, tuple[Foreign, Foreign] | None]:
        for holder in (value, type(value)):
            kind = self.home.kind_of(holder)
            content = kind.read(holder) if kind and not isinstance(holder, (list, dict, tuple)) else None
            if content and name in content.labels:
                return _entry(content, name), (holder, name)
        kind = self.home.kind_of(value)
        if kind and kind.is_foreign:
            return None, (value, name)
        raise _Lost

    def _item(self, value: Foreign, key: Foreign) -> tuple[Foreign, tuple[Foreign, Foreign] | None]:
        if type(value).__name__ not in BUFFERS:
            raise _Lost
        try:
            return value[key], (value, key if isinstance(value, dict) else None)
        except (LookupError, TypeError):
            raise _Lost from None


def _entry(content: Content, label: Foreign) -> Foreign:
    return next((value for each, value in zip(content.labels, content.values) if each is label or each == label), None)


def _with_entry(content: Content, label: Foreign, value: Foreign) -> Content:
    values = tuple(value if each is label or each == label else v for each, v in zip(content.labels, content.values))
    return Content(content.labels, values, content.token)
