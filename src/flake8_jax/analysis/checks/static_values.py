"""What to write instead of asking a tracer for its value, in the user's own names where these are evident.

float(x)                    use `x.astype(float)`
math.sqrt(x), np.sqrt(x)    use `jnp.sqrt`
jnp.zeros(n)                use `static_argnames=("n",)`
x[mask]                     use `jnp.where(mask, x, ...)`
"""

from __future__ import annotations

from flake8_jax.analysis.checks.advice.slices import length_at
from flake8_jax.analysis.checks.advice.static_arguments import may_declare, number_argument
from flake8_jax.analysis.checks.naming import imported_as, imported_name, scope_of
from flake8_jax.analysis.isolation import ADVICE, advising
from flake8_jax.api.static_options import MAPPING
from flake8_jax.api.table import load
from flake8_jax.domain.provenance import Context
from flake8_jax.ir import ops
from flake8_jax.ir.ops import Op
from flake8_jax.ir.phrase import phrase
from flake8_jax.ir.scope import Scope
from flake8_jax.ir.walking import within
from flake8_jax.syntax.source import WORD

LONGEST = 40
CASTS = {"int": "int", "float": "float", "complex": "complex"}
NUMPY_NAMES = {
    "fabs": "abs", "acos": "arccos", "asin": "arcsin", "atan": "arctan", "atan2": "arctan2", "acosh": "arccosh",
    "asinh": "arcsinh", "atanh": "arctanh", "pow": "power", "fsum": "sum", "dist": "linalg.norm",
}  # fmt: skip
"""What functions of `math` are called in `jax.numpy`."""

SPECIAL = {"erf": "erf", "erfc": "erfc", "gamma": "gamma", "lgamma": "gammaln", "factorial": "factorial"}
"""What functions of `math` are called in `jax.scipy.special`."""

MAKE_AN_ARRAY = frozenset((
    "all", "amax", "amin", "any", "argmax", "argmin", "argsort", "around", "array_split", "clip", "cumprod", "cumsum",
    "flip", "imag", "isreal", "max", "mean", "min", "nan_to_num", "ndim", "prod", "ptp", "real", "repeat", "reshape",
    "round", "searchsorted", "shape", "size", "split", "squeeze", "std", "sum", "swapaxes", "take", "transpose", "var",
))  # fmt: skip
"""The functions of NumPy that leave a tracer to a method of its own, and make an array of a list."""

MODULES = {"numpy.random": "jax.random", "numpy": "jax.numpy", "scipy": "jax.scipy"}
"""The modules of JAX that stand for those of the host."""

SELECTED = "use `{}`, which keeps the shape"
OUTSIDE = {
    **dict.fromkeys(("item", "tolist"), "use the array itself, or return it and convert it outside"),
    **dict.fromkeys(("host", "json", "hash"), "return the array from the traced code, and do this outside"),
    "format": "show it with `jax.debug.print`, or return it and format it outside",
}
"""What to do with a value that code of the host is to have."""

TIMES = frozenset(("diff", "matrix_power", "polyder", "polyint", "rot90"))
"""Functions that need to know how often they do something, which is no size."""

KNOWN_NUMBER = "use a number that Python knows: a constant, a static argument, or that of a loop over all that may come"
OF_HOST = "make it of numbers of Python, or with `{}`, if it is known before the call, else {}"
OF_ARRAY = "use the size of another array, or the largest one with a mask"
OF_MAPPED = "call `{}` in a loop of Python, with numbers, in place of `{}`: a size cannot be mapped"
OF_FIELD = "make `{}` a static field of its class, or pass it as a static argument of its own"
KNOWN = "use a size that is known: of another array, of a static argument, or the largest one with a mask"


