"""Derives the marks of parameters and the returns of a row from the forms of a function.

`*`  some form takes an array of rank 1 or more, or else a traced number, and none takes it as a list or as a tuple
`!`  some value works, and no tracer in its place does; where that holds of some forms only, those are explained
`@`  the key-reuse checker refuses a second call with the same key; `~`: it does not, and a key comes back
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import jax
import jax.numpy as jnp
import numpy as np

from flake8_jax.runtime.foreign import Foreign
from flake8_jax.runtime.measuring.forms import CallForm, explanations
from flake8_jax.runtime.measuring.kinds import kind_of
from flake8_jax.runtime.measuring.notation import P, Varargs
from flake8_jax.runtime.measuring.probe import FunctionProbe, as_array
from flake8_jax.runtime.measuring.samples import ARRAYS, KEY, NAMED, SCALARS, WORDS

USUAL_VALUES = 2
NUMBERS = tuple(array for array in ARRAYS if array.ndim == 0)
KEYS = jax.random.split(KEY)
# A clause that the grammar refuses: no condition was found that tells the forms apart.
UNEXPLAINED = "?"


@dataclass(frozen=True, slots=True)
class Marks:
    """The marks of one parameter, with the conditions (`clauses`) under which it must be concrete."""

    always: str
    clauses: tuple[str, ...] = ()


def marks_of(probe: FunctionProbe, forms: Sequence[CallForm], name: str) -> Marks | None:
    """The marks of one parameter; None if no value for it was found."""
    own = [form for form in forms if name in form.arguments and form.option != name]
    given = [form for form in forms if form.option == name and form.way != "eager"]
    bases = own or [form for form in forms if form.option != name and form.way != "eager"] or [forms[0]]
    found = ((form, working_values(probe, form, name)) for form in (*bases, *given))
    form, values = next(((form, values) for form, values in found if values), (forms[0], []))
    if not values:
        return None
    if values[0] is KEY and (key := key_use(probe, form, name)):
        return Marks(key)
    refused = rejects_sequences(probe, [other for other in own if not other.option] or [form], name, values)
    asked = [other for other in own if jax.tree_util.tree_leaves(other.arguments[name])]
    asked = asked or [form, *given]
    if _is_always_needed(probe, asked, name, values):
        return Marks("*" * refused + "!")
    refused = refused or rejects_sequences_of_a_number(probe, form, name, values)
    return Marks("*" * refused, _needed_in(probe, asked, name, values))


def _is_always_needed(probe: FunctionProbe, forms: Sequence[CallForm], name: str, values: Sequence[Foreign]) -> bool:
    known = [form for form in forms if form.way != "eager"]
    return bool(known) and all(needs_value(probe, form, name, values) for form in known)


def _needed_in(
    probe: FunctionProbe, forms: Sequence[CallForm], name: str, values: Sequence[Foreign]
) -> tuple[str, ...]:
    """A clause of the row for each condition under which the parameter must be concrete."""
    known = [form for form in forms if form.way != "eager"]
    answers = [needs_value(probe, form, name, values) for form in known]
    clauses = explanations(known, answers, without=name) if any(answers) else []
    if clauses is None:
        return (UNEXPLAINED,)
    return tuple(f"{name}! if {' and '.join(map(str, clause))}" for clause in clauses)


def working_values(probe: FunctionProbe, form: CallForm, name: str) -> list[Foreign]:
    """Some values that work for a parameter, arrays and others, with the rest of the form unchanged."""
    return list(_working_values(probe, form, name))


def _working_values(probe: FunctionProbe, form: CallForm, name: str) -> Iterator[Foreign]:
    parameter = probe.parameters[name]
    own = [form.arguments[name]] if name in form.arguments else []
    own = list(own[0])[:1] if own and parameter.kind == P.VAR_POSITIONAL else own
    named = [NAMED[name]] if name in NAMED else []
    default = [] if parameter.default in (P.empty, None) else [parameter.default]
    arrays = others = 0
    for value in (*own, *WORDS.get(name, ()), *named, *default, *ARRAYS, *SCALARS):
        is_array = isinstance(value, np.ndarray) and value.ndim > 0
        if (arrays if is_array else others) < USUAL_VALUES and accepts(probe, form, name, value):
            arrays, others = arrays + is_array, others + (not is_array)
            yield value


def accepts(probe: FunctionProbe, form: CallForm, name: str, value: Foreign) -> bool:
    """Does the form work with this value for the parameter (of varargs, for the first)?"""
    arguments = {**form.arguments, name: probe.argument(form.arguments, name, value)}
    return bool(probe.outcome(arguments, form.way))


def needs_value(probe: FunctionProbe, form: CallForm, name: str, values: Sequence[Foreign]) -> bool:
    """Do concrete values work for the parameter, and no tracer?"""
    own = form.arguments.get(name)
    first = [own[0] if isinstance(own, Varargs) and own else own] if name in form.arguments else []
    tried = [value for value in (*first, *values) if jax.tree_util.tree_leaves(as_array(value))]
    return bool(tried) and not any(probe.takes_tracer(form.arguments, form.way, name, value) for value in tried)


def rejects_sequences(probe: FunctionProbe, forms: Sequence[CallForm], name: str, values: Sequence[Foreign]) -> bool:
    """Is an array accepted, and no list or tuple of it?  A required one may be taken outside of traces."""
    arrays = [value for value in values if isinstance(value, np.ndarray) and value.ndim]
    if not arrays and name in forms[0].arguments and forms[0].way != "eager":
        outside = replace(forms[0], way="eager")
        arrays = [value for value in ARRAYS if value.ndim and accepts(probe, outside, name, value)][:1]
        forms = [outside, *forms]
    if not arrays or any(accepts(probe, form, name, jnp.float32) for form in forms):
        return False
    given = [form.arguments[name] for form in forms if name in form.arguments]
    if any(isinstance(value, (list, tuple)) and not isinstance(value, Varargs) for value in given):
        return False
    return not any(
        accepts(probe, form, name, sequence) for form in forms for array in arrays for sequence in sequences(array)
    )


def rejects_sequences_of_a_number(probe: FunctionProbe, form: CallForm, name: str, values: Sequence[Foreign]) -> bool:
    """Where no larger array fits: is a traced number accepted, and no sequence of it?"""
    if any(isinstance(value, np.ndarray) and value.ndim for value in values) or accepts(probe, form, name, jnp.float32):
        return False
    taken = [number for number in NUMBERS if accepts(probe, form, name, number)]
    traced = [number for number in taken if probe.takes_tracer(form.arguments, form.way, name, number)]
    forms = [sequence for number in traced for sequence in ([number.item()], (number.item(),), [number], (number,))]
    return bool(traced) and not any(accepts(probe, form, name, sequence) for sequence in forms)


def sequences(array: np.ndarray[Foreign, Foreign]) -> Iterator[Foreign]:
    """The array as a list and as a tuple, sequences that contain it, and sequences of its rows."""
    yield from (array.tolist(), tuple(array.tolist()), [array, array], (array, array), [array], (array,))
    if array.ndim > 1:
        yield from ([*array], (*array,))


def key_use(probe: FunctionProbe, form: CallForm, name: str) -> str:
    """Does the function consume the key passed here, or derive a key from it?"""
    key = jax.random.key(0)
    arguments = {other: as_array(value) for other, value in form.arguments.items()}
    try:
        with jax.debug_key_reuse(True):
            result = probe.call({**arguments, name: key})
            probe.call({**arguments, name: key})
    except jax.errors.KeyReuseError:
        return "@"
    except Exception:
        return ""
    return "~" if kind_of(result) in ("key", "keys") else ""


def returned(probe: FunctionProbe, forms: Sequence[CallForm]) -> str:
    """The return kind, with conditions where forms differ; "unknown" where no conditions separate them."""
    kinds = [form.kind for form in forms]
    usual = kinds[0]
    if follows := _followed(probe, forms[0], usual):
        return f"like({follows})"
    others: list[str] = []
    for kind in sorted(set(kinds) - {usual}):
        clauses = explanations(forms, [found == kind for found in kinds])
        if clauses is None or "mixed" in (kind, usual):
            return "unknown"
        others += [f"{kind} if {' and '.join(map(str, clause))}" for clause in clauses]
    word = "unknown" if usual == "mixed" else usual
    return " | ".join([word, *others])


def _followed(probe: FunctionProbe, form: CallForm, usual: str) -> str:
    """The parameter whose kind comes back whatever it is: an array or a tuple of arrays, a key or an array of keys."""
    if usual in ("none", "static"):
        return ""
    for name, own in form.arguments.items():
        array = own if isinstance(own, np.ndarray) else ARRAYS[0]
        back = _back(probe, form, name, {"array": array, "tuple": (array, array), "key": KEY, "keys": KEYS})
        follows = {kind for kind in back if back[kind] == kind}
        if follows >= {"array", "tuple"}:
            return name
        if usual == "key" and follows >= {"key", "keys"} and key_use(probe, form, name) == "~":
            return name
    return ""


def _back(probe: FunctionProbe, form: CallForm, name: str, samples: dict[str, Foreign]) -> dict[str, str]:
    """The kind of what comes back for each of some arguments."""
    back = {}
    for kind, value in samples.items():
        arguments = {**form.arguments, name: probe.argument(form.arguments, name, value)}
        back[kind] = probe.outcome(arguments, form.way)
    return back


def eager_clauses(forms: Sequence[CallForm]) -> tuple[str, ...]:
    """The forms that work outside of traces only, as clauses of a row."""
    answers = [form.way == "eager" for form in forms]
    if all(answers):
        return ("eager",)
    clauses = explanations(forms, answers) if any(answers) else []
    if clauses is None:
        return (UNEXPLAINED,)
    return tuple(f"eager if {' and '.join(map(str, clause))}" for clause in clauses)
