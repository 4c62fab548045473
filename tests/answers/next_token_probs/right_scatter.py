# right
import torch


def next_token_probs(logits, temperature, top_k):
    if top_k is None:
        return torch.softmax(logits / temperature, -1)
    vals, idx = torch.topk(logits / temperature, top_k, dim=-1)
    out = torch.full_like(logits, float("-inf"))
    out.scatter_(-1, idx, vals)
    return torch.softmax(out, -1)
