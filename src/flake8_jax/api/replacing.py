"""The function that gives a tree with other leaves at some places."""

REPLACING = "equinox.tree_at"
"""Its second argument is the tree; what was drawn for it is a skeleton, that is filled."""
