"""How the dtype of a result follows from the operands: of functions, of methods of arrays, and of operators.

    fact("jax.numpy.add") -> "x y"                      promoted from both
    fact("jax.numpy.true_divide") -> "inexact: x1 x2"   and made a floating one
    fact("jax.numpy.argmax") -> "= int"                 whatever it is given
    fact("jax.numpy.zeros") -> "= float; dtype"         unless the parameter `dtype` says otherwise
    fact("promotion weak int") -> {"int8": "int8", ...}
    fact("jax.numpy.array") -> "object; dtype; strong lists"     of a list of numbers it is strong
    fact("jax.numpy.where") -> "x y; beside condition"          the dtype of `condition` does not matter
    fact("operator **") -> "x y; not weak"                      or not known, where that would be weak or bool
    fact("operator /") -> "inexact: x y"

A dtype is named as in api/dtypes.py: `int` and `float` are those that the setting of 64 bits decides, `weak` ones are
those of Python's numbers.  Functions are run for shapes alone, with and without 64 bits, on operands of one dtype and
of several; the shortest expression that is right in all runs is the fact.
"""

from __future__ import annotations

import importlib
import inspect
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cache, partial
from itertools import combinations, product
from typing import TypeAlias

import jax
import jax.numpy as jnp
import numpy as np

from flake8_jax.api.dtypes import DTYPES, WEAK
from flake8_jax.runtime.foreign import Foreign
from flake8_jax.runtime.measuring.families import functions
from flake8_jax.runtime.measuring.family import MeasuredFact
from flake8_jax.runtime.measuring.naming.watching import quiet
from flake8_jax.runtime.measuring.notation import P, Varargs
from flake8_jax.runtime.measuring.probe import FunctionProbe
from flake8_jax.runtime.measuring.samples import F1

SECTION = "dtypes"
FILE = "dtypes"
PROMOTION, MAP, OPERATOR = "promotion ", "map ", "operator "
WIDE = {"int": ("int32", "int64"), "uint": ("uint32", "uint64"), "float": ("float32", "float64"),
        "complex": ("complex64", "complex128")}  # fmt: skip
"""What the names are without and with 64 bits."""

MAPPED: dict[str, Callable[[Foreign], Foreign]] = {
    "inexact": jnp.exp, "summed": jnp.sum, "strong": jnp.max, "real": jnp.real, "mean": jnp.mean,
}  # fmt: skip
OPERATORS: dict[str, Callable[..., Foreign]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv,
    "%": operator.mod, "**": operator.pow, "@": operator.matmul, "&": operator.and_, "|": operator.or_,
    "^": operator.xor, "<<": operator.lshift, ">>": operator.rshift, "<": operator.lt, "<=": operator.le,
    ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne, "unary -": operator.neg,
    "unary ~": operator.invert, "unary +": operator.pos,
}  # fmt: skip
ALIKE = (
    "bool", "int8", "uint8", "int32", "int", "float16", "float32", "float", "complex64", "weak int", "weak float",
)  # fmt: skip
MIXED = (
    ("int8", "float16"), ("float16", "int8"), ("int32", "weak float"), ("weak float", "int32"), ("float32", "weak int"),
    ("weak int", "float32"), ("bool", "int16"), ("int16", "bool"), ("int8", "int16"), ("int16", "int8"),
)  # fmt: skip
LEAST = 3
"""How many runs, of operands of different dtypes, an expression must explain."""

EAGER = ("int8", "int32", "float32")

LONGEST = 3
"""How many maps one after another an expression has."""

NUMBERS: dict[str, Foreign] = {"weak int": 2, "weak float": 2.5}


@dataclass(frozen=True, slots=True)
class DtypeOutcome:
    """The dtypes of the operands in a run, and that of the result."""

    operands: Mapping[str, str]
    result: str


