"""The linter on real code: pinned public packages, what is found in them, and the ledger that judges it.

`python -m tests.corpus` runs it, from the root of a clone.
"""
