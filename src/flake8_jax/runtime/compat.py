"""The private names of JAX that the runtime companion uses, one small function each.

A function says what it is for and raises `Unsupported` if its name is not there or does not behave.  Every one has a
check in `PRIVATE`, which `check` runs: a JAX that moved something is found by name, not by a recipe that sees nothing.
"""

from __future__ import annotations

import importlib
import itertools
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from types import CodeType
from typing import Any

from flake8_jax.runtime.sightings import Unsupported

_numbers = itertools.count()


def private(module: str, name: str) -> Any:
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
def watching_values(seen: Callable[[Any], None]) -> Iterator[None]:
    """Call `seen` with each concrete array whose value Python code asks for, before it gets it: `float(x)`, `x.item()`,
    `print(x)`; not with those that are read through the buffer protocol (`np.asarray(x)` on a CPU)."""
    owner = private("jax._src.array", "ArrayImpl")
    real, item = owner.__dict__.get("_value"), owner.__dict__.get("item")
    if not isinstance(real, property) or not callable(real.fget) or not callable(item):
        raise Unsupported("this JAX's arrays have no property _value or no method item")
    read = real.fget

    def value(array: Any) -> Any:
        seen(array)
        return read(array)

    def item_of(array: Any, *position: int) -> Any:
        seen(array)
        return item(array, *position)

    owner._value, owner.item = property(value), item_of
    try:
        yield
    finally:
        owner._value, owner.item = real, item


@contextmanager
def watching_texts(seen: Callable[[str], None]) -> Iterator[None]:
    """Call `seen` with every text that is made of a tracer: by `print`, an f-string, a log."""
    import jax

    owners: list[tuple[Any, str, Any]] = []
    waiting: list[Any] = [jax.core.Tracer]
    while waiting:
        owner = waiting.pop()
        waiting += owner.__subclasses__()
        owners += [(owner, name, owner.__dict__[name]) for name in ("__repr__", "__str__") if name in owner.__dict__]
    for owner, name, real in owners:
        setattr(owner, name, _telling(real, seen))
    try:
        yield
    finally:
        for owner, name, real in owners:
            setattr(owner, name, real)


def _telling(real: Callable[[Any], str], seen: Callable[[str], None]) -> Callable[[Any], str]:
    def text(tracer: Any) -> str:
        found = real(tracer)
        seen(found)
        return found

    return text


def settings() -> dict[str, Any]:
    """JAX's settings that can be updated, with their present values."""
    import jax

    values = getattr(jax.config, "values", None)
    if not values or "jax_enable_x64" not in values:
        raise Unsupported("this JAX does not list its settings")
    return dict(values)


@contextmanager
def fresh_caches() -> Iterator[None]:
    """Trace and compile everything anew for a while, and leave what is cached to others: every cache of JAX asks for
    the metadata in force, and this has a value of its own."""
    metadata = private("jax.experimental.xla_metadata", "set_xla_metadata")
    with metadata(flake8_jax_run=str(next(_numbers))):
        yield


@contextmanager
def watching_keys(seen: Callable[[str, Any], None]) -> Iterator[None]:
    """Call `seen` with the name of each function of `jax.random` that is given a key, and with the key, typed, or an
    array of keys; `split`, `fold_in` and `key_data` are such functions too."""
    home = importlib.import_module(private("jax.random", "normal").__module__)
    name = "_check_prng_key"
    real = private(home.__name__, name)

    def check(operation: str, key: Any, **options: Any) -> Any:
        found = real(operation, key, **options)
        seen(operation, found[0])
        return found

    setattr(home, name, check)
    try:
        yield
    finally:
        setattr(home, name, real)


@contextmanager
def plain_remat() -> Iterator[None]:
    """Make `jax.checkpoint` the identity: what it holds runs once, and not again for a gradient."""
    remat = private("jax._src.ad_checkpoint", "remat_p")
    evaluate = private("jax._src.core", "eval_jaxpr")
    before = vars(remat).get("bind")

    def bind(*arguments: Any, jaxpr: Any, **_: Any) -> Any:
        return evaluate(jaxpr, (), *arguments)

    remat.bind = bind
    try:
        yield
    finally:
        if before is None:
            del remat.bind
        else:
            remat.bind = before


