"""Exercises of lesson 17, on what answers many people at once."""
