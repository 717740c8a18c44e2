"""Callers in other files: statements that use the names of the judged file are run for their events.

    ops.py (judged)                         train.py
    def relu(x):                            from ops import relu
        if x > 0: ...   precondition on x   step = jax.jit(relu)    x is a tracer: an event in ops.py

A name is *carried* by a file if calling or using it may reach a precondition or effect of the judged file.  Files that
import a carrying file are searched for the carried names; the statements that contain one are run, and the names that
they bind may be carried on, to other statements and files.

A file that neither names JAX nor leads to it by its imports makes nothing of JAX: nothing in it is certain by itself,
and its calls show nothing.  If the judged file is one, only what such files take from it that do lead to JAX counts,
straight or through others that do not; the calls of those others are not run.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from flake8_jax.analysis.budget import is_overrun
from flake8_jax.analysis.evaluator import summary_of
from flake8_jax.analysis.isolation import FaultBarrier
from flake8_jax.analysis.modules.kept_searches import known_search
from flake8_jax.analysis.modules.reachability import Reachability, Reachable
from flake8_jax.analysis.record import Record
from flake8_jax.analysis.summaries.records import Records
from flake8_jax.domain.effects import Event
from flake8_jax.domain.kinds import IMPORTED
from flake8_jax.lazy_dataclasses import dataclass, field

if TYPE_CHECKING:
    from flake8_jax.analysis.modules.files import File, Unit
    from flake8_jax.model.report import Dependencies, KeptSearch
    from flake8_jax.syntax.project import Project

MAXIMUM_FILES = 200


@dataclass(slots=True, eq=False)
class Search:
    """A search for the callers of one file, `home`.

    `carried` are the carried names by file, `importers` the files that import the carrying files, `looked` the files
    that were searched, `asked` the statements that were run or asked for what they bind, `lines` their number of lines;
    callers that are dropped are noted `into` a record.  What is asked to find what `leads` on counts as far as it is of
    files that were searched; all else that the search asks is noted in `noted`.  At `within` lines it was not yet
    exhausted, at `beyond` it was.  It `is_silent` where it showed nothing of `home`.  `kept` is an earlier search for
    the names in `searched_for`, which holds.
    """

    home: File
    project: Project
    records: Records
    reachability: Reachability
    into: Record
    carried: dict[str, set[str]] = field(default_factory=dict)
    words: set[str] = field(default_factory=set)
    importers: dict[str, tuple[str, ...]] = field(default_factory=dict)
    looked: set[str] = field(default_factory=set)
    asked: set[Unit] = field(default_factory=set)
    lines: int = 0
    leads: Record = field(default_factory=Record)
    noted: Record = field(default_factory=Record)
    within: int = 0
    beyond: int = -1
    is_silent: bool = False
    searched_for: Collection[str] = ()
    kept: tuple[KeptSearch, Dependencies] | None = None

    def is_exhausted(self) -> bool:
        """Is a bound of the search reached?"""
        if self.kept is not None:
            return self.kept[0].is_exhausted
        if len(self.looked) > MAXIMUM_FILES:
            return True
        is_over = is_overrun(self.lines, self.home.size)
        if is_over:
            self.beyond = self.lines if self.beyond < 0 else min(self.lines, self.beyond)
        else:
            self.within = max(self.lines, self.within)
        return is_over

    def ask(self, file: File, unit: Unit) -> None:
        """Count the lines of a statement, once."""
        if unit not in self.asked:
            self.asked.add(unit)
            self.lines += unit.statement.weight
            with self.reachability.program.tracking(self.leads):
                file.note_weight(unit.number)

    def leads_of(self, file: File, unit: Unit) -> dict[str, Reachable]:
        """What the names that a statement binds can reach."""
        with self.reachability.program.tracking(self.leads):
            return self.reachability.of_names(file, unit)

    def importers_of(self, path: str) -> Iterator[str]:
        """The files that import one: those that name JAX before the others, for only they can trace."""
        self.importers[path] = found = self.project.importers(path)
        names = self.project.names_jax
        yield from sorted(found, key=lambda importer: not names(importer))

    def may_trace(self, path: str) -> bool:
        """May a file make something of JAX, by what it imports?  If not, its calls show no hazard."""
        return self.home.linked.may_trace(path)

    def is_reached_by(self, lead: Reachable) -> bool:
        """Is a precondition or an effect of `home` reachable?"""
        return self.home.path in lead.homes or not self.carried.keys().isdisjoint(lead.modules)

    def importing(self, file: File) -> Iterator[File]:
        """The files that import one."""
        self.importers[file.path] = self.project.importers(file.path)
        for path in self.importers[file.path]:
            found = self.home.linked.file(path) if path != file.path else None
            if found is not None:
                self.looked.add(path)
                yield found


def search_callers(
    home: File, records: Records, into: Record, before: Search | None = None, own: Collection[Record] | None = None
) -> Search | None:
    """Take the records of statements of other files that use the file's names; None without a project.

    A caller that raises is dropped, and noted `into` a record.  What was carried in a search `before` still is.  Given
    the file's `own` records, a search that is kept stands for this one where it holds.
    """
    project = home.linked.project
    if project is None:
        return None
    program = home.linked.program
    home.linked.reachability = reachability = home.linked.reachability or Reachability(program)
    search = Search(home, project, records, reachability, into)
    if not home.may_trace:
        _follow(search, _asked_from_afar(search))
        return _with_words_noted(search)
    carried: set[str] = set()
    for unit in home.units:
        if unit.statement.kind not in ("import", "main"):
            with FaultBarrier(program, "what leads to a statement", home.place_of(unit), into.faults.append):
                carried.update(_carried(search, unit))
    if before is not None:
        carried |= before.carried.get(home.path, set())
        search.carried = {path: set(names) for path, names in before.carried.items()}
        search.words = set(before.words)
    if carried:
        search.carried[home.path], search.searched_for = carried, frozenset(carried)
        search.words |= carried
        search.kept = known_search(home, carried, own) if own is not None else None
        if search.kept is not None:
            return search
        program.record.uses.add(search.noted)
        with program.tracking(search.noted):
            _follow(search, [home.path, *(path for path in search.carried if path != home.path)])
            return _with_words_noted(search)
    return _with_words_noted(search)


def _with_words_noted(search: Search) -> Search:
    """Note which words were looked for: of each file all, though some came up after it was searched.

    Where all of them stand in the same statements as before, a search takes the same course.
    """
    words = frozenset(search.words)
    for path in search.looked:
        search.reachability.program.seek(path, words)
    return search


def _asked_from_afar(search: Search) -> list[str]:
    """Note what files that lead to JAX take from a file that does not, and from those between them, where that carries.

    Returns the files of which something carries.  What else they bind is not looked at: nobody calls it with anything
    of JAX.  Nor is a file that makes no function, as a package that hands on names: effects are those of functions.
    """
    home, importers = search.home.path, dict[str, list[str]]()
    between, imported = [home], dict[str, list[str]]()
    for path in between:  # grows while it is gone through
        importers[path] = [importer for importer in search.importers_of(path) if importer != home]
        for importer in importers[path]:
            if importer not in imported and not search.may_trace(importer):
                between.append(importer)
            imported.setdefault(importer, []).append(path)
    led = [path for path in between if any(map(search.may_trace, importers[path]))]
    asked = [*led]
    for path in led:  # this, too
        led += [below for below in dict.fromkeys(imported.get(path, ())) if below not in led]
    if home not in led or not search.home.makes_functions:
        return []
    search.carried = {path: set() for path in led}
    search.looked.update(path for path in led if path != home)
    takers = [importer for importer in importers[home] if importer in search.carried or search.may_trace(importer)]
    for path, taking in [(home, takers), *((path, importers[path]) for path in asked if path != home)]:
        place = search.project.shown(path), 1
        with FaultBarrier(search.reachability.program, "a caller", place, search.into.faults.append):
            for importer in taking:
                if search.may_trace(importer) or path == home:
                    search.carried[path].update(_taken(search, path, importer))
        if not search.carried[home]:
            return []
        search.words |= search.carried[path]
    return led


def _taken(search: Search, path: str, importer: str) -> Iterator[str]:
    """The names that a file takes from another and through which effects of the searched file can be reached."""
    file, taking = search.home.linked.file(path), search.home.linked.file(importer)
    if file is None or taking is None:
        return
    names = search.project.names_asked(importer, path)
    if names is None:  # what is said of a module that carries is run in any case
        names = frozenset(file.index.names) if file is search.home else frozenset()
    elif "*" in names:
        names |= {*file.index.names, *taking.words(1, taking.lines)}
    for name in sorted(names):
        owner = file.owner(name)
        if owner is None or search.is_exhausted():
            continue
        for unit in owner.binding(name):
            if unit.statement.kind != "import":
                search.ask(owner, unit)
            lead = search.leads_of(owner, unit).get(name)
            if lead is not None and search.is_reached_by(lead):
                yield name


def _carried(search: Search, unit: Unit) -> list[str]:
    """The names that a statement of the searched file binds and through which its effects can be reached.

    What leads to its effects through other files names them there, or hands them on: a search asks for both.
    """
    with search.reachability.program.tracking(Record()):
        leads = search.reachability.of_names(search.home, unit)
    bound = search.home.run(unit)
    return [name for name, lead in leads.items() if bound[name].kind is not IMPORTED and search.is_reached_by(lead)]


def _follow(search: Search, waiting: list[str]) -> None:
    """Search the files that import a carrying file, and those that import what these carry on."""
    while waiting and not search.is_exhausted():
        imported = waiting.pop(0)
        for path in search.importers_of(imported):
            if path == search.home.path or search.is_exhausted() or not search.may_trace(path):
                continue
            search.looked.add(path)
            before = len(search.carried.get(path, ()))
            place = search.project.shown(path), 1
            with FaultBarrier(search.reachability.program, "a caller", place, search.into.faults.append):
                _look(search, path)
            if len(search.carried.get(path, ())) != before:
                waiting.append(path)


def _look(search: Search, path: str) -> None:
    """Run the statements of a file that mention a carried name, until no further name carries."""
    file = search.home.linked.file(path)
    if file is None:
        return
    carried = search.carried.setdefault(path, set())
    for level, module in file.index.stars:
        taken = search.home.linked.star(path, level, module)
        if taken is not None:
            carried |= {name for name in search.carried.get(taken.path, ()) if taken.exports(name)}
    modules = search.reachability.of_modules(file, search.project)  # none of their own names need stand in it
    carried.update([name for name, module in modules if module in search.carried])
    search.words |= carried
    fresh = search.words
    while fresh:
        found = _use_all(search, file, fresh) - carried
        fresh = found - search.words
        carried |= found
        search.words |= fresh


def _use_all(search: Search, file: File, words: set[str]) -> set[str]:
    """Run the statements of a file that contain one of the words; returns their carried names."""
    found: set[str] = set()
    for unit in file.holding_unnoted(words):  # `search_callers` notes which words were looked for in the end
        if search.is_exhausted():
            break
        if unit.statement.kind != "import":
            search.ask(file, unit)
        reachable = search.leads_of(file, unit)
        if unit.statement.kind != "import":
            _run_all(search, file, unit)
        found.update([name for name, one in reachable.items() if search.is_reached_by(one)])
    return found


def _run_all(search: Search, file: File, unit: Unit) -> None:
    """Run the roots of a statement, and the functions made in it that contain one of the words or come to the file."""
    file.run(unit)
    file.finish(unit)
    search.records.take_apart(unit.record)
    parts, seen_from = search.reachability.of_parts(file, unit), search.reachability.seen_from
    for function, words in parts:
        is_named = len(parts) == 1 or not search.words.isdisjoint(words)
        if is_named or search.home.path in seen_from(function):
            search.records.take_function(summary_of(search.reachability.program, function))


def report_order(event: Event) -> tuple[int, int, str, int, str, tuple[tuple[str, int], ...], str]:
    """A sort key by which the event with the shortest explanation comes first, after all that are surer."""
    context = event.context
    trace, chain = context.trace, context.chain
    place = (trace.path, trace.line, trace.value) if trace is not None else ("", 0, "")
    return context.certainty, len(chain), *place, tuple((hop.path, hop.line) for hop in chain), repr(context)
