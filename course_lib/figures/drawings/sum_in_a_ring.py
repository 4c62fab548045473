"""Lesson 15: three processes add their tensors in a ring, one chunk a step."""

import torch

from course_lib.figures.drawings.canvas import Canvas
from course_lib.figures.drawings.drawing import Drawing

PROCESSES = 3
CELL = (34, 26)
LEFT, ACROSS = 84, 174  # where the first state begins, and how far it is to the next
TOP, DOWN = 74, 60  # the height of process 0, and how far it is to the next


def ring_example() -> list[torch.Tensor]:
    """The chunks of all processes before and after each of the four steps, (3, 3) each.

    Process r begins with (1, 2, 3) times 10 to the power r, so that a number says by its digits
    whose chunks are in it. In a step each process sends one chunk to its neighbour, as
    ``all_reduce`` does in a ring (Patarasuk and Yuan 2009).
    """
    states = [torch.tensor([[1.0, 2, 3]]) * torch.tensor([[1.0], [10], [100]])]
    for step in range(2 * PROCESSES - 2):
        before, after = states[-1], states[-1].clone()
        for rank in range(PROCESSES):
            chunk, to = (rank - step) % PROCESSES, (rank + 1) % PROCESSES
            added = before[to, chunk] if step < PROCESSES - 1 else 0
            after[to, chunk] = before[rank, chunk] + added
        states.append(after)
    return states


def sum_in_a_ring() -> Drawing:
    """Draw how three processes add their tensors in a ring: two steps add, two pass on."""
    canvas = Canvas("chunks", "add", "pass")
    for state, chunks in enumerate(ring_example()):
        name = "chunks" if state == 0 else "add" if state < PROCESSES else "pass"
        part, left = canvas[name], LEFT + ACROSS * state
        heading = f"after step {state - 1}" if state else "before"
        part.note(left + CELL[0] * PROCESSES / 2, TOP - 14, heading, "" if state else "wide")
        for rank in range(PROCESSES):
            y = TOP + DOWN * rank
            row = chunks[rank : rank + 1]
            whose = row.new_tensor([[sum(d != "0" for d in f"{n:.0f}") for n in row[0].tolist()]])
            part.grid(left, y, whose / PROCESSES * 0.6, "output", CELL, name=f"{state} {rank}")
            part.write(left, y, row, CELL)
        if state:
            step = state - 1
            for rank in range(PROCESSES):  # from its chunk to the same chunk of its neighbour
                to = (rank + 1) % PROCESSES
                start, end = left - ACROSS + CELL[0] * PROCESSES + 4, left - 8
                ys = [TOP + DOWN * process + CELL[1] / 2 for process in (rank, to)]
                part.arrow("output", (start, ys[0]), (end - 10, ys[1]), (end, ys[1]))
                chunk = (rank - step) % PROCESSES
                part.frame(left + CELL[0] * chunk + 2, TOP + DOWN * to + 2, CELL[0] - 4, 22)
    for rank in range(PROCESSES):
        middle = TOP + DOWN * rank + CELL[1] / 2
        canvas["chunks"].note(LEFT - 10, middle + 4, f"process {rank}", "end wide")
        canvas["chunks"].note(LEFT + 1.5 * CELL[0], middle - 20, f"process {rank}", "narrow")
    middle = LEFT + CELL[0] * PROCESSES / 2
    canvas["chunks"].note(middle, 26, "three chunks each")
    for name, x, words in (("add", 1.5, "ADDED"), ("pass", 3.5, "KEPT")):
        canvas[name].note(middle + x * ACROSS, 26, f"what arrives is {words}", "wide")
        steps = f"steps {x - 1.5:.0f} and {x - 0.5:.0f}"
        canvas[name].note(0, 999, f"{steps}: what arrives is {words}", "start narrow")
    states = [" & ".join(f"{state} {rank}" for rank in range(PROCESSES)) for state in range(5)]
    sentences = [
        "Three processes, one below the other, each with three chunks of one number: 1, 2, 3, then "
        "10, 20, 30, then 100, 200, 300.",
        "In each of four steps every process sends one chunk to the process below it, and the last "
        "sends to the first; the chunk that arrived is framed.",
        "In steps 0 and 1 it is added to one's own, and afterwards each process holds one chunk of "
        "the sum: 111, 222 or 333.",
        "In steps 2 and 3 these go round, and at the end every process has 111, 222, 333.",
    ]
    height = TOP + DOWN * (PROCESSES - 1) + CELL[1] + 14
    rows = "[three chunks each] > " + " > ".join(states)
    return canvas.drawing("A sum in a ring", sentences, height, rows=rows)
