"""Buffers of the host that JAX shares: views of arrays, and NumPy arrays that JAX may still read."""
