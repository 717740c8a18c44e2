"""What to write instead, in the user's own names where these are evident: the end of a message.

    x[0] += y               use `x = x.at[0].add(y)`
    normal(key)             split it first: `key, sub = jr.split(key)`
    jnp.mean([a, b])        use `jnp.stack([a, b])`
    print(f"loss {loss}")   use `jax.debug.print("{}", loss)`

What tests ask for stands in `selections.py`.  Texts that would be long are shortened, as in all messages.
"""

from __future__ import annotations

import ast
from typing import Literal, TypeAlias

from flake8_jax.analysis.callables import InstanceOf
from flake8_jax.analysis.checks import context
from flake8_jax.analysis.checks.advice.kinds import REDUCING
from flake8_jax.analysis.checks.naming import FREE, imported_as, imported_name, is_local, scope_of, unused
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.isolation import ADVICE, advising
from flake8_jax.analysis.labels.tables import SEEDED
from flake8_jax.analysis.objects.classes import ancestry
from flake8_jax.analysis.objects.narrowing import peek
from flake8_jax.api.class_decorators import PLAIN_BASES
from flake8_jax.api.passing import CHANGED_ARGUMENT, LEAVES
from flake8_jax.api.table import load
from flake8_jax.domain.kinds import API, ARRAY, DICT, KEYS, LIST, NUMBER, TUPLE
from flake8_jax.domain.payload import OF_ARRAY
from flake8_jax.domain.shape import Shape
from flake8_jax.domain.staging import Token
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import is_enclosed, phrase
from flake8_jax.ir.rewrite import ChangedOp, LibraryName, Piece, Quoted, Rewrite, spelt, unsafe
from flake8_jax.ir.scope import Scope
from flake8_jax.lazy_dataclasses import dataclass, replace
from flake8_jax.lazy_patterns import compiled
from flake8_jax.syntax.layout import Layout
from flake8_jax.syntax.positions import spelling, text_behind, unpacked

PartOf: TypeAlias = Literal["", "object", "frozen", "tuple", "array", "array of object"]
"""What an array is a part of: unknown, an object that can be assigned to, one that is replaced, another array, or one
that is a field of such an object."""

BASE, GIVEN, WHOLE, INDEX, LONGEST = 60, 30, 60, 40, 95
MOST = 8
"""How many uses of a key are asked what they tell of it."""

METHODS = {"+": "add", "-": "subtract", "*": "multiply", "/": "divide", "**": "power"}
"""The methods of `x.at[i]` for `x[i] += y` and its like."""

OF_SIZES = {"jax.numpy.prod": "math.prod", "jax.numpy.sum": "sum", "jax.numpy.max": "max", "jax.numpy.min": "min"}
"""The functions of Python for a tuple of sizes."""

SIGNS = "+-*/%<>=!&|^"
"""The characters of operators that join arrays element by element."""

PURE = frozenset(("abs", "int", "len", "max", "min", "range", "slice", "tuple"))
"""Builtins that an index may call."""

TEXTS = frozenset(("str", "repr", "format"))
PASSING = frozenset(("jax.lax.stop_gradient", "jax.lax.with_sharding_constraint", "jax.device_put"))
"""What returns its argument, with something said of it that the argument itself does not have."""

SUMMARIZING = REDUCING | {
    "average", "count_nonzero", "dot", "matmul", "median", "nanmax", "nanmean", "nanmin", "nansum", "ptp", "trace",
    "vdot",
}  # fmt: skip
"""The functions and methods whose result is something else than the array that they are given."""

TESTS = frozenset(("allclose", "array_equal", "array_equiv"))
"""The functions that tell whether arrays are alike."""

OF_OTHERS = compiled(
    r"(arg|is|logical_)\w+|\w+_like|diff|digitize|(flat)?nonzero|histogram|searchsorted|sign|unique|where"
)
"""The functions whose result has other things in it than the array that they are given."""

COMPILING = frozenset(("jit", "filter_jit", "checkpoint", "remat"))
"""What makes a function that is called like the one that it is given."""

SEVERAL = ("keys", "rngs", "seeds")
"""How names of many keys end: a stack of them, one for each device, cannot be split as one."""

RUNNING = frozenset(("associative_scan", "cond", "fori_loop", "map", "scan", "switch", "tree_map", "while_loop"))
"""The functions of JAX that run others, with what these are given."""


@dataclass(frozen=True, slots=True)
class Advice:
    """What to write instead: the end of a message, and the changes that write it, where these are certain."""

    text: str
    rewrite: Rewrite | None = None


NO_ADVICE = Advice("")

TO_CALLER = "return what `{}` makes, and bind that to `{}` where the function is called"
AS_A_TEST = "put `assert` before it if it is a check, or delete the line"
"""What becomes of a comparison whose result nobody looks at."""


def library_name(scope: Scope | None, dotted: str) -> LibraryName:
    """A name of a library, as the code in a scope can write it."""
    return LibraryName(dotted, imported_as(scope, dotted), scope)


def can_bind(frame: Frame, key: str) -> bool:
    """May code here bind this key anew, under its own name?"""
    return (key.isidentifier() and is_local(frame.function.scope, key)) or _is_assignable_field(frame, key)


def may_be_several(frame: Frame, value: Value, key: str) -> bool:
    """Is it called like keys, such as one for each device, where nothing says that it is one?

    A function of a library that is given it takes one key, and what makes a key of a seed gives one.
    """
    if not key.endswith(SEVERAL) or value.kind is KEYS:
        return False
    uses = [one for one in frame.live().used.get(value.original)[:MOST] if not _is_of_lanes(one.op)]
    made_by, draws = value.original.made_by, [one.draw for one in uses]
    is_made = type(made_by) is ops.Call and imported_name(made_by.func) in SEEDED
    return not is_made and not any(draw is not None and draw.by and not draw.inner for draw in draws)


