"""Reports that are kept between runs: the same words, at no cost, for as long as nothing changed that they rest on."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from flake8_jax.cache import reports as remembered
from flake8_jax.driver.linter import lint
from flake8_jax.driver.processes import check_files
from flake8_jax.model.config import Config
from flake8_jax.syntax.source import SourceFile
from tests.support.bindings import ROOT
from tests.support.layouts import tree
from tests.support.reruns import ALL, FILES, JAX, NAMES, OLD, SAID, append, places, said


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that are read."""
    found: list[str] = []
    real = Path.read_bytes

    def read_bytes(path: Path) -> bytes:
        found.append(path.name)
        return real(path)

    monkeypatch.setattr(Path, "read_bytes", read_bytes)
    return found


def test_a_second_run_says_the_same_without_work(project: Path, interpreted: list[str]) -> None:
    first = said(project)
    assert places(first[0]) == SAID
    assert set(interpreted) == ALL - {"broken.py"}
    interpreted.clear()
    assert said(project) == first
    assert interpreted == []
    for name in NAMES:
        said(project, names=(name,))
    assert interpreted == []


def test_a_second_run_reads_what_has_findings_only(project: Path, read: list[str]) -> None:
    said(project)
    read.clear()
    assert places(said(project)[0]) == SAID
    assert sorted(read) == ["alone.py", "broken.py", "ops.py"]


def test_a_run_without_a_store_reads_each_file_once(project: Path, read: list[str]) -> None:
    said(project, Config(no_store=True))
    assert sorted(name for name in read if name in NAMES) == sorted(NAMES)


def test_a_project_without_jax_leaves_no_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree(tmp_path, {**ROOT, "plain.py": "import os\n"})
    monkeypatch.setenv("FLAKE8_JAX_STORE", str(tmp_path / "store"))
    for _ in range(2):
        assert said(tmp_path, names=("plain.py",)) == ([], [])
    assert not (tmp_path / "store").exists()


def test_what_rests_on_a_folder_without_init_is_cached(project: Path, interpreted: list[str]) -> None:
    inner = {"ns/ops.py": FILES["ops.py"], "user.py": JAX + "from ns import ops\nk = jax.jit(ops.f)\n"}
    tree(project, inner)
    for name in inner:
        os.utime(project / name, ns=(OLD, OLD))
    first = said(project, names=tuple(inner))
    interpreted.clear()
    assert (said(project, names=tuple(inner)), interpreted) == (first, [])


APART = {
    "a hidden folder": ".hooks/user.py",
    "a built folder": "build/user.py",
    "a project in the project": "nested/pkg/user.py",
}
"""Files that their project does not list, but that can be asked for."""


@pytest.mark.parametrize("name", APART)
def test_files_that_the_project_does_not_list_are_remembered(name: str, project: Path, interpreted: list[str]) -> None:
    tree(project, {"nested/pkg/__init__.py": "", "nested/setup.py": ""})
    tree(project, {APART[name]: JAX + "x = jnp.zeros(3)\nx[0] = 1\n"})
    os.utime(project / APART[name], ns=(OLD, OLD))
    first = said(project, names=(APART[name],))
    assert len(first[0]) == 1
    interpreted.clear()
    assert (said(project, names=(APART[name],)), interpreted) == (first, [])


LED_OUT = {
    "a built folder": ("user.py", "build/gen.py", "from build.gen import f\n"),
    "a built folder, by a plain import": ("user.py", "dist/gen.py", "import dist.gen\nf = dist.gen.f\n"),
    "beside, in a hidden folder": (".hooks/user.py", ".hooks/gen.py", "from gen import f\n"),
}
"""A file, what it imports that its project does not list, and how."""


@pytest.mark.parametrize("name", LED_OUT)
def test_a_change_of_an_imported_file_that_the_project_does_not_list_is_seen(
    name: str, project: Path, interpreted: list[str]
) -> None:
    user, made, line = LED_OUT[name]
    tree(project, {user: f"{JAX}{line}x = f()\nx[0] = 1\n"})
    assert places(said(project, names=(user,))[0]) == []
    tree(project, {made: f"{JAX}def f():\n    return jnp.zeros(3)\n"})
    (found,) = places(said(project, names=(user,))[0])
    assert found.endswith("JAX201")
    interpreted.clear()
    said(project, names=(user,))
    assert interpreted == []
    tree(project, {made: "def f():\n    return [0]\n"})
    assert places(said(project, names=(user,))[0]) == []


