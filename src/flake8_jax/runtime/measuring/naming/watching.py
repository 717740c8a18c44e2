"""Detects the side effects of a call: compares its values, and the state around it, before and after.

    deeds(lambda values: values["self"].delete(), {"self": array}) -> {"argument"}

A thread, quiet streams and values to compare are all it takes: state that is kept by threads ends with the thread, and
the rest is put back.
"""

from __future__ import annotations

import contextlib
import io
import random
import sys
import threading
import warnings
from collections.abc import Callable, Iterator, Mapping

import jax
import numpy as np

from flake8_jax.runtime.foreign import Foreign

# What may differ afterwards; what a version of JAX does not have is not watched.
STATE: tuple[Callable[[], Foreign], ...] = (
    lambda: sorted(jax.config.values.items(), key=str),
    lambda: jax.sharding.get_abstract_mesh(),
    lambda: jax.sharding.get_mesh(),
    lambda: np.random.get_state(),
    lambda: random.getstate(),
    lambda: np.get_printoptions(),
    lambda: np.geterr(),
)


def deeds(run: Callable[[Mapping[str, Foreign]], Foreign], values: Mapping[str, Foreign]) -> set[str] | None:
    """The words for the side effects of `run` on these values; None if it raises.

    It runs in a thread of its own, whose settings end with it.
    """
    found: list[set[str] | None] = []
    thread = threading.Thread(target=lambda: found.append(_watched(run, values)))
    with quiet() as written:
        thread.start()
        thread.join()
    words = found[0] if found else None
    return words | {"output"} if words is not None and written() else words


def _watched(run: Callable[[Mapping[str, Foreign]], Foreign], values: Mapping[str, Foreign]) -> set[str] | None:
    compiled = jax.jit(lambda: 0)
    compiled()
    options, states = np.get_printoptions(), (random.getstate(), np.random.get_state())
    before = [seen(value) for value in values.values()], state(values, compiled)
    imported = len(sys.modules)
    try:
        run(values)
        jax.effects_barrier()  # type: ignore[no-untyped-call]
        if len(sys.modules) > imported:  # modules draw while they are imported (rich does): that is not the call's
            random.setstate(states[0])
            np.random.set_state(states[1])
    except BaseException:
        return None
    else:
        after = [seen(value) for value in values.values()], state(values, compiled)
        return {word for word, one, two in zip(("argument", "state"), before, after) if one != two}
    finally:
        np.set_printoptions(**options)
        random.setstate(states[0])
        np.random.set_state(states[1])


def state(values: Mapping[str, Foreign], compiled: Foreign) -> str:
    """The global state: settings, meshes, compiled functions, and which of these classes are pytree nodes."""
    shown: list[Foreign] = [compiled._cache_size()]
    shown += [jax.tree_util.all_leaves([value()]) for value in values.values() if isinstance(value, type)]
    for ask in STATE:
        with contextlib.suppress(AttributeError, ValueError):
            shown.append(ask())
    return repr(shown)


def seen(value: Foreign) -> Foreign:
    """A snapshot of a value, to be compared with it later."""
    if isinstance(value, (list, tuple)):
        return type(value).__name__, [seen(part) for part in value]
    if isinstance(value, dict):
        return [(name, seen(part)) for name, part in value.items()]
    if isinstance(value, io.BytesIO):
        return value.getvalue(), value.tell()
    if isinstance(value, (np.ndarray, jax.Array)) or hasattr(value, "aval"):
        return _contents(value)
    return repr(value)


def _contents(array: Foreign) -> Foreign:
    try:
        read = array[...] if "Ref" in type(getattr(array, "aval", None)).__name__ else array
        is_key = isinstance(read, jax.Array) and jax.numpy.issubdtype(read.dtype, jax.dtypes.prng_key)
        return np.asarray(jax.random.key_data(read) if is_key else read).tobytes()
    except Exception as error:
        return type(error).__name__


@contextlib.contextmanager
def quiet() -> Iterator[Callable[[], str]]:
    """Capture output and block input; gives what would have been written."""
    out, stdin = io.StringIO(), sys.stdin
    sys.stdin = io.StringIO("continue\n" * 9)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield out.getvalue
    finally:
        sys.stdin = stdin
