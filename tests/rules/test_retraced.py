"""What is compiled again in programs that `verify` cannot run: those of servers, and of types at several calls.

A mark `# JAXnnn` stands on each line of which something is said.  And the hazards of the tutorials that are of this
family, each with its twin: five are found as installed, all seven with the strict rules.
"""

from __future__ import annotations

import re
from textwrap import dedent

import pytest

from flake8_jax.driver.linter import lint
from flake8_jax.model.config import Config
from flake8_jax.syntax.source import SourceFile

HEAD = "import functools\nimport jax, jax.numpy as jnp\nimport numpy as np\nW = np.ones((3, 3))\n"

PROGRAMS: dict[str, str] = {
    "a server's request": """
        from flask import Flask, request
        app = Flask(__name__)
        @app.route("/predict", methods=["POST"])
        def predict():
            forward = jax.jit(lambda v: jnp.tanh(v @ W))  # JAX501
            return {"y": forward(jnp.asarray(request.json["x"])).tolist()}
    """,
    "a router's coroutine": """
        import fastapi
        router = fastapi.APIRouter(prefix="/v1")
        @router.post("/predict")
        async def predict(x: list[float]):
            @jax.jit  # JAX501
            def forward(v):
                return jnp.tanh(v @ W)
            return forward(jnp.asarray(x)).tolist()
    """,
    "a request that a helper serves": """
        from fastapi import FastAPI
        app = FastAPI()
        def _forward(x):
            return jax.jit(functools.partial(jnp.matmul, W))(x)  # JAX501
        @app.get("/")
        def predict(x: float):
            return float(_forward(jnp.full((3,), x)).sum())
    """,
    "a task": """
        import celery
        tasks = celery.Celery("tasks")
        @tasks.task
        def train(x):
            return jax.jit(lambda v: v * 2)(x)  # JAX501
    """,
    "handlers that are arguments": """
        import flask, gradio
        from aiohttp import web
        from fastapi import FastAPI
        def first(x):
            return jax.jit(lambda v: v * 2)(x)  # JAX501
        def second(x):
            return jax.jit(lambda v: v * 3)(x)  # JAX501
        def third(request):
            return jax.jit(lambda v: v * 4)(W)  # JAX501
        def fourth(x):
            return jax.jit(lambda v: v * 5)(x)  # JAX501
        def other(x):
            return jax.jit(lambda v: v * 6)(x)
        flask.Flask("app").add_url_rule("/first", view_func=first)
        server, app = FastAPI(), web.Application()
        server.add_api_route("/second", second, methods=["POST"])
        app.router.add_post("/third", third)
        gradio.Interface(fn=fourth, inputs="number", outputs="number").launch()
        server.on_shutdown(other)
    """,
    "requests to what is compiled once": """
        from flask import Flask, request
        app = Flask(__name__)
        forward = jax.jit(lambda v: jnp.tanh(v @ W))
        @app.route("/predict")
        def predict():
            return {"y": forward(jnp.asarray(request.json["x"])).tolist()}
        @functools.lru_cache
        def sized(n):
            return jax.jit(lambda v: v * n)
        @app.get("/sized")
        def scaled():
            return sized(3)(1.0)
    """,
    "what is registered with no server": """
        import click, registry
        @click.command()
        def main():
            print(jax.jit(lambda v: v * 2)(W))
        @registry.register("predict")
        def predict(x):
            return jax.jit(lambda v: v * 2)(x)
    """,
    "a third type, or a third way to pass arguments": """
        @jax.jit
        def f(x, y):
            return jax.grad(lambda v: jnp.sum(v * y))(x)
        f(W, 1)
        f(W, y=1.0)
        f(W, jnp.float32(1))  # JAX504
        f(W, True)
        f(x=W, y=1.0)  # JAX504
    """,
    "of a function that takes no derivatives one program more is little": """
        @jax.jit
        def f(x, y):
            return x + y
        f(W, 1)
        f(W, y=1.0)
        f(W, jnp.float32(1))
        f(W, True)
        def named():
            f(x=W, y=1.0)
        named()
    """,
    "three ways of one body": """
        @jax.jit
        def f(x, y):
            return x + y
        f(W, 1.0)
        f(W, y=1.0)
        f(x=W, y=1.0)  # JAX504
    """,
    "dtypes of arrays, which are meant": """
        @jax.jit
        def f(x):
            return x * 2
        f(jnp.ones(3, dtype=jnp.float32))
        f(jnp.ones(3, dtype=jnp.bfloat16))
        f(jnp.ones(3, dtype=jnp.int32))
        f(1)
        f(2.0)
    """,
    "a variable of the module that each call counts up": """
        @functools.partial(jax.jit, static_argnames="n")
        def f(x, n):
            return x / n
        step = 0
        def train(x):
            global step
            step += 1
            return f(x, n=step)  # JAX504
        for _ in range(10):
            W = train(W)
    """,
    "a counter that few calls move": """
        @functools.partial(jax.jit, static_argnames="n")
        def f(x, n):
            return x / n
        class Trainer:
            def __init__(self):
                self.n = 1
            def train(self, x, grows):
                if grows:
                    self.n += 1
                return f(x, n=self.n)
        trainer = Trainer()
        for i in range(10):
            W = trainer.train(W, i == 5)
    """,
    "a function beside its jitted twin, called by a helper": """
        class Agent:
            def __init__(self):
                self.fast = jax.jit(self.update)
            def update(self, x):
                return x - 0.1 * jnp.mean(x) * x
            def once(self, x):
                return self.update(x)  # JAX703
            def train(self, x):
                for _ in range(10):
                    x = self.once(x)
                return x
        Agent().train(W)
    """,
    "a twin that a clock compares": """
        import time
        def f(x):
            return jnp.sin(x) * x + 1
        fast = jax.jit(f)
        def measure(x):
            start = time.perf_counter()
            for _ in range(10):
                y = f(x)
            jax.block_until_ready(y)
            return time.perf_counter() - start
        print(measure(W))
    """,
    "a script that compares": """
        def f(x):
            return jnp.sin(x) * x + 1
        fast = jax.jit(f)
        for _ in range(10):
            y = f(W)
        for _ in range(10):
            z = fast(W)
    """,
}


