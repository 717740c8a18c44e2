"""Pages in Markdown on a terminal: headings, code and links as a terminal shows them; plain text stays as it is."""

from __future__ import annotations

import re
from collections.abc import Iterator

from flake8_jax.driver.reporters.style import Part, Style
from flake8_jax.lazy_patterns import compiled

_FENCE = compiled(r"^```(?:\w+ ?)?(bad|good)?.*$")
_INLINE = compiled(
    r"\[(?P<text>(?:`[^`]*`|[^\]`])+)\]\((?P<address>[^)\s]+)\)|(?P<code>`[^`\n]+`)|\b(?P<rule>JAX\d{3})\b"
)
_KINDS: dict[str | None, Part] = {"bad": "removed", "good": "added", None: "gutter"}
INDENT = "    "


def styled(page: str, style: Style) -> str:
    """A page as a terminal shows it; as it is where there are no colours."""
    return "".join(f"{line}\n" for line in _lines(page, style)) if style.is_coloured else page


def _lines(page: str, style: Style) -> Iterator[str]:
    is_code = False
    for line in page.splitlines():
        fence = _FENCE.match(line)
        if fence is not None:
            is_code = not is_code
            if is_code and fence[1]:
                yield style(_KINDS[fence[1]], f"{fence[1]}:")
        elif is_code:
            yield f"{INDENT}{line}".rstrip()
        elif line.startswith("#"):
            yield style("title" if line.startswith("# ") else "path", line.lstrip("#").strip())
        else:
            yield inline(line, style)


def inline(line: str, style: Style) -> str:
    """A line of text with its code, links and the codes of rules as a terminal shows them."""

    def shown(match: re.Match[str]) -> str:
        if match["rule"]:
            return style.link(match["rule"], style.address(match["rule"]))
        if match["code"]:
            return style("note", match["code"])
        return style.link(style("note", match["text"].replace("`", "")), match["address"])

    return _INLINE.sub(shown, line) if style.is_coloured else line
