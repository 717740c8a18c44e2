"""What a library says of names and parameters that it has deprecated or removed, found in its text."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

SPEAKS_OF_IT = re.compile(r"deprecat|removed|renamed|no longer", re.IGNORECASE)
CATEGORIES = ("DeprecationWarning", "FutureWarning", "PendingDeprecationWarning")
REPLACED = re.compile(
    r"(?:\b(?:[Uu]sed?|[Pp]refer|import|to|by|of|with|switch to|is|see|via|or|the)\b:?)\s+(?:the\s+|instead\s+)?`{0,2}"
    r"((?:jax|jnp|lax|nn|flax|nnx|optax|equinox|eqx|haiku|hk|numpyro|orbax|chex)(?:\.\w+)+)"
)
ADVICE = re.compile(r"(?:Please|Used?|Consider|Instead|See|You can|Pass|Switch) ?")
SHORT = {
    "jnp": "jax.numpy", "lax": "jax.lax", "nnx": "flax.nnx", "nn": "flax.linen", "eqx": "equinox", "hk": "haiku",
}  # fmt: skip


class Explained(NamedTuple):
    """A name that a module keeps behind its `__getattr__`: what it says, whether nothing is left of it, else what."""

    says: str
    is_gone: bool
    target: str = ""


class Warned(NamedTuple):
    """What calling a function says; of a parameter, where one is named."""

    parameter: str
    says: str


def text_of(node: ast.expr, constants: Mapping[str, str] | None = None) -> str:
    """The text that an expression gives, as far as it stands there; "" if it is none."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(text_of(part, constants) for part in parts)
        case ast.FormattedValue(value=value):
            return text_of(value, constants) or "..."
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return text_of(left, constants) + text_of(right, constants)
        case ast.BinOp(left=left, op=ast.Mod()):
            return text_of(left, constants)
        case ast.Name(id=name):
            return (constants or {}).get(name, "")
        case ast.Call(func=ast.Attribute(value=value, attr="format" | "strip" | "lstrip")):
            return text_of(value, constants)
        case ast.Call(args=[first, *_]):
            return text_of(first, constants)
    return ""


def said(text: str) -> str:
    """A message in one line: its first sentence, and others as long as they say what to do instead."""
    sentences = re.split(r"(?<=[\w)`'\"]\.)\s+(?=[A-Z`])", " ".join(text.split()))
    kept = sentences[:1]
    for sentence in sentences[1:3]:
        if REPLACED.search(sentence) or ADVICE.match(sentence):
            kept.append(sentence)
    return " ".join(kept)[:300]


def replacements(text: str) -> list[str]:
    """The names that a message says to use, in full, in order."""
    found = [name.rstrip(".") for name in REPLACED.findall(text)]
    return [re.sub(r"^\w+", lambda root: SHORT.get(root[0], root[0]), name) for name in found]


def deprecations_of(node: ast.expr, constants: Mapping[str, str]) -> dict[str, Explained]:
    """The names of a table of deprecations, each with its message, and whether nothing is left of it."""
    found: dict[str, Explained] = {}
    for one in ast.walk(node):
        match one:
            case ast.Dict(keys=keys, values=values):
                for key, value in zip(keys, values, strict=True):
                    match key, value:
                        case ast.Constant(value=str(name)), ast.Tuple(elts=[message, what]):
                            found[name] = _explained(message, what, constants)
            case ast.DictComp(value=ast.Tuple(elts=[message, what]), generators=[clause]):
                for each in ast.walk(clause.iter):
                    if isinstance(each, ast.Constant) and isinstance(each.value, str):
                        found[each.value] = _explained(message, what, constants)
    return found


def _explained(message: ast.expr, what: ast.expr, constants: Mapping[str, str]) -> Explained:
    is_gone = isinstance(what, ast.Constant) and what.value is None
    target = ast.unparse(what) if isinstance(what, (ast.Name, ast.Attribute)) else ""
    return Explained(said(text_of(message, constants)), is_gone, target)


def explained(function: ast.FunctionDef | ast.AsyncFunctionDef, constants: Mapping[str, str]) -> dict[str, Explained]:
    """The names of which a module's `__getattr__` warns or raises, each below its own test."""
    found: dict[str, Explained] = {}
    for test in (node for node in ast.walk(function) if isinstance(node, ast.If)):
        names = list(_texts(test.test))
        for call in (node for statement in test.body for node in ast.walk(statement) if isinstance(node, ast.Call)):
            message = text_of(call.args[0], constants) if call.args else ""
            if SPEAKS_OF_IT.search(message):
                is_gone = any(isinstance(statement, ast.Raise) for statement in test.body)
                found |= {name: Explained(said(message), is_gone) for name in names if name.isidentifier()}
    return found


def _texts(node: ast.expr) -> Iterator[str]:
    for one in ast.walk(node):
        if isinstance(one, ast.Constant) and isinstance(one.value, str):
            yield one.value


def warned(function: ast.FunctionDef | ast.AsyncFunctionDef) -> tuple[Warned, ...]:
    """What each call of a function says, and what is said of a parameter where it is given."""
    return tuple(dict.fromkeys(_warned(function)))


def _warned(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[Warned]:
    for decorator in function.decorator_list:
        name = ast.unparse(decorator.func if isinstance(decorator, ast.Call) else decorator)
        if "deprecat" in name.lower() and isinstance(decorator, ast.Call):
            yield Warned("", said(" ".join(_texts(decorator))))
    arguments = function.args
    names = {argument.arg for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    for statement in function.body:
        if isinstance(statement, (ast.Return, ast.Raise)):
            return
        if isinstance(statement, ast.Expr) and (text := _warning(statement.value)):
            yield Warned("", text)
        if isinstance(statement, ast.If) and (parameter := _given(statement.test, names)):
            for inner in statement.body:
                if isinstance(inner, ast.Expr) and (text := _warning(inner.value)):
                    yield Warned(parameter, text)


def _warning(node: ast.expr) -> str:
    """The message of a call that warns of something deprecated."""
    if not isinstance(node, ast.Call) or not ast.unparse(node.func).endswith(("warn", "deprecated")):
        return ""
    text = ast.unparse(node)
    is_of_kind = "deprecations" in ast.unparse(node.func) or any(category in text for category in CATEGORIES)
    texts = [text_of(argument) for argument in node.args]
    text = max(texts, key=len, default="")
    return said(text) if is_of_kind and SPEAKS_OF_IT.search(text) else ""


def _given(test: ast.expr, names: set[str]) -> str:
    """The one parameter of which a test asks whether it is given."""
    match test:
        case ast.Compare(left=ast.Name(id=name), ops=[ast.IsNot() | ast.NotEq()]) if name in names:
            return name
        case ast.Name(id=name) if name in names:
            return name
    return ""
