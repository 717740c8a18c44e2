"""Facts about the APIs of JAX, related libraries and Python's builtins, as data with its loader."""
