"""Advice for a jitted function that needs the values of arguments: its decorator or call, with these made static.

@jax.jit                                @partial(jax.jit, static_argnames=("training",))
@partial(jax.jit, donate_argnums=0)     ...(jax.jit, donate_argnums=0, static_argnames=("training",))
@partial(jax.jit, static_argnums=0)     @partial(jax.jit, static_argnums=(0, 2))
step = jax.jit(f)                       step = jax.jit(f, static_argnames=("n",))

step = jax.pmap(f)                      step = jax.pmap(f, static_broadcasted_argnums=(1,))

Where places are given, names beside them hold for what is passed by name alone, so that a place is added.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import lru_cache

from flake8_jax.analysis.checks.instead import library_name
from flake8_jax.analysis.checks.naming import scope_of
from flake8_jax.analysis.isolation import ADVICE, advising
from flake8_jax.domain.provenance import Context
from flake8_jax.ir.ops import Anchor, Const, Op
from flake8_jax.ir.parts import Origin
from flake8_jax.ir.rewrite import ChangedOp, Piece, Quoted, Rewrite, unsafe
from flake8_jax.syntax.layout import Layout
from flake8_jax.syntax.positions import packed, unpacked

STATIC = {"jax.jit": ("static_argnums", "static_argnames"), "jax.pmap": ("static_broadcasted_argnums",)}
"""The options that declare arguments static, by places before those by names."""

NUMERIC = (ast.BinOp, ast.UnaryOp)
ROUNDS = 3
"""Through so many assignments a number is followed."""

DISPLAYS = (ast.Tuple, ast.List)


@advising(ADVICE, None)
def declared_static(op: Op, context: Context) -> Rewrite | None:
    """The changes that declare the traced argument of a decorated function static."""
    trace = context.trace
    if trace is None or context.chain:
        return None
    found = _jitting(op, context)
    is_around = found is not None and isinstance(found[0], ast.FunctionDef) and found[1] in found[0].decorator_list
    return _declared(trace.transform, *found, (trace.value,), op) if found is not None and is_around else None


@advising(ADVICE, ())
def static_names(op: Op, context: Context) -> tuple[str, ...]:
    """The arguments of a jitted function of the file that have to be static where a number is needed, in order.

    Those beside it in a shape are among them.  None, where one is asked for what only arrays have.
    """
    trace, layout = context.trace, op.anchor.origin.source.layout
    node = layout.at.get(unpacked(op.place)) if op.place and op.anchor.field is None else None
    found = _jitting(op, context)
    if trace is None or found is None or node is None or not _is_arithmetic(node):
        return ()
    around = node
    while not context.chain and isinstance(outer := layout.parents.get(around), (*NUMERIC, *DISPLAYS)):
        around = outer
    function, parameters = found[0], _parameters(found[0])
    needed = {trace.value} if context.chain else {number.id for number in _numbers(around)} & set(parameters)
    if trace.value not in needed or not all(_is_plain(layout, function, one) for one in needed):
        return ()
    return tuple(name for name in parameters if name in needed)


@advising(ADVICE, "")
def number_argument(op: Op, context: Context) -> str:
    """The argument of a jitted function of the file of which arithmetic of Python makes a number; "" if none is."""
    trace, layout = context.trace, op.anchor.origin.source.layout
    node = layout.at.get(unpacked(op.place)) if op.place and op.anchor.field is None else None
    found = _jitting(op, context)
    if trace is None or found is None or node is None or not _is_plain(layout, found[0], trace.value):
        return ""
    return trace.value if trace.value in _made_of(layout, node, ROUNDS) else ""


def _made_of(layout: Layout, node: ast.expr, rounds: int) -> frozenset[str]:
    """The arguments of which a number is made, by arithmetic with sizes and other numbers; none if of anything else."""
    match node:
        case ast.BinOp(left=left, right=right):
            return _made_of(layout, left, rounds) | _made_of(layout, right, rounds)
        case ast.UnaryOp(operand=operand):
            return _made_of(layout, operand, rounds)
        case ast.Name(id=name):
            return _held_by(layout, layout.frame(node), name, rounds)
    return frozenset()


def _held_by(layout: Layout, frame: ast.AST, name: str, rounds: int) -> frozenset[str]:
    """The arguments of which the number is made that a name holds, found once."""
    known = layout.memo.get(("made of", frame, name, rounds))
    if isinstance(known, frozenset):
        return known
    stores = layout.stores.get((frame, name), [])
    store = layout.parents.get(stores[0]) if len(stores) == 1 else None
    found = frozenset[str]() if stores else frozenset((name,))
    if rounds and isinstance(store, ast.Assign) and len(store.targets) == 1 and store.targets[0] is stores[0]:
        found = _made_of(layout, store.value, rounds - 1)
    layout.memo["made of", frame, name, rounds] = found
    return found


@advising(ADVICE, None)
def declaring(op: Op, context: Context, names: Sequence[str]) -> Rewrite | None:
    """The changes that declare arguments of the function static, whose trace needs the values of `op`."""
    found, trace = _jitting(op, context), context.trace
    return _declared(trace.transform, *found, names, op) if found is not None and trace is not None else None


@advising(ADVICE, "")
def declaration(op: Op, context: Context, names: Sequence[str]) -> str:
    """The option that declares arguments static, beside those that are declared so already."""
    found, trace = _jitting(op, context), context.trace
    if found is None or trace is None:
        return f"static_argnames={_tuple([f'{chr(34)}{name}{chr(34)}' for name in names])}"
    return "=".join(_option(trace.transform, *found, names))


def _jitting(op: Op, context: Context) -> tuple[ast.FunctionDef, ast.expr] | None:
    """The function of the file that is jitted, and the decorator or call that does it, or `pmap` in its place."""
    trace, origin = context.trace, op.anchor.origin
    if trace is None or not may_declare(context) or trace.path != origin.shown:
        return None
    functions, calls = _definitions(origin.source.tree)
    name = trace.function.rpartition(".")[2]
    found = [
        (function, by)
        for function in functions.get(name, ())
        if trace.value in _parameters(function)
        for by in (*function.decorator_list, *calls.get(name, ()))
        if by.lineno <= trace.line <= (by.end_lineno or 0)
    ]
    return found[0] if len(found) == 1 else None


def may_declare(context: Context) -> bool:
    """Does the transform that traces an argument have an option that declares it static?"""
    trace = context.trace
    return trace is not None and trace.role in ("jitted", "mapped by") and trace.transform in STATIC


@lru_cache(maxsize=1)
def _definitions(tree: ast.Module) -> tuple[dict[str, list[ast.FunctionDef]], dict[str, list[ast.Call]]]:
    """The functions that stand anywhere in a file, and the calls that are given one first, by name; each finding of
    the file asks for one.
    """
    functions: dict[str, list[ast.FunctionDef]] = {}
    calls: dict[str, list[ast.Call]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            functions.setdefault(node.name, []).append(node)
        elif isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Name):
            calls.setdefault(node.args[0].id, []).append(node)
    return functions, calls


def _parameters(function: ast.FunctionDef) -> list[str]:
    return [argument.arg for argument in (*function.args.args, *function.args.kwonlyargs)]


def _is_arithmetic(node: ast.expr) -> bool:
    """Is it made of names and numbers alone?"""
    return all(
        isinstance(one, (ast.Name, *NUMERIC, ast.operator, ast.unaryop, ast.expr_context))
        or (isinstance(one, ast.Constant) and type(one.value) is int)
        for one in ast.walk(node)
    )


def _numbers(node: ast.expr) -> Iterator[ast.Name]:
    """The names in the arithmetic of the elements of a display, or of a number."""
    if isinstance(node, DISPLAYS):
        for element in node.elts:
            yield from _numbers(element)
    elif _is_arithmetic(node):
        yield from (one for one in ast.walk(node) if isinstance(one, ast.Name))


def _is_plain(layout: Layout, function: ast.FunctionDef, name: str) -> bool:
    """Is nothing asked of an argument that no number has?"""
    reads = layout.reads.get((function, name), ())
    around = [layout.parents.get(read) for read in reads]
    return not any(
        isinstance(one, ast.Attribute) or (isinstance(one, ast.Subscript) and one.value is read)
        for one, read in zip(around, reads)
    )


def _declared(transform: str, function: ast.FunctionDef, by: ast.expr, names: Sequence[str], op: Op) -> Rewrite | None:
    """A decorator or call that declares arguments static, in the place of one that does not."""
    scope, (option, value) = scope_of(op), _option(transform, function, by, names)
    pieces: tuple[Piece, ...]
    if isinstance(by, (ast.Name, ast.Attribute)):
        if scope is None:
            return None
        partial = library_name(scope.module, "functools.partial")
        pieces = (partial, "(", Quoted(_placed(by, op)), f", {option}={value})")
        return unsafe(Rewrite((ChangedOp(_placed(by, op), pieces),)))
    if not isinstance(by, ast.Call) or any(keyword.arg is None for keyword in by.keywords):
        return None
    if (not by.args and not by.keywords) or any(isinstance(argument, ast.Starred) for argument in by.args):
        return None
    given: list[tuple[Piece, ...]] = [(_quoted(argument, op),) for argument in by.args]
    given += [(f"{keyword.arg}=", _quoted(keyword.value, op)) for keyword in by.keywords if keyword.arg != option]
    arguments = [piece for one in given for piece in (*one, ", ")]
    pieces = (_quoted(by.func, op), "(", *arguments, f"{option}={value})")
    return unsafe(Rewrite((ChangedOp(_placed(by, op), pieces),)))


def _option(transform: str, function: ast.FunctionDef, by: ast.expr, names: Sequence[str]) -> tuple[str, str]:
    """The option of `jit` or `pmap` that declares arguments of a function static, and its value."""
    given = {one.arg: one.value for one in by.keywords} if isinstance(by, ast.Call) else {}
    options = STATIC[transform]
    known = {option: _constants(given[option]) for option in options if option in given}
    positional = [argument.arg for argument in (*function.args.posonlyargs, *function.args.args)]
    numbers, is_by_place = known.get(options[0], []), options[-1] not in known or len(options) == 1
    if (numbers or len(options) == 1) and is_by_place and {*names} <= {*positional}:
        places = {*numbers, *(repr(positional.index(name)) for name in names)}
        return options[0], _tuple(sorted(places, key=int))
    quoted = [f'"{name}"' for name in names]
    former = [text.replace("'", '"') for text in known.get("static_argnames", ())]
    return "static_argnames", _tuple([*former, *(text for text in quoted if text not in former)])


def _constants(node: ast.expr) -> list[str]:
    """The texts of the constants that an option names; none if there is anything else."""
    parts = node.elts if isinstance(node, DISPLAYS) else [node]
    is_known = all(isinstance(one, ast.Constant) and type(one.value) in (int, str) for one in parts)
    return [repr(one.value) for one in parts if isinstance(one, ast.Constant)] if is_known else []


def _tuple(texts: Sequence[str]) -> str:
    return f"({', '.join(texts)}{',' * (len(texts) == 1)})"


def _quoted(node: ast.expr, op: Op) -> Quoted:
    return Quoted(_placed(node, op))


def _placed(node: ast.expr, op: Op) -> Const:
    """An op that stands where a node of the file does."""
    place = packed(node.lineno, node.col_offset, node.end_lineno or node.lineno, node.end_col_offset or 0)
    return Const(Anchor(node.lineno, _origin(node, op.anchor.origin)), place, None)


def _origin(node: ast.expr, known: Origin) -> Origin:
    """The statement at the top level that a node stands in, one for each: `known`, or another of the same file."""
    if known.line <= node.lineno <= known.end_line:
        return known
    layout = known.source.layout
    top = [one for one in layout.way(node) if isinstance(one, ast.stmt)][-1]
    first = min([top.lineno, *(one.lineno for one in getattr(top, "decorator_list", ()))])
    found = layout.memo.get(("origin", first))
    if not isinstance(found, Origin):
        found = Origin(known.path, known.shown, first, top.end_lineno or first, known.file)
        layout.memo["origin", first] = found
    return found
