"""Small programs, made from what a row says, in which the linter speaks because of that row."""

from __future__ import annotations

from collections.abc import Iterator

from flake8_jax.analysis.interpretation import Findings, interpret
from flake8_jax.analysis.modules.linking import LinkedProject
from flake8_jax.api.rows import ApiFunction
from flake8_jax.api.table import Table
from flake8_jax.api.transforms import CallShape, Transform
from flake8_jax.syntax.source import SourceFile

ARRAY = "jnp.ones(3)"


def interpreted(source: SourceFile, table: Table) -> Findings:
    """What is found in a file that stands for itself."""
    return interpret(LinkedProject(None, table).judged(source, source.path))


def events_of(text: str, table: Table, kind: type) -> int:
    """How many events of one class a program has."""
    events = interpreted(SourceFile("probe.py", text), table).events
    return sum(type(event) is kind for event in events)


def lines_of(text: str, table: Table, kind: type) -> set[int]:
    """The lines of a program's events of one class."""
    events = interpreted(SourceFile("probe.py", text), table).events
    return {event.op.anchor.line for event in events if type(event) is kind}


def reuses(text: str, table: Table) -> int:
    """How many keys are used up a second time in a program."""
    events = interpreted(SourceFile("probe.py", text), table).events
    return sum(type(event).__name__ == "KeyConsumed" for event in events)


def with_sequences(function: ApiFunction) -> Iterator[tuple[str, str]]:
    """For each parameter, a call on one line that hands it a list, and None to those before it."""
    before: list[str] = []
    for parameter in function.parameters:
        if parameter.kind != "varkw":
            argument = f"{parameter.name}=[1.0, 2.0]" if parameter.kind == "keyword" else "[1.0, 2.0]"
            yield parameter.name, f"{function.name}({', '.join([*before, argument])})\n"
        if parameter.kind in ("positional", "normal"):
            before.append("None")


def with_one_key(function: ApiFunction) -> str:
    """Two different calls with one key."""
    (key,) = [parameter.name for parameter in function.parameters if parameter.key == "sink"]
    calls = f"x = {function.name}({key}=key)\ny = {function.name}({key}=key), 1\n"
    return f"import jax\nkey = jax.random.key(0)\n{calls}"


def with_a_branch(transform: Transform) -> str:
    """A function that branches on an array, under the transform: one that it makes itself, or its first argument."""
    call = transform.runs[0] if transform.runs else CallShape(transform.wraps, ())
    is_given_nothing = call.function == "decorated" or (bool(transform.runs) and not call.arguments)
    count = 0 if is_given_nothing else max(1, sum(argument.word != "rest" for argument in call.arguments))
    names = [f"a{place}" for place in range(max(count, len(call.arguments)))]
    condition = f"{names[0]} > 0" if transform.stage == "mapped" else "jnp.ones(()) > 0"
    parameters = ", ".join([*(f"{name}: jax.Array" for name in names), "*rest"])
    body = f"def body({parameters}):\n    if {condition}:\n        pass\n    return {names[0] if names else 0}\n"
    head = f"import jax\nimport jax.numpy as jnp\nimport {transform.name.rpartition('.')[0]}\n"
    if call.function == "decorated":
        return f"{head}@{transform.name}({ARRAY})\n{body}"
    return f"{head}{body}result = {transform.name}({_arguments(transform)})\n"


def _arguments(transform: Transform) -> str:
    functions = {call.function: call.each for call in transform.runs} or {transform.wraps: False}
    varargs = any(parameter.kind == "varargs" for parameter in transform.parameters)
    parts: list[str] = []
    for parameter in transform.parameters:
        is_function = parameter.name in functions
        value = ("[body]" if functions[parameter.name] else "body") if is_function else ARRAY
        if parameter.kind == "varargs":
            parts.append(ARRAY)
            varargs = False
        elif parameter.kind == "positional" or (parameter.kind == "normal" and varargs):
            parts.append(value)
        elif parameter.kind != "varkw" and parameter.name != transform.unless and (is_function or transform.runs):
            parts.append(f"{parameter.name}={value}")
    return ", ".join(parts)