def test_a_file_of_an_environment_is_judged_alone(project: Path, read: list[str]) -> None:
    """Nothing around it is the project's: neither what it imports, nor who imports it."""
    inner = {"mine/pyvenv.cfg": "", "mine/ops.py": "def f(x):\n    return f if x > 0 else x\n"}
    user = f"{JAX}from ops import f\nfrom .ops import f as g\nk = jax.jit(f)\ny = jnp.ones(3)\ny[0] = 1\n"
    tree(project, {**inner, "mine/user.py": user, "mine/other.py": JAX, "import_mine.py": "import mine.ops\n"})
    read.clear()
    assert places(said(project, names=("mine/user.py",))[0]) == ["mine/user.py:7:0: JAX201"]
    assert set(read) == {"user.py"}
    read.clear()
    said(project, names=("import_mine.py",))
    assert "mid.py" in read
    assert "other.py" not in read


def test_a_report_that_depends_on_a_file_without_text_is_cached(project: Path, interpreted: list[str]) -> None:
    tree(project, {"user.py": JAX + "import odd\nk = jax.jit(odd.f)\n"})
    (project / "odd.py").write_bytes(b"x = '\xff'\n")
    first = said(project, names=("user.py",))
    interpreted.clear()
    assert (said(project, names=("user.py",)), interpreted) == (first, [])
    (project / "odd.py").write_bytes(b"x = '\xfe'\n")
    said(project, names=("user.py",))
    assert interpreted == ["user.py"]


def test_a_file_that_is_no_python_is_given_up_for_as_long_as_it_is_near_jax(project: Path) -> None:
    tree(project, {"odd.py": "x = = 1\n", "user.py": JAX + "import odd\n"})
    for _ in range(2):
        assert places(said(project, names=("odd.py",))[0]) == ["odd.py:1:0: JAX000"]
    tree(project, {"user.py": JAX})
    assert said(project, names=("odd.py",))[0] == said(project, Config(no_store=True), ("odd.py",))[0] == []


def test_statistics_are_remembered(project: Path) -> None:
    def counted() -> list[object]:
        return [report.statistics for report in check_files([str(project / name) for name in NAMES], Config(), 1)]

    assert counted() == counted()


# A change, and the files that are judged again because of it.


def remove(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).unlink()


def touch(name: str) -> Callable[[Path], None]:
    return lambda folder: os.utime(folder / name)


def rewrite(folder: Path) -> None:
    """Write the same once more, as editors do."""
    for name, text in FILES.items():
        (folder / "new").write_text(text)
        (folder / "new").replace(folder / name)


def instead(name: str, old: str, new: str) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        text = (folder / name).read_text()
        assert old in text
        (folder / name).write_text(text.replace(old, new))

    return change


