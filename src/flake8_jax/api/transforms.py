"""Table rows that describe transforms: how they run the functions they are given, and what they return.

[transforms."jax.lax.scan"]
parameters = "f, init, xs, length!, reverse!, unroll!"
runs = ["f(init, each xs)"]        the calls that it makes; a transform that returns a function `wraps` one instead
stage = "staged"                   how their bodies are run
returns = "(init, unknown)"
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Literal, TypeAlias, get_args

from flake8_jax.api.rows import ApiParameter, RowError, parameter_at, parameter_named, parse_parameters
from flake8_jax.domain.staging import DerivativeMode, Stage
from flake8_jax.lazy_dataclasses import dataclass
from flake8_jax.lazy_patterns import compiled

Word: TypeAlias = Literal[
    "parameter", "each", "leaf", "rest", "host", "closed", "kept", "result",
    "argument", "mapped", "index", "array", "ref", "key", "static", "unknown", "others",
]  # fmt: skip

STAGES = frozenset(get_args(Stage))
MODES = frozenset(get_args(DerivativeMode))
DECORATED = "decorated"
EXPECTED = frozenset(("any", "floating", "scalar", "number", "bool", "array", "none", "static", "same", "unknown"))

_CALL = compiled(r"(?P<function>(?:each )?\w+)\((?P<arguments>[^()]*)\)(?: as (?P<role>.+))?")
_BEFORE_NAME = frozenset(("each", "leaf", "host", "closed", "kept", "result", "mapped"))
_ALONE = frozenset(("index", "array", "ref", "key", "static", "unknown", "kept", "others"))


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument that a transform passes to a function, or a part of its result. It has a word and, for most words,
    the parameter that it is about.

    `parameter` p: that argument itself; `each` p: an element of it (along the leading axis, or of the list);
    `leaf` p: a leaf of the pytree; `rest` p: the remaining positional arguments; `host` p: its concrete value;
    `closed` p: what a tuple holds, which is not traced, as the function is closed over it;
    `kept` p: that argument, of which arrays alone are traced; alone, such a one that is told later; `others`: so many
    more of these as nobody knows;
    `result` p: what the function p returns; `argument` 0: the argument number 0 of the call of the wrapped function;
    `mapped` p: a tree of what the function p returns for each leaf of the tree that it is called with.
    """

    word: Word
    parameter: str = ""


Expected: TypeAlias = "str | tuple[Expected, ...]"
ReturnedTree: TypeAlias = "Argument | tuple[ReturnedTree, ...]"

DEMANDS = frozenset(("function", "functions", "scalar", "integer", "alike", "rows", "results"))


@dataclass(frozen=True, slots=True)
class Demand:
    """What a transform refuses to go without, in a word, and the parameters that it is about.

    `function`: something that can be called; `functions`: a list or tuple of such; `scalar`: a number or an array
    without axes; `integer`: such a scalar that is whole; `alike`: numbers of one type; `rows` xs n: leaves with one
    size along their first axis, which is `n`, where there are none its only size; `results`: what these functions
    return must have exactly the structure, shapes and dtypes that `expects` says.
    """

    word: str
    parameters: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CallShape:
    """A call made by a transform: the parameter that is called, and its arguments. With `each`, the parameter is a
    sequence of functions.

    The function `decorated` is what the transform's result is called with (`pl.when(condition)` gives a decorator).
    `role` is how messages call the relation of this function, where it is not that of the transform.
    """

    function: str
    arguments: tuple[Argument, ...]
    each: bool = False
    role: str = ""


