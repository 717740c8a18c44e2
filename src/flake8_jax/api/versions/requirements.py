"""What a project requires of libraries: pyproject.toml, setup.cfg, setup.py, requirements*.txt, environment*.yml, lock
files.

    jax[cuda12]>=0.4.30,<0.7 ; python_version > "3.9"       jax, (">=", "0.4.30"), ("<", "0.7")
    jax = "^0.4.30"                                         of Poetry: from 0.4.30 on, below 0.5
    jax==0.4.30 --hash=...                                  pinned
    - jax=0.4.30=py311h5eee18b_0                            of conda: 0.4.30, in any build

Files are asked in this order, and the first that bounds a library counts; of one that names it several times, as
extras do, all that any of them allows.  What a script says of itself (PEP 723), or asserts at its top (`assert
numpyro.__version__.startswith("0.2.4")`), counts for it alone.  A lock, or an environment of conda, says what an
application runs with: it counts where the project is no package that others install.
"""

from __future__ import annotations

import ast
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from flake8_jax.api.versions import DISTRIBUTIONS, ReleaseNumber, parsed
from flake8_jax.digests import blake2b
from flake8_jax.lazy_dataclasses import dataclass
from flake8_jax.lazy_patterns import compiled

Bounds: TypeAlias = "tuple[tuple[str, str], ...]"

NAME = r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?"
SPECIFIER = compiled(r"(===|==|!=|~=|>=|<=|>|<|\^|=)\s*v?(\d+(?:\.\d+)*(?:\.\*)?)[\w.+-]*")
REQUIREMENT = compiled(
    rf"\s*(?P<name>{NAME})\s*(?:\[[^\]]*\])?\s*\(?\s*(?P<bounds>(?:(?:===|==|!=|~=|>=|<=|>|<)\s*[\w.*+!-]+\s*,?\s*)*)\)?\s*(?:$|[;#@\\]|--)"
)
SCRIPT = compiled(r"^# /// script\s*\n((?:#(?: .*)?\n)+?)# ///\s*$", re.MULTILINE)
ASSERTED = compiled(
    r"^assert (\w+)\.__version__(?:\.startswith\([\"']([\d.]+)[\"']\)| *(==|>=|<=|<|>) *[\"']([\d.]+)[\"'])",
    re.MULTILINE,
)
WHENCE, BY_ASSERT = "whence", "what the file asserts"
PYPROJECT, CFG, SETUP = "pyproject.toml", "setup.cfg", "setup.py"
LOCKS = ("uv.lock", "poetry.lock", "pdm.lock", "Pipfile.lock")
ENVIRONMENT = compiled(r"(?:conda[-_]?)?env(?:ironment)?[\w.-]*\.ya?ml")
PINNED = compiled(rf"(?P<name>{NAME})=(?P<version>\d[\w.]*)(?:=.*)?")
LOWER = frozenset((">=", ">", "==", "===", "~=", "^", "="))
UPPER = frozenset(("<=", "<", "==", "===", "~=", "^", "="))
FOLDERS = ("", "requirements")
MOST_BYTES = 4_000_000


@dataclass(frozen=True, slots=True)
class Required:
    """What a file says of a library: alternatives of bounds, and the file's name."""

    alternatives: tuple[Bounds, ...]
    source: str

    def allows(self, version: ReleaseNumber) -> bool:
        """Is a release within the bounds?"""
        return any(all(_holds(version, *bound) for bound in bounds) for bounds in self.alternatives)

    @property
    def has_lower(self) -> bool:
        """Is the oldest release told?"""
        return all(any(sign in LOWER for sign, _ in alternative) for alternative in self.alternatives)


def files_of(root: str) -> list[str]:
    """The files of a project that may say what it requires, in the order in which they are asked."""
    found = [os.path.join(root, name) for name in (PYPROJECT, CFG, SETUP)]
    for folder in FOLDERS:
        place = os.path.join(root, folder)
        try:
            names = sorted(os.listdir(place), key=lambda name: (name != "requirements.txt", name))
        except OSError:
            continue
        found += [os.path.join(place, name) for name in names if _is_list(name, folder)]
    last = (*_environments(root), *(os.path.join(root, name) for name in LOCKS))
    return [path for path in (*found, *last) if os.path.isfile(path)]


