"""One abstract value as text: what it is, its shape and dtype, on what it depends whether it is traced.

    array (3, None) float32; traced if `x` or the code around is
    input `state.key`; traced: `step` is jitted on line 4
    unknown: result of a transform
"""

from __future__ import annotations

import os
from typing import Any, cast

from flake8_jax.analysis.callables import Applied, ClassValue, Decorated, FunctionValue, Partial, Wrapped
from flake8_jax.analysis.checks.context import ROLES, place
from flake8_jax.analysis.modules.linking import ImportTarget
from flake8_jax.domain.folding import spelled
from flake8_jax.domain.provenance import Trace
from flake8_jax.domain.staging import Ambient, Dependences, Input, certain, in_order
from flake8_jax.domain.value import OPEN, SLICE, Kind, Value
from flake8_jax.ir.ops import Function
from flake8_jax.ir.phrase import phrase

NOUNS: dict[Kind, str] = {
    Kind.UNKNOWN: "unknown", Kind.INPUT: "input", Kind.COMPUTED: "computed from inputs", Kind.ARRAY: "array",
    Kind.KEY: "random key", Kind.KEYS: "array of random keys", Kind.NUMPY: "NumPy array", Kind.REF: "mutable reference",
    Kind.NUMBER: "number", Kind.STATIC: "host value", Kind.LIST: "list", Kind.TUPLE: "tuple", Kind.DICT: "dict",
    Kind.SET: "set", Kind.FUNCTION: "function", Kind.PARTIAL: "partial", Kind.API: "library name",
    Kind.METHOD: "method", Kind.CLASS: "class", Kind.INSTANCE: "instance of", Kind.OBJECT: "library object",
    Kind.MODULE: "module", Kind.IMPORTED: "import",
}  # fmt: skip
STAGED = frozenset((Kind.ARRAY, Kind.COMPUTED, Kind.KEY, Kind.KEYS, Kind.REF))
"""What may be a tracer; where it depends on nothing, it is none."""

ON_THE_HOST = frozenset((Kind.NUMBER, Kind.NUMPY))
DEEPEST, MOST_PARTS, LONGEST = 3, 6, 40
AROUND = "the code around"


def payload(value: Value) -> tuple[Any, Any]:
    """What a value holds by its kind, and its known parts: all access to either goes through here."""
    return value.data, value.parts


def described(value: Value, home: str = "") -> str:
    """A value in one line: what it is, then its staging, if it can be traced; files other than `home` are named."""
    stands = staging(value, home)
    return f"{noun(value)}; {stands}" if stands else noun(value)


def noun(value: Value) -> str:
    """What a value is: kind, content, shape and dtype."""
    text = _part(value, -1)
    shape = "" if value.shape is None else f" {value.shape}"
    return f"{text}{shape}{' ' + value.dtype if value.dtype else ''}"


def staging(value: Value, home: str = "") -> str:
    """Whether a value is traced, why, or on what that depends; "" where the question has no meaning."""
    if value.dependences:
        source = input_in(value)
        return "" if source is not None and value.dependences == {source} else traced_text(value.dependences, home)
    if value.kind in STAGED:
        return "not traced"
    return "on the host" if value.kind in ON_THE_HOST else ""


def traced_text(dependences: Dependences, home: str = "") -> str:
    """What dependences say: the trace that is certain, or those that would make it so."""
    token = certain(dependences)
    if token is None:
        return f"traced if {' or '.join(sources(dependences))} is"
    if token.stage == "differentiated":
        return f"differentiated, which leaves it concrete: {trace_text(token.trace, home)}"
    return f"{'counter of a traced loop' if token.is_index else 'traced'}: {trace_text(token.trace, home)}"


def sources(dependences: Dependences) -> list[str]:
    """The names of what dependences depend on: inputs by path, then the code around."""
    names = list(dict.fromkeys(f"`{path_of(source)}`" for source in in_order(dependences)))
    return names + [AROUND] * any(type(one) is Ambient for one in dependences)


def trace_text(trace: Trace, home: str = "") -> str:
    """Why a value is a tracer; the file is named where it is another than `home`."""
    function = "the lambda" if "<lambda>" in trace.function else f"`{trace.function}`"
    stands = ROLES.get(trace.role, f"{trace.role} `{trace.transform}`")
    return f"{function} is {stands} {place(trace.path, trace.line, bool(home) and trace.path != home)}"


