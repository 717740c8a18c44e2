"""What to write instead, in the user's own names where these are evident: the end of a message.

    x[0] += y               use `x = x.at[0].add(y)`
    normal(key)             split it first: `key, sub = jr.split(key)`
    jnp.mean([a, b])        use `jnp.stack([a, b])`
    print(f"loss {loss}")   use `jax.debug.print("{}", loss)`

What tests ask for stands in `selections.py`.  Texts that would be long are shortened, as in all messages.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, TypeAlias

from flake8_jax.analysis.callables import InstanceOf
from flake8_jax.analysis.checks.naming import FREE, imported_as, is_local, scope_of, unused
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.classes import ancestry
from flake8_jax.domain.value import API, ARRAY, DICT, KEYS, LIST, Value
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import index_phrase, is_enclosed, phrase
from flake8_jax.ir.scope import Scope

PartOf: TypeAlias = Literal["", "object", "frozen", "tuple", "array"]
"""What an array is a part of: unknown, an object that can be assigned to, one that is replaced, another array."""

BASE, GIVEN, WHOLE = 60, 30, 60
METHODS = {"+": "add", "-": "subtract", "*": "multiply", "/": "divide", "**": "power"}
"""The methods of `x.at[i]` for `x[i] += y` and its like."""

OF_SIZES = {"jax.numpy.prod": "math.prod", "jax.numpy.sum": "sum", "jax.numpy.max": "max", "jax.numpy.min": "min"}
"""The functions of Python for a tuple of sizes."""

ATOMS = frozenset((ops.Name, ops.Attr, ops.Item, ops.Call))
"""What needs no parentheses before a dot."""

TEXTS = frozenset(("str", "repr", "format"))


def split_first(frame: Frame, key: str, value: Value) -> str:
    """How to make another key of one that is used up."""
    scope = frame.function.scope
    split = imported_as(scope, "jax.random.split")
    if value.kind is KEYS:
        return f"split off other keys first, with `{split}`"
    if not key or "..." in key or "(" in key:
        return f"split it first, with `{split}`"
    if (key.isidentifier() and is_local(scope, key)) or _is_assignable_field(frame, key):
        kept = key
    else:
        last = key.rpartition(".")[2]
        kept = unused(scope, (last, "new_key") if last.isidentifier() else ("key", "new_key"))
    return f"split it first: `{kept}, {unused(scope, FREE, kept)} = {split}({key})`"


def derived(op: Op, is_one: bool) -> str:
    """How to make another key of one, for arithmetic on it."""
    derive = imported_as(scope_of(op), "jax.random.fold_in")
    parts = op.operands if type(op) is ops.Operate else ()
    if is_one and type(op) is ops.Operate and len(parts) == 2 and op.operator == "+":
        key, data = parts if type(parts[0]) is not ops.Const else parts[::-1]
        return f"use `{derive}({phrase(key, GIVEN)}, {phrase(data, GIVEN)})`"
    return f"use `{derive}` to derive another key"


def from_a_key(scope: Scope | None, op: Op) -> str:
    """How to make a key of a number."""
    make = imported_as(scope, "jax.random.key")
    return f"use `{make}({phrase(op, GIVEN)})`" if type(op) in (ops.Name, ops.Attr, ops.Const) else f"use `{make}`"


def one_of_them(op: Op, keys: Value) -> str:
    """How to take one key of an array of keys."""
    made_by, scope = keys.made_by, scope_of(op)
    if type(op) is not ops.Name or scope is None:
        return "use one of them, by its index"
    if type(made_by) is ops.Call and made_by.args and phrase(made_by.args[0]) == op.name:
        return f"bind each: `{op.name}, {unused(scope, FREE, op.name)} = {phrase(made_by)}`"
    return f"use one of them: `{op.name}[0]`"


def with_the_names(call: ops.Call, names: int, is_there: bool) -> str:
    """How to split a key into as many as there are names."""
    if not (is_there and call.args):
        return "bind as many names as there are keys"
    count = f", {names}" if names != 2 else ""
    return f"use `{phrase(call.func)}({phrase(call.args[0], GIVEN)}{count})`"


def pass_in(function: str) -> str:
    """How to give a function that captures a key another one for each call."""
    return f"pass a new key to `{function}` as an argument"


def _is_assignable_field(frame: Frame, path: str) -> bool:
    owner, dot, name = path.rpartition(".")
    held = frame.live().names.get(owner) if dot and owner.isidentifier() and name.isidentifier() else None
    return held is not None and holder_of(held) == "object"


def holder_of(owner: Value) -> PartOf:
    """What kind of object a value is, as to storing parts of it."""
    if owner.kind is LIST or owner.kind is DICT:
        return "object"
    if owner.kind is ARRAY:
        return "array"
    if not isinstance(owner.payload, InstanceOf):
        return ""
    known = ancestry(owner.payload.owner)
    if any(one.is_tuple for one in known):
        return "tuple"
    if any(one.is_frozen for one in known):
        return "frozen"
    return "" if any(base.kind is API for one in known for base in one.bases) else "object"


def holder_in(frame: Frame, base: Op) -> PartOf:
    """What an array is a part of, where that is held by a name."""
    around = base.base if isinstance(base, (ops.Attr, ops.Item)) else None
    held = frame.live().names.get(around.name) if type(around) is ops.Name else None
    return holder_of(held) if held is not None else ""


def update(op: ops.Item, statement: Op, holder: PartOf) -> str:
    """How to store into an item of an array, or to delete it."""
    base, index = phrase(op.base, BASE), index_phrase(op.index)
    base = base if type(op.base) in ATOMS else f"({base})"
    if type(statement) is ops.Delete:
        if type(op.index) is ops.Build and op.index.kind != "slice":
            return f"use `{imported_as(scope_of(op), 'jax.numpy.delete')}`"
        index = phrase(op.index)
        return _bound(op.base, f"{imported_as(scope_of(op), 'jax.numpy.delete')}({base}, {index})", holder)
    inner = op.base
    if holder == "array" and type(inner) is ops.Item and type(inner.index) is ops.Const:
        base, index, inner = phrase(inner.base, BASE), f"{index_phrase(inner.index)}, {index}", inner.base
    return _bound(inner, f"{base}.at[{index}].{_stored(op, statement)}", holder)


def _stored(op: ops.Item, statement: Op) -> str:
    """The method of `x.at[i]`, and what it is given."""
    if type(statement) is not ops.Store or statement.value is None or op not in statement.targets:
        return "set(...)"
    value = statement.value
    if statement.kind != "augment" or type(value) is not ops.Operate:
        return f"set({phrase(value, GIVEN)})"
    given = phrase(value.operands[1], GIVEN)
    method = METHODS.get(value.operator)
    return f"{method}({given})" if method else f"set({phrase(op)} {value.operator} {given})"


def _bound(base: Op, new: str, holder: PartOf) -> str:
    """The statement that binds a new array where the old one is held."""
    scope = scope_of(base)
    if type(base) is ops.Name and scope is not None and is_local(scope, base.name):
        return f"use `{base.name} = {new}`"
    if type(base) in (ops.Attr, ops.Item) and holder == "object":
        return f"use `{phrase(base, BASE)} = {new}`"
    if type(base) is ops.Attr and holder in ("frozen", "tuple") and type(base.base) is ops.Name and scope is not None:
        owner, field = base.base.name, f"{base.name}={new}"
        replaced = f"{imported_as(scope, 'dataclasses.replace')}({owner}, {field})"
        text = f"{owner}._replace({field})" if holder == "tuple" else replaced
        return f"use `{owner} = {text}`" if is_local(scope, owner) and owner != "self" else f"use what `{text}` returns"
    return f"use what `{new}` returns"


def keep_update(value: ops.Operate, name: str, kept: Op | None, loop: ops.Loop | None, function: str) -> str:
    """How to keep what `x += y` makes: where its array is kept, in new rows, or by returning it."""
    if kept is None:
        return f"use `return {name}` in `{function}`, and bind what it gives"
    if loop is not None:
        return _new_rows(phrase(replace(value, in_place=False)), kept, loop)
    if type(kept) is ops.Item:
        return f"bind the new array to `{name}`, and put it where `{phrase(kept)}` is kept"
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


def bind_result(op: ops.Call, updated: Op | None, is_method: bool = False) -> str:
    """How to keep the result of a call that stands alone; of several names none is known to be meant.

    What a method of an object returns is not like its arguments.
    """
    names = [argument for argument in op.args if type(argument) is ops.Name and not is_method]
    target = updated if updated is not None else names[0] if len(names) == 1 and names[0] is op.args[0] else None
    scope = scope_of(target)
    if type(target) is ops.Name and scope is not None and is_local(scope, target.name):
        return f"use `{target.name} = {phrase(op, WHOLE)}`"
    return "bind what it returns to a name, or delete the line"


def array_of(op: Op, value: Value, callee: str, around: Scope | None) -> str:
    """How to make an array of a sequence, or what Python has for it."""
    scope, text, made_by = scope_of(op) or around, phrase(op, WHOLE), value.made_by
    if type(op) is ops.Star:
        return ""
    if value.form == "shape":
        of_sizes = OF_SIZES.get(callee)
        return f"use `{imported_as(scope, of_sizes or 'jax.numpy.array')}({text})`"
    if type(made_by) is ops.Build and made_by is not op and len(made_by.parts) == 1 and not is_enclosed(made_by):
        return f"delete the comma at the end of line {made_by.anchor.line}" if made_by.kind == "tuple" else ""
    if type(op) is ops.Gather and op.kind == "generator":
        text = f"[{text[1:-1]}]" if text.endswith(")") else "[...]"
    elif value.form == "generator":
        text = f"list({text})"
    are_arrays = value.form == "arrays" or (bool(value.parts) and all(part.kind is ARRAY for part in value.parts))
    return f"use `{imported_as(scope, 'jax.numpy.stack' if are_arrays else 'jax.numpy.array')}({text})`"


def printed(op: Op, channel: str, source: Op | None) -> str:
    """How to write something out when the compiled code runs."""
    scope = scope_of(op)
    show = imported_as(scope, "jax.debug.print")
    parts = _shown_by(source) if source is not None else ()
    is_text = type(source) is ops.Build or type(source) is ops.Operate
    if channel != "print" and not is_text and type(op) is ops.Call:
        given = ", ".join(phrase(argument, GIVEN) for argument in op.args)
        given = given if len(given) <= WHOLE and not op.keywords else "..."
        return f"use `{imported_as(scope, 'jax.debug.callback')}({phrase(op.func)}, {given})`"
    if not parts or len(parts) > len(TEXTS):
        return f"use `{show}`"
    given = ", ".join(phrase(part, GIVEN) for part in parts)
    return f'use `{show}("{" ".join(["{}"] * len(parts))}", {given})`'


def printed_text(op: Op, channel: str) -> str:
    """How to write a text out whenever the compiled code runs."""
    text = phrase(op.args[0]) if type(op) is ops.Call and op.args and type(op.args[0]) is ops.Const else "..."
    if channel != "print" and type(op) is ops.Call:
        return f"use `{imported_as(scope_of(op), 'jax.debug.callback')}({phrase(op.func)}, {text})`"
    text = "..." if "{" in text or text.endswith("...") else text
    return f"use `{imported_as(scope_of(op), 'jax.debug.print')}({text})`"


def shown_text(source: Op) -> str:
    """The text of the value that an argument shows; of several, that of the argument."""
    parts = _shown_by(source)
    return phrase(parts[0] if len(parts) == 1 else source)


def _shown_by(source: Op) -> tuple[Op, ...]:
    """The values that the text of an argument shows."""
    match source:
        case ops.Build(kind="text" | "format", parts=parts):
            return tuple(inner for part in parts for inner in _shown_by(part) if type(inner) is not ops.Const)
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
