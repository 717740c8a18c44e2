"""Files of every kind of bytes, and texts that parsers choke on: a tree, or one clear exception."""

from __future__ import annotations

import ast
import gc
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from flake8_jax.ir.lower.files import lower
from flake8_jax.ir.ops import Module, Store
from flake8_jax.ir.show import show_op
from flake8_jax.syntax.depth import DEEPEST, bracket_depth
from flake8_jax.syntax.source import NotPython, SourceFile, TooDeep, Unreadable, collector_paused, decode
from tests.ir.invariants import check


def source(text: str) -> SourceFile:
    return SourceFile("example.py", text)


def outcome(text: str) -> str:
    """What becomes of a text: "lowered", or the name of the exception that says why not."""
    try:
        assert check(lower(source(text))) == []
    except (NotPython, TooDeep) as error:
        return type(error).__name__
    return "lowered"


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"x = 1\n", "x = 1\n"),
        (b"\xef\xbb\xbfx = 1\n", "x = 1\n"),
        (b"\xef\xbb\xbf# coding: utf-8\nx = 1\n", "# coding: utf-8\nx = 1\n"),
        ("# -*- coding: latin-1 -*-\nx = 'é'\n".encode("latin-1"), "# -*- coding: latin-1 -*-\nx = 'é'\n"),
        ("\n# vim: fileencoding=cp1252\nx = '€'\n".encode("cp1252"), "\n# vim: fileencoding=cp1252\nx = '€'\n"),
        ("x = 'ä'\n".encode(), "x = 'ä'\n"),
        (b"x = 1\r\ny = 2\r\n", "x = 1\r\ny = 2\r\n"),
        (b"", ""),
    ],
)
def test_bytes_are_decoded_as_python_does(data: bytes, text: str, tmp_path: Path) -> None:
    path = tmp_path / "example.py"
    path.write_bytes(data)
    found = SourceFile.read(str(path))
    assert found.text == text
    assert found.path == str(path)
    assert ast.dump(found.tree) == ast.dump(ast.parse(data))


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"x = '\xff'\n", "encoding declaration"),
        (b"# coding: no-such-codec\n", "no-such-codec"),
        (b"\xef\xbb\xbf# coding: latin-1\n", "encoding problem"),
        ("x = 1\n".encode("utf-16"), "encoding declaration"),
    ],
)
def test_bytes_without_a_text(data: bytes, reason: str) -> None:
    with pytest.raises(Unreadable) as error:
        decode(data)
    assert reason in error.value.reason


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(Unreadable) as error:
        SourceFile.read(str(tmp_path / "missing.py"))
    assert error.value.reason == "No such file or directory"


def test_a_byte_order_mark_in_the_text_is_dropped() -> None:
    assert source("\ufeffx = 1\n").text == "x = 1\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("\n", []),
        ("# only a comment", []),
        ("x = 1", ["1: x = 1"]),
        ("x = 1\r\ny = '''a\r\nb'''\r\nz = 2\r\n", ["1: x = 1", "2: y = 'a\\nb'", "4: z = 2"]),
        ("x = 1\ry = 2\r", ["1: x = 1", "2: y = 2"]),
        ("x = 1\r\ny = 2\nz = 3\r", ["1: x = 1", "2: y = 2", "3: z = 3"]),
        ("\x0cx = 1\n\x0c\ny = 2\n", ["1: x = 1", "3: y = 2"]),
        ("if a:\n\tx = 1\n", ["1: if a:"]),
        ("\\\nx = 1\n", ["2: x = 1"]),
        ("x = (\n  1\n); y = 2\n", ["1: x = 1", "3: y = 2"]),
        ("x = '\\d'\n", ["1: x = '\\\\d'"]),
        ("x = 'a\x0bb\x1c\x85\u2028c'\ny = 2\n", ["1: x = 'a\\x0bb\\x1c\\x85\\u2028c'", "2: y = 2"]),
    ],
)
def test_layouts(text: str, expected: list[str]) -> None:
    body = lower(source(text)).top.body
    found = [f"{op.anchor.line}: {show_op(op) if isinstance(op, Store) else 'if a:'}" for op in body]
    assert found == expected


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("x = 1\ny = = 2\n", 2, "invalid syntax"),
        ("def f(:\n", 1, ""),
        ("x = (1,\n", 1, "never closed"),
        ("x = )\n", 1, "unmatched"),
        ("if a:\nb\n", 2, "expected an indented block"),
        ("x = 1\n  y = 2\n", 2, "unexpected indent"),
        ("x = 1\x00\n", 1, "null bytes"),
        ("print 'x'\n", 1, ""),
        ("x = 'a\n", 1, "unterminated"),
    ],
)
def test_what_is_no_python_says_where_and_why(text: str, line: int, reason: str) -> None:
    with pytest.raises(NotPython) as error:
        source(text).module  # noqa: B018
    assert error.value.line == line
    assert reason in error.value.reason