@dataclass(frozen=True, slots=True)
class Transform:
    """A function that takes functions, with how it runs them and what it returns.

    `wraps`: the parameter for which the returned function stands; `runs`: the calls made here and now;
    `stage`: staged (all is traced), mapped (mapped arguments are), differentiated (arguments are, and are concrete),
    transparent (as called), host (concrete values, outside the trace); `role`: how messages call the relation;
    `returns`: of a wrapping transform what a call of the wrapped function returns (None: what the function does);
    `passes`: "ref" if every argument becomes a mutable reference; `keeps`: "non-arrays" if those stay static;
    `loops`: the body is run for more than one turn; `statics`: the parameters that declare arguments static;
    `exclusive`: of its runs only one happens; `abstract`: the function is run for shapes only and draws nothing;
    `axes`: the parameter that says along which axes arguments are mapped; `whole`: the one of which a literal None
    hands an argument over as it is; `compiles`: by what it finds again what it compiles where nothing is traced, if it
    does: by the same "function", one of equal "parts", the "object" that it made, or never: "anew".

    `times` and `expects` go with `runs`, or are about the one that `wraps` names: how often Python runs the function's
    body in one call ("each": once for every element or turn), and what it must return: `any` value, a floating
    `scalar`, a `number`, `bool`, `array` or `none`, a `static` value, the `same` as the other functions, something like
    a parameter or like `argument 0` of the call of the wrapped function, or a tuple of these.  `bools` says whether
    `bool` of an argument is legal, where that differs from what `stage` says.

    `needs` are the parameters that calls pass; `single` is the one that stands for varargs with one value; `former` are
    keywords that other versions have.  `demands`: what it refuses other operands than.  `mode`: how it takes
    derivatives, if it does: by "reverse" or "forward" mode, "linear" (forward where the linear function is called), or
    that its function is not differentiated, since there is an "own backward" pass or an "own rule".  `refuses`: as what
    it refuses derivatives (`checks/derivatives/modes.py`).  `updates`: "objects" if it puts back what its function
    changes in them.  `makes`: the call makes an object, as its name or its row under [functions] says, and the runs are
    what that does later; not if a keyword `unless` is anything but True.  `waits`: a call of what it compiles returns
    when all is done that was started, if nothing is traced.
    """

    name: str
    parameters: tuple[ApiParameter, ...]
    wraps: str = ""
    runs: tuple[CallShape, ...] = ()
    stage: Stage = "transparent"
    role: str = ""
    returns: ReturnedTree | None = None
    passes: str = ""
    keeps: str = ""
    loops: bool = False
    statics: tuple[str, ...] = ()
    axes: str = ""
    whole: str = ""
    exclusive: bool = False
    abstract: bool = False
    times: tuple[str, ...] = ()
    expects: tuple[str, ...] = ()
    bools: bool | None = None
    compiles: str = ""
    demands: tuple[Demand, ...] = ()
    needs: tuple[str, ...] = ()
    single: str = ""
    former: tuple[str, ...] = ()
    mode: DerivativeMode = ""
    refuses: str = ""
    updates: str = ""
    makes: bool = False
    unless: str = ""
    waits: bool = False

    @property
    def is_compiled(self) -> bool:
        """Does it make of a function one compiled program that is kept and called, as `jit` and `pmap` do?"""
        return bool(self.wraps) and self.compiles not in ("", "anew")

    @property
    def compares(self) -> bool:
        """Does it refuse functions that return another type than it expects?"""
        return "results" in [demand.word for demand in self.demands]

    def expected(self, place: int) -> Expected | None:
        """What run number `place`, or the function that is wrapped, must return, if that is measured."""
        return expectation(self.expects[place]) if place < len(self.expects) else None

    def parameter_at(self, index: int) -> ApiParameter | None:
        """The parameter that receives the positional argument number `index`."""
        return parameter_at(self.parameters, index)

    def parameter_named(self, name: str) -> ApiParameter | None:
        """The parameter that receives the keyword argument `name`."""
        return parameter_named(self.parameters, name)

    def has_parameter(self, name: str) -> bool:
        """Is there a parameter of this very name?"""
        found = parameter_named(self.parameters, name)
        return found is not None and found.name == name


@cache
def expectation(text: str) -> Expected:
    """What a function must return: a word or the name of a parameter, or a tuple of these."""
    text = text.strip()
    return tuple(map(expectation, _split_top(text[1:-1]))) if text.startswith("(") else text


