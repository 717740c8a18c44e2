"""Findings as JSON, one record on each line: the records of `json`."""

from __future__ import annotations

import json

from flake8_jax.driver.reporters.json import records
from flake8_jax.driver.reporters.outcome import Outcome


def render(outcome: Outcome) -> str:
    """One line for each finding."""
    return "".join(f"{json.dumps(record)}\n" for record in records(outcome))
