"""Measuring what JAX and the libraries around it do, for the tables in api/measured; run by `flake8-jax measure`."""
