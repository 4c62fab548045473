"""Checks of the checks: many seeds, shipped answers, edited modules, who imports whom."""
