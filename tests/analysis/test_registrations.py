"""A class that another file may register as a pytree is left alone; files that only use it register nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.bindings import ROOT, found
from tests.support.layouts import tree

MODELS = """import jax
class Model:
    def __init__(self, scale):
        self.scale = scale
    @jax.jit
    def apply(self, x):
        return x * self.scale
def applied(model, x):
    return model.apply(x)
"""
HELPER = "import jax\ndef as_tree(cls):\n    jax.tree_util.register_static(cls)\n"
FLATTEN = "lambda one: ((one.scale,), None), lambda _, parts: Model(*parts)"
REGISTER = f"jax.tree_util.register_pytree_node(Model, {FLATTEN})\n"

REGISTERED: dict[str, dict[str, str]] = {
    "by name": {"use.py": f"import jax\nfrom models import Model\n{REGISTER}"},
    "by module": {"use.py": "import jax, models\njax.tree_util.register_dataclass(models.Model, ['scale'], [])\n"},
    "in a function": {"use.py": f"import jax\ndef prepare():\n    from models import Model\n    {REGISTER}"},
    "by a helper": {"helper.py": HELPER, "use.py": "import helper, models\nhelper.as_tree(models.Model)\n"},
    "by another name": {
        "helper.py": HELPER,
        "use.py": "from helper import as_tree\nfrom models import Model as Other\nas_tree(Other)\n",
    },
    "in a loop": {
        "use.py": "import jax, models\nfor one in vars(models).values():\n    jax.tree_util.register_static(one)\n"
    },
    "by a re-export": {
        "names.py": "from models import Model\n",
        "use.py": "import jax, names\njax.tree_util.register_static(names.Model)\n",
    },
    "by a re-export of all": {
        "names.py": "from models import *\n",
        "use.py": "import jax, names\njax.tree_util.register_static(names.Model)\n",
    },
}
USED: dict[str, dict[str, str]] = {
    "alone": {},
    "made": {"use.py": "from models import Model\nModel(2.0)\n"},
    "asked for": {"use.py": "from models import Model\ndef f(x: Model):\n    return isinstance(x, (int, Model))\n"},
    "inherited": {"use.py": "from models import Model\nclass Other(Model):\n    pass\n"},
    "with its namesake": {"use.py": f"import jax\nclass Model:\n    pass\n{REGISTER}"},
    "far from other trees": {
        "names.py": "import models\n",
        "use.py": "import jax, names\n@jax.tree_util.register_static\nclass Other:\n    pass\n",
    },
}


@pytest.mark.parametrize("name", REGISTERED)
def test_a_class_that_another_file_may_register(name: str, tmp_path: Path) -> None:
    tree(tmp_path, {**ROOT, "models.py": MODELS, **REGISTERED[name]})
    assert found(tmp_path, "models.py") == []


@pytest.mark.parametrize("name", USED)
def test_a_class_that_other_files_use(name: str, tmp_path: Path) -> None:
    tree(tmp_path, {**ROOT, "models.py": MODELS, **USED[name]})
    (one,) = found(tmp_path, "models.py")
    assert "JAX507" in str(one)


def test_a_class_that_its_own_file_registers_and_another_file_derives_from(tmp_path: Path) -> None:
    derived = "from models import Model as M\nclass Model(M):\n    def __init__(self):\n        super().__init__(2.0)\n"
    used = "from derived import Model\ndef run(x):\n    return Model().apply(x)\n"
    tree(tmp_path, {**ROOT, "models.py": MODELS + REGISTER, "derived.py": derived, "use.py": used})
    for files in (("models.py",), ("use.py",), ("use.py", "models.py")):
        assert [found(tmp_path, file) for file in files] == [[]] * len(files)
