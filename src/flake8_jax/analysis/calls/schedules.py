"""Schedules of optimizers: functions that `update` calls with its count, which is a tracer where steps are jitted.

def warmup(count): return 0.1 if count > 10 else count / 100
optax.sgd(warmup)               in a file that jits: `warmup` is called with a tracer
"""

from __future__ import annotations

from flake8_jax.analysis.callables import Applied, Arguments, Wrapped, underlying
from flake8_jax.analysis.frame import Frame
from flake8_jax.api.schedules import INJECTING, PARAMETERS
from flake8_jax.api.transforms import Transform
from flake8_jax.domain.kinds import API, FUNCTION, FUNCTIONS
from flake8_jax.domain.value import Value
from flake8_jax.ir.ops import Op
from flake8_jax.syntax.policies import STAGED_STEPS


def note_schedules(frame: Frame, op: Op, name: str, arguments: Arguments) -> None:
    """Add a root for a schedule that an optimizer is given, in a file that stages its steps."""
    given = [value for parameter, value in arguments.keywords.items() if parameter in PARAMETERS]
    for schedule in given or arguments.positional[:1]:
        function = underlying(schedule) if schedule.kind in FUNCTIONS else None
        if function is None or function.function.is_empty or not _is_staged(op):
            continue
        transform = Transform(name, (), "fun", (), "staged", "the schedule of")
        applied = Applied(transform, frame.namespace.path, op.anchor.line, name)
        made = Value(FUNCTION, payload=Wrapped(schedule, applied), made_by=op)
        frame.program.record.roots.append((made, frame, frame.path))


def injected(name: str, arguments: Arguments) -> Value | None:
    """What `optax.inject_hyperparams(optax.adam)` gives: it takes what the optimizer takes, and calls its schedules."""
    is_plain = name == INJECTING and len(arguments.positional) == 1
    return arguments.positional[0] if is_plain and arguments.positional[0].kind is API else None


def _is_staged(op: Op) -> bool:
    return STAGED_STEPS.search(op.anchor.origin.code.text) is not None
