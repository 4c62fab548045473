"""Answers to page_rows (lesson 17, exercise 1), right and wrong, as students write them."""

import heapq
import math

import torch

import course_checks as checks


# right
def by_heap(events, num_pages, page_size):
    """The free pages in a heap, and the rows of a sequence as a list that grows."""
    free, own, rows = list(range(num_pages)), {}, []
    for name, new in events:
        if not new:
            for first in own.pop(name)[::page_size]:
                heapq.heappush(free, first // page_size)
            continue
        held = own.setdefault(name, [])
        for _ in range(new):
            if len(held) % page_size:
                held.append(held[-1] + 1)
            else:
                held.append(heapq.heappop(free) * page_size)
            rows.append(held[-1])
    return rows, sorted(free)


# right
def owners(events, num_pages, page_size):
    """A table with the owner of each page, in which the free ones are looked up."""
    owner, last, length, rows = [None] * num_pages, {}, {}, []
    for name, new in events:
        if new == 0:
            owner = [None if one == name else one for one in owner]
            length[name] = 0
        for _ in range(new):
            place = length.get(name, 0) % page_size
            if place == 0:
                last[name] = owner.index(None)
                owner[last[name]] = name
            rows.append(last[name] * page_size + place)
            length[name] = length.get(name, 0) + 1
    return torch.tensor(rows), [page for page, one in enumerate(owner) if one is None]


# wrong: the pages of a sequence that ends stay taken
# named: never_given_back
def keeps_them(events, num_pages, page_size):
    free = list(range(num_pages))
    pages, tokens, rows = {}, {}, []
    for name, new in events:
        if new == 0:
            del pages[name], tokens[name]
            continue
        for _ in range(new):
            n = tokens.get(name, 0)
            if n % page_size == 0:
                pages.setdefault(name, []).append(free.pop(0))
            rows.append(pages[name][-1] * page_size + n % page_size)
            tokens[name] = n + 1
    return rows, free


# wrong: a queue of free pages
# named: not_in_order
# points: 5
def queue(events, num_pages, page_size):
    from collections import deque

    free = deque(range(num_pages))
    pages, tokens, rows = {}, {}, []
    for name, new in events:
        if new == 0:
            free.extend(pages.pop(name))
            del tokens[name]
            continue
        for _ in range(new):
            n = tokens.get(name, 0)
            if n % page_size == 0:
                pages.setdefault(name, []).append(free.popleft())
            rows.append(pages[name][-1] * page_size + n % page_size)
            tokens[name] = n + 1
    return rows, list(free)


# wrong: the next page is taken when one becomes full
# named: taken_too_early
def ahead(events, num_pages, page_size):
    free = list(range(num_pages))
    pages, tokens, rows = {}, {}, []
    for name, new in events:
        if new == 0:
            free = sorted(free + pages.pop(name))
            del tokens[name]
            continue
        if name not in pages:
            pages[name], tokens[name] = [free.pop(0)], 0
        for _ in range(new):
            n = tokens[name]
            tokens[name] = n + 1
            if tokens[name] % page_size == 0:
                pages[name].append(free.pop(0))
            rows.append(pages[name][n // page_size] * page_size + n % page_size)
    return rows, free


# wrong: each event begins a page
# named: page_for_each_event
# points: 2
def new_page_each_time(events, num_pages, page_size):
    free, pages, rows = list(range(num_pages)), {}, []
    for name, new in events:
        if new == 0:
            free = sorted(free + pages.pop(name))
            continue
        mine = [free.pop(0) for _ in range(math.ceil(new / page_size))]
        rows += [mine[i // page_size] * page_size + i % page_size for i in range(new)]
        pages[name] = pages.get(name, []) + mine
    return rows, free


# wrong: returns the rows alone
def rows_alone(events, num_pages, page_size):
    return checks.page_rows.exercise.reference(events, num_pages, page_size)[0]


# wrong: fills the pool row by row, without pages
# named: no_pages
def whole_pool_in_order(events, num_pages, page_size):
    rows, row = [], 0
    for _, new in events:
        rows += range(row, row + new)
        row += new
    return rows, list(range(-(-row // page_size), num_pages))


# wrong: a name that comes again goes on where it stopped
# named: goes_on_after_the_end
def remembers(events, num_pages, page_size):
    free, table, tokens, rows = list(range(num_pages)), {}, {}, []
    for name, new in events:
        if new == 0:
            free = sorted(free + table.pop(name))
            continue
        pages = table.setdefault(name, [])
        for n in range(tokens.get(name, 0), tokens.get(name, 0) + new):
            while len(pages) < n // page_size + 1:
                pages.append(free.pop(0))
            rows.append(pages[n // page_size] * page_size + n % page_size)
        tokens[name] = tokens.get(name, 0) + new
    return rows, free


# other inputs
def other_inputs(generator):
    a, b, c, d = torch.randint(1, 9, (4,), generator=generator).tolist()
    yield (("a", a), ("b", b), ("a", c), ("c", d), ("b", c)), 40, 3
    yield (("a", a), ("b", b), ("a", 0), ("c", c), ("b", 0), ("d", d), ("a", a)), 40, 4
    yield (("x", 6), ("y", 4), ("x", 0), ("z", 9), ("y", 3)), 31, 2
    yield (("x", 5), ("x", 0)), 5, 1
    yield (), 3, 2
