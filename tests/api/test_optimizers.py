"""What is stated of optimizers and of the states of training, asked of optax and flax."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from flake8_jax.api import stated
from flake8_jax.runtime.measuring.naming.resolving import named
from tests.support import slices

pytestmark = pytest.mark.slow

jax = pytest.importorskip("jax")
optax = pytest.importorskip("optax")
CLASS = "optax.GradientTransformation"
MADE = sorted(name for name, made in stated.read().instances.items() if made == CLASS)
NEEDS = stated.read().optimizers
RUN = [one for one in MADE if NEEDS.get(one) != "inner"]
LEAVES = stated.read().plain["leaves"]["optax.OptState"].split()

# Arguments that have no default, by name; any other is a number.
ARGUMENTS: dict[str, Callable[[], Any]] = {
    **dict.fromkeys(
        ("inner", "opt", "base_optimizer", "inner_optimizer", "optimizer", "opt_update", "tx"), lambda: optax.sgd(0.1)
    ),
    **dict.fromkeys(("transforms",), lambda: {"a": optax.sgd(0.1)}),
    "param_labels": lambda: {"w": "a"},
    "step_size_fn": lambda: lambda count: 0.1,
    "mask": lambda: {"w": True},
    "max_consecutive_errors": lambda: 2,
    "k": lambda: 2,
    "seed": lambda: 0,
    "sync_period": lambda: 2,
}


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")
@pytest.mark.parametrize("name", MADE)
def test_what_is_stated_to_make_an_optimizer_makes_one(name: str) -> None:
    if not hasattr(named(name.rpartition(".")[0]), name.rpartition(".")[2]):
        pytest.skip("not in this version of optax")
    assert isinstance(_made(named(name)), optax.GradientTransformation)


LATER = ("'float' object", "obj_fn", "structure error", "required keyword-only argument")
"""What `update` says of other arguments, or of the numbers that stand for functions here, with its parameters."""


def aspects(name: str) -> list[object]:
    """What is stated of an optimizer, and where it comes from."""
    return [name.rpartition(".")[0], NEEDS.get(name), stated.read().remembering.get(name)]


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")
@slices.each("name", RUN, aspects, least=24)
def test_the_parameters_are_needed_where_this_is_stated_and_nowhere_else(name: str) -> None:
    if not hasattr(named(name.rpartition(".")[0]), name.rpartition(".")[2]):
        pytest.skip("not in this version of optax")
    optimizer = _made(named(name))
    without, given = _update(optimizer), _update(optimizer, {"w": np.ones((2, 2))})
    if any(word in given for word in LATER):
        needs = NEEDS.get(name, "").split("+")
        assert all(one in given or one == "params" for one in needs if one) or not needs
        return
    assert given == ""
    assert bool(without) == (NEEDS.get(name) == "params"), without


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")
@slices.each("name", RUN, aspects, least=24)
def test_the_state_is_a_tree_like_the_parameters_where_this_is_stated(name: str) -> None:
    if not hasattr(named(name.rpartition(".")[0]), name.rpartition(".")[2]):
        pytest.skip("not in this version of optax")
    optimizer, one = _made(named(name)), np.ones((2, 2), np.float32)
    given = {name: {"w": one, "b": one} if name == "grad" else np.float32(1) for name in NEEDS.get(name, "").split("+")}
    given = {name: value for name, value in given.items() if name in ("value", "grad")}
    given |= {"value_fn": lambda params: np.float32(1)} if "value_fn" in NEEDS.get(name, "") else {}
    outcomes = list[str]()
    for made_of in ({"w": one, "b": one}, {"w": one}):
        try:
            optimizer.update({"w": one, "b": one}, optimizer.init(made_of), {"w": one, "b": one}, **given)
        except Exception:  # each optimizer has its own
            outcomes.append("raises")
        else:
            outcomes.append("runs")
    is_stated = stated.read().remembering.get(name) == "alike"
    assert outcomes[0] == "raises" or outcomes[1] == ("raises" if is_stated else "runs")


@pytest.mark.parametrize("name", [one for one, word in stated.read().remembering.items() if ":" in word])
def test_the_state_is_a_tree_like_the_parameters_where_an_argument_is_given(name: str) -> None:
    option, one = stated.read().remembering[name].partition(":")[2], np.ones((2, 2), np.float32)
    _, second, *_ = inspect.signature(named(name)).parameters
    assert second == option
    for given, is_alike in ({option: 0.9}, True), ({}, False):
        optimizer = named(name)(0.1, **given)
        state = optimizer.init({"w": one})
        updated = jax.tree.leaves(optimizer.update({"w": one}, state)[1])
        assert (len(updated) > 0 and not np.array_equal(updated[0], jax.tree.leaves(state)[0])) == is_alike


@pytest.mark.parametrize("name", [one for one in NEEDS if NEEDS[one] == "inner" and one in MADE])
def test_what_is_made_of_optimizers_needs_what_these_need(name: str) -> None:
    arguments = {
        "optax.apply_if_finite": (3,), "optax.masked": ({"w": True},), "optax.chain": (), "optax.flatten": (),
        "optax.with_extra_args_support": (),
    }  # fmt: skip
    if name in arguments:
        assert _update(named(name)(optax.adamw(0.1), *arguments[name]))
        assert not _update(named(name)(optax.sgd(0.1), *arguments[name]))
    elif name == "optax.named_chain":
        assert _update(optax.named_chain(("first", optax.adamw(0.1))))
    else:
        assert _update(named(name)({"a": optax.adamw(0.1), "b": optax.sgd(0.1)}, {"w": "b"}))


def _update(optimizer: Any, *parameters: Any) -> str:
    """What is raised by an update of an optimizer; "" if nothing is."""
    try:
        optimizer.update({"w": np.ones((2, 2))}, optimizer.init({"w": np.ones((2, 2))}), *parameters)
    except Exception as error:  # each optimizer has its own
        return str(error)
    return ""


def _made(function: Callable[..., Any]) -> Any:
    name = getattr(function, "__name__", "")
    if name == "chain":
        return function(optax.sgd(0.1))
    if name == "named_chain":
        return function(("first", optax.sgd(0.1)))
    needed = [one for one in inspect.signature(function).parameters.values() if one.default is one.empty]
    given = {one.name: ARGUMENTS.get(one.name, lambda: 0.1)() for one in needed if one.kind is not one.VAR_KEYWORD}
    return function(**given)


@pytest.mark.parametrize(
    "made",
    [
        lambda: optax.adam(1e-3),
        lambda: optax.chain(optax.clip(1.0), optax.scale_by_schedule(lambda count: 0.1)),
        lambda: optax.apply_if_finite(optax.sgd(0.1), 3),
        lambda: optax.MultiSteps(optax.adam(1e-3), 2),
    ],
    ids=["adam", "schedule", "finite", "steps"],
)
def test_the_fields_of_states_are_tracers_under_jit(made: Callable[[], Any]) -> None:
    import jax
    import jax.numpy as jnp

    optimizer, params = made(), {"w": jnp.ones(2)}
    seen: list[bool] = []

    def step(state: Any) -> Any:
        updates, after = optimizer.update(params, state, params)
        for one in (state, optimizer.init(params), after):
            seen.extend(isinstance(field, jax.core.Tracer) for field in _fields(one))
        return updates

    jax.jit(step)(optimizer.init(params))
    assert seen
    assert all(seen)


def _fields(state: Any) -> Iterator[Any]:
    """The fields with the stated names, at any depth."""
    parts = state if isinstance(state, (tuple, list)) else ()
    for part in parts:
        yield from _fields(part)
    for name in LEAVES:
        if hasattr(type(state), "_fields") and name in state._fields:
            yield getattr(state, name)


def test_a_state_of_training_is_copied() -> None:
    train_state = pytest.importorskip("flax.training.train_state")
    import jax.numpy as jnp

    params = {"w": jnp.ones(2)}
    state = train_state.TrainState.create(apply_fn=None, params=params, tx=optax.sgd(0.1))
    for copy in (state.apply_gradients(grads=params), state.replace(step=3)):
        assert type(copy) is train_state.TrainState
        assert copy is not state
    assert state.step == 0
