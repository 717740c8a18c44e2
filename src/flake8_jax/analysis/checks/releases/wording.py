"""The words of what a release lacks or warns of.

    `jax.tree_map` is not in JAX 0.10.2 (pyproject.toml): it was removed in 0.6.0; use `jax.tree.map`
"""

from __future__ import annotations

from flake8_jax.analysis.checks.context import ending
from flake8_jax.analysis.checks.releases.events import NameRemoved, NameTooNew, UseOfRelease


def reason(event: UseOfRelease) -> str:
    """What the release lacks or warns of."""
    name, what = event.name, event.what
    if isinstance(event, (NameRemoved, NameTooNew)):
        match event.form:
            case "name":
                return f"`{name}` is not in {event.release}"
            case "keyword":
                return f"`{name}` has no `{what}` in {event.release}"
            case "places":
                return f"`{name}` takes only {what} positional arguments in {event.release}"
    subject = f"`{what}` of `{name}`" if what else f"`{name}`"
    return f"{subject} is deprecated in {event.release}"


def source(event: UseOfRelease) -> str:
    """What says which release is meant, and since when it is so."""
    if not event.when:
        return f" ({event.whence})"
    if isinstance(event, NameTooNew):
        return f" ({event.whence}): it came in {event.when}"
    if isinstance(event, NameRemoved):
        return f" ({event.whence}): {'that changed' if event.form == 'places' else 'it was removed'} in {event.when}"
    return f" ({event.whence}), since {event.when}"


def words(event: UseOfRelease) -> str:
    """What to write instead, or what the library says."""
    if event.instead:
        return ending(event.instead)
    if isinstance(event, NameTooNew):
        return ending(f"require {event.library} {event.when}" if event.when else "")
    if event.form == "places" and not event.says:
        return ending("give the others by keyword")
    return ending(f"{event.library} says: {event.says.rstrip('.')}" if event.says else "")
