"""Keys in attributes, judged for a class as a whole: drawn from by its methods, and written back by none.

    class Agent:
        def __init__(self, seed): self.key = key(seed)
        def act(self, x): return normal(self.key)       each call draws the same
        def learn(self): self.key, _ = split(self.key)  with this method it would not be said

Bases and subclasses are looked at as far as they are known.  Code of any file that imports this one may store into the
attribute as well: its text decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from flake8_jax.analysis.callables import ClassValue, Decorated, FunctionValue, InstanceOf, underlying
from flake8_jax.analysis.certainty import certain
from flake8_jax.analysis.checks.keys.advancing import KeyNotAdvanced, report_into
from flake8_jax.analysis.checks.keys.repetition import KeyRepeated
from flake8_jax.analysis.checks.keys.sinks import KeyHandedBack, Sink
from flake8_jax.analysis.checks.keys.uses import KeyConsumed
from flake8_jax.analysis.checks.naming import imported_as
from flake8_jax.analysis.evaluator import summary_of
from flake8_jax.analysis.labels.questions import is_read
from flake8_jax.analysis.modules.registrations import ASKING
from flake8_jax.analysis.objects.classes import CONSTRUCTORS, ancestry, stored_elsewhere, stores_into
from flake8_jax.analysis.record import Record
from flake8_jax.api.class_decorators import MUTABLE_BASES
from flake8_jax.domain.effects import Event
from flake8_jax.domain.kinds import API, CLASS, OBJECT
from flake8_jax.domain.provenance import Use, certain_if
from flake8_jax.domain.resources import KeyDestination
from flake8_jax.domain.staging import Input
from flake8_jax.domain.summary import Summary
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import chains_of, searched_once
from flake8_jax.ir.phrase import phrase
from flake8_jax.lazy_dataclasses import dataclass, field
from flake8_jax.syntax.policies import COPIES_SELF, PREPARING_METHOD, WHOLE_RUN_METHOD

if TYPE_CHECKING:
    from flake8_jax.analysis.modules.callers import Search
    from flake8_jax.analysis.modules.files import File


@dataclass(eq=False)
class CalledMethods:
    """What the methods that a file calls are called on, by their names; gathered when the first is asked for."""

    file: File

    @cached_property
    def _bases(self) -> dict[str, list[ops.Op]]:
        found: dict[str, list[ops.Op]] = {}
        units = [unit.module for unit in self.file.units if unit.module is not None]
        for function in dict.fromkeys(one for module in units for one in (module.top, *module.functions)):
            for call in chains_of(function).methods:
                if type(call.func) is ops.Attr:
                    found.setdefault(call.func.name, []).append(call.func.base)
        return found

    def on(self, name: str) -> list[ops.Op]:
        """The expressions on which a method of this name is called."""
        return self._bases.get(name, [])


@dataclass(eq=False)
class MethodFamily:
    """The methods of a class and its bases, with their summaries, and the classes that derive from it."""

    owner: ClassValue
    methods: dict[FunctionValue, Summary] = field(default_factory=dict)
    derived: list[ClassValue] = field(default_factory=list)

    @cached_property
    def callers(self) -> dict[str, set[FunctionValue]]:
        """The methods that look up a name on the object, by the name."""
        found: dict[str, set[FunctionValue]] = {}
        for method, summary in self.methods.items():
            for source, looked in summary.uses.lookups:
                if source.parent is None:
                    found.setdefault(looked, set()).add(method)
        return found


def check_classes(file: File, records: Iterable[Record], search: Search | None, into: Record) -> None:
    """Report the keys in attributes of the file's classes that methods use up and none writes back."""
    functions = dict.fromkeys(function for record in records for function in record.functions)
    program = file.linked.program
    summaries = [
        summary_of(program, function) if function.is_independent_of_callers else function.summary
        for function in functions
    ]
    _check_records(file, [summary for summary in summaries if summary is not None], into)
    owners = dict.fromkeys(function.owner for function in functions if function.owner is not None)
    derived: dict[ClassValue, list[ClassValue]] = {}
    for owner in owners:
        for ancestor in dict.fromkeys(ancestry(owner)):
            if ancestor is not owner:
                derived.setdefault(ancestor, []).append(owner)
    called = CalledMethods(file)
    for owner in owners:
        is_here = owner.function.anchor.origin.path == file.path
        if is_here and _is_plain(owner) and not _is_registered(file, owner):
            _check(called, owner, derived.get(owner, []), search, into)


