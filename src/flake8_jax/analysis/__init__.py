"""Running the program over abstract values: what flows where, what is traced, which keys are used up."""
