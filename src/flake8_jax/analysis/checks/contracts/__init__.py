"""What transforms and libraries demand of the code that uses them, and what breaks these contracts."""
