"""What no selection can give: arms of a branch that make arrays of two shapes, sizes, or what is no array.

    if k > 0:               if k > 0:               if k > 0:               if x.sum() > 0:
        x = x[:3]               n = 3                   mode = "train"          return x
                            y = jnp.arange(n)                               return None

`jax.lax.cond` refuses these, and `jnp.where` makes a traced array of what must be known.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from flake8_jax.analysis.checks.advice.arrays import ArrayWriter
from flake8_jax.analysis.checks.advice.bindings import is_read_behind
from flake8_jax.analysis.checks.advice.control_flow import arms_of
from flake8_jax.analysis.checks.advice.kinds import REDUCING, kinds_of, last_name
from flake8_jax.syntax.holders import TextPlace
from flake8_jax.syntax.layout import Layout

RESIZING = frozenset((
    "append", "insert", "delete", "concatenate", "hstack", "vstack", "pad", "tile", "repeat", "compress", "extract",
))  # fmt: skip
"""Functions whose result has other elements than each of their arguments."""

SIZED = frozenset(("range", "zeros", "ones", "full", "empty", "arange", "eye", "reshape", "slice", "tile"))
"""Functions whose arguments say how many elements there are."""

GROWING = ("append", "extend", "insert")
"""The methods that make a list longer."""

BEFORE = "choose by a static argument, or on the host before the call"
MASKED = f"{BEFORE}, or keep one shape and mask what is not used"
NEITHER = "neither `{cond}` nor `{where}`"
RESIZED = f"{MASKED}: {NEITHER} allows another shape of `{{}}`"
RETURNED = f"{MASKED}: {NEITHER} allows another shape on each way"
COUNTING = f"{MASKED}: {NEITHER} helps, as `{{}}` says how many elements there are"
NO_ARRAY = f"{BEFORE}: {NEITHER} allows `{{}}`, which is no array on one way"
CALLED = "use `{cond}` with these functions as its arms, in the place of the call of `{}`"
ENTRY = "set `{}` on both ways, to what `{where}` chooses"
BY_RESULT = f"{BEFORE}, or by its result"
NOTHING = f"{BY_RESULT}: {NEITHER} allows a way that returns no array"
NUMBERS = "return the numbers, and make the text outside of traced code"
INDEX = "return the index, and pick the item outside of traced code"
TEXTS = "return the arrays alone, and make the texts outside of traced code"
TEXTUAL = f"{TEXTS}: {NEITHER} allows a text"
OF_TEXTS = (BY_RESULT, TEXTS, NUMBERS, INDEX)
"""How words begin that are about texts."""

GROWN = "append to `{}` on both ways, and keep a mask of what counts: how long a list is must be known before"
MOST = 2
"""How many entries are named."""


def why_unselectable(writer: ArrayWriter, root: ast.If | ast.IfExp) -> str:
    """What to do where neither `lax.cond` nor `jnp.where` can choose between the arms; "" if that is not known."""
    if isinstance(root, ast.IfExp):
        ways: list[ast.expr | None] = [root.body, root.orelse]
        target = _target_of(writer.layout, root)
        if target and _counts(writer.layout, root, target):
            return COUNTING.replace("{}", target)
        return _of_values(writer, ways)
    statements = [one for body in arms_of(writer.layout, root)[1] for one in body]
    returned = [one.value for arm in statements for one in ast.walk(arm) if isinstance(one, ast.Return)]
    if any(map(is_text, returned)):
        return NOTHING
    if any(isinstance(value, (ast.Tuple, ast.List)) and any(map(is_text, value.elts)) for value in returned):
        return TEXTUAL
    for name, value in _assigned(statements):
        if _resizes(writer, value, name):
            return RESIZED.replace("{}", name)
    kinds = kinds_of(writer.layout, writer.layout.frame(root))
    names = [name for name in dict(_assigned(statements)) if is_read_behind(writer.layout, root, name)]
    for name in names:
        if _is_called(writer.layout, root, name):
            return CALLED.replace("{}", name)
        if not kinds.are_arrays((name,)):
            return NO_ARRAY.replace("{}", name)
        if _counts(writer.layout, root, name):
            return COUNTING.replace("{}", name)
    entries = list(dict.fromkeys(writer.layout.text(one) for one in map(_entry, statements) if one is not None))
    if entries and len(entries) <= MOST and not any(isinstance(one, ast.Return) for one in statements):
        return ENTRY.replace("{}", "` and `".join(entries))
    if grown := next(filter(None, map(_grown, statements)), ""):
        return GROWN.replace("{}", grown)
    return _of_values(writer, _returned(writer.layout, root, statements))


def _assigned(statements: list[ast.stmt]) -> Iterator[tuple[str, ast.expr]]:
    """The names that statements bind, and to what."""
    for statement in statements:
        target = statement.targets[0] if isinstance(statement, ast.Assign) and len(statement.targets) == 1 else None
        value = statement.value if isinstance(statement, ast.Assign) else None
        if isinstance(target, ast.Name) and value is not None:
            yield target.id, value
        elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
            yield from ((one.id, part) for one, part in zip(target.elts, value.elts) if isinstance(one, ast.Name))


def _target_of(layout: Layout, value: ast.expr) -> str:
    around = layout.parents.get(value)
    target = around.targets[0] if isinstance(around, ast.Assign) and len(around.targets) == 1 else None
    return target.id if isinstance(target, ast.Name) else ""


def _entry(statement: ast.stmt) -> ast.Subscript | None:
    """The entry of a dict, by a text, that a statement stores."""
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    found = targets[0] if len(targets) == 1 else None
    if not isinstance(found, ast.Subscript) or not isinstance(found.slice, ast.Constant):
        return None
    return found if isinstance(found.slice.value, str) else None


def _grown(statement: ast.stmt) -> str:
    """The list that a statement makes longer; "" if it does something else."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    return list_grown(call) if isinstance(call, ast.Call) else ""


