"""Compound annotations: types with parameters, and unions.

Float[Array, "n"]               its first parameter
Optional[Env], Env | None       Env, for attributes of the parameter
Optional[int]                   a value of the host
Optional[str]                   a text, or absent
Array | Tracer                  an array of JAX
Union[np.ndarray, jax.Array]    an array, of JAX or NumPy
float | jax.Array               an array or a number
"""

from __future__ import annotations

from flake8_jax.analysis.frame import Frame, note_unknown
from flake8_jax.domain.kinds import API, CLASS, TUPLE
from flake8_jax.domain.value import Value, constant

ARRAY_OF_EITHER_LIBRARY = "jax.Array | numpy.ndarray"
"""The name of the type of arrays of whichever library, which has none of its own."""

HOST = "int | str | None"
"""The name of the type of what is of the host or absent."""

TEXT_OR_ABSENT = "str | None"
"""The name of the type of what is a text or absent: JAX takes no text, so that what it traces is absent."""

OF_HOST = "container of int | str"
"""The name of the type of containers of values of the host alone."""

CONTAINERS = frozenset(("tuple", "list", "set", "frozenset")) | {
    f"{module}.{name}"
    for module in ("typing", "collections.abc")
    for name in ("Tuple", "List", "Set", "FrozenSet", "Sequence", "Iterable", "Collection")
}

SCALAR_TYPES = frozenset(("int", "bool", "str", "bytes"))
HOST_TYPES = SCALAR_TYPES | {HOST, TEXT_OR_ABSENT}
NUMERIC = "jax.typing.ArrayLike"
UNIONS = frozenset(("typing.Optional", "typing.Union"))
NUMBERS = frozenset(("int", "float", "complex", "bool", "numpy.number", "numpy.generic", "numpy.bool_"))
CHOICES: dict[frozenset[str], str] = {
    frozenset(("number",)): "float",
    frozenset(("array",)): "jax.Array",
    frozenset(("numpy",)): "numpy.ndarray",
    frozenset(("array", "numpy")): ARRAY_OF_EITHER_LIBRARY,
    frozenset(("array", "number")): NUMERIC,
    frozenset(("array", "numpy", "number")): NUMERIC,
}


def subscripted(frame: Frame, base: Value, index: Value) -> Value:
    """A type with parameters."""
    if base.kind is CLASS:
        return base
    if base.name in UNIONS:
        return united(frame, (index.elements or ()) if index.kind is TUPLE else (index, constant(None)))
    if frame.program.table.annotation(base.name) == "wrapper":
        inner = index.elements[0] if index.kind is TUPLE and index.elements else index
        return inner if inner.kind is API else note_unknown(frame, "subscripted type")
    if frame.program.table.annotation(base.name) is not None:
        return base
    held = index.elements if index.kind is TUPLE else (index,)
    is_known = bool(held) and all(element.name in SCALAR_TYPES or element.constant is ... for element in held or ())
    if base.name in CONTAINERS and is_known:
        return frame.program.api(OF_HOST)
    return note_unknown(frame, "subscripted type")


def united(frame: Frame, parts: tuple[Value, ...]) -> Value:
    """A union of types: a class of the project or None, or kinds of arrays and numbers.

    Other unions promise nothing.
    """
    classes = [part for part in parts if part.kind is CLASS]
    rest = [part for part in parts if part.kind is not CLASS]
    if len(classes) == 1 and len(rest) == 1 and rest[0].constant is None:
        return classes[0]
    if all(part.name in HOST_TYPES or part.constant is None for part in parts):
        return frame.program.api(HOST if any(part.name in NUMBERS for part in parts) else TEXT_OR_ABSENT)
    words: set[str] = set()
    for part in parts:
        words |= _words(frame, part)
    name = CHOICES.get(frozenset(words))
    return note_unknown(frame, "subscripted type") if name is None else frame.program.api(name)


def _words(frame: Frame, part: Value) -> frozenset[str]:
    """The kinds of the members of a union: arrays of JAX or of NumPy, numbers, or others."""
    if part.kind is not API:
        return frozenset(("else",))
    if part.name == ARRAY_OF_EITHER_LIBRARY:
        return frozenset(("array", "numpy"))
    if part.name in NUMBERS:
        return frozenset(("number",))
    word = frame.program.table.annotation(part.name)
    return frozenset(("array", "number")) if word == "numeric" else frozenset((word or "else",))


def is_array(frame: Frame, annotation: Value | None) -> bool:
    """Does an annotation promise an array, or a number in its place, of an unspecified library?"""
    return annotation is not None and annotation.kind is API and (
        annotation.name == ARRAY_OF_EITHER_LIBRARY or frame.program.table.annotation(annotation.name) == "numeric"
    )  # fmt: skip
