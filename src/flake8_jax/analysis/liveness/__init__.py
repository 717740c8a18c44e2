"""The liveness of names: which stores no path looks up afterwards."""
