"""Projects in temporary folders: their roots, what imports lead to, and who imports whom."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from flake8_jax.syntax import folders
from flake8_jax.syntax.project import Place, Project, root_of
from flake8_jax.syntax.source import SourceFile
from tests.support.layouts import BARE, BUILT, DOUBLE, FLAT, INSIDE, NESTED, SCRIPTS, SHADOW, SRC, tree


def shown(project: Project, found: Place | str | None) -> str | None:
    """A place as "path: rest", relative to the root."""
    if isinstance(found, Place):
        return ": ".join((project.shown(found.path), ".".join(found.rest))).removesuffix(": ")
    return found if found is None or found == "ambiguous" else project.shown(found)


@pytest.mark.parametrize(
    ("files", "file", "root"),
    [
        (("p/pyproject.toml", "p/pkg/a.py"), "p/pkg/a.py", "p"),
        (("p/.git", "p/pkg/a.py"), "p/pkg/a.py", "p"),
        (("p/.git/HEAD", "p/lib/setup.cfg", "p/lib/a.py"), "p/lib/a.py", "p/lib"),
        (("p/setup.py", "p/a.py"), "p/new/folder/a.py", "p"),
        (("p/setup.py",), "p/setup.py", "p"),
    ],
)
def test_root_by_marker(files: tuple[str, ...], file: str, root: str, tmp_path: Path) -> None:
    tree(tmp_path, files)
    assert root_of(str(tmp_path / file)) == str(tmp_path / root)


@pytest.mark.parametrize(
    ("file", "root"),
    [
        ("x/pkg/sub/a.py", "x"), ("x/a.py", "x"), ("x/pkg/__init__.py", "x"), ("x/pkg/data/a.py", "x"),
        ("x/pkg/data/deep/inner/a.py", "x"), ("x/pkg/1/2/3/4/a.py", "x/pkg/1/2/3/4"),
    ],
)  # fmt: skip
def test_root_without_marker(file: str, root: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folders, "MARKERS", ("a marker that no folder has",))
    tree(tmp_path, ("x/pkg/__init__.py", "x/pkg/sub/__init__.py", "x/pkg/data/deep/inner/__init__.py"))
    assert root_of(str(tmp_path / file)) == str(tmp_path / root)


@pytest.mark.parametrize(
    ("text", "root"),
    [
        ("from src.core.parts import f\n", "x"),
        ("import os\n\ndef g():\n    import src.core.parts as parts\n", "x"),
        ("from helpers import f\n", "x"),
        ("from core.parts import f\n", "x"),
        ("from core.gone import f\n", "x/scripts"),
        ("from src.gone import f\n", "x/scripts"),
        ("from .helpers import f\n", "x/scripts"),
        ("from near import f\n", "x/scripts"),
        ("import other\n", "x/scripts"),
        ("'from src.core.parts import f'\n", "x/scripts"),
    ],
)
def test_root_without_marker_is_where_imports_start(
    text: str, root: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folders, "MARKERS", ("marker",))
    tree(tmp_path, ("x/src/core/parts.py", "x/helpers.py", "x/scripts/near.py", "x/near.py", "x/other/marker"))
    tree(tmp_path, ("x/other/other.py", "x/src/core/own.py", "x/scripts/run.py"))
    (tmp_path / "x/scripts/run.py").write_text(text)
    assert root_of(str(tmp_path / "x/scripts/run.py")) == str(tmp_path / root)
    assert root_of(str(tmp_path / "x/src/core/own.py")) == str(tmp_path / "x/src/core")


def test_what_cannot_be_read_tells_nothing_of_a_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folders, "MARKERS", ("marker",))
    tree(tmp_path, ("x/helpers.py", "x/scripts/near.py"))
    (tmp_path / "x/scripts/run.py").write_text("import helpers\n")
    (tmp_path / "x/scripts/gone.py").symlink_to("nowhere.py")
    (tmp_path / "x/scripts/folder.py").mkdir()
    os.mkfifo(tmp_path / "x/scripts/pipe.py")
    assert root_of(str(tmp_path / "x/scripts/near.py")) == str(tmp_path / "x")
    assert root_of(str(tmp_path / "gone/near.py")) == str(tmp_path / "gone")


def test_no_root_is_far_above_or_at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folders, "MARKERS", ("marker",))
    tree(tmp_path, ("x/helpers.py", "x/1/2/3/4/near.py", "x/1/2/3/4/5/far.py"))
    for path in ("x/1/2/3/4/near.py", "x/1/2/3/4/5/far.py"):
        (tmp_path / path).write_text("import helpers\n")
    assert root_of(str(tmp_path / "x/1/2/3/4/near.py")) == str(tmp_path / "x")
    assert root_of(str(tmp_path / "x/1/2/3/4/5/far.py")) == str(tmp_path / "x/1/2/3/4/5")
    monkeypatch.setenv("HOME", str(tmp_path / "x"))
    assert root_of(str(tmp_path / "x/1/2/3/4/near.py")) == str(tmp_path / "x/1/2/3/4")


def test_root_of_a_relative_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree(tmp_path, FLAT)
    monkeypatch.chdir(tmp_path / "pkg")
    assert root_of("sub/deep.py") == root_of("stdin") == root_of(os.path.join("..", "train.py")) == str(tmp_path)


NAMESAKE = (
    "pyproject.toml", "src/__init__.py", "src/jax/__init__.py", "src/jax/device.py", "src/bench/__init__.py",
    "src/bench/run.py", "src/train.py", "src/models.py",
)  # fmt: skip


# Layout, importing file, level, dotted name: what it leads to.
FOUND: list[tuple[tuple[str, ...], str, int, str, str | None]] = [
    (FLAT, "train.py", 0, "pkg", "pkg/__init__.py"),
    (FLAT, "train.py", 0, "pkg.helpers", "pkg/__init__.py: helpers"),
    (FLAT, "train.py", 0, "pkg.helpers.f", "pkg/helpers.py: f"),
    (FLAT, "train.py", 0, "pkg.helpers.Class.method", "pkg/helpers.py: Class.method"),
    (FLAT, "train.py", 0, "pkg.sub.name", "pkg/sub/__init__.py: name"),
    (FLAT, "train.py", 0, "pkg.sub.deep.f", "pkg/sub/deep.py: f"),
    (FLAT, "train.py", 0, "pkg.missing.f", "pkg/__init__.py: missing.f"),
    (FLAT, "train.py", 0, "other.f", None),
    (FLAT, "train.py", 0, "", None),
    (FLAT, "pkg/sub/deep.py", 0, "pkg.helpers.f", "pkg/helpers.py: f"),
    (FLAT, "pkg/helpers.py", 0, "helpers.f", None),
    (FLAT, "new/file.py", 0, "pkg.helpers.f", "pkg/helpers.py: f"),
    (FLAT, "pkg/helpers.py", 1, "", "pkg/__init__.py"),
    (FLAT, "pkg/helpers.py", 1, "sub", "pkg/__init__.py: sub"),
    (FLAT, "pkg/helpers.py", 1, "sub.deep", "pkg/sub/__init__.py: deep"),
    (FLAT, "pkg/helpers.py", 1, "sub.deep.f", "pkg/sub/deep.py: f"),
    (FLAT, "pkg/__init__.py", 1, "helpers.f", "pkg/helpers.py: f"),
    (FLAT, "pkg/sub/deep.py", 2, "helpers.f", "pkg/helpers.py: f"),
    (FLAT, "pkg/sub/__init__.py", 2, "helpers.f", "pkg/helpers.py: f"),
    (FLAT, "pkg/sub/deep.py", 2, "missing.f", "pkg/__init__.py: missing.f"),
    (FLAT, "pkg/sub/deep.py", 3, "train.f", "train.py: f"),
    (FLAT, "pkg/sub/deep.py", 3, "other.f", None),
    (FLAT, "pkg/sub/deep.py", 4, "train.f", None),
    (SRC, "tests/test_pkg.py", 0, "pkg.helpers.f", "src/pkg/helpers.py: f"),
    (SRC, "tests/test_pkg.py", 0, "conftest.f", "tests/conftest.py: f"),
    (SRC, "tests/test_pkg.py", 0, "tests.conftest.f", "tests/conftest.py: f"),
    (SRC, "tests/test_pkg.py", 0, "src.pkg.helpers.f", "src/pkg/helpers.py: f"),
    (SRC, "src/pkg/helpers.py", 0, "pkg.f", "src/pkg/__init__.py: f"),
    (SRC, "src/pkg/helpers.py", 0, "tests.conftest.f", "tests/conftest.py: f"),
    (BARE, "run.py", 0, "ns", "ns"),
    (BARE, "run.py", 0, "ns.mod", "ns: mod"),
    (BARE, "run.py", 0, "ns.mod.f", "ns/mod.py: f"),
    (BARE, "run.py", 0, "ns.a.b.c.f", "ns/a/b/c.py: f"),
    (BARE, "run.py", 0, "ns.missing", None),
    (BARE, "run.py", 0, "ns.missing.f", None),
    (BARE, "run.py", 0, "ns.empty", None),
    (BARE, "run.py", 0, "data.load", "data.py: load"),
    (BARE, "ns/mod.py", 1, "a.b.c.f", "ns/a/b/c.py: f"),
    (BARE, "ns/mod.py", 1, "other", "ns: other"),
    (SCRIPTS, "exp/a.py", 0, "models.net.f", "exp/models/net.py: f"),
    (SCRIPTS, "exp/a.py", 0, "models.f", "models.py: f"),
    (SCRIPTS, "exp/a.py", 0, "models", "models.py"),
    (SCRIPTS, "exp/a.py", 0, "wandb.init", "exp/wandb.py: init"),
    (SCRIPTS, "exp/wandb.py", 0, "wandb.init", None),
    (INSIDE, "pkg/train.py", 0, "ops.f", "pkg/ops.py: f"),
    (INSIDE, "pkg/train.py", 0, "pkg.ops.f", "pkg/ops.py: f"),
    (INSIDE, "pkg/sub/run.py", 0, "ops.f", "pkg/ops.py: f"),
    (INSIDE, "pkg/sub/run.py", 0, "sub.run.f", "pkg/sub/run.py: f"),
    (DOUBLE, "run.py", 0, "pkg.f", "ambiguous"),
    (DOUBLE, "run.py", 0, "pkg", "ambiguous"),
    (DOUBLE, "run.py", 0, "b.f", "ambiguous"),
    (DOUBLE, "run.py", 0, "c.x", "c.py: x"),
    (DOUBLE, "src/pkg/__init__.py", 0, "pkg.f", "src/pkg/__init__.py: f"),
    (DOUBLE, "run.py", 1, "b.f", "ambiguous"),
    (SHADOW, "run.py", 0, "pkg.two.f", "src/pkg/two.py: f"),
    (SHADOW, "run.py", 0, "pkg", "src/pkg/__init__.py"),
    (NESTED, "run.py", 0, "lib.lib.f", None),
    (NESTED, "run.py", 0, "own.f", "own/__init__.py: f"),
    (NESTED, "lib/run.py", 0, "lib.f", "lib/lib/__init__.py: f"),
    (BUILT, "run.py", 0, "build.x.f", "build/x.py: f"),
    (BUILT, "build/x.py", 0, "pkg.dist.f", "pkg/dist/__init__.py: f"),
    (BUILT, "run.py", 0, "mine.x.f", None),
    (BUILT, "run.py", 0, "mine", None),
    (BUILT, "run.py", 0, "venv.x.f", None),
    (BUILT, "run.py", 0, "env.x.f", "env/x.py: f"),
    (BUILT, "run.py", 0, "holder", None),
    (BUILT, "run.py", 0, "pkg.dist.f", "pkg/dist/__init__.py: f"),
    (("pyproject.toml", "random.py", "pkg/random.py", "pkg/__init__.py"), "run.py", 0, "random.f", None),
    (NAMESAKE, "src/bench/run.py", 0, "jax.numpy", None),
    (NAMESAKE, "src/bench/run.py", 0, "jax", None),
    (NAMESAKE, "src/train.py", 0, "jax.devices", None),
    (NAMESAKE, "src/train.py", 0, "src.jax.device.f", "src/jax/device.py: f"),
    (NAMESAKE, "src/train.py", 0, "models.f", "src/models.py: f"),
    (("pyproject.toml", "src/jax/__init__.py", "run.py"), "run.py", 0, "jax.f", "src/jax/__init__.py: f"),
    (("pyproject.toml", "random.py", "pkg/random.py", "pkg/__init__.py"), "run.py", 1, "random.f", "random.py: f"),
    (
        ("pyproject.toml", "random.py", "pkg/random.py", "pkg/__init__.py"),
        "r.py",
        0,
        "pkg.random.f",
        "pkg/random.py: f",
    ),
    (("pyproject.toml", "__init__.py", "a.py", "b.py"), "a.py", 0, "b.f", "b.py: f"),
    (("pyproject.toml", "__init__.py", "a.py", "b.py"), "a.py", 1, "b.f", "b.py: f"),
    (("pyproject.toml", "a.py"), "../outside.py", 0, "a.f", None),
    (("pyproject.toml", "a.py"), "../outside.py", 1, "a.f", None),
]


@pytest.mark.parametrize(("files", "importer", "level", "dotted", "expected"), FOUND)
def test_find(
    files: tuple[str, ...], importer: str, level: int, dotted: str, expected: str | None, tmp_path: Path
) -> None:
    root = tree(tmp_path / "p", files)
    project = Project(root)
    assert shown(project, project.find(os.path.join(root, importer), level, dotted)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import ops\n", "pkg/ops.py: f"),
        ("import ops\nfrom . import other\n", None),
        ("import ops\nimport pkg.other\n", None),
        ("import ops\nfrom pkg import other\n", None),
    ],
)
def test_only_scripts_import_from_inside_their_package(text: str, expected: str | None, tmp_path: Path) -> None:
    root = tree(tmp_path / "p", {**dict.fromkeys(INSIDE, ""), "pkg/sub/run.py": text})
    project = Project(root)
    assert shown(project, project.find(os.path.join(root, "pkg", "sub", "run.py"), 0, "ops.f")) == expected
    assert shown(project, project.find(os.path.join(root, "pkg", "train.py"), 0, "ops.f")) == "pkg/ops.py: f"


def test_a_member_may_name_its_package_in_full(tmp_path: Path) -> None:
    files = {
        "pyproject.toml": "",
        "ns/pkg/__init__.py": "",
        "ns/pkg/jit.py": "",
        "ns/pkg/a.py": "import jit, ns.pkg.jit\n",
    }
    project = Project(tree(tmp_path, files))
    assert project.find(str(tmp_path / "ns" / "pkg" / "a.py"), 0, "jit.f") is None
    assert project.find(str(tmp_path / "ns" / "pkg" / "jit.py"), 0, "a.f") is not None


def test_find_depends_neither_on_order_nor_on_the_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    layouts = (FLAT, SRC, BARE, SCRIPTS, INSIDE, DOUBLE, SHADOW)
    projects = [Project(tree(tmp_path / str(number), files)) for number, files in enumerate(layouts)]
    rows = [(projects[layouts.index(row[0])], row) for row in FOUND if row[0] in layouts]
    monkeypatch.chdir(tmp_path / "0" / "pkg")
    for project, (_, importer, level, dotted, expected) in rows[::-1]:
        assert shown(project, project.find(os.path.join(project.root, importer), level, dotted)) == expected


@pytest.mark.parametrize(
    ("files", "path", "name", "expected"),
    [
        (FLAT, "pkg/__init__.py", "helpers", "pkg/helpers.py"),
        (FLAT, "pkg/__init__.py", "sub", "pkg/sub/__init__.py"),
        (FLAT, "pkg/__init__.py", "missing", None),
        (FLAT, "pkg/helpers.py", "sub", None),
        (FLAT, "..", "p", None),
        (BARE, "ns", "mod", "ns/mod.py"),
        (BARE, "ns", "a", "ns/a"),
        (BARE, "ns", "empty", None),
        (DOUBLE, "", "b", "ambiguous"),
    ],
)
def test_submodule(files: tuple[str, ...], path: str, name: str, expected: str | None, tmp_path: Path) -> None:
    root = tree(tmp_path / "p", files)
    project = Project(root)
    assert shown(project, project.submodule(os.path.normpath(os.path.join(root, path)), name)) == expected


@pytest.mark.parametrize(
    ("files", "path", "name"),
    [
        (FLAT, "pkg/helpers.py", "pkg.helpers"),
        (FLAT, "pkg/sub/__init__.py", "pkg.sub"),
        (FLAT, "train.py", "train"),
        (FLAT, "scripts/run.py", "scripts.run"),
        (SRC, "src/pkg/helpers.py", "pkg.helpers"),
        (SRC, "src/pkg/__init__.py", "pkg"),
        (SRC, "src/ns/mod.py", "ns.mod"),
        (BARE, "ns/a/b/c.py", "ns.a.b.c"),
        (("setup.py", "python/pkg/__init__.py"), "python/pkg/a.py", "pkg.a"),
        (("setup.py", "src/__init__.py"), "src/a.py", "src.a"),
        (("setup.py", "src/ns/pkg/__init__.py"), "src/ns/pkg/a.py", "ns.pkg.a"),
        (("setup.py", "pkg/__init__.py", "pkg/bare/sub/__init__.py"), "pkg/bare/sub/a.py", "pkg.bare.sub.a"),
        (("setup.py", "__init__.py"), "a.py", "a"),
        (("setup.py", "__init__.py", "sub/__init__.py"), "sub/a.py", "sub.a"),
        (("setup.py", "__init__.py"), "__init__.py", "p"),
        (("setup.py",), "../outside.py", "outside"),
    ],
)
def test_module_name(files: tuple[str, ...], path: str, name: str, tmp_path: Path) -> None:
    root = tree(tmp_path / "p", files)
    assert Project(root).module_name(os.path.join(root, path)) == name


def test_shown(tmp_path: Path) -> None:
    project = Project(str(tmp_path / "p"))
    assert project.shown(str(tmp_path / "p" / "pkg" / "a.py")) == "pkg/a.py"
    assert project.shown(str(tmp_path / "a.py")) == (tmp_path / "a.py").as_posix()


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (FLAT, "pkg/__init__.py pkg/helpers.py pkg/sub/__init__.py pkg/sub/deep.py train.py"),
        (NESTED, "run.py"),
        (BUILT, "env/x.py pkg/__init__.py pkg/dist/__init__.py run.py"),
        (("setup.py", "build/__init__.py", "dist/a.py", "pkg/dist/a.py"), "build/__init__.py pkg/dist/a.py setup.py"),
        (
            (".tox/a.py", "__pycache__/a.py", "node_modules/a.py", "x.egg-info/a.py", ".eggs/a.py", "a.pyi", "b.py"),
            "b.py",
        ),
        (("lib/site-packages/jax/a.py", "pkg/build/lib/a.py", "setup.py"), "pkg/build/lib/a.py setup.py"),
    ],
)
def test_files(files: tuple[str, ...], expected: str, tmp_path: Path) -> None:
    project = Project(tree(tmp_path / "p", files))
    assert " ".join(map(project.shown, project.files())) == expected
    assert not project.is_truncated


@pytest.mark.parametrize(
    ("file", "is_inside"),
    [
        ("p/.venv/lib/site-packages/jax/a.py", True),
        ("p/venv/a.py", True),
        ("p/tools/node_modules/gyp/a.py", True),
        ("p/mine/lib/a.py", True),
        ("p/mine/src/checkout/a.py", False),
        ("p/env/a.py", False),
        ("p/a.py", False),
        ("alone/site-packages/pkg/a.py", True),
        ("alone/a.py", False),
    ],
)
def test_what_stands_in_an_environment(file: str, is_inside: bool, tmp_path: Path) -> None:
    layout = ("p/pyproject.toml", "p/mine/pyvenv.cfg", "p/mine/src/checkout/setup.py", "p/env/a.py")
    tree(tmp_path, layout)
    assert folders.in_environment(str(tmp_path / file)) is is_inside
    assert folders.in_environment(str(tmp_path / file), root=str((tmp_path / file).parent)) is False


def test_links_to_folders_are_not_followed(tmp_path: Path) -> None:
    root = tree(tmp_path / "p", ("pyproject.toml", "src/pkg/__init__.py", "src/pkg/a.py"))
    tree(tmp_path / "outside", ("secret.py",))
    try:
        os.symlink(root, tmp_path / "p" / "loop", target_is_directory=True)
        os.symlink(tmp_path / "p" / "src" / "pkg", tmp_path / "p" / "pkg", target_is_directory=True)
        os.symlink(tmp_path / "outside", tmp_path / "p" / "outside", target_is_directory=True)
        os.symlink(tmp_path / "nowhere.py", tmp_path / "p" / "broken.py")
    except OSError:
        pytest.skip("links cannot be made here")
    project = Project(root)
    assert [project.shown(path) for path in project.files()] == ["src/pkg/__init__.py", "src/pkg/a.py"]
    assert shown(project, project.find(os.path.join(root, "run.py"), 0, "pkg.a.f")) == "src/pkg/a.py: f"
    for name in ("outside.secret.f", "loop.src.pkg.f", "broken.f"):
        assert project.find(os.path.join(root, "run.py"), 0, name) is None


def test_many_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tree(tmp_path, ("pyproject.toml", "pkg/__init__.py", *(f"pkg/many/m{number}.py" for number in range(400))))
    started = time.process_time()
    project = Project(root)
    assert len(project.files()) == 401
    for number in range(400):
        assert project.find(os.path.join(root, "run.py"), 0, f"pkg.many.m{number}.f") is not None
    assert time.process_time() - started < 5
    monkeypatch.setattr(folders, "MAXIMUM_FILES", 100)
    project = Project(root)
    assert project.is_truncated
    assert len(project.files()) == 100
    assert project.files()[0] == os.path.join(root, "pkg", "__init__.py")
    monkeypatch.setattr(folders, "MAXIMUM_FOLDERS", 1)
    assert Project(root).is_truncated


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"x = 1\n", "x = 1\n"),
        (b"\xef\xbb\xbfx = 1\r\n", "x = 1\r\n"),
        (b"# coding: latin-1\nx = '\xe9'\n", "# coding: latin-1\nx = '\xe9'\n"),
        (b"x = '\xff'\n", None),
        (b"# coding: no-such-codec\n", None),
    ],
)
def test_text(data: bytes, text: str | None, tmp_path: Path) -> None:
    path = os.path.join(tree(tmp_path, {"a.py": data}), "a.py")
    project = Project(str(tmp_path))
    assert project.text(path) == text
    index = project.index(path)
    assert (index is None) == (text is None)
    assert project.digest(path) == (b"" if text is None else SourceFile.read(path).digest)
    assert project.imports(path) == ()


def test_what_cannot_be_read(tmp_path: Path) -> None:
    root = tree(tmp_path / "p", {"pkg/a.py": "import jax\n", "bad.py": "x = \n", "nul.py": "\0", "deep.py": "(" * 9999})
    tree(tmp_path, {"outside.py": "import jax\n"})
    project = Project(root)
    for name in ("pkg", "missing.py", "../outside.py", "nul\0.py"):
        path = os.path.join(root, name)
        assert project.text(path) is None
        assert project.index(path) is None
        assert project.imports(path) == ()
        assert project.importers(path) == ()
    for name in ("bad.py", "nul.py", "deep.py"):
        assert project.text(os.path.join(root, name)) is not None
        assert project.index(os.path.join(root, name)) is None


def test_a_file_is_read_once(tmp_path: Path) -> None:
    root = tree(tmp_path, {"a.py": "import b\n", "b.py": "x = 1\n"})
    project = Project(root)
    first = project.importers(os.path.join(root, "b.py"))
    tree(tmp_path, {"a.py": "", "b.py": "", "c.py": "import b\n"})
    index = project.index(os.path.join(root, "b.py"))
    assert index is not None
    assert index.names == {"x": (0,)}
    assert project.importers(os.path.join(root, "b.py")) == first == (os.path.join(root, "a.py"),)


def test_overrides(tmp_path: Path) -> None:
    root = tree(tmp_path, {"pyproject.toml": "", "a.py": "x = 1\n", "b.py": "x = 1\n", "pkg/__init__.py": ""})
    texts = {"a.py": "\ufeffimport new.mod\ny = 1\n", "new/mod.py": "z = 1\n", "pkg/extra.py": "from new import mod\n"}
    project = Project(root, {os.path.join(root, *name.split("/")): text for name, text in texts.items()})
    place = {name: os.path.join(root, *name.split("/")) for name in (*texts, "b.py")}
    assert project.text(place["a.py"]) == "import new.mod\ny = 1\n"
    index = project.index(place["a.py"])
    assert index is not None
    assert set(index.names) == {"new", "y"}
    assert project.text(place["b.py"]) == "x = 1\n"
    assert shown(project, project.find(place["b.py"], 0, "new.mod.z")) == "new/mod.py: z"
    assert shown(project, project.find(place["b.py"], 0, "pkg.extra.mod")) == "pkg/extra.py: mod"
    assert [project.shown(path) for path in project.files()] == [
        "a.py",
        "b.py",
        "new/mod.py",
        "pkg/__init__.py",
        "pkg/extra.py",
    ]
    assert project.importers(place["new/mod.py"]) == (place["a.py"], place["pkg/extra.py"])


PACKAGE = {
    "pyproject.toml": "",
    "pkg/__init__.py": "from .b import *\nfrom . import c\n",
    "pkg/b.py": "import pkg.c\n",
    "pkg/c.py": "from pkg import b\nfrom .sub import deep\n",
    "pkg/sub/__init__.py": "",
    "pkg/sub/deep.py": "from .. import b\nfrom ..b import f\n",
    "ns/one.py": "import pkg.b\n",
    "ns/two.py": "def f():\n    from pkg.b import f\n",
    "ns/three.py": "import pkg as p, ns.one\n",
    "ns/four.py": "from pkg import g\nfrom ns import one\n",
    "ns/five.py": "import pkg.sub.deep\n",
    "ns/six.py": "from pkg.missing import f\nimport jax\nfrom .... import f\n",
}


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("pkg/b.py", "ns/one ns/two pkg/__init__ pkg/c pkg/sub/deep"),
        ("pkg/c.py", "pkg/__init__ pkg/b"),
        ("pkg/__init__.py", "ns/five ns/four ns/one ns/six ns/three pkg/b pkg/c pkg/sub/deep"),
        ("pkg/sub/__init__.py", "ns/five pkg/c"),
        ("pkg/sub/deep.py", "ns/five pkg/c"),
        ("ns/one.py", "ns/four ns/three"),
        ("ns/six.py", ""),
        ("nowhere.py", ""),
    ],
)
def test_importers(path: str, expected: str, tmp_path: Path) -> None:
    root = tree(tmp_path, PACKAGE)
    project = Project(root)
    found = project.importers(os.path.join(root, path))
    assert " ".join(project.shown(file).removesuffix(".py") for file in found) == expected


def test_importers_are_the_same_for_one_file_and_for_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root, found = tree(tmp_path, PACKAGE), []
    for few in (0, 3, 100):
        monkeypatch.setattr("flake8_jax.syntax.project.FEW", few)
        project = Project(root)
        found.append({path: project.importers(path) for path in project.files()})
    assert found[0] == found[1] == found[2]
    assert any(found[0].values())


def test_one_file_is_judged_without_the_imports_of_all(tmp_path: Path) -> None:
    root = tree(tmp_path, {**PACKAGE, "ns/seven.py": "import jax\n", "ns/eight.py": "from ns.seven import f\n"})
    project, path = Project(root), os.path.join(root, "ns", "seven.py")
    assert project.leads_to_jax(path)
    assert [*map(project.shown, project.importers(path))] == ["ns/eight.py"]
    assert len(project._imports) < len(project.files()) / 2


def test_which_files_lead_to_jax(tmp_path: Path) -> None:
    root = tree(tmp_path, {**PACKAGE, "build/out.py": "import six\n", "ns/seven.py": "from pkg.b import f\n"})
    project = Project(root)
    assert [path for path in project.files() if project.leads_to_jax(path)] == [os.path.join(root, "ns", "six.py")]
    assert project.leads_to_jax(os.path.join(root, "build", "out.py"))  # which is not listed
    project.replace(os.path.join(root, "pkg", "sub", "deep.py"), "from .. import b\nimport jax\n")
    led = "ns/five ns/four ns/one ns/seven ns/six ns/three ns/two pkg/__init__ pkg/b pkg/c pkg/sub/deep"
    found = [project.shown(path).removesuffix(".py") for path in project.files() if project.leads_to_jax(path)]
    assert " ".join(sorted(found)) == led


@pytest.mark.parametrize(
    ("importer", "path", "expected"),
    [
        ("ns/two.py", "pkg/b.py", {"f"}),
        ("ns/one.py", "pkg/b.py", None),
        ("pkg/__init__.py", "pkg/b.py", {"*"}),
        ("pkg/__init__.py", "pkg/c.py", None),
        ("ns/four.py", "pkg/__init__.py", {"g"}),
        ("ns/four.py", "ns/six.py", set()),
    ],
)
def test_names_that_a_file_takes(importer: str, path: str, expected: set[str] | None, tmp_path: Path) -> None:
    project = Project(tree(tmp_path, PACKAGE))
    places = (os.path.join(project.root, *each.split("/")) for each in (importer, path))
    assert project.names_asked(*places) == expected
