"""Measures, by running JAX, what the rows for its functions state: `python make_jax_facts.py` writes jax_facts_VERSION.json.

For every public function of the modules below a call that works is searched for.  Then, one parameter at a time and
without compiling (under `jax.make_jaxpr`):

- `*`: it takes some array of rank 1 or more, but neither that array as a list nor as a tuple;
- `!`: it takes some value, and none as a tracer;
- `@`: the key-reuse checker refuses a second call with the same key; `~`: it does not, and a key comes back.

What is returned is looked at inside the trace, so "static" means: known although every array is a tracer.
Where no value was found for a parameter it has no entry among the marks; a function without a working call has none.
"""

from __future__ import annotations

import contextlib
import importlib
import inspect
import json
import sys
import types
import warnings
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from make_jax_facts_calls import (
    ARRAYS,
    BASES,
    F1,
    F2,
    I1,
    KEY,
    METHODS,
    MODULES,
    NAMED,
    ONLY,
    SCALARS,
    SKIPPED,
    VARIANTS,
    WORDS,
    Varargs,
    make_ref,
)

warnings.simplefilter("ignore")
P = inspect.Parameter
CONCRETE = tuple(map(jnp.asarray, (I1, F1, F2)))
HERE = Path(__file__).parent


def public_functions(module: types.ModuleType) -> Iterator[tuple[str, Callable[..., Any]]]:
    """The functions, ufuncs and scalar types that a module offers."""
    for name in sorted(set(dir(module)) | set(getattr(module, "__all__", ()))):
        found = None if name.startswith("_") or name.endswith("_p") else getattr(module, name, None)
        origin = (getattr(found, "__module__", "") or "").partition(".")[0]
        is_scalar = hasattr(found, "dtype") and not (inspect.isclass(found) and issubclass(found, np.generic))
        is_type = inspect.isclass(found) and not is_scalar and name not in ("finfo", "iinfo", "dtype")
        if callable(found) and not is_type and origin in ("jax", "jaxlib", "numpy", "ml_dtypes"):
            yield name, found


def shown(signature: inspect.Signature) -> str:
    """The parameters in the notation of the rows, without marks."""
    parts: list[str] = []
    alone = len(signature.parameters) == 1
    parameters = [p for p in signature.parameters.values() if alone or not p.name.startswith("_")]
    for place, parameter in enumerate(parameters):
        before = parameters[place - 1].kind if place else None
        after = parameters[place + 1].kind if place + 1 < len(parameters) else None
        if parameter.kind == P.KEYWORD_ONLY and before not in (P.KEYWORD_ONLY, P.VAR_POSITIONAL):
            parts.append("*")
        parts.append({P.VAR_POSITIONAL: "*", P.VAR_KEYWORD: "**"}.get(parameter.kind, "") + parameter.name)
        if parameter.kind == P.POSITIONAL_ONLY and after != P.POSITIONAL_ONLY:
            parts.append("/")
    return ", ".join(parts)


def as_array(value: Any) -> Any:
    """NumPy samples as JAX arrays, made anew so that one call cannot spoil the next."""
    if isinstance(value, Varargs):
        return Varargs(map(as_array, value))
    if type(value) in (list, tuple) and value and isinstance(value[0], np.ndarray):
        return type(value)(as_array(element) for element in value)
    if value is make_ref:
        return make_ref()
    return jnp.asarray(value) if isinstance(value, np.ndarray) else value


def in_trace(function: Callable[..., Any], *arguments: Any) -> None:
    """Trace a function of these arguments without compiling it, under an axis `i` of size 2."""
    jax.make_jaxpr(lambda *traced: (function(*traced), 0)[1], axis_env=[("i", 2)])(*arguments)


