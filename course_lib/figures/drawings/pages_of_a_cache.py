"""Lesson 17: three texts keep their keys and values in the pages of one store."""

import torch

from course_lib.attention.paged_cache import PageTable
from course_lib.figures.drawings.canvas import Canvas
from course_lib.figures.drawings.drawing import Drawing

PAGE_SIZE, NUM_PAGES = 4, 8
LENGTHS, ALIKE = (11, 9, 6), 8  # tokens of each text; the first two begin with the same 8
ROOM = 16  # for each text, without pages
NUMBER, ROW, PADDED = (40, 26), (26, 26), (15, 20)  # cells
TOP, DOWN, BELOW = 64, 46, 296


def pages_example() -> tuple[list[list[int]], torch.Tensor]:
    """The pages of each text, and how many texts use each row of each page, (pages, page size)."""
    table = PageTable(NUM_PAGES, PAGE_SIZE)
    for number, length in enumerate(LENGTHS):
        same = ALIKE if number < 2 else 0
        tokens = [0] * same + [number + 1] * (length - same)
        table.take(table.open(tokens), length)
        table.publish(number + 1, tokens)
    users = torch.zeros(NUM_PAGES * PAGE_SIZE)
    for sequence, length in enumerate(LENGTHS, start=1):
        users[table.slots(sequence, length)] += 1
    return list(table.pages.values()), users.view(NUM_PAGES, PAGE_SIZE)


def pages_of_a_cache() -> Drawing:
    """Draw three texts, their lists of pages, and the store in which these lie."""
    held, users = pages_example()
    canvas = Canvas("lists", "store", "padding")
    part = canvas["lists"]
    part.note(18, 26, "A LIST OF PAGES FOR EACH TEXT", "start")
    for i, pages in enumerate(held):
        y = TOP + DOWN * i
        shared = torch.tensor([[users[page, 0] > 1 for page in pages]])
        part.note(18, y + 17, f"text {i + 1}, {LENGTHS[i]} tokens", "start")
        part.grid(160, y, 0.25 + 0.5 * shared, "key", NUMBER)
        for j, page in enumerate(pages):
            part.note(160 + NUMBER[0] * (j + 0.5), y + 17, str(page))
    part.note(18, TOP + 3 * DOWN + 8, "Strong colour: two texts hold this page.", "start")

    part = canvas["store"]
    part.note(474, 26, "ONE STORE: 8 PAGES OF 4 ROWS", "start")
    for page in range(NUM_PAGES):
        x, y = 530 + 168 * (page % 2), TOP + DOWN * (page // 2)
        part.note(x - 10, y + 17, f"page {page}", "end")
        row = users[page : page + 1]
        part.grid(x, y, (0.5 * row - 0.25) * (row > 0), "key", ROW)
        if not row.any():
            part.note(x + 2 * ROW[0], y + 17, "free")
    taken = PAGE_SIZE * len({page for pages in held for page in pages})
    part.note(474, BELOW - 40, f"{taken} rows are taken for {sum(LENGTHS)} tokens:", "start")
    part.note(474, BELOW - 22, "8 of the rows serve two texts.", "start")

    part = canvas["padding"]
    part.note(18, BELOW - 22, "WITHOUT PAGES: room for 16 tokens each", "start")
    used = torch.zeros(len(LENGTHS), ROOM)
    for i, length in enumerate(LENGTHS):
        used[i, max(LENGTHS) - length : max(LENGTHS)] = 0.4
        part.note(150, BELOW + PADDED[1] * i + 15, f"text {i + 1}", "end")
    part.grid(160, BELOW, used, "key", PADDED)
    sentences = [
        f"Three texts of {LENGTHS[0]}, {LENGTHS[1]} and {LENGTHS[2]} tokens, each with a list of "
        f"pages: {', '.join(map(str, held[0]))}; {', '.join(map(str, held[1]))}; and "
        f"{', '.join(map(str, held[2]))}.",
        "The pages lie in one store of 8 pages of 4 rows; a page that is not full has empty rows, "
        "and two pages are free.",
        "The first two texts begin with the same 8 tokens, so both hold pages 0 and 1.",
        f"In all {taken} rows are taken.",
        f"Below, the same texts without pages: a table of 3 rows and {ROOM} columns, "
        f"{len(LENGTHS) * ROOM} places, in which the shorter ones are padded on the left and room "
        "is kept on the right.",
    ]
    rows = "{lists} > {store} > [WITHOUT PAGES: room for 16 tokens each] > text 1"
    return canvas.drawing("Pages of a cache", sentences, BELOW + 72, rows=rows)
