"""Measures transforms: how they run the functions they are given, and what they return."""
