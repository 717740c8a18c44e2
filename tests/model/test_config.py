"""Options: where they are read from, how they are converted, what is refused."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from flake8_jax.model.codes import names
from flake8_jax.model.config import OPTIONS, Config, ConfigError
from flake8_jax.model.configurations import Configurations
from flake8_jax.rules import discover
from tests.support.commands import write


def test_every_field_has_an_option() -> None:
    assert [option.name for option in OPTIONS] == [field.name for field in fields(Config)]


def test_default_without_a_file(tmp_path: Path) -> None:
    assert Configurations().of(str(tmp_path / "x.py")) == Config()


def test_reads_every_option(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = """\
[tool.flake8-jax]
strict = true
enable = ["JAX202", "JAX3"]
tests = true
assume-traced = ["mylib.*"]
root = "src"
jax-version = "0.6"
x64 = true
transforms = ["mylib.fast_jit:like=jax.jit"]
key-consumers = ["mylib.draw:like=jax.random.normal"]
analysis-statistics = true
no-store = true
select = ["JAX"]
extend-select = ["JAX4"]
ignore = "JAX1, JAX2"
extend-ignore = []
exclude = ["build", "old/*"]
extend-exclude = ["docs/"]
disable-noqa = false
statistics = true
output-format = "text"
baseline = "ci/known.json"
respect-gitignore = false
debug = true

