"""Narrowing: the facts that follow from the outcome of a test, and narrower values for its names.

    if mode == "train": ...         fact: mode == "train"
    if isinstance(x, int): ...      fact, and in the body x is a value of the host
    if not _is_tracer(x): ...       the same, if that is what the function returns
    if cfg.debug and not fast: ...  two facts in the body, none after it

Only pure tests of stable values make facts: names, attributes, comparisons with constants, `is None`, isinstance, and
calls of functions that return the outcome of one. Any other test with a call in it is evaluated anew every time, so
that nothing follows from it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from flake8_jax.analysis.callables import FunctionValue
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects import access
from flake8_jax.analysis.objects.names import read_name
from flake8_jax.domain.conditions import (
    ARRAY_MODULES,
    EQUALS,
    LENGTHS,
    OBJECT_ARRAY,
    RESPELLED,
    SCALAR_TYPES,
    Compared,
    Fact,
    Path,
    Tested,
    decide,
    not_all,
    path_of,
)
from flake8_jax.domain.constants import NOTHING, OPEN, Constant
from flake8_jax.domain.flags import Flag, facts_on_all
from flake8_jax.domain.kinds import API, COMPUTED, DICT, INPUT, MAY_BE_ARRAY, NUMBER, STATIC, TUPLE, UNKNOWN
from flake8_jax.domain.staging import NONE
from flake8_jax.domain.state import State
from flake8_jax.domain.value import Value, constant, unknown
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.ir.walking import within

POSITIVE = {
    "==": ("==", True), "!=": ("==", False), "is": ("is", True), "is not": ("is", False), "<": ("<", True),
    ">=": ("<", False), ">": (">", True), "<=": (">", False), "in": ("in", True), "not in": ("in", False),
}  # fmt: skip
ASKING = ("is", "has", "callable")
HOST_TYPES = SCALAR_TYPES | {"dict", "list", "tuple", "set"}
QUANTIFIERS = frozenset(("all", "any"))
MAXIMUM_ITEMS = 6
"""Of so many items of an input it is known what is asked of all."""

TRACER = "jax.core.Tracer"
TRACER_TYPES = frozenset((TRACER, "jax.extend.core.Tracer", "jax._src.core.Tracer"))
ANY_TRACER = "any tracer"
KINDS_OF_NUMPY = frozenset("OSUMmV")
"""The letters of the kinds of types that only arrays of NumPy hold: objects, text, times and records."""

OBJECT_TYPES = frozenset(("object", "O", "numpy.object_", "str", "numpy.str_", "U", "S"))
CONCRETE_TESTS = frozenset(("jax.core.is_concrete", "jax._src.core.is_concrete", "jax.extend.core.is_concrete"))


def facts_of(frame: Frame, test: Op, holds: bool) -> tuple[Fact, ...]:
    """The facts that follow if `test` is true (or false)."""
    if type(test) is ops.Operate and test.operator == "not":
        return facts_of(frame, test.operands[0], not holds)
    if type(test) is ops.Logic:
        if (test.operator == "and") == holds:
            return tuple(fact for operand in test.operands for fact in facts_of(frame, operand, holds))
        return _not_together(frame, test, not holds)
    if type(test) is ops.Compare and len(test.operators) == 1:
        return _comparison(frame, test, holds)
    ranked = _ranked(frame, test) or _shaped(frame, test)
    if ranked is not None and (array := peek(frame, ranked)) is not None:
        return (Fact("asked", array, "rank", holds),)
    if type(test) is ops.Call:
        return facts_of(frame, test.args[0], holds) if _is_bool(test) else _call_facts(frame, test)[not holds]
    if type(test) is ops.Matches:
        return _pattern(frame, test, holds)
    subject = peek(frame, test)
    return implied_facts(frame, Fact("truth", subject, None, holds)) if subject is not None else ()


def _not_together(frame: Frame, test: ops.Logic, holds: bool) -> Path:
    """What follows if not all operands are true (or false), where each is a fact, neither more nor less."""
    found = [_equivalent(frame, operand, holds) for operand in test.operands]
    return () if any(one is None for one in found) else not_all(tuple(one for one in found if one is not None))


def _equivalent(frame: Frame, test: Op, holds: bool) -> Fact | None:
    """The fact that holds if, and only if, a test is true (or false)."""
    if type(test) is ops.Operate and test.operator == "not":
        return _equivalent(frame, test.operands[0], not holds)
    if type(test) is ops.Logic and (test.operator == "and") != holds:
        found = _not_together(frame, test, not holds)
        return found[0] if found else None
    if type(test) is ops.Name and (known := peek(frame, test)) is not None:
        meaning = frame.program.record.meanings.get(known)
        if meaning is not None and type(known.made_by) is ops.Compare and len(meaning[not holds]) == 1:
            return meaning[not holds][0]
    is_one = type(test) is ops.Compare or type(test) in (ops.Name, ops.Attr, ops.Item)
    facts = facts_of(frame, test, holds) if is_one or (type(test) is ops.Call and _is_isinstance(test)) else ()
    return facts[0] if facts else None


def implied_facts(frame: Frame, fact: Fact) -> tuple[Fact, ...]:
    """A fact, and those that it implies if its subject is the outcome of a test.

    For example: `jit = not verbose; if jit: ...`, or a flag that was set on each of several paths.
    """
    flag, truth = fact.subject.payload, _truth(fact)
    following = _paths_that_set(flag, fact) if type(flag) is Flag else ()
    meaning = frame.program.record.meanings.get(fact.subject) if truth is not None else None
    if meaning is not None:
        return (fact, *following, *meaning[not truth])
    if truth is None or following or type(flag) is Flag:
        return (fact, *following)
    if fact.subject.caller_value is not None and type(fact.subject.made_by) is ops.Operate:
        return (Fact("truth", fact.subject.caller_value, None, not truth),)
    return (fact,)


def _paths_that_set(flag: Flag, fact: Fact) -> Path:
    """The facts that hold wherever a flag is set so that a fact about it holds."""
    may_be_open = not (fact.test == "is" and fact.other is None and fact.holds)  # what is computed is seldom None
    return path_of(facts_on_all([
        facts for one, facts in flag.ways
        if (may_be_open if one is None else decide(fact, constant(one.value)) is not False)
    ]))  # fmt: skip


def _truth(fact: Fact) -> bool | None:
    """The truth of its subject that a fact implies, if any."""
    if fact.test == "truth":
        return fact.holds
    return fact.other if fact.test in EQUALS and fact.holds and isinstance(fact.other, bool) else None


def note_tests(frame: Frame, op: Op, value: Value) -> None:
    """Record the facts that follow from a test whose outcome is bound to a name or passed on, alone or in a tuple."""
    if is_test(op):
        _note_test(frame, op, value)
    elif type(op) is ops.Build and op.kind == "tuple" and value.elements is not None:
        for part, item in zip(op.parts, value.elements, strict=False):
            if is_test(part):
                _note_test(frame, part, item)


def _note_test(frame: Frame, op: Op, value: Value) -> None:
    if value.made_by is op and value.kind in (STATIC, COMPUTED, UNKNOWN) and value not in frame.program.record.meanings:
        if type(op) is ops.Call and not _is_bool(op):
            found, missed = _call_facts(frame, op)
        else:
            found, missed = facts_of(frame, op, True), facts_of(frame, op, False)
        if found or missed:
            frame.program.record.meanings[value] = found, missed


TESTS = frozenset((ops.Compare, ops.Logic, ops.Call))


def is_test(op: Op) -> bool:
    """Is an op a test whose outcome is a fact?"""
    return type(op) in TESTS or (type(op) is ops.Operate and op.operator == "not")


def _is_bool(op: Op) -> bool:
    if type(op) is not ops.Call or type(op.func) is not ops.Name or op.func.name != "bool" or len(op.args) != 1:
        return False
    return op.func.scope.lookup("bool").owner is None and type(op.args[0]) is not ops.Star


def _is_isinstance(test: ops.Call) -> bool:
    return len(test.args) == 2 and type(test.func) is ops.Name and test.func.name == "isinstance"


def _pattern(frame: Frame, test: ops.Matches, holds: bool) -> tuple[Fact, ...]:
    pattern, subject = test.pattern, peek(frame, test.subject)
    known = peek(frame, pattern.value[0]) if pattern.kind in ("value", "singleton") else None
    if subject is None or known is None or type(known.payload) is not Constant:
        return ()
    return (Fact("==" if pattern.kind == "value" else "is", subject, known.payload.value, holds),)


def _respelled(op: Op, test: str) -> tuple[Op, str] | None:
    """The text that is compared in another spelling, and the test of it: `name.lower() == "jax"`."""
    if type(op) is not ops.Call or type(op.func) is not ops.Attr or op.args or op.keywords:
        return None
    spelled = f"{op.func.name} {test}"
    return (op.func.base, spelled) if spelled in RESPELLED else None


def _comparison(frame: Frame, test: ops.Compare, holds: bool) -> tuple[Fact, ...]:
    positive = POSITIVE.get(test.operators[0])
    typed = handed_to(test.operands[0], "type")
    if typed is not None and positive is not None:
        return _type_facts(frame, typed, test.operands[1], positive[1] == holds)
    if any(map(_names_tracers, test.operands)):
        return _asked_by_name(frame, test, holds)
    if positive is not None and (array := _holder_of_objects(frame, test)) is not None:
        return (Fact("isinstance", array, OBJECT_ARRAY, True),) if positive[1] == holds else ()
    if positive is not None and positive[0] in EQUALS and (module := _module_named(frame, test)) is not None:
        return (Fact("is", *module, positive[1] == holds),)
    ranked = _ranked(frame, test.operands[0])
    if ranked is None and type(test.operands[1]) is ops.Build and not test.operands[1].parts:
        ranked = _shaped(frame, test.operands[0])
    if ranked is not None:
        array = peek(frame, ranked)
        return (Fact("asked", array, "rank", holds),) if array is not None else ()
    container = handed_to(test.operands[0], "len")
    compared = (container or test.operands[0], test.operands[1])
    left, right = (peek(frame, handed_to(one, "float") or one) for one in compared)
    if positive is not None and right is not None and (spelled := _respelled(test.operands[0], positive[0])):
        text, named = peek(frame, spelled[0]), right.constant
        if text is None or not isinstance(named, str):
            return ()
        return (Fact(spelled[1], text, named, positive[1] == holds),)
    if positive is None or left is None or right is None:
        return ()
    if container is not None:
        length, number = f"len {positive[0]}", right.constant
        if length not in LENGTHS or not isinstance(number, int) or left.kind not in (INPUT, TUPLE, DICT):
            return ()
        if frame.live().version(left) is not left:  # it has another length than what was passed
            return ()
        return (Fact(length, left, number, positive[1] == holds),)
    is_of_key = positive[0] == "in" and isinstance(left.constant, str)
    if is_of_key or (type(test.operands[0]) is ops.Const and positive[0] in ("==", "is")):
        left, right = right, left
    known = right.payload
    other = known.value if type(known) is Constant else right
    return implied_facts(frame, Fact(positive[0], left, other, positive[1] == holds))


def _module_named(frame: Frame, test: ops.Compare) -> tuple[Value, Value] | None:
    """The module whose name is compared, and the one that has this name: `xp.__name__ == "numpy"`."""
    asked, name = test.operands[0], test.operands[1]
    if type(asked) is not ops.Attr or asked.name != "__name__" or type(name) is not ops.Const:
        return None
    module = peek(frame, asked.base) if name.value in ARRAY_MODULES else None
    return (module, frame.program.api(str(name.value))) if module is not None else None


def _holder_of_objects(frame: Frame, test: ops.Compare) -> Value | None:
    """The array that is asked whether it holds objects or text, as only NumPy's do: `x.dtype == object`."""
    first, second = test.operands
    for asked, other in ((first, second), (second, first)):
        kind = asked.base if type(asked) is ops.Attr and asked.name == "kind" else None
        described = kind if kind is not None else asked
        if type(described) is ops.Attr and described.name == "dtype" and _is_of_objects(frame, other, kind is not None):
            return peek(frame, described.base)
    return None