def _is_of_lanes(op: Op) -> bool:
    """Is it a call of a function that is mapped there: `vmap(f)(keys)`?"""
    over = op.func if type(op) is ops.Call else None
    return type(over) is ops.Call and imported_name(over.func) in ("jax.vmap", "jax.pmap")


@advising(ADVICE, "")
def split_first(frame: Frame, are_many: bool, line: int = 0, may_be_many: bool = False, key: str = "") -> str:
    """How to make another key of one that is used up, or of each of many; `line` is that of the first use.

    `may_be_many`: nothing says whether it is one, which alone can be split as it is.  A lambda has no place for the
    split of a `key` that is its own.
    """
    scope = frame.function.scope
    split = imported_as(scope, "jax.random.split")
    when = f"before line {line}" if line and line != frame.function.anchor.line else "first"
    if frame.function.kind == "lambda" and key and is_local(scope, key):
        return f"write a function in place of the lambda, which splits `{key}` first, with `{split}`"
    if may_be_many:
        return f"make new keys of it {when}, and give each use its own"
    if are_many:
        each = f"{imported_as(scope, 'jax.vmap')}({split})"
        return f"split each of these keys {when}, with `{each}`, and give each use a column of what that returns"
    return f"split it {when}, with `{split}`, and give each use a key of its own"


def split_in_loop(frame: Frame, key: str, are_many: bool = False, is_counted: bool = True) -> str:
    """How to give each iteration of a loop of Python a key; or keys, where `are_many` are in an array.

    `is_counted`: how many iterations there are is known before.
    """
    split = imported_as(frame.function.scope, "jax.random.split")
    if not key:
        return "give it a new key in each iteration, as an argument"
    if are_many:
        return f"make new keys in each iteration, with `{split}`, of one key that is split there, too"
    if can_bind(frame, key):
        return f"split off a new key in each iteration, with `{split}`"
    if not is_counted:
        fold = imported_as(frame.function.scope, "jax.random.fold_in")
        return f"fold the number of the iteration into it, with `{fold}`"
    return f"split it before the loop, with `{split}`, into one key for each iteration"


def split_and_hand_back(frame: Frame, by: str) -> str:
    """How a function that is handed its own result again gets another key each time."""
    split = imported_as(frame.function.scope, "jax.random.split")
    return f"split it in `{by}`, with `{split}`: use one of the new keys there, and hand the other back"


def split_and_store(frame: Frame, by: str) -> str:
    """How a method that draws from a key of its object leaves another one there."""
    split = imported_as(frame.function.scope, "jax.random.split")
    return f"split it in `{by}`, with `{split}`: use one of the new keys there, and store the other"


def split_and_pass_on(frame: Frame) -> str:
    """How to use a key and still have a fresh one."""
    split = imported_as(frame.function.scope, "jax.random.split")
    return f"split it first, with `{split}`: use one of the new keys here, and pass on the other"


def is_single(value: Value, inside: Value | None = None, op: Op | None = None) -> bool:
    """Is it one key, also in what uses it, where `op` uses it?"""
    over = op.func if type(op) is ops.Call else None
    is_alone = type(over) is ops.Call and len(over.args) == 1 and not over.keywords  # without axes, all are mapped
    is_of_lanes = type(over) is ops.Call and is_alone and imported_name(over.func) == "jax.vmap"
    return value.kind is not KEYS and not is_of_lanes and (inside is None or not _is_mapped(inside))


def _is_mapped(value: Value) -> bool:
    """Is it what each lane of a map gets?"""
    return any(type(dependence) is Token and dependence.trace.role == "mapped by" for dependence in value.dependences)


@advising(ADVICE, NO_ADVICE)
def derived(op: Op, is_one: bool, is_by_numbers: bool = False, key: Op | None = None) -> Advice:
    """How to make another key of one or of several, for arithmetic on it: which old-style keys allow.

    In a sum of several, one of them is the `key`.

    `fold_in` takes one key and one number; by an array of numbers, or of several keys, it makes others under `vmap`.
    """
    derive, over = (library_name(scope_of(op), f"jax.{name}") for name in ("random.fold_in", "vmap"))
    parts = op.operands if type(op) is ops.Operate else ()
    if is_by_numbers:
        return Advice(f"use `{derive.text}` under `{over.text}`, which makes a key for each number")
    if not is_one and type(op) is ops.Operate and len(parts) == 2 and op.operator == "+":
        pair = parts if type(parts[0]) is not ops.Const else parts[::-1]
        mapped: tuple[Piece, ...] = (over, "(", derive, ", (0, None))(", Quoted(pair[0]), ", ", Quoted(pair[1]), ")")
        return Advice(f"use `{spelt(*mapped)}`", unsafe(Rewrite((ChangedOp(op, mapped),))))
    if is_one and type(op) is ops.Operate and len(parts) == 2 and op.operator == "+":
        added = _added(op)
        one = key or next((part for part in added if type(part) is not ops.Const), op)
        pieces: tuple[Piece, ...] = (Quoted(one),)
        for number in added:  # apart, so that sums that are alike give different keys
            pieces = (derive, "(", *pieces, ", ", Quoted(number), ")") if number is not one else pieces
        if one in added and type(one) is not ops.Operate:
            return Advice(f"use `{spelt(*pieces)}`", unsafe(Rewrite((ChangedOp(op, pieces),))))
    return Advice(f"use `{derive.text}` to derive another key")


def _added(op: Op) -> list[Op]:
    """What a sum is made of: three parts of `key + 1 + i`."""
    if type(op) is not ops.Operate or op.operator != "+" or len(op.operands) != 2:
        return [op]
    return [part for operand in op.operands for part in _added(operand)]


