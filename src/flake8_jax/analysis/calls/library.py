"""Calls of library functions: what their rows in the tables say they need, use up and return, applied to arguments."""

from __future__ import annotations

from dataclasses import replace

from flake8_jax.analysis.callables import (
    Arguments,
    ClassValue,
    Decorated,
    FieldFactory,
    FunctionValue,
    InstanceOf,
    Partial,
    underlying,
)
from flake8_jax.analysis.calls.bounded import need_bounds
from flake8_jax.analysis.calls.builtin_functions import HANDLERS, call_builtin
from flake8_jax.analysis.calls.class_decorators import class_decorator
from flake8_jax.analysis.calls.composed import note_composed
from flake8_jax.analysis.calls.concrete_arguments import need_converted, need_values
from flake8_jax.analysis.calls.copies import COPYING, copied_value, note_copies
from flake8_jax.analysis.calls.forwards import forwarded
from flake8_jax.analysis.calls.operator_functions import operated
from flake8_jax.analysis.calls.results import result_of
from flake8_jax.analysis.calls.schedules import injected, note_schedules
from flake8_jax.analysis.calls.streams import ask_stream
from flake8_jax.analysis.calls.transforms import apply_convention, transformed
from flake8_jax.analysis.checks.at_views import need_no_view
from flake8_jax.analysis.checks.compilation.constants import may_be_large, note_constant
from flake8_jax.analysis.checks.compilation.objects_traced import note_decorated
from flake8_jax.analysis.checks.compilation.work import note_work
from flake8_jax.analysis.checks.contracts.called_back import DESCRIPTION, description
from flake8_jax.analysis.checks.contracts.foreign import FLATTENING, check_flattened
from flake8_jax.analysis.checks.contracts.kept_states import note_kept
from flake8_jax.analysis.checks.contracts.lost_updates import check_function as check_lost
from flake8_jax.analysis.checks.contracts.mapped_writes import check_call as check_write
from flake8_jax.analysis.checks.contracts.meshes import COMMUNICATING, SHARDING, check_sharding, note_axes
from flake8_jax.analysis.checks.contracts.optimizers import note_made
from flake8_jax.analysis.checks.contracts.required import check_required
from flake8_jax.analysis.checks.contracts.stale_states import check_applied_updates
from flake8_jax.analysis.checks.contracts.submodules import check_part
from flake8_jax.analysis.checks.derivatives.nan_gradients import check_choice, check_evident, check_root
from flake8_jax.analysis.checks.discarded import note_discarded
from flake8_jax.analysis.checks.effects.caches import CACHES
from flake8_jax.analysis.checks.effects.formats import TEXTS, show_later
from flake8_jax.analysis.checks.effects.host_calls import note_host_call
from flake8_jax.analysis.checks.effects.iterators import note_arguments
from flake8_jax.analysis.checks.effects.library_states import note_library_call
from flake8_jax.analysis.checks.host.buffers import HANDING, check_handed
from flake8_jax.analysis.checks.host.clocks import TIMING, check_repeated, read_clock
from flake8_jax.analysis.checks.host.writes import FUNCTIONS, check_writing
from flake8_jax.analysis.checks.keys.constant_keys import note_seeded_stream
from flake8_jax.analysis.checks.keys.handed_over import pass_keys_to_unknown
from flake8_jax.analysis.checks.keys.not_keys import need_keys
from flake8_jax.analysis.checks.keys.uses import consume
from flake8_jax.analysis.checks.mutation import STORING, need_mutable_by_call
from flake8_jax.analysis.checks.numpy_only import need_host_arrays, need_options
from flake8_jax.analysis.checks.output import Channel, Output, is_of_guard, tells_of_trace, write_out
from flake8_jax.analysis.checks.references import check_argument
from flake8_jax.analysis.checks.releases.members import check_called, check_name, check_partial
from flake8_jax.analysis.checks.sequences import (
    is_sequence,
    need_array,
    need_list,
    need_no_array,
    need_pieces,
    need_rows,
)
from flake8_jax.analysis.checks.startup.late import note_setting_called
from flake8_jax.analysis.checks.widths import TYPED, need_narrow, note_conversion, wide_name
from flake8_jax.analysis.checks.wording import callee_text
from flake8_jax.analysis.evaluate.displays import shown_by
from flake8_jax.analysis.evaluate.settings import note_setting
from flake8_jax.analysis.frame import Frame, never_returns, note_unknown
from flake8_jax.analysis.labels.tables import SELECTS
from flake8_jax.analysis.objects import access
from flake8_jax.analysis.objects.classes import CONSTRUCTORS
from flake8_jax.analysis.objects.copies import copied, record_of
from flake8_jax.analysis.objects.host_views import MAPPING, RENAMED, handed_out, mapped
from flake8_jax.analysis.objects.instances import replaced, run_with
from flake8_jax.analysis.objects.invalidation import (
    COMPILING_DECORATOR,
    DECORATOR,
    cached_by,
    decorated,
    invalidate,
    keeps_its_name,
)
from flake8_jax.analysis.objects.iteration import may_be_a_name
from flake8_jax.analysis.objects.named_tuples import FACTORIES, library_record, named_tuple
from flake8_jax.analysis.objects.parameters import argument_for, constants_of, pairs
from flake8_jax.api.class_decorators import FACTORY_OF_FIELD, FREEZING, PLAIN_DECORATORS, TREES
from flake8_jax.api.contracts import APPLYING
from flake8_jax.api.initializers import initializer_made_by
from flake8_jax.api.rows import ApiFunction, ApiParameter
from flake8_jax.api.schedules import SCHEDULED
from flake8_jax.api.single_outcomes import ONE_OUTCOME, has_one_outcome
from flake8_jax.api.table import Known
from flake8_jax.api.transforms import Transform
from flake8_jax.domain.constants import NOTHING
from flake8_jax.domain.kinds import (
    API,
    CLASS,
    FUNCTION,
    INSTANCE,
    KEY,
    KEYS,
    MAY_BE_ANYTHING,
    OBJECT,
    PARTIAL,
    STATIC,
    TUPLE,
    UNKNOWN,
)
from flake8_jax.domain.payload import Copies, Elements, Named, Payload
from flake8_jax.domain.resources import ByElement, ByFunction, Means
from flake8_jax.domain.staging import NONE, Dependences
from flake8_jax.domain.value import Value, dependences_of
from flake8_jax.ir.ops import Gather, Op
from flake8_jax.syntax.policies import COMPILING_NAME, DISPATCHING_NAME

