"""The exercises on attention as a soft look-up, and the cases that only they use."""
