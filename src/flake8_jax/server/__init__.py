"""The language server, `flake8-jax server`: findings, fixes and reasons at the cursor of an editor."""
