"""The exercises on cross-attention and padding, and the cases that only they use."""