def path_of(source: Input) -> str:
    """The access path of an input: `state.params[0]`."""
    if source.parent is None:
        return source.name
    sign, step = cast("tuple[str, object]", source.step)
    if sign == ".":
        return f"{path_of(source.parent)}.{step}"
    return f"{path_of(source.parent)}[{':' if step is SLICE else '...' if step is OPEN else spelled(step)}]"


def name_of_function(function: Function) -> str:
    """How texts call a function."""
    if function.kind == "module":
        return "the module"
    if function.kind == "lambda":
        return f"the lambda of line {function.anchor.line}"
    return f"`{function.qualname}`"


def function_in(value: Value) -> FunctionValue | None:
    """The function that a value is, not wrapped in anything."""
    found, _ = payload(value)
    return found if isinstance(found, FunctionValue) else None


def wrapping_of(value: Value) -> Applied | None:
    """The transform that a value wraps a function in."""
    found, _ = payload(value)
    return found.applied if isinstance(found, Wrapped) else None


def followed(value: Value) -> Value:
    """Where an import leads; any other value is itself."""
    target, _ = payload(value)
    return target.value() if isinstance(target, ImportTarget) else value


def input_in(value: Value) -> Input | None:
    """The input that a value is as it was passed."""
    source, _ = payload(value)
    return source if isinstance(source, Input) else None


def _content(value: Value, depth: int) -> str:
    data, parts = payload(value)
    match value.kind:
        case Kind.UNKNOWN:
            return str(data)
        case Kind.INPUT:
            return f"`{path_of(data)}`" if isinstance(data, Input) else ""
        case Kind.NUMBER | Kind.STATIC:
            return "" if data is OPEN else "slice" if data is SLICE else _shortened(spelled(data))
        case Kind.LIST | Kind.TUPLE | Kind.DICT | Kind.SET:
            return _parts(value, data, parts, depth)
        case Kind.METHOD:
            return f"`.{data[1]}` of {noun(data[0])}" if depth < DEEPEST else f"`.{data[1]}`"
        case Kind.MODULE:
            return f"`{_module_name(data)}`"
        case Kind.IMPORTED:
            return f"`{'.'.join(data.rest) or _module_name(data.path)}`"
        case Kind.KEY | Kind.KEYS | Kind.ARRAY | Kind.COMPUTED:
            return "with `.at`" if data == "at" else ""
        case _:
            return _callable(data)


def _parts(value: Value, data: Any, parts: Any, depth: int) -> str:
    label = data if isinstance(data, str) else ""
    if parts is None or depth >= DEEPEST:
        return f"({label})" if label else ""
    if isinstance(parts, dict):
        texts = [f"{spelled(name)}: {_part(part, depth)}" for name, part in list(parts.items())[:MOST_PARTS]]
    else:
        texts = [_part(part, depth) for part in parts[:MOST_PARTS]]
    more = [f"and {len(parts) - MOST_PARTS} more"] if len(parts) > MOST_PARTS else []
    return f"({label}: {', '.join([*texts, *more])})" if label else f"({', '.join([*texts, *more])})"


def _part(part: Value, depth: int) -> str:
    content = _content(part, depth + 1)
    if not content or content.startswith("the lambda"):
        return content or NOUNS[part.kind]
    return f"{NOUNS[part.kind]}{': ' if part.kind is Kind.UNKNOWN else ' '}{content}"


def _callable(data: Any) -> str:
    """The name of what can be called, and of what wraps it."""
    if isinstance(data, FunctionValue):
        name = name_of_function(data.function)
        return name if not data.given else f"{name} as called"
    if isinstance(data, Wrapped):
        return f"{_callable(payload(data.callee)[0])} under `{data.applied.transform.name}`"
    if isinstance(data, Decorated):
        return f"{_callable(payload(data.callee)[0])} under `{data.decorator}`"
    if isinstance(data, Partial):
        count = len(data.arguments.values())
        return f"{_callable(payload(data.callee)[0])} with {count} argument{'s' * (count != 1)}"
    if isinstance(data, ClassValue):
        return f"`{data.name}`"
    return f"`{data}`" if isinstance(data, str) else ""


def _module_name(path: str) -> str:
    """The last name of a module, without the folders of a machine."""
    name, _ = os.path.splitext(os.path.basename(path))
    return os.path.basename(os.path.dirname(path)) if name == "__init__" else name


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


def subject_of(value: Value) -> str:
    """The text of what a fact is about: the input, the expression that made it, or what it is."""
    source = input_in(value) or next(iter(in_order(value.dependences)), None) if value.made_by is None else None
    if source is not None:
        return path_of(source)
    return phrase(value.made_by) if value.made_by is not None else _content(value, 0).strip("`") or noun(value)
