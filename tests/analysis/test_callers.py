"""What other files make certain: which names are carried on to them, which are not, and where the search ends."""

from __future__ import annotations

from pathlib import Path

import pytest

from flake8_jax.analysis import budget
from flake8_jax.analysis.modules import callers
from flake8_jax.driver.projects import Projects
from tests.support.bindings import APART, ROOT, agreed, found, judged
from tests.support.layouts import tree

OPS = "def f(x):\n    if x > 0:\n        return x\n    return -x\ndef g(x):\n    return x\n"
METHOD = "class A:\n    def f(self, x):\n        if x > 0:\n            return x\n        return -x\n"
"    def g(self, x):\n        return x\n"
JAX = "import jax\nimport jax.numpy as jnp\n"

STATED = "def f(x, n: float):\n    if n > 0:\n        return x\n    return -x\n"

# The files that use ops.py; is the branch in it met by a tracer?
CARRIED: dict[str, tuple[dict[str, str], bool]] = {
    "jit": ({"use.py": "from ops import f\nh = jax.jit(f)\n"}, True),
    "by module": ({"use.py": "import ops\nh = jax.jit(ops.f)\n"}, True),
    "by decorator": ({"use.py": "from ops import f\n@jax.jit\ndef h(x):\n    return f(x)\n"}, True),
    "in a method": (
        {"use.py": "import ops\nclass C:\n    @jax.jit\n    def h(self, x):\n        return ops.f(x)\n"}, True,
    ),
    "in a function that is called": ({"use.py": "import ops\ndef h(x):\n    return jax.jit(ops.f)(x)\nh(1)\n"}, True),
    "in a function that nobody calls": ({"use.py": "import ops\ndef h(x):\n    return jax.jit(ops.f)(x)\n"}, True),
    "in a closure": (
        {"use.py": "import ops\ndef h():\n    def inner(x):\n        return ops.f(x)\n    return jax.jit(inner)\n"},
        True,
    ),
    "what is stated to be a number, and is computed": (
        {"ops.py": STATED, "use.py": "from ops import f\n@jax.jit\ndef h(x):\n    return f(x, x.sum())\n"}, True,
    ),
    "what is stated to be a number, and is one": (
        {"ops.py": STATED, "use.py": "from ops import f\n@jax.jit\ndef h(x):\n    return f(x, x.shape[0])\n"}, False,
    ),
    "in a lambda": ({"use.py": "import ops\nh = jax.vmap(lambda x: ops.f(x))\n"}, True),
    "imported in the function": ({"use.py": "def h(x):\n    from ops import f\n    return jax.jit(f)(x)\n"}, True),
    "under main": ({"use.py": "from ops import f\nif __name__ == '__main__':\n    jax.jit(f)(1.0)\n"}, True),
    "in a test": ({"tests/test_ops.py": "from ops import f\ndef test():\n    jax.jit(f)(1.0)\n"}, True),
    "two hops": (
        {"mid.py": "from ops import f\ndef h(x):\n    return f(x)\n", "use.py": "from mid import h\nk = jax.jit(h)\n"},
        True,
    ),
    "three hops": (
        {"mid.py": "import ops\ndef h(x):\n    return ops.f(x)\n", "far.py": "import mid\ndef k(x):\n"
        "    return mid.h(x)\n", "use.py": "import far\nl = jax.jit(far.k)\n"}, True,
    ),
    "re-export": ({"mid.py": "from ops import f\n", "use.py": "from mid import f\nh = jax.jit(f)\n"}, True),
    "re-export by another name": (
        {"mid.py": "from ops import f as h\n", "use.py": "import mid\nk = jax.jit(mid.h)\n"}, True,
    ),
    "re-export by star": ({"mid.py": "from ops import *\n", "use.py": "from mid import f\nh = jax.jit(f)\n"}, True),
    "star": ({"use.py": "from ops import *\nh = jax.jit(f)\n"}, True),
    "in a tuple that a function makes": (
        {"mid.py": "import ops\ndef make(n):\n    def h(x):\n        return ops.f(x)\n    return n, h\n",
         "use.py": "from mid import make\nn, h = make(1)\nk = jax.jit(h)\n"}, True,
    ),
    "in a dict that a function makes": (
        {"mid.py": "import ops\ndef make():\n    return {'f': ops.f, 'g': ops.g}\n",
         "use.py": "from mid import make\nk = jax.jit(make()['f'])\n"}, True,
    ),
    "another one of a tuple": (
        {"mid.py": "import ops\ndef make():\n    return ops.g, ops.f\n",
         "use.py": "from mid import make\ng, f = make()\nk = jax.jit(g)\n"}, False,
    ),
    "in an optimizer": (
        {"mid.py": "import ops, optax\ndef make():\n    def update(g, s, p=None):\n        return ops.f(g), s\n"
         "    return optax.chain(optax.GradientTransformation(lambda p: p, update), optax.adam(0.1))\n",
         "use.py": "from mid import make\ntx = make()\n@jax.jit\ndef step(g, s):\n    return tx.update(g, s)\n"},
        True,
    ),
    "alias": ({"mid.py": "import ops\nh = ops.f\n", "use.py": "import mid\nk = jax.jit(mid.h)\n"}, True),
    "partial": (
        {
            "mid.py": "from functools import partial\nimport ops\nh = partial(ops.f)\n",
            "use.py": "import mid\nk = jax.jit(mid.h)\n",
        },
        True,
    ),
    "partial of more": (
        {"mid.py": "from functools import partial\nimport ops\ndef h(n, x):\n    return ops.f(x)\n"
        "k = partial(h, 1)\n", "use.py": "import mid\nl = jax.jit(mid.k)\n"}, True,
    ),
    "in a list": (
        {"mid.py": "import ops\nh = [ops.g, ops.f]\n", "use.py": "import mid\nk = jax.jit(mid.h[1])\n"}, True,
    ),
    "in a dict": (
        {"mid.py": "import ops\nh = {'f': ops.f}\n", "use.py": "import mid\nk = jax.jit(mid.h['f'])\n"}, True,
    ),
    "in a tuple of a list": (
        {"mid.py": "import ops\nh = [(1, ops.f)]\n", "use.py": "import mid\nk = jax.jit(mid.h[0][1])\n"}, True,
    ),
    "the other one of a list": (
        {"mid.py": "import ops\nh = [ops.g, ops.f]\n", "use.py": "import mid\nk = jax.jit(mid.h[0])\n"}, False,
    ),
    "wrapped": ({"mid.py": "import jax, ops\nh = jax.jit(ops.f)\n", "use.py": "import mid\nmid.h(1)\n"}, True),
    "given back": (
        {"mid.py": "import ops\ndef make():\n    return ops.f\n", "use.py": "import mid\nh = jax.jit(mid.make())\n"},
        True,
    ),
    "given back as a closure": (
        {"mid.py": "import ops\ndef make(n):\n    def h(x):\n        return ops.f(x) + n\n"
        "    return h\n", "use.py": "import mid\nk = jax.jit(mid.make(1))\n"}, True,
    ),
    "handed on": (
        {
            "mid.py": "import jax\ndef h(call, x):\n    return jax.jit(call)(x)\n",
            "use.py": "import mid, ops\nmid.h(ops.f, 1)\n",
        },
        True,
    ),
    "handed to a decorator": (
        {
            "mid.py": "import jax\ndef h(call):\n    return jax.jit(call)\n",
            "use.py": "import mid, ops\nk = mid.h(ops.f)\n",
        },
        True,
    ),
    "of an instance": (
        {
            "mid.py": "import ops\nclass C:\n    def h(self, x):\n        return ops.f(x)\nc = C()\n",
            "use.py": "import mid\nk = jax.jit(mid.c.h)\n",
        },
        True,
    ),
    "of a class": (
        {
            "mid.py": "import ops\nclass C:\n    def h(self, x):\n        return ops.f(x)\n",
            "use.py": "import mid\nk = jax.jit(mid.C().h)\n",
        },
        True,
    ),
    "of a base class": (
        {"mid.py": "import ops\nclass C:\n    def h(self, x):\n        return ops.f(x)\n", "far.py": "import mid\n"
        "class D(mid.C): pass\n", "use.py": "import far\nk = jax.jit(far.D().h)\n"}, True,
    ),
    "to a body of a loop": (
        {
            "use.py": "import ops\ndef body(c, x):\n    return ops.f(c), x\ndef h(c, xs):\n"
            "    return jax.lax.scan(body, c, xs)\n",
        },
        True,
    ),
    "another function": ({"use.py": "from ops import g\nh = jax.jit(g)\n"}, False),
    "only called": ({"use.py": "from ops import f\nf(1)\n"}, False),
    "called with a shape": ({"use.py": "from ops import f\n@jax.jit\ndef h(x):\n    return f(x.shape[0])\n"}, False),
    "called with a static argument": (
        {
            "use.py": "import functools, ops\n@functools.partial(jax.jit, static_argnums=0)\ndef h(x):\n"
            "    return ops.f(x)\n",
        },
        False,
    ),
    "the same name elsewhere": (
        {"other.py": "def f(x):\n    return x\n", "use.py": "from other import f\nh = jax.jit(f)\n"}, False,
    ),
    "the same name elsewhere, both imported": (
        {"other.py": "def f(x):\n    return x\n", "use.py": "import ops\nfrom other import f\nh = jax.jit(f)\n"
        "ops.f(1)\n"}, False,
    ),
    "the same name as a method": (
        {"use.py": "import ops\nclass C:\n    def f(self, x):\n        return x\nh = jax.jit(C().f)\n"}, False,
    ),
    "shadowed by an own one": ({"use.py": "from ops import f\ndef f(x):\n    return x\nh = jax.jit(f)\n"}, False),
    "shadowed by a parameter": (
        {"use.py": "from ops import f\ndef h(f, x):\n    return jax.jit(f)(x)\nh(abs, 1)\n"}, False,
    ),
    "in a text": ({"use.py": "import ops\nh = 'jax.jit(ops.f)'\n"}, False),
    "of a file that cannot be parsed": ({"use.py": "from ops import f\nh = jax.jit(f)\n)\n"}, False),
    "beside a file that cannot be parsed": (
        {"odd.py": "from ops import f\n)\n", "use.py": "from ops import f\nh = jax.jit(f)\n"}, True,
    ),
    "by getattr": ({"use.py": "import ops\nh = jax.jit(getattr(ops, 'f'))\n"}, True),
    "by a name that is put together": ({"use.py": "import ops\nh = jax.jit(getattr(ops, 'F'.swapcase()))\n"}, False),
    "a branch of jax": ({"use.py": "import ops\ndef h(p, x):\n    return jax.lax.cond(p, ops.f, ops.g, x)\n"}, True),
}  # fmt: skip


