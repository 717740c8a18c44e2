"""Phenomenon: a 64-bit dtype is requested and JAX returns 32 bits, its default.

    jnp.zeros(3, dtype=jnp.float64)       a 64-bit type is an argument, the result is float32
    jnp.asarray(np.zeros(3, np.float64))  so was one that NumPy was given; JAX says nothing here
    jnp.asarray(np.array([2**40]))        a number that 32 bits do not hold
    jnp.asarray(np.arange(3))             NumPy's default, and nothing is lost: no hazard

The rewritten fixture tells of every call and operator, with arguments and result.  JAX's warning is a second witness,
for what a library is asked on the fixture's behalf; its line is the fixture's innermost when it is issued.
"""

from __future__ import annotations

import ast
import functools
import operator
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TextIO

from flake8_jax.runtime import frames, recorders
from flake8_jax.runtime.foreign import Foreign
from flake8_jax.runtime.phenomenon import Phenomenon
from flake8_jax.runtime.recorders import Recorded
from flake8_jax.runtime.sightings import Sightings, first_line
from flake8_jax.runtime.trial import Trial
from flake8_jax.runtime.watching.rewriting import CALLEE, Rewriter, calling, literal, on, telling

OPERATOR = "__operator__"
NARROW = {"float64": "float32", "int64": "int32", "uint64": "uint32", "complex128": "complex64"}
_OWN_WORDS = {"float", "int", "complex"}  # Python's types as text: no number of bits is asked for
OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "truediv",
    ast.FloorDiv: "floordiv",
    ast.Mod: "mod",
    ast.Pow: "pow",
    ast.MatMult: "matmul",
}


def observe(trial: Trial, parameter: str) -> Sightings:
    """Run the case; report the lines that request 64 bits and get 32."""
    import jax

    watch = _WidthWatch(trial.path)
    before = _is_x64()
    try:
        with trial.run(watch.warnings(), edit=TOLD.inside, given={CALLEE: watch.callee, OPERATOR: watch.operator}):
            pass
    finally:
        if _is_x64() != before:
            jax.config.update("jax_enable_x64", before)  # type: ignore[no-untyped-call]
    return watch.found


def is_of_width(warning: str) -> bool:
    """Does JAX warn that it gives 32 bits where 64 were asked for?"""
    return "requested" in warning and "truncated to dtype" in warning


def _is_x64() -> bool:
    import jax
    import numpy as np

    return jax.dtypes.canonicalize_dtype(np.float64) == np.float64


@dataclass(slots=True)
class _WidthWatch:
    """What the rewritten fixture tells; `asked` are NumPy's arrays of 64 bits that were asked for."""

    path: str
    found: Sightings = field(default_factory=Sightings)
    asked: dict[int, Foreign] = field(default_factory=dict)

    def callee(self, line: int, function: Foreign) -> Foreign:
        """A function that is about to be called."""
        now = recorders.current
        home = _home(function)
        if (now is not None and now.muted) or home not in {"jax", "numpy"}:
            return function
        look = self._of_jax if home == "jax" else self._of_numpy

        def call(*arguments: Foreign, **keywords: Foreign) -> Foreign:
            result = function(*arguments, **keywords)
            look(line, function, (*arguments, *keywords.values()), result)
            return result

        return call

    def operator(self, line: int, name: str, left: Foreign, right: Foreign) -> Foreign:
        """An operator between two values."""
        import jax

        result = getattr(operator, name)(left, right)
        look = self._of_jax if isinstance(result, jax.Array) else self._of_numpy
        look(line, None, (left, right), result)
        return result

    def _of_numpy(self, line: int, function: Foreign, arguments: tuple[Foreign, ...], result: Foreign) -> None:
        """NumPy was asked for 64 bits, or computed with what it was asked for."""
        given = (function, getattr(function, "__self__", None), *arguments)
        if _is_wide(result) and any(_named(each) in NARROW or id(each) in self.asked for each in given):
            self.asked[id(result)] = result

    def _of_jax(self, line: int, function: Foreign, arguments: tuple[Foreign, ...], result: Foreign) -> None:
        import jax

        got = {str(leaf.dtype) for leaf in jax.tree_util.tree_leaves(result) if isinstance(leaf, jax.Array)}
        if not got or _is_x64():
            return
        named = {name for each in (function, *arguments) if (name := _named(each))}
        for wide in named & NARROW.keys():
            if not isinstance(function, Recorded) and NARROW[wide] in got and wide not in got:
                self.found.see(line, asked=wide, got=NARROW[wide])
        if named:
            return
        for leaf in jax.tree_util.tree_leaves(arguments):
            if _is_wide(leaf) and got & set(NARROW.values()) and (id(leaf) in self.asked or _is_lossy(leaf)):
                self.found.see(line, given=str(leaf.dtype), got=sorted(got))

    @contextmanager
    def warnings(self) -> Iterator[None]:
        """Hear what JAX warns of."""

        def show(
            message: Warning | str,
            category: type[Warning],
            filename: str,
            lineno: int,
            file: TextIO | None = None,
            line: str | None = None,
        ) -> None:
            if is_of_width(str(message)):
                self.found.see(frames.line(self.path), warning=first_line(message))

        with warnings.catch_warnings():
            warnings.simplefilter("always")
            warnings.showwarning = show
            yield


