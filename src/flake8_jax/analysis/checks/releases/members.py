"""Attributes and methods of arrays that a release lacks, warns of, or takes other arguments for.

x.device_buffer                 removed
x.device()                      a property since 0.4.31, and no method any more
x.sort(kind="stable")           an argument of which JAX warns
"""

from __future__ import annotations

from flake8_jax.analysis.checks.releases.checking import is_prepared
from flake8_jax.analysis.checks.releases.events import event_of
from flake8_jax.analysis.checks.releases.judging import Judgement, allowed_for, judged
from flake8_jax.analysis.checks.releases.uses import NameUse
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.summaries.deferral import emit
from flake8_jax.api import versions
from flake8_jax.api.versions import ARRAY, at
from flake8_jax.domain.kinds import ARRAY as ARRAYS
from flake8_jax.domain.payload import AT, ArrayDoubt
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import chains_of


def check_member(frame: Frame, base: Value, op: ops.Attr) -> None:
    """Report an attribute of an array that is none any more."""
    if base.kind is not ARRAYS or base.payload is AT or type(base.payload) is ArrayDoubt:
        return
    if frame.context.is_prepared or frame.exits.caught:
        return
    around = chains_of(frame.function).parents.get(op)
    call = around if type(around) is ops.Call and around.func is op else None
    use = NameUse(op, f"{ARRAY}.{op.name}", call)
    target = frame.program.linked.target
    found = judged(use, target)
    if call is not None and not found:
        allowed = allowed_for(use.name, target)
        row = versions.history(use.name)
        kinds = row.kind if row is not None else ()
        if at(kinds, allowed.highest) == "value" and any(each.text == "def" for each in kinds):
            when = next((each.version for each in kinds if each.version > kinds[0].version), ())
            found = [Judgement("removed", "method", use.name, f".{op.name}()", when, "", "", False, allowed)]
    for one in found:
        if not is_prepared(op, one):
            event = event_of(use, one)
            emit(frame, (type(event), event.op, (one.what,)), lambda event=event: event)  # type: ignore[misc]
