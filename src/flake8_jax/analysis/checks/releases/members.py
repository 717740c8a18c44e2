"""What values are asked for that a release lacks, warns of, or takes other arguments for.

x.device_buffer                 an attribute of an array that was removed
x.device()                      a property since 0.4.31, and no method any more
x.sort(kind="stable")           an argument of which JAX warns
lib.tree_map, getattr(lib, n)   `lib` holds the module `jax`: handed in, chosen, imported from a file of the project
def f(t, lib=jax): lib.tree_map     or holds it where nothing is handed in
clip(x, **options)              `clip` holds `jnp.clip`, `options` has `a_min`; so has a `partial`
"""

from __future__ import annotations

from functools import cache

from flake8_jax.analysis.callables import Arguments, Partial
from flake8_jax.analysis.checks.naming import imported_name
from flake8_jax.analysis.checks.releases.checking import is_prepared
from flake8_jax.analysis.checks.releases.events import event_of
from flake8_jax.analysis.checks.releases.guards import ASKED_OF, asks_of_release
from flake8_jax.analysis.checks.releases.judging import (
    Judgement,
    allowed_for,
    is_heard,
    judged,
    may_be_default,
    of_keyword,
    of_places,
)
from flake8_jax.analysis.checks.releases.uses import NameUse
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.summaries.deferral import emit
from flake8_jax.api import versions
from flake8_jax.api.versions import ARRAY, at
from flake8_jax.api.versions.target import TargetReleases
from flake8_jax.domain.conditions import Fact, exclude, path_of
from flake8_jax.domain.constants import NOTHING
from flake8_jax.domain.kinds import API, MAY_BE_ANYTHING
from flake8_jax.domain.kinds import ARRAY as ARRAYS
from flake8_jax.domain.payload import AT, Alternatives, ArrayDoubt
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import chains_of
from flake8_jax.ir.ops import Op
from flake8_jax.ir.walking import dotted_root, within


def check_name(frame: Frame, module: Value, name: str, op: Op) -> None:
    """Report a name of a library that a value is asked for, whatever holds it; not what an import names."""
    if _is_changing(module.name, name) and not _is_noted(frame, op) and not _is_asked(frame, name):
        use = NameUse(op, f"{module.name}.{name}", None, module.name, is_held=True)
        target = frame.program.linked.target
        if judged(use, target):
            _report(frame, use, judged(use, target.for_file(op.anchor.origin.file.text)))


def check_chosen(frame: Frame, modules: Alternatives, name: str, op: Op) -> None:
    """Report a name that one of several modules lacks of which a value is one, where it may be that one."""
    for module, held in modules.ways():
        when = path_of(held or ())
        if module.kind is API and not exclude(when, frame.path) and not any(_asks(fact, name) for fact in when):
            check_name(frame, module, name, op)


def _asks(fact: Fact, name: str) -> bool:
    """Does a test ask which release this is, or what it has: a library for any name, an object for this one?"""
    made_by = fact.subject.made_by
    if fact.subject.kind is API or made_by is None:
        return fact.subject.kind is API
    inside = [*within(made_by)]
    calls = (one for one in inside if isinstance(one, ops.Call))
    of_objects = {call.func: looked_up for call in calls if (looked_up := _asked_of_object(call))}
    return name in of_objects.values() or any(
        asks_of_release(getattr(one, "name", "")) for one in inside if one not in of_objects
    )


def _asked_of_object(call: ops.Call) -> str:
    """The name for which a call asks what no import binds, and so is no library."""
    if type(call.func) is not ops.Name or call.func.name not in ASKED_OF or len(call.args) < 2:
        return ""
    of, name = call.args[:2]
    if not isinstance(name, ops.Const) or imported_name(dotted_root(of)):
        return ""
    return name.value if isinstance(name.value, str) else ""


def check_of_input(frame: Frame, value: Value, name: str, op: Op) -> None:
    """Report a name that the module lacks which a parameter holds by default; not where it was asked what it is."""
    source = value.input
    if source is None or source.parent is not None or frame.is_specialized:
        return
    default = next((one.default for one in frame.function.parameters if one.name == source.name), None)
    module = imported_name(default) if default is not None else ""
    if module.partition(".")[0] in versions.LIBRARIES and all(fact.subject is not value for fact in frame.path):
        check_name(frame, frame.program.api(module), name, op)