DECORATORS = {
    "staticmethod": "staticmethod", "classmethod": "classmethod", "property": "property",
    "functools.cached_property": "cached property",
}  # fmt: skip
RECORDS = frozenset(("types.SimpleNamespace", "argparse.Namespace"))
"""What keeps its keywords as attributes."""

GETTER = "operator.attrgetter"
HOST, MODELLED = ("numpy.", "random."), "jax.numpy."
DECORATORS_OF_CLASSES = TREES | FREEZING | PLAIN_DECORATORS
"""What gives the class back that it is called with."""

NO_DECORATORS = frozenset((*HANDLERS, "object.__new__"))
"""What gives no class, although it is called with one alone."""
MAKING_ARRAYS = ("numpy.", MODELLED)
CONVERTING = frozenset(("jax.numpy.array", "jax.numpy.asarray"))
POWERS = frozenset(("jax.numpy.power", "jax.numpy.pow", "jax.numpy.float_power", "jax.lax.pow"))


def call_library(frame: Frame, op: Op, name: str, arguments: Arguments, ambient: Dependences) -> Value:
    """The result of calling a name of a library."""
    known = frame.program.table.known(name)
    check_called(frame, op, name, arguments)
    if name.startswith(FLATTENING):
        check_flattened(frame, op, name, arguments)
    if name in DECORATORS and arguments.positional:
        _mark_receiver(DECORATORS[name], arguments.positional[0])
        return Value(OBJECT, payload=Decorated(DECORATORS[name], arguments.positional[0]), made_by=op)
    is_of_class = arguments.positional and arguments.positional[0].kind is CLASS and _may_decorate(name)
    if name.endswith("dataclass") or is_of_class:
        decorated = class_decorator(frame, name, op, arguments)
        if is_of_class and isinstance(owner := arguments.positional[0].payload, ClassValue):
            note_decorated(frame, owner, name)
        is_known = known.function is not None or known.transform is not None or name in DECORATORS_OF_CLASSES
        may_make = is_of_class and not is_known and not keeps_its_name(frame, op, arguments.positional[0])
        if decorated is not None and not may_make:
            return decorated
    if name in CACHES:
        return cached_by(frame, op, name, arguments)
    if name.startswith("functools.") and (wrapping := _by_functools(frame, op, name, arguments)) is not None:
        return wrapping
    if name in APPLYING:
        check_applied_updates(frame, op, arguments)
    if name in STORING and arguments.positional:
        need_mutable_by_call(frame, op, name, arguments.positional[0])
    if name.startswith("operator.") and (made := operated(frame, op, name, arguments)) is not None:
        return made
    if name == GETTER and (read := _by_getter(frame, op, arguments)) is not None:
        return read
    if name == "dataclasses.replace" and arguments.positional and not arguments.is_open:
        if arguments.positional[0].kind is INSTANCE:
            return replaced(frame, arguments.positional[0], arguments.keywords, op)
        if arguments.positional[0].kind in MAY_BE_ANYTHING:
            return copied(frame, arguments.positional[0], arguments.keywords, op)
    if name in FACTORIES and (made := named_tuple(frame, op, name, arguments)) is not None:
        return made
    if name in RECORDS and not arguments.positional and not arguments.is_open:
        return record_of(frame, arguments.keywords, op)
    if (fields := frame.program.table.fields(name)) and not arguments.is_open:
        for field, value in zip((*fields[: len(arguments.positional)], *arguments.keywords), arguments.values()):
            if value.kind is FUNCTION and value.made_by is not None and frame.program.table.traced_method(name, field):
                apply_convention(frame, value, f"{name}.{field}")
        return library_record(frame, op, name, fields, arguments)
    if known.never_returns:
        return never_returns(frame, op)
    if name in TEXTS and (made := show_later(frame, op, name, arguments)) is not None:
        return made
    if name in SCHEDULED:
        note_schedules(frame, op, name, arguments)
    if (optimizer := injected(name, arguments)) is not None:
        return optimizer
    if known.transform is not None and not _is_left_to_host(known.transform, arguments):
        if known.function is not None and not known.transform.makes:
            check_arguments(frame, op, known.function, arguments)
        if known.transform.runs:
            need_rows(frame, op, known.transform, arguments)
        made = transformed(frame, op, known.transform, arguments)
        if not known.transform.makes:
            return mapped(frame, op, arguments) or made if name in MAPPING else made
    if known.effect is not None:
        note_output(frame, op, known.effect, arguments)
        return Value(STATIC, payload=NOTHING)
    note_setting(frame, name, arguments)
    note_setting_called(frame, op, name, arguments)
    if known.host is not None:
        note_host_call(frame, op, name, known.host, arguments)
    note_library_call(frame, op, name)
    if "." not in name or name in HANDLERS:
        result = call_builtin(frame, op, name, arguments)
        if result is not None:
            return result
    if known.host is not None and known.host.reads_clock:
        return read_clock(frame, op)
    if name in TIMING and (timed := (*arguments.positional, arguments.keywords.get("stmt"))[0]) is not None:
        check_repeated(frame, op, timed)
    given = _call_row(frame, op, name, known, arguments, ambient)
    factory = arguments.keywords.get(FACTORY_OF_FIELD)
    if factory is not None and given.kind is UNKNOWN and name.endswith(".field"):
        return Value(UNKNOWN, payload=FieldFactory(factory), made_by=op)
    holder = frame.program.table.made_by(name) if known.host is not None else ""
    return Value(OBJECT, payload=Named(holder), made_by=op) if holder else given


