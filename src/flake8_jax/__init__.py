"""flake8-jax: a linter that understands code the way JAX traces it."""

__version__ = "0.1.0"
