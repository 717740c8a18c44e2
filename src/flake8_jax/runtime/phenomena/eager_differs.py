"""Phenomenon: a transformed function and the plain function give different results, or only one of them raises.

    @jax.jit
    def f(x):
        if isinstance(x, float):      1.5 is a float, its tracer is none: the runs part here
            return x * 2
        return x

The case is run twice, as plain Python and with its transforms; the results of its outermost calls are compared.  If
they differ, both runs are made once more, line by line, and the line on which they part is the one that is seen, if
they do (`divergence`).  Of an exception, it is the line that raises.

Plain Python is given the numbers that the case gives.  If it raises then (a float has no `ndim`), it is given the
arrays that a transform would make of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from flake8_jax.runtime import frames, recorders
from flake8_jax.runtime.foreign import Foreign
from flake8_jax.runtime.phenomenon import Phenomenon
from flake8_jax.runtime.recorders import Mode, Recorded
from flake8_jax.runtime.sightings import Sightings, Unsupported, first_line
from flake8_jax.runtime.trial import Trial
from flake8_jax.runtime.watching.agreement import difference
from flake8_jax.runtime.watching.divergence import SEEN, Course, Numbering, parting
from flake8_jax.runtime.watching.stepping import Stepper

ABSTRACT = frozenset(("jax.eval_shape", "jax.make_jaxpr"))


@dataclass(slots=True)
class CallOutcome:
    """The result or exception of an outermost call."""

    recorded: Recorded
    value: Foreign = None
    error: Exception | None = None


@dataclass(slots=True)
class Results:
    """A watcher that keeps the outcomes of outermost calls; `course` is the course of a chosen one."""

    path: str
    arrays: bool = False
    chosen: int | None = None
    course: Course = field(default_factory=Course)
    results: list[CallOutcome] = field(default_factory=list)
    _is_inside: bool = False

    def __enter__(self) -> Results:
        """Watch the session that is open."""
        assert recorders.current is not None
        recorders.current.around = self._around
        recorders.current.arrays = self.arrays
        return self

    def __exit__(self, *_: object) -> None:
        """Watch no longer; the session is closed with the run."""

    def _around(self, recorded: Recorded, arguments: tuple[Foreign, ...], keywords: dict[str, Foreign]) -> Foreign:
        if self._is_inside or recorders.has_tracer((arguments, keywords)):
            return recorded.proceed(arguments, keywords)
        result = CallOutcome(recorded)
        self.results.append(result)
        self._is_inside = self.course.telling = True
        try:
            if len(self.results) - 1 == self.chosen:
                with Stepper(self.path, next=self.course.next, left=self.course.left).following():
                    value = recorded.proceed(arguments, keywords)
            else:
                value = recorded.proceed(arguments, keywords)
            result.value = recorders.copied(value)
            return value
        except Exception as error:
            result.error = error
            raise
        finally:
            self._is_inside = self.course.telling = False


def observe(trial: Trial, parameter: str) -> Sightings:
    """Run the case in both modes; report the line on which the first differing calls diverge."""
    found = Sightings()
    plain, traced = Results(trial.path), Results(trial.path)
    _run(_copy(trial), plain, Mode.EAGER)
    _run(trial, traced, Mode.TRACED)
    if _is_only_plain_raising(plain, traced):
        plain = Results(trial.path, arrays=True)
        _run(_copy(trial), plain, Mode.EAGER)
    unclear = None
    for number, (mine, theirs) in enumerate(zip(plain.results, traced.results)):
        if mine.recorded.reference is None:
            unclear = unclear or (mine.recorded.transform if mine.recorded.transform not in ABSTRACT else None)
        elif mine.error is not None or theirs.error is not None:
            _see_error(trial, mine, theirs, found)
        elif (gap := difference(mine.value, theirs.value)) is not None:
            found.see(_line(trial, number, plain.arrays), plain_against_traced=gap, call=number)
            break
    if not found and unclear is not None:
        raise Unsupported(f"{unclear} has no plain form")
    return found


def _copy(trial: Trial) -> Trial:
    return replace(trial, errors=[])


def _run(trial: Trial, results: Results, mode: Mode) -> None:
    with trial.run(results, mode=mode):
        pass


def _is_only_plain_raising(plain: Results, traced: Results) -> bool:
    return any(mine.error and not theirs.error for mine, theirs in zip(plain.results, traced.results))


def _see_error(trial: Trial, mine: CallOutcome, theirs: CallOutcome, found: Sightings) -> None:
    error = theirs.error or mine.error
    if error is not None and (mine.error is None or theirs.error is None):
        chain = frames.error_chain(trial.path, error)
        who = "traced" if error is theirs.error else "plain"
        message = first_line(error)
        found.see(chain[-1] if chain else None, raises=type(error).__name__, who=who, message=message)


def _line(trial: Trial, number: int, arrays: bool) -> int | None:
    """Run both ways once more, step by step, and find the line on which a call parts."""
    numbering, courses = Numbering(), []
    for mode in (Mode.EAGER, Mode.TRACED):
        results = Results(trial.path, arrays, chosen=number)
        courses.append(results.course)
        with _copy(trial).run(results, mode=mode, edit=numbering.edited, given={SEEN: results.course.seen}):
            pass
    return parting(courses[0], courses[1], numbering.lines)


PHENOMENON = Phenomenon(
    name="eager_differs",
    summary="a transformed function gives something else than the function itself",
    observe=observe,
    bad="""\
import jax

@jax.jit
def f(x):
    if isinstance(x, float):  # here
        return x * 2
    return x

def case():
    return f(1.5)
""",
    good="""\
import jax

@jax.jit
def f(x):
    if x.ndim == 0:
        return x * 2
    return x

def case():
    return f(1.5)
""",
)
