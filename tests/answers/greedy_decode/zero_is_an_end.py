# wrong: a 0 that the model writes counts as an end
# named: zero_ends
import torch


def greedy_decode(step, cache, end, max_new_tokens):
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
