"""Summaries of functions: made, iterated to a fixpoint, applied at call sites, specialized, translated."""