# As above, where the user names no function of ops.py: all of it is met by a tracer.
WITHOUT_A_WORD: dict[str, dict[str, str]] = {
    "a module that another one binds": {
        "mid.py": "import ops as inner\n", "use.py": "import mid\nh = jax.jit(mid.inner.f)\n",
    },
    "a module that its package binds": {
        "pkg/ops.py": OPS, "pkg/__init__.py": "from . import ops\n", "use.py": "import pkg\nh = jax.jit(pkg.ops.f)\n",
    },
    "held by an instance": {
        "mid.py": "import ops\nclass C:\n    def __init__(self):\n        self.h = ops.f\n",
        "use.py": "import mid\nk = jax.jit(mid.C().h)\n",
    },
}  # fmt: skip


def written(folder: Path, files: dict[str, str], is_apart: bool = False) -> tuple[str, ...]:
    """Write files, each with the imports of JAX, or only those that need them; gives their names."""
    heads = {name: JAX if not is_apart or "jax" in text else "#\n#\n" for name, text in files.items()}
    texts = {name: (heads[name] + text).encode("utf-8", "surrogateescape") for name, text in files.items()}
    tree(folder, ROOT)
    tree(folder, texts)
    return tuple(files)


@pytest.mark.parametrize("name", CARRIED)
def test_what_other_files_make_certain(name: str, tmp_path: Path) -> None:
    files, is_met = CARRIED[name]
    names = written(tmp_path, {"ops.py": OPS, **files})
    rows = [row for row in agreed(tmp_path, *names) if "JAX000" not in row]
    assert [row.partition(" `if`")[0] for row in rows] == ["ops.py:4:7: JAX401"] * is_met
    assert len(where_jax_is_named_apart(tmp_path / "apart", {"ops.py": OPS, **files})) == is_met


