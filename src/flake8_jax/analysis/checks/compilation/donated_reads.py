"""Uses of arrays whose buffers were donated: by an operator, a library, a compiled call, or inside of a function.

y = step(x)             `x` is donated, by `jax.jit(step, donate_argnums=0)`
x + y                   its buffer was donated: raises
x.shape                 is still known
norm(x)                 raises where the body of `norm` reads its argument on every path
tree.map(add, x, y)     so does what is mapped over the leaves

What a function of the project does with what it is handed, or captures, is looked up in its body when a donated array
arrives there, and not before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from math import inf
from typing import Literal, TypeAlias

from flake8_jax.analysis.callables import (
    Arguments,
    FunctionValue,
    InstanceOf,
    Wrapped,
    runs_compiled,
    underlying,
    visible_names,
)
from flake8_jax.analysis.checks.compilation.eager import bound_to, report_eager
from flake8_jax.analysis.checks.keys.repetition import is_of_one_turn, may_run_once
from flake8_jax.analysis.checks.naming import imported_name
from flake8_jax.analysis.checks.wording import callee_text
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects import access
from flake8_jax.analysis.objects.annotations import NUMBERS
from flake8_jax.analysis.objects.classes import annotation_of, lookup
from flake8_jax.analysis.objects.host_views import MAPPING
from flake8_jax.analysis.objects.narrowing import facts_of, peek
from flake8_jax.analysis.objects.pending import DONATED
from flake8_jax.api.passing import LEAVES, OF_TREES, READING_ALL, READING_TREES
from flake8_jax.api.schedules import WITHOUT_ARRAYS
from flake8_jax.domain.conditions import assume
from flake8_jax.domain.kinds import API, ARRAY, BUFFERS, DICT, INPUT, LIST, SEQUENCES
from flake8_jax.domain.provenance import Context, Hop
from flake8_jax.domain.resources import Donated, Used, is_compatible, loops_between
from flake8_jax.domain.staging import certain
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import Chains, chains_of, searched_for
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.rewrite import ChangedOp, Quoted, Rewrite
from flake8_jax.lazy_dataclasses import dataclass, replace

READING = ("jax.numpy.", "jax.lax.", "jax.nn.", "jax.random.", "jax.scipy.", "numpy.")
ASKING = frozenset(("float", "int", "bool", "print", "complex", "sum", "any", "all", "jax.device_get", "jax.device_put",
                    "jax.block_until_ready"))  # fmt: skip
SHAPES = frozenset((
    "shape", "ndim", "size", "result_type", "zeros_like", "ones_like", "full_like", "empty_like", "issubdtype",
    "asarray",
))  # fmt: skip
"""The functions that need the shape and dtype alone, or hand an array on as it is: measured."""

BESIDE_OTHERS = frozenset(("enumerate", "zip"))
"""What gives elements in tuples, beside a number or those of other sequences."""

KNOWN = frozenset((
    "shape", "dtype", "ndim", "size", "nbytes", "itemsize", "sharding", "aval", "weak_type", "is_deleted", "delete",
    "at", "astype",
))  # fmt: skip
"""What of an array is still there, or may be it."""

MAXIMUM_STEPS, MAXIMUM_CALLS, MAXIMUM_USES = 3, 3, 12
"""How deep in an object an array lies, how many calls down it is followed, how many reads of a name are looked at."""

DonatedForm: TypeAlias = Literal[
    "read", "returned", "kept", "again", "turn", "twice", "tree twice", "within", "unusable",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class DonatedRead:
    """An array is used whose buffer was donated, or donated where nothing can be written into it.

    `form`: it is "read" or "returned", in a list in which it was "kept", or "within" a function, `reader`; it is handed
    to a compiled call "again", in the next "turn" of a loop, or "twice" by one call, an array or a tree; or the
    donation is "unusable", as no result has as many elements.
    `subject` is its text, `call` that of the callee that it was donated to, at `origin`; `instead` is what to write,
    `rewrite` the changes that write it.
    """

    op: Op
    form: DonatedForm
    subject: str
    call: str
    origin: Hop
    instead: str
    context: Context
    rewrite: Rewrite | None = None
    reader: str = ""


def placed(arguments: Arguments) -> Iterator[tuple[int, str, Value, Op | None]]:
    """The arguments of a call, each with its place or name, and the op that it is written as."""
    for place, value in enumerate(arguments.positional):
        yield place, "", value, arguments.written(place)
    for name, value in arguments.keywords.items():
        yield -1, name, value, arguments.keyword_ops.get(name)


def buffers(value: Value) -> Iterator[Value]:
    """The values of which a donation makes an end: a container's are its parts', an object's its fields', too."""
    if value.kind in SEQUENCES or value.kind is DICT:
        for part in value.parts:
            yield from buffers(part)
    elif value.kind in BUFFERS and value.name not in WITHOUT_ARRAYS:
        yield value
        if type(value.payload) is InstanceOf:
            for name, part in (value.payload.parts or {}).items():
                if part.kind is ARRAY or annotation_of(value.payload.owner, name) not in NUMBERS:
                    yield from buffers(part)


def donation_of(frame: Frame, op: Op, value: Value) -> tuple[Used, list[Op]] | None:
    """The call that a value was donated to before, with the loops that have gone on to another turn since."""
    for one in frame.state.used.get(DONATED) if frame.state is not None else ():
        held = one.means.value if type(one.means) is Donated else None
        if held is None or not _is_part(frame, value, held, one.op) or not is_compatible(one, frame.path):
            continue
        loops, body = loops_between(one, frame.iterations), frame.function
        if not any(may_run_once(body, op, loop) or is_of_one_turn(body, op, loop) for loop in loops):
            return one, loops
    return None


def check_donated(frame: Frame, op: Op, value: Value, call: Op | None = None) -> None:
    """Report a use of a value that was donated before, by a compiled `call` if that is given."""
    found = donation_of(frame, op, value)
    if found is not None:
        one, loops = found
        form: DonatedForm = "kept" if value.kind is LIST else "read"
        if call is not None:
            form = "turn" if loops and one.op is call else "again"
        report_donated(frame, op, form, one.op, op)


def check_read(frame: Frame, op: Op, value: Value) -> None:
    """Report an operand that was donated before."""
    if frame.state is not None and DONATED in frame.state.used:
        for part in buffers(value):
            check_donated(frame, op, part)


def check_returned_buffers(frame: Frame, op: ops.Leave, value: Value) -> None:
    """Report names of donated arrays that a function returns: whoever gets one reads it."""
    if op.value is None or frame.state is None or DONATED not in frame.state.used or certain(frame.ambient) is not None:
        return
    is_display = type(op.value) is ops.Build and value.elements is not None
    sources = op.value.parts if type(op.value) is ops.Build and is_display else (op.value,)
    for source, part in zip(sources, value.elements or () if is_display else (value,), strict=False):
        _check_returned(frame, source, part)


def _check_returned(frame: Frame, source: Op, value: Value | None) -> None:
    found = donation_of(frame, source, value) if type(source) is ops.Name and value and value.kind in BUFFERS else None
    if found is not None:
        report_donated(frame, source, "returned", found[0].op, source)


def check_returned_arms(frame: Frame, op: ops.Choose) -> None:
    """Report names of donated arrays that are returned on one way of a conditional expression, which is run next."""
    if frame.state is None or DONATED not in frame.state.used or certain(frame.ambient) is not None:
        return
    parents = chains_of(frame.function).parents
    inner: Op = op
    around = parents.get(op)
    while type(around) is ops.Build or (type(around) is ops.Choose and around.test is not inner):
        inner, around = around, parents.get(around)
    path = frame.state.path
    for arm, holds in ((op.body, True), (op.orelse, False)) if type(around) is ops.Leave else ():
        frame.state.path = assume(path, facts_of(frame, op.test, holds))
        for source in arm.parts if type(arm) is ops.Build else (arm,):
            if type(source) is ops.Name:
                _check_returned(frame, source, peek(frame, source))
    frame.state.path = path


def of_kept(frame: Frame, source: Op, held: Value, part: Value) -> Value:
    """An element of a sequence, in a loop through it: donated, if the sequence holds arrays that were."""
    if frame.state is not None and DONATED in frame.state.used:
        _note_element(frame, source, held, part)
    return part


def _note_element(frame: Frame, source: Op, held: Value | None, part: Value) -> None:
    """Note an element of what was donated: of a list or the leaves of a tree, alone or beside others in a tuple."""
    name = imported_name(source.func) if type(source) is ops.Call and source.args else ""
    given = source.args if type(source) is ops.Call else ()
    if name in BESIDE_OTHERS:
        for one, element in zip(given, (part.elements or ())[name == "enumerate" :]):
            _note_element(frame, one, peek(frame, one), element)
    elif part.kind in BUFFERS:
        tree = peek(frame, given[0]) if name in LEAVES else held
        if tree is held and (held is None or held.kind not in SEQUENCES):
            return
        whole = () if tree is None else (tree, *buffers(tree))
        donations = (donation_of(frame, source, one) for one in whole)
        found = next((one for one in donations if one is not None), None)
        if found is not None and frame.state is not None:
            used = replace(found[0], means=Donated(part))
            frame.state.used.set(DONATED, (*frame.state.used.get(DONATED), used))


def _is_part(frame: Frame, value: Value, donated: Value, call: Op, depth: int = 0) -> bool:
    """Is a value one that was donated, or a part of it that was read afterwards?"""
    made_by = value.made_by
    if value is donated or depth == MAXIMUM_STEPS:
        return value is donated
    if (type(made_by) is not ops.Attr and type(made_by) is not ops.Item) or made_by.anchor.line <= call.anchor.line:
        return False
    if type(made_by) is ops.Attr and made_by.name in KNOWN:
        return False
    if made_by.anchor.origin is not call.anchor.origin or not chains_of(frame.function).holds(made_by):
        return False
    base = peek(frame, made_by.base)
    return base is not None and base.kind is not LIST and _is_part(frame, base, donated, call, depth + 1)


def report_donated(
    frame: Frame, op: Op, form: DonatedForm, call: Op, source: Op, subject: str = "", reader: str = ""
) -> None:
    """Report a use of what was donated to a call, as it is written there."""
    if frame.is_expected:
        return

    def make() -> DonatedRead:
        callee = callee_text(call, phrase(call.func) if type(call) is ops.Call else "a compiled function")
        text = subject or phrase(source)
        origin = Hop(call.anchor.origin.shown, call.anchor.line, f"`{text}` is donated to `{callee}`")
        rewrite = None
        if type(source) is ops.Star:
            text = phrase(source.value)
        if form == "twice" and type(source) is ops.Name and not subject:
            rewrite = Rewrite((ChangedOp(source, (Quoted(source), ".copy()")),))
        is_spread = type(source) is ops.Star
        instead = f"pass a copy of what `{text}` holds" if is_spread else _instead(form, text, callee)
        return DonatedRead(op, form, text, callee, origin, instead, Context(), rewrite, reader)

    report_eager(frame, (DonatedRead, op, ()), make)


def _instead(form: DonatedForm, subject: str, callee: str) -> str:
    if form == "twice":
        return f"pass a copy, `{subject}.copy()`"
    if form == "tree twice":
        return f"pass a copy of its arrays, `jax.tree.map(jnp.copy, {subject})`"
    if form == "kept":
        return f"put copies into `{subject}`"
    if form == "unusable":
        return "donate what a result has the shape of, or nothing"
    if form == "turn":
        return f"bind `{subject}` to the result in each turn, or pass a copy"
    return f"read the result of `{callee}`, or pass a copy to it"


def check_reading(frame: Frame, op: ops.Call, callee: Value, base: Value | None, arguments: Arguments) -> None:
    """Report a call of a library, or of a method of an array, that reads what was donated."""
    if certain(frame.ambient) is not None:
        return
    if callee.kind is API and _reads(callee.name):
        for _, _, value, source in placed(arguments):
            for part in (value, *buffers(value)) if value.kind is LIST else buffers(value):
                check_donated(frame, source or op, part)
    elif callee.name in MAPPING and len(arguments.positional) > 1:
        _check_mapped(frame, op, arguments)
    elif base is not None and type(op.func) is ops.Attr and _is_read_by(base, op.func.name):
        check_donated(frame, op.func.base, base)


def _is_read_by(base: Value, method: str) -> bool:
    """Does a method of an array read it, or one that only arrays have?"""
    return method not in KNOWN and (base.kind is ARRAY or (base.kind is INPUT and method in access.ARRAY_METHODS))


def _reads(name: str) -> bool:
    if name in READING_ALL or name.startswith(OF_TREES):
        return name in READING_ALL or name.rpartition(".")[2].removeprefix("tree_") in READING_TREES
    return name in ASKING or (name.startswith(READING) and name.rpartition(".")[2] not in SHAPES)


def _check_mapped(frame: Frame, op: Op, arguments: Arguments) -> None:
    """Report a function that is mapped over the leaves of trees of which one was donated."""
    mapped, *trees = arguments.positional
    function, names = underlying(mapped), visible_names(mapped)
    if function is not None:
        check_handed(frame, op, function, dict(zip(names, trees)))
    elif mapped.kind is API and _reads(mapped.name):
        for place, tree in enumerate(trees, 1):
            for part in buffers(tree):
                check_donated(frame, arguments.written(place) or op, part)


def check_transformed(frame: Frame, op: Op, wrapped: Wrapped, arguments: Arguments) -> None:
    """Report a call of a mapped or differentiated function whose body reads what was donated."""
    function, names = underlying(wrapped.callee), visible_names(wrapped.callee)
    if function is not None and frame.state is not None and DONATED in frame.state.used:
        given = {names[place]: value for place, _, value, _ in placed(arguments) if 0 <= place < len(names)}
        check_handed(frame, op, function, {**given, **arguments.keywords})


def check_handed(frame: Frame, op: Op, function: FunctionValue, bound: Mapping[str, Value]) -> None:
    """Report a call of a function of the project that reads what was donated: an argument, or what it captures."""
    if certain(frame.ambient) is not None or function.function is frame.function or function.function.is_generator:
        return
    captured: Iterable[str] = ()
    if function.frame is frame:
        captured = (name for name in chains_of(function.function).names if name not in function.function.scope.names)
    seen = {**{name: found for name in captured if (found := frame.live().names.get(name)) is not None}, **bound}
    for name, value in seen.items():
        if value.kind not in BUFFERS and not value.parts:
            continue
        read = _read_in(frame, op, function, name, value, 0)
        if read is not None:
            used, steps, loops = read
            at = _written(op, function, name) if name in bound else None
            subject = f"{name if at is None else phrase(at)}{steps}"
            form: DonatedForm = "turn" if loops and used.op is op else "within"
            report_donated(frame, at or op, form, used.op, at or op, subject, function.function.name)
            return


ReadInside: TypeAlias = "tuple[Used, str, list[Op]]"
"""The call that something was donated to, the text of the steps to it, and the loops that have gone on since."""


def _written(op: Op, function: FunctionValue, name: str) -> Op | None:
    """The argument of a call that a parameter gets, if it is written there; behind the function that a map is given."""
    if type(op) is not ops.Call:
        return None
    by_name = next((value for keyword, value in op.keywords if keyword == name), None)
    names = [parameter.name for parameter in function.function.parameters if parameter.kind in ("positional", "normal")]
    if by_name is not None or name not in names or any(type(argument) is ops.Star for argument in op.args):
        return by_name
    place = names.index(name) - (function.owner is not None and function.receiver == "instance")
    place += imported_name(op.func) in MAPPING
    if place < 0:
        return op.func.base if type(op.func) is ops.Attr else None
    return op.args[place] if place < len(op.args) else None


def _read_in(frame: Frame, call: Op, function: FunctionValue, name: str, value: Value, depth: int) -> ReadInside | None:
    """A read of a name in a body that is made in every run of it, if it reads what was donated."""
    body = function.function
    chains = chains_of(body)
    bound_at = _first_bound(chains, name)
    for use in islice(chains.names.get(name, ()), MAXIMUM_USES):
        if use.anchor.line > bound_at or (body.kind != "lambda" and any(chains.tests_on(chains.way_to(use)))):
            continue
        found = _climbed(frame, call, chains, function, use, value, depth)
        if found is not None:
            return found
    return None


@searched_for
def _first_bound(chains: Chains, name: str) -> float:
    """The first line that binds a name in a body; infinite if none does."""
    return min((statement.anchor.line for _, statement in chains.stored_to(name)), default=inf)


def _climbed(
    frame: Frame, call: Op, chains: Chains, function: FunctionValue, op: Op, value: Value, depth: int
) -> ReadInside | None:
    """The read of a donated value that a read of a name leads to, through the attributes and items taken of it."""
    donated: tuple[Used, list[Op]] | None = None
    name = phrase(op)
    for _ in range(MAXIMUM_STEPS + 1):
        donated = donated or donation_of(frame, call, value)
        around = chains.parents.get(op)
        if donated is not None and _is_read(function, around, op, value):
            return donated[0], phrase(op).removeprefix(name), donated[1]
        if type(around) is ops.Call:
            found = _read_below(frame, call, function, around, op, value, depth)
            return (found[0], f"{phrase(op).removeprefix(name)}{found[1]}", found[2]) if found is not None else None
        if type(around) is ops.Attr and around.name not in KNOWN and _is_field(value, around.name):
            value = access.attribute(frame, value, around.name, around) if donated is None else value
        elif type(around) is ops.Item and around.base is op and type(around.index) is ops.Const:
            value = access.read(frame, value, ("[]", around.index.value), around) if donated is None else value
        else:
            return None
        op = around
    return None


def _is_field(value: Value, name: str) -> bool:
    """Is an attribute of an object what was stored there, and nothing that its class makes?"""
    return type(value.payload) is not InstanceOf or lookup(value.payload.owner, name) is None


def _is_read(function: FunctionValue, around: Op | None, op: Op, value: Value) -> bool:
    """Does what stands around an op read the array that it is, or the arrays of a tree?"""
    match around:
        case ops.Operate(operator=operator):
            return operator != "not"
        case ops.Compare(operators=operators):
            return operators[0] not in ("is", "is not", "in", "not in")
        case ops.Build(kind="text" | "format"):
            return True
        case ops.Item(base=base):
            return base is op and value.kind is ARRAY
        case ops.Attr(name=name):
            return value.kind is ARRAY and name not in KNOWN
        case ops.Loop(source=source):
            return source is op and value.kind is ARRAY
        case ops.Call(func=func) if func is not op:
            name = imported_name(func)
            if name and _reads(name):
                return True
            callee = _callee(function, func)
            return callee is not None and runs_compiled(callee)
    return False


def _callee(function: FunctionValue, func: Op) -> Value | None:
    """What a function of the project calls by a name from around it."""
    if type(func) is not ops.Name or func.name in function.function.scope.names:
        return None
    return bound_to(function.frame, func.name)


def _read_below(
    frame: Frame, call: Op, function: FunctionValue, around: ops.Call, op: Op, value: Value, depth: int
) -> ReadInside | None:
    """A read of a donated value in a function that the body calls with it, or maps over its leaves."""
    if imported_name(around.func) in MAPPING and around.args and op in around.args[1:]:
        return _read_by_mapped(frame, call, function, around, op, value)
    callee = _callee(function, around.func) if depth < MAXIMUM_CALLS else None
    inner = callee.payload if callee is not None else None
    if not isinstance(inner, FunctionValue) or op not in around.args:
        return None
    parameters = inner.function.parameters
    place = around.args.index(op)
    if place >= len(parameters) or parameters[place].kind not in ("positional", "normal"):
        return None
    return _read_in(frame, call, inner, parameters[place].name, value, depth + 1)


def _read_by_mapped(
    frame: Frame, call: Op, function: FunctionValue, around: ops.Call, op: Op, value: Value
) -> ReadInside | None:
    """A read of the leaves of a donated tree in a function that the body maps over them, which is written there."""
    mapped, place = around.args[0], around.args.index(op) - 1
    donated = donation_of(frame, call, value)
    if donated is None:
        return None
    if type(mapped) is not ops.Closure:
        return (donated[0], "", donated[1]) if _reads(imported_name(mapped)) else None
    parameters = mapped.function.parameters
    if place >= len(parameters) or parameters[place].kind not in ("positional", "normal"):
        return None
    chains = chains_of(mapped.function)
    for use in islice(chains.names.get(parameters[place].name, ()), MAXIMUM_USES):
        if _is_read(function, chains.parents.get(use), use, value):
            return donated[0], "", donated[1]
    return None
