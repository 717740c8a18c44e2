"""A tracer that traced code keeps in an attribute is left alone where no file reads it: neither its own nor those that
import it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.bindings import ROOT, found
from tests.support.layouts import tree

MODELS = """import functools
import jax
class Model:
    def __init__(self):
        self.seen = []
    @functools.partial(jax.jit, static_argnums=0)
    def apply(self, x):
        self.last = x * 2
        self.seen.append(x)
        return x + 1
"""
READING = {
    "as an attribute": "from models import Model\nmodel = Model()\nmodel.apply(1.0)\nprint(model.last, model.seen)\n",
    "by its name": "import models\nmodel = models.Model()\nfor one in ('last', 'seen'):\n    print(vars(model)[one])\n",
}
OTHERS = {
    "made": "from models import Model\nprint(Model().apply(1.0))\n",
    "stored": "from models import Model\nmodel = Model()\nmodel.last = None\nmodel.seen = []\nmodel.apply(1.0)\n",
    "in words": "from models import Model\nlast = Model().apply(1.0)  # the last one seen\nprint(last)\n",
}


@pytest.mark.parametrize("name", READING)
def test_what_another_file_reads(name: str, tmp_path: Path) -> None:
    tree(tmp_path, {**ROOT, "models.py": MODELS, "use.py": READING[name]})
    assert [str(one).count("JAX303") for one in found(tmp_path, "models.py")] == [1, 1]


def test_what_is_read_through_a_file_between(tmp_path: Path) -> None:
    use = "import names\nmodel = names.Model()\nmodel.apply(1.0)\nprint(model.last)\n"
    tree(tmp_path, {**ROOT, "models.py": MODELS, "names.py": "from models import Model\n", "use.py": use})
    (one,) = found(tmp_path, "models.py")
    assert "self.last" in str(one)


@pytest.mark.parametrize("name", OTHERS)
def test_what_no_file_reads(name: str, tmp_path: Path) -> None:
    tree(tmp_path, {**ROOT, "models.py": MODELS, "use.py": OTHERS[name]})
    assert found(tmp_path, "models.py") == []


def test_a_file_that_nobody_imports_may_be_read_by_anybody(tmp_path: Path) -> None:
    tree(tmp_path, {**ROOT, "models.py": MODELS})
    assert [str(one).count("JAX303") for one in found(tmp_path, "models.py")] == [1, 1]
