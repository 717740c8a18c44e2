"""The signature of a callable: what it may be called with.

def f(a, b, *, c): ...                      2 by position, `c` by name
partial(f, b=1)                             at most 1 by position: `b` comes by name
self.step, Model(3)                         without `self`: a bound method, an object with `__call__`
Model, Point                                a class: its constructor, or the fields of a named tuple
jax.jit(f), jax.vmap(f)                     as `f`
jnp.add                                     a library's function: at most as many as its row has

Unknown is None: what stands under a decorator that is not known, or is bound with `*args` of unknown length.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Literal

from flake8_jax.analysis.callables import ClassValue, FunctionValue, InstanceOf, Partial, Wrapped, layers, underlying
from flake8_jax.analysis.objects.classes import ancestry, library_bases, lookup
from flake8_jax.api.rows import ApiParameter
from flake8_jax.api.static_options import SIGNATURE_KEPT
from flake8_jax.api.table import Table
from flake8_jax.domain.kinds import API
from flake8_jax.domain.value import Value
from flake8_jax.ir.ops import Function, Parameter
from flake8_jax.lazy_dataclasses import dataclass, replace

RECORD = "typing.NamedTuple"
STARRED = ("varargs", "varkw")
LISTED = 5
"""How many parameters a text lists."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a call raises: too many arguments by position, some that are missing, passed twice, or of unknown names."""

    kind: Literal["many", "missing", "twice", "unknown"]
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Signature:
    """The parameters that callers see.

    `positional` take an argument by position, `named` one by name, `unnamed` by position only (with that of `*args`),
    and `required` must get one.  `is_open`: it has `**kwargs`; `takes_more`: it has `*args`; `is_bound`: it is the
    method of an object.
    """

    positional: tuple[str, ...]
    named: frozenset[str]
    unnamed: frozenset[str]
    required: tuple[str, ...]
    is_open: bool
    takes_more: bool
    is_bound: bool = False

    @property
    def least(self) -> int:
        """How many arguments a call passes by position at least, if it passes none by name."""
        needed = [place for place, name in enumerate(self.positional, 1) if name in self.required]
        return needed[-1] if needed else 0

    @property
    def most(self) -> int | None:
        """How many arguments a call passes by position at most; None if there is no end."""
        return None if self.takes_more else len(self.positional)

    def place(self, number: int) -> str | None:
        """The parameter that the argument at a position is bound to."""
        return self.positional[number] if 0 <= number < len(self.positional) else None

    def refusal(self, count: int, names: Collection[str] = ()) -> Refusal | None:
        """Why a call raises that passes so many arguments by position, and these by name; None if it does not."""
        if count > len(self.positional) and not self.takes_more:
            return Refusal("many")
        passed = self.positional[:count]
        if names and (twice := tuple(name for name in passed if name in names and name in self.named)):
            return Refusal("twice", twice)
        if names and not self.is_open and (unknown := tuple(name for name in names if name not in self.named)):
            return Refusal("unknown", unknown)
        missing = tuple([name for name in self.required if name not in passed and name not in names])
        return Refusal("missing", missing) if missing else None

    def text(self) -> str:
        """The parameters as a text lists them."""
        return ", ".join([*self._parts()]) or "none"

    def _parts(self) -> Iterator[str]:
        shown = [*self.positional, *sorted(self.named - {*self.positional})]
        yield from (f"`{name}`" for name in shown[:LISTED])
        if len(shown) > LISTED or self.takes_more or self.is_open:
            yield "..."


def signature_of(table: Table, function: Value) -> Signature | None:
    """What a callable may be called with; None if that is not known."""
    if isinstance(function.payload, FunctionValue):
        return of_function(function.payload.function)
    innermost, around = function, []
    for layer in layers(function):
        around.append(layer)
        innermost = layer.callee
    known = _innermost(table, innermost)
    for layer in reversed(around):
        if known is None:
            return None
        if isinstance(layer, Partial) and not layer.arguments.is_open:
            known = _bound(known, layer, innermost)
        elif not isinstance(layer, Wrapped) or layer.applied.transform.name not in SIGNATURE_KEPT:
            return None
    return known


def without_receiver(known: Signature) -> Signature:
    """The signature of a method as its callers see it."""
    return _cut(known, 1, (), True)