def without_repeated_attribute_uses(events: list[Event]) -> list[Event]:
    """The events without the uses that only repeat what is said of an attribute: calls of its methods.

    Of an attribute that one method uses twice the second use is told: its remedy advances the key, too.
    """
    twice = {
        (use.path, use.line, event.key)
        for event in certain(events) if type(event) is KeyConsumed for use in event.earlier
    }  # fmt: skip
    events = [
        event for event in events
        if type(event) is not KeyNotAdvanced or not event.attribute
        or (event.use.path, event.use.line, event.key) not in twice
    ]  # fmt: skip
    told = {
        (event.use.path, event.use.line, event.attribute)
        for event in certain(events) if type(event) is KeyNotAdvanced and event.attribute
    }  # fmt: skip
    return [event for event in events if not _is_told(event, told)] if told else events


def _is_told(event: Event, told: set[tuple[str, int, str]]) -> bool:
    if type(event) is not KeyConsumed and type(event) is not KeyRepeated:
        return False
    name = event.key.rpartition(".")[2]
    uses = event.earlier if type(event) is KeyConsumed else (event.use,)
    return all(any((one.path, one.line, name) in told for one in use.inner) for use in uses)


def _check_records(file: File, summaries: list[Summary], into: Record) -> None:
    """Report the used keys that are put into a field of a record, where a function uses up what the field holds."""
    names = {
        sink.target.step for summary in summaries for sink, _ in summary.requires.effects.of(Sink)
        if isinstance(sink.target, Input) and sink.target.step is not None and sink.target.step[0] == "."
    }  # fmt: skip
    for summary in summaries if names else ():
        for one, _ in summary.requires.effects.of(KeyHandedBack):
            is_here = one.kept.op.anchor.origin.path == file.path and type(one.kept.op) is not ops.Call
            if one.into is None and one.step in names and one.is_named and is_here:
                report_into(into, one.kept)


def _is_registered(file: File, owner: ClassValue) -> bool:
    """Is a class made a pytree, whose objects are replaced?"""
    return re.search(rf"register_\w+\(\s*{owner.name}\b", file.source_text) is not None


def _is_plain(owner: ClassValue) -> bool:
    """Are the attributes of its objects changed by code that is seen only?"""
    for current in ancestry(owner):
        if current.is_tree or current.is_frozen or current.is_tuple:
            return False
        for base in current.bases:
            if base.kind is not CLASS and not (base.kind in (API, OBJECT) and base.name in MUTABLE_BASES):
                return False
    return True


def _check(
    called: CalledMethods, owner: ClassValue, derived: list[ClassValue], search: Search | None, into: Record
) -> None:
    file, family = called.file, MethodFamily(owner, {}, derived)
    for current in ancestry(owner):
        for bound in current.attributes.values():
            function = underlying(bound)
            if function is not None and function.function.parameters and function.receiver == "instance":
                family.methods.setdefault(function, summary_of(file.linked.program, function))
    found = [use for method in family.methods for use in _uses(family, method)]
    _check_constructors(file, family, {name for _, _, name in found}, into)
    found = [(method, sink, name) for method, sink, name in found if name not in _written(family)]
    if not found or _is_handed_out(family):
        return
    once = _run_once(family)
    for method, sink, name in found:
        is_repeated = method not in once and sink.place is not None and sink.place.anchor.origin.path == file.path
        if is_repeated and sink.draw is not None and is_read(sink.draw) and not _is_stored_outside(file, search, name):
            if _is_asked_at_once(called, family, method, search):
                continue
            is_set = next(_settings(family, name), None) is not None  # else it is set by whoever makes the object
            certainty = certain_if(is_set and _takes_data(method))
            report_into(into, _kept(family, method, sink, name), certainty)


