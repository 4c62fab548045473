"""Answers to greedy_decode (lesson 09, exercise 4), right and wrong, as students write them."""

import torch


# wrong: stops when any sequence has ended
# named: stops_at_the_first_end
def any_ended(step, cache, end, max_new_tokens):
    tokens = torch.zeros(len(cache), dtype=torch.long)
    ended = torch.zeros(len(cache), dtype=torch.bool)
    out = []
    for _ in range(max_new_tokens):
        logits, cache = step(tokens, cache)
        tokens = torch.where(ended, 0, logits.argmax(-1))
        ended = ended | (tokens == end)
        out.append(tokens)
        if ended.any():
            break
    return torch.stack(out, 1)


# wrong: the start token counts among max_new_tokens
# named: one_too_few
def counts_start(step, cache, end, max_new_tokens):
    tokens = torch.zeros(len(cache), dtype=torch.long)
    ended = torch.zeros(len(cache), dtype=torch.bool)
    out = []
    for _ in range(1, max_new_tokens):
        logits, cache = step(tokens, cache)
        tokens = torch.where(ended, 0, logits.argmax(-1))
        ended = ended | (tokens == end)
        out.append(tokens)
        if ended.all():
            break
    return torch.stack(out, 1)


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


# wrong: every step reads the start token
# named: always_the_start
def feeds_start(step, cache, end, max_new_tokens):
    tokens = torch.zeros(len(cache), dtype=torch.long)
    ended = torch.zeros(len(cache), dtype=torch.bool)
    out = []
    for _ in range(max_new_tokens):
        logits, cache = step(tokens, cache)
        new = torch.where(ended, 0, logits.argmax(-1))
        ended = ended | (new == end)
        out.append(new)
        if ended.all():
            break
    return torch.stack(out, 1)


# wrong: stops when the first sequence has ended
# named: stops_at_the_first_end
def first_row(step, cache, end, max_new_tokens):
    tokens = torch.zeros(len(cache), dtype=torch.long)
    ended = torch.zeros(len(cache), dtype=torch.bool)
    out = []
    for _ in range(max_new_tokens):
        logits, cache = step(tokens, cache)
        tokens = torch.where(ended, 0, logits.argmax(-1))
        ended = ended | (tokens == end)
        out.append(tokens)
        if ended[0]:
            break
    return torch.stack(out, 1)


# wrong: asks the newest token who has ended: the end token, or the 0 behind it
# named: zero_ends
def last_token_tells(step, cache, end, max_new_tokens):
    written = []
    tokens = torch.zeros(cache.shape[0], dtype=torch.long)
    for i in range(max_new_tokens):
        logits, cache = step(tokens, cache)
        new = logits.argmax(dim=1)
        if i > 0:
            new[(tokens == end) | (tokens == 0)] = 0
        written.append(new)
        tokens = new
        if torch.logical_or(new == end, new == 0).all():
            break
    return torch.stack(written, dim=1)


# wrong: goes on with padding up to max_new_tokens
# named: stops_too_late
def no_break(step, cache, end, max_new_tokens):
    tokens = torch.zeros(len(cache), dtype=torch.long)
    ended = torch.zeros(len(cache), dtype=torch.bool)
    out = []
    for _ in range(max_new_tokens):
        logits, cache = step(tokens, cache)
        tokens = torch.where(ended, 0, logits.argmax(-1))
        ended = ended | (tokens == end)
        out.append(tokens)
    return torch.stack(out, 1)


# wrong: what an ended sequence writes is kept
# named: goes_on_behind_the_end
def no_padding(step, cache, end, max_new_tokens):
    tokens = torch.zeros(len(cache), dtype=torch.long)
    ended = torch.zeros(len(cache), dtype=torch.bool)
    out = []
    for _ in range(max_new_tokens):
        logits, cache = step(tokens, cache)
        tokens = logits.argmax(-1)
        ended = ended | (tokens == end)
        out.append(tokens)
        if ended.all():
            break
    return torch.stack(out, 1)


