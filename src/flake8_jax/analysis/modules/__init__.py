"""Other files: linking names, callers of a name, reachability, dependencies of a report."""