def _is_left_to_host(transform: Transform, arguments: Arguments) -> bool:
    """Does an option say that what a call makes traces nothing?"""
    option = arguments.keywords.get(transform.unless) if transform.unless else None
    return option is not None and option.constant is not True


def _by_getter(frame: Frame, op: Op, arguments: Arguments) -> Value | None:
    """What `attrgetter("a.b")` makes, or what that reads of an object."""
    path = arguments.positional[0].constant if arguments.positional else None
    if not isinstance(path, str) or arguments.is_open:
        return None
    if len(arguments.positional) == 1:
        return Value(PARTIAL, payload=Partial(frame.program.api(GETTER), arguments), made_by=op)
    found = arguments.positional[1]
    if len(arguments.positional) > 2 or isinstance(found.constant, str):
        return None
    for name in path.split("."):
        if found.kind is API:
            check_name(frame, found, name, op)
        found = access.attribute(frame, found, name, op)
    return found


def _by_functools(frame: Frame, op: Op, name: str, arguments: Arguments) -> Value | None:
    """What the functions of `functools` make that wrap another one."""
    if name == "functools.partial" and arguments.positional:
        return _partial(frame, op, arguments)
    if name == "functools.partialmethod" and arguments.positional:
        return Value(OBJECT, payload=Decorated("partialmethod", _partial(frame, op, arguments)), made_by=op)
    if name == "functools.wraps" and arguments.positional:
        return Value(OBJECT, payload=Decorated("wraps", arguments.positional[0]), made_by=op)
    if name == "functools.update_wrapper" and len(arguments.positional) >= 2:
        return imitating(*arguments.positional[:2])
    return None