def _is_asked_at_once(
    called: CalledMethods, family: MethodFamily, method: FunctionValue, search: Search | None
) -> bool:
    """Is a method called in the file, and everywhere on an object that is made there with its key, and asked once:
    `Matrix(rows, key=sub).draw()`?
    """
    name = method.function.name
    asked = called.on(name)
    if not asked or not all(_makes(base, family) for base in asked):
        return False
    held, importing = re.compile(rf"(?<!\))\.{name}\("), search.importing(called.file) if search is not None else ()
    return not any(held.search(one.source_text) for one in importing)


def _makes(op: ops.Op, family: MethodFamily) -> bool:
    """Is it a call of the class, or one with an argument that only its constructor has by that name?"""
    if type(op) is not ops.Call:
        return False
    given = {
        parameter.name
        for method in family.methods if method.function.name in CONSTRUCTORS
        for parameter in method.function.parameters
    }  # fmt: skip
    is_class = isinstance(op.func, (ops.Name, ops.Attr)) and op.func.name == family.owner.function.name
    return is_class or any(keyword in given for keyword, _ in op.keywords)


def _check_constructors(file: File, family: MethodFamily, names: set[str], into: Record) -> None:
    """Report the used keys that constructors store, and that methods use up."""
    for method, summary in family.methods.items():
        receiver = method.function.parameters[0].name
        for one, _ in summary.requires.effects.of(KeyHandedBack) if method.function.name in CONSTRUCTORS else ():
            source, step, is_here = one.into, one.step, one.kept.op.anchor.origin.path == file.path
            is_own = source is not None and source.parent is None and source.name == receiver
            if is_own and is_here and step is not None and step[0] == "." and step[1] in names:
                report_into(into, one.kept)


def _takes_data(method: FunctionValue) -> bool:
    """Must something be passed to a method, so that it is called for each of several?

    What makes all of something from the key alone, or does all of the work, may well give the same each time.
    """
    given = method.function.parameters[1:]
    is_given = any(parameter.default is None and parameter.kind not in ("varargs", "varkw") for parameter in given)
    return is_given and not WHOLE_RUN_METHOD.match(method.function.name)


def _uses(family: MethodFamily, method: FunctionValue) -> Iterator[tuple[FunctionValue, Sink, str]]:
    """The attributes that a method itself uses up."""
    receiver = method.function.parameters[0].name
    for sink, _ in family.methods[method].requires.effects.of(Sink):
        target, place = sink.target, sink.place
        if isinstance(target, Value) or target.parent is None or target.step is None or type(place) is not ops.Attr:
            continue
        is_own = target.parent.parent is None and target.parent.name == receiver
        if is_own and type(place.base) is ops.Name and place.base.name == receiver:
            yield method, sink, place.name


def _written(family: MethodFamily) -> set[str]:
    """The attributes that methods store, but for constructors."""
    found: set[str] = set()
    for current in (*ancestry(family.owner), *family.derived):
        found |= stored_elsewhere(current)
    for method, summary in family.methods.items():
        if method.function.name not in CONSTRUCTORS:
            found |= {str(step[1]) for _, step in summary.writes.parts if step[0] == "."}
    return found


def _is_handed_out(family: MethodFamily) -> bool:
    """May unknown code change the object, or do methods make another one of it?"""
    for method, summary in family.methods.items():
        receiver = method.function.parameters[0].name
        is_changed = any(one.parent is None and one.name == receiver for one in summary.writes.invalidated)
        is_another = _is_another(summary.returns, family.owner) or _names_its_class(method.function, family.owner)
        if method.function.name not in CONSTRUCTORS and (is_changed or is_another):
            return True
    return False


def _is_another(made: Value | None, owner: ClassValue) -> bool:
    """Is a result another object of the class, or a display of such?"""
    if made is None or type(made.payload) is not InstanceOf:
        return made is not None and any(_is_another(part, owner) for part in made.elements or ())
    one = made.payload
    return one.owner in ancestry(owner) and (one.copied is not None or one.parts is not None)


