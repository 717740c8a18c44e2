"""A code quality report for GitLab, in the part of Code Climate's format that it reads."""

from __future__ import annotations

import json

from flake8_jax.digests import blake2b
from flake8_jax.driver.fingerprints import SIZE
from flake8_jax.driver.reporters.outcome import Outcome
from flake8_jax.model.codes import UNJUDGED
from flake8_jax.model.documents import Json

MAJOR, CRITICAL = "major", "critical"


def render(outcome: Outcome) -> str:
    """One entry for each finding.

    GitLab shows one of several with the same fingerprint, so that here it depends on the path, too.
    """
    entries: list[dict[str, Json]] = []
    for found, fingerprint in zip(outcome.diagnostics, outcome.fingerprints()):
        path = outcome.places.relative(found.path)
        key = f"{path}\0{fingerprint.digest}".encode("utf-8", "surrogatepass")
        first, last = outcome.lines_on_disk(found.path, found.span)
        where = f"{outcome.at(found.path, found.span)[1:]}: " if outcome.is_in_cell(found) else ""
        entries.append(
            {
                "description": f"{where}{found.code} {found.message}",
                "check_name": found.code,
                "fingerprint": blake2b(key, digest_size=SIZE).hexdigest(),
                "severity": CRITICAL if found.code == UNJUDGED else MAJOR,
                "location": {
                    "path": path,
                    "lines": {"begin": first, "end": last},
                },
            }
        )
    return json.dumps(entries, indent=2) + "\n"
