"""The table: the grammar of rows, look-ups, aliases, errors that name the row, and what loading costs."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from flake8_jax.api.rows import (
    ApiFunction,
    ApiParameter,
    Argument,
    CallShape,
    RowError,
    parse_function,
    parse_transform,
)
from flake8_jax.api.table import STATED, Table, load, parse

SMALL = """
[functions]
"jax.numpy" = '''
mean(a*, axis!)    # a comment
where(condition*, x*, y*, /) -> array | tuple if x absent
'''
"Array" = '''
item() -> static
'''
"Array.properties" = '''
T
shape -> static
'''
"builtins" = '''
len(obj) -> static
'''
"numpy" = '''
*(*args, **kwargs) -> numpy
shape(a) -> static
'''
[aliases]
"jnp" = "jax.numpy"
"numpy.alias" = "jnp.mean"
[annotations]
"jax.Array" = "array"
[effects]
"print" = "print"
[key_arguments]
"equinox.nn" = "key"
[streams]
"haiku.next_rng_key" = "result"
[traced_methods]
"flax.linen.Module" = ["__call__"]

[transforms."jax.jit"]
parameters = "fun, /, *, static_argnums"
wraps = "fun"
stage = "staged"
role = "jitted"

[transforms."jax.lax.scan"]
parameters = "f, init, xs"
runs = ["f(init, each xs)"]
stage = "staged"
role = "the body of"
returns = "(init, unknown)"
loops = true
"""


@pytest.fixture
def small() -> Table:
    return parse(SMALL)


def parameter(text: str) -> ApiParameter:
    return parse_function(f"f({text})").parameters[0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a", ApiParameter("a")),
        ("a*", ApiParameter("a", rejects_sequences=True)),
        ("axis!", ApiParameter("axis", must_be_concrete=True)),
        ("n*!", ApiParameter("n", rejects_sequences=True, must_be_concrete=True)),
        ("key@", ApiParameter("key", key="sink")),
        ("key~", ApiParameter("key", key="derive")),
        ("*operands*", ApiParameter("operands", "varargs", rejects_sequences=True)),
        ("**options", ApiParameter("options", "varkw")),
        ("*, axis!", ApiParameter("axis", "keyword", must_be_concrete=True)),
        ("x*, /", ApiParameter("x", "positional", rejects_sequences=True)),
    ],
)
def test_marks(text: str, expected: ApiParameter) -> None:
    assert parameter(text) == expected


def test_parameters_after_varargs_are_keyword_only() -> None:
    assert [p.kind for p in parse_function("f(a, *b, c, **d)").parameters] == ["normal", "varargs", "keyword", "varkw"]


@pytest.mark.parametrize(
    ("row", "returns", "about"),
    [
        ("f(a)", "array", ""),
        ("f(a) -> static", "static", ""),
        ("f(a) -> like(a)", "like", "a"),
        ("f(a) -> own(a)", "own", "a"),
        ("f() -> instance(jax.nn.initializers.Initializer)", "instance", "jax.nn.initializers.Initializer"),
        ("T", "array", ""),
    ],
)
def test_returns(row: str, returns: str, about: str) -> None:
    function = parse_function(row)
    assert (function.returns, function.returns_like, function.variants) == (returns, about, ())


def test_returns_that_depend_on_an_argument() -> None:
    where = parse_function("where(condition, x, y) -> array | tuple if x absent")
    assert where.returned({"condition": ...}) == ("tuple", "")
    assert where.returned({"condition": ..., "x": ..., "y": ...}) == ("array", "")
    svd = parse_function("svd(a, compute_uv) -> tuple | array if compute_uv=False")
    assert svd.returned({}) == ("tuple", "")
    assert svd.returned({"compute_uv": False}) == ("array", "")
    assert svd.returned({"compute_uv": True}) == ("tuple", "")
    assert svd.returned({"compute_uv": ...}) == ("unknown", "")
    qr = parse_function("qr(a, mode) -> tuple | array if mode='r'")
    assert qr.returned({"mode": "r"}) == ("array", "")
    assert qr.returned({"mode": "reduced"}) == ("tuple", "")


@pytest.mark.parametrize(
    ("row", "complaint"),
    [
        ("f(a", "malformed row"),
        ("f(a) returns", "malformed row"),
        ("f(a b)", "malformed parameter 'a b'"),
        ("f(a?)", "malformed parameter"),
        ("f(a**)", "contradictory marks"),
        ("f(key@~)", "contradictory marks"),
        ("f(a) -> nothing", "unknown return 'nothing'"),
        ("f(a) -> like", "unknown return 'like'"),
        ("f(a) -> static(a)", "unknown return"),
        ("f(a) -> like(b)", "no parameter 'b'"),
        ("f(a) -> array | tuple", "has a condition"),
        ("f(a) -> array if a=True", "the first return is the usual one"),
        ("f(a) -> array | tuple if b=True", "no parameter 'b'"),
        ("f(a) -> array | tuple if a=1", "malformed return"),
    ],
)
def test_a_malformed_row_is_named(row: str, complaint: str) -> None:
    with pytest.raises(RowError, match=complaint) as caught:
        parse_function(row, "jax.numpy")
    assert row in str(caught.value)
    assert "'jax.numpy'" in str(caught.value)


def test_arguments_find_their_parameters() -> None:
    function = parse_function("f(a, /, b, *rest, c, **others)")
    assert [getattr(function.parameter_at(place), "name", None) for place in range(4)] == ["a", "b", "rest", "rest"]
    named = {name: getattr(function.parameter_named(name), "name", None) for name in ("a", "b", "c", "x", "rest")}
    assert named == {"a": "others", "b": "b", "c": "c", "x": "others", "rest": "others"}
    bare = parse_function("f(a, /, *, c)")
    assert bare.parameter_at(1) is None
    assert bare.parameter_named("a") is None


def test_transforms() -> None:
    row = {
        "parameters": "cond_fun, body_fun, init, *operands", "stage": "staged", "role": "the body of", "loops": True,
        "runs": [
            "cond_fun(init, *operands) as the condition of",
            "each body_fun(index, each init, array, result cond_fun)",
        ],
        "returns": "(init, (unknown, argument 0))",
    }  # fmt: skip
    transform = parse_transform("t", row)
    assert transform.runs == (
        CallShape("cond_fun", (Argument("parameter", "init"), Argument("rest", "operands")), role="the condition of"),
        CallShape(
            "body_fun",
            (Argument("index"), Argument("each", "init"), Argument("array"), Argument("result", "cond_fun")),
            each=True,
        ),
    )
    assert transform.returns == (Argument("parameter", "init"), (Argument("unknown"), Argument("argument", "0")))
    assert (transform.loops, transform.wraps, transform.stage) == (True, "", "staged")


@pytest.mark.parametrize(
    ("row", "complaint"),
    [
        ({"parameters": "f", "stages": "staged"}, "unknown key 'stages'"),
        ({"parameters": "f", "stage": "traced"}, "unknown stage 'traced'"),
        ({"parameters": "f", "wraps": "g"}, "no parameter 'g'"),
        ({"parameters": "f", "statics": ["argnums"]}, "no parameter 'argnums'"),
        ({"parameters": "f", "runs": ["g()"]}, "no parameter 'g'"),
        ({"parameters": "f", "runs": ["f("]}, "malformed call"),
        ({"parameters": "f", "runs": ["f(some x)"]}, "unknown word 'some x'"),
        ({"parameters": "f", "returns": "(f, unknown"}, "malformed returns"),
        ({"parameters": "f", "returns": "g"}, "unknown word 'g'"),
    ],
)
def test_a_malformed_transform_is_named(row: dict[str, object], complaint: str) -> None:
    with pytest.raises(RowError, match=f"{complaint}.*'jax.jit'"):
        parse_transform("jax.jit", row)


def test_look_ups(small: Table) -> None:
    mean = ApiFunction("jax.numpy.mean", parse_function("mean(a*, axis!)").parameters)
    assert small.function("jax.numpy.mean") == mean
    assert small.function("jnp.mean") == small.function("numpy.alias") == mean
    assert small.function("jax.numpy.median") is None
    assert small.function("len") == ApiFunction("len", (ApiParameter("obj"),), "static")
    assert getattr(small.function("numpy.anything"), "returns", None) == "numpy"
    assert getattr(small.function("numpy.shape"), "returns", None) == "static"
    assert small.function("numpy.random.normal") is None
    assert getattr(small.method("item"), "returns", None) == "static"
    assert small.method("nothing") is None
    assert (small.attribute("T"), small.attribute("shape"), small.attribute("x")) == ("array", "static", None)


def test_look_ups_of_words(small: Table) -> None:
    assert (small.annotation("jax.Array"), small.annotation("float")) == ("array", None)
    assert (small.effect("print"), small.effect("open")) == ("print", None)
    assert (small.key_argument("equinox.nn.Linear"), small.key_argument("equinox.tree_at")) == ("key", None)
    assert (small.stream("haiku.next_rng_key"), small.stream("haiku.transform")) == ("result", None)
    assert small.traced_method("flax.linen.Module", "__call__")
    assert not small.traced_method("flax.linen.Module", "setup")
    assert not small.traced_method("abc.ABC", "__call__")


def test_look_ups_of_transforms(small: Table) -> None:
    scan = small.transform("jax.lax.scan")
    assert scan is not None
    assert scan is small.transform("jax.lax.scan")
    assert [p.name for p in scan.parameters] == ["f", "init", "xs"]
    assert small.transform("jax.vmap") is None


def test_namespaces(small: Table) -> None:
    known = ["jax", "jax.numpy", "jnp", "jax.lax", "flax.linen", "equinox.nn", "numpy"]
    assert [name for name in (*known, "os", "jax.random") if small.is_namespace(name)] == known


def test_aliases_are_followed_and_must_end(small: Table) -> None:
    assert small.canonical("jnp.linalg.norm") == "jax.numpy.linalg.norm"
    assert small.canonical("numpy.alias") == "jax.numpy.mean"
    with pytest.raises(RowError, match="leads back to itself"):
        parse('[aliases]\n"a" = "b"\n"b" = "a"\n').canonical("a.c")


def test_a_row_stated_twice_is_an_error() -> None:
    with pytest.raises(RowError, match="second row for 'f' in block 'm'"):
        parse("[functions]\n\"m\" = '''\nf(a)\nf(b)\n'''\n").function("m.f")
    with pytest.raises(RowError, match="stated twice"):
        parse('\n[transforms."t"]\nstage = "host"\n\n[transforms."t"]\nstage = "host"\n')


@pytest.mark.parametrize("block", ["annotations", "effects", "streams"])
def test_an_unknown_word_is_an_error(block: str) -> None:
    table = parse(f'[{block}]\n"a.b" = "c"\n')
    look_up = {"annotations": table.annotation, "effects": table.effect, "streams": table.stream}[block]
    with pytest.raises(RowError, match=f"unknown word 'c' for 'a.b' in \\[{block}\\]"):
        look_up("a.b")


def test_rows_are_listed_and_removed_one_by_one(small: Table) -> None:
    rows = small.row_ids()
    assert len(rows) == len(set(rows)) == 17
    for row in rows:
        assert set(small.without(row).row_ids()) == set(rows) - {row}
    with pytest.raises(KeyError):
        small.without("functions/jax.numpy.median")


def test_cutting_transforms_out_of_the_text_reads_what_toml_reads() -> None:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    whole = tomllib.loads(STATED.read_text(encoding="utf-8"))["transforms"]
    assert [name for name in whole if load().transform(name) != parse_transform(name, whole[name])] == []
    rows = [row for row in load().row_ids() if row.startswith("transforms/")]
    assert rows == [f"transforms/{name}" for name in whole]


def test_every_row_parses() -> None:
    for row in load().row_ids():
        family, _, name = row.partition("/")
        if family == "functions":
            assert load().function(name.removeprefix("builtins.")) is not None


def test_loading_is_cheap_and_done_once() -> None:
    assert load() is load()
    assert load(Path(STATED)) == load(Path(STATED))
    times = []
    for _ in range(10):
        start = time.perf_counter()
        parse(STATED.read_text(encoding="utf-8"))
        times.append(time.perf_counter() - start)
    assert min(times) < 0.02
