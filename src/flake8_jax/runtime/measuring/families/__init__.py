"""One module for each family of facts; what a family must offer stands in ../family.py."""
