"""The exercises on caches and shared heads, and the layers that only they use."""
