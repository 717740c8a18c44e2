"""Each primitive of which JAX's key-reuse checker knows a signature has a fixture: what it refuses is named.

`of_PRIMITIVE` is refused and `of_PRIMITIVE_ok` accepted; more programs of one primitive have longer names.
"""

from __future__ import annotations

import runpy
from collections.abc import Callable

import pytest

from tests.support.expectations import FIXTURES, definitions, expectations

FILES = sorted((FIXTURES / "key_signatures").glob("*.py"))
NAMES = {found.name for path in FILES for found in definitions(path.read_text(encoding="utf-8"))}
PROGRAMS = sorted(name for name in NAMES if name.startswith("of_"))
EARLIER = {"pjit": "jit", "checkpoint": "remat2", "remat": "remat2"}
"""What primitives were called in other versions of JAX."""

NEWER = {"unstack"}
"""Primitives since JAX 0.12.  Its function takes the same keys apart by slices before, which the checker refuses in any
program, so that there is no fixture that all versions accept.
"""


@pytest.fixture(scope="module")
def programs() -> dict[str, Callable[[], object]]:
    """The functions of the fixtures, to be run."""
    pytest.importorskip("jax")
    return {name: made for path in FILES for name, made in runpy.run_path(str(path)).items() if name in NAMES}


def test_no_signature_is_missing() -> None:
    core = pytest.importorskip("jax.experimental.key_reuse._core")
    known = {EARLIER.get(primitive.name, primitive.name) for primitive in core.key_reuse_signatures}
    missing = {name for name in known - NEWER if {f"of_{name}", f"of_{name}_ok"} - NAMES}
    assert missing == set()


def test_every_refused_program_is_marked() -> None:
    for path in FILES:
        text = path.read_text(encoding="utf-8")
        marked = {expectation.line for expectation in expectations(text)}
        found = [one for one in definitions(text) if one.name.startswith("of_") and not one.name.endswith("_ok")]
        assert [one.name for one in found if not any(line in one for line in marked)] == []


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_checker_of_jax_agrees(name: str, programs: dict[str, Callable[[], object]]) -> None:
    from jax.errors import KeyReuseError
    from jax.experimental.key_reuse._core import check_key_reuse

    if name.endswith("_ok"):
        check_key_reuse(programs[name])
    else:
        with pytest.raises(KeyReuseError):
            check_key_reuse(programs[name])
