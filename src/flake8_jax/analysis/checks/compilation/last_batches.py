"""Last batches, which are shorter than the others, so that a training step is compiled a second time for them.

    for i in range(0, len(xs), n):
        w = step(w, xs[i : i + n])          `n` need not divide `len(xs)`
    for x in batches(xs, n):                a generator that yields such slices
    for x in DataLoader(data, n):           a loader that is not told to drop the last one

The length of data is seldom in the source, so what counts is that nothing there makes it fit: neither `len(xs) // n`
nor `len(xs) % n` is computed, no test asks for the length of a batch, and nothing pads it.  It costs one program, once:
it is worth a word where that is a step of training, which differentiates, and whose result the next turn takes, in a
single pass over the data: each epoch after the first has the program.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flake8_jax.analysis.callables import FunctionValue, InstanceOf, Wrapped, underlying
from flake8_jax.analysis.checks.compilation.loaders import keeps_last
from flake8_jax.analysis.checks.compilation.turns import number_of, sized_by, turned_by
from flake8_jax.analysis.checks.compilation.varying import Changing
from flake8_jax.analysis.checks.naming import imported_name
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.classes import lookup
from flake8_jax.analysis.objects.narrowing import peek
from flake8_jax.domain.kinds import NUMBER
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import Chains, chains_of, searched_once
from flake8_jax.ir.ops import Function, Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.walking import within
from flake8_jax.lazy_dataclasses import dataclass

DEEPEST = 8
"""Through how many names, conversions and displays a batch is followed."""

CONVERTING = frozenset(("array", "asarray", "device_put", "from_dlpack"))
"""The last names of functions whose result is as long as the first argument."""

KEEPING = frozenset(("astype", "cpu", "detach", "float", "items", "long", "numpy", "reshape", "to", "values", "view"))
"""The methods whose result is as long as their object, or holds what it holds."""

MAPPING = frozenset(("jax.tree.map", "jax.tree_map", "jax.tree_util.tree_map"))
SPLITTING = frozenset(("jax.numpy.array_split", "numpy.array_split"))

WORK = 4000
"""How many ops are looked at to see whether a function differentiates."""


@dataclass(frozen=True, slots=True)
class BatchBody:
    """A body in which batches are made, and the frame in which its names are looked up, if it is run now."""

    function: Function
    frame: Frame
    is_run: bool

    @property
    def chains(self) -> Chains:
        """Its chains."""
        return chains_of(self.function)

    def value(self, op: Op) -> Value | None:
        """What is known of a name or attribute here; of a body that is not run, only the file's own names."""
        if self.is_run:
            return peek(self.frame, op)
        if type(op) is not ops.Name or op.scope.lookup(op.name).owner is self.function.scope:
            return None
        return self.frame.namespace.file.value(op.name)


def last_batch_in(
    frame: Frame, op: ops.Call, wrapped: Wrapped, given: list[Op], loops: tuple[Op, ...]
) -> Changing | None:
    """What makes the last batch shorter, as far as the source shows, that a training step is given in a loop."""
    if not loops or not (wrapped.applied.transform.updates or _is_handed_on(frame, op)):
        return None
    found = _first(BatchBody(frame.function, frame, True), tuple(given), loops, 0)
    if found is None or _is_run_again(chains_of(frame.function), found.loop):
        return None
    return found if differentiates(wrapped) else None


def _is_run_again(chains: Chains, loop: Op) -> bool:
    """Does a loop run in another one, as in each epoch, which has the program of its last batch from the second on?"""
    return any(type(around) is ops.Loop and around is not loop for around in chains.way_to(loop))


def _is_handed_on(frame: Frame, op: ops.Call) -> bool:
    """Does a statement bind what a call gives to something that the call is given: `w, loss = step(w, x)`?"""
    chains = chains_of(frame.function)
    store = next((one for one in reversed(chains.way_to(op)) if type(one) is ops.Store), None)
    if store is None:
        return False
    bound = {phrase(one) for target in store.targets for one in within(target) if type(one) in (ops.Attr, ops.Name)}
    given = (one for argument in (*op.args, *(value for _, value in op.keywords)) for one in within(argument))
    return any(type(one) in (ops.Attr, ops.Name) and phrase(one) in bound for one in given)


def _shorter(body: BatchBody, op: Op, loops: tuple[Op, ...], depth: int = 0) -> Changing | None:
    """What makes the last of what an expression gives on the turns of loops shorter than the others."""
    if depth > DEEPEST:
        return None
    match op:
        case ops.Name():
            return _of_name(body, op, loops, depth)
        case ops.Item(index=ops.Const(value=str())):
            return _shorter(body, op.base, loops, depth + 1)
        case ops.Item(base=ops.Name() as base, index=ops.Const(value=int())):
            return _of_name(body, base, loops, depth, False)
        case ops.Item(index=index):
            first = index.parts[0] if type(index) is ops.Build and index.kind == "tuple" and index.parts else index
            if type(first) is ops.Build and first.kind == "slice":
                return _of_slice(body, op, first, loops)
            return _shorter(body, first, loops, depth + 1) if type(first) in (ops.Item, ops.Name) else None
        case ops.Call(func=func, args=args):
            name = imported_name(func)
            if name in MAPPING and len(args) > 1:
                return _shorter(body, args[1], loops, depth + 1)
            if name.rpartition(".")[2] in CONVERTING and args:
                return _shorter(body, args[0], loops, depth + 1)
            if type(func) is ops.Attr and func.name in KEEPING and not name:
                return _shorter(body, func.base, loops, depth + 1)
        case ops.Operate(operands=inner) | ops.Build(kind="tuple" | "list", parts=inner):
            return _first(body, inner, loops, depth)
        case ops.BuildDict(items=items):
            return _first(body, tuple(value for _, value in items), loops, depth)
        case ops.Gather(element=element, clauses=(clause,)):
            return _first(body, (*element[-1:], clause.source), loops, depth)
    return None


