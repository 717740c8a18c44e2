"""Imports that mislead by the name that they bind are found however they are written, and most trees are not asked."""

from __future__ import annotations

import pytest

from flake8_jax.syntax.namesakes import namesakes
from flake8_jax.syntax.source import SourceFile

MISLEADING = {
    "import jax.numpy as np": "np",
    "import jax.numpy \\\n  as  onp": "onp",
    "import os, jax.numpy as numpy": "numpy",
    "from jax import numpy": "numpy",
    "from jax import lax, \\\n    numpy as np": "np",
    "from jax import (\n    lax,  # control flow :)\n    numpy as np,\n)": "np",
    "import numpy as arrays\nimport jax.numpy as arrays": "arrays",
    "import numpy as arrays\nfrom jax import numpy as arrays": "arrays",
    "def f():\n    import numpy as jnp; import jax.numpy as jnp": "jnp",
}
CLEAR = (
    "import numpy as np\nimport jax.numpy as jnp",
    "from jax import lax\nimport numpy as np\nimport jax.numpy as jnp",
    "import numpy as onp\nfrom jax import (lax, random)\nimport jax.numpy",
)


@pytest.mark.parametrize("text", MISLEADING)
def test_each_way_to_mislead_is_found(text: str) -> None:
    assert [found.name for found in namesakes(SourceFile("m.py", text))] == [MISLEADING[text]]


@pytest.mark.parametrize("text", CLEAR)
def test_what_is_clear_by_its_text_is_not_parsed(text: str) -> None:
    source = SourceFile("m.py", f"{text}\nthis is no Python")
    assert not list(namesakes(source))


def test_a_text_of_many_comments_is_passed_once() -> None:
    text = "".join(f"    lax{i},  # control flow (of one kind), number {i}\n" for i in range(500))
    assert not list(namesakes(SourceFile("m.py", f"from jax import (\n{text})\nthis is no Python")))
    assert not list(namesakes(SourceFile("m.py", f"from jax import (\n{text}\nthis is no Python")))
