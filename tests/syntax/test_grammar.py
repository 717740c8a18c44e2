"""Which Python a text needs: named on evidence only, and by what the Pythons themselves read."""

from __future__ import annotations

import ast
import sys

import pytest

from flake8_jax.syntax.grammar import RUNNING, version_needed

NEWER = {
    (3, 11): [
        "try:\n    f()\nexcept* E:\n    pass\nexcept * (A, B) as e:\n    pass\n",
        "try: f()\nexcept*E: pass\nelse: g()\nfinally: h()\n",
        "x = a[*b]\ny = a[1, *b, 2]\nz: Tuple[int, *Ts]\n",
        "def f(*args: *Ts): pass\n",
        "def f(x, *args: *tuple[int, ...], y=1) -> None: pass\n",
    ],
    (3, 12): [
        "type X = int\n",
        "type X[T] = list[T]\n",
        "type X[\n    T: int,  # why\n    *Ts,\n    **P,\n] = Callable[P, T]\n",
        "class C:\n    type Y = int | str; z = 1\n",
        "if a: type X = int\n",
        "type X = (  # one\n    int\n)\n",
        "type type = type\n",
        "def f[T](x: T) -> T:\n    return x\n",
        "async def f[T: (int, str), *Ts, **P](x): pass\n",
        "class C[T]: pass\n",
        "class C[\n    T,\n    U: str,\n](Base[T]):\n    def m[V](self, v: V): pass\n",
        "x = f'{a['b']}'\n",
        'x = f"{", ".join(a)} {b!r:>{width["w"]}}"\n',
        "x = f'{\"\\n\".join(a)}'\n",
        "x = f'{a  # why\n}'\n",
        "x = f'{\n    a\n}'\n",
        "x = f'{f'{f'{1}'}'}'\n",
        "x = ('a' f'{b['c']=}' 'd')\n",
        "x = rf'\\d{a['b']}' + f'''{a['''b''']}'''\n",
        "x = f'{a:{'>'}10}'\ny = f'\\N{EM DASH} {b['c']}'\n",
        "x = f'{lambda_ if (lambda: 1)() else {'a': 1}['a']}'\n",
        "x = a[*b]\ntype X = int\n",
        "try: f()\nexcept* E: type X = int\n",
    ],
    (3, 13): [
        "def f[T = int](x): pass\n",
        "class C[T: int = bool, *Ts = *tuple[int], **P = [int, str]]: pass\n",
        "type X[T = int] = list[T]\n",
        "type X = int\nclass C[T = X]: pass\n",
    ],
    (3, 14): [
        "x = t'{a}'\n",
        "x = t'a {b!r:>3} {c['d']}' rt\"\\d\"\n",
        "x = T'''\n{a}\n'''\ny = 1\n",
        "try:\n    f()\nexcept A, B:\n    pass\n",
        "try: f()\nexcept zmq.Again, socket.error: pass\nexcept a, b, c: pass\n",
        "try: f()\nexcept* A, B: pass\n",
        "try: f()\nexcept errors(), table['e']: pass\n",
        "type X = int\nx = t'{a}'\n",
    ],
}  # fmt: skip

PYTHON_2 = [
    "try: f()\nexcept E, e: pass\n", "try:\n    f()\nexcept socket.error, error:\n    pass\n",
    "try: f()\nexcept (A, B), e: pass\n",
]  # fmt: skip
"""What Python 3.14 reads as two classes, and no other Python 3."""

