"""Methods and attributes of arrays of PyTorch and TensorFlow that those of JAX lack, with what is written instead.

x.unsqueeze(0)      use `jnp.expand_dims(x, ...)`
x.to(device)        leave `.to(...)` out, ...

In the words, `<x>` stands for the array, and `<jax.numpy.take>` for that function as the file imports it.
"""

from __future__ import annotations

_ACTIVATIONS = (
    "elu", "gelu", "leaky_relu", "log_sigmoid", "log_softmax", "one_hot", "relu", "sigmoid", "silu", "softmax",
    "softplus",
)  # fmt: skip
_FUNCTIONS = {
    "bmm": "jax.numpy.matmul", "chunk": "jax.numpy.array_split", "clamp": "jax.numpy.clip", "cpu": "jax.device_get",
    "detach": "jax.lax.stop_gradient", "div": "jax.numpy.divide", "eq": "jax.numpy.equal",
    "expand": "jax.numpy.broadcast_to", "expand_as": "jax.numpy.broadcast_to", "ge": "jax.numpy.greater_equal",
    "gt": "jax.numpy.greater", "inverse": "jax.numpy.linalg.inv", "le": "jax.numpy.less_equal", "logsumexp":
    "jax.nn.logsumexp", "lt": "jax.numpy.less", "mm": "jax.numpy.matmul", "mul": "jax.numpy.multiply", "ne":
    "jax.numpy.not_equal", "neg": "jax.numpy.negative", "norm": "jax.numpy.linalg.norm", "numpy": "numpy.asarray",
    "pow": "jax.numpy.power", "repeat_interleave": "jax.numpy.repeat", "rsqrt": "jax.lax.rsqrt", "sub":
    "jax.numpy.subtract", "topk": "jax.lax.top_k", "unsqueeze": "jax.numpy.expand_dims",
    **{name: f"jax.nn.{name}" for name in _ACTIVATIONS},
}  # fmt: skip
_ALONE = frozenset(("cpu", "detach", "inverse", "neg", "numpy", "rsqrt"))
_TYPES = {"bool": "bool", "double": "float", "float": "<jax.numpy.float32>",
          "half": "<jax.numpy.float16>", "int": "<jax.numpy.int32>", "long": "int"}  # fmt: skip
INSTEAD = {
    **{name: f"use `<{one}>(<x>{'' if name in _ALONE else ', ...'})`" for name, one in _FUNCTIONS.items()},
    **{name: f"use `<x>.astype({one})`" for name, one in _TYPES.items()},
    "backward": "take the derivative with `<jax.grad>` of the function that computes it",
    "contiguous": "leave `.contiguous()` out",
    "cuda": "leave `.cuda()` out: an accelerator is the default where there is one",
    "dim": "use `<x>.ndim`",
    "gather": "use `<jax.numpy.take_along_axis>(<x>, ..., axis=...)`",
    "masked_fill": "use `<jax.numpy.where>(..., ..., <x>)`, of the mask, the value and this array",
    "numel": "use `<x>.size`",
    "permute": "use `<x>.transpose(...)`",
    "requires_grad": "leave it out: `<jax.grad>` is told by what is differentiated",
    "requires_grad_": "leave it out: `<jax.grad>` is told by what is differentiated",
    "t": "use `<x>.T`",
    "to": "leave `.to(...)` out, or use `<x>.astype(...)` for a type, `<jax.device_put>(<x>, ...)` for a device",
    "type": "use `<x>.astype(...)`",
    "type_as": "use `<x>.astype(...)`, with the type of the other",
    "values": "use `<x>` itself",
}
"""What to write instead, by the name of the attribute or method."""
