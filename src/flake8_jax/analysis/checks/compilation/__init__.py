"""What JAX compiles, and how often: functions made anew, static arguments, unrolled loops, donated arrays."""
