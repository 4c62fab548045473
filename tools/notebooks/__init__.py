"""Notebooks: read, checked, run and compared; exercises made from solutions."""