def where_jax_is_named_apart(folder: Path, files: dict[str, str]) -> list[str]:
    """What is found in ops.py if only files that call JAX name it, one more beside them."""
    written(folder, {**files, "beside.py": "import ops\nimport pkg.ops\nx = jax\n"}, is_apart=True)
    return found(folder, next(name for name in ("pkg/ops.py", "ops.py") if name in files))


@pytest.mark.parametrize("name", WITHOUT_A_WORD)
def test_what_is_carried_without_a_word(name: str, tmp_path: Path) -> None:
    names = written(tmp_path, {"ops.py": OPS, **WITHOUT_A_WORD[name]})
    home = next(path for path in ("pkg/ops.py", "ops.py") if path in names)
    assert any(row.startswith(f"{home}:4:7: JAX401") for row in agreed(tmp_path, *names))
    assert len(where_jax_is_named_apart(tmp_path / "apart", {"ops.py": OPS, **WITHOUT_A_WORD[name]})) == 1


def test_a_user_that_is_not_text(tmp_path: Path) -> None:
    written(tmp_path, {"ops.py": OPS, "use.py": "from ops import f\nh = jax.jit(f)\n# \udcff\n"})
    assert found(tmp_path, "ops.py") == []


# As above, of a method of a class in ops.py.
METHODS: dict[str, tuple[dict[str, str], bool]] = {
    "jit": ({"use.py": "from ops import A\nh = jax.jit(A().f)\n"}, True),
    "unbound": ({"use.py": "from ops import A\nh = jax.jit(A.f)\n"}, True),
    "of an instance": (
        {"mid.py": "import ops\na = ops.A()\n", "use.py": "from mid import a\nh = jax.jit(a.f)\n"}, True,
    ),
    "of a class that inherits": (
        {"mid.py": "import ops\nclass B(ops.A): pass\n", "use.py": "import mid\nh = jax.jit(mid.B().f)\n"}, True,
    ),
    "of a class that overrides": (
        {"mid.py": "import ops\nclass B(ops.A):\n    def f(self, x):\n        return x\n", "use.py": "import mid\n"
        "h = jax.jit(mid.B().f)\n"}, False,
    ),
    "by super": (
        {"mid.py": "import ops\nclass B(ops.A):\n    def f(self, x):\n"
        "        return super().f(x)\n", "use.py": "import mid\nh = jax.jit(mid.B().f)\n"}, True,
    ),
    "of a parameter with an annotation": (
        {
            "use.py": "import ops\n@jax.jit\ndef h(x):\n    return k(ops.A(), x)\ndef k(a: ops.A, x):\n"
            "    return a.f(x)\n",
        },
        True,
    ),
    "another one": ({"use.py": "from ops import A\nh = jax.jit(A().g)\n"}, False),
}  # fmt: skip