def _home(function: Foreign) -> str:
    """Whose function it is: JAX's (a jitted one and a method of an array too), NumPy's, or anyone's."""
    import jax
    import numpy as np

    while isinstance(function, functools.partial):
        function = function.func
    owner = getattr(function, "__self__", None)
    if isinstance(owner, (np.ndarray, np.generic)):
        return "numpy"
    if isinstance(function, Recorded) or isinstance(owner, jax.Array):
        return "jax"
    module = str(getattr(function, "__module__", None) or getattr(type(function), "__module__", None) or "")
    return "jax" if module.split(".")[0] in {"jax", "jaxlib"} else module.split(".")[0]


def _named(value: Foreign) -> str | None:
    """The type of numbers that a value is or names; None if it names none."""
    import numpy as np

    if isinstance(value, str) and value not in _OWN_WORDS:
        try:
            return str(np.dtype(value).name)
        except (TypeError, ValueError, SyntaxError):
            return None
    if isinstance(value, np.dtype) or (isinstance(value, type) and issubclass(value, np.generic)):
        return str(np.dtype(value).name)
    kind = getattr(value, "dtype", None)
    is_scalar_type = callable(value) and isinstance(kind, np.dtype) and not hasattr(value, "shape")
    return str(np.dtype(kind).name) if is_scalar_type else None


def _is_wide(value: Foreign) -> bool:
    import numpy as np

    return isinstance(value, (np.ndarray, np.generic)) and value.dtype.name in NARROW


def _is_lossy(value: Foreign) -> bool:
    """Would 32 bits give another number: another integer, an infinity or zero in place of a float?"""
    import numpy as np

    array = np.asarray(value)
    with np.errstate(all="ignore"):
        narrow = array.astype(NARROW[array.dtype.name])
    if array.dtype.kind in "iu":
        return not np.array_equal(narrow, array)
    return bool(np.any(np.isfinite(array) & ~np.isfinite(narrow)) or np.any((array != 0) & (narrow == 0)))


def _operation(node: ast.BinOp) -> ast.AST:
    TOLD.inside(node)
    name = OPERATORS.get(type(node.op))
    if name is None:
        return node
    return calling(OPERATOR, [literal(node.lineno, node), literal(name, node), node.left, node.right], node)


TOLD: Rewriter = Rewriter(on(ast.Call, lambda node: telling(TOLD.inside(node))), on(ast.BinOp, _operation))


PHENOMENON = Phenomenon(
    name="truncated",
    summary="64 bits were asked for and 32 came back",
    observe=observe,
    bad="""\
import jax.numpy as jnp
import numpy as np

def case():
    x = jnp.zeros(3, dtype=jnp.float64)  # here
    y = jnp.arange(3).astype("int64")  # here
    host = np.zeros(3, dtype=np.float64)
    return x, y, jnp.asarray(host)  # here
""",
    good="""\
import jax.numpy as jnp
import numpy as np

def case():
    host = np.ones(3, dtype=np.float64)
    return jnp.zeros(3), jnp.arange(3, dtype=float), jnp.asarray(np.arange(3)), jnp.float32(host.sum())
""",
)
