"""The grammar of programs that store into arrays, read them, and drop what operations on them give.

A program has sites.  A site is one form of use, of a value of one origin, within a block, in a function that an entry
runs; the function may be the entry's, or a helper some calls below.  The values are of JAX, of NumPy, or sequences of
Python.  The grammar grows only: what it leaves out stands in `LEFT_OUT`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["array", "sequence"]
"""What a value is: three numbers in an array, of JAX or of NumPy; or a list, a tuple or another sequence of Python."""

Question: TypeAlias = Literal[
    "raises", "raises as JAX's", "is dropped", "is out of bounds", "is truncated", "is bound anew"
]
"""What the referee asks of a use, see `referee`."""


@dataclass(frozen=True, slots=True)
class StoreForm:
    """A form of use: a statement with `@` where the expression stands, which asks for the value `{v}`.

    `probe` is what Python does there, if that is not the expression; `otherwise` stands in for what raises.  A form
    with `is_bound` is of a name that is bound to the value; one with `is_parameter`, of a parameter.
    """

    code: str
    kind: Kind
    statement: str
    expression: str
    question: Question = "raises"
    probe: str = ""
    otherwise: str = "0.0"
    is_bound: bool = False
    is_parameter: bool = False


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a value comes from, in terms of the parameter `x` and what the head of a program defines."""

    kind: Kind
    expression: str
    before: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """How the function `{f}` of `x` is run; the argument is `X`, an array of JAX, or `H`, one of NumPy.

    `is_abstract`: all of it is traced, so that the referee needs shapes alone.
    """

    decorator: str
    call: str
    is_abstract: bool = False


READ = "acc = acc + @"
IF = "if @:\n    acc = acc + 1.0"
NEXT = "new = @\nacc = acc + jnp.sum(new)"


def _store(target: str, written: str = "1.0", code: str = "JAX201") -> StoreForm:
    """A store `{v}TARGET = WRITTEN`."""
    index = target[1:-1] if ":" not in target else f"slice({target[1:-1].replace(':', ', ')})"
    probe = f"operator.setitem({{v}}, {index}, {written})"
    return StoreForm(code, "array", "@", f"{{v}}{target} = {written}", probe=probe)


def _of_jax(code: str, statement: str, expression: str, probe: str = "", otherwise: str = "0.0") -> StoreForm:
    """A use that raises for arrays of NumPy too, or for these alone: there it is no hazard of JAX."""
    asked = f"{{v}}, lambda: {probe or expression}"
    return StoreForm(code, "array", statement, expression, "raises as JAX's", asked, otherwise)


