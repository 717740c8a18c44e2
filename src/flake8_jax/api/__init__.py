"""What is known of JAX, of the libraries around it and of Python's builtins, as data with its loader."""
