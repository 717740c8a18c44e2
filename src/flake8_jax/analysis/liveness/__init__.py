"""Liveness of what draws make: is a random result ever read as a value?"""
