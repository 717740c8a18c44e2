"""`python -m flake8_jax` is `flake8-jax`: the command line in a process of its own, which a signal ends in order."""

from __future__ import annotations

import os
from typing import NoReturn

INTERRUPTED = 130
"""The least exit status that says of a process that a signal ended it: 128 and the number of SIGINT."""


def run() -> NoReturn:
    """Run the command line and end the process.  All that it needs is imported where an interrupt is caught."""
    try:
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


if __name__ == "__main__":
    run()
