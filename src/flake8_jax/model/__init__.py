"""What every stage speaks of: diagnostics and where they stand, reports, the configuration."""
