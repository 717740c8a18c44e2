"""The names in a text that are bound more than once or changed in place, found without parsing it.

config["relu"] = True       config
model.scale = 2.0           model, scale
self.buffer[0] = x          buffer; but not scale in `self.scale = x`, which classes know
buffer.fill(0)              buffer
"""

from __future__ import annotations

from flake8_jax.lazy_patterns import compiled

OF_CONTAINERS = (
    "append", "extend", "insert", "remove", "pop", "clear", "update", "setdefault", "popitem", "add", "discard",
    "sort", "reverse", "appendleft", "extendleft", "popleft", "rotate", "subtract",
)  # fmt: skip
"""The methods that change a list, dict, set, counter or queue in place."""

MUTATORS = (*OF_CONTAINERS, "fill", "put", "partition", "resize", "itemset")
"""The methods that change a container or an array of NumPy in place."""

_NAME = r"[^\W\d]\w*"
_PARTS = rf"(?:\.{_NAME}|\[[^\]\n]*\])"
_STORED = compiled(rf"[\n;][ \t]*({_NAME})({_PARTS}+)\s*(?:,[^=\n()]*)?(?://|\*\*|<<|>>|[-+*/%@&|^])?=(?!=)")
_MUTATED = compiled(rf"\.(?:{'|'.join(MUTATORS)})\(")
_HOLDER = compiled(rf"({_NAME})({_PARTS}*)$")
_CALLED = compiled(rf"(?:copyto|setattr)\(\s*({_NAME})({_PARTS}*)(?:\s*,\s*[\"'](\w+))?")
_DELETED = compiled(rf"del[ \t]+({_NAME})({_PARTS}+)")
_FIELD = compiled(r"\.([^\W\d]\w*)")
RECEIVERS = frozenset(("self", "cls"))


def changed_names(text: str) -> frozenset[str]:
    """The variables, and the fields of objects, that some statement of a text changes."""
    found: set[str] = set()
    for root, path in _STORED.findall(f"\n{text}"):
        if root not in RECEIVERS or not (path.count(".") == 1 and "[" not in path):
            _note(found, root, path)
    for match in _MUTATED.finditer(text):
        start = match.start()
        holder = _HOLDER.search(text, text.rfind("\n", 0, start) + 1, start)
        if holder is not None:
            _note(found, *holder.groups())
    if "copyto(" in text or "setattr(" in text:
        for root, path, named in _CALLED.findall(text):
            _note(found, root, f"{path}.{named}" if named else path)
    for root, path in () if "del " not in text else _DELETED.findall(text):
        _note(found, root, path)
    return frozenset(found)


def _note(found: set[str], root: str, path: str) -> None:
    fields = _FIELD.findall(path)
    if root not in RECEIVERS:
        found.add(root)
    found.update(fields[:1])
    found.update(fields[-1:])
