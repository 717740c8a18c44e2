"""`flake8-jax server`: the language server, for editors."""

from __future__ import annotations

import argparse
import gc
import sys

from flake8_jax.driver.cli.output import CLEAN, FOUND, WrongUse

NEEDED = 'it needs pygls: `pip install "flake8-jax[lsp]"`'


def server(options: argparse.Namespace) -> int:
    """Serve an editor on standard input and output, by the language server protocol."""
    if sys.stdin is None or sys.stdout is None:
        raise WrongUse("the editor talks with the server over standard input and output, and one of them is closed")
    gc.disable()  # hundreds of classes of messages are made, none is garbage
    try:
        from flake8_jax.server.features import serve
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in ("pygls", "lsprotocol", "cattrs", "attrs"):
            raise
        raise WrongUse(NEEDED) from None
    gc.enable()
    gc.freeze()
    return CLEAN if serve() else FOUND


def add_options(verb: argparse.ArgumentParser) -> None:
    """Add the options of `flake8-jax server` to a parser."""
    verb.add_argument("--stdio", action="store_true", help="talk over standard input and output; it always does")
