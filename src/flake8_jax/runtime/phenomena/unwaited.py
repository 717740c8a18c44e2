"""Phenomenon: a clock is read before and after a line, and what the line started is still running then.  JAX returns
from a call before the result is there, so what lies between the two readings is only the time of starting it.

    start = time.perf_counter()
    y = step(x)                         seen: nothing has waited for `y` when the clock is read
    time.perf_counter() - start
    y = step(x)                         not seen
    y.block_until_ready()
    time.perf_counter() - start

No time is compared.  In an instrumented copy of the fixture each call and product tells which arrays it gave that were
not there before, and each reading of a clock looks whether any of them are left.  What waits for an array waits for all
that was started before it: `block_until_ready`, a read of its value by Python, a function of NumPy.  `timeit` reads a
clock before and after it calls its function.  Of what is started in a helper, the lines of the calls that lead there
count, too.  Arrays that Python reads through the buffer protocol in other ways are not seen to be waited for.
"""

from __future__ import annotations

import ast
import datetime
import time
import timeit
from dataclasses import dataclass, field

from flake8_jax.runtime import compat, frames
from flake8_jax.runtime.foreign import Foreign
from flake8_jax.runtime.phenomenon import Phenomenon
from flake8_jax.runtime.sightings import Sightings
from flake8_jax.runtime.trial import Trial

CALLED, MADE, AWAITED = "__called__", "__made__", "__awaited__"
CLOCKS = tuple(
    getattr(time, name + unit) for name in ("time", "perf_counter", "monotonic", "process_time") for unit in ("", "_ns")
)
TIMING = {"timeit", "repeat", "autorange"}
WAITING = {"block_until_ready", "device_get"}
SHAPES_ONLY = {"shape", "ndim", "size", "result_type", "iscomplexobj", "isrealobj", "isscalar", "iterable"}
UNTOUCHED = {"super", "locals", "globals", "vars", "dir", "eval", "exec"}


@dataclass(slots=True)
class _Clocks:
    """What was started and when, by number; an array that was given before is not started again."""

    path: str
    found: Sightings = field(default_factory=Sightings)
    readings: int = 0
    known: dict[int, Foreign] = field(default_factory=dict)
    started: list[tuple[int, int, tuple[int, ...]]] = field(default_factory=list)

    def called(self, function: Foreign) -> Foreign:
        """A function that tells what it starts, or waits for."""
        if not callable(function) or isinstance(function, type):
            return function
        if is_clock(function):
            return self._reading(function)

        def call(*arguments: Foreign, **keywords: Foreign) -> Foreign:
            handed = (arguments, keywords)
            self._know(handed)
            if _waits(function):
                self.awaited(handed)
            if _times(function):
                self.read()
                arguments = (*map(self.called, arguments[:1]), *arguments[1:])
            found = function(*arguments, **keywords)
            if _times(function):
                self.read()
            return found if _waits(function) else self.made(found)

        return call

    def made(self, found: Foreign) -> Foreign:
        """What was not there before is under way."""
        for array in _arrays(found):
            if id(array) not in self.known and not compat.is_tracing():
                self.known[id(array)] = array  # kept, so that no other array gets its identity
                self.started.append((self.readings, id(array), frames.chain(self.path)))
        return found

    def waited(self, array: Foreign) -> None:
        """An array is there, and with it all that was started before; one that is not known was made last."""
        if id(array) not in self.known:
            self.started = []
        places = [place for place, (_, one, _) in enumerate(self.started) if one == id(array)]
        if places:
            self.started = self.started[places[-1] + 1 :]

    def awaited(self, handed: Foreign) -> Foreign:
        """What has a method called that waits."""
        for array in _arrays(handed):
            self.waited(array)
        return handed

    def read(self) -> None:
        """A clock is read: is anything under way that was started since an earlier reading?"""
        if compat.is_tracing():
            return
        here = frames.line(self.path)
        for reading, _, lines in self.started:
            for line in lines if reading else ():
                self.found.see(line, clock=here)
        self.readings += 1

    def _reading(self, clock: Foreign) -> Foreign:
        def read(*arguments: Foreign, **keywords: Foreign) -> Foreign:
            self.read()
            return clock(*arguments, **keywords)

        return read

    def _know(self, handed: Foreign) -> None:
        for array in _arrays(handed):
            self.known.setdefault(id(array), array)


