"""Phenomenon: an index is out of bounds; JAX clamps, drops or fills it silently.  NumPy is the referee.

    x = jnp.arange(3)
    x[5]                          np.empty(3)[5] raises IndexError
    x.at[-4].set(0)               so does this one
    x[:10]                        legal in NumPy too
    x.at[5].set(0, mode="drop")   chosen
    lax.dynamic_slice(x, (2,), (3,))    from a table: its start is moved to fit

The fixture is rewritten so that subscripts and calls tell of themselves, and run with transforms taken for what a
reader takes them for: `scan` is a loop, `vmap` goes lane by lane, the untaken branch of a `cond` is not run, and every
index has a value.  Where an index is traced all the same (`shard_map`), it is checked by a callback.
"""

from __future__ import annotations

import ast
import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass, field

from flake8_jax.runtime import recorders
from flake8_jax.runtime.foreign import Foreign
from flake8_jax.runtime.phenomenon import Phenomenon
from flake8_jax.runtime.recorders import Mode, Recorder
from flake8_jax.runtime.sightings import Sightings
from flake8_jax.runtime.trial import Trial
from flake8_jax.runtime.watching.leaves import parted
from flake8_jax.runtime.watching.rewriting import CALLEE, Rewriter, calling, literal, on, placed, telling

READ, SLICE = "__read__", "__slice__"
METHOD = "jax.Array.take"
CARELESS = (None, "promise_in_bounds")
_UPDATES = {"set", "add", "subtract", "multiply", "divide", "power", "min", "max", "apply", "get", "mul"}


def observe(trial: Trial, parameter: str) -> Sightings:
    """Run the case eagerly, and traced if that fails; report the lines with an index out of bounds."""
    watch = _IndexWatch()
    if not _ran(trial, watch, Mode.EAGER) and not watch.found:
        trial.errors.pop()
        _ran(trial, watch, Mode.TRACED)
    return watch.found


def _ran(trial: Trial, watch: _IndexWatch, mode: Mode) -> bool:
    with trial.run(edit=TOLD.inside, given=watch.names(), mode=mode) as run:
        _settle()
    return run.error is None


def _settle() -> None:
    import jax

    jax.effects_barrier()  # type: ignore[no-untyped-call]


@dataclass(slots=True)
class _IndexWatch:
    """The referee of every subscript and call that the rewritten fixture tells of."""

    found: Sightings = field(default_factory=Sightings)

    def names(self) -> dict[str, object]:
        """The functions that the rewritten module calls."""
        return {READ: self.read, CALLEE: self.callee, SLICE: slice}

    def read(self, line: int, base: Foreign, index: Foreign) -> Foreign:
        """`base[index]`, after a look at it."""
        import jax

        now = recorders.current
        array = getattr(base, "array", None) if type(base).__name__ == "_IndexUpdateHelper" else base
        if isinstance(array, jax.Array) and not (now is not None and now.muted):
            what = "update" if array is not base else "read"
            self._ask(functools.partial(self._subscript, line, what, tuple(array.shape)), index)
        return base[index]

    def callee(self, line: int, function: Foreign) -> Foreign:
        """A function that is about to be called; one of the table asks first."""
        now = recorders.current
        name = _checked(function)
        if name is None or (now is not None and now.muted):
            return function

        def call(*arguments: Foreign, **keywords: Foreign) -> Foreign:
            rule = CHECKED[name]
            given = _bound(name, function, arguments, keywords)
            if given is not None and given.get("mode") in CARELESS:
                indices, fixed = rule.split(given)
                self._ask(functools.partial(self._rule, line, name, rule, fixed), indices)
            return function(*arguments, **keywords)

        return call

    def _ask(self, look: Callable[[Foreign], None], index: Foreign) -> None:
        """Look at an index now if it has a value, else as soon as it has."""
        import jax

        if not recorders.has_tracer(index):
            look(index)
            return
        traced, put = parted(index, lambda leaf: isinstance(leaf, jax.Array), lambda leaf: isinstance(leaf, slice))
        jax.debug.callback(lambda *values: look(put(values)), *traced)

    def _subscript(self, line: int, what: str, shape: tuple[int, ...], index: Foreign) -> None:
        if said := _outside(shape, index):
            self.found.see(line, what=what, shape=list(shape), said=said)

    def _rule(self, line: int, name: str, rule: IndexCheck, fixed: list[Foreign], indices: list[Foreign]) -> None:
        try:
            said = rule.judge(indices, fixed)
        except (TypeError, ValueError, IndexError):  # no call that JAX takes: it will say so itself
            return
        if said:
            self.found.see(line, what=name, said=said)


