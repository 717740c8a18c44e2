"""Calls host functions (of Python, NumPy, SciPy) with host values and with tracers in their place."""
