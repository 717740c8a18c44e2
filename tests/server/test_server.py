"""A real client talks with the server over standard input."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.commands import REUSE, STORE, write
from tests.support.editor import CAPABILITIES, PATIENCE, Editor, uri

pytest.importorskip("pygls")
pytestmark = pytest.mark.slow

CLEAN = "import jax\n\nkey = jax.random.key(0)\n"
HELPER = "import jax\n\n\ndef noisy(key, x):\n    return x + jax.random.normal(key, x.shape)\n"
USER = """\
import jax
from helper import noisy


def batch(key, x):
    inputs = noisy(key, x)
    return inputs, jax.random.uniform(key, x.shape)
"""
ALL = "Fix all that flake8-jax can fix safely"
QUIET = "def noisy(key, x):\n    return x\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    write(tmp_path, {"pyproject.toml": "", "a.py": REUSE, "helper.py": HELPER, "user.py": USER})
    return tmp_path


@pytest.fixture
def editor(project: Path) -> Iterator[Editor]:
    with Editor([project]) as editor:
        yield editor
        assert editor.process.poll() is not None or editor.end() == 0


def place(line: int, character: int, end_line: int | None = None, end_character: int | None = None) -> dict[str, Any]:
    end = {"line": line if end_line is None else end_line, "character": end_character or character}
    return {"start": {"line": line, "character": character}, "end": end}


def actions(editor: Editor, path: Path, line: int, only: list[str] | None = None) -> dict[str, dict[str, Any]]:
    """What is offered on a line, by title."""
    context = {"diagnostics": [], **({"only": only} if only is not None else {})}
    where = {"textDocument": {"uri": uri(path)}, "range": place(line, 0)}
    found = editor.ask("textDocument/codeAction", **where, context=context)
    return {each["title"]: each for each in found}


def applied(text: str, action: dict[str, Any]) -> str:
    """A text after the edits of an action."""
    ((document,),) = [action["edit"]["documentChanges"]]
    lines = text.splitlines(keepends=True)
    starts = [sum(map(len, lines[:number])) for number in range(len(lines) + 1)]
    for edit in sorted(document["edits"], key=lambda edit: -edit["range"]["start"]["line"]):
        begin, end = (starts[min(edit["range"][name]["line"], len(lines))] + edit["range"][name]["character"]
                      for name in ("start", "end"))  # fmt: skip
        text = text[:begin] + edit["newText"] + text[end:]
    return text


def hover(editor: Editor, path: Path, line: int, character: int) -> str:
    position = {"line": line, "character": character}
    found = editor.ask("textDocument/hover", textDocument={"uri": uri(path)}, position=position)
    return str(found["contents"]["value"]) if found is not None else ""


def test_what_is_opened_edited_and_closed_is_judged(editor: Editor, project: Path) -> None:
    file = project / "a.py"
    editor.open(file)
    (found,) = editor.found(file, 1)
    assert (found["code"], found["source"], found["severity"]) == ("JAX101", "flake8-jax", 2)
    assert found["range"] == place(4, 22, 4, 25)
    places = [each["location"] for each in found["relatedInformation"]]
    assert {each["uri"] for each in places} == {uri(file)}
    assert [each["range"]["start"]["line"] for each in places] == [3, 4]
    editor.edit(file, 2, {"text": CLEAN})
    assert editor.codes(file, 2) == []
    editor.edit(file, 3, {"range": place(2, 0), "text": "# 𝒙\nx = jax.numpy.zeros(3)\n"})
    editor.edit(file, 4, {"range": place(2, 2, 2, 4), "text": "𝒚"}, {"range": place(4, 0), "text": "x[0] = '𝒚', 1\n"})
    assert editor.codes(file, 4) == ["JAX201"]
    editor.close(file)
    editor.shows(file, "JAX101")  # as it stands on the disk


def test_what_depends_on_a_saved_file_is_judged_anew(editor: Editor, project: Path) -> None:
    helper, user = project / "helper.py", project / "user.py"
    editor.shows(user, "JAX101")  # the first pass, of files that nobody opened
    progress = [each["params"]["value"]["kind"] for each in editor.said if each["method"] == "$/progress"]
    assert progress[0] == "begin"
    (found,) = editor.found(user)
    assert uri(helper) in {each["location"]["uri"] for each in found["relatedInformation"]}
    editor.open(helper)
    editor.edit(helper, 2, {"text": QUIET})
    editor.save(helper, QUIET)
    editor.shows(user)
    editor.edit(helper, 3, {"text": HELPER})
    assert editor.codes(helper, 3) == []
    editor.open(user)
    editor.shows(user, "JAX101")  # it sees what is not saved yet
    editor.close(helper)
    editor.edit(user, 2, {"text": USER})
    assert editor.codes(user, 2) == []


def test_files_are_made_renamed_and_deleted(editor: Editor, project: Path) -> None:
    helper, user, new = project / "helper.py", project / "user.py", project / "b.py"
    editor.shows(user, "JAX101")
    new.write_text(STORE)
    editor.tell("workspace/didCreateFiles", files=[{"uri": uri(new)}])
    editor.shows(new, "JAX201")
    new.rename(project / "c.py")
    editor.tell("workspace/didRenameFiles", files=[{"oldUri": uri(new), "newUri": uri(project / "c.py")}])
    editor.shows(new)
    editor.shows(project / "c.py", "JAX201")
    (project / "c.py").unlink()
    editor.tell("workspace/didDeleteFiles", files=[{"uri": uri(project / "c.py")}])
    editor.shows(project / "c.py")
    helper.write_text(QUIET)
    editor.tell("workspace/didChangeWatchedFiles", changes=[{"uri": uri(helper), "type": 2}])
    editor.shows(user)  # each of these waits until just that is shown, and fails if it never is
    assert [editor.found(file) for file in (user, new, project / "c.py")] == [[], [], []]


def test_a_text_that_is_no_python_keeps_what_was_found(editor: Editor, project: Path) -> None:
    file = project / "a.py"
    editor.open(file)
    assert editor.codes(file, 1) == ["JAX101"]
    editor.edit(file, 2, {"range": place(0, 0), "text": "def (\n"})
    assert editor.codes(file, 2) == ["JAX000", "JAX101"]
    assert [one["range"]["start"]["line"] for one in editor.found(file)] == [0, 5]
    editor.edit(file, 3, {"range": place(0, 0, 1, 0), "text": ""})
    assert editor.codes(file, 3) == ["JAX101"]


CRASHING = """
import sys
from flake8_jax.driver import linter
from flake8_jax.driver.cli.main import main
from flake8_jax.server import judging

