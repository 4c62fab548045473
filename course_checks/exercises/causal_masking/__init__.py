"""The exercises on causal masking, and the cases that only they use."""
