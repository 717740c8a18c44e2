"""Smoke tests: a network is set up and run once, where its module is run as a script or an object is made.

if __name__ == "__main__":
    x = normal(key, (2, 3))             an example, which could as well be of ones
    params = net.init(key, x)
    print(net.apply(params, x).shape)   nobody else reads anything

Or an environment is reset and makes a step.  Training that is started there has a loop, or a call for its own sake, or
sets up nothing itself.

    def __init__(self, env, policy):
        key = jax.random.key(0)         a key of the constructor's own
        state = env.reset(key)
        params = policy.init(key, state.obs)
        env.step(state, policy.apply(params, state.obs, key))       nothing is kept
"""

from __future__ import annotations

from flake8_jax.analysis.checks.keys.repetition import is_demonstration
from flake8_jax.analysis.checks.naming import imported_name
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.labels.tables import SEEDED
from flake8_jax.ir import ops
from flake8_jax.ir.chains import chains_of, searched_once
from flake8_jax.ir.ops import Body, Function, Op
from flake8_jax.ir.parts import Origin
from flake8_jax.ir.walking import within
from flake8_jax.lazy_patterns import compiled
from flake8_jax.syntax.policies import INITIAL_NAME

DEFINITION = compiled(r"(async +)?def |class ")
SHOWING = frozenset((
    "critical", "debug", "display", "error", "exception", "info", "log", "pprint", "pp", "print", "warning",
))  # fmt: skip
TRYING = SHOWING | {"apply", "block_until_ready", "eval_shape", "reset", "step"}
"""Calls that try something out."""


def is_smoke_test(frame: Frame, op: Op) -> bool:
    """Does an op stand in the code that tries out a network of the module, and shows what comes of it?"""
    if frame.function.name == "__init__":
        return _keeps_nothing(frame.function) and chains_of(frame.function).holds(op)
    return is_demonstration(frame, op) and op.anchor.origin in _trying_out(frame.function)


@searched_once
def _trying_out(module: Function) -> frozenset[Origin]:
    """The statements of a module below its definitions in which one test guards what only sets up and shows."""
    guards: dict[Origin, list[ops.Branch]] = {}
    for statement in module.body:
        if type(statement) is ops.Branch:
            guards.setdefault(statement.anchor.origin, []).append(statement)
    return frozenset(
        origin for origin, found in guards.items()
        if any(DEFINITION.match(line) for line in origin.source.lines[: origin.line - 1])
        and len(found) == 1 and _only_shows(found[0].body, False) and _sets_up(found[0])
    )  # fmt: skip


@searched_once
def _keeps_nothing(constructor: Function) -> bool:
    """Does a constructor make a key of a constant, of which only names know, and calls that try something out?"""
    made: set[str] = set()
    for statement in constructor.body:
        is_own = type(statement) is ops.Store and _is_seeded(statement.value)
        if not is_own and made.isdisjoint(part.name for part in within(statement) if type(part) is ops.Name):
            continue
        if type(statement) is ops.Store:
            names = [inner for target in statement.targets for inner in within(target) if type(inner) is not ops.Unpack]
            if not all(type(name) is ops.Name for name in names):
                return False
            made.update(name.name for name in names if type(name) is ops.Name)
        elif type(statement) is not ops.Call or getattr(statement.func, "name", "") not in TRYING:
            return False
    return bool(made)


def _is_seeded(op: Op | None) -> bool:
    """Is it a key that is made of a constant?"""
    is_made = type(op) is ops.Call and imported_name(op.func) in SEEDED
    return is_made and type(op) is ops.Call and all(type(argument) is ops.Const for argument in op.args)


def _sets_up(guard: ops.Branch) -> bool:
    """Is a network or an environment set up there?"""
    calls = [op for statement in guard.body for op in within(statement) if type(op) is ops.Call]
    return any(_gives_start(call, getattr(call.func, "name", "")) for call in calls)


def _gives_start(call: ops.Call, name: str) -> bool:
    """Does a call give the parameters of a network, a network with them, or the state of an environment?"""
    is_made = name[:1].isupper() and any(keyword == "key" for keyword, _ in call.keywords)
    return is_made or name == "reset" or INITIAL_NAME.search(name) is not None


def _only_shows(body: Body, is_turned: bool) -> bool:
    """Does each statement bind something or show it, and those of loops only show?"""
    return all(_is_harmless(op, is_turned) for op in body)


def _is_harmless(op: Op, is_turned: bool) -> bool:
    match op:
        case ops.Store():
            return not is_turned
        case ops.Branch(body=body, orelse=orelse):
            return _only_shows(body + orelse, is_turned)
        case ops.With(body=body):
            return _only_shows(body, is_turned)
        case ops.Try(body=body, handlers=handlers, orelse=orelse, final=final):
            handled = tuple(statement for handler in handlers for statement in handler.body)
            return _only_shows(body + handled + orelse + final, is_turned)
        case ops.Loop(body=body):
            return _only_shows(body, is_turned=True)
        case ops.Call(func=func):
            return getattr(func, "name", "") in SHOWING
    return True
