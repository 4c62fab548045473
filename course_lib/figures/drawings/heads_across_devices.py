"""Lesson 15: two heads on two devices, and the one sum between them."""

from types import SimpleNamespace

import torch

from course_lib.attention.scaled_dot_product import scaled_dot_product_attention
from course_lib.data.small_example import NUM_HEADS, TOKENS, W_KEY, W_OUT, W_QUERY, W_VALUE, X
from course_lib.figures.drawings.canvas import Canvas, Part
from course_lib.figures.drawings.drawing import Drawing

HEAD_DIM = len(W_QUERY) // NUM_HEADS
FOLLOWED = 0  # the head that is framed all the way
CELL = (13, 14)
LANES = (132, 324)  # the heights of the two devices
MIDDLE = sum(LANES) / 2
MATRICES = {"query": (W_QUERY, 206), "key": (W_KEY, 282), "value": (W_VALUE, 358)}


def devices_example() -> list[SimpleNamespace]:
    """The two heads of the course's sentence, one on each device."""
    devices = []
    for rank in range(NUM_HEADS):
        rows = slice(rank * HEAD_DIM, (rank + 1) * HEAD_DIM)  # of W_Q, W_K and W_V; columns of W_O
        qkv = (X @ weight[rows].T for weight, _ in MATRICES.values())
        head, _ = scaled_dot_product_attention(*qkv)  # (8, 2)
        partial = head @ W_OUT[:, rows].T  # (8, 4), its part of the output
        devices.append(SimpleNamespace(rows=rows, head=head, partial=partial))
    return devices


def heads_across_devices() -> Drawing:
    """Draw two heads on two devices: slices of the matrices, and one sum of two outputs."""
    devices = devices_example()
    canvas = Canvas("input", "slices", "heads", "partial", "sum")

    part = canvas["input"]
    _tensor(part, 74, MIDDLE, "input", X, "input")
    part.lines(68, MIDDLE - 56 + 11, *TOKENS, kind="end", step=14)
    part.note(14, 26, "framed: head 0", "start")
    part.lines(100, MIDDLE + 76, "the same on", "both devices")
    part.arrow("input", (130, MIDDLE), (152, MIDDLE), tip=False)
    part.arrow("input", (152, LANES[0] - 1), (152, LANES[1] + 1), tip=False)
    for y in LANES:
        part.arrow("input", (152, y), (195, y))

    for rank, (device, y) in enumerate(zip(devices, LANES, strict=True)):
        _draw_slices(canvas["slices"], rank, device, y)
        part = canvas["heads"]
        part.arrow("output", (414, y), (438, y), tip=False)
        part.operation(474, y, "attention", "output", 76)
        part.arrow("output", (511, y), (530, y))
        _tensor(part, 542, y, f"head {rank}", device.head, "output")
        if rank == FOLLOWED:
            part.frame(542, y - 56, 26, 112)
        part = canvas["partial"]
        part.arrow("output", (573, y), (593, y))
        part.arrow("output", (661, y), (686, y))
        _tensor(part, 697, y, "its part", device.partial, "output")
        if rank == FOLLOWED:
            part.frame(697, y - 56, 52, 112)

    part = canvas["sum"]
    for y, end in zip(LANES, (MIDDLE - 21, MIDDLE + 21), strict=True):
        part.arrow("output", (753, y), (786, y), tip=False)
        part.arrow("output", (786, y), (786, end))
    part.operation(786, MIDDLE, "+", "output", 36)
    part.arrow("output", (805, MIDDLE), (823, MIDDLE))
    _tensor(part, 834, MIDDLE, "output", devices[0].partial + devices[1].partial, "output")
    for column in (0, 3):  # where head 0's part is not 0
        part.frame(834 + 13 * column + 2, MIDDLE - 56, 9, 112)
    part.lines(852, MIDDLE + 76, "the same on", "both devices")
    part.note(882, LANES[1] + 86, "ALL-REDUCE: all that they exchange", "end")

    sentences = [
        "The sentence that you know, 8 tokens of 4 numbers, lies on both devices.",
        "Device 0, above, holds rows 0 and 1 of W_Q, W_K and W_V, which are head 0, and columns 0 "
        "and 1 of W_O; device 1, below, holds rows and columns 2 and 3, which are head 1.",
        "Each device computes attention for its own head, 8 × 2, and multiplies it with its "
        "columns of W_O: its part of the output, 8 × 4.",
        "The two parts are added, in the one exchange of the layer, an all-reduce: the output, "
        "8 × 4, which both devices then have.",
        "What a device does not hold is left out.",
    ]
    rows = (
        "input > [DEVICE 0: head 0] > W_Q & attention > head 0 & W_O & its part > [DEVICE 1: "
        "head 1] > W_Q & attention > head 1 & W_O & its part > + > output"
    )
    return canvas.drawing("Two heads on two devices", sentences, 426, rows=rows)


def _tensor(
    part: Part, x: float, middle: float, words: str, tensor: torch.Tensor, role: str
) -> None:
    """Draw a tensor around a height, with its name and shape above it."""
    rows, columns = tensor.shape
    top = middle - rows * CELL[1] / 2
    part.signed(x, top, tensor, role, CELL)
    part.title(x + columns * CELL[0] / 2, top - 10, words, role, tensor)


def _draw_slices(part: Part, rank: int, device: SimpleNamespace, y: float) -> None:
    """The rows of W_Q, W_K and W_V and the columns of W_O that a device holds."""
    part.note(206, y - 78, f"DEVICE {rank}: head {rank}", "start")
    width, height = (len(W_QUERY) * side for side in CELL)
    own_rows = torch.zeros(len(W_QUERY), len(W_QUERY), dtype=torch.bool)
    own_rows[device.rows] = True
    everything = [(role, weight, x, own_rows) for role, (weight, x) in MATRICES.items()]
    for role, weight, x, own in [*everything, ("output", W_OUT, 604, own_rows.T)]:
        top = y - height / 2
        held = weight.masked_fill(~own, torch.nan)
        part.signed(x, top, weight * own, role, CELL, strength=0.5)
        part.write(x, top, held, CELL)
        part.name(
            x + width / 2, top - 12, f"W_{'O' if role == 'output' else role[0].upper()}", role
        )
        if rank == FOLLOWED:
            wide, high = (26, height) if role == "output" else (width, 28)
            part.frame(x, top, wide, high)
    which = f"{device.rows.start} and {device.rows.stop - 1}"
    part.note(308, y + 50, f"rows {which}")
    part.note(630, y + 50, f"columns {which}")
