"""The evidence of hazards, one module a kind: its precondition or effect, and the event that it makes."""
