"""Reports that are remembered on disk between runs, by what they depend on."""