def _is_of_objects(frame: Frame, op: Op, is_kind: bool) -> bool:
    """Does an expression name types, or kinds of types, that no array of JAX is of?"""
    if type(op) is ops.Build and op.parts:
        return all(_is_of_objects(frame, part, is_kind) for part in op.parts)
    if type(op) is ops.Const and isinstance(op.value, str):
        return bool(op.value) and (KINDS_OF_NUMPY.issuperset(op.value) if is_kind else op.value in OBJECT_TYPES)
    named = peek(frame, op)
    return named is not None and named.kind is API and named.name in OBJECT_TYPES


def _ranked(frame: Frame, op: Op) -> Op | None:
    """The array of `x.ndim`, `jnp.ndim(x)` or `len(x.shape)`: its rank is another one in each lane."""
    container = handed_to(op, "len")
    return _described(frame, op, "ndim") if container is None else _shaped(frame, container)


def _shaped(frame: Frame, op: Op) -> Op | None:
    """The array of `x.shape` or `jnp.shape(x)`, which is empty if it has no axes."""
    return _described(frame, op, "shape")


def _described(frame: Frame, op: Op, name: str) -> Op | None:
    """The array of which an attribute, or the function of this name, is read."""
    if type(op) is ops.Attr:
        return op.base if op.name == name else None
    if type(op) is not ops.Call or len(op.args) != 1 or getattr(op.func, "name", "") != name:
        return None
    function = peek(frame, op.func)
    is_numpy = function is not None and function.kind is API and function.name in (f"jax.numpy.{name}", f"numpy.{name}")
    return op.args[0] if is_numpy else None


