"""What takes the place of a function, and whether the calls of a file can be handed to it as they are.

shard_map(f, mesh, specs, specs)        jax.shard_map takes all but the function by name
shard_map(f, mesh=mesh, check_rep=...)  and has `check_vma` for `check_rep`
"""

from __future__ import annotations

from collections.abc import Iterable

from flake8_jax.analysis.checks.releases.judging import Judgement
from flake8_jax.analysis.checks.releases.uses import NameUse
from flake8_jax.api import versions
from flake8_jax.api.versions import History, at, named, places
from flake8_jax.api.versions.target import Allowed
from flake8_jax.ir import ops
from flake8_jax.lazy_dataclasses import dataclass

FEW = 3
"""How many parameters are named that came since."""


@dataclass(frozen=True, slots=True)
class OtherParameters:
    """A function that does not take all that the one did in whose place it is to be used.

    `places` is how many arguments it takes by the same places, `lost` what it takes no more by name; `renamed` says
    what came for the latter, `words` what is kept by hand.
    """

    parameters: str
    places: int
    has_less_places: bool
    lost: tuple[str, ...]
    renamed: tuple[tuple[str, str], ...]
    words: str

    def takes(self, call: ops.Call) -> bool:
        """Can it be called so?"""
        if any(type(one) is ops.Star for one in call.args) or len(call.args) > self.places:
            return False
        taken = named(self.parameters)
        return all(keyword in taken and keyword not in self.lost for keyword, _ in call.keywords)

    def told(self) -> str:
        """What is to be given in another way, as the end of a sentence that names the function."""
        if self.words:
            return self.words
        found = [f"`{new}` for `{old}`" for old, new in self.renamed]
        found += [f"no `{one}`" for one in self.lost if one not in dict(self.renamed)]
        count = self.places
        if self.has_less_places:
            but = f" but its first {f'{count} arguments' if count > 1 else 'argument'}" if count else ""
            found.insert(0, f"all{but} by name")
        *first, last = found
        return f"takes {', '.join(first)}, and {last}" if first else f"takes {last}"


def other_parameters(name: str, now: str, allowed: Allowed) -> OtherParameters | None:
    """What a function takes no more in the form that is to be used; None if it takes all, or that is not known."""
    old, new = (_parameters(versions.history(one), allowed) for one in (name, now))
    if old is None or new is None:
        return None
    taken = named(new)
    same = _same_places(old, new)
    first = [word.rstrip("=") for word in old.split(", ")][:same]  # given by place
    lost = [one for one in named(old) if one not in taken and one not in first]
    lost += [one for one in named(old) if versions.taken_otherwise(f"{name}({one})")]
    renamed = [(one, versions.renamed_keyword(now, one)) for one in lost]
    has_less_places = places(old) > same
    if not (lost or has_less_places):
        return None
    words = versions.taken_otherwise(name)
    return OtherParameters(new, same, has_less_places, tuple(lost), tuple(one for one in renamed if one[1]), words)


def _same_places(old: str, new: str) -> int:
    """How many places of a function are those of another one: up to one that is given by its name alone there, or at
    another place."""
    taken, most = named(new), min(places(old), places(new))
    both = zip(*([word.rstrip("=") for word in one.split(", ") if word != "/"] for one in (old, new)), strict=False)
    moved = (place for place, (one, other) in enumerate(both) if one != other and one in taken)
    return min(next(moved, most), most)


def _parameters(row: History | None, allowed: Allowed) -> str | None:
    """What a function takes in the newest release of which that is known."""
    if row is None:
        return None
    known = [each.text for each in row.parameters if each.version <= allowed.highest and each.text is not None]
    return known[-1] if known else None


def all_fit(uses: Iterable[NameUse], other: OtherParameters) -> bool:
    """Is a function called by all its uses in a file, and as another one takes it?  Nothing is known without one."""
    found = [use for use in uses if type(use.op) is not ops.Imported]
    return bool(found) and all(use.call is not None and other.takes(use.call) for use in found)


def taken_now(found: Judgement) -> str:
    """What a function takes since it has a keyword no more; "" if that is not known, or much."""
    row, highest = versions.history(found.name), found.allowed.highest
    now = at(row.parameters, highest) if row is not None else None
    if row is None or now is None:
        return ""
    before = [each.text for each in row.parameters if each.text is not None and found.what in named(each.text)]
    old = before[-1].replace("=", "").split(", ") if before else []
    came = [one for one in named(now) if one not in old and not one.startswith("_")]
    if not came:
        return "leave it out: nothing came in its place"
    words = " or ".join(f"`{one}`" for one in came)
    return f"leave it out, or give {words}, which came since" if len(came) <= FEW else ""
