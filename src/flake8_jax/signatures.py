"""Signatures kept between runs, file by file: each is given out for as long as no file changed that it rests on.

All that an earlier run wrote down of one file is one entry of the store, beside the digests of the files that any of it
rests on: their texts, and where their imports lead.
"""

from __future__ import annotations

import marshal
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from flake8_jax.snapshots import digest_of

if TYPE_CHECKING:
    from flake8_jax.analysis.written import Written
    from flake8_jax.grounds import Grounds

Place: TypeAlias = "tuple[int, int]"
"""A function's statement, and its number in it."""

Row: TypeAlias = "tuple[bytes, list[tuple[int, int]], list[tuple[str, str]]]"
"""A signature, the files that it rests on, by number, and the names below packages."""


@dataclass(slots=True, eq=False)
class Signatures:
    """What is known of the functions of one project; files that `changed` are not as they are on the disk."""

    grounds: Grounds
    changed: frozenset[str] = frozenset()
    _known: dict[str, dict[Place, Written]] = field(default_factory=dict)

    def get(self, path: str, number: int, which: int) -> Written | None:
        """The signature of a function of a file, if nothing changed that it rests on."""
        known = self._known.get(path)
        if known is None:
            known = self._known[path] = self._load(path)
        return known.get((number, which))

    def keep(self, found: Mapping[str, Mapping[Place, Written]]) -> None:
        """Keep more signatures, by file, beside those that still stand."""
        grounds = self.grounds
        for path, fresh in found.items():
            known = self._known[path] = {**(self._known.get(path) or self._load(path)), **fresh}
            rest = dict.fromkeys(file for _, on, _ in known.values() for file, _ in on)
            files = {file: number for number, file in enumerate(rest)}
            if not all(grounds.snapshot.holds(grounds.project, file) for file in files):
                continue
            heads = [(file, grounds.snapshot.digest(file), self._leads(file)) for file in files]
            rows = {
                place: (data, [(files[file], bits) for file, bits in on], asked)
                for place, (data, on, asked) in known.items()
            }
            names = {one: grounds.project.submodule(*one) for _, _, asked in known.values() for one in asked}
            grounds.store.put("signatures", self._key(path), marshal.dumps((heads, names, rows)))

    def _load(self, path: str) -> dict[Place, Written]:
        grounds = self.grounds
        if path in self.changed or not grounds.snapshot.digest(path):
            return {}
        kept = grounds.store.get("signatures", self._key(path))
        if kept is None or not grounds.snapshot.holds(grounds.project, path):
            return {}
        heads, names, rows = marshal.loads(kept)
        stale = {number for number, head in enumerate(heads) if not self._stands(*head)}
        gone = {one for one, found in names.items() if grounds.project.submodule(*one) != found}
        return {
            place: (data, [(heads[file][0], bits) for file, bits in on], asked)
            for place, (data, on, asked) in rows.items()
            if all(file not in stale for file, _ in on) and gone.isdisjoint(asked)
        }  # fmt: skip

    def _stands(self, path: str, text: bytes, leads: bytes) -> bool:
        return path not in self.changed and self.grounds.snapshot.digest(path) == text and self._leads(path) == leads

    def _leads(self, path: str) -> bytes:
        return self.grounds.snapshot.leads_of(self.grounds.project, path)

    def _key(self, path: str) -> bytes:
        return digest_of(("signatures", os.fsencode(path), self.grounds.snapshot.digest(path)))
