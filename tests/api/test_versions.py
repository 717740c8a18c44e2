"""The history of names, and the releases that a project allows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from flake8_jax.analysis.checks.releases.judging import of_keyword
from flake8_jax.api import versions
from flake8_jax.api.stated import toml
from flake8_jax.api.versions import at, parsed
from flake8_jax.api.versions.requirements import Required, bounds_of, required, requirement
from flake8_jax.api.versions.target import TargetReleases
from flake8_jax.driver.linter import lint
from flake8_jax.model.config import Config
from flake8_jax.syntax.source import SourceFile
from tests.rules.test_rules import is_conventional
from tests.support.commands import write
from tests.support.expectations import NOWHERE, lint_text

NEW = parsed("0.10.2")
NEWEST = versions.newest("jax")


def test_what_became_of_a_name() -> None:
    row = versions.history("jax.tree_map")
    assert row is not None
    assert row.is_there(parsed("0.5.3"))
    assert not row.is_there(parsed("0.6.0"))
    assert (row.until(NEW), row.now, row.is_same) == ((0, 6, 0), ("jax.tree.map", "jax.tree_util.tree_map"), True)
    assert "use jax.tree.map" in (at(row.read, parsed("0.4.30")) or "")
    assert versions.history("jax.jit.nothing") is None


def test_a_name_is_missing_with_its_module() -> None:
    row = versions.missing("jax.experimental.maps.xmap", NEW)
    assert row is not None
    assert row.name == "jax.experimental.maps"
    assert versions.missing("jax.tree.map", NEW) is None
    assert versions.missing("jax.tree.map", parsed("0.4.20")) is not None


def test_what_is_no_module_is_not_imported() -> None:
    row = versions.not_imported("jax.config", NEW)
    assert row is not None
    assert row.is_there(NEW)
    assert versions.not_imported("jax.config", parsed("0.4.20")) is None


KEPT: dict[str, dict[str, str]] = toml(versions.ADVICE.read_text(encoding="utf-8"))
GONE, BETTER, OTHERWISE, KEYWORDS = (KEPT[kind] for kind in ("gone", "better", "otherwise", "keywords"))
NEWEST_OF = {library: versions.newest(library) for library in versions.LIBRARIES | {"Array"}} | {"Array": NEWEST}


def newest_of(name: str) -> versions.ReleaseNumber:
    return NEWEST_OF[name.partition(".")[0]]


def test_words_are_kept_of_what_is_gone_or_deprecated() -> None:
    for name in (*GONE, *BETTER):
        gone = versions.missing(name.rstrip("."), newest_of(name))
        row = gone or versions.history(name)
        assert row is not None, name
        assert gone is not None or row.says(newest_of(name)), name
        is_silent = (row.now, row.words()) == ((), "") or row.name != name
        assert is_silent or name in BETTER, f"its library says it: {name}"


def test_words_are_kept_of_what_a_function_takes_otherwise() -> None:
    for name in OTHERWISE:
        function, _, keyword = name.rstrip(")").partition("(")
        row = versions.history(function)
        assert row is not None, name
        assert row.now, name
        assert not row.is_same, name
        assert not keyword or versions.once_took(function, keyword), name


def test_words_are_kept_of_arguments_that_are_gone_or_deprecated() -> None:
    for name, words in KEYWORDS.items():
        function, _, keyword = name.rstrip(")").partition("(")
        allowed = TargetReleases(None, None).allowed("jax" if name.startswith("Array") else name.partition(".")[0])
        row = versions.history(function)
        now = at(row.parameters, newest_of(name)) if row is not None else None
        is_replaced = any(versions.once_took(one.name, keyword) for one in versions.replaced_by(function))
        assert is_replaced or of_keyword(function, keyword, allowed) is not None, name
        given = [words] if words.isidentifier() else re.findall(r"^(?:give|use) `(\w+)(?:=[^`]*)?`", words)
        assert now is None or set(given) <= set(versions.named(now)), name
        assert now is not None or not words.isidentifier(), name


def test_words_name_what_the_newest_releases_have() -> None:
    words = {name: text for kind in KEPT.values() for name, text in kind.items()}
    named = [(name, one) for name, text in words.items() for one in versions.spoken_of(text)]
    assert [each for each in named if versions.missing(each[1], newest_of(each[1])) is not None] == []
    assert [each for each in named if (row := versions.history(each[1])) and row.says(newest_of(each[1]))] == []


def test_words_are_single_sentences_without_a_full_stop() -> None:
    for name, words in (*GONE.items(), *BETTER.items(), *KEYWORDS.items()):
        assert words.isidentifier() or is_conventional(f"`x`; {words}", is_tool=False), name


def test_every_row_is_read() -> None:
    names = list(versions.names())
    assert all(versions.history(name) is not None for name in names)
    assert len(names) > 5_000
    assert all(versions.releases(library) for library in versions.LIBRARIES)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("jax", ("jax", ())),
        ("jax[cuda12]>=0.4.30,<0.7 ; python_version > '3.9'", ("jax", ((">=", "0.4.30"), ("<", "0.7")))),
        ("jax == 0.4.*", ("jax", (("==", "0.4.*"),))),
        ("jax (>=0.3.25)", ("jax", ((">=", "0.3.25"),))),
        ("jax==0.4.30 --hash=sha256:00", ("jax", (("==", "0.4.30"),))),
        ("jaxlib~=0.4.1", ("jaxlib", (("~=", "0.4.1"),))),
        ("jax @ git+https://example.org/jax", ("jax", ())),
        ("# a comment", None),
    ],
)
def test_requirements(text: str, found: object) -> None:
    assert requirement(text) == found


@pytest.mark.parametrize(
    ("bounds", "inside", "outside"),
    [
        (">=0.4.30,<0.7", "0.6.2", "0.7.0"),
        ("~=0.4.1", "0.4.38", "0.5.0"),
        ("^0.4.2", "0.4.38", "0.5.0"),
        ("==0.4.*", "0.4.1", "0.5.0"),
        ("!=0.7.0", "0.7.1", "0.7.0"),
        (">0.9,<=0.9.0.1", "0.9.0.1", "0.9.1"),
    ],
)
def test_bounds(bounds: str, inside: str, outside: str) -> None:
    said = Required((bounds_of(bounds),), "")
    assert said.allows(parsed(inside))
    assert not said.allows(parsed(outside))


PROJECTS: dict[str, tuple[dict[str, str | bytes], str, str]] = {
    "project": ({"pyproject.toml": "[project]\ndependencies = ['jax>=0.4.30,<0.7']\n"}, "0.4.30", "0.6.2"),
    "group": ({"pyproject.toml": "[dependency-groups]\ndev = ['jax==0.5.3']\n"}, "0.5.3", "0.5.3"),
    "poetry": ({"pyproject.toml": "[tool.poetry.dependencies]\njax = {version = '^0.5'}\n"}, "0.5.0", "0.5.3"),
    "setup.cfg": ({"setup.cfg": "[options]\ninstall_requires =\n    numpy\n    jax>=0.6,<0.8\n"}, "0.6.0", "0.7.2"),
    "setup.py": ({"setup.py": "setup(install_requires=['jax >= 0.8', 'numpy'])\n"}, "0.8.0", ""),
    "list": ({"requirements.txt": "# for all\n-r other.txt\njax<0.5  # until then\n"}, "", "0.4.38"),
    "several": (
        {"requirements-a.txt": "jax==0.5.3\n", "requirements.txt": "jax>=0.4.1,<0.5\n"}, "0.4.1", "0.4.38",
    ),
    "extras": (
        {"pyproject.toml": "[project.optional-dependencies]\na = ['jax==0.5.0']\nb = ['jax==0.6.2']\n"},
        "0.5.0", "0.6.2",
    ),
    "lock": ({"uv.lock": '[[package]]\nname = "jax"\nversion = "0.5.2"\n'}, "0.5.2", "0.5.2"),
    "lock of a package": (
        {"uv.lock": '[[package]]\nname = "jax"\nversion = "0.5.2"\n',
         "pyproject.toml": "[build-system]\nrequires = []\n[project]\ndependencies = ['jax>=0.4.30']\n"},
        "0.4.30", "",
    ),
    "Pipfile": ({"Pipfile.lock": '{"default": {"jax": {"version": "==0.6.1"}}}'}, "0.6.1", "0.6.1"),
    "Pipfile of nobody": ({"Pipfile.lock": "[]", "uv.lock": "[]"}, "", ""),
    "conda": (
        {"requirements.txt": "jax>=0.4.30\n", "environment.yml": "dependencies:\n  - conda-forge::jax=0.5.2=py311_0\n"},
        "0.5.2", "0.5.2",
    ),
    "pip below conda": (
        {"environment-gpu.yaml": "dependencies:\n  - python=3.11\n  - pip:\n    - 'jax[cuda12]<0.5'  # until then\n"},
        "", "0.4.38",
    ),
    "conda beside a package": (
        {"conda-env.yml": "dependencies:\n  - jax=0.5\n", "setup.py": "setup(install_requires=['jax>=0.4.30'])\n"},
        "0.4.30", "",
    ),
    "no environment": ({"workflow.yml": "dependencies:\n  - jax=0.5\n"}, "", ""),
    "no bounds": ({"pyproject.toml": "[project]\ndependencies = ['jax']\n"}, "", ""),
    "no file": ({"pyproject.toml": "[project\n"}, "", ""),
}  # fmt: skip


@pytest.mark.parametrize("name", PROJECTS)
def test_what_a_project_allows(tmp_path: Path, name: str) -> None:
    files, lowest, highest = PROJECTS[name]
    write(tmp_path, files)
    allowed = TargetReleases(None, str(tmp_path)).allowed("jax")
    newest = versions.newest("jax")
    assert (allowed.lowest, allowed.highest) == (parsed(lowest), parsed(highest) if highest else newest)
    assert allowed.whence == ("the newest known" if not (lowest or highest) else next(reversed(files)))


def test_an_option_comes_before_what_is_required(tmp_path: Path) -> None:
    write(tmp_path, {"requirements.txt": "jax==0.4.30\noptax>=0.2\n"})
    told = TargetReleases("0.9", str(tmp_path))
    assert (told.allowed("jax").highest, told.allowed("jax").whence) == ((0, 9, 2), "--jax-target")
    assert told.allowed("optax").lowest == (0, 2, 0)
    bounded = TargetReleases(">=0.4.30,<0.7", None).allowed("jax")
    assert (bounded.lowest, bounded.highest) == ((0, 4, 30), (0, 6, 2))


def test_a_script_says_what_it_requires() -> None:
    text = '# /// script\n# dependencies = [\n#   "jax>=0.6,<0.8",\n# ]\n# ///\nimport jax\n'
    allowed = TargetReleases().for_file(text).allowed("jax")
    assert (allowed.lowest, allowed.highest, allowed.whence) == ((0, 6, 0), (0, 7, 2), "the script's block")


def test_what_is_required_by_dash_and_case(tmp_path: Path) -> None:
    write(tmp_path, {"requirements.txt": "DM_Haiku>=0.0.10\n"})
    assert required(str(tmp_path))["dm-haiku"].alternatives == (((">=", "0.0.10"),),)
    assert TargetReleases(None, str(tmp_path)).allowed("haiku").lowest == (0, 0, 10)


@pytest.mark.parametrize(("pinned", "expected"), [("numpyro==0.2.4", []), ("numpyro==0.7.0", ["JAX203"])])
def test_what_older_releases_made_arrays_of(tmp_path: Path, pinned: str, expected: list[str]) -> None:
    text = "import jax.numpy as np\nq = np.percentile(np.ones(3), (10.0, 90.0))\n"
    write(tmp_path, {"requirements.txt": f"{pinned}\n", "pyproject.toml": "", "a.py": text})
    assert [one.code for one in lint(SourceFile.read(str(tmp_path / "a.py")), Config()).diagnostics] == expected


ASSERTED = {
    "a release of JAX": ("assert jax.__version__ == '0.4.30'\n", "jax", (0, 4, 30), "what the file asserts"),
    "JAX by a library": (
        'import numpyro\nassert numpyro.__version__.startswith("0.2.4")\n', "jax", (0, 1, 57),
        "what the file asserts, by numpyro",
    ),
    "a bound": ("assert jax.__version__ <= '0.4.30', 'too new'\n", "jax", (0, 4, 30), "what the file asserts"),
    "in a function": ("def f():\n    assert jax.__version__ == '0.4.30'\n", "jax", NEWEST, "the newest known"),
    "another version": ("assert config.__version__ == '0.4.30'\n", "jax", NEWEST, "the newest known"),
}  # fmt: skip


@pytest.mark.parametrize("name", ASSERTED)
def test_what_a_file_asserts_of_releases(name: str) -> None:
    text, library, highest, whence = ASSERTED[name]
    allowed = TargetReleases().for_file(text).allowed(library)
    assert (allowed.highest, allowed.whence) == (highest, whence)


IMPLIED = {
    "jax, by a release that pins it": ("numpyro==0.2.4\n", "jax", (0, 1, 57), "requirements.txt, by numpyro"),
    "jax, by a release that asks for a newer one alone": ("numpyro==0.13.2\n", "jax", NEWEST, "the newest known"),
    "jax, which is bounded itself": ("numpyro==0.2.4\njax==0.4.30\n", "jax", (0, 4, 30), "requirements.txt"),
    "jax, by several releases": ("numpyro>=0.2.4\n", "jax", NEWEST, "the newest known"),
    "another library, beside an older jax": ("jax==0.4.25\n", "optax", (0, 2, 2), "the newest beside JAX 0.4.25"),
    "another library, which is bounded itself": ("jax==0.4.25\noptax==0.1.9\n", "optax", (0, 1, 9), "requirements.txt"),
}


@pytest.mark.parametrize("name", IMPLIED)
def test_what_is_required_of_one_library_implies_of_others(tmp_path: Path, name: str) -> None:
    text, library, highest, whence = IMPLIED[name]
    write(tmp_path, {"requirements.txt": text})
    allowed = TargetReleases(None, str(tmp_path)).allowed(library)
    assert (allowed.highest, allowed.whence) == (highest, whence)


def test_an_option_implies_of_other_libraries() -> None:
    assert TargetReleases("0.4.25").allowed("optax").highest == (0, 2, 2)


@pytest.mark.parametrize(("locked", "expected"), [("0.10.7", []), ("0.11.0", ["JAX614"])])
def test_what_older_releases_do_not_demand(tmp_path: Path, locked: str, expected: list[str]) -> None:
    files: dict[str, str | bytes] = {
        "uv.lock": f'[[package]]\nname = "flax"\nversion = "{locked}"\n',
        "pyproject.toml": "[project]\n",
        "a.py": "from flax import nnx\ndef make(model, tx):\n    return nnx.Optimizer(model, tx)\n",
    }
    write(tmp_path, files)
    assert [one.code for one in lint(SourceFile.read(str(tmp_path / "a.py")), Config()).diagnostics] == expected


ADVISED = {
    "from jax.numpy import DeviceArray": ["use `from jax import Array`, and `Array` for `DeviceArray`"],
    "from jax.numpy import DeviceArray as A": ["use `from jax import Array as A`"],
    "from jax.experimental import stax": ["use `from jax.example_libraries import stax`"],
    "from equinox.experimental import BatchNorm, StateIndex": [
        "use `equinox.nn`: its layers with state take the state and return it (`equinox.nn.make_with_state`)"
    ],
    "import jax\nx = jax.ops.index_update(x, jax.ops.index[0], y)": [
        "use `x.at[idx].set(y)`"
    ],
    "import jax\nplaces = jax.ops.index[0]": ["write the index itself: `x.at[1:3, 0]`"],
    "import jax.numpy as jnp\ny = jnp.where(x > 0, x=1, y=x)": ["give it by its place, without the name"] * 2,
    "import jax.numpy as jnp\ny = jnp.percentile(x, 50, interpolation='lower')": ["use `method`"],
    "import jax.numpy as jnp\ny = jnp.einsum('i->', x, _use_xeinsum=True)": [
        "leave it out, or give `out_sharding`, which came since"
    ],
    "import jax\ny = jax.jit(abs, backend='cpu')": [
        "leave it out: it runs where its arguments are, and `jax.device_put(x, jax.devices('cpu')[0])` puts them there"
    ],
    "import jax\np = jax.core.Primitive('p')": ["use `jax.extend.core.Primitive`, with `import jax.extend.core`"],
    "import jax\nimport jax.extend.core\np = jax.core.Primitive('p')": ["use `jax.extend.core.Primitive`"],
    "from jax.experimental.stax import Dense": ["use `jax.example_libraries.stax`, which has the same names"],
    "from jax.experimental.maps import xmap, Mesh": [
        "use `jax.shard_map` over a `jax.sharding.Mesh`, or `jax.vmap` with its `axis_name`",
        "use `from jax.sharding import Mesh`",
    ],
    "import jax\nb = jax.lib.xla_bridge.get_backend().platform": [
        (
            "use `jax.extend.backend.get_backend` (with `import jax.extend.backend`), or `jax.default_backend()` for "
            "its `platform`"
        )
    ],
    "import jax\ns = jax.sharding.PositionalSharding(jax.devices())": [
        (
            "use `jax.sharding.NamedSharding(mesh, spec)`, with `jax.sharding.Mesh(devices, names)` of its devices and "
            "an empty `PartitionSpec()` for `replicate()`, and a spec that names the axes for `reshape(...)`"
        )
    ],
    "from jax.experimental.shard_map import shard_map\ng = shard_map(f, mesh=m, in_specs=s, out_specs=s)": [
        "use `from jax import shard_map`"
    ],
    "from jax.experimental.shard_map import shard_map\ng = shard_map(f, m, in_specs=s, out_specs=s)": [
        "use `from jax import shard_map`: it takes all but the function by name, and `check_vma` for `check_rep`"
    ],
    "import functools\nfrom jax.experimental import shard_map as s\n"
    "g = functools.partial(s.shard_map, mesh=m, check_rep=False)": [
        "use `jax.shard_map`: it takes all but the function by name, and `check_vma` for `check_rep`"
    ],
    "# /// script\n# dependencies = ['jax>=0.4.30']\n# ///\n"
    "from jax.experimental.shard_map import shard_map\ng = shard_map(f, mesh=m, in_specs=s, out_specs=s)": [
        "use `from jax import shard_map`, which came in 0.6.1"
    ],
    "# /// script\n# dependencies = ['jax==0.4.20']\n# ///\nimport jax\nr = jax.xla.translations": [
        "use `jax.interpreters.mlir.register_lowering`"
    ],
    "# /// script\n# dependencies = ['jax==0.4.36']\n# ///\nfrom jax.core import lu, partial": [
        "use `jax.extend.linear_util`", "use `functools.partial`"
    ],
    "# /// script\n# dependencies = ['jax==0.4.35']\n# ///\nfrom jax.experimental.maps import xmap": [
        (
            'read what JAX says: "Use jax.experimental.shard_map or jax.vmap with the spmd_axis_name argument for '
            'expressing SPMD device-parallel computations"'
        )
    ],
    "# /// script\n# dependencies = ['jax==0.7.0']\n# ///\nfrom jax.interpreters.xla import ConcreteArray": [
        "use `not isinstance(x, jax.core.Tracer)` to ask whether a value is known"
    ],
    "import jax\nf = jax.core.typematch": ["write it without: JAX names nothing in its place"],
    "import jax\nf = jax.core.non_negative_dim": ['read what JAX says: "Use max_dim(..., 0)"'],
    "from jax.experimental.pjit import pjit\ng = pjit(f, static_argnums=0)": [
        "use `from jax import jit`, and `jit` for `pjit`"
    ],
    "from jax.experimental.pjit import pjit\ng = pjit(f, in_shardings=s)": [
        (
            "use `from jax import jit`, and `jit` for `pjit`: it takes all but the function by name, and a "
            "`PartitionSpec` only below `jax.set_mesh(mesh)`"
        )
    ],
    "from jax.experimental import pallas as pl\nbody = pl.core_map(mesh)": [
        "use `pl.kernel`: it takes the body, the type of the result, and `mesh=`, and returns the function to call"
    ],
}


@pytest.mark.parametrize("text", ADVISED)
def test_what_to_write_is_said_once_and_whole(text: str) -> None:
    config = Config(select=("JAX801", "JAX802"), no_store=True)
    found = lint(SourceFile(f"{NOWHERE}/a.py", f"{text}\n"), config).diagnostics
    assert [one.message.partition("; ")[2] for one in found] == ADVISED[text]


PLACES = {"jax==0.4.33": set(), "jax==0.6.2": {"JAX801"}, "jax==0.12.0": {"JAX602"}}
"""What is said of options that `jax.jit` is given by place, by the release: it took them before 0.6.0."""


@pytest.mark.parametrize("release", PLACES)
def test_places_of_arguments_are_those_of_the_release(release: str) -> None:
    block = f'# /// script\n# dependencies = [\n#   "{release}",\n# ]\n# ///\n'
    code = "import jax\n\n\ndef compiled(f, shardings):\n    return jax.jit(f, shardings, shardings)\n"
    assert {found.code for found in lint_text(block + code)} == PLACES[release]


def test_a_library_without_an_upper_bound_goes_with_the_jax_that_is_pinned(tmp_path: Path) -> None:
    write(tmp_path, {"pyproject.toml": "[project]\ndependencies = ['flax>=0.10.2', 'jax==0.4.38']\n"})
    pinned = TargetReleases(None, str(tmp_path)).allowed("flax")
    assert pinned.lowest == parsed("0.10.2") < pinned.highest < parsed("0.11")
    assert pinned.whence == "pyproject.toml"
    unpinned = tmp_path / "other"
    write(unpinned, {"pyproject.toml": "[project]\ndependencies = ['flax>=0.10.2', 'jax']\n"})
    assert TargetReleases(None, str(unpinned)).allowed("flax").highest == versions.newest("flax")
