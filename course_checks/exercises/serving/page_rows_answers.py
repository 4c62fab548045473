"""Answers to page_rows (lesson 17, exercise 1), right and wrong, as students write them."""

import math


# right
def right_insort(events, num_pages, page_size):
    from bisect import insort

    free = list(range(num_pages))
    pages, tokens, rows = {}, {}, []
    for name, new in events:
        if new == 0:
            for page in pages.pop(name):
                insort(free, page)
            del tokens[name]
        else:
            for _ in range(new):
                n = tokens.get(name, 0)
                if n % page_size == 0:
                    pages.setdefault(name, []).append(free.pop(0))
                rows.append(pages[name][-1] * page_size + n % page_size)
                tokens[name] = n + 1
    return rows, free


# right
def right_needed_first(events, num_pages, page_size):
    free, table = set(range(num_pages)), {}
    rows = []
    for name, new in events:
        pages, length = table.pop(name, ([], 0))
        if new == 0:
            free.update(pages)
            continue
        needed = math.ceil((length + new) / page_size) - len(pages)
        more = sorted(free)[:needed]
        free -= set(more)
        pages = pages + more
        for i in range(length, length + new):
            page, place = divmod(i, page_size)
            rows.append(pages[page] * page_size + place)
        table[name] = (pages, length + new)
    return rows, sorted(free)


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


# wrong: only full pages come back
# named: half_full_page_lost
def full_pages_back(events, num_pages, page_size):
    free = list(range(num_pages))
    pages, tokens, rows = {}, {}, []
    for name, new in events:
        if new == 0:
            free += pages.pop(name)[:-1]
            free.sort()
            del tokens[name]
            continue
        for _ in range(new):
            n = tokens.get(name, 0)
            if n % page_size == 0:
                pages.setdefault(name, []).append(free.pop(0))
            rows.append(pages[name][-1] * page_size + n % page_size)
            tokens[name] = n + 1
    return rows, free


# wrong: a stack of free pages
# named: largest_first
def from_the_end(events, num_pages, page_size):
    free = list(range(num_pages))
    pages, tokens, rows = {}, {}, []
    for name, new in events:
        if new == 0:
            free = sorted(free + pages.pop(name))
            del tokens[name]
            continue
        for _ in range(new):
            n = tokens.get(name, 0)
            if n % page_size == 0:
                pages.setdefault(name, []).append(free.pop())
            rows.append(pages[name][-1] * page_size + n % page_size)
            tokens[name] = n + 1
    return rows, free


# wrong: a queue of free pages
# named: not_in_order
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


# wrong: the place in the sequence is added
# named: place_not_in_page
def long_place(events, num_pages, page_size):
    free = list(range(num_pages))
    pages, tokens, rows = {}, {}, []
    for name, new in events:
        if new == 0:
            free = sorted(free + pages.pop(name))
            del tokens[name]
            continue
        for _ in range(new):
            n = tokens.get(name, 0)
            if n % page_size == 0:
                pages.setdefault(name, []).append(free.pop(0))
            rows.append(pages[name][-1] * page_size + n)
            tokens[name] = n + 1
    return rows, free


# wrong: page numbers
# named: page_for_row
def numbers_of_pages(events, num_pages, page_size):
    free = list(range(num_pages))
    pages, tokens, rows = {}, {}, []
    for name, new in events:
        if new == 0:
            free = sorted(free + pages.pop(name))
            del tokens[name]
            continue
        for _ in range(new):
            n = tokens.get(name, 0)
            if n % page_size == 0:
                pages.setdefault(name, []).append(free.pop(0))
            rows.append(pages[name][-1])
            tokens[name] = n + 1
    return rows, free


# wrong: all sequences fill one page together
# named: page_for_all
def one_open_page(events, num_pages, page_size):
    free, pages, rows, open_page, filled = list(range(num_pages)), {}, [], None, 0
    for name, new in events:
        if new == 0:
            free = sorted(set(free) | pages.pop(name))
            continue
        for _ in range(new):
            if open_page is None or filled == page_size:
                open_page, filled = free.pop(0), 0
            pages.setdefault(name, set()).add(open_page)
            rows.append(open_page * page_size + filled)
            filled += 1
    return rows, free
