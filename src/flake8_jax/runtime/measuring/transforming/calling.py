"""Evaluates one call of a transform, given as an expression, with distinguishable arguments.

The names that an expression may use are made afresh for each evaluation:

    T, p                the transform under watch; p(result) makes a function that records (see recording.py)
    x, y, x1, y1        arrays of shape (2,), (13,), (1, 2), (1, 13);  s, b, i: a float, a bool, an integer
    dx, dy              tangents of x and y: of the same shapes, and weakly typed, which tells them apart
    xs, ys, v, w        arrays of shape (n, 17), (n, 19), (n,) and (n, n)
    t, u                lists of n arrays of shapes (2,) and (4,)
    r, q                arrays of shape (7,) and (11,), for results;  like(r) is its shape and dtype
    n, key              the number of elements, a random key
    linen, haiku, ...   what stands below, and the modules jax, jnp, np, nn, nnx, hk, eqx, optax, pl
"""

from __future__ import annotations

import contextlib
import importlib
import io
import logging
import warnings
from collections.abc import Callable, Iterator, Mapping

import jax
import jax.numpy as jnp
import numpy as np

from flake8_jax.runtime.foreign import Foreign
from flake8_jax.runtime.measuring.naming import resolving
from flake8_jax.runtime.measuring.transforming.recording import CallRecording, Changes, settle

MODULES = {
    "jax": "jax", "jnp": "jax.numpy", "np": "numpy", "nn": "flax.linen", "nnx": "flax.nnx", "hk": "haiku",
    "eqx": "equinox", "optax": "optax", "pl": "jax.experimental.pallas", "pltpu": "jax.experimental.pallas.tpu",
    "sparse": "jax.experimental.sparse", "numpyro": "numpyro", "core": "flax.core", "chex": "chex",
    "checkify": "jax.experimental.checkify", "dist": "numpyro.distributions", "infer": "numpyro.infer",
}  # fmt: skip
VARIED = frozenset(("x", "x1", "xs", "y", "y1", "ys"))


class NotThere(LookupError):
    """A name that does not exist in the installed libraries."""


def named(qualified: str) -> Foreign:
    """The object of a qualified name."""
    try:
        return resolving.named(qualified)
    except (AttributeError, ImportError):
        raise NotThere(qualified) from None


class ExpressionNamespace(dict[str, Foreign]):
    """The namespace of an expression; modules and values that need them are made on first use."""

    def __missing__(self, name: str) -> Foreign:
        if name in MODULES:
            return importlib.import_module(MODULES[name])
        if name in PREPARED:
            return PREPARED[name]
        raise KeyError(name)


def arrays_of(size: int) -> dict[str, Foreign]:
    """The arrays of the namespace."""

    def filled(*shape: int) -> Foreign:
        count = int(np.prod(shape))
        return jnp.asarray(np.linspace(0.25, 0.75, count, dtype=np.float32).reshape(shape))

    return {
        "x": filled(2), "y": filled(13), "x1": filled(1, 2), "y1": filled(1, 13),
        "s": jnp.float32(0.5), "b": jnp.bool_(True), "i": jnp.int32(0),
        "dx": jnp.full((2,), 1.0), "dy": jnp.full((13,), 1.0),
        "xs": filled(size, 17), "ys": filled(size, 19), "v": filled(size), "w": filled(size, size),
        "t": [filled(2) for _ in range(size)], "u": [filled(4) for _ in range(size)],
    }  # fmt: skip


def evaluated(
    text: str,
    transform: Foreign,
    changes: Changes | None = None,
    size: int = 3,
    traced: frozenset[str] | None = frozenset(),
    extra: Mapping[str, Foreign] | None = None,
    compiled: bool = False,
) -> CallRecording:
    """Evaluate the expression and record what happens, eagerly or with some arrays traced. `traced` names these (None:
    all), `extra` gives values for parameters of the transform; `compiled`: what was traced is run as well."""
    record = CallRecording(changes or Changes())
    arrays = arrays_of(size)
    if altered := record.changes.altered:
        arrays |= {name: altered(arrays[name]) for name in VARIED}
        arrays |= {name: [arrays[name], None] for name in ("dx", "dy")}
    chosen = {name: array for name, array in arrays.items() if traced is None or name in traced}

    def run(given: dict[str, Foreign], more: dict[str, Foreign]) -> Foreign:
        names = ExpressionNamespace(
            {**arrays, **given, "n": size, "T": record.watched(transform), "p": record.function,
             "r": jnp.linspace(0.0, 1.0, 7), "q": jnp.linspace(0.0, 1.0, 11), "key": jax.random.key(0)}
        )  # fmt: skip
        record.changes.arguments = {**record.changes.arguments, **more}
        return eval(text, names)

    with quiet(), _surroundings(text):
        try:
            if compiled:
                settle(jax.jit(lambda given: _arrays_in(run(given, {})))(chosen))
            elif chosen or extra:
                jax.make_jaxpr(lambda given, more: (run(given, more), 0)[1])(chosen, dict(extra or {}))
            else:
                settle(run({}, {}))
            _finish()
        except Exception as error:
            record.error = error
            with contextlib.suppress(Exception):
                _finish()
    return record


