"""`flake8-jax fix`: repairs what can be repaired, and says what remains."""

from __future__ import annotations

import argparse
from importlib import import_module

from flake8_jax.driver import statistics
from flake8_jax.driver.cli.check import add_shared_options, allowed, configured, read_stdin, reports_on
from flake8_jax.driver.cli.output import CLEAN, FOUND, WrongUse, say, warn, write, write_bytes
from flake8_jax.driver.reporters.text import row
from flake8_jax.driver.selection import STDIN, is_excluded
from flake8_jax.model.config import Config
from flake8_jax.model.diagnostic import Diagnostic


def fix(options: argparse.Namespace) -> int:
    """Fix files, print what was fixed and what remains.

    The exit status is 0 if nothing remains, 1 if findings do or files could not be judged or written, 2 for a wrong
    use.  Of standard input the fixed text is printed, and the rest said on standard error.
    """
    config = configured(options)
    if "-" in options.paths:
        return _fix_stdin(options, config)
    from flake8_jax.driver.fixing import MAXIMUM_ROUNDS, FixedFile, write_fixes

    fixed: dict[str, int] = {}
    failed: dict[str, str] = {}
    chosen, reports = reports_on(options, config, b"")
    for _ in range(MAXIMUM_ROUNDS):
        is_changed = False
        for found in write_fixes(zip(chosen, reports), config, allowed(options)):
            if isinstance(found, FixedFile):
                is_changed = True
                fixed[found.path] = fixed.get(found.path, 0) + len(found.fixed)
                write("".join(f"{_told(one)}\n" for one in found.fixed) if options.format == "text" else "")
            else:
                failed.setdefault(*found)
        if not is_changed:
            break
        chosen, reports = reports_on(options, config, b"")
    for path, why in failed.items():
        warn(f"{path} is not fixed: {why}")
    remaining = sorted((one for report in reports for one in report.diagnostics), key=Diagnostic.sort_key)
    write(import_module(f"flake8_jax.driver.reporters.{options.format}").render(remaining))
    if config.statistics and options.format != "json":
        write("".join(f"{line}\n" for line in statistics.of_findings(remaining)))
    say(statistics.of_fixes(sum(fixed.values()), len(fixed), remaining))
    return FOUND if (remaining or failed) and not options.exit_zero else CLEAN


def add_options(verb: argparse.ArgumentParser) -> None:
    """Add the options of `flake8-jax fix` to a parser."""
    add_shared_options(verb)
    verb.add_argument("--unsafe-fixes", action="store_true", help="also make fixes that change what runs")


def _told(found: Diagnostic) -> str:
    title = found.fix.title if found.fix is not None else ""
    return f"{found.path}:{found.span.line}:{found.span.column + 1}: {found.code} fixed: {title}"


def _fix_stdin(options: argparse.Namespace, config: Config) -> int:
    """Print the text of standard input, fixed; it is printed as it is if it cannot be judged or is excluded."""
    from flake8_jax.driver.checking import check_data
    from flake8_jax.driver.fixing import fixed_data
    from flake8_jax.fixes.files import NotFixed

    if len(options.paths) > 1:
        raise WrongUse("`-` stands alone: of standard input the fixed text is printed")
    name, data = options.stdin_display_name, read_stdin()
    if name != STDIN and is_excluded(name, config):
        write_bytes(data)
        return CLEAN
    try:
        found = fixed_data(name, data, config, allowed(options))
    except NotFixed as error:
        warn(f"{name} is not fixed: {error}")
        found = None
    write_bytes(found.after if found is not None else data)
    remaining = found.remaining if found is not None else check_data(name, data, config).diagnostics
    for one in (*(found.fixed if found is not None else ()),):
        say(_told(one))
    for one in remaining:
        say(row(one))
    count = len(found.fixed) if found is not None else 0
    say(statistics.of_fixes(count, int(count > 0), remaining))
    return FOUND if remaining and not options.exit_zero else CLEAN
