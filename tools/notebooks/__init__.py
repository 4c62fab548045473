"""Notebooks: read, checked, run, compared, recorded; exercises made from solutions."""
