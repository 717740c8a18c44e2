"""The definition of a phenomenon: a name, a recipe to observe it, and a self-test of the recipe.

A claim spells it `name` or `name:parameter`, as in `raises:TypeError`.  The self-test is a pair of small programs with
a case named `case`; in the bad one, a comment `# here` stands on the line where the phenomenon must be seen.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from flake8_jax.runtime import claims
from flake8_jax.runtime.sightings import Sightings, Unsupported
from flake8_jax.runtime.trial import Trial


@dataclass(frozen=True, slots=True)
class Phenomenon:
    """A kind of observation at run time.

    `parameter` says what may follow the colon, None if nothing may; `is_required` whether it must.  `observe` runs a
    trial for a parameter ("" if there is none) and returns where it was seen; it raises `Unsupported` where it cannot
    look.  `bad`, `good` and `example` (a parameter) are the self-test.  `in_child` says that `observe`, and
    so the self-test, forks children of its own and needs a process where no backend of JAX is started.
    """

    name: str
    summary: str
    observe: Callable[[Trial, str], Sightings]
    bad: str
    good: str
    parameter: str | None = None
    is_required: bool = False
    example: str = ""
    in_child: bool = False


def self_test(phenomenon: Phenomenon) -> str | None:
    """The reason why the recipe fails its self-test, None if it passes."""
    bad, good = (
        _trial(text, f"{phenomenon.name}-{role}") for text, role in ((phenomenon.bad, "bad"), (phenomenon.good, "good"))
    )
    lines = [number for number, text in enumerate(phenomenon.bad.splitlines(), 1) if "# here" in text]
    try:
        seen = phenomenon.observe(bad, phenomenon.example).by_line
        unseen = phenomenon.observe(good, phenomenon.example).by_line
    except Unsupported as error:
        return str(error)
    if not set(lines) <= seen.keys():
        return f"self-test: seen on lines {sorted(map(str, seen))} in place of {lines}{_raised(bad)}"
    return f"self-test: seen where it is not, on {sorted(map(str, unseen))}" if unseen else None


def _trial(text: str, name: str) -> Trial:
    fixture = claims.parse(Path(f"/self-test/{name}.py"), text)
    case = fixture.case("case")
    assert case is not None, f"{name}: no case"
    return Trial(fixture, replace(case, claims=()))


def _raised(trial: Trial) -> str:
    return f"; raised {trial.errors[0][0]!r}" if trial.errors else ""
