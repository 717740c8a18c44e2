r"""Notebooks of Jupyter: the cells of Python as one text, in order, and the text written back into the file.

    raw      {"cells": [{"cell_type": "code", "source": ["x = jnp.ones(3)\n", "x[0] = 1.0"], ...
    text     # %% _ipython_ 1        how a text says which cell it comes from: `cells.py`
             x = jnp.ones(3)         what becomes of magics: `magics.py`
             x[0] = 1.0

Written back are the characters that differ: all else of the file stays as it is.  Cells of other languages, those of
prose and raw ones are left out.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Container, Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING

from flake8_jax.lazy_dataclasses import dataclass
from flake8_jax.lazy_patterns import compiled
from flake8_jax.syntax.broken import BROKEN, STAND_IN, left_out, stand_in
from flake8_jax.syntax.magics import MARK, is_python, is_timed, original, with_python
from flake8_jax.syntax.text import NEWLINE, Unreadable, parsed

if TYPE_CHECKING:
    from json import JSONDecoder

SUFFIX = ".ipynb"
_PYTHON = ("", "python", "python2", "python3", "ipython", "ipython3")
_TAG = compiled(r"[\w.:-]+")
_LINE = compiled(r"[^\n]*\n|[^\n]+")
_SPACE = compiled(r"[ \t\n\r]*")
_ESCAPE = compiled(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|[^\\]+")
_ESCAPED = compiled(r"\\u00[89a-fA-F][0-9a-fA-F]|\\u0[1-9a-fA-F]|\\u[1-9a-fA-F]")

_CLOCK = """\
# %% {mark} 0
from time import perf_counter as {mark}clock
class {mark}:
    def __init__(self, magic): self.magic = magic
    def __enter__(self): self.start = {mark}clock()
    def __exit__(self, *error): self.seconds = {mark}clock() - self.start
"""
_STOP = "# %% {mark} 0\n{mark}clock() - {mark}time_\n"
_INDENTED = "# %% {mark} 0\nif True:\n"
"""Stands before a cell that is indented as a whole, which IPython takes."""


class CellsLost(Exception):
    """A notebook that a text cannot be written back to; the message says why."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of code: its number among all cells, from 1, its text and its tags."""

    number: int
    text: str
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RawEdit:
    """A stretch of a notebook's file, and what stands there instead."""

    begin: int
    end: int
    text: str


def is_notebook(text: str) -> bool:
    """Is a text a notebook, in whichever file it stands?"""
    found = _json(text) if '"nbformat"' in text else None
    return isinstance(found, dict) and "nbformat" in found and ("cells" in found or "worksheets" in found)


def is_json(text: str) -> bool:
    """Is a text an object or a list of JSON?  Python can read many of these, too."""
    return _json(text) is not None


def python_of(raw: str) -> str:
    """The Python of a notebook as one text, without cells that are not; raises `Unreadable` if it is no notebook."""
    cells = read(raw)
    mark = MARK
    while mark in raw:
        mark += "_"
    text = _joined(cells, mark)
    if parsed(text) is not None:
        return text
    return _joined(cells, mark, {cell.number for cell in cells if _is_broken(with_python(cell.text, mark))})


def _joined(cells: Iterable[Cell], mark: str, broken: Container[int] = ()) -> str:
    texts, is_timing = [], False
    for cell in cells:
        if cell.number in broken:
            head = " ".join(["# %%", mark, str(cell.number), BROKEN])
            texts.append(f"{head}\n{left_out(cell.text, mark)}\n# %% {mark} 0\n{stand_in(cell.text)}")
            continue
        head = " ".join(["# %%", mark, str(cell.number), *cell.tags])
        text = with_python(cell.text, mark)
        stops = is_timed(NEWLINE.split(cell.text))
        is_timing = is_timing or stops or f"with {mark}(" in text
        around = _INDENTED.format(mark=mark) if _is_indented(text) else ""
        texts.append(f"{around}{head}\n{text}\n{_STOP.format(mark=mark) * stops}")
    return (_CLOCK.format(mark=mark) if is_timing else "") + "".join(texts)


