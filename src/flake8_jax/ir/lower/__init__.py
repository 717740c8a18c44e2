"""Lowering from Python's own syntax tree to ops; one module for each family of syntax nodes."""