def _names_its_class(method: ops.Function, owner: ClassValue) -> bool:
    """Is the class called in a method, or given to what calls it: `tree.map(Key, new)`, `type(self)(new)`?"""
    own = f"type({method.parameters[0].name})"
    for part, call in chains_of(method).parents.items():
        if type(call) is not ops.Call or (type(call.func) is ops.Name and call.func.name in ASKING):
            continue
        if type(part) is ops.Name and part.name == owner.function.name:
            return True
        if type(part) is ops.Call and part is call.func and phrase(part) == own:
            return True
    return False


def _run_once(family: MethodFamily) -> set[FunctionValue]:
    """The methods that only constructors call, and those that set the object up."""
    once = {method for method in family.methods if _is_start(family, method)}
    callers = family.callers
    while True:
        more = {
            method for method in family.methods
            if method not in once and _is_called_by(method, callers.get(method.function.name, set()), once)
        }  # fmt: skip
        if not more:
            return once
        once |= more


def _is_start(family: MethodFamily, method: FunctionValue) -> bool:
    name = method.function.name
    bound = next(
        (ancestor.attributes[name] for ancestor in ancestry(family.owner) if name in ancestor.attributes), None
    )
    is_property = bound is not None and isinstance(bound.payload, Decorated) and "property" in bound.payload.decorator
    return name in CONSTRUCTORS or is_property or PREPARING_METHOD.match(name) is not None


def _is_called_by(method: FunctionValue, callers: set[FunctionValue], once: set[FunctionValue]) -> bool:
    """Is a method of the class's own called, and by some methods only?"""
    return method.function.name.startswith("_") and bool(callers) and callers <= once


def _is_stored_outside(file: File, search: Search | None, name: str) -> bool:
    """Does code outside of the class store into an attribute of this name?"""
    stores = re.compile(rf"(?<![\w.])(?!self\b|cls\b)\w[\w.\[\]]*\.{name}\b(?!\s*==)[^\n=()]*=(?!=)")
    own = re.compile(rf"\.{name}\b(?!\s*==)[^\n=()]*=(?!=)")
    if stores.search(file.source_text) or COPIES_SELF.search(file.source_text):
        return True
    importing = search.importing(file) if search is not None else ()
    return any(own.search(one.source_text) for one in importing)


def _kept(family: MethodFamily, method: FunctionValue, sink: Sink, name: str) -> KeyDestination:
    """How the key in an attribute goes on unchanged: the use, the place where it is set, and what to write instead."""
    assert sink.place is not None
    scope, key = method.function.scope, f"{method.function.parameters[0].name}.{name}"
    split = imported_as(scope, "jax.random.split")
    set_at = next(_settings(family, name), family.owner.function.anchor)
    goes_on = Use(set_at.origin.shown, set_at.line, f"left by all methods of `{family.owner.name}` as it was set")
    instead = f"split it first, with `{split}`: use one of the new keys here, and store the other"
    if _is_run_by_others(family, method):
        instead = f"pass a new key to `{method.function.name}` in each call: what is stored in a trace does not last"
    return KeyDestination(sink.place, key, sink.use, goes_on, instead, name)


def _is_run_by_others(family: MethodFamily, method: FunctionValue) -> bool:
    """Is a method decorated, or handed to what may trace it: `jax.vmap(self.draw)`?"""
    name = method.function.name
    found = (one.attributes[name] for one in ancestry(family.owner) if name in one.attributes)
    if any(underlying(one) is method and one.payload is not method for one in found):
        return True
    return any(name in _handed_out(other.function) for other in family.callers.get(name, ()))


@searched_once
def _handed_out(method: ops.Function) -> frozenset[str]:
    """The attributes of its object that a method reads other than to call them."""
    chains, found = chains_of(method), set[str]()
    for read in chains.names.get(method.parameters[0].name, ()):
        part = chains.parents.get(read)
        around = chains.parents.get(part) if type(part) is ops.Attr else None
        if type(part) is ops.Attr and around is not None and not (type(around) is ops.Call and around.func is part):
            found.add(part.name)
    return frozenset(found)


def _settings(family: MethodFamily, name: str) -> Iterator[ops.Anchor]:
    for method in family.methods:
        if method.function.name in CONSTRUCTORS:
            receiver = method.function.parameters[0].name
            yield from (op.anchor for stored, op in stores_into(method.function.body, receiver) if stored == name)
