"""Evidence of effects in traced code: what happens once a trace, what stays as it was, what leaks."""
