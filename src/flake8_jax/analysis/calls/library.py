"""Calls of library functions: the preconditions, key uses and results of their rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from flake8_jax.analysis.callables import Arguments, ClassDecorator, Decorated, FunctionValue, Partial, underlying
from flake8_jax.analysis.calls.builtin_functions import HANDLERS, call_builtin
from flake8_jax.analysis.calls.copies import COPYING, copied_value, note_copies
from flake8_jax.analysis.calls.creation import shape_and_dtype
from flake8_jax.analysis.calls.derivations import derivation
from flake8_jax.analysis.calls.forwards import forwarded, several
from flake8_jax.analysis.calls.outcomes import ONE_OUTCOME, has_one_outcome
from flake8_jax.analysis.calls.transforms import transformed
from flake8_jax.analysis.checks.discarded import note_discarded
from flake8_jax.analysis.checks.handed_over import hand_over
from flake8_jax.analysis.checks.keys import consume
from flake8_jax.analysis.checks.not_keys import need_keys
from flake8_jax.analysis.checks.output import Channel, Output, tells_of_trace, write_out
from flake8_jax.analysis.checks.sequences import is_sequence, need_array, need_no_array
from flake8_jax.analysis.checks.wording import callee_text
from flake8_jax.analysis.evaluate.iteration import may_be_a_name
from flake8_jax.analysis.frame import Frame, lost, never
from flake8_jax.analysis.objects.copies import OF_NO_CLASS, copied, record_of
from flake8_jax.analysis.objects.instances import replaced
from flake8_jax.analysis.objects.invalidation import decorated, invalidate
from flake8_jax.analysis.objects.named_tuples import FACTORIES, named_tuple
from flake8_jax.api.rows import ApiFunction, ApiParameter
from flake8_jax.api.table import Known
from flake8_jax.domain.payload import NOTHING, OPEN, Copies, Derived, Elements, Named, NotConstant
from flake8_jax.domain.resources import ByElement, ByFunction, Means
from flake8_jax.domain.staging import NONE, Dependences, unite
from flake8_jax.domain.value import (
    ARRAY,
    CLASS,
    COMPUTED,
    CONTAINERS,
    FUNCTION,
    INPUT,
    INSTANCE,
    KEY,
    KEYS,
    LIST,
    NUMBER,
    NUMPY,
    OBJECT,
    PARTIAL,
    REF,
    STATIC,
    TUPLE,
    Value,
    dependences_of,
)
from flake8_jax.ir.ops import Op
from flake8_jax.ir.parts import Host

DECORATORS = {
    "staticmethod": "staticmethod", "classmethod": "classmethod", "property": "property",
    "functools.cached_property": "cached property",
}  # fmt: skip
TREES = frozenset(("flax.struct.dataclass", "chex.dataclass", "chex.mappable_dataclass"))
ARRAYS, NUMPY_ARRAYS = Elements(None, "arrays"), Elements(None, "numpy arrays")
CONVERTING = frozenset(("numpy.array", "numpy.asarray", "numpy.ascontiguousarray"))
"""What gives an array of NumPy whatever it is given, where it gives anything."""

RECORDS = frozenset(("types.SimpleNamespace", "argparse.Namespace"))
"""What keeps its keywords as attributes."""

FREEZING = frozenset(("flax.struct.dataclass", "chex.mappable_dataclass"))


def call_library(frame: Frame, op: Op, name: str, arguments: Arguments, ambient: Dependences) -> Value:
    """The result of calling a name of a library."""
    known = frame.program.table.known(name)
    if name in DECORATORS and arguments.positional:
        _mark_receiver(DECORATORS[name], arguments.positional[0])
        return Value(OBJECT, payload=Decorated(DECORATORS[name], arguments.positional[0]), made_by=op)
    if name.endswith("dataclass") or (arguments.positional and arguments.positional[0].kind is CLASS):
        decorated = _class_decorator(name, op, arguments)
        if decorated is not None:
            return decorated
    if name == "functools.partial" and arguments.positional:
        return _partial(frame, op, arguments)
    if name == "functools.wraps" and arguments.positional:
        return Value(OBJECT, payload=Decorated("wraps", arguments.positional[0]), made_by=op)
    if name == "functools.update_wrapper" and len(arguments.positional) >= 2:
        return imitating(*arguments.positional[:2])
    if name == "dataclasses.replace" and arguments.positional and not arguments.is_open:
        if arguments.positional[0].kind is INSTANCE:
            return replaced(frame, arguments.positional[0], arguments.keywords, op)
        if arguments.positional[0].kind in OF_NO_CLASS:
            return copied(frame, arguments.positional[0], arguments.keywords, op)
    if name in FACTORIES and (made := named_tuple(frame, op, name, arguments)) is not None:
        return made
    if name in RECORDS and not arguments.positional and not arguments.is_open:
        return record_of(frame, arguments.keywords, op)
    if known.never_returns:
        return never(frame, op)
    if known.transform is not None:
        if known.function is not None:
            check_arguments(frame, op, known.function, arguments)
        return transformed(frame, op, known.transform, arguments)
    if known.effect is not None:
        note_output(frame, op, known.effect, arguments)
        return Value(STATIC, payload=NOTHING)
    if "." not in name or name in HANDLERS:
        result = call_builtin(frame, op, name, arguments)
        if result is not None:
            return result
    return _call_row(frame, op, name, known, arguments, ambient)


def _call_row(frame: Frame, op: Op, name: str, known: Known, arguments: Arguments, ambient: Dependences) -> Value:
    """The result of calling a name by its row, if it has one."""
    copied_key = copied_value(frame, op, name, arguments) if name in COPYING else None
    if copied_key is not None and copied_key.kind is KEY:
        return Value(KEYS, NONE, Copies(copied_key), op)
    function = known.function
    if known.key_argument is not None:
        _consume_argument(frame, op, name, known.key_argument, arguments)
    if function is None:
        return _unknown_member(frame, op, name, known.stream, arguments)
    check_arguments(frame, op, function, arguments)
    if known.stream == "result":
        return Value(KEY, made_by=op)
    made = result_of(frame, op, function, arguments, ambient)
    if copied_key is not None:
        return note_copies(made, copied_key)
    return made if known.forward is None else forwarded(known.forward, _given(function, arguments), made, op)


def _mark_receiver(decorator: str, decorated: Value) -> None:
    function = underlying(decorated)
    if function is not None and "property" not in decorator:
        function.receiver = "none" if decorator == "staticmethod" else "class"


def _class_decorator(name: str, op: Op, arguments: Arguments) -> Value | None:
    """A decorator that returns its class; dataclasses may be frozen by it."""
    frozen = arguments.keywords.get("frozen")
    decorator = ClassDecorator(name in FREEZING or (frozen is not None and frozen.constant is True), name in TREES)
    if arguments.positional and arguments.positional[0].kind is CLASS and len(arguments.positional) == 1:
        return decorator.decorate(arguments.positional[0])
    if name in FREEZING or name.rpartition(".")[2] == "dataclass":
        return Value(OBJECT, payload=decorator, made_by=op)
    return None


def imitating(wrapper: Value, wrapped: Value) -> Value:
    """A function marked as a wrapper of another (`functools.wraps`)."""
    if isinstance(wrapper.payload, FunctionValue):
        wrapper.payload.imitates = wrapped
    return wrapper


def _partial(frame: Frame, op: Op, arguments: Arguments) -> Value:
    rest = Arguments(arguments.positional[1:], arguments.keywords, arguments.is_open)
    return Value(PARTIAL, payload=Partial(arguments.positional[0], rest), made_by=op)


def _unknown_member(frame: Frame, op: Op, name: str, stream: str | None, arguments: Arguments) -> Value:
    if stream == "result":
        return Value(KEY, made_by=op)
    root = name.partition(".")[0]
    positional = arguments.positional
    if frame.context.is_defining and len(positional) == 1 and positional[0].kind is FUNCTION:
        return decorated(frame, op, positional[0])
    if stream is not None or name == "logging.getLogger":
        return Value(OBJECT, payload=Named(name), made_by=op)
    if root not in ("jax", "numpy"):
        hand_over(frame, op, frame.program.api(name), arguments)
        for value in arguments.values():
            invalidate(frame, value)
    if name.rpartition(".")[2][:1].isupper():
        return Value(OBJECT, payload=Named(name), made_by=op)
    return lost(frame, f"no row for {root}", op)


def _consume_argument(frame: Frame, op: Op, name: str, keyword: str, arguments: Arguments) -> None:
    value = arguments.keywords.get(keyword)
    if value is not None:
        consume(frame, value, op, arguments.keyword_ops.get(keyword), callee_text(op, name))


def pairs(function: ApiFunction, arguments: Arguments) -> Iterator[tuple[ApiParameter, Value, Op | None]]:
    """Each argument with its parameter and its op."""
    for place, value in enumerate(arguments.positional):
        parameter = function.parameter_at(place)
        if parameter is not None:
            yield parameter, value, arguments.ops[place] if place < len(arguments.ops) else None
    for name, value in arguments.keywords.items():
        parameter = function.parameter_named(name)
        if parameter is not None:
            yield parameter, value, arguments.keyword_ops.get(name)


def check_arguments(
    frame: Frame, op: Op, function: ApiFunction, arguments: Arguments, receiver: Value | None = None
) -> None:
    """Check the arguments against the row: no sequence for an array, keys used up.

    A method of a `receiver` not known to be an array refuses a sequence only if it proves to be one.
    """
    reached = frame.summary.run.reached
    is_refused = need_keys(frame, op, function, arguments)
    for parameter, value, source in pairs(function, arguments):
        reached[value.kind.value] += 1
        if parameter.rejects_sequences:
            place = source if source is not None else op
            if receiver is None:
                need_array(frame, place, value, function.name, _telling(function, parameter), op)
            elif is_sequence(value):
                need_no_array(frame, place, value, receiver, callee_text(op, function.name))
    if any(parameter.key for parameter in function.parameters):
        consume_keys(frame, op, function, arguments, is_refused)


def consume_keys(frame: Frame, op: Op, function: ApiFunction, arguments: Arguments, is_refused: bool = False) -> None:
    """Use up the keys that a function draws from, unless JAX refuses them.

    What is thrown away or cannot vary uses up nothing.
    """
    is_lost = frame.discarded is op
    for parameter, value, source in pairs(function, arguments):
        if parameter.key == "sink" and not is_refused and not is_lost and not _is_fixed(function, arguments):
            consume(frame, value, op, source, callee_text(op, function.name), means=_means(frame, function))
        elif parameter.key and is_lost and function.returns in ("key", "keys"):
            note_discarded(frame, op, value, callee_text(op, function.name))


def _telling(function: ApiFunction, parameter: ApiParameter) -> str:
    """The name of a parameter, where it tells more than that it is the array."""
    return "" if parameter.kind == "varargs" or parameter is function.parameters[0] else parameter.name


def _is_fixed(function: ApiFunction, arguments: Arguments) -> bool:
    return function.name in ONE_OUTCOME and has_one_outcome(function.name, _constants(function, arguments))


def _means(frame: Frame, function: ApiFunction) -> Means:
    if function.name == "jax.random.split" and frame.context.element is not None:
        return ByElement(frame.context.element)
    return ByFunction(function.name)


def result_of(frame: Frame, op: Op, function: ApiFunction, arguments: Arguments, ambient: Dependences) -> Value:
    """A value of the kind that the row returns."""
    returns, like = function.returned(_constants(function, arguments)) if function.variants else (
        function.returns, function.returns_like
    )  # fmt: skip
    if returns == "array":
        shape, dtype = shape_and_dtype(function.name, arguments)
        return Value(ARRAY, _dependences(arguments, ambient), None, op, shape, dtype)
    if returns == "static":
        return Value(STATIC, payload=OPEN, made_by=op)
    if returns == "key" or returns == "keys":
        derived = derivation(frame, op, function, arguments)
        if returns == "key":
            return Value(KEY, NONE, derived, op)
        return _keys(op, function, arguments, derived if type(derived) is Derived else None)
    if returns == "numpy":
        return Value(NUMPY, made_by=op) if function.name in CONVERTING else _numpy(frame, op, arguments)
    if returns == "none":
        return Value(STATIC, payload=NOTHING, made_by=op)
    if returns == "list" or returns == "tuple":
        content = NUMPY_ARRAYS if function.name.startswith(("numpy.", "scipy.")) else ARRAYS
        return Value(LIST if returns == "list" else TUPLE, _dependences(arguments, ambient), content, op)
    if returns == "sequence":
        return Value(LIST, NONE, None, op)
    if returns == "ref":
        return Value(REF, made_by=op)
    if returns == "logger":
        return Value(OBJECT, payload=Named("logging.Logger"), made_by=op)
    if returns == "instance":
        return Value(OBJECT, payload=Named(like), made_by=op)
    if returns == "pair":
        held = (Value(OBJECT, payload=Named(like), made_by=op), lost(frame, "row returns unknown", op))
        return Value(TUPLE, payload=Elements(held), made_by=op)
    if returns == "own":
        return _own(frame, op, function, like, arguments)
    if returns == "like":
        return _like(frame, op, function, like, arguments)
    return lost(frame, "row returns unknown", op)


def _keys(op: Op, function: ApiFunction, arguments: Arguments, derived: Derived | None) -> Value:
    """The keys that a split gives; one key for the shape `()`."""
    given = arguments.get(1, "num")
    if function.name != "jax.random.split" or arguments.is_open:
        return Value(KEYS, NONE, derived, op)
    if given is not None and given.elements == ():
        return Value(KEY, NONE, None, op)
    held = several(given)
    if derived is None or (held is not None and len(held.counts) > 1):
        return Value(KEYS, NONE, held, op)
    return Value(KEYS, NONE, derived if held is None else replace(derived, data=held.counts[0]), op)


def _given(function: ApiFunction, arguments: Arguments) -> dict[str, Value]:
    """The arguments by parameter; of varargs a tuple."""
    given: dict[str, Value] = {}
    rest: list[Value] = []
    for parameter, value, _ in pairs(function, arguments):
        if parameter.kind == "varargs":
            rest.append(value)
        given[parameter.name] = Value(TUPLE, NONE, Elements(tuple(rest))) if parameter.kind == "varargs" else value
    return given


def _constants(function: ApiFunction, arguments: Arguments) -> dict[str, Host]:
    """The constants among the arguments, by parameter; `...` for one that is not known."""
    found: dict[str, Host] = {}
    for parameter, value, _ in pairs(function, arguments):
        known = value.constant
        found[parameter.name] = ... if isinstance(known, NotConstant) else known
    return found


def _dependences(arguments: Arguments, ambient: Dependences) -> Dependences:
    return unite(ambient, all_dependences(arguments))


def _numpy(frame: Frame, op: Op, arguments: Arguments) -> Value:
    if all_dependences(arguments):
        return lost(frame, "NumPy on an input", op)
    return Value(NUMPY, made_by=op)


def _own(frame: Frame, op: Op, function: ApiFunction, like: str, arguments: Arguments) -> Value:
    """The result of a function that delegates to a method of its argument: an array of the same kind."""
    for parameter, value, _ in pairs(function, arguments):
        if parameter.name == like:
            if value.kind is ARRAY:
                return Value(ARRAY, unite(value.dependences, frame.ambient), None, op)
            if value.kind is INPUT or value.kind is COMPUTED:
                return Value(COMPUTED, value.dependences, None, op)
            if value.kind is NUMBER and not function.name.startswith(("numpy.", "scipy.")):
                return Value(NUMBER, NONE, OPEN, op)
            return _numpy(frame, op, arguments)
    return lost(frame, "own result of an unknown", op)


def _like(frame: Frame, op: Op, function: ApiFunction, like: str, arguments: Arguments) -> Value:
    for parameter, value, _ in pairs(function, arguments):
        if parameter.name == like:
            if value.kind is ARRAY or value.kind is NUMBER or value.kind is NUMPY:
                return Value(ARRAY, unite(value.dependences, _dependences(arguments, frozenset())), made_by=op)
            if value.kind in (KEY, KEYS):
                return Value(value.kind, value.dependences, None, op)
            return (
                Value(value.kind, value.dependences, value.payload, op)
                if value.parts
                else lost(frame, "like an unknown", op)
            )
    return lost(frame, "like an unknown", op)


def note_output(frame: Frame, op: Op, channel: Channel, arguments: Arguments) -> None:
    """Add the effect of a print, log line or warning to the summary, with the values shown."""
    shown = []
    for value, source in zip(arguments.values(), [*arguments.ops, *arguments.keyword_ops.values()], strict=False):
        found = dependences_of(value) if value.kind is not FUNCTION and not may_be_a_name(value) else NONE
        if found:
            shown.append((source, found))
    guarded = any(fact.test == "truth" and fact.holds for fact in frame.path)
    if channel == "log" and _names_its_function(frame, arguments):
        return
    if guarded or frame.context.is_handling:  # what is shown of an error is shown when it happens
        return
    is_text = bool(arguments.positional) and all(
        (isinstance(text := value.constant, str) and not tells_of_trace(text))
        or text is None
        or value.input is not None
        for value in arguments.positional
    )
    if shown or is_text:
        write_out(frame, Output(op, channel, callee_text(op, channel), tuple(shown), frame.path, is_text=is_text))


def _names_its_function(frame: Frame, arguments: Arguments) -> bool:
    """Does a log line speak of the call that traces its function, as in `"step(batch=%s)"`?"""
    texts = [value.constant for value in arguments.positional[:1]]
    return any(isinstance(text, str) and f"{frame.function.name}(" in text for text in texts)


ARITHMETIC_OR_NUMPY = frozenset((ARRAY, COMPUTED, INPUT, NUMBER, NUMPY))


def all_dependences(arguments: Arguments) -> Dependences:
    """The dependences of the arguments of an array operation, those in lists and tuples included."""
    found = NONE
    for value in arguments.values():
        if value.dependences and value.kind in ARITHMETIC_OR_NUMPY:
            found = unite(found, value.dependences)
        elif value.kind in CONTAINERS:
            for part in value.parts:
                if part.dependences and part.kind in ARITHMETIC_OR_NUMPY:
                    found = unite(found, part.dependences)
    return found
