"""Arguments of which a function of a library needs the value, by its row.

jnp.zeros(n)            `shape` is marked: `n` must be concrete
np.sin(x)               NumPy takes no tracer
np.sum([x, y])          it makes an array of the list, although it hands a tracer to `x.sum()`
jnp.nonzero(x)          without `size`, the shape of the result depends on values: fails in staged code
"""

from __future__ import annotations

from flake8_jax.analysis.callables import Arguments
from flake8_jax.analysis.checks.concrete import NO_ARRAYS, ConcreteForm, need_concrete
from flake8_jax.analysis.checks.static_values import MAKE_AN_ARRAY
from flake8_jax.analysis.evaluate.membership import compared, is_compared
from flake8_jax.analysis.evaluator import call
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.host_operands import made_of
from flake8_jax.analysis.objects.iteration import element
from flake8_jax.analysis.objects.narrowing import peek
from flake8_jax.analysis.objects.parameters import argument_for, constants_of, pairs
from flake8_jax.api.rows import ApiFunction
from flake8_jax.domain.kinds import ARRAY, CONTAINERS, FUNCTIONS, INPUT, MAY_BE_ARRAY, NUMPY, SEQUENCES
from flake8_jax.domain.payload import Each
from flake8_jax.domain.staging import NONE, unite
from flake8_jax.domain.value import Value
from flake8_jax.ir.ops import Attr, Build, Call, Gather, Op, Star

FORMS: dict[str, ConcreteForm] = {
    "jax": "shape", "Array": "shape", "numpy": "numpy", "scipy": "numpy", "math": "math", "cmath": "math",
    "statistics": "math", "json": "json", "pickle": "json", "bisect": "in", "heapq": "in",
}  # fmt: skip
"""The form of a use, by the first name of its module; of all other modules it is "host"."""

NAMED: dict[str, ConcreteForm] = {
    "math.isclose": "isclose", "operator.index": "index", "operator.truth": "bool", "operator.not_": "not",
    "Array.item": "item", "Array.tolist": "tolist", "jax.tree.all": "all", "jax.tree_util.tree_all": "all",
}  # fmt: skip

OF_INPUTS = frozenset(("Array.block_until_ready", "Array.item", "Array.nonzero", "Array.tolist"))
"""The methods that an object of an unknown class hardly has."""

TAKEN_BY_ARRAYS = frozenset(("choices", "indices", "v"))
TAKING = frozenset(("choose", "dot", "searchsorted", "take"))
"""The parameters, beside its array, of which a function of NumPy makes arrays by a method of that array if it is one of
NumPy, and the methods that do: measured.
"""

ASKING_METHODS = frozenset(("sort", "index", "count", "remove"))
"""The methods of a list that compare its elements, with each other or with another one."""


def need_values(
    frame: Frame, op: Op, function: ApiFunction, arguments: Arguments, receiver: Value | None = None,
    is_doubtful: bool = False,
) -> None:  # fmt: skip
    """Require that the marked arguments are concrete, and all of them where the call fails in staged code.

    Of a method, `receiver` is the array; if it `is_doubtful`, it is one only where calls pass an array.
    """
    given = (*arguments.values(), receiver) if receiver is not None else arguments.values()
    if not function.forms and not any(value.dependences or value.kind in CONTAINERS for value in given):
        return
    constants = constants_of(function, arguments)
    form = NAMED.get(function.name) or FORMS.get(function.name.partition(".")[0], "host")
    is_met_alone = any(form.eager and not form.when for form in function.forms)
    if arguments.is_open and function.is_eager(constants) and not is_met_alone:
        return  # what is spread may hold the parameter that is missing: `jnp.where(*parts)`
    if function.is_eager(constants):
        eager = NAMED.get(function.name, "size" if has_open_shape(function) else "host")
        if receiver is not None and receiver.kind is INPUT and function.name not in OF_INPUTS:
            if eager == "host":
                need_concrete(frame, receiver, op, eager, op)
            return
        dependences = frame.ambient if receiver is None else NONE
        for value in given:
            dependences = unite(dependences, value.dependences if value.kind in MAY_BE_ARRAY else NONE)
        need_concrete(frame, Value(ARRAY, dependences, made_of(given), op), op, eager, op)
        return
    marked = function.must_be_concrete(constants) | _of_host_array(function, arguments)
    for parameter, value, source in pairs(function, arguments):
        is_of_tree = value.input is not None and value.input.parent is not None
        if parameter.name in marked and not (parameter.name in NO_ARRAYS and is_of_tree):
            doubted = receiver if is_doubtful else None
            place = source if source is not None and form != "in" else op
            if form == "numpy" and value.kind in SEQUENCES:
                _ask_elements(frame, op, form, frame.live().contents(value), place)
                continue
            asked = compared(value, op) if form == "all" else value  # a tree of arrays, as its leaves are
            need_concrete(frame, asked, place, form, op, op, parameter.name, doubted)


