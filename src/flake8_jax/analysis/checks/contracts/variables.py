"""The variables of a network: what `init` gives and `apply` takes, and what `apply` gives beside its result.

variables = net.init(key, x)                    all collections, {"params": ...}
net.apply({"params": variables}, x)             one layer too much
params = net.init(key, x)["params"]             one of them
net.apply(params, x)                            one layer too few
y, changed = net.apply(variables, x, mutable=["batch_stats"])       a pair, only because of `mutable`

What a value is of all this, the op that made it tells, wherever the value is handed to.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import ClassVar

from flake8_jax.analysis.callables import Arguments, ClassValue, FunctionValue, InstanceOf
from flake8_jax.analysis.checks.contracts.nouns import noun_of_data
from flake8_jax.analysis.checks.contracts.unpacked import ResultMisunpacked, note_parts
from flake8_jax.analysis.checks.naming import imported_name
from flake8_jax.analysis.evidence import CallSite, Need, OutcomeAtCall
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.isolation import ADVICE, advising
from flake8_jax.analysis.objects.classes import ancestry, library_bases, lookup
from flake8_jax.analysis.summaries.deferral import emit, leave
from flake8_jax.api.computing import COMPUTING
from flake8_jax.api.contracts import VariablesForm
from flake8_jax.domain.effects import Finding
from flake8_jax.domain.kinds import DICT, UNKNOWN, Kind
from flake8_jax.domain.payload import Entries
from flake8_jax.domain.provenance import Context
from flake8_jax.domain.staging import Input
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import LONG, searched_once
from flake8_jax.ir.ops import Function, Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.rewrite import ChangedOp, Quoted, Rewrite, unsafe
from flake8_jax.ir.walking import path_root, within
from flake8_jax.lazy_dataclasses import dataclass, replace

INIT, APPLY, VARIABLES = "init", "apply", "variables"
PARAMS = "params"
MAKING_KEYS = "make_rng"
"""The method by which a module asks for a key: it makes no variable."""

STARTING: dict[str, VariablesForm] = {INIT: "variables", "init_with_output": "pair"}
SAID: dict[VariablesForm, str] = {
    "variables": "`{text}` is all that `init` gives, with its collections: under `{key}` it is one layer too deep",
    "collection": "`{text}` is one collection of the variables, where `{by}` takes a dict of them",
    "pair": "`{text}` is the pair of result and variables, where `{by}` takes the variables",
}


@dataclass(frozen=True, slots=True)
class NeedsVariables(Need):
    """What `apply` gets must not be one layer too deep or too few; `key` is the collection that it is to be, if one.

    `net`: the input whose method that is, while it is not known to be a network.
    """

    asks: ClassVar = "`{0.op}` must be all variables, or one collection of them", "another layer of them"
    harmless: ClassVar[frozenset[Kind]] = frozenset()
    source: Input
    key: str
    by: str
    whole: Op
    net: Input | None = None

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """Violated by variables of the other form."""
        actual, net = site.resolve(self.source), self.net
        if net is not None:
            network = site.resolve(net)
            if network is None:
                return
            net = None if runs_network(site.frame, network, APPLY) else network.input
            if net is None and not runs_network(site.frame, network, APPLY):
                return
        if actual is None:
            return
        wrong = _wrong(form_of_variables(site.frame, actual), self.key)
        if wrong is not None and net is None:
            make = partial(_event, self.op, self.whole, self.key, self.by, wrong, Context(None, site.chain))
            yield Finding((ResultMisunpacked, self.op, ()), make)
        elif (behind := actual.original.input) is not None:
            held = frozenset(one for one in (behind, net) if one is not None)
            yield replace(self, source=behind, net=net, dependences=held)


def note_started(frame: Frame, op: Op, base: Value, name: str) -> None:
    """Note what a method gives that makes the variables of a network."""
    form = STARTING.get(name)
    if form is not None and runs_network(frame, base, name) and not _has_no_variables(frame, base):
        frame.program.variables[op] = form
        text = phrase(op.func) if type(op) is ops.Call else name
        note_parts(frame, op, text, ("value", "variables") if form == "pair" else ("variables",))


def note_taken(frame: Frame, op: Op, base: Value, index: Value) -> None:
    """Note a collection that is taken out of variables."""
    form = frame.program.variables.get(base.made_by) if base.made_by is not None else None
    if form == "variables" and isinstance(index.constant, str):
        frame.program.variables[op] = "collection"


def note_resembling(frame: Frame, op: Op, value: Value | None) -> None:
    """Note that what an op gives is a tree like a value: the gradient."""
    if value is None:
        return
    frame.program.resembling[op] = frame.function, value
    form = form_of_variables(frame, value) if frame.program.variables else None
    if form is not None:
        frame.program.variables[op] = form


def runs_network(frame: Frame, base: Value, name: str) -> bool:
    """Is a method of an object the one of a library by which its networks run?"""
    payload = base.payload
    if isinstance(payload, InstanceOf):
        is_own = lookup(payload.owner, name) is not None
        return not is_own and any(frame.program.table.applies(one) for one in library_bases(payload.owner))
    return bool(base.name) and frame.program.table.applies(base.name)


def _has_no_variables(frame: Frame, base: Value) -> bool:
    """Does a network of the project only compute?  What `init` gives is empty, so that no layer of it matters."""
    payload = base.payload
    if not isinstance(payload, InstanceOf) or frame.program.table.applies(base.name):
        return False
    methods = [method for each in ancestry(payload.owner) for method in each.function.functions]
    return bool(methods) and all(_only_computes(frame, payload.owner, method) for method in methods)


def _only_computes(frame: Frame, owner: ClassValue, method: Function) -> bool:
    """Does a method of a module call nothing but functions of libraries, its own methods, and those of arrays?"""
    receiver = method.parameters[0].name if method.parameters else ""
    called = (func for one in (method, *method.functions) for func in _called_in(one))
    return all(_is_computation(frame, owner, func, receiver) for func in called)


@searched_once
def _called_in(function: Function) -> list[Op]:
    """What a body calls, of what is spelled alike the last one."""
    calls = (op for statement in function.body for op in within(statement) if type(op) is ops.Call)
    return [*{(imported_name(call.func), phrase(call.func, LONG)): call.func for call in calls}.values()]


def _is_computation(frame: Frame, owner: ClassValue, func: Op, receiver: str) -> bool:
    name = imported_name(func)
    if name:
        is_class = name.rpartition(".")[2][:1].isupper() or frame.program.table.is_part(name)
        return not is_class and ("." not in name or name.startswith(COMPUTING))
    if type(func) is not ops.Attr:
        return False
    root = path_root(func.base)
    if root is None or root.name != receiver:
        return True
    own = lookup(owner, func.name) if root is func.base else None
    return func.name == MAKING_KEYS or (own is not None and isinstance(own.payload, FunctionValue))


def form_of_variables(frame: Frame, value: Value) -> VariablesForm | None:
    """What a value is of the variables of a network, as the op tells that made it."""
    found = value.original
    is_made = found.made_by is not None and found.kind is UNKNOWN
    return frame.program.variables.get(found.made_by) if is_made and found.made_by is not None else None


def check_applied(frame: Frame, op: Op, arguments: Arguments, net: Value | None = None) -> None:
    """Report what `apply` gets for its variables, if it certainly is something else; `net` may be a network."""
    first, place = arguments.get(0, VARIABLES), arguments.written(0, VARIABLES)
    source = net.input if net is not None else None
    if first is None or place is None or frame.context.is_prepared or (net is not None and source is None):
        return
    by = phrase(op.func) if type(op) is ops.Call else APPLY
    if net is None and noun_of_data(first) == "an array":
        said = f"`{phrase(place)}` is an array, where `{by}` takes the variables of the network"
        words = "pass first what `init` gave"
        emit(frame, (ResultMisunpacked, place, ()), lambda: ResultMisunpacked(place, said, words, words, Context()))
        return
    entries = first.payload.parts if first.kind is DICT and type(first.payload) is Entries else {"": first}
    written = dict(_written(place))
    for key, value in entries.items():
        if key in ("", PARAMS):
            _check(frame, written.get(str(key), place), value, str(key), by, place, source)


def _written(op: Op) -> Iterator[tuple[str, Op]]:
    for key, value in op.items if type(op) is ops.BuildDict else ():
        if type(key) is ops.Const and isinstance(key.value, str):
            yield key.value, value


def _check(frame: Frame, op: Op, value: Value, key: str, by: str, whole: Op, net: Input | None) -> None:
    wrong, behind = _wrong(form_of_variables(frame, value), key), value.original.input
    if behind is not None and frame.parent is not None:
        held = frozenset(one for one in (behind, net) if one is not None)
        leave(frame, NeedsVariables(op, held, behind, key, by, whole, net))
    elif wrong is not None and net is None:
        emit(frame, (ResultMisunpacked, op, ()), partial(_event, op, whole, key, by, wrong, Context()))


def _wrong(form: VariablesForm | None, key: str) -> VariablesForm | None:
    """The form of variables, if another layer of them is due."""
    return form if form in (("variables", "pair") if key else ("collection", "pair")) else None


def _event(op: Op, whole: Op, key: str, by: str, form: VariablesForm, context: Context) -> ResultMisunpacked:
    text = phrase(op)
    said = SAID[form].format(text=text, key=key, by=by)
    is_handed_in = type(op) is ops.Name and op.scope.lookup(op.name).is_parameter
    rewrite = _rewritten(op, whole, form) if not is_handed_in else None
    words = "unpack it first"
    if form == "variables":
        words = f'take `["{key}"]` of what `init` gives, or pass that as it is'
    elif form == "collection":
        words = f'pass it under its name, as `{{"{PARAMS}": {text}}}`'
    if is_handed_in:  # other calls may pass what is due
        words = _in_call(form, key)
    changes = rewrite.changes if rewrite is not None else ()
    return ResultMisunpacked(op, said, f"use `{changes[0].text}`" if changes else words, words, context, rewrite)


def _in_call(form: VariablesForm, key: str) -> str:
    """What to do in the call that hands it in."""
    where = "where the function is called"
    if form == "variables":
        return f'pass `["{key}"]` of what `init` gives {where}'
    return f"pass all variables {where}" if form == "collection" else f"unpack it first {where}"


@advising(ADVICE, None)
def _rewritten(op: Op, whole: Op, form: VariablesForm) -> Rewrite | None:
    """The argument with the layer that it lacks, or without the one that is too much."""
    if form == "collection" and type(op) in (ops.Name, ops.Attr):
        return unsafe(Rewrite((ChangedOp(whole, (f'{{"{PARAMS}": ', Quoted(op), "}")),)))
    if form == "variables" and type(whole) is ops.BuildDict and len(whole.items) == 1:
        return unsafe(Rewrite((ChangedOp(whole, (Quoted(op),)),)))
    return None