@pytest.mark.parametrize("name", METHODS)
def test_methods_that_other_files_trace(name: str, tmp_path: Path) -> None:
    files, is_met = METHODS[name]
    names = written(tmp_path, {"ops.py": METHOD, **files})
    assert [row.partition(" `if`")[0] for row in agreed(tmp_path, *names)] == ["ops.py:5:11: JAX401"] * is_met
    assert len(where_jax_is_named_apart(tmp_path / "apart", {"ops.py": METHOD, **files})) == is_met


# What runs what it is handed: which branch a tracer meets, and which keys are used twice, other files say.
HANDED = (
    "class Reset:\n    def __init__(self, env):\n        self.env = env\n    def step(self, key, x):\n"
    "        new = self.env.step(key, x)\n        if new > 0:\n            return self.env.reset(key)\n"
    "        return new\ndef both(draw, other, key):\n    return draw(key) + other(key)\n"
    "class Source:\n    def draw(self, key):\n        raise NotImplementedError\n"
    "    def pair(self, key):\n        return self.draw(key) + self.draw(key)\n"
    "def twice(source: Source, key):\n    return source.draw(key) + source.draw(key)\n"
)
ENV = (
    "class Env:\n    def reset(self, key):\n        return jax.random.normal(key)\n"
    "    def step(self, key, x):\n        return x + jax.random.normal(key)\n"
    "class Still(Env):\n    def reset(self, key):\n        return 0.0\n"
)
RUN = "from env import Env, Still\nfrom ops import Reset, Source, both, twice\n"
NOISE = "class Noise(Source):\n    def draw(self, key):\n        return jax.random.normal(key)\n"
HANDED_OVER: dict[str, tuple[str, list[str]]] = {
    "an object that draws": (
        "def run(key, x):\n    return Reset(Env()).step(key, x)\n", ["ops.py:9:34: JAX101"],
    ),
    "an object that draws once": ("def run(key, x):\n    return Reset(Still()).step(key, x)\n", []),
    "an object under a trace": (
        "run = jax.jit(Reset(Still()).step)\n", ["ops.py:8:11: JAX401"],
    ),
    "functions that draw": (
        "def run(key):\n    return both(jax.random.normal, jax.random.uniform, key)\n", ["ops.py:12:29: JAX101"],
    ),
    "an object by an annotation": (
        NOISE + "def run(key):\n    return twice(Noise(), key)\n", ["ops.py:19:42: JAX101"],
    ),
    "a method where a stub stands": (
        NOISE + "def run(key):\n    return Noise().pair(key)\n", ["ops.py:17:42: JAX101"],
    ),
    "functions that do not": ("def run(key):\n    return both(jax.random.normal, lambda key: 0.0, key)\n", []),
}  # fmt: skip


