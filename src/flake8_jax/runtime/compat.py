"""The private names of JAX that the runtime companion uses, one small function each.

A function says what it is for and raises `Unsupported` if its name is not there or does not behave.  Every one has a
self-test in `compat_checks`.
"""

from __future__ import annotations

import importlib
import itertools
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from types import CodeType

from flake8_jax.runtime.changing import changed
from flake8_jax.runtime.foreign import Foreign
from flake8_jax.runtime.sightings import Unsupported

_numbers = itertools.count()


def private(module: str, name: str) -> Foreign:
    """A private name of JAX; raises `Unsupported` if it is not there."""
    try:
        return getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError):
        raise Unsupported(f"this JAX has no {module}.{name}") from None


def backend_is_started() -> bool:
    """Has JAX started a backend in this process?  From then on it has threads, devices and fixed settings."""
    return bool(private("jax._src.xla_bridge", "backends_are_initialized")())


def is_tracing() -> bool:
    """Is any transform of JAX tracing here, in this thread?"""
    return not private("jax._src.core", "trace_state_clean")()


@contextmanager
def watching_values(seen: Callable[[Foreign], None]) -> Iterator[None]:
    """Call `seen` with each concrete array before its value is read by Python: `float(x)`, `x.item()`, `print(x)`.
    Reads through the buffer protocol (`np.asarray(x)` on a CPU) are not reported."""
    owner = private("jax._src.array", "ArrayImpl")
    real, item = owner.__dict__.get("_value"), owner.__dict__.get("item")
    if not isinstance(real, property) or not callable(real.fget) or not callable(item):
        raise Unsupported("this JAX's arrays have no property _value or no method item")
    read = real.fget

    def value(array: Foreign) -> Foreign:
        seen(array)
        return read(array)

    def item_of(array: Foreign, *position: int) -> Foreign:
        seen(array)
        return item(array, *position)

    with changed(owner, _value=property(value), item=item_of):
        yield


@contextmanager
def watching_texts(seen: Callable[[str], None]) -> Iterator[None]:
    """Call `seen` with every string representation of a tracer: by `print`, an f-string, a log."""
    import jax

    waiting: list[Foreign] = [jax.core.Tracer]
    with ExitStack() as stack:
        while waiting:
            owner = waiting.pop()
            waiting += owner.__subclasses__()
            own = [name for name in ("__repr__", "__str__") if name in owner.__dict__]
            stack.enter_context(changed(owner, **{name: _telling(owner.__dict__[name], seen) for name in own}))
        yield


def _telling(real: Callable[[Foreign], str], seen: Callable[[str], None]) -> Callable[[Foreign], str]:
    def text(tracer: Foreign) -> str:
        found = real(tracer)
        seen(found)
        return found

    return text


def settings() -> dict[str, Foreign]:
    """JAX's settings that can be updated, with their present values."""
    import jax

    values = getattr(jax.config, "values", None)
    if not values or "jax_enable_x64" not in values:
        raise Unsupported("this JAX does not list its settings")
    return dict(values)


@contextmanager
def fresh_caches() -> Iterator[None]:
    """Trace and compile everything anew for a while, without touching what is cached. Every cache of JAX is keyed by
    the metadata in force, and this has a value of its own."""
    metadata = private("jax.experimental.xla_metadata", "set_xla_metadata")
    with metadata(flake8_jax_run=str(next(_numbers))):
        yield


@contextmanager
def watching_keys(seen: Callable[[str, Foreign], None]) -> Iterator[None]:
    """Call `seen` with the name and the key of each call of a `jax.random` function. Keys are typed, or arrays of keys;
    `split`, `fold_in` and `key_data` are such functions too."""
    with watching_given_keys(lambda operation, key, given: seen(operation, key)):
        yield


@contextmanager
def watching_given_keys(seen: Callable[[str, Foreign, Foreign], None]) -> Iterator[None]:
    """As `watching_keys`, and `seen` also gets what the function was given, which may be a raw key."""
    home = importlib.import_module(private("jax.random", "normal").__module__)
    name = "_check_prng_key"
    real = private(home.__name__, name)

    def check(operation: str, key: Foreign, **options: Foreign) -> Foreign:
        found = real(operation, key, **options)
        seen(operation, found[0], key)
        return found

    with changed(home, **{name: check}):
        yield


