"""Output formats for findings, one module each.  `render` turns sorted diagnostics into text."""

FORMATS = ("text", "full", "json")