@advising(ADVICE, NO_ADVICE)
def from_a_key(scope: Scope | None, op: Op) -> Advice:
    """How to make a key of a number."""
    make = library_name(scope, "jax.random.key")
    pieces: tuple[Piece, ...] = (make, "(", Quoted(op), ")")
    is_whole = "..." not in phrase(op)
    return Advice(f"use `{spelt(*pieces) if is_whole else make.text}`", Rewrite((ChangedOp(op, pieces),)))


@advising(ADVICE, "")
def one_of_them(op: Op, keys: Value) -> str:
    """How to take one key of an array of keys."""
    made_by, scope = keys.made_by, scope_of(op)
    if type(op) is not ops.Name or scope is None:
        return "use one of them, by its index"
    if type(made_by) is ops.Call and made_by.args and phrase(made_by.args[0]) == op.name:
        return f"bind each: `{op.name}, {unused(scope, FREE, op.name)} = {phrase(made_by)}`"
    return f"use one of them: `{op.name}[0]`"


@advising(ADVICE, NO_ADVICE)
def with_the_names(call: ops.Call, names: int, is_there: bool) -> Advice:
    """How to split a key into as many as there are names."""
    if not (is_there and call.args):
        return Advice("bind as many names as there are keys")
    count = f", {names}" if names != 2 else ""
    pieces: tuple[Piece, ...] = (Quoted(call.func, INDEX, "owner"), "(", Quoted(call.args[0]), f"{count})")
    return Advice(f"use `{spelt(*pieces)}`", Rewrite((ChangedOp(call, pieces),)))


def pass_in(function: str, owner: str = "", is_once: bool = False, is_bound: bool = False) -> str:
    """How to give a function another key for each call, which it captures, or an object that is known holds.

    `is_once`: nothing repeats the call, so that a key of its own is enough for the object.  `is_bound`: the function
    is a partial one that has the key among its arguments.
    """
    if is_bound:
        return f"leave the key out where `{function}` is made, and give each call a new one"
    if function.endswith(")") or function.rpartition(".")[2].partition("(")[0] in RUNNING:
        return f"give what `{function}` runs a key of its own, split off before"
    if owner and owner != "self":
        own = f"give `{owner}` a key of its own where it is made"
        return own if is_once else f"{own}, or each call of `{function}` a new one"
    return f"give each call of `{function}` a new key, in its arguments"


def hand_in(frame: Frame, by: str, key: str, is_called: bool) -> str:
    """How a method, which `is_called` here, gets another key for each call, as its object holds the same one."""
    split = imported_as(frame.function.scope, "jax.random.split")
    if is_called:
        return f"give each call of `{by}` a new key, as an argument: `{key}` is the same in each call"
    return f"pass a key to `{by}`, and split it there, with `{split}`: `{key}` is the same in each call"


def put_into_copy(frame: Frame, by: str, attribute: str, copy: ops.Call) -> str:
    """How a method that returns a copy of its object gives that another key than it has used up."""
    path = copy.anchor.origin.shown
    where = context.place(path, copy.anchor.line, path != frame.namespace.path)
    return f"put a new key into what `{by}` returns: `{attribute}=...` in `{phrase(copy.func)}(...)` {where}"


def _is_assignable_field(frame: Frame, path: str) -> bool:
    owner, dot, name = path.rpartition(".")
    held = frame.live().names.get(owner) if dot and owner.isidentifier() and name.isidentifier() else None
    return held is not None and holder_of(held) == "object"


def holder_of(owner: Value) -> PartOf:
    """What kind of object a value is, as to storing parts of it."""
    if owner.kind is LIST or owner.kind is DICT or owner.payload is OF_ARRAY:
        return "object"
    if owner.kind is ARRAY:
        return "array"
    if not isinstance(owner.payload, InstanceOf):
        return ""
    known = ancestry(owner.payload.owner)
    if any(ancestor.is_tuple for ancestor in known):
        return "tuple"
    if any(ancestor.is_frozen for ancestor in known):
        return "frozen"
    bases = (base for ancestor in known for base in ancestor.bases)
    return "" if any(base.kind is API and base.name not in PLAIN_BASES for base in bases) else "object"


def holder_in(frame: Frame, base: Op) -> PartOf:
    """What an array is a part of, where that is held by a name, or by an attribute."""
    around = base.base if isinstance(base, (ops.Attr, ops.Item)) else None
    if type(around) is ops.Name:
        held = frame.live().names.get(around.name)
    else:
        held = peek(frame, around) if type(around) is ops.Attr else None
    found = holder_of(held) if held is not None else ""
    if found != "array" or type(around) is not ops.Attr:
        return found
    return "array of object" if holder_in(frame, around) == "object" else found


