"""Packages of many files that import each other."""

from __future__ import annotations

from tests.growth.family import Files, folder, text

BODY = """
    import jax
    import jax.numpy as jnp
"""


def _package(files: dict[str, str]) -> Files:
    return {"pack/__init__.py": "", **{f"pack/{name}.py": text for name, text in files.items()}}


@folder(10, 500)
def files_alone(size: int) -> Files:
    return _package({f"m{i}": text(BODY, f"@jax.jit\ndef f{i}(x):\n    return x + {i}") for i in range(size + 1)})


@folder(10, 500)
def files_in_a_chain(size: int) -> Files:
    first = {"m0": text(BODY, "@jax.jit\ndef f0(x):\n    return x")}
    return _package(first | {
        f"m{i}": text(BODY, f"from pack.m{i - 1} import f{i - 1}\n@jax.jit\ndef f{i}(x):\n    return f{i - 1}(x) + {i}")
        for i in range(1, size + 1)
    })  # fmt: skip


@folder(10, 500)
def files_in_a_chain_with_a_hazard(size: int) -> Files:
    first = {"m0": text(BODY, "def f0(x):\n    if x > 0:\n        return x\n    return 1")}
    last = {"last": text(BODY, f"from pack.m{size} import f{size}\nstep = jax.jit(f{size})\nstep(jnp.ones(3))")}
    return _package(first | last | {
        f"m{i}": text(BODY, f"from pack.m{i - 1} import f{i - 1}\ndef f{i}(x):\n    return f{i - 1}(x) + {i}")
        for i in range(1, size + 1)
    })  # fmt: skip


@folder(10, 500)
def files_around_one(size: int) -> Files:
    first = {"base": text(BODY, "def helper(x):\n    if x > 0:\n        return x\n    return 1\nLIMIT = 3")}
    return _package(first | {
        f"m{i}": text(BODY, f"from pack.base import LIMIT, helper\n@jax.jit\ndef f{i}(x):\n    return helper(x) + LIMIT")
        for i in range(size)
    })  # fmt: skip


@folder(10, 500)
def files_around_one_that_is_a_module(size: int) -> Files:
    first = {"base": text(BODY, "def helper(x):\n    return x\nLIMIT = 3")}
    return _package(first | {
        f"m{i}": text(BODY, f"from pack import base\n@jax.jit\ndef f{i}(x):\n    return base.helper(x) + base.LIMIT")
        for i in range(size)
    })  # fmt: skip


@folder(10, 500)
def one_file_that_imports_all(size: int) -> Files:
    imports = "\n".join(f"from pack.m{i} import f{i}" for i in range(size))
    calls = "".join(f"\n    x = f{i}(x)" for i in range(size))
    last = {"main": text(BODY, imports, f"@jax.jit\ndef step(x):\n    pass{calls}\n    return x")}
    return _package(last | {f"m{i}": text(BODY, f"def f{i}(x):\n    return x + {i}") for i in range(size)})


@folder(10, 500)
def files_through_a_package(size: int) -> Files:
    exports = "\n".join(f"from pack.m{i} import f{i}" for i in range(size))
    files = {f"pack/m{i}.py": text(BODY, f"def f{i}(x):\n    return x + {i}") for i in range(size)}
    users = {
        f"user{i}.py": text(BODY, f"from pack import f{i}\n@jax.jit\ndef step(x):\n    return f{i}(x)") for i in range(size)
    }
    return {"pack/__init__.py": exports + "\n", **files, **users}


@folder(10, 500)
def files_through_stars(size: int) -> Files:
    first = {"m0": text(BODY, "def f0(x):\n    return x")}
    return _package(first | {
        f"m{i}": text(BODY, f"from pack.m{i - 1} import *\ndef f{i}(x):\n    return f{i - 1}(x) + {i}") for i in range(1, size + 1)
    })  # fmt: skip


@folder(10, 500)
def files_through_one_star(size: int) -> Files:
    names = "\n".join(f"def f{i}(x):\n    return x + {i}" for i in range(size + 1))
    return _package({"base": text(BODY, names)} | {
        f"m{i}": text(BODY, f"from pack.base import *\n@jax.jit\ndef g{i}(x):\n    return f{i}(x)") for i in range(size)
    })  # fmt: skip


@folder(10, 500)
def files_in_a_circle(size: int) -> Files:
    return _package({
        f"m{i}": text(BODY, f"from pack import m{(i + 1) % size}\n@jax.jit\ndef f(x, n):\n    return x if n == 0 else m{(i + 1) % size}.f(x, n - 1)")
        for i in range(size)
    })  # fmt: skip


