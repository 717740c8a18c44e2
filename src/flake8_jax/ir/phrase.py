"""Short one-line renderings of expressions in the user's spelling, for messages.

Names, attributes, indices and operators are spelled out, with the parentheses that they need; long arguments of a call
and what a function does are left out: `jnp.sum(x)`, `f(...)`, `x[i + 1]`, `[f(...) for x in xs]`, `lambda ...`.
"""

from __future__ import annotations

import io
import tokenize

from flake8_jax.ir.ops import (
    Attr,
    Build,
    BuildDict,
    Call,
    Choose,
    Closure,
    Compare,
    Const,
    Gather,
    Item,
    Logic,
    MakeClass,
    Name,
    Op,
    Operate,
    Star,
    Store,
    Suspend,
    Unpack,
)
from flake8_jax.syntax.positions import packed, spelling, text_at, unpacked

BINDING = {
    ":=": 0, "lambda": 1, "if": 1, "or": 2, "and": 3, "not": 4, "compare": 5, "|": 6, "^": 7, "&": 8, "<<": 9,
    ">>": 9, "+": 10, "-": 10, "*": 11, "/": 11, "//": 11, "%": 11, "@": 11, "unary": 12, "**": 13, "await": 14,
}  # fmt: skip
"""How strongly an operator binds."""

ATOM = 15
DEEPEST = 100
SHORT = 20
LONG = 10_000
BRACKETS = {"list": ("[", "]"), "set": ("{", "}"), "generator": ("(", ")"), "dict": ("{", "}"), "tuple": ("(", ")")}


def phrase(op: Op, limit: int = 40) -> str:
    """The text of an expression, truncated to `limit` characters with a final `...`.

    >>> phrase(op)  # of `(a + b) * jnp.sum(x, axis=0)[..., 1:]`
    '(a + b) * jnp.sum(...)[..., 1:]'
    """
    return _shortened(_text(op, 0, 0), limit)


def index_phrase(op: Op, limit: int = 40) -> str:
    """The text of an index, without the brackets."""
    return _shortened(_index(op, 0), limit)


def _shortened(text: str, limit: int) -> str:
    text = " ".join(text.split())
    if len(text) <= limit:
        return text
    kept = text[: max(limit - 3, 0)].rstrip()
    opened = _opened(kept)
    return f"{kept[:opened]}(...)" if opened > limit // 2 and kept[opened] == "(" else f"{kept}..."


def _opened(text: str) -> int:
    """The place of the outermost bracket that is not closed in a text; -1 without one, and in quotes."""
    places: list[int] = []
    for place, sign in enumerate(text):
        if sign in "([{":
            places.append(place)
        elif sign in ")]}" and places:
            places.pop()
        elif sign in "\"'":
            return -1
    return places[0] if places else -1


def _text(op: Op, binding: int, depth: int) -> str:
    """The text of an op, in parentheses if it binds less strongly than what stands around it."""
    if depth > DEEPEST:
        return "..."
    text, own = _spelled(op, depth + 1)
    return f"({text})" if own < binding else text


def _spelled(op: Op, depth: int) -> tuple[str, int]:
    match op:
        case Name():
            return op.name, ATOM
        case Const():
            return _constant(op), ATOM
        case Attr():
            base = _text(op.base, ATOM, depth)
            return f"({base}).{op.name}" if base.isdigit() else f"{base}.{op.name}", ATOM
        case Item():
            return f"{_text(op.base, ATOM, depth)}[{_index(op.index, depth)}]", ATOM
        case Call():
            return f"{_text(op.func, ATOM, depth)}({_arguments(op, depth)})", ATOM
        case Operate() | Compare() | Logic():
            return _operation(op, depth)
        case _:
            return _other(op, depth)


def _arguments(op: Call, depth: int) -> str:
    """What a call is given, if that is short and simple."""
    if op.keywords or not all(type(argument) in (Name, Const, Attr) for argument in op.args):
        return "..." if op.args or op.keywords else ""
    text = ", ".join(_text(argument, 0, depth) for argument in op.args)
    return text if len(text) <= SHORT else "..."


def _constant(op: Const) -> str:
    if op.value is ...:
        return "..."
    text = spelling(op)
    if text is not None and (not isinstance(op.value, (str, bytes)) or is_single(text)):
        return text
    is_long = type(op.value) is int and op.value.bit_length() > LONG  # Python refuses to write it
    return "..." if is_long else repr(op.value)


def is_single(text: str) -> bool:
    """Is a text exactly one string literal?"""
    quote = text[-1]
    start = text.find(quote)
    if text.count(quote) == 2 and start < 3 and "'" not in text[:start] and '"' not in text[:start]:
        return True
    if text.count(quote * 3) == 2 and text[start : start + 3] == quote * 3 and start < 3 and len(text) > start + 5:
        return True
    tokens = tokenize.generate_tokens(io.StringIO(f"({text})").readline)
    return sum(token.type == tokenize.STRING for token in tokens) == 1


