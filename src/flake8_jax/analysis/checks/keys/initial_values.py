"""Whether a network of the project draws its first parameters: those of some are constants, whatever the key is.

class Temperature(nn.Module):
    def __call__(self): return self.param("log", lambda key: jnp.zeros(()))      no key is drawn from
    def __call__(self): return self.param("log", nn.initializers.zeros, (3,))    nor here
    def __call__(self, x): return nn.Dense(3)(x)                                 the layer draws
"""

from __future__ import annotations

from flake8_jax.analysis.callables import InstanceOf
from flake8_jax.analysis.checks.naming import imported_name
from flake8_jax.analysis.objects.classes import ancestry
from flake8_jax.api.initializers import CONSTANT, initializer_made_by, is_constant
from flake8_jax.domain.value import Value
from flake8_jax.ir import ops
from flake8_jax.ir.chains import is_left_alone, searched_once
from flake8_jax.ir.ops import Function
from flake8_jax.ir.walking import inside

PARAMETER, INITIAL_VALUE = "param", "init_fn"
COMPUTING = ("jax.", "numpy.", "math.")
"""How the names begin of functions that make no layers."""


def has_constant_parameters(network: Value) -> bool:
    """Has a network of a class of the project parameters, all of them constants?"""
    if type(network.payload) is not InstanceOf:
        return False
    made = [one for ancestor in ancestry(network.payload.owner) for one in _made_in(ancestor.function)]
    return bool(made) and all(made)


@searched_once
def _made_in(module: Function) -> tuple[bool, ...]:
    """Of each parameter and layer that the methods of a class may make: is it a parameter with a constant value?"""
    calls = (one for method in module.functions for one in inside(method) if type(one) is ops.Call)
    return tuple(_is_constant_parameter(call) for call in calls if not _is_computed(call))


def _is_computed(call: ops.Call) -> bool:
    """Does a call make an array or an initializer, and no layer?"""
    name = imported_name(call.func)
    is_method = type(call.func) is ops.Attr and not name and call.func.name[:1].islower()
    is_of_array = is_method and type(call.func) is ops.Attr and type(call.func.base) is not ops.Name
    return name.startswith(COMPUTING) or initializer_made_by(name) is not None or is_of_array


def _is_constant_parameter(call: ops.Call) -> bool:
    """Is it `self.param`, with an initializer that ignores its key?"""
    if type(call.func) is not ops.Attr or call.func.name != PARAMETER:
        return False
    initializer = call.args[1] if len(call.args) > 1 else dict(call.keywords).get(INITIAL_VALUE)
    match initializer:
        case ops.Closure(function=function):
            return bool(function.parameters) and is_left_alone(function, function.parameters[0].name)
        case ops.Call(func=func):
            return initializer_made_by(imported_name(func)) == CONSTANT
    return initializer is not None and is_constant(imported_name(initializer))
