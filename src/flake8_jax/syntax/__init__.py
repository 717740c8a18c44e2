"""A file as text and as trees, and where its pieces stand; libcst is loaded only once a file concerns JAX."""
