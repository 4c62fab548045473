"""The exercises on heads across devices."""
