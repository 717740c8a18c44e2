"""Temporary changes of attributes, undone on exit even after an exception.

with changed(jax.random, normal=watched):      a module, a class, an object with slots or without
    ...
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from flake8_jax.runtime.foreign import Foreign


@contextmanager
def changed(thing: Foreign, /, **values: object) -> Iterator[None]:
    """Set attributes of an object for a while, then restore them; one that was not its own is deleted again.

    What stands in a class is put back as it stands there: a property, not what it gives.
    """
    own = vars(thing) if hasattr(thing, "__dict__") else {name: getattr(thing, name) for name in values}
    before = {name: own[name] for name in values if name in own}
    try:
        for name, value in values.items():
            setattr(thing, name, value)
        yield
    finally:
        for name in values:
            if name in before:
                setattr(thing, name, before[name])
            elif name in vars(thing):
                delattr(thing, name)
