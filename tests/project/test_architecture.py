"""What docs/architecture.md shows is what happens: its session, its commands, its picture of the imports, its paths."""

from __future__ import annotations

import doctest
import re
import shlex
import sys
from pathlib import Path
from types import FrameType

import pytest

from flake8_jax.driver.cli.main import main
from tests.project.test_layers import imports
from tests.support import sources
from tests.support.commands import command, write
from tests.support.sources import MODULES, PACKAGE, ROOT

TEXT = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")


FILES = ("clip.py", "noise.py", "train.py")
STOPS = re.findall(r"^\*\*(\d+)\. `([\w/]+\.py)`, `(\w+)`\.\*\*", TEXT, re.MULTILINE)


def blocks(language: str) -> list[str]:
    """The fenced blocks of one language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the page's files in it, which is the working directory."""
    write(tmp_path, dict(zip(FILES, blocks("python"), strict=True)))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_session_says_what_the_page_shows(place: Path) -> None:
    session = "\n".join(blocks("pycon"))
    test = doctest.DocTestParser().get_doctest(session, {}, "docs/architecture.md", None, 0)
    said: list[str] = []
    results = doctest.DocTestRunner().run(test, out=said.append)
    assert results.attempted > 20
    assert results.failed == 0, "".join(said)


@pytest.mark.parametrize("shown", blocks("console"), ids=lambda shown: shown.partition("\n")[0])
def test_a_command_prints_what_the_page_shows(shown: str, place: Path) -> None:
    line, _, output = shown.partition("\n")
    prompt, program, *arguments = shlex.split(line)
    assert (prompt, program) == ("$", "flake8-jax")
    assert command(place, *arguments).output == output


def test_the_stops_of_the_page_are_passed_in_their_order(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert 10 <= len(STOPS) <= 15
    assert [int(number) for number, _, _ in STOPS] == list(range(1, len(STOPS) + 1))
    called: dict[tuple[str, str], None] = {}

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            path = Path(frame.f_code.co_filename)
            if path.is_relative_to(PACKAGE):
                called.setdefault((path.relative_to(PACKAGE).as_posix(), frame.f_code.co_name))

    sys.setprofile(note)
    try:
        main(["check", "--no-store", "--jobs", "1", "train.py"])
    finally:
        sys.setprofile(None)
    assert "JAX101" in capsys.readouterr().out
    order = list(called)
    places = [order.index((path, name)) for _, path, name in STOPS]
    assert places == sorted(places)


@pytest.mark.slow
def test_the_picture_shows_who_imports_whom() -> None:
    arrows = re.findall(r"^  (\w+) --> (.+)$", blocks("mermaid")[0], re.MULTILINE)
    shown = {room: set(others.split(" & ")) for room, others in arrows}
    found: dict[str, set[str]] = {}
    for module in MODULES:
        room, _, inside = module.partition("/")
        names = [name.split(".")[1] for name in imports(module) if name.startswith("flake8_jax.")]
        if inside:
            found.setdefault(room, set()).update(name for name in names if (PACKAGE / name).is_dir() and name != room)
    assert shown == {room: others for room, others in found.items() if others}


def test_the_tree_names_every_room_and_nothing_else() -> None:
    rows = re.findall(r"^( +)([\w/]+)/ {2,}", blocks("text")[0], re.MULTILINE)
    shown = [("analysis/" if len(indent) > 2 else "") + name for indent, name in rows]
    rooms = [path for path in PACKAGE.iterdir() if (path / "__init__.py").exists()]
    inner = [path for path in (PACKAGE / "analysis").iterdir() if (path / "__init__.py").exists()]
    assert sorted(shown) == sorted(path.relative_to(PACKAGE).as_posix() for path in (*rooms, *inner))


def test_paths_exist() -> None:
    paths = [f"/{path}" for path in sources.files() if path.endswith(".py")]
    last = {path.rpartition("/")[2] for path in paths if path.startswith(("/src/", "/tests/"))}
    plain = re.sub(r"^```(?!text).*?^```$", "", TEXT, flags=re.DOTALL | re.MULTILINE)
    named = re.findall(r"[\w/]+\.py\b", plain)
    assert [name for name in named if "/" in name and not any(path.endswith(f"/{name}") for path in paths)] == []
    assert {name for name in named if "/" not in name} - last <= {*FILES, "ops.py", "jaxNNN_name.py"}
