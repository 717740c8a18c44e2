"""Repeats a call with other keys, to see whether its draws depend on any key it is given.

    @jax.jit
    def noisy(x, key): return x + jr.normal(key)      other numbers for another key
    @jax.jit
    def noisy(x): return x + jr.normal(jr.key(0))     the same numbers whatever it is given

Keys count as given in arguments, in what a function closes over, and in attributes of objects; and numbers too,
since a step counter or a seed may be what makes draws differ.  Defaults and globals stay as they are: a call does not
change them.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial

from flake8_jax.runtime.foreign import Foreign
from flake8_jax.runtime.recorders import Recorded, RecordedCall, copied

BITS = 0x5EED5EED
DEPTH = 4


def other_key(value: Foreign) -> Foreign:
    """Another key, or an array of other keys, in place of keys; None in place of anything else."""
    import jax

    if not isinstance(value, jax.Array) or isinstance(value, jax.core.Tracer) or value.is_deleted():
        return None
    if jax.numpy.issubdtype(value.dtype, jax.dtypes.prng_key):
        data = jax.random.key_data(value) ^ BITS
        return jax.random.wrap_key_data(data, impl=jax.random.key_impl(value))
    is_raw = value.dtype == "uint32" and value.ndim > 0 and value.shape[-1] in {2, 4}
    return value ^ BITS if is_raw else None


@contextmanager
def with_others(call: RecordedCall, *, and_numbers: bool) -> Iterator[Callable[[], Foreign]]:
    """A function that repeats a call with other keys in all its inputs. What was changed is put back."""
    with ExitStack() as undo:
        change = _Change(undo, and_numbers)
        arguments = change.tree(copied(call.arguments))
        keywords = change.tree(copied(call.keywords))
        change.inside(call.recorded.function, DEPTH)
        yield lambda: call.recorded(*arguments, **keywords)


def takes_something(call: RecordedCall) -> bool:
    """Is the call given any array or number, so that calling it again makes sense?"""
    import jax
    import numpy as np

    leaves = jax.tree_util.tree_leaves((call.arguments, call.keywords))
    return any(isinstance(leaf, (jax.Array, np.ndarray, np.generic, int, float, complex)) for leaf in leaves)


@dataclass(slots=True)
class _Change:
    """Changes keys and numbers wherever they are, and knows how to put them back."""

    undo: ExitStack
    and_numbers: bool
    seen: set[int] = field(default_factory=set)

    def tree(self, tree: Foreign, depth: int = DEPTH) -> Foreign:
        """A tree with other leaves; functions and objects in it are changed in place."""
        import jax

        return jax.tree_util.tree_map(partial(self._leaf, depth=depth), tree)

    def _leaf(self, leaf: Foreign, depth: int) -> Foreign:
        import jax
        import numpy as np

        other = other_key(leaf)
        if other is not None:
            return other
        if isinstance(leaf, (jax.Array, np.ndarray, np.generic)):
            is_number = np.issubdtype(leaf.dtype, np.integer) or np.issubdtype(leaf.dtype, np.floating)
            number: Foreign = leaf
            return number + 1 if self.and_numbers and is_number else leaf
        if isinstance(leaf, (int, float)) and not isinstance(leaf, bool):
            return leaf + 1 if self.and_numbers else leaf
        self.inside(leaf, depth - 1)
        return leaf

    def inside(self, thing: Foreign, depth: int) -> None:
        """Change what a function closes over, and what an object holds."""
        if depth < 0 or id(thing) in self.seen:
            return
        self.seen.add(id(thing))
        if isinstance(thing, Recorded):
            self.inside(thing.function, depth)
        elif isinstance(thing, types.MethodType):
            self.inside(thing.__self__, depth)
            self.inside(thing.__func__, depth)
        elif isinstance(thing, partial):
            self.inside(thing.func, depth)
            self._partial(thing, depth)
        elif isinstance(thing, types.FunctionType):
            for cell in thing.__closure__ or ():
                self._cell(cell, depth)
            self.inside(getattr(thing, "__wrapped__", None), depth)
        elif isinstance(getattr(thing, "__dict__", None), dict) and not isinstance(thing, (type, types.ModuleType)):
            self._object(thing, depth)

    def _cell(self, cell: types.CellType, depth: int) -> None:
        if id(cell) in self.seen:
            return
        self.seen.add(id(cell))
        try:
            before = cell.cell_contents
        except ValueError:  # not filled yet
            return
        after = self.tree(before, depth - 1)
        if after is not before:
            cell.cell_contents = after
            self.undo.callback(setattr, cell, "cell_contents", before)

    def _object(self, thing: Foreign, depth: int) -> None:
        for name, before in list(thing.__dict__.items()):
            after = self.tree(before, depth - 1)
            if after is not before:
                thing.__dict__[name] = after
                self.undo.callback(thing.__dict__.__setitem__, name, before)

    def _partial(self, thing: Foreign, depth: int) -> None:
        before = thing.func, thing.args, thing.keywords, dict(thing.__dict__)
        after = thing.func, self.tree(thing.args, depth - 1), self.tree(thing.keywords, depth - 1), dict(thing.__dict__)
        thing.__setstate__(after)
        self.undo.callback(thing.__setstate__, before)
