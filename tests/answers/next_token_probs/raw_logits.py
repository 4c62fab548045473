# wrong: returns the blocked logits
# named: no_softmax
import torch


def next_token_probs(logits, temperature, top_k):
    x = logits / temperature
    if top_k is not None:
        x = torch.where(x >= x.topk(top_k).values[..., -1:], x, -torch.inf)
    return x
