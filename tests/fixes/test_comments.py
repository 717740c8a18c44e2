"""Comments that suppress nothing are removed, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.commands import command, write

HEAD = "import jax.numpy as jnp\n\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "new"),
    [
        ("x = 1  # jax: ignore[JAX201]\n", "x = 1\n"),
        ("x = 1  # jax: ignore[JAX201] old, see #12\n", "x = 1\n"),
        ("x = 1  # jax: ignore[JAX201] old  # noqa: E501\n", "x = 1  # noqa: E501\n"),
        ("x = 1  # noqa: E501  # jax: ignore[JAX201] old\n", "x = 1  # noqa: E501\n"),
        ("x = 1  # a count # jax: ignore[JAX201] old # type: ignore\n", "x = 1  # a count # type: ignore\n"),
        ("x = 1  # jax: ignore[JAX201, JAX101, JAX203] old\n", "x = 1\n"),
        ("x = 1  # jax: ignore[JAX201] a # jax: ignore[JAX203] b\n", "x = 1\n"),
        ("x = 1\n# jax: ignore-file[JAX201] old\ny = 2\n", "x = 1\ny = 2\n"),
        ("if 1:\n    # jax: ignore-file[JAX201]\n    y = 2\n", "if 1:\n    y = 2\n"),
        ("x = 1\n# jax: ignore-file[JAX201]", "x = 1\n"),
        ("x = 1\r\n\t# jax: ignore-file[JAX201]\r\ny = 2\r\n", "x = 1\r\ny = 2\r\n"),
        (
            "x = jnp.ones(3)\nx[0] = 1.0  # jax: ignore[JAX101, JAX201, JAX203] both\n",
            "x = jnp.ones(3)\nx[0] = 1.0  # jax: ignore[JAX201] both\n",
        ),
        (
            "x = jnp.ones(3)\nx[0] = 1.0  # jax: ignore[JAX201 JAX203] blank\n",
            "x = jnp.ones(3)\nx[0] = 1.0  # jax: ignore[JAX201] blank\n",
        ),
        ("x = '''\n# jax: ignore[JAX201]\n'''\n", "x = '''\n# jax: ignore[JAX201]\n'''\n"),
    ],
)
def test_unused_suppressions_are_removed(tmp_path: Path, body: str, new: str) -> None:
    write(tmp_path, {"a.py": HEAD + body})
    assert command(tmp_path, "fix").status == 0
    assert (tmp_path / "a.py").read_bytes().decode() == HEAD + body
    done = command(tmp_path, "fix", "--enable=JAX002")
    assert (tmp_path / "a.py").read_bytes().decode() == HEAD + new
    assert (done.status, command(tmp_path, "check", "--enable=JAX002").status) == (0, 0)


def test_what_a_fix_leaves_without_use_goes_with_it(tmp_path: Path) -> None:
    body = "x = jnp.ones(3)\nx[0] = 1.0  # jax: ignore[JAX201] shown\n"
    write(tmp_path, {"a.py": HEAD + body})
    assert command(tmp_path, "fix", "--enable=JAX002", "--disable-noqa").status == 0
    assert (tmp_path / "a.py").read_text() == f"{HEAD}x = jnp.ones(3)\nx = x.at[0].set(1.0)\n"
