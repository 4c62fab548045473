# wrong: a softmax of the softmax
# named: twice
import torch


def next_token_probs(logits, temperature, top_k):
    x = logits / temperature
    if top_k is not None:
        x = x.masked_fill(x < x.topk(top_k).values[..., -1:], -torch.inf)
    probs = torch.softmax(x, dim=-1)
    return torch.softmax(probs, dim=-1)
