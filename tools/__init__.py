"""What maintainers run, by make or by `python -m tools.ROOM.NAME`."""
