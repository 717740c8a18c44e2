"""The shadow of JAX agrees with JAX."""

from __future__ import annotations

import pytest

pytest.importorskip("jax")

from tests.fuzzing.referee import differences

PROGRAMS = 12


def test_the_shadow_agrees_with_jax() -> None:
    *wrong, last = differences(range(1000, 1000 + PROGRAMS))
    assert wrong == []
    assert "agrees on 0 paths" not in last
