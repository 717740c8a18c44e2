"""`flake8-jax upgrade`: what breaks, warns and changes from one release to another, and the range of releases."""

from __future__ import annotations

from pathlib import Path

import pytest

from flake8_jax.driver.cli.main import main
from flake8_jax.driver.upgrading import concerned, fitting, read

OLD = """\
import jax
import jax.numpy as jnp


def noisy(x, key):
    x = jax.tree_map(jnp.sqrt, x)
    return jnp.clip(x, a_min=0.0) + jax.random.normal(key, x.shape)
"""
BOTH = """\
import jax

try:
    from jax import shard_map
except ImportError:
    from jax.experimental.shard_map import shard_map

x = jax.tree.map(abs, [1])
"""


@pytest.fixture
def old(tmp_path: Path) -> Path:
    path = tmp_path / "noisy.py"
    path.write_text(OLD, encoding="utf-8")
    return path


def test_it_says_what_breaks_and_what_changes(old: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    status = main(["upgrade", "--no-cache", "--isolated", "--from", "0.4.30", "--to", "0.10", str(old)])
    said = capsysbinary.readouterr().out.decode()
    assert status == 1
    assert "2 places will break" in said
    assert "  `jax.tree_map` is not in JAX 0.10.2: it was removed in 0.6.0; use `jax.tree.map`\n" in said
    assert "0.5.0: random numbers are others" in said
    assert "0.11.0" not in said


def test_a_name_is_told_once_with_its_places(old: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    path, other = old.with_name("many.py"), old.with_name("other.py")
    path.write_text("import jax\n" + "x = jax.tree_map(abs, [1])\n" * 3, encoding="utf-8")
    other.write_text("import jax\n" + "x = jax.tree_map(abs, [1])\n" * 4, encoding="utf-8")
    main(["upgrade", "--no-cache", "--isolated", "--to", "0.10", str(path), str(other)])
    said = capsysbinary.readouterr().out.decode()
    assert f"use `jax.tree.map`\n    {path}:2, 3, 4, {other}:2, 3 and 2 more\n" in said
    assert "runs on JAX up to 0.5.3, as far as names tell; behind it" in said


def test_fix_renames_first(old: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    main(["upgrade", "--no-cache", "--isolated", "--from", "0.4.30", "--to", "0.10", "--fix", str(old)])
    assert "jax.tree.map(jnp.sqrt, x)" in old.read_text(encoding="utf-8")
    said = capsysbinary.readouterr().out.decode()
    assert "2 places renamed in 1 file\n" in said
    assert "tree_map" not in said.partition("will break")[2].partition("will warn")[0]


def test_the_range_ends_where_a_name_was_removed(old: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["upgrade", "--min", "--isolated", str(old)]) == 0
    said = capsysbinary.readouterr().out.decode()
    assert "to 0.5.3" in said
    assert "`jax.tree_map` is missing" in said


def test_the_range_begins_where_a_name_came_and_guards_do_not_count(tmp_path: Path) -> None:
    path = tmp_path / "both.py"
    path.write_text(BOTH, encoding="utf-8")
    found = fitting(read([str(path)]))
    assert found.releases[0] == (0, 4, 25)
    assert not found.too_new


def test_only_code_that_uses_it_is_concerned(old: Path) -> None:
    rows = concerned(read([str(old)]), "0.7.2", "0.10")
    assert [row.release for row in rows] == ["0.10.0"]


@pytest.mark.parametrize("option", ["--output-format=json", "--select=JAX8", "--baseline=b.json", "--statistics"])
def test_an_option_without_effect_is_a_wrong_use(
    option: str, old: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert main(["upgrade", "--to", "0.10", option, str(old)]) == 2
    instead = "`flake8-jax check --select JAX801,JAX802 --jax-target 0.10` takes it"
    said = f"flake8-jax: error: {option.partition('=')[0]} has no effect on `upgrade`; {instead}\n"
    assert capsysbinary.readouterr().err.decode() == said


@pytest.mark.parametrize("given", [["--to", "x"], ["--from", "0.9.0", "--to", "0.4.30"]])
def test_what_is_no_upgrade_is_a_wrong_use(old: Path, given: list[str]) -> None:
    assert main(["upgrade", *given, str(old)]) == 2