judged, edited = linter._judged, judging.LiveJudge.edited

def crashing(source, *words):
    assert "crash_inside" not in source.text, "as asked"
    return judged(source, *words)

def outside(self, path, text):
    if "crash_outside" in text:
        raise SystemError("as asked")
    return edited(self, path, text)

linter._judged, judging.LiveJudge.edited = crashing, outside
sys.exit(main(["server"]))
"""


def test_a_crash_of_the_analysis_is_survived(project: Path) -> None:
    file = project / "a.py"
    with Editor([project], (sys.executable, "-c", CRASHING), options={"scope": "open"}) as editor:
        editor.open(file)
        assert editor.codes(file, 1) == ["JAX101"]
        editor.edit(file, 2, {"text": f"{REUSE}crash_inside = 1\n"})
        found = editor.found(file, 2)
        assert [(each["code"], each["severity"]) for each in found] == [("JAX000", 1), ("JAX101", 2)]
        editor.edit(file, 3, {"text": f"{REUSE}crash_outside = 1\n"})
        editor.wait(lambda: any("as asked" in str(each) for each in editor.said if "logMessage" in each["method"]))
        editor.edit(file, 4, {"text": REUSE})
        assert editor.codes(file, 4) == ["JAX101"]
        assert editor.end() == 0


def test_of_many_quick_edits_the_last_is_judged(editor: Editor, project: Path) -> None:
    file = project / "a.py"
    editor.open(file)
    editor.codes(file, 1)
    for version in range(2, 102):
        editor.edit(file, version, {"range": place(2, 0), "text": f"x{version} = {version}\n"})
    assert editor.codes(file, 101) == ["JAX101"]
    versions = [each["version"] for each in editor.published[uri(file)]]
    assert versions[-1] == 101
    assert len(versions) < 20


def test_fixes_and_comments_are_offered(editor: Editor, project: Path) -> None:
    file = project / "b.py"
    editor.open(file, STORE)
    assert editor.codes(file, 1) == ["JAX201"]
    offered = actions(editor, file, 3)
    titles = list(offered)
    assert [title.partition(":")[0] for title in titles] == [
        "JAX201", "Ignore JAX201 here", "Ignore JAX201 in this file", "Explain JAX201", ALL,
    ]  # fmt: skip
    fix = offered[titles[0]]
    assert applied(STORE, fix) == STORE.replace("x[0] = 1.0", "x = x.at[0].set(1.0)")
    assert (fix["isPreferred"], fix["kind"], fix["diagnostics"][0]["code"]) == (True, "quickfix", "JAX201")
    here, everywhere = (applied(STORE, offered[title]) for title in titles[1:3])
    assert here == STORE.replace("= 1.0", "= 1.0  # jax: ignore[JAX201] TODO: why")
    assert everywhere == f"# jax: ignore-file[JAX201] TODO: why\n{STORE}"
    for version, text in ((2, here), (3, everywhere)):
        editor.edit(file, version, {"text": text})
        assert editor.codes(file, version) == []
    editor.edit(file, 4, {"text": f"{STORE}x[1] = 2.0\n"})
    assert editor.codes(file, 4) == ["JAX201", "JAX201"]
    ((_, every),) = actions(editor, file, 0, ["source.fixAll"]).items()
    assert applied(f"{STORE}x[1] = 2.0\n", every).endswith("x = x.at[0].set(1.0)\nx = x.at[1].set(2.0)\n")
    command = actions(editor, file, 3)[ALL]["command"]
    editor.ask("workspace/executeCommand", command=command["command"], arguments=command["arguments"])
    (asked,) = [each["params"] for each in editor.said if each["method"] == "workspace/applyEdit"]
    assert asked["edit"] == every["edit"]


def test_pages_and_reasons_stand_at_the_cursor(editor: Editor, project: Path) -> None:
    file = project / "step.py"
    text = "import jax\n\n\n@jax.jit\ndef step(x):\n    y = x + 1\n    if y > 0:\n        y = -y\n    return y\n"
    editor.open(file, text)
    assert editor.codes(file, 1) == ["JAX401"]
    page = hover(editor, file, 6, 8)
    assert "JAX401" in page
    assert "## Why it is bad" in page
    assert "```python bad" not in page
    known = hover(editor, file, 5, 8)
    assert "`x` of `step` is traced: `step` is jitted on line 4" in known
    assert hover(editor, file, 1, 0) == ""
    page = editor.ask("workspace/executeCommand", command="flake8-jax.explain", arguments=["JAX401"])
    assert page.startswith("# JAX401 ")
    editor.wait(lambda: any(each["method"] == "window/showDocument" for each in editor.said))


def test_settings_are_those_of_the_project_and_of_the_client(tmp_path: Path) -> None:
    write(tmp_path, {
        "one/pyproject.toml": '[tool.flake8-jax]\nignore = ["JAX101"]\ndocs-url = "https://example.org/d"\n',
        "one/a.py": f"{REUSE}{STORE}", "two/pyproject.toml": "", "two/a.py": REUSE,
    })  # fmt: skip
    one, two = tmp_path / "one", tmp_path / "two"
    with Editor([one, two], settings={"delay": 20, "nonsense": 1}) as editor:
        editor.shows(one / "a.py", "JAX201")
        editor.shows(two / "a.py", "JAX101")
        (found,) = editor.found(one / "a.py")
        assert found["codeDescription"]["href"] == "https://example.org/d/rules/JAX201.html"
        editor.wait(lambda: any("nonsense" in str(each) for each in editor.said if "showMessage" in each["method"]))
        editor.settings = {"ignore": ["JAX2"]}
        editor.tell("workspace/didChangeConfiguration", settings=None)
        editor.shows(one / "a.py", "JAX101")
        write(one, {"pyproject.toml": '[tool.flake8-jax]\nper-file-ignores = { "a.py" = ["JAX101"] }\n'})
        editor.tell("workspace/didChangeWatchedFiles", changes=[{"uri": uri(one / "pyproject.toml"), "type": 2}])
        editor.shows(one / "a.py")
        write(one, {"pyproject.toml": "[tool.flake8-jax]\nselect = 3\n"})
        editor.tell("workspace/didChangeWatchedFiles", changes=[{"uri": uri(one / "pyproject.toml"), "type": 2}])
        editor.wait(lambda: any("select" in str(each) for each in editor.said if "showMessage" in each["method"]))
        removed = [{"uri": uri(two), "name": "two"}]
        editor.tell("workspace/didChangeWorkspaceFolders", event={"added": [], "removed": removed})
        editor.shows(two / "a.py")
        assert editor.end() == 0


def test_a_baseline_and_what_is_left_out_are_respected(tmp_path: Path) -> None:
    from tests.support.commands import command

    write(tmp_path, {"pyproject.toml": "", "a.py": REUSE, ".venv/lib.py": REUSE, "out/a.py": REUSE})
    assert command(tmp_path, "check", "a.py", "--write-baseline", "known.json").status == 0
    options = '[tool.flake8-jax]\nbaseline = "known.json"\nextend-exclude = ["out"]\n'
    write(tmp_path, {"pyproject.toml": options})
    with Editor([tmp_path], options={"scope": "open"}) as editor:
        for name in ("a.py", ".venv/lib.py", "out/a.py"):
            editor.open(tmp_path / name)
            assert editor.codes(tmp_path / name, 1) == []
        editor.edit(tmp_path / "a.py", 2, {"text": f"{REUSE}c = jax.random.normal(key, (3,))\n"})
        assert editor.codes(tmp_path / "a.py", 2) == ["JAX101"]
        editor.tell("textDocument/didOpen", textDocument={"uri": "untitled:1", "languageId": "python", "version": 1,
                                                          "text": REUSE})  # fmt: skip
        editor.wait(lambda: "untitled:1" in editor.published)
        assert [one["code"] for one in editor.published["untitled:1"][-1]["diagnostics"]] == ["JAX101"]
        assert editor.end() == 0


def test_the_simplest_editor_is_served(project: Path) -> None:
    file = project / "b.py"
    with Editor([project], capabilities={}) as editor:
        editor.open(file, STORE)
        assert editor.codes(file, 1) == ["JAX201"]
        edits = [each["edit"] for each in actions(editor, file, 3).values() if "edit" in each]
        assert [list(edit) for edit in edits] == [["changes"]] * 3
        assert not any("id" in each for each in editor.said)  # nothing is asked that it cannot answer
        assert editor.ask("workspace/executeCommand", command="flake8-jax.explain", arguments=["none"]) == ""
        assert editor.process.stdin is not None
        editor.process.stdin.close()  # it dies without a word
        assert editor.process.wait(PATIENCE) == 1


def test_columns_are_counted_as_the_editor_asks(project: Path) -> None:
    text = STORE.replace("x[0] = 1.0", "'𝒙é'; x[0] = 1.0")
    capabilities = {**CAPABILITIES, "general": {"positionEncodings": ["utf-8", "utf-16"]}}
    with Editor([project], capabilities=capabilities, options={"scope": "open"}) as editor:
        assert editor.capabilities["positionEncoding"] == "utf-8"
        editor.open(project / "b.py", text)
        assert editor.found(project / "b.py", 1)[0]["range"]["start"] == {"line": 3, "character": 10}
        editor.edit(project / "b.py", 2, {"range": place(3, 10, 3, 14), "text": "y"})
        assert editor.codes(project / "b.py", 2) == []


@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="the time of another process is read there")
def test_it_starts_and_answers_quickly(tmp_path: Path) -> None:
    used = [
        f"@jax.jit\ndef f{n}(x):\n    y = jnp.sin(x) * {n}\n    return g{n}(y) + jnp.sum(y)\n\n\n"
        f"def g{n}(x):\n    return x.at[0].set({n}.0) if x.ndim else x\n\n\n" for n in range(50)
    ]  # fmt: skip
    file, text = tmp_path / "big.py", "import jax\nimport jax.numpy as jnp\n\n\n" + "".join(used)
    assert 500 <= text.count("\n") < 520
    write(tmp_path, {"pyproject.toml": "", "big.py": text, "use.py": "import jax\nfrom big import f1\nf1(1.0)\n"})
    assert any(seconds_to_start(tmp_path) < 1.5 for _ in range(2)), "the first may compile modules"  # measured: 0.5
    with Editor([tmp_path], options={"delay": 0, "scope": "open"}) as editor:
        editor.open(file)
        editor.codes(file, 1)
        costs = []
        for version in range(2, 7):
            before = seconds_of(editor)
            editor.edit(file, version, {"range": place(6, 0), "text": f"    z = {version}\n"})
            editor.codes(file, version)
            costs.append(seconds_of(editor) - before)
        assert min(costs) < 0.5, costs  # measured: 0.1


def seconds_to_start(folder: Path) -> float:
    """The time of processors that it takes until a server answers."""
    with Editor([folder]) as editor:
        return seconds_of(editor)


def seconds_of(editor: Editor) -> float:
    """The time of processors that the server has taken."""
    fields = Path(f"/proc/{editor.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