def observe(trial: Trial, parameter: str) -> Sightings:
    """Run the case; report readings of clocks with results under way."""
    clocks = _Clocks(trial.path)
    given: dict[str, object] = {CALLED: clocks.called, MADE: clocks.made, AWAITED: clocks.awaited}
    with trial.run(compat.watching_values(clocks.waited), edit=_instrumented, given=given):
        return clocks.found


def is_clock(function: Foreign) -> bool:
    """Does a function read a clock?"""
    owner = getattr(function, "__self__", None)
    is_moment = isinstance(owner, type) and issubclass(owner, datetime.datetime)
    return function in CLOCKS or (is_moment and getattr(function, "__name__", "") in {"now", "utcnow"})


def _times(function: Foreign) -> bool:
    home = getattr(function, "__self__", None)
    is_timeit = isinstance(home, timeit.Timer) or getattr(function, "__module__", "") == "timeit"
    return is_timeit and getattr(function, "__name__", "") in TIMING


def _waits(function: Foreign) -> bool:
    import numpy as np

    name = getattr(function, "__name__", "")
    if name in WAITING or isinstance(getattr(function, "__self__", None), np.ndarray):
        return True
    module = getattr(function, "__module__", None) or type(function).__module__
    return isinstance(module, str) and module.split(".")[0] == "numpy" and name not in SHAPES_ONLY


def _arrays(tree: Foreign) -> list[Foreign]:
    import jax

    leaves = jax.tree_util.tree_leaves(tree)
    return [leaf for leaf in leaves if isinstance(leaf, jax.Array) and not isinstance(leaf, jax.core.Tracer)]


def _instrumented(tree: ast.Module) -> ast.Module:
    edited = Tellers().visit(tree)
    assert isinstance(edited, ast.Module)
    return edited


def _call(name: str, argument: ast.expr) -> ast.Call:
    called = ast.Call(ast.Name(name, ast.Load()), [argument], [])
    return ast.fix_missing_locations(ast.copy_location(called, argument))


class Tellers(ast.NodeTransformer):
    """Calls and products that tell, by the functions that are given for `CALLED`, `MADE` and `AWAITED`."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """A call that tells."""
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in UNTOUCHED:
            return node
        if isinstance(node.func, ast.Attribute) and node.func.attr in WAITING:
            node.func.value = _call(AWAITED, node.func.value)
        node.func = _call(CALLED, node.func)
        node.args = [self._argument(each) for each in node.args]
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        """A product that tells."""
        self.generic_visit(node)
        return _call(MADE, node)

    def _argument(self, node: ast.expr) -> ast.expr:
        is_waiting = isinstance(node, ast.Attribute) and node.attr in WAITING
        return _call(CALLED, node) if is_waiting else node


PHENOMENON = Phenomenon(
    name="unwaited",
    summary="what is started is under way when a clock is read that was read before it, too",
    observe=observe,
    bad="""\
import time
import timeit
import jax
import jax.numpy as jnp

def case():
    step, x = jax.jit(lambda x: x @ x), jnp.ones((3, 3))
    start = time.perf_counter()
    y = step(x)  # here
    taken = time.perf_counter() - start
    y = x @ x  # here
    taken = time.perf_counter() - start
    x.block_until_ready()
    timeit.timeit(lambda: step(x), number=2)  # here
    return time.perf_counter() - start
""",
    good="""\
import time
import timeit
import jax
import jax.numpy as jnp
import numpy as np

def case():
    step, x = jax.jit(lambda x: x @ x), jnp.ones((3, 3))
    start = time.perf_counter()
    y = step(x)
    z = jax.block_until_ready(step(x))
    taken = time.perf_counter() - start
    y = step(x)
    np.asarray(y)
    taken = time.perf_counter() - start
    y = jnp.dot(x, x).sum()
    print(f"{y}", time.perf_counter() - start)
    timeit.timeit(lambda: step(x).block_until_ready(), number=2)
    jax.tree.map(jax.block_until_ready, [step(x)])
    return time.perf_counter() - start
""",
)
