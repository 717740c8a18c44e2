"""What the analysis knows, as text for people and fixtures; nothing else of the analysis imports it."""
