"""Lesson 17, exercise 1: which rows of a pool hold a sequence, when pages are taken one by one."""

from course_checks.exercise import Case, Exercise, Property, randint


def page_rows(events, num_pages, page_size):
    free, pages, lengths, rows = list(range(num_pages)), {}, {}, []
    for name, new in events:
        if new == 0:  # it has ended
            free = sorted(free + pages.pop(name))
            lengths.pop(name)
            continue
        mine, before = pages.setdefault(name, []), lengths.get(name, 0)
        for place in range(before, before + new):
            if place == len(mine) * page_size:
                mine.append(free.pop(0))
            rows.append(mine[place // page_size] * page_size + place % page_size)
        lengths[name] = before + new
    return rows, free


MISTAKES = """
never_given_back: free + pages.pop(name) -> free + 0 * pages.pop(name)
    Your pages never come back. When a sequence ends, all of its pages are free again.
half_full_page_lost: pages.pop(name)) -> pages.pop(name)[:-1])
    Of a sequence that ends you give back all pages but the last one. It is half full at most for
    its owner; for the pool it is free as a whole.
one_page_given_back: pages.pop(name)) -> pages.pop(name)[-1:]) || pages.pop(name)[:1])
    Of a sequence that ends you give back one page. All of its pages are free again.
all_given_back: free + pages.pop(name) -> list(range(num_pages))[: 0 * len(pages.pop(name)) or None]
    When one sequence ends you free the pages of all. The others go on: give back its own pages.
not_in_order: sorted(free + pages.pop(name)) -> free + pages.pop(name) || pages.pop(name) + free
    You hand the pages out in the order in which they came back. The free page with the smallest
    number is next: keep them sorted.
largest_first: free.pop(0) -> free.pop()
    You take the free page with the largest number. Take the smallest.
taken_too_early: place == len(mine) * page_size -> place + 1 >= len(mine) * page_size
or: if place == len(mine) * page_size: -> while place + 1 >= len(mine) * page_size:
    You take the next page as soon as a page is full. Take it when a token comes for it: a sequence
    that ends there would hold a page for nothing.
page_for_each_event: before = pages.setdefault(name, []), lengths.get(name, 0) -> \
        before = pages.setdefault(name, []), -(-lengths.get(name, 0) // page_size) * page_size
    Whenever a sequence goes on you begin a new page. Fill the half-full page first.
page_for_all: _one_open_page
    You let all sequences write into one page in turn. Whoever ends then gives back what others
    still need: each sequence fills pages of its own.
page_for_each_token: if place == len(mine) * page_size: -> if True:
    You take a page for each token. A page holds page_size of them.
page_for_row: rows.append(mine[place // page_size] * page_size + place % page_size) -> \
        rows.append(mine[place // page_size])
    You return the numbers of the pages. Asked for is the row: page number times page_size, plus the
    place in the page.
place_alone: mine[place // page_size] * page_size + place % page_size -> place
    You return the place in the sequence. That is its row only if its pages lie one behind the
    other from row 0 on: look the page up.
place_not_in_page: + place % page_size -> + place
    You add the place in the sequence to the page's first row. Add the place in the page: place %
    page_size.
page_not_wide: mine[place // page_size] * page_size + -> mine[place // page_size] +
    You add the place to the page's number. Page p begins at row p * page_size.
place_by_num_pages: place % page_size -> place % num_pages
    You take the place modulo num_pages. It is the place in a page, so modulo page_size.
begins_again: before = pages.setdefault(name, []), lengths.get(name, 0) -> \
        before = pages.setdefault(name, []), 0
    You begin at place 0 whenever a sequence goes on, and write over its first tokens. It goes on
    where it stopped.
goes_on_after_the_end: lengths.pop(name) -> lengths[name] && \
        if place == len(mine) * page_size: -> while place >= len(mine) * page_size:
or: lengths.pop(name) -> lengths[name] && pages.pop(name) -> pages[name]
    When a name comes again after its end, you go on where it stopped. It is a new sequence, which
    begins with its first token: forget the pages and the length of one that ends.
no_pages: _row_after_row
    You hand out the rows one after the other, whoever asks. Then a sequence lies scattered, token
    by token, and what it gives back fits nobody: hand out whole pages.
"""


def _row_after_row(events, num_pages, page_size):
    rows = list(range(sum(new for _, new in events)))
    return rows, list(range(-(-len(rows) // page_size), num_pages))


def _one_open_page(events, num_pages, page_size):
    """The next row of the page that is open, whoever asks for it."""
    free, pages, rows, page, filled = list(range(num_pages)), {}, [], None, 0
    for name, new in events:
        if new == 0:
            free = sorted({*free, *pages.pop(name)})
            continue
        for _ in range(new):
            if page is None or filled == page_size:
                page, filled = free.pop(0), 0
            pages.setdefault(name, set()).add(page)
            rows.append(page * page_size + filled)
            filled += 1
    return rows, free


def _case(num_pages, page_size, *events):
    in_words = ", ".join(f"{name} writes {new}" if new else f"{name} ends" for name, new in events)
    label = f"pages of {page_size}: {in_words or 'no events'}"
    return Case((events, num_pages, page_size), label=label)


def _one(generator):
    for size in (3, 2, 4):
        first, more = randint(generator, 1, size), randint(generator, size, 2 * size + 1)
        yield _case(9 + size, size, ("a", first), ("a", more))


def _several(generator):
    for size, pool in ((2, 17), (3, 19), (5, 23)):
        events = [(name, randint(generator, 1, 2 * size + 1)) for name in "abca"]
        events += [("b", size - events[1][1] % size), ("c", 1), ("d", randint(generator, 1, 5))]
        yield _case(pool, size, *events)


def _ended(generator):
    for size, pool in ((2, 31), (3, 29), (4, 37)):
        a, b, c = (randint(generator, size + 1, 3 * size) for _ in range(3))
        events = [("a", a), ("b", b), ("a", size), ("c", c), ("c", 0), ("a", 0)]
        events += [("b", size + 1), ("d", 4 * size), ("b", 0), ("e", 2 * size), ("d", 1)]
        yield _case(pool, size, *events)


def _edges(generator):
    size = randint(generator, 2, 5)
    return [
        _case(5, size),
        _case(4, 1, ("a", 2), ("b", 1), ("a", 0), ("c", 3)),
        _case(3, size, ("a", 2 * size), ("b", 1)),  # the pool is used to its last page
        _case(6, size, ("a", size), ("b", 1), ("a", 0), ("a", 1)),  # a full page and no more
        _case(2, size, ("a", size + 1), ("a", 0), ("a", size + 1)),
    ]


EXERCISE = Exercise(
    reference=page_rows,
    returns={"rows": "one for each token, in order", "free": "the free pages at the end"},
    kind="numbers",
    properties=(
        Property("a sequence fills a page before it takes the next", 2, _one),
        Property("several sequences do not get in each other's way", 2, _several, "rows"),
        Property("what ends gives its pages back, and they are used again", 2, _ended),
        Property("no events, pages of 1, a full pool, a full page, a name used again", 1, _edges),
    ),
    mistakes=MISTAKES,
)
