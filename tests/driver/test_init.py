"""`flake8-jax init`, `completion` and `check --watch`."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from flake8_jax.driver.cli.init import HOOK, with_hook
from flake8_jax.driver.cli.main import main
from tests.support.commands import REUSE, STORE, command, fixable, run, write

FILES = ("pyproject.toml", ".pre-commit-config.yaml", "flake8-jax-baseline.json")
OTHERS = "repos:\n- repo: https://github.com/PyCQA/flake8\n  rev: 7.3.0\n  hooks:\n  - id: flake8\n"


def texts(folder: Path) -> list[str | None]:
    return [(folder / name).read_text() if (folder / name).exists() else None for name in FILES]


@pytest.mark.slow
def test_init_writes_what_a_project_needs_and_leaves_what_it_has(tmp_path: Path) -> None:
    write(tmp_path, {"src/store.py": STORE, "pyproject.toml": '[project]\nname = "x"'})
    run(["git", "init", "-q"], tmp_path)
    done = command(tmp_path, "init", "--dry-run")
    assert (done.status, done.errors) == (0, "flake8-jax: note: nothing was written\n")
    assert texts(tmp_path) == ['[project]\nname = "x"', None, None]
    assert command(tmp_path, "init").output == done.output
    configuration, hooks, baseline = texts(tmp_path)
    assert configuration == '[project]\nname = "x"\n\n[tool.flake8-jax]\nbaseline = "flake8-jax-baseline.json"\n'
    assert baseline is not None
    assert '"path": "src/store.py"' in baseline
    assert hooks is not None
    assert yaml.safe_load(hooks)["repos"] == yaml.safe_load(HOOK)
    assert command(tmp_path, "check").notes == ""
    assert command(tmp_path, "check", "src/store.py").status == 0
    before = texts(tmp_path)
    assert "is left as it is" in command(tmp_path, "init").output
    assert texts(tmp_path) == before


def test_init_of_a_project_without_findings_or_git(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "x = 1\n", "pyproject.toml": "[project]\r\n"})
    assert command(tmp_path, "init").status == 0
    assert (tmp_path / "pyproject.toml").read_bytes() == b"[project]\r\n\r\n[tool.flake8-jax]\r\n"
    assert texts(tmp_path)[1:] == [None, None]


def test_init_adds_nothing_to_what_is_no_toml(tmp_path: Path) -> None:
    write(tmp_path, {"store.py": STORE, "pyproject.toml": "a = \n"})
    done = command(tmp_path, "init")
    assert done.status == 2
    assert done.errors.startswith("flake8-jax: error: pyproject.toml: Invalid value")
    assert texts(tmp_path) == ["a = \n", None, None]


@pytest.mark.parametrize(
    "text", ["repos:\n", OTHERS, f"fail_fast: true\n{OTHERS}\n# the end\ndefault_stages: [manual]\n", OTHERS.rstrip()]
)
def test_the_hook_stands_behind_the_others(text: str) -> None:
    after = with_hook(text)
    assert after is not None
    before, found = yaml.safe_load(text), yaml.safe_load(after)
    assert found.pop("repos") == (before.pop("repos") or []) + yaml.safe_load(HOOK)
    assert found == before
    assert with_hook("repos: []\n") is None


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_a_shell_completes_verbs_options_codes_and_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("shtab")
    assert main(["completion", "bash"]) == 0
    script = capsys.readouterr().out
    for words, expected in (
        ("ch", "check"),
        ("check --sel", "--select"),
        ("check --select key-reused-", "key-reused-in-loop"),
        ("explain JAX10", "JAX101 JAX102 JAX103 JAX104 JAX105 JAX106 JAX107"),
        ("rules --status s", "strict"),
    ):
        line = f"COMP_WORDS=(flake8-jax {words}); COMP_CWORD={len(words.split())}; _shtab_flake8_jax"
        done = run(["bash", "-c", f'{script}\n{line} 2>/dev/null; echo "${{COMPREPLY[*]}}"'], tmp_path)
        assert done.output == f"{expected}\n"
    monkeypatch.setitem(sys.modules, "shtab", None)
    assert main(["completion", "zsh"]) == 2
    assert 'pip install "flake8-jax[completion]"' in capsys.readouterr().err


STEPS: tuple[tuple[dict[str, str | bytes], str, str], ...] = (
    ({"a.py": STORE, "pyproject.toml": ""}, "JAX201", f"checked 1 file: 1 finding{fixable(1)}"),
    ({"a.py": REUSE}, "JAX101", "checked 1 file: 1 finding\n"),
    ({"pyproject.toml": "[tool.flake8-jax]\nstrickt = true\n"}, "", "flake8-jax: error: "),
)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_watching_checks_again_after_a_change(tmp_path: Path) -> None:
    write(tmp_path, STEPS[0][0])
    words = [sys.executable, "-m", "flake8_jax", "check", "--watch", "--no-store"]
    with subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        try:
            for changed, code, said in STEPS:
                if changed is not STEPS[0][0]:
                    write(tmp_path, changed)
                assert not code or f" {code} " in process.stdout.readline()
                assert process.stderr.readline().startswith(said)
                assert process.stderr.readline().startswith("watching ")
        finally:
            process.send_signal(signal.SIGINT)
        assert process.wait(600) == 130


@pytest.mark.parametrize("words", [["-"], ["--write-baseline=a.json"], ["--add-noqa"], ["--diff-base=HEAD"]])
def test_what_cannot_be_watched(words: list[str], tmp_path: Path) -> None:
    done = command(tmp_path, "check", "--watch", *words)
    assert (done.status, done.output) == (2, "")
    assert done.errors.startswith("flake8-jax: error: --watch ")
