"""Which binding a name means, in every kind of scope."""

from __future__ import annotations

import symtable
import sys

import pytest

from flake8_jax.ir.lower.files import lower
from flake8_jax.ir.ops import Function, Module, Name
from flake8_jax.ir.scope import Binding, Scope
from flake8_jax.syntax.source import SourceFile
from tests.ir.invariants import walk

NEWER = pytest.mark.skipif(sys.version_info < (3, 12), reason="grammar of Python 3.12")


def lowered(text: str) -> Module:
    return lower(SourceFile("example.py", text))


def function(module: Module, qualname: str) -> Function:
    return next(found for found in module.functions if found.qualname == qualname)


def meaning(text: str, name: str, place: str) -> str:
    """Where the binding of a name lives that is looked up in a function: its qualname, "<module>" or "<nobody>"."""
    module = lowered(text)
    scope = module.top.scope if place == "<module>" else function(module, place).scope
    owner = scope.lookup(name).owner
    owners = {id(found.scope): found.qualname for found in (module.top, *module.functions)}
    return "<nobody>" if owner is None else owners.get(id(owner), owner.kind)


@pytest.mark.parametrize(
    ("text", "name", "place", "expected"),
    [
        ("x = 1\ndef f(): x", "x", "f", "<module>"),
        ("x = 1\ndef f(x): x", "x", "f", "f"),
        ("x = 1\ndef f():\n x = 2\n def g(): x", "x", "f.<locals>.g", "f"),
        ("def f(): print", "print", "f", "<nobody>"),
        ("x = 1\nclass C:\n x = 2\n def m(self): x", "x", "C.m", "<module>"),
        ("class C:\n x = 2\n y = x", "x", "C", "C"),
        ("class C:\n x = 2\n class D: y = x", "x", "C.D", "<nobody>"),
        ("class C:\n x = 2\n f = lambda: x", "x", "C.<lambda>", "<nobody>"),
        ("def f():\n global x\n x = 1", "x", "f", "<module>"),
        ("def f():\n x = 0\n def g():\n  global x\n  x = 1", "x", "f.<locals>.g", "<module>"),
        ("def f():\n global x\n def g(): x", "x", "f.<locals>.g", "<nobody>"),
        ("x = 0\ndef f():\n global x\n def g(): x", "x", "f.<locals>.g", "<module>"),
        ("def f():\n x = 0\n def g():\n  nonlocal x\n  x = 1", "x", "f.<locals>.g", "f"),
        ("def f():\n def g():\n  nonlocal x\n  x = 1\n x = 0", "x", "f.<locals>.g", "f"),
        ("def f():\n x = 0\n class C:\n  x = 1\n  def m(self):\n   nonlocal x\n   x = 2", "x", "f.<locals>.C.m", "f"),
        ("def f():\n x = 0\n def g():\n  def h():\n   nonlocal x\n   x = 1", "x", "f.<locals>.g.<locals>.h", "f"),
        ("def f():\n class C:\n  global x\n  x = 1\n  def m(self): x", "x", "f.<locals>.C.m", "<module>"),
        ("def f(y):\n [(x := y) for y in z]", "x", "f", "f"),
        ("[(x := y) for y in z]", "x", "<module>", "<module>"),
        ("def f():\n global x\n [(x := y) for y in z]", "x", "f", "<module>"),
        ("[y for y in z]", "y", "<module>", "<nobody>"),
        ("def f():\n x: int", "x", "f", "f"),
        ("x = 0\ndef f():\n del x", "x", "f", "f"),
        ("def f():\n for x, (y, *z) in w: pass", "z", "f", "f"),
        ("def f():\n with a as (b, c.d): pass", "b", "f", "f"),
        ("def f():\n try: pass\n except E as e: pass", "e", "f", "f"),
        ("def f():\n import a.b", "a", "f", "f"),
        ("def f():\n match x:\n  case {**rest}: pass", "rest", "f", "f"),
        ("def f(): pass", "f", "f", "<module>"),
        ("class C: pass", "C", "C", "<module>"),
        pytest.param("def f[T](x: T): T", "T", "f", "types", marks=NEWER),
        pytest.param("class C[T]:\n def m(self): T", "T", "C.m", "types", marks=NEWER),
        pytest.param("class C:\n T = 1\n def m[U](self, x: T): T", "T", "C.m", "<nobody>", marks=NEWER),
    ],
)
def test_meaning(text: str, name: str, place: str, expected: str) -> None:
    assert meaning(text + "\n", name, place) == expected


def name_ops(module: Module, name: str) -> list[Name]:
    return [op for op in walk(module) if isinstance(op, Name) and op.name == name]


