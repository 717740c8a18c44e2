"""Names that some release of JAX or of its libraries lacks, or warns of."""
