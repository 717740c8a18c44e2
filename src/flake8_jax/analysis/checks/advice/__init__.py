"""What to write instead, where it takes more than a phrase: format strings, static arguments, functions of the host."""
