"""What is read of a fixture before it runs: expectations, cases, what these reach, repairs."""

from __future__ import annotations

import ast
import itertools
from pathlib import Path

import pytest

from flake8_jax.runtime import loading
from flake8_jax.runtime.claims import Fixture, Harmless, NotAFixture, Pair, Since, misspelt_marks, parse, read_pairs
from flake8_jax.runtime.plan import plan
from flake8_jax.runtime.repairs import repaired

HAZARDS = {
    "JAX101": ("key_reuse",),
    "JAX201": ("raises:TypeError", "raises:AttributeError"),
    "JAX999": ("by inspection: no device shows it",),
}


def fixture(text: str) -> Fixture:
    return parse(Path("bad.py"), text)


def pair(bad: str, good: str = "") -> Pair:
    return Pair("pair", parse(Path("pair/bad.py"), bad), parse(Path("pair/good.py"), good))


def test_an_expectation_says_line_code_phenomenon_and_words() -> None:
    text = "def case():\n    x[0] = 1  # JAX201 raises:TypeError: `x` is an array # JAX101: again\n"
    found = [(claim.line, claim.code, claim.phenomenon, claim.text) for claim in fixture(text).expectations]
    assert found == [(2, "JAX201", "raises:TypeError", "`x` is an array"), (2, "JAX101", None, "again")]


WRONG_MARKS = {
    "# JAX301": "# JAX301",
    "# JAX301 `x` is traced": "# JAX301 `x` is traced",
    "# JAX301:": "# JAX301:",
    "# JAX301: ": "# JAX301:",
    "# JAX301:x": "# JAX301:x",
    "# JAX301 : x": "# JAX301 : x",
    "# JAX3011: x": "# JAX3011: x",
    "#JAX301: x": "#JAX301: x",
    "#  JAX301: x": "#  JAX301: x",
    "## JAX301: x": "## JAX301: x",
    "# JAX301: x # JAX401": "# JAX401",
    "# JAX301: x # JAX's own": "# JAX's own",
}
NO_MARKS = (
    "# noqa: JAX301", "# jax: ignore[JAX301] why", "# as JAX301 says", "# see JAX301: it says", "# JAX 0.6", "# JAX: x",
    "'# JAX301'", "# JAX301: x", "# JAX301: x # JAX401 raises:TypeError: y", "# noqa # JAX301: x",
)  # fmt: skip


@pytest.mark.parametrize("comment", WRONG_MARKS)
@pytest.mark.parametrize("name", ["bad.py", "good.py"])
def test_a_comment_that_begins_with_a_code_is_a_mark_or_an_error(comment: str, name: str, tmp_path: Path) -> None:
    (tmp_path / "good.py").write_text("x = 1\n")
    (tmp_path / "bad.py").write_text("x = 1  # JAX101: x\n")
    (tmp_path / name).write_text(f"x = 1  # JAX101: x\nx = 2  {comment}\n")
    with pytest.raises(NotAFixture) as caught:
        read_pairs(tmp_path)
    assert str(caught.value).startswith(f"{tmp_path / name}:2: `{WRONG_MARKS[comment]}` is not written as `# JAX")


def test_all_comments_that_are_no_marks_are_named_at_once(tmp_path: Path) -> None:
    (tmp_path / "good.py").write_text("x = 1\n")
    (tmp_path / "bad.py").write_text("x = 1  # JAX101\ny = 1\nz = 1  # JAX201 is assigned\n")
    with pytest.raises(NotAFixture) as caught:
        read_pairs(tmp_path)
    assert [line.split(":")[1] for line in str(caught.value).splitlines()] == ["1", "3"]


@pytest.mark.parametrize("comment", NO_MARKS)
def test_a_code_inside_of_a_comment_is_prose(comment: str) -> None:
    assert list(misspelt_marks(f"x = 1  {comment}\n")) == []


@pytest.mark.parametrize(
    ("text", "names"),
    {
        "def f(): ...\ndef g(): ...": ["f", "g"],
        "def _f(): ...": [],
        "def f(x): ...": [],
        "def f(*, x=1): ...": [],
        "def f(**x): ...": [],
        "@jax.jit\ndef f(): ...": [],
        "async def f(): ...": [],
        "class C:\n    def f(): ...": [],
    }.items(),
)
def test_cases_are_plain_top_level_functions_without_parameters(text: str, names: list[str]) -> None:
    assert [case.name for case in fixture(text).cases] == names


def test_the_def_line_says_how_a_case_runs() -> None:
    text = (
        "def plain(): ...\n"
        "def module_first(): ...\n"
        "def alone(): ...  # verify: isolate\n"
        "def prints(): ...  # verify: shows trace_once, it says what is compiled\n"
        "def new(): ...  # verify: since 0.7.2, jax.new_ref is new\n"
    )
    plain, first, alone, prints, new = fixture(text).cases
    assert [case.isolated for case in (plain, first, alone, prints, new)] == [False, True, True, False, False]
    assert first.at_import
    assert not alone.at_import
    assert prints.harmless == Harmless("trace_once", "it says what is compiled")
    assert new.since == Since("0.7.2", "jax.new_ref is new")
    assert [new.since.is_after(version) for version in ("0.6.2", "0.7.1", "0.7.2", "0.10.0", "0.12.0.1")] == [
        True, True, False, False, False,
    ]  # fmt: skip