@folder(10, 500)
def files_in_layers(size: int) -> Files:
    """Ten files a layer; each imports three of the layer below.  The lowest layer is there at every size."""
    def one(i: int) -> str:
        below = [i - 10, i - 10 + (1 if i % 10 < 9 else -9), i - 10 + (3 if i % 10 < 7 else -7)] if i >= 10 else []
        imports = "\n".join(f"from pack.m{j} import f{j}" for j in below)
        calls = "".join(f" + f{j}(x)" for j in below)
        return text(BODY, imports, f"def f{i}(x):\n    return x{calls}\nstep = jax.jit(f{i})")

    return _package({f"m{i}": one(i) for i in range(10 + size)})


@folder(10, 500)
def classes_of_files(size: int) -> Files:
    first = {"base": text(BODY, "class Base:\n    def run(self, x):\n        return self.apply(x)")}
    return _package(first | {
        f"m{i}": text(BODY, f"from pack.base import Base\nclass C{i}(Base):\n    def apply(self, x):\n        return x + {i}\n@jax.jit\ndef step(x):\n    return C{i}().run(x)")
        for i in range(size)
    })  # fmt: skip


@folder(10, 500)
def classes_of_files_in_a_chain(size: int) -> Files:
    first = {"m0": text(BODY, "class C0:\n    def run(self, x):\n        return x")}
    return _package(first | {
        f"m{i}": text(BODY, f"from pack.m{i - 1} import C{i - 1}\nclass C{i}(C{i - 1}):\n    def run(self, x):\n        return super().run(x) + {i}\n@jax.jit\ndef step(x):\n    return C{i}().run(x)")
        for i in range(1, size + 1)
    })  # fmt: skip


@folder(10, 500)
def one_function_jitted_in_many_files(size: int) -> Files:
    first = {"base": text(BODY, "def loss(x, n):\n    if x > n:\n        return x\n    return n")}
    return _package(first | {
        f"m{i}": text(BODY, f"from pack.base import loss\nstep = jax.jit(loss)\nstep(jnp.ones(3), {i})") for i in range(size)
    })  # fmt: skip


@folder(10, 500)
def one_global_set_by_many_files(size: int) -> Files:
    first = {"base": text(BODY, "LIMIT = 3\n@jax.jit\ndef step(x):\n    return x + LIMIT")}
    return _package(first | {
        f"m{i}": text(BODY, f"from pack import base\nbase.LIMIT = {i}\nbase.step(jnp.ones(3))") for i in range(size)
    })  # fmt: skip


@folder(10, 500)
def callables_handed_through_files(size: int) -> Files:
    first = {"m0": text(BODY, "def f0(g, x, mode='a'):\n    return g(x)")}
    return _package(first | {
        f"m{i}": text(BODY, f"from pack.m{i - 1} import f{i - 1}\nfrom pack.m{i // 2} import f{i // 2} as half\n"
                      f"def f{i}(g, x, mode='a'):\n    if mode == 'b':\n        return half(g, x, 'b')\n"
                      f"    return f{i - 1}(lambda y: g(y) + {i}, x, 'a') + half(g, x)\n"
                      f"@jax.jit\ndef step(x):\n    return f{i}(jnp.sin, x)")
        for i in range(1, size + 1)
    })  # fmt: skip


@folder(10, 500)
def keys_through_files(size: int) -> Files:
    first = {"m0": text(BODY, "def f0(key):\n    return jax.random.normal(key)")}
    return _package(first | {
        f"m{i}": text(BODY, f"from pack.m{i - 1} import f{i - 1}\ndef f{i}(key):\n    return f{i - 1}(key) + jax.random.normal(key)")
        for i in range(1, size + 1)
    })  # fmt: skip


@folder(10, 500)
def files_that_do_not_name_jax(size: int) -> Files:
    first = {"m0": text(BODY, "def f0(x):\n    return jnp.sin(x)")}
    return _package(first | {
        f"m{i}": text(f"from pack.m{i - 1} import f{i - 1}\ndef f{i}(x):\n    return f{i - 1}(x)") for i in range(1, size + 1)
    })  # fmt: skip


@folder(10, 500)
def folders_in_folders(size: int) -> Files:
    files: dict[str, str] = {}
    for i in range(size):
        path = f"pack/a{i // 25}/b{i // 5 % 5}/c{i}"
        files |= {f"pack/a{i // 25}/__init__.py": "", f"pack/a{i // 25}/b{i // 5 % 5}/__init__.py": "", f"{path}/__init__.py": "from .one import *\n"}
        files[f"{path}/one.py"] = text(BODY, f"from ....base import helper\n@jax.jit\ndef f{i}(x):\n    return helper(x)")
    return {"pack/__init__.py": "", "pack/base.py": text(BODY, "def helper(x):\n    print(x)\n    return x"), **files}
