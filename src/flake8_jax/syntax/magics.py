"""What IPython takes in a cell and Python does not: magics, shell lines, requests for help.

Each such line becomes Python with as much on it, from which the line can be made again:

    %matplotlib inline             pass  # _ipython_ %matplotlib inline
    files = !ls                    files = get_ipython()  # _ipython_ !ls
    %timeit -n 10 step(x)          with _ipython_("%timeit -n 10 "): step(x)
    %%time                         _ipython_time_ = _ipython_clock()  # _ipython_ %%time

What counts as one is as IPython 9 has it; of what it calls automagic, the commands that stand in notebooks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from flake8_jax.lazy_patterns import compiled
from flake8_jax.syntax.text import NEWLINE, parsed

MARK = "_ipython_"
"""What marks a line that was changed.  Where a notebook has the word, it gets longer."""

PYTHON_CELLS = frozenset((
    "capture", "debug", "heat", "ipytest", "lprun", "memit", "mprun", "notify", "prun", "pyinstrument", "scalene",
    "snakeviz", "time", "timeit", "wandb",
))  # fmt: skip
"""The magics whose cells are Python below their first line, run with the names of the notebook."""

TIMING_CELLS = frozenset(("time", "timeit"))

_OPTIONS = r"(?:--no-raise-error\s+|-[tcqov]+\s+|-[nrp]\s*\d+\s+)*"
_TIMING = compiled(rf"(?P<head>\s*(?:[A-Za-z_]\w*\s*=\s*)?%time(?:it)?\s+{_OPTIONS})(?P<code>[^\s-].*)")
_ESCAPED = compiled(r"\s*(?:[%!?]|[,;/](?=\S))")
_HELP = compiled(r"\s*%{0,2}(?!\d)[\w*]+(?:\.[\w*]+|\[[^\[\]]*\])*\s*\?\??\s*")
_ASSIGNED = compiled(r"(?P<head>\s*[A-Za-z_][\w.,\s\[\]'\"*()]*?\s*=\s*)(?P<magic>!|%(?=[A-Za-z_]))")
_CALLED = compiled(r"\s*get_ipython\(\)\s*\.\s*\w+\(.*\)\s*;?\s*(?:#.*)?")
_COMMANDS = (
    "apt|apt-get|cat|cd|conda|cp|git|ls|mamba|mkdir|mv|pip|pip3|rm|uv|wget|"
    "load_ext|matplotlib|pylab|run|time|timeit"
)  # fmt: skip
_AUTOMAGIC = compiled(rf"(?:{_COMMANDS})[ \t]+(?!(?:in|is|if|or|and|not|for|else|as)\b)[\w./~\"'$-](?!=)")
_CELL = compiled(r"\s*%%(?P<name>\S+).*")
_PIECE = compiled(
    r"#.*|'''|\"\"\"|'(?:\\.|[^'\\])*'?|\"(?:\\.|[^\"\\])*\"?|(?P<open>[(\[{])|(?P<close>[)\]}])|(?P<joined>\\)$"
)
_MAY_HOLD = compiled(r"^\s*[%!?,;/]|\?\s*$|=\s*[!%]|get_ipython|^(?:" + _COMMANDS + r")[ \t]", re.MULTILINE)


def is_timed(lines: Sequence[str]) -> bool:
    """Does one of the magics that a cell begins with take the time of it?"""
    return any(name in TIMING_CELLS for name in _cell_magics(lines))


def is_python(text: str) -> bool:
    """Is what stands in a cell Python, below the magics that it begins with?"""
    return all(name in PYTHON_CELLS for name in _cell_magics(NEWLINE.split(text)))


def with_python(text: str, mark: str) -> str:
    """A cell with what is IPython's alone made Python, line by line."""
    if _MAY_HOLD.search(text) is None:
        return text
    lines, ends = NEWLINE.split(text), [*NEWLINE.findall(text), ""]
    return "".join(line + end for line, end in zip(_changed(lines, mark), ends))


def original(text: str, mark: str) -> str:
    """The inverse of `with_python`."""
    if mark not in text:
        return text
    lines, ends = NEWLINE.split(text), [*NEWLINE.findall(text), ""]
    return "".join(original_line(line, mark) + end for line, end in zip(lines, ends))


