"""The evidence of hazards, one file a kind: preconditions and effects, and their events."""
