"""What recipes watch with: keys, effects, state, programs, lines and values of the case that runs."""
