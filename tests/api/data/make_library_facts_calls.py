"""How make_library_facts.py calls what is not measured elsewhere: one expression each, with `f` for the callable.

a, a2 and x are arrays of rank 1, 2 and 0 and i an integer of rank 0: NumPy's in one call, tracers in the other; key is a key.
"""

from __future__ import annotations

OWN = "amax amin argmax argmin argsort around cumprod cumsum flip imag isreal max mean min permute_dims prod real round"
ONE = (
    f"all any {OWN} squeeze std sum transpose var common_type frexp histogram iscomplexobj isrealobj isscalar iterable "
    "ix_ modf ndim nonzero shape size unstack sin sqrt"
)
CALLS: dict[str, str] = {
    **{f"numpy.{name}": "f(a)" for name in ONE.split()},
    "distrax.Distribution.cdf": "distrax.Normal(a * 0.1, 1.0).cdf(a * 0.1)",
    "distrax.Distribution.entropy": "distrax.Normal(a * 0.1, 1.0).entropy()",
    "distrax.Distribution.log_cdf": "distrax.Normal(a * 0.1, 1.0).log_cdf(a * 0.1)",
    "distrax.Distribution.log_prob": "distrax.Normal(a * 0.1, 1.0).log_prob(a * 0.1)",
    "distrax.Distribution.mean": "distrax.Normal(a * 0.1, 1.0).mean()",
    "distrax.Distribution.mode": "distrax.Normal(a * 0.1, 1.0).mode()",
    "distrax.Distribution.prob": "distrax.Normal(a * 0.1, 1.0).prob(a * 0.1)",
    "distrax.Distribution.stddev": "distrax.Normal(a * 0.1, 1.0).stddev()",
    "distrax.Distribution.survival_function": "distrax.Normal(a * 0.1, 1.0).survival_function(a * 0.1)",
    "distrax.Distribution.variance": "distrax.Normal(a * 0.1, 1.0).variance()",
    "numpyro.distributions.Distribution.cdf": "numpyro.distributions.Normal(a * 0.1, 1.0).cdf(a * 0.1)",
    "numpyro.distributions.Distribution.icdf": "numpyro.distributions.Normal(a * 0.1, 1.0).icdf(a * 0.1)",
    "numpyro.distributions.Distribution.log_prob": "numpyro.distributions.Normal(a * 0.1, 1.0).log_prob(a * 0.1)",
    "tensorflow_probability.substrates.jax.distributions.Distribution.cdf": "tfp.distributions.Normal(a * 0.1, 1.0).cdf(a * 0.1)",
    "tensorflow_probability.substrates.jax.distributions.Distribution.entropy": "tfp.distributions.Normal(a * 0.1, 1.0).entropy()",
    "tensorflow_probability.substrates.jax.distributions.Distribution.log_cdf": "tfp.distributions.Normal(a * 0.1, 1.0).log_cdf(a * 0.1)",
    "tensorflow_probability.substrates.jax.distributions.Distribution.log_prob": "tfp.distributions.Normal(a * 0.1, 1.0).log_prob(a * 0.1)",
    "tensorflow_probability.substrates.jax.distributions.Distribution.mean": "tfp.distributions.Normal(a * 0.1, 1.0).mean()",
    "tensorflow_probability.substrates.jax.distributions.Distribution.mode": "tfp.distributions.Normal(a * 0.1, 1.0).mode()",
    "tensorflow_probability.substrates.jax.distributions.Distribution.prob": "tfp.distributions.Normal(a * 0.1, 1.0).prob(a * 0.1)",
    "tensorflow_probability.substrates.jax.distributions.Distribution.stddev": "tfp.distributions.Normal(a * 0.1, 1.0).stddev()",
    "tensorflow_probability.substrates.jax.distributions.Distribution.survival_function": "tfp.distributions.Normal(a * 0.1, 1.0).survival_function(a * 0.1)",
    "tensorflow_probability.substrates.jax.distributions.Distribution.variance": "tfp.distributions.Normal(a * 0.1, 1.0).variance()",
    "numpy.array_equal": "f(a, a)", "numpy.array_equiv": "f(a, a)", "numpy.array_split": "f(a, 3)",
    "numpy.broadcast_arrays": "f(a, a)", "numpy.broadcast_shapes": "f((3,), (1,))", "numpy.can_cast": "f('f4', 'f8')",
    "numpy.diag_indices_from": "f(a2)", "numpy.divmod": "f(a, 2)", "numpy.dtype": "f('f4')", "numpy.finfo": "f('f4')",
    "numpy.histogram2d": "f(a, a)", "numpy.histogramdd": "f(a2)", "numpy.hsplit": "f(a, 3)", "numpy.iinfo": "f('i4')",
    "numpy.issubdtype": "f(float, float)", "numpy.meshgrid": "f(a, a)", "numpy.promote_types": "f('f4', 'f8')",
    "numpy.repeat": "f(a, 2)", "numpy.reshape": "f(a, (3,))", "numpy.result_type": "f('f4')",
    "numpy.searchsorted": "f(a, a)", "numpy.split": "f(a, 3)", "numpy.tril_indices_from": "f(a2)",
    "numpy.triu_indices_from": "f(a2)", "numpy.unravel_index": "f(1, (2, 2))", "numpy.zeros": "f(3)",
    "numpy.random.normal": "f(size=3)", "numpy.random.default_rng": "f(0)", "numpy.random.RandomState": "f(0)",
    "numpy.random.SeedSequence": "f(0)", "numpy.random.Generator": "f(np.random.PCG64(0))", "numpy.random.seed": "f(0)",
    "numpy.linalg.eig": "f(a2)", "numpy.linalg.eigh": "f(a2)", "numpy.linalg.lstsq": "f(a2, a)", "numpy.linalg.inv": "f(a2)",
    "numpy.linalg.qr": "f(a2)", "numpy.linalg.slogdet": "f(a2)", "numpy.linalg.svd": "f(a2)", "numpy.fft.fft": "f(a)",
    "bool": "f(x)", "callable": "f(a)", "complex": "f(x)", "float": "f(x)", "format": "f(a, '')",
    "hasattr": "f(a, 'b')", "hash": "f('a')", "hex": "f(3)", "id": "f(a)", "int": "f(x)", "isinstance": "f(a, object)",
    "issubclass": "f(int, object)", "len": "f(a)", "oct": "f(3)", "ord": "f('a')", "print": "f(a)", "range": "f(3)",
    "repr": "f(a)", "str": "f(a)", "type": "f(a)",
    "logging.getLogger": "f('a')", "logging.Logger.getChild": "logging.getLogger('a').getChild('b')",
    "absl.logging.get_absl_logger": "f()",
    "jax.tree.all": "f([True])", "jax.tree.flatten": "f([a])", "jax.tree.flatten_with_path": "f([a])",
    "jax.tree.leaves": "f([a])", "jax.tree.leaves_with_path": "f([a])", "jax.tree.structure": "f([a])",
    "jax.tree.transpose": "f(jax.tree.structure([0]), jax.tree.structure((0,)), [(a,)])",
    "jax.tree.unflatten": "f(jax.tree.structure([0]), [a])", "jax.tree_util.all_leaves": "f([a])",
    "jax.tree_util.keystr": "f((jax.tree_util.DictKey('a'),))",
    "jax.tree_util.treedef_children": "f(jax.tree.structure([0]))",
    "jax.tree_util.treedef_is_leaf": "f(jax.tree.structure([0]))",
    "jax.tree_util.treedef_tuple": "f([jax.tree.structure([0])])",
    "jax.debug.log": "f('{}', a)", "jax.debug.print": "f('{}', a)", "jax.debug.visualize_array_sharding": "f(jnp.ones(3))",
    "jax.debug.visualize_sharding": "f((3,), jnp.ones(3).sharding)",
    "jax.sharding.AbstractMesh": "f((1,), ('i',))", "jax.sharding.Mesh": "f(jax.devices(), ('i',))",
    "jax.sharding.NamedSharding": "f(jax.sharding.Mesh(jax.devices(), ('i',)), jax.sharding.PartitionSpec())",
    "jax.sharding.PartitionSpec": "f('i')", "jax.sharding.SingleDeviceSharding": "f(jax.devices()[0])",
    "jax.sharding.get_abstract_mesh": "f()", "jax.sharding.get_mesh": "f()",
    "jax.make_array_from_process_local_data": "f(jnp.ones(3).sharding, np.ones(3))",
    "jax.make_array_from_single_device_arrays": "f((3,), jnp.ones(3).sharding, [jnp.ones(3)])",
    "jax.nn.initializers.constant": "f(0.5)", "jax.nn.initializers.variance_scaling": "f(1.0, 'fan_in', 'normal')",
    **{
        f"jax.nn.initializers.{name}": "f()"
        for name in (
            "delta_orthogonal he_normal he_uniform lecun_normal lecun_uniform normal orthogonal truncated_normal uniform "
            "xavier_normal xavier_uniform"
        ).split()
    },
    "jax.nn.initializers.ones": "f(key, (3,))", "jax.nn.initializers.zeros": "f(key, (3,))",
    "jax.nn.initializers.Initializer.__call__": "jax.nn.initializers.normal()(key, (3,))",
    "flax.linen.Module.init": "nn.Dense(3).init(key, a)",
    "flax.linen.Module.init_with_output": "nn.Dense(3).init_with_output(key, a)",
    "flax.linen.Module.make_rng": "in_linen(lambda m: m.make_rng('params'))",
    "flax.linen.Module.get_variable":
        "in_linen(lambda m: (m.put_variable('kept', 'w', jnp.ones(3)), m.get_variable('kept', 'w'))[1])",
    "flax.linen.Module.param": "in_linen(lambda m: m.param('w', lambda key: jnp.ones(3)))",
    "flax.linen.Module.variable": "in_linen(lambda m: m.variable('kept', 'w', lambda: jnp.ones(3)))",
    **{f"flax.nnx.{name}": "f(jnp.ones(3))" for name in ("BatchStat", "Cache", "Param", "Variable")},
    "flax.nnx.Rngs": "f(key)",
    "haiku.transform.init": "hk.transform(lambda x: hk.Linear(2)(x)).init(key, jnp.ones(3))",
    "haiku.transform_with_state.init": "hk.transform_with_state(lambda x: hk.Linear(2)(x)).init(key, jnp.ones(3))",
    "haiku.without_apply_rng.init":
        "hk.without_apply_rng(hk.transform(lambda x: hk.Linear(2)(x))).init(key, jnp.ones(3))",
    "equinox.nn.Dropout.__call__": "eqx.nn.Dropout(0.5)(jnp.ones(3), key=key)",
    "distrax.Distribution.sample": "distrax.Normal(0.0, 1.0).sample(seed=key)",
    "distrax.Distribution.sample_and_log_prob": "distrax.Normal(0.0, 1.0).sample_and_log_prob(seed=key)",
    **{
        f"tensorflow_probability.substrates.jax.distributions.Distribution.{name}": f"tfp.distributions.Normal(0.0, 1.0).{name}(3, seed=key)"
        for name in ("sample", "experimental_sample_and_log_prob")
    },
    "numpyro.distributions.Distribution.__call__": "numpyro.distributions.Normal(0.0, 1.0)(rng_key=key)",
    "numpyro.distributions.Distribution.sample": "numpyro.distributions.Normal(0.0, 1.0).sample(key, (3,))",
    "numpyro.distributions.Distribution.sample_with_intermediates":
        "numpyro.distributions.Normal(0.0, 1.0).sample_with_intermediates(key)",
    "numpyro.handlers.seed": "f(a_model, key)()",
    **{f"numpyro.infer.MCMC.{name}": f"sampling().{name}(key)" for name in ("run", "warmup")},
    "numpyro.infer.Predictive.__call__": "numpyro.infer.Predictive(a_model, num_samples=3)(key)",
    "numpyro.infer.SVI.init": "inference().init(key)", "numpyro.infer.SVI.run": "inference().run(key, 2, progress_bar=False)",
    "haiku.next_rng_key": "in_haiku(f)", "haiku.next_rng_keys": "in_haiku(lambda: f(2))",
    "haiku.maybe_next_rng_key": "in_haiku(f)", "haiku.get_parameter": "in_haiku(lambda: f('w', (3,), init=jnp.ones))",
    "haiku.get_state": "in_haiku(lambda: f('w', (3,), init=jnp.ones))", "haiku.dropout": "f(key, 0.5, jnp.ones(3))",
    "numpyro.prng_key": "in_numpyro(f)", "numpyro.sample": "f('a', numpyro.distributions.Normal(0, 1), rng_key=key)",
    "Array.addressable_data": "jnp.ones(3).addressable_data(0)", "Array.delete": "jnp.ones(3).delete()",
    "jax.lax.after_all": "f(jax.lax.create_token())",
    "jax.lax.pcast": "in_shard_map(lambda b: f(b, 'i', to='varying'))",
    "jax.experimental.key_reuse._core.consume": "f(key)",
    "jax.experimental.layout.with_layout_constraint":
        "jax.jit(lambda: f(jnp.ones(3), jax.experimental.layout.Layout((0,))))()",
    "jax.reshard": "f(jnp.ones(3), jax.sharding.NamedSharding(jax.make_mesh((1,), ('i',)), jax.sharding.PartitionSpec('i')))",
}  # fmt: skip
# Not called: they wait for a debugger or for another device, or need the mantissa formats of special hardware.
NOT_CALLED = frozenset(
    (
        "jax.debug.breakpoint", "jax.lax.pbroadcast", "jax.lax.precv", "jax.lax.psend", "jax.nn.scaled_dot_general",
    )
)  # fmt: skip
EFFECTS: dict[str, str] = {
    "absl.logging.log": "f(0, '%s', x)", "absl.logging.log_every_n": "f(0, '%s', 1, x)",
    "absl.logging.log_first_n": "f(0, '%s', 99, x)", "absl.logging.log_if": "f(0, '%s', True, x)",
    "absl.logging.vlog": "f(0, '%s', x)", "logging.log": "f(20, '%s', x)", "loguru.logger.log": "f('INFO', '{}', x)",
    "logging.Logger.log": "f(logging.getLogger('a'), 20, '%s', x)",
    **{
        f"logging.Logger.{name}": "f(logging.getLogger('a'), '%s', x)"
        for name in ("critical", "debug", "error", "exception", "info", "warn", "warning")
    },
    "print": "f(x)", "pprint.pp": "f(x)", "pprint.pprint": "f(x)", "rich.print": "f(x)",
    "rich.console.Console.log": "f(rich.console.Console(), x)", "rich.pretty.pprint": "f(x)",
    "rich.console.Console.print": "f(rich.console.Console(), x)",
    **{f"tqdm.{name}.write": "f(str(x))" for name in ("tqdm", "auto.tqdm", "std.tqdm")},
    "sys.stderr.write": "f(str(x))", "sys.stdout.write": "f(str(x))", "warnings.warn": "f(str(x))",
    "warnings.warn_explicit": "f(str(x), UserWarning, 'f.py', 1)",
}  # fmt: skip
USUAL_EFFECT = "f('%s', x)"
# `absl.logging.fatal` ends the process.
NO_EFFECT_CALL = frozenset(("absl.logging.fatal",))
KEY_CALLS: dict[str, str] = {
    "diffrax": "diffrax.VirtualBrownianTree(0.0, 1.0, tol=1e-3, shape=(), key=key)",
    "distrax": "distrax.Normal(0.0, 1.0).sample(seed=key)",
    "equinox.nn": "eqx.nn.Linear(2, 2, key=key)",
    "numpyro.distributions": "numpyro.distributions.Normal(0.0, 1.0).sample(key=key)",
    "numpyro.infer": "inference().init(rng_key=key)",
    "tensorflow_probability.substrates.jax": "tfp.distributions.Normal(0.0, 1.0).sample(seed=key)",
}
STREAMS: dict[str, dict[str, str]] = {
    "flax.linen.Module.make_rng": {"result": "in_linen(lambda m: [m.make_rng('params'), m.make_rng('params')])"},
    "flax.nnx.RngStream": {"call": "twice(nnx.RngStream(0, tag='a'))"},
    "flax.nnx.Rngs": {"attribute": "twice(nnx.Rngs(0).params)", "call": "twice(nnx.Rngs(0))"},
    "haiku.PRNGSequence": {"next": "twice(hk.PRNGSequence(0).__next__)"},
    "haiku.maybe_next_rng_key": {"result": "in_haiku(lambda: twice(hk.maybe_next_rng_key))"},
    "haiku.next_rng_key": {"result": "in_haiku(lambda: twice(hk.next_rng_key))"},
    "numpyro.prng_key": {"result": "in_numpyro(lambda: twice(numpyro.prng_key))"},
}
PROPERTIES = (
    "T addressable_shards at aval committed device dtype format global_shards imag is_fully_addressable "
    "is_fully_replicated itemsize mT nbytes ndim real shape sharding size traceback weak_type"
).split()