def _is_broken(text: str) -> bool:
    return parsed(text) is None and not _is_indented(text)


def _is_indented(text: str) -> bool:
    return text.lstrip("\n")[:1] in (" ", "\t") and parsed(text) is None and parsed(f"if True:\n{text}\n") is not None


def read(raw: str) -> list[Cell]:
    """The cells of Python in a notebook; raises `Unreadable` if it is none."""
    import json

    if not raw.strip():
        return []
    try:
        document = json.loads(raw)
    except ValueError as error:
        raise Unreadable(f"not a notebook: {error}") from error
    except RecursionError as error:
        raise Unreadable("not a notebook: nested too deeply") from error
    if not isinstance(document, dict) or not isinstance(found := _cells_in(document), list):
        raise Unreadable("not a notebook: it has no cells")
    if not _is_of_python(document):
        return []
    return [cell for number, one in enumerate(found, 1) if (cell := _cell(number, one)) is not None]


def _cells_in(document: dict[str, object]) -> object:
    """The cells of a notebook; before version 4 they stand in sheets."""
    sheets = document.get("worksheets")
    if isinstance(sheets, list) and "cells" not in document:
        return [cell for sheet in sheets if isinstance(sheet, dict) for cell in sheet.get("cells") or ()]
    return document.get("cells")


def _is_of_python(document: dict[str, object]) -> bool:
    """Does a notebook run on a kernel of Python?"""
    metadata = _object(document.get("metadata"))
    info, kernel = _object(metadata.get("language_info")), _object(metadata.get("kernelspec"))
    named = info.get("name", kernel.get("language"))
    return not isinstance(named, str) or named.lower() in _PYTHON


def _cell(number: int, found: object) -> Cell | None:
    """A cell, if it is one of Python."""
    if not isinstance(found, dict):
        raise Unreadable(f"not a notebook: cell {number} is no object")
    if found.get("cell_type") != "code":
        return None
    source = found.get("source", found.get("input", ""))
    if not isinstance(source, str):
        if not isinstance(source, list) or not all(isinstance(line, str) for line in source):
            raise Unreadable(f"not a notebook: the source of cell {number} is no text")
        source = "".join(source)
    metadata = _object(found.get("metadata"))
    languages = (found.get("language"), _object(metadata.get("vscode")).get("languageId"))
    if any(isinstance(language, str) and language.lower() not in _PYTHON for language in languages) or not is_python(
        source
    ):
        return None
    tags = metadata.get("tags")
    kept = [tag for tag in tags if isinstance(tag, str) and _TAG.fullmatch(tag)] if isinstance(tags, list) else []
    return Cell(number, source, tuple(kept))


def _object(found: object) -> dict[str, object]:
    return found if isinstance(found, dict) else {}


def _json(text: str) -> object:
    import json

    if not text.lstrip().startswith(("{", "[")):
        return None
    try:
        found: object = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found


def cells_in(text: str) -> dict[int, str]:
    """The cells in a text of `python_of` or one made from it, as they stand in the notebook, by their numbers.

    What stands before the first belongs to it.  Raises `CellsLost` if the text cannot be taken apart.
    """
    found = re.match(rf"(?P<before>[\s\S]*?)^# %% (?P<mark>{MARK}+) \d+", text, re.MULTILINE)
    if found is None:
        raise CellsLost("its cells cannot be told apart")
    mark, before = found["mark"], found["before"]
    clock = _CLOCK.format(mark=mark)
    rest = text[len(before) :]
    rest = rest.removeprefix(clock) if rest.startswith(clock) else rest
    parts = re.split(rf"^# %% {mark} (\d+)(?: (?:[\w.:-]+|{BROKEN}))*\r?\n", rest, flags=re.MULTILINE)
    cells: dict[int, str] = {}
    beside = [each.format(mark=mark).partition("\n")[2] for each in (_STOP, _INDENTED)]
    for number, part in zip(map(int, parts[1::2]), parts[2::2]):
        if number and number not in cells:
            cells[number] = original(part.removesuffix("\n"), mark)
        elif number or (part not in beside and STAND_IN.fullmatch(part) is None):
            raise CellsLost("its cells cannot be told apart")
    if parts[0] or any(mark in cell for cell in cells.values()):
        raise CellsLost("its cells cannot be told apart")
    if before and cells:
        first = next(iter(cells))
        cells[first] = f"{before}{cells[first]}"
    return cells