FORMS: dict[str, StoreForm] = {
    "store": _store("[0]"),
    "store of a slice": _store("[0:2]", "0.5"),
    "store by a mask": _store("[{v} > 0.5]"),
    "store of a sum": StoreForm(
        "JAX201", "array", "@", "{v}[1] += 1.0", probe="operator.setitem({v}, 1, {v}[1] + 1.0)"
    ),
    "store among targets": StoreForm(
        "JAX201", "array", "@", "{v}[0], spare = 1.0, 2.0", probe="operator.setitem({v}, 0, 1.0)"
    ),
    "store of a loop": StoreForm(
        "JAX201", "array", "@", "for {v}[2] in (1.0, 2.0): acc = acc + 1.0", probe="operator.setitem({v}, 2, 1.0)"
    ),
    "store into a part": StoreForm("JAX201", "array", "pair = (1.0, {v})\n@", "pair[1][0] = 0.0", is_bound=True,
        probe="operator.setitem(pair[1], 0, 0.0)"),
    "set": StoreForm("JAX202", "array", "@", "{v}.at[0].set(1.0)", "is dropped"),
    "add, chained": StoreForm("JAX202", "array", "@", "{v}.at[0].add(1.0).at[1].multiply(2.0)", "is dropped"),
    "sort": StoreForm("JAX202", "array", "@", "{v}.sort()", "is dropped"),
    "clip": StoreForm("JAX202", "array", "@", "{v}.clip(0.0, 1.0)", "is dropped"),
    "function": StoreForm("JAX202", "array", "@", "jnp.sort({v})", "is dropped"),
    "function of two": StoreForm("JAX202", "array", "@", "jnp.add({v}, 1.0)", "is dropped"),
    "function of a tree": StoreForm("JAX202", "array", "@", "jax.tree.map(jnp.sin, {v})", "is dropped"),
    "wait": StoreForm("JAX202", "array", "@", "jax.block_until_ready({v})", probe="None"),
    "taken": StoreForm("JAX202", "array", READ, "jnp.sort({v})[0]"),
    "sum of": StoreForm("JAX203", "sequence", READ, "jnp.sum({v})"),
    "max of": StoreForm("JAX203", "sequence", READ, "jnp.max({v}, axis=0).sum()"),
    "function of": StoreForm("JAX203", "sequence", READ, "jnp.abs({v}).sum()"),
    "array of": StoreForm("JAX203", "sequence", READ, "jnp.array({v}).sum()"),
    "added": StoreForm("JAX203", "sequence", READ, "(X + {v}).sum()"),
    "multiplied": StoreForm("JAX203", "sequence", READ, "({v} * X).sum()"),
    "length of": StoreForm("JAX203", "sequence", READ, "len({v}) * 1.0"),
    "pair": StoreForm("JAX203", "array", READ, "jnp.mean(({v}, {v}))"),
    "list": StoreForm("JAX203", "array", READ, "jnp.min([{v}[0], {v}[1]])"),
    "comprehension": StoreForm("JAX203", "array", READ, "jnp.sum([one for one in {v}])"),
    "stack": StoreForm("JAX203", "array", READ, "jnp.stack([{v}, {v}]).sum()"),
    "list as an index": StoreForm("JAX203", "array", READ, "{v}[[0, 1]].sum()"),
    "array as an index": StoreForm("JAX203", "array", READ, "{v}[jnp.array([0, 1])].sum()"),
    "grown list": StoreForm(
        "JAX203", "array", "parts = []\nfor turn in range(2):\n    parts.append({v}[turn])\nacc = acc + @",
        "jnp.sum(parts)", is_bound=True,
    ),
    "added list": StoreForm("JAX203", "array", READ, "({v} + [1.0, 2.0, 3.0]).sum()"),
    "read": StoreForm("JAX204", "array", READ, "{v}[3]", "is out of bounds", "{v}, 3"),
    "read from the end": StoreForm("JAX204", "array", READ, "{v}[-4]", "is out of bounds", "{v}, -4"),
    "read of the last": StoreForm("JAX204", "array", READ, "{v}[2]", "is out of bounds", "{v}, 2"),
    "read of the first": StoreForm("JAX204", "array", READ, "{v}[-3]", "is out of bounds", "{v}, -3"),
    "read of a slice": StoreForm("JAX204", "array", READ, "{v}[1:9].sum()", "is out of bounds", "{v}, slice(1, 9)"),
    "read of a part": StoreForm("JAX204", "array", READ, "{v}[1:][2]", "is out of bounds", "{v}[1:], 2"),
    "read by the size": StoreForm(
        "JAX204", "array", READ, "{v}[{v}.shape[0]]", "is out of bounds", "{v}, {v}.shape[0]"
    ),
    "read of a stack": StoreForm(
        "JAX204", "array", READ, "jnp.stack([{v}, {v}])[2, 0]", "is out of bounds", "jnp.stack([{v}, {v}]), (2, 0)"
    ),
    "update": StoreForm("JAX204", "array", NEXT, "jnp.asarray({v}).at[5].set(1.0)", "is out of bounds",
        "jnp.asarray({v}), 5"),
    "update with a mode": StoreForm("JAX204", "array", NEXT, 'jnp.asarray({v}).at[5].set(1.0, mode="drop")'),
    "fill": StoreForm("JAX205", "array", "@", "{v}.fill(0.0)"),
    "partition": StoreForm("JAX205", "array", "@", "{v}.partition(1)"),
    "copyto": StoreForm("JAX205", "array", "@", "np.copyto({v}, 1.0)"),
    "put": StoreForm("JAX205", "array", "@", "np.put({v}, 0, 1.0)"),
    "out": StoreForm("JAX205", "array", "@", "np.add({v}, 1.0, out={v})"),
    "put of jnp": StoreForm("JAX205", "array", "@", "jnp.put({v}, 0, 1.0)"),
    "no function of jnp": StoreForm("JAX205", "array", "@", "jnp.copyto({v}, 1.0)"),
    "item": StoreForm("JAX205", "array", READ, "{v}.sum().item()"),
    "astype": StoreForm("JAX206", "array", READ, "{v}.astype(jnp.float64).sum()", "is truncated"),
    "dtype by name": StoreForm("JAX206", "array", READ, 'jnp.asarray({v}, dtype="float64").sum()', "is truncated"),
    "dtype of a constructor": StoreForm(
        "JAX206", "array", READ, "jnp.zeros({v}.shape, jnp.int64).sum()", "is truncated"
    ),
    "narrow dtype": StoreForm("JAX206", "array", READ, "jnp.asarray({v}, jnp.float32).sum()", "is truncated"),
    "called at": _of_jax("JAX208", NEXT, "{v}.at(0).set(1.0)"),
    "read of at": _of_jax("JAX208", READ, "{v}.at[0] * 2.0"),
    "number of at": _of_jax("JAX208", READ, "float({v}.at[0])"),
    "got by at": _of_jax("JAX208", READ, "{v}.at[0].get()"),
    "store into at": _of_jax("JAX208", "@", "{v}.at[0] = 1.0", "operator.setitem({v}.at, 0, 1.0)"),
    "if": _of_jax("JAX209", IF, "{v} > 0.5", "bool({v} > 0.5)"),
    "if equal": _of_jax("JAX209", IF, "{v} == {v} * 2.0", "bool({v} == {v} * 2.0)"),
    "assert": _of_jax("JAX209", "assert @", "{v} < 9.0", "bool({v} < 9.0)", "True"),
    "while": _of_jax("JAX209", "while @:\n    break", "{v} < 0.0", "bool({v} < 0.0)"),
    "choice": _of_jax("JAX209", READ, "(1.0 if {v} > 0.5 else 2.0)"),
    "not": _of_jax("JAX209", READ, "(not {v})"),
    "and": _of_jax("JAX209", READ, "jnp.sum({v} > 0.5 and {v})"),
    "if of a size": _of_jax("JAX209", IF, "{v}.size"),
    "if any": _of_jax("JAX209", IF, "({v} > 0.5).any()", "bool(({v} > 0.5).any())"),
    "sum in place": StoreForm(
        "JAX210", "array", "@", "{v} += 1.0", "is bound anew", "{v}", is_bound=True, is_parameter=True
    ),
    "sum in place, read": StoreForm(
        "JAX210", "array", "@\nacc = acc + jnp.sum({v})", "{v} += 1.0", probe="None", is_bound=True,
        is_parameter=True,
    ),
    "store into a view": StoreForm(
        "JAX212", "array", "@", "np.asarray({v})[0] = 1.0", probe="operator.setitem(np.asarray({v}), 0, 1.0)"
    ),
    "store into a copy": StoreForm(
        "JAX212", "array", "@", "np.array({v})[0] = 1.0", probe="operator.setitem(np.array({v}), 0, 1.0)"
    ),
    "sort of a view": StoreForm("JAX212", "array", "@", "np.asarray({v}).sort()"),
    "fill of a view": StoreForm("JAX212", "array", "@", "np.asarray({v}).fill(0.0)"),
}  # fmt: skip

