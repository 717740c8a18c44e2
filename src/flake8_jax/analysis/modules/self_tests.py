"""Self-tests: what a module does with random keys where it is run itself, if others of the project import it.

    def solve(key, x): ...

    if __name__ == "__main__":          the module is for those that import it: here it is tried
        key = jax.random.key(0)
        x = jax.random.normal(key, (3,))
        print(solve(key, x))

Of a script that nobody imports this is the work.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flake8_jax.analysis.checks.keys.advancing import KeyNotAdvanced
from flake8_jax.analysis.checks.keys.derivations import KeysAlike
from flake8_jax.analysis.checks.keys.repetition import SCRIPT, KeyRepeated
from flake8_jax.analysis.checks.keys.uses import KeyConsumed
from flake8_jax.domain.effects import Event
from flake8_jax.syntax.tests import is_test_file

if TYPE_CHECKING:
    from flake8_jax.analysis.modules.callers import Search
    from flake8_jax.analysis.modules.files import File

OF_KEYS = (KeyConsumed, KeyNotAdvanced, KeyRepeated, KeysAlike)


def without_self_tests(file: File, events: list[Event], search: Search | None) -> list[Event]:
    """The events without those of keys in the self-test of a module that others of the project import."""
    tried = {event for event in events if isinstance(event, OF_KEYS) and _is_run_as_script(file, event)}
    if not tried or search is None or all(map(is_test_file, search.importers_of(file.path))):
        return events
    return [event for event in events if event not in tried]


def _is_run_as_script(file: File, event: Event) -> bool:
    """Does an event stand below the test of a module whether it is run as a script?"""
    origin = event.op.anchor.origin
    return origin.path == file.path and SCRIPT.match(origin.source.lines[origin.line - 1]) is not None