CHANGES: dict[str, tuple[Callable[[Path], None], set[str]]] = {
    "nothing": (lambda folder: None, set()),
    "a file is touched": (touch("ops.py"), set()),
    "all are written again": (rewrite, set()),
    "the helper": (instead("ops.py", "x > 0", "x > 1"), {"ops.py", "mid.py", "use.py"}),
    "a function beside the helper": (
        instead("ops.py", "g(x):\n    return x", "g(x):\n    return 1"), {"ops.py"},
    ),
    "a name that the helper reads": (
        instead("ops.py", "return x\n    return -x", "return -x\n    return abs(x)"), {"ops.py", "mid.py", "use.py"},
    ),
    "the helper is bound once more": (append("ops.py", "f = g\n"), {"ops.py", "mid.py", "use.py"}),
    "what is between": (instead("mid.py", "ops.f(x)", "ops.g(x)"), {"ops.py", "mid.py", "use.py"}),
    "the signature of what is between": (
        instead("mid.py", "h(x)", "h(x, y=1)"), {"ops.py", "mid.py", "use.py", "near.py"},
    ),
    "beside what is between": (append("mid.py"), {"ops.py", "mid.py", "use.py", "near.py"}),
    "lines above what traces": (instead("use.py", "import mid", "# a note\n\nimport mid"), set()),
    "the user, which may be what traces": (append("use.py", "z = jax.jit(mid.h)\n"), {"use.py", "ops.py"}),
    "the user, where it uses nothing": (append("use.py"), {"use.py", "ops.py"}),
    "a file alone": (append("alone.py"), {"alone.py"}),
    "a file without JAX": (append("plain.py"), set()),
    "a comment where something is found": (append("ops.py", "# a note\n"), set()),
    "a comment where nothing is found": (append("near.py", "# a note\n"), set()),
    "a comment in a file of which a line is named": (append("mid.py", "# a note\n"), set()),
    "a comment that says something": (append("near.py", "# jax: ignore[JAX101]\n"), {"near.py", "ops.py"}),
    "an import": (append("ops.py", "import alone\n"), {"ops.py", "mid.py", "use.py"}),
    "a new user": (append("new.py", JAX + "import ops\nz = jax.jit(ops.f)\n"), {"ops.py"}),
    "a new user of what is between": (append("new.py", JAX + "import mid\nz = jax.jit(mid.h)\n"), {"ops.py"}),
    "a new file for itself": (append("new.py", JAX + "z = 1\n"), set()),
    "a new file without Python": (append("notes.txt", "ops"), set()),
    "a user removed": (remove("use.py"), {"ops.py"}),
    "a file alone removed": (remove("alone.py"), set()),
    "a new file in a folder": (append("sub/new.py", JAX + "import ops\nz = jax.jit(ops.f)\n"), {"ops.py"}),
}  # fmt: skip


@pytest.mark.parametrize("name", CHANGES)
def test_what_a_change_judges_again(name: str, project: Path, interpreted: list[str]) -> None:
    said(project)
    interpreted.clear()
    change, judged = CHANGES[name]
    change(project)
    names = [name for name in NAMES if (project / name).exists()]
    seen = said(project, names=names)
    assert sorted(interpreted) == sorted(judged & set(names))
    assert seen[0] == said(project, Config(no_store=True), names)[0]
    interpreted.clear()
    assert said(project, names=names) == seen
    assert interpreted == []