def subjects() -> dict[str, str]:
    """The functions and methods that are measured, operators, and the rows of the tables of promotion."""
    rows = [
        *(PROMOTION + name for name in DTYPES),
        *(MAP + name for name in MAPPED),
        *(OPERATOR + sign for sign in OPERATORS),
    ]
    return dict.fromkeys((*rows, *functions.subjects()), FILE)


def fact(name: str) -> MeasuredFact | None:
    """The expression for one function, or a row of a table."""
    with quiet():
        if name.startswith(PROMOTION):
            return _promotions(name.removeprefix(PROMOTION))
        if name.startswith(MAP):
            return _mapped(name.removeprefix(MAP))
        return _expression(name)


def named(small: np.dtype, large: np.dtype, is_weak: bool) -> str | None:
    """The name of a dtype, given what it is without and with 64 bits."""
    for name in DTYPES:
        if name.startswith(WEAK) is is_weak and (_concrete(name, False), _concrete(name, True)) == (small, large):
            return name
    return None


def _concrete(name: str, is_wide: bool) -> np.dtype:
    bare = name.removeprefix(WEAK)
    return jnp.dtype(WIDE[bare][is_wide] if bare in WIDE else bare)


def _abstract(shape: tuple[int, ...], name: str, is_wide: bool) -> jax.ShapeDtypeStruct:
    make: Foreign = jax.ShapeDtypeStruct
    return make(shape, _concrete(name, is_wide), weak_type=name.startswith(WEAK))  # type: ignore[no-any-return]


def _wide(is_wide: bool) -> AbstractContextManager[None]:
    owner: Foreign = jax if hasattr(jax, "enable_x64") else importlib.import_module("jax.experimental")
    return owner.enable_x64(is_wide)  # type: ignore[no-any-return]


def _result(function: Callable[..., Foreign], operands: Sequence[tuple[tuple[int, ...], str]]) -> str | None:
    """The dtype of the result of a function of arrays; None if it fails, or does not return one array."""
    seen = []
    for is_wide in (False, True):
        try:
            with _wide(is_wide):
                made = jax.eval_shape(function, *(_abstract(shape, name, is_wide) for shape, name in operands))
        except Exception:
            return None
        if not isinstance(made, jax.ShapeDtypeStruct) or not jnp.issubdtype(made.dtype, np.generic):
            return None
        seen.append(made)
    small, large = seen
    is_weak = bool(getattr(small, "weak_type", False))
    return named(small.dtype, large.dtype, is_weak) if is_weak == bool(getattr(large, "weak_type", False)) else None


@cache
def _promotions(name: str) -> dict[str, str]:
    found = {other: _result(jnp.add, [((), name), ((), other)]) for other in DTYPES}
    found |= {"bool": _result(jnp.logical_or, [((), "bool"), ((), "bool")])} if name == "bool" else {}
    return {other: result for other, result in found.items() if result is not None}


@cache
def _mapped(word: str) -> dict[str, str]:
    found = {name: _result(MAPPED[word], [((), name)]) for name in DTYPES}
    return {name: result for name, result in found.items() if result is not None}


def _expression(name: str) -> str:
    """The shortest expression that explains all runs of a function; "" where none does, or few runs were possible."""
    seen = [(call, list(call.runs())) for call in _calls(name)]
    seen = sorted(((call, runs) for call, runs in seen if runs), key=lambda one: -len(one[0].operands))
    if not seen:
        return ""
    call, runs = seen[0]
    if call.arrays and len({tuple(run.operands.items()) for run in runs}) < LEAST:
        return ""
    rest = [run for _, more in seen[1:] for run in more]
    options = "; dtype" if call.says_dtype else ""
    for is_strict in (True, False):
        found = _explained(runs, rest, call, is_strict)
        if found:
            lists = "; strong lists" if found[0] != "=" and call.makes_lists_strong() else ""
            beside = " ".join(array for array in call.arrays if array not in found.rpartition(":")[2].split())
            others = f"; beside {beside}" if beside and found[0] != "=" else ""
            return found + options + lists + ("" if is_strict else "; not weak") + others
    return ""


