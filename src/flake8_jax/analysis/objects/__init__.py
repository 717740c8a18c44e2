"""What objects hold: attributes, items, classes, instances, methods, and what invalidates them."""
