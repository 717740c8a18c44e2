"""The payload of arrays that library functions make of values of the host alone."""

from __future__ import annotations


class Untraced:
    """The type of `OF_HOST`."""

    __slots__ = ()

    def text(self) -> str:
        """A short spelling, for people."""
        return "of host values"


OF_HOST = Untraced()
"""Dependences on inputs are conditions: it is such an array where they are values of the host, too."""

ORDINARY = (None, OF_HOST)
"""The payloads of an array of which nothing is known but what it is made of."""