Caller: TypeAlias = "Callable[[Mapping[str, Foreign]], Foreign]"


@dataclass(frozen=True, slots=True)
class DtypeProbe:
    """A working call: what makes it, its operands, its other arguments, whether it takes `dtype`."""

    caller: Caller
    operands: Mapping[str, Foreign]
    rest: Mapping[str, Foreign]
    says_dtype: bool = False

    @property
    def arrays(self) -> list[str]:
        """The operands that are arrays, or hold such."""
        return [name for name, value in self.operands.items() if not _is_number(value)]

    @property
    def numbers(self) -> list[str]:
        """The operands that are numbers of Python."""
        return [name for name, value in self.operands.items() if _is_number(value)]

    def runs(self) -> Iterator[DtypeOutcome]:
        """The function run with operands of many dtypes."""
        usual = {name: "weak float" if type(self.operands[name]) is float else "weak int" for name in self.numbers}
        arrays = self.arrays
        combined = [{**usual, **dict.fromkeys(arrays, name)} for name in ALIKE] if arrays else [usual]
        if len(arrays) > 1:
            combined += [
                {**usual, **dict.fromkeys(arrays, other), array: name} for array in arrays for name, other in MIXED
            ]
        of_arrays = [dict.fromkeys(arrays, name) for name in ("int8", "float16", "float32")] if arrays else [{}]
        combined += [
            {**usual, **held, number: name} for number in self.numbers for name in NUMBERS for held in of_arrays
        ]
        found = [DtypeOutcome(operands, result) for operands in combined if (result := self.run(operands)) is not None]
        yield from found or self._eager_runs()

    def _eager_runs(self) -> Iterator[DtypeOutcome]:
        """Runs with arrays at hand, of a function that takes no tracers."""
        for name in EAGER:
            arrays = {array: _cast(self.operands[array], name) for array in self.arrays}
            result = _result(partial(self.caller, {**self.rest, **self.operands, **arrays}), [])
            if result is not None:
                yield DtypeOutcome(
                    {**dict.fromkeys(self.numbers, "weak int"), **dict.fromkeys(self.arrays, name)}, result
                )

    def makes_lists_strong(self) -> bool:
        """Is the result of a list of numbers strong?"""
        (name, *others) = self.operands
        if others:
            return False
        result = _result(lambda: self.caller({**self.rest, name: [2.5, 2.5]}), [])
        return result is not None and not result.startswith(WEAK)

    def run(self, operands: Mapping[str, str], **more: Foreign) -> str | None:
        """The dtype of the result with operands of some dtypes."""
        values = {name: _plain(self.operands[name]) for name in self.arrays}
        leaves, tree = jax.tree_util.tree_flatten(values)
        words = {
            name: jax.tree_util.tree_map(lambda _, word=operands[name]: word, value) for name, value in values.items()
        }
        numbers = {name: NUMBERS[operands[name]] for name in self.numbers}

        def function(*made: Foreign) -> Foreign:
            given = jax.tree_util.tree_unflatten(tree, made)
            arrays = {
                name: Varargs(one) if isinstance(self.operands[name], Varargs) else one for name, one in given.items()
            }
            return self.caller({**self.rest, **more, **numbers, **arrays})

        shapes = [(np.shape(leaf), word) for leaf, word in zip(leaves, jax.tree_util.tree_leaves(words))]
        return _result(function, shapes)