def test_a_comprehension_sees_its_class_in_the_first_source_only() -> None:
    module = lowered("class C:\n x = [1]\n y = [x for _ in x if x]\n")
    stored, *reads = name_ops(module, "x")
    assert stored.scope.kind == "class"
    owners = sorted("nobody" if (owner := read.scope.lookup("x").owner) is None else owner.kind for read in reads)
    assert owners == ["class", "nobody", "nobody"]


@NEWER
def test_annotations_with_type_parameters_see_the_class_around() -> None:
    module = lowered("class C:\n A = int\n def m[T](self, x: A) -> T: pass\n")
    method = function(module, "C.m")
    hint = method.parameters[1].annotation
    assert isinstance(hint, Name)
    owner = hint.scope.lookup("A").owner
    assert owner is not None
    assert owner.kind == "class"
    assert isinstance(method.returns, Name)
    assert method.returns.scope.kind == "types"


def test_parameters_are_marked_and_bound_once() -> None:
    scope = function(lowered("def f(a, /, b=1, *c, d, **e): b = 2\n"), "f").scope
    assert {name: (binding.is_parameter, binding.is_rebound) for name, binding in scope.names.items()} == {
        "a": (True, False), "b": (True, True), "c": (True, False), "d": (True, False), "e": (True, False),
    }  # fmt: skip


def binding(text: str, name: str) -> Binding:
    return lowered(text + "\n").top.scope.names[name]


@pytest.mark.parametrize(
    ("text", "name", "imported", "is_rebound"),
    [
        ("import jax", "jax", "jax", False),
        ("import jax.numpy as jnp", "jnp", "jax.numpy", False),
        ("import jax\nimport jax.numpy\nimport jax.random", "jax", "jax", False),
        ("from jax import numpy as jnp", "jnp", "jax.numpy", False),
        ("from ..a import b", "b", "..a.b", False),
        ("from . import b", "b", ".b", False),
        ("try: import a\nexcept E: a = None", "a", None, True),
        ("x = 1\nimport x", "x", None, True),
        ("import a as x\nimport b as x", "x", None, True),
        ("x = 1", "x", None, False),
        ("x = 1\nx = 2", "x", None, True),
        ("x: int\nx = 1", "x", None, False),
        ("x = 1\ndel x", "x", None, False),
        ("x = 1\ndef f():\n global x\n x = 2", "x", None, True),
        ("x = 1\nx += 1", "x", None, True),
    ],
)
def test_bindings(text: str, name: str, imported: str | None, is_rebound: bool) -> None:
    found = binding(text, name)
    assert (found.imported, found.is_rebound) == (imported, is_rebound)


@pytest.mark.parametrize(
    ("text", "exports"),
    [
        ("__all__ = ['a', 'b']", ("a", "b")),
        ("__all__ = ('a',)", ("a",)),
        ("__all__: list[str] = ['a']", ("a",)),
        ("__all__ = ['a']\n__all__ += ['b']", ("a", "b")),
        ("__all__ = ['a']\n__all__ += other", None),
        ("__all__ = ['a'] + other", None),
        ("__all__ = ['a', name]", None),
        ("x = 1", None),
    ],
)
def test_exports(text: str, exports: tuple[str, ...] | None) -> None:
    assert lowered(text + "\n").top.scope.exports == exports


def test_frame_and_module_of_nested_scopes() -> None:
    module = Scope("module", None)
    body = Scope("function", module)
    inner = Scope("comprehension", Scope("comprehension", body))
    assert inner.frame is body
    assert inner.module is module
    assert module.frame is module


TEXT = """
import a.b, c as d
from e import f
g: int = 1
def outer(p, *q, r=g, **s):
    global g, t
    t = 1
    u = list(v for v in p)
    def inner(w):
        nonlocal u
        u = w
        return lambda x: x + u + p
    class Body:
        y = 1
        def method(self): return y, z
    for z in q: pass
    try: pass
    except ValueError as aa: pass
    with p as bb: pass
    (cc := 1)
    return inner
"""


UNNAMED = ("listcomp", "genexpr", "__annotate__")
"""The symbol tables of what is no function here; annotations have their own since Python 3.14."""


def test_symtable_agrees() -> None:
    """Python's own symbol table says the same of every name of every function."""
    module = lowered(TEXT)
    compared = 0
    stack = [(symtable.symtable(TEXT, "example.py", "exec"), module.top)]
    while stack:
        table, found = stack.pop()
        for symbol in table.get_symbols():
            compared += 1
            owner = found.scope.lookup(symbol.get_name()).owner
            if symbol.is_global() or (found is module.top and symbol.is_assigned()):
                assert owner in (module.top.scope, None), symbol
            elif symbol.is_local():
                assert owner is found.scope, symbol
            else:
                assert owner not in (found.scope, module.top.scope, None), symbol
        inner = [child for child in table.get_children() if child.get_name() not in UNNAMED]
        stack += zip(inner, found.functions, strict=True)
    assert compared > 30
