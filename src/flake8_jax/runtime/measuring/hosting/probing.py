"""Probes one host function: searches for a working call, then varies one parameter at a time.

    numpy.repeat(a, repeats, axis)      a call that works: a=[0.25, 0.5, 0.75], repeats=2
    a       a list, a matrix ... work; a tracer works and makes a tracer come back       no mark, own(a)
    repeats 2 works; no tracer of any shape and type does, not even if a is a tracer too `!`
    axis    0 works; no tracer does                                                     `!`

All of a function's calls are made inside one trace, which host values do not notice.  A tracer is tried in the form of
each value that worked and in some usual forms.  A place that takes functions and nothing else has no mark.
"""

from __future__ import annotations

import contextlib
import gc
import inspect
import itertools
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import FrameType

import jax
import jax.numpy as jnp
import numpy as np

from flake8_jax.runtime.foreign import Foreign
from flake8_jax.runtime.measuring.hosting.kinds import EMPTY, kind_of
from flake8_jax.runtime.measuring.hosting.samples import F1, F2, GENERAL, I1, NAMED, NUMERIC, Holder, fresh, values_for
from flake8_jax.runtime.measuring.hosting.signatures import ArgumentValues, arranged, required
from flake8_jax.runtime.measuring.notation import P, Varargs

STANDARD = (np.float32(0.5), np.int32(1), np.bool_(True), F1, I1, F2)
MOST_CALLS = 4
MOST_STEPS = 20_000  # Python functions entered and left, in one call


class StepLimitExceeded(BaseException):
    """A call took too many steps."""


@contextlib.contextmanager
def bounded() -> Iterator[None]:
    """Limit the number of steps: a clock would make measurements depend on the machine's load.

    What is collected meanwhile would count too, so that nothing is.
    """
    steps, before, collects = itertools.count(), sys.getprofile(), gc.isenabled()

    def step(frame: FrameType, event: str, argument: Foreign) -> None:
        if next(steps) > MOST_STEPS:
            raise StepLimitExceeded

    gc.disable()
    sys.setprofile(step)
    try:
        yield
    finally:
        sys.setprofile(before)
        if collects:
            gc.enable()


@dataclass(frozen=True, slots=True, eq=False)
class VariedCall:
    """One call: the parameters varied from the first working call, all values, and the kind of the result."""

    varied: tuple[str, ...]
    values: ArgumentValues
    kind: str

    @property
    def value(self) -> Foreign:
        """The value of the first varied parameter."""
        return self.values[self.varied[0]]