def _first(body: BatchBody, several: tuple[Op, ...], loops: tuple[Op, ...], depth: int) -> Changing | None:
    found = (_shorter(body, one, loops, depth + 1) for one in several)
    return next((one for one in found if one is not None), None)


def _of_name(
    body: BatchBody, read: ops.Name, loops: tuple[Op, ...], depth: int, may_be_slice: bool = True
) -> Changing | None:
    """What a name holds: an element of what a loop runs through, or what a statement in the loop binds."""
    definition = body.chains.found_by(read)
    if type(definition) is not ops.Name:
        return None
    for loop in loops:
        if type(loop) is ops.Loop and loop.target is not None and any(one is definition for one in within(loop.target)):
            return _of_loop(body, loop, definition, depth)
    store = body.chains.statement_of(definition)
    if type(store) is not ops.Store or store.kind != "assign" or store.value is None:
        return None
    if not any(loop in body.chains.way_to(store) for loop in loops):
        return None
    if not may_be_slice and type(store.value) is not ops.Name:
        return None
    return _shorter(body, store.value, loops, depth + 1)


def _of_loop(body: BatchBody, loop: ops.Loop, element: ops.Name, depth: int) -> Changing | None:
    """The last element of what a loop runs through: of a loader, of what a generator yields, of an uneven split."""
    if _asks_for_length(loop, ""):
        return None
    parts = loop.target.parts if type(loop.target) is ops.Unpack else ()
    number = next((number for number, part in enumerate(parts) if part is element), None)
    for source in _run_through(body, loop.source):
        if (loader := keeps_last(body.frame, body.chains, source)) is not None:
            return Changing("kept", f"{phrase(source)}\n{loader}", loop)
        if _is_uneven(body, source):
            return Changing("uneven", phrase(source), loop)
        generator = _generator(body, source)
        found = _yielded(generator, number, depth) if generator is not None else None
        if found is not None:
            return Changing(found.form, found.subject, loop)
    return None


def _run_through(body: BatchBody, source: Op) -> Iterator[Op]:
    """What a loop runs through, without what counts its turns or shows them."""
    waiting = [source]
    while waiting:
        one = waiting.pop()
        if body.is_run and type(one) is ops.Call and (passed := turned_by(body.frame, one)):
            waiting += () if imported_name(one.func) == "zip" else passed
        else:
            yield one


def _is_uneven(body: BatchBody, source: Op) -> bool:
    """Is something split into pieces whose number is a quotient, and does nothing else look at what is left over?"""
    if type(source) is not ops.Call or imported_name(source.func) not in SPLITTING or len(source.args) != 2:
        return False
    pieces = source.args[1]
    divided = [one for one in within(pieces) if type(one) is ops.Operate and one.operator == "//"]
    if len(divided) != 1 or body.value(pieces) is not None:
        return False
    step = phrase(divided[0].operands[-1])
    return not any(one not in divided for one in _divisions(body.function, step))


def _generator(body: BatchBody, source: Op) -> FunctionValue | None:
    """The generator function whose elements a loop runs through: one that is called, or the method of an object."""
    called = body.value(source.func) if type(source) is ops.Call else None
    value = called if called is not None else body.value(source)
    if called is None and value is not None and type(value.payload) is InstanceOf:
        value = lookup(value.payload.owner, "__iter__")
    found = underlying(value) if value is not None else None
    return found if found is not None and found.function.is_generator else None


def _yielded(generator: FunctionValue, number: int | None, depth: int) -> Changing | None:
    """The slices that a generator yields in a loop, on all its turns."""
    body = BatchBody(generator.function, generator.frame, False)
    for statement in generator.function.body:
        for one in within(statement):
            if type(one) is not ops.Suspend or one.kind != "yield" or one.value is None:
                continue
            way = body.chains.way_to(one)
            loops = tuple(each for each in way if type(each) is ops.Loop)
            if not loops or any(type(each) is ops.Branch for each in way[way.index(loops[-1]) :]):
                continue
            value = one.value
            if number is not None and type(value) is ops.Build and number < len(value.parts):
                value = value.parts[number]
            if (found := _shorter(body, value, loops, depth + 1)) is not None:
                return found
    return None


