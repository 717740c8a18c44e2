"""Updates of optimizers that leave out what the optimizer needs.

tx = optax.chain(optax.clip(1.0), optax.adamw(1e-3))    what one of them needs, the chain needs
tx.update(grads, state)                                 weights decay: it needs the parameters

What an optimizer needs is known by the call that made it, and by a method `update` alone.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partial
from typing import ClassVar

from flake8_jax.analysis.callables import Arguments
from flake8_jax.analysis.checks.advice.arrays import ArrayWriter
from flake8_jax.analysis.checks.contracts.broken import breaking, report
from flake8_jax.analysis.checks.instead import Advice
from flake8_jax.analysis.checks.naming import is_local, scope_of
from flake8_jax.analysis.checks.wording import handed
from flake8_jax.analysis.evidence import CallSite, Need, OutcomeAtCall, arguments_at
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.isolation import ADVICE, advising
from flake8_jax.analysis.summaries.deferral import leave
from flake8_jax.api.contracts import INNER, UPDATED
from flake8_jax.domain.constants import NOTHING
from flake8_jax.domain.effects import Finding
from flake8_jax.domain.kinds import HARMLESS_AS_ARGUMENT, INPUT, OBJECT, Kind
from flake8_jax.domain.provenance import Hop
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.rewrite import ChangedOp, Piece, Quoted, Rewrite, spelt, unsafe
from flake8_jax.lazy_dataclasses import dataclass, replace
from flake8_jax.syntax.positions import unpacked

UPDATE = "update"
NOTHING_MORE: frozenset[str] = frozenset()
GRADIENTS = ("jax.grad", "jax.value_and_grad")
MAXIMUM_DEPTH = 3
"""How deep in an argument an optimizer is looked for that another one is made of."""


@dataclass(frozen=True, slots=True)
class NeedsNoMore(Need):
    """The optimizer that is passed must not need an argument that this call of `update` leaves out."""

    asks: ClassVar = "`{0.op.func}` gets no {0.missing}", "an optimizer that needs it"
    op: ops.Call
    missing: frozenset[str]
    harmless: ClassVar[frozenset[Kind]] = HARMLESS_AS_ARGUMENT - {OBJECT}

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """Violated by an optimizer that needs it."""
        for _, actual in arguments_at(site, self.dependences):
            if lacking := update_needs(site.frame, actual) & self.missing:
                yield _lacking(self.op, lacking, actual, site.op, site.chain)
                return
            if actual.input is not None:
                yield replace(self, dependences=frozenset((actual.input,)))


def note_made(frame: Frame, op: Op, name: str, arguments: Arguments) -> None:
    """Note what an optimizer needs that a call makes; nothing, if other runs of the call make others."""
    needs = frame.program.table.update_needs(name)
    if needs is None:
        return
    found = frozenset(filter(None, (_if_given(one, arguments) for one in needs)))
    if INNER in needs:
        found = found - {INNER} | {one for value in arguments.values() for one in _held(frame, value)}
    known = frame.program.optimizers.get(op)
    frame.program.optimizers[op] = found if known is None else found & known


def _if_given(need: str, arguments: Arguments) -> str:
    """A need that an argument decides, as `alike:momentum`, where it is given a number; "" where it is not."""
    word, _, option = need.partition(":")
    given = arguments.get(1, option) if option else None
    is_given = given is not None and type(given.constant) in (int, float) and given.constant != 0
    return word if is_given or not option else ""


def _held(frame: Frame, value: Value, depth: int = 0) -> frozenset[str]:
    """What the optimizers need that a value is, or holds."""
    found = update_needs(frame, value)
    if depth < MAXIMUM_DEPTH:
        for part in value.parts:
            found |= _held(frame, part, depth + 1)
    return found


def update_needs(frame: Frame, value: Value) -> frozenset[str]:
    """What the update of an optimizer needs, as far as the call shows that made it."""
    if value.kind is not OBJECT or value.made_by is None:
        return NOTHING_MORE
    return frame.program.optimizers.get(value.made_by, NOTHING_MORE)


def check_update(frame: Frame, op: ops.Call, base: Value, arguments: Arguments) -> None:
    """Report an update of an optimizer that leaves out what it needs; of inputs the callers decide."""
    if arguments.is_open or len(arguments.values()) < 2:
        return
    if base.kind is INPUT and base.input is not None and not frame.context.is_prepared:
        missing = frozenset(name for name in UPDATED if not _is_given(name, arguments))
        if missing:
            leave(frame, NeedsNoMore(op, base.dependences, missing))
        return
    needs = update_needs(frame, base)
    lacking = frozenset(name for name in UPDATED if name in needs and not _is_given(name, arguments))
    if lacking:
        report(frame, _lacking(op, lacking, base, op))


def _is_given(name: str, arguments: Arguments) -> bool:
    """Is a parameter of an update given something else than None?"""
    value = arguments.get(UPDATED[name], name)
    return value is not None and value.constant is not NOTHING.value


def _lacking(op: ops.Call, lacking: frozenset[str], tx: Value, call: Op, chain: tuple[Hop, ...] = ()) -> Finding:
    *rest, last = (f"`{name}`" for name in UPDATED if name in lacking)
    wanted = f"{', '.join(rest)} and {last}" if rest else last
    whence = handed(tx, call)
    needs = f"{whence.text} on line {whence.line} needs {'it' if len(lacking) == 1 else 'them'}"
    said = f"`{phrase(op.func)}` is called without {wanted}, but the optimizer {needs}"
    words = f"pass {wanted}, too" if lacking != {"params"} else "pass the parameters as third argument"
    return breaking(op, said, words, partial(_with_parameters, op, lacking, words), chain)


@advising(ADVICE, Advice(""))
def _with_parameters(op: ops.Call, lacking: frozenset[str], words: str) -> Advice:
    """The call with the parameters, where it is seen which the gradients are of, or they have a name here."""
    scope, name = scope_of(op), "params"
    if lacking != {name} or scope is None or len(op.args) != 2 or op.keywords:
        return Advice(words)
    tree, is_named = _differentiated(op.args[0]), is_local(scope, name)
    if tree == "" or (tree is None and not is_named):
        return Advice(words)
    given: tuple[Piece, ...] = tuple(piece for argument in op.args for piece in (Quoted(argument), ", "))
    pieces: tuple[Piece, ...] = (Quoted(op.func), "(", *given, tree or name, ")")
    if is_named and tree not in (None, name):
        return Advice(f"use `{spelt(*pieces)}`, with a state that is made of `{tree}`")
    return Advice(f"use `{spelt(*pieces)}`", unsafe(Rewrite((ChangedOp(op, pieces),))))


def _differentiated(gradients: Op) -> str | None:
    """The parameters of which a name holds the gradient, as they are written; "" if that is another expression or one
    of several, None where no gradient is seen.

    loss, grads = jax.value_and_grad(loss_fn)(self.weights)
    """
    layout = gradients.anchor.origin.source.layout
    node = layout.at.get(unpacked(gradients.place)) if gradients.place and gradients.anchor.field is None else None
    if not isinstance(node, ast.Name):
        return None
    writer = ArrayWriter(layout, scope_of(gradients))
    names = {writer.name(name) for name in GRADIENTS} - {""}
    stores = layout.stores.get((layout.frame(node), node.id), ())
    calls = [getattr(layout.statement(store), "value", None) for store in stores]
    found = {_argument_of(writer, call, names) if isinstance(call, ast.Call) else None for call in calls}
    return found.pop() if len(found) == 1 else "" if found - {None} else None


def _argument_of(writer: ArrayWriter, call: ast.Call, names: set[str]) -> str | None:
    """The argument by which a call differentiates; None if it is no derivative."""
    function = call.func
    made = next(writer.bound_to(function), None) if isinstance(function, ast.Name) else function
    if not isinstance(made, ast.Call) or writer.layout.text(made.func) not in names:
        return None
    places = [one.value for one in made.keywords if one.arg == "argnums"] + made.args[1:2]
    place = getattr(places[0], "value", -1) if places else 0
    is_known = type(place) is int and 0 <= place < len(call.args)
    argument = call.args[place] if is_known else None
    return writer.text(argument) if isinstance(argument, (ast.Name, ast.Attribute)) else ""