@dataclass(slots=True)
class HostProbe:
    """A function under test, its parameters, working calls, and their results. `calls` are those found to work, `host`
    and `traced` what came back.

    With `is_careful`, an odd value may crash the process: only likely ones are tried.
    """

    function: Callable[..., Foreign]
    signature: inspect.Signature
    token: Foreign
    is_careful: bool = False
    calls: list[ArgumentValues] = field(default_factory=list)
    host: list[VariedCall] = field(default_factory=list)
    traced: list[VariedCall] = field(default_factory=list)
    without: str = ""
    refusing: set[str] = field(default_factory=set)
    changes_argument: bool = False

    def kind(self, values: ArgumentValues) -> str:
        """The kind of a call's result, "" if it raises."""
        return "static" if (kind := self._outcome(values)) == EMPTY else kind

    def _outcome(self, values: ArgumentValues) -> str:
        try:
            copied = {name: fresh(value) for name, value in values.items()}
            positional, keywords = arranged(self.signature, copied)
            with bounded():
                result = self.function(*positional, **keywords)
            self._compare(values, copied)
            return kind_of(result)
        except (Exception, StepLimitExceeded):
            return ""

    def _compare(self, before: ArgumentValues, after: ArgumentValues) -> None:
        for name, value in before.items():
            if type(value) in (list, dict, set) and not _alike(value, after[name]):
                self.changes_argument = True

    def search(self, stated: list[ArgumentValues]) -> bool:
        """Find working calls: the stated ones, or one sample for all parameters, or any combination of samples."""
        for values in stated or self._guesses():
            if stated or not self.calls or not any(isinstance(value, str) for value in values.values()):
                self._try(values)
                self._leave_varargs_out(values)
            if len(self.calls) >= (2 if self.is_careful else MOST_CALLS) and not stated:
                break
        if not self.calls and not stated:
            for values in self._combinations():
                if self._try(values):
                    break
        return bool(self.calls)

    def _try(self, values: ArgumentValues) -> bool:
        is_repeated = bool(self.calls) and any(map(_is_empty, values.values()))
        kind = "" if is_repeated else self.kind(values)
        if kind:
            values = {name: value for name, value in values.items() if not _is_empty(value)}
            self.calls.append(values)
            self.host.append(VariedCall(self._beyond(values), values, kind))
        return bool(kind)

    def _beyond(self, values: ArgumentValues) -> tuple[str, ...]:
        """The parameters that the first call left out."""
        return tuple(name for name in self.signature.parameters if name in values and name not in self.calls[0])

    def _leave_varargs_out(self, values: ArgumentValues) -> None:
        """What comes back of a call without any of the arguments that `*parameter` takes."""
        starred = [name for name in values if self.signature.parameters[name].kind == P.VAR_POSITIONAL]
        if starred and values[starred[0]]:
            kind = self._outcome({n: v for n, v in values.items() if n != starred[0]})
            self.without = kind if kind not in ("", EMPTY) else self.without

    def _guesses(self) -> Iterator[ArgumentValues]:
        names = required(self.signature)
        varargs = [n for n, p in self.signature.parameters.items() if p.kind == P.VAR_POSITIONAL]
        named = [n for n in names if _is_named(n)]
        if not names and not varargs:
            yield {}
        for sample, by_name in itertools.product(
            GENERAL if names or varargs else (), (True, False) if named else (False,)
        ):
            chosen = {n: next(values_for(n)) if by_name and n in named else sample for n in names}
            counts = (1, 2, 3, 0) if varargs else (0,)
            yield from ({**chosen, **dict.fromkeys(varargs, Varargs([sample] * count))} for count in counts)

    def _combinations(self) -> Iterator[ArgumentValues]:
        names = required(self.signature)
        if len(names) in (2, 3):
            for chosen in itertools.product(NUMERIC if len(names) == 3 else GENERAL, repeat=len(names)):
                yield dict(zip(names, chosen))

    def tracer(self, value: Foreign) -> Foreign:
        """A tracer with the structure of a value: same shape and dtype, in the same lists and tuples."""
        if isinstance(value, (list, tuple)) and value:
            return type(value)(self.tracer(part) for part in value)
        if isinstance(value, (np.ndarray, np.generic, bool, int, float, complex)):
            array = np.asarray(value)
            return jnp.broadcast_to(self.token, array.shape).astype(jax.dtypes.canonicalize_dtype(array.dtype))
        raise TypeError(f"no tracer can stand for {value!r}")

    def vary(self, name: str) -> str:
        """Try other values and tracers for one parameter, keep the results, and return its mark, "" for none."""
        values = list(self._working(name))
        standard = STANDARD[:4] if self.is_careful else STANDARD
        tracers = [form for value in values for form in self._forms(value)] + [self.tracer(v) for v in standard]
        accepted = False
        for call in self.calls:
            for form in tracers:
                kind = self.kind(self._with(call, name, form))
                if kind:
                    accepted = True
                    self.traced.append(VariedCall((name,), self._with(call, name, form), kind))
                    break
        if not accepted:
            accepted = any(self._works_beside_tracers(name, form) for form in tracers)
        if not accepted:
            self.refusing.add(name)
        is_data = any(not (callable(value) or isinstance(value, Holder)) for value in values)
        return "!" if is_data and not accepted else ""

    def _works_beside_tracers(self, name: str, form: Foreign) -> bool:
        others = {seen.varied[0] for seen in self.traced} - {name}
        return any(
            self.kind(self._with(self._with(call, other, self.tracer(self._first(call, other))), name, form))
            for call in self.calls
            for other in sorted(others)
            if other in call and _is_numeric(self._first(call, other))
        )

    def _working(self, name: str) -> Iterator[Foreign]:
        parameter = self.signature.parameters[name]
        own = [self._first(call, name) for call in self.calls if name in call]
        default = [] if parameter.default is P.empty or parameter.default is None else [parameter.default]
        is_flag, is_stated = isinstance(parameter.default, bool), parameter.default is not P.empty and name in NAMED
        usual = () if self.is_careful else values_for(name)
        likely = [not parameter.default] if is_flag else NAMED[name] if is_stated else usual
        arrays = others = 0
        for value in (*own, *default, *likely):
            is_array = isinstance(value, np.ndarray)
            if (arrays if is_array else others) < 3 and self._accepts(name, value):
                arrays, others = arrays + is_array, others + (not is_array)
                yield value
                if is_array:
                    self._accepts(name, value.tolist())

    def _accepts(self, name: str, value: Foreign) -> bool:
        calls = [self._with(call, name, value) for call in self.calls]
        seen = [VariedCall(self._beyond(call), call, kind) for call in calls if (kind := self.kind(call))]
        self.host += seen
        if name in self.calls[0] and {one.kind for one in seen} - {self.kind(call) for call in self.calls}:
            self.calls.append(calls[0])
        return bool(seen)

    def _forms(self, value: Foreign) -> Iterator[Foreign]:
        try:
            yield self.tracer(value)
            yield self.tracer(np.asarray(value))
            if isinstance(value, np.ndarray) and value.ndim:
                yield list(map(self.tracer, value))
        except (TypeError, ValueError):
            return

    def _with(self, call: ArgumentValues, name: str, value: Foreign) -> ArgumentValues:
        kind = self.signature.parameters[name].kind
        if kind == P.VAR_POSITIONAL:
            value = Varargs([value, *call.get(name, ())[1:]])
        return {**call, name: value}

    def _first(self, call: ArgumentValues, name: str) -> Foreign:
        is_starred = self.signature.parameters[name].kind == P.VAR_POSITIONAL
        return call[name][0] if is_starred else call[name]


def _is_empty(value: Foreign) -> bool:
    return isinstance(value, Varargs) and not value


def _is_named(name: str) -> bool:
    return next(values_for(name)) is not GENERAL[0]


def _is_numeric(value: Foreign) -> bool:
    return isinstance(value, (np.ndarray, np.generic, int, float))


def _alike(one: Foreign, other: Foreign) -> bool:
    if isinstance(one, (list, tuple)) and type(one) is type(other):
        return len(one) == len(other) and all(map(_alike, one, other))
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return one.tobytes() == other.tobytes()
    is_plain = isinstance(one, (int, float, str, dict, set))
    return bool(one == other) if is_plain and type(one) is type(other) else type(one) is type(other)
