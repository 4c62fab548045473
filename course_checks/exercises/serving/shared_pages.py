"""Lesson 17, exercise 2: how many pages of a prompt are there already, from prompts before it."""

from torch import randint

from course_checks.exercise import Case, Exercise, Property


def shared_pages(prompts, page_size):
    known, shared = set(), []
    for prompt in prompts:
        ends = range(page_size, len(prompt) + 1, page_size)  # of full pages only
        starts = [tuple(prompt[:end]) for end in ends]
        count = 0
        while count < len(starts) and starts[count] in known:
            count += 1
        shared.append(count)
        known.update(starts)
    return shared


MISTAKES = """
page_alone: tuple(prompt[:end]) -> tuple(prompt[end - page_size : end])
or: tuple(prompt[:end]) -> (end, *prompt[end - page_size : end])
    You compare the tokens of a page alone. Its keys and values depend on all tokens before it:
    compare the whole beginning of the prompt, up to the page's end.
behind_a_gap: while count < len(starts) and starts[count] in known: count += 1 -> \
        count = sum((i, *one[-page_size:]) in known for i, one in enumerate(starts)) && \
        known.update(starts) -> known.update((i, *one[-page_size:]) for i, one in enumerate(starts))
    You count pages that lie behind one that differs. From the first other token on, all keys and
    values are other ones: stop there.
half_pages: len(prompt) + 1, page_size) -> len(prompt) + page_size, page_size)
    You share a last page that is not full. Its owner still writes into it: share full pages only.
rounded_up: starts = [tuple(prompt[:end]) for end in ends] -> \
        starts = [tuple(prompt[: end - page_size + 1]) for end in ends]
or: _longest(lambda common, page_size: -(-common // page_size))
    A page whose first tokens agree counts in yours as a whole. One other token in it, and the page
    is another.
tokens_for_pages: shared.append(count) -> shared.append(count * page_size)
or: _longest(lambda common, page_size: common)
    You return tokens. Asked for is how many pages.
full_to_the_end: len(prompt) + 1, page_size) -> len(prompt), page_size)
    You leave out a page that ends with its prompt. It is full, and nobody writes into it any more:
    it can be shared.
neighbour_only: known.update(starts) -> known = set(starts)
    You compare each prompt with the one just before it. All earlier ones have left their pages.
first_only: known.update(starts) -> known.update(starts if len(shared) == 1 else ())
    You compare each prompt with the first one alone. All earlier ones have left their pages.
later_ones_too: _longest(lambda common, page_size: common // page_size, later=True)
    You look at later prompts too. A prompt finds only what earlier ones have left.
knows_itself: shared.append(count) -> shared.append(len(starts))
    You count all full pages of a prompt. Shared are those that an earlier prompt has left.
first_page_only: while count -> if count
    You stop after one page. Go on as long as the pages are known.
last_page_left: count < len(starts) and -> count < len(starts) - 1 and
    You never share the last full page of a prompt. If it is known, it is shared like the others.
new_ones: shared.append(count) -> shared.append(len(starts) - count)
    You count the pages that must be computed. Asked for are those that are there already.
order_forgotten: tuple(prompt[:end]) -> tuple(sorted(prompt[:end]))
    You compare which tokens stand in a beginning, and not in which order.
added_up: return shared -> return [sum(shared[: i + 1]) for i in range(len(shared))]
    You add the numbers up from prompt to prompt. Each prompt has its own.
"""


def _longest(pages_of, later=False):
    """Counts from the longest beginning that a prompt has in common with an earlier one."""

    def version(prompts, page_size):
        shared = []
        for i, prompt in enumerate(prompts):
            common = 0
            for other in (*prompts[:i], *(prompts[i + 1 :] if later else ())):
                same = 0
                while same < min(len(prompt), len(other)) and prompt[same] == other[same]:
                    same += 1
                common = max(common, same)
            shared.append(pages_of(common, page_size))
        return shared

    return version


def _tokens(generator, number, least=10):
    return randint(least, 99, (number,), generator=generator, device="cpu").tolist()


def _case(size, label, *prompts):
    return Case((prompts, size), label=f"{label}, pages of {size}")


def _two(generator):
    for size in (2, 3, 4):
        start = _tokens(generator, 3 * size)
        first, second = (start + _tokens(generator, number) for number in (size + 1, 2 * size))
        yield _case(size, "two prompts with one beginning", first, second, start[:size])


def _not_full(generator):
    for size in (3, 4, 5):
        start = _tokens(generator, 2 * size + 2)
        prompts = start, [*start, 5], [*start, 6, 7], start[: 2 * size], start[:-1], [*start, 5]
        yield _case(size, "beginnings that end within a page", *prompts)


def _differ(generator):
    for size in (2, 3, 4):
        a, b, c = (_tokens(generator, size) for _ in range(3))
        other = [*a[:-1], 7]
        prompts = [*a, *b, *c], [*other, *b, *c], [*b, *c], [*b, *a, *b]
        turned = [*reversed(a), *b]
        late = [*a, 7, *b[1:], *c], [*a, *b[:-1], 7, *c], [*a, *a, *b]
        yield _case(size, "pages that come again", *prompts, turned, *late, prompts[3])


def _many(generator):
    for size in (2, 3):
        first, second = (_tokens(generator, 2 * size) for _ in range(2))
        more = [_tokens(generator, number) for number in (1, size, 2 * size + 1)]
        prompts = first + more[0], second + more[1], first + more[2], second + more[1]
        yield _case(size, "two beginnings in turns", *prompts, first + more[2] + more[0])


def _edges(generator):
    some = _tokens(generator, 5)
    return [
        Case(((), 3), label="no prompts"),
        _case(4, "prompts of 0, 1 and 4 tokens", [], [9], [9], some[:4], [], some[:4], some),
        _case(1, "every token a page", some, some[:2], [some[0], 9, some[2]], [9], [9]),
        _case(2, "other tokens with the same digits", [1, 11], [11, 1]),
        _case(7, "prompts that are shorter than a page", some, some, some[:1]),
    ]


EXERCISE = Exercise(
    reference=shared_pages,
    returns={"shared": "a number of pages for each prompt"},
    kind="numbers",
    properties=(
        Property("two prompts that begin alike share the pages of that beginning", 2, _two),
        Property("a page that is not full is not shared, and a full one is", 1, _not_full),
        Property("a page is shared only where everything before it is the same too", 2, _differ),
        Property("all earlier prompts count", 1, _many),
        Property("no prompts, prompts of 0 and 1 tokens, and pages of 1", 1, _edges),
    ),
    mistakes=MISTAKES,
)
