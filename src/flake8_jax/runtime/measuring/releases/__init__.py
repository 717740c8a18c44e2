"""What the releases of JAX and of its libraries have: read from their packages, without importing them."""
