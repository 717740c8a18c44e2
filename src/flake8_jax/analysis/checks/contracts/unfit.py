"""Callables that no transform can run: generators, coroutines, and what only a class makes callable.

@jax.jit
def f(x): yield x                       a generator: nothing of it runs when it is called

@jax.jit
@staticmethod
def f(x): ...                           an object of Python: the decorators stand in the wrong order
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Literal, TypeAlias

from flake8_jax.analysis.callables import Arguments, Decorated, FunctionValue, InstanceOf, Partial
from flake8_jax.analysis.checks.compilation.hashed_callables import check_hash
from flake8_jax.analysis.checks.contracts.callees import check_functions
from flake8_jax.analysis.checks.contracts.places import written
from flake8_jax.analysis.checks.wording import callee_text
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.isolation import ADVICE, advising
from flake8_jax.analysis.objects.classes import lookup
from flake8_jax.analysis.summaries.deferral import emit
from flake8_jax.api.transforms import Transform
from flake8_jax.domain.provenance import Context
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.rewrite import ChangedOp, Quoted, Rewrite
from flake8_jax.lazy_dataclasses import dataclass

UnfitForm: TypeAlias = Literal[
    "generator", "coroutine", "asynchronous generator", "staticmethod", "classmethod", "property", "cached property"
]
DECORATORS: dict[str, UnfitForm] = {
    "staticmethod": "staticmethod", "classmethod": "classmethod", "property": "property",
    "cached property": "cached property",
}  # fmt: skip
TRACING = frozenset(("staged", "mapped", "differentiated"))


@dataclass(frozen=True, slots=True)
class UnfitCallable:
    """A transform gets a callable that it cannot run.

    `form` says what it is, `function` its text, `transform` the user's spelling of the transform; `instead` is what to
    write, `words` the same without code, `rewrite` the changes that write it.
    """

    op: Op
    form: UnfitForm
    function: str
    transform: str
    instead: str
    words: str
    context: Context
    rewrite: Rewrite | None = None


def check_callables(frame: Frame, op: Op, transform: Transform, arguments: Arguments, given: dict[str, Value]) -> bool:
    """Report what cannot be called or run where a transform is due a function; is nothing more to be said of it?"""
    if check_functions(frame, op, transform, arguments, given):
        return True
    if transform.stage not in TRACING or frame.context.is_prepared:
        return False
    for name, value in _callables(frame, transform, given):
        if check_hash(frame, op, transform, arguments, name, value):
            continue
        form, found = _unfit(value)
        if form is None or (form in DECORATORS and transform.abstract):
            continue
        place = written(transform, arguments, name) or op
        is_decorated = type(place) is ops.Closure or value.made_by is place
        where = op if is_decorated else place
        text = found.function.name if found is not None else phrase(place)
        made_by = place if is_decorated and type(place) is ops.Call else None
        make = partial(_event, where, op, made_by, form, text, callee_text(op, transform.name))
        emit(frame, (UnfitCallable, where, form), make)
        return True
    return False


def _callables(frame: Frame, transform: Transform, given: dict[str, Value]) -> Iterator[tuple[str, Value]]:
    """What is passed for the functions of a transform, by parameter."""
    for demand in transform.demands:
        for name in demand.parameters if demand.word.startswith("function") else ():
            value = given.get(name)
            if value is not None and demand.word == "functions":
                yield from ((name, part) for part in frame.live().contents(value).elements or ())
            elif value is not None:
                yield name, value


def _unfit(value: Value) -> tuple[UnfitForm | None, FunctionValue | None]:
    """The reason why a callable cannot be run by a transform, and the function that is meant."""
    payload = value.payload
    if isinstance(payload, InstanceOf):
        method = lookup(payload.owner, "__call__")
        payload = method.payload if method is not None else None
        if isinstance(payload, Decorated) and payload.decorator in ("staticmethod", "classmethod"):
            return None, None  # Python binds what it looks up on the class
    while isinstance(payload, Partial):
        payload = payload.callee.payload
    if isinstance(payload, Decorated):
        inner = payload.callee.payload
        return DECORATORS.get(payload.decorator), inner if isinstance(inner, FunctionValue) else None
    if not isinstance(payload, FunctionValue):
        return None, None
    function = payload.function
    if function.is_async:
        return "asynchronous generator" if function.is_generator else "coroutine", payload
    return ("generator", payload) if function.is_generator else (None, None)


def _event(
    where: Op, op: Op, made_by: ops.Call | None, form: UnfitForm, function: str, transform: str
) -> UnfitCallable:
    instead, words, rewrite = _instead(op, made_by, form, transform)
    return UnfitCallable(where, form, function, transform, instead, words, Context(), rewrite)


@advising(ADVICE, ("", "", None))
def _instead(op: Op, made_by: ops.Call | None, form: UnfitForm, transform: str) -> tuple[str, str, Rewrite | None]:
    if form == "generator":
        words = "return what it yields in a list or tuple"
    elif form in ("coroutine", "asynchronous generator"):
        words = "make a plain function of it, and wait outside"
    elif form == "staticmethod":
        words = f"write `staticmethod` above `{transform}`"
        if type(op) is ops.Call and made_by is not None and len(op.args) == 1 and not op.keywords:
            changes = (ChangedOp(op.func, (Quoted(made_by.func),)), ChangedOp(made_by.func, (Quoted(op.func),)))
            return words, words, Rewrite(changes)
    elif form == "classmethod":
        words = f"write `classmethod` above, and declare its first argument static in `{transform}`"
    else:
        words = f"write the property above, and declare `self` static in `{transform}`"
    return words, words, None