@pytest.mark.parametrize("name", HANDED_OVER)
def test_what_other_files_hand_over_to_be_run(name: str, tmp_path: Path) -> None:
    use, told = HANDED_OVER[name]
    names = written(tmp_path, {"ops.py": HANDED, "env.py": ENV, "use.py": RUN + use})
    assert [row.partition(" `")[0] for row in agreed(tmp_path, *names)] == told


def test_the_plainest_of_several_is_told(tmp_path: Path) -> None:
    users = {f"use{number}.py": "import ops\ndef h(x):\n    return ops.f(x)\nk = jax.jit(h)\n" for number in range(4)}
    names = written(tmp_path, {"ops.py": OPS, **users, "z.py": "import ops\nh = jax.jit(ops.f)\n"})
    (row,) = agreed(tmp_path, *names)
    assert row.endswith("`f` is jitted on line 4 of `z.py`; use `return jnp.where(x > 0, x, -x)`")
    (tmp_path / "z.py").unlink()
    (row,) = agreed(tmp_path, *names[:-1])
    assert row.endswith(
        "`h` is jitted on line 6, `h` calls `f` on line 5, both in `use0.py`; use `return jnp.where(x > 0, x, -x)`"
    )


# Where the search ends.

USER = "from ops import f\nh = jax.jit(f)\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("files", "lines", "count"),
    [(3, 1000, 1), (1000, 3, 1), (1000, 1000, 0), (0, 1000, 1), (1000, 0, 1), (4, 1000, 1), (5, 1000, 1), (6, 1000, 0)],
)
def test_a_search_that_is_too_long_is_counted(
    files: int, lines: int, count: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(callers, "MAXIMUM_FILES", files)
    monkeypatch.setattr(budget, "FOR_CALLERS", budget.Allowance(lines, 0))
    names = written(tmp_path, {"ops.py": OPS, **{f"use{number}.py": USER for number in range(6)}})
    assert judged(tmp_path, "ops.py").statistics.given_up["too many importers"] == count
    for order in (names, names[::-1]):
        projects = Projects(APART)
        counts = {name: judged(tmp_path, name, projects).statistics.given_up["too many importers"] for name in order}
        assert counts.pop("ops.py") == count
        assert set(counts.values()) == {0}
    agreed(tmp_path, *names)


def test_what_lies_beyond_the_cap_is_silent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(callers, "MAXIMUM_FILES", 2)
    quiet = {f"a{number}.py": "from ops import f\nf(1)\n" for number in range(4)}
    names = written(tmp_path, {"ops.py": OPS, **quiet, "b.py": USER})
    assert agreed(tmp_path, *names) == []
    monkeypatch.setattr(callers, "MAXIMUM_FILES", 9)
    assert len(agreed(tmp_path, *names)) == 1


def test_callers_that_name_jax_are_searched_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(callers, "MAXIMUM_FILES", 2)
    quiet = {f"a{number}.py": "from ops import f\nf(1)\n" for number in range(4)}
    written(tmp_path, {"ops.py": OPS, **quiet, "b.py": USER})
    for name in quiet:
        (tmp_path / name).write_text(quiet[name])
    assert len(agreed(tmp_path, "ops.py", *quiet, "b.py")) == 1


def test_a_larger_file_may_ask_for_more_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "FOR_CALLERS", budget.Allowance(2, 1))
    users = {f"use{number}.py": USER for number in range(20)}
    written(tmp_path, {"ops.py": OPS, "long.py": OPS + "SIZE = 1\n" * 300, **users})
    assert judged(tmp_path, "ops.py").statistics.given_up["too many importers"] == 1
    written(tmp_path, {name: text.replace("ops", "long") for name, text in users.items()})
    assert judged(tmp_path, "long.py").statistics.given_up["too many importers"] == 0


