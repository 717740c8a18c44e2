"""The site: pages made from the rule files, their pairs, `docs/` and the numbers.  `mkdocs build` makes it."""