ORIGINS: dict[str, Origin] = {
    "parameter": Origin("array", "x"),
    "arithmetic": Origin("array", "(x * 2.0 + 1.0)"),
    "zeros": Origin("array", "jnp.zeros(3)"),
    "arange": Origin("array", "jnp.arange(3.0)"),
    "draw": Origin("array", "jax.random.normal(jax.random.key(0), (3,))"),
    "part of a split": Origin("array", "jnp.split(jnp.arange(6.0), 2)[1]"),
    "field": Origin("array", "state.position", "state = State(jnp.ones(3), 2)"),
    "entry of a dict": Origin("array", 'params["w"]', 'params = {"w": jnp.ones(3), "size": 3}'),
    "entry of a tree": Origin("array", 'grads["w"]', 'grads = jax.tree.map(jnp.sin, {"w": jnp.ones(3)})'),
    "attribute": Origin("array", "box.value", "box = Box(jnp.ones(3))"),
    "result of a helper": Origin("array", "_shifted(jnp.ones(3))"),
    "result of a jitted function": Origin("array", "_jitted(jnp.ones(3))"),
    "result of a method": Origin("array", "Box(jnp.ones(3)).doubled()"),
    "rows of a scan": Origin("array", "jax.lax.scan(_body, 0.0, jnp.ones(3))[1]"),
    "result of vmap": Origin("array", "jax.vmap(jnp.sum)(jnp.ones((3, 2)))"),
    "gradient": Origin("array", "jax.grad(_loss)(jnp.ones(3))"),
    "of the module": Origin("array", "X"),
    "closure": Origin("array", "inner()", "ones = jnp.ones(3)\ndef inner():\n    return ones * 2.0"),
    "element of a list": Origin("array", "rows[0]", "rows = [jnp.ones(3) for turn in range(2)]"),
    "row of a loop": Origin("array", "row", "for row in jnp.ones((2, 3)):\n    pass"),
    "selected": Origin("array", "jnp.where(X > 0.5, X, 0.0)"),
    "reshaped": Origin("array", "jnp.ones((3, 1)).reshape(3)"),
    "array of a host array": Origin("array", "jnp.asarray(H)"),
    "of NumPy": Origin("array", "np.zeros(3)"),
    "copy of a host array": Origin("array", "H.copy()"),
    "host copy": Origin("array", "np.array(X)"),
    "host entry of a dict": Origin("array", 'params["w"]', 'params = {"w": np.ones(3), "other": jnp.ones(3)}'),
    "host attribute": Origin("array", "box.value", "box = Box(np.ones(3))"),
    "result of a host helper": Origin("array", "_shifted(np.ones(3))"),
    "of a chosen module": Origin("array", "xp.ones(3)", "xp = np if COUNT > 2 else jnp"),
    "host row of a loop": Origin("array", "row", "for row in np.ones((2, 3)):\n    pass"),
    "numbers": Origin("sequence", "[0.5, 1.0, 2.0]"),
    "tuple": Origin("sequence", "(0.5, 1.0, 2.0)"),
    "list of numbers": Origin("sequence", "[turn * 0.5 for turn in range(3)]"),
    "list of elements": Origin("sequence", "[X[0], X[1], X[2]]"),
    "tuple of a parameter": Origin("sequence", "(x[0], 1.0, 2.0)"),
    "entry with numbers": Origin("sequence", 'given["sizes"]', 'given = {"sizes": [1.0, 2.0, 3.0]}'),
    "result with numbers": Origin("sequence", "_numbers()"),
    "filled list": Origin("sequence", "parts", "parts = [0.0] * 3\nfor turn in range(3):\n    parts[turn] = X[turn]"),
    "sequence that is an array": Origin("sequence", "jnp.array([0.5, 1.0, 2.0])"),
    "sequence that is a host array": Origin("sequence", "np.array([0.5, 1.0, 2.0])"),
    "range": Origin("sequence", "np.arange(3)"),
}

