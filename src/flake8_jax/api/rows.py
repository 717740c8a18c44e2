"""The grammar of a hand-stated row, and the types that rows become.

A function is one line: its name, its parameters with their marks, and what it returns (an array unless said):

    mean(a*, axis!, dtype!, out, keepdims!, where*)     a and where must not be lists or tuples, axis must be concrete
    normal(key@, shape!, dtype!)                        consumes the key
    fold_in(key~, data) -> key                          derives from the key without consuming it
    split(ary*, indices_or_sections!, axis!) -> list
    where(condition*, x*, y*, /) -> array | tuple if x absent
    linspace(start, stop, num!, retstep!) -> array | tuple if retstep=True

A leading `*` or `**` makes varargs, a lone `*` starts the keyword-only parameters, a lone `/` ends the
positional-only ones.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

ParameterKind: TypeAlias = Literal["positional", "normal", "varargs", "keyword", "varkw"]
KeyUse: TypeAlias = Literal["", "sink", "derive"]
Returns: TypeAlias = Literal[
    "array", "static", "list", "tuple", "sequence", "key", "keys", "numpy", "none", "logger", "ref", "unknown",
    "like", "own", "instance",
]  # fmt: skip
Stage: TypeAlias = Literal["staged", "mapped", "differentiated", "transparent", "host"]
Word: TypeAlias = Literal[
    "parameter", "each", "leaf", "rest", "host", "result", "argument",
    "index", "array", "ref", "key", "static", "unknown",
]  # fmt: skip

ABOUT_PARAMETER = frozenset(("like", "own"))
RETURNS = frozenset(get_args(Returns)) - {*ABOUT_PARAMETER, "instance"}
STAGES = frozenset(get_args(Stage))
DECORATED = "decorated"

_ROW = re.compile(r"(?P<name>\w+|\*)\s*(?:\((?P<parameters>[^()]*)\))?\s*(?:->(?P<returns>.+))?")
_RETURNS = re.compile(
    r"(?P<kind>\w+)(?:\((?P<about>[\w.]+)\))?(?: if (?P<name>\w+)(?P<test> absent|=(?P<value>True|False|'\w*')))?"
)
_PARAMETER = re.compile(r"(?P<stars>\*{0,2})(?P<name>[A-Za-z_]\w*)(?P<marks>[*!@~]*)")
_CALL = re.compile(r"(?P<function>(?:each )?\w+)\((?P<arguments>[^()]*)\)(?: as (?P<role>.+))?")
_BEFORE_NAME = frozenset(("each", "leaf", "host", "result"))
_ALONE = frozenset(("index", "array", "ref", "key", "static", "unknown"))


class RowError(ValueError):
    """A hand-stated row that does not follow the grammar; the message names the row."""


@dataclass(frozen=True, slots=True)
class ApiParameter:
    """One parameter: whether it refuses lists and tuples, must be concrete under a trace, and what it does to a key."""

    name: str
    kind: ParameterKind = "normal"
    rejects_sequences: bool = False
    must_be_concrete: bool = False
    key: KeyUse = ""


@dataclass(frozen=True, slots=True)
class Variant:
    """What a function returns instead, if `parameter` has no argument (`absent`) or if it is given the
    constant `value`."""

    returns: Returns
    returns_like: str
    parameter: str
    absent: bool
    value: bool | str


@dataclass(frozen=True, slots=True)
class ApiFunction:
    """A callable of a library: its parameters and the kind of what it returns.

    `returns_like` belongs to three kinds: of "like" it is the parameter whose structure comes back, of "own" the one
    that decides whether a jax or a NumPy array does, of "instance" the qualified class.
    """

    name: str
    parameters: tuple[ApiParameter, ...] = ()
    returns: Returns = "array"
    returns_like: str = ""
    variants: tuple[Variant, ...] = ()

    def parameter_at(self, index: int) -> ApiParameter | None:
        """The parameter that the positional argument number `index` goes to."""
        return parameter_at(self.parameters, index)

    def parameter_named(self, name: str) -> ApiParameter | None:
        """The parameter that the keyword argument `name` goes to."""
        return parameter_named(self.parameters, name)

    def returned(self, arguments: Mapping[str, object]) -> tuple[Returns, str]:
        """What a call returns, and like what: `arguments` gives the constant, or `...` if it is none, for each
        parameter
        that has an argument."""
        for variant in self.variants:
            given = variant.parameter in arguments
            if variant.absent != given and (variant.absent or arguments[variant.parameter] == variant.value):
                return variant.returns, variant.returns_like
            if given and not variant.absent and arguments[variant.parameter] is ...:
                return "unknown", ""
        return self.returns, self.returns_like


@dataclass(frozen=True, slots=True)
class Argument:
    """What a transform hands to a function, or what comes back: a word and, for most words, the parameter it is about.

    `parameter` p: that argument itself; `each` p: an element of it (along the leading axis, or of the list);
    `leaf` p: a leaf of the pytree; `rest` p: the remaining positional arguments; `host` p: its concrete value;
    `result` p: what the function p returns; `argument` 0: the argument number 0 of the call of the wrapped function.
    """

    word: Word
    parameter: str = ""


Shape: TypeAlias = "Argument | tuple[Shape, ...]"


@dataclass(frozen=True, slots=True)
class CallShape:
    """A call that a transform makes: of which of its parameters (`each`: of the functions in it), with what.

    The function `decorated` is what the transform's result is called with (`pl.when(condition)` gives a decorator).
    `role` is how messages call the relation of this function, where it is not that of the transform.
    """

    function: str
    arguments: tuple[Argument, ...]
    each: bool = False
    role: str = ""


@dataclass(frozen=True, slots=True)
class Transform:
    """A callable that takes functions: what it makes of them and how their bodies are run.

    `wraps`: the parameter for which the returned function stands; `runs`: the calls made here and now;
    `stage`: staged (all is traced), mapped (mapped arguments are), differentiated (arguments are, and are concrete),
    transparent (as called), host (concrete values, outside the trace); `role`: how messages call the relation;
    `returns`: of a wrapping transform what a call of the wrapped function returns (None: what the function does);
    `passes`: "ref" if every argument becomes a mutable reference; `keeps`: "non-arrays" if those stay static;
    `loops`: the body is run for more than one turn; `statics`: the parameters that declare arguments static;
    `exclusive`: of its runs only one happens; `abstract`: the function is run for shapes only and draws nothing;
    `axes`: the parameter that says along which axes arguments are mapped.
    """

    name: str
    parameters: tuple[ApiParameter, ...]
    wraps: str = ""
    runs: tuple[CallShape, ...] = ()
    stage: Stage = "transparent"
    role: str = ""
    returns: Shape | None = None
    passes: str = ""
    keeps: str = ""
    loops: bool = False
    statics: tuple[str, ...] = ()
    axes: str = ""
    exclusive: bool = False
    abstract: bool = False

    def parameter_at(self, index: int) -> ApiParameter | None:
        """The parameter that the positional argument number `index` goes to."""
        return parameter_at(self.parameters, index)

    def parameter_named(self, name: str) -> ApiParameter | None:
        """The parameter that the keyword argument `name` goes to."""
        return parameter_named(self.parameters, name)


def parameter_at(parameters: tuple[ApiParameter, ...], index: int) -> ApiParameter | None:
    """The parameter that the positional argument number `index` goes to, varargs included."""
    for place, parameter in enumerate(parameters):
        if parameter.kind == "varargs":
            return parameter
        if parameter.kind in ("keyword", "varkw"):
            return None
        if place == index:
            return parameter
    return None


def parameter_named(parameters: tuple[ApiParameter, ...], name: str) -> ApiParameter | None:
    """The parameter that the keyword argument `name` goes to, `**` included."""
    for parameter in parameters:
        if parameter.kind == "varkw" or (parameter.name == name and parameter.kind in ("normal", "keyword")):
            return parameter
    return None


def parse_function(row: str, prefix: str = "") -> ApiFunction:
    """The function that a row states; `prefix` is the module or class whose block it stands in."""
    where = f"{row.strip()!r} in block {prefix!r}"
    match = _ROW.fullmatch(row.strip())
    if match is None:
        raise RowError(f"malformed row {where}")
    parameters = parse_parameters(match["parameters"] or "", where)
    names = frozenset(parameter.name for parameter in parameters)
    usual, *others = [_parse_returns(text.strip(), names, where) for text in (match["returns"] or "array").split("|")]
    if usual.parameter or not all(other.parameter for other in others):
        raise RowError(f"the first return is the usual one, each further one has a condition: row {where}")
    name = f"{prefix}.{match['name']}" if prefix else match["name"]
    return ApiFunction(name, parameters, usual.returns, usual.returns_like, tuple(others))


def _parse_returns(text: str, names: frozenset[str], where: str) -> Variant:
    match = _RETURNS.fullmatch(text)
    if match is None:
        raise RowError(f"malformed return {text!r} in row {where}")
    kind, about, condition = match["kind"], match["about"] or "", match["name"] or ""
    if not (kind in RETURNS if not about else kind in ABOUT_PARAMETER or kind == "instance"):
        raise RowError(f"unknown return {text!r} in row {where}")
    for name in (condition, about if kind in ABOUT_PARAMETER else ""):
        if name and name not in names:
            raise RowError(f"no parameter {name!r} in row {where}")
    value = match["value"] or ""
    constant = value.strip("'") if value.startswith("'") else value == "True"
    return Variant(kind, about, condition, match["test"] == " absent", constant)  # type: ignore[arg-type]


def parse_parameters(text: str, row: str) -> tuple[ApiParameter, ...]:
    """The parameters of a comma-separated list; `row` names the row in errors."""
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


def parse_transform(name: str, row: Mapping[str, object]) -> Transform:
    """The transform that a table of the file states."""
    if unknown := set(row) - set(Transform.__slots__) | ({"name"} & set(row)):
        raise RowError(f"unknown key {sorted(unknown)[0]!r} in transform {name!r}")
    stage = str(row.get("stage", "transparent"))
    if stage not in STAGES:
        raise RowError(f"unknown stage {stage!r} in transform {name!r}")
    parameters = parse_parameters(str(row.get("parameters", "")), f"of transform {name!r}")
    names = {parameter.name: parameter for parameter in parameters}
    runs = tuple(_parse_call(text, names, name) for text in _strings(row, "runs"))
    wraps = str(row.get("wraps", ""))
    statics, axes = _strings(row, "statics"), str(row.get("axes", ""))
    for mentioned in (*statics, *filter(None, (wraps, axes))):
        if mentioned not in names:
            raise RowError(f"no parameter {mentioned!r} in transform {name!r}")
    returns = _parse_shape(str(row["returns"]), names, name) if "returns" in row else None
    return Transform(
        name, parameters, wraps, runs, stage, str(row.get("role", "")), returns,  # type: ignore[arg-type]
        str(row.get("passes", "")), str(row.get("keeps", "")), bool(row.get("loops", False)), statics, axes,
        bool(row.get("exclusive", False)), bool(row.get("abstract", False)),
    )  # fmt: skip


def _strings(row: Mapping[str, object], key: str) -> tuple[str, ...]:
    values = row.get(key, ())
    return tuple(str(value) for value in values) if isinstance(values, (list, tuple)) else (str(values),)


def _parse_call(text: str, names: Mapping[str, ApiParameter], row: str) -> CallShape:
    match = _CALL.fullmatch(text.strip())
    if match is None:
        raise RowError(f"malformed call {text!r} in transform {row!r}")
    function = match["function"]
    each = function.startswith("each ")
    function = function.removeprefix("each ")
    if function != DECORATED and function not in names:
        raise RowError(f"no parameter {function!r} for the call {text!r} in transform {row!r}")
    words = filter(None, map(str.strip, match["arguments"].split(",")))
    return CallShape(function, tuple(_parse_argument(word, names, row) for word in words), each, match["role"] or "")


def _parse_argument(text: str, names: Mapping[str, ApiParameter], row: str) -> Argument:
    word, _, about = text.rpartition(" ")
    if text.startswith("*") and text[1:] in names:
        return Argument("rest", text[1:])
    if not word and text in _ALONE and text not in names:
        return Argument(text)  # type: ignore[arg-type]
    if not word and text in names:
        return Argument("parameter", text)
    if word == "argument" and about.isdigit():
        return Argument("argument", about)
    if word in _BEFORE_NAME and (about.lstrip("*") in names or about == DECORATED):
        return Argument(word, about.lstrip("*"))  # type: ignore[arg-type]
    raise RowError(f"unknown word {text!r} in transform {row!r}")


def _parse_shape(text: str, names: Mapping[str, ApiParameter], row: str) -> Shape:
    text = text.strip()
    if not text.startswith("("):
        return _parse_argument(text, names, row)
    if not text.endswith(")"):
        raise RowError(f"malformed returns {text!r} in transform {row!r}")
    return tuple(_parse_shape(part, names, row) for part in _split_top(text[1:-1]))


def _split_top(text: str) -> list[str]:
    parts, depth, start = [], 0, 0
    for place, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if character == "," and depth == 0:
            parts.append(text[start:place])
            start = place + 1
    return [part for part in (*parts, text[start:]) if part.strip()]
