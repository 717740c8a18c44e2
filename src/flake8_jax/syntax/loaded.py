"""Which modules of JAX a file reaches as attributes of `jax`, and which need an import of their own.

jax.tree.map                `import jax` brings it
jax.extend.core.Primitive   is there behind `import jax.extend.core` alone
"""

from __future__ import annotations

import ast
from functools import lru_cache

from flake8_jax.syntax.source import SourceFile

LOADED = frozenset((
    "jax.core", "jax.custom_batching", "jax.custom_derivatives", "jax.debug", "jax.distributed", "jax.dlpack",
    "jax.dtypes", "jax.errors", "jax.image", "jax.interpreters", "jax.interpreters.ad", "jax.interpreters.batching",
    "jax.interpreters.mlir", "jax.interpreters.partial_eval", "jax.interpreters.xla", "jax.lax", "jax.lax.linalg",
    "jax.monitoring", "jax.nn", "jax.nn.initializers", "jax.numpy", "jax.numpy.fft", "jax.numpy.linalg", "jax.ops",
    "jax.profiler", "jax.random", "jax.scipy", "jax.sharding", "jax.stages", "jax.tree", "jax.tree_util", "jax.typing",
))  # fmt: skip
"""The modules that `import jax` brings; others are imported by their names.  Run by tests/runtime/test_startup.py."""


def import_of(module: str, source: SourceFile) -> str:
    """The import that a file lacks to reach a module of JAX by its whole name; "" where none is needed."""
    if not module.startswith("jax.") or module in LOADED or module in _loaded(source.tree):
        return ""
    return f"import {module}"


@lru_cache(maxsize=1)
def _loaded(tree: ast.Module) -> frozenset[str]:
    """The modules that the imports of a file bring, with those around them."""
    found: set[str] = set()
    for node in ast.walk(tree):
        loaded = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and not node.level and node.module is not None:
            loaded = [node.module]
        for one in loaded:
            words = one.split(".")
            found.update(".".join(words[:many]) for many in range(1, len(words) + 1))
    return frozenset(found)