def said_of(text: str) -> list[tuple[int, str]]:
    """The lines of which something is said, with the codes."""
    found = lint(SourceFile("/nowhere/program.py", text), Config(strict=True)).diagnostics
    return sorted((one.span.line, one.code) for one in found)


@pytest.mark.parametrize("text", PROGRAMS.values(), ids=PROGRAMS.keys())
def test_what_is_said_is_marked(text: str) -> None:
    text = HEAD + dedent(text)
    marks = [
        (number, code) for number, line in enumerate(text.splitlines(), 1) for code in re.findall(r"# (JAX\d+)", line)
    ]
    assert said_of(text) == marks


HAZARDS: dict[str, tuple[str, str, str]] = {
    "a wrapper made in a loop": (
        "JAX501",
        """
        x = W
        for _ in range(5):
            x = jax.jit(lambda x: x * 2)(x)
        """,
        """
        double = jax.jit(lambda x: x * 2)
        x = W
        for _ in range(5):
            x = double(x)
        """,
    ),
    "a static argument of many values": (
        "JAX504",
        """
        power = jax.jit(lambda x, n: x * n, static_argnums=1)
        for n in range(100):
            power(W, n)
        """,
        """
        power = jax.jit(lambda x, n: x * n)
        for n in range(100):
            power(W, n)
        """,
    ),
    "shapes that vary": (
        "JAX504",
        """
        total = jax.jit(lambda x: x.sum())
        for n in range(1, 4):
            print(total(W[:n]))
        """,
        """
        total = jax.jit(lambda x, n: jnp.where(jnp.arange(3) < n, x, 0).sum())
        for n in range(1, 4):
            print(total(W[0], n))
        """,
    ),
    "a pytree whose structure changes": (
        "JAX504",
        """
        update = jax.jit(lambda tree: jax.tree.map(lambda x: x + 1, tree))
        state = {"w": W}
        for n in range(5):
            state[f"extra_{n}"] = W
            state = update(state)
        """,
        """
        update = jax.jit(lambda tree: jax.tree.map(lambda x: x + 1, tree))
        state = {"w": W, "extra": jnp.zeros((5, 3, 3))}
        for n in range(5):
            state["extra"] = state["extra"].at[n].set(W)
            state = update(state)
        """,
    ),
    "a big loop that is unrolled": (
        "JAX505",
        """
        @jax.jit
        def relaxed(x):
            for _ in range(1000):
                x = x - 0.1 * jnp.sin(x)
            return x
        relaxed(W)
        """,
        """
        @jax.jit
        def relaxed(x):
            return jax.lax.fori_loop(0, 1000, lambda _, x: x - 0.1 * jnp.sin(x), x)
        relaxed(W)
        """,
    ),
    "a loop of eager operations": (
        "JAX703",
        """
        x = W
        for _ in range(1000):
            x = x - 0.1 * jnp.sin(x)
        """,
        """
        x = jax.jit(lambda x: jax.lax.fori_loop(0, 1000, lambda _, x: x - 0.1 * jnp.sin(x), x))(W)
        """,
    ),
    "a jitted region that is too narrow": (
        "JAX703",
        """
        step = jax.jit(lambda x: x - 0.1 * jnp.sin(x))
        x = W
        for _ in range(1000):
            x = step(x)
        """,
        """
        step = jax.jit(lambda x: x - 0.1 * jnp.sin(x))
        x = jax.lax.fori_loop(0, 1000, lambda _, x: step(x), W)
        """,
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize(("code", "bad", "good"), HAZARDS.values(), ids=HAZARDS.keys())
def test_hazards_of_the_tutorials_are_found(code: str, bad: str, good: str) -> None:
    assert {said for _, said in said_of(HEAD + dedent(bad))} == {code}
    assert said_of(HEAD + dedent(good)) == []
    installed = lint(SourceFile("/nowhere/program.py", HEAD + dedent(bad)), Config()).diagnostics
    assert [one.code for one in installed] == ([] if code == "JAX703" else [code])