def _environments(root: str) -> list[str]:
    try:
        names = sorted(os.listdir(root), key=lambda name: (len(name), name))
    except OSError:
        return []
    return [os.path.join(root, name) for name in names if ENVIRONMENT.fullmatch(name)]


def digests_of(root: str) -> Iterator[tuple[str, bytes]]:
    """The files that may say what a project requires, with digests of their texts."""
    for path in files_of(root):
        yield path, blake2b(_text(path).encode(), digest_size=16).digest()


def _is_list(name: str, folder: str) -> bool:
    return name.endswith(".txt") and (bool(folder) or "requirements" in name)


def required(root: str) -> dict[str, Required]:
    """What a project requires, by the names of libraries in lower case with dashes."""
    found: dict[str, Required] = {}
    locked: dict[str, Required] = {}
    is_package = False
    for path in files_of(root):
        name, text = os.path.basename(path), _text(path)
        shown = os.path.relpath(path, root).replace(os.sep, "/")
        said: dict[str, list[Bounds]] = {}
        is_environment = ENVIRONMENT.fullmatch(name) is not None
        try:
            for library, bounds in _READERS.get(name, _of_conda if is_environment else _of_list)(text):
                said.setdefault(re.sub(r"[-_.]+", "-", library).lower(), []).append(bounds)
        except ValueError:  # it is no such file
            continue
        is_package = is_package or name == SETUP or (name == PYPROJECT and "[build-system]" in text)
        into = locked if name in LOCKS or is_environment else found
        for library, alternatives in said.items():
            if all(alternatives):
                into.setdefault(library, Required(tuple(dict.fromkeys(alternatives)), shown))
    return {**locked, **found} if is_package else {**found, **locked}


def script_block(text: str) -> str | None:
    """The block in which a script says what it requires (PEP 723), without its comment signs."""
    match = SCRIPT.search(text) if "/// script" in text else None
    return re.sub(r"(?m)^# ?", "", match[1]) if match is not None else None


def asserted_block(text: str) -> str | None:
    """What a file asserts of the releases of libraries at its top, as such a block."""
    found = ASSERTED.findall(text) if "__version__" in text else []
    wanted = [f"{DISTRIBUTIONS.get(name, name)}{sign or '=='}{one or version}" for name, one, sign, version in found]
    listed = ", ".join(f'"{one}"' for one in wanted)
    return f"{WHENCE} = \"{BY_ASSERT}\"\ndependencies = [{listed}]\n" if wanted else None


def required_by(block: str) -> dict[str, Required]:
    """What a script's block requires."""
    try:
        told = _toml(block)
    except ValueError:
        return {}
    found, whence = _all(_listed(told.get("dependencies"))), str(told.get(WHENCE, "the script's block"))
    return {name.lower(): Required((bounds,), whence) for name, bounds in found if bounds}


def project_name(root: str) -> str:
    """What a project calls itself; "" if it does not."""
    text = _text(os.path.join(root, PYPROJECT))
    try:
        data = _toml(text)
    except ValueError:
        data = {}
    project, poetry = _table(data, "project"), _table(data, "tool", "poetry")
    name = project.get("name") or poetry.get("name")
    if not isinstance(name, str):
        found = re.search(r"^\[metadata\][^\[]*?^name\s*=\s*(\S+)", _text(os.path.join(root, CFG)), re.M | re.S)
        name = found[1] if found is not None else ""
    return re.sub(r"[-_.]+", "-", name).lower()


def requirement(text: str) -> tuple[str, Bounds] | None:
    """One requirement as packages state it; None for what is none."""
    match = REQUIREMENT.match(text)
    return (match["name"], bounds_of(match["bounds"])) if match is not None else None


def bounds_of(text: str) -> Bounds:
    """The bounds that a text states."""
    return tuple((sign, version) for sign, version in SPECIFIER.findall(text))


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(MOST_BYTES)
    except OSError:
        return ""


def _toml(text: str) -> Mapping[str, Any]:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    return tomllib.loads(text)


def _table(data: Mapping[str, Any], *names: str) -> Mapping[str, Any]:
    for name in names:
        found = data.get(name)
        data = found if isinstance(found, dict) else {}
    return data


def _all(texts: Iterable[object]) -> Iterator[tuple[str, Bounds]]:
    for text in texts:
        found = requirement(text) if isinstance(text, str) else None
        if found is not None:
            yield found


