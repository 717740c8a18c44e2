"""The plugin of `pytest -p flake8_jax.confirm`: which findings do a project's own tests confirm?  docs/confirm.md says
more."""

from flake8_jax.runtime.confirming.plugin import pytest_addoption, pytest_configure

__all__ = ["pytest_addoption", "pytest_configure"]