WRONG = [
    "y = = 2\n", "def f(:\n", "x = (1,\n", "x = )\n", "if a:\nb\n", "x = 1\n  y = 2\n", "x = 'a\n", "print 'x'\n",
    "x = 1\x00\n", "exec 'x' in y\n", "raise E, 'text'\n", "x = 0777\n", "x = `y`\n", "if x <> y: pass\n",
    "x = ur'a'\n", "try: f()\nexcept A, B as e: pass\n",
    "try: f()\nexcept: pass\nexcept* E: pass\n", "try: f()\nexcept*: pass\n",
    "try: f()\nexcept A: pass\nexcept* B: pass\n", "try: f()\nexcept A B: pass\n", "try: f()\nexcept , A: pass\n",
    "type X =\n", "type X = = int\n", "type X = a = b\n", "type = = 3\n", "type X int\n", "type X[] = int\n",
    "type X[1] = int\n", "type X.y = int\n", "x = type Y = int\n", "x[a: type X = 3]\n", "type if = 3\n",
    "type X[T] = yield\n)", "def f[](x): pass\n", "def f[1](x): pass\n", "def f[T](x) pass\n", "def f[T:](x): pass\n",
    "def f[T: int str](x): pass\n", "def f[T x](x): pass\n", "def f[if](x): pass\n", "def f[T](x:\n    pass\n",
    "class C[T = ]: pass\n", "class C[*T: int]: pass\n", "class C[T]\n", "def f[T](x): pass\ny = = 2\n",
    "type X = int\nprint 'x'\n", "x = f'{a['b']}'\nif x\n    y = 1\n", "x = t'{a}'\nfor\n", "x = f'{a'\n",
    "x = f'a}'\n", "x = f'{}'\n", "x = f'{a b}'\n", "x = f'{a!x}'\n", "x = f'{a['b'}'\n", "x = f\"{x\", \"}\"\n",
    "x = f'{a['b' c]}'\n", "x = f'{a['b']}' b''\n", "x = f'\\N{DASH} {a['b']}'\n", "x = f'\\xZZ {a['b']}'\n",
    "x = f'{'\n", "x = f'{a:{b'\n", "x = f'{lambda: 1}'\n", "x = f'{*a}' f'{a['b']!}'\n", "x = f'{a['b']\n",
    "x = f'{# why}'\n", "x = t'{a b}'\n", "x = t'a' 'b'\n", "x = 'a' t'b'\n", "x = tr't{'\n", "x = bt'a'\n",
    "x = t'a\n", "x = a[*]\n", "x = a[*b:c]\n", "x = a[b * c: *d]\n", "x = *\n", "def f(*args: *): pass\n",
    "def f(args: *Ts): pass\n", "x = lambda *a: *b\n", "x = {*a: *b}\n", "f(*a: *b)\n", "return [*a for b in c\n",
    "with open(a) as b, : pass\n", "match x:\ncase 1: pass\n", "match x:\n    case 1\n", "async x\n", "x = await\n",
    "x = 1 +\n", "x == 1 = 2\n", "f() = 1\n", "None = 1\n", "x = 5y\n", "a ? b : c\n", "$x = 1\n", "from x import\n",
    "import a.b as\n", "class C(\n", "@\ndef f(): pass\n", "else:\n    x\n", "x = [1, 2\ny = 3\n", "x = {1: 2, 3}\n",
    "lambda x: = 1\n", "del\n)\n", "<<<<<<< HEAD\nx = 1\n=======\nx = 2\n>>>>>>> b\n",
    "{% if a %}\nx = 1\n{% endif %}\n", "%matplotlib inline\nimport jax\n", "!ls\n", "x = 1;;\n",
    "def f(x, x=1, y): pass\n", "f(a=1, 2)\n", "f(**a, *b)\n", "global\n", "if x = 1: pass\n", "x = “a”\n",
    "x = 1 if 2\n", "for x y in z: pass\n", "\tx = 1\n        y = 2\n", "while True print(1)\n", "assert\n",
    "x: int: 3\n", "nonlocal x y\n", "import jax.numpy as jnp.x\n", "...x\n",
]  # fmt: skip


@pytest.mark.parametrize("version", NEWER)
def test_the_version_that_reads_newer_grammar_is_named(version: tuple[int, int]) -> None:
    expected = version if version > RUNNING else None
    offenders = [(text, found) for text in NEWER[version] if (found := version_needed(text)) != expected]
    assert offenders == []


@pytest.mark.parametrize("version", NEWER)
def test_the_running_python_agrees(version: tuple[int, int]) -> None:
    """What is said to need a version is read by it, and by no earlier one."""
    read = [text for text in NEWER[version] if is_read(text)]
    assert read == (NEWER[version] if sys.version_info >= version else [])


def test_what_no_python_reads_needs_no_newer_one() -> None:
    assert [text for text in WRONG if is_read(text)] == []
    assert [(text, found) for text in WRONG if (found := version_needed(text)) is not None] == []
    assert [text for text in PYTHON_2 if is_read(text)] == (PYTHON_2 if sys.version_info >= (3, 14) else [])
    assert [(text, found) for text in PYTHON_2 if (found := version_needed(text)) is not None] == []


def test_what_the_running_python_reads_is_left_alone() -> None:
    """An error beside what is old by now names no version."""
    olds = [text for version, texts in NEWER.items() if version <= RUNNING for text in texts]
    assert [(text, found) for text in olds if (found := version_needed(f"{text}y = = 2\n")) is not None] == []


def is_read(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        return False
    return True