def handed_to(op: Op, name: str) -> Op | None:
    """What a function of Python of this name is asked of: `x` in `len(x)`."""
    is_call = type(op) is ops.Call and type(op.func) is ops.Name and op.func.name == name and len(op.args) == 1
    return op.args[0] if is_call and type(op) is ops.Call else None


def _call_facts(frame: Frame, test: ops.Call) -> tuple[Path, Path]:
    """The facts that follow if a call is true, and if it is not: of a test of types, or of a function that returns
    one.
    """
    if _is_isinstance(test):
        subject, types = test.args[0], test.args[1]
        return _type_facts(frame, subject, types, True), _type_facts(frame, subject, types, False)
    if len(test.args) == 1 and _is_concrete_test(frame, test.func):
        actual = peek(frame, test.args[0])
        if actual is None:
            return (), ()
        return (Fact("isinstance", actual, TRACER, False),), (Fact("isinstance", actual, TRACER, True),)
    if any(map(_names_tracers, test.args)):
        return _asked_by_name(frame, test, True), _asked_by_name(frame, test, False)
    outcome = frame.outcomes.get(test)
    known = frame.program.record.meanings.get(outcome) if outcome is not None else _quantified(frame, test)
    found, missed = known or ((), ())
    if found and missed:
        return found, missed
    named = isinstance(test.func, (ops.Name, ops.Attr)) and test.func.name.lstrip("_").startswith(ASKING)
    named = named and not _is_computed(frame, test.func)
    if not named and not _mentions_tracers(frame, test):
        return found, missed
    asked = [peek(frame, argument) for argument in (test.args if named else _names(test))]
    is_any = type(test.func) is ops.Name and test.func.name == "any"
    what = ANY_TRACER if is_any else "tracer"
    subjects = [one for one in asked if one is not None]
    return (
        (*found, *(Fact("asked", one, what, True) for one in subjects)),
        (*missed, *(Fact("asked", one, what, False) for one in subjects)),
    )