def _call_row(frame: Frame, op: Op, name: str, known: Known, arguments: Arguments, ambient: Dependences) -> Value:
    """The result of calling a name by its row, if it has one."""
    if name.startswith(HOST):
        need_host_arrays(frame, op, name, arguments)
        need_converted(frame, op, name, arguments)
    elif name.startswith(MODELLED):
        need_options(frame, op, name, known.function, arguments)
    elif name.startswith("itertools."):
        note_arguments(frame, arguments, callee_text(op, name))
    copied_key = copied_value(frame, name, arguments) if name in COPYING else None
    if copied_key is not None and copied_key.kind is KEY:
        return Value(KEYS, NONE, Copies(copied_key), op)
    function = known.function
    if name.startswith("jax.ref."):
        check_write(frame, op, name, arguments)
    if function is not None and name.startswith(COMMUNICATING):
        note_axes(frame, op, name, function, arguments)
    if name == SHARDING:
        check_sharding(frame, op, arguments)
    if name in HANDING:
        check_handed(frame, op, name, arguments)
    if name in FUNCTIONS or "out" in arguments.keywords:
        check_writing(frame, op, name, arguments)
    if known.key_argument is not None:
        consume_argument(frame, op, callee_text(op, name), known.key_argument, arguments)
    if function is not None:
        check_arguments(frame, op, function, arguments)
    if (initializer := initializer_made_by(name)) is not None:
        return Value(PARTIAL, payload=Partial(frame.program.api(initializer), Arguments()), made_by=op)
    if function is None or known.stream == "result":
        return _unknown_member(frame, op, name, known, arguments)
    if name in SELECTS:
        check_choice(frame, op, name, arguments)
    elif known.singular is not None:
        check_evident(frame, op, known.singular, arguments)
    elif name in POWERS and len(arguments.positional) == 2:
        check_root(frame, op, *arguments.positional)
    if known.bounds is not None and not arguments.is_open:
        need_bounds(frame, op, known.bounds, _given(function, arguments))
    made = result_of(frame, op, function, arguments, ambient)
    if known.kept:
        note_kept(frame, op, name, known.kept, arguments)
    if name.startswith("jax."):
        note_work(frame, made)
    if name in RENAMED:
        made = handed_out(frame, op, name, arguments, made)
    if copied_key is not None:
        return note_copies(made, copied_key)
    return made if known.forward is None else forwarded(known.forward, _given(function, arguments), made, op)


def _mark_receiver(decorator: str, decorated: Value) -> None:
    function = underlying(decorated)
    if function is not None and "property" not in decorator:
        function.receiver = "none" if decorator == "staticmethod" else "class"


def imitating(wrapper: Value, wrapped: Value) -> Value:
    """A function marked as a wrapper of another (`functools.wraps`)."""
    if isinstance(wrapper.payload, FunctionValue):
        wrapper.payload.imitates = wrapped
    return wrapper


