"""Read, repair and run what a student wrote, as grading does."""
