"""How keys are derived: seeds, `fold_in` and splits, with their data, as the payloads of the keys made.

key(0)                          a seed, 0
fold_in(key, step)              by fold_in of the key, with this very `step`
split(key, 3)                   the keys of a split; with an index they are KeyPart
fold_in(key, hash(name))        reported here: Python salts the hash of a text, so that each process has another one
"""

from __future__ import annotations

from collections.abc import Hashable

from flake8_jax.analysis.callables import Arguments
from flake8_jax.analysis.checks.keys.salted import note_salted
from flake8_jax.analysis.checks.keys.shared_children import check_collision
from flake8_jax.analysis.frame import Frame
from flake8_jax.api.rows import ApiFunction
from flake8_jax.domain.constants import NotConstant
from flake8_jax.domain.key_parts import SeededBy, value_of_all_keys
from flake8_jax.domain.kinds import API, IMMUTABLE_DATA, MAY_BE_KEY, TUPLE, UNKNOWN
from flake8_jax.domain.payload import Derived
from flake8_jax.domain.value import Value
from flake8_jax.ir.ops import Attr, Name, Op

SEEDS = frozenset(("jax.random.key", "jax.random.PRNGKey"))
FOLD, SPLIT = "jax.random.fold_in", "jax.random.split"


def derivation(frame: Frame, op: Op, function: ApiFunction, arguments: Arguments) -> Derived | SeededBy | None:
    """The payload of the key that a function of `jax.random` makes."""
    name = function.name
    if name in SEEDS:
        seed, source = _argument(arguments, 0, "seed")
        note_salted(frame, op, source, name)
        known = _option(seed) or datum(seed)
        if type(known) is int:
            return Derived("seed", None, (known, _implementation(arguments)))
        return SeededBy(known, _implementation(arguments)) if isinstance(known, Value) else None
    if name not in (FOLD, SPLIT):
        return None
    parent, _ = _argument(arguments, 0, "key")
    data, source = _argument(arguments, 1, "data" if name == FOLD else "num")
    if name == FOLD:
        note_salted(frame, op, source, name)
    if parent is None or parent.kind not in MAY_BE_KEY:
        return None
    parent = value_of_all_keys(parent.original)
    if name == SPLIT:
        return None if data is not None and data.kind is TUPLE else Derived("split", parent, None)
    known = datum(data)
    if known is None:
        return None
    if isinstance(known, Value):
        known = frame.program.record.affine.get(known, known)
    made = Derived("fold_in", parent, known)
    check_collision(frame, op, made)
    return made


def _option(seed: Value | None) -> Value | None:
    """A seed that stands in an object nobody knows, such as `args.seed`, or one of a library, such as `FLAGS.seed`: the
    same as long as that does not change.
    """
    if seed is not None and seed.kind is API:
        return seed
    made_by = seed.made_by if seed is not None and seed.kind is UNKNOWN else None
    return seed if type(made_by) is Attr and type(made_by.base) is Name else None


def datum(value: Value | None) -> Hashable:
    """What tells data from other data: an integer, or the value itself; None if nothing does."""
    if value is None or value.kind not in IMMUTABLE_DATA:
        return None
    known = value.constant
    if not isinstance(known, NotConstant):
        return int(known) if isinstance(known, int) else None
    return value.original


def _implementation(arguments: Arguments) -> Hashable:
    chosen, _ = _argument(arguments, 1, "impl")
    return None if chosen is None else chosen.constant if isinstance(chosen.constant, str) else chosen


def _argument(arguments: Arguments, position: int, name: str) -> tuple[Value | None, Op | None]:
    if position < len(arguments.positional):
        source = arguments.ops[position] if position < len(arguments.ops) else None
        return arguments.positional[position], source
    return arguments.keywords.get(name), arguments.keyword_ops.get(name)