def _of_host_array(function: ApiFunction, arguments: Arguments) -> frozenset[str]:
    """What NumPy makes an array of, where the array whose method it calls is one of NumPy: `np.take(table, i)`."""
    if function.returns != "own" or not function.name.startswith("numpy."):
        return frozenset()
    owner = argument_for(function, arguments, function.returns_like)
    return TAKEN_BY_ARRAYS if owner is not None and owner.kind is NUMPY else frozenset()


def need_taken(frame: Frame, op: Op, name: str, arguments: Arguments) -> None:
    """Require that what a method of an array of NumPy makes an array of is concrete."""
    if name in TAKING and arguments.positional and type(op) is Call:
        need_concrete(frame, arguments.positional[0], arguments.written(0) or op, "numpy", op, op)


def need_converted(frame: Frame, op: Op, name: str, arguments: Arguments) -> None:
    """Require that what stands in a list is concrete, where NumPy makes an array of the list."""
    given = arguments.positional[0] if arguments.positional and name[:6] == "numpy." else None
    if given is not None and given.kind in SEQUENCES and name[6:] in MAKE_AN_ARRAY:
        source = arguments.ops[0] if arguments.ops else None
        _ask_elements(frame, op, "numpy", frame.live().contents(given), source or op)


def has_open_shape(function: ApiFunction) -> bool:
    """Is the result of a call that fails in staged code an array whose shape depends on values?

    Methods that fail whatever they get ask a device for something, and a `mode` that is missing asks for an error
    where an index is out of bounds.
    """
    conditions = [form.when for form in function.forms if form.eager]
    asks_a_device = function.name.startswith("Array.") and () in conditions
    asks_for_an_error = any(one.parameter == "mode" for when in conditions for one in when)
    return function.returns in ("array", "tuple") and not asks_a_device and not asks_for_an_error


def ask_truths(frame: Frame, op: Op, name: ConcreteForm, arguments: Arguments) -> None:
    """Require what a builtin function asks for the truth of: its argument, elements, or comparisons of them."""
    values, sources = arguments.positional, arguments.ops
    source = (sources[0] if sources else None) or op
    key = arguments.keywords.get("key")
    if name == "bool":
        need_concrete(frame, values[0], source, name, op)
    elif key is not None and key.constant is not None:
        for value in values if len(values) > 1 else (element(frame, values[0], op),):
            _ask_compared(frame, op, name, call(frame, op, key, Arguments((value,))), source)
    elif name == "filter":
        if len(values) == 2 and values[0].kind in FUNCTIONS:
            kept = call(frame, op, values[0], Arguments((element(frame, values[1], op),)))
            need_concrete(frame, kept, source, name, op, op)
    elif (len(values) == 1 and not arguments.is_open) or name in ("any", "all", "sorted"):
        _ask_elements(frame, op, name, frame.live().contents(values[0]), source)
    else:
        for place, value in enumerate(values):
            given = sources[place] if place < len(sources) else None
            _ask_compared(frame, op, name, value, given or op)


def ask_spread(frame: Frame, op: Call, name: ConcreteForm) -> None:
    """Require what `max(*x)` asks for: the truth of comparisons of what is spread."""
    last = op.args[-1] if op.args else None
    spread = peek(frame, last.value) if type(last) is Star else None
    spread = frame.live().contents(spread) if spread is not None else None
    if spread is not None and last is not None and (spread.kind in MAY_BE_ARRAY or type(spread.payload) is Each):
        _ask_compared(frame, op, name, element(frame, spread, op), last)


def ask_in_list(frame: Frame, op: Op, name: str, base: Value, arguments: Arguments) -> None:
    """Require what `sort` and the search in a list ask for: the truth of comparisons with elements."""
    sequence = frame.live().contents(base)
    if name == "sort":
        source = op.func.base if type(op) is Call and type(op.func) is Attr else None
        ask_truths(frame, op, "sorted", Arguments((sequence,), arguments.keywords, ops=(source,)))
    elif arguments.positional and sequence.kind in SEQUENCES and is_compared(arguments.positional[0], sequence):
        need_concrete(frame, compared(arguments.positional[0], op), op, "in", op, op)


def _ask_compared(frame: Frame, op: Op, name: ConcreteForm, value: Value, source: Op) -> None:
    """Ask for the truth of comparisons with a value."""
    need_concrete(frame, compared(value, op), source, name, op, op)


def _ask_elements(frame: Frame, op: Op, name: ConcreteForm, iterable: Value, source: Op) -> None:
    gathered, is_each = frame.gathered.get(source), name in ("any", "all", "numpy")
    if gathered is not None and type(source) is Gather:
        need_concrete(frame, gathered, source.element[-1], name, op, op)
    elif iterable.kind in MAY_BE_ARRAY:
        need_concrete(frame, element(frame, iterable, op), source, name, op)
    elif type(iterable.payload) is Each or (iterable.kind in SEQUENCES and (len(iterable.parts) > 1 or is_each)):
        places = source.parts if type(source) is Build else ()
        parts = (iterable.payload.like,) if type(iterable.payload) is Each else iterable.parts
        for number, part in enumerate(parts):
            asked = part if is_each else compared(part, op)
            need_concrete(frame, asked, places[number] if number < len(places) else source, name, op, op)
