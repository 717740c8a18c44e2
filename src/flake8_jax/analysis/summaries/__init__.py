"""Summaries of functions: making them, their fixpoints, applying them at call sites, specialization."""
