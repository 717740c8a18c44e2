"""Evaluation of ops, one module a family: expressions, control flow, loops, exceptions, names, narrowing."""
