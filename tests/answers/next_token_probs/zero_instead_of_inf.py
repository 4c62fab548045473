# wrong: the logits of the others are 0
# named: zero_logits
import torch


def next_token_probs(logits, temperature, top_k):
    x = logits / temperature
    if top_k is not None:
        cut = torch.topk(x, top_k, dim=-1)[0][..., -1, None]
        x = torch.where(x < cut, torch.zeros_like(x), x)
    return torch.softmax(x, dim=-1)
