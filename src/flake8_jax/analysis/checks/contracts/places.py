"""Where the arguments of a transform are written, and which input of a caller stands behind one."""

from __future__ import annotations

from flake8_jax.analysis.callables import Arguments
from flake8_jax.analysis.evidence import CallSite
from flake8_jax.api.transforms import Transform
from flake8_jax.domain.kinds import INPUT
from flake8_jax.domain.staging import Input, Token
from flake8_jax.domain.value import Value
from flake8_jax.ir.ops import Op
from flake8_jax.syntax.tests import is_test_file

NOWHERE = 1_000
"""No position: of a parameter that is given by keyword alone."""


def written(transform: Transform, arguments: Arguments, name: str) -> Op | None:
    """The op of the argument for a parameter, if the call spells it."""
    positional = [
        parameter.name for parameter in transform.parameters if parameter.kind in ("positional", "normal", "varargs")
    ]
    place = positional.index(name) if name in positional else NOWHERE
    return arguments.written(place, name)


def input_outside(value: Value) -> Input | None:
    """The input that a value is, or that was passed to a traced parameter as it is."""
    if value.input is not None or value.kind is not INPUT:
        return value.input
    is_whole = all(type(dependence) is not Token or dependence.stage == "staged" for dependence in value.dependences)
    return value.original.input if is_whole else None


def is_of_a_test(site: CallSite, op: Op) -> bool:
    """Is it a test that calls code of another file?  It may have patched what is called there."""
    test, home = site.op.anchor.origin.shown, op.anchor.origin.shown
    return test != home and is_test_file(test) and not is_test_file(home)
