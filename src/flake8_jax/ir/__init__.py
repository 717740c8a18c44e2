"""Python without sugar: what a file does, as a tree of about two dozen kinds of op."""
