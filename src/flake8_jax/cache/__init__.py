"""A persistent cache of reports, validated by their recorded dependencies."""
