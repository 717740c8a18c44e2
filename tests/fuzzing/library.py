"""What stands in place of JAX in the shadow: its random functions on terms, its transforms as plain Python."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from functools import cache, wraps
from itertools import count
from types import ModuleType
from typing import Any

from tests.fuzzing.terms import (
    CLEAN,
    Array,
    Flag,
    Hashed,
    Key,
    KeyArray,
    Misuse,
    Range,
    TooManyPaths,
    Value,
    chain,
    parts,
    run,
    taint_of,
)

LANES = 3
ENDLESS = 9
SAMPLERS = (
    "normal", "uniform", "gumbel", "exponential", "laplace", "bernoulli", "randint", "truncated_normal",
    "permutation", "choice",
)  # fmt: skip
Anything = Any
Function = Callable[..., Any]
_clones = count()


# jax.random


def key(seed: int) -> Key:
    if isinstance(seed, float):
        raise Misuse
    now = run()
    made = now.birth("seed", None, seed)
    if now.traced:
        now.traced_seeds.update(made.chain[-1:])
    return Key(("seed", seed), made)


def split(key: Key, num: int = 2) -> KeyArray:
    if not isinstance(key, Key):
        raise Misuse
    lineage = run().use(key, "split")
    made = run().birth("split", key, num)
    return KeyArray([Key(("of", key.term, index), made, lineage) for index in range(num)])


def fold_in(key: Key, data: int) -> Key:
    if not isinstance(key, Key):
        raise Misuse
    kind = "hash" if isinstance(data, Hashed) else "fold_in"
    number = next(_clones) if isinstance(data, Value) else int(data)
    return Key(("of", key.term, number), run().birth(kind, key, data), key.lineage)


def clone(key: Key) -> Key:
    return Key(("clone", next(_clones)), run().birth("clone", key), key.lineage)


def _sampler(name: str) -> Function:
    def sample(key: Anything, *arguments: Anything, **keywords: Anything) -> Value:
        if not isinstance(key, Key):
            raise Misuse
        taint = run().use(key, name)
        return Value(taint.union(*map(taint_of, (*arguments, *keywords.values()))))

    return sample


RANDOM: Mapping[str, Anything] = {
    "key": key, "PRNGKey": key, "split": split, "fold_in": fold_in, "clone": clone,
    "key_data": lambda key: Value(), **{name: _sampler(name) for name in SAMPLERS},
}  # fmt: skip


# Transforms


def _traced(function: Function) -> Function:
    @wraps(function)
    def called(*arguments: Anything, **keywords: Anything) -> Anything:
        run().traced += 1
        try:
            return function(*arguments, **keywords)
        finally:
            run().traced -= 1

    return called


def vmap(function: Function, in_axes: Anything = 0, **_: Anything) -> Function:
    def called(*arguments: Anything) -> Anything:
        axes = in_axes if isinstance(in_axes, tuple) else (in_axes,) * len(arguments)
        mapped = [argument for argument, axis in zip(arguments, axes, strict=True) if axis is not None]
        lanes = [
            _traced(function)(
                *(given if axis is None else _element(given, lane) for given, axis in zip(arguments, axes, strict=True))
            )
            for lane in range(_length(mapped))
        ]
        return _stacked(lanes)

    return called


def _length(tree: Anything) -> int:
    if isinstance(tree, KeyArray):
        return len(tree)
    if isinstance(tree, Range):
        return len(tree.items)
    if isinstance(tree, tuple | list | dict):
        found = {_length(one) for one in (tree.values() if isinstance(tree, dict) else tree)} - {LANES}
        return found.pop() if found else LANES
    return LANES


def _element(tree: Anything, index: int) -> Anything:
    if isinstance(tree, KeyArray):
        return tree[index]
    if isinstance(tree, Range):
        return tree.items[index]
    return _rebuilt(lambda one: _element(one, index), tree)


def _rebuilt(function: Function, tree: Anything, *others: Anything) -> Anything:
    if isinstance(tree, dict):
        return {name: function(one, *(other[name] for other in others)) for name, one in tree.items()}
    if isinstance(tree, tuple | list):
        return type(tree)(function(*together) for together in zip(tree, *others, strict=True))
    return tree


def _stacked(lanes: Sequence[Anything]) -> Anything:
    first = lanes[0]
    if isinstance(first, Key):
        return KeyArray(lanes)
    if isinstance(first, tuple):
        return tuple(_stacked(together) for together in zip(*lanes, strict=True))
    return None if first is None else Value(taint_of(list(lanes)))


def scan(body: Function, init: Anything, xs: Anything = None, length: int | None = None) -> Anything:
    carry, outputs = init, []
    for turn in range(length if length is not None else _length(xs)):
        carry, output = _traced(body)(carry, _element(xs, turn))
        outputs.append(output)
    return carry, _stacked(outputs)


def fori_loop(lower: int, upper: int, body: Function, init: Anything) -> Anything:
    for turn in range(lower, upper):
        init = _traced(body)(turn, init)
    return init


def while_loop(test: Function, body: Function, init: Anything) -> Anything:
    for _ in range(ENDLESS):
        if not test(init):
            return init
        init = _traced(body)(init)
    raise TooManyPaths


def cond(test: Anything, yes: Function, no: Function, *operands: Anything) -> Anything:
    return _traced(yes if test else no)(*operands)


def switch(index: int, branches: Sequence[Function], *operands: Anything) -> Anything:
    return _traced(branches[index])(*operands)


def lax_map(function: Function, xs: Anything) -> Anything:
    return _stacked([_traced(function)(_element(xs, turn)) for turn in range(_length(xs))])


def tree_map(function: Function, tree: Anything, *others: Anything) -> Anything:
    if isinstance(tree, dict | tuple | list):
        return _rebuilt(lambda *together: tree_map(function, *together), tree, *others)
    return function(tree, *others)


def grad(function: Function) -> Function:
    return lambda *arguments: Value(taint_of(_traced(function)(*arguments)))


def value_and_grad(function: Function) -> Function:
    def called(*arguments: Anything) -> Anything:
        taint = taint_of(_traced(function)(*arguments))
        return Value(taint), Value(taint)

    return called


def eval_shape(function: Function, *arguments: Anything) -> Value:
    now = run()
    now.muted += 1
    try:
        function(*arguments)
    finally:
        now.muted -= 1
    return Value()


# Arrays


def _nothing(*_: Anything, **__: Anything) -> Value:
    return Value()


def _computed(*arguments: Anything, **keywords: Anything) -> Value:
    return Value(taint_of([*arguments, *keywords.values()]))


def _where(test: Anything, yes: Anything, no: Anything) -> Anything:
    return (yes if test else no) if isinstance(test, Flag) else _computed(test, yes, no)


def _stack(given: Sequence[Anything]) -> Array:
    terms = [one.term for one in given if isinstance(one, Key)]
    if twice := {one for one in terms if terms.count(one) > 1}:
        run().copied.setdefault(chain()[-1], set()).update(twice)
    keys = [one for one in given if isinstance(one, Key)]
    return KeyArray(keys) if keys else Value(taint_of(list(given)))


class _Arrays(ModuleType):
    """`jax.numpy`: what is not named here computes with its arguments."""

    def __getattr__(self, name: str) -> Anything:
        if name.startswith("__"):
            raise AttributeError(name)
        return _computed


def _module(name: str, members: Mapping[str, Anything], kind: type[ModuleType] = ModuleType) -> ModuleType:
    made = kind(name)
    vars(made).update(members)
    return made


class _Linear:
    """`equinox.nn.Linear`: it draws its weight."""

    def __init__(self, *_: int, key: Key) -> None:
        self.weight = RANDOM["normal"](key)


class _Dropout:
    """`flax.linen.Dropout`: it draws from the key under its name."""

    def __init__(self, *_: float, **__: bool) -> None:
        pass

    def apply(self, _: object, x: Value, *, rngs: Mapping[str, Key]) -> Value:
        return Value(x.taint.union(*(RANDOM["bernoulli"](one).taint for one in rngs.values())))


class _Streams:
    """`flax.nnx.Rngs`: each call of a stream returns a new key."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def __getattr__(self, name: str) -> Function:
        return lambda: Key(("stream", next(_clones)), run().birth("stream", None))


