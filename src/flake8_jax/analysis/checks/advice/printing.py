"""The call of `jax.debug.print` that writes what a `print` was to write: its format string, and the values in it.

print("loss", x)            jax.debug.print("loss {}", x)
print(f"loss {x:.3f}")      jax.debug.print("loss {:.3f}", x)
print("loss %s" % x)        jax.debug.print("loss {}", x)
"""

from __future__ import annotations

import ast

from flake8_jax.analysis.checks.instead import library_name, values_shown
from flake8_jax.analysis.checks.naming import scope_of
from flake8_jax.analysis.isolation import ADVICE, advising
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.ir.rewrite import ChangedOp, Quoted, Rewrite, unsafe
from flake8_jax.lazy_patterns import compiled
from flake8_jax.syntax.positions import spelling, unpacked

FIELD = compiled(r"%[sd]|%%|%|\{\}|\{\{|\}\}|[{}]")
"""The fields of `%` and `format` that can be written otherwise, and what else may be one."""

NO_MATTER = frozenset(("flush",))
"""The options of `print` that `jax.debug.print` goes without: it writes at once."""

FormatParts = tuple[str, tuple[Op, ...]]


@advising(ADVICE, None)
def printing_at_run_time(op: Op, channel: str, source: Op | None = None) -> Rewrite | None:
    """The changes of a `print` that make the compiled code print; None for what else is written to.

    `source` is what shows the tracer: a text that was made before would be written as it is.
    """
    if type(op) is not ops.Call or channel != "print" or not op.args:
        return None
    options = {name: value for name, value in op.keywords if name not in NO_MATTER}
    between = options.pop("sep", None)
    separator = between.value if type(between) is ops.Const else " " if between is None else None
    if options or not isinstance(separator, str):
        return None
    if source is not None and source not in op.args:
        return None
    found = [_shown(argument) for argument in op.args]
    known = [one for one in found if one is not None]
    if len(known) != len(found):
        return None
    text = _literal(_escaped(separator).join(template for template, _ in known))
    values = [piece for _, given in known for value in given for piece in (", ", Quoted(value))]
    name = library_name(scope_of(op.func), "jax.debug.print")
    return unsafe(Rewrite((ChangedOp(op, (name, "(", text, *values, ")")),)))


def _shown(argument: Op) -> FormatParts | None:
    """The part of a format string for one argument, and the values in it; None where that is not plain."""
    match argument:
        case ops.Const(value=value):
            return _escaped(str(value)), ()
        case ops.Build(kind="text", parts=parts):
            return _of_fields(argument, parts)
        case ops.Operate(operator="%", operands=(ops.Const(value=str(text)), ops.Build(kind="tuple", parts=parts))):
            return _filled(text, "%", parts)
        case ops.Operate(operator="%", operands=(ops.Const(value=str(text)), part)):
            return _filled(text, "%", (part,))
        case ops.Call(func=ops.Attr(base=ops.Const(value=str(text)), name="format"), args=parts, keywords=()):
            return _filled(text, "{", parts)
        case ops.Call(func=ops.Name(name="str" | "repr"), args=(part,), keywords=()) if not is_text(part):
            return "{}", (part,)
    return None if is_text(argument) else ("{}", (argument,))


def is_made_before(source: Op | None) -> bool:
    """Is a text shown that was made before, by the trace?"""
    return source is not None and any(map(is_text, values_shown(source)))


def is_text(op: Op) -> bool:
    """May it be a text, of which the trace would make the text of a tracer?"""
    match op:
        case ops.Const(value=value):
            return isinstance(value, str)
        case ops.Name(name=name, place=place):
            return op.anchor.origin.source.holders.is_text(unpacked(place)[:2], name)
        case ops.Star() | ops.Build(kind="text" | "format"):
            return True
        case ops.Operate(operands=parts) | ops.Logic(operands=parts) | ops.Build(parts=parts):
            return any(map(is_text, parts))
        case ops.Choose(body=body, orelse=orelse):
            return is_text(body) or is_text(orelse)
        case ops.Call(func=ops.Name(name=name)):
            return name in ("str", "repr", "format")
        case ops.Call(func=ops.Attr(base=base)):
            return is_text(base)
    return False


def _of_fields(string: Op, parts: tuple[Op, ...]) -> FormatParts | None:
    """The format string that an f-string is, and the values of its fields."""
    try:
        tree = ast.parse(spelling(string) or "", mode="eval").body
    except (SyntaxError, ValueError):
        return None
    pieces = tree.values if isinstance(tree, ast.JoinedStr) else []
    template, count = "", 0
    for piece in pieces:
        if isinstance(piece, ast.Constant):
            template += _escaped(str(piece.value))
        elif isinstance(piece, ast.FormattedValue):
            field = _field(piece, template.endswith("="))
            if field is None:
                return None
            template, count = template + field, count + 1
    values = tuple(part.parts[0] if type(part) is ops.Build and part.kind == "format" else part for part in parts)
    is_plain = count == len(values) and not any(map(is_text, values))
    return (template, values) if is_plain and pieces else None


def _field(piece: ast.FormattedValue, names_itself: bool) -> str | None:
    conversion = "" if piece.conversion == -1 or names_itself else f"!{chr(piece.conversion)}"
    if piece.format_spec is None:
        return f"{{{conversion}}}"
    spec = piece.format_spec.values if isinstance(piece.format_spec, ast.JoinedStr) else []
    if len(spec) != 1 or not isinstance(spec[0], ast.Constant):
        return None
    return f"{{{conversion}:{spec[0].value!s}}}"


def _filled(text: str, sign: str, parts: tuple[Op, ...]) -> FormatParts | None:
    """A text whose fields are all plain, in the form of `format`."""
    template, count, end = "", 0, 0
    for field in FIELD.finditer(text):
        template, end = template + text[end : field.start()], field.end()
        if field[0] in ("{", "}") and sign == "{":
            return None
        if field[0] == "%" and sign == "%":
            return None
        if (field[0] in ("%s", "%d") and sign == "%") or (field[0] == "{}" and sign == "{"):
            template, count = template + "{}", count + 1
        elif sign == "%":
            template += "%" if field[0] == "%%" else _escaped(field[0])
        else:
            template += field[0]
    is_plain = count == len(parts) and not any(map(is_text, parts))
    return (template + text[end:], parts) if is_plain else None


def _escaped(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def _literal(text: str) -> str:
    """A literal in double quotes, where it can be one."""
    spelled = repr(text)
    return f'"{spelled[1:-1]}"' if spelled[0] == "'" and '"' not in text and "\\'" not in spelled else spelled
