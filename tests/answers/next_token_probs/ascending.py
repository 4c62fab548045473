# wrong: keeps the smallest
# named: smallest
import torch


def next_token_probs(logits, temperature, top_k):
    x = logits / temperature
    if top_k is not None:
        keep = x.argsort(dim=-1)[..., :top_k]
        mask = torch.zeros_like(x, dtype=torch.bool).scatter(-1, keep, True)
        x = x.masked_fill(~mask, -torch.inf)
    return torch.softmax(x, dim=-1)
