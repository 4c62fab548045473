# wrong: the sums do not line up with the rows
import torch


def next_token_probs(logits, temperature, top_k):
    p = torch.softmax(logits / temperature, dim=-1)
    if top_k is not None:
        p = p * (p >= p.topk(top_k, dim=-1).values[..., -1:])
    return p / p.sum(dim=-1)