def _partial(frame: Frame, op: Op, arguments: Arguments) -> Value:
    rest = Arguments(arguments.positional[1:], arguments.keywords, arguments.is_open)
    check_partial(frame, op, arguments.positional[0], replace(rest, keyword_ops=arguments.keyword_ops))
    callee = run_with(frame, op, arguments.positional[0], arguments.keywords)
    return Value(PARTIAL, payload=Partial(callee, rest), made_by=op)


def _unknown_member(frame: Frame, op: Op, name: str, known: Known, arguments: Arguments) -> Value:
    if known.stream == "result":
        return ask_stream(frame, op)
    root = name.partition(".")[0]
    positional = arguments.positional
    if frame.context.is_defining and len(positional) == 1 and positional[0].kind is FUNCTION:
        if DISPATCHING_NAME.search(name):
            return note_unknown(frame, "function for arguments of some types", op)
        return decorated(frame, op, positional[0], COMPILING_DECORATOR if COMPILING_NAME.search(name) else DECORATOR)
    if known.stream is not None or name == "logging.getLogger":
        return Value(OBJECT, payload=Named(name), made_by=op)
    if root not in ("jax", "numpy"):
        pass_keys_to_unknown(frame, op, frame.program.api(name), arguments)
        for value in arguments.values():
            invalidate(frame, value)
    if known.is_update:
        check_lost(frame, op, arguments)
    made = name if name.rpartition(".")[2][:1].isupper() else frame.program.table.made_by(name)
    if made:
        note_made(frame, op, name, arguments)
        note_composed(frame, op, name, arguments)
        if known.kept:
            note_kept(frame, op, name, known.kept, arguments)
        check_part(frame, op, name, arguments.keywords)
        if known.required is not None:
            check_required(frame, op, name, arguments)
        if made == DESCRIPTION:
            return description(frame, op, arguments)
        return Value(OBJECT, payload=Named(made, _wrapped(arguments)), made_by=op)
    return note_unknown(frame, f"no row for {root}", op)


def _wrapped(arguments: Arguments) -> object:
    """The class of this project of the one object among some arguments, itself or in a wrapper of a library."""
    owners = [owner for value in arguments.values() if (owner := _owner(value.payload)) is not None]
    return owners[0] if len(owners) == 1 else None


def _owner(payload: Payload | None) -> object:
    if isinstance(payload, InstanceOf):
        return payload.owner
    return payload.around if type(payload) is Named else None


def consume_argument(frame: Frame, op: Op, by: str, keyword: str, arguments: Arguments) -> None:
    """Use up the key that something takes by a keyword."""
    value = arguments.keywords.get(keyword)
    if value is not None:
        consume(frame, value, op, arguments.keyword_ops.get(keyword), by)


def check_arguments(
    frame: Frame, op: Op, function: ApiFunction, arguments: Arguments, receiver: Value | None = None
) -> None:
    """Check the arguments against the row: no sequence for an array, keys used up.

    A method of a `receiver` not known to be an array refuses a sequence only if it proves to be one.
    """
    reached = frame.summary.run.reached
    if wide := wide_name(function.name):
        note_conversion(frame, op, function.name, wide)
    is_refused, pieces = need_keys(frame, op, function, arguments), frame.program.table.pieces(function.name)
    for parameter, value, source in pairs(function, arguments):
        reached[value.kind.value] += 1
        is_taken = parameter.rejects_sequences or function.name in CONVERTING
        if source is not None and is_taken and receiver is None and may_be_large(source, value):
            note_constant(frame, source, value)
        if source is not None and function.name.startswith("jax."):
            need_no_view(frame, value, source, "value", op)
        if parameter.name in TYPED and not function.name.startswith("Array."):
            if function.returns != "own":
                need_narrow(frame, op, function, value)
            elif (owner := argument_for(function, arguments, function.returns_like)) is not None:
                need_narrow(frame, op, function, value, owner)
        if pieces == parameter.name and receiver is None:
            need_pieces(frame, source or op, value, function.name, pieces, _telling(function, parameter), op)
        elif receiver is None and function.name in CONVERTING and parameter is function.parameters[0]:
            need_list(frame, source or op, value, function.name, op)
        if parameter.rejects_sequences:
            place = source if source is not None else op
            if receiver is None:
                check_argument(frame, place, value, function.name, callee_text(op, function.name))
                is_static = _is_asked_for(function, parameter, arguments)
                need_array(frame, place, value, function.name, _telling(function, parameter), op, is_static)
            elif is_sequence(value):
                need_no_array(frame, place, value, receiver, callee_text(op, function.name))
    if function.asks_for_values and not function.name.startswith("Array."):
        need_values(frame, op, function, arguments)
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
    if function.returns == "instance" and frame.program.table.stream(function.returns_like) and not arguments.is_open:
        seeds = [value for parameter, value, _ in pairs(function, arguments) if parameter.key == "sink"]
        note_seeded_stream(frame, op, callee_text(op, function.name), seeds)


