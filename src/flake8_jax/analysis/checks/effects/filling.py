"""What to write instead of a text of tracers, or of a format that does not fit.

The same words, with fields:

jax.debug.print(f"x = {x:.2f}")     use `jax.debug.print("x = {x:.2f}", x=x)`
jax.debug.print("x =", x)           use `jax.debug.print("x = {}", x)`
jax.debug.print("x = %s", x)        use `jax.debug.print("x = {}", x)`
"""

from __future__ import annotations

import ast

from flake8_jax.analysis.checks.effects.fields import Misfit, fields_of
from flake8_jax.analysis.checks.formatting import PERCENT
from flake8_jax.analysis.checks.instead import GIVEN
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.syntax.positions import spelling

LONGEST = 90


def filled(callee: str, source: Op | None) -> str:
    """How to show the values that a text was made of, when they are known."""
    if callee.rpartition(".")[2] == "callback":
        return "pass the values themselves, and make the text in the callback"
    if not callee.endswith("print"):
        return "pass a format, and the values as arguments"
    text = _as_format(source) if source is not None else ""
    written = f"{callee}({text})"
    if text and len(written) <= LONGEST:
        return f"use `{written}`"
    return f'pass the values as arguments: `{callee}("{{}}", ...)`'


def _as_format(source: Op) -> str:
    """The arguments that show what a text shows; "" if its words cannot be had."""
    text = spelling(source)
    try:
        tree = ast.parse(text, mode="eval").body if text else None
    except (SyntaxError, ValueError):
        return ""
    given: list[str] = []
    words = _words(tree, given) if tree is not None else None
    ordered = sorted(dict.fromkeys(given), key=lambda one: "=" in one)
    is_repeated = len(ordered) < len(given) and any("=" not in one for one in given)
    if words is None or is_repeated or any(sign in words for sign in '"\\\n'):
        return ""
    return f'"{words}", {", ".join(ordered)}'


def _words(tree: ast.expr, given: list[str]) -> str | None:
    """The format of a text, to which the values of its fields are `given`; None if that is not evident."""
    match tree:
        case ast.Constant(value=str(words)):
            return words.replace("{", "{{").replace("}", "}}")
        case ast.JoinedStr(values=pieces):
            return _joined([_words(piece, given) for piece in pieces])
        case ast.FormattedValue(value=value):
            end = f"!{chr(tree.conversion)}" if tree.conversion > 0 else ""
            if tree.format_spec is not None:
                end += f":{ast.unparse(tree.format_spec)[2:-1]}"
            name = value.id if isinstance(value, ast.Name) else ""
            given.append(f"{name}={name}" if name else ast.unparse(value))
            return f"{{{name}{end}}}"
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _joined([_words(left, given), _words(right, given)])
        case ast.BinOp(left=ast.Constant(value=str(words)), op=ast.Mod(), right=right):
            given += [ast.unparse(element) for element in (right.elts if isinstance(right, ast.Tuple) else [right])]
            return PERCENT.sub("{}", words) if len(PERCENT.findall(words)) == len(given) else None
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(words)), attr="format")):
            given += [ast.unparse(argument) for argument in tree.args]
            given += [f"{keyword.arg}={ast.unparse(keyword.value)}" for keyword in tree.keywords]
            return words
        case ast.Call(func=ast.Name(id="str" | "repr"), args=[value], keywords=[]):
            given.append(ast.unparse(value))
            return "{}"
    return None


def _joined(pieces: list[str | None]) -> str | None:
    return None if None in pieces else "".join(piece for piece in pieces if piece is not None)


def given_as_value(callee: str, source: Op | None) -> str:
    """How to show a value that stands where the format is due."""
    given = phrase(source, GIVEN) if source is not None else "..."
    return f'use `{callee}("{{}}", {given})`'


def argument_text(op: Op, misfit: Misfit) -> str:
    """The text of the argument or field at issue."""
    argument = misfit.argument
    if misfit.kind == "missing":
        return f"`{{{argument}}}`" if isinstance(argument, str) else f"number {argument + 1}"
    found = _written(op).get(argument)
    if found is not None:
        return f"`{phrase(found, GIVEN)}`"
    return f"`{argument}`" if isinstance(argument, str) else f"argument {argument + 2}"


def refilled(op: Op, callee: str, text: str, misfit: Misfit) -> str:
    """How to make a format fit what it is given."""
    given = _written(op)
    if misfit.kind == "broken":
        return "use doubled braces where they belong to no field"
    if misfit.kind == "specification":
        return "pass a number, such as the mean, or use a field without a specification"
    new = _with_fields(text, given, misfit)
    names = (f"{name}=" if isinstance(name, str) else "" for name in given)
    arguments = ", ".join(f"{name}{phrase(one, GIVEN)}" for name, one in zip(names, given.values(), strict=True))
    written = f'{callee}("{new}", {arguments})'
    if not new or not given or len(written) > LONGEST or any(sign in new for sign in '"\\\n') or "..." in written:
        return "use one field for each value"
    return f"use `{written}`"


def _with_fields(text: str, given: dict[int | str, Op], misfit: Misfit) -> str:
    """The words of a format with one field for each argument; "" if no such text is evident."""
    try:
        fields = fields_of(text)
    except ValueError:
        return ""
    names = [name for name in given if isinstance(name, str)]
    count = len(given) - len(names)
    if fields and misfit.kind == "missing" and len(fields) == len(given):
        if names and not count and all(isinstance(field.argument, int) for field in fields):
            return _renamed(text, names)
        if count and not names and "{{" not in text:
            return _renamed(text, [""] * count)
    if fields or fields is None or misfit.kind != "unused":
        return ""
    if not names and len(PERCENT.findall(text)) == count:
        return PERCENT.sub("{}", text)
    ends = ["{}"] * count + [f"{name}={{{name}}}" for name in names]
    words = text.rstrip()
    return f"{words} {' '.join(ends)}" if words else " ".join(ends)


def _renamed(text: str, names: list[str]) -> str:
    """A format whose simple fields are called otherwise, one after the other."""
    pieces, rest = [], text
    for name in names:
        head, opening, tail = rest.partition("{")
        _, closing, rest = tail.partition("}")
        if not opening or not closing:
            return ""
        pieces.append(f"{head}{{{name}}}")
    return "".join(pieces) + rest


def _written(op: Op) -> dict[int | str, Op]:
    """The arguments that are written in a call after its format, by number and name; none if some are starred."""
    if type(op) is not ops.Call or any(type(argument) is ops.Star for argument in op.args):
        return {}
    is_named = any(name == "fmt" for name, _ in op.keywords)
    found: dict[int | str, Op] = dict(enumerate(op.args if is_named else op.args[1:]))
    options = ("fmt", "ordered", "partitioned", "skip_format_check")
    return found | {name: value for name, value in op.keywords if name is not None and name not in options}