def test_a_case_may_be_about_some_versions_of_jax_in_the_middle() -> None:
    (case,) = fixture("def kept(): ...  # verify: since 0.9 until 0.11, equality is asked first\n").cases
    assert case.since == Since("0.9", "equality is asked first", "0.11")
    versions = ("0.8.2", "0.9.0.1", "0.10.2", "0.11.0", "0.12.0.1")
    assert [case.since.excludes(version) for version in versions] == [True, False, False, True, True]
    assert case.since.text() == "before JAX 0.9 and since JAX 0.11: equality is asked first"


REACH = """\
import equinox
import jax
SCALE = 2.0
UNUSED = compute()
ALSO_UNUSED, (*OTHERS, _) = jax.random.split(jax.random.key(0))
TABLE = {}
jax.config.update("jax_enable_x64", False)
logger = logging.getLogger("fixture")
logger.setLevel(logging.DEBUG)
def inner(): ...
def outer(): return inner() * SCALE
@jax.custom_jvp
def rule(x): ...
@rule.defjvp
def rule_jvp(primals, tangents): ...
def other(): ...
TABLE["other"] = other
class Model(equinox.Module): ...
def case_outer(): return outer()
def case_rule(): return rule(1.0)
def case_table(): return TABLE["other"]()
def case_model(): return Model()
"""


@pytest.mark.parametrize(
    ("case", "names"),
    {
        "case_outer": {"case_outer", "outer", "inner", "SCALE"},
        "case_rule": {"case_rule", "rule", "rule_jvp", "jax"},
        "case_table": {"case_table", "TABLE", "other"},
        "case_model": {"case_model", "Model", "equinox"},
    }.items(),
)
def test_a_case_reaches_what_it_names_and_what_is_done_to_that(case: str, names: set[str]) -> None:
    found = fixture(REACH).case(case)
    assert found is not None
    assert found.reaches == names
    statements = ast.unparse(loading.sliced(fixture(REACH).tree(), found))
    assert "config.update" in statements, "what is about no name of the fixture stays"
    assert "logger.setLevel" in statements, "a case may find the logger by itself"
    assert "UNUSED" not in statements
    assert ("equinox" in statements) == ("equinox" in names)


MODULE = """\
import jax
KEY = jax.random.key(0)
NOISE = jax.random.normal(KEY)
MORE = jax.random.uniform(KEY)  # JAX101: a
TABLE = {}
def other(): ...
TABLE["other"] = other  # JAX101: b
jax.config.update("jax_enable_x64", True)  # JAX101: c
LONELY = 1  # JAX101: d
def both(): return NOISE, MORE
def key_alone(): return KEY
def noise_alone(): return NOISE
def table(): return TABLE
def module_more(): return MORE
"""


@pytest.mark.parametrize(
    ("case", "texts"),
    {"both": "ac", "key_alone": "c", "noise_alone": "c", "other": "bc", "table": "bc", "module_more": "ac"}.items(),
)
def test_a_claim_at_module_level_belongs_to_the_cases_for_which_the_line_runs(case: str, texts: str) -> None:
    found = fixture(MODULE).case(case)
    assert found is not None
    assert "".join(claim.text for claim in found.claims) == texts


def test_an_assignment_at_module_level_is_repaired_by_the_one_to_the_same_names() -> None:
    bad = "A, B = f()  # JAX101: x\nC = 1  # JAX101: y\nC = 2\ng()  # JAX101: z\n"
    good = "A, B = (\n    h()\n)\nC = 3\nC = 2\n"
    found = repaired(pair(bad, good), {1})
    assert found is not None
    assert found.text == "A, B = (\n    h()\n)\n" + bad.partition("\n")[2]
    assert found.numbers == (1, 1, 1, 2, 3, 4)
    assert repaired(pair(bad, good), {2}) is None, "which of two"
    assert repaired(pair(bad, good), {4}) is None, "no name"


BAD = "def case():\n    x[0] = 1  # JAX201: a\n    del x[1]  # JAX201: b\n    return x\n"
GOOD = "def case():\n    y = 1\n    x = x.at[0].set(y)\n    return x\n"


def test_a_repair_takes_the_twins_lines_and_keeps_the_files_numbers() -> None:
    found = repaired(pair(BAD.replace("    del x[1]  # JAX201: b\n", ""), GOOD), {2})
    assert found is not None
    lines = {ast.unparse(n): n.lineno for n in ast.walk(found.tree()) if isinstance(n, ast.stmt) and n.lineno > 1}
    assert lines == {"y = 1": 2, "x = x.at[0].set(y)": 2, "return x": 3}


def test_a_repair_of_one_line_keeps_the_other_hazard() -> None:
    found = repaired(pair(BAD, "def case():\n    x = x.at[0].set(1)\n    x = jnp.delete(x, 1)\n    return x\n"), {2})
    assert found is not None
    assert "del x[1]" in found.text
    assert "x[0] = 1" not in found.text


