"""Answers to shared_pages (lesson 17, exercise 2), right and wrong, as students write them."""


# right
def right_dictionary(prompts, page_size):
    owners, result = {}, []
    for i, prompt in enumerate(prompts):
        n = 0
        for end in range(page_size, len(prompt) + 1, page_size):
            key = str(prompt[:end])
            if owners.setdefault(key, i) != i:
                n = end // page_size
        result.append(n)
    return result


# right
def right_longest(prompts, page_size):
    result = []
    for i, prompt in enumerate(prompts):
        best = 0
        for other in prompts[:i]:
            k = 0
            while k < len(prompt) and k < len(other) and prompt[k] == other[k]:
                k += 1
            best = max(best, k // page_size)
        result.append(best)
    return result


# right
def right_slices(prompts, page_size):
    result = []
    for i, prompt in enumerate(prompts):
        pages = len(prompt) // page_size
        while pages and not any(
            other[: pages * page_size] == prompt[: pages * page_size] for other in prompts[:i]
        ):
            pages -= 1
        result.append(pages)
    return result


# wrong: a page by its own tokens
# named: page_alone
def by_content(prompts, page_size):
    seen, result = set(), []
    for prompt in prompts:
        pages = [
            tuple(prompt[i : i + page_size])
            for i in range(0, len(prompt) - page_size + 1, page_size)
        ]
        n = 0
        for page in pages:
            if page not in seen:
                break
            n += 1
        seen.update(pages)
        result.append(n)
    return result


# wrong: a page by its own tokens and its number
# named: page_alone
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


# wrong: goes on behind a page that differs
# named: behind_a_gap
def goes_on(prompts, page_size):
    seen, result = set(), []
    for prompt in prompts:
        pages = [
            (i, tuple(prompt[i * page_size : (i + 1) * page_size]))
            for i in range(len(prompt) // page_size)
        ]
        result.append(sum(page in seen for page in pages))
        seen |= set(pages)
    return result


# wrong: the last page too, full or not
# named: half_pages
def the_rest_too(prompts, page_size):
    seen, result = set(), []
    for prompt in prompts:
        n = 0
        starts = []
        for i in range(0, len(prompt), page_size):
            starts.append(tuple(prompt[: i + page_size]))
        while n < len(starts) and starts[n] in seen:
            n += 1
        seen.update(starts)
        result.append(n)
    return result


# wrong: tokens
# named: tokens_for_pages
def counts_tokens(prompts, page_size):
    result = []
    for i, prompt in enumerate(prompts):
        best = 0
        for other in prompts[:i]:
            k = 0
            while k < min(len(prompt), len(other)) and prompt[k] == other[k]:
                k += 1
            best = max(best, k // page_size)
        result.append(best * page_size)
    return result


# wrong: rounded up
# named: rounded_up
def up(prompts, page_size):
    result = []
    for i, prompt in enumerate(prompts):
        best = 0
        for other in prompts[:i]:
            k = 0
            while k < min(len(prompt), len(other)) and prompt[k] == other[k]:
                k += 1
            best = max(best, (k + page_size - 1) // page_size)
        result.append(best)
    return result


# wrong: only the prompt before
# named: neighbour_only
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


# wrong: pages that must be computed
# named: new_ones
def the_others(prompts, page_size):
    seen, result = set(), []
    for prompt in prompts:
        starts = [tuple(prompt[:e]) for e in range(page_size, len(prompt) + 1, page_size)]
        result.append(sum(start not in seen for start in starts))
        seen.update(starts)
    return result


# wrong: all prompts, the later ones too
# named: later_ones_too
def all_others(prompts, page_size):
    result = []
    for i, prompt in enumerate(prompts):
        best = 0
        for j, other in enumerate(prompts):
            k = 0
            while i != j and k < min(len(prompt), len(other)) and prompt[k] == other[k]:
                k += 1
            best = max(best, k // page_size)
        result.append(best)
    return result


# wrong: beginnings are compared as digits without gaps
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