def declared_signature(function: Value, shown: FunctionValue) -> Signature | None:
    """What `inspect.signature` says of a callable that looks like this function; None if that is not known."""
    if shown.imitates is not None:
        return None
    known = of_function(shown.function)
    innermost = underlying(function)
    for layer in reversed([*layers(function)]):
        if isinstance(layer, Wrapped) and layer.applied.transform.name in SIGNATURE_KEPT:
            continue
        if not isinstance(layer, Partial) or layer.arguments.is_open or innermost is None:
            return None
        known = _without(known, layer, shown.owner is not None and shown.receiver == "instance")
    return known


def of_function(function: Function) -> Signature:
    """The signature of a function as it is written, made once."""
    found = function.signature
    if not isinstance(found, Signature):
        function.signature = found = of_parameters(function.parameters)
    return found


def of_parameters(parameters: Collection[Parameter] | Collection[ApiParameter]) -> Signature:
    """The signature that parameters have; rows do not say which of theirs have defaults: none is required."""
    named: list[str] = []
    unnamed: list[str] = []
    by_position: list[str] = []
    required: list[str] = []
    is_open = takes_more = False
    for parameter in parameters:
        name, kind = parameter.name, parameter.kind
        if kind == "varkw":
            is_open = True
            continue
        if kind == "varargs":
            takes_more = True
            unnamed.append(name)
            continue
        (unnamed if kind == "positional" else named).append(name)
        if kind != "keyword":
            by_position.append(name)
        if isinstance(parameter, Parameter) and parameter.default is None:
            required.append(name)
    return Signature(
        tuple(by_position), frozenset(named), frozenset(unnamed), tuple(required), is_open, takes_more
    )  # fmt: skip


def _innermost(table: Table, function: Value) -> Signature | None:
    """The signature of what nothing stands around."""
    payload = function.payload
    if isinstance(payload, FunctionValue):
        return of_function(payload.function)
    if isinstance(payload, InstanceOf):
        return _of_method(table, payload.owner, "__call__")
    if isinstance(payload, ClassValue):
        return _of_class(table, payload)
    if function.kind is API:
        return _of_library(table, function.name)
    return None


def _of_method(table: Table, owner: ClassValue, name: str) -> Signature | None:
    """The signature of a method of an object of a class."""
    found = lookup(owner, name)
    known = signature_of(table, found) if found is not None and found.payload is not None else None
    if known is None or not known.positional:
        return None
    return without_receiver(known)


def _of_class(table: Table, owner: ClassValue) -> Signature | None:
    """The signature of the constructor of a class."""
    if lookup(owner, "__new__") is not None:
        return None
    if lookup(owner, "__init__") is not None:
        return _of_method(table, owner, "__init__")
    if not owner.is_tuple or {*library_bases(owner)} != {RECORD}:
        return None
    fields = [*dict.fromkeys(name for base in reversed(ancestry(owner)) for name in base.annotations)]
    required = tuple(name for name in fields if lookup(owner, name) is None)
    return Signature(tuple(fields), frozenset(fields), frozenset(), required, False, False)


def _of_library(table: Table, name: str) -> Signature | None:
    """The signature of a library's function, whose row does not say which of its parameters have defaults.

    The row is of one release. Libraries beside JAX have made parameters keyword-only in releases that projects still
    straddle (`optax.huber_loss`), so that these may come by position.
    """
    transform, row = table.transform(name), table.function(name)
    parameters = row.parameters if row is not None else transform.parameters if transform is not None else ()
    if not name.startswith("jax."):
        parameters = tuple(
            replace(parameter, kind="normal") if parameter.kind == "keyword" else parameter for parameter in parameters
        )
    return of_parameters(parameters) if parameters else None


def _bound(known: Signature, layer: Partial, innermost: Value) -> Signature:
    function = innermost.payload
    is_method = isinstance(function, FunctionValue) and function.owner is not None and function.receiver == "instance"
    return _without(known, layer, is_method)


def _without(known: Signature, layer: Partial, is_method: bool) -> Signature:
    """The signature without what a partial binds: the receiver of a method, or arguments."""
    count = len(layer.arguments.positional)
    return _cut(known, count, layer.arguments.keywords, known.is_bound or (count == 1 and is_method))


def _cut(known: Signature, count: int, keywords: Collection[str], is_bound: bool) -> Signature:
    """A signature of which the first parameters are bound, and some by name: what follows these is passed by name."""
    passed, positional = known.positional[:count], known.positional[count:]
    first = next((place for place, name in enumerate(positional) if name in keywords), None)
    required = tuple(name for name in known.required if name not in passed and name not in keywords)
    return Signature(
        positional[:first], known.named - {*passed}, known.unnamed - {*passed}, required,
        known.is_open, known.takes_more and first is None, is_bound,
    )  # fmt: skip
