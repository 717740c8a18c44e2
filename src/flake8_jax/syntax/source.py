"""One source file: its text, a test whether it concerns JAX, and its syntax trees, parsed lazily and safely."""

from __future__ import annotations

import ast
import gc
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from flake8_jax.digests import blake2b
from flake8_jax.lazy_patterns import compiled
from flake8_jax.model.diagnostic import Span
from flake8_jax.syntax.depth import DEEP, TooDeep, depth_of_tree, with_own_stack
from flake8_jax.syntax.text import NEWLINE, Unreadable, decode, parse_quietly, parsed

if TYPE_CHECKING:
    import libcst as cst

    from flake8_jax.syntax.cells import Cells
    from flake8_jax.syntax.holders import Holders
    from flake8_jax.syntax.layout import Layout

FRAMEWORKS = (
    "jax",
    "flax",
    "optax",
    "equinox",
    "haiku",
    "chex",
    "numpyro",
    "brax",
    "pallas",
    "orbax",
    "haliax",
    "diffrax",
    "distrax",
    "rlax",
)

__all__ = [
    "FRAMEWORKS", "NEWLINE", "NotPython", "SourceFile", "TooDeep", "Unreadable",
    "collector_paused", "decode", "forget", "names_jax", "parsed",
]  # fmt: skip

PYTHON_SUFFIXES = (".py", ".pyi")

GRAMMAR = f"read as Python {sys.version_info.major}.{sys.version_info.minor}, which runs flake8-jax"
UNPARSED = "libcst cannot parse what Python can"

SMALL_STACKS = sys.platform == "win32"
"""Does even the main thread have less stack than libcst may need?"""

NAMED = compiled(rf"(?<![^\W_])(?:{'|'.join(FRAMEWORKS)})")
ATTRIBUTE = compiled(r"\.(\w+)")
ITEM_PUT = compiled(r"([\w.]+)\[[^=\]]*\]\s*=(?!=)")
WORD = compiled(r"\w+")


class NotPython(Exception):
    """A text that is not valid Python, with the line of the error and the reason.

    `refused` is what Python's own parser says, if it is the one that refused it.
    """

    def __init__(self, line: int, reason: str, refused: str | None = None) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason
        self.refused = refused


