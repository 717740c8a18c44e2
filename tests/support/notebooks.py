"""Writes notebooks as Jupyter does."""

from __future__ import annotations

import json
from collections.abc import Iterable

KERNEL = {"kernelspec": {"language": "python", "name": "python3"}, "language_info": {"name": "python"}}


def notebook(*cells: str | tuple[str, str], indent: int | None = 1, **top: object) -> str:
    """The file of a notebook with some cells: of code, or of the kind that stands before their text."""
    known = [(cell if isinstance(cell, tuple) else ("code", cell)) for cell in cells]
    document = {"cells": list(_cells(known)), "metadata": KERNEL, "nbformat": 4, "nbformat_minor": 5, **top}
    return json.dumps(document, indent=indent, ensure_ascii=False) + "\n"


def _cells(cells: Iterable[tuple[str, str]]) -> Iterable[dict[str, object]]:
    for number, (kind, text) in enumerate(cells, 1):
        cell: dict[str, object] = {"cell_type": kind, "id": f"c{number}", "metadata": {}}
        cell |= {"execution_count": number, "outputs": [{"text": ["jax\n"]}]} if kind == "code" else {}
        yield {**cell, "source": text.splitlines(keepends=True)}
