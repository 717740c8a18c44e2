"""Output formats for findings, one module each.  `render` turns an `Outcome` into text."""