def test_adjacent_lines_are_repaired_apart_only_if_the_twin_has_as_many() -> None:
    twin = pair(BAD, "def case():\n    if x:\n        x = x.at[0].set(1)\n    x = jnp.delete(x, 1)\n    return x\n")
    assert repaired(twin, {2}) is None
    both = repaired(twin, {2, 3})
    assert both is not None
    assert both.text == twin.good.text
    assert both.numbers == (1, 2, 2, 2, 4)
    broken = pair(BAD, "def case():\n    if x:\n        x = x.at[0].set(1)\n    return x\n")
    assert repaired(broken, {3}) is None, "a repair that is no Python is none"


def test_twins_are_compared_in_time_that_grows_with_their_lines() -> None:
    lines = [f"    f({number})  # JAX201: x\n    g()\n" for number in range(200)]
    bad = "def case():\n" + "".join(lines) + "    return 1\n"
    assert repaired(pair(bad, "def case():\n" + "    g()\n" * 200 + "    return 2\n"), {2}) is None


def test_no_repair_where_the_twin_differs_elsewhere() -> None:
    assert repaired(pair(BAD, "def case():\n    return 1\n"), {2}) is None


FLAWS = {
    "unknown rule": ("def case():\n    1  # JAX777: x\n", "there is no rule JAX777"),
    "unknown phenomenon": ("def case():\n    1  # JAX101 reuse: x\n", "there is no phenomenon reuse; there are"),
    "parameter missing": ("def case():\n    1  # JAX201 raises: x\n", "raises must say the exception's class"),
    "parameter too much": ("def case():\n    1  # JAX101 key_reuse:k: x\n", "key_reuse takes no parameter"),
    "not on the card": ("def case():\n    1  # JAX101 raises:TypeError: x\n", "JAX101 claims key_reuse, by its card"),
    "unreached": ("def case():\n    pass\ndef _f():\n    1  # JAX101: x\n", "no case reaches line 4"),
    "unread": ("A = 1  # JAX101: x\ndef case():\n    pass\n", "no case reaches line 1: none leads to a name"),
    "another twin": ("def case():\n    1  # JAX101: x\n    2\n", "case differs from its twin on other lines"),
    "no twin": ("def lonely():\n    1  # JAX101: x\n", "lonely has no twin in good.py"),
}


@pytest.mark.parametrize("name", FLAWS)
def test_a_claim_that_cannot_be_tested_is_an_error_and_says_why(name: str) -> None:
    text, reason = FLAWS[name]
    found = plan([pair(text, "def case():\n    pass\ndef _f():\n    pass\n")], HAZARDS)
    assert [flaw.reason.startswith(reason) for flaw in found.flaws] == [True]
    assert not found.flaws[0].inspected


def test_a_rule_may_be_claimed_by_inspection_with_its_reason() -> None:
    found = plan([pair("def case():\n    1  # JAX999: x\n", "def case():\n    pass\n")], HAZARDS)
    assert [(flaw.inspected, flaw.reason) for flaw in found.flaws] == [(True, "no device shows it")]


def test_isolated_jobs_come_first_and_innocents_are_judged_by_the_rules_hazard() -> None:
    bad = "def a():\n    1  # JAX201 raises:AttributeError: x\ndef module_b():\n    1  # JAX201: x\n"
    good = "def a(): ...\ndef module_b(): ...\ndef innocent(): ...\n"
    jobs = [
        (job.role, job.case, [q.phenomenon for q in job.questions]) for job in plan([pair(bad, good)], HAZARDS).jobs
    ]
    assert jobs == [
        ("bad", "module_b", ["raises:TypeError"]),
        ("good", "module_b", ["raises:TypeError"]),
        ("bad", "a", ["raises:AttributeError"]),
        ("good", "a", ["raises:AttributeError"]),
        ("good", "innocent", ["raises:TypeError"]),
    ]


def test_a_folder_must_hold_whole_pairs(tmp_path: Path) -> None:
    with pytest.raises(NotAFixture, match="holds no pair"):
        read_pairs(tmp_path)
    with pytest.raises(NotAFixture, match="is no folder"):
        read_pairs(tmp_path / "nowhere")
    for name, rest in itertools.permutations(("bad.py", "good.py")):
        home = tmp_path / name.removesuffix(".py")
        home.mkdir()
        (home / name).write_text("x = 1\n")
        with pytest.raises(NotAFixture, match=f"has no {rest}"):
            read_pairs(home)
        (home / rest).write_text("def broken(:\n")
        with pytest.raises(NotAFixture, match="invalid syntax"):
            read_pairs(home)
        (home / "good.py").write_text("")
        (home / "bad.py").write_text("")
        with pytest.raises(NotAFixture, match=r"bad\.py:1: no line is marked"):
            read_pairs(home)
        (home / "bad.py").write_text("x = 1  # JAX101: x\n")
    assert [pair.name for pair in read_pairs(tmp_path)] == ["bad", "good"]
    assert [pair.name for pair in read_pairs(tmp_path / "bad")] == ["bad"]
