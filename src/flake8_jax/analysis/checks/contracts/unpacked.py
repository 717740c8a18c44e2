"""Results of transforms and libraries that are unpacked in another way than they are made.

loss, grads = jax.grad(f)(params)               the gradient alone: of a dict its keys
grads, loss = jax.value_and_grad(f)(params)     the names say what is what
loss, aux, grads = jax.value_and_grad(f, has_aux=True)(params)
loss, grads = jax.value_and_grad(f, params)     a function, which is to be called
ys, state = jax.lax.scan(step, state, xs)       the second is called as what the first comes from
_, state = jax.lax.scan(step, state, xs)        all states: the last one is dropped on purpose
total = jax.lax.scan(add, 0.0, xs)
total / 2, total.sum(), jnp.exp(total)          a tuple of both parts, used as the first one

What the parts of a result are, rows of the table say.  Names are evidence only where both of them fit the other part.
"""

from __future__ import annotations

from collections.abc import Iterable

from flake8_jax.analysis.callables import Applied, Arguments, Wrapped
from flake8_jax.analysis.checks.instead import Advice, library_name
from flake8_jax.analysis.checks.naming import imported_name, scope_of
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.isolation import ADVICE, advising
from flake8_jax.analysis.summaries.deferral import emit
from flake8_jax.api.contracts import PAIR, ResultPart, ResultParts
from flake8_jax.domain.kinds import ARRAY, ARRAYS_AND_NUMBERS, DICT, TUPLE
from flake8_jax.domain.provenance import Context
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import chains_of
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.rewrite import ChangedOp, Rewrite, unsafe
from flake8_jax.lazy_dataclasses import dataclass
from flake8_jax.syntax.policies import RESULT_PART_NAMES

OF_TUPLES = frozenset(("count", "index"))
NAMED: dict[ResultPart, str] = {"auxiliary": "auxiliary data"}
ALONE, BOTH = "grad", "value_and_grad"
"""How names of transforms end that give gradients, alone or with the value."""


@dataclass(frozen=True, slots=True)
class ResultMisunpacked:
    """A result is unpacked into other parts than it has: `said` is what is wrong."""

    op: Op
    said: str
    instead: str
    words: str
    context: Context
    rewrite: Rewrite | None = None


def note_wrapped(frame: Frame, op: Op, applied: Applied) -> None:
    """Note what a call of a wrapped function returns."""
    name = applied.transform.name
    parts = frame.program.table.result_parts(name)
    is_known = bool(parts) and not applied.is_several and applied.has_aux is applied.returns_pair
    if not is_known:
        frame.results.pop(op, None)
        return
    if applied.has_aux:
        parts = (parts[0], "auxiliary") if len(parts) == 1 else (PAIR, *parts[1:])
    made = op.func if type(op) is ops.Call and type(op.func) is ops.Call else None
    transform = made.func if made is not None and imported_name(made.func) == name else None
    both = f"{name.removesuffix(ALONE)}{BOTH}" if name.endswith(ALONE) else ""
    both = both if frame.program.table.result_parts(both) == ("value", "gradient") else ""
    frame.results[op] = ResultParts(applied.text, parts, None, transform, both)


def note_run(frame: Frame, op: Op, name: str, arguments: Arguments, carried: Op | None, is_paired: bool) -> None:
    """Note what a call returns that runs its function, or a method of a library's object."""
    parts = frame.program.table.result_parts(name.lstrip("."))
    if parts and not arguments.is_open and not is_paired:
        text = phrase(op.func) if type(op) is ops.Call else name
        frame.results[op] = ResultParts(text, parts, carried, is_guessed=name.startswith("."))


def note_parts(frame: Frame, op: Op, text: str, parts: tuple[ResultPart, ...]) -> None:
    """Note what parts the result of a call has."""
    frame.results[op] = ResultParts(text, parts)


