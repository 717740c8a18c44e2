"""The forms that findings are printed in, one module each: `render` turns sorted diagnostics into text."""

FORMATS = ("text", "full", "json")