def _of_slice(body: BatchBody, source: ops.Item, bounds: ops.Build, loops: tuple[Op, ...]) -> Changing | None:
    """A slice from a loop's counter on that ends a step later, where the last step may go beyond the end."""
    start, stop = (_bound(body, one) for one in bounds.parts[:2])
    for loop in loops:
        counter = loop.target if type(loop) is ops.Loop else None
        if type(loop) is not ops.Loop or type(counter) is not ops.Name or type(loop.source) is not ops.Call:
            continue
        if imported_name(loop.source.func) != "range" or len(loop.source.args) != 3:
            continue
        _, end, step = loop.source.args
        is_from = type(start) is ops.Name and start.name == counter.name
        if not is_from or not _ends_a_step_later(stop, counter.name, phrase(step)):
            continue
        if _is_length(body, end) and not _fits(body, loop, end, step):
            return Changing("tail", f"{phrase(source)}\n{phrase(step)}\n{phrase(end)}", loop)
    return None


def _bound(body: BatchBody, op: Op) -> Op:
    """The bound of a slice, through a name that a statement binds to it."""
    if type(op) is not ops.Name:
        return op
    store = body.chains.statement_binding(op)
    return store.value if type(store) is ops.Store and store.value is not None and store.kind == "assign" else op


def _ends_a_step_later(stop: Op, counter: str, step: str) -> bool:
    """Is it `i + step`, or `min(i + step, n)`?"""
    if type(stop) is ops.Call and type(stop.func) is ops.Name and stop.func.name == "min":
        return any(_ends_a_step_later(one, counter, step) for one in stop.args)
    if type(stop) is not ops.Operate or stop.operator != "+":
        return False
    return sorted(map(phrase, stop.operands)) == sorted((counter, step))


def _is_length(body: BatchBody, end: Op) -> bool:
    """Is a number the length of something, and not known?"""
    if type(end) is ops.Name:
        definition = body.chains.found_by(end)
        store = body.chains.statement_of(definition) if type(definition) is ops.Name else None
        if type(store) is ops.Store and store.kind == "assign":
            return sized_by(_given(end.name, store), end) is not None
        value = body.value(end) if definition is None and body.is_run else None
        return value is not None and value.kind is NUMBER and sized_by(value.made_by, end) is not None
    return sized_by(end, end) is not None


def _given(name: str, store: ops.Store) -> Op:
    """What a statement gives to a name: a statement that unpacks, or the value."""
    is_plain = any(type(target) is ops.Name and target.name == name for target in store.targets)
    return store.value if is_plain and store.value is not None else store


def _fits(body: BatchBody, loop: ops.Loop, end: Op, step: Op) -> bool:
    """Does something show that the step divides the length, or look at what is left over?"""
    number = number_of(body.frame, step) if body.is_run else None
    known = number_of(body.frame, end) if body.is_run else None
    if number == 1 or (type(step) is ops.Const and step.value == 1) or (known is not None and number is not None):
        return True
    text = phrase(step)
    return _asks_for_length(loop, text) or bool(_divisions(body.function, text))


def _divisions(function: Function, step: str) -> Sequence[Op]:
    """The divisions by a step in a function that give what is left over, or how often it fits."""
    return _divided(function).get(step, ())


@searched_once
def _divided(function: Function) -> dict[str, list[Op]]:
    """The divisions in a function, by the text of the divisor."""
    found: dict[str, list[Op]] = {}
    for statement in function.body:
        for one in within(statement):
            if type(one) is ops.Operate and one.operator in ("%", "//"):
                found.setdefault(phrase(one.operands[-1]), []).append(one)
    return found


def _asks_for_length(loop: ops.Loop, step: str) -> bool:
    """Does a test in a loop ask how long something is, or for the step?"""
    for statement in loop.body:
        for one in within(statement):
            test = one.test if type(one) in (ops.Branch, ops.Choose) else None  # type: ignore[attr-defined]
            for inner in within(test) if test is not None else ():
                if type(inner) is ops.Call and type(inner.func) is ops.Name and inner.func.name == "len":
                    return True
                if type(inner) is ops.Attr and inner.name in ("shape", "size"):
                    return True
                if step and type(inner) in (ops.Attr, ops.Name) and phrase(inner) == step:
                    return True
    return False


def differentiates(wrapped: Wrapped) -> bool:
    """Does a function take derivatives, or one that it calls by name?"""
    found = underlying(wrapped.callee)
    waiting, seen, work = [(found, found.function)] if found is not None else [], set(), WORK
    while waiting:
        at, function = waiting.pop()
        seen.add(function)
        waiting += ((at, inner) for inner in function.functions if inner not in seen)
        for statement in function.body:
            for one in within(statement):
                work -= 1
                if type(one) is not ops.Call or work < 0:
                    continue
                transform = at.frame.program.table.transform(imported_name(one.func))
                if transform is not None and transform.mode in ("reverse", "forward"):
                    return True
                if type(one.func) is ops.Name and one.func.scope.lookup(one.func.name).owner is not function.scope:
                    called = at.frame.namespace.file.value(one.func.name)
                    inner = underlying(called) if called is not None else None
                    if inner is not None and inner.function not in seen:
                        waiting.append((inner, inner.function))
    return False
