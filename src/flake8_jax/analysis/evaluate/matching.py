"""`match` statements: the preconditions of patterns, and the values of captures.

A value pattern compares with `==`, so that a traced subject needs a truth value; class, sequence and `None` patterns do
not.  `True` and `False` are compared by identity, and a class pattern asks for the type: a tracer is neither.
"""

from __future__ import annotations

from flake8_jax.analysis.checks.concrete import need_concrete
from flake8_jax.analysis.checks.type_tests import need_host_constant, need_host_type
from flake8_jax.analysis.evaluator import OpEvaluator, evaluate, question_around
from flake8_jax.analysis.frame import Frame, note_unknown
from flake8_jax.analysis.objects import access
from flake8_jax.analysis.objects.names import bind_name
from flake8_jax.domain.constants import OPEN
from flake8_jax.domain.kinds import COMPUTED, INPUT, MAY_BE_ARRAY, NUMBER, STATIC
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op


def matches(frame: Frame, op: ops.Matches) -> Value:
    """Bind the captures of a pattern; returns whether the subject matches."""
    question = question_around(frame, op)
    subject = evaluate(frame, op.subject)
    _ask_for_type(frame, op, subject)
    _match(frame, op, subject, op.pattern, question)
    return Value(STATIC, payload=OPEN)


def _ask_for_type(frame: Frame, op: ops.Matches, subject: Value) -> None:
    ways = op.pattern.parts if op.pattern.kind == "or" else (op.pattern,)
    if all(way.kind == "class" for way in ways):
        need_host_type(frame, subject, op.subject, [way.value[0] for way in ways], op)


def _match(frame: Frame, op: ops.Matches, subject: Value, pattern: ops.Pattern, question: Op) -> None:
    values = [evaluate(frame, value) for value in pattern.value]
    compared = pattern.kind == "value" and values and values[0].kind is NUMBER
    if compared and subject.kind in MAY_BE_ARRAY:
        asked = Value(COMPUTED, subject.dependences, made_by=op) if subject.kind is INPUT else subject
        need_concrete(frame, asked, op, "pattern", op, question)
    elif pattern.kind == "value" and values and isinstance(values[0].constant, str):
        need_concrete(frame, subject, op, "text", op, question)
    elif pattern.kind == "singleton" and type(values[0].constant) is bool:
        need_host_constant(frame, subject, op.subject, op)
    if pattern.kind == "sequence":
        starred = [place for place, part in enumerate(pattern.parts) if part.starred]
        parts = access.unpack(frame, subject, len(pattern.parts), starred[0] if starred else None, op)
        for part, value in zip(pattern.parts, parts, strict=True):
            _match(frame, op, value, part, question)
    elif pattern.kind == "or":
        for part in pattern.parts:
            _match(frame, op, subject, part, question)
    else:
        for part in pattern.parts:
            _match(frame, op, note_unknown(frame, "part of a pattern", op), part, question)
    if pattern.capture is not None:
        bind_name(frame, pattern.capture, subject)


EVALUATES: dict[type[Op], OpEvaluator] = {ops.Matches: matches}
