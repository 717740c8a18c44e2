"""What taking derivatives shows: gradients that are not finite, modes that do not work, rules that are not whole."""
