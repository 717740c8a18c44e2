"""Abstract values, path conditions, states and summaries."""
