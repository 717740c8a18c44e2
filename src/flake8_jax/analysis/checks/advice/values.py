"""What to write in the place of a use that asks a tracer for its value, as a change of the file.

float(x)                jnp.asarray(x, float)
np.sin(x), math.sin(x)  jnp.sin(x)
x[x > 0].mean()         jnp.mean(x, where=x > 0)
len(x[x > 0])           (x > 0).sum()
x[i : i + 3]            jax.lax.dynamic_slice_in_dim(x, i, 3)
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partial
from itertools import pairwise

from flake8_jax.analysis.checks.advice import branches, control_flow, slices
from flake8_jax.analysis.checks.advice.arrays import ArrayWriter, called, is_no_element
from flake8_jax.analysis.checks.advice.branches import MOST_READS
from flake8_jax.analysis.checks.advice.draws import drawn_with_a_key
from flake8_jax.analysis.checks.advice.kinds import kinds_of
from flake8_jax.analysis.checks.advice.unselectable import INDEX, NUMBERS, TEXTS, is_text
from flake8_jax.analysis.checks.naming import imported_as, imported_name, scope_of
from flake8_jax.analysis.checks.static_values import MAKE_AN_ARRAY
from flake8_jax.analysis.isolation import ADVICE, advising
from flake8_jax.api.passing import CALLED_IN_TRACES
from flake8_jax.api.table import load
from flake8_jax.ir.ops import Attr, Call, Item, Op
from flake8_jax.ir.scope import Scope
from flake8_jax.model.diagnostic import Remedy
from flake8_jax.syntax.layout import Layout
from flake8_jax.syntax.positions import unpacked

COUNTED = frozenset(("nonzero", "flatnonzero", "argwhere", "unique", "union1d", "intersect1d", "setdiff1d"))
FOUND = frozenset(("nonzero", "flatnonzero", "argwhere", "where"))
"""The functions that give the places where something holds."""

LONGEST = 110
CASTS = frozenset(("float", "complex", "int"))
REDUCTIONS = frozenset(("mean", "sum", "prod", "any", "all", "std", "var"))
EXTREMES = {"max": "min", "min": "max"}
"""What a reduction starts from: for the greatest element the least number."""

COUNTING = frozenset(("count_nonzero",))
"""What takes no `where`, and is not changed by a 0."""

DISPLAYS = (ast.List, ast.ListComp, ast.Tuple)
OF_LISTS = frozenset((
    "array", "asarray", "block", "column_stack", "concatenate", "dstack", "hstack", "meshgrid", "stack", "vstack",
))  # fmt: skip
"""The functions of `jax.numpy` that take a list of arrays."""

PAIRED = {"max": "maximum", "min": "minimum"}
DEMANDED = frozenset((
    "__bool__", "__len__", "__int__", "__float__", "__complex__", "__index__", "__hash__", "__contains__",
))  # fmt: skip
CONVERSIONS = frozenset(("jax.numpy.array", "jax.numpy.asarray"))
CONVERTING = frozenset(f"numpy.{name}" for name in ("array", "asarray", "asanyarray", "ascontiguousarray"))

WHOLE = frozenset(("ceil", "floor", "trunc"))
"""The functions of `math` that give integers, and whose like in JAX keep the dtype."""

ASKED = frozenset(("if", "elif", "ternary", "and", "or", "not"))
"""What asks whether there is something."""

SIZES = frozenset(("range", "zeros", "ones", "full", "empty", "arange", "eye", "reshape", "slice", "repeat", "tile"))
"""What needs a number of Python: an array in its place would be refused in turn."""


@advising(ADVICE, None)
def remedy_of(op: Op, construct: Op, form: str, function: str) -> Remedy | None:
    """The remedy in code for a use that asks for the value of `op`; None where none is known.

    `function` is the name of JAX that does what the called one does.
    """
    scope, source = scope_of(op) or scope_of(construct), op.anchor.origin.source
    if not op.place or op.anchor.field is not None or construct.anchor.origin.source is not source:
        return None
    layout = source.layout
    writer, node = ArrayWriter(layout, scope), layout.at.get(unpacked(op.place))
    if node is not None and (_demanded(layout, node) or writer.shared_library(node)):
        return None
    around = layout.at.get(unpacked(construct.place)) if construct.place else None
    if node is None:
        return None
    if form in CONVERTED and around is not None and _is_handed_out(writer, around):
        return None
    if form in ASKED and isinstance(node, ast.Name) and _is_optional(layout, node):
        denied = layout.parents.get(node) if isinstance(layout.parents.get(node), ast.UnaryOp) else None
        text = f"{node.id} is {'' if denied is not None else 'not '}None"
        return _written(writer, denied if isinstance(denied, ast.UnaryOp) else node, text)
    if form in ("if", "elif", "while", "ternary", "and", "or", "not", "chain", "bool"):
        found = branches.of_test(writer, node) if not branches.spoiled(writer, node) else None
        return found or (_cast(writer, around, "bool") if form == "bool" and isinstance(around, ast.Call) else None)
    if form == "in" and isinstance(around, ast.Compare):
        return branches.of_test(writer, around)
    if form == "range" and around is not None and isinstance(loop := layout.parents.get(around), ast.For):
        return control_flow.of_loop(writer, loop) if loop.iter is around else None
    if isinstance(around, ast.Call):
        return _of_call(writer, around, form, function)
    if isinstance(around, ast.Subscript):
        return _of_item(writer, around, form)
    return None


def _is_handed_out(writer: ArrayWriter, node: ast.expr) -> bool:
    """Is it a part of what a call on the host is given that is a statement of its own, as `log({"loss": float(x)})`?"""
    around: ast.AST | None = node
    while isinstance(around, (ast.expr, ast.keyword)):
        around = writer.layout.parents.get(around)
    call = around.value if isinstance(around, ast.Expr) else None
    if not isinstance(call, ast.Call) or call is node:
        return False
    callee = writer.layout.text(call.func)
    return not any(callee.startswith(f"{name}.") for name in ("self", *map(writer.name, CALLED_IN_TRACES)) if name)


def _is_optional(layout: Layout, node: ast.Name) -> bool:
    """Is it an argument that is None by default, and no truth or number of Python?  Who asks for it means that."""
    arguments = getattr(layout.frame(node), "args", None)
    if not isinstance(arguments, ast.arguments):
        return False
    places = [*arguments.posonlyargs, *arguments.args]
    defaults = [*zip(places[len(places) - len(arguments.defaults) :], arguments.defaults)]
    defaults += [(one, value) for one, value in zip(arguments.kwonlyargs, arguments.kw_defaults) if value is not None]
    found = next(((one, value) for one, value in defaults if one.arg == node.id), None)
    if found is None or not isinstance(found[1], ast.Constant) or found[1].value is not None:
        return False
    noted = layout.text(found[0].annotation) if found[0].annotation is not None else ""
    return not any(word in noted for word in ("bool", "int", "float"))


def _demanded(layout: Layout, node: ast.AST) -> str:
    """The method around a node whose result Python itself demands to be of its own kind; "" if it is none."""
    name = getattr(layout.frame(node), "name", "")
    return name if name in DEMANDED and isinstance(layout.frame(layout.frame(node)), ast.ClassDef) else ""


def _written(writer: ArrayWriter, node: ast.expr, text: str, said: str = "") -> Remedy | None:
    if not text or len(text) > LONGEST:
        return None
    return Remedy(f"use `{said or text}`", "", (writer.layout.replaced(node, text),))


def _of_call(writer: ArrayWriter, call: ast.Call, form: str, function: str) -> Remedy | None:
    layout = writer.layout
    if form in CASTS:
        return _cast(writer, call, form)
    if form == "item" and isinstance(call.func, ast.Attribute) and not call.args:
        return _written(writer, call, writer.text(call.func.value))
    if form == "numpy" and not function and isinstance(call.func, ast.Attribute):  # a method of an array of NumPy
        made, base = writer.name("jax.numpy.array"), writer.text(call.func.value)
        given = [writer.text(argument) for argument in call.args]
        if not made or not base or not all(given) or call.keywords:
            return None
        said = f"{made}({base}).{call.func.attr}({', '.join(given)})"
        return Remedy(f"use `{said}`", "", (layout.replaced(call.func.value, f"{made}({base})"),))
    if form in ("math", "isclose", "numpy") and function and not function.startswith("jax.random."):
        known, given = writer.name(function), [writer.text(argument) for argument in call.args]
        if form == "isclose" and (len(given) != 2 or call.keywords or not all(given)):
            return None
        if not known:
            return None
        if form == "numpy" and function in CONVERSIONS and _is_handed_on(writer, call):
            return None
        if form == "math" and called(call) in WHOLE and all(given) and not call.keywords:
            return _written(writer, call, f"{known}({', '.join(given)}).astype(int)")
        edits = [layout.replaced(call.func, known)]
        if form == "numpy" and _makes_array_of_list(call, function):
            if not (made := writer.name("jax.numpy.array")) or not all(given):
                return None
            given[0] = f"{made}({given[0]})"
            edits.append(layout.replaced(call.args[0], given[0]))
        said = f"{known}({', '.join(given)})" if all(given) and not call.keywords else known
        return Remedy(f"use `{said if len(said) <= LONGEST else known}`", "", tuple(edits))
    if form in ("min", "max", "sorted", "any", "all"):
        return _of_order(writer, call, form)
    if form == "shape" and function and (known := writer.name(function)) and all(map(writer.text, call.args)):
        said = f"{known}({', '.join(map(writer.text, call.args))})"
        return Remedy(f"use `{said if len(said) <= LONGEST else known}`", "", (layout.replaced(call.func, known),))
    return None


def _is_handed_on(writer: ArrayWriter, call: ast.Call) -> bool:
    """Does a function get what a conversion gives, or a method of it: one that may be called for its NumPy alone?"""
    for node, around in pairwise(writer.layout.way(call)):
        if isinstance(around, ast.Call) and around.func is not node:
            return not writer.is_imported(around.func)
        if not isinstance(around, (ast.Attribute, ast.Call)):
            return False
    return False


def _makes_array_of_list(call: ast.Call, function: str) -> bool:
    """Does a function of NumPy make an array of a list, which that of `jax.numpy` refuses?"""
    module, _, name = function.rpartition(".")
    is_list = bool(call.args) and (isinstance(call.args[0], DISPLAYS) or name in MAKE_AN_ARRAY)
    return is_list and name not in OF_LISTS and module != "jax.scipy.special"


def _cast(writer: ArrayWriter, call: ast.expr | None, kind: str) -> Remedy | None:
    """A conversion of a Python number to an array; where a number itself is needed, it would be refused as well."""
    if not isinstance(call, ast.Call) or len(call.args) != 1 or call.keywords:
        return None
    make, given = writer.name("jax.numpy.asarray"), writer.text(call.args[0])
    for around in writer.layout.way(call):
        if isinstance(around, (ast.Subscript, ast.JoinedStr, ast.stmt)):
            break
        if around is not call and isinstance(around, ast.Call) and called(around) in SIZES:
            return None
    if isinstance(around, (ast.Subscript, ast.JoinedStr, ast.For)):
        return None
    made = call.args[0]
    if isinstance(made, ast.Call) and given and called(made) in ("array", "asarray"):
        return _written(writer, call, f"{given}.astype({kind})")
    return _written(writer, call, f"{make}({given}, {kind})" if make and given else "")


def _of_order(writer: ArrayWriter, call: ast.Call, form: str) -> Remedy | None:
    given = [writer.text(argument) for argument in call.args]
    is_plain = not any(isinstance(argument, (ast.Starred, ast.GeneratorExp)) for argument in call.args)
    if call.keywords or not given or not all(given) or not is_plain or branches.is_tested(writer.layout, call):
        return None
    if called(call) != form:  # it is handed to what calls it: `functools.reduce(max, xs)`
        return None
    if form in PAIRED and len(given) > 1:
        function = writer.name(f"jax.numpy.{PAIRED[form]}")
        text = given[0]
        for one in given[1:]:
            text = f"{function}({text}, {one})"
        return _written(writer, call, text if function else "")
    function = writer.name(f"jax.numpy.{'sort' if form == 'sorted' else form}")
    given = [f"{writer.name('jax.numpy.array')}({given[0]})"] if isinstance(call.args[0], DISPLAYS) else given
    return _written(writer, call, f"{function}({given[0]})" if function and len(given) == 1 else "")


def _of_item(writer: ArrayWriter, item: ast.Subscript, form: str) -> Remedy | None:
    base, index = writer.text(item.value), item.slice
    if form == "mask" and isinstance(item.ctx, ast.Load):
        return _of_mask(writer, item) or _of_masked_update(writer, item)
    if form in ("index", "numpy index") and isinstance(item.value, (ast.Name, ast.Attribute, ast.List, ast.Tuple)):
        make = writer.name("jax.numpy.array")
        if _holds_functions(writer, item):
            return _switched(writer, item)
        if _holds_text(writer, item.value) or _is_dict(writer, item.value):
            return None
        return _written(writer, item, f"{make}({base})[{writer.text(index)}]" if make and base else "")
    return _cut(writer, item) if form == "bound" else None


def _cut(writer: ArrayWriter, item: ast.Subscript) -> Remedy | None:
    """The piece that a slice takes, by a function of JAX, and those that the statement takes from the same place on."""
    text, begins = _piece(writer, item)
    statement = writer.layout.statement(item)
    if not text or statement is None or len(text) > LONGEST:
        return None
    others = [one for one in ast.walk(statement) if isinstance(one, ast.Subscript) and one is not item]
    cut = [(one, piece) for one in others for piece, place in (_piece(writer, one),) if piece and place == begins]
    edits = [writer.layout.replaced(one, piece) for one, piece in [(item, text), *cut]]
    return Remedy(f"use `{text}`" + (", and the like beside it" if cut else ""), "", tuple(edits))


def _piece(writer: ArrayWriter, item: ast.Subscript) -> tuple[str, str]:
    """The call that takes what a slice takes, and where it begins; "" where no length is known."""
    layout, found = writer.layout, slices.axis_of(item.slice)
    if found is None or not isinstance(item.ctx, ast.Load):
        return "", ""
    (piece, axis), base = found, writer.text(item.value)
    cut, length = writer.name("jax.lax.dynamic_slice_in_dim"), slices.length_of(layout, piece)
    if piece.lower is None or not length or not cut or not base or base.endswith(".at"):
        return "", ""
    begins = layout.text(piece.lower)
    return f"{cut}({base}, {begins}, {length}{axis})", begins


def _holds_functions(writer: ArrayWriter, item: ast.Subscript) -> bool:
    """Is an item called, or taken from a sequence that is written out somewhere with a lambda in it?"""
    around = writer.layout.parents.get(item)
    if isinstance(around, ast.Call) and around.func is item:
        return True
    return any(isinstance(one, ast.Lambda) for value in _displays(writer, item.value) for one in value.elts)


def _switched(writer: ArrayWriter, item: ast.Subscript) -> Remedy | None:
    """The call of one function of a list as a call of `lax.switch`."""
    call, switch = writer.layout.parents.get(item), writer.name("jax.lax.switch")
    if not isinstance(call, ast.Call) or call.func is not item or call.keywords or not switch:
        return None
    texts = [writer.text(one) for one in (item.slice, item.value, *call.args)]
    is_list = any(True for _ in _displays(writer, item.value))
    is_plain = is_list and all(texts) and not any(isinstance(one, ast.Starred) for one in call.args)
    return _written(writer, call, f"{switch}({', '.join(texts)})" if is_plain else "")


def _displays(writer: ArrayWriter, sequence: ast.expr) -> Iterator[ast.List | ast.Tuple]:
    """The displays of a sequence that is written out there, or where its name is bound."""
    values = writer.bound_to(sequence) if isinstance(sequence, ast.Name) else (sequence,)
    for value in values:
        if isinstance(value, (ast.List, ast.Tuple)):
            yield value


def _is_dict(writer: ArrayWriter, table: ast.expr) -> bool:
    """Is it a dict that is written out there, or where its name is bound?"""
    values = writer.bound_to(table) if isinstance(table, ast.Name) else (table,)
    return any(isinstance(value, (ast.Dict, ast.DictComp)) for value in values)


def _holds_text(writer: ArrayWriter, sequence: ast.expr) -> bool:
    """Is a sequence written out somewhere with items that no array can hold?"""
    return any(is_no_element(one) for value in _displays(writer, sequence) for one in value.elts)


def _of_mask(writer: ArrayWriter, item: ast.Subscript) -> Remedy | None:
    """A reduction of the elements that a mask of the same array selects."""
    layout, mask = writer.layout, item.slice
    base, where = writer.text(item.value), writer.text(mask)
    is_own = isinstance(mask, ast.Compare) and any(layout.text(one) == base for one in (mask.left, *mask.comparators))
    if not base or not where or not is_own:
        return None
    around = layout.parents.get(item)
    if isinstance(around, ast.Attribute) and around.attr == "size":
        return _written(writer, around, f"({where}).sum()")
    call, name = _summary_of(writer, item)
    if call is None:
        return None
    if name == "len":
        return _written(writer, call, f"({where}).sum()")
    return _written(writer, call, _reduced(writer, name, item.value, where))


def _summary_of(writer: ArrayWriter, item: ast.Subscript) -> tuple[ast.Call | None, str]:
    """The call of a function that gets nothing but an item, or of a method of it, and its name."""
    layout = writer.layout
    around = layout.parents.get(item)
    call = layout.parents.get(around) if isinstance(around, ast.Attribute) else around
    if not isinstance(call, ast.Call) or call.keywords:
        return None, ""
    if isinstance(around, ast.Attribute):
        return (call, around.attr) if call.func is around and not call.args else (None, "")
    if call.args != [item]:
        return None, ""
    if isinstance(call.func, ast.Name) and call.func.id == "len":
        return call, "len"
    is_function = isinstance(call.func, ast.Attribute) and layout.text(call.func.value) == writer.name("jax.numpy")
    return (call, called(call)) if is_function else (None, "")


def _words_of_mask(writer: ArrayWriter, item: ast.Subscript) -> str:
    """What to do about the elements that a mask selects, which may be of a part of the axes."""
    base, mask, where = writer.text(item.value), writer.text(item.slice), writer.name("jax.numpy.where")
    call, name = _summary_of(writer, item)
    text = _reduced(writer, name, item.value, mask) if call is not None and base and mask else ""
    if 0 < len(text) <= LONGEST:
        return f"use `{text}`, if the mask has the shape of `{base}`"
    selected = f"{where}({mask}, {base}, 0)"
    if isinstance(item.slice, (ast.Tuple, ast.Slice)) or not (base and mask and where) or len(selected) > LONGEST:
        return WORDS["mask"]
    return f"keep all elements, as by `{selected}` where a 0 changes no result, or select outside of traced code"


def _of_masked_update(writer: ArrayWriter, item: ast.Subscript) -> Remedy | None:
    """`x.at[mask].set(0)` as a selection."""
    layout, at, where = writer.layout, item.value, writer.name("jax.numpy.where")
    method = layout.parents.get(item)
    call = layout.parents.get(method) if isinstance(method, ast.Attribute) and method.attr == "set" else None
    if not isinstance(call, ast.Call) or not isinstance(at, ast.Attribute) or at.attr != "at" or not where:
        return None
    is_plain = len(call.args) == 1 and isinstance(call.args[0], (ast.Constant, ast.UnaryOp))
    if call.keywords or not is_plain or isinstance(item.slice, (ast.Tuple, ast.Slice)):
        return None
    mask, new, base = writer.text(item.slice), writer.text(call.args[0]), writer.text(at.value)
    return _written(writer, call, f"{where}({mask}, {new}, {base})" if mask and base else "")


WORDS = {
    "and": "use `{}`", "or": "use `{}`", "not": "use `{}`",
    "chain": "join its comparisons with `&`",
    "in": "use `{}`",
    "bool": "use the array itself, and select by it with `{}`; a truth of Python must be known before tracing",
    "int": "use the array itself; a size, an index or a bound of Python must be known before tracing",
    "float": "use the array itself, with `astype`", "complex": "use the array itself, with `astype`",
    "item": "use the array itself, or return it and convert it outside",
    "mask": "keep all elements, with a mask of the same shape beside them, or select outside of traced code",
    "shared": "use what all libraries have that this code serves, or keep it out of traced code",
    "size": "give it a `size`, the largest number of elements",
    "index": "make an array of the values, and index that", "numpy index": "index an array of JAX",
    "numpy item": "collect the values in an array of JAX",
    **{form: f"use `{{}}.{form}`" for form in ("any", "all")},
    **{form: f"use `{{0}}.{form}` of an array, or `{{0}}.{form}imum` of two" for form in ("min", "max")},
    "sorted": "use `{0}.sort`, or `{0}.argsort` for an order",
    "filter": "keep all elements, and select with `{}`",
}  # fmt: skip
"""What to do where no code holds."""

CONVERTED = frozenset(("int", "float", "complex", "item", "tolist"))
HANDED_OUT = "return it, and convert it outside; from traced code `{}` hands values to the host"
"""What to do about a number that code of the host is given, as a log is."""

TURNING = frozenset(("enumerate", "reversed", "tqdm", "trange", "zip"))
"""Functions around the `range` of a loop."""

GATHERING = frozenset(("append", "extend", "insert"))
NUMBER_OF_TURNS = "take the number of turns from a shape or a static argument"

NAMED = {
    "and": "jax.numpy.logical_and", "or": "jax.numpy.logical_or", "not": "jax.numpy.logical_not",
    "in": "jax.numpy.isin", "bool": "jax.lax.cond", "filter": "jax.numpy.where",
    **dict.fromkeys(("any", "all", "min", "max", "sorted"), "jax.numpy"),
}  # fmt: skip
TRUTHS = ("any", "all")
TESTED = frozenset((
    "if", "elif", "ternary", "while", "assert", "and", "or", "not", "chain", "bool", "in", "comprehension",
))  # fmt: skip


@advising(ADVICE, "")
def words_of(op: Op, construct: Op, form: str, otherwise: str) -> str:
    """What to do in plain words."""
    scope = scope_of(op) or scope_of(construct)
    words = WORDS.get(form, otherwise).format(imported_as(scope, NAMED.get(form, "")))
    if type(construct) is Call and imported_name(construct.func).startswith("numpy.random."):
        return drawn_with_a_key(construct, partial(imported_as, scope))
    if form == "numpy" and type(construct) is Call and _gives_as_many(construct):
        function = imported_as(scope, f"jax.numpy.{imported_name(construct.func).rpartition('.')[2]}")
        return f"use `{function}` with a `size`, the largest number of elements"
    if form == "mask" and type(construct) is Item and _is_counted_alone(construct):
        return f"count with `{imported_as(scope, 'jax.numpy.count_nonzero')}` what the mask keeps: only that is read"
    if form == "size" and type(construct) is Call:
        return _words_of_count(construct, scope) or _words_of_size(imported_name(construct.func), words)
    is_converted = form == "numpy" and type(construct) is Call and imported_name(construct.func) in CONVERTING
    if is_converted and otherwise.startswith("use "):
        library, callback = imported_as(scope, "jax.numpy"), imported_as(scope, "jax.pure_callback")
        return f"{otherwise}, and `{library}` for all that is made of it; what must be NumPy runs in `{callback}`"
    if form == "mask" and type(construct) is Item and type(construct.base) is Attr and construct.base.name == "at":
        return f"keep all elements, and select what is stored with `{imported_as(scope, 'jax.numpy.where')}`"
    if form == "range" and type(construct) is Call and "static" not in otherwise:
        return _words_of_turns(construct, otherwise)
    if op.place and op.anchor.field is None:
        layout = op.anchor.origin.source.layout
        node = layout.at.get(unpacked(op.place))
        if node is not None and (method := _demanded(layout, node)):
            return f"give the array by a method of another name: Python demands a value of its own from `{method}`"
        if node is not None and (library := ArrayWriter(layout, scope).shared_library(node)):
            return f"use `{library}.where`, which other libraries have, too" if form in TESTED else WORDS["shared"]
        around = layout.at.get(unpacked(construct.place)) if construct.place else None
        if form in CONVERTED and around is not None and _is_handed_out(ArrayWriter(layout, scope), around):
            return HANDED_OUT.format(imported_as(scope, "jax.debug.callback"))
        if form == "mask" and isinstance(around, ast.Subscript):
            return _words_of_mask(ArrayWriter(layout, scope), around)
        is_item = form == "index" and isinstance(around, ast.Subscript)
        if is_item and _holds_functions(ArrayWriter(layout, scope), around):  # type: ignore[arg-type]
            return f"use `{imported_as(scope, 'jax.lax.switch')}`, which takes the functions in a list"
        if is_item and _holds_text(ArrayWriter(layout, scope), around.value):  # type: ignore[union-attr]
            if any(map(is_text, layout.way(around))):  # type: ignore[arg-type]
                return NUMBERS
            return INDEX
    if form not in (*TESTED, *TRUTHS) or not op.place or op.anchor.field is not None or node is None:
        return words
    found = branches.words_of_test(ArrayWriter(layout, scope), node, words)
    if form in TRUTHS and found != words:
        return f"{words} for the test, and {found}"
    if "static_argnames" in otherwise and not found.startswith(TEXTS):
        static = otherwise.partition(", or ")[2] if found.startswith(branches.CHOOSING) else ""
        return static or words
    return found


def _words_of_turns(construct: Call, otherwise: str) -> str:
    """What to do about a `range`: `otherwise`, if it counts the turns of a loop that gathers nothing."""
    layout = construct.anchor.origin.source.layout
    node = layout.at.get(unpacked(construct.place)) if construct.place and construct.anchor.field is None else None
    around = layout.parents.get(node) if node is not None else None
    if isinstance(around, ast.Call) and called(around) in TURNING:
        around = layout.parents.get(around)
    if node is None or around is None or (isinstance(around, ast.For) and not _gathers(around)):
        return otherwise
    if isinstance(around, ast.For):
        return f"{NUMBER_OF_TURNS}, or {otherwise} and store into an array of a known size, with `at[i].set`"
    return f"{NUMBER_OF_TURNS}: Python makes one element after another while JAX traces"


def _gathers(loop: ast.For) -> bool:
    """Does a loop put something into a list in each turn?"""
    inner = (node for statement in loop.body for node in ast.walk(statement))
    return any(isinstance(node, ast.Call) and called(node) in GATHERING for node in inner)


def _gives_as_many(call: Call) -> bool:
    """Does a function of NumPy give as many elements as the data say, for which JAX asks for a `size`?"""
    module, _, name = imported_name(call.func).rpartition(".")
    return module == "numpy" and (name in COUNTED or (name == "where" and len(call.args) == 1))


def _words_of_count(construct: Call, scope: Scope | None) -> str:
    """What counts the elements of a result, where nothing else is read of it; "" where something is."""
    if not _is_counted_alone(construct):
        return ""
    if imported_name(construct.func).rpartition(".")[2] in FOUND:
        return f"use `{imported_as(scope, 'jax.numpy.count_nonzero')}`: a `size` would be counted itself"
    return "count outside of traced code, or where the sorted values differ: a `size` would be counted itself"


def _is_counted_alone(construct: Op) -> bool:
    """Is only the number of elements of a result asked for?"""
    layout = construct.anchor.origin.source.layout
    node = layout.at.get(unpacked(construct.place)) if construct.place and construct.anchor.field is None else None
    store = layout.parents.get(_whole(layout, node)) if node is not None else None
    reads: list[ast.expr] = [node] if node is not None else []
    if isinstance(store, ast.Assign) and isinstance(target := store.targets[0], ast.Name):
        reads = layout.reads.get((layout.frame(store), target.id), [])
    return 0 < len(reads) <= MOST_READS and all(_is_counted(layout, read) for read in reads)


def _whole(layout: Layout, node: ast.expr) -> ast.expr:
    """The expression around a result that takes one item of it: `nonzero(x)[0]`."""
    around = layout.parents.get(node)
    return around if isinstance(around, ast.Subscript) and around.value is node else node


def _is_counted(layout: Layout, read: ast.expr) -> bool:
    """Is only the number of its elements asked for?"""
    whole = _whole(layout, read)
    around = layout.parents.get(whole)
    if isinstance(around, ast.Call):
        return isinstance(around.func, ast.Name) and around.func.id == "len" and around.args == [whole]
    return isinstance(around, ast.Attribute) and around.attr in ("shape", "size")


def _words_of_size(name: str, otherwise: str) -> str:
    """What gives the result of a function a known shape: what its row says is missing, or must be otherwise."""
    row = load().function(name)
    if row is None:
        return otherwise
    conditions = [condition for form in row.forms if form.eager for condition in form.when]
    if not conditions:
        return "keep all elements, or compute it outside of the traced code"
    parameter = conditions[-1].parameter
    if any(condition.parameter == "size" for condition in conditions):
        is_filled = row.parameter_named("fill_value") is not None
        return f"{otherwise}, and a `fill_value` for the rest" if is_filled else otherwise
    if conditions[-1].test == "absent":
        return f"give it a `{parameter}`, which is then known"
    return f"pass `{parameter}=False`"


def _reduced(writer: ArrayWriter, name: str, array: ast.expr, where: str) -> str:
    """A reduction of the elements that a mask selects; "" if none is known."""
    function, base = writer.name(f"jax.numpy.{name}"), writer.text(array)
    if not function:
        return ""
    if name in REDUCTIONS:
        return f"{function}({base}, where={where})"
    if name in COUNTING or name == "median":
        select = writer.name("jax.numpy.where")
        if name == "median":
            function, none = writer.name("jax.numpy.nanmedian"), writer.name("jax.numpy.nan")
            return f"{function}({select}({where}, {base}, {none}))" if function and select and none else ""
        return f"{function}({select}({where}, {base}, 0))" if select else ""
    if name not in EXTREMES:
        return ""
    least, infinite, numbers = EXTREMES[name], writer.name("jax.numpy.inf"), writer.name("jax.numpy.iinfo")
    if numbers and kinds_of(writer.layout, writer.layout.frame(array)).kind(array) == "int":
        return f"{function}({base}, where={where}, initial={numbers}({base}.dtype).{least})"
    sign = "-" if name == "max" else ""
    return f"{function}({base}, where={where}, initial={sign}{infinite})" if infinite else ""