def check_whole(frame: Frame, op: Op, value: Value) -> bool:
    """Report a result of several parts where one of them is meant; is it one?"""
    if value.kind is not TUPLE or value.made_by is None:
        return False
    made = value.made_by
    answer = next((around.results[made] for around in frame.outwards() if made in around.results), None)
    parts = _parts_of(frame, op, value.made_by, answer) if answer is not None else ()
    if answer is None or len(parts) < 2:
        return False
    if not frame.context.is_prepared:
        text = phrase(op)
        if parts == ("value", "variables"):
            said = f"`{text}` is a pair, since `{answer.by}` is told what is `mutable`: the result, and the variables"
            words = f"unpack it as `{text}, variables`" if type(op) is ops.Name else "take its first part"
        else:
            known = f"`{text}` is" if type(op) is ops.Name else f"`{answer.by}` gives"
            said = f"{known} a tuple of {len(parts)} parts: {_listed(parts)}"
            words = "unpack it, and use the part that is meant"
        emit(frame, (ResultMisunpacked, op, ()), lambda: ResultMisunpacked(op, said, words, words, Context()))
    return True


def _parts_of(frame: Frame, op: Op, made_by: Op, answer: ResultParts) -> tuple[ResultPart, ...]:
    """The parts of what an expression gives: of a whole result, or of the pair that is its first part."""
    if answer.is_guessed or op is made_by or answer.parts == ("value", "variables"):
        return () if answer.is_guessed else answer.parts
    chains = chains_of(frame.function)
    definition = chains.found_by(op) if type(op) is ops.Name else None
    store = chains.statement_of(definition) if type(definition) is ops.Name else None
    if type(store) is not ops.Store or store.value is not made_by:
        return ()
    if definition in store.targets:
        return answer.parts
    firsts = [target.parts[0] for target in store.targets if type(target) is ops.Unpack]
    return ("value", "auxiliary") if answer.parts[0] == PAIR and definition in firsts else ()


def _listed(parts: tuple[ResultPart, ...]) -> str:
    *first, last = [f"the {NAMED.get(part, part)}" for part in parts]
    return f"{', '.join(first)} and {last}"


def check_attribute(frame: Frame, base: Value, op: ops.Attr) -> None:
    """Report an attribute of such a tuple that tuples do not have."""
    if base.kind is TUPLE and op.name not in OF_TUPLES:
        check_whole(frame, op.base, base)


def check_unpacked(frame: Frame, target: ops.Unpack, statement: ops.Store, value: Value) -> None:
    """Report the targets of a result that do not fit its parts."""
    answer = frame.results.get(statement.value) if statement.value is not None else None
    if type(value.payload) is Wrapped and statement.value is not None:
        _check_uncalled(frame, target, statement.value, value.payload.applied)
    if answer is None or frame.context.is_prepared or any(type(part) is ops.Star for part in target.parts):
        return
    count, parts = len(target.parts), answer.parts
    names = [part.name if type(part) is ops.Name else "" for part in target.parts]
    if parts == ("value",):
        if count == 2 and _fits(names[1], "variables") and not _fits(names[0], "variables") and value.kind is ARRAY:
            said = "is the result alone: variables come with it only under `mutable`"
            _report(frame, target, statement, answer, said, names)
    elif parts == ("variables",):
        if count > 1:
            _report(frame, target, statement, answer, "is one dict of variables: unpacked are its keys", names)
    elif len(parts) == 1:
        _check_single(frame, target, statement, value, answer, names)
    elif count != len(parts):
        if answer.is_guessed:
            return
        _report(frame, target, statement, answer, f"is unpacked into {count}, but it has {len(parts)} parts", names)
    elif count == 2 and (_is_swapped(names, parts) or _is_carried_second(names, answer)):
        one, two = names
        first = f"the {parts[0]} {'come' if parts[0].endswith('s') else 'comes'} first"
        _report(frame, target, statement, answer, f"is unpacked as `{one}, {two}`, but {first}", names)


def _check_uncalled(frame: Frame, target: ops.Unpack, unpacked: Op, applied: Applied) -> None:
    """Report a transformed function that is unpacked as what a call of it would give."""
    if not frame.program.table.result_parts(applied.transform.name) or frame.context.is_prepared or frame.is_expected:
        return
    said = f"`{phrase(unpacked)}` is a function, which has no parts before it is called"
    words = "call it with the arguments, and unpack what it returns"
    emit(
        frame, (ResultMisunpacked, target, ()),
        lambda: ResultMisunpacked(target, said, words, words, Context()),
    )  # fmt: skip


