"""The names in a text that are bound more than once or changed in place, found without parsing it.

    config["relu"] = True       config
    model.scale = 2.0           model, scale
    self.buffer[0] = x          buffer; but not scale in `self.scale = x`, which classes know
    buffer.fill(0)              buffer
"""

from __future__ import annotations

import re

MUTATORS = (
    "append", "extend", "insert", "remove", "pop", "clear", "update", "setdefault", "popitem", "add", "discard",
    "sort", "reverse", "fill", "put", "partition", "resize", "itemset", "appendleft", "extendleft", "popleft",
)  # fmt: skip
"""The methods that change a list, dict, set, queue or array of NumPy in place."""

_PARTS = r"(?:\.[^\W\d]\w*|\[[^\]\n]*\])"
_STORED = r"\s*(?:,[^=\n()]*)?(?://|\*\*|<<|>>|[-+*/%@&|^])?=(?!=)"
_CHANGED = re.compile(
    rf"(?<![\w.\])])([^\W\d]\w*)(?:({_PARTS}+){_STORED}|({_PARTS}*)\.(?:{'|'.join(MUTATORS)})\()"
    r"|\bcopyto\(\s*([^\W\d]\w*)(?:\.(\w+))?|\bsetattr\(\s*([^\W\d]\w*)\s*,\s*[\"'](\w+)"
)
_FIELD = re.compile(r"\.([^\W\d]\w*)")
RECEIVERS = frozenset(("self", "cls"))


def changed_names(text: str) -> frozenset[str]:
    """The variables, and the fields of objects, that some statement of a text changes."""
    found: set[str] = set()
    for root, stored, mutated, copied, part, holder, named in _CHANGED.findall(text):
        if copied or holder:
            found.update(filter(None, (copied, part, holder, named)))
            continue
        path = stored or mutated
        fields = _FIELD.findall(path)
        if root not in RECEIVERS:
            found.add(root)
        elif stored and len(fields) == 1 and path == f".{fields[0]}":
            continue
        found.update(fields[:1])
        found.update(fields[-1:])
    return frozenset(found)