@contextmanager
def collector_paused() -> Iterator[None]:
    """Disable Python's garbage collector.  Trees and ops are many, short-lived and free of cycles that matter."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def names_jax(text: str) -> bool:
    """Does a text contain the name of JAX or of a library built on it, at a word boundary?"""
    return any(name in text for name in FRAMEWORKS) and NAMED.search(text) is not None


def forget(owner: object, *names: str) -> None:
    """Let go what cached properties have kept; it is made again on demand."""
    for name in names:
        vars(owner).pop(name, None)


class SourceFile:
    """A file's path and text; what is made of it, as its syntax trees, is made when it is first asked for."""

    def __init__(self, path: str, text: str, tree: ast.Module | None = None) -> None:
        self.path = path
        self.text = text.removeprefix("\ufeff")
        if tree is not None:
            self.tree = tree

    @classmethod
    def read(cls, path: str) -> SourceFile:
        """Read a file; raises `Unreadable` if it has no decodable text."""
        try:
            data = Path(path).read_bytes()
        except OSError as error:
            raise Unreadable(error.strerror or str(error)) from error
        return cls.of(path, data)

    @classmethod
    def of(cls, path: str, data: bytes) -> SourceFile:
        """The file that some bytes are under a path, of a notebook its Python; raises `Unreadable`."""
        text = decode(data)
        if path.endswith(PYTHON_SUFFIXES):
            return cls(path, text)
        from flake8_jax.syntax.notebooks import SUFFIX, is_notebook, python_of

        if not path.endswith(SUFFIX) and not is_notebook(text):
            return cls(path, text)
        try:
            return cls(path, python_of(text.removeprefix("\ufeff")))
        except Unreadable:
            if names_jax(text):
                raise
            return cls(path, "")  # whatever it is, it does not concern JAX

    @cached_property
    def cells(self) -> Cells | None:
        """The cells that the text was made of; None if it is that of no notebook."""
        from flake8_jax.syntax.cells import cells_of

        return cells_of(self.lines) if self.text.startswith("# %%") else None

    @cached_property
    def digest(self) -> bytes:
        """A digest of the text."""
        return blake2b(self.text.encode("utf-8", "surrogatepass"), digest_size=16).digest()

    @cached_property
    def lines(self) -> list[str]:
        """The lines without their line ends; a form feed does not end a line."""
        return NEWLINE.split(self.text) if "\r" in self.text else self.text.split("\n")

    @cached_property
    def attributes(self) -> dict[str, list[int]]:
        """The lines on which `.name` stands, by the name."""
        found: dict[str, list[int]] = {}
        for number, line in enumerate(self.lines, 1):
            for name in dict.fromkeys(ATTRIBUTE.findall(line)) if "." in line else ():
                found.setdefault(name, []).append(number)
        return found

    @cached_property
    def items_put(self) -> dict[str, list[int]]:
        """The lines on which `name[...] =` or `some.name[...] =` stands, by what is in front of the bracket."""
        found: dict[str, list[int]] = {}
        for number, line in enumerate(self.lines, 1):
            for name in ITEM_PUT.findall(line) if "]" in line else ():
                found.setdefault(name, []).append(number)
        return found

    @cached_property
    def functions_around(self) -> list[str]:
        """For each line the name of the innermost `def` around it, by its indentation; "" for one outside of all."""
        found: list[str] = []
        opened: list[tuple[int, str]] = []
        for line in self.lines:
            text = line.lstrip()
            depth = len(line) - len(text)
            while opened and text and depth <= opened[-1][0]:
                opened.pop()
            found.append(opened[-1][1] if opened else "")
            if text.startswith(("def ", "async def ")):
                opened.append((depth, text.partition("def ")[2].partition("(")[0].strip()))
        return found

    @cached_property
    def words(self) -> Counter[str]:
        """How often each word stands in the text."""
        return Counter(WORD.findall(self.text))

    def cut(self, span: Span) -> str:
        """The text of a span."""
        if span.line == span.end_line:
            return self.lines[span.line - 1][span.column : span.end_column]
        starts = self._starts
        return self.text[starts[span.line - 1] + span.column : starts[span.end_line - 1] + span.end_column]

    @cached_property
    def _starts(self) -> list[int]:
        """Where each line begins in the text."""
        return [0, *(match.end() for match in NEWLINE.finditer(self.text))]

    def release(self) -> None:
        """Drop the parsed trees; they are parsed again on demand."""
        forget(self, "module", "tree", "holders", "layout")

    def fold(self) -> None:
        """Drop all that was made of the text; it is made again on demand."""
        self.release()
        forget(self, "lines", "_starts", "attributes", "functions_around", "items_put", "words")

    def concerns_jax(self) -> bool:
        """Does the text contain the name of JAX or of a library built on it?"""
        return self._names_jax

    @cached_property
    def _names_jax(self) -> bool:
        return names_jax(self.text)

    @cached_property
    def tree(self) -> ast.Module:
        """The tree of Python's own parser; raises `NotPython` or `TooDeep`."""
        try:
            return parse_quietly(self.text)
        except (RecursionError, MemoryError) as error:
            raise TooDeep("nested beyond what Python itself can parse") from error
        except (SyntaxError, ValueError) as error:
            reason = getattr(error, "msg", None) or str(error)
            raise NotPython(getattr(error, "lineno", None) or 1, f"{reason} ({GRAMMAR})", reason) from error

    @cached_property
    def module(self) -> cst.Module:
        """The tree of libcst; raises `NotPython` or `TooDeep`."""
        return _parse_module(self.text, depth_of_tree(self.tree, self.text, self.lines))

    @cached_property
    def holders(self) -> Holders:
        """Who holds what the names of the file hold, and who reads them; made of the tree when first asked."""
        from flake8_jax.syntax.holders import holders_of

        return holders_of(self.tree)

    @cached_property
    def layout(self) -> Layout:
        """What stands around each node of the file, and where its names are read; made of the tree when first asked."""
        from flake8_jax.syntax.layout import layout_of

        return layout_of(self.tree, self.lines)


def _parse_module(text: str, depth: int) -> cst.Module:
    import libcst as cst

    def parse() -> cst.Module:
        try:
            return cst.parse_module(text)
        except cst.ParserSyntaxError as error:
            raise NotPython(error.raw_line, UNPARSED) from error
        except (MemoryError, RecursionError):
            raise
        except BaseException as error:  # its checks fail on odd spacing; a panic of its native part is no `Exception`
            if isinstance(error, Exception) or type(error).__name__ == "PanicException":
                raise NotPython(1, f"{UNPARSED} ({error})") from error
            raise

    if depth > DEEP or SMALL_STACKS or threading.current_thread() is not threading.main_thread():
        return with_own_stack(parse)
    return parse()
