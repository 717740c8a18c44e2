"""`try` and `with`: code that may be left half way.

A handler starts from the state before the `try` body joined with the state after it and with every `raise` in it: the
body may have failed anywhere.  Uses of keys in the body count only where it was left by its own `raise`: a call that
failed drew nothing.  A `with` body runs once; leaving an unknown manager may have changed what the manager can reach.
"""

from __future__ import annotations

from flake8_jax.analysis.checks.host.clocks import check_since, is_timer, read_clock
from flake8_jax.analysis.evaluate.control import assign
from flake8_jax.analysis.evaluate.settings import opens_unstaged
from flake8_jax.analysis.evaluator import OpRunner, evaluate, run
from flake8_jax.analysis.frame import Frame, note_unknown
from flake8_jax.analysis.imports import ImportTarget
from flake8_jax.analysis.objects.invalidation import invalidate_everything
from flake8_jax.analysis.objects.names import bind_name
from flake8_jax.analysis.objects.narrowing import peek
from flake8_jax.domain.kinds import API, IMPORTABLE, INSTANCE, REF
from flake8_jax.domain.state import State, join_states, state_after_loop
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import chains_of
from flake8_jax.ir.ops import Op
from flake8_jax.lazy_dataclasses import replace

SHORT = 3
EXPECTED = frozenset(("Exception", "BaseException", "TypeError", "AttributeError", "dataclasses.FrozenInstanceError"))
ERRORS = "jax.errors."
HARMLESS = frozenset(("jax", "open", "warnings", "numpy", "time", "tempfile", "threading", "flax", "chex", "pytest"))
EAGER = frozenset(("jax.ensure_compile_time_eval", "jax.core.eval_context"))
RAISED = frozenset(("pytest.raises",))
ASSERTED = frozenset(("assertRaises", "assertRaisesRegex", "assertRaisesWithLiteralMatch"))
"""Methods of test cases, whatever their class is."""
SUPPRESSING = RAISED | {"contextlib.suppress"}


def is_to_raise(frame: Frame, op: Op) -> bool:
    """Is a call made to see that it raises: under `pytest.raises`, or under a handler of an error of JAX?"""
    return any(_provokes(frame, one) for one in chains_of(frame.function).way_to(op))


def _provokes(frame: Frame, op: Op) -> bool:
    if type(op) is ops.Try:
        return any(name.startswith(ERRORS) for handler in op.handlers for name in _caught(frame, handler))
    return type(op) is ops.With and _opens(frame, op, RAISED)


def run_try(frame: Frame, op: ops.Try) -> None:
    """Run a `try` statement."""
    before = frame.live().copy()
    prepared = any(_is_about_an_error(op.body, each) and _expects(frame, each) for each in op.handlers)
    context = frame.context
    if prepared:
        frame.context = replace(context, is_prepared=True)
    frame.exits.caught.append([])
    returned = len(frame.exits.returned)
    run(frame, op.body)
    raised = frame.exits.caught.pop()
    frame.context = context
    after = frame.state
    failing = join_states(before, after.copy() if after is not None else None)
    for _, state in frame.exits.returned[returned:]:
        failing = join_states(failing, state.copy())
    if failing is not None:
        failing.used = before.used.copy()
    for state in raised:
        failing = join_states(failing, state)
    if frame.state is not None:
        run(frame, op.orelse)
    ended = frame.state
    ways = [ended]
    for handler in op.handlers:
        frame.state = failing.copy() if failing is not None else None
        _handle(frame, handler)
        ways.append(frame.state)
        ended = join_states(ended, frame.state)
    _choose_imports(frame, op, ways, ended)
    frame.state = ended
    for _, state in frame.exits.returned[returned:]:
        failing = join_states(failing, state.copy())
    _finally(frame, op, failing)


def _choose_imports(frame: Frame, op: ops.Try, ways: list[State | None], ended: State | None) -> None:
    """Bind a name with an alternative import to the first target of which anything is known."""
    imported = {
        target.name for statement in op.body if type(statement) is ops.Store and type(statement.value) is ops.Imported
        for target in statement.targets if type(target) is ops.Name
    }  # fmt: skip
    for name in sorted(imported) if ended is not None else ():
        found = [value for way in ways if way is not None and (value := way.names.get(name)) is not None]
        known = next((value for value in found if _is_known_import(frame, value)), None)
        if known is not None and ended is not None:
            ended.names[name] = known


def _is_known_import(frame: Frame, value: Value) -> bool:
    if isinstance(value.payload, ImportTarget):
        value = value.payload.follow() or value
    if value.kind is API:
        return frame.program.table.is_namespace(value.name.partition(".")[0])
    return value.kind in IMPORTABLE


