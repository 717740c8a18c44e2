"""Which functions of libraries run inference: they fit a model, or predict by one that was fitted."""

RUNS = frozenset(
    f"numpyro.infer.{name}" for name in ("MCMC.run", "MCMC.warmup", "Predictive.__call__", "SVI.init", "SVI.run")
)
