"""Evidence of effects in traced code: what happens once per trace, what stays as it was, what leaks."""