def _telling(function: ApiFunction, parameter: ApiParameter) -> str:
    """The name of a parameter; "" for the first one and for varargs, where it would add nothing."""
    return "" if parameter.kind == "varargs" or parameter is function.parameters[0] else parameter.name


def _is_asked_for(function: ApiFunction, parameter: ApiParameter, arguments: Arguments) -> bool:
    """Must the value of an argument be known while the call is traced?"""
    if not function.forms:
        return parameter.must_be_concrete
    return parameter.name in function.must_be_concrete(constants_of(function, arguments))


def _is_fixed(function: ApiFunction, arguments: Arguments) -> bool:
    return function.name in ONE_OUTCOME and has_one_outcome(function.name, constants_of(function, arguments))


def _means(frame: Frame, function: ApiFunction) -> Means:
    if function.name == "jax.random.split" and frame.context.element is not None:
        return ByElement(frame.context.element)
    return ByFunction(function.name)


def _given(function: ApiFunction, arguments: Arguments) -> dict[str, Value]:
    """The arguments by parameter; of varargs a tuple."""
    given: dict[str, Value] = {}
    rest: list[Value] = []
    for parameter, value, _ in pairs(function, arguments):
        if parameter.kind == "varargs":
            rest.append(value)
        given[parameter.name] = Value(TUPLE, NONE, Elements(tuple(rest))) if parameter.kind == "varargs" else value
    return given


def note_output(frame: Frame, op: Op, channel: Channel, arguments: Arguments) -> None:
    """Add the effect of a print, log line or warning to the summary, with the values shown."""
    shown = []
    for value, source in zip(arguments.values(), [*arguments.ops, *arguments.keyword_ops.values()], strict=False):
        found = dependences_of(value) if value.kind is not FUNCTION and not may_be_a_name(value) else NONE
        if type(source) is Gather and source.kind != "generator":
            found = found | shown_by(frame, value, source)
        if found:
            shown.append((source, found))
    guarded = any(fact.test == "truth" and fact.holds for fact in frame.path)
    is_said = _names_its_function(frame, arguments) or (not shown and frame.function.name in CONSTRUCTORS)
    if channel == "log" and is_said:
        return
    if guarded or frame.context.is_handling:  # what is shown of an error is shown when it happens
        return
    is_shown_once = channel == "warn"  # a warning is shown once for each place, whoever runs it
    is_text = (
        bool(arguments.positional)
        and not is_shown_once
        and all(
            (isinstance(text := value.constant, str) and not tells_of_trace(text))
            or text is None
            or value.input is not None
            for value in arguments.positional
        )
    )
    if shown or (is_text and not is_of_guard(frame.function, op)):
        write_out(frame, Output(op, channel, callee_text(op, channel), tuple(shown), is_text))


def _may_decorate(name: str) -> bool:
    """Can a function of a library that is called with a class give a class: no builtin, none that makes arrays?"""
    return name not in NO_DECORATORS and "." in name and not name.startswith(MAKING_ARRAYS)


def _names_its_function(frame: Frame, arguments: Arguments) -> bool:
    """Does a log line speak of the call that traces its function, as in `"step(batch=%s)"`?"""
    texts = [value.constant for value in arguments.positional[:1]]
    return any(isinstance(text, str) and f"{frame.function.name}(" in text for text in texts)
