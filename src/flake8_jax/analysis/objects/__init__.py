"""Objects and their parts: attributes, items, classes, instances, methods, invalidation."""