MOTION = """
class Motion:
    scale: float = 2.0

    def moved(self, x):
        return self.halved(x)

    def halved(self, x):
        return x * self.scale
"""
USERS = {
    "motion.py": JAX + MOTION,
    "annotates.py": JAX + "from motion import Motion\n\ndef f(m: Motion):\n    return m.scale\n",
    "moves.py": JAX + "from motion import Motion\n\ndef f(m: Motion, x):\n    return m.moved(x)\n",
    "halves.py": JAX + "from motion import Motion\n\ndef f(m: Motion, x):\n    return m.halved(x)\n",
    "wraps.py": JAX + "from motion import Motion\n\nclass Other(Motion):\n    def moved(self, x):\n        return x\n",
}
# What is asked of a class by those who use it, and who is judged again; who inherits asks what all methods store.
OF_CLASS: dict[str, tuple[str, str, set[str]]] = {
    "a line in a method": ("        return self.h", "        y = 1\n        return self.h", set()),
    "a line in a method that another calls": ("        return x *", "        y = 1\n        return x *", set()),
    "a method returns something else": ("return x * self.scale", "return 1", {"moves.py", "halves.py", "wraps.py"}),
    "a method comes to store": (
        "        return x *", "        self.last = 1\n        return x *",
        {"annotates.py", "moves.py", "halves.py", "wraps.py"},
    ),
    "a method comes to yield": ("return self.halved(x)", "yield self.halved(x)", {"moves.py", "wraps.py"}),
    "a field": ("2.0", "3.0", {"annotates.py", "moves.py", "halves.py", "wraps.py"}),
    "a method more": (
        "    def halved", "    def more(self):\n        pass\n\n    def halved",
        {"annotates.py", "moves.py", "halves.py", "wraps.py"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", OF_CLASS)
def test_a_method_judges_again_who_runs_it(name: str, project: Path, interpreted: list[str]) -> None:
    before, after, judged = OF_CLASS[name]
    tree(project, USERS)
    said(project, names=(*USERS,))
    assert USERS["motion.py"].count(before) == 1
    tree(project, {"motion.py": USERS["motion.py"].replace(before, after)})
    interpreted.clear()
    seen = said(project, names=(*USERS,))
    assert {*interpreted} - {"motion.py"} == judged
    assert seen[0] == said(project, Config(no_store=True), (*USERS,))[0]


# Where an import leads changes, though no file does that a report depends on.  New files, what is found then in use.py.
LEADS: dict[str, tuple[dict[str, str], str, str, list[str]]] = {
    "to a file that was not there": ({}, "later.py", "from later import x\nx[0] = 1\n", ["use.py:4:0: JAX201"]),
    "to a nearer one": (
        {"later.py": "x = [1]\n"}, "exp/later.py", "from later import x\nx[0] = 1\n", ["exp/use.py:4:0: JAX201"],
    ),
    "to one of two": (
        {"later.py": JAX + "x = jnp.ones(3)\n"}, "later/__init__.py", "from later import x\nx[0] = 1\n", [],
    ),
    "to a submodule": (
        {"pkg/__init__.py": ""}, "pkg/later.py", "import pkg\nfrom pkg import later\nlater.x[0] = 1\n",
        ["use.py:5:0: JAX201"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", LEADS)
def test_imports_that_lead_elsewhere(name: str, project: Path) -> None:
    before, later, text, expected = LEADS[name]
    user = "exp/use.py" if later.startswith("exp/") else "use.py"
    tree(project, {**before, user: JAX + text})
    said(project, names=(user,))
    tree(project, {later: JAX + "x = jnp.ones(3)\n"})
    assert places(said(project, Config(no_store=True), (user,))[0]) == expected
    assert places(said(project, names=(user,))[0]) == expected


def test_a_caller_comes_to_lead_to_jax_by_a_file_that_nobody_looked_at(project: Path) -> None:
    far = {"low.py": LOW, "step.py": "from far import jit\nfrom low import g\nh = jit(g)\n"}
    tree(project, {**far, "far.py": "def jit(f):\n    return f\n", "near.py": JAX + "import low\n"})
    assert said(project, names=("low.py",))[0] == []
    tree(project, {"far.py": "from jax import jit\n"})
    assert places(said(project, names=("low.py",))[0]) == ["low.py:2:17: JAX401"]


def test_an_import_between_leads_elsewhere_for_all_who_use_it(project: Path) -> None:
    users = ("user1.py", "user2.py")
    between = {"between.py": JAX + "from later import x\n"}
    tree(project, {**between, **dict.fromkeys(users, JAX + "from between import x\nx[0] = 1\n")})
    assert said(project, names=users)[0] == []
    tree(project, {"later.py": JAX + "x = jnp.ones(3)\n"})
    assert places(said(project, names=users)[0]) == ["user1.py:4:0: JAX201", "user2.py:4:0: JAX201"]


# What one file was told of another must not be kept from those who ask for it later: what is in later.py changes.
SHARED: dict[str, tuple[dict[str, str], str, str, list[str]]] = {
    "what an import leads to": (
        {"between.py": JAX + "from later import x\n"}, "x = [1]\n", "from between import x\nx[0] = 1\n",
        ["user1.py:4:0: JAX201", "user2.py:4:0: JAX201"],
    ),
    "what a function reads that was imported": (
        {"a.py": JAX + "from later import x\ny = x\ndef f():\n    return x\n"}, "x = [1]\n",
        "from a import f\nf()[0] = 1\n", ["user1.py:4:0: JAX201", "user2.py:4:0: JAX201"],
    ),
    "what a constructor stores": (
        {"c.py": JAX + "import later\nclass C:\n    def __init__(self):\n        self.x = later.x\n"}, "x = [1]\n",
        "from c import C\ndef f(c: C):\n    c.x[0] = 1\n", ["user1.py:5:4: JAX201", "user2.py:5:4: JAX201"],
    ),
    "what a star takes": (
        {"all.py": "from later import *\n"}, "y = 1\n", "from all import *\nx[0] = 1\n",
        ["user1.py:4:0: JAX201", "user2.py:4:0: JAX201"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SHARED)
def test_whoever_asks_later_is_told_too(name: str, project: Path) -> None:
    before, later, text, expected = SHARED[name]
    users = (*before, "user1.py", "user2.py")
    tree(project, {**before, "later.py": later, **dict.fromkeys(users[-2:], JAX + text)})
    assert said(project, names=users)[0] == []
    tree(project, {"later.py": JAX + "x = jnp.ones(3)\n"})
    assert places(said(project, Config(no_store=True), users)[0]) == expected
    assert places(said(project, names=users)[0]) == expected


# Which fields the methods of a class store is found out once; whoever reads a field asks for that, and for no more.
METHODS = """
class Net:
    def __init__(self):
        self.x = jnp.ones(3)

    def reset(self):
        self.x = [1]
"""
READS = JAX + "from net import Net\ndef f(c: Net):\n    c.x[0] = 1\n"
FOUND = ["a.py:5:4: JAX201", "b.py:5:4: JAX201"]
STORED: dict[str, tuple[str, list[str]]] = {
    "another field": ("self.y = [1]", FOUND),
    "no field": ("y = [1]", FOUND),
    "the same field, a line more": ("y = [1]\n        self.x = y", []),
}


@pytest.mark.parametrize("name", STORED)
def test_which_fields_methods_store_is_told_to_all_who_ask(name: str, project: Path, interpreted: list[str]) -> None:
    after, expected = STORED[name]
    tree(project, {"net.py": JAX + METHODS, "a.py": READS, "b.py": READS})
    assert said(project, names=("net.py", "a.py", "b.py"))[0] == []
    interpreted.clear()
    tree(project, {"net.py": JAX + METHODS.replace("self.x = [1]", after)})
    assert places(said(project, names=("a.py", "b.py"))[0]) == expected
    assert interpreted == (["a.py", "b.py"] if expected else [])


# Where names lead is remembered too: use.py traces k, which calls h, which comes to lead to the test in f.
TESTS = "def f(x):\n    return -x if x > 0 else x\n"
LOW = "def g(x):\n    return -x if x > 0 else x\n"
MID = JAX + "import low\ndef m(x):\n    return low.g(x)\ndef h(x):\n    return {}\n"
ABOVE = {
    "over.py": JAX + "from mid import h\ndef k(x):\n    g = x\n    return h(g)\n",
    "use.py": JAX + "from over import k\nstep = jax.jit(k)\n",
}


def test_a_name_that_comes_to_lead_elsewhere(project: Path) -> None:
    names = ("low.py", "mid.py", *ABOVE)
    tree(project, {"low.py": JAX + TESTS + LOW, "mid.py": MID.format("x"), **ABOVE})
    for _ in range(2):
        assert said(project, names=names)[0] == []
    tree(project, {"mid.py": MID.format("low.f(x)")})
    assert places(said(project, names=("low.py",))[0]) == ["low.py:4:17: JAX401"]


def test_a_text_that_is_not_on_the_disk_yet_leads_elsewhere(project: Path) -> None:
    names = ("low.py", "mid.py", *ABOVE)
    tree(project, {"low.py": JAX + "f = abs\n" + LOW, "mid.py": MID.format("low.f(x)"), **ABOVE})
    for _ in range(2):
        assert said(project, names=names)[0] == []
    report = lint(SourceFile(str(project / "low.py"), JAX + TESTS + LOW), Config())
    assert [(found.code, found.span.line) for found in report.diagnostics] == [("JAX401", 4)]
    assert said(project, names=names)[0] == []


def test_a_text_that_was_not_saved_is_remembered(project: Path, interpreted: list[str]) -> None:
    tree(project, {"low.py": JAX + TESTS + LOW, "mid.py": MID.format("low.f(x)"), **ABOVE})
    file = project / "low.py"
    unsaved = file.read_text().replace("def", "added = 1\n\n\ndef")
    before = said(project, names=("low.py",))
    interpreted.clear()
    found = lint(SourceFile(str(file), unsaved), Config())
    assert interpreted == ["low.py"]
    assert lint(SourceFile(str(file), unsaved), Config()).diagnostics == found.diagnostics
    assert said(project, names=("low.py",)) == before
    file.write_text(unsaved)
    assert places(said(project, names=("low.py",))[0]) == [f"low.py:{found.diagnostics[0].span.line}:17: JAX401"]
    assert interpreted == ["low.py"]
    tree(project, {"mid.py": MID.format("low.f(1)")})
    assert lint(SourceFile(str(file), f"{unsaved}\n"), Config()).diagnostics == ()


# What must not be said by one run to another.

CONFIGS = {
    "strict": Config(strict=True), "enable": Config(enable=("JAX2",)), "tests": Config(tests=True),
    "assume-traced": Config(assume_traced=("ops.*",)), "jax-version": Config(jax_version="0.4.30"),
    "disable-noqa": Config(disable_noqa=True),
}  # fmt: skip


@pytest.mark.parametrize("name", CONFIGS)
def test_other_options_see_nothing(name: str, project: Path, interpreted: list[str]) -> None:
    said(project)
    interpreted.clear()
    said(project, CONFIGS[name])
    assert set(interpreted) == ALL - {"broken.py"}
    interpreted.clear()
    said(project)
    said(project, CONFIGS[name])
    assert interpreted == []


def test_options_that_choose_among_findings_see_all(project: Path, interpreted: list[str]) -> None:
    said(project)
    interpreted.clear()
    unjudged = [place for place in SAID if "JAX000" in place]
    assert places(said(project, Config(select=("JAX2",)))[0]) == [*SAID[:1], *unjudged]
    assert places(said(project, replace(Config(), ignore=("JAX2",)))[0]) == SAID[1:]
    assert interpreted == []


def test_another_tool_sees_nothing(project: Path, interpreted: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    said(project)
    interpreted.clear()
    monkeypatch.setattr(remembered, "stamp", lambda config: b"other")
    said(project)
    assert len(interpreted) == 5


def test_a_copy_of_a_project_in_another_place_has_its_reports(project: Path, interpreted: list[str]) -> None:
    """As the next job of a CI service has: another folder, other times."""
    rows = said(project)[0]
    interpreted.clear()
    tree(project.parent / "copy", {**ROOT, **FILES})
    assert said(project.parent / "copy")[0] == rows
    assert interpreted == []
    append("use.py")(project.parent / "copy")
    assert said(project.parent / "copy") == said(project.parent / "copy", Config(no_store=True))
    assert set(interpreted) >= {"use.py", "ops.py"}
    interpreted.clear()
    assert (said(project)[0], set(interpreted)) == (rows, {"ops.py"})  # in the copy, it depends on another `use.py`


def test_the_name_of_a_root_that_is_a_package_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its modules are called by that name, in options, too."""
    files = {**ROOT, "__init__.py": JAX + "def f(x):\n    y = jnp.abs(x)\n    return y if y > 0 else x\n"}
    monkeypatch.setenv("FLAKE8_JAX_STORE", str(tmp_path / "store"))
    config = Config(assume_traced=("traced.f",), strict=True)
    found = []
    for name in ("other", "traced", "third"):
        tree(tmp_path / name, files)
        found.append(said(tmp_path / name, config, ("__init__.py",))[0])
    assert [places(rows)[0].split()[1] for rows in found] == ["JAX409", "JAX401", "JAX409"]


def test_a_checkout_in_the_same_place_is_not_the_earlier_one(project: Path) -> None:
    """Some services set the time of every file to the same one; size and time say nothing then."""
    before = said(project)[0]
    assert "ops.py:4:7: JAX401" in places(before)
    mended = FILES["ops.py"].replace("x > 0", "True ")
    assert len(mended) == len(FILES["ops.py"])
    (project / "ops.py").unlink()
    (project / "ops.py").write_text(mended)
    os.utime(project / "ops.py", ns=(OLD, OLD))
    assert "ops.py:4:7: JAX401" not in places(said(project)[0])


def test_the_path_is_that_of_the_run(project: Path, interpreted: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    said(project)
    interpreted.clear()
    for folder, name in ((project, "ops.py"), (project.parent, "project/ops.py"), (project, "./ops.py")):
        monkeypatch.chdir(folder)
        reports = list(check_files([name], Config(), 1))
        assert [found.path for report in reports for found in report.diagnostics] == [name]
    assert interpreted == []


ASKED_FOR_ALL_CODE = {
    "a function with a rule": (
        "@jax.custom_jvp\ndef own(x):\n    return x\n\n@own.defjvp\ndef rule(p, t):\n    return own(*p), t[0]\n",
        "own(1.0)",
    ),
    "a class that is traced": (
        "class Own:\n    def __init__(self):\n        self.x = 1\n",
        "jax.jit(lambda o: o.x)(Own())",
    ),
}
"""What a file has of which checks of others look at all code, and how these use it."""


@pytest.mark.parametrize("name", ASKED_FOR_ALL_CODE)
def test_who_looks_at_all_code_of_another_file_looks_at_no_comment(
    name: str, project: Path, interpreted: list[str]
) -> None:
    has, use = ASKED_FOR_ALL_CODE[name]
    tree(project, {"held.py": JAX + has, "use.py": JAX + f"from held import *\nvalue = {use}\n"})
    for file in ("held.py", "use.py"):
        os.utime(project / file, ns=(OLD, OLD))
    first = said(project, names=("use.py",))
    interpreted.clear()
    append("held.py", "# a note\n")(project)
    assert (said(project, names=("use.py",)), interpreted) == (first, [])
    append("held.py", "def another():\n    return 2\n")(project)
    assert said(project, names=("use.py",)) == first
    assert interpreted == ["use.py"]


# Which statements hold a word is what is asked, not their code: a file beside `use.py`, a line added to a body of it
# that judges nothing again, and one that judges `use.py`.
WORDS_ASKED = {
    "who calls": (
        "from use import own\ndef one(x):\n    return x\nvalue = own(1.0)\n",
        "def own(x):\n    if x > 0:\n        return x\n    return -x\n",
        "x = x + 1", "own(x)",
    ),
    "what fills a table": (
        "TABLE = {}\ndef fill():\n    TABLE['a'] = jnp.sin\ndef one(x):\n    return x\nfill()\n",
        "from held import TABLE\nvalue = TABLE['a'](1.0)\n",
        "x = x + 1", "TABLE['b'] = jnp.cos",
    ),
    "who reads a table": (
        "TABLE = {}\ndef fill():\n    TABLE['a'] = jnp.sin\ndef one(x):\n    return x\nfill()\n",
        "from held import TABLE\nvalue = TABLE['a'](1.0)\n",
        "x = x + TABLE['a'](x)", "fill()",
    ),
    "a rule of another function": (
        "@jax.custom_jvp\ndef own(x):\n    return x\n@own.defjvp\ndef rule(p, t): ...\ndef one(x):\n    return x\n",
        "from held import own\nvalue = own(1.0)\n",
        "x = x + 1", "own.defjvp(x)",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", WORDS_ASKED)
def test_who_asks_where_words_stand_looks_at_no_other_code(name: str, project: Path, interpreted: list[str]) -> None:
    held, use, quiet, telling = WORDS_ASKED[name]
    tree(project, {"held.py": JAX + held, "use.py": JAX + use})
    for file in ("held.py", "use.py"):
        os.utime(project / file, ns=(OLD, OLD))
    first = said(project, names=("use.py",))
    for line, expected in ((quiet, []), (telling, ["use.py"])):
        interpreted.clear()
        instead("held.py", "def one(x):\n", f"def one(x):\n    {line}\n")(project)
        assert (said(project, names=("use.py",)), interpreted) == (first, expected)
        assert said(project, Config(no_store=True), ("use.py",))[0] == first[0]


def test_comments_of_the_moment_count(project: Path, interpreted: list[str]) -> None:
    said(project)
    path = project / "alone.py"
    path.write_text(path.read_text().replace("x[0] = 1", "x[0] = 1  # noqa"))
    assert places(said(project)[0]) == SAID[1:]
    assert places(said(project)[0]) == SAID[1:]