def test_a_function_that_traces_itself_needs_no_search(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(callers, "MAXIMUM_FILES", 0)
    names = written(tmp_path, {"ops.py": OPS + "h = jax.jit(f)\n", **{f"use{number}.py": USER for number in range(3)}})
    assert len(agreed(tmp_path, *names)) == 1


def test_files_that_bind_no_hazard_are_not_searched_for(tmp_path: Path) -> None:
    written(tmp_path, {"ops.py": "def f(x):\n    return x\n", **{f"use{number}.py": USER for number in range(3)}})
    projects = Projects(APART)
    assert found(tmp_path, "ops.py", projects=projects) == []


FROZEN = "import equinox as eqx\nimport jax\nclass Frozen(eqx.Module):\n    phi: jax.Array = eqx.field(static=True)\n"
MADE = "import jax.numpy as jnp\nfrom model import Frozen\n\n\ndef run(step):\n    return step(Frozen(jnp.ones(3)))\n"


@pytest.mark.parametrize(("users", "count"), [(1, 0), (2, 1)])
def test_objects_with_static_arrays_are_counted_in_all_files(tmp_path: Path, users: int, count: int) -> None:
    tree(tmp_path, {"pyproject.toml": "", "model.py": FROZEN, **{f"use{one}.py": MADE for one in range(users)}})
    assert len(found(tmp_path, "model.py")) == count


DEVICE = 'import os\ndef apply():\n    os.environ.setdefault("JAX_PLATFORMS", "cpu")\ndef info():\n    import jax\n'
BEFORE = "from jax_{0}.device import apply\napply()\nfrom jax_{0}.env import run\n"
AFTER = "from jax_{0}.env import run\nfrom jax_{0}.device import apply\napply()\n"


@pytest.mark.parametrize("name", ["player", "other"])  # the package's own name, and one that it has elsewhere
@pytest.mark.parametrize(("init", "count"), [(BEFORE, 0), (AFTER, 1)])
def test_a_package_imports_its_own_parts_before_jax(tmp_path: Path, name: str, init: str, count: int) -> None:
    files = {"__init__.py": init.format(name), "device.py": DEVICE, "env.py": "import jax\ndef run(): ...\n"}
    tree(tmp_path, {"pyproject.toml": "", **{f"jax_player/{one}": text for one, text in files.items()}})
    assert len(found(tmp_path, "jax_player/device.py")) == count


SETTER = 'import jax\nprint(jax.devices())\ndef choose(name):\n    jax.config.update("jax_platforms", name)\n'


@pytest.mark.parametrize(("user", "count"), [("import tools\n", 0), ("from tools import choose\nchoose('cpu')\n", 1)])
def test_a_setter_that_comes_too_late_is_named_somewhere(tmp_path: Path, user: str, count: int) -> None:
    tree(tmp_path, {"pyproject.toml": "", "tools.py": SETTER, "use.py": user})
    assert len(found(tmp_path, "tools.py", projects=Projects(APART))) == count
