"""Confirmation of findings by a project's own tests: `pytest -p flake8_jax.confirm`.

The tests run as they are, and once.  What `verify` finds out by running a program again, edited or without its
transforms, cannot be found out here; `manners` says which phenomena can, and why others cannot.
"""