@pytest.mark.parametrize(
    "text",
    [
        "async def f(): return [await a(b)async for b in c]\n",
        "async def f(): return [a(b) async \nfor b in c]\n",
        "def f():\n  (x): int\n  return x\n",
    ],
)
def test_what_only_python_can_parse_is_said_to_be_so(text: str) -> None:
    found = source(text)
    with pytest.raises(NotPython) as error:
        found.module  # noqa: B018
    assert "libcst cannot parse" in error.value.reason


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="the running Python can parse it")
def test_newer_grammar_is_refused_with_the_version_that_reads() -> None:
    with pytest.raises(NotPython) as error:
        source("x = 1\ntype A[T] = {\n}\n").tree  # noqa: B018
    assert error.value.line == 2
    assert error.value.reason.endswith(f"(read as Python 3.{sys.version_info.minor}, which runs flake8-jax)")


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("import jax", True), ("from flax import nnx", True), ("import optax", True), ("from jaxtyping import x", True),
        ("import numpyro", True), ("x = 'JAX'", False), ("import numpy as np", False), ("", False),
        ("matchexpr = ajax.relax", False), ("import my_jax", True), ("import jaxlib", True), ("ajax = jax2", True),
    ],
)  # fmt: skip
def test_the_gate(text: str, answer: bool) -> None:
    assert source(text).concerns_jax() is answer


def test_digest_tells_texts_apart() -> None:
    assert source("x = 1\n").digest == source("x = 1\n").digest
    assert source("x = 1\n").digest != source("x = 2\n").digest
    assert len(source("'\ud800'").digest) == 16


def test_a_given_tree_is_used() -> None:
    tree = ast.parse("x = 1\n")
    assert SourceFile("example.py", "x = 1\n", tree).tree is tree


def failing() -> None:
    with collector_paused():
        assert not gc.isenabled()
        raise ValueError("inside")


@pytest.mark.parametrize("was_enabled", [True, False])
def test_the_collector_is_paused_and_restored(was_enabled: bool) -> None:
    try:
        (gc.enable if was_enabled else gc.disable)()
        with pytest.raises(ValueError, match="inside"):
            failing()
        assert gc.isenabled() is was_enabled
    finally:
        gc.enable()


SHAPES: dict[str, Callable[[int], str]] = {
    "list": lambda n: "[" * n + "]" * n,
    "call": lambda n: "f(" * n + ")" * n,
    "dict": lambda n: "{1: " * n + "1" + "}" * n,
    "sum": lambda n: " + ".join(["a"] * n),
    "power": lambda n: "**".join(["a"] * n),
    "methods": lambda n: "a" + ".b()" * n,
    "methods on lines": lambda n: "(a" + "\n  .b()" * n + ")",
    "attributes": lambda n: "a" + ".b" * n,
    "indices": lambda n: "a" + "[0]" * n,
    "signs": lambda n: "-" * n + "a",
    "not": lambda n: "not " * n + "a",
    "lambda": lambda n: "lambda: " * n + "a",
    "choice": lambda n: "a if b else " * n + "c",
    "elif": lambda n: "if a: b\n" + "elif c: d\n" * n,
    "decorator": lambda n: f"@{'f(' * n}{')' * n}\ndef g(): pass",
    "default": lambda n: f"def f(a={'[' * n}{']' * n}): pass",
    "handler": lambda n: f"try: a\nexcept {'f(' * n}{')' * n}: b",
    "case": lambda n: f"match a:\n  case b if {'f(' * n}{')' * n}: c",
}
WIDE: dict[str, Callable[[int], str]] = {
    "and": lambda n: " and ".join(["a"] * n),
    "comparison": lambda n: " < ".join(["a"] * n),
    "strings": lambda n: " ".join(["'a'"] * n),
    "display": lambda n: f"[{'a, ' * n}]",
    "arguments": lambda n: f"f({'a, ' * n})",
    "decorators": lambda n: "@a\n" * n + "def f(): pass",
    "cases": lambda n: "match a:\n" + " case 1: b\n" * n,
    "semicolons": lambda n: "a; " * n,
}


