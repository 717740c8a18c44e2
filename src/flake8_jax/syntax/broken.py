r"""Cells of a notebook that are not Python: they are left out, so that the others can be judged.

# %% _ipython_ 3 !                              the mark of a cell that is left out
import jax                                      its imports are kept,
# _ipython_ key, sub = jax.random.split(key     all other lines are a comment
# %% _ipython_ 0
[key, sub] = get_ipython(key, jax, sub)         what it binds is not known any more; what it names may be read
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from keyword import iskeyword

from flake8_jax.lazy_patterns import compiled
from flake8_jax.syntax.text import NEWLINE, parsed

BROKEN = "!"
"""Stands among the tags of a cell that is left out; a notebook has no such tag."""

STAND_IN = compiled(r"(?:\[[\w, ]+\] = )?get_ipython\([\w, ]*\)\r?\n")
"""What stands behind a cell that is left out."""

_WORD = compiled(r"(?<![\w.])[^\W\d]\w*")
_TARGETS = r"[(\[*]*\w+(?:\s*[)\]]*\s*,\s*[(\[*]*\w+)*\s*,?\s*[)\]]*\s*"
_ASSIGNED = compiled(rf"(?:^|;)\s*(?:{_TARGETS}(?::[^=]*|//|\*\*|<<|>>|[-+*/%@&|^])?=(?!=)\s*)+")
_BOUND = compiled(
    r"(?P<walrus>\w+)\s*:="
    r"|\bfor\s+(?P<loop>[\w\s,()*]+?)\s+in\b"
    r"|\b(?:as|del)\s+(?P<named>\w+)"
    r"|^(?:async\s+def|def|class)\s+(?P<defined>\w+)"
)  # fmt: skip
_DEFINES = compiled(r"(?:async\s+def|def|class)\b")
_IMPORTS = compiled(r"(?:import|from)\s")


def left_out(text: str, mark: str) -> str:
    """A cell without what is not Python in it, with as many lines, from which it can be made again."""
    lines, ends = NEWLINE.split(text), [*NEWLINE.findall(text), ""]
    kept = (line if not line.strip() or _is_import(line) else f"# {mark} {line}" for line in lines)
    return "".join(line + end for line, end in zip(kept, ends))


def stand_in(text: str) -> str:
    """What stands behind a cell that is left out, so that nothing is believed of what it may have changed."""
    lines = [line for line in NEWLINE.split(text) if not _is_import(line)]
    bound = ", ".join(dict.fromkeys(_names(_bound(lines))))
    read = ", ".join(dict.fromkeys(_names(word for line in lines for word in _WORD.findall(line))))
    return (f"[{bound}] = " if bound else "") + f"get_ipython({read})\n"


def _is_import(line: str) -> bool:
    return _IMPORTS.match(line) is not None and parsed(line) is not None


def _bound(lines: Sequence[str]) -> Iterator[str]:
    """The words that lines bind at the top, as far as that can be seen of what is not Python."""
    is_in_definition = False
    for line in lines:
        if line.strip() and not line[0].isspace():
            is_in_definition = _DEFINES.match(line) is not None
        elif is_in_definition:
            continue
        for found in (*_ASSIGNED.finditer(line), *_BOUND.finditer(line)):
            for part in found.groups() if found.re is _BOUND else found[0].split("="):
                yield from _WORD.findall((part or "").partition(":")[0])


def _names(words: Iterable[str]) -> Iterator[str]:
    return (word for word in words if not iskeyword(word))
