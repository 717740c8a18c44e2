"""Checks what a command line gives before a run starts: paths that lead nowhere, codes of rules that are off."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator

from flake8_jax.driver.cli.output import WrongUse
from flake8_jax.model.codes import UNJUDGED
from flake8_jax.model.config import Config
from flake8_jax.model.spelling import nearest_path


def check_paths(paths: Iterable[str]) -> None:
    """Raise `WrongUse` for the first path that cannot be meant.  One that is there and cannot be read is none."""
    for path in paths:
        try:
            mode = os.stat(path).st_mode
        except (FileNotFoundError, NotADirectoryError):
            if not os.path.lexists(path):
                raise WrongUse(_missing(path)) from None
        except OSError:
            continue
        else:
            if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
                raise WrongUse(f"{path} is neither a file nor a folder; `-` is standard input")


def _missing(path: str) -> str:
    near = nearest_path(path)
    return f"there is no file or folder {path or repr(path)}" + (f"; did you mean {near}?" if near is not None else "")


def off(config: Config) -> Iterator[tuple[str, str]]:
    """The selected codes of which every rule is off, and why the first is."""
    selected = (*(config.select or ()), *config.extend_select)
    if not selected:
        return
    from flake8_jax.driver.linter import why_off
    from flake8_jax.rules import discover

    for code in selected:
        reasons = [why_off(each.rule, config) for each in discover() if each.rule.code.startswith(code)]
        if reasons and reasons[0] is not None and all(reasons) and not UNJUDGED.startswith(code):
            yield code, reasons[0]
