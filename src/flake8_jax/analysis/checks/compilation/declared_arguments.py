"""Names and numbers of arguments that a transform is told, and that its function does not have.

@partial(jax.jit, static_argnames="a,b")            one name, which no parameter has
@partial(jax.jit, static_argnames=("n_steps",))     the parameter is called `nsteps`
jax.jit(self.step, static_argnums=3)                counted with `self`
jax.jit(f, static_argnums=1, donate_argnums=1)      static and donated

`jit` compares them with the signature when it is applied, and raises; names are not compared where there is `**kwargs`,
numbers not where there is `*args`.  `pmap` and `checkpoint` find out in the first call.
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from typing import Literal, TypeAlias

from flake8_jax.analysis.callables import FunctionValue, shown_as
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.isolation import ADVICE, advising
from flake8_jax.analysis.objects.literals import literals
from flake8_jax.analysis.objects.signatures import Signature, declared_signature
from flake8_jax.analysis.summaries.deferral import emit
from flake8_jax.api.static_options import REFUSING, REFUSING_IN_CALLS
from flake8_jax.api.transforms import Transform
from flake8_jax.domain.provenance import Context
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.ir.rewrite import ChangedOp, Piece, Quoted, Rewrite, unsafe
from flake8_jax.lazy_dataclasses import dataclass
from flake8_jax.lazy_patterns import compiled

OptionFault: TypeAlias = Literal["unknown", "bound", "joined", "positional", "no number", "beyond", "both"]

NUMBERS = frozenset(("static_argnums", "donate_argnums", "static_broadcasted_argnums"))
NAMES = {"static_argnums": "static_argnames", "donate_argnums": "donate_argnames"}
"""The options that take numbers, and those that say the same by names."""

LONGEST = 5
"""How many parameters a message lists."""

ALIKE = 0.8
"""From which likeness on a name is taken for another one that was meant."""

SEPARATED = compiled(r"[,\s]+")


@dataclass(frozen=True, slots=True)
class OptionRefused:
    """An option of a transform names an argument that the function does not have, or that is declared otherwise.

    `option` is that option, `subject` the name or number as text, `function` the name of the function, `taken` its
    parameters as text and `count` how many it takes by position, `is_bound`: it is the method of an object, whose
    `self` is no argument.  `other` is the option that says otherwise, or which takes what this one does not; of a
    name that is unknown, what to do.
    """

    op: Op
    fault: OptionFault
    option: str
    subject: str
    function: str
    taken: str
    count: int
    is_bound: bool
    other: str
    context: Context
    rewrite: Rewrite | None = None


def is_refused(frame: Frame, op: Op, function: Value, transform: Transform, given: dict[str, Value]) -> bool:
    """Report the options that name arguments which the function does not have: then nothing of it is ever traced."""
    if transform.name not in REFUSING and transform.name not in REFUSING_IN_CALLS:
        return False
    said = {name: held for name in _options(transform) if (held := _said(given.get(name)))}
    found = shown_as(function) if said and not frame.context.is_prepared else None
    signature = declared_signature(function, found) if found is not None else None
    if found is None or signature is None:
        return False
    faults = {option: next(_faults(option, items, signature, transform), None) for option, items in said.items()}
    if transform.name in REFUSING and (common := _in_both(said, signature)) is not None:
        faults[common[0]] = "both", common[1]
    for option, fault in faults.items():
        if fault is not None:
            _report(frame, _where(op, option), option, fault, found, signature)
    return any(fault is not None for fault in faults.values())


def _options(transform: Transform) -> Iterator[str]:
    for parameter in transform.parameters:
        if parameter.name in NUMBERS or parameter.name in NAMES.values():
            yield parameter.name


def _said(value: Value | None) -> list[object]:
    """The names and numbers that an option is told; none where they are not all known."""
    found = literals(value) if value is not None else None
    return [literal for literal in found or () if isinstance(literal, (str, int))]


def _faults(
    option: str, items: list[object], signature: Signature, transform: Transform
) -> Iterator[tuple[OptionFault, str]]:
    """What is wrong with the items of one option, each with its text."""
    count = len(signature.positional)
    for item in items:
        if option in NUMBERS and isinstance(item, str):
            yield "no number", item
        elif option in NUMBERS and isinstance(item, int):
            if not signature.takes_more and not -count <= item < count:
                yield "beyond", str(item)
        elif isinstance(item, str) and transform.name in REFUSING:
            parts = [part for part in SEPARATED.split(item) if part]
            if item in signature.unnamed:
                yield "positional", item
            elif len(parts) > 1 and all(part in signature.named for part in parts):
                yield "joined", item
            elif item not in signature.named and not signature.is_open:
                yield "bound" if item == "self" and signature.is_bound else "unknown", item


def _in_both(said: dict[str, list[object]], signature: Signature) -> tuple[str, str] | None:
    """The first argument that is static and donated, with the option that donates it."""
    static, donated = (_named(said, word, signature) for word in ("static", "donate"))
    common = next((name for name in signature.positional if name in static & donated), None)
    common = common or next(iter(sorted(static & donated)), None)
    option = "donate_argnames" if "donate_argnames" in said else "donate_argnums"
    return (option, common) if common is not None else None


def _named(said: dict[str, list[object]], word: str, signature: Signature) -> frozenset[str]:
    """The arguments that an option of names tells, or else one of numbers."""
    if f"{word}_argnames" in said:
        return frozenset(one for one in said[f"{word}_argnames"] if isinstance(one, str))
    numbers = [one for one in said.get(f"{word}_argnums", ()) if isinstance(one, int)]
    return frozenset(name for number in numbers if (name := signature.place(number)) is not None)


def _where(op: Op, option: str) -> tuple[ops.Call | None, Op]:
    """The call that is told an option, and the op of what it is told; the transform where that stands elsewhere."""
    call: Op = op
    while type(call) is ops.Call:
        for name, value in call.keywords:
            if name == option:
                return call, value
        call = call.func
    return None, op


def _report(
    frame: Frame, where: tuple[ops.Call | None, Op], option: str, fault: tuple[OptionFault, str],
    found: FunctionValue, signature: Signature,
) -> None:  # fmt: skip
    call, place = where
    kind, subject = fault

    def make() -> OptionRefused:
        known = [
            parameter.name
            for parameter in found.function.parameters
            if parameter.name in signature.named | signature.unnamed
        ]
        listed = [f"`{name}`" for name in known[:LONGEST]] + ["..."] * (len(known) > LONGEST)
        taken, other = ", ".join(listed) or "none", _other(kind, option)
        if kind == "unknown":
            is_last = {*known} <= {constant.value for constant in _constants(place)}
            other = "take it out" if is_last else "take it out, unless one of these is meant"
        rewrite = _repaired(call, place, option, fault, signature)
        return OptionRefused(
            place, kind, option, subject, found.function.name, taken, len(signature.positional), signature.is_bound,
            other, Context(None, ()), rewrite,
        )  # fmt: skip

    emit(frame, (OptionRefused, place, kind), make)


def _other(kind: OptionFault, option: str) -> str:
    """The option that is meant, or that says otherwise."""
    if kind == "both":
        return option.replace("donate", "static")
    named = {**NAMES, **{names: numbers for numbers, names in NAMES.items()}}
    return named.get(option, option)


@advising(ADVICE, None)
def _repaired(
    call: ops.Call | None, place: Op, option: str, fault: tuple[OptionFault, str], signature: Signature
) -> Rewrite | None:
    """The changes that name the argument rightly, where it is evident which one is meant."""
    kind, subject = fault
    if call is None:
        return None
    if kind == "joined" and type(place) is ops.Const:
        parts = ", ".join(f'"{part}"' for part in SEPARATED.split(subject) if part)
        return Rewrite((ChangedOp(place, (f"({parts})",)),))
    if kind == "unknown":
        said = {constant.value for constant in _constants(place)}
        near = get_close_matches(subject, sorted(signature.named - said), 2, ALIKE)
        written = next((constant for constant in _constants(place) if constant.value == subject), None)
        if len(near) == 1 and written is not None:
            return unsafe(Rewrite((ChangedOp(written, (f'"{near[0]}"',)),)))
    if kind == "no number" and option in NAMES and all(type(constant.value) is str for constant in _constants(place)):
        names = [str(constant.value) for constant in _constants(place)]
        if set(names) <= signature.named and all(type(argument) is not ops.Star for argument in call.args):
            return Rewrite((ChangedOp(call, (*_renamed(call, option),)),))
    if kind == "beyond" and signature.is_bound and int(subject) == len(signature.positional):
        numbers = _constants(place)
        if numbers and all(type(number.value) is int and number.value > 0 for number in numbers):
            shifted = [str(int(str(number.value)) - 1) for number in numbers]
            text = shifted[0] if type(place) is ops.Const else f"({', '.join(shifted)}{',' * (len(shifted) == 1)})"
            return unsafe(Rewrite((ChangedOp(place, (text,)),)))
    return None


def _constants(op: Op) -> list[ops.Const]:
    """The constants that an option is written with."""
    if type(op) is ops.Const:
        return [op]
    parts = op.parts if type(op) is ops.Build else ()
    found = [part for part in parts if type(part) is ops.Const]
    return found if len(found) == len(parts) else []


def _renamed(call: ops.Call, option: str) -> Iterator[Piece]:
    """A call with the option of names in the place of that of numbers."""
    yield Quoted(call.func)
    yield "("
    for place, argument in enumerate(call.args):
        yield ", " if place else ""
        yield Quoted(argument)
    for place, (name, value) in enumerate(call.keywords, len(call.args)):
        yield f"{', ' if place else ''}{NAMES[option] if name == option else name}=" if name is not None else ", **"
        yield Quoted(value, 60)
    yield ")"
