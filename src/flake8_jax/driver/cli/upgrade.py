"""`flake8-jax upgrade`: what another release of JAX means for some code, and on which releases it can run."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from flake8_jax.driver.cli.files import checked, chosen
from flake8_jax.driver.cli.fix import Repairs, repaired
from flake8_jax.driver.cli.output import CLEAN, FOUND, WrongUse, write
from flake8_jax.driver.cli.settings import add_run_options, add_shared_options, configured, prepared

if TYPE_CHECKING:
    from flake8_jax.api.behaviours import Behaviour
    from flake8_jax.driver.upgrading import FittingReleases, UsePlace
    from flake8_jax.model.diagnostic import Diagnostic

BREAKS, WARNS = "JAX801", "JAX802"
MOST_PLACES = 5
"""How many lines are named of those that one name or one change of behaviour concerns; `check` tells all."""

TARGET = "--jax-target"
"""What says which release is meant: here the command itself does, in its first line."""

OF_CHECK = ("select", "extend_select", "jax_target", "baseline", "output_format", "output_file", "statistics")
"""The options that say what `check` reports and how, which a summary of an upgrade has no use for."""


def upgrade(options: argparse.Namespace) -> int:
    """Say what an upgrade of JAX breaks, what warns, what behaves differently, and which releases the code can run on.

    The exit status is 0 if nothing breaks, 1 if something does, 2 for a wrong use.
    """
    from flake8_jax.api import versions
    from flake8_jax.driver import upgrading

    known = versions.releases("jax")
    last = options.last or versions.spelled(known[-1])
    if (vain := next((name for name in OF_CHECK if getattr(options, name)), None)) is not None:
        instead = f"`flake8-jax check --select {BREAKS},{WARNS} {TARGET} {last}` takes it"
        raise WrongUse(f"--{vain.replace('_', '-')} has no effect on `upgrade`; {instead}")
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
    configurations = prepared(options)
    if configurations is None:
        return CLEAN
    run = checked(options, configurations)
    renamed: list[str] = []
    if options.fix:
        run, repairs = repaired(run, {}, options, configurations, is_told=False)
        renamed = [_renamed(repairs, run.found, options.unsafe_fixes), ""]
        renamed[1:1] = [f"  {path} is not fixed: {why}" for path, why in repairs.failed.items()]
    read = upgrading.read(run.paths)
    breaking = [one for one in run.found if one.code == BREAKS]
    warning = [one for one in run.found if one.code == WARNS]
    concerned = upgrading.concerned(read, options.first or versions.spelled(known[0]), last)
    since = f" from {options.first}" if options.first is not None else ""
    lines = [f"JAX{since} to {last}", "", *renamed]
    lines += [f"{_count(breaking, 'place')} will break", *_told(breaking), ""]
    lines += [f"{_count(warning, 'place')} will warn", *_told(warning), ""]
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
    verb.set_defaults(exit_non_zero_on_fix=False, diff_base=None)
    add_shared_options(verb)


def _told(found: list[Diagnostic]) -> Iterator[str]:
    """What is said, once, and where; the most frequent first."""
    from flake8_jax.driver.upgrading import UsePlace

    places: dict[str, list[UsePlace]] = {}
    for one in found:
        said = one.message.replace(f" ({TARGET})", "")
        places.setdefault(said, []).append(UsePlace(one.path, one.span.line))
    for said, where in sorted(places.items(), key=lambda each: -len(each[1])):
        yield f"  {said}"
        yield f"    {_few(where)}"


def _few(places: Sequence[UsePlace]) -> str:
    """The first places, those of one file together: `a.py:3, 7, b.py:1 and 4 more`."""
    texts: list[str] = []
    for place, before in zip(places[:MOST_PLACES], (None, *places)):
        texts.append(str(place.line) if before is not None and before.path == place.path else str(place))
    more = f" and {len(places) - MOST_PLACES} more" if len(places) > MOST_PLACES else ""
    return f"{', '.join(texts)}{more}"


def _behaviours(concerned: dict[Behaviour, list[UsePlace]]) -> Iterator[str]:
    for row, places in concerned.items():
        yield f"  {row.release}: {row.title}"
        yield f"    {row.says}; {row.do}"
        yield f"    {_few(places)}"


def _range(fit: FittingReleases) -> str:
    from flake8_jax.api.versions import spelled

    if not fit.releases:
        return f"runs on no release of JAX that is known; nearest is {spelled(fit.nearest)}, where {_why(fit.too_new)}"
    oldest, newest = spelled(fit.releases[0]), spelled(fit.releases[-1])
    if not fit.too_old:
        which = f"up to {newest}" if fit.too_new else "of every known release"
    else:
        which = f"{oldest} to {newest}" if fit.too_new else f"{oldest} to {newest}, the newest known"
    low = f"; before it {_why(fit.too_old)}" if fit.too_old else ""
    high = f"; behind it {_why(fit.too_new)}" if fit.too_new else ""
    return f"runs on JAX {which}, as far as names tell{low}{high}"


def _why(lacking: list[tuple[str, UsePlace]]) -> str:
    (name, place), count = lacking[0], len(lacking)
    more = f" (and {count - 1} more)" if count > 1 else ""
    return f"`{name}` is missing, which {place} uses{more}"


def _renamed(repairs: Repairs, left: list[Diagnostic], is_all: bool) -> str:
    count, files = sum(repairs.fixed.values()), len(repairs.fixed)
    made = f"{count} place{'s' * (count != 1)} renamed in {files} file{'s' * (files != 1)}" if count else ""
    more = 0 if is_all else sum(one.fix is not None for one in left)
    said = made or "nothing can be renamed for certain"
    return f"{said}; `--unsafe-fixes` renames {more} more, which may change what runs" if more else said


def _count(found: list[Diagnostic] | list[Behaviour], noun: str) -> str:
    return f"{len(found)} {noun}{'' if len(found) == 1 else 's'}"
