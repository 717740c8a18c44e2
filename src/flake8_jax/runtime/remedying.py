"""Runs a case as it is and with a remedy, and compares what both give: values, and gradients where there are floats.

    y = x[x > 0].mean()                          the case with its transforms taken away: what a reader takes it for
    y = jnp.where(x > 0, x, 0).mean()            so it must give the same, there and traced: this one is refused

The original speaks as plain Python (`Mode.EAGER`), for under its transforms it does not run; where it does not run
there either, nothing can be compared.  Compared are what the case returns and what its outermost calls of transformed
functions return, then each of these calls once more with other floats, and backwards.  Where numbers are equal or
zero, a gradient must only be finite where the original's is (`jnp.maximum(x, 0)` gives half of it at zero), and so it
must where the original takes a number to the host (`x.item()`), which cuts its gradient.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from typing import TypeAlias

from flake8_jax.runtime import claims, recorders
from flake8_jax.runtime.endless import ended_after
from flake8_jax.runtime.foreign import Foreign
from flake8_jax.runtime.recorders import Mode, Recorded
from flake8_jax.runtime.sightings import Evidence, first_line
from flake8_jax.runtime.trial import Run, Trial, seed
from flake8_jax.runtime.watching.agreement import difference
from flake8_jax.runtime.watching.leaves import parted

STEP = 0.013
"""How far apart the floats of a generic point are."""


LIMIT = 2.0
"""How many seconds of the processor a call with other floats may take, where a loop of plain Python may have no end."""

MOST_CALLS = 3
"""Of so many outermost calls of a case gradients are asked."""

SlopeOf: TypeAlias = "Callable[[Callable[..., Foreign], list[Foreign]], Foreign]"


@dataclass(frozen=True, slots=True)
class Point:
    """Where a call is made once more: its floats times `scale`, and apart from each other if the point is `generic`."""

    told: str
    scale: float
    generic: bool

    def at(self, number: Foreign, place: int) -> Foreign:
        """What a float becomes that is the call's first, second, ..."""
        import numpy as np

        apart = (place + 1) * STEP * (1.0 + np.arange(np.size(number), dtype="float32")).reshape(np.shape(number))
        return self.scale * (number + (apart if np.ndim(number) else float(apart)) * self.generic)


POINTS = (
    Point("", 1.0, generic=False),
    Point(" near its arguments", 1.0, generic=True),
    Point(" with the other sign", -1.0, generic=True),
    Point(" at zero", 0.0, generic=False),
)


class Incomparable(Exception):
    """The original does not run as plain Python; the message says why."""


class Endless(Exception):
    """A call with other floats takes too long."""


class Unlike(Exception):
    """A remedy gives something else than the original; the message says what."""


@dataclass(frozen=True, slots=True)
class PlainCall:
    """An outermost call of a transformed function, run as plain Python."""

    recorded: Recorded
    arguments: tuple[Foreign, ...]
    keywords: dict[str, Foreign]
    value: Foreign


@dataclass(slots=True)
class _Calls:
    """A watcher that keeps the outermost calls of a run.

    With `arrays`, they get arrays for numbers: where a branch was, both arms of a remedy run, and `1.0 / 0.0` raises.
    """

    arrays: bool = False
    made: list[PlainCall] = field(default_factory=list)
    _is_inside: bool = False

    @contextmanager
    def kept(self) -> Iterator[None]:
        session = recorders.current
        assert session is not None
        session.around, session.arrays = self._around, self.arrays
        yield
        session.around = None

    def _around(self, recorded: Recorded, arguments: tuple[Foreign, ...], keywords: dict[str, Foreign]) -> Foreign:
        if self._is_inside:
            return recorded.proceed(arguments, keywords)
        positional, named = recorders.copied((arguments, keywords))
        self._is_inside = True
        try:
            value = recorded.proceed(arguments, keywords)
        finally:
            self._is_inside = False
        self.made.append(PlainCall(recorded, positional, named, recorders.copied(value)))
        return value


