"""The exercises on a single head, and the cases that only they use."""
