"""Python's builtin functions on abstract values; those that need a concrete value say so."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce

from flake8_jax.analysis.callables import Arguments, ClassValue, Super
from flake8_jax.analysis.calls.concrete_arguments import ask_spread, ask_truths
from flake8_jax.analysis.checks.compilation.eager_loops import check_read
from flake8_jax.analysis.checks.concrete import ConcreteForm, need_concrete
from flake8_jax.analysis.checks.effects.iterators import CONSUMING, note_arguments, note_next
from flake8_jax.analysis.checks.effects.outer_writes import note_setattr
from flake8_jax.analysis.checks.formatting import need_formatted
from flake8_jax.analysis.checks.keys.displays import check_display, check_keywords, one_under_each
from flake8_jax.analysis.checks.numpy_only import need_class
from flake8_jax.analysis.checks.releases.members import check_name
from flake8_jax.analysis.checks.type_tests import CONCRETE_ARRAY, need_host_type
from flake8_jax.analysis.evaluate.displays import is_plain_input
from flake8_jax.analysis.evaluate.loops import repeat
from flake8_jax.analysis.evaluator import call
from flake8_jax.analysis.frame import Frame, note_unknown
from flake8_jax.analysis.objects import access
from flake8_jax.analysis.objects.array_evidence import note_array
from flake8_jax.analysis.objects.dtypes import WEAK_TYPES
from flake8_jax.analysis.objects.growing import followed
from flake8_jax.analysis.objects.invalidation import invalidate
from flake8_jax.analysis.objects.iteration import any_element, element
from flake8_jax.analysis.objects.members import any_method, methods_of, set_methods
from flake8_jax.analysis.objects.names import follow
from flake8_jax.analysis.objects.operators import special
from flake8_jax.analysis.objects.static_attributes import WHOLE
from flake8_jax.domain.constants import NOTHING, OPEN, Constant
from flake8_jax.domain.flags import texts_of
from flake8_jax.domain.folding import bounded, extended, fold
from flake8_jax.domain.key_parts import KeyPart, at_any_turn, counts_of
from flake8_jax.domain.kinds import (
    API,
    ARRAY,
    ARRAYS_OR_COMPUTED,
    COMPUTED,
    DICT,
    INPUT,
    INSTANCE,
    KEY,
    KEYS,
    LIST,
    MAY_BE_ARRAY,
    MAY_BE_INSTANCE,
    MODULE,
    NUMBER,
    OBJECT,
    SEQUENCES,
    SET,
    STATIC,
    TUPLE,
    UNKNOWN,
    Kind,
)
from flake8_jax.domain.payload import (
    EMPTY,
    GENERATOR,
    SHAPE,
    Each,
    Elements,
    Key,
    Named,
    Payload,
    Same,
    Series,
    SliceOf,
    elements,
    entries,
    keyed,
    reason,
    sized,
    without_parts,
)
from flake8_jax.domain.staging import NONE, unite
from flake8_jax.domain.value import Value, dependences_of
from flake8_jax.ir.ops import Build, Call, Gather, Op

ASKING: Mapping[str, ConcreteForm] = {
    "any": "any", "all": "all", "min": "min", "max": "max", "sorted": "sorted", "filter": "filter", "bool": "bool",
}  # fmt: skip
CONVERTING: Mapping[str, ConcreteForm] = {
    "int": "int", "float": "float", "complex": "complex", "range": "range", "hash": "hash", "hex": "index",
    "oct": "index", "bin": "index", "chr": "index",
}  # fmt: skip
"""What asks for the value of each argument."""

READING = frozenset(("int", "float", "complex"))
"""What makes a number of the host of one element of an array."""

FEW = range(5)
MOST_FOLDED = 8
"""How many elements of a display `reduce` hands to a function of a library one by one."""
PASSING = frozenset(("abs", "round", "divmod", "pow"))
NUMBERS: Mapping[str, type] = {
    "len": int, "int": int, "float": float, "complex": complex, "hash": int, "id": int, "ord": int,
}  # fmt: skip
UP_TO = 2
"""With so many arguments at most, a range counts up, and stops at the last one."""

SPECIAL = {name: f"__{name}__" for name in ("len", "int", "float", "bool", "hash", "str", "repr")}
"""What calls a method of the object that it is given."""

HOST = frozenset(
    ("isinstance", "issubclass", "hasattr", "callable", "type", "str", "repr", "format", "bool", "chr", "hex", "bin",
     "open", "input", "any", "all", "ascii", "bytes", "oct", "object", "issubclass")
)  # fmt: skip

NAME = "name of an attribute"
"""What `dir` gives, as the reason why it is not known."""


def call_builtin(frame: Frame, op: Op, name: str, arguments: Arguments) -> Value | None:
    """The result of a builtin; None for one that is not modelled here but may have a row."""
    first = arguments.positional[0] if arguments.positional else None
    if name in ("min", "max") and arguments.is_open and type(op) is Call:
        ask_spread(frame, op, ASKING[name])
    if name in ASKING and first is not None:
        ask_truths(frame, op, ASKING[name], arguments)
    elif name == "format" and len(arguments.positional) == 2:
        if isinstance(spec := arguments.positional[1].constant, str):
            need_formatted(frame, f"{{:{spec}}}", arguments.positional[:1], arguments.ops, op)
    elif name in CONVERTING:
        for place, value in enumerate(arguments.positional):
            source = arguments.ops[place] if place < len(arguments.ops) else None
            need_concrete(frame, value, source or op, CONVERTING[name], op, op)
            if name in READING:
                check_read(frame, op, value, source, f"{name}(...)")
    elif name == "isinstance" and type(op) is Call and len(op.args) == 2 and first is not None:
        need_host_type(frame, first, op.args[0], op.args[1:], op)
    if name in ("isinstance", "issubclass") and type(op) is Call and len(op.args) == 2:
        need_class(frame, op, name)
    if name in CONSUMING or name.startswith("itertools."):
        note_arguments(frame, arguments, name)
    handler = HANDLERS.get(name)
    if handler is not None:
        return handler(frame, op, arguments)
    if first is not None and first.kind in MAY_BE_INSTANCE and name in SPECIAL:
        special(frame, op, first, SPECIAL[name])
    if name in NUMBERS:
        if name == "len" and first is not None and first.kind in ARRAYS_OR_COMPUTED:
            return access.read(frame, access.attribute(frame, first, "shape", op), ("[]", 0), op)
        held = frame.live().contents(first) if name == "len" and first is not None else None
        return Value(NUMBER, payload=_length(held), made_by=op, dtype=WEAK_TYPES.get(NUMBERS[name]))
    if name in PASSING and first is not None:
        note_array(frame, first)
        if first.kind in MAY_BE_ARRAY:
            return Value(ARRAY if first.kind is ARRAY else COMPUTED, first.dependences, made_by=op)
        return Value(NUMBER, payload=OPEN, made_by=op) if first.kind is NUMBER else note_unknown(frame, "number", op)
    if name == "type" and first is not None and len(arguments.positional) == 1 and first.kind is ARRAY:
        return frame.program.api(CONCRETE_ARRAY)
    if name in HOST:
        shown = dependences_of(first) if first is not None and name in ("str", "repr", "format") else NONE
        return Value(STATIC, shown, OPEN, op)
    if name.endswith(("Error", "Exception", "Warning", "Interrupt")):
        return Value(OBJECT, payload=Named(name), made_by=op)
    return None


def _length(value: Value | None) -> Payload:
    if value is None:
        return OPEN
    parts = value.entries if value.kind is DICT else value.elements
    if parts is not None:
        return Constant(len(parts))
    if counts := counts_of(value.payload):
        return sized(counts[0])
    return sized(value.shape[0]) if value.shape else OPEN


def _range(frame: Frame, op: Op, arguments: Arguments) -> Value:
    known = [value.constant for value in arguments.positional]
    bounds = [bound for bound in known if type(bound) is int]
    if len(bounds) == len(known):
        iterations = fold(_counted, *bounds)
        if isinstance(iterations, range):
            frame.program.record.counted[op] = iterations
        if isinstance(iterations, range) and fold(len, iterations) in FEW:
            parts = tuple(Value(NUMBER, payload=Constant(iteration)) for iteration in iterations)
            return Value(TUPLE, payload=Elements(parts, "range"), made_by=op)
    if 0 < len(known) <= UP_TO and not arguments.is_open:
        frame.program.record.stops[op] = arguments.positional[-1]
    return Value(TUPLE, payload=SHAPE, made_by=op)


def _counted(*bounds: int) -> range:
    return range(*bounds)


def _slice(frame: Frame, op: Op, arguments: Arguments) -> Value:
    """What `start:stop:step` makes between brackets; a single argument is where it stops."""
    given, absent = arguments.positional, Value(STATIC, payload=NOTHING, made_by=op)
    if arguments.is_open or not 1 <= len(given) <= 3:
        return note_unknown(frame, "slice of unknown bounds", op)
    bounds = (absent, *given) if len(given) == 1 else given
    return Value(STATIC, NONE, SliceOf((*bounds, absent)[:3]), op)


def _list(frame: Frame, op: Op, arguments: Arguments) -> Value:
    return _copied(frame, op, arguments, LIST)


def _tuple(frame: Frame, op: Op, arguments: Arguments) -> Value:
    return _copied(frame, op, arguments, TUPLE)


def _copied(frame: Frame, op: Op, arguments: Arguments, kind: Kind) -> Value:
    if not arguments.positional:
        return Value(kind, payload=EMPTY, made_by=op)
    source = frame.live().contents(arguments.positional[0])
    if source.kind in SEQUENCES:
        return Value(kind, source.dependences, _run_through(source.payload), op)
    if source.kind is UNKNOWN or source.kind is INPUT:
        return Value(kind, made_by=op)
    if source.kind is KEYS:
        return _of_keys(frame, op, source, kind)
    return Value(kind, source.dependences, None, op)


def _run_through(payload: Payload | None) -> Payload | None:
    """The payload of the list that `list(iterator)` makes of an iterator."""
    return None if payload is GENERATOR else Each(payload.like) if type(payload) is Each else payload


def _of_keys(frame: Frame, op: Op, keys: Value, kind: Kind) -> Value:
    """The keys of an array as a list or tuple."""
    parts = access.spread_parts(frame, keys, op)
    return Value(kind, keys.dependences, Each(element(frame, keys, op)) if parts is None else Elements(parts), op)


def _dict(frame: Frame, op: Op, arguments: Arguments) -> Value:
    given = [_entries_of(frame, value) for value in arguments.positional]
    if (one := _one_under_all(arguments)) is not None:
        return Value(DICT, payload=Same(one), made_by=op)
    if len(given) == 1 and not arguments.is_open and is_plain_input(frame, arguments.positional[0]):
        return Value(DICT, payload=extended(arguments.positional[0], keyed(arguments.keywords)), made_by=op)
    if arguments.is_open or None in given:
        return Value(DICT, made_by=op)
    held = {name: part for one in given for name, part in (one or {}).items()}
    found = Value(DICT, payload=entries(bounded({**held, **keyed(arguments.keywords)})), made_by=op)
    check_keywords(frame, found, arguments)
    if held:
        check_display(frame, found, held, _places(op, arguments, held))
    return found


def _one_under_all(arguments: Arguments) -> Value | None:
    """The value that `dict(zip(names, [key] * n))` holds under each name."""
    pairs = arguments.positional[0].payload if len(arguments.positional) == 1 and not arguments.keywords else None
    if type(pairs) is not Series or pairs.rows or arguments.is_open or len(pairs.like) != 2 or pairs.kept != {1}:
        return None
    return pairs.like[1]


def _places(op: Op, arguments: Arguments, held: dict[Key, Value]) -> dict[Key, Op]:
    """Where the values of a dict are written: of `dict(zip(names, (a, b)))` in the last display, else at the call."""
    source = arguments.ops[0] if arguments.ops else None
    written = source.args[-1] if type(source) is Call and source.args else None
    parts = written.parts if type(written) is Build else ()
    return dict(zip(held, parts)) if len(parts) == len(held) else dict.fromkeys(held, op)


def _entries_of(frame: Frame, value: Value) -> dict[Key, Value] | None:
    """What a dict holds, or pairs of names and values that are written out."""
    rows = value.payload.rows if type(value.payload) is Series else ()
    if rows and all(len(row) == 2 and isinstance(row[0].constant, str) for row in rows):
        return {str(name.constant): part for name, part in rows}
    return frame.live().contents(value).entries


def _set(frame: Frame, op: Op, arguments: Arguments) -> Value:
    if arguments.positional and arguments.positional[0].kind is not DICT:  # its keys are hashed already
        source = (arguments.ops[0] if arguments.ops else None) or op
        for part in frame.live().contents(arguments.positional[0]).parts:
            need_concrete(frame, part, source, "hash", op, op)
    return Value(SET, made_by=op)


def _enumerate(frame: Frame, op: Op, arguments: Arguments) -> Value:
    source = arguments.positional[0] if arguments.positional else note_unknown(frame, "enumerate", op)
    pair = (Value(NUMBER, payload=OPEN, made_by=op, dtype=WHOLE), element(frame, source, op))
    return _series(op, pair, frozenset((1,)) if type(frame.live().contents(source).payload) is Same else frozenset())


def _zip(frame: Frame, op: Op, arguments: Arguments) -> Value:
    if arguments.is_open:
        return _turned(frame, op, arguments)
    values = arguments.positional
    kept = frozenset(at for at, value in enumerate(values) if type(frame.live().contents(value).payload) is Same)
    written = [frame.live().contents(value).elements for value in values]
    known = [parts for parts in written if parts is not None]
    rows = tuple(zip(*known)) if len(known) == len(values) else ()
    return _series(op, tuple(element(frame, value, op) for value in values), kept, rows)


def _turned(frame: Frame, op: Op, arguments: Arguments) -> Value:
    """`zip(*rows)`: a tuple of each column, as long as there are rows; a key is another one in each row."""
    row = arguments.rest
    if row is None or row.elements is None or arguments.positional:
        return Value(LIST, payload=Each(Value(TUPLE, made_by=op)), made_by=op)
    held = (Each(one) if (one := followed(part)) is not None else None for part in row.elements)
    columns = tuple(Value(TUPLE, payload=column, made_by=op) for column in held)
    return Value(LIST, payload=Elements(columns), made_by=op)


def _repeat(frame: Frame, op: Op, arguments: Arguments) -> Value:
    """An iterator that gives one value again and again."""
    if not arguments.positional:
        return note_unknown(frame, "nothing", op)
    return Value(LIST, payload=Same(arguments.positional[0]), made_by=op)


def _cycle(frame: Frame, op: Op, arguments: Arguments) -> Value:
    """An iterator through the same elements again and again: a loop meets each of some keys on many turns."""
    if not arguments.positional:
        return note_unknown(frame, "nothing", op)
    parts = frame.live().contents(arguments.positional[0]).elements
    if parts is not None and len(parts) == 1:
        return Value(LIST, payload=Same(parts[0]), made_by=op)
    one = any_element(frame, arguments.positional[0], op)
    is_key = one.kind is KEY
    return Value(LIST, payload=Same(Value(KEY, one.dependences, None, op)) if is_key else Each(one), made_by=op)


def _chain(frame: Frame, op: Op, arguments: Arguments) -> Value:
    """An iterator through what a few displays hold, one after the other."""
    written = [frame.live().contents(value).elements for value in arguments.positional]
    known = [parts for parts in written if parts is not None]
    if arguments.is_open or not known or len(known) < len(written):
        return note_unknown(frame, "chained", op)
    return Value(LIST, payload=elements(bounded(tuple(part for parts in known for part in parts))), made_by=op)


def _from_keys(frame: Frame, op: Op, arguments: Arguments) -> Value:
    """A dict that holds one value under each name."""
    given = arguments.positional
    if len(given) != 2:
        return Value(DICT, made_by=op)
    return one_under_each(frame, op, given[0], given[1], arguments.ops[1] or op if len(arguments.ops) == 2 else op)


def _series(
    op: Op, parts: tuple[Value, ...], kept: frozenset[int] = frozenset(), rows: tuple[tuple[Value, ...], ...] = ()
) -> Value:
    """An iterator of tuples; in each iteration its elements are renewed from these parts, but for those at `kept`."""
    return Value(LIST, payload=Series(parts, kept, rows), made_by=op)


def _same(frame: Frame, op: Op, arguments: Arguments) -> Value:
    source = arguments.positional[0] if arguments.positional else note_unknown(frame, "nothing", op)
    if source.kind in (LIST, TUPLE, SET):
        return Value(LIST, source.dependences, without_parts(_run_through(source.payload)), op)
    if source.kind is KEYS:
        return Value(LIST, NONE, Each(element(frame, source, op)), op)
    return source if source.kind in ARRAYS_OR_COMPUTED else note_unknown(frame, "reordered", op)


def _gathered(frame: Frame, arguments: Arguments) -> Value | None:
    """The element of a comprehension that stands as the only argument."""
    source = arguments.ops[0] if len(arguments.ops) == 1 else None
    return frame.gathered.get(source) if type(source) is Gather else None


def _sum(frame: Frame, op: Op, arguments: Arguments) -> Value:
    if not arguments.positional:
        return Value(NUMBER, payload=OPEN)
    source = arguments.positional[0]
    one = _gathered(frame, arguments) or element(frame, source, op)
    if one.kind in MAY_BE_ARRAY:
        return Value(ARRAY if one.kind is ARRAY else COMPUTED, unite(source.dependences, one.dependences), made_by=op)
    return (
        Value(NUMBER, payload=OPEN, made_by=op)
        if one.kind is NUMBER
        else note_unknown(frame, "sum of unknown values", op)
    )


def _least(frame: Frame, op: Op, arguments: Arguments) -> Value:
    values = arguments.positional
    if values and all(value.kind is NUMBER for value in values):
        return Value(NUMBER, payload=OPEN, made_by=op)
    return note_unknown(frame, "least or greatest", op)


def _next(frame: Frame, op: Op, arguments: Arguments) -> Value:
    source = arguments.positional[0] if arguments.positional else None
    name = source.name if source is not None and source.kind is OBJECT else ""
    if source is not None and arguments.ops and arguments.ops[0] is not None:
        note_next(frame, op, source, arguments.ops[0])
    if name and frame.program.table.stream(name) in ("next", "call"):
        return Value(KEY, made_by=op)
    each = source.payload if source is not None else None
    if isinstance(each, Each) and isinstance(each.like.payload, KeyPart):
        return Value(KEY, each.like.dependences, at_any_turn(each.like.payload), op)
    return note_unknown(frame, "next of an iterator", op)


def _getattr(frame: Frame, op: Op, arguments: Arguments) -> Value:
    if len(arguments.positional) == 2:
        owner, name = _class_of(frame, arguments.positional[0]), arguments.positional[1]
        need_concrete(frame, name, arguments.ops[1] or op if len(arguments.ops) == 2 else op, "text", op)
        if arguments.positional[0].kind is API:
            for text, _ in texts_of(name.payload):
                check_name(frame, arguments.positional[0], text, op)
        found = access.attribute_named(frame, arguments.positional[0], name, op)
        if found is not None:
            return found
        if name.payload is reason(NAME) and owner is not None:
            return any_method(owner, op) or note_unknown(frame, "getattr", op)
    return note_unknown(frame, "getattr", op)


def _setattr(frame: Frame, op: Op, arguments: Arguments) -> Value:
    if arguments.positional:
        owner = _class_of(frame, arguments.positional[0])
        if owner is not None and len(arguments.positional) == 3:
            named = texts_of(arguments.positional[1].payload)
            set_methods(owner, arguments.positional[2], tuple(name for name, _ in named))
        else:
            _store_named(frame, arguments)
            note_setattr(frame, op, arguments)
    return Value(STATIC, payload=NOTHING)


def _store_named(frame: Frame, arguments: Arguments) -> None:
    """Store to the attribute of the name that is given; to any, if that is not known."""
    name = arguments.positional[1].constant if len(arguments.positional) == 3 and not arguments.is_open else None
    base = arguments.positional[0]
    if isinstance(name, str) and base.kind is INSTANCE:
        access.write(frame, base, (".", name), arguments.positional[2])
    else:
        invalidate(frame, base)


def _dir(frame: Frame, op: Op, arguments: Arguments) -> Value:
    return Value(LIST, payload=Each(note_unknown(frame, NAME, op)), made_by=op)


def _globals(frame: Frame, op: Op, arguments: Arguments) -> Value:
    return frame.program.linked.module_value(frame.namespace.file.path)


def _import_module(frame: Frame, op: Op, arguments: Arguments) -> Value:
    name = arguments.positional[0].constant if len(arguments.positional) == 1 else None
    if not isinstance(name, str) or name.startswith("."):
        return note_unknown(frame, "module of an unknown name", op)
    return follow(frame, frame.namespace.file.imported(0, name))


def _imported(frame: Frame, op: Op, arguments: Arguments) -> Value:
    """The package that `__import__` gives; the module itself where names of it are asked for."""
    name = arguments.positional[0].constant if arguments.positional else None
    if not isinstance(name, str) or arguments.is_open or arguments.get(4, "level") is not None:
        return note_unknown(frame, "module of an unknown name", op)
    asked = arguments.get(3, "fromlist")
    whole = name if asked is not None and asked.elements else name.partition(".")[0]
    return follow(frame, frame.namespace.file.imported(0, whole))


def _vars(frame: Frame, op: Op, arguments: Arguments) -> Value:
    if arguments.positional and arguments.positional[0].kind is MODULE:
        return arguments.positional[0]
    owner = _class_of(frame, arguments.positional[0]) if arguments.positional else None
    return methods_of(owner, op) if owner is not None else note_unknown(frame, "attributes as a dict", op)


def _getmembers(frame: Frame, op: Op, arguments: Arguments) -> Value:
    owner = _class_of(frame, arguments.positional[0]) if arguments.positional else None
    found = any_method(owner, op) if owner is not None else None
    if found is None:
        return note_unknown(frame, "members of an object", op)
    return _series(op, (Value(STATIC, payload=OPEN), found))


def _class_of(frame: Frame, value: Value) -> ClassValue | None:
    """The class that a value is; of an input it is noted that the function asks for its members."""
    if value.input is not None:
        frame.summary.uses.reflected[value.input] = None
    return value.payload if isinstance(value.payload, ClassValue) else None


def _super(frame: Frame, op: Op, arguments: Arguments) -> Value:
    around = next((one for one in frame.outwards() if one.function.kind != "lambda"), None)
    if around is None or around.owner is None or not around.function.parameters or around.state is None:
        return note_unknown(frame, "super", op)
    receiver = around.state.names.get(around.function.parameters[0].name)
    if receiver is None or receiver.kind is not INSTANCE:
        return note_unknown(frame, "super", op)
    return Value(OBJECT, payload=Super(receiver, around.owner), made_by=op)


def _map(frame: Frame, op: Op, arguments: Arguments) -> Value:
    if not arguments.positional or arguments.is_open:
        return note_unknown(frame, "map", op)
    function, *sources = arguments.positional

    like: Value | None = None

    def iteration() -> None:
        nonlocal like
        like = followed(call(frame, op, function, Arguments(tuple(element(frame, source, op) for source in sources))))

    before, after = repeat(frame, op, iteration)
    frame.state = after[-1] if after[-1] is not None else before
    return Value(LIST, payload=Each(like, "generator") if like is not None else GENERATOR, made_by=op)


def _reduce(frame: Frame, op: Op, arguments: Arguments) -> Value:
    """The last result of a function that is handed its own result, and the next element."""
    if len(arguments.positional) < 2 or arguments.is_open:
        return note_unknown(frame, "reduce", op)
    function, source, *initial = arguments.positional
    return _folded(frame, op, function, source, initial[0] if initial else None)


def _accumulate(frame: Frame, op: Op, arguments: Arguments) -> Value:
    """An iterator of all results of a function that is handed its own result, and the next element."""
    function = arguments.get(1, "func")
    if not arguments.positional or function is None or arguments.is_open:
        return note_unknown(frame, "accumulate", op)
    like = followed(_folded(frame, op, function, arguments.positional[0], arguments.keywords.get("initial")))
    return Value(LIST, payload=Each(like, "generator") if like is not None else GENERATOR, made_by=op)


def _folded(frame: Frame, op: Op, function: Value, source: Value, initial: Value | None) -> Value:
    parts = frame.live().contents(source).elements
    if function.kind is API and parts and len(parts) <= MOST_FOLDED:
        given = parts if initial is None else (initial, *parts)
        return reduce(lambda one, other: call(frame, op, function, Arguments((one, other))), given)
    result = element(frame, source, op) if initial is None else initial

    def iteration() -> None:
        nonlocal result
        result = call(frame, op, function, Arguments((result, element(frame, source, op))))

    before, after = repeat(frame, op, iteration)
    frame.state = after[-1] if after[-1] is not None else before
    return result


HANDLERS: dict[str, Callable[[Frame, Op, Arguments], Value]] = {
    "range": _range, "slice": _slice, "list": _list, "tuple": _tuple, "dict": _dict, "set": _set, "frozenset": _set,
    "map": _map, "enumerate": _enumerate, "zip": _zip, "reversed": _same, "sorted": _same, "sum": _sum, "min": _least,
    "max": _least, "next": _next, "getattr": _getattr, "setattr": _setattr,
    "object.__setattr__": _setattr, "dir": _dir, "vars": _vars, "super": _super,
    "iter": _same, "functools.reduce": _reduce, "itertools.accumulate": _accumulate, "itertools.repeat": _repeat,
    "itertools.cycle": _cycle, "itertools.chain": _chain, "dict.fromkeys": _from_keys,
    "inspect.getmembers": _getmembers, "globals": _globals, "importlib.import_module": _import_module,
    "__import__": _imported,
}  # fmt: skip