def _finish() -> None:
    """Wait for callbacks."""
    barrier: Callable[[], None] = jax.effects_barrier
    barrier()


def _arrays_in(result: Foreign) -> list[Foreign]:
    return [leaf for leaf in jax.tree_util.tree_leaves(result) if isinstance(leaf, jax.Array)]


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Suppress the warnings and logs of calls that fail on purpose."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(before)


def _linen(body: Callable[..., Foreign], *args: Foreign) -> Foreign:
    """Run a body in a linen module."""
    nn = importlib.import_module("flax.linen")
    named = type("Anything", (nn.Module,), {"__call__": nn.compact(body), "__module__": __name__})
    return named().apply({}, *args, rngs={"params": jax.random.key(0)})


def _method(decorator: Foreign, function: Foreign, *args: Foreign) -> Foreign:
    """Call a linen module whose method is decorated."""
    nn = importlib.import_module("flax.linen")
    named = type("Named", (nn.Module,), {"__call__": decorator(function), "__module__": __name__})
    return named().apply({}, *args)


def _haiku(body: Callable[[], Foreign]) -> Foreign:
    """Run a body in a haiku transform."""
    hk = importlib.import_module("haiku")
    return hk.transform(body).apply({}, jax.random.key(0))


def _scoped(body: Callable[..., Foreign]) -> Foreign:
    """Run a body with a flax scope."""
    return importlib.import_module("flax.core").apply(body)({})


def _seeded(body: Callable[[], Foreign]) -> Foreign:
    """Run a body as a numpyro model."""
    handlers = importlib.import_module("numpyro.handlers")
    return handlers.seed(body, 0)()


def _ruled(function: Foreign) -> Foreign:
    """A function with a custom derivative or batching rule, with one."""
    if hasattr(function, "def_fwd"):
        function.def_fwd(lambda perturbed, *args: (jnp.zeros((7,)), args))
        function.def_bwd(lambda residuals, gradient, perturbed, *args: residuals)
    elif hasattr(function, "defvjp"):
        function.defvjp(lambda *args: (jnp.zeros((7,)), args), lambda residuals, gradient: residuals)
    elif hasattr(function, "def_vmap"):
        function.def_vmap(lambda size, batched, *args: (args[0], batched[0]))
    else:
        define = function.def_jvp if hasattr(function, "def_jvp") else function.defjvp
        define(lambda primals, tangents, **_: (primals[0], tangents[0]))
    return function


def _in_kernel(body: Callable[[], Foreign]) -> Foreign:
    """Run a body in a Pallas kernel."""
    pl = importlib.import_module("jax.experimental.pallas")
    shape = _like(jnp.ones(3))
    return pl.pallas_call(lambda i, o: (body(), None)[1], out_shape=shape, interpret=True)(jnp.ones(3))


def _mesh() -> Foreign:
    """A mesh of one device."""
    return jax.sharding.Mesh(np.array(jax.devices()[:1]), ("i",))


def _surroundings(text: str) -> contextlib.AbstractContextManager[Foreign]:
    """What must be set before any trace begins: a mesh, if the expression says so."""
    if "with_mesh(" not in text:
        return contextlib.nullcontext()
    return jax.set_mesh(jax.make_mesh((1,), ("i",), axis_types=(jax.sharding.AxisType.Auto,)))


def _with_mesh(body: Callable[[], Foreign]) -> Foreign:
    """Run a body with a mesh of one device, which is set around the whole evaluation."""
    return body()


def _like(*arrays: Foreign) -> Foreign:
    """Shape and dtype of an array."""
    struct: Foreign = jax.ShapeDtypeStruct
    found = [struct(array.shape, array.dtype) for array in arrays]
    return found[0] if len(found) == 1 else tuple(found)


def _inside(manager: Foreign, body: Callable[[], Foreign]) -> Foreign:
    """Run a body in a context manager."""
    with manager:
        return body()


PREPARED: dict[str, Callable[..., Foreign]] = {
    "linen": _linen, "method": _method, "haiku": _haiku, "scoped": _scoped, "seeded": _seeded, "ruled": _ruled,
    "in_kernel": _in_kernel, "mesh": _mesh, "with_mesh": _with_mesh, "like": _like, "inside": _inside,
}  # fmt: skip
