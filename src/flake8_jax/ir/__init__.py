"""The intermediate representation: a structured tree of about two dozen kinds of op."""