def compared(original: Trial, remedied: Trial, *, is_alone: bool, is_cut: bool = False) -> Evidence:
    """How much was compared and is alike; raises `Unlike`, or `Incomparable`.

    `is_alone`: the case has no other hazard, so it must run to its end under its transforms, too.  `is_cut`: the
    original takes a number to the host.
    """
    first, second = _Calls(), _Calls(arrays=True)
    with original.run(first.kept(), mode=Mode.EAGER) as before:
        if before.error is not None:
            raise Incomparable(f"the original does not run as plain Python: {_told(before.error)}")
        with remedied.run(second.kept(), mode=Mode.EAGER) as after:
            _compare_runs(before, after, "as plain Python")
            calls = list(zip(first.made, second.made)) if _are_alike(first, second) else []
            for one, other in calls:
                _compare(one.value, other.value, "with the remedy a call")
            gradients = sum(_compare_again(one, other, is_cut) for one, other in calls[:MOST_CALLS])
        with remedied.run() as traced:
            if traced.error is None or is_alone:
                _compare_runs(before, traced, "traced")
    return {"calls": len(calls), "gradients": gradients}


def _are_alike(first: _Calls, second: _Calls) -> bool:
    mine, theirs = ([each.recorded.transform for each in calls.made] for calls in (first, second))
    return mine == theirs


def _compare_runs(before: Run, after: Run, how: str) -> None:
    if after.error is not None:
        raise Unlike(f"with the remedy it raises, {how}: {_told(after.error)}")
    _compare(before.value, after.value, f"with the remedy the case, {how},")


def _compare(one: Foreign, other: Foreign, what: str) -> None:
    if (gap := difference(one, other)) is not None:
        raise Unlike(f"{what} gives another value: {gap}")


def _told(error: BaseException) -> str:
    return f"{type(error).__name__}: {first_line(error)}"


def _compare_again(one: PlainCall, other: PlainCall, is_cut: bool) -> int:
    """Compare both calls at other arguments, and their gradients; returns how many gradients were compared."""
    numbers, _ = parted((one.arguments, one.keywords), _is_float)
    if not numbers or one.recorded.reference is None or recorders.has_tracer(numbers):
        return 0
    found = 0
    for point in POINTS:
        mine = _tried(partial(_made_at, one, point))
        if isinstance(mine, Exception):
            continue
        theirs = _tried(partial(_made_at, other, point))
        if isinstance(theirs, Exception):
            raise Unlike(f"with the remedy a call{point.told} raises {_told(theirs)}")
        _compare(mine, theirs, f"with the remedy a call{point.told}")
        found += _compare_gradients(one, other, point, is_equal=point.generic and not is_cut)
    return found


def _compare_gradients(one: PlainCall, other: PlainCall, point: Point, is_equal: bool) -> bool:
    for derivative in (_backwards, _forwards):
        mine = _tried(partial(_slope, one, point, derivative))
        if isinstance(mine, Exception):
            return False
        theirs = _tried(partial(_slope, other, point, derivative))
        if isinstance(theirs, Exception):
            if derivative is _backwards and "everse-mode differentiation" in str(theirs):
                continue  # a loop of `jax.lax.while_loop` has derivatives forwards only
            raise Unlike(f"with the remedy a gradient{point.told} raises {_told(theirs)}")
        if is_equal and (gap := difference(mine, theirs)) is not None:
            raise Unlike(f"with the remedy a gradient{point.told} is another: {gap}")
        if _is_finite(mine) and not _is_finite(theirs):
            raise Unlike(f"with the remedy a gradient{point.told} is not finite")
        return True
    return False


def _floats(call: PlainCall, point: Point) -> tuple[list[Foreign], Callable[[Sequence[Foreign]], Foreign]]:
    numbers, put = parted(recorders.copied((call.arguments, call.keywords)), _is_float)
    return [point.at(number, place) for place, number in enumerate(numbers)], put


