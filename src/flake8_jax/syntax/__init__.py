"""Files as text and syntax trees, with source positions.  libcst is loaded only once a file concerns JAX."""
