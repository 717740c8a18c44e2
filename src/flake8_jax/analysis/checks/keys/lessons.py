"""Lessons that show what a reuse does: one draw, written twice word for word, of which both results are only shown, and
then made from a child of the key, as it should be.

print(normal(key)); print(normal(key))          whoever looks sees equal numbers
key, sub = split(key)
print(normal(sub))                              and other ones: no reuse
print(normal(key)); print(uniform(key))         reuse
a, b = normal(key), normal(key); print(a + b)   reuse
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from flake8_jax.analysis.checks.keys.byproducts import is_computed_with
from flake8_jax.analysis.checks.naming import imported_name
from flake8_jax.analysis.labels.questions import is_only_shown
from flake8_jax.domain.resources import Used
from flake8_jax.ir import ops
from flake8_jax.ir.chains import Chains, DefinitionOrPhi, chains_of, searched_for
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.walking import targets_in

SPLIT = "jax.random.split"

LONGEST = 200
MOST_SHOWN = 6
"""A lesson shows a draw no more often."""


def shown_alike(uses: Iterable[Used]) -> frozenset[Used]:
    """Those of some uses of one key that are the same draw once more, and of which the numbers are only shown."""
    draws = {used: _texts(used.op) for used in {used.op: used for used in uses}.values() if _is_draw(used)}
    many = Counter(draws.values())
    shown = [used for used, text in draws.items() if 1 < many[text] <= MOST_SHOWN and _is_looked_at(used)]
    alike = Counter(draws[used] for used in shown)
    return frozenset(used for used in shown if alike[draws[used]] > 1)


def _texts(op: Op) -> tuple[str, ...]:
    """The texts of a call and of its arguments."""
    if type(op) is not ops.Call:
        return ()
    keywords = [f"{name}={phrase(value, LONGEST)}" for name, value in op.keywords]
    return phrase(op.func), *(phrase(argument, LONGEST) for argument in op.args), *keywords


def _is_looked_at(used: Used) -> bool:
    """Are the numbers themselves shown, and read by nothing else?"""
    if used.draw is None or not is_only_shown(used.draw, True) or is_computed_with(used, used.draw):
        return False
    return _is_made_rightly(chains_of(used.draw.code.function), used.op, used.place)


def _is_made_rightly(chains: Chains, draw: Op, key: Op | None) -> bool:
    """Is the same function called with a child of the key, too?"""
    if type(key) is not ops.Name:
        return False
    return _texts(draw)[0] in _drawn_with_children(chains, key.name).get(chains.found_by(key), ())


@searched_for
def _drawn_with_children(chains: Chains, name: str) -> dict[DefinitionOrPhi | None, set[str]]:
    """The texts of the functions that are called with children of the keys which a name holds, by these."""
    found: dict[DefinitionOrPhi | None, set[str]] = {}
    for read in chains.names.get(name, ()):
        split = chains.parents.get(read)
        statement = chains.parents.get(split) if split is not None else None
        if type(split) is ops.Call and type(statement) is ops.Store and imported_name(split.func) == SPLIT:
            names = [part for target in statement.targets for part in targets_in(target) if type(part) is ops.Name]
            calls = [chains.parents.get(child) for one in names for child in chains.uses_of(one)]
            texts = {phrase(call.func) for call in calls if type(call) is ops.Call}
            found.setdefault(chains.found_by(read), set()).update(texts)
    return found


def _is_draw(used: Used) -> bool:
    """Is it a call of a function of a library that draws?"""
    return type(used.op) is ops.Call and used.draw is not None and not used.draw.inner and bool(used.draw.by)
