"""Facts on pages, run: what waits for JAX, what calls from Python cost, what warns, and what a fork is told."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import timeit
import warnings
from collections.abc import Callable
from typing import Any

import pytest

from tests.rules.test_facts import COMPILED, why
from tests.rules.test_rules import examples

pytest.importorskip("jax")

WAITING: dict[str, Callable[[Any], Any]] = {
    "float": float, "x.item()": lambda x: x.item(), "print": lambda x: print(x, file=io.StringIO()),
    "an f-string": lambda x: f"{x}", "np.asarray": lambda x: __import__("numpy").asarray(x),
    "if": lambda x: 1 if x else 0,
    "device_get": lambda x: __import__("jax").device_get(x),
    "a tree": lambda x: __import__("jax").block_until_ready({"loss": [x]}),
}  # fmt: skip
"""What waits for a value of JAX, in the words of the page of JAX702. Each reads the value itself: when a comparison of
it is there, it may be said of the value only a moment later that it is."""


def test_a_call_returns_before_its_result_is_there_and_these_wait_for_it() -> None:
    import jax
    import jax.numpy as jnp

    step, x = jax.jit(lambda x: (x @ x @ x).sum()), jnp.ones((700, 700))
    step(x).block_until_ready()

    def unfinished() -> Any:
        """A result that is not there yet: on a busy machine, the call may return after it is."""
        return next((y for y in map(step, [x] * 20) if not y.is_ready()), None)

    for name, wait in WAITING.items():
        y = unfinished()
        assert y is not None, name
        wait(y)
        assert y.is_ready(), name
    assert WAITING["a tree"](y) == {"loss": [y]}


def test_the_first_turn_of_a_loop_compiles() -> None:
    import jax
    from jax import monitoring

    seen: list[str] = []
    monitoring.register_event_duration_secs_listener(lambda event, *_, **__: seen.append(event))
    step, counts = jax.jit(lambda x: x * 3.25), []
    for turn in range(3):
        step(1.0 + turn)
        counts.append(seen.count(COMPILED))
    assert counts[0] > 0
    assert counts[1:] == counts[:1] * 2


def least(function: Callable[[], object]) -> float:
    """The seconds that a call takes, after a first one."""
    function()
    return min(timeit.repeat(function, number=1, repeat=2))


def read(how: Callable[[Any], object]) -> Callable[[], object]:
    """A new array, read."""
    import jax.numpy as jnp

    return lambda: how((jnp.zeros(100) + 1).block_until_ready())


def test_what_small_calls_cost_beside_one_is_as_the_page_of_703_says() -> None:
    import jax
    import jax.numpy as jnp

    def relaxed(x: Any) -> Any:
        return x - 0.1 * jnp.sin(x)

    x, step = jnp.ones(3), jax.jit(relaxed)
    many = jax.jit(lambda x: jax.lax.fori_loop(0, 100, lambda i, x: relaxed(x), x))
    in_calls = least(lambda: [step(x) for _ in range(100)])
    assert in_calls > 10 * least(lambda: many(x).block_until_ready())
    assert least(lambda: [relaxed(x) for _ in range(100)]) > 1.5 * in_calls
    assert least(read(lambda v: [float(one) for one in v])) > 5 * least(read(lambda v: v.tolist()))


def test_an_update_outside_of_jit_copies_the_whole_array() -> None:
    import jax.numpy as jnp

    values = jnp.zeros(1000)
    assert values.at[0].set(1.0).unsafe_buffer_pointer() != values.unsafe_buffer_pointer()


def warned(action: Callable[[], object]) -> list[str]:
    """The kinds of warnings that something brings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        action()
    return [each.category.__name__ for each in caught]


def test_a_deprecated_name_works_and_warns_and_what_takes_its_place_does_not() -> None:
    """In a process of its own, in which nobody has asked for the name before."""
    import jax

    for role, is_told in (("bad", True), ("good", False)):
        text = next(text for found, text in examples(role) if found.rule.code == "JAX802")
        if tuple(map(int, jax.__version__.split(".")[:2])) >= (0, 10):
            done = subprocess.run([sys.executable, "-W", "always", "-c", text], capture_output=True, text=True)
            assert done.returncode == 0
            assert ("DeprecationWarning" in done.stderr) is is_told
    assert "`DeprecationWarning`" in why("JAX802")


def test_a_process_that_is_forked_after_the_backend_is_started_is_warned_of() -> None:
    import jax

    jax.devices()

    def fork() -> None:
        child = os.fork()
        if child == 0:
            os._exit(0)
        os.waitpid(child, 0)

    assert "RuntimeWarning" in warned(fork)
    assert "forked" in why("JAX901")
