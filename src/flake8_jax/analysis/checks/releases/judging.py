"""What the releases that a project allows say of a name: that it is missing, new, or deprecated.

jax.tree_map        removed: the newest release that is allowed lacks it, and an earlier one had it
jax.shard_map       too new: the oldest one that is allowed lacks it, the newest has it
jax.jit(device=)    deprecated: the newest one warns of it

The same is asked of each keyword and of the number of positional arguments.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Literal, NamedTuple, TypeAlias

from flake8_jax.analysis.checks.releases.uses import NameUse
from flake8_jax.api import measured, versions
from flake8_jax.api.versions import MANY, History, ReleaseNumber, at, is_announced, places, renamed_to
from flake8_jax.api.versions.target import Allowed, TargetReleases
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.lazy_dataclasses import dataclass

ReleaseVerdict: TypeAlias = Literal["removed", "newer", "deprecated"]
ReleaseForm: TypeAlias = Literal["name", "module", "method", "keyword", "places"]
NameAsked: TypeAlias = "tuple[str, str, str, bool]"
"""A name, the part that its import has said, the module it is imported from, and whether it is called."""

LIBRARY_OF = {"Array": "jax"}


@dataclass(frozen=True, slots=True)
class Judgement:
    """What is said of one name or argument.

    `name` is the part that it is said of; `what` the keyword, or how many arguments have a place; `when` is the release
    that changed it; `says` what the library says; `now` what to use, `is_same` if that takes the same arguments in all
    releases that are allowed.
    """

    verdict: ReleaseVerdict
    form: ReleaseForm
    name: str
    what: str
    when: ReleaseNumber
    says: str
    now: str
    is_same: bool
    allowed: Allowed


class NameVerdict(NamedTuple):
    """What is known of a name whatever it is given: the releases that are allowed, what is said of the name itself,
    whether it has taken other arguments, and what JAX was heard to say of a call."""

    allowed: Allowed
    found: Judgement | None
    takes_others: bool
    heard: Judgement | None


def judged(use: NameUse, target: TargetReleases, known: dict[NameAsked, NameVerdict] | None = None) -> list[Judgement]:
    """What is to be said of a use; `known` is what is known of names by this target, which who asks often looks up
    once."""
    known = known_of(target) if known is None else known
    is_called = use.call is not None
    asked = (use.name, use.imported, use.module, is_called)
    verdict = known.get(asked)
    if verdict is None:
        verdict = known[asked] = _verdict(use, target)
    found = verdict.found
    if found is not None and not (found.verdict == "deprecated" and is_called):
        return [found]
    if not is_called:
        return [found] if found is not None else []
    arguments = _of_arguments(use, verdict.allowed) if verdict.takes_others else []
    if found is None and not arguments:
        found = verdict.heard
    return arguments or ([found] if found is not None else [])


@cache
def known_of(target: TargetReleases) -> dict[NameAsked, NameVerdict]:
    """What is known of names by one target."""
    return {}


def _verdict(use: NameUse, target: TargetReleases) -> NameVerdict:
    allowed, is_called = allowed_for(use.name, target), use.call is not None
    found = _of_name(use.name, use.imported, use.module, is_called, target)
    takes_others = versions.history(use.name) is not None or is_heard(use.name, allowed.highest)
    heard = _heard(use.name, target) if is_called and found is None else None
    return NameVerdict(allowed, found, takes_others, heard)


@cache
def _heard(name: str, target: TargetReleases) -> Judgement | None:
    """A function of which JAX was heard to warn where it is called."""
    if not name.startswith("jax."):
        return None
    allowed = allowed_for(name, target)
    says, is_refused = _measured(name, allowed.highest)
    row = versions.history(name)
    is_told = row is not None and bool(at(row.read, allowed.highest))  # where it is read
    if not says or is_refused or is_told or versions.missing(name, allowed.highest) is not None:
        return None
    said = renamed_to(says)
    return Judgement("deprecated", "name", name, "", (), says, said if all_have(said, allowed) else "", False, allowed)


@cache
def allowed_for(name: str, target: TargetReleases) -> Allowed:
    """The releases of the library that a name belongs to."""
    root = name.partition(".")[0]
    return target.allowed(LIBRARY_OF.get(root, root))


@cache
def _of_name(name: str, imported: str, module: str, is_called: bool, target: TargetReleases) -> Judgement | None:
    if not versions.is_known(name):
        return None
    allowed = allowed_for(name, target)
    highest, lowest = allowed.highest, allowed.lowest
    gone = _lacking(name, module, highest)
    if gone is not None:
        if f"{imported}.".startswith(f"{gone.name}."):
            return None  # its import says so
        return _removed(gone, name, allowed, bool(module))
    new = _lacking(name, module, lowest) if lowest else None
    if new is not None and not f"{imported}.".startswith(f"{new.name}."):
        since = new.since(highest) or next((each.version for each in new.gone if not each.text), ())
        return Judgement("newer", "name", new.name, "", since, "", _once(name, allowed), True, allowed)
    return _deprecated(name, imported, is_called, allowed)


def _lacking(name: str, module: str, version: ReleaseNumber) -> History | None:
    found = versions.not_imported(module, version) if module else None
    return found or versions.missing(name, version)


def _removed(row: History, name: str, allowed: Allowed, is_imported: bool) -> Judgement | None:
    """What an earlier release had, or the library says that it is gone."""
    highest = allowed.highest
    when = row.until(highest) or next((until for _, until in row.modules or () if until and until <= highest), ())
    says = at(row.gone, highest) or row.words()
    if not when and not at(row.gone, highest):
        return None
    own = versions.history(name) or row
    if row.is_there(highest):  # it is no module any more
        return Judgement("removed", "module", row.name, "", when, says, row.name, name.startswith(row.name), allowed)
    now, is_same = _now(own if own.now else row, name, allowed, is_imported)
    return Judgement("removed", "name", row.name, "", when, says or own.words(), now, is_same, allowed)


def _deprecated(name: str, imported: str, is_called: bool, allowed: Allowed) -> Judgement | None:
    for part in _parts(name):
        row = versions.history(part)
        is_whole = part == name
        if row is None or f"{imported}.".startswith(f"{part}."):
            continue
        says = at(row.read, allowed.highest) or (at(row.called, allowed.highest) if is_whole and is_called else "")
        if says and not is_announced(says):
            changes = row.read if at(row.read, allowed.highest) else row.called
            when = next((each.version for each in changes if each.text), ())
            own = versions.history(name) or row
            now, is_same = _now(own if own.now else row, name, allowed)
            return Judgement("deprecated", "name", part, "", when, says, now, is_same, allowed)
    row = versions.history(name)
    if imported == name and row is not None and is_called and (says := at(row.called, allowed.highest)):
        if is_announced(says):
            return None
        when = next((each.version for each in row.called if each.text), ())
        now, is_same = _now(row, name, allowed)
        return Judgement("deprecated", "name", name, "", when, says, now, is_same, allowed)
    return None


def _now(row: History, name: str, allowed: Allowed, is_imported: bool = False) -> tuple[str, bool]:
    """The replacement to recommend, the first that all allowed releases have, or at least the newest, and whether it is
    a mere rename; for an import one of the same name comes first."""
    rest = name[len(row.name) :] if name.startswith(f"{row.name}.") else ""
    if rest and not row.is_same:
        return "", False  # what came in place of its module may have another one
    alike = sorted(row.now, key=lambda each: is_imported and each.rpartition(".")[2] != name.rpartition(".")[2])
    for each in alike:
        found = f"{each}{rest}"
        if all_have(found, allowed):
            return found, row.is_same
    there = (f"{each}{rest}" for each in alike)
    return next((one for one in there if versions.missing(one, allowed.highest) is None), ""), False


def _once(name: str, allowed: Allowed) -> str:
    """Another name of the same that all allowed releases have, and the newest does not warn of."""
    rows = [row for row in versions.replaced_by(name) if row.is_same]
    others = (each for row in rows for each in (*row.now, row.name) if each != name)
    return next((one for one in others if all_have(one, allowed) and not _is_warned_of(one, allowed)), "")


def _is_warned_of(name: str, allowed: Allowed) -> bool:
    row = versions.history(name)
    return row is not None and bool(row.says(allowed.highest))


def all_have(name: str, allowed: Allowed) -> bool:
    """Do all releases that are allowed have a name, as far as is known?  Without an oldest one the newest counts."""
    known = versions.releases(name.partition(".")[0])
    low, high = allowed.lowest or allowed.highest, allowed.highest
    return all(versions.missing(name, one) is None for one in known if low <= one <= high)


def _parts(name: str) -> list[str]:
    words = name.split(".")
    return [".".join(words[: size + 1]) for size in range(1, len(words))]


def _of_arguments(use: NameUse, allowed: Allowed) -> list[Judgement]:
    assert use.call is not None
    call, row = use.call, versions.history(use.name)
    if row is None and not call.keywords:
        return []
    found: list[Judgement] = []
    for keyword, value in call.keywords:
        one = of_keyword(use.name, keyword, allowed) if keyword is not None else None
        if one is not None and (one.when or not may_be_default(value)):
            found.append(one)
    if row is not None and not found and not any(type(one) is ops.Star for one in call.args):
        one = of_places(use.name, len(call.args), allowed)
        found += [one] if one is not None else []
    return found


def may_be_default(value: Op) -> bool:
    """May an argument be what is not given: nothing, or a name that holds nothing?  Then nobody warns."""
    match value:
        case ops.Const(value=known):
            return not known
        case ops.Build(parts=parts) | ops.BuildDict(items=parts):
            return not parts
    return type(value) in (ops.Name, ops.Attr, ops.Choose)


@cache
def of_keyword(name: str, keyword: str, allowed: Allowed) -> Judgement | None:
    """What is to be said of an argument that is given by keyword."""
    row = versions.history(name)
    if row is not None and row.parameters:
        now = at(row.parameters, allowed.highest)
        once = [each for each in row.parameters if each.text is not None and _takes(each.text, keyword, by_name=True)]
        if now is not None and not _takes(now, keyword) and once:
            when = next((each.version for each in row.parameters if each.version > once[-1].version), ())
            if when <= allowed.highest:
                said, _ = _said_of(name, keyword, row, allowed)
                renamed, is_safe = _renamed(row, keyword, allowed)
                return Judgement("removed", "keyword", name, keyword, when, said, renamed, is_safe, allowed)
        before = at(row.parameters, allowed.lowest) if allowed.lowest else None
        if before is not None and now is not None and _takes(now, keyword) and not _takes(before, keyword):
            since = next((each.version for each in row.parameters if each.text is not None
                          and each.version > allowed.lowest and _takes(each.text, keyword)), ())  # fmt: skip
            then = _named_once(row, keyword, now, before, allowed)
            return Judgement("newer", "keyword", name, keyword, since, "", then, False, allowed)
    says, is_refused = _said_of(name, keyword, row, allowed)
    if not says:
        return None
    renamed, is_safe = _renamed(row, keyword, allowed) if row is not None else ("", False)
    verdict: ReleaseVerdict = "removed" if is_refused else "deprecated"
    return Judgement(verdict, "keyword", name, keyword, (), says, renamed, is_safe, allowed)


def _said_of(name: str, keyword: str, row: History | None, allowed: Allowed) -> tuple[str, bool]:
    """What the library says of an argument, by its source or a measurement, and whether it refuses it."""
    changes = dict(row.given).get(keyword, ()) if row is not None else ()
    says = at(changes, allowed.highest)
    return (says, False) if says else _measured(f"{name}({keyword})", allowed.highest)


@cache
def _warnings(version: ReleaseNumber) -> Mapping[str, object]:
    """What JAX was heard to say of names and arguments, in the measured release next to one."""
    wanted, known = versions.spelled(version), measured.versions()
    if measured.is_before(wanted, known[0]):
        return {}
    facts = measured.Measured(measured.choose(wanted, known)).of(measured.NAMES)
    heard: Mapping[str, object] = facts.get("deprecated", {})
    return heard


@cache
def is_heard(name: str, version: ReleaseNumber) -> bool:
    """Was JAX heard to say something of an argument of a function?"""
    return name.startswith("jax.") and any(subject.startswith(f"{name}(") for subject in _warnings(version))


@cache
def _measured(subject: str, version: ReleaseNumber) -> tuple[str, bool]:
    """What JAX was heard to say of a call or an argument, and whether it refuses it; of releases that were measured."""
    fact = _warnings(version).get(subject)
    if not isinstance(fact, dict) or "when" in fact:
        return "", False
    return fact["says"], fact["state"] == "removed"


@cache
def of_places(name: str, given: int, allowed: Allowed) -> Judgement | None:
    """What is to be said of how many arguments are given by their place; what takes others by a star takes all."""
    row = versions.history(name)
    if row is None:
        return None
    now = at(row.parameters, allowed.highest)
    if now is None or given <= (most := places(now)):
        before = at(row.parameters, allowed.lowest) if allowed.lowest else None
        if now is not None and before is not None and given > places(before):
            since = next((each.version for each in row.parameters if each.text is not None
                          and each.version > allowed.lowest and given <= places(each.text)), ())  # fmt: skip
            return Judgement("newer", "places", row.name, str(places(before)), since, "", "", False, allowed)
        return None
    once = [each for each in row.parameters if each.text is not None and given <= places(each.text) < MANY]
    when = next((each.version for each in row.parameters if once and each.version > once[-1].version), ())
    if not once or not when or when > allowed.highest:
        return None
    return Judgement("removed", "places", row.name, str(most), when, "", "", False, allowed)


def _words(parameters: str) -> list[str]:
    return parameters.split(", ") if parameters else []


def _takes(parameters: str, keyword: str, by_name: bool = False) -> bool:
    """Can it be given by keyword, `by_name` as a parameter of its own?"""
    words = _words(parameters)
    behind = words[words.index("/") + 1 :] if "/" in words else words
    return any(word.rstrip("=") == keyword or (word.startswith("**") and not by_name) for word in behind)


def is_by_place_alone(found: Judgement) -> bool:
    """Is an argument that was given by keyword still taken, by its place?"""
    row = versions.history(found.name)
    words = _words(at(row.parameters, found.allowed.highest) or "") if row is not None else []
    before = words[: words.index("/")] if "/" in words else []
    return found.form == "keyword" and any(word.rstrip("=") == found.what for word in before)


def _renamed(row: History, keyword: str, allowed: Allowed) -> tuple[str, bool]:
    """The parameter that stands at the place of another one now, if some release took both, and whether all do that
    are allowed."""
    now = at(row.parameters, allowed.highest) or ""
    if kept := versions.renamed_keyword(row.name, keyword):
        return (kept, _all_take(row, kept, allowed)) if _takes(now, kept, by_name=True) else ("", False)
    new = _named_in(now)
    texts = [each.text or "" for each in row.parameters]
    old = next((_named_in(text) for text in reversed(texts) if _has_place(text, keyword)), [])
    place = old.index(keyword) if keyword in old else len(new)
    if place >= len(new) or new[place] in old or not _takes(now, new[place], by_name=True):
        return "", False
    found = new[place]
    if not any({keyword, found} <= set(_named_in(text)) for text in texts):
        return "", False
    return found, _all_take(row, found, allowed)


def _all_take(row: History, keyword: str, allowed: Allowed) -> bool:
    """Do all releases that are allowed take a keyword?"""
    low, known = allowed.lowest or allowed.highest, versions.releases(allowed.library)
    held = [at(row.parameters, one) for one in known if low <= one <= allowed.highest]
    return all(text is not None and _takes(text, keyword, by_name=True) for text in held)


def _named_once(row: History, keyword: str, now: str, before: str, allowed: Allowed) -> str:
    """The parameter that stood at the place of a new one, if all allowed releases take it by its name, the newest at no
    place of its own, and without a warning."""
    old, new = _named_in(before), _named_in(now)
    place = new.index(keyword) if keyword in new and _has_place(now, keyword) else len(old)
    if place >= len(old) or f"{old[place]}=" not in _words(now) or not _has_place(before, old[place]):
        return ""
    if _has_place(now, old[place]):
        return ""
    found = old[place]
    return found if _all_take(row, found, allowed) and not _said_of(row.name, found, row, allowed)[0] else ""


def _named_in(parameters: str) -> list[str]:
    return [word.strip("*=") for word in _words(parameters) if word not in ("/", "*")]


def _has_place(parameters: str, keyword: str) -> bool:
    """Has a parameter a place?"""
    words = [word.rstrip("=") for word in _words(parameters) if word != "/"]
    return keyword in words and not any(word.startswith("*") for word in words[: words.index(keyword)])
