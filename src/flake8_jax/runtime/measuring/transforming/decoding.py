"""Translates a recorded call into the words of a row. Which argument is it that a function got, what is it that came
back?

Every argument of a call has a shape of its own, so that shapes tell arguments apart:

    T(p(lambda c, e: (c, r)), x, xs)     x: (2,)  xs: (3, 17)  r: (7,)
    the function got (2,) and (17,)      f(init, each xs)
    what came back is ((2,), (3, 7))     what f returned, some of it with an axis before it: result f

What fits two descriptions, or differs from run to run, is `unknown`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from flake8_jax.runtime.measuring.transforming.recording import DECORATED, CallRecording, Probed
from flake8_jax.runtime.measuring.transforming.seen import DescribedValue, Leaf

UNKNOWN = "unknown"
ELEMENTS = 3


def arguments_of(record: CallRecording, probed: Probed) -> list[str]:
    """The words for the arguments of a function; unknown if they differ between its runs."""
    runs = [_merged_rest(_words_of(record, run), record) for run in probed.arguments]
    if not runs:
        return []
    if len({len(run) for run in runs}) != 1:
        shortest = min(runs, key=len)
        return [UNKNOWN for _ in shortest]
    return [words[0] if len(set(words)) == 1 else UNKNOWN for words in zip(*runs)]


def _words_of(record: CallRecording, run: Sequence[DescribedValue]) -> list[str]:
    functions = {probed.place for probed in record.functions}
    given = {name: value for name, value in record.given.items() if name not in functions}
    words = [word_of(given, seen) for seen in run]
    rest = record.given.get(record.varargs)
    if words and set(words) == {"ref"} and rest and len(rest.parts or ()) == len(words):
        return [f"*{record.varargs}"]
    return words


def word_of(given: Mapping[str, DescribedValue], seen: DescribedValue) -> str:
    """The word for one argument of a function."""
    if seen.is_leaf() and seen.leaves[0].ref:
        return "ref"
    for fits in (_is_whole, _is_part_of_list, _is_slice, _is_leaf_of, _is_element, _is_lane):
        words = {name: word for name, value in given.items() if (word := fits(name, value, seen))}
        if len(words) > 1:
            words = {name: word for name, word in words.items() if _weakness(given[name]) == _weakness(seen)}
        if len(words) == 1 and not (seen.is_leaf() and _could_be_element(given, seen, next(iter(words)))):
            return next(iter(words.values()))
        if words:
            return "array" if seen.is_leaf() and seen.leaves[0].shape == () else UNKNOWN
    if not seen.has_arrays() and not any(leaf.thing.startswith("a function") for leaf in seen.leaves):
        return "static"
    return _word_of_leaf(seen.leaves[0]) if seen.is_leaf() else UNKNOWN


def _weakness(seen: DescribedValue) -> set[bool]:
    return {leaf.weak for leaf in seen.leaves if leaf.is_array()}


def _could_be_element(given: Mapping[str, DescribedValue], seen: DescribedValue, name: str) -> bool:
    """A number may be an argument and as well an element of another: then nobody can tell."""
    if seen.leaves[0].shape != ():
        return False
    others = [value for other, value in given.items() if other != name]
    return any(_is_row(leaf, seen.leaves[0]) for value in others for leaf in value.leaves)


def _word_of_leaf(leaf: Leaf) -> str:
    if leaf.is_array():
        if leaf.dtype.startswith("key<"):
            return "key"
        if leaf.shape == () and leaf.dtype.startswith(("int", "uint")):
            return "index" if leaf.traced else "static"
        return "array"
    return UNKNOWN


def _is_whole(name: str, value: DescribedValue, seen: DescribedValue) -> str:
    if value.has_arrays():
        return name if seen.is_like(value) and seen.has_arrays() else ""
    return name if seen.is_leaf() and seen.leaves[0].thing.startswith("a ") and seen.is_like(value) else ""


def _is_part_of_list(name: str, value: DescribedValue, seen: DescribedValue) -> str:
    if value.parts is None:
        return ""
    places = [place for place, part in enumerate(value.parts) if part.has_arrays() and part.is_like(seen)]
    return f"part {name}" if places else ""


def _is_slice(name: str, value: DescribedValue, seen: DescribedValue) -> str:
    return f"each {name}" if value.has_arrays() and _all_match(value, seen, _is_row) else ""


def _is_leaf_of(name: str, value: DescribedValue, seen: DescribedValue) -> str:
    if value.is_leaf() or not seen.is_leaf():
        return ""
    return f"leaf {name}" if any(leaf.is_array() and leaf.is_like(seen.leaves[0]) for leaf in value.leaves) else ""


def _is_element(name: str, value: DescribedValue, seen: DescribedValue) -> str:
    if value.is_leaf() or not seen.is_leaf():
        return ""
    rows = any(leaf.is_array() and _is_row(leaf, seen.leaves[0]) for leaf in value.leaves)
    return f"each {name}" if rows else ""


def _is_lane(name: str, value: DescribedValue, seen: DescribedValue) -> str:
    return name if value.has_arrays() and _all_match(value, seen, _is_shorter) else ""


def _all_match(value: DescribedValue, seen: DescribedValue, fits: object) -> bool:
    if value.structure != seen.structure or len(value.leaves) != len(seen.leaves):
        return False
    assert callable(fits)
    return all(fits(whole, leaf) for whole, leaf in zip(value.leaves, seen.leaves) if whole.is_array())


def _is_row(whole: Leaf, leaf: Leaf) -> bool:
    """Is this an element along the leading axis?"""
    if whole.shape is None or not whole.shape or leaf.shape is None:
        return False
    return leaf.shape == whole.shape[1:] and leaf.dtype == whole.dtype


def _is_shorter(whole: Leaf, leaf: Leaf) -> bool:
    """Is this a piece of the array: of the same rank, or a lane along another axis than the last?"""
    if not whole.shape or leaf.shape is None or leaf.dtype != whole.dtype or not leaf.shape:
        return False
    if len(leaf.shape) == len(whole.shape) > 1:
        return sum(mine != theirs for mine, theirs in zip(leaf.shape, whole.shape)) == 1
    return len(leaf.shape) == 1 < len(whole.shape) and leaf.shape[0] in whole.shape


def _merged_rest(words: list[str], record: CallRecording) -> list[str]:
    """Parts of a tuple that follow each other become `*args`, those of single leaves of such parts one `leaf args`."""
    merged: list[str] = []
    for word in words:
        kind, _, name = word.partition(" ")
        if kind == "part":
            star = f"*{name}"
            count = len(record.given[name].parts or ())
            if count == 1 or words.count(word) == count:
                if star not in merged:
                    merged.append(star)
            else:
                merged.append(f"leaf {name}")
        elif kind in ("leaf", "each") and merged and merged[-1] == word and _is_tuple(record.given[name]):
            continue
        else:
            merged.append(word)
    return merged


def _is_tuple(seen: DescribedValue) -> bool:
    return seen.parts is not None and len(seen.parts) > 1 and seen.structure.startswith("PyTreeDef((")


def returns_of(record: CallRecording, result: DescribedValue | None, wraps: bool) -> str:
    """The word, or tuple of words, for the result; "" if it is a wrapped function's own result."""
    if result is None or (wraps and not record.is_called):
        return UNKNOWN
    word = _result_word(record, result, wraps)
    if wraps and word == f"result {record.functions[0].place}":
        return ""
    return word


