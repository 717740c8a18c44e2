"""The grammar of table rows that describe functions, and the types they are parsed into.

A function is one line: its name, its parameters with their marks, and what it returns (an array unless said):

    mean(a*, axis!, dtype!, out, keepdims!, where*)     a and where must not be lists or tuples, axis must be concrete
    normal(key@, shape!, dtype!)                        consumes the key
    fold_in(key~, data) -> key                          derives from the key without consuming it
    split(ary*, indices_or_sections!, axis!) -> list
    linspace(start, stop, num!, retstep!) -> array | tuple if retstep=True

A leading `*` or `**` makes varargs, a lone `*` starts the keyword-only parameters, a lone `/` ends the
positional-only ones.  What holds of some forms of the call only follows, with its conditions (conditions.py):

    repeat(a*, repeats, total_repeat_length!); repeats! if total_repeat_length absent
    where(condition*, x*, y*, /, *, size!) -> array | tuple if x absent; eager if x absent and size absent

An `eager` form fails in staged code, as under jit, whatever its arguments are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, TypeAlias, get_args

from flake8_jax.api.conditions import Condition, ConstantArguments, all_hold, parse_conditions
from flake8_jax.ir.ops import ParameterKind
from flake8_jax.lazy_dataclasses import dataclass
from flake8_jax.lazy_patterns import compiled

KeyUse: TypeAlias = Literal["", "sink", "derive"]
Returns: TypeAlias = Literal[
    "array", "static", "list", "tuple", "sequence", "key", "keys", "numpy", "none", "logger", "ref", "unknown",
    "variable", "tree", "raveled", "flat", "like", "own", "made", "held", "instance", "pair", "second",
    "compared",
]  # fmt: skip

ABOUT_PARAMETER = frozenset(("like", "own", "made", "held"))
ABOUT_CLASS = frozenset(("instance", "pair", "second"))
RETURNS = frozenset(get_args(Returns)) - ABOUT_PARAMETER - ABOUT_CLASS
EAGER = "eager"

_ROW = compiled(r"(?P<name>\w+|\*)\s*(?:\((?P<parameters>[^()]*)\))?\s*(?:->(?P<returns>.+))?")
_RETURNS = compiled(r"(?P<kind>\w+)(?:\((?P<about>[\w.]+)\))?(?: if (?P<when>.+))?")
_PARAMETER = compiled(r"(?P<stars>\*{0,2})(?P<name>[A-Za-z_]\w*)(?P<marks>[*!@~]*)")


class RowError(ValueError):
    """A table row that does not follow the grammar; the message names the row."""


@dataclass(frozen=True, slots=True)
class ApiParameter:
    """One parameter of a function: its kind and its marks. They say whether it rejects lists and tuples, must be
    concrete under a trace, and uses a key."""

    name: str
    kind: ParameterKind = "normal"
    rejects_sequences: bool = False
    must_be_concrete: bool = False
    key: KeyUse = ""


@dataclass(frozen=True, slots=True)
class Variant:
    """A different return kind, for calls that meet all conditions."""

    returns: Returns
    returns_like: str
    when: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Form:
    """A restriction under tracing, for calls that meet all conditions. Either some parameters must be concrete, or the
    call fails in staged code (`eager`)."""

    when: tuple[Condition, ...]
    concrete: tuple[str, ...] = ()
    eager: bool = False


@dataclass(frozen=True, slots=True)
class ApiFunction:
    """A library function: its parameters and the kind of its return value.

    `returns_like` belongs to seven kinds: of "like" it is the parameter whose structure comes back, of "own" the one
    that decides whether a jax or a NumPy array does, of "made" and "held" the initializer, of "instance" the qualified
    class, of "pair" and "second" that of the first or second of two.
    """

    name: str
    parameters: tuple[ApiParameter, ...] = ()
    returns: Returns = "array"
    returns_like: str = ""
    variants: tuple[Variant, ...] = ()
    forms: tuple[Form, ...] = ()

    @property
    def asks_for_values(self) -> bool:
        """May a call need the value of an argument, or fail in staged code?"""
        return bool(self.forms) or any(parameter.must_be_concrete for parameter in self.parameters)

    def parameter_at(self, index: int) -> ApiParameter | None:
        """The parameter that receives the positional argument number `index`."""
        return parameter_at(self.parameters, index)

    def parameter_named(self, name: str) -> ApiParameter | None:
        """The parameter that receives the keyword argument `name`."""
        return parameter_named(self.parameters, name)

    def returned(self, arguments: ConstantArguments) -> tuple[Returns, str]:
        """The kind of a call's return value, and what it resembles."""
        for variant in self.variants:
            holds = all_hold(variant.when, arguments)
            if holds is not False:
                return (variant.returns, variant.returns_like) if holds else ("unknown", "")
        return self.returns, self.returns_like

    def must_be_concrete(self, arguments: ConstantArguments) -> frozenset[str]:
        """The given parameters whose values must be concrete under a trace."""
        named = {parameter.name for parameter in self.parameters if parameter.must_be_concrete}
        named |= {name for form in self.forms if all_hold(form.when, arguments) for name in form.concrete}
        return frozenset(name for name in named if arguments.get(name) is not None)

    def is_eager(self, arguments: ConstantArguments) -> bool:
        """Does a call with these arguments fail in staged code?"""
        return any(form.eager and all_hold(form.when, arguments) for form in self.forms)