# wrong: the cache that step returns is thrown away
# named: cache_forgotten
def old_cache(step, cache, end, max_new_tokens):
    tokens = torch.zeros(len(cache), dtype=torch.long)
    ended = torch.zeros(len(cache), dtype=torch.bool)
    out = []
    for _ in range(max_new_tokens):
        logits, _ = step(tokens, cache)
        tokens = torch.where(ended, 0, logits.argmax(-1))
        ended = ended | (tokens == end)
        out.append(tokens)
        if ended.all():
            break
    return torch.stack(out, 1)


# wrong: pads with the end token
# named: end_repeated
def pads_with_end(step, cache, end, max_new_tokens):
    tokens = torch.zeros(len(cache), dtype=torch.long)
    ended = torch.zeros(len(cache), dtype=torch.bool)
    out = []
    for _ in range(max_new_tokens):
        logits, cache = step(tokens, cache)
        tokens = torch.where(ended, end, logits.argmax(-1))
        ended = ended | (tokens == end)
        out.append(tokens)
        if ended.all():
            break
    return torch.stack(out, 1)


# right
def right_where(step, cache, end, max_new_tokens):
    tokens = torch.zeros(len(cache), dtype=torch.long)
    ended = torch.zeros(len(cache), dtype=torch.bool)
    out = []
    for _ in range(max_new_tokens):
        logits, cache = step(tokens, cache)
        tokens = torch.where(ended, 0, logits.argmax(-1))
        ended = ended | (tokens == end)
        out.append(tokens)
        if ended.all():
            break
    return torch.stack(out, 1)


# wrong: one row for each step
# named: transposed
def steps_first(step, cache, end, max_new_tokens):
    tokens = torch.zeros(len(cache), dtype=torch.long)
    ended = torch.zeros(len(cache), dtype=torch.bool)
    out = []
    for _ in range(max_new_tokens):
        logits, cache = step(tokens, cache)
        tokens = torch.where(ended, 0, logits.argmax(-1))
        ended = ended | (tokens == end)
        out.append(tokens)
        if ended.all():
            break
    return torch.stack(out)


# wrong: the start token is part of the answer
# named: start_kept
def with_start(step, cache, end, max_new_tokens):
    tokens = torch.zeros(len(cache), dtype=torch.long)
    ended = torch.zeros(len(cache), dtype=torch.bool)
    out = [tokens]
    for _ in range(max_new_tokens):
        logits, cache = step(tokens, cache)
        tokens = torch.where(ended, 0, logits.argmax(-1))
        ended = ended | (tokens == end)
        out.append(tokens)
        if ended.all():
            break
    return torch.stack(out, 1)


# wrong: a 0 that the model writes counts as an end
# named: zero_ends
def zero_is_an_end(step, cache, end, max_new_tokens):
    tokens = torch.zeros(len(cache), dtype=torch.long)
    has_ended = torch.zeros(len(cache), dtype=torch.bool)
    out = []
    for _ in range(max_new_tokens):
        logits, cache = step(tokens, cache)
        tokens = torch.where(has_ended, 0, logits.argmax(-1))
        has_ended = has_ended | (tokens == end) | (tokens == 0)
        out.append(tokens)
        if has_ended.all():
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


# wrong: who ended earlier is forgotten
# named: newest_ends_only
def newest_ends_only(step, cache, end, max_new_tokens):
    t = torch.zeros(len(cache), dtype=torch.long)
    done = torch.zeros(len(cache), dtype=torch.bool)
    written = []
    for _ in range(max_new_tokens):
        logits, cache = step(t, cache)
        t = logits.argmax(-1)
        t[done] = 0
        done = t == end
        written.append(t)
        if done.all():
            break
    return torch.stack(written, dim=1)


# right
def right_into_a_table(step, cache, end, max_new_tokens):
    table = torch.zeros(len(cache), max_new_tokens + 1, dtype=torch.long)
    is_open = torch.ones(len(cache), dtype=torch.bool)
    for i in range(max_new_tokens):
        logits, cache = step(table[:, i], cache)
        table[is_open, i + 1] = logits.argmax(dim=-1)[is_open]
        is_open = is_open & (table[:, i + 1] != end)
        if not is_open.any():
            return table[:, 1 : i + 2]
    return table[:, 1:]
