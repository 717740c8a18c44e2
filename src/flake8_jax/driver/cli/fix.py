"""`flake8-jax fix`: repairs what can be repaired, and says what remains."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import TYPE_CHECKING, NoReturn

from flake8_jax.driver import statistics
from flake8_jax.driver.cli import adopting, rendering
from flake8_jax.driver.cli.diffing import allowed
from flake8_jax.driver.cli.files import Checked, checked, checked_again
from flake8_jax.driver.cli.output import CLEAN, FOUND, WrongUse, note, say, warn, write, write_bytes
from flake8_jax.driver.cli.settings import add_run_options, add_shared_options, prepared
from flake8_jax.driver.gave_up import for_a_newer_python
from flake8_jax.lazy_dataclasses import dataclass, field
from flake8_jax.model.codes import UNJUDGED
from flake8_jax.model.config import FORMATS_FOR_PEOPLE
from flake8_jax.model.configurations import Configurations
from flake8_jax.model.diagnostic import Diagnostic

if TYPE_CHECKING:
    from flake8_jax.driver.fixing import FixedFile, LeftAlone
    from flake8_jax.syntax.source import SourceFile

OF_CHECK = ("--diff", "--write-baseline", "--add-noqa", "--add-ignores")
"""Options of `check` that `fix` may be thought to have."""


@dataclass(slots=True)
class Repairs:
    """How many findings were fixed in each file, why others were left, what remains; `given` is what it stands in."""

    fixed: dict[str, int] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    remaining: list[Diagnostic] = field(default_factory=list)
    given: list[SourceFile] = field(default_factory=list)


def fix(options: argparse.Namespace) -> int:
    """Fix files, print what was fixed and what remains.

    The exit status is 0 if nothing remains, 1 if findings do or files could not be judged or written, 2 for a wrong
    use; with `--exit-non-zero-on-fix`, also 1 if anything was fixed.  Of standard input the fixed text is printed, and
    the rest said on standard error.
    """
    from flake8_jax.driver.sources import Sources

    is_stdin = "-" in options.paths
    if is_stdin and len(options.paths) > 1:
        raise WrongUse("`-` stands alone: of standard input the fixed text is printed")
    configurations = prepared(options)
    if configurations is None:
        return CLEAN
    config, run = configurations.run, checked(options, configurations)
    sources = Sources(run.given, configurations.of)
    left = adopting.unknown(run.found, run, sources, options, configurations)
    known = adopting.known_of(run.found, left, sources)
    repairs = (_fix_stdin if is_stdin else _fix_files)(run, known, options, configurations)
    for path, why in repairs.failed.items():
        warn(f"{path} is not fixed: {why}")
    remaining, sources = repairs.remaining, Sources(repairs.given, configurations.of)
    rendering.print_findings(remaining, sources, options, config, is_aside=is_stdin)
    if config.analysis_statistics:
        say("\n".join(statistics.of_analysis(zip(run.paths, run.reports, strict=False), configurations.of)))
    newer = for_a_newer_python(run.reports)
    if newer is not None and not options.quiet:
        note(newer)
    if not options.quiet:
        made, count = repairs.fixed, sum(one.code != UNJUDGED for each in known.values() for one in each)
        say(statistics.of_fixes(sum(made.values()), len(made), remaining, count, all_made=options.unsafe_fixes))
    is_failed = remaining or repairs.failed or (options.exit_non_zero_on_fix and repairs.fixed)
    return FOUND if is_failed and not options.exit_zero else CLEAN


def add_options(verb: argparse.ArgumentParser) -> None:
    """Add the options of `flake8-jax fix` to a parser."""
    add_run_options(verb)
    group = verb.add_argument_group("fixes")
    group.add_argument("--unsafe-fixes", action="store_true", help="also make fixes that change what runs")
    group.add_argument("--exit-non-zero-on-fix", action="store_true", help="exit with 1 if anything was fixed, too")
    group.add_argument(*OF_CHECK, action=_OfCheck, nargs="?", help=argparse.SUPPRESS)
    adopting.add_base_option(verb.add_argument_group("adoption"))
    add_shared_options(verb)


class _OfCheck(argparse.Action):
    """Stands for options of `check`, so that none of another meaning is proposed in their place."""

    def __call__(self, parser: object, namespace: object, values: object, option_string: str | None = None) -> NoReturn:
        """Say whose option it is."""
        shows = ", which shows what `fix` would change" if option_string == "--diff" else ""
        raise WrongUse(f"{option_string} is an option of `flake8-jax check`{shows}")


def _fix_files(run: Checked, known: LeftAlone, options: argparse.Namespace, configurations: Configurations) -> Repairs:
    """Fix and write files until nothing more can be fixed, and say what was."""
    from flake8_jax.driver.fixing import without
    from flake8_jax.driver.sources import Sources

    is_told = configurations.run.output_format in FORMATS_FOR_PEOPLE and not options.quiet
    run, repairs = repaired(run, known, options, configurations, is_told)
    sources = Sources()
    for path, report in zip(run.paths, run.reports):
        repairs.remaining += without(known.get(path, ()), report.diagnostics, sources)
    repairs.remaining.sort(key=Diagnostic.sort_key)
    return repairs


def repaired(
    run: Checked, known: LeftAlone, options: argparse.Namespace, configurations: Configurations, is_told: bool
) -> tuple[Checked, Repairs]:
    """Fix and write files until nothing more can be fixed; the run over what they are then, and what was done."""
    from flake8_jax.driver.fixing import MAXIMUM_ROUNDS, FixedFile, write_fixes

    repairs = Repairs()
    for _ in range(MAXIMUM_ROUNDS):
        is_changed = False
        for found in write_fixes(zip(run.paths, run.reports), configurations.of, allowed(options), known):
            if isinstance(found, FixedFile):
                is_changed = True
                repairs.fixed[found.path] = repairs.fixed.get(found.path, 0) + len(found.fixed)
                write("".join(f"{line}\n" for line in _told(found)) if is_told else "")
            else:
                repairs.failed.setdefault(*found)
        if not is_changed:
            break
        run = checked_again(run, options, configurations)
    return run, repairs


def _fix_stdin(run: Checked, known: LeftAlone, options: argparse.Namespace, configurations: Configurations) -> Repairs:
    """Print the text of standard input, fixed; it is printed as it is if it cannot be judged or is excluded."""
    from flake8_jax.driver.fixing import fixed_data, is_fixable, without
    from flake8_jax.driver.sources import Sources
    from flake8_jax.fixes.files import NotFixed
    from flake8_jax.syntax.source import SourceFile

    name, repairs, found = options.stdin_display_name, Repairs(given=run.given), None
    if any(is_fixable(report, allowed(options)) for report in run.reports):
        try:
            found = fixed_data(name, run.data, configurations.of(name), allowed(options), known)
        except NotFixed as error:
            repairs.failed[name] = str(error)
    write_bytes(found.after if found is not None else run.data)
    if found is None:
        repairs.remaining += without(known.get(name, ()), run.found, Sources(run.given))
        return repairs
    if found.fixed:
        repairs.fixed[name] = len(found.fixed)
    for line in _told(found) if not options.quiet else ():
        say(line)
    repairs.remaining += found.remaining
    repairs.given = [SourceFile(name, found.new)]
    return repairs


def _told(file: FixedFile) -> Iterable[str]:
    """What was fixed in a file, a line for each finding."""
    from flake8_jax.driver.reporters.outcome import Outcome
    from flake8_jax.driver.sources import Sources
    from flake8_jax.syntax.source import SourceFile

    outcome = Outcome(file.fixed, Sources([SourceFile(file.path, file.new)]))
    for found in file.fixed:
        title = found.fix.title if found.fix is not None else ""
        yield f"{found.path}{outcome.at(found.path, found.span)}: {found.code} fixed: {title}"
