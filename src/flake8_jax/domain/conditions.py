"""Path conditions: the tests under which a path is taken, and the exclusion of two paths.

A path condition is a row of facts that all hold, oldest first; only the latest are kept.  A fact is about a *value* (an
identity), never about a text:

    if train: a = normal(key)          fact: (truth of the value `train`) is True
    if not train: b = normal(key)      fact: (truth of the value `train`) is False: never both

    if a and b: ... else: ...          fact, in the second body: not all of (`a` is true, `b` is true)

A test that is neither a name, a comparison of it or of its length with a constant, `is None` nor isinstance makes no
fact.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Hashable, Iterable
from typing import TypeAlias, TypeGuard

from flake8_jax.domain.constants import OPEN, NotConstant
from flake8_jax.domain.folding import fold
from flake8_jax.domain.kinds import API, INPUT
from flake8_jax.domain.payload import LEAF
from flake8_jax.domain.staging import Ambient, Input, certain
from flake8_jax.domain.value import Value
from flake8_jax.ir.parts import Host
from flake8_jax.lazy_dataclasses import dataclass

MAXIMUM_FACTS = 16

Tested: TypeAlias = "str | Value | tuple[Tested, ...]"
"""What isinstance was asked about: a type by its canonical name or value, or several."""

Compared: TypeAlias = "Host | Tested | NotAll"
"""What a subject was compared with: a constant, a value, a type; or the facts that do not all hold."""


FactSource: TypeAlias = "Input | Value | Fact | None"
"""What a fact was about before a call put something else there."""


@dataclass(frozen=True, slots=True)
class Fact:
    """The outcome of a pure test of `subject`, compared with `other` (a constant or a value).

    `test` is "truth", "==", "is", "in", "isinstance", "<" ..., or one of `LENGTHS` or `RESPELLED`; `holds` is the
    outcome.
    """

    test: str
    subject: Value
    other: Compared
    holds: bool


@dataclass(frozen=True, slots=True)
class NotAll:
    """A negated conjunction: at least one of these facts does not hold."""

    facts: tuple[Fact, ...]


LENGTHS = {"len ==": "==", "len <": "<", "len >": ">"}
"""The tests of a length, with the comparison that each makes of it."""

RESPELLED: dict[str, Callable[[str], str]] = {
    "lower ==": str.lower, "upper ==": str.upper, "casefold ==": str.casefold, "strip ==": str.strip,
}  # fmt: skip
"""The tests of a text in another spelling, with what spells it."""

NOT_ALL = "not all"
"""The test of a fact that says of several others that one of them at least does not hold."""

Path: TypeAlias = tuple[Fact, ...]
ALWAYS: Path = ()


def assume(path: Path, facts: tuple[Fact, ...]) -> Path:
    """A path with further facts; only the most recent ones are kept, up to a bound."""
    return (path + facts)[-MAXIMUM_FACTS:] if facts else path


def common_facts(first: Path, second: Path) -> Path:
    """The facts that both paths share."""
    if first is second:
        return first
    return tuple(fact for fact in first if fact in second)


def facts_shared_by_all(paths: Iterable[Path]) -> Path:
    """The facts that all of some paths share; none for no path."""
    found: Path | None = None
    for path in paths:
        found = path if found is None else common_facts(found, path)
    return found or ALWAYS


def facts_added(path: Path, shared: Path) -> Path | None:
    """The facts of a path that another path does not have; None if a path is not known."""
    return tuple(fact for fact in path if fact not in shared) or None


def path_of(facts: Iterable[Hashable]) -> Path:
    """The path that a payload holds the facts of."""
    return tuple(fact for fact in facts if isinstance(fact, Fact))


def equal(subject: Value, other: Host | tuple[Host, ...]) -> Path:
    """The path on which a value is this constant; always, for a tuple, of which no fact is known."""
    return () if isinstance(other, tuple) else (Fact("==", subject, other, True),)


def exclude(first: Path, second: Path) -> bool:
    """Do two paths exclude each other, so that no run takes both?"""
    if not first or not second:
        return False
    if _are_together(first, second) or _are_together(second, first):
        return True
    shared = {fact.subject for fact in first} & {fact.subject for fact in second}
    return bool(shared) and any(contradict(a, b) for a in first if a.subject in shared for b in second)


def on_path(path: Path, value: Value) -> Value:
    """What a value is on a path, where it is another one on each of several.

    n = limit if limit is not None else x.sum()
    if limit is not None and n > 3: ...             here it is `limit`
    """
    while value.ways and path:
        kept = [one for one, when in value.ways if not exclude(path, path_of(when))]
        if len(kept) != 1:
            break
        value = kept[0]
    return value


def _are_together(path: Path, other: Path) -> bool:
    """Do all facts that one path says cannot hold together hold on another path?"""
    conjunctions = [fact.other.facts for fact in path if type(fact.other) is NotAll]
    return any(all(one in other for one in facts) for facts in conjunctions)


def parts_of(fact: Fact) -> Path:
    """The facts inside a fact: itself, or those of the members of a negated conjunction."""
    return tuple(part for one in fact.other.facts for part in parts_of(one)) if type(fact.other) is NotAll else (fact,)


def not_all(facts: Path) -> Path:
    """The path on which at least one of some facts does not hold."""
    if len(facts) == 1:
        (fact,) = facts
        return (Fact(fact.test, fact.subject, fact.other, not fact.holds),)
    return (Fact(NOT_ALL, facts[0].subject, NotAll(facts), False),) if facts else ALWAYS


def is_about_inputs(path: Path) -> bool:
    """Does a path depend on what callers pass?"""
    return any(fact.subject.dependences or fact.subject.input for fact in path)


def is_impossible(path: Path) -> bool:
    """Is a flag that the function was passed both true and false on a path?

    What loops and calls give is left aside: each iteration may have another value.
    """
    flags = {(fact.subject, fact.holds) for fact in path if fact.test == "truth" and fact.subject.input is not None}
    return any((subject, not holds) in flags for subject, holds in flags)


def is_contradictory(found: list[tuple[FactSource, Fact]]) -> bool:
    """Do facts of one path contradict each other?

    Each comes with its subject before translation: two facts about one input were found one after the other, and what
    it holds may have changed in between.
    """
    if len(found) < 2 or len({fact.subject for _, fact in found}) == len(found):
        return False
    about: dict[Value, list[tuple[FactSource, Fact]]] = {}
    for origin, fact in found:
        known = about.setdefault(fact.subject, [])
        if any(origin is not other and contradict(fact, another) for other, another in known):
            return True
        known.append((origin, fact))
    return False


def contradict(first: Fact, second: Fact) -> bool:
    """Do two facts about one value contradict each other?"""
    if first.subject is not second.subject:
        return False
    if first.test == second.test and _same(first.other, second.other):
        return first.holds != second.holds
    if {first.test, second.test} <= COMPARISONS and _same(first.other, second.other):
        return first.holds and second.holds
    if first.test in LENGTHS or second.test in LENGTHS:
        lengths = _of_length(first), _of_length(second)
        return lengths[0] is not None and lengths[1] is not None and contradict(lengths[0], lengths[1])
    if first.test in EQUALS and second.test in EQUALS and first.holds and second.holds:
        return _differ(first, second)
    if first.test in ORDERS or second.test in ORDERS:
        first, second = _as_number(first), _as_number(second)
    if _is_number(first.other) and _is_number(second.other) and (first.test in ORDERS or second.test in ORDERS):
        return fold(_leave_no_number, first, second) is not False
    for fact, other in ((first, second), (second, first)):
        if fact.test in EQUALS and fact.holds and _is_constant(fact.other):
            if other.test == "truth":
                return bool(fact.other) != other.holds
            if other.test == "==" and not other.holds and _is_constant(other.other):
                return fold(operator.eq, fact.other, other.other) is not False
    return False


TYPES = {
    "list": frozenset(("list", "collections.abc.Sequence", "typing.Sequence")),
    "tuple": frozenset(("tuple", "collections.abc.Sequence", "typing.Sequence")),
    "dict": frozenset(("dict", "collections.abc.Mapping", "typing.Mapping")),
    "array": frozenset(("jax.Array", "jax.numpy.ndarray")),
    "key": frozenset(("jax.Array", "jax.numpy.ndarray")),
    "keys": frozenset(("jax.Array", "jax.numpy.ndarray")),
    "numpy": frozenset(("numpy.ndarray",)),
    **dict.fromkeys(("function", "method", "partial"), frozenset(("collections.abc.Callable", "typing.Callable"))),
}
TYPES_OF_CONSTANTS: dict[type, frozenset[str]] = {
    str: frozenset(("str", "collections.abc.Sequence", "typing.Sequence")),
    bytes: frozenset(("bytes", "collections.abc.Sequence", "typing.Sequence")),
    bool: frozenset(("bool", "int", "numbers.Number", "numbers.Complex", "numbers.Real", "numbers.Integral")),
    int: frozenset(("int", "numbers.Number", "numbers.Complex", "numbers.Real", "numbers.Integral")),
    float: frozenset(("float", "numbers.Number", "numbers.Complex", "numbers.Real")),
    complex: frozenset(("complex", "numbers.Number", "numbers.Complex")),
    type(None): frozenset(),
}
NO_OBJECTS = frozenset((
    "int", "float", "bool", "str", "complex", "bytes", "bytearray", "set", "frozenset", "range", "slice", "os.PathLike",
    "pathlib.Path", "pathlib.PosixPath", "pathlib.PurePath",
))  # fmt: skip
"""Types of the host of which no array is, no container of another type, no function, and no object with fields of its
own.
"""

KNOWN_TYPES = frozenset(name for names in TYPES.values() for name in names) | NO_OBJECTS
KNOWN_OF_CONSTANTS = KNOWN_TYPES.union(*TYPES_OF_CONSTANTS.values())
"""The types that no constant of another type is of.  A scalar of NumPy may be one of the `numbers`."""


ARRAY_TYPES = frozenset(("jax.Array", "jax.numpy.ndarray", "jax.core.Tracer", "jax.extend.core.Tracer"))
TRACERS = frozenset(("jax.core.Tracer", "jax.extend.core.Tracer", "jax._src.core.Tracer"))
UNTRACED = frozenset(("array", "key", "keys", "numpy", "number", "tuple", "list", "dict"))
"""The kinds of values that are no tracers, where nothing is known that could make them such."""

NUMPY_SCALARS = frozenset(
    f"numpy.{name}"
    for name in (
        "generic", "number", "integer", "signedinteger", "unsignedinteger", "inexact", "floating", "complexfloating",
        "character", "bool", "bool_", "str_", "int8", "int16", "int32", "int64", "intp", "uint8", "uint16", "uint32",
        "uint64", "uintp", "float16", "float32", "float64", "longdouble", "complex64", "complex128", "clongdouble",
    )
)  # fmt: skip
OBJECT_ARRAY = "array of objects"
"""What an array of NumPy is that holds objects or text; no array of JAX does."""

SCALAR_TYPES = NUMPY_SCALARS | NO_OBJECTS | {
    "numpy.ndarray", "numbers.Number", "numbers.Complex",
    "numbers.Real", "numbers.Rational", "numbers.Integral", "decimal.Decimal", "fractions.Fraction",
}  # fmt: skip
"""The types of single values, and NumPy's arrays: no tracer is of one of them."""

