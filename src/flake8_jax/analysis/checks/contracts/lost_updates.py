"""Objects that a library updates in place, under transforms that trace copies of them: the updates are lost.

@jax.jit
def step(model, optimizer, x):
    ...
    optimizer.update(model, grads)      changes what was made of the arguments for the trace
    return loss                         and gives none of it back

@jax.jit
def step(x):
    optimizer.update(model, grads)      changes what comes from outside: the library refuses it

`flax.nnx.jit` puts the changes back; so does code that returns the object, or its state.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import ClassVar

from flake8_jax.analysis.callables import Arguments, InstanceOf
from flake8_jax.analysis.checks.contracts.broken import ContractBroken
from flake8_jax.analysis.checks.contracts.returned import returns_of
from flake8_jax.analysis.checks.effects.outer_writes import home_of, scope_holding
from flake8_jax.analysis.checks.naming import imported_as, imported_name, scope_of
from flake8_jax.analysis.evidence import CallSite, LatentEvidence, OutcomeAtCall
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.classes import library_bases
from flake8_jax.analysis.summaries.deferral import leave
from flake8_jax.domain.effects import Finding, Room
from flake8_jax.domain.kinds import INPUT, MAY_BE_OBJECT, OBJECTS, REF
from flake8_jax.domain.provenance import USUALLY, Context, Hop
from flake8_jax.domain.staging import Dependences, Input, Token, certain, of_stage
from flake8_jax.domain.value import Value, input_of
from flake8_jax.ir import ops
from flake8_jax.ir.chains import chains_of
from flake8_jax.ir.ops import Function, Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.scope import Scope
from flake8_jax.ir.walking import dotted_root, path_root, within
from flake8_jax.lazy_dataclasses import dataclass, field, replace

VARIABLES = frozenset(("value",))
"""The attributes of variables by which they are updated."""

FROM_STATE = "flax.nnx.update"
"""The function that puts a state into a model, which code that is given the state can also make of it."""

KEEPING = frozenset((
    "cond", "fori_loop", "grad", "pmap", "remat", "scan", "switch", "value_and_grad", "vmap", "while_loop",
))  # fmt: skip
"""The transforms of which Flax has one of its own that keeps what is updated, as it has of `jit`."""

MAXIMUM_NEEDED = 4
"""Of so many updates a function tells its callers at most."""


@dataclass(frozen=True, slots=True)
class NeedsKept(LatentEvidence):
    """The updated object must neither be a copy that a trace works on nor come from outside of the trace.

    `source` is the input that is updated, None for what a function around holds, which is `home`; `token` is the trace,
    once it is known; `name` what the message calls the object, `kept_by` the transform that keeps what is updated.
    """

    asks: ClassVar = "`{0.op}` must not be lost", "an object that is traced"
    room: ClassVar[Room] = "need"
    name: str
    source: Input | None = None
    home: Scope | None = field(default=None, compare=False)
    token: Token | None = None
    kept_by: str = ""

    def at(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        """Violated by an object of the library that is traced, unless it is given back."""
        if site.frame.is_expected:
            return
        if self.source is None:
            yield from self._outside(site)
            return
        actual = site.resolve(self.source)
        if actual is None or actual.kind not in MAY_BE_OBJECT:
            return
        token, behind = self.token or tracing(actual.dependences), actual.original.input
        if kept_by := updated_by(site.frame, actual.original):
            if token is not None:
                yield Finding((ContractBroken, self.op, ()), partial(_event, self, token, site.chain, kept_by))
            elif (home := scope_holding(site, self.source, actual)) is not None:
                yield replace(self, source=None, home=home, kept_by=kept_by)
        elif behind is not None and (token is not None or not self._is_given_back(site, behind.name)):
            yield replace(self, source=behind, token=token)

    def _is_given_back(self, site: CallSite, name: str) -> bool:
        """Does the caller return the object, under the name by which it hands it on, or what this is a part of?"""
        given = site.source_of(self.source) if self.source is not None else None
        root = path_root(given) if given is not None else None
        names = {name, root.name} if root is not None else {name}
        return any(gives_back(site.frame.function, one, site.op) for one in names)

    def _outside(self, site: CallSite) -> Iterator[OutcomeAtCall]:
        token = of_stage(site.ambient, "staged")
        if token is not None:
            yield Finding((ContractBroken, self.op, ()), partial(_event, self, token, site.chain, self.kept_by))
        elif self.home is not None and site.frame.function.scope is not self.home:
            yield self


def tracing(dependences: Dependences) -> Token | None:
    """The trace whose copy of an object is updated, if the trace is certain."""
    tokens = (
        dependence for dependence in dependences if type(dependence) is Token and dependence.trace.role != USUALLY
    )
    return certain(frozenset(token for token in tokens if token.stage in ("staged", "mapped") and not token.updates))


def check_method(frame: Frame, op: ops.Call, base: Value, arguments: Arguments) -> None:
    """Check a method by which an optimizer updates itself and its model in place."""
    if type(op.func) is ops.Attr and len(arguments.positional) >= 2 and not arguments.is_open:
        _check(frame, op, (op.func.base, *op.args[:1]), base)


def check_function(frame: Frame, op: Op, arguments: Arguments) -> None:
    """Check a call of a function that updates its first argument in place."""
    if type(op) is ops.Call and op.args and arguments.positional:
        _check(frame, op, op.args[:1], arguments.positional[0])


def check_store(frame: Frame, target: ops.Attr | ops.Item, base: Value) -> None:
    """Check a store into a variable that may belong to an object that is updated in place, or comes from outside."""
    if type(target) is ops.Attr and target.name not in VARIABLES:
        return
    source = base.input or (input_of(base) if base.kind is REF else None)
    if source is None:
        _check_captured(frame, target, base)
        return
    if source.parent is not None:
        _check(frame, target, (target.base,), Value(INPUT, frozenset((source.root,)), source.root))


def _check_captured(frame: Frame, target: ops.Attr | ops.Item, variable: Value) -> None:
    """Check a store into a variable that a function around made, or an object of it; options may make it another."""
    made = variable.made_by
    if variable.kind is not REF or type(made) is not ops.Call or made.keywords:
        return
    if frame.parent is None or frame.context.is_prepared:
        return
    kept_by = frame.program.table.updated_by(imported_name(made.func))
    home = home_of(frame, target.base, variable) if kept_by and not frame.exits.caught else None
    if isinstance(home, Scope) and frame.summary.requires.effects.count(NeedsKept) < MAXIMUM_NEEDED:
        leave(frame, NeedsKept(target, phrase(target.base), None, home, kept_by=kept_by))


def updated_by(frame: Frame, value: Value) -> str:
    """The transform that puts back what is updated in an object of a library; "" for one that is not updated."""
    if value.kind not in OBJECTS:
        return ""
    payload, table = value.payload, frame.program.table
    names = library_bases(payload.owner) if isinstance(payload, InstanceOf) else (value.name,)
    return next(filter(None, map(table.updated_by, names)), "")


def _check(frame: Frame, op: Op, places: Iterable[Op], value: Value) -> None:
    if frame.parent is None or frame.is_expected:
        return
    first, *_ = places
    source, kept_by = value.input, updated_by(frame, value)
    if (source is None and not kept_by) or frame.summary.requires.effects.count(NeedsKept) >= MAXIMUM_NEEDED:
        return
    if any(root is not None and gives_back(frame.function, root.name) for root in map(path_root, places)):
        return
    text = phrase(first)
    if source is not None:
        leave(frame, NeedsKept(op, text, source))
    elif kept_by and isinstance(home := home_of(frame, first, value), Scope):
        leave(frame, NeedsKept(op, text, None, home, kept_by=kept_by))


def gives_back(function: Function, name: str, but: Op | None = None) -> bool:
    """Does a function return anything of an object of this name, `but` by a call, or anything that is not followed?"""
    if function.is_generator:
        return True
    last = function.body[-1:] if function.kind == "lambda" else ()
    returned = [*last, *(one.value for one in returns_of(function) if one.value is not None)]
    passed = {*within(but)} if but is not None else set[Op]()
    bound = {part.name for value in returned for part in within(value) if type(part) is ops.Name}
    stores = (one for each in sorted(bound - {name}) for _, one in chains_of(function).stored_to(each))
    for store in stores:
        if type(store) is not ops.Store or store.value is None:
            continue
        if all(type(target) is ops.Name for target in store.targets):  # `new = key, model` before `return new, loss`
            returned.append(store.value)
    return any(_holds(value, name, passed) for value in returned)


def _holds(value: Op, name: str, called: set[Op]) -> bool:
    """Is a name read in an expression, other than to call the object or a method of it?"""
    called = {*called}
    for part in within(value):
        if type(part) is ops.Call:
            called.add(dotted_root(part.func))
        if type(part) is ops.Name and part.name == name and part not in called:
            return True
    return False


def _event(needed: NeedsKept, token: Token, chain: tuple[Hop, ...], kept_by: str) -> ContractBroken:
    trace, op = token.trace, needed.op
    text = phrase(op.func) if type(op) is ops.Call else f"{phrase(op)} = ..."
    function = "the lambda" if "<lambda>" in trace.function else f"`{trace.function}`"
    home, _, last = kept_by.rpartition(".")
    own = trace.transform.rpartition(".")[2]
    kept_by = f"{home}.{own if own in KEEPING else last}"
    if needed.source is None:
        said = f"`{text}` updates `{needed.name}` under `{trace.shown}`, but it comes from outside of"
        said, words = f"{said} {function}, which is refused", f"pass it as an argument, under `{kept_by}`"
        if type(op) is ops.Call and imported_name(op.func) == FROM_STATE and len(op.args) == 2:
            merge, split = (imported_as(scope_of(op), f"flax.nnx.{name}") for name in ("merge", "split"))
            made = f"`{merge}(graphdef, {phrase(op.args[1])})`"
            words = f"make the model there by {made}, with the `graphdef` of a `{split}` outside"
    else:
        said = f"`{text}` updates the copy of `{needed.name}` that `{trace.shown}` traces in {function}"
        said, words = f"{said}, and it is not given back: the update is lost", f"use `{kept_by}`, or return its state"
    return ContractBroken(op, said, words, words, Context(None, chain))