class Probe:
    """One function, and the arguments of a call of it that works."""

    def __init__(self, qualified: str, function: Callable[..., Any]) -> None:
        self.qualified, self.function = qualified, function
        try:
            self.signature = inspect.signature(function)
        except ValueError:
            self.signature = inspect.Signature([P("x", P.POSITIONAL_OR_KEYWORD)])
        self.parameters = self.signature.parameters
        self.base: dict[str, Any] = {}
        self.eager = False

    def call(self, arguments: Mapping[str, Any]) -> Any:
        """Call the function, arguments given by parameter in any order."""
        ordered = {name: as_array(arguments[name]) for name in self.parameters if name in arguments}
        bound = inspect.BoundArguments(self.signature, ordered)  # type: ignore[arg-type]
        return self.function(*bound.args, **bound.kwargs)

    def outcome(self, **arguments: Any) -> str:
        """The kind of what the base call with these arguments returns; "" if it fails."""
        seen: list[str] = []
        try:
            if self.eager:
                seen.append(kind_of(self.call({**self.base, **arguments})))
            else:
                in_trace(lambda: seen.append(kind_of(self.call({**self.base, **arguments}))))
        except Exception:
            return ""
        return seen[0]

    def accepts(self, name: str, value: Any) -> bool:
        """Does the base call work with this value for the parameter (of varargs, for the first)?"""
        return bool(self.outcome(**{name: self.for_parameter(name, value)}))

    def accepts_tracer(self, name: str, value: Any) -> bool:
        """Does the base call work with this value, traced?"""
        try:
            in_trace(lambda t: self.call({**self.base, name: self.for_parameter(name, t)}), as_array(value))
        except Exception:
            return False
        return True

    def for_parameter(self, name: str, value: Any) -> Any:
        """The argument as it stands in a call."""
        if self.parameters[name].kind == P.VAR_POSITIONAL:
            return Varargs([value, *self.base.get(name, ())[1:]])
        return value

    def find_base(self) -> bool:
        """Search for a working call: the stated arguments, or one sample for every required parameter."""
        candidates = [BASES[self.qualified]] if self.qualified in BASES else list(self.guesses())
        for self.eager in (False, True):
            for base in candidates:
                if self.outcome(**base):
                    self.base = dict(base)
                    return True
        return False

    def guesses(self) -> Iterator[dict[str, Any]]:
        """Required parameters by their names, or else the same sample for all."""
        required = [p for p in self.parameters.values() if p.default is P.empty and p.kind != P.VAR_KEYWORD]
        for sample in ARRAYS:
            for count in (1, 2) if any(p.kind == P.VAR_POSITIONAL for p in required) else (1,):
                chosen = {p.name: NAMED.get(p.name, sample) for p in required}
                chosen |= {p.name: Varargs([sample] * count) for p in required if p.kind == P.VAR_POSITIONAL}
                yield chosen

    def working_values(self, name: str) -> Iterator[Any]:
        """Some values that work for a parameter, arrays and others, besides the rest of the base call."""
        parameter = self.parameters[name]
        own = [self.base[name]] if name in self.base else []
        own = list(own[0])[:1] if own and parameter.kind == P.VAR_POSITIONAL else own
        named = [NAMED[name]] if name in NAMED else []
        default = [] if parameter.default in (P.empty, None) else [parameter.default]
        arrays = others = 0
        for value in (*own, *WORDS.get(name, ()), *named, *default, *ARRAYS, *SCALARS):
            is_array = isinstance(value, np.ndarray) and value.ndim > 0
            if (arrays if is_array else others) < 2 and self.accepts(name, value):
                arrays, others = arrays + is_array, others + (not is_array)
                yield value

    def key_use(self, name: str) -> str:
        """Does the function use up, or derive from, the key that it takes here?"""
        key = jax.random.key(0)
        try:
            with jax.debug_key_reuse(True):
                result = self.call({**self.base, name: key})
                self.call({**self.base, name: key})
        except jax.errors.KeyReuseError:
            return "@"
        except Exception:
            return ""
        return "~" if kind_of(result) in ("key", "keys") else ""

    def marks(self, name: str) -> str | None:
        """The marks of one parameter; None if no value for it was found."""
        values = list(self.working_values(name))
        if not values:
            return None
        if values[0] is KEY and (key := self.key_use(name)):
            return key
        arrays = [value for value in values if isinstance(value, np.ndarray) and value.ndim]
        rejecting = bool(arrays) and not any(self.accepts(name, form) for value in arrays for form in sequences(value))
        rejecting = rejecting and not self.accepts(name, jnp.float32)
        traceable = [value for value in values if jax.tree_util.tree_leaves(value)]
        concrete = bool(traceable) and not rejecting and not any(self.accepts_tracer(name, v) for v in traceable)
        return "*" * rejecting + "!" * concrete

    def variants(self, usual: str) -> dict[str, str]:
        """Where a flag, or an argument left out, changes the kind of what comes back."""
        defaults = {name: p.default for name, p in self.parameters.items() if isinstance(p.default, bool)}
        flags = {f"{name}={not default}": {name: not default} for name, default in defaults.items()}
        found = {}
        for condition, arguments in (*flags.items(), *VARIANTS.get(self.qualified, {}).items()):
            left_out = condition.removesuffix(" absent") if condition.endswith(" absent") else ""
            kept = list(self.parameters)[: list(self.parameters).index(left_out)] if left_out else self.parameters
            base = {name: value for name, value in self.base.items() if name in kept}
            other = Probe(self.qualified, self.function)
            other.base, other.eager = dict(base), self.eager
            kind = other.outcome(**arguments)
            if kind not in ("", usual):
                found[condition] = kind
        return found


