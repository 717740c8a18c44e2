"""What functions and methods do with the values that they are passed: data for the pass over labels."""

from __future__ import annotations

SHAPE_ATTRIBUTES = frozenset((
    "shape", "dtype", "ndim", "size", "itemsize", "nbytes", "sharding", "weak_type", "aval", "device", "devices",
    "__class__", "__name__",
))  # fmt: skip
"""Attributes of an array, or of any object, that do not depend on its content."""

SHAPE_FUNCTIONS = frozenset((
    "jax.eval_shape", "jax.ShapeDtypeStruct", "jax.numpy.zeros_like", "jax.numpy.ones_like", "jax.numpy.empty_like",
    "jax.numpy.shape", "jax.numpy.ndim", "jax.numpy.size", "jax.numpy.result_type", "jax.numpy.issubdtype",
    "jax.tree.structure", "jax.tree_util.tree_structure", "jax.typeof", "jax.make_jaxpr", "jax.dtypes.result_type",
    "jax.random.key_impl", "numpy.zeros_like", "numpy.ones_like", "numpy.empty_like", "numpy.shape", "numpy.ndim",
    "numpy.size", "len", "isinstance", "type", "hasattr", "callable", "id",
))  # fmt: skip
"""Functions whose result does not depend on the content of their arguments."""

FLATTENING = frozenset((
    "jax.flatten_util.ravel_pytree", "jax.tree.flatten", "jax.tree.flatten_with_path", "jax.tree_util.tree_flatten",
    "jax.tree_util.tree_flatten_with_path", "jax.tree_flatten",
))  # fmt: skip
"""Functions that give what a tree holds, and its structure, which does not depend on that."""

COMPARING = frozenset(("set", "frozenset", "dict.fromkeys", "collections.Counter"))
"""Functions whose result has as many items as there are different ones among their arguments."""

SHAPE_PREFIXES = ("chex.assert_", "jax.debug.inspect_", "jax.debug.visualize_")

WAITING = frozenset(("jax.block_until_ready",))
WAITING_METHODS = frozenset(("block_until_ready",))
"""Functions and methods that return their argument, and read nothing where that is dropped."""

FIRST_FOR_SHAPE = frozenset(("jax.numpy.full_like", "numpy.full_like", "jax.lax.full_like"))
"""Functions that ask their first argument for its shape only."""

INITIALIZERS = frozenset(("init", "init_with_output", "lazy_init", "tabulate"))
"""Methods by which modules, optimizers and buffers are set up: of data after a key they use the shape."""

COMPILING = frozenset(("lower", "eval_shape"))
"""Methods of compiled functions that trace them for the shapes of what they are passed: `f.lower(x).compile()`."""

STARTING = frozenset(("initialize_carry",))
"""Methods of recurrent cells of libraries that give the state to start from: zeros, whatever their key is."""

COPYING = frozenset(("replace", "_replace"))
"""Methods that return a copy of a record, with some fields replaced."""

UPDATING = "update"
"""One that does so where its result is used; else it changes a dict."""

SEEDED = frozenset(("jax.random.PRNGKey", "jax.random.key"))
"""What makes a key of a number."""

SEEDING = SEEDED | {
    "numpy.random.seed", "numpy.random.default_rng", "numpy.random.RandomState", "numpy.random.SeedSequence",
    "random.seed", "random.Random", "torch.manual_seed", "torch.cuda.manual_seed_all", "tensorflow.random.set_seed",
}  # fmt: skip
"""What starts a generator of a number; what that draws has nothing in common with draws from the key of the number."""

SEEDING_OPTION = "random_state"
"""The keyword of SciPy and scikit-learn for such a number."""

FOLD = "jax.random.fold_in"
SPLIT = "jax.random.split"
KEEPING_KEYS = frozenset((
    "jax.random.split", FOLD, "jax.random.clone", "jax.random.wrap_key_data", "jax.random.key_data",
))  # fmt: skip

FOLDING = {
    "flax.linen.Module.init": "linen", "flax.linen.Module.init_with_output": "linen", "flax.nnx.Rngs": "nnx",
}  # fmt: skip
"""What folds names or counts into its key: its numbers are those of its like, and of no other use of the key."""

WITHOUT_NOISE = {
    "train": False, "training": False, "is_training": False, "is_train": False, "train_mode": False,
    "deterministic": True, "inference": True, "evaluate": True, "use_running_average": True,
}  # fmt: skip
"""Options, and their values with which a network draws nothing: dropout is off."""

RATES = ("p", "rate")
"""How layers of dropout call the share that they drop, which is their first argument."""

KEPT_INSIDE = frozenset(("numpyro.infer.MCMC.run", "numpyro.infer.MCMC.warmup", "numpyro.handlers.seed"))
"""Methods and functions whose draws are kept by an object, whatever becomes of what they return."""

SELECTS = {
    "jax.numpy.where": (1, 2), "jax.lax.select": (1, 2), "jax.numpy.select": (1,), "jax.lax.select_n": (1, 2, 3, 4),
    "numpy.where": (1, 2),
}  # fmt: skip
"""Functions that choose between the arguments at these positions, or between the items of the one."""

MAPPING = frozenset(("jax.tree.map", "jax.tree_util.tree_map", "jax.tree_map"))

STORING = frozenset(("append", "extend", "add", "update", "insert", "setdefault", "appendleft", "put"))
"""Methods of containers that take in their arguments."""

SHOWN_BY = frozenset(("print", "log", "warn"))
"""Effects of functions that show what they are given."""

DRAWING = ("matplotlib.", "seaborn.", "plotly.", "wandb.", "imageio.", "PIL.", "mediapy.", "IPython.display.")
"""How the names of libraries begin that draw what they are given, or hand it to a log."""
