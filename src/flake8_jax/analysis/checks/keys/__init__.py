"""The evidence of hazards of random keys: how keys are made, used up, handed on and thrown away."""
