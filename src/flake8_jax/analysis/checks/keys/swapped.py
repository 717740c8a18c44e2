"""Keys of the sum of two counters: it is the same where these are swapped.

for i in range(n):
    for j in range(n):
        normal(fold_in(key, i + j))             0 + 1 and 1 + 0
        normal(PRNGKey(seed + i * n + j))       another number for each pair
"""

from __future__ import annotations

from collections.abc import Iterator

from flake8_jax.analysis.checks.instead import GIVEN, library_name
from flake8_jax.analysis.checks.keys.counters import numbers_of
from flake8_jax.analysis.checks.keys.derivations import KeysAlike, ancestors
from flake8_jax.analysis.checks.naming import imported_name, scope_of
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.labels.questions import is_read
from flake8_jax.analysis.labels.tables import SEEDED
from flake8_jax.analysis.summaries.deferral import emit
from flake8_jax.domain.payload import Derived
from flake8_jax.domain.provenance import Context
from flake8_jax.domain.resources import Used
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import chains_of
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.rewrite import ChangedOp, Piece, Quoted, Rewrite, unsafe

MADE = frozenset(("fold_in", "seed"))


def check_swapped(frame: Frame, value: Value, used: Used) -> None:
    """Report a key whose data is the sum of two counters of loops in which it is made, where what it draws is read."""
    if used.draw is None or not frame.iterations:
        return
    for ancestor in ancestors(value):
        made_by, payload = ancestor.made_by, ancestor.payload
        if type(made_by) is not ops.Call:
            continue
        if not (type(payload) is Derived and payload.how in MADE) and imported_name(made_by.func) not in SEEDED:
            continue
        for place, argument in enumerate(made_by.args):
            pair = _counters(frame, argument)
            if pair is not None and is_read(used.draw):
                _report(frame, made_by, place, pair, used)
                return


def _counters(frame: Frame, data: Op) -> tuple[ops.Name, ops.Name] | None:
    """The two counters of different loops that a sum adds up, beside what does not change in these."""
    if type(data) is not ops.Operate or data.operator != "+":
        return None
    names = frame.live().names
    found: dict[Op, ops.Name] = {}
    others: list[Op] = []
    for term in _terms(data):
        held = names.get(term.name) if type(term) is ops.Name else None
        loop = held.made_by if held is not None and len(numbers_of(held)) > 1 else None
        if type(term) is ops.Name and loop is not None and loop not in found:
            found[loop] = term
        else:
            others.append(term)
    if len(found) != 2 or not all(_is_fixed(frame, other) for other in others):
        return None
    first, second = found.values()
    return first, second


def _terms(op: Op) -> Iterator[Op]:
    if type(op) is ops.Operate and op.operator == "+" and len(op.operands) == 2:
        for operand in op.operands:
            yield from _terms(operand)
    else:
        yield op


def _is_fixed(frame: Frame, term: Op) -> bool:
    """Is a term the same in all turns of the loops that run?"""
    if type(term) is ops.Attr:
        return _is_fixed(frame, term.base)
    if type(term) is ops.Name:
        chains = chains_of(frame.function)
        loops = {loop for loop, _ in frame.iterations}
        return not any(chains.stored_in(term.name, loop) for loop in loops)
    return type(term) is ops.Const


def _report(frame: Frame, made_by: ops.Call, place: int, pair: tuple[ops.Name, ops.Name], used: Used) -> None:
    first, second = pair
    how = f"`{first.name}` and `{second.name}`"
    rewrite = _one_by_one(made_by, place, pair)

    def make() -> KeysAlike:
        path, line, text = made_by.anchor.origin.shown, made_by.anchor.line, phrase(made_by.args[place])
        uses, context = (used.use,), Context()
        return KeysAlike(made_by, text, "swapped", "swapped", how, path, line, uses, True, context, rewrite)

    emit(frame, (KeysAlike, made_by, "swapped"), make)


def _one_by_one(made_by: ops.Call, place: int, pair: tuple[ops.Name, ops.Name]) -> Rewrite | None:
    """Both counters, folded in one after the other."""
    rest = [term for term in _terms(made_by.args[place]) if term not in pair]
    fold = library_name(scope_of(made_by), "jax.random.fold_in")
    key: tuple[Piece, ...]
    if place == 1 and not rest and len(made_by.args) == 2:
        key = (Quoted(made_by.args[0], GIVEN),)
    elif place == 0 and len(rest) == 1 and len(made_by.args) == 1 and not made_by.keywords:
        key = (Quoted(made_by.func, GIVEN, "owner"), "(", Quoted(rest[0], GIVEN), ")")
    else:
        return None
    first, second = pair
    pieces: tuple[Piece, ...] = (fold, "(", fold, "(", *key, f", {first.name}), {second.name})")
    return unsafe(Rewrite((ChangedOp(made_by, pieces),)))