@advising(ADVICE, NO_ADVICE)
def update(op: ops.Item, statement: Op, holder: PartOf, is_listed: bool = False) -> Advice:
    """How to store into an item of an array, or to delete it; an index that `is_listed` has to be made an array."""
    base = Quoted(op.base, BASE, "owner")
    if type(statement) is ops.Delete:
        delete, is_slice = library_name(scope_of(op), "jax.numpy.delete"), type(op.index) is ops.Build and not is_listed
        if type(op.index) is ops.Build and op.index.kind != "slice" and not is_listed:
            return Advice(f"use `{delete.text}`")
        can_be_made = len(statement.targets) == 1 and not is_slice
        gone: tuple[Piece, ...] = (Quoted(op.index, INDEX),)
        if is_listed:
            gone = (library_name(scope_of(op), "jax.numpy.array"), "(", *gone, ")")
        pieces: tuple[Piece, ...] = (delete, "(", base, ", ", *gone, ")")
        return _bound(op.base, pieces, holder, statement if can_be_made else None)
    inner = op.base
    index: tuple[Piece, ...] = (Quoted(op, INDEX, "index"),)
    if is_listed:
        index = (library_name(scope_of(op), "jax.numpy.array"), "(", Quoted(op.index, INDEX), ")")
    asked = ""
    is_of_array = holder in ("array", "array of object")
    stored_value = statement.value if type(statement) is ops.Store and statement.kind != "augment" else None
    if type(inner) is ops.Name and type(stored_value) is ops.Name and stored_value.name == inner.name:
        return Advice(f"give what is stored a name of its own: `{inner.name}` is also what it is stored into")
    if is_of_array and type(inner) is ops.Item and type(inner.index) is ops.Build:
        return Advice(f"write into `{phrase(inner.base)}` itself, with one index for both")
    if is_of_array and type(inner) is ops.Item and type(inner.index) is not ops.Build:
        asked = "" if _is_one_number(inner.index) else f", if `{phrase(inner.index)}` is one number"
        base, index = Quoted(inner.base, BASE, "owner"), (Quoted(inner, INDEX, "index"), ", ", *index)
        inner, holder = inner.base, "object" if holder == "array of object" else holder
    if type(statement) is ops.Store and op not in statement.targets and (together := _stored_together(op)):
        return Advice(together)
    stored, is_whole = _stored(op, statement)
    advice = _bound(inner, (base, ".at[", *index, "].", *stored), holder, statement if is_whole else None)
    if asked:
        return Advice(f"{advice.text}{asked}")
    return advice if is_plain(op.index) else replace(advice, rewrite=unsafe(advice.rewrite))  # is computed earlier now


def _is_one_number(index: Op) -> bool:
    """Is an index a number that is written, or the counter of a loop: no slice and no mask?"""
    if type(index) is not ops.Name or not index.place or index.anchor.field is not None:
        return type(index) is ops.Const
    layout = index.anchor.origin.source.layout
    node = layout.at.get(unpacked(index.place))
    if node is None:
        return False
    asked = "counter", layout.frame(node), index.name
    if asked not in layout.memo:
        stores = layout.stores.get(asked[1:], ())
        layout.memo[asked] = bool(stores) and all(_is_counter(layout, store) for store in stores)
    return layout.memo[asked] is True


def _is_counter(layout: Layout, store: ast.AST) -> bool:
    """Is a name bound to the numbers of a loop: of `range`, or the first of what `enumerate` gives?"""
    around = layout.parents.get(store)
    loop = layout.parents.get(around) if isinstance(around, ast.Tuple) and around.elts[0] is store else around
    source = loop.iter if isinstance(loop, (ast.For, ast.comprehension)) and around in (loop, loop.target) else None
    counting = "range" if loop is around else "enumerate"
    return isinstance(source, ast.Call) and isinstance(source.func, ast.Name) and source.func.id == counting


def words_of_store(op: ops.Item, base: str, index: str, is_deletion: bool, operator: str) -> str:
    """How to store into an item of an array, in words; by a traced mask only a selection does."""
    if is_deletion:
        return "make an array without it"
    if type(op.index) is ops.Compare:
        where = imported_as(scope_of(op), "jax.numpy.where")
        return f"bind what `{where}({index}, ..., {base})` returns to `{base}`"
    owner = f"({base})" if ":=" in base else base
    return f"bind what `{owner}.at[{index}].{METHODS.get(operator.removesuffix('='), 'set')}(...)` returns to `{base}`"


def words_of_sequence(op: Op, is_generator: bool, is_list_enough: bool, is_static: bool = False) -> str:
    """How to make an array, or a list, of a sequence, in words; one of NumPy is known while it is traced."""
    if is_generator and is_list_enough:
        return "make a list of it, with `list(...)`"
    if is_static:
        return "make an array of it with NumPy: what `jnp` makes is traced where the call is, and its value is needed"
    make = imported_as(scope_of(op), "jax.numpy.array")
    return f"make an array of it, with `{make}{'(list(...))' * is_generator}`"


def _stored(op: ops.Item, statement: Op) -> tuple[tuple[Piece, ...], bool]:
    """The method of `x.at[i]`, and what it is given; is it the whole statement that is replaced by it?"""
    if type(statement) is ops.Call:
        return ("set(", Quoted(statement.args[-1]), ")"), False
    if type(statement) is not ops.Store or statement.value is None or op not in statement.targets:
        return ("set(...)",), False
    value, is_whole = statement.value, len(statement.targets) == 1 and statement.annotation is None
    if statement.kind != "augment" or type(value) is not ops.Operate:
        return ("set(", Quoted(value), ")"), is_whole
    given, method = value.operands[1], METHODS.get(value.operator)
    if method:
        return (f"{method}(", Quoted(given), ")"), is_whole
    is_short = type(op.index) in (ops.Name, ops.Const) and type(given) in (ops.Name, ops.Const)
    return ("set(", Quoted(op, INDEX), f" {value.operator} ", Quoted(given), ")"), is_whole and is_short


