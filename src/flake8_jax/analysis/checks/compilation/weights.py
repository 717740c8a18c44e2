"""Models of libraries whose weights are known to be large, and are constants of the compiled code that runs them.

model = eqx.nn.Linear(4096, 4096, key=key)
@jax.jit
def predict(x):
    return model(x)                         64 MB of the program, which does not follow updates of `model`

net = nn.Dense(4096)
params = net.init(key, jnp.ones((1, 4096)))
jax.jit(lambda x: net.apply(params, x))     64 MB, too

How many numbers a layer has at least, by the arguments that it is made with, the table says (`[weights]`).
"""

from __future__ import annotations

from math import prod

from flake8_jax.analysis.checks.compilation.constants import (
    LARGE,
    USUAL,
    ConstantIfJitted,
    field_of_plain,
    frame_around,
)
from flake8_jax.analysis.checks.compilation.turns import number_of
from flake8_jax.analysis.checks.compilation.varying import SIZED
from flake8_jax.analysis.checks.naming import imported_name
from flake8_jax.analysis.frame import Frame
from flake8_jax.analysis.objects.narrowing import peek
from flake8_jax.analysis.summaries.deferral import leave
from flake8_jax.domain.effects import ClassField
from flake8_jax.domain.staging import NONE
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import chains_of
from flake8_jax.ir.ops import Op

INPUT = "input"
"""The last axis of what a network is started with, among the factors of its size."""


def note_weights(frame: Frame, op: Op, model: Value) -> None:
    """Note that traced code would run a layer whose weights are a constant of it."""
    source = op.func if type(op) is ops.Call else None
    while type(source) is ops.Call:  # `jax.vmap(model)(xs)`
        source = source.args[0] if source.args else None
    if frame.parent is None or source is None or model.dependences:
        return
    made_by, ground = model.made_by, None
    if type(source) is ops.Attr:
        stored, ground = field_of_plain(frame, source)
        made_by = stored.made_by if stored is not None else None
    if type(made_by) is ops.Call and (ground is not None or type(source) is ops.Name):
        _note(frame, source, made_by, _bytes(frame, made_by, None), ground)


def note_variables(frame: Frame, variables: Value | None, source: Op | None) -> None:
    """Note that traced code would apply variables of a network that are a constant of it."""
    made_by = variables.made_by if variables is not None else None
    if frame.parent is None or type(source) is not ops.Name or type(made_by) is not ops.Call:
        return
    if type(made_by.func) is not ops.Attr or made_by.func.name != "init" or len(made_by.args) < 2:
        return
    network = peek(frame, made_by.func.base)
    layer = network.made_by if network is not None else None
    if type(layer) is ops.Call:
        _note(frame, source, made_by, _bytes(frame, layer, made_by.args[1]), None)


def _note(frame: Frame, source: Op, made_by: Op, size: int, ground: ClassField | None) -> None:
    if size < LARGE or chains_of(frame.function).holds(made_by):
        return
    around = frame_around(frame, made_by)
    dependences, body = (around.ambient, around.function) if around is not None else (NONE, None)
    leave(frame, ConstantIfJitted(source, made_by, size, False, dependences, ground, body))


def _bytes(frame: Frame, layer: ops.Call, example: Op | None) -> int:
    """How large the weights of a layer are at least."""
    items = 0
    for term in frame.program.table.weights(imported_name(layer.func)):
        factors = [
            _last_size(frame, example) if name == INPUT else _number(frame, layer, name, place) for name, place in term
        ]
        items += prod(one for one in factors if one is not None) if None not in factors else 0
    return items * USUAL


def _number(frame: Frame, layer: ops.Call, name: str, place: int) -> int | None:
    by_name = next((value for word, value in layer.keywords if word == name), None)
    given = layer.args[place] if place < len(layer.args) else by_name
    return number_of(frame, given) if given is not None else None


def _last_size(frame: Frame, example: Op | None) -> int | None:
    """The last axis of an array that is written out: `jnp.ones((1, 4096))`."""
    if type(example) is not ops.Call or imported_name(example.func).rpartition(".")[2] not in SIZED or not example.args:
        value = peek(frame, example) if example is not None else None
        shape = value.shape if value is not None else None
        return shape[-1] if shape else None
    shape_of = example.args[0]
    last = shape_of.parts[-1] if type(shape_of) is ops.Build and shape_of.parts else shape_of
    return number_of(frame, last)