OF_HOST = SCALAR_TYPES | {OBJECT_ARRAY}


def _is_instance(actual: Value, tested: Compared) -> bool | None:
    """Is a value an instance of one of the types?  None if its kind or a type is not known.

    What is certainly traced, and no known container, counts as a tracer: else the code would not use it as an array.
    So does a leaf of a tree of which nothing is known, where arrays are asked for.
    """
    names = tested if isinstance(tested, tuple) else (tested,)
    if actual.payload is LEAF and not ARRAY_TYPES.isdisjoint(names):
        return True
    if actual.kind.value in ("input", "computed", "array") and certain(actual.dependences) is not None:
        if not ARRAY_TYPES.isdisjoint(names):
            return True
        return False if OF_HOST.issuperset(names) else None
    if TRACERS.issuperset(names) and not actual.dependences and actual.kind.value in UNTRACED:
        return False
    held, known = actual.constant, KNOWN_TYPES
    own = TYPES.get(actual.kind.value)
    if held is not OPEN:
        own, known = TYPES_OF_CONSTANTS.get(type(held)), KNOWN_OF_CONSTANTS
    if own is None or not all(isinstance(name, str) for name in names):
        return None
    if own & set(names):
        return True
    return False if set(names) <= known else None


TRUE = frozenset(("function", "partial", "method", "module"))
"""The kinds of values that count as true, whatever they hold."""