@pytest.mark.parametrize("count", [50, 190, 900, 5000])
@pytest.mark.parametrize("shape", SHAPES)
def test_deep_texts_are_lowered_or_refused_in_time(shape: str, count: int) -> None:
    began = time.process_time()
    found = outcome(SHAPES[shape](count) + "\n")
    assert time.process_time() - began < 4
    assert found in ({"lowered"} if count == 50 else {"lowered", "TooDeep", "NotPython"})
    if count > DEEPEST:
        assert found != "lowered"


@pytest.mark.parametrize("shape", WIDE)
def test_wide_texts_are_lowered(shape: str) -> None:
    count = 100 if shape == "cases" else 3000
    assert outcome(WIDE[shape](count) + "\n") == "lowered"


@pytest.mark.parametrize(
    "text",
    [
        "match a:\n case {}: pass\n".format("{1: " * 40 + "b" + "}" * 40),
        "match a:\n case 1: pass\n case\\\n {}: pass\n".format("[" * 40 + "]" * 40),
        "match a:\n case 1: pass\n case {}: pass\n".format("(" * 40 + "b" + ")" * 40),
        "match a:\n case {}: pass\n".format("A(b=" * 40 + "c" + ")" * 40),
        "del {}\n".format("(" * 40 + "a" + ",)" * 40),
    ],
)
def test_exponential_shapes_are_refused(text: str) -> None:
    began = time.process_time()
    assert outcome(text) in ("TooDeep", "NotPython")
    assert time.process_time() - began < 2


def test_brackets_in_strings_and_comments_are_no_depth() -> None:
    assert outcome("x = '('\n# (\n" * 300) == "lowered"


def test_moderate_patterns_are_lowered() -> None:
    assert outcome("match a:\n case {'a': [{'b': A(B(c=[d, (e)]))}]}: f(g(h(i(j(k(l(m)))))))\n") == "lowered"


def test_statements_nested_as_deep_as_python_allows() -> None:
    text = "".join(" " * depth + "if a:\n" for depth in range(99)) + " " * 99 + "b\n"
    assert outcome(text) == "lowered"


@pytest.mark.parametrize("shape", ["list", "call", "lambda", "sum"])
def test_threads_with_small_stacks_survive(shape: str) -> None:
    results: list[Module] = []
    text = SHAPES[shape](150) + "\n"
    previous = threading.stack_size(512 * 1024)
    try:
        thread = threading.Thread(target=lambda: results.append(lower(source(text))))
        thread.start()
    finally:
        threading.stack_size(previous)
    thread.join()
    assert len(results) == 1


@pytest.mark.slow
def test_a_long_file_takes_time_in_proportion() -> None:
    lines = "def f{0}(x, y={0}):\n    z = x.at[{0}].set(y)\n    return z + f{0}(z)\n\n\n"
    text = "".join(lines.format(number) for number in range(4_000))
    found = source(text)
    with collector_paused():
        began = time.process_time()
        found.module  # noqa: B018
        parsed = time.process_time()
        module = lower(found)
        spent = time.process_time() - parsed
        assert (len(found.lines), len(module.functions)) == (20_001, 4_000)
        assert spent < (parsed - began) / 4
        del module, found


def test_bracket_depth() -> None:
    assert bracket_depth("f([1, {2: (3)}]) + (4)") == 4
    assert bracket_depth("") == 0
    assert bracket_depth(")))") == -1


def test_libcst_waits_until_it_is_needed() -> None:
    code = (
        "import sys; import flake8_jax.syntax.source as s, flake8_jax.syntax.positions, flake8_jax.ir.ops, "
        "flake8_jax.ir.show, flake8_jax.ir.walking; s.SourceFile('a', 'x = 1').tree; "
        "assert 'libcst' not in sys.modules; s.SourceFile('a', 'x = 1').module; assert 'libcst.metadata' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
