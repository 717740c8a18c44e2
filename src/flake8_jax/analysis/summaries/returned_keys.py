"""Keys that a callee used up and handed back: in the caller they are used already.

def sample(key):                        handed back: the key, on line 3
    return normal(key), key
x, key = sample(key)                    `key` is another name of a used key from here on
y = normal(key)                         the use that shows it: reported in `sample`
"""

from __future__ import annotations

from flake8_jax.analysis.labels.callees import code_of
from flake8_jax.analysis.summaries.substitution import Substitution
from flake8_jax.analysis.summaries.translation import translated
from flake8_jax.domain.provenance import Use
from flake8_jax.domain.resources import MAXIMUM_DEPTH, DrawSite, Used
from flake8_jax.domain.value import Value


def mark_returned_keys(site: Substitution, by: str, is_method: bool) -> None:
    """Mark the keys in the result of a call that the callee used up."""
    frame, op = site.frame, site.op
    apart: dict[Value, Value] = {}
    for one in site.summary.requires.handed_back:
        when = translated(site, one.when)
        if when is None or one.draw.depth >= MAXIMUM_DEPTH:
            continue
        if one.value not in apart:
            apart[one.value] = site.renewed_value(one.value)
        value, state = apart[one.value], frame.live()
        arguments = tuple(site.bound.items())
        draw = DrawSite(op, code_of(frame), "", (one.draw,), arguments, is_method, one.draw.depth + 1)
        use = Use(frame.namespace.path, op.anchor.line, by)
        used = Used(op, use, site.assume(when), frame.iterations, None, draw, None, one.kept)
        state.used.add(value, (used,))
