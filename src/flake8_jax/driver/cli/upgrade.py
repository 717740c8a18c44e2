"""`flake8-jax upgrade`: what another release of JAX means for some code, and on which releases it can run."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING

from flake8_jax.driver.cli import adopting
from flake8_jax.driver.cli.files import checked, chosen
from flake8_jax.driver.cli.fix import fix
from flake8_jax.driver.cli.output import CLEAN, FOUND, WrongUse, write
from flake8_jax.driver.cli.settings import add_run_options, add_shared_options, configured, prepared

if TYPE_CHECKING:
    from flake8_jax.api.behaviours import Behaviour
    from flake8_jax.driver.upgrading import FittingReleases, UsePlace
    from flake8_jax.model.diagnostic import Diagnostic

BREAKS, WARNS = "JAX801", "JAX802"
MOST_PLACES = 5
"""How many lines are named of those that a change of behaviour concerns."""


def upgrade(options: argparse.Namespace) -> int:
    """Say what an upgrade of JAX breaks, what warns, what behaves differently, and which releases the code can run on.

    The exit status is 0 if nothing breaks, 1 if something does, 2 for a wrong use.
    """
    from flake8_jax.api import versions
    from flake8_jax.driver import upgrading

    known = versions.releases("jax")
    last = options.last or versions.spelled(known[-1])
    for name, text in (("--from", options.first), ("--to", last)):
        if text is not None and not versions.parsed(text):
            raise WrongUse(f"{name}: {text} is not a release of JAX, such as 0.4.30")
    if options.first is not None and versions.newest("jax", versions.parsed(last)) < versions.parsed(options.first):
        raise WrongUse(f"--to {last} is older than --from {options.first}")
    if options.min:
        read = upgrading.read(chosen(options, configured(options)))
        write(f"{_range(upgrading.fitting(read))}\n")
        return CLEAN
    options.jax_target, options.select = last, f"{BREAKS},{WARNS}"
    if options.fix:
        fix(options)
    configurations = prepared(options)
    if configurations is None:
        return CLEAN
    run = checked(options, configurations)
    read = upgrading.read(run.paths)
    breaking = [one for one in run.found if one.code == BREAKS]
    warning = [one for one in run.found if one.code == WARNS]
    concerned = upgrading.concerned(read, options.first or versions.spelled(known[0]), last)
    since = f" from {options.first}" if options.first is not None else ""
    lines = [f"JAX{since} to {last}", ""]
    lines += [f"{_count(breaking, 'place')} will break", *map(_told, breaking), ""]
    lines += [f"{_count(warning, 'place')} will warn", *map(_told, warning), ""]
    lines += [f"{_count(list(concerned), 'change')} of behaviour to look at", *_behaviours(concerned), ""]
    lines.append(_range(upgrading.fitting(read)))
    write("".join(f"{line}\n" for line in lines))
    return FOUND if breaking and not options.exit_zero else CLEAN


def add_options(verb: argparse.ArgumentParser) -> None:
    """Add the options of `flake8-jax upgrade` to a parser."""
    add_run_options(verb)
    group = verb.add_argument_group("upgrade")
    group.add_argument("--from", dest="first", metavar="RELEASE", help="the release of JAX that the code runs on now")
    group.add_argument("--to", dest="last", metavar="RELEASE", help="the release it is to run on; default: the newest")
    group.add_argument("--fix", action="store_true", help="rename what can be renamed, before it is told")
    group.add_argument("--min", action="store_true", help="say on which releases the code can run, and nothing else")
    group.add_argument("--unsafe-fixes", action="store_true", help="with --fix: also make fixes that change what runs")
    verb.set_defaults(exit_non_zero_on_fix=False)
    adopting.add_base_option(verb.add_argument_group("adoption"))
    add_shared_options(verb)


def _told(found: Diagnostic) -> str:
    return f"  {found.path}:{found.span.line}: {found.message}"


def _behaviours(concerned: dict[Behaviour, list[UsePlace]]) -> Iterator[str]:
    for row, places in concerned.items():
        yield f"  {row.release}: {row.title}"
        yield f"    {row.says}; {row.do}"
        more = f" and {len(places) - MOST_PLACES} more" if len(places) > MOST_PLACES else ""
        yield f"    {', '.join(map(str, places[:MOST_PLACES]))}{more}"


def _range(fit: FittingReleases) -> str:
    from flake8_jax.api.versions import spelled

    if not fit.releases:
        return f"runs on no release of JAX that is known; nearest is {spelled(fit.nearest)}, where {_why(fit.too_new)}"
    oldest, newest = spelled(fit.releases[0]), spelled(fit.releases[-1])
    low = f"; before it {_why(fit.too_old)}" if fit.too_old else ""
    high = f"; behind it {_why(fit.too_new)}" if fit.too_new else ""
    return f"runs on JAX {oldest} to {newest}, as far as names tell{low}{high}"


def _why(lacking: list[tuple[str, UsePlace]]) -> str:
    (name, place), count = lacking[0], len(lacking)
    more = f" (and {count - 1} more)" if count > 1 else ""
    return f"`{name}` is missing, which {place} uses{more}"


def _count(found: list[Diagnostic] | list[Behaviour], noun: str) -> str:
    return f"{len(found)} {noun}{'' if len(found) == 1 else 's'}"

