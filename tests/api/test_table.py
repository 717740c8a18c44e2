"""The table: the grammar of rows, look-ups, aliases, errors that name the row, and what loading costs."""

from __future__ import annotations

import json
from pathlib import Path
from time import process_time
from timeit import repeat

import pytest

from flake8_jax.api import stated
from flake8_jax.api.measured import Measured
from flake8_jax.api.rows import ApiFunction, ApiParameter, RowError, parse_function
from flake8_jax.api.stated import STATED
from flake8_jax.api.table import Table, load
from flake8_jax.api.transforms import Argument, CallShape, parse_transform

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


def table_of(text: str, folder: Path = Path("nothing is measured")) -> Table:
    return Table(stated.parse(text), Measured("0", folder))


@pytest.fixture
def small() -> Table:
    return table_of(SMALL)


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
        ("f(a) -> array | tuple if a=1", "malformed condition 'a=1'"),
        ("f(a) -> array; b! if a absent", "malformed form 'b! if a absent'"),
        ("f(a); a if a absent", "malformed form"),
        ("f(a); a! if b absent", "no parameter 'b'"),
        ("f(a); eager if a is given", "malformed condition 'a is given'"),
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
        ({"parameters": "f", "expects": ["(f, pair)"]}, "unknown expectation 'pair'"),
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
        table_of('[aliases]\n"a" = "b"\n"b" = "a"\n').canonical("a.c")


def test_a_row_stated_twice_is_an_error() -> None:
    with pytest.raises(RowError, match="second row for 'f' in block 'm'"):
        table_of("[functions]\n\"m\" = '''\nf(a)\nf(b)\n'''\n").function("m.f")
    with pytest.raises(RowError, match="stated twice"):
        table_of('\n[transforms."t"]\nstage = "host"\n\n[transforms."t"]\nstage = "host"\n')


@pytest.mark.parametrize("block", ["annotations", "effects", "streams"])
def test_an_unknown_word_is_an_error(block: str) -> None:
    table = table_of(f'[{block}]\n"a.b" = "c"\n')
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
    whole = stated.toml(STATED.read_text(encoding="utf-8"))["transforms"]
    assert list(stated.read().transforms) == list(whole)
    assert [name for name in whole if stated.read().transform(name) != whole[name]] == []


def test_a_stated_word_takes_the_place_of_a_measured_one(tmp_path: Path) -> None:
    rows = ["f(a*, b) -> list; a! if b absent", "g(a)"]
    scan = {"parameters": "f, init", "runs": ["f(init)"], "stage": "staged"}
    facts = {"functions": {"jax.a": rows}, "transforms": {"jax.scan": scan}, "impure": {"jax.a.g": ["output"]}}
    (tmp_path / "0.1").mkdir()
    (tmp_path / "0.1" / "jax.json").write_text(json.dumps({**facts, "aliases": {"jax.b": "jax.a"}}))
    text = """
[functions]
"jax.a" = '''
g(b)
'''
[returns]
"jax.a.f" = "sequence"
[roles]
"jax.scan" = "the body of"
"jax.scan.f" = "the start of"

[transforms."jax.scan"]
loops = true
"""
    table = Table(stated.parse(text), Measured("0.1", tmp_path))
    assert table.function("jax.b.f") == parse_function("f(a*, b) -> sequence; a! if b absent", "jax.a")
    assert table.function("jax.a.g") == parse_function("g(b)", "jax.a")
    assert table.transform("jax.scan") == parse_transform(
        "jax.scan", {**scan, "runs": ["f(init) as the start of"], "role": "the body of", "loops": True}
    )
    assert (table.is_pure("jax.a.f"), table.is_pure("jax.b.g"), table.is_pure("jax.a.h")) == (True, False, False)


def test_what_does_nothing_but_return() -> None:
    pure = ("jax.numpy.sin", "Array.sort", "jax.lax.psum", "jax.random.normal", "jax.lax.with_sharding_constraint")
    impure = ("jax.debug.print", "Array.delete", "jax.ref.set", "jax.block_until_ready", "jax.effects_barrier")
    assert [name for name in (*pure, *impure, "jax.numpy.save", "os.getcwd") if load().is_pure(name)] == list(pure)


@pytest.mark.parametrize(
    ("row", "arguments", "expected"),
    [
        ("nonzero(a, *, size!); eager if size absent", {"a": ...}, ([], True)),
        ("nonzero(a, *, size!); eager if size absent", {"a": ..., "size": None}, ([], True)),
        ("nonzero(a, *, size!); eager if size absent", {"a": ..., "size": ...}, (["size"], False)),
        ("repeat(a, n, m); n! if m absent", {"a": ..., "n": ...}, (["n"], False)),
        ("repeat(a, n, m); n! if m absent", {"a": ..., "n": ..., "m": 3}, ([], False)),
        ("f(a, b); a! if b given", {"a": ..., "b": ...}, ([], False)),
        ("f(a, b); a! if b given", {"a": ..., "b": 1}, (["a"], False)),
        ("f(a, b, c); a!, c! if b!=False", {"a": ...}, (["a"], False)),
        ("f(a, b, c); a!, c! if b!=False", {"a": ..., "c": ..., "b": True}, (["a", "c"], False)),
        ("f(a, b, c); a!, c! if b!=False", {"a": ..., "c": ..., "b": False}, ([], False)),
        ("f(a, b); a!, eager if b='r' and a given", {"a": 0, "b": "r"}, (["a"], True)),
        ("f(a, b); a! if b='r'", {"a": ..., "b": ...}, ([], False)),
        ("f(a); eager", {}, ([], True)),
    ],
)
def test_what_a_trace_needs_depends_on_the_form(
    row: str, arguments: dict[str, object], expected: tuple[list[str], bool]
) -> None:
    function = parse_function(row)
    assert (sorted(function.must_be_concrete(arguments)), function.is_eager(arguments)) == expected


def test_every_row_parses() -> None:
    for row in load().row_ids():
        family, _, name = row.partition("/")
        if family == "functions":
            assert load().function(name.removeprefix("builtins.")) is not None


def test_loading_is_cheap_and_done_once() -> None:
    assert load() is load()
    assert load("0.10") is load("0.10")
    read = STATED.read_text(encoding="utf-8")
    assert min(repeat(lambda: stated.parse(read), timer=process_time, number=1, repeat=10)) < 0.04


def test_the_libraries_that_enable_wide_types_are_read_apart_from_the_rest() -> None:
    assert stated.enabling() == tuple(stated.read().plain["enabling"]) != ()