def _quantified(frame: Frame, test: ops.Call) -> tuple[Path, Path] | None:
    """What follows from `all(isinstance(x, int) for x in xs)`, if it is true, and if it is not: the same of each item.

    Of an input the first items are asked, as far as it has them.
    """
    name, gathered = getattr(test.func, "name", ""), test.args[0] if len(test.args) == 1 else None
    if name not in QUANTIFIERS or type(test.func) is not ops.Name or type(gathered) is not ops.Gather:
        return None
    target, is_all = gathered.clauses[0].target, name == "all"
    is_plain = len(gathered.clauses) == len(gathered.element) == 1 and not gathered.clauses[0].tests
    if not is_plain or type(target) is not ops.Name or test.func.scope.lookup(name).owner is not None:
        return None
    (element,) = gathered.element
    if any(type(part) is ops.Gather for part in within(element)):
        return None
    items, is_open = _items(frame, gathered.clauses[0].source)
    names = frame.live().names
    before = names.get(target.name)
    together, alone = list[Fact](), list[Fact]()
    for item in items:
        names[target.name] = item
        together += facts_of(frame, element, is_all)
        alone += [one] if (one := _equivalent(frame, element, is_all)) is not None else []
    if before is not None:
        names[target.name] = before
    else:
        names.unbind(target.name)
    contrary = not_all(tuple(alone)) if len(alone) == len(items) and not is_open else ()
    return (tuple(together), contrary) if is_all else (contrary, tuple(together))