def _result_word(record: CallRecording, seen: DescribedValue, wraps: bool) -> str:
    if not seen.has_arrays():
        return UNKNOWN if seen.parts is None else _tuple_word(record, seen, wraps)
    given = {name: value for name, value in record.given.items() if name != record.varargs}
    if not wraps and (names := [name for name, value in given.items() if _comes_back(value, seen)]):
        return names[0] if len(names) == 1 else UNKNOWN
    for probed in record.functions:
        if probed.place and probed.results and _is_result(probed.results[-1], seen):
            return f"result {probed.place}"
    if wraps and record.wrapped_given:
        places = [place for place, value in enumerate(record.wrapped_given) if _comes_back(value, seen)]
        if len(places) == 1:
            return f"argument {places[0]}"
    return _tuple_word(record, seen, wraps)


def _tuple_word(record: CallRecording, seen: DescribedValue, wraps: bool) -> str:
    if seen.parts is None or not seen.structure.startswith("PyTreeDef(("):
        return UNKNOWN
    words = [_result_word(record, part, wraps) for part in seen.parts]
    return UNKNOWN if set(words) <= {UNKNOWN} else f"({', '.join(words)})"


def _comes_back(value: DescribedValue, seen: DescribedValue) -> bool:
    return value.has_arrays() and value.is_like(seen)


def _is_result(result: DescribedValue, seen: DescribedValue) -> bool:
    """Is this what a function returned, perhaps with axes before its own?"""
    if result.structure != seen.structure or not result.has_arrays():
        return False
    return all(_ends_in(mine, leaf) for mine, leaf in zip(result.leaves, seen.leaves))


def _ends_in(mine: Leaf, leaf: Leaf) -> bool:
    if mine.shape is None or leaf.shape is None:
        return mine.thing == leaf.thing
    before = len(leaf.shape) - len(mine.shape)
    stacked = before >= 0 and leaf.shape[before:] == mine.shape and set(leaf.shape[:before]) <= {1, ELEMENTS}
    return leaf.is_array() and stacked and leaf.dtype == mine.dtype


def function_word(probed: Probed) -> str:
    """The word for the called function: `f`, `each branches`, or `decorated`."""
    return f"each {probed.place}" if probed.each and probed.place != DECORATED else probed.place
