# wrong: masks after the softmax and divides by a clamped sum
# named: renormalised_with_eps
import torch


def safe_masked_softmax(scores, mask):
    weights = torch.softmax(scores, dim=-1) * mask
    return weights / weights.sum(dim=-1, keepdim=True).clamp(min=1e-9)
