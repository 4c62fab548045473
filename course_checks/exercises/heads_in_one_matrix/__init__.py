"""The exercises on heads inside one matrix, and the cases that only they use."""