def original_line(line: str, mark: str) -> str:
    """A line as it stands in its cell."""
    import json

    if mark not in line:
        return line
    timed, blank, assigned = (pattern.fullmatch(line) for pattern in _patterns(mark))
    if timed is not None:
        return f"{timed['indent']}{json.loads(timed['head'])}{timed['rest']}"
    if assigned is not None:
        return f"{assigned['head']}{assigned['rest']}"
    return f"{blank['indent']}{blank['rest']}" if blank is not None else line


def original_column(line: str, column: int, mark: str) -> int:
    """Where a column of a line stands in its cell."""
    import json

    timed = _patterns(mark)[0].fullmatch(line) if mark in line else None
    if timed is None:
        return column
    head, rest = len(timed["indent"]) + len(json.loads(timed["head"])), timed.start("rest")
    return column - rest + head if column >= rest else 0


@lru_cache(maxsize=8)
def _patterns(mark: str) -> tuple[re.Pattern[str], ...]:
    word = re.escape(mark)
    return (
        re.compile(rf"(?P<indent>\s*)with {word}\((?P<head>\"(?:[^\"\\]|\\.)*\")\): (?P<rest>.*)"),
        re.compile(rf"(?P<indent>\s*)(?:pass  |\w+ = {word}clock\(\)  )?# {word} (?P<rest>.*)"),
        re.compile(rf"(?P<head>.*)get_ipython\(\)  # {word} (?P<rest>.*)"),
    )


def _cell_magics(lines: Sequence[str]) -> Iterator[str]:
    """The names of the magics that a cell begins with."""
    for line in lines:
        found = _CELL.fullmatch(line)
        if found is not None:
            yield found["name"]
        elif line.strip():
            return


def _changed(lines: Sequence[str], mark: str) -> Iterator[str]:
    """The lines of a cell as Python."""
    number, is_head = 0, True
    quote, depth, is_joined = "", 0, False
    while number < len(lines):
        line = lines[number]
        if is_head and (not line.strip() or (found := _CELL.fullmatch(line)) is not None):
            is_timing = bool(line.strip()) and found is not None and found["name"] in TIMING_CELLS
            yield line if not line.strip() else _head_line(line, is_timing, mark)
            number += 1
            continue
        is_head = False
        if not quote and not depth and not is_joined and (changed := _python(line, mark)) is not None:
            yield changed
            while lines[number].endswith("\\") and number + 1 < len(lines):
                number += 1
                yield f"# {mark} {lines[number]}"
        else:
            quote, depth, is_joined = _state_after(line, quote, depth)
            yield line
        number += 1


def _head_line(line: str, is_timing: bool, mark: str) -> str:
    if is_timing:
        return f"{mark}time_ = {mark}clock()  # {mark} {line}"
    return f"pass  # {mark} {line}"


def _python(line: str, mark: str) -> str | None:
    """A line that begins a statement as Python; None if it is Python."""
    import json

    stripped = line.lstrip()
    indent = line[: len(line) - len(stripped)]
    if (assigned := _ASSIGNED.match(line)) is not None or _ESCAPED.match(line) is not None:
        timed = _TIMING.fullmatch(line)
        if timed is not None and not line.endswith("\\") and parsed(f"with a: {timed['code']}") is not None:
            return f"{indent}with {mark}({json.dumps(timed['head'][len(indent) :])}): {timed['code']}"
        if assigned is not None and parsed(f"{assigned['head'].strip()} 0") is not None:
            return f"{assigned['head']}get_ipython()  # {mark} {line[assigned.end('head') :]}"
        return f"{indent}pass  # {mark} {stripped}" if assigned is None else None
    if _HELP.fullmatch(line) is not None or _CALLED.fullmatch(line) is not None or _AUTOMAGIC.match(line) is not None:
        return f"{indent}pass  # {mark} {stripped}"
    return None


def _state_after(line: str, quote: str, depth: int) -> tuple[str, int, bool]:
    """The string of several lines that is open at the end of a line, how many brackets are, and is it joined?"""
    at = 0
    while True:
        if quote:
            end = re.compile(rf"(?:\\.|(?!{quote}).)*{quote}").match(line, at)
            if end is None:
                return quote, depth, False
            at, quote = end.end(), ""
        found = _PIECE.search(line, at)
        if found is None:
            return "", depth, False
        at = found.end()
        if found["joined"]:
            return "", depth, True
        if found["open"]:
            depth += 1
        elif found["close"]:
            depth = max(depth - 1, 0)
        elif found[0] in ("'''", '"""'):
            quote = found[0]
