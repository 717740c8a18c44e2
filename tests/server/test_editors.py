"""Editors without a window talk with the server, where they are installed; docs/editors.md says which were tried."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from flake8_jax.model.config import OPTIONS
from tests.support.commands import STORE, write
from tests.support.sources import ROOT

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

pytest.importorskip("pygls")

SCRIPTS = Path(__file__).with_name("editors")
PAGE = (ROOT / "docs" / "editors.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


def test_the_lines_to_paste_can_be_read() -> None:
    from flake8_jax.server.settings import OWN, ServerSettings

    read = [json.loads(block) for block in blocks("json")]
    assert len(read) == 6
    settings = ServerSettings.of(read[0])
    assert settings.wrong == ()
    assert {*settings.values} <= {option.key for option in OPTIONS}
    assert tuple(re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE)) == OWN
    (helix,) = blocks("toml")
    started = [tomllib.loads(helix)["language-server"]["flake8-jax"], *(one for one in read if "command" in str(one))]
    assert all("flake8-jax" in str(one) and "server" in str(one) for one in started)


def seen(folder: Path, *words: str) -> str:
    """What an editor says, for which `flake8-jax` is the command of this checkout."""
    write(folder, {"project/pyproject.toml": "", "project/store.py": STORE, "bin/flake8-jax": COMMAND})
    command = folder / "bin" / "flake8-jax"
    command.chmod(0o755)
    found = {"PATH": f"{command.parent}{os.pathsep}{os.environ['PATH']}", "HOME": str(folder)}
    subprocess.run(["git", "init", "-q"], cwd=folder / "project", check=True)
    done = subprocess.run(
        words, cwd=folder / "project", env={**os.environ, **found}, capture_output=True, text=True, timeout=600
    )
    return done.stdout + done.stderr


COMMAND = f'#!/bin/sh\nexec {sys.executable} -m flake8_jax "$@"\n'


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("nvim") is None, reason="Neovim is not installed")
def test_neovim(tmp_path: Path) -> None:
    said = seen(tmp_path, "nvim", "--headless", "-u", "NONE", "store.py", f"+luafile {SCRIPTS / 'neovim.lua'}")
    assert "4: JAX201 `x[0]` is assigned" in said


def has_eglot() -> bool:
    asked = ["emacs", "--batch", "--eval", "(kill-emacs (if (require 'eglot nil t) 0 1))"]
    return shutil.which("emacs") is not None and subprocess.run(asked, capture_output=True).returncode == 0


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("emacs") is None, reason="Emacs is not installed")
def test_emacs(tmp_path: Path) -> None:
    if not has_eglot():
        pytest.skip("Emacs has no eglot")
    said = seen(tmp_path, "emacs", "--batch", "-l", str(SCRIPTS / "eglot.el"), "store.py")
    assert re.search(r"^4: .*JAX201", said, re.MULTILINE), said
