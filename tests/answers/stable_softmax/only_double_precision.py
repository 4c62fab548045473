# wrong: computes in float64 without subtracting anything, which overflows later but does
# named: only_float64

import torch


def stable_softmax(scores):
    e = torch.exp(scores.double())
    return (e / e.sum(dim=-1, keepdim=True)).to(scores.dtype)
