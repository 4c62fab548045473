"""Answers to shared_pages (lesson 17, exercise 2), right and wrong, as students write them."""

from itertools import takewhile

import torch

import course_checks as checks


# right
def by_pairs(prompts, page_size):
    """Each prompt against each earlier one, token by token."""
    counts = []
    for i, prompt in enumerate(prompts):
        pairs = [zip(prompt, other, strict=False) for other in prompts[:i]]
        same = [len(list(takewhile(lambda pair: pair[0] == pair[1], one))) for one in pairs]
        counts.append(max(same, default=0) // page_size)
    return counts


# right
def by_tree(prompts, page_size):
    """A tree of pages: each knows those that followed it."""
    root, counts = {}, []
    for prompt in prompts:
        node, shared, is_new = root, 0, False
        for i in range(len(prompt) // page_size):
            page = tuple(prompt[i * page_size : (i + 1) * page_size])
            is_new = is_new or page not in node
            shared += not is_new
            node = node.setdefault(page, {})
        counts.append(shared)
    return tuple(counts)


# wrong: only the prompt before
# named: neighbour_only
# points: 3
def the_one_before(prompts, page_size):
    result, last = [], []
    for prompt in prompts:
        k = 0
        while k < min(len(prompt), len(last)) and prompt[k] == last[k]:
            k += 1
        result.append(k // page_size)
        last = prompt
    return result


# wrong: itself among the known
# named: knows_itself
def itself(prompts, page_size):
    seen, result = set(), []
    for prompt in prompts:
        starts = [tuple(prompt[:e]) for e in range(page_size, len(prompt) + 1, page_size)]
        seen.update(starts)
        result.append(sum(start in seen for start in starts))
    return result


# wrong: beginnings are compared as digits without gaps
# points: 7
def digits_joined(prompts, page_size):
    known, out = set(), []
    for p in prompts:
        starts = ["".join(map(str, p[:e])) for e in range(page_size, len(p) + 1, page_size)]
        n = 0
        while n < len(starts) and starts[n] in known:
            n += 1
        out.append(n)
        known.update(starts)
    return out


# wrong: compares with the first prompt alone
# named: first_only
def best_of_the_first(prompts, page_size):
    """Compares with the first prompt alone."""
    counts = []
    for prompt in prompts:
        same = 0
        while (
            counts and same < min(len(prompt), len(prompts[0])) and prompt[same] == prompts[0][same]
        ):
            same += 1
        counts.append(same // page_size)
    return counts


# wrong: returns the sum
# says: list of numbers
def one_number(prompts, page_size):
    return sum(checks.shared_pages.exercise.reference(prompts, page_size))


# wrong: a page by its own tokens and its number
# named: page_alone
# points: 6
def by_content_and_number(prompts, page_size):
    seen, result = set(), []
    for prompt in prompts:
        pages = [
            (i, tuple(prompt[i * page_size : (i + 1) * page_size]))
            for i in range(len(prompt) // page_size)
        ]
        n = 0
        while n < len(pages) and pages[n] in seen:
            n += 1
        seen |= set(pages)
        result.append(n)
    return result


# other inputs
def other_inputs(generator):
    one, two, three = (torch.randint(9, (6,), generator=generator).tolist() for _ in range(3))
    yield (one + two, one + three, one[:5], one[:4], two + one, one + two + three), 2
    yield (one, two, one + two, two[:3] + one, one[:3] + two[3:], two[:3] + one[3:]), 3
    yield ([], [1], [1], [1, 2], [2, 1], [1, 2, 3]), 1
    yield ((one + three, one[:4] + three, three + one)), 4
    yield (), 5