def _outside(shape: tuple[int, ...], index: Foreign) -> str | None:
    """What NumPy says of an index outside of an array of this shape; None if it is inside, or wrong otherwise."""
    import numpy as np

    parts = index if isinstance(index, tuple) else (index,)
    try:
        np.broadcast_to(np.int8(0), shape)[tuple(map(_for_numpy, parts))]
    except IndexError as error:
        return str(error) if "out of bounds" in str(error) else None
    except Exception:  # no index for NumPy
        return None
    return None


def _for_numpy(part: Foreign) -> Foreign:
    import jax
    import numpy as np

    if isinstance(part, slice):
        return slice(*(None if each is None else int(each) for each in (part.start, part.stop, part.step)))
    return np.asarray(part) if isinstance(part, (jax.Array, list)) else part


@dataclass(frozen=True, slots=True)
class IndexCheck:
    """How a call is checked: the index parameters, the other parameters needed, and the check itself."""

    indices: tuple[str, ...]
    others: tuple[str, ...]
    judge: Callable[[list[Foreign], list[Foreign]], str | None]

    def split(self, given: dict[str, Foreign]) -> tuple[list[Foreign], list[Foreign]]:
        """The indices and the other arguments of a call; of an array only its shape."""
        return [given.get(name) for name in self.indices], [_shape_of(given.get(name)) for name in self.others]


def _shape_of(value: Foreign) -> Foreign:
    return tuple(value.shape) if hasattr(value, "shape") and value.shape != () else value


def _take(indices: list[Foreign], others: list[Foreign]) -> str | None:
    import math

    (index,), (shape, axis) = indices, others
    return _outside((math.prod(shape),) if axis is None else (shape[axis],), _list(index))


def _take_along(indices: list[Foreign], others: list[Foreign]) -> str | None:
    return _take(indices, others)


def _start(indices: list[Foreign], others: list[Foreign]) -> str | None:
    """A window at some starts: does it fit?  A negative start counts from the end."""
    (starts,), (shape, sizes) = indices, others
    for axis, (start, length, size) in enumerate(zip(starts, shape, sizes)):
        first = int(start) + (length if int(start) < 0 else 0)
        if not 0 <= first <= length - int(size):
            return f"start {int(start)} with size {int(size)} is out of bounds for axis {axis} with size {length}"
    return None


def _start_in_dim(indices: list[Foreign], others: list[Foreign]) -> str | None:
    (start,), (shape, size, axis) = indices, others
    length = size[axis] if isinstance(size, tuple) and size else size
    return _start([[start]], [[shape[axis or 0]], [length if isinstance(length, int) else 1]])


def _index_in_dim(indices: list[Foreign], others: list[Foreign]) -> str | None:
    (index,), (shape, axis) = indices, others
    return _start([[index]], [[shape[axis or 0]], [1]])


def _branch(indices: list[Foreign], others: list[Foreign]) -> str | None:
    (index,), (branches,) = indices, others
    is_inside = 0 <= int(index) < len(branches)
    return None if is_inside else f"index {int(index)} is out of bounds for {len(branches)} branches"


def _list(index: Foreign) -> Foreign:
    import numpy as np

    return np.asarray(index)


CHECKED: dict[str, IndexCheck] = {
    "jax.numpy.take": IndexCheck(("indices",), ("a", "axis"), _take),
    METHOD: IndexCheck(("indices",), ("a", "axis"), _take),
    "jax.numpy.take_along_axis": IndexCheck(("indices",), ("arr", "axis"), _take_along),
    "jax.lax.dynamic_slice": IndexCheck(("start_indices",), ("operand", "slice_sizes"), _start),
    "jax.lax.dynamic_update_slice": IndexCheck(("start_indices",), ("operand", "update"), _start),
    "jax.lax.dynamic_slice_in_dim": IndexCheck(("start_index",), ("operand", "slice_size", "axis"), _start_in_dim),
    "jax.lax.dynamic_update_slice_in_dim": IndexCheck(("start_index",), ("operand", "update", "axis"), _start_in_dim),
    "jax.lax.dynamic_index_in_dim": IndexCheck(("index",), ("operand", "axis"), _index_in_dim),
    "jax.lax.dynamic_update_index_in_dim": IndexCheck(("index",), ("operand", "axis"), _index_in_dim),
    "jax.lax.switch": IndexCheck(("index",), ("branches",), _branch),
}


