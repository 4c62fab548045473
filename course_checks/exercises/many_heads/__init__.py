"""The exercises on many heads, and the cases that only they use."""