EQUALS = frozenset(("==", "is"))
ORDERS = frozenset(("<", ">"))
COMPARISONS = ORDERS | {"=="}


def _as_number(fact: Fact) -> Fact:
    """A fact about a truth value, restated as a comparison with a number."""
    if fact.test == "truth":
        return Fact("==", fact.subject, 0, not fact.holds)
    if fact.test in EQUALS and fact.holds and _is_constant(fact.other) and isinstance(fact.other, (bool, int, float)):
        return Fact("==", fact.subject, fact.other + 0, True)
    return fact


def _of_length(fact: Fact) -> Fact | None:
    """A fact about a container, restated as one about its length; None if it says nothing of that."""
    if fact.test == "truth":
        return Fact("==", fact.subject, 0, not fact.holds)
    test = LENGTHS.get(fact.test)
    return Fact(test, fact.subject, fact.other, fact.holds) if test is not None else None


def _length(actual: Value) -> int | None:
    """The length of a text, of a tuple of known parts, and of keywords where none is passed.

    Of others it may change before it is asked for.
    """
    if isinstance(actual.constant, (str, bytes)):
        return len(actual.constant)
    if actual.kind.value == "tuple":
        return len(actual.elements) if actual.elements is not None else None
    return 0 if actual.kind.value == "dict" and actual.made_by is None and actual.entries == {} else None


