"""Sets of kinds have one place and one name: `domain/kinds.py`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from flake8_jax.domain import kinds
from flake8_jax.domain.kinds import Kind
from tests.support.sources import MODULES, PACKAGE

NAMED = {name: value for name, value in vars(kinds).items() if isinstance(value, frozenset)}
CONTENTS = {content: name for name, content in NAMED.items()}
WRITTEN = re.compile(r"(?<!import )[(\[{]\s*([A-Z]{3,}(?:,\s*[A-Z]{3,})+),?\s*[)\]}]")
MOST_WRITTEN_OUT = 4


def collections(text: str) -> Iterator[frozenset[Kind]]:
    """The collections of kinds that are written out in a file."""
    for names in WRITTEN.findall(text) if f"from {kinds.__name__} import" in text else ():
        each = {name.strip() for name in names.split(",")}
        if each <= set(Kind.__members__):
            yield frozenset(map(Kind.__getitem__, each))


def test_no_two_names_mean_the_same_kinds() -> None:
    assert len(CONTENTS) == len(NAMED)


def test_a_named_set_has_a_sentence() -> None:
    text = (PACKAGE / "domain" / "kinds.py").read_text(encoding="utf-8")
    assert set(NAMED) == set(re.findall(r'^(\w+) = [^"]+?\n"""[A-Z][^"]+\."""', text, re.MULTILINE))


def test_sets_are_named_in_one_place() -> None:
    texts = {module: (PACKAGE / f"{module}.py").read_text(encoding="utf-8") for module in MODULES}
    offenders = [
        f"{module}: {CONTENTS.get(content, 'needs a name')}"
        for module, text in texts.items()
        if module != "domain/kinds"
        for content in collections(text)
        if content in CONTENTS or len(content) > MOST_WRITTEN_OUT
    ]
    assert not offenders, "\n".join(offenders)


def test_every_spelling_is_seen() -> None:
    uses = "A = frozenset((KEY, REF))\nb = x in {REF, KEY} or y in [KEY, REF]\n"
    text = f"from {kinds.__name__} import KEY, REF\n{uses}"
    assert list(collections(text)) == [frozenset((Kind.KEY, Kind.REF))] * 3
