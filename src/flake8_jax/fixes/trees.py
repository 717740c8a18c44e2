"""From changes of ops to edits: nodes of libcst's tree are put into new code, which replaces a node.

An op may stand for a whole statement: `x += y` is one node, and the op of its operator is an expression.  Where that is
replaced by another expression, the statement becomes the assignment of it.

x[0] = (   # zero        the statement's node is replaced by that of `x = x.at[__piece_1__].set(__piece_2__)`,
    0.0                  in which the pieces are replaced by the nodes of the index and of the value
)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

import libcst as cst

from flake8_jax.ir.rewrite import ChangedOp, Piece, Quoted
from flake8_jax.lazy_patterns import compiled
from flake8_jax.model.diagnostic import Edit, Span
from flake8_jax.syntax.positions import Locator, Region
from flake8_jax.syntax.source import NEWLINE, parsed

OPEN = (cst.Yield, cst.NamedExpr, cst.GeneratorExp, cst.StarredElement)
"""What needs parentheses of its own as an argument."""

ATOMS = (cst.Name, cst.Attribute, cst.Subscript, cst.Call, cst.List, cst.Dict, cst.Set, cst.ListComp, cst.SimpleString)
"""What needs no parentheses before a dot."""

FORMATTED = compiled(r"[fF][rR]?[\"']")
"""How an f-string begins; other strings may end so."""

EVALUATED_TWICE = (cst.Name, cst.Attribute, cst.Subscript, cst.BaseNumber, cst.SimpleString, cst.UnaryOperation)
"""What the target of an augmented assignment may be made of if it is written twice."""


def edit_of(change: ChangedOp, names: Mapping[str, str], locator: Locator) -> Edit | None:
    """The edit that makes a change; None where the tree is not as the ops have it, or comments would be lost.

    `names` are the spellings of names of libraries.
    """
    region = locator.region(change.op)
    old = _node(change.op, locator)
    if region is None or old is None:
        return None
    if change.is_statement and isinstance(old, cst.BaseExpression):
        old = next((one for one in region.nodes[region.range_of(old)] if isinstance(one, cst.Expr)), None)
    new = _built(change, names, locator) if old is not None else None
    if isinstance(old, cst.AugAssign) and isinstance(new, cst.BaseExpression):
        new = _assigned(old.target, new)
    if old is None or new is None or not _takes_the_place(new, old) or _loses_comments(region, old, new):
        return None
    quotes_itself = any(isinstance(piece, Quoted) and piece.op is change.op for piece in change.pieces)
    if isinstance(old, cst.BaseExpression) and old.lpar and not quotes_itself:
        new = new.with_changes(lpar=old.lpar, rpar=old.rpar)
    return _edit(region, old, new)


def _assigned(target: Any, value: Any) -> Any:
    """The assignment of a value to the target of an augmented one; None where it would evaluate more than once what
    may do more than compute.
    """
    if not all(isinstance(node, EVALUATED_TWICE) for node in _walk(target) if isinstance(node, cst.BaseExpression)):
        return None
    return cst.Assign([cst.AssignTarget(target)], value)


def _takes_the_place(new: Any, old: Any) -> bool:
    """May a node stand where another does?  An expression for an expression, a small statement for such a one."""
    return any(isinstance(new, kind) and isinstance(old, kind) for kind in (cst.BaseExpression, cst.BaseSmallStatement))


def _node(op: Any, locator: Locator) -> Any:
    """The node of an op: of several at its place, such as an argument and its value, an expression or a statement."""
    node, region = locator.locate(op).node, locator.region(op)
    if node is None or region is None or isinstance(node, (cst.BaseExpression, cst.BaseSmallStatement)):
        return node
    alike = reversed(region.nodes[region.range_of(node)])
    return next((one for one in alike if isinstance(one, cst.BaseExpression)), None)


def _edit(region: Region, old: Any, new: Any) -> Edit | None:
    """The edit of the file that replaces a node of a region: the node's place, and what changes around it.

    None where the new code would be no Python: some places take names or targets only.
    """
    module = _replaced(region.module, old, new)
    if module is None or not _fits_its_strings(region, old, new) or parsed(module.code) is None:
        return None
    before, after = region.module.code, module.code
    begin, end = (_offset(before, place) for place in (region.ranges[old].start, region.ranges[old].end))
    while begin and before[:begin] != after[:begin]:
        begin -= 1
    behind = len(before) - end
    while behind and before[-behind:] != after[-behind:]:
        behind -= 1
    if len(after) - behind < begin:
        return None
    span = Span(*region.in_file(*_place(before, begin)), *region.in_file(*_place(before, len(before) - behind)))
    return Edit(span, after[begin : len(after) - behind])


def _replaced(module: cst.Module, old: Any, new: Any) -> Any:
    """A tree with one node in the place of another; in parentheses where it would run into a word, as in `else[0]`."""
    with suppress(cst.CSTValidationError):
        return module.deep_replace(old, new)
    if isinstance(new, cst.BaseExpression) and not new.lpar:
        with suppress(cst.CSTValidationError):
            return module.deep_replace(old, _enclosed(new))
    return None


def _fits_its_strings(region: Region, old: Any, new: Any) -> bool:
    """May new code stand in the f-strings around a node?  Before Python 3.12, none of their quotes, no backslash and no
    comment may; the file is not known to be read by a newer Python only.
    """
    if not any(map(FORMATTED.search, _lines(region))):
        return True
    module = region.module
    around = [node for node in _walk(module) if isinstance(node, cst.FormattedString) and _holds(node, old)]
    before, after = (module.code_for_node(node) for node in (old, new))
    kept = {mark for string in around for mark in (string.quote, "\\", "#", "\n" * (len(string.quote) == 1))}
    return not any(mark and mark in after and mark not in before for mark in kept)


def _holds(node: Any, part: Any) -> bool:
    return any(one is part for one in _walk(node))


def _offset(text: str, place: Any) -> int:
    starts = [0, *(match.end() for match in NEWLINE.finditer(text))]
    found: int = starts[place.line - 1] + place.column
    return found


def _place(text: str, offset: int) -> tuple[int, int]:
    lines = NEWLINE.split(text[:offset])
    return len(lines), len(lines[-1])


def _built(change: ChangedOp, names: Mapping[str, str], locator: Locator) -> Any:
    """The node of the new code; None if a piece has no node."""
    texts, nodes = [], {}
    for number, piece in enumerate(change.pieces):
        if not isinstance(piece, Quoted):
            texts.append(_plain(piece, names))
            continue
        node = _node(piece.op, locator)
        if not isinstance(node, cst.Subscript if piece.form == "index" else cst.BaseExpression):
            return None  # an augmented assignment, or arguments with a star
        if piece.form == "elements" and _awaits(node):
            return None  # as a list, it may stand in a coroutine only
        name = f"__piece_{number}__"
        texts.append(name)
        nodes[name] = piece, node
    try:
        text = "".join(texts)
        made: Any = cst.parse_statement(text) if change.is_statement else cst.parse_expression(text)
    except cst.ParserSyntaxError:
        return None
    made = made.body[0] if change.is_statement else made
    return made.visit(_Filler(nodes))


def _plain(piece: Piece, names: Mapping[str, str]) -> str:
    if isinstance(piece, str):
        return piece
    return names[piece.text] if not isinstance(piece, Quoted) else ""


class _Filler(cst.CSTTransformer):
    """Puts nodes in the place of names that stand for them."""

    def __init__(self, nodes: Mapping[str, tuple[Quoted, Any]]) -> None:
        super().__init__()
        self.nodes = nodes

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> Any:  # noqa: N802
        """A piece that stands for a value."""
        if original_node.value not in self.nodes:
            return updated_node
        piece, node = self.nodes[original_node.value]
        if piece.form in ("index", "elements"):
            return updated_node  # filled in by what stands around
        if piece.form == "owner":
            return node if isinstance(node, ATOMS) or node.lpar else _enclosed(node)
        return _enclosed(node) if (isinstance(node, (*OPEN, cst.Tuple)) and not node.lpar) else node

    def leave_Subscript(self, original_node: cst.Subscript, updated_node: cst.Subscript) -> Any:  # noqa: N802
        """Pieces that are indices, of one element or several."""
        found = [self._named(getattr(each.slice, "value", None), "index") for each in updated_node.slice]
        if not any(found):
            return updated_node
        elements: list[cst.SubscriptElement] = []
        for place, (element, index) in enumerate(zip(updated_node.slice, found)):
            is_last = place == len(found) - 1
            more = [element] if index is None else list(index.slice)
            if not is_last and isinstance(more[-1].comma, cst.MaybeSentinel):
                more[-1] = more[-1].with_changes(comma=cst.Comma(whitespace_after=cst.SimpleWhitespace(" ")))
            elements += more
        first = found[0]
        around = {} if len(found) > 1 or first is None else {"lbracket": first.lbracket, "rbracket": first.rbracket}
        return updated_node.with_changes(slice=elements, **around)

    def leave_List(self, original_node: cst.List, updated_node: cst.List) -> Any:  # noqa: N802
        """A piece that is a generator, as a list."""
        found = [self._named(element.value, "elements") for element in updated_node.elements]
        if len(found) != 1 or not isinstance(found[0], cst.GeneratorExp):
            return updated_node
        return cst.ListComp(elt=found[0].elt, for_in=found[0].for_in)

    def _named(self, node: Any, form: str) -> Any:
        known = self.nodes.get(node.value) if isinstance(node, cst.Name) else None
        return known[1] if known is not None and known[0].form == form else None


def _awaits(node: Any) -> bool:
    return any(isinstance(one, (cst.Await, cst.Asynchronous)) for one in _walk(node))


def _enclosed(node: Any) -> Any:
    return node.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])


def _loses_comments(region: Region, old: Any, new: Any) -> bool:
    """Is there a comment in a node of a region that what replaces it does not have?"""
    return any("#" in line for line in _lines(region)) and bool(_comments(old) - _comments(new))


def _lines(region: Region) -> list[str]:
    """The lines of the file that a region stands on."""
    last, _ = region.in_file(region.ranges[region.module].end.line, 0)
    return region.source.lines[max(region.line, 1) - 1 : last]


def _comments(node: Any) -> Counter[str]:
    return Counter(one.value for one in _walk(node) if isinstance(one, cst.Comment))


def _walk(node: Any) -> Iterator[Any]:
    waiting = [node]
    while waiting:
        yield waiting[-1]
        waiting += waiting.pop().children
