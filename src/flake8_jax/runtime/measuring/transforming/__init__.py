"""Measuring functions that take functions: how they run what they are given, and what they give back."""