def _items(frame: Frame, source: Op) -> tuple[list[Value], bool]:
    """The known items of what a comprehension goes through, and whether there may be others."""
    if type(source) is ops.Build and source.kind in ("list", "tuple"):
        found = [peek(frame, part) for part in source.parts]
        return [one for one in found if one is not None], None in found
    value = peek(frame, source)
    if value is not None and value.elements is not None:
        return [*value.elements], False
    if value is None or (value.input is None and value.form != "varargs"):
        return [], True
    read = [access.read(frame, value, ("[]", place), source) for place in range(MAXIMUM_ITEMS)]
    return [one for one in read if one.kind is INPUT], True


def _type_facts(frame: Frame, op: Op, types: Op, holds: bool) -> tuple[Fact, ...]:
    subject, tested = peek(frame, op), _type_name(frame, types)
    return (Fact("isinstance", subject, tested, holds),) if subject is not None and tested is not None else ()


def _is_concrete_test(frame: Frame, func: Op) -> bool:
    callee = peek(frame, func)
    return callee is not None and callee.kind is API and callee.name in CONCRETE_TESTS


def _is_computed(frame: Frame, func: Op) -> bool:
    """Does a function compute an array, such as `jnp.isnan`, so that its outcome says nothing of types?"""
    callee = peek(frame, func)
    row = frame.program.table.function(callee.name) if callee is not None and callee.kind is API else None
    return row is not None and row.returns == "array"


def _mentions_tracers(frame: Frame, op: Op) -> bool:
    """Is there a test in an expression of whether something is a tracer?

    For example in `any(isinstance(leaf, Tracer) for leaf in leaves)`.
    """
    for part in _inside(op):
        if type(part) is ops.Call and (_is_concrete_test(frame, part.func) or _asks_of_tracers(frame, part)):
            return True
        callee = peek(frame, part) if type(part) is ops.Name else None
        if callee is not None and isinstance(callee.payload, FunctionValue):
            summary = frame.program.summaries.get(callee.payload) or callee.payload.summary
            if summary is not None and any(_is_about_tracers(fact.other) for side in summary.outcome for fact in side):
                return True
    return False


def _names_tracers(op: Op) -> bool:
    """Is it a text that names the types of tracers, as in `type(x).__name__.endswith("Tracer")`?"""
    return type(op) is ops.Const and isinstance(op.value, str) and "Tracer" in op.value