def _made_at(call: PlainCall, point: Point) -> Foreign:
    numbers, put = _floats(call, point)
    arguments, keywords = put(numbers)
    return call.recorded.proceed(arguments, keywords)


def _slope(call: PlainCall, point: Point, derivative: SlopeOf) -> Foreign:
    import jax
    import jax.numpy as jnp

    numbers, put = _floats(call, point)

    def flat(*others: Foreign) -> list[Foreign]:
        arguments, keywords = put(others)
        leaves = jax.tree_util.tree_leaves(call.recorded.proceed(arguments, keywords))
        return [jnp.asarray(leaf) for leaf in leaves if _is_float(leaf)]

    return derivative(flat, list(map(jnp.asarray, numbers)))


def _backwards(function: Callable[..., Foreign], at: list[Foreign]) -> Foreign:
    import jax
    import jax.numpy as jnp

    values, back = jax.vjp(function, *at)
    return back([jnp.ones_like(value) for value in values])


def _forwards(function: Callable[..., Foreign], at: list[Foreign]) -> Foreign:
    import jax
    import jax.numpy as jnp

    return jax.jvp(function, tuple(at), tuple(jnp.ones_like(each) for each in at))[1]


def _tried(call: Callable[[], Foreign]) -> Foreign:
    """What a call gives, or its exception; the host's random generators are in the same state for each."""
    seed()
    try:
        with ended_after(LIMIT, Endless):
            return call()
    except Exception as error:
        return error


def _is_float(leaf: Foreign) -> bool:
    import jax
    import numpy as np

    if isinstance(leaf, (jax.Array, np.ndarray, np.floating)):
        return bool(jax.numpy.issubdtype(leaf.dtype, jax.numpy.floating))
    return isinstance(leaf, float)


def _is_finite(tree: Foreign) -> bool:
    import jax
    import numpy as np

    return all(bool(np.all(np.isfinite(np.asarray(leaf, "float32")))) for leaf in jax.tree_util.tree_leaves(tree))


SELECTED = """\
import jax
import jax.numpy as jnp

@jax.jit
def f(x):
    return x[x > 0].mean()

def case():
    return f(jnp.array([1.0, -2.0, 3.0]))
"""
DIVIDED = """\
import jax
import jax.numpy as jnp

@jax.jit
def f(x, n):
    if n > 0:
        return x / n
    return x

def case():
    return f(1.0, 2.0)
"""
BRANCH = "    if n > 0:\n        return x / n\n    return x\n"
SELF_TEST = (
    (SELECTED, SELECTED.replace("x[x > 0]", "jnp.where(x > 0, x, 0)"), "gives another value"),
    (DIVIDED, DIVIDED.replace(BRANCH, "    return jnp.where(n > 0, x / n, x)\n"), "a gradient at zero is not finite"),
    (DIVIDED, DIVIDED.replace(BRANCH, "    return jax.lax.cond(n > 0, lambda: x / n, lambda: x)\n"), ""),
)
"""Programs, remedies, and what is to be said of each: a comparison that is blind to one is none."""


@cache
def blindness() -> str | None:
    """The reason why remedies cannot be compared in this process, from a self-test, run once."""
    for text, remedied, wanted in SELF_TEST:
        said = ""
        try:
            compared(_trial(text), _trial(remedied), is_alone=True)
        except (Unlike, Incomparable) as error:
            said = str(error)
        if wanted not in said or bool(wanted) != bool(said):
            return f"self-test: {said or 'the same'} in place of {wanted or 'the same'}"
    return None


def _trial(text: str) -> Trial:
    fixture = claims.parse(Path("/self-test/remedy.py"), text)
    case = fixture.case("case")
    assert case is not None
    return Trial(fixture, replace(case, claims=()))