def _stored_together(op: ops.Item) -> str:
    """How to store several items in one statement: the values are those of the array before it.

    x[i], x[j] = x[j], x[i]         x = x.at[i].set(x[j]).at[j].set(x[i])
    """
    layout = op.anchor.origin.source.layout
    node = layout.at.get(unpacked(op.place)) if op.place and op.anchor.field is None else None
    around = layout.parents.get(node) if node is not None else None
    statement = layout.parents.get(around) if around is not None else None
    if not isinstance(node, ast.Subscript) or not isinstance(around, (ast.Tuple, ast.List)):
        return ""
    apart = f"bind the new values to names first, and then use `{layout.text(node.value)}.at[...].set(...)` for each"
    if not isinstance(statement, ast.Assign) or not isinstance(statement.value, (ast.Tuple, ast.List)):
        return apart
    base, values = layout.text(node.value), statement.value.elts
    items = [each for each in around.elts if isinstance(each, ast.Subscript) and layout.text(each.value) == base]
    is_alone = len(statement.targets) == 1 and len(items) == len(around.elts) == len(values)
    if not is_alone or not isinstance(node.value, (ast.Name, ast.Attribute)):
        return apart
    stores = [f".at[{layout.text(item.slice)}].set({layout.text(value)})" for item, value in zip(items, values)]
    new = f"{base}{''.join(stores)}"
    if len(new) > LONGEST or "\n" in new:
        return apart
    scope = scope_of(op.base)
    if type(op.base) is ops.Name and scope is not None and not _is_read_later(op.base):
        is_own = is_local(scope, base) and not scope.lookup(base).is_parameter
        return f"use `{base} = {new}`" if is_own else TO_CALLER.format(new, base)
    return f"use `{base} = {new}`"


def is_plain(op: Op) -> bool:
    """Does an expression only compute, as far as its text shows?  Functions of the project may do more."""
    match op:
        case ops.Name() | ops.Const():
            return True
        case ops.Attr(base=base):
            return is_plain(base)
        case ops.Item(base=base, index=index):
            return is_plain(base) and is_plain(index)
        case ops.Operate(operands=parts) | ops.Compare(operands=parts) | ops.Logic(operands=parts):
            return all(map(is_plain, parts))
        case ops.Build(parts=parts):
            return all(map(is_plain, parts))
        case ops.Call(func=func, args=args, keywords=keywords):
            is_known = imported_name(func).startswith(("jax.", "numpy.")) or imported_name(func) in PURE
            return is_known and all(map(is_plain, (*args, *(value for _, value in keywords))))
    return False


def _bound(base: Op, new: tuple[Piece, ...], holder: PartOf, statement: Op | None) -> Advice:
    """The statement that binds a new array where the old one is held, in the place of another, if that is known."""
    scope, place = scope_of(base), Quoted(base, BASE)
    if type(base) is ops.Name and scope is not None and is_local(scope, base.name):
        if scope.lookup(base.name).is_parameter and not _is_read_later(base):
            return Advice(TO_CALLER.format(spelt(*new), base.name))
        pieces = (f"{base.name} = ", *new)
        return Advice(f"use `{spelt(*pieces)}`", of_local_name(base, scope, _replaced(statement, pieces)))
    if type(base) in (ops.Attr, ops.Item) and (holder == "object" or (holder == "" and _is_stored(base))):
        pieces = (place, " = ", *new)
        return Advice(f"use `{spelt(*pieces)}`", unsafe(_replaced(statement, pieces)))
    if type(base) is ops.Attr and holder in ("frozen", "tuple") and type(base.base) is ops.Name and scope is not None:
        owner, field = base.base.name, (f"{base.name}=", *new, ")")
        replaced = (library_name(scope, "dataclasses.replace"), f"({owner}, ", *field)
        made: tuple[Piece, ...] = (f"{owner}._replace(", *field) if holder == "tuple" else replaced
        if not is_local(scope, owner) or owner == "self":
            return Advice(f"use what `{spelt(*made)}` returns")
        pieces = (f"{owner} = ", *made)
        return Advice(f"use `{spelt(*pieces)}`", unsafe(of_local_name(base.base, scope, _replaced(statement, pieces))))
    text = spelt(*new)
    if "..." in text.replace("(...)", ""):
        text = f"{spelt(Quoted(base, BASE, 'owner'))}.at[...].set(...)"
    if type(base) is ops.Name:
        return Advice(TO_CALLER.format(text, base.name))
    return Advice(f"use what `{text}` returns")


def _is_stored(part: Op) -> bool:
    """Does the function around assign to a part of an object by the same text, so that it can be assigned to?"""
    layout = part.anchor.origin.source.layout
    node = layout.at.get(unpacked(part.place)) if part.place and part.anchor.field is None else None
    return node is not None and (layout.frame(node), layout.text(node)) in layout.stores


def _replaced(statement: Op | None, pieces: tuple[Piece, ...]) -> Rewrite | None:
    return None if statement is None else Rewrite((ChangedOp(statement, pieces, is_statement=True),))


@advising(ADVICE, None)
def of_local_name(name: ops.Name, scope: Scope, rewrite: Rewrite | None) -> Rewrite | None:
    """A rewrite that binds a local name anew: none where nobody reads it later, unsafe where others hold its object."""
    own = scope.frame
    if rewrite is None or name.name not in own.names or name.name in own.globals | own.nonlocals:
        return None
    holders, place = name.anchor.origin.source.holders, unpacked(name.place)[:2]
    if not holders.is_read_later(place, name.name):
        return None
    return unsafe(rewrite) if holders.is_shared(place, name.name) else rewrite


@advising(ADVICE, "")
def keep_update(value: ops.Operate, name: str, kept: Op | None, loop: ops.Loop | None, function: str) -> str:
    """How to keep what `x += y` makes: where its array is kept, in new rows, or by returning it."""
    if kept is None:
        return f"return `{name}` from `{function}`, and bind what it returns"
    if loop is not None:
        return _new_rows(phrase(replace(value, in_place=False)), kept, loop)
    scope = scope_of(kept)
    if type(kept) is ops.Item or (type(kept) is ops.Name and scope is not None and not is_local(scope, kept.name)):
        return f"put the new array where `{phrase(kept)}` is kept"
    return f"use `{phrase(kept)} {value.operator}= {phrase(value.operands[1], GIVEN)}`"


