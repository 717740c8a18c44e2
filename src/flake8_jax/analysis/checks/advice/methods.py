"""What to write for a method that arrays of JAX do not have: of NumPy's arrays, of PyTorch's tensors, or a function.

x.fill(0)               x = jnp.full_like(x, 0)
y = x.unsqueeze(0)      y = jnp.expand_dims(x, 0)
y = x.exp()             y = jnp.exp(x)
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from flake8_jax.api.table import load
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.lazy_patterns import compiled
from flake8_jax.syntax.positions import unpacked

LONGEST = 95
"""How long proposed code may be."""

OF_HOST = frozenset((
    "tofile", "dump", "dumps", "data", "ctypes", "strides", "base", "flags", "numpy", "getfield", "tostring",
    "byteswap",
))  # fmt: skip
"""What only memory of the host has."""

FORMS = {
    "flat": "<jax.numpy.ravel>({x})", "cpu": "<jax.device_get>({x})", "clamp": "<jax.numpy.clip>({x}, {a})",
    "contiguous": "{x}", "detach": "<jax.lax.stop_gradient>({x})", "dim": "{x}.ndim", "numel": "{x}.size",
    "bool": "{x}.astype(bool)", "double": "{x}.astype(float)", "float": "{x}.astype(<jax.numpy.float32>)",
    "half": "{x}.astype(<jax.numpy.float16>)", "int": "{x}.astype(<jax.numpy.int32>)", "long": "{x}.astype(int)",
    "type": "{x}.astype({a})", "bmm": "{x} @ {a}", "mm": "{x} @ {a}", "mv": "{x} @ {a}", "t": "{x}.T",
    "fill": "<jax.numpy.full_like>({x}, {a})", "masked_fill": "<jax.numpy.where>({a}, {x})",
    "new_ones": "<jax.numpy.ones>({a}, {x}.dtype)", "new_zeros": "<jax.numpy.zeros>({a}, {x}.dtype)",
    "permute": "<jax.numpy.transpose>({x}, {s})", "put": "<jax.numpy.put>({x}, {a}, inplace=False)",
    "repeat_interleave": "<jax.numpy.repeat>({x}, {a})",
    "topk": "<jax.lax.top_k>({x}, {a})", "unsqueeze": "<jax.numpy.expand_dims>({x}, {a})",
    "zero": "<jax.numpy.zeros_like>({x})",
}  # fmt: skip
"""What stands for a method: `{x}` is the array, `{a}` what the method is given, `{s}` the same as one tuple."""

WORDS = {
    "backward": "take the gradient of the function that computes it, with <jax.grad>",
    "grad": "take the gradient of the function that computes it, with <jax.grad>",
    "gather": "use <jax.numpy.take_along_axis>, which takes the indices before the axis",
    "requires_grad_": "delete it: <jax.grad> is told by `argnums` what to differentiate by",
    "resize": "take a part of it, or add zeros with <jax.numpy.pad>: <jax.numpy.resize> repeats what is there",
    "set": "bind what `.at[...].set(...)` returns", "setfield": "bind what `.at[...].set(...)` returns",
    "setflags": "delete it: no array of JAX is ever written into",
    "to": "use `{x}.astype(...)` for a type, <jax.device_put> for a device",
}
"""What is said of a method for which no code can stand."""

JOINING = frozenset(("concat", "concatenate", "stack", "hstack", "vstack", "dstack", "column_stack"))
"""The functions of a list of arrays."""

HOMES = ("jax.numpy", "jax.nn", "jax.numpy.linalg")
"""Where a function of the name of a method is looked for."""

TORCH = (("dim=", "axis="), ("keepdim=", "keepdims="))
QUOTED = compiled(r"<([\w.]+)>")


def instead_of_method(
    name: str, text: str, construct: Op | None, attribute: Op, named: Callable[[str], str]
) -> str:
    """What to write for an attribute that no array has; `construct` may be the call of it."""
    call = construct if type(construct) is ops.Call and construct.func is attribute else None
    if name in OF_HOST:
        return f"use `{named('numpy.asarray')}({text})`"
    if name in WORDS:
        said = WORDS[name].format(x=text)
        return QUOTED.sub(lambda found: f"`{named(found[1])}`", said)
    is_in_place = name.endswith("_") and not name.startswith("_")
    code = _code(name.removesuffix("_") if is_in_place else name, text, call, named)
    if not code or len(code) > LONGEST:
        vague = f"use a function of `{named('jax.numpy')}`"
        return f"bind a new array to `{text}`" if is_in_place else vague
    is_bound = is_in_place or (call is not None and _is_alone(call))
    return f"use `{text} = {code}`" if is_bound else f"use `{code}`"


def _code(name: str, text: str, call: ops.Call | None, named: Callable[[str], str]) -> str:
    """The code that does what a method does; "" where that is not known."""
    if name == "itemset":
        parts = [phrase(one) for one in call.args] if call is not None else []
        index = ", ".join(parts[:-1]) or "()"
        return f"{text}.at[{index}].set({parts[-1]})" if parts else ""
    form = FORMS.get(name)
    if form is None:
        return _of_function(name, text, call, named) if call is not None else ""
    given = listed(call, named if name == "put" else None) if call is not None else ""
    is_told = "{a}" in form or "{s}" in form
    if is_told != bool(given):
        return ""
    size = given if call is not None and len(call.args) == 1 else f"({given})"
    return QUOTED.sub(lambda found: named(found[1]), form).format(x=text, a=given, s=size)


def _of_function(name: str, text: str, call: ops.Call, named: Callable[[str], str]) -> str:
    """The call of a function that has the name of a method."""
    home = next((home for home in HOMES if load().function(f"{home}.{name}") is not None), "")
    if not home:
        return ""
    function, given = named(f"{home}.{name}"), listed(call)
    if name == "where":
        pair = [phrase(one) for one in call.args[:2]]
        return f"{function}({pair[0]}, {text}, {pair[1]})" if len(pair) == 2 and not call.keywords else ""
    if name in JOINING and call.args:
        is_whole = type(call.args[0]) is ops.Build
        first, *others = map(phrase, call.args)
        joined = ", ".join((first if is_whole else f"[{text}, {first}]", *others, *_by_name(call)))
        return f"{function}({joined})"
    return f"{function}({', '.join(filter(None, (text, given)))})"


def listed(call: ops.Call, named: Callable[[str], str] | None = None) -> str:
    """The text of the arguments of a call; of a list as an array, if it is told how that is `named`."""

    def text(argument: Op) -> str:
        is_list = type(argument) is ops.Build and argument.kind == "list"
        return f"{named('jax.numpy.array')}({phrase(argument)})" if named is not None and is_list else phrase(argument)

    return ", ".join((*map(text, call.args), *_by_name(call)))


def _by_name(call: ops.Call) -> list[str]:
    """The arguments by name, as JAX calls them."""
    found = [f"{name}={phrase(value)}" for name, value in call.keywords if name]
    for theirs, ours in TORCH:
        found = [ours + one.removeprefix(theirs) if one.startswith(theirs) else one for one in found]
    return found


def _is_alone(call: ops.Call) -> bool:
    """Is a call a statement?"""
    layout = call.anchor.origin.source.layout
    node = layout.at.get(unpacked(call.place)) if call.place and call.anchor.field is None else None
    return node is not None and isinstance(layout.parents.get(node), ast.Expr)
