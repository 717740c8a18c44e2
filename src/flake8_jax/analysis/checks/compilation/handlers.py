"""Functions that a framework calls again and again: the handlers of a server's requests.

@app.post("/predict")
def predict(x: list[float]):
    return jax.jit(lambda v: model(v))(jnp.asarray(x)).tolist()     a lambda of its own, and a compilation, for each
                                                                    request

app.add_url_rule("/predict", view_func=predict)                     the same, told by an argument

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
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.walking import dotted_root

MAKING = "made"
"""How the table says that a server is told of its handler where it is made."""


def note_handler(frame: Frame, op: ops.Call, arguments: Arguments) -> None:
    """Report what a handler compiles anew for each request, where a server is told of it."""
    handlers = [value.payload for value in arguments.values() if isinstance(value.payload, FunctionValue)]
    registered = op.func.func if type(op.func) is ops.Call else op.func
    if not handlers or not _is_server(frame, registered):
        return
    repeat = Repeat("iteration", f"`{phrase(registered)}`", frame.namespace.path, op.anchor.line)
    for handler in handlers:
        _report_anew(frame, handler, repeat)


def _report_anew(frame: Frame, handler: FunctionValue, repeat: Repeat) -> None:
    for noted, effect in [*summary_of(frame.program, handler).requires.effects.of(CalledAnew)]:
        if noted.is_home:
            report_eager(frame, *event_of(noted.making.op, noted.making, repeat, "request", effect.chain))


def _is_server(frame: Frame, registered: Op) -> bool:
    """Does a method of an object, or of its `router`, or what makes one, tell a server what to call for a request?"""
    table = frame.program.table
    if table.registers_handler(imported_name(registered), MAKING) or type(registered) is not ops.Attr:
        return table.registers_handler(imported_name(registered), MAKING)
    holder = dotted_root(registered.base)
    base = peek(frame, holder)
    made_by = base.made_by if base is not None else holder
    return type(made_by) is ops.Call and table.registers_handler(imported_name(made_by.func), registered.name)
