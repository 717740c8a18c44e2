"""Fixes: changes of libcst's tree as edits of a text, and edits applied to a file until nothing more applies."""
