# wrong: the threshold is the first of those that should go
# named: one_too_many
import torch


def next_token_probs(logits, temperature, top_k):
    x = logits / temperature
    if top_k is not None:
        cut = x.sort(dim=-1, descending=True).values[..., top_k : top_k + 1]
        x = x.masked_fill(x < cut, -torch.inf)
    return torch.softmax(x, dim=-1)