def parameter_at(parameters: tuple[ApiParameter, ...], index: int) -> ApiParameter | None:
    """The parameter that receives the positional argument number `index`, varargs included."""
    for place, parameter in enumerate(parameters):
        if parameter.kind == "varargs":
            return parameter
        if parameter.kind in ("keyword", "varkw"):
            return None
        if place == index:
            return parameter
    return None


def parameter_named(parameters: tuple[ApiParameter, ...], name: str) -> ApiParameter | None:
    """The parameter that receives the keyword argument `name`, `**` included."""
    for parameter in parameters:
        if parameter.kind == "varkw" or (parameter.name == name and parameter.kind in ("normal", "keyword")):
            return parameter
    return None


def parse_function(row: str, prefix: str = "") -> ApiFunction:
    """Parse the row of a function; `prefix` is the module or class of the block around it."""
    where = f"{row.strip()!r} in block {prefix!r}"
    head, *clauses = row.split(";")
    match = _ROW.fullmatch(head.strip())
    if match is None:
        raise RowError(f"malformed row {where}")
    parameters = parse_parameters(match["parameters"] or "", where)
    names = frozenset(parameter.name for parameter in parameters)
    usual, *others = [_parse_returns(text.strip(), names, where) for text in (match["returns"] or "array").split("|")]
    if usual.when or not all(other.when for other in others):
        raise RowError(f"the first return is the usual one, each further one has a condition: row {where}")
    forms = tuple(_parse_form(clause, names, where) for clause in clauses)
    name = f"{prefix}.{match['name']}" if prefix else match["name"]
    return ApiFunction(name, parameters, usual.returns, usual.returns_like, tuple(others), forms)


def _parse_returns(text: str, names: frozenset[str], where: str) -> Variant:
    match = _RETURNS.fullmatch(text)
    if match is None:
        raise RowError(f"malformed return {text!r} in row {where}")
    kind, about = match["kind"], match["about"] or ""
    if not (kind in RETURNS if not about else kind in ABOUT_PARAMETER | ABOUT_CLASS):
        raise RowError(f"unknown return {text!r} in row {where}")
    if kind in ABOUT_PARAMETER and about not in names:
        raise RowError(f"no parameter {about!r} in row {where}")
    return Variant(kind, about, _conditions(match["when"] or "", names, where))  # type: ignore[arg-type]


def _parse_form(text: str, names: frozenset[str], where: str) -> Form:
    words, _, conditions = text.strip().partition(" if ")
    when = _conditions(conditions, names, where)
    given = [word.strip() for word in words.split(",")]
    concrete = tuple(word.removesuffix("!") for word in given if word != EAGER)
    if not all(word == EAGER or (word.endswith("!") and word[:-1] in names) for word in given):
        raise RowError(f"malformed form {text.strip()!r} in row {where}")
    return Form(when, concrete, EAGER in given)


def _conditions(text: str, names: frozenset[str], where: str) -> tuple[Condition, ...]:
    try:
        conditions = parse_conditions(text)
    except ValueError as error:
        raise RowError(f"{error} in row {where}") from None
    for condition in conditions:
        if condition.parameter not in names:
            raise RowError(f"no parameter {condition.parameter!r} in row {where}")
    return conditions


def parse_parameters(text: str, row: str) -> tuple[ApiParameter, ...]:
    """Parse a comma-separated list of parameters; `row` names the row in errors."""
    parameters: list[ApiParameter] = []
    kind: ParameterKind = "normal"
    for part in filter(None, map(str.strip, text.split(","))):
        if part == "*":
            kind = "keyword"
        elif part == "/":
            parameters = [_positional(parameter) for parameter in parameters]
        else:
            parameter = _parse_parameter(part, kind, row)
            kind = "keyword" if parameter.kind == "varargs" else kind
            parameters.append(parameter)
    return tuple(parameters)


def _positional(parameter: ApiParameter) -> ApiParameter:
    return ApiParameter(
        parameter.name, "positional", parameter.rejects_sequences, parameter.must_be_concrete, parameter.key
    )


def _parse_parameter(text: str, kind: ParameterKind, row: str) -> ApiParameter:
    match = _PARAMETER.fullmatch(text)
    if match is None:
        raise RowError(f"malformed parameter {text!r} in row {row}")
    marks = match["marks"]
    if len(set(marks)) != len(marks) or {"@", "~"} <= set(marks):
        raise RowError(f"contradictory marks {marks!r} on {match['name']!r} in row {row}")
    key: KeyUse = "sink" if "@" in marks else "derive" if "~" in marks else ""
    starred: dict[str, ParameterKind] = {"": kind, "*": "varargs", "**": "varkw"}
    return ApiParameter(match["name"], starred[match["stars"]], "*" in marks, "!" in marks, key)


def returning(row: str, word: str) -> str:
    """A row with another result."""
    head, *clauses = row.split(";")
    return ";".join([f"{head.partition('->')[0].strip()} -> {word}", *clauses])


def rows_of(lines: Iterable[str], block: str) -> Iterator[tuple[str, str]]:
    """The rows of a block by name; raises `RowError` for a second one."""
    seen = set()
    for line in lines:
        row = line.partition("#")[0].strip()
        if not row:
            continue
        name = row.partition("(")[0].partition("->")[0].partition(";")[0].strip()
        if name in seen:
            raise RowError(f"second row for {name!r} in block {block!r}")
        seen.add(name)
        yield name, row
