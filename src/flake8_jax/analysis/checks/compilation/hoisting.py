"""What a loop makes and compiles on each turn, made once before it: where it reads nothing that the loop changes.

for x in xs:                                    doubled = jax.jit(lambda v: v * 2)
    total += jax.jit(lambda v: v * 2)(x)        for x in xs:
                                                    total += doubled(x)
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from flake8_jax.analysis.checks.naming import scope_of
from flake8_jax.analysis.isolation import ADVICE, advising
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.ir.scope import Scope
from flake8_jax.model.diagnostic import Edit, Remedy, Span
from flake8_jax.syntax.layout import LOOPS, Layout, begin
from flake8_jax.syntax.positions import unpacked

COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
NAMES = ("compiled", "jitted", "run_compiled")


@advising(ADVICE, None)
def hoisted(op: Op, words: str) -> Remedy | None:
    """The call that compiles a function, moved in front of the loops around it; None where that is not certain."""
    scope = scope_of(op)
    layout = op.anchor.origin.source.layout
    call = layout.at.get(unpacked(op.place)) if type(op) is ops.Call and op.place and op.anchor.field is None else None
    statement = layout.statement(call) if call is not None else None
    if scope is None or not isinstance(call, ast.Call) or statement is None or "\n" in layout.text(call):
        return None
    frame = layout.frame(call)
    loop = _loop_around(layout, frame, call, scope)
    if loop is None:
        return None
    if isinstance(statement, ast.Assign) and statement.value is call:
        return _moved(layout, frame, statement, loop, words)
    if isinstance(statement, LOOPS) or any(isinstance(one, ast.Lambda) for one in _above(layout, call)):
        return None
    name = layout.free(frame, NAMES, set())
    written = f"{name} = {layout.text(call)}"
    before = layout.inserted(loop, written)
    if before is None or not name:
        return None
    said = f"before line {before.span.line} write `{written}`, and use `{name}` here"
    return Remedy(said, words, (before, layout.replaced(call, name)))


def _above(layout: Layout, call: ast.Call) -> Iterator[ast.AST]:
    for around in layout.way(layout.parents[call]):
        if isinstance(around, ast.stmt):
            return
        yield around


def _loop_around(layout: Layout, frame: ast.AST, call: ast.Call, scope: Scope) -> ast.stmt | None:
    """The outermost loop of a function, if it changes nothing of what a call reads, which is bound before it."""
    loops = layout.loops(call, frame)
    loop = loops[0] if loops else None
    if not isinstance(loop, ast.stmt) or not _is_plain(call, scope):
        return None
    for name in _names_read(layout, call):
        stores = layout.stores.get((frame, name), ())
        if any(loop in layout.way(store) for store in stores):
            return None
        if stores and begin(loop) < min(map(begin, stores)):
            return None
    return loop


def _names_read(layout: Layout, call: ast.Call) -> set[str]:
    """The names of the function around that a call reads."""
    read = (node for node in ast.walk(call) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load))
    return {node.id for node in read if not _is_own(layout, call, node)}


def _is_own(layout: Layout, call: ast.Call, name: ast.Name) -> bool:
    """Is a name bound in a call itself: by a lambda, of which defaults are no part, a comprehension or `:=`?"""
    inner: ast.AST = name
    for around in layout.way(name):
        if isinstance(around, ast.Lambda) and inner is around.body:
            if any(isinstance(node, ast.arg) and node.arg == name.id for node in ast.walk(around.args)):
                return True
        elif isinstance(around, COMPREHENSIONS):
            targets = (node for one in around.generators for node in ast.walk(one.target))
            if any(isinstance(node, ast.Name) and node.id == name.id for node in targets):
                return True
        if around is call:
            break
        inner = around
    named = (node.target for node in ast.walk(call) if isinstance(node, ast.NamedExpr))
    return any(target.id == name.id for target in named)


def _is_plain(call: ast.Call, scope: Scope) -> bool:
    """Does a call read no attribute of an object, which a loop may change unseen?"""
    inside = list(ast.walk(call))
    own = {node.arg for node in inside if isinstance(node, ast.arg)}
    for node in inside:
        root = node.value if isinstance(node, ast.Attribute) else None
        if isinstance(root, ast.Name) and root.id not in own and scope.lookup(root.id).imported is None:
            return False
    return True


def _moved(layout: Layout, frame: ast.AST, statement: ast.Assign, loop: ast.stmt, words: str) -> Remedy | None:
    """A statement that binds a compiled function, moved in front of a loop."""
    target = statement.targets[0]
    block = layout.blocks[statement]
    siblings: list[ast.stmt] = getattr(block.owner, block.name)
    is_alone = len(siblings) < 2 or statement.lineno != statement.end_lineno
    if len(statement.targets) != 1 or not isinstance(target, ast.Name) or is_alone:
        return None
    if len(layout.stores.get((frame, target.id), ())) != 1 or (frame, target.id) in layout.captured:
        return None
    line = layout.lines[statement.lineno - 1]
    text = f"{target.id} = {layout.text(statement.value)}"
    before = layout.inserted(loop, text)
    if before is None or line.strip().partition("  #")[0] != text:
        return None
    removed = Edit(Span(statement.lineno, 0, statement.lineno + 1, 0), "")
    return Remedy(f"move `{text}` before line {before.span.line}", words, (before, removed))
