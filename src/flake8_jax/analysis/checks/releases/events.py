"""The events of names and arguments that a release lacks or warns of, and what to write instead."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TypeAlias

from flake8_jax.analysis.checks.instead import library_name
from flake8_jax.analysis.checks.naming import imported_as, scope_of
from flake8_jax.analysis.checks.releases.judging import Judgement, ReleaseForm, is_by_place_alone
from flake8_jax.analysis.checks.releases.replacing import all_fit, other_parameters, taken_now
from flake8_jax.analysis.checks.releases.uses import NameUse
from flake8_jax.api.versions import ARRAY, ReleaseNumber, advice, has_names, missing, spelled, spoken_of
from flake8_jax.domain.provenance import Context, Hop
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.rewrite import ChangedImport, ChangedOp, Piece, Quoted, Rewrite, unsafe
from flake8_jax.lazy_dataclasses import dataclass
from flake8_jax.lazy_patterns import compiled
from flake8_jax.syntax.loaded import import_of
from flake8_jax.syntax.positions import unpacked


@dataclass(frozen=True, slots=True)
class UseOfRelease:
    """A use of a name that not all releases have alike.

    `name` is the name, `what` the keyword of a call of it, or how many arguments it takes by their place; `release` is
    the release that it is judged by, as `JAX 0.10.2`, and `whence` what says so; `when` is the release that changed it,
    `says` what the library says; `instead` is what to write, `rewrite` the change where that is certain.  `others` are
    further uses in the file of which the same is to be said.
    """

    op: Op
    form: ReleaseForm
    name: str
    what: str
    release: str
    whence: str
    when: str
    library: str
    says: str
    instead: str
    rewrite: Rewrite | None
    context: Context
    others: tuple[Hop, ...] = ()

    @property
    def message(self) -> str:
        """What the release lacks or warns of, what says which release it is, and what to write instead.

        `jax.tree_map` is not in JAX 0.10.2 (pyproject.toml): it was removed in 0.6.0; use `jax.tree.map`
        """
        return f"{self._reason()}{self._source()}{self._ending()}"

    def _reason(self) -> str:
        name, what = self.name, self.what
        if not isinstance(self, NameDeprecated):
            match self.form:
                case "name":
                    return f"`{name}` is not in {self.release}"
                case "module":
                    return f"`{name}` is no module in {self.release}"
                case "method":
                    return f"`{what}` is no method in {self.release}"
                case "keyword":
                    return f"`{name}` has no `{what}` in {self.release}"
                case "places":
                    count = f"{what} positional argument{'s' * (what != '1')}"
                    return f"`{name}` takes only {count} in {self.release}"
        subject = f"`{what}` of `{name}`" if what else f"`{name}`"
        return f"{subject} is deprecated in {self.release}"

    def _source(self) -> str:
        if not self.when:
            return f" ({self.whence})"
        if isinstance(self, NameTooNew):
            return f" ({self.whence}): it came in {self.when}"
        if isinstance(self, NameRemoved):
            became = "it was removed" if self.form in ("name", "keyword") else "that changed"
            return f" ({self.whence}): {became} in {self.when}"
        return f" ({self.whence}), since {self.when}"

    def _ending(self) -> str:
        if isinstance(self, NameTooNew):
            lift = f"add {self.library.lower()}>={self.when} to what is required" if self.when else ""
            return f"; {', or '.join(filter(None, (self.instead, lift))) or 'use another'}"
        if self.instead:
            return f"; {self.instead}"
        if self.form == "places":
            return "; give the others by keyword"
        if self.form == "method":
            return "; read it without parentheses"
        if found := INSTEAD.search(self.says):
            sign, name = found.groups()
            return f"; use `{sign}{imported_as(scope_of(self.op), name)}`"
        if advised := _advising(self.says):
            words = advised.rstrip(".").replace("`", "'").replace('"', "'")
            return f'; read what {self.library} says: "{words}"'
        if self.says:
            return f"; write it without: {self.library} names nothing in its place"
        return f"; read the change log of {self.library} {self.when}".rstrip()


class NameRemoved(UseOfRelease):
    """A name or argument that the newest release lacks which the project allows."""


class NameDeprecated(UseOfRelease):
    """A name or argument of which the newest release warns that the project allows."""


class NameTooNew(UseOfRelease):
    """A name or argument that the oldest release lacks which the project allows."""


INSTEAD = compiled(r"[Uu]se `?(-?)(jax(?:\.\w+)+|0\.0)`? instead")
"""How a library says what is to be used."""

ReleaseEvent: TypeAlias = NameRemoved | NameDeprecated | NameTooNew
_KINDS: dict[str, type[ReleaseEvent]] = {"removed": NameRemoved, "deprecated": NameDeprecated, "newer": NameTooNew}


def event_of(use: NameUse, found: Judgement, uses: Iterable[NameUse] = ()) -> ReleaseEvent:
    """The event of a use; `uses` are those of the same name in its file, where it is imported."""
    allowed = found.allowed
    version = allowed.lowest if found.verdict == "newer" else allowed.highest
    instead, rewrite = _instead(use, found, uses)
    says = "" if _gone_since(found.says, found) else found.says
    op = use.op
    if found.form == "keyword" and use.call is not None:
        op = next((value for keyword, value in use.call.keywords if keyword == found.what), op)
    elif found.form in ("name", "module"):
        op = _part(use, found.name)
    title = allowed.title(version)
    return _KINDS[found.verdict](
        op, found.form, found.name, found.what, title, allowed.whence, spelled(found.when),
        title.rpartition(" ")[0], says, instead, rewrite, Context(None, ()),
    )  # fmt: skip


def _part(use: NameUse, name: str) -> Op:
    """The op of the first part of a name that is meant."""
    op = use.op
    for _ in range(use.name.count(".") - name.count(".")):
        if type(op) is ops.Attr and type(op.base) is ops.Attr:
            op = op.base
    return op


def _instead(use: NameUse, found: Judgement, uses: Iterable[NameUse]) -> tuple[str, Rewrite | None]:
    """What to write, and the change that writes it."""
    words = _words(use, found) if found.verdict != "newer" else ""
    if words:
        return _as_given(use, found, words), None
    if not found.now:
        return (_unnamed(found) if found.form == "keyword" and found.verdict == "removed" else ""), None
    if found.form == "keyword":
        return f"use `{found.now}`", _keyword_renamed(use, found)
    if found.form == "module":
        module, _, last = found.now.rpartition(".")
        is_it = type(use.op) is ops.Imported and use.name == f"{found.now}.{last}"
        rewrite = Rewrite((ChangedImport(use.op, use.name, found.now),)) if is_it else None
        return f"use `from {module} import {last}`", rewrite
    if found.form == "method":
        return found.now, None
    other = other_parameters(use.name, found.now, found.allowed) if not found.is_same else None
    if other is not None and all_fit(uses if type(use.op) is ops.Imported else (use,), other):
        other = None
    text, rewrite = _renamed(use, found)
    came = _came(found)
    text += f", which came in {spelled(came)}" if came else ""
    if other is not None:
        is_bare = type(use.op) is not ops.Imported and use.call is None  # no call is seen that would break
        return f"{text}: it {other.told()}", unsafe(rewrite) if is_bare and rewrite is not None else None
    return text, rewrite if found.is_same or rewrite is None else unsafe(rewrite)


def _as_given(use: NameUse, found: Judgement, words: str) -> str:
    """Words with what the call gives in the place of the name of its keyword: `jax.devices("gpu")[0]`."""
    value = next((one for name, one in use.call.keywords if name == found.what), None) if use.call is not None else None
    text = phrase(value) if found.form == "keyword" and value is not None else ""
    return re.sub(rf"(?<=[( ]){found.what}(?=\))", lambda _: text, words) if text and "..." not in text else words


def _came(found: Judgement) -> ReleaseNumber:
    """The release with which came what to use, if the oldest one that is allowed lacks it."""
    allowed = found.allowed
    row = missing(found.now, allowed.lowest) if allowed.lowest and found.verdict != "newer" else None
    return row.since(allowed.highest) if row is not None else ()


_ADVISES = re.compile(
    r"\b(?:use|using|instead|switch|see|import|access|via|prefer|favor|register|pass|refer|replace\w*|raise)\b", re.I
)


def _advising(says: str) -> str:
    """The sentence of what a library says that says what to do; "" if none does."""
    return next((one for one in re.split(r"(?<=\.)\s+(?=[A-Z])", says) if _ADVISES.search(one)), "")


def _gone_since(says: str, found: Judgement) -> list[str]:
    """The names that a library gives as those to use, and which the newest release that is allowed lacks, too."""
    named = re.findall(rf"\b{found.allowed.library}(?:\.\w+)+", _advising(says))
    return [one for one in named if one != found.name and missing(one, found.allowed.highest) is not None]


def _words(use: NameUse, found: Judgement) -> str:
    """The words that are kept by hand, of the whole name before those of what it is in, if the newest release that is
    allowed has what they name."""
    if found.form == "keyword":
        known = [f"{found.name}({found.what})"]
    elif found.form in ("places", "method"):
        return ""
    else:
        known = _known(use.name, found.name)
        known = known[:1] if found.now else known  # what is known of the name itself says more than its module
        known += _gone_since(found.says, found)
    library, highest = found.allowed.library, found.allowed.highest
    for words in filter(None, map(advice, known)):
        named = [one for one in spoken_of(words) if one.partition(".")[0] == library]
        if all(missing(one, highest) is None for one in named):
            return words
    return ""


def _known(name: str, part: str) -> list[str]:
    """A name, and what it is in down to a part of it, with a dot behind and without: `a.b.c`, `a.b.`, `a.b`."""
    found = [name]
    while len(name) > len(part):
        name = name.rpartition(".")[0]
        found += [f"{name}.", name]
    return found


def _unnamed(found: Judgement) -> str:
    """What to do with a keyword in whose place nothing is known to have come, and of which nothing is said."""
    if is_by_place_alone(found):
        return "give it by its place, without the name"
    return taken_now(found) if not found.says else ""


def _renamed(use: NameUse, found: Judgement) -> tuple[str, Rewrite | None]:
    """The new name as it is written there, and the change to it."""
    if type(use.op) is ops.Imported:
        module, _, last = found.now.rpartition(".")
        text = f"from {module} import {last}" if module else f"import {last}"
        return _as_bound(use, text, last), Rewrite((ChangedImport(use.op, use.name, found.now),))
    name = library_name(scope_of(use.op), found.now)
    rewrite = Rewrite((ChangedOp(use.op, (name,)),)) if type(use.op) in (ops.Attr, ops.Name) else None
    if type(use.op) is ops.Name or use.is_held or use.name.startswith(f"{ARRAY}."):
        rewrite = None  # its import is changed; a method becomes a call of another form
    missed = import_of(found.now.rpartition(".")[0], use.op.anchor.origin.source) if name.text == found.now else ""
    return f"use `{name.text}`{f', with `{missed}`' if missed else ''}", rewrite


def _as_bound(use: NameUse, text: str, name: str) -> str:
    """What to import under another name, and what becomes of its uses."""
    line, column, last_line, end = unpacked(use.op.place)
    written = use.op.anchor.origin.source.lines[line - 1].encode()
    _, _, bound = written[column : end if last_line == line else None].decode(errors="replace").partition(" as ")
    before = bound.strip() or use.name.rpartition(".")[2]
    if before == name:
        return f"use `{text}`"
    if bound or has_names(use.name):
        return f"use `{text} as {before}`" if bound else f"use `{text}`"
    return f"use `{text}`, and `{name}` for `{before}`"


def _keyword_renamed(use: NameUse, found: Judgement) -> Rewrite | None:
    call = use.call
    if call is None or any(keyword == found.now for keyword, _ in call.keywords):
        return None
    pieces: list[Piece] = [Quoted(call.func), "("]
    given: list[tuple[str | None, Op]] = [*((None, argument) for argument in call.args), *call.keywords]
    if any(type(one) is ops.Star for one in call.args) or any(keyword is None for keyword, _ in call.keywords):
        return None
    for place, (keyword, argument) in enumerate(given):
        name = found.now if keyword == found.what else keyword
        pieces += [", " if place else "", f"{name}=" if name else "", Quoted(argument)]
    rewrite = Rewrite((ChangedOp(call, (*pieces, ")")),))
    return rewrite if found.is_same else unsafe(rewrite)
