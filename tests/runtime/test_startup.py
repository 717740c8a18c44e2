"""The rows of api/startup.toml, run: what JAX does with a setting before and after, and what starts its backend."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from flake8_jax.api import startup
from flake8_jax.api.measured import Measured, versions
from flake8_jax.driver.checking import check_file
from flake8_jax.model.config import Config
from flake8_jax.syntax.loaded import LOADED
from tests.support.expectations import differences, lint_text

pytest.importorskip("jax")

SCRIPT = """
import json, os, sys, warnings
import jax, jax.numpy as jnp
warnings.simplefilter("ignore")
cases = json.load(sys.stdin)
found = {}
for name, code in cases.items():
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            scope = {"jax": jax, "jnp": jnp, "os": os}
            exec(code, scope)
            seen = str(scope["seen"])
        except BaseException as error:
            seen = type(error).__name__
        os.write(writing, seen.encode())
        os._exit(0)
    os.close(writing)
    found[name] = os.read(reading, 1000).decode()
    os.close(reading)
    os.waitpid(child, 0)
print(json.dumps(found))
"""
"""Runs each case in a child of a process that has imported JAX and has started nothing."""

THREE = "os.environ['XLA_FLAGS'] = '--xla_force_host_platform_device_count=3'"
COUNT, START = "seen = jax.device_count()", "jax.devices()"
NOWHERE, CPU = "jax.config.update('{}', 'no_such')", "jax.config.update('jax_platforms', 'cpu')"
WIDTHS = "seen = x.dtype, jnp.ones(2).dtype"
KEYS = "seen = tuple(jax.random.key_data(one).shape for one in (k, jax.random.key(0)))"

PRECISE = """
jax.config.update('jax_default_matmul_precision', 'highest')
seen = 'HIGHEST' in str(jax.make_jaxpr(jnp.dot)(jnp.ones(2), jnp.ones(2)))
"""

CASES = {
    "XLA_FLAGS, imported": (f"{THREE}; {COUNT}", "3"),
    "XLA_FLAGS, started": (f"{START}; {THREE}; {COUNT}", "1"),
    "JAX_ENABLE_X64, imported": ("os.environ['JAX_ENABLE_X64'] = '1'; seen = jnp.ones(2).dtype", "float32"),
    "JAX_PLATFORMS, imported": ("os.environ['JAX_PLATFORMS'] = 'no_such'; seen = jax.default_backend()", "cpu"),
    "jax_platforms, imported": (f"{NOWHERE.format('jax_platforms')}; {COUNT}", "RuntimeError"),
    "jax_platforms, started": (f"{START}; {NOWHERE.format('jax_platforms')}; {COUNT}", "1"),
    "jax_platform_name, imported": (f"{NOWHERE.format('jax_platform_name')}; {COUNT}", "RuntimeError"),
    "jax_platform_name, started": (f"{START}; {NOWHERE.format('jax_platform_name')}; {COUNT}", "1"),
    "jax_platforms, failed": (
        f"{NOWHERE.format('jax_platforms')}\ntry: {START}\nexcept RuntimeError: {CPU}\n{COUNT}",
        "1",
    ),
    "jax_num_cpu_devices, imported": (f"jax.config.update('jax_num_cpu_devices', 3); {COUNT}", "3"),
    "jax_num_cpu_devices, started": (f"{START}; jax.config.update('jax_num_cpu_devices', 3); {COUNT}", "RuntimeError"),
    "jax_enable_x64, started": (
        f"{START}; jax.config.update('jax_enable_x64', True); x = jnp.ones(2); {WIDTHS}",
        "(dtype('float64'), dtype('float64'))",
    ),
    "jax_enable_x64, made": (
        f"x = jnp.ones(2); jax.config.update('jax_enable_x64', True); {WIDTHS}",
        "(dtype('float32'), dtype('float64'))",
    ),
    "jax_default_prng_impl, keyed": (
        f"k = jax.random.key(0); jax.config.update('jax_default_prng_impl', 'rbg'); {KEYS}", "((2,), (4,))",
    ),
    "jax.distributed.initialize, started": (
        f"{START}; jax.distributed.initialize('localhost:12764', 1, 0); seen = 1", "RuntimeError",
    ),
    "jax_debug_nans, started": (
        f"{START}; jax.config.update('jax_debug_nans', True); seen = jnp.log(-1.0)", "FloatingPointError",
    ),
    "jax_disable_jit, started": (
        f"{START}; jax.config.update('jax_disable_jit', True); seen = jax.jit(lambda x: isinstance(x, float))(1.0)",
        "True",
    ),
    "jax_default_matmul_precision, started": (f"{START}; {PRECISE}", "True"),
    "JAX_ENABLE_X46": ("os.environ['JAX_ENABLE_X46'] = '1'; seen = jnp.ones(2).dtype", "float32"),
    "jax_enable_x46": ("jax.config.update('jax_enable_x46', True)", "AttributeError"),
    "import jax": (
        f"import operator; seen = len(operator.attrgetter(*{[one[4:] for one in LOADED]})(jax))", str(len(LOADED)),
    ),
    "import jax.extend": ("seen = jax.extend", "AttributeError"),
}  # fmt: skip

STARTED = "from jax._src import xla_bridge; {}; seen = bool(xla_bridge._backends)"
QUIET = (
    "jax.jit(abs)", "jax.vmap(abs)", "jax.grad(abs)", "jnp.float32", "jnp.finfo('float32')", "jnp.pi",
    "jax.eval_shape(lambda: jnp.zeros(3))", "jax.ShapeDtypeStruct((3,), 'float32')", "jax.sharding.PartitionSpec('x')",
    "jax.tree.map(abs, [1])", "jnp.promote_types('int8', 'float32')", "jax.nn.initializers.glorot_normal()",
    "jax.clear_caches()", "jax.config.update('jax_debug_nans', False)",
)  # fmt: skip
LOUD = (
    "jnp.zeros(3)", "jnp.float32(1.0)", "jax.random.key(0)", "jax.random.PRNGKey(0)", "jax.jit(abs)(1.0)",
    "jnp.sin(1.0)",
    "jax.nn.relu(1.0)", "jax.lax.add(1.0, 2.0)", "jax.make_mesh((1,), ('x',))", "jax.device_put(1.0)",
    *(f"jax.{name}()" for name in (
        "default_backend", "device_count", "devices", "live_arrays", "local_device_count", "local_devices",
        "process_count", "process_index", "process_indices",
    )),
)  # fmt: skip


def seen_of(cases: Mapping[str, str]) -> dict[str, str]:
    """What each case sees, in a process of its own."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("JAX_", "XLA_"))}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], input=json.dumps(cases), env=clean, capture_output=True, text=True, check=True,
    )  # fmt: skip
    found: dict[str, str] = json.loads(done.stdout.splitlines()[-1])
    return found


