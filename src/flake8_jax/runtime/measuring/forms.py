"""The forms of a call, and the conditions on its options by which their outcomes differ.

A form is a set of arguments that works, with what was seen of it. The forms of a function are its base calls, and each
of those with one option given, or one flag turned:

    nonzero(a)             eager only      {}
    nonzero(a, size=1)     traces          {size: given}
    nonzero(a, fill_value) eager only      {fill_value: given}

What is seen of some forms only is explained by the smallest conjunction of conditions that holds for exactly those:
`eager if size absent`. Where there is none, several conjunctions are taken, or the answer is that it cannot be said.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice

from flake8_jax.api.conditions import Condition, all_hold
from flake8_jax.runtime.foreign import Foreign
from flake8_jax.runtime.measuring.notation import P
from flake8_jax.runtime.measuring.probe import FunctionProbe, Way
from flake8_jax.runtime.measuring.samples import ARRAYS, F1, NAMED, SCALARS, WORDS

LARGEST_CONJUNCTION = 3
FEW = (F1, 1, (0,))


@dataclass(frozen=True, slots=True)
class CallForm:
    """Arguments of a working call, its way of tracing, its result's kind, and the option added to a base form."""

    arguments: Mapping[str, Foreign]
    way: Way
    kind: str
    option: str = ""

    def setting(self) -> dict[str, object]:
        """The arguments in terms of conditions: flags and words, and 0 for any other value."""
        return {
            name: value if isinstance(value, bool) or (isinstance(value, str) and name in WORDS) else 0
            for name, value in self.arguments.items()
        }


def forms_of(probe: FunctionProbe) -> list[CallForm]:
    """Every form of a function's calls, the usual one first."""
    found: list[CallForm] = []
    for arguments in probe.base_forms():
        way, kind = probe.tried(arguments)
        if way is None:
            continue
        base = CallForm(arguments, way, kind)
        found.append(base)
        for name, parameter in probe.parameters.items():
            if name not in arguments and parameter.kind not in (P.VAR_KEYWORD, P.VAR_POSITIONAL):
                found += _with_option(probe, base, parameter)
    return found


def _with_option(probe: FunctionProbe, base: CallForm, parameter: inspect.Parameter) -> Iterator[CallForm]:
    """The base with a flag turned, with each word that works, or with the first value that does."""
    name = parameter.name
    if name in WORDS or isinstance(parameter.default, bool):
        for value in values_for(parameter):
            if isinstance(value, (bool, str)):
                arguments = {**base.arguments, name: value}
                way, kind = probe.tried(arguments)
                if way is not None:
                    yield CallForm(arguments, way, kind, name)
    if parameter.default is None:
        yield from islice(_with_value(probe, base, parameter), 1)


def _with_value(probe: FunctionProbe, base: CallForm, parameter: inspect.Parameter) -> Iterator[CallForm]:
    """The base with a value for an option: traced if it can be, or else as the base works, where trying costs more."""
    attempts: tuple[tuple[Way, Iterable[Foreign]], ...] = ((base.way, values_for(parameter)),)
    if base.way == "eager":
        attempts = (("traced", values_for(parameter)), ("eager", FEW))
    for way, values in attempts:
        for value in values:
            arguments = {**base.arguments, parameter.name: value}
            if not isinstance(value, str) and (kind := probe.outcome(arguments, way)):
                yield CallForm(arguments, way, kind, parameter.name)


def values_for(parameter: inspect.Parameter) -> Iterator[Foreign]:
    """Values to try for an option. First the negated flag, then words; arrays and numbers if the default is none of
    these."""
    name, default = parameter.name, parameter.default
    yield from (word for word in WORDS.get(name, ()) if word != default)
    if isinstance(default, bool):
        yield not default
    elif default is None:
        yield from (NAMED[name],) if name in NAMED else ()
        yield from ARRAYS
        yield from (value for value in SCALARS if not isinstance(value, bool))


def explanations(
    forms: Sequence[CallForm], answers: Sequence[bool], without: str = ""
) -> list[tuple[Condition, ...]] | None:
    """Conjunctions that separate forms with a true answer from the others. At least one holds for each of the former,
    none for the latter.

    They do not ask for the parameter `without`.
    """
    settings = [{name: value for name, value in form.setting().items() if name != without} for form in forms]
    wanted = {place for place, answer in enumerate(answers) if answer}
    refused = set(range(len(forms))) - wanted
    atoms = _atoms(settings)
    found: list[tuple[Condition, ...]] = []
    for size in range(LARGEST_CONJUNCTION + 1):
        for conjunction in combinations(atoms, size):
            holds = {place for place, setting in enumerate(settings) if all_hold(conjunction, setting)}
            if holds & wanted and not holds & refused:
                if holds >= wanted:
                    return [conjunction]
                found.append(conjunction)
        if size and found and (cover := _cover(found, settings, wanted)):
            return cover
    return None


def _cover(
    conjunctions: Sequence[tuple[Condition, ...]], settings: Sequence[dict[str, object]], wanted: set[int]
) -> list[tuple[Condition, ...]] | None:
    """Few conjunctions that together hold for all that is wanted: always the one that holds for most of the rest."""
    held = {c: {n for n, setting in enumerate(settings) if all_hold(c, setting)} & wanted for c in conjunctions}
    left, chosen = set(wanted), []
    while left:
        best = max(conjunctions, key=lambda c: len(held[c] & left))
        if not held[best] & left:
            return None
        chosen.append(best)
        left -= held[best]
    return chosen


def _atoms(settings: Sequence[dict[str, object]]) -> list[Condition]:
    """Every condition that tells some of the settings apart, those on constants first."""
    constants = sorted({(n, v) for s in settings for n, v in s.items() if isinstance(v, (bool, str))}, key=str)
    atoms = [Condition(name, test, value) for name, value in constants for test in ("not", "is")]
    flagged = {name for name, value in constants if isinstance(value, bool)}
    names = sorted({name for setting in settings for name in setting} - flagged)
    atoms += [Condition(name, test) for name in names for test in ("absent", "given")]
    answers = {atom: [atom.holds(setting) for setting in settings] for atom in atoms}
    return [atom for atom, held in answers.items() if True in held and False in held]
