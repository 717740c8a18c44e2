"""How far a long run is, on a terminal."""

from __future__ import annotations

import sys
from time import monotonic

PATIENCE, REFRESH = 2.0, 0.1
"""After how many seconds the progress of a run is shown, and how often."""


class Progress:
    """On a terminal, a run that takes long shows how far it is; the line is gone when the block around it ends."""

    def __init__(self, total: int, is_quiet: bool = False) -> None:
        self.total = total
        self.is_shown = not is_quiet and sys.stderr is not None and sys.stderr.isatty()
        self.started, self.shown = monotonic(), 0.0

    def show(self, done: int) -> None:
        """So many files are done."""
        now = monotonic()
        if self.is_shown and now - self.started > PATIENCE and now - self.shown > REFRESH:
            print(f"\r{done} of {self.total} files", end="", file=sys.stderr, flush=True)
            self.shown = now

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        """All is done, or nothing more will be."""
        if self.shown:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
