"""The 46 hazards of tutorials, each as a small program: the line that ends in `# here` is the one to report.

They are those of the comparison of tools with which the project began, by family: keys, stores, sequences, places,
traced values, static arguments, compilation, stale captures, effects, loops, control flow, and what runs but differs.
"""

from __future__ import annotations

from dataclasses import dataclass

MARK = "  # here"
HEAD = """\
import time
from functools import partial

import jax
import jax.numpy as jnp
from jax import lax, random

"""
OPTIONAL = {"JAX703": "strict", "JAX207": "off"}
"""What is found only with `--strict`, or where a rule is enabled by its code."""


@dataclass(frozen=True, slots=True)
class TutorialHazard:
    """A program with a hazard, without its imports; `code` is the rule that finds it."""

    code: str
    body: str
    head: str = HEAD

    @property
    def text(self) -> str:
        """The program."""
        return self.head + self.body

    @property
    def line(self) -> int:
        """The line that is to be reported."""
        return next(number for number, line in enumerate(self.text.splitlines(), 1) if line.endswith(MARK))


HAZARDS = {
    "one key for two draws": TutorialHazard("JAX101", """
key = random.PRNGKey(0)
a = random.normal(key, (3,))
b = random.uniform(key, (3,))  # here
print(a + b)
"""),
    "one key before and in a branch": TutorialHazard("JAX101", """
def sample(key, is_noisy):
    x = random.normal(key, (3,))
    if is_noisy:
        x = x + random.normal(key, (3,))  # here
    return x
"""),
    "one key in each turn": TutorialHazard("JAX102", """
def samples(key):
    found = []
    for _ in range(5):
        found.append(random.normal(key, (3,)))  # here
    return found
"""),
    "a key after it was split": TutorialHazard("JAX101", """
def sample(key):
    new, sub = random.split(key)
    return random.normal(key, (3,)), new, sub  # here
"""),
    "an item is assigned": TutorialHazard("JAX201", """
a = jnp.zeros(3)
a[0] = 1.0  # here
print(a)
"""),
    "an item is increased": TutorialHazard("JAX201", """
a = jnp.zeros(3)
a[1] += 1.0  # here
print(a)
"""),
    "a list for an array": TutorialHazard("JAX203", """
print(jnp.sum([1.0, 2.0, 3.0]))  # here
"""),
    "a tuple for an array": TutorialHazard("JAX203", """
print(jnp.mean((1.0, 2.0)))  # here
"""),
    "a list for an array, by a name": TutorialHazard("JAX203", """
losses = [1.0, 2.0, 3.0]
print(jnp.mean(losses))  # here
"""),
    "a comma too much": TutorialHazard("JAX203", """
W = random.normal(random.PRNGKey(0), (3, 3)),
print(jnp.dot(W, jnp.ones(3)))  # here
"""),
    "an item beyond the end": TutorialHazard("JAX204", """
x = jnp.arange(10)
print(x[11])  # here
"""),
    "an update beyond the end": TutorialHazard("JAX204", """
x = jnp.arange(10)
print(x.at[11].set(5))  # here
"""),
    "a branch beyond the list": TutorialHazard("JAX204", """
def chosen(index, x):
    return lax.switch(index, [jnp.sin, jnp.cos, jnp.tan], x)  # here


print(chosen(3, 1.0))
"""),
    "a shape that is traced": TutorialHazard("JAX410", """
@jax.jit
def zeros(n):
    return jnp.zeros((n,))  # here


print(zeros(3))
"""),
    "a mask": TutorialHazard("JAX411", """
@jax.jit
def positive(x):
    return x[x > 0]  # here


print(positive(jnp.arange(3)))
"""),
    "a branch on what is traced": TutorialHazard("JAX401", """
@jax.jit
def relu(x):
    if x > 0:  # here
        return x
    return 0.0


print(relu(1.0))
"""),
    "a loop while something traced holds": TutorialHazard("JAX401", """
@jax.jit
def halved(x):
    while x > 1:  # here
        x = x / 2
    return x


print(halved(8.0))
"""),
    "a loop with a traced bound": TutorialHazard("JAX403", """
@jax.jit
def power(x, n):
    result = 1.0
    for _ in range(n):  # here
        result = result * x
    return result


print(power(2.0, 3))
"""),
    "a static list": TutorialHazard("JAX502", """
@partial(jax.jit, static_argnames="sizes")
def padded(x, sizes):
    return jnp.pad(x, sizes)


print(padded(jnp.ones(3), sizes=[1, 2]))  # here
"""),
    "a static argument of many values": TutorialHazard("JAX504", """
@partial(jax.jit, static_argnames="step")
def scaled(x, step):
    return x * step


for i in range(100):
    print(scaled(jnp.ones(3), step=i))  # here
"""),
    "arrays that grow": TutorialHazard("JAX504", """
@jax.jit
def total(x):
    return x.sum()


for n in range(1, 100):
    print(total(jnp.ones(n)))  # here
"""),
    "a tree that grows": TutorialHazard("JAX504", """
@jax.jit
def total(xs):
    return sum(xs)


seen = []
for i in range(100):
    seen.append(float(i))
    print(total(seen))  # here
"""),
    "a function is compiled in each turn": TutorialHazard("JAX501", """
def square(x):
    return x * x


for i in range(10):
    print(jax.jit(lambda x: square(x))(float(i)))  # here
"""),
    "a function is defined and compiled in each turn": TutorialHazard("JAX501", """
def run(xs):
    found = []
    for x in xs:

        @jax.jit  # here
        def shifted(y):
            return y + 1

        found.append(shifted(x))
    return found
"""),
    "a stale number": TutorialHazard("JAX302", """
factor = 2.0


@jax.jit
def scaled(x):
    return x * factor  # here


print(scaled(1.0))
factor = 3.0
print(scaled(1.0))
"""),
    "a stale array": TutorialHazard("JAX302", """
weights = jnp.ones(3)


@jax.jit
def predicted(x):
    return x @ weights  # here


print(predicted(jnp.ones(3)))
weights = weights + 1
print(predicted(jnp.ones(3)))
"""),
    "a stale setting": TutorialHazard("JAX302", """
config = {"rate": 0.1}


@jax.jit
def step(x, g):
    return x - config["rate"] * g  # here


print(step(1.0, 1.0))
config["rate"] = 0.01
print(step(1.0, 1.0))
"""),
    "a stale model": TutorialHazard("JAX302", """
class Model:
    def __init__(self):
        self.w = 1.0


model = Model()


@jax.jit
def predicted(x):
    return model.w * x  # here


print(predicted(1.0))
model.w = 2.0
print(predicted(1.0))
"""),
    "a print in a compiled function": TutorialHazard("JAX301", """
@jax.jit
def doubled(x):
    print("x is", x)  # here
    return x * 2


print(doubled(1.0))
"""),
    "a print in a function that is compiled later": TutorialHazard("JAX301", """
def doubled(x):
    print("x is", x)  # here
    return x * 2


fast = jax.jit(doubled)
print(fast(1.0))
"""),
    "a file is opened": TutorialHazard("JAX304", """
@jax.jit
def logged(x):
    with open("log.txt", "a") as log:  # here
        log.write("called")  # JAX304, too
    return x


print(logged(1.0))
"""),
    "a global is written": TutorialHazard("JAX303", """
count = 0


@jax.jit
def counted(x):
    global count
    count += 1  # here
    return x


print(counted(1.0))
"""),
    "a tracer is kept": TutorialHazard("JAX303", """
seen = []


@jax.jit
def kept(x):
    seen.append(x * 2)  # here
    return x


print(kept(1.0), seen)
"""),
    "a long loop that is unrolled": TutorialHazard("JAX505", """
@jax.jit
def simulated(x):
    for _ in range(1000):  # here
        x = x + 0.01 * jnp.sin(x)
    return x


print(simulated(1.0))
"""),
    "a long loop of eager operations": TutorialHazard("JAX703", """
x = jnp.ones(3)
for _ in range(10_000):  # here
    x = x + 0.01 * jnp.sin(x)
print(x)
"""),
    "only the inner step is compiled": TutorialHazard("JAX703", """
@jax.jit
def stepped(x):
    return x + 0.01 * jnp.sin(x)


x = jnp.ones(3)
for _ in range(10_000):  # here
    x = stepped(x)
print(x)
"""),
    "keywords that `fori_loop` lacks": TutorialHazard("JAX602", """
print(lax.fori_loop(start=0, stop=10, body_fun=lambda i, x: x + i, init_val=0))  # here
"""),
    "a carry whose type changes": TutorialHazard("JAX604", """
print(lax.fori_loop(0, 10, lambda i, x: x * 0.5, jnp.int32(1)))  # here
"""),
    "arms that differ": TutorialHazard("JAX603", """
def chosen(is_one, x):
    return lax.cond(is_one, lambda x: x, lambda x: (x, x), x)  # here


print(chosen(True, 1.0))
"""),
    "a gradient of a pair": TutorialHazard("JAX601", """
def loss(w, x):
    predicted = w * x
    return jnp.mean(predicted**2), predicted


print(jax.grad(loss)(1.0, jnp.ones(3)))  # here
"""),
    "64 bits that are not enabled": TutorialHazard("JAX206", """
print(jnp.ones(3, dtype=jnp.float64))  # here
"""),
    "a clock that waits for nothing": TutorialHazard("JAX702", """
@jax.jit
def product(x):
    return x @ x


x = jnp.ones((1000, 1000))
product(x).block_until_ready()
start = time.perf_counter()
product(x)  # here
print(time.perf_counter() - start)
"""),
    "a clock around the first call": TutorialHazard("JAX702", """
@jax.jit
def product(x):
    return x @ x


x = jnp.ones((1000, 1000))
start = time.perf_counter()  # here
for _ in range(10):
    product(x).block_until_ready()
print((time.perf_counter() - start) / 10)
"""),
    "a name that is gone": TutorialHazard("JAX801", """
from jax.interpreters.pxla import ShardingSpec  # here

print(ShardingSpec)
"""),
    "JAX's NumPy by the name of NumPy": TutorialHazard("JAX207", """
import jax.numpy as np  # here

print(np.ones(3))
"""),
    "an update that is dropped": TutorialHazard("JAX202", """
x = jnp.zeros(3)
x.at[0].set(1.0)  # here
print(x)
"""),
}  # fmt: skip

OF_CONTROL_FLOW = {
    "keywords that `fori_loop` lacks": "JAX602", "a carry whose type changes": "JAX604", "arms that differ": "JAX603",
    "a branch beyond the list": "JAX204", "a gradient of a pair": "JAX601",
}  # fmt: skip
"""The five that are about contracts of transforms; an index beyond a `switch` is clamped, as those of arrays are."""
