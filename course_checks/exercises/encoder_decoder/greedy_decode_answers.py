"""Answers to greedy_decode (lesson 09, exercise 4), right and wrong, as students write them."""

import functools

import torch

import course_checks as checks
from course_checks.exercises.encoder_decoder.decoder_cases import VOCAB_SIZE, SmallDecoder


# right
def by_filled(step, cache, end, max_new_tokens):
    """A table of zeros is filled column by column, and cut at the longest sequence."""
    table = torch.zeros(len(cache), max_new_tokens + 1, dtype=torch.long)
    alive = torch.ones(len(cache), dtype=torch.bool)
    for column in range(1, max_new_tokens + 1):
        logits, cache = step(table[:, column - 1], cache)
        table[alive, column] = logits[alive].argmax(dim=1)
        alive = alive & (table[:, column] != end)
        if not alive.any():
            break
    return table[:, 1 : column + 1]


# right
def masked_at_the_end(step, cache, end, max_new_tokens):
    """Ended sequences run on; what they write is wiped out afterwards."""
    tokens, columns = torch.zeros(cache.shape[0], dtype=torch.int64), []
    for _ in range(max_new_tokens):
        logits, cache = step(tokens, cache)
        tokens = logits.topk(1).indices[:, 0]
        columns.append(tokens)
        found = torch.stack(columns, 1) == end
        if found.any(dim=1).all():
            break
    ends_before = found.long().cumsum(dim=1) - found.long()
    return torch.stack(columns, 1) * (ends_before == 0)


# wrong: the end token is overwritten with padding
# named: end_overwritten
def end_lost(step, cache, end, max_new_tokens):
    tokens = torch.zeros(len(cache), dtype=torch.long)
    ended = torch.zeros(len(cache), dtype=torch.bool)
    out = []
    for _ in range(max_new_tokens):
        logits, cache = step(tokens, cache)
        tokens = logits.argmax(-1)
        ended = ended | (tokens == end)
        tokens = tokens.masked_fill(ended, 0)
        out.append(tokens)
        if ended.all():
            break
    return torch.stack(out, 1)


# wrong: a loop over the sequences, each with steps of its own
# named: one_by_one
def one_sequence_at_a_time(step, cache, end, max_new_tokens):
    texts = []
    for state in cache.split(1):
        token, text = torch.zeros(1, dtype=torch.long), []
        for _ in range(max_new_tokens):
            logits, state = step(token, state)
            token = logits.argmax(dim=-1)
            text.append(int(token))
            if text[-1] == end:
                break
        texts.append(text)
    longest = max(map(len, texts))
    return torch.tensor([text + [0] * (longest - len(text)) for text in texts])


# wrong: reads everything again in each round
# named: reads_again
# points: 6
def reads_again_too(step, cache, end, max_new_tokens):
    n = len(cache)
    written, done = [torch.zeros(n, dtype=torch.long)], torch.zeros(n, dtype=torch.bool)
    while len(written) <= max_new_tokens and not done.all():
        c = cache
        for t in written:
            logits, c = step(t, c)
        new = logits.argmax(-1).masked_fill(done, 0)
        done = done | (new == end)
        written.append(new)
    return torch.stack(written[1:], 1)


# wrong: hands step the whole prefix
# says: step reads the newest tokens alone
def whole_prefix(step, cache, end, max_new_tokens):
    tokens = torch.zeros(len(cache), 1, dtype=torch.long)
    for _ in range(max_new_tokens):
        logits, cache = step(tokens, cache)
        tokens = torch.cat([tokens, logits.argmax(dim=-1, keepdim=True)], dim=1)
    return tokens[:, 1:]


# wrong: goes on behind the end of a sequence
# named: never_ends
# points: 5
def all_at_once(step, cache, end, max_new_tokens):
    tokens, found = torch.zeros(len(cache), dtype=torch.long), []
    for _ in range(max_new_tokens):
        logits, cache = step(tokens, cache)
        tokens = logits.argmax(dim=-1)
        found.append(tokens)
        if (tokens == end).all():
            break
    return torch.stack(found, dim=1)


# wrong: returns floats
# named: dtype
def of_floats(step, cache, end, max_new_tokens):
    return checks.greedy_decode.exercise.reference(step, cache, end, max_new_tokens).float()


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for batch, most in ((1, 6), (4, 8), (5, 3), (2, 12), (3, 7), (4, 10)):
        step = SmallDecoder(randn(VOCAB_SIZE, 4), randn(4, VOCAB_SIZE))
        yield step, 2 * randn(batch, 1, 4), 2, most