def raw_edits(raw: str, text: str) -> list[RawEdit]:
    """What to change in a notebook's file so that its cells are those of a text; raises `CellsLost`."""
    if text == python_of(raw):
        return []
    known, wanted = {cell.number: cell.text for cell in read(raw)}, cells_in(text)
    if known.keys() != wanted.keys():
        raise CellsLost("its cells cannot be told apart")
    changed = {number: new for number, new in wanted.items() if new != known[number]}
    if not changed:
        return []
    edits = []
    is_ascii = raw.isascii() and _ESCAPED.search(raw) is not None
    for number, source in enumerate(_sources(raw), 1):
        if number in changed and source is not None:
            edits.append(_edit(raw, source, changed[number], is_ascii))
    return edits


def narrowed(raw: str, edit: RawEdit) -> RawEdit:
    """A change without what stays as it is at both ends of it."""
    old = raw[edit.begin : edit.end]
    before = _common(old, edit.text)
    behind = _common(old[before:][::-1], edit.text[before:][::-1])
    return RawEdit(edit.begin + before, edit.end - behind, edit.text[before : len(edit.text) - behind])


def with_edits(raw: str, edits: list[RawEdit]) -> str:
    """A notebook's file with changes made."""
    for edit in sorted(edits, key=lambda edit: edit.begin, reverse=True):
        raw = raw[: edit.begin] + edit.text + raw[edit.end :]
    return raw


def written(raw: str, text: str) -> str:
    """A notebook's file with the cells of a text; raises `CellsLost`."""
    edits = raw_edits(raw, text)
    new = with_edits(raw, edits)
    try:
        is_right = not edits or {one.number: one.text for one in read(new)} == cells_in(text)
    except Unreadable:
        is_right = False
    if not is_right:
        raise CellsLost("its cells could not be written back")
    return new


def raw_lines(raw: str) -> dict[int, list[int]]:
    """The lines of the file on which the lines of each cell begin, by the number of the cell."""
    starts = [match.end() for match in NEWLINE.finditer(raw)]
    found: dict[int, list[int]] = {}
    for number, source in enumerate(_sources(raw), 1):
        lines = found[number] = list[int]()
        is_begun = False
        for begin, _ in source.strings if source is not None else ():
            here = bisect_right(starts, begin) + 1
            text = _string(raw, begin)
            lines += [here] * ((not is_begun) + len(NEWLINE.findall(text)))
            is_begun = True
            if text.endswith("\n"):
                lines.pop()
                is_begun = False
    return found


@dataclass(frozen=True, slots=True)
class _Source:
    """Where the source of a cell stands in the file: its value, and the strings in it, all with what encloses them."""

    begin: int
    end: int
    strings: tuple[tuple[int, int], ...]


def _sources(raw: str) -> Iterator[_Source | None]:
    """The source of each cell, in the order of the file."""
    for cell, _ in _raw_cells(raw):
        values = {name: place for name, *place in _members(raw, cell)}
        place = values.get("source", values.get("input"))
        if place is None:
            yield None
        else:
            begin, end = place
            is_string = raw[begin] == '"'
            yield _Source(begin, end, ((begin, end),) if is_string else tuple(_elements(raw, begin)))


def _raw_cells(raw: str) -> Iterator[tuple[int, int]]:
    top = {name: begin for name, begin, _ in _members(raw, _after_space(raw, 0))}
    if "cells" in top:
        yield from _elements(raw, top["cells"])
        return
    for sheet, _ in _elements(raw, top["worksheets"]):
        for name, begin, _ in _members(raw, sheet):
            if name == "cells":
                yield from _elements(raw, begin)


@cache
def _decoder() -> JSONDecoder:
    from json import JSONDecoder

    return JSONDecoder()


