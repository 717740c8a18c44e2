"""Instruments of the recipes: they watch keys, effects, state, programs, lines and values of a running case."""
