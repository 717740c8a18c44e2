"""Measures the behaviour of JAX and related libraries, for the tables in api/measured; run by `flake8-jax measure`."""
