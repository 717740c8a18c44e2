"""What names stand for, what calls do beside returning, and what is tried on keys: data and parts of such families."""