@advising(ADVICE, "")
def instead_of_value(op: Op, construct: Op, form: str, context: Context) -> str:
    """What to write in place of a use that asks for the value of `op`."""
    scope = scope_of(op) or scope_of(construct)
    test = phrase(op)
    if form in CASTS:
        return f"use `{imported_as(scope, 'jax.numpy.asarray')}({test}, {CASTS[form]})`"
    if form in OUTSIDE:
        return OUTSIDE[form]
    if form in ("math", "isclose", "numpy"):
        return _of_jax(scope, construct)
    if form == "shape" and (paired := function_of_two(op, construct)):
        return f"the smaller or larger of two is `{imported_as(scope, paired)}`"
    if form in ("range", "shape", "repeat"):
        static = _shifted(scope, construct) or _static(op, context)
        called = imported_name(construct.func) if type(construct) is ops.Call else ""
        if not static and called.rpartition(".")[2] in TIMES:
            return KNOWN_NUMBER
        if not static and called == "jax.numpy.delete":
            return "pass the indices in an array, with `assume_unique_indices=True`"
        if not static and form == "shape" and (number := number_argument(op, context)) and context.trace is not None:
            return f"declare `{number}` static where `{context.trace.function}` is jitted"
        if not static and form != "range" and (unmapped := _without_mapping(context)):
            return unmapped
        if not static and form != "range" and _is_field(op, context):
            return OF_FIELD.format(phrase(op).rpartition(".")[2])
        if not static and form != "range" and is_made_in_trace(context):
            return OF_HOST.format(imported_as(scope, "numpy"), OF_ARRAY)
        return static or (f"use `{imported_as(scope, 'jax.lax.fori_loop')}`" if form == "range" else KNOWN)
    if form in ("index", "numpy index"):
        is_array = type(construct) is ops.Item and type(construct.base) is not ops.Const
        base = phrase(construct.base) if type(construct) is ops.Item and is_array else ""
        return (
            f"use `{imported_as(scope, 'jax.numpy.asarray')}({base})[{test}]`"
            if base
            else "use an array that is indexed by it"
        )
    if form == "numpy item":
        base = phrase(construct.base) if type(construct) is ops.Item else "it"
        return f"use `{base} = {imported_as(scope, 'jax.numpy.asarray')}({base}).at[...].set({test})`"
    if form in ("slice", "bound"):
        return _of_slice(scope, op, construct, context)
    if form == "mask":
        masked, where = construct.base if type(construct) is ops.Item else op, imported_as(scope, "jax.numpy.where")
        if type(masked) is ops.Attr and masked.name == "at":
            return SELECTED.format(f"{where}({test}, ..., {phrase(masked.base)})")
        return SELECTED.format(f"{where}({test}, {phrase(masked)}, 0)")
    if form == "size":
        sized = f"{phrase(construct.func)}(..., size=n)" if type(construct) is ops.Call else "size"
        where = imported_as(scope, "jax.numpy.where")
        return f"use `{sized}`" + (f", or `{where}` with three arguments" if "where(" in sized else "")
    return ""


def _without_mapping(context: Context) -> str:
    """What to do about a size that differs in each lane of `vmap`, which has no static arguments; "" of others."""
    trace = context.trace
    if trace is None or not trace.value or trace.transform not in MAPPING:
        return ""
    return "" if "<" in trace.function else OF_MAPPED.format(trace.function, trace.shown)


def _is_field(op: Op, context: Context) -> bool:
    """Is it a field of the argument that is traced?"""
    root = op
    while type(root) is ops.Attr:
        root = root.base
    return (
        type(op) is ops.Attr
        and type(root) is ops.Name
        and context.trace is not None
        and root.name == context.trace.value
    )


def _shifted(scope: Scope | None, construct: Op) -> str:
    """What gives as many numbers as are known, from a traced one on: `arange(i, i + 5)` is `i + arange(5)`."""
    if type(construct) is not ops.Call or len(construct.args) != 2 or construct.keywords:
        return ""
    first, last = construct.args
    size = _beyond(last, first, "+") if imported_name(construct.func) == "jax.numpy.arange" else None
    if type(size) is not ops.Const:
        return ""
    return f"use `{phrase(first)} + {imported_as(scope, 'jax.numpy.arange')}({phrase(size)})`"


def is_made_in_trace(context: Context) -> bool:
    """Is the value computed in traced code, of no argument that is traced?"""
    return context.trace is not None and not context.trace.value


def _of_slice(scope: Scope | None, op: Op, construct: Op, context: Context) -> str:
    """What to write for a bound of a slice: where the size is traced, too, no function of JAX makes that slice."""
    masked = f"keep the whole array and mask it with `{imported_as(scope, 'jax.numpy.where')}`"
    if is_made_in_trace(context):
        return OF_HOST.format(imported_as(scope, "numpy"), masked)
    if is_update(construct):
        cut, stored = imported_as(scope, "jax.lax.dynamic_update_slice"), "store what has a known size with"
        return f"{stored} `{cut}`, or select it with `{imported_as(scope, 'jax.numpy.where')}`"
    length, cut = length_at(op), imported_as(scope, "jax.lax.dynamic_slice")
    if length.isdigit():
        return f"use `{cut}`, of a size that is known"
    if (unmapped := _without_mapping(context)) and context.trace is not None and (
        not length or context.trace.value in WORD.findall(length)
    ):
        return f"{masked}, or {unmapped}" if not length else unmapped
    if 0 < len(length) <= LONGEST:
        return f"use `{cut}` where `{length}` is static or of a shape, else {masked}"
    if static := _static(op, context):
        return static
    if (number := number_argument(op, context)) and context.trace is not None:
        return f"declare `{number}` static where `{context.trace.function}` is jitted, or {masked}"
    return f"take its size from a shape or a static argument, or {masked}"