def _is_number(other: Compared | NotConstant) -> TypeGuard[int | float]:
    return type(other) in (int, float)


def _leave_no_number(first: Fact, second: Fact) -> bool:
    """Is there no number that satisfies both comparisons?  The constants and numbers next to them are tried."""
    if not {first.test, second.test} <= ORDERS | {"=="}:
        return False
    if not (_is_number(first.other) and _is_number(second.other)):
        return False
    low, high = sorted((first.other, second.other))
    return not any(
        _says(first, first.other, number) and _says(second, second.other, number)
        for number in (low - 1, low, (low + high) / 2, high, high + 1)
    )


def _says(fact: Fact, other: float, number: float) -> bool:
    found = {"<": number < other, ">": number > other, "==": number == other}[fact.test]
    return found == fact.holds


def _is_parameter(fact: Fact) -> bool:
    source = fact.subject.input
    return source is not None and source.parent is None


def decide(fact: Fact, actual: Value) -> bool | None:
    """Does a fact hold of an actual value?  None if that is not known."""
    is_part = _is_parameter(fact) and actual.input is not None and actual.input.parent is not None
    if fact.test == "is" and fact.other is None and (is_part or actual.kind.value not in ("input", "static")):
        is_known = actual.kind.value not in ("unknown", "input")  # what is handed in on purpose is seldom None
        return not fact.holds if is_known or fact.holds else None
    if fact.test == "is" and isinstance(fact.other, bool) and actual.kind.value in ("array", "computed"):
        return not fact.holds
    if fact.test == "isinstance":
        if fact.holds and _is_of_tracers(fact.other) and _is_made_here(actual):
            return False
        found = _is_instance(actual, fact.other)
        return None if found is None else found == fact.holds
    if fact.test == "truth" and actual.kind.value in TRUE:
        return fact.holds
    known = actual.constant
    if fact.test in RESPELLED:
        return (RESPELLED[fact.test](known) == fact.other) is fact.holds if isinstance(known, str) else None
    if known is OPEN:
        length, asked = _length(actual), _of_length(fact)
        if length is None or asked is None or not _is_number(asked.other):
            return None
        return _says(asked, asked.other, length)
    if fact.test == "truth":
        return bool(known) == fact.holds
    if fact.test in EQUALS and _is_constant(fact.other):
        equal = fold(operator.eq, known, fact.other)
        return None if equal is OPEN else equal == fact.holds
    if fact.test in ORDERS and _is_number(known) and _is_number(fact.other):
        return _says(fact, fact.other, known)
    return None


