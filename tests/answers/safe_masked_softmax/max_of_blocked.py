# wrong: subtracts the largest score of the row, blocked ones included, so that the allowed ones may vanish
# named: renormalised_with_eps
import torch


def safe_masked_softmax(scores, mask):
    e = torch.exp(scores - scores.amax(dim=-1, keepdim=True)) * mask
    return e / e.sum(dim=-1, keepdim=True).clamp(min=1e-6)
