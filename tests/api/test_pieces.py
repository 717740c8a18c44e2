"""What joins arrays refuses a list or tuple among them, as stated: measured by calling it."""

from __future__ import annotations

from typing import Any

import pytest

from flake8_jax.api.stated import read
from flake8_jax.api.table import load

jax = pytest.importorskip("jax")
PIECES = read().plain["pieces"]


def _called(qualified: str, parts: list[Any]) -> Any:
    function: Any = jax
    for name in qualified.split(".")[1:]:
        function = getattr(function, name)
    if qualified.endswith(".select"):
        return function([part > 0 for part in map(jax.numpy.asarray, parts)], parts)
    return function(parts)


@pytest.mark.parametrize("qualified", PIECES)
@pytest.mark.parametrize("piece", [[[1.0, 0.0], [0.0, 1.0]], ((1.0, 0.0), (0.0, 1.0))], ids=["list", "tuple"])
def test_a_piece_that_is_no_array_is_refused(qualified: str, piece: Any) -> None:
    function = load().function(qualified)
    assert function is not None
    assert PIECES[qualified] in {parameter.name for parameter in function.parameters}
    eye = jax.numpy.eye(2)
    _called(qualified, [eye, jax.numpy.asarray(piece)])
    with pytest.raises(TypeError, match="requires ndarray or scalar arguments"):
        _called(qualified, [eye, piece])
