"""Interpretation of programs over abstract values."""
