"""Where the names of files lead, kept between runs: each statement's for as long as no file changed that this rests on.

All that is known of one file is one entry of the store, beside the digests of the files that any of it rests on: their
texts, and where their imports lead.
"""

from __future__ import annotations

import marshal
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from flake8_jax.snapshots import digest_of

if TYPE_CHECKING:
    from flake8_jax.analysis.leads import Kept
    from flake8_jax.grounds import Grounds


@dataclass(slots=True, eq=False)
class Signposts:
    """What is known of the files of one project, by number of the statement; `changed` files are not as on the disk."""

    grounds: Grounds
    changed: frozenset[str] = frozenset()
    _known: dict[str, dict[int, Kept]] = field(default_factory=dict)

    def get(self, path: str, number: int) -> Kept | None:
        """What is known of a statement, if nothing changed that it rests on."""
        return self._of(path).get(number)

    def keep(self, found: Mapping[str, Mapping[int, Kept]]) -> None:
        """Keep more, beside what still stands."""
        snapshot, project = self.grounds.snapshot, self.grounds.project
        for path, fresh in found.items():
            known = self._of(path)
            known.update(fresh)
            files = {file: n for n, file in enumerate(dict.fromkeys(one for _, on, _ in known.values() for one in on))}
            if snapshot.digest(path) and all(snapshot.holds(project, file) for file in files):
                heads = [(file, *snapshot.standing(project, file)) for file in files]
                rows = {
                    number: (leads, [files[file] for file in on], ask) for number, (leads, on, ask) in known.items()
                }
                asked = {one: project.submodule(*one) for _, _, ask in known.values() for one in ask}
                self.grounds.store.put("signposts", self._key(path), marshal.dumps((heads, asked, rows)))

    def _of(self, path: str) -> dict[int, Kept]:
        found = self._known.get(path)
        if found is None:
            found = self._known[path] = self._load(path)
        return found

    def _load(self, path: str) -> dict[int, Kept]:
        grounds = self.grounds
        is_on_disk = path not in self.changed and bool(grounds.snapshot.digest(path))
        kept = grounds.store.get("signposts", self._key(path)) if is_on_disk else None
        if kept is None or not grounds.snapshot.holds(grounds.project, path):
            return {}
        heads, asked, rows = marshal.loads(kept)
        stale = {
            number for number, (file, *standing) in enumerate(heads)
            if file in self.changed or (*standing,) != grounds.snapshot.standing(grounds.project, file)
        }  # fmt: skip
        gone = {one for one, found in asked.items() if grounds.project.submodule(*one) != found}
        return {
            number: (leads, [heads[file][0] for file in on], ask)
            for number, (leads, on, ask) in rows.items()
            if stale.isdisjoint(on) and gone.isdisjoint(ask)
        }  # fmt: skip

    def _key(self, path: str) -> bytes:
        return digest_of(("signposts", path, self.grounds.snapshot.digest(path)))
