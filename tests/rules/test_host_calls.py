"""Calls that ask or change the host, in programs whose libraries are not installed here, or that nothing can show.

A mark `# JAX304` stands on each line of which something is said; strict rules run, too.
"""

from __future__ import annotations

import re
from textwrap import dedent

import pytest

from tests.support.expectations import lint_text

HEAD = (
    "import time\nimport itertools\nimport os\nimport random\nimport jax\nimport jax.numpy as jnp\nimport numpy as np\n"
)

PROGRAMS = {
    "metrics that traced code logs": """
        import wandb
        import tensorboardX
        from torch.utils.tensorboard import SummaryWriter
        run = wandb.init()
        class Trainer:
            def __init__(self):
                self.writer = SummaryWriter("logs")
                self.other = tensorboardX.SummaryWriter()
                self.step = jax.jit(self._step)
            def _step(self, x):
                self.writer.add_scalar("x", x, 0)  # JAX304
                self.other.add_histogram("x", x, 0)  # JAX304
                wandb.log({"x": x})  # JAX304
                run.log({"x": x})  # JAX304
                return x
    """,
    "metrics that callbacks log": """
        import functools
        import wandb
        def log(metrics, step):
            wandb.log({name: float(value) for name, value in metrics.items()}, step=int(step))
        @jax.jit
        def train(x):
            def callback(value):
                start = time.time()
                wandb.log({"value": value, "at": time.time() - start})
            jax.debug.callback(log, {"x": x}, 1)
            jax.debug.callback(lambda v: wandb.log({"x": v}), x)
            jax.experimental.io_callback(functools.partial(log, step=1), None, {"x": x})
            return jax.lax.scan(lambda c, _: (jax.debug.callback(callback, c) or c, None), x, None, 3)
    """,
    "metrics of a class of one's own": """
        class wandb:
            @staticmethod
            def log(values):
                return values
        def tqdm(items):
            return items
        @jax.jit
        def f(x):
            for _ in tqdm(range(3)):
                x = x + 1
            return wandb.log(x)
    """,
    "progress of an unrolled loop": """
        import tqdm
        from tqdm.auto import trange as counted
        bar = tqdm.tqdm(total=3)
        @jax.jit
        def f(x):
            for _ in tqdm.tqdm(range(3)):  # JAX304
                bar.update(1)  # JAX304
                x = x * 2
            for _ in counted(3):  # JAX304
                x = x + 1
            return x
        def main(step, batches):
            for batch in tqdm.tqdm(batches):
                f(batch)
    """,
    "networks and other files": """
        import gzip
        import requests
        from pathlib import Path
        LOG = Path("log.txt")
        @jax.jit
        def f(x):
            requests.post("http://localhost", json={"a": 1})  # JAX304
            with LOG.open("a") as log:  # JAX304
                log.write("x")
            with gzip.open("data.gz") as data:  # JAX304
                return x + len(data.read())
    """,
    "what is run for its shape": """
        def init(seed):
            rng = np.random.default_rng()
            return jnp.asarray(rng.normal(size=3) + np.random.normal() + time.time() + np.load("w.npy"))
        shapes = jax.eval_shape(init, 0)
    """,
    "what NumPy refuses": """
        @jax.jit
        def f(x):
            return np.random.normal(x)  # JAX405
    """,
    "iterators that end": """
        def f():
            items, others = iter([1.0, 2.0]), zip([1.0], [2.0])
            @jax.jit
            def step(x):
                a = jnp.array(list(items))  # JAX308
                return x + a.sum() + sum(a * b for a, b in others)  # JAX308
            return step(1.0)
    """,
    "generators that are handed in": """
        def noise(rng, size):
            return rng.normal(size=size)  # JAX305
        def table(rng, size):
            return rng.normal(size=size)
        def twice(rng):
            return table(rng, 1) + table(rng, 2)
        RNG = np.random.default_rng(0)
        @jax.jit
        def f(x):
            return x + noise(RNG, 3) + twice(np.random.default_rng(3))
    """,
    "generators that traced code was given by a helper": """
        class Noise:
            def __init__(self, seed):
                self.rng = np.random.default_rng(seed)
            def draw(self):
                return self.rng.normal()
        def make(seed):
            return np.random.default_rng(seed)
        @jax.jit
        def f(x):
            rng, noise = make(0), Noise(0)
            return x + rng.normal() + noise.draw()
    """,
    "key sequences": """
        import haiku as hk
        SEQUENCE = hk.PRNGSequence(42)
        @jax.jit
        def f(x):
            return x + jax.random.normal(next(SEQUENCE))  # JAX308
        def net(x):
            keys = hk.PRNGSequence(hk.next_rng_key())
            return hk.Linear(3)(x) + jax.random.normal(next(keys))
        apply = jax.jit(hk.transform(net).apply)
    """,
    "settings": """
        @jax.jit
        def f(x):
            rate = os.getenv("RATE")  # JAX304
            rate = float(rate) if rate else 1.0
            mode = os.environ.get("MODE", "fast")
            if mode == "slow":
                x = x * 2
            block = int(os.environ["BLOCK"])
            return (x * rate).reshape(block, x.shape[0] // block).astype(os.environ.get("DTYPE", "float32"))
    """,
    "tests of tracers": """
        @jax.jit
        def f(x):
            if isinstance(x, jax.core.Tracer):
                return x
            return x + time.time()
        f(1.0)
    """,
    "debuggers under a flag": """
        import pdb
        @jax.jit
        def f(x):
            pdb.set_trace()  # JAX304
            if jax.config.jax_debug_nans:
                breakpoint()
            return x
    """,
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_the_host_is_asked_where_it_is_said(program: str) -> None:
    text = HEAD + dedent(program)
    wanted = [(n, mark[1]) for n, line in enumerate(text.splitlines(), 1) if (mark := re.search(r"# (JAX\d+)$", line))]
    rules = ("JAX304", "JAX305", "JAX308", "JAX405")
    assert [(one.span.line, one.code) for one in lint_text(text) if one.code in rules] == wanted