def _check_single(
    frame: Frame, target: ops.Unpack, statement: ops.Store, value: Value, answer: ResultParts, names: list[str]
) -> None:
    """Report the gradient alone that is unpacked as a value with its gradient, or that has no such parts."""
    is_pair = len(names) == 2 and _fits(names[0], "value") and _fits(names[1], "gradient")
    if is_pair:
        said = "is the gradient alone, and is unpacked as a value with its gradient"
    elif value.kind is DICT and value.entries is not None:
        said = "is a dict like the argument: unpacked are its keys"
    elif value.kind in ARRAYS_AND_NUMBERS and value.shape == ():
        said = f"is one number, like the argument, and is unpacked into {len(names)}"
    elif value.kind is TUPLE and value.elements is not None and len(value.elements) != len(names):
        said = f"is a tuple like the argument: unpacked into {len(names)}, it has {len(value.elements)} parts"
    else:
        return
    _report(frame, target, statement, answer, said, names)


def _is_swapped(names: list[str], parts: tuple[ResultPart, ...]) -> bool:
    """Do both names say that they are the other part?"""
    first, second = parts
    if not (_fits(names[0], second) and not _fits(names[0], first) and not _fits(names[1], second)):
        return False
    return _fits(names[1], first) or (second in ("pullback", "variables") and names[1].strip("_") != "")


def _is_carried_second(names: list[str], answer: ResultParts) -> bool:
    """Is the other part called as what the one comes from, and goes on with?"""
    carried = answer.carried.name if type(answer.carried) is ops.Name else None
    place = 1 if answer.parts[1] == "state" else 0
    if carried is None or answer.is_guessed or names[1 - place] != carried or names[place] in ("", carried):
        return False
    return place == 1 or (_fits(names[0], answer.parts[1]) and not names[0].startswith("_"))


def _fits(name: str, part: ResultPart) -> bool:
    return part in RESULT_PART_NAMES and RESULT_PART_NAMES[part].fullmatch(name.lstrip("_")) is not None


def _report(
    frame: Frame, target: ops.Unpack, statement: ops.Store, answer: ResultParts, said: str, names: Iterable[str]
) -> None:
    def make() -> ResultMisunpacked:
        words = _words(answer)
        if len(target.parts) > len(answer.parts) > 1 and PAIR not in answer.parts:
            words = f"{words}, and take the rest from these"
        advice = _rewritten(target, statement, answer, [*names], words)
        told, context = f"the result of `{answer.by}` {said}", Context(None, ())
        return ResultMisunpacked(target, told, advice.text, words, context, advice.rewrite)

    emit(frame, (ResultMisunpacked, target, ()), make)


def _words(answer: ResultParts) -> str:
    if len(answer.parts) == 1:
        return f"use `{answer.both}` for both, or bind it to one name" if answer.both else "bind it to one name"
    spelt_parts = ["(value, auxiliary)" if part == PAIR else part for part in answer.parts]
    return f"unpack it as `{', '.join(spelt_parts)}`"


@advising(ADVICE, Advice(""))
def _rewritten(target: ops.Unpack, statement: ops.Store, answer: ResultParts, names: list[str], words: str) -> Advice:
    """The statement with targets that fit, where the names tell which."""
    value = statement.value
    if "" in names or len(statement.targets) != 1 or value is None or type(value) is not ops.Call:
        return Advice(words)
    parts = answer.parts
    if len(parts) == 1 and answer.transform is not None and answer.both and _fits(names[0], "value"):
        new = library_name(scope_of(answer.transform), answer.both)
        return Advice(f"use `{new.text}`", unsafe(Rewrite((ChangedOp(answer.transform, (new,)),))))
    if len(parts) == 2 and len(names) == 2:
        order = f"{names[1]}, {names[0]}"
    elif parts == (PAIR, "gradient") and len(names) == 3 and _fits(names[2], "gradient"):
        order = f"({names[0]}, {names[1]}), {names[2]}"
    else:
        return Advice(words)
    return Advice(f"unpack it as `{order}`", unsafe(Rewrite((ChangedOp(target, (order,)),))))