def _index(op: Op, depth: int) -> str:
    if type(op) is not Build:
        return _text(op, 0, depth)
    if op.kind == "tuple" and op.parts and not is_enclosed(op):
        comma = "," if len(op.parts) == 1 and type(op.parts[0]) is not Star else ""
        return ", ".join(_index(part, depth) for part in op.parts) + comma
    if op.kind == "slice":
        start, stop, step = ("" if not part.place else _text(part, 1, depth) for part in op.parts)
        return f"{start}:{stop}:{step}" if step else f"{start}:{stop}"
    return _text(op, 0, depth)


def is_enclosed(op: Build) -> bool:
    """Do the outer parentheses enclose the whole tuple, not only its first element?

    True for `(a, b)`, false for `(a), b`.
    """
    if not op.parts or op.anchor.field is not None:
        return not op.parts
    source = op.anchor.origin.file
    line, column, end_line, end_column = unpacked(op.place)
    first = unpacked(op.parts[0].place)
    if first[:2] == (line, column):
        return False
    end = (end_line, end_column) if len(op.parts) == 1 else unpacked(op.parts[1].place)[:2]
    between = ((line, column, *first[:2]), (*first[2:], *end))
    before, after = (_without_comments(text_at(packed(*place), source)) for place in between)
    return before.count("(") > after.partition(",")[0].count(")")


def _without_comments(text: str) -> str:
    return "".join([line.partition("#")[0] for line in text.split("\n")])


def _operation(op: Operate | Compare | Logic, depth: int) -> tuple[str, int]:
    if isinstance(op, Compare):
        own = BINDING["compare"]
        texts = [_text(operand, own + 1, depth) for operand in op.operands]
        return texts[0] + "".join(f" {sign} {text}" for sign, text in zip(op.operators, texts[1:])), own
    if isinstance(op, Logic):
        own = BINDING[op.operator]
        return f" {op.operator} ".join(_text(operand, own + 1, depth) for operand in op.operands), own
    if len(op.operands) == 1:
        own = BINDING["not" if op.operator == "not" else "unary"]
        space = " " if op.operator == "not" else ""
        return f"{op.operator}{space}{_text(op.operands[0], own, depth)}", own
    if op.in_place:
        return f"{_text(op.operands[0], ATOM, depth)} {op.operator}= {_text(op.operands[1], 0, depth)}", 0
    own = BINDING[op.operator]
    right_first = op.operator == "**"
    left = _text(op.operands[0], own + right_first, depth)
    right = _text(op.operands[1], BINDING["unary"] if right_first else own + 1, depth)
    return f"{left} {op.operator} {right}", own


def _other(op: Op, depth: int) -> tuple[str, int]:
    match op:
        case Build(kind="text"):
            return 'f"..."', ATOM
        case Build(kind="format", parts=(formatted,)):
            return _text(formatted, 0, depth), ATOM
        case Build(kind="slice"):
            return f"slice({', '.join(_text(part, 0, depth) for part in op.parts)})", ATOM
        case Build() | Unpack():
            return _display(op, depth), ATOM
        case BuildDict():
            return "{...}" if op.items else "{}", ATOM
        case Star():
            return f"*{_text(op.value, BINDING['|'], depth)}", 0
        case Choose():
            own = BINDING["if"]
            parts = [_text(part, own + 1, depth) for part in (op.body, op.test)]
            return f"{parts[0]} if {parts[1]} else {_text(op.orelse, own, depth)}", own
        case Closure():
            return ("lambda ...", BINDING["lambda"]) if op.function.kind == "lambda" else (op.function.name, ATOM)
        case Gather():
            return _gather(op, depth), ATOM
        case Suspend():
            value = f" {_text(op.value, BINDING['await'] if op.kind == 'await' else 1, depth)}" if op.value else ""
            return f"{op.kind}{value}", BINDING["await"] if op.kind == "await" else 0
        case Store() if op.value is not None:
            sign = ":=" if op.kind == "walrus" else "="
            return f"{' = '.join(_text(part, 0, depth) for part in op.targets)} {sign} {_text(op.value, 1, depth)}", 0
        case MakeClass():
            return op.body.name, ATOM
        case _:
            return "...", ATOM


def _display(op: Build | Unpack, depth: int) -> str:
    kind = op.kind if isinstance(op, Build) else "tuple"
    comma = "," if kind == "tuple" and len(op.parts) == 1 else ""
    left, right = BRACKETS[kind]
    return f"{left}{', '.join(_text(part, 0, depth) for part in op.parts)}{comma}{right}"


def _gather(op: Gather, depth: int) -> str:
    element = ": ".join(_text(part, 1, depth) for part in op.element)
    clause = op.clauses[0]
    more = " ..." if len(op.clauses) > 1 or clause.tests else ""
    target = ", ".join(_text(part, 0, depth) for part in getattr(clause.target, "parts", (clause.target,)))
    text = f"{element} for {target} in {_text(clause.source, 2, depth)}{more}"
    left, right = BRACKETS[op.kind]
    return f"{left}{text}{right}"