ARRAY_MODULES = HOST_NAMESPACE, TRACED_NAMESPACE = "numpy", "jax.numpy"
"""The modules of which a function chooses one by the types of arrays."""


def is_left_out(path: Path) -> bool:
    """Does a test of a path leave out code that JAX would see: by a switch that is off, as the code below `if DEBUG:`
    where `DEBUG` is False, or as code for NumPy alone?
    """
    return any(_is_for_numpy(fact) or _is_switched_off(fact) or fact.other == OBJECT_ARRAY for fact in path)


def _is_switched_off(fact: Fact) -> bool:
    return fact.subject.constant is not OPEN and decide(fact, fact.subject) is False


NAMED_AS_JAX = frozenset(("jax", "jax.numpy", "jnp", "JAX"))
NAMED_OTHERWISE = frozenset(("numpy", "np", "scipy", "torch", "pytorch", "tensorflow", "tf", "cupy", "NumPy", "NUMPY"))
"""What code calls JAX, and other libraries of arrays, where it asks which one it works with."""


def _is_for_numpy(fact: Fact) -> bool:
    """Does a fact say that the module which a function chose by the types of arrays is NumPy: `if xp is np:`, or that
    what names the library names another one than JAX: `if backend == "numpy":`, `if backend != "jax":`?

    Of a module that is handed in, callers decide.
    """
    subject, other = fact.subject, fact.other
    if isinstance(other, str) and fact.test in EQUALS:
        return other in (NAMED_OTHERWISE if fact.holds else NAMED_AS_JAX)
    if fact.test not in EQUALS or not isinstance(other, Value) or other.kind is not API:
        return False
    is_chosen = subject.kind is not INPUT and subject.kind is not API
    return is_chosen and other.name == (HOST_NAMESPACE if fact.holds else TRACED_NAMESPACE)


def _is_of_tracers(tested: Compared) -> bool:
    return TRACERS.issuperset(tested if isinstance(tested, tuple) else (tested,))


def is_of_arrays(fact: Fact) -> bool:
    """Does a test ask for arrays of JAX alone?"""
    tested = fact.other if isinstance(fact.other, tuple) else (fact.other,)
    return fact.test == "isinstance" and ARRAY_TYPES.issuperset(tested)


def asks_for_arrays(fact: Fact) -> bool:
    """Does a test ask for arrays of JAX, maybe among others?"""
    tested = fact.other if isinstance(fact.other, tuple) else (fact.other,)
    return fact.test == "isinstance" and not ARRAY_TYPES.isdisjoint(tested)


def _is_made_here(actual: Value) -> bool:
    """Is it an array that is traced only if the code around is, of which nothing is known?"""
    return actual.kind.value in UNTRACED and all(type(dependence) is Ambient for dependence in actual.dependences)


def _is_constant(other: Compared) -> TypeGuard[bool | int | float | str | bytes | None]:
    return other is None or isinstance(other, (bool, int, float, str, bytes))


def _same(first: Compared, second: Compared) -> bool:
    return first is second or (type(first) is type(second) and bool(first == second))


def _differ(first: Fact, second: Fact) -> bool:
    if not (_is_constant(first.other) and _is_constant(second.other)) or _same(first.other, second.other):
        return False
    if first.test == second.test == "is":
        return True
    return fold(operator.ne, first.other, second.other) is not False  # 1 and True are equal
