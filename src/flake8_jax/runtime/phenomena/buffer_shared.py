"""Phenomenon: the value of a JAX array changes, because it shares memory with a buffer of the host.  Nothing else can
change it; it is seen on the line that ran meanwhile.

    a = np.zeros(3)
    x = jax.device_put(a)       no copy, if the buffer is aligned as XLA wants it
    a[0] = 7.0                  x is [7, 0, 0] now: seen here

The values of all JAX arrays that the fixture's frames and its module reach are compared after each line.  Whether
memory is shared depends on where the host happened to put the buffer, so buffers are `aligned`.  Elsewhere than on a
CPU, arrays have memory of their own, and nothing can be seen.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field
from types import FrameType

from flake8_jax.runtime.foreign import Foreign
from flake8_jax.runtime.phenomenon import Phenomenon
from flake8_jax.runtime.sightings import Sightings, Unsupported
from flake8_jax.runtime.trial import Trial
from flake8_jax.runtime.watching.alignment import aligned
from flake8_jax.runtime.watching.state import Home, find
from flake8_jax.runtime.watching.stepping import Stepper

LARGE = 1 << 16


def observe(trial: Trial, parameter: str) -> Sightings:
    """Run the case; report the lines that change a JAX array."""
    import jax

    if jax.default_backend() != "cpu":
        raise Unsupported(f"arrays on a {jax.default_backend()} have memory of their own")
    comparing = BufferComparison(trial.path)
    stepper = Stepper(trial.path, ran=comparing.compare, next=comparing.look)
    with trial.run(aligned(trial.path), stepper.following()):
        return comparing.found


@dataclass(slots=True)
class BufferComparison:
    """The reachable JAX arrays, with the values they had when first seen."""

    path: str
    found: Sightings = field(default_factory=Sightings)
    _arrays: dict[int, tuple[Foreign, str, Foreign]] = field(default_factory=dict)

    def look(self, frame: FrameType) -> None:
        """Before a line runs: keep the values of all reachable arrays."""
        home = Home(str(frame.f_globals["__name__"]), self.path)
        for thing, way, _ in find(home, [(dict(frame.f_globals), "module"), (dict(frame.f_locals), "")], _is_array):
            if id(thing) not in self._arrays and (value := _value(thing)) is not None:
                self._arrays[id(thing)] = (thing, way, value)

    def compare(self, line: int | None) -> None:
        """After a line has run: report an array that it changed."""
        for key, (array, way, value) in list(self._arrays.items()):
            now = _value(array)
            if now is not None and now != value:
                self._arrays[key] = (array, way, now)
                self.found.see(line, array=way, now=str(array)[:100])


def _is_array(thing: Foreign) -> bool:
    import jax

    return isinstance(thing, jax.Array) and not isinstance(thing, jax.core.Tracer)


def _value(array: Foreign) -> Foreign:
    """What can be compared of an array; None if it cannot be read."""
    import jax
    import numpy as np

    if array.is_deleted() or not array.is_fully_addressable:
        return None
    if jax.numpy.issubdtype(array.dtype, jax.dtypes.prng_key):
        with jax.ensure_compile_time_eval():  # a trace may be under way
            array = jax.random.key_data(array)
    data = np.asarray(array).tobytes()
    return data if len(data) <= LARGE else zlib.crc32(data)


PHENOMENON = Phenomenon(
    name="buffer_shared",
    summary="a JAX array changes, because it shares its memory with a buffer of the host",
    observe=observe,
    bad="""\
import jax
import numpy as np

def case():
    a = np.zeros(3, np.float32)
    x = jax.device_put(a)
    a[0] = 7.0  # here
    return x
""",
    good="""\
import jax
import numpy as np

def case():
    a = np.zeros(3, np.float32)
    x = jax.device_put(a.copy())
    a[0] = 7.0
    return x
""",
)