ENTRIES: dict[str, Entry] = {
    "eager": Entry("", "{f}(X)"),
    "host": Entry("", "{f}(H.copy())"),
    "jit": Entry("@jax.jit", "{f}(X)", True),
    "jit by a call": Entry("", "jax.jit({f})(X)", True),
    "jit of a host array": Entry("", "jax.jit({f})(H)", True),
    "vmap": Entry("", "jax.vmap({f})(jnp.stack([X, X]))"),
    "grad": Entry("", "jax.grad({f})(X)"),
    "scan": Entry("", "jax.lax.scan(lambda c, y: (c, {f}(c)), X, jnp.ones(2))", True),
    "cond": Entry("", "jax.lax.cond(X[0] > 0, lambda y: {f}(y), lambda y: 0.0, X)", True),
    "method": Entry("", "Runner({f}).run(X)"),
}

BLOCKS = {
    "body": "",
    "if": "if LOUD:",
    "loop": "for again in range(2):",
    "with": 'with jax.named_scope("site"):',
    "else": "if not LOUD:\n    acc = acc + 1.0\nelse:",
}
"""What a site may stand in."""

DEPTHS = (0, 0, 1, 2)
"""How many calls below the function of the entry a site may stand."""

LEFT_OUT = {
    "buffers that JAX still reads": "whether the memory is shared depends on where it lies: the pair proves those",
    "references and kernels": "an interpreter of kernels takes seconds for each: the pair proves those",
    "jnp bound to np": "on request only",
    "optax and flax": "the pairs have them: the referee would need them in every environment",
    "errors that are caught": "there the rules are silent on purpose",
    "other files": "moved there by the variants of the pairs",
}
"""What the grammar does not derive, and why."""
