"""Whether a project enables types of 64 bits: what says so, and that a remembered report knows when that changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from flake8_jax.driver.checking import check_file
from flake8_jax.model.config import Config
from flake8_jax.syntax.widths import mentions_x64

ASKING = "import jax\nimport jax.numpy as jnp\n\nx = jnp.zeros(3, dtype=jnp.float64)\n"
CONFIG = Config(strict=True, select=("JAX206",), no_store=True)

SETTING = {
    "config": 'import jax\njax.config.update("jax_enable_x64", True)\n',
    "from_jax": 'from jax import config\nconfig.update("jax_enable_x64", 1)\n',
    "old_module": 'from jax.config import config\nconfig.update("jax_enable_x64", True)\n',
    "attribute": "import jax\njax.config.jax_enable_x64 = True\n",
    "environment": 'import os\nos.environ["JAX_ENABLE_X64"] = "1"\n',
    "default": 'import os\nos.environ.setdefault("JAX_ENABLE_X64", "true")\n',
    "keyword": 'import os\nos.environ.update(JAX_ENABLE_X64="1")\n',
    "for_children": 'import os\nENVIRONMENT = {**os.environ, "JAX_ENABLE_X64": "1"}\n',
    "context": "from jax.experimental import enable_x64\nwith enable_x64():\n    pass\n",
    "context_off": "import jax\nwith jax.experimental.disable_x64():\n    pass\n",
    "newer_context": "import jax\nwith jax.enable_x64(True):\n    pass\n",
    "library": "import numpyro\nnumpyro.enable_x64()\n",
    "enabling_library": "import netket as nk\n",
    "flag": 'import jax\njax.config.update("jax_enable_x64", FLAGS.double)\n',
    "option": 'parser.add_argument("--x64", action="store_true")\n',
    "asked": "import jax\nWIDE = jax.config.x64_enabled\n",
    "read": 'import jax\nif jax.config.read("jax_enable_x64"):\n    pass\n',
    "read_from_environment": 'import os\nWIDE = os.environ.get("JAX_ENABLE_X64", "0") == "1"\n',
    "command": 'subprocess.run("JAX_ENABLE_X64=1 python train.py", shell=True)\n',
    "fixture": 'def enabled(monkeypatch):\n    monkeypatch.setenv("JAX_ENABLE_X64", "1")\n',
    "parameter": "def run(enable_x64=False):\n    pass\n",
    "example": '"""Solve.\n\n>>> jax.config.update("jax_enable_x64", True)\n"""\n',
    "warning": 'warnings.filterwarnings("ignore", "Explicitly requested dtype")\n',
    "not_python": 'jax.config.update("jax_enable_x64", True\n',
}
OTHER = {
    "comment": '# jax.config.update("jax_enable_x64", True)\n',
    "docstring": '"""Wants jax_enable_x64."""\n',
    "off": 'import jax\njax.config.update("jax_enable_x64", False)\n',
    "off_in_the_environment": 'import os\nos.environ["JAX_ENABLE_X64"] = "0"\n',
    "import_alone": "from numpyro import enable_x64\n",
    "platform": 'NAMES = ("win-x64", "linux_x64")\nSIZE = "64x64"\n',
    "other_library": "import netket_tools\n",
}
SETTINGS = {
    ".env": "JAX_ENABLE_X64=1\n",
    "pytest.ini": "[pytest]\nenv =\n    JAX_ENABLE_X64=1\n",
    "tox.ini": "[testenv]\nsetenv = JAX_ENABLE_X64=True\n",
    "pyproject.toml": '[tool.pytest_env]\nJAX_ENABLE_X64 = "1"\n',
    "setup.cfg": "[tool:pytest]\naddopts = --x64\nenv =\n    JAX_ENABLE_X64=1\n",
    "run.sh": "python train.py --jax_enable_x64=true\n",
    "Makefile": "run:\n\tJAX_ENABLE_X64=1 python train.py\n",
    "README.md": "Run it with `JAX_ENABLE_X64=1`.\n",
    ".github/workflows/tests.yml": "env:\n  JAX_ENABLE_X64: 1\n",
    "flake.nix": '          JAX_ENABLE_X64 = "1";\n',
    ".devcontainer/devcontainer.json": '{"containerEnv": {"JAX_ENABLE_X64": "true"}}\n',
    "slurm/train.sbatch": "export JAX_ENABLE_X64=True\n",
}
OTHER_SETTINGS = {
    ".env": "JAX_ENABLE_X64=0\n",
    "flake.nix": '          JAX_ENABLE_X64 = "0";\n',
    "report.json": '{"message": "use jax.config.update(\\"jax_enable_x64\\", True)"}\n',
    "pytest.ini": "[pytest]\n# JAX_ENABLE_X64=1\n",
    "pyproject.toml": '[tool.pytest_env]\nJAX_ENABLE_X64 = "false"\n',
    "Makefile": "build:\n\tmake win-x64\n",
}


def lay(folder: Path, files: dict[str, str]) -> Path:
    """A project that asks for 64 bits, and these files in it."""
    for name, text in {"setup.py": "", "main.py": ASKING, **files}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder / "main.py"


def lines(path: Path, config: Config = CONFIG) -> list[int]:
    return [found.span.line for found in check_file(str(path), config).diagnostics]


@pytest.mark.parametrize("name", SETTING)
def test_code_that_sets_it_or_asks_for_it(name: str, tmp_path: Path) -> None:
    assert lines(lay(tmp_path, {f"pkg/{name}.py": SETTING[name]})) == []


@pytest.mark.parametrize("name", OTHER)
def test_code_that_leaves_it_off(name: str, tmp_path: Path) -> None:
    assert lines(lay(tmp_path, {f"pkg/{name}.py": OTHER[name]})) == [4]


@pytest.mark.parametrize("name", SETTINGS)
def test_settings_that_set_it(name: str, tmp_path: Path) -> None:
    assert lines(lay(tmp_path, {name: SETTINGS[name]})) == []


@pytest.mark.parametrize("name", OTHER_SETTINGS)
def test_settings_that_leave_it_off(name: str, tmp_path: Path) -> None:
    assert lines(lay(tmp_path, {name: OTHER_SETTINGS[name]})) == [4]


def test_the_file_itself_and_a_conftest(tmp_path: Path) -> None:
    assert lines(lay(tmp_path / "a", {"main.py": SETTING["config"] + ASKING})) == []
    assert lines(lay(tmp_path / "b", {"tests/conftest.py": SETTING["config"]})) == []


def test_the_option_says_it(tmp_path: Path) -> None:
    path = lay(tmp_path, {})
    assert lines(path) == [4]
    assert lines(path, Config(strict=True, select=("JAX206",), no_store=True, x64=True)) == []


def test_a_helper_in_another_file(tmp_path: Path) -> None:
    helper = "import jax.numpy as jnp\n\n\ndef make(size, dtype):\n    return jnp.zeros(size, dtype)\n"
    user = "import jax.numpy as jnp\nfrom helper import make\nfrom types_of import WIDE\n\nx = make(3, WIDE)\n"
    files = {"helper.py": helper, "user.py": user, "types_of.py": "import jax.numpy as jnp\n\nWIDE = jnp.float64\n"}
    lay(tmp_path, files)
    assert lines(tmp_path / "helper.py") == [5]
    assert lines(tmp_path / "user.py") == []
    (tmp_path / "types_of.py").write_text("import jax.numpy as jnp\n\nWIDE = jnp.float32\n")
    assert lines(tmp_path / "helper.py") == []


def test_a_report_that_is_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FLAKE8_JAX_STORE", str(tmp_path / "store"))
    remembering = Config(strict=True, select=("JAX206",))
    path = lay(tmp_path / "project", {"other.py": "import jax\n"})
    assert [lines(path, remembering), lines(path, remembering)] == [[4], [4]]
    for name, before, after in (
        ("other.py", "import jax\n", SETTING["config"]),
        ("new.py", None, SETTING["environment"]),
        ("pytest.ini", None, SETTINGS["pytest.ini"]),
    ):
        (path.parent / name).write_text(after)
        assert [lines(path, remembering), lines(path, remembering)] == [[], []], name
        if before is None:
            (path.parent / name).unlink()
        else:
            (path.parent / name).write_text(before)
        assert [lines(path, remembering), lines(path, remembering)] == [[4], [4]], name


def test_code_is_read_and_not_its_comments() -> None:
    assert [name for name, text in SETTING.items() if not mentions_x64(text)] == ["enabling_library"]
    assert [name for name, text in OTHER.items() if mentions_x64(text)] == []
