"""What a call asks of the host: the names exist, and the recipes of the runtime see most of them."""

from __future__ import annotations

import builtins
import importlib
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from flake8_jax.api import stated
from flake8_jax.api.host import KINDS, parse_use
from flake8_jax.api.rows import RowError
from flake8_jax.api.table import load
from flake8_jax.runtime.watching import host

ROWS = stated.read().host
# What this project does not install.
FOREIGN = frozenset(
    (
        "IPython", "aim", "alive_progress", "clu", "comet_ml", "httpx", "ipdb", "mlflow", "pandas", "pudb", "requests",
        "rich", "swanlab", "tensorboardX", "tensorflow", "torch", "tqdm", "wandb",
    )
)  # fmt: skip
# Not on every platform, or methods of what a function makes.
ELSEWHERE = frozenset(("os.getrandom", "multiprocessing.Queue.get", "multiprocessing.Queue.get_nowait"))
CALLS: dict[str, Callable[[], object]] = {
    "clock": lambda: time.time(),
    "environment": lambda: __import__("os").environ.get("HOME"),
    "file": lambda: Path(tempfile.gettempdir(), "flake8_jax_host").write_text(""),
    "entropy": lambda: __import__("os").urandom(1),
    "debugger": breakpoint,
}


def found(name: str) -> object:
    """The object of a qualified name; a builtin's too."""
    if "." not in name:
        return getattr(builtins, name)
    module, _, rest = name.rpartition(".")
    while True:
        try:
            thing: object = importlib.import_module(module)
            break
        except ImportError:
            module, _, last = module.rpartition(".")
            rest = f"{last}.{rest}"
    for part in rest.split("."):
        thing = getattr(thing, part, None)
    return thing


def test_each_name_exists() -> None:
    names = [name for name in ROWS if name not in ELSEWHERE and name.partition(".")[0] not in FOREIGN | {"flax"}]
    assert len(names) > 200
    offenders = [name for name in names if not callable(found(name))]
    assert not offenders, "\n".join(offenders)


def test_words() -> None:
    assert {parse_use(word).kind for word in ROWS.values()} == KINDS
    assert parse_use("clock<2").below == 2
    for wrong in ("clocks", "clock<x"):
        with pytest.raises(RowError):
            parse_use(wrong)


def test_methods_of_generators() -> None:
    assert load().moved_by("standard_normal") == {"numpy.random.Generator", "numpy.random.RandomState"}
    assert load().moved_by("unheard_of") == frozenset()


@pytest.mark.parametrize("kind", CALLS)
def test_the_runtime_sees_what_is_asked(kind: str) -> None:
    seen: list[str] = []
    call = CALLS[kind]
    with host.noting(lambda what, detail: seen.append(what)):
        call()
    assert kind in seen
