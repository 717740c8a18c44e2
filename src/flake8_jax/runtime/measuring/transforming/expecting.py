"""Infers what each function of a transform must return, by making it return something else.

lax.scan(f, init, xs)     f returns (carry, y)
None, one value, three    refused: it must be a pair
(other, y)                refused: the first must be like `init`
(carry, other)            accepted: the second may be anything            (init, any)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import jax.numpy as jnp

from flake8_jax.runtime.foreign import Foreign
from flake8_jax.runtime.measuring.transforming.decoding import UNKNOWN, word_of
from flake8_jax.runtime.measuring.transforming.recording import CallRecording, ResultRewrite
from flake8_jax.runtime.measuring.transforming.seen import DescribedValue

ResultTrial = Callable[[Mapping[int, ResultRewrite]], bool]
ANY, NONE, SCALAR, NUMBER, BOOL, STATIC, SAME = "any", "none", "scalar", "number", "bool", "static", "same"
OTHER_SHAPE = (23,)


def expected(record: CallRecording, number: int, works: ResultTrial) -> str:
    """The word for the required result of the function of this number; `works` tries a call with other results."""
    probed = record.functions[number]
    if not probed.results:
        return UNKNOWN
    usual = probed.results[-1]

    def accepts(*results: ResultRewrite) -> bool:
        return all(works({number: result}) for result in results)

    if accepts(nothing, other, pair_of_others):
        return ANY
    if usual.parts and usual.structure.startswith("PyTreeDef((") and not accepts(first) and not accepts(one_more):
        return _tuple_word(record, usual, accepts)
    word = _word(record, usual, lambda change: accepts(change))
    if word == UNKNOWN and len(record.functions) > 1:
        every = range(len(record.functions))
        if works(dict.fromkeys(every, other)) and works(dict.fromkeys(every, pair_of_others)):
            return SAME
    return word


def _tuple_word(record: CallRecording, usual: DescribedValue, accepts: Callable[..., bool]) -> str:
    words = []
    for place, part in enumerate(usual.parts or ()):

        def accepts_part(change: ResultRewrite, place: int = place) -> bool:
            return accepts(lambda result: tuple(change(v) if at == place else v for at, v in enumerate(result)))

        words.append(ANY if accepts_part(nothing) and accepts_part(other) else _word(record, part, accepts_part))
    return f"({', '.join(words)})"


def _word(record: CallRecording, usual: DescribedValue, accepts: Callable[[ResultRewrite], bool]) -> str:
    takes_other = accepts(other)
    if not usual.leaves and not takes_other and not accepts(scalar):
        return NONE
    if not takes_other and accepts(plain_truth) and not accepts(truth) and not accepts(scalar):
        return STATIC
    if takes_other:
        return ANY if accepts(pair_of_others) else "array"
    if accepts(truth) and not accepts(other_scalar):
        return BOOL
    if accepts(scalar) and not accepts(nothing):
        return NUMBER if accepts(whole_number) else SCALAR
    return _parameter_like(record, usual)


def _parameter_like(record: CallRecording, usual: DescribedValue) -> str:
    names = [name for name, value in record.given.items() if value.leaves and _same_arrays(value, usual)]
    if len(names) == 1:
        return names[0]
    places = [place for place, value in enumerate(record.wrapped_given or ()) if value.is_like(usual)]
    if len(places) == 1:
        return f"argument {places[0]}"
    word = word_of(record.given, usual)
    return UNKNOWN if word in ("array", "static", "index") or word.startswith("part ") or names else word


def _same_arrays(value: DescribedValue, usual: DescribedValue) -> bool:
    shapes = [(leaf.shape, leaf.dtype) for leaf in value.leaves]
    return (
        value.structure == usual.structure
        and shapes == [(leaf.shape, leaf.dtype) for leaf in usual.leaves]
        and (None not in {shape for shape, _ in shapes})
    )


def nothing(_result: Foreign) -> Foreign:
    """None."""
    return None


def other(_result: Foreign) -> Foreign:
    """An array of another shape."""
    return jnp.zeros(OTHER_SHAPE)


def pair_of_others(_result: Foreign) -> Foreign:
    """Two arrays of another shape."""
    return jnp.zeros(OTHER_SHAPE), jnp.zeros(OTHER_SHAPE)


def first(result: Foreign) -> Foreign:
    """The first of several."""
    return result[0] if isinstance(result, tuple) else result


def one_more(result: Foreign) -> Foreign:
    """One value more."""
    return (*result, result[-1]) if isinstance(result, tuple) else (result, result)


def scalar(_result: Foreign) -> Foreign:
    """A number."""
    return jnp.float32(0.5)


def plain_truth(_result: Foreign) -> Foreign:
    """A Python bool."""
    return False


def other_scalar(_result: Foreign) -> Foreign:
    """A number that is not a truth value."""
    return jnp.float32(0.5)


def whole_number(_result: Foreign) -> Foreign:
    """A whole number."""
    return jnp.int32(1)


def truth(_result: Foreign) -> Foreign:
    """A truth value that ends loops."""
    return jnp.bool_(False)