def _asked_by_name(frame: Frame, test: Op, holds: bool) -> tuple[Fact, ...]:
    """The facts of a test of the name of a type: all that it speaks of is asked whether it is a tracer."""
    spoken_of = [peek(frame, part) for part in within(test) if type(part) is ops.Name]
    return tuple(Fact("asked", one, "tracer", holds) for one in spoken_of if one is not None and one.kind is not API)


def _asks_of_tracers(frame: Frame, test: ops.Call) -> bool:
    return _is_isinstance(test) and _is_about_tracers(_type_name(frame, test.args[1]))


def _is_about_tracers(tested: Compared) -> bool:
    return not TRACER_TYPES.isdisjoint(_alternatives(tested))


def _inside(op: Op) -> Iterator[Op]:
    """An expression and its parts, without the bodies of lambdas."""
    waiting = [op]
    while waiting:
        part = waiting.pop()
        yield part
        if type(part) is ops.Call:
            waiting += [*[value for _, value in part.keywords[::-1]], *part.args[::-1], part.func]
        elif type(part) is ops.Gather:
            waiting += [*[clause.source for clause in part.clauses[::-1]], *part.element[::-1]]
        elif type(part) is ops.Star:
            waiting.append(part.value)
        elif type(part) is ops.Build:
            waiting += part.parts[::-1]
        elif type(part) is ops.Operate or type(part) is ops.Compare or type(part) is ops.Logic:
            waiting += part.operands[::-1]


def _names(op: Op) -> list[Op]:
    return [part for part in _inside(op) if type(part) in (ops.Name, ops.Attr)]


def _type_name(frame: Frame, op: Op) -> Tested | None:
    """The types that an expression names: one, a tuple of them, or a union."""
    parts = op.parts if type(op) is ops.Build and op.kind == "tuple" else ()
    if type(op) is ops.Operate and op.operator == "|":
        parts = op.operands
    if parts:
        names = tuple(_type_name(frame, part) for part in parts)
        known = tuple(name for name in names if name is not None)
        return known if len(known) == len(names) else None
    found = peek(frame, op)
    if found is None:
        return None
    if found.kind is TUPLE and found.elements:
        return tuple(part.name if part.kind is API else part for part in found.elements)
    return found.name if found.kind is API else found


def type_names(frame: Frame, op: Op) -> frozenset[str]:
    """The types that an expression names; none if one of them is not known by its name."""
    tested = _alternatives(_type_name(frame, op))
    names = frozenset(alternative for alternative in tested if isinstance(alternative, str))
    return names if len(names) == len(set(tested)) else frozenset()


def is_type_test(op: Op) -> bool:
    """Is an op a test of a type: `isinstance(x, T)`, or a comparison of `type(x)`?"""
    is_compared = type(op) is ops.Compare and handed_to(op.operands[0], "type") is not None
    return _is_isinstance(op) if type(op) is ops.Call else is_compared


def peek(frame: Frame, op: Op) -> Value | None:
    """The value of a name, attribute or constant, read without effects; None for any computation, and for a name of
    another file, which is bound there.
    """
    if type(op) is ops.Name:
        return read_name(frame, op) if op.anchor.origin.path == frame.namespace.file.path else None
    if type(op) is ops.Const:
        return Value(STATIC if not isinstance(op.value, (int, float)) else NUMBER, NONE, Constant(op.value))
    if type(op) is ops.Attr:
        base = peek(frame, op.base)
        return access.attribute(frame, base, op.name, op) if base is not None else None
    if type(op) is ops.Item and type(op.index) is ops.Const:
        base = peek(frame, op.base)
        if base is None or base.kind is API:
            return None
        return access.read(frame, base, ("[]", op.index.value), op)
    if type(op) is ops.Call and (named := _named_attribute(frame, op)) is not None:
        base = peek(frame, named.base)
        return access.attribute(frame, base, named.name, op) if base is not None else None
    return None