def _struct(made: type) -> type:
    made.replace = dataclasses.replace  # type: ignore[attr-defined]
    return dataclasses.dataclass(frozen=True)(made)


def _shown(*values: Anything) -> None:
    """`print` reads what it is given."""
    run().read |= taint_of(list(values))


def _hash(value: object) -> int:
    return Hashed(hash(value))


@cache
def modules() -> dict[str, ModuleType]:
    """What programs import, but for their own files."""
    numpy = {
        "zeros": _nothing, "ones": _nothing, "zeros_like": _nothing, "where": _where, "stack": _stack,
        "arange": lambda stop: Range(range(int(stop))),
    }  # fmt: skip
    random = _module("jax.random", RANDOM)
    arrays = _module("jax.numpy", numpy, _Arrays)
    lax = _module("jax.lax", {
        "scan": scan, "fori_loop": fori_loop, "while_loop": while_loop, "cond": cond, "switch": switch, "map": lax_map,
    })  # fmt: skip
    jax = _module("jax", {
        "random": random, "numpy": arrays, "lax": lax, "Array": Array, "jit": _traced, "checkpoint": _traced,
        "vmap": vmap, "grad": grad, "value_and_grad": value_and_grad, "eval_shape": eval_shape,
        "device_put": lambda value: value, "tree": _module("jax.tree", {"map": tree_map}),
    })  # fmt: skip
    struct = _module("flax.struct", {"dataclass": _struct})
    linen = _module("flax.linen", {"Dropout": _Dropout})
    nnx = _module("flax.nnx", {"Rngs": _Streams})
    layers = _module("equinox.nn", {"Linear": _Linear})
    return {
        "jax": jax, "jax.numpy": arrays, "jax.random": random,
        "flax": _module("flax", {"struct": struct, "linen": linen, "nnx": nnx}),
        "flax.struct": struct, "flax.linen": linen, "flax.nnx": nnx, "equinox": _module("equinox", {"nn": layers}),
    }  # fmt: skip


BUILTINS: Mapping[str, Anything] = {"print": _shown, "hash": _hash}

__all__ = ["BUILTINS", "CLEAN", "chain", "modules", "parts"]
