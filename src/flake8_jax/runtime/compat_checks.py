"""A self-test for each private name of JAX in use. A name that moved is reported by name, before a recipe that needs it
goes blind."""

from __future__ import annotations

import sys
from collections.abc import Callable

from flake8_jax.runtime.compat import (
    axes_in_scope,
    backend_is_started,
    effect_modules,
    frames_of,
    fresh_caches,
    is_backward_rule,
    is_of_this_trace,
    is_tracing,
    plain_remat,
    private,
    rows_of_key,
    run_equation,
    settings,
    source_file,
    tracebacks_are_whole,
    watching_given_keys,
    watching_keys,
    watching_texts,
    watching_values,
    without_dead,
)
from flake8_jax.runtime.foreign import Foreign
from flake8_jax.runtime.sightings import Unsupported


def check_backend_is_started() -> None:
    """Self-test of `backend_is_started`."""
    import jax

    jax.devices()
    _require(backend_is_started(), "backends_are_initialized does not see a backend")


def check_is_tracing() -> None:
    """Self-test of `is_tracing`."""
    import jax

    seen: list[bool] = []

    def look(x: Foreign) -> Foreign:
        seen.append(is_tracing())
        return x

    jax.eval_shape(look, 1.0)
    _require(seen == [True] and not is_tracing(), "trace_state_clean does not tell whether a trace is active")


def check_watching_values() -> None:
    """Self-test of `watching_values`."""
    import jax.numpy as jnp

    seen: list[Foreign] = []
    with watching_values(seen.append):
        for read in (float, int, bool, str, repr, lambda x: x.item(), lambda x: x.tolist(), lambda x: f"{x:.1f}"):
            before = len(seen)
            read(jnp.zeros(()))
            _require(len(seen) > before, f"reading an array by {read} is not seen")


def check_fresh_caches() -> None:
    """Self-test of `fresh_caches`."""
    import jax

    seen: list[int] = []

    def look(x: Foreign) -> Foreign:
        seen.append(1)
        return x

    jitted = jax.jit(look)
    for expected in (1, 2):
        with fresh_caches():
            jitted(1.0), jitted(1.0)
        _require(len(seen) == expected, "metadata is no part of the key of JAX's caches")


def check_watching_texts() -> None:
    """Self-test of `watching_texts`."""
    import jax

    seen: list[str] = []
    shown: list[str] = []

    def show(x: Foreign) -> Foreign:
        shown.append(f"{x}")
        return x

    with watching_texts(seen.append):
        for transform in (jax.jit, jax.grad, jax.checkpoint):
            jax.eval_shape(transform(show), 1.0)
    _require(shown != [] and set(shown) <= set(seen), "the text of a tracer is not made by a __repr__ of its class")


def check_watching_keys() -> None:
    """Self-test of `watching_keys`."""
    import jax

    seen: list[str] = []
    with watching_keys(lambda operation, key: seen.append(operation)):
        key = jax.random.key(0)
        jax.eval_shape(lambda: (jax.random.normal(key), jax.random.split(key), jax.random.bits(jax.random.PRNGKey(0))))
    _require(seen[:1] == ["normal"] and {"split", "bits"} <= set(seen), f"check_prng_key saw {seen}")


def check_rows_of_key() -> None:
    """Self-test of `rows_of_key`, and of the raw keys of `watching_given_keys`."""
    import jax
    import numpy as np

    raw, rows = jax.random.PRNGKey(7), []
    with watching_given_keys(lambda operation, key, given: rows.append((rows_of_key(key), given is raw))):
        jax.random.bits(raw)
    _require(rows[:1] == [([np.asarray(raw).tobytes()], True)], f"of a raw key these bytes are told: {rows[:1]}")


def check_is_of_this_trace() -> None:
    """Self-test of `is_of_this_trace`."""
    import jax

    found: list[bool] = []

    def inner(x: Foreign, outer: Foreign) -> Foreign:
        found.extend((is_of_this_trace(x), is_of_this_trace(outer)))
        return x

    jax.eval_shape(lambda outer: jax.lax.map(lambda x: inner(x, outer), outer), jax.numpy.ones(2))
    _require(found == [True, False], f"of an inner and an outer tracer it is said {found}")


def check_plain_remat() -> None:
    """Self-test of `plain_remat`."""
    import jax

    with plain_remat():
        found = str(jax.make_jaxpr(jax.grad(jax.checkpoint(lambda x: x * x)))(1.0))
    _require("checkpoint" not in found and "remat" not in found, "jax.checkpoint does not go through remat_p")