def axes_in_scope() -> tuple[Any, ...]:
    """The named axes of the `pmap`, `shard_map` and `vmap` around: where `jax.lax.axis_index` tells devices apart."""
    sizes = getattr(private("jax._src.core", "get_axis_env")(), "axis_sizes", None)
    if sizes is None:
        raise Unsupported("this JAX's axis environment has no axis_sizes")
    return tuple(sizes)


def is_backward_rule(code: CodeType) -> bool:
    """Is this the code by which JAX calls the backward function of a `custom_vjp`?"""
    return code.co_name == "_flatten_bwd" and code.co_filename == _custom_derivatives()


@cache
def _custom_derivatives() -> str:
    return str(private("jax._src.custom_derivatives", "__file__"))


def frames_of(equation: Any) -> list[tuple[str, int]]:
    """File and line of each Python frame under which an equation of a jaxpr was made, the innermost first."""
    traceback = getattr(getattr(equation, "source_info", None), "traceback", None)
    try:
        return [(frame.file_name, frame.line_num) for frame in traceback.frames] if traceback is not None else []
    except AttributeError:
        raise Unsupported("this JAX's equations do not tell where they come from") from None


@cache
def tracebacks_are_whole() -> bool:
    """Does the traceback of an equation in an inner jaxpr reach beyond the function that this jaxpr was made of?"""
    import jax

    inner = jax.jit(lambda x: x + 1)
    outer = jax.make_jaxpr(lambda x: inner(x))(1.0).jaxpr.eqns[0]
    ((_, closed),) = [(name, value) for name, value in outer.params.items() if name in {"jaxpr", "call_jaxpr"}]
    here = [line for name, line in frames_of(closed.jaxpr.eqns[0]) if name == __file__]
    _require(bool(here), "an equation's traceback does not show the function that made it")
    return len(here) > 1


def source_file(jaxpr: Any) -> str | None:
    """The file of the function that a jaxpr was made of, if it says."""
    said = getattr(getattr(jaxpr, "debug_info", None), "func_src_info", None)
    return said.rpartition(" at ")[2].rpartition(":")[0] if isinstance(said, str) else None


def without_dead(jaxpr: Any) -> Any:
    """A jaxpr with the equations that an output or an effect needs, inside the equations too."""
    return private("jax._src.interpreters.partial_eval", "dce_jaxpr")(jaxpr, [True] * len(jaxpr.outvars), True)[0]


def run_equation(equation: Any, arrays: Sequence[Any]) -> list[Any]:
    """What an equation of a jaxpr makes of these arrays."""
    try:
        given = equation.primitive.get_bind_params(equation.params)
        functions, options = given if isinstance(given, tuple) else ((), given)
        with equation.ctx.manager:
            found = equation.primitive.bind(*functions, *arrays, **options)
        return list(found) if equation.primitive.multiple_results else [found]
    except AttributeError:
        raise Unsupported("this JAX's equations cannot be run one by one") from None


def _check_backend_is_started() -> None:
    import jax

    jax.devices()
    _require(backend_is_started(), "backends_are_initialized does not see a backend")


def _check_is_tracing() -> None:
    import jax

    seen: list[bool] = []

    def look(x: Any) -> Any:
        seen.append(is_tracing())
        return x

    jax.eval_shape(look, 1.0)
    _require(seen == [True] and not is_tracing(), "trace_state_clean does not tell whether a trace is active")


def _check_watching_values() -> None:
    import jax.numpy as jnp

    seen: list[Any] = []
    with watching_values(seen.append):
        for read in (float, int, bool, str, repr, lambda x: x.item(), lambda x: x.tolist(), lambda x: f"{x:.1f}"):
            before = len(seen)
            read(jnp.zeros(()))
            _require(len(seen) > before, f"reading an array by {read} is not seen")


def _check_fresh_caches() -> None:
    import jax

    seen: list[int] = []

    def look(x: Any) -> Any:
        seen.append(1)
        return x

    jitted = jax.jit(look)
    for expected in (1, 2):
        with fresh_caches():
            jitted(1.0), jitted(1.0)
        _require(len(seen) == expected, "metadata is no part of the key of JAX's caches")


