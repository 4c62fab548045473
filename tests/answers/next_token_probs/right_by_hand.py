# right
import torch


def next_token_probs(logits, temperature, top_k):
    x = logits / temperature
    e = (x - x.max(dim=-1, keepdim=True).values).exp()
    if top_k is not None:
        kept = torch.zeros_like(e)
        idx = e.topk(top_k, dim=-1).indices
        kept.scatter_(-1, idx, 1.0)
        e = e * kept
    return e / e.sum(dim=-1, keepdim=True)