def check_partial(frame: Frame, op: Op, callee: Value, arguments: Arguments) -> None:
    """Report an argument that a function of a library is given before it is called."""
    while type(callee.payload) is Partial:
        callee = callee.payload.callee
    if callee.kind is API:
        check_called(frame, op, callee.name, arguments)


def check_called(frame: Frame, op: Op, name: str, arguments: Arguments) -> None:
    """Report an argument that a function of a library is given, whatever holds them; not what is written out."""
    if not _takes_others(name) or _is_asked(frame, name.rpartition(".")[2]):
        return
    if type(op) is ops.Call and not _spreads(op) and _is_noted(frame, op.func):
        return
    target = frame.program.linked.target
    if _of_arguments(op, name, arguments, target):
        called = op.func if type(op) is ops.Call else op
        found = _of_arguments(op, name, arguments, target.for_file(op.anchor.origin.file.text))
        for argument in found:
            given = arguments.keyword_ops.get(argument.what) if argument.form == "keyword" else None
            _report(frame, NameUse(given or called, name, None, name, is_held=True), [argument])


def _is_noted(frame: Frame, op: Op) -> bool:
    """Has lowering noted what is written there, since an import says what it is?"""
    op = dotted_root(op)
    return type(op) is ops.Name and op.name in frame.namespace.file.libraries and imported_name(op) != ""


@cache
def _is_changing(module: str, name: str) -> bool:
    return versions.is_known(f"{module}.{name}")


@cache
def _takes_others(name: str) -> bool:
    """Has a function taken other arguments, or does JAX warn of some?"""
    row = versions.history(name)
    return (row is not None and bool(row.parameters or row.given)) or is_heard(name, versions.newest(versions.JAX))


def _of_arguments(op: Op, name: str, arguments: Arguments, target: TargetReleases) -> list[Judgement]:
    allowed = allowed_for(name, target)
    spreads = type(op) is ops.Call and _spreads(op)
    written = arguments.keywords if spreads else arguments.keyword_ops  # what a partial has was told there
    each = [(keyword, of_keyword(name, keyword, allowed)) for keyword in written]
    found = [one for keyword, one in each if one is not None and (one.when or _is_given(arguments, keyword))]
    if not found and not arguments.is_open and (one := of_places(name, len(arguments.positional), allowed)) is not None:
        found = [one]
    return found


def _spreads(op: ops.Call) -> bool:
    return bool(op.keywords) and any(keyword is None for keyword, _ in op.keywords)


def _is_given(arguments: Arguments, keyword: str) -> bool:
    """Is an argument certainly another than the default?"""
    op, value = arguments.keyword_ops.get(keyword), arguments.keywords[keyword]
    if op is not None:
        return not may_be_default(op)
    return value.kind not in MAY_BE_ANYTHING and value.payload != NOTHING


def _is_asked(frame: Frame, name: str) -> bool:
    """Is a failure expected, or did a test that leads here, or to the value that is called, ask for a release?"""
    facts = (one for one in frame.path if type(one) is Fact and (one.test == "asked" or one.subject.kind is not API))
    return frame.is_expected or any(_asks(fact, name) for fact in facts)


def _report(frame: Frame, use: NameUse, found: list[Judgement]) -> None:
    for one in found:
        if not is_prepared(use.op, one):
            event = event_of(use, one)
            emit(frame, (type(event), event.op, (one.what,)), lambda event=event: event)  # type: ignore[misc]


def check_member(frame: Frame, base: Value, op: ops.Attr) -> None:
    """Report an attribute of an array that is none any more."""
    if base.kind is not ARRAYS or base.payload is AT or type(base.payload) is ArrayDoubt:
        return
    if _is_asked(frame, op.name):
        return
    around = chains_of(frame.function).parents.get(op)
    call = around if type(around) is ops.Call and around.func is op else None
    use = NameUse(op, f"{ARRAY}.{op.name}", call)
    target = frame.program.linked.target
    found = judged(use, target)
    if call is not None and not found:
        allowed = allowed_for(use.name, target)
        row = versions.history(use.name)
        kinds = row.kind if row is not None else ()
        if at(kinds, allowed.highest) == "value" and any(each.text == "def" for each in kinds):
            when = next((each.version for each in kinds if each.version > kinds[0].version), ())
            found = [Judgement("removed", "method", use.name, f".{op.name}()", when, "", "", False, allowed)]
    _report(frame, use, found)
