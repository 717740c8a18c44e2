"""Programs seen in real code that are right, beside the like of them that are not.

Each text is judged with the strict rules, too; a mark `# JAXnnn` stands on each line of which something is said.
"""

from __future__ import annotations

import re
import sys
from textwrap import dedent

import pytest

from flake8_jax.driver.linter import lint
from flake8_jax.model.config import Config
from flake8_jax.syntax.source import SourceFile

PROGRAMS: dict[str, str] = {
    "modules that a step hands on in a tuple with a name": """
        import jax, optax
        from flax import nnx
        def descend(model, optimizer, x):
            optimizer.update(model, nnx.grad(lambda net: net(x).sum())(model))
            return x.sum()
        def fall(model, optimizer, x):
            optimizer.update(model, nnx.grad(lambda net: net(x).sum())(model))  # JAX614
            return x.sum()
        def train(xs, rngs):
            model = nnx.Linear(2, 2, rngs=rngs)
            optimizer = nnx.Optimizer(model, optax.adam(1e-3), wrt=nnx.Param)
            def step(carry, x):
                model, optimizer = carry
                loss = descend(model, optimizer, x)
                new = model, optimizer
                return new, loss
            return jax.lax.scan(step, (model, optimizer), xs)
        def lose(xs, rngs):
            model = nnx.Linear(2, 2, rngs=rngs)
            optimizer = nnx.Optimizer(model, optax.adam(1e-3), wrt=nnx.Param)
            def step(carry, x):
                model, optimizer = carry
                loss = fall(model, optimizer, x)
                new = loss
                return new, loss
            return jax.lax.scan(step, (model, optimizer), xs)
    """,
    "a jitted function with bound arguments, under the name of the one that is not": """
        import jax, jax.numpy as jnp
        from functools import partial
        def move(x, t, extra):
            return jnp.sin(x) * t + jnp.cos(x) * extra
        jit_move = jax.jit(move)
        def walk(x, move):
            for t in range(99):
                x = move(x, t)
            return x
        def run(x):
            return walk(x, partial(jit_move, extra=1.0))
        def crawl(x):
            for t in range(99):
                x = move(x, t, 1.0)  # JAX703
            return x
        def last(x):
            return jit_move(x, 0, 1.0)
    """,
    "an object whose call is jitted itself": """
        import jax, jax.numpy as jnp
        from functools import partial
        class Norm:
            def __init__(self):
                self.w = jnp.ones(3)
                self.again = jax.jit(self.scaled)
            @partial(jax.jit, static_argnums=0)
            def __call__(self, x):
                return jnp.sin(x) * self.w + jnp.cos(x) * 2
            def scaled(self, x):
                return jnp.sin(x) * self.w + jnp.cos(x) * 2
        class Block:
            def __init__(self):
                self.norm = Norm()
        def run(x):
            block = Block()
            for _ in range(1000):
                x = block.norm(x)
            return x
        def slow(x):
            norm = Norm()
            for _ in range(1000):  # JAX703
                x = norm.scaled(x)  # JAX703
            return x
    """,
    "weights that a helper makes anew of their shapes": """
        import equinox as eqx, jax
        def truncated(weight, key):
            return jax.random.truncated_normal(key, -2, 2, weight.shape)
        def init_linear_weight(model, init_fn, key):
            is_linear = lambda x: isinstance(x, eqx.nn.Linear)
            get_weights = lambda m: [x.weight for x in jax.tree.leaves(m, is_leaf=is_linear) if is_linear(x)]
            weights = get_weights(model)
            new = [init_fn(weight, subkey) for weight, subkey in zip(weights, jax.random.split(key, len(weights)))]
            return eqx.tree_at(get_weights, model, new)
        def make(key):
            return init_linear_weight(eqx.nn.MLP(2, 2, 8, 2, key=key), truncated, key)
        def add_noise(model, noise_fn, key):
            get_weights = lambda m: [x.weight for x in jax.tree.leaves(m)]
            weights = get_weights(model)
            new = [noise_fn(weight, subkey) for weight, subkey in zip(weights, jax.random.split(key, len(weights)))]
            return eqx.tree_at(get_weights, model, new)
        def noisy(key):
            model = eqx.nn.MLP(2, 2, 8, 2, key=key)
            return add_noise(model, lambda w, k: w + jax.random.normal(k, w.shape), key)  # JAX101
    """,
    "a function beside another one, which says what that reads": """
        import jax
        def shapes(key, x):
            def size(y):
                return y.shape[0]
            def half(y):
                return size(y) // 2
            first = jax.random.normal(key, x.shape)
            return jax.random.uniform(key, (half(first),))
        def values(key, x):
            def total(y):
                return y.sum()
            def half(y):
                return total(y) // 2
            first = jax.random.normal(key, x.shape)
            return jax.random.uniform(key, (3,)) * half(first)  # JAX101
        def one_of_two(key, x, flag):
            if flag:
                total = lambda y: y.sum()
            else:
                total = lambda y: y.shape[0]
            def half(y):
                return total(y) // 2
            first = jax.random.normal(key, x.shape)
            return jax.random.uniform(key, (3,)) * half(first)  # JAX101
        def each_other(key, x):
            def even(y, n):
                return y.shape if n == 0 else odd(y, n - 1)
            def odd(y, n):
                return y if n == 0 else even(y, n - 1)
            first = jax.random.normal(key, x.shape)
            return jax.random.uniform(key, (3,)), even(first, 3)  # JAX101
    """,
    "what a script draws for a shape, bound where it prints or computes in turns": """
        import gymnax, jax
        from nets import Net
        env, params = gymnax.make("CartPole-v1")
        model = Net()
        rng, rng_init, other, third = jax.random.split(jax.random.PRNGKey(42), 4)
        init_obs, _ = env.reset(rng_init, params)
        weights = jax.vmap(lambda r: model.init(r, init_obs))(jax.random.split(rng_init, 3))
        obs, state = env.reset(other, params)
        wide = model.init(other, obs)  # JAX101
        for i in range(10):
            rng, k = jax.random.split(rng)
            weights = model.step(weights, jax.random.normal(k, (init_obs.shape[0],)), wide)
            wide = model.run(state)
        print(weights)
    """,
    "what a module draws for a shape that others may import": """
        import gymnax, jax
        from nets import Net
        env, params = gymnax.make("CartPole-v1")
        model = Net()
        rng_init = jax.random.PRNGKey(42)
        init_obs, _ = env.reset(rng_init, params)
        weights = model.init(rng_init, init_obs)  # JAX101
        for name in ("CARTPOLE", "PENDULUM"):
            globals()[name] = name
    """,
    "points of a curve, on the same numbers": """
        import jax, jax.numpy as jnp, numpy as np
        def loss(key, scale):
            return (scale * jax.random.normal(key, (100,))).mean()
        def mapped(key):
            return jax.vmap(lambda scale: loss(key, scale))(jnp.linspace(0, 1, 20))
        def mapped_by_name(key):
            scales = jnp.logspace(0, 1, 20)
            return jax.vmap(loss, in_axes=(None, 0))(key, scales), jax.lax.map(lambda one: loss(key, one), scales)
        def in_turns(key):
            curve = []
            for scale in np.linspace(0, 1, 20):
                curve.append(loss(key, scale))
            return curve
        def noise_at_points(key, n):
            return jax.vmap(lambda t: t + jax.random.normal(key))(jnp.linspace(0, 1, n))  # JAX102
        def noise_in_turns(key):
            curve = []
            for scale in np.linspace(0, 1, 20):
                curve.append(scale + jax.random.normal(key))  # JAX102
            return curve
        def of_a_batch(key, n):
            return jax.vmap(lambda scale: loss(key, scale))(jnp.arange(n))  # JAX102
        def chained(key, x):
            for scale in np.linspace(0, 1, 20):
                x = x + loss(key, x * scale)  # JAX102
            return x
    """,
    "how long something takes for each of some sizes": """
        import jax, time
        def measure(step, key):
            states = step(jax.random.split(key, 8))
            times = []
            for size in [256, 1024, 4096]:
                batch = step(jax.random.split(key, size))
                start, rng = time.time(), key
                for t in range(100):
                    rng, sub = jax.random.split(rng)
                    batch = step(batch, jax.random.uniform(sub, (size,)))
                times.append(time.time() - start)
            return states, times
        def train(key, data):
            losses = []
            for epoch in range(10):
                start = time.time()
                for batch in data:
                    losses.append(batch + jax.random.normal(key, batch.shape))  # JAX102
                print(time.time() - start)
            return losses
    """,
    "one function of data that are made again, before and after": """
        import jax
        def points(key, n):
            return jax.random.uniform(key, (n,))
        def before_and_after(loss, old, new, key):
            return loss(old, points(key, 10)), loss(new, points(key, 10))
        def both(key):
            return points(key, 10), points(key, 10)  # JAX101
        def on_its_own(loss, old, key):
            return loss(old, points(key, 10)) + loss(old, points(key, 10))  # JAX101
        def of_noise(add, x, y, key):
            return add(x, jax.random.normal(key, (3,))), add(y, jax.random.normal(key, (3,)))  # JAX101
    """,
    "the views of one example, augmented alike": """
        import jax, augmax
        def views(rng, images):
            found = {}
            for name in ("front", "wrist"):
                keys = jax.random.split(rng, images[name].shape[0])
                found[name] = jax.vmap(augmax.Chain(augmax.RandomCrop(3, 3)))(keys, images[name])
            return found
        def random_crop(rng, x):
            return x[jax.random.randint(rng, (), 0, 4):]
        def by_name(rng, images):
            found = {}
            for name in images:
                found[name] = random_crop(rng, images[name])
            return found
        def batches(rng, batches):
            found = []
            for batch in batches:
                keys = jax.random.split(rng, batch.shape[0])  # JAX102
                found.append(jax.vmap(augmax.Chain(augmax.RandomCrop(3, 3)))(keys, batch))
            return found
        def noise(rng, params):
            found = {}
            for name in params:
                found[name] = params[name] + jax.random.normal(rng, params[name].shape)  # JAX102
            return found
    """,
    "a key that fold_in and a split of the next turn both give, told once": """
        import jax
        def augment(key, x):
            k1, k2 = jax.random.split(key)
            return x * jax.random.bernoulli(k1, 0.5, x.shape) + jax.random.normal(k2, x.shape)
        @jax.jit
        def train(x, key):
            for epoch in range(2):
                key, perm_key = jax.random.split(key)  # JAX105
                x = jax.random.permutation(perm_key, x)
                for i in range(3):
                    aug_key = jax.random.fold_in(key, i)
                    x = augment(aug_key, x)
            return x
    """,
    "what is found out once, behind a return of what is there": """
        import jax
        import jax.numpy as jnp
        class Grid:
            def __init__(self):
                self._points = self._other = self._third = None
            def points(self):
                if self._points is not None:
                    return self._points
                self._points = jnp.linspace(0, 1, 9)
                return self._points
            def third(self):
                if self._third:
                    return self._third
                else:
                    self._third = 3
                return self._third
            def other(self):
                if self._other is None:
                    return None
                self._other = jnp.linspace(0, 1, 9)
                return self._other
            @jax.jit
            def step(x):
                return x
            def run(self, x):
                @jax.jit
                def checked(x):
                    return x * self._points * self._third + self._other  # JAX302
                for _ in range(3):
                    x = checked(x)
                    self.points(), self.other(), self.third()
                return x
    """,
    "a draw below a flag that no call sets": """
        import functools, jax
        def never(key, x, shuffled):
            if shuffled:
                x = jax.random.permutation(key, x)
            return x + jax.random.normal(key, x.shape)
        def left_out(key, x, shuffled=False):
            if shuffled:
                x = jax.random.permutation(key, x)
            return x + jax.random.normal(key, x.shape)
        def set_once(key, x, shuffled):
            if shuffled:
                x = jax.random.permutation(key, x)
            return x + jax.random.normal(key, x.shape)  # JAX101
        def uncalled(key, x, shuffled):
            if shuffled:
                x = jax.random.permutation(key, x)
            return x + jax.random.normal(key, x.shape)  # JAX101
        def unknown(key, x, shuffled):
            if shuffled:
                x = jax.random.permutation(key, x)
            return x + jax.random.normal(key, x.shape)  # JAX101
        def inner(key, x):
            def project(key, x, shuffled):
                if shuffled:
                    x = jax.random.permutation(key, x)
                return x + jax.random.normal(key, x.shape)
            return functools.partial(project, shuffled=False)(key, x)
        def calls(key, x, settings):
            keys = jax.random.split(key, 4)
            a = never(keys[0], x, False), left_out(keys[1], x)
            return a, set_once(keys[2], x, True), unknown(keys[3], x, settings.shuffled)
    """,
    "numbers that only start a generator of another library, and one generator started twice": """
        import jax
        import numpy as np
        from scipy.stats import wishart
        def target(key, n):
            where = jax.random.normal(key, (n,))
            key, sub = jax.random.split(key)
            np.random.seed(jax.random.randint(sub, (), 0, 2**30))
            return where, wishart.rvs(df=n, scale=np.eye(n))
        def one_each(n):
            key = jax.random.key(0)
            where, found, is_even = jax.random.uniform(key, (n,)), [], True
            for _ in range(n):
                key, sub = jax.random.split(key)
                np.random.seed(jax.random.randint(key=sub, shape=(), minval=0, maxval=2**30))
                found.append(wishart.rvs(df=n, scale=np.eye(n)))
            weights = np.ones(n) if is_even else jax.random.uniform(key, (n,))
            return where, found, weights
        def by_option(key, n):
            where = jax.random.normal(key, (n,))
            number = int(jax.random.randint(key, (), 0, 1000))
            return where, wishart.rvs(df=n, scale=np.eye(n), random_state=number)
        def generators(key, n):
            where = jax.random.normal(key, (n,))
            rng = np.random.default_rng(np.asarray(jax.random.split(key)[1]))
            return where, rng.normal(size=n)
        def a_key(key, n):
            where = jax.random.normal(key, (n,))
            other = jax.random.key(jax.random.randint(key, (), 0, 1000))
            return where, jax.random.uniform(other, (n,))
        def started(key):
            key, sub = jax.random.split(key)
            np.random.seed(sub[0])
            return np.random.normal(size=3)
        def by_helper(key, x):
            monitored = started(key)
            return monitored, jax.random.normal(key, x.shape)
        def twice_by_helper(key):
            first = started(key)
            return first, started(key)  # JAX101
        def twice(key):
            first = np.random.default_rng(int(jax.random.randint(key, (), 0, 1000)))
            second = np.random.default_rng(int(jax.random.randint(key, (), 0, 1000)))  # JAX101
            return first.normal(), second.normal()
        def shown_too(key, n):
            where = jax.random.normal(key, (n,))
            number = jax.random.randint(key, (), 0, 1000)  # JAX101
            return where, number, np.random.default_rng(int(number)).normal()
        def in_each_turn(key, n):
            found = []
            for _ in range(n):
                np.random.seed(jax.random.randint(key, (), 0, 99))  # JAX102
                found.append(np.random.normal())
            return found
    """,
    "a key in the carry of a loop that nobody draws from, and what another turn reads": """
        import jax
        import jax.numpy as jnp
        def moved(x, f, dt, scale, key):
            return x + dt * f(x) + scale * jnp.sqrt(dt) * jax.random.normal(key, x.shape)
        def path(x, f, times, key, scale):
            def step(carry, t):
                x, before, key = carry
                key, sub = jax.random.split(key)
                x = moved(x, f, t - before, scale, sub)
                return (x, t, key), x
            carry, xs = jax.lax.scan(step, (x, times[0], key), times[1:])
            return xs
        def still(times, key):
            x = jax.random.normal(key, (3,))
            return path(x, jnp.sin, times, key, 0.0)
        def still_in_lanes(times, key):
            xs = jax.random.normal(key, (3, 2))
            return jax.vmap(lambda x, key: path(x, jnp.sin, times, key, 0.0))(xs, jax.random.split(key, 3))
        def noisy(times, key):
            x = jax.random.normal(key, (3,))
            return path(x, jnp.sin, times, key, 0.1)  # JAX101
        def unread(x, key):
            def step(carry, t):
                x, noise, key = carry
                key, sub = jax.random.split(key)
                return (x + t, jax.random.normal(sub), key), None
            start = jax.random.normal(key, (3,))
            (x, _, _), _ = jax.lax.scan(step, (start, 0.0, key), x)
            return x
        def read_in_the_next_turn(x, key):
            def step(carry, t):
                x, noise, key = carry
                key, sub = jax.random.split(key)
                return (x + noise, jax.random.normal(sub), key), None
            start = jax.random.normal(key, (3,))
            (x, _, _), _ = jax.lax.scan(step, (start, 0.0, key), x)  # JAX101
            return x
        def read_by_the_test(key):
            def body(carry):
                x, u, key = carry
                key, sub = jax.random.split(key)
                return x + 1, jax.random.uniform(sub), key
            start = jax.random.normal(key, (3,))
            return jax.lax.while_loop(lambda carry: carry[1] < 0.5, body, (start, 0.0, key))[0]  # JAX101
        def entangled(pairs, targets, key):
            start = jax.random.normal(key, (3,))
            def body(i, carry):
                mask, order, targets, stock, pairwise = carry
                first, second = pairs[order[i]]
                meets = jnp.isin(second + 1, targets[first]) & jnp.isin(first + 1, targets[second])
                meets = jnp.logical_and(meets, stock[first].sum() > 2)
                meets = jnp.logical_and(meets, jnp.logical_not(mask[first] | mask[second]))
                mask = mask.at[first].set(jnp.logical_or(meets, mask[first]))
                mask = mask.at[second].set(jnp.logical_or(meets, mask[second]))
                return mask, order, targets, stock, pairwise.at[order[i]].set(meets)
            order = jax.random.permutation(key, 9)  # JAX101
            carry = jnp.zeros(9, bool), order, targets, start, jnp.zeros(9, bool)
            mask, _, _, stock, pairwise = jax.lax.fori_loop(0, 3, body, carry)
            return mask, stock, pairwise
        def counted(key):
            start = jax.random.normal(key, (3,))
            def body(i, carry):
                x, key = carry
                return x + i, jax.random.split(key)[0]
            return jax.lax.fori_loop(0, 3, body, (start, key))[0]
        def drawn_after(x, key):
            def step(state, t):
                return {"x": state["x"] + t, "key": jax.random.split(state["key"])[0]}, state["x"]
            start = jax.random.normal(key, (3,))
            state, xs = jax.lax.scan(step, {"x": start, "key": key}, x)  # JAX101
            return state["x"], jax.random.normal(state["key"])
        def dropped_after(x, key):
            def step(state, t):
                return {"x": state["x"] + t, "key": jax.random.split(state["key"])[0]}, state["x"]
            start = jax.random.normal(key, (3,))
            state, xs = jax.lax.scan(step, {"x": start, "key": key}, x)
            return state["x"], xs
    """,
    "what another start replaces, what it is added to, and another field": """
        import dataclasses
        import equinox as eqx
        import jax
        import jax.numpy as jnp
        import lib
        from flax import struct
        from lib import started
        class Dense(struct.PyTreeNode):
            weight: jax.Array = None
            bias: jax.Array = None
            def reset(self, shape, key):
                weight = jax.random.normal(key, shape)
                return self.replace(weight=weight, bias=jnp.zeros(shape)), shape[:-1]
        class Fresh(Dense):
            def reset(self, shape, key):
                new, out = super().reset(shape, key)
                return new.replace(weight=jax.random.uniform(key, shape)), out
        class OtherField(Dense):
            def reset(self, shape, key):
                new, out = super().reset(shape, key)
                return new.replace(bias=jax.random.uniform(key, shape)), out  # JAX101
        class Layer:
            def __init__(self, size, key):
                self.weight = jax.random.normal(key, (size, size))
        class FreshLayer(Layer):
            def __init__(self, size, key):
                super().__init__(size, key)
                self.weight = jax.random.uniform(key, self.weight.shape)
        class LargerLayer(Layer):
            def __init__(self, size, key):
                super().__init__(size, key)
                self.extra = jax.random.uniform(key, (size,))  # JAX101
        class FreshOfUnknown(lib.Dense):
            def reset(self, shape, key):
                new = super().reset(shape, key)
                w, b = new.weight, new.bias
                weight = jax.random.uniform(key, w.shape, w.dtype)
                return new.update(weight=weight, bias=jnp.zeros(b.shape))
        class MoreOfUnknown(lib.Dense):
            def reset(self, shape, key):
                new = super().reset(shape, key)
                return new.update(extra=jax.random.normal(key, shape))  # JAX101
        class Perturbed(lib.Dense):
            def reset(self, shape, key):
                new = super().reset(shape, key)
                w = new.weight
                return new.update(weight=w + jax.random.normal(key, w.shape))  # JAX101
        def replaced(key):
            layer = started(key)
            return dataclasses.replace(layer, weight=jax.random.normal(key, layer.weight.shape))
        def read_too(key, x):
            layer = started(key)
            y = layer(x)
            return y, dataclasses.replace(layer, weight=jax.random.normal(key, layer.weight.shape))  # JAX101
        def stored(key):
            layer = started(key)
            layer.weight = jax.random.normal(key, layer.weight.shape)
            return layer
        def stored_both(key):
            layer = started(key)
            layer.weight = jax.random.normal(key, layer.weight.shape)
            layer.bias = jax.random.normal(key, layer.bias.shape)  # JAX101
            return layer
        def added(key):
            layer = started(key)
            layer.weight = layer.weight + jax.random.normal(key, layer.weight.shape)  # JAX101
            return layer
        def in_tree(key):
            layer = eqx.nn.Linear(3, 3, key=key)
            return eqx.tree_at(lambda m: m.weight, layer, jax.random.normal(key, layer.weight.shape))
        def added_in_tree(key):
            layer = eqx.nn.Linear(3, 3, key=key)
            noise = jax.random.normal(key, layer.weight.shape)  # JAX101
            return eqx.tree_at(lambda m: m.weight, layer, layer.weight + noise)
    """,
    "noise by a factor that is 0 in each call, and by one that is not": """
        import jax
        import jax.numpy as jnp
        def still(x, key, scale):
            y = x + jax.random.uniform(key, x.shape)
            return y + scale * jnp.sqrt(2.0) * jax.random.normal(key, x.shape)
        def noisy(x, key, scale):
            y = x + jax.random.uniform(key, x.shape)
            return y + jax.random.normal(key, x.shape) * scale  # JAX101
        def unknown(x, key, scale):
            y = x + jax.random.uniform(key, x.shape)
            return y + scale * jax.random.normal(key, x.shape)  # JAX101
        def uncalled(x, key, scale):
            y = x + jax.random.uniform(key, x.shape)
            return y + scale * jax.random.normal(key, x.shape)  # JAX101
        def left_out(x, key, scale=0.5):
            y = x + jax.random.uniform(key, x.shape)
            return y + scale * jax.random.normal(key, x.shape)  # JAX101
        def by_array(x, key):
            y = x + jax.random.uniform(key, x.shape)
            return y + x * jax.random.normal(key, x.shape)  # JAX101
        def calls(x, keys, settings):
            x = still(x, keys[0], 0.0) + still(x, keys[1], scale=0) + noisy(x, keys[2], 0.0) + noisy(x, keys[3], 0.1)
            return unknown(x, keys[4], settings.scale) + left_out(x, keys[5]) + by_array(x, keys[6])
        def step(x, dt, scale, key):
            return x + dt * x + scale * jnp.sqrt(dt) * jax.random.normal(key, x.shape)
        def still_in_loop(x, key, scale):
            def body(carry, dt):
                x, key = carry
                return (step(x, dt, scale, key), jax.random.split(key)[0]), x
            return jax.lax.scan(body, (x, key), jnp.ones(3))[1]
        def noisy_in_loop(x, key, scale):
            def body(carry, dt):
                x, key = carry
                return (step(x, dt, scale, key), jax.random.split(key)[0]), x  # JAX101
            return jax.lax.scan(body, (x, key), jnp.ones(3))[1]
        def calls_loops(x, keys):
            return still_in_loop(x, keys[0], 0.0) + noisy_in_loop(x, keys[1], 0.5)
        def goes_on(n, key, scale):
            def push(x, key):
                for _ in range(n):
                    key, _ = jax.random.split(key)
                    x = x + scale * jax.random.normal(key, x.shape)
                return x
            return push(jnp.ones(3), key)
        def goes_on_noisily(n, key, scale):
            def push(x, key):
                for _ in range(n):
                    key, _ = jax.random.split(key)
                    x = x + scale * jax.random.normal(key, x.shape)  # JAX103
                return x
            return push(jnp.ones(3), key)
        def calls_turns(keys):
            quiet, loud = 0.0, 0.1
            return goes_on(3, keys[1], quiet) + goes_on_noisily(3, keys[2], loud)
    """,
    "dropout that is told to drop nothing, and dropout that may drop": """
        import distrax
        import jax
        from equinox import nn
        def of_nothing(x, key):
            drop = nn.Dropout(0.0)
            x = drop(x, key=key)
            return drop(x + 1, key=key)
        def made_for_inference(x, key):
            drop = nn.Dropout(p=0.5, inference=True)
            x = drop(x, key=key)
            return x + jax.random.normal(key, x.shape)
        def called_for_inference(x, key):
            drop = nn.Dropout(0.5)
            x = drop(x, key=key, inference=True)
            return drop(x + 1, key=key)
        def at_once(x, key):
            return nn.Dropout(0.5)(nn.Dropout(0.0)(x, key=key), key=key)
        def noisy(x, key):
            drop = nn.Dropout(0.5)
            x = drop(x, key=key)
            return drop(x + 1, key=key)  # JAX101
        def for_training(x, key):
            drop = nn.Dropout(0.5, inference=True)
            x = drop(x, key=key, inference=False)
            return x + jax.random.normal(key, x.shape)  # JAX101
        def never_on(x, key, inference):
            x = nn.Dropout(0.1)(x, key=key, inference=inference)
            return x + jax.random.normal(key, x.shape)
        def once_on(x, key, inference):
            x = nn.Dropout(0.1)(x, key=key, inference=inference)
            return x + jax.random.normal(key, x.shape)  # JAX101
        def calls(x, keys):
            return never_on(x, keys[0], True) + once_on(x, keys[1], True) + once_on(x, keys[2], False)
        def around_zero(key):
            centred = distrax.Normal(0, 1)
            x = centred.sample(seed=key)
            return x + centred.sample(seed=key)  # JAX101
    """,
    "results in each turn of which a distance alone is taken, and what else is done with them": """
        import jax
        from lib import Shown, distance, load
        def noisy(x, key):
            return x + jax.random.normal(key, x.shape)
        def of_fields(runs, key):
            rows = []
            for run in runs:
                start = noisy(load(run, "start"), key)
                first = Shown()
                first.params = start.params
                state = noisy(load(run, "state"), key)
                second = Shown()
                second.params = state.params
                again = noisy(load(run, "again"), key)
                third = Shown()
                third.params = again.params
                rows.append({"a": distance(first, second), "b": distance(second, third)})
            return rows
        def at_once(xs, key):
            found = []
            for x in xs:
                up, down = noisy(x + 1, key), noisy(x - 1, key)
                found.append(up - down)
            return found
        def kept_too(xs, key):
            found = []
            for x in xs:
                up = noisy(x + 1, key)  # JAX102
                down = noisy(x - 1, key)
                found.append((up - down, up))
            return found
        def of_one(xs, key):
            found = []
            for x in xs:
                found.append(noisy(x, key) - x)  # JAX102
            return found
        def goes_on(x, key):
            for _ in range(3):
                up = noisy(x + 1, key)  # JAX102
                down = noisy(x - 1, key)  # JAX102
                x = x - (up - down)
            return x
        def parts_of_one_loss(x, y, loss, model, key):
            times, train = noisy(x, key)
            times_of_test, test = noisy(y, key)  # JAX101
            times, test = times[:5], test[:, :5]
            return loss(model, times, test), train, times_of_test
        def another_beside(x, y, z, key):
            a, b = noisy(x, key), noisy(y, key)
            c = noisy(z, key)  # JAX101
            return a - b, c
    """,
    "one of the keys in an array that is declared, and another one": """
        from typing import NamedTuple
        import flax.struct
        import jax
        class Named(NamedTuple):
            keys: jax.Array
        @flax.struct.dataclass
        class State:
            x: jax.Array
            keys: jax.Array
            def noisy(self):
                return self.x + jax.random.normal(self.keys[1], self.x.shape)
        def drawn(keys):
            return jax.random.normal(keys[1], (3,))
        def item(keys: jax.Array):
            return jax.random.normal(keys[1]) + jax.random.uniform(keys[1])  # JAX101
        def other_item(keys: jax.Array):
            return jax.random.normal(keys[1]) + jax.random.uniform(keys[0])
        def field(state: Named):
            return jax.random.normal(state.keys[1]) + jax.random.uniform(state.keys[1])  # JAX101
        def by_name(state: Named):
            keys = state.keys
            first, rest = keys[0], keys[1]
            return jax.random.normal(rest) + jax.random.uniform(first) + jax.random.normal(keys[1])  # JAX101
        def by_helper(keys: jax.Array):
            return drawn(keys) + jax.random.normal(keys[1])  # JAX101
        def by_helper_twice(keys: jax.Array):
            return drawn(keys) + drawn(keys)  # JAX101
        def by_helper_other(keys: jax.Array):
            return drawn(keys) + jax.random.normal(keys[0])
        def by_method(state: State):
            return state.noisy() + jax.random.uniform(state.keys[1], (3,))  # JAX101
        def by_method_other(state: State):
            return state.noisy() + jax.random.uniform(state.keys[0], (3,))
        def made(x, key):
            state = State(x, jax.random.split(key, 3))
            return state.noisy() + jax.random.uniform(state.keys[1], (3,))  # JAX101
        def made_other(x, key):
            state = State(x, jax.random.split(key, 3))
            return state.noisy() + jax.random.uniform(state.keys[2], (3,))
        def renewed(state: State, key):
            noise = state.noisy()
            state = state.replace(keys=jax.random.split(key, 3))
            return noise + jax.random.uniform(state.keys[1], (3,))
        def in_turns(keys: jax.Array, xs):
            return [x + jax.random.normal(keys[0]) for x in xs]  # JAX102
        def in_turns_each(keys: jax.Array, xs):
            return [x + jax.random.normal(keys[i]) for i, x in enumerate(xs)]
        def words(key: jax.Array):
            return jax.random.normal(key) + key[0] + key[0]
    """,
    "a lesson that shows equal draws, and draws that are only like each other": """
        import jax
        import jax.numpy as jnp
        key = jax.random.key(0)
        first = jax.random.normal(key)
        second = jax.random.normal(key)
        print("first:", first)
        print("second, the same:", second)
        key, sub = jax.random.split(key)
        first = jax.random.normal(sub)
        def shown(key):
            print(jax.random.normal(key, (3,)))
            print(jax.random.normal(key, (3,)))
            key, sub = jax.random.split(key)
            print(jax.random.normal(sub))
        def shown_at_once(key):
            a, b = jax.random.normal(key, (3,)), jax.random.normal(key, (3,))
            print("a", a, "b", b)
            first, second = jax.random.split(key)
            print(jax.random.normal(first, (3,)), jax.random.normal(second, (3,)))
        def never_made_rightly(key):
            print(jax.random.normal(key, (3,)))
            print(jax.random.normal(key, (3,)))  # JAX101
        def of_another_function(key):
            print(jax.random.normal(key, (3,)))
            print(jax.random.uniform(key, (3,)))  # JAX101
        def of_another_shape(key):
            print(jax.random.normal(key, (3,)))
            print(jax.random.normal(key, (4,)))  # JAX101
        def used_too(key):
            a = jax.random.normal(key, (3,))
            b = jax.random.normal(key, (3,))  # JAX101
            print(a, b)
            return a
        def computed(key):
            a = jax.random.normal(key, (3,))
            b = jax.random.normal(key, (3,))  # JAX101
            print(jnp.dot(a, b))
        def shown_once(key):
            print(jax.random.normal(key, (3,)))
            key, sub = jax.random.split(key)  # JAX101
            return jax.random.normal(sub)
    """,
    "what a base class of a library draws from a key, and what its own class draws": """
        import equinox as eqx
        import jax
        class Fresh(eqx.nn.Linear):
            def __init__(self, size, key):
                super().__init__(size, size, key=key)
                self.weight = jax.random.normal(key, self.weight.shape)
        class Perturbed(eqx.nn.Linear):
            def __init__(self, size, key):
                super().__init__(size, size, key=key)
                self.weight = self.weight + jax.random.normal(key, self.weight.shape)  # JAX101
        class More(eqx.nn.Linear):
            extra: jax.Array
            def __init__(self, size, key):
                super().__init__(size, size, key=key)
                self.extra = jax.random.normal(key, (size,))  # JAX101
        class Apart(eqx.nn.Linear):
            extra: jax.Array
            def __init__(self, size, key):
                first, second = jax.random.split(key)
                super().__init__(size, size, key=first)
                self.extra = jax.random.normal(second, (size,))
        class Before(eqx.nn.Linear):
            extra: jax.Array
            def __init__(self, size, key):
                self.extra = jax.random.normal(key, (size,))
                super().__init__(size, size, key=key)  # JAX101
        class Another(eqx.nn.GRUCell):
            extra: eqx.nn.Linear
            def __init__(self, size, key):
                super(Another, self).__init__(size, size, key=key)
                self.extra = eqx.nn.Linear(size, size, key=key)  # JAX101
    """,
    "a key that is folded anew at the beginning, and once more on one path": """
        import jax
        def trained(params, batches, key):
            @jax.jit
            def update(i, is_first, key, params, batch):
                key = jax.random.fold_in(key, i)
                noise = jax.random.normal(key, batch.shape)
                if not is_first:
                    key = jax.random.fold_in(key, i)
                    noise = noise + jax.random.normal(key, batch.shape)
                return key, params - noise
            for i, batch in enumerate(batches):
                key, params = update(i, i == 0, key, params, batch)
            return params
        def drawn_from_at_the_beginning(params, batches, key):
            @jax.jit
            def update(i, is_first, key, params, batch):
                noise = jax.random.normal(key, batch.shape)
                if not is_first:
                    key = jax.random.fold_in(key, i)
                    noise = noise + jax.random.normal(key, batch.shape)  # JAX103
                return key, params - noise
            for i, batch in enumerate(batches):
                key, params = update(i, i == 0, key, params, batch)
            return params
    """,
    "draws with one outcome from keys that a helper splits off, and a size in the manner of PyTorch": """
        import jax
        def keys_like(key, tree):
            treedef = jax.tree.structure(tree)
            return jax.tree.unflatten(treedef, jax.random.split(key, treedef.num_leaves))
        def equal(key, tree):
            keys = keys_like(key, tree)
            return jax.tree.map(lambda leaf, key: jax.random.uniform(key, (1,), minval=0.1, maxval=0.1), tree, keys)
        def different(key, tree):
            keys = keys_like(key, tree)
            return jax.tree.map(lambda leaf, key: jax.random.uniform(key, (1,), minval=0.1, maxval=0.2), tree, keys)
        def started(key, tree):
            return jax.random.normal(key), [equal(key, tree)] * 3
        def drawn(key, tree):
            return jax.random.normal(key), [different(key, tree)] * 3  # JAX101
        def sized(key, policy):
            noise = jax.random.normal(key)
            features = policy(jax.random.normal(key, (3,)))
            return noise, features.size(0)
        def averaged(key, policy):
            noise = jax.random.normal(key)
            features = policy(jax.random.normal(key, (3,)))  # JAX101
            return noise, features.mean(0)
        def made(key, state):
            noise = jax.random.normal(key)
            return noise, state.__class__(jax.random.normal(key, (3,)))  # JAX101
    """,
    "equal seeds of arrays of which the first is only waited for": """
        import jax, jax.numpy as jnp
        a = jax.random.normal(jax.random.PRNGKey(0), (1000, 3))
        jax.block_until_ready(jnp.dot(a.T, a))
        a = jax.random.normal(jax.random.PRNGKey(0), (512, 3))
        print(a)
        b = jax.random.normal(jax.random.PRNGKey(1), (3,))
        jax.block_until_ready(b)
        c = jax.random.normal(jax.random.PRNGKey(1), (3,))  # JAX105
        print(b * c)
    """,
    "what a script binds that nobody can import": """
        import flax.linen as nn, jax
        key, other, third = jax.random.split(jax.random.key(0), 3)
        keys = jax.random.split(third, 2)
        public = jax.random.normal(third, (3,))  # JAX101
        print(public.shape, jax.random.normal(keys[0]))
        if __name__ == "__main__":
            keys = jax.random.split(key, 5)
            x = jax.random.uniform(key, (3,))
            print(x.shape, nn.Dense(3).init(keys[0], x))
            keys = jax.random.split(other, 5)
            y = jax.random.uniform(other, (3,))  # JAX101
            print(y, jax.random.normal(keys[0]))
    """,
    "networks that start alike, each for itself or as members of one whole": """
        import haiku as hk, jax, jax.numpy as jnp
        net = hk.transform(lambda x: hk.Linear(3)(x))
        def clients(key, x, batches, learn):
            local = []
            for t in range(len(batches)):
                local.append(net.init(key, x))
            return [learn(params, batch) for params, batch in zip(local, batches)]
        def averaged_after_learning(key, batches, learn):
            local = [net.init(key, batches[0]) for _ in batches]
            for t, batch in enumerate(batches):
                local[t] = learn(local[t], batch)
            return jax.tree.map(lambda *leaves: sum(leaves) / len(leaves), *local)
        def settings(key, x, rates, learn):
            found = []
            for rate in rates:
                params = net.init(key, x)
                found.append(learn(params, rate))
            return found
        def by_client(key, x, batches, learn):
            local = {}
            for name in batches:
                local[name] = net.init(key, x)
            for name, batch in batches.items():
                print(name, learn(local[name], batch))
        class Server:
            def start(self, key, x, names):
                self.local = {}
                for name in names:
                    self.local[name] = net.init(key, x)
        def handed_on(key, x, n):
            return [net.init(key, x) for _ in range(n)]  # JAX102
        def stacked(key, x, n):
            members = [net.init(key, x) for _ in range(n)]  # JAX102
            return jax.tree.map(lambda *leaves: jnp.stack(leaves), *members)
        def voting(key, x, n):
            members = []
            for _ in range(n):
                members.append(net.init(key, x))  # JAX102
            given = [net.apply(member, None, x) for member in members]
            return jnp.stack(given).mean(0)
        def each_tried(key, x, n, learn):
            errors = []
            for _ in range(n):
                params = net.init(key, x)  # JAX102
                errors.append(learn(params, x))
            return jnp.array(errors).std()
        def by_number(key, x, n):
            members = {}
            for i in range(n):
                members[i] = net.init(key, x)  # JAX102
            return sum(net.apply(members[i], None, x) for i in range(n))
        def layers(key, x, sizes):
            found = []
            for size in sizes:
                found.append(hk.transform(lambda x: hk.Linear(size)(x)).init(key, x))  # JAX102
                found.append(jax.random.normal(key, (size,)))  # JAX101
            return found
        def parts(key, x, layers):
            found = []
            for layer in layers:
                found.append(hk.transform(layer).init(key, x))  # JAX102
            return found
    """,
    "noise times zero": """
        import jax
        QUIET, LOUD = 0.0, 0.5
        def noisy(x, key, scale):
            noise = jax.random.normal(key, x.shape)
            return x + scale * noise
        def rooted(x, key, scale, dt):
            return x + scale * dt ** 0.5 * jax.random.normal(key, x.shape)
        def passed(x, key):
            y = noisy(x, key, 0.0)
            return y + jax.random.normal(key, y.shape)
        def in_a_product(x, key):
            y = rooted(x, key, 0.0, 0.1)
            return y + jax.random.normal(key, y.shape)
        def in_a_loud_product(x, key):
            y = rooted(x, key, 0.1, 0.0)
            return y + jax.random.normal(key, y.shape)  # JAX101
        def local(x, key, times):
            scale = 0.0
            x = x + jax.random.normal(key, x.shape)
            for t in times:
                x = x + t + scale * jax.random.normal(key, x.shape)
            return x
        def of_module(x, key, times):
            for t in times:
                x = x + t + jax.random.normal(key, x.shape) * QUIET * 2
            return x
        def each(xs, key):
            return [noisy(x, key, scale=0) for x in xs]
        def other(x, key):
            y = noisy(x, key, 0.1)
            return y + jax.random.normal(key, y.shape)  # JAX101
        def later(x, key, times):
            scale = 0.0
            for t in times:
                x = x + t + scale * jax.random.normal(key, x.shape)  # JAX102
                scale = 0.5
            return x
        def loud(x, key, times):
            for t in times:
                x = x + t + jax.random.normal(key, x.shape) * LOUD  # JAX102
            return x
        def given(xs, key, scale=0.0):
            return [noisy(x, key, scale) for x in xs]  # JAX102
        def added(x, key, times):
            scale = 0.0
            for t in times:
                x = x + scale + jax.random.normal(key, x.shape)  # JAX102
            return x
    """,
    "a method that asks for a key and draws nothing": """
        import jax, jax.numpy as jnp
        class Encoder:
            def mode(self, params, x, key):
                return jnp.tanh(x @ params)
            def sample(self, params, x, key):
                mean = x @ params
                return mean + jax.random.normal(key, mean.shape)
        def shown(params, xs, key):
            encoder, found = Encoder(), []
            for x in xs:
                key_of_training, sub = jax.random.split(key)
                found.append(encoder.mode(params, x, sub))
            return found
        def drawn(params, xs, key):
            encoder, found = Encoder(), []
            for x in xs:
                key_of_training, sub = jax.random.split(key)  # JAX102
                found.append(encoder.sample(params, x, sub))
            return found
        def unknown(encoder, params, xs, key):
            found = []
            for x in xs:
                key_of_training, sub = jax.random.split(key)  # JAX102
                found.append(encoder.mode(params, x, sub))
            return found
    """,
    "the same positions of all leaves, and a monitor": """
        import jax, jax.numpy as jnp
        def batches(key, data, n):
            def batch(x):
                return jnp.take(x, jax.random.randint(key, (n,), 0, x.shape[0]), axis=0)
            return jax.tree.map(batch, data)
        def numbers(key, data):
            return jax.tree.map(lambda x: x + jax.random.randint(key, x.shape, 0, 5), data)  # JAX102
        def watched(key, params, step, monitor):
            for i in range(9):
                if i % 3 == 0:
                    monitor(i, params, key)
                key, sub = jax.random.split(key)
                params = step(params, sub)
            return params
        def changed(key, params, step, monitor):
            for i in range(9):
                if i % 3 == 0:
                    params = monitor(i, params, key)
                key, sub = jax.random.split(key)  # JAX101
                params = step(params, sub)
            return params
        def updated(key, params, step, trainer):
            for i in range(9):
                trainer.update(i, params, key)
                key, sub = jax.random.split(key)  # JAX101
                params = step(params, sub)
            return params
    """,
    "pictures of a network in training, and what meets the run": """
        import jax, jax.numpy as jnp, matplotlib.pyplot as plt, wandb
        def train(key, params, batches, step, model, n):
            keys = jax.random.split(key, n)
            for i, batch in enumerate(batches):
                params, keys, loss = step(params, keys, batch)
                log = {"loss": float(loss)}
                if i % 10 == 0:
                    key, sub = jax.random.split(key)
                    picture = model.apply(params, jax.random.normal(sub, (1, 8)))
                    log["picture"] = wandb.Image(picture)
                wandb.log(log)
        def trained_on_it(key, params, batches, step, model, n):
            keys = jax.random.split(key, n)
            for i, batch in enumerate(batches):
                params, keys, loss = step(params, keys, batch)
                key, sub = jax.random.split(key)  # JAX101
                picture = model.apply(params, jax.random.normal(sub, (1, 8)))
                wandb.log({"picture": wandb.Image(picture)})
                params = params - 0.1 * picture.mean()
        def carried(key, params, batches, step, model):
            for batch in batches:
                key, sub = jax.random.split(key)
                params = step(params, batch, sub)
                fig, ax = plt.subplots()
                ax.imshow(model.apply(params, jax.random.normal(key, (1, 8))))
                fig.savefig("now.png")
            return params
        def begun_anew(key, params, batches, step, model):
            for i, batch in enumerate(batches):
                key, sub = jax.random.split(key)
                params = step(params, batch, sub)
                if i % 10 == 0:
                    key = jax.random.key(0)  # JAX104
                    plt.imshow(model.apply(params, jax.random.normal(key, (1, 8))))  # JAX103
            return params
        def shown_and_kept(key, solve):
            shown = solve(jax.random.normal(key, (3,)))
            kept = jax.random.normal(key, (3,))
            print(f"like {shown}")
            return kept
        def shown_apart(key, solve):
            first = jax.random.normal(key, (3,))
            second = jax.random.normal(key, (4,))
            plt.plot(solve(first))
            result = solve(second)
            plt.plot(result)
        def looked_at(key):
            print(jax.random.normal(key, (3,)))
            second = jax.random.normal(key, (3,))  # JAX101
            print(f"again {second}")
        def shown_together(key):
            first = jax.random.normal(key, (3,))
            second = jax.random.normal(key, (3,))  # JAX101
            plt.scatter(first, second)
        def sum_shown(key):
            first = jax.random.normal(key, (3,))
            second = jax.random.normal(key, (3,))  # JAX101
            print(first + second)
            return first
        def sum_of_apart(key, rows):
            first = jax.random.normal(key, (3,))
            second = jax.random.normal(key, (3,))  # JAX101
            total = (first + second).sum()
            print(f"{total:.3f}")
        def draw_both(first, second):
            plt.scatter(first, second)
        def drawn(key):
            first = jax.random.normal(key, (3,))
            second = jax.random.normal(key, (3,))  # JAX101
            draw_both(first, second)
    """,
    "keys of objects that are made for one draw, and keys that are defaults of classes": """
        import jax
        class Matrix:
            def __init__(self, rows, key):
                self.rows, self.key = rows, key
            def drawn(self, columns):
                return jax.random.normal(self.key, (self.rows, columns))
        def features(make, x, key, other):
            return x @ make(key=key).drawn(3) + Matrix(9, other).drawn(3).sum()
        class Noise:
            def __init__(self, rows, key):
                self.rows, self.key = rows, key
            def noisy(self, x):
                return x + jax.random.normal(self.key, (self.rows, 3))  # JAX103
        def once(x, key):
            return Noise(9, key=key).noisy(x)
        def kept(noise, x):
            return noise.noisy(x)
        class Layer:
            def __init__(self, n, key=jax.random.key(0)):  # JAX104  # JAX901
                self.weights = jax.random.normal(key, (n, n))
        def layers(n):
            return [Layer(n) for _ in range(n)]
        def keyed(n, key):
            return [Layer(n, key) for _ in range(n)]  # JAX102
    """,
    "points of curves, each shown for itself": """
        import jax, jax.numpy as jnp, matplotlib.pyplot as plt, numpy as np
        def curve(key, dims, error):
            errors = []
            for dim in dims:
                keys = jax.random.split(key, 100)
                errors.append(np.asarray(jax.vmap(error, (None, 0))(dim, keys)).mean())
            plt.plot(dims, errors)
        def rows(key, named, error):
            for name, f in named.items():
                print(name, f(jax.random.normal(key, (9,))))
        def drawn(settings, values):
            fig, ax = plt.subplots()
            ax.errorbar(settings, [np.mean(one) for one in values], [np.std(one) for one in values])
            fig.savefig("curve.png")
        def by_function(key, rates, run):
            found = []
            for rate in rates:
                found.append(run(rate, jax.random.normal(key, (9,))))
            drawn(rates, found)
        def averaged(key, dims, error):
            errors = []
            for dim in dims:
                errors.append(error(dim, jax.random.normal(key, (9,))))  # JAX102
            print(np.mean(errors))
        def trials(key, n, run):
            for _ in range(n):
                print(run(jax.random.normal(key, (9,))))  # JAX102
        def nine(key, params, model):
            fig, axes = plt.subplots(3, 3)
            for i in range(9):
                axes[i].imshow(model.apply(params, jax.random.normal(key, (8,))))  # JAX102
        def watched(key, params, model, step):
            for i in range(9):
                noise = jax.random.normal(key, (8,))
                picture = model.apply(params, noise)
                plt.imshow(picture)
                params = step(params)
            return params
        def carried_on(key, params, model, step):
            for i in range(9):
                noise = jax.random.normal(key, (8,))  # JAX102
                picture = model.apply(params, noise)
                plt.imshow(picture)
                params = step(params, picture)
            return params
        def returned(key, dims, error):
            errors = []
            for dim in dims:
                errors.append(error(dim, jax.random.normal(key, (9,))))  # JAX102
            return errors
        def watched_by_index(key, params, model, step, batches):
            keys = jax.random.split(key, 3)
            for batch in batches:
                params = step(params, batch)
                plt.imshow(model.apply(params, jax.random.normal(keys[2], (8,))))
            return params
        def trained_by_index(key, params, step, batches):
            keys = jax.random.split(key, 3)
            for batch in batches:
                params = step(params, batch, jax.random.normal(keys[2], (8,)))  # JAX105
            return params
    """,
    "a loop of integers that were drawn": """
        import jax, jax.numpy as jnp
        from jax import lax
        def moved(state, action):
            return lax.while_loop(lambda c: c[0] < 9, lambda c: (c[0] + 1, c[1] + action), (0, state))[1]
        def weighed(state, weight):
            return lax.while_loop(  # JAX612
                lambda c: c[0] < 9, lambda c: (c[0] + 1, c[1] + weight), (0, state))[1]
        class Env:
            def step(self, state, action):
                return lax.while_loop(lambda c: c[0] < 9, lambda c: (c[0] + 1, c[1] * 0.9 + action), (0, state))[1]
            def push(self, state, force):
                return lax.while_loop(  # JAX612
                    lambda c: c[0] < 9, lambda c: (c[0] + 1, c[1] * 0.9 + force), (0, state))[1]
        def loss(params, x, key):
            logits, env = params @ x, Env()
            action = jax.random.categorical(key, logits)
            return (logits * (moved(x, action) + env.step(x, action))).sum()
        def other(params, x, key):
            logits, env = params @ x, Env()
            return (logits * (weighed(x, logits[0]) + env.push(x, logits[1]))).sum()
        def train(params, x, key):
            one, two = jax.random.split(key)
            return jax.grad(loss)(params, x, one), jax.grad(other)(params, x, two)
    """,
    "a comment says that the key is the same on purpose, which silences nothing": """
        import jax
        def masks(layers, xs, key):
            for layer in layers:
                key, sub = jax.random.split(key)
                # ATTENTION: do not vmap over keys, the dropout must be the same over time
                xs = jax.vmap(lambda x: layer(x) * jax.random.bernoulli(sub, 0.9, x.shape))(xs)  # JAX102
            return xs
        def over_time(layers, xs, key):
            for layer in layers:
                key, sub = jax.random.split(key)
                xs = jax.vmap(lambda x: layer(x) * jax.random.bernoulli(sub, 0.9, x.shape))(xs)  # JAX102
            return xs
        def shared(key, x):
            a = jax.random.normal(key, x.shape)
            # use the same key again, so that the noise is shared
            return a * x + jax.random.normal(key, x.shape)  # JAX101
    """,
    "what is compiled by a flag that its code reads": """
        import jax
        def shown(level):
            if level > 0:
                return 1
            return 2
        def told(level):
            if level > 0:  # JAX401
                return 1
            return 2
        def made(jit):
            def step(x):
                if not jit:
                    print(shown(x))
                return x + 1
            if jit:
                step = jax.jit(step)
            return step
        def made_wrongly(jit):
            def step(x):
                if jit:
                    told(x)
                return x + 1
            if jit:
                step = jax.jit(step)
            return step
        class Env:
            def __init__(self, jit):
                self.jit = jit
                self.step_fn = self.make()
            def make(self):
                def step(x):
                    if not self.jit:
                        print(shown(x))
                    return x + 1
                if self.jit:
                    step = jax.jit(step)
                return step
        class Wrong:
            def __init__(self, jit, limited):
                self.limited = limited
                self.run = jax.jit(self.step) if jit else self.step
            def step(self, x):
                if self.limited:
                    if x > 0:  # JAX401
                        return x
                return x + 1
        def run(x):
            env, wrong = Env(True), Wrong(True, True)
            return made(True)(x), made_wrongly(True)(x), env.step_fn(x), wrong.run(x)
    """,
    "a copy of a record with other fields": """
        import dataclasses, jax
        from library import make
        data, state, table = make(), make(), make()
        @jax.jit
        def near(x):
            return data.position[:3] + x
        @jax.jit
        def driven(x):
            return data.control + x  # JAX302
        @jax.jit
        def whole(x):
            return x + jax.tree.leaves(data)[0]  # JAX302
        @jax.jit
        def scaled(x):
            return state.scale * x
        @jax.jit
        def counted(x):
            return state.step * x  # JAX302
        @jax.jit
        def looked_up(x):
            return table.rows[0] * x  # JAX302
        def run(u, options):
            global data, table
            first = near(u), driven(u), whole(u), looked_up(u)
            data = data.replace(control=u)
            table = table.replace(**options)
            return first, near(u), driven(u), whole(u), looked_up(u)
        scaled(1.0), counted(1.0)
        state = dataclasses.replace(state, step=3)
        scaled(1.0), counted(1.0)
    """,
    "a draw that is made again until a test by a name accepts it": """
        import jax, jax.numpy as jnp
        def simulate(key):
            first, second = jax.random.split(key)
            xs = jax.random.normal(first, (10,))
            return xs, xs + jax.random.normal(second, (10,))
        def by_a_name(key, is_bad):
            bad = True
            while bad:
                key, _ = jax.random.split(key)
                _, ys = simulate(key)
                bad = is_bad(ys)
            return ys
        def of_one_result(key, is_bad):
            xs, ys = simulate(key)
            while is_bad(xs):
                key, _ = jax.random.split(key)
                xs, ys = simulate(key)
            return xs, ys
        def goes_on(key, n):
            found = []
            for i in range(n):
                key, _ = jax.random.split(key)
                xs, ys = simulate(key)  # JAX103
                found.append(ys)
            return found
        def decides_with_it(key, density):
            while True:
                key, sub = jax.random.split(key)
                x = jax.random.normal(sub)
                if jax.random.uniform(sub) < density(x):  # JAX101
                    break
            return x
        def decides_by_a_name(key, density):
            while True:
                key, sub = jax.random.split(key)
                x = jax.random.normal(sub)
                accepted = jax.random.uniform(sub) < density(x)  # JAX101
                if accepted:
                    break
            return x
        def after_the_test(key, accepts):
            while True:
                x = jax.random.normal(key)
                if accepts(x):
                    break
                key, _ = jax.random.split(key)
            return x
    """,
    "a clock around what an unknown function is compiled to": """
        import time, jax, tqdm
        def bench(library, state, log):
            step = jax.jit(library.step)
            start = time.time()
            for i in tqdm.tqdm(range(100)):
                state, info = step(state)  # JAX702
            spent = time.time() - start
            print(spent)
            start = time.time()
            state = jax.block_until_ready(step(state))
            print(time.time() - start)
            start = time.time()
            log(step(state))
            print(time.time() - start)
    """,
    "a carry that helpers write out": """
        from functools import partial
        from typing import NamedTuple
        import jax, jax.numpy as jnp
        class Memory(NamedTuple):
            h: jax.Array
            n: jax.Array
        def cell(params, carry, x):
            h = jnp.tanh(x @ params + carry["h"])
            return {"h": h, "c": 2 * h}
        def pair(params, carry, x):
            new = cell(params, carry, x)
            return new, new["h"]
        def turn(memory):
            h, n = memory
            return Memory(h, n + 0.5)
        def count(memory):
            return Memory(memory[0], memory[-1] + 1)
        class Cell:
            def __call__(self, params, carry, x):
                return cell(params, carry, x), x
            def step(self, params, carry, x):
                return {**carry, "h": jnp.tanh(x @ params)}, x
        def named(params, xs):
            def body(carry, x):
                new = cell(params, carry, x)
                return new, new["h"]
            jax.lax.scan(body, {"h": jnp.zeros(4), "c": jnp.zeros(4)}, xs)[0].sum()
            return jax.lax.scan(body, {"h": jnp.zeros(4)}, xs)  # JAX604
        def unpacked(params, xs):
            def body(carry, x):
                new, out = pair(params, carry, x)
                return new, out
            return jax.lax.scan(body, {"h": jnp.zeros(4)}, xs)  # JAX604
        def called(params, xs):
            model = Cell()
            def body(carry, x):
                new, out = model(params, carry, x)
                return new, out
            def stepped(carry, x):
                new, out = model.step(params, carry, x)
                return new, out
            kept = jax.lax.scan(stepped, {"h": jnp.zeros(4)}, xs)
            return kept, jax.lax.scan(body, {"h": jnp.zeros(4)}, xs)  # JAX604
        def bound(params, xs):
            return jax.lax.scan(partial(pair, params), {"h": jnp.zeros(4)}, xs)  # JAX604
        def filled(params, xs, fill):
            def body(carry, x):
                new = cell(params, carry, x)
                fill(new)
                return new, x
            def grown(carry, x):
                new = {}
                for name in carry:
                    new[name] = carry[name] * x
                return new, x
            started = {"h": jnp.zeros(4)}
            return jax.lax.scan(body, started, xs), jax.lax.scan(grown, started, xs)
        def records():
            start = Memory(jnp.ones(3), jnp.zeros((), jnp.int32))
            kept = jax.lax.fori_loop(0, 3, lambda _, one: count(one), start)
            return kept, jax.lax.scan(lambda one, _: (turn(one), None), start, None, length=3)  # JAX604
    """,
    "what the first turn of a loop does by its count": """
        import jax
        def start(key):
            return jax.random.normal(key, (3,))
        def batch_of(key):
            key, sub = jax.random.split(key)
            return key, jax.random.normal(sub, (3,))
        def train(n, seed):
            key = jax.random.key(0)
            params = start(key)
            for step in range(n):
                if step % 10 == 0:
                    key = jax.random.key(seed + step)
                key, batch = batch_of(key)
                params = params + batch
            return params
        def counted(batches, seed):
            key = jax.random.key(0)
            params = start(key)
            for step, batch in enumerate(batches):
                if not step or batch is None:
                    key = jax.random.key(seed)
                key, more = batch_of(key)
                params = params + more
            return params
        def from_one(n, seed):
            key = jax.random.key(0)
            params = start(key)
            for step in range(1, n):
                if step % 10 == 0:
                    key = jax.random.key(seed + step)
                key, batch = batch_of(key)  # JAX101
                params = params + batch
            return params
        def later(n, key):
            found = []
            for step in range(n):
                if step > 0:
                    found.append(jax.random.normal(key))  # JAX102
            return found
        def renewed_at_times(batches, params, key):
            for step, batch in enumerate(batches):
                if step % 100 == 0:
                    key, sub = jax.random.split(key)
                    print(jax.random.normal(sub))
                params = params + batch * jax.random.normal(key)  # JAX102
            return params
        def stored_anew(n, seed):
            key = jax.random.key(0)
            params = start(key)
            for step in range(n):
                if step == 0:
                    key = jax.random.key(seed)
                params = params + jax.random.normal(key)  # JAX102
            return params
    """,
    "a key with which a derivative draws what its function drew": """
        from functools import partial
        import jax
        import jax.numpy as jnp
        @partial(jax.custom_jvp, nondiff_argnums=(0,))
        def shot(key, image):
            return image + jax.random.normal(key, image.shape) * jnp.sqrt(image)
        @shot.defjvp
        def shot_jvp(key, primals, tangents):
            (image,), (moved,) = primals, tangents
            slope = 1 + jax.random.normal(key, image.shape) / (2 * jnp.sqrt(image))
            return shot(key, image), slope * moved
        @jax.custom_vjp
        def noisy(key, image):
            return image + jax.random.normal(key, image.shape) * jnp.sqrt(image)
        def forward(key, image):
            slope = 1 + jax.random.normal(key, image.shape) / (2 * jnp.sqrt(image))
            return noisy(key, image), slope
        def backward(slope, cotangent):
            return None, slope * cotangent
        noisy.defvjp(forward, backward)
        def of_nobody(key, image):
            slope = 1 + jax.random.normal(key, image.shape) / (2 * jnp.sqrt(image))
            return noisy(key, image), slope  # JAX101
    """,
    "names that a program's own block binds anew": """
        from functools import partial
        import jax
        def crop(key, image, height, width):
            return jax.lax.dynamic_slice(image, (0, 0), (height, width))
        def paste(key, image, height, width):
            return image[0] + height + width
        if __name__ == "__main__":
            crop = partial(crop, height=4, width=4)
            @jax.jit
            def step(keys, image):
                return jax.vmap(crop, in_axes=(0, None))(keys, image)
            @jax.jit
            def other(keys, image):
                return jax.vmap(paste, in_axes=(0, None))(keys, image)  # JAX602
        def below(keys, image):
            return jax.vmap(paste, in_axes=(0, None))(keys, image)  # JAX602
    """,
    "an index that a mask has chosen": """
        import jax
        import jax.numpy as jnp
        @jax.jit
        def parents(costs, is_open, indices):
            order = jnp.argsort(jnp.logical_and(jnp.isfinite(costs), is_open))
            def body(i, total):
                return total + costs[indices[order[i]]]
            return jax.lax.fori_loop(0, 10, body, 0.0)
        @jax.jit
        def chosen(costs, masks, i):
            return costs[masks[i]]  # JAX411
        @jax.jit
        def both(costs, masks):
            return costs[masks["a"] & masks["b"]]  # JAX411
        def search(found):
            is_open = found.generation >= 0
            a = parents(found.costs, is_open, jnp.asarray(found.indices, dtype=jnp.int32))
            return a, chosen(found.costs, is_open, 3), both(found.costs, {"a": is_open, "b": is_open})
    """,
    "equal seeds of weights and of what trains them": """
        import jax
        import equinox as eqx
        def init_params(key):
            return jax.random.normal(key, (3,))
        def train(batches):
            params = init_params(jax.random.key(0))
            key = jax.random.key(0)
            for batch in batches:
                key, sub = jax.random.split(key)
                params = params + batch * jax.random.normal(sub)
            return params
        class Encoder(eqx.Module):
            weight: jax.Array
            def __init__(self, key):
                self.weight = jax.random.normal(key, (3,))
        class Decoder(eqx.Module):
            weight: jax.Array
            def __init__(self, key):
                self.weight = jax.random.normal(key, (3,))
        def autoencoder(x):
            return Decoder(jax.random.key(0)).weight @ Encoder(jax.random.key(0)).weight * x
        def two_of_one(x):
            return Encoder(jax.random.key(0)).weight + Encoder(jax.random.key(0)).weight * x  # JAX105
        def two_draws(x):
            return x + jax.random.normal(jax.random.key(0)) * jax.random.normal(jax.random.key(0))  # JAX105
    """,
    "loops that compile on single turns, or for each option of a command": """
        import argparse
        import jax
        import jax.numpy as jnp
        def parse_args():
            return argparse.ArgumentParser().parse_args()
        def solve(rate):
            return jax.lax.scan(lambda total, x: (total * rate, x), 1.0, jnp.arange(10))
        def main(n, last, checkpoints):
            args = parse_args()
            for domain in args.domains:
                print(solve(domain))
            for epoch in range(n):
                if epoch in checkpoints:
                    print(solve(2.0))
            for epoch in range(n):
                if checkpoints and epoch == last:
                    print(solve(2.0))
            for epoch in range(n):
                if epoch % 10 == 0:
                    print(solve(2.0))  # JAX501
            for epoch in range(n):
                print(solve(epoch))  # JAX501
        main(100, 99, (10, 20))
    """,
    "two results that one loss compares": """
        import jax
        import jax.numpy as jnp
        def network(params, x, key):
            return x @ params * jax.random.bernoulli(key, 0.9, x.shape)
        def measured(params, target, x, y, key, distance):
            student = network(params, x, key)
            teacher = network(target, y, key)
            return distance.lpips_loss(student, teacher).mean()
        def unpacked(model, params, target, x, y, key):
            student, state = model.apply(params, x, rngs={"dropout": key})
            teacher, _ = model.apply(target, y, rngs={"dropout": key})
            return jnp.mean((student - teacher) ** 2), state
        def gathered(params, target, x, y, key):
            one = network(params, x, key)
            other = network(target, y, key)  # JAX101
            return jnp.concatenate([one, other])
        def each_for_itself(params, target, x, y, key, loss):
            one = network(params, x, key)
            other = network(target, y, key)  # JAX101
            return loss(one, x) + loss(other, y)
    """,
    "draws that a test refuses": """
        import jax
        import jax.numpy as jnp
        def simulate(key):
            return jax.random.normal(key, (3,))
        def until_it_is_finite(key, n):
            found = []
            for _ in range(n):
                key, sub = jax.random.split(key)
                while True:
                    xs = simulate(sub)
                    if not jnp.any(jnp.isnan(xs)):
                        break
                    sub, _ = jax.random.split(sub)
                found.append(xs)
            return found
        def by_its_condition(key):
            xs = simulate(key)
            while bool(jnp.any(jnp.isnan(xs))):
                key, _ = jax.random.split(key)
                xs = simulate(key)
            return xs
        def returned(key):
            for _ in range(10):
                xs = simulate(key)
                if jnp.all(jnp.isfinite(xs)):
                    return xs
                key, _ = jax.random.split(key)
            raise ValueError("never finite")
        def counted(key):
            total = 0.0
            while True:
                xs = simulate(key)
                if jnp.any(jnp.isnan(xs)):
                    break
                total += xs.sum()
                key, _ = jax.random.split(key)  # JAX101
            return total
        def untested(key, n):
            total = 0.0
            while n > 0:
                xs = simulate(key)
                total, n = total + xs.sum(), n - 1
                key, _ = jax.random.split(key)  # JAX101
            return total
    """,
    "the structure of a tree that is drawn": """
        import jax
        from jax.flatten_util import ravel_pytree
        def start(key):
            return {"w": jax.random.normal(key, (3,))}
        def many(key, n):
            keys = jax.random.split(key, n)
            first = start(key)
            _, unravel = ravel_pytree(first)
            flat = jax.vmap(lambda key: ravel_pytree(start(key))[0])(keys)
            return flat, unravel
        def by_its_structure(key, leaves):
            structure = jax.tree.flatten(start(key))[1]
            return jax.tree.unflatten(structure, leaves), jax.random.normal(key)
        def with_the_leaves(key, n):
            keys = jax.random.split(key, n)
            first = start(key)  # JAX101
            flat, unravel = ravel_pytree(first)
            return flat, unravel, jax.vmap(start)(keys)
    """,
    "objects that have a shape and a method of arrays": """
        import jax
        @jax.jit
        def without_mean(mesh):
            return mesh.clone(value=mesh.value.at[(0,) * mesh.ndim].set(0.0))
        @jax.jit
        def of_an_array(x):
            return x.item(), x.ndim  # JAX404
    """,
    "branches that are filled in later": """
        import jax
        branches = [None] * 3
        branches[0] = lambda x: x
        branches[1] = lambda x: x + 1
        branches[2] = lambda x: x * 2
        def pick(i, x):
            return jax.lax.switch(i, branches, x)
        def with_none(i, x):
            return jax.lax.switch(i, [lambda x: x, None], x)  # JAX606
    """,
    "a key that is None, or renewed": """
        import jax
        import jax.numpy as jnp
        def make(joint, key=None):
            return jnp.zeros(3) if key is None else jax.random.normal(key, (3,))
        def each(joints, key=None):
            out = []
            for joint in joints:
                if key is not None:
                    key, sub = jax.random.split(key)
                    out.append(make(joint, sub))
                out.append(make(joint, key) if key is None else joint)
            return out
        def after(key=None):
            x = jax.random.normal(key)
            if key is not None:
                key = jax.random.fold_in(key, 1)
            return x, make(3, key)
        def by_a_flag(flag, key=None):
            x = jax.random.normal(key)
            if flag:
                key = jax.random.fold_in(key, 1)
            return x, make(3, key)  # JAX101
        def split_late(joints, key=None):
            out = []
            for joint in joints:
                out.append(make(joint, key))
                if key is not None:
                    key, _ = jax.random.split(key)  # JAX101
            return out
    """,
    "an axis of a shape that callers know": """
        import jax.numpy as jnp
        class Model:
            def __init__(self, start):
                self.particles = start.shape[0]
                self.agents = start.shape[1]
                self.last = start[1]  # JAX204
        agents = 2
        start = jnp.repeat(jnp.asarray([[[0.2, 0.0, 0.0, 0.2]]]), agents, axis=1)
        model = Model(jnp.asarray(start))
    """,
    "a key that a donated state hands on": """
        import functools
        import jax
        from flax.training import train_state
        class State(train_state.TrainState):
            key: jax.Array
        def created(tx, params):
            return State.create(apply_fn=None, params=params, tx=tx, key=jax.random.key(7))
        @functools.partial(jax.jit, donate_argnames="state")
        def step(state: State, batch):
            grads = jax.random.normal(jax.random.fold_in(state.key, state.step), batch.shape)
            state = state.apply_gradients(grads=grads)
            return state
        def train(tx, params, batches):
            state = created(tx, params)
            for batch in batches:
                state = step(state, batch)
            return state
        def kept(tx, params, batches):
            state = created(tx, params)
            for batch in batches:
                new = step(state, batch)  # JAX105  # JAX506
            return new
    """,
    "functions and settings that are tried on the same numbers": """
        import jax, jax.numpy as jnp, optax
        def expected(f, key):
            return jax.vmap(f)(jax.random.normal(key, (100,))).mean()
        def slope(f, theta, key, h):
            up = expected(lambda x: f(theta + h, x), key)
            down = expected(lambda x: f(theta - h, x), key)
            return (up - down) / (2 * h)
        def judged(ours, theirs, key):
            return expected(ours, key), expected(theirs, key)
        def ranked(candidates, key):
            return {name: expected(f, key) for name, f in candidates.items()}
        def listed(policies, key):
            return [policy(jax.random.normal(key, (4,))).sum() for policy in policies]
        def mapped(policies, keys):
            return {name: jax.vmap(lambda k: policy(jax.random.normal(k)))(keys) for name, policy in policies.items()}
        def twice(ours, key):
            return expected(ours, key), expected(ours, key)  # JAX101
        def noisy(x, key):
            return x + jax.random.normal(key, x.shape)
        def disturbed(xs, key):
            return [noisy(x, key) for x in xs]  # JAX102
        def alike(params, key):
            return [p + jax.random.normal(key, p.shape) for p in params]  # JAX102
        @jax.jit
        def step(state, key, rate):
            return state - rate * jax.random.normal(key, state.shape)
        RATES = (0.1, 0.01)
        def compared(start, key):
            for rate in RATES:
                state = start
                for i in range(10):
                    state = step(state, jax.random.fold_in(key, i), rate)
                print(rate, state)
            for name, tx in {"sgd": optax.sgd(0.1), "adam": optax.adam(0.1)}.items():
                state, inner = start, tx.init(start)
                for sub in jax.random.split(jax.random.fold_in(key, 99), 5):
                    grads = jax.random.normal(sub, state.shape)
                    updates, inner = tx.update(grads, inner)
                    state = optax.apply_updates(state, updates)
                print(name, state)
        def epochs(state, key):
            for rate in (0.1, 0.01):
                for i in range(10):
                    state = step(state, jax.random.fold_in(key, i), rate)  # JAX105
            return state
        def counted(start, key):
            ends = []
            for _ in range(3):
                state = start
                for i in range(10):
                    state = step(state, jax.random.fold_in(key, i), 0.1)  # JAX105
                ends.append(state)
            return ends
        def kept(start, key):
            state = start
            for rate in (0.1, 0.01):
                inner = state
                for sub in jax.random.split(key, 5):  # JAX102
                    inner = step(inner, sub, rate)
                    state = state + inner
            return state
        def made(key):
            return {"w": jax.random.normal(key, (2,))}
        def reproducible(seed):
            first = made(jax.random.key(seed))
            second = made(jax.random.key(seed))
            assert jax.tree.all(jax.tree.map(jnp.array_equal, first, second))
            return first
        def added(seed):
            first = made(jax.random.key(seed))
            second = made(jax.random.key(seed))  # JAX105
            return jax.tree.map(jnp.add, first, second)
    """,
    "functions below a decorator that stages nothing": """
        import contextlib
        import jax, jax.numpy as jnp
        @contextlib.contextmanager
        def eager():
            with jax.disable_jit():
                yield
        @jax.disable_jit()
        def shown(x):
            print(jax.jit(lambda y: 1 if y.sum() > 0 else 2)(x))
            print(jax.lax.while_loop(lambda c: bool(c < 3), lambda c: c + 1, x.sum()))
            return jax.lax.scan(lambda c, y: (c + float(y), y), 0.0, x)[0]
        @eager()
        def by_generator(x):
            return jax.jit(lambda y: float(y))(x)
        @jax.disable_jit()
        @jax.jit
        def below(x):
            return float(x.sum())
        def helper(x):
            return jax.jit(lambda y: float(y))(x)
        @jax.disable_jit()
        def handed_on(x):
            return helper(x)
        print(below(jnp.ones(2)), handed_on(1.0), shown(jnp.ones(3)))
        @jax.jit
        @jax.disable_jit()
        def above(x):
            return float(x.sum())  # JAX404
        @jax.disable_jit(False)
        def staged(x):
            return jax.jit(lambda y: float(y))(x)  # JAX404
        @jax.disable_jit()
        def mapped(x):
            return jax.vmap(lambda y: float(y))(x)  # JAX404
        @jax.disable_jit()
        def made():
            @jax.jit
            def run(x):
                return float(x)  # JAX404
            return run
        made()(1.0)
    """,
    "code for other libraries than JAX": """
        import jax
        def slope(f, backend):
            if backend == "numpy":
                return jax.grad(lambda x: x * 1.0)(3)
            if backend == "jax":
                return jax.grad(lambda x: x * 1.0)(3)  # JAX607
            return f
    """,
    "a name that is too new for what is required, once in a file": """
        # /// script
        # dependencies = ["jax>=0.4.20"]
        # ///
        import jax
        def set_here(mesh):
            return jax.set_mesh(mesh)  # JAX803
        def set_there(mesh):
            return jax.set_mesh(mesh), jax.set_mesh(mesh)
        def mean(x):
            return jax.nn.logmeanexp(x)  # JAX803
        def renamed(x):
            return jax.tree.map(abs, x)  # JAX803
        def renamed_again(x):
            return jax.tree.map(abs, x)  # JAX803
        def static(f):
            return jax.checkpoint(f, static_argnames="n")  # JAX803
        def static_again(f):
            return jax.checkpoint(f, static_argnames="n")
    """,
    "one field of several classes that have nothing to do with each other": """
        import functools
        import jax
        class Plain:
            def __init__(self):
                self.scale = 1.0
            @functools.partial(jax.jit, static_argnums=0)
            def run(self, x):
                return x * self.scale  # JAX302
        class Passed:
            def __init__(self):
                self.scale = 1.0
            def run(self, x):
                return self.scaled(x, self.scale)
            @functools.partial(jax.jit, static_argnums=0)
            def scaled(self, x, scale):
                return x * scale
            def faster(self):
                self.scale = 2.0
        class Kept:
            def __init__(self):
                self.scale = 1.0
            @functools.partial(jax.jit, static_argnums=0)
            def run(self, x):
                return x * self.scale
        def made():
            model = Plain()
            first = model.run(1.0)
            model.scale = 2.0
            return first, model.run(1.0)
        def passed():
            model = Passed()
            first = model.run(1.0)
            model.scale = 2.0
            return first, model.run(1.0)
        def kept():
            model, other = Kept(), Passed()
            first = model.run(1.0)
            other.scale = 2.0
            other.faster()
            return first, model.run(1.0)
    """,
    "one key for a table by settings": """
        import jax, jax.numpy as jnp
        SIZES = (10, 100, 1000)
        def error(key, n):
            return jax.random.uniform(key, (n,)).mean() - 0.5
        def converges(key):
            return {n: float(error(key, n)) for n in SIZES}
        def condition(key):
            return {n: jnp.linalg.cond(jax.random.normal(key, (n, n))) for n in (2, 4)}
        def losses(key):
            found = {}
            for rate in (0.1, 0.01):
                for width in (4, 8):
                    found[rate, width] = rate * error(key, width)
            return found
        def layers(key):
            return [jax.random.normal(key, (n, n)) for n in (2, 4)]  # JAX102
        def named(key):
            return {name: jax.random.normal(key, (3,)) for name in ("w", "b")}  # JAX102
        def numbered(key):
            return {n: jax.random.normal(key, (3,)) for n in (0, 1)}  # JAX102
        def counted(key, widths):
            params = {}
            for i in range(3):
                params[i] = jax.random.normal(key, (widths[i],))  # JAX102
            return params
    """,
    "keys made of what is mapped over": """
        import functools
        import jax, jax.numpy as jnp, numpy as np
        class Env:
            def reset(self, key):
                place_key, _ = jax.random.split(key)
                return np.asarray(jax.random.uniform(place_key, (2,)))  # JAX405
            def fixed(self, i, key):
                start = np.asarray(jax.random.uniform(key, (2,)))
                return start + i
        def seeded(seed):
            draw = jax.random.normal(jax.random.PRNGKey(seed))
            if draw > 0:  # JAX401
                return draw
            return -draw
        def folded(step, key):
            sub = jax.random.fold_in(key, step)
            return float(jax.random.normal(sub))  # JAX404
        def kept(step, key):
            scale = float(jax.random.normal(key))
            return step * scale
        def flip(key):
            return jax.random.bernoulli(key)
        def tossed(key, x):
            first, *rest = jax.random.split(key, 3)
            if flip(rest[0]):  # JAX401
                return x
            return x + jax.random.normal(first)
        def sized(key, xs):
            size_key, key = jax.random.split(key)
            size = int(jax.random.randint(size_key, (), 1, 5))
            return jax.vmap(lambda x: x + size)(xs), key
        def run(key, keys, xs):
            env = Env()
            start_key, keep_key = jax.random.split(key)
            start = jax.vmap(lambda i: env.fixed(i, start_key))(jnp.arange(3))  # JAX102
            more = jax.vmap(functools.partial(folded, key=jax.random.key(1)))(jnp.arange(3))
            rest = jax.vmap(lambda step: kept(step, keep_key))(jnp.arange(3))  # JAX102
            last = jax.vmap(tossed)(keys, xs), jax.vmap(seeded)(jnp.arange(3))
            return start, more, rest, last, jax.vmap(env.reset)(jax.random.split(jax.random.key(3)))
    """,
    "factories of several compiled functions": """
        import jax, jax.numpy as jnp
        def pair(A):
            @jax.jit  # JAX501
            def project(x):
                return A @ x
            recover = jax.jit(lambda x: A.T @ x)  # JAX501
            return project, recover
        def each_time(xs, A):
            out = []
            for x in xs:
                project, recover = pair(A)
                out.append(recover(project(x)))
            return out
        def steps(rate):
            @jax.jit
            def init(x):
                return jnp.zeros_like(x)
            @jax.jit
            def update(x, g):
                return x - rate * g
            return init, update
        def searched(rates, x):
            best = []
            for rate in rates:
                init, update = steps(rate)
                best.append(update(init(x), x))
            return best
        def once(xs, rate):
            init, update = steps(rate)
            return [update(init(x), x) for x in xs]
        class Solver:
            def __init__(self, A):
                self.A = A
            def compiled(self):
                @jax.jit  # JAX501
                def forward(x):
                    return self.A @ x
                return forward, jnp.linalg.norm(self.A)
            def run(self, xs):
                found = []
                for x in xs:
                    forward, norm = self.compiled()
                    found.append(forward(x) / norm)
                return found
    """,
    "callables of which each holds a key of its own": """
        from functools import partial
        import jax
        def bound(key, shapes):
            keys = jax.random.split(key, len(shapes))
            draws = [partial(jax.random.normal, k, shape=s) for k, s in zip(keys, shapes)]
            return [draw() for draw in draws]
        def preset(key, n):
            draws = [lambda k=k: jax.random.normal(k) for k in jax.random.split(key, n)]
            return [draw() for draw in draws]
        def make(k):
            return lambda: jax.random.normal(k)
        def made(key, n):
            draws = {i: make(k) for i, k in enumerate(jax.random.split(key, n))}
            return [draw() for draw in draws.values()]
        def appended(key, n):
            draws, out = [], []
            for i in range(n):
                draws.append(partial(jax.random.normal, jax.random.fold_in(key, i)))
            for draw in draws:
                out.append(draw())
            return out
        def one(key, n):
            draws = [partial(jax.random.normal, key) for _ in range(n)]
            return [draw() for draw in draws]  # JAX102
        def again(key, n):
            out, draws = [], [partial(jax.random.normal, k) for k in jax.random.split(key, n)]
            for draw in draws:
                for _ in range(3):
                    out.append(draw())  # JAX102
            return out
        def indexed(key, n, i):
            draws = [partial(jax.random.normal, k) for k in jax.random.split(key, n)]
            return draws[i](), draws[(i + 1) % n](), [draws[j]() for j in range(n)]
        def numbered(key, n):
            draws = [partial(jax.random.normal, k) for k in jax.random.split(key, n)]
            first, second = draws
            return first(), second()
        def places(key, n):
            draws = [partial(jax.random.normal, k) for k in jax.random.split(key, n)]
            return draws[0](), draws[1]()
        def same(key, n, i):
            draws = [partial(jax.random.normal, k) for k in jax.random.split(key, n)]
            return draws[i](), draws[i]()  # JAX101
        def shared(key, n, i):
            draws = [partial(jax.random.normal, key) for _ in range(n)]
            return draws[i](), draws[i + 1]()  # JAX101
    """,
    "one key at two points, and at each evaluation": """
        import jax, jax.numpy as jnp
        def noisy(x, key):
            return jnp.sum(x) + jax.random.normal(key)
        def central(x, key, h):
            up = noisy(x + h, key)
            down = noisy(x - h, key)
            return (up - down) / (2 * h)
        def forward(f, x, key, h):
            return (f(x + h, key) - f(x, key)) / h
        def together(x, y, key):
            up = noisy(x, key)
            down = noisy(y, key)  # JAX101
            return up + down
        def drawn(key):
            first = jax.random.normal(key, (3,))
            other = jax.random.normal(key, (4,))  # JAX101
            return first - other[:3]
        def batches(key, n):
            for sub in jax.random.split(key, n):
                yield jax.random.normal(sub, (8, 5))
        def trained(params, eval_key, epochs):
            seen = []
            for _ in range(epochs):
                params = params + 1
                for batch in batches(eval_key, 2):
                    seen.append(batch @ params)
            return seen
        def shuffled(params, data_key, epochs):
            seen = []
            for _ in range(epochs):
                params = params + 1
                for batch in batches(data_key, 2):  # JAX102
                    seen.append(batch @ params)
            return seen
    """,
    "an example that methods of the project fill with what was saved": """
        import jax, jax.numpy as jnp, optax
        from store import read
        def layers(key, sizes):
            keys = jax.random.split(key, len(sizes))
            return [{"w": jax.random.normal(k, (n, n)) / n, "b": jnp.zeros(n)} for k, n in zip(keys, sizes)]
        class Saved:
            def __init__(self, folder):
                self.folder = folder
            def restore(self, template):
                found = read(self.folder)
                if found is None:
                    return template
                return jax.tree.map(lambda old, new: jnp.asarray(new, old.dtype), template, found)
        def evaluate(folder, tx):
            params = layers(jax.random.PRNGKey(0), [3, 4])
            state = params, tx.init(params)
            state = Saved(folder).restore(state)
            return state[0][0]["w"].sum()
        def started(tx):
            params = layers(jax.random.PRNGKey(0), [3, 4])  # JAX104
            return params[0]["w"].sum(), tx.init(params)
        def main():
            tx = optax.sgd(0.1)
            return evaluate("a", tx), evaluate("b", tx), started(tx), started(tx)
    """,
    "optimizers and batches of NumPy among what is donated": """
        from functools import partial
        import equinox as eqx, jax, jax.numpy as jnp, numpy as np, optax
        @eqx.filter_jit(donate="all")
        def step(model, state, optim, x):
            updates, state = optim.update(jax.tree.map(lambda w: w * x.sum(), model), state)
            return eqx.apply_updates(model, updates), state
        @jax.jit
        def measured(x):
            return x.mean()
        def train(model, loader):
            optim = optax.adam(1e-3)
            state = optim.init(model)
            for x, y in loader:
                model, state = step(model, state, optim, x)
                print(measured(x), y.shape)
            return model
        def accumulated(model, data):
            optim = optax.MultiSteps(optax.sgd(1e-3), 2)
            state = optim.init(model)
            for part in range(3):
                x = jnp.asarray(data[part])
                model, state = step(model, state, optim, x)
                print(measured(x))  # JAX506
            return model
        def forgotten(model, data):
            optim = optax.adam(1e-3)
            state = optim.init(model)
            for x in data:
                new, state = step(model, state, optim, np.asarray(x))  # JAX506
            return new
    """,
    "a draw that is tried by another of the same key": """
        import jax, numpy as np
        import jax.numpy as jnp
        def ours(key):
            return jax.random.normal(key, (3,))
        def holds(key, other):
            assert jnp.array_equal(ours(key), jax.random.normal(key, (3,)))
            np.testing.assert_allclose(ours(other), jax.random.normal(other, (3,)), rtol=1e-6)
        def same(key):
            return (ours(key) == jax.random.normal(key, (3,))).all()
        def added(key, x):
            return jnp.allclose(ours(key) + jax.random.normal(key, (3,)), x)  # JAX101
    """,
    "a value that a flag chooses, where the same flag is tested": """
        from functools import partial
        import jax
        import jax.numpy as jnp
        def render(fluxes, psf, shape, factor=None):
            if factor is not None:
                s = factor
            else:
                s = psf["sampling"]
            out = fluxes * s
            if factor is not None and s > 1.001:
                out = out[: int(round(shape * s))]
            return out
        def solve(fluxes, psf, factor=None):
            return render(fluxes, psf, 3, factor)
        def run(fluxes, psf, best):
            return jax.jit(jax.vmap(partial(solve, factor=best)))(fluxes, psf)
        @partial(jax.jit, static_argnames="limit")
        def cut(x, limit=None):
            n = limit if limit is not None else x.sum()
            if limit is not None:
                return x[: int(n)]
            return x * n
        @partial(jax.jit, static_argnames="mode")
        def counted(x, mode):
            if mode == "static":
                n = x.shape[0]
            else:
                n = jnp.sum(x)
            if mode == "static" and n > 3:
                return x
            if mode == "dynamic" and n > 3:  # JAX401
                return -x
            return x + n
        @partial(jax.jit, static_argnames="limit")
        def always(x, limit=None):
            n = limit if limit is not None else x.sum()
            return x[: int(n)]  # JAX403
    """,
    "an argument of a jitted function, annotated as an array of NumPy": """
        from functools import partial
        import jax
        import jax.numpy as jnp
        import numpy as np
        class Agent:
            @partial(jax.jit, static_argnums=0)
            def advantages(self, delta: np.ndarray, done: np.ndarray):
                found = [delta[-1]]
                for t in jnp.arange(3, -1, -1):
                    found.insert(0, delta[t] * (1 - done[t]) * found[0])
                return jnp.array(found)
        def at(table: np.ndarray, place):
            return table[place]
        @jax.jit
        def looked_up(x, n):
            return at(x, n)
        @jax.jit
        def own(x: np.ndarray, n):
            table = np.zeros(3)
            return table[n] + x[n]  # JAX405
        @jax.jit
        def tested(x: np.ndarray):
            return x if x.sum() > 0 else -x  # JAX401
    """,
    "what is taken out of a queue that a project's own class wraps": """
        import jax.numpy as jnp
        class Both:
            def __init__(self, incoming, outgoing):
                self._in = incoming
                self._out = outgoing
            def get(self, block=True, timeout=None):
                return self._in.get(block=block, timeout=timeout)
            def get_nowait(self):
                return self.get(False)
            def add(self, item):
                return self._out.add(item)
        def drained(incoming, outgoing):
            both = Both(incoming, outgoing)
            both.get_nowait()
            both.add(3)
        def first(x):
            return x.at[0].get(mode="fill")
        def updated(x):
            return x.at[0].add(1)
        def lost(x):
            first(x)  # JAX202
            updated(x)  # JAX202
            return x
    """,
    "entries of a dict that an annotation calls an array": """
        import chex, jax
        import jax.numpy as jnp
        @chex.dataclass
        class State:
            outputs: chex.Array
            hidden: chex.Array
        def step(state: State, x, network):
            found = network(x, state.hidden)
            outputs = {}
            for name in state.outputs:
                outputs[name] = found[name] + state.outputs[name]
            seen = {"a": 1}
            sums = [seen[name] for name in state.outputs]
            return State(outputs=outputs, hidden=x), sums
        def run(state, xs, network):
            return jax.lax.scan(lambda c, x: step(c, x, network), state, xs)
        @jax.jit
        def counted(x):
            table = {}
            for row in jnp.sin(x):
                table[row] = 1  # JAX404
            return table
    """,
    "a generator of the host that traced code seeds before it draws": """
        import random
        import jax, numpy as np
        def mask(n):
            return np.random.permutation(n)
        @jax.jit
        def seeded(x):
            np.random.seed(0)
            rows = [mask(3) for _ in range(2)]
            random.seed(1)
            return x[rows[0]] * random.random() + np.random.normal()
        @jax.jit
        def once(x, n):
            if n is None:
                random.seed(1)
            return x * random.random()  # JAX305
        @jax.jit
        def other(x):
            random.seed(1)
            return x * np.random.normal()  # JAX305
        def noisy(x):
            return x + np.random.normal()  # JAX305
        def main(x):
            np.random.seed(0)
            return jax.jit(noisy)(x), jax.jit(lambda y: y + random.random())(x)  # JAX305
        def set_seed(seed):
            np.random.seed(seed)
            random.seed(seed)
        class Env:
            def seed(self, seed):
                set_seed(seed)
        @jax.jit
        def helped(x):
            set_seed(0)
            return x + mask(3) * random.random()
        @jax.jit
        def by_object(x):
            Env().seed(3)
            return x * np.random.rand(3)
        @jax.jit
        def late(x):
            x = x * random.random()  # JAX305
            set_seed(0)
            return x
        @jax.jit
        def perhaps(x, seed):
            if seed is not None:
                set_seed(seed)
            return x * random.random()  # JAX305
        def traced(x):
            set_seed(0)
            return x
        @jax.jit
        def before(x):
            return jax.jit(traced)(x) * random.random()  # JAX305
    """,
    "what an object keeps of a trace for later": """
        from functools import cached_property
        import jax, jax.numpy as jnp, numpy as np
        class Grid:
            def __init__(self, n):
                self.n, self.made = n, None
                self.late = None
            @cached_property
            def points(self):
                return jnp.linspace(0.0, 1.0, self.n)
            @cached_property
            def weights(self):
                return self.points * 2
            @cached_property
            def places(self):
                return np.linspace(0.0, 1.0, self.n)
            @property
            def table(self):
                if self.made is None:
                    self.made = jnp.arange(4.0)  # JAX306
                return self.made
            def filled(self, x):
                if self.late is None:
                    self.late = 2
                return x * self.late
        def through_another(y):
            grid = Grid(4)
            jax.jit(lambda y: grid.weights @ y)(y)  # JAX306
            return grid.weights
        def through_a_closure(y):
            grid = Grid(4)
            jax.jit(lambda y: grid.table @ y)(y)
            return grid.table
        def before(y):
            grid, other = Grid(4), Grid(5)
            grid.weights, other.points
            jax.jit(lambda y: grid.weights @ y + other.points.sum())(y)
            return jax.jit(lambda y: grid.places @ grid.filled(y))(y)
        def after(y):
            grid = Grid(4)
            jax.jit(lambda y: grid.points @ y)(y)  # JAX306
            return grid.points
    """,
    "an object whose fields are set by name": """
        import jax, jax.numpy as jnp
        class Recorder:
            def __init__(self):
                self.stats, self.scale = None, 1.0
            def record(self, name, value):
                setattr(self, name, value)  # JAX303
            def forward(self, x):
                self.record("stats", x.mean())
                return x * 2
            def forced(self, x):
                object.__setattr__(self, "stats", x.mean())  # JAX303
                return x * 2
            def made(self, x):
                new = Recorder()
                new.record("scale", x)
                object.__setattr__(new, "stats", x)
                return new.scale * new.stats
        class Restored:
            def __init__(self, names):
                self.names, self.speed = names, None
            def put(self, state):
                for name in self.names:
                    setattr(self, name, state[name])
            def step(self, state, x):
                self.put(state)
                state = {name: getattr(self, name) * x for name in self.names}
                self.put(dict.fromkeys(self.names))
                return state
        def kept(x):
            one, two, three = Recorder(), Recorder(), Recorder()
            jax.jit(one.forward)(x), jax.jit(two.forced)(x)
            restored = Restored(("speed",))
            return one.stats, two.stats, jax.jit(three.made)(x), jax.jit(restored.step)({"speed": 1.0}, x)
    """,
    "one key under several names, and again and again": """
        import itertools
        from itertools import chain
        import jax
        SHAPES = {"w": (3,), "b": (3,)}
        def fromkeys(model, x, key):
            key, sub = jax.random.split(key)
            rngs = dict.fromkeys(SHAPES, sub)  # JAX101
            good = dict(zip(SHAPES, jax.random.split(key, 2)))
            none = dict.fromkeys(SHAPES)
            return model.apply(rngs, x), model.apply(good, x), none
        def comprehended(model, x, key):
            keys = jax.random.split(key, 3)
            sub = keys[2]
            rngs = {name: sub for name in ("params", "dropout")}  # JAX101
            good = {name: jax.random.fold_in(keys[0], i) for i, name in enumerate(SHAPES)}
            one = {name: keys[1] for name in ("params",)}
            return model.apply(rngs, x), model.apply(good, x), model.apply(one, x)
        def zipped(model, x, key):
            pair = jax.random.split(key)
            rngs = dict(zip(("params", "dropout"), (pair[0], pair[0])))  # JAX101
            good = dict(zip(("params", "dropout"), pair))
            return model.apply(rngs, x), model.apply(good, x)
        def unknown(names, key):
            rngs = dict.fromkeys(names, key)
            return [jax.random.normal(rngs[name], (3,)) for name in names]  # JAX102
        def repeated(shapes, key):
            return [jax.random.normal(k, s) for k, s in zip(itertools.repeat(key), shapes)]  # JAX102
        def numbered(key):
            return [jax.random.normal(k, (i,)) for i, k in enumerate(itertools.repeat(key, 3))]  # JAX102
        def once(shapes, key):
            keys = jax.random.split(key, len(shapes))
            return [jax.random.normal(k, s) for k, s in zip(keys, shapes)]
        def chained(key):
            one, two, three = jax.random.split(key, 3)
            return [jax.random.normal(k, (3,)) for k in chain([one, two], [three])]
        def filled(shapes, fill, count):
            return [fill * n for n, _ in zip(itertools.repeat(2), range(count))], dict.fromkeys(shapes, 0)
    """,
    "layers of a network that change when they are called": """
        import jax, jax.numpy as jnp
        from flax import nnx
        class Model(nnx.Module):
            def __init__(self, rngs):
                self.linear = nnx.Linear(4, 4, rngs=rngs)
                self.dropout = nnx.Dropout(0.5, rngs=rngs)
                self.off = nnx.Dropout(0.5, deterministic=True, rngs=rngs)
            def __call__(self, x):
                return self.off(self.dropout(self.linear(x)))  # JAX303
            def plain(self, x):
                return self.off(self.linear(x))
            def keyed(self, x, key):
                return self.dropout(x, rngs=nnx.Rngs(key))
            def still(self, x):
                return self.dropout(x, deterministic=True)
        def captured(x):
            model = Model(nnx.Rngs(0))
            @jax.jit
            def forward(x):
                return model(x)
            return forward(x)
        def others(x, key):
            model = Model(nnx.Rngs(0))
            y = jax.jit(lambda x: model.plain(x) + model.still(x))(x)
            return model(y), jax.jit(lambda x, key: model.keyed(x, key))(x, key)
        @nnx.jit
        def passed(model, x):
            return model(x)
        def split(x):
            model = Model(nnx.Rngs(0))
            graphdef, state = nnx.split(model)
            @jax.jit
            def forward(state, x):
                model = nnx.merge(graphdef, state)
                return model(x), nnx.state(model)
            return forward(state, x), passed(model, x)
        def alone(x):
            norm, drop = nnx.BatchNorm(4, rngs=nnx.Rngs(0)), nnx.Dropout(0.5, rngs=nnx.Rngs(1))
            still = nnx.BatchNorm(4, use_running_average=True, rngs=nnx.Rngs(0))
            return jax.lax.scan(lambda c, x: (drop(c) + still(x), norm(x)), x[0], x)  # JAX303
        def inside(x):
            @jax.jit
            def forward(x):
                return Model(nnx.Rngs(0))(x)
            return forward(x)
    """,
    "a network that is told to change nothing": """
        import jax
        from flax import nnx
        class Model(nnx.Module):
            def __init__(self, rngs):
                self.dropout = nnx.Dropout(0.5, rngs=rngs)
            def __call__(self, x):
                return self.dropout(x)
        def evaluated(x):
            model = Model(nnx.Rngs(0))
            model.eval()
            return jax.jit(lambda x: model(x))(x)
    """,
    "axes for the parts of one argument": """
        import jax, jax.numpy as jnp
        def total(batch):
            return batch["a"].sum()
        def mapped():
            batch = {"a": jnp.zeros((3, 3))}
            jax.vmap(total, in_axes=({"a": 0},))(batch)
            return jax.vmap(total, in_axes={"a": 0})(batch)  # JAX605
    """,
    "a closure in a list that outlives the trace": """
        import jax
        HELD = {}
        def keep(x):
            HELD["read"] = [lambda: x]  # JAX303
            return x
        def name(x):
            HELD["names"] = [lambda: "x"]
            return x
        def main(xs):
            return jax.vmap(keep)(xs), jax.vmap(name)(xs)
    """,
    "items that a test picks": """
        import jax, jax.numpy as jnp
        def picked(x):
            delta = jnp.arange(2.0) * x
            return jnp.sum((delta ** 0.5)[delta > 0])  # JAX701
        def before(x):
            delta = jnp.arange(2.0) * x
            return jnp.sum(delta[delta > 0] ** 0.5)
        def squares(x):
            delta = jnp.arange(2.0) * x
            return jnp.sum((delta ** 2)[delta > 0])
        def main(x):
            return jax.grad(picked)(x), jax.grad(before)(x), jax.grad(squares)(x), picked(x)
    """,
    "what libraries keep of the functions that they run": """
        import haiku as hk, jax, jax.numpy as jnp, numpyro, numpyro.distributions as dist
        from numpyro import handlers
        from numpyro.contrib.control_flow import scan
        def cells(xs):
            cell, other = hk.Linear(4), hk.Linear(4)
            start = other(xs[0])
            jax.lax.scan(lambda c, x: (other(c + x), None), start, xs)
            hk.scan(lambda c, x: (cell(c + x), None), start, xs)
            return jax.lax.scan(lambda c, x: (cell(c + x), None), start, xs)  # JAX303
        class Block(hk.Module):
            def __call__(self, x):
                w = hk.get_parameter("w", (4, 4), init=jnp.ones)  # JAX303
                return x @ w
        class Net(hk.Module):
            def __call__(self, x):
                def step(i, h):
                    return Block()(h)
                block = Block("again")
                x = block(x)
                x = jax.lax.fori_loop(0, 3, lambda i, h: block(h), x)
                return jax.lax.fori_loop(0, 3, step, x)
        def noisy(c, _):
            return c + jax.random.normal(hk.next_rng_key(), c.shape), None  # JAX303
        def noise(x):
            return jax.lax.scan(noisy, x, None, length=3)[0]
        def either(x, flag):
            x = jax.lax.cond(flag, lambda h: hk.Linear(4)(h), lambda h: h, x)  # JAX303
            return hk.cond(flag, lambda h: hk.Linear(4)(h), lambda h: h, x)
        def plain(x):
            w = hk.get_parameter("w", (4,), init=jnp.ones)
            y = jax.lax.scan(lambda c, row: (c + row * w, None), jnp.zeros(4), hk.Linear(4)(x))
            if not hk.running_init():
                y = jax.checkpoint(lambda h: hk.Linear(4)(h[0]))(y)
            return y
        def main(keys, x):
            net = hk.transform(lambda x: hk.Linear(4)(x))
            params = net.init(keys[0], x)
            for one, key in zip((cells, noise, plain, lambda x: Net()(x)), keys[1:]):
                hk.transform(one).init(key, x)
            hk.transform(either).init(keys[5], x, True)
            return jax.lax.scan(lambda c, x: (net.apply(params, None, c), None), x, None, length=3)
        def model(count):
            def turn(x, i):
                x = numpyro.sample("x", dist.Normal(0.5 * x, 1.0))  # JAX303
                return x, x
            start = numpyro.sample("start", dist.Normal(0.0, 1.0))
            return jax.lax.scan(turn, start, jnp.arange(count))
        def better(count):
            def turn(x, i):
                x = numpyro.sample("x", dist.Normal(0.5 * x, 1.0))
                return x, x
            start = numpyro.sample("start", dist.Normal(0.0, 1.0))
            return scan(turn, start, jnp.arange(count))
        def drawn(keys):
            return jax.lax.map(lambda key: handlers.seed(better, key)(3), keys)
    """,
    "a bound that holds an operand where its derivative is infinite, and roots that are written as powers": """
        import jax, jax.numpy as jnp
        def angle(c):
            return jnp.arccos(jnp.clip(c, -1.0, 1.0)).sum()  # JAX701
        def upper(c):
            return jnp.arcsin(jnp.minimum(c, 1.0)).sum()  # JAX701
        def inside(c):
            return jnp.arccos(jnp.clip(c, -1.0 + 1e-6, 1.0 - 1e-6)).sum()
        def other_end(c):
            return jnp.sqrt(jnp.minimum(c, 1.0)).sum() + jnp.sqrt(jnp.clip(c, 1.0, 2.0)).sum()
        def held(c):
            return (jnp.maximum(c, 0.0) ** 0.5).sum()  # JAX701
        def smooth(c):
            return (jnp.maximum(c, 0.0) ** 1.5).sum() + (jnp.maximum(c, 0.0) ** 2).sum()
        def selecting(c):
            return (jax.nn.relu(c) ** 0.5).sum() + jnp.sqrt(jax.lax.clamp(0.0, c, 5.0)).sum()
        def length(c):
            return jnp.power(jnp.sum(c ** 2), 0.5)  # JAX701
        def apart(c):
            return (((c[:, None] - c[None]) ** 2) ** 0.5).sum()  # JAX701
        def added(c):
            return (jnp.sum(c ** 2) + 1e-8) ** 0.5 + (jnp.sum(c ** 2)) ** 1.5
        def stopped(c):
            return jnp.arccos(jnp.clip(jax.lax.stop_gradient(c), -1, 1)).sum() * c.sum()
        def evaluated(c):
            return jnp.arccos(jnp.clip(c, -1.0, 1.0))
        def main():
            c = jnp.zeros(3)
            for f in (angle, upper, inside, other_end, held, smooth, selecting, length, apart, added, stopped):
                jax.grad(f)(c)
            jax.grad(length)(jnp.zeros(3)), evaluated(c)
    """,
    "columns of rows, and what is spread over parameters": """
        import jax, jax.numpy as jnp
        @jax.jit
        def step(w):
            return w.sum(), 2 * w
        def columns(ws):
            losses, outs = zip(*[step(w) for w in ws])
            return jnp.mean(losses), jnp.mean(jnp.stack(outs))  # JAX203
        def lazily(ws):
            losses, outs = zip(*map(step, ws))
            return jnp.mean(losses), jnp.stack(outs)  # JAX203
        def appended(ws):
            rows = []
            for w in ws:
                rows.append(step(w))
            for column in zip(*rows):
                print(jnp.max(column))  # JAX203
            return [jnp.stack(column).mean() for column in zip(*rows)]
        class Rows:
            def __init__(self):
                self.rows = []
            def add(self, w):
                self.rows.append(step(w))
            def summary(self):
                losses, outs = zip(*self.rows)
                return jnp.max(losses), [jnp.asarray(out) for out in outs]  # JAX203
        def listed(ws):
            losses, outs = (list(column) for column in zip(*[step(w) for w in ws]))
            arrays = map(jnp.stack, zip(*[step(w) for w in ws]))
            return jnp.sum(losses), [jnp.sum(array) for array in arrays], jnp.stack(outs)  # JAX203
        def of_keys(key, xs):
            keys, outs = zip(*[(k, x) for k, x in zip(jax.random.split(key, len(xs)), xs)])
            return [jax.random.normal(k) for k in keys], jnp.stack(outs)
        def larger(a, b):
            return max(a, b)  # JAX402
        def smaller(a, b, c=0.0):
            return a if c is None or c < 1 else b
        def two(k1, k2):
            return jax.random.normal(k1) + jax.random.normal(k2)
        @jax.jit
        def pairs(x, y):
            return larger(*x) + smaller(*y)
        def spread(keys, key, n):
            grown = []
            for i in range(n):
                grown.append(jax.random.fold_in(key, i))
            return two(*keys), two(*grown), two(*map(jax.random.key, range(2)))
        def spread_too(key, n):
            return two(*jax.random.split(key, n))
    """,
    "records of which a turn of a loop makes a field traced": """
        import jax, jax.numpy as jnp
        from typing import NamedTuple
        class Walker(NamedTuple):
            x: jax.Array
            done: jax.Array
        def advance(walker):
            x = 1.5 * walker.x + 1.0
            return Walker(x, x > 20.0)
        def until(x):
            walker = Walker(x, False)
            while not walker.done:  # JAX402
                walker = advance(walker)
            return walker.x
        def by_dict(x):
            state = {"x": x, "done": False}
            for _ in range(5):
                if state["done"]:  # JAX401
                    break
                state = {"x": 2 * state["x"], "done": state["x"] > 3}
            return state["x"]
        def counted(x):
            walker = Walker(x, False)
            turn = 0
            while not walker.done:
                turn += 1
                walker = Walker(advance(walker).x, turn > 3)
            return walker.x
        def on_host(x):
            walker = Walker(x, False)
            while not walker.done:
                walker = advance(walker)
            return walker.x
        def main(xs):
            return jax.vmap(until)(xs), jax.vmap(by_dict)(xs), jax.vmap(counted)(xs), on_host(xs[0])
    """,
    "static arguments that a loop takes from a display": """
        import functools, jax, jax.numpy as jnp, numpy as np
        KERNELS = {"edge": np.array([1.0, 0.0, -1.0]), "blur": np.ones(3) / 3}
        WIDTHS = {"edge": 3, "blur": np.float32(2.0)}
        @functools.partial(jax.jit, static_argnums=1)
        def convolve(x, kernel):
            return jnp.convolve(x, jnp.asarray(kernel), mode="same")
        @functools.partial(jax.jit, static_argnums=1)
        def widen(x, width):
            return x * width
        def bank(x):
            by_name = {name: convolve(x, kernel) for name, kernel in KERNELS.items()}  # JAX502
            for kernel in [np.ones(3), np.zeros(3)]:
                convolve(x, kernel)  # JAX502
            for kernel in [(1.0, 0.0, -1.0), (1.0, 1.0, 1.0)]:
                convolve(x, kernel)
            return by_name, [widen(x, width) for width in WIDTHS.values()]
    """,
    "rows of a table that traced code writes": """
        import csv, jax
        def simulate(x, out):
            writer, table = csv.writer(out), csv.DictWriter(out, ["x"])
            writer.writerow(["x", "y"])
            def step(x, _):
                writer.writerow([x, 2 * x])  # JAX304
                table.writerow({"x": x})  # JAX304
                return 2 * x, x
            x, path = jax.lax.scan(step, x, None, 4)
            writer.writerows(path.tolist())
            return x
    """,
    "networks that are run with other arguments than they take": """
        import haiku as hk, jax, jax.numpy as jnp
        import flax.linen as nn
        net = hk.transform(lambda x: hk.Linear(3)(x))
        with_state = hk.transform_with_state(lambda x, train, scale=1.0: scale * hk.BatchNorm(True, True, 1)(x, train))
        open_net = hk.transform(lambda *args, **options: hk.Linear(3)(*args))
        class Coder(nn.Module):
            @nn.compact
            def __call__(self, x, train):
                return nn.Dense(3)(x) if train else x
            @nn.compact
            def decode(self, x, y):
                return nn.Dense(3)(x) + y
        def runs(params, state, variables, x, rest, key):
            net.apply(params, x)  # JAX602
            hk.without_apply_rng(net).apply(params, x)
            net.apply(params, None, x), net.apply(params, rng=key, x=x), net.apply(*rest)
            with_state.apply(params, state, x, True)  # JAX602
            with_state.apply(params, state, None, x, train=True), open_net.apply(params, x)
            coder = Coder()
            coder.apply(variables, x)  # JAX602
            coder.apply(variables, x, True, mutable=["cache"]), coder.apply(variables, x, train=False)
            coder.apply(variables, x, method=coder.decode)  # JAX602
            coder.apply(variables, x, x, method="decode")
            init, apply = hk.transform(lambda x, scale: hk.Linear(3)(x) * scale)
            apply(params, None, x)  # JAX602
            apply(init(key, x, 2.0), None, x, 2.0)
            return coder.apply(variables, x, **rest)
    """,
    "containers with data in the attributes of a module": """
        import jax.numpy as jnp
        from flax import nnx
        class Base(nnx.Module):
            tagged: nnx.Data[list]
        class Net(Base):
            def __init__(self, sizes, given, rngs):
                self.layers = [nnx.Linear(n, n, rngs=rngs) for n in sizes]  # JAX614
                self.by_name = {"a": nnx.Linear(3, 3, rngs=rngs)}  # JAX614
                self.pair = nnx.Linear(3, 3, rngs=rngs), nnx.relu  # JAX614
                self.twins = tuple(Block(n, rngs) for n in sizes)  # JAX614
                self.heads = {n: Block(n, rngs) for n in sizes}  # JAX614
                self.widest, self.counts = {n: 2 * n for n in sizes}, tuple(n for n in sizes)
                self.tables = [[jnp.ones(3)], 1]  # JAX614
                rows, self.later = [], []
                for n in sizes:
                    rows.append(Block(n, rngs))
                    self.later.append(Block(n, rngs))  # JAX614
                self.rows = rows  # JAX614
                self.widths, self.acts, self.names = [8, 8], (nnx.relu, jnp.tanh), []
                self.names.append("a")
                self.listed = nnx.List([nnx.Linear(n, n, rngs=rngs) for n in sizes])
                self.grown = nnx.List([])
                self.grown.append(Block(3, rngs))
                self.tagged = [nnx.Linear(3, 3, rngs=rngs)]
                self.said = nnx.data([nnx.Linear(3, 3, rngs=rngs)])
                self.chain = nnx.Sequential(*[nnx.Linear(n, n, rngs=rngs) for n in sizes])
                self.given = given
            def __call__(self, x):
                outs = []
                for layer in self.listed:
                    outs.append(layer(x))
                return outs
        class Block(nnx.Module):
            def __init__(self, n, rngs):
                self.inner = nnx.Linear(n, n, rngs=rngs)
        class Agent:
            def __init__(self, rngs):
                self.nets = [Block(3, rngs)]
    """,
    "elements of a list of arrays that were donated": """
        import functools, jax, jax.numpy as jnp
        @functools.partial(jax.jit, donate_argnums=0)
        def evolve(u, dt):
            return u + dt * (jnp.roll(u, 1) - u)
        def energy(u):
            return (u ** 2).sum()
        def history(u):
            u, kept = jnp.sin(u), []
            for _ in range(3):
                u = evolve(u, 0.1)
                kept.append(u)
            for field in kept:
                print(field.max())  # JAX506
            return [energy(field) for field in kept]  # JAX506
        def copied(u):
            u, kept = jnp.sin(u), []
            for _ in range(3):
                u = evolve(u, 0.1)
                kept.append(u.copy())
            return [energy(field) for field in kept]
        def shapes(u):
            u, kept = jnp.sin(u), []
            for _ in range(3):
                u = evolve(u, 0.1)
                kept.append(u)
            return [field.shape for field in kept]
    """,
    "dicts that a comprehension makes of arrays": """
        import jax, jax.numpy as jnp, numpy as np
        def stored(names):
            table = {name: jnp.zeros(3) for name in names}
            table["a"][0] = 1  # JAX201
            for values in table.values():
                values[0] = 1  # JAX201
            table["b"] = np.zeros(3)
            table["b"][0] = 2
            return table
        @jax.jit
        def branched(x):
            table = {name: i * x for i, name in enumerate("ab")}
            return {name: value if value > 0 else x for name, value in table.items()}  # JAX401
        def on_host(names):
            table = {name: jnp.zeros(3) for name in names}
            for name in names:
                table[name] = np.zeros(3)
            for name in table:
                table[name][0] = 1
            return table
        def updated(names, others):
            table = {name: jnp.zeros(3) for name in names}
            table.update(others)
            table["a"][0] = 1
            return table
        def of_keys(names, key):
            keys = {name: jax.random.fold_in(key, i) for i, name in enumerate(names)}
            return jax.random.normal(keys["a"]) + jax.random.normal(keys["b"])
    """,
    "keys that are the default of a parameter, and results that are accumulated": """
        import itertools, jax
        def by_default(key, xs):
            return jax.vmap(lambda x, key=key: x + jax.random.normal(key))(xs)  # JAX102
        def in_turn(key, xs):
            def noisy(x, key=key):
                return x + jax.random.normal(key)
            return jax.lax.map(noisy, xs)  # JAX102
        def passed(key, xs):
            def noisy(x, key=key, scale=2.0):
                return x + scale * jax.random.normal(key)
            return jax.vmap(noisy)(xs, jax.random.split(key, len(xs)))
        def walk(key, n):
            return list(itertools.accumulate(range(n), lambda s, _: s + jax.random.normal(key)))  # JAX102
        def walk_on(key, n):
            keys = jax.random.split(key, n)
            return list(itertools.accumulate(keys, lambda s, k: s + jax.random.normal(k), initial=0.0))
        def sums(xs):
            return list(itertools.accumulate(xs))
    """,
    "modules of Flax that are called at the top of a file": """
        import jax, jax.numpy as jnp
        import flax.linen as nn
        xs = jnp.ones((3, 2))
        class Net(nn.Module):
            @nn.compact
            def __call__(self, x):
                return layered(x)
        class Bounded(nn.Module):
            def __call__(self, x):
                return jnp.tanh(x)
        def layered(x):
            layer = nn.Dense(2)
            return layer(x)
        net, dense, bounded = Net(), nn.Dense(2), Bounded()
        rows = net(xs)  # JAX614
        rows += dense(xs)  # JAX614
        rows += bounded(xs)
        bound = net.bind(net.init(jax.random.key(0), xs))
        rows += bound(xs)
    """,
    "a norm that is differentiated where a helper starts at 0": """
        import jax, jax.numpy as jnp
        def start(n):
            return jnp.zeros((n,))
        def begin(n):
            return start(n)
        def length(v):
            return jnp.sqrt(jnp.sum(v ** 2))  # JAX701
        def product(v):
            return jnp.sqrt(v @ v)
        def safe(v):
            return jnp.sqrt(jnp.sum(v ** 2) + 1e-12)
        def moved(w, x):
            return jnp.linalg.norm(w - x)
        def main(x, steps):
            w = start(3)
            jax.grad(lambda w: jnp.linalg.norm(w))(w)  # JAX701
            jax.grad(lambda w: safe(w) + w.sum())(w)
            jax.grad(moved)(w, x), jax.grad(length)(w.at[0].set(1.0)), jax.grad(product)(x)
            delta = begin(4)
            jax.value_and_grad(lambda d: length(d) + d.sum())(delta)
            jax.grad(lambda p: jnp.linalg.norm(p["b"]))({"w": jnp.zeros(3), "b": x})
            jax.grad(lambda p, q: jnp.linalg.norm(q))(jnp.zeros(3), x)
            jax.grad(lambda p, q: p.sum() + jnp.linalg.norm(q))(x, jnp.zeros(3))
            return jnp.linalg.norm(w), jax.grad(lambda w: jnp.linalg.norm(w, ord=1))(x)
    """,
    "one of several functions that is differentiated": """
        import jax, jax.numpy as jnp
        def squares(w, x):
            return (w * x) ** 2
        def sizes(w, x):
            return jnp.abs(w * x)
        def mean(w, x):
            return squares(w, x).mean()
        LOSSES = {"squares": squares, "sizes": sizes}
        def pick(kind):
            if kind:
                return squares
            return sizes
        def either(kind, one):
            loss = squares if kind == "squares" else sizes
            good = mean if one else sizes
            w = jnp.ones(3)
            jax.grad(LOSSES[kind])(w, w)  # JAX601
            jax.value_and_grad(pick(one))(w, w)  # JAX601
            jax.grad(good)(w, w)
            jax.jacobian(loss)(w, w)
            return jax.grad(loss)(w, w)  # JAX601
        def fitting(flag):
            f, x = (sizes, jnp.ones(())) if flag else (mean, jnp.ones(3))
            return jax.grad(f)(x, x)
    """,
    "an option of a layer whose method is under a transform of the library": """
        import math
        import flax.linen as nn, jax
        class Block(nn.Module):
            features: int
            @nn.compact
            def __call__(self, x):
                if x.shape[-1] != self.features:
                    x = nn.Dense(max(32, math.ceil(self.features / 2)))(x)
                return x
            @nn.remat
            def again(self, x):
                return self(x)
        class Net(nn.Module):
            width: int
            @nn.compact
            def __call__(self, x):
                return Block(self.width * 2).again(x)
        class Plain:
            def __init__(self, features):
                self.features = features
        jax.tree_util.register_pytree_node(Plain, lambda p: ((p.features,), None), lambda _, c: Plain(*c))
        @jax.checkpoint
        def apply(plain, x):
            return x if plain.features > 2 else -x  # JAX401
        def use(x, n):
            return apply(Plain(jax.numpy.sum(x) * n), x)
    """,
    "one of several functions that a flag chooses, under a transform that another one fits": """
        import jax
        class Potential:
            def __init__(self, has_aux=False):
                self.has_aux = has_aux
            def function(self):
                if not self.has_aux:
                    def energy(x):
                        return x.sum()
                else:
                    def energy(x, y):
                        return (x * y).sum(), y
                return energy
        def made(has_aux, **options):
            if has_aux:
                potential = Potential(has_aux=True)
            else:
                potential = Potential(**options)
            if has_aux:
                return jax.value_and_grad(potential.function(), argnums=1, has_aux=True)
            return jax.value_and_grad(potential.function())
        def alone(potential):
            return jax.jit(jax.grad(potential.function()), static_argnums=1)
        def certain(x):
            return jax.grad(Potential(True).function())(x, x)  # JAX601
    """,
    "members of an enumeration that say whether a key is drawn from": """
        import enum
        from enum import Enum, StrEnum, auto
        import jax
        class Kind(Enum):
            GRID = "grid"
            RANDOM = "random"
        class Level(StrEnum):
            LOW = auto()
            HIGH = auto()
        class Order(enum.IntEnum):
            NONE = 0
            SHUFFLED = 1
        class Bits(enum.Flag):
            A = 1
            B = 2
        def points(key, kind):
            if kind == Kind.RANDOM:
                return jax.random.uniform(key)
            return 0.0
        def made(key, kind):
            kind = kind if isinstance(kind, Kind) else Kind(kind)
            if kind is Kind.RANDOM:
                return jax.random.uniform(key)
            return 0.0
        def matched(key, level):
            match level:
                case Level.HIGH:
                    return jax.random.uniform(key)
                case Level.LOW:
                    return 0.0
        def ordered(key, order):
            if order:
                return jax.random.uniform(key)
            return 0.0
        def combined(key, bits):
            if bits & Bits.A:
                return jax.random.uniform(key)
            return 0.0
        def right(key, other, third, last):
            a = points(key, Kind.GRID), points(key, Kind.RANDOM), made(other, "grid"), made(other, Kind.RANDOM)
            b = matched(third, Level.LOW), matched(third, Level.HIGH)
            return a, b, ordered(last, Order.NONE), ordered(last, Order.SHUFFLED)
        def wrong(key, other, third, last):
            a = points(key, Kind.RANDOM), points(key, Kind.RANDOM)  # JAX101
            b = made(other, "random"), made(other, Kind.RANDOM)  # JAX101
            c = matched(third, Level.HIGH), matched(third, Level.HIGH)  # JAX101
            return a, b, c, ordered(last, Order.SHUFFLED), ordered(last, Order.SHUFFLED)  # JAX101
        def apart(key, kind):
            a = b = 0.0
            if kind == Kind.GRID:
                a = jax.random.uniform(key)
            if kind == Kind.RANDOM:
                b = jax.random.normal(key)
            return a, b
        def together(key, kind):
            a = b = 0.0
            if kind != Kind.GRID:
                a = jax.random.uniform(key)
            if kind == Kind.RANDOM:
                b = jax.random.normal(key)  # JAX101
            return a, b
        def flags(key):
            return combined(key, Bits.A), combined(key, Bits.A | Bits.B)  # JAX101
    """,
    "items that a tuple is the index of": """
        import jax
        import jax.numpy as jnp
        from jax.experimental import pallas as pl
        def close(s, ports, expected):
            assert jnp.allclose(s[ports], expected)
        def use(s):
            close(s, ("o1", "o2"), 0.5)
            close(s, ("o1", "o1"), 0.5)
        def shown(s, ports, expected):
            assert jnp.allclose(ports, expected)  # JAX203
        def wrong(s):
            shown(s, (1.0, 2.0), 0.5)
        def kernel(q_ref, *args, **options):
            run = single if options["block"] == options["size"] else several
            for batch in range(q_ref.shape[0]):
                run((batch, 0), q_ref, *args, **options)
        def single(batch, q_ref, k_ref, o_ref, *, block, size):
            q, k = q_ref[batch], k_ref[batch]
            o_ref[batch] = jax.lax.dot_general(q, k, (((1,), (1,)), ((), ())))
        def several(batch, q_ref, k_ref, o_ref, *, block, size):
            o_ref[batch] = jnp.dot(q_ref[batch], k_ref[batch].T)
    """,
    "updates of references to arrays, which write": """
        import jax
        import jax.numpy as jnp
        from jax.experimental import pallas as pl
        def kernel(x_ref, o_ref, p_ref):
            o_ref[...] = x_ref[...]
            o_ref.at[0].set(7.0)
            def start():
                def body(i, _):
                    o_ref.at[i].set(-1)
                    p_ref.at[i, 0].add(1)
                jax.lax.fori_loop(0, 4, body, None)
            start()
            def total(x):
                sums = jnp.zeros(x.shape)
                def body(i, s):
                    sums.at[i].set(s)  # JAX202
                    return s + x[i]
                def paired(i, state):
                    total, sums = state
                    sums.at[i].set(total)  # JAX202
                    return total + x[i], sums
                return jax.lax.fori_loop(0, 4, body, 0.0), jax.lax.fori_loop(0, 4, paired, (0.0, sums))[1]
            p_ref[...] = total(x_ref[...])[1]
        def run(x):
            shape = jax.ShapeDtypeStruct((4,), jnp.float32)
            return pl.pallas_call(kernel, out_shape=[shape, shape])(x)
    """,
    "functions under a transform that are given what nobody sees": """
        import jax
        def bridged(function):
            vjp = jax.jit(lambda *args: jax.vjp(function, *args))
            def forward(convert, *args):
                return vjp(*convert(args))
            return forward
        def counted(function):
            @jax.jit
            def run(*args, **options):
                if not args:
                    raise TypeError("nothing to run on")
                return jax.vjp(function, *args)
            return run
        def loud(function):
            return jax.jit(lambda: jax.vjp(function))
        double = bridged(lambda b: b * 2)
        triple = counted(lambda b: b * 3)
        none = loud(lambda b: b * 2)  # JAX602
    """,
    "texts whose names speak of keys": """
        import re
        import jax
        KEY = re.compile("[a-z]")
        def begun(seed):
            return jax.random.key(seed)
        def parsed(args):
            case_key = args[0].lower()
            if KEY.search(case_key):
                return None
            return {"case_key": case_key}
        def named(args, table):
            rng_key = args[0].strip()
            table.sample(rng_key)
            return table.draw(rng_key), rng_key
        def loud(args, table):
            rng_key = args[0].first()
            table.sample(rng_key)  # JAX103
            return table.draw(rng_key), rng_key
    """,
    "a row of one key for each turn": """
        import jax
        import jax.numpy as jnp
        def noisy(carry, key):
            return carry + jax.random.normal(key), None
        def run(key):
            first, second = jax.random.split(key)
            return jax.lax.scan(noisy, 0.0, jnp.array([first, second]))
        def twice(key):
            return jax.lax.scan(noisy, 0.0, jnp.array([key, key]))  # JAX102
        def whole(key):
            first, second = jax.random.split(key)
            return jax.random.normal(jnp.array([first, second]))  # JAX107
        def alike():
            key = jax.random.key(0)
            return jax.random.normal(jnp.array([key, key]))  # JAX107
    """,
    "an object called as a key is, which keeps one in a field": """
        import jax
        def begun(seed):
            return jax.random.key(seed)
        def shoot(model, rng):
            photons = model.shoot(rng)
            rng.state = rng.state.next()
            return photons, rng
        def loud(model, rng):
            photons = model.shoot(rng)  # JAX103
            return photons, rng
    """,
    "names of entries that are called keys": """
        import jax
        def begun(seed):
            return jax.random.key(seed)
        from collections.abc import Sequence
        class Update:
            def __init__(self, name: str, keys: list[str], values: list[int | bool | str]):
                self.name = name
                self.keys = keys
                self.values = values
            def __call__(self, rng_key, resources):
                resources[self.name].update(self.keys, self.values)
                return rng_key
        def read(keys: Sequence[str], table):
            table.sample(keys)
            return table.draw(keys), keys
        def loud(keys, table):
            table.sample(keys)  # JAX103
            return table.draw(keys), keys
    """,
    "numbers that a class of its own way to flatten keeps apart": """
        import jax
        from jax.tree_util import register_pytree_node, register_pytree_node_class
        class Distribution:
            event_dim: int
            aux = ("event_dim",)
            data = ("loc",)
            def __init__(self, loc, event_dim):
                self.loc = loc
                self.event_dim = event_dim
            def __init_subclass__(cls, **options):
                super().__init_subclass__(**options)
                register_pytree_node(cls, cls.tree_flatten, cls.tree_unflatten)
            def dims(self):
                return list(range(-self.event_dim, 0))
            def tree_flatten(self):
                return tuple(getattr(self, n) for n in self.data), tuple(getattr(self, n) for n in self.aux)
        class Normal(Distribution):
            pass
        @register_pytree_node_class
        class Counted:
            n: int
            def __init__(self, n):
                self.n = n
            def dims(self):
                return list(range(self.n))  # JAX403
            def tree_flatten(self):
                return (self.n,), None
        @jax.jit
        def right(d: Normal, x):
            return x.sum(d.dims())
        @jax.jit
        def wrong(d: Counted, x):
            return x.sum(d.dims())
    """,
    "a path for as many arguments as nobody passes": """
        import jax
        import jax.numpy as jnp
        class Shear:
            def __init__(self, *args, **kwargs):
                if len(kwargs) > 2:
                    raise TypeError("too many")
                if len(args) == 1:
                    self.g = args[0]
                    if not (jnp.all(jnp.iscomplex(self.g)) or isinstance(self.g, complex)):
                        raise TypeError("not complex")
                elif not kwargs:
                    self.g = 0j
                else:
                    self.g = kwargs["g1"] + 1j * kwargs["g2"]
        class Loud:
            def __init__(self, *args):
                if len(args) == 1:
                    self.g = args[0]
                    if jnp.all(self.g > 0):  # JAX401
                        self.g = 0j
        def first(*args):
            if args:
                if args[0] > 0:  # JAX401
                    return args[0]
            return 0
        def second(*args, **named):
            if args:
                if args[0] > 0:
                    return args[0]
            if len(args) >= 1 or not named:
                return float(args[0])
            return 0
        @jax.jit
        def of_name(x):
            return Shear(g1=x, g2=0.2).g
        @jax.jit
        def of_place(x):
            return Loud(x).g
        @jax.jit
        def with_one(x):
            return first(x) + second(x=x)
    """,
    "numbers, NumPy's and texts that are cast": """
        import jax
        import jax.numpy as jnp
        import numpy as np
        def cast(x, kind, accepts_texts=False):
            if isinstance(x, (int, float, np.integer, np.floating)) or (accepts_texts and isinstance(x, str)):
                return kind(x)
            return jnp.astype(x, kind)
        def loud(x, kind, is_forced=False):
            if isinstance(x, (int, float, np.number)) or (is_forced and not isinstance(x, str)):
                return float(x)  # JAX404
            return jnp.astype(x, kind)
        @jax.jit
        def quiet(x):
            return cast(x, float) + cast(x, float, True)
        @jax.jit
        def noisy(x):
            return loud(x, float) + loud(x, float, True)
    """,
    "fields that are passed by name": """
        from dataclasses import KW_ONLY, dataclass, field
        import jax
        @dataclass
        class Line:
            key: jax.Array = field(kw_only=True, default_factory=lambda: jax.random.key(0))
            left: float
            right: float
        @dataclass
        class Rest:
            left: float
            _: KW_ONLY
            key: jax.Array
            right: float = 1.0
        @dataclass
        class Made:
            count: int = field(init=False, default=0)
            key: jax.Array = None
        @dataclass
        class Placed:
            key: jax.Array
            left: float
        def draw(made):
            return jax.random.uniform(made.key)
        def right(key, other, third):
            return draw(Line(-1, 1, key=key)), draw(Rest(-1, key=other)), draw(Made(third))
        def wrong():
            return draw(Placed(-1, 1))  # JAX107
    """,
    "tables of NumPy that a cache keeps": """
        from functools import lru_cache
        import jax
        import jax.numpy as jnp
        import numpy as np
        @lru_cache(maxsize=64)
        def outside_diagonal(n):
            rows, cols = np.nonzero(~np.eye(n, dtype=bool))
            return rows, cols
        @lru_cache
        def grid(n):
            return np.meshgrid(np.arange(n), np.arange(n))
        @lru_cache
        def traced(n):
            return jnp.nonzero(jnp.ones(n), size=3)
        @jax.jit
        def residuals(x):
            rows, cols = outside_diagonal(x.shape[0])
            a, b = grid(x.shape[0])
            (c,) = traced(x.shape[0])  # JAX306
            return x[rows, cols], x[a, b], x[c]
    """,
    "functions of libraries that are called back": """
        import logging, time
        from functools import partial
        import jax
        import numpy as np
        import wandb
        from jax.experimental import io_callback
        def told(info):
            io_callback(wandb.log, None, info)
        @jax.jit
        def step(x, info):
            io_callback(wandb.log, None, {"a": x})
            jax.experimental.io_callback(partial(wandb.log, step=1), None, info)
            jax.debug.callback(wandb.log, {"a": x})
            jax.debug.callback(print, x)
            jax.debug.callback(logging.info, "%s", x)
            jax.debug.callback(time.sleep, 1.0)
            jax.pure_callback(np.load, jax.ShapeDtypeStruct((3,), x.dtype), "table.npy")
            told(info)
            jax.lax.cond(x > 0, told, lambda i: None, info)
            return x
        @jax.jit
        def loud(x):
            wandb.log({"a": x})  # JAX304
            time.sleep(1.0)  # JAX304
            return x
    """,
    "an infinity where the mask of a product is 0": """
        import jax
        import jax.numpy as jnp
        from jax.numpy import inf
        def masked(s):
            valid = s > 0
            t = jnp.where(valid, float("-inf"), s)
            return jnp.sum((1 - valid) * t)  # JAX701
        def masked_left(s, valid):
            t = jnp.where(~valid, s, -inf)
            return t * (1.0 - valid)  # JAX701
        def below():
            seen = jnp.tril(jnp.ones((3, 3)))
            return (1.0 - seen) * -jnp.inf  # JAX701
        def filled(x):
            return jnp.full_like(x, jnp.inf) * (1 - (x > 0))  # JAX701
        def shown():
            return jnp.array([0.0, 1.0]) * jnp.array([jnp.inf, jnp.nan])  # JAX701
        def other(x, m, s):
            a = jnp.ones(3) * jnp.inf
            b = jnp.nan_to_num((1 - (x > 0)) * jnp.inf)
            c = jax.nn.softmax(jnp.where(m, x, -jnp.inf)) * (1 - m)
            d = jnp.where(m, 0.0, x) * (1 - m)
            e = jnp.where(m, x, -jnp.inf) * (1 - m)
            f = jnp.array([1.0, jnp.inf]) * jnp.array([0.0, 1.0])
            g = jnp.where(jnp.isfinite(x), x, -jnp.inf) * s
            h = jnp.where(x > 0, x, -jnp.inf) * (x > 0)
            i = jnp.where(m, x, -jnp.inf) * m
            return a, b, c, d, e, f, g, h, i
    """,
    "functions that solvers, samplers and operators trace": """
        import blackjax, diffrax, jax, jax.numpy as jnp, jaxopt, lineax, numpyro, optimistix as optx
        import numpyro.distributions as dist
        from diffrax import ODETerm
        from numpyro.infer import MCMC, NUTS, SVI, Trace_ELBO
        def field(t, y, args):
            if args["mode"] == "decay" and y.shape[0] > 1:
                return -y
            if t > 0.5:  # JAX401
                return y
            return y if y[0] > 0 else -y  # JAX401
        def diffusion(t, y, args):
            return float(t)  # JAX404
        def solved(y0, path):
            terms = diffrax.MultiTerm(ODETerm(field), diffrax.ControlTerm(diffusion, path))
            return diffrax.diffeqsolve(terms, diffrax.Euler(), 0.0, 1.0, 0.1, y0, args={"mode": "decay"})
        def saved(t, y, args):
            return y if args is None else y * 2
        at = diffrax.SaveAt(ts=[0.0, 1.0], fn=saved)
        def objective(p, data, scale=1.0):
            if scale is not None and data.ndim == 2:
                p = p * scale
            return p.sum() if p[0] > 0 else 0.0  # JAX401
        def host(p, data):
            return 1.0 if p[0] > 0 else 0.0
        def minimised(p, data):
            slow = jaxopt.LBFGS(fun=host, jit=False).run(p, data)
            return slow, jaxopt.LBFGS(objective).run(p, data), jaxopt.ScipyMinimize("BFGS", fun=objective).run(p, data)
        def residual(y, args):
            if args == "plain":
                return y
            return y if y > 0 else -y  # JAX401
        def roots(y):
            return optx.root_find(residual, optx.Newton(1e-3, 1e-3), y, args="shifted")
        def linear(v):
            return 2 * v if v[0] > 0 else v  # JAX401
        def inverted(v):
            return lineax.linear_solve(lineax.FunctionLinearOperator(linear, jax.eval_shape(lambda: v)), v)
        def density(x):
            return -x if x > 0 else x  # JAX401
        def stepped(key, x):
            nuts = blackjax.nuts(density, 0.1, jnp.ones(1))
            return nuts.step(key, nuts.init(x))[0]
        def model(x, y=None, centred=True):
            mu = numpyro.sample("mu", dist.Normal(0.0, 1.0))
            if centred and y is not None and x.mean() > 0:
                mu = mu + 1
            if mu > 0:  # JAX401
                mu = -mu
            with numpyro.plate("data", len(x)):
                seen = numpyro.sample("y", dist.Normal(mu, 1.0), obs=y)
            return 1 if y is not None and seen[0] > 0 else 0
        def prior():
            z = numpyro.sample("z", dist.Normal(0.0, 1.0))
            return z if z > 0 else -z
        def generated(n):
            z = numpyro.sample("z", dist.Normal(0.0, 1.0))
            return z if n > 3 and z > 0 else -z  # JAX401
        def predicted(key):
            return numpyro.infer.Predictive(generated, num_samples=7)(key, 5)
        def drawn(x, y):
            fit = MCMC(NUTS(model), num_warmup=5, num_samples=5)
            fit.run(jax.random.key(0), x, y, centred=False)
            with numpyro.handlers.seed(rng_seed=1):
                return fit.get_samples(), prior()
        def guide(x, y=None):
            loc = numpyro.param("loc", 0.0)
            scale = float(numpyro.sample("mu", dist.Normal(loc, 1.0)))  # JAX404
        def fitted(x, y, start):
            svi = SVI(start, guide, numpyro.optim.Adam(0.1), Trace_ELBO())
            return svi.run(jax.random.key(1), 10, x, y)
    """,
    "the key of a training state that goes round": """
        import flax, jax, optax
        import jax.numpy as jnp
        from flax import struct
        from flax.training import train_state
        class TrainState(train_state.TrainState):
            key: jax.Array
        @struct.dataclass
        class Own:
            params: jax.Array
            rng: jax.Array
            def apply_gradients(self, grads):
                return self.replace(params=self.params - grads, rng=jax.random.fold_in(self.rng, 1))
        @jax.jit
        def kept(state, batch):
            def loss(params):
                return state.apply_fn({"params": params}, batch, train=True, rngs={"dropout": state.key}).mean()
            return state.apply_gradients(grads=jax.grad(loss)(state.params))
        @jax.jit
        def declared(state: TrainState, batch):
            noise = jax.random.normal(state.key, batch.shape)  # JAX103
            return state.apply_gradients(grads=noise)
        @jax.jit
        def folded(state: TrainState, batch):
            noise = jax.random.normal(jax.random.fold_in(state.key, state.step), batch.shape)
            return state.apply_gradients(grads=noise)
        @jax.jit
        def renewed(state: TrainState, batch):
            key, sub = jax.random.split(state.key)
            return state.apply_gradients(grads=jax.random.normal(sub, batch.shape), key=key)
        @jax.jit
        def own(state, batch):
            return state.apply_gradients(grads=jax.random.normal(state.rng, batch.shape))
        def train(batches, params, model):
            key = jax.random.key(1)
            state = TrainState.create(apply_fn=model.apply, params=params, key=key, tx=optax.sgd(0.1))
            for batch in batches:
                state = kept(state, batch)  # JAX102
            for batch in batches:
                state = declared(state, batch)
            for batch in batches:
                state = folded(state, batch)
            for batch in batches:
                state = renewed(state, batch)
            return state
        def train_own(batches):
            state = Own(params=jnp.ones(3), rng=jax.random.key(1))
            for batch in batches:
                state = own(state, batch)
            return state
    """,
    "copies of one key for all turns, elements and lanes": """
        import jax, jax.numpy as jnp
        from jax import lax
        def turns(key, x):
            keys = jnp.broadcast_to(key, (10, 2))  # JAX102
            def body(carry, k):
                return carry + jax.random.normal(k), None
            return lax.scan(body, x, keys)
        def beside(key, xs):
            keys = jnp.tile(key, (10, 1))  # JAX102
            def body(carry, given):
                x, k = given
                return carry + x * jax.random.normal(k), None
            return lax.scan(body, 0.0, (xs, keys))
        def elements(key):
            keys = [key] * 10
            return [jax.random.normal(k) for k in keys]  # JAX102
        def fresh(key, x):
            def body(carry, k):
                return carry + jax.random.normal(k), None
            return lax.scan(body, x, jax.random.split(key, 10))
        def numbered(key, xs):
            keys = jnp.broadcast_to(key, (10, 2))
            def body(carry, given):
                i, k = given
                return carry + jax.random.normal(jax.random.fold_in(k, i)), None
            return lax.scan(body, 0.0, (jnp.arange(10), keys))
        def others(key):
            keys = [*jax.random.split(key)] * 2
            return keys[0]
    """,
    "keys that a list gives away": """
        import jax
        def first(key):
            rest = list(jax.random.split(key, 4))
            a = jax.random.normal(rest[0], (3,))
            return a + jax.random.normal(rest.pop(0), (3,))  # JAX101
        def last(key):
            a, b = jax.random.split(key)
            rest = [a, b]
            x = jax.random.normal(rest.pop(), (3,))
            return x + jax.random.normal(b, (3,))  # JAX101
        def each(key):
            a, b = jax.random.split(key)
            rest = [a, b]
            x = jax.random.normal(rest.pop(), (3,))
            return x + jax.random.normal(rest.pop(), (3,))
        def all_of_them(key):
            rest = list(jax.random.split(key, 4))
            drawn = [jax.random.normal(rest.pop()) for _ in range(2)]
            while rest:
                drawn.append(jax.random.normal(rest.pop()))
            return drawn
    """,
    "keys that are spread over a call or a display": """
        import jax
        def both(a, b):
            return jax.random.normal(a) + jax.random.normal(b)
        def starred(key):
            keys = jax.random.split(key)
            x = both(*keys)
            return x + jax.random.normal(keys[1])  # JAX101
        def listed(key):
            rest = [*jax.random.split(key, 3)]
            x = jax.random.normal(rest[0])
            return x + jax.random.normal(rest[0])  # JAX101
        def apart(key):
            keys = jax.random.split(key, 3)
            x = both(*keys[:2])
            return x + jax.random.normal(keys[2])
    """,
    "layers that a field is declared to be": """
        import equinox as eqx, jax
        class Net(eqx.Module):
            first: eqx.nn.Dropout
            second: eqx.nn.Dropout
            layer: eqx.nn.Linear
            def __call__(self, x, key):
                x = self.layer(self.first(x, key=key))
                return self.second(x, key=key)  # JAX101
        class Other(eqx.Module):
            first: eqx.nn.Dropout
            attention: eqx.nn.MultiheadAttention
            def __call__(self, x, key):
                one, two = jax.random.split(key)
                x = self.attention(x, x, x, key=one)
                return self.first(x, key=two)
    """,
    "forward mode over a reverse mode by arguments that nobody knows": """
        import jax, jax.numpy as jnp
        @jax.custom_vjp
        def f(x):
            return jnp.sin(x)
        def forward(x):
            return jnp.sin(x), x
        def backward(x, g):
            return (jnp.cos(x) * g,)
        f.defvjp(forward, backward)
        @jax.custom_vjp
        def h(x):
            return jnp.sin(x)
        h.defvjp(forward, backward)
        def loss(x):
            return h(x).sum()
        def second(argnums, x, t):
            gradient = jax.grad(loss, argnums=argnums)
            return jax.jvp(lambda x: gradient(x), (x,), (t,))
        def known(x, t):
            gradient = jax.grad(loss, argnums=(0,))
            return jax.jvp(lambda x: gradient(x), (x,), (t,))
        def direct(x, t):
            return jax.jvp(lambda x: f(x).sum(), (x,), (t,))  # JAX612
    """,
    "a keyword that a transformed function takes for itself": """
        import jax, optax
        @jax.jit
        def loss(x):
            return (x ** 2).sum()
        def step(x, state):
            return optax.value_and_grad_from_state(loss)(x, state=state)
        def other(x, state):
            return jax.value_and_grad(loss)(x, state=state)  # JAX602
    """,
    "fields that a method of the class flattens beside the children": """
        import jax, jax.numpy as jnp
        from functools import partial
        from jax.tree_util import register_pytree_node_class
        @register_pytree_node_class
        class Base:
            def params(self):
                return []
            def options(self):
                return None
            def tree_flatten(self):
                return self.params(), self.options()
            @classmethod
            def tree_unflatten(cls, options, children):
                return cls(*children, options)
        @register_pytree_node_class
        class Dropout(Base):
            def __init__(self, rate: jax.Array):
                self.rate = rate
            def options(self):
                return self.rate
            @partial(jax.jit, static_argnames=["train"])
            def __call__(self, x, train=False):
                if self.rate == 0.0 or not train:
                    return x
                return x * self.rate
        @register_pytree_node_class
        class Scale(Base):
            def __init__(self, rate: jax.Array, options=None):
                self.rate = rate
            def params(self):
                return [self.rate]
            @jax.jit
            def __call__(self, x):
                if self.rate == 1.0:  # JAX401
                    return x
                return x * self.rate
    """,
    "an object whose call is a method of its class": """
        import jax
        class Move:
            @staticmethod
            def go(x, d):
                return x + d
            @classmethod
            def __call__(cls, x, d):
                return cls.go(x, d)
        def slope(x, d):
            return jax.jacobian(Move(), argnums=0)(x, d)
        class Bad:
            @jax.jit  # JAX610
            @classmethod
            def f(cls, x):
                return x
    """,
    "a size that only an annotation calls an array": """
        import jax, jax.numpy as jnp
        from functools import partial
        @partial(jax.jit, static_argnums=(1, 2))
        def product(x, n, size):
            return jnp.zeros(n) + x
        def solved(x: jnp.ndarray, size: jnp.ndarray):
            n = size[0] * size[1]
            return product(x, n, size)
        def made(x):
            n = jnp.array([2, 3])[0] * 2
            return product(x, n, (2, 3))  # JAX502
        def main(data):
            size = jnp.array(data)
            return solved(jnp.ones(6), (size[0].item(), size[1].item())), made(jnp.ones(4))
    """,
    "what a tracer is the index of": """
        import jax
        import jax.numpy as jnp
        TABLE = jnp.arange(4.0)
        def larger(a, b):
            return a if a > b else b  # JAX401
        def pairs(xs):
            return jax.vmap(lambda i: larger(xs[i - 1], xs[i]))(jnp.arange(1, 4))
        def counted(rows):
            def body(i, count):
                if rows[i, 0]:  # JAX401
                    return count + 1
                return count
            return jax.lax.fori_loop(0, 5, body, 0)
        def looked_up():
            return jax.vmap(lambda i: 1 if TABLE[i] > 0 else 2)(jnp.arange(3))  # JAX401
        def known(tokens, is_known):
            def lookup(token):
                return 0 if not is_known[token] else token  # JAX402
            return jax.lax.map(lookup, tokens)
        def descended(feature, threshold, left, right, x):
            def descend(_, node):
                return jnp.where(x[feature[node]] <= threshold[node], left[node], right[node])
            return jax.lax.fori_loop(0, 3, descend, 0)
        def chosen(options, k):
            return options[k](1.0) if options[k] else None
        def by_turns(xs, table):
            return [table[i] for i in range(4) if xs[i] > 0]
        def at(xs, k):
            return 1 if xs[k] > 0 else 2
        jax.jit(chosen, static_argnums=(0, 1))((jnp.sin, None), 1)
        by_turns(jnp.ones(4), [1, 2, 3, 4])
        at(jnp.ones(4), jnp.argmax(jnp.ones(4)))
    """,
    "a truth that is asked of what a caller shows to be an array": """
        import jax
        import jax.numpy as jnp
        def paid(spot, is_call):
            return spot if is_call else -spot  # JAX401
        def priced(paths, flags):
            return jax.vmap(jax.vmap(paid, in_axes=(None, 0)), in_axes=(0, None))(paths, flags)
        def masked(x, mask):
            return x * 2 if mask else x
        def mapped(x, mask):
            return jax.vmap(masked)(x, mask)
        def doubled(x, is_on):
            return x * 2 if is_on else x
        def beside(x, is_on):
            return jax.vmap(doubled, in_axes=(0, None))(x, is_on)
        priced(jnp.ones(3), jnp.array([True, False]))
        mapped(jnp.ones(3), None)
        mapped(jnp.ones(3), [])
        beside(jnp.ones(3), jnp.array(True))
    """,
    "a method of what a library gave, under a transform": """
        import blackjax, jax
        import haiku as hk
        import jax.numpy as jnp
        def chain(key, n):
            hmc = blackjax.hmc(lambda x: -x**2, step_size=0.1)
            kernel, state = jax.jit(hmc.step), hmc.init(jnp.zeros(2))
            for _ in range(n):
                state, _ = kernel(key, state)  # JAX102
            return state
        def split(key, n):
            hmc = blackjax.hmc(lambda x: -x**2, step_size=0.1)
            kernel, state = jax.jit(hmc.step), hmc.init(jnp.zeros(2))
            for sub in jax.random.split(key, n):
                state, _ = kernel(sub, state)
            return state
        def started(key, starts):
            hmc = blackjax.hmc(lambda x: -x**2, step_size=0.1)
            return jax.vmap(hmc.init)(starts), jax.random.normal(key)
        def members(rng, x, n):
            net, made = hk.without_apply_rng(hk.transform(lambda x: hk.Linear(2)(x))), []
            for _ in range(n):
                made.append(net.init(rng, x))  # JAX102
            return made
        def applied(rng, params, xs):
            net = hk.without_apply_rng(hk.transform(lambda x: hk.Linear(2)(x)))
            return net.init(rng, xs[0]), [net.apply(params, x) for x in xs]
    """,
    "what a generator of NumPy shuffles": """
        import numpy as np
        import jax.numpy as jnp
        class Loader:
            def __init__(self, n, seed):
                self.n, self.rng = n, np.random.default_rng(seed)
            def order(self):
                order = jnp.arange(self.n)
                self.rng.shuffle(order)  # JAX205
                return order
            def of_numpy(self):
                order = np.arange(self.n)
                self.rng.shuffle(order)
                return jnp.asarray(order)
            def anew(self):
                return self.rng.permutation(jnp.arange(self.n))
    """,
    "a function of a library in a field": """
        import jax
        import jax.numpy as jnp
        class Layer:
            def __init__(self, act, init):
                self.act, self.init = act, init
            def __call__(self, x):
                y = self.act(x)
                return y if y > 0 else 0.0  # JAX401
            def params(self, key):
                return self.init(key, (3,)), jax.random.uniform(key, (3,))  # JAX101
        class Row:
            def __init__(self, act, init):
                self.act, self.init = act, init
            def __call__(self, x):
                y = self.act(x)
                return y if len(y) > 0 else 0.0
            def params(self, key):
                return self.init((3,)), jax.random.uniform(key, (3,))
        def run(x, key):
            layer = Layer(jnp.tanh, jax.random.normal)
            return jax.jit(layer)(x), layer.params(key)
        def sized(x, key):
            row = Row(jnp.tanh, jnp.zeros)
            return jax.jit(row)(x), row.params(key)
    """,
    "parameters that an optimizer has moved": """
        import jax, optax
        import jax.numpy as jnp
        from functools import partial
        from flax.training import train_state
        class TrainState(train_state.TrainState):
            key: jax.Array
        @partial(jax.jit, donate_argnums=0)
        def used(params):
            return jax.tree.map(lambda leaf: leaf * 2, params)
        def stepped(model, grads):
            key, params = jax.random.key(0), jnp.ones(3)
            state = TrainState.create(apply_fn=model.apply, params=params, tx=optax.sgd(0.1), key=key)
            doubled = used(state.params)
            state = state.apply_gradients(grads=grads)
            return doubled, state.params.sum()
        def replaced(state, grads):
            params = jnp.ones(3)
            state = state.replace(params=params)
            doubled = used(params)
            after = state.apply_gradients(grads=grads)
            return doubled, after.params.sum()
        def handed(state: train_state.TrainState, grads):
            doubled = used(state.params)
            state = state.apply_gradients(grads=grads)
            return doubled, state.params["w"].sum()
        def kept(state, key):
            params = jnp.ones(3)
            state = state.replace(params=params)
            doubled = used(params)
            after = state.replace(key=key)
            return doubled, after.params.sum()  # JAX506
    """,
    "axes beside static arguments": """
        import jax, functools
        import jax.numpy as jnp
        @functools.partial(jax.pmap, in_axes=(None, 0, None, None), static_broadcasted_argnums=(0,))
        def more(name, x, y):
            return x + y
        @functools.partial(jax.pmap, in_axes=(None, 0), static_broadcasted_argnums=(0,))
        def fewer(name, x, y):
            return x + y
        @functools.partial(jax.pmap, in_axes=(0, 0), static_broadcasted_argnums=(2,))
        def last(x, y, name):
            return x + y
        def run():
            x = jnp.ones((1, 2))
            return more("a", x, x), last(x, x, "a"), fewer("a", x, x)  # JAX605
    """,
    "derivatives that a helper states": """
        import jax
        import jax.numpy as jnp
        from elsewhere import register
        def straight_through(fn):
            def rule(primals, tangents):
                return fn(primals[0]), tangents[0]
            fn.defjvp(rule)
        def both(first, second):
            straight_through(first)
            straight_through(second)
        @jax.custom_jvp
        def floor(x):
            return jnp.floor(x)
        @jax.custom_jvp
        def ceil(x):
            return jnp.ceil(x)
        @jax.custom_vjp
        def known_elsewhere(x):
            return jnp.round(x)
        @jax.custom_jvp
        def trunc(x):
            return jnp.trunc(x)
        both(floor, ceil)
        register(known_elsewhere)
        def used(x):
            return floor(x) + ceil(x) + known_elsewhere(x) + trunc(x)  # JAX608
    """,
    "trees that a transform takes apart": """
        import jax
        def filled(params, x):
            params["params"]["kernel"] = x * 2
            return params
        def passed(x, params):
            params["params"]["kernel"] = x * 2  # JAX303
            return x.sum()
        class Emitter:
            def _filled(self, params, x):
                params["params"]["kernel"] = x * 2
                return params
            def emit(self, state, xs):
                return jax.vmap(self._filled, in_axes=(None, 0))(state.params, xs)
        def mapped(state, xs):
            return jax.vmap(filled, in_axes=(None, 0))(state.params, xs)
        def differentiated(params, x):
            return jax.grad(passed)(x, params), params
    """,
    "rows that several names are bound to at once": """
        import jax.numpy as jnp
        def forces(f, pairs):
            for i, j, df in pairs:
                fi, fj = f[i], f[j]
                fi += df  # JAX210
                fj -= df  # JAX210
            return f
        forces(jnp.zeros((3, 2)), [(0, 1, jnp.ones(2))])
        def gathered(f, pairs):
            out = []
            for i, j, df in pairs:
                fi, fj = f[i], f[j]
                fi += df
                fj -= df
                out += [fi, fj]
            return out
        gathered(jnp.zeros((3, 2)), [(0, 1, jnp.ones(2))])
        class Layer:
            def __init__(self, n):
                self.w, self.b = jnp.zeros((n, n)), jnp.zeros(n)
            def left(self, g):
                [w, b] = self.w, self.b
                w -= g  # JAX210
                b -= g.sum(0)  # JAX210
        class Moved:
            def __init__(self, n):
                self.w, self.b = jnp.zeros((n, n)), jnp.zeros(n)
            def stored(self, g):
                w, b = self.w, self.b
                w -= g
                b -= g.sum(0)
                self.w, self.b = w, b
    """,
    "models among the trees of a function that only computes": """
        import equinox as eqx, jax, jax.numpy as jnp
        def cleared(linear: eqx.nn.Linear):
            eqx.tree_at(lambda one: one.bias, linear, jnp.zeros(2))  # JAX202
            return linear
        def scaled(mlp: eqx.nn.MLP):
            jax.tree.map(lambda leaf: leaf * 2, mlp)  # JAX202
            return mlp
        class Net(eqx.Module):
            head: eqx.nn.Linear
            blocks: list
        def of_a_class(net: Net, weight):
            eqx.tree_at(lambda one: one.blocks[-1].weight, net, weight)  # JAX202
            return net
        class Counter:
            def __init__(self, log):
                self.log = log
            def __call__(self, x):
                self.log.append(x.shape)
                return x
        def run(counter: Counter, xs):
            jax.tree.map(counter, xs)
            jax.tree.map(f=counter, tree=xs)
        def shown(mlp: eqx.nn.MLP, log):
            jax.tree.map(lambda leaf: log(leaf.shape), mlp)
            jax.vmap(mlp)(jnp.ones((3, 2)))
            return eqx.tree_at(lambda one: one.layers[0].bias, mlp, jnp.zeros(2))
    """,
    "slices that a call makes": """
        import jax
        @jax.jit
        def prefix(x, n):
            return x[slice(0, n)].sum()  # JAX410
        @jax.jit
        def named(x, n):
            window = slice(n)
            return x[window].sum()  # JAX410
        @jax.jit
        def columns(x, n):
            return x[:, slice(n, None)].sum()  # JAX410
        @jax.jit
        def held(x, n):
            place = (slice(None), slice(0, n))
            return x[place].sum()  # JAX410
        @jax.jit
        def known(x, n):
            most, rest = slice(0, x.shape[0] - 1), slice(None)
            return x[most].sum() + x[(rest,) * 2 + (0,)].sum() + x[n, rest].sum() + x[slice(*(0, 2))].sum()
    """,
    "what is started once": """
        import jax
        is_ready = False
        def setup(address):
            global is_ready
            if is_ready:
                return
            jax.distributed.initialize(coordinator_address=address)
            is_ready = True
        def setup_unless_started(address):
            if not jax.distributed.is_initialized():
                jax.distributed.initialize(coordinator_address=address)
        def setup_always(address):
            jax.distributed.initialize(coordinator_address=address)
        class Runner:
            def __init__(self):
                self.is_ready = False
            def prepare(self, address):
                if not self.is_ready:
                    jax.distributed.initialize(coordinator_address=address)
                    self.is_ready = True
        def first(address):
            count = len(jax.devices())
            setup(address)
            setup_unless_started(address)
            return count
        def second(address, runner: Runner):
            count = len(jax.devices())
            runner.prepare(address)
            return count
        def third(address):
            count = len(jax.devices())
            setup_always(address)  # JAX902
            return count
    """,
    "numbers of the host in a donated state": """
        import jax
        import jax.numpy as jnp
        from functools import partial
        from flax import struct
        class TrainState(struct.PyTreeNode):
            params: dict
            epoch: int = 0
        @partial(jax.jit, donate_argnums=0)
        def step(state, batch):
            return state
        def train(params, batches, epochs):
            state = TrainState(params=params)
            for epoch in epochs:
                state = state.replace(epoch=epoch)
                for batch in batches:
                    state = step(state, batch)
                print(epoch + 1)
        def again(batches, epochs):
            params = jnp.ones(3)
            state = TrainState(params=params)
            for batch in batches:
                state = step(state, batch)
            return params + 1  # JAX506
    """,
    "arguments that are spread": """
        import jax
        import jax.numpy as jnp
        def applied(func):
            def wrapper(*args):
                return func(*[getattr(arg, "data", arg) for arg in args])
            return wrapper
        @jax.jit
        def chosen(mask, x, y):
            return applied(jnp.where)(mask > 0, x, y)
        @jax.jit
        def spread(parts):
            return jnp.where(*parts)
        @jax.jit
        def alone(mask):
            return jnp.where(mask > 0)  # JAX411
    """,
    "branches behind a flag that a field defaults to": """
        import jax
        import flax.linen as nn
        class Dropout(nn.Module):
            rate: float | None = None
            legacy: bool = False
            @nn.compact
            def __call__(self, x, rate: float | None = None):
                if self.legacy:
                    if rate == 0.0:
                        return x
                return x * rate
        class OldDropout(nn.Module):
            rate: float | None = None
            legacy: bool = False
            @nn.compact
            def __call__(self, x, rate: float | None = None):
                if self.legacy:
                    if rate == 0.0:  # JAX401
                        return x
                return x * rate
        class Model(nn.Module):
            @nn.compact
            def __call__(self, x, rate):
                return Dropout(rate=rate)(x, rate=rate)
        class OldModel(nn.Module):
            @nn.compact
            def __call__(self, x, rate):
                return OldDropout(rate=rate, legacy=True)(x, rate=rate)
        def run(x, rate):
            return jax.jit(Model().apply)({}, x, rate), jax.jit(OldModel().apply)({}, x, rate)
    """,
    "methods that objects have in another form": """
        import jax
        class Experiment:
            def __init__(self, params, is_training):
                self.params = params
                if is_training:
                    self._update = jax.pmap(self._update, axis_name="i")
            def step(self, x):
                self.params = self._update(self.params, x)
                return self.params
            def _update(self, params, x):
                return jax.lax.pmean(params * x, axis_name="i")
        class Plain:
            def step(self, x):
                return self._update(x)
            def _update(self, x):
                return jax.lax.pmean(x, axis_name="i")  # JAX605
        def run():
            x = jax.numpy.ones(3)
            return Experiment(x, True).step(x), jax.block_until_ready(Plain().step(x))
    """,
    "a field that is handed in for a default": """
        import jax
        import jax.numpy as jnp
        from functools import partial
        def pruned(x, most=None):
            count = jnp.sum(x > 0)
            if most is None:
                most = int(count * 2)
            return x[:most]
        def counted(x, most=None):
            count = jnp.sum(x > 0)
            if most is None:
                most = int(count * 2)  # JAX403
            return x[:most]
        def of_field(x, neighbors):
            return jax.jit(partial(pruned, most=neighbors.most))(x)
        def by_place(x, neighbors):
            return jax.jit(lambda y: pruned(y, neighbors.most))(x)
        def of_nothing(x, neighbors):
            return jax.jit(partial(counted))(x)
    """,
    "records that are not frozen": """
        import functools
        import flax
        from flax import struct
        slots = functools.partial(flax.struct.dataclass, frozen=False, slots=True)
        @slots
        class Quantizer:
            numerics: int
        @struct.dataclass(frozen=False)
        class Loose:
            x: int
        @struct.dataclass
        class Holder:
            quantizer: Quantizer
        def changed(quantizer: Quantizer, loose: Loose, holder: Holder):
            quantizer.numerics = 3
            loose.x = 3
            holder.quantizer.numerics = 4
            holder.quantizer = quantizer  # JAX614
    """,
    "keys of queues and services": """
        import jax
        def begun(seed):
            return jax.random.key(seed)
        class Client:
            def __init__(self, config):
                self.queue = config.queue
                self.api_key = config.api_key
                self.rng = config.rng
                self.channel = config.channel
            def publish(self, message):
                self.channel.publish(routing_key=self.queue, body=message)
                return self.channel.send(message, api_key=self.api_key)
            def again(self, message):
                self.channel.publish(routing_key=self.queue, body=message)
                return self.channel.send(message, self.api_key)
            def apply(self, x):
                return self.channel.apply(x, rng=self.rng)  # JAX103
    """,
    "decorators that may compile": """
        import functools
        import jax
        import solvers
        def made(x):
            def body(i, c):
                return c + x[i]
            return jax.lax.fori_loop(0, 3, body, 0.0)
        @solvers.jit
        def solve(x):
            return made(x)
        @solvers.logged
        def watch(x):
            return made(x)
        def solved(x):
            return solve(x)
        def run(xs):
            for x in xs:
                print(solved(x))
        def run_watched(xs):
            for x in xs:
                print(watch(x))  # JAX501
    """,
    "properties with a function that stores": """
        import jax
        import jax.numpy as jnp
        class Plan:
            @property
            def policy(self):
                return self._policy
            @policy.setter
            def policy(self, value):
                self._policy = value
            @property
            def rate(self):
                return self._rate
            @rate.deleter
            def rate(self):
                del self._rate
            def keep(self, value):
                self._kept = value  # JAX303
                return value
        def run(plan: Plan):
            return jax.jit(plan.policy)(jnp.ones(3)), jax.jit(plan.keep)(jnp.ones(3))
    """,
    "annotations of a base that is no dataclass": """
        import dataclasses
        import flax.linen as nn
        class Serial:
            layers: list
            width: int
            def count(self):
                return len(self.layers)
        class Fields(nn.Module):
            parts: list
        @dataclasses.dataclass
        class Declared:
            blocks: list
        class Net(Serial, nn.Module):
            depth: int
            def setup(self):
                self.layers = [nn.Dense(3) for _ in range(self.depth)]
        class Other(Fields):
            depth: int = 2
            def setup(self):
                self.parts = [nn.Dense(3) for _ in range(self.depth)]  # JAX614
        class Third(Declared, nn.Module):
            depth: int = 2
            def setup(self):
                self.blocks = [nn.Dense(3) for _ in range(self.depth)]  # JAX614
    """,
    "options that a wrapper adds to those it gets": """
        import jax
        def with_all(f, **options):
            def both(p, x):
                out = f(p, x)
                return out.sum(), (out, 1)
            options["has_aux"] = True
            return jax.value_and_grad(both, **options)
        def with_some(f, **options):
            def both(p, x):
                out = f(p, x)
                return out.sum(), (out, 1)
            return jax.grad(both, **options)
        def with_none(f):
            def both(p, x):
                out = f(p, x)
                return out.sum(), (out, 1)
            return jax.value_and_grad(both)  # JAX601
    """,
    "axes that are not known": """
        import jax
        class Noise:
            def __init__(self, mapped):
                self.mapped = mapped
            def axes(self):
                return (0, *[0 if each else None for each in self.mapped])
            def sample(self, key, n, *xs):
                keys = jax.random.split(key, n)
                return jax.vmap(lambda key, *xs: jax.random.normal(key) + xs[0], in_axes=self.axes())(keys, *xs)
            def whole(self, key, n, x):
                keys = jax.random.split(key, n)
                return jax.vmap(lambda key, x: jax.random.normal(key) + x, in_axes=(None, 0))(keys, x)  # JAX107
    """,
    "layers that a lifted transform hands on": """
        import flax.linen as nn
        import jax.numpy as jnp
        class Layer(nn.Module):
            rate: float = 2.0
            def latency(self, n):
                return n + 1
        class Repeat(nn.Module):
            def setup(self):
                self.child = Layer()
            def latencies(self, n):
                found = [n]
                def body(child: Layer, carry, xs):
                    found[0] = child.latency(found[0])
                    if child.rate > 1:
                        found.append(child.rate)
                    return carry, xs
                nn.scan(body, variable_axes={True: 0}, split_rngs={True: False}, length=1)(self.child, (), ())
                return found
            def kept(self, n):
                found = [n]
                def body(child: Layer, carry, xs):
                    found[0] = carry  # JAX303
                    return carry, xs
                nn.scan(body, variable_axes={True: 0}, split_rngs={True: False}, length=1)(self.child, jnp.ones(3), ())
                return found
    """,
    "arrays of keys that methods get": """
        import jax
        class Env:
            def reset(self, key):
                return jax.random.normal(key, (3,))
        def drawn(key):
            return jax.random.normal(key, (3,))
        def run(env: Env):
            keys = jax.random.split(jax.random.key(0), 4)
            return env.reset(keys)
        def run_here():
            keys = jax.random.split(jax.random.key(0), 4)
            return drawn(keys)  # JAX107
        def run_none(env: Env):
            return env.reset(None)  # JAX107
    """,
    "methods with a derivative of their own, which bind no object": """
        import jax
        import jax.numpy as jnp
        from functools import partial
        class Renderer:
            def __init__(self):
                self.render = jax.tree_util.Partial(self._render, self)
                self.shade = jax.tree_util.Partial(self._shade, self)
            @partial(jax.custom_vjp, nondiff_argnums=(0,))
            def _render(self, a, b):
                return a * b
            def _forward(self, a, b):
                return a * b, (a, b)
            def _backward(self, kept, g):
                return g * kept[1], g * kept[0]
            _render.defvjp(_forward, _backward)
            def _shade(self, a, b):
                return a * b
        r = Renderer()
        out, pull = jax.vjp(r.render, jnp.ones(3), jnp.ones(3))
        out, pull = jax.vjp(r.shade, jnp.ones(3), jnp.ones(3))  # JAX602
    """,
    "objects whose arrays are mapped over": """
        import jax
        import jax.numpy as jnp
        from flax import struct
        @struct.dataclass
        class State:
            key: jax.Array
            done: jax.Array
        def made(key):
            return State(key=key, done=jnp.bool_(False))
        def step(state):
            noise = jax.random.normal(state.key, (3,))
            return noise, jax.lax.cond(noise[0] > 0, lambda: state.done, lambda: jnp.bool_(True))
        def both(state):
            return jax.vmap(step)(state)
        def run():
            keys = jax.random.split(jax.random.key(0), 4)
            return jax.vmap(step)(jax.vmap(made)(keys))
        def run_object():
            state = State(key=jax.random.split(jax.random.key(0), 4), done=jnp.zeros(4, bool))
            return jax.vmap(step)(state)
        def run_objects():
            state = State(key=jax.random.split(jax.random.key(0), (2, 4)), done=jnp.zeros((2, 4), bool))
            return jax.vmap(both)(state)
        @struct.dataclass
        class Wrapped:
            inner: State
            count: jax.Array
        def wrapped(key):
            return Wrapped(State(key=key, done=jnp.bool_(False)), jnp.int32(0))
        def step_inner(outer):
            return step(outer.inner)
        def run_in_turn(keys):
            def turn(carry, _):
                return carry, jax.vmap(step_inner)(carry[0])
            return jax.lax.scan(turn, (jax.vmap(wrapped)(keys), keys[0]), None, 5)
        def run_whole():
            state = State(key=jax.random.split(jax.random.key(0), 4), done=jnp.zeros((), bool))
            return step(state)  # JAX107
        def run_some():
            state = State(key=jax.random.key(0), done=jnp.zeros(4, bool))
            return jax.lax.cond(state.key is None, lambda: state.done, lambda: jnp.bool_(True))  # JAX603
    """,
    "axes that were asked for": """
        import jax
        import jax.numpy as jnp
        def is_parallel():
            try:
                jax.lax.axis_index("i")
                return True
            except NameError:
                return False
        def meaned(tree):
            if is_parallel():
                tree = jax.tree.map(lambda x: jax.lax.pmean(x, "i"), tree)
            return tree
        def tried(x):
            try:
                jax.lax.axis_index("k")
            except NameError:
                return x
            return jax.lax.pmean(x, "k")
        def plain(tree):
            return jax.tree.map(lambda x: jax.lax.pmean(x, "j"), tree)  # JAX605
        def otherwise(x):
            try:
                size = len(x)
            except TypeError:
                size = 1
            return jax.lax.pmean(x, "l") / size  # JAX605
        @jax.jit
        def step(x):
            return meaned(x), tried(x), plain(x), otherwise(x)
        step(jnp.ones(3))
    """,
    "contracts below a switch that is off": """
        import jax
        import jax.numpy as jnp
        OTHER = False
        def halved(x):
            return float(x) / 2  # JAX404
        def third(x):
            return float(x) / 3
        def solved(x):
            if OTHER:
                return jax.vmap(third)(x)
            return jax.vmap(halved)(x)
        def ruled(f, forward, backward):
            if OTHER:
                found = jax.custom_vjp(f)
                found.defvjp(forward, backward)
                return found
            return f
        def forward(x):
            return x, None
        def backward(kept, g, more):
            return (g,)
        ruled(lambda x: x, forward, backward)
        def off(x):
            if OTHER:
                return jax.lax.cond(x.sum() > 0, lambda: jnp.ones(3), lambda: jnp.ones(2))
            return x
        def on(x):
            return jax.lax.cond(x.sum() > 0, lambda: jnp.ones(3), lambda: jnp.ones(2))  # JAX603
    """,
    "seeds that examples write out alike": """
        import jax
        weights = jax.random.normal(jax.random.key(0), (3,))
        data = jax.random.normal(jax.random.key(0), (3,))  # JAX105
        print(weights + data)
    """,
    "what a lock guards": """
        import jax, threading
        class Cache:
            def __init__(self):
                self.hits = 0
                self.misses = 0
                self.last = None
                self._lock = threading.Lock()
            def get(self, name):
                with self._lock:
                    self.hits += 1
                return name
            def count(self, name):
                self.misses += 1  # JAX303
                return name
            def keep(self, x):
                with self._lock:
                    self.last = x  # JAX303
                return x
        CACHE = Cache()
        @jax.jit
        def step(x):
            CACHE.get("a")
            CACHE.count("a")
            return CACHE.keep(x)
        def run():
            return step(1.0), step(2.0)
    """,
    "keys that a backward rule draws from again": """
        import jax
        def noise(x, key):
            return jax.random.normal(key, x.shape)
        @jax.custom_vjp
        def dropped(x, key):
            return x * noise(x, key)
        def forward(x, key):
            return x * noise(x, key), (x, key)
        def backward(kept, g):
            x, key = kept
            return g * noise(x, key), None
        dropped.defvjp(forward, backward)
        def plain(x, key):
            return x * noise(x, key), (x, key)  # JAX103
    """,
    "stores that a class takes in its own way": """
        import jax.numpy as jnp
        class Variable:
            def __init__(self, value):
                self.value = value
        class Variables(list):
            def __setitem__(self, index, value):
                self[index].value = value
        class Holder:
            def __init__(self):
                self.v = Variable(jnp.zeros(2))
            def __setattr__(self, name, value):
                if name in self.__dict__:
                    self.__dict__[name].value = value
                else:
                    object.__setattr__(self, name, value)
        class Plain:
            def __init__(self):
                self.v = None
        def of_items():
            variables = Variables([Variable(jnp.zeros(1))])
            variables[0] = jnp.ones(1)
            return variables[0].value
        def of_fields():
            holder = Holder()
            holder.v = jnp.ones(2)
            return holder.v.value
        def plain():
            holder = Plain()
            holder.v = jnp.ones(2)
            return holder.v.value  # JAX205
    """,
    "methods under a lifted transform": """
        import jax
        import flax.linen as nn
        class Gated(nn.Module):
            def skip(self, x):
                return x
            @nn.compact
            def take(self, x):
                return nn.Dense(3)(x)
            @nn.compact
            def __call__(self, x):
                return nn.cond(x.sum() > 0, self.skip, self.take, self, x)
        class Plain(nn.Module):
            def skip(self, x):
                return x
            def take(self, x):
                return x + 1
            def __call__(self, x):
                return jax.lax.cond(x.sum() > 0, self.skip, self.take, self, x)  # JAX602
    """,
    "what is noted once for each name": """
        import jax
        SEEN = set()
        DUMP, CALLS = [], []
        def note(name):
            if name not in SEEN:
                SEEN.add(name)
                DUMP.append({"name": name})
            CALLS.append(name)  # JAX303
        @jax.jit
        def step(x):
            note("step")
            return x
        def run():
            return step(1.0), step(2.0)
    """,
    "new values of a module, whose variables are dropped": """
        import flax.linen as nn
        class Model(nn.Module):
            @nn.compact
            def __call__(self, x):
                return nn.Dense(3)(x)
        def encoded(variables, x):
            model = Model()
            new_logits, _ = model.apply(variables, x, mutable=["cache"])
            return new_logits
        def swapped(variables, x):
            model = Model()
            new_state, logits = model.apply(variables, x, mutable=["cache"])  # JAX609
            return logits, new_state
    """,
    "what an option says in a spread dict, whether variables come with a result": """
        import flax.linen as nn
        import jax
        import jax.numpy as jnp
        class Model(nn.Module):
            @nn.compact
            def __call__(self, x):
                return nn.Dense(3)(x)
        def trained(params, x, train=True):
            _, new_state = Model().apply(params, x, **(dict(mutable=["batch_stats"]) if train else dict()))
            return new_state
        def of_options(params, x, options):
            _, new_state = Model().apply(params, x, **options)
            return new_state
        def without(params, x):
            _, new_state = Model().apply(params, x, **dict(rngs=None))  # JAX609
            return new_state
        def of_several(params, xs):
            _, new_state = Model().apply(params, *xs)  # JAX609
            return new_state
    """,
    "a body that a loop of the host runs as well": """
        import jax
        def size(i, most):
            return max(i - most, 0)
        def run(x, helper, config, n):
            def body(i, carry):
                if config.window != (-1, -1):
                    carry = carry + size(i, 3)
                return carry
            if helper.use_scan():
                x = jax.lax.fori_loop(0, n, body, x)
            else:
                for i in range(n):
                    x = body(i, x)
            return x
        def alone(x, n):
            def body(i, carry):
                return carry + max(i - 3, 0)  # JAX402
            return jax.lax.fori_loop(0, n, body, x)
    """,
    "iterators that a branch of the same trace moves on": """
        import jax
        TILES = iter([1, 2, 3])
        @jax.jit
        def step(x):
            tiles = iter([1, 2, 3])
            first = next(tiles)
            def more():
                return next(tiles) * x
            return jax.lax.cond(x > 0, more, lambda: x * first)
        @jax.jit
        def of_module(x):
            return jax.lax.cond(x > 0, lambda: next(TILES) * x, lambda: x)  # JAX308
        @jax.jit
        def turns(x):
            tiles = iter([1, 2, 3])
            def body(carry, _):
                return carry + next(tiles), None  # JAX308
            return jax.lax.scan(body, x, None, length=3)
    """,
    "two derivations within one call, told where they are made": """
        import jax
        import equinox as eqx
        class Base(eqx.Module):
            layers: list
            def __init__(self, n, key):
                one, two = jax.random.split(key, 2)
                self.layers = [eqx.nn.Linear(n, n, key=one), eqx.nn.Linear(n, n, key=two)]
        class Gated(Base):
            def __init__(self, n, key):
                super().__init__(n, key)
                self.layers.append(eqx.nn.Linear(n, 2 * n, key=jax.random.fold_in(key, 1)))  # JAX105
        def experiment(key):
            return Gated(4, key=key)
    """,
    "a module that is imported under another one's name for a while": """
        import os
        import jax
        import jax.numpy as np
        def later(poses):
            poses[:, 3] = 0.0
            return poses
        if os.environ.get("SCENE") == "real":
            import numpy as np
            def average(poses):
                poses = poses.copy()
                poses[:, :3] = np.reshape([0, 0, 0, 1.0], [1, 4])[:, :3]
                return poses
            poses = average(np.zeros((4, 4)))
            import jax.numpy as np
            def late(n):
                poses = np.zeros((n, 4))
                poses[:, 3] = 1.0  # JAX201
                return poses
    """,
    "a key that each turn folds of the last one": """
        import jax
        from jax import lax
        def noisy(x, key):
            return x + jax.random.normal(key, x.shape)
        def folded(x, key):
            def step(carry, i):
                key, x = carry
                key = jax.random.fold_in(key, i)
                return (key, noisy(x, key)), None
            return lax.scan(step, (key, x), jax.numpy.arange(10))[0][1]
        def kept(x, key):
            def step(carry, i):
                key, x = carry
                return (key, noisy(x, key)), None  # JAX103
            return lax.scan(step, (key, x), jax.numpy.arange(10))[0][1]
    """,
    "a child that takes the place of the key": """
        import jax, jax.numpy as jnp
        def noise(size, key):
            return jax.vmap(lambda k: jax.random.normal(k, (size,)))(jax.random.split(key, 3))
        def chained(n, key):
            found = []
            for i in range(n):
                key = jax.random.fold_in(key, i)
                found.append(noise(4, key))
            return jnp.stack(found)
        def beside(key):
            first = noise(4, key)
            return first, jax.random.normal(jax.random.fold_in(key, 1), (4,))  # JAX105
    """,
    "one write that several inputs may reach": """
        import jax.numpy as jnp
        KEYS = ("initial_positions", "initial_velocities")
        def coerce(species):
            for key in KEYS:
                if species[key] is None:
                    continue
                species[key] = jnp.asarray(species[key], dtype=float)
                shape = (species["number"], 3)
                assert species[key].shape == shape
        def validate(kind, species):
            assert isinstance(species["number"], int)
            coerce(species)
        def as_mapping(values, label):
            if len(values) == 0:
                return {label: {}}
            if not any(isinstance(item, dict) for item in values.values()):
                return {label: {**values}}
            return values
        def clean(parameters):
            cleaned = {"electrons": {}, "ions": {}}
            for kind in ("electrons", "ions"):
                values = as_mapping(parameters[kind], kind + "0")
                for label, species in values.items():
                    cleaned[kind][label] = {**species}
            for kind in cleaned:
                for label, species in cleaned[kind].items():
                    validate(kind, species)
            return cleaned
        def start(parameters):
            for kind in ("electrons", "ions"):
                for label in parameters[kind]:
                    coerce(parameters[kind][label])
                    validate(kind, parameters[kind][label])
        class Simulation:
            def __init__(self, parameters):
                self.parameters = clean(parameters)
            def initialize(self):
                start(self.parameters)
                return self.parameters
    """,
    "a key that a callee splits on one path and hands back": """
        import jax
        from jaxtyping import PRNGKeyArray
        def grid_or_points(key: PRNGKeyArray, method, n):
            if method == "grid":
                return key, jax.numpy.linspace(0, 1, n)
            key, sub = jax.random.split(key)
            return key, jax.random.uniform(sub, (n,))
        def advanced(key: PRNGKeyArray, is_random):
            if is_random:
                key, sub = jax.random.split(key)
            return key
        def drawn(key: PRNGKeyArray, is_random):
            noise = jax.random.normal(key) if is_random else 0.0  # JAX103
            return key, noise
        def sampled(key, method):
            key, xs = grid_or_points(key, method, 8)
            key, ys = grid_or_points(key, method, 8)
            return xs, ys, jax.random.normal(advanced(key, method))
        def drawn_again(key, method):
            key, noise = drawn(key, True)
            return noise + jax.random.normal(key)
    """,
    "a field that is made of an argument, or is it": """
        from functools import partial
        import jax
        import equinox as eqx
        class Params(eqx.Module):
            weights: object
            options: object
            def __init__(self, weights, options=None):
                self.weights = weights
                if isinstance(options, dict):
                    self.options = tuple(options.items())
                else:
                    self.options = options
        class Either(eqx.Module):
            options: object
            def __init__(self, options):
                if len(options) > 1:
                    self.options = tuple(options)
                else:
                    self.options = {"all": options}
        class Plain(eqx.Module):
            options: object
        @partial(jax.jit, static_argnames="params")
        def scaled(x, params):
            return x
        def run(x):
            made = scaled(x, Params((1, 2), {"a": 1})), scaled(x, Either(x.shape))
            return made, scaled(x, Plain({"a": 1}))  # JAX502
    """,
    "layers whose weights are made anew in the object": """
        import jax, jax.numpy as jnp
        import equinox as eqx
        def weight(layer):
            return layer.weight
        class Stencils(eqx.Module):
            gx: eqx.nn.Conv2d
            gy: eqx.nn.Conv2d
            layers: list
            def __init__(self, key):
                self.gx = eqx.nn.Conv2d(1, 1, 3, use_bias=False, key=key)
                self.gx = eqx.tree_at(weight, self.gx, jnp.ones((1, 1, 3, 3)))
                self.gy = eqx.nn.Conv2d(1, 1, 3, use_bias=False, key=key)
                self.gy = eqx.tree_at(weight, self.gy, jnp.zeros((1, 1, 3, 3)))
                self.layers = [eqx.nn.Linear(3, 3, use_bias=False, key=key)]
                self.layers[0] = eqx.tree_at(weight, self.layers[0], jnp.eye(3))
        class Drawn(eqx.Module):
            gx: eqx.nn.Conv2d
            gy: eqx.nn.Conv2d
            def __init__(self, key):
                self.gx = eqx.nn.Conv2d(1, 1, 3, use_bias=False, key=key)
                self.gy = eqx.nn.Conv2d(1, 1, 3, use_bias=False, key=key)  # JAX101
                self.gx = eqx.tree_at(weight, self.gx, 2.0 * self.gx.weight)
    """,
    "static fields of which the class says what is compared": """
        import dataclasses
        import jax
        import numpy as np
        class ByValue:
            def __init__(self, value):
                self.value = value
            def __eq__(self, other):
                return np.array_equal(self.value, other.value)
            def __hash__(self):
                return hash(self.value.tobytes())
        @jax.tree_util.register_pytree_node_class
        @dataclasses.dataclass
        class Ticks:
            time: np.ndarray = dataclasses.field(metadata={"pytree_node": False})
            def tree_flatten(self):
                return (), ByValue(self.time)
            @classmethod
            def tree_unflatten(cls, held, leaves):
                return cls(held.value)
        @jax.tree_util.register_dataclass
        @dataclasses.dataclass
        class Grid:
            time: np.ndarray = dataclasses.field(metadata={"static": True})  # JAX502
        @jax.tree_util.register_pytree_node_class
        @dataclasses.dataclass
        class Bare:
            time: np.ndarray = dataclasses.field(metadata={"static": True})  # JAX502
            def tree_flatten(self):
                return (), (self.time,)
            @classmethod
            def tree_unflatten(cls, held, leaves):
                return cls(*held)
        def made():
            return [(Ticks(np.arange(n)), Grid(np.arange(n)), Bare(np.arange(n))) for n in (3, 4)]
    """,
    "a call for nothing but that it compiles": """
        import time
        import jax
        def measured(loss, params, batch):
            step = jax.jit(loss)
            begun = time.time()
            step(params, batch)
            print("beginning", time.time() - begun)
            begun = time.time()
            step(params, batch)  # JAX702
            print("each", time.time() - begun)
            begun = time.time()
            value = jax.block_until_ready(step(params, batch))
            print("each", time.time() - begun)
            return value
    """,
    "a field that a derived class makes of another class": """
        import jax, jax.numpy as jnp
        import equinox as eqx
        class Two(eqx.Module):
            w: jax.Array
            def __call__(self, x):
                return self.w * x, x
        class Three(eqx.Module):
            w: jax.Array
            def __call__(self, x):
                return self.w * x, x, x
        class Agent(eqx.Module):
            net: Two
            def __init__(self):
                self.net = Two(jnp.ones(3))
            def run(self, x):
                return jax.vmap(self.net, in_axes=0, out_axes=(1, 1, 1))(x)  # JAX605
        class Turning(Agent):
            def __init__(self):
                self.net = Three(jnp.ones(3))
            def turn(self, x):
                return jax.vmap(self.net, in_axes=0, out_axes=(1, 1, 1))(x)
    """,
    "constructors that are called again": """
        import jax
        class Weights:
            def __init__(self, key):
                self.a = jax.random.normal(key)
        class Layer(Weights):
            def __init__(self, key, other):
                super().__init__(key)
                self.b = jax.random.normal(other)
            def reset(self, key):
                super().__init__(key)
                self.b = jax.random.normal(key)  # JAX101
    """,
    "a size of what is bound again": """
        import jax, jax.numpy as jnp, numpy as np
        buffer, scale = np.zeros(3), np.ones(3)
        def grow(n):
            global buffer, scale
            buffer, scale = np.zeros(n), np.ones(n)
        @jax.jit
        def sized(x):
            return x * buffer.shape[0] + jnp.zeros(3, scale.dtype)  # JAX302
        def run(x):
            first = sized(x)
            grow(7)
            return first, sized(x)
    """,
    "static arguments that are only known when they run": """
        import functools, inspect
        import jax
        def compiled(f=None, **options):
            if f is None:
                return functools.partial(compiled, **options)
            parameters = inspect.signature(f).parameters.items()
            names = [name for name, one in parameters if one.kind is inspect.Parameter.KEYWORD_ONLY]
            jitted = jax.jit(f, static_argnames=names, **options)
            @functools.wraps(f)
            def wrapper(*args, **kwargs):
                return jitted(*args, **kwargs)
            return wrapper
        @compiled
        def blur(x, *, width):
            return x if width else -x
        @jax.jit
        def traced(x, *, width):
            return x if width else -x  # JAX401
        def optional(x, **options):
            if options["width"]:
                return x
            return -x
        def positional(x, width):
            if width:
                return x
            return -x
        def told(x, *, width):
            if width:  # JAX401
                return x
            return -x
        class Filter:
            def apply(self, x, *rest, width=True):
                return x if width else -x
        def run(x, names, options):
            jax.jit(Filter().apply, static_argnames=names)(x, 2, width=False)
            jax.jit(optional, static_argnames=names)(x, width=3)
            jax.jit(optional, **options)(x, width=3)
            jax.jit(positional, static_argnames=names)(x, width=3)
            jax.jit(told, static_argnames="x")(x, width=3)
            return blur(x, width=3), traced(x, width=3)
    """,
    "fields that are declared as arrays, whose defaults are none": """
        from dataclasses import dataclass, field
        from typing import NamedTuple
        import equinox as eqx, jax, jax.numpy as jnp
        Array = jnp.ndarray
        @dataclass
        class Config:
            scale: Array
            bounds: Array = (-1.0, 1.0)
            steps: Array = 3
            order: jax.Array = field(default=2)
        class Limits(NamedTuple):
            low: Array = -1.0
        class Layer(eqx.Module):
            size: Array = eqx.field(static=True, default=3)
            weights: Array = eqx.field(static=True)  # JAX502
        def layers(weights):
            return [Layer(weights=one) for one in weights]
        class Plain:
            bounds: Array = (-1.0, 1.0)
        def clipped(x, bounds):
            lo, hi = bounds
            if lo > hi:
                raise ValueError
            return jnp.clip(x, lo, hi)
        @jax.jit
        def run(x):
            config = Config(x)
            if config.steps > 2 and config.order > 1 or Limits().low > 0:
                return clipped(x, config.bounds)
            return clipped(x, Plain().bounds)
        @jax.jit
        def given(x):
            config = Config(x, steps=x.sum())
            if config.scale > 1:  # JAX401
                return x
            if config.steps > 2:  # JAX401
                return x
            return -x
        @jax.jit
        def passed(config: Config):
            return config.scale if config.bounds > 2 else 0  # JAX401
    """,
    "what is asked for its type alone": """
        import jax, jax.numpy as jnp
        class Sampler:
            def __init__(self, params):
                self.params = params
                self.made = jax.jit(self.cache, static_argnames="n")
                self.scaled = jax.jit(self.scale)
            def update(self, params):
                self.params = params
            @property
            def dtype(self):
                return jax.tree_util.tree_leaves(self.params)[0].dtype
            def cache(self, n):
                return jnp.zeros((n, 4), self.dtype)
            def scale(self, x):
                return x * jax.tree_util.tree_leaves(self.params)[0]  # JAX302
        def served(p, q, x):
            sampler = Sampler(p)
            first = sampler.made(n=3), sampler.scaled(x)
            sampler.update(q)
            return first, sampler.made(n=3), sampler.scaled(x)
    """,
    "the time that it takes to jit": """
        import time, jax
        def warm(controller, data):
            optimize = jax.jit(controller.optimize)
            start = time.time()
            plan = optimize(data)
            print(f"Time to jit: {time.time() - start:.3f} seconds")
            start = time.time()
            plan = optimize(plan)  # JAX702
            print(f"Time to plan with jit: {time.time() - start:.3f} seconds")
            return plan
    """,
    "numbers in names that nothing else has": """
        import itertools, jax, jax.numpy as jnp
        NUMBERS, STEPS = itertools.count(), itertools.count(1)
        def unique(prefix):
            return f"{prefix}{next(NUMBERS)}"
        def padded(prefix):
            number = next(NUMBERS)
            return prefix + "_%03d" % number
        def spelled(prefix):
            number = next(NUMBERS)
            return f"{prefix}{number:03d}" + str(number), "{}".format(next(NUMBERS))
        @jax.jit
        def named(x):
            with jax.named_scope(unique("block") + padded("layer") + spelled("unit")[0]):
                return jnp.sin(x)
        @jax.jit
        def decayed(x):
            number = next(STEPS)  # JAX308
            with jax.named_scope(f"step{number}"):
                return x * 0.9 ** number
    """,
    "entries of one dict by the names of another": """
        import jax, jax.numpy as jnp
        def weighted(params, weights):
            out = 0.0
            for name in params:
                if weights[name] == 0:
                    continue
                out = out + weights[name] * params[name].sum()
            return out
        def traced(params, weights):
            for name in params:
                if weights[name] == 0:  # JAX401
                    return params[name]
            return 0.0
        x = jnp.ones(3)
        print(jax.jit(lambda p: weighted(p, {"a": 1.0, "b": 0}))({"a": x, "b": x}))
        print(jax.jit(traced)({"a": x}, {"a": 0.0}))
    """,
    "what an array indexes, where nobody says what that is": """
        import jax, jax.numpy as jnp
        from jax import lax
        def pairs(a, pair):
            n = a.shape[0]
            def body(k):
                return pair(a[(k // n).astype(jnp.int32)], a[k % n])
            return lax.map(body, jnp.arange(n, dtype=jnp.int32))
        def act(self, state, agent):
            def first(one, around):
                positions = around.food.position
                order = jnp.lexsort((positions[:, 1], positions[:, 0]))
                return positions[order]
            return lax.cond(agent.ok, lambda one: first(one, state), lambda one: one.x, agent)
        class Noise:
            def __init__(self, data):
                self.data = data
            def draw(self, key):
                return self.data[jax.random.randint(key, (3,), 0, 9)]
        class Layer:
            def __init__(self, data):
                self.noise = Noise(jnp.asarray(data) if data is not None else None)
            def __call__(self, key):
                return jax.jit(lambda key: self.noise.draw(key))(key)
        def named(names, logits):
            return names[jnp.argmax(logits)]  # JAX403
        def tell(logits):
            return jax.jit(lambda logits: named(["left", "right"], logits))(logits)
    """,
    "a module that makes numbers of Python of what it gets": """
        import shutil
        import equinox as eqx, jax, jax.numpy as jnp
        def show(path, rows):
            shutil.rmtree(path)
            return rows[0].tolist()
        def keep(path, rows):
            shutil.rmtree(path)  # JAX304
            return rows[0]
        class Shows(eqx.Module):
            weight: jax.Array
            def __call__(self, x):
                return show("a", [jnp.sin(x)])
        class Keeps(eqx.Module):
            weight: jax.Array
            def __call__(self, x):
                return keep("a", [jnp.sin(x)])
        class Pool(eqx.Module):
            weight: jax.Array
            def chosen(self, scores, batch):
                graphs = 1 if batch is None else int(batch.max()) + 1
                return jnp.nonzero(scores > graphs)[0]
            def __call__(self, x, batch=None):
                return x[self.chosen(jnp.sin(x), batch)]
        class Turns(eqx.Module):
            weight: jax.Array
            def __call__(self, x, turns):
                for _ in range(int(turns)):
                    x = jnp.sin(x)
                return jnp.nonzero(x)[0]  # JAX411
        class Offsets(eqx.Module):
            cells: jax.Array
            def __call__(self, x, key):
                first = jax.random.randint(key, (1,), 0, 9).item()
                second = jax.random.randint(key, (1,), 0, 9).item()  # JAX101
                return self.cells[first : first + 2] + self.cells[second : second + 2]
        class Widths(eqx.Module):
            width: object
            def __call__(self, x):
                return jnp.nonzero(jnp.sin(x)[: int(self.width.sum())])[0]  # JAX411
    """,
    "a function that demonstrates something": """
        import jax
        def demonstrate_sharding(put):
            key = jax.random.key(0)
            params = {"a": jax.random.normal(key, (8, 4)), "b": jax.random.normal(key, (4, 8))}
            return put(params)
        def _demo(put):
            key = jax.random.key(0)
            return put(jax.random.normal(key, (8, 4)), jax.random.normal(key, (4, 8)))
        def sharding_demo(put):
            key = jax.random.key(0)
            return put(jax.random.normal(key, (8, 4)), jax.random.normal(key, (4, 8)))
        def demographics(put):
            key = jax.random.key(0)
            return put(jax.random.normal(key, (8, 4)), jax.random.normal(key, (4, 8)))  # JAX101
        def made(put):
            key = jax.random.key(0)
            params = {"a": jax.random.normal(key, (8, 4)), "b": jax.random.normal(key, (4, 8))}  # JAX101
            return put(params)
    """,
    "an argument that an attribute hands in": """
        import jax, jax.numpy as jnp
        from somewhere import Model
        model, holder, other, shown = Model(), Model(), Model(), Model()
        @jax.jit
        def loss(speed, depth):
            model.medium.speed = speed
            holder.inner.depth = depth
            return jnp.sum(model.compute(3) ** 2) + compute(depth)
        def compute(depth):
            return holder.value(3) * depth
        def misfit(args):
            c0, slope = args
            model.medium.c0 = c0
            model.medium.slope = slope
            return model.compute(3)
        slopes = jax.jacfwd(misfit)
        def around(model, start, points):
            def loss(values):
                model.profile.values = values
                return model.compute(points).sum()
            found = start(jax.jit(jax.grad(loss)), model.profile.values)
            model.profile.values = found
            return found
        class Randomized:
            def __init__(self, env, tables):
                self.env, self.tables = env, tables
            def _env(self, table):
                env = self.env
                env.unwrapped._table = table
                return env
            def reset(self, keys):
                def one(table, key):
                    return self._env(table).reset(key)
                return jax.vmap(one)(self.tables, keys)
        def step(network, update, xs):
            def loss(params):
                network.state = params  # JAX303
                return network(xs).sum()
            value, grads = jax.value_and_grad(loss)(network.state)
            moved = update(grads, network.state)
            network.state = moved
            return value
        @jax.jit
        def kept(x):
            other.last = x  # JAX303
            return x * 2
        @jax.jit
        def computed(x):
            other.loss = x * x  # JAX303
            return other.compute(x)
        @jax.jit
        def read_later(x):
            shown.latest = x  # JAX303
            return shown.compute(3)
        print(read_later(1.0), shown.latest)
    """,
    "a function that is bound again to what is compiled of it": """
        import jax, jax.numpy as jnp
        from functools import partial
        class Model:
            def initialize(self, key, shape):
                return jax.random.normal(key, (3,)) * shape
        def fit(key, model, xs):
            params = model.initialize(key, shape=0.2)
            return params - xs
        fit = jax.jit(fit, static_argnames=["model"])
        def noisy(key, x):
            return x + jax.random.normal(key, x.shape)
        noisy = jax.jit(noisy)
        def chosen(x, n):
            return x * n
        chosen = partial(jax.jit, static_argnums=1)(chosen)
        def plain(x):
            return x.sum()
        if __debug__:
            plain = jax.jit(plain)
        def main(key, xs):
            model = Model()
            start = model.initialize(key, shape=0.2)
            return start, fit(key, model, xs)
        def apart(key, x):
            return noisy(key, x), noisy(key, 2 * x + 1)  # JAX101
        def drawn(key, x):
            a = jax.random.normal(key, x.shape)
            return a + noisy(key, x)  # JAX101
        def branch(x):
            if plain(x) > 0:
                return chosen(x, 3)
            return chosen(x, 4)
    """,
    "what is made only if it is not there": """
        import os, jax
        from pathlib import Path
        @jax.jit
        def step(x):
            if not os.path.exists("out"):
                open("out", "w").close()
            file = Path("out") / "a"
            if not file.exists():
                file.touch()
            if os.path.isfile("out") is False:
                open("out", "a").close()
            return x
        class Manager:
            def __init__(self, folder):
                if not os.path.exists(folder):
                    open(folder, "w").close()
                self.folder = folder
        @jax.jit
        def managed(x):
            Manager("out")
            return x
        @jax.jit
        def each(x):
            if not os.path.exists("in"):
                open("out", "w").close()  # JAX304
            Path("out").touch()  # JAX304
            os.makedirs("out", exist_ok=True)
            Path("out").mkdir()
            return x
    """,
    "a file that a static argument names": """
        import json, jax, numpy as np
        from functools import partial
        from pathlib import Path
        PLACE = "table.json"
        def read(path):
            with Path(path).open() as file:
                return np.array(json.load(file))
        @partial(jax.jit, static_argnames="path")
        def by_name(x, path):
            return x * read(path)
        @partial(jax.jit, static_argnums=1)
        def by_place(x, path):
            with open(f"{path}.json") as file:
                return x * np.array(json.load(file)) + np.load(path)
        def made(path):
            @jax.jit
            def step(x):
                return x * np.load(path)  # JAX304
            return step
        @jax.jit
        def fixed(x):
            with open(PLACE) as file:  # JAX304
                return x * len(file.read())
        @partial(jax.jit, static_argnames="path")
        def written(x, path):
            with open(path, "a") as file:  # JAX304
                file.write("step")
            return x
    """,
    "the last batch of each epoch": """
        import jax, jax.numpy as jnp
        @jax.jit
        def step(w, x):
            return w - 0.1 * jax.grad(lambda v: jnp.mean((x @ v) ** 2))(w)
        def batches(xs, n):
            for start in range(0, len(xs), n):
                yield xs[start : start + n]
        def epochs(w, xs, n):
            for _ in range(10):
                for i in range(0, len(xs), n):
                    w = step(w, xs[i : i + n])
            return w
        def until(w, xs, n, done):
            while not done(w):
                for x in batches(xs, n):
                    w = step(w, x)
            return w
        def once(w, xs, n):
            for i in range(0, len(xs), n):
                w = step(w, xs[i : i + n])  # JAX504
            return w
        def generated(w, xs, n):
            for x in batches(xs, n):
                w = step(w, x)  # JAX504
            return w
    """,
    "a picture of each epoch": """
        import jax, jax.numpy as jnp
        import matplotlib.pyplot as plt
        def save_plots(model, rng, path):
            plt.plot(model(jax.random.normal(rng, (3,))))
            plt.savefig(path)
        def visualize_policy(policy, key):
            key, sub = jax.random.split(key)
            plt.plot(policy(jax.random.normal(sub, (3,))))
        def explored(policy, key):
            return policy(jax.random.normal(key, (3,)))
        def train(step, w, key, policy):
            for epoch in range(10):
                key, sub = jax.random.split(key)
                w = step(w, sub)
                if epoch % 3 == 0:
                    save_plots(policy, key, "a.png")
                    plt.close()
            return w
        def trained(w, rng, policy):
            for epoch in range(10):
                rng, sub = jax.random.split(rng)
                w = w + jax.random.normal(sub, (3,))
                visualize_policy(policy, key=rng)
            return w
        def used(w, key, policy):
            for epoch in range(10):
                key, sub = jax.random.split(key)
                w = w + jax.random.normal(sub, (3,))
                w = w * explored(policy, key)  # JAX103
            return w
    """,
    "an object that ends with the function around": """
        import jax, jax.numpy as jnp
        from scipy.optimize import minimize
        class Fraction:
            def __init__(self, a):
                self.a = a
            def set(self, flat):
                self.a = jnp.array(flat) * 2
            def flat(self):
                return self.a.ravel()
            def __call__(self, x):
                return x * self.a
        def fitted(points):
            model = Fraction(jnp.ones(3))
            @jax.jit
            def loss(flat):
                model.set(flat)
                return model(points).sum()
            def slope(flat):
                return jax.grad(loss)(flat)
            found = minimize(fun=loss, x0=model.flat(), jac=slope)
            model = Fraction(jnp.ones(3))
            model.set(found.x)
            return model
        def least(start):
            model = Fraction(start)
            def loss(flat):
                model.set(flat)
                return model(3.0).sum()
            return jax.jit(jax.value_and_grad(loss))(start)
        class Sum:
            def __init__(self, a):
                self.a = a
            def set(self, flat):
                self.a = jnp.array(flat) * 2  # JAX303
            def flat(self):
                return self.a.ravel()
            def __call__(self, x):
                return x * self.a
        def kept(points):
            model = Sum(jnp.ones(3))
            @jax.jit
            def loss(flat):
                model.set(flat)
                return model(points).sum()
            found = minimize(fun=loss, x0=model.flat())
            return model, found
        class Power:
            def __init__(self, a):
                self.a = a
            def set(self, flat):
                self.a = jnp.array(flat) * 2  # JAX303
            def flat(self):
                return self.a.ravel()
            def __call__(self, x):
                return x * self.a
        def watched(points):
            model = Power(jnp.ones(3))
            @jax.jit
            def loss(flat):
                model.set(flat)
                return model(points).sum()
            def show(_):
                print(model.flat())
            return minimize(fun=loss, x0=jnp.ones(3), callback=show)
        class Root:
            def __init__(self, a):
                self.a = a
            def set(self, flat):
                self.a = jnp.array(flat) * 2  # JAX303
            def flat(self):
                return self.a.ravel()
            def __call__(self, x):
                return x * self.a
        def again(points):
            model = Root(jnp.ones(3))
            @jax.jit
            def loss(flat):
                model.set(flat)
                return model(points).sum()
            for _ in range(3):
                found = minimize(fun=loss, x0=model.flat())
            return found
    """,
    "a module without parts that is called alone": """
        import flax.linen as nn, jax.numpy as jnp
        class GanLoss(nn.Module):
            def __init__(self, mode, label=1.0):
                self.mode, self.label = mode, label
            def setup(self):
                if self.mode not in ("lsgan", "vanilla"):
                    raise NotImplementedError(self.mode)
            def target(self, x):
                return self.label * jnp.ones_like(x)
            def __call__(self, x):
                return jnp.mean((x - self.target(x)) ** 2)
        class L1(nn.Module):
            def __init__(self):
                pass
            def __call__(self, a, b):
                return jnp.mean(jnp.abs(a - b))
        class Scaled(nn.Module):
            def __init__(self, size):  # JAX614
                self.size = size
            @nn.compact
            def __call__(self, x):
                return x * self.param("scale", nn.initializers.ones, (self.size,))
        class Deep(nn.Module):
            def __init__(self, size):  # JAX614
                self.size = size
            def setup(self):
                self.inner = nn.Dense(self.size)
            def __call__(self, x):
                return self.inner(x)
        class Outer(nn.Module):
            def __init__(self, size):  # JAX614
                self.size = size
            def setup(self):
                self.loss = L1()
            def __call__(self, x):
                return self.loss(x, 0.0)
    """,
    "by what an object is told from others": """
        import itertools, uuid, jax, jax.numpy as jnp
        NUMBERS, BATCHES = itertools.count(), iter([1.0, 2.0])
        class Model:
            def __init__(self, x):
                self.x = x
                self.name = str(uuid.uuid4())
                self.number = next(NUMBERS)
                object.__setattr__(self, "_token", next(NUMBERS))
        class Fed:
            def __init__(self, x):
                self.x = x * next(NUMBERS)  # JAX308
                self.batch = next(BATCHES)  # JAX308
                self.seed = uuid.uuid4().int % 7  # JAX305
        @jax.jit
        def run(x):
            return Model(x).x + Fed(x).x
        @jax.jit
        def scaled(x):
            return x * next(NUMBERS)  # JAX308
    """,
    "an index of 64 bits": """
        import jax.numpy as jnp
        def rows(x, n):
            at = jnp.linspace(0, n - 1, 5, dtype=jnp.int64)
            return x[at], x[jnp.arange(3, dtype="int64")], x[:, jnp.array([1], jnp.int64)], x.at[jnp.int64(2)].set(1)
        def counted(x, n):
            at = jnp.linspace(0, n - 1, 5, dtype=jnp.int64)  # JAX206
            return x[at], at.sum()
        def wide(x):
            return x[jnp.zeros(3, jnp.float64)], jnp.arange(3, dtype=jnp.int64)[x]  # JAX206
    """,
    "evaluations by functions that capture their key": """
        import jax, jax.numpy as jnp
        def returns(key, policy, other):
            return jax.random.normal(key, (3,)).sum() + policy - other
        def matrix(key, policies, new):
            key, eval_key = jax.random.split(key)
            def as_first(other):
                return returns(eval_key, new, other)
            def as_second(other):
                return returns(eval_key, other, new)
            rows = jax.vmap(as_first)(policies)
            columns = jax.vmap(as_second)(policies)
            return rows, columns, returns(eval_key, new, new)
        def trained(key, policies, new):
            key, act_key = jax.random.split(key)
            def as_first(other):
                return returns(act_key, new, other)  # JAX102
            def as_second(other):
                return returns(act_key, other, new)  # JAX102
            rows = jax.vmap(as_first)(policies)
            return rows, jax.vmap(as_second)(policies)
        def other(key, policies, new):
            key, eval_key = jax.random.split(key)
            def as_first(other):
                return returns(eval_key, new, other)
            rows = as_first(policies)
            return rows + jax.random.normal(eval_key, (3,))  # JAX101
    """,
    "a solver that ends in its whole run": """
        from functools import partial
        import jax
        class Trainer:
            def __init__(self, points):
                self.points, self.batches = points, None
            @partial(jax.jit, static_argnums=0)
            def train(self, params):
                return params - self.batches.mean()
            def single_device_solve(self, params):
                self.batches = self.points.reshape(4, -1)
                return self.train(params)
        class Keeper:
            def __init__(self, params):
                self.params, self.losses = params, None
            @partial(jax.jit, static_argnums=0)
            def train(self, params):
                return params - self.losses.mean()
            def solve(self):
                return self.single_device_solve()
            def single_device_solve(self):
                self.losses = self.train(self.params)
                return self.losses
        class Fitted:
            def __init__(self, points):
                self.points, self.params = points, None
            @partial(jax.jit, static_argnums=0)
            def predict(self, x):
                return x - self.params.mean()  # JAX302
            def fit(self, x):
                self.params = x.mean() - self.predict(x)
                return self.params
            def evaluate(self, x):
                return self.predict(x)
        class Stepper:
            def __init__(self, points):
                self.points, self.batches = points, None
            @partial(jax.jit, static_argnums=0)
            def train(self, params):
                return params - self.batches.mean()  # JAX302
            def advance(self, params):
                self.batches = self.points.reshape(4, -1)
                return self.train(params)
    """,
    "a constant key for what does not depend on it": """
        import jax
        def last_value(policy, params, first, last, count):
            _, start, _ = policy.act(params, first, key=jax.random.key(0))
            _, end, _ = jax.vmap(policy.act)(params, last, key=jax.random.split(jax.random.key(0), count))
            return start - end
        def update(carry, observation, policy, params):
            _, value = policy.act(params, observation, jax.random.PRNGKey(0))
            return carry + value, None
        def total(policy, params, observations):
            return jax.lax.scan(lambda carry, one: update(carry, one, policy, params), 0.0, observations)
        def drawn(carry, one):
            first, second = jax.random.normal(jax.random.PRNGKey(0), (2,))  # JAX104
            return carry + first + second + one, None
        def sums(ones):
            return jax.lax.scan(drawn, 0.0, ones)
        def both(policy, params, first, last):
            action, start = policy.act(params, first, key=jax.random.key(0))
            other, end = policy.act(params, last, key=jax.random.key(0))
            return jax.random.normal(jax.random.key(0), (3,)) + jax.random.normal(jax.random.key(0), (3,))  # JAX105
    """,
    "a compiled call that a test case expects to raise": """
        import unittest
        import jax, jax.numpy as jnp
        def built(shape, dtype=None):
            return jnp.zeros(shape, dtype)
        def made(shape, dtype=None):
            return jnp.zeros(shape, dtype)  # JAX410
        class Builds(unittest.TestCase):
            def test_types(self):
                build = jax.jit(built, static_argnums=1)
                with self.assertRaises(ValueError) as raised:
                    build([3, 3], dtype=jnp.int32)
                print(raised.exception)
                with self.assertRaisesRegex(ValueError, "dtype"):
                    build([3, 3], dtype=jnp.int8)
            def test_shapes(self):
                make = jax.jit(made, static_argnums=1)
                with self.subTest("shapes"):
                    make([3, 3], dtype=jnp.int32)
    """,
    "the dropout of a network that is told whether it is in training": """
        import jax, jax.numpy as jnp
        def made(apply_fn, count):
            def trained(params, batches, rng):
                dropout_rng = jax.random.fold_in(rng, jax.lax.axis_index("batch"))
                def loss(params, batch):
                    return apply_fn({"params": params}, batch, rngs=dict(dropout=dropout_rng), train=True).sum()
                first = jax.grad(loss)(params, batches[0])
                add = lambda i, total: jax.tree.map(jnp.add, total, jax.grad(loss)(params, batches[i]))  # JAX102
                return jax.lax.fori_loop(1, count, add, first)
            def measured(params, batches, rng):
                dropout_rng = jax.random.fold_in(rng, jax.lax.axis_index("batch"))
                def loss(params, batch):
                    return apply_fn({"params": params}, batch, rngs=dict(dropout=dropout_rng), train=False).sum()
                first = jax.grad(loss)(params, batches[0])
                add = lambda i, total: jax.tree.map(jnp.add, total, jax.grad(loss)(params, batches[i]))
                return jax.lax.fori_loop(1, count, add, first)
            def of_batches(params, batches, rng):
                for batch in batches:
                    params -= apply_fn(params, batch, rngs={"dropout": rng}, deterministic=False)  # JAX102
                return params
            def of_streams(params, batches, rng):
                for batch in batches:
                    params -= apply_fn(params, batch, rngs={"noise": rng})
                return params
            return trained, measured, of_batches, of_streams
    """,
    "a key that a differentiated function captures, beside the half of the split that is dropped": """
        import jax
        def step(params, data, rng):
            _, new_rng, time_rng = jax.random.split(rng, 3)
            def loss(params):
                return ((params - jax.random.normal(new_rng, data.shape)) ** 2).mean()
            grads = jax.grad(loss)(params)  # JAX103
            return params - grads * jax.random.uniform(time_rng), new_rng
        class Task:
            def reset(self, rng, size):
                rng, start_rng = jax.random.split(rng)
                info = {"rng": rng, "last": size}
                observed = self.observed(info)
                return observed, info
            def observed(self, info):
                return info["last"] + jax.random.normal(info["rng"])
        class Commanded(Task):
            def observed(self, info):
                info["rng"], command = jax.random.split(info["rng"])
                return info["last"] + jax.random.normal(command)
        def advanced(params, data, rng):
            new_rng, noise_rng = jax.random.split(rng)
            def loss(params):
                return ((params - jax.random.normal(noise_rng, data.shape)) ** 2).mean()
            return params - jax.grad(loss)(params), new_rng
    """,
    "an operand for each arm of a choice": """
        import jax
        def maybe(apply, image, key, p):
            should = jax.random.uniform(key) <= p
            return jax.lax.cond(should, image, apply, image, lambda x: x)
        def either(x, y, p):
            return jax.lax.cond(p, x, lambda v: v * 2, y, lambda v: v)
        @jax.jit
        def inside(x, p):
            def positive(v):
                if v > 0:  # JAX401
                    return v
                return -v
            return jax.lax.cond(p, x, positive, x, lambda v: v)
        def wrong(x, p):
            return jax.lax.cond(p, lambda v, w: v, lambda v, w: w, x, lambda v: v)  # JAX611
    """,
    "an evaluation that takes one key on purpose, and one that forgets the new one": """
        import jax
        def evaluate(env, agent, key, turns):
            total = 0.0
            for turn in range(turns):
                first, second = jax.random.split(key)
                total += env.run(agent, jax.random.normal(first), jax.random.normal(second))
            return total
        def eval_forgets(env, agent, key, turns):
            state = env.reset()
            for turn in range(turns):
                rng, sub = jax.random.split(key)  # JAX102
                state = env.step(state, agent.act(state) + jax.random.normal(sub))
            return state
    """,
    "an axis that a call asks for before": """
        import jax, jax.numpy as jnp
        from training import is_mapped
        def moments(x):
            total = jnp.sum(x)
            if is_mapped():
                total = jax.lax.psum(total, "batch")
            return total
        def bare(x):
            return jax.lax.psum(jnp.sum(x), "batch")  # JAX605
        print(moments(jnp.ones(3)), bare(jnp.ones(3)))
    """,
    "one function, compiled or as it is, by an option": """
        import jax, jax.numpy as jnp
        class Planner:
            def plan(self, x):
                def step(c, y):
                    return c * 2.0 + y, None
                return jax.lax.scan(step, x, jnp.ones((4, 3)))[0]
        def run(planner: Planner, steps, jit: bool = True):
            plan = jax.jit(planner.plan) if jit else planner.plan
            x = jnp.zeros(3)
            for _ in range(steps):
                x = jax.block_until_ready(plan(x))
            return x
        def rerun(planner: Planner, steps, jit=True):
            plan = planner.plan
            if jit:
                plan = jax.jit(plan)
            x = jnp.zeros(3)
            for _ in range(steps):
                x = jax.block_until_ready(plan(x))
            return x
        def bare(planner: Planner, steps):
            x = jnp.zeros(3)
            for _ in range(steps):
                x = jax.block_until_ready(planner.plan(x))  # JAX501
            return x
        def main(args):
            run(Planner(), args.steps, jit=not args.debug)
            rerun(Planner(), args.steps, jit=not args.debug)
            bare(Planner(), args.steps)
    """,
    "a compiled call that is made to see that it raises": """
        import jax, jax.numpy as jnp, pytest
        def first(x, batch, size=None):
            size = int(batch.max()) + 1 if size is None else size
            return x / size
        def second(x, batch):
            return x / int(batch.max())  # JAX403
        def third(x, batch):
            return x / int(batch.max())  # JAX403
        def test_first():
            @jax.jit
            def run(x, batch):
                return first(x, batch)
            with pytest.raises(jax.errors.ConcretizationTypeError):
                run(jnp.ones(3), jnp.ones(3, int))
            with pytest.raises(TypeError):
                jax.jit(first)(jnp.ones(3), jnp.ones(3, int))
        def falls_back(x, batch):
            run = jax.jit(first)
            try:
                return run(x, batch)
            except jax.errors.ConcretizationTypeError:
                return first(x, batch)
        def test_second():
            run = jax.jit(second)
            with pytest.raises(TypeError):
                run(jnp.ones(3), jnp.ones(3, int))
            run(jnp.ones(3), jnp.ones(3, int))
        def goes_on(x, batch):
            run = jax.jit(third)
            try:
                return run(x, batch)
            except Exception as error:
                print(error)
    """,
    "keys that a module hands to the modules in it one by one": """
        import jax
        from flax import linen as nn
        class Keys:
            def __init__(self, key):
                self.key, self.count = key, 0
            def __next__(self):
                self.count += 1
                return jax.random.fold_in(self.key, self.count)
        numbers = iter([1.0, 2.0])
        class Inner(nn.Module):
            @nn.compact
            def __call__(self, keys, x):
                return x + jax.random.normal(next(keys), x.shape) * next(numbers)  # JAX308
        class Outer(nn.Module):
            def setup(self):
                self.inner = [Inner() for _ in range(3)]
            def __call__(self, key, x):
                keys = Keys(key)
                for layer in self.inner:
                    x = layer(keys, x)
                return x
    """,
    "a state that is put back after a rehearsal": """
        import jax
        class Session:
            def __init__(self):
                self.key = jax.random.key(0)
            def rehearse(self):
                saved = self.key
                for _ in range(3):
                    self.key, sub = jax.random.split(self.key)
                    print(jax.random.normal(sub))
                self.key = saved
            def stuck(self):
                key = self.key
                x = jax.random.normal(key)  # JAX103
                self.key = key
                return x
    """,
    "tests for tracers by the names of their types": """
        import re
        import jax
        import jax.numpy as jnp
        def one(x):
            if type(x).__name__.endswith("Tracer"):
                return x
            return float(x)
        def two(x):
            if "Tracer" in str(type(x)):
                return x
            return float(x)
        def three(x):
            if x.__class__.__name__ == "JVPTracer" or "Tracer" in type(x).__name__:
                return x
            return float(x)
        def four(x):
            if re.search("Tracer", repr(type(x))):
                return x
            return float(x)
        def five(x):
            is_traced = "Tracer" in type(x).__name__
            return x if is_traced else float(x)
        def loud(x):
            if type(x).__name__ == "Array":
                return x
            return float(x)  # JAX404
        @jax.jit
        def d(x):
            return one(x) + two(x) + three(x) + four(x) + five(x) + loud(x)
    """,
    "one loss before and after a step": """
        import jax
        def loss_fn(params, key, x):
            return (params * x + jax.random.normal(key, x.shape)).sum()
        def noisy(params, key, x):
            return (params * x + jax.random.normal(key, x.shape)).sum()
        def improved(params, key, x, step):
            before = loss_fn(params, key, x)
            params = step(params)
            return before - loss_fn(params, key, x)
        def shown(params, key, x, step):
            before = loss_fn(params, key, x)
            params = step(params)
            after = loss_fn(params, key, x)
            print(before, after)
            return params
        def slope(params, key, x):
            return (loss_fn(params + 1e-3, key, x) - loss_fn(params, key, x)) / 1e-3
        def doubled(params, key, x, y):
            return loss_fn(params, key, x) + loss_fn(params, key, x)  # JAX101
        def of_no_loss(params, key, x, step):
            before = noisy(params, key, x)
            params = step(params)
            return before + noisy(params, key, x)  # JAX101
    """,
    "what is compiled for the shapes of a draw": """
        import jax
        @jax.jit
        def step(x):
            return x * 2
        def compiled(key):
            fast = step.lower(jax.random.normal(key, (3,))).compile()
            return fast(jax.random.normal(key, (3,)))
        def costs(key, other):
            example = jax.random.normal(key, (3,))
            print(jax.jit(other).lower(example).cost_analysis())
            return other(jax.random.normal(key, (3,)))
        def shaped(key, other):
            shape = jax.jit(other).eval_shape(jax.random.normal(key, (3,)))
            return shape, jax.random.normal(key, (3,))
        def run(key):
            example = jax.random.normal(key, (3,))
            fast = step.lower(example).compile()
            return fast(example) + jax.random.normal(key, (3,))  # JAX101
    """,
    "what is only done where the maker of a compiled function was given None": """
        import sys
        import jax
        import jax.numpy as jnp
        def made(n=None, scale=None):
            @jax.jit
            def step(x):
                if n is None:
                    print(x)
                if scale is None:
                    print(x)  # JAX301
                return x
            return step
        def wrapped(mesh):
            def step(x):
                if mesh is None:
                    return x if x > 0 else -x
                return x
            return jax.jit(step)
        def left_out(n=None):
            @jax.jit
            def step(x):
                if n is None:
                    print(x)  # JAX301
                return x
            return step
        first, second, third = made(3), made(n=jnp.ones(3)), made(len(sys.argv))
        first(jnp.ones(3)), second(jnp.ones(3)), third(jnp.ones(3)), made([1])(jnp.ones(3)), made(lambda x: x)(1.0)
        wrapped(jnp.ones(3))(1.0), wrapped(sys.argv)(1.0)
        left_out(3)(1.0), left_out()(1.0)
        def often(n=None, scale=None):
            @jax.jit
            def step(x):
                if n is None:
                    print(x)
                if scale is None:
                    print(x)  # JAX301
                return x
            return step
        often(1)(1.0), often(2)(1.0), often(3)(1.0), often(4)(1.0), often(5)(1.0), often(6)(1.0), often(7)(1.0)
    """,
    "a loop through the cells of a network": """
        import flax.linen as nn, jax, jax.numpy as jnp
        class Stack(nn.Module):
            cells: tuple
            @nn.compact
            def __call__(self, carry, x):
                new = jnp.zeros_like(carry)
                for j, (c, cell) in enumerate(zip(carry, self.cells)):
                    c, x = cell(c, x)
                    new = new.at[j].set(c)
                return new, x
        class Rows(nn.Module):
            @nn.compact
            def __call__(self, carry, x):
                new = jnp.zeros_like(carry)
                for j, c in enumerate(carry):  # JAX505
                    c, x = c * x, x + 1
                    new = new.at[j].set(c)
                return new, x
        class Net(nn.Module):
            cells: tuple
            def setup(self):
                self.stack = Stack(self.cells)
                self.rows = Rows()
            @nn.compact
            def __call__(self, xs, carry):
                def cell(module, c, x):
                    return module.stack(c, x)
                def rows(module, c, x):
                    return module.rows(c, x)
                scan = nn.scan(cell, variable_broadcast="params", split_rngs={"params": False})
                scan2 = nn.scan(rows, variable_broadcast="params", split_rngs={"params": False})
                return scan(self, carry, xs), scan2(self, carry, xs)
    """,
    "one key, or the first of several": """
        import chex, jax, jax.numpy as jnp
        def start(key: chex.PRNGKey):
            one = key if jnp.isscalar(key) else key.ravel()[0]
            return jax.random.randint(one, key.shape, 0, 3)
        def inline(key: chex.PRNGKey):
            return jax.random.normal(key if key.ndim == 0 else key.ravel()[0], (3,))
        def alone(key: chex.PRNGKey):
            return jax.random.normal(key, (3,))
        def run(key, other):
            return start(jax.random.split(key, 4)), inline(jax.random.split(other, 4))
        def refused(key):
            return alone(jax.random.split(key, 4))  # JAX107
    """,
    "layers that are tried out by their module": """
        import equinox as eqx, jax
        class Pair(eqx.Module):
            one: eqx.nn.Linear
            other: eqx.nn.Linear
            def __init__(self, *, key):
                self.one = eqx.nn.Linear(2, 2, key=key)
                self.other = eqx.nn.Linear(2, 2, key=key)  # JAX101
        if __name__ == "__main__":
            key = jax.random.key(0)
            cell = eqx.nn.GRUCell(2, 2, key=key)
            more = eqx.nn.GRUCell(2, 2, key=key)
            x = jax.random.normal(key, (2,))
            print(more(x, cell(x, x)).shape)
    """,
    "the time in the text of a log line": """
        import time, jax
        def log(*words, level=1):
            stamp = "[" + time.ctime() + "] " + "  " * level
            print(stamp, *words)
        def noted(level):
            return time.time() + level  # JAX304
        @jax.jit
        def step(x):
            log("tracing")
            return x + noted(x)
    """,
    "members of an enumeration that are written as tuples": """
        from enum import IntEnum
        import jax.numpy as jnp
        class Tiles(IntEnum):
            EMPTY = 1, "."
            WALL = 2, "#"
            def __new__(cls, value, char):
                made = int.__new__(cls, value)
                made._value_ = value
                return made
        class Sizes:
            WALL = 2, 3
        class Problem:
            tiles = Tiles
            def start(self, shape):
                return jnp.full(shape, self.tiles.WALL), jnp.where(shape, Tiles.EMPTY, 0)
        def total():
            return jnp.sum(Sizes.WALL)  # JAX203
    """,
    "a method of an object whose class is only declared": """
        import functools, jax
        class Env:
            @functools.partial(jax.jit, static_argnums=0)
            def step(self, key, actions):
                return actions
        class Wrapper:
            def __init__(self, env: Env):
                self._env = env
            def step(self, key, action):
                return self._env.step(key=key, action=action)
        class Kept:
            def __init__(self):
                self.env = Env()
            def step(self, key):
                return self.env.step(key)  # JAX602
        def made(key):
            env = Env()
            return env.step(key)  # JAX602
    """,
    "results of which the difference is bounded": """
        import chex, equinox as eqx, jax, jax.numpy as jnp
        def alike(key):
            one = eqx.nn.MLP(2, 2, 2, 2, key=key)
            other = eqx.nn.MLP(2, 2, 2, 2, key=key)
            assert eqx.tree_equal(one, other)
            return one
        def near(key, ours, theirs):
            a = jax.vmap(ours)(jax.random.normal(key, (3,)))
            b = jax.vmap(theirs)(jax.random.normal(key, (3,)))
            assert jnp.max(jnp.abs(a - b)) < 1e-5
        def parts(key, ours, theirs):
            a = ours(jax.random.normal(key, (3,)))
            b = theirs(jax.random.normal(key, (3,)))
            assert (a["x"] == b["x"]).all()
            chex.assert_trees_all_close(a, b)
        def accepted(key, p, x):
            step = jax.random.normal(key, x.shape)
            u = jax.random.uniform(key)  # JAX101
            return jnp.where(jnp.log(u) < p(x + step), x + step, x)
        def noise(key):
            a = jax.random.normal(key, (3,))
            b = jax.random.normal(key, (3,))  # JAX101
            return a - b
    """,
    "an axis that is bound around a function that prints": """
        import functools, jax
        def mean(state):
            return jax.lax.pmean(state, axis_name="batch")
        @functools.partial(jax.pmap, axis_name="batch")
        def update(x):
            print("syncing")
            return mean(x)
        def step(xs):
            print("step")
            return update(xs)
        @jax.jit
        def jitted(x):
            return jax.lax.psum(x, axis_name="lanes")  # JAX605
        def run(x):
            print("running")
            return jitted(x)
    """,
    "arrays that are only declared to be numbers": """
        import functools, jax, jax.numpy as jnp
        class Env:
            def collides(self, a: int, b: int, state):
                return state[a] > state[b]
            def rewards(self, state):
                @functools.partial(jax.vmap, in_axes=(0, None))
                def collisions(one: int, others: int):
                    return jax.vmap(self.collides, in_axes=(None, 0, None))(one, others, state)
                return collisions(jnp.arange(3), jnp.arange(2))
            def alone(self, state):
                return jax.vmap(self.collides, in_axes=(None, 0, None))(1, 2, state)  # JAX605
    """,
    "an environment that is tried out by its module": """
        import jax
        class Env:
            def reset(self, key):
                return jax.random.normal(key, (3,))
            def step(self, key, state):
                return state + jax.random.normal(key, (3,))
        def rollout(env):
            key = jax.random.key(1)
            state = env.reset(key)
            key, sub = jax.random.split(key)  # JAX101
            return env.step(key, state) + jax.random.normal(sub, (3,))
        if __name__ == "__main__":
            env = Env()
            key = jax.random.key(0)
            state = env.reset(key)
            print(state.shape)
            key, sub = jax.random.split(key)
            state = env.step(key, state) + jax.random.uniform(key, (3,))
            print(state)
    """,
    "orders of epochs, beside arrays that keep to one": """
        import jax
        import jax.numpy as jnp
        from tqdm import trange
        def fit(key, sub, last, other, x, y, w, step, data, views, load):
            for epoch in trange(10):
                order = jax.random.permutation(key, len(x))  # JAX102
                for start in range(0, 64, 8):
                    rows = order[start : start + 8]
                    w = step(w, x[rows], y[rows], epoch)
            for name in data:
                data[name] = jax.random.permutation(sub, data[name])
            for i in range(2):
                views[i] = views[i][jax.random.permutation(last, 8)]
            for i in range(2):
                order = jax.random.permutation(other, 8)
                view = load(i)
                w = step(w, jnp.take(view, order))
            return w, data, views
    """,
    "a key that a compiled step leaves in the state": """
        import dataclasses, flax.struct, jax
        @flax.struct.dataclass
        class State:
            params: jax.Array
            rng: jax.Array
        @jax.jit
        def drawn(state, x):
            noise = jax.random.normal(state.rng, x.shape)
            return dataclasses.replace(state, params=state.params - noise), noise.sum()
        @jax.jit
        def moved(state, x):
            rng, sub = jax.random.split(state.rng)
            return state.replace(params=state.params - jax.random.normal(sub, x.shape), rng=rng), x.sum()
        def told(state: State, x):
            return state.replace(params=state.params - jax.random.normal(state.rng, x.shape))
        def fit(seed, x, key):
            state, losses = State(x, jax.random.PRNGKey(seed)), []
            for _ in range(9):
                state, loss = drawn(state, x)  # JAX102
                losses.append(loss)
            state = State(x, jax.random.PRNGKey(seed))
            for _ in range(9):
                state, loss = moved(state, x)
                losses.append(loss)
            for _ in range(9):
                key, sub, last = jax.random.split(key, 3)
                state, loss = drawn(told(state.replace(rng=sub), x).replace(rng=last), x)
                losses.append(loss)
            return losses
    """,
    "a key that nobody puts in place of the one in the state": """
        import flax.struct, jax
        @flax.struct.dataclass
        class State:
            params: jax.Array
            rng: jax.Array
        def told(state: State, x):
            return state.replace(params=state.params - jax.random.normal(state.rng, x.shape))  # JAX103
    """,
    "a setting under a slip of its name": """
        import jax
        from jax import config as settings
        jax.config.jax_enable_x46 = True  # JAX902
        settings.jax_debug_nan = True  # JAX902
        settings.update("jax_debug_nan", True)  # JAX902
        settings.my_own = True
        class Config: pass
        Config.jax_enable_x46 = True
    """,
    "a deprecation that is announced for some day": """
        import jax
        from flax.training import checkpoints
        def save(folder, state):
            checkpoints.save_checkpoint(folder, state, 1)
            return jax.host_count()  # JAX802
    """,
    "a seed that other libraries get, too": """
        import jax, torch
        def start(seed, x):
            torch.manual_seed(seed)
            return jax.random.normal(seed, x.shape), torch.other(seed)  # JAX101
    """,
    "objects that have all that a protocol asks for": """
        from typing import Protocol, runtime_checkable
        import jax, jax.numpy as jnp
        @runtime_checkable
        class HasGradient(Protocol):
            def grad(self, x): ...
        @runtime_checkable
        class HasBoth(HasGradient, Protocol):
            scale: float
            def hessian(self, x): ...
        class Square:
            def grad(self, x):
                return 2 * x
        class Cube(Square):
            def __init__(self):
                self.scale = 1.0
            def hessian(self, x):
                return 6 * x
        class Any(Square):
            def __getattr__(self, name):
                return lambda x: x
        def first(f, x):
            if isinstance(f, HasGradient):
                return f.grad(x)
            return jax.grad(f)(x)
        def second(f, x):
            if isinstance(f, HasBoth):
                return f.grad(x)
            return jax.grad(f)(x)  # JAX606
        x = jnp.ones(3)
        print(first(Square(), x), second(Square(), x), second(Cube(), x), second(Any(), x))
    """,
    "samples side by side in a picture": """
        import jax
        def write_images(apply, params, folder, rng):
            rows = [jax.vmap(apply)(params, rng)]
            for level in (1.0, 0.5):
                rows.append(apply(params, rng, level))
            folder.write(rows)
        def fit(folder, rng):
            rows = []
            for level in (1.0, 0.5):
                rows.append(jax.random.normal(rng, (3,)) * level)  # JAX102
            folder.write(rows)
    """,
    "a list that the code around has filled": """
        import jax
        from jax import lax
        TABLE = []
        for name in names():
            TABLE.append(name)
        def chosen(i, x):
            return lax.switch(i, TABLE, x)
        def built(n, x):
            arms, none = [], []
            for k in range(n):
                arms.append(lambda v, k=k: v * k)
            def run(i):
                return lax.switch(i, tuple(arms), x) + lax.switch(i, none, x)  # JAX613
            return run
    """,
    "an axis that is bound where it is used": """
        import jax, jax.numpy as jnp
        count = jax.local_device_count()
        def update(grads):
            if count > 1:
                grads = jax.lax.psum(grads, axis_name="devices")
            return grads
        if count > 1:
            step = jax.pmap(update, axis_name="devices")
        else:
            step = jax.jit(update)
        step(jnp.ones(3))
        def always(grads):
            return jax.lax.psum(grads, axis_name="devices")  # JAX605
        jax.jit(always)(jnp.ones(3))
    """,
    "one of two functions, called where it is chosen": """
        import jax
        def of_two(p, x, y):
            return p * x * y
        def of_one(p, x):
            return p * x
        def made(config):
            mapped = jax.vmap(of_two) if config.spin else jax.vmap(of_one)
            def run(p, x):
                if config.spin:
                    return mapped(p, x, x)
                return mapped(p)  # JAX602
            def other(p, x):
                if config.spin:
                    return mapped(p, x, x)
                return mapped(p, x)
            return run, other
    """,
    "arguments by name that a helper takes out of its options": """
        import jax
        def draw(**options):
            return jax.random.normal(options["rng"], (2,))
        def twice(key):
            return draw(rng=key) + draw(rng=key)  # JAX101
        def split(key):
            first, second = jax.random.split(key)
            return draw(rng=first) + draw(rng=second)
        def handed_on(**options):
            return draw(**options) + draw(**options)  # JAX101
        def calls(key):
            return handed_on(rng=key)
        def loss(params, **batch):
            if batch["x"].sum() > 0:  # JAX401
                return 0.0
            if batch.get("mode") == "mean":
                return params.mean()
            return params
        def run(params, x):
            return jax.jit(loss)(params, x=x), loss(params, x=x, mode="mean")
        def counted(x, **options):
            options.setdefault("n", 2)
            for _ in range(options["n"]):
                x = x + 1
            return x
        sums = jax.jit(lambda x: counted(x, n=3))(1.0)
        class Log:
            def __init__(self):
                self.kept = {}
            def note(self, **values):
                for name, value in values.items():
                    self.kept.setdefault(name, []).append(value)  # JAX303
        log = Log()
        @jax.jit
        def step(x):
            log.note(loss=x * 2)
            return x
        Log().note(loss=1.0)
    """,
    "one key under names that a comprehension goes through": """
        import jax
        def alike(key, names):
            keys = {name: key for name in names}
            return jax.random.normal(keys["a"]) + jax.random.normal(keys["b"])  # JAX101
        def chosen(key, names):
            keys = {f"{name}_key": key for name in names if name != "c"}
            return jax.random.normal(keys["a_key"]) + jax.random.normal(keys["b_key"])  # JAX101
        def apart(key, names):
            keys = {name: jax.random.fold_in(key, number) for number, name in enumerate(names)}
            return jax.random.normal(keys["a"]) + jax.random.normal(keys["b"])
        def replaced(key, names):
            keys = {name: key for name in names}
            keys["b"] = jax.random.fold_in(key, 1)
            return jax.random.normal(keys["a"]) + jax.random.normal(keys["b"])
    """,
    "states that are dicts, of which a step changes an entry": """
        import jax
        def kept(state, batch):
            noise = jax.random.normal(state["key"], batch.shape)
            return {**state, "params": noise}
        def advanced(state, batch):
            key, sub = jax.random.split(state["key"])
            return {**state, "params": jax.random.normal(sub, batch.shape), "key": key}
        def train(state, data):
            for batch in data:
                state = kept(state, batch)  # JAX102
            return state
        def train_well(state, data):
            for batch in data:
                state = advanced(state, batch)
            return state
        def nested(state, data, epochs):
            for _ in range(epochs):
                for batch in data:
                    noise = jax.random.normal(state["rngs"]["noise"], batch.shape)  # JAX102
                    state = {**state, "params": state["params"] - (batch * noise).mean()}
            return state
        def on_one_path(state, flag):
            if flag:
                state = {**state, "key": jax.random.key(1)}
            return jax.random.normal(state["key"])
        def changed_between(state):
            copy = {**state, "n": 1}
            state["key"] = jax.random.fold_in(state["key"], 1)
            return jax.random.normal(copy["key"]) + jax.random.normal(state["key"])
    """,
    "numbers and functions that Equinox keeps as they are": """
        import equinox as eqx, jax, jax.numpy as jnp, optax
        from functools import partial
        @eqx.filter_jit
        def step(model, x, i):
            return model(x) * i
        @eqx.filter_jit
        def layer(model, x, i):
            return model.layers[i](x)
        @eqx.filter_jit
        def update(optimizer, state, grads):
            return optimizer.update(grads, state)
        @jax.jit
        def plain(x, i):
            return x * i
        def scaled(weight, x):
            return weight * x
        def train(model, xs, weight, state, n):
            kept = []
            for i in range(n):
                kept.append(step(model, xs, i))  # JAX504
            for i in range(n):
                kept.append(step(model, xs, jnp.asarray(i)))
            for i in range(n):
                kept.append(plain(xs, i))
            for i in range(len(model.layers)):
                kept.append(layer(model, xs, i))
            time = jnp.zeros(())
            for x in xs:
                kept.append(step(model, x, time))
                time = time + 0.1
            for x in xs:
                kept.append(step(lambda y: y * weight, x, 2.0))  # JAX504
            for x in xs:
                kept.append(step(partial(scaled, weight), x, 2.0))  # JAX504
            for x in xs:
                kept.append(step(jax.tree_util.Partial(scaled, weight), x, 2.0))
            for x in xs:
                kept.append(update(optax.sgd(0.1), state, x))  # JAX504
            optimizer = optax.sgd(0.1)
            for x in xs:
                kept.append(update(optimizer, state, x))
            return kept
        def outer(model, x, i):
            return step(model, x, i)  # JAX504
        def run(model, x):
            for i in range(1000):
                x = outer(model, x, i)
            return x
    """,
    "norms of what a dict or an annotated argument hands in": """
        import jax, jax.numpy as jnp
        def bias_norm(params):
            return jnp.linalg.norm(params["b"])  # JAX701
        def inner_norm(params):
            return jnp.linalg.norm(params["layer"]["w"])
        def annotated(w: jax.Array):
            return jnp.linalg.norm(w)  # JAX701
        def moved(w: jax.Array):
            return jnp.linalg.norm(w + 1.0)
        def of_each(params):
            return sum(jnp.linalg.norm(p) for p in params)  # JAX701
        def of_each_apart(params):
            return sum(jnp.linalg.norm(p) for p in params)
        def row_norm(x):
            return jnp.linalg.norm(x[0])
        params = {"w": jnp.ones(2), "b": jnp.zeros(2), "layer": {"w": jnp.ones(2)}}
        grads = jax.grad(bias_norm)(params)
        others = jax.grad(inner_norm)(params)
        grad = jax.grad(annotated)(jnp.zeros(3)), jax.grad(moved)(jnp.zeros(3))
        each = jax.grad(of_each)([jnp.ones(2), jnp.zeros(2)]), jax.grad(of_each_apart)([jnp.ones(2), jnp.ones(2)])
        value = jax.jit(bias_norm)(params), jax.grad(row_norm)(jnp.eye(3))
    """,
    "items of lists that are called": """
        import jax, jax.numpy as jnp
        import flax.linen as nn
        def run(layers, i, x):
            return layers[i](x)  # JAX403
        def run_each(layers, x):
            for i in range(len(layers)):
                x = layers[i](x)
            return x
        def taken(xs, i):
            return xs[i]
        one = jax.jit(lambda i, x: run([jnp.sin, jnp.cos], i, x))(0, 1.0)
        same = jax.jit(lambda x: run([jnp.sin, jnp.cos], 0, x))(1.0)
        all_of_them = jax.jit(lambda x: run_each([jnp.sin, jnp.cos], x))(1.0)
        item = jax.jit(lambda i: taken(jnp.arange(3), i))(0)
        class Blocks(nn.Module):
            depth: int = 3
            def setup(self):
                self.blocks = [nn.Dense(3) for _ in range(self.depth)]
            def __call__(self, x):
                for i in range(self.depth):
                    x = self.blocks[i](x)
                def body(i, h):
                    return self.blocks[i](h)  # JAX403
                return jax.lax.fori_loop(0, self.depth, body, x)
    """,
    "modules of Flax that are called themselves": """
        import jax, jax.numpy as jnp
        import flax.linen as nn
        class Net(nn.Module):
            @nn.compact
            def __call__(self, x):
                inner = nn.Dense(2)
                return inner(x)
        class Loss(nn.Module):
            def __call__(self, x):
                return (x**2).mean()
        def unbound(key, x):
            net = Net()
            variables = net.init(key, x)
            def loss(variables):
                return net(x).sum()  # JAX614
            return jax.grad(loss)(variables), net.apply(variables, x)
        def layer(key, x):
            dense = nn.Dense(3)
            variables = dense.init(key, x)
            return dense.apply(variables, x), dense(x)  # JAX614
        def bound(key, x):
            net = Net()
            variables = net.init(key, x)
            net = net.bind(variables)
            return net(x)
        def without_parts(key, x):
            loss = Loss()
            loss.init(key, x)
            return loss(x)
        def helper(x):
            dense = nn.Dense(3)
            return dense(x)
    """,
    "Brownian paths of one key": """
        import diffrax, jax
        def alike(key):
            first = diffrax.VirtualBrownianTree(0.0, 1.0, tol=1e-3, shape=(), key=key)
            second = diffrax.UnsafeBrownianPath(shape=(), key=key)  # JAX101
            return first, second
        def in_lanes(key, y0s):
            def solve(y0):
                path = diffrax.VirtualBrownianTree(0.0, 1.0, tol=1e-3, shape=(), key=key)  # JAX102
                return y0 + path.evaluate(0.0, 1.0)
            return jax.vmap(solve)(y0s)
        def apart(key):
            one, other = jax.random.split(key)
            first = diffrax.VirtualBrownianTree(0.0, 1.0, tol=1e-3, shape=(), key=one)
            return first, diffrax.UnsafeBrownianPath(shape=(), key=other)
    """,
    "arrays that are held twice, and donated": """
        import jax, jax.numpy as jnp
        import flax.linen as nn
        from flax import struct
        from functools import partial
        @struct.dataclass
        class State:
            params: dict
            target: dict
        @partial(jax.jit, donate_argnames="state")
        def step(state, x):
            return state.replace(params=jax.tree.map(lambda p: p - x.sum(), state.params))
        def start(x):
            params = nn.Dense(2).init(jax.random.key(0), x)["params"]
            state = State(params=params, target=params)
            return step(state, x)  # JAX506
        def start_well(x):
            params = nn.Dense(2).init(jax.random.key(0), x)["params"]
            state = State(params=params, target=jax.tree.map(jnp.copy, params))
            return step(state, x)
        class Agent:
            def __init__(self, params):
                self.params = params
                self.target = params
                self._step = jax.jit(lambda p, x: p - x, donate_argnums=0)
            def update(self, x):
                self.params = self._step(self.params, x)
                self.target = 0.9 * self.target + 0.1 * self.params  # JAX506
        class Synced:
            def __init__(self, params):
                self.params = params
                self.target = params
                self._step = jax.jit(lambda p, x: p - x, donate_argnums=0)
            def reset(self):
                self.target = self.params + 0.0
            def update(self, x):
                self.params = self._step(self.params, x)
                self.target = 0.9 * self.target + 0.1 * self.params
        class Copied:
            def __init__(self, params):
                self.params = params
                self.target = params.copy()
                self._step = jax.jit(lambda p, x: p - x, donate_argnums=0)
            def update(self, x):
                self.params = self._step(self.params, x)
                return self.params - self.target
    """,
    "objects that are called, and changed between their calls": """
        import jax
        class Scale:
            def __init__(self):
                self.value = 1.0
            def __call__(self, x):
                return x * self.value  # JAX302
        class Other:
            value = 1.0
            def run(self, x):
                return x * self.value  # JAX302
        class Set:
            value = 1.0
            def __call__(self, x):
                return x * self.value
        scale, idle, other = Scale(), Scale(), Other()
        scaled, run = jax.jit(scale), jax.jit(other.run)
        def train():
            first = scaled(1.0), run(1.0)
            scale.value = 0.5
            other.value = 0.5
            return first, scaled(1.0), run(1.0)
        def set_before():
            chosen = Set()
            chosen.value = 0.5
            apply = jax.jit(chosen)
            return apply(1.0), apply(2.0)
    """,
    "an object beside the one that is compiled": """
        import jax
        class Scale:
            def __init__(self):
                self.value = 1.0
            def __call__(self, x):
                return x * self.value
        def two():
            scale, idle = Scale(), Scale()
            scaled = jax.jit(scale)
            first = scaled(1.0)
            idle.value = 0.5
            return first, scaled(1.0), idle(1.0)
    """,
    "arrays that a generator gives": """
        import jax.numpy as jnp, numpy as np
        def joined(xs, named):
            return (
                jnp.stack(x * 2 for x in xs),  # JAX203
                jnp.concatenate(map(jnp.sin, xs)),  # JAX203
                jnp.asarray(x * 2 for x in xs),  # JAX203
                jnp.stack([x * 2 for x in xs]),
                jnp.stack(list(map(jnp.sin, xs))),
                jnp.stack(tuple(x * 2 for x in xs)),
                np.fromiter((float(x) for x in xs), float),
                jnp.concatenate(named.values()),
            )
    """,
    "an update for either release": """
        import inspect
        from flax import nnx
        def step(model, optimizer: nnx.Optimizer, grads):
            if "model" in inspect.signature(optimizer.update).parameters:
                optimizer.update(model, grads)
            else:
                optimizer.update(grads)
        def other(model, optimizer: nnx.Optimizer, grads):
            optimizer.update(grads)  # JAX614
    """,
    "managers that stage nothing, under conditions": """
        import contextlib
        import jax, jax.numpy as jnp
        PLAIN = True
        @contextlib.contextmanager
        def eager(on=True):
            if on:
                with jax.disable_jit():
                    yield
            else:
                yield
        @contextlib.contextmanager
        def stacked(on):
            with contextlib.ExitStack() as stack:
                if on:
                    stack.enter_context(jax.disable_jit())
                yield stack
        def first(x):
            return x if x.sum() > 0 else -x
        def second(x):
            return x if x.sum() > 0 else -x
        def third(x):
            return x if x.sum() > 0 else -x
        def fourth(x):
            return x if x.sum() > 0 else -x
        def fifth(x):
            return x if x.sum() > 0 else -x  # JAX401
        def sixth(x):
            return x if x.sum() > 0 else -x  # JAX401
        def run(x):
            with eager(True):
                jax.jit(first)(x)
            with stacked(True):
                jax.jit(second)(x)
            with jax.disable_jit() if PLAIN else contextlib.nullcontext():
                jax.jit(third)(x)
            plain = jax.disable_jit()
            with plain:
                jax.jit(fourth)(x)
            with eager(False):
                jax.jit(fifth)(x)
            with contextlib.nullcontext() if PLAIN else jax.disable_jit():
                jax.jit(sixth)(x)
        run(jnp.ones(3))
    """,
    "a table that belongs to the program": """
        import jax, jax.numpy as jnp, numpy as np
        @jax.jit
        def run(x):
            return x * jnp.load("tables/weights.npy") + np.loadtxt("tables/bias.txt")
        def tuned(path):
            @jax.jit
            def step(x):
                return x * jnp.load(path)  # JAX304
            return step
    """,
    "noise that a difference takes away again": """
        import jax
        def noisy(x, key):
            return x + jax.random.normal(key, x.shape)
        def run(x):
            clean = noisy(x, jax.random.key(0)) - 0.1 * jax.random.normal(jax.random.key(0), x.shape)
            noise = jax.random.normal(jax.random.key(1), x.shape)
            return clean, noise + noisy(x, jax.random.key(1))  # JAX105
    """,
    "a part of a list that a carry is": """
        import jax, jax.numpy as jnp
        def body(i, carry):
            n, *rest = [0] + carry[:-1]
            return [*rest, carry[-1]]
        def shifted(i, x):
            return [0] + x[:-1]  # JAX203
        @jax.jit
        def run(x):
            return jax.lax.fori_loop(0, 3, body, [x, jnp.abs(x)]), shifted(0, jnp.abs(x))
    """,
    "a key that a record takes in by a method of its own": """
        import jax
        def run(state, x, key):
            draw, key = jax.random.split(key)
            state = state.expand(noise=jax.random.normal(draw, x.shape), key=key)
            state = state.with_keys(key)
            state = state.moved(key=key)  # JAX103
            return state, key
    """,
    "the lanes that a filtered map takes of its caller's argument": """
        import equinox as eqx, jax
        class Model(eqx.Module):
            def __call__(self, x, key):
                return x + jax.random.normal(key, x.shape)
        def loss(model, xs, keys):
            return eqx.filter_vmap(model)(xs, keys).sum()
        def unmapped(model, xs, key):
            return eqx.filter_vmap(model, in_axes=(0, None))(xs, key).sum()  # JAX102
        def run(xs):
            keys = jax.random.split(jax.random.key(0), len(xs))
            a = eqx.filter_value_and_grad(loss)(Model(), xs, keys)
            return a, unmapped(Model(), xs, keys)  # JAX107
    """,
    "an optimizer that is another than its annotation says": """
        import optax
        def step(opt: optax.GradientTransformation, grads, state):
            opt.update(grads)
            opt.update(grads, state)  # JAX202
        def again(opt: optax.GradientTransformationExtraArgs, grads):
            opt.update(grads)
    """,
    "a call that is still to be written": """
        import jax
        @jax.jit
        def step(x, y):
            return x + y
        def run():
            step(...)
            return step(1.0)  # JAX602
    """,
    "a parameter that a library came to take by name only": """
        import jax, optax
        losses = jax.vmap(optax.huber_loss, in_axes=(0, 0, None))
        def run(x, y, z):
            losses(x, y, x, z)  # JAX602
            return losses(x, y, 1.0)
    """,
    "a method that reads no field which changes": """
        import functools, jax, jax.numpy as jnp
        class Actor:
            def __init__(self):
                self.params, self.bias = jnp.ones(3), jnp.ones(3)
            def apply(self, params, x):
                return params * x
            def moved(self, x):
                return self.bias * x  # JAX302
        class Agent:
            def __init__(self, other):
                self.actor, self.other = Actor(), other
            def train(self, x):
                y = self.step(self.actor.params, x)
                self.actor.params = self.actor.params - y
                self.actor.bias = y
                self.other.params = y
            @functools.partial(jax.jit, static_argnums=0)
            def step(self, params, x):
                y = self.other.apply(params, x) + self.actor.apply(params, x)
                return y + self.actor.moved(x)
    """,
    "the function and the optimizer of an old state": """
        import jax, jax.numpy as jnp
        class Trainer:
            def __init__(self, state):
                self.state = state
            def step_of(self):
                def loss(params, x):
                    return self.state.apply_fn(params, x).sum()
                @jax.jit
                def step(state, x):
                    grads = jax.grad(loss)(state.params, x)
                    return self.state.tx.update(grads, state.opt_state, self.state.params)  # JAX302
                return step
            def train(self, xs):
                step = self.step_of()
                for x in xs:
                    self.state = step(self.state, x)
    """,
    "a field that begins as a dict, where None is told apart": """
        import jax
        def run(fn, x, weights=None):
            return fn(x) if weights is None else fn(x, weights)
        @jax.jit
        def norms(x, weights):
            return weights["a"] * x
        class Solver:
            def __init__(self):
                self.weights = {"a": 1.0}
            def solve(self, x):
                self.weights = self.renewed()
                return run(norms, x, self.weights)
    """,
    "a method that an array has, too, with another's parameters": """
        import jax, jax.numpy as jnp
        def step(m, values, i):
            values, state = m.compress(values, i, step=i)
            return values, i
        def rest(m, values, i):
            return {k: jnp.zeros(v.shape) for k, v in m.items()}, i
        def run(m, values):
            i = jnp.zeros((), int)
            return jax.lax.cond(i == -1, rest, step, m, values, i)
    """,
    "lists that are filled with what nobody knows": """
        import jax, jax.numpy as jnp
        from elsewhere import TABLE
        class Problem:
            def __init__(self, names=["sin"]):
                self.none, found = [], []
                for name in names:
                    found.append(TABLE[name])
                self.found = found
            def first(self, i, x):
                return jax.lax.switch(i, self.found, x)
            def second(self, i, x):
                return jax.lax.switch(i, self.none, x)  # JAX613
        def started():
            state, kept = {}, []
            state.update(TABLE)
            kept.extend(TABLE)
            return state, kept
        def run(x):
            Problem().first(0, x), Problem(["cos"]).second(0, x)
            x = jax.lax.fori_loop(0, 3, lambda i, c: {"a": c["a"] + 1}, started()[0])
            return jax.lax.scan(lambda c, t: (c, None), x, started()[1])
    """,
    "members that a class from elsewhere makes of the constants in its body": """
        import enum, jax
        class Result(enum.Enum):
            DONE = "done"
        class Words:
            DONE = "done"
        def run(i, x):
            a = jax.lax.switch(i, [lambda x: (x, Result.DONE), lambda x: (x, Result.DONE)], x)
            return jax.lax.switch(i, [lambda x: (x, Words.DONE), lambda x: (x, Words.DONE)], x)  # JAX611
    """,
    "a constructor that a decorator of the project's runs before it freezes": """
        import dataclasses, jax
        def frozen_tree(cls):
            built = dataclasses.dataclass(cls, frozen=True)
            return jax.tree_util.register_pytree_node_class(built)
        @frozen_tree
        class Scale:
            x: jax.Array
            def __init__(self, x):
                self.x = x
    """,
    "a function or none, told apart before it is given": """
        import jax
        def solve(fun, x):
            if fun is None:
                return x
            return jax.vjp(fun, x)[0]
        def run(x):
            return solve(None, x)
    """,
    "a wrapper that is returned where no function is given": """
        import jax
        def clipped(update=None):
            def wrap(g):
                @jax.vmap
                def inner(x):
                    return g(x)
                return inner
            if update:
                return wrap(update)
            return wrap
        def run(x):
            return clipped(lambda x: x + 1)(x)
    """,
    "sizes of the leaves of a tree": """
        import jax, jax.numpy as jnp, math, numpy as np
        from jax.tree_util import tree_leaves
        def counted(params):
            return sum(jnp.prod(leaf.shape) for leaf in tree_leaves(params))  # JAX203
        def on_the_host(params):
            total = sum(np.prod(leaf.shape) + math.prod(leaf.shape) for leaf in jax.tree.leaves(params))
            return jnp.zeros(int(total)), [jnp.zeros(leaf.shape) for leaf in jax.tree.leaves(params)]
        @jax.jit
        def flat(params):
            n = 0
            for leaf in jax.tree.leaves(params):
                if hasattr(leaf, "shape") and leaf.ndim > 0:
                    n += leaf.shape[0]
            return jnp.zeros(n)
        flat({"a": jnp.ones(3)})
    """,
    "parts of complex numbers": """
        import jax, jax.numpy as jnp
        def length(z):
            return jnp.sum(z.real ** 2 + z.imag ** 2)
        def run(x):
            a = jax.grad(lambda x: length(jax.lax.complex(x, x)))(x)
            return jax.grad(lambda x: jnp.sum(x * 1j))(jnp.ones(3))  # JAX601
    """,
    "further trees that a map over a state is given": """
        import optax
        def specs(opt, state, params, spec):
            return optax.tree_map_params(opt, lambda s, p: (s, p), state, spec)
    """,
    "a question that an error answers": """
        import jax, numpy as np
        @jax.jit
        def f(x):
            try:
                a = x + 1
                b = np.asarray(a)
                c = np.asarray(x)
                d = b + c
            except Exception:
                return False
            return (d > 0).all()
    """,
    "an error that a handler only passes on": """
        import jax, numpy as np
        @jax.jit
        def f(x):
            try:
                a = x + 1
                b = np.asarray(a)  # JAX405
                c = np.asarray(x)  # JAX405
                d = b + c
            except Exception as error:
                raise ValueError("f") from error
            return d
    """,
    "what is put into a list that setdefault gives": """
        import jax
        class Log:
            def __init__(self):
                self.values = {}
            def record(self, name, value):
                self.values.setdefault(name, []).append(value)  # JAX303
            def note(self, name, value):
                self.values.setdefault(name, []).append(float(value))
        log, kept, shapes = Log(), {}, {}
        @jax.jit
        def step(x):
            log.record("x", x)
            kept.setdefault("x", []).append(x)  # JAX303
            mine = {}
            mine.setdefault("x", []).append(x)
            return mine
        for i in range(3):
            step(1.0 * i)
            log.note("i", i)
            shapes.setdefault("i", []).append(i)
    """,
    "checks of values that run without jit only": """
        import jax
        @jax.jit
        def f(x):
            if jax.config.jax_disable_jit:
                assert x > 0
            return x
    """,
    "a key that is split where the other arm has it whole": """
        import jax, jax.numpy as jnp
        def split_or_whole(key, train):
            k = jax.random.split(key)[0] if train else key
            return jax.random.normal(k)
        def folded_or_whole(key, number):
            k = key if number is None else jax.random.fold_in(jax.random.split(key)[1], number)
            return jax.random.normal(k)
        def used_before(key, train):
            a = jax.random.normal(key)
            k = jax.random.fold_in(key, 1) if train else key
            return a + jax.random.uniform(k)  # JAX101
        @jax.jit
        def never(x):
            return jnp.where(x > 1)[0] if False else x
        @jax.jit
        def always(x):
            return jnp.where(x > 1)[0] if True else x  # JAX411
        never(jnp.ones(3)), always(jnp.ones(3))
    """,
    "checks of values that run under jit, too": """
        import jax
        @jax.jit
        def f(x):
            if jax.config.jax_enable_x64:
                assert x > 0  # JAX401
            return x
    """,
    "keys that a decorator renews at each call": """
        import jax
        def with_key(rng):
            def decorate(function):
                def wrapped(*args):
                    nonlocal rng
                    rng, key = jax.random.split(rng)
                    return function(key, *args)
                return wrapped
            return decorate
        def f(make, x):
            @with_key(make())
            def draw(key, x):
                return x + jax.random.normal(key)
            @with_key(jax.random.key(0))
            def other(key, x):
                return x + jax.random.uniform(key)
            return draw(x) + other(x) + draw(x) + other(x)
    """,
    "keys of objects that are told once": """
        import jax
        import jax.random as jr
        class Sampler:
            def __init__(self, seed):
                self.key = jax.random.key(seed)
            def sample(self, n):
                key, sub = jax.random.split(self.key)  # JAX103
                return jax.random.normal(sub, (n,))
        def several():
            sampler = Sampler(1)
            return [sampler.sample(4) for _ in range(3)]
        class Hidden:
            def __init__(self, seed):
                self._key = jr.key(seed)
            @property
            def rng(self):
                return self._key
            def pair(self, n):
                first = jr.normal(self.rng, (n,))
                second = jr.normal(self.rng, (n,))  # JAX101
                self._key, _ = jr.split(jr.fold_in(self._key, 99))
                return first, second
        class Advanced:
            def __init__(self, seed):
                self.key = jax.random.key(seed)
            def sample(self, n):
                self.key, sub = jax.random.split(self.key)
                return jax.random.normal(sub, (n,))
        def others():
            sampler = Advanced(1)
            return [sampler.sample(4) for _ in range(3)]
    """,
    "closures of a factory, each with its key": """
        import jax
        def sampler(rng):
            def draw():
                return jax.random.normal(rng)
            return draw
        def f(make, key):
            k1, k2 = jax.random.split(key)
            rng = make()
            a, b = sampler(make()), sampler(make())
            c, d = sampler(k1), sampler(k2)
            return a() + b() + c() + d() + jax.random.normal(rng)
        def g(make):
            a = sampler(make())
            return a() + a()  # JAX101
        def h(make):
            k = make()
            a, b = sampler(k), sampler(k)
            return a() + b()  # JAX101
    """,
    "a number of each lane, and one of all": """
        import jax, jax.numpy as jnp
        from functools import partial
        class Env:
            def hit(self, one: int, other: int, state):
                return state[one] == state[other]
            def hits(self, state):
                @partial(jax.vmap, in_axes=(0, None))
                def against(one: int, other: int):
                    return jax.vmap(self.hit, in_axes=(None, 0, None))(one, other, state)
                return against(jnp.arange(3), jnp.arange(4))
        def scaled(x, factor=2):
            return jax.vmap(lambda a, b: a * b)(x, factor)  # JAX605
        print(scaled(jnp.ones(3)), jax.vmap(lambda a, b: a * b)(jnp.ones(3), 2.0))  # JAX605
    """,
    "the truth of an array beside what a caller hands in": """
        import jax, jax.numpy as jnp
        def inside(lo, hi):
            x = jnp.linspace(0.0, 1.0, 5)
            if lo < x < hi:  # JAX209
                return 1
            return 0
        def converged(tol=1e-3):
            old = jnp.ones(4)
            for _ in range(10):
                new = old * 0.5
                if jnp.abs(new - old) < tol:  # JAX209
                    break
                old = new
            return old
        def of_one(tol, rows):
            total = jnp.sum(jnp.ones(4))
            if total < tol or jnp.ones(1) > tol:
                return total
            if jnp.all(jnp.ones(4) < tol) or len(rows) > tol:
                return rows
        print(inside(0.1, 0.9), converged(), of_one(3.0, [1]))
    """,
    "keys captured from code that nobody knows": """
        import jax
        def f(make):
            key = make()
            def draw():
                return jax.random.normal(key)
            return draw() + draw()  # JAX101
        def g(make, flag):
            key = make()
            def draw():
                return jax.random.normal(key)
            return draw() if flag else 2 * draw()
        def h(make):
            key = make()
            def draw():
                return jax.random.normal(key)
            x = draw()
            key = make()
            return x + draw()
    """,
    "a condition and a body that use other keys of their splits": """
        import jax
        from jax import lax
        def f(key, x):
            def goes_on(state):
                x, key = state
                _, one, _ = jax.random.split(key, 3)
                return jax.random.normal(one) < x
            def body(state):
                x, key = state
                key, _, two = jax.random.split(key, 3)
                return x + jax.random.normal(two), key
            return lax.while_loop(goes_on, body, (x, key))
        def g(key, x):
            def goes_on(state):
                x, key = state
                _, one, _ = jax.random.split(key, 3)
                return jax.random.normal(one) < x
            def body(state):
                x, key = state
                key, two, _ = jax.random.split(key, 3)
                return x + jax.random.normal(two), key
            return lax.while_loop(goes_on, body, (x, key))  # JAX101
    """,
    "an arm that an earlier test excludes": """
        import jax
        def f(key, flag, x):
            key, sub = jax.random.split(key)
            x = x + jax.random.uniform(sub)
            if flag:
                return x
            chosen = sub if flag else key
            return x + jax.random.normal(chosen)
        def g(key, flag, x):
            key, sub = jax.random.split(key)
            x = x + jax.random.uniform(sub)
            if not flag:
                return x
            chosen = sub if flag else key
            return x + jax.random.normal(chosen)  # JAX101
    """,
    "a key that one arm passes on and the other renews": """
        import jax, jax.numpy as jnp
        def sample(logits, rng, greedy):
            def best(key):
                return jnp.argmax(logits), key
            def drawn(key):
                key, sub = jax.random.split(key)
                return jax.random.categorical(sub, logits), key
            token, rng = jax.lax.cond(greedy, best, drawn, rng)
            return token, rng
        def f(logits, key, greedy):
            a, key = sample(logits, key, greedy)
            b, key = sample(logits, key, greedy)
            return a, b
        def g(logits, key, greedy):
            a, _ = sample(logits, key, greedy)
            b, _ = sample(logits, key, greedy)  # JAX101
            return a, b
    """,
    "a carry that its body changes in place": """
        import jax
        from jax import lax
        def f(carry, xs):
            def body(carry, x):
                key, sub = jax.random.split(carry["key"])
                carry["key"] = key
                return carry, x + jax.random.normal(sub)
            return lax.scan(body, carry, xs)
        def g(carry, xs):
            def body(carry, x):
                key, sub = jax.random.split(carry["key"])
                carry.update(key=key)
                return carry, x + jax.random.normal(sub)
            return lax.scan(body, carry, xs)
        def h(carry, xs):
            def body(carry, x):
                key, sub = jax.random.split(carry["key"])  # JAX103
                carry["total"] = x
                return carry, x + jax.random.normal(sub)
            return lax.scan(body, carry, xs)
    """,
    "the set of what a dict names": """
        import jax
        class State:
            def __init__(self, a, b):
                self.a, self.b = a, b
            def replace(self, **kwargs):
                unknown = set(kwargs) - set(vars(self))
                if unknown:
                    raise ValueError(unknown)
                return State(**{**vars(self), **kwargs})
        @jax.jit
        def step(x):
            return State(x, x).replace(a=x + 1).a + len(set({"c": x}))
        @jax.jit
        def wrong(x):
            return len(set([x]))  # JAX404
    """,
    "draws of which a choice takes one": """
        import jax
        import jax.numpy as jnp
        def inside(key, v):
            one, two = jax.random.split(key)
            return v * jax.random.uniform(one) + jax.random.uniform(two)
        def around(key, v):
            one, two = jax.random.split(key)
            return jnp.array([v[0] * jax.random.uniform(one), v[1] * jax.random.uniform(two)])
        def position(key, v, n):
            return jax.lax.select(n <= 3, inside(key, v), around(key, v))
        def sample(key, low, high, shape):
            found = jax.random.uniform(key, shape)
            tail = jax.random.exponential(key, shape)
            found = jnp.where(jnp.isinf(low), high - tail, found)
            return jnp.where(jnp.isinf(high), low + tail, found)
        def beside(key, v, n):
            return jax.lax.select(n <= 3, inside(key, v), v) + inside(key, v)  # JAX101
        def added(key, low, shape):
            found = jax.random.uniform(key, shape)
            other = jax.random.normal(key, shape)  # JAX101
            return jnp.where(low > 0, other + found, found)
        def returned(key, low, shape):
            found = jax.random.uniform(key, shape)
            other = jax.random.normal(key, shape)  # JAX101
            return jnp.where(low > 0, other, found), found
        def decides(key, shape):
            found = jax.random.uniform(key, shape)
            other = jax.random.normal(key, shape)  # JAX101
            return jnp.where(found > 0.5, other, 0.0)
    """,
    "one augmentation of all images of an example": """
        import jax
        import jax.numpy as jnp
        class Agent:
            def _image_augmentation(self, image, key):
                return jnp.roll(image, jax.random.randint(key, (), -4, 4), 1)
            def noisy(self, image, key):
                return image + jax.random.normal(key, image.shape)
            def views(self, key, images):
                return jax.tree.map(lambda image: jax.lax.cond(
                    len(image.shape) >= 5, lambda: self._image_augmentation(image, key), lambda: image
                ), images)
            def noises(self, key, images):
                return jax.tree.map(lambda image: self.noisy(image, key), images)  # JAX102
    """,
    "a method that stores over what the trace left": """
        import jax
        class Layer:
            def set(self, params):
                self.w = params["w"]
        class Net:
            def __init__(self):
                self.layer, self.b = Layer(), 0.0
            def set(self, params):
                self.layer.set(params)
                self.b = params["b"]
            def __call__(self, x):
                return self.layer.w * x + self.b
        class Other:
            def set(self, params):
                self.w = params["w"]  # JAX303
            def __call__(self, x):
                return self.w * x
        def loss(params, net, x):
            net.set(params)
            return net(x)
        def train(params, xs):
            net = Net()
            net.set(params)
            for x in xs:
                grads = jax.grad(loss)(params, net, x)
                params = jax.tree.map(lambda p, g: p - g, params, grads)
                net.set(params)
                print(net(x))
        def lost(params, xs, other):
            net = Other()
            net.set(params)
            for x in xs:
                grads = jax.grad(loss)(params, net, x)
                if other:
                    net.set(params)
                print(net(x))
    """,
    "a network that has no variables": """
        import flax.linen as nn
        import jax
        import jax.numpy as jnp
        class Pool(nn.Module):
            size: int
            @nn.compact
            def __call__(self, x):
                return jnp.stack(jnp.split(x, self.size, axis=1), axis=1).mean(2)
        class Drop(nn.Module):
            rate: float = 0.1
            @nn.compact
            def __call__(self, x, deterministic=None):
                if nn.merge_param("deterministic", None, deterministic):
                    return x
                return self.scaled(x * jax.random.bernoulli(self.make_rng("drop"), 1 - self.rate, x.shape))
            def scaled(self, x):
                return x / (1 - self.rate)
        class Linear(nn.Module):
            @nn.compact
            def __call__(self, x):
                return x * self.param("w", nn.initializers.ones, (1,))
        class Two(nn.Module):
            inner: nn.Module
            def __call__(self, x):
                return self.inner(x)
        class Three(nn.Module):
            def setup(self):
                self.layers = [nn.Dense(3)]
            def __call__(self, x):
                for layer in self.layers:
                    x = layer(x)
                return x
        def pool(x, k):
            net = Pool(2)
            params = net.init({"params": k}, x)
            return net.apply({"params": params}, x)
        def drop(x, k):
            net = Drop(0.3)
            params = net.init({"params": k, "drop": k}, x, False)
            return net.apply({"params": params}, x, False, rngs={"drop": k})
        def linear(x, k):
            net = Linear()
            params = net.init({"params": k}, x)
            return net.apply({"params": params}, x)  # JAX609
        def two(x, k):
            net = Two(Linear())
            params = net.init({"params": k}, x)
            return net.apply({"params": params}, x)  # JAX609
        def three(x, k):
            net = Three()
            params = net.init({"params": k}, x)
            return net.apply({"params": params}, x)  # JAX609
        def plain(x, k):
            net = nn.Dense(3)
            params = net.init({"params": k}, x)
            return net.apply({"params": params}, x)  # JAX609
    """,
    "a function whose program is shown": """
        import time
        import jax
        import jax.numpy as jnp
        COUNT = []
        def shown(x):
            print("x is", x)
            t = time.time()
            COUNT.append(1)
            return jnp.log(x) + t
        print(jax.make_jaxpr(shown)(3.0))
        def helper(x):
            print("again", x)
            return x * 2
        def outer(x):
            return helper(x) + 1
        jaxpr = jax.make_jaxpr(outer)(2.0)
        @jax.jit
        def step(x):
            print("step", x)  # JAX301
            return x + 1
        print(jax.make_jaxpr(step)(3.0))
        def both(x):
            print("both", x)  # JAX301
            return x * 2
        print(jax.make_jaxpr(both)(3.0), jax.jit(both)(3.0))
        KEPT = []
        def leaks(x):
            KEPT.append(x)  # JAX303
            return x
        print(jax.make_jaxpr(leaks)(3.0))
    """,
    "a warning, which is shown once, and a text about jitting": """
        import warnings
        import logging
        import jax
        @jax.jit
        def a(x):
            warnings.warn("work in progress", stacklevel=2)
            return x
        @jax.jit
        def b(x):
            warnings.warn(f"large {x}")  # JAX301
            return x
        @jax.jit
        def c(x):
            logging.warning("careful")  # JAX301
            print("JITTTTING")
            return x
        @jax.jit
        def d(x):
            print("a jittery step")  # JAX301
            return x
        for _ in range(3):
            a(1.0), b(1.0), c(1.0), d(1.0)
        a(1.0), b(1.0), c(1.0), d(1.0)
        a(1.0), b(1.0), c(1.0), d(1.0)
    """,
    "a clock for callbacks": """
        import time
        import jax
        import jax.numpy as jnp
        @jax.jit
        def a(x):
            start = time.time()
            def log(v):
                print(v, time.time() - start)
            jax.debug.callback(log, x)
            return x
        @jax.jit
        def b(x):
            state = {"t": time.time(), "n": 0}
            def body(c, _):
                def log(v):
                    now = time.time()
                    print(v, now - state["t"])
                    state["t"] = now
                jax.experimental.io_callback(log, None, c)
                return c, None
            return jax.lax.scan(body, x, None, length=3)
        @jax.jit
        def c(x):
            start = time.time()  # JAX304
            def log(v):
                print(v, time.time() - start)  # JAX304
            log(x.shape)
            jax.debug.callback(log, x)
            return x
        @jax.jit
        def d(x):
            start = time.time()  # JAX304
            def log(v):
                print(v, time.time() - start)
            jax.debug.callback(log, x)
            return x + start
        @jax.jit
        def e(x):
            start = time.time()  # JAX304
            def log(v):
                return v - start
            return jax.vmap(log)(x)
        @jax.jit
        def f(x):
            last = time.time()
            def body(c, _):
                def log(v):
                    nonlocal last
                    now = time.time()
                    print(v, now - last)
                    last = now
                jax.debug.callback(log, c)
                return c, None
            return jax.lax.scan(body, x, None, length=3)
    """,
    "figures and evaluations that draw from one key": """
        import jax
        def draw(key, w):
            return w * jax.random.normal(key, (3,))
        def save_training_plots(ax, key, w):
            for one in (draw, draw, draw):
                ax.plot(one(key, w))
                ax.plot(w + jax.random.normal(key, (3,)))
        def train(key, ws, ax):
            for w in ws:
                save_training_plots(ax, key, w)
                key, sub = jax.random.split(key)
                print(draw(sub, w))
        def spread(ax, key, ws):
            for w in ws:
                ax.plot(draw(key, 2.0))  # JAX102
        def each_spread(ax, key, ws):
            for w in ws:
                ax.plot(draw(key, w))
        def measured(rng_eval, evaluate, seeded, state):
            easy = jax.vmap(evaluate, (0, None))(jax.random.split(rng_eval, 3), state)
            hard = jax.vmap(seeded, (0, None))(jax.random.split(rng_eval, 3), state)
            return easy, hard
        def prepared(eval_key, env, wrapped, evaluation):
            env = wrapped(env, jax.random.normal(eval_key, (3,)))
            return env, evaluation(env, jax.random.uniform(eval_key, (3,)))  # JAX101
        def trained(rng, evaluate, seeded, state):
            easy = jax.vmap(evaluate, (0, None))(jax.random.split(rng, 3), state)
            hard = jax.vmap(seeded, (0, None))(jax.random.split(rng, 3), state)  # JAX101
            return easy, hard
        def both(rng_eval, evaluate, x):
            seen = x + jax.random.normal(rng_eval, x.shape)
            rng = rng_eval
            return evaluate(seen), x * jax.random.normal(rng, x.shape)  # JAX101
    """,
    "samples for a figure": """
        import jax
        def plot_fit(key, w, ax):
            ax.plot(w * jax.random.normal(key, (3,)))
        def fit(key, w):
            return w * jax.random.normal(key, (3,))
        def f(ax):
            key = jax.random.key(0)
            k1, k2 = jax.random.split(key)
            w = jax.random.normal(k1) + jax.random.normal(k2)
            plot_fit(key, w, ax)  # what is shown may be alike
            return w
        def g(ax):
            key = jax.random.key(0)
            k1, k2 = jax.random.split(key)
            w = jax.random.normal(k1) + jax.random.normal(k2)
            return fit(key, w)  # JAX101
    """,
    "options of a module that is configuration": """
        import flax.linen as nn
        import jax.numpy as jnp
        class Actor(nn.Module):
            limits: jnp.ndarray = None
            @nn.compact
            def __call__(self, x):
                if self.limits:
                    x = x * self.limits[0]
                return x
    """,
    "leaves of a module that is a pytree": """
        import equinox as eqx
        import jax
        class Actor(eqx.Module):
            limit: jax.Array
            def __call__(self, x):
                if self.limit > 0:  # JAX401
                    x = x * self.limit
                return x
    """,
    "a skeleton that is filled from a file": """
        import equinox as eqx, jax
        class Net(eqx.Module):
            inner: eqx.nn.Linear
            def __init__(self, key):
                self.inner = eqx.nn.Linear(3, 3, key=key)
        def f(path, other):
            key = jax.random.key(0)
            net = eqx.tree_deserialise_leaves(path, Net(key))
            return net, eqx.tree_deserialise_leaves(other, Net(key))
    """,
    "a network whose leaves are replaced": """
        import equinox as eqx
        import jax
        import jax.numpy as jnp
        class Net(eqx.Module):
            first: eqx.nn.Linear
            last: eqx.nn.Linear
            def __init__(self, key):
                one, two = jax.random.split(key)
                self.first = eqx.nn.Linear(3, 3, key=one)
                self.last = eqx.nn.Linear(3, 3, key=two)
        def reset(net, key):
            one, two = jax.random.split(key)
            net = eqx.tree_at(lambda n: n.first.weight, net, 0.02 * jax.random.normal(one, (3, 3)))
            return eqx.tree_at(lambda n: n.last.weight, net, replace=0.02 * jax.random.normal(two, (3, 3)))
        def made(key):
            net = Net(key)
            return reset(net, key)
        def loaded(key, stored):
            net = Net(key)
            net = eqx.tree_at(lambda n: n.first.weight, net, stored["first"])
            other = Net(key)
            return eqx.tree_at(lambda n: n.last, other, net.last), net
        def restored(key, path):
            net = Net(key)
            assert net.__class__.__name__ == "Net"
            net = eqx.tree_deserialise_leaves(path_or_file=path, like=net)
            return net, jax.random.normal(key, (3,))
        def filled_by_draws(key):
            one, two = jax.random.split(key)
            net = Net(one)
            weight = jax.random.normal(two, (3, 3))
            bias = jax.random.uniform(two, (3,))  # JAX101
            return eqx.tree_at(lambda n: (n.first.weight, n.first.bias), net, (weight, bias))
        def used(key, x):
            net = Net(key)
            y = net.first(x)
            other = Net(key)  # JAX101
            return eqx.tree_at(lambda n: n.last, other, net.last), y, other.first(x)
    """,
    "names that are read by attrgetter": """
        import operator
        import jax, jax.numpy as jnp
        from operator import attrgetter
        mapped = operator.attrgetter("tree_map")(jax)  # JAX801
        pick = attrgetter("in1d")
        found = pick(jnp)  # JAX801
        fine = attrgetter("tree.map")(jax)
        both = attrgetter("shape", "dtype")(jnp.ones(3))
        names = sorted([1, 2], key=attrgetter("real"))
        @jax.jit
        def step(x):
            return jnp.zeros(attrgetter("shape")(x))
        step(jnp.ones(3))
    """,
    "two networks that are used as they are made": """
        import equinox as eqx, jax
        class Net(eqx.Module):
            inner: eqx.nn.Linear
            def __init__(self, key):
                self.inner = eqx.nn.Linear(3, 3, key=key)
        def f():
            key = jax.random.key(0)
            actor = Net(key)
            return actor, Net(key)  # JAX101
    """,
    "a draw that is replaced where the key is used again": """
        import jax
        def refined(key, x):
            return x + jax.random.normal(key, x.shape)
        def f(seed, init):
            key = jax.random.key(seed)
            latent = jax.random.normal(key, (1, 8))
            if init is not None:
                latent = refined(key, init)
            return latent
    """,
    "a draw that is read where the key is used again": """
        import jax
        def refined(key, x):
            return x + jax.random.normal(key, x.shape)
        def f(seed, init):
            key = jax.random.key(seed)
            latent = jax.random.normal(key, (1, 8))
            if init is not None:
                latent = latent + refined(key, init)  # JAX101
            return latent
    """,
    "an option that each turn sets": """
        import jax
        import jax.numpy as jnp
        def make_train(config):
            def train(key):
                return jnp.full(config["size"], jax.random.normal(key))
            return train
        def tasks(config, names, rng):
            for name in names:
                config["env"] = name
                print(jax.jit(lambda key: make_train(config)(key))(rng))
        def again(config, names, rng):
            for name in names:
                print(name, jax.jit(lambda key: make_train(config)(key))(rng))  # JAX501
        def params(names, rng, weights):
            for name in names:
                weights["w"] = weights["w"] + 1
                print(name, jax.jit(lambda key: weights["w"] * jax.random.normal(key))(rng))  # JAX501  # JAX102
        def other(config, names, rng):
            config["env"] = "all"
            for name in names:
                print(name, jax.jit(lambda key: make_train(config)(key))(rng))  # JAX501
    """,
    "keys at indices that are annotated": """
        import jax
        def f(key, n):
            keys = jax.random.split(key, n)
            def one(i: int):
                return jax.random.normal(keys[i])
            def body(i: int, total):
                return total + one(i)
            return one(1), jax.lax.fori_loop(2, n, body, one(0))
    """,
    "keys among the arguments that are taken together": """
        import jax, jax.numpy as jnp
        def one(theta, *args):
            return theta + jax.random.normal(args[0], theta.shape)
        def two(theta, *args):
            key, scale = args
            return theta + scale * jax.random.normal(key, theta.shape)
        def reused(theta, key):
            theta = one(theta, key)
            return two(theta, key, 0.1)  # JAX101
        def split(theta, key):
            first, second = jax.random.split(key)
            return two(one(theta, first), second, 0.1)
        def chosen(*args):
            if args[0] > 1:  # JAX401
                return args[1]
            return args[0]
        def given(*args):
            if args[0] is None:
                return args[1] + 1
            return args[0] * (args[1] if len(args) > 1 else 1)
        @jax.jit
        def step(x, y):
            return chosen(x, y) + given(x, y) + given(None, y)
        step(1.0, 2.0)
    """,
    "keys at one index that is annotated": """
        import jax
        def f(key, n):
            keys = jax.random.split(key, n)
            def one(i: int):
                return jax.random.normal(keys[i])
            return one(1) + one(1)  # JAX101
    """,
    "a field that a compiled function calls": """
        import jax, jax.numpy as jnp
        class Stale:
            def __init__(self, policy):
                self.policy = policy
                self._act = jax.jit(self._step)
            def _step(self, x):
                return self.policy(x) + 1  # JAX302
            def act(self, x):
                return self._act(x)
            def update(self, policy):
                self.policy = policy
        class Fresh:
            def __init__(self, policy):
                self.policy = policy
                self._act = jax.jit(self._step)
            def _step(self, x):
                return self.policy(x) + 1
            def act(self, x):
                return self._act(x)
            def update(self, policy):
                self.policy = policy
                self._act = jax.jit(lambda x: policy(x) + 1)
        def run(first, second, kind):
            agent = kind(first)
            agent.act(1.0)
            agent.update(second)
            return agent.act(1.0)
        run(jnp.sin, jnp.cos, Stale)
        stale, fresh = Stale(jnp.sin), Fresh(jnp.sin)
        stale.act(1.0), fresh.act(1.0)
        stale.update(jnp.cos), fresh.update(jnp.cos)
        stale.act(1.0), fresh.act(1.0)
    """,
    "a solver with a derivative of its own": """
        import jax, jax.numpy as jnp
        from jax import lax
        def descend(mv, b):
            return lax.while_loop(lambda x: (mv(x) - b).sum() > 1e-6, lambda x: x - 0.1 * (mv(x) - b), b)
        def by_loop(mv, b):
            return lax.while_loop(lambda x: (mv(x) - b).sum() > 1e-6, lambda x: x - 0.1 * (mv(x) - b), b)  # JAX612
        def solved(b):
            return lax.custom_linear_solve(lambda x: 2 * x, b, descend, descend).sum()
        def settled(b):
            return by_loop(lambda x: 2 * x, b).sum()
        print(jax.grad(solved)(jnp.ones(3)), jax.grad(settled)(jnp.ones(3)))
    """,
    "one key twice in a display that a function takes one by one": """
        import jax
        def drawn(rngs, scales):
            return [scale * jax.random.normal(rng, (3,)) for rng, scale in zip(rngs, scales)]
        def f():
            rng = jax.random.key(0)
            return drawn((rng, rng), (1.0, 2.0))  # JAX101
    """,
    "two keys in a display that a function takes one by one": """
        import jax
        def drawn(rngs, scales):
            return [scale * jax.random.normal(rng, (3,)) for rng, scale in zip(rngs, scales)]
        def f():
            first, second = jax.random.split(jax.random.key(0))
            return drawn((first, second), (1.0, 2.0))
    """,
    "one key twice in a list": """
        import jax
        def f():
            rng = jax.random.key(0)
            return [jax.random.normal(one, (3,)) for one in [rng, rng]]  # JAX102
    """,
    "layers of a base class's constructor": """
        import equinox as eqx, jax
        class Base(eqx.Module):
            inner: eqx.nn.Linear
            def __init__(self, key):
                self.inner = eqx.nn.Linear(3, 3, key=key)
        class Net(Base):
            def __init__(self, key):
                super().__init__(key)
        class Both(eqx.Module):
            net: Net
            other: eqx.nn.Linear
            def __init__(self, key):
                self.net = Net(key)
                key, _ = jax.random.split(key)  # JAX101
                self.other = eqx.nn.Linear(3, 3, key=key)
    """,
    "a seed of the host that a method sets": """
        class Env:
            def seed(self, seed):
                self.env.seed(seed)
                return seed
    """,
    "states of recurrent cells, which are zeros": """
        import jax
        def f(net, rng, shape):
            carry = net.initialize_carry(rng, shape)
            rng, sub = jax.random.split(rng)
            return carry, jax.random.normal(sub)
    """,
    "one compilation for each function that a turn goes through, or makes": """
        import jax
        def make_train(config):
            def train(rng):
                return jax.random.normal(rng, (config["n"],))
            return train
        def runs(configs):
            for config in configs:
                print(jax.jit(jax.vmap(make_train(config)))(jax.random.split(jax.random.key(config["seed"]), 3)))
        def trials(functions, x):
            for function in functions:
                print(jax.jit(lambda v: function(v) + 1)(x))
        def batches(loss, batches, x):
            for batch in batches:
                print(jax.jit(lambda v: loss(v, batch) + 1)(x))  # JAX501
    """,
    "a recorder writes a key down": """
        import jax
        def f(key, logger, state):
            logger.record(key, state)
            return jax.random.normal(key)
    """,
    "a method that sets an object up draws from its key": """
        import jax
        class Agent:
            def __init__(self, seed):
                self.key = jax.random.key(seed)
            def setup_net(self, x):
                return jax.random.normal(self.key) + x
    """,
    "a smoke test of a network": """
        import jax, flax.linen as nn
        class Net(nn.Module):
            @nn.compact
            def __call__(self, x, y):
                return nn.Dense(3)(x) + y
        if __name__ == "__main__":
            key = jax.random.key(0)
            x = jax.random.normal(key, (2, 3))
            y = jax.random.normal(key, (2, 3))
            params = Net().init(key, x, y)
            for name, leaf in params.items():
                print(name, leaf.shape)
    """,
    "training that a script starts": """
        import jax, flax.linen as nn
        class Net(nn.Module):
            @nn.compact
            def __call__(self, x, y):
                return nn.Dense(3)(x) + y
        if __name__ == "__main__":
            key = jax.random.key(0)
            x = jax.random.normal(key, (2, 3))
            y = jax.random.normal(key, (2, 3))  # JAX101
            params = Net().init(jax.random.key(1), x, y)
            for _ in range(3):
                params = step(params, x, y)
    """,
    "a buffer that is filled again by what a loop goes through": """
        import jax, jax.numpy as jnp, numpy as np
        def shared(rows):
            buffer, batches = np.empty((4, 4), np.float32), []
            for row in rows:
                buffer[:] = row  # JAX212
                batches.append(jax.device_put(buffer))
            return jnp.stack(batches)
        class Held:
            def __init__(self):
                self.buffer = np.empty((4, 4), np.float32)
            def shared(self, rows):
                batches = []
                for row in rows:
                    np.copyto(self.buffer, row)  # JAX212
                    batches.append(jax.device_put(self.buffer))
                return jnp.stack(batches)
            def copied(self, rows):
                batches = []
                for row in rows:
                    np.copyto(self.buffer, row)
                    batches.append(jax.device_put(self.buffer.copy()))
                return jnp.stack(batches)
        def waited(rows):
            buffer, batches = np.empty((4, 4), np.float32), []
            for row in rows:
                buffer[:] = row
                batches.append(float(jax.device_put(buffer).sum()))
            return batches
    """,
    "a generator that draws by the key of its object": """
        import jax
        class Still:
            def __init__(self, data, seed):
                self.data, self.rng = data, jax.random.key(seed)
            def __iter__(self):
                while True:
                    order = jax.random.permutation(self.rng, 5)  # JAX102
                    for place in range(5):
                        yield self.data[order[place]]
        class Counted:
            def __init__(self, data, seed):
                self.data, self.rng, self.epoch = data, jax.random.key(seed), 0
            def __iter__(self):
                while True:
                    order = jax.random.permutation(jax.random.fold_in(self.rng, self.epoch), 5)
                    self.epoch += 1
                    for place in range(5):
                        yield self.data[order[place]]
        class Moved:
            def __init__(self, data, seed):
                self.data, self.rng = data, jax.random.key(seed)
            def reseed(self, seed):
                self.rng = jax.random.key(seed)
            def orders(self):
                for _ in range(3):
                    yield jax.random.permutation(self.rng, 5)
    """,
    "data that a script draws": """
        import jax
        def fit(x, y):
            return x @ y
        if __name__ == "__main__":
            key = jax.random.key(0)
            x = jax.random.normal(key, (2, 3))
            y = x + jax.random.normal(key, (2, 3))  # JAX101
            print(fit(x, y))
    """,
    "an attribute that is bound again between the traces of two functions that capture it": """
        import jax
        class Learner:
            def __init__(self, seed):
                self.key = jax.random.key(seed)
                def one(x):
                    return x + jax.random.normal(self.key), jax.random.key(1)  # JAX302
                def two(x):
                    return x + jax.random.normal(self.key), jax.random.key(2)  # JAX302
                self.one, self.two = jax.jit(one), jax.jit(two)
            def learn(self, x):
                x, self.key = self.one(x)
                y, self.key = self.two(x)
                return x, y
            def learn_alike(self, x):
                x, _ = self.one(x)
                y, _ = self.two(x)  # JAX101
                return x, y
    """,
    "a key that is used before a loop and in each of its turns": """
        import jax
        def step(params, x, key):
            return params - x * jax.random.normal(key)
        def train(xs):
            key = jax.random.key(0)
            params = jax.random.normal(key)
            for x in xs:
                params = step(params, x, key)  # JAX101  # JAX102
            return params
        def twice_a_turn(xs):
            key = jax.random.key(0)
            params = jax.random.normal(jax.random.key(1))
            for x in xs:
                params = step(params, x, key)  # JAX102
                params = step(params, x, key)  # JAX101
            return params
        def renewed(xs):
            key, sub = jax.random.split(jax.random.key(0))
            params = jax.random.normal(sub)
            for x in xs:
                key, sub = jax.random.split(key)
                params = step(params, x, sub)
            return params
    """,
    "one helper that draws, applied to other data": """
        import jax
        def noise(key, x):
            return x + jax.random.normal(key, x.shape)
        def model(key, x):
            return 2 * noise(key, x)
        def drawn(key, a, b):
            return noise(key, a), noise(key, b)  # JAX101
        def compared(key, a, b):
            return model(key, a), model(key, b)
        def of_each(key, xs):
            return [noise(key, x) for x in xs]  # JAX102
    """,
    "one loss, for its value and its gradient": """
        import jax
        def loss(p, x, key):
            return ((p * x + jax.random.normal(key)) ** 2).sum()
        def step(p, x, key):
            return p - jax.grad(loss)(p, x, key), loss(p, x, key)
        def sharpened(p, x, key):
            g = jax.grad(loss)(p, x, key)
            return jax.grad(loss)(p + 0.1 * g, x, key)
        def accumulated(p, x, y, key):
            g = jax.grad(loss)(p, x, key)
            return g + jax.grad(loss)(p, y, key)  # JAX101
        def noisy(p, key):
            return p + jax.random.normal(key)
        def other(p, key):
            return jax.grad(noisy)(p, key), noisy(2 * p, key)  # JAX101
    """,
    "two manners of one function compared": """
        import jax
        def error(x, key, is_masked):
            noise = jax.random.normal(key, x.shape)
            return (x - noise * (1 - is_masked)).mean()
        def compared(x, key):
            return error(x, key, False), error(x, key, True)
        def alike(x, key):
            return error(x, key, False), error(x, key, False)  # JAX101
    """,
    "one start for two fits": """
        import jax
        def fit(key, model, x):
            return model.initialize(key, shape=0.2) + x
        def fitted(key, model, x):
            start = model.initialize(key, shape=0.2)
            return start, fit(key, model, x)
        def drawn(key, model, x):
            start = model.initialize(key, shape=0.2)
            return start, jax.random.normal(key) + fit(jax.random.key(1), model, x)  # JAX101
    """,
    "the largest of a list that a comprehension made": """
        import jax, jax.numpy as jnp
        @jax.jit
        def scaled(tree, limit):
            norms = [jnp.sum(leaf) for leaf in jax.tree.leaves(tree)]
            first = max(norms)  # JAX402
            return first / max(limit, *norms)  # JAX402
        @jax.jit
        def sized(tree):
            dims = [leaf.ndim for leaf in jax.tree.leaves(tree)]
            rows = [leaf.shape[0] for leaf in jax.tree.leaves(tree)]
            return jnp.zeros(max(rows)) + max(1, *dims) + min(2, *(leaf.shape[0] for leaf in tree["a"]), 5)
        def largest(xs):
            doubled = [x * 2 for x in xs]
            return max(1, *doubled)
        @jax.jit
        def of_numbers(a):
            return a * largest([2, 3]) + largest(range(4)) + largest(a.shape)
        scaled({"a": jnp.ones(3)}, 1.0)
        sized({"a": jnp.ones((2, 3))})
        of_numbers(jnp.ones(3))
    """,
    "a loop that turns once, by the statement that it reads": """
        import jax, jax.numpy as jnp
        from tqdm.auto import tqdm, trange
        def fit(svi, state, n, slow):
            bar = tqdm(range(1))
            for _ in bar:
                state, losses = jax.lax.scan(lambda s, _: svi.update(s), state, jnp.arange(n))
                bar.set_description(str(losses[-1]))
            for _ in trange(1):
                state, losses = jax.lax.scan(lambda s, _: svi.update(s), state, jnp.arange(n))
            for _ in trange(100):
                state, losses = jax.lax.scan(lambda s, _: svi.update(s), state, jnp.arange(n))  # JAX501
            if slow:
                bar = tqdm(range(n))
                for _ in bar:
                    state, losses = jax.lax.scan(lambda s, _: svi.update(s), state, jnp.arange(n))  # JAX501
            return state
    """,
    "replicas on devices that start alike": """
        import jax
        from jax.sharding import PartitionSpec as P
        def f(mesh, key, x):
            def init_model(key, x):
                return jax.random.normal(key, x.shape)
            return jax.shard_map(init_model, mesh=mesh, in_specs=(P(), P("data")), out_specs=P())(key, x)
        def g(mesh, key, x):
            def noisy(key, x):
                return x + jax.random.normal(key, x.shape)
            return jax.shard_map(noisy, mesh=mesh, in_specs=(P(), P("data")), out_specs=P("data"))(key, x)  # JAX102
    """,
    "a loop that runs what was handed in, which captures what is differentiated": """
        import jax, jax.numpy as jnp
        def settled(f, x):
            return jax.lax.while_loop(lambda x: jnp.abs(f(x) - x) > 1e-3, f, x)  # JAX612
        def settle(f, x):
            return jax.lax.while_loop(lambda x: jnp.abs(f(x) - x) > 1e-3, f, x)
        def root(a):
            return settled(lambda x: 0.5 * (x + a / x), 1.0)
        def constant(a):
            return settle(lambda x: 0.5 * (x + 2.0 / x), 1.0) * a
        def stopped(a):
            b = jax.lax.stop_gradient(a)
            return settle(lambda x: 0.5 * (x + b / x), 1.0) * a
        def sized(a):
            return (a * settle(lambda x: 0.5 * (x + a.shape[0] / x), 1.0)).sum()
        jax.grad(root)(3.0), jax.grad(constant)(3.0), jax.grad(stopped)(3.0), jax.grad(sized)(jnp.ones(3))
        jax.jvp(lambda a: settle(lambda x: 0.5 * (x + a / x), 1.0), (3.0,), (1.0,))
    """,
    "what an object holds that is indexed by an array": """
        import jax, jax.numpy as jnp, numpy as np
        from functools import partial
        class Words:
            words = ["a", "b"]
            def pick(self, logits):
                return self.words[logits.argmax(-1)]  # JAX403
        class Tables:
            def __init__(self):
                self.device = jnp.arange(3)
                self.host = np.arange(3)
                self.named = {0: 1.0}
            @partial(jax.jit, static_argnums=0)
            def looked_up(self, logits):
                return self.host[jnp.argmax(logits)]  # JAX405
            @partial(jax.jit, static_argnums=0)
            def by_name(self, logits):
                return self.named[jnp.argmax(logits)]  # JAX403
            @partial(jax.jit, static_argnums=0)
            def moved(self, logits):
                return self.device[jnp.argmax(logits)] + jnp.asarray(self.host)[logits.argmax()]
            def eager(self, logits):
                return self.host[jnp.argmax(logits)]
        def part(values, logits):
            return values[jnp.argmax(logits)]
        words, tables = Words(), Tables()
        @jax.jit
        def decoded(logits):
            return logits * len(words.pick(logits)) + part(logits, logits)
        decoded(jnp.ones(3))
        tables.looked_up(jnp.ones(3)), tables.by_name(jnp.ones(3)), tables.moved(jnp.ones(3)), tables.eager(jnp.ones(3))
        part([1, 2, 3], jnp.ones(3))
    """,
    "draws in a loop under tests": """
        import jax
        def of_all(xs, key, is_noisy):
            out = []
            for x in xs:
                if x is not None and is_noisy:
                    out.append(x + jax.random.normal(key))  # JAX102
            return out
    """,
    "one seed for weights and data that meet": """
        import jax
        def weights(key):
            return jax.random.normal(key, (3,))
        params = weights(jax.random.key(3))
        xs = jax.random.normal(jax.random.key(3), (3,))  # JAX105
        print(params @ xs)
        other = weights(jax.random.key(4))
        print(other)
        ys = jax.random.normal(jax.random.key(4), (3,))
        print(ys)
    """,
    "the dropout of a network, as an option says": """
        import jax
        def run(model, params, x, key, train):
            return model.apply(params, x, train=train, rngs={"dropout": key})
        def evaluated(model, params, x, key):
            return run(model, params, x, key, False) - run(model, params, x, key, False)
        def trained(model, params, xs, key):
            x = xs
            for _ in range(3):
                x = run(model, params, x, key, True)  # JAX102
            return x
        def twice(model, params, x, key):
            a = model.apply(params, x, deterministic=False, rngs={"dropout": key})
            return a - model.apply(params, x, deterministic=False, rngs={"dropout": key})  # JAX101
        def quiet(model, params, x, key):
            a = model.apply(params, x, deterministic=True, rngs={"dropout": key})
            return a - model.apply(params, x, deterministic=True, rngs={"dropout": key})
    """,
    "the dropout of a network, as an argument at the place of an option says": """
        import flax.linen as nn, jax
        class Net(nn.Module):
            @nn.compact
            def __call__(self, x, train):
                return nn.Dense(1)(nn.Dropout(0.5, deterministic=not train)(x))
        net, TRAINING = Net(), True
        def loss(params, x, rng):
            return net.apply(params, x, TRAINING, rngs={"dropout": rng}).sum()
        def fit(params, xs, key, other):
            scores = []
            for x in xs:
                params = jax.tree.map(lambda p, g: p - g, params, jax.grad(loss)(params, x, key))  # JAX102
            for x in xs:
                scores.append(net.apply(params, x, False, rngs={"dropout": other}))
            for x in xs:
                other, sub = jax.random.split(other)
                scores.append(net.apply(params, x, True, rngs={"dropout": sub}))
            return params, scores
    """,
    "ranks that are asked before a map": """
        import jax, jax.numpy as jnp, numpy as np
        def add(x, s):
            return x + s
        def asked(xs, state=jnp.zeros(())):
            if jnp.ndim(state) == 0:
                return jax.vmap(add, in_axes=(0, None))(xs, state)
            return jax.vmap(add, in_axes=(0, 0))(xs, state)
        def of_shape(xs, state=jnp.zeros(())):
            if len(np.shape(state)) > 0:
                return jax.vmap(add, in_axes=(0, 0))(xs, state)
        def empty(xs, state=jnp.zeros(())):
            return xs if state.shape == () else jax.vmap(add, in_axes=(0, 0))(xs, state)
        def any_axes(xs, state=jnp.zeros(())):
            if jnp.shape(state):
                return jax.vmap(add, in_axes=(0, 0))(xs, state)
        def unasked(xs, state=jnp.zeros(())):
            return jax.vmap(add, in_axes=(0, 0))(xs, state)  # JAX605
        asked(jnp.ones(3)), of_shape(jnp.ones(3)), empty(jnp.ones(3)), any_axes(jnp.ones(3)), unasked(jnp.ones(3))
    """,
    "a number for all devices": """
        import jax
        from flax import jax_utils
        @jax.pmap
        def step(x):
            return x
        for number in range(3):
            step(jax_utils.replicate(number))
            step(number)  # JAX605
    """,
    "a bit beside a truth": """
        import jax, jax.numpy as jnp
        @jax.jit
        def mark(x, tiles):
            ok = x > 0
            bits = jnp.arange(3) >> 2
            a = ok | (bits & 1) == 1
            b = ok & (bits % 2) != 0
            c = ok | (bits & 1) == 0  # JAX613
            return a, b, c, ok & (bits & 3) == 1  # JAX613
    """,
    "all outputs of a scan, by the name of its first carry": """
        from jax import lax
        def advantages(body, gae, traj, state):
            _, gae = lax.scan(body, gae, traj, reverse=True)
            last, state = lax.scan(body, state, traj)
            outputs, state = lax.scan(body, state, traj)  # JAX609
            return gae, last, outputs, state
    """,
    "the same rows of two arrays": """
        import jax, jax.numpy as jnp
        class Trainer:
            def batch(self, key, data, size, at, is_random=True):
                if is_random:
                    rows = jax.random.choice(key, len(data), shape=(size,), replace=True)
                    return data[rows]
                return data[at * size : (at + 1) * size]
            def fit(self, key, xs, ys):
                for at in range(9):
                    key, sub = jax.random.split(key)
                    self.step(self.batch(sub, xs, 32, at), self.batch(sub, ys, 32, at))
        def taken(key, data, size):
            return jnp.take(data, jax.random.randint(key, (size,), 0, data.shape[0]), axis=0)
        def two(key, batch):
            return taken(key, batch["x"], 8), taken(key, batch["y"], 8)
        def two_texts(key, xs, ys):
            first = jax.random.randint(key, (8,), 0, 100)
            second = jax.random.randint(key, (8,), 0, 100)
            return xs[first], ys[second]
        def one(key, xs):
            return taken(key, xs, 8), taken(key, xs, 8)  # JAX101
        def more_than_rows(key, xs, ys):
            first = jax.random.randint(key, (8,), 0, 100)
            second = jax.random.randint(key, (8,), 0, 100)  # JAX101
            return xs[first], ys[second] + second
    """,
    "the streams of two methods": """
        import jax.numpy as jnp
        def loss(model, params, x, key, train):
            z = model.apply(params, x, method="encode", train=train, rngs={"dropout": key})
            y = model.apply(params, z, method=model.decode, train=train, rngs={"dropout": key})
            return jnp.mean((x - y) ** 2)
        def twice(model, params, x, y, key):
            one = model.apply(params, x, method="encode", train=True, rngs={"dropout": key})
            other = model.apply(params, y, method="encode", train=True, rngs={"dropout": key})  # JAX101
            return jnp.mean((one - other) ** 2)
    """,
    "a keyword that earlier releases took": """
        from jax.experimental.pjit import pjit  # JAX802
        def compiled(step, spec):
            return pjit(step, in_axis_resources=(spec,))  # JAX801
    """,
    "keys of one seed that is handed in": """
        import jax
        def alike(seed):
            w = jax.random.normal(jax.random.key(seed), (3, 3))
            b = jax.random.normal(jax.random.key(seed), (3,))  # JAX105
            return w @ b
        def folded(config, x):
            noise = jax.random.normal(jax.random.fold_in(jax.random.key(config.seed), 1), x.shape)
            mask = jax.random.bernoulli(jax.random.fold_in(jax.random.key(config.seed), 1), 0.5, x.shape)  # JAX105
            return noise * mask
        def turned(x):
            out = []
            for seed in range(3):
                a = jax.random.normal(jax.random.key(seed), x.shape)
                b = jax.random.normal(jax.random.key(seed), x.shape)  # JAX105
                out.append(a * b)
            return out
        def differing(seed, x):
            noise = jax.random.normal(jax.random.key(seed), x.shape)
            seed += 1
            mask = jax.random.bernoulli(jax.random.key(seed), 0.5, x.shape)
            other = jax.random.bernoulli(jax.random.key(seed + 1), 0.5, x.shape)
            fast = jax.random.normal(jax.random.key(seed, impl="rbg"), x.shape)
            one = jax.random.normal(jax.random.fold_in(jax.random.key(seed), 1), x.shape)
            two = jax.random.normal(jax.random.fold_in(jax.random.key(seed), 2), x.shape)
            return noise * mask * other * fast * one * two
        def over_seeds(x):
            out, total = [], 0
            for seed in range(3):
                out.append(jax.random.normal(jax.random.key(seed), x.shape))
            for seed in range(3):
                total += jax.random.normal(jax.random.key(seed), x.shape)
            return out, total
        def apart(seed):
            print(jax.random.normal(jax.random.key(seed), (3,)))
            print(jax.random.normal(jax.random.key(seed), (3,)))
        def either(seed, x, kind):
            if kind == "normal":
                return jax.random.normal(jax.random.key(seed), x.shape)
            return jax.random.uniform(jax.random.key(seed), x.shape)
    """,
    "an update of one's own": """
        import optax
        def step(policy, model, tx, agent_state, params, opt_state, batch, grads):
            agent_state, batch_stats = policy.update(agent_state, batch)
            params, optimizer = model.optimizer.update(grads, params)
            opt_state, updates = tx.update(grads, opt_state, params)  # JAX609
            return agent_state, params
    """,
    "fields that a function of one's own declares": """
        import jax, flax.struct
        def static(default=None):
            return flax.struct.field(pytree_node=False, default=default)
        @flax.struct.dataclass
        class Manager:
            variables: dict
            method: str = static()
        @flax.struct.dataclass
        class Named:
            variables: dict
            method: str = flax.struct.field(default="init")
        @jax.jit
        def start(manager, x):
            return manager.variables["w"] * x
        start(Manager({"w": 1.0}, "init"), 2.0)
        start(Named({"w": 1.0}, "init"), 2.0)  # JAX611
    """,
    "a name that is bound to another compiled function": """
        import jax, jax.numpy as jnp
        def loss(p, x, noise):
            return jnp.sum((x - p) ** 2) / noise
        def curve(points, f):
            return [f(p) for p in points]
        points, x, noise = jnp.ones(4), jnp.ones(3), 0.1
        slope = jax.jit(jax.grad(lambda p: loss(p, x, noise)))
        first = curve(points, slope)
        x, noise = jnp.zeros(3), 0.2
        slope = jax.jit(jax.grad(lambda p: loss(p, x, noise)))
        second = curve(points, slope)
        rate = 0.1
        scaled = jax.jit(lambda p: p * rate)  # JAX302
        third = curve(points, scaled)
        rate = 0.2
        fourth = curve(points, scaled)
    """,
    "whether there is a state": """
        import jax
        from functools import partial
        class Trainer:
            def __init__(self):
                self.state = None
            def step(self, x):
                if self.state is None:
                    self.state = self.make(x)
                self.state = self.update(self.state, x)
                return self.scaled(x)
            @partial(jax.jit, static_argnums=0)
            def update(self, state, x):
                assert self.state is not None
                return self.state.apply_fn(state.params, x)
            @partial(jax.jit, static_argnums=0)
            def scaled(self, x):
                return x * self.state.scale  # JAX302
    """,
    "states at all times": """
        import jax.numpy as jnp
        from jax.experimental.ode import odeint
        def loss(f, x):
            z, logp = odeint(f, (x, jnp.zeros((1,))), jnp.array([0.0, 1.0]))
            last = odeint(f, jnp.zeros((1,)), jnp.array([0.0, 1.0]))
            return z[1, :], logp[1, :], last[2, :]  # JAX204
    """,
    "keys that part by the device behind a split": """
        import jax
        from jax import lax
        def folded(key, name):
            return jax.random.fold_in(key, lax.axis_index(name))
        def loss(params, x, key):
            return (params * x + jax.random.normal(folded(key, "d"), x.shape)).mean()
        def step(key, params, x):
            key, sub = jax.random.split(key)
            return key, lax.pmean(jax.grad(loss)(params, x, sub), "d")
        def alike(key, params, x):
            key, sub = jax.random.split(key)
            return key, params * x + jax.random.normal(sub, x.shape)
        apart = jax.pmap(step, axis_name="d", in_axes=(None, None, 0), out_axes=(None, None))
        together = jax.pmap(alike, axis_name="d", in_axes=(None, None, 0), out_axes=(None, 0))
        def train(key, params, x):
            key, slope = apart(key, params, x)
            key, noisy = together(key, params, x)  # JAX102
            return slope, noisy
    """,
    "a setting that is put back": """
        import jax, jax.numpy as jnp
        def narrow():
            before = jax.config.read("jax_enable_x64")
            try:
                jax.config.update("jax_enable_x64", False)
                return jnp.asarray([0.5])
            finally:
                jax.config.update("jax_enable_x64", before)
        def wide(is_wide):
            x = jnp.asarray([0.5])
            jax.config.update("jax_enable_x64", is_wide)  # JAX902
            return x
    """,
    "an example for a buffer": """
        import jax
        def rollout(key, env):
            env.log.append(jax.random.normal(key))  # JAX303
            return env.state, jax.random.normal(key, (2,))  # JAX101
        @jax.jit
        def prepare(buffer, env):
            _, dummy_transitions = rollout(jax.random.key(0), env)
            return buffer.init(dummy_transitions)
        @jax.jit
        def begin(buffer, env):
            _, transitions = rollout(jax.random.key(0), env)  # JAX104
            return buffer.add(transitions)
        prepare(a, b), prepare(a, c), begin(a, b), begin(a, c)
    """,
    "last batches that loaders keep, beside those that nobody gets": """
        import jax, jax.numpy as jnp, tensorflow as tf, tensorflow_datasets as tfds, torch
        from tqdm import tqdm
        @jax.jit
        def step(w, x):
            return w - jax.grad(lambda v: jnp.mean((x @ v) ** 2))(w)
        @jax.jit
        def loss(w, x):
            return jnp.mean((x @ w) ** 2)
        def loader(data, train):
            return torch.utils.data.DataLoader(data, batch_size=64, shuffle=train)
        def by_torch(data, w, sampler, drop):
            for number, batch in enumerate(tqdm(loader(data, True))):
                w = step(w, jnp.asarray(batch["x"].numpy()))  # JAX504
                print(loss(w, jnp.asarray(batch["x"].numpy())))
            for x, _ in torch.utils.data.DataLoader(data, 64, drop_last=True):
                w = step(w, x)
            for x in torch.utils.data.DataLoader(data, batch_sampler=sampler):
                w = step(w, x)
            for x in torch.utils.data.DataLoader(data, 64, drop_last=drop):
                w = step(w, x)
            for x in torch.utils.data.DataLoader(data):
                w = step(w, x)
            return w
        def by_tensorflow(x, w):
            data = tf.data.Dataset.from_tensor_slices(x)
            data = data.shuffle(1000)
            whole, endless = data.batch(64, drop_remainder=True), data.repeat().batch(64)
            data = data.batch(64).prefetch(1)
            for one in tfds.as_numpy(data):
                w = step(w, one)  # JAX504
            for one in whole.as_numpy_iterator():
                w = step(w, one)
            for one in tfds.as_numpy(endless):
                w = step(w, one)
            return w
    """,
    "trees that equinox compares in traced code": """
        import equinox as eqx, jax, jax.numpy as jnp
        @jax.jit
        def step(old, new):
            if eqx.tree_equal(old, new):  # JAX401
                return old
            return new
        @jax.jit
        def marked(old, new):
            return jnp.where(eqx.tree_equal(old, new), 1.0, 2.0)
        @jax.jit
        def shaped(x):
            if eqx.tree_equal(jax.eval_shape(jnp.sin, x), jax.eval_shape(jnp.cos, x)) is not True:
                raise ValueError("they differ")
            return jnp.sin(x)
        def trained(model, batches):
            old = model
            for batch in batches:
                model = eqx.apply_updates(model, batch)
                if eqx.tree_equal(old, model):
                    break
                old = model
            assert not eqx.tree_equal(old, model)
            return model
        step(jnp.ones(2), jnp.ones(2)), marked(1.0, 2.0), shaped(jnp.ones(2))
    """,
    "a handful of cases, each of which is compiled, beside many": """
        import jax
        import jax.numpy as jnp
        SUITE = [{"n": 1}, {"n": 2}]
        def run(case):
            def body(x, _):
                return x * case["n"], x
            return jax.lax.scan(body, jnp.ones(3), None, length=5)
        def main(names, found, folders):
            cases = [one for one in SUITE if one["n"] in names] if names else SUITE
            for case in cases:
                print(run(case))
            first, last = 95, 100
            for case in sorted(folders)[first:last]:
                print(run(case))
            chosen = folders[first:last]
            for case in chosen:
                print(run(case))
            for case in folders[first:]:
                print(run(case))  # JAX501
            grown = []
            for one in found:
                grown.append(one)
            for case in grown:
                print(run(case))  # JAX501
    """,
    "a gradient of what a turn has made once": """
        import jax, jax.numpy as jnp
        def scaled(data):
            @jax.jit
            def f(w):
                return (w * data).sum()
            return f
        def scaled_anew(data):
            @jax.jit  # JAX501
            def f(w):
                return (w * data).sum()
            return f
        def fit(datas, w):
            for d in datas:
                f = scaled(d)
                for _ in range(300):
                    w = w - jax.grad(f)(w)
            return w
        def fit_by_one(datas, w):
            for d in datas:
                w = w - scaled_anew(3.0)(w)
            return w
        print(fit([jnp.ones(3)] * 3, jnp.ones(3)), fit_by_one([jnp.ones(3)] * 3, jnp.ones(3)))
    """,
    "arrays that may be left out, in a helper of a helper": """
        import jax
        def encode(x, rng: jax.Array = None):
            if rng is None:
                rng = jax.random.key(0)
            return jax.random.normal(rng, x.shape) + x
        def encoded(x, rng: jax.Array = None):
            return encode(x, rng=rng)
        def strict(x, rng: jax.Array = None):
            return jax.random.normal(rng, x.shape)
        def strictly(x, rng: jax.Array = None):
            return strict(x, rng)
        def use(x):
            return encoded(x), strictly(x)  # JAX107
        def scaled(x: jax.Array, scale: jax.Array = None):
            if scale is None:
                scale = 1.0
            return x * scale if scale > 0 else x  # JAX401
        def outer(x: jax.Array, scale: jax.Array = None):
            return scaled(x, scale=scale)
        fine = jax.jit(lambda x: outer(x))
        bad = jax.jit(lambda x, scale: outer(x, scale))
        fine(a), bad(a, b)
    """,
    "keys of which one turn of a loop splits its own, and another one folds numbers in": """
        import jax
        def split(key):
            a, b = jax.random.split(key)
            return jax.random.normal(a) + jax.random.normal(b)
        def folded(key, count):
            return [jax.random.normal(jax.random.fold_in(key, i)) for i in range(count)]
        def compare(key, names, count):
            found = {}
            for number, name in enumerate(names):
                own = jax.random.fold_in(key, 100 + number)
                found[name] = split(own) if name == "split" else folded(own, count)
            return found
        def both(key, names, count):
            found = {}
            for number, name in enumerate(names):
                own = jax.random.fold_in(key, 100 + number)
                found[name] = split(own), folded(own, count)  # JAX105
            return found
    """,
    "calls that a function cannot be called by": """
        import jax
        def block(size, turns, key, strategy):
            a, b = jax.random.split(key)
            return jax.random.normal(a, (size,)) + jax.random.normal(b, (turns,))
        def blocks(key, strategy):
            return [block(3, k, strategy) for k in jax.random.split(key, 3)]
        def kept(key, strategy):
            return [block(3, 2, strategy, k) for k in jax.random.split(key, 3)]  # JAX102
        def scaled(key, *, scale):
            return jax.random.normal(key) * scale
        def twice(key):
            return scaled(key), scaled(key, 2), scaled(key, scale=2), scaled(key, scale=3)  # JAX101
        def made(config):
            def train(key, stage):
                return jax.random.normal(key) if stage == 0 else 0.0
            return train
        def tuned(config, key):
            return jax.jit(made(config))(key)  # JAX602
        def main(config, key):
            return jax.jit(lambda key: made(config)(key, 0))(key)
    """,
    "one use of a key in two loops": """
        import jax
        def episodes(rng, own, count, turns):
            found = []
            for _ in range(count):
                rng, sub = jax.random.split(rng)
                found.append(jax.random.normal(sub))
                for _ in range(turns):
                    found.append(jax.random.uniform(rng))  # JAX102
            for _ in range(count):
                own, sub = jax.random.split(own)
                found += [jax.random.normal(sub), jax.random.uniform(own)]  # JAX103
            return found
    """,
    "copies of one key for replicas": """
        import jax, jax.numpy as jnp
        from functools import partial
        class Model:
            def __init__(self, key, n):
                self.params = self._init_model(jnp.tile(key[None], (n, 1)))
                one = jax.random.key(1)
                other = jnp.stack([one] * n)  # JAX102
                self.noise = self.noisy(other)
            @partial(jax.pmap, static_broadcasted_argnums=0)
            def _init_model(self, key):
                return jax.random.normal(key, (3,))
            @partial(jax.pmap, static_broadcasted_argnums=0)
            def noisy(self, key):
                return jax.random.normal(key, (3,))
    """,
    "a key that is kept to begin alike": """
        import jax
        from typing import NamedTuple
        class Info(NamedTuple):
            state: jax.Array
            init_key: jax.Array
        class State(NamedTuple):
            state: jax.Array
            key: jax.Array
        class Wrapper:
            def __init__(self, env):
                self.env = env
            def reset(self, rng):
                return Info(self.env.reset(rng), init_key=rng)
            def again(self, info):
                return self.env.reset(info.init_key)
            def begin(self, rng):
                return State(self.env.reset(rng), key=rng)  # JAX103
            def step(self, state):
                return self.env.step(state.key)
        def run(env, rng):
            first, second = Wrapper(env).reset(rng), Wrapper(env).begin(jax.random.key(1))
            return Wrapper(env).again(first), Wrapper(env).step(second)
    """,
    "a body that does not take what it gets says nothing else": """
        import jax, jax.numpy as jnp
        def descended(f, x, steps):
            slope = jax.grad(f)
            def body(x):
                return x - 0.1 * slope(x)
            return jax.lax.fori_loop(0, steps, body, x)  # JAX602
        def settled(f, x, steps):
            slope = jax.grad(f)
            def body(i, x):
                return x - 0.1 * slope(x)
            return jax.lax.fori_loop(0, steps, body, x)
        descended(lambda x: jnp.sum(x**2), jnp.ones(2), 3), settled(lambda x: jnp.sum(x**2), jnp.ones(2), 3)
    """,
    "a method that classes below replace with another": """
        import jax
        from functools import partial
        class Base:
            def __init__(self, key):
                self.params = self.start(key)
            def start(self, key):
                raise NotImplementedError
            @partial(jax.jit, static_argnums=0)
            def update(self, params, x):
                return jax.value_and_grad(self.loss)(params, x, is_training=True)
            def value(self, params, x):
                return jax.grad(self.of_base)(params, x, x)  # JAX602
            def of_base(self, params, x):
                return (params * x).sum()
        class Plain(Base):
            def start(self, key):
                return jax.random.normal(key)
            def loss(self, params, x, is_training):
                return (params * x).sum()
        class Special(Base):
            def start(self):
                return jax.random.split(jax.random.normal(self.key))
            def loss(self, params, x, y):
                return (params * x * y).sum()
            def own(self, params, x):
                return jax.grad(self.loss)(params, x)  # JAX602
        Plain(jax.random.key(0)).update(1.0, 2.0), Special(jax.random.key(0)).own(1.0, 2.0)
    """,
    "a sketch that a sketch differentiates": """
        import jax
        def loss(params):
            ...
        def done(params):
            return (params ** 2).sum()
        @jax.jit
        def step():
            grads = jax.grad(loss)()
            return jax.grad(done)()  # JAX602
    """,
    "one of two functions, as a flag beside it tells": """
        import jax
        def of_two(p, x):
            return (p * x).sum()
        def of_three(p, x, step):
            return (p * x * step).sum()
        def made(spec):
            if spec.is_curriculum:
                return of_three, True
            return of_two, False
        def run(spec, p, x):
            loss, _ = made(spec)
            return jax.value_and_grad(loss)(p, x)
        def refused(spec, p, x):
            loss, _ = made(spec)
            return jax.value_and_grad(loss)(p)  # JAX602
    """,
    "an optimizer that is made in traced code": """
        import jax, optax
        from functools import partial
        @optax.inject_hyperparams
        def optimizer(rate):
            return optax.chain(optax.clip_by_global_norm(2.0), optax.adamw(rate))
        class Model:
            @partial(jax.jit, static_argnums=0)
            def start(self, params):
                self.opt = optimizer(self.rate)
                self.total = params.sum()  # JAX303
                return self.opt.init(params)
    """,
    "why a guard does nothing": """
        import jax
        class Model:
            def fit(self, x):
                if any(value is None for value in self.options.values()):
                    print("Cannot fit without options.")
                    return None
                print("fitted")  # JAX301
                return x * 2
        model = Model()
        @jax.jit
        def step(x):
            return model.fit(x)
        step(1.0), step(2.0)
    """,
    "a base class of modules that nobody makes": """
        from abc import ABC
        import flax.linen as nn
        class Decoder(ABC, nn.Module):
            def __init__(self):
                super().__init__()
        class Net(Decoder):
            width: int
            @nn.compact
            def __call__(self, x):
                return nn.Dense(self.width)(x)
        class Own(nn.Module):
            def __init__(self, width):  # JAX614
                self.width = width
            @nn.compact
            def __call__(self, x):
                return nn.Dense(self.width)(x)
    """,
    "results that are read in another arm": """
        import jax
        def of_two(rng, flag, log):
            rngs = jax.random.split(rng, 3)
            if flag:
                log.append(jax.random.normal(rng))
            else:
                log.append(jax.vmap(jax.random.normal)(rngs))
            return log
        def left(rng, flag, log):
            rngs = jax.random.split(rng, 3)
            if flag:
                log.append(jax.random.normal(rng))
                return log
            log.append(jax.vmap(jax.random.normal)(rngs))
            return log
        def of_both(rng, flag, log):
            rngs = jax.random.split(rng, 3)
            if flag:
                log.append(jax.random.normal(rng))  # JAX101
            log.append(jax.vmap(jax.random.normal)(rngs))
            return log
    """,
    "many results that are made in another arm": """
        import jax, jax.numpy as jnp
        from jax.random import normal
        def train(rng):
            made = [normal(key) for key in jax.random.split(rng, 5)]
            return {"a": made[0], "b": {"c": made, "d": (made[1], made[2])}, "e": {"f": made[3], "g": made[4]}}
        def one_of_two(rng, flag, log):
            rngs = jax.random.split(rng, 3)
            if flag:
                found = train(rng)
            else:
                found = jax.vmap(jax.jit(train))(rngs)
            print(found["a"], found["b"]["c"], found["e"], found["b"]["d"][0])
            if log:
                found["a"] = found["a"] + found["e"]["f"]
            return found
        def both(rng, flag):
            rngs = jax.random.split(rng, 3)
            found = jax.vmap(train)(rngs)
            if flag:
                found = found, train(rng)  # JAX101
            return found
    """,
    "a layer that updates its statistics": """
        import jax, jax.numpy as jnp
        from flax import linen as nn
        class Inner(nn.Module):
            train: bool
            def setup(self):
                self.norm = nn.BatchNorm(momentum=0.9)
            def __call__(self, x):
                return self.norm(x, use_running_average=not self.train)
        class Net(nn.Module):
            @nn.compact
            def __call__(self, x, train: bool = True):
                return nn.Dense(1)(nn.Dropout(0.4, deterministic=not train)(Inner(train)(x)))
        class Frozen(nn.Module):
            @nn.compact
            def __call__(self, x, train: bool):
                norm = nn.BatchNorm(use_running_average=True)
                return norm(x) if train else x
        def run(x, keys, options):
            key, one, two, three, four, five = keys
            net = Net()
            v = net.init({"params": key, "dropout": one}, x)
            a = net.apply(v, x, rngs={"dropout": two})  # JAX614
            b = net.apply(v, x, rngs={"dropout": three}, mutable=False)  # JAX614
            c = net.apply(v, x, mutable=["batch_stats"])  # JAX614
            d, new = net.apply(v, x, rngs={"dropout": four}, mutable=["batch_stats"])
            e = net.apply(v, x, rngs={"dropout": five}, mutable=options)
            frozen = Frozen()
            return a, b, c, d, e, net.apply(v, x, False), frozen.apply(frozen.init(jax.random.key(3), x, True), x, True)
    """,
    "a dict that is annotated as an array": """
        import jax, jax.numpy as jnp
        from typing import NamedTuple
        class Transition(NamedTuple):
            info: jnp.ndarray
            reward: jnp.ndarray
        def run(env, x, names, k):
            def step(carry, _):
                x, reward, info = env.step(carry)
                return x, Transition(info, reward)
            x, seen = jax.lax.scan(step, x, None, 3)
            info, name = seen.info, f"{k}"
            info["last"], info[f"skill_{k}"] = x, x
            info[name] = x
            del info[f"{k}"]
            info[k] = x  # JAX201
            return info
    """,
    "how many members a class has": """
        import enum, jax, jax.numpy as jnp, numpy as np
        class Block(enum.Enum):
            STONE = 0
            TREE = 1
        def body(c, i):
            return c + i, None
        def run(x):
            x, _ = jax.lax.scan(body, x, jnp.arange(len(Block)))
            x, _ = jax.lax.scan(body, x, np.array(sum(Block)))
            return jax.lax.scan(body, x, Block)  # JAX611
    """,
    "the seed among the options of a script": """
        import argparse, jax
        def twice():
            args = argparse.ArgumentParser().parse_args()
            data = jax.random.normal(jax.random.key(args.seed), (8, 3))
            weights = jax.random.normal(jax.random.key(args.seed), (3,))  # JAX105
            return data @ weights
        def others():
            args = argparse.ArgumentParser().parse_args()
            data = jax.random.normal(jax.random.key(args.seed), (8, 3))
            args.seed += 1
            weights = jax.random.normal(jax.random.key(args.seed), (3,))
            return data @ weights + jax.random.normal(jax.random.key(args.other))
    """,
    "a mask and an array that are made of the same argument": """
        import jax, jax.numpy as jnp
        def kept(x, mask):
            return x[mask].mean()  # JAX411
        @jax.jit
        def step(pred, target):
            mask = ~jnp.isnan(target)
            return kept((pred - target) ** 2, mask)
        def chosen(x, mask):
            return x[mask].mean()
        def eager(pred, target):
            return chosen((pred - target) ** 2, ~jnp.isnan(target))
        step(jnp.ones(3), jnp.ones(3))
    """,
    "a compiled function that nobody calls": """
        import jax, jax.numpy as jnp
        def measured(x):
            rows = jnp.where(x > 0)
            return x[rows]
        def chosen(x):
            return x[jnp.where(x > 0)]  # JAX411
        fast = jax.jit(measured)
        faster = jax.jit(chosen)
        measured(jnp.ones(3)), chosen(jnp.ones(3)), faster(jnp.ones(3))
    """,
    "results of two parts that are used as one": """
        import jax, jax.numpy as jnp
        def loss(w):
            return jnp.sum(w ** 2)
        def described(w, x):
            return jnp.mean(w * x), {"x": x}
        step = jax.jit(jax.value_and_grad(loss))
        def whole(xs):
            total = jax.lax.scan(lambda c, x: (c + x, None), 0.0, xs)
            y = jax.vjp(jnp.sin, xs)
            value = step(xs)
            if value < 3:  # JAX609
                print(value.item())  # JAX609
            return total * 2.0, jnp.sum(total), xs - y * 0.1  # JAX609
        def with_data(w, x):
            value, grads = jax.value_and_grad(described, has_aux=True)(w, x)
            return w - grads * value  # JAX609
        def parts(xs):
            pair = jax.value_and_grad(loss)(xs)
            total = jax.lax.scan(lambda c, x: (c + x, None), 0.0, xs)
            (value, data), grads = jax.value_and_grad(described, has_aux=True)(xs, xs)
            kept = pair + total, pair.count(1), len(pair), jax.tree.map(jnp.sum, pair)
            return pair[0] * 2, jnp.sum(total[0]), value * 2, kept
        def of_pairs(a, b):
            value, grads = jax.value_and_grad(lambda p: jnp.sum(p[0] * p[1]))((a, b))
            carry, ys = jax.lax.scan(lambda c, x: ((c[0] + x, c[1]), None), (0.0, 1.0), a)
            return value * 2, grads * 2, carry * 2
        def chosen(xs, whole):
            if whole:
                value = jax.value_and_grad(loss)(xs)[0]
            else:
                value = loss(xs)
            return value * 2
    """,
    "a clock before a loop of epochs over batches": """
        import time, jax
        def train(step, params, batches, key):
            step = jax.jit(step)
            start = time.time()
            for epoch in range(3):
                for raw in batches:
                    batch = raw["x"]
                    key, sub = jax.random.split(key)
                    params = step(params, batch, sub)
            jax.block_until_ready(params)
            return params, time.time() - start
    """,
    "a smoke test of a network with two streams": """
        import jax, flax.linen as nn
        class Net(nn.Module):
            @nn.compact
            def __call__(self, x):
                return nn.Dense(3)(x) + jax.random.normal(self.make_rng("sample"))
        if __name__ == "__main__":
            key = jax.random.key(0)
            x = jax.random.normal(key, (2, 3))
            params = Net().init(key, x)
            print(Net().apply(params, x, rngs={"sample": key, "noise": key}).shape)
        def run(params, x):
            key = jax.random.key(0)
            return Net().apply(params, x, rngs={"sample": key, "noise": key})  # JAX101
    """,
    "loops that count by themselves until a test fails": """
        import jax, jax.numpy as jnp
        @jax.jit
        def up(u):
            k = 0
            while k < 2000:  # JAX505
                u = u + 0.1 * (jnp.roll(u, 1) - u)
                k += 1
            return u
        @jax.jit
        def down(u):
            k = 1000
            while k >= 0:  # JAX505
                u, k = u + 0.1 * jnp.sin(u), k - 2
            return u
        def as_often(u, n):
            k = 0
            while k < n:  # JAX505
                u = u + 0.1 * jnp.sin(u)
                k += 1
            return u
        often, seldom = jax.jit(as_often, static_argnums=1), jax.jit(lambda u: as_often(u, 3))
        often(jnp.ones(3), 500), seldom(jnp.ones(3))
        @jax.jit
        def doubled(u):
            k = 1
            while k < 2000:
                u = u + jnp.roll(u, k)
                k *= 2
            return u
        @jax.jit
        def left(u, xs):
            k = 0
            while k < 2000:
                u = u + 0.1 * jnp.sin(u)
                k += 1
                if k > len(xs):
                    break
            return u
        @jax.jit
        def by_leaps(u):
            k = 0
            while k < 2000:
                u = u + jnp.roll(u, k)
                if u.ndim > 1:
                    k += 1
                else:
                    k += 1000
            return u
        @jax.jit
        def few(u):
            k = 0
            while k < 5:
                u = u + 0.1 * jnp.sin(u)
                k += 1
            return u
    """,
    "names that nothing imports, and arguments that nothing takes": """
        import jax, optax
        @jax.jit
        def noisy(x):
            return x + random.normal(x) * numpy.random.normal() + time.time()
        def made(rate, decay):
            return optax.adamw(rate, weight_decay=decay)
        def step(params):
            optimizer = made(0.1, decay=0.1, device="cpu")
            optimizer.init(params)
            other = made(0.1, decay=0.1)
            other.zero_grad()
            other.step()
            other.init(params)  # JAX202
    """,
    "a length that is divided": """
        import jax, jax.numpy as jnp
        @jax.jit
        def halved(x):
            rows, rest = jnp.divmod(x.shape[0], 2)
            return x.reshape(rows, 2)  # JAX408
        @jax.jit
        def paired(x):
            rows, rest = divmod(x.shape[0], 2)
            return x[: 2 * rows].reshape(rows, 2), jnp.divmod(x, 2.0)
        halved(jnp.ones(4)), paired(jnp.ones(5))
    """,
    "changed copies of trees that nobody takes": """
        import equinox as eqx, flax, jax, jax.numpy as jnp
        def zeroed(model):
            eqx.tree_at(lambda m: m.layers[0].bias, model, jnp.zeros(3))  # JAX202
            return model
        def updated(model, updates):
            eqx.apply_updates(model, updates)  # JAX202
            flax.core.freeze(model)  # JAX202
            return model
        def kept(model, log):
            eqx.tree_at(lambda m: log(m), model, jnp.zeros(3))
            model = eqx.tree_at(lambda m: m.bias, model, jnp.zeros(3))
            return eqx.combine(*eqx.partition(model, eqx.is_array))
    """,
    "a copy of what was made outside of the trace": """
        import chex, jax
        from flax.training.train_state import TrainState
        class Counted(TrainState):
            updates: int = 0
        @chex.dataclass
        class Several:
            state: Counted
            other: TrainState
        def train(key, both, network):
            both.state = both.state.replace(updates=0)
            def step(carry, _):
                (both,) = carry
                return carry, network.apply(both.state.params, carry)
            return jax.lax.scan(step, (both,), None, 3)
        def main(params, network, key):
            both = Several(state=Counted.create(params), other=TrainState.create(params))
            return jax.jit(lambda key: train(key, both, network))(key)
    """,
    "counters of comprehensions": """
        import jax
        def make(key, n):
            return jax.random.normal(key, (n,))
        def of_enumerate(key, sizes):
            return [make(jax.random.fold_in(key, i), n) for i, n in enumerate(sizes)]
        def of_zip(key, sizes):
            return tuple(make(key=jax.random.fold_in(key, i + 1), n=n) for n, i in zip(sizes, range(9)))
        def alike(key, sizes, k):
            return [make(jax.random.fold_in(key, k), n) for i, n in enumerate(sizes)]  # JAX105
    """,
    "lanes of a mapped function, mapped again": """
        import jax, jax.numpy as jnp
        rows = jax.pmap(lambda s: jnp.zeros(s.shape[0]))
        insert = jax.pmap(lambda to, new, at: jax.lax.dynamic_update_slice(to, new, [at]), in_axes=(0, 0, None))
        def filled(samples, parts):
            found = rows(samples)
            for at, part in enumerate(parts):
                found = insert(found, part, at)
            return found
        def twice(samples):
            sums = jax.vmap(lambda s: s.sum())(samples)
            more = jax.vmap(lambda one: one + 1)(sums)
            return jax.vmap(lambda one: one * 2)(more)
        def of_all(samples):
            total = jax.vmap(lambda s: s.sum())(samples).sum()
            return jax.vmap(lambda one: one + 1)(total)  # JAX605
    """,
    "fields that are stored by name when an object is made": """
        import dataclasses, jax.numpy as jnp
        @dataclasses.dataclass(frozen=True)
        class Stored:
            probs: list
            def __post_init__(self):
                found = jnp.asarray(self.probs)
                if found.ndim != 1:
                    raise ValueError("one axis")
                object.__setattr__(self, "probs", found)
            def log(self):
                return jnp.log(self.probs)
        @dataclasses.dataclass(frozen=True)
        class Kept:
            probs: list
            def __post_init__(self):
                object.__setattr__(self, "logs", jnp.asarray(self.probs))
            def log(self):
                return jnp.log(self.probs)  # JAX203
        Stored([0.1, 0.9]).log(), Kept([0.1, 0.9]).log()
    """,
    "what is written out beside a clock": """
        import jax, time
        step = jax.jit(lambda x: x @ x)
        def before(x):
            start = time.time()
            y = step(x)
            score = y.mean()
            print(f"{score} after {time.time() - start}")
            return y
        def behind(x):
            start = time.time()
            y = step(x)  # JAX702
            print(f"after {time.time() - start}: {y.mean()}")
            return y
    """,
    "lists as long as an annotation makes an array": """
        import jax.numpy as jnp
        def solved(a: jnp.ndarray, horizon: jnp.ndarray):
            kept = [jnp.zeros((2, 2))] * (horizon + 1)
            kept[horizon] = a
            return kept
        def halved(a):
            kept = [1, 2] * jnp.arange(2)  # JAX203
            kept[0] = 3  # JAX201
            return kept
    """,
    "a library of arrays that is exchanged": """
        import jax, numpy as np, numpy as xp
        @jax.jit
        def exchanged(x):
            return xp.log(x)
        @jax.jit
        def named(x):
            return np.log(x)  # JAX405
    """,
    "code for another library than JAX": """
        import jax, numpy as np
        from elsewhere import library_of
        def filled(x):
            out = np.zeros(3)
            out[0] = x.sum()
            return out
        def stored(x):
            out = np.zeros(3)
            out[0] = x.sum()  # JAX405
            return out
        @jax.jit
        def step(x):
            library = library_of(x)
            if library == "jax":
                return x
            return np.log(x) + filled(x)
        @jax.jit
        def wrong(x):
            library = library_of(x)
            if library == "jax":
                return stored(x)
            return x
    """,
    "a batch that the trace marks for itself": """
        import functools, jax
        def value_loss(params, batch):
            batch["masks"] = 1.0 - batch["rewards"]
            return (batch["rewards"] * params + batch["masks"]).mean()
        def marked_loss(params, batch):
            loss = (batch["rewards"] * params).mean()
            batch["loss"] = loss  # JAX303
            return loss
        @jax.jit
        def update(params, batch):
            return params - jax.grad(functools.partial(value_loss, batch=batch))(params)
        @jax.jit
        def marking(params, batch):
            return params - jax.grad(functools.partial(marked_loss, batch=batch))(params)
    """,
    "what the caller of a helper puts back": """
        import jax
        class Model:
            def __init__(self):
                self.basis, self.mode = False, "a"
            def reset(self):
                self.basis, self.mode = False, "a"
        def prepare(model):
            model.basis = True
            model.mode = "b"  # JAX303
        def solve(model, x):
            before = model.basis
            prepare(model)
            x = x * 2
            model.basis = before
            return x
        class Solver:
            def __init__(self):
                self.model = Model()
            def run(self, x):
                return jax.jit(lambda x: solve(self.model, x))(x)
    """,
    "methods that a subclass may replace": """
        import jax, jax.numpy as jnp
        class Problem:
            def bounds(self, x):
                "The bounds, where a subclass has some."
                return None
            def counted(self, x):
                self.count = 1
                return None
            def solve(self):
                found = jax.jacrev(self.bounds)
                return found, jax.jacrev(self.counted)  # JAX601
    """,
    "what a text in another spelling chooses": """
        import jax.numpy as jnp, numpy as np
        def looped(x):
            x[0] = 1.0
            return x
        def other(x):
            x[0] = 1.0  # JAX201
            return x
        def init(x, implementation="loop"):
            if implementation.lower() == "loop":
                return looped(x)
            return x.at[0].set(1.0)
        def wrong(x, implementation="loop"):
            if implementation.lower() == "loop":
                return x
            return other(x)
        init(np.zeros(3)), init(jnp.zeros(3), "JAX"), wrong(jnp.zeros(3), "JAX")
    """,
    "what a setter hands in": """
        import jax
        class Problem:
            def set_params(self, params):
                self.params = params
            def keep(self, params):
                self.last = params  # JAX303
            def energy(self):
                return self.params.sum()
        class Solver:
            def __init__(self, problem):
                self.problem = problem
            def solve(self, params):
                self.problem.set_params(params)
                self.problem.keep(params)
                return self.problem.energy()
        jax.jit(Solver(Problem()).solve)(1.0)
    """,
    "what an option chooses that nobody knows, far down": """
        import jax, numpy as np
        from elsewhere import options
        def filled(x):
            return np.asarray(x) * 2
        def solved(x):
            if options.method == "host":
                return filled(x)
            if options.schedule is not None:
                assert x.sum() > 0
            return x
        def called(x):
            return solved(x) * 2
        def near(x):
            if options.method == "host":
                return np.exp(x)  # JAX405
            if options.schedule is not None:
                assert x.sum() > 0  # JAX401
            return x
        def far(x):
            return farther(x)
        def farther(x):
            if options.schedule is None:
                assert x.max() > 0  # JAX401
            return x
        @jax.jit
        def step(x):
            return called(x) + near(x) + far(x)
    """,
    "errors that a helper expects of what it is handed": """
        import jax, jax.numpy as jnp, numpy as np
        def fitted(x):
            return np.asarray(x) * 2
        def drawn(x):
            return np.asarray(x) * 3  # JAX405
        def need_gradient(f):
            try:
                slope = jax.grad(f)
                slope(jnp.array(1.0))
            except Exception as error:
                raise TypeError("no gradient") from error
        def run(f):
            try:
                return jax.jit(f)(jnp.array(1.0))
            except KeyboardInterrupt:
                return None
        def need_function(f):
            if not callable(f):
                raise TypeError("no function")
            mapped = jax.vmap(f)
            return lambda x: mapped(x)
        def take_function(f):
            mapped = jax.vmap(f)  # JAX606
            return lambda x: mapped(x)
        need_gradient(fitted), run(drawn), need_function(42), take_function(42)
    """,
    "as many axes as star-arguments": """
        import jax, jax.numpy as jnp
        def built(f, data):
            if len(data) == 1:
                mapped = jax.vmap(f, in_axes=(None, 0))
            else:
                mapped = jax.vmap(f, in_axes=(None, 0, 0))
            def mean(w, *xs):
                return jnp.mean(mapped(w, *xs))
            return jax.jit(jax.grad(mean))
        DATA = (jnp.zeros(3),)  # JAX901
        def fitted(w):
            return built(lambda w, x: w * x, DATA)(w, *DATA)
        def wrong(w, x):
            return jax.vmap(lambda w, x: w * x, in_axes=(None, 0, 0))(w, x)  # JAX605
    """,
    "one of several functions by the types of arguments": """
        import functools, jax
        from plum import dispatch
        from elsewhere import logged
        @jax.jit
        @dispatch
        def integral(x, omega=None):
            return x if omega == 0 else x * omega
        @functools.singledispatch
        def show(x):
            return x if x > 0 else -x
        @logged
        def plain(x):
            return x if x > 0 else -x  # JAX401
        @jax.jit
        def step(x):
            return show(x) + integral(x, omega=x) + plain(x)
    """,
    "keys of a file that has none of JAX": """
        import jax, numpy as np
        from sklearn.model_selection import train_test_split
        class Store:
            def __init__(self, file, seed):
                self.keys = list(file.keys())
                self.rng = np.random.default_rng(seed)
                self.random_seed = seed
            def shuffled(self):
                keys = self.keys.copy()
                self.rng.shuffle(keys)
                return keys
            def parts(self, x):
                return train_test_split(jax.device_get(x), random_state=self.random_seed)
    """,
    "what is set for good, and what somebody sets back": """
        import jax
        BACKEND, PHASE, ORDER, OPTIONS, COUNT = None, "rest", 1, {}, 0
        def chosen(name):
            return name
        def counted(n):
            return n + 1
        @jax.jit
        def step(x):
            global BACKEND, PHASE, ORDER, COUNT
            BACKEND = chosen("fast")
            PHASE = "step"  # JAX303
            ORDER = 2
            COUNT = counted(COUNT)  # JAX303
            OPTIONS["done"] = True
            OPTIONS["phase"] = "step"  # JAX303
            return x
        def rest():
            global PHASE
            PHASE = "rest"
            OPTIONS['phase'] = "rest"
    """,
    "settings that are read far down": """
        import functools, jax, os
        def limit():
            return float(os.environ["LIMIT"])
        def table(path):
            with open(path) as file:
                return float(file.read())
        def bounded(x):
            return x * limit() + table("a.txt")
        @jax.jit
        def step(x):
            return bounded(x)
        @jax.jit
        def bounded_here(x):
            with open("a.txt") as file:  # JAX304
                return x * float(file.read()) * float(os.environ["LIMIT"])  # JAX304
    """,
    "what a traced method keeps of its own": """
        import functools, jax
        class Solver:
            alternates = False
            def __init__(self):
                self.dx, self.scale, self.mode = 0.1, 1.0, "fine"
                self.traced_as = "fine"
                self.is_solved = False
            def refine(self):
                self.dx, self.scale = self.dx * 0.5, 2.0
                self.mode = "fine"
            def solve(self, x):
                self.refine()
                first = self.steps(x)
                self.refine()
                return first, self.steps(x)
            @functools.partial(jax.jit, static_argnums=0)
            def steps(self, x):
                self.alternates = False
                self.traced_as = "fine"
                self.is_solved = True
                self.mode = "coarse"  # JAX303
                (x, self.dx), _ = jax.lax.scan(  # JAX303
                    lambda c, _: ((c[0] * c[1], c[1] * 0.5), None), (x, self.dx), length=3
                )
                return x * self.scale  # JAX302
    """,
    "trees whose leaves are held against each other": """
        import jax, jax.numpy as jnp
        def equal(a, b):
            return jax.tree.all(jax.tree.map(jnp.allclose, a, b))  # JAX402
        def alike(a, b):
            return jax.tree.structure(a) == jax.tree.structure(b) and all(
                x.shape == y.shape for x, y in zip(jax.tree.leaves(a), jax.tree.leaves(b))
            )
        @jax.jit
        def step(old, new):
            if not alike(old, new):
                raise ValueError
            if equal(old, new):
                return old
            return new
        step({"w": jnp.ones(2)}, {"w": jnp.zeros(2)})
    """,
    "what unknown code makes of a class": """
        import jax
        from somewhere import made, registered
        class Agent:
            def step(self, x):
                return x
        @registered
        class Kept:
            def step(self, x):
                return x
        class Bound:
            def step(self, x):
                return x
        Bound = registered(Bound)
        def without_constructor(x):
            agent = Agent.__new__(Agent)
            return jax.jit(agent.step)(x)
        def of_maker(x):
            agent = made(Agent)
            return jax.jit(agent.step)(x)
        def of_decorated(x):
            return jax.jit(Kept().step)(x, x), jax.jit(Bound().step)(x, x)  # JAX602  # JAX602
    """,
    "a method that compiles anew before each run": """
        import jax, jax.numpy as jnp
        class Anew:
            def __init__(self, scale, fn):
                self.scale, self.fn = scale, fn
                self._step = None
            def compile(self):
                self._step = jax.jit(lambda w: self.fn(w) - self.scale * w)
            def swap(self, scale, fn):
                self.scale, self.fn = scale, fn
                self.compile()
            def run(self, w):
                self.compile()
                return self._step(w)
        class Once:
            def __init__(self, scale):
                self.scale = scale
                self._step = jax.jit(lambda w: self.scale * w)  # JAX302
            def swap(self, scale):
                self.scale = scale
            def run(self, w):
                return self._step(w)
        def swapped(once, w):
            first = once.run(w)
            once.swap(2.0)
            return first, once.run(w)
    """,
    "the state of an optimizer in a loop": """
        import equinox as eqx, jax, jax.numpy as jnp, optax
        tx = optax.adam(1e-3)
        def loss(params, x):
            return jnp.sum((params * x) ** 2)
        def dropped(params, data):
            state = tx.init(params)
            for x in data:
                updates, _ = tx.update(jax.grad(loss)(params, x), state, params)  # JAX614
                params = optax.apply_updates(params, updates)
            return params
        @jax.jit
        def step(params, state, x):
            updates, state = tx.update(jax.grad(loss)(params, x), state, params)
            return optax.apply_updates(params, updates), state
        def dropped_here(params, data):
            state = tx.init(params)
            for x in data:
                params, _ = step(params, state, x)  # JAX614
            return params
        def through(model, data):
            optim = optax.chain(optax.clip(1.0), optax.adamw(1e-3))
            kept = optim.init(model)
            while data:
                updates, new = optim.update(jax.grad(loss)(model, data.pop()), kept, model)  # JAX614
                model = eqx.apply_updates(model, updates)
            return model
        def handed_on(params, data):
            state = tx.init(params)
            for x in data:
                updates, new = tx.update(jax.grad(loss)(params, x), state, params)
                params, state = optax.apply_updates(params, updates), new
            for x in data:
                params, state = step(params, state, x)
            return params
        def tried(params, data):
            state, best = tx.init(params), params
            for x in data:
                other, _ = step(params, state, x)
                updates, _ = tx.update(jax.grad(loss)(params, x), state, params)
                best = max(best, other, optax.apply_updates(params, updates), key=lambda one: loss(one, x))
            return best
        def without_memory(params, data):
            plain = optax.sgd(0.1)
            state = plain.init(params)
            for x in data:
                updates, _ = plain.update(jax.grad(loss)(params, x), state)
                params = optax.apply_updates(params, updates)
            return params
        def with_momentum(params, data, momentum):
            heavy, some = optax.sgd(0.1, momentum=0.9), optax.sgd(0.1, momentum=momentum)
            state, other = heavy.init(params), some.init(params)
            for x in data:
                params = optax.apply_updates(params, heavy.update(jax.grad(loss)(params, x), state)[0])  # JAX614
                params = optax.apply_updates(params, some.update(jax.grad(loss)(params, x), other)[0])
            return params
        def anew(params, tasks):
            for x in tasks:
                state = tx.init(params)
                updates, _ = tx.update(jax.grad(loss)(params, x), state, params)
                params = optax.apply_updates(params, updates)
            return params
    """,
    "indices into what an object holds": """
        import jax.numpy as jnp
        class Table:
            def __init__(self, n):
                self.rows, self.sums = jnp.zeros((3, 4)), jnp.zeros(n)
            def last(self):
                return self.rows[3, 0]  # JAX204
            def total(self):
                return self.sums[5]  # JAX204
            def fine(self):
                return self.rows[2, 3] + self.sums[2]
        class Longer(Table):
            def __init__(self):
                super().__init__(3)
                self.sums = jnp.zeros(6)
        class Held(Table):
            def hold(self, rows):
                self.rows = rows
        def certain():
            return Table(3).last(), Table(3).fine(), Table(5).total(), Table(6).total()
        def stored(rows):
            held, longer, other = Held(3), Longer(), Table(6)
            held.hold(rows)
            other.rows = jnp.ones((9, 9))
            return held.last(), longer.total(), other.last()
        def unknown(table: Table):
            return table.last(), table.total()
    """,
    "variables of nnx that are captured": """
        import jax, jax.numpy as jnp
        from flax import nnx
        count = nnx.Variable(jnp.array(0))
        class Counter(nnx.Module):
            def __init__(self):
                self.n = nnx.Variable(jnp.array(0))
            def bump(self):
                self.n.value = self.n.value + 1  # JAX614
            def both(self, x):
                self.n.value = self.n.value + x
                return x
        @jax.jit
        def of_module(x):
            count.value += 1  # JAX614
            return x * 2
        def of_object(xs):
            counter = Counter()
            @jax.jit
            def body(x):
                counter.n.value += 1  # JAX614
                counter.bump()
                return x
            return [body(x) for x in xs], of_module(jnp.ones(3))
        def of_host(xs):
            counter = Counter()
            for x in xs:
                counter.n.value += 1
                count.value = counter.both(x)
            return counter
        @nnx.jit
        def kept(counter, x):
            counter.n.value += 1
            return counter.both(x)
        def split(x):
            graphdef, state = nnx.split(Counter())
            @jax.jit
            def step(state, x):
                counter = nnx.merge(graphdef, state)
                counter.both(x)
                own = Counter()
                own.n.value += 1
                return nnx.state(counter), own.n.value
            return step(state, x), kept(Counter(), x)
        def referenced(x):
            total = jax.new_ref(jnp.zeros(3))
            @jax.jit
            def step(x):
                total[...] = total[...] + x
            step(x)
            return total[...]
    """,
    "the old state of an optimizer, handed back": """
        import jax, jax.numpy as jnp, optax
        tx = optax.adam(1e-3)
        def loss(params, x):
            return jnp.sum((params * x) ** 2)
        def scanned(params, xs):
            def body(carry, x):
                params, state = carry
                updates, new_state = tx.update(jax.grad(loss)(params, x), state, params)  # JAX614
                params = optax.apply_updates(params, updates)
                return (params, state), None
            return jax.lax.scan(body, (params, tx.init(params)), xs)
        def step(params, state, x):
            updates, _ = tx.update(jax.grad(loss)(params, x), state, params)  # JAX614
            return optax.apply_updates(params, updates), state
        def first(params, state, x):
            updates = tx.update(jax.grad(loss)(params, x), state, params)[0]  # JAX614
            params = optax.apply_updates(params, updates)
            return {"params": params, "state": state}
        def right(params, xs):
            def body(carry, x):
                params, state = carry
                updates, state = tx.update(jax.grad(loss)(params, x), state, params)
                params = optax.apply_updates(params, updates)
                return (params, state), None
            return jax.lax.scan(body, (params, tx.init(params)), xs)
        def both(params, state, x):
            updates, new = tx.update(jax.grad(loss)(params, x), state, params)
            return optax.apply_updates(params, updates), state, new
        def left(params, state, x, is_ready):
            updates, new = tx.update(jax.grad(loss)(params, x), state, params)
            if not is_ready:
                return params, state
            return optax.apply_updates(params, updates), new
        def chosen(params, state, x):
            updates, new = tx.update(jax.grad(loss)(params, x), state, params)
            params = optax.apply_updates(params, updates)
            state = jax.tree.map(lambda n, o: jnp.where(x.sum() > 0, n, o), new, state)
            return params, state
        def ahead(params, state, x):
            updates, _ = tx.update(jax.grad(loss)(params, x), state, params)
            return loss(optax.apply_updates(params, updates), x), state
        def ahead_first(params, state, x):
            updates, _ = tx.update(jax.grad(loss)(params, x), state, params)
            other = optax.apply_updates(params, updates)
            updates, state = tx.update(jax.grad(loss)(other, x), state, params)
            return optax.apply_updates(params, updates), state
    """,
    "networks that are given one key": """
        import jax
        class Agent:
            def __init__(self, build):
                self.preproc, self.actor, self.critic, self.sampled = build()
            def loss(self, actor_params, critic_params, obs, key):
                feature = self.preproc(actor_params, key, obs)
                noise = jax.random.normal(key, feature.shape)
                action = self.actor(actor_params, key, feature) + noise
                return self.critic(critic_params, key, feature, action)
            def model(self, parts, params, obs, key):
                step = parts.transition(params, key, obs)
                seen = parts.projection(params, key, step)
                weights = jax.vmap(parts.get_logprob, in_axes=(0, None))(seen, key)
                return parts.prediction(params, key, seen) * weights + jax.random.normal(key, seen.shape)
            def both(self, dist, key):
                action, weight = dist.sample_and_log_prob(seed=key)
                return action, weight, jax.random.normal(key, action.shape)  # JAX101
            def probable(self, parts, params, obs, key):
                drawn = parts.get_prob_samples(obs, key)
                return drawn + jax.random.normal(key, drawn.shape)  # JAX101
            def target(self, params, obs, key):
                action = self.sampled(params, key, obs)
                return action + jax.random.normal(key, action.shape)  # JAX101
            def mixed(self, params, obs, key):
                action = self.actor(obs, key)
                return action + jax.random.normal(key, action.shape)  # JAX101
    """,
    "lanes of what maps arrays alone": """
        import equinox as eqx, jax, jax.numpy as jnp
        def added():
            return eqx.filter_vmap(lambda a, b: a + b)(jnp.ones((3, 2)), jnp.ones((4, 2)))  # JAX605
        @eqx.filter_vmap
        def product(a, b):
            return a * b
        def declared():
            return product(jnp.zeros(5), jnp.zeros(6))  # JAX605
        def turned(a):
            return eqx.filter_vmap(lambda a, b: a @ b, in_axes=(0, 1))(a, jnp.ones((2, 4)))  # JAX605
        def of_caller():
            return turned(jnp.ones((3, 2))), turned(jnp.ones((4, 2)))
        def of_keys(key):
            keys = jax.random.split(key, 8)
            return jax.vmap(lambda k, x: jax.random.normal(k) + x)(keys, jnp.zeros(10))  # JAX605
        def of_any_number(key, n):
            return jax.vmap(lambda k, x: jax.random.normal(k) + x)(jax.random.split(key, n), jnp.zeros(10))
        def of_as_many(key):
            keys = jax.random.split(key, 8)
            return jax.vmap(lambda k, x: jax.random.normal(k) + x)(keys[:4], jnp.zeros(4)), keys[4:]
        def numbers(x):
            scaled = eqx.filter_vmap(lambda a, n: a * n)(jnp.ones(3), 3)
            whole = eqx.filter_vmap(lambda a, b: a + b, in_axes=(0, None))(jnp.ones((3, 2)), jnp.ones(4))
            named = eqx.filter_vmap(lambda a, b: a + b)(jnp.ones((3, 2)), b=2.0)
            return scaled, whole, named, eqx.filter_vmap(lambda a, b: a @ b, in_axes=(0, 1))(jnp.ones((3, 2)), x)
    """,
    "axes that an error tells to be unbound": """
        import jax, jax.numpy as jnp
        from jax import lax
        def total(x):
            try:
                return lax.psum(x, "i")
            except NameError:
                return x
        def needed(x):
            return lax.psum(x, "i")  # JAX605
        def tried(x):
            try:
                return inner(x)
            except NameError:
                return x
        def inner(x):
            return lax.psum(x, "j")
        if __name__ == "__main__":
            total(jnp.ones(3)), tried(jnp.ones(3)), needed(jnp.ones(3))
    """,
    "two networks whose parameters are made of one key": """
        import flax.linen as nn, haiku as hk, jax
        class Actor(nn.Module):
            @nn.compact
            def __call__(self, x):
                return nn.Dense(3)(x)
        class Critic(nn.Module):
            @nn.compact
            def __call__(self, x, a):
                return nn.Dense(3)(x) + a
        def build(key, x, a):
            actor, critic = Actor(), Critic()
            params = actor.init(key, x)
            feature = actor.apply(params, x)
            return params, critic.init(key, feature, a)
        def of_haiku(key, x):
            actor = hk.transform(lambda x: hk.Linear(3)(x))
            critic = hk.transform(lambda x: hk.Linear(1)(x))
            params = actor.init(key, x)
            return params, critic.init(key, actor.apply(params, None, x))  # JAX101
    """,
    "models that are fitted and predict from one key": """
        import jax
        from numpyro.infer import MCMC, NUTS, Predictive
        def compared(one, other, x):
            key = jax.random.key(0)
            first, second = MCMC(NUTS(one)), MCMC(NUTS(other))
            first.run(key, x)
            second.run(key, x)
            for depth in (8, 10):
                deep = MCMC(NUTS(one, max_tree_depth=depth))
                deep.run(key, x)
                deep.print_summary()
            return Predictive(one, first.get_samples())(key, x), Predictive(other, second.get_samples())(key, x)
        def of_seeds(one, x, y):
            fit = MCMC(NUTS(one))
            fit.run(jax.random.key(0), x)
            predict = Predictive(one, fit.get_samples())
            return predict(jax.random.key(0), x), predict(jax.random.key(0), y)
        def of_data(one, key):
            x = jax.random.normal(key, (9,))
            fit = MCMC(NUTS(one))
            fit.run(key, x)  # JAX101
            return fit.get_samples()
    """,
    "code below a switch of the module that is off": """
        import jax, jax.numpy as jnp, numpy as np
        DEBUG, STATE = False, False
        VERBOSE: bool = False
        LEVEL = 0
        def enable():
            global STATE
            STATE = True
        def checked(x):
            if DEBUG:
                assert float(x.sum()) > 0
            if VERBOSE and x.sum() > 0:
                return -x
            return x if not VERBOSE else int(x)
        def shown(x):
            if LEVEL > 1:
                print(np.asarray(x))
            if not DEBUG:
                print(np.asarray(x))  # JAX405
            if STATE:
                return -x if x.sum() > 0 else x  # JAX401
            return x
        @jax.jit
        def model(x):
            return checked(x) + shown(x)
        def noise(key):
            if DEBUG:
                print(jax.random.normal(key), jax.random.uniform(key))  # JAX101
    """,
    "one seed of flags for two draws": """
        import jax
        from absl import flags
        FLAGS = flags.FLAGS
        def both():
            x = jax.random.normal(jax.random.PRNGKey(FLAGS.seed), (4, 3))
            return x @ jax.random.normal(jax.random.PRNGKey(FLAGS.seed), (3,))  # JAX105
        def apart():
            x = jax.random.normal(jax.random.PRNGKey(FLAGS.seed), (4, 3))
            return x @ jax.random.normal(jax.random.PRNGKey(FLAGS.seed + 1), (3,))
        def other():
            x = jax.random.normal(jax.random.PRNGKey(FLAGS.seed), (4, 3))
            return x @ jax.random.normal(jax.random.PRNGKey(FLAGS.data_seed), (3,))
    """,
    "a key in each step of a reduction": """
        import jax, jax.numpy as jnp
        from functools import partial, reduce
        def layers(fs, x, key):
            return reduce(lambda h, f: f(h) + jax.random.normal(key, h.shape), fs, x)  # JAX102
        def noisy(h, w, key):
            return h @ w + jax.random.normal(key, (3,))
        def bound(ws, x, key):
            return reduce(partial(noisy, key=key), ws, x)  # JAX102
        def carried(key, scales):
            def step(carry, scale):
                total, key = carry
                key, sub = jax.random.split(key)
                return total + scale * jax.random.uniform(sub, (4,)), key
            return reduce(step, scales, (jnp.zeros(4), key))
        def each(key, n):
            keys = jax.random.split(key, n)
            return reduce(lambda total, one: total + jax.random.normal(one, (4,)), keys, jnp.zeros(4))
        def numbered(key, n):
            return reduce(lambda total, i: total + jax.random.normal(jax.random.fold_in(key, i)), range(n), 0.0)
    """,
    "properties that compile a new function": """
        import jax
        from functools import cached_property
        class Each:
            def __init__(self, w):
                self.w = w
            @property
            def step(self):
                return jax.jit(lambda x: x * self.w)  # JAX501
            def run(self, xs):
                return [self.step(x) for x in xs]
            def named(self, xs):
                for x in xs:
                    step = self.step
                    step(x)
        class Other:
            def __init__(self, w):
                self.w = w
            @property
            def once(self):
                return jax.jit(lambda x: x * self.w)
            @property
            def scaled(self):
                scale = self.scale
                return jax.jit(lambda x: x * scale)
            @cached_property
            def kept(self):
                return jax.jit(lambda x: x * self.w)
            @property
            def held(self):
                if self._held is None:
                    self._held = jax.jit(lambda x: x * self.w)
                return self._held
            def run(self, xs, scales):
                once = self.once
                for x, scale in zip(xs, scales):
                    self.scale = scale
                    yield once(x), self.kept(x), self.held(x), self.scaled(x)
    """,
    "the type of a field, by an attribute of the class": """
        import jax
        from typing import NamedTuple
        class State(NamedTuple):
            x: jax.Array
        class Learner:
            state = State
            later = State
            other = State
            def __init__(self, make, x):
                self.state = make(x)
                self.step = jax.jit(lambda state, y: state)
            def start(self, state):
                self.later = state
            def learn(self, y):
                return self.step(self.state, y), self.step(self.later, y), self.step(self.other, y)  # JAX611
    """,
    "items that a call stores": """
        import operator, jax, jax.numpy as jnp, numpy as np
        from operator import setitem
        def function():
            x = jnp.zeros(3)
            operator.setitem(x, 0, 1.0)  # JAX201
            operator.delitem(x, 1)  # JAX201
            return x
        def method(n):
            x = jnp.arange(n)
            x.__setitem__(0, 5)  # JAX201
            return x
        def put(a, i, v):
            setitem(a, i, v)  # JAX201
            return a
        def helped():
            return put(jnp.ones(4), 1, 2.0)
        def others(keys, values):
            x, entries = np.zeros(3), {}
            operator.setitem(x, 0, 1.0)
            operator.setitem(entries, "a", jnp.ones(3))
            entries.__setitem__("b", jnp.ones(3))
            list(map(operator.setitem, [entries, entries], keys, values))
            return put(x, 0, 1.0), entries
    """,
    "code for arrays of NumPy, by the module that a function chose": """
        import jax, jax.numpy as jnp, numpy as np
        def namespace(*arrays):
            return jnp if any(isinstance(each, jax.Array) for each in arrays) else np
        def chosen(*arrays):
            for each in arrays:
                if isinstance(each, jax.Array):
                    return jnp
            return np
        def scaled(x):
            xp = namespace(x)
            if xp is np and np.any(x == 0):
                return x
            if xp is not jnp:
                return x / max(float(np.max(x)), 1.0)
            return x / xp.maximum(xp.max(x), 1)
        def named(x):
            xp = chosen(x)
            if xp.__name__ == "numpy":
                return x if x.max() > 0 else -x
            return xp.abs(x)
        def written(x):
            xp = jnp if isinstance(x, jax.Array) else np
            is_host = xp is np
            if is_host and x.max() > 0:
                return np.sort(x)
            return xp.sort(x)
        def wrong(x):
            xp = namespace(x)
            if xp is jnp:
                return x if x.max() > 0 else -x  # JAX401
            return xp.where(x > 0, x, np.float32(x.max()))
        def handed(x, xp):
            if xp is np:
                return x if x.max() > 0 else -x  # JAX401
            return xp.abs(x)
        compiled = [jax.jit(scaled), jax.jit(named), jax.jit(written), jax.jit(wrong)]
        print(jax.jit(lambda x: handed(x, np))(jnp.ones(3)), jax.jit(lambda x: handed(x, jnp))(jnp.ones(3)))
    """,
    "the name of a module, asked for": """
        import jax, jax.numpy as jnp, numpy as np
        def spence(z):
            return np.abs(z)
        def numbers(z):
            if "jax" in np.__name__ or np.__name__ == "jax.numpy":
                return jax.vmap(spence)(z)
            return spence(z)
        def magnitude(z):
            return np.sqrt(z)  # JAX405
        def arrays(z):
            if "jax" in jnp.__name__:
                return jax.jit(magnitude)(z)
            return magnitude(z)
    """,
    "results that are held against each other": """
        import jax, jax.numpy as jnp, numpy as np
        def restored(model, load, xs):
            kept = jax.vmap(model)(xs, jax.random.split(jax.random.key(0), 3))
            again = jax.vmap(load(model))(xs, jax.random.split(jax.random.key(0), 3))
            assert jnp.allclose(kept, again)
        def same(key):
            a = jax.random.normal(key, (3,))
            b = jax.random.normal(key, (3,))
            np.testing.assert_allclose(a, b)
        def added(key):
            a = jax.random.normal(key, (3,))
            b = jax.random.normal(key, (3,))  # JAX101
            return a + b
    """,
    "one key at each place of a list, and lists that are filled anew": """
        import jax, jax.numpy as jnp
        def repeated(key, n):
            keys = [key] * n
            return [jax.random.normal(k, (3,)) for k in keys]  # JAX102
        def counted(key, n):
            keys = (key,) * n
            return [jax.random.normal(keys[i], (3,)) for i in range(n)]  # JAX102
        def named(key, names):
            keys = dict(zip(names, [key] * len(names)))
            return {name: jax.random.normal(keys[name], (3,)) for name in names}  # JAX102
        def gathered(key, n):
            keys = [key for _ in range(n)]
            return [jax.random.normal(k, (3,)) for k in keys]  # JAX102
        def stored(key, n):
            keys = [key] * n
            for i in range(n):
                keys[i] = jax.random.fold_in(key, i)
            return [jax.random.normal(k, (3,)) for k in keys]
        def few(key):
            keys = [key] * 3
            for i in range(3):
                keys[i] = jax.random.fold_in(key, i)
            return [jax.random.normal(k, (3,)) for k in keys]
        def numbered(key, n):
            keys = [key for _ in range(n)]
            for i in range(n):
                keys[i] = jax.random.fold_in(key, i)
            return {i: jax.random.normal(k, (3,)) for i, k in enumerate(keys)}
        def folded(key, n):
            keys = [jax.random.fold_in(k, i) for i, k in enumerate([key] * n)]
            return [jax.random.normal(k, (3,)) for k in keys]
        def changed(key, n, change):
            keys = [key] * n
            change(keys)
            return [jax.random.normal(k, (3,)) for k in keys]
        def sizes(stride, n, x):
            strides = (stride,) * n
            return [x.shape[0] * one for one in strides]
    """,
    "rows that are picked again and again by one key": """
        import jax
        def resample(key, data):
            rows = jax.random.choice(key, data.shape[0], (data.shape[0],))
            return data[rows]
        def means(key, n, data):
            return [resample(key, data).mean() for _ in range(n)]  # JAX102
        def directly(key, n, data):
            return [data[jax.random.choice(key, data.shape[0], (8,))].mean() for _ in range(n)]  # JAX102
        def constant(key, n, data):
            return [resample(jax.random.fold_in(key, 7), data).mean() for _ in range(n)]  # JAX105
        def aligned(key, views):
            return [resample(key, views[i]) for i in range(2)]
        def of_each(key, views):
            return [view[jax.random.permutation(key, 8)] for view in views]
        def counted(key, n, data):
            return [resample(jax.random.fold_in(key, i), data).mean() for i in range(n)]
    """,
    "fields that an annotation or their maker calls static": """
        import equinox as eqx, jax, jax.numpy as jnp, jax_dataclasses as jdc
        from simple_pytree import static_field
        @jdc.pytree_dataclass
        class Row:
            width: jdc.Static[int]
            blocks: jax.Array
            def dense(self):
                if self.blocks.ndim == 3:
                    return jax.vmap(Row.dense)(self)
                assert self.blocks.shape[0] == self.width
                return jnp.zeros((2, self.width))
        @jdc.pytree_dataclass
        class Open:
            width: int
            blocks: jax.Array
            def dense(self):
                if self.blocks.ndim == 3:
                    return jax.vmap(Open.dense)(self)
                return jnp.zeros((2, self.width))  # JAX410
        class Layer(eqx.Module):
            size: int = eqx.static_field()
            def __call__(self, x):
                return jnp.zeros(self.size) + x
        print(jax.jit(lambda layer, x: layer(x))(Layer(3), jnp.ones(3)))
    """,
    "what a constant is an instance of": """
        import jax
        from collections.abc import Callable
        def derivative(loss: str | Callable):
            if isinstance(loss, Callable):
                return jax.grad(loss)
            return loss.upper()
        def careless(loss: str | Callable):
            return jax.grad(loss)  # JAX606
        derivative("mse"), derivative("other"), careless("mse"), derivative(abs)
    """,
    "what `__post_init__` made of a field before": """
        import jax, jax.numpy as jnp, numpy as np
        from dataclasses import dataclass
        from functools import partial
        from scipy.special import gammaln
        @partial(jax.tree_util.register_dataclass, data_fields=["exponent", "norm"], meta_fields=[])
        @dataclass
        class Primitive:
            exponent: jax.Array
            norm: jax.Array | None = None
            def __post_init__(self):
                if self.norm is None:
                    self.norm = gammaln(self.exponent)
                if self.exponent < 0:  # JAX401
                    raise ValueError
        @partial(jax.tree_util.register_dataclass, data_fields=["low", "high"], meta_fields=[])
        @dataclass(frozen=True)
        class Interval:
            low: jax.Array
            high: jax.Array | None = None
            def __post_init__(self):
                if self.high is None:
                    object.__setattr__(self, "high", float(self.low))
        width = jax.jit(lambda one: one.high - one.low)
        print(width(Interval(jnp.ones(()))))
        @jax.jit
        def overlap(a: Primitive, b: Primitive):
            return a.norm * b.norm
        print(overlap(Primitive(jnp.ones(())), Primitive(jnp.ones(()))))
    """,
    "keys in objects of which each split makes others": """
        import jax
        class SafeKey:
            def __init__(self, key):
                self._key, self._used = key, False
            def split(self, n=2):
                if self._used:
                    raise RuntimeError
                self._used = True
                return jax.tree_util.tree_map(SafeKey, tuple(jax.random.split(self._key, n)))
        class Anew:
            def __init__(self, key):
                self.key = key
            def halves(self):
                left, right = jax.random.split(self.key)
                return type(self)(left), self.__class__(right)
        class Pair:
            def __init__(self, key):
                self.key = key
            def halves(self):
                left, right = jax.random.split(self.key)
                return Pair(left), Pair(right)
        class Sampler:
            def __init__(self, key):
                self.key = key
            def draw(self, n):
                return jax.random.normal(self.key, (n,))  # JAX103
        class Copied:
            def __init__(self, key):
                self.key = key
            def draw(self, other):
                assert isinstance(other, Copied)
                return jax.random.normal(self.key, (3,))  # JAX103
    """,
    "writes behind an error that is expected": """
        import jax, pytest
        class Stream:
            def __init__(self, key):
                self.key, self.count, self.level = key, 0, None
            def make(self):
                if self.level is not None:
                    raise ValueError
                self.count += 1  # JAX303
                return jax.random.fold_in(self.key, self.count)
            def take(self):
                if self.level is not None:
                    raise ValueError
                self.count += 1
                return jax.random.fold_in(self.key, self.count)
        def test_level():
            stream = Stream(jax.random.key(0))
            @jax.jit
            def refused():
                with pytest.raises(ValueError):
                    stream.take()
            @jax.jit
            def counted():
                return stream.make()
            refused(), counted(), counted()
    """,
    "entries that are asked for, and others that change": """
        import jax, jax.numpy as jnp
        class Model:
            def __init__(self, options):
                self.options = dict(options)
                self.run, self.scaled = jax.jit(self.make()), jax.jit(self.make_scaled())
                self.longer = jax.jit(self.make_longer())
            def set_rate(self, rate):
                self.options["rate"] = rate
            def make(self):
                def run(x):
                    return x + 1 if "position" in self.options else x
                return run
            def make_longer(self):
                def longer(x):
                    if "position" in self.options.keys() and self.options.get("size"):
                        return x + 1
                    return x * self.options.get("rate", 1)  # JAX302
                return longer
            def make_scaled(self):
                def scaled(x):
                    return x * 2 if "rate" not in self.options else x  # JAX302
                return scaled
        model = Model({"position": 1})
        for rate in range(3):
            print(model.run(jnp.ones(3)), model.scaled(jnp.ones(3)), model.longer(jnp.ones(3)))
            model.set_rate(rate)
    """,
    "layers that get what they may do without": """
        import jax, jax.numpy as jnp, numpy as np
        from flax import linen as nn
        class Checker(nn.Module):
            def setup(self):
                self.weights = self.param("weights", jax.nn.initializers.ones, (17,))
            def __call__(self, x, images=None):
                y = x @ x.T
                if images is None:
                    return y
                shown = np.asarray(y)
                return [shown[i] - self.weights[i].item() for i in range(3)]
        class Always(nn.Module):
            @nn.compact
            def __call__(self, x, images=None):
                y = nn.Dense(3)(x)
                return np.asarray(y)  # JAX405
    """,
    "what `apply_along_axis` passes on": """
        import jax, jax.numpy as jnp
        def first(row, n):
            return row[:n]
        print(jnp.apply_along_axis(jnp.pad, -1, jnp.ones((2, 3)), (0, 2)))
        print(jnp.apply_along_axis(first, 0, jnp.ones((2, 3)), 1))
        print(jnp.apply_along_axis(lambda row: row[: int(row[0])], 0, jnp.ones((2, 3))))  # JAX403
    """,
    "numbers in the place of keys, as defaults that calls replace": """
        import jax
        from functools import partial
        class Sampler:
            @partial(jax.jit, static_argnames=["self"])
            def draw(self, key=0):
                return jax.random.normal(key, (3,))
            @partial(jax.jit, static_argnames=["self"])
            def careless(self, key=0):
                return jax.random.normal(key, (3,))
        def several(sampler: Sampler, key):
            return jax.vmap(sampler.draw)(jax.random.split(key, 3))
        print(Sampler().careless())  # JAX107
    """,
    "arrays that are kept in a list and donated": """
        from functools import partial
        import jax
        import jax.numpy as jnp
        import numpy as np
        @partial(jax.jit, donate_argnames="field")
        def diffuse(field, rate):
            return field + rate * jnp.roll(field, 1)
        def before(n):
            field = jnp.zeros(64)
            frames = []
            for i in range(n):
                frames.append(field)
                field = diffuse(field, 0.1)
            return jnp.stack(frames)  # JAX506
        def after(n):
            field = jnp.zeros(64)
            frames = []
            for i in range(n):
                field = diffuse(field, 0.1)
                if i % 10 == 0:
                    frames.append(field)
            return np.stack(frames)  # JAX506
        def copied(n):
            field = jnp.zeros(64)
            frames = []
            for i in range(n):
                frames.append(np.asarray(field))
                field = diffuse(field, 0.1)
            return jnp.stack(frames)
        def copied2(n):
            field = jnp.zeros(64)
            frames = []
            for i in range(n):
                frames.append(field.copy())
                field = diffuse(field, 0.1)
            return jnp.stack(frames)
        def other(n):
            field = jnp.zeros(64)
            frames = []
            for i in range(n):
                field = diffuse(field, 0.1)
                norm = jnp.sum(field)
                frames.append(norm)
            return jnp.stack(frames)
        def last(n):
            field = jnp.zeros(64)
            frames = []
            for i in range(n):
                field = diffuse(field, 0.1)
                frames.append(field)
            return frames[-1] + 1
        def leaving(n):
            field = jnp.zeros(64)
            frames = []
            for i in range(n):
                if i == n - 1:
                    frames.append(field)
                    break
                field = diffuse(field, 0.1)
            return jnp.stack(frames)
        def renewed(n):
            field = jnp.zeros(64)
            for i in range(n):
                frames = []
                field = diffuse(field, 0.1)
                frames.append(field)
                print(jnp.stack(frames))
        def straight():
            field = jnp.zeros(64)
            frames = []
            frames.append(field)
            field = diffuse(field, 0.1)
            frames.append(field)
            return jnp.stack(frames)  # JAX506
        def arms(flag):
            field = jnp.zeros(64)
            frames = []
            if flag:
                frames.append(field)
            else:
                field = diffuse(field, 0.1)
            return jnp.stack(frames)
        def popped(n):
            field = jnp.zeros(64)
            frames = []
            for i in range(n):
                frames.append(field)
                field = diffuse(field, 0.1)
                frames.pop()
            return jnp.stack(frames)
        def rebound(n):
            field = jnp.zeros(64)
            frames = []
            for i in range(n):
                field = diffuse(field, 0.1)
                frames.append(field)
                field = field * 2
            return jnp.stack(frames)
        def state(n):
            st = {"x": jnp.zeros(3)}
            step = jax.jit(lambda s: {"x": s["x"] + 1}, donate_argnums=0)
            hist = []
            for _ in range(n):
                st = step(st)
                hist.append(st)
            return jax.device_get(hist)  # JAX506
        def state2(n):
            st = {"x": jnp.zeros(3)}
            step = jax.jit(lambda s: {"x": s["x"] + 1}, donate_argnums=0)
            hist = []
            for _ in range(n):
                st = step(st)
                hist.append(st["x"])
            return jnp.stack(hist)  # JAX506
    """,
    "branches by name": """
        import jax, jax.numpy as jnp
        NAMED = {"sin": jnp.sin, "cos": jnp.cos}
        def by_dict(i, x):
            return jax.lax.switch(i, NAMED, x)  # JAX613
        def by_set(i, x):
            return jax.lax.switch(i, {jnp.sin, jnp.cos}, x)  # JAX613
        def by_values(i, x):
            return jax.lax.switch(i, NAMED.values(), x)
        def by_list(i, x):
            return jax.lax.switch(i, [NAMED["sin"], NAMED["cos"]], x)
    """,
    "dicts of which a loop takes each in turn": """
        import jax, jax.numpy as jnp, numpy as np
        def pruned(params, mask):
            for layer in params.values():
                layer["kernel"][mask] = 0.0  # JAX201
            return params
        pruned({"l1": {"kernel": jnp.ones(3)}, "l2": {"kernel": jnp.ones(4)}}, 1)
        def listed(params, mask):
            for layer in params:
                layer["kernel"][mask] = 0.0  # JAX201
            return params
        listed([{"kernel": jnp.ones(3), "n": 1}], 1)
        def of_numpy(params, mask):
            for layer in params:
                layer["kernel"][mask] = 0.0
            return params
        of_numpy([{"kernel": np.ones(3), "n": 1}], 1)
        def converted():
            params = [{"w": jnp.ones(3)}, {"w": jnp.ones(4)}]
            for layer in params:
                layer["w"] = np.array(layer["w"])
            params[0]["w"][0] = 1
            for layer in params:
                layer["w"][0] = 1
            return params
        def by_name():
            params = {"a": {"w": jnp.ones(3)}, "b": {"w": jnp.ones(4)}}
            for layer in params.values():
                layer["w"] = np.array(layer["w"])
            for layer in params.values():
                layer["w"][0] = 1
            return params
        def handed_in(params):
            for layer in params:
                layer["w"] = np.array(layer["w"])
                layer["w"][0] = 1
            for layer in params:
                layer["w"][0] = 1
            return params
        handed_in([{"w": jnp.ones(3)}, {"w": jnp.ones(4)}])
        def with_keys():
            states = [{"key": jax.random.key(0), "x": 1}, {"key": jax.random.key(1), "x": 2}]
            for state in states:
                state["key"], sub = jax.random.split(state["key"])
                state["x"] = jax.random.normal(sub)
            return [jax.random.normal(state["key"]) for state in states]
    """,
    "functions that a loop makes and keeps": """
        from functools import partial
        import jax
        TABLE = [jax.vmap(jax.grad(lambda x: x**i)) for i in range(3)]  # JAX302
        BOUND = [jax.jit(lambda x, i=i: x**i) for i in range(3)]
        def power(x, i):
            return x**i
        def late(temperatures, n):
            kept, named = [], {}
            for t in temperatures:
                scale = 1 / t
                @jax.jit
                def energy(x):
                    return x * scale  # JAX302
                kept.append(energy)
                named[t] = jax.jit(lambda x: power(x, t)), t  # JAX302
            return kept, named, {i: jax.jit(lambda x: x * i) for i in range(n)}  # JAX302
        class Bank:
            def __init__(self, n):
                self.filters = []
                for i in range(n):
                    def inner(x):
                        def deep(y):
                            return y * i  # JAX302
                        return deep(x)
                    self.filters.append(jax.jit(inner))
        def in_time(temperatures, n, x):
            kept, last = [], []
            for t in temperatures:
                energy = jax.jit(lambda x: x / t)  # JAX501
                energy(x)
                kept.append(energy)
                own = []
                own.append(jax.vmap(lambda x: x / t))
                x = own[0](x)
                last.append(jax.vmap(lambda x: x / t))
                x = last[-1](x)
                two = 2.0
                kept.append(jax.jit(lambda x: x * two))
            return kept, sum(f(x) for f in (jax.jit(lambda x: x * i) for i in range(n)))
        def factory(n):
            def one(i):
                return jax.jit(lambda x: x * i)
            return [one(i) for i in range(n)], [jax.jit(partial(power, i=i)) for i in range(n)]
        def compiled(n, x):
            return [jax.jit(lambda x: x * i).lower(x).compile() for i in range(n)]
        def branches(n, x, scales):
            filled, bound = [], []
            for s in scales:
                filled.append(lambda x: x * s)  # JAX302
                bound.append(lambda x, s=s: x * s)
                x = jax.lax.switch(n, [lambda x: x * s, lambda x: x + s], x)
            x = jax.lax.switch(n, filled, x) + jax.lax.switch(n, bound, x)
            named = tuple(lambda x: x * k for k in range(3))  # JAX302
            x = jax.lax.switch(n, named, x) + jax.lax.switch(n, [lambda x, k=k: x * k for k in range(3)], x)
            kept = tuple(jax.jit(lambda x: x - k) for k in range(3))  # JAX302
            return kept, jax.lax.switch(n, [partial(power, i=i) for i in range(3)], x)
    """,
    "an axis that the function around names": """
        import jax
        def averaged(tree, axis):
            return jax.tree.map(lambda g: jax.lax.pmean(g, axis_name=axis), tree)  # JAX605
        def synced(tree, axis):
            def one(g):
                return jax.lax.pmean(g, axis)
            return [one(g) for g in tree]
        unbound = jax.jit(jax.vmap(lambda x: averaged(x, "batch")))
        bound = jax.jit(jax.vmap(lambda x: synced([x], "batch"), axis_name="batch"))
        unbound(jax.numpy.ones(3)), bound(jax.numpy.ones(3))
    """,
    "what comes of a sum over lanes": """
        import jax, jax.numpy as jnp
        @jax.jit
        def traced(x):
            total = jax.lax.psum(x.sum(), "i")
            print(total)  # JAX301
            return x / total if total > 0 else x  # JAX401
        def known(x):
            total = jax.lax.psum(x.sum(), "i")
            return x / total if total > 0 else x
        @jax.jit
        def counted(x):
            n = jax.lax.psum(1, "i")
            return x / n if n > 1 else x
        for f in (traced, known, counted):
            jax.vmap(f, axis_name="i")(jnp.ones(4))
    """,
    "layers of other sizes, and one function of other data": """
        import jax, jax.numpy as jnp
        def layer(m, n, key):
            w, b = jax.random.split(key)
            return jax.random.normal(w, (m, n)), jax.random.normal(b, shape=(n,)) + jnp.zeros((n,))
        def network(sizes, key):
            return [layer(m, n, key) for m, n in zip(sizes[:-1], sizes[1:])]  # JAX102
        def noisy(x, key):
            one, other = jax.random.split(key)
            return x + jax.random.normal(one, x.shape), jax.random.normal(other, x.shape)
        def common(xs, key):
            return [noisy(x, key) for x in xs]
        def scaled(n, key):
            one, other = jax.random.split(key)
            return n * jax.random.normal(one, (n,)), jax.random.normal(other, (n,))
        def weighed(sizes, key):
            return [scaled(n, key) for n in sizes]
    """,
    "streams of Haiku, and what asks them in some runs only": """
        import haiku as hk, jax
        def drop(x):
            return hk.dropout(hk.next_rng_key(), 0.5, hk.Linear(3)(x))
        def may_drop(x, is_training):
            return hk.dropout(hk.next_rng_key(), 0.5, x) if is_training else x
        noisy, either = hk.transform(drop), hk.transform(may_drop)
        def loss(params, key, x):
            return noisy.apply(params, key, x).mean()
        def train(params, key, xs):
            for x in xs:
                params = jax.tree.map(lambda p, g: p - g, params, jax.grad(loss)(params, key, x))  # JAX102
            return params
        def twice(params, key, x):
            return noisy.apply(params, key, x) + noisy.apply(params, key, x)  # JAX101
        def evaluated(params, key, xs):
            return [either.apply(params, key, x, False) for x in xs]
        def run(params, key, x, is_training):
            return either.apply(params, key, x, is_training) + either.apply(params, key, 2 * x, is_training)
        def split(params, key, xs):
            for x in xs:
                key, sub = jax.random.split(key)
                params = jax.tree.map(lambda p, g: p - g, params, jax.grad(loss)(params, sub, x))
            return params
    """,
    "streams of keys that are made of numbers": """
        import jax, jax.numpy as jnp
        from flax import nnx
        drop = nnx.Dropout(0.5)
        @nnx.jit
        def again(x):
            return drop(x, rngs=nnx.Rngs(dropout=0))  # JAX104
        @nnx.jit
        def passed(x, rngs):
            return drop(x, rngs=rngs)
        @nnx.jit
        def seeded(x, seed):
            return drop(x, rngs=nnx.Rngs(dropout=seed))
        @nnx.jit
        def create():
            return nnx.Linear(2, 3, rngs=nnx.Rngs(0))
        create()
        rngs = nnx.Rngs(dropout=0)
        for i in range(3):
            again(jnp.ones(3)), passed(jnp.ones(3), rngs), seeded(jnp.ones(3), i)
    """,
    "a copy of a record that the caller hands in, and what else has a method of this name": """
        from typing import NamedTuple
        import jax, jax.numpy as jnp
        from flax import struct
        @struct.dataclass
        class State:
            x: jax.Array
        class Pair(NamedTuple):
            x: jax.Array
        class Table:
            def __init__(self):
                self.x = 0.0
            def replace(self, x):
                self.x = x
        def dropped(state, x):
            state.replace(x=x)  # JAX202
            return state, x
        def dropped_pair(pair, x):
            def turn():
                pair._replace(x=x)  # JAX202
            turn()
            return pair, x
        def taken(state, x):
            state = state.replace(x=x)
            return state, x
        def stored(table, x):
            table.replace(x=x)
            return table
        def unknown(table, x):
            table.replace(x=x)
            return table
        jax.lax.scan(dropped, State(jnp.ones(())), jnp.ones(3)), jax.lax.scan(taken, State(jnp.ones(())), jnp.ones(3))
        dropped_pair(Pair(jnp.ones(())), 2.0), stored(Table(), 1.0)
    """,
    "distances of an array to itself, which a helper takes of what its caller widens": """
        import jax, jax.numpy as jnp
        def distance(a, b, box=None):
            return jnp.linalg.norm(a - b, axis=-1)  # JAX701
        def root(a, b):
            moved = a - b
            return jnp.sqrt(jnp.sum(moved ** 2, -1))  # JAX701
        class Pairs:
            def root(self, a, b):
                return jnp.sqrt(jnp.sum((a - b) ** 2, axis=-1))  # JAX701
            def energy(self, x):
                return self.root(x[:, None], b=x[None]).sum()
        def whole(a, b):
            return jnp.sqrt(jnp.sum((a - b) ** 2))
        def chosen(a, b):
            square = jnp.sum((a - b) ** 2, axis=-1)
            return jnp.sqrt(jnp.where(square > 0, square, 1.0))
        def apart(a, b):
            return jnp.linalg.norm(a - b, axis=-1)
        def by_names(x):
            rows, columns = jnp.expand_dims(x, 0), jnp.expand_dims(x, 1)
            return jnp.sum(distance(rows, columns))
        def main(x, y):
            jax.grad(by_names)(x)
            jax.grad(lambda x: root(x[:, None], x[None, :]).sum())(x)
            jax.grad(Pairs().energy)(x)
            jax.grad(lambda x: whole(x[:, None], x[None]))(x)
            jax.grad(lambda x: chosen(x[:, None], x[None]).sum())(x)
            jax.grad(lambda x: apart(x[:, None], y[None]).sum())(x)
            return jax.grad(lambda x: apart(x[1:], x[:-1]).sum())(x)
    """,
    "a norm that is differentiated at the number 0": """
        import jax, jax.numpy as jnp
        def square(x):
            return jnp.linalg.norm(x) ** 2  # JAX701
        def other(x):
            return jnp.linalg.norm(x) ** 2
        jax.grad(square)(0.0)
        jax.grad(other)(1.0)
        other(0.0)
    """,
    "a field that a method sets between two calls, of an object of whatever name": """
        import functools, jax
        class Trainer:
            def __init__(self):
                self.loss = self.rate = None
            @functools.partial(jax.jit, static_argnums=0)
            def step(self, x):
                return x - self.rate * self.loss(x)  # JAX302
            def use(self, loss, rate):
                self.loss, self.rate = loss, rate
        trainer = Trainer()
        trainer.use(lambda x: x, 0.1)
        first = trainer.step(1.0)
        trainer.use(lambda x: 2 * x, 0.2)
        second = trainer.step(1.0)
        class Solver:
            @functools.partial(jax.jit, static_argnums=0)
            def step(self, x):
                return x - self.rate * x
            def use(self, rate):
                self.rate = rate
        solver = Solver()
        solver.use(0.1)
        third = solver.step(1.0), solver.step(2.0)
    """,
    "branches of the libraries that are alike, and that are not": """
        import jax.numpy as jnp, numpyro, numpyro.distributions as dist
        from numpyro.contrib.control_flow import cond
        def model(x):
            def lazy(_):
                ignored = numpyro.sample("ignored", dist.Bernoulli(0.8))
                return ignored, numpyro.sample("slept", dist.Normal(8 + ignored, 1))
            def awake(_):
                return numpyro.sample("slept", dist.Normal(6, 1))
            def early(_):
                return jnp.zeros(()), numpyro.sample("slept", dist.Normal(5, 1))
            return cond(x > 0, lazy, awake, None), cond(x > 0, lazy, early, None)  # JAX603
    """,
    "arrays of lists in lists, and of lists that a loop fills": """
        import jax, jax.numpy as jnp
        def turned(angle):
            rows = jnp.array([[jnp.cos(angle), -jnp.sin(angle)], [jnp.sin(angle), jnp.cos(angle)]])
            if rows.sum() > 0:  # JAX401
                return rows
            return -rows
        def filled(x):
            found = []
            for k in range(3):
                found.append(x * k)
            if jnp.stack(found).sum() > 0:  # JAX401
                return x
            return -x
        def listed(x):
            if jnp.array([x * k for k in range(3)]).sum() > 0:  # JAX401
                return x
            return -x
        def numbers(x):
            found = []
            for k in range(3):
                found.append(k * 2.0)
            if jnp.array(found).sum() > 0 and jnp.array([[1, 2], [3, 4]]).sum() > 0:
                return x
            return -x
        for one in (turned, filled, listed, numbers):
            jax.vmap(one)(jnp.ones(3))
        @jax.jit
        def smallest(xs):
            found = []
            for x in xs:
                found.append(x)
            return found[jnp.argmin(jnp.array(found))]  # JAX403
        @jax.jit
        def fixed(xs):
            found = [1.0, 2.0]
            return xs, found[jnp.argmin(jnp.array(found))]  # JAX408
    """,
    "fields that setup of a module of Flax makes, changed there and read outside": """
        import jax, jax.numpy as jnp
        from flax import linen as nn
        class Net(nn.Module):
            width: int = 3
            def setup(self):
                self.layers = []
                self.layers.append(nn.Dense(3))  # JAX614
                self.more = [nn.Dense(self.width)]
                self.more += [nn.Dense(self.width)]  # JAX614
                self.named = {}
                self.named["a"] = nn.Dense(3)  # JAX614
                self.named.update(b=nn.Dense(3))  # JAX614
                blocks, pair = [], {}
                blocks.append(nn.Dense(3))
                pair["a"] = nn.Dense(3)
                self.blocks, self.pair = blocks, pair
                self.both = (nn.Dense(3),)
                self.both += (nn.Dense(2),)
                self.grown = [nn.Dense(3) for _ in range(self.width)]
                self.grown += (nn.Dense(2),)
                self.each = []
                for _ in range(self.width):
                    self.each += (nn.Dense(2),)
                self.many = [nn.Dense(3) for _ in range(self.width)]
                self.many += [nn.Dense(2) for _ in range(2)]  # JAX614
                self.encoder = nn.Dense(3)
            def __call__(self, x):
                return self.encoder(x)
        class Plain:
            def setup(self):
                self.layers = []
                self.layers.append(3)
        net = Net()
        variables = net.init(jax.random.key(0), jnp.ones(3))
        first = net.encoder  # JAX614
        second = net.encoder(jnp.ones(3))  # JAX614
        third = net.width, net.bind(variables).encoder, Net().encoder  # JAX614
        def made(x):
            net = Net()
            variables = net.init(jax.random.key(0), x)
            return variables, net.encoder  # JAX614
        def given(net, variables):
            return net.apply(variables, jnp.ones(3), method=lambda net, x: net.encoder(x)), net.encoder
        def bound(variables):
            net = Net().bind(variables)
            return net.encoder
        class Outer(nn.Module):
            def setup(self):
                self.net = Net()
            @nn.compact
            def __call__(self, x):
                inner = Net()
                return self.net.encoder(x) + inner.encoder(x) + Net().encoder(x)
    """,
    "distances of an array to itself, by maps of maps": """
        import jax, jax.numpy as jnp
        def distance(a, b):
            return jnp.linalg.norm(a - b)  # JAX701
        def root(a, b):
            return jnp.sqrt(jnp.sum((a - b) ** 2))  # JAX701
        def apart(a, b):
            return jnp.linalg.norm(a - b)
        def near(a, b):
            return jnp.sqrt(jnp.sum((a - b) ** 2) + 1e-9)
        def pairs(f):
            return jax.vmap(jax.vmap(f, (None, 0)), (0, None))
        class Kernel:
            def gram(self, xs, ys):
                return jax.vmap(lambda x: jax.vmap(lambda y: root(x, y))(ys))(xs)
        def to_itself(r):
            return jnp.sum(jnp.exp(-jax.vmap(jax.vmap(distance, (None, 0)), (0, None))(r, r)))
        def by_kernel(r):
            return Kernel().gram(r, r).sum()
        def to_others(r, s, i, j):
            first = pairs(apart)(r, s).sum() + apart(r[0], r[1]) + jax.vmap(apart)(r[:-1], r[1:]).sum()
            return first + jax.vmap(apart)(r[i], r[j]).sum() + apart(r, r @ s) + pairs(near)(r, r).sum()
        def known(r):
            return pairs(lambda a, b: jnp.linalg.norm(a - b))(r, r).sum()
        r = jnp.ones((3, 3))
        jax.grad(to_itself)(r), jax.grad(by_kernel)(r), known(r)
        jax.grad(to_others)(r, r, jnp.array([0, 1]), jnp.array([1, 2]))
    """,
    "shapes of what is computed in many steps": """
        import jax, jax.numpy as jnp
        def squares(w, x, y):
            return (jnp.tanh(x @ w) - y) ** 2
        def entropies(w, x, y):
            logits = x @ w
            return y * jnp.log1p(jnp.exp(-jnp.abs(logits)))
        def regular(w, x, y):
            return squares(w, x, y) + 1e-3 * jnp.sum(w**2)
        w, x, y = jnp.zeros(3), jnp.ones((4, 3)), jnp.zeros(4)
        jax.grad(squares)(w, x, y)  # JAX601
        jax.grad(entropies)(w, x, y)  # JAX601
        jax.grad(regular)(w, x, y)  # JAX601
        jax.grad(lambda w: entropies(w, x, y).mean() - jnp.mean(-squares(w, x, y)))(w)
        jax.grad(lambda w: -jnp.exp(-jnp.tanh(w @ w)))(w)
    """,
    "displays that a factory makes for a field": """
        from dataclasses import dataclass, field
        from functools import partial
        import jax, jax.numpy as jnp
        @dataclass
        class Config:
            hidden: list = field(default_factory=lambda: [8, 8])
            widths: tuple = field(default_factory=lambda: (8, 8))
        @partial(jax.jit, static_argnames=("sizes",))
        def forward(x, sizes):
            return x
        def run(x):
            config = Config()
            forward(x, sizes=config.widths), forward(x, sizes=Config(hidden=(8, 8)).hidden)
            return forward(x, sizes=config.hidden)  # JAX502
        run(jnp.ones(3))
    """,
    "arrays that a factory makes for a field": """
        from dataclasses import dataclass, field
        import jax.numpy as jnp, numpy as np
        def zeros():
            return jnp.zeros(10)
        @dataclass
        class Histogram:
            counts: object = field(default_factory=lambda: jnp.zeros(10))
            edges: object = field(default_factory=zeros)
            names: object = field(default_factory=lambda: np.zeros(10))
            def update(self, i):
                self.counts[i] += 1  # JAX201
                self.names[i] += 1
                self.counts = self.counts.at[i].add(1)
        @dataclass
        class OfHost:
            counts: object = field(default_factory=lambda: jnp.zeros(10))
            def update(self, i):
                self.counts[i] += 1
        Histogram().update(3)
        OfHost(np.zeros(10)).update(3)
        other = OfHost(counts=np.zeros(10))
        other.counts[2] = 1
        histogram = Histogram()
        histogram.edges[2] = 1  # JAX201
    """,
    "trees of NumPy's arrays that are put on a device": """
        import jax, numpy as np
        def load(n):
            return {"image": np.zeros((n, 4)), "size": [n, np.ones(3)], "of": {"mean": np.zeros(2)}}
        def placed(n):
            batch = jax.device_put(load(n))
            batch["image"][0] = 1.0  # JAX201
            batch["size"][0] = 2
            batch["size"][1][0] = 1.0  # JAX201
            batch["of"]["mean"][0] = 1.0  # JAX201
            return batch
        def of_host(n):
            batch = load(n)
            batch["image"][0] = 1.0
            placed, (first, second) = jax.device_put(batch), jax.device_put((np.zeros(3), np.zeros(3)))
            batch["size"][1] = np.ones(3)
            second[0] = 1.0  # JAX201
            return placed, first, second
    """,
    "keys that a property makes anew each time": """
        import jax
        class Stream:
            def __init__(self, seed):
                self._key = jax.random.key(seed)
            @property
            def key(self):
                self._key, sub = jax.random.split(self._key)
                return sub
            @property
            def fresh(self):
                return self.take()
            @property
            def second(self):
                sub, self._key = jax.random.split(self._key)
                return sub
            @property
            def bound(self):
                sub = self.take()
                return sub
            @property
            def following(self):
                return next(self._keys)
            @property
            def first(self):
                \"\"\"The key that self.take() splits.\"\"\"
                return self._key
            @first.setter
            def first(self, key): self._key = key
            @property
            def child(self):
                return jax.random.split(self._key, num=2)[0]
            @property
            def entry(self):
                self.held["key"], sub = jax.random.split(self.held["key"])
                return sub
            @property
            def advanced(self):
                return advance(self)
            @property
            def shown(self):
                print(self.name.upper())
                return self._key
            def take(self):
                self._key, sub = jax.random.split(self._key)
                return sub
        def twice(stream):
            return jax.random.normal(stream.key), jax.random.normal(stream.key)
        def fresh(config):
            return [jax.random.normal(config.stream.fresh) for _ in range(3)]
        def annotated(stream: Stream):
            return jax.random.normal(stream.key), jax.random.normal(stream.key)
        def others(a, b, c):
            x = jax.random.normal(a.second), jax.random.normal(a.second)
            y = jax.random.normal(b.bound), jax.random.normal(b.bound)
            return x, y, jax.random.normal(c.following), jax.random.normal(c.following)
        def advance(stream):
            stream._key, sub = jax.random.split(stream._key)
            return sub
        def changed(d, e):
            y = jax.random.normal(d.entry), jax.random.normal(d.entry)
            return y, jax.random.normal(e.advanced), jax.random.normal(e.advanced)
        def shown(stream):
            return jax.random.normal(stream.shown), jax.random.normal(stream.shown)  # JAX101
        def alike(stream):
            return jax.random.normal(stream.first), jax.random.normal(stream.first)  # JAX101
        def of_children(stream):
            return jax.random.normal(stream.child), jax.random.normal(stream.child)  # JAX101
        def of_a_state(state):
            return jax.random.normal(state.rng), jax.random.normal(state.rng)  # JAX101
        twice(Stream(0))
    """,
    "settings of an object that is called itself": """
        import jax
        class Scaler:
            def __init__(self, scale):
                self.scale = scale
                self.apply = jax.jit(self.scaled)
            def scaled(self, x):
                return x * self.scale  # JAX302
            def set(self, scale):
                self.scale = scale
            def __call__(self, x):
                return self.apply(x)
        class Prepared:
            def __init__(self, scale):
                self.factor = scale
                self.apply = jax.jit(self.scaled)
            def scaled(self, x):
                return x * self.factor
            def prepare(self, scale):
                self.factor = scale
            def __call__(self, x):
                return self.apply(x)
        class Net:
            def __init__(self):
                self.scaler = Scaler(1.0)
            def fit(self, x):
                for _ in range(3):
                    x = self.scaler(x)
                    self.scaler.set(0.5)
                return x
        def prepared(x):
            first, second = Prepared(1.0), Prepared(2.0)
            first.prepare(2.0)
            y = first(x)
            second.prepare(3.0)
            return y + first(x)
    """,
    "functions among the layers of a network": """
        import equinox as eqx, jax, jax.numpy as jnp
        from flax import linen as nn, nnx
        def squash(x):
            return x if jnp.linalg.norm(x) < 1 else x / jnp.linalg.norm(x)  # JAX401
        def wrapped(x):
            return x if jnp.linalg.norm(x) < 1 else x / jnp.linalg.norm(x)  # JAX401
        def plain(x):
            return x if jnp.linalg.norm(x) < 1 else x / jnp.linalg.norm(x)  # JAX409
        def smooth(x):
            return jnp.where(x < 1, x, 1)
        class Net(nn.Module):
            @nn.compact
            def __call__(self, x):
                return nn.Sequential([nn.Dense(2), wrapped, smooth])(x)
        def run(key, xs):
            linear = eqx.nn.Linear(2, 3, key=key)
            net = eqx.nn.Sequential([linear, eqx.nn.Lambda(squash), eqx.nn.Lambda(smooth)])
            eager = nnx.Sequential(linear, plain)
            jax.jit(Net().apply)({}, xs)
            return jax.vmap(net)(xs), eager(xs[0]), jax.vmap(eqx.nn.Sequential([eqx.nn.Lambda(smooth)]))(xs)
    """,
    "items of gradients by a dict": """
        import jax, jax.numpy as jnp, numpy as np
        def masked(params, x):
            value, grads = jax.value_and_grad(lambda p: jnp.mean((x @ p["w"]) ** 2))(params)
            grads["w"][0] = 0.0  # JAX201
            grads["w"] = grads["w"].at[0].set(0.0)
            return value, grads
        def of_second(x, params):
            grads = jax.grad(lambda x, p: jnp.sum(p["w"] * x), argnums=1)(x, params)
            grads["w"][0] = 0.0  # JAX201
            return grads
        def of_lists(params):
            grads = jax.grad(lambda p: jnp.sum(p["w"][0]))(params)
            grads["w"][0] = 0.0
            return grads
        def of_pair(x, params):
            grads = jax.grad(lambda x, p: jnp.sum(p["w"] * x), argnums=(1,))(x, params)
            grads[0] = 0.0
            return grads
        def copied(params):
            grads = jax.grad(lambda p: jnp.sum(p["w"]))(params)
            grads["w"] = np.array(grads["w"])
            grads["w"][0] = 0.0
            return grads
        x, params = jnp.ones((2, 3)), {"w": jnp.ones(3)}
        masked(params, x), of_second(x, params), of_lists({"w": [jnp.ones(2)]}), of_pair(x, params), copied(params)
    """,
    "axes of a mesh that a sharding names": """
        import jax, numpy as np
        from jax.sharding import Mesh, NamedSharding, PartitionSpec as P
        mesh = Mesh(np.asarray(jax.devices()).reshape(-1), axis_names=("dp",))
        two = jax.make_mesh((1, 1), ("data", "model"))
        def shardings(other):
            batch = P("batch")  # JAX605
            yield NamedSharding(mesh, P("data"))  # JAX605
            yield jax.NamedSharding(two, spec=P(None, "modle"))  # JAX605
            yield NamedSharding(two, batch)
            yield NamedSharding(mesh, P("dp")), NamedSharding(mesh, P()), NamedSharding(other, P("data"))
            yield NamedSharding(two, P(("data", "model"), None))
        def made(axis="data"):
            mesh = Mesh(np.asarray(jax.devices()), (axis,))
            return NamedSharding(mesh, P("data")), NamedSharding(mesh, P(axis))
        def tried():
            try:
                return NamedSharding(mesh, P("data"))
            except ValueError:
                return NamedSharding(mesh, P("dp"))
    """,
    "names of Python that are read from their module": """
        import builtins, jax, jax.numpy as jnp
        from builtins import print as say, range
        from jax.numpy import max
        @jax.jit
        def step(x, n):
            builtins.print(x)  # JAX301
            say(x)  # JAX301
            builtins.print("traced", x.shape, builtins.len(x))
            for i in range(n):  # JAX403
                x = x + i
            return builtins.float(x.sum()) + max(x)  # JAX404
        @jax.jit
        def sizes(x):
            total = builtins.sum([x, x]) + builtins.float(x.shape[0])
            return total if builtins.isinstance(x, jax.Array) else x
        step(jnp.ones(3), 3), sizes(jnp.ones(3))
    """,
    "transformed functions that are unpacked": """
        import haiku as hk, jax, jax.numpy as jnp
        def loss(w, x):
            return jnp.sum((w * x) ** 2)
        def step(w, x):
            value, grads = jax.value_and_grad(loss, (w, x))  # JAX609
            return value, grads
        def held(w, x):
            both = jax.value_and_grad(loss)
            value, grads = both  # JAX609
            return value, grads
        def called(w, x):
            both, (init, apply) = jax.value_and_grad(loss), hk.transform(loss)
            value, grads = both(w, x)
            one, other = jax.vmap(loss), jax.grad(loss)
            return value, grads, init, apply, one, other
        def tried(w, x):
            try:
                value, grads = jax.value_and_grad(loss)
            except TypeError:
                value, grads = jax.value_and_grad(loss)(w, x)
            return value, grads
        step(1.0, 2.0), called(1.0, 2.0)
    """,
    "statistics of a network that nobody keeps": """
        import jax, jax.numpy as jnp
        def alone(net, variables, x):
            y, new = net.apply(variables, x, train=True, mutable=["batch_stats"])
            return y
        def read_by_nobody(state, x):
            def loss(params):
                y, new = state.apply_fn(params, x, train=True, mutable=["batch_stats"])  # JAX614
                return jnp.mean(y**2)
            return state.apply_gradients(grads=jax.grad(loss)(state.params))
        def lost(state, x):
            def loss(params):
                y, new = state.apply_fn({"params": params}, x, train=True, mutable=["batch_stats"])  # JAX614
                return jnp.mean(y**2), new
            (value, new), grads = jax.value_and_grad(loss, has_aux=True)(state.params)
            return state.apply_gradients(grads=grads), value
        def lost_by_name(state, x):
            def loss(params):
                y, new = state.apply_fn(params, x, train=True, mutable=("intermediates", "batch_stats"))  # JAX614
                return jnp.mean(y**2), (y, new)
            differentiate = jax.value_and_grad(loss, has_aux=True)
            (value, (y, new)), grads = differentiate(state.params)
            return state.apply_gradients(grads=grads), value, y
        def kept(state, x):
            def loss(params):
                y, new = state.apply_fn(params, x, train=True, mutable=["batch_stats"])
                return jnp.mean(y**2), (y, new)
            grads, aux = jax.grad(loss, has_aux=True)(state.params)
            return state.apply_gradients(grads=grads, batch_stats=aux[1]["batch_stats"])
        def kept_by_another_call(state, x):
            def loss(params):
                y, new = state.apply_fn(params, x, train=True, mutable=["batch_stats"])
                return jnp.mean(y**2), new
            grads, new = jax.grad(loss, has_aux=True)(state.params)
            _, changed = loss(state.params)
            return state.apply_gradients(grads=grads, batch_stats=changed)
        def dropped_on_purpose(state, x):
            def loss(params):
                y, _ = state.apply_fn(params, x, train=True, mutable=["batch_stats"])
                return jnp.mean(y**2)
            return jax.grad(loss)(state.params)
        def evaluate(net, variables, x):
            y, new = net.apply(variables, x, train=False, mutable=["batch_stats"])
            return y
        def other(net, variables, x):
            y, seen = net.apply(variables, x, mutable=["intermediates"])
            return y
    """,
    "a run that compiles, whose result is dropped": """
        import jax
        def compiled(loss):
            @jax.jit
            def step(weights, noise):
                return loss(weights, noise)
            return step
        def fit(loss, weights, key, n):
            step = compiled(loss)
            step(weights, jax.random.normal(key, (3,)))
            for _ in range(n):
                key, sub = jax.random.split(key)
                weights = step(weights, jax.random.normal(sub, (3,)))
            return weights
        def shown(loss, weights, key):
            show = compiled(loss)
            show(weights, jax.random.normal(key, (3,)))
            show(weights, jax.random.normal(key, (3,)))  # JAX101
        def handed(step, weights, key):
            step(weights, jax.random.normal(key, (3,)))
            return step(weights, jax.random.normal(key, (3,)))  # JAX101
    """,
    "progress of what the host prepares, and tables of the program": """
        import pathlib, jax, jax.numpy as jnp, numpy as np
        from tqdm import tqdm
        PAIRS = [(0, 1), (1, 2)]
        HERE = pathlib.Path(__file__).parent
        @jax.jit
        def prepared(x):
            pairs = [(a, b) for a, b in tqdm(PAIRS) if a < b]
            table = np.zeros((3, 3))
            for n, (a, b) in enumerate(tqdm(pairs)):
                table[a, b] = n
            place = HERE / "weights.npz"
            return x @ table * np.load(place)["scale"]
        @jax.jit
        def solved(x):
            for _ in tqdm(range(10)):  # JAX304
                x = x * 2
            for _ in tqdm(range(20)):  # JAX304
                y = jnp.ones(3)
            return [x * n for n in tqdm(range(3))], y  # JAX304
    """,
    "an argument that is a text or absent": """
        import jax
        from typing import Optional, Union
        from jax import lax
        def averaged(x, axis_name):
            return x if axis_name is None else lax.pmean(x, axis_name)
        def reduced(x, axis_name):
            return lax.psum(x, axis_name)  # JAX410
        @jax.jit
        def first(x, axis_name: Optional[str]):
            return averaged(x, axis_name)
        @jax.jit
        def second(x, axis_name: str | None):
            return reduced(x, axis_name)
        @jax.jit
        def third(x, *, axis_name: Union[str, None]):
            return reduced(x, axis_name)
        @jax.jit
        def fourth(x, axis_name):
            return reduced(x, axis_name)
    """,
    "a key in the data for which one function is computed again": """
        import jax
        def loss_and_grad(params, data):
            x, key = data
            return (params * x + jax.random.normal(key, x.shape)).sum()
        def other(params, data):
            _, key = data
            return jax.random.uniform(key)
        def fit(params, loss_data, n):
            best = loss_and_grad(params, loss_data)
            for _ in range(n):
                loss = loss_and_grad(params, loss_data)
                params = params - loss
            return params, best
        def both(params, data):
            return loss_and_grad(params, data) + other(params, data)  # JAX101
        def shown(params, x, key, n):
            return [loss_and_grad(params, (x, key)) for _ in range(n)]  # JAX102
    """,
    "a count that a step of an optimizer moves": """
        import jax
        from flax.training.train_state import TrainState
        class Algorithm:
            def __init__(self, key):
                self.key = key
            def first(self, state: TrainState, x):
                noise = jax.random.normal(jax.random.fold_in(self.key, state.step), x.shape)
                grads = jax.grad(lambda p: (p * noise).sum())(state.params)
                return state.apply_gradients(grads=grads), noise
            def second(self, state: TrainState, x):
                return jax.random.normal(jax.random.fold_in(self.key, state.step), x.shape)
            def update(self, state, x):
                state, noise = self.first(state, x)
                return state, noise, self.second(state, x)
            def alike(self, state, x):
                moved, noise = self.first(state, x)
                return moved, noise, self.second(state, x)  # JAX105
    """,
    "the value of a function that nobody knows, which is differentiated": """
        import jax, jax.numpy as jnp
        def made(loss, metrics, optimizer, has_aux):
            @jax.jit
            def step(params, batch):
                value, grads = jax.value_and_grad(loss)(params, batch)
                print(float(value))  # JAX404
                return grads
            @jax.jit
            def stopping(state, batch):
                def inner(params):
                    value, extra = loss(params, batch)
                    return value, extra
                (value, extra), grads = jax.value_and_grad(inner, has_aux=True)(state.params)
                if extra["steps"] > 3:
                    return state
                if value > 3.0:  # JAX401
                    return state
                return value.item()  # JAX404
            @jax.jit
            def other(params, batch):
                found, grads = jax.value_and_grad(loss, has_aux=has_aux)(params, batch)
                if metrics(params, batch) > 3:
                    return grads
                return float(found)
            return step, stopping, other
        def fit(loss, params, batches):
            for batch in batches:
                value, grads = jax.value_and_grad(loss)(params, batch)
                if value < 0.1:
                    break
                params = jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)
            return params, float(value)
    """,
    "a transform that is tried, where an error leads to another way": """
        import jax, numpy as np
        def doubled(x):
            return np.asarray(x) * 2
        def of_all(xs):
            try:
                return jax.vmap(doubled)(xs)
            except Exception:
                return np.stack([doubled(x) for x in xs])
        def compiled(x):
            try:
                return jax.jit(doubled)(x)
            except jax.errors.TracerArrayConversionError:
                return doubled(x)
        def trained(step, x):
            try:
                x = jax.vmap(lambda v: np.asarray(v))(x)  # JAX405
                for _ in range(10):
                    x = step(x)
                    print(x)
                    step(x)
            except KeyboardInterrupt:
                pass
            return x
    """,
    "a key that stays the same, and into which the step is folded": """
        import jax
        from functools import partial
        class Algorithm:
            def __init__(self, key):
                self.key, self.scale = key, 1.0
            @partial(jax.jit, static_argnums=0)
            def step(self, x, count):
                return x + jax.random.normal(jax.random.fold_in(self.key, count))
            @partial(jax.jit, static_argnums=0)
            def scaled(self, x):
                return x + jax.random.normal(self.key)  # JAX302
            def update(self, x, count):
                self.key, _ = jax.random.split(self.key)
                x = self.step(x, count)
                return self.scaled(x)
        def main(x):
            algorithm = Algorithm(jax.random.key(0))
            for count in range(10):
                x = algorithm.update(x, count)
            return x
    """,
    "calls that are timed on the same numbers": """
        import time, jax
        key, other = jax.random.key(42), jax.random.key(43)
        def timed_call(x, function):
            start = time.time()
            y = function(x, jax.random.uniform(key)).block_until_ready()
            return time.time() - start, y
        def called(x, function):
            return function(x, jax.random.uniform(other))
        total = 0.0
        for x in range(3):
            seconds, y = timed_call(x, max)
            total += seconds
            total += called(x, max)  # JAX102
    """,
    "the key of a network that is mapped, where it is called": """
        import haiku as hk, jax
        @hk.transform
        def net(x):
            return hk.dropout(hk.next_rng_key(), 0.5, x)
        def made(net):
            return jax.jit(jax.vmap(net.apply, in_axes=(None, None, 0)))
        mapped = jax.jit(jax.vmap(net.apply, in_axes=(None, None, 0)))
        def run(params, key, xs):
            return mapped(params, key, xs)  # JAX102
        def run_each(params, keys, xs):
            return jax.vmap(net.apply, in_axes=(None, 0, 0))(params, keys, xs)
    """,
    "functions compiled for the entries of a mapping, and for objects that are made on the turn": """
        import jax, jax.numpy as jnp
        from functools import partial
        from games import make_env, make_init, names, tables
        def initialized(rng):
            found = {}
            for name, spec in sorted(tables.items()):
                init = partial(make_init, spec=spec)
                found[name] = jax.jit(init)(rng)
            return found
        def played(rng):
            for name in names():
                env = make_env(name)
                print(jax.jit(jax.vmap(env.init))(rng))
        def evaluated(env, x):
            def body(state, _):
                return env.step(state), None
            return jax.lax.scan(body, x, None, length=10)
        def total(x):
            def body(state, _):
                return state + x.sum(), None
            return jax.lax.scan(body, 0.0, None, length=10)
        def compared(x):
            for name in names():
                env = make_env(name)
                print(evaluated(env, x))
        def through(env, x):
            return evaluated(env, x)
        def of_each(envs, x):
            for env in envs:
                print(through(env, x))
        def made_and_run(name, x):
            env = make_env(name)
            return evaluated(env, x)
        def of_names(x):
            for name in names():
                print(made_and_run(name, x))
        def on_each(rngs, spec):
            for rng in rngs:
                print(jax.jit(partial(make_init, spec=spec))(rng))  # JAX501
        def of_one(x):
            env = make_env("go")
            for step in range(1000):
                print(evaluated(env, x))  # JAX501
        def of_many(env, xs):
            for x in xs:
                print(through(env, x))  # JAX501
                print(total(x))  # JAX501
    """,
    "what a helper does for arrays of JAX, where it is given one of NumPy": """
        import jax, jax.numpy as jnp
        import numpy as np
        def small(x, limit):
            if isinstance(x, jax.Array):
                return jnp.abs(x) <= limit
            return np.abs(x) <= limit
        @jax.jit
        def cut(scale, data):
            modes = np.array(data.modes, dtype=int)
            return scale * modes[small(modes, 3)].sum()
        @jax.jit
        def traced(x):
            if small(x, 3).all():  # JAX401
                return x
            made = jnp.arange(3)
            if small(made, 3).all():  # JAX401
                return -x
            return x
    """,
    "a copy with other fields is no text": """
        import dataclasses, jax, jax.numpy as jnp
        from pathlib import Path
        def run(source):
            if isinstance(source, (str, Path)):
                return float(jnp.sum(jnp.ones(3)))
            return source.x
        def anything(source, other):
            if isinstance(source, other):
                return float(jnp.sum(jnp.ones(3)))  # JAX408
            return source.x
        @jax.jit
        def scaled(scale, data):
            changed = dataclasses.replace(data, x=data.x * scale)
            return run(changed) + anything(changed, data.kind)
    """,
    "what is bound by name in a partial that nobody sees, and lambdas in a class that are no methods": """
        import jax, jax.numpy as jnp
        import pytest
        from functools import partial
        def summed(*leaves, n, tree):
            return jax.tree.unflatten(tree, leaves[:n])
        def batched(args, axes, **options):
            return jax.vmap(partial(summed, **options), in_axes=axes)(*args)
        def filled(x, *, n):
            return jnp.zeros(n) + x  # JAX410
        fill = jax.jit(filled)
        class TestTransforms:
            table = [jax.jacfwd, lambda f: jax.jit(jax.grad(f))]
            size = property(lambda self: self.missing.size)
            @pytest.mark.parametrize("transform", [jax.grad, lambda f: jax.jit(jax.grad(f))])
            def test_sum(self, transform):
                assert transform(lambda x: jnp.sum(x))(jnp.ones(3)).size == 3
            def test_object(self):
                jax.grad(self)(1.0)  # JAX606
    """,
    "methods that a loop of JAX gets are bound anew, and traced again with what is set before": """
        import jax
        from functools import partial
        SCALE = 1.0
        def body(p, x):
            return p - SCALE * x, None  # JAX302
        class Trainer:
            def __init__(self):
                self.scale, self.rate, self.offset = 1.0, 1.0, 0.0
            def update(self, p, xs):
                self.scale = self.scale * 0.5
                self.gradient = jax.grad(self.loss)
                return jax.lax.scan(self.epoch, p, xs)
            def epoch(self, p, x):
                return p - self.scale * self.gradient(p, x), None
            def loss(self, p, x):
                return p * x
            @partial(jax.jit, static_argnums=0)
            def run(self, p, xs):
                return jax.lax.scan(self.step, p, xs)
            def step(self, p, x):
                return p - self.rate * x, None  # JAX302
            def again(self, p, xs):
                p, _ = self.run(p, xs)
                self.rate += 0.1
                return self.run(p, xs)
        def main(xs, trainer):
            global SCALE
            for _ in range(3):
                print(jax.lax.scan(body, 1.0, xs))
                SCALE += 1
    """,
    "modules of Flax by an annotation alone, which are functions where nothing binds them": """
        import jax, jax.numpy as jnp
        import flax.linen as nn
        class Net(nn.Module):
            @nn.compact
            def __call__(self, x, y):
                return x, {"y": y}
        def energy(model: Net, params, x):
            return jnp.mean(model(params, x))
        def mapped(feature: Net, params):
            return jax.vmap(feature, (0, None), 0)(params)
        class Outer(nn.Module):
            inner: Net
            def __call__(self, x):
                return jnp.mean(self.inner(x, x))  # JAX203
            def of_other(self, net: Net, x):
                return jnp.mean(net(x, x))  # JAX203
        def applied(variables, x):
            return jnp.mean(Net().apply(variables, x, x))  # JAX203
    """,
    "a module that trains another one on the host, as the progress that it shows tells": """
        import equinox as eqx, jax, numpy as np, optax
        from tqdm import tqdm
        class Trainer(eqx.Module):
            rate: float
            def __call__(self, model, xs, loss):
                optimizer = optax.sgd(self.rate)
                state = optimizer.init(model)
                for x in tqdm(xs):
                    grads = jax.grad(loss)(model, x)
                    updates, state = optimizer.update(grads, state)
                    model = eqx.apply_updates(model, updates)
                return model
        class Noisy(eqx.Module):
            def __call__(self, x):
                return x + np.random.normal()  # JAX305
        @jax.jit
        def summed(xs):
            total = 0.0
            for i in tqdm(range(100)):  # JAX304
                total += xs[i]
            return total
    """,
    "clocks of which something becomes only where an option asks for it": """
        import time, jax, jax.numpy as jnp
        def build(x, verbose=False, logger=None):
            start = time.perf_counter()  # JAX304
            y = jnp.sin(x)
            taken = time.perf_counter() - start  # JAX304
            if verbose:
                logger.phase(float(taken))
            return y
        def solve(x, report=None):
            start = time.perf_counter()
            y = jnp.cos(x)
            if report is not None:
                report(time.perf_counter() - start)
            return y
        @jax.jit
        def quiet(x):
            return build(x) + solve(x)
        @jax.jit
        def loud(x, logger):
            return build(x, True, logger)
        @jax.jit
        def always(x, logger):
            start = time.perf_counter()  # JAX304
            y = jnp.sin(x)
            logger.phase(time.perf_counter() - start)  # JAX304
            return y
    """,
    "fields into which the constructor puts an array of NumPy, whatever the class declares": """
        import dataclasses, threading
        import jax, jax.numpy as jnp, numpy as np
        import equinox as eqx
        @dataclasses.dataclass
        class Slots:
            scores: jax.Array
            steps: jax.Array
            rates: jax.Array
            def __init__(self, n, run):
                self.thread = threading.Thread(target=run, args=(self,))
                self.scores = np.zeros(n)
                self.steps = np.zeros(n, dtype=np.int32)
                self.rates = jnp.ones(n)
        def loop(slots: Slots, done, results):
            while True:
                used, rates = slots.steps.copy(), slots.rates.copy()
                slots.steps[done] = 0
                used[done] = 0
                rates[done] = 0  # JAX201
        class Counter:
            counts: jax.Array
            def __init__(self, n):
                self.counts = np.zeros(n)
        def add(counter: Counter, results):
            counter.counts += results
            counter.counts[0] = 0.0
        class Layer(eqx.Module):
            weight: jax.Array
            def __init__(self, n):
                self.weight = np.zeros(n)
            def __call__(self, x):
                if self.weight.sum() > 0:  # JAX401
                    return x
                return x * self.weight
    """,
    "what is compiled beside a long run of a function that a loop calls": """
        import jax, jax.numpy as jnp
        def fit(level, steps=2000):
            @jax.jit
            def loss(p, x):
                return jnp.mean((p * x + level) ** 2)
            gradient = jax.jit(jax.grad(loss))
            p = jnp.ones(3)
            for _ in range(steps):
                p = p - gradient(p, 1.0)
            return float(loss(p, 1.0))
        def evaluate(p, x):
            @jax.jit  # JAX501
            def loss(p, x):
                return jnp.mean(p * x)
            return float(loss(p, x))
        LAST = 20
        for level in range(1, LAST):
            print(fit(level))
            print(evaluate(1.0, level))
    """,
    "entries of a mapping that are handed to what compiles, and settings in an array that is written out": """
        import jax, jax.numpy as jnp, numpy as np
        def init(rng, name, specs):
            make = lambda rng: sum(jnp.ones(spec.shape) for spec in specs) * jax.random.normal(rng)
            return jax.jit(make)(rng)  # JAX501
        def initialized(rngs, stacks):
            found = {}
            for i, (name, specs) in enumerate(stacks.items()):
                found[name] = init(rng=rngs[i], name=name, specs=specs)
            return found
        def through(rng, name, specs):
            return init(rng, name, specs)
        def gathered(rngs, stacks):
            return {name: through(rngs[name], name, specs) for name, specs in stacks.items()}
        def alike(rngs, specs, names):
            return [init(rng, name, specs) for rng, name in zip(rngs, names)]
        sizes = np.array([1, 2, 5, 50])
        for size in sizes:
            print(jax.jit(lambda x: x * size)(1.0))
        for size in range(1000):
            print(jax.jit(lambda x: x * size)(1.0))  # JAX501
    """,
    "layers that look for something in a list, which nobody can hand to what is jitted": """
        import haiku as hk, jax, jax.numpy as jnp
        import flax.linen as nn
        class Scores(hk.Module):
            def __call__(self, x, names, target):
                place = names.index(target)
                order = jnp.argsort(x)
                if not jnp.isfinite(x).all():
                    raise ValueError(place)
                return [names[i] for i in order]
        class Chosen(nn.Module):
            names: tuple
            @nn.compact
            def __call__(self, x, target):
                place = self.names.index(target)
                if jnp.sum(x) > place:  # JAX401
                    return x
                return -x
        class Plain(hk.Module):
            def __call__(self, x, names):
                if not jnp.isfinite(x).all():  # JAX402
                    raise ValueError(names)
                return x
    """,
    "options of a transform that a helper is given": """
        import jax, jax.numpy as jnp
        def compiled(fn, static=(), donated=()):
            return jax.jit(fn, static_argnames=static, donate_argnums=donated)
        def mapped(fn, axes):
            return jax.vmap(fn, in_axes=axes)
        def derivative(fn, number):
            return jax.grad(fn, argnums=number)
        def signed(x, positive):
            return x if positive else -x
        def negated(x, negative):
            return -x if negative else x  # JAX406
        def noisy(key, x, scale):
            return x + scale * jax.random.normal(key, x.shape)
        def weighted(w, k):
            return jnp.sum(w * k)
        def added(a, b):
            return a + b
        def run(key, xs):
            compiled(signed, ("positive",))(xs, True)
            compiled(negated)(xs, True)
            first, second = jax.random.split(key)
            each = mapped(noisy, (0, 0, None))(jax.random.split(first, 3), jnp.ones((3, 2)), 0.1)
            same = mapped(noisy, (None, 0, None))(second, jnp.ones((3, 2)), 0.1)  # JAX102
            few = mapped(weighted, (0, 0, None))(jnp.ones(2), jnp.ones(2))  # JAX605
            by = derivative(weighted, 0)(jnp.ones(2), jnp.arange(2))
            wrong = derivative(weighted, 1)(jnp.ones(2), jnp.arange(2))  # JAX607
            a, b = jnp.ones(3), jnp.ones(3)
            kept = compiled(added, donated=0)(a, b) + b
            return each, same, few, by, wrong, compiled(added, donated=0)(kept, b) + kept  # JAX506
    """,
    "static fields of an object that a mapped function makes": """
        import equinox as eqx, jax, jax.numpy as jnp
        class Scope(eqx.Module):
            focus: jax.Array
            padding: float = eqx.field(static=True)
            scale: float
            def __init__(self, focus, padding: float = 0, scale: float = 1.0):
                self.focus, self.padding, self.scale = focus, padding, scale
            def __call__(self, x):
                if self.padding > 0:
                    return x
                if self.scale > 0:  # JAX401
                    return -x
                return x * self.focus
        @jax.pmap
        def make(focus):
            return Scope(focus)
        @jax.pmap
        def image(scope, x):
            return scope(x)
        print(image(make(jnp.ones(1)), jnp.ones(1)))
    """,
    "defaults of what is jitted, which a transform around it leaves out or passes": """
        import functools
        import jax, jax.numpy as jnp
        LAM = 0.5
        @jax.jit
        def penalized(params, x, lam=LAM):
            if lam == 0.0:
                return params.sum()
            return lam * params.sum() + x.sum()
        @jax.jit
        def powered(params, x, *, order=2, flag=True):
            total = 0.0
            for _ in range(order):
                total = total + params.sum()
            while flag:
                return total
            return x.sum() if order > 3 else float(order) * total
        @jax.jit
        def passed(params, x, lam=LAM):
            if lam == 0.0:  # JAX401
                return params.sum()
            return lam * params.sum() + x.sum()
        @jax.jit
        def named(params, x, *, order=2):
            for _ in range(order):  # JAX406
                params = params * 2
            return params.sum() + x.sum()
        @jax.jit
        def bound(params, x, lam=LAM):
            return params.sum() if lam == 0.0 else x.sum()
        @jax.jit
        def bound_passed(params, x, lam=LAM):
            return params.sum() if lam == 0.0 else x.sum()  # JAX401
        def update(params, x):
            loss, g = jax.value_and_grad(penalized)(params, x)
            h = jax.grad(powered)(params, x)
            k = jax.hessian(penalized, argnums=0)(params, x)
            l = jax.grad(functools.partial(bound, params))(x)
            return loss, g, h, k, l
        def regularized(params, xs):
            per = jax.vmap(jax.grad(penalized), in_axes=(None, 0))(params, xs)
            few = jax.vmap(jax.value_and_grad(bound), (None, 0))(params, xs)
            return per, few
        def more(params, x, lam):
            loss, g = jax.value_and_grad(passed)(params, x, lam)
            h = jax.grad(named)(params, x, order=3)
            k = jax.grad(functools.partial(bound_passed, lam=0.5))(params, x)
            return loss, g, h, k
    """,
    "keys that are split and handed on to what draws in training alone": """
        import jax, jax.numpy as jnp
        from jax import random
        def attention(ws, x, key, train):
            keys = random.split(key, ws.shape[0])
            return jnp.sum(heads(ws, x, keys, train), axis=0)
        def head(w, x, key, train):
            return dropout(x @ w, key, train)
        heads = jax.vmap(head, in_axes=(0, None, 0, None))
        def dropout(x, key, train=True):
            if not train:
                return x * 0.9
            return x * random.bernoulli(key, 0.9, x.shape)
        def layers(params, x, key, train=True):
            key, first = random.split(key)
            x = dropout(x, first, train)
            for ws in params:
                key, sub, last = random.split(key, 3)
                x = x + dropout(attention(ws, x, sub, train), last, train)
            return x
        def forward(params, x, key, train):
            keys = random.split(key, 2)
            return layers(params, x, keys[0], train=train)
        batched = jax.vmap(forward, in_axes=(None, 0, None, None))
        @jax.jit
        def predict(params, xs):
            def step(i, y):
                return batched(params, y, random.PRNGKey(0), False)
            return jax.lax.fori_loop(0, 3, step, xs)
        @jax.jit
        def trained(params, xs, key):
            return batched(params, xs, key, True)  # JAX102
    """,
    "flags of which a function that draws in lanes makes what it draws": """
        from functools import partial
        import jax, jax.numpy as jnp
        from jax import random
        def quiet(params, x, key, deterministic=False):
            first, second = random.split(key)
            if not deterministic:
                x = x + random.normal(first, x.shape)
            h = jnp.tanh(x @ params)
            return h if deterministic is True else h + random.normal(second, h.shape)
        def dropout(x, key, train=True, rate=0.1):
            return x * random.bernoulli(key, 1 - rate, x.shape) if train and rate > 0 else x
        def rebound(params, x, key, train):
            first, second = random.split(key)
            train = train or params is None
            return dropout(x, first, train) + x
        def kept(params, x, key, train):
            key, sub = random.split(key)
            return dropout(x @ params, sub, train), key
        def noisy(params, x, key, train):
            keys = random.split(key, 2)
            return dropout(x, keys[0], train) + random.normal(keys[1], x.shape)
        def in_lanes(params, xs, key):
            mapped = jax.vmap(partial(quiet, deterministic=True), in_axes=(None, 0, None))(params, xs, key)
            return mapped + jax.vmap(lambda x: quiet(params, x, key, deterministic=True))(xs)
        def loud(params, xs, key):
            return jax.vmap(partial(quiet), in_axes=(None, 0, None))(params, xs, key)  # JAX102
        def by_default(params, xs, key):
            return jax.vmap(lambda x: quiet(params, x, key))(xs)  # JAX102
        def with_rebound(params, xs, key):
            return jax.vmap(rebound, in_axes=(None, 0, None, None))(params, xs, key, False)  # JAX102
        def with_noise(params, xs, key):
            return jax.vmap(noisy, in_axes=(None, 0, None, None))(params, xs, key, False)  # JAX102
        def with_key(params, xs, key):
            return jax.vmap(kept, in_axes=(None, 0, None, None))(params, xs, key, False)  # JAX102
    """,
    "slices of the keys of one split whose bounds are computed": """
        import jax
        from jax import random
        def drawn(m, key):
            first, second = random.split(key)
            return random.normal(first, (m, m)), random.normal(second, (m,))
        def layers(m, a, b, key):
            keys = random.split(key, 1 + a + b)
            inner = [drawn(m, k) for k in keys[1:1 + a]]
            outer = [drawn(m, k) for k in keys[1 + a:]]
            return random.normal(keys[0], (m,)), inner, outer
        def halves(m, xs, key):
            half = len(xs) // 2
            keys = random.split(key, len(xs))
            return [drawn(m, k) for k in keys[:half]], [drawn(m, k) for k in keys[half:]]
        def ends(m, n, key):
            keys = random.split(key, n + 3)
            inner = [drawn(m, k) for k in keys[2:-1]]
            return drawn(m, keys[0]), drawn(m, keys[1]), inner, drawn(m, keys[-1])
        def mapped(m, n, key):
            keys = random.split(key, 2 * n + 2)
            one = jax.vmap(lambda k: random.normal(k, (m,)))(keys[2:2 + n])
            other = jax.vmap(lambda k: random.normal(k, (m,)))(keys[2 + n:])
            return one, other, random.normal(keys[1], (m,))
        def beside(m, n, key):
            keys = random.split(key, n + 2)
            inner = [drawn(m, k) for k in keys[1:n + 1]]
            return inner, drawn(m, keys[1])  # JAX101
        def twice(m, a, b, key):
            keys = random.split(key, a + b + 1)
            inner = [drawn(m, k) for k in keys[1:1 + a]]
            return inner, [drawn(m, k) for k in keys[1:1 + b]]  # JAX101
        def first(m, n, key):
            keys = random.split(key, 2 * n)
            return [drawn(m, k) for k in keys[:2 * n - 1]], drawn(m, keys[0])  # JAX101
    """,
    "what a function is on the path on which what made it has compiled it": """
        import jax, jax.numpy as jnp
        class Env:
            def __init__(self, tree, jit=True):
                self.tree, self.jit = tree, jit
                if self.jit:
                    self.push = jax.jit(self.push)
            def make(self, shape):
                def tick(rng, lvl):
                    done = jnp.any(lvl > 3)
                    if not self.jit:
                        while not done:
                            lvl = lvl + 1
                            done = jnp.any(lvl > 3)
                    return lvl
                if self.jit:
                    tick = jax.jit(tick)
                return tick
            def reset(self, rng, params):
                self.tick = self.make(params.shape[1:])
                return self.tick(rng, params)
            def push(self, action, state):
                is_on = (action != -1) & (action < 4)
                if self.jit:
                    return jax.lax.cond(is_on, lambda: state, lambda: -state)
                else:
                    if is_on:
                        return state
                return -state
        class Eager:
            def __init__(self, tree, jit=True):
                self.tree, self.jit = tree, jit
            def make(self, shape):
                def tick(rng, lvl):
                    done = jnp.any(lvl > 3)
                    if self.jit:
                        while not done:  # JAX402
                            lvl = lvl + 1
                            done = jnp.any(lvl > 3)
                    return lvl
                if self.jit:
                    tick = jax.jit(tick)
                return tick
            def reset(self, rng, params):
                tick = self.make(params.shape[1:])
                return tick(rng, params)
        def made(tree):
            return Env(tree, jit=True)
        def main(tree, actions, states):
            env = made(tree)
            return jax.vmap(env.push, in_axes=(0, 0))(actions, states)
        def stepping(shape, use_jit, is_shown):
            def step(x):
                if not use_jit and x.sum() > 3:
                    return -x
                if is_shown:
                    print(x.item())  # JAX404
                return x
            return jax.jit(step) if use_jit else step
        def run(xs, use_jit, is_shown):
            step = stepping(xs.shape, use_jit, is_shown)
            return step(xs)
    """,
    "axes in a list of which entries are stored later": """
        import jax, jax.numpy as jnp
        def dot(x, w):
            return x @ w
        def at_some_place(xs, w, place):
            axes = [None, None]
            axes[place] = 0
            return jax.vmap(dot, in_axes=axes)(xs, w)
        def along_some_axis(xs, w, along):
            axes = [None, None]
            axes[0] = along
            return jax.vmap(dot, in_axes=axes)(xs, w)
        def filled(xs, w, fill):
            axes = [None] * 2
            fill(axes)
            return jax.vmap(dot, in_axes=axes)(xs, w)
        def sliced(xs, w):
            axes = [None] * 2
            axes[:1] = [0]
            return jax.vmap(dot, in_axes=axes)(xs, w)
        def batched(f, place=0, along=0):
            def wrap(*arguments):
                axes = [None] * len(arguments)
                axes[place] = along
                return jax.vmap(f, in_axes=axes)(*arguments)
            return wrap
        def run(xs, w):
            return batched(dot)(xs, w), batched(dot, 1)(xs, w)
        def replaced(xs, w):
            axes = [0, None]
            axes[0] = None
            return jax.vmap(dot, in_axes=axes)(xs, w)  # JAX605
        def left(xs, w):
            axes = [None] * 2
            return jax.vmap(dot, in_axes=axes)(xs, w)  # JAX605
    """,
    "times that nobody reads": """
        import time, jax, jax.numpy as jnp
        step = jax.jit(lambda x: x @ x)
        def trained(x, count):
            for _ in range(count):
                started = time.time()
                x = step(x)
                spent = time.time() - started
            return x
        def timed(x):
            started = time.perf_counter()
            x = step(x)
            spent: float = time.perf_counter() - started
            return x
        def replaced(x):
            started = time.time()
            y = step(x)
            spent = time.time() - started
            spent = jnp.zeros(3)
            return y, spent
        def shown(x):
            started = time.time()
            y = step(x)  # JAX702
            spent = time.time() - started
            print(spent)
            return y
        def shown_later(x):
            started = time.time()
            y = step(x)  # JAX702
            spent = time.time() - started
            def report():
                print(spent)
            return y, report
        def kept(x, times):
            started = time.time()
            y = step(x)  # JAX702
            times["step"] = time.time() - started
            return y
        def summed(x, count):
            total = 0
            for _ in range(count):
                started = time.time()
                x = step(x)  # JAX702
                total += time.time() - started
            return x, total
    """,
    "a function that a class below puts in place of one of the class above": """
        import jax
        class Base:
            def __init__(self, beta):
                self.beta = beta
                def updated(state):
                    return state * self.beta
                self.updating = jax.jit(updated)
                self.shared = jax.jit(updated)
            def update(self, state, step=None):
                return self.updating(state, step)
            def share(self, state, step=None):
                return self.shared(state, step)  # JAX602
        class Child(Base):
            def __init__(self, beta, extra):
                super().__init__(beta)
                def updated(state, step=None):
                    return state * self.beta * extra
                self.updating = jax.jit(updated)
        class Lone:
            def __init__(self, beta):
                self.updating = jax.jit(lambda state: state * beta)
            def update(self, state, step=None):
                return self.updating(state, step)  # JAX602
        class Below(Lone):
            def __init__(self, beta):
                super().__init__(beta)
                self.other = jax.jit(lambda state, step: state * beta)
        def run(x):
            return Child(0.9, 2).update(x, 3), Below(0.9).beta
    """,
    "what a caller hands in stands in place of a traced value that is made where it is left out": """
        from functools import partial
        import jax
        import jax.numpy as jnp
        def stored(x, n=None):
            if n is None:
                n = x.max()
            return jnp.zeros(n)
        def chosen(x, n=None):
            n = jnp.max(x) if n is None else n
            return jnp.zeros(n)
        def first(x, n=None):
            n = n or x.max()
            return [x + i for i in range(n)]
        def flagged(x, flag=None):
            if flag is None:
                flag = x.sum() > 0
            return x if flag else -x
        def handed_on(x, n=None):
            return stored(x, n), chosen(x, n), first(x, n)
        @jax.jit
        def handed_in(x):
            return stored(x, 5), chosen(x, x.shape[0]), first(x, 4), flagged(x, True), handed_on(x, 3)
        def left(x, n=None):
            if n is None:
                n = x.max()
            return jnp.zeros(n)  # JAX410
        def left_first(x, n=None):
            n = n or x.max()
            return [x + i for i in range(n)]  # JAX403
        def left_flag(x, flag=None):
            if flag is None:
                flag = x.sum() > 0
            return x if flag else -x  # JAX401
        def traced(x, n=None):
            if n is None:
                n = 3
            return jnp.zeros(n)  # JAX410
        def left_on(x, n=None):
            return left(x, n)
        @jax.jit
        def left_out(x):
            return left(x), left_on(x), left_first(x), left_flag(x), traced(x, x.max())
        @partial(jax.jit, static_argnames="limit")
        def called(x, limit=None):
            n = limit if limit is not None else x.sum()
            return x[: int(n)]
        @partial(jax.jit, static_argnames="limit")
        def called_without(x, limit=None):
            n = limit if limit is not None else x.sum()
            return x[: int(n)]  # JAX403
        def main(x):
            return called(x, 2), called_without(x)
    """,
    "defaults of the fields of an object that nobody stores into": """
        import dataclasses
        import jax
        import jax.numpy as jnp
        @dataclasses.dataclass(frozen=True)
        class Layout:
            rows: int = 8
            columns: int = 4
        @dataclasses.dataclass
        class Stored:
            columns: int = 4
        LAYOUT, WIDE = Layout(), Layout(columns=9)
        @dataclasses.dataclass(frozen=True)
        class Solver:
            steps: int = 2000
        SOLVER, SHORT = Solver(), Solver(steps=3)
        def columns():
            table = jnp.zeros((8, 4))
            one, stored = Layout(), Stored()
            stored.columns = 2
            return table[:, one.columns - 1], table[:, stored.columns], table[LAYOUT.rows - 1]
        def outside():
            table = jnp.zeros((8, 9))
            one = Layout()
            return table[:, WIDE.columns - 1], table[LAYOUT.rows], table[one.rows]  # JAX204
        @jax.jit
        def solve(x):
            for _ in range(SOLVER.steps):  # JAX505
                x = x + jnp.sin(x)
            for _ in range(SHORT.steps):
                x = x + jnp.sin(x)
            return x
    """,
    "elements of comprehensions and generators, and what is stored into them": """
        import jax
        import jax.numpy as jnp
        import numpy as np
        @jax.jit
        def loss(w, batch):
            return jnp.sum(batch["image"] * w)
        def load(n):
            return [{"image": np.zeros(3), "path": f"img_{i}.png"} for i in range(n)]
        def passed(w):
            return [loss(w, batch) for batch in load(3)], loss(w, load(3)[0])  # JAX611
        def without(w):
            batches = load(3)
            for batch in batches:
                batch.pop("path")
            for batch in batches:
                loss(w, batch).block_until_ready()
            others = load(3)
            for batch in others:
                del batch["path"]
                loss(w, batch).block_until_ready()
        def pairs(key, n):
            made = [(k, {"key": k, "x": jnp.zeros(3)}) for k in jax.random.split(key, n)]
            for k, held in made:
                held["x"] = held["x"] + jax.random.normal(k, (3,))
            (a, _), (b, _) = made
            return jax.random.normal(a), jax.random.normal(b), made
        def numbered(key, n):
            a, b = [{"i": i, "x": jnp.zeros(3)} for i in range(n)]
            first, second = jax.random.fold_in(key, a["i"]), jax.random.fold_in(key, b["i"])
            return jax.random.normal(first), jax.random.normal(second)
        def unpacked(names):
            q, k = (jnp.ones(3) for name in names)
            q[0] = 1.0  # JAX201
            a, b = (np.ones(3) for name in names)
            a[0] = 1.0
            layers = [{"w": jnp.ones((3, 3)), "b": np.zeros(3)} for name in names]
            for layer in layers:
                layer["b"][0] = 1.0
                layer["w"][0] = 1.0  # JAX201
            for layer in layers:
                layer["w"] = np.ones((3, 3))
            for layer in layers:
                layer["w"][0] = 1.0
            return k, b, layers
    """,
    "keys that come round again": """
        import itertools
        import jax
        def cycled(key, batches):
            keys = itertools.cycle(jax.random.split(key, 4))
            return [x + jax.random.normal(k, x.shape) for x, k in zip(batches, keys)]  # JAX102
        def one(batches):
            out = []
            for k, x in zip(itertools.cycle([jax.random.key(0)]), batches):
                out.append(x + jax.random.normal(k, x.shape))  # JAX102
            return out
        def streams(seed):
            return itertools.cycle(jax.random.split(jax.random.key(seed), 4))
        def handed_back(batches):
            return [x + jax.random.normal(k, x.shape) for x, k in zip(batches, streams(0))]  # JAX102
        def again(key):
            return itertools.repeat(key)
        def repeated(key, batches):
            out = []
            for k, x in zip(again(key), batches):
                out.append(x + jax.random.normal(k, x.shape))  # JAX102
            return out
        def counted(key, batches):
            return [jax.random.normal(jax.random.fold_in(k, i)) for i, (k, x) in enumerate(zip(again(key), batches))]
        def folded(key, batches):
            keys = itertools.cycle(jax.random.split(key, 4))
            return [x + jax.random.normal(jax.random.fold_in(k, i)) for i, (x, k) in enumerate(zip(batches, keys))]
        def taken(key):
            keys = itertools.cycle(jax.random.split(key, 4))
            first, second = next(keys), next(keys)
            return jax.random.normal(first), jax.random.normal(second)
        def chained(key, batches):
            first, second = jax.random.split(key)
            keys = itertools.chain(jax.random.split(first, 4), jax.random.split(second, 4))
            return [x + jax.random.normal(k, x.shape) for x, k in zip(batches, keys)]
        def placed(batches, devices):
            return [jax.device_put(x, device) for x, device in zip(batches, itertools.cycle(devices))]
    """,
    "the update of an optimizer that others run": """
        import jax
        import jax.numpy as jnp
        import optax
        from flax.training.train_state import TrainState
        def clipped(limit, verbose):
            def update_fn(updates, state, params=None):
                if params is None:
                    raise ValueError("the parameters are missing")
                norm = jnp.sqrt(sum(jnp.sum(u**2) for u in jax.tree.leaves(updates)))
                if norm > limit:  # JAX401
                    updates = jax.tree.map(lambda u: u * limit / norm, updates)
                return updates, state
            return optax.GradientTransformation(lambda params: optax.EmptyState(), update_fn)
        def chosen(limit, verbose):
            def update_fn(updates, state, params=None):
                norm = jnp.sqrt(sum(jnp.sum(u**2) for u in jax.tree.leaves(updates)))
                if verbose:
                    jax.debug.print("{}", norm)
                if isinstance(state, tuple) and len(state) > 1:
                    return updates, state
                return jax.tree.map(lambda u: jnp.where(norm > limit, u * limit / norm, u), updates), state
            return optax.GradientTransformation(init=lambda params: optax.EmptyState(), update=update_fn)
        def states(apply, params):
            tx = optax.chain(chosen(1.0, False), clipped(1.0, False))
            return TrainState.create(apply_fn=apply, params=params, tx=tx)
    """,
    "the gradient as it comes, from a backward pass": """
        import jax
        import jax.numpy as jnp
        @jax.custom_vjp
        def rounded(x, scale):
            return jnp.round(x / scale) * scale
        def passed(kept, g):
            return g  # JAX608
        rounded.defvjp(lambda x, scale: (rounded(x, scale), None), passed)
        @jax.custom_vjp
        def stopped(x):
            return jnp.tanh(x)
        stopped.defvjp(lambda x: (jnp.tanh(x), None), lambda kept, g: (g,))
        @jax.custom_vjp
        def both(x, y):
            return x, y
        both.defvjp(lambda x, y: ((x, y), None), lambda kept, g: g)
        @jax.custom_vjp
        def handed_on(x, y):
            return x
        handed_on.defvjp(lambda x, y: (x, None), lambda kept, g: g)
    """,
    "what a helper makes anew is donated in each turn": """
        import jax, jax.numpy as jnp
        from graphs import arrays
        step = jax.jit(lambda a, b: (a + 1, b), donate_argnames=["a"])
        def to_arrays(data, device):
            held = {name: jax.device_put(jnp.array(part.data), device) for name, part in data.items()}
            return arrays.Dataset(held)
        def prepared(data, device):
            return to_arrays(data.drop("when"), device)
        SHARED = arrays.Dataset({"a": 1})
        def shared():
            return SHARED
        def each(loader, device):
            for batch in loader:
                with jax.profiler.TraceAnnotation("step"), open("log") as log:
                    for part in batch:
                        x = part["x"]
                        x = to_arrays(x, device)
                        y, z = step(x, 1)
        def by_two_helpers(loader, device):
            for batch in loader:
                x = prepared(batch, device)
                y, z = step(x, 1)
        def before_the_loop(loader, device):
            x = prepared(loader, device)
            for batch in loader:
                y, z = step(x, 1)  # JAX506
        def of_the_module(loader):
            for batch in loader:
                x = shared()
                y, z = step(x, 1)  # JAX506
        def of_the_function_around(loader):
            held = arrays.Dataset({"a": 1})
            def get():
                return held
            for batch in loader:
                x = get()
                y, z = step(x, 1)  # JAX506
        def read(loader, device):
            x = prepared(loader, device)
            y, z = step(x, 1)
            return jnp.sum(x)  # JAX506
    """,
    "slices of one width, of which only the last can be cut off": """
        import jax, jax.numpy as jnp, numpy as np
        step = jax.jit(lambda x: x * 2)
        def by_names(x):
            size = 2**10
            pieces = []
            for i in range((x.shape[0] + size - 1) // size):
                start = i * size
                end = min(start + size, x.shape[0])
                pieces.append(step(x[start:end]))
            return jnp.concatenate(pieces)
        def in_place(x, n, size):
            for i in range(n):
                print(step(x[i * size : min((i + 1) * size, n)]), step(x[i : np.minimum(n, i + 64)]))
                print(step(x[i * size : (i + 1) * size]), step(x[max(i, 0) : i + 8]))
        def other_ends(x, n, size):
            for i in range(n):
                print(step(x[i : min(size, n)]))  # JAX504
                end = min(2 * size, len(x))
                print(step(x[i:end]))  # JAX504
                print(step(x[: min(n, size)]), step(x[max(0, 3) : i]))  # JAX504
        def plain(x, start, size):
            return step(x[start : start + size])
        def part(x, start, size):
            end = min(start + size, len(x))
            return step(x[start:end])
        def rest(x, start):
            return step(x[start:])  # JAX504
        def by_helpers(x, n):
            for i in range(n):
                print(part(x, i * 8, 8), rest(x, i))
    """,
    "a call that the turn has made before, and one that is made twice to see what compiling takes": """
        import time
        import jax, jax.numpy as jnp
        step = jax.jit(lambda x: x * 2)
        def to_see_what_compiling_takes(x):
            for n in range(40):
                x = jnp.concatenate((x, x), axis=0)
                start = time.time()
                step(x).block_until_ready()
                print("the first", time.time() - start)
                start = time.time()
                step(x).block_until_ready()
                print("the second", time.time() - start)
        def timed_once(x):
            for n in range(40):
                x = jnp.concatenate((x, x), axis=0)
                start = time.time()
                step(x).block_until_ready()  # JAX504
                print(time.time() - start)
        def again(x, flag):
            for n in range(400):
                if flag:
                    step(x[:n])  # JAX504
                step(x[:n])  # JAX504
                step(x[:n])
                x = x[1:]
                step(x[:n])  # JAX504
        class Agent:
            def again(self, n):
                for n in range(400):
                    self.step(self.seen[:n])
                    step(self.seen[:n])  # JAX504
                    print(step(self.seen[:n]))
                    self.seen = self.seen[1:]
                    step(self.seen[:n])  # JAX504
    """,
    "times that are those of compiling, of which only a sum is read, or that nobody takes": """
        import time
        import jax
        import jax.numpy as jnp
        step = jax.jit(lambda x: x @ x)
        def said_above(x):
            print("jit compilation")
            start = time.time()
            y = step(x)
            end = time.time()
            spent = end - start
            print(f"took {spent}")
            return y
        def said_behind(x):
            start = time.time()
            y = step(x)
            spent = time.time() - start
            print("compilation took", spent)
            return y
        def said_after(x):
            # after compilation
            start = time.time()
            y = step(x)  # JAX702
            spent = time.time() - start
            print("took", spent)
            return y
        def two_said(x, z):
            start = time.time()
            y = step(x)  # JAX702
            spent = time.time() - start
            print("compilation took", z, "run", spent)
            return y
        def twice(x):
            fast = jax.jit(lambda v: v @ v)
            start = time.time()
            y = fast(x)
            print("first call", time.time() - start)
            start = time.time()
            y = fast(x)
            y.block_until_ready()
            print("second call", time.time() - start)
            return y
        def each(xs):
            fast = jax.jit(lambda v: v @ v)
            for x in xs:
                start = time.time()
                y = fast(x)
                print("time", time.time() - start)
                start = time.time()
                for _ in range(10):
                    fast(x).block_until_ready()
                print("time per call", (time.time() - start) / 10)
        def each_unlike(xs, z):
            fast = jax.jit(lambda v: v @ v)
            for x in xs:
                start = time.time()
                y = fast(z)  # JAX702
                print("time", time.time() - start)
                start = time.time()
                fast(x).block_until_ready()
                print("time per call", (time.time() - start) / 10)
        def summed(x):
            start = time.time()
            y = step(x)
            rolled = time.time() - start
            start = time.time()
            z = step(y)
            jax.block_until_ready(z)
            updated = time.time() - start
            print("total", rolled + updated)
        def summed_unwaited(x):
            start = time.time()
            y = step(x)
            rolled = time.time() - start
            start = time.time()
            z = step(y)  # JAX702
            updated = time.time() - start
            print("total", rolled + updated)
        def shown_too(x):
            start = time.time()
            y = step(x)  # JAX702
            rolled = time.time() - start
            start = time.time()
            z = step(y)
            jax.block_until_ready(z)
            updated = time.time() - start
            print("total", rolled + updated, rolled)
        def train(x):
            def measure():
                start = time.time()
                y = step(x)
                return time.time() - start
            def used():
                start = time.time()
                y = step(x)  # JAX702
                return time.time() - start
            return used()
        def later(x):
            a = time.time()  # JAX702
            @jax.jit
            def fft(x):
                return x @ x
            for _ in range(100):
                y = fft(x)
            y.block_until_ready()
            return time.time() - a
        def neither_waits(x):
            fast = jax.jit(lambda v: v @ v)
            start = time.time()
            y = fast(x)  # JAX702
            print("with", time.time() - start)
            start = time.time()
            y = fast(x)  # JAX702
            print("without", time.time() - start)
            return y
    """,
    "static fields of objects that are made once, or of which nothing but methods is read": """
        import equinox as eqx
        import jax
        import jax.numpy as jnp
        class Frozen(eqx.Module):
            phi: jax.Array = eqx.field(static=True)
            w: jax.Array
        class Many(eqx.Module):
            phi: jax.Array = eqx.field(static=True)  # JAX502
            w: jax.Array
        class Twice(eqx.Module):
            phi: jax.Array = eqx.field(static=True)  # JAX502
            w: jax.Array
        class Uncalled(eqx.Module):
            phi: jax.Array = eqx.field(static=True)
        class Part(eqx.Module):
            mask: jax.Array = eqx.field(static=True)
        class Block(eqx.Module):
            part: Part
            parts: list
            def __init__(self, n, kept):
                if kept is None:
                    self.part = Part(jnp.ones(n))
                else:
                    self.part = Part(kept)
                self.parts = [Part(jnp.ones(one)) for one in range(n)]
        def once(key):
            return Frozen(jnp.ones(3), jnp.ones(3))
        def many(key):
            return [Many(jnp.ones(3), jnp.ones(3)) for _ in range(3)]
        def twice(key):
            a = Twice(jnp.ones(3), jnp.ones(3))
            b = Twice(jnp.zeros(3), jnp.ones(3))
            return a, b
        @jax.tree_util.register_pytree_node_class
        class Builder:
            def __init__(self, n):
                self.q = jnp.eye(n)
            def build(self, x):
                return self.q @ x
            def tree_flatten(self):
                return (), (self.q,)
            @classmethod
            def tree_unflatten(cls, aux, children):
                return cls(aux[0])
        def asked(x):
            b = Builder(4)
            c = Builder(5)
            @jax.jit
            def step(x):
                return b.build(x)
            return step(x), c.build(x), b.q
        def handed(x):
            b = Builder(4)  # JAX502
            c = Builder(5)  # JAX502
            step = jax.jit(lambda b, x: b.build(x))
            return step(b, x), step(c, x)
    """,
    "settings of a function that nobody names, where the module starts JAX": """
        import os
        import jax
        print(jax.devices())
        def set_platform(name):
            jax.config.update("jax_platform_name", name)
        def used(name):
            jax.config.update("jax_cuda_visible_devices", name)  # JAX902
        used("0")
        def test_late():
            jax.config.update("jax_platforms", "cpu")  # JAX902
    """,
    "devices that a setting of JAX has made already": """
        import os
        import jax
        def main(name):
            print(jax.devices())
            os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=4"  # JAX902
        def choose(name):
            if "gpu" in jax.devices():
                jax.config.update("jax_platforms", "cpu")  # JAX902
        def has_them_already():
            jax.config.update("jax_num_cpu_devices", 4)
            print(jax.devices())
            os.environ["XLA_FLAGS"] = " --xla_force_host_platform_device_count=4"
        def sets_another_flag():
            jax.config.update("jax_num_cpu_devices", 4)
            print(jax.devices())
            os.environ["XLA_FLAGS"] = "--xla_dump_to=/tmp"  # JAX902
    """,
    "compiled methods that nobody names": """
        import jax
        class Model:
            def __init__(self, w):
                self.w = w
            @jax.jit
            def unnamed(self, x):
                return x * self.w
            @jax.jit  # JAX507
            def used(self, x):
                return x * self.w
            @jax.jit  # JAX507
            def __call__(self, x):
                return x + self.w
        def run(x):
            return Model(2.0).used(x)
        class StillWritten:
            def __init__(self, w):
                self.w = w
            @jax.jit  # JAX507
            def unnamed_yet(self, x):
                return x * self.w
        class Stored:
            def __init__(self, w):
                self.w = w
            @jax.jit  # JAX507
            def used(self, x):
                return x * self.w
        model = Stored(3)
        model.w = 4
    """,
    "few turns that a remainder chooses, and files of which each has a shape of its own": """
        import os
        from functools import partial
        import jax, jax.numpy as jnp, numpy as np
        def few(x):
            for i in range(10):
                if i % 5 == 0:
                    x = jax.jit(lambda v: v * 2)(x)
                if i % 2 == 0:
                    x = jax.jit(lambda v: v * 3)(x)  # JAX501
            return x
        def unknown(x, n):
            for i in range(n):
                if i % 5 == 0:
                    x = jax.jit(lambda v: v * 2)(x)  # JAX501
            return x
        def of_a_file(path, scale):
            x = jnp.asarray(np.load(path))
            return jax.jit(lambda v: v * scale)(x)
        def of_a_name(name, x, scale):
            print(name)
            return jax.jit(lambda v: v * scale)(x)  # JAX501
        def each(folder, x):
            for name in os.listdir(folder):
                path = os.path.join(folder, name)
                print(of_a_file(path, 2.0), of_a_name(path, x, 2.0))
        def metrics(x, config, key):
            return x * config
        def evaluate(x, config, key):
            bound = partial(metrics, config=config, key=key)
            return jax.jit(jax.vmap(bound, in_axes=1))(x)  # JAX501
        def all_of(xs, config, key):
            for x in xs:
                print(evaluate(x, config, key))
    """,
    "code below a switch that is off": """
        import time
        import jax
        PROFILING, CHECKING = False, True
        step = jax.jit(lambda x: x @ x)
        def run(x, shown):
            if PROFILING:
                start = time.time()
                y = step(x)
                print(time.time() - start)
            if CHECKING:
                start = time.time()
                y = step(x)  # JAX702
                print(time.time() - start)
            if shown:
                start = time.time()
                y = step(x)  # JAX702
                print(time.time() - start)
            if not PROFILING:
                start = time.time()
                y = step(x)  # JAX702
                print(time.time() - start)
            return y
        def each(xs):
            for x in xs:
                if PROFILING:
                    jax.jit(lambda v: v * 2)(x)
                jax.jit(lambda v: v * 2)(x)  # JAX501
    """,
    "shapes of what is chosen by name, and sizes of what only an array allows": """
        import jax
        import jax.numpy as jnp
        import flax.linen as nn
        def chosen(o):
            kept = (o[:, 1] <= 0).reshape((o.shape[0], 1))
            return jnp.where(kept, x=jnp.ones(o.shape), y=o)[:, 4]  # JAX801  # JAX801
        def chosen_of_one(o):
            kept = (o[:, 1] <= 0).reshape((o.shape[0], 1))
            return jnp.where(kept, 1.0, 0.0)[:, 4]  # JAX204
        class Patches(nn.Module):
            @nn.compact
            def __call__(self, inputs):
                tokens = inputs[:, 1:]
                _, length, width = tokens.shape
                side = int(length ** 0.5)
                other = int(jnp.sqrt(length))  # JAX408
                return tokens.reshape(side, other, width)
    """,
    "networks of which an option chooses one": """
        import jax
        import flax.linen as nn
        class Carried(nn.Module):
            @nn.compact
            def __call__(self, x, carry=None):
                return nn.Dense(3)(x)
        class Plain(nn.Module):
            @nn.compact
            def __call__(self, x):
                return nn.Dense(3)(x)
        def build(kind):
            if kind == "carried":
                return Carried()
            if kind == "plain":
                return Plain()
            raise ValueError(kind)
        def built(x, kind, key):
            net = build(kind)
            return net.apply(net.init(key, x), x, carry=3)
        def chosen(x, kind, key):
            net = Carried() if kind else Plain()
            return net.apply(net.init(key, x), x, 3)
        def of_neither(x, kind, key):
            net = Carried() if kind else Plain()
            return net.apply(net.init(key, x), x, other=3)  # JAX602
    """,
    "seeds that an annotation calls a number": """
        import jax
        import jax.numpy as jnp
        import numpy as np
        def learner(seed: int):
            return jax.vmap(jax.random.PRNGKey)(np.array(seed)), len(seed)
        def of_one():
            return jax.vmap(jax.random.PRNGKey)(jnp.asarray(3))  # JAX605
    """,
    "what was donated is returned": """
        import jax
        import jax.numpy as jnp
        step = jax.jit(lambda s, g: s - g, donate_argnums=0)
        def best_of(state, grads):
            best = state
            for g in grads:
                state = step(state, g)
            return state, best  # JAX506
        def replaced(state, grads):
            for g in grads:
                state = step(state, g)
            return state
        def copied(state, g):
            best = state.copy()
            state = step(state, g)
            return state, best
        def either(state, g, is_last):
            if is_last:
                return state
            return step(state, g)
        def of_shape(state, g):
            new = step(state, g)
            return new, state.shape
        @jax.jit
        def traced(state, g):
            new = step(state, g)
            return new, state
    """,
    "shapes of which a part is known": """
        import jax
        import jax.numpy as jnp
        from jax import lax, random
        def below(x, n):
            return (n,) + x.shape[1:]
        @jax.jit
        def joined(x, n):
            return jnp.zeros((n,) + x.shape[1:])  # JAX410
        @jax.jit
        def spread(x, n):
            shape = (*x.shape, n)
            return jnp.zeros(shape)  # JAX410
        @jax.jit
        def of_helper(x, n):
            return jnp.zeros(below(x, n))  # JAX410
        @jax.jit
        def by_function(x, n):
            return jnp.broadcast_to(x, jnp.shape(x)[:-1] + (n,))  # JAX410
        @jax.jit
        def drawn(key, x, n):
            return random.normal(key, tuple([n]) + x.shape)  # JAX410
        @jax.jit
        def stored(x, n):
            shape = list(x.shape)
            shape[0] = n
            return jnp.zeros(shape)  # JAX410
        @jax.jit
        def replaced(x, n):
            shape = [n, 4]
            shape[0] = 3
            return jnp.zeros(shape) + n
        @jax.jit
        def of_sizes(x):
            b, t = x.shape[:2]
            return x.reshape((b * t,) + x.shape[2:]), jnp.zeros(below(x, 3)), jnp.zeros(below(x, x.shape[0]))
        def on_host(x, n):
            return jnp.zeros((n,) + x.shape[1:])
        def chunked(x, size):
            def block(i, total):
                end = jnp.minimum(i * size + size, x.shape[0])
                part = lax.dynamic_slice(x, (i * size,) + (0,), (end - i * size,) + x.shape[1:])  # JAX410
                return total + part.sum()
            return lax.fori_loop(0, 4, block, 0.0)
    """,
    "loops that constants make short": """
        import jax
        AGENTS, EPOCHS = 2, 20
        def fit(x):
            return jax.jit(lambda v: v * x)(x)  # JAX501
        def slow(x):
            return jax.jit(lambda v: v + x)(x)
        def two(x):
            for i in range(AGENTS):
                print(slow(x))
            runs = 2
            for i in range(runs):
                print(slow(x))
            for i in range(EPOCHS):
                print(fit(x))
    """,
}

PROGRAMS["turns of a loop that choose another program, which has to be compiled"] = """
    import jax, jax.numpy as jnp
    def power(x, n):
        return sum(x ** i for i in range(n))
    def scaled(x, n):
        return jnp.sin(x) * n
    class Integral:
        def __init__(self, x, kind, order=0):
            self.value = x if kind == "rect" else x * 2
            self.order = order
    def mapped(f, xs):
        return jax.lax.map(f, xs)
    def by_a_test(xs, signs):
        for sign in signs:
            print(jax.lax.map(lambda x: x if sign else -x, xs))
    def by_none(xs, offsets):
        for offset in offsets:
            print(jax.lax.map(lambda x: x if offset is None else x + offset, xs))  # JAX501
    def by_a_function_that_is_picked(xs, orders, table):
        for order in orders:
            def f(x):
                return table[order](x)
            print(mapped(f, xs))
    def by_an_array_that_is_picked(xs, orders, table):
        for order in orders:
            def f(x):
                return table[order] * x
            print(mapped(f, xs))  # JAX501
    def by_a_count(xs):
        for n in range(1, 40):
            print(jax.jit(lambda x: power(x, n))(xs))
    def by_a_factor(xs):
        for n in range(1, 40):
            print(jax.jit(lambda x: scaled(x, n))(xs))  # JAX501
    def by_an_option(xs, kinds):
        for kind in kinds:
            print(jax.jit(lambda x: Integral(x, kind).value)(xs))
    def by_a_field(xs, orders):
        for order in orders:
            print(jax.jit(lambda x: Integral(x, "rect", order=order).value)(xs))  # JAX501
    def by_the_turn(xs):
        for n in range(40):
            print(jax.jit(lambda x: x if n > 3 else -x)(xs))  # JAX501
    def by_an_object(xs, cases):
        for case in cases:
            model = case["model"]
            print(jax.jit(jax.vmap(lambda x: model.rollout(x)))(xs))
    def by_a_method_of_arrays(xs, cases):
        for case in cases:
            weights = case["weights"]
            print(jax.jit(jax.vmap(lambda x: x * weights.sum()))(xs))  # JAX501
"""


PROGRAMS["a method of a project's own, by the name of one of arrays, that takes what no array does"] = """
    import jax, jax.numpy as jnp
    @jax.jit
    def cleared(mesh):
        mesh = mesh.clone(value=mesh.value.at[0].set(0.0))
        return mesh.clone(value=jnp.zeros_like(mesh.value))
    @jax.jit
    def copied(x):
        y = x + 1
        return y.clone()  # JAX404
"""


PROGRAMS["objects of a declared class, of which each turn makes another"] = """
    import jax, jax.numpy as jnp
    class Env:
        def __init__(self, n):
            self.n = n
        def reset(self, key):
            return jax.random.normal(key, (self.n,))
    def collect(env: Env, keys):
        def run(key):
            return env.reset(key)
        return jax.jit(jax.vmap(run))(keys)
    def validate(run, keys):
        env = Env(run["n"])
        return collect(env, keys)
    def of_each(keys):
        for run in load():
            print(validate(run, keys))
    def gather(env: Env, keys):
        def run(key):
            return env.reset(key)
        return jax.jit(jax.vmap(run))(keys)  # JAX501
    def of_one(keys):
        env = Env(3)
        for key in keys:
            print(gather(env, key))
"""
PROGRAMS["optimizers that are made of those of the project"] = """
    import jax, jax.numpy as jnp, optax
    def clipped(limit):
        def update(updates, state, params=None):
            norm = optax.tree.norm(updates)
            if norm > limit:  # JAX401
                updates = jax.tree.map(lambda g: g * limit / norm, updates)
            return updates, state
        return optax.GradientTransformation(lambda params: optax.EmptyState(), update)
    def counted(every):
        def update(updates, state, params=None):
            if every > 1:
                updates = jax.tree.map(lambda g: g / every, updates)
            if params is None:
                raise ValueError("params")
            if state.count > 3:  # what a part of a chain has for a state is not known
                return updates, state
            return updates, state
        return optax.GradientTransformationExtraArgs(lambda params: optax.EmptyState(), update)
    def of_host(updates, state, params=None):
        if sum(float(jnp.sum(g)) for g in updates) > 1.0:  # no traced code calls this one
            print(updates)
        return updates, state
    tx = optax.chain(clipped(1.0), counted(2), optax.masked(optax.adam(1e-3), True))
    plain = optax.chain(optax.GradientTransformation(lambda params: (), of_host), optax.sgd(0.1))
    @jax.jit
    def step(params, state, x):
        grads = jax.grad(lambda p: jnp.sum(p * x))(params)
        updates, state = tx.update(grads, state, params)
        return optax.apply_updates(params, updates), state
    def eager(grads, state):
        return plain.update(grads, state)
"""
PROGRAMS["keys for the streams of a network, in a dict"] = """
    import jax
    from flax import linen as nn
    class Noisy(nn.Module):
        @nn.compact
        def __call__(self, x):
            return nn.Dense(3)(x + jax.random.normal(self.make_rng("latent"), x.shape))
    class Quiet(nn.Module):
        train: bool = False
        @nn.compact
        def __call__(self, x):
            if self.train:
                x = x + jax.random.normal(self.make_rng("latent"), x.shape)
            return nn.Dense(3)(x)
    def repeated(xs, params, key):
        rngs, found = {"latent": key}, []
        for x in xs:
            found.append(Noisy().apply(params, x, rngs=rngs))  # JAX102
        return found
    def twice(x, params, key):
        model, rngs = Noisy(), {"latent": key}
        return model.apply(params, x, rngs=rngs), model.apply(params, 2 * x, rngs=rngs)  # JAX101
    def apart(x, params, key):
        one, two = jax.random.split(key)
        model, rngs = Noisy(), {"latent": one}
        return model.apply(params, x, rngs=rngs), model.apply(params, 2 * x, rngs={**rngs, "latent": two})
    def silent(xs, params, key):
        rngs, found = {"latent": key}, []
        for x in xs:
            found.append(Quiet().apply(params, x, rngs=rngs))
            found.append(Noisy().apply(params, x, rngs={"other": key}))
            found.append(Noisy().apply(params, x, rngs={"latent": key}, method="encode"))
        return found
"""


PROGRAMS["shapes that an argument has, and those of sums"] = """
    import jax, jax.numpy as jnp
    def relaxed(grid, tol):
        def go_on(state):
            return state[1] > tol  # JAX602
        return jax.lax.while_loop(go_on, lambda state: (state[0], state[1] / 2), (grid, jnp.zeros(grid.shape)))
    relaxed(jnp.ones((8, 8)), 1e-3)
    def halved(size, tol):
        return jax.lax.while_loop(lambda s: s[1] > tol, lambda s: (s[0], s[1] / 2), (size, jnp.ones(size.shape)))
    halved(jnp.ones(()), 1e-3)
    def chosen(x):
        start = jnp.ones(x.shape)
        return jax.lax.cond(True, lambda s: s, lambda s: s.sum(0), start)  # JAX603
    chosen(jnp.ones((3, 4)))
    def close(old, new, tol):
        return jnp.abs(old - new) < tol
    def solved(a, b):
        x = jnp.zeros(3)
        while True:
            new = a * x + b * jnp.sin(x)
            if close(x, new, 1e-3):  # JAX209
                return new
            x = new
    def found(a, b):
        x = jnp.zeros(())
        while True:
            new = a * x + b * jnp.sin(x)
            if close(x, new, 1e-3):
                return new
            x = new
"""


PROGRAMS["what a network of Haiku with a state gives"] = """
    import haiku as hk, jax, jax.numpy as jnp
    def forward(x):
        return hk.BatchNorm(True, True, 0.99)(hk.Linear(10)(x), is_training=True)
    model, plain = hk.transform_with_state(forward), hk.transform(lambda x: hk.Linear(10)(x))
    def loss(params, state, x):
        logits = model.apply(params, state, None, x)
        return jnp.mean((logits - x) ** 2)  # JAX609
    def shape(params, state, x):
        return model.apply(params, state, None, x).shape  # JAX609
    def right(params, state, x):
        logits, state = model.apply(params, state, None, x)
        return logits.mean(), state
    def first(params, state, x):
        return model.apply(params, state, None, x)[0].mean()
    def whole(params, state, x):
        found = model.apply(params, state, None, x)
        return found
    def stateless(params, x):
        return plain.apply(params, None, x).mean()
"""
PROGRAMS["layers of which each goes on with what the last drew, and functions that are tried"] = """
    import equinox as eqx, jax
    class Net(eqx.Module):
        layers: list
        drop: eqx.nn.Dropout
        def __call__(self, x, key):
            for layer in self.layers:
                x = self.drop(layer(x), key=key)  # JAX102
            return x
    def deep(layers, x, key):
        for layer in layers:
            x = layer(x)
            x = x * jax.random.bernoulli(key, 0.9, x.shape)  # JAX102
        return x
    def split(layers, x, key):
        for layer, sub in zip(layers, jax.random.split(key, len(layers))):
            x = layer(x)
            x = x * jax.random.bernoulli(sub, 0.9, x.shape)
        return x
    def tried(policies, key, costs):
        for policy in policies:
            noise = jax.random.normal(key, (3,))
            costs.append(policy(noise))
        return costs
    def each(policies, key):
        return [policy(jax.random.normal(key, (3,))).sum() for policy in policies]
"""


PROGRAMS["functions that are compiled for a local name that nothing reads, or an attribute that is replaced"] = """
    import jax, jax.numpy as jnp
    class Pipeline:
        def augment(self, x):
            if jnp.all(x > 0):  # JAX409
                return x
            return -x
        def fit(self, x):
            @jax.jit
            def loss(params, x):
                return self.augment(x) * params
            return self.augment(x)
    class Called:
        def augment(self, x):
            if jnp.all(x > 0):  # JAX401
                return x
            return -x
        def fit(self, x):
            @jax.jit
            def loss(params, x):
                return self.augment(x) * params
            return loss(2.0, x)
    class Inside:
        def fit(self, x):
            @jax.jit
            def loss(x):
                return float(x)  # JAX404
            def run():
                return loss(x)
            return run
    class Game:
        def __init__(self):
            def step(state):
                if state.sum() > 0:
                    return state
                return -state
            def reset(state):
                if state.sum() > 0:  # JAX401
                    return state
                return -state
            self.step = jax.jit(step)
            self.reset = jax.jit(reset)
            self.step = step
    class Taken:
        def __init__(self, x):
            def step(state):
                if state.sum() > 0:  # JAX401
                    return state
                return -state
            self.step = jax.jit(step)
            self.first = self.step(x)
            self.step = step
"""
PROGRAMS["arrays of NumPy for a parameter that is annotated as an array of JAX, kept in a field"] = """
    import chex, jax, jax.numpy as jnp, numpy as np
    class Buffer:
        def __init__(self, rows: chex.Array, place: int = 0):
            self.rows, self.place = None, place
            self.rows = rows
        def empty(size):
            return Buffer(np.zeros((size, 2)))
        def add(self, row):
            self.rows[self.place] = row
    class Traced:
        def __init__(self, rows: jax.Array):
            self.rows = rows
        def add(self, row):
            self.rows[0] = row  # JAX201
    def made():
        return Traced(jnp.zeros((3, 2)))
    class Named:
        def __init__(self, place: int, rows: jax.Array):
            self.rows = rows
            self.place = place
        def add(self, row):
            self.rows[self.place] = row
    def named():
        return Named(0, rows=np.zeros(3))
"""


PROGRAMS["objects of a comprehension, each with a key of its own"] = """
    import dataclasses, jax
    from jax import random as jr
    @dataclasses.dataclass(frozen=True)
    class Stream:
        key: jax.Array
        def normal(self, shape):
            return jr.normal(self.key, shape)
    def listed(key):
        a, b, c = [Stream(k) for k in jr.split(key, 3)]
        return a.normal((3,)) + b.normal((3,)) + c.normal((3,))
    def of_a_generator(key, n):
        a, b = tuple(Stream(k) for k in jr.split(key, n))
        return a.normal((3,)) + b.normal((3,))
    def made(key, n):
        return tuple(Stream(k) for k in jr.split(key, n))
    def of_a_helper(key):
        a, b = made(key, 2)
        return a.normal((3,)) + b.normal((3,))
    def twice(key):
        a, b = [Stream(k) for k in jr.split(key, 2)]
        return a.normal((3,)) + a.normal((3,)) + b.normal((3,))  # JAX101
    def of_one_key(key):
        a, b = [Stream(key) for _ in range(2)]
        return a.normal((3,)) + b.normal((3,))  # JAX101
"""
PROGRAMS["static lists that are added, repeated and united"] = """
    import jax
    from functools import partial
    @partial(jax.jit, static_argnames="sizes")
    def grown(x, sizes):
        return x * len(sizes)
    def added(x, cfg):
        return grown(x, sizes=[cfg.n] + list(cfg.hidden) + [cfg.m])  # JAX502
    def extended(x, more):
        sizes = [1]
        sizes += [2, 3]
        return grown(x, sizes=sizes)  # JAX502
    def repeated(x, n):
        return grown(x, sizes=[n] * 3)  # JAX502
    def united(x, n):
        return grown(x, sizes={"a": n} | {"b": 2})  # JAX502
    def of_tuples(x, n):
        return grown(x, sizes=(n,) + (2, 3)), grown(x, sizes=(n,) * 3), grown(x, sizes=tuple([n] + [2]))
    def of_unknown(x, cfg):
        return grown(x, sizes=cfg.first + cfg.second), grown(x, sizes=cfg.hidden * 2), grown(x, sizes=cfg.a | cfg.b)
    def of_a_shape(x):
        return grown(x, sizes=list(x.shape)), grown(x, sizes=list(x.shape)[:-1] + [3])  # JAX502
    def sliced(x, hidden):
        return grown(x, sizes=list(hidden)[1:])  # JAX502
    def shapes(x, cfg):
        return grown(x, sizes=x.shape[1:]), grown(x, sizes=(1,) + x.shape), grown(x, sizes=tuple(list(x.shape)[1:]))
    def items(x, cfg):
        return grown(x, sizes=[cfg.a, cfg.b][0]), grown(x, sizes={"a": cfg.a}["a"]), grown(x, sizes=cfg.a[1:])
    def merged(x, options, **more):
        return grown(x, sizes=dict(options) | more)  # JAX502
    def hashed(x, n):
        return grown(x, sizes=frozenset([n]) | frozenset([2]))
"""
PROGRAMS["static arguments that a helper makes"] = """
    import jax
    from functools import partial
    @partial(jax.jit, static_argnames="sizes")
    def grown(x, sizes):
        return x * len(sizes)
    def listed(n, hidden):
        return [n] + list(hidden)
    def gathered(hidden):
        found = []
        for one in hidden:
            found.append(one)
        return found
    def paired(n):
        return ([n], 2)
    def tupled(n, hidden):
        return (n, *hidden)
    def either(n, flag):
        if flag:
            return (n, 2)
        return [n, 2]
    def passed(sizes):
        return sizes
    class Net:
        width = 3
        def sizes(self, hidden):
            return [self.width] + list(hidden)
        def frozen(self, hidden):
            return (self.width, *hidden)
        def run(self, x, hidden):
            grown(x, sizes=self.frozen(hidden))
            return grown(x, sizes=self.sizes(hidden))  # JAX502
    def run(x, hidden, cfg):
        sizes = gathered(hidden)
        a = grown(x, sizes=listed(1, hidden))  # JAX502
        b = grown(x, sizes=sizes)  # JAX502
        c = grown(x, sizes=paired(1))  # JAX502
        d = grown(x, sizes=passed([1, 2]))  # JAX502
        e = grown(x, sizes=tupled(1, hidden)), grown(x, sizes=tuple(listed(1, hidden)))
        f = grown(x, sizes=either(1, cfg.flag)), grown(x, sizes=passed(cfg.sizes)), grown(x, sizes=passed((1, 2)))
        return a, b, c, d, e, f
    whole = listed(1, (2,))
    grown(1.0, sizes=whole)  # JAX502
"""
PROGRAMS["the state of an optimizer in a field, and one that each turn makes"] = """
    import dataclasses
    from typing import NamedTuple
    import jax, jax.numpy as jnp, optax
    tx = optax.adam(1e-3)
    def loss(params, x):
        return jnp.sum((params * x) ** 2)
    class Trainer:
        def __init__(self, params):
            self.tx, self.params = optax.adam(1e-3), params
            self.state = self.tx.init(params)
        def dropped(self, x):
            updates, _ = self.tx.update(jax.grad(loss)(self.params, x), self.state, self.params)  # JAX614
            self.params = optax.apply_updates(self.params, updates)
        def kept(self, x):
            updates, new = self.tx.update(jax.grad(loss)(self.params, x), self.state, self.params)
            self.params, self.state = optax.apply_updates(self.params, updates), new
        def stored_at_once(self, x):
            updates, self.state = self.tx.update(jax.grad(loss)(self.params, x), self.state, self.params)
            self.params = optax.apply_updates(self.params, updates)
        def ahead(self, x):
            updates, _ = self.tx.update(jax.grad(loss)(self.params, x), self.state, self.params)
            self.ahead = optax.apply_updates(self.params, updates)
        def begun_anew(self, x):
            self.state = self.tx.init(self.params)
            updates, _ = self.tx.update(jax.grad(loss)(self.params, x), self.state, self.params)
            self.params = optax.apply_updates(self.params, updates)
    class State(NamedTuple):
        params: jax.Array
        opt: optax.OptState
    def copied(state, x):
        updates, new = tx.update(jax.grad(loss)(state.params, x), state.opt, state.params)  # JAX614
        return state._replace(params=optax.apply_updates(state.params, updates))
    def copied_by_a_function(state, x):
        updates, _ = tx.update(jax.grad(loss)(state.params, x), state.opt, state.params)  # JAX614
        new = optax.apply_updates(state.params, updates)
        return dataclasses.replace(state, params=new)
    def in_a_dict(state, x):
        updates, _ = tx.update(jax.grad(loss)(state["params"], x), state["opt"], state["params"])  # JAX614
        state["params"] = optax.apply_updates(state["params"], updates)
        return state
    def whole(state, x):
        updates, new = tx.update(jax.grad(loss)(state.params, x), state.opt, state.params)
        return state._replace(params=optax.apply_updates(state.params, updates), opt=new)
    def looking_ahead(state, x):
        updates, _ = tx.update(jax.grad(loss)(state.params, x), state.opt, state.params)
        return state._replace(fast=optax.apply_updates(state.params, updates))
    def without_memory(state, x):
        plain = optax.sgd(0.1)
        updates, _ = plain.update(jax.grad(loss)(state.params, x), state.opt, state.params)
        return state._replace(params=optax.apply_updates(state.params, updates))
    def in_each_turn(params, data):
        for x in data:
            state = tx.init(params)
            updates, state = tx.update(jax.grad(loss)(params, x), state, params)  # JAX614
            params = optax.apply_updates(params, updates)
        return params
    def for_each_task(params, tasks):
        for data in tasks:
            state = tx.init(params)
            for x in data:
                updates, state = tx.update(jax.grad(loss)(params, x), state, params)
                params = optax.apply_updates(params, updates)
        return params
    def one_step_each(params, tasks):
        adapted = []
        for x in tasks:
            state = tx.init(params)
            updates, state = tx.update(jax.grad(loss)(params, x), state, params)
            adapted.append(optax.apply_updates(params, updates))
        return adapted
    def other_parameters(several, x):
        adapted = []
        for params in several:
            state = tx.init(params)
            updates, state = tx.update(jax.grad(loss)(params, x), state, params)
            params = optax.apply_updates(params, updates)
            adapted.append(params)
        return adapted
"""
PROGRAMS["fields of a class that holds settings"] = """
    import jax
    class Flags:
        rate = 0.1
        scale = 2.0
    class Fixed:
        rate = 0.1
    class Held:
        def __init__(self):
            self.rate = 0.5
    @jax.jit
    def step(w):
        return w * Flags.rate  # JAX302
    @jax.jit
    def unchanged(w):
        return w * Fixed.rate * Flags.scale
    @jax.jit
    def changed_before(w, rate):
        return w * rate
    def train(w, n):
        for _ in range(n):
            w = unchanged(changed_before(step(w), Flags.rate))
            Flags.rate = Flags.rate * 0.9
        return w
    def other(w, n):
        held, fixed = Held(), Fixed()
        for _ in range(n):
            w = unchanged(w)
            held.rate *= 0.9
            fixed.rate = 0.9
        return w
    class Base:
        eps = 0.1
        tol = 0.1
        @classmethod
        def tighten(cls):
            cls.tol = cls.tol * 0.5
    class Derived(Base):
        pass
    @jax.jit
    def of_a_base(w):
        return w * Derived.eps  # JAX302
    @jax.jit
    def by_a_method(w):
        return w * Base.tol  # JAX302
    def loop(w, n):
        for _ in range(n):
            w = by_a_method(of_a_base(w))
            Base.eps *= 0.5
            Base.tighten()
        return w
    class Counting:
        count = 0
        def __init__(self):
            self.kept = jax.jit(self.run)
        @staticmethod
        def run(w):
            return w * Counting.count
        def step(self, w):
            w = self.kept(w)
            self.count += 1
            return w
"""
PROGRAMS["updates of an optimizer that a function is given"] = """
    import jax, jax.numpy as jnp, optax
    from flax import nnx
    def loss(model, x):
        return jnp.mean(model(x) ** 2)
    @nnx.jit
    def step(model, optimizer, x):
        optimizer.update(nnx.grad(loss)(model, x))  # JAX614
    def inner(optimizer, grads):
        optimizer.update(grads)  # JAX614
    def outer(model, optimizer, x):
        inner(optimizer, nnx.grad(loss)(model, x))
    @nnx.jit
    def right(model, optimizer, x):
        optimizer.update(model, nnx.grad(loss)(model, x))
    @nnx.jit
    def of_both(model, optimizer, x):
        optimizer.update(nnx.grad(loss)(model, x))
    def uncalled(optimizer, grads):
        optimizer.update(grads)
    def noted(metrics, value):
        metrics.update(value)
    def train(x):
        model = nnx.Linear(2, 1, rngs=nnx.Rngs(0))
        optimizer = nnx.Optimizer(model, optax.sgd(0.1), wrt=nnx.Param)
        both = nnx.ModelAndOptimizer(model, optax.sgd(0.1))
        step(model, optimizer, x), outer(model, optimizer, x), right(model, optimizer, x), of_both(model, both, x)
        noted({}, {"loss": 1.0})
"""
PROGRAMS["what callbacks give, and what is said of it"] = """
    import jax, jax.numpy as jnp, numpy as np
    from jax.experimental import io_callback
    scalar = jax.ShapeDtypeStruct((), jnp.float32)
    def both(x):
        return x.mean(), x.std()
    def logged(x):
        print(x)
    def of_one(x):
        return jax.pure_callback(both, scalar, x)  # JAX614
    def of_three(x):
        return jax.pure_callback(lambda x: (1.0, 2.0), (scalar, scalar, scalar), x)  # JAX614
    def of_integers(x):
        return jax.pure_callback(lambda x: 1, scalar, x)  # JAX614
    def of_another_shape(x):
        return jax.pure_callback(lambda x: np.ones(3), jax.ShapeDtypeStruct((3, 1), x.dtype), x)  # JAX614
    def of_nothing(x):
        return io_callback(logged, scalar, x)  # JAX614
    def right(x):
        one, two = jax.pure_callback(both, (scalar, scalar), x), jax.pure_callback(both, [scalar, scalar], x)
        io_callback(logged, None, x), io_callback(logged, (), x)
        return one, two, jax.pure_callback(lambda x: (1.0,), scalar, x), jax.pure_callback(np.sin, x, x)
    def wide(x):
        return jax.pure_callback(lambda x: np.ones(3), jax.ShapeDtypeStruct((3,), jnp.float32), x)
    def described_by_another(x, shapes):
        return jax.pure_callback(both, shapes, x), jax.pure_callback(lambda x: shapes(x), scalar, x)
    def with_none(x):
        return jax.pure_callback(lambda x: (1.0, None), scalar, x)
"""


PROGRAMS["functions that are looked up by their hash: modules of Equinox with arrays have none"] = """
    import functools
    import equinox as eqx, flax.struct, jax, jax.numpy as jnp
    class Decay(eqx.Module):
        rate: float
        curve: object = eqx.field(static=True)
        def body(self, c, x):
            return c * self.rate, x
        def __call__(self, xs):
            return jax.lax.scan(self.body, 0.0, xs)
    class Plain:
        def __init__(self, w):
            self.w = jnp.asarray(w)
        def body(self, c, x):
            return c + self.w, x
        def run(self, xs):
            return jax.lax.scan(self.body, 0.0, xs), jax.jit(self.body)(xs, xs)
    @flax.struct.dataclass
    class Params:
        w: jax.Array
        def body(self, c, x):
            return c + self.w, x
        def run(self, xs):
            return jax.lax.scan(self.body, 0.0, xs)
    class ByIdentity(eqx.Module):
        w: jax.Array
        def __hash__(self):
            return id(self)
        def body(self, c, x):
            return c + self.w, x
        def run(self, xs):
            return jax.lax.scan(self.body, 0.0, xs)
    class Cell(eqx.Module):
        w: jax.Array
        def scaled(self, k, c, x):
            return c + self.w * k, x
        def body(self, c, x):
            return c + self.w, x
        def more(self, c):
            return c[0] < 3
        @staticmethod
        def free(c, x):
            return c, x
        def run(self, xs):
            a = jax.lax.scan(functools.partial(self.scaled, 1.0), 0.0, xs)
            b = jax.lax.scan(lambda c, x: self.body(c, x), 0.0, xs), jax.lax.scan(self.free, 0.0, xs)
            return a, b, jax.vmap(self.body)(xs, xs), eqx.filter_jit(self.body)(xs, xs), jax.lax.map(self.more, xs)
        def looked_up(self, xs):
            c, _ = jax.lax.scan(self.body, xs[0], xs)  # JAX502
            step = self.body
            c, _ = jax.lax.scan(f=step, init=c, xs=xs)  # JAX502
            return jax.lax.while_loop(self.more, lambda c: c + 1, c)  # JAX502
    class Layers(eqx.Module):
        cells: list
        head: object
        def __init__(self, key):
            self.cells = [eqx.nn.GRUCell(3, 3, key=key), jax.nn.relu]
            self.head = lambda x: x
        def body(self, i, x):
            return x
        def run(self, x):
            return jax.lax.fori_loop(0, 3, self.body, x)  # JAX502
    class Outer(eqx.Module):
        inner: Cell
        def left(self, x):
            return x
        def run(self, x):
            return jax.lax.cond(x[0] > 0, self.left, lambda x: -x, x)  # JAX502
    class Solver(eqx.Module):
        def body(self, c, x):
            return c, self.term(x)
        def solve(self, xs):
            return jax.lax.scan(self.body, 0.0, xs)  # JAX502
    class Linear(Solver):
        w: jax.Array
        def term(self, x):
            return x * self.w
    def main(key, x):
        model = eqx.nn.MLP(3, 3, 8, 2, key=key)
        compiled = jax.jit(model)  # JAX502
        mapped = jax.jit(jax.vmap(model)), jax.grad(lambda x: model(x).sum())
        return compiled(x), mapped, Linear(x).solve(x), jax.checkpoint(Outer(Cell(x)))
"""


PROGRAMS["loops over arrays whose turns hand something on and are collected in a list; what only maps, and lists"] = """
    import jax, jax.numpy as jnp
    @jax.jit
    def returns(rewards: jax.Array, values: jax.Array):
        advantage, collected = 0.0, []
        for i in reversed(range(rewards.shape[0])):  # JAX505
            advantage = rewards[i] - values[i] + 0.95 * advantage
            collected.insert(0, advantage)
        return jnp.array(collected)
    @jax.jit
    def recurrent(w, xs):
        h, hs = jnp.zeros(3), []
        for x in xs:  # JAX505
            h = jnp.tanh(h @ w + x)
            hs.append(h)
        return jnp.stack(hs)
    @jax.jit
    def mapped(x, ys: jax.Array):
        collected = []
        for y in ys:
            collected.append(jnp.sum(x) * y)
        return jnp.stack(collected)
    @jax.jit
    def of_layers(layers, x):
        kept = []
        for w in layers:
            x = jnp.tanh(x @ w)
            kept.append(x)
        return kept
    def run(data, key):
        recurrent(jnp.ones((3, 3)), jnp.asarray(data["x"]))
        mapped(data["y"], jnp.asarray(data["x"]))
        return of_layers([data["w1"], data["w2"]], data["y"])
"""


PROGRAMS["networks started from one key that are kept as an attribute are an ensemble for whoever reads them"] = """
    import flax.linen as nn, jax, jax.numpy as jnp
    class Ensemble:
        def __init__(self, key, x, n=5):
            self.net = nn.Dense(3)
            self.members = [self.net.init(key, x) for _ in range(n)]  # JAX102
        def __call__(self, x):
            return jnp.stack([self.net.apply(p, x) for p in self.members]).mean(0)
    def apart(key, x, clients):
        net = nn.Dense(3)
        for client in clients:
            client.params = net.init(key, x)
"""


PROGRAMS["a progress bar that only a callback moves"] = """
    import jax, jax.numpy as jnp
    from jax.experimental import io_callback
    from tqdm import tqdm
    def make_train(n):
        def train(x):
            bar = tqdm(total=n)
            def step(c, _):
                def moved(m):
                    bar.update(1)
                io_callback(moved, None, c)
                return c + 1, None
            return jax.lax.scan(step, x, None, n)
        return train
    @jax.jit
    def shown(x):
        bar = tqdm(total=3)  # JAX304
        for _ in range(3):
            x = x + jnp.sin(x)
            bar.update(1)  # JAX304
        return x
    trained = jax.jit(make_train(3))(jnp.ones(3))
"""


PROGRAMS["a comment above a clock is no answer, what is printed above it is one"] = """
    import time
    import jax
    double = jax.jit(lambda x: x * 2)
    def noted(x):
        # compile
        start = time.perf_counter()
        double(x)  # JAX702
        print(time.perf_counter() - start)
    def told(x):
        print("compiling")
        start = time.perf_counter()
        double(x)
        print(time.perf_counter() - start)
"""


PROGRAMS["platforms that JAX takes by itself where they are there"] = """
    import os
    import jax
    import numpyro
    def after_start(platform):
        print(jax.devices())
        jax.config.update("jax_platforms", "cuda")
        numpyro.set_platform("gpu")
    def not_taken_by_itself(platform):
        print(jax.devices())
        jax.config.update("jax_platforms", "cpu")  # JAX902
        jax.config.update("jax_platform_name", platform)  # JAX902
        numpyro.set_platform()  # JAX902
    def in_the_environment():
        os.environ["JAX_PLATFORM_NAME"] = "gpu"
        os.environ.setdefault("JAX_PLATFORMS", "tpu,cpu")
    def others_in_the_environment():
        os.environ["JAX_PLATFORM_NAME"] = "cpu"  # JAX902
        os.environ.update({"JAX_PLATFORMS": "cpu,gpu"})  # JAX902
    def run(platform):
        for function in (after_start, not_taken_by_itself):
            function(platform)
        in_the_environment(), others_in_the_environment()
"""


PROGRAMS["settings that are made again in time, that change nothing, or that are for other devices"] = """
    import os
    import jax
    import jax.numpy as jnp
    import numpyro
    os.environ["JAX_ENABLE_X64"] = "True"
    os.environ["JAX_DEBUG_NANS"] = "1"  # JAX902
    def main():
        jax.config.update("jax_enable_x64", True)
        return jnp.ones(3)
    def the_same_by_another_name():
        jax.config.update("jax_platforms", "cpu")
        key = jax.random.key(0)
        os.environ["JAX_PLATFORM_NAME"] = "cpu"
        os.environ["CUDA_VISIBLE_DEVICES"] = "1"
        os.environ["LIBTPU_INIT_ARGS"] = "--xla_enable_async_all_gather=true"
        return key
    def another_one():
        jax.config.update("jax_platforms", "gpu")
        key = jax.random.key(0)
        os.environ["CUDA_VISIBLE_DEVICES"] = "1"  # JAX902
        return key
    def as_it_is():
        x = jnp.ones(3)
        os.environ["JAX_DISABLE_JIT"] = "0"
        os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "true")
        os.environ["XLA_PYTHON_CLIENT_MEM_FRACTION"] = ".75"
        jax.config.update("jax_platforms", None)
        numpyro.set_host_device_count(1)
        return x
    def not_as_it_is():
        x = jnp.ones(3)
        os.environ["JAX_DISABLE_JIT"] = "1"  # JAX902
        os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # JAX902
        os.environ["XLA_PYTHON_CLIENT_MEM_FRACTION"] = "0.9"  # JAX902
        numpyro.set_host_device_count(4)  # JAX902
        return x
    def for_tpus():
        os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
        os.environ.setdefault("JAX_PLATFORMS", "tpu,cpu")
    def for_gpus():
        os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
        os.environ.setdefault("JAX_PLATFORMS", "cuda")
    def on_tpus_at_times(is_tpu):
        if is_tpu:
            os.environ["JAX_PLATFORMS"] = "tpu"
        os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
    def starts(is_tpu):
        key = jax.random.key(0)
        for_tpus()
        return key
    def starts_on_gpus(is_tpu):
        key = jax.random.key(0)
        for_gpus()  # JAX902
        return key
    def starts_on_either(is_tpu):
        key = jax.random.key(0)
        on_tpus_at_times(is_tpu)  # JAX902
        return key
    def puts_it_back():
        key = jax.random.key(0)
        before = os.environ.get("CUDA_VISIBLE_DEVICES", "")
        os.environ["CUDA_VISIBLE_DEVICES"] = ""
        import other
        os.environ["CUDA_VISIBLE_DEVICES"] = before
        os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "")
        return key
    def hides_it_from_others():
        key = jax.random.key(0)
        os.environ["CUDA_VISIBLE_DEVICES"] = "-1"
        import tensorflow as tf
        return key, tf.constant(1)
    def hides_it_too_late():
        import tensorflow as tf
        key = jax.random.key(0)
        os.environ["CUDA_VISIBLE_DEVICES"] = "-1"  # JAX902
        return key, tf.constant(1)
    def after_a_failure():
        try:
            print(jax.devices())
        except RuntimeError:
            os.environ["JAX_PLATFORMS"] = "cpu"
            jax.config.update("jax_platforms", "cpu")
    def after_a_failure_with_words(wanted):
        try:
            found = [d for d in jax.devices() if d.platform == wanted]
            if found:
                print("found", found)
            else:
                jax.config.update("jax_platforms", "cpu")  # JAX902
        except Exception:
            print("nothing can be used")
            jax.config.update("jax_platforms", "cpu")
    def after_another_failure(train):
        try:
            print(jax.devices())
            train()
        except RuntimeError:
            jax.config.update("jax_platforms", "cpu")  # JAX902
    def may_have_started():
        print(jax.process_index())
        try:
            jax.distributed.initialize()
        except RuntimeError:
            pass
    def must_not_have_started():
        print(jax.process_index())
        jax.distributed.initialize()  # JAX902
    def asks_for_the_devices(args):
        key = jax.random.key(0)
        jax.config.update("jax_platform_name", args.device)
        return jax.device_put(key, jax.local_devices(backend=args.device)[0])
    def asks_for_those_of_a_kind():
        key = jax.random.key(0)
        jax.config.update("jax_platform_name", "cpu")
        return jax.device_put(key, jax.devices("cpu")[0])
    def asks_for_others():
        key = jax.random.key(0)
        jax.config.update("jax_platform_name", "cpu")  # JAX902
        return jax.device_put(key, jax.devices("gpu")[0])
"""


PROGRAMS["what each turn binds anew for a program of its own"] = """
    import functools
    import jax, optax
    import jax.numpy as jnp
    import equinox as eqx
    def grows(model, ts, ys, plan, n):
        @eqx.filter_jit
        def step(ti, yi, model, state):
            grads = jax.grad(lambda m: jnp.sum((m(ti) - yi) ** 2))(model)
            updates, state = optimizer.update(grads, state)
            return eqx.apply_updates(model, updates), state
        for rate, steps, length in zip(*plan):
            optimizer = optax.adam(rate)
            state = optimizer.init(model)
            first = ts[: int(n * length)]
            for _ in range(steps):
                model, state = step(first, ys[:, : int(n * length)], model, state)
        return model
    def keeps_its_length(model, ts, plan):
        @jax.jit
        def step(ti, model, state):
            updates, state = optimizer.update(jax.grad(lambda m: jnp.sum(m * ti))(model), state)  # JAX302
            return optax.apply_updates(model, updates), state
        for rate, steps, length in plan:
            optimizer = optax.adam(rate)
            state = optimizer.init(model)
            for _ in range(steps):
                model, state = step(ts, model, state)
        return model
    def moves(model, ts, plan):
        @jax.jit
        def step(ti, model, state):
            updates, state = optimizer.update(jax.grad(lambda m: jnp.sum(m * ti))(model), state)  # JAX302
            return optax.apply_updates(model, updates), state
        for rate, start in plan:
            optimizer = optax.adam(rate)
            model, state = step(ts[start : start + 10], model, optimizer.init(model))
        return model
    def names_it(model, ts, plan):
        @functools.partial(jax.jit, static_argnames="name")
        def step(ti, model, state, name):
            updates, state = optimizer.update(jax.grad(lambda m: jnp.sum(m * ti))(model), state)
            return optax.apply_updates(model, updates), state
        for name, optimizer in plan:
            model, state = step(ts, model, optimizer.init(model), name=name)
        return model
    def names_another(model, ts, plan):
        @functools.partial(jax.jit, static_argnames="name")
        def step(ti, model, state, name):
            updates, state = optimizer.update(jax.grad(lambda m: jnp.sum(m * ti))(model), state)  # JAX302
            return optax.apply_updates(model, updates), state
        for rate in plan:
            optimizer = optax.adam(rate)
            for name in ("first", "second"):
                model, state = step(ts, model, optimizer.init(model), name=name)
        return model
"""


PROGRAMS["turns of a plan that a formula writes out, of few epochs by default, and of objects of the turn"] = """
    import functools
    import jax
    import jax.numpy as jnp
    def run(x, s):
        return jax.jit(lambda v: v * s)(x)
    def run_long(x, s):
        return jax.jit(lambda v: v * s)(x)  # JAX501
    def few():
        for tolerance in [0.02 * 2**i for i in range(12)]:
            print(run(jnp.ones(3), tolerance))
    def many():
        for tolerance in [0.02 * 2**i for i in range(120)]:
            print(run_long(jnp.ones(3), tolerance))
    def train(data, epochs=10):
        total = 0.0
        for i in range(epochs):
            total += 1
            if i % 5 == 0:
                print(jax.jit(lambda v: v * total)(data))
        return total
    def train_long(data, epochs=1000):
        total = 0.0
        for i in range(epochs):
            total += 1
            if i % 5 == 0:
                print(jax.jit(lambda v: v * total)(data))  # JAX501
        return total
    class Model:
        def __init__(self, radius, length):
            self.radius, self.length = radius, length
        def simulate(self, x):
            return x * self.radius / self.length
    def features(model, xs):
        @jax.jit
        def go(x):
            return model.simulate(x)
        return go(xs)
    def features_again(model, xs):
        @jax.jit  # JAX501
        def go(x):
            return model.simulate(x)
        return go(xs)
    def sweep(frequencies, radii, xs):
        for frequency in frequencies:
            length = 1.0 if frequency == 0.0 else 1.0 / frequency
            for radius in radii:
                model = Model(radius, length)
                print(features(model, xs))
    def again_and_again(n, radii, xs):
        for _ in range(n):
            for radius in radii:
                model = Model(radius, 1.0)
                print(features_again(model, xs))
    def scaled(x, s):
        return jax.jit(lambda v: v * s)(x)
    def scaled_alone(x, s):
        return jax.jit(lambda v: v * s)(x)  # JAX501
    def fit(x, s, n):
        step = jax.jit(lambda v: v + 1.0)
        x = scaled(x, s)
        for _ in range(n):
            x = step(x)
        return x
    def fit_once(x, s):
        return scaled_alone(x, s) + 1.0
    def fits(xs, s, n):
        for x in xs:
            print(fit(x, s, n), fit_once(x, s))
"""


PROGRAMS["runs of their own, options of the turn, sizes and lengths, and turns of which one is the last"] = """
    import jax, jax.numpy as jnp
    def folds(model_of, parts, xs, ys):
        for train, test in parts:
            model = model_of()
            params = model.init(jax.random.key(0), xs[train])
            @jax.jit
            def step(params, x, y):
                return jax.grad(lambda p: jnp.mean((model.apply(p, x) - y) ** 2))(params)
            for epoch in range(1000):
                params = step(params, xs[train], ys[train])
            print(params)
    def epochs(params, batches, n):
        for epoch in range(n):
            @jax.jit  # JAX501
            def step(params, x):
                return jax.tree.map(lambda p: p - x.mean(), params)
            for x in batches:
                params = step(params, x)
        return params
    def devices(x):
        for device in jax.devices():
            print(jax.jit(lambda v: v * 2, device=device)(x))
    def one_device(x, device):
        for _ in range(100):
            print(jax.jit(lambda v: v * 2, device=device)(x))  # JAX501
    def lengths(x, lengths):
        for length in lengths:
            print(jax.jit(lambda v: jax.lax.scan(lambda a, _: (a * 0.9, None), v, None, length=length))(x))
    def factors(x, factors):
        for factor in factors:
            print(jax.jit(lambda v: jax.lax.scan(lambda a, _: (a * factor, None), v, None, length=9))(x))  # JAX501
    def shapes(x, shapes):
        for shape in shapes:
            print(jax.jit(lambda v: v * jnp.ones(shape))(x))
    def fillings(x, fillings):
        for filling in fillings:
            print(jax.jit(lambda v: v * jnp.full((3,), filling))(x))  # JAX501
    def first_that_works(x, n):
        for attempt in range(n):
            try:
                return jax.jit(lambda v: v * attempt)(x)
            except RuntimeError:
                continue
    def each_that_works(x, n):
        for attempt in range(n):
            try:
                print(jax.jit(lambda v: v * attempt)(x))  # JAX501
            except RuntimeError:
                continue
"""


PROGRAMS["a compiled function whose name is bound again before anything reads it"] = """
    import jax, jax.numpy as jnp
    def plain(x):
        if x.sum() > 0:
            return x
        return -x
    def either(x):
        if x.sum() > 0:  # JAX401
            return x
        return -x
    def once(x):
        if x.sum() > 0:  # JAX401
            return x
        return -x
    def overwritten(x):
        step = jax.jit(plain)
        step = plain
        return step(x)
    def overwritten_at_times(x, is_debugged):
        step = jax.jit(either)
        if is_debugged:
            step = either
        return step(x)
    def overwritten_afterwards(x):
        step = jax.jit(once)
        y = step(x)
        step = once
        return step(y)
"""


PROGRAMS["programs of each turn: of its file, its function, its size, and arrays of another length"] = """
    import time
    import numpy as np
    import jax, jax.numpy as jnp
    def files(paths):
        for path in paths:
            data = np.load(path)
            print(jax.jit(lambda k: (data * k).sum())(2.0))
    def one_file(path, scales):
        data = np.load(path)
        for scale in scales:
            print(jax.jit(lambda k: (data * k * scale).sum())(2.0))  # JAX501
    def functions(fs, x):
        for number, f in enumerate(fs):
            print(number, jax.jit(jax.grad(f))(x))
    def one_function(f, xs):
        for number, x in enumerate(xs):
            print(number, jax.jit(jax.grad(f))(x))  # JAX501
    def levels(image, n):
        for level in range(n):
            height = image.shape[0] // 2**level
            image = jax.jit(lambda x: jax.image.resize(x, (height, height), "linear"))(image)
        return image
    def factors(image, n):
        for level in range(n):
            factor = image.shape[0] // 2**level
            image = jax.jit(lambda x: x * factor)(image)  # JAX501
        return image
    def lengths(sizes):
        for size in sizes:
            a = jnp.ones((size, size))
            product = jax.jit(lambda a: a @ a)
            product(a).block_until_ready()
            start = time.perf_counter()
            product(a).block_until_ready()
            print(time.perf_counter() - start)
    def one_length(sizes, n):
        for size in sizes:
            a = jnp.full((n, n), size)
            product = jax.jit(lambda a: a @ a)  # JAX501
            print(product(a))
    def grids(sizes):
        for size in sizes:
            x = jnp.linspace(0, 1, size)
            print(jax.jit(lambda u: jnp.gradient(u, x))(jnp.sin(x)))
"""


PROGRAMS["what needs the values of an array, and what does not, under a clock"] = """
    import time
    import jax, jax.numpy as jnp
    step = jax.jit(lambda x: x @ x)
    def saved(x):
        start = time.time()
        jnp.save("x.npy", step(x))
        print(time.time() - start)
    def saved_by_name(x):
        start = time.time()
        jnp.savez("x.npz", result=step(x))
        print(time.time() - start)
    def positive(x):
        start = time.time()
        y = step(x)
        z = y[y > 0]
        print(time.time() - start)
        return z
    def first_positive(x):
        start = time.time()
        z = jnp.nonzero(step(x), size=3)  # JAX702
        print(time.time() - start)
        return z
    def rows(x):
        start = time.time()
        z = list(step(x))  # JAX702
        print(time.time() - start)
        return z
"""


PROGRAMS["plans that a formula writes out at the top of a file, and that are reversed"] = """
    import functools
    import jax
    import jax.numpy as jnp
    class Scores:
        def few(self, x, g):
            return jax.jit(jax.vmap(functools.partial(jnp.multiply, g)))(x)
        def many(self, x, g):
            return jax.jit(jax.vmap(functools.partial(jnp.multiply, g)))(x)  # JAX501
    tolerances = [0.02 * 2**i for i in range(12)]
    tolerances = tolerances[::-1]
    others = [0.02 * 2**i for i in range(120)]
    others = others[::-1]
    scores = Scores()
    for tolerance in tolerances:
        print(scores.few(jnp.ones(3), tolerance))
    for other in others:
        print(scores.many(jnp.ones(3), other))
"""


PROGRAMS["a loop that is timed once more, to see the difference that compiling makes"] = """
    import functools, time
    import jax
    @functools.partial(jax.jit, static_argnums=1)
    def norm(x, is_squared):
        return (x * x).sum() if is_squared else abs(x).sum()
    def compared(x):
        flags = [False, True]
        for flag in flags:
            start = time.time()
            print(flag, norm(x, flag), time.time() - start)
        for flag in flags:
            start = time.time()
            print(flag, norm(x, flag), time.time() - start)  # JAX702
    def of_two(x, y):
        flags = [False, True]
        for flag in flags:
            start = time.time()
            print(flag, norm(x, flag), time.time() - start)  # JAX702
        for flag in flags:
            start = time.time()
            print(flag, norm(y, flag), time.time() - start)  # JAX702
    def of_others(x):
        for flag in (False, True):
            start = time.time()
            print(flag, norm(x, flag), time.time() - start)  # JAX702
        for flag in (True, True):
            start = time.time()
            print(flag, norm(x, flag), time.time() - start)  # JAX702
"""


PROGRAMS["loops that store along an array whose length nobody knows, and loops of few cheap operations"] = """
    import jax, jax.numpy as jnp
    @jax.jit
    def validity(state: jax.Array):
        valid = jnp.zeros(state.shape[0])
        for i in range(state.shape[0]):
            valid = valid.at[i].set(jnp.where(state[i] > 0, -jnp.inf, 1.0))
        return valid
    @jax.jit
    def moved(board: jax.Array, places: jax.Array):
        for place in places:
            board = board.at[place[1], place[0]].set(0)
        return board
    @jax.jit
    def returns(rewards: jax.Array, values: jax.Array):
        advantage, advantages = 0.0, jnp.zeros_like(rewards)
        for i in reversed(range(rewards.shape[0])):  # JAX505
            advantage = rewards[i] - values[i] + 0.95 * advantage
            advantages = advantages.at[i].set(advantage)
        return advantages
    @jax.jit
    def points(hand):
        values = jnp.zeros(52)
        for i in range(52):
            values = values.at[i].set(i % 13 + 1)
        return jnp.sum(values * hand)
    @jax.jit
    def many_points(hand):
        values = jnp.zeros(520)
        for i in range(520):  # JAX505
            values = values.at[i].set(i % 13 + 1)
        return jnp.sum(values * hand)
    def run(x, i, r):
        x, r = jnp.asarray(x), jnp.asarray(r)
        return validity(x), moved(x, jnp.asarray(i)), returns(r, r), points(x), many_points(x)
"""


PROGRAMS["a field chooses between control flow of JAX and that of Python, which is for the host"] = """
    import jax
    from jax import lax
    class Env:
        def __init__(self, jit):
            self.jit = jit
        def force(self, action, state):
            is_move = (action != -1) & (action < 4)
            if self.jit:
                state = jax.lax.cond(is_move, lambda s: s + 1, lambda s: s, state)
            else:
                if is_move:
                    state = state + 1
            return state
        def turn(self, x):
            if not self.jit:
                while x[0] > 0:
                    x = self.one(x)
            else:
                x = lax.while_loop(lambda x: x[0] > 0, self.one, x)
            return x
        def one(self, x):
            return x - 1
        def described(self, x):
            return "a" if x[0] > 0 else "b"
        def shown(self, x):
            if self.jit:
                return lax.fori_loop(0, 3, lambda i, x: x + i, x)
            else:
                return x, self.described(x)
        def without_control_flow(self, x):
            if self.jit:
                x = x * 2
            else:
                if x[0] > 0:  # JAX401
                    x = x + 1
            return x
        def below_it(self, x):
            if self.jit:
                x = lax.fori_loop(0, 3, lambda i, x: x + i, x)
                if x[0] > 0:  # JAX401
                    x = x + 1
            return x
    def of_an_argument(x, is_fast):
        if is_fast:
            return lax.cond(x[0] > 0, lambda x: x, lambda x: -x, x)
        else:
            return x if x[0] > 0 else -x  # JAX401
    def main(env: Env, x, actions):
        jax.vmap(env.force)(actions, x), jax.jit(env.turn)(x), jax.jit(env.shown)(x)
        jax.jit(env.without_control_flow)(x), jax.jit(env.below_it)(x)
        return jax.jit(lambda x: of_an_argument(x, False))(x)
"""


PROGRAMS["a method that keeps what it is handed, of an object before it is used, and between two uses"] = """
    import jax
    class Prepared:
        def __init__(self, scale):
            self.scale = scale
            self._step = jax.jit(lambda w: self.scale * w)
        def swap(self, scale):
            self.scale = scale
        def run(self, w):
            return self._step(w)
    class InLoop:
        def __init__(self, scale):
            self.scale = scale
            self._step = jax.jit(lambda w: self.scale * w)  # JAX302
        def put(self, scale):
            self.scale = scale
        def walk(self, w):
            return self._step(w)
    class Between:
        def __init__(self, scale):
            self.scale = scale
            self._step = jax.jit(lambda w: self.scale * w)  # JAX302
        def place(self, scale):
            self.scale = scale
        def jump(self, w):
            return self._step(w)
    class Computed:
        def __init__(self, scale):
            self.scale = scale
            self._step = jax.jit(lambda w: self.scale * w)  # JAX302
        def anneal(self):
            self.scale = self.scale * 0.9
        def leap(self, w):
            return self._step(w)
    class AsItRuns:
        def __init__(self, scale):
            self.scale = scale
            self._step = jax.jit(lambda w: self.scale * w)  # JAX302
        def fly(self, w, scale):
            self.scale = scale
            return self._step(w)
    class Configured:
        def __init__(self, config):
            self.configure(config)
            self._step = jax.jit(lambda w: self.rate * w)
        def configure(self, config):
            self.config = config
            self.rate = self.config.rate * 2
        def reset(self):
            self.configure(self.config)
        def run_on(self, w):
            return self._step(w)
    def prepared(w):
        model = Prepared(1.0)
        model.swap(2.0)
        return model.run(w)
    def in_loop(ws):
        model, total = InLoop(1.0), 0.0
        for w in ws:
            total = total + model.walk(w)
            model.put(w.mean())
        return total
    def between(w):
        model = Between(1.0)
        first = model.jump(w)
        model.place(2.0)
        return first, model.jump(w)
"""


PROGRAMS["arrays with which a program starts JAX"] = """
    import jax, jax.numpy as jnp
    def main(x):
        jnp.array(0.0)
        jnp.zeros((1, 2), dtype="float32")
        jnp.square(x)  # JAX202
        jnp.zeros_like(x)  # JAX202
        return x
    main(jnp.ones(3))
"""


PROGRAMS["expressions that somebody looks at while a block is run line by line"] = """
    import jax.numpy as jnp
    if __name__ == "__main__":
        means = jnp.ones((3, 3))
        q, r = jnp.linalg.qr(means)
        means.max()
        q.at[0].set(1.0)  # JAX202
        q.shape
        r
    def looked_at(x):
        for _ in range(3):
            x.min()
            x.shape
        if x.shape[0] > 3:
            jnp.sort(x)  # JAX202
        jnp.clip(x, 0, 1)  # JAX202
        return x
    looked_at(jnp.ones(3))
"""


PROGRAMS["items of what a variable of Flax holds"] = """
    import jax, jax.numpy as jnp, numpy as np
    from flax import nnx
    class Table(nnx.Module):
        def __init__(self, rows, rngs):
            self.rows = nnx.Param(jax.random.normal(rngs.params(), (3, 4)))
            self.seen = nnx.Variable(jnp.zeros(3))
            self.host = nnx.Variable(np.zeros(3))
            self.given = nnx.Param(rows)
            self.later = nnx.Variable(jnp.zeros(3))
        def stored(self, i):
            self.rows.value[i] = 0.0  # JAX201
            self.seen.value[i] += 1  # JAX201
            self.rows.get_value()[i] = 0.0  # JAX201
            seen = self.seen.value
            seen[i] = 1.0  # JAX201
            return seen
        def right(self, i):
            self.rows[i] = 0.0
            self.seen.value = self.seen.value.at[i].add(1)
            self.host.value[i] = 1.0
            self.given.value[i] = 1.0
            self.later.value = np.zeros(3)
            self.later.value[i] = 1.0
            return self.rows.value.sum()
    most = nnx.Param(jnp.ones(()))
    @jax.jit
    def chosen(x):
        least = nnx.Param(jnp.ones(()))
        x = x if most.value else -x
        x = x if most.value > 0 else -x  # JAX401
        return x if least.value > 0 else -x  # JAX401
"""


PROGRAMS["functions that are taken for classes"] = """
    import jax, jax.numpy as jnp, numpy as np
    from jax.numpy import asarray
    def kept(x):
        if isinstance(x, jnp.array):  # JAX205
            return x
        if isinstance(x, (int, asarray)):  # JAX205
            return x
        if issubclass(type(x), jax.random.PRNGKey):  # JAX205
            return x
        return None
    def right(x, array):
        if isinstance(x, (jnp.ndarray, jax.Array, jnp.float32, jnp.generic)):
            return x
        if isinstance(x, array) or issubclass(type(x), np.ndarray):
            return x
        try:
            return isinstance(x, jnp.array)
        except TypeError:
            return None
"""


PROGRAMS["loops that run through an array but for its ends, or collect in other ways; what maps"] = """
    import functools, jax, jax.numpy as jnp
    @jax.jit
    def backwards(r: jax.Array, v):
        advantages, last, n = jnp.zeros(r.shape), 0.0, r.shape[0]
        for t in range(n - 1, -1, -1):  # JAX505
            last = r[t] - v[t] + 0.9 * last
            advantages = advantages.at[t].set(last)
        return advantages
    @jax.jit
    def inner(r: jax.Array):
        y = jnp.zeros(r.shape)
        for t in range(1, r.shape[0] - 1):  # JAX505
            y = y.at[t].set(y[t - 1] + jnp.sin(r[t]))
        return y
    @jax.jit
    def counted(r: jax.Array):
        t, h, y = 0, 0.0, jnp.zeros(r.shape)
        while t < len(r):  # JAX505
            h = jnp.tanh(r[t] + h)
            y = y.at[t].set(h)
            t += 1
        return y
    @jax.jit
    def added(x: jax.Array):
        rows, steps, width = x.shape
        h, hs, last = jnp.zeros((rows, width)), [], [x[:, 0]]
        for t in range(steps):  # JAX505
            h = jnp.tanh(x[:, t] + h)
            hs += [h]
        for t in range(1, steps):  # JAX505
            last.append(jnp.tanh(x[:, t] + last[-1]))
        return hs, last
    @jax.jit
    def joined(x: jax.Array):
        h, hs = jnp.zeros(3), jnp.zeros((1, 3))
        for row in x:  # JAX505
            h = jnp.tanh(row + h)
            hs = jnp.concatenate([hs, h[None]], axis=0)
        return hs
    class Returns:
        def __init__(self, size):
            self.size = size
        @functools.partial(jax.jit, static_argnums=0)
        def targets(self, r):
            found = [r[-1]]
            for t in jnp.arange(self.size - 2, -1, -1):  # JAX505
                found.insert(0, r[t] + 0.9 * found[0])
            return jnp.array(found)
        @functools.partial(jax.jit, static_argnums=0)
        def layers(self, x):
            found = []
            for _ in range(self.size):
                x = jnp.tanh(x)
                found.append(x)
            for _ in jnp.arange(4):
                x = jnp.tanh(x)
                found.append(x)
            return found
    @jax.jit
    def mapped(x: jax.Array):
        found = []
        for t in range(x.shape[0] - 1):
            found += [jnp.sin(x[t]) + 1]
        return jnp.stack(found)
    @jax.jit
    def some(x: jax.Array):
        h, hs = 0.0, []
        for t in range(0, x.shape[0], 4):
            h = jnp.tanh(x[t] + h)
            hs.append(h)
        for t in range(10, x.shape[0]):
            h = jnp.tanh(x[t] + h)
            hs.append(h)
        return hs
"""


PROGRAMS["loops that fill an array by a table of indices, and by a list of layers"] = """
    import jax, jax.numpy as jnp
    @jax.jit
    def assembled(maps, bins):
        n = len(bins)
        out = jnp.zeros(n)
        for i in range(n):  # JAX505
            first, second, l = bins[i]
            out = out.at[i].set(jnp.sum(maps[0][first] * maps[l // 2][second]))
        return out
    @jax.jit
    def paired(x, pairs):
        out, i = jnp.zeros(len(pairs)), 0
        for a, b in pairs:  # JAX505
            out = out.at[i].set(x[a] * x[b])
            i += 1
        return out
    @jax.jit
    def right(x, ws, layers, pairs):
        out = jnp.zeros(len(ws))
        for i in range(len(ws)):
            w = ws[i]
            out = out.at[i].set(jnp.sum(x @ w))
        for i in range(len(layers)):
            out = out.at[i].add(jnp.sum(x @ layers[i]["w"] + layers[i]["b"]))
        for a, b in pairs:
            x = x * x[a] + x[b]
        return out, x
"""


PROGRAMS["elements of what is used as an array, and of what may be a list"] = """
    import jax, jax.numpy as jnp
    @jax.jit
    def ranked(v):
        mean = v.mean()
        return sorted(v)[0] - mean  # JAX402
    @jax.jit
    def largest(v):
        return max(v) - v.mean(), any(v)  # JAX402  # JAX402
    @jax.jit
    def filtered(v):
        total = v.sum()
        for x in v:
            if x:  # JAX401
                total = total + x
        return total
    @jax.jit
    def stored(rows):
        first = rows.mean()
        for row in rows:
            row[0] = first  # JAX201
        return rows
    @jax.jit
    def listed(v, n):
        names = sorted(v)
        return max(n), names, [x for x in v if x]
    def host(v):
        mean = v.mean()
        return sorted(v)[0] - mean
"""


PROGRAMS["modules whose layers a comprehension makes, as functions that are compiled"] = """
    import equinox as eqx, jax, jax.numpy as jnp
    class Listed(eqx.Module):
        layers: list
        def __init__(self, key):
            self.layers = [eqx.nn.Linear(3, 3, key=k) for k in jax.random.split(key, 2)]
        def __call__(self, x):
            return self.layers[0](x)
    class Tupled(eqx.Module):
        layers: tuple
        def __init__(self, key):
            self.layers = tuple(Listed(k) for k in jax.random.split(key, 2))
        def __call__(self, x):
            return self.layers[0](x)
    class Named(eqx.Module):
        names: tuple
        def __init__(self):
            self.names = tuple(str(i) for i in range(3))
        def __call__(self, x):
            return x
    def compiled(key, x):
        one, two = jax.random.split(key)
        listed, tupled, named = Listed(one), Tupled(two), Named()
        right = eqx.filter_jit(listed)(x), jax.jit(lambda x: tupled(x))(x), jax.jit(named)(x)
        return right, jax.jit(listed)(x), jax.jit(tupled)(x)  # JAX502
"""


PROGRAMS["copies of records that nobody takes, where the record is an argument"] = """
    import jax
    def renewed(state, x):
        state.replace(step=state.step + 1)  # JAX202
        state._replace(x=x)  # JAX202
        state.inner.replace(count=1 + state.inner.count)  # JAX202
        return state
    def right(state, text, x):
        state = state.replace(step=state.step + 1)
        text.replace(x=x)
        text.replace("a", x)
        text.replace(count=state.count + 1)
        return state, text
"""


PROGRAMS["integers that become floating, whatever the inputs are"] = """
    import jax, jax.numpy as jnp
    from jax import lax
    def chosen(p, x):
        return lax.cond(p, lambda x: x * 1.5, lambda x: jnp.zeros(x.shape, jnp.int32), x)  # JAX603
    def averaged(xs):
        def body(mean, x):
            mean = 0.9 * mean + 0.1 * x
            return mean, mean
        return lax.scan(body, jnp.zeros((), jnp.int32), xs)  # JAX604
    def halved(x):
        return lax.fori_loop(0, 3, lambda i, c: c / 2 + x, jnp.arange(3))  # JAX604
    def switched(i, x):
        return lax.switch(i, [lambda x: x / 2, lambda x: jnp.argmax(x, keepdims=True)], x)  # JAX603
    def computed(x):
        return lax.fori_loop(0, 3, lambda i, c: c + jnp.abs(x[i]) / 2, jnp.int32(0))  # JAX604
    def waved(p, x):
        return lax.cond(p, lambda x: jnp.mean(jnp.sin(x)), lambda x: jnp.sum(x > 0), x)  # JAX603
    def right(p, x, xs):
        def body(mean, x):
            mean = 0.9 * mean + 0.1 * x
            return mean, mean
        a = lax.scan(body, 0, xs), lax.scan(body, 0.0, xs), lax.scan(body, jnp.zeros(()), xs)
        b = lax.cond(p, lambda x: x * 2, lambda x: jnp.zeros(x.shape, jnp.int32), x)
        c = lax.cond(p, lambda x: (x * 2.0).astype(int), lambda x: jnp.zeros(x.shape, jnp.int32), x)
        d = lax.cond(p, lambda x: x > 0.5, lambda x: jnp.zeros(x.shape, bool), x)
        e = lax.cond(p, lambda x: x * 1.5, lambda x: jnp.zeros(x.shape), x)
        f = lax.cond(p, lambda x: jnp.sum(x), lambda x: jnp.sum(x > 0), x)
        g = lax.cond(p, lambda x: jnp.round(x / 2).astype(x.dtype), lambda x: jnp.zeros(x.shape, int), x)
        return a, b, c, d, e, f, g, lax.fori_loop(0, 3, lambda i, c: c // 2 + x, jnp.arange(3))
"""


PROGRAMS["what stands behind a test of the length of a list that was filled, and of one that stays empty"] = """
    import jax.numpy as jnp
    def filled(loader):
        rows = []
        for row in loader:
            rows.append(row)
        if len(rows) == 0:
            return 0.0
        y = jnp.zeros(3)
        y[0] = 1.0  # JAX201
        return y
    def filled_while(queue):
        rows = []
        while queue.is_filled():
            rows.append(queue.get())
        if len(rows) < 1:
            raise ValueError
        y = jnp.zeros(3)
        y[0] = 1.0  # JAX201
        return y
    def extended(loader):
        rows = list()
        rows.extend(loader)
        if not len(rows):
            return None
        y = jnp.zeros(3)
        y[0] = 1.0  # JAX201
        return y
    def handed_out(fill):
        rows = []
        fill(rows)
        if len(rows) == 0:
            return None
        y = jnp.zeros(3)
        y[0] = 1.0  # JAX201
        return y
    seen = []
    def see(x):
        seen.append(x)
    def shown():
        if len(seen) == 0:
            return None
        y = jnp.zeros(3)
        y[0] = 1.0  # JAX201
        return y
    def shortened():
        rows = [1, 2]
        del rows[0]
        if len(rows) == 2:
            return None
        y = jnp.zeros(3)
        y[0] = 1.0  # JAX201
        return y
    def empty():
        rows = []
        if len(rows) == 0:
            return 0.0
        y = jnp.zeros(3)
        y[0] = 1.0
        return y
"""


PROGRAMS["a switch that is off wherever it is bound"] = """
    import time
    import jax
    SEARCH = False
    CHOSEN = False
    if jax.__version__ > "0.5":
        CHOSEN = True
    LATER = True
    LATER = False
    try:
        import mctx
    except ImportError:
        SEARCH = False
    double = jax.jit(lambda x: x * 2)
    def searched(x):
        if SEARCH:
            start = time.time()
            y = double(x)
            print(time.time() - start)
            return y
    def chosen(x):
        if CHOSEN:
            start = time.time()
            y = double(x)  # JAX702
            print(time.time() - start)
            return y
    def later(x):
        if LATER:
            start = time.time()
            y = double(x)  # JAX702
            print(time.time() - start)
            return y
    def meanwhile(x):
        if MEANWHILE:
            start = time.time()
            y = double(x)  # JAX702
            print(time.time() - start)
            return y
    MEANWHILE = False
    for i in range(3):
        MEANWHILE = True
        meanwhile(1.0)
        MEANWHILE = False
"""


PROGRAMS["what Equinox compiles returns when it is done"] = """
    import time
    import equinox as eqx
    import jax
    import jax.numpy as jnp
    from functools import partial
    @eqx.filter_jit
    def step(x):
        return x @ x
    halved = eqx.filter_jit(lambda x: x @ x / 2)
    plain = jax.jit(lambda x: x @ x)
    around = jax.jit(lambda x: step(x) @ x)
    sloped = eqx.filter_grad(lambda x: plain(x).sum())
    mapped = eqx.filter_vmap(step)
    split = eqx.filter_pmap(lambda x: x @ x)
    def helper(x):
        y = step(x)
        return y
    def other(x):
        y = plain(x)
        return y
    class Model(eqx.Module):
        weight: jax.Array
        @eqx.filter_jit
        def __call__(self, x):
            return x @ self.weight
        @eqx.filter_jit
        def loss(self, x):
            return (x @ self.weight).sum()
    model = Model(jnp.ones((9, 9)))
    x = jnp.ones((9, 9))
    def ready():
        start = time.time()
        y = step(x)
        print("took", time.time() - start)
        return y
    def by_lambda():
        start = time.time()
        y = halved(x)
        print("took", time.time() - start)
        return y
    def through_helper():
        start = time.time()
        y = helper(x)
        print("took", time.time() - start)
        return y
    def over_lanes():
        start = time.time()
        y = mapped(jnp.stack([x, x]))
        print("took", time.time() - start)
        return y
    def called():
        start = time.time()
        y = model(x)
        print("took", time.time() - start)
        return y
    def by_method():
        start = time.time()
        y = model.loss(x)
        print("took", time.time() - start)
        return y
    def in_order():
        start = time.time()
        y = step(plain(x))
        print("took", time.time() - start)
        return y
    def made_here(optimizer):
        @eqx.filter_jit
        def make_step(x):
            return x @ x
        for i in range(9):
            start = time.time()
            y = make_step(x)
            print("took", time.time() - start)
        return y
    def compiled():
        start = time.time()
        y = plain(x)  # JAX702
        print("took", time.time() - start)
        return y
    def through_other():
        start = time.time()
        y = other(x)  # JAX702
        print("took", time.time() - start)
        return y
    def compiled_around():
        start = time.time()
        y = around(x)  # JAX702
        print("took", time.time() - start)
        return y
    def over_devices():
        start = time.time()
        y = split(x[None])  # JAX702
        print("took", time.time() - start)
        return y
    def derived():
        start = time.time()
        y = sloped(x)  # JAX702
        print("took", time.time() - start)
        return y
"""


PROGRAMS["a field that holds several keys, of which one is taken"] = """
    import chex
    import jax
    import jax.random as rd
    from flax.training import train_state
    class Trained(train_state.TrainState):
        rngs: chex.PRNGKey = None
    def create(module, tx, params, rng):
        rngs = rd.split(rng, num=3)
        return Trained(apply_fn=module.apply, params=params, tx=tx, rngs=rngs[1:], step=0)
    def of_one(state: Trained):
        return rd.normal(state.rngs[1])
    def of_all(state: Trained):
        return rd.normal(state.rngs)
    def one(module, tx, params):
        state = create(module, tx, params, rd.key(0))
        return of_one(state)
    def each(module, tx, params):
        state = create(module, tx, params, rd.key(0))
        return of_one(state), rd.normal(state.rngs[0])
    def whole(module, tx, params):
        state = create(module, tx, params, rd.key(0))
        return of_all(state)  # JAX107
"""


PROGRAMS["a static argument that vmap maps along no axis"] = """
    import jax
    from functools import partial
    @partial(jax.jit, static_argnames="steps")
    def run(key, x, steps: int):
        return jax.lax.scan(lambda c, _: (c, c), x, (), steps)
    def whole(keys, x, steps: int):
        return jax.vmap(run, in_axes=(0, None, None))(keys, x, steps)
    def literal(keys, x):
        return jax.vmap(run, in_axes=(0, None, None))(keys, x, 5)
    @partial(jax.jit, static_argnames="steps")
    def compiled(keys, x, steps: int):
        return jax.vmap(run, in_axes=(0, None, None))(keys, x, steps)
    @partial(jax.jit, static_argnames="steps")
    def too_few(keys, x, steps: int):
        return jax.vmap(run, in_axes=(0, None))(keys, x, steps)  # JAX605
    @partial(jax.jit, static_argnames="steps")
    def mapped(keys, x, steps: int):
        return jax.vmap(run, in_axes=(0, None, 0))(keys, x, steps)  # JAX502
"""


PROGRAMS["a key that the object in a wrapper of a library does not read"] = """
    import jax
    from gymnax.wrappers.purerl import LogWrapper
    from gymnax.environments import environment
    class Table(environment.Environment):
        def reset_env(self, key, params=None):
            del key
            return self.first, self.first
        def step_env(self, key, state, action, params=None):
            del key
            return state, state, 1.0, False, {}
    class Noisy(environment.Environment):
        def reset_env(self, key, params=None):
            return jax.random.normal(key), 0
    def make():
        return Table()
    rng = jax.random.PRNGKey(0)
    env = LogWrapper(make())
    env = LogWrapper(env)
    obs, state = env.reset_env(rng, None)
    for i in range(10):
        rng, key = jax.random.split(rng)
        action = jax.random.randint(key, (), 0, 5)
        obs, state, reward, done, info = env.step_env(rng, state, action)
    def noisy(rng):
        env = LogWrapper(Noisy())
        obs, state = env.reset_env(rng)
        return jax.random.normal(rng), obs  # JAX101
    def unknown(rng, make):
        env = LogWrapper(make())
        obs, state = env.reset_env(rng)
        return jax.random.normal(rng), obs  # JAX101
    def by_name(rng):
        env = LogWrapper(env=Table())
        obs, state = env.reset_env(key=rng)
        return jax.random.normal(rng), obs
    def overridden(rng):
        env = LogWrapper(env=Table())
        obs, state = env.reset(rng)
        return jax.random.normal(rng), obs  # JAX101
"""


PROGRAMS["keys of which a test of their shape says how many there are"] = """
    import jax
    import jax.random as jr
    from jax.dtypes import issubdtype, prng_key
    def maybe_split(key, size):
        if key is None:
            raise ValueError("no key")
        if issubdtype(key.dtype, prng_key):
            shape = key.shape
        else:
            shape = key.shape[:-1]
        if shape == ():
            return jr.split(key, size)
        if shape[0] != size:
            raise ValueError(size)
        return key
    def left_first(key, size):
        if key.ndim > 0:
            return key
        return jr.split(key, size)
    def untested(key, size):
        if size > 3:
            return jr.split(key, size)
        return key
    def given(key, size):
        if key is not None:
            return jr.split(key, size)
        return None
    class Composed:
        def __call__(self, x, key=None):
            if key is not None:
                maybe_split(key, 4)
            return x
    def all_of(x, key):
        keys = jr.split(key, 5)
        return Composed()(x, keys[1:]), keys[0]
    def tested(key):
        return maybe_split(jr.split(key, 5), 5)
    def first(key):
        return left_first(jr.split(key, 5), 5)
    def wrong(key, size):
        return untested(jr.split(key, 5), 4)  # JAX107
    def wrongly_given(key):
        return given(jr.split(key, 5), 5)  # JAX107
"""


PROGRAMS["turns that are configurations: handed in, written as a default, options of a command"] = """
    import argparse, itertools
    import jax
    import jax.numpy as jnp
    DEFAULT = [1, 2, 4, 8]
    def forward(x, n):
        def step(c, _):
            return c * 0.9, c
        return jax.lax.scan(step, x, None, length=10)[1]
    def curve(x, sweeps, label):
        rows = []
        for k in sweeps:
            rows.append(float(forward(x * k, k).sum()))
        return rows
    def of_levels(x, levels, sweeps):
        rows = []
        for t in levels:
            rows += curve(x * t, sweeps, label=str(t))
            print(t)
        return rows
    def by_default(x, sizes=(16, 32, 64)):
        for n in sizes:
            print(forward(x, n).sum())
    def by_constant(x, scales=DEFAULT):
        for i, n in enumerate(scales):
            print(forward(x, n).sum(), i)
    def listed(x, rates):
        for n in rates:
            print(forward(x * n, n).sum())
    def many(x, batches):
        for b in batches:
            print(forward(b, 1).sum())  # JAX501
    def counted(x, epochs=5):
        for n in range(epochs):
            print(forward(x * n, n).sum())  # JAX501
    def main():
        parser = argparse.ArgumentParser()
        parser.add_argument("--sweeps", nargs="+", default=DEFAULT)
        args = parser.parse_args()
        of_levels(jnp.ones(3), args.levels, args.sweeps)
        by_default(jnp.ones(3))
        by_constant(jnp.ones(3))
        listed(jnp.ones(3), [1.0, 2.0])
        many(jnp.ones(3), load())
        counted(jnp.ones(3))
        for n in [int(part) for part in args.dims.split(",")]:
            print(forward(jnp.ones(3) * n, n).sum())
        for n, m in itertools.product([1, 2], [3, 4]):
            print(forward(jnp.ones(3) * n, m).sum())
        for n in jnp.linspace(0.0, 1.0, 5):
            print(forward(jnp.ones(3) * n, 2).sum())
        for n in jnp.linspace(0.0, 1.0, 500):
            print(forward(jnp.ones(3) * n, 2).sum())  # JAX501
"""


PROGRAMS["turns that draw a figure each, beside which a small program is nothing"] = """
    import jax
    import jax.numpy as jnp
    import matplotlib.pyplot as plt
    def forward(x, n):
        def step(c, _):
            return c * 0.9, c
        return jax.lax.scan(step, x, None, length=10)[1]
    def figures(xs):
        for x in xs:
            y = forward(x, 1)
            fig, ax = plt.subplots()
            ax.plot(y)
    def some(xs):
        for i, x in enumerate(xs):
            y = forward(x, 1)  # JAX501
            if i % 100 == 0:
                plt.figure()
                plt.plot(y)
    def one(xs):
        plt.figure()
        for x in xs:
            y = forward(x, 1)  # JAX501
            plt.plot(y)
    def plot(x):
        y = forward(x, 1)
        plt.figure()
        plt.plot(y)
    def all_plots(xs):
        for x in xs:
            plot(x)
"""


PROGRAMS["arrays as long as their turn says, which lists hold, or that come with a static number"] = """
    from functools import partial
    import jax
    import jax.numpy as jnp
    import numpy as np
    def forward(x, n):
        def step(c, _):
            return c * 0.9, c
        return jax.lax.scan(step, x, None, length=10)[1]
    @partial(jax.jit, static_argnames="n")
    def likelihood(x, n):
        return x.sum() + jnp.zeros(2 ** n).sum()
    @partial(jax.jit, static_argnames="n")
    def power(x, n):
        return x.sum() + jnp.zeros(2 ** n).sum()
    def ragged(lengths):
        xs = []
        for n in lengths:
            xs.append(np.arange(n))
        for x in xs:
            print(forward(jnp.asarray(x), 1))
        for i, x in enumerate(xs):
            print(forward(x, i))
        for i in range(len(xs)):
            print(forward(jnp.asarray(xs[i]).astype(float), 1))
    def alike(seeds):
        xs = []
        for n in seeds:
            xs.append(np.arange(5) * n)
        for x in xs:
            print(forward(jnp.asarray(x), 1))  # JAX501
        for i in range(len(xs)):
            print(forward(jnp.asarray(xs[i]).astype(float), 1))  # JAX501
    def cut(x, lengths):
        for n in lengths:
            print(forward(x[:n], n))
    def moved(x, starts):
        for n in starts:
            print(forward(x[n : n + 3], n))  # JAX501
    def tied(data, counts):
        for i in np.unique(counts):
            print(likelihood(data[counts == i], int(i)))
    def untied(data, counts, k):
        for i in np.unique(counts):
            print(power(data[counts == i], k))  # JAX504
"""


PROGRAMS["a platform that a question for devices has shown to be the one that is taken anyway"] = """
    import os
    import jax
    import jax.numpy as jnp
    import numpyro
    def shown():
        gpus = [d for d in jax.devices() if d.platform == "gpu"]
        if gpus:
            print("gpu")
        else:
            jax.config.update("jax_platform_name", "cpu")
    def negative():
        if not any(d.platform == "gpu" for d in jax.devices()):
            jax.config.update("jax_platforms", "cpu")
    def counted():
        gpus = jax.devices("gpu")
        if len(gpus) == 0:
            jax.config.update("jax_platforms", "cpu")
        elif len(gpus) == 1:
            print("one")
    def backend():
        if jax.default_backend() == "gpu":
            print("gpu")
        else:
            os.environ["JAX_PLATFORMS"] = "cpu"
    def tried():
        try:
            jax.devices("gpu")
            found = True
        except RuntimeError:
            found = False
        if not found:
            numpyro.set_platform("cpu")
    def computed():
        platform = jax.devices()[0].platform
        jax.config.update("jax_platform_name", platform)
    def chosen():
        platform = "gpu" if jax.device_count() > 1 else "cpu"
        jax.config.update("jax_platform_name", platform)
    def there():
        if jax.devices("gpu"):
            jax.config.update("jax_platforms", "cpu")  # JAX902
    def by_option(use_cpu):
        print(jax.devices())
        if use_cpu:
            jax.config.update("jax_platforms", "cpu")  # JAX902
    def by_other(n):
        gpus = jax.devices()
        if n == 0:
            jax.config.update("jax_platforms", "cpu")  # JAX902
        return gpus
    def has_gpu():
        return any(d.platform == "gpu" for d in jax.devices())
    def of_some(wanted):
        if not any(d.platform == wanted for d in jax.devices()):
            jax.config.update("jax_platforms", "cpu")  # JAX902
    def helper():
        if has_gpu():
            print("gpu")
        else:
            jax.config.update("jax_platforms", "cpu")
    def flags():
        if not jax.devices("gpu"):
            os.environ["XLA_FLAGS"] = "--xla_dump_to=/tmp/x"   # JAX902
"""


PROGRAMS["operators that are called as functions, of numbers, sequences and tracers"] = """
    import functools, operator
    import jax, jax.numpy as jnp
    def sizes(x, values):
        count = functools.reduce(operator.mul, x.shape, 1)
        if operator.lt(count, 3) or operator.truth(values):
            return operator.add([1], values)
        return operator.mul([0], count)
    @jax.jit
    def on_sizes(x, mask):
        if operator.gt(functools.reduce(operator.mul, x.shape, 1), 3) or operator.eq(x.ndim, 2):
            return operator.neg(x)
        return jnp.where(functools.reduce(operator.and_, [x > 0, mask > 0]), x, operator.sub(x, 1))
    @jax.jit
    def on_values(x, y):
        if operator.lt(x.sum(), y):  # JAX401
            return x
        while functools.reduce(operator.and_, [jnp.all(x > 0), y > 0]):  # JAX401
            x = operator.sub(x, 1)
        total = functools.reduce(operator.add, [x, y])
        if operator.not_(total > 0) or operator.truth(x):  # JAX402
            return x
        return y if operator.neg(total) else x  # JAX401
"""


PROGRAMS["carries of which a copy has another field, and arms of copies"] = """
    import dataclasses
    from typing import Any, NamedTuple
    import equinox as eqx
    import jax, jax.numpy as jnp
    from flax import struct
    class Pair(NamedTuple):
        x: jax.Array
        n: Any = None
    @struct.dataclass
    class Record:
        x: jax.Array
        n: jax.Array
        name: Any = struct.field(pytree_node=False, default="a")
    @jax.tree_util.register_dataclass
    @dataclasses.dataclass(frozen=True)
    class Frozen:
        x: jax.Array
        n: jax.Array
    class Module(eqx.Module):
        x: jax.Array
        n: jax.Array
    zero = jnp.zeros((), int)
    def counted(s, _):
        return s.replace(n=s.n + 1), None
    def halved(s, _):
        return s.replace(n=s.n + 0.5), None
    def rounded(s, _):
        s = s.replace(n=s.n + 0.5)
        return s.replace(n=s.n.astype(int)), None
    def pair_counted(s, _):
        return s._replace(n=s.n + 1), None
    def pair_filled(s, _):
        return s._replace(n=s.x), None
    def frozen_counted(s, _):
        return dataclasses.replace(s, n=s.n + 1), None
    def frozen_halved(s, _):
        return dataclasses.replace(s, n=s.n + 0.5), None
    def grown(i, s):
        return s.replace(x=jnp.concatenate([s.x, s.x]))
    def set_at(s, _):
        return eqx.tree_at(lambda m: m.n, s, s.n + 1), None
    def made(s, _):
        return Module(s.x, s.n + 0.5), None
    print(jax.lax.scan(counted, Record(jnp.zeros(3), zero), None, length=3))
    print(jax.lax.scan(halved, Record(jnp.zeros(3), zero), None, length=3))  # JAX604
    print(jax.lax.scan(halved, Record(jnp.zeros(3), 0), None, length=3))
    print(jax.lax.scan(rounded, Record(jnp.zeros(3), zero), None, length=3))
    print(jax.lax.scan(pair_counted, Pair(jnp.zeros(3), zero), None, length=3))
    print(jax.lax.scan(pair_filled, Pair(jnp.zeros(3), jnp.ones(3)), None, length=3))
    print(jax.lax.scan(pair_filled, Pair(jnp.zeros(3)), None, length=3))  # JAX604
    print(jax.lax.scan(frozen_counted, Frozen(jnp.zeros(3), zero), None, length=3))
    print(jax.lax.scan(frozen_halved, Frozen(jnp.zeros(3), zero), None, length=3))  # JAX604
    print(jax.lax.fori_loop(0, 3, grown, Record(jnp.zeros(3), zero)))  # JAX604
    print(jax.lax.scan(set_at, Module(jnp.zeros(3), zero), None, length=3))
    print(jax.lax.scan(made, Module(jnp.zeros(3), zero), None, length=3))  # JAX604
    def chosen(s):
        return jax.lax.cond(s.n > 0, lambda s: s.replace(x=s.x + 1), lambda s: Record(s.x, s.n), s)
    print(chosen(Record(jnp.zeros(3), zero)))
    def doubled(s):
        return s.replace(x=s.x * 2)
    def emptied(s):
        return s.replace(n=None)
    def cleared(s):
        return s.replace(n=jnp.zeros_like(s.n))
    def of_one_record(flag):
        s = Record(jnp.ones(2), jnp.ones(2))
        s = jax.lax.cond(flag, doubled, cleared, s)
        return jax.lax.cond(flag, doubled, emptied, s), s
    def of_a_made_one(flag):
        s = Record(jnp.ones(2), jnp.ones(2))
        return jax.lax.cond(flag, doubled, emptied, s)  # JAX603
    def of_none(flag):
        s = Record(jnp.ones(2), None)
        return jax.lax.cond(flag, doubled, emptied, s)
"""


PROGRAMS["what a class is a tree of that a function flattens"] = """
    import jax, jax.numpy as jnp
    class State:
        def __init__(self, x, key, kind, rows):
            self.x, self.key, self.kind, self.rows = x, key, kind, rows
    jax.tree_util.register_pytree_node(
        State, lambda s: ((s.x, s.key), (s.kind, s.rows)), lambda aux, parts: State(*parts, *aux)
    )
    class Held:
        def __init__(self, x, order):
            self.x, self.order = x, order
    def flatten(held):
        parts = (held.x,)
        return parts, {"order": held.order}
    jax.tree_util.register_pytree_node(Held, flatten_func=flatten, unflatten_func=lambda aux, x: Held(*x, **aux))
    class Handed:
        def __init__(self, x, order):
            self.x, self.order = x, order
    jax.tree_util.register_pytree_node(Handed, vars, lambda aux, parts: Handed(**aux))
    @jax.jit
    def step(s: State):
        if s.kind == "a" and s.rows > 3:
            return s.x
        if s.x > 0:  # JAX401
            return s.x
        return -s.x
    @jax.jit
    def held(s: Held):
        if s.order > 3:
            return s.x
        return s.x if s.x > 0 else -s.x  # JAX401
    @jax.jit
    def handed(s: Handed):
        return s.x if s.order > 3 else -s.x
"""


PROGRAMS["annotations in quotes, which are what stands between them, and of which Python asks for nothing"] = """
    from dataclasses import dataclass
    from typing import Optional
    import jax, jax.numpy as jnp, numpy as np
    def former(x: "jax.xla.DeviceArray", y: "jax.interpreters.xla.DeviceArray") -> "jax.xla.DeviceArray":
        z: "jax.xla.DeviceArray" = x
        return z
    def axes(x: "batch channels", y: "n", z: "[n") -> "float32[3]":
        x[0] = y[0] = z[0] = 1
        return x
    def of_host(x: "np.ndarray", y: "jax.Array | np.ndarray", z: "list[jax.Array]"):
        x[0] = y[0] = z[0] = 1
    def of_jax(x: "jax.Array"):
        x[0] = 1  # JAX201
        return x
    class Grid:
        def __init__(self, u):
            self.u = u
        def merged(self, other: "Grid") -> "Grid":
            return Grid(self.u + other.u)
    @dataclass
    class Buffer:
        rows: "jnp.ndarray"
        table: "np.ndarray"
        def push(self, row):
            self.table[0] = row
            self.rows[0] = row  # JAX201
    @jax.tree_util.register_dataclass
    @dataclass
    class State:
        x: "jax.Array"
        n: "int"
    @jax.jit
    def step(state: "State", given: "Optional[State]" = None):
        if given is None:
            return state.x
        return state if state.x > 0 else given  # JAX401
"""


PROGRAMS["copies that compiled functions give back, with the key that they got"] = """
    from functools import partial
    import jax, optax
    import jax.numpy as jnp
    from flax import struct
    @struct.dataclass
    class State:
        x: jax.Array
        y: jax.Array
        key: jax.Array
    @jax.jit
    def drawn(state):
        return state.replace(x=state.x + jax.random.normal(state.key, state.x.shape))
    @jax.jit
    def advanced(state):
        key, sub = jax.random.split(state.key)
        return state.replace(x=state.x + jax.random.normal(sub, state.x.shape), key=key)
    @partial(jax.jit, donate_argnums=0)
    def donated(state):
        return state.replace(x=state.x + 1)
    def of_an_object(state):
        for _ in range(3):
            state = drawn(state)  # JAX102
        return state
    def of_a_class(x, y, key):
        state = State(x, y, key)
        state = drawn(state)
        return drawn(state)  # JAX101
    def once(state):
        return drawn(state)
    def with_a_new_one(x, y, key):
        state = State(x, y, key)
        for _ in range(3):
            state = advanced(state)
        return state
    def replaced(state, keys):
        for key in keys:
            state = drawn(state.replace(key=key))
        return state
    def in_place(x, y, key):
        state = State(x, y, key)
        for _ in range(3):
            state = donated(state)
            print(state.y, state.x)
        return state.y, jax.random.normal(state.key)
    def of_other_fields(state):
        for _ in range(3):
            state = donated(state)
            print(state.y, state.x)
        return state.y
"""


PROGRAMS["updates that are applied with the state of their optimizer in a pair"] = """
    import equinox as eqx
    import optax
    tx = optax.adam(1e-3)
    def whole(params, state, grads):
        updates = tx.update(grads, state, params)
        return optax.apply_updates(params, updates)  # JAX609
    def at_once(model, state, grads):
        return eqx.apply_updates(model, tx.update(grads, state))  # JAX609
    def by_places(params, state, grads):
        updates = tx.update(grads, state, params)
        return optax.apply_updates(params, updates[0]), updates[1]
    def unpacked_later(params, state, grads):
        both = tx.update(grads, state, params)
        updates, state = both
        return optax.apply_updates(params, updates), state
    def of_others(params, state, grads, update):
        return optax.apply_updates(params, update(grads, state))
"""


PROGRAMS["lists of tokens that grow, and those that keep their length"] = """
    import jax
    import jax.numpy as jnp
    @jax.jit
    def f(x):
        return x.sum()
    def with_an_axis(prompt, n):
        tokens = [1, 2]
        for _ in range(n):
            logits = f(jnp.array(tokens)[None])  # JAX504
            tokens.append(int(logits))
        return tokens
    def in_a_display(prompt, n):
        tokens = prompt.tolist()
        while len(tokens) < n:
            tokens.append(int(f(jnp.asarray([tokens]))))  # JAX504
        return tokens
    def reshaped(prompt, n):
        tokens = list(prompt)
        for _ in range(n):
            x = jnp.asarray(tokens).reshape(1, -1)
            tokens.append(int(f(x)))  # JAX504
        return tokens
    def joined(prompt, n):
        tokens, others = list(prompt), list(prompt)
        for _ in range(n):
            tokens = tokens + [int(f(jnp.asarray(tokens)))]  # JAX504
            others += [int(f(jnp.asarray(others)))]  # JAX504
        return tokens
    def window(prompt, n):
        tokens = list(prompt)
        for _ in range(n):
            tokens = tokens + [int(f(jnp.asarray(tokens)))]
            tokens = tokens[-8:]
        return tokens
    def last(prompt, n):
        tokens = list(prompt)
        for _ in range(n):
            recent = tokens[-8:]
            tokens.append(int(f(jnp.asarray(recent)[None])))
        return tokens
    def taken_off(prompt, n):
        tokens = list(prompt)
        for _ in range(n):
            tokens.append(int(f(jnp.asarray([tokens]))))
            tokens.pop(0)
        return tokens
    def begun_anew(prompts):
        for prompt in prompts:
            tokens = list(prompt)
            tokens = tokens + [3]
            print(f(jnp.asarray(tokens)))
"""


PROGRAMS["modules of Flax that only hold others, which nothing copies"] = """
    import jax
    import jax.numpy as jnp
    import flax.linen as nn
    class Net(nn.Module):
        @nn.compact
        def __call__(self, x):
            return nn.Dense(3)(x)
    class Holder(nn.Module):
        def __init__(self, size):
            super().__init__()
            self.net = Net()
            self.params = self.net.init(jax.random.key(0), jnp.ones((1, size)))
        def act(self, x):
            return self.net.apply(self.params, x)
    class Own(nn.Module):
        def __init__(self, size):  # JAX614
            super().__init__()
            self.net = nn.Dense(size)
        def __call__(self, x):
            return self.net(x)
    class WithSetup(nn.Module):
        def __init__(self, size):  # JAX614
            super().__init__()
            self.size = size
        def setup(self):
            self.net = nn.Dense(3)
        def encode(self, x):
            return self.net(x)
    class Compact(nn.Module):
        def __init__(self, size):  # JAX614
            super().__init__()
            self.size = size
        @nn.compact
        def encode(self, x):
            return nn.Dense(3)(x)
"""


PROGRAMS["ranges whose ends move together, and those that grow"] = """
    import jax
    import jax.numpy as jnp
    import numpy as np
    @jax.jit
    def f(x):
        return x.sum()
    @jax.jit
    def g(x):
        return x.sum()
    @jax.jit
    def h(x):
        return x.sum()
    def forward(x):
        def step(c, _):
            return c * 0.9, c
        return jax.lax.scan(step, x, None, length=10)[1]
    def moved(n):
        for i in range(n):
            print(f(jnp.arange(i, i + 4)))
    def clipped(n):
        for i in range(0, n, 4):
            end = min(i + 4, n)
            print(f(jnp.arange(i, end)))
    def longer(n):
        for i in range(n):
            print(g(jnp.arange(0, i)))  # JAX504
    def shorter(n):
        for i in range(n):
            print(h(jnp.arange(i, n)))  # JAX504
    def batches(n, size):
        for start in range(0, n, size):
            end = min(start + size, n)
            chosen = np.arange(start, end)
            print(forward(jnp.asarray(chosen)))  # JAX501
    def ragged(sizes):
        for n in sizes:
            print(forward(jnp.arange(0, n)))
"""


PROGRAMS["what a method compiles of its object, which its callers made, and of objects of its own"] = """
    import functools
    import jax, jax.numpy as jnp
    class Net:
        def __init__(self, w):
            self.w = w
        def compiled(self):
            return jax.jit(lambda x: x @ self.w)  # JAX501
        @property
        def forward(self):
            return jax.jit(lambda x: x @ self.w + 1)  # JAX501
        @functools.cached_property
        def kept(self):
            return jax.jit(lambda x: x @ self.w)
        def of_a_turn(self):
            return jax.jit(lambda x: x @ self.w + 2)
    def built(w):
        net = Net(w)
        return jax.jit(lambda x: net.kept(x))
    def of_one(xs):
        net = Net(jnp.ones(3))
        once = net.of_a_turn()
        for x in xs:
            print(net.compiled()(x), net.kept(x), once(x))
    def of_each(xs, weights):
        for w in weights:
            net = Net(w)
            print(net.of_a_turn()(xs), Net(w).of_a_turn()(xs), built(w)(xs))
    net = Net(jnp.ones(3))
    for epoch in range(40):
        print(net.forward(jnp.ones((2, 3))))
"""

if sys.version_info >= (3, 14):  # whose grammar the others do not read
    PROGRAMS["what template strings keep, and what they format"] = """
        import jax
        @jax.jit
        def kept(x, width, show):
            show(t"{x:.2f} {x!r:>{width}}")
            return x
        @jax.jit
        def shown(x, show):
            show(t"{x:.2f} {x:{5}}")
            show(f"{x:.2f}")  # JAX404
            return x
        @jax.jit
        def specified(x, digits, show):
            show(t"{x:{digits:.0f}}")  # JAX404
            return x
    """
    PROGRAMS["classes of exceptions without parentheses, and annotations that are defined below"] = """
        import jax
        def draw(state: State, key: jax.Array) -> State:
            try:
                return jax.random.normal(key)
            except TypeError, ValueError:
                return jax.random.uniform(key)
            finally:
                state.noise = jax.random.normal(key)  # JAX101
        class State:
            noise: jax.Array
    """

PROGRAMS["libraries that are compared by =="] = """
    import jax, jax.numpy as jnp, numpy as np
    def counted(senders, xp=np):
        counts = xp.zeros(3)
        if xp == jnp:
            counts = counts.at[senders].add(1)
        else:
            counts[senders] += 1
        return counts
    def stored(senders, xp=np):
        counts = xp.zeros(3)
        if xp != np:
            counts[senders] = 1  # JAX201
        return counts
    print(counted(1), counted(1, jnp), stored(1), stored(1, xp=jnp))
"""


PROGRAMS["a tracer that a derivative leaves in an object, told where it is stored and not where the host goes on"] = """
    import jax, jax.numpy as jnp
    class Net:
        def __init__(self):
            self.w, self.x = jnp.ones(3), jnp.ones(3)
        def forward(self, w):
            self.w = w  # JAX303
            return (self.w * self.x).sum()
        def loss(self, w):
            return self.forward(w) ** 2
        def train(self):
            for _ in range(3):
                g = jax.grad(self.loss)(self.w)
                self.w = self.w - 0.1 * g
                if self.w.sum() > 3:
                    print(self.loss(self.w))
    Net().train()
"""


PROGRAMS["the name of an axis in a tree that is traced, where it can only be None"] = """
    import jax
    def update(states, g):
        m = states["m"] + g
        if states["axis_name"] is not None:
            m = jax.lax.pmean(m, axis_name=states["axis_name"])
        return {"m": m, "axis_name": states["axis_name"]}
    @jax.jit
    def step(states, g):
        return update(states, g)
    @jax.jit
    def mean(x, axis_name):
        return jax.lax.pmean(x, axis_name)  # JAX406
    mean(1.0, "i")
"""


PROGRAMS["the vector of a tree has one leaf"] = """
    import jax, jax.numpy as jnp
    from jax.flatten_util import ravel_pytree
    def to_vector(tree):
        return ravel_pytree(tree)[0]
    def noisy(tree, key):
        vector, unravel = ravel_pytree(tree)
        return unravel(jax.tree.map(lambda x: x + jax.random.normal(key, x.shape), vector))
    def helped(tree, key):
        return jax.tree.map(lambda x: x + jax.random.normal(key, x.shape), to_vector(tree))
    def of_a_tree(tree, key):
        vector, unravel = ravel_pytree(tree)
        return jax.tree.map(lambda x: x + jax.random.normal(key, x.shape), unravel(vector))  # JAX102
    def stored(tree):
        vector = to_vector(tree)
        vector[0] = 0.0  # JAX201
        return vector
"""


PROGRAMS["a test of the type beside one of arrays"] = """
    import jax
    @jax.jit
    def seeded(seed, x):
        if isinstance(seed, int) or (hasattr(seed, "shape") and seed.shape == ()):
            x = x + 1
        return x
    @jax.jit
    def typed(seed, x):
        if isinstance(seed, int) or x.shape == ():  # JAX407
            x = x + 1
        return x
"""


PROGRAMS["objects that are made of what stands in for others in a test"] = """
    import jax, jax.numpy as jnp
    import equinox as eqx
    from unittest.mock import MagicMock, create_autospec
    class Kernel(eqx.Module):
        def elementwise(self, x, y):
            return (x * y).sum()
        def grad(self, x, y):
            return jax.grad(self.elementwise)(x, y)
    class Product(eqx.Module):
        first: Kernel
        second: Kernel
        def grad(self, x, y):
            return self.first.grad(x, y) * self.second.grad(x, y)
    class Sum(eqx.Module):
        def elementwise(self, x, y):
            return (x + y).sum()
        def grad(self, x, y):
            return jax.grad(self.elementwise)(x, y)  # JAX601  # JAX607
    class Pair(eqx.Module):
        first: Sum
        second: Sum
        def grad(self, x, y):
            return self.first.grad(x, y) * self.second.grad(x, y)
    def test_product():
        x = jnp.array([1])
        first, second = MagicMock(spec=Kernel), create_autospec(Kernel)
        print(Product(first, second).grad(x, x))
        print(Product(first=first, second=second).grad(x, x))
        print(Pair(Sum(), Sum()).grad(x, x))
"""


PROGRAMS["an axis of the size 1, which has one lane"] = """
    import jax, jax.numpy as jnp
    def noisy(x, key):
        return jax.vmap(lambda row: row + jax.random.normal(key, row.shape))(x.reshape(1, -1))
    def handed(key):
        rows = jnp.ones((1, 3))
        return jax.vmap(lambda row, k: row + jax.random.normal(k, row.shape), in_axes=(0, None))(rows, key)
    def columns(key):
        rows = jnp.ones((3, 1))
        return jax.vmap(lambda row, k: row + jax.random.normal(k, row.shape), in_axes=(1, None))(rows, key)
    def two(x, key):
        return jax.vmap(lambda row: row + jax.random.normal(key, row.shape))(x.reshape(2, -1))  # JAX102
"""


PROGRAMS["axes that are None by the name of a library"] = """
    import jax, jax.numpy as jnp
    na = jnp.newaxis
    def head(x, n):
        return x[:n] + jnp.zeros(n)
    def mapped(xs):
        return jax.vmap(head, in_axes=(0, na))(xs, xs.shape[1] // 2)
    def over_numbers(xs, n):
        return jax.vmap(tail, in_axes=(0, 0))(xs, n)
    def tail(x, n):
        return x[:n]  # JAX410
"""


PROGRAMS["a module that asks for many values of what it is given, which runs outside of traces"] = """
    import haiku as hk, jax, jax.numpy as jnp
    def dense(x, batch):
        n = int(batch.max()) + 1
        sizes = jax.ops.segment_sum(jnp.ones(len(batch)), batch)
        return [x[: int(sizes[i])] for i in range(n)]
    class Pool(hk.Module):
        def __call__(self, x, batch, keep):
            parts = dense(x, batch)
            return [part[keep > 0.5][: int(keep.sum())] for part in parts]
    class Head(hk.Module):
        def __call__(self, x, keep):
            return x[: int(jnp.sum(keep))]  # JAX403
"""


PROGRAMS["an object that is made where none is passed, as the start of a carry"] = """
    from typing import NamedTuple
    import jax, jax.numpy as jnp
    class Env(NamedTuple):
        corner: jax.Array
        edge: jax.Array
    def sweep(env, a):
        return Env(env.corner * 2, a)
    def contracted(a, start: Env | None = None):
        if start is not None:
            env = start
        else:
            env = Env(jnp.ones((3, 3)), a)
        def body(carry):
            env, i = carry
            return sweep(env, a), i + 1
        return jax.lax.while_loop(lambda c: c[1] < 3, body, (env, jnp.array(0)))
    def absent(a, start: Env | None = None):
        env = None
        def body(carry):
            env, i = carry
            return sweep(start, a), i + 1
        return jax.lax.while_loop(lambda c: c[1] < 3, body, (env, jnp.array(0)))  # JAX604
    print(contracted(jnp.ones((3, 3))), absent(jnp.ones((3, 3)), Env(jnp.ones(3), jnp.ones((3, 3)))))
"""


PROGRAMS["a decorator of an unknown library that is called with options, and may register the class"] = """
    import dataclasses, jax
    from netket.utils import struct
    @struct.dataclass(_frozen=False)
    class Integrator:
        t: float
        @jax.jit
        def solve(self, n):
            return self.t * n
    @dataclasses.dataclass(frozen=True)
    class Plain:
        t: float
        @jax.jit  # JAX507
        def solve(self, n):
            return self.t * n
    print(Integrator(1.0).solve(3), Plain(1.0).solve(3))
"""


PROGRAMS["a search for settings that runs on the host while JAX traces, and a helper of the trace"] = """
    import random, time
    import jax, jax.numpy as jnp
    from tqdm import tqdm
    def measured():
        for _ in tqdm(range(3)):
            time.perf_counter()
        return jax.sharding.get_mesh()
    def tuned(x):
        print("tuning", x.shape)
        measured()
        return random.random()
    def drawn(x):
        return x + random.random()  # JAX305
    @jax.jit
    def evaluated(x):
        with jax.core.eval_context():
            rate = tuned(x)
        return drawn(x) * rate
    @jax.jit
    def computed(x):
        with jax.ensure_compile_time_eval():
            if jnp.arange(3)[0] > 0:
                rate = tuned(x)
            else:
                rate = 1.0
        return x * rate
    print(evaluated(jnp.ones(3)), computed(jnp.ones(3)))
"""


PROGRAMS["a function that is named only where the other array library was chosen, and runs in no trace"] = """
    import jax, numpy as np
    import jax.numpy as jnp
    def spence(z):
        return jax.lax.cond(z < 0.5, series, lambda z: np.log(z), z)
    def series(z):
        return np.where(z == 0, 0.01, z)
    def li2(z):
        if "jax" in np.__name__:
            s = jax.vmap(spence)
        else:
            from scipy.special import spence as s
        return s(1 - z)
    def other(z):
        return jax.lax.cond(z < 0.5, lambda z: np.log(z), lambda z: z, z)  # JAX405
    def chosen(z):
        if np is not jnp:
            return jax.vmap(other)(z)
        return jax.vmap(spence)(z)
    @jax.jit
    def fast(z):
        return np.exp(z)  # JAX405
    def li3(z):
        return fast(z) if np is jnp else z
    def li4(z):
        if np.__name__ == "jax.numpy":
            return fast(z)
        return z
    def both(z):
        return jax.lax.cond(z < 0.5, lambda z: np.sin(z), lambda z: z, z)  # JAX405
    def li5(z):
        if np is jnp:
            return both(z)
        return z
    def li6(z):
        return both(z)
"""


PROGRAMS["a shape of which something is read that no tuple has, and which is an array of an object"] = """
    import jax.numpy as jnp
    def exponents(grid):
        if grid.shape.size > 2:
            raise ValueError("only 1D and 2D")
        return jnp.square(grid.shape).sum() / 16
    def sizes(grid):
        lengths = grid.shape
        return jnp.square(lengths) / grid.shape.sum()
    def plain(grid):
        if grid.shape.index(2):
            return 0
        return jnp.square(grid.shape)  # JAX203
    def beside(x, mesh):
        return jnp.square(x.shape) / mesh.shape.size  # JAX203
"""


PROGRAMS["a function whose tests of types serve those who call it as it is, beside those who jit it"] = """
    import jax, jax.numpy as jnp, numpy as np
    def clip(x):
        if isinstance(x, np.ndarray):
            return np.clip(x, 0, 1)
        return jnp.clip(x, 0, 1)
    print(jax.jit(clip)(jnp.ones(3)), clip(np.ones(3)))
    def only(x):
        if isinstance(x, np.ndarray):  # JAX407
            return np.clip(x, 0, 1)
        return jnp.clip(x, 0, 1)
    print(jax.jit(only)(np.ones(3)))
    def arrays(x):
        if isinstance(x, np.ndarray):  # JAX407
            return np.clip(x, 0, 1)
        return jnp.clip(x, 0, 1)
    print(jax.jit(arrays)(np.ones(3)), arrays(jnp.ones(3)))
    def scaled(x, by):
        if isinstance(by, float):
            return x if by == 1.0 else x * by
        return x * by
    fast = jax.jit(scaled)
    print(fast(jnp.ones(3), 2.0), scaled(jnp.ones(3), 2.0))
    @jax.jit
    def decorated(x):
        if isinstance(x, float):  # JAX407
            return x * 2
        return x
    print(decorated(1.0))
"""


PROGRAMS["what has JAX stage nothing is a field, comes from a function, or is entered by hand"] = """
    import contextlib, jax, jax.numpy as jnp
    def kept(c, x):
        return (c + x if x > 0 else c), None
    class Runner:
        def __init__(self):
            self.eager = jax.disable_jit()
        def run(self, xs):
            with self.eager:
                return jax.lax.scan(kept, 0.0, xs)
    def asked(c, x):
        return (c + x if x > 0 else c), None
    def eager_if(debug):
        if debug:
            return jax.disable_jit()
        return contextlib.nullcontext()
    def run(xs):
        with eager_if(True):
            return jax.lax.scan(asked, 0.0, xs)
    def by_method(c, x):
        return (c + x if x > 0 else c), None
    class Host:
        def eager(self):
            return jax.disable_jit()
        def run(self, xs):
            with self.eager():
                return jax.lax.scan(by_method, 0.0, xs)
    def entered(c, x):
        return (c + x if x > 0 else c), None
    def by_hand(xs):
        plain = jax.disable_jit()
        plain.__enter__()
        try:
            return jax.lax.scan(entered, 0.0, xs)
        finally:
            plain.__exit__(None, None, None)
    def other(c, x):
        return (c + x if x > 0 else c), None  # JAX401
    class Other:
        def __init__(self):
            self.eager = contextlib.nullcontext()
        def run(self, xs):
            with self.eager:
                return jax.lax.scan(other, 0.0, xs)
    def unasked(c, x):
        return (c + x if x > 0 else c), None  # JAX401
    def staged(xs):
        with eager_if(False):
            return jax.lax.scan(unasked, 0.0, xs)
    def unentered(c, x):
        return (c + x if x > 0 else c), None  # JAX401
    def left(xs):
        plain = contextlib.nullcontext()
        plain.__enter__()
        return jax.lax.scan(unentered, 0.0, xs)
    xs = jnp.ones(3)
    print(Runner().run(xs), run(xs), Host().run(xs), by_hand(xs))
"""


PROGRAMS["a loss that callers hand in, called with a key or without one as a test says"] = """
    import jax, jax.numpy as jnp
    from jax import jit
    def fit(loss_fn, params, key=None, n=3):
        grad_fn = jit(jax.value_and_grad(loss_fn))
        for i in range(n):
            if key is not None:
                key, subkey = jax.random.split(key)
                loss, g = grad_fn(params, subkey)
            else:
                loss, g = grad_fn(params)
            params = params - g
        return params
    def once(loss_fn, params, key=None):
        grad_fn = jit(jax.value_and_grad(loss_fn))
        if key is not None:
            loss, g = grad_fn(params, key)
        else:
            loss, g = grad_fn(params)
        return g
    def plain(p):
        return jnp.sum(p**2)
    def noisy(p, key):
        return jnp.sum(p**2) * jax.random.normal(key)
    print(fit(plain, jnp.ones(3)), fit(noisy, jnp.ones(3), key=jax.random.key(0)))
    print(once(plain, jnp.ones(3)), once(noisy, jnp.ones(3), key=jax.random.key(0)))
    def chosen(loss_fn, params, key=None, n=3):
        grad_fn = jit(jax.value_and_grad(loss_fn))
        for i in range(n):
            sub = key
            if key is not None:
                key, sub = jax.random.split(key)
            loss, g = grad_fn(params, sub) if key is not None else grad_fn(params)
            params = params - g
        return params
    def left(loss_fn, params, key=None, n=3):
        grad_fn = jit(jax.value_and_grad(loss_fn))
        for i in range(n):
            if key is None:
                loss, g = grad_fn(params)
                params = params - g
                continue
            key, sub = jax.random.split(key)
            loss, g = grad_fn(params, sub)
            params = params - g
        return params
    print(chosen(plain, jnp.ones(3)), chosen(noisy, jnp.ones(3), key=jax.random.key(0)))
    print(left(plain, jnp.ones(3)), left(noisy, jnp.ones(3), key=jax.random.key(0)))
    def beside(loss_fn, params, key=None, n=3):
        grad_fn = jit(jax.grad(loss_fn))
        for i in range(n):
            if key is not None:
                key, sub = jax.random.split(key)
                params = params - grad_fn(params) - grad_fn(params, sub)  # JAX602
        return params
    def stays(loss_fn, params, is_shown=False):
        grad_fn = jit(jax.grad(loss_fn))
        if is_shown:
            print(grad_fn(params))
        return grad_fn(params, 2.0)  # JAX602
    print(beside(plain, jnp.ones(3), jax.random.key(0)), stays(plain, jnp.ones(3)))
    def both(loss_fn, params):
        grad_fn = jit(jax.grad(loss_fn))
        return grad_fn(params, 1.0)  # JAX602
    def fixed(params, key=None):
        grad_fn = jit(jax.grad(plain))
        for _ in range(3):
            if key is not None:
                key, sub = jax.random.split(key)
                params = params - grad_fn(params, sub)  # JAX602
            else:
                params = params - grad_fn(params)
        return params
    def alike(loss_fn, params, key=None):
        grad_fn = jit(jax.grad(loss_fn))
        for _ in range(3):
            if key is not None:
                key, sub = jax.random.split(key)
                params = params - grad_fn(params, sub)  # JAX602
            else:
                params = params + grad_fn(params, 1.0)  # JAX602
        return params
    print(fixed(jnp.ones(3)))
    def bad(params):
        return both(plain, params), alike(plain, params)
"""


PROGRAMS["one function with one key twice, and an assertion that it gives the same again"] = """
    import jax, jax.numpy as jnp, numpy as np
    def dropout(x, rate, key):
        return jnp.where(jax.random.bernoulli(key, rate, x.shape), x, 0)
    def unpacked(key):
        a, b = dropout(jnp.ones(8), 0.5, key), dropout(jnp.ones(8), 0.5, key)
        assert (a == b).all()
    def by_function(key):
        a, b = jax.random.normal(key, (3,)), jax.random.normal(key, (3,))
        np.testing.assert_array_equal(a, b)
    def at_once(x, key):
        assert (dropout(x, 0.5, key) == dropout(x, 0.5, key)).all()
    def by_function_at_once(x, key):
        np.testing.assert_allclose(dropout(x, 0.5, key), dropout(x, 0.5, key))
    def added(key):
        a, b = jax.random.normal(key, (3,)), jax.random.normal(key, (3,))  # JAX101
        assert jnp.all(a + b > 0)
    def not_asserted(key):
        same = jax.random.randint(key, (), 0, 6) == jax.random.randint(key, (), 0, 6)  # JAX101
        return jnp.where(same, 1.0, 0.0)
    def less(key):
        assert jax.random.normal(key) < jax.random.normal(key)  # JAX101
    def one_side(x, key):
        assert (dropout(x, 0.5, key) + dropout(x, 0.5, key)).sum() == 0  # JAX101
    def crossed(key):
        a, b = jax.random.normal(key), jax.random.normal(jax.random.key(3))
        c = jax.random.uniform(key)  # JAX101
        assert a == b
        return c
"""


PROGRAMS["a function and its derivative, with the same key and at whatever points"] = """
    import equinox as eqx
    import jax, jax.numpy as jnp
    class Noise(eqx.Module):
        scale: float
        def __call__(self, x, *, key):
            return x + self.scale * jax.random.normal(key, x.shape)
    def noisy(s, x, key):
        return x + s * jax.random.normal(key, x.shape)
    def of_module(key):
        def f(s):
            return jnp.sum(Noise(s)(jnp.ones(3), key=key) ** 2)
        numeric = (f(1.0 + 1e-2) - f(1.0 - 1e-2)) / (2 * 1e-2)
        return abs(jax.grad(f)(1.0) - numeric)
    def after(key):
        def f(s):
            return jnp.sum(noisy(s, jnp.ones(3), key) ** 2)
        return jax.grad(f)(1.0), f(2.0)
    def as_argument(s, x, key):
        def f(s, x, key):
            return noisy(s, x, key).sum()
        value = f(s, x, key)
        return value, jax.grad(f)(s, x, key)
    def beside(s, x, key):
        def f(s):
            return noisy(s, x, key).sum()
        return f(s), jax.random.normal(key)  # JAX101
    def two_values(s, key):
        def f(s):
            return noisy(s, jnp.ones(3), key).sum()
        def g(s):
            return s * jax.random.uniform(key)
        return f(s), jax.grad(g)(s)  # JAX101
"""


PROGRAMS["a choice takes the tangent of what it takes, and the derivative backwards goes through both"] = """
    import jax, jax.numpy as jnp
    def half(x):
        return jnp.where(x > 0, jnp.sqrt(x), 0.0)
    def ratio(x):
        return jax.lax.select(x != 0, 1 / x, x)
    def whole(x):
        return jnp.where(x > 0, jnp.log(x), 0.0)  # JAX701
    def bent(x):
        return jnp.where(x > 0, jnp.sqrt(x), 0.0)  # JAX701
    print(jax.jacfwd(half)(0.0), jax.jvp(half, (0.0,), (1.0,)), jax.linearize(ratio, 0.0))
    print(jax.jacrev(whole)(0.0), jax.jacfwd(bent)(0.0), jax.hessian(bent)(0.0))
    def curved(x):
        return jnp.where(x > 0, jnp.sqrt(x), 0.0)  # JAX701
    def slope(x):
        return jax.jvp(curved, (x,), (1.0,))[1]
    def forward(x):
        return jax.jvp(half, (x,), (1.0,))[1]
    print(jax.grad(slope)(0.0), jax.jacfwd(forward)(0.0), forward(0.0))
"""


PROGRAMS["numbers that a traced module keeps in a dataclass are known, those of a traced dataclass are not"] = """
    import jax, jax.numpy as jnp
    from flax import nnx, struct
    @struct.dataclass
    class Sizes:
        heads: int = 2
    class Net(nnx.Module):
        def __init__(self, sizes: Sizes, rngs: nnx.Rngs):
            self.sizes = sizes
            self.scale = jnp.ones(())
            self.linear = nnx.Linear(8, 8, rngs=rngs)
    @nnx.jit
    def run(model: Net, x):
        sizes = model.sizes
        y = model.linear(x).reshape(-1, sizes.heads, 4) + jnp.arange(model.sizes.heads)[None, :, None]
        if model.scale > 0:  # JAX401
            y = y * model.scale
        return y
    @nnx.jit
    def alone(sizes, x):
        return x.reshape(-1, sizes.heads, 4)  # JAX410
    sizes = Sizes()
    run(Net(sizes, nnx.Rngs(0)), jnp.ones((3, 8)))
    alone(sizes, jnp.ones((3, 8)))
"""


PROGRAMS["a parameter that is no number, whatever its annotation says, where it was asked"] = """
    import jax, jax.numpy as jnp
    def asked(seed: int):
        if isinstance(seed, int):
            return jax.random.key(seed)
        else:
            return jax.vmap(jax.random.key)(jnp.asarray(seed))
    def returned(seed: int):
        if isinstance(seed, int):
            return jax.random.key(seed)
        return jax.vmap(jax.random.key)(jnp.asarray(seed))
    def denied(rate: float):
        return jnp.asarray(rate) if isinstance(rate, (int, float)) else jax.vmap(jnp.sin)(jnp.asarray(rate))
    def promised(seed: int):
        return jax.vmap(jax.random.key)(jnp.asarray(seed))
    def is_number():
        return jax.vmap(jax.random.key)(jnp.asarray(1.5))  # JAX605
    print(asked([1, 2]), returned([1, 2]), denied([1.0]))
"""


PROGRAMS["a key for dropout in a network of which each such layer is written off"] = """
    import jax, jax.numpy as jnp
    from flax import linen as nn
    class Off(nn.Module):
        @nn.compact
        def __call__(self, x):
            x = nn.Dense(3)(x)
            return nn.Dropout(0.1, deterministic=True)(x)
    class On(nn.Module):
        @nn.compact
        def __call__(self, x):
            x = nn.Dense(3)(x)
            return nn.Dropout(0.1, deterministic=False)(x)
    class Setup(nn.Module):
        def setup(self):
            self.drop = nn.Dropout(0.1, deterministic=True)
            self.inner = Off()
        def __call__(self, x):
            return self.drop(self.inner(x))
    class Mixed(nn.Module):
        def setup(self):
            self.drop = nn.Dropout(0.1, deterministic=True)
            self.other = nn.Dropout(0.1)
        def __call__(self, x, train=False):
            return self.other(self.drop(x), deterministic=not train)
    class Below(Setup):
        def setup(self):
            super().setup()
            self.other = nn.Dropout(0.1, deterministic=False)
        def __call__(self, x):
            return self.other(super().__call__(x))
    def off(params, xs, key):
        model = Off()
        return [model.apply(params, x, rngs={"dropout": key}) for x in xs]
    def on(params, xs, key):
        model = On()
        return [model.apply(params, x, rngs={"dropout": key}) for x in xs]  # JAX102
    def setup(params, xs, key):
        model = Setup()
        out = []
        for x in xs:
            out.append(model.apply(params, x, rngs={"dropout": key}))
        return out
    def mixed(params, xs, key):
        model = Mixed()
        return [model.apply(params, x, train=True, rngs={"dropout": key}) for x in xs]  # JAX102
    def below(params, xs, key):
        model = Below()
        return [model.apply(params, x, rngs={"dropout": key}) for x in xs]  # JAX102
    def by_state(state, params, xs, key):
        return [state.apply_fn(params, x, rngs={"dropout": key}) for x in xs]
"""


PROGRAMS["a function that a test of releases chooses takes the arguments of either"] = """
    from jax.experimental.pallas.ops.gpu import attention  # JAX802
    def of_releases(q, k, v):
        if hasattr(attention, "BlockSizes"):
            attend = lambda *args, block_q, **options: attention.mha(*args, block_sizes=block_q)
        else:
            attend = attention.mha
        return attend(q, k, v, segment_ids=None, block_q=8)
    def of_a_flag(q, k, v, fast):
        if fast:
            attend = lambda *args, block_q, **options: attention.mha(*args, block_sizes=block_q)
        else:
            attend = attention.mha
        return attend(q, k, v, segment_ids=None, block_q=8)  # JAX801
    class Layer:
        def __call__(self, q, k, v):
            if hasattr(self, "sizes"):
                attend = lambda *args, block_q, **options: attention.mha(*args, block_sizes=block_q)
            else:
                attend = attention.mha
            return attend(q, k, v, segment_ids=None, block_q=8)  # JAX801
"""


PROGRAMS["what a test of an option leads to is of any release"] = """
    import jax
    from absl import flags
    FLAGS = flags.FLAGS
    def main(argv):
        if FLAGS.train_dir is None:
            raise ValueError("train_dir must be set")
        if jax.config.jax_debug_nans:
            print(argv)
        else:
            return jax.tree_leaves(argv)  # JAX801
        return jax.tree_map(len, argv)  # JAX801
"""


PROGRAMS["a helper that says whether all it got are numbers is asked what the call passes"] = """
    import jax, jax.numpy as jnp
    def with_test(x):
        return jnp.atleast_1d(x), isinstance(x, (int, float))
    def canonical(arrays):
        whole = [jnp.atleast_1d(each) for each in arrays]
        is_scalar = all([isinstance(each, (int, float)) for each in arrays])
        if len(whole) < 2:
            return whole, is_scalar
        return [jnp.broadcast_to(each, (3,)) for each in whole], is_scalar
    def are_numbers(*values):
        return all(isinstance(each, float) for each in values)
    def of_pair(x):
        y, is_scalar = with_test(x)
        return y.item() if is_scalar else y
    def of_list(x, scale):
        (x_, scale_), is_scalar = canonical([x, scale])
        y = x_ * scale_
        if is_scalar:
            y = y.item()
        return y
    def of_starred(x, scale):
        y = jnp.exp(x) * scale
        return float(y) if are_numbers(x, scale) else y
    def of_all(x, scale):
        y = jnp.exp(x) * scale
        if all(isinstance(each, (int, float)) for each in (x, scale)):
            return y.item()
        return y
    def of_none(x, scale):
        y = jnp.exp(x) * scale
        if not any(isinstance(each, jax.Array) for each in (x, scale)):
            return y.item()
        return y
    def of_any(x, scale):
        y = jnp.exp(x) * scale
        if any(isinstance(each, (int, float)) for each in (x, scale)):
            return y.item()  # JAX404
        return y
    def with_switch(x, is_scalar):
        return jnp.exp(x), is_scalar
    def of_switch(x):
        y, is_scalar = with_switch(x, True)
        return y.item() if is_scalar else y  # JAX404
    @jax.jit
    def loss(x):
        return of_pair(x) + of_list(x, 1.0) + of_starred(x, 2.0) + of_all(x, 1.0) + of_none(1.0, x)
    @jax.jit
    def told(x):
        return of_any(x, 1.0) + of_switch(x)
    print(loss(jnp.ones(3)), told(1.0), of_list(1.0, 2.0))
"""


PROGRAMS["what a helper maps over the leaves of an array is one array"] = """
    import jax, jax.numpy as jnp
    from jax.flatten_util import ravel_pytree
    def ones_like(tree):
        return jax.tree.map(lambda leaf: 0 * leaf + 1, tree)
    def normalized(tree):
        return jax.tree.map(lambda leaf: leaf / jnp.linalg.norm(leaf), tree)
    def both(tree):
        return ones_like(normalized(tree))
    def of_vector(key, params):
        vector, _ = ravel_pytree(params)
        direction = ones_like(normalized(vector))
        return jax.tree.map(lambda leaf: leaf + jax.random.normal(key, leaf.shape), direction)
    def of_nested(key):
        moved = both(jnp.zeros(3))
        return jax.tree.map(lambda leaf: leaf + jax.random.normal(key, leaf.shape), moved)
    def of_tree(key, params):
        direction = both(params)
        return jax.tree.map(lambda leaf: leaf + jax.random.normal(key, leaf.shape), direction)  # JAX102
    def added(params):
        vector, _ = ravel_pytree(params)
        direction = normalized(vector)
        direction[0] = 0.0  # JAX201
        return direction
"""


PROGRAMS["an empty list that a call writes out is not the one that a length lets through"] = """
    import jax.numpy as jnp
    def total(field, truth):
        if len(field) == 0:
            return jnp.sum(truth)
        return jnp.sum(field)  # JAX203
    def of_none(field, truth):
        return jnp.sum(truth) if len(field) == 0 else jnp.sum(field)
    def grown(field, truth):
        field.append(truth)
        if len(field) == 0:
            return jnp.sum(truth)
        return jnp.sum(field)  # JAX203
    class Config:
        def __init__(self, data):
            self.data = data
    class Model:
        def __init__(self, config):
            self.config = config
        def run(self, truth):
            if len(self.config.data) == 0:
                return jnp.sum(truth)
            return jnp.sum(self.config.data)
    def filled(truth):
        fields = []
        fields.append(truth)
        return total(fields, truth)
    def written(truth):
        return of_none([], truth), Model(Config([])).run(truth)
    print(written(jnp.ones(3)), filled(1.0), grown([], 1.0))
"""


PROGRAMS["what a minimiser hands on beside the point arrives as it is"] = """
    import jax, jax.numpy as jnp
    from jax.scipy.optimize import minimize
    def loss(x, a, size):
        return jnp.sum((x[:size] - a) ** 2) + jnp.sum(x**2)
    def chosen(x, a, is_squared):
        if is_squared or a > 1:
            return jnp.sum((x - a) ** 2)
        return jnp.sum(x**2)
    def bounded(x, a):
        if x[0] > a:  # JAX401
            return jnp.sum((x - a) ** 2)
        return jnp.sum(x**2)
    x = jnp.ones(4)
    fitted = jax.jit(loss, static_argnums=[2])
    print(minimize(fitted, x, args=(1.0, len(x) // 2), method="BFGS").x)
    print(minimize(chosen, x, args=(1.0, True), method="BFGS").x)
    print(minimize(bounded, x, (1.0,), method="BFGS").x)
"""


PROGRAMS["a callback of the host gets a tuple as it is, and a minimiser's function the items of one"] = """
    import jax, jax.numpy as jnp
    from jax.experimental import host_callback as hcb  # JAX801
    from jax.scipy.optimize import minimize
    @jax.jit
    def shown(x):
        def sum_of(pair):
            a, b = pair
            return a + b
        return hcb.call(sum_of, (x, x), result_shape=x)
    def loss(x, pair):
        return jnp.sum((x - pair[0]) ** 2) + pair[1]
    print(shown(jnp.ones(3)))
    print(minimize(loss, jnp.ones(3), (1.0, 2.0), method="BFGS").x)  # JAX602
"""


PROGRAMS["a function that each call makes and jits anew has no trace of an earlier call"] = """
    import jax
    def run(step, batches, tests, modes, load, flag):
        def train(mode):
            state = load(mode)
            for batch in batches:
                state = step(state, batch)
            if flag:
                @jax.jit
                def forward(x):
                    return state.params @ x
            print([forward(x) for x in tests])
        def train_with(mode):
            state = load(mode)
            if flag:
                @jax.jit
                def forward(x):
                    return state.params @ x  # JAX302
            for batch in batches:
                state = step(state, forward(batch))
        for mode in modes:
            train(mode)
            train_with(mode)
"""


PROGRAMS["a number of Python that `vmap` refuses stays the number that it is"] = """
    import jax, jax.numpy as jnp
    from functools import partial
    @partial(jax.jit, static_argnames="is_mean")
    def draw(key, is_mean):
        return jnp.zeros(()) if is_mean else jax.random.normal(key)
    def rolled(keys):
        return jax.vmap(draw)(keys, True)  # JAX605
    def rolled_along(keys):
        return jax.vmap(draw, in_axes=(0, None))(keys, True)
    def rolled_with(keys, flags):
        return jax.vmap(draw)(keys, flags > 0)  # JAX502
"""


PROGRAMS["`pjit` of former days takes its shardings by position"] = """
    import jax
    from jax.experimental.pjit import pjit  # JAX802
    f = pjit(lambda x: x, None, None)
    g = jax.jit(lambda x: x, None)  # JAX602
"""


PROGRAMS["a network whose parameters are constants draws nothing when it is set up"] = """
    import jax, jax.numpy as jnp
    from flax import linen as nn
    class Temperature(nn.Module):
        initial: float = 1.0
        @nn.compact
        def __call__(self):
            return jnp.exp(self.param("log", init_fn=lambda key: jnp.full((), jnp.log(self.initial))))
    class Scale(nn.Module):
        def setup(self):
            self.scale = self.param("scale", nn.initializers.constant(1.0), (3,))
            self.shift = self.param("shift", nn.initializers.zeros, (3,))
        def __call__(self, x):
            return x * self.scale + self.shift
    class Random(nn.Module):
        @nn.compact
        def __call__(self, x):
            return x * self.param("scale", lambda key: jax.random.normal(key, (3,)))
    class Layered(nn.Module):
        @nn.compact
        def __call__(self, x):
            return nn.Dense(3)(x) * self.param("scale", nn.initializers.ones, (3,))
    class Around(nn.Module):
        inner: nn.Module
        @nn.compact
        def __call__(self, x):
            return self.inner(x) * self.param("scale", nn.initializers.ones, (3,))
    def temperature(seed):
        rng = jax.random.key(seed)
        return rng, Temperature().init(rng)["params"]
    def scale(seed, x):
        rng = jax.random.key(seed)
        return rng, Scale().init(rng, x)["params"]
    def random(seed, x):
        rng = jax.random.key(seed)
        return rng, Random().init(rng, x)["params"]  # JAX103
    def layered(seed, x):
        rng = jax.random.key(seed)
        return rng, Layered().init(rng, x)["params"]  # JAX103
    def around(seed, x):
        rng = jax.random.key(seed)
        return rng, Around(nn.Dense(3)).init(rng, x)["params"]  # JAX103
"""


PROGRAMS["a function that has another static argument in each turn is traced in each"] = """
    from functools import partial
    import jax
    def run(envs, epochs):
        @partial(jax.jit, static_argnums=(2,))
        def train_on(rng, state, env):
            print("training on an environment")
            return state + env.size
        @partial(jax.jit, static_argnames="env")
        def tested_on(rng, state, env):
            print("testing on an environment")  # JAX301
            return state + env.size
        @partial(jax.jit, static_argnums=(2,))
        def tuned_on(rng, state, env):
            print("tuning on an environment")  # JAX301
            return state + env.size
        state = 1.0
        for number, env in enumerate(envs):
            state = train_on(jax.random.key(number), state, env)
            state = tuned_on(jax.random.key(number), state, envs)
        for _ in range(epochs):
            for env in envs:
                state = tested_on(jax.random.key(0), state, env=env)
        return state
"""


PROGRAMS["what a helper stores into an object, the same helper puts back"] = """
    import jax, jax.numpy as jnp
    class Model:
        def __init__(self, w, b):
            self.w, self.b = w, b
        def energy(self, x):
            return (self.w * x + self.b).sum()
    def parameters_of(model):
        return {"w": model.w, "b": model.b}
    def put(model, parameters):
        model.w = parameters["w"]
        model.b = parameters["b"]
    def put_weights(model, w):
        model.w = w  # JAX303
    def fitted(model, x):
        def loss(parameters):
            old = parameters_of(model)
            put(model, parameters)
            found = model.energy(x)
            put(model, old)
            return found
        return jax.grad(loss)(parameters_of(model))
    def leaked(model, x):
        def loss(w):
            put_weights(model, w)
            found = model.energy(x)
            put_weights(model, w * 2)
            return found
        return jax.grad(loss)(model.w), model.energy(x)
    model = Model(jnp.ones(3), jnp.ones(3))
    fitted(model, jnp.ones(3)), leaked(model, jnp.ones(3))
"""


PROGRAMS["a key that another one replaces on one path is that one wherever the same path is taken again"] = """
    import jax
    def by_flag(flag, key, other):
        a = jax.random.normal(key)
        if flag:
            key = other
        if flag:
            a += jax.random.uniform(key)
        else:
            a += jax.random.uniform(key)  # JAX101
        return a
    def by_arm(flag, key, other):
        a = jax.random.normal(key)
        if flag:
            b = 0
        else:
            b, key = jax.random.split(other)
        if not flag:
            a += jax.random.uniform(key)
        return a, b
    def by_order(step, start, key, other):
        a = jax.random.normal(key)
        if step < start:
            b = 0
        else:
            b, key = jax.random.split(other)
        if step > start:
            a += jax.random.uniform(key)
        if step == start:
            a += jax.random.normal(jax.random.split(key)[0])
        if step <= start:
            a += jax.random.uniform(key)  # JAX101
        return a, b
    def by_turn(args, agent, observed):
        key = jax.random.key(0)
        params = agent.init(key)
        for step in range(args.total):
            if step < args.start:
                actions = 1
            else:
                actions, key = agent.act(observed, key)
            if step >= args.start:
                params = jax.random.normal(key)
        return params, actions
    def by_other(args, agent, observed):
        key = jax.random.key(0)
        params = jax.random.normal(key)
        for step in range(args.total):
            if step < args.start:
                actions = 1
            else:
                actions, key = agent.act(observed)
            if step >= args.other:
                params += jax.random.uniform(key)  # JAX101  # JAX102
        return params, actions
"""


PROGRAMS["a list of arrays is a list, also where a part of it is stored"] = """
    from typing import List
    import jax, jax.numpy as jnp
    @jax.jit
    def kept(arrays: List[jnp.array]):
        arrays[1:-1] = jnp.array(arrays[1:-1])
        arrays[0] = arrays[0].tensor
        return arrays
    @jax.jit
    def stored(arrays: jax.Array):
        arrays[1:-1] = jnp.array(arrays[1:-1])  # JAX201
        return arrays
"""


PROGRAMS["each device has one key of those that an object holds"] = """
    import flax, jax, jax.numpy as jnp
    @flax.struct.dataclass
    class Training:
        params: jax.Array
        key: jax.Array
    def train(params, key, count):
        def epoch(training, total):
            first, new = jax.random.split(training.key)
            return training.replace(key=new), total + jax.random.normal(first)
        def turn(training, total):
            return epoch(training, total)
        turns = jax.pmap(turn, axis_name="i")
        training = Training(params=params, key=jnp.stack(jax.random.split(key, count)))
        return turns(training, jnp.zeros(count))
    def shared(params, key, count):
        def turn(training, x):
            return x + jax.random.normal(training.key)
        training = Training(params=params, key=jax.random.split(key, count))
        return jax.vmap(turn, in_axes=(None, 0))(training, jnp.zeros(count))  # JAX102  # JAX107
"""

PROGRAMS["an index that is computed from the size of its axis is known to be outside, however large the array is"] = """
    import jax, jax.numpy as jnp
    from jax import lax
    def one_past(x: jax.Array):
        n, m = x.shape
        return x[n], x[:, m], x[len(x)], x.at[x.shape[0] + 1].get()  # JAX204
    @jax.jit
    def jitted(x):
        n = x.shape[0]
        return x.at[n].set(0.0), lax.dynamic_slice(x, (n - 1,), (2,))  # JAX204
    def differences(u):
        n = u.shape[0]
        return jnp.stack([u[i + 1] - u[i] for i in range(n)])  # JAX204
    def too_far(w):
        u, total = jnp.sin(w), 0.0
        for i in range(len(u) + 1):
            total += u[i]  # JAX204
        return differences(u), total
    def inside(x: jax.Array, y: jax.Array):
        n, m = x.shape
        longer = jnp.concatenate([x, x])
        return x[n - 1], x[-n], x[:, m - 1], x[m], y[n], longer[n], x.at[n].get(mode="fill", fill_value=0), x[n:]
    @jax.jit
    def steps(u):
        n = len(u)
        for i in range(n - 1):  # JAX505
            u = u.at[i].add(u[i + 1])
        for i in range(n):  # JAX505
            if i + 1 < n:
                u = u.at[i].add(u[i + 1])
            u = u.at[i].set(u[(i + 1) % n])
        u = jnp.pad(u, (0, 1))
        return u[n], lax.dynamic_slice(u, (n - 2,), (2,)), jnp.take(u, n)
"""


PROGRAMS["a number of a range that names are unpacked from, and a constant of a class, of an object that is made"] = """
    import jax, jax.numpy as jnp
    UP, RIGHT, DOWN, LEFT, STAY = range(5)
    SHIFTS = jnp.zeros((4, 2))  # JAX901
    def stay():
        return SHIFTS[STAY]  # JAX204
    def left():
        return SHIFTS[LEFT]
    class World:
        shifts = jnp.zeros((4, 2))
        actions = 5
        size = 4
        def __init__(self, size=8):
            self.size = size
        def move(self):
            return self.shifts[4]  # JAX204
        def clear(self):
            self.shifts[0] = 0.0  # JAX201
        def kept(self):
            return self.shifts[3]
        def replaced(self, grid):
            return grid[self.size]
    def run(world: World):
        return world.move(), world.kept()
    def play():
        world = World()
        world.clear()
        return world.move(), world.kept(), world.replaced(jnp.zeros(4))
    class Other(World):
        shifts = jnp.zeros((9, 2))
        def move(self):
            return self.shifts[8]
    def play_other():
        return Other().move()
"""


PROGRAMS["a carry of whole numbers gets what is divided by a size"] = """
    import jax, jax.numpy as jnp
    def mean(xs):
        def body(total, x):
            return total + x / xs.shape[0], None
        return jax.lax.scan(body, jnp.zeros((), int), xs)  # JAX604
    def step(xs):
        return jax.lax.fori_loop(0, 9, lambda i, c: c + 1 / len(xs), jnp.int32(0))  # JAX604
    def whole(xs):
        return jax.lax.fori_loop(0, 9, lambda i, c: c + xs.shape[0] // 2 + xs.ndim, jnp.int32(0))
    def weak(xs):
        return jax.lax.fori_loop(0, 9, lambda i, c: c + 1 / xs.shape[0], 0)
    def floating(xs):
        return jax.lax.fori_loop(0, 9, lambda i, c: c + 1 / xs.size, jnp.zeros(()))
"""


PROGRAMS["an evaluation that gets the very same in each turn has nothing to compare"] = """
    import jax, jax.numpy as jnp
    def rollout(policy, key):
        return policy(jax.random.uniform(key, (2,)))
    def evaluate(policy, seed, episodes):
        key, scores = jax.random.PRNGKey(seed), []
        for _ in range(episodes):
            scores.append(rollout(policy, key))  # JAX102
        return jnp.stack(scores).mean()
    def evaluate_policies(policies, seed):
        key, scores = jax.random.PRNGKey(seed), []
        for policy in policies:
            scores.append(rollout(policy, key))
        return scores
    def evaluate_training(params, update, loss, key, steps):
        losses = []
        for _ in range(steps):
            params = update(params)
            losses.append(rollout(lambda x: loss(params, x), key))
        return losses
"""


PROGRAMS["a used key that stays in the dict of a copy that is handed back"] = """
    import jax, jax.numpy as jnp
    from typing import Any, Dict
    from flax import struct
    @struct.dataclass
    class State:
        obs: jax.Array
        info: Dict[str, Any]
    def left(state: State):
        key, sub = jax.random.split(state.info["rng"])  # JAX103
        return state.replace(obs=jax.random.normal(sub, (2,)))
    def copied(state: State):
        key, sub = jax.random.split(state.info["rng"])  # JAX103
        info = dict(state.info)
        info["steps"] = info["steps"] + 1
        return state.replace(obs=jax.random.normal(sub, (2,)), info=info)
    def spread(info):
        key, sub = jax.random.split(info["rng"])  # JAX103
        return jax.random.normal(sub, (2,)), {**info, "steps": info["steps"] + 1}
    def renewed(state: State):
        key, sub = jax.random.split(state.info["rng"])
        info = dict(state.info)
        info["steps"] = info["steps"] + 1
        info["rng"] = key
        return state.replace(obs=jax.random.normal(sub, (2,)), info=info)
    def spread_anew(info):
        key, sub = jax.random.split(info["rng"])
        return jax.random.normal(sub, (2,)), {**info, "rng": key}
    def updated(state: State):
        key, sub = jax.random.split(state.info["rng"])
        state.info.update(rng=key)
        return state.replace(obs=jax.random.normal(sub, (2,)))
    def asked(state: State):
        sub = jax.random.fold_in(state.info["rng"], state.info["steps"])
        info = {**state.info, "steps": state.info["steps"] + 1}
        return state.replace(obs=jax.random.normal(sub, (2,)), info=info)
"""


PROGRAMS["a large array that is handed to a function of the project, which computes with it or asks for its size"] = """
    import jax, jax.numpy as jnp
    images = jnp.zeros((4000, 784))
    def logits(w, x):
        return x @ w
    def below(w, data):
        return jnp.tanh(logits(w, data))
    def rows(x):
        return x.shape[0]
    def empty_like(x):
        return jnp.zeros(x.shape[1:])
    @jax.jit
    def accuracy(w):
        return logits(w, images).argmax(-1)  # JAX508
    @jax.jit
    def deep(w):
        return below(w, x=images) if False else below(w, images)  # JAX508
    @jax.jit
    def sizes(w):
        return w * rows(images) + empty_like(images)
    @jax.jit
    def given(w, images):
        return logits(w, images).argmax(-1)
    def eager(w):
        return logits(w, images).argmax(-1)
"""


PROGRAMS["a donated tree that a function of the project or Optax reads"] = """
    from functools import partial
    import jax, jax.numpy as jnp, optax
    @partial(jax.jit, donate_argnums=0)
    def train_step(params, x):
        return jax.tree.map(lambda p: p + x, params)
    def drift(old, new):
        return jax.tree.map(lambda a, b: a - b, old, new)
    def alike(old, new):
        return jax.tree.map(lambda a, b: jnp.zeros_like(a) + b, old, new)
    def handed(params, x):
        new = train_step(params, x)
        return drift(params, new)  # JAX506
    def in_turns(params, steps):
        norms = []
        for _ in range(steps):
            new = train_step(params, 1.0)
            norms.append(drift(params, new))  # JAX506
            params = new
        return norms
    def normed(params, x):
        new = train_step(params, x)
        return optax.tree.norm(params), optax.tree.zeros_like(params), new  # JAX506
    def of_shapes(params, x):
        new = train_step(params, x)
        return alike(params, new), optax.tree.norm(new)
    def of_copies(params, x):
        before = jax.tree.map(jnp.copy, params)
        new = train_step(params, x)
        return drift(before, new)
"""


PROGRAMS["two views of the same images by one augmentation, mapped over the same keys"] = """
    import jax, jax.numpy as jnp
    def flip(key, image):
        return jnp.where(jax.random.bernoulli(key), image[:, ::-1], image)
    def augment(key, image):
        first, second = jax.random.split(key)
        return flip(second, flip(first, image))
    def alike(key, images):
        keys = jax.random.split(key, images.shape[0])
        one = jax.vmap(augment)(keys, images)
        two = jax.vmap(augment)(keys, images)  # JAX101
        return one, two
    def pairs(key, images, masks):
        keys = jax.random.split(key, images.shape[0])
        return jax.vmap(augment)(keys, images), jax.vmap(augment)(keys, masks)
    def apart(key, images):
        keys, others = jax.random.split(key, (2, images.shape[0]))
        return jax.vmap(augment)(keys, images), jax.vmap(augment)(others, images)
"""


PROGRAMS["an entry under an unknown name of a dict in which all are arrays, or not all"] = """
    import jax.numpy as jnp
    def stored(transition, n):
        storage = {"obs": jnp.zeros((n, 3)), "reward": jnp.zeros(n)}
        for name in storage:
            storage[name][0] = transition[name]  # JAX201
        for name, value in transition.items():
            storage[name] = storage[name].at[0].set(value)
        return storage
    def mixed(transition, n, name):
        storage = {"obs": jnp.zeros((n, 3)), "names": [""]}
        storage[name][0] = transition[name]
        return storage
"""


PROGRAMS["an array of NumPy looks a tracer up, by a function or by its own method"] = """
    import jax, jax.numpy as jnp, numpy as np
    grid = np.linspace(0.0, 1.0, 5)
    class Table:
        def __init__(self, xs):
            self.xs = np.asarray(xs)
        def __call__(self, x):
            return np.searchsorted(self.xs, x)  # JAX405
    table = Table([0.0, 1.0])
    @jax.jit
    def looked_up(x, i):
        return np.searchsorted(grid, x), table(x)  # JAX405
    @jax.jit
    def taken(x, i):
        return np.take(grid, i), np.take_along_axis(grid, i, 0)  # JAX405
    @jax.jit
    def by_method(x, i):
        return grid.take(i) + grid.searchsorted(x)  # JAX405
    @jax.jit
    def dotted(x):
        return grid.dot(x)  # JAX405
    @jax.jit
    def of_tracer(x):
        return np.searchsorted(x, grid), grid.take([0, 1]), np.take(grid, 1), grid.searchsorted(0.5), grid.dot(grid)
    def on_host(x, i):
        return np.take(grid, i), grid.searchsorted(x), grid.dot(x)
    outside = on_host(np.ones(5), 1)
"""


PROGRAMS["code for arrays of objects, and for leaves that are no arrays"] = """
    import time
    import jax, jax.numpy as jnp, numpy as np
    from jax import tree_util
    def unpacked(x):
        if x.dtype == object:
            return np.asarray([float(v) for v in x])
        return x * 2
    def others(x):
        if x.dtype != np.object_:
            return x * 2
        return np.asarray(x)
    def texts(x):
        return np.asarray(x) if x.dtype.kind in "OSU" else x
    def small(x):
        if x.dtype == jnp.float32:
            return np.asarray(x)  # JAX405
        return x
    @jax.jit
    def step(x):
        return unpacked(x), others(x), texts(x), small(x)
    class Timer:
        def start(self, token):
            self.stamp = time.perf_counter()
            return token
        def started(self, token):
            print("now", time.perf_counter())  # JAX304
            return token
    timer = Timer()
    def leaf(func, x):
        if isinstance(x, (jnp.ndarray, np.ndarray)):
            return jax.pure_callback(func, x, x)
        else:
            return func(x)
    def of_all(func, tree):
        return tree_util.tree_map(lambda x: leaf(func, x), tree)
    def of_each(func, tree):
        return tree_util.tree_map(lambda x: func(x), tree)
    @jax.jit
    def timed(p):
        p = of_all(timer.start, p)
        return p * 2
    @jax.jit
    def told(p):
        p = of_each(timer.started, p)
        return p * 2
    @jax.jit
    def of_what_nobody_knows(p):
        return of_all(timer.start, make(p))
    @jax.jit
    def computed_of_objects(p):
        x = make(p)
        if x.dtype == object:
            return np.asarray(jnp.sum(mean(x)))
        return x
"""


PROGRAMS["the structure of a tree, which a tree that is handed in keeps"] = """
    import jax
    from jax.tree_util import tree_flatten, tree_unflatten
    def update(i, grads, state):
        flat, tree, subtrees = state
        grad_flat, tree2 = tree_flatten(grads)
        if tree2 != tree:
            raise TypeError("another structure")
        return tree_unflatten(tree, [g + s for g, s in zip(grad_flat, flat)])
    def params(state):
        flat, tree, subtrees = state
        return tree_unflatten(tree, map(tree_unflatten, subtrees, flat))
    def built(tree, leaves):
        return tree_unflatten(tree, leaves)
    @jax.jit
    def step(i, grads, state):
        return params(update(i, grads, state)), built(state.tree, grads)
    @jax.jit
    def of_leaves(x):
        flat, tree = tree_flatten(x)
        return tree_unflatten(tree, [leaf * 2 for leaf in flat])
    @jax.jit
    def wrong(tree, leaves):
        return tree_unflatten(tree, leaves)  # JAX410
"""


PROGRAMS["a store into what nothing binds"] = """
    import jax, jax.numpy as jnp
    kept = {}
    def moved(logits):
        new_logits[:, :] = logits[1:, 1:]
        return new_logits
    def noted(logits):
        kept["last"] = logits[1:, 1:]  # JAX303
        return logits
    @jax.jit
    def step(x):
        return moved(x), noted(x)
"""


PROGRAMS["a number is converted before a test asks for it"] = """
    import jax
    def plan(x, rng, noise=1.0, sample=True):
        if sample and float(noise) > 0.0:
            return x + noise * jax.random.normal(rng, x.shape)
        return x
    def without(x, rng):
        a = plan(x, rng, noise=0.0)
        new, _ = jax.random.split(rng)
        return a, jax.random.normal(new, (3,))
    def with_noise(x, rng):
        a = plan(x, rng, noise=0.5)
        new, _ = jax.random.split(rng)  # JAX101
        return a, jax.random.normal(new, (3,))
"""


PROGRAMS["a root of what a bound keeps off from 0"] = """
    import jax, jax.numpy as jnp
    def by_eps(x):
        eps = jnp.finfo(jnp.float32).eps
        m = jnp.maximum(eps, jnp.sum(x**2))
        return jnp.where(m <= 1, x, (2 * jnp.sqrt(m) - 1) / m * x)
    def by_argument(x, least):
        m = jnp.clip(jnp.sum(x**2), least)
        return jnp.where(m <= 1, x, (2 * jnp.sqrt(m) - 1) / m * x)
    def by_sum(x):
        m = jnp.sum(x**2) + jnp.finfo(x.dtype).tiny
        return jnp.where(m <= 1, x, (2 * jnp.sqrt(m) - 1) / m * x)
    def bare(x):
        m = jnp.sum(x**2)
        return jnp.where(m <= 1, x, (2 * jnp.sqrt(m) - 1) / m * x)  # JAX701
    def at_zero(x):
        m = jnp.maximum(x, 0.0)
        return jnp.where(m > 0, jnp.sqrt(m), 0.0).sum()  # JAX701
    def grads(x):
        first = jax.grad(lambda x: by_eps(x).sum())(x), jax.grad(lambda x: by_argument(x, 1e-6).sum())(x)
        second = jax.grad(lambda x: by_sum(x).sum())(x), jax.grad(lambda x: bare(x).sum())(x)
        return first, second, jax.grad(at_zero)(x)
"""


PROGRAMS["a field that is an array, whatever its annotation says"] = """
    import equinox as eqx
    import jax, jax.numpy as jnp
    class Encoder(eqx.Module):
        w: jax.Array
        def __init__(self, key):
            self.w = jax.random.normal(key, (3,))
    class Free(eqx.Module):
        phi: Encoder
        a: jax.Array
        def __init__(self, key):
            self.a = jnp.ones((3, 3))
            self.phi = jnp.zeros((3,))
        def __call__(self, xs):
            def step(carry, x):
                return (self.a @ carry[0] + x, carry[1] + 1), x
            return jax.lax.scan(step, (self.phi, 0), xs)
    class Bound(eqx.Module):
        phi: Encoder
        a: jax.Array
        def __init__(self, key):
            self.a = jnp.ones((3, 3))
            self.phi = Encoder(key)
        def __call__(self, xs):
            def step(carry, x):
                return (self.a @ x, carry[1] + 1), x
            return jax.lax.scan(step, (self.phi, 0), xs)  # JAX604
"""


PROGRAMS["a method of an object of which annotations alone tell the class"] = """
    from functools import partial
    import jax
    from flax import struct
    class Base(struct.PyTreeNode):
        n: int
        @jax.jit
        def update(self, batch):
            return self, batch
    class Tuned(Base):
        @partial(jax.jit, static_argnames=("tuning",))
        def update(self, batch, tuning=False):
            return self, batch
    def copied(agent: Base):
        agent = agent.replace(n=2)
        return agent, 3
    def run(agent: Base, batch):
        agent, old = copied(agent)
        agent, _ = agent.update(batch, tuning=True)
        agent = agent.replace(n=3)
        return agent.update(batch, tuning=True)
    def known(batch):
        agent = Base(3).replace(n=4)
        return agent.update(batch, tuning=True)  # JAX602
"""


PROGRAMS["an argument that is traced, for one that is static"] = """
    from functools import partial
    import jax, jax.numpy as jnp
    @partial(jax.jit, static_argnames=("n",))
    def sized(x, n):
        return x + jnp.zeros(n)
    @partial(jax.jit, static_argnames=("flag",))
    def chosen(x, flag=None):
        return x * 2 if flag is not None else x
    def helper(x, k):
        return sized(x, k)  # JAX502
    @jax.jit
    def by_name(x, m):
        return sized(x, n=m)  # JAX502
    @jax.jit
    def by_helper(x, k):
        return helper(x, k)
    @jax.jit
    def maybe(x, flag=None):
        return chosen(x, flag)
    @partial(jax.jit, static_argnums=1)
    def of_numbers(x, m):
        return sized(x, m)
"""


PROGRAMS["a network that is rebound together with the state that applies it"] = """
    import jax, jax.numpy as jnp, optax
    from flax.training.train_state import TrainState
    from library import make
    @jax.jit
    def train_step(state, batch):
        def loss_fn(params):
            return model.loss(model.apply({"params": params}, batch))
        return state.apply_gradients(grads=jax.grad(loss_fn)(state.params))
    @jax.jit
    def eval_step(params, batch):
        return model.loss(model.apply({"params": params}, batch))  # JAX302
    def run(state):
        for _ in range(3):
            state = train_step(state, jnp.ones(3))
            print(eval_step(state.params, jnp.ones(3)))
    model = make(0)
    params = model.init(jax.random.key(0), jnp.ones(3))
    run(TrainState.create(apply_fn=model.apply, params=params, tx=optax.sgd(0.1)))
    model = make(1)
    params = model.init(jax.random.key(1), jnp.ones(3))
    run(TrainState.create(apply_fn=model.apply, params=params, tx=optax.sgd(0.1)))
"""


PROGRAMS["what is meant to be static, by an option that the transform does not have"] = """
    import jax, jax.numpy as jnp
    def averaged(x, axis_name=None):
        return jax.lax.pmean(x, axis_name) if axis_name is not None else x
    def by_option(x):
        return jax.pmap(averaged, static_argnums=1)(x, "i")  # JAX602
    def sized(x, n):
        return x + jnp.zeros(n)  # JAX410
    def by_another(x, n):
        return jax.jit(sized, inlined=True)(x, n)  # JAX602
"""


PROGRAMS["a comprehension that is a statement of its own"] = """
    import jax.numpy as jnp
    xs = [jnp.array([3, 1, 2])]
    [x.sort() for x in xs]  # JAX202
    {k: v.at[0].set(1) for k, v in {"a": xs[0]}.items()}  # JAX202
    ys = [x.sort() for x in xs]
    [print(x.sort()) for x in xs]
    [ys.append(x.sort()) for x in xs]
"""


PROGRAMS["a field that is a list, and one that may be an array"] = """
    import dataclasses
    import jax.numpy as jnp
    from dataclasses import dataclass, field
    @dataclass
    class Declared:
        losses: list = field(default_factory=list)
        other: list = dataclasses.field(default_factory=list)
        def mean(self):
            return jnp.mean(self.losses), jnp.mean(jnp.array(self.other))  # JAX203
    class Renewed:
        def __init__(self):
            self.losses = []
        def reset(self):
            self.losses = [0.0] * 3
        def add(self, v):
            self.losses += [v]
        def mean(self):
            return jnp.mean(self.losses)  # JAX203
    class Closed:
        def __init__(self):
            self.losses = []
        def close(self):
            self.losses = jnp.array(self.losses)
        def mean(self):
            return jnp.mean(self.losses)
    class ClosedByOthers:
        def __init__(self):
            self.gains = []
        def mean(self):
            return jnp.mean(self.gains)
    class Asked:
        def __init__(self):
            self.costs = []
        def mean(self):
            return 0.0 if isinstance(self.costs, list) else jnp.mean(self.costs)
    def close(log):
        log.gains = jnp.array(log.gains)
"""


PROGRAMS["arrays beside what is made of them, in what a loop goes through"] = """
    import jax, jax.numpy as jnp, numpy as np
    @jax.jit
    def of_tuple(x):
        for v in (x, -x):
            if v > 0:  # JAX401
                return v
        return x
    @jax.jit
    def of_dict(x):
        for name, v in {"a": x, "b": -x}.items():
            if v > 0:  # JAX401
                return v
        return x
    @jax.jit
    def of_list(x, y):
        vs = []
        vs.append(x)
        vs.append(y)
        return [v for v in vs if v > 0]  # JAX401
    @jax.jit
    def of_history(x):
        hist = [x]
        for _ in range(3):
            hist.append(jnp.sin(hist[-1]))
        return np.stack(hist)  # JAX405
    @jax.jit
    def of_sizes(x):
        return [jnp.zeros(n) for n in (x.shape[0], 2 * x.shape[0]) if n > 1]
    @jax.jit
    def of_options(x):
        for v, name in ((x, "a"), (-x, "b")):
            if name == "a":
                return v
        return [w for w in (x, None) if w is not None]
"""


PROGRAMS["lists and tuples in what a loop goes through"] = """
    import jax.numpy as jnp
    for t in ([1.0, 2.0], [3.0]):
        print(jnp.mean(t), jnp.array(t))  # JAX203
    for name, vals in {"a": [1.0], "b": [2.0, 3.0]}.items():
        print(jnp.sum(vals))  # JAX203
    for pair in ((1, 2), (3,)):
        print(jnp.sum(pair))  # JAX203
    for mixed in ([1.0], jnp.ones(3)):
        print(jnp.sum(mixed))
"""


PROGRAMS["a generator that is only bound when its module is imported"] = """
    import jax.numpy as jnp
    def numbers():
        yield jnp.ones(1)
    def made():
        return jnp.ones(1)
    G = numbers()
    E = (jnp.ones(i) for i in range(3))
    M = made()  # JAX901
    def first():
        return next(G)
"""


@pytest.mark.parametrize("text", PROGRAMS.values(), ids=PROGRAMS)
def test_what_is_said(text: str) -> None:
    text = dedent(text)
    report = lint(SourceFile("/nowhere/fixture.py", text), Config(strict=True, no_store=True))
    said = {(finding.span.line, finding.code) for finding in report.diagnostics}
    marks = {
        (line, code)
        for line, words in enumerate(text.splitlines(), 1)
        for code in re.findall(r"# (JAX\d{3})(?=  #|$)", words)
    }
    assert said == marks