def _new_rows(new: str, kept: Op, loop: ops.Loop) -> str:
    """How to keep a new row of what a loop runs over."""
    target, source = loop.target, loop.source
    if type(source) is ops.Call and type(source.func) is ops.Attr:
        if source.func.name == "items" and type(target) is ops.Unpack:
            return f"use `{phrase(kept)}[{phrase(target.parts[0])}] = {new}`"
        return "bind the new values in a new dict"
    over = f"{phrase(target, GIVEN).strip('()')} in {phrase(source, GIVEN)}" if target is not None else "..."
    text = f"[{new} for {over}]"
    is_short = type(kept) in (ops.Name, ops.Attr) and "..." not in text
    return f"bind the new rows: `{phrase(kept)} = {text}`" if is_short else "bind the new rows to a list"


@advising(ADVICE, NO_ADVICE)
def bind_result(op: ops.Call, updated: Op | None, is_method: bool = False, holder: PartOf = "") -> Advice:
    """How to keep the result of a call that stands alone; of several names none is known to be meant.

    What a method of an object returns is not like its arguments.  `holder`: what holds the part that is updated.
    """
    names = [argument for argument in op.args if type(argument) is ops.Name and not is_method]
    updated = updated if updated is not None else _renewed(op)
    target = updated if updated is not None else names[0] if len(names) == 1 and names[0] is op.args[0] else None
    scope, name = scope_of(target), op.func.name if type(op.func) is ops.Attr else imported_name(op.func)
    is_name = type(target) is ops.Name and scope is not None and is_local(scope, target.name)
    last = name.rpartition(".")[2]
    if kind := _comprehension_around(op):
        return Advice(f"bind the {kind} that the comprehension makes to a name; delete the line if nobody needs it")
    if last in TESTS:
        return Advice(AS_A_TEST)
    if last in SUMMARIZING or OF_OTHERS.fullmatch(last):
        return Advice("bind what it returns to a name of its own, or delete the line")
    if (transform := load().transform(imported_name(op.func))) and transform.wraps and last not in COMPILING:
        return Advice("bind what it returns to a name of its own, and call that, or delete the line")
    if type(target) is ops.Name and scope is not None and is_name and _is_read_later(target):
        pieces: tuple[Piece, ...] = (f"{target.name} = ", Quoted(op, WHOLE))
        return Advice(f"use `{spelt(*pieces)}`", unsafe(of_local_name(target, scope, _replaced(op, pieces))))
    is_known = holder in ("object", "frozen", "tuple") or (updated is not None and holder == "" and _is_stored(updated))
    if updated is not None and is_known and type(updated) in (ops.Attr, ops.Item):
        return _bound(updated, (Quoted(op, WHOLE),), holder, op)
    if imported_name(op.func) in PASSING and op.args:
        return Advice(f"use what it returns where `{phrase(op.args[0])}` is read, or delete the line")
    if type(updated) is ops.Name and is_name and updated.scope.lookup(updated.name).is_parameter:
        return Advice(f"return what it makes, and bind that to `{updated.name}` where the function is called")
    if type(updated) is ops.Item and holder in ("array", "array of object"):
        return Advice(f"write into `{phrase(updated.base)}` itself, with one index for both")
    if isinstance(updated, (ops.Attr, ops.Item)) and (
        updated is _renewed(op) or not any(argument is updated for argument in op.args)
    ):
        return _put_in_place(updated)
    if element := _element_of_loop(op, updated):
        return Advice(f"collect what it returns in a new list, as `{element}` stays as it is, or delete the line")
    if type(updated) is ops.Call:
        return Advice("hand what it returns to what should hold it, or delete the line")
    return Advice("bind what it returns to a name; delete the line if nobody needs it")


def _comprehension_around(op: ops.Call) -> str:
    """What the comprehension makes whose element a call is; "" of others."""
    layout = op.anchor.origin.source.layout
    node = layout.at.get(unpacked(op.place)) if op.place and op.anchor.field is None else None
    around = layout.parents.get(node) if node is not None else None
    kinds = {ast.ListComp: "list", ast.SetComp: "set", ast.DictComp: "dict"}
    return kinds.get(type(around), "")


def _renewed(op: ops.Call) -> Op | None:
    """The argument that a function returns in another state: the parameters that get updates, the tree of a map."""
    place = CHANGED_ARGUMENT.get(imported_name(op.func))
    found = op.args[place] if place is not None and place < len(op.args) else None
    return found if isinstance(found, (ops.Name, ops.Attr, ops.Item)) else None


def _element_of_loop(op: ops.Call, updated: Op | None) -> str:
    """The name of what a call is made of, if a loop around it binds that to one element after the other; else ""."""
    layout = op.anchor.origin.source.layout
    node = layout.at.get(unpacked(op.place)) if op.place and op.anchor.field is None else None
    given = [updated] if updated is not None else [one for one in op.args if type(one) is not ops.Closure]
    if node is None or not given or type(given[0]) is not ops.Name:
        return ""
    loops = [loop for loop in layout.loops(node, layout.frame(node)) if isinstance(loop, ast.For)]
    targets = [loop.target for loop in loops if isinstance(loop.target, ast.Name)]
    names = {target.id for target in targets if not _is_counter(layout, target)}
    return given[0].name if given[0].name in names else ""


def _put_in_place(updated: ops.Attr | ops.Item) -> Advice:
    """How to keep a new part of an object of which is not known whether it can be changed."""
    part, owner = phrase(updated, LONGEST), phrase(updated.base)
    is_entry = type(updated) is ops.Item and type(updated.index) is ops.Const and type(updated.index.value) is str
    if is_entry:
        return Advice(f"bind what it returns to `{part}`" if "..." not in part else "bind what it returns in its place")
    if type(updated) is ops.Item:
        return Advice(f"store what it returns as `{part}`, or if `{owner}` is an array, write into that with one index")
    return Advice(f"store what it returns as `{part}`, or if `{owner}` is frozen in a copy of it, and use that below")


