"""Records one call of a transform: its arguments, how it ran their functions, and its result.

    T(p(lambda c, e: (c, r)), x, xs)        T is the transform under watch, p(...) makes a function that records

A function may be run by the call of the transform (`scan`), by a call of what that returned (`jit`), or by neither
(`f.defvjp(fwd, bwd)`, whose functions run when somebody differentiates).  So what the transform returns is watched too,
and what that returns, as long as it can be called.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import FunctionType
from typing import Literal, TypeAlias

import jax
import jax.numpy as jnp

from flake8_jax.runtime.foreign import Foreign
from flake8_jax.runtime.measuring.transforming.seen import DescribedValue, described

Phase: TypeAlias = Literal["call", "wrapped", "later"]
DECORATED = "decorated"
ArgumentRewrite: TypeAlias = Callable[[tuple[Foreign, ...]], tuple[tuple[Foreign, ...], dict[str, Foreign]]]
ResultRewrite: TypeAlias = Callable[[Foreign], Foreign]
ENDLESS = 60
POSITIONAL = inspect.Parameter.POSITIONAL_OR_KEYWORD


@dataclass(slots=True)
class Probed:
    """A function passed to a transform: where, and what was recorded of its runs."""

    place: str = ""
    each: bool = False
    runs: int = 0
    turns: int = 0
    phases: set[Phase] = field(default_factory=set)
    arguments: list[tuple[DescribedValue, ...]] = field(default_factory=list)
    keywords: list[dict[str, DescribedValue]] = field(default_factory=list)
    results: list[DescribedValue] = field(default_factory=list)
    raw: list[bool] = field(default_factory=list)


@dataclass(slots=True)
class Changes:
    """Deviations from the usual call: arguments of the transform, arguments of what it wraps, results of functions.

    `results` maps the number of a function to what makes its result of the usual one; `counting` has every run of the
    compiled function counted; `arity` gives functions that many parameters with names; `altered` is applied to each
    array of the namespace and, with `in_results`, of results, `restored` undoes that.
    """

    arguments: Mapping[str, Foreign] = field(default_factory=dict)
    wrapped: ArgumentRewrite | None = None
    results: Mapping[int, ResultRewrite] = field(default_factory=dict)
    counting: bool = False
    arity: int = 0
    altered: ResultRewrite | None = None
    in_results: bool = False
    restored: ResultRewrite | None = None


@dataclass(slots=True)
class CallRecording:
    """The recording of one evaluation of a call."""

    changes: Changes
    functions: list[Probed] = field(default_factory=list)
    given: dict[str, DescribedValue] = field(default_factory=dict)
    values: dict[str, Foreign] = field(default_factory=dict)
    varargs: str = ""
    result: DescribedValue | None = None
    is_called: bool = False
    wrapped_given: tuple[DescribedValue, ...] | None = None
    wrapped_result: DescribedValue | None = None
    phase: Phase = "later"
    faults: int = 0
    error: Exception | None = None
    traced: set[bool] = field(default_factory=set)
    made: set[bool] = field(default_factory=set)
    truthy: set[bool] = field(default_factory=set)

    def function(self, result: Callable[..., Foreign] | None = None, name: str = "probe") -> Callable[..., Foreign]:
        """A function that records its calls and returns `result` of its arguments, or a fresh array."""
        number, probed = len(self.functions), Probed()
        self.functions.append(probed)

        def probe(*args: Foreign, **kwargs: Foreign) -> Foreign:
            self._note(probed, args, kwargs)
            try:
                usual = result(*map(self._plain, args), **kwargs) if result else jnp.zeros((7,))
            except Exception:
                self.faults += 1
                raise
            if (altered := self.changes.altered) and self.changes.in_results:
                usual = jax.tree_util.tree_map(lambda v: altered(v) if isinstance(v, jax.Array) else v, usual)
            changed = self.changes.results[number](usual) if number in self.changes.results else usual
            probed.results.append(described(changed))
            return changed

        probe.__name__ = probe.__qualname__ = name
        probe.probed = probed  # type: ignore[attr-defined]
        names = [inspect.Parameter(f"a{place}", POSITIONAL) for place in range(self.changes.arity)]
        if names or result:
            signature = inspect.Signature(names) if names or not result else inspect.signature(result)
            probe.__signature__ = signature  # type: ignore[attr-defined]
        return probe

    def _plain(self, argument: Foreign) -> Foreign:
        return self.changes.restored(argument) if self.changes.restored else argument

    def _note(self, probed: Probed, args: tuple[Foreign, ...], kwargs: dict[str, Foreign]) -> None:
        probed.runs += 1
        if probed.runs > ENDLESS:
            raise RecursionError("a function is run without end")
        probed.phases.add(self.phase)
        probed.arguments.append(tuple(map(described, args)))
        probed.keywords.append({name: described(value) for name, value in kwargs.items()})
        leaves = [leaf for leaf in jax.tree_util.tree_leaves((args, kwargs)) if hasattr(leaf, "dtype")]
        staged = isinstance(jnp.zeros(()), jax.core.Tracer)
        self.traced |= {isinstance(leaf, jax.core.Tracer) for leaf in leaves}
        self.made.add(staged)
        self.truthy |= {_has_truth(leaf, staged) for leaf in leaves if hasattr(leaf, "all")}
        if self.changes.counting:
            jax.debug.callback(functools.partial(_turn, probed))

    def watched(self, transform: Foreign) -> Callable[..., Foreign]:
        """A wrapper of the transform that records its calls."""
        signature = signature_of(transform)

        def watching(*args: Foreign, **kwargs: Foreign) -> Foreign:
            if signature is not None:
                args, kwargs = self._bind(signature, args, kwargs)
            result = self._run("call", transform, args, kwargs)
            if self.result is None:
                self.result, self.is_called = described(result), callable(result) and not isinstance(result, type)
            return self._followed(result)

        return watching

    def _bind(
        self, signature: inspect.Signature, args: tuple[Foreign, ...], kwargs: dict[str, Foreign]
    ) -> tuple[tuple[Foreign, ...], dict[str, Foreign]]:
        bound = signature.bind_partial(*args, **kwargs)
        bound.arguments.update(self.changes.arguments)
        for name, value in bound.arguments.items():
            kind = signature.parameters[name].kind
            if kind is inspect.Parameter.VAR_POSITIONAL:
                self.varargs = name
            several = value if _listed(value) else (value,)
            if kind is inspect.Parameter.VAR_KEYWORD:
                several = value.values()
            for one in several:
                if probed := getattr(underlying(one), "probed", None):
                    probed.place, probed.each = name, _listed(value) or one is not value
            self.given[name] = described(value)
            self.values[name] = value
        return bound.args, bound.kwargs

    def _run(self, phase: Phase, function: Foreign, args: tuple[Foreign, ...], kwargs: dict[str, Foreign]) -> Foreign:
        before, self.phase = self.phase, phase
        try:
            result = function(*args, **kwargs)
            if not any(isinstance(leaf, jax.core.Tracer) for leaf in jax.tree_util.tree_leaves(result)):
                settle(result)
            return result
        finally:
            self.phase = before

    def _followed(self, result: Foreign) -> Foreign:
        if isinstance(result, tuple):
            parts = [self._followed(part) for part in result]
            return type(result)(*parts) if hasattr(result, "_fields") else tuple(parts)
        if isinstance(result, FunctionType):
            return functools.wraps(result)(lambda *args, **kwargs: self._follow(result, args, kwargs))
        if callable(result):
            return Followed(result, self)
        return result

    def _follow(self, function: Foreign, args: tuple[Foreign, ...], kwargs: dict[str, Foreign]) -> Foreign:
        late = [
            probed
            for argument in args
            if (probed := getattr(underlying(argument), "probed", None)) and not probed.place
        ]
        for probed in late:
            probed.place = DECORATED
        if self.changes.wrapped and not late:
            args, more = self.changes.wrapped(args)
            kwargs = {**kwargs, **more}
        before = sum(probed.runs for probed in self.functions)
        result = self._run("call" if late else "wrapped", function, args, kwargs)
        is_first = before == 0 < sum(probed.runs for probed in self.functions)
        if not late and (is_first or self.wrapped_given is None):
            self.wrapped_given, self.wrapped_result = tuple(map(described, args)), described(result)
        return self._followed(result)


class Followed:
    """A proxy for an object that a transform returned, which records its calls."""

    def __init__(self, target: Foreign, record: CallRecording) -> None:
        self._target, self._record = target, record

    def __getattr__(self, name: str) -> Foreign:
        return getattr(self._target, name)

    def __enter__(self) -> Foreign:
        """Enter it as a context."""
        return self._target.__enter__()

    def __exit__(self, *raised: object) -> Foreign:
        """Leave it."""
        return self._target.__exit__(*raised)

    def __call__(self, *args: Foreign, **kwargs: Foreign) -> Foreign:
        """Call it, and note what comes back."""
        return self._record._follow(self._target, args, kwargs)


def underlying(function: Foreign) -> Foreign:
    """The function below bound methods, `jit` and proxies."""
    if isinstance(function, Followed):
        function = function._target
    return function if hasattr(function, "probed") else getattr(function, "__wrapped__", function)


def signature_of(transform: Foreign) -> inspect.Signature | None:
    """The signature of a transform, without annotations that cannot be evaluated."""
    try:
        return inspect.signature(transform)
    except (ValueError, TypeError):
        return None


def settle(result: Foreign) -> None:
    """Block until this is computed."""
    jax.tree_util.tree_map(lambda leaf: leaf.block_until_ready() if isinstance(leaf, jax.Array) else leaf, result)


def _turn(probed: Probed) -> None:
    probed.turns += 1


def _listed(value: Foreign) -> bool:
    return isinstance(value, (list, tuple)) and any(hasattr(underlying(one), "probed") for one in value)


def _has_truth(array: Foreign, staged: bool) -> bool:
    if not staged and not isinstance(array, jax.core.Tracer):
        return True
    try:
        bool((array != 0).all())
    except Exception:
        return False
    return True
