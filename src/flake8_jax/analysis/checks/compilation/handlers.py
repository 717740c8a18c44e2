"""Functions that a framework calls again and again: the handlers of a server's requests.

@app.post("/predict")
def predict(x: list[float]):
    return jax.jit(lambda v: model(v))(jnp.asarray(x)).tolist()     a lambda of its own, and a compilation, for each
                                                                    request

By which methods a server is told of its handlers, the table says.
"""

from __future__ import annotations

from flake8_jax.analysis.callables import Arguments, FunctionValue
from flake8_jax.analysis.checks.compilation.eager import report_eager
from flake8_jax.analysis.checks.compilation.remade import CalledAnew, event_of
from flake8_jax.analysis.checks.keys.repetition import Repeat
from flake8_jax.analysis.checks.naming import imported_name
from flake8_jax.analysis.evaluator import summary_of
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.narrowing import peek
from flake8_jax.ir import ops
from flake8_jax.ir.phrase import phrase


def note_handler(frame: Frame, op: ops.Call, arguments: Arguments) -> None:
    """Report what a handler compiles anew for each request, where a server is told of it."""
    registered = op.func.func if type(op.func) is ops.Call else op.func
    if type(registered) is not ops.Attr or len(arguments.positional) != 1:
        return
    handler = arguments.positional[0].payload
    if not isinstance(handler, FunctionValue) or not _is_server(frame, registered):
        return
    repeat = Repeat("iteration", f"`{phrase(registered)}`", frame.namespace.path, op.anchor.line)
    for noted, effect in [*summary_of(frame.program, handler).requires.effects.of(CalledAnew)]:
        if noted.is_home:
            report_eager(frame, *event_of(noted.making.op, noted.making, repeat, "request", effect.chain))


def _is_server(frame: Frame, method: ops.Attr) -> bool:
    """Does a method of an object tell a server what to call for each request?"""
    base = peek(frame, method.base)
    made_by = base.made_by if base is not None else None
    return type(made_by) is ops.Call and frame.program.table.registers_handler(imported_name(made_by.func), method.name)
