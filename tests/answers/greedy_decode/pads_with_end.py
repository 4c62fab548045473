# wrong: pads with the end token
# named: end_repeated
import torch


def greedy_decode(step, cache, end, max_new_tokens):
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