def _named_attribute(frame: Frame, op: ops.Call) -> ops.Attr | None:
    """The attribute that `getattr(x, "name")` reads."""
    if type(op.func) is not ops.Name or op.func.name != "getattr" or not 2 <= len(op.args) <= 3 or op.keywords:
        return None
    base, name, *_ = op.args
    if type(name) is not ops.Const or not isinstance(name.value, str) or op.func.scope.lookup("getattr").owner:
        return None
    return ops.Attr(op.anchor, op.place, base, name.value)


Narrowed: TypeAlias = list[tuple[str, Value, Value]]


def narrow(frame: Frame, test: Op, holds: bool, facts: Path) -> Narrowed:
    """Narrow the names of a test that is true (or false), given what follows; returns each with both values."""
    narrowed: Narrowed = []
    _narrow(frame, test, holds, facts, narrowed)
    return narrowed


def widen(state: State | None, narrowed: Narrowed) -> None:
    """Restore the names that were narrowed, unless they were bound again."""
    if state is not None:
        for name, before, narrower in narrowed:
            if state.names.get(name) is narrower:
                state.names[name] = before


def _narrow(frame: Frame, test: Op, holds: bool, facts: Path, narrowed: Narrowed) -> None:
    if type(test) is ops.Operate and test.operator == "not":
        _narrow(frame, test.operands[0], not holds, facts, narrowed)
    elif type(test) is ops.Logic and (test.operator == "and") == holds:
        for operand in test.operands:
            _narrow(frame, operand, holds, facts_of(frame, operand, holds), narrowed)
    elif type(test) is ops.Compare and test.operators == ("is" if holds else "is not",) and is_none(test.operands[1]):
        _replace(frame, test.operands[0], Value(STATIC, NONE, NOTHING), narrowed)
    else:
        for fact in facts:
            if is_of_host(fact) and fact.subject.kind in MAY_BE_ARRAY:
                _replace_everywhere(frame, fact.subject, Value(STATIC, NONE, OPEN), narrowed)
            elif _denies_annotation(fact):
                _replace_everywhere(frame, fact.subject, unknown("no number, whatever its annotation says"), narrowed)


def _denies_annotation(fact: Fact) -> bool:
    """Does a fact say that a parameter is not the number that its annotation promises: `seed: int`, and no int?"""
    is_promised = fact.subject.kind is NUMBER and fact.subject.made_by is None and fact.subject.constant is OPEN
    is_denied = fact.test == "isinstance" and not fact.holds
    return is_denied and is_promised and not SCALAR_TYPES.isdisjoint(_alternatives(fact.other))


def is_of_host(fact: Fact) -> bool:
    """Does a fact say that its subject is a value of the host?

    It does if that is an instance of such a type, or no tracer.
    """
    tested = _alternatives(fact.other) if fact.test == "isinstance" else ()
    return bool(tested) and (HOST_TYPES.issuperset(tested) if fact.holds else not TRACER_TYPES.isdisjoint(tested))


def says_no_tracer(fact: Fact) -> bool:
    """Does a fact say that its subject is no tracer, or that a test of tracers failed?"""
    is_tested = fact.other == ANY_TRACER if fact.test == "asked" else fact.test == "isinstance"
    return is_tested and not fact.holds and (fact.test == "asked" or _is_about_tracers(fact.other))


def _alternatives(tested: Compared) -> tuple[Compared, ...]:
    return tested if isinstance(tested, tuple) else (tested,)


def is_none(op: Op) -> bool:
    """Is None written there?"""
    return type(op) is ops.Const and op.value is None


def _replace(frame: Frame, op: Op, value: Value, narrowed: Narrowed) -> None:
    state = frame.live()
    if type(op) is ops.Name and op.name in state.names:
        narrowed.append((op.name, state.names[op.name], value))
        state.names[op.name] = value


def _replace_everywhere(frame: Frame, subject: Value, by: Value, narrowed: Narrowed) -> None:
    """Let all names of a value stand for another one."""
    state = frame.live()
    for name in [name for name, held in state.names.items() if held is subject]:
        narrowed.append((name, subject, by))
        state.names[name] = by
