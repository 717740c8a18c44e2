"""Branches on arrays as selections: `if` and conditional expressions in the place of which `jnp.where` can stand.

    if x > 0:               return jnp.where(x > 0, x, -x)
        return x
    return -x
    if x > 0:               y = jnp.where(x > 0, x, y)
        y = x

What else stands in a branch (calls of functions that may do more, `raise`, `break`) is no value, and stays as it is.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TypeAlias

from flake8_jax.analysis.checks.advice import control_flow, returns
from flake8_jax.analysis.checks.advice.arrays import ArrayWriter
from flake8_jax.analysis.checks.advice.bindings import is_read_behind
from flake8_jax.analysis.checks.advice.kinds import kinds_of
from flake8_jax.analysis.checks.advice.unselectable import BEFORE, NO_ARRAY, list_grown, why_unselectable
from flake8_jax.model.diagnostic import Edit, Remedy, Span
from flake8_jax.syntax.layout import FUNCTIONS, LOOPS, Layout, begin

Bound: TypeAlias = "dict[str, ast.expr | str]"
"""What statements bind to names: expressions of the file, or new code."""

LONGEST = 110
VALUED = (ast.Assign, ast.AugAssign, ast.Return)
CHOOSING = BEFORE
"""How words begin that say that no selection can be made."""

EARLIER = ", or test before tracing"
"""What else is said of a test that raises, where what it tests is handed in."""

LAYERS = "compute both ways, and choose with `{where}`: parameters that layers make in `{cond}` cannot leave it"

MOST = 2
"""How many names a branch may bind."""

MOST_CHOSEN = 4
"""How many names are told that a branch binds."""

MOST_READS = 8
"""Of so many reads of a name it is asked what they are for."""


def of_test(writer: ArrayWriter, node: ast.expr) -> Remedy | None:
    """What to write in the place of the construct that asks an expression for its truth."""
    layout = writer.layout
    inner: ast.AST = node
    outermost = node
    for around in layout.way(node):
        if around is inner:
            continue
        if isinstance(around, ast.BoolOp | ast.Compare) or _is_truth(around):
            inner, outermost = around, around  # type: ignore[assignment]
            continue
        if isinstance(around, ast.IfExp) and around.test is inner:
            text = writer.selected(around.test, around.body, around.orelse)
            return _written(writer, around, text) if not why_unselectable(writer, around) else None
        if isinstance(around, ast.If) and around.test is inner:
            return _of_branch(writer, around)
        if isinstance(around, ast.While) and around.test is inner:
            return control_flow.of_loop(writer, around)
        if isinstance(around, ast.Assert) and around.test is inner:
            return None
        if isinstance(around, ast.comprehension):
            return None
        break
    return _written(writer, outermost, writer.value(outermost)) if _asks(outermost) else None


def spoiled(writer: ArrayWriter, node: ast.expr) -> str:
    """The norm, root or logarithm that a branch keeps from where it has no gradient; "" if there is none.

    A selection has the gradient of both arms, so NaN there; the plain branch has that of the arm it takes.
    """
    inner: ast.AST = node
    for around in writer.layout.way(node):
        if isinstance(around, (ast.If, ast.IfExp)) and around.test is inner:
            tested = [one for one in ast.walk(around.test) if isinstance(one, ast.Name)]
            arms = around.body if isinstance(around, ast.If) else [around.body, around.orelse]
            values = [arm.value if isinstance(arm, VALUED) else arm for arm in arms if not isinstance(arm, ast.Expr)]
            read = {one.id for value in values if value for one in ast.walk(value) if isinstance(one, ast.Name)}
            return next((one.id for one in tested if one.id in read and writer.is_steep(one)), "")
        if isinstance(around, ast.stmt):
            break
        inner = around
    return ""


def words_of_test(writer: ArrayWriter, node: ast.expr, otherwise: str) -> str:
    """What to do where no code is known for the construct that asks an expression for its truth."""
    name, root = writer.name, spoiled(writer, node)
    cond, where = name("jax.lax.cond") or "jax.lax.cond", name("jax.numpy.where") or "jax.numpy.where"
    inner: ast.AST = node
    for around in writer.layout.way(node):
        if isinstance(around, ast.While) and around.test is inner:
            if (loop := writer.name("flax.linen.while_loop")) and not writer.is_pure(around):
                return f"use `{loop}`, and call its layers once before it, which makes their parameters"
            return f"use `{name('jax.lax.while_loop') or 'jax.lax.while_loop'}`{_for_lists(around)}"
        if isinstance(around, ast.Assert) or (isinstance(around, ast.If) and _leaves(around, ast.Raise)):
            return f"use `checkify.check` of `jax.experimental` below a `checkify.checkify`{EARLIER}"
        if isinstance(around, ast.If):
            is_in_loop = bool(writer.layout.loops(around, writer.layout.frame(around)))
            if is_in_loop and _leaves(around, ast.Continue):
                return f"run the rest of the turn for all, and keep its results by `{where}` with this test"
            if is_in_loop and _leaves(around, (ast.Return, ast.Break)):
                loop = name("jax.lax.while_loop") or "jax.lax.while_loop"
                return f"use `{loop}` with this test in its condition, or keep the loop out of traced code"
            if is_in_loop and _decides(writer.layout, around):
                loop = name("jax.lax.while_loop") or "jax.lax.while_loop"
                return f"use `{loop}` for the loop around, whose test reads what is bound here, and `{where}` in it"
        if isinstance(around, (ast.If, ast.IfExp)):
            why, known = why_unselectable(writer, around), _asked_for_none(writer, around.test)
            if why and not (known and NO_ARRAY.replace("{}", known.partition(" is ")[0]) == why):
                return why.format(cond=cond, where=where)
            if known:
                return f"put `{known}` into a test of its own, and use `{cond}` or `{where}` for the rest"
            if not all(map(writer.is_pure, _arms_of(around))):
                return LAYERS.format(cond=cond, where=where)
            if isinstance(around, ast.If) and _only_calls(around):
                return f"use `{cond}`, in whose arms `jax.debug.print` and `jax.debug.callback` may stand"
            chosen = _chosen(writer.layout, around) if isinstance(around, ast.If) else ""
            return f"{_selecting(cond, where, root, chosen)}{_joining(writer, around.test)}"
        if isinstance(around, ast.comprehension) and inner in around.ifs:
            return _of_filter(writer, around, where)
        if isinstance(around, (ast.stmt, ast.comprehension)):
            break
        inner = around
    return otherwise


def _decides(layout: Layout, branch: ast.If) -> bool:
    """Does a branch bind what the test of a loop around it reads?"""
    loops = [one for one in layout.loops(branch, layout.frame(branch)) if isinstance(one, ast.While)]
    bound = {one.id for one in ast.walk(branch) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
    read = {one.id for loop in loops for one in ast.walk(loop.test) if isinstance(one, ast.Name)}
    return not bound.isdisjoint(read)


def _of_filter(writer: ArrayWriter, clause: ast.comprehension, where: str) -> str:
    """What to do about elements that a test leaves out: they may only be counted, or added up."""
    gathered = writer.layout.parents.get(clause)
    call = writer.layout.parents.get(gathered) if gathered is not None else None
    by = call.func.id if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) else ""
    if isinstance(call, ast.Assign) and _is_only_measured(writer.layout, call):
        by = "len"
    is_one = isinstance(gathered, (ast.ListComp, ast.GeneratorExp)) and isinstance(gathered.elt, ast.Constant)
    if by == "len" or (by == "sum" and is_one):
        counted = writer.name("jax.numpy.count_nonzero") or "jax.numpy.count_nonzero"
        return f"keep all elements, and count with `{counted}` for which of them the test holds"
    if by == "sum":
        return f"keep all elements, and add up what `{where}` gives, with 0 where the test fails"
    return f"keep all elements, and choose with `{where}` between what they give"


def _is_only_measured(layout: Layout, store: ast.Assign) -> bool:
    """Is the name that is bound read for its length alone?"""
    target = store.targets[0] if len(store.targets) == 1 else None
    reads = layout.reads.get((layout.frame(store), target.id), []) if isinstance(target, ast.Name) else []
    calls = [layout.parents.get(read) for read in reads[:MOST_READS]]
    is_all = all(isinstance(one, ast.Call) and isinstance(one.func, ast.Name) and one.func.id == "len" for one in calls)
    return is_all and 0 < len(reads) <= MOST_READS


def _arms_of(branch: ast.If | ast.IfExp) -> list[ast.AST]:
    """What is done on either way."""
    if isinstance(branch, ast.IfExp):
        return [branch.body, branch.orelse]
    return [*branch.body, *branch.orelse]


def _only_calls(branch: ast.If) -> bool:
    """Is each statement of a branch a call for its effect?"""
    return all(isinstance(one, ast.Expr) and isinstance(one.value, ast.Call) for one in (*branch.body, *branch.orelse))


def _joining(writer: ArrayWriter, test: ast.expr) -> str:
    """What joins the parts of a test in a selection, in words."""
    if not isinstance(test, ast.BoolOp):
        return ""
    sign = "and" if isinstance(test.op, ast.And) else "or"
    function = f"jax.numpy.logical_{sign}"
    return f", and join the tests by `{writer.name(function) or function}`"


def _asked_for_none(writer: ArrayWriter, test: ast.expr) -> str:
    """The part of a test that Python itself answers, whether something is None; "" if there is none."""
    parts = test.values if isinstance(test, ast.BoolOp) else []
    asked = [one for one in parts if isinstance(one, ast.Compare) and isinstance(one.ops[0], (ast.Is, ast.IsNot))]
    return writer.layout.text(asked[0]) if asked else ""


def _for_lists(loop: ast.While) -> str:
    """What to do about lists that a loop makes longer, in words."""
    calls = (node for statement in loop.body for node in ast.walk(statement) if isinstance(node, ast.Call))
    grown = next(filter(None, map(list_grown, calls)), "")
    return f", and for `{grown}` an array of the most turns there can be: a list cannot grow there" if grown else ""


def _chosen(layout: Layout, branch: ast.If) -> str:
    """What is to be chosen between the ways of a branch: what they bind, or what is returned; "" if it is too much."""
    root = branch
    while layout.is_elif(root) and isinstance(layout.parents.get(root), ast.If):
        root = layout.parents[root]  # type: ignore[assignment]
    inside = [node for arm in _arms_of(root) for node in ast.walk(arm)]
    if any(isinstance(node, (*LOOPS, *FUNCTIONS)) for node in inside):
        return ""
    if any(isinstance(node, ast.Return) for node in inside):
        return "what is returned"
    places = [node for node in inside if isinstance(node, (ast.Name, ast.Attribute))]
    names = dict.fromkeys(
        layout.text(place) for place in places if isinstance(place.ctx, ast.Store)
        and (isinstance(place, ast.Attribute) or is_read_behind(layout, root, place.id))
    )  # fmt: skip
    *others, last = [f"`{name}`" for name in names] or [""]
    if not others or len(others) >= MOST_CHOSEN:
        return last * (not others)
    tested = {node.id for node in ast.walk(root.test) if isinstance(node, ast.Name)}
    after = "" if tested.isdisjoint(names) else " by a name for the test, which these change"
    return f"{', '.join(others)} and {last}{after}"


def _selecting(cond: str, where: str, root: str, chosen: str = "") -> str:
    if chosen and not root:
        return f"use `{where}` to choose {chosen}, or `{cond}` with both ways as functions"
    if root:
        return f"use `{where}`, and keep what `{root}` is computed from away from 0: else the gradient there is NaN"
    return f"use `{cond}` or `{where}`"


def _leaves(branch: ast.If, kind: type[ast.stmt] | tuple[type[ast.stmt], ...]) -> bool:
    return any(isinstance(statement, kind) for statement in (*branch.body, *branch.orelse))


def is_tested(layout: Layout, node: ast.expr) -> bool:
    """Is the truth of an expression asked for?"""
    around = layout.parents.get(node)
    if isinstance(around, (ast.If, ast.IfExp, ast.While, ast.Assert)):
        return around.test is node
    return isinstance(around, (ast.BoolOp, ast.comprehension)) or (around is not None and _is_truth(around))


def _is_truth(node: ast.AST) -> bool:
    is_not = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
    return is_not or (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "bool")


def _asks(node: ast.expr) -> bool:
    is_chain = isinstance(node, ast.Compare) and (len(node.ops) > 1 or isinstance(node.ops[0], (ast.In, ast.NotIn)))
    return isinstance(node, ast.BoolOp) or is_chain or (_is_truth(node) and isinstance(node, ast.UnaryOp))


def _written(writer: ArrayWriter, node: ast.expr, text: str) -> Remedy | None:
    """The source edit that puts an expression in the place of another."""
    if not text or len(text) > LONGEST:
        return None
    around = writer.layout.parents.get(node)
    is_call = isinstance(ast.parse(text, mode="eval").body, ast.Call)
    given = text if is_call or not isinstance(around, (ast.BinOp, ast.UnaryOp)) else f"({text})"
    return Remedy(f"use `{text}`", "", (writer.layout.replaced(node, given),))


def _of_branch(writer: ArrayWriter, branch: ast.If) -> Remedy | None:
    layout = writer.layout
    root = branch
    while layout.is_elif(root) and isinstance(layout.parents.get(root), ast.If):
        root = layout.parents[root]  # type: ignore[assignment]
    block = layout.blocks[root]
    if why_unselectable(writer, root):
        return None
    siblings: list[ast.stmt] = getattr(block.owner, block.name)
    place = next(number for number, one in enumerate(siblings) if one is root)
    rest = siblings[place + 1 :]
    returned = _returned(writer, [root, *rest[:3]])
    if returned is not None:
        text, taken = returned
        found = _replaced(writer, siblings[place : place + taken], [f"return {text}"])
        return found or returns.of_returns(writer, root, rest)
    bound = _bound(writer, root)
    found = _replaced(writer, [root], bound) if bound else None
    return found or control_flow.of_branch(writer, root) or returns.of_returns(writer, root, rest)


def _replaced(writer: ArrayWriter, old: Sequence[ast.stmt], new: list[str]) -> Remedy | None:
    layout, first, last = writer.layout, old[0], old[-1]
    if any(len(one) > LONGEST for one in new) or layout.lines[first.lineno - 1][: first.col_offset].strip():
        return None
    begins, ends = layout.span(first), layout.span(last)
    indent = layout.lines[first.lineno - 1][: first.col_offset]
    span = Span(begins.line, begins.column, ends.end_line, ends.end_column)
    said = " and ".join(f"`{one}`" for one in new)
    return Remedy(f"use {said}", "", (Edit(span, f"\n{indent}".join(new)),))


def _returned(writer: ArrayWriter, block: list[ast.stmt]) -> tuple[str, int] | None:
    """The value that statements return in any case, as one expression, and how many of them do so."""
    first = block[0] if block else None
    if not isinstance(first, ast.If) or not first.body:
        return None
    if len(first.body) != 1 or (first.orelse and len(first.orelse) != 1):
        return None
    then = _arm(writer, first.body[0])
    if first.orelse:
        otherwise, taken = _arm(writer, first.orelse[0]), 1
    else:
        found = block[1] if len(block) > 1 else None
        taken = 2
        otherwise = found.value if isinstance(found, ast.Return) else None
        if isinstance(found, ast.If):
            later = _returned(writer, block[1:])
            otherwise, taken = (later[0], 1 + later[1]) if later is not None else (None, 0)
    text = writer.selected(first.test, then, otherwise) if then is not None and otherwise is not None else ""
    return (text, taken) if text else None


def _arm(writer: ArrayWriter, statement: ast.stmt) -> ast.expr | str | None:
    if isinstance(statement, ast.Return):
        return statement.value
    found = _returned(writer, [statement]) if isinstance(statement, ast.If) else None
    return found[0] if found is not None else None


def _bound(writer: ArrayWriter, branch: ast.If) -> list[str]:
    """The assignments that bind what a branch binds, in any case."""
    then, otherwise = _assigned(writer, branch.body), _assigned(writer, branch.orelse)
    if then is None or otherwise is None:
        return []
    names = list(dict.fromkeys([*then, *otherwise]))
    tested = {node.id for node in ast.walk(branch.test) if isinstance(node, ast.Name)}
    is_apart = tested.isdisjoint(names[:-1])
    if len(names) > MOST or not is_apart or not all(_is_known(writer, branch, name, then, otherwise) for name in names):
        return []
    found = [(name, writer.selected(branch.test, then.get(name, name), otherwise.get(name, name))) for name in names]
    kinds, cond = kinds_of(writer.layout, writer.layout.frame(branch)), writer.name("jax.lax.cond")
    branched = [name for name, text in found if text.startswith(f"{cond}(")]
    if not all(text for _, text in found) or any(map(kinds.differ, branched)):
        return []
    return [f"{name} = {text}" for name, text in found]


def _is_known(
    writer: ArrayWriter, branch: ast.If, name: str, then: Bound, otherwise: Bound
) -> bool:  # fmt: skip
    """Is a name bound by both arms, or before them?"""
    if name in then and name in otherwise:
        return True
    frame = writer.layout.frame(branch)
    first = writer.layout.first_store(frame, name)
    if first is not None and first < begin(branch):
        return True
    arguments = getattr(frame, "args", None)
    return isinstance(arguments, ast.arguments) and any(
        posonlyarg.arg == name for posonlyarg in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    )


def _assigned(writer: ArrayWriter, body: list[ast.stmt]) -> Bound | None:
    """What statements bind; None if they do more.  What one binds is not read by the next."""
    found: Bound = {}
    for statement in body:
        target: ast.expr | None = None
        value: ast.expr | str = ""
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target, value = statement.targets[0], statement.value
        elif isinstance(statement, ast.AugAssign) and isinstance(statement.op, tuple(SIGNS)):
            target = statement.target
            given = writer.atom(statement.value) if writer.is_numeric(statement.value) else ""
            is_safe = not isinstance(statement.op, ast.Div)
            name = target.id if isinstance(target, ast.Name) else ""
            value = f"{name} {SIGNS[type(statement.op)]} {given}" if given and is_safe else ""
        elif isinstance(statement, ast.If) and len(body) == 1:
            return _nested(writer, statement)
        if not isinstance(target, ast.Name) or target.id in found or value == "":
            return None
        read = {
            node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
        }
        if not read.isdisjoint(found):
            return None
        found[target.id] = value
    return found


def _nested(writer: ArrayWriter, branch: ast.If) -> Bound | None:
    lines = _bound(writer, branch)
    pairs = [line.partition(" = ") for line in lines]
    return {name: text for name, _, text in pairs} if lines else None


SIGNS: dict[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**"}
