"""Pages of the repository as pages of the site: links, codes of rules, fences, diagrams."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Collection

FENCE = re.compile(r"^( *)```(.*)$")
LINK = re.compile(r"(?<!!)\[((?:`[^`]*`|\[[^\]]*\]|[^\[\]`])*)\]\(([^()\s]+)\)")
_CODE = re.compile(r"`[^`]*`|(?<!!)\[(?:`[^`]*`|[^\[\]`])*\]\([^()\s]+\)|<[^>]*>|\b(JAX\d{3})\b")
_RULE_FILE = re.compile(r"(?:^|/)src/flake8_jax/rules/(jax\d{3})_\w+\.py$")
_EDGE = re.compile(r"^\s*(\w+) --> (.+)$")
ROLES = {"bad": "Bad", "good": "Good"}
MOVED = {"README.md": "index.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}
"""What stands at the top of the repository, and what it is called on the site."""


def page_of(text: str, source: str, target: str, known: Collection[str], codes: Collection[str]) -> str:
    """A page for the site.

    `source` is where the text stands in the repository, `target` where it is on the site; `known` are the pages of the
    site, to which links are kept; what they name else becomes plain text, since the repository has no public address.
    """
    return _outside_fences(text, lambda line: _line(line, source, target, known, codes))


def _outside_fences(text: str, change: Callable[[str], str]) -> str:
    lines, opened = [], ""
    diagram: list[str] | None = None
    for line in text.splitlines():
        fence = FENCE.match(line)
        if fence is None:
            if diagram is not None:
                diagram.append(line)
            else:
                lines.append(line if opened else change(line))
        elif opened:
            lines += _table_of(diagram) if diagram is not None else [line]
            opened, diagram = "", None
        else:
            opened = line
            if fence[2] == "mermaid":
                diagram = []
            else:
                lines.append(fence[1] + _opening(fence[2]))
    return "\n".join(lines) + "\n"


def _opening(info: str) -> str:
    language, *words = info.split() or [""]
    role = next((word for word in words if word in ROLES), None)
    return f"```{language}" if role is None else f'``` {{ .{language} .{role} title="{ROLES[role]}" }}'


def _table_of(diagram: list[str]) -> list[str]:
    """A graph of who imports whom as a table, which needs no script to be drawn."""
    edges = [found for found in map(_EDGE.match, diagram) if found is not None]
    rows = [f"| `{edge[1]}` | {', '.join(f'`{end.strip()}`' for end in edge[2].split('&'))} |" for edge in edges]
    return ["| a room | imports |", "|---|---|", *rows]


def _line(line: str, source: str, target: str, known: Collection[str], codes: Collection[str]) -> str:
    if line.startswith("<"):
        return "" if line.startswith("<!--") else line

    def moved(match: re.Match[str]) -> str:
        text, link = match[1], match[2]
        if re.match(r"\w+:|#", link):
            return match[0]
        path, mark, anchor = link.partition("#")
        found = _target(posixpath.normpath(posixpath.join(posixpath.dirname(source), path)), known)
        if found is None:
            return text
        if re.fullmatch(r"[\w./-]+\.md", text):  # a file there is a page here
            text = posixpath.splitext(posixpath.basename(text))[0].lower()
        return f"[{text}]({posixpath.relpath(found, posixpath.dirname(target) or '.')}{mark}{anchor})"

    def linked(match: re.Match[str]) -> str:
        code = match[1]
        if code is None or code not in codes or target == f"rules/{code}.md":
            return match[0]
        return f"[{code}]({posixpath.relpath(f'rules/{code}.md', posixpath.dirname(target) or '.')})"

    line = LINK.sub(moved, line)
    return line if line.startswith("#") else _CODE.sub(linked, line)


def _target(path: str, known: Collection[str]) -> str | None:
    """The page of the site for a file of the repository, if it has one."""
    rule = _RULE_FILE.search(path)
    found = f"rules/{rule[1].upper()}.md" if rule is not None else MOVED.get(path, path.removeprefix("docs/"))
    return found if found in known else None
