# wrong: every step reads the start token
# named: always_the_start
import torch


def greedy_decode(step, cache, end, max_new_tokens):
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