def _members(raw: str, at: int) -> Iterator[tuple[str, int, int]]:
    """The members of an object: the name, where the value begins and ends."""
    at = _after_space(raw, at + 1)
    while raw[at] != "}":
        name, at = _decoder().raw_decode(raw, at)
        begin = _after_space(raw, _after_space(raw, at) + 1)
        _, end = _decoder().raw_decode(raw, begin)
        yield name, begin, end
        at = _after_comma(raw, end)


def _elements(raw: str, at: int) -> Iterator[tuple[int, int]]:
    """Where the elements of a list begin and end."""
    at = _after_space(raw, at + 1)
    while raw[at] != "]":
        _, end = _decoder().raw_decode(raw, at)
        yield at, end
        at = _after_comma(raw, end)


def _after_space(raw: str, at: int) -> int:
    found = _SPACE.match(raw, at)
    return found.end() if found is not None else at


def _after_comma(raw: str, at: int) -> int:
    at = _after_space(raw, at)
    return _after_space(raw, at + 1) if raw[at] == "," else at


def _string(raw: str, begin: int) -> str:
    found: str = _decoder().raw_decode(raw, begin)[0]
    return found


def _edit(raw: str, source: _Source, new: str, is_ascii: bool) -> RawEdit:
    """The change that makes a source another text: of what is the same, the characters are kept."""
    import json
    from difflib import SequenceMatcher

    if raw[source.begin] == '"':
        return RawEdit(source.begin, source.end, _changed(raw, *source.strings[0], new, is_ascii))
    old, lines = [_string(raw, begin) for begin, _ in source.strings], _LINE.findall(new)
    pieces: list[tuple[int | None, str]] = []
    for what, first, last, start, stop in SequenceMatcher(None, old, lines, autojunk=False).get_opcodes():
        if what == "equal":
            pieces += [(at, raw[slice(*source.strings[at])]) for at in range(first, last)]
            continue
        for number in range(start, stop):
            at = first + number - start if first + number - start < last else None
            kept = _changed(raw, *source.strings[at], lines[number], is_ascii) if at is not None else None
            pieces.append((at, kept if kept is not None else json.dumps(lines[number], ensure_ascii=is_ascii)))
    return RawEdit(source.begin, source.end, _list(raw, source, pieces))


def _list(raw: str, source: _Source, pieces: list[tuple[int | None, str]]) -> str:
    """A list of strings, each with its number in the file if it stands there; separators are those of the file."""
    if not source.strings:
        return f"[{', '.join(piece for _, piece in pieces)}]"
    lead, tail = raw[source.begin + 1 : source.strings[0][0]], raw[source.strings[-1][1] : source.end - 1]
    between = [raw[one[1] : other[0]] for one, other in zip(source.strings, source.strings[1:])]
    usual = between[0] if between else f",{lead}" if lead else ", " if '", "' in raw else ","
    text = ""
    for (before, _), (at, piece) in zip([(None, ""), *pieces], pieces):
        is_next = before is not None and at == before + 1
        text += (between[before] if is_next and before is not None else usual) * bool(text) + piece
    return f"[{lead}{text}{tail}]"


def _changed(raw: str, begin: int, end: int, new: str, is_ascii: bool) -> str:
    """A string of the file, with its quotes, changed where the new one differs."""
    import json

    old = _string(raw, begin)
    places = [begin + 1]
    for piece in _ESCAPE.findall(raw, begin + 1, end - 1):
        places += [places[-1] + 1 + at for at in range(len(piece))] if piece[0] != "\\" else [places[-1] + len(piece)]
    before = _common(old, new)
    behind = _common(old[before:][::-1], new[before:][::-1])
    added = json.dumps(new[before : len(new) - behind], ensure_ascii=is_ascii)[1:-1]
    return raw[begin : places[before]] + added + raw[places[len(old) - behind] : end]


def _common(one: str, other: str) -> int:
    """How many characters two texts begin with in common."""
    return next((at for at, pair in enumerate(zip(one, other)) if pair[0] != pair[1]), min(len(one), len(other)))