def list_grown(call: ast.Call) -> str:
    """The list that a call makes longer; "" if it does something else."""
    func = call.func
    is_grown = isinstance(func, ast.Attribute) and func.attr in GROWING and isinstance(func.value, ast.Name)
    return func.value.id if is_grown else ""  # type: ignore[attr-defined]


def _is_called(layout: Layout, root: ast.stmt, name: str) -> bool:
    """Is what a branch binds to a name called behind it?"""
    return _last_uses(layout, root, name)[1] >= _end(root)


def _counts(layout: Layout, root: ast.stmt | ast.expr, name: str) -> bool:
    """Is a name read behind a branch as a bound of a slice, or for how many elements there are?"""
    return _last_uses(layout, root, name)[0] >= _end(root)


def _end(node: ast.stmt | ast.expr) -> TextPlace:
    return node.end_lineno or node.lineno, node.end_col_offset or 0


def _last_uses(layout: Layout, root: ast.stmt | ast.expr, name: str) -> tuple[TextPlace, TextPlace]:
    """Where a function last reads a name for how many elements there are, and where it last calls it; found once."""
    frame = layout.frame(root)
    found = layout.memo.get(("last uses", frame, name))
    if found is None:
        counting = called = (0, 0)
        for read in layout.reads.get((frame, name), ()):
            place, around = (read.lineno, read.col_offset), layout.parents.get(read)
            if isinstance(around, ast.Call) and around.func is read:
                called = max(called, place)
            elif _is_counted(layout, read):
                counting = max(counting, place)
        found = layout.memo["last uses", frame, name] = (counting, called)
    return found  # type: ignore[return-value]


def _is_counted(layout: Layout, read: ast.expr) -> bool:
    """Is it read as a bound of a slice, or for how many elements there are?"""
    around = layout.parents.get(read)
    if isinstance(around, (ast.Tuple, ast.BinOp)) and not isinstance(layout.parents.get(around), ast.BinOp):
        around = layout.parents.get(around)
    is_size = isinstance(around, ast.Call) and last_name(around.func) in SIZED
    return isinstance(around, ast.Slice) or (is_size and around is not None and not _is_filling(around, read))


