"""Calls: binding arguments, dispatch on the callee, library functions, builtins, transforms."""
