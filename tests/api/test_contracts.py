"""What is stated of the contracts of libraries is what the installed ones do."""

from __future__ import annotations

import importlib
import inspect
import warnings
from collections.abc import Iterator
from contextlib import nullcontext
from typing import Any

import pytest

from flake8_jax.api import stated
from flake8_jax.api.contracts import Freezing, parse_freezing
from flake8_jax.api.table import load

FROZEN = [parse_freezing(by, row) for by, row in stated.read().plain["frozen"].items()]


@pytest.fixture(autouse=True)
def _quietly() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@pytest.mark.parametrize("freezing", FROZEN, ids=lambda one: one.by)
def test_frozen_objects_refuse_stores_and_are_copied(freezing: Freezing) -> None:
    pytest.importorskip(freezing.by.partition(".")[0])
    made, name = example(freezing)
    if freezing.how == "bound":
        setattr(made, name, 3)
        return
    with pytest.raises(AttributeError):
        setattr(made, name, 3)
    assert getattr(copied(freezing, made, name), name) == 3


@pytest.mark.parametrize("freezing", [one for one in FROZEN if one.storing], ids=lambda one: one.by)
def test_these_methods_store_fields_and_no_others_do(freezing: Freezing) -> None:
    pytest.importorskip(freezing.by.partition(".")[0])
    for method in freezing.storing:
        run(freezing, method, "value")
    with pytest.raises(Exception, match=r"frozen|cannot assign"):
        run(freezing, "__call__", "value")
    if freezing.declares:
        with pytest.raises(AttributeError):
            run(freezing, freezing.storing[0], "other")


def test_optimizers_are_given_what_this_version_demands() -> None:
    nnx: Any = pytest.importorskip("flax.nnx")
    optax: Any = pytest.importorskip("optax")
    import jax

    model = nnx.Linear(2, 1, rngs=nnx.Rngs(0))
    grads = nnx.grad(lambda one: one(jax.numpy.ones(2)).sum())(model)
    demands = {name: load().required(name) for name in stated.read().plain["required"]}
    made = nnx.Optimizer(model, optax.sgd(0.1), wrt=nnx.Param)
    with pytest.raises(TypeError) if demands["flax.nnx.Optimizer"] else nullcontext():
        nnx.Optimizer(model, optax.sgd(0.1))
    with pytest.raises(TypeError) if demands["flax.nnx.Optimizer.update"] else nullcontext():
        made.update(grads)
    if demands["flax.nnx.Optimizer.update"]:
        made.update(model, grads)


def test_parts_are_made_under_the_decorator_alone() -> None:
    linen: Any = pytest.importorskip("flax.linen")
    import jax

    for owner, names in stated.read().plain["parts"].items():
        for name in names.split():
            made = getattr(named(owner), name)
            assert made in (linen.Module.param, linen.Module.variable) or issubclass(made, linen.Module)
    for form in (lambda method: method, linen.compact):

        class Made(linen.Module):  # type: ignore[misc]
            __call__ = form(lambda self, x: linen.Dense(1)(x) * self.param("scale", linen.initializers.ones, ()))

        if form is linen.compact:
            Made().init(jax.random.key(0), jax.numpy.ones(2))
            continue
        with pytest.raises(Exception, match="Submodule Dense must be defined"):
            Made().init(jax.random.key(0), jax.numpy.ones(2))


def test_modules_hold_what_is_stated_and_are_taken_by_the_transforms_of_their_library() -> None:
    equinox: Any = pytest.importorskip("equinox")
    import jax

    given: dict[str, Any] = {
        "in_size": 2, "out_size": 2, "width_size": 2, "depth": 1, "kernel_size": 3, "target_shape": 2, "input_size": 2,
        "axis_name": "i", "fn": jax.numpy.sin, "layer": equinox.nn.Linear(2, 2, key=jax.random.key(0)), "shape": 2,
        "in_features": 2, "out_features": 2, "in_channels": 2, "out_channels": 2, "hidden_size": 2, "num_heads": 2,
        "query_size": 2, "embedding_size": 2, "key": jax.random.key(0), "weight_name": "weight",
    }  # fmt: skip
    nouns = {"function": lambda leaf: callable(leaf), "string": lambda leaf: isinstance(leaf, str)}
    for name, found in vars(equinox.nn).items():
        if not inspect.isclass(found) or not issubclass(found, equinox.Module):
            continue
        parameters = inspect.signature(found).parameters
        try:
            made = found(**{one: given[one] for one in parameters if one in given})
        except (TypeError, ValueError):
            assert not load().opaque_part(f"equinox.nn.{name}")
            continue
        held = {noun for noun, is_one in nouns.items() if any(map(is_one, jax.tree.leaves(made)))}
        assert load().opaque_part(f"equinox.nn.{name}") == "".join(held)
    model = equinox.nn.MLP(2, "scalar", 2, 1, key=given["key"])
    x = jax.numpy.ones(2)
    for plain, row in stated.read().plain["filtering"].items():
        if plain in ("*", "jax.pmap", "jax.vmap", "jax.jacfwd", "jax.hessian"):
            continue
        arguments = (model,) if "grad" in plain or "jac" in plain else (model, x)
        for name, expected in ((plain, pytest.raises(TypeError)), (row, nullcontext())):
            transform, function = named(name), lambda net, at=x: net(at)
            with expected:
                transform(function, *arguments) if "eval_shape" in plain else transform(function)(*arguments)


