"""Data types of every stage: diagnostics with source positions, reports, and the configuration."""