[tool.flake8-jax.per-file-ignores]
"tests/*" = ["JAX1"]
"setup.py" = ["JAX"]
"""
    write(tmp_path, {"pyproject.toml": text, "src/x.py": ""})
    monkeypatch.chdir(tmp_path)
    assert Configurations().of(str(tmp_path / "src" / "x.py")) == Config(
        strict=True,
        enable=("JAX202", "JAX3"),
        tests=True,
        assume_traced=("mylib.*",),
        root=str(tmp_path / "src"),
        jax_version="0.6",
        x64=True,
        transforms=("mylib.fast_jit:like=jax.jit",),
        key_consumers=("mylib.draw:like=jax.random.normal",),
        analysis_statistics=True,
        no_store=True,
        select=("JAX",),
        extend_select=("JAX4",),
        ignore=("JAX1", "JAX2"),
        exclude=("build", f"{tmp_path}/old/*"),
        extend_exclude=(f"{tmp_path}/docs",),
        per_file_ignores=((f"{tmp_path}/tests/*", ("JAX1",)), ("setup.py", ("JAX",))),
        respect_gitignore=False,
        statistics=True,
        output_format="concise",
        baseline=str(tmp_path / "ci/known.json"),
        debug=True,
    )


def test_nearest_file_with_the_section_counts(tmp_path: Path) -> None:
    write(tmp_path, {"pyproject.toml": "[tool.flake8-jax]\nstrict = true\n", "a/pyproject.toml": "[project]\n"})
    write(tmp_path, {"a/b/pyproject.toml": "[tool.flake8-jax]\nx64 = true\n"})
    assert Configurations().of(str(tmp_path / "a" / "x.py")) == Config(strict=True)
    assert Configurations().of(str(tmp_path / "a" / "b" / "x.py")) == Config(x64=True)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("strickt = true", "[tool.flake8-jax] strickt: there is no such option; did you mean strict?"),
        ("extend_ignore = []", "extend_ignore: there is no such option; did you mean extend-ignore?"),
        ("jax-no-store = true", "jax-no-store: there is no such option; did you mean no-store?"),
        ("colour = 1", "colour: there is no such option; there are analysis-statistics, assume-traced, "),
        ("strict = 1", "strict: must be true or false, not 1"),
        ("enable = 101", "enable: must be a list of strings, not 101"),
        (
            'enable = ["JAX1011"]',
            "enable: 'JAX1011' is not a code, its beginning or a name, such as JAX101, JAX1 or key-reused; did you ",
        ),
        ('enable = ["JAX191"]', "enable: there is no code JAX191; did you mean JAX101?"),
        ('select = ["JAX59"]', "select: there is no code JAX59; did you mean "),
        (
            'select = ["key-resued"]',
            "select: 'key-resued' is not a code, its beginning or a name, such as JAX101, JAX1 or key-reused; did you",
        ),
        ("select = []", "select: names no code, so that nothing could be reported"),
        ('select = ""', "select: names no code, so that nothing could be reported"),
        ('extend-select = ["E501"]', "extend-select: there is no code E501; `flake8-jax rules` lists them"),
        ('ignore = "jax59"', "ignore: 'jax59' is not a code"),
        ('extend-ignore = [""]', "extend-ignore: '' is not a code"),
        ('per-file-ignores = { "a.py" = ["JAX777"] }', "per-file-ignores: there is no code JAX777; "),
        ('per-file-ignores = { "a.py" = 1 }', "per-file-ignores: must be a list of strings, not 1"),
        ('per-file-ignores = "a.py:JAX777"', "per-file-ignores: there is no code JAX777; "),
        ("exclude = true", "exclude: must be a list of strings, not True"),
        ('disable-noqa = "yes"', "disable-noqa: must be true or false, not 'yes'"),
        ("enable = [101]", "enable: 101 is not a code"),
        ('root = "nowhere"', "root: 'nowhere' is not a folder"),
        ("output-format = 1", "output-format: must be a string in quotes, not 1"),
        ('output-format = "xml"', "output-format: there is no format xml; there are concise, full, github, "),
        ('baseline = ""', "baseline: names no file"),
        ("jax-version = 0.6", "jax-version: must be a string in quotes, not 0.6"),
        ('jax-version = "new"', "jax-version: 'new' is not a version"),
        ('transforms = ["mylib.jit"]', "transforms: 'mylib.jit' is not NAME:like=NAME"),
        ('key-consumers = ["mylib.draw"]', "such as mylib.fast_jit:like=jax.jit or mylib.draw:like=jax.random.normal"),
        ('ignore = ["JAX101, JAX301"]', "'JAX101, JAX301' is not a code, its beginning or a name, such as JAX101, "),
        ('ignore = ["JAX101, JAX301"]', "; give each as a string of its own"),
        ('assume-traced = ["a.f b.g"]', "; give each as a string of its own"),
        ('per-file-ignores = ["a"]', "per-file-ignores: must be a table"),
        ('per-file-ignores = "a.py"', "per-file-ignores: 'a.py' is not PATTERN:CODES"),
        ("strict = ", "Invalid value"),
    ],
)
def test_one_clear_error(tmp_path: Path, text: str, complaint: str) -> None:
    write(tmp_path, {"pyproject.toml": f"[tool.flake8-jax]\n{text}\n"})
    with pytest.raises(ConfigError) as error:
        Configurations().of(str(tmp_path / "x.py"))
    assert str(error.value).startswith(str(tmp_path / "pyproject.toml"))
    assert complaint in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("name", ["flake8_jax", "flake8jax", "Flake8-JAX"])
def test_the_section_is_spelt_rightly(tmp_path: Path, name: str) -> None:
    write(tmp_path, {"pyproject.toml": f"[tool.{name}]\nstrict = true\n"})
    with pytest.raises(ConfigError) as error:
        Configurations().of(str(tmp_path / "x.py"))
    assert str(error.value).endswith(f"there is no section [tool.{name}]; did you mean [tool.flake8-jax]?")


@pytest.mark.parametrize("text", ["[tool.flake8]\njax-strict = true\n", '[project]\ndependencies = ["flake8-jax"]\n'])
def test_other_sections_are_of_no_concern(tmp_path: Path, text: str) -> None:
    write(tmp_path, {"pyproject.toml": text})
    assert Configurations().of(str(tmp_path / "x.py")) == Config()


def test_the_codes_are_those_of_the_rules() -> None:
    found = {each.rule.code: each.rule.name for each in discover()}
    assert names() == {"JAX000": "analysis-gave-up", **found}


@pytest.mark.parametrize("text", ['[tool]\nflake8-jax = "strict"\n', 'tool = "flake8-jax"\n'])
def test_the_section_is_a_table(tmp_path: Path, text: str) -> None:
    write(tmp_path, {"pyproject.toml": text})
    with pytest.raises(ConfigError, match="must be a table"):
        Configurations().of(str(tmp_path / "x.py"))


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("a.py:JAX1", (("a.py", ("JAX1",)),)),
        ("a.py,b.py:JAX1,JAX2", (("a.py", ("JAX1", "JAX2")), ("b.py", ("JAX1", "JAX2")))),
        ("a.py:JAX1 b.py : JAX2\n", (("a.py", ("JAX1",)), ("b.py", ("JAX2",)))),
    ],
)
def test_per_file_ignores_in_flake8s_words(tmp_path: Path, text: str, pairs: tuple[object, ...]) -> None:
    assert Config().given({"per-file-ignores": text}, tmp_path).per_file_ignores == pairs


def test_flags_prevail_and_none_is_not_given(tmp_path: Path) -> None:
    config = Config(strict=True, ignore=("JAX1",))
    assert config.given({"strict": None, "ignore": "JAX2"}, tmp_path) == Config(strict=True, ignore=("JAX2",))