def test_updates_are_put_back_by_the_transforms_of_the_library_alone() -> None:
    nnx: Any = pytest.importorskip("flax.nnx")
    import jax

    if not hasattr(nnx, "Pytree"):
        pytest.skip("modules are no trees in this version of flax")

    def doubled(model: Any) -> None:
        nnx.update(model, jax.tree.map(lambda leaf: leaf * 2, nnx.state(model)))

    kept = stated.read().plain["updated"]["flax.nnx"]
    for transform, is_kept in ((jax.jit, False), (named(kept), True)):
        model = nnx.Linear(2, 1, rngs=nnx.Rngs(0))
        before = model.kernel[...]
        transform(doubled)(model)
        assert bool((model.kernel[...] != before).any()) is is_kept
    with pytest.raises(Exception, match="trace level"):
        jax.jit(lambda: doubled(model))()


def test_transforms_put_placeholders_where_this_is_stated() -> None:
    import jax

    given: list[Any] = []

    @jax.tree_util.register_pytree_node_class
    class Tree:
        def __init__(self, x: Any) -> None:
            given.append(x)
            self.x = x

        def tree_flatten(self) -> tuple[tuple[Any], None]:
            return (self.x,), None

        @classmethod
        def tree_unflatten(cls, _: None, children: tuple[Any]) -> Tree:
            return cls(*children)

    kinds = {"None": type(None), "a shape": jax.ShapeDtypeStruct}

    def placeholders(name: str, function: Any) -> set[str]:
        tree, transform = Tree(1.0), named(name)
        given.clear()
        transform(function, tree) if "eval" in name else transform(function)(tree)
        return {word for word, kind in kinds.items() if any(isinstance(one, kind) for one in given)}

    for name, row in {"jax.jit": "", "jax.grad": "", **stated.read().plain["placeholders"]}.items():
        returned = row.removeprefix("returned ")
        assert placeholders(name, lambda tree: tree.x) == ({row} & {returned}) - {""}
        if name in ("jax.jit", "jax.eval_shape", "jax.jacfwd", "jax.jacrev"):
            assert placeholders(name, lambda tree: tree) == {returned} - {""}


def test_integers_are_kept_in_states_where_this_is_stated() -> None:
    haiku: Any = pytest.importorskip("haiku")
    import jax

    x = jax.numpy.ones((2, 3))
    uses = {
        "haiku.BatchNorm": lambda: haiku.BatchNorm(True, True, 0.9)(x, True),
        "haiku.ExponentialMovingAverage": lambda: haiku.ExponentialMovingAverage(0.9)(x),
        "haiku.get_state": lambda: haiku.get_state("count", (), jax.numpy.int32, init=jax.numpy.zeros),
    }
    assert uses.keys() == stated.read().plain["counting"].keys()
    for use in uses.values():
        _, state = haiku.transform_with_state(use).init(jax.random.PRNGKey(0))
        assert any(jax.numpy.issubdtype(leaf.dtype, jax.numpy.integer) for leaf in jax.tree.leaves(state))


def example(freezing: Freezing) -> tuple[Any, str]:
    """An object that is frozen, and the name of a field of it."""
    found: Any = named(freezing.by)
    if inspect.ismodule(found):
        import jax

        return found.Linear(2, 2, key=jax.random.key(0)), "weight"
    if freezing.by.endswith("TrainState"):
        optax: Any = importlib.import_module("optax")

        return found.create(apply_fn=None, params={}, tx=optax.sgd(0.1)), "step"
    body = {"__annotations__": {"value": int}}
    if freezing.by == "typing.NamedTuple":
        return found("Made", [("value", int)])(1), "value"
    if inspect.isclass(found):
        metaclass: Any = type(found)
        return metaclass("Made", (found,), body)(1), "value"
    options = {} if freezing.by == "flax.struct.dataclass" else {"frozen": True}
    return found(type("Made", (), body), **options)(1), "value"


def copied(freezing: Freezing, made: Any, name: str) -> Any:
    """A copy of an object that is changed as the row says."""
    if freezing.how == "method":
        return getattr(made, freezing.copying)(**{name: 3})
    copy = named(freezing.copying)
    return copy(made, **{name: 3}) if freezing.how == "call" else copy(lambda one: getattr(one, name), made, 3)


def run(freezing: Freezing, method: str, field: str) -> None:
    """Make an object with a method that stores a field, and have the method run."""
    found = named(freezing.by)

    def stores(self: Any, *_: Any, **__: Any) -> None:
        setattr(self, field, 3)
        if method == "__post_init__" and freezing.how == "bound":
            super(made_class, self).__post_init__()

    declared = {"__annotations__": {"value": int}} if freezing.how != "bound" else {}
    body: dict[str, Any] = {**declared, method: stores}
    if method != "__call__":
        body["__call__"] = lambda self, *_: None
    made_class = type(found)("Made", (found,), body)
    if method == "__init__" and freezing.how == "bound":
        made_class()
    elif freezing.how == "bound":
        import jax

        made_class().init(jax.random.key(0))
    elif method == "__init__":
        made_class()
    else:
        made_class(1)()


def named(dotted: str) -> Any:
    """What a dotted name stands for."""
    head, rest = dotted, list[str]()
    while True:
        try:
            found: Any = importlib.import_module(head)
        except ImportError:
            head, _, last = head.rpartition(".")
            rest.insert(0, last)
        else:
            for name in rest:
                found = getattr(found, name)
            return found