def is_update(construct: Op) -> bool:
    """Is it a slice of what `at` of an array gives, into which something is stored?"""
    return type(construct) is ops.Item and type(construct.base) is ops.Attr and construct.base.name == "at"


def _beyond(far: Op, near: Op, sign: str) -> Op | None:
    """What is added to one operand, or taken from it, to give another."""
    if type(far) is not ops.Operate or far.operator != sign or len(far.operands) != 2:
        return None
    texts = [phrase(one) for one in far.operands]
    if texts[0] == texts[1] or phrase(near) not in texts[: 2 if sign == "+" else 1]:
        return None
    return far.operands[1 if texts[0] == phrase(near) else 0]


AXES = frozenset(("axis", "axes", "axis1", "axis2", "dim", "dims", "dimension", "dimensions"))
"""Parameters that no shape says anything of."""

OF_TWO = {f"jax.numpy.{name}": f"jax.numpy.{name[-3:]}imum" for name in ("min", "max", "amin", "amax")}
"""What is meant where a reduction is given two arrays, by its name."""


@advising(ADVICE, "")
def instead_of_computing(op: Op) -> str:
    """What to write in place of a computation of the library on values of the host."""
    scope = scope_of(op)
    name = imported_name(op.func) if type(op) is ops.Call else ""
    if name.startswith("jax.numpy."):
        called = [imported_name(one.func) for one in within(op) if type(one) is ops.Call]
        inner = dict.fromkeys(one.replace("jax.numpy", "numpy", 1) for one in called if one.startswith("jax.numpy."))
        of_host = [f"`{imported_as(scope, one)}`" for one in inner]
        gives = "gives" if len(of_host) == 1 else "give"
        return f"use {' and '.join(of_host)}, which {gives} numbers while JAX traces"
    return f"compute it with `{imported_as(scope, 'numpy')}` or `math`, which give numbers while JAX traces"


def _of_jax(scope: Scope | None, construct: Op) -> str:
    """The function of JAX that does the same, or how to call one of the host."""
    module, _, name = imported_name(construct.func).rpartition(".") if type(construct) is ops.Call else ("", "", "")
    if name in SPECIAL and module == "math":
        return f"use `{imported_as(scope, f'jax.scipy.special.{SPECIAL[name]}')}`"
    if not module or name.startswith(("save", "load")):
        return f"return it and do this outside, or use `{imported_as(scope, 'jax.experimental.io_callback')}`"
    home = next((jax + module[len(host) :] for host, jax in MODULES.items() if module.startswith(host)), "jax.numpy")
    found = f"{home}.{NUMPY_NAMES.get(name, name)}"
    if load().function(found) is None:
        callback = imported_as(scope, "jax.pure_callback")
        return f"JAX has no `{name}`: call it outside of traced code, or with `{callback}`"
    return f"use `{imported_as(scope, found)}`"


def function_of_jax(construct: Op) -> str:
    """The function of `jax.numpy` that does what one of the host does; "" if none is known."""
    module, _, name = imported_name(construct.func).rpartition(".") if type(construct) is ops.Call else ("", "", "")
    if module == "math":
        return f"jax.scipy.special.{SPECIAL[name]}" if name in SPECIAL else f"jax.numpy.{NUMPY_NAMES.get(name, name)}"
    is_there = module in ("numpy", "numpy.linalg", "numpy.fft") and not name.startswith(("save", "load"))
    return f"jax.numpy{module[len('numpy') :]}.{name}" if is_there else ""


def function_of_two(op: Op, construct: Op | None) -> str:
    """The function that is meant where an axis is given an array: `jnp.min(x, y)` as if it were `min(x, y)`.

    There is none where the argument is called an axis.
    """
    if type(construct) is not ops.Call or len(construct.args) != 2 or construct.args[1] is not op or phrase(op) in AXES:
        return ""
    return OF_TWO.get(imported_name(construct.func), "")


def _static(op: Op, context: Context) -> str:
    """How to declare the parameter of the jitted function as static, if it is the value that is asked for."""
    trace = context.trace
    if trace is None or context.chain or "filter" in trace.transform:
        return ""
    if trace.role != "jitted" and not may_declare(context):
        return ""
    is_own = type(op) is ops.Name and op.name == trace.value
    return f'use `static_argnames=("{trace.value}",)`' if is_own else ""
