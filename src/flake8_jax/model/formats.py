"""The names of the output formats."""

FORMATS = ("concise", "full", "json", "jsonl", "github", "gitlab", "junit", "sarif")
FOR_PEOPLE = ("concise", "full")
ALIASES = {"text": "concise", "json-lines": "jsonl"}
"""Other names that formats have, or had."""
