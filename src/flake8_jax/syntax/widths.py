"""The switch for 64-bit types: is it mentioned in code, or in the settings of a project?

    jax.config.update("jax_enable_x64", True)       set, and so by names, strings and keywords in any other way
    jax.config.update("jax_enable_x64", False)      off, as it is anyhow
    # jax.config.update("jax_enable_x64", True)     a comment sets nothing; of a docstring, only its examples do

Whoever asks for the state of the switch writes for both, so that every mention counts.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Collection, Iterable, Iterator

from flake8_jax.lazy_patterns import compiled
from flake8_jax.syntax.source import parsed

_SWITCH = r"(?:enable|disable|jax|use|allow|set|with)[_-]?x64|x64[_-]?(?:enabled|mode|dtypes)"
_NAMED = compiled(rf"{_SWITCH}|^x64$", re.IGNORECASE)
_WRITTEN = compiled(rf"{_SWITCH}|^--?x64$|explicitly requested dtype", re.IGNORECASE)
_TURNED_OFF = compiled(r"x64[\"']?\s*[:=,]?\s*[\"']?(?:0|false|no|off)\b", re.IGNORECASE)
_EXAMPLE = compiled(r"^\s*(?:>>>|\.\.\.) .*", re.MULTILINE)
_OFF = (False, 0, "0", "", "false", "False", "off")
_SETTERS = frozenset(("update", "setdefault", "putenv", "setenv", "setattr", "enable_x64"))
_ASKING = ("float64", "int64", "complex128", "double", "f8", "i8", "u8", "c16")
_HINTS = ("x64", "X64", "xplicitly requested dtype")

_FOLDERS = ("", "scripts", "bin", "nix", "docker", "slurm", os.path.join(".github", "workflows"))
_SUFFIXES = (
    ".toml", ".ini", ".cfg", ".env", ".sh", ".bash", ".zsh", ".fish", ".slurm", ".sbatch", ".ps1", ".bat", ".nix",
    ".mk", ".yml", ".yaml", ".md", ".rst", ".txt",
)  # fmt: skip
_EDITORS = (".devcontainer", ".vscode")
"""The folders whose files of JSON are settings; elsewhere they are data, and reports of linters."""

_NAMES = frozenset(("Makefile", "Dockerfile", "justfile", ".env", ".envrc", "Procfile"))
_MOST_BYTES = 300_000


def truncates(texts: Iterable[str], root: str, libraries: Collection[str]) -> bool:
    """Do the files of a project ask for types of 64 bits, and is the switch mentioned nowhere?

    Some `libraries` turn it on where they are imported.
    """
    found = list(texts)
    if not any(map(_asks, found)) or any(_enables(text, libraries) for text in found):
        return False
    return not settings_enable_x64(root)


def are_alike(one: str, other: str, libraries: Collection[str]) -> bool:
    """Do two texts of a file mean the same to `truncates`?"""
    return _asks(one) == _asks(other) and _enables(one, libraries) == _enables(other, libraries)


def _asks(text: str) -> bool:
    return any(word in text for word in _ASKING)


def _enables(text: str, libraries: Collection[str]) -> bool:
    if mentions_x64(text):
        return True
    named = [name for name in libraries if name in text]
    pattern = rf"^[ \t]*(?:import|from)[ \t]+(?:{'|'.join(map(re.escape, named))})\b"
    return bool(named) and re.search(pattern, text, re.MULTILINE) is not None


def mentions_x64(text: str) -> bool:
    """Does the code of a file set the switch, or ask for it?"""
    if not any(hint in text for hint in _HINTS):
        return False
    tree = parsed(text)
    if tree is None:
        return _WRITTEN.search(text) is not None
    left_out: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            left_out.add(node.value)
            if any(map(_WRITTEN.search, _EXAMPLE.findall(node.value.value))):
                return True
        elif _turns_off(node):
            left_out.update(ast.walk(node))
        if node not in left_out and any(_is_mention(node)):
            return True
    return False


def _is_mention(node: ast.AST) -> Iterator[bool]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield _WRITTEN.search(node.value) is not None
    for name in ("id", "attr", "arg", "name"):
        held = None if isinstance(node, ast.alias) else getattr(node, name, None)
        yield isinstance(held, str) and _NAMED.search(held) is not None


def _turns_off(node: ast.AST) -> bool:
    """Is it a statement or call that turns something off?"""
    if isinstance(node, ast.Assign):
        return _is_off(node.value)
    if not isinstance(node, ast.Call):
        return False
    name = getattr(node.func, "attr", getattr(node.func, "id", ""))
    given = [*node.args, *(keyword.value for keyword in node.keywords)]
    return name in _SETTERS and bool(given) and _is_off(given[-1])


def _is_off(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value in _OFF and node.value is not None


def settings_enable_x64(root: str) -> bool:
    """Is the switch set in the settings, scripts or documents of a project?"""
    return any(_sets(line) for path in _settings(root) for line in _lines(path))


def _sets(line: str) -> bool:
    is_comment = line.lstrip().startswith(("# ", "#j", "#J", ";"))
    return not is_comment and _WRITTEN.search(line) is not None and _TURNED_OFF.search(line) is None


def _settings(root: str) -> Iterator[str]:
    for inner in (*_FOLDERS, *_EDITORS):
        folder = os.path.join(root, inner)
        try:
            names = sorted(os.listdir(folder))
        except OSError:
            continue
        suffixes = (".json", *_SUFFIXES) if inner in _EDITORS else _SUFFIXES
        yield from (os.path.join(folder, name) for name in names if name in _NAMES or name.endswith(suffixes))


def _lines(path: str) -> list[str]:
    """The lines of a file that may mention the switch."""
    try:
        with open(path, "rb") as file:
            data = file.read(_MOST_BYTES)
    except OSError:
        return []
    lowered = data.lower()
    if b"x64" not in lowered and b"explicitly requested" not in lowered:
        return []
    return data.decode(errors="replace").splitlines()
