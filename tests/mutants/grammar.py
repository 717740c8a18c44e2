"""Every statement and expression form of Python, with the names that programs for JAX have: a grammar as a table.

A form is a text with holes, `<e> if <e> else <e>`, and each hole is filled with a form of its sort.  Whole programs are
derived of it, and what stands in a file is wrapped by it: one hole is then filled with the given piece, the others as
ever.  What is derived may mean nothing at all, and need not compile; nearly all of it is parsed.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random

from flake8_jax.api.table import load

HOLE = re.compile(r"<(\w+)>")
Version = tuple[int, int]
FIRST: Version = (3, 10)


@dataclass(frozen=True, slots=True)
class Form:
    """A text with holes, which Python understands since some version."""

    text: str
    since: Version = FIRST

    @property
    def holes(self) -> list[str]:
        """The sorts of its holes, in order."""
        return HOLE.findall(self.text)


def _forms(*texts: str, since: Version = FIRST) -> list[Form]:
    return [Form(text, since) for text in texts]


EXPRESSIONS = [
    *_forms("<v>", "<v>", "<v>", "<l>", "<v>.<m>", "<c>(<a>)", "<c>(<a>)", "<c>(<e>)", "<e>.<m>(<a>)", "<e>[<i>]"),
    *_forms("(<e> <o> <e>)", "(<e> <q> <e>)", "(<e> <q> <e> <q> <e>)", "(<e> and <e>)", "(<e> or <e> or <e>)"),
    *_forms("(not <e>)", "(-<e>)", "(+<e>)", "(~<e>)", "(<e> if <e> else <e>)", "(<n> := <e>)", "(lambda <f>: <e>)"),
    *_forms("(<e>, <e>)", "(<e>,)", "(*<e>, <e>)", "[<e>, *<e>]", "[<e>, <e>]", "{<e>, *<e>}", "{<e>: <e>, **<e>}"),
    *_forms("{'a': <e>, 'b': <e>}", "dict(a=<e>, b=<e>)", "[<e> for <t> in <e>]", "[<e> for <t> in <e> if <e>]"),
    *_forms("{<e> for <t> in <e>}", "{<e>: <e> for <t> in <e>}", "(<e> for <t> in <e> for <n> in <e> if <e>)"),
    *_forms("[<e> async for <t> in <e>]", "(await <e>)", "(yield <e>)", "(yield)", "(yield from <e>)"),
    *_forms("f'{<v>}'", "f'{<v>!r:>{<v>}}'", "f'{<v>=}'", "f'a{<v>.<m>:.3f}b' 'c'", "'%s' % <e>", "'{}'.format(<e>)"),
    *_forms("<v>.at[<i>].set(<e>)", "<v>.shape[<e>]", "jax.random.split(<v>)", "jax.random.normal(<v>, <e>)"),
    *_forms("jnp.where(<e>, <e>, <e>)", "isinstance(<e>, <c>)", "len(<e>)", "range(<e>)", "zip(<e>, <e>)",
            "super().<m>(<e>)"),
    *_forms("jax.lax.cond(<e>, <c>, <c>, <e>)", "jax.lax.scan(<c>, <e>, <e>)", "jax.lax.fori_loop(0, <e>, <c>, <e>)"),
    *_forms("jax.jit(<c>)(<e>)", "jax.vmap(<c>, in_axes=<e>)(<e>)", "jax.grad(<c>)(<e>)",
            "functools.partial(<c>, <a>)"),
    *_forms("jax.tree.map(<c>, <e>)", "np.asarray(<e>)", "float(<e>)", "int(<e>)", "bool(<e>)", "str(<e>)",
            "print(<e>)"),
    *_forms("f'{<e>}'", "f'{f\"{<v>}\"}'", since=(3, 12)),
    *_forms("t'{<v>} a {<v>!s:>3}'", since=(3, 14)),
]  # fmt: skip

STATEMENTS = [
    *_forms("<t> = <e>", "<t> = <e>", "<n> = <e>", "<t> = <t> = <e>", "<u> <o>= <e>", "<n>: <h>", "<u>: <h> = <e>",
            "<e>"),
    *_forms("return <e>", "return <e>", "return", "del <u>", "del (<u>, [<u>])", "pass", "break", "continue", "..."),
    *_forms("raise <e>", "raise <e> from <e>", "raise", "assert <e>", "assert <e>, <e>", "global <n>",
            "nonlocal <n>, <n>"),
    *_forms("import jax", "import <w> as <n>, math", "from <w> import *", "from <w> import <n> as <n>",
            "from . import <n>"),
    *_forms("from ..<n> import (<n>, <n>,)", "'text'", "print(<e>)", "<v>[<i>] = <e>", "<v>.<m> = <e>",
            "<v>, <n> = <e>"),
    *_forms("key, <n> = jax.random.split(key)", "<n> = jax.random.normal(key)", "start = time.perf_counter()"),
    *_forms("if <e>:\n    <b>", "if <e>:\n    <b>\nelif <e>:\n    <b>\nelse:\n    <b>", "if <e>: <y>; <y>"),
    *_forms("for <t> in <e>:\n    <b>", "for <t> in <e>:\n    <b>\nelse:\n    <b>", "async for <t> in <e>:\n    <b>"),
    *_forms("while <e>:\n    <b>", "while <e>:\n    <b>\nelse:\n    <b>", "while True:\n    <b>"),
    *_forms("with <e>:\n    <b>", "with <e> as <t>, <e> as <u>:\n    <b>", "async with <e> as <n>:\n    <b>"),
    *_forms("with (<e> as <n>, <e>):\n    <b>"),
    *_forms("try:\n    <b>\nexcept <e> as <n>:\n    <b>\nexcept (<e>, <e>):\n    <b>\nelse:\n    <b>"),
    *_forms("try:\n    <b>\nexcept:\n    <b>", "try:\n    <b>\nexcept <e>:\n    <b>\nfinally:\n    <b>"),
    *_forms("try:\n    <b>\nfinally:\n    <b>"),
    *_forms("match <e>:\n    case <p>:\n        <b>\n    case <p> if <e>:\n        <b>\n    case _:\n        <b>"),
    *_forms("match <e>, <e>:\n    case <p>:\n        <b>"),
    *_forms("def <g>(<f>):\n    <b>", "def <g>(<f>) -> <h>:\n    <b>\n    return <e>", "@<d>\ndef <g>(<f>):\n    <b>"),
    *_forms("@<d>\n@<d>\ndef <g>(<f>):\n    '''text'''\n    <b>\n    return <e>", "async def <g>(<f>):\n    <b>"),
    *_forms("class <k>:\n    <b>", "class <k>(<e>):\n    <n>: <h>\n    <b>",
            "@<d>\nclass <k>(<e>, <n>=<e>):\n    <x>\n    <x>"),
    *_forms("try:\n    <b>\nexcept* <e> as <n>:\n    <b>", since=(3, 11)),
    *_forms("type <n> = <e>", "type <n>[<r>] = <e>", "def <g>[<r>](<f>) -> <n>:\n    <b>", since=(3, 12)),
    *_forms("class <k>[<r>](<e>):\n    <b>", since=(3, 12)),
    *_forms("try:\n    <b>\nexcept ValueError, <e>:\n    <b>", since=(3, 14)),
]  # fmt: skip

PATTERNS = [
    *_forms("_", "<n>", "1", "-1.5", "'a' 'b'", "None", "True", "1 + 2j", "jnp.pi", "[]", "()", "int()", "{}"),
    *_forms("[<p>, <p>]", "(<p>, *<n>)", "[*_, <p>]", "{'a': <p>, **<n>}", "{1: <p>, jnp.pi: <p>}", "float() as <n>"),
    *_forms("int(<p>)", "jax.Array(shape=<p>, ndim=1)", "<k>(<p>, x=_)", "(1 | 'a' | None)", "(<p>) as <n>"),
]  # fmt: skip

METHODS = [
    *_forms("def __init__(self, <f>):\n    self.<m> = <e>\n    <b>", "def __call__(self, <f>):\n    return <e>"),
    *_forms("@property\ndef <m>(self):\n    return <e>", "@staticmethod\ndef <m>(<f>):\n    <b>", "<n>: <h> = <e>"),
    *_forms("@classmethod\ndef <m>(cls, <f>):\n    return cls(<a>)", "@nn.compact\ndef __call__(self, x):\n    <b>"),
    *_forms("@<d>\ndef <m>(self, <f>):\n    <b>\n    return self.<m>", "def setup(self):\n    self.<m> = <e>"),
    *_forms("__call__ = <e>", "__slots__ = ('a', 'b')", "def __getattr__(self, name):\n    return <e>", "<b>"),
    *_forms("def __enter__(self):\n    return self", "def __iter__(self):\n    yield <e>"),
]  # fmt: skip

ARGUMENTS = [
    *_forms("", "<e>", "<e>, <e>", "<e>, <n>=<e>", "*<e>", "**<e>", "<e>, *<e>, <n>=<e>, **<e>", "*<e>, *<e>, <n>=<e>"),
    *_forms("<n>=<e>, *<e>", "<c>, <e>", "<c>, <e>, static_argnums=<e>", "key, <e>", "<e> for <t> in <e>", "<e>,"),
]  # fmt: skip

PARAMETERS = [
    *_forms("", "x", "x, key", "x, y=<e>", "x, /, y", "x, *, y=<e>", "*xs", "**kw", "*xs, y, **kw",
            "x: <h>, y: <h> = <e>"),
    *_forms("a, b=<e>, /, c=<e>, *args, d, e=<e>, **kw", "state, xs", "params, batch", "<n>"),
]  # fmt: skip

TYPE_PARAMETERS = [
    *_forms("T", "T: <e>", "*Ts", "**P", "T: (<e>, <e>), *Ts, **P", since=(3, 12)),
    *_forms("T = <e>", "*Ts = *<e>", "**P = [<e>]", since=(3, 13)),
]

DECORATORS = [
    *_forms("jax.jit", "jax.jit", "jax.vmap", "jax.grad", "jax.checkpoint", "jax.custom_vjp", "jax.custom_jvp",
            "jax.remat"),
    *_forms("functools.partial(jax.jit, static_argnums=<e>)", "functools.partial(jax.jit, static_argnames=<e>)"),
    *_forms("functools.partial(<c>, <a>)", "jax.jit(<a>)", "functools.lru_cache", "functools.cache", "property"),
    *_forms("staticmethod", "classmethod", "dataclasses.dataclass", "flax.struct.dataclass", "nnx.jit",
            "eqx.filter_jit"),
    *_forms("nn.compact", "<v>", "<c>", "<e>", "(lambda f: f)", "<g>", "jax.vmap(in_axes=<e>)",
            "jax.tree_util.register_pytree_node_class"),
]  # fmt: skip

TARGETS = [
    *_forms("<n>", "<n>", "<n>", "(<n>, <n>)", "[<n>, *<n>]", "(<t>, <t>)", "<v>.<m>", "<v>[<i>]", "(<n>)", "self.<m>"),
    *_forms("<e>[<e>]", "<n>, <n>"),
]

INDICES = [
    *_forms(
        "<e>", "0", "-1", "<e>:<e>", "::<e>", ":", "...", "None", "<e>, <e>", "..., <e>:", "(<e>,)", "<e>, :, None"
    ),
    *_forms("*<e>", "<e>, *<e>", since=(3, 11)),
]

LIBRARIES = (
    "jax.", "numpy.", "builtins.", "math.", "functools.", "itertools.", "optax.", "flax.", "equinox.", "haiku."
)  # fmt: skip


def _words(text: str) -> list[str]:
    return text.split()


FILLERS: Mapping[str, Sequence[str]] = {
    "o": _words("+ - * / // % @ ** << >> & | ^"),
    "q": ["==", "!=", "<", "<=", ">", ">=", "is", "is not", "in", "not in"],
    "n": _words("x y z n key k a b i xs out state params carry fn f self \u03b1 T"),
    "v": _words(
        "x y n key k xs out state params carry self cls jax jnp np a b i K f x.shape jnp.pi self.w state.params"
    ),
    "m": _words(
        "w shape dtype T at sum params mean item reshape astype apply split normal append copy f init __call__ _m"
    ),
    "g": _words("f g h step loss body init apply update"),
    "k": _words("K Model State Net"),
    "w": _words("jax jax.numpy jax.random numpy functools flax.linen equinox os aid a.b.c optax"),
    "h": [
        "int", "jax.Array", "'jax.Array'", "float | None", "Float[Array, 'a b']", "list[int]", "Callable[[int], str]",
        "np.ndarray", "\"K\"", "x[y]", "'not a type ('", "Literal[1, 'a']", "jax.typing.ArrayLike", "None", "...", "1",
    ],
    "l": [
        "0", "1", "-1", "3", "2.5", "1e400", "1j", "0x_ff", "1_000", "10**400", "True", "None", "...", "''", "'a'",
        "b'x'", "\"\\N{BULLET}\"", "r'\\d'", "'a' 'b'", "'''a\nb'''", "()", "[]", "{}", "'\\ud800'", "0.0", "1e-320",
        "99999999999999999999999", "'{} {x} {0!r:>{w}}'", "'%s %(a)d %'", "'jax'", "u'x'", "rb''", "''.join",
    ],
}  # fmt: skip
"""What fills a hole that holds no other: operators, names, types, literals."""

GENERATED: Mapping[str, Sequence[Form]] = {
    "e": EXPRESSIONS, "s": STATEMENTS, "p": PATTERNS, "x": METHODS, "a": ARGUMENTS, "f": PARAMETERS,
    "r": TYPE_PARAMETERS, "d": DECORATORS, "t": TARGETS, "i": INDICES,
    "u": _forms("<v>", "<v>.<m>", "<v>[<i>]"),
    "c": _forms("<v>", "f", "g", "K", "jax.jit", "jnp.sum", "<e>.<m>", "(lambda <f>: <e>)", "<c>(<c>)",
    "functools.partial(<c>, <e>)"),
    "y": _forms("<t> = <e>", "<e>", "pass", "return <e>", "<n>: <h> = <e>", "del <u>"),
}  # fmt: skip
"""What fills a hole that may hold others; its first form ends a derivation."""

IMPORTS = (
    "import dataclasses, functools, itertools, math, time\n"
    "import jax, optax, flax, equinox as eqx\n"
    "import jax.numpy as jnp, numpy as np\n"
    "import flax.linen as nn\n"
    "from flax import nnx\n"
    "from jax import random, lax\n"
)

DEPTH = 4
COMPOUND = re.compile(r"<b>|<x>")


@cache
def library_names() -> tuple[str, ...]:
    """What the table knows of libraries, by full names."""
    names = {row.partition("/")[2] for row in load().row_ids()}
    return tuple(sorted(name.removeprefix("builtins.") for name in names if name.startswith(LIBRARIES)))


def known(forms: Sequence[Form]) -> list[Form]:
    """The forms that this Python has."""
    return [form for form in forms if form.since <= sys.version_info[:2]]


def indented(text: str, by: str) -> str:
    """A text with all lines but the first moved in."""
    return text.replace("\n", f"\n{by}")


def derived(sort: str, dice: Random, depth: int = DEPTH) -> str:
    """A text of a sort; of bodies (`b`) one to three statements."""
    if sort in FILLERS:
        return dice.choice(FILLERS[sort])
    if sort == "b":
        return "\n".join(derived("s", dice, depth) for _ in range(dice.randint(1, 3)))
    if sort == "c" and dice.random() < 0.3:
        return dice.choice(library_names())
    forms = known(GENERATED[sort])
    if depth <= 0:
        forms = [form for form in forms if set(form.holes) <= {*FILLERS}] or forms[:1]
    elif sort == "s" and depth < 3:
        forms = [form for form in forms if not COMPOUND.search(form.text)]
    return filled(dice.choice(forms), dice, depth)


def filled(form: Form, dice: Random, depth: int = DEPTH, given: Mapping[int, str] | None = None) -> str:
    """A form with its holes filled; `given` are the texts for some of them, by their numbers."""
    found = ""
    end = 0
    for number, match in enumerate(HOLE.finditer(form.text)):
        found += form.text[end : match.start()]
        text = given.get(number) if given else None
        text = derived(match[1], dice, depth - 1) if text is None else text
        line = found[found.rfind("\n") + 1 :]
        found += indented(text, line) if not line.strip() else text
        end = match.end()
    return found + form.text[end:]


def wrapped(text: str, sort: str, forms: Sequence[Form], dice: Random) -> str:
    """A text in a form that has a hole of its sort."""
    fitting = [form for form in known(forms) if sort in form.holes]
    form = dice.choice(fitting)
    places = [number for number, hole in enumerate(form.holes) if hole == sort]
    return filled(form, dice, 2, {dice.choice(places): text})


def program(dice: Random) -> str:
    """A whole file of derived statements; the first lines import what its names stand for."""
    return IMPORTS + "".join(f"{derived('s', dice)}\n" for _ in range(dice.randint(2, 6)))


def all_forms() -> Iterator[tuple[str, Form]]:
    """Each form that this Python has, with its sort."""
    for sort, forms in GENERATED.items():
        for form in known(forms):
            yield sort, form
