"""Resolution of names, side effects of calls, and expressions on keys: data and parts of such families."""
