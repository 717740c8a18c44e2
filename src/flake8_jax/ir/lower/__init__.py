"""The ops that `ir/lower*.py` makes of libcst's tree, made of Python's own: no syntax nodes, a tenth of the time."""