def _of_pyproject(text: str) -> Iterator[tuple[str, Bounds]]:
    data = _toml(text)
    project = _table(data, "project")
    groups = (*_table(project, "optional-dependencies").values(), *_table(data, "dependency-groups").values())
    own = dict.fromkeys(_all(_listed(project.get("dependencies"))))
    yield from own
    poetry = _table(data, "tool", "poetry")
    tables = [_table(poetry, "dependencies"), _table(poetry, "dev-dependencies")]
    tables += [_table(group, "dependencies") for group in _table(poetry, "group").values() if isinstance(group, dict)]
    told = {name for name, bounds in own if bounds}
    for table in tables:
        for name, value in table.items():
            bounds = _of_poetry(value)
            if bounds is not None and name not in told:
                told.add(name)
                yield name, bounds
    for name, bounds in _all(one for group in groups for one in _listed(group)):
        if name not in told and bounds:
            yield name, bounds


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _of_poetry(value: object) -> Bounds | None:
    if isinstance(value, dict):
        value = value.get("version")
    if not isinstance(value, str):
        return None
    return bounds_of(f"=={value}" if value[:1].isdigit() else value)


def _of_cfg(text: str) -> Iterator[tuple[str, Bounds]]:
    for block in re.finditer(r"^(?:install_requires|\w+)[ \t]*=[ \t]*\n?((?:[ \t]+\S.*\n?|[ \t]*\n)*)", text, re.M):
        yield from _all(line.strip() for line in block[1].splitlines())


def _of_setup(text: str) -> Iterator[tuple[str, Bounds]]:
    try:
        tree = ast.parse(text)
    except (SyntaxError, RecursionError) as error:
        raise ValueError from error
    strings = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str))
    yield from (found for found in _all(strings) if found[1])


def _of_list(text: str) -> Iterator[tuple[str, Bounds]]:
    yield from _all(line.strip() for line in text.splitlines() if not line.lstrip().startswith(("#", "-")))


def _of_conda(text: str) -> Iterator[tuple[str, Bounds]]:
    """What an environment lists, of conda or, below `pip`, of others."""
    for line in text.splitlines():
        dash, _, listed = line.partition("#")[0].strip().partition(" ")
        said = listed.strip().strip("\"'").rpartition("::")[2]
        pinned = PINNED.fullmatch(said)
        if dash == "-" and pinned is not None:
            yield pinned["name"], (("==", f"{pinned['version']}.*"),)
        elif dash == "-":
            yield from _all((said,))


def _of_lock(text: str) -> Iterator[tuple[str, Bounds]]:
    for name, version in re.findall(r'^name = "([^"]+)"\nversion = "([^"]+)"', text, re.M):
        yield name, (("==", version),)


def _of_pipfile(text: str) -> Iterator[tuple[str, Bounds]]:
    import json

    lock = json.loads(text)
    for name, entry in _table(lock if isinstance(lock, dict) else {}, "default").items():
        if isinstance(entry, dict) and isinstance(entry.get("version"), str):
            yield name, bounds_of(entry["version"])


_READERS: dict[str, Callable[[str], Iterator[tuple[str, Bounds]]]] = {
    PYPROJECT: _of_pyproject, CFG: _of_cfg, SETUP: _of_setup, "Pipfile.lock": _of_pipfile,
    **dict.fromkeys(LOCKS[:3], _of_lock),
}  # fmt: skip


def _holds(version: ReleaseNumber, sign: str, text: str) -> bool:
    bound, is_open = parsed(text), text.endswith(".*")
    size = max(len(version), len(bound))
    mine, other = (*version, *(0,) * (size - len(version))), (*bound, *(0,) * (size - len(bound)))
    match sign:
        case "==" | "===" | "=":
            return version[: len(bound)] == bound if is_open else mine == other
        case "!=":
            return not (version[: len(bound)] == bound if is_open else mine == other)
        case ">=":
            return mine >= other
        case "<=":
            return mine <= other
        case ">":
            return mine > other
        case "<":
            return mine < other
        case "~=":
            return mine >= other and version[: len(bound) - 1] == bound[:-1]
        case "^":
            kept = next((place for place, number in enumerate(bound) if number), len(bound) - 1) + 1
            return mine >= other and version[:kept] == bound[:kept]
    return True
