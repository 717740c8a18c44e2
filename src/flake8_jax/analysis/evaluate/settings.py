"""Settings of JAX that change what runs: below which `with`, and after which call, nothing is staged."""

from __future__ import annotations

from dataclasses import replace

from flake8_jax.analysis.callables import Arguments
from flake8_jax.analysis.evaluate.narrowing import peek
from flake8_jax.analysis.frame import Frame
from flake8_jax.api.settings import SETTING, UNSTAGED
from flake8_jax.ir.ops import Call, Const, Op


def opens_unstaged(frame: Frame, manager: Op) -> bool:
    """Is nothing staged below a manager?"""
    if type(manager) is not Call:
        return False
    callee = peek(frame, manager.func)
    given = [*manager.args, *(value for _, value in manager.keywords)]
    is_on = all(type(one) is Const and one.value is True for one in given)
    return is_on and callee is not None and callee.name in UNSTAGED


def note_setting(frame: Frame, name: str, arguments: Arguments) -> None:
    """Note that JAX stages nothing from here on, by `jax.config.update("jax_disable_jit", True)`."""
    if name == "jax.config.update" and [one.constant for one in arguments.positional] == [SETTING, True]:
        frame.context = replace(frame.context, is_unstaged=True)
