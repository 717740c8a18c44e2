"""Running each of several callables on its path.

f = g if flag else h
f(x)                        g(x) where `flag` is true, h(x) where it is false; then the paths meet
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection

from flake8_jax.analysis.callables import FunctionValue, underlying, visible_names
from flake8_jax.analysis.frame import Frame
from flake8_jax.domain.conditions import Path, assume, exclude, path_of
from flake8_jax.domain.payload import Alternatives
from flake8_jax.domain.state import join_states
from flake8_jax.domain.value import Value, join_on_paths


def in_each(
    frame: Frame, alternatives: Alternatives, values: Collection[Value], run: Callable[[Value], Value],
    use: Callable[[Value], None],
) -> Value | None:  # fmt: skip
    """Run each callable on its path, in a state of its own; None if one of them is only used.

    It is used, and not run, where it is not known when it is chosen, or where the choice asks about these values.
    """
    before, met = frame.live(), None
    found: list[Value | None] = []
    ways = chosen(before.path, alternatives)
    for callee, when in ways:
        frame.state = before.copy()
        if when is None or _asks_about(when, values):
            use(callee)
            found.append(None)
        else:
            frame.state.path = assume(before.path, when)
            found.append(run(callee))
        met = join_states(met, frame.state)
    frame.state = met if met is not None else before
    known = [value for value in found if value is not None]
    return join_on_paths(known, [when for _, when in ways]) if known and len(known) == len(found) else None


def chosen(path: Path, alternatives: Alternatives) -> list[tuple[Value, Path | None]]:
    """The callables that can be chosen on a path, each with its condition.

    Of a function and the same one with arguments bound it is not known which of them gets what the call passes.
    """
    ways = [(callee, None if when is None else path_of(when)) for callee, when in alternatives.ways()]
    ways = [(callee, when) for callee, when in ways if when is None or not exclude(path, when)]
    shown: defaultdict[FunctionValue | None, set[tuple[str, ...]]] = defaultdict(set)
    for callee, _ in ways:
        shown[underlying(callee)].add(tuple(visible_names(callee)))
    return [
        (callee, None if (function := underlying(callee)) is not None and len(shown[function]) > 1 else when)
        for callee, when in ways
    ]


def _asks_about(when: Path, values: Collection[Value]) -> bool:
    """Does the condition that chooses among callables test one of these values?"""
    tested = {fact.subject for fact in when}
    sources = {source for value in tested for source in value.dependences}
    return any(value in tested or value.dependences & sources for value in values)
