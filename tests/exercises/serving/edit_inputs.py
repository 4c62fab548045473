"""Inputs for the exercises on serving, other than the checks' own."""

import functools

import torch


def inputs(name, generator):
    """Argument tuples for the exercise ``name``."""
    randn = functools.partial(torch.randn, generator=generator)
    if name == "page_rows":
        a, b, c, d = torch.randint(1, 9, (4,), generator=generator).tolist()
        yield (("a", a), ("b", b), ("a", c), ("c", d), ("b", c)), 40, 3
        yield (("a", a), ("b", b), ("a", 0), ("c", c), ("b", 0), ("d", d), ("a", a)), 40, 4
        yield (("x", 6), ("y", 4), ("x", 0), ("z", 9), ("y", 3)), 31, 2
        yield (("x", 5), ("x", 0)), 5, 1
        yield (), 3, 2
    elif name == "shared_pages":
        one, two, three = (torch.randint(9, (6,), generator=generator).tolist() for _ in range(3))
        yield (one + two, one + three, one[:5], one[:4], two + one, one + two + three), 2
        yield (one, two, one + two, two[:3] + one, one[:3] + two[3:], two[:3] + one[3:]), 3
        yield ([], [1], [1], [1, 2], [2, 1], [1, 2, 3]), 1
        yield ((one + three, one[:4] + three, three + one)), 4
        yield (), 5
    elif name == "check_guesses":
        for batch, number, vocab in ((4, 3, 3), (2, 5, 2), (1, 4, 2), (3, 1, 3), (2, 0, 4)):
            logits = randn(batch, number + 1, vocab)
            guesses = torch.randint(vocab, (batch, number), generator=generator)
            yield guesses, logits, torch.randint(5, 50, (batch,), generator=generator)
            right = logits.argmax(-1)[:, :number]
            yield right, logits, torch.randint(5, 50, (batch,), generator=generator)
    elif name == "accept_or_draw":
        for rows, vocab in ((6, 4), (3, 7), (9, 3), (1, 2)):
            target, draft = (randn(rows, vocab).softmax(-1) for _ in range(2))
            guesses = torch.multinomial(draft, 1, generator=generator)[:, 0]
            yield target, draft, guesses, torch.rand(rows, 2, generator=generator)
    elif name == "quantise":
        for heads, tokens, head_dim, bits in (
            (2, 4, 3, 3),
            (1, 6, 5, 4),
            (4, 3, 2, 8),
            (2, 5, 4, 1),
        ):
            yield randn(heads, tokens, head_dim), bits
            yield 3 * randn(heads, tokens, head_dim).abs() + 2, bits
        yield torch.full((2, 3, 2), 0.4), 4
    elif name == "attend_to_chosen":
        for heads, length, head_dim, value_dim, k in (
            (2, 6, 3, 5, 2),
            (3, 4, 2, 2, 6),
            (1, 8, 5, 3, 3),
            (4, 3, 4, 2, 1),
        ):
            query, key = (randn(heads, length, head_dim) for _ in range(2))
            yield query, key, randn(heads, length, value_dim), randn(length, length), k