def rows_of_key(key: Foreign) -> list[bytes]:
    """The bytes of each key in a concrete typed key or array of keys.  Nothing is computed for that."""
    import numpy as np

    array = getattr(key, "_base_array", None)
    if array is None:
        raise Unsupported("this JAX's keys have no _base_array")
    data = np.asarray(array)
    return [row.tobytes() for row in data.reshape(-1, data.shape[-1])]


def is_of_this_trace(tracer: Foreign) -> bool:
    """Does a tracer belong to the innermost trace that is going on?"""
    return bool(private("jax._src.core", "trace_ctx").trace is tracer._trace)


@contextmanager
def plain_remat() -> Iterator[None]:
    """Make `jax.checkpoint` the identity, so that its function is not run again for a gradient."""
    remat = private("jax._src.ad_checkpoint", "remat_p")
    evaluate = private("jax._src.core", "eval_jaxpr")

    def bind(*arguments: Foreign, jaxpr: Foreign, **_: Foreign) -> Foreign:
        return evaluate(jaxpr, (), *arguments)

    with changed(remat, bind=bind):
        yield


def axes_in_scope() -> tuple[Foreign, ...]:
    """The named axes of the enclosing `pmap`, `shard_map` and `vmap`. Along them `jax.lax.axis_index` tells devices
    apart."""
    sizes = getattr(private("jax._src.core", "get_axis_env")(), "axis_sizes", None)
    if sizes is None:
        raise Unsupported("this JAX's axis environment has no axis_sizes")
    return tuple(sizes)


def is_backward_rule(code: CodeType) -> bool:
    """Is this the code object through which JAX calls the backward function of a `custom_vjp`?"""
    return code.co_name == "_flatten_bwd" and code.co_filename == _custom_derivatives()


@cache
def _custom_derivatives() -> str:
    return str(private("jax._src.custom_derivatives", "__file__"))


def frames_of(equation: Foreign) -> list[tuple[str, int]]:
    """File and line of each Python frame in which a jaxpr's equation was created, the innermost first."""
    traceback = getattr(getattr(equation, "source_info", None), "traceback", None)
    try:
        return [(frame.file_name, frame.line_num) for frame in traceback.frames] if traceback is not None else []
    except AttributeError:
        raise Unsupported("this JAX's equations do not tell where they come from") from None


@cache
def tracebacks_are_whole() -> bool:
    """Do tracebacks of equations in inner jaxprs include the frames outside of the inner function?"""
    import jax

    inner = jax.jit(lambda x: x + 1)
    outer = jax.make_jaxpr(lambda x: inner(x))(1.0).jaxpr.eqns[0]
    ((_, closed),) = [(name, value) for name, value in outer.params.items() if name in {"jaxpr", "call_jaxpr"}]
    here = [line for name, line in frames_of(closed.jaxpr.eqns[0]) if name == __file__]
    if not here:
        raise Unsupported("an equation's traceback does not show the function that made it")
    return len(here) > 1


def source_file(jaxpr: Foreign) -> str | None:
    """The file of the function from which a jaxpr was traced, if known."""
    said = getattr(getattr(jaxpr, "debug_info", None), "func_src_info", None)
    return said.rpartition(" at ")[2].rpartition(":")[0] if isinstance(said, str) else None


def without_dead(jaxpr: Foreign) -> Foreign:
    """A jaxpr after dead code elimination, inner jaxprs included."""
    return private("jax._src.interpreters.partial_eval", "dce_jaxpr")(jaxpr, [True] * len(jaxpr.outvars), True)[0]


def run_equation(equation: Foreign, arrays: Sequence[Foreign]) -> list[Foreign]:
    """Evaluate one equation of a jaxpr on these arrays."""
    try:
        given = equation.primitive.get_bind_params(equation.params)
        functions, options = given if isinstance(given, tuple) else ((), given)
        with equation.ctx.manager:
            found = equation.primitive.bind(*functions, *arrays, **options)
        return list(found) if equation.primitive.multiple_results else [found]
    except AttributeError:
        raise Unsupported("this JAX's equations cannot be run one by one") from None


def effect_modules() -> tuple[str, ...]:
    """The modules of functions with effects, on the world or on references: callbacks, debugging."""
    return "jax._src.debugging", "jax._src.callback", "jax._src.state"
