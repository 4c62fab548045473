"""Experiments that a lesson records: run again, with their tables, maps and trained models."""
