# wrong: the start token counts among max_new_tokens
# named: one_too_few
import torch


def greedy_decode(step, cache, end, max_new_tokens):
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
