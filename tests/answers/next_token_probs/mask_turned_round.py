# wrong: blocks the top k instead of the others
# named: smallest
import torch


def next_token_probs(logits, temperature, top_k):
    x = logits / temperature
    if top_k is not None:
        cut = x.topk(top_k, dim=-1).values[..., -1:]
        x = x.masked_fill(x >= cut, -torch.inf)
    return torch.softmax(x, dim=-1)
