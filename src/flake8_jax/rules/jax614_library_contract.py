"""Code breaks a contract of Flax, Equinox or Optax: frozen fields that are stored, arguments that are left out.

## What it does

Reports stores into fields of objects that a library freezes: of `equinox.Module`, `flax.struct.dataclass`, `TrainState`
and named tuples everywhere but in their constructors; of `flax.linen.Module` in `__call__`, in methods under
`nn.compact`, and in what these call. Fields of Equinox that the class does not declare, and in `setup` of Flax those
that the constructor takes.

Reports layers, modules, parameters and variables of Flax that are made in a method which is neither `setup` nor under
`nn.compact`, nor runs within one that is; modules with an `__init__` that takes no `parent` and `name`; and calls of a
module itself where it is initialised and bound to no variables, and reads of fields that its `setup` makes there.
Lists and dicts are reported that `setup` changes once it has assigned them to a field: Flax keeps tuples of them.

Reports calls of an optimizer's `update` that leave out what it needs: the parameters, where weights decay or steps are
scaled by them (`adamw`, `lamb`, `lion`, `add_decayed_weights`), also through `chain`, `masked` or `MultiSteps`; the
value, for `polyak_sgd` and `lbfgs`. Calls of `nnx.Optimizer` without `wrt`, and of its `update` without the model,
where the library that was measured demands them: Flax since 0.11, unless the project allows older releases alone. So
are lists, tuples and dicts with modules, variables or arrays in an attribute of an `nnx.Module`, which Flax refuses
since 0.12: they are made by `nnx.List` and `nnx.Dict`.

Reports updates of objects of `flax.nnx` under transforms that do not put them back (`jax.jit` where `nnx.jit` is due):
of an argument that is not given back, and of what comes from outside of the trace.

Reports states of optimizers that were made of other trees than they are updated with: of a part of the parameters, of
another network, of all variables where the gradients are by `params`; and of modules with functions in them. And loops
and objects that keep the old state, and callbacks that give other arrays than they state.

Reports runs of a module of Flax with dropout (`net.apply(params, x, train=True)`) without a key for it in `rngs`, and
with layers that update their statistics without `mutable`; and new `batch_stats` that nobody reads where one trains.

```python bad
import equinox as eqx
import jax.numpy as jnp


class Counter(eqx.Module):
    count: int = 0

    def __call__(self, x):
        self.count = self.count + 1  # JAX614: `Counter` is an `equinox.Module`, whose objects are frozen
        return x * self.count


Counter()(jnp.ones(3))
```

## Why it is bad

Loud. The library raises where the line runs, `FrozenInstanceError` for a field: what a trace reads of an object must
not change behind its back. Silent is the update of a module that `jax.jit` traces a copy of: training changes nothing.

## Instead

Make a changed copy, and hand it on: `eqx.tree_at(lambda m: m.count, counter, 1)`, `state.replace(step=1)`. In Flax keep
intermediate values in local names, and state in variables (`self.variable`). `ModelAndOptimizer` takes the old calls.

```python good
import equinox as eqx
import jax.numpy as jnp


class Counter(eqx.Module):
    count: int = 0

    def __call__(self, x):
        count = self.count + 1
        return x * count, eqx.tree_at(lambda m: m.count, self, count)


Counter()(jnp.ones(3))
```

## When it stays silent

In constructors (`__init__`, `__post_init__`, `setup`) and what they call; on objects of Flax that nothing runs; in
`object.__setattr__`; on classes with a `__setattr__` of their own; where the error is expected (`try`,
`pytest.raises`); on optimizers of which no call shows how they are made, or that may be one of several; on modules of
`flax.nnx` of which a traced function gives anything back, their state or they themselves.

## Fix safety

Unsafe: a changed copy is bound to the name of the object. Who else holds the object does not see it.

## References

- [Equinox: frequently asked questions](https://docs.kidger.site/equinox/faq/)
- [Optax: `GradientTransformation`](https://optax.readthedocs.io/en/latest/api/transformations.html)
- [Flax: errors](https://flax.readthedocs.io/en/latest/api_reference/flax.errors.html)
"""

from __future__ import annotations

from flake8_jax.analysis.checks.context import advised, chain_notes
from flake8_jax.analysis.checks.contracts.broken import ContractBroken
from flake8_jax.rules.rule import Reporter, Rewrite, Rule

RULE = Rule(
    code="JAX614",
    name="library-contract",
    since="0.1",
    group="contracts",
    hazard="raises:FrozenInstanceError",
    also=(
        "raises:AttributeError", "raises:SetAttributeFrozenModuleError", "raises:SetAttributeInModuleSetupError",
        "raises:AssignSubModuleError", "raises:TypeError", "raises:ValueError", "raises:TraceContextError",
        "raises:InvalidRngError",
    ),
    fix="do as the library demands",
    status="on",
)  # fmt: skip


def check(event: ContractBroken, report: Reporter) -> None:
    """Code that a library refuses."""
    report(event.op, event.said, chain_notes(event), remedy=advised(event.instead, event.rewrite, event.words))


def fix(event: ContractBroken) -> Rewrite | None:
    """What the library wants is written."""
    return event.rewrite
