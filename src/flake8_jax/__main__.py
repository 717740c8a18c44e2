"""`python -m flake8_jax` is `flake8-jax`: the command line in a process of its own, which a signal ends in order.

What is imported here is there already when Python has started: nothing takes time before an interrupt is caught.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import NoReturn

FATAL, INTERRUPTED = 128, 130
"""The exit status of a process that a signal ended is the first and the signal's number, at least that of SIGINT."""


def _end_at_once(number: int, frame: FrameType | None) -> NoReturn:
    """End the process while nothing is begun that would have to be ended in order."""
    os._exit(FATAL + number)


def run() -> NoReturn:
    """Run the command line and end the process.  All that it needs is imported where an interrupt is caught."""
    try:
        import signal

        for number in (signal.SIGINT, signal.SIGTERM):
            if signal.getsignal(number) != signal.SIG_IGN:  # as whoever started this process wants it
                signal.signal(number, _end_at_once)
        from flake8_jax.driver import interrupts

        interrupts.catch()
        from flake8_jax.driver.cli.main import main

        status = main()
        interrupts.let_go()
    except KeyboardInterrupt as interrupt:
        (status,) = interrupt.args or (INTERRUPTED,)
    if status >= INTERRUPTED:
        os._exit(status)  # at once: what was found out is not taken apart
    raise SystemExit(status)


def _leave_out_the_working_directory() -> None:
    """Import nothing from the checked project: a package `math` or `json` there is not the one that is asked for."""
    import sys

    is_there = not getattr(sys.flags, "safe_path", False)  # since Python 3.11
    if is_there and sys.path[:1] in ([""], [os.getcwd()]):
        del sys.path[0]


if __name__ == "__main__":
    _leave_out_the_working_directory()
    run()
