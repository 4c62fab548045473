"""The exercises on fast attention."""