def _check_watching_texts() -> None:
    import jax

    seen: list[str] = []
    shown: list[str] = []

    def show(x: Any) -> Any:
        shown.append(f"{x}")
        return x

    with watching_texts(seen.append):
        for transform in (jax.jit, jax.grad, jax.checkpoint):
            jax.eval_shape(transform(show), 1.0)
    _require(shown != [] and set(shown) <= set(seen), "the text of a tracer is not made by a __repr__ of its class")


def _check_watching_keys() -> None:
    import jax

    seen: list[str] = []
    with watching_keys(lambda operation, key: seen.append(operation)):
        key = jax.random.key(0)
        jax.eval_shape(lambda: (jax.random.normal(key), jax.random.split(key), jax.random.bits(jax.random.PRNGKey(0))))
    _require(seen[:1] == ["normal"] and {"split", "bits"} <= set(seen), f"_check_prng_key saw {seen}")


def _check_plain_remat() -> None:
    import jax

    with plain_remat():
        found = str(jax.make_jaxpr(jax.grad(jax.checkpoint(lambda x: x * x)))(1.0))
    _require("checkpoint" not in found and "remat" not in found, "jax.checkpoint does not go through remat_p")


def _check_axes_in_scope() -> None:
    import jax

    seen: list[tuple[str, ...]] = []

    def lane(x: Any) -> Any:
        seen.append(axes_in_scope())
        return x

    jax.eval_shape(jax.vmap(lane, axis_name="lane"), jax.numpy.zeros(1))
    _require(seen == [("lane",)] and axes_in_scope() == (), f"the axis environment shows {seen}")


def _check_is_backward_rule() -> None:
    import jax

    seen: list[bool] = []

    def backward(_: Any, g: Any) -> Any:
        frame = sys._getframe(1)
        while frame is not None:
            seen.append(is_backward_rule(frame.f_code))
            frame = frame.f_back  # type: ignore[assignment]
        return (g,)

    f = jax.custom_vjp(lambda x: x)
    f.defvjp(lambda x: (x, None), backward)
    jax.eval_shape(jax.grad(f), 1.0)
    _require(any(seen), "_flatten_bwd does not call backward functions")


def _check_frames_of() -> None:
    import jax

    (equation,) = jax.make_jaxpr(lambda x: x + 1)(1.0).jaxpr.eqns
    _require(
        any(name == __file__ for name, _ in frames_of(equation)), "an equation's traceback has no line of this file"
    )


def _check_source_file() -> None:
    import jax

    _require(source_file(jax.make_jaxpr(lambda x: x + 1)(1.0).jaxpr) == __file__, "a jaxpr does not tell its file")


def _check_without_dead() -> None:
    import jax

    def program(x: Any) -> Any:
        jax.numpy.sin(x)
        return jax.numpy.cos(x)

    found = without_dead(jax.make_jaxpr(program)(1.0).jaxpr)
    _require([str(each.primitive.name) for each in found.eqns] == ["cos"], "dce_jaxpr does not remove a dead equation")


def _check_run_equation() -> None:
    import jax

    (equation,) = jax.make_jaxpr(lambda x: x + 1)(1.0).jaxpr.eqns
    _require(run_equation(equation, [1.0, 1.0]) == [2.0], "an equation gives another result than its function")


def _require(holds: bool, reason: str) -> None:
    if not holds:
        raise Unsupported(reason)


Check = Callable[[], object]

PRIVATE: tuple[tuple[str, Check], ...] = (
    ("backend_is_started", _check_backend_is_started),
    ("is_tracing", _check_is_tracing),
    ("watching_values", _check_watching_values),
    ("watching_texts", _check_watching_texts),
    ("settings", settings),
    ("fresh_caches", _check_fresh_caches),
    ("watching_keys", _check_watching_keys),
    ("plain_remat", _check_plain_remat),
    ("axes_in_scope", _check_axes_in_scope),
    ("is_backward_rule", _check_is_backward_rule),
    ("frames_of", _check_frames_of),
    ("tracebacks_are_whole", tracebacks_are_whole),
    ("source_file", _check_source_file),
    ("without_dead", _check_without_dead),
    ("run_equation", _check_run_equation),
)


def check() -> dict[str, str]:
    """What of `PRIVATE` does not work here, with reasons."""
    failed: dict[str, str] = {}
    for name, exercise in PRIVATE:
        try:
            exercise()
        except Unsupported as error:
            failed[name] = str(error)
        except Exception as error:
            failed[name] = repr(error)
    return failed
