"""Labels: which results are in which values of a body, and where each is observed."""