def _checked(function: Foreign) -> str | None:
    """The name of a function in the table, of a method `x.take` too."""
    import jax

    while isinstance(function, functools.partial):
        function = function.func
    is_of_array = isinstance(getattr(function, "__self__", None), jax.Array)
    if is_of_array and getattr(function, "__name__", "").lstrip("_") == "take":
        return METHOD
    for name, real in _reals():
        if function is real:
            return name
    return None


def _reals() -> list[tuple[str, Foreign]]:
    import jax

    places = {"jax.numpy": jax.numpy, "jax.lax": jax.lax}
    split = ((name, name.rpartition(".")) for name in CHECKED if name != METHOD)
    return [(name, getattr(places[home], attribute, None)) for name, (home, _, attribute) in split]


def _bound(
    name: str, function: Foreign, arguments: tuple[Foreign, ...], keywords: dict[str, Foreign]
) -> dict[str, Foreign] | None:
    while isinstance(function, functools.partial):
        arguments, keywords = (*function.args, *arguments), {**function.keywords, **keywords}
        function = function.func
    if name == METHOD:
        real = functools.partial(_take_method, function.__self__)
    else:
        real = function._transform if isinstance(function, Recorder) else function
    try:
        bound = inspect.signature(real).bind(*arguments, **keywords)
    except (TypeError, ValueError):
        return None
    bound.apply_defaults()
    return {"a": function.__self__, **bound.arguments} if name == METHOD else bound.arguments


def _take_method(
    a: Foreign, indices: Foreign, axis: Foreign = None, out: Foreign = None, mode: Foreign = None, **others: Foreign
) -> None:
    """The signature of `x.take`."""


def _call(node: ast.Call) -> ast.AST:
    """A call tells of itself; an update with a mode of its own is left as it is."""
    chosen = _with_mode(node)
    if chosen is None:
        return telling(TOLD.inside(node))
    TOLD.inside(chosen)
    for keyword in node.keywords:
        TOLD.inside(keyword)
    node.args = [TOLD.expression(each) for each in node.args]
    return node


def _subscript(node: ast.Subscript) -> ast.AST:
    TOLD.inside(node)
    if not isinstance(node.ctx, ast.Load):
        return node
    return calling(READ, [literal(node.lineno, node), node.value, _index(node.slice)], node)


TOLD = Rewriter(on(ast.Call, _call), on(ast.Subscript, _subscript))


def _with_mode(node: ast.Call) -> ast.Subscript | None:
    """The subscript of `x.at[i].set(v, mode=...)`."""
    match node.func:
        case ast.Attribute(value=ast.Subscript(value=ast.Attribute(attr="at")) as subscript, attr=name):
            has_mode = any(keyword.arg in {"mode", None} and not _promises(keyword.value) for keyword in node.keywords)
            return subscript if name in _UPDATES and has_mode else None
    return None


def _promises(mode: ast.expr) -> bool:
    return isinstance(mode, ast.Constant) and mode.value in CARELESS


def _index(node: ast.expr) -> ast.expr:
    """A subscript's index as an expression."""
    if isinstance(node, ast.Slice):
        bounds = [bound or ast.Constant(None) for bound in (node.lower, node.upper, node.step)]
        return placed(calling(SLICE, bounds, node), node)
    if isinstance(node, ast.Tuple):
        node.elts = [_index(each) for each in node.elts]
    return node


PHENOMENON = Phenomenon(
    name="out_of_bounds",
    summary="an index outside of an array is clamped, dropped or filled",
    observe=observe,
    bad="""\
import jax
import jax.numpy as jnp

@jax.jit
def f(x, i):
    x = x.at[3].set(1.0)  # here
    return x[i]  # here

def case():
    return f(jnp.zeros(3), 5), jax.lax.dynamic_slice(jnp.zeros(3), (2,), (2,))  # here
""",
    good="""\
import jax
import jax.numpy as jnp

@jax.jit
def f(x, i):
    x = x.at[5].set(1.0, mode="drop")
    return x[i], x[:9]

def case():
    return f(jnp.zeros(3), -3), jax.lax.dynamic_slice(jnp.zeros(3), (1,), (2,))
""",
)
