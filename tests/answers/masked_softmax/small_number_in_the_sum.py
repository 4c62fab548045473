# wrong: adds a small number to the sum below the line
# named: renormalised_with_eps
import torch


def masked_softmax(scores, mask):
    e = torch.exp(scores - scores.max(dim=-1, keepdim=True).values) * mask
    return e / (e.sum(dim=-1, keepdim=True) + 1e-6)