def _is_read_later(name: ops.Name) -> bool:
    return name.anchor.origin.source.holders.is_read_later(unpacked(name.place)[:2], name.name)


@advising(ADVICE, NO_ADVICE)
def array_of(
    op: Op, value: Value, callee: str, around: Scope | None, call: Op | None = None, is_static: bool = False,
    beside: Shape = None,
) -> Advice:  # fmt: skip
    """How to make an array of a sequence, or what Python has for it in the place of a call.

    Where its value `is_static`, it is made by NumPy: what `jax.numpy` makes in a trace is traced.  `beside` is the
    shape of an array to which it has to fit.
    """
    scope, made_by = scope_of(op) or around, value.made_by
    if type(op) is ops.Star:
        return Advice("")
    if not is_static and any(type(one) is ops.Call and imported_name(one.func) in LEAVES for one in (op, made_by)):
        return Advice(_of_leaves(scope))
    are_python = value.form == "" and all(part.kind is NUMBER for part in value.parts or (value,))
    is_literal = type(op) is ops.Build and all(type(part) is ops.Const for part in op.parts)
    are_python = are_python and type(op) is ops.Build and not is_literal and _is_whole(op, call)
    if callee in OF_SIZES and (value.form == "shape" or are_python):
        return _of_sizes(op, library_name(scope, OF_SIZES[callee]), call)
    if type(made_by) is ops.Build and made_by is not op and len(made_by.parts) == 1 and not is_enclosed(made_by):
        line = made_by.anchor.line
        return Advice(f"delete the comma at the end of line {line}" if made_by.kind == "tuple" else "")
    if _is_late_shape(op, value, callee, call):
        return Advice("pass it as `shape`, behind the key, and what stands there by name")
    records = [part.kind is DICT or _is_record(part) for part in value.parts]
    if any(records) and not all(records) and value.kind is TUPLE:
        arrays = [place for place, part in enumerate(value.parts) if part.kind is ARRAY]
        is_name = type(op) in (ops.Name, ops.Attr) and len(arrays) == 1
        return Advice(f"pass `{phrase(op)}[{arrays[0]}]`" if is_name else "pass the part of it that is meant")
    if any(records):
        return Advice("make an array of the numbers in its records, not of the records")
    ranks = {len(part.shape) if part.shape is not None else None for part in value.parts if part.kind is ARRAY}
    if ranks - {0, None} and any(part.kind is NUMBER for part in value.parts):
        return Advice("make arrays of one shape of its parts, and stack these")
    given: tuple[Piece, ...] = (Quoted(op, WHOLE),)
    if type(op) is ops.Gather and op.kind == "generator":
        given = ("[", Quoted(op, WHOLE, "elements"), "]")
    elif value.form == "generator" or _is_view(made_by):
        given = ("list(", *given, ")")
    are_numbers = value.form == "shape" or is_literal
    are_arrays = value.form == "arrays" or (bool(value.parts) and all(part.kind is ARRAY for part in value.parts))
    maker = "jax.numpy.stack" if are_arrays and not are_numbers else "numpy.array" if is_static else "jax.numpy.array"
    make = library_name(scope, maker)
    pieces = (make, "(", *given, ")", *(_fitted(value, beside) if not callee.strip(SIGNS) else ()))
    is_result = value.kind is TUPLE and are_arrays and type(op) is not ops.Build and value.form != "varargs"
    if not is_static and _is_result(op, value):
        join = imported_as(scope, "jax.numpy.stack")
        return Advice(f"pass the one of its arrays that is meant, or `{join}` of all if they are alike")
    rewrite = None if is_result else Rewrite((ChangedOp(op, pieces),))  # results may be of several shapes
    return Advice(f"use `{spelt(*pieces)}`", rewrite)


def _of_leaves(scope: Scope | None) -> str:
    """How to make an array of the leaves of a tree, whose shapes may differ."""
    array, join = (imported_as(scope, f"jax.numpy.{name}") for name in ("array", "concatenate"))
    return f"make one array of them: with `{array}` if all have one shape, else with `{join}` of each one's `ravel()`"


def _is_view(made_by: Op | None) -> bool:
    """Is it what a dict shows of itself, or what Python goes through, of which no array can be made as it is?"""
    if type(made_by) is not ops.Call:
        return False
    if type(made_by.func) is ops.Attr:
        return not made_by.args and made_by.func.name in ("items", "keys", "values")
    return imported_name(made_by.func) in ("enumerate", "filter", "map", "reversed", "zip")


def _fitted(value: Value, beside: Shape) -> tuple[Piece, ...]:
    """What makes a row of numbers fit to the one axis that is as long, where that is not the last one of an array."""
    count = len(value.elements or ())
    if beside is None or count < 2 or any(part.kind is not NUMBER for part in value.elements or ()):
        return ()
    fitting = [axis for axis, size in enumerate(beside) if size == count]
    if len(fitting) != 1 or beside[-1] in (1, count, None):
        return ()
    return (f".reshape({', '.join([str(count), *('1' for _ in beside[fitting[0] + 1 :])])})",)


def _is_result(op: Op, value: Value) -> bool:
    """Is it the results of a call, of which some are no numbers: several, of which one is meant?"""
    is_whole = type(op) in (ops.Name, ops.Attr, ops.Call) and value.form not in ("shape", "varargs")
    is_made = value.kind is TUPLE and type(value.made_by) is ops.Call and bool(value.parts)
    return is_whole and is_made and not all(part.kind is NUMBER for part in value.parts)