def _calls(name: str) -> Iterator[DtypeProbe]:
    """The working calls of a function."""
    if name.startswith(OPERATOR):
        sign = name.removeprefix(OPERATOR)
        function, names = OPERATORS[sign], ("x",) if sign.startswith("unary") else ("x", "y")
        yield DtypeProbe(lambda given: function(*(given[one] for one in names)), dict.fromkeys(names, F1), {})
        return
    probe = FunctionProbe(name, {**functions.methods_by_name(), **functions.functions_by_name()}[name])
    for arguments in probe.base_forms():
        operands = {key: value for key, value in arguments.items() if _is_number(value) or _holds_arrays(value)}
        rest = {key: value for key, value in arguments.items() if key not in operands}
        caller: Caller = probe.call
        if name.startswith("Array."):
            operands = {"self": functions.OTHER_RANK.get(name.rpartition(".")[2], F1), **operands}
            caller = _method(name, probe)
        call = DtypeProbe(caller, operands, rest)
        says_dtype = "dtype" in probe.parameters and _says_dtype(call)
        if says_dtype and probe.parameters["dtype"].default is not P.empty:
            rest.pop("dtype", None)
        yield DtypeProbe(caller, operands, rest, says_dtype)


def _method(name: str, probe: FunctionProbe) -> Caller:
    """A method as a function of the array, too."""
    _, *path = name.split(".")

    def call(given: Mapping[str, Foreign]) -> Foreign:
        owner = given["self"].at[:2] if path[0] == "at" and len(path) > 1 else given["self"]
        bound = inspect.BoundArguments(probe.signature, {key: given[key] for key in probe.parameters if key in given})
        return getattr(owner, path[-1])(*bound.args, **bound.kwargs)

    return call


def _cast(value: Foreign, dtype: str) -> Foreign:
    """An operand with all its arrays of a dtype."""
    cast = jax.tree_util.tree_map(lambda leaf: np.asarray(leaf, dtype), _plain(value))
    return Varargs(cast) if isinstance(value, Varargs) else cast


def _plain(value: Foreign) -> Foreign:
    return tuple(value) if isinstance(value, Varargs) else value


def _is_number(value: Foreign) -> bool:
    return type(value) is int or type(value) is float


def _holds_arrays(value: Foreign) -> bool:
    leaves = jax.tree_util.tree_leaves(_plain(value))
    is_array = [isinstance(leaf, np.ndarray) for leaf in leaves]
    return any(is_array) and all(one or _is_number(leaf) for one, leaf in zip(is_array, leaves))


ASKED = (("float16", "float32"), ("float32", "float16"), ("int8", "int32"), ("uint8", "int8"))


def _says_dtype(call: DtypeProbe) -> bool:
    """Does the parameter `dtype` say the dtype of the result, whatever the operands are?"""
    usual = dict.fromkeys(call.numbers, "weak int")
    known = []
    for asked, given in ASKED:
        result = call.run({**usual, **dict.fromkeys(call.arrays, given)}, dtype=jnp.dtype(asked))
        known += [result == asked] if result is not None else []
    return bool(known) and all(known)


def _explained(
    runs: Sequence[DtypeOutcome], others: Sequence[DtypeOutcome], call: DtypeProbe, is_strict: bool
) -> str | None:
    """The shortest expression that gives the result of each run; if not strict, of each that it does not say is weak.

    The runs of other forms may lack some operands.
    """
    if len({run.result for run in (*runs, *others)}) == 1:
        return f"= {runs[0].result}" if is_strict else None
    for size in range(1, len(call.operands) + 1):
        for maps in (maps for length in range(LONGEST + 1) for maps in product(MAPPED, repeat=length)):
            for chosen in combinations(call.operands, size):
                if all(_explains(maps, chosen, run, is_strict) for run in (*runs, *others)):
                    return f"{' '.join(maps)}: {' '.join(chosen)}" if maps else " ".join(chosen)
    return None


def _explains(maps: Sequence[str], chosen: Sequence[str], run: DtypeOutcome, is_strict: bool) -> bool:
    names = [run.operands[one] for one in chosen if one in run.operands]
    said = _evaluated(maps, names) if names else None
    return said == run.result or (not is_strict and said is not None and (said.startswith(WEAK) or said == "bool"))


def _evaluated(maps: Sequence[str], names: Sequence[str]) -> str | None:
    found: str | None = names[0]
    for name in names[1:]:
        found = _promotions(found).get(name) if found is not None else None
    for word in reversed(maps):
        found = _mapped(word).get(found) if found is not None else None
    return found
