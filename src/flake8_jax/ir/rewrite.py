"""Changes of a program in terms of its ops, shortened in a message and written out by a fix.

x[0] += y       the statement becomes: "x = ", x, ".at[", index of x[0], "].add(", y, ")"
                in a message: `x = x.at[0].add(y)`      in a fix: the nodes that stand there, with their comments
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import index_phrase, phrase
from flake8_jax.ir.scope import Scope
from flake8_jax.lazy_dataclasses import dataclass, replace
from flake8_jax.model.diagnostic import Applicability

QuotedAs: TypeAlias = Literal["argument", "owner", "index", "elements"]

GIVEN = 30
WHOLE = 1000
ATOMS = frozenset((ops.Name, ops.Attr, ops.Item, ops.Call))
"""What needs no parentheses before a dot."""


@dataclass(frozen=True, slots=True)
class Quoted:
    """The text of an op in new code, and to how many characters a message shortens it.

    `argument`: between commas; `owner`: before a dot or bracket; `index`: the index of this `Item`, between brackets;
    `elements`: those of this generator, between the brackets of a list.
    """

    op: Op
    limit: int = GIVEN
    form: QuotedAs = "argument"

    @property
    def text(self) -> str:
        """The text in a message."""
        op = self.op
        if self.form == "index" and type(op) is ops.Item:
            text = index_phrase(op.index, WHOLE)
            return text if len(text) <= self.limit else "..."
        text = phrase(op, WHOLE)
        text = text if len(text) <= self.limit else "..."
        if self.form == "elements":
            return text[1:-1] if text.endswith(")") else "..."
        return f"({text})" if self.form == "owner" and type(op) not in ATOMS else text


@dataclass(frozen=True, slots=True)
class LibraryName:
    """A name of a library, and how the code in a scope can write it."""

    dotted: str
    text: str
    scope: Scope | None


Piece: TypeAlias = str | Quoted | LibraryName


@dataclass(frozen=True, slots=True)
class ChangedOp:
    """An op that is replaced by what its pieces spell.

    `is_statement`: they spell a statement; a call that is replaced by one stands alone.
    """

    op: Op
    pieces: tuple[Piece, ...]
    is_statement: bool = False

    @property
    def text(self) -> str:
        """The new code in a message."""
        return spelt(*self.pieces)


@dataclass(frozen=True, slots=True)
class ChangedImport:
    """An import of one name of a library that becomes an import of another one, bound to the same name."""

    op: Op
    name: str
    now: str

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """No code of an op is written."""
        return ()

    @property
    def text(self) -> str:
        """The new import in a message."""
        module, _, last = self.now.rpartition(".")
        return f"from {module} import {last}" if module else f"import {last}"


@dataclass(frozen=True, slots=True)
class Rewrite:
    """Changes that belong together, and whether they may change a program that runs."""

    changes: tuple[ChangedOp | ChangedImport, ...]
    applicability: Applicability = "safe"


def spelt(*pieces: Piece) -> str:
    """What pieces spell, in a message."""
    return "".join(piece if isinstance(piece, str) else piece.text for piece in pieces)


def unsafe(rewrite: Rewrite | None) -> Rewrite | None:
    """The same changes, applied on request only."""
    return None if rewrite is None else replace(rewrite, applicability="unsafe")
