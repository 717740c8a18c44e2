"""What docs/stability.md promises: what a minor version had stays, and former options warn before they go."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from flake8_jax import __version__
from flake8_jax.driver import baseline
from flake8_jax.driver.cli.settings import ALSO
from flake8_jax.driver.fingerprints import fingerprints
from flake8_jax.driver.linter import lint
from flake8_jax.driver.reporters import json as records
from flake8_jax.driver.sources import Sources
from flake8_jax.model import former as module
from flake8_jax.model.config import FORMATS, OPTIONS, Config, ConfigError, flake8_key
from flake8_jax.model.former import FORMER, Former
from flake8_jax.rules import discover
from flake8_jax.syntax.source import SourceFile
from tests.support.commands import REUSE, STORE, Run, run, write

RECORD = Path(__file__).with_name("stable.json")
PAGE = (Path(__file__).parents[2] / "docs" / "stability.md").read_text(encoding="utf-8")
SAMPLE = SourceFile("stdin", REUSE)
VERSION = re.compile(r"\d+\.\d+\.\d+")


def present() -> dict[str, object]:
    """What a patch version leaves as it is."""
    return {
        "version": __version__.rpartition(".")[0],
        "on": [each.rule.code for each in discover() if each.rule.status == "on"],
        "codes": {each.rule.code: each.rule.name for each in discover()},
        "options": [option.key for option in OPTIONS],
        "formats": list(FORMATS),
        "schemas": {"baseline": baseline.SCHEMA, "json": records.SCHEMA},
        "fingerprints": [one.digest for one in fingerprints(lint(SAMPLE, Config()).diagnostics, Sources([SAMPLE]))],
    }


def test_a_patch_version_turns_no_rule_on_and_takes_nothing_away() -> None:
    """In a minor version, or while one is made, `python -m tests.project.test_stability` writes the record anew."""
    record, now = json.loads(RECORD.read_text(encoding="utf-8")), present()
    assert record["version"] == now["version"], "a minor version has a record of its own"
    assert record["on"] == now["on"]
    assert record["schemas"] == now["schemas"]
    assert record["fingerprints"] == now["fingerprints"] != []
    assert record["codes"].items() <= dict(now["codes"]).items()  # type: ignore[call-overload]
    assert set(record["options"]) <= {*(option.key for option in OPTIONS), *FORMER}
    assert set(record["formats"]) <= set(FORMATS)


def test_every_former_option_is_one() -> None:
    keys = {option.key: option for option in OPTIONS}
    spelt = {*keys, *(name.removeprefix("--") for names in ALSO.values() for name in names)}
    for key, row in FORMER.items():
        assert key not in spelt
        assert row.now is None or (row.now in keys and row.is_flag == (keys[row.now].kind == "flag"))
        assert VERSION.fullmatch(row.since)
        assert VERSION.fullmatch(row.until)
        assert minors(row.until) >= minors(row.since) + 2, "two minor versions warn"


def minors(version: str) -> int:
    major, minor, _ = map(int, version.split("."))
    return major * 1000 + minor


ROWS = {
    "alternate": Former("strict", "0.1.0", "9.0.0", is_flag=True),
    "shut-out": Former("exclude", "0.1.0", "9.0.0"),
    "pedantic": Former(None, "0.1.0", "9.0.0", is_flag=True),
    "gone": Former("root", "0.0.1", "0.1.0"),
}
DEPRECATED = "is deprecated since 0.1.0 and will be removed in 9.0.0"


@pytest.fixture
def rows(monkeypatch: pytest.MonkeyPatch) -> None:
    for key, row in ROWS.items():
        monkeypatch.setitem(FORMER, key, row)


@pytest.mark.usefixtures("rows")
def test_a_former_name_says_so_and_has_its_effect() -> None:
    said: list[str] = []
    found = Config().given({"alternate": True, "shut-out": "a", "pedantic": True}, Path(), say=said.append)
    assert found == Config(strict=True, exclude=("a",))
    assert said == [
        f"--alternate: {DEPRECATED}; use --strict",
        f"--shut-out: {DEPRECATED}; use --exclude",
        f"--pedantic: {DEPRECATED}; it has no effect",
    ]
    assert Config().given({"shut-out": "a", "exclude": "b"}, Path()).exclude == ("b",)
    assert Config().given({"shut-out": None, "gone": None}, Path(), say=said.append) == Config()
    assert len(said) == 3
    with pytest.raises(ConfigError, match=r"^--gone: was removed in 0\.1\.0; use --root$"):
        Config().given({"gone": "a"}, Path())
    with pytest.raises(ConfigError, match=r"^--exclude: must be a list"):
        Config().given({"shut-out": 1}, Path())


@pytest.mark.parametrize(
    ("version", "is_refused"), [("0.1.0", False), ("0.9.9", False), ("0.10.0", True), ("1.0.0", True)]
)
def test_the_version_that_refuses(version: str, is_refused: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "__version__", version)
    assert Former("root", "0.1.0", "0.10.0").is_refused == is_refused


def front(name: str, folder: Path, *words: str) -> Run:
    """Run a front end that has former options."""
    module_of = {"flake8-jax": "flake8_jax.driver.cli.main", "flake8": "flake8.main.cli"}
    lines = [
        "from flake8_jax.model.former import FORMER, Former",
        *(f"FORMER[{key!r}] = {row!r}" for key, row in ROWS.items()),
        f"from {module_of[name]} import main",
        "raise SystemExit(main())",
    ]
    write(folder, {"front": "\n".join(["if __name__ == '__main__':", *(f"    {line}" for line in lines)])})
    return run([sys.executable, "front", *words], folder)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["flake8-jax", "flake8"])
def test_both_front_ends_warn_once(name: str, tmp_path: Path) -> None:
    write(tmp_path, {"src/store.py": STORE, "src/b.py": "", "pyproject.toml": "[tool.flake8-jax]\npedantic = true\n"})
    mark, words = ("flake8-jax: ", ["check"]) if name == "flake8-jax" else ("flake8: ", ["--select=JAX", "-j2"])
    option, now = ("--alternate", "--strict") if name == "flake8-jax" else ("--jax-alternate", "--jax-strict")
    done = front(name, tmp_path, *words, option, "src")
    assert done.places == ["src/store.py:4:1: JAX201"]
    where = f"{tmp_path / 'pyproject.toml'}: [tool.flake8-jax] pedantic"
    assert done.notes.splitlines() == [
        f"{mark}warning: {where}: {DEPRECATED}; it has no effect",
        f"{mark}warning: {option}: {DEPRECATED}; use {now}",
    ]
    assert option not in front(name, tmp_path, *words[:1], "--help").output
    gone = "--gone" if name == "flake8-jax" else f"--{flake8_key('gone')}"
    done = front(name, tmp_path, *words, f"{gone}=src", "src")
    assert done.status == 2
    assert f"error: {gone}: was removed in 0.1.0; use " in done.errors


def test_flake8_offers_only_what_became_one_of_its_own(tmp_path: Path) -> None:
    assert front("flake8", tmp_path, "--jax-shut-out=a", "src").status == 2


def test_the_page_says_what_is_so() -> None:
    for words in ("two minor versions", "src/flake8_jax/model/former.py", "tests/project/stable.json"):
        assert words in PAGE


if __name__ == "__main__":
    RECORD.write_text(f"{json.dumps(present(), indent=2)}\n", encoding="utf-8")