def parse_transform(name: str, row: Mapping[str, object]) -> Transform:
    """Parse the table of a transform."""
    if unknown := set(row) - set(Transform.__slots__) | ({"name"} & set(row)):
        raise RowError(f"unknown key {sorted(unknown)[0]!r} in transform {name!r}")
    stage = str(row.get("stage", "transparent"))
    if stage not in STAGES:
        raise RowError(f"unknown stage {stage!r} in transform {name!r}")
    mode = str(row.get("mode", ""))
    if mode not in MODES:
        raise RowError(f"unknown mode {mode!r} in transform {name!r}")
    parameters = parse_parameters(str(row.get("parameters", "")), f"of transform {name!r}")
    names = {parameter.name: parameter for parameter in parameters}
    runs = tuple(_parse_call(text, names, name) for text in _strings(row, "runs"))
    wraps = str(row.get("wraps", ""))
    statics, axes = _strings(row, "statics"), str(row.get("axes", ""))
    whole, single = str(row.get("whole", "")), str(row.get("single", ""))
    for mentioned in (*statics, *_strings(row, "needs"), *filter(None, (wraps, axes, whole, single))):
        if mentioned not in names:
            raise RowError(f"no parameter {mentioned!r} in transform {name!r}")
    returns = _parse_shape(str(row["returns"]), names, name) if "returns" in row else None
    return Transform(
        name, parameters, wraps, runs, stage, str(row.get("role", "")), returns,  # type: ignore[arg-type]
        str(row.get("passes", "")), str(row.get("keeps", "")), bool(row.get("loops", False)), statics, axes, whole,
        bool(row.get("exclusive", False)), bool(row.get("abstract", False)), _strings(row, "times"),
        tuple(_checked_expectation(text, names, name) for text in _strings(row, "expects")),
        bool(row["bools"]) if "bools" in row else None, str(row.get("compiles", "")),
        _parse_demands(str(row.get("demands", "")), names, name), _strings(row, "needs"), single,
        _strings(row, "former"), mode,  # type: ignore[arg-type]
        str(row.get("refuses", "")), str(row.get("updates", "")), bool(row.get("makes", False)),
        str(row.get("unless", "")), bool(row.get("waits", "")),
    )  # fmt: skip


def _checked_expectation(text: str, names: Mapping[str, ApiParameter], row: str) -> str:
    for word in filter(None, map(str.strip, re.split("[(),]", text))):
        last = word.rpartition(" ")[2]
        if word not in EXPECTED and last not in names and not (word.startswith("argument ") and last.isdigit()):
            raise RowError(f"unknown expectation {word!r} in transform {row!r}")
    return text


def _parse_demands(text: str, names: Mapping[str, ApiParameter], row: str) -> tuple[Demand, ...]:
    found = []
    for part in filter(None, text.split(";")):
        word, *parameters = part.split()
        if word not in DEMANDS or not names.keys() >= set(parameters):
            raise RowError(f"unknown demand {part.strip()!r} of transform {row!r}")
        found.append(Demand(word, tuple(parameters)))
    return tuple(found)


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


def _parse_shape(text: str, names: Mapping[str, ApiParameter], row: str) -> ReturnedTree:
    text = text.strip()
    if not text.startswith("("):
        return _parse_argument(text, names, row)
    if not text.endswith(")"):
        raise RowError(f"malformed returns {text!r} in transform {row!r}")
    return tuple(_parse_shape(part, names, row) for part in _split_top(text[1:-1]))


def with_roles(name: str, row: Mapping[str, object], roles: Mapping[str, str]) -> dict[str, object]:
    """The row of a transform with the stated words for what its functions are to it."""
    keys = {call: f"{name}.{call.partition('(')[0].removeprefix('each ')}" for call in _strings(row, "runs")}
    runs = [f"{call} as {roles[key]}" if key in roles else call for call, key in keys.items()]
    return {**row, **({"runs": runs} if runs else {}), **({"role": roles[name]} if name in roles else {})}


def _split_top(text: str) -> list[str]:
    parts, depth, start = [], 0, 0
    for place, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if character == "," and depth == 0:
            parts.append(text[start:place])
            start = place + 1
    return [part for part in (*parts, text[start:]) if part.strip()]
