"""Data for keys that differs from process to process: Python's `hash` of a text, and `id`.

fold_in(key, hash("layer") % 2**31)     another key in each process, unless PYTHONHASHSEED is set
fold_in(key, hash(7))                   an integer is its own hash
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from flake8_jax.analysis.checks.keys.derivations import KeysAlike
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.narrowing import peek
from flake8_jax.analysis.summaries.deferral import emit
from flake8_jax.domain.constants import Texts
from flake8_jax.domain.kinds import API, NUMBER, STATIC
from flake8_jax.domain.provenance import CERTAIN, Certainty, Context, certain_if
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import chains_of
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase

MAXIMUM_DEPTH = 6
MIXING = frozenset(("abs", "int", "divmod", "pow", "numpy.uint32", "numpy.int32", "numpy.uint64", "numpy.int64"))
"""Functions of a number whose result is another one for another number."""

TEXTS = frozenset(("str", "repr", "format", "bytes", "ascii"))
CHANGING = frozenset(("lower", "upper", "strip", "replace", "encode", "format", "join", "title", "removeprefix"))
"""Methods of a text whose result is one."""


def note_salted(frame: Frame, op: Op, source: Op | None, function: str) -> None:
    """Report the data of a derivation that comes from `hash` or `id`."""
    if source is None or type(source) is ops.Const or type(source) is ops.Attr:
        return
    for call, certainty in _salts(frame, source, 0):
        text, name = phrase(call), function.rpartition(".")[2]
        where = frame.namespace.path, op.anchor.line
        context = Context(certainty=certainty)
        make = partial(KeysAlike, op, name, "salted", "salted", text, *where, (), False, context)
        emit(frame, (KeysAlike, op, "salted"), make)
        return


def _salts(frame: Frame, op: Op | None, depth: int) -> Iterator[tuple[ops.Call, Certainty]]:
    """The calls of `hash` and `id` that a number is computed from, and how sure it is that they are of no number."""
    if depth > MAXIMUM_DEPTH:
        return
    if type(op) is ops.Operate:
        for operand in op.operands:
            yield from _salts(frame, operand, depth + 1)
    elif type(op) is ops.Name and (known := peek(frame, op)) is not None and known.kind is NUMBER:
        if known.made_by is not op and _is_written_here(frame, known):
            yield from _salts(frame, known.made_by, depth + 1)
    elif type(op) is ops.Call and type(op.func) in (ops.Name, ops.Attr) and len(op.args) > 0:
        callee = peek(frame, op.func)
        name = callee.name if callee is not None and callee.kind is API else ""
        if name == "id":
            yield op, CERTAIN
        elif name == "hash":
            is_text = _is_text(frame, op.args[0])
            if is_text is not False:
                yield op, certain_if(is_text is True)
        elif name in MIXING:
            yield from _salts(frame, op.args[0], depth + 1)


def _is_written_here(frame: Frame, value: Value) -> bool:
    """Is a number made by an operator or a call in this body, so that its names can be read here?"""
    made_by = value.made_by
    if type(made_by) is ops.Call:
        return True
    names = made_by.operands if type(made_by) is ops.Operate else ()
    return all(type(name) is not ops.Name or name.scope is frame.function.scope for name in names)


def _is_text(frame: Frame, op: Op) -> bool | None:
    """Is it a text, or a tuple that has one?  None if that is not known."""
    if type(op) is ops.Const:
        return isinstance(op.value, (str, bytes))
    if type(op) is ops.Build:
        if op.kind == "text":
            return True
        found = [_is_text(frame, part) for part in op.parts]
        return True if True in found else None if None in found else False
    if type(op) is ops.Operate:
        found = [_is_text(frame, operand) for operand in op.operands]
        return True if True in found else None if None in found else False
    if type(op) is ops.Call:
        if type(op.func) is ops.Attr and op.func.name in CHANGING and _is_text(frame, op.func.base):
            return True
        callee = peek(frame, op.func)
        return True if callee is not None and callee.kind is API and callee.name in TEXTS else None
    if type(op) is ops.Name and _is_declared_text(frame, op):
        return True
    known = peek(frame, op)
    if known is None or known.kind is NUMBER:
        return None if known is None else False
    if known.kind is STATIC and (isinstance(known.constant, (str, bytes)) or type(known.payload) is Texts):
        return True
    return None


def _is_declared_text(frame: Frame, op: ops.Name) -> bool:
    """Is it a parameter of this function that is annotated as a text, and never bound anew?"""
    declared = next((one.annotation for one in frame.function.parameters if one.name == op.name), None)
    if declared is None or op.scope is not frame.function.scope or chains_of(frame.function).stored_to(op.name):
        return False
    return phrase(declared).strip("\"'") in ("str", "bytes")
