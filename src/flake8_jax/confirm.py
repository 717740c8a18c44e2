"""A plugin for pytest, `pytest -p flake8_jax.confirm`: says which findings a project's own tests confirm.

docs/confirm.md describes it."""

from flake8_jax.runtime.confirming.plugin import pytest_addoption, pytest_configure

__all__ = ["pytest_addoption", "pytest_configure"]
