"""The site: a page for each rule, links that lead somewhere, real bugs that are on record; and MkDocs builds it."""

from __future__ import annotations

import csv
import posixpath
import re
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from flake8_jax.driver.cli.rules import cards
from tests.support.sources import ROOT
from website import pages, rules
from website.evidence import proofs
from website.texts import FENCE, LINK, page_of

GALLERY = (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")
WHERE = r"\[[^\]]+\]\((?P<address>[^)]+)\)|(?P<package>[\w-]+) (?P<version>[\d.]+) \(PyPI\)"
ENTRY = re.compile(rf"^(?:{WHERE}),\s+`(?P<path>[^`]+)`,\s+line\s+(?P<line>\d+),\s+(?P<code>JAX\d+)\.", re.MULTILINE)
PUBLIC = re.compile(r"https://github\.com/([\w.-]+/[\w.-]+)/blob/(\w{40})/(.+)#L(\d+)")


def prose(text: str) -> str:
    """A page without its blocks of code."""
    lines, is_code = [], False
    for line in text.splitlines():
        is_fence = FENCE.match(line) is not None
        is_code ^= is_fence
        lines.append("" if is_code or is_fence else line)
    return "\n".join(lines)


def test_every_rule_has_a_page_with_all_that_is_known_of_it() -> None:
    texts = pages.texts()
    assert {path for path in texts if path.startswith("rules/JAX")} == {f"rules/{card.code}.md" for card in cards()}
    for card in cards():
        text = texts[f"rules/{card.code}.md"]
        assert text.startswith(f"# {card.code} {card.name}\n")
        assert "\n## Precision\n" in text
        assert f'data-family="{card.code[:4]}"><td><a href="{card.code}.html">' in texts["rules/index.md"]
        for proof in proofs(card.code):
            assert f"| {proof.jax} | {proof.where} |" in text
    assert len({(proof.jax, proof.devices) for proof in proofs("JAX101")}) == len(proofs("JAX101")) >= 6
    assert set(rules.families()) == {card.code[:4] for card in cards()}


def test_links_among_pages_lead_somewhere() -> None:
    texts = pages.texts()
    offenders = [
        f"{path}: {link}"
        for path, text in texts.items()
        for _, link in LINK.findall(prose(text))
        if not re.match(r"\w+:|#", link)
        if posixpath.normpath(posixpath.join(posixpath.dirname(path), link.partition("#")[0])) not in texts
    ]
    assert not offenders, "\n".join(offenders)


def test_links_and_codes_become_those_of_the_site() -> None:
    known, codes = {"index.md", "slow.md", "rules/JAX101.md"}, {"JAX101"}

    def shown(text: str, source: str = "docs/a.md", target: str = "a.md") -> str:
        return page_of(text, source, target, known, codes).strip()

    assert shown("[a](slow.md#x) [b](../README.md) [c](../src/b.py)") == "[a](slow.md#x) [b](index.md) c"
    assert shown("[../docs/slow.md](slow.md)") == "[slow](slow.md)"
    assert shown("[a](docs/slow.md)", "README.md", "index.md") == "[a](slow.md)"
    assert shown("[`a`](../src/flake8_jax/rules/jax101_key_reused.py)") == "[`a`](rules/JAX101.md)"
    assert shown("JAX101, `JAX101`, [JAX101](https://x.org), JAX999") == (
        "[JAX101](rules/JAX101.md), `JAX101`, [JAX101](https://x.org), JAX999"
    )
    assert shown("JAX101", target="rules/JAX101.md") == "JAX101"
    assert shown("```python bad\nx  # JAX101\n```") == '``` { .python .bad title="Bad" }\nx  # JAX101\n```'
    assert shown("```python pair good\nx\n```") == '``` { .python .good title="Good" }\nx\n```'
    assert shown("```python other\nx\n```") == "```python\nx\n```"
    assert shown("```mermaid\ngraph TD\n  a --> b & c\n```").endswith("| `a` | `b`, `c` |")


def judged() -> Iterator[tuple[str, str, str, str, str]]:
    """Where people judged a finding to be true."""
    for name, project, version in (("ledger", "project", "version"), ("first_sight", "project", "commit")):
        with (ROOT / "tests" / "corpus" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                if row["verdict"] == "true":
                    yield row[project], row[version], row["path"], row["line"], row["code"]


def test_real_bugs_are_on_record_and_have_public_addresses() -> None:
    known, entries = set(judged()), list(ENTRY.finditer(GALLERY))
    assert len(entries) == GALLERY.count("\n## ") >= 10
    for entry in entries:
        name, version, path, line = entry["package"], entry["version"], entry["path"], entry["line"]
        if entry["address"]:
            address = PUBLIC.fullmatch(entry["address"])
            assert address is not None, entry["address"]
            name, version = address[1], address[2]
            assert (address[3], address[4]) == (path, line)
        assert (name, version, path, line, entry["code"]) in known


class Anchors(HTMLParser):
    """The links of a page, and what they may lead to in it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.names = {""}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("href", "src") and value:
                self.links.append(value)
            elif name == "id" and value:
                self.names.add(value)


@pytest.mark.slow
@pytest.mark.skipif(find_spec("material") is None, reason="the extra `docs` is not installed")
def test_mkdocs_builds_it_and_nothing_on_it_leads_nowhere(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    texts = {path.relative_to(tmp_path).as_posix(): path.read_text("utf-8") for path in tmp_path.rglob("*.html")}
    found = {page: Anchors(text) for page, text in texts.items() if page != "404.html"}
    assert {f"rules/{card.code}.html" for card in cards()} <= set(found)
    links = [(page, urlsplit(link)) for page, anchors in found.items() for link in anchors.links]
    offenders = []
    for page, link in links:
        if link.scheme or link.netloc:
            continue
        path = posixpath.normpath(posixpath.join(posixpath.dirname(page), unquote(link.path))) if link.path else page
        if not (tmp_path / path).exists() or (path in found and unquote(link.fragment) not in found[path].names):
            offenders.append(f"{page}: {link.geturl()}")
    assert not offenders, "\n".join(offenders)
    assert not [page for page, text in texts.items() if "```" in text]
    assert not [page for page, text in texts.items() if re.search(r'(?:src|href)="https?://[^"]*\.(?:js|css)"', text)]
