"""`flake8-jax measure --versions`: small packages are read, and what changed in them is written, each time the same."""

from __future__ import annotations

import io
import tarfile
import zipfile
from argparse import Namespace
from pathlib import Path

import pytest

from flake8_jax.api import versions
from flake8_jax.runtime.measuring.releases.command import run
from flake8_jax.runtime.measuring.releases.facts import facts_of
from flake8_jax.runtime.measuring.releases.release import Release
from flake8_jax.runtime.measuring.releases.writing import required_text_of, text_of

FIRST = {
    "chex/__init__.py": """
        from chex._src.trees import tree_multimap as tree_multimap, tree_map as tree_map
        from chex._src.trees import close
        from chex import old as old
    """,
    "chex/old.py": """
        from chex._src.trees import tree_map
        def gone(a, b=1, *, c): ...
    """,
    "chex/_src/__init__.py": "",
    "chex/_src/trees.py": """
        import warnings
        def tree_map(f, tree, *rest, is_leaf=None): ...
        def tree_multimap(f, tree, *rest, is_leaf=None):
            warnings.warn("chex.tree_multimap is deprecated: use chex.tree_map", DeprecationWarning)
        def close(x, y, a_tol=1): ...
    """,
}
SECOND = {
    "chex/__init__.py": """
        import typing
        from chex._src.trees import tree_map as tree_map, close as close, new as new
        from chex._src import trees as _trees
        _deprecations = {
            "tree_all": ("chex.tree_all is deprecated. Use chex.new instead.", _trees.new),
            "tree_multimap": ("chex.tree_multimap was removed: use chex.tree_map", None),
        }
        if typing.TYPE_CHECKING:
            from chex._src.trees import new as tree_all
        else:
            from chex._src.deprecations import deprecation_getattr as _getattr
            __getattr__ = _getattr(__name__, _deprecations)
        del _trees
    """,
    "chex/_src/__init__.py": "",
    "chex/_src/trees.py": """
        def tree_map(f, tree, *rest, is_leaf=None): ...
        def close(x, y, atol=1): ...
        def new(x): ...
    """,
    "chex/tests/__init__.py": "helper = 1",
}


def _dedented(text: str) -> bytes:
    lines = text.strip("\n").splitlines()
    indent = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return ("\n".join(line[indent:] for line in lines) + "\n").encode()


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    """A source archive of an older release, and a wheel of a newer one."""
    folder = tmp_path / "packages"
    folder.mkdir()
    with tarfile.open(folder / "chex-0.1.90.tar.gz", "w:gz") as archive:
        for name, text in FIRST.items():
            member = tarfile.TarInfo(f"chex-0.1.90/{name}")
            member.size = len(data := _dedented(text))
            archive.addfile(member, io.BytesIO(data))
    with zipfile.ZipFile(folder / "chex-0.1.91-py3-none-any.whl", "w") as wheel:
        for name, text in SECOND.items():
            wheel.writestr(name, _dedented(text))
    return folder


EXPECTED = """\
chex\t{"releases":"0.1.90 0.1.91"}
chex.close\t{"parameters":[["","x, y, a_tol="],["0.1.91","x, y, atol="]]}
chex.new\t{"there":"0.1.91-"}
chex.old\t{"there":"-0.1.91"}
chex.old.tree_map\t{"now":["chex.tree_map"],"same":true}
chex.tree_all\t{"there":"0.1.91-","read":[["0.1.91","chex.tree_all is deprecated. Use chex.new instead."]],"now":["chex.new"],"same":true}
chex.tree_multimap\t{"there":"-0.1.91","gone":[["0.1.91","chex.tree_multimap was removed: use chex.tree_map"]],"called":[["","chex.tree_multimap is deprecated: use chex.tree_map"],["0.1.91",""]],"now":["chex.tree_map"],"same":true}
"""  # noqa: E501  (a row is a line)


def test_what_changed_is_written_and_nothing_else(packages: Path) -> None:
    assert text_of(packages) == EXPECTED


def test_the_command_writes_the_same_again_and_compares(
    packages: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = Namespace(folder=tmp_path, wheels=packages, check=False, jobs=1)
    assert run(options) == 0
    assert (tmp_path / versions.FILE.name).read_text(encoding="utf-8") == EXPECTED
    options.check, options.jobs = True, 2
    assert run(options) == 0
    (tmp_path / versions.FILE.name).write_text("", encoding="utf-8")
    assert run(options) == 1
    assert "something else is written" in capsys.readouterr().out


def test_what_releases_require_of_jax_is_written_where_it_changes(tmp_path: Path) -> None:
    for version, said in (
        ("0.1.0", "jax (>=0.2.0)"), ("0.1.1", "jax>=0.2.0"), ("0.1.2", 'jax>=0.4; extra == "all"'),
        ("0.1.3", "jax[cpu]!=0.4.1,<0.5,>=0.4 ; python_version > '3.9'"),
    ):  # fmt: skip
        with zipfile.ZipFile(tmp_path / f"chex-{version}-py3-none-any.whl", "w") as archive:
            text = f"Name: chex\nRequires-Dist: jaxlib<9\nRequires-Dist: {said}\n"
            archive.writestr(f"chex-{version}.dist-info/METADATA", text)
    assert required_text_of(tmp_path) == "chex\t0.1.0\t>=0.2.0\nchex\t0.1.2\t\nchex\t0.1.3\t!=0.4.1,<0.5,>=0.4\n"


@pytest.mark.parametrize(
    ("text", "parameters"),
    [
        ("def f(a, /, b, *, c=1, **more): ...", "a, /, b, *, c=, **more"),
        ("def f(*args, c): ...", "*args, c"),
        ("@partial(jit, static_argnames=('n',))\ndef f(x, n=2): ...", "x, n="),
        ("@unknown\ndef f(x): ...", None),
        ("def f(x): ...\nf = ufunc(f)", None),
    ],
)
def test_parameters(text: str, parameters: str | None) -> None:
    assert facts_of(text.encode(), "m", False).names["f"].parameters == parameters


def test_names_are_followed_through_stars_and_parts() -> None:
    files = {
        "lib.__init__": b"from lib.a import *\nimport lib.b\nfrom lib._c import *\n",
        "lib.a": b"__all__ = ['one']\none = two = 1\n",
        "lib.b": b"",
        "lib._c": b"from lib.a import two\n_hidden = 1\nimport os\n",
    }
    names = Release("lib", files, {}).names()
    found = sorted(name for name, one in names.items() if name.startswith("lib.") and one.is_told)
    assert found == ["lib.a", "lib.a.one", "lib.a.two", "lib.b", "lib.one", "lib.os", "lib.two"]