def _is_filling(around: ast.AST, read: ast.expr) -> bool:
    """Is it what an array is filled with: the second argument of `full`?"""
    return isinstance(around, ast.Call) and last_name(around.func) == "full" and around.args[:1] != [read]


def _returned(layout: Layout, root: ast.If, statements: list[ast.stmt]) -> list[ast.expr | None]:
    """What a branch returns on its ways, and what the statement behind it does."""
    found = [one.value for one in statements if isinstance(one, ast.Return)]
    block = layout.blocks[root]
    siblings: list[ast.stmt] = getattr(block.owner, block.name)
    place = next(number for number, one in enumerate(siblings) if one is root)
    behind = siblings[place + 1] if place + 1 < len(siblings) else None
    if found and not root.orelse and isinstance(behind, ast.Return):
        found.append(behind.value)
    return found


def _of_values(writer: ArrayWriter, ways: list[ast.expr | None]) -> str:
    """What to do about values of which no selection can be one."""
    if len(ways) < 2:
        return ""
    nothing = [one is None or (isinstance(one, ast.Constant) and one.value is None) for one in ways]
    made = [_class_made(one) for one in ways]
    if any(map(is_text, ways)) or (any(nothing) and not all(nothing)) or (any(made) and len({*made}) > 1):
        return NOTHING
    for one in ways:
        for other in ways:
            if isinstance(one, ast.Name) and other is not None and _resizes(writer, other, one.id):
                return RETURNED
    return ""


def _class_made(value: ast.expr | None) -> str:
    """The class of which an object is made of nothing, as classes are called; "" if it is something else."""
    is_empty = isinstance(value, ast.Call) and not (value.args or value.keywords)
    name = last_name(value.func) if isinstance(value, ast.Call) and is_empty else ""
    return name if name[:1].isupper() and name != name.upper() else ""


def is_text(value: ast.AST | None) -> bool:
    """Is it a text, or made of one: `f"{x}"`, `"{}".format(x)`, `", ".join(xs)`, `"%s" % x`, `str(x)`?"""
    match value:
        case ast.Call(func=ast.Attribute(value=made, attr="format" | "join")):
            return _is_written(made)
        case ast.BinOp(left=left, op=ast.Mod() | ast.Add(), right=right):
            return _is_written(left) or (isinstance(value.op, ast.Add) and _is_written(right))
        case ast.Call(func=ast.Name(id="str" | "repr")):
            return True
    return _is_written(value)


def _is_written(value: ast.AST | None) -> bool:
    return isinstance(value, ast.JoinedStr) or (isinstance(value, ast.Constant) and isinstance(value.value, str))


def _resizes(writer: ArrayWriter, value: ast.expr, name: str) -> bool:
    """Is it an array with more or fewer elements, or axes, than what a name holds, which it is made of?"""
    if isinstance(value, ast.Subscript):
        return isinstance(value.value, ast.Name) and value.value.id == name and _cuts(value.slice)
    if isinstance(value, ast.Call) and last_name(value.func) in REDUCING:
        return False
    calls = (node for node in ast.walk(value) if isinstance(node, ast.Call))
    return any(
        last_name(call.func) in RESIZING and writer.is_of_jax(call.func) and _holds(call, name) for call in calls
    )  # fmt: skip


def _cuts(index: ast.expr) -> bool:
    """Does an index leave out elements, or change the number of axes?"""
    if isinstance(index, ast.Tuple):
        return any(map(_cuts, index.elts))
    if isinstance(index, ast.Slice):
        return index.lower is not None or index.upper is not None
    return isinstance(index, ast.Constant) and index.value is not ...


def _holds(call: ast.Call, name: str) -> bool:
    """Is a name an argument, or a part of a display that is one?"""
    parts = [part for one in call.args for part in (one.elts if isinstance(one, (ast.List, ast.Tuple)) else [one])]
    return any(isinstance(part, ast.Name) and part.id == name for part in parts)