def sequences(array: np.ndarray[Any, Any]) -> Iterator[Any]:
    """The array as a list and as a tuple, and sequences of it."""
    yield from (array.tolist(), tuple(array.tolist()), [array, array], (array, array), [array], (array,))


def kind_of(value: Any) -> str:
    """The word of the table for a value seen inside a trace."""
    if isinstance(value, jax.core.Tracer) and "Ref" in type(jax.typeof(value)).__name__:
        return "ref"
    if isinstance(value, jax.Array) and type(value) is not jax.Array:
        is_key = jnp.issubdtype(value.dtype, jax.dtypes.prng_key)
        is_raw_key = value.dtype == jnp.uint32 and value.shape == (2,)
        return "array" if not (is_key or is_raw_key) else "keys" if is_key and value.ndim else "key"
    if isinstance(value, np.ndarray):
        return "numpy"
    if value is None:
        return "none"
    if isinstance(value, (list, tuple)) and len(value) and all(isinstance(v, jax.Array) for v in value):
        return "list" if isinstance(value, list) else "tuple"
    if isinstance(value, jax.Ref):
        return "ref"
    leaves = jax.tree_util.tree_leaves(value)
    is_function = callable(value) and not isinstance(value, type)
    return "mixed" if is_function or any(isinstance(leaf, jax.Array) for leaf in leaves) else "static"


def methods() -> Iterator[tuple[str, Callable[..., Any]]]:
    """The methods of arrays and of `x.at[i]`, as functions without self."""
    for block, names in METHODS.items():
        for name in names:

            def method(*args: Any, _of: str = block, _name: str = name, **kwargs: Any) -> Any:
                array = CONCRETE[{"diagonal": 2, "trace": 2, "swapaxes": 2, "choose": 0}.get(_name, 1)]
                return getattr(array.at[:2] if _of == "Array.at" else array, _name)(*args, **kwargs)

            bound = CONCRETE[1].at[:2] if block == "Array.at" else CONCRETE[1]
            with contextlib.suppress(ValueError):
                method.__signature__ = inspect.signature(getattr(bound, name))  # type: ignore[attr-defined]
            yield f"{block}.{name}", method


def facts_of(probe: Probe) -> dict[str, Any]:
    """What is measured of one function."""
    known = [name for name in probe.parameters if not name.startswith("_")] != ["args", "kwargs"]
    facts: dict[str, Any] = {"parameters": shown(probe.signature)} if known else {}
    if probe.find_base():
        facts["returns"] = probe.outcome()
        public = [n for n, p in probe.parameters.items() if p.kind != P.VAR_KEYWORD and not n.startswith("_")]
        measured = {name: probe.marks(name) for name in public}
        facts["marks"] = {name: marks for name, marks in measured.items() if marks is not None}
        if variants := probe.variants(facts["returns"]):
            facts["variants"] = variants
    return facts


def main(only: list[str]) -> None:
    """Measure everything, or print what is measured of the functions named."""
    functions = {name: facts_of(Probe(name, method)) for name, method in methods() if not only or name in only}
    for module_name in MODULES:
        for name, function in public_functions(importlib.import_module(module_name)):
            qualified = f"{module_name}.{name}"
            if qualified in SKIPPED or name not in ONLY.get(module_name, (name,)):
                continue
            if not only or qualified in only or module_name in only:
                functions[qualified] = facts_of(Probe(qualified, function))
    rows = ",\n".join(f"{json.dumps(name)}: {json.dumps(facts)}" for name, facts in functions.items())
    text = f'{{"jax": "{jax.__version__}", "functions": {{\n{rows}\n}}}}\n'
    json.loads(text)
    if only:
        print(text)
    else:
        (HERE / f"jax_facts_{jax.__version__}.json").write_text(text)


if __name__ == "__main__":
    main(sys.argv[1:])
