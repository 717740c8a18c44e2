"""Regular expressions that are compiled when they are first asked; a run never asks most of those of its modules.

NAME = compiled(r"[a-z]+")      in place of `re.compile`
"""

from __future__ import annotations

from typing import TYPE_CHECKING

__all__ = ["compiled"]

if TYPE_CHECKING:
    from re import compile as compiled
else:
    import re

    class compiled:  # noqa: N801  (it is used as a function)
        """`re.compile(...)`, later: what is looked up in it is that of the compiled expression."""

        def __init__(self, *arguments):
            self._arguments = arguments

        def __getattr__(self, name):
            found = self.__dict__[name] = getattr(re.compile(*self._arguments), name)
            return found