def test_settings_count_up_to_the_phase_that_is_stated() -> None:
    found = seen_of({name: code for name, (code, _) in CASES.items()})
    assert found == {name: seen for name, (_, seen) in CASES.items()}


def test_defaults_are_those_of_jax() -> None:
    known = startup.read()
    stated = {name: {"false"} for name in known.off} | {name: set(values) for name, values in known.values.items()}
    names = sorted(name for name in stated if name.startswith("jax_"))
    seen = seen_of({name: f"seen = jax.config.values.get({name!r}, 'unknown')" for name in names})
    assert {name: text for name in names if (text := seen[name].lower()) not in {*stated[name], "unknown"}} == {}
    assert sum(text != "unknown" for text in seen.values()) >= len(names) - 1


def test_what_starts_the_backend_and_what_does_not() -> None:
    found = seen_of({code: STARTED.format(code) for code in (*QUIET, *LOUD)})
    assert {code for code in LOUD if found[code] != "True"} == set()
    assert {code for code in QUIET if found[code] != "False"} == set()


def lines_said(text: str) -> list[int]:
    """The lines of the one finding of JAX901 in a text, with those of its notes."""
    found = [one for one in lint_text(text) if one.code == "JAX901"]
    assert len(found) <= 1
    return [line for one in found for line in (one.span.line, *(note.line for note in one.notes))]


def test_a_module_is_told_once_with_codesthat_starts_the_backend() -> None:
    loud, quiet = ("\n".join(("import jax, jax.numpy as jnp", *map("X = {}".format, codes))) for codes in (LOUD, QUIET))
    assert lines_said(loud) == list(range(2, len(LOUD) + 2))
    assert lines_said(quiet) == []


def test_each_form_that_was_seen_to_start_the_backend_is_told() -> None:
    folder = Path(__file__).parent / "phenomena" / "backend_started"
    text = (folder / "bad.py").read_text(encoding="utf-8")
    assert lines_said(text) == [number for number, line in enumerate(text.splitlines(), 1) if "# JAX901" in line]
    assert lines_said((folder / "good.py").read_text(encoding="utf-8")) == []


def test_files_set_what_other_files_have_started() -> None:
    folder = Path(__file__).parent / "startup"
    read = "import sys; sys.path.insert(0, '{}'); from {} import seen"
    names = [(half, name) for half in ("bad", "good") for name in ("forecast", "limited")]
    found = seen_of({f"{half} {name}": read.format(folder / half, name) for half, name in names})
    assert found == {
        "bad forecast": "(1, (5,))", "bad limited": "RuntimeError",
        "good forecast": "(3, (5,))", "good limited": "2",
    }  # fmt: skip
    for path in sorted(folder.rglob("*.py")):
        said = check_file(str(path), Config(no_store=True)).diagnostics
        assert list(differences(path.read_text(encoding="utf-8"), said)) == [], path


def test_what_raises_was_measured() -> None:
    stated = {name for name, row in startup.read().settings.items() if row.endswith("raises")}
    measured = {version: Measured(version).of("startup")["settings"] for version in versions()}
    raising = {name for facts in measured.values() for name, fact in facts.items() if fact.startswith("raises")}
    assert stated == raising


def test_codesthat_is_stated_exists_in_some_version() -> None:
    assert set(startup.read().settings) <= startup.known_settings()
