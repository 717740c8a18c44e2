"""Members of enumerations: constants that are compared, as flags and strings are.

    class Mode(Enum):           Mode.TRAIN        "train"
        TRAIN = "train"         Mode("train")     "train"
        EVAL = auto()           Mode.EVAL         "Mode.EVAL"

A member stands for what the class binds to its name, so that a text and the member that has it count as equal, which
Python says of `StrEnum` only; nobody compares them on purpose where they are not.  The number of what is no `IntEnum`
says nothing of its truth, and stands for its name, as what `auto()` makes does.  Members of flags are combined, and
nothing is said of them.
"""

from __future__ import annotations

from flake8_jax.analysis.callables import Arguments, ClassValue
from flake8_jax.analysis.objects.classes import ancestry, library_bases, makes_members
from flake8_jax.domain.constants import OPEN, Constant
from flake8_jax.domain.kinds import OBJECT
from flake8_jax.domain.staging import NONE
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op

FLAGS = frozenset(("enum.Flag", "enum.IntFlag"))
OF_NUMBERS = frozenset(("enum.IntEnum", "int"))
"""The bases by which a member is the number that it stands for."""


def member(owner: ClassValue, name: str, bound: Value, op: Op) -> Value | None:
    """What a name of the body of a class stands for, if that is a member of an enumeration."""
    if name.startswith("_") or not _is_enumeration(owner):
        return None
    known = bound.constant
    if isinstance(known, str) or (isinstance(known, int) and not OF_NUMBERS.isdisjoint(library_bases(owner))):
        return Value(OBJECT, NONE, Constant(known), op)
    is_named = isinstance(known, int) or (known is OPEN and _is_automatic(bound.made_by))
    return Value(OBJECT, NONE, Constant(f"{owner.name}.{name}"), op) if is_named else None


def member_for(owner: ClassValue, arguments: Arguments, op: Op) -> Value | None:
    """What `Mode(x)` gives, if that is known: the member that has this value, or is it."""
    if len(arguments.positional) != 1 or arguments.keywords or arguments.is_open or not _is_enumeration(owner):
        return None
    members = [(bound, member(owner, name, bound, op)) for name, bound in owner.attributes.items()]
    given = arguments.positional[0]
    if any(bound.constant is OPEN for bound, one in members if one is not None):
        return None
    if all(one.constant == bound.constant for bound, one in members if one is not None):
        return given
    found = [one for bound, one in members if one is not None and given.constant in (bound.constant, one.constant)]
    return found[0] if len(found) == 1 else None


def _is_enumeration(owner: ClassValue) -> bool:
    own = ancestry(owner)
    is_looked_up = any("_missing_" in one.attributes or "__new__" in one.attributes for one in own)
    return makes_members(owner) and not is_looked_up and FLAGS.isdisjoint(library_bases(owner))


def _is_automatic(made_by: Op | None) -> bool:
    named = made_by.func if type(made_by) is ops.Call else None
    return isinstance(named, (ops.Name, ops.Attr)) and named.name == "auto"
