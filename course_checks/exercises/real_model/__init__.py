"""The exercises on a real language model, and the cases that only they use."""
