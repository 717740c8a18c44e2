"""What came of a run: the closing table, the evidence that is kept, and why a line was not reached."""
