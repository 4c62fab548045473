"""The exercises on the transformer block, and the cases that only they use."""
