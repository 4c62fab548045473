"""The exercises on induction heads and their scores."""
