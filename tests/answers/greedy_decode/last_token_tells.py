# wrong: asks the newest token who has ended: the end token, or the 0 behind it
# named: zero_ends
import torch


def greedy_decode(step, cache, end, max_new_tokens):
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
