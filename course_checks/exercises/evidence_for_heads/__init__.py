"""The exercises on evidence for what heads do."""