def _is_about_an_error(body: ops.Body, handler: ops.Handler) -> bool:
    """Is a body protected because an error is expected, not as a whole program?

    It is a few statements, or any number where the error is the answer to a question: a constant is given back for it.
    None of them has a long body of its own.
    """
    is_plain = not any(type(one) in (ops.Loop, ops.With, ops.Try) for one in body)
    return is_plain and (len(body) <= SHORT or _answers(handler))


def _answers(handler: ops.Handler) -> bool:
    """Does a handler only give a constant, such as `return False`?"""
    (first, *rest) = handler.body or (None,)
    is_constant = type(first) is ops.Leave and (first.value is None or type(first.value) is ops.Const)
    return not rest and is_constant and type(first) is ops.Leave and first.kind == "return"


def _expects(frame: Frame, handler: ops.Handler) -> bool:
    """Does a handler catch what JAX raises for arrays and tracers?  A short body under it provokes the error on
    purpose.
    """
    if handler.catches is None:
        return True
    return any(name in EXPECTED or name.startswith(ERRORS) for name in _caught(frame, handler))


def _caught(frame: Frame, handler: ops.Handler) -> list[str]:
    """The names of the errors that a handler catches."""
    if handler.catches is None:
        return []
    caught = handler.catches.parts if isinstance(handler.catches, ops.Build) else (handler.catches,)
    return [value.name for value in (peek(frame, part) for part in caught) if value is not None and value.kind is API]


def _handle(frame: Frame, handler: ops.Handler) -> None:
    if frame.state is None:
        return
    if handler.catches is not None:
        evaluate(frame, handler.catches)
    if handler.name is not None:
        bind_name(frame, handler.name, note_unknown(frame, "exception", handler.name))
    context, frame.context = frame.context, replace(frame.context, is_handling=True)
    run(frame, handler.body)
    frame.context = context


def _finally(frame: Frame, op: ops.Try, failing: State | None) -> None:
    if not op.final:
        return
    if frame.state is None and failing is not None:
        frame.state = failing.copy()
        run(frame, op.final)
        frame.state = None
        return
    run(frame, op.final)


def run_with(frame: Frame, op: ops.With) -> None:
    """Run a `with` statement."""
    around, frame.context = frame.context, replace(frame.context, is_entering=True)
    manager = evaluate(frame, op.manager)
    frame.context = around
    entered = note_unknown(frame, "entered context", op.manager)
    if manager.kind is INSTANCE or manager.kind is REF:
        entered = manager
    if op.target is not None:
        assign(frame, op.target, entered, op)
    before = frame.live().copy() if _opens(frame, op, SUPPRESSING) else None
    reading = read_clock(frame, op.manager) if is_timer(frame, op.manager, manager) else None
    context = frame.context
    frame.context = replace(
        context,
        is_unstaged=context.is_unstaged or opens_unstaged(frame, op.manager, manager),
        is_eager=context.is_eager or _opens(frame, op, EAGER),
        is_prepared=context.is_prepared or before is not None,
    )
    if before is None:
        run(frame, op.body)
    else:
        frame.exits.caught.append([])
        run(frame, op.body)
        frame.state = _suppressed(before, frame.state, frame.exits.caught.pop(), _opens(frame, op, RAISED))
    frame.context = context
    if reading is not None and frame.state is not None:
        check_since(frame, op.manager, reading)
    if frame.state is not None and (op.is_async or not _is_known(frame, op)):
        invalidate_everything(frame)


def _suppressed(before: State, after: State | None, raised: list[State], is_raised: bool) -> State:
    """The state behind a manager that lets an exception pass.

    Under `pytest.raises` there is one: the call that failed drew nothing.
    """
    met = after
    for state in raised:
        met = join_states(met, state)
    found = state_after_loop(before, met)
    if is_raised and not raised:
        found.used = before.used.copy()
    return found


def _is_known(frame: Frame, op: ops.With) -> bool:
    """Is the manager one of a library, without access to the program's objects?"""
    opened = op.manager.func if type(op.manager) is ops.Call else op.manager
    manager = peek(frame, opened)
    return manager is not None and manager.kind is API and manager.name.partition(".")[0] in HARMLESS


def _opens(frame: Frame, op: ops.With, names: frozenset[str]) -> bool:
    if type(op.manager) is not ops.Call:
        return False
    if names >= RAISED and type(op.manager.func) is ops.Attr and op.manager.func.name in ASSERTED:
        return True
    manager = peek(frame, op.manager.func)
    return manager is not None and manager.kind is API and manager.name in names


RUNS: dict[type[Op], OpRunner] = {ops.Try: run_try, ops.With: run_with}
