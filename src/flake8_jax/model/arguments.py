"""Values of options of the command line, with errors that say what is expected."""

from __future__ import annotations

from argparse import ArgumentTypeError
from collections.abc import Callable, Sequence

from flake8_jax.model.spelling import suggestion


def count(text: str) -> int:
    """A number from 1."""
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"{text!r} is not a number from 1")
    return int(text)


def one_of(words: Sequence[str]) -> Callable[[str], str]:
    """What converts an argument that must be one of some words."""

    def convert(text: str) -> str:
        if text not in words:
            raise ArgumentTypeError(f"there is no {text!r}; {suggestion(text, words)}")
        return text

    return convert
