"""The exercises on positions, and the cases that only they use."""
