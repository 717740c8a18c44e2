"""Which keys a dict has: those of its display, and what is stored there since.

output = {"logits": x}
output.update(collected())          of what else it has now nothing is known
"scores" in output                  no code here has put that there
"""

from __future__ import annotations

from flake8_jax.analysis.frame import Frame
from flake8_jax.domain.conditions import Fact
from flake8_jax.domain.kinds import DICT
from flake8_jax.domain.payload import Entries
from flake8_jax.domain.value import Value


def decide_membership(frame: Frame, fact: Fact, actual: Value) -> bool | None:
    """Does a fact hold that says whether a dict has a key?  None if the dict is not written out.

    What code puts there of which nothing is known is not counted on.
    """
    if fact.test != "in" or actual.kind is not DICT or type(actual.payload) is not Entries:
        return None
    state = frame.live()
    is_stored = any(step == ("[]", fact.other) for step in state.steps_of(actual))
    if is_stored:
        return None
    return (fact.other in actual.payload.parts) == fact.holds