def check_axes_in_scope() -> None:
    """Self-test of `axes_in_scope`."""
    import jax

    seen: list[tuple[str, ...]] = []

    def lane(x: Foreign) -> Foreign:
        seen.append(axes_in_scope())
        return x

    jax.eval_shape(jax.vmap(lane, axis_name="lane"), jax.numpy.zeros(1))
    _require(seen == [("lane",)] and axes_in_scope() == (), f"the axis environment shows {seen}")


def check_is_backward_rule() -> None:
    """Self-test of `is_backward_rule`."""
    import jax

    seen: list[bool] = []

    def backward(_: Foreign, g: Foreign) -> Foreign:
        frame = sys._getframe(1)
        while frame is not None:
            seen.append(is_backward_rule(frame.f_code))
            frame = frame.f_back  # type: ignore[assignment]
        return (g,)

    f = jax.custom_vjp(lambda x: x)
    f.defvjp(lambda x: (x, None), backward)
    jax.eval_shape(jax.grad(f), 1.0)
    _require(any(seen), "_flatten_bwd does not call backward functions")


def check_frames_of() -> None:
    """Self-test of `frames_of`."""
    import jax

    (equation,) = jax.make_jaxpr(lambda x: x + 1)(1.0).jaxpr.eqns
    _require(
        any(name == __file__ for name, _ in frames_of(equation)), "an equation's traceback has no line of this file"
    )


def check_source_file() -> None:
    """Self-test of `source_file`."""
    import jax

    _require(source_file(jax.make_jaxpr(lambda x: x + 1)(1.0).jaxpr) == __file__, "a jaxpr does not tell its file")


def check_without_dead() -> None:
    """Self-test of `without_dead`."""
    import jax

    def program(x: Foreign) -> Foreign:
        jax.numpy.sin(x)
        return jax.numpy.cos(x)

    found = without_dead(jax.make_jaxpr(program)(1.0).jaxpr)
    _require([str(each.primitive.name) for each in found.eqns] == ["cos"], "dce_jaxpr does not remove a dead equation")


def check_run_equation() -> None:
    """Self-test of `run_equation`."""
    import jax

    (equation,) = jax.make_jaxpr(lambda x: x + 1)(1.0).jaxpr.eqns
    _require(run_equation(equation, [1.0, 1.0]) == [2.0], "an equation gives another result than its function")


def check_effect_modules() -> None:
    """Self-test of `effect_modules`."""
    import jax

    homes = [jax.debug.print.__module__, jax.pure_callback.__module__, jax.debug.callback.__module__]
    _require(all(home.startswith(effect_modules()) for home in homes), f"callbacks stand in {homes}")


def check_private() -> None:
    """Self-test of `private`."""
    _require(private("jax._src.core", "Tracer") is private("jax.core", "Tracer"), "a private name is another object")
    try:
        private("jax._src.core", "no_such_name")
    except Unsupported:
        return
    _require(False, "a name that is not there is found")


def _require(holds: bool, reason: str) -> None:
    if not holds:
        raise Unsupported(reason)


Check = Callable[[], object]

PRIVATE: tuple[tuple[str, Check], ...] = (
    ("backend_is_started", check_backend_is_started),
    ("is_tracing", check_is_tracing),
    ("watching_values", check_watching_values),
    ("watching_texts", check_watching_texts),
    ("settings", settings),
    ("fresh_caches", check_fresh_caches),
    ("watching_keys", check_watching_keys),
    ("watching_given_keys", check_rows_of_key),
    ("rows_of_key", check_rows_of_key),
    ("is_of_this_trace", check_is_of_this_trace),
    ("plain_remat", check_plain_remat),
    ("axes_in_scope", check_axes_in_scope),
    ("is_backward_rule", check_is_backward_rule),
    ("frames_of", check_frames_of),
    ("tracebacks_are_whole", tracebacks_are_whole),
    ("source_file", check_source_file),
    ("without_dead", check_without_dead),
    ("run_equation", check_run_equation),
    ("effect_modules", check_effect_modules),
    ("private", check_private),
)


def check() -> dict[str, str]:
    """The names in `PRIVATE` that do not work here, with reasons."""
    failed: dict[str, str] = {}
    for name, exercise in PRIVATE:
        try:
            exercise()
        except Unsupported as error:
            failed[name] = str(error)
        except Exception as error:
            failed[name] = repr(error)
    return failed
