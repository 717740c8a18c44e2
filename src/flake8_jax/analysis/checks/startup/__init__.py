"""The order in which JAX starts and is set up."""
