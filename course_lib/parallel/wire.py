"""How many bytes a process sends: predicted by a formula, and counted by the operating system."""

from pathlib import Path

from course_lib.validation.layer_inputs import check_positive

COUNTERS = Path("/proc/self/io")  # what this process wrote and read so far; Linux has it


def all_reduce_bytes(num_bytes: int, world_size: int) -> float:
    """Return what each rank sends when ``world_size`` ranks sum tensors of ``num_bytes``.

    2 (n - 1) / n times the tensor. Each rank owns one n-th of it. The sums of the parts travel
    round the ring until each owner has its own, n - 1 steps, and then once more round to all
    (Patarasuk and Yuan 2009). It hardly depends on n: no rank can send less.
    """
    check_positive(num_bytes=num_bytes, world_size=world_size)
    return 2 * (world_size - 1) / world_size * num_bytes


def ring_bytes(num_bytes: int, world_size: int) -> float:
    """Return what each rank sends in ``ring_attention``, whose keys and values have ``num_bytes``.

    (n - 1) / n of them: its own part, one n-th, and all but one of the others' parts, which it
    passes on. ``num_bytes`` are those of the whole sequence. The backward pass sends as much again.
    """
    check_positive(num_bytes=num_bytes, world_size=world_size)
    return (world_size - 1) / world_size * num_bytes


def bytes_written() -> int | None:
    """Return the bytes that this process has handed to the operating system so far.

    The difference of two calls is what was sent between them, with a few bytes of headers for each
    message, and with what was written to files and to the screen. It is None where the operating
    system does not count (it does on Linux). What GPUs send each other does not pass here.
    """
    if not COUNTERS.exists():
        return None
    lines = COUNTERS.read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("wchar:"))
