"""What clients say of settings, in whatever envelope."""

from __future__ import annotations

from pathlib import Path

import pytest

from flake8_jax.server.settings import DELAY, ServerSettings, Workspace
from tests.support.commands import write

GIVEN = {"strict": True, "ignore": ["JAX702"], "delay": 20, "scope": "open"}


@pytest.mark.parametrize(
    "given",
    [GIVEN, {"flake8-jax": GIVEN}, {"settings": {"flake8-jax": GIVEN}}, {"flake8_jax": {"settings": GIVEN}}],
    ids=str,
)
def test_every_envelope_is_opened(given: object) -> None:
    found = ServerSettings.of(given)
    assert (found.values, found.delay, found.scope) == ({"strict": True, "ignore": ["JAX702"]}, 20, "open")
    assert found.wrong == ()


@pytest.mark.parametrize("given", [None, [], "text", {}, {"settings": {}}, {"strict": None}], ids=str)
def test_nothing_is_said(given: object) -> None:
    assert ServerSettings.of(given) == ServerSettings()


@pytest.mark.parametrize(
    ("given", "word"),
    [
        ({"strikt": True}, "strict"), ({"scope": "file"}, "open"), ({"delay": -1}, "milliseconds"),
        ({"delay": True}, "milliseconds"), ({"config": 3}, "path"),
    ],
)  # fmt: skip
def test_what_cannot_be_meant_is_named_and_left_out(given: dict[str, object], word: str) -> None:
    found = ServerSettings.of(given)
    assert word in " ".join(found.wrong)
    assert (found.scope, found.delay, found.config, found.values) == ("workspace", DELAY, None, {})


def test_each_file_has_the_configuration_of_its_own_project(tmp_path: Path) -> None:
    section = "[tool.flake8-jax]\nstrict = true\n"
    write(tmp_path, {"one/pyproject.toml": section, "two/a.py": "", "other.toml": "[tool.flake8-jax]\ntests = true\n"})
    one, two = str(tmp_path / "one"), str(tmp_path / "two")
    workspace = Workspace([one, two], ServerSettings.of({"x64": True}))
    first, second = (workspace.config_of(f"{folder}/a.py") for folder in (one, two))
    assert (first.strict, first.x64, second.strict, second.x64) == (True, True, False, True)
    assert not workspace.is_outdated()
    write(tmp_path, {"one/pyproject.toml": f"{section}tests = true\n"})
    assert workspace.is_outdated()
    stated = Workspace([one], ServerSettings.of({"config": "../other.toml"})).config_of(f"{one}/a.py")
    assert (stated.strict, stated.tests) == (False, True)


def test_what_is_wrong_is_said_once_and_the_rest_holds(tmp_path: Path) -> None:
    write(tmp_path, {"pyproject.toml": "[tool.flake8-jax]\nstrict = true\n"})
    workspace = Workspace([str(tmp_path)], ServerSettings.of({"select": 3}))
    for _ in range(2):
        assert workspace.config_of(str(tmp_path / "a.py")).strict
    (told,) = workspace.take_told()
    assert "the setting select" in told
    assert workspace.take_told() == []