def _is_late_shape(op: Op, value: Value, callee: str, call: Op | None) -> bool:
    """Is it a tuple behind the place of the shape of a draw, as NumPy takes it: `uniform(key, 0, 1, (3,))`?"""
    if value.kind is not TUPLE or not callee.startswith("jax.random.") or type(call) is not ops.Call:
        return False
    row = load().function(callee)
    names = [parameter.name for parameter in row.parameters] if row is not None else []
    return "shape" in names and op in call.args[names.index("shape") + 1 :]


def list_of(op: Op) -> Advice:
    """How to make a list of a generator."""
    is_written = type(op) is ops.Gather and op.kind == "generator"
    around: tuple[Piece, Piece] = ("[", "]") if is_written else ("list(", ")")
    pieces = (around[0], Quoted(op, WHOLE, "elements") if is_written else Quoted(op, WHOLE), around[1])
    return Advice(f"use `{spelt(*pieces)}`", Rewrite((ChangedOp(op, pieces),)))


def _is_record(part: Value) -> bool:
    """Is it an object that no array can be made of?  A named tuple is a row of numbers."""
    return isinstance(part.payload, InstanceOf) and not any(
        ancestor.is_tuple for ancestor in ancestry(part.payload.owner)
    )


def _of_sizes(op: Op, function: LibraryName, call: Op | None) -> Advice:
    """A function of Python for a tuple of sizes; its result is no array, so that no method of it may be called."""
    pieces: tuple[Piece, ...] = (function, "(", Quoted(op, WHOLE), ")")
    if call is None or not _is_whole(op, call):
        return Advice(f"use `{spelt(*pieces)}`")
    return Advice(f"use `{spelt(*pieces)}`", Rewrite((ChangedOp(call, pieces),)))


def _is_whole(op: Op, call: Op | None) -> bool:
    """Is an op all that a call is given, and nothing asked of what that returns?"""
    is_alone = type(call) is ops.Call and call.args == (op,) and not call.keywords
    return is_alone and call is not None and not text_behind(call.place, call.anchor.origin.source).startswith(".")


def written(rewrite: Rewrite | None) -> str:
    """What a fix writes, where a message can show it whole."""
    text = rewrite.changes[0].text if rewrite is not None else ""
    return f"use `{text}`" if text and len(text) <= LONGEST and "..." not in text else ""


@advising(ADVICE, "")
def printed(op: Op, channel: str, source: Op | None, is_made_before: bool) -> str:
    """How to write something out when the compiled code runs; a text that the trace made would stay as it is."""
    scope = scope_of(op)
    show = imported_as(scope, "jax.debug.print")
    if is_made_before and channel == "log":
        return f"hand the values to `{imported_as(scope, 'jax.debug.callback')}`, and make the text there"
    parts = values_shown(source) if source is not None else ()
    is_text = type(source) is ops.Build or type(source) is ops.Operate
    if channel != "print" and not is_text and type(op) is ops.Call:
        given = ", ".join(phrase(argument, GIVEN) for argument in op.args)
        given = given if len(given) <= WHOLE and not op.keywords else "..."
        return f"use `{imported_as(scope, 'jax.debug.callback')}({phrase(op.func)}, {given})`"
    given = ", ".join(phrase(part, WHOLE) for part in parts)
    if channel == "log" and type(op) is ops.Call:
        callback, text = imported_as(scope, "jax.debug.callback"), spelling(op) or ""
        if 0 < len(text) <= WHOLE and "\n" not in text and all(type(part) is ops.Name for part in parts):
            return f"use `{callback}(lambda {given}: {text}, {given})`"
        return f"hand the values to `{callback}`, and make the text there"
    if type(op) is ops.Call and (len(op.args) > 1 or op.keywords):
        return f"use `{show}`, with a format and the values themselves"
    if not parts or is_made_before or len(parts) > len(TEXTS) or len(given) > WHOLE or given.endswith("..."):
        return f"use `{show}`, with a format and the values themselves"
    return f'use `{show}("{" ".join(["{}"] * len(parts))}", {given})`'


@advising(ADVICE, "")
def printed_text(op: Op, channel: str) -> str:
    """How to write a text out whenever the compiled code runs."""
    text = phrase(op.args[0], LONGEST) if type(op) is ops.Call and op.args and type(op.args[0]) is ops.Const else "..."
    text = "..." if text.endswith("...") else text
    if channel != "print" and type(op) is ops.Call:
        return f"use `{imported_as(scope_of(op), 'jax.debug.callback')}({phrase(op.func)}, {text})`"
    if type(op) is ops.Call and len(op.args) > 1:
        return f"use `{imported_as(scope_of(op), 'jax.debug.print')}`"
    text = "..." if "{" in text or text.endswith("...") else text
    return f"use `{imported_as(scope_of(op), 'jax.debug.print')}({text})`"


def shown_text(source: Op) -> str:
    """The text of the value that an argument shows; of several, that of the argument."""
    parts = values_shown(source)
    return phrase(parts[0] if len(parts) == 1 else source)


def values_shown(source: Op) -> tuple[Op, ...]:
    """The values that the text of an argument shows."""
    match source:
        case ops.Build(kind="text" | "format", parts=parts):
            return tuple(inner for part in parts for inner in values_shown(part) if type(inner) is not ops.Const)
        case ops.Operate(operator="%", operands=(ops.Const(), ops.Build(kind="tuple", parts=parts))):
            return parts
        case ops.Operate(operator="%", operands=(ops.Const(), part)):
            return (part,)
        case ops.Call(func=ops.Attr(base=ops.Const(), name="format"), args=parts, keywords=()):
            return parts
        case ops.Call(func=ops.Name(name=name), args=(part,)) if name in TEXTS:
            return (part,)
        case ops.Star():
            return ()
    return (source,)
