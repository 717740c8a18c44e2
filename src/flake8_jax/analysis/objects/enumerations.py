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

from flake8_jax.analysis.callables import Arguments, ClassValue, Members
from flake8_jax.analysis.objects.classes import ancestry, library_bases, makes_members
from flake8_jax.domain.constants import OPEN, Constant, NotConstant
from flake8_jax.domain.kinds import OBJECT
from flake8_jax.domain.staging import NONE
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.ir.parts import Host

FLAGS = frozenset(("enum.Flag", "enum.IntFlag"))
OF_NUMBERS = frozenset(("enum.IntEnum", "int"))
"""The bases by which a member is the number that it stands for."""


def member(owner: ClassValue, name: str, op: Op) -> Value | None:
    """What a name of the body of a class stands for, if that is a member of an enumeration."""
    found = _members(owner).by_name.get(name)
    return Value(OBJECT, NONE, found, op) if found is not None else None


def member_for(owner: ClassValue, arguments: Arguments, op: Op) -> Value | None:
    """What `Mode(x)` gives, if that is known: the member that has this value, or is it."""
    if len(arguments.positional) != 1 or arguments.keywords or arguments.is_open or not makes_members(owner):
        return None
    members, given = _members(owner), arguments.positional[0]
    if members.are_as_bound:
        return given
    found = members.by_value.get(given.constant) if not isinstance(given.constant, NotConstant) else None
    return Value(OBJECT, NONE, found, op) if found is not None else None


def _members(owner: ClassValue) -> Members:
    """The members of an enumeration, found once; none of another class."""
    if owner.members is None:
        names, values, is_known = dict[str, Constant](), dict[Host, Constant](), True
        for name, bound in owner.attributes.items() if _is_enumeration(owner) else ():
            found = _stands_for(owner, name, bound)
            if found is not None:
                names[name] = values[found.value] = found
                is_known = is_known and not isinstance(bound.constant, NotConstant)
            if found is not None and not isinstance(bound.constant, NotConstant):
                values[bound.constant] = found
        are_as_bound = bool(names) and is_known and all(value == one.value for value, one in values.items())
        owner.members = Members(names, values if is_known else {}, are_as_bound)
    return owner.members


def _stands_for(owner: ClassValue, name: str, bound: Value) -> Constant | None:
    known = bound.constant
    if name.startswith("_"):
        return None
    if isinstance(known, str) or (isinstance(known, int) and not OF_NUMBERS.isdisjoint(library_bases(owner))):
        return Constant(known)
    is_named = isinstance(known, int) or (known is OPEN and _is_automatic(bound.made_by))
    return Constant(f"{owner.name}.{name}") if is_named else None


def _is_enumeration(owner: ClassValue) -> bool:
    own = ancestry(owner)
    is_looked_up = any("_missing_" in one.attributes or "__new__" in one.attributes for one in own)
    return makes_members(owner) and not is_looked_up and FLAGS.isdisjoint(library_bases(owner))


def _is_automatic(made_by: Op | None) -> bool:
    named = made_by.func if type(made_by) is ops.Call else None
    return isinstance(named, (ops.Name, ops.Attr)) and named.name == "auto"
