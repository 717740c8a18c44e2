"""What can be known of a value, of a path through the code, and of a function."""
