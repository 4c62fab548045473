"""The exercises on encoder and decoder, and the cases that only they use."""
