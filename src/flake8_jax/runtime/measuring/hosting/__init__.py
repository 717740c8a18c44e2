"""Calling host functions (Python's, NumPy's, SciPy's) with host values and with tracers in their place."""
